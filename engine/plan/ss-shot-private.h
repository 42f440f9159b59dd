/* engine/plan/ss-shot-private.h: simulations near a plan with hats added to their controls, and shooting by them
 * (ss-track-plan.h), for ss-track-plan.c, whose they are, and ss-shoot-cheaper.c. */
#pragma once

#include "plan/ss-drive.h"
#include "plan/ss-sampled-cost.h"
#include "plan/ss-track-plan.h"
#include "simulate/ss-replay.h"
#include "simulate/ss-stewart-trinkle.h"

typedef struct {
  const SsScene *scene; /* with the plan's start */
  const SsTrajectory *plan;
  const SsControls *planned;
  SsControls controls; /* one row, ours */
  SsDrive *drives;
  double *q_start, *q, *v; /* 3 n_bodies */
  double *q_end, *v_end;   /* likewise, where the last simulation ended */
  double residual;         /* of the worst of its steps */
  double strayed;          /* of the body that was farthest from the plan where a step began [m] */
  double *plan_row, *row;
  int (*columns)[6];                   /* of the plan, by bodies; negative: none */
  const SsIntegratorClass *integrator; /* NULL: that of the law of plans, with `options` */
  const void *own;                     /* its options; NULL: the defaults */
  SsStewartTrinkleOptions options;
  int parts; /* steps of the integrator in one of ours, over which controls are held */
  /* Of exact motions, n_actuators for each of n_held steps: in the place of `planned`; those of the last simulation */
  const double *held;
  double *used;
  int n_held;
  SsRunControl *control; /* of exact motions, whose steps may take long; NULL: nobody ends them */
  double *heights;       /* `hats` an actuator, in their units; NULL: no hats */
  int hats;
  double *units;        /* of the hats, by actuators */
  double end;           /* of the plan [s] */
  SsSampledCost *watch; /* told of each point; NULL: nobody */
} SsTracker;

typedef struct {
  SsTracker *t; /* borrowed */
  const SsPlan *plan;
  int steps, n_rows, n_hats;                   /* rows: coordinates that targets fix */
  double difference, speed;                    /* of heights; a rate counts as a place after this time [s] */
  double aim;                                  /* a smaller miss needs no more steps */
  const SsScenario *scenario;                  /* of exact motions */
  bool has_jacobian;                           /* about that of the best heights */
  double stiffness, miss;                      /* of the best heights */
  double *best, *trial;                        /* heights */
  double *rows, *rows_trial, *jacobian, *gram; /* n_rows; n_rows x n_hats, by rows; n_rows x n_rows, by columns */
  double *dual;                                /* n_rows */
  double *base;                                /* the memory of all */
} SsShot;

/* A shot of a plan in `steps` of its time by the law of plans, which begins with the plan's own controls: `t` and `s`
 * are set, with `hats` an actuator. Release with ss_shot_close, also after an error. */
SS_NODISCARD SsStatus ss_shot_open (SsShot *s, SsTracker *t, const SsScenario *scenario, const SsTrajectory *plan,
                                    int steps, int hats, SsReplay **replay, SsError *err);
void ss_shot_close (SsShot *s, SsReplay *replay);
/* By how much the motion of heights[n_hats] misses each row, and the largest of it; infinite: it does not get there. */
SS_NODISCARD SsStatus ss_shot_miss (SsShot *s, double *heights, double *rows, double *miss, SsError *err);
/* Jacobian of the rows about the best heights, by differences, and, where it is wanted (not NULL), gradient[n_hats] of
 * the task's objective, which is `objective` there. *is_made: false where it was told to stop. */
SS_NODISCARD SsStatus ss_shot_differentiate (SsShot *s, SsRunControl *control, double objective, double *gradient,
                                             bool *is_made, SsError *err);
/* Height of hat i of so many at a part of the time: 1 at its top, 0 at its neighbours'. */
double ss_shot_hat (int hats, int i, double part);
/* From the best heights on until a motion ends at the targets each of whose steps is settled. */
SS_NODISCARD SsStatus ss_shot_settle (SsShot *s, SsRunControl *control, bool *is_settled, SsError *err);
/* The motion of the best heights; NULL: it does not get there. */
SS_NODISCARD SsStatus ss_shot_motion (SsShot *s, SsTrajectory **motion, SsError *err);
