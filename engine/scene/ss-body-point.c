/* engine/scene/ss-body-point.c: named points of bodies, "points": {"end": [0, -0.2]}, and what formulas read of them:
 * "shank.end.x", .y, .vx, .vy in the world's frame, written out in the states of the body. */
#include "scene/ss-scene-private.h"

#include <string.h>

enum { POINTS_MAX = 64 };

static const char *const point_channels[] = {"x", "y", "vx", "vy", NULL};

void
ss_read_body_points (SsReader *reader, const SsJsonAt *body_at, SsBody *body)
{
  SsJsonAt at, child;

  if (!ss_at_member (reader, body_at, "points", &at) || !ss_read_is_object (reader, &at))
    return;
  const size_t n = json_object_size (at.value);
  if (n > POINTS_MAX) {
    ss_reader_problem (reader, &at, "at most 64 points", "the body has too many named points");
    return;
  }
  SsBodyPoint *points = ss_reader_alloc (reader, n, sizeof *points);
  body->points = points;
  for (bool more = points != NULL && ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child)) {
    SsVec2 place;
    if (strcmp (child.key, "description") == 0)
      continue;
    if (!ss_read_is_name (reader, &child, child.key, false, "a point") || !ss_read_pair (reader, &child, &place))
      continue;
    points[body->n_points].name = ss_reader_strdup (reader, child.key);
    points[body->n_points++].at = (SsVec2){place.x + body->origin.x, place.y + body->origin.y};
  }
}

/* The place of the last dot before `end`, -1: none. */
static int
last_dot (const char *name, size_t end)
{
  for (size_t i = end; i > 0; i--)
    if (name[i - 1] == '.')
      return (int)i - 1;
  return -1;
}

static SsExpr
input (SsGraph *g, int body, int channel)
{
  return ss_graph_input (g, SS_BODY_CHANNELS * body + channel);
}

/* Of the arm R (theta) p: its part along x (0) or y (1). */
static SsExpr
arm (SsGraph *g, int body, SsVec2 p, int part)
{
  const SsExpr theta = input (g, body, 2);
  const SsExpr c = ss_graph_unary (g, SS_OP_COS, theta), s = ss_graph_unary (g, SS_OP_SIN, theta);
  const SsExpr px = ss_graph_constant (g, p.x), py = ss_graph_constant (g, p.y);
  const SsExpr of_y = ss_graph_binary (g, SS_OP_MUL, part == 0 ? s : c, py),
               of_x = ss_graph_binary (g, SS_OP_MUL, part == 0 ? c : s, px);

  return ss_graph_binary (g, part == 0 ? SS_OP_SUB : SS_OP_ADD, of_x, of_y);
}

bool
ss_scene_point_formula (const SsSceneReader *scene, const char *name, size_t length, SsExpr *out)
{
  SS_ASSERT (scene != NULL);

  SsGraph *g = scene->reader->scenario->graph;
  const int dot = last_dot (name, length), first = dot > 0 ? last_dot (name, (size_t)dot) : -1;
  if (first <= 0)
    return false;
  const SsSymbol *symbol = ss_names_find (&scene->body_names, name, (size_t)first);
  const size_t n_point = (size_t)(dot - first - 1), n_channel = length - (size_t)dot - 1;
  for (int k = 0; symbol != NULL && k < scene->bodies[symbol->index].n_points; k++) {
    const SsBodyPoint *point = &scene->bodies[symbol->index].points[k];
    if (strlen (point->name) != n_point || strncmp (point->name, name + first + 1, n_point) != 0)
      continue;
    for (int c = 0; point_channels[c] != NULL; c++) {
      if (strlen (point_channels[c]) != n_channel || strncmp (point_channels[c], name + dot + 1, n_channel) != 0)
        continue;
      const int part = c % 2, b = symbol->index;
      const SsExpr along = arm (g, b, point->at, c < 2 ? part : 1 - part);
      if (c < 2)
        *out = ss_graph_binary (g, SS_OP_ADD, input (g, b, part), along);
      else { /* v + omega (-arm_y, arm_x) */
        const SsExpr turning = ss_graph_binary (g, SS_OP_MUL, input (g, b, 5), along);
        *out = ss_graph_binary (g, part == 0 ? SS_OP_SUB : SS_OP_ADD, input (g, b, 3 + part), turning);
      }
      return true;
    }
  }
  return false;
}

const char *
ss_scene_point_nearest (const SsBody *body, const char *wrong)
{
  SS_ASSERT (body != NULL);

  const char *names[POINTS_MAX];
  for (int i = 0; i < body->n_points; i++)
    names[i] = body->points[i].name;
  return ss_nearest_name (wrong, names, body->n_points);
}
