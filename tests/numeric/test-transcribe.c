/* tests/numeric/test-transcribe.c: gaps and dynamics as expressions against their numbers, derivatives of random scenes
 * against differences, plans against closed forms and replays. */
#include "geometry/ss-gap-expr.h"
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-nlp.h"
#include "ss-replay.h"
#include "ss-test-scenario.h"
#include "transcribe/ss-transcribe.h"
#include "transcribe/ss-transcriptions.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static double
value_of (const SsGraph *graph, SsExpr e, const double *inputs, int n)
{
  int n_nodes = ss_graph_n_nodes (graph);
  double *memo = calloc ((size_t)n_nodes, sizeof *memo);
  int *stamp = calloc ((size_t)n_nodes, sizeof *stamp);
  double value = ss_graph_eval (graph, e, inputs, n, memo, stamp, 1);
  free (memo);
  free (stamp);
  return value;
}

/* A solved plan. */
typedef struct {
  SsScenario *scene, *plan;
  SsTrajectory *trajectory;
  SsMetrics metrics;
  SsOutcome outcome;
  int n;
} Solved;

static void
solved_clear (Solved *solved)
{
  ss_trajectory_free (solved->trajectory);
  ss_scenario_free (solved->plan);
  ss_scenario_free (solved->scene);
}

/* Of the transcriptions that `solve` makes. */
static SsTranscribeOptions transcription;

/* Options: NULL-terminated pairs. */
static Solved
solve (const char *text, const char *const *options)
{
  const SsNlpClass *crisp = &ss_nlp_crisp;
  Solved solved = {.scene = ss_test_read_text (text)};
  void *values = calloc (1, crisp->options->size), *solver = NULL;
  SsMpcc *mpcc = NULL;
  SsNlpResult result;
  SsError err = {0};
  ss_options_init (crisp->options, values);
  SS_CHECK (ss_options_set (crisp->options, values, "preset", crisp->plan_preset, &err) == SS_OK);
  for (int i = 0; options != NULL && options[i] != NULL; i += 2)
    SS_CHECK (ss_options_set (crisp->options, values, options[i], options[i + 1], &err) == SS_OK);
  bool is_good = solved.scene != NULL && ss_transcribe (solved.scene, &transcription, &solved.plan, &err) == SS_OK &&
                 ss_problem_build (solved.plan, &mpcc, &err) == SS_OK &&
                 crisp->new_ (mpcc, values, &solver, &err) == SS_OK;
  if (!is_good)
    printf ("%s\n", err.message);
  SS_CHECK (is_good);
  if (is_good) {
    double *guess = calloc ((size_t)ss_mpcc_n_variables (mpcc) + 1, sizeof *guess);
    SS_CHECK (ss_problem_guess (solved.plan, guess, &err) == SS_OK);
    SS_CHECK (crisp->solve (solver, guess, NULL, &result, &err) == SS_OK);
    SS_CHECK (ss_metrics_compute (solved.plan, result.x, &solved.metrics, &err) == SS_OK);
    SS_CHECK (ss_problem_trajectory (solved.plan, result.x, &solved.trajectory, &err) == SS_OK);
    solved.outcome = result.outcome;
    free (guess);
  }
  if (solver != NULL)
    crisp->free_ (solver);
  ss_mpcc_free (mpcc);
  free (values);
  return solved;
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

static SsVec2 random_vertices[2][8];

/* A random shape; its vertices lie in the pool's row. Convex: points on an ellipse in order. */
static SsShape
random_shape (SsRandom *random, int kind, int row)
{
  SsVec2 *v = random_vertices[row];
  SsShape shape = {.kind = (SsShapeKind)kind, .vertices = v};
  if (kind == SS_SHAPE_CIRCLE) {
    shape.radius = ss_random_between (random, 0.05, 0.5);
    shape.centre = (SsVec2){ss_random_between (random, -0.2, 0.2), ss_random_between (random, -0.2, 0.2)};
  } else if (kind == SS_SHAPE_HALF_PLANE) {
    double angle = ss_random_between (random, -3, 3);
    shape.normal = (SsVec2){cos (angle), sin (angle)};
    shape.centre = (SsVec2){0.1, -0.2};
  } else if (kind == SS_SHAPE_POLYGON) {
    double a = ss_random_between (random, 0.2, 0.6), b = ss_random_between (random, 0.2, 0.6);
    shape.n_vertices = 3 + (int)(ss_random_next (random) % 4);
    for (int i = 0; i < shape.n_vertices; i++) {
      double angle = 6.283 * (i + ss_random_between (random, 0, 0.7)) / shape.n_vertices;
      v[i] = (SsVec2){a * cos (angle), b * sin (angle)};
    }
  } else {
    shape.n_vertices = 2;
    shape.radius = kind == SS_SHAPE_CAPSULE ? ss_random_between (random, 0.05, 0.3) : 0;
    v[0] = (SsVec2){-0.3, ss_random_between (random, -0.1, 0.1)};
    v[1] = (SsVec2){0.4, ss_random_between (random, -0.1, 0.1)};
  }
  return shape;
}

/* A segment that crosses, or a core of two ends that overlaps another, has no sign of its own. */
static bool
is_exempt (const SsShape *a, const SsShape *b, double phi)
{
  bool thin_a = a->n_vertices == 2, thin_b = b->n_vertices == 2;
  return (thin_a || thin_b) && phi < 0 && a->kind != SS_SHAPE_HALF_PLANE && b->kind != SS_SHAPE_HALF_PLANE;
}

static void
check_gap (const SsGapPair *pair, double pose[2][3], double *phi, SsVec2 *normal)
{
  enum { N = 6 + 1 + 16 };
  double inputs[N] = {0};
  SsGraph *graph = NULL;
  SsExpr e[N];
  SsGapExpr gap;
  SS_CHECK (ss_graph_new (&graph, NULL) == SS_OK);
  for (int i = 0; i < N; i++)
    e[i] = ss_graph_input (graph, i);
  memcpy (inputs, pose, 6 * sizeof (double));
  ss_gap_expr_lift (pair, pose[0], pose[1], inputs + 6);
  ss_gap_expr (graph, NULL, pair, e, e + 3, e + 6, &gap);
  *phi = value_of (graph, gap.phi, inputs, N);
  *normal = (SsVec2){value_of (graph, gap.normal.x, inputs, N), value_of (graph, gap.normal.y, inputs, N)};
  for (int i = 0; i < gap.n_zero; i++)
    SS_CHECK_NEAR (value_of (graph, gap.zero[i], inputs, N), 0, 1e-12); /* rounding of coordinates of a metre */
  for (int i = 0; i < pair->n_weights; i++) {
    double slack = value_of (graph, gap.slack[i], inputs, N);
    SS_CHECK (slack >= -1e-9 && inputs[7 + i] >= 0); /* the fraction within which vertices count as one face */
    SS_CHECK_NEAR (slack * inputs[7 + i], 0, 1e-9);
  }
  ss_graph_free (graph);
}

/* Signed distances at random poses, every pair of kinds. */
static void
test_gaps (void)
{
  SsRandom random;
  int n_checked = 0, n_exempt = 0;
  ss_random_seed (&random, 5);
  for (int i = 0; i < 1000; i++) {
    int kind_a = i % 5, kind_b = i / 5 % 5;
    SsShape a = random_shape (&random, kind_a, 0), b = random_shape (&random, kind_b, 1);
    double pose[2][3], least = INFINITY;
    SsGap gaps[SS_MANIFOLD_MAX];
    SsGapPair pairs[SS_GAP_PAIRS_MAX];
    SsVec2 normal = {0, 0};
    for (int k = 0; k < 6; k++)
      pose[k / 3][k % 3] = ss_random_between (&random, -0.9, 0.9) * (k % 3 == 2 ? 3 : 1);
    int n = ss_geometry_manifold (&a, pose[0], &b, pose[1], gaps), n_pairs = ss_gap_pairs (&a, &b, pairs);
    SS_CHECK ((n == 0) == (n_pairs == 0));
    if (n == 0)
      continue;
    if (is_exempt (&a, &b, gaps[0].phi)) {
      n_exempt++;
      continue;
    }
    for (int p = 0; p < n_pairs; p++) {
      double phi;
      SsVec2 direction;
      check_gap (&pairs[p], pose, &phi, &direction);
      if (phi < least) {
        least = phi;
        normal = direction;
      }
    }
    /* ROUND: e^2 / 2R; the others: rounding */
    SS_CHECK_NEAR (least, gaps[0].phi, pairs[0].kind == SS_GAP_ROUND ? 1e-9 : 1e-12);
    SS_CHECK_NEAR (normal.x, gaps[0].normal.x, 1e-9);
    SS_CHECK_NEAR (normal.y, gaps[0].normal.y, 1e-9);
    n_checked++;
  }
  printf ("  %d poses checked, %d with overlapping segments left out\n", n_checked, n_exempt);
  SS_CHECK (n_checked > 700);
}

/* ---- random scenes ----------------------------------------------------------------------------------------------- */

typedef struct {
  char text[8000];
  int length;
} Text;

static void
put (Text *text, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  text->length += vsnprintf (text->text + text->length, sizeof text->text - (size_t)text->length, format, args);
  va_end (args);
}

static void
put_shape (Text *text, SsRandom *random)
{
  double a = ss_random_between (random, 0.1, 0.4), b = ss_random_between (random, 0.1, 0.4);
  switch (ss_random_next (random) % 4) {
  case 0:
    put (text, "\"shape\": {\"type\": \"circle\", \"radius\": %.3f}", a);
    break;
  case 1:
    put (text, "\"shape\": {\"type\": \"box\", \"width\": %.3f, \"height\": %.3f}", a, b);
    break;
  case 2:
    put (text, "\"shape\": {\"type\": \"capsule\", \"radius\": %.3f, \"length\": %.3f}", a / 2, b);
    break;
  default:
    put (text,
         "\"shapes\": [{\"type\": \"circle\", \"radius\": %.3f, \"position\": [%.3f, 0.1]}, {\"type\": \"polygon\", "
         "\"vertices\": [[0, 0], [%.3f, 0.05], [0.1, %.3f]]}]",
         a, b, a + 0.2, b + 0.1);
  }
}

/* Bodies above a floor, all contacts, a joint of some kind, a spring, actuators of all kinds, a formula force, all that
 * a task knows. */
static void
write_scene (Text *text, SsRandom *random)
{
  static const char *const joints[] = {"\"type\": \"pin\", \"lower\": -5, \"upper\": 5",
                                       "\"type\": \"slider\", \"axis\": [0.6, 0.8], \"lower\": -2",
                                       "\"type\": \"weld\"", "\"type\": \"rod\""};
  int n = 2 + (int)(ss_random_next (random) % 2), kind = (int)(ss_random_next (random) % 5);
  text->length = 0;
  put (text,
       "{\"format\": 1, \"name\": \"random\", \"parameters\": {\"c\": 0.3}, \"scene\": {\"friction\": %.2f, "
       "\"bodies\": [",
       ss_random_next (random) % 4 == 0 ? 0.0 : ss_random_between (random, 0.1, 0.9));
  put (text, "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [%.3f, 1]}}",
       ss_random_between (random, -0.3, 0.3));
  for (int i = 0; i < n; i++) {
    put (text, ", {\"name\": \"b%d\", ", i);
    put_shape (text, random);
    put (text, ", \"mass\": %.3f, \"position\": [%.3f, %.3f], \"angle\": %.3f, \"velocity\": [%.3f, %.3f]%s}",
         ss_random_between (random, 0.3, 3), 0.9 * i + ss_random_between (random, -0.1, 0.1),
         ss_random_between (random, 0.5, 1.2), ss_random_between (random, -2, 2), ss_random_between (random, -1, 1),
         ss_random_between (random, -1, 1), ss_random_next (random) % 5 == 0 ? ", \"lock\": [\"theta\"]" : "");
  }
  put (text, "]");
  if (kind < 4)
    put (text, ", \"joints\": [{\"name\": \"j\", %s, \"bodies\": [\"b0\", \"b1\"]%s}]", joints[kind],
         kind == 3 ? "" : ", \"anchor\": [0.5, 0.7]");
  put (text, ", \"springs\": [{\"bodies\": [\"world\", \"b0\"], \"points\": [[-1, 2], [0.1, 1]], \"stiffness\": 7, "
             "\"damping\": 0.5, \"rest\": 0.6},"
             "{\"bodies\": [\"b0\", \"b1\"], \"torsion\": true, \"stiffness\": 2, \"damping\": 0.1}]");
  put (text,
       ", \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"b1\", \"direction\": [0.6, 0.8], "
       "\"anchor\": [0.1, 0.05]%s, "
       "\"lower\": -9, \"upper\": 9}, {\"name\": \"w\", \"type\": \"torque\", \"body\": \"b0\"}",
       ss_random_next (random) % 2 ? ", \"frame\": \"body\"" : "");
  if (kind < 2)
    put (text, ", {\"name\": \"m\", \"type\": \"joint\", \"joint\": \"j\"}");
  put (text, "], \"forces\": [{\"name\": \"drag\", \"body\": \"b1\", \"force\": [\"-c*b1.vx*b0.y\", \"sin(t)\"], "
             "\"torque\": \"-0.1*b1.omega\"}]}");
  put (text,
       ", \"task\": {\"horizon\": 0.3, \"steps\": 3, \"effort\": 0.02, \"effort_rate\": 0.001, "
       "\"targets\": [{\"body\": \"b1\", \"position\": [1, null], \"velocity\": [0, 0], \"weight\": 10}], "
       "\"bounds\": [{\"body\": \"b0\", \"vx\": [-9, 9]}], "
       "\"constraints\": [{\"name\": \"near\", \"points\": \"interior\", \"nonnegative\": [\"9 - b0.x^2 - "
       "u.f^2/100\"]}], "
       "\"cost\": [{\"cost\": \"0.1*b0.theta^2\"}, {\"points\": \"last\", \"cost\": \"b0.y*b1.y\"}]%s}}",
       ss_random_next (random) % 3 == 0 ? ", \"free_time\": {\"lower\": 0.1, \"upper\": 1, \"per_step\": true}" : "");
}

typedef struct {
  const SsMpcc *mpcc;
  SsMpccEval *eval;
  int n, n_rows, n_entries;
  double *x, *low, *high, *jacobian, *column;
} Differences;

/* Jacobian and gradient against central differences. The step balances h^2 f''' against rounding 1e-16 / h at
 * coordinates of size 1: errors of 1e-9. */
static double
jacobian_error (Differences *d)
{
  const double h = 1e-5;
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (d->mpcc);
  double *gradient = calloc ((size_t)d->n, sizeof *gradient), worst = 0;
  ss_mpcc_jacobian (d->eval, d->x, d->jacobian);
  ss_mpcc_gradient (d->eval, d->x, gradient);
  for (int j = 0; j < d->n; j++) {
    double kept = d->x[j];
    d->x[j] = kept + h;
    ss_mpcc_rows (d->eval, d->x, d->high);
    double up = ss_mpcc_objective (d->eval, d->x);
    d->x[j] = kept - h;
    ss_mpcc_rows (d->eval, d->x, d->low);
    double down = ss_mpcc_objective (d->eval, d->x);
    d->x[j] = kept;
    for (int r = 0; r < d->n_rows; r++)
      d->column[r] = 0;
    for (int r = 0; r < d->n_rows; r++)
      for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++)
        if (pattern->index[e] == j)
          d->column[r] += d->jacobian[e];
    for (int r = 0; r < d->n_rows; r++) {
      double difference = (d->high[r] - d->low[r]) / (2 * h);
      worst = fmax (worst, fabs (d->column[r] - difference) / fmax (1, fabs (difference)));
    }
    worst = fmax (worst, fabs (gradient[j] - (up - down) / (2 * h)) / fmax (1, fabs (gradient[j])));
  }
  free (gradient);
  return worst;
}

/* Issue 5, target 4. */
static void
test_derivatives (void)
{
  const int n_scenes = ss_test_is_coarse () ? 50 : 200;
  const SsOptionTable *table = ss_transcription_option_table ();
  void *implicit = calloc (1, table->size), *midpoint = calloc (1, table->size);
  SsRandom random;
  int n_skipped = 0;
  double worst = 0;
  ss_options_init (table, implicit);
  ss_options_init (table, midpoint);
  SS_CHECK (ss_options_set (table, midpoint, "law", "midpoint", NULL) == SS_OK);
  ss_random_seed (&random, 2025);
  for (int i = 0; i < n_scenes; i++) {
    Text text;
    SsScenario *plan = NULL;
    SsMpcc *mpcc = NULL;
    SsError err = {0};
    write_scene (&text, &random);
    SsScenario *scene = ss_test_read_text (text.text);
    if (scene == NULL)
      return;
    SsTranscribeOptions options = ss_transcription_choose (i % 4 < 2 ? implicit : midpoint);
    options.coordinates = i % 2 == 0 ? SS_COORDINATES_ABSOLUTE : SS_COORDINATES_JOINT;
    bool is_good =
        ss_transcribe (scene, &options, &plan, &err) == SS_OK && ss_problem_build (plan, &mpcc, &err) == SS_OK;
    if (!is_good)
      printf ("scene %d: %s\n", i, err.message);
    SS_CHECK (is_good);
    Differences d = {.mpcc = mpcc, .n = ss_mpcc_n_variables (mpcc), .n_rows = ss_mpcc_n_rows (mpcc)};
    SS_CHECK (ss_mpcc_eval_new (mpcc, &d.eval, &err) == SS_OK);
    d.x = calloc ((size_t)d.n, sizeof (double));
    d.low = calloc ((size_t)d.n_rows, sizeof (double));
    d.high = calloc ((size_t)d.n_rows, sizeof (double));
    d.column = calloc ((size_t)d.n_rows, sizeof (double));
    d.jacobian = calloc ((size_t)ss_mpcc_jacobian_pattern (mpcc)->start[d.n_rows] + 1, sizeof (double));
    SS_CHECK (ss_problem_guess (plan, d.x, &err) == SS_OK);
    for (int j = 0; j < d.n; j++) {
      d.x[j] += ss_random_between (&random, -0.3, 0.3);
      if (strcmp (plan->model->variables[j % plan->model->n_variables], "h") == 0) /* rows divide by it */
        d.x[j] = fmax (d.x[j], 0.05);
    }
    double error = jacobian_error (&d);
    if (!isfinite (error)) {
      printf ("  scene %d skipped: not finite\n", i);
      n_skipped++;
    } else {
      worst = fmax (worst, error);
      SS_CHECK_NEAR (error, 0, 1e-6);
    }
    ss_mpcc_eval_free (d.eval);
    free (d.x);
    free (d.low);
    free (d.high);
    free (d.column);
    free (d.jacobian);
    ss_mpcc_free (mpcc);
    ss_scenario_free (plan);
    ss_scenario_free (scene);
  }
  free (implicit);
  free (midpoint);
  printf ("  %d scenes, worst relative error %.2g, %d skipped\n", n_scenes, worst, n_skipped);
  SS_CHECK (20 * n_skipped <= n_scenes);
}

/* Inserts before the first `mark`. */
static void
insert_before (Text *text, const char *mark, const char *what)
{
  char *at = strstr (text->text, mark);
  SS_CHECK (at != NULL && strlen (text->text) + strlen (what) < sizeof text->text);
  if (at == NULL)
    return;
  memmove (at + strlen (what), at, strlen (at) + 1);
  memcpy (at, what, strlen (what));
}

/* Cuts from the first `from` up to the first `to` after it, if it is there. */
static void
cut (Text *text, const char *from, const char *to)
{
  char *at = strstr (text->text, from), *end = at != NULL ? strstr (at + 1, to) : NULL;
  if (end != NULL)
    memmove (at, end, strlen (end) + 1);
}

/* The law itself: a step of the simulator satisfies the rows that forces can be read off for, in scenes of every kind:
 * velocities of bodies without contacts, positions, joints. The plan's point is the simulation's guess; contacts are
 * left out by lifting the bodies far above the floor and apart. */
static void
test_law_of_free_motion (void)
{
  SsRandom random;
  double worst = 0;
  ss_random_seed (&random, 77);
  for (int i = 0; i < 50; i++) {
    Text text;
    SsScenario *plan = NULL;
    SsError err = {0};
    SsMetrics metrics;
    write_scene (&text, &random);
    /* no joints (their forces are not reported), no touching, no bounds that the motion would break */
    cut (&text, ", \"joints\"", ", \"springs\"");
    cut (&text, ", {\"name\": \"m\"", "]");
    char *time = strstr (text.text, ", \"free_time\""); /* the last of the file */
    if (time != NULL)
      memcpy (time, "}}", sizeof "}}");
    insert_before (&text, "\"bodies\"", "\"contacts\": [], ");
    insert_before (&text, "\"effort\"", "\"guess\": \"simulation\", ");
    SsScenario *scene = ss_test_read_text (text.text);
    if (scene == NULL || ss_transcribe (scene, NULL, &plan, &err) != SS_OK) {
      SS_CHECK (false);
      return;
    }
    double *x = calloc ((size_t)plan->model->n_points * (size_t)plan->model->n_variables, sizeof *x);
    SS_CHECK (ss_problem_guess (plan, x, &err) == SS_OK);
    SS_CHECK (ss_metrics_compute (plan, x, &metrics, &err) == SS_OK);
    worst = fmax (worst, metrics.violation_equality);
    SS_CHECK_NEAR (metrics.violation_equality, 0, 1e-11); /* rounding, and the spring's nanometre */
    free (x);
    ss_scenario_free (plan);
    ss_scenario_free (scene);
  }
  printf ("  worst row %.2g\n", worst);
}

/* Discs on a floor without friction: in the guess that is their simulation the floor carries their weights at every
 * point but the first, and the force of one gap of two is not known, so that a box's corners have none. */
static void
test_forces_of_a_simulated_guess (void)
{
  static const char *const shapes[] = {"\"type\": \"circle\", \"radius\": 0.1",
                                       "\"type\": \"box\", \"width\": 0.4, \"height\": 0.2"};
  for (int i = 0; i < 2; i++) {
    char text[1200];
    SsScenario *plan = NULL;
    SsError err = {0};
    int n_forces = 0;
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"m\", \"scene\": {\"bodies\": [{\"name\": \"floor\", \"fixed\": true, "
              "\"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"m\", \"mass\": 2, "
              "\"position\": [0, 0.1], \"velocity\": [0.5, 0], \"shape\": {%s}}, {\"name\": \"other\", \"mass\": 3, "
              "\"position\": [5, 0.1], \"shape\": {%s}}], \"contacts\": [{\"name\": \"c\", \"bodies\": [\"floor\", "
              "\"m\"]}, {\"name\": \"d\", \"bodies\": [\"floor\", \"other\"]}]}, \"task\": {\"horizon\": 1, \"steps\": "
              "5, \"guess\": \"simulation\", \"targets\": [{\"body\": \"m\", \"position\": [1, 0.1]}]}}",
              shapes[i], shapes[0]);
    SsScenario *scene = ss_test_read_text (text);
    SS_CHECK (ss_transcribe (scene, NULL, &plan, &err) == SS_OK);
    const SsModel *model = plan->model;
    const int n = model->n_variables;
    double *x = calloc ((size_t)model->n_points * (size_t)n, sizeof *x);
    SS_CHECK (ss_problem_guess (plan, x, &err) == SS_OK);
    for (int v = 0; v < n; v++) {
      const bool is_m = model->variables[v][0] == 'c';
      if (strncmp (model->variables[v] + 1, ".", 1) != 0 || strstr (model->variables[v], "lambda_n") == NULL)
        continue;
      n_forces++;
      for (int k = 1; k < model->n_points; k++)
        SS_CHECK_NEAR (x[k * n + v], !is_m ? 3 * 9.81 : i == 0 ? 2 * 9.81 : 0, 1e-9);
    }
    SS_CHECK (n_forces == (i == 0 ? 2 : 5)); /* of a box all corners */
    free (x);
    ss_scenario_free (plan);
    ss_scenario_free (scene);
  }
}

/* In joint coordinates a slider carries its body, whose joint has no forces then, unless the body has a lock. */
static void
test_locked_bodies_are_not_carried (void)
{
  static const char *const locks[] = {"", "\"x\"", "\"y\"", "\"theta\""};
  for (int i = 0; i < 4; i++) {
    const SsTranscribeOptions options = {.coordinates = SS_COORDINATES_JOINT};
    char text[600];
    SsScenario *plan = NULL;
    SsError err = {0};
    bool has_forces = false;
    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"m\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"m\", \"mass\": "
        "2, \"lock\": [%s], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"joints\": [{\"name\": \"j\", "
        "\"type\": \"slider\", \"bodies\": [\"world\", \"m\"], \"anchor\": [0, 0], \"axis\": [0.6, 0.8]}]}, "
        "\"task\": {\"horizon\": 1, \"steps\": 5, \"targets\": [{\"body\": \"m\", \"position\": [0, 0]}]}}",
        locks[i]);
    SsScenario *scene = ss_test_read_text (text);
    SS_CHECK (ss_transcribe (scene, &options, &plan, &err) == SS_OK);
    for (int v = 0; plan != NULL && v < plan->model->n_variables; v++)
      has_forces = has_forces || strncmp (plan->model->variables[v], "j.lambda_", 9) == 0;
    SS_CHECK (has_forces == (i > 0));
    ss_scenario_free (plan);
    ss_scenario_free (scene);
  }
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* Least effort from rest to rest: u_k = a + b (N - k) with the two sums that the target asks for, exactly in the
 * discrete law. */
static void
test_least_effort (void)
{
  enum { N = 20 };
  const double h = 1.0 / N, m = 2;
  static const char *const options[] = {"tolerance-decrease", "0", "tolerance-step", "1e-9", NULL};
  Solved s = solve ("{\"format\": 1, \"name\": \"m\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"m\", "
                    "\"shape\": {\"type\": "
                    "\"circle\", \"radius\": 0.1}, \"mass\": 2}], \"actuators\": [{\"name\": \"f\", \"type\": "
                    "\"force\", \"body\": \"m\", "
                    "\"direction\": [1, 0]}]}, \"task\": {\"horizon\": 1, \"steps\": 20, \"effort\": 1, \"targets\": "
                    "[{\"body\": \"m\", "
                    "\"position\": [1, 0], \"velocity\": [0, 0]}]}}",
                    options);
  /* sum u = 0, h^2 / m sum (N - k) u = 1 */
  double s0 = N, s1 = 0, s2 = 0;
  for (int k = 0; k < N; k++) {
    s1 += N - k;
    s2 += (N - k) * (N - k);
  }
  double b = m / (h * h) / (s2 - s1 * s1 / s0), a = -b * s1 / s0;
  SS_CHECK (s.trajectory != NULL && s.metrics.max_violation < 1e-9);
  for (int k = 0; k < N && s.trajectory != NULL; k++)
    SS_CHECK_NEAR (ss_replay_value (s.trajectory, k, "u", "f"), a + b * (N - k),
                   1e-4 * fabs (a)); /* CRISP's own stopping */
  SS_CHECK_NEAR (ss_replay_value (s.trajectory, N, "u", "f"), ss_replay_value (s.trajectory, N - 1, "u", "f"), 1e-9);
  SS_CHECK_NEAR (s.metrics.tracking[SS_TRACK_POSITION], 0, 1e-8);
  solved_clear (&s);
}

/* The whole replay; its steps have one answer each. */
static void
check_replay (const Solved *s)
{
  SsReplayDistance whole = {.largest = INFINITY};
  SsReplaySteps steps = {.largest = INFINITY};

  SS_CHECK (ss_replay_by_its_law (s->scene->scene, s->trajectory, NAN, &whole, &steps));
  SS_CHECK_NEAR (whole.largest, 0, 1e-5);
  SS_CHECK_NEAR (steps.largest, 0, SS_REPLAY_PARTED);
  SS_CHECK (steps.n_steps == s->trajectory->n_rows - 1 && steps.n_parted == 0 && steps.n_failed == 0);
}

/* No choice at all: a sliding block comes to rest, v falls by h mu g a step. */
static void
test_sliding_block_stops (void)
{
  enum { N = 20 };
  const double h = 0.02, fall = h * 0.5 * 9.81;
  Solved s = solve (
      "{\"format\": 1, \"name\": \"s\", \"scene\": {\"friction\": 0.5, \"bodies\": [{\"name\": \"floor\", \"fixed\": "
      "true, \"shape\": "
      "{\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": "
      "1, \"height\": "
      "0.2}, \"mass\": 1, \"position\": [0, 0.1], \"velocity\": [1, 0]}]}, \"task\": {\"horizon\": 0.4, \"steps\": 20, "
      "\"cost\": [{\"points\": \"last\", \"cost\": \"0*box.x\"}]}}",
      NULL);
  double x = 0, v = 1;
  SS_CHECK (s.outcome == SS_OUTCOME_SOLVED && s.metrics.max_violation < 1e-7);
  for (int k = 1; k <= N && s.trajectory != NULL; k++) {
    v = fmax (v - fall, 0);
    x += h * v;
    SS_CHECK_NEAR (ss_replay_value (s.trajectory, k, "box", "x"), x, 1e-6);
    SS_CHECK_NEAR (ss_replay_value (s.trajectory, k, "floor-box", "lambda_n"), 9.81,
                   1e-5); /* violation 1e-8 over h / m */
    SS_CHECK_NEAR (ss_replay_value (s.trajectory, k, "floor-box", "gap"), 0, 1e-7);
  }
  SS_CHECK_NEAR (v, 0, 0);
  check_replay (&s);
  solved_clear (&s);
}

/* Least time over a distance with bounded force: bang-bang, T = 2 sqrt (m d / u) up to the step's length. */
static void
test_least_time (void)
{
  Solved s = solve ("{\"format\": 1, \"name\": \"m\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"m\", "
                    "\"shape\": {\"type\": "
                    "\"circle\", \"radius\": 0.1}, \"mass\": 2}], \"actuators\": [{\"name\": \"f\", \"type\": "
                    "\"force\", \"body\": \"m\", "
                    "\"direction\": [1, 0], \"lower\": -2, \"upper\": 2}]}, \"task\": {\"horizon\": 1, \"steps\": 40, "
                    "\"effort\": 0, \"free_time\": "
                    "{\"lower\": 0.5, \"upper\": 5, \"weight\": 1}, \"targets\": [{\"body\": \"m\", \"position\": [1, "
                    "0], \"velocity\": [0, 0]}]}}",
                    NULL);
  SS_CHECK (s.metrics.max_violation < 1e-6);
  if (s.trajectory != NULL) {
    double end = ss_trajectory_row (s.trajectory, 40)[0];
    SS_CHECK_NEAR (end, 2, 2.0 / 40 + 0.02); /* a step more, and CRISP's stopping at a hundredth */
    SS_CHECK_NEAR (ss_trajectory_row (s.trajectory, 20)[0], end / 2, 1e-6);
  }
  solved_clear (&s);
}

/* ---- replays ----------------------------------------------------------------------------------------------------- */

/* A joint, a limit, a spring, a motor: the plan is what the integrator does. */
static void
replay_with_joints (void)
{
  Solved s = solve (
      "{\"format\": 1, \"name\": \"arm\", \"scene\": {\"bodies\": [{\"name\": \"a\", \"shape\": {\"type\": \"box\", "
      "\"width\": 1, \"height\": "
      "0.1}, \"mass\": 1, \"position\": [0.5, 0]}, {\"name\": \"b\", \"shape\": {\"type\": \"box\", \"width\": 1, "
      "\"height\": 0.1}, "
      "\"mass\": 0.5, \"position\": [1.5, 0]}], \"joints\": [{\"name\": \"p\", \"type\": \"pin\", \"bodies\": "
      "[\"world\", \"a\"], "
      "\"anchor\": [0, 0], \"lower\": -0.6, \"upper\": 2}, {\"name\": \"q\", \"type\": \"pin\", \"bodies\": [\"a\", "
      "\"b\"], \"anchor\": [1, "
      "0]}], \"springs\": [{\"bodies\": [\"world\", \"b\"], \"points\": [[1.5, 1], [1.5, 0]], \"stiffness\": 5, "
      "\"damping\": 0.2}], "
      "\"actuators\": [{\"name\": \"m\", \"type\": \"joint\", \"joint\": \"q\", \"lower\": -4, \"upper\": 4}]}, "
      "\"task\": {\"horizon\": "
      "0.8, \"steps\": 40, \"targets\": [{\"body\": \"b\", \"angle\": 0.3, \"weight\": 100}], \"effort\": 0.01}}",
      NULL);
  SS_CHECK (s.outcome == SS_OUTCOME_SOLVED && s.metrics.max_violation < 1e-6);
  if (s.trajectory != NULL) {
    double least = INFINITY;
    for (int k = 0; k < s.trajectory->n_rows; k++)
      least = fmin (least, ss_replay_value (s.trajectory, k, "a", "theta"));
    SS_CHECK_NEAR (least, -0.6, 1e-6); /* the limit was used */
    SS_CHECK_NEAR (s.metrics.tracking[SS_TRACK_ANGLE], 0, 0.1);
    check_replay (&s);
  }
  solved_clear (&s);
}

static void
test_replay_with_joints (void)
{
  for (int i = 0; i < 2; i++) {
    transcription.coordinates = i == 0 ? SS_COORDINATES_ABSOLUTE : SS_COORDINATES_JOINT;
    replay_with_joints ();
  }
  transcription.coordinates = SS_COORDINATES_ABSOLUTE;
}

/* A disc pushes a box over a rough floor from standing still. */
static void
test_replay_of_a_push (void)
{
  Solved s = solve ("{\"format\": 1, \"name\": \"push\", \"scene\": {\"friction\": 0.5, \"bodies\": [{\"name\": "
                    "\"floor\", \"fixed\": true, \"shape\": "
                    "{\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"box\", \"shape\": {\"type\": "
                    "\"box\", \"width\": 0.4, \"height\": "
                    "0.4}, \"mass\": 1, \"position\": [0, 0.2]}, {\"name\": \"disc\", \"shape\": {\"type\": "
                    "\"circle\", \"radius\": 0.1}, "
                    "\"mass\": 1, \"position\": [-0.5, 0.2], \"lock\": [\"theta\"]}], \"contacts\": [{\"bodies\": "
                    "[\"floor\", \"box\"]}, {\"bodies\": [\"disc\", \"box\"]}], "
                    "\"actuators\": [{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, "
                    "0], \"lower\": -20, \"upper\": 20}, "
                    "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"lower\": "
                    "-20, \"upper\": 20}]}, \"task\": "
                    "{\"horizon\": 2, \"steps\": 40, \"targets\": [{\"body\": \"box\", \"position\": [0.5, null], "
                    "\"velocity\": [0, null], "
                    "\"weight\": 1000}], \"effort\": 0.01}}",
                    NULL);
  SS_CHECK (s.outcome == SS_OUTCOME_SOLVED && s.metrics.max_violation < 1e-6);
  SS_CHECK (s.metrics.tracking[SS_TRACK_POSITION] < 5e-3);
  if (s.trajectory != NULL)
    check_replay (&s);
  solved_clear (&s);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static void
check_refused (const char *task, const char *part)
{
  char text[1500];
  SsScenario *plan = NULL;
  SsError err = {0};
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"r\", \"scene\": {\"bodies\": [{\"name\": \"a\", \"shape\": {\"type\": "
            "\"circle\", \"radius\": 0.1}, \"mass\": "
            "1, \"lock\": [\"theta\"]}], \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"a\", "
            "\"direction\": [1, 0]}], \"forces\": "
            "[{\"name\": \"wind\", \"body\": \"a\", \"force\": [\"if(a.x > 0, 1, 0)\", 0]}]}, \"task\": {%s}}",
            task);
  SsScenario *scene = ss_test_read_text (text);
  if (scene == NULL)
    return;
  SS_CHECK (ss_transcribe (scene, NULL, &plan, &err) == SS_ERR_INVALID);
  SS_CHECK (plan == NULL);
  SS_CHECK_CONTAINS (err.message, part);
  ss_scenario_free (scene);
}

static void
test_refusals (void)
{
  check_refused ("\"t_end\": 1", "what shall be reached");
  check_refused ("\"horizon\": 1, \"steps\": 5, \"targets\": [{\"body\": \"a\", \"position\": [1, 0]}]", "wind");
}

int
main (void)
{
  SS_RUN (test_gaps);
  SS_RUN (test_derivatives);
  SS_RUN (test_law_of_free_motion);
  SS_RUN (test_forces_of_a_simulated_guess);
  SS_RUN (test_locked_bodies_are_not_carried);
  SS_RUN (test_least_effort);
  SS_RUN (test_sliding_block_stops);
  SS_RUN (test_least_time);
  SS_RUN (test_replay_with_joints);
  SS_RUN_SLOW (test_replay_of_a_push);
  SS_RUN (test_refusals);
  return ss_test_finish ();
}
