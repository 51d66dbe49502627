// SPDX-License-Identifier: MIT
// Real sshd instances for the tests: each in a folder of its own with its own keys, users and
// configuration, on 127.0.0.x, in its own mount namespace. Needs root.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct server {
	char folder[64];
	char address[32];
	uint16_t port;
	pid_t pid;
};

struct server_options {
	const char *config;         // more lines for sshd_config
	const char *host_key_types; // ed25519, ecdsa, rsa with blanks between them; NULL: ed25519
	const char *user_key;       // "-t ed25519", …: for ssh-keygen; NULL: that
	const char *shell;          // of the user "ops"; NULL: /bin/sh
	const char *bashrc;         // content of ops' .bashrc and root's; NULL: none
	const char *sudoers;        // content of /etc/sudoers; NULL: none
	const char *hosts;          // content of /etc/hosts; NULL: the machine's
	const char *address;        // NULL: 127.0.0.1
};

// Skips the test where it cannot run (not root, no sshd); fails it where it should.
// The users are root and ops, whose password is "right horse". Both take FOLDER/id.
void server_start(struct server *server, const struct server_options *options);
void server_stop(struct server *server);

// Starts sshd again in the same folder and on the same port.
void server_restart(struct server *server);

// Runs a shell command; returns its status.
int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A port that nobody listens on.
uint16_t free_port(const char *address);
