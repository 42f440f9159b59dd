/* app/job/ssapp-interests.h: quantities of interest (scene/ss-interest.h) by name: what a user asks of every run,
 * "third=final(box3.x)", on the command line, in a study or in the section `outcomes` of a scenario. Results have them
 * as `outcomes`; lists, tables, filters and figures as metrics (base/ssapp-metric.h).
 * Threads: one at a time. Tests: tests/cli/test-interests.sh
 */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "judge/ss-metric.h"
#include "scene/ss-interest.h"
#include "scene/ss-scenario.h"

G_BEGIN_DECLS

typedef struct SsappInterests SsappInterests;

/* Of `n` texts "NAME=FORMULA". NULL with an error (G_IO_ERROR_INVALID_ARGUMENT) that names the one that is none, is
 * twice there, or has the name of a column of lists (base/ssapp-run-column.h). */
SsappInterests *ssapp_interests_new (const char *const *texts, guint n, GError **error);
/* The same with those of the scenario (NULL: none) behind them, but for names that are there; without those that are
 * no formulas. */
SsappInterests *ssapp_interests_new_of (const char *const *texts, guint n, const SsScenario *scenario);
/* Whether runs of that scenario can be asked all that, and what its section `outcomes` asks: formulas that fit, names
 * that no parameter and no column of lists has. */
gboolean ssapp_interests_check (const SsappInterests *self, const SsScenario *scenario, GError **error);
void ssapp_interests_free (SsappInterests *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappInterests, ssapp_interests_free)

/* How many there are; the name and the formula of each, borrowed. */
guint ssapp_interests_get_n (const SsappInterests *self);
const char *ssapp_interests_get_name (const SsappInterests *self, guint index);
const SsInterest *ssapp_interests_get (const SsappInterests *self, guint index);
const char *ssapp_interests_get_formula (const SsappInterests *self, guint index);
gboolean ssapp_interests_is_assertion (const SsappInterests *self, guint index); /* it holds or fails */
/* The unit of each in motions of that scenario; g_free. NULL with an error where the formula does not fit them. */
char *ssapp_interests_dup_unit (const SsappInterests *self, guint index, const SsScenario *scenario, GError **error);

/* Before a run that goes on from a motion with rows of every so many steps: FALSE with an error where one of the
 * formulas asks what lies between them. */
gboolean ssapp_interests_fit_rows (const SsappInterests *self, int every, GError **error);
/* Whether a motion with rows of every so many steps tells that formula, which may ask what lies between them. */
gboolean ssapp_interests_is_told (const SsappInterests *self, guint index, int every);
/* Between how many steps the motion of a result, or of what a job starts from (NULL: none), has rows; 1: of all. */
int ssapp_interests_every (const json_t *object);
/* Of a motion with at least one row, with the result that lists its events (NULL: none): TRUE and the value, NaN where
 * there is none, with its unit; FALSE with an error where the formula does not fit the motion, or it lacks rows. */
gboolean ssapp_interests_value (const SsappInterests *self, guint index, const SsTrajectory *motion,
                                const json_t *result, double *value, const char **unit, GError **error);
extern const SsappRecord ssapp_interest_record; /* of an answer in results */
/* Whether the answer that a run with rows of every so many steps has stored is one to that formula: of all rows, or of
 * what these tell. Older programs answered from the rows that they kept. */
gboolean ssapp_interests_is_answered (const SsappInterests *self, guint index, const json_t *answer, int every);
/* {"third": {"value": 1.2, "unit": "m", "formula": "final(box3.x)"}} of a motion (NULL: there is none): value null
 * where there is none, "message" where the formula does not fit or the motion lacks rows. `sums` (NULL: none): of each
 * what all rows told that the motion does not keep, NULL: nothing (ssapp-interests-seen.h); the answer says so, and
 * stays where `result` has it. New reference. */
json_t *ssapp_interests_to_json (const SsappInterests *self, const SsInterestSum *const *sums,
                                 const SsTrajectory *motion, const json_t *result);
/* Of one such answer: "holds", "fails" or "untold" of an assertion, NULL of others (borrowed); and in words: "fails at
 * 1.24 s", "0.3 m", "-" (g_free). */
const char *ssapp_interest_verdict (const json_t *answer);
char *ssapp_interest_dup_text (const json_t *answer);

/* Of a result's outcomes: adds those that are not in the array (of SsMetric, base/ssapp-metric.h) yet; the value of
 * one, NaN where it has none. `result` may be NULL. */
void ssapp_interests_list (const json_t *result, GArray *metrics);
double ssapp_interests_get_value (const json_t *result, SsMetric metric);

/* Texts "NAME=FORMULA" as {"NAME": "FORMULA"}, a new reference, and back, of char *; members that are no texts are left
 * out. */
json_t *ssapp_interests_texts_to_json (const GPtrArray *outcomes);
GPtrArray *ssapp_interests_texts_from_json (const json_t *object);

G_END_DECLS
