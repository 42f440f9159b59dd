/* tests/numeric/test-impact.c: impacts against the reference data of paper 002's models.
 *
 *   test-impact [MODEL.json ...]   models of the reference form, each with MODEL-reference.json beside it; without
 *                                  arguments the copies in tests/data/set-valued. The number of samples is that of the
 *                                  reference's spread over seeds.
 * Prints the worst deviation of each comparison from its tolerance. What is drawn by chance is compared within five
 * standard errors (of both sides): a wrong answer of one in three million tests.
 */
#include "impact/ss-impact-summary.h"

#include "dynamics/ss-dynamics.h"
#include "impact/ss-impact-draw.h"
#include "impact/ss-impact-modes.h"
#include "impact/ss-impact-rates.h"
#include "../ss-test-scenario.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16384, CORNERS_MAX = 4096 };

typedef struct {
  char file[512];
  json_t *model, *reference;
  SsImpact *impact;
} Case;

static Case current;
/* Largest deviation per tolerance, and where. */
static double worst;
static char worst_what[256];

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* |a - b| <= tolerance; remembers the nearest to failing. */
static void
compare (double a, double b, double tolerance, const char *what)
{
  const double part = fabs (a - b) / tolerance;

  if (!(part <= worst)) {
    worst = part;
    snprintf (worst_what, sizeof worst_what, "%s", what);
  }
  if (!(part <= 1)) {
    printf ("%s: %s: %.17g, expected %.17g, difference %.3g above %.3g\n", current.impact->name, what, a, b,
            fabs (a - b), tolerance);
    ss_test_failed_checks++;
  }
}

static double
number (const json_t *json, const char *key)
{
  return json_number_value (json_object_get (json, key));
}

static double
entry (const json_t *array, int i)
{
  return json_number_value (json_array_get (array, (size_t)i));
}

static int
size_of (const json_t *array)
{
  return (int)json_array_size (array);
}

static void
compare_array (const double *a, const json_t *b, int n, double tolerance, const char *what)
{
  SS_CHECK (size_of (b) == n);
  for (int i = 0; i < n && i < size_of (b); i++)
    compare (a[i], entry (b, i), tolerance, what);
}

static bool
are_near (const double *a, const json_t *b, int n, double tolerance)
{
  for (int i = 0; i < n; i++)
    if (!(fabs (a[i] - entry (b, i)) <= tolerance))
      return false;
  return size_of (b) == n;
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

static SsImpact *
read_model (const char *file)
{
  json_t *json = json_load_file (file, 0, NULL);
  char *text = json != NULL ? json_dumps (json, JSON_REAL_PRECISION (17)) : NULL;
  SsImpactFile *read = NULL;
  SsImpact *impact = NULL;
  SsProblems problems;
  SsError err;

  ss_problems_init (&problems);
  if (text != NULL && ss_impact_file_read (text, strlen (text), file, &problems, &read) == SS_OK &&
      ss_impact_new_from_file (read, &impact, &err) != SS_OK)
    printf ("%s: %s\n", file, err.message);
  for (int i = 0; i < problems.n_items; i++)
    printf ("%s: %s: %s\n", file, problems.items[i].path, problems.items[i].message);
  ss_problems_clear (&problems);
  ss_impact_file_free (read);
  free (text);
  json_decref (json);
  return impact;
}

/* What follows from the numbers of the file [002 (11) (26) Alg 2]. */
static void
test_derived (void)
{
  const json_t *derived = json_object_get (current.model, "derived");
  const json_t *rows = json_object_get (derived, "contact_inverse_mass");
  const SsImpact *impact = current.impact;
  const int m = impact->m;
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  ss_impact_speeds (impact, impact->v, u);
  compare_array (u, json_object_get (derived, "vn_pre"), m, 1e-12, "vn_pre");
  compare_array (u + m, json_object_get (derived, "vt_pre"), m, 1e-12, "vt_pre");
  compare (ss_impact_kinetic_energy (impact, impact->v), number (derived, "kinetic_energy_pre"), 1e-12,
           "kinetic energy");
  for (int i = 0; i < 2 * m; i++)
    for (int j = 0; j < 2 * m; j++) {
      const double d = entry (json_array_get (rows, (size_t)i), j);
      compare (impact->contact[j * 2 * m + i], d, 1e-12 * fmax (1, fabs (d)), "contact_inverse_mass");
    }
  compare (SS_IMPACT_MODE_TOLERANCE, number (current.reference, "mode_tolerance"), 1e-12, "mode_tolerance");
  const double psi = number (derived, "psi_of_algorithm_2");
  compare (ss_impact_psi (impact), psi, 1e-9 * psi, "psi");
}

/* The impulses of a reference lead from v to its v': impulses need not be unique, so ours are not compared. Numbers of
 * the files have 12 digits [002 (27) (30) (75c)]. */
static void
compare_impulses (const double *v, const json_t *item, const char *what)
{
  const SsImpact *impact = current.impact;
  const json_t *normal = json_object_get (item, "impulse_n"), *tangential = json_object_get (item, "impulse_t");
  double impulse[2 * SS_IMPACT_CONTACTS_MAX], after[SS_IMPACT_COORDINATES_MAX];

  if (normal == NULL)
    return;
  memcpy (after, v, (size_t)impact->n * sizeof *after);
  for (int i = 0; i < impact->m; i++) {
    impulse[i] = entry (normal, i);
    impulse[impact->m + i] = entry (tangential, i);
  }
  ss_impact_push (impact, impulse, after);
  compare_array (after, json_object_get (item, "v"), impact->n, 1e-8, what);
}

/* ---- test 1: trajectories ---------------------------------------------------------------------------------------- */

/* [002 Alg 1 (28) (83)]. */
static void
follow_trajectory (const json_t *trajectory, SsImpactStep *step)
{
  const SsImpact *impact = current.impact;
  const json_t *draws = json_object_get (trajectory, "p"), *velocities = json_object_get (trajectory, "v");
  const bool is_finished =
      json_is_true (json_object_get (trajectory, "finished")) || number (trajectory, "finished") != 0;
  const double h = number (current.model, "h");
  double v[SS_IMPACT_COORDINATES_MAX], u[2 * SS_IMPACT_CONTACTS_MAX], cap[SS_IMPACT_CONTACTS_MAX];
  bool approaches = true;

  memcpy (v, impact->v, (size_t)impact->n * sizeof *v);
  SS_CHECK (size_of (draws) == size_of (velocities));
  for (int k = 0; k < size_of (draws); k++) {
    SsImpactStepResult result;
    SS_CHECK (approaches); /* else the reference took more LCPs */
    for (int i = 0; i < impact->m; i++)
      cap[i] = h * entry (json_array_get (draws, (size_t)k), i);
    ss_impact_step_solve (step, &(SsImpactStepJob){.cap = cap}, v, &result);
    compare_array (v, json_array_get (velocities, (size_t)k), impact->n, 1e-9, "golden trajectory");
    ss_impact_speeds (impact, v, u);
    approaches = false;
    for (int i = 0; i < impact->m; i++)
      approaches = approaches || u[i] < -SS_IMPACT_STOP;
  }
  SS_CHECK (approaches != is_finished);
  SS_CHECK (is_finished || size_of (draws) == impact->max_steps);
}

static void
test_golden_trajectories (void)
{
  const json_t *list = json_object_get (current.reference, "golden_trajectories");
  SsImpactStep *step;

  SS_CHECK (ss_impact_step_new (current.impact, SS_IMPACT_ROWS_SCALED, &step, NULL) == SS_OK);
  for (int i = 0; i < size_of (list); i++)
    follow_trajectory (json_array_get (list, (size_t)i), step);
  ss_impact_step_free (step);
}

/* ---- test 2: single steps ---------------------------------------------------------------------------------------- */

/* How many of the listed solutions are near v. */
static int
count_near (const json_t *solutions, const double *v, double tolerance)
{
  int count = 0;

  for (int i = 0; i < size_of (solutions); i++)
    count += are_near (v, json_object_get (json_array_get (solutions, (size_t)i), "v"), current.impact->n, tolerance);
  return count;
}

/* The list exactly: as many, each once. */
static void
compare_solutions (const json_t *listed, const SsImpactSolution *found, int n_found, double tolerance, const char *what)
{
  if (n_found != size_of (listed)) {
    printf ("%s: %s: %d solutions, expected %d\n", current.impact->name, what, n_found, size_of (listed));
    ss_test_failed_checks++;
  }
  for (int k = 0; k < n_found; k++)
    SS_CHECK (count_near (listed, found[k].v, tolerance) == 1);
}

/* [002 (15) (20) (32)-(35) (72a)-(72d) (73)-(74) (75a)-(75c)]. */
static void
test_golden_single_steps (void)
{
  const SsImpact *impact = current.impact;
  const json_t *list = json_object_get (current.reference, "golden_single_steps");
  SsImpactStep *steps[2];
  SsImpactModes *modes;

  for (int rows = 0; rows < 2; rows++)
    SS_CHECK (ss_impact_step_new (impact, (SsImpactRows)rows, &steps[rows], NULL) == SS_OK);
  SS_CHECK (ss_impact_modes_new (impact, &modes, NULL) == SS_OK);
  for (int k = 0; k < size_of (list); k++) {
    const json_t *item = json_array_get (list, (size_t)k), *solutions = json_object_get (item, "solutions");
    double start[SS_IMPACT_COORDINATES_MAX], v[SS_IMPACT_COORDINATES_MAX], cap[SS_IMPACT_CONTACTS_MAX];
    const SsImpactSolution *found;
    for (int i = 0; i < impact->n; i++)
      start[i] = entry (json_object_get (item, "v"), i);
    for (int i = 0; i < impact->m; i++)
      cap[i] = entry (json_object_get (item, "lambda_max"), i);
    for (int rows = 0; rows < 2; rows++) {
      SsImpactStepResult result;
      memcpy (v, start, sizeof v);
      ss_impact_step_solve (steps[rows], &(SsImpactStepJob){.cap = cap}, v, &result);
      SS_CHECK (result.is_solved && count_near (solutions, v, 1e-8) >= 1);
      compare (result.residual, 0, 1e-9, "residual");
    }
    const int n = ss_impact_modes_solve (modes, start, cap, &found);
    compare_solutions (solutions, found, n, 1e-8, "golden single step");
    for (int i = 0; i < size_of (solutions); i++)
      compare_impulses (start, json_array_get (solutions, (size_t)i), "impulses of a golden single step");
  }
  ss_impact_modes_free (modes);
  ss_impact_step_free (steps[0]);
  ss_impact_step_free (steps[1]);
}

/* ---- comparison laws --------------------------------------------------------------------------------------------- */

static SsImpactResult
resolve (const SsImpactLawClass *law, const SsImpact *impact, const char *const *settings)
{
  SsImpactResult result = {0};
  SsError err = {0};
  void *options = ss_alloc (1, law->options->size);

  ss_options_init (law->options, options);
  for (int i = 0; settings != NULL && settings[i] != NULL; i += 2)
    SS_CHECK (ss_options_set (law->options, options, settings[i], settings[i + 1], &err) == SS_OK);
  if (ss_impact_resolve (law, impact, options, NULL, &result, &err) != SS_OK) {
    printf ("%s: %s: %s\n", impact->name, law->name, err.message);
    ss_test_failed_checks++;
  }
  ss_free (options);
  return result;
}

/* [002 (31a)-(31d) Fig 4 Fig 5]. */
static void
test_simultaneous (void)
{
  const SsImpact *impact = current.impact;
  const json_t *reference = json_object_get (current.reference, "simultaneous_anitescu_potra");
  const json_t *solutions = json_object_get (reference, "solutions");
  const char *const all[] = {"all", "on", NULL};
  SsImpactResult result = resolve (&ss_impact_law_anitescu_potra, impact, all);

  SS_CHECK (result.n_outcomes == size_of (solutions));
  for (int k = 0; k < result.n_outcomes && k < size_of (solutions); k++) {
    const json_t *solution = json_array_get (solutions, (size_t)k);
    compare_array (result.outcomes[k].v, json_object_get (solution, "v"), impact->n, 1e-9, "simultaneous v");
    compare_array (result.outcomes[k].u, json_object_get (solution, "vn"), impact->m, 1e-9, "simultaneous vn");
    compare_array (result.outcomes[k].u + impact->m, json_object_get (solution, "vt"), impact->m, 1e-9,
                   "simultaneous vt");
    compare (result.outcomes[k].energy, number (solution, "kinetic_energy"), 1e-9, "simultaneous energy");
    compare (1 - result.outcomes[k].energy / ss_impact_kinetic_energy (impact, impact->v),
             number (solution, "energy_lost_fraction"), 1e-9, "energy lost");
    compare_impulses (impact->v, solution, "simultaneous impulses");
  }
  ss_impact_result_clear (&result);
  result = resolve (&ss_impact_law_anitescu_potra, impact, NULL);
  const int index = (int)number (reference, "lemke_with_unit_covering_vector_returns_index");
  SS_CHECK (result.n_outcomes == 1);
  if (result.n_outcomes == 1)
    compare_array (result.outcomes[0].v, json_object_get (json_array_get (solutions, (size_t)index), "v"), impact->n,
                   1e-9, "simultaneous by Lemke");
  ss_impact_result_clear (&result);
  /* without restitution Newton's law is the same one */
  result = resolve (&ss_impact_law_newton, impact, NULL);
  if (result.n_outcomes == 1)
    compare_array (result.outcomes[0].v, json_object_get (json_array_get (solutions, (size_t)index), "v"), impact->n,
                   1e-9, "Newton without restitution");
  ss_impact_result_clear (&result);
  /* masses and velocities in other units: the same answer, where there are several, too */
  for (int i = 0; i < 3; i++) {
    static const double masses[] = {0x1p-30, 0x1p30, 0x1p-20}, speeds[] = {1, 1, 0x1p-10};
    double mass[SS_IMPACT_COORDINATES_MAX * SS_IMPACT_COORDINATES_MAX], v[SS_IMPACT_COORDINATES_MAX];
    SsImpact *other = NULL;
    for (int k = 0; k < impact->n * impact->n; k++)
      mass[k] = masses[i] * impact->mass[k];
    for (int k = 0; k < impact->n; k++)
      v[k] = speeds[i] * impact->v[k];
    const SsImpactNumbers numbers = {
        .n = impact->n, .m = impact->m, .mass = mass, .jn = impact->jn, .jt = impact->jt, .mu = impact->mu, .v = v};
    SS_CHECK (ss_impact_new (&numbers, &other, NULL) == SS_OK);
    result = resolve (&ss_impact_law_newton, other, NULL);
    for (int k = 0; result.n_outcomes == 1 && k < impact->n; k++)
      v[k] = result.outcomes[0].v[k] / speeds[i];
    SS_CHECK (result.n_outcomes == 1);
    if (result.n_outcomes == 1)
      compare_array (v, json_object_get (json_array_get (solutions, (size_t)index), "v"), impact->n, 1e-9,
                     "Newton in other units");
    ss_impact_result_clear (&result);
    ss_impact_free (other);
  }
}

static void
compare_outcome (const SsImpactOutcome *outcome, const json_t *expected)
{
  const SsImpact *impact = current.impact;

  compare_array (outcome->v, json_object_get (expected, "v"), impact->n, 1e-9, "sequential v");
  compare_array (outcome->u, json_object_get (expected, "vn"), impact->m, 1e-9, "sequential vn");
  compare_array (outcome->u + impact->m, json_object_get (expected, "vt"), impact->m, 1e-9, "sequential vt");
  compare (outcome->energy, number (expected, "kinetic_energy"), 1e-9, "sequential energy");
  SS_CHECK (outcome->solves == (int)number (expected, "solves"));
}

/* The first steps of a sequence, each by its own impulse from the one before. */
static void
compare_first_steps (const json_t *steps)
{
  const SsImpact *impact = current.impact;
  double v[SS_IMPACT_COORDINATES_MAX], u[2 * SS_IMPACT_CONTACTS_MAX];

  memcpy (v, impact->v, (size_t)impact->n * sizeof *v);
  for (int k = 0; k < size_of (steps); k++) {
    const json_t *item = json_array_get (steps, (size_t)k);
    double impulse[2 * SS_IMPACT_CONTACTS_MAX] = {0};
    for (int i = 0; i < impact->m; i++)
      if (strcmp (impact->contacts[i], json_string_value (json_object_get (item, "contact"))) == 0) {
        impulse[i] = number (item, "impulse_n");
        impulse[impact->m + i] = number (item, "impulse_t");
      }
    ss_impact_push (impact, impulse, v);
    ss_impact_speeds (impact, v, u);
    compare_array (u, json_object_get (item, "vn"), impact->m, 1e-9, "vn of a first step");
    compare_array (u + impact->m, json_object_get (item, "vt"), impact->m, 1e-9, "vt of a first step");
  }
}

/* "AB" as the option has it. */
static void
spell_order (const char *letters, char *order)
{
  int at = 0;

  for (const char *c = letters; *c != '\0'; c++) {
    if (at > 0)
      order[at++] = ',';
    order[at++] = *c;
  }
  order[at] = '\0';
}

static void
test_sequential (void)
{
  const json_t *reference = json_object_get (current.reference, "sequential");
  const json_t *orders = json_object_get (reference, "orders"), *outcomes = json_object_get (reference, "outcomes");
  char tolerance[32], order[64];

  snprintf (tolerance, sizeof tolerance, "%.17g", number (reference, "stop_tolerance"));
  for (int k = 0; k < size_of (orders); k++) {
    const json_t *item = json_array_get (orders, (size_t)k);
    spell_order (json_string_value (json_object_get (item, "order")), order);
    const char *const settings[] = {"order", order, "tolerance", tolerance, NULL};
    SsImpactResult result = resolve (&ss_impact_law_sequential, current.impact, settings);
    SS_CHECK (result.n_outcomes == 1);
    if (result.n_outcomes == 1) {
      compare_outcome (&result.outcomes[0], item);
      compare_first_steps (json_object_get (item, "first_steps"));
      SS_CHECK_STR (result.outcomes[0].order, order);
    }
    ss_impact_result_clear (&result);
  }
  if (size_of (outcomes) == 0)
    return;
  const char *const all[] = {"all", "on", "tolerance", tolerance, NULL};
  SsImpactResult result = resolve (&ss_impact_law_sequential, current.impact, all);
  SS_CHECK (result.n_outcomes == size_of (outcomes));
  for (int k = 0; k < result.n_outcomes; k++)
    for (int i = 0; i < size_of (outcomes); i++) {
      const json_t *item = json_array_get (outcomes, (size_t)i);
      if (!are_near (result.outcomes[k].v, json_object_get (item, "v"), current.impact->n, 1e-4))
        continue;
      compare_outcome (&result.outcomes[k], item);
      compare (result.outcomes[k].share, number (item, "order_count") / number (reference, "orders_total"), 1e-12,
               "share of orders");
    }
  ss_impact_result_clear (&result);
}

/* ---- tests 3 to 6: samples --------------------------------------------------------------------------------------- */

typedef struct {
  double x, y;
} Point;

static int
compare_points (const void *a, const void *b)
{
  const Point *p = a, *q = b;

  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static double
cross (Point o, Point a, Point b)
{
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* Area of the convex hull; sorts the points. */
static double
hull_area (Point *points, int n)
{
  Point *hull = ss_new_array (Point, 2 * n + 1);
  double area = 0;
  int size = 0;

  qsort (points, (size_t)n, sizeof *points, compare_points);
  for (int turn = 0, least = 1; turn < 2; turn++, least = size) {
    for (int k = 0; k < n; k++) {
      const Point p = points[turn == 0 ? k : n - 1 - k];
      while (size > least && cross (hull[size - 2], hull[size - 1], p) <= 0)
        size--;
      hull[size++] = p;
    }
  }
  for (int k = 0; k + 1 < size; k++)
    area += (hull[k].x * hull[k + 1].y - hull[k].y * hull[k + 1].x) / 2;
  ss_free (hull);
  return area;
}

/* Distance of a point from a convex polygon, counter-clockwise; 0 inside. One or two corners are a point and a line. */
static double
distance_from (const Point *polygon, int n, Point p)
{
  double nearest = INFINITY;
  bool is_inside = n > 2;

  for (int k = 0; k < n; k++) {
    const Point a = polygon[k], b = polygon[(k + 1) % n];
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const double along = length > 0 ? fmin (1, fmax (0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
    is_inside = is_inside && cross (a, b, p) >= 0;
    nearest = fmin (nearest, hypot (p.x - a.x - along * dx, p.y - a.y - along * dy));
  }
  return is_inside ? 0 : nearest;
}

/* "vn_A": index among the speeds, -1. */
static int
axis_of (const char *name)
{
  for (int i = 0; name != NULL && strlen (name) > 3 && i < current.impact->m; i++)
    if (strcmp (name + 3, current.impact->contacts[i]) == 0)
      return name[1] == 'n' ? i : current.impact->m + i;
  return -1;
}

typedef struct {
  SsImpactSet *set;
  double (*u)[2 * SS_IMPACT_CONTACTS_MAX]; /* per sample */
} Samples;

static const json_t *
spread_of (const char *policy)
{
  return json_object_get (json_object_get (current.reference, "spread_over_seeds"), policy);
}

/* The area of the smallest hull over seeds; NaN where the reference has none of that size. */
static double
least_area (const char *policy, const char *x, const char *y, int n_samples)
{
  const json_t *spread = spread_of (policy), *areas = json_object_get (spread, "hull_area");

  if (spread == NULL || (int)number (spread, "samples_each") != n_samples)
    return NAN;
  for (int i = 0; i < size_of (areas); i++) {
    const json_t *area = json_array_get (areas, (size_t)i);
    if (strcmp (json_string_value (json_object_get (area, "x")), x) == 0 &&
        strcmp (json_string_value (json_object_get (area, "y")), y) == 0)
      return number (area, "min");
  }
  return NAN;
}

/* Five standard errors of a share that is p of n_ours and of n_theirs; at least one sample. */
static double
share_tolerance (double p, double n_ours, double n_theirs)
{
  return 5 * sqrt (fmax (p * (1 - p), 1 / n_ours) * (1 / n_ours + 1 / n_theirs)) + 1 / n_ours;
}

/* Largest violation of what a step is told to be (the notes, section 2), written down once more: of 0 <= ln <= c, of
 * the normal speed's sign by the impulse, of Coulomb's friction at the new velocity
 * [002 (15) (20) (72b)-(72d) (73)-(74)]. */
static double
step_violation (const double *v, const double *cap, const double *impulse, double *after)
{
  const SsImpact *impact = current.impact;
  const int n = impact->n, m = impact->m;
  const double none = 1e-12; /* impulses this near to 0 or to the cap may be there [N s] */
  double u[2 * SS_IMPACT_CONTACTS_MAX], worst_of_step = 0;

  memcpy (after, v, (size_t)n * sizeof *after);
  ss_impact_push (impact, impulse, after);
  ss_impact_speeds (impact, after, u);
  for (int i = 0; i < m; i++) {
    const double ln = impulse[i], lt = impulse[m + i], vn = u[i], vt = u[m + i], mu = impact->mu[i];
    worst_of_step = fmax (worst_of_step, fmax (fmax (-ln, ln - cap[i]), fabs (lt) - mu * ln));
    if (ln < cap[i] - none)
      worst_of_step = fmax (worst_of_step, -vn);
    if (ln > none)
      worst_of_step = fmax (worst_of_step, vn);
    worst_of_step = fmax (worst_of_step, fmin (fabs (vt), fabs (lt + mu * ln * ((vt > 0) - (vt < 0)))));
  }
  return worst_of_step;
}

/* Every step of a sample is one, from the velocity before the impact to the sample's. */
static void
check_sample (const SsImpactSet *set, int sample)
{
  const SsImpact *impact = current.impact;
  const int n = impact->n, m = impact->m, most = set->options.max_steps + 2;
  double *velocities = ss_new_array (double, most *n), *impulses = ss_new_array (double, most * 2 * m);
  double cap[SS_IMPACT_CONTACTS_MAX], after[SS_IMPACT_COORDINATES_MAX];
  SsImpactDraw *draw = NULL;
  int n_steps = 0;

  SS_CHECK (ss_impact_draw_new (set->options.draw, set->options.seed, m, set->options.max_steps, set->options.h, &draw,
                                NULL) == SS_OK);
  SS_CHECK (ss_impact_set_path (impact, &set->options, sample, velocities, impulses, &n_steps, NULL) == SS_OK);
  SS_CHECK (memcmp (velocities, impact->v, (size_t)n * sizeof *velocities) == 0);
  for (int k = 0; k < n_steps; k++) {
    ss_impact_draw_caps (draw, (uint64_t)sample, k, cap);
    for (int i = 0; i < m; i++)
      SS_CHECK (cap[i] >= 0 && cap[i] <= set->options.h);
    compare (step_violation (velocities + k * n, cap, impulses + k * 2 * m, after), 0, 1e-9, "conditions of a step");
    for (int i = 0; i < n; i++)
      compare (velocities[(k + 1) * n + i], after[i], 1e-12, "velocity after a step");
  }
  SS_CHECK (memcmp (velocities + n_steps * n, set->v + sample * n, (size_t)n * sizeof *velocities) == 0);
  ss_impact_draw_free (draw);
  ss_free (velocities);
  ss_free (impulses);
}

/* The outline that the reference's samples leave is no bound for a set of more samples than it has itself: a new
 * sample lies outside the hull of N others with the probability E (corners of N + 1) / (N + 1) (B. Efron, Biometrika
 * 52, 1965). So it is with the enumerated disks: the reference enumerated 1024 samples (its spread over seeds has
 * none), and of 2^14 of ours, seed 3, number 14218 leaves the plane of vn_A and vn_B by as much as the hull is wide,
 * 0.0118 m/s. It is right: a program that shares nothing with ours tried all 16807 modes of each of its 8 steps. Our
 * v' is always among the answers, of which steps 4 and 6 have 5 and 3; caps lie in 0 .. h, and the conditions hold to
 * 2e-16. Here the samples outside are counted, and each of their steps is checked. */
static void
check_outside (const Samples *samples, const int *outside, int n_outside, int n_corners, double theirs)
{
  const double n = samples->set->n_finished, p = (n_corners + 1) / (theirs + 1);

  compare (fmax (n_outside / n, p), p, share_tolerance (p, n, theirs), "share of samples outside of outer_hull");
  for (int k = 0; k < n_outside; k++)
    check_sample (samples->set, outside[k]);
}

/* Test 4 in one plane of a run of the reference [002 Fig 9 Fig 10 Fig 11 Fig 13 Fig 14]. */
static void
compare_plane (const json_t *plane, const json_t *run, const char *policy, const Samples *samples)
{
  const char *x = json_string_value (json_object_get (plane, "x")),
             *y = json_string_value (json_object_get (plane, "y"));
  const json_t *outer = json_object_get (plane, "outer_hull");
  const int ix = axis_of (x), iy = axis_of (y), n = samples->set->n_samples, n_corners = size_of (outer);
  Point corners[CORNERS_MAX], lower = {INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY};
  Point *points = ss_new_array (Point, n);
  int *outside = ss_new_array (int, n), n_outside = 0, n_points = 0;
  double farthest = 0;

  SS_CHECK (ix >= 0 && iy >= 0 && n_corners <= CORNERS_MAX);
  for (int k = 0; k < n_corners; k++) {
    const json_t *corner = json_array_get (outer, (size_t)k);
    corners[k] = (Point){entry (corner, 0), entry (corner, 1)};
    lower = (Point){fmin (lower.x, corners[k].x), fmin (lower.y, corners[k].y)};
    upper = (Point){fmax (upper.x, corners[k].x), fmax (upper.y, corners[k].y)};
  }
  /* corners of a file are rounded, and contacts at rest approach with up to the stop tolerance */
  const double allowed = 0.01 * hypot (upper.x - lower.x, upper.y - lower.y) + 2 * SS_IMPACT_STOP;
  for (int k = 0; k < n; k++) {
    if (samples->set->state[k] != SS_IMPACT_FINISHED)
      continue;
    points[n_points] = (Point){samples->u[k][ix], samples->u[k][iy]};
    const double distance = n_corners > 0 ? distance_from (corners, n_corners, points[n_points]) : 0;
    farthest = fmax (farthest, distance);
    if (distance > allowed)
      outside[n_outside++] = k;
    n_points++;
  }
  if (n_corners > 0 && n > number (run, "samples"))
    check_outside (samples, outside, n_outside, n_corners, number (run, "samples") * number (run, "finished_fraction"));
  else if (n_corners > 0)
    compare (farthest, 0, allowed, "distance from outer_hull");
  ss_free (outside);
  const double least = least_area (policy, x, y, n);
  if (least > 1e-12 && n_points > 0) {
    const double area = hull_area (points, n_points);
    SsVec2 *same = ss_new_array (SsVec2, n_points), *hull = ss_new_array (SsVec2, n_points + 1);
    double own = 0;
    for (int k = 0; k < n_points; k++)
      same[k] = (SsVec2){points[k].x, points[k].y};
    const int n_hull = ss_impact_hull (same, n_points, hull);
    for (int k = 0; k < n_hull; k++)
      own += (hull[k].x * hull[(k + 1) % n_hull].y - hull[k].y * hull[(k + 1) % n_hull].x) / 2;
    compare (own, area, 1e-9 * area, "area of the hull");
    ss_free (same);
    ss_free (hull);
    if (!(area >= 0.85 * least)) {
      printf ("%s: hull of %s, %s: %g, expected at least 0.85 of %g\n", current.impact->name, x, y, area, least);
      ss_test_failed_checks++;
    }
  }
  ss_free (points);
}

/* Tests 5 and 6: numbers of LCPs, finished samples, modes, energies [002 (84)]. */
static void
compare_statistics (const json_t *run, const Samples *samples)
{
  const SsImpactSet *set = samples->set;
  const json_t *lcps = json_object_get (run, "lcps_per_sample"), *energy = json_object_get (run, "kinetic_energy");
  const json_t *modes = json_object_get (run, "contact_mode_fractions"),
               *counts = json_object_get (lcps, "fraction_by_count");
  const double n = set->n_samples, theirs = number (run, "samples"), std = number (lcps, "std");
  double finished = 0, mean = 0, square = 0;
  const char *key;
  json_t *value;
  char what[128];

  compare ((double)set->n_solves / n, number (lcps, "mean"), 5 * std * sqrt (1 / n + 1 / theirs), "lcps_per_sample");
  json_object_foreach ((json_t *)counts, key, value)
  {
    int count = 0;
    for (int k = 0; k < set->n_samples; k++)
      count += set->solves[k] == atoi (key);
    snprintf (what, sizeof what, "fraction of samples with %s LCPs", key);
    compare (count / n, json_number_value (value), share_tolerance (json_number_value (value), n, theirs), what);
  }
  const double share = number (run, "finished_fraction");
  compare (set->n_finished / n, share, share_tolerance (share, n, theirs), "finished_fraction");
  SS_CHECK (set->n_finished + set->n_unfinished + set->n_dropped == set->n_samples && set->n_dropped == 0);

  for (int i = 0; i < current.impact->m; i++) {
    const json_t *fractions = json_object_get (modes, current.impact->contacts[i]);
    for (int mode = 0; mode < SS_IMPACT_MODES; mode++) {
      const char *name = ss_impact_mode_name ((SsImpactMode)mode);
      double count = 0;
      for (int k = 0; k < set->n_samples; k++)
        count += set->state[k] == SS_IMPACT_FINISHED &&
                 ss_impact_mode (samples->u[k][i], samples->u[k][current.impact->m + i], SS_IMPACT_MODE_TOLERANCE) ==
                     (SsImpactMode)mode;
      snprintf (what, sizeof what, "fraction of %s at %s", name, current.impact->contacts[i]);
      const double p = number (fractions, name);
      compare (count / set->n_finished, p, share_tolerance (p, n * share, theirs * share), what);
    }
  }
  for (int k = 0; k < set->n_samples; k++)
    if (set->state[k] == SS_IMPACT_FINISHED) {
      finished++;
      mean += set->energy[k];
      square += set->energy[k] * set->energy[k];
    }
  mean /= finished;
  square = sqrt (fmax (square / finished - mean * mean, 0));
  compare (mean, number (energy, "post_mean"), 5 * square * sqrt (1 / finished + 1 / (theirs * share)) + 1e-12,
           "mean kinetic energy");
  /* Above 1e-12: no step of any sample gains energy, none leaves its cone. */
  compare (fmax (set->max_gain, 0), 0, 1e-12, "energy gained in a step");
  compare (fmax (set->max_excess, 0), 0, 1e-12, "|lt| - mu ln");
  compare (set->max_residual, 0, 1e-9, "LCP residual");
}

/* Means of the speeds, and their ranges, which the outer hulls bound from outside: ours do not leave the reference's
 * many more samples by more than 2 %. */
static void
compare_speeds (const json_t *run, const Samples *samples)
{
  const char *const means[] = {"vn_mean", "vt_mean"}, *const ranges[] = {"vn_range", "vt_range"};
  const SsImpact *impact = current.impact;
  const double theirs = number (run, "samples") * number (run, "finished_fraction");

  for (int k = 0; k < 2 * impact->m; k++) {
    const json_t *range = json_array_get (json_object_get (run, ranges[k / impact->m]), (size_t)(k % impact->m));
    const double low = entry (range, 0), high = entry (range, 1), slack = 0.02 * (high - low) + 2 * SS_IMPACT_STOP;
    double n = 0, mean = 0, square = 0, least = INFINITY, most = -INFINITY;
    for (int i = 0; i < samples->set->n_samples; i++)
      if (samples->set->state[i] == SS_IMPACT_FINISHED) {
        const double u = samples->u[i][k];
        n++;
        mean += u;
        square += u * u;
        least = fmin (least, u);
        most = fmax (most, u);
      }
    mean /= n;
    const double deviation = sqrt (fmax (square / n - mean * mean, 0));
    compare (mean, entry (json_object_get (run, means[k / impact->m]), k % impact->m),
             5 * (deviation * sqrt (1 / n + 1 / theirs) + (high - low) * (1 / n + 1 / theirs)) + 2 * SS_IMPACT_STOP,
             means[k / impact->m]);
    /* rare extremes of few samples say little where the reference itself has few */
    if (theirs > 60 * n) {
      compare (fmin (least, low), low, slack, ranges[k / impact->m]);
      compare (fmax (most, high), high, slack, ranges[k / impact->m]);
    }
  }
}

/* "A:lift B:stick" of the summary. */
static void
compare_joint_modes (const json_t *run, const Samples *samples)
{
  const json_t *top = json_object_get (run, "joint_modes_top");
  const double n = samples->set->n_finished, theirs = number (run, "samples") * number (run, "finished_fraction");
  SsImpactModeShare *shares;
  double sum = 0;
  int n_shares;

  SS_CHECK (ss_impact_set_modes (current.impact, samples->set, SS_IMPACT_MODE_TOLERANCE, &shares, &n_shares, NULL) ==
            SS_OK);
  for (int k = 0; k < n_shares; k++)
    sum += shares[k].fraction;
  SS_CHECK_NEAR (sum, 1, 1e-12);
  for (int i = 0; i < size_of (top); i++) {
    const json_t *item = json_array_get (top, (size_t)i);
    const double p = number (item, "fraction");
    double ours = 0;
    for (int k = 0; k < n_shares; k++) {
      char name[256] = "";
      for (int c = 0; c < current.impact->m; c++)
        snprintf (name + strlen (name), sizeof name - strlen (name), "%s%s:%s", c > 0 ? " " : "",
                  current.impact->contacts[c], ss_impact_mode_name (shares[k].mode[c]));
      if (strcmp (name, json_string_value (json_object_get (item, "mode"))) == 0)
        ours = shares[k].fraction;
    }
    compare (ours, p, share_tolerance (p, n, theirs), "fraction of a joint mode");
  }
  ss_free (shares);
}

static void
compare_run (const json_t *run, const char *policy, const char *spread, int n_samples)
{
  char count[16];
  const char *const settings[] = {"policy", policy, "samples", count, "seed", "3", NULL};
  const json_t *planes = json_object_get (run, "planes");

  snprintf (count, sizeof count, "%d", n_samples);
  const double start = ss_clock_thread_cpu ();
  SsImpactResult result = resolve (&ss_impact_law_set_valued, current.impact, settings);
  const double seconds = ss_clock_thread_cpu () - start;
  if (result.set == NULL)
    return;
  Samples samples = {result.set, ss_alloc ((size_t)n_samples, sizeof *samples.u)};
  for (int k = 0; k < n_samples; k++)
    ss_impact_speeds (current.impact, result.set->v + k * current.impact->n, samples.u[k]);
  compare_statistics (run, &samples);
  compare_joint_modes (run, &samples);
  compare_speeds (run, &samples);
  for (int i = 0; i < size_of (planes); i++)
    compare_plane (json_array_get (planes, (size_t)i), run, spread, &samples);
  printf ("# %s, %s: %d samples, %.3f LCPs a sample, %.2f us an LCP\n", current.impact->name, policy, n_samples,
          (double)result.set->n_solves / n_samples, 1e6 * seconds / (double)result.set->n_solves);
  if (result.set->n_ambiguous >= 0) {
    /* steps of one sample are alike: a sample counts once */
    const json_t *uniqueness = json_object_get (current.reference, "step_uniqueness");
    const double p = number (uniqueness, "fraction"), mean = (double)result.set->n_solves / n_samples;
    compare ((double)result.set->n_ambiguous / (double)result.set->n_solves, p,
             share_tolerance (p, n_samples, number (uniqueness, "steps_examined") / mean), "share of ambiguous steps");
  }
  ss_free (samples.u);
  ss_impact_result_clear (&result);
}

static void
test_samples (void)
{
  const json_t *runs = json_object_get (current.reference, "runs");

  for (int i = 0; i < size_of (runs); i++) {
    const json_t *run = json_array_get (runs, (size_t)i);
    const char *policy = json_string_value (json_object_get (run, "policy"));
    if (strncmp (policy, "lemke", 5) == 0)
      compare_run (run, "lemke", "lemke",
                   ss_test_is_coarse () ? SAMPLES / 64
                   : ss_test_is_long () ? SAMPLES
                                        : SAMPLES / 4);
    else /* 7^m modes a step */
      compare_run (run, "enumerate", "all_solutions",
                   ss_test_is_long ()                              ? SAMPLES
                   : ss_test_is_coarse () || current.impact->m > 2 ? SAMPLES / 64
                                                                   : SAMPLES / 4);
  }
}

/* 1, 2 and 4 threads give the same bits, and a sample's path ends where the sample does. */
static void
test_threads (void)
{
  SsImpactSet *sets[3];
  SsImpactSetOptions options = {.h = NAN, .n_samples = 3000, .seed = 5, .n_threads = 1};
  const size_t n = (size_t)current.impact->n;

  for (int k = 0; k < 3; k++) {
    options.n_threads = 1 << k;
    SS_CHECK (ss_impact_set_new (current.impact, &options, NULL, &sets[k], NULL) == SS_OK);
    SS_CHECK (memcmp (sets[k]->v, sets[0]->v, 3000 * n * sizeof (double)) == 0);
    SS_CHECK (sets[k]->n_solves == sets[0]->n_solves && sets[k]->max_residual == sets[0]->max_residual);
  }
  double *velocities = ss_new_array (double, (sets[0]->options.max_steps + 2) * current.impact->n);
  int n_steps;
  SS_CHECK (ss_impact_set_path (current.impact, &options, 1234, velocities, NULL, &n_steps, NULL) == SS_OK);
  SS_CHECK (n_steps == sets[0]->solves[1234]);
  SS_CHECK (memcmp (velocities + n_steps * current.impact->n, sets[0]->v + 1234 * n, n * sizeof (double)) == 0);
  ss_free (velocities);
  for (int k = 0; k < 3; k++)
    ss_impact_set_free (sets[k]);
}

/* The bound of the theory holds for what was observed, and its r for impulses of the cone: |M^-1 J' l| |r| >= |ln|_1.
 * [002 (22) (77)]. */
static void
test_cone (void)
{
  /* Found by a linear programme of another program, to the digits told. */
  static const struct {
    const char *model;
    double r, digits;
  } known[] = {{"rocking-block", 1, 1e-12},
               {"compass-gait", 2.1162, 5e-5},
               {"box-wall", 1.48609, 5e-6},
               {"ramone", 0.4170, 5e-5},
               {"disk-stack.", 2.86759, 5e-6}};
  const SsImpact *impact = current.impact;
  const char *const settings[] = {"samples", "2000", NULL};
  SsImpactResult result = resolve (&ss_impact_law_set_valued, impact, settings);
  SsRandom random;

  ss_random_seed (&random, 2);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strstr (current.file, known[k].model) != NULL)
      SS_CHECK_NEAR (result.cone.r, known[k].r, known[k].digits);
  SS_CHECK (result.cone.rank == (int)number (json_object_get (current.model, "derived"), "rank_of_stacked_jacobian"));
  for (int k = 0; result.cone.is_pointed && k < 2000; k++) {
    double impulse[2 * SS_IMPACT_CONTACTS_MAX], v[SS_IMPACT_COORDINATES_MAX] = {0}, size = 0, sum = 0;
    for (int i = 0; i < impact->m; i++) {
      impulse[i] = ss_random_uniform (&random);
      impulse[impact->m + i] = impact->mu[i] * impulse[i] * ss_random_between (&random, -1, 1);
      sum += impulse[i];
    }
    ss_impact_push (impact, impulse, v);
    for (int i = 0; i < impact->n; i++)
      size += v[i] * v[i];
    SS_CHECK (sqrt (size) * result.cone.r >= sum * (1 - 1e-9));
  }
  if (result.set != NULL) {
    const double bound = ss_impact_cone_steps (&result.cone, impact->m, 1e-6);
    for (int k = 0; k < result.set->n_samples; k++)
      SS_CHECK (result.set->solves[k] <= bound);
    printf ("# %s: |r| %.4g, c %.4g, largest number of steps %.0f\n", impact->name, result.cone.r, result.cone.c,
            bound);
  }
  SS_CHECK ((strstr (result.message, "not normal") != NULL) == (impact->skew > 1e-6));
  ss_impact_result_clear (&result);
}

/* One contact without friction: r = g / |g|^2 with g = M^-1 Jn'. Two that face each other: no direction loses to both.
 * [002 (24) (78)]. */
static void
test_cone_closed_form (void)
{
  const double mass[4] = {2, 0, 0, 5}, jn[4] = {0.6, 0.8, -0.6, -0.8}, jt[4] = {0.8, -0.6, 0.8, -0.6}, mu[2] = {0, 0};
  const double v[2] = {-1, -1};
  SsImpactNumbers numbers = {.n = 2, .m = 1, .mass = mass, .jn = jn, .jt = jt, .mu = mu, .v = v, .h = NAN};
  SsImpactCone cone;
  SsImpact *impact;

  SS_CHECK (ss_impact_new (&numbers, &impact, NULL) == SS_OK);
  SS_CHECK (ss_impact_cone (impact, 0.5, &cone, NULL) == SS_OK && cone.is_pointed);
  SS_CHECK_NEAR (cone.r, 1 / hypot (0.6 / 2, 0.8 / 5), 1e-12);
  SS_CHECK_NEAR (cone.c, 4 * ceil (2 * cone.r / (0.5 * sqrt (2))), 0); /* sigma = 2 */
  SS_CHECK_NEAR (cone.speed, sqrt (7), 1e-15);
  ss_impact_free (impact);
  numbers.m = 2;
  SS_CHECK (ss_impact_new (&numbers, &impact, NULL) == SS_OK);
  SS_CHECK (ss_impact_cone (impact, 0.5, &cone, NULL) == SS_OK && !cone.is_pointed && cone.rank == 2);
  ss_impact_free (impact);
}

/* ---- the closing step -------------------------------------------------------------------------------------------- */

/* Samples that still approach after their last step take one more, with the cap epsilon / (3 psi) on every contact; the
 * others are the same bits [002 Alg 2]. */
static void
test_closing_step (void)
{
  const SsImpact *impact = current.impact;
  const int n = impact->n, m = impact->m;
  SsImpactSetOptions options = {.h = NAN, .n_samples = 300, .seed = 3, .n_threads = 1, .epsilon = 1e-2};
  SsImpactSet *sets[2];
  double cap[SS_IMPACT_CONTACTS_MAX], after[SS_IMPACT_COORDINATES_MAX];
  const double psi = number (json_object_get (current.model, "derived"), "psi_of_algorithm_2");

  for (int i = 0; i < m; i++)
    cap[i] = options.epsilon / (3 * psi);
  for (int k = 0; k < 2; k++) {
    options.closes = k == 1;
    SS_CHECK (ss_impact_set_new (impact, &options, NULL, &sets[k], NULL) == SS_OK);
  }
  const int most = sets[1]->options.max_steps + 2;
  double *velocities = ss_new_array (double, most *n), *impulses = ss_new_array (double, most * 2 * m);
  for (int k = 0; k < options.n_samples; k++) {
    const bool is_closed = sets[0]->state[k] == SS_IMPACT_UNFINISHED;
    const double *before = sets[0]->v + k * n, *closed = sets[1]->v + k * n;
    int n_steps;
    SS_CHECK (sets[1]->solves[k] == sets[0]->solves[k] + is_closed);
    if (!is_closed) {
      SS_CHECK (memcmp (closed, before, (size_t)n * sizeof *before) == 0);
      continue;
    }
    SS_CHECK (ss_impact_set_path (impact, &options, k, velocities, impulses, &n_steps, NULL) == SS_OK);
    SS_CHECK (n_steps == sets[1]->solves[k]);
    SS_CHECK (memcmp (velocities + (n_steps - 1) * n, before, (size_t)n * sizeof *before) == 0);
    SS_CHECK (memcmp (velocities + n_steps * n, closed, (size_t)n * sizeof *closed) == 0);
    compare (step_violation (before, cap, impulses + (n_steps - 1) * 2 * m, after), 0, 1e-9, "closing step");
  }
  /* 4 % of them do not end in five steps */
  SS_CHECK (strstr (current.file, "compass-gait") == NULL || sets[0]->n_unfinished > 0);
  ss_free (velocities);
  ss_free (impulses);
  ss_impact_set_free (sets[0]);
  ss_impact_set_free (sets[1]);
}

/* ---- energy of steps --------------------------------------------------------------------------------------------- */

static double
kinetic_energy_of (const SsImpact *impact, const double *v)
{
  double sum = 0;
  for (int i = 0; i < impact->n; i++)
    for (int j = 0; j < impact->n; j++)
      sum += v[i] * impact->mass[i * impact->n + j] * v[j] / 2;
  return sum;
}

/* The largest gain that is told is that of the steps, taken again one by one and weighed by M; a part of them gains
 * more than the others, so that it is not the least. Gains and excesses are differences of numbers of the size of the
 * energy and of m v: rounding of some operations on these [002 (76)]. */
static void
test_largest_gain (void)
{
  const SsImpact *impact = current.impact;
  const int n = impact->n, m = impact->m;
  SsImpactSetOptions options = {.h = NAN, .n_samples = 200, .seed = 17, .n_threads = 1};
  SsImpactSet *set;
  double gain = -INFINITY, least = INFINITY, excess = -INFINITY;

  SS_CHECK (ss_impact_set_new (impact, &options, NULL, &set, NULL) == SS_OK);
  double *velocities = ss_new_array (double, (set->options.max_steps + 2) * n);
  double *impulses = ss_new_array (double, (set->options.max_steps + 1) * 2 * m);
  for (int k = 0; k < options.n_samples; k++) {
    int n_steps;
    SS_CHECK (ss_impact_set_path (impact, &set->options, k, velocities, impulses, &n_steps, NULL) == SS_OK);
    for (int step = 0; step < n_steps; step++) {
      const double *v = velocities + step * n, *p = impulses + step * 2 * m;
      const double rise = kinetic_energy_of (impact, v + n) - kinetic_energy_of (impact, v);
      gain = fmax (gain, rise);
      least = fmin (least, rise);
      for (int i = 0; i < m; i++)
        excess = fmax (excess, fabs (p[m + i]) - impact->mu[i] * p[i]);
    }
  }
  const double rounding = 1e-14 * kinetic_energy_of (impact, impact->v);
  SS_CHECK (least < gain - 100 * rounding);
  SS_CHECK_NEAR (set->max_gain, gain, rounding);
  SS_CHECK_NEAR (set->max_excess, excess, 1e-14);
  ss_free (velocities);
  ss_free (impulses);
  ss_impact_set_free (set);
}

/* ---- rates ------------------------------------------------------------------------------------------------------- */

/* Where Algorithm 1 ends with caps h r. */
static void
run_with_rates (const SsImpact *impact, const double *rates, double h, double *v)
{
  SsImpactStep *step;
  double cap[SS_IMPACT_CONTACTS_MAX], u[2 * SS_IMPACT_CONTACTS_MAX];
  bool approaches = true;

  SS_CHECK (ss_impact_step_new (impact, SS_IMPACT_ROWS_SCALED, &step, NULL) == SS_OK);
  memcpy (v, impact->v, (size_t)impact->n * sizeof *v);
  for (int i = 0; i < impact->m; i++)
    cap[i] = h * rates[i];
  for (int k = 0; approaches && k < 1000000; k++) {
    SsImpactStepResult result;
    ss_impact_step_solve (step, &(SsImpactStepJob){.cap = cap}, v, &result);
    ss_impact_speeds (impact, v, u);
    approaches = false;
    for (int i = 0; i < impact->m; i++)
      approaches = approaches || u[i] < -SS_IMPACT_STOP;
  }
  SS_CHECK (!approaches);
  ss_impact_step_free (step);
}

/* The path is the limit of Algorithm 1, whose error is that of an Euler step: of the size of h. Where steps have
 * several answers the two may take different ones [002 (28) (39)]. */
static void
test_rates (void)
{
  const SsImpact *impact = current.impact;
  const double h = 1e-3 * number (current.model, "h");
  double rates[SS_IMPACT_CONTACTS_MAX], v[SS_IMPACT_COORDINATES_MAX], sum = 0;
  SsImpactPath *path = NULL;

  for (int i = 0; i < impact->m; i++)
    sum += rates[i] = 1 + 0.7 * i;
  for (int i = 0; i < impact->m; i++)
    rates[i] /= sum;
  SS_CHECK (ss_impact_path_new (impact, &(SsImpactRates){1, NULL, rates}, 1000, &path, NULL) == SS_OK);
  if (path == NULL)
    return;
  SS_CHECK (path->is_finished && path->n_points > 1);
  double energy = ss_impact_kinetic_energy (impact, impact->v);
  for (int k = 1; k < path->n_points; k++) {
    const double next = ss_impact_kinetic_energy (impact, path->v + k * impact->n);
    SS_CHECK (path->s[k] > path->s[k - 1] && next <= energy + 1e-12);
    energy = next;
  }
  if (number (json_object_get (current.reference, "step_uniqueness"), "fraction") == 0)
    for (int halving = 0; halving < 3; halving++) {
      const double fine = h / (1 << halving);
      run_with_rates (impact, rates, fine, v);
      double error = 0, size = 0;
      for (int i = 0; i < impact->n; i++) {
        error = fmax (error, fabs (v[i] - path->v[(path->n_points - 1) * impact->n + i]));
        for (int k = 0; k < 2 * impact->m; k++)
          size = fmax (size, fabs (impact->push[k * impact->n + i]));
      }
      /* one step's change of velocity, for each side of the path */
      compare (error, 0, fine * size * path->n_points * 4, "end of a path with rates");
    }
  ss_impact_path_free (path);
}

/* Routh's method for one contact of a point: vn = -1 + s, vt = 1 - mu s until it is 0, where it sticks; by pieces too.
 * [002 (36) (37) Fig 3]. */
static void
test_one_contact (void)
{
  const double mass[4] = {1, 0, 0, 1}, jn[2] = {0, 1}, jt[2] = {1, 0}, v[2] = {1, -1};
  double until[SS_IMPACT_PIECES_MAX], values[SS_IMPACT_PIECES_MAX];
  double of_wrong[SS_IMPACT_PIECES_MAX], values_of_wrong[SS_IMPACT_PIECES_MAX];
  SsImpactRates rates;

  SS_CHECK (ss_impact_rates_parse ("0.25:3;1", 1, until, values, &rates, NULL) == SS_OK);
  SS_CHECK (rates.n_pieces == 2 && until[0] == 0.25 && values[0] == 1 && values[1] == 1);
  for (int sticks = 0; sticks < 2; sticks++) {
    const double mu = sticks ? 2 : 0.5;
    SsImpactNumbers numbers = {.n = 2, .m = 1, .mass = mass, .jn = jn, .jt = jt, .mu = &mu, .v = v, .h = NAN};
    SsImpact *impact;
    SsImpactPath *path;
    SS_CHECK (ss_impact_new (&numbers, &impact, NULL) == SS_OK);
    SS_CHECK (ss_impact_path_new (impact, &rates, 100, &path, NULL) == SS_OK && path->is_finished);
    const int last = path->n_points - 1;
    SS_CHECK (last == 2 + sticks);
    SS_CHECK_NEAR (path->s[1], 0.25, 1e-14);
    SS_CHECK_NEAR (path->s[last], 1, 1e-9);
    SS_CHECK_NEAR (path->v[2 * last], sticks ? 0 : 0.5, 1e-9);
    SS_CHECK_NEAR (path->v[2 * last + 1], 0, 1e-9);
    if (sticks)
      SS_CHECK_NEAR (path->s[2], 0.5, 1e-9);
    ss_impact_path_free (path);
    /* ends of pieces rise, two neighbours after the first as well */
    for (int k = 0; k < 3; k++) {
      static const char *const wrong[] = {"0.25:1;0.2:1;1", "0.2:1;0.2:1;1", "0.1:1;0.3:1;0.2:1;1"};
      SsImpactRates own;
      SsError err = {0};
      SS_CHECK (ss_impact_rates_parse (wrong[k], 1, of_wrong, values_of_wrong, &own, NULL) == SS_OK);
      SS_CHECK (ss_impact_path_new (impact, &own, 100, &path, &err) == SS_ERR_ARG && path == NULL);
      SS_CHECK_CONTAINS (err.message, k == 2 ? "piece 3 ends" : "piece 2 ends");
    }
    ss_impact_free (impact);
  }
  SS_CHECK (ss_impact_rates_parse ("1,2", 1, until, values, &rates, NULL) == SS_ERR_ARG);
  SS_CHECK (ss_impact_rates_parse ("1", 2, until, values, &rates, NULL) == SS_ERR_ARG);
  SS_CHECK (ss_impact_rates_parse ("-1", 1, until, values, &rates, NULL) == SS_ERR_ARG);
}

/* ---- seen by others ---------------------------------------------------------------------------------------------- */

enum { SEEN_N = 6, SEEN_M = 3 };

/* How another one tells a configuration: contacts and coordinates in another order, tangents the other way, in units
 * that make lengths over times and masses so many times larger. */
typedef struct {
  const char *name;
  int contact[SEEN_M], coordinate[SEEN_N]; /* its k-th is ours of that number */
  double tangent, speed, mass;
} Seen;

static SsImpact *
seen_by (const Seen *seen, const double *mass, const double *jn, const double *jt, const double *mu,
         const double *restitution, const double *v)
{
  double their_mass[SEEN_N * SEEN_N], their_jn[SEEN_M * SEEN_N], their_jt[SEEN_M * SEEN_N], their_mu[SEEN_M],
      their_restitution[SEEN_M], their_v[SEEN_N];
  SsImpact *impact = NULL;
  for (int i = 0; i < SEEN_N; i++) {
    their_v[i] = seen->speed * v[seen->coordinate[i]];
    for (int j = 0; j < SEEN_N; j++)
      their_mass[i * SEEN_N + j] = seen->mass * mass[seen->coordinate[i] * SEEN_N + seen->coordinate[j]];
  }
  for (int c = 0; c < SEEN_M; c++) {
    their_mu[c] = mu[seen->contact[c]];
    their_restitution[c] = restitution[seen->contact[c]];
    for (int i = 0; i < SEEN_N; i++) {
      their_jn[c * SEEN_N + i] = jn[seen->contact[c] * SEEN_N + seen->coordinate[i]];
      their_jt[c * SEEN_N + i] = seen->tangent * jt[seen->contact[c] * SEEN_N + seen->coordinate[i]];
    }
  }
  const SsImpactNumbers numbers = {.n = SEEN_N,
                                   .m = SEEN_M,
                                   .mass = their_mass,
                                   .jn = their_jn,
                                   .jt = their_jt,
                                   .mu = their_mu,
                                   .restitution = their_restitution,
                                   .v = their_v,
                                   .h = NAN};
  SS_CHECK (ss_impact_new (&numbers, &impact, NULL) == SS_OK);
  return impact;
}

/* An outcome is the same whoever tells it: its velocities, speeds, impulses and energy. Rows of three contacts on six
 * coordinates are independent, so that impulses are unique where velocities are, as they are with little friction. */
static void
same_for_all (const Seen *seen, double near, const SsImpactOutcome *own, const SsImpactOutcome *theirs)
{
  const double force = seen->mass * seen->speed;
  SS_CHECK (theirs->is_finished == own->is_finished);
  SS_CHECK_NEAR (theirs->energy, seen->mass * seen->speed * seen->speed * own->energy, near * seen->mass);
  for (int i = 0; i < SEEN_N; i++)
    SS_CHECK_NEAR (theirs->v[i], seen->speed * own->v[seen->coordinate[i]], near * seen->speed);
  for (int k = 0; k < 2 * SEEN_M; k++) {
    const int ours = k < SEEN_M ? seen->contact[k] : SEEN_M + seen->contact[k - SEEN_M];
    const double sign = k < SEEN_M ? 1 : seen->tangent;
    SS_CHECK_NEAR (theirs->u[k], sign * seen->speed * own->u[ours], near * seen->speed);
    SS_CHECK_NEAR (theirs->impulse[k], sign * force * own->impulse[ours], near * force);
  }
}

/* The outcomes by all orders are a set: theirs of our n-th is the one with its share and the nearest velocities. */
static const SsImpactOutcome *
find_theirs (const Seen *seen, const SsImpactOutcome *own, const SsImpactResult *theirs)
{
  const SsImpactOutcome *found = NULL;
  double least = INFINITY;
  for (int k = 0; k < theirs->n_outcomes; k++) {
    double off = 0;
    for (int i = 0; i < SEEN_N; i++)
      off += fabs (theirs->outcomes[k].v[i] / seen->speed - own->v[seen->coordinate[i]]);
    if (off < least)
      found = &theirs->outcomes[k];
    least = fmin (least, off);
  }
  return found;
}

static void
test_seen_by_others (void)
{
  static const Seen views[] = {{"other order", {2, 0, 1}, {4, 2, 0, 5, 1, 3}, 1, 1, 1},
                               {"reversed", {2, 1, 0}, {0, 1, 2, 3, 4, 5}, 1, 1, 1},
                               {"mirrored", {0, 1, 2}, {0, 1, 2, 3, 4, 5}, -1, 1, 1},
                               {"other units", {0, 1, 2}, {0, 1, 2, 3, 4, 5}, 1, 4, 0.25},
                               {"all of it", {1, 2, 0}, {5, 3, 1, 0, 2, 4}, -1, 0.5, 8}};
  static const Seen self = {"", {0, 1, 2}, {0, 1, 2, 3, 4, 5}, 1, 1, 1};
  static const struct {
    const SsImpactLawClass *law;
    const char *settings[7];
    double near; /* rounding; of several orders that end within 1e-7 of each other the first stands for all */
  } laws[] = {{&ss_impact_law_newton, {NULL}, 1e-9},
              {&ss_impact_law_anitescu_potra, {NULL}, 1e-9},
              {&ss_impact_law_anitescu_potra, {"all", "on", NULL}, 1e-9},
              {&ss_impact_law_sequential, {"all", "on", "tolerance", "1e-10", "restitution", "poisson", NULL}, 1e-6}};
  SsRandom random;
  int n_outcomes = 0;

  ss_random_seed (&random, 5);
  for (int instance = 0; instance < 12; instance++) {
    double mass[SEEN_N * SEEN_N] = {0}, jn[SEEN_M * SEEN_N], jt[SEEN_M * SEEN_N], mu[SEEN_M], e[SEEN_M], v[SEEN_N];
    for (int i = 0; i < SEEN_N; i++) {
      mass[i * (SEEN_N + 1)] = ss_random_between (&random, 1, 3);
      v[i] = ss_random_between (&random, -1, 1);
    }
    for (int c = 0; c < SEEN_M; c++) {
      mu[c] = ss_random_between (&random, 0.02, 0.1);
      e[c] = ss_random_between (&random, 0, 0.8);
      for (int i = 0; i < SEEN_N; i++) { /* nearly orthogonal: between others' rows couplings of a third */
        jn[c * SEEN_N + i] = (i == 2 * c) + ss_random_between (&random, -0.3, 0.3);
        jt[c * SEEN_N + i] = (i == 2 * c + 1) + ss_random_between (&random, -0.3, 0.3);
      }
    }
    SsImpact *impact = seen_by (&self, mass, jn, jt, mu, e, v);
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
      SsImpactResult own = resolve (laws[l].law, impact, laws[l].settings);
      for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
        const int failed = ss_test_failed_checks;
        SsImpact *seen = seen_by (&views[k], mass, jn, jt, mu, e, v);
        SsImpactResult theirs = resolve (laws[l].law, seen, laws[l].settings);
        SS_CHECK (theirs.n_outcomes == own.n_outcomes && own.n_outcomes > 0);
        for (int i = 0; i < own.n_outcomes && theirs.n_outcomes == own.n_outcomes; i++) {
          const SsImpactOutcome *other = find_theirs (&views[k], &own.outcomes[i], &theirs);
          same_for_all (&views[k], laws[l].near, &own.outcomes[i], other);
          SS_CHECK_NEAR (other->share, own.outcomes[i].share, 1e-12);
          n_outcomes++;
        }
        if (ss_test_failed_checks > failed)
          printf ("  instance %d by %s, %s\n", instance, laws[l].law->name, views[k].name);
        ss_impact_result_clear (&theirs);
        ss_impact_free (seen);
      }
      ss_impact_result_clear (&own);
    }
    ss_impact_free (impact);
  }
  SS_CHECK (n_outcomes > 4 * 5 * 12); /* several by the orders of some */
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* Without locks and joints a configuration has the same D, speeds and energy, in as many coordinates as move freely; a
 * regular M stays as it is. */
static void
compare_reduced (const SsImpact *impact, int n_free)
{
  const int size = 2 * impact->m;
  double u[2][2 * SS_IMPACT_CONTACTS_MAX];
  SsImpact *reduced = NULL;
  SsError err = {0};

  if (ss_impact_reduce (impact, &reduced, &err) != SS_OK) {
    printf ("%s: %s\n", impact->name, err.message);
    ss_test_failed_checks++;
    return;
  }
  SS_CHECK (reduced->n == n_free && reduced->m == impact->m);
  ss_impact_speeds (impact, impact->v, u[0]);
  ss_impact_speeds (reduced, reduced->v, u[1]);
  for (int i = 0; i < size; i++) {
    compare (u[1][i], u[0][i], 1e-12, "speed of a reduced configuration");
    for (int j = 0; j < size; j++)
      compare (reduced->contact[i * size + j], impact->contact[i * size + j],
               1e-10 * fmax (1, fabs (impact->contact[i * size + j])), "D of a reduced configuration");
  }
  compare (ss_impact_kinetic_energy (reduced, reduced->v), ss_impact_kinetic_energy (impact, impact->v), 1e-12,
           "kinetic energy of a reduced configuration");
  SS_CHECK (strcmp (reduced->contacts[0], impact->contacts[0]) == 0);
  ss_impact_free (reduced);
}

/* Theorem 8's constant of a drawn scene, whose floor has no mass: without joints that of the file's coordinates, with
 * them at most that, since |L' r| <= |r| / sqrt (sigma) for coordinates in which M = 1. */
static void
compare_cone (const SsImpact *drawn, const SsImpact *given, bool has_joints)
{
  SsImpactCone cones[2];

  SS_CHECK (ss_impact_cone (drawn, given->h, &cones[0], NULL) == SS_OK);
  SS_CHECK (ss_impact_cone (given, given->h, &cones[1], NULL) == SS_OK);
  SS_CHECK (cones[0].is_pointed && isfinite (cones[0].c) && cones[0].c <= cones[1].c);
  if (!has_joints) {
    compare (cones[0].r, cones[1].r, 1e-9, "r of a drawn scene");
    compare (cones[0].c, cones[1].c, 0.5, "c of a drawn scene");
  }
}

/* The drawn scene has the contact-space inverse mass and the speeds of the file, but for the sign of one tangent. */
static void
compare_scene (const char *name, int turned)
{
  char file[256], model[512];
  SsError err = {0};
  SsImpact *drawn = NULL;

  snprintf (file, sizeof file, "examples/impacts/%s.stickslip.json", name);
  snprintf (model, sizeof model, "%s/tests/data/set-valued/%s.json", SS_SOURCE_ROOT, name);
  SsScenario *scenario = ss_test_read_file (file, NULL, 0);
  SsImpact *given = read_model (model);
  current.impact = given;
  SS_CHECK (scenario != NULL && given != NULL);
  if (scenario != NULL && given != NULL &&
      ss_impact_new_from_scene (scenario->scene, NULL, NULL, 1e-6, &drawn, &err) == SS_OK && drawn->m == given->m) {
    const int size = 2 * given->m;
    double u[2][2 * SS_IMPACT_CONTACTS_MAX];
    ss_impact_speeds (given, given->v, u[0]);
    ss_impact_speeds (drawn, drawn->v, u[1]);
    for (int i = 0; i < size; i++) {
      const double sign = i == turned ? -1 : 1;
      compare (sign * u[1][i], u[0][i], 1e-9, "speed of a drawn contact");
      for (int j = 0; j < size; j++) {
        const double d = given->contact[j * size + i];
        compare (sign * (j == turned ? -1 : 1) * drawn->contact[j * size + i], d, 1e-9 * fmax (1, fabs (d)),
                 "D of a drawn scene");
      }
    }
    for (int i = 0; i < given->m; i++)
      compare (drawn->mu[i], given->mu[i], 1e-9, "mu of a drawn scene");
    compare (ss_impact_kinetic_energy (drawn, drawn->v), ss_impact_kinetic_energy (given, given->v), 1e-9,
             "kinetic energy of a drawn scene");
    compare_cone (drawn, given, scenario->scene->n_joints > 0);
    compare_reduced (drawn, given->n);
    compare_reduced (given, given->n);
  } else {
    printf ("%s: %s\n", name, err.message);
    ss_test_failed_checks++;
  }
  ss_impact_free (drawn);
  ss_impact_free (given);
  ss_scenario_free (scenario);
}

/* With joints: the compass gait has masses of its legs alone, RAMone five bodies in four pins [002 Tab 4-Tab 8]. */
static void
test_scenes (void)
{
  compare_scene ("rocking-block", -1);
  compare_scene ("compass-gait", -1);
  compare_scene ("box-wall", 3); /* the file counts downwards at the wall */
  compare_scene ("ramone", -1);
  compare_scene ("disk-stack", -1);
}

/* A rod between two discs that a joint of no freedom doubles, at a limit that is reached: dependent rows of joints,
 * and a limit as a contact without friction. Two discs of 1 kg on a slider of no friction exchange their impulse at
 * the stop: D = 1/m + 1/m along it. */
static void
test_limits_and_dependent_joints (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"slider\", \"scene\": {\"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [0, 0]},"
      "{\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1, 0],"
      " \"velocity\": [1, 0]}], \"contacts\": [],"
      "\"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"anchor\": [0, 0],"
      " \"axis\": [1, 0], \"lower\": -9, \"upper\": 0},"
      "{\"name\": \"twin\", \"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"anchor\": [0, 0],"
      " \"axis\": [1, 0]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.1}}");
  SsImpact *impact = NULL;
  SsError err = {0};

  if (scenario != NULL && ss_impact_new_from_scene (scenario->scene, NULL, NULL, 1e-6, &impact, &err) == SS_OK) {
    double u[2];
    SS_CHECK (impact->m == 1 && impact->n == 6 && impact->mu[0] == 0);
    SS_CHECK_STR (impact->contacts[0], "rail.upper");
    ss_impact_speeds (impact, impact->v, u);
    SS_CHECK_NEAR (u[0], -1, 1e-12);
    SS_CHECK_NEAR (impact->contact[0], 2, 1e-12);
    SS_CHECK_NEAR (impact->contact[3], 0, 0);
  } else {
    printf ("slider: %s\n", err.message);
    ss_test_failed_checks++;
  }
  ss_impact_free (impact);
  ss_scenario_free (scenario);
}

/* A body that nothing gives a mass to is named; one that does not touch anything is no matter. */
static void
test_no_mass (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"light\", \"scene\": {\"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"wheel\", \"mass\": 1, \"inertia\": 0, \"shape\": {\"type\": \"circle\", \"radius\": 1},"
      " \"position\": [0, 1]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.1}}");
  SsDynamics *dynamics = NULL;
  SsImpact *impact = NULL;
  SsError err = {0};

  if (scenario == NULL)
    return;
  SS_CHECK (ss_impact_new_from_scene (scenario->scene, NULL, NULL, 1e-6, &impact, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "'wheel' has no inertia");
  SS_CHECK (ss_dynamics_new (scenario->scene, &dynamics, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "'wheel' has no inertia");
  ss_scenario_free (scenario);
}

/* ---- main -------------------------------------------------------------------------------------------------------- */

static void
test_file (const char *file)
{
  char reference[600];
  const char *dot = strstr (file, ".json");

  snprintf (reference, sizeof reference, "%.*s-reference.json", dot != NULL ? (int)(dot - file) : 500, file);
  snprintf (current.file, sizeof current.file, "%s", file);
  worst = 0;
  current.model = json_load_file (file, 0, NULL);
  current.reference = json_load_file (reference, 0, NULL);
  current.impact = read_model (file);
  printf ("# %s\n", file);
  if (current.model == NULL || current.reference == NULL || current.impact == NULL) {
    printf ("not ok: %s or %s cannot be read\n", file, reference);
    ss_test_failed++;
  } else {
    SS_RUN (test_derived);
    SS_RUN (test_golden_trajectories);
    SS_RUN (test_golden_single_steps);
    SS_RUN (test_simultaneous);
    SS_RUN (test_sequential);
    SS_RUN_THREADS (test_threads);
    SS_RUN (test_cone);
    SS_RUN (test_rates);
    SS_RUN (test_samples);
    SS_RUN (test_closing_step);
    SS_RUN (test_largest_gain);
    printf ("# worst deviation: %.3g of its tolerance (%s)\n", worst, worst_what);
  }
  json_decref (current.model);
  json_decref (current.reference);
  ss_impact_free (current.impact);
}

/* ---- draws ------------------------------------------------------------------------------------------------------- */

static int
by_size (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Share of the caps of a contact up to x, of caps from 0 to h, as the header has it; `m`: contacts. */
static double
share_up_to (SsImpactDrawKind kind, int m, double x)
{
  switch (kind) {
  case SS_IMPACT_DRAW_SIMPLEX: /* the smallest of m - 1 uniform cuts is above x */
    return 1 - pow (1 - x, m - 1);
  case SS_IMPACT_DRAW_CORNERS: /* a quarter alone; of the rest a quarter 0, a quarter h */
    return x >= 1 ? 1 : 0.25 * (m - 1) / m + 0.75 * (0.25 + 0.5 * x);
  case SS_IMPACT_DRAW_UNIFORM:
  case SS_IMPACT_DRAW_SOBOL:
  default:
    return x;
  }
}

/* Caps of every step and contact have the distribution of their kind (Kolmogorov and Smirnov: 2.5 / sqrt (n) is passed
 * by chance once in 10^5; points of a Sobol sequence that leap leave out as much as parities of multiples of a number
 * are uneven, less than a tenth), caps of neighbours and of steps know nothing of each other where they are
 * independent, and rates of a simplex sum to h. */
static void
test_draws (void)
{
  enum { M = 3, STEPS = 4, N = 4096 };
  static double caps[M * STEPS][N], sorted[N];
  const double h = 0.2;
  for (int kind = 0; kind < SS_IMPACT_DRAW_KINDS; kind++) {
    SsImpactDraw *draw = NULL;
    SsError err;
    double largest = 0, related = 0, off = 0;
    int n_alone = 0;
    SS_CHECK (ss_impact_draw_new ((SsImpactDrawKind)kind, 5, M, STEPS, h, &draw, &err) == SS_OK);
    for (int k = 0; k < N; k++) {
      n_alone += ss_impact_draw_alone (draw, (uint64_t)k, 0) >= 0;
      for (int step = 0; step < STEPS; step++) {
        double cap[M], sum = 0;
        ss_impact_draw_caps (draw, (uint64_t)k, step, cap);
        for (int i = 0; i < M; i++) {
          caps[step * M + i][k] = cap[i] / h;
          sum += cap[i];
        }
        off = fmax (off, fabs (sum - h));
      }
    }
    for (int d = 0; d < M * STEPS; d++) {
      double product = 0, mean[2] = {0}, square[2] = {0};
      const double *own = caps[d], *next = caps[(d + 1) % (M * STEPS)];
      memcpy (sorted, own, sizeof sorted);
      qsort (sorted, N, sizeof *sorted, by_size);
      for (int k = 0; k < N; k++) {
        if (k + 1 == N || sorted[k + 1] > sorted[k])
          largest = fmax (largest, fabs ((k + 1.0) / N - share_up_to ((SsImpactDrawKind)kind, M, sorted[k])));
        mean[0] += own[k] / N;
        mean[1] += next[k] / N;
        square[0] += own[k] * own[k] / N;
        square[1] += next[k] * next[k] / N;
        product += own[k] * next[k] / N;
      }
      if (kind == SS_IMPACT_DRAW_UNIFORM || kind == SS_IMPACT_DRAW_SOBOL)
        related = fmax (related, fabs (product - mean[0] * mean[1]) /
                                     sqrt ((square[0] - mean[0] * mean[0]) * (square[1] - mean[1] * mean[1])));
    }
    printf ("  %s: %.2g from its distribution, correlation %.2g\n", ss_impact_draw_names[kind], largest, related);
    SS_CHECK (largest <= (kind == SS_IMPACT_DRAW_SOBOL ? 0.1 : 2.5 / sqrt (N)));
    SS_CHECK (related <= 5 / sqrt (N)); /* five standard errors */
    SS_CHECK ((off <= 1e-15) == (kind == SS_IMPACT_DRAW_SIMPLEX));
    SS_CHECK (kind == SS_IMPACT_DRAW_CORNERS ? abs (n_alone - N / 4) <= 5 * sqrt (N * 0.25 * 0.75) : n_alone == 0);
    ss_impact_draw_free (draw);
  }
}

int
main (void)
{
  static const char *const own[] = {"rocking-block", "compass-gait", "box-wall",
                                    "ramone",        "disk-stack",   "disk-stack-published-code"};
  char file[512];

  for (int i = 1; i < ss_test_argc; i++)
    test_file (ss_test_argv[i]);
  for (size_t i = 0; ss_test_argc < 2 && i < sizeof own / sizeof *own; i++) {
    snprintf (file, sizeof file, "%s/tests/data/set-valued/%s.json", SS_SOURCE_ROOT, own[i]);
    test_file (file);
  }
  if (ss_test_argc < 2) {
    SS_RUN (test_cone_closed_form);
    SS_RUN (test_one_contact);
    SS_RUN (test_seen_by_others);
    SS_RUN (test_scenes);
    SS_RUN (test_limits_and_dependent_joints);
    SS_RUN (test_no_mass);
    SS_RUN (test_draws);
  }
  return ss_test_finish ();
}
