/* app/export/ssapp-worlds-axes.h: what the map of other worlds (plot `worlds-map`) can have along its axes: numbers of
 * the worlds (plan/ss-worlds-table.h), and how far the plan ends from its goal there. Threads: any. */
#pragma once

#include <glib.h>

#include "core/ss-trajectory.h"

G_BEGIN_DECLS

/* Their names, "box.mass", ..., "miss", "angle": of const char *, borrowed from the table; the last two are always
 * there. */
GPtrArray *ssapp_worlds_axes (const SsTrajectory *worlds);
/* What the axes show where nobody chose: the two numbers that explain most of where the plan misses, of one number
 * alone that and the miss. Borrowed. */
void ssapp_worlds_first_axes (const SsTrajectory *worlds, const char *axes[2]);

G_END_DECLS
