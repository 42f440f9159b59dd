/* app/session/ssapp-fit-columns.h: which column of a measured table is which channel of a scene, in which unit.
 *
 * A column that is called as a channel (`box.x`) is it. Others are guessed by their names where that is asked for
 * (`box_x [mm]`, `angle_deg` where one body moves), or told: "px=box.x:mm,guess,frame=".
 * Threads: any, one at a time. Tests: tests/unit/test-fit-session.c, tests/cli/test-fit.sh */
#pragma once

#include "scene/ss-scenario.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  char *column;        /* as the file calls it; owned, as channel */
  char *channel;       /* "box.x"; NULL: it is not read */
  const char *unit;    /* of ssapp_fit_units: what the column's numbers are in; static */
  gboolean is_named;   /* it is called as a channel */
  gboolean is_guessed; /* by its name, which is not a channel's */
} SsappFitColumn;

/* The columns of all tables (SsTrajectory *), each name once, in their order, without t; those that are called as
 * channels of bodies of the scene are these. Of SsappFitColumn; owned. */
GArray *ssapp_fit_columns_new (const SsScenario *scenario, GPtrArray *tables);
/* Those that are no channel yet, by their names. */
void ssapp_fit_columns_guess (GArray *columns, const SsScenario *scenario);
/* "COLUMN=BODY.COORDINATE:UNIT,..., guess": what is told, in its order. Without a unit SI; nothing behind "=": the
 * column is not read. FALSE with an error that names what is wrong; the columns are as they were then. */
gboolean ssapp_fit_columns_map (GArray *columns, const SsScenario *scenario, const char *text, GError **error);
/* The text by which the map above makes the same of new columns; "" where nothing is to be told; g_free. */
char *ssapp_fit_columns_text (GArray *columns);
/* The table with its channels in SI units, owned. NULL with an error: two columns of it are one channel, or none is
 * any. */
SsTrajectory *ssapp_fit_columns_apply (GArray *columns, const SsTrajectory *table, GError **error);

/* Units of a channel, the one of SI first, NULL-terminated; static. */
const char *const *ssapp_fit_units (const char *channel);
/* Channels of the bodies that can move, x, y, theta, vx, vy, omega each; of char *, owned. */
GPtrArray *ssapp_fit_channels (const SsScenario *scenario);

G_END_DECLS
