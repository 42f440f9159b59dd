/* app/exchange/ssapp-pose.c: see the header. */
#include "app/exchange/ssapp-pose.h"

#include <math.h>
#include <string.h>

/* Directions that agree to this part count as one: what a file's decimals leave. */
#define SAME 1e-6

double
ssapp_vec3_dot (SsappVec3 a, SsappVec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

SsappVec3
ssapp_vec3_cross (SsappVec3 a, SsappVec3 b)
{
  return (SsappVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SsappVec3
ssapp_vec3_plus (SsappVec3 a, SsappVec3 b, double times)
{
  return (SsappVec3){a.x + times * b.x, a.y + times * b.y, a.z + times * b.z};
}

double
ssapp_vec3_length (SsappVec3 a)
{
  return sqrt (ssapp_vec3_dot (a, a));
}

gboolean
ssapp_vec3_normalise (SsappVec3 *a)
{
  const double length = ssapp_vec3_length (*a);

  if (!(length > 0) || !isfinite (length))
    return FALSE;
  *a = (SsappVec3){a->x / length, a->y / length, a->z / length};
  return TRUE;
}

SsappVec3
ssapp_pose_turned (const SsappPose *pose, SsappVec3 d)
{
  double out[3];

  for (int i = 0; i < 3; i++)
    out[i] = pose->turn[i][0] * d.x + pose->turn[i][1] * d.y + pose->turn[i][2] * d.z;
  return (SsappVec3){out[0], out[1], out[2]};
}

SsappVec3
ssapp_pose_point (const SsappPose *pose, SsappVec3 point)
{
  return ssapp_vec3_plus (ssapp_pose_turned (pose, point), pose->at, 1);
}

/* The turn of `b`, then that of `a`; `out` may be one of them. */
static void
multiply (const SsappPose *a, const SsappPose *b, SsappPose *out)
{
  double c[3][3];

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c[i][j] = a->turn[i][0] * b->turn[0][j] + a->turn[i][1] * b->turn[1][j] + a->turn[i][2] * b->turn[2][j];
  memcpy (out->turn, c, sizeof c);
}

SsappPose
ssapp_pose_in (const SsappPose *outer, const SsappPose *inner)
{
  SsappPose pose;

  multiply (outer, inner, &pose);
  pose.at = ssapp_pose_point (outer, inner->at);
  return pose;
}

gboolean
ssapp_pose_quaternion (SsappPose *pose, const double q[4])
{
  const double length = sqrt (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;

  if (!(length > 0) || !isfinite (length))
    return FALSE;
  const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy (pose->turn, turn, sizeof turn);
  return TRUE;
}

void
ssapp_pose_about (SsappPose *pose, SsappVec3 axis, double angle)
{
  const double c = cos (angle), s = sin (angle), v = 1 - c;
  const double x = axis.x, y = axis.y, z = axis.z;
  const double turn[3][3] = {{c + x * x * v, x * y * v - z * s, x * z * v + y * s},
                             {x * y * v + z * s, c + y * y * v, y * z * v - x * s},
                             {x * z * v - y * s, y * z * v + x * s, c + z * z * v}};

  memcpy (pose->turn, turn, sizeof turn);
}

gboolean
ssapp_pose_axes (SsappPose *pose, SsappVec3 x, SsappVec3 y)
{
  SsappVec3 z;

  if (!ssapp_vec3_normalise (&x))
    return FALSE;
  y = ssapp_vec3_plus (y, x, -ssapp_vec3_dot (x, y));
  if (!ssapp_vec3_normalise (&y))
    return FALSE;
  z = ssapp_vec3_cross (x, y);
  const double turn[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
  memcpy (pose->turn, turn, sizeof turn);
  return TRUE;
}

gboolean
ssapp_pose_to_axis (SsappPose *pose, SsappVec3 axis)
{
  const SsappVec3 z = {0, 0, 1};
  SsappVec3 about;

  if (!ssapp_vec3_normalise (&axis))
    return FALSE;
  about = ssapp_vec3_cross (z, axis);
  const double angle = atan2 (ssapp_vec3_length (about), axis.z);
  if (!ssapp_vec3_normalise (&about))
    about = (SsappVec3){1, 0, 0};
  ssapp_pose_about (pose, about, angle);
  return TRUE;
}

void
ssapp_pose_euler (SsappPose *pose, const double angles[3], const char *sequence)
{
  SsappPose whole = SSAPP_POSE_NONE, one = SSAPP_POSE_NONE;

  for (int i = 0; i < 3; i++) {
    const char c = g_ascii_tolower (sequence[i]);
    ssapp_pose_about (&one, (SsappVec3){c == 'x', c == 'y', c == 'z'}, angles[i]);
    if (g_ascii_islower (sequence[i]))
      multiply (&whole, &one, &whole);
    else
      multiply (&one, &whole, &whole);
  }
  memcpy (pose->turn, whole.turn, sizeof whole.turn);
}

SsVec2
ssapp_view_of (const SsappView *view, SsappVec3 point)
{
  return (SsVec2){ssapp_vec3_dot (view->x, point), ssapp_vec3_dot (view->y, point)};
}

gboolean
ssapp_view_angle (const SsappView *view, const SsappPose *pose, double *angle)
{
  const SsappVec3 normal = ssapp_pose_turned (pose, view->normal);

  if (ssapp_vec3_dot (normal, view->normal) < 1 - SAME)
    return FALSE;
  const SsVec2 x = ssapp_view_of (view, ssapp_pose_turned (pose, view->x));
  *angle = atan2 (x.y, x.x);
  return TRUE;
}
