// SPDX-License-Identifier: MIT

// Package common stands in for the Tencent Cloud SDK, which the lab cannot fetch: flannel links its tencent-vpc
// backend in, and the lab never selects it.
package common

func StringPtr(v string) *string { return &v }

func StringPtrs(v []string) []*string {
	p := make([]*string, len(v))
	for i := range v {
		p[i] = &v[i]
	}
	return p
}

func BoolPtr(v bool) *bool { return &v }
