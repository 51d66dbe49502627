// SPDX-License-Identifier: MIT
#include "cmd/field_flags.h"

#include <string.h>

// The first row whose text is in the field's path counts.
static const struct {
	const char *part, *flag;
} flags[] = {
	{"metadata.name", "NAME"},
	{"metadata.labels", "--label"},
	{"metadata.annotations", "--annotation"},
	{"limits[memory]", "--memory-limit"},
	{"requests[memory]", "--memory"},
	{"limits[cpu]", "--cpu-limit"},
	{"requests[cpu]", "--cpu"},
	{".resources", "--gpus"},
	{".env[", "--env"},
	{".volumeMounts", "--data"},
	{".volumes", "--data"},
	{"].imagePullPolicy", "--image-pull-policy"},
	{"].image", "--image"},
	{"].workingDir", "--working-dir"},
	{"].command", "COMMAND"},
	{"].args", "COMMAND"},
	{"containers[0].name", "--container"},
	{".imagePullSecrets", "--image-pull-secret"},
	{".nodeSelector", "--selector"},
	{".affinity", "--affinity"},
	{".tolerations", "--toleration"},
	{".priorityClassName", "--priority"},
	{".runtimeClassName", "--runtime-class"},
	{".serviceAccountName", "--service-account"},
	{".terminationGracePeriodSeconds", "--grace"},
	{".activeDeadlineSeconds", "--time"},
	{".ttlSecondsAfterFinished", "--ttl-after-finished"},
	{".podFailurePolicy", "--retry-on-exit"},
	{".backoffLimit", "--retry"},
	{".suspend", "--suspend"},
	{".completions", "--array"},
	{".parallelism", "--array"},
	{".minReplicas", "--autoscale"},
	{".maxReplicas", "--autoscale"},
	{".replicas", "--replicas"},
	{".metrics", "--cpu-target"},
};

const char *cmd_flag_of_field(const char *field)
{
	for (size_t i = 0; i < COUNT_OF(flags); i++)
		if (strstr(field, flags[i].part))
			return flags[i].flag;
	return NULL;
}
