/* app/job/ssapp-sensitivity.h: derivatives of a motion (simulate/ss-sensitivity.h) in a result's JSON, and in words.
 *
 * "sensitivities": {"mu": {"box.x": d, "box.y": d, ..., "box.omega": d}, ...} of the final state, null: there is none
 * "sensitivity": {"mu": dt, ...} of each event [s per unit of the number], null: not known
 * "sensitivity_breaks": [{"of": "mu", "t" [s], "kind", "contact" or null, "meaning"}, ...]: where the motion is no
 *   differentiable function of the number
 * "sensitivity_sides": [{"of", "side" ("less", "more"), "derivatives": {"box.x": d, ...} or null, "kind" and
 *   "meaning", why there are none, or null}, ...]: one-sided, of numbers with a break, or at an end of their range.
 *   Where both sides agree, "sensitivities" has them
 * "metric_sensitivities": {"mu": {"energy_final": d, ...}, ...}: of the metrics that are functions of the motion's
 *   start or end [their unit over that of the number]
 * "metrics_without_sensitivity": {"steps": "why", ...}: the others of the result
 */
#pragma once

#include "app/base/ssapp-record.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

/* An item of sensitivity_sides. */
typedef struct {
  const char *of, *side;
  json_t *derivatives;        /* NULL: there are none */
  const char *kind, *meaning; /* NULL: there are derivatives */
} SsappSensitivitySide;
extern const SsappRecord ssapp_sensitivity_side_record; /* of SsappSensitivitySide */

/* An item of sensitivity_breaks. */
typedef struct {
  const char *of, *kind, *contact, *meaning; /* contact NULL: none */
  double t;                                  /* [s] */
} SsappSensitivityBreak;
extern const SsappRecord ssapp_sensitivity_break_record; /* of SsappSensitivityBreak */

/* Adds these to a result's object with its events, where derivatives were asked for. */
void ssapp_sensitivity_add_to_json (json_t *object, const SsScene *scene, const SsRunResult *result);
/* Of SsappSensitivityBreak, of a result; empty where there are none. Release with ssapp_records_free. */
GArray *ssapp_sensitivity_breaks (const json_t *result);
/* "mu: at t = 0.4 s, floor-box: what happens"; g_free. */
char *ssapp_sensitivity_break_words (const SsappSensitivityBreak *item);
/* A line a number of a result, "mu: box.x -4.3, box.theta 0.02", with the `most` largest derivatives of the
 * final state, and one a break and a side; NULL where there are none. Free with g_strfreev. */
char **ssapp_sensitivity_lines (const json_t *result, int most);

G_END_DECLS
