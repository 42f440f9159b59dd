/* engine/simulate/ss-sensitivity.h: derivatives of a motion by numbers of its scene: what an integrator gives that
 * follows them, and what comes of a run.
 *
 * The motion is a function of a number p (a parameter, a coordinate of the initial state, a control). Its derivative at
 * a fixed time is dx/dp; an event at t_e (p) moves by dt_e/dp. Between events dx/dp obeys the variational equations, at
 * an event it jumps by the saltation matrix (R. Leine, H. Nijmeijer: Dynamics and Bifurcations of Non-Smooth Mechanical
 * Systems (2004), section 7.1). Both follow here from the equations of elements whose ends are the events
 * (fesd/ss-fesd-sensitivity.h).
 *
 * Breaks   where the motion is no differentiable function of p. Derivatives by that input are NaN from there on; after
 *          an ACCUMULATION alone they go on.
 * Units    those of the state [m, rad, m/s, rad/s, s] over that of the input.
 * Threads: one at a time. Tests: tests/numeric/test-sensitivity.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"
#include "simulate/ss-events.h"

/* One number that the motion depends on: of scenes, coordinate and actuator, one. All borrowed. */
typedef struct {
  const char *name;
  /* The scene with the number less, and more, by `step` (> 0, its unit; 1e-5 or so of it): with as many bodies,
   * contacts and joints. NULL both: it is that of the run. */
  const SsScene *scene[2];
  double step;         /* of scenes and controls */
  int coordinate;      /* of the initial state (q, v): 0 to 6 n_bodies - 1; -1: none */
  int actuator;        /* its control in the steps that begin within [t_from, t_to); -1: none */
  double t_from, t_to; /* [s] */
} SsSensitivityInput;

/* Identifier, name in files, what it means for people. */
#define SS_SENSITIVITY_BREAK_LIST(X)                                                                                   \
  X (TOUCHING, "touching", "what touches at the start parts, approaches or overlaps with other values")                \
  X (GRAZING, "grazing", "a contact is only just reached, or left: not for all values nearby")                         \
  X (SIMULTANEOUS, "simultaneous",                                                                                     \
     "several things happen at once, or an impact has several outcomes: which comes first turns with the value")       \
  X (ACCUMULATION, "accumulation", "impacts accumulate: derivatives after it are those of the contact that follows")   \
  X (UNSOLVED, "unsolved", "a motion beside this one could not be solved")

typedef enum {
#define X(id, name, meaning) SS_SENSITIVITY_##id,
  SS_SENSITIVITY_BREAK_LIST (X)
#undef X
      SS_SENSITIVITY_N_BREAKS
} SsSensitivityBreakKind;

/* Static texts. */
const char *ss_sensitivity_break_name (SsSensitivityBreakKind kind);
const char *ss_sensitivity_break_meaning (SsSensitivityBreakKind kind);

typedef struct {
  int input;
  double t;    /* [s] */
  int contact; /* of the scene; -1: none is known */
  SsSensitivityBreakKind kind;
} SsSensitivityBreak;

/* What an integrator knows of its last step; borrowed until the next one. */
typedef struct {
  int n_inputs, n_q;
  const double *slopes; /* n_inputs x 2 n_q: dq/dp, then dv/dp, at the step's end, before what happens there */
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

/* What came of a run. */
typedef struct SsSensitivity {
  int n_inputs, n_q;
  char **names;         /* owned */
  SsTrajectory *slopes; /* owned: t, then per body and input d.<input>.<body>.x .. .omega, at the ends of steps */
  int n_events;         /* those of the run, in its order */
  int events_capacity;  /* private */
  double *event_slopes; /* owned; n_events x n_inputs: dt/dp [s]; NaN: not known */
  int n_breaks;
  SsSensitivityBreak *breaks; /* owned */
} SsSensitivity;

/* Empty. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sensitivity_new (const SsScene *scene, const SsSensitivityInput *inputs, int n,
                                          SsSensitivity **out, SsError *err);
void ss_sensitivity_free (SsSensitivity *sensitivity); /* NULL is allowed */
/* A step has ended at t; `events`: all of the run so far. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sensitivity_add (SsSensitivity *sensitivity, double t, const SsSensitivityState *state,
                                          const SsEventList *events, SsError *err);
/* d/dp of coordinate 0..5 (x, y, theta, vx, vy, omega) of a body at the end; NaN: there is none. */
double ss_sensitivity_final (const SsSensitivity *sensitivity, int input, int body, int coordinate);
