/* engine/expr/ss-format.c: formulas back to text. */
#include "expr/ss-expr-private.h"

#include <math.h>
#include <stdio.h>

typedef struct {
  const SsGraph *graph;
  const char *const *names;
  int n_names;
  char *buffer;
  size_t size, used;
  int depth;
} Writer;

/* Deeper parts are written as "...": text that nobody reads, and recursion that has to end. */
enum { SS_FORMAT_MAX_DEPTH = 1000 };

static void
put (Writer *w, const char *text)
{
  while (*text != '\0' && w->used + 1 < w->size)
    w->buffer[w->used++] = *text++;
}

static void write_node (Writer *w, SsExpr e, Level context);

static void
write_number (Writer *w, double value)
{
  char text[32];

  ss_format_double (value, text, sizeof text);
  put (w, text);
}

static void
write_call (Writer *w, SsExpr e)
{
  SsOp op = ss_graph_op (w->graph, e);

  put (w, ss_op_text (op));
  put (w, "(");
  for (int i = 0; i < ss_op_arity (op); i++) {
    if (i > 0)
      put (w, ", ");
    write_node (w, ss_graph_operand (w->graph, e, i), LEVEL_ANY);
  }
  put (w, ")");
}

static Level
level_of (const SsGraph *graph, SsExpr e)
{
  switch (ss_graph_op (graph, e)) {
  case SS_OP_CONSTANT:
    return signbit (ss_graph_value (graph, e)) ? LEVEL_SIGN : LEVEL_PRIMARY;
  case SS_OP_OR:
    return LEVEL_OR;
  case SS_OP_AND:
    return LEVEL_AND;
  case SS_OP_NOT:
    return LEVEL_NOT;
  case SS_OP_LT:
  case SS_OP_LE:
  case SS_OP_EQ:
    return LEVEL_COMPARISON;
  case SS_OP_ADD:
  case SS_OP_SUB:
    return LEVEL_SUM;
  case SS_OP_MUL:
  case SS_OP_DIV:
    return LEVEL_PRODUCT;
  case SS_OP_NEG:
    return LEVEL_SIGN;
  case SS_OP_POW:
    return LEVEL_POWER;
  default:
    return LEVEL_PRIMARY;
  }
}

/* left, sign, right; the right operand of a left-associative operator needs a tighter level than the operator's own. */
static void
write_infix (Writer *w, SsExpr e, Level level)
{
  SsOp op = ss_graph_op (w->graph, e);
  SsExpr a = ss_graph_operand (w->graph, e, 0), b = ss_graph_operand (w->graph, e, 1);
  bool tight = op == SS_OP_MUL || op == SS_OP_DIV || op == SS_OP_POW;
  Level left = op == SS_OP_POW ? LEVEL_PRIMARY : level == LEVEL_COMPARISON ? LEVEL_SUM : level;
  Level right = op == SS_OP_POW ? LEVEL_SIGN : (Level)(level + 1);

  write_node (w, a, left);
  if (op == SS_OP_ADD && ss_graph_op (w->graph, b) == SS_OP_CONSTANT && signbit (ss_graph_value (w->graph, b))) {
    put (w, " - ");
    write_number (w, -ss_graph_value (w->graph, b));
    return;
  }
  if (!tight)
    put (w, " ");
  put (w, ss_op_text (op));
  if (!tight)
    put (w, " ");
  write_node (w, b, right);
}

static void
write_input (Writer *w, int slot)
{
  char text[32];

  if (slot < w->n_names && w->names[slot] != NULL) {
    put (w, w->names[slot]);
    return;
  }
  snprintf (text, sizeof text, "in%d", slot);
  put (w, text);
}

static void
write_node (Writer *w, SsExpr e, Level context)
{
  Level level = level_of (w->graph, e);

  if (w->used + 1 >= w->size)
    return; /* full: shared subexpressions could unfold into exponentially long text */
  if (++w->depth > SS_FORMAT_MAX_DEPTH) {
    put (w, "...");
    w->depth--;
    return;
  }
  if (level < context)
    put (w, "(");
  if (ss_graph_op (w->graph, e) == SS_OP_CONSTANT) {
    write_number (w, ss_graph_value (w->graph, e));
  } else if (ss_graph_op (w->graph, e) == SS_OP_INPUT) {
    write_input (w, ss_graph_slot (w->graph, e));
  } else if (level == LEVEL_SIGN) {
    put (w, "-");
    write_node (w, ss_graph_operand (w->graph, e, 0), LEVEL_SIGN);
  } else if (level == LEVEL_NOT) {
    put (w, "not ");
    write_node (w, ss_graph_operand (w->graph, e, 0), LEVEL_NOT);
  } else if (level == LEVEL_PRIMARY) {
    write_call (w, e);
  } else {
    write_infix (w, e, level);
  }
  if (level < context)
    put (w, ")");
  w->depth--;
}

void
ss_expr_format (const SsGraph *graph, SsExpr e, const char *const *names, int n_names, char *buffer, size_t size)
{
  SS_ASSERT (graph != NULL && buffer != NULL && size > 0);

  Writer w = {.graph = graph, .names = names, .n_names = names != NULL ? n_names : 0, .buffer = buffer, .size = size};

  if (size == 0)
    return;
  if (e != SS_EXPR_NONE)
    write_node (&w, e, LEVEL_ANY);
  buffer[w.used] = '\0';
}
