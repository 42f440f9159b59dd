/* app/document/ssapp-place.c: gaps of whole bodies, settling to zero, casting, and the commands "Rest on" and "Flush
 * with". See the header; snapping is in ssapp-place-snap.c. */
#include "app/document/ssapp-place.h"

#include <math.h>
#include <string.h>

/* [m] Bodies that lie this deep in one another were meant to touch: places are drawn to a nanometre. */
#define TOUCHING 3e-9
/* Steps of Newton's method: they double the digits. */
#define MAX_STEPS 60
/* Motion along a surface meets it nowhere. [cos of angle to its normal] */
#define ALONG 1e-7

static double
dot (SsVec2 a, SsVec2 b)
{
  return a.x * b.x + a.y * b.y;
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

double
ssapp_place_gap (const SsScene *scene, int body, const double q[3], int other, SsGap *gap)
{
  g_return_val_if_fail (scene != NULL, (double)NAN);
  const SsBody *a = &scene->bodies[body], *b = &scene->bodies[other];
  double smallest = INFINITY;

  for (int i = 0; i < a->n_shapes; i++)
    for (int j = 0; j < b->n_shapes; j++) {
      SsGap gaps[SS_MANIFOLD_MAX];

      if (ss_geometry_manifold (&a->shapes[i], q, &b->shapes[j], b->q, gaps) < 1 || !(gaps[0].phi < smallest))
        continue;
      smallest = gaps[0].phi;
      if (gap != NULL)
        *gap = gaps[0];
    }
  return smallest;
}

/* The shift that changes the gaps by -phi: along the normals alone. */
static gboolean
solve_shift (const SsGap *gaps, int n, SsVec2 *shift)
{
  const SsVec2 m = gaps[0].normal, k = n > 1 ? gaps[1].normal : (SsVec2){-m.y, m.x};
  const double phi = gaps[0].phi, psi = n > 1 ? gaps[1].phi : 0, det = m.x * k.y - m.y * k.x;

  if (fabs (det) < ALONG)
    return FALSE;
  if (n > 1)
    *shift = (SsVec2){(phi * k.y - psi * m.y) / det, (psi * m.x - phi * k.x) / det};
  else
    *shift = (SsVec2){phi * m.x, phi * m.y};
  return TRUE;
}

gboolean
ssapp_place_settle (const SsScene *scene, int body, const int *others, int n_others, double q[3])
{
  double p[3] = {q[0], q[1], q[2]}, best = INFINITY;

  for (int step = 0; step < MAX_STEPS; step++) {
    SsGap gaps[2];
    SsVec2 shift;
    double worst = 0;

    for (int i = 0; i < n_others; i++)
      worst = fmax (worst, fabs (ssapp_place_gap (scene, body, p, others[i], &gaps[i])));
    if (!isfinite (worst))
      return FALSE;
    if (worst < best) {
      best = worst;
      memcpy (q, p, sizeof p);
    }
    if (worst == 0 || (best <= SSAPP_PLACE_EXACT && worst > best) || !solve_shift (gaps, n_others, &shift))
      break;
    p[0] += shift.x;
    p[1] += shift.y;
  }
  return best <= SSAPP_PLACE_EXACT;
}

/* How far the body at q can go along the unit vector until it meets the other; INFINITY: it never does. Negative where
 * it lies a rounding within it. */
static double
ssapp_place_cast (const SsScene *scene, int body, const double q[3], SsVec2 along, int other)
{
  double way = 0;

  /* A line between convex bodies keeps them apart until they have gone its width: no step goes too far. */
  for (int step = 0; step < MAX_STEPS; step++) {
    const double p[3] = {q[0] + way * along.x, q[1] + way * along.y, q[2]};
    SsGap gap = {0};
    const double phi = ssapp_place_gap (scene, body, p, other, &gap);
    const double speed = isfinite (phi) ? dot (gap.normal, along) : 0;

    if (speed <= ALONG)
      return fabs (phi) <= SSAPP_PLACE_EXACT && step > 0 ? way : INFINITY;
    way += phi / speed;
    if (fabs (phi) <= SSAPP_PLACE_EXACT / 100)
      break;
  }
  return way;
}

/* ---- rest -------------------------------------------------------------------------------------------------------- */

/* Where the body is first met by one that comes from far against `down`, as a way along `down` from q: less than 0
 * where it lies within. NAN: it is never met. */
static double
way_from_above (const SsScene *scene, int body, const double q[3], SsVec2 down, int other)
{
  const SsBody *a = &scene->bodies[body], *b = &scene->bodies[other];
  double far = ss_body_radius (a) + ss_body_radius (b) + hypot (b->q[0] - q[0], b->q[1] - q[1]), way;
  SsGap gap = {0};

  if (!isfinite (far)) {
    if (!(ssapp_place_gap (scene, body, q, other, &gap) < 0))
      far = 0;
    else if (-dot (gap.normal, down) >= -ALONG) /* it cannot be left this way */
      return NAN;
    else
      far = -gap.phi / dot (gap.normal, down) + 1;
  }
  const double above[3] = {q[0] - far * down.x, q[1] - far * down.y, q[2]};
  way = ssapp_place_cast (scene, body, above, down, other);
  return isfinite (way) ? way - far : NAN;
}

static SsVec2
down_of (const SsScene *scene)
{
  const double g = hypot (scene->gravity.x, scene->gravity.y);

  return g > 0 ? (SsVec2){scene->gravity.x / g, scene->gravity.y / g} : (SsVec2){0, -1};
}

/* Out of all that the body lies in, against `down`. FALSE if that does not help. */
static gboolean
lift_out (const SsScene *scene, int body, SsVec2 down, double q[3], int *found)
{
  for (int round = 0; round <= scene->n_bodies; round++) {
    double way = 0;

    for (int b = 0; b < scene->n_bodies; b++) {
      double w;

      if (b == body || !(ssapp_place_gap (scene, body, q, b, NULL) < -TOUCHING))
        continue;
      w = way_from_above (scene, body, q, down, b);
      if (w < way) {
        way = w;
        *found = b;
      }
    }
    if (way == 0)
      return *found >= 0;
    q[0] += way * down.x;
    q[1] += way * down.y;
  }
  return FALSE;
}

gboolean
ssapp_place_rest (const SsScene *scene, int body, int on, double q[3], int *found)
{
  g_return_val_if_fail (scene != NULL, FALSE);
  const SsVec2 down = down_of (scene);
  double best = INFINITY;

  *found = -1;
  if (on < 0 && lift_out (scene, body, down, q, found))
    return TRUE;
  for (int b = 0; b < scene->n_bodies; b++) {
    double way;

    if (b == body || (on >= 0 && b != on))
      continue;
    way = on >= 0 ? way_from_above (scene, body, q, down, b) : ssapp_place_cast (scene, body, q, down, b);
    if (isnan (way) || (on < 0 && way < -TOUCHING) || !(way < best))
      continue;
    best = way;
    *found = b;
  }
  if (*found < 0)
    return FALSE;
  q[0] += best * down.x;
  q[1] += best * down.y;
  return TRUE;
}

/* ---- flush ------------------------------------------------------------------------------------------------------- */

static int
nearest_body (const SsScene *scene, int body, const double q[3])
{
  double least = INFINITY;
  int found = -1;

  for (int b = 0; b < scene->n_bodies; b++) {
    double phi = b != body ? ssapp_place_gap (scene, body, q, b, NULL) : INFINITY;
    if (phi < least) {
      least = phi;
      found = b;
    }
  }
  return found;
}

/* The face that looks most along `direction`; NULL without faces. */
static const SsappFace *
face_towards (const GArray *faces, SsVec2 direction, double *cosine)
{
  const SsappFace *found = NULL;

  *cosine = -INFINITY;
  for (guint i = 0; i < faces->len; i++) {
    const SsappFace *face = &g_array_index (faces, SsappFace, i);
    const double c = dot (face->normal, direction);
    if (c > *cosine) {
      *cosine = c;
      found = face;
    }
  }
  return found;
}

/* How far the middle of the body must go along the face so that it lies over it. */
static double
way_onto (const SsappFace *face, const double q[3])
{
  const SsVec2 edge = {face->to.x - face->from.x, face->to.y - face->from.y};
  const double length = hypot (edge.x, edge.y),
               s = dot ((SsVec2){q[0] - face->from.x, q[1] - face->from.y}, edge) / length;

  return face->is_endless ? 0 : CLAMP (s, 0, length) - s;
}

gboolean
ssapp_place_flush (const SsScene *scene, int body, int with, double q[3], int *found)
{
  g_return_val_if_fail (scene != NULL, FALSE);
  const int other = with >= 0 ? with : nearest_body (scene, body, q);
  g_autoptr (GArray) own = ssapp_place_faces (scene, body, q), theirs = NULL;
  const SsappFace *target, *face;
  double cosine, own_cosine, p[3] = {q[0], q[1], q[2]};
  SsGap gap = {0};

  *found = other;
  if (other < 0 || other == body || !isfinite (ssapp_place_gap (scene, body, q, other, &gap)))
    return FALSE;
  theirs = ssapp_place_faces (scene, other, scene->bodies[other].q);
  target = face_towards (theirs, (SsVec2){-gap.normal.x, -gap.normal.y}, &cosine);
  face = target != NULL ? face_towards (own, (SsVec2){-target->normal.x, -target->normal.y}, &own_cosine) : NULL;
  if (face != NULL) {
    /* at most half a right angle or so; the nearest edge of a triangle may be farther */
    const SsVec2 against = {-target->normal.x, -target->normal.y};
    const SsVec2 edge = {target->to.x - target->from.x, target->to.y - target->from.y};
    const double way = way_onto (target, q) / hypot (edge.x, edge.y);
    double height = INFINITY;
    g_autoptr (GArray) turned = NULL;

    p[2] += atan2 (face->normal.x * against.y - face->normal.y * against.x, dot (face->normal, against));
    p[0] += way * edge.x;
    p[1] += way * edge.y;
    turned = ssapp_place_faces (scene, body, p);
    for (guint i = 0; i < turned->len; i++) {
      const SsappFace *f = &g_array_index (turned, SsappFace, i);
      if (f->is_endless)
        height = dot (target->normal, (SsVec2){f->from.x - target->from.x, f->from.y - target->from.y});
      else
        height =
            fmin (height, fmin (dot (target->normal, (SsVec2){f->from.x - target->from.x, f->from.y - target->from.y}),
                                dot (target->normal, (SsVec2){f->to.x - target->from.x, f->to.y - target->from.y})));
    }
    p[0] -= height * target->normal.x;
    p[1] -= height * target->normal.y;
  }
  if (!ssapp_place_settle (scene, body, &other, 1, p))
    return FALSE;
  memcpy (q, p, sizeof p);
  return TRUE;
}
