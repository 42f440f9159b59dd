/* app/exchange/ssapp-pose.h: places and turns in space, as files of robots give them, and the plane that is looked at.
 * Threads: any. Tests: tests/cli/test-exchange.sh */
#pragma once

#include <glib.h>

#include "core/ss-core.h"

G_BEGIN_DECLS

typedef struct {
  double x, y, z;
} SsappVec3;

/* p of a frame becomes at + turn p, row by row. */
typedef struct {
  double turn[3][3];
  SsappVec3 at;
} SsappPose;

/* The plane's directions in space: x to the right, y up, normal towards the viewer (x cross y). */
typedef struct {
  SsappVec3 x, y, normal;
} SsappView;

#define SSAPP_POSE_NONE ((SsappPose){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}})

/* Sums and products of vectors, as their names say; of lengths nothing is checked. */
double ssapp_vec3_dot (SsappVec3 a, SsappVec3 b);
SsappVec3 ssapp_vec3_cross (SsappVec3 a, SsappVec3 b);              /* a x b */
SsappVec3 ssapp_vec3_plus (SsappVec3 a, SsappVec3 b, double times); /* a + times b */
double ssapp_vec3_length (SsappVec3 a);                             /* |a| */
/* FALSE: it has no direction, or is not finite. */
gboolean ssapp_vec3_normalise (SsappVec3 *a);

/* A direction, and a point, of the frame as they are outside. */
SsappVec3 ssapp_pose_turned (const SsappPose *pose, SsappVec3 direction);
SsappVec3 ssapp_pose_point (const SsappPose *pose, SsappVec3 point);
/* What `inner` says in the frame `outer`. */
SsappPose ssapp_pose_in (const SsappPose *outer, const SsappPose *inner);
/* Sets the turn alone. About an axis of length 1 by radians; of a quaternion w, x, y, z (FALSE: 0); columns x and y,
 * made orthogonal (FALSE: parallel); the shortest that takes z to `axis`; three angles about axes as "xyz" names them,
 * small letters of the turned frame, capital ones of the fixed one. */
void ssapp_pose_about (SsappPose *pose, SsappVec3 axis, double angle);
gboolean ssapp_pose_quaternion (SsappPose *pose, const double q[4]);
gboolean ssapp_pose_axes (SsappPose *pose, SsappVec3 x, SsappVec3 y);
gboolean ssapp_pose_to_axis (SsappPose *pose, SsappVec3 axis);
void ssapp_pose_euler (SsappPose *pose, const double angles[3], const char *sequence);

/* Where a point of space is in the plane, moved along its normal; of a direction what is in the plane. */
SsVec2 ssapp_view_of (const SsappView *view, SsappVec3 point);
/* The angle by which a frame is turned in the plane, where its normal stays the plane's: FALSE otherwise. */
gboolean ssapp_view_angle (const SsappView *view, const SsappPose *pose, double *angle);

G_END_DECLS
