/* app/bench/ssapp-paper-toy.c: Figs 2 and 3 of paper 004: its Example 1, two variables of which one is zero and none is
 * negative (examples/crisp/one-pair.stickslip.json): level sets, cones at the origin, the merit function (10), and what
 * methods answer. Level sets are closed forms: on a ray the merit function is a parabola. */
#include "app/bench/ssapp-paper-item.h"

#include "app/bench/ssapp-bench-common.h"

#include <math.h>
#include <string.h>

#include "bench-toy.h"

/* ---- Fig. 2: [004 Fig 2 (1a)-(1d) (2) (3)] ----------------------------------------------------------------------- */

static void
add_arc (SsappBenchSheet *sheet, const char *curve, double radius, int degrees)
{
  for (int i = 0; i <= degrees; i += 3)
    SSAPP_BENCH_ROW (sheet, {curve}, {.n = radius * cos (i * G_PI / 180)}, {.n = radius * sin (i * G_PI / 180)});
}

static void
add_line (SsappBenchSheet *sheet, const char *curve, double x1, double x2)
{
  SSAPP_BENCH_ROW (sheet, {curve}, {.n = 0}, {.n = 0});
  SSAPP_BENCH_ROW (sheet, {curve}, {.n = x1}, {.n = x2});
}

/* Distance of a point from the feasible set: the two half axes. */
static double
distance (double x1, double x2)
{
  return fmin (hypot (fmin (x1, 0), x2), hypot (x1, fmin (x2, 0)));
}

/* Directions at the origin by the definitions: tangent where the distance of t d from the feasible set falls faster
 * than t; linearised where the gradients of the rows, (1, 0), (0, 1) and (0, 0), allow d. */
static void
add_cones (SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"directions|directions|4", "linearised|in the linearised cone|4",
                                        "tangent|of these in the tangent cone|4", NULL};
  static const double t = 1e-6, eps = 1e-9;
  int n = 0, n_linear = 0, n_tangent = 0;

  for (int i = 0; i < 360; i++, n++) {
    const double d1 = cos (i * G_PI / 180), d2 = sin (i * G_PI / 180);
    const gboolean is_linear = d1 >= -eps && d2 >= -eps;
    n_linear += is_linear;
    n_tangent += is_linear && distance (t * d1, t * d2) <= eps * t;
  }
  ssapp_bench_sheet_table (sheet, "cones", "Directions at the origin, one a degree", columns);
  SSAPP_BENCH_ROW (sheet, {.n = n}, {.n = n_linear}, {.n = n_tangent});
  ssapp_bench_sheet_note (sheet, "Rows are linearised well where both cones are the same; here the gradient of x1 x2 "
                                 "is zero, and the linearised cone is a quadrant where the tangent cone is two rays.");
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void
add_answer (SsappBenchSheet *sheet, const SsappBenchMethod *method, double wish, double s1, double s2,
            SsRunControl *control)
{
  const SsOverride set[] = {{"a", wish}, {"b", wish}, {"s1", s1}, {"s2", s2}};
  char *message = NULL;
  SsScenario *scenario = ssapp_bench_read (bench_toy, "toy", set, G_N_ELEMENTS (set), &message);
  SsappBenchJob job;
  SsRunResult result;
  SsError error;

  if (scenario == NULL) /* built in: a mistake is ours */
    g_error ("toy: %s", message);
  if (ssapp_bench_job_init (&job, method, scenario, &error) && ss_run (&job.job, control, &result, &error) == SS_OK) {
    const SsTrajectory *answer = result.n_motions > 0 ? result.motions[0].trajectory : NULL;
    const double *x = answer != NULL ? ss_trajectory_row (answer, 0) + 1 : NULL;
    const double verified = ss_metric_get (&result.metrics, SS_METRIC_B_VERIFIED);
    SSAPP_BENCH_ROW (sheet, {.n = wish}, {.n = s1}, {.n = s2}, {method->label}, {.n = x != NULL ? x[0] : NAN},
                     {.n = x != NULL ? x[1] : NAN}, {.n = x != NULL ? hypot (x[0], x[1]) : NAN},
                     {.n = ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE)}, {.n = wish > 0 ? 1 : 0},
                     {ss_outcome_name (result.outcome)}, {verified > 0 ? "proved" : "not proved"});
    ss_run_result_clear (&result);
  }
  ssapp_bench_job_clear (&job);
  ss_scenario_free (scenario);
}

static void
add_answers (const SsappPaperPlan *plan, SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"wish|a = b|2",
                                        "s1|start x1|3",
                                        "s2|start x2|3",
                                        "method|method|0",
                                        "x1|x1|4",
                                        "x2|x2|4",
                                        "origin|from the origin|3",
                                        "objective|objective|6",
                                        "least|least possible|3",
                                        "end|end|0",
                                        "b_stationary|B-stationary|0",
                                        NULL};
  static const double starts[][2] = {{2, 1}, {1, 1}, {0, 0}};
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (
      SS_METHOD_OPTIMISER, "crisp:preset=paper,crisp,ipopt,scholtes,scholtes:relaxation=l1-penalty,auto", NULL);

  ssapp_bench_sheet_table (sheet, "answers", "Answers, as near to (a, b) as can be", columns);
  for (int wish = 0; wish <= 1; wish++)
    for (guint s = 0; s < G_N_ELEMENTS (starts); s++)
      for (guint m = 0; m < methods->len && !ssapp_bench_is_cancelled (plan->control); m++)
        add_answer (sheet, g_ptr_array_index (methods, m), wish, starts[s][0], starts[s][1], plan->control);
  ssapp_bench_sheet_note (sheet, "a = b = 0 is the paper's. With a = b = 1 the least objective is 1, at (1, 0) and "
                                 "(0, 1). The origin, with 2, is feasible and C-stationary though the cost falls along "
                                 "both axes: what ends there is no solution, and says that it is not verified.");
}

static SsappBenchSheet *
make_figure_2 (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  static const char *const columns[] = {"curve|curve|0", "x1|x1|6", "x2|x2|6", NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  (void)item;
  (void)message;
  ssapp_bench_sheet_table (sheet, "curves", "Curves of the picture", columns);
  add_arc (sheet, "f = 0.25", 0.5, 360);
  add_arc (sheet, "f = 1", 1, 360);
  add_arc (sheet, "f = 2.25", 1.5, 360);
  add_line (sheet, "feasible, tangent cone", 2, 0);
  add_line (sheet, "feasible, tangent cone", 0, 2);
  add_arc (sheet, "linearised cone", 0.75, 90);
  add_cones (sheet);
  add_answers (plan, sheet);
  return sheet;
}

/* ---- Fig. 3: [004 Fig 3] ----------------------------------------------------------------------------------------- */

static const double penalties[] = {0.5, 1, 2, 10, 100}, levels[] = {0.25, 1, 4};

/* The merit function along the ray of unit direction (c, s): r^2 (1 + mu |c s|) + r mu (max (0, -c) + max (0, -s)). */
static double
radius_of_level (double mu, double level, double c, double s)
{
  const double square = 1 + mu * fabs (c * s), linear = mu * (fmax (0, -c) + fmax (0, -s));

  return (sqrt (linear * linear + 4 * square * level) - linear) / (2 * square);
}

/* Directional derivative of the merit function at x along p, by pieces. */
static double
derivative (double mu, const double *x, const double *p)
{
  const double product = x[0] * x[1], change = x[1] * p[0] + x[0] * p[1];
  double sum = 2 * (x[0] * p[0] + x[1] * p[1]);

  for (int i = 0; i < 2; i++)
    sum += x[i] < 0 ? -mu * p[i] : x[i] > 0 ? 0 : mu * fmax (0, -p[i]);
  return sum + mu * (product > 0 ? change : product < 0 ? -change : fabs (change));
}

static gboolean
is_stationary (double mu, const double *x)
{
  static const double rounding = 1e-9;

  for (int i = 0; i < 360; i++) {
    const double p[] = {cos (i * G_PI / 180), sin (i * G_PI / 180)};
    if (derivative (mu, x, p) < -rounding)
      return FALSE;
  }
  return TRUE;
}

static void
add_stationary (SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"mu|mu|4", "points|points|5", "stationary|stationary|4",
                                        "others|of these not the origin|4", NULL};
  enum { HALF = 40 };

  ssapp_bench_sheet_table (sheet, "stationary",
                           "Points of a grid from -2 to 2 from which the merit function does not fall", columns);
  for (guint k = 0; k < G_N_ELEMENTS (penalties); k++) {
    int n = 0, n_others = 0;
    for (int i = -HALF; i <= HALF; i++)
      for (int j = -HALF; j <= HALF; j++) {
        const double x[] = {2. * i / HALF, 2. * j / HALF};
        const gboolean is_so = is_stationary (penalties[k], x);
        n += is_so;
        n_others += is_so && (i != 0 || j != 0);
      }
    SSAPP_BENCH_ROW (sheet, {.n = penalties[k]}, {.n = (2 * HALF + 1) * (2 * HALF + 1)}, {.n = n}, {.n = n_others});
  }
}

static SsappBenchSheet *
make_figure_3 (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  static const char *const contours[] = {"mu|mu|4", "level|merit|3", "x1|x1|6", "x2|x2|6", NULL};
  static const char *const slices[] = {"mu|mu|4", "t|t|4", "diagonal|along (t, t)|5", "axis|along (t, 0)|5", NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  (void)plan;
  (void)item;
  (void)message;
  ssapp_bench_sheet_table (sheet, "contours", "Level sets of the merit function", contours);
  for (guint k = 0; k < G_N_ELEMENTS (penalties); k++)
    for (guint l = 0; l < G_N_ELEMENTS (levels); l++)
      for (int i = 0; i <= 360; i += 2) {
        const double c = cos (i * G_PI / 180), s = sin (i * G_PI / 180);
        const double r = radius_of_level (penalties[k], levels[l], c, s);
        SSAPP_BENCH_ROW (sheet, {.n = penalties[k]}, {.n = levels[l]}, {.n = r * c}, {.n = r * s});
      }
  ssapp_bench_sheet_table (sheet, "slices", "The merit function along the diagonal and the first axis", slices);
  for (guint k = 0; k < G_N_ELEMENTS (penalties); k++)
    for (int i = -20; i <= 40; i++) {
      const double t = i / 20., mu = penalties[k];
      SSAPP_BENCH_ROW (sheet, {.n = mu}, {.n = t}, {.n = (2 + mu) * t * t + 2 * mu * fmax (0, -t)},
                       {.n = t * t + mu * fmax (0, -t)});
    }
  add_stationary (sheet);
  return sheet;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

#define CRISP "Li et al. 2025, CRISP"

/* clang-format off */
static const SsappPaperChart figure_2_charts[] = {
  {"toy", "Level sets, feasible set and cones at the origin", "curves", NULL, "x1", "x2", "curve", "x1", "x2", .has_no_mark = TRUE, .is_square = TRUE},
  {NULL}};

static const SsappPaperClaim figure_2_claims[] = {
  {"directions of the linearised cone in the tangent cone", "cones", NULL, "tangent", SSAPP_PRINTS (2), .paper_words = "two rays of a quadrant",
   .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0, .why = "a count of directions"},
  {"answer from ({s1}, {s2}) by {method}, distance from the origin", "answers", "wish=0", "origin", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN,
   .tolerance = 1e-3, .why = "products up to 1e-6 count as zero, so sides up to 1e-3 do"},
  {NULL}};

static const SsappPaperChart figure_3_charts[] = {
  {"mu-1", "Merit function, mu = 1", "contours", "mu=1", "x1", "x2", "level", "x1", "x2", .has_no_mark = TRUE, .is_square = TRUE},
  {"mu-10", "Merit function, mu = 10", "contours", "mu=10", "x1", "x2", "level", "x1", "x2", .has_no_mark = TRUE, .is_square = TRUE},
  {"mu-100", "Merit function, mu = 100", "contours", "mu=100", "x1", "x2", "level", "x1", "x2", .has_no_mark = TRUE, .is_square = TRUE},
  {"diagonal", "Merit function along the diagonal", "slices", NULL, "t", "diagonal", "mu", "t of (t, t)", "Merit", .has_no_mark = TRUE, .y_most = 40},
  {NULL}};

static const SsappPaperClaim figure_3_claims[] = {
  {"stationary points beside the origin, mu = {mu}", "stationary", NULL, "others", SSAPP_PRINTS (0), .paper_words = "align with the origin",
   .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0, .why = "a count of points"},
  {"stationary points, mu = {mu}", "stationary", NULL, "stationary", SSAPP_PRINTS (1), .kind = SSAPP_CLAIM_WITHIN, .tolerance = 0,
   .why = "a count of points"},
  {NULL}};

const SsappPaperItem ssapp_paper_toy_items[] = {
  {.paper = {"crisp-figure-2", "crisp", "Fig. 2", "One pair, two branches", CRISP ": Fig. 2 and Example 1",
     "Two variables of which one is zero and none is negative: level sets, feasible set, tangent and linearised cone at the origin, and what methods "
     "answer from three starts, also with a cost whose minimum is not the origin (complementarity.md in the manual).", NULL, NULL},
   .make = make_figure_2, .tables = "cones;answers;curves", .charts = figure_2_charts, .claims = figure_2_claims, .example = "crisp/one-pair",
   .better = "auto ends at a least point from all starts, and proves it B-stationary"},
  {.paper = {"crisp-figure-3", "crisp", "Fig. 3", "Merit function of one pair", CRISP ": Fig. 3 and Example 2",
     "The merit function (10) of that problem for five penalties: level sets, slices, and its stationary points on a grid.", NULL, NULL},
   .make = make_figure_3, .tables = "stationary;slices;contours", .charts = figure_3_charts, .claims = figure_3_claims, .example = "crisp/one-pair"},
  {.paper = {NULL}},
};
/* clang-format on */
