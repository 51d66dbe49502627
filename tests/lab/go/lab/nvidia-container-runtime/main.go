// SPDX-License-Identifier: MIT

// nvidia-container-runtime stands in for NVIDIA's OCI runtime: runc, with a mark
// left in each container it creates. The environment gets VPSML_LAB_RUNTIME=nvidia,
// and /run/vpsml-lab-runtime holds the GPUs that the container may see, by
// NVIDIA_VISIBLE_DEVICES (of the device plugin, the image or the pod), else "void".
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const mark = "/run/vpsml-lab-runtime"

func main() {
	err := run(os.Args)
	fmt.Fprintln(os.Stderr, "nvidia-container-runtime:", err)
	os.Exit(1)
}

// run returns only on failure: it ends as runc.
func run(args []string) error {
	if bundle, ok := created(args[1:]); ok {
		if err := leaveMark(bundle); err != nil {
			return err
		}
	}
	runc, err := exec.LookPath("runc")
	if err != nil {
		return err
	}
	return syscall.Exec(runc, append([]string{"runc"}, args[1:]...), os.Environ())
}

// created returns the bundle of a command line that creates a container.
func created(args []string) (string, bool) {
	if !slices.Contains(args, "create") && !slices.Contains(args, "run") {
		return "", false
	}
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case name != "--bundle" && name != "-bundle" && name != "-b":
		case joined:
			return value, true
		case i+1 < len(args):
			return args[i+1], true
		}
	}
	return ".", true
}

// leaveMark edits the bundle's config.json; what it does not know stays as it is.
func leaveMark(bundle string) error {
	path := filepath.Join(bundle, "config.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	spec := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&spec); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	process, ok := spec["process"].(map[string]any)
	if !ok {
		return fmt.Errorf("%s: no process", path)
	}
	env, _ := process["env"].([]any)
	devices := "void"
	for _, variable := range env {
		if value, found := strings.CutPrefix(fmt.Sprint(variable), "NVIDIA_VISIBLE_DEVICES="); found {
			devices = value
		}
	}
	source := filepath.Join(bundle, "vpsml-lab-runtime")
	if err := os.WriteFile(source, []byte(devices+"\n"), 0o644); err != nil {
		return err
	}
	process["env"] = append(env, "VPSML_LAB_RUNTIME=nvidia")
	mounts, _ := spec["mounts"].([]any)
	spec["mounts"] = append(mounts, map[string]any{
		"destination": mark, "type": "bind", "source": source, "options": []string{"bind", "ro"},
	})
	if text, err = json.Marshal(spec); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
