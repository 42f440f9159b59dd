/* engine/expr/ss-expr-math.h: short names for building expressions in C: sums, products, plane vectors, and numbers in
 * memory that may be inputs.
 *
 * SS_EXPR_NONE of any operand comes out, so that whoever builds checks once at the end.
 */
#pragma once

#include "expr/ss-expr.h"

/* A number in memory that formulas read as an input, so that another value can take its place without new formulas. */
typedef struct {
  const double *at; /* where it is while the formulas are built */
  int slot;         /* its input                                */
} SsInputNumber;

/* Which numbers are inputs, by rising address; all others are constants. NULL or n = 0: none is. Borrowed. */
typedef struct {
  int n;
  const SsInputNumber *items;
} SsInputNumbers;

typedef struct {
  SsExpr x, y;
} SsVec2Expr;

static inline SsExpr
ss_expr_number (SsGraph *g, double value)
{
  return ss_graph_constant (g, value);
}

static inline SsExpr
ss_expr_add (SsGraph *g, SsExpr a, SsExpr b)
{
  return ss_graph_binary (g, SS_OP_ADD, a, b);
}

static inline SsExpr
ss_expr_sub (SsGraph *g, SsExpr a, SsExpr b)
{
  return ss_graph_binary (g, SS_OP_SUB, a, b);
}

static inline SsExpr
ss_expr_mul (SsGraph *g, SsExpr a, SsExpr b)
{
  return ss_graph_binary (g, SS_OP_MUL, a, b);
}

static inline SsExpr
ss_expr_div (SsGraph *g, SsExpr a, SsExpr b)
{
  return ss_graph_binary (g, SS_OP_DIV, a, b);
}

static inline SsExpr
ss_expr_neg (SsGraph *g, SsExpr a)
{
  return ss_graph_unary (g, SS_OP_NEG, a);
}

static inline SsExpr
ss_expr_scale (SsGraph *g, double factor, SsExpr a)
{
  return ss_expr_mul (g, ss_expr_number (g, factor), a);
}

static inline SsVec2Expr
ss_vec2_expr (SsGraph *g, SsVec2 v)
{
  const SsExpr x = ss_expr_number (g, v.x), y = ss_expr_number (g, v.y);

  return (SsVec2Expr){x, y};
}

/* The number at a place: the input that stands for it, or a constant. */
static inline SsExpr
ss_expr_number_at (SsGraph *g, const SsInputNumbers *inputs, const double *at)
{
  int low = 0, high = inputs != NULL ? inputs->n : 0;

  while (low < high) {
    int middle = low + (high - low) / 2;

    if ((uintptr_t)inputs->items[middle].at < (uintptr_t)at)
      low = middle + 1;
    else
      high = middle;
  }
  if (inputs != NULL && low < inputs->n && inputs->items[low].at == at)
    return ss_graph_parameter (g, inputs->items[low].slot);
  return ss_graph_constant (g, *at);
}

static inline SsVec2Expr
ss_vec2_expr_at (SsGraph *g, const SsInputNumbers *inputs, const SsVec2 *at)
{
  const SsExpr x = ss_expr_number_at (g, inputs, &at->x), y = ss_expr_number_at (g, inputs, &at->y);

  return (SsVec2Expr){x, y};
}

/* (cos angle, sin angle) */
static inline SsVec2Expr
ss_vec2_expr_direction (SsGraph *g, SsExpr angle)
{
  const SsExpr x = ss_graph_unary (g, SS_OP_COS, angle), y = ss_graph_unary (g, SS_OP_SIN, angle);

  return (SsVec2Expr){x, y};
}

static inline SsVec2Expr
ss_vec2_expr_add (SsGraph *g, SsVec2Expr a, SsVec2Expr b)
{
  const SsExpr x = ss_expr_add (g, a.x, b.x), y = ss_expr_add (g, a.y, b.y);

  return (SsVec2Expr){x, y};
}

static inline SsVec2Expr
ss_vec2_expr_sub (SsGraph *g, SsVec2Expr a, SsVec2Expr b)
{
  const SsExpr x = ss_expr_sub (g, a.x, b.x), y = ss_expr_sub (g, a.y, b.y);

  return (SsVec2Expr){x, y};
}

static inline SsVec2Expr
ss_vec2_expr_scale (SsGraph *g, SsExpr factor, SsVec2Expr a)
{
  const SsExpr x = ss_expr_mul (g, factor, a.x), y = ss_expr_mul (g, factor, a.y);

  return (SsVec2Expr){x, y};
}

static inline SsExpr
ss_vec2_expr_dot (SsGraph *g, SsVec2Expr a, SsVec2Expr b)
{
  const SsExpr y = ss_expr_mul (g, a.y, b.y), x = ss_expr_mul (g, a.x, b.x);

  return ss_expr_add (g, x, y);
}

static inline SsExpr
ss_vec2_expr_cross (SsGraph *g, SsVec2Expr a, SsVec2Expr b)
{
  const SsExpr yx = ss_expr_mul (g, a.y, b.x), xy = ss_expr_mul (g, a.x, b.y);

  return ss_expr_sub (g, xy, yx);
}

/* `a` turned by an angle whose (cos, sin) is `turn`. */
static inline SsVec2Expr
ss_vec2_expr_turn (SsGraph *g, SsVec2Expr turn, SsVec2Expr a)
{
  const SsExpr yy = ss_expr_mul (g, turn.y, a.y), xx = ss_expr_mul (g, turn.x, a.x), x = ss_expr_sub (g, xx, yy);
  const SsExpr xy = ss_expr_mul (g, turn.x, a.y), yx = ss_expr_mul (g, turn.y, a.x), y = ss_expr_add (g, yx, xy);

  return (SsVec2Expr){x, y};
}
