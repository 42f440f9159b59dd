/* engine/nlp/ss-bounds.h: rows that bound one variable, taken as bounds by a solver. Private to the room `nlp`.
 *
 * A bound is kept by every iterate, a row only by the answer. Which rows become bounds is the option `bounds` of the
 * solvers. Numbers follow the parameters of the mpcc: they are read at the start of each solve.
 */
#pragma once

#include "mpcc/ss-mpcc.h"

typedef enum {
  SS_BOUNDS_EXACT,    /* every row that can be one                                               */
  SS_BOUNDS_UNPAIRED, /* all but the sides a >= 0, b >= 0 of complementary pairs, which stay rows */
  SS_BOUNDS_ROWS      /* none                                                                    */
} SsBoundsChoice;

/* "exact", "unpaired", "rows", NULL: values of the option. */
extern const char *const ss_bounds_choices[4];

typedef struct {
  const SsMpcc *mpcc;             /* borrowed                                                              */
  int n_taken;                    /* rows that are bounds                                                  */
  bool *is_taken;                 /* n_rows                                                                */
  double *lower, *upper;          /* n: -INFINITY, INFINITY where there are none; lower <= upper           */
  int *lower_bound, *upper_bound; /* n: which of ss_mpcc_bounds gives it, -1: none                         */
} SsBounds;

/* Decides by formulas alone; numbers are those of ss_bounds_update. After an error there is nothing to clear. */
SS_NODISCARD SsStatus ss_bounds_init (SsBounds *bounds, const SsMpcc *mpcc, SsBoundsChoice choice, SsError *err);
void ss_bounds_clear (SsBounds *bounds);
/* Reads the present numbers. False when they leave no value to a variable: `message` names the rows. Bounds that cross
 * by rounding only are equal afterwards. No allocation. */
bool ss_bounds_update (SsBounds *bounds, char *message, size_t size);
/* The nearest point within the bounds. */
void ss_bounds_project (const SsBounds *bounds, double *x);
/* Writes the multipliers of the rows that are bounds (y >= 0, gradient J - J_c' y = 0) from those of the variables'
 * bounds, both >= 0: the tightest row of a variable has it, the others have 0. Other rows are left alone. */
void ss_bounds_multipliers (const SsBounds *bounds, const double *at_lower, const double *at_upper, double *y);
