/* app/job/ssapp-pull.h: pulled outcomes (fit/ss-pull.h) in words, as JSON and as tables; the text of what is wanted.
 *
 * Threads: any. Tests: tests/cli/test-pull.sh */
#pragma once

#include "app/base/ssapp-table.h"
#include "fit/ss-pull.h"

#include <jansson.h>

G_BEGIN_DECLS

/* "final(ball.x)=3" as a want, which owns its formula; without a value NaN, where `has_value` is FALSE. FALSE with an
 * error that shows the text. */
gboolean ssapp_pull_read_want (const char *text, gboolean has_value, double tolerance, SsPullWant *want,
                               GError **error);

/* "nth(2, impact floor-ball).t": the time of an event; g_free. */
char *ssapp_pull_event_formula (const char *kind, const char *subject, int number);

/* "floor-ball 0.654 › step-ball 1.16, 2 in all": events in their order with their times [s], the kinds of those that
 * are no impacts, the same ones that follow each other once, at most `most` of them; "no event". g_free. */
char *ssapp_pull_sequence_text (const SsScene *scene, const SsEventList *events, int most);
/* The verdict, a sentence: that it is reached, or what stands in the way in the words of the scene; g_free. */
char *ssapp_pull_verdict_text (const SsScene *scene, const SsPull *pull);

/* {reached, verdict, message, changes, outcomes, slopes, sequence, others, ...}: see data/manual/pulling.md. New
 * reference. */
json_t *ssapp_pull_to_json (const SsScene *scene, const SsPull *pull);
/* A row a number that may change; a row an outcome. Owned. */
SsappTable *ssapp_pull_changes_to_table (const SsPull *pull);
SsappTable *ssapp_pull_outcomes_to_table (const SsPull *pull);

/* {number, lower, upper, was, outcomes, points, sequences, changes_of_sequence, ...}. New reference. */
json_t *ssapp_reach_to_json (const SsScene *scene, const SsReach *reach);
/* A row a point: the number, each outcome with its derivative, the sequence by number and in words. Owned. */
SsappTable *ssapp_reach_to_table (const SsScene *scene, const SsReach *reach);
/* Stretches of one sequence: first and last point of number `index`, from 0; FALSE: there are no more. */
gboolean ssapp_reach_stretch (const SsReach *reach, int index, int *first, int *last);

G_END_DECLS
