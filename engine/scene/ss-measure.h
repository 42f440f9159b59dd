/* engine/scene/ss-measure.h: distances and angles between features of a scene: what a person would take a ruler and a
 * protractor for. They are channels `measure.NAME` of its motions.
 *
 * Feature   the centre of a body; a point of it, by its frame's coordinates or by its name; a corner of its shapes; an
 *           edge of them, the surface of a half-plane among these; a point of the world. Corners are counted from 1
 *           through all shapes of the body, in the order of the file (polygons counter-clockwise, which the reader
 *           makes them); edge i begins at corner i. Ends of capsules and segments are corners, the line between them
 *           an edge.
 * Distance  [m] of two points; of a point and an edge: from the edge's whole line, positive on the side away from the
 *           matter (of segments and capsules: left of the way from the first end to the second).
 * Angle     [rad] from the first feature's direction to the second's, counter-clockwise: that of an edge is the way
 *           along it with the matter on the left, of a half-plane's surface with the matter on the right (so that a box
 *           lies on the floor at 0); of a point beside the centre the way to it from the centre; of a centre the body's
 *           x axis, of the world its x axis. It is in (-pi, pi] where all bodies have the angle 0, and counts turns.
 * Threads   any. Tests: tests/unit/test-measure.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct {
  double value;     /* [m] or [rad] */
  SsVec2 from, to;  /* of the world [m]: the points that are apart; `from` of an edge is the point's foot on its line */
  double direction; /* of an angle, which is about `to`: the first direction in the world [rad] */
} SsMeasured;

/* Where body i of the scene is at poses[stride i + 0..2] (x, y [m], theta [rad]). */
SsMeasured ss_measure_at (const SsMeasure *measure, const double *poses, int stride);

/* A measure between two features of these bodies as texts: BODY, BODY.POINT, BODY.cornerN, BODY.edgeN, or "x,y" in the
 * world [m]. A named point goes before a corner or edge of that name; BODY alone of a half-plane is its surface. Its
 * name is `name`, borrowed. SS_ERR_INVALID: one is no feature, err->expected says what is one; or the two have no such
 * measure. */
SS_NODISCARD SsStatus ss_measure_between (const SsBody *bodies, int n_bodies, const char *name, bool is_angle,
                                          const char *a, const char *b, SsMeasure *measure, SsError *err);

/* The channel of a measure, `measure.NAME`; the name is written into the buffer, its other texts are the measure's.
 * ss-channels.c */
SsChannel ss_measure_channel (const SsMeasure *measure, char *name, size_t size);
/* Replaces the motion by the same with the channels of those of these measures that it lacks, from the bodies in its
 * rows. On failure it stays: SS_ERR_INVALID, a body is not in it; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_motion_add_measures (const SsScene *scene, const SsMeasure *measures, int n_measures,
                                              SsTrajectory **motion, SsError *err);
