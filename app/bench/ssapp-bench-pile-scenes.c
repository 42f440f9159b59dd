/* app/bench/ssapp-bench-pile-scenes.c: the scenario files of ssapp-bench-piles.h. */
#include "app/bench/ssapp-bench-piles.h"
#include "app/bench/ssapp-bench-common.h"

#include "core/ss-random.h"

#include <math.h>
#include <string.h>

static const double GRAVITY = 9.8, FRICTION = 0.6; /* m/s2 */
static const double STEP = 0.01;                   /* s */
/* Piles: bodies of 40 cm in columns .5 m apart and layers .6 m apart, so that none touches another at the start. [m] */
static const double DISC_RADIUS = 0.2, BOX_SIDE = 0.4, COLUMN = 0.5, LAYER = 0.6, LOWEST = 0.35;
static const double AWAY_X = 0.04, AWAY_Y = 0.03, TURNED = 0.1; /* most, by the seed [m], [m], [rad] */

static const struct {
  const char *name;
  int n; /* bodies of a pile, rows of a pyramid */
  gboolean is_pile, is_hit;
  double t_end; /* s */
} scenes[] = {
    {"pyramid-105-touching", 14, FALSE, FALSE, 5},
    {"pyramid-105-touching-hit", 14, FALSE, TRUE, 3},
    {"pile-100", 100, TRUE, FALSE, 5},
    {"pile-400", 400, TRUE, FALSE, 5},
    {"pile-1000", 1000, TRUE, FALSE, 5},
    {"pyramid-1035-touching", 45, FALSE, FALSE, 2},
};

const char *const ssapp_bench_pile_names[] = {"pyramid-105-touching",
                                              "pyramid-105-touching-hit",
                                              "pile-100",
                                              "pile-400",
                                              "pile-1000",
                                              "pyramid-1035-touching",
                                              NULL};

static json_t *
body_new (const char *kind, int index, json_t *shape, double mass, double x, double y, double angle)
{
  g_autofree char *name = g_strdup_printf ("%s%d", kind, index);

  return json_pack ("{s:s, s:o, s:f, s:[f,f], s:f}", "name", name, "shape", shape, "mass", mass, "position", x, y,
                    "angle", angle);
}

static void
add_wall (json_t *bodies, const char *name, double x)
{
  json_array_append_new (bodies, json_pack ("{s:s, s:b, s:o, s:[f,f]}", "name", name, "fixed", 1, "shape",
                                            ssapp_bench_box (0.4, 60), "position", x, 30.0));
}

static void
add_pile (json_t *bodies, int n, guint64 seed)
{
  const int columns = (int)lround (sqrt (n));
  const double half = columns * COLUMN / 2 + COLUMN;
  SsRandom random;

  ss_random_seed (&random, seed);
  add_wall (bodies, "left", -half);
  add_wall (bodies, "right", half);
  for (int k = 0; k < n; k++) {
    const int i = k / columns, j = k % columns;
    const double x = (j - (columns - 1) / 2.0) * COLUMN + ss_random_between (&random, -AWAY_X, AWAY_X);
    const double y = LOWEST + i * LAYER + ss_random_between (&random, -AWAY_Y, AWAY_Y);
    json_array_append_new (bodies, (i + j) % 2 ? body_new ("disc", k, ssapp_bench_disc (DISC_RADIUS), 1, x, y, 0)
                                               : body_new ("box", k, ssapp_bench_box (BOX_SIDE, BOX_SIDE), 1, x, y,
                                                           ss_random_between (&random, -TURNED, TURNED)));
  }
}

static void
add_pyramid (json_t *bodies, int rows)
{
  for (int i = 0, k = 0; i < rows; i++)
    for (int j = 0; j < rows - i; j++)
      json_array_append_new (bodies,
                             body_new ("brick", k++, ssapp_bench_box (1, 1), 1, j - (rows - 1 - i) / 2.0, i + 0.5, 0));
}

char *
ssapp_bench_pile_text (const char *name, guint64 seed)
{
  json_t *bodies = json_array ();
  guint s = 0;

  while (s < G_N_ELEMENTS (scenes) && strcmp (scenes[s].name, name) != 0)
    s++;
  g_assert (s < G_N_ELEMENTS (scenes));
  json_array_append_new (bodies, json_pack ("{s:s, s:b, s:{s:s, s:[i,i]}, s:[i,i]}", "name", "floor", "fixed", 1,
                                            "shape", "type", "half-plane", "normal", 0, 1, "position", 0, 0));
  if (scenes[s].is_pile)
    add_pile (bodies, scenes[s].n, seed);
  else
    add_pyramid (bodies, scenes[s].n);
  if (scenes[s].is_hit) {
    json_t *ball = body_new ("ball", 0, ssapp_bench_disc (0.5), 5, -12, 5.5, 0);
    json_object_set_new (ball, "velocity", json_pack ("[i,i]", 12, 0));
    json_array_append_new (bodies, ball);
  }
  json_t *file =
      json_pack ("{s:i, s:s, s:{s:[f,f], s:f, s:o}, s:{s:f, s:f}}", "format", 1, "name", name, "scene", "gravity", 0.0,
                 -GRAVITY, "friction", FRICTION, "bodies", bodies, "task", "t_end", scenes[s].t_end, "dt", STEP);
  char *text = json_dumps (file, 0), *copy = g_strdup (text);
  free (text);
  json_decref (file);
  return copy;
}
