// SPDX-License-Identifier: MIT
#include "mon/gpu_page.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"

#define MIB (1024.0 * 1024.0)
#define VALUE(which) (offsetof(struct mon_gpu_row, values) + (which) * sizeof(struct mon_reading))

// A metric, the reading that it fills, what makes the model's unit of it, and what cannot be.
struct metric {
	const char *name;
	size_t offset;
	double factor, max;
};

static const struct metric metrics[] = {
	{"DCGM_FI_DEV_GPU_UTIL", VALUE(MON_GPU_UTIL_PCT), 1, 100},
	{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", offsetof(struct mon_gpu_row, active_pct), 100, 100},
	{"DCGM_FI_DEV_FB_USED", VALUE(MON_GPU_VRAM_USED_BYTES), MIB, 1e16},
	{"DCGM_FI_DEV_FB_FREE", offsetof(struct mon_gpu_row, free_bytes), MIB, 1e16},
	{"DCGM_FI_DEV_FB_RESERVED", VALUE(MON_GPU_VRAM_RESERVED_BYTES), MIB, 1e16},
	{"DCGM_FI_DEV_FB_TOTAL", VALUE(MON_GPU_VRAM_TOTAL_BYTES), MIB, 1e16},
	{"DCGM_FI_DEV_POWER_USAGE", VALUE(MON_GPU_POWER_W), 1, 1e5},
	{"DCGM_FI_DEV_POWER_MGMT_LIMIT", VALUE(MON_GPU_POWER_LIMIT_W), 1, 1e5},
	{"DCGM_FI_DEV_GPU_TEMP", VALUE(MON_GPU_TEMPERATURE_C), 1, 200},
	{"DCGM_FI_DEV_SM_CLOCK", VALUE(MON_GPU_SM_CLOCK_MHZ), 1, 1e5},
	{"DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", VALUE(MON_GPU_ECC), 1, 1e9},
	{"DCGM_FI_DEV_XID_ERRORS", VALUE(MON_GPU_XID), 1, 1e6},
};

static const struct metric *find_metric(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(metrics); i++)
		if (!strcmp(metrics[i].name, name))
			return &metrics[i];
	return NULL;
}

// The label's value under either name; empty is none.
static const char *label(const struct mon_prom_sample *sample, const char *name, const char *other)
{
	const char *value = mon_prom_label_of(sample, name);

	if (!value && other)
		value = mon_prom_label_of(sample, other);
	return value && *value ? value : NULL;
}

static int64_t number(const char *text)
{
	_cleanup_err_ struct err ignored = ERR_INIT;
	int64_t value;

	return text && parse_i64(text, 0, 1000000, &value, &ignored) ? value : -1;
}

static bool is_row(const struct mon_gpu_row *row, const char *uuid, int64_t index, int64_t instance)
{
	if (row->instance != instance)
		return false;
	return uuid && row->uuid ? !strcmp(uuid, row->uuid) : row->index == index;
}

static bool set(char **field, const char *text, struct err *err)
{
	if (*field || !text)
		return true;
	*field = mem_dup(text);
	return *field || err_memory(err);
}

// The row that the sample is about; NULL with *err set on memory, NULL alone where it is about none.
static struct mon_gpu_row *row_of(struct mon_gpu_page *page, const struct mon_prom_sample *sample,
                                  struct err *err)
{
	const char *uuid = label(sample, "UUID", "uuid");
	int64_t index = number(label(sample, "gpu", NULL));
	int64_t instance = number(label(sample, "GPU_I_ID", NULL));
	struct mon_gpu_row row = {.index = index, .instance = instance};

	if (!uuid && index < 0)
		return NULL;
	for (size_t i = 0; i < page->count; i++)
		if (is_row(&page->rows[i], uuid, index, instance))
			return &page->rows[i];
	if (page->count == MON_PAGE_MAX_GPUS || !set(&row.uuid, uuid, err))
		return NULL;
	if (!mem_append(&page->rows, &page->count, &row, sizeof(row))) {
		mem_free(row.uuid);
		err_memory(err);
		return NULL;
	}
	return &page->rows[page->count - 1];
}

static void release_holder(struct mon_holder *holder)
{
	mem_free(holder->namespace);
	mem_free(holder->pod);
	mem_free(holder->container);
}

// Through Prometheus the labels have another name.
static bool add_holder(struct mon_gpu_row *row, const struct mon_prom_sample *sample,
                       struct err *err)
{
	const char *pod = label(sample, "pod", "exported_pod");
	const char *namespace = label(sample, "namespace", "exported_namespace");
	struct mon_holder holder = {NULL, NULL, NULL};

	if (!pod || !namespace || row->holder_count == MON_PAGE_MAX_HOLDERS)
		return true;
	for (size_t i = 0; i < row->holder_count; i++)
		if (!strcmp(row->holders[i].pod, pod) && !strcmp(row->holders[i].namespace, namespace))
			return true;
	if (set(&holder.pod, pod, err) && set(&holder.namespace, namespace, err) &&
	    set(&holder.container, label(sample, "container", "exported_container"), err) &&
	    mem_append(&row->holders, &row->holder_count, &holder, sizeof(holder)))
		return true;
	release_holder(&holder);
	return err_memory(err);
}

bool mon_gpu_page_take(void *data, const struct mon_prom_sample *sample, struct err *err)
{
	const struct metric *metric = find_metric(sample->name);
	struct mon_reading *reading;
	struct mon_gpu_row *row;
	double product;

	if (!metric)
		return true;
	row = row_of(data, sample, err);
	if (!row)
		return err->kind == ERR_NONE;
	reading = (struct mon_reading *)((char *)row + metric->offset);
	product = sample->value * metric->factor;
	if (isfinite(product) && product >= 0 && product <= metric->max)
		*reading = (struct mon_reading){true, product};
	return set(&row->model, label(sample, "modelName", "model_name"), err) &&
	       set(&row->profile, label(sample, "GPU_I_PROFILE", NULL), err) &&
	       add_holder(row, sample, err);
}

// What a row says of a value; *RET_NUMBER where that is a number.
static bool read_value(const struct mon_gpu_row *row, size_t which, double *ret_number)
{
	const struct mon_reading *reading = &row->values[which];
	const struct mon_reading *used = &row->values[MON_GPU_VRAM_USED_BYTES];

	if (which == MON_GPU_UTIL_PCT && (row->instance != MON_WHOLE_GPU || !reading->is_known))
		reading = &row->active_pct;
	*ret_number = reading->number;
	// The total is not said by default: its parts add up to it.
	if (which == MON_GPU_VRAM_TOTAL_BYTES && !reading->is_known && used->is_known &&
	    row->free_bytes.is_known) {
		*ret_number =
			used->number + row->free_bytes.number + row->values[MON_GPU_VRAM_RESERVED_BYTES].number;
		return true;
	}
	return reading->is_known;
}

static void pour_row(const struct mon_gpu_row *row, struct mon_snapshot *s, int64_t node,
                     int64_t at_ms)
{
	int64_t index;
	struct mon_gpu *gpu = mon_snapshot_gpu(s, node, row->uuid, row->index, row->instance, &index);

	if (!*gpu->model)
		gpu->model = mon_snapshot_text(s, row->model);
	if (!*gpu->profile)
		gpu->profile = mon_snapshot_text(s, row->profile);
	for (size_t i = 0; i < MON_GPU_VALUES; i++) {
		double value;

		if (read_value(row, i, &value))
			mon_value_set(&gpu->values[i], value, at_ms, MON_SOURCE_EXPORTER);
		else
			mon_value_set_na(&gpu->values[i], at_ms, MON_SOURCE_EXPORTER);
	}
	for (size_t i = 0; index != MON_NO_INDEX && i < row->holder_count; i++)
		mon_snapshot_add_owner(s, &(struct mon_owner){.gpu = (size_t)index,
		                                              .how = MON_OWNER_EXPORTER,
		                                              .namespace = row->holders[i].namespace,
		                                              .pod = row->holders[i].pod,
		                                              .container = row->holders[i].container});
}

void mon_gpu_page_pour(const struct mon_gpu_page *page, struct mon_snapshot *s, int64_t node,
                       int64_t at_ms)
{
	for (size_t i = 0; i < page->count; i++)
		pour_row(&page->rows[i], s, node, at_ms);
}

void mon_gpu_page_release(struct mon_gpu_page *page)
{
	for (size_t i = 0; i < page->count; i++) {
		struct mon_gpu_row *row = &page->rows[i];

		mem_free(row->uuid);
		mem_free(row->model);
		mem_free(row->profile);
		for (size_t j = 0; j < row->holder_count; j++)
			release_holder(&row->holders[j]);
		mem_free(row->holders);
	}
	mem_free(page->rows);
	*page = (struct mon_gpu_page){NULL, 0};
}
