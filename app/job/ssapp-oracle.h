/* app/job/ssapp-oracle.h: answers questions about a problem or a scene, as JSON: what a program needs that solves one
 * without a compiled line of ours (data/manual/own-method.md). Asked by `stickslip-cli oracle FILE` through pipes, and
 * by the program of a method of the user's own through those of its job.
 *
 * A question is an object with `want`, a list of names: see the tables in ssapp-oracle.c, which also are what the
 * answer to {"want": ["questions"]} lists. The reply has a member for each.
 *   Of a problem: `problem` (sizes, start, bounds, pairs, patterns, names of rows), at `x`: `objective`, `gradient`,
 *   `rows`, `jacobian`, `objective_hessian`, `hessian` (with `multipliers`, `sigma`).
 *   Of a scene: `scene` (bodies, contacts, start, times of its steps), at `q`, `v`, `t` [m, rad, s]: `mass`, `forces`,
 *   `gaps`, `points` (with normals and rows of the Jacobian), `joints`, `controls`.
 * Nothing here steps, solves or judges. Threads: one at a time. Tests: tests/cli/test-your-method.py
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "mpcc/ss-mpcc.h"
#include "scene/ss-scenario.h"
#include "simulate/ss-simulate.h"

G_BEGIN_DECLS

typedef struct SsappOracle SsappOracle;

/* Of a problem: `mpcc` and x0 (n_variables; NULL: none is told) are borrowed. NULL with an error: SS_ERR_MEMORY. */
SsappOracle *ssapp_oracle_new_problem (const SsMpcc *mpcc, const double *x0, SsError *err);
/* Of a scene, borrowed, simulated with steps dt to t_end [s]. dt NaN: with one step a row of `controls`, borrowed
 * (NULL: none act). */
SsappOracle *ssapp_oracle_new_scene (const SsScene *scene, double dt, double t_end, const SsControls *controls,
                                     SsError *err);
/* From now on questions are about the step from `from` to `to` [s] under the controls u (n_actuators, borrowed until
 * the next call) of a plan that is replayed; u NULL: the scene's formulas act, at any time. */
void ssapp_oracle_hold (SsappOracle *oracle, double from, double to, const double *u);
void ssapp_oracle_free (SsappOracle *oracle); /* NULL is allowed */
/* {"type": "reply", ...}, or with "error", a sentence, where the question is none. Never NULL; the caller unrefs it. */
json_t *ssapp_oracle_reply (SsappOracle *oracle, const json_t *question);

G_END_DECLS
