/* app/job/ssapp-fit.h: fits of measured motions (fit/ss-fit.h) as JSON and as tables; the text of what is free.
 *
 * Threads: any. Tests: tests/cli/test-fit.sh */
#pragma once

#include "app/base/ssapp-table.h"
#include "fit/ss-fit.h"

#include <jansson.h>

G_BEGIN_DECLS

/* "mu,e=0.2:0.9,box.mass" as a list of SsFitFree, which owns the names. NULL with an error that shows the part that is
 * none. */
GArray *ssapp_fit_read_free (const char *text, GError **error);

/* "mu" of an unknown of all trials or of the only one, "box.x[2]" of the second trial's; g_free. */
char *ssapp_fit_name (const SsFitResult *result, int estimate);
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
