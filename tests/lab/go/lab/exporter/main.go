// SPDX-License-Identifier: MIT

// exporter answers as dcgm-exporter does, at :9400/metrics: the values of
// /etc/lab-gpu/conf, read for every answer, and the pod that kubelet gave each GPU to.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"

	"vpsml.test/lab/internal/gpu"
)

// metric is one block of the page. Its value is a key's of the configuration; one that
// is no number (empty, [N/A]) leaves the line out.
type metric struct {
	name, kind, help, format string
	value                    func(conf gpu.Conf, i int) string
}

func key(name string) func(gpu.Conf, int) string {
	return func(conf gpu.Conf, i int) string { return conf.Item(name, i) }
}

var metrics = []metric{
	{"DCGM_FI_DEV_SM_CLOCK", "gauge", "SM clock frequency (in MHz).", "%.0f", key("sm_clock")},
	{"DCGM_FI_DEV_MEM_CLOCK", "gauge", "Memory clock frequency (in MHz).", "%.0f", key("memory_clock")},
	{"DCGM_FI_DEV_MEMORY_TEMP", "gauge", "Memory temperature (in C).", "%.0f", key("memory_temp")},
	{"DCGM_FI_DEV_GPU_TEMP", "gauge", "GPU temperature (in C).", "%.0f", key("temp")},
	{"DCGM_FI_DEV_POWER_USAGE", "gauge", "Power draw (in W).", "%f", key("power")},
	{"DCGM_FI_DEV_GPU_UTIL", "gauge", "GPU utilization (in %).", "%.0f", key("util")},
	{"DCGM_FI_DEV_MEM_COPY_UTIL", "gauge", "Memory utilization (in %).", "%.0f", key("memory_util")},
	{"DCGM_FI_DEV_XID_ERRORS", "gauge", "Value of the last XID error encountered.", "%.0f", key("xid")},
	{"DCGM_FI_DEV_FB_FREE", "gauge", "Framebuffer memory free (in MiB).", "%.0f", free},
	{"DCGM_FI_DEV_FB_USED", "gauge", "Framebuffer memory used (in MiB).", "%.0f", key("used")},
	{"DCGM_FI_DEV_FB_RESERVED", "gauge", "Framebuffer memory reserved (in MiB).", "%.0f", key("reserved")},
	{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gauge", "Ratio of time the graphics engine is active.", "%f", active},
}

func free(conf gpu.Conf, i int) string {
	total, err := strconv.Atoi(conf.Item("memory", i))
	if err != nil {
		return ""
	}
	for _, name := range []string{"used", "reserved"} {
		n, _ := strconv.Atoi(conf.Item(name, i))
		total -= n
	}
	return strconv.Itoa(total)
}

// active is the conf's own value, or what the utilization says.
func active(conf gpu.Conf, i int) string {
	if value := conf.Item("active", i); value != "" {
		return value
	}
	util, err := strconv.ParseFloat(conf.Item("util", i), 64)
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(util/100, 'f', 6, 64)
}

func main() {
	log.SetFlags(0)
	listen := flag.String("listen", ":9400", "address to answer at")
	conf := flag.String("conf", "/etc/lab-gpu/conf", "description of the host's GPUs")
	socket := flag.String("socket", "/var/lib/kubelet/pod-resources/kubelet.sock", "kubelet's list of who has which device")
	flag.Parse()
	http.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "OK") })
	http.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		c, err := gpu.Read(*conf)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		owners, err := owners(r.Context(), *socket)
		if err != nil {
			log.Print(err) // as the real one does: the page comes without pods
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		page(w, c, hostname(), owners)
	})
	log.Fatal(http.ListenAndServe(*listen, nil))
}

func hostname() string {
	if node := os.Getenv("NODE_NAME"); node != "" {
		return node
	}
	name, _ := os.Hostname()
	return name
}

// owners returns, by device, the labels that name its container.
func owners(ctx context.Context, socket string) (map[string]string, error) {
	client, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	list, err := api.NewPodResourcesListerClient(client).List(ctx, &api.ListPodResourcesRequest{})
	if err != nil {
		return nil, err
	}
	owner := map[string]string{}
	for _, pod := range list.PodResources {
		for _, container := range pod.Containers {
			for _, devices := range container.Devices {
				for _, id := range devices.DeviceIds {
					owner[id] = fmt.Sprintf(",container=%q,namespace=%q,pod=%q", container.Name, pod.Namespace, pod.Name)
				}
			}
		}
	}
	return owner, nil
}

func page(w io.Writer, conf gpu.Conf, host string, owners map[string]string) {
	for _, m := range metrics {
		head := false
		for i := range conf.Count() {
			value, err := strconv.ParseFloat(m.value(conf, i), 64)
			if err != nil || conf.Lists("lost", i) || conf["fault"] != "" {
				continue
			}
			if !head {
				fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name, m.kind)
				head = true
			}
			uuid := conf.Item("uuid", i)
			fmt.Fprintf(w, "%s{gpu=\"%d\",UUID=%q,pci_bus_id=%q,device=\"nvidia%d\",modelName=%q,Hostname=%q", m.name, i, uuid,
				conf.Item("bus", i), i, conf["model"], host)
			if m.name == "DCGM_FI_DEV_XID_ERRORS" {
				fmt.Fprintf(w, ",err_code=\"%.0f\",err_msg=%q", value, xidText(value))
			}
			fmt.Fprintf(w, ",DCGM_FI_DRIVER_VERSION=%q%s} "+m.format+"\n", conf["driver"], owners[uuid], value)
		}
	}
	if raw := conf["raw"]; raw != "" {
		fmt.Fprintln(w, strings.ReplaceAll(raw, `\n`, "\n"))
	}
}

func xidText(code float64) string {
	switch code {
	case 0:
		return "No Error"
	case 31:
		return "GPU memory page fault"
	case 79:
		return "GPU has fallen off the bus"
	}
	return "Unknown Error"
}
