/* app/session/ssapp-asked-runs.h: quantities of interest (job/ssapp-interests.h) of stored runs, from their motions.
 * Threads: that of the store. Tests: tests/cli/test-interests.sh
 */
#pragma once

#include "app/job/ssapp-interests.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* Gives each of the rows (of SsappRunRow) its outcomes, in the place of those of the same name that it has; runs
 * without a motion keep what they answered to the same formula. FALSE with an error where a formula fits no run (where
 * none has a motion: no scenario of theirs). *lack (NULL is allowed): a sentence that says which runs answer not all
 * since no whole motion of theirs is kept; NULL: none; g_free. */
gboolean ssapp_interests_ask_runs (const SsappInterests *self, GPtrArray *rows, SsappStore *store, char **lack,
                                   GError **error);

/* The scenario of a stored run, that units of formulas are read from; NULL: it cannot be read. ss_scenario_free. */
SsScenario *ssapp_interests_read_scenario (SsappStore *store, const char *id);
/* Between how many steps a run keeps the rows of its motion: 1, all. */
int ssapp_interests_every_of (SsappStore *store, const char *id);
/* What the run's own result says that it was asked, {name: {"value", "unit", "formula"}}; NULL: nothing. A new
 * reference. */
json_t *ssapp_interests_answers_of (SsappStore *store, const char *id);
/* The answers of a run from its motion, to be kept by ssapp_store_add_outcomes; without those that it would not give
 * any more since it keeps no motion. *is_mute: some have no value, for that or since the formula does not fit. NULL
 * with an error where the project cannot be read. A new reference. */
json_t *ssapp_interests_answer (const SsappInterests *self, SsappStore *store, const char *id, gboolean *is_mute,
                                GError **error);

/* The outcomes of a study (texts "NAME=FORMULA") that runs of it do not answer yet, or answered to another formula:
 * from their motions, kept as metrics of the runs. *n_mute: runs that end without an answer since they keep no motion,
 * or since the formula does not fit them. */
gboolean ssapp_interests_ask_study (SsappStore *store, const char *study_id, const GPtrArray *outcomes, guint *n_mute,
                                    GError **error);

G_END_DECLS
