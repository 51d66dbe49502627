// SPDX-License-Identifier: MIT
#include "cmd/job_output.h"

#include "base/json_build.h"
#include "cmd/job_view.h"
#include "yaml/yaml.h"

static bool fill_table(struct cli_table *table, const struct jobs_listing *listing, int64_t now_ms,
                       struct err *err)
{
	*table = (struct cli_table){cmd_job_columns, cmd_job_column_count, STRV_INIT};
	for (size_t i = 0; i < listing->count; i++)
		if (!cmd_job_add_row(table, &listing->items[i], now_ms, err))
			return false;
	return true;
}

static bool write_rows(struct strbuf *out, const struct jobs_listing *listing,
                       enum cli_format format, bool is_wide, int64_t now_ms, struct err *err)
{
	_cleanup_cli_table_ struct cli_table table;

	if (!fill_table(&table, listing, now_ms, err))
		return false;
	if (format == CLI_FORMAT_CSV)
		cli_table_write_csv(out, &table);
	else
		cli_table_write(out, &table, is_wide);
	return true;
}

static bool write_tree(struct strbuf *out, const struct jobs_listing *listing,
                       enum cli_format format, int64_t now_ms, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	json_build_open_object(&b, NULL);
	json_build_open_array(&b, "jobs");
	for (size_t i = 0; i < listing->count; i++)
		cmd_job_put(&b, &listing->items[i], now_ms);
	json_build_close(&b);
	json_build_close(&b);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	if (format == CLI_FORMAT_YAML)
		return yaml_write(out, tree, err);
	json_write_pretty(out, tree);
	return true;
}

static void write_names(struct strbuf *out, const struct jobs_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		strbuf_addf(out, "job.batch/%s\n", listing->items[i].job.name);
}

bool cmd_jobs_write(struct strbuf *out, const struct jobs_listing *listing, enum cli_format format,
                    bool is_wide, int64_t now_ms, struct err *err)
{
	if (format == CLI_FORMAT_NAME) {
		write_names(out, listing);
		return true;
	}
	if (format == CLI_FORMAT_JSON || format == CLI_FORMAT_YAML)
		return write_tree(out, listing, format, now_ms, err);
	return write_rows(out, listing, format, is_wide, now_ms, err);
}

static bool write_object(struct strbuf *out, struct cmd_jobs_stream *stream,
                         const struct jobs_item *item, int64_t now_ms, struct err *err)
{
	_cleanup_json_build_ struct json_build b = JSON_BUILD_INIT;
	_cleanup_json_ struct json *tree = NULL;

	cmd_job_put(&b, item, now_ms);
	tree = json_build_take(&b, err);
	if (!tree)
		return false;
	if (stream->format == CLI_FORMAT_JSON) {
		json_write(out, tree);
		strbuf_add_char(out, '\n');
		return true;
	}
	strbuf_add(out, stream->has_begun ? "---\n" : "");
	stream->has_begun = true;
	return yaml_write(out, tree, err);
}

static bool write_more_rows(struct strbuf *out, struct cmd_jobs_stream *stream,
                            const struct jobs_listing *listing, int64_t now_ms, struct err *err)
{
	_cleanup_cli_table_ struct cli_table table;

	if (!fill_table(&table, listing, now_ms, err))
		return false;
	if (stream->format != CLI_FORMAT_CSV)
		cli_table_write_more(out, &table, stream->is_wide, &stream->widths);
	else if (stream->has_begun)
		cli_table_write_csv_rows(out, &table);
	else
		cli_table_write_csv(out, &table);
	stream->has_begun = true;
	return true;
}

bool cmd_jobs_write_more(struct strbuf *out, struct cmd_jobs_stream *stream,
                         const struct jobs_listing *listing, int64_t now_ms, struct err *err)
{
	if (stream->format == CLI_FORMAT_NAME) {
		write_names(out, listing);
		return true;
	}
	if (stream->format != CLI_FORMAT_JSON && stream->format != CLI_FORMAT_YAML)
		return write_more_rows(out, stream, listing, now_ms, err);
	for (size_t i = 0; i < listing->count; i++)
		if (!write_object(out, stream, &listing->items[i], now_ms, err))
			return false;
	return true;
}
