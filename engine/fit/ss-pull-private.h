/* engine/fit/ss-pull-private.h: motions of a pull with their outcomes; what its files share. */
#pragma once

#include "fit/ss-pull.h"
#include "scene/ss-number.h"

/* A motion at values of the causes. */
typedef struct {
  double at[SS_PULL_CAUSES_MAX];
  bool is_made;                     /* there is a motion, and each outcome has a value */
  double values[SS_PULL_WANTS_MAX]; /* of the outcomes */
  bool has_slopes;
  double slopes[SS_PULL_WANTS_MAX * SS_PULL_CAUSES_MAX]; /* n_wants x n_causes; NaN: none */
  unsigned long sequence;                                /* of events, as a number; 0: no motion */
  bool is_simultaneous;                                  /* derivatives end where things happen at once */
  SsEventList *events;                                   /* owned; NULL: no motion */
  SsTrajectory *motion;                                  /* owned; likewise */
  bool lacks_outcome;                                    /* there is a motion without such an event */
  char why[320];                                         /* it is not made */
} SsPullPoint;

typedef struct {
  const SsPullJob *job;
  SsRunControl *control;
  int n, m;                                 /* causes, outcomes */
  bool follows;                             /* the integrator gives derivatives of its motions */
  bool is_exact;                            /* its motions follow their numbers without the jumps of steps */
  SsInterest *interests[SS_PULL_WANTS_MAX]; /* owned */
  SsPullOutcome outcomes[SS_PULL_WANTS_MAX];
  SsNumber numbers[SS_PULL_CAUSES_MAX];
  double size[SS_PULL_CAUSES_MAX];
  double lower[SS_PULL_CAUSES_MAX], upper[SS_PULL_CAUSES_MAX]; /* that they may have */
  double from[SS_PULL_CAUSES_MAX], to[SS_PULL_CAUSES_MAX];     /* where they are scanned */
  int n_simulations, most;
  SsOutcome early; /* SOLVED: it goes on */
} SsPullModel;

/* On failure (see ss_pull) the model is empty. */
SS_NODISCARD SsStatus ss_pull_model_init (SsPullModel *model, const SsPullJob *job, SsRunControl *control,
                                          SsError *err);
void ss_pull_model_clear (SsPullModel *model);
/* Whether the search has to end: cancelled, a limit, no simulations left. */
bool ss_pull_model_stops (SsPullModel *model);

/* The motion at these values, into an empty point; `with_slopes` bits of causes whose derivatives are wanted. Only
 * SS_ERR_MEMORY, and SS_ERR_INVALID of a formula that does not fit. */
SS_NODISCARD SsStatus ss_pull_point_make (SsPullModel *model, const double *at, unsigned with_slopes,
                                          SsPullPoint *point, SsError *err);
void ss_pull_point_clear (SsPullPoint *point); /* a zeroed one is allowed */
/* Frees what `to` has and moves `from` there, which is empty then. */
void ss_pull_point_move (SsPullPoint *to, SsPullPoint *from);
/* The scenario with these values, as text (ss_free). */
SS_NODISCARD SsStatus ss_pull_model_text (SsPullModel *model, const double *at, char **text, SsError *err);

/* Largest |f - want| / tolerance; INFINITY: no motion. Sum of squares of the same. */
double ss_pull_distance (const SsPullModel *model, const SsPullPoint *point);
double ss_pull_misfit (const SsPullModel *model, const SsPullPoint *point);
/* |D (p - p0)| */
double ss_pull_change (const SsPullModel *model, const double *at);
/* The first event by which two motions differ, of the one that has it; kind -1: none. */
void ss_pull_difference (const SsPullPoint *a, const SsPullPoint *b, int *kind, int *subject, double *t);
/* Whether an outcome jumps between two points that lie close together. */
bool ss_pull_jumps (const SsPullModel *model, const SsPullPoint *a, const SsPullPoint *b);

/* ---- ss-pull-newton.c -------------------------------------------------------------------------------------------- */

/* From `best`, a motion, to the wanted outcomes with the least change, by steps; `best` is the best motion met. */
SS_NODISCARD SsStatus ss_pull_walk (SsPullModel *model, SsPullPoint *best, SsError *err);
