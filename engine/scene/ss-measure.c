/* engine/scene/ss-measure.c: see the header. */
#include "scene/ss-measure.h"

#include "core/ss-memory.h"
#include "core/ss-option.h"
#include "scene/ss-motion-bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* A feature in the world. */
typedef struct {
  SsVec2 at;
  double turned; /* of its body [rad] */
} Place;

static Place
place (const SsFeature *feature, const double *poses, int stride)
{
  if (feature->body < 0)
    return (Place){feature->at, 0};
  const double *pose = poses + (size_t)stride * (size_t)feature->body;
  const SsVec2 arm = ss_vec2_turned (feature->at, pose[2]);

  return (Place){{pose[0] + arm.x, pose[1] + arm.y}, pose[2]};
}

/* Signed distance of a point from the line of an edge, and the foot there. */
static double
from_line (const SsFeature *edge, const Place *of_edge, SsVec2 point, SsVec2 *foot)
{
  const double angle = of_edge->turned + edge->direction;
  const SsVec2 along = {cos (angle), sin (angle)}, d = {point.x - of_edge->at.x, point.y - of_edge->at.y};
  const double s = along.x * d.x + along.y * d.y;

  *foot = (SsVec2){of_edge->at.x + s * along.x, of_edge->at.y + s * along.y};
  return edge->side * (along.x * d.y - along.y * d.x);
}

SsMeasured
ss_measure_at (const SsMeasure *measure, const double *poses, int stride)
{
  SS_ASSERT (measure != NULL && poses != NULL && stride >= 3);

  const SsFeature *a = &measure->a, *b = &measure->b;
  const Place of_a = place (a, poses, stride), of_b = place (b, poses, stride);
  SsMeasured out = {.from = of_a.at, .to = of_b.at};

  if (measure->is_angle) {
    const bool is_about_a = b->body < 0 || b->is_surface;
    out.value = of_b.turned - of_a.turned + remainder (b->direction - a->direction, 2 * PI);
    out.direction = of_a.turned + a->direction;
    out.to = is_about_a ? of_a.at : of_b.at;
  } else if (a->is_edge)
    out.value = from_line (a, &of_a, of_b.at, &out.from);
  else if (b->is_edge)
    out.value = from_line (b, &of_b, of_a.at, &out.to);
  else
    out.value = hypot (of_b.at.x - of_a.at.x, of_b.at.y - of_a.at.y);
  return out;
}

/* ---- features by their texts ------------------------------------------------------------------------------------- */

static void
set_edge (SsFeature *feature, SsVec2 from, SsVec2 to, int side)
{
  feature->at = (SsVec2){(from.x + to.x) / 2, (from.y + to.y) / 2};
  feature->direction = atan2 (to.y - from.y, to.x - from.x);
  feature->is_edge = true;
  feature->side = side;
}

static void
set_surface (SsFeature *feature, const SsShape *plane)
{
  feature->at = plane->centre;
  feature->direction = atan2 (-plane->normal.x, plane->normal.y); /* the normal turned clockwise */
  feature->is_edge = feature->is_surface = true;
  feature->side = 1;
}

static void
set_point (SsFeature *feature, SsVec2 at)
{
  feature->at = at;
  feature->direction = at.x != 0 || at.y != 0 ? atan2 (at.y, at.x) : 0;
}

/* Corner or edge `number` of a body, from 1; `*n`: how many there are. */
static bool
set_numbered (SsFeature *feature, const SsBody *body, bool is_edge, long number, int *n)
{
  *n = 0;
  for (int s = 0; s < ss_body_n_shapes (body); s++) {
    const SsShape *shape = ss_body_shape (body, s);
    const bool is_polygon = shape->kind == SS_SHAPE_POLYGON, is_plane = shape->kind == SS_SHAPE_HALF_PLANE;
    const int n_corners = is_polygon || shape->kind == SS_SHAPE_CAPSULE || shape->kind == SS_SHAPE_SEGMENT
                              ? shape->n_vertices
                              : 0,
              n_own = !is_edge || is_polygon ? n_corners : n_corners > 0 || is_plane;
    const long i = number - 1 - *n;

    *n += n_own;
    if (i < 0 || i >= n_own)
      continue;
    if (is_plane)
      set_surface (feature, shape);
    else if (is_edge)
      set_edge (feature, shape->vertices[i], shape->vertices[(i + 1) % n_corners], is_polygon ? -1 : 1);
    else
      set_point (feature, shape->vertices[i]);
  }
  return number >= 1 && number <= *n;
}

static const SsBody *
find_body (const SsBody *bodies, int n_bodies, const char *name, size_t length)
{
  for (int i = 0; i < n_bodies; i++)
    if (strlen (bodies[i].name) == length && strncmp (bodies[i].name, name, length) == 0)
      return &bodies[i];
  return NULL;
}

static const char expected[] =
    "BODY, BODY.POINT, BODY.cornerN, BODY.edgeN, or \"x,y\" in the world [m]; counted from 1";

static SsStatus
refuse (SsError *err, const char *what, const char *message)
{
  const SsStatus status = ss_error_set (err, SS_ERR_INVALID, "%s", message);

  if (err != NULL)
    snprintf (err->expected, sizeof err->expected, "%s", what);
  return status;
}

/* "x,y"; false: the text is none. */
static bool
take_place (const char *text, SsFeature *feature)
{
  const char *comma = strchr (text, ',');
  char first[64];
  SsVec2 at;

  if (comma == NULL || (size_t)(comma - text) >= sizeof first)
    return false;
  snprintf (first, sizeof first, "%.*s", (int)(comma - text), text);
  if (!ss_parse_double (first, &at.x) || !ss_parse_double (comma + 1, &at.y) || !isfinite (at.x) || !isfinite (at.y))
    return false;
  *feature = (SsFeature){.body = -1, .at = at};
  return true;
}

static SsStatus
take_part (const SsBody *body, const char *part, SsFeature *feature, SsError *err)
{
  const bool is_edge = strncmp (part, "edge", 4) == 0, is_corner = strncmp (part, "corner", 6) == 0;
  const char *digits = part + (is_edge ? 4 : 6);
  char message[200];
  int n = 0;

  for (int i = 0; i < body->n_points; i++)
    if (strcmp (body->points[i].name, part) == 0) {
      set_point (feature, body->points[i].at);
      return SS_OK;
    }
  if (!(is_edge || is_corner) || *digits == '\0' || strspn (digits, "0123456789") != strlen (digits)) {
    snprintf (message, sizeof message, "the body '%.60s' has no point '%.60s'", body->name, part);
    return refuse (err, expected, message);
  }
  if (set_numbered (feature, body, is_edge, strtol (digits, NULL, 10), &n))
    return SS_OK;
  snprintf (message, sizeof message, "the body '%.60s' has %d %s", body->name, n, is_edge ? "edges" : "corners");
  return refuse (err, expected, message);
}

static SsStatus
take_feature (const SsBody *bodies, int n_bodies, const char *text, SsFeature *feature, SsError *err)
{
  const char *dot = strrchr (text, '.');
  const SsBody *body = find_body (bodies, n_bodies, text, strlen (text));
  char message[200];

  *feature = (SsFeature){.body = body != NULL ? (int)(body - bodies) : -1};
  if (body != NULL) {
    if (ss_body_shape (body, 0)->kind == SS_SHAPE_HALF_PLANE)
      set_surface (feature, ss_body_shape (body, 0));
    return SS_OK;
  }
  body = dot != NULL ? find_body (bodies, n_bodies, text, (size_t)(dot - text)) : NULL;
  if (body != NULL) {
    feature->body = (int)(body - bodies);
    return take_part (body, dot + 1, feature, err);
  }
  if (take_place (text, feature))
    return SS_OK;
  snprintf (message, sizeof message, "'%.100s' is no feature of the scene", text);
  return refuse (err, expected, message);
}

SsStatus
ss_measure_between (const SsBody *bodies, int n_bodies, const char *name, bool is_angle, const char *a, const char *b,
                    SsMeasure *measure, SsError *err)
{
  SS_ASSERT ((bodies != NULL || n_bodies == 0) && name != NULL && a != NULL && b != NULL && measure != NULL);

  *measure = (SsMeasure){.name = name, .is_angle = is_angle};
  SsStatus status = take_feature (bodies, n_bodies, a, &measure->a, err);
  if (status == SS_OK)
    status = take_feature (bodies, n_bodies, b, &measure->b, err);
  if (status != SS_OK)
    return status;
  if (!is_angle && measure->a.is_edge && measure->b.is_edge)
    return refuse (err, "a point on one side at least, or an angle", "two edges have no distance that stays one");
  if (measure->a.body == measure->b.body)
    return refuse (err, "features of two bodies, or of a body and the world",
                   measure->a.body < 0 ? "both features are of the world" : "both features are of one body");
  return SS_OK;
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static SsStatus
check_bodies (const SsScene *scene, const SsMeasure *measure, const int *columns, SsError *err)
{
  const int bodies[] = {measure->a.body, measure->b.body};

  for (int i = 0; i < 2; i++)
    for (int c = 0; bodies[i] >= 0 && !scene->bodies[bodies[i]].is_fixed && c < 3; c++)
      if (columns[SS_BODY_CHANNELS * bodies[i] + c] < 0)
        return ss_error_set (err, SS_ERR_INVALID, "the motion has no channel '%.100s.%s'",
                             scene->bodies[bodies[i]].name, ss_body_channels[c]);
  return SS_OK;
}

/* The rows of the motion with these measures behind them. */
static SsStatus
fill (const SsScene *scene, const SsMeasure *const *wanted, int n, const int *columns, const SsTrajectory *motion,
      SsTrajectory *out, SsError *err)
{
  double *row = ss_new_array (double, motion->n_channels + n + 6 * scene->n_bodies);
  SsStatus status = row != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  for (int k = 0; k < motion->n_rows && status == SS_OK; k++) {
    double *more = row + motion->n_channels, *q = more + n;
    memcpy (row, ss_trajectory_row (motion, k), (size_t)motion->n_channels * sizeof *row);
    ss_motion_read_bodies (row, scene, columns, q, q + 3 * scene->n_bodies);
    for (int i = 0; i < n; i++)
      more[i] = ss_measure_at (wanted[i], q, 3).value;
    status = ss_trajectory_append (out, row, err);
    ss_trajectory_pass (motion, k);
  }
  ss_free (row);
  return status;
}

SsStatus
ss_motion_add_measures (const SsScene *scene, const SsMeasure *measures, int n_measures, SsTrajectory **motion,
                        SsError *err)
{
  SS_ASSERT (scene != NULL && (measures != NULL || n_measures == 0) && motion != NULL && *motion != NULL);

  if (n_measures == 0)
    return SS_OK;
  const int n_old = (*motion)->n_channels;
  SsChannel *channels = ss_new_array (SsChannel, n_old + n_measures);
  const SsMeasure **wanted = ss_new_array (const SsMeasure *, n_measures + 1);
  char (*names)[SS_CHANNEL_NAME_MAX] = ss_alloc ((size_t)n_measures + 1, sizeof *names);
  int *columns = ss_new_array (int, SS_BODY_CHANNELS * scene->n_bodies + 1), n = 0;
  SsTrajectory *out = NULL;
  SsStatus status = SS_OK;

  if (channels == NULL || wanted == NULL || names == NULL || columns == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    goto done;
  }
  memcpy (channels, (*motion)->channels, (size_t)n_old * sizeof *channels);
  ss_motion_find_bodies (*motion, scene, columns);
  for (int i = 0; i < n_measures && status == SS_OK; i++) {
    channels[n_old + n] = ss_measure_channel (&measures[i], names[n], sizeof names[n]);
    if (ss_trajectory_channel (*motion, names[n]) >= 0)
      continue;
    wanted[n++] = &measures[i];
    status = check_bodies (scene, &measures[i], columns, err);
  }
  if (status != SS_OK || n == 0)
    goto done;
  status = ss_trajectory_new (channels, n_old + n, (*motion)->n_rows, &out, err);
  if (status == SS_OK)
    status = fill (scene, wanted, n, columns, *motion, out, err);
  if (status == SS_OK) {
    SsTrajectory *old = *motion;
    *motion = out;
    out = old;
  }

done:
  ss_trajectory_free (out);
  ss_free (columns);
  ss_free (names);
  ss_free (wanted);
  ss_free (channels);
  return status;
}
