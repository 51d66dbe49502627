// SPDX-License-Identifier: MIT

// device-plugin advertises the GPUs of /etc/lab-gpu/conf to kubelet, so that a node's
// allocatable is real and kubelet accounts for each device. A GPU that is "sick" or
// "lost" there turns Unhealthy; with plugin=off, or count=0, the plugin withdraws. It
// registers again when kubelet has restarted.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

	"vpsml.test/lab/internal/gpu"
)

type plugin struct {
	api.UnimplementedDevicePluginServer
	resource, dir string
	server        *grpc.Server // nil while withdrawn
	kubelet       os.FileInfo  // the socket that we registered with

	mu      sync.Mutex
	health  map[string]string // by UUID
	changed chan struct{}     // closed when health has changed
}

func main() {
	log.SetFlags(0)
	conf := flag.String("conf", "/etc/lab-gpu/conf", "description of the host's GPUs")
	resource := flag.String("resource", "nvidia.com/gpu", "name of the resource")
	dir := flag.String("dir", api.DevicePluginPath, "kubelet's folder for plugins")
	flag.Parse()
	p := &plugin{resource: *resource, dir: *dir, changed: make(chan struct{})}
	for ; ; time.Sleep(time.Second) {
		if err := p.tick(*conf); err != nil {
			log.Print(err)
			p.withdraw()
		}
	}
}

// tick brings kubelet's view in line with the configuration.
func (p *plugin) tick(path string) error {
	conf, err := gpu.Read(path)
	if err != nil {
		return err
	}
	p.update(conf)
	if conf.Count() == 0 || conf["plugin"] == "off" {
		p.withdraw()
		return nil
	}
	kubelet, err := os.Stat(p.path("kubelet.sock"))
	if err != nil {
		return err
	}
	// a kubelet that starts empties the folder and listens anew
	_, err = os.Stat(p.path("lab-gpu.sock"))
	if p.server != nil && err == nil && os.SameFile(kubelet, p.kubelet) {
		return nil
	}
	p.withdraw()
	if err := p.serve(); err != nil {
		return err
	}
	p.kubelet = kubelet
	return p.register()
}

func (p *plugin) path(name string) string { return filepath.Join(p.dir, name) }

// update notes which devices there are, and wakes the streams if that has changed.
func (p *plugin) update(conf gpu.Conf) {
	health := map[string]string{}
	for i := range conf.Count() {
		health[conf.Item("uuid", i)] = api.Healthy
		if conf.Lists("sick", i) || conf.Lists("lost", i) {
			health[conf.Item("uuid", i)] = api.Unhealthy
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !reflect.DeepEqual(p.health, health) {
		p.health = health
		close(p.changed)
		p.changed = make(chan struct{})
	}
}

func (p *plugin) withdraw() {
	if p.server != nil {
		p.server.Stop()
		p.server = nil
		log.Print("withdrawn")
	}
}

func (p *plugin) serve() error {
	if err := os.Remove(p.path("lab-gpu.sock")); err != nil && !os.IsNotExist(err) {
		return err
	}
	listener, err := net.Listen("unix", p.path("lab-gpu.sock"))
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, p)
	p.server = server
	go server.Serve(listener)
	return nil
}

func (p *plugin) register() error {
	client, err := grpc.NewClient("unix://"+p.path("kubelet.sock"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, err = api.NewRegistrationClient(client).Register(ctx, &api.RegisterRequest{
		Version: api.Version, Endpoint: "lab-gpu.sock", ResourceName: p.resource,
	})
	if err == nil {
		log.Printf("registered %s: %d", p.resource, len(p.health))
	}
	return err
}

func (p *plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (p *plugin) ListAndWatch(_ *api.Empty, stream grpc.ServerStreamingServer[api.ListAndWatchResponse]) error {
	for {
		p.mu.Lock()
		list := &api.ListAndWatchResponse{}
		for id, health := range p.health {
			list.Devices = append(list.Devices, &api.Device{ID: id, Health: health})
		}
		changed := p.changed
		p.mu.Unlock()
		if err := stream.Send(list); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-stream.Context().Done():
			return nil
		}
	}
}

// Allocate names the devices to the container, as NVIDIA's plugin does.
func (p *plugin) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	answer := &api.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		for _, id := range container.DevicesIds {
			p.mu.Lock()
			_, known := p.health[id]
			p.mu.Unlock()
			if !known {
				return nil, fmt.Errorf("no such device: %s", id)
			}
		}
		answer.ContainerResponses = append(answer.ContainerResponses, &api.ContainerAllocateResponse{
			Envs: map[string]string{"NVIDIA_VISIBLE_DEVICES": strings.Join(container.DevicesIds, ",")},
		})
	}
	return answer, nil
}
