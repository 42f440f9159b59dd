/* app/job/ssapp-tries.h: what came of each attempt at a plan (core/ss-tries.h) as JSON, and read from it.
 *
 * {"account": text, "counts": {"member": {"honest", "not_possible", "no_plan"}, "motion": ..., "start": ...}, "best":
 * cost of the cheapest honest one, "near": honest ones within 1 % of it, "list": [{"kind", "end", "by", "objective"},
 * ...]}: the list has those with a cost, in the order of who made them. Tests: tests/unit/test-tries.c */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "core/ss-tries.h"

G_BEGIN_DECLS

extern const SsappRecord ssapp_tries_record; /* of `tries` */
/* New reference; NULL: there were no tries. */
json_t *ssapp_tries_to_json (const SsTries *tries);
/* Of the member `tries` of a result; without any all is 0. ss_tries_clear. */
void ssapp_tries_from_json (const json_t *result, SsTries *tries);
/* The sentence of it; g_free. NULL: there were no tries. */
char *ssapp_tries_dup_account (const json_t *result);

G_END_DECLS
