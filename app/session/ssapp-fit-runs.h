/* app/session/ssapp-fit-runs.h: the trials of a fit in a project: each measured motion as an imported run, and beside
 * it the fitted motion, simulated by the fit's method from the fitted scenario.
 *
 * Threads: the store's. Tests: tests/cli/test-fit.sh */
#pragma once

#include "app/store/ssapp-store.h"
#include "fit/ss-fit.h"

G_BEGIN_DECLS

/* Of a trial. `option_names` and `option_values` (of char *) are those that the method's options were set by. What was
 * not measured of a body that moves (columns, lost frames) is the fitted motion's in the imported run, whose note
 * says so; times stay those of the table. *measured and *fitted are the runs' ids (g_free). FALSE with an error. */
gboolean ssapp_fit_store_trial (SsappStore *store, const SsFitJob *job, const SsFitResult *result, int trial,
                                const char *path, GPtrArray *option_names, GPtrArray *option_values, char **measured,
                                char **fitted, GError **error);

G_END_DECLS
