/* engine/simulate/ss-sensitivity.h: derivatives of a motion by numbers of its scene: what an integrator gives that
 * follows them, and what comes of a run.
 *
 * The motion is a function of a number p (a parameter, a coordinate of the initial state, a control). Its derivative at
 * a fixed time is dx/dp; an event at t_e (p) moves by dt_e/dp. Between events dx/dp obeys the variational equations, at
 * an event it jumps by the saltation matrix (R. Leine, H. Nijmeijer: Dynamics and Bifurcations of Non-Smooth Mechanical
 * Systems (2004), section 7.1). Both follow here from the equations of elements whose ends are the events
 * (fesd/ss-fesd-sensitivity.h).
 *
 * Breaks   where the motion is no differentiable function of p. Derivatives by that input are NaN from there on, but
 *          for those that go on (ss_sensitivity_goes_on).
 * Units    those of the state [m, rad, m/s, rad/s, s] over that of the input.
 * Threads: one at a time. Tests: tests/numeric/test-sensitivity.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "judge/ss-metric.h"
#include "scene/ss-scenario.h"
#include "simulate/ss-events.h"

/* One number that the motion depends on: of scenes, coordinate and actuator, one. All borrowed. */
typedef struct {
  const char *name;
  /* The scene with the number less, and more, by `step` (> 0, its unit; 1e-5 or so of it): with as many bodies,
   * contacts and joints. NULL both: it is that of the run. */
  const SsScene *scene[2];
  double step;         /* of scenes and controls; of a coordinate at most as far, 0: as is best */
  int coordinate;      /* of the initial state (q, v): 0 to 6 n_bodies - 1; -1: none */
  int actuator;        /* its control in the steps that begin within [t_from, t_to); -1: none */
  double t_from, t_to; /* [s] */
} SsSensitivityInput;

/* Identifier, name in files, what it means for people. */
#define SS_SENSITIVITY_BREAK_LIST(X)                                                                                   \
  X (TOUCHING, "touching", "what touches at the start parts, approaches or overlaps with other values")                \
  X (GRAZING, "grazing", "a contact is only just reached, or left: not for all values nearby")                         \
  X (BOUND, "bound",                                                                                                   \
     "friction is just at its bound, or slip at rest: it sticks with some values nearby, or slips back")               \
  X (SIMULTANEOUS, "simultaneous",                                                                                     \
     "several things happen at once, or an impact has several outcomes: which comes first turns with the value")       \
  X (ACCUMULATION, "accumulation", "impacts accumulate: derivatives after it are those of the contact that follows")   \
  X (UNSOLVED, "unsolved", "a motion beside this one could not be solved")                                             \
  X (END, "end", "the number is at the end of its range: derivatives are those of the side that is allowed")           \
  X (FIXED, "fixed", "the scene allows no value beside this one")

typedef enum {
#define X(id, name, meaning) SS_SENSITIVITY_##id,
  SS_SENSITIVITY_BREAK_LIST (X)
#undef X
      SS_SENSITIVITY_N_BREAKS
} SsSensitivityBreakKind;

/* Static texts. */
const char *ss_sensitivity_break_name (SsSensitivityBreakKind kind);
const char *ss_sensitivity_break_meaning (SsSensitivityBreakKind kind);
/* Whether derivatives go on after it: ACCUMULATION, END. */
bool ss_sensitivity_goes_on (SsSensitivityBreakKind kind);

/* Why a side of a number has no derivative: identifier, name in files, what it means for people. */
#define SS_SENSITIVITY_SIDE_LIST(X)                                                                                    \
  X (EXISTS, "exists", "")                                                                                             \
  X (RANGE, "range", "the scene allows no such value")                                                                 \
  X (OVERLAP, "overlap", "bodies overlap at the start there")                                                          \
  X (FAILED, "failed", "the simulation does not reach its end there")                                                  \
  X (BREAK, "break", "the motion there has no derivative either")                                                      \
  X (JUMP, "jump", "the motion jumps there: it ends elsewhere however small the change")                               \
  X (UNBOUNDED, "unbounded", "the derivative there does not settle towards the value")

typedef enum {
#define X(id, name, meaning) SS_SENSITIVITY_SIDE_##id,
  SS_SENSITIVITY_SIDE_LIST (X)
#undef X
      SS_SENSITIVITY_SIDE_N
} SsSensitivitySideKind;

/* Static texts. */
const char *ss_sensitivity_side_name (SsSensitivitySideKind kind);
const char *ss_sensitivity_side_meaning (SsSensitivitySideKind kind);

/* The derivative at the end with a little more of an input, or a little less, where that of both sides is none. */
typedef struct {
  int input;
  bool is_more;
  SsSensitivitySideKind kind;
  double *slopes; /* owned; one input's columns of the last row of `slopes`; NaN unless it EXISTS */
} SsSensitivitySide;

typedef struct {
  int input;
  double t;    /* [s] */
  int contact; /* of the scene; -1: none is known */
  SsSensitivityBreakKind kind;
} SsSensitivityBreak;

/* What an integrator knows of its last step; borrowed until the next one. */
typedef struct {
  int n_inputs, n_q;
  const double *q, *v;  /* n_q each: where the step ended, before what happens there */
  const double *slopes; /* n_inputs x 2 n_q: dq/dp, then dv/dp, there */
  int n_switches;
  const double *times, *time_slopes; /* n_switches: when contacts switched [s]; n_switches x n_inputs: dt/dp */
  int n_breaks;                      /* since the motion began */
  const SsSensitivityBreak *breaks;
} SsSensitivityState;

/* Of integrators that follow derivatives. */
typedef struct {
  /* Before the first step; inputs are borrowed until the integrator is freed. SS_ERR_MEMORY; SS_ERR_INVALID: the scene
   * of an input is another one than that of the run but for numbers. */
  SsStatus (*follow) (void *integrator, const SsSensitivityInput *inputs, int n, SsError *err);
  const SsSensitivityState *(*state) (const void *integrator);
} SsSensitivityClass;

/* What came of a run. Of what is no coordinate, the derivative is that by the scene, the state held, and that by the
 * state: both by central differences. A gap has none (NaN) where its nearest points change. */
typedef struct SsSensitivity {
  int n_inputs, n_q;
  char **names; /* owned */
  /* Owned: t, then per input d.<input>.<body>.x .. .omega of every body, .energy.kinetic, .energy.potential,
   * .momentum.x, .y, .angular, and .<contact>.gap where contacts have channels; at the ends of steps. */
  SsTrajectory *slopes;
  int n_events;         /* those of the run, in its order */
  int events_capacity;  /* private */
  double *event_slopes; /* owned; n_events x n_inputs: dt/dp [s]; NaN: not known */
  int n_breaks;
  SsSensitivityBreak *breaks; /* owned */
  int n_sides;
  SsSensitivitySide *sides;         /* owned; of inputs that break, or are at an end of their range, where asked for */
  struct SsSensitivityParts *parts; /* private */
} SsSensitivity;

/* Empty; inputs are borrowed until the last ss_sensitivity_add. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sensitivity_new (const SsScene *scene, const SsSensitivityInput *inputs, int n,
                                          SsSensitivity **out, SsError *err);
void ss_sensitivity_free (SsSensitivity *sensitivity); /* NULL is allowed */
/* A step has ended at t; `events`: all of the run so far. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sensitivity_add (SsSensitivity *sensitivity, double t, const SsSensitivityState *state,
                                          const SsEventList *events, SsError *err);
/* Columns of an input in `slopes`, the first of which is 1 + input times as many. */
int ss_sensitivity_width (const SsSensitivity *sensitivity);
/* Takes slopes, also on failure (SS_ERR_MEMORY). */
SS_NODISCARD SsStatus ss_sensitivity_add_side (SsSensitivity *sensitivity, SsSensitivitySide side, SsError *err);
SS_NODISCARD SsStatus ss_sensitivity_add_break (SsSensitivity *sensitivity, SsSensitivityBreak item, SsError *err);
/* That side of an input; NULL: nobody looked at it. */
const SsSensitivitySide *ss_sensitivity_side (const SsSensitivity *sensitivity, int input, bool is_more);
/* An input's columns at the end, those of both sides where it breaks and they agree to 1e-6 of the largest; and of
 * these the one of coordinate 0..5 (x, y, theta, vx, vy, omega) of a body. NaN: there is none. */
const double *ss_sensitivity_final_columns (const SsSensitivity *sensitivity, int input);
double ss_sensitivity_final (const SsSensitivity *sensitivity, int input, int body, int coordinate);
/* Of the metrics that are functions of the state at the start or the end, in units of the metric over that of the
 * input; a metric that is not set has no derivative: it counts, or is a largest value, an error, a time. */
void ss_sensitivity_metrics (const SsSensitivity *sensitivity, int input, SsMetricSet *out);
