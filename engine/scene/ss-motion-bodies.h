/* engine/scene/ss-motion-bodies.h: where bodies are in a row of a motion, by the names of its channels.
 *
 * Units    those of channels: m, rad, m/s, rad/s.
 * Threads  any. Tests: tests/numeric/test-refine.c
 */
#pragma once

#include "scene/ss-scenario.h"

/* Columns of the bodies in a motion, SS_BODY_CHANNELS a body in the order of ss_body_channels; -1: it has none. */
void ss_motion_find_bodies (const SsTrajectory *motion, const SsScene *scene, int *columns);
/* x, y, theta and their rates, 3 a body, in a row; what has no column is as the scene begins. */
void ss_motion_read_bodies (const double *row, const SsScene *scene, const int *columns, double *q, double *v);
