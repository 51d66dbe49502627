// SPDX-License-Identifier: MIT
#include "boot/api.h"

#include "base/mem.h"
#include "boot/tunnel.h"

struct boot_api {
	struct boot_tunnel *tunnel;
	struct kube_access access;
	bool has_access;
	struct http *http;
	struct kube_client *client;
};

static bool open_all(struct boot_api *api, struct loop *loop, const char *admin_conf, uint16_t port,
                     const struct clock *clock, xdg_getenv_fn *getenv_fn, struct err *err)
{
	_cleanup_strbuf_ struct strbuf url = STRBUF_INIT(64);
	_cleanup_faults_ struct faults faults = FAULTS_INIT;
	struct kube_access_options options = {
		.text = admin_conf,
		.tls_server_name = "kubernetes.default.svc", // kubeadm puts it into every certificate
		.getenv_fn = getenv_fn,
		.clock = clock,
	};
	struct http_options http = {.clock = clock};
	struct kube_client_options client = {.loop = loop};

	strbuf_addf(&url, "https://127.0.0.1:%u", (unsigned)port);
	options.server = strbuf_get(&url);
	api->has_access = kube_access_open(&api->access, &options, &faults, err);
	api->http = api->has_access ? http_new(&http, err) : NULL;
	if (!api->http)
		return false;
	client.access = &api->access;
	client.http = api->http;
	api->client = kube_client_new(&client, err);
	return api->client;
}

struct boot_api *boot_api_open(struct loop *loop, struct ssh_link *link, const char *host,
                               uint16_t port, const char *admin_conf, const struct clock *clock,
                               xdg_getenv_fn *getenv_fn, struct err *err)
{
	_cleanup_boot_api_ struct boot_api *api = mem_alloc(sizeof(*api));
	uint16_t local;

	if (!api) {
		err_memory(err);
		return NULL;
	}
	api->tunnel = boot_tunnel_open(loop, link, host, port, &local, err);
	if (!api->tunnel || !open_all(api, loop, admin_conf, local, clock, getenv_fn, err))
		return NULL;
	return TAKE(api);
}

struct kube_client *boot_api_client(const struct boot_api *api)
{
	return api->client;
}

void boot_api_close(struct boot_api *api)
{
	if (!api)
		return;
	kube_client_free(api->client);
	http_free(api->http);
	if (api->has_access)
		kube_access_release(&api->access);
	boot_tunnel_close(api->tunnel);
	mem_free(api);
}

void boot_api_closep(struct boot_api **api)
{
	boot_api_close(*api);
}
