/* engine/plan/ss-world-draw.c: see the header. */
#include "plan/ss-world-draw.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "plan/ss-lazy-contacts.h"
#include "scene/ss-number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A full turn [rad]. */
static const double TURN = 6.283185307179586;
/* A contact overlaps more than before by more than rounding [m]. */
static const double MORE = 1e-9;

/* One that is drawn: of the file by its name, or a contact's friction or body's mass by hand. */
typedef struct {
  char *name; /* owned */
  double value, lower, upper;
  int contact, body; /* -1: it is not that */
} Number;

struct SsWorldDraw {
  const SsScenario *scenario;
  SsRandom random;
  int n;
  Number *numbers;
};

/* ---- what is drawn ----------------------------------------------------------------------------------------------- */

static SsStatus
add_number (SsWorldDraw *draw, const char *owner, const char *what, Number number, SsError *err)
{
  char name[SS_CHANNEL_NAME_MAX];

  snprintf (name, sizeof name, "%.400s%s", owner, what);
  number.name = ss_strdup (name);
  if (number.name == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  draw->numbers[draw->n++] = number;
  return SS_OK;
}

static SsStatus
add_ranges (SsWorldDraw *draw, SsError *err)
{
  const SsPlan *plan = draw->scenario->task.plan;
  SsStatus status = SS_OK;

  for (int i = 0; i < plan->n_ranges && status == SS_OK; i++) {
    const SsPlanRange *range = &plan->ranges[i];
    SsNumber number;

    status = ss_scenario_number (draw->scenario, range->name, &number, err);
    if (status == SS_OK)
      status =
          add_number (draw, range->name, "", (Number){NULL, number.value, range->lower, range->upper, -1, -1}, err);
  }
  return status;
}

/* What nobody knows well. */
static SsStatus
add_usual (SsWorldDraw *draw, SsError *err)
{
  const SsScene *scene = draw->scenario->scene;
  SsStatus status = SS_OK;

  for (int c = 0; c < scene->n_contacts && status == SS_OK; c++) {
    const double mu = scene->contacts[c].mu;

    if (mu > 0)
      status = add_number (draw, scene->contacts[c].name, ".friction",
                           (Number){NULL, mu, (1 - SS_WORLD_PART) * mu, (1 + SS_WORLD_PART) * mu, c, -1}, err);
  }
  for (int b = 0; b < scene->n_bodies && status == SS_OK; b++) {
    const double mass = scene->bodies[b].mass;

    if (!ss_body_is_immovable (&scene->bodies[b]))
      status = add_number (draw, scene->bodies[b].name, ".mass",
                           (Number){NULL, mass, (1 - SS_WORLD_PART) * mass, (1 + SS_WORLD_PART) * mass, -1, b}, err);
  }
  return status;
}

SsStatus
ss_world_draw_new (const SsScenario *scenario, uint64_t seed, SsWorldDraw **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->scene != NULL && scenario->task.plan != NULL && out != NULL);
  const SsScene *scene = scenario->scene;
  const int n_ranges = scenario->task.plan->n_ranges;
  SsWorldDraw *draw = ss_new (SsWorldDraw);
  SsStatus status = SS_OK;

  *out = NULL;
  if (draw != NULL)
    draw->numbers = ss_new_array (Number, n_ranges + scene->n_contacts + scene->n_bodies + 1);
  if (draw == NULL || draw->numbers == NULL) {
    ss_free (draw);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  draw->scenario = scenario;
  ss_random_seed (&draw->random, seed);
  status = n_ranges > 0 ? add_ranges (draw, err) : add_usual (draw, err);
  if (status == SS_OK)
    *out = draw;
  else
    ss_world_draw_free (draw);
  return status;
}

void
ss_world_draw_free (SsWorldDraw *draw)
{
  if (draw == NULL)
    return;
  for (int i = 0; i < draw->n; i++)
    ss_free (draw->numbers[i].name);
  ss_free (draw->numbers);
  ss_free (draw);
}

int
ss_world_draw_n_numbers (const SsWorldDraw *draw)
{
  SS_ASSERT (draw != NULL);
  return draw->n;
}

const char *
ss_world_draw_name (const SsWorldDraw *draw, int number)
{
  SS_ASSERT (draw != NULL);
  return draw->numbers[number].name;
}

void
ss_world_draw_range (const SsWorldDraw *draw, int number, double *value, double *lower, double *upper)
{
  SS_ASSERT (draw != NULL && value != NULL && lower != NULL && upper != NULL);
  *value = draw->numbers[number].value;
  *lower = draw->numbers[number].lower;
  *upper = draw->numbers[number].upper;
}

void
ss_world_draw_next (SsWorldDraw *draw, double *numbers)
{
  SS_ASSERT (draw != NULL);
  for (int i = 0; i < draw->n; i++)
    numbers[i] = ss_random_between (&draw->random, draw->numbers[i].lower, draw->numbers[i].upper);
}

/* ---- a world ----------------------------------------------------------------------------------------------------- */

/* The file's numbers are read anew: what depends on them follows. */
static SsStatus
read_world (const SsWorldDraw *draw, const double *numbers, SsWorld *out, SsError *err)
{
  SsOverride *values = ss_new_array (SsOverride, draw->n + 1);
  char *text = NULL;
  SsProblems problems;
  SsStatus status = values != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  int n = 0;

  for (int i = 0; i < draw->n && values != NULL; i++)
    if (draw->numbers[i].contact < 0 && draw->numbers[i].body < 0)
      values[n++] = (SsOverride){draw->numbers[i].name, numbers[i]};
  if (status == SS_OK && n > 0)
    status = ss_scenario_with_numbers (draw->scenario, values, n, &text, err);
  if (status == SS_OK && n > 0) {
    ss_problems_init (&problems);
    status = ss_scenario_read (text, strlen (text), draw->scenario->file, NULL, 0, &problems, &out->reading);
    if (status != SS_OK && problems.n_items > 0 && err != NULL)
      *err = problems.items[0];
    ss_problems_clear (&problems);
  }
  ss_free (text);
  ss_free (values);
  return status;
}

SsStatus
ss_world_open (const SsWorldDraw *draw, const double *numbers, SsWorld *out, SsError *err)
{
  SS_ASSERT (draw != NULL && out != NULL);
  *out = (SsWorld){0};
  SsStatus status = read_world (draw, numbers, out, err);
  if (status != SS_OK)
    return status;
  out->scenario = out->reading != NULL ? *out->reading : *draw->scenario;
  out->scene = *out->scenario.scene;
  out->contacts = ss_new_array (SsContact, out->scene.n_contacts + 1);
  out->bodies = ss_new_array (SsBody, out->scene.n_bodies + 1);
  if (out->contacts == NULL || out->bodies == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int c = 0; c < out->scene.n_contacts; c++)
    out->contacts[c] = out->scene.contacts[c];
  for (int b = 0; b < out->scene.n_bodies; b++)
    out->bodies[b] = out->scene.bodies[b];
  for (int i = 0; i < draw->n; i++) {
    const Number *number = &draw->numbers[i];

    if (number->contact >= 0)
      out->contacts[number->contact].mu = numbers[i];
    if (number->body >= 0) {
      out->bodies[number->body].mass = numbers[i];
      out->bodies[number->body].inertia *= numbers[i] / number->value;
    }
  }
  out->scene.contacts = out->contacts;
  out->scene.bodies = out->bodies;
  out->scenario.scene = &out->scene;
  return SS_OK;
}

void
ss_world_close (SsWorld *world)
{
  SS_ASSERT (world != NULL);
  ss_free (world->contacts);
  ss_free (world->bodies);
  ss_scenario_free (world->reading);
  *world = (SsWorld){0};
}

/* ---- where it starts --------------------------------------------------------------------------------------------- */

/* Whether the body overlaps others no more than it did with gaps `before`. */
static bool
is_free (const SsScene *scene, int body, const double *q, const double *before)
{
  for (int c = 0; c < scene->n_contacts; c++)
    if ((scene->contacts[c].body_a == body || scene->contacts[c].body_b == body) &&
        ss_lazy_gap (scene, c, q) < fmin (before[c], 0) - MORE)
      return false;
  return true;
}

/* Moves the body by what fits. */
static void
move (const SsScene *scene, int body, double angle, const double *before, double *q, double *by)
{
  const double x = SS_WORLD_MOVED * cos (angle), y = SS_WORLD_MOVED * sin (angle);
  const double tries[][2] = {{x, y}, {x, -y}, {x, 0}, {-x, 0}, {0, y}, {0, -y}};
  const double *start = scene->bodies[body].q;
  const bool *lock = scene->bodies[body].lock;

  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    const double dx = lock[0] ? 0 : tries[i][0], dy = lock[1] ? 0 : tries[i][1];

    q[3 * body] = start[0] + dx;
    q[3 * body + 1] = start[1] + dy;
    if (is_free (scene, body, q, before)) {
      by[2 * body] = dx;
      by[2 * body + 1] = dy;
      return;
    }
  }
  q[3 * body] = start[0];
  q[3 * body + 1] = start[1];
}

SsStatus
ss_world_draw_moves (SsWorldDraw *draw, const SsScene *scene, double *by, SsError *err)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  double *q = ss_new_array (double, 3 * scene->n_bodies + 1), *before = ss_new_array (double, scene->n_contacts + 1);
  SsStatus status = q != NULL && before != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  for (int b = 0; b < scene->n_bodies && status == SS_OK; b++) {
    memcpy (&q[3 * b], scene->bodies[b].q, 3 * sizeof *q);
    by[2 * b] = by[2 * b + 1] = 0;
  }
  for (int c = 0; c < scene->n_contacts && status == SS_OK; c++)
    before[c] = ss_lazy_gap (scene, c, q);
  for (int b = 0; b < scene->n_bodies && status == SS_OK; b++) {
    const double angle = ss_random_between (&draw->random, 0, TURN);

    if (!ss_body_is_immovable (&scene->bodies[b]) && !ss_body_is_joined (scene, b))
      move (scene, b, angle, before, q, by);
  }
  ss_free (q);
  ss_free (before);
  return status;
}
