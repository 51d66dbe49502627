# SPDX-License-Identifier: MIT
# One sample of the stand-in for nvidia-smi: reads the host's GPU configuration,
# prints what $mode asks for. Exit status as the real tool's: 2 unknown field,
# 6 no such device, 15 a GPU is lost.

/^[a-z_]+=/ {
	key = substr($0, 1, index($0, "=") - 1)
	text = substr($0, index($0, "=") + 1)
	gsub(/"/, "", text)
	conf[key] = text
}

# item(KEY, I) - the value for one GPU: the list's entry, else its last
function item(key, i,    list, n) {
	n = split(conf[key], list, " ")
	return n == 0 ? "" : list[i < n ? i + 1 : n]
}

# has(LIST, WORD) - is it one of these words?
function has(list, word) {
	return index(" " list " ", " " word " ") > 0
}

# field(NAME, KEY, UNIT, WORDS) - what can be asked for
function field(name, key, unit, words) {
	known[++knowns] = name
	key_of[name] = key
	unit_of[name] = unit
	words_of[name] = words
}

function learn() {
	field("timestamp", "", "", "When the query was made.")
	field("driver_version", "driver", "", "Version of the installed driver.")
	field("count", "count", "", "How many GPUs the system has.")
	field("name", "model", "", "Product name.")
	alias["gpu_name"] = "name"
	field("index", "", "", "Zero based index, may change at each boot.")
	field("uuid", "uuid", "", "Globally unique identifier of the board.")
	alias["gpu_uuid"] = "uuid"
	field("pci.bus_id", "bus", "", "PCI bus id as domain:bus:device.function, in hex.")
	alias["gpu_bus_id"] = "pci.bus_id"
	field("persistence_mode", "persistence", "", "Whether the driver stays loaded without clients.")
	field("mig.mode.current", "mig", "", "Whether the GPU is split into instances.")
	field("compute_mode", "compute_mode", "", "Who may open a compute context.")
	field("pstate", "pstate", "", "Performance state, P0 to P12.")
	field("fan.speed", "fan", "%", "Intended speed of the fan.")
	field("utilization.gpu", "util", "%", "Share of the last sample period in which a kernel ran.")
	field("utilization.memory", "memory_util", "%", "Share of the last sample period in which memory was read or written.")
	field("memory.total", "memory", "MiB", "Installed memory.")
	field("memory.reserved", "reserved", "MiB", "Memory kept by driver and firmware.")
	field("memory.used", "used", "MiB", "Memory allocated by active contexts.")
	field("memory.free", "", "MiB", "Memory still free.")
	field("temperature.gpu", "temp", "", "Core temperature in degrees C.")
	field("temperature.memory", "memory_temp", "", "Memory temperature in degrees C.")
	field("power.draw", "power", "W", "Last measured draw of the board.")
	field("power.limit", "power_limit", "W", "Limit that software set.")
	field("clocks.current.sm", "sm_clock", "MHz", "Present SM clock.")
	alias["clocks.sm"] = "clocks.current.sm"
	field("clocks.current.memory", "memory_clock", "MHz", "Present memory clock.")
	alias["clocks.mem"] = "clocks.current.memory"
	field("clocks_event_reasons.active", "throttle", "", "Bit mask of what lowers the clocks.")
	field("clocks_throttle_reasons.active", "throttle", "", "Older name of clocks_event_reasons.active.")
	field("ecc.errors.uncorrected.volatile.total", "ecc", "", "Uncorrected errors since the driver was loaded.")
	field("ecc.errors.corrected.volatile.total", "ecc_corrected", "", "Corrected errors since the driver was loaded.")
	field("serial", "serial", "", "Serial number on the board.")
	field("vbios_version", "vbios", "", "Version of the board's firmware.")
	field("compute_cap", "compute_cap", "", "CUDA compute capability.")
}

# cell(NAME, I) - the configuration's "cells" win: FIELD=TEXT or FIELD@GPU=TEXT, split by ";"
function cell(name, i,    n, list, k, at, who) {
	n = split(conf["cells"], list, ";")
	for (k = 1; k <= n; k++) {
		at = index(list[k], "=")
		who = substr(list[k], 1, at - 1)
		sub(/^ +/, "", who)
		if (who == name || who == name "@" i)
			return substr(list[k], at + 1)
	}
	if (name == "timestamp")
		return now
	if (name == "index")
		return i
	if (name == "name")
		return conf["model"]
	if (name == "memory.free")
		return with_unit(item("memory", i) - item("reserved", i) - item("used", i), "MiB")
	at = item(key_of[name], i)
	return at == "" ? "[N/A]" : with_unit(at, unit_of[name])
}

function with_unit(text, unit) {
	return unit == "" || format ~ /nounits/ || text ~ /^\[/ ? text : text " " unit
}

# lost(I) - a GPU that fell off the bus: what the driver says instead of its row
function lost(i,    bus, words) {
	if (!has(conf["lost"], i))
		return 0
	bus = item("bus", i)
	sub(/^0000/, "", bus)
	words = conf["lost_words"] == "" ? "Unknown Error" : conf["lost_words"]
	printf "Unable to determine the device handle for GPU%s%s: %s\n", conf["driver"] + 0 < 535 ? " " : i ": ", bus, words
	return 1
}

# chosen(I) - does -i name it, by index, UUID or bus?
function chosen(i,    n, list, k) {
	n = split(ids, list, ",")
	for (k = 1; k <= n; k++)
		if (list[k] == i "" || list[k] == item("uuid", i) || list[k] == item("bus", i))
			return 1
	return n == 0
}

function help(    k, other) {
	print "List of valid properties to query for the switch \"--query-gpu\":\n"
	for (k = 1; k <= knowns; k++) {
		if (has(conf["unknown"], known[k]))
			continue
		printf "\"%s\"", known[k]
		for (other in alias)
			if (alias[other] == known[k])
				printf " or \"%s\"", other
		printf "\n%s\n\n", words_of[known[k]]
	}
}

function query(    n, names, k, i, line) {
	n = split(fields, names, ",")
	for (k = 1; k <= n; k++) {
		gsub(/ /, "", names[k])
		line = line (k > 1 ? ", " : "") names[k]
		if (names[k] in alias)
			names[k] = alias[names[k]]
		if (!(names[k] in key_of) || has(conf["unknown"], names[k])) {
			printf "Field \"%s\" is not a valid field to query.\n\n", names[k]
			exit 2
		}
		if (unit_of[names[k]] != "")
			line = line " [" unit_of[names[k]] "]"
	}
	for (i = 0; i < conf["count"]; i++)
		if (chosen(i) && lost(i))
			code = 15
	if (header && format !~ /noheader/)
		print line
	for (i = 0; i < conf["count"]; i++) {
		if (!chosen(i) || has(conf["lost"], i))
			continue
		line = ""
		for (k = 1; k <= n; k++)
			line = line (k > 1 ? ", " : "") cell(names[k], i)
		print line
	}
}

function list(    i) {
	for (i = 0; i < conf["count"]; i++) {
		if (!chosen(i))
			continue
		if (lost(i))
			code = 15
		else
			printf "GPU %d: %s (UUID: %s)\n", i, conf["model"], item("uuid", i)
	}
}

function rule(    k) {
	printf "+"
	for (k = 0; k < 89; k++)
		printf "-"
	print "+"
}

function columns(c,    row) {
	row = sprintf("%41s+%24s+%22s", "", "", "")
	gsub(/ /, c, row)
	return row
}

function table(    i, ecc, row) {
	for (i = 0; i < conf["count"]; i++)
		if (chosen(i) && lost(i))
			code = 15
	print today
	rule()
	printf "| NVIDIA-SMI %-22s Driver Version: %-14s CUDA Version: %-8s |\n", conf["driver"], conf["driver"], conf["cuda"]
	print "|" columns("-") "+"
	print "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |"
	print "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |"
	print "|                                         |                        |               MIG M. |"
	print "|" columns("=") "|"
	for (i = 0; i < conf["count"]; i++) {
		if (!chosen(i) || has(conf["lost"], i))
			continue
		ecc = item("ecc", i)
		printf "| %3d  %-24.24s %8s  | %18s Off | %20s |\n", i, conf["model"], item("persistence", i) == "Enabled" ? "On" : "Off", \
			item("bus", i), ecc == "" ? "N/A" : ecc
		printf "| %3s  %3sC  %4s  %13.0fW / %4.0fW | %7dMiB / %6dMiB | %6s%% %12s |\n", "N/A", item("temp", i), item("pstate", i), \
			item("power", i), item("power_limit", i), item("used", i), item("memory", i), item("util", i), item("compute_mode", i)
		printf "| %39s | %22s | %20s |\n", "", "", item("mig", i) == "" ? "N/A" : item("mig", i)
		print "+" columns("-") "+"
	}
	printf "%89s\n", ""
	rule()
	print "| Processes:                                                                              |"
	print "|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |"
	print "|        ID   ID                                                               Usage      |"
	row = sprintf("%89s", "")
	gsub(/ /, "=", row)
	print "|" row "|"
	print "|  No running processes found                                                             |"
	rule()
}

END {
	code = 0
	learn()
	if (mode == "help") {
		help()
		exit 0
	}
	if (conf["count"] + 0 == 0) {
		print "No devices were found"
		exit 6
	}
	if (mode == "query")
		query()
	else if (mode == "list")
		list()
	else if (mode == "table")
		table()
	else if (header && format !~ /noheader/)
		print fields
	exit code
}
