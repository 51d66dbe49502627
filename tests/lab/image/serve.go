// SPDX-License-Identifier: MIT

// serve offers /srv over HTTP on port 80.
package main

import (
	"log"
	"net/http"
)

func main() {
	log.Fatal(http.ListenAndServe(":80", http.FileServer(http.Dir("/srv"))))
}
