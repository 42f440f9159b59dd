/* app/store/ssapp-store-steps.h: steps and horizons that runs of a project were asked for.
 *
 * They stand in the results (ssapp-asked.h), which takes long to look through: some 20 ms for a thousand runs. Not for
 * lists that are shown at once. Threads and errors as in ssapp-store.h. Tests: tests/cli/test-figure.sh
 */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

typedef struct {
  double dt, t_end; /* [s]; NaN: not asked for */
} SsappAskedSteps;

/* Of the runs that were asked for one of them: id to SsappAskedSteps, both owned by the table; runs of versions that
 * did not tell it are not there. */
GHashTable *ssapp_store_list_steps (SsappStore *self, GError **error);

G_END_DECLS
