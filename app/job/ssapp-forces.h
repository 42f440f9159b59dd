/* app/job/ssapp-forces.h: forces of a scene at a state (fesd/ss-forces.h) as a table, as JSON and in words.
 *
 * Threads: any. Tests: tests/cli/test-forces.sh */
#pragma once

#include "app/base/ssapp-table.h"
#include "fesd/ss-forces.h"
#include "core/ss-trajectory.h"

#include <jansson.h>

G_BEGIN_DECLS

/* The state of the scene's own start: q, v of 3 n_bodies each. */
void ssapp_forces_start (const SsScene *scene, double *q, double *v);
/* The state in a row of a motion's numbers (its n_channels values): bodies that do not move may have no channels.
 * FALSE with an error: a channel is missing, or no number. */
gboolean ssapp_forces_state (const SsScene *scene, const SsTrajectory *motion, const double *row, double *q, double *v,
                             GError **error);

/* Name of what an item is of: "box-floor", "shoulder". Borrowed from the scene. */
const char *ssapp_forces_name (const SsScene *scene, const SsForceItem *item);
/* A row for each item; contacts that do not touch are left out. Owned. */
SsappTable *ssapp_forces_to_table (const SsScene *scene, const SsForces *forces, const char *title);
/* Owned by the caller: {t, solved, strikes, unique, motion_unique, answers, all_modes, forces: [...], acceleration:
 * {body: [x, y, theta]}}; contacts that do not touch are in it, with forces of 0. */
json_t *ssapp_forces_to_json (const SsScene *scene, double t, const SsForces *forces);
/* What is to be known of all of them, a sentence each; of char *, owned. `shows_shared`: some that are not unique are
 * shown. */
GPtrArray *ssapp_forces_notes (const SsForces *forces, gboolean shows_shared);
/* Of an item in a line: "normal 4.9 N, friction 1.2 N, sticks"; g_free. */
char *ssapp_forces_words (const SsScene *scene, const SsForceItem *item);

G_END_DECLS
