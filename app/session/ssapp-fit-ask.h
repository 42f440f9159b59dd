/* app/session/ssapp-fit-ask.h: what is asked of a fit, as text from the command line or the window: the scene, tables
 * of trials with their columns, what is free, the method with its options, the loss. Errors say which of them is wrong.
 *
 * Threads: any, one at a time. Tests: tests/unit/test-fit-session.c, tests/cli/test-fit.sh */
#pragma once

#include "app/export/ssapp-fit-picture.h"
#include "app/session/ssapp-fit-columns.h"

G_BEGIN_DECLS

/* All is owned. */
typedef struct {
  SsScenario *scenario;
  GPtrArray *paths, *raw, *tables; /* of char *; of SsTrajectory *: as read, in channels (ssapp_fit_ask_map) */
  GArray *columns;                 /* of SsappFitColumn; NULL before the map */
  GArray *free;                    /* of SsFitFree */
  GPtrArray *option_names, *option_values;
  void *options; /* the method's */
  char **profiles;
  SsFitJob job; /* borrows from the others */
} SsappFitAsk;

/* Takes the scenario; the rest is empty, the loss Tukey's. */
void ssapp_fit_ask_init (SsappFitAsk *self, SsScenario *scenario);
void ssapp_fit_ask_clear (SsappFitAsk *self); /* a zeroed one is allowed */
/* NULL: the scenario's own, else exact events, whose derivatives are best; with the scenario's defaults. */
gboolean ssapp_fit_ask_set_method (SsappFitAsk *self, const char *name, GError **error);
gboolean ssapp_fit_ask_set_option (SsappFitAsk *self, const char *name, const char *value, GError **error);
/* One more trial. */
gboolean ssapp_fit_ask_add_motion (SsappFitAsk *self, const char *path, GError **error);
/* The same of a table that was read, of which a copy is taken. */
gboolean ssapp_fit_ask_take_motion (SsappFitAsk *self, const char *path, const SsTrajectory *table, GError **error);
/* After all motions: their columns by a text as ssapp_fit_columns_map takes it; NULL: by their names alone. */
gboolean ssapp_fit_ask_map (SsappFitAsk *self, const char *map, GError **error);
/* As ssapp_fit_read_free takes it. */
gboolean ssapp_fit_ask_set_free (SsappFitAsk *self, const char *text, GError **error);
/* A part of what is free leaves it. */
void ssapp_fit_ask_hold (SsappFitAsk *self, const char *name);
gboolean ssapp_fit_ask_set_loss (SsappFitAsk *self, const char *name, GError **error);
void ssapp_fit_ask_set_profiles (SsappFitAsk *self, const char *names);
/* Another scenario, with the same bodies; taken. */
void ssapp_fit_ask_set_scenario (SsappFitAsk *self, SsScenario *scenario);

/* What came of it. */
typedef struct {
  SsFitResult result;
  GPtrArray *channels;     /* of char *, borrowed from the result */
  SsappFitMotion *motions; /* n_trials; NULL: they could not be made */
} SsappFitDone;

/* The fit, with its motions; steps (of SsappFitStep) are appended to `steps` by the way. FALSE with an error; *done is
 * empty then. */
gboolean ssapp_fit_ask_run (SsappFitAsk *self, SsRunControl *control, GArray *steps, SsappFitDone *done,
                            GError **error);
void ssapp_fit_done_clear (SsappFitDone *done); /* a zeroed one is allowed */
/* All of it, borrowed: all trials, the usual pair. */
SsappFitPicture ssapp_fit_done_picture (const SsappFitDone *done, const SsappFitAsk *ask, GArray *steps);

G_END_DECLS
