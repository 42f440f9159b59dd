/* app/job/ssapp-compliant.h: a compliant study of a scene as a table, from what a person asks for in words.
 *
 * Threads: any, one study each. Tests: tests/unit/test-compliant-table.c */
#pragma once

#include <glib.h>

#include "impact/ss-compliant.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

typedef struct {
  SsCompliantSweep sweep;
  const char *contacts;       /* names of A and B as "A,B"; NULL: the two that touch, from left to right */
  const char *body;           /* name of the body that the angle turns; NULL: see ss_compliant_new       */
  const char *const *options; /* "NAME=VALUE" of ss_compliant_option_table, ended by NULL; NULL: none    */
  const SsTrajectory *motion; /* has the state before the impact; NULL: the scenario's initial one       */
  double at;                  /* time of it [s]; NaN: its end                                            */
} SsappCompliantPlan;

/* "ratio" or "angle"; FALSE for other names. */
gboolean ssapp_compliant_sweep_from_name (const char *name, SsCompliantSweep *sweep);

/* Runs the sweep; one row a case, columns of ss_compliant_column. The caller frees by
 * ss_samples_free. Cancelled: the rows that there are, and *outcome says so; STALLED: some rows have `completed` 0.
 * NULL with `error` filled where the plan does not fit the scenario, or it is no scene. */
SsSamples *ssapp_compliant_run (const SsScenario *scenario, const SsappCompliantPlan *plan, SsRunControl *control,
                                SsOutcome *outcome, SsError *error);

G_END_DECLS
