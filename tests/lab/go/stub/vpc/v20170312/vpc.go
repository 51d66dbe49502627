// SPDX-License-Identifier: MIT

// Package v20170312 stands in for the Tencent Cloud SDK (see package common): every call fails.
package v20170312

import "errors"

var errAbsent = errors.New("built without the Tencent Cloud SDK")

type Client struct{}

type Filter struct {
	Name   *string
	Values []*string
}

type Route struct {
	RouteId              *uint64
	DestinationCidrBlock *string
	GatewayType          *string
	GatewayId            *string
	RouteType            *string
	Enabled              *bool
}

type RouteTable struct {
	RouteTableId *string
	RouteSet     []*Route
}

type routes struct {
	RouteTableId *string
	Routes       []*Route
}

type (
	DescribeRouteTablesRequest struct{ Filters []*Filter }
	CreateRoutesRequest        routes
	DeleteRoutesRequest        routes
	Response                   struct {
		Response *struct{ RouteTableSet []*RouteTable }
	}
)

func NewClientWithSecretId(_, _, _ string) (*Client, error) { return nil, errAbsent }
func NewDescribeRouteTablesRequest() *DescribeRouteTablesRequest {
	return &DescribeRouteTablesRequest{}
}
func NewCreateRoutesRequest() *CreateRoutesRequest { return &CreateRoutesRequest{} }
func NewDeleteRoutesRequest() *DeleteRoutesRequest { return &DeleteRoutesRequest{} }

func (*Client) DescribeRouteTables(*DescribeRouteTablesRequest) (*Response, error) {
	return nil, errAbsent
}
func (*Client) CreateRoutes(*CreateRoutesRequest) (*Response, error) { return nil, errAbsent }
func (*Client) DeleteRoutes(*DeleteRoutesRequest) (*Response, error) { return nil, errAbsent }
