/* engine/fesd/ss-fesd-element.h: one finite element [000 (12a)-(12d)] with its contact modes given: the Runge-Kutta
 * equations with the forces of closed contacts as unknowns, solved by Newton's method with exact
 * derivatives.
 *
 *     q_j = q_0 + h sum_k a_jk v_k,   v_j = v_0 + h sum_k a_jk V_k
 *     M V_j = f (t_j, q_j, v_j) + G' lambda_b + sum over closed contacts of n lambda_n + t lambda_t
 *     joints, closed contacts and limits: J v_j = 0 (the index-2 scheme); phi = 0 at the ends, by projection
 *     stick: t' v_j = 0, lambda_t free;   slip +-: lambda_t = -+ mu lambda_n
 *
 * Index     Paper 000 has phi (q_j) = 0 (index 3). Velocities are then two orders worse than those of smooth motions,
 *           and friction on curved contacts makes that the order of everything; rounding of phi / h^2 shows in the
 *           forces. With J v_j = 0 states have the full order, 2 n - 1 of Radau IIA, 2 n - 2 of Lobatto IIIC, 2 n of
 *           Gauss-Legendre with its projection (E. Hairer, C. Lubich, M. Roche (1989); U. Ascher, L. Petzold (1991)).
 *           Gaps at stages inside are those of their poses: 0 to order n + 1.
 * Ends      c_n < 1: the end, before its projection, is q_0 + h sum_k b_k v_k, v_0 + h sum_k b_k V_k (Remark 3 of the
 *           paper), forces there are those of the stages' polynomial.
 * Redundant contacts and joints (two sticking corners of one box): the equations for the forces are singular but can be
 *           met; Newton's step is then the shortest one, so that equal contacts share.
 * Islands   bodies that neither contacts nor forces couple are solved apart. Large ones by the simplified Newton
 * method, one small matrix for all stages, while its steps cost less than exact ones: ss-fesd-simplified.c.
 * Memory    grows with the largest set of modes seen; nothing is allocated after that.
 */
#pragma once

#include <float.h>
#include <math.h>

#include "fesd/ss-fesd-system.h"
#include "linalg/ss-linalg.h"
#include "fesd/ss-tableau.h"

/* DRIVE: a drive that sticks; one that slips has a given force and no row. */
typedef enum {
  SS_FESD_ROW_BILATERAL,
  SS_FESD_ROW_LIMIT,
  SS_FESD_ROW_DRIVE,
  SS_FESD_ROW_NORMAL,
  SS_FESD_ROW_STICK
} SsFesdRowKind;

/* Rows of the tape, in absolute coordinates: joints, limits, drives. */
static inline bool
ss_fesd_is_of_tape (SsFesdRowKind kind)
{
  return kind == SS_FESD_ROW_BILATERAL || kind == SS_FESD_ROW_LIMIT || kind == SS_FESD_ROW_DRIVE;
}

typedef struct {
  SsFesdRowKind kind;
  int item;        /* of the tape: row of the system; NORMAL, STICK: point */
  double friction; /* NORMAL in slip: lambda_t = friction lambda_n */
  double weight;   /* 1 / (J M^-1 J') of the row at the start: unit of its force [kg or kg m2] */
  int n;           /* entries of the row on free coordinates, at most 6 */
  int column[SS_FESD_POINT_N], source[SS_FESD_POINT_N]; /* free coordinate; place in the point's row or the tape's */
  int island, local;
} SsFesdRow;

typedef struct SsFesdElement SsFesdElement;

/* When formulas of the time are read for the node c of an element from t0 with length h: inside by a rounding, of the
 * length and of the time, so that a formula that switches at its end has not switched yet, and at its start has. */
static inline double
ss_fesd_within (double t0, double h, double c)
{
  const double margin = fmin (fmax (1e-13 * h, 4 * DBL_EPSILON * fabs (t0 + h)), 0.25 * h);
  return t0 + margin + c * (h - 2 * margin);
}

/* Without modes: set them before anything else. The system is borrowed, the tableau copied. */
SS_NODISCARD SsStatus ss_fesd_element_new (SsFesdSystem *system, const SsTableau *tableau, SsFesdElement **out,
                                           SsError *err);
void ss_fesd_element_free (SsFesdElement *element); /* NULL is allowed */

/* Another scheme of as many stages for the elements to come, copied; the present one. */
void ss_fesd_element_set_tableau (SsFesdElement *element, const SsTableau *tableau);
const SsTableau *ss_fesd_element_tableau (const SsFesdElement *element);

/* The modes of the elements to come, one an item: points, limits, drives. May allocate. */
SS_NODISCARD SsStatus ss_fesd_element_set_modes (SsFesdElement *element, const SsFesdMode *modes, SsError *err);
/* Number of items: points of the system, its limits, its drives. */
int ss_fesd_n_items (const SsFesdSystem *system);
/* Friction coefficient of an item; 0: a limit; 1: a drive, of its `most`. */
double ss_fesd_mu_of (const SsFesdSystem *s, int item);

/* Where the next elements start (copied) and a first guess of their accelerations (n_free) and forces (per item normal
 * and tangential, per joint row), constant over the element. NULL: zero. */
void ss_fesd_element_start (SsFesdElement *element, double t, const double *q, const double *v, const double *a,
                            const double *lambda_n, const double *lambda_t, const double *lambda_b);
/* Gaps (one an item: points, then limits) that count as closed in the place of 0; borrowed. Not NULL when contacts
 * close. */
void ss_fesd_element_set_offsets (SsFesdElement *element, const double *offset);
/* Solves an element of that length, starting from the last solution (or the guess after ss_fesd_element_start). False
 * when Newton's method does not converge. */
bool ss_fesd_element_solve (SsFesdElement *element, double h);

/* ---- the solution, borrowed until the next solve ----------------------------------------------------------------- */
int ss_fesd_element_n_stages (const SsFesdElement *element);
int ss_fesd_element_n_rows (const SsFesdElement *element);
const SsFesdRow *ss_fesd_element_rows (const SsFesdElement *element);
double ss_fesd_element_length (const SsFesdElement *element);
/* Stage 0..n-1, or n: the end. Poses and velocities of all bodies (n_q each). */
/* Of a stage, n_stages: the end, -1: the start. */
double ss_fesd_element_time (const SsFesdElement *element, int stage);
const double *ss_fesd_element_q (const SsFesdElement *element, int stage);
const double *ss_fesd_element_v (const SsFesdElement *element, int stage);
double ss_fesd_element_lambda (const SsFesdElement *element, int row, int stage);     /* of stages, not of the end */
const double *ss_fesd_element_acceleration (const SsFesdElement *element, int stage); /* n_free, of stages */

/* Moves a state onto the rows of the present modes: positions (when `positions`: the end of an element) along M^-1 J'
 * to phi = 0, velocities to J v = 0; at ends of schemes with c_n < 1 along the forces of the rows, friction included.
 * False where it does not converge. */
bool ss_fesd_element_project (SsFesdElement *element, double t, double *q, double *v, bool positions);
