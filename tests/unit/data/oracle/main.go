// SPDX-License-Identifier: MIT

// Command oracle writes the tables beside this folder: what Kubernetes' own code makes of many
// quantities, names, images and "$" strings. The unit tests hold vpsml against them.
//
//	cd tests/unit/data/oracle && go run . ..
package main

import (
	_ "crypto/sha256"
	_ "crypto/sha512"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"path/filepath"
	"strings"

	"github.com/distribution/reference"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// table is one file of tab-separated columns; each row stands in it once.
type table struct {
	text strings.Builder
	seen map[string]bool
}

// cell writes s so that it has no blank, no control character and no backslash of its own.
func cell(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] > ' ' && s[i] < 0x7f && s[i] != '\\' && !(s[i] == '#' && i == 0) {
			out.WriteByte(s[i])
		} else {
			fmt.Fprintf(&out, "\\%02x", s[i])
		}
	}
	if out.Len() == 0 {
		return "\\"
	}
	return out.String()
}

func (t *table) row(cells ...string) {
	line := strings.Join(cells, "\t") + "\n"
	if t.seen[line] {
		return
	}
	t.seen[line] = true
	t.text.WriteString(line)
}

func save(name, columns string, fill func(*table)) {
	t := table{seen: map[string]bool{}}
	fmt.Fprintf(&t.text, "# made by oracle/main.go: %s\n", columns)
	fill(&t)
	if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(t.text.String()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func verdict(messages []string) string {
	if len(messages) == 0 {
		return "ok"
	}
	return "bad"
}

// quantity adds one row; negative ones, those over 2^63 - 1 and those without a digit vpsml refuses
// by its own rule.
func quantity(t *table, text string) {
	if number := strings.TrimLeft(text, "+-."); text != "" && (number == "" || strings.IndexAny(number, "0123456789") != 0) {
		return
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		t.row(cell(text), "bad")
		return
	}
	exact, ok := new(big.Rat).SetString(q.AsDec().String())
	limit := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 63))
	if !ok || q.Sign() < 0 || exact.Cmp(new(big.Rat).Sub(limit, big.NewRat(1, 1))) >= 0 {
		return
	}
	again := resource.MustParse(text)
	again.Add(resource.Quantity{}) // else it remembers how it was written
	milli := "large"
	if exact.Cmp(new(big.Rat).Quo(limit, big.NewRat(1001, 1))) < 0 {
		milli = fmt.Sprint(again.MilliValue())
	}
	canonical := again.String()
	again = resource.MustParse(text)
	t.row(cell(text), canonical, fmt.Sprint(again.Value()), milli)
}

func quantities(t *table) {
	for _, text := range []string{"1.5Gi", "1536Mi", "1.2Gi", "500m", "2e3", "2E3", "1k", "1G", "1Ki", ".5", "5.",
		"+5", "007", "100u", "1n", "1K", "8GB", "1g", "1e", "1e1.5", "0x10", "1_000", "1ki", "1 Gi", "", " 1", "1 ",
		"\uff11", "\u0661", "1E", "1Ei", "1e18", "9223372036854775806", "7Ei", "8191Pi", "9.2E", "0", "0.0", "0Gi", "0m",
		"0e3", "+0", "+", "-", ".", "+.", "..", "1..2", "1.2.3", "1+1", "++1", "+-1", "e3", "E", "Ki", "m", "i", "1i",
		"1mi", "1Mii", "1MM", "1MiB", "1B", "1b", "1T", "1t", "1P", "1p", "1KB", "1,5", "1,000", "1'000", "1e+3", "1e-3",
		"1E+03", "1e003", "1e-003", "1e0", "1e-0", "1e--3", "1e+-3", "1e3m", "1e3Gi", "1m3", "0.1m", "0.0001u", "0.1n",
		"0.5n", "1.0000000001", "0.000000001", "0.0000000001", "1.5Ki", "0.5Ki", "0.1Ki", "1023Ki", "1024Ki", "1025Ki",
		"1000k", "1024", "1000", "1000000", "100000000000.000000001", "12345678901.5", "1.5E", "1.25Pi", "3.3Ti",
		"0.3Gi", "1e9", "1e10", "1e11", "1e12", "123e5", "1.5e4", "1.5e1", "15e-1", "1e-9", "1e-10", "1e2", "10e1",
		"0.001e3", "000000000000000000000000001", "1.000000000000000000", "1.10000000000000000000000000",
		"0.00000000000000000000000001", "1.00000000010000000001", "999999999999999999", "1234567890123456789", "Infinity", "inf", "NaN", "nan",
		"1\n", "\t1", "1e1000000", "0e99", "1e-99", "½", "1½", "²"} {
		quantity(t, text)
	}
	random := rand.New(rand.NewSource(20))
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3",
		"E2", "e-3", "E-7", "e11", "K", "g", "mi", "GB"}
	for i := 0; i < 900; i++ {
		whole := fmt.Sprint(random.Intn([]int{10, 1025, 1 << 20, 1 << 40}[i%4]))
		if i%3 != 0 {
			whole += "." + fmt.Sprintf("%0*d", 1+random.Intn(6), random.Intn(100000))
		}
		quantity(t, whole+suffixes[random.Intn(len(suffixes))])
	}
}

func names(t *table) {
	long := strings.Repeat("a", 63)
	words := []string{"", "a", "A", "1", "-", ".", "_", "a-b", "a--b", "-a", "a-", "a.b", "a..b", ".a", "a.", "a_b",
		"_a", "a_", "A.b-C_d", "fit_a_line", "KS Test", "1gan", "é", "日本", "a b", " a", "a\n", "a/b", "/a", "a/", "a/b/c",
		"nvidia.com/gpu", "Nvidia.com/gpu", "nvidia..com/gpu", "-x.com/y", "x.com/-y", "x.com/Y_z.1", "a=b", "a:b",
		"true", "yes", "0755", "1e3", "=", "A=B", "FOO", "FOO_BAR", "1FOO", "FOO-BAR", "FOO.BAR", "FOO BAR", "F\tO",
		"F\x7fO", "F\x1fO", "~", "!", "export FOO", "$A", "a\"b", "..", "...", "..a", ".netrc", "tls.crt", "a@b", "*",
		"k8s.io", "kubernetes.io/os", strings.Repeat("b.", 127) + "b", strings.Repeat("b.", 126) + "b",
		strings.Repeat("c", 253), strings.Repeat("c", 254), long, long + "a", long + "/" + long, long + "a/x", "x/" + long,
		"x/" + long + "a", strings.Repeat("d.", 126) + "d/x", strings.Repeat("d.", 127) + "d/x", long + "." + long, "x-",
		"a\x00b", "-_-", "a-_.b", "0", "0-0", "Z", "zZ"}
	checks := []struct {
		kind string
		run  func(string) []string
	}{
		{"label", validation.IsDNS1123Label},
		{"subdomain", validation.IsDNS1123Subdomain},
		{"key", validation.IsQualifiedName},
		{"value", validation.IsValidLabelValue},
		{"env", validation.IsRelaxedEnvVarName},
		{"env-old", validation.IsEnvVarName},
		{"secret-key", validation.IsConfigMapKey},
	}
	for _, check := range checks {
		for _, word := range words {
			if !strings.Contains(word, "\x00") {
				t.row(check.kind, cell(word), verdict(check.run(word)))
			}
		}
	}
}

func images(t *table) {
	hex := strings.Repeat("0123456789abcdef", 4)
	for _, image := range []string{"", "a", "pytorch:2.0-gpu", "pytorch/pytorch:2.0.1-cuda11.7-cudnn8-runtime",
		"nvcr.io/nvidia/pytorch:23.10-py3", "localhost/a", "localhost:5000/a:b", "LOCALHOST/a", "Localhost:5000/a",
		"127.0.0.1:5000/a/b/c:d", "[::1]:5000/a", "[::1]/a", "[fe80::1%eth0]/a", "[g::]/a", "::1/a", "a:5000/b",
		"a:b/c", "a:/b", "host:99999999/a", "A", "A/b", "A/B", "A.com/b", "a/B", "foo/Bar:1", "a:", "a:b:c", "a:-b",
		"a:.b", "a:_b", "a:b c", "a b", " a", "a ", "a\n", "a/", "/a", "a//b", "//a", "a.", ".a", "a..b", "a.b", "a-b",
		"a--b", "a---b", "a_b", "a__b", "a___b", "a._b", "a-.b", "a_-b", "a.-b", "-a", "a-", "_a", "a_", "a/_b", "a/b_",
		"a@sha256:" + hex, "a:b@sha256:" + hex, "a@sha256:" + hex[:63], "a@sha256:" + hex + "0",
		"a@sha256:" + strings.ToUpper(hex), "a@sha512:" + hex + hex, "a@sha512:" + hex, "a@sha384:" + hex + hex[:32],
		"a@md5:" + hex[:32], "a@sha256", "a@", "@sha256:" + hex, "a@sha256:" + hex + "@sha256:" + hex, "a@b@c",
		"a@sha256+b:" + hex, "a:b@", hex, hex + ":a", "x/" + hex, "docker.io/" + hex, hex[:63], "a:" + strings.Repeat("t", 128),
		"a:" + strings.Repeat("t", 129), strings.Repeat("n", 255), strings.Repeat("n", 248), strings.Repeat("n", 247),
		strings.Repeat("n", 246), "x/" + strings.Repeat("n", 253), "x/" + strings.Repeat("n", 254),
		"example.com/" + strings.Repeat("n", 255), "example.com/" + strings.Repeat("n", 243), "example.com/" + strings.Repeat("n", 256),
		"xn--n3h.com/a", "\u2603.com/a", "é", "a:é", "http://a/b", "https://a.com/b", "docker://a", "index.docker.io/a",
		"docker.io/a", "docker.io/library/a", "a-.com/b", "-a.com/b", "a_b.com/c", "a..com/b", "a.com:/b", "a.com:0/b",
		"a.com:x/b", "a.com./b", ".com/b", "a.com:1:2/b", "quay.io/a/b@sha256:" + hex, "gcr.io/a/b:1@sha256:" + hex,
		"a:$TAG", "${IMAGE}", "a:latest ", "a\tb", "a:b/c:d", "a/b:c/d", "a.b/c", "a:1/b:2", "a/b@sha256:" + hex + "/c",
		"a_b/c", "a.b_c/d", "[::1]5000/a", "[::1", "a[b]/c", "a.b-/c", "a.B/c", "a:1", "a:1.", "a:A_b.C-d", "1", "1/2",
		"0.0.0.0/a", "a-b-c/d.e.f/g_h", "nvidia/cuda:12.2.0-base-ubuntu22.04"} {
		_, err := reference.ParseNormalizedNamed(image)
		if err != nil {
			t.row(cell(image), "bad")
		} else {
			t.row(cell(image), "ok")
		}
	}
}

// verbatim doubles each "$" that kubelet would act upon; the row is written only if kubelet's own
// code makes the text of it again, whatever variables there are.
func verbatim(t *table, text string) {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '$' && i+1 < len(text) && (text[i+1] == '$' || text[i+1] == '(') {
			out.WriteByte('$')
		}
		out.WriteByte(text[i])
	}
	known := expansion.MappingFuncFor(map[string]string{"": "EMPTY", "A": "VALUE", "HOME": "/root", "(A": "ODD"})
	for _, mapping := range []func(string) string{known, expansion.MappingFuncFor()} {
		if got := expansion.Expand(out.String(), mapping); got != text {
			fmt.Fprintf(os.Stderr, "%q is written %q and read %q\n", text, out.String(), got)
			os.Exit(1)
		}
	}
	t.row(cell(text), cell(out.String()))
}

func dollars(t *table) {
	texts := []string{""}
	for from, length := 0, 0; length < 5; length++ {
		to := len(texts)
		for ; from < to; from++ {
			for _, c := range "$()A" {
				texts = append(texts, texts[from]+string(c))
			}
		}
	}
	texts = append(texts, "echo $$ $(date) $HOME", "$(HOME)/data", "$((A + 1))", "$\xc3\xa9", "$\xf0\x9f\x9a\x80$$(A)",
		"\xff$(A)", "$\n$(A)", "a$$$$$$$$$$(A)", "$(A", "$( A )", "${A}", "'$(A)'", "\\$(A)", "$$$(A)$$$")
	for _, text := range texts {
		verbatim(t, text)
	}
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: oracle FOLDER")
		os.Exit(2)
	}
	save("quantities.tsv", "quantity, canonical form, rounded up, thousandths rounded up", quantities)
	save("names.tsv", "kind, name, verdict", names)
	save("images.tsv", "image, verdict", images)
	save("dollars.tsv", "text, as it must be written for kubelet", dollars)
}
