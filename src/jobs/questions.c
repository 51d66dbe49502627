// SPDX-License-Identifier: MIT
#include "jobs/questions.h"

#include "base/mem.h"

enum { WORDS_MAX_BYTES = 2048 };

// One request of many that run at once.
struct jobs_question {
	struct jobs_questions *all;
	char *what; // for "could not be checked"
	struct kube_list *list;
	uint64_t call_id;
	bool is_call;
	bool *ret_is_known;
	kube_record_fn *on_record;
	void (*on_restart)(void *context);
	jobs_take_fn *take;
	void *context;
};

// The end of a question. That it is refused is no failure.
static void settle(struct jobs_question *question, const struct err *failure)
{
	struct jobs_questions *all = question->all;
	_cleanup_err_ struct err err = ERR_INIT;

	all->left--;
	if (!failure) {
		if (question->ret_is_known)
			*question->ret_is_known = true;
	} else if (failure->kind != ERR_REFUSED) {
		if (all->failure.kind == ERR_NONE)
			err_copy(&all->failure, failure);
	} else if (!strv_add(all->unchecked, question->what, &err)) {
		err_copy(&all->failure, &err);
	}
}

static void on_restart(void *context)
{
	const struct jobs_question *question = context;

	question->on_restart(question->context);
}

static void on_listed(void *context, const char *version, const struct err *failure)
{
	(void)version;
	settle(context, failure);
}

static bool on_record(void *context, enum kube_record_change change, void *record, struct err *err)
{
	struct jobs_question *question = context;

	return question->on_record(question->context, change, record, err);
}

static void on_answer(void *context, const struct kube_result *result)
{
	struct jobs_question *question = context;
	_cleanup_err_ struct err err = ERR_INIT;

	question->is_call = false;
	if (result->failure && result->status != 404)
		settle(question, result->failure);
	else if (!question->take(question->context, result, &err))
		settle(question, &err);
	else
		settle(question, NULL);
}

static struct jobs_question *add_question(struct jobs_questions *all, const char *what,
                                          bool *ret_is_known, void *context, struct err *err)
{
	struct jobs_question *question = mem_alloc(sizeof(*question));

	if (question)
		*question = (struct jobs_question){
			.all = all, .what = mem_dup(what), .ret_is_known = ret_is_known, .context = context};
	if (!question || !question->what ||
	    !mem_append(&all->items, &all->count, &question, sizeof(question))) {
		if (question)
			mem_free(question->what);
		mem_free(question);
		err_memory(err);
		return NULL;
	}
	return question;
}

bool jobs_ask_list(struct jobs_questions *all, const struct kube_list_options *list,
                   const char *what, bool *ret_is_known, void *context, struct err *err)
{
	_cleanup_strbuf_ struct strbuf words = STRBUF_INIT(WORDS_MAX_BYTES);
	struct kube_list_options options = *list;
	struct jobs_question *question;

	strbuf_add(&words, what);
	if (list->namespace)
		strbuf_addf(&words, " of namespace \"%s\"", list->namespace);
	question = add_question(all, strbuf_get(&words), ret_is_known, context, err);
	if (!question)
		return false;
	question->on_record = list->on_record;
	question->on_restart = list->on_restart;
	options.on_record = on_record;
	options.on_restart = list->on_restart ? on_restart : NULL;
	options.on_done = on_listed;
	options.context = question;
	question->list = kube_list_start(all->client, &options, err);
	all->left += question->list != NULL;
	return question->list;
}

bool jobs_ask_path(struct jobs_questions *all, const char *path, const char *what,
                   jobs_take_fn *take, bool *ret_is_known, void *context, struct err *err)
{
	struct jobs_question *question = add_question(all, what, ret_is_known, context, err);
	struct kube_call call = {.method = "GET", .path = path, .done = on_answer, .context = question};

	if (!question)
		return false;
	question->take = take;
	question->is_call = kube_client_start(all->client, &call, &question->call_id, err);
	all->left += question->is_call;
	return question->is_call;
}

bool jobs_questions_wait(struct jobs_questions *all, struct err *err)
{
	while (all->left && all->failure.kind == ERR_NONE)
		if (!loop_run(kube_client_loop(all->client), -1, err))
			return false;
	return all->failure.kind == ERR_NONE || err_copy(err, &all->failure);
}

void jobs_questions_end(struct jobs_questions *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct jobs_question *question = all->items[i];

		kube_list_free(question->list);
		if (question->is_call)
			kube_client_cancel(all->client, question->call_id);
		mem_free(question->what);
		mem_free(question);
	}
	mem_free(all->items);
	err_clear(&all->failure);
	*all = (struct jobs_questions){.client = all->client, .unchecked = all->unchecked};
}
