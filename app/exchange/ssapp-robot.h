/* app/exchange/ssapp-robot.h: files of robots, MJCF (MuJoCo) and URDF, as scenes, and scenes as MJCF.
 *
 * A scene is what is planar of such a file. What it cannot say is told, a line each, with the place. Threads: any.
 * Tests: tests/unit/test-mjcf.c, tests/cli/test-exchange.sh, tests/cli/check-exchange.py; manual: data/manual/robots.md
 */
#pragma once

#include <gio/gio.h>

#include "scene/ss-scenario.h"

G_BEGIN_DECLS

/* An end of a range of MJCF, which has two, that is none: in the file's unit. */
#define SSAPP_ROBOT_FAR 1e6

typedef struct {
  gboolean is_xy;    /* the plane: X to the right and Y up; else X to the right and Z up */
  gboolean is_lossy; /* what would make the motion another one is left out, and told, instead of refused */
} SsappRobotOptions;

/* Whether the file is taken for a robot's, by its ending: .xml, .mjcf or .urdf. */
gboolean ssapp_robot_is_path (const char *path);
/* The text of a scenario, g_free. Appends to `told`, of texts that g_free frees, "FILE:LINE: element 'name': what" of
 * all that is left out or changed, in the order of the file. NULL with an error: no such file, or, where `told` has
 * lines, what cannot be left out. */
char *ssapp_robot_to_scene (const char *path, const char *text, gsize length, const SsappRobotOptions *options,
                            GPtrArray *told, GError **error);
/* The other way: a scene as MJCF, g_free. Told is "FILE: thing 'name': what" of the scenario's file `path`. */
char *ssapp_scene_to_mjcf (const char *path, const SsScenario *scenario, const SsappRobotOptions *options,
                           GPtrArray *told, GError **error);

G_END_DECLS
