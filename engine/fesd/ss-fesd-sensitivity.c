/* engine/fesd/ss-fesd-sensitivity.c: see the header. */
#include "fesd/ss-fesd-sensitivity.h"

#include "core/ss-memory.h"
#include "fesd/ss-fesd-march-private.h"

#include <math.h>
#include <string.h>

/* A start beside is this far from that of the march, as a part of what places and speeds are; no farther than FARTHEST
 * of it, where the scene is another one too. */
static const double beside = 1e-5, farthest = 1e-3;
/* Part of that for elements so short that their switch is missed from there. */
static const double nearer = 1e-2;
/* A slope that is rounding, as a part of the largest that there was. */
static const double no_slope = 1e-15;
/* Second difference of a jump, as a part of the first, from which on it has a kink. */
static const double kink = 1e-2;
/* Gaps beside that are taken for the same contact's: as a part of how far the start is away. */
static const double apart_part = 1e-3;

enum { LESS, MORE, SIDES };

typedef struct {
  SsFesdBeside *side[SIDES]; /* NULL: the scene is that of the march */
  bool is_broken;
  bool moves_shapes;
  double largest; /* of all slopes so far */
  bool told_accumulation;
  bool lacks_time;  /* dt/dp of the last switch is not known */
  double end_slope; /* dt/dp of the end of the step under way: of a break of the scene */
  double *slope;    /* 2 n_q + 1: dq/dp, dv/dp, dt/dp at the end of what was taken last */
} Input;

struct SsFesdSensitivity {
  SsFesdMarch *march; /* borrowed */
  const SsSensitivityInput *inputs;
  int n, n_q;
  Input *items;
  SsFesdBeside *own;    /* in the march's scene */
  double *ends[SIDES];  /* 2 n_q + 1: starts, then ends */
  double *sum;          /* 2 n_q + 1 */
  double *controls;     /* n_actuators */
  double *at;           /* 2 n_q: q, v where the last step ended */
  double *slopes;       /* n x 2 n_q: what the state tells */
  bool strays;          /* what was made last beside switches otherwise */
  const double *given;  /* controls of the step under way */
  double t_step, t_end; /* of the step under way */
  double *times, *time_slopes;
  int times_capacity, slopes_capacity;
  SsSensitivityBreak *breaks;
  int breaks_capacity;
  SsSensitivityState state;
};

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* What moves, in its scene before and after: the derivative at the start. */
static SsStatus
begin_input (SsFesdSensitivity *self, int i, const SsFesdBesideLaw *law, SsError *err)
{
  const SsSensitivityInput *input = &self->inputs[i];
  Input *item = &self->items[i];
  SsStatus status = SS_OK;
  item->slope = ss_new_array (double, 2 * self->n_q + 1);
  if (item->slope == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  for (int k = 0; status == SS_OK && k < SIDES && input->scene[k] != NULL; k++)
    status = ss_fesd_beside_new (input->scene[k], self->march->system, &self->march->tableau, law, self->march,
                                 &item->side[k], err);
  if (status != SS_OK)
    return status;
  item->moves_shapes = item->side[LESS] != NULL && ss_fesd_beside_has_other_shapes (item->side[LESS]);
  for (int body = 0; input->scene[LESS] != NULL && body < self->n_q / 3; body++)
    for (int k = 0; k < 3; k++) {
      const SsBody *less = &input->scene[LESS]->bodies[body], *more = &input->scene[MORE]->bodies[body];
      item->slope[3 * body + k] = (more->q[k] - less->q[k]) / (2 * input->step);
      item->slope[self->n_q + 3 * body + k] = (more->v[k] - less->v[k]) / (2 * input->step);
    }
  if (input->scene[LESS] == NULL && input->coordinate >= 0)
    item->slope[input->coordinate] = 1;
  memcpy (self->slopes + i * 2 * self->n_q, item->slope, 2 * (size_t)self->n_q * sizeof *item->slope);
  return SS_OK;
}

SsStatus
ss_fesd_sensitivity_new (SsFesdMarch *march, const SsFesdBesideLaw *law, const SsSensitivityInput *inputs, int n,
                         SsFesdSensitivity **out, SsError *err)
{
  SS_ASSERT (march != NULL && inputs != NULL && n > 0 && out != NULL);

  *out = NULL;
  SsFesdSensitivity *self = ss_new (SsFesdSensitivity);
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  self->march = march;
  self->inputs = inputs;
  self->n = n;
  self->n_q = march->system->n_q;
  self->items = ss_new_array (Input, n);
  self->slopes = ss_new_array (double, n * 2 * self->n_q + 1);
  self->controls = ss_new_array (double, march->system->scene->n_actuators + 1);
  self->sum = ss_new_array (double, 2 * self->n_q + 1);
  self->at = ss_new_array (double, 2 * self->n_q + 1);
  bool is_there =
      self->items != NULL && self->slopes != NULL && self->controls != NULL && self->sum != NULL && self->at != NULL;
  for (int k = 0; k < SIDES; k++) {
    self->ends[k] = ss_new_array (double, 2 * self->n_q + 1);
    is_there = is_there && self->ends[k] != NULL;
  }
  SsStatus status = is_there ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  if (status == SS_OK)
    status = ss_fesd_beside_new (march->system->scene, march->system, &march->tableau, law, march, &self->own, err);
  for (int i = 0; status == SS_OK && i < n; i++)
    status = begin_input (self, i, law, err);
  if (status != SS_OK) {
    ss_fesd_sensitivity_free (self);
    return status;
  }
  march->log.is_on = true;
  for (int k = 0; k < self->n_q; k++) {
    self->at[k] = march->system->scene->bodies[k / 3].q[k % 3];
    self->at[self->n_q + k] = march->system->scene->bodies[k / 3].v[k % 3];
  }
  self->state = (SsSensitivityState){
      .n_inputs = n, .n_q = self->n_q, .q = self->at, .v = self->at + self->n_q, .slopes = self->slopes};
  *out = self;
  return SS_OK;
}

void
ss_fesd_sensitivity_free (SsFesdSensitivity *self)
{
  if (self == NULL)
    return;
  for (int i = 0; self->items != NULL && i < self->n; i++) {
    for (int k = 0; k < SIDES; k++)
      ss_fesd_beside_free (self->items[i].side[k]);
    ss_free (self->items[i].slope);
  }
  for (int k = 0; k < SIDES; k++)
    ss_free (self->ends[k]);
  ss_fesd_beside_free (self->own);
  ss_free (self->items);
  ss_free (self->slopes);
  ss_free (self->controls);
  ss_free (self->sum);
  ss_free (self->at);
  ss_free (self->times);
  ss_free (self->time_slopes);
  ss_free (self->breaks);
  ss_free (self);
}

const SsSensitivityState *
ss_fesd_sensitivity_state (const SsFesdSensitivity *self)
{
  SS_ASSERT (self != NULL);
  return &self->state;
}

/* ---- one element, jump or fit ------------------------------------------------------------------------------------ */

static double
largest (int n, const double *a)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax (most, fabs (a[i]));
  return most;
}

/* The controls of a side: those of the step, that of the input moved. */
static void
set_controls (SsFesdSensitivity *self, SsFesdBeside *side, const SsSensitivityInput *input, double by)
{
  const int n = self->march->system->scene->n_actuators;
  const bool acts =
      input->actuator >= 0 && self->given != NULL && self->t_step >= input->t_from && self->t_step < input->t_to;
  if (!acts) {
    ss_fesd_beside_set_controls (side, self->given);
    return;
  }
  memcpy (self->controls, self->given, (size_t)n * sizeof *self->controls);
  self->controls[input->actuator] += by;
  ss_fesd_beside_set_controls (side, self->controls);
}

/* What was taken, from the start that is `by` of the slope (NULL: no) away, in that scene, in a step that ends later by
 * `end_by`. `is_whole`: start and scene belong together, so that what is closed is closed there, too. */
static bool
make (SsFesdSensitivity *self, const SsFesdTaken *taken, SsFesdBeside *side, const double *slope, double by,
      double end_by, bool is_whole, double part, double *end, SsSensitivityBreakKind *why)
{
  const int n_q = self->n_q;
  const double near = 10 * ss_fesd_touch_part * self->march->system->size,
               apart =
                   is_whole ? near + apart_part * fabs (by) * (slope != NULL ? largest (2 * n_q, slope) : 1) : INFINITY;
  double *t = &end[2 * n_q];
  memcpy (end, taken->q, (size_t)n_q * sizeof *end);
  memcpy (end + n_q, taken->v, (size_t)n_q * sizeof *end);
  *t = taken->t;
  for (int i = 0; slope != NULL && i <= 2 * n_q; i++)
    end[i] += by * slope[i];
  *why = SS_SENSITIVITY_N_BREAKS;
  if (taken->is_fit)
    return ss_fesd_beside_fit (side, taken, *t, end, end + n_q);
  if (taken->is_jump)
    return ss_fesd_beside_jump (side, taken, *t, end, end + n_q, apart);
  /* the elements to come share what their start leaves */
  const double late = *t - taken->t - end_by, rest = self->t_end - taken->t;
  return ss_fesd_beside_element (side, taken, rest > 0 ? taken->h * (1 - late / rest) : taken->h, apart, t, end,
                                 end + n_q, part, why);
}

/* A switch where a force reaches its bound: forces and accelerations do not jump there, so that the derivative goes on
 * as if there were none. */
static bool
is_smooth (const SsFesdTaken *taken)
{
  return taken->has_switch && (taken->what.kind == SS_FESD_SEPARATION || taken->what.kind == SS_FESD_BREAK_PLUS ||
                               taken->what.kind == SS_FESD_BREAK_MINUS);
}

static SsSensitivityBreakKind
why_none (const SsFesdTaken *taken, SsSensitivityBreakKind why)
{
  if (why != SS_SENSITIVITY_N_BREAKS)
    return why;
  if (taken->is_jump || (taken->has_switch && taken->what.kind > SS_FESD_CROSSING))
    return SS_SENSITIVITY_SIMULTANEOUS;
  return taken->has_switch ? SS_SENSITIVITY_GRAZING : SS_SENSITIVITY_UNSOLVED;
}

/* Adds the central difference over `s` to `sum`. Returns SS_SENSITIVITY_N_BREAKS, or why there is none. */
static SsSensitivityBreakKind
add_difference (SsFesdSensitivity *self, const SsFesdTaken *taken, int i, bool with_scene, const double *slope,
                bool is_whole, double s, double part, double *sum)
{
  const SsSensitivityInput *input = &self->inputs[i];
  const Input *item = &self->items[i];
  SsSensitivityBreakKind why;
  for (int k = 0; k < SIDES; k++) {
    const double by = k == LESS ? -s : s;
    SsFesdBeside *side = with_scene && item->side[k] != NULL ? item->side[k] : self->own;
    set_controls (self, side, input, with_scene ? by : 0);
    if (!make (self, taken, side, slope, by, with_scene ? by * item->end_slope : 0, is_whole, part, self->ends[k],
               &why)) {
      self->strays = why == SS_SENSITIVITY_GRAZING || why == SS_SENSITIVITY_BOUND;
      return why_none (taken, why);
    }
  }
  if (taken->is_jump) { /* both sides by the same impulses of the law? */
    double first = 0, second = 0;
    for (int c = 0; c < self->n_q; c++) {
      const double less = self->ends[LESS][self->n_q + c], more = self->ends[MORE][self->n_q + c];
      first = fmax (first, fabs (more - less));
      second = fmax (second, fabs (more + less - 2 * taken->v_after[c]));
    }
    if (second > kink * first + 1e-12)
      return SS_SENSITIVITY_SIMULTANEOUS;
  }
  for (int c = 0; c <= 2 * self->n_q; c++)
    sum[c] += (self->ends[MORE][c] - self->ends[LESS][c]) / (2 * s);
  return SS_SENSITIVITY_N_BREAKS;
}

/* The derivative by input i goes on over what was taken, into self->sum; `part`: of the usual step of the start. */
static SsSensitivityBreakKind
differentiate (SsFesdSensitivity *self, const SsFesdTaken *taken, int i, double part)
{
  const SsSensitivityInput *input = &self->inputs[i];
  const Input *item = &self->items[i];
  const int n = 2 * self->n_q + 1;
  const double size = largest (n, item->slope);
  const double scale =
      fmax (self->march->system->size, fmax (largest (self->n_q, taken->q), largest (self->n_q, taken->v)));
  const bool has_scene = input->scene[LESS] != NULL || input->actuator >= 0;
  double *sum = self->sum;
  SsSensitivityBreakKind kind = SS_SENSITIVITY_N_BREAKS;
  memset (sum, 0, (size_t)n * sizeof *sum);
  if (!has_scene && size == 0)
    return kind;
  const bool is_near = has_scene && part == 1 && input->step * size <= farthest * scale;
  if (has_scene)
    kind =
        add_difference (self, taken, i, true, is_near ? item->slope : NULL, is_near, input->step, is_near ? 1 : 0, sum);
  const double most = input->coordinate >= 0 && input->step > 0 ? input->step : INFINITY;
  if (kind == SS_SENSITIVITY_N_BREAKS && !is_near && size > 0)
    kind = add_difference (self, taken, i, false, item->slope, !has_scene || !item->moves_shapes,
                           part * fmin (beside * scale / size, most), has_scene ? 0 : part, sum);
  return kind;
}

static SsSensitivityBreakKind
carry_on (SsFesdSensitivity *self, const SsFesdTaken *taken, int i)
{
  Input *item = &self->items[i];
  SsFesdTaken plain = *taken;
  self->strays = false;
  SsSensitivityBreakKind kind = differentiate (self, taken, i, 1);
  /* nearer, scene and start are taken apart, and say nothing of what switches otherwise */
  const bool is_final = kind == SS_SENSITIVITY_TOUCHING || (self->strays && self->inputs[i].scene[LESS] != NULL);
  if (kind != SS_SENSITIVITY_N_BREAKS && !is_final)
    kind = differentiate (self, taken, i, nearer);
  item->lacks_time = kind != SS_SENSITIVITY_N_BREAKS;
  plain.has_switch = false;
  if (item->lacks_time && is_smooth (taken))
    kind = differentiate (self, &plain, i, 1);
  if (kind != SS_SENSITIVITY_N_BREAKS)
    return kind;
  item->largest = fmax (item->largest, largest (2 * self->n_q + 1, self->sum));
  for (int c = 0; c <= 2 * self->n_q; c++) /* what contacts have taken away is rounding, not a direction to follow */
    item->slope[c] = fabs (self->sum[c]) > no_slope * item->largest ? self->sum[c] : 0;
  return kind;
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* dt/dp of the step's end, where it is a break of the scene that the number moves. */
static double
end_slope (const SsFesdSensitivity *self, const SsSensitivityInput *input)
{
  const SsScene *scene = self->march->system->scene;
  for (int b = 0; input->scene[LESS] != NULL && b < scene->n_breaks; b++)
    if (fabs (scene->breaks[b] - self->t_end) <= 1e-12 * fmax (1, self->t_end))
      return (input->scene[MORE]->breaks[b] - input->scene[LESS]->breaks[b]) / (2 * input->step);
  return 0;
}

/* The derivative at the time where the step ends, which itself moves with the number at a break. */
static void
tell_slope (const SsFesdSensitivity *self, int i)
{
  const Input *item = &self->items[i];
  const SsFesdState *now = &self->march->now;
  double *out = self->slopes + i * 2 * self->n_q;
  const double late = item->slope[2 * self->n_q];
  for (int c = 0; c < self->n_q; c++) {
    const int free = self->march->system->index[c];
    out[c] = item->is_broken ? NAN : item->slope[c] - late * now->v[c];
    out[self->n_q + c] = item->is_broken ? NAN : item->slope[self->n_q + c] - late * (free >= 0 ? now->a[free] : 0);
  }
}

static SsStatus
add_break (SsFesdSensitivity *self, const SsFesdTaken *taken, int i, SsSensitivityBreakKind kind, SsError *err)
{
  if (ss_array_reserve ((void **)&self->breaks, &self->breaks_capacity, self->state.n_breaks + 1,
                        sizeof *self->breaks) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  const int touched = taken->is_jump && taken->n_touches > 0 ? taken->touches[0]
                      : taken->has_switch                    ? taken->what.item
                                                             : -1;
  self->breaks[self->state.n_breaks++] =
      (SsSensitivityBreak){.input = i,
                           .t = taken->t + taken->h,
                           .contact = touched >= 0 ? ss_fesd_contact_of (self->march->system, touched) : -1,
                           .kind = kind};
  self->state.breaks = self->breaks;
  return SS_OK;
}

/* The switch at the end of what was taken, at t. */
static SsStatus
add_switch (SsFesdSensitivity *self, double t, SsError *err)
{
  const int k = self->state.n_switches, n = self->n;
  if (ss_array_reserve ((void **)&self->times, &self->times_capacity, k + 1, sizeof *self->times) != 0 ||
      ss_array_reserve ((void **)&self->time_slopes, &self->slopes_capacity, (k + 1) * n, sizeof *self->time_slopes) !=
          0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for derivatives");
  self->times[k] = t;
  for (int i = 0; i < n; i++)
    self->time_slopes[k * n + i] =
        self->items[i].is_broken || self->items[i].lacks_time ? NAN : self->items[i].slope[2 * self->n_q];
  self->state.times = self->times;
  self->state.time_slopes = self->time_slopes;
  self->state.n_switches++;
  return SS_OK;
}

SsStatus
ss_fesd_sensitivity_step (SsFesdSensitivity *self, const SsStep *step, double t_end, SsError *err)
{
  SS_ASSERT (self != NULL && step != NULL);

  const SsFesdLog *log = &self->march->log;
  SsStatus status = SS_OK;
  self->given = step->controls;
  self->t_step = t_end - step->dt;
  self->t_end = t_end;
  self->state.n_switches = 0;
  for (int i = 0; i < self->n; i++)
    self->items[i].end_slope = end_slope (self, &self->inputs[i]);
  for (int k = 0; status == SS_OK && k < log->n; k++) {
    const SsFesdTaken taken = ss_fesd_log_at (log, self->march->system, k);
    for (int i = 0; status == SS_OK && i < self->n; i++) {
      Input *item = &self->items[i];
      if (item->is_broken)
        continue;
      const SsSensitivityBreakKind kind = carry_on (self, &taken, i);
      item->is_broken = kind != SS_SENSITIVITY_N_BREAKS;
      if (item->is_broken)
        status = add_break (self, &taken, i, kind, err);
      if (status == SS_OK && !item->is_broken && taken.is_capturing && !item->told_accumulation)
        status = add_break (self, &taken, i, SS_SENSITIVITY_ACCUMULATION, err);
      item->told_accumulation = item->told_accumulation || taken.is_capturing;
    }
    if (status == SS_OK && taken.has_switch)
      status = add_switch (self, k + 1 < log->n ? ss_fesd_log_at (log, self->march->system, k + 1).t : t_end, err);
  }
  memcpy (self->at, self->march->now.q, (size_t)self->n_q * sizeof *self->at);
  memcpy (self->at + self->n_q, self->march->now.v, (size_t)self->n_q * sizeof *self->at);
  for (int i = 0; i < self->n; i++)
    tell_slope (self, i);
  return status;
}
