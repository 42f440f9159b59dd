/* engine/plan/ss-stages-play.h: a stage of contact, played in the steps and by the law of the plan. Private to the room
 * `plan`.
 *
 * A stage is references that hands track, phase after phase: in a phase each hand follows a way from rest to rest, at
 * two constant accelerations, and pushes with a force besides. Tracked motions, not stored forces, survive what
 * contacts do to them. Law: stewart-trinkle with gap=end, whose steps a time-stepping plan has; a stage with a step
 * that does not obey it is none.
 *
 * Threads  any, each with its own player. Tests: tests/numeric/test-contact-stages.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "dynamics/ss-dynamics.h"
#include "plan/ss-stages-hand.h"
#include "plan/ss-stages-way.h"
#include "simulate/ss-stewart-trinkle.h"

enum { SS_STAGE_PHASES = 10 };

/* Where a hand is held, and what it pushes with besides. */
typedef struct {
  SsVec2 at, force; /* [m], [N] */
  double load;      /* mass that it moves beside its own [kg] */
  double aside;     /* of its way, by steering [m] */
} SsHold;

/* How a push is steered while it lasts, seen from above: the hand goes aside so that the body keeps its way and turns
 * as asked. For a touch that sticks at (-a, y) of the body's centre, x forwards, quasi-static motion with an ellipsoid
 * as limit surface gives dtheta/ds = -(a t + y) / (c^2 + a^2 + y^2), t the tangent of the hand's direction (K. M.
 * Lynch, M. T. Mason, Stable pushing, Int. J. Robotics Res. 15 (1996)); without steering a push is unstable. */
typedef struct {
  int body;            /* that is pushed; -1: nothing is steered */
  SsVec2 from, normal; /* its centre and the outward normal of the face, at the start */
  SsVec2 along;        /* unit: the way of the push */
  double angle, turn;  /* of the body at the start, and asked over the way [rad] */
  double cone;         /* tangent of the hand's direction beside the normal, at most */
  double size;         /* c above [m] */
} SsSteer;

typedef struct {
  bool moves;   /* false: it stays as it was held */
  bool follows; /* the way is moved to where the hand is held */
  SsWay way;
  double rise; /* part of the time in which it gets faster; 0: half */
  SsSteer steer;
  SsVec2 force; /* at the end of the phase, linear in time until then */
  double load;
} SsHandPhase;

typedef struct {
  int steps;
  SsHandPhase hands[SS_HANDS];
} SsPhase;

typedef struct {
  int n;
  SsPhase phases[SS_STAGE_PHASES];
} SsStage;

/* Steps of all its phases. */
int ss_stage_steps (const SsStage *stage);

typedef struct {
  const SsScene *scene;
  const SsPlan *plan;
  double h; /* step of the plan [s] */
  int n_hands;
  SsStagesHand hands[SS_HANDS];
  SsStewartTrinkleOptions options;
  SsControls controls; /* owned */
  SsSimulation *simulation;
  SsDynamics *dynamics;
  double *force;   /* 3 n_bodies, owned */
  double *row;     /* owned */
  double *scratch; /* 9 n_bodies, owned: for who asks the dynamics */
  int n_channels;
  long n_steps; /* that were simulated */
} SsStagePlayer;

/* A scene without hands has no player: *out has n_hands 0. Release with ss_stage_player_clear in any case. */
SS_NODISCARD SsStatus ss_stage_player_open (const SsScenario *scenario, SsStagePlayer *out, SsError *err);
void ss_stage_player_clear (SsStagePlayer *player);
/* An empty motion with its channels. */
SS_NODISCARD SsStatus ss_stage_motion_new (const SsStagePlayer *player, int n_rows, SsTrajectory **out, SsError *err);

/* Plays the stage from the state in row[n_channels] on. holds[n_hands]: how the hands were held, and are afterwards.
 * Rows of its steps' starts go to `rows` (NULL: nowhere), the state at the end to end[n_channels]; *obeys: all of its
 * steps could be solved. */
SS_NODISCARD SsStatus ss_stage_play (SsStagePlayer *player, const SsStage *stage, const double *row, SsHold *holds,
                                     SsTrajectory *rows, double *end, bool *obeys, SsError *err);
/* Poses and velocities, 3 n_bodies each, from a row of a motion. */
void ss_stage_state (const SsStagePlayer *player, const double *row, double *q, double *v);
