/* tests/numeric/test-near-contacts.c: which contacts are near, against all contacts compared: drawn scenes of every
 * kind of shape and body, that move and turn; and that a step's contact problem has a point wherever two bodies are
 * near enough. */
#include "../ss-test-scenario.h"

#include "contact/ss-contact-problem.h"
#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "scene/ss-near-contacts.h"

enum { TEXT_MAX = 1 << 16, MOVES = 12 };

typedef struct {
  char text[TEXT_MAX];
  int n, n_bodies;
} Sketch;

static void
add_body (Sketch *sketch, const char *more, const char *shape, double x, double y, double angle)
{
  sketch->n += snprintf (sketch->text + sketch->n, TEXT_MAX - (size_t)sketch->n,
                         "%s{\"name\":\"b%d\",%s,\"shape\":%s,\"position\":[%.17g,%.17g],\"angle\":%.17g}",
                         sketch->n_bodies > 0 ? "," : "", sketch->n_bodies, more, shape, x, y, angle);
  sketch->n_bodies++;
}

/* A shape by its number; some are tiny, some as long as the whole heap. */
static const char *const shapes[] = {
    "{\"type\":\"circle\",\"radius\":0.3}",
    "{\"type\":\"box\",\"width\":0.5,\"height\":0.2}",
    "{\"type\":\"polygon\",\"vertices\":[[-0.4,-0.2],[0.4,-0.2],[0,0.5]]}",
    "{\"type\":\"capsule\",\"radius\":0.1,\"from\":[-0.3,0],\"to\":[0.4,0.1]}",
    "{\"type\":\"box\",\"width\":1e-6,\"height\":1e-6}",
    "{\"type\":\"box\",\"width\":9,\"height\":0.05}",
    "{\"type\":\"circle\",\"radius\":2}",
    "{\"type\":\"box\",\"width\":0.4,\"height\":0.4}",
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

/* Forty bodies in six metres, walls, floors, one driven along x, and a chain of five; `list`: contacts of the file. */
static SsScenario *
draw (uint64_t seed, bool has_planes, const char *list)
{
  static Sketch sketch;
  SsRandom random;
  ss_random_seed (&random, seed);
  sketch.n_bodies = 0;
  sketch.n = snprintf (sketch.text, TEXT_MAX, "{\"format\":1,\"name\":\"drawn\",\"scene\":{\"bodies\":[");
  if (has_planes) {
    add_body (&sketch, "\"fixed\":true", "{\"type\":\"half-plane\",\"normal\":[0,1]}", 0, 0, 0);
    /* turned, and its surface is beside its body's place */
    add_body (&sketch, "\"fixed\":true", "{\"type\":\"half-plane\",\"normal\":[0.6,0.8],\"position\":[0.4,0.7]}", -3.5,
              0.4, 0.1);
  }
  add_body (&sketch, "\"fixed\":true", "{\"type\":\"box\",\"width\":0.4,\"height\":60}", 4, 30, 0);
  add_body (&sketch, "\"fixed\":true", "{\"type\":\"box\",\"width\":4000,\"height\":3}", 0, -1.5, 0);
  add_body (&sketch, "\"mass\":2,\"lock\":[\"x\",\"theta\"]", shapes[7], 1, 1, 0);
  for (int i = 0; i < 40; i++)
    add_body (&sketch, "\"mass\":1", shapes[i % N_SHAPES], ss_random_between (&random, -3, 3),
              ss_random_between (&random, 0, 3), ss_random_between (&random, -3.2, 3.2));
  for (int i = 0; i < 5; i++)
    add_body (&sketch, "\"mass\":1", shapes[1], i * 0.5, 2, 0);
  const int last = sketch.n_bodies - 1;
  sketch.n += snprintf (sketch.text + sketch.n, TEXT_MAX - (size_t)sketch.n, "],\"joints\":[");
  for (int i = 0; i < 4; i++)
    sketch.n += snprintf (sketch.text + sketch.n, TEXT_MAX - (size_t)sketch.n,
                          "%s{\"type\":\"pin\",\"name\":\"j%d\",\"bodies\":[\"b%d\",\"b%d\"],\"anchor\":[%g,2]}",
                          i > 0 ? "," : "", i, last - 4 + i, last - 3 + i, 0.25 + 0.5 * i);
  snprintf (sketch.text + sketch.n, TEXT_MAX - (size_t)sketch.n, "]%s}}", list);
  return ss_test_read_text (sketch.text);
}

static bool
boxes_overlap (const SsBox *a, const SsBox *b)
{
  return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y && b->lower.y <= a->upper.y;
}

static SsBox
box_of (const SsBody *body, const double *pose, double margin)
{
  SsBox box = ss_shape_box (ss_body_shape (body, 0), pose, margin);
  for (int k = 1; k < ss_body_n_shapes (body); k++) {
    const SsBox more = ss_shape_box (ss_body_shape (body, k), pose, margin);
    box.lower = (SsVec2){fmin (box.lower.x, more.lower.x), fmin (box.lower.y, more.lower.y)};
    box.upper = (SsVec2){fmax (box.upper.x, more.upper.x), fmax (box.upper.y, more.upper.y)};
  }
  return box;
}

/* Found and compared, in one order. */
static void
check_found (const SsScene *scene, SsNearContacts *near, const SsBox *boxes)
{
  const int *found;
  int n, at = 0;
  SS_CHECK (ss_near_contacts_find (near, boxes, &found, &n, NULL) == SS_OK);
  for (int i = 0; i < scene->n_contacts; i++) {
    if (!boxes_overlap (&boxes[scene->contacts[i].body_a], &boxes[scene->contacts[i].body_b]))
      continue;
    SS_CHECK (at < n && found[at] == i);
    at++;
  }
  SS_CHECK (at == n);
}

/* Poses of a move: small ones, then a great one, then all bodies at one place, then as far as 1e6 m. */
static void
move (const SsScene *scene, SsRandom *random, int step, double *q)
{
  const double way = step % 5 == 4 ? 2 : 0.05;
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    if (scene->bodies[i / 3].is_fixed)
      continue;
    q[i] += way * ss_random_normal (random);
    if (step == 8 && i % 3 < 2)
      q[i] = 0.5;
    if (step == 9 && i % 3 == 0)
      q[i] *= 1e6;
  }
}

static void
check_scene (SsScenario *scenario, uint64_t seed)
{
  const SsScene *scene = scenario->scene;
  SsNearContacts *near = NULL;
  SsContactProblem *problem = NULL;
  SsRandom random;
  double *q = calloc (3 * (size_t)scene->n_bodies, sizeof *q), *v = calloc (3 * (size_t)scene->n_bodies, sizeof *v);
  SsBox *boxes = calloc ((size_t)scene->n_bodies, sizeof *boxes);
  bool *has_point = calloc ((size_t)scene->n_contacts + 1, sizeof *has_point);
  int n_near = 0;

  ss_random_seed (&random, seed);
  SS_CHECK (ss_near_contacts_new (scene, &near, NULL) == SS_OK);
  SS_CHECK (ss_contact_problem_new (scene, &problem, NULL) == SS_OK);
  for (int i = 0; i < 3 * scene->n_bodies; i++)
    q[i] = scene->bodies[i / 3].q[i % 3];
  for (int step = 0; step < MOVES; step++) {
    const double band = step == 6 ? INFINITY : step == 7 ? 0 : 0.01 * step;
    move (scene, &random, step, q);
    for (int i = 0; i < scene->n_bodies; i++)
      boxes[i] = box_of (&scene->bodies[i], q + 3 * i, band / 2);
    check_found (scene, near, boxes);
    boxes[step] = (SsBox){{NAN, 0}, {1, NAN}};
    check_found (scene, near, boxes);
    /* a point for each contact whose gap is within the band, and for no other one */
    SS_CHECK (ss_contact_problem_collect (problem, q, v, band, INFINITY, NULL) == SS_OK);
    memset (has_point, 0, (size_t)scene->n_contacts * sizeof *has_point);
    for (int i = 0; i < problem->n_points; i++)
      if (problem->points[i].contact >= 0) {
        SS_CHECK (i == 0 || problem->points[i].contact >= problem->points[i - 1].contact);
        has_point[problem->points[i].contact] = true;
      }
    for (int i = 0; i < scene->n_contacts; i++) {
      const double gap = ss_scene_contact_gap (scene, i, q);
      n_near += has_point[i];
      SS_CHECK (has_point[i] == (gap <= band && isfinite (gap)));
    }
  }
  SS_CHECK (n_near > 0); /* there was something to find */
  ss_contact_problem_free (problem);
  ss_near_contacts_free (near);
  free (has_point);
  free (boxes);
  free (v);
  free (q);
  ss_scenario_free (scenario);
}

static void
test_drawn_scenes (void)
{
  for (uint64_t seed = 1; seed <= 3; seed++) {
    check_scene (draw (seed, true, ""), seed);
    check_scene (draw (seed + 10, false, ""), seed);
  }
}

/* Lists by hand: few contacts, in an order that is not that of the bodies, twice the same bodies. */
static void
test_lists (void)
{
  check_scene (draw (4, true,
                     ",\"contacts\":[{\"bodies\":[\"b30\",\"b3\"]},{\"bodies\":[\"b7\",\"b6\"]},"
                     "{\"bodies\":[\"b0\",\"b9\"]},{\"bodies\":[\"b3\",\"b12\"]}]"),
               4);
  static char list[TEXT_MAX / 4];
  int n = snprintf (list, sizeof list, ",\"contacts\":[");
  for (int i = 0; i < 90; i++) /* more than are compared one by one, from the last bodies to the first */
    n += snprintf (list + n, sizeof list - (size_t)n, "%s{\"name\":\"c%d\",\"bodies\":[\"b%d\",\"b%d\"]}",
                   i > 0 ? "," : "", i, 44 - i % 40,
                   i < 40   ? 3
                   : i < 80 ? 2
                            : 1);
  snprintf (list + n, sizeof list - (size_t)n, "]");
  check_scene (draw (5, true, list), 5);
}

/* Every allocation may fail. */
static void
test_memory (void)
{
  SsScenario *scenario = draw (6, true, "");
  SsStatus status = SS_ERR_MEMORY;
  for (int i = 0; i < 20 && status != SS_OK; i++) {
    SsNearContacts *near = NULL;
    ss_alloc_fail_at ((uint64_t)i + 1);
    status = ss_near_contacts_new (scenario->scene, &near, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK ((status == SS_OK) == (near != NULL));
    ss_near_contacts_free (near);
  }
  SS_CHECK (status == SS_OK);
  ss_near_contacts_free (NULL);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_drawn_scenes);
  SS_RUN (test_lists);
  SS_RUN (test_memory);
  return ss_test_finish ();
}
