/* engine/expr/ss-derivative.c: symbolic derivatives by reverse accumulation.
 *
 * One sweep from the expression down to its inputs gives the whole gradient for a small multiple of the expression's
 * own size (A. Griewank, A. Walther, Evaluating Derivatives, 2008, sec. 3.2). Adjoints are graph nodes like any other,
 * so equal parts of gradient, Hessian and value are shared, and the gradient of a gradient is taken in the same way.
 * Only nodes that depend on the wanted inputs carry adjoints.
 *
 * Branches: abs, min and max pass their adjoint through if(...), so the branch that is not taken contributes an exact 0
 * even where its own derivative is infinite. if, comparisons, logic, floor and mod, which occur in derivatives or only
 * there, are differentiated within a branch: if by cases, floor, comparisons and logic with derivative 0, mod(a,b) as a
 * - b floor(a/b). */
#include "expr/ss-expr-private.h"

/* One sweep: order and positions belong to the graph's current walk, which stays valid because making nodes starts no
 * walk. */
typedef struct {
  SsGraph *graph;
  bool *active;    /* node depends on a wanted input; by position */
  SsExpr *adjoint; /* by position; NONE while nothing has arrived */
  bool failed;
} Sweep;

static SsExpr
binary (Sweep *s, SsOp op, SsExpr a, SsExpr b)
{
  return ss_graph_binary (s->graph, op, a, b);
}

static SsExpr
constant (Sweep *s, double value)
{
  return ss_graph_constant (s->graph, value);
}

static SsExpr
square (Sweep *s, SsExpr a)
{
  return binary (s, SS_OP_MUL, a, a);
}

static int
position_of (const Sweep *s, SsExpr node)
{
  return s->graph->walk->nodes[node].position;
}

/* A wanted input lies below `node`, a node of the walk. */
static bool
is_active (const Sweep *s, SsExpr node)
{
  return s->active[position_of (s, node)];
}

/* Adds `term` to (or with `negative` subtracts it from) the adjoint of `node`. */
static void
add (Sweep *s, SsExpr node, SsExpr term, bool negative)
{
  SsExpr *adjoint = &s->adjoint[position_of (s, node)];

  if (term == SS_EXPR_NONE) {
    s->failed = true;
    return;
  }
  if (*adjoint == SS_EXPR_NONE)
    *adjoint = negative ? ss_graph_unary (s->graph, SS_OP_NEG, term) : term;
  else
    *adjoint = binary (s, negative ? SS_OP_SUB : SS_OP_ADD, *adjoint, term);
  if (*adjoint == SS_EXPR_NONE)
    s->failed = true;
}

/* a^b: b a^(b-1) and, when the exponent varies, a^b log a. */
static void
push_power (Sweep *s, SsExpr y, SsExpr a, SsExpr b, SsExpr w)
{
  if (is_active (s, a)) {
    SsExpr lower = binary (s, SS_OP_POW, a, binary (s, SS_OP_SUB, b, constant (s, 1.0)));

    add (s, a, binary (s, SS_OP_MUL, w, binary (s, SS_OP_MUL, b, lower)), false);
  }
  if (is_active (s, b))
    add (s, b, binary (s, SS_OP_MUL, w, binary (s, SS_OP_MUL, y, ss_graph_unary (s->graph, SS_OP_LOG, a))), false);
}

/* The adjoint where `condition` holds goes to `a`, elsewhere to `b`. Either may be inactive. */
static void
push_branches (Sweep *s, SsExpr condition, SsExpr a, SsExpr b, SsExpr w)
{
  if (is_active (s, a))
    add (s, a, ss_graph_if (s->graph, condition, w, constant (s, 0.0)), false);
  if (is_active (s, b))
    add (s, b, ss_graph_if (s->graph, condition, constant (s, 0.0), w), false);
}

/* a/b: w/b and -(w/b) y. */
static void
push_quotient (Sweep *s, SsExpr y, SsExpr a, SsExpr b, SsExpr w)
{
  SsExpr over = binary (s, SS_OP_DIV, w, b);

  if (is_active (s, a))
    add (s, a, over, false);
  if (is_active (s, b))
    add (s, b, binary (s, SS_OP_MUL, over, y), true);
}

/* atan2(a,b): a is the ordinate, b the abscissa; (b, -a) / (a^2 + b^2). */
static void
push_atan2 (Sweep *s, SsExpr a, SsExpr b, SsExpr w)
{
  const SsExpr bb = square (s, b), aa = square (s, a);
  SsExpr over = binary (s, SS_OP_DIV, w, binary (s, SS_OP_ADD, aa, bb));

  if (is_active (s, a))
    add (s, a, binary (s, SS_OP_MUL, over, b), false);
  if (is_active (s, b))
    add (s, b, binary (s, SS_OP_MUL, over, a), true);
}

/* Operations of two operands: y = op(a,b) passes its adjoint w to those that are active. */
static void
push_binary (Sweep *s, SsOp op, SsExpr y, SsExpr a, SsExpr b, SsExpr w)
{
  switch (op) {
  case SS_OP_ADD:
  case SS_OP_SUB:
    if (is_active (s, a))
      add (s, a, w, false);
    if (is_active (s, b))
      add (s, b, w, op == SS_OP_SUB);
    break;
  case SS_OP_MUL:
    if (is_active (s, a))
      add (s, a, binary (s, SS_OP_MUL, w, b), false);
    if (is_active (s, b))
      add (s, b, binary (s, SS_OP_MUL, w, a), false);
    break;
  case SS_OP_DIV:
    push_quotient (s, y, a, b, w);
    break;
  case SS_OP_POW:
    push_power (s, y, a, b, w);
    break;
  case SS_OP_ATAN2:
    push_atan2 (s, a, b, w);
    break;
  case SS_OP_MIN:
    push_branches (s, binary (s, SS_OP_LE, a, b), a, b, w);
    break;
  case SS_OP_MAX:
    push_branches (s, binary (s, SS_OP_LE, b, a), a, b, w);
    break;
  case SS_OP_MOD:
    if (is_active (s, a))
      add (s, a, w, false);
    if (is_active (s, b))
      add (s, b, binary (s, SS_OP_MUL, w, ss_graph_unary (s->graph, SS_OP_FLOOR, binary (s, SS_OP_DIV, a, b))), true);
    break;
  default: /* comparisons and logic are constant within a branch */
    break;
  }
}

/* Operations of one active operand. */
static void
push_unary (Sweep *s, SsOp op, SsExpr y, SsExpr a, SsExpr w)
{
  SsGraph *g = s->graph;
  SsExpr one = constant (s, 1.0), root, left, right;

  switch (op) {
  case SS_OP_NEG:
    add (s, a, w, true);
    break;
  case SS_OP_SIN:
    add (s, a, binary (s, SS_OP_MUL, w, ss_graph_unary (g, SS_OP_COS, a)), false);
    break;
  case SS_OP_COS:
    add (s, a, binary (s, SS_OP_MUL, w, ss_graph_unary (g, SS_OP_SIN, a)), true);
    break;
  case SS_OP_TAN:
    add (s, a, binary (s, SS_OP_MUL, w, binary (s, SS_OP_ADD, square (s, y), one)), false);
    break;
  case SS_OP_ASIN:
  case SS_OP_ACOS:
    /* (1-a)(1+a) keeps its accuracy near the ends, where 1-a^2 cancels. */
    right = binary (s, SS_OP_ADD, one, a);
    left = binary (s, SS_OP_SUB, one, a);
    root = ss_graph_unary (g, SS_OP_SQRT, binary (s, SS_OP_MUL, left, right));
    add (s, a, binary (s, SS_OP_DIV, w, root), op == SS_OP_ACOS);
    break;
  case SS_OP_ATAN:
    add (s, a, binary (s, SS_OP_DIV, w, binary (s, SS_OP_ADD, square (s, a), one)), false);
    break;
  case SS_OP_SQRT:
    add (s, a, binary (s, SS_OP_DIV, binary (s, SS_OP_MUL, constant (s, 0.5), w), y), false);
    break;
  case SS_OP_EXP:
    add (s, a, binary (s, SS_OP_MUL, w, y), false);
    break;
  case SS_OP_LOG:
    add (s, a, binary (s, SS_OP_DIV, w, a), false);
    break;
  case SS_OP_ABS:
    right = ss_graph_unary (g, SS_OP_NEG, w);
    add (s, a, ss_graph_if (g, binary (s, SS_OP_LE, constant (s, 0.0), a), w, right), false);
    break;
  default: /* sign, not, floor are constant within a branch */
    break;
  }
}

/* Hands the adjoint of node `y` to its operands. */
static void
push (Sweep *s, SsExpr y, SsExpr w)
{
  const SsNode node = s->graph->nodes[y]; /* by value: making nodes moves the pool */

  switch (ss_op_arity ((SsOp)node.op)) {
  case 1:
    push_unary (s, (SsOp)node.op, y, node.operand[0], w);
    break;
  case 2:
    push_binary (s, (SsOp)node.op, y, node.operand[0], node.operand[1], w);
    break;
  case 3:
    push_branches (s, node.operand[0], node.operand[1], node.operand[2], w);
    break;
  default:
    break;
  }
}

/* Place of `node` in the walk, or -1. */
static int
find_position (const Sweep *s, SsExpr node)
{
  const SsWalk *walk = s->graph->walk;

  return walk->nodes[node].mark == walk->tick ? walk->nodes[node].position : -1;
}

/* Spreads activity from the wanted inputs to all nodes of the walk above them. */
static void
spread_activity (Sweep *s, int n_order)
{
  const SsWalkNode *walk = s->graph->walk->nodes;

  for (int k = 0; k < n_order; k++) {
    const SsNode *node = &s->graph->nodes[walk[k].order];

    for (int i = 0; i < ss_op_arity ((SsOp)node->op); i++)
      s->active[k] = s->active[k] || s->active[walk[node->operand[i]].position];
  }
}

/* Adjoints of all active nodes of the walk, root first. */
static void
sweep_down (Sweep *s, int n_order)
{
  s->adjoint[n_order - 1] = constant (s, 1.0);
  s->failed = s->adjoint[n_order - 1] == SS_EXPR_NONE;
  for (int k = n_order - 1; k >= 0 && !s->failed; k--)
    if (s->active[k] && s->adjoint[k] != SS_EXPR_NONE)
      push (s, s->graph->walk->nodes[k].order, s->adjoint[k]);
}

void
ss_graph_gradient (SsGraph *graph, SsExpr e, const int *slots, int n_slots, SsExpr *out)
{
  SS_ASSERT (graph != NULL);
  SS_ASSERT (n_slots >= 0 && (n_slots == 0 || (slots != NULL && out != NULL)));

  Sweep s = {.graph = graph};
  SsExpr zero = ss_graph_constant (graph, 0.0);
  int n_order = 0;

  s.failed = e == SS_EXPR_NONE || zero == SS_EXPR_NONE;
  /* out[j] holds the input node of slots[j] until its adjoint is known. */
  for (int j = 0; j < n_slots; j++) {
    out[j] = ss_graph_input (graph, slots[j]);
    s.failed = s.failed || out[j] == SS_EXPR_NONE;
  }
  if (s.failed)
    goto done;
  n_order = ss_graph_walk (graph, &e, 1);
  s.active = ss_new_array (bool, n_order);
  s.adjoint = ss_new_array (SsExpr, n_order);
  s.failed = s.active == NULL || s.adjoint == NULL;
  if (s.failed)
    goto done;
  for (int k = 0; k < n_order; k++)
    s.adjoint[k] = SS_EXPR_NONE;
  for (int j = 0; j < n_slots; j++)
    if (find_position (&s, out[j]) >= 0)
      s.active[find_position (&s, out[j])] = true;
  spread_activity (&s, n_order);
  sweep_down (&s, n_order);

done:
  for (int j = 0; j < n_slots; j++) {
    int k = s.failed ? -1 : find_position (&s, out[j]);

    out[j] = s.failed ? SS_EXPR_NONE : k >= 0 && s.adjoint[k] != SS_EXPR_NONE ? s.adjoint[k] : zero;
  }
  ss_free (s.adjoint);
  ss_free (s.active);
}

SsExpr
ss_graph_derivative (SsGraph *graph, SsExpr e, int slot)
{
  SS_ASSERT (graph != NULL);
  SS_ASSERT (slot >= 0);

  SsExpr out = SS_EXPR_NONE;

  ss_graph_gradient (graph, e, &slot, 1, &out);
  return out;
}
