/* engine/dynamics/ss-dynamics-expr.h: a scene's complementarity Lagrangian system (paper 000, eq. (1)) as expressions,
 * in absolute coordinates.
 *
 *     M vdot = f (q, v, u, t) + G (q)' lambda_b + Jn (q)' lambda_n + Jt (q)' lambda_t,   0 = phi_b (q),   0 <= phi (q)
 *     _|_ lambda_n >= 0
 *
 * The same masses, rows and signs as ss-dynamics.h, whose numbers the tests compare with. M is diagonal and stays
 * with the caller. Positions and velocities are expressions of the caller's: variables, constants of bodies that do not
 * move, or functions of other coordinates. Formulas of the scene (another graph) are imported with slots replaced. Two
 * differences, both without effect on motions that obey the joints: a rod's row is (|d|^2 - L^2) / 2L (smooth
 * everywhere; same zero, same Jacobian there), and the length of a spring is sqrt (|d|^2 + (1 nm)^2), which has a
 * derivative where its ends meet.
 *
 * Errors   SS_EXPR_NONE in a result: out of memory. SS_ERR_INVALID names a formula that has no derivative.
 * Tests    tests/numeric/test-transcribe.c
 */
#pragma once

#include "expr/ss-expr-math.h"
#include "scene/ss-scenario.h"

/* A configuration in expressions. */
typedef struct {
  SsGraph *graph;
  const SsScene *scene;
  const SsExpr *q, *v; /* 3 n_bodies each: x, y, theta and their rates                 */
  const SsExpr *u;     /* n_actuators; NULL when no formula reads controls, no actuator is asked for */
  SsExpr t;
  /* numbers of the scene (by their places in `scene`) that are inputs; NULL: all are constants */
  const SsInputNumbers *inputs;
  /* comparisons, if, floor and mod of the time are taken in formulas: whoever uses them ends its steps at
   * task.breaks */
  bool time_may_switch;
} SsMotionExpr;

/* A scalar constraint on two bodies (-1: the world): phi and its Jacobian, on the coordinates of the first, then the
 * second. */
typedef struct {
  int source, index; /* joint, row within it                     */
  int body[2];
  SsExpr phi; /* [m] or [rad]; limits: room left          */
  SsExpr j[6];
} SsRowExpr;

enum { SS_ROW_EXPR_JOINT_MAX = 3, SS_ROW_EXPR_LIMITS_MAX = 2 };

/* Rows of a joint: PIN: x, y; SLIDER: across the axis, angle; WELD: x, y, angle; ROD: length. Returns their number. */
int ss_dynamics_expr_joint (const SsMotionExpr *motion, int joint, SsRowExpr rows[SS_ROW_EXPR_JOINT_MAX]);
/* Rows of a joint's limits, lower then upper, as given (PIN and SLIDER). index: 0 lower, 1 upper. */
int ss_dynamics_expr_limits (const SsMotionExpr *motion, int joint, SsRowExpr rows[SS_ROW_EXPR_LIMITS_MAX]);
/* The coordinate of a PIN or SLIDER, which its friction and motor act along. */
void ss_dynamics_expr_travel (const SsMotionExpr *motion, int joint, SsRowExpr *row);

/* f (3 n_bodies): gravity, springs, dampers, formula forces, actuators with controls motion->u. */
SS_NODISCARD SsStatus ss_dynamics_expr_forces (const SsMotionExpr *motion, SsExpr *f, SsError *err);

/* f += row' force. */
void ss_dynamics_expr_push (const SsMotionExpr *motion, const SsRowExpr *row, SsExpr force, SsExpr *f);
/* A force at a point of the world on a body. */
void ss_dynamics_expr_push_at (const SsMotionExpr *motion, int body, SsVec2Expr point, SsVec2Expr force, SsExpr *f);
/* Velocity of the point of a body that is at a place of the world. */
SsVec2Expr ss_dynamics_expr_velocity_at (const SsMotionExpr *motion, int body, SsVec2Expr point);

/* A formula of scene slots at the motion; SS_EXPR_NONE when memory runs out. */
SsExpr ss_dynamics_expr_formula (const SsMotionExpr *motion, SsExpr formula);
