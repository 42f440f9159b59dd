/* engine/fesd/ss-fesd-element-private.h: what the files of an element share: element (modes, rows, islands), equations,
 * newton, project. The method: ss-fesd-element.h. */
#pragma once

#include "fesd/ss-fesd-element.h"

enum { SS_FESD_STAGES = SS_TABLEAU_STAGES_MAX };

/* What is added to the matrix of redundant rows, in units of a row's own; the error of a Newton step shrinks by this
 * factor. */
static const double ss_fesd_redundancy = 1e-7;

typedef struct {
  int n, m;                        /* coordinates, rows */
  int first_coordinate, first_row; /* in the lists sorted by island */
  size_t matrix;                   /* place of its matrix */
  int pivot, rhs;                  /* places in the work arrays */
  int band;                        /* of the exact matrix, to either side; 0: it is dense */
  bool is_trivial;                 /* no rows, no force that depends on the state */
  bool is_redundant;
  int rank;           /* of its matrix; 0: it was factored as one of full rank */
  bool is_simplified; /* solved with one Jacobian for all stages */
  bool is_done, is_factored;
  int steps;
  double last;
  double ratio; /* of steps, above which the exact matrix is cheaper */
  double noise; /* what one rounding of the rows does to the velocities, where it is known */
} SsFesdIsland;

struct SsFesdElement {
  SsFesdSystem *system; /* borrowed */
  SsTableau tableau;
  int s;
  double a2[SS_FESD_STAGES][SS_FESD_STAGES]; /* a a: positions of stages by accelerations */
  double ba[SS_FESD_STAGES];                 /* b' a: of the end */
  double a_inverse[SS_FESD_STAGES][SS_FESD_STAGES];
  const double *offset; /* n_items, borrowed */
  double t0, h;
  double *q0, *v0;      /* n_q */
  double *q, *v;        /* (s + 1) n_q: stages, then the end */
  double *acceleration; /* s n_free */
  double *lambda_b;     /* n_rows of the system: of one stage, for the tape */
  double *given;        /* n_rows of the system: forces of drives that slip */
  double *guess_a, *guess_n, *guess_t, *guess_b;
  bool has_guess;
  /* rows of the modes */
  int n_rows, rows_capacity;
  SsFesdRow *rows;
  int *row_order;    /* sorted by island */
  SsFesdPointAt *at; /* s n_rows */
  double *lambda;    /* n_rows s: row major */
  int *item_row;     /* n_items: its NORMAL or LIMIT row, -1 */
  int *j_first;      /* n_rows of system + 1: entries of a joint row in system->j */
  int *swing_first;  /* likewise in system->swing */
  bool *is_stateful; /* n_free: its force depends on the state */
  /* islands */
  int n_islands;
  SsFesdIsland *islands;  /* n_free */
  int *parent;            /* n_free: union-find */
  int *island_of, *local; /* n_free */
  int *coordinates;       /* n_free, by island */
  int *place;             /* by island, of its coordinates and rows: where they are in a band */
  int place_capacity;
  int *band_work;
  size_t band_capacity;
  double *matrix;
  size_t matrix_capacity;
  double *rhs;
  double *factor; /* 2 numbers a pivot: of matrices without full rank */
  int *pivot;
  size_t work_capacity;
  long iterations;
};

/* ---- ss-fesd-equations.c ----------------------------------------------------------------------------------------- */

/* The guess as accelerations and forces of all stages. */
void ss_fesd_element_use_guess (SsFesdElement *e);
/* Poses and velocities of stage j, or of the end (j = s), from the accelerations. */
void ss_fesd_element_set_state (SsFesdElement *e, int j);
/* The tape and the contact points at all stages. */
void ss_fesd_element_evaluate (SsFesdElement *e);
/* J v of a row at a stage, prescribed motions included; its gap there. */
double ss_fesd_element_rate (const SsFesdElement *e, int row, int stage, const double *v);
double ss_fesd_element_gap (const SsFesdElement *e, int row, int stage);
/* Minus the residuals of all coordinates (accelerations) and rows (rates over h) into the islands' right sides. */
void ss_fesd_element_set_residuals (SsFesdElement *e);
/* Unit of each row's force: what one of it does to the row, at the first stage. */
void ss_fesd_element_set_weights (SsFesdElement *e);

/* ---- of a row at a stage ----------------------------------------------------------------------------------------- */

static inline const SsFesdPointAt *
ss_fesd_row_point (const SsFesdElement *e, int row, int stage)
{
  return &e->at[(e->rows[row].kind == SS_FESD_ROW_STICK ? row - 1 : row) * e->s + stage];
}

static inline double
ss_fesd_row_jacobian (const SsFesdElement *e, int i, int stage, int k)
{
  const SsFesdRow *row = &e->rows[i];
  if (row->kind == SS_FESD_ROW_NORMAL)
    return ss_fesd_row_point (e, i, stage)->jn[row->source[k]];
  if (row->kind == SS_FESD_ROW_STICK)
    return ss_fesd_row_point (e, i, stage)->jt[row->source[k]];
  return ss_fesd_system_output (e->system, row->source[k], stage);
}

/* Direction in which the row's force acts. */
static inline double
ss_fesd_row_push (const SsFesdElement *e, int i, int stage, int k)
{
  const SsFesdRow *row = &e->rows[i];
  if (row->kind != SS_FESD_ROW_NORMAL)
    return ss_fesd_row_jacobian (e, i, stage, k);
  const SsFesdPointAt *at = ss_fesd_row_point (e, i, stage);
  return at->jn[row->source[k]] + row->friction * at->jt[row->source[k]];
}

/* ---- ss-fesd-simplified.c ---------------------------------------------------------------------------------------- */

/* Whether the factors of ss_fesd_simplified_factor find place where the island's matrix has its own. */
bool ss_fesd_simplified_fits (const SsFesdElement *e, const SsFesdIsland *island);
/* Factors for the steps to come, from what was evaluated; sets is_redundant. False: it cannot. */
bool ss_fesd_simplified_factor (SsFesdElement *e, SsFesdIsland *island);
/* The step of the simplified Newton method in the place of the island's right-hand side. */
void ss_fesd_simplified_step (SsFesdElement *e, const SsFesdIsland *island);

/* A row whose pivot in the scaled matrix is below this depends on other rows. */
static const double ss_fesd_singular_pivot = 1e-9;
/* The dense matrix of an island with redundant rows, so many unknowns, factored for the shortest steps. False: a number
 * is not finite. Then, and for one of full rank, the solution in place of b. */
bool ss_fesd_least_factor (SsFesdElement *e, SsFesdIsland *island, int size);
void ss_fesd_dense_solve (const SsFesdElement *e, const SsFesdIsland *island, int size, double *b);
/* Whether factors show rows that are redundant. */
bool ss_fesd_is_singular (const double *lu, size_t size);

/* ---- ss-fesd-band.c ---------------------------------------------------------------------------------------------- */

/* Finds the order of an island and its band, 0 where that gains little. False: no memory. */
bool ss_fesd_band_make (SsFesdElement *e, SsFesdIsland *island);
/* Numbers of a band; behind them the solution has as many as there are unknowns. */
size_t ss_fesd_band_numbers (const SsFesdElement *e, const SsFesdIsland *island);
/* In place; false: a pivot is 0 or no number. */
bool ss_fesd_band_factor (SsFesdElement *e, const SsFesdIsland *island);
bool ss_fesd_band_is_singular (const SsFesdElement *e, const SsFesdIsland *island, double pivot);
/* The solution in the place of the island's right-hand side. */
void ss_fesd_band_solve (SsFesdElement *e, const SsFesdIsland *island);

/* Place among the numbers of the entry of unknowns `row`, `column` (stage times width + local), dense or in a band. */
static inline double *
ss_fesd_entry (const SsFesdElement *e, const SsFesdIsland *island, int row, int column)
{
  const int width = island->n + island->m, b = island->band;
  double *matrix = e->matrix + island->matrix;
  if (b == 0)
    return matrix + (size_t)column * (size_t)e->s * (size_t)width + row;
  const int *place = e->place + island->first_coordinate + island->first_row;
  const int r = place[row % width] * e->s + row / width, c = place[column % width] * e->s + column / width;
  return matrix + (size_t)c * (size_t)(3 * b + 1) + (2 * b + r - c);
}
