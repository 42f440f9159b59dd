/* app/job/ssapp-fit.h: fits of measured motions (fit/ss-fit.h) as JSON and as tables; the text of what is free.
 *
 * Threads: any. Tests: tests/cli/test-fit.sh */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/draw/ssapp-run-events.h"
#include "fit/ss-fit.h"
#include "run/ss-run.h"

#include <jansson.h>

G_BEGIN_DECLS

/* "mu,e=0.2:0.9,box.mass" as a list of SsFitFree, which owns the names. NULL with an error that shows the part that is
 * none. */
GArray *ssapp_fit_read_free (const char *text, GError **error);

/* "mu" of an unknown of all trials or of the only one, "box.x[2]" of the second trial's; g_free. */
char *ssapp_fit_name (const SsFitResult *result, int estimate);
/* "0.1399" and "0.0010", half the interval, with as many decimals as that has digits that say something; of what has
 * no interval three digits and NULL. Both g_free. */
char *ssapp_fit_value_text (const SsFitEstimate *estimate, char **half);
/* An unknown of the measurement (`time_offset`, `scale`) of a trial or of all; `fallback` where it is none. */
double ssapp_fit_unknown (const SsFitResult *result, const char *name, int trial, double fallback);
/* What an estimate is the estimate of, in SI: "m", "kg", "rad/s"; "" of what has none or is not known. Static. */
const char *ssapp_fit_unit (const SsFitEstimate *estimate);

/* The fitted motion of a trial, simulated once more from the fitted scenario. */
typedef struct {
  SsScenario *scenario; /* owned, as all */
  SsRunResult run;      /* its motion: ss_run_motion */
  GArray *events;       /* of SsappRunEvent */
  double offset, scale; /* of the trial's measurement: its time is the motion's and offset, its lengths are scaled */
  double t_end;         /* of the motion, by its own time [s] */
} SsappFitMotion;
/* FALSE with an error: it cannot be read or simulated. */
gboolean ssapp_fit_motion_make (const SsFitJob *job, const SsFitResult *result, int trial, SsappFitMotion *motion,
                                GError **error);
void ssapp_fit_motion_clear (SsappFitMotion *motion); /* a zeroed one is allowed */

/* {outcome, verdict, message, estimates, correlation, residuals, loss, profiles, ...}: see data/manual/fitting.md. New
 * reference. */
json_t *ssapp_fit_to_json (const SsFitResult *result, SsFitLoss loss);
/* A row an unknown; a note for each that the data do not tell, and for the verdict. Owned. */
SsappTable *ssapp_fit_to_table (const SsFitResult *result, const char *title);
/* A row a channel. Owned. */
SsappTable *ssapp_fit_residuals_to_table (const SsFitResult *result);
/* A row a measured value: trial, t, channel, measured, fitted, residual. Owned. */
SsappTable *ssapp_fit_values_to_table (const SsFitResult *result);

G_END_DECLS
