/* engine/simulate/ss-replay.h: planned controls in an integrator, and how far the motion is from the plan.
 *
 * A plan is a trajectory of a scene with the channels of a simulation (simulate/ss-simulate.h): t, u.<actuator>, and
 * <body>.x .y .theta .vx .vy .omega, of which the first row is where the replay starts (a body without them starts as
 * the scene says). Row k's u acts on the steps from t_k to t_{k+1}. Of rows with equal times, a jump of the plan, the
 * last one counts, for u and for comparisons; only the start is the first row, before a jump at once.
 * Tests: tests/numeric/test-replay.c
 */
#pragma once

#include "simulate/ss-simulate.h"

typedef struct SsReplay SsReplay;
/* scene and plan are borrowed, the plan for the call only. SS_ERR_INVALID as for ss_controls_new. */
SS_NODISCARD SsStatus ss_replay_new (const SsScene *scene, const SsTrajectory *plan, SsReplay **out, SsError *err);
void ss_replay_free (SsReplay *replay);                  /* NULL is allowed                    */
const SsScene *ss_replay_scene (const SsReplay *replay); /* with the plan's initial state      */
const SsControls *ss_replay_controls (const SsReplay *replay);
/* Moves the start: a coordinate (0..5: x, y, theta, vx, vy, omega) of a body by so much. */
void ss_replay_disturb (SsReplay *replay, int body, int coordinate, double by);
double ss_replay_t_end (const SsReplay *replay); /* the plan's last time [s]           */
/* Actuator whose planned control leaves its bounds by more than rounding, -1 if none: it is clamped. */
int ss_replay_clamped (const SsReplay *replay);

/* Distances of plan and replay at the plan's time points that the replay has reached, the largest over the bodies that
 * can move. */
typedef struct {
  double largest;       /* of a body's centre of mass, over all times [m]         */
  double largest_angle; /* of a body's angle, over all times [rad]                */
  double at_end;        /* [m] at the plan's last point; NaN when it was not reached */
  double at_end_angle;  /* [rad]                                                  */
  int body;             /* where it is largest, -1 when nothing can move          */
  double t;             /* and when [s]                                           */
} SsReplayDistance;

/* `over_time` may be NULL; else it receives a trajectory with the channels t, distance, angle, a row a time of the
 * plan. Between rows of the replay its motion is taken as linear. SS_ERR_INVALID when the two have no body in
 * common. */
SS_NODISCARD SsStatus ss_replay_compare (const SsScene *scene, const SsTrajectory *plan, const SsTrajectory *replay,
                                         SsReplayDistance *out, SsTrajectory **over_time, SsError *err);

/* ---- step by step ------------------------------------------------------------------------------------------------ */

/* A step whose bodies end farther apart than this from the plan's next row has parted from it. [m or rad] */
#define SS_REPLAY_PARTED 1e-5

/* One step of the integrator from every time of the plan to its next one, with its control, compared with the plan
 * there: unlike the whole replay, no difference adds up. */
typedef struct {
  int n_steps;
  double largest; /* distance of a body's centre of mass or its angle [m or rad]            */
  int body;       /* whose, -1: none                                                        */
  double t;       /* where the step begins [s]                                              */
  int n_parted;   /* steps that parted                                                      */
  double first_t; /* where the first of them begins [s]; NaN                                */
  int first_body;
  /* Of the steps that parted, those of which the plan's end and the integrator's both solve the integrator's law
   * (SsIntegratorClass.law_residual): such a step has more than one answer. -1 when none parted or the integrator
   * cannot tell. */
  int n_other;
  int n_unsolved;      /* and those that the integrator did not solve; -1                         */
  double law_residual; /* largest of the plan's own steps that parted [m or rad]; NaN: none or not known */
  /* Of the steps that parted, those of which the plan's own end does not solve the integrator's law; -1; where the
   * first of them begins [s]; whose body parted. */
  int n_unlawful;
  double unlawful_t;
  int unlawful_body;
  int n_failed; /* steps that the integrator could not do; they count as parted      */
} SsReplaySteps;

/* SS_ERR_INVALID when the plan has no motion of all bodies that can move. */
SS_NODISCARD SsStatus ss_replay_compare_steps (const SsScene *scene, const SsTrajectory *plan,
                                               const SsIntegratorClass *integrator, const void *options,
                                               SsReplaySteps *out, SsError *err);
