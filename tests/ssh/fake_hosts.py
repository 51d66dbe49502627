# SPDX-License-Identifier: MIT
"""Hosts that are what a file says: one real sshd on 127.0.2.x, whose every command goes through a
filter. The script that asks for facts is answered from FOLDER/facts-ADDRESS; what else is run is
written to FOLDER/commands, and fails."""

import os

from command import Host

# Standard input comes only once the command has begun.
FILTER = """#!/bin/sh
address=$(echo "$SSH_CONNECTION" | cut -d' ' -f3)
input=$(mktemp)
change() {{
	cat >"$input"
	if grep -q '^	echo facts_end=1$' "$input"; then
		[ ! -e {folder}/hang-$address ] || sleep 600
		echo "cat {folder}/facts-$address; echo clock=$(date +%s); echo facts_end=1"
	else
		printf '%s\\n' "$address: $SSH_ORIGINAL_COMMAND" >>{folder}/commands
		echo 'exit 70'
	fi
	rm -f "$input"
}}
change | /bin/sh -c "$SSH_ORIGINAL_COMMAND"
"""

# Debian 12 with nothing on it.
BARE = """facts=1
root=1
os_id=debian
os_version=12
os_codename=bookworm
os_name=Debian GNU/Linux 12 (bookworm)
kernel=6.1.0-28-amd64
machine=x86_64
host_name=%(name)s
machine_id=%(name)s0000
product_uuid=%(name)s-0000
cpus=4
memory_kib=8126464
disk_free_kib=40000000
cgroup=cgroup2fs
interface=eth0 02:00:00:00:00:%(number)02x
address=eth0 %(address)s/24
route=default eth0
route=127.0.2.0/24 eth0
ssh_address=%(address)s
own_name=1
ip_forward=0
overlay=1
command=apt-get
command=systemctl
"""


class FakeHosts(Host):
    def __init__(self, folder):
        super().__init__(folder)
        self.stop()
        with open(folder + "/filter", "w", encoding="utf-8") as file:
            file.write(FILTER.format(folder=folder))
        os.chmod(folder + "/filter", 0o755)
        with open(folder + "/config", "a", encoding="utf-8") as file:
            file.write("ForceCommand %s/filter\nMaxStartups 200\n" % folder)
        self.start()

    def add(self, number, name, extra="", without=()):
        """The facts of host NUMBER, 127.0.2.NUMBER: a bare one, with lines EXTRA and WITHOUT others."""
        address = "127.0.2.%d" % number
        lines = (BARE % {"name": name, "number": number, "address": address}).splitlines()
        kept = [line for line in lines if line.split("=")[0] not in without]
        with open("%s/facts-%s" % (self.folder, address), "w", encoding="utf-8") as file:
            file.write("\n".join(kept) + "\n" + extra)
        return address
