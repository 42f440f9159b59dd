/* engine/fit/ss-fit.h: numbers of a scene from measured motions.
 *
 * A fit has a scene, an integrator, one table a trial (times and some coordinates of bodies, with gaps), and names of
 * what is unknown. It minimises a robust loss over whole simulations (fit/ss-fit-solve.h), from several starts, since
 * the loss has valleys where the sequence of impacts changes. It then says of each unknown whether these data tell it:
 *   standard errors    Huber's sandwich, K (J' S^-2 J)^-1 with K = (sum psi^2 / (n - p)) / mean(psi')^2 (P. J. Huber,
 *                      Robust Statistics, 1981, eq. 7.6.5), larger by (1 + r) / (1 - r) where residuals that follow
 *                      each other are correlated by r
 *   profiles           the least loss over all other unknowns, with one of them held: what the loss allows by
 *                      2 dF / K <= 3.84 is the 95 % set, also where it ends on one side only
 *   verdict            residuals beside the noise of the data, which follows from the data alone: four samples that
 *                      follow each other are fitted by a parabola, which any motion is for so short a time
 * A model that does not fit gets no intervals.
 *
 * SI units; angles [rad] are not wrapped. Threads: one fit a thread; `control` may cancel it from any. Progress: an
 * iteration a step (loss, rms) and the unknowns as iterate, in the order of the estimates; `told` of the job has
 * what the motion is then.
 * Tests: tests/numeric/test-fit.c, tests/numeric/test-fit-told.c */
#pragma once

#include "fit/ss-fit-loss.h"
#include "run/ss-run.h"

enum { SS_FIT_NAME_MAX = 96, SS_FIT_TRIALS_MAX = 64, SS_FIT_UNKNOWNS_MAX = 128, SS_FIT_ROWS_MIN = 5 };

/* What is unknown: a number of the scenario (scene/ss-number.h), or one of the measurement. */
typedef struct {
  /* A start (`box.x`) is one unknown a trial; `start`: those of all measured coordinates and their rates.
   * `time_offset`: the measured time at which the motion begins [s], one a trial. `scale`: what measured lengths are
   * larger than true ones by. */
  const char *name;
  double lower, upper; /* NaN: as the scenario says */
} SsFitFree;

/* A measured value beside its prediction. */
typedef struct {
  int trial, row, residual; /* row of the table; index of its channel's residuals */
  double t, measured, predicted;
} SsFitValue;

/* Where a fit is, after each step from a start to its minimum; not within profiles. Borrowed for the call. */
typedef struct {
  int start, step;     /* which of those that are followed, from 0; from 0 in each */
  double loss, spread; /* the geometric mean of all values' deviations, what falls as a fit converges */
  int n_values, n_channels;
  const SsFitValue *values;                /* in the order of the result's */
  const char (*channels)[SS_FIT_NAME_MAX]; /* by SsFitValue.residual */
} SsFitStep;
typedef void (*SsFitTold) (void *user_data, const SsFitStep *step); /* on the fit's thread */

typedef struct {
  /* All borrowed. */
  const SsScenario *scenario; /* of a scene */
  const SsMethod *method;     /* an integrator */
  const void *options;        /* its options struct */
  double dt;                  /* [s]; NaN: the scenario's */
  int n_trials;
  /* Tables: t, and columns that are called as a body's channels (`box.x`); NaN: not measured there. Others are not
   * read. */
  const SsTrajectory *const *trials;
  const char *const *names; /* n_trials, of files, for messages; NULL: "trial 1" */
  int n_free;
  const SsFitFree *free;
  SsFitLoss loss;
  int n_starts; /* at most that many starts are looked at; 0: as many as usual */
  int n_profiles;
  const char *const *profiles; /* unknowns whose profile is wanted besides those that need one */
  SsFitTold told;              /* NULL: nobody listens */
  void *told_data;
} SsFitJob;

/* GOOD: residuals are noise. DOUBTFUL: larger than the noise or with a pattern, intervals are too short. POOR: the
 * model does not fit, there are no intervals. */
#define SS_FIT_VERDICT_LIST(X) X (GOOD, "good") X (DOUBTFUL, "doubtful") X (POOR, "poor")
typedef enum {
#define X(id, name) SS_FIT_##id,
  SS_FIT_VERDICT_LIST (X)
#undef X
} SsFitVerdict;
const char *ss_fit_verdict_name (SsFitVerdict verdict); /* static */

/* An unknown of the fit, and what the data tell of it. */
typedef struct {
  char name[SS_FIT_NAME_MAX]; /* as in SsFitFree */
  int trial;                  /* from 0; -1: of all */
  double value;
  double standard_error; /* NaN: none */
  double lower, upper;   /* 95 % interval; NaN: none */
  double from, to;       /* where it was looked for */
  bool is_identifiable;  /* whether the data bound it from both sides, within what it may be */
  /* Where they do not: the bound that they tell; NaN: none */
  double at_least, at_most;
  char why[320]; /* where it is not identifiable; else "" */
} SsFitEstimate;

/* A channel's residuals over all trials; lengths in the measurement's unit. */
typedef struct {
  char name[SS_FIT_NAME_MAX];
  int n_values;
  double rms, scale; /* root mean square of all; robust deviation (ss_fit_scale) */
  double noise;      /* deviation of the noise by the data alone; NaN: not known */
  double range;      /* of the measured values */
  double pattern;    /* correlation of residuals that follow each other */
  double outliers;   /* share of those beyond 4 scales */
} SsFitResidual;

/* The least loss over the other unknowns. */
typedef struct {
  int estimate; /* index */
  int n;
  double *values, *losses; /* owned; ascending; 2 dF / K above the best; INFINITY: no motion */
} SsFitProfile;

typedef struct {
  /* SOLVED; MAX_ITERATIONS, STALLED; CANCELLED and other early ends: the best so far, without errors */
  SsOutcome outcome;
  SsFitVerdict verdict;
  char message[512]; /* what is to be known, in a sentence or two */
  int n_estimates, n_residuals, n_profiles, n_values, n_trials;
  SsFitEstimate *estimates; /* owned, as all below */
  double *correlation;      /* n_estimates x n_estimates; NaN where one of the two is not identifiable */
  SsFitResidual *residuals;
  SsFitProfile *profiles;
  SsFitValue *values;
  char **scenarios;                   /* a trial: the scenario with the fitted numbers, as a file (ss_free) */
  double loss;                        /* sum rho (residual / scale) */
  double criterion;                   /* BIC: 2 loss + p ln n (robust: E. Ronchetti, Statist. Probab. Lett. 3 (1985)) */
  int n_steps, n_starts, n_sequences; /* starts looked at; event sequences among them */
  int n_simulations;
  double cpu_seconds;
} SsFitResult;

/* SS_ERR_INVALID for what cannot be fitted: no column of the scene, too few rows, an unknown name. On failure *result
 * is empty. `control` may be NULL. */
SS_NODISCARD SsStatus ss_fit (const SsFitJob *job, SsRunControl *control, SsFitResult *result, SsError *err);
void ss_fit_result_clear (SsFitResult *result); /* a zeroed one is allowed */
/* BIC of `other` less that of `base`, both by the scales of the one that fits better: below 0, the data are for
 * `other`; beyond 10, strongly (R. E. Kass, A. E. Raftery, J. Amer. Statist. Assoc. 90 (1995)). Of the same data; NaN
 * otherwise. */
double ss_fit_compare (const SsFitResult *base, const SsFitResult *other, SsFitLoss loss);
