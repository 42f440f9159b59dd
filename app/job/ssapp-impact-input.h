/* app/job/ssapp-impact-input.h: what a run of an impact law is made from: a scene in a state, or a file of numbers.
 *
 * Threads: any. Tests: tests/unit/test-impact-record.c, tests/cli/test-impact.sh
 */
#pragma once

#include <glib.h>

#include "impact/ss-impact.h"

G_BEGIN_DECLS

/* Whether a text is a file of numbers (engine/scene/ss-impact-file.h), which has the rows of contacts at its top. */
gboolean ssapp_impact_is_numbers (const char *text);
/* A configuration as such a file, without its locks and joints (ss_impact_reduce); g_free. h NaN, max_steps 0: not
 * written. NULL with an error where numbers cannot say it. */
char *ssapp_impact_to_json (const SsImpact *impact, double h, int max_steps, SsError *err);

/* Positions and velocities (3 n_bodies each) in a row of a motion, by the names of its channels; those of bodies that
 * never move are the scene's own where the motion has none. SS_ERR_INVALID names the channel that is missing. */
SS_NODISCARD SsStatus ssapp_impact_read_state (const SsScene *scene, const SsTrajectory *motion, const double *row,
                                               double *q, double *v, SsError *err);
/* The same at time t, as ss_trajectory_sample_before has it: of a jump the state before it. NaN: at the end. */
SS_NODISCARD SsStatus ssapp_impact_state_at (const SsScene *scene, const SsTrajectory *motion, double t, double *q,
                                             double *v, SsError *err);
/* A scenario's text with this friction at every contact, whatever its contacts and materials say. NULL when it is no
 * scene; g_free. */
char *ssapp_impact_scenario_with_friction (const char *scenario_text, double mu);
/* The scenario's text with its bodies in that state; g_free. NULL with an error where a body that moves is made by a
 * family, which has no place of its own in the text. */
char *ssapp_impact_scenario_in_state (const char *scenario_text, const SsScene *scene, const double *q, const double *v,
                                      SsError *err);

G_END_DECLS
