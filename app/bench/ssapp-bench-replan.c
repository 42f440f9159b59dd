/* app/bench/ssapp-bench-replan.c: see the header. */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-replan.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

enum { PARTS = 10 /* of a step of the plan, in the world */, DRAGS = 5 /* re-plans that a drag of the goal lasts */ };
static const double NEAREST = 0.8, FARTHEST = 1.2, DRAG = 0.2; /* of the way from the start to the goal */

/* One re-plan. */
typedef struct {
  int episode;
  double t; /* of the episode [s] */
  SsReplanAnswer answer;
  double distance, angle; /* of the world from the targets when it began */
  gboolean is_dragged;
} Row;

struct SsappBenchReplan {
  SsappBenchReplanPlan plan;
  SsRandom random;
  SsReplan *loop, *scout;
  SsScene world; /* with another friction */
  SsContact *contacts;
  SsSimulation *simulation;
  double *start; /* row of the world at the file's start */
  double *way;   /* n_targets * 3: from the start to the goal; 0 where there is none */
  double reach;  /* the goal, as a part of that way */
  double scout_ready;
  int n_looks;                  /* of the scout since plans last came nearer */
  GArray *rows;                 /* of Row */
  GArray *drag_errors, *errors; /* of double: distance when the drag begins, at the episode's end [m] */
  GArray *scout_cpu;            /* of double */
  double setup_seconds, wall, cpu;
  int n_scouts, n_offers;
};

static gboolean
fail (GError **error, const SsError *why)
{
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s", why->message);
  return FALSE;
}

/* ---- the world --------------------------------------------------------------------------------------------------- */

static gboolean
open_world (SsappBenchReplan *self, GError **error)
{
  const SsScene *scene = self->plan.scenario->scene;
  SsError why;

  self->world = *scene;
  self->contacts = g_memdup2 (scene->contacts, sizeof *self->contacts * (gsize)(scene->n_contacts + 1));
  for (int i = 0; i < scene->n_contacts; i++)
    self->contacts[i].mu *= self->plan.friction;
  self->world.contacts = self->contacts;
  if (ss_simulation_new (&self->world, &ss_integrator_stewart_trinkle, NULL, &self->simulation, &why) != SS_OK)
    return fail (error, &why);
  self->start = g_new0 (double, ss_simulation_n_channels (self->simulation));
  ss_simulation_fill (self->simulation, self->start);
  return TRUE;
}

/* Changes of speed that lead a body by `noise` within a step of the plan; its rim as far by turning. */
static void
kick (SsappBenchReplan *self)
{
  SsSimState *state = ss_simulation_state (self->simulation);
  const double speed = self->plan.noise / ss_replan_step (self->loop);

  for (int i = 0; i < 3 * self->world.n_bodies; i++) {
    const SsBody *body = &self->world.bodies[i / 3];
    const double radius = sqrt (body->inertia / body->mass), drawn = ss_random_normal (&self->random);

    if (!body->is_fixed && !body->lock[i % 3])
      state->v[i] += i % 3 < 2 ? speed * drawn : radius > 0 ? speed / radius * drawn : 0;
  }
}

static gboolean
step_world (SsappBenchReplan *self, GError **error)
{
  const int n = PARTS * (int)round (ss_replan_period (self->loop) / ss_replan_step (self->loop));
  SsStepInfo info;
  SsError why;

  ss_simulation_set_controls (self->simulation, ss_replan_controls (self->loop));
  for (int k = 0; k < n; k++)
    if (ss_simulation_step (self->simulation, ss_replan_step (self->loop) / PARTS, &info, &why) != SS_OK)
      return fail (error, &why);
  kick (self);
  return TRUE;
}

/* ---- goals ------------------------------------------------------------------------------------------------------- */

static void
find_way (SsappBenchReplan *self)
{
  const SsPlan *plan = self->plan.scenario->task.plan;

  self->way = g_new0 (double, 3 * plan->n_targets + 1);
  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < 3; c++)
      if (!isnan (plan->targets[i].value[c]))
        self->way[3 * i + c] = plan->targets[i].value[c] - self->world.bodies[plan->targets[i].body].q[c];
}

static void
set_goal (SsappBenchReplan *self, SsReplan *loop, double reach)
{
  const SsPlan *plan = self->plan.scenario->task.plan;

  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < 3; c++)
      if (!isnan (plan->targets[i].value[c]))
        ss_replan_set_target (loop, i, c, plan->targets[i].value[c] + (reach - 1) * self->way[3 * i + c]);
}

static double
distance (const SsappBenchReplan *self, double *angle)
{
  double miss;

  ss_replan_distance (self->loop, ss_simulation_state (self->simulation)->q, &miss, angle);
  return miss;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static gboolean
let_scout (SsappBenchReplan *self, gboolean is_stuck, GError **error)
{
  const SsSimState *state = ss_simulation_state (self->simulation);
  SsReplanAnswer answer;
  SsError why;

  if (!is_stuck)
    self->n_looks = 0;
  if (isnan (self->scout_ready) && is_stuck) {
    ss_replan_forget (self->scout);
    ss_replan_look_from (self->scout, self->n_looks++);
    set_goal (self, self->scout, self->reach);
    if (ss_replan_solve (self->scout, state->t, state->q, state->v, self->plan.control, &answer, &why) != SS_OK)
      return fail (error, &why);
    g_array_append_val (self->scout_cpu, answer.cpu_seconds);
    self->scout_ready = state->t + answer.cpu_seconds;
  } else if (state->t >= self->scout_ready) {
    if (ss_replan_controls (self->scout) != NULL)
      ss_replan_offer (self->loop, ss_replan_controls (self->scout));
    self->scout_ready = NAN;
  }
  return TRUE;
}

static void
begin_episode (SsappBenchReplan *self)
{
  ss_simulation_restore (self->simulation, self->start);
  ss_replan_forget (self->loop);
  self->scout_ready = NAN;
  self->n_looks = 0;
  self->reach = ss_random_between (&self->random, NEAREST, FARTHEST);
}

static gboolean
replan (SsappBenchReplan *self, int number, double drag, GError **error)
{
  const SsSimState *state = ss_simulation_state (self->simulation);
  const int episode = self->plan.episode, half = episode / 2, k = number % episode;
  Row row = {.episode = number / episode, .t = state->t};
  SsError why;

  row.is_dragged = k >= half && k < half + DRAGS;
  if (row.is_dragged)
    self->reach += drag / DRAGS;
  set_goal (self, self->loop, self->reach);
  row.distance = distance (self, &row.angle);
  if (ss_replan_solve (self->loop, state->t, state->q, state->v, self->plan.control, &row.answer, &why) != SS_OK)
    return fail (error, &why);
  if (row.answer.outcome == SS_OUTCOME_CANCELLED)
    return TRUE;
  g_array_append_val (self->rows, row);
  self->wall += row.answer.wall_seconds;
  self->cpu += row.answer.cpu_seconds;
  self->n_offers += row.answer.is_offered;
  if (!let_scout (self, row.answer.is_stuck, error) || !step_world (self, error))
    return FALSE;
  const double off = distance (self, &row.angle);
  if (k == half - 1)
    g_array_append_val (self->drag_errors, off);
  else if (k == episode - 1)
    g_array_append_val (self->errors, off);
  return TRUE;
}

static gboolean
run (SsappBenchReplan *self, GError **error)
{
  double drag = 0;
  gboolean ok = TRUE;

  for (int i = 0; i < self->plan.steps && ok && atomic_load (&self->plan.control->cancel) == 0; i++) {
    if (i % self->plan.episode == 0) {
      begin_episode (self);
      drag = DRAG * ss_random_uniform (&self->random);
    }
    ok = replan (self, i, drag, error);
  }
  return ok;
}

SsappBenchReplan *
ssapp_bench_replan_new (const SsappBenchReplanPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  SsappBenchReplan *self = g_new0 (SsappBenchReplan, 1);
  SsError why;
  gboolean ok;

  self->plan = *plan;
  self->rows = g_array_sized_new (FALSE, TRUE, sizeof (Row), (guint)plan->steps);
  self->drag_errors = g_array_new (FALSE, FALSE, sizeof (double));
  self->errors = g_array_new (FALSE, FALSE, sizeof (double));
  self->scout_cpu = g_array_new (FALSE, FALSE, sizeof (double));
  ss_random_seed (&self->random, plan->seed);
  ok = ss_replan_new (plan->scenario, &plan->options, &self->loop, &why) == SS_OK &&
       ss_replan_new (plan->scenario, &plan->options, &self->scout, &why) == SS_OK;
  if (!ok)
    fail (error, &why);
  ok = ok && open_world (self, error);
  if (ok) {
    self->setup_seconds = ss_replan_setup_seconds (self->loop);
    find_way (self);
    ok = run (self, error);
  }
  if (!ok)
    g_clear_pointer (&self, ssapp_bench_replan_free);
  return self;
}

void
ssapp_bench_replan_free (SsappBenchReplan *self)
{
  if (self == NULL)
    return;
  ss_replan_free (self->loop);
  ss_replan_free (self->scout);
  ss_simulation_free (self->simulation);
  g_free (self->contacts);
  g_free (self->start);
  g_free (self->way);
  g_array_unref (self->rows);
  g_array_unref (self->drag_errors);
  g_array_unref (self->errors);
  g_array_unref (self->scout_cpu);
  g_free (self);
}

/* ---- report ------------------------------------------------------------------------------------------------------ */

static double
wall_of (const Row *row)
{
  return row->answer.wall_seconds;
}

static double
cpu_of (const Row *row)
{
  return row->answer.cpu_seconds;
}

static double
start_of (const Row *row)
{
  return row->answer.start_seconds;
}

static double
qp_of (const Row *row)
{
  return row->answer.qp_seconds;
}

static double
inner_of (const Row *row)
{
  return row->answer.inner_iterations;
}

/* A row of median, 90 %, 99 %, longest: of first plans or of the others, `factor` times. */
static void
add_values (const SsappBenchReplan *self, SsappBenchSheet *sheet, const char *title, const char *unit,
            double (*value_of) (const Row *), gboolean is_first, double factor)
{
  g_autofree double *values = g_new0 (double, self->rows->len + 1);
  int n = 0;

  for (guint i = 0; i < self->rows->len; i++) {
    const Row *row = &g_array_index (self->rows, Row, i);

    if (row->answer.is_first == is_first)
      values[n++] = factor * value_of (row);
  }
  SSAPP_BENCH_ROW (sheet, {title}, {unit}, {.n = n}, {.n = ssapp_median (values, n)},
                   {.n = ssapp_percentile (values, n, 90)}, {.n = ssapp_percentile (values, n, 99)},
                   {.n = ssapp_percentile (values, n, 100)});
}

static double
longest (GArray *values)
{
  return ssapp_percentile ((const double *)(const void *)values->data, (int)values->len, 100);
}

static double
middle (GArray *values)
{
  return ssapp_median ((const double *)(const void *)values->data, (int)values->len);
}

typedef struct {
  int n, n_first, n_missed, n_kept, n_stuck, n_failed;
  double violation; /* largest of a motion that acts */
} Counts;

static Counts
count (const SsappBenchReplan *self)
{
  Counts c = {0};

  for (guint i = 0; i < self->rows->len; i++) {
    const SsReplanAnswer *a = &g_array_index (self->rows, Row, i).answer;

    c.n++;
    c.n_first += a->is_first;
    c.n_missed += a->is_late && !a->is_first;
    c.n_kept += a->is_kept;
    c.n_stuck += a->is_stuck;
    c.n_failed += a->outcome != SS_OUTCOME_SOLVED && (!a->is_late || a->is_kept);
    c.violation = isfinite (a->violation) ? fmax (c.violation, a->violation) : c.violation;
  }
  return c;
}

static void
add_number (SsappBenchSheet *sheet, const char *what, double value)
{
  SSAPP_BENCH_ROW (sheet, {what}, {.n = value});
}

SsappBenchSheet *
ssapp_bench_replan_sheet (const SsappBenchReplan *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  static const char *const times[] = {
      "what|what|0",          "unit|unit|0",          "count|count|6", "median|median|4",
      "percentile_90|90 %|4", "percentile_99|99 %|4", "max|longest|4", NULL};
  static const char *const numbers[] = {"what|what|0", "value|value|4", NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  const Counts c = count (self);

  ssapp_bench_sheet_table (sheet, "times", "Re-planning in a closed loop", times);
  add_values (self, sheet, "re-plan, wall", "ms", wall_of, FALSE, 1e3);
  add_values (self, sheet, "re-plan, CPU", "ms", cpu_of, FALSE, 1e3);
  add_values (self, sheet, "of it starting points", "ms", start_of, FALSE, 1e3);
  add_values (self, sheet, "of it subproblems", "ms", qp_of, FALSE, 1e3);
  add_values (self, sheet, "interior-point iterations", "", inner_of, FALSE, 1);
  add_values (self, sheet, "first of an episode, CPU", "ms", cpu_of, TRUE, 1e3);
  ssapp_bench_sheet_note (
      sheet,
      "%s: %d steps of %.4g s ahead, a plan every %.4g s; friction of the world %.3g of the plan's, "
      "kicks of %.3g m a step, seed %" G_GUINT64_FORMAT ".",
      self->plan.scenario->name, ss_replan_look_ahead (self->loop), ss_replan_step (self->loop),
      ss_replan_period (self->loop), self->plan.friction, self->plan.noise, self->plan.seed);
  if (self->plan.options.deadline > 0)
    ssapp_bench_sheet_note (sheet, "Deadline %.4g ms of wall time: %d of %d missed.", 1e3 * self->plan.options.deadline,
                            c.n_missed, c.n - c.n_first);
  ssapp_bench_sheet_note (sheet, "Wall time over CPU time, all re-plans: %.2f (1: nothing else runs).",
                          self->wall / self->cpu);
  ssapp_bench_sheet_table (sheet, "loop", "The loop", numbers);
  add_number (sheet, "re-plans", c.n);
  add_number (sheet, "episodes", c.n_first);
  add_number (sheet, "missed deadlines", c.n_missed);
  add_number (sheet, "last controls kept", c.n_kept);
  add_number (sheet, "failed", c.n_failed);
  add_number (sheet, "stuck", c.n_stuck);
  add_number (sheet, "scouts", self->scout_cpu->len);
  add_number (sheet, "scout, median CPU [ms]", 1e3 * middle (self->scout_cpu));
  add_number (sheet, "starts taken from a scout", self->n_offers);
  add_number (sheet, "largest violation of a motion that acts", c.violation);
  add_number (sheet, "off when the goal is dragged, median [mm]", 1e3 * middle (self->drag_errors));
  add_number (sheet, "off when the goal is dragged, largest [mm]", 1e3 * longest (self->drag_errors));
  add_number (sheet, "off at the end, median [mm]", 1e3 * middle (self->errors));
  add_number (sheet, "off at the end, largest [mm]", 1e3 * longest (self->errors));
  add_number (sheet, "set-up, once [ms]", 1e3 * self->setup_seconds);
  add_number (sheet, "wall over CPU", self->wall / self->cpu);
  return sheet;
}

char *
ssapp_bench_replan_csv (const SsappBenchReplan *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *out = g_string_new ("episode,t,outcome,first,late,kept,stuck,offered,dragged,wall_s,cpu_s,start_s,qp_s,"
                               "iterations,inner_iterations,objective,violation,miss,miss_angle,distance,angle\n");

  for (guint i = 0; i < self->rows->len; i++) {
    const Row *row = &g_array_index (self->rows, Row, i);
    const SsReplanAnswer *a = &row->answer;
    const double cells[] = {a->wall_seconds, a->cpu_seconds,      a->start_seconds, a->qp_seconds,
                            a->iterations,   a->inner_iterations, a->objective,     a->violation,
                            a->miss,         a->miss_angle,       row->distance,    row->angle};

    g_string_append_printf (out, "%d", row->episode);
    ssapp_bench_append_cell (out, row->t);
    g_string_append_printf (out, ",%s,%d,%d,%d,%d,%d,%d", ss_outcome_name (a->outcome), a->is_first, a->is_late,
                            a->is_kept, a->is_stuck, a->is_offered, row->is_dragged);
    for (guint c = 0; c < G_N_ELEMENTS (cells); c++)
      ssapp_bench_append_cell (out, cells[c]);
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}

gboolean
ssapp_bench_replan_is_success (const SsappBenchReplan *self)
{
  const Counts c = count (self);

  return c.n > 0 && c.n_failed == 0;
}
