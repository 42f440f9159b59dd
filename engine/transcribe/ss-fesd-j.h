/* engine/transcribe/ss-fesd-j.h: the transcription `fesd-j`: finite elements with switch and jump detection.
 *
 * Source   paper 000, sec. 3-5, its misprints mended: the impulse equations are those of each contact alone, left
 *          values of friction are taken after the jump, impulses act at the left point's poses.
 * Points   k = 0..K-1 are finite elements, `elements` (E) for each of the plan's steps, which are the control
 *          intervals; point K is the end, without an element. Lengths h_k are variables, the sum over an interval is
 *          that of the interval; `time` is the clock at the left point, u is constant in an interval.
 *
 * Element  x_0 = (q_0, v_0) the left point after its jump, stages x_j, j = 1..s, A and b of the tableau,
 *              h f(x_j) = sum_k (A^-1)_jk (x_k - x_0),     x_end = x_0 + sum_k (b' A^-1)_k (x_k - x_0)
 *          which is x_j = x_0 + h sum_k a_jk f(x_k) (12), solved for f: each row then reads the forces of one stage. M
 *          is diagonal; rows of velocities are divided by it. y_j = f_c(q_j) is a variable, at ends with c_s < 1 too.
 * Friction polyhedral: force a_1 - a_2, a >= 0, delta_1 = t'v + gamma, delta_2 = -t'v + gamma,
 *              0 <= a _|_ delta >= 0,  0 <= gamma _|_ beta = mu lambda_n - a_1 - a_2 >= 0,   gamma <= 1000 m/s
 *          (without load gamma would be free). conic: t'v + 2 gamma lambda_t = 0, beta = (mu lambda_n)^2 - lambda_t^2,
 *          t'v = xi+ - xi-; read literally an open contact cannot slide with it: only its relaxation is of use.
 * Jump     at the left point of k, from the end of k - 1 (at 0: from the start):
 *              M (v_0 - v_end) = n Lambda + t (A_1 - A_2),  Y = f_c(q_0),  0 <= Lambda _|_ Y >= 0,
 *              Lambda (n' (v_0 + e v_end)) = 0,  friction as above with v_0 in the place of v, Lambda of lambda_n.
 *          impulse=products: R is the residual, Lambda R <= 0 and -Lambda R <= 0; split (app. A.2): R = P - Q, pairs
 *          (Lambda, Y + P + Q) and (P, Q). initial-impacts=off: no jump at the first element of an interval.
 * Cross    C: left value, stages (and end) of y, delta, gamma, xi+; D: stages of lambda_n, a, beta, (left value, stages
 *          and end of) xi-; all products of C and D in one element vanish. cross=1..12 tells which sums of them are
 *          rows: 1 none, 2 over components, 3 over D for each C, 4 over C for each D, 5 and 6 these summed over
 *          components, 7 over C and D, 8 that over components as well, 9 and 10 these over the interval, 11 and 12 over
 *          the horizon. Components of one kind: all contacts' gaps, both parts of all contacts' friction forces, all
 *          their cones. Sums of products are pairs with the number 1.
 * Look     f_c (q_0 + lookahead h v_0) >= 0 (18).
 * Lengths  (1 - gamma_h) h_0 <= h <= (1 + gamma_h) h_0; step equilibration as its option says, penalties are no part of
 *          the objective that is reported.
 * Task     bounds of coordinates hold at every left point, stage and end; path constraints at ends of elements
 *          (path=ends) or at stages too; costs are h sum_j b_j L(x_j, u) (32); targets and costs of the end at point K.
 * Gaps     PLANE, SQUARE and ROUND as in geometry/ss-gap-expr.h. round-gap=square: of two circles half the square of
 *          the distance over that at contact, as in the paper, which has no kink; the variable is `.gap_square`, the
 *          channel `.gap` the distance. Two hulls: the face or corner that separates them at the start
 *          is kept for the whole plan (its line then is a wall: the body can't go round the other). Of two that cannot
 *          turn against each other, gaps that differ by a constant are one gap, the smallest.
 * Joints   that make trees are kept by coordinates (ss-transcribe-tree.h): variables <joint>.position and .velocity in
 *          the place of what they carry; J' (M a - f) = 0 with a = J s'' + (dJ/dt) s' in the place of M v' = f, where
 *          h s'' is the sum above, so that accelerations need no variables of their own; likewise in jumps. Others
 *          close loops: rows with forces <joint>.lambda_i, phi_b (q_j) = 0 at the stages, and at every left point,
 *          jump or none, impulses .impulse_i such that G (q_0) v_0 = 0: the projection, which keeps order 2 s - 1 of
 *          states at the ends of elements; schemes with c_s = 1 only. Limits are gaps without friction and
 *          restitution, `<joint>.lower` and `.upper`. The lookahead of what is carried is along its velocity.
 * Rows     of the trajectory: left point (after the jump) and end of every element, so that a jump is two rows of equal
 *          time; lambda_n, lambda_t of a row are those of the stage next to it, impulses those of the jump there.
 * Tests    tests/numeric/test-fesd-j.c: the exact solution of a step, inserted; test-fesd-trees.c: joints.
 */
#pragma once

#include "fesd/ss-fesd-sequence.h"
#include "transcribe/ss-transcribe.h"

typedef enum { SS_FESD_POLYHEDRAL, SS_FESD_CONIC } SsFesdFriction;
typedef enum { SS_FESD_PRODUCTS, SS_FESD_SPLIT } SsFesdImpulse;
typedef enum { SS_FESD_ENDS, SS_FESD_STAGES } SsFesdPath;
typedef enum { SS_FESD_SQUARE, SS_FESD_DISTANCE } SsFesdRoundGap;

/* Sec. 3.4, and what problem text and released code do instead. */
typedef enum {
  SS_FESD_MEAN,
  SS_FESD_DIFF,
  SS_FESD_L2,
  SS_FESD_L2_SCALED,
  SS_FESD_DIRECT,
  SS_FESD_DIRECT_HOMOTOPY,
  SS_FESD_LIFTED,
  SS_FESD_NONE
} SsFesdEquilibration;

/* How the products of an element are summed, by the numbers of the released code. */
enum {
  SS_FESD_CROSS_ALL = 1,
  SS_FESD_CROSS_OF_STAGES = 2,
  SS_FESD_CROSS_BY_C = 3,
  SS_FESD_CROSS_BY_D = 4,
  SS_FESD_CROSS_BY_C_SUMMED = 5,
  SS_FESD_CROSS_BY_D_SUMMED = 6,
  SS_FESD_CROSS_BY_COMPONENT = 7,
  SS_FESD_CROSS_ONE = 8,
  SS_FESD_CROSS_INTERVAL_BY_COMPONENT = 9,
  SS_FESD_CROSS_INTERVAL_ONE = 10,
  SS_FESD_CROSS_HORIZON_BY_COMPONENT = 11,
  SS_FESD_CROSS_HORIZON_ONE = 12
};

/* What is tried first (plan/ss-plan-leads.h). */
enum { SS_FESD_FIRST_STEPS = 0, SS_FESD_FIRST_METHOD = 1 };

/* Where the modes of a plan come from. */
enum { SS_FESD_MODES_FREE = 0, SS_FESD_MODES_START = 1, SS_FESD_MODES_STICKING = 2 };

/* Choices of time-freezing; their order is that of the names. */
enum { SS_FREEZE_PHYSICAL = 0, SS_FREEZE_IN_TAU = 1 };     /* cost  */
enum { SS_FREEZE_INTERVAL = 0, SS_FREEZE_GLOBAL = 1 };     /* speed */
enum { SS_FREEZE_STAGEWISE = 0, SS_FREEZE_TERMINAL = 1 };  /* clock */
enum { SS_FREEZE_NUMERICAL = 0, SS_FREEZE_FREE_GRID = 1 }; /* grid  */

typedef struct SsFesdOptions {
  int scheme; /* SsTableauFamily */
  int stages, elements, cross;
  int equilibration, friction, impulse, path, round_gap; /* SsFesdEquilibration, SsFesdFriction and so on */
  double rho_h, rho_gamma, eps_eta, gamma_h, lookahead;
  bool initial_impacts;
  /* What a run makes of an answer (plan/ss-plan-starts.h); the model does not depend on them. */
  int first;
  double then;
  bool polish;
  int starts, modes, polish_iterations, polish_rounds, pieces;
  double replay_distance;
  /* Of fixed modes: the part of the cone that sticking contacts leave free. */
  double cone_margin;
  /* Of time-freezing alone (ss-freeze-plan.h), which has the same table, as it has the options above in common. */
  int cost, speed, clock, grid;
  double s_max, rho_s, a_n;
  bool lift, frozen_path;
  /* Not in the table, borrowed: the modes are these, and what is left is a smooth problem (ss-fesd-fixed.h); NULL: they
   * are unknown. */
  const SsFesdSequence *sequence;
  /* Not in the table, of fixed modes: weight of a penalty on the distance of states, controls and lengths from those of
   * the sequence, each over the largest of its kind there; 0: none. */
  double near;
  /* Not in the table, borrowed: of fixed modes, a_n by contact of the scene where costs are integrals over the
   * numerical time of time-freezing (judge/ss-plan-value.h); NULL: over time. */
  const double *a_n_of;
} SsFesdOptions;
