/* engine/expr/ss-graph.c: building, simplifying, walking and evaluating expression graphs.
 *
 * Simplification is local and happens when a node is made, so a formula is simplified from its leaves upwards, and
 * equal formulas end as equal ids. The rules keep values up to rounding, with one exception that has to be known: 0*x
 * is 0, 0/x is 0 and x-x is 0 even where x would be NaN or infinite. Derivatives depend on it (most products in them
 * vanish identically). x/x is left alone. */
#include "expr/ss-expr-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  SS_GRAPH_FIRST_CAPACITY = 64,
  SS_GRAPH_MAX_NODES = 1 << 28, /* keeps table_size within int */
  SS_POW_MAX_EXPONENT =
      16, /* integer powers up to here become products: at most 6 multiplications instead of a library call */
  SS_EVAL_MAX_RECURSION = 500, /* levels; deeper expressions are evaluated by a sweep over ids */
};

static const struct {
  const char *text;
  int arity;
  bool smooth;
} op_facts[SS_OP_COUNT] = {
#define X(name, text, arity, smooth) {text, arity, smooth},
    SS_OP_LIST (X)
#undef X
};

const char *
ss_op_text (SsOp op)
{
  return op_facts[op].text;
}

int
ss_op_arity (SsOp op)
{
  return op_facts[op].arity;
}

/* ---- values of operations ---------------------------------------------------------------------------------------- */

/* Remainder with the sign of the divisor, a - b floor(a/b) without its rounding error. */
static double
apply_mod (double a, double b)
{
  double r = fmod (a, b);

  if (r != 0.0 && (r < 0.0) != (b < 0.0))
    r += b;
  return r;
}

double
ss_op_apply (SsOp op, double a, double b, double c)
{
  switch (op) {
  case SS_OP_ADD:
    return a + b;
  case SS_OP_SUB:
    return a - b;
  case SS_OP_MUL:
    return a * b;
  case SS_OP_DIV:
    return a / b;
  case SS_OP_POW:
    return pow (a, b);
  case SS_OP_NEG:
    return -a;
  case SS_OP_SIN:
    return sin (a);
  case SS_OP_COS:
    return cos (a);
  case SS_OP_TAN:
    return tan (a);
  case SS_OP_ASIN:
    return asin (a);
  case SS_OP_ACOS:
    return acos (a);
  case SS_OP_ATAN:
    return atan (a);
  case SS_OP_ATAN2:
    return atan2 (a, b);
  case SS_OP_SQRT:
    return sqrt (a);
  case SS_OP_EXP:
    return exp (a);
  case SS_OP_LOG:
    return log (a);
  case SS_OP_ABS:
    return fabs (a);
  case SS_OP_MIN:
    return a <= b || isnan (a) ? a : b;
  case SS_OP_MAX:
    return a >= b || isnan (a) ? a : b;
  case SS_OP_SIGN:
    return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a + 0.0;
  case SS_OP_LT:
    return a < b ? 1.0 : 0.0;
  case SS_OP_LE:
    return a <= b ? 1.0 : 0.0;
  case SS_OP_EQ:
    return a == b ? 1.0 : 0.0;
  case SS_OP_AND:
    return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
  case SS_OP_OR:
    return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
  case SS_OP_NOT:
    return a == 0.0 ? 1.0 : 0.0;
  case SS_OP_IF:
    return a != 0.0 ? b : c;
  case SS_OP_FLOOR:
    return floor (a);
  case SS_OP_MOD:
    return apply_mod (a, b);
  case SS_OP_CONSTANT:
  case SS_OP_INPUT:
  case SS_OP_COUNT:
    break;
  }
  return NAN;
}

/* ---- pool and table ---------------------------------------------------------------------------------------------- */

SsStatus
ss_graph_new (SsGraph **out, SsError *err)
{
  SS_ASSERT (out != NULL);

  SsGraph *graph = ss_new (SsGraph);

  if (graph == NULL)
    goto fail;
  graph->capacity = SS_GRAPH_FIRST_CAPACITY;
  graph->table_size = 2 * SS_GRAPH_FIRST_CAPACITY;
  graph->nodes = ss_new_array (SsNode, graph->capacity);
  graph->table = ss_new_array (SsExpr, graph->table_size);
  graph->walk = ss_new (SsWalk);
  if (graph->nodes == NULL || graph->table == NULL || graph->walk == NULL)
    goto fail;
  graph->walk->nodes = ss_new_array (SsWalkNode, graph->capacity);
  if (graph->walk->nodes == NULL)
    goto fail;
  for (int i = 0; i < graph->table_size; i++)
    graph->table[i] = SS_EXPR_NONE;
  *out = graph;
  return SS_OK;

fail:
  ss_graph_free (graph);
  *out = NULL;
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory for an expression graph");
}

void
ss_graph_free (SsGraph *graph)
{
  if (graph == NULL)
    return;
  if (graph->walk != NULL)
    ss_free (graph->walk->nodes);
  ss_free (graph->walk);
  ss_free (graph->table);
  ss_free (graph->nodes);
  ss_free (graph);
}

bool
ss_graph_is_whole (const SsGraph *graph)
{
  return !graph->has_gap;
}

int
ss_graph_n_nodes (const SsGraph *graph)
{
  SS_ASSERT (graph != NULL && graph->n_nodes <= graph->capacity);
  return graph->n_nodes;
}

static uint64_t
mix (uint64_t h, uint64_t x)
{
  /* The finaliser of splitmix64, chained. */
  h ^= x + UINT64_C (0x9e3779b97f4a7c15) + (h << 6) + (h >> 2);
  h = (h ^ (h >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 27)) * UINT64_C (0x94d049bb133111eb);
  return h ^ (h >> 31);
}

static uint64_t
value_bits (double value)
{
  uint64_t bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static uint64_t
hash_node (const SsNode *node)
{
  uint64_t h = mix (node->op, value_bits (node->value));

  h = mix (h, ((uint64_t)(uint32_t)node->operand[0] << 32) | (uint32_t)node->operand[1]);
  return mix (h, (uint32_t)node->operand[2]);
}

static bool
same_node (const SsNode *a, const SsNode *b)
{
  return a->op == b->op && a->operand[0] == b->operand[0] && a->operand[1] == b->operand[1] &&
         a->operand[2] == b->operand[2] && value_bits (a->value) == value_bits (b->value);
}

/* Place in the table of a node equal to `node`, or the free place where it belongs. */
static int
find_place (const SsGraph *graph, const SsNode *node)
{
  int mask = graph->table_size - 1;
  int place = (int)(hash_node (node) & (uint64_t)mask);

  while (graph->table[place] != SS_EXPR_NONE && !same_node (&graph->nodes[graph->table[place]], node))
    place = (place + 1) & mask;
  return place;
}

/* Doubles the pool and its table; the table has twice as many places as the pool. */
static bool
grow (SsGraph *graph)
{
  int capacity = 2 * graph->capacity, table_size = 2 * capacity;
  SsNode *nodes;
  SsWalkNode *walk_nodes;
  SsExpr *table;

  if (capacity > SS_GRAPH_MAX_NODES)
    return false;
  nodes = ss_realloc (graph->nodes, (size_t)capacity, sizeof *nodes);
  if (nodes == NULL)
    return false;
  graph->nodes = nodes;
  walk_nodes = ss_realloc (graph->walk->nodes, (size_t)capacity, sizeof *walk_nodes);
  if (walk_nodes == NULL)
    return false;
  graph->walk->nodes = walk_nodes;
  table = ss_new_array (SsExpr, table_size);
  if (table == NULL)
    return false;
  ss_free (graph->table);
  graph->table = table;
  graph->table_size = table_size;
  graph->capacity = capacity;
  for (int i = 0; i < table_size; i++)
    table[i] = SS_EXPR_NONE;
  for (SsExpr e = 0; e < graph->n_nodes; e++)
    table[find_place (graph, &graph->nodes[e])] = e;
  return true;
}

/* The id of a node equal to `node` (whose height and smoothness need not be set), made if it does not exist yet. */
static SsExpr
intern (SsGraph *graph, SsNode *node)
{
  int place = find_place (graph, node);
  int height = 0;
  bool is_fixed = op_facts[node->op].arity > 0;

  if (graph->table[place] != SS_EXPR_NONE)
    return graph->table[place];
  if (graph->n_nodes == graph->capacity) {
    if (!grow (graph)) {
      graph->has_gap = true;
      return SS_EXPR_NONE;
    }
    place = find_place (graph, node);
  }
  node->smooth = op_facts[node->op].smooth;
  for (int i = 0; i < op_facts[node->op].arity; i++) {
    const SsNode *operand = &graph->nodes[node->operand[i]];

    node->smooth = node->smooth && operand->smooth;
    is_fixed = is_fixed && operand->fixed;
    height = operand->height + 1 > height ? operand->height + 1 : height;
  }
  node->fixed =
      is_fixed || node->op == SS_OP_CONSTANT || (node->op == SS_OP_INPUT && node->operand[1] == SS_INPUT_IS_PARAMETER);
  node->height = (uint16_t)(height > UINT16_MAX ? UINT16_MAX : height);
  graph->nodes[graph->n_nodes] = *node;
  graph->walk->nodes[graph->n_nodes].mark = 0;
  graph->table[place] = graph->n_nodes;
  return graph->n_nodes++;
}

static SsExpr
intern_op (SsGraph *graph, SsOp op, SsExpr a, SsExpr b, SsExpr c)
{
  SsNode node = {.op = (uint8_t)op, .operand = {a, b, c}};

  return intern (graph, &node);
}

SsExpr
ss_graph_constant (SsGraph *graph, double value)
{
  SsNode node = {.op = SS_OP_CONSTANT, .operand = {SS_EXPR_NONE, SS_EXPR_NONE, SS_EXPR_NONE}};

  node.value = isnan (value) ? NAN : value; /* one NaN, whatever its payload */
  return intern (graph, &node);
}

SsExpr
ss_graph_input (SsGraph *graph, int slot)
{
  SS_ASSERT (slot >= 0);
  return intern_op (graph, SS_OP_INPUT, slot, SS_EXPR_NONE, SS_EXPR_NONE);
}

SsExpr
ss_graph_parameter (SsGraph *graph, int slot)
{
  SS_ASSERT (slot >= 0);
  return intern_op (graph, SS_OP_INPUT, slot, SS_INPUT_IS_PARAMETER, SS_EXPR_NONE);
}

/* ---- inspection -------------------------------------------------------------------------------------------------- */

SsOp
ss_graph_op (const SsGraph *graph, SsExpr e)
{
  SS_ASSERT (e >= 0 && e < graph->n_nodes);
  return (SsOp)graph->nodes[e].op;
}

SsExpr
ss_graph_operand (const SsGraph *graph, SsExpr e, int which)
{
  SS_ASSERT (graph != NULL && e >= 0 && e < graph->n_nodes);
  SS_ASSERT (which >= 0);
  SS_ASSERT (e >= 0 && e < graph->n_nodes);
  if (which < 0 || which >= op_facts[graph->nodes[e].op].arity)
    return SS_EXPR_NONE;
  return graph->nodes[e].operand[which];
}

double
ss_graph_value (const SsGraph *graph, SsExpr e)
{
  SS_ASSERT (ss_graph_op (graph, e) == SS_OP_CONSTANT);
  return graph->nodes[e].value;
}

int
ss_graph_slot (const SsGraph *graph, SsExpr e)
{
  SS_ASSERT (ss_graph_op (graph, e) == SS_OP_INPUT);
  return graph->nodes[e].operand[0];
}

bool
ss_graph_is_parameter (const SsGraph *graph, SsExpr e)
{
  return ss_graph_op (graph, e) == SS_OP_INPUT && graph->nodes[e].operand[1] == SS_INPUT_IS_PARAMETER;
}

bool
ss_graph_is_smooth (const SsGraph *graph, SsExpr e)
{
  SS_ASSERT (e >= 0 && e < graph->n_nodes);
  return graph->nodes[e].smooth;
}

/* ---- simplification ---------------------------------------------------------------------------------------------- */

static bool
is_op (const SsGraph *graph, SsExpr e, SsOp op)
{
  return graph->nodes[e].op == op;
}

static bool
is_constant (const SsGraph *graph, SsExpr e)
{
  return is_op (graph, e, SS_OP_CONSTANT);
}

/* A constant, or what takes the place of one. */
static bool
is_fixed (const SsGraph *graph, SsExpr e)
{
  return graph->nodes[e].fixed;
}

/* The negative of something that varies. */
static bool
is_negative (const SsGraph *graph, SsExpr e)
{
  return is_op (graph, e, SS_OP_NEG) && !is_fixed (graph, e);
}

static bool
is_value (const SsGraph *graph, SsExpr e, double value)
{
  return is_constant (graph, e) && graph->nodes[e].value == value;
}

static double
value_of (const SsGraph *graph, SsExpr e)
{
  return graph->nodes[e].value;
}

static SsExpr
operand_of (const SsGraph *graph, SsExpr e, int which)
{
  return graph->nodes[e].operand[which];
}

static SsExpr
negate (SsGraph *graph, SsExpr a)
{
  return ss_graph_unary (graph, SS_OP_NEG, a);
}

static SsExpr
simplify_negation (SsGraph *graph, SsExpr a)
{
  if (is_op (graph, a, SS_OP_NEG))
    return operand_of (graph, a, 0);
  if (is_fixed (graph, a))
    return intern_op (graph, SS_OP_NEG, a, SS_EXPR_NONE, SS_EXPR_NONE);
  if (is_op (graph, a, SS_OP_SUB))
    return ss_graph_binary (graph, SS_OP_SUB, operand_of (graph, a, 1), operand_of (graph, a, 0));
  if (is_op (graph, a, SS_OP_MUL) && is_fixed (graph, operand_of (graph, a, 0)))
    return ss_graph_binary (graph, SS_OP_MUL, negate (graph, operand_of (graph, a, 0)), operand_of (graph, a, 1));
  return intern_op (graph, SS_OP_NEG, a, SS_EXPR_NONE, SS_EXPR_NONE);
}

SsExpr
ss_graph_unary (SsGraph *graph, SsOp op, SsExpr a)
{
  SS_ASSERT (op_facts[op].arity == 1);
  if (a == SS_EXPR_NONE)
    return SS_EXPR_NONE;
  if (is_constant (graph, a))
    return ss_graph_constant (graph, ss_op_apply (op, value_of (graph, a), 0.0, 0.0));
  if (op == SS_OP_NEG)
    return simplify_negation (graph, a);
  if (is_negative (graph, a)) {
    /* Odd and even functions: exact in every sane library. */
    if (op == SS_OP_COS || op == SS_OP_ABS)
      return ss_graph_unary (graph, op, operand_of (graph, a, 0));
    if (op == SS_OP_SIN || op == SS_OP_TAN || op == SS_OP_ASIN || op == SS_OP_ATAN)
      return negate (graph, ss_graph_unary (graph, op, operand_of (graph, a, 0)));
  }
  if (op == SS_OP_ABS && is_op (graph, a, SS_OP_ABS))
    return a;
  return intern_op (graph, op, a, SS_EXPR_NONE, SS_EXPR_NONE);
}

static SsExpr
simplify_sum (SsGraph *graph, SsExpr a, SsExpr b)
{
  SsExpr swap;

  if (is_value (graph, a, 0.0))
    return b;
  if (is_value (graph, b, 0.0))
    return a;
  if (a == b)
    return ss_graph_binary (graph, SS_OP_MUL, ss_graph_constant (graph, 2.0), a);
  if (is_negative (graph, b))
    return ss_graph_binary (graph, SS_OP_SUB, a, operand_of (graph, b, 0));
  if (is_negative (graph, a))
    return ss_graph_binary (graph, SS_OP_SUB, b, operand_of (graph, a, 0));
  /* a + b and b + a are one node: constants go last, otherwise the older node first. */
  if (is_fixed (graph, a) || (!is_fixed (graph, b) && b < a)) {
    swap = a;
    a = b;
    b = swap;
  }
  if (is_fixed (graph, b) && is_op (graph, a, SS_OP_ADD) && is_fixed (graph, operand_of (graph, a, 1)))
    return ss_graph_binary (graph, SS_OP_ADD, operand_of (graph, a, 0),
                            ss_graph_binary (graph, SS_OP_ADD, operand_of (graph, a, 1), b));
  return intern_op (graph, SS_OP_ADD, a, b, SS_EXPR_NONE);
}

static SsExpr
simplify_difference (SsGraph *graph, SsExpr a, SsExpr b)
{
  if (a == b)
    return ss_graph_constant (graph, 0.0);
  if (is_value (graph, a, 0.0))
    return negate (graph, b);
  if (is_fixed (graph, b))
    return ss_graph_binary (graph, SS_OP_ADD, a, negate (graph, b));
  if (is_negative (graph, b))
    return ss_graph_binary (graph, SS_OP_ADD, a, operand_of (graph, b, 0));
  if (is_negative (graph, a))
    return negate (graph, ss_graph_binary (graph, SS_OP_ADD, operand_of (graph, a, 0), b));
  return intern_op (graph, SS_OP_SUB, a, b, SS_EXPR_NONE);
}

static SsExpr
simplify_product (SsGraph *graph, SsExpr a, SsExpr b)
{
  SsExpr swap;

  if (is_fixed (graph, b) || (!is_fixed (graph, a) && b < a)) { /* constants first, otherwise the older node */
    swap = a;
    a = b;
    b = swap;
  }
  if (is_value (graph, a, 0.0))
    return ss_graph_constant (graph, 0.0);
  if (is_value (graph, a, 1.0))
    return b;
  if (is_value (graph, a, -1.0))
    return negate (graph, b);
  if (is_negative (graph, a) && is_negative (graph, b))
    return ss_graph_binary (graph, SS_OP_MUL, operand_of (graph, a, 0), operand_of (graph, b, 0));
  if (is_negative (graph, a))
    return negate (graph, ss_graph_binary (graph, SS_OP_MUL, operand_of (graph, a, 0), b));
  if (is_negative (graph, b))
    return negate (graph, ss_graph_binary (graph, SS_OP_MUL, a, operand_of (graph, b, 0)));
  /* Constants gather at the front of a product, where they meet. */
  if (is_op (graph, b, SS_OP_MUL) && is_fixed (graph, operand_of (graph, b, 0))) {
    SsExpr inner = operand_of (graph, b, 0), rest = operand_of (graph, b, 1);

    if (is_fixed (graph, a))
      return ss_graph_binary (graph, SS_OP_MUL, ss_graph_binary (graph, SS_OP_MUL, a, inner), rest);
    return ss_graph_binary (graph, SS_OP_MUL, inner, ss_graph_binary (graph, SS_OP_MUL, a, rest));
  }
  if (is_op (graph, a, SS_OP_MUL) && !is_fixed (graph, a) && is_fixed (graph, operand_of (graph, a, 0))) {
    SsExpr inner = operand_of (graph, a, 0), rest = operand_of (graph, a, 1);

    return ss_graph_binary (graph, SS_OP_MUL, inner, ss_graph_binary (graph, SS_OP_MUL, rest, b));
  }
  return intern_op (graph, SS_OP_MUL, a, b, SS_EXPR_NONE);
}

static SsExpr
simplify_quotient (SsGraph *graph, SsExpr a, SsExpr b)
{
  if (is_value (graph, b, 1.0))
    return a;
  if (is_value (graph, b, -1.0))
    return negate (graph, a);
  if (is_value (graph, a, 0.0) && !is_value (graph, b, 0.0))
    return ss_graph_constant (graph, 0.0);
  if (is_constant (graph, b)) {
    int exponent;

    /* Division by a power of two is an exact multiplication. */
    if (isfinite (value_of (graph, b)) && isnormal (1.0 / value_of (graph, b)) &&
        fabs (frexp (value_of (graph, b), &exponent)) == 0.5)
      return ss_graph_binary (graph, SS_OP_MUL, ss_graph_constant (graph, 1.0 / value_of (graph, b)), a);
  }
  if (is_negative (graph, a))
    return negate (graph, ss_graph_binary (graph, SS_OP_DIV, operand_of (graph, a, 0), b));
  if (is_negative (graph, b))
    return negate (graph, ss_graph_binary (graph, SS_OP_DIV, a, operand_of (graph, b, 0)));
  return intern_op (graph, SS_OP_DIV, a, b, SS_EXPR_NONE);
}

/* x^n for a positive whole n by repeated squaring, from the top bit down. */
static SsExpr
product_power (SsGraph *graph, SsExpr x, int n)
{
  int bit = 1;
  SsExpr power = x;

  while (2 * bit <= n)
    bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2) {
    power = ss_graph_binary (graph, SS_OP_MUL, power, power);
    if (n & bit)
      power = ss_graph_binary (graph, SS_OP_MUL, power, x);
  }
  return power;
}

/* An operation on parameters and constants alone: an operand that changes nothing, or decides alone, as it would with
 * numbers in the places of the parameters. */
static SsExpr
simplify_fixed (SsGraph *graph, SsOp op, SsExpr a, SsExpr b)
{
  const bool a_is_zero = is_value (graph, a, 0.0), b_is_zero = is_value (graph, b, 0.0);

  switch (op) {
  case SS_OP_ADD:
    if (a_is_zero || b_is_zero)
      return a_is_zero ? b : a;
    break;
  case SS_OP_SUB:
    if (a == b)
      return ss_graph_constant (graph, 0.0);
    if (a_is_zero || b_is_zero)
      return a_is_zero ? negate (graph, b) : a;
    break;
  case SS_OP_MUL:
    if (a_is_zero || b_is_zero)
      return ss_graph_constant (graph, 0.0);
    if (is_value (graph, a, 1.0) || is_value (graph, b, 1.0))
      return is_value (graph, a, 1.0) ? b : a;
    break;
  case SS_OP_DIV:
    if (a_is_zero)
      return a;
    if (is_value (graph, b, 1.0))
      return a;
    break;
  case SS_OP_MIN:
  case SS_OP_MAX:
    if (a == b)
      return a;
    break;
  default:
    break;
  }
  return intern_op (graph, op, a, b, SS_EXPR_NONE);
}

static SsExpr
simplify_power (SsGraph *graph, SsExpr a, SsExpr b)
{
  if (is_constant (graph, b)) {
    double n = value_of (graph, b);

    if (n == 0.0)
      return ss_graph_constant (graph, 1.0); /* as pow does, 0^0 and NaN^0 included */
    if (n == floor (n) && fabs (n) <= SS_POW_MAX_EXPONENT) {
      SsExpr power = product_power (graph, a, (int)fabs (n));

      return n > 0.0 ? power : ss_graph_binary (graph, SS_OP_DIV, ss_graph_constant (graph, 1.0), power);
    }
    if (n == 0.5)
      return ss_graph_unary (graph, SS_OP_SQRT, a);
  }
  if (is_value (graph, a, 1.0))
    return a;
  return intern_op (graph, SS_OP_POW, a, b, SS_EXPR_NONE);
}

SsExpr
ss_graph_binary (SsGraph *graph, SsOp op, SsExpr a, SsExpr b)
{
  SS_ASSERT (op_facts[op].arity == 2);
  if (a == SS_EXPR_NONE || b == SS_EXPR_NONE)
    return SS_EXPR_NONE;
  if (is_constant (graph, a) && is_constant (graph, b))
    return ss_graph_constant (graph, ss_op_apply (op, value_of (graph, a), value_of (graph, b), 0.0));
  if (is_fixed (graph, a) && is_fixed (graph, b) && op != SS_OP_POW)
    return simplify_fixed (graph, op, a, b);
  switch (op) {
  case SS_OP_ADD:
    return simplify_sum (graph, a, b);
  case SS_OP_SUB:
    return simplify_difference (graph, a, b);
  case SS_OP_MUL:
    return simplify_product (graph, a, b);
  case SS_OP_DIV:
    return simplify_quotient (graph, a, b);
  case SS_OP_POW:
    return simplify_power (graph, a, b);
  case SS_OP_MIN:
  case SS_OP_MAX:
    if (a == b)
      return a;
    break;
  default:
    break;
  }
  return intern_op (graph, op, a, b, SS_EXPR_NONE);
}

SsExpr
ss_graph_if (SsGraph *graph, SsExpr condition, SsExpr then, SsExpr otherwise)
{
  if (condition == SS_EXPR_NONE || then == SS_EXPR_NONE || otherwise == SS_EXPR_NONE)
    return SS_EXPR_NONE;
  if (is_constant (graph, condition))
    return value_of (graph, condition) != 0.0 ? then : otherwise;
  if (then == otherwise)
    return then;
  return intern_op (graph, SS_OP_IF, condition, then, otherwise);
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

static int
next_tick (const SsGraph *graph)
{
  SsWalk *walk = graph->walk;

  if (walk->tick == INT_MAX) {
    for (int i = 0; i < graph->n_nodes; i++)
      walk->nodes[i].mark = 0;
    walk->tick = 0;
  }
  return ++walk->tick;
}

/* First operand of `e` that the walk has not seen, or SS_EXPR_NONE. */
static SsExpr
unseen_operand (const SsGraph *graph, SsExpr e, int tick)
{
  const SsNode *node = &graph->nodes[e];

  for (int i = 0; i < op_facts[node->op].arity; i++)
    if (graph->walk->nodes[node->operand[i]].mark != tick)
      return node->operand[i];
  return SS_EXPR_NONE;
}

int
ss_graph_walk (const SsGraph *graph, const SsExpr *roots, int n_roots)
{
  SS_ASSERT (graph != NULL && graph->n_nodes <= graph->capacity && n_roots >= 0);

  SsWalkNode *w = graph->walk->nodes;
  int tick = next_tick (graph);
  int n_order = 0;

  for (int r = 0; r < n_roots; r++) {
    int depth = 0;

    if (roots[r] == SS_EXPR_NONE || w[roots[r]].mark == tick)
      continue;
    w[depth++].stack = roots[r];
    while (depth > 0) {
      SsExpr e = w[depth - 1].stack, below = unseen_operand (graph, e, tick);

      if (below != SS_EXPR_NONE) {
        w[depth++].stack = below;
      } else {
        w[e].mark = tick;
        w[e].position = n_order;
        w[n_order++].order = e;
        depth--;
      }
    }
  }
  return n_order;
}

static void
insert_sorted (int *slots, int n, int slot)
{
  int i = n;

  for (; i > 0 && slots[i - 1] > slot; i--)
    slots[i] = slots[i - 1];
  slots[i] = slot;
}

int
ss_graph_inputs (const SsGraph *graph, SsExpr e, int *slots, int max_slots)
{
  int n_order = ss_graph_walk (graph, &e, 1);
  int n_slots = 0;

  for (int k = 0; k < n_order; k++) {
    SsExpr node = graph->walk->nodes[k].order;

    if (!is_op (graph, node, SS_OP_INPUT))
      continue;
    /* Keeps the smallest max_slots of them: beyond, the largest falls off the end. */
    if (n_slots < max_slots)
      insert_sorted (slots, n_slots, operand_of (graph, node, 0));
    else if (max_slots > 0 && operand_of (graph, node, 0) < slots[max_slots - 1])
      insert_sorted (slots, max_slots - 1, operand_of (graph, node, 0));
    n_slots++;
  }
  return n_slots;
}

/* What takes the place of an input: a parameter stays one where it becomes another input. */
static SsExpr
import_input (SsGraph *to, const SsNode *input, SsExpr mapped)
{
  const bool is_parameter = input->operand[1] == SS_INPUT_IS_PARAMETER;

  if (is_parameter && mapped != SS_EXPR_NONE && is_op (to, mapped, SS_OP_INPUT))
    return ss_graph_parameter (to, operand_of (to, mapped, 0));
  return mapped;
}

/* Copies into `to`, which may be `from`: making nodes starts no walk, so order and positions stay valid. */
SsExpr
ss_graph_import (SsGraph *to, const SsGraph *from, SsExpr e, const SsExpr *map, int n_map)
{
  SS_ASSERT (to != NULL && from != NULL);
  SS_ASSERT (n_map >= 0 && (n_map == 0 || map != NULL));

  int n_order;
  SsExpr *copy = NULL, result = SS_EXPR_NONE;

  if (e == SS_EXPR_NONE)
    return SS_EXPR_NONE;
  n_order = ss_graph_walk (from, &e, 1);
  copy = ss_new_array (SsExpr, n_order);
  if (copy == NULL)
    return SS_EXPR_NONE;
  for (int k = 0; k < n_order; k++) {
    /* By value: making nodes may move the pool. */
    SsNode node = from->nodes[from->walk->nodes[k].order];
    SsExpr operand[SS_EXPR_MAX_ARITY] = {SS_EXPR_NONE, SS_EXPR_NONE, SS_EXPR_NONE};
    int arity = op_facts[node.op].arity;

    for (int i = 0; i < arity; i++)
      operand[i] = copy[from->walk->nodes[node.operand[i]].position];
    if (node.op == SS_OP_INPUT)
      copy[k] = import_input (to, &node,
                              node.operand[0] < n_map && map[node.operand[0]] != SS_EXPR_NONE
                                  ? map[node.operand[0]]
                                  : ss_graph_input (to, node.operand[0]));
    else if (node.op == SS_OP_CONSTANT)
      copy[k] = ss_graph_constant (to, node.value);
    else if (arity == 1)
      copy[k] = ss_graph_unary (to, (SsOp)node.op, operand[0]);
    else if (arity == 2)
      copy[k] = ss_graph_binary (to, (SsOp)node.op, operand[0], operand[1]);
    else
      copy[k] = ss_graph_if (to, operand[0], operand[1], operand[2]);
    if (copy[k] == SS_EXPR_NONE)
      goto done;
  }
  result = copy[n_order - 1];

done:
  ss_free (copy);
  return result;
}

SsExpr
ss_graph_substitute (SsGraph *graph, SsExpr e, const SsExpr *map, int n_map)
{
  SS_ASSERT (graph != NULL);
  SS_ASSERT (n_map >= 0 && (n_map == 0 || map != NULL));

  return ss_graph_import (graph, graph, e, map, n_map);
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsGraph *graph;
  const double *inputs;
  int n_inputs;
  double *memo;
  int *stamp;
  int tick;
} EvalContext;

/* Value of a node whose operands have been evaluated. */
static double
eval_node (const EvalContext *c, SsExpr e)
{
  const SsNode *node = &c->graph->nodes[e];
  double x[SS_EXPR_MAX_ARITY] = {0.0, 0.0, 0.0};

  if (node->op == SS_OP_CONSTANT)
    return node->value;
  if (node->op == SS_OP_INPUT)
    return node->operand[0] < c->n_inputs ? c->inputs[node->operand[0]] : NAN;
  for (int i = 0; i < op_facts[node->op].arity; i++)
    x[i] = c->memo[node->operand[i]];
  return ss_op_apply ((SsOp)node->op, x[0], x[1], x[2]);
}

static void
eval_recursive (const EvalContext *c, SsExpr e)
{
  const SsNode *node = &c->graph->nodes[e];

  if (c->stamp[e] == c->tick)
    return;
  for (int i = 0; i < op_facts[node->op].arity; i++)
    eval_recursive (c, node->operand[i]);
  c->memo[e] = eval_node (c, e);
  c->stamp[e] = c->tick;
}

double
ss_graph_eval (const SsGraph *graph, SsExpr e, const double *inputs, int n_inputs, double *memo, int *stamp, int tick)
{
  EvalContext c = {graph, inputs, n_inputs, memo, stamp, tick};

  SS_ASSERT (e >= 0 && e < graph->n_nodes);
  if (graph->nodes[e].height <= SS_EVAL_MAX_RECURSION) {
    eval_recursive (&c, e);
  } else {
    /* Too deep for the stack: ids are in topological order, so every node up to e can be evaluated in turn. */
    for (SsExpr i = 0; i <= e; i++) {
      if (stamp[i] != tick) {
        memo[i] = eval_node (&c, i);
        stamp[i] = tick;
      }
    }
  }
  return memo[e];
}
