/* engine/expr/ss-expr-private.h: the node pool behind SsGraph, for the files of this room only.
 *
 * Operands have smaller ids than the nodes that use them, so the pool is in topological order by construction and
 * ascending id is a valid order of evaluation. Every walk is iterative: a sum of 30 000 terms is 30 000 levels deep.
 */
#pragma once

#include "expr/ss-expr.h"

enum { SS_EXPR_MAX_ARITY = 3, SS_INPUT_IS_PARAMETER = 1 };

typedef struct {
  double value; /* of a CONSTANT                                                         */
  /* SS_EXPR_NONE beyond the arity; of an INPUT its slot, then SS_INPUT_IS_PARAMETER where it is one */
  SsExpr operand[SS_EXPR_MAX_ARITY];
  uint8_t op;
  uint8_t smooth : 1;
  uint8_t fixed : 1; /* a CONSTANT, a parameter, or an operation on such alone */
  uint16_t height;   /* levels below, saturating: bounds the recursion of ss_graph_eval         */
} SsNode;

/* Scratch of one walk, one entry a node, grown with the pool so that a walk needs no memory of its own. */
typedef struct {
  int mark;     /* equals SsWalk.tick where the current walk has been    */
  int position; /* place in the current walk's order                     */
  SsExpr order; /* order[k]: k-th node of the walk                       */
  SsExpr stack; /* path of the depth-first search                        */
} SsWalkNode;

typedef struct {
  int tick;
  SsWalkNode *nodes;
} SsWalk;

struct SsGraph {
  int n_nodes;
  int capacity;
  SsNode *nodes;
  int table_size; /* power of two              */
  SsExpr *table;  /* open addressing, by value */
  bool has_gap;   /* a node could not be made */
  int n_terms;    /* of all sum(...) that were read, and the bytes read for them: both have a limit */
  size_t n_terms_bytes;
  SsWalk *walk; /* also used through const graphs: a graph belongs to one thread at a time */
};

/* How tightly what stands in a formula binds, loosest first. */
typedef enum {
  LEVEL_ANY,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARISON,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_SIGN,
  LEVEL_POWER,
  LEVEL_PRIMARY,
} Level;

/* Facts about an operation, from SS_OP_LIST. */
const char *ss_op_text (SsOp op);
int ss_op_arity (SsOp op);

/* Nodes reachable from the roots, operands before users: graph->walk->nodes[k].order for k below the returned count,
 * and nodes[id].position the other way round. Valid until the next walk. Roots that are SS_EXPR_NONE are skipped. */
int ss_graph_walk (const SsGraph *graph, const SsExpr *roots, int n_roots);
