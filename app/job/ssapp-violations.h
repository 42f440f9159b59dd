/* app/job/ssapp-violations.h: the rows that an answer violates most (judge/ss-violations.h): in results, of motions, as
 * a table.
 *
 * A result keeps the first ones (SS_VIOLATIONS_KEPT), found by the judge at the very point that the method gave. Of
 * what has no such list (a kept iterate, a run whose worker died, one of an older version) they are found again from
 * the motion, in the model that the run's options make.
 * Threads: any. Tests: tests/unit/test-violations.c
 */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "app/base/ssapp-table.h"
#include "judge/ss-metrics.h"
#include "judge/ss-violations.h"

G_BEGIN_DECLS

extern const SsappRecord ssapp_violations_record; /* of SsViolations */
/* An object: `rows`, `violated`, `list` of objects `amount k t row equation block index body contact point joint`
 * (null: of none). A new reference. */
json_t *ssapp_violations_to_json (const SsViolations *violations);
/* Those of a result object; empty where it has none. ss_violations_clear. */
void ssapp_violations_from_json (const json_t *result, SsViolations *out);

/* Of a motion of the scenario: `result` (NULL: defaults) says by its method's options what model it is of. *is_exact:
 * the motion says all of the point; else what it lacks was completed. *metrics: of the point. FALSE with an error where
 * the motion is none of this scenario; *out is empty then. Takes as long as a transcription. */
gboolean ssapp_violations_of_motion (const SsScenario *scenario, const json_t *result, const SsTrajectory *motion,
                                     int n_max, SsViolations *out, SsMetrics *metrics, gboolean *is_exact,
                                     GError **error);

/* Of a run: those of its result where they are of its answer (`is_answer`) and as many as asked for, or as there are;
 * else of the motion. Where the motion does not say all of the answer's point, the shorter list of the result is the
 * better one. `result` or `motion` may be NULL. *is_exact as above. FALSE with an error: nothing is known. */
gboolean ssapp_violations_of_run (const SsScenario *scenario, const json_t *result, const SsTrajectory *motion,
                                  gboolean is_answer, int n_max, SsViolations *out, gboolean *is_exact, GError **error);

/* What the row is about: "box-floor.2 (box)", "pin (arm)", "box", or its block and number. g_free. */
char *ssapp_violation_dup_where (const SsViolation *violation);
/* "1.2e-03", "not finite"; g_free. */
char *ssapp_violation_dup_amount (const SsViolation *violation);

/* Columns violation, where, equation, t, k, row, before them `labels` of the rows as column run where they are not
 * NULL. */
SsappTable *ssapp_violations_to_table (const SsViolations *violations, const char *const *labels, const char *title);

G_END_DECLS
