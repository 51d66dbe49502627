// SPDX-License-Identifier: MIT

// image-push sends every image of a "docker save" tar to a registry, under its own name
// without the registry part: registry.k8s.io/pause:3.10 becomes ADDRESS/pause:3.10.
// kubeadm drops the folder of CoreDNS where it is told another registry, so that
// image gets both names.
//
// usage: image-push ADDRESS CA TAR
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: image-push ADDRESS CA TAR")
		os.Exit(2)
	}
	if err := push(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "image-push:", err)
		os.Exit(1)
	}
}

func push(address, ca, path string) error {
	trust, err := trusting(ca)
	if err != nil {
		return err
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	manifest, err := tarball.LoadManifest(open)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, entry := range manifest {
		for _, full := range entry.RepoTags {
			tag, err := name.NewTag(full)
			if err != nil {
				return err
			}
			image, err := tarball.Image(open, &tag)
			if err != nil {
				return fmt.Errorf("%s: %w", full, err)
			}
			for _, as := range names(full) {
				to, err := name.NewTag(address + "/" + as)
				if err != nil {
					return err
				}
				if err := remote.Write(to, image, remote.WithTransport(trust), remote.WithJobs(2)); err != nil {
					return fmt.Errorf("%s: %w", full, err)
				}
				fmt.Println(as)
			}
		}
	}
	return nil
}

// names returns what an image is called in the registry.
func names(full string) []string {
	if host, rest, found := strings.Cut(full, "/"); found && strings.ContainsAny(host, ".:") {
		full = rest
	}
	if base, found := strings.CutPrefix(full, "coredns/"); found {
		return []string{full, base}
	}
	return []string{full}
}

func trusting(ca string) (http.RoundTripper, error) {
	text, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s: no certificate", ca)
	}
	transport := remote.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	transport.Proxy = nil
	return transport, nil
}
