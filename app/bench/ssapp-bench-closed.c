/* app/bench/ssapp-bench-closed.c: see the header. */
#include "app/bench/ssapp-bench-closed.h"

#include "app/base/ssapp-text.h"
#include "app/bench/ssapp-bench-common.h"
#include "core/ss-option.h"
#include "scene/ss-uses.h"
#include "scene/ss-view.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

static const char folder[] = "/org/stickslip/Stickslip/closed-forms";
static const char suffix[] = ".stickslip.json";
/* Steps of the longest step length, and step lengths between it and its half: an impact falls anywhere within them. */
enum { FIRST_STEPS = 64, N_NEAR = 16 };
/* Errors below this are rounding, and what a method of own steps has at its default tolerance. [unit of the strip] */
static const double rounding = 1e-8, added_up = 1e-3;
/* Orders are of finite steps, and sixteen of them may miss the worst place of an impact. */
static const double slack = 0.4;

typedef struct {
  char *name;           /* owned: "bowling" */
  SsScenario *scenario; /* owned */
} Problem;

struct SsappBenchClosed {
  const SsappBenchClosedPlan *plan; /* borrowed for the call that makes it */
  GArray *problems;                 /* of Problem */
  GArray *rows;                     /* of SsappClosedRow */
  char **labels;                    /* of the methods, owned */
};

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static void
problem_clear (gpointer data)
{
  Problem *problem = data;

  g_free (problem->name);
  ss_scenario_free (problem->scenario);
}

static void
row_clear (gpointer data)
{
  g_free (((SsappClosedRow *)data)->message);
}

/* "bowling" of "31-bowling.stickslip.json", which g_free frees. */
static char *
name_of (const char *file)
{
  const char *begin = strchr (file, '-');

  g_assert (begin != NULL && g_str_has_suffix (file, suffix));
  return g_strndup (begin + 1, strlen (begin + 1) - strlen (suffix));
}

static gboolean
add_problem (SsappBenchClosed *self, const char *file, GError **error)
{
  g_autofree char *path = g_strconcat (folder, "/", file, NULL), *message = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, error);

  if (bytes == NULL)
    return FALSE;
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  Problem problem = {.name = name_of (file)};
  problem.scenario = ssapp_bench_read (text, file, NULL, 0, &message);
  g_array_append_val (self->problems, problem);
  if (problem.scenario == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, message);
  return problem.scenario != NULL;
}

/* FALSE with an error: one of the names is of no problem. */
static gboolean
check_names (const char *const *wanted, char **files, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; files[i] != NULL; i++)
    g_ptr_array_add (names, name_of (files[i]));
  for (int i = 0; wanted != NULL && wanted[i] != NULL; i++)
    if (!g_ptr_array_find_with_equal_func (names, wanted[i], g_str_equal, NULL)) {
      const char *nearest = ss_nearest_name (wanted[i], (const char *const *)names->pdata, (int)names->len);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no closed form is named '%s'%s%s%s", wanted[i],
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
      return FALSE;
    }
  return TRUE;
}

static gboolean
read_problems (SsappBenchClosed *self, GError **error)
{
  const char *const *wanted = self->plan->problems;
  g_auto (GStrv) files = g_resources_enumerate_children (folder, G_RESOURCE_LOOKUP_FLAGS_NONE, error);

  if (files == NULL || !check_names (wanted, files, error))
    return FALSE;
  qsort (files, g_strv_length (files), sizeof *files, ssapp_text_compare);
  for (int i = 0; files[i] != NULL; i++) {
    g_autofree char *name = name_of (files[i]);
    if ((wanted == NULL || g_strv_contains (wanted, name)) && !add_problem (self, files[i], error))
      return FALSE;
  }
  return TRUE;
}

/* ---- one method on one problem ----------------------------------------------------------------------------------- */

/* Mean over the steps' ends of the strip that is farthest from its closed form. Rows within steps are left out: at an
 * impact's own time rounding decides on which side of it the closed form is. */
static double
error_of (const SsScenario *scenario, const SsTrajectory *motion, double dt)
{
  SsView *view = NULL;
  SsError error = {0};
  double worst = 0;

  if (ss_view_new (scenario, motion->channels, motion->n_channels, &view, &error) != SS_OK)
    return NAN;
  for (int s = 0; s < ss_view_n_strips (view); s++) {
    double sum = 0;
    int n = 0;
    for (int r = 1; r < motion->n_rows; r++) {
      const double *row = ss_trajectory_row (motion, r),
                   *next = r + 1 < motion->n_rows ? ss_trajectory_row (motion, r + 1) : NULL;
      if (row[0] < (n + 1) * dt * (1 - 1e-12) || (next != NULL && next[0] == row[0]))
        continue;
      sum += fabs (ss_view_strip_value (view, s, row) - ss_view_strip_reference (view, s, row));
      n++;
    }
    worst = fmax (worst, isnan (sum) ? INFINITY : sum / n);
  }
  ss_view_free (view);
  return worst;
}

/* The error of a run with so many steps; NaN with a message for g_free, and whether the method refuses the scene. */
static double
run_once (const SsappBenchClosed *self, const Problem *problem, const SsappBenchMethod *method, int steps,
          char **message, gboolean *is_refused)
{
  const double t_end = problem->scenario->task.t_end;
  SsError error = {0};
  void *options = ssapp_bench_method_options (method, problem->scenario, &error);
  const SsSimJob job = {.scene = problem->scenario->scene,
                        .integrator = method->method->integrator,
                        .options = options,
                        .dt = t_end / steps,
                        .t_end = t_end};
  SsSimResult result = {0};
  const gboolean ok = options != NULL && ss_simulate_job (&job, self->plan->control, &result, &error) == SS_OK;
  double off = NAN;

  if (ok && result.outcome == SS_OUTCOME_COMPLETED)
    off = error_of (problem->scenario, result.trajectory, job.dt);
  else
    *message = g_strdup (ok ? result.message : error.message);
  *is_refused = !ok;
  ss_sim_result_clear (&result);
  g_free (options);
  return off;
}

/* Largest error of a level. */
static double
level_error (const SsappBenchClosed *self, const Problem *problem, const SsappBenchMethod *method, int level,
             char **message, gboolean *is_refused)
{
  double worst = 0;

  for (int i = 0; i < N_NEAR && *message == NULL; i++) {
    const int steps = (int)lround (FIRST_STEPS * exp2 (level + (double)i / N_NEAR));
    worst = fmax (worst, run_once (self, problem, method, steps, message, is_refused));
  }
  return *message == NULL ? worst : NAN;
}

static int
n_limits (const SsScene *scene)
{
  int n = 0;

  for (int i = 0; i < scene->n_joints; i++)
    n += isfinite (scene->joints[i].lower) || isfinite (scene->joints[i].upper);
  return n;
}

/* Whether contacts of the scene follow another law than the closed form's: springs as stiff as the method's options
 * say, or a relaxed cone; else it is missed. */
static SsappClosedKind
other_law (const SsScene *scene, const SsappBenchMethod *method)
{
  const SsIntegratorClass *integrator = method->method->integrator;
  const SsMotionLaw law = ss_integrator_contact_law (scene, integrator, NULL);

  if (scene->n_contacts == 0 && n_limits (scene) == 0)
    return SSAPP_CLOSED_MISSED;
  if (integrator->contact_law.is_relaxed)
    return SSAPP_CLOSED_RELAXED;
  return law.place != SS_LAW_STAGES && law.stiffness > 0 ? SSAPP_CLOSED_SPRINGS : SSAPP_CLOSED_MISSED;
}

static void
judge (SsappClosedRow *row, const SsScene *scene, const SsappBenchMethod *method)
{
  SsappBenchFit fit = {0};

  for (int i = 0; i < SSAPP_CLOSED_LEVELS; i++)
    ssapp_bench_fit_add (&fit, -i, log2 (row->errors[i]));
  row->order = ssapp_bench_fit_slope (&fit);
  row->asked = scene->n_contacts > 0 || n_limits (scene) > 0 ? 1 : ssapp_bench_order_asked (scene, method);
  row->kind = row->order >= row->asked - slack ? SSAPP_CLOSED_ORDER : other_law (scene, method);
}

static gboolean
run_method (gpointer data, guint p, guint m, GError **error)
{
  SsappBenchClosed *self = data;
  const Problem *problem = &g_array_index (self->problems, Problem, p);
  const SsScene *scene = problem->scenario->scene;
  const SsappBenchMethod *method = g_ptr_array_index (self->plan->methods, m);
  SsappClosedRow row = {.problem = p, .method = m, .kind = SSAPP_CLOSED_FAILED, .order = NAN, .asked = NAN};
  gboolean is_refused = FALSE;
  char *message = NULL;

  (void)error;
  for (int i = 0; i < SSAPP_CLOSED_LEVELS; i++)
    row.errors[i] = NAN;
  if (ss_uses_count_ignored (scene, ss_integrator_uses (method->method->integrator, NULL)) > 0)
    row.kind = SSAPP_CLOSED_REFUSED;
  else {
    for (int i = 0; i < SSAPP_CLOSED_LEVELS && message == NULL && row.kind != SSAPP_CLOSED_EXACT; i++) {
      row.errors[i] = level_error (self, problem, method, i, &message, &is_refused);
      if (row.errors[i] < (method->method->has_own_steps ? added_up : rounding))
        row.kind = SSAPP_CLOSED_EXACT;
    }
    if (message != NULL && is_refused)
      row.kind = SSAPP_CLOSED_REFUSED;
    else if (message == NULL && row.kind != SSAPP_CLOSED_EXACT)
      judge (&row, scene, method);
  }
  row.message = message != NULL ? message : g_strdup ("");
  if (ssapp_bench_is_cancelled (self->plan->control))
    row_clear (&row);
  else
    g_array_append_val (self->rows, row);
  return TRUE;
}

static void
end_problem (gpointer data, guint p, gboolean is_whole)
{
  const SsappBenchClosed *self = data;

  (void)is_whole;
  ssapp_bench_say (self->plan->say, "%s", g_array_index (self->problems, Problem, p).name);
}

/* ---- the suite --------------------------------------------------------------------------------------------------- */

SsappBenchClosed *
ssapp_bench_closed_new (const SsappBenchClosedPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  SsappBenchClosed *self = g_new0 (SsappBenchClosed, 1);

  self->plan = plan;
  self->problems = g_array_new (FALSE, FALSE, sizeof (Problem));
  self->rows = g_array_new (FALSE, FALSE, sizeof (SsappClosedRow));
  g_array_set_clear_func (self->problems, problem_clear);
  g_array_set_clear_func (self->rows, row_clear);
  self->labels = g_new0 (char *, plan->methods->len + 1);
  for (guint m = 0; m < plan->methods->len; m++)
    self->labels[m] = g_strdup (((const SsappBenchMethod *)g_ptr_array_index (plan->methods, m))->label);
  if (!read_problems (self, error)) {
    ssapp_bench_closed_free (self);
    return NULL;
  }
  const SsappBenchRuns runs = {self->problems->len, plan->methods->len, 1, NULL, run_method, end_problem};
  ssapp_bench_make_runs (&runs, self, plan->control, NULL);
  return self;
}

void
ssapp_bench_closed_free (SsappBenchClosed *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->problems);
  g_array_unref (self->rows);
  g_strfreev (self->labels);
  g_free (self);
}

const GArray *
ssapp_bench_closed_rows (const SsappBenchClosed *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->rows;
}

const char *
ssapp_bench_closed_problem (const SsappBenchClosed *self, const SsappClosedRow *row)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_array_index (self->problems, Problem, row->problem).name;
}

const char *
ssapp_bench_closed_method (const SsappBenchClosed *self, const SsappClosedRow *row)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->labels[row->method];
}

int
ssapp_bench_closed_n_failed (const SsappBenchClosed *self)
{
  g_return_val_if_fail (self != NULL, 0);
  int n = 0;

  for (guint i = 0; i < self->rows->len; i++) {
    const SsappClosedKind kind = g_array_index (self->rows, SsappClosedRow, i).kind;
    n += kind == SSAPP_CLOSED_MISSED || kind == SSAPP_CLOSED_FAILED;
  }
  return n;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static const char *const notes[] = {
    "Order with which the error falls over steps that halve twice; in parentheses the error at the shortest step.",
    "exact: an error below 1e-8 at some step length, below 1e-3 of methods with steps of their own.",
    "springs, relaxed: contacts follow the method's own law, whose motions tend to others; the error at the shortest "
    "step.",
    "-: the method does not use the scene's restitution or refuses the scene. !: less than the order that is asked "
    "for.",
};

/* "1.02 (3e-4)" for g_free. */
static char *
words_of (const SsappClosedRow *row)
{
  const double last = row->errors[SSAPP_CLOSED_LEVELS - 1];

  switch (row->kind) {
  case SSAPP_CLOSED_EXACT:
    return g_strdup ("exact");
  case SSAPP_CLOSED_ORDER:
    return g_strdup_printf ("%.2f (%.0e)", row->order, last);
  case SSAPP_CLOSED_MISSED:
    return g_strdup_printf ("%.2f! (%.0e)", row->order, last);
  case SSAPP_CLOSED_SPRINGS:
    return g_strdup_printf ("springs (%.0e)", last);
  case SSAPP_CLOSED_RELAXED:
    return g_strdup_printf ("relaxed (%.0e)", last);
  case SSAPP_CLOSED_REFUSED:
    return g_strdup ("-");
  case SSAPP_CLOSED_FAILED:
    break;
  }
  return g_strdup ("failed");
}

static const Problem *
problem_of (const SsappBenchClosed *self, const SsappClosedRow *row)
{
  return &g_array_index (self->problems, Problem, row->problem);
}

static void
fill_runs (const SsappBenchClosed *self, SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"problem|problem|0",
                                        "method|method|0",
                                        "error_1|error, longest step|3",
                                        "error_2|half of it|3",
                                        "error_4|a quarter|3",
                                        "order|order|3",
                                        "asked|asked|3",
                                        "verdict|verdict|0",
                                        "message|message|0",
                                        NULL};
  static const char *const verdicts[] = {"exact", "yes", "no", "springs", "relaxed", "refused", "failed"};

  ssapp_bench_sheet_table (sheet, "runs", "Errors", columns);
  for (guint i = 0; i < self->rows->len; i++) {
    const SsappClosedRow *row = &g_array_index (self->rows, SsappClosedRow, i);
    SSAPP_BENCH_ROW (sheet, {problem_of (self, row)->name}, {self->labels[row->method]}, {.n = row->errors[0]},
                     {.n = row->errors[1]}, {.n = row->errors[2]}, {.n = row->order}, {.n = row->asked},
                     {verdicts[row->kind]}, {row->message});
  }
}

SsappBenchSheet *
ssapp_bench_closed_sheet (const SsappBenchClosed *self)
{
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  fill_runs (self, sheet);
  return sheet;
}

SsappTable *
ssapp_bench_closed_table (const SsappBenchClosed *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = ssapp_table_new ("Motions whose formulas are known, by every integrator");
  guint last = G_MAXUINT;

  ssapp_table_add_text_column (table, "problem", "Problem");
  ssapp_table_add_text_column (table, "title", "What moves");
  for (int m = 0; self->labels[m] != NULL; m++)
    ssapp_table_add_text_column (table, self->labels[m], self->labels[m]);
  for (guint i = 0; i < G_N_ELEMENTS (notes); i++)
    ssapp_table_add_note (table, notes[i]);
  for (guint i = 0; i < self->rows->len; i++) {
    const SsappClosedRow *row = &g_array_index (self->rows, SsappClosedRow, i);
    g_autofree char *words = words_of (row);
    if (row->problem != last) {
      ssapp_table_begin_row (table);
      ssapp_table_add_text (table, problem_of (self, row)->name);
      ssapp_table_add_text (table, problem_of (self, row)->scenario->title);
    }
    last = row->problem;
    ssapp_table_add_text (table, words);
  }
  return table;
}
