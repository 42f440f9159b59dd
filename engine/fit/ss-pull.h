/* engine/fit/ss-pull.h: outcomes that are pulled: numbers of a scene that give its motion an outcome.
 *
 * A pull has a scene, an integrator, wanted values of outcomes (scene/ss-interest.h: "final(ball.x)",
 * "first(impact ball floor).t") and numbers that may change (scene/ss-number.h). It looks for the least change
 *
 *     min |D (p - p0)|  such that  f_i (p) = want_i,  lower <= p <= upper,    D = 1 / size
 *
 * Steps      Levenberg-Marquardt on (f - want) / tolerance and a weak |D (p - p0)|, in the numbers that are at no bound
 *            (J. Nocedal, S. J. Wright, Numerical Optimization (2006), section 10.3). Derivatives are those of the
 *            motion through its events (simulate/ss-sensitivity.h) where the integrator follows them, else differences.
 * Sequences  Where steps fail, since the outcome jumps, bends or stays with the sequence of events, each number alone
 *            is scanned over its range: Newton steps between two motions of which one has more than is wanted and one
 *            less, halved where they leave the bracket (W. H. Press et al., Numerical Recipes (2007), section 9.4).
 * Verdict    is that of the scenario's text with the found numbers, simulated anew.
 *
 * Sizes      of a number: a place 1 m, an angle 1 rad, a speed that of its body but 1 m/s or rad/s at least, any other
 *            itself (1 where it is 0).
 * Range      where it is looked for: what is asked for, else two sizes to both sides within what it may be.
 * SI units. Threads: one pull a thread; `control` may cancel it from any. Tests: tests/numeric/test-pull.c */
#pragma once

#include "fit/ss-fit.h"
#include "scene/ss-interest.h"

enum { SS_PULL_CAUSES_MAX = 16, SS_PULL_WANTS_MAX = 16 };

typedef SsFitFree SsPullCause; /* of a number of the scenario */

typedef struct {
  const char *formula;
  double value;
  double tolerance; /* NaN: 1e-6 of the value, of 1 at least; of time steppers 1e-3 */
} SsPullWant;

typedef struct SsReach SsReach;

/* All borrowed. */
typedef struct {
  const SsScenario *scenario; /* of a scene */
  const SsMethod *method;     /* an integrator */
  const void *options;        /* its options struct */
  double dt, t_end;           /* [s]; NaN: the scenario's */
  int n_causes;
  const SsPullCause *causes;
  int n_wants;
  const SsPullWant *wants;
  const double *from; /* n_causes: where the search begins; NULL: as the scenario is. p0 is the scenario's always */
  bool is_quick;      /* steps from there alone, no scan: what is not reached is told as EARLY */
  bool wants_others;  /* other causes of the same are looked for as well */
  int most;           /* simulations; 0: 400 */
} SsPullJob;

/* Why it is not reached: identifier, name in files, what it means. */
#define SS_PULL_STOP_LIST(X)                                                                                           \
  X (NONE, "none", "it is reached")                                                                                    \
  X (BOUND, "bound", "a number is at the end of its range")                                                            \
  X (HELD, "held", "more of it changes nothing: a contact holds the motion")                                           \
  X (NO_DEPENDENCE, "no-dependence", "the outcome does not depend on what may change")                                 \
  X (JUMP, "jump", "the sequence of contacts changes there, and the outcome jumps over what is wanted")                \
  X (SEVERAL, "several", "things happen at once there: which comes first turns with the value, and so the outcome")    \
  X (TURN, "turn", "the outcome turns back there")                                                                     \
  X (FAILED, "failed", "there is no motion beyond")                                                                    \
  X (NO_OUTCOME, "no-outcome", "the motion has no such event")                                                         \
  X (EARLY, "early", "the search was ended")

typedef enum {
#define X(id, name, meaning) SS_PULL_##id,
  SS_PULL_STOP_LIST (X)
#undef X
      SS_PULL_N_STOPS
} SsPullStop;
/* Static texts. */
const char *ss_pull_stop_name (SsPullStop stop);
const char *ss_pull_stop_meaning (SsPullStop stop);

typedef struct {
  char name[SS_FIT_NAME_MAX];
  double was, value;
  double lower, upper; /* that it may have; infinite: no limit */
  double size;
  bool is_at_bound;
} SsPullChange;

typedef struct {
  char formula[256], unit[SS_INTEREST_UNIT];
  double want, tolerance, was, value; /* NaN: there is none */
} SsPullOutcome;

/* Another motion with the wanted outcomes. */
typedef struct {
  double values[SS_PULL_CAUSES_MAX];
  double change;       /* |D (p - p0)| */
  SsEventList *events; /* owned */
} SsPullOther;

typedef struct {
  bool is_reached;
  SsPullStop stop;
  /* Of a stop: the cause (-1: several, or none) and its value there, the outcome on both sides of it where it jumps
   * (NaN: none), the event that differs there, or that holds (kind -1: none is known), why there is no motion. */
  int cause;
  double at, less, more;
  int event_kind, event_subject;
  double event_time;
  char why[320];
  SsOutcome outcome; /* SOLVED; early ends */
  int n_causes, n_wants, n_others;
  SsPullChange changes[SS_PULL_CAUSES_MAX];
  SsPullOutcome outcomes[SS_PULL_WANTS_MAX];
  double slopes[SS_PULL_WANTS_MAX * SS_PULL_CAUSES_MAX]; /* n_wants x n_causes, at the end; NaN: none */
  double change;                                         /* |D (p - p0)| */
  SsEventList *before, *now;                             /* owned; of both motions; NULL: there is none */
  bool has_same_sequence;
  SsTrajectory *motion; /* owned; that of the answer; NULL: none */
  SsPullOther *others;  /* owned; by their changes */
  char *scenario;       /* owned (ss_free); the file with the found numbers */
  int n_simulations, n_scanned;
  double cpu_seconds;
} SsPull;

/* SS_ERR_INVALID: an unknown number, a formula that does not fit, no motion with p0; the message says which. On failure
 * *pull is empty. */
SS_NODISCARD SsStatus ss_pull (const SsPullJob *job, SsRunControl *control, SsPull *pull, SsError *err);
void ss_pull_clear (SsPull *pull); /* a zeroed one is allowed */

/* ---- what can be reached ----------------------------------------------------------------------------------------- */

typedef struct {
  double at;                        /* value of the cause */
  double values[SS_PULL_WANTS_MAX]; /* of the outcomes; NaN: there is none */
  double slopes[SS_PULL_WANTS_MAX]; /* by the cause; NaN: none */
  int sequence;                     /* -1: there is no motion */
} SsReachPoint;

/* Where the sequence changes, to 1e-6 of the range: between the points `point` and `point` + 1, which stand there. */
typedef struct {
  int point;
  bool is_jump;                  /* an outcome jumps */
  int event_kind, event_subject; /* that differs; -1: none is known */
  double event_time;
} SsReachEdge;

struct SsReach {
  char name[SS_FIT_NAME_MAX];
  double lower, upper, was;
  int n_wants, n_points, n_sequences, n_edges;
  SsPullOutcome outcomes[SS_PULL_WANTS_MAX]; /* `was` and `value`: as the scenario is */
  SsReachPoint *points;                      /* owned, as all; ascending */
  SsEventList **sequences;                   /* of the first point of each */
  SsReachEdge *edges;
  int n_simulations;
  double cpu_seconds;
};

/* The outcomes of the job over the range of its cause number `cause`, at `n_points` evenly and where sequences change.
 * Errors as of ss_pull. What ends early has the points so far. */
SS_NODISCARD SsStatus ss_reach (const SsPullJob *job, int cause, int n_points, SsRunControl *control, SsReach *reach,
                                SsError *err);
void ss_reach_clear (SsReach *reach); /* a zeroed one is allowed */
