// SPDX-License-Identifier: MIT
#include "boot/diff.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

enum { CONTEXT = 3, CELLS_MAX = 4 << 20, LINES_MAX = 65535 };

struct line {
	const char *text;
	size_t len; // without the line feed
};

struct lines {
	struct line *items;
	size_t count;
	bool is_cut; // the last one has no line feed
};

// What becomes of a line: ' ' stays, '-' goes, '+' comes.
struct change {
	char kind;
	size_t old, new; // the line's index; where it comes or goes in the other text
};

struct diff {
	struct lines old, new;
	struct change *changes;
	size_t count;
};

static bool split(const char *text, struct lines *lines, struct err *err)
{
	while (text && *text) {
		size_t len = strcspn(text, "\n");
		struct line line = {text, len};

		lines->is_cut = !text[len];
		if (!mem_append(&lines->items, &lines->count, &line, sizeof(line)))
			return err_memory(err);
		text += len + (text[len] == '\n');
	}
	return true;
}

static bool is_same(const struct diff *diff, size_t old, size_t new)
{
	const struct line *a = &diff->old.items[old], *b = &diff->new.items[new];

	return a->len == b->len && !memcmp(a->text, b->text, a->len) &&
	       (old + 1 == diff->old.count && diff->old.is_cut) ==
	           (new + 1 == diff->new.count && diff->new.is_cut);
}

static void add_change(struct diff *diff, char kind, size_t old, size_t new)
{
	diff->changes[diff->count++] = (struct change){kind, old, new};
}

// The part between the common start and the common end: [old_from, old_to) against [new_from, new_to).
struct middle {
	size_t old_from, old_to, new_from, new_to;
};

static struct middle find_middle(const struct diff *diff)
{
	struct middle m = {0, diff->old.count, 0, diff->new.count};

	while (m.old_from < m.old_to && m.new_from < m.new_to &&
	       is_same(diff, m.old_from, m.new_from)) {
		m.old_from++;
		m.new_from++;
	}
	while (m.old_to > m.old_from && m.new_to > m.new_from &&
	       is_same(diff, m.old_to - 1, m.new_to - 1)) {
		m.old_to--;
		m.new_to--;
	}
	return m;
}

// Fills the table of the longest common subsequence of what is left from (i, j) on.
static uint16_t *make_table(const struct diff *diff, const struct middle *m, size_t rows,
                            size_t columns)
{
	uint16_t *table = mem_alloc((rows + 1) * (columns + 1) * sizeof(*table));

	for (size_t i = table ? rows : 0; i-- > 0;)
		for (size_t j = columns; j-- > 0;) {
			uint16_t down = table[(i + 1) * (columns + 1) + j];
			uint16_t right = table[i * (columns + 1) + j + 1];
			uint16_t both = table[(i + 1) * (columns + 1) + j + 1];

			if (is_same(diff, m->old_from + i, m->new_from + j))
				table[i * (columns + 1) + j] = (uint16_t)(both + 1);
			else
				table[i * (columns + 1) + j] = down > right ? down : right;
		}
	return table;
}

static void walk_table(struct diff *diff, const struct middle *m, const uint16_t *table,
                       size_t rows, size_t columns)
{
	size_t i = 0, j = 0;

	while (i < rows || j < columns) {
		size_t old = m->old_from + i, new = m->new_from + j;

		if (i < rows && j < columns && is_same(diff, old, new)) {
			add_change(diff, ' ', old, new);
			i++;
			j++;
		} else if (j == columns || (i < rows && table[(i + 1) * (columns + 1) + j] >=
		                                            table[i * (columns + 1) + j + 1])) {
			add_change(diff, '-', old, new);
			i++;
		} else {
			add_change(diff, '+', old, new);
			j++;
		}
	}
}

static bool compare_middle(struct diff *diff, const struct middle *m, struct err *err)
{
	size_t rows = m->old_to - m->old_from, columns = m->new_to - m->new_from;
	_cleanup_free_ uint16_t *table = NULL;

	if (rows && columns && rows <= LINES_MAX && columns < CELLS_MAX / (rows + 1)) {
		table = make_table(diff, m, rows, columns);
		if (!table)
			return err_memory(err);
		walk_table(diff, m, table, rows, columns);
		return true;
	}
	for (size_t i = m->old_from; i < m->old_to; i++)
		add_change(diff, '-', i, m->new_from);
	for (size_t j = m->new_from; j < m->new_to; j++)
		add_change(diff, '+', m->old_to, j);
	return true;
}

static bool compare(struct diff *diff, struct err *err)
{
	struct middle m = find_middle(diff);

	diff->changes = mem_alloc((diff->old.count + diff->new.count + 1) * sizeof(*diff->changes));
	if (!diff->changes)
		return err_memory(err);
	for (size_t i = 0; i < m.old_from; i++)
		add_change(diff, ' ', i, i);
	if (!compare_middle(diff, &m, err))
		return false;
	for (size_t i = 0; m.old_to + i < diff->old.count; i++)
		add_change(diff, ' ', m.old_to + i, m.new_to + i);
	return true;
}

// Writing

static void write_line(struct strbuf *out, const struct diff *diff, const struct change *change)
{
	const struct lines *lines = change->kind == '+' ? &diff->new : &diff->old;
	size_t index = change->kind == '+' ? change->new : change->old;

	strbuf_add_char(out, change->kind);
	strbuf_add_n(out, lines->items[index].text, lines->items[index].len);
	strbuf_add_char(out, '\n');
	if (index + 1 == lines->count && lines->is_cut)
		strbuf_add(out, "\\ no line feed at the end\n");
}

static void write_range(struct strbuf *out, char sign, size_t first, size_t count)
{
	strbuf_addf(out, " %c%zu", sign, count ? first + 1 : first);
	if (count != 1)
		strbuf_addf(out, ",%zu", count);
}

static void write_hunk(struct strbuf *out, const struct diff *diff, size_t from, size_t to)
{
	size_t old = 0, new = 0;

	for (size_t i = from; i < to; i++) {
		old += diff->changes[i].kind != '+';
		new += diff->changes[i].kind != '-';
	}
	strbuf_add(out, "@@");
	write_range(out, '-', diff->changes[from].old, old);
	write_range(out, '+', diff->changes[from].new, new);
	strbuf_add(out, " @@\n");
	for (size_t i = from; i < to; i++)
		write_line(out, diff, &diff->changes[i]);
}

// The end of the hunk whose first change is at AT: behind the context after its last change.
static size_t hunk_end(const struct diff *diff, size_t at)
{
	size_t last = at;

	for (size_t i = at; i < diff->count && i <= last + 2 * CONTEXT; i++)
		if (diff->changes[i].kind != ' ')
			last = i;
	return last + CONTEXT + 1 < diff->count ? last + CONTEXT + 1 : diff->count;
}

static void write_hunks(struct strbuf *out, const struct diff *diff, const char *path, bool is_new,
                        bool is_gone)
{
	bool is_first = true;

	for (size_t i = 0; i < diff->count; i++) {
		size_t from = i < CONTEXT ? 0 : i - CONTEXT, to;

		if (diff->changes[i].kind == ' ')
			continue;
		if (is_first)
			strbuf_addf(out, "--- %s\n+++ %s\n", is_new ? "/dev/null" : path,
			            is_gone ? "/dev/null" : path);
		is_first = false;
		to = hunk_end(diff, i);
		write_hunk(out, diff, from, to);
		i = to - 1;
	}
}

bool boot_diff(struct strbuf *out, const char *path, const char *old, const char *new,
               struct err *err)
{
	struct diff diff = {{NULL, 0, false}, {NULL, 0, false}, NULL, 0};
	bool is_ok = split(old, &diff.old, err) && split(new, &diff.new, err) && compare(&diff, err);

	if (is_ok)
		write_hunks(out, &diff, path, !old, !new);
	mem_free(diff.old.items);
	mem_free(diff.new.items);
	mem_free(diff.changes);
	return is_ok;
}
