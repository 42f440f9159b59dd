/* engine/scene/ss-interest-private.h: a formula that was read, for those who find its value (ss-interest.c reads,
 * ss-interest-value.c finds). */
#pragma once

#include "expr/ss-expr.h"
#include "scene/ss-interest-unit.h"
#include "scene/ss-interest.h"

/* Name, whether its argument is a formula of channels (else words of events). */
#define REDUCTIONS(X)                                                                                                  \
  X (FINAL, "final", true)                                                                                             \
  X (START, "start", true)                                                                                             \
  X (MAX, "max", true)                                                                                                 \
  X (MIN, "min", true)                                                                                                 \
  X (MEAN, "mean", true)                                                                                               \
  X (RMS, "rms", true)                                                                                                 \
  X (INTEGRAL, "integral", true)                                                                                       \
  X (ALWAYS, "always", true)                                                                                           \
  X (EVER, "ever", true)                                                                                               \
  X (COUNT, "count", false)                                                                                            \
  X (FIRST, "first", false)                                                                                            \
  X (LAST, "last", false)                                                                                              \
  X (NTH, "nth", false)

typedef enum {
#define X(id, name, of_channels) REDUCE_##id,
  REDUCTIONS (X)
#undef X
      N_REDUCTIONS
} Reduction;

bool ss_interest_is_judged (Reduction how); /* ALWAYS, EVER */
bool ss_interest_is_of_channels (Reduction how);

enum { PARTS_MOST = 64 };

typedef struct {
  Reduction how;
  char *text;      /* owned: the argument, a formula or words */
  bool is_impulse; /* of FIRST, LAST, NTH: else the time */
  int number;      /* of NTH, from 1 */
  double from, to; /* [s], of ALWAYS and EVER: rows between; infinite: no limit */
} Part;

struct SsInterest {
  char *outer; /* the formula with its reductions replaced by names */
  int n_parts;
  Part parts[PARTS_MOST];
  bool is_assertion;
};

/* What its names mean: channels of the motion, in the outer formula parts too. NULL motion: any name means something.
 */
typedef struct {
  SsGraph *graph;
  const SsTrajectory *motion;
  int n_parts;          /* slots 0 .. n_parts - 1; channels come behind, then one for names that may_be_added */
  bool is_asked_before; /* names that a method may add pass */
} Scope;

/* A formula of channels with what evaluates it. */
typedef struct {
  Scope scope;
  SsExpr e;
  SsDimension unit;
  SsDimension *units; /* of the slots */
  double *inputs, *memo;
  int *stamps, tick, n_slots;
} Formula;

/* `parts`: units of the parts, n_parts. `is_before`: see ss_interest_unit. Close it also after an error. */
SS_NODISCARD SsStatus ss_interest_formula_open (Formula *f, const char *text, const SsTrajectory *motion,
                                                const SsDimension *parts, int n_parts, bool is_before, SsError *err);
void ss_interest_formula_close (Formula *f);
/* In a row of a motion with the channels that it was opened with. */
double ss_interest_formula_value (Formula *f, const SsTrajectory *motion, int row);
