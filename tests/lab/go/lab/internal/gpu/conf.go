// SPDX-License-Identifier: MIT

// Package gpu reads the description of a lab host's GPUs (tests/lab/gpu/conf).
package gpu

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// Conf maps keys to values; of two lines with one key the last counts.
type Conf map[string]string

// Read returns an empty Conf where there is no file: a host without GPUs.
func Read(path string) (Conf, error) {
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	c := Conf{}
	for line := range strings.Lines(string(text)) {
		key, value, found := strings.Cut(strings.TrimSpace(line), "=")
		if found && !strings.HasPrefix(key, "#") {
			c[key] = strings.ReplaceAll(value, `"`, "")
		}
	}
	return c, nil
}

// Count is the number of GPUs that the host was given.
func (c Conf) Count() int {
	n, _ := strconv.Atoi(c["count"])
	return n
}

// Item is one GPU's value of a key: the list's word, else its last; else "".
func (c Conf) Item(key string, gpu int) string {
	words := strings.Fields(c[key])
	if len(words) == 0 {
		return ""
	}
	return words[min(gpu, len(words)-1)]
}

// Lists tells whether a key names this GPU.
func (c Conf) Lists(key string, gpu int) bool {
	return slices.Contains(strings.Fields(c[key]), strconv.Itoa(gpu))
}
