/* app/bench/ssapp-bench-contacts.c: see the header. */
#include "app/bench/ssapp-bench-contacts.h"

#include "app/base/ssapp-json.h"
#include "app/steps/ssapp-step-file.h"
#include "app/study/ssapp-statistics.h"

#include <math.h>
#include <string.h>

typedef struct {
  char *name;
  int n_contacts, n_joints, n_velocities;
  gboolean is_reduced;
  double scale;
  SsStepResult *results; /* one a solver */
} Case;

struct SsappBenchContacts {
  GPtrArray *solvers; /* of const SsStepSolver *, static */
  SsStepLimits limits;
  GPtrArray *cases;
};

static guint
n_solvers (const SsappBenchContacts *self)
{
  return self->solvers->len;
}

SsappBenchContacts *
ssapp_bench_contacts_new (const char *solvers, const SsStepLimits *limits, GError **error)
{
  g_return_val_if_fail (limits != NULL, NULL);

  SsappBenchContacts *self = g_new0 (SsappBenchContacts, 1);
  int n;
  const SsStepSolver *all = ss_step_solvers (&n);
  g_auto (GStrv) names = g_strsplit (solvers != NULL ? solvers : "all", ",", -1);

  self->solvers = g_ptr_array_new ();
  self->cases = g_ptr_array_new ();
  self->limits = *limits;
  for (int i = 0; names[i] != NULL; i++) {
    const SsStepSolver *solver = ss_step_solver_find (g_strstrip (names[i]));
    if (strcmp (names[i], "all") == 0) {
      for (int k = 0; k < n; k++)
        g_ptr_array_add (self->solvers, (gpointer)&all[k]);
    } else if (solver != NULL) {
      g_ptr_array_add (self->solvers, (gpointer)solver);
    } else {
      g_autoptr (GString) list = g_string_new ("all");
      const char *known[32];
      for (int k = 0; k < n; k++) {
        g_string_append_printf (list, ", %s", all[k].name);
        known[k] = all[k].name;
      }
      const char *nearest = ss_nearest_name (names[i], known, n);
      if (nearest != NULL)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "no solver is named '%s'; did you mean '%s'?",
                     names[i], nearest);
      else
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "no solver is named '%s' (expected %s)", names[i],
                     list->str);
      ssapp_bench_contacts_free (self);
      return NULL;
    }
  }
  return self;
}

void
ssapp_bench_contacts_free (SsappBenchContacts *self)
{
  if (self == NULL)
    return;
  for (guint p = 0; p < self->cases->len; p++) {
    Case *item = g_ptr_array_index (self->cases, p);
    for (guint s = 0; s < n_solvers (self); s++)
      ss_step_result_clear (&item->results[s]);
    g_free (item->results);
    g_free (item->name);
    g_free (item);
  }
  g_ptr_array_unref (self->cases);
  g_ptr_array_unref (self->solvers);
  g_free (self);
}

gboolean
ssapp_bench_contacts_add (SsappBenchContacts *self, const char *name, const SsStepProblem *problem,
                          SsRunControl *control, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  Case *item = g_new0 (Case, 1);
  SsStepJudge *judge = NULL;
  SsError why;
  SsStatus status = ss_step_judge_new (problem, &judge, &why);

  item->name = g_strdup (name);
  item->n_contacts = problem->n_contacts;
  item->n_joints = problem->n_joints;
  item->n_velocities = problem->n_velocities;
  item->is_reduced = ss_step_problem_is_reduced (problem);
  item->scale = judge != NULL ? ss_step_judge_scale (judge) : (double)NAN;
  item->results = g_new0 (SsStepResult, n_solvers (self) + 1);
  ss_step_judge_free (judge);
  g_ptr_array_add (self->cases, item);
  for (guint s = 0; s < n_solvers (self) && status == SS_OK; s++)
    status =
        ss_step_solve (g_ptr_array_index (self->solvers, s), problem, &self->limits, control, &item->results[s], &why);
  return status == SS_OK || ssapp_step_set_error (error, name, &why);
}

guint
ssapp_bench_contacts_n_problems (const SsappBenchContacts *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->cases->len;
}

guint
ssapp_bench_contacts_n_solvers (const SsappBenchContacts *self)
{
  return n_solvers (self);
}

const SsStepSolver *
ssapp_bench_contacts_solver (const SsappBenchContacts *self, guint solver)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_ptr_array_index (self->solvers, solver);
}

const SsStepResult *
ssapp_bench_contacts_result (const SsappBenchContacts *self, guint problem, guint solver)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &((const Case *)g_ptr_array_index (self->cases, problem))->results[solver];
}

guint
ssapp_bench_contacts_n_unsolved (const SsappBenchContacts *self)
{
  g_return_val_if_fail (self != NULL, 0);
  guint n = 0;

  for (guint p = 0; p < self->cases->len; p++) {
    gboolean is_solved = FALSE;
    for (guint s = 0; s < n_solvers (self); s++)
      is_solved = is_solved || ssapp_bench_contacts_result (self, p, s)->outcome == SS_OUTCOME_SOLVED;
    n += !is_solved;
  }
  return n;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* "solved", "max_iterations", ..., "not taken". */
static const char *
outcome_of (const SsStepResult *result)
{
  return result->applies ? ss_outcome_name (result->outcome) : "not_taken";
}

SsappTable *
ssapp_bench_contacts_runs (const SsappBenchContacts *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = ssapp_table_new ("Solvers of contact problems");

  ssapp_table_add_text_column (table, "problem", "Problem");
  ssapp_table_add_number_column (table, "contacts", "Contacts", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "solver", "Solver");
  ssapp_table_add_text_column (table, "outcome", "Outcome");
  ssapp_table_add_number_column (table, "residual", "Residual", "m/s", "%.2e", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "iterations", "Iterations", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "cpu_seconds", "CPU time", "s", "%.3g", SSAPP_BEST_LOWEST);
  for (guint p = 0; p < self->cases->len; p++) {
    const Case *item = g_ptr_array_index (self->cases, p);
    ssapp_table_set_group (table, p);
    for (guint s = 0; s < n_solvers (self); s++) {
      const SsStepResult *result = &item->results[s];
      ssapp_table_begin_row (table);
      ssapp_table_add_text (table, item->name);
      ssapp_table_add_number (table, item->n_contacts);
      ssapp_table_add_text (table, ssapp_bench_contacts_solver (self, s)->name);
      ssapp_table_add_text (table, outcome_of (result));
      ssapp_table_add_number (table, result->applies ? result->residual : (double)NAN);
      ssapp_table_add_number (table, result->applies ? result->iterations : (double)NAN);
      ssapp_table_set_apart (table, result->outcome != SS_OUTCOME_SOLVED);
      ssapp_table_add_number (table, result->applies ? result->cpu_seconds : (double)NAN);
      ssapp_table_set_apart (table, FALSE);
    }
  }
  return table;
}

/* Shortest CPU time of a solver that solved it; INFINITY: none did. */
static double
best_time (const SsappBenchContacts *self, guint problem)
{
  double best = INFINITY;

  for (guint s = 0; s < n_solvers (self); s++) {
    const SsStepResult *result = ssapp_bench_contacts_result (self, problem, s);
    if (result->outcome == SS_OUTCOME_SOLVED)
      best = fmin (best, result->cpu_seconds);
  }
  return best;
}

SsappTable *
ssapp_bench_contacts_summary (const SsappBenchContacts *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = ssapp_table_new ("Solvers over all problems");
  g_autofree double *times = g_new (double, self->cases->len + 1), *counts = g_new (double, self->cases->len + 1);

  ssapp_table_add_text_column (table, "solver", "Solver");
  ssapp_table_add_number_column (table, "solved", "Solved", "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "problems", "Of problems", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "fastest", "Fastest on", "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "median_iterations", "Iterations, median", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "median_cpu_seconds", "CPU time, median", "s", "%.3g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "cpu_seconds", "CPU time, all", "s", "%.3g", SSAPP_BEST_NONE);
  for (guint s = 0; s < n_solvers (self); s++) {
    guint n = 0, n_taken = 0, n_fastest = 0;
    double all = 0;
    for (guint p = 0; p < self->cases->len; p++) {
      const SsStepResult *result = ssapp_bench_contacts_result (self, p, s);
      n_taken += result->applies;
      all += result->cpu_seconds;
      if (result->outcome != SS_OUTCOME_SOLVED)
        continue;
      n_fastest += result->cpu_seconds <= best_time (self, p);
      counts[n] = result->iterations;
      times[n++] = result->cpu_seconds;
    }
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, ssapp_bench_contacts_solver (self, s)->name);
    ssapp_table_add_number (table, n);
    ssapp_table_add_number (table, n_taken);
    ssapp_table_add_number (table, n_fastest);
    ssapp_table_add_number (table, ssapp_median_of (counts, n));
    ssapp_table_add_number (table, ssapp_median_of (times, n));
    ssapp_table_add_number (table, all);
  }
  ssapp_table_add_note (table, "Medians are over what a solver solved; problems: those that it takes");
  return table;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

enum { LEVELS = 6 };
static const double quick_factor = 2, slow_factor = 10; /* of the fastest one's time */

guint
ssapp_bench_contacts_n_levels (const SsappBenchContacts *self)
{
  g_return_val_if_fail (self != NULL, 0);
  static const double rounding = 1e-9;
  guint n = 1;

  while (n < LEVELS && ssapp_bench_contacts_level (n) >= self->limits.absolute * (1 - rounding))
    n++;
  return n;
}

double
ssapp_bench_contacts_level (guint index)
{
  static const double levels[LEVELS] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}; /* [m/s] */

  g_return_val_if_fail (index < LEVELS, (double)NAN);
  return levels[index];
}

double
ssapp_bench_contacts_time_to (const SsappBenchContacts *self, guint problem, guint solver, double level)
{
  const SsStepResult *result = ssapp_bench_contacts_result (self, problem, solver);

  if (!result->applies)
    return INFINITY;
  for (int i = 0; i < result->n_samples; i++)
    if (result->samples[i].residual <= level)
      return result->samples[i].cpu_seconds;
  return result->residual <= level ? result->cpu_seconds : INFINITY;
}

/* The shortest time to a level; INFINITY: none reached it. */
static double
best_time_to (const SsappBenchContacts *self, guint problem, double level)
{
  double best = INFINITY;

  for (guint s = 0; s < n_solvers (self); s++)
    best = fmin (best, ssapp_bench_contacts_time_to (self, problem, s, level));
  return best;
}

static void
add_level (const SsappBenchContacts *self, SsappTable *table, double level, guint solver)
{
  g_autofree double *times = g_new (double, self->cases->len + 1);
  guint n = 0, n_fastest = 0, n_quick = 0, n_slow = 0;

  for (guint p = 0; p < self->cases->len; p++) {
    const double time = ssapp_bench_contacts_time_to (self, p, solver, level), best = best_time_to (self, p, level);
    if (isinf (time))
      continue;
    times[n++] = time;
    n_fastest += time <= best;
    n_quick += time <= quick_factor * best;
    n_slow += time <= slow_factor * best;
  }
  ssapp_table_begin_row (table);
  ssapp_table_add_number (table, level);
  ssapp_table_add_text (table, ssapp_bench_contacts_solver (self, solver)->name);
  ssapp_table_add_number (table, n);
  ssapp_table_add_number (table, self->cases->len);
  ssapp_table_add_number (table, n_fastest);
  ssapp_table_add_number (table, n_quick);
  ssapp_table_add_number (table, n_slow);
  ssapp_table_add_number (table, ssapp_median_of (times, n));
}

SsappTable *
ssapp_bench_contacts_levels (const SsappBenchContacts *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = ssapp_table_new ("Which solver reaches which residual in which time");

  ssapp_table_add_number_column (table, "level", "Residual", "m/s", "%.0e", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "solver", "Solver");
  ssapp_table_add_number_column (table, "reached", "Reached", "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "problems", "Of problems", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "fastest", "Fastest on", "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "within_2", "Within twice the fastest", "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "within_10", "Within ten times", "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_add_number_column (table, "median_cpu_seconds", "CPU time, median", "s", "%.3g", SSAPP_BEST_NONE);
  for (guint l = 0; l < ssapp_bench_contacts_n_levels (self); l++) {
    ssapp_table_set_group (table, l);
    for (guint s = 0; s < n_solvers (self); s++)
      add_level (self, table, ssapp_bench_contacts_level (l), s);
  }
  ssapp_table_add_note (
      table, "Times are of the first iterate of that residual; step tells no iterates, only its end. Medians are "
             "over what a solver reached.");
  return table;
}

/* ---- the result -------------------------------------------------------------------------------------------------- */

static json_t *
run_to_json (const SsStepSolver *solver, const SsStepResult *result, gboolean with_history)
{
  json_t *run = json_pack ("{s:s, s:s, s:s, s:o, s:o, s:i, s:o}", "solver", solver->name, "outcome",
                           outcome_of (result), "message", result->message, "residual",
                           ssapp_json_real (result->residual), "tolerance", ssapp_json_real (result->tolerance),
                           "iterations", result->iterations, "cpu_seconds", ssapp_json_real (result->cpu_seconds));

  if (!with_history)
    return run;
  json_t *iterations = json_array (), *seconds = json_array (), *residuals = json_array ();
  for (int i = 0; i < result->n_samples; i++) {
    json_array_append_new (iterations, json_integer (result->samples[i].iteration));
    json_array_append_new (seconds, ssapp_json_real (result->samples[i].cpu_seconds));
    json_array_append_new (residuals, ssapp_json_real (result->samples[i].residual));
  }
  json_object_set_new (
      run, "history",
      json_pack ("{s:o, s:o, s:o}", "iteration", iterations, "cpu_seconds", seconds, "residual", residuals));
  return run;
}

json_t *
ssapp_bench_contacts_to_json (const SsappBenchContacts *self, gboolean with_history)
{
  g_return_val_if_fail (self != NULL, NULL);
  json_t *problems = json_array ();

  for (guint p = 0; p < self->cases->len; p++) {
    const Case *item = g_ptr_array_index (self->cases, p);
    json_t *runs = json_array ();
    for (guint s = 0; s < n_solvers (self); s++)
      json_array_append_new (runs,
                             run_to_json (ssapp_bench_contacts_solver (self, s), &item->results[s], with_history));
    json_array_append_new (problems, json_pack ("{s:s, s:i, s:i, s:i, s:b, s:o, s:o}", "file", item->name, "contacts",
                                                item->n_contacts, "joints", item->n_joints, "velocities",
                                                item->n_velocities, "reduced", item->is_reduced, "scale",
                                                ssapp_json_real (item->scale), "runs", runs));
  }
  return json_pack ("{s:i, s:{s:o, s:o, s:i, s:o}, s:o}", "format", 1, "limits", "tolerance",
                    ssapp_json_real (self->limits.absolute), "relative", ssapp_json_real (self->limits.relative),
                    "iterations", self->limits.iterations, "cpu_seconds", ssapp_json_real (self->limits.cpu_seconds),
                    "problems", problems);
}
