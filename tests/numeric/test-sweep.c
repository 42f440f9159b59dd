/* tests/numeric/test-sweep.c: widths and first meetings of shapes that move, against closed forms, and against the gaps
 * of many poses on the way. */
#include "core/ss-random.h"
#include "geometry/ss-sweep.h"
#include "../ss-test.h"

static const SsVec2 box_vertices[] = {{-0.5, -0.01}, {0.5, -0.01}, {0.5, 0.01}, {-0.5, 0.01}};
static const SsVec2 wall_vertices[] = {{-0.025, -1}, {0.025, -1}, {0.025, 1}, {-0.025, 1}};
static const SsVec2 triangle_vertices[] = {{0, 0}, {3, 0}, {0, 4}};
static const SsVec2 line_vertices[] = {{0, -1}, {0, 1}};
static const SsVec2 bar_vertices[] = {{-0.1, 0}, {0.1, 0}};

static const SsShape rod = {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = box_vertices};
static const SsShape wall = {.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = wall_vertices};
static const SsShape triangle = {.kind = SS_SHAPE_POLYGON, .n_vertices = 3, .vertices = triangle_vertices};
static const SsShape line = {.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = line_vertices};
static const SsShape bar = {.kind = SS_SHAPE_CAPSULE, .radius = 0.03, .n_vertices = 2, .vertices = bar_vertices};
static const SsShape disc = {.kind = SS_SHAPE_CIRCLE, .radius = 0.02};
static const SsShape off_centre = {.kind = SS_SHAPE_CIRCLE, .radius = 0.02, .centre = {0.03, -0.04}};
static const SsShape plane = {.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}};

static void
widths (void)
{
  SS_CHECK_NEAR (ss_shape_width (&rod), 0.02, 1e-16);
  SS_CHECK_NEAR (ss_shape_width (&triangle), 2.4, 1e-15); /* the height on the hypotenuse: 2 area / 5 */
  SS_CHECK (ss_shape_width (&line) == 0 && ss_shape_width (&disc) == 0.04 && ss_shape_width (&bar) == 0.06);
  SS_CHECK (isinf (ss_shape_width (&plane)));
  SS_CHECK (ss_shape_thinner_width (0.3, 0.2) == 0.2 && ss_shape_thinner_width (0, 0.2) == 0.1);
  SS_CHECK (ss_shape_thinner_width (0.2, 0) == 0.1 && ss_shape_thinner_width (0, 0) == SS_LINE_WIDTH);
  SS_CHECK (ss_shape_turning_radius (&disc) == 0 && ss_shape_turning_radius (&triangle) == 4);
  SS_CHECK_NEAR (ss_shape_turning_radius (&off_centre), 0.05, 1e-17);
  SS_CHECK (isinf (ss_shape_turning_radius (&plane)));
}

/* A disc flies into a wall, a line and a plane: at the room between them over the way, whatever the way. */
static void
discs_that_fly (void)
{
  static const double origin[3] = {0};
  for (double way = 1; way < 1e6; way *= 10) {
    const double from[3] = {-0.07, 0.3, 0}, to[3] = {-0.07 + way, 0.3 + 0.01 * way, 1};
    const double above[3] = {0, 0.07, 0}, below[3] = {way, 0.07 - way, 0};
    const SsSweep into_wall = {.shape = {&wall, &disc}, .from = {origin, from}, .to = {origin, to}};
    const SsSweep into_line = {.shape = {&disc, &line}, .from = {from, origin}, .to = {to, origin}};
    const SsSweep into_plane = {.shape = {&plane, &disc}, .from = {origin, above}, .to = {origin, below}};
    const double tolerance = 1e-9;
    SS_CHECK_NEAR (ss_sweep_first (&into_wall, 0, 0, tolerance), 0.025 / way, 2 * tolerance / way);
    SS_CHECK_NEAR (ss_sweep_first (&into_line, 0, 0, tolerance), 0.05 / way, 2 * tolerance / way);
    SS_CHECK_NEAR (ss_sweep_first (&into_plane, 0, 0, tolerance), 0.05 / way, 2 * tolerance / way);
    /* as deep as it gets in a line: its radius, where the centre is on it */
    SS_CHECK_NEAR (ss_sweep_first (&into_line, 0, -0.0199, tolerance), 0.0699 / way, 2 * tolerance / way);
    SS_CHECK (isinf (ss_sweep_first (&into_line, 0, -0.0201, tolerance)));
    /* it is past the wall, and what it has passed is behind it */
    SS_CHECK (isinf (ss_sweep_first (&into_wall, fmin (1, 0.12 / way), 0, tolerance)));
  }
}

/* A rod of 1 m and 2 cm turns about its middle by 3 rad onto a peg of 2 cm at D: its face meets it where D sin a is the
 * peg's radius and half of the rod. */
static void
a_rod_that_turns (void)
{
  for (double distance = 0.05; distance < 0.5; distance += 0.05) {
    const double peg[3] = {distance, 0, 0}, from[3] = {0, 0, -2}, to[3] = {0, 0, 1};
    const SsSweep sweep = {.shape = {&rod, &disc}, .from = {from, peg}, .to = {to, peg}};
    /* the gap falls by `distance` a radian at most and half of that at least, so that 1e-9 m are 2e-9/distance rad */
    SS_CHECK_NEAR (3 * ss_sweep_first (&sweep, 0, 0, 1e-9), 2 - asin (0.03 / distance), 2e-9 / distance);
  }
  const double far[3] = {0.53, 0, 0}, from[3] = {0, 0, -2}, to[3] = {0, 0, 1};
  const SsSweep misses = {.shape = {&rod, &disc}, .from = {from, far}, .to = {to, far}};
  SS_CHECK (isinf (ss_sweep_first (&misses, 0, 0, 1e-9))); /* the corner is at .5001 m, the disc begins at .51 */
}

/* Half-planes that turn are not swept. */
static void
a_plane_that_turns (void)
{
  const double from[3] = {0}, to[3] = {0, 0, 1}, at[3] = {0, 1, 0};
  const SsSweep sweep = {.shape = {&plane, &disc}, .from = {from, at}, .to = {to, at}};
  SS_CHECK (isinf (ss_sweep_first (&sweep, 0, 0, 1e-6)));
}

/* An arc of a good quarter turn about the origin in the place of the straight way. */
static void
on_an_arc (const void *owner, double s, double pose[2][3])
{
  (void)owner;
  const double angle = 1.6 * s;
  memset (pose[0], 0, 3 * sizeof (double));
  pose[0][1] = 1;
  pose[1][0] = cos (angle);
  pose[1][1] = sin (angle);
  pose[1][2] = 0;
}

static void
a_way_that_bends (void)
{
  const double a[3] = {0, 1, 0}, from[3] = {1, 0, 0}, to[3] = {cos (1.6), sin (1.6), 0};
  /* points on the arc go with speed 1.6, along the chord with 2 sin .8: they differ by 1.6 + 1.44 at most */
  const SsSweep sweep = {.shape = {&disc, &disc}, .from = {a, from}, .to = {a, to}, .place = on_an_arc, .bend = 3.04};
  /* two points of a unit circle are 2 sin (angle / 2) apart */
  const double angle = 2 * asin (0.02);
  const double first = ss_sweep_first (&sweep, 0, 0, 1e-9);
  SS_CHECK_NEAR (1.6 * first, 1.5707963267948966 - angle, 2e-9);
}

/* Of random ways: nothing on them is nearer before, and there it is as near as was asked. */
static void
random_ways (void)
{
  static const SsShape *const shapes[] = {&rod, &wall, &triangle, &line, &bar, &disc, &off_centre};
  enum { N_SHAPES = sizeof shapes / sizeof *shapes, N_WAYS = 2000, N_LOOKS = 500 };
  SsRandom random;
  int n_met = 0, n_missed = 0;
  ss_random_seed (&random, 7);
  for (int i = 0; i < N_WAYS; i++) {
    double pose[4][3];
    for (int k = 0; k < 4; k++) {
      pose[k][0] = ss_random_between (&random, -3, 3);
      pose[k][1] = ss_random_between (&random, -3, 3);
      pose[k][2] = ss_random_between (&random, -3, 3);
    }
    const SsSweep sweep = {.shape = {shapes[i % N_SHAPES], shapes[i / N_SHAPES % N_SHAPES]},
                           .from = {pose[0], pose[1]},
                           .to = {pose[2], pose[3]}};
    const double level = ss_random_between (&random, -0.01, 0.1), tolerance = 1e-6;
    const double first = ss_sweep_first (&sweep, 0, level, tolerance);
    double least = INFINITY;
    for (int k = 0; k <= N_LOOKS; k++) {
      const double s = (double)k / N_LOOKS;
      if (s < first)
        least = fmin (least, ss_sweep_gap (&sweep, s));
    }
    SS_CHECK (!(least < level - 1e-12)); /* rounding of coordinates of some metres */
    if (isfinite (first)) {
      SS_CHECK (first >= 0 && first <= 1 && ss_sweep_gap (&sweep, first) <= level + tolerance);
      n_met++;
    } else {
      n_missed++;
    }
  }
  SS_CHECK (n_met > N_WAYS / 5 && n_missed > N_WAYS / 5); /* both kinds were seen */
}

int
main (void)
{
  SS_RUN (widths);
  SS_RUN (discs_that_fly);
  SS_RUN (a_rod_that_turns);
  SS_RUN (a_plane_that_turns);
  SS_RUN (a_way_that_bends);
  SS_RUN (random_ways);
  return ss_test_finish ();
}
