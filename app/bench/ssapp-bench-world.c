/* app/bench/ssapp-bench-world.c: see ssapp-bench-world.h. */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench-bouncing-ball.h"
#include "bench-box-pyramid.h"
#include "bench-box-stack.h"
#include "bench-chain-on-floor.h"
#include "bench-chain.h"
#include "bench-discs.h"
#include "bench-disk-stack.h"
#include "bench-domino-row.h"
#include "bench-falling-boxes.h"
#include "bench-foundation.h"
#include "bench-groove.h"
#include "bench-incline.h"
#include "bench-limit-pendulum.h"
#include "bench-oscillator.h"
#include "bench-pendulum.h"
#include "bench-pile.h"
#include "bench-pinned-bar.h"
#include "bench-ramp.h"
#include "bench-rocking-block.h"
#include "bench-smd.h"

/* A coordinate beyond this has diverged, as in ss_simulate. */
static const double divergence_limit = 1e9;
/* A remainder of less than this part of a step is rounding. */
static const double sliver_fraction = 1e-6;
/* The control is asked every so many steps. */
enum { STEPS_BETWEEN_LOOKS = 64 };

static const struct {
  const char *name, *text;
} scenes[] = {
    {"smd", bench_smd},
    {"pendulum", bench_pendulum},
    {"limit-pendulum", bench_limit_pendulum},
    {"ramp", bench_ramp},
    {"foundation", bench_foundation},
    {"disk-stack", bench_disk_stack},
    {"bouncing-ball", bench_bouncing_ball},
    {"box-pyramid", bench_box_pyramid},
    {"box-stack", bench_box_stack},
    {"pile", bench_pile},
    {"chain", bench_chain},
    {"incline", bench_incline},
    {"groove", bench_groove},
    {"oscillator", bench_oscillator},
    {"falling-boxes", bench_falling_boxes},
    {"discs", bench_discs},
    {"chain-on-floor", bench_chain_on_floor},
    {"domino-row", bench_domino_row},
    {"pinned-bar", bench_pinned_bar},
    {"rocking-block", bench_rocking_block},
};

static SsScenario *
read_scene (const char *name, const SsOverride *set, int n_set, char **message)
{
  const char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    if (strcmp (scenes[i].name, name) == 0)
      text = scenes[i].text;
  g_assert (text != NULL);
  return ssapp_bench_read (text, name, set, n_set, message);
}

/* Where bodies are now, for ssapp_bench_world_creep. */
static void
mark (SsappBenchWorld *self)
{
  memcpy (self->mark, self->state.q, 3 * (gsize)self->scenario->scene->n_bodies * sizeof (double));
  self->mark_t = self->state.t;
}

static void
start (SsappBenchWorld *self)
{
  const SsScene *scene = self->scenario->scene;
  const gsize n = 3 * (gsize)scene->n_bodies, m = SS_SIM_N_CONTACT_VALUES * (gsize)scene->n_contacts;

  self->state.q = g_new0 (double, 3 * n + m + 1);
  self->state.v = self->state.q + n;
  self->mark = self->state.v + n;
  self->state.contact = self->mark + n;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      self->state.q[3 * i + k] = scene->bodies[i].q[k];
      self->state.v[3 * i + k] = scene->bodies[i].is_fixed ? 0 : scene->bodies[i].v[k];
    }
  for (int i = 0; i < scene->n_contacts; i++)
    self->state.contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_GAP] = INFINITY;
  self->max_penetration = self->max_drift = NAN;
  mark (self);
}

SsappBenchWorld *
ssapp_bench_world_of (SsScenario *scenario, const SsappBenchMethod *method, char **message)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  SsappBenchWorld *self = g_new0 (SsappBenchWorld, 1);
  SsError error = {0};

  self->integrator = method->method->integrator;
  self->scenario = scenario;
  self->options = ssapp_bench_method_options (method, self->scenario, &error);
  if (self->options != NULL &&
      self->integrator->new_ (self->scenario->scene, self->options, &self->stepper, &error) == SS_OK &&
      (self->measure = ssapp_bench_measure_new (self->scenario->scene, &error)) != NULL) {
    start (self);
    return self;
  }
  *message = g_strdup (error.message);
  ssapp_bench_world_free (self);
  return NULL;
}

SsappBenchWorld *
ssapp_bench_world_new (const char *name, const SsOverride *set, int n_set, const SsappBenchMethod *method,
                       char **message)
{
  SsScenario *scenario = read_scene (name, set, n_set, message);

  return scenario != NULL ? ssapp_bench_world_of (scenario, method, message) : NULL;
}

void
ssapp_bench_world_free (SsappBenchWorld *self)
{
  if (self == NULL)
    return;
  if (self->stepper != NULL)
    self->integrator->free_ (self->stepper);
  ssapp_bench_measure_free (self->measure);
  g_free (self->options);
  g_free (self->state.q);
  ss_scenario_free (self->scenario);
  g_free (self);
}

/* fmax that takes the first number in place of NaN. */
static double
larger (double a, double b)
{
  return isnan (a) || b > a ? b : a;
}

static gboolean
is_finite (SsappBenchWorld *self)
{
  const SsScene *scene = self->scenario->scene;

  for (int i = 0; i < 6 * scene->n_bodies; i++)
    if (!(fabs (self->state.q[i]) <= divergence_limit)) {
      const int body = i / 3 % MAX (scene->n_bodies, 1);
      snprintf (self->message, sizeof self->message, "diverged: body %s at t = %.9g s", scene->bodies[body].name,
                self->state.t);
      return FALSE;
    }
  return TRUE;
}

gboolean
ssapp_bench_world_step (SsappBenchWorld *self, double dt)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const SsScene *scene = self->scenario->scene;
  SsStepInfo info = {0};
  SsError error = {0};
  const double begun = ss_clock_thread_cpu ();
  const SsStatus status = self->integrator->step (self->stepper, &(SsStep){.dt = dt}, &self->state, &info, &error);

  self->cpu_seconds += ss_clock_thread_cpu () - begun;
  if (status != SS_OK) {
    g_strlcpy (self->message, error.message, sizeof self->message);
    return FALSE;
  }
  self->steps++;
  self->n_points = info.n_points;
  self->residual = info.residual;
  self->max_residual = fmax (self->max_residual, info.residual);
  for (int i = 0; i < scene->n_contacts; i++) {
    const double gap = self->state.contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_GAP];
    if (isfinite (gap))
      self->max_penetration = larger (self->max_penetration, fmax (-gap, 0));
  }
  const double drift = ssapp_bench_measure_drift (self->measure, self->state.t, self->state.q);
  if (!isnan (drift))
    self->max_drift = larger (self->max_drift, drift);
  return is_finite (self);
}

gboolean
ssapp_bench_world_run (SsappBenchWorld *self, double dt, double t_end, SsRunControl *control)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const int first = self->steps;
  const double t0 = self->state.t;
  SsOutcome why;

  while (t_end - self->state.t > sliver_fraction * dt) {
    if ((self->steps - first) % STEPS_BETWEEN_LOOKS == 0 && ss_run_control_should_stop (control, &why))
      return FALSE;
    /* times are multiples of dt, so that rounding does not add up */
    double next = t0 + (self->steps - first + 1) * dt;
    if (next > t_end - sliver_fraction * dt)
      next = t_end;
    if (!ssapp_bench_world_step (self, next - self->state.t))
      return FALSE;
    self->state.t = next;
  }
  return TRUE;
}

void
ssapp_bench_world_steps (SsappBenchWorld *self, double dt, int steps, double seconds, SsRunControl *control,
                         GArray *milliseconds, GArray *residuals)
{
  g_return_if_fail (self != NULL);
  const double limit = ss_clock_process_cpu () + seconds;
  gboolean ok = TRUE;

  while (ok && self->steps < steps && ss_clock_process_cpu () < limit && !ssapp_bench_is_cancelled (control)) {
    const double before = self->cpu_seconds;
    if (2 * self->steps == steps - steps % 2)
      mark (self);
    ok = ssapp_bench_world_step (self, dt);
    const double took = 1e3 * (self->cpu_seconds - before);
    if (milliseconds != NULL)
      g_array_append_val (milliseconds, took);
    if (ok && residuals != NULL)
      g_array_append_val (residuals, self->residual);
  }
}

const char *
ssapp_bench_world_end (const SsappBenchWorld *self, int steps)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->message[0] != '\0' ? self->message : self->steps < steps ? "limit of CPU time" : "completed";
}

double
ssapp_bench_world_energy (const SsappBenchWorld *self)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  return ssapp_bench_measure_energy (self->measure, self->state.q, self->state.v);
}

double
ssapp_bench_world_creep (const SsappBenchWorld *self)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  double way = 0;

  if (!(self->state.t > self->mark_t))
    return NAN;
  for (int i = 0; i < self->scenario->scene->n_bodies; i++) {
    const double *a = self->state.q + 3 * i, *b = self->mark + 3 * i;
    way = fmax (way, hypot (a[0] - b[0], a[1] - b[1]));
  }
  return way / (self->state.t - self->mark_t);
}

static int
body_index (const SsappBenchWorld *self, const char *body)
{
  const int i = ss_scene_find (self->scenario->scene, SS_OWNER_BODY, body);

  g_assert (i >= 0);
  return i;
}

int
ssapp_bench_moving_bodies (const SsScene *scene)
{
  int n = 0;

  for (int i = 0; i < scene->n_bodies; i++)
    n += !scene->bodies[i].is_fixed;
  return n;
}

double *
ssapp_bench_world_q (SsappBenchWorld *self, const char *body)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->state.q + 3 * body_index (self, body);
}

double *
ssapp_bench_world_v (SsappBenchWorld *self, const char *body)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->state.v + 3 * body_index (self, body);
}
