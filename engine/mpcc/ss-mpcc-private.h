/* engine/mpcc/ss-mpcc-private.h: the built problem as the two files ss-mpcc-build.c (writes it) and ss-mpcc.c
 * (evaluates it) see it, and what ss-mpcc-builder.c gathers for it.
 *
 * A group is one template with all its instances. A scatter is one tape of a group and the place of each of its
 * outputs: output o of instance i is added to element target[o * n_instances + i] of a result array (-1 drops it).
 * Local slots of a group's tapes: variables, the instance's constants, (Lagrangian tapes only) multipliers, then the
 * uniform parameters.
 */
#pragma once

#include "mpcc/ss-mpcc.h"

/* Instances evaluated together: inputs and outputs of a chunk stay in the first cache, and the work arrays are
 * small. */
enum { SS_MPCC_CHUNK = 4 * SS_TAPE_LANES };

/* An off-diagonal Hessian entry of a template whose two inputs are one variable counts twice on the diagonal. */
typedef struct {
  int instance, output, target;
} SsExtraTarget;

typedef struct {
  SsTape *tape; /* NULL: no outputs */
  int n_outputs;
  int *target;
  bool *dense; /* per output: no -1 among its targets */
  int n_used;  /* variable inputs the tape reads */
  int *used;
  int n_extra;
  SsExtraTarget *extra; /* by ascending instance */
} SsScatter;

typedef struct {
  bool is_cost;
  int n_inputs, n_constants, n_instances;
  int *gather;                             /* [input * n_instances + instance] */
  double *constants;                       /* [constant * n_instances + instance] */
  SsScatter value;                         /* rows; for a cost its terms (no targets: they are summed) */
  SsScatter slope_constant, slope_varying; /* Jacobian entries; for a cost gradient entries */
  /* cost: entries of the objective's Hessian; rows: bend_varying weighted by multipliers */
  SsScatter bend_constant, bend_varying;
  SsScatter intercept; /* of the rows that are bounds: their formulas at 0 */
  int n_multipliers;   /* of the Lagrangian tape */
  int *multiplier_row; /* [multiplier * n_instances + instance], -1 dropped */
} SsGroup;

struct SsMpcc {
  SsArena *arena; /* everything but tapes and patterns */
  int n_variables, n_parameters, n_equalities, n_inequalities;
  int n_groups;
  SsGroup *groups;
  int n_pairs;
  SsMpccPair *pairs;
  SsPattern jacobian, objective_hessian, lagrangian_hessian;
  int *objective_in_lagrangian; /* place of each objective Hessian entry */
  double *jacobian_constant, *gradient_constant, *objective_hessian_constant;
  double *parameters;
  double objective_scale; /* of values and derivatives; 1 unless it was set */
  bool *row_affine;
  int n_bounds;
  SsMpccBound *bounds;
  double *intercept;     /* n_rows, 0 but for bounds; NULL without bounds */
  double *lower, *upper; /* n_variables */
  size_t *name_start;
  char *names;
  size_t in_size, out_size, work_size; /* doubles of an evaluator */
  double *in, *out, *work;             /* of ss_mpcc_set_parameters */
};

struct SsMpccEval {
  const SsMpcc *mpcc;
  double *in, *out, *work;
  double *objective_hessian; /* scratch of the Lagrangian's */
};

/* One added template; tables are stored by input, constant and formula first, instance last. */
typedef struct {
  bool is_cost;
  SsRowKind kind;
  char *name;
  int first_instance, instance_stride; /* of the numbers in row names */
  int n_inputs, n_constants, n_formulas, n_instances;
  SsExpr *formulas;
  char **formula_names; /* NULL: the index */
  int *gather;
  double *constants;
  int *rows; /* of its kind, -1 dropped; NULL for a cost */
} SsMpccAdded;

struct SsMpccBuilder {
  SsArena *arena;
  SsGraph *graph;
  int n_variables, n_parameters;
  int n_added, added_capacity;
  SsMpccAdded *added;
  int n_rows[2]; /* by SsRowKind */
  int n_pairs, pairs_capacity;
  SsMpccPair *pairs;
};

/* ss-mpcc-builder.c: "contact[17].nonnegative[3]" and a zero byte, appended; with buffer NULL only counted.
 * Returns where it ends. */
size_t ss_mpcc_put_row_name (char *buffer, size_t at, const SsMpccAdded *added, int formula, int instance);
