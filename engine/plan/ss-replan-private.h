/* engine/plan/ss-replan-private.h: what the files of re-planning share (ss-replan.c: problem and deadline;
 * ss-replan-start.c, ss-replan-ways.c: where a plan starts from). */
#pragma once

#include "mpcc/ss-problem.h"
#include "nlp/ss-nlp.h"
#include "plan/ss-plan-rest.h"
#include "plan/ss-replan.h"
#include "simulate/ss-stewart-trinkle.h"
#include "transcribe/ss-transcribe.h"
#include "simulate/ss-simulate.h"

enum { SS_REPLAN_SEARCHES = 2 };

struct SsReplan {
  SsReplanOptions options;
  /* The scenario with the start and the targets of now: copies of what changes. */
  SsScenario scenario;
  SsScene scene;
  SsBody *bodies;
  SsPlan plan;
  SsPlanTarget *targets;
  double h; /* [s] */
  double setup_seconds;

  SsTranscript *transcript;
  SsMpcc *mpcc;
  SsMpccEval *eval; /* for the merit of starting points */
  double *parameters;
  const SsNlpClass *nlp;
  void *first[SS_REPLAN_SEARCHES], *warm; /* solvers */
  int n, n_rows;

  bool has_plan;
  int look; /* of a first plan: 0 from standing still, else from ways drawn by this seed */
  double t; /* of the plan that acts */
  /* n: the plan that acts; where the next may start from: its shift, the best motion of controls from here; scratch */
  double *x, *shifted, *rolled, *tried;
  double *unfinished; /* n: what the solver had at a deadline, where that was no motion */
  bool has_unfinished;
  double t_unfinished;
  double *rows;                 /* n_rows */
  int *start_of;                /* of a point's variables: the parameter that is its start; -1: none */
  int *pose, *control;          /* variables of a point: 3 n_bodies (-1: the body's own number), n_actuators */
  SsControls controls, offered; /* look_ahead rows */
  bool has_offer;
  int n_stuck;       /* plans in a row that came no nearer */
  double stuck_from; /* what the first of them is off by, 1: near; 0: none is */

  SsSimulation *simulation;
  SsStewartTrinkleOptions simulation_options;
  SsTrajectory *motion; /* of the roll-out; look_ahead + 1 rows */
  double *row;
};

/* A starting point, its merit and its largest violation. x NULL: there is none. */
typedef struct {
  const double *x;
  double merit, violation;
  bool is_offered;
} SsReplanStart;

SS_NODISCARD SsStatus ss_replan_start_new (SsReplan *r, SsError *err);
void ss_replan_start_free (SsReplan *r);
/* The better of the shifted plan and the motion of its controls, or of offered ones; *rolled: the latter. Where there
 * is no plan yet, the model's own guess, in `shifted`. `t`: now; the scene has the state. */
SS_NODISCARD SsStatus ss_replan_find_start (SsReplan *r, double t, SsReplanStart *best, SsReplanStart *rolled,
                                            SsError *err);
/* The motion of a drawn way that comes nearer to the targets than the present state, into x [n]; where none does x
 * stays as it is. Until the control says stop; `offered` is scratch. */
SS_NODISCARD SsStatus ss_replan_find_way (SsReplan *r, double t, SsRunControl *control, double *x, SsError *err);
/* The simulation, and its first row, at the present state and time t; its state is returned. Then a step of a plan and
 * its row, under the controls that the simulation has; false: it fails. */
const SsSimState *ss_replan_begin_motion (SsReplan *r, double t);
bool ss_replan_step_motion (SsReplan *r);
/* The motion of controls from the present state at time t, into `tried`. SS_ERR_INVALID: a step fails. */
SS_NODISCARD SsStatus ss_replan_follow_controls (SsReplan *r, const SsControls *controls, double t, SsError *err);
/* Objective, largest violation and merit of a point. */
void ss_replan_judge (SsReplan *r, const double *x, double *objective, double *violation, double *merit);
