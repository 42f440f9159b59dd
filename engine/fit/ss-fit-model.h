/* engine/fit/ss-fit-model.h: predictions of measured motions by simulations, as a problem of ss-fit-solve.h.
 *
 * Derivatives are those that the integrator follows (simulate/ss-sensitivity.h); differences of whole simulations, one
 * more of each trial that an unknown concerns, by other integrators, where a derivative ends, at a bound, and where
 * errors follow from them. Private to the room. */
#pragma once

#include "fit/ss-fit-solve.h"
#include "fit/ss-fit.h"
#include "scene/ss-number.h"
#include "simulate/ss-sensitivity.h"

typedef enum { SS_UNKNOWN_NUMBER, SS_UNKNOWN_START, SS_UNKNOWN_OFFSET, SS_UNKNOWN_SCALE } SsFitUnknownKind;

typedef struct {
  char name[SS_FIT_NAME_MAX];
  SsFitUnknownKind kind;
  int trial;            /* -1: of all */
  int body, coordinate; /* START */
  double start;         /* as the scenario has it */
  double lower, upper;  /* that it may have */
  double from, to;      /* where starts and profiles look: finite */
  double size;          /* a large step */
} SsFitUnknown;

typedef struct {
  int trial, row;
  double t;
  int body, coordinate; /* of the channel */
  int group;
} SsFitCell;

/* What the simulation of a trial told of derivatives. */
typedef struct {
  int n;
  int unknowns[SS_FIT_UNKNOWNS_MAX]; /* n: by input */
  const char *names[SS_FIT_UNKNOWNS_MAX];
  SsSensitivity *sensitivity; /* owned, as the events */
  SsEventList *events;
} SsFitFollowed;

typedef struct {
  const SsFitJob *job;
  int n_unknowns, n_values, n_groups;
  SsFitUnknown *unknowns; /* owned, as all below */
  SsFitCell *cells;       /* by trial, then by row */
  double *measured;
  int *groups;
  char (*group_names)[SS_FIT_NAME_MAX];
  double *ranges, *least;        /* n_groups: of measured values */
  double *lower, *upper, *size;  /* n_unknowns: for the solver */
  int *first;                    /* n_trials + 1: cells of a trial */
  SsTrajectory **motions;        /* n_trials: of the last prediction */
  double *work;                  /* n_values */
  SsOverride *numbers;           /* n_unknowns */
  bool is_central;               /* differences to both sides, of all unknowns */
  SsRunControl *control;         /* borrowed; may be NULL */
  unsigned long sequence;        /* of the last prediction: a number of its events in their order */
  int n_simulations, n_followed; /* starts, for those who listen */
  SsFitValue *told;              /* n_values; NULL: nobody listens */
  char reason[320];              /* why the last motion was not made */
} SsFitModel;

/* Reads the tables and names. On failure (see ss_fit) the model is empty. */
SS_NODISCARD SsStatus ss_fit_model_init (SsFitModel *model, const SsFitJob *job, SsRunControl *control, SsError *err);
void ss_fit_model_clear (SsFitModel *model);
/* What was measured, predicted NaN. */
SsFitValue ss_fit_model_value (const SsFitModel *model, int value);
/* Borrows the model. */
SsFitProblem ss_fit_model_problem (SsFitModel *model);
/* The scenario of a trial with these unknowns, as text (ss_free). */
SS_NODISCARD SsStatus ss_fit_model_text (SsFitModel *model, const double *unknowns, int trial, char **text,
                                         SsError *err);

/* ---- ss-fit-slopes.c --------------------------------------------------------------------------------------------- */

/* Derivatives of a trial's values by an input of its simulation, into the column of its unknown. false: they end. */
bool ss_fit_slopes_read (const SsFitModel *model, const SsFitFollowed *followed, int input, int trial, double offset,
                         double scale, double *jacobian);

/* ---- ss-fit-start.c ---------------------------------------------------------------------------------------------- */

/* Starts to look at: count x n_unknowns into `starts`, which has room for `most`; the first one is the scenario's
 * numbers with starts of bodies from the first measured rows. Returns how many. */
int ss_fit_starts (const SsFitModel *model, int most, double *starts);

/* ---- ss-fit-verdict.c -------------------------------------------------------------------------------------------- */

/* Residuals of all channels at the point, into result->residuals (n_groups, allocated), and the verdict. */
void ss_fit_judge (const SsFitModel *model, const SsFitPoint *point, double *work, SsFitResult *result);

/* ---- ss-fit-estimate.c ------------------------------------------------------------------------------------------- */

typedef struct {
  double *covariance; /* n_unknowns x n_unknowns */
  bool *is_weak;      /* n_unknowns: data tell less of it than where it is looked for */
  bool *is_traded;    /* n_unknowns: weak since others make up for it: by itself it would be told */
  double *alone;      /* n_unknowns: standard error were all others known */
  double factor;      /* Huber's K */
  double quantile;    /* Student's */
  /* Of a scale of lengths that is believed: its standard error, were it free; NaN: it is free, or nothing measured is a
   * length. by_scale[n_unknowns]: by how much unknowns move with it. */
  double scale_error;
  double *by_scale;
} SsFitErrors;

/* From the point's Jacobian. `errors` has room. */
SS_NODISCARD SsStatus ss_fit_errors (const SsFitModel *model, const SsFitPoint *point, const SsFitResult *result,
                                     SsFitErrors *errors, SsError *err);
/* Adds to the message where numbers of the scene follow the scale of lengths, and the data do not tell it. */
void ss_fit_doubt_scale (const SsFitModel *model, const SsFitErrors *errors, SsFitResult *result);

/* ---- ss-fit-profile.c -------------------------------------------------------------------------------------------- */

/* What the loss says of one unknown, all others free. */
typedef struct {
  double lower, upper;       /* 95 % set about the best value */
  bool has_lower, has_upper; /* whether the loss ends the set there; false: it reaches where nobody looks further */
  SsFitProfile curve;        /* owned by the caller */
  double least;              /* the least 2 dF / K on the way, 0 or below: where that is, there is a better point */
  double *better;            /* n_unknowns, of the caller: it */
} SsFitProfiled;

/* `best` is where the loss is least; it stays. What ends early leaves the sides open: *why. */
SS_NODISCARD SsStatus ss_fit_profile (SsFitModel *model, const SsFitPoint *best, const SsFitErrors *errors, int unknown,
                                      SsFitProfiled *out, SsError *err);
