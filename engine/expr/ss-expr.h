/* engine/expr/ss-expr.h: scalar expression graphs, formulas in text, symbolic derivatives, tapes.
 *
 * A graph is a growing pool of nodes; equal subexpressions get equal ids (hash-consing, with the usual local
 * simplifications: constants folded, x+0, x*1, x*0, x-x, --x, x^1, x^2 -> x*x ...), so ids can be compared to find
 * equal formulas. Nodes never move or die before the graph does. Inputs are numbered slots; what an input means
 * (variable, parameter) is the caller's business.
 *
 * Errors    node builders return SS_EXPR_NONE when memory runs out or an operand is SS_EXPR_NONE (so failures propagate
 *           and may be checked once at the end); nothing else can go wrong in them.
 * Threads   a graph belongs to one thread at a time, also for functions that take it const: they use its scratch marks.
 *           Only node inspection, ss_expr_format and ss_graph_eval truly read; many threads may call them on a graph
 *           that none changes. A tape is immutable and may be evaluated by many threads at once, each with its own work
 *           array.
 * Tests     tests/unit/test-expr.c: derivatives against finite differences and closed forms on random graphs.
 */
#pragma once

#include "core/ss-core.h"

#include <stdint.h>

typedef struct SsGraph SsGraph;
typedef int32_t SsExpr;
#define SS_EXPR_NONE ((SsExpr)-1)

/* clang-format off */
/* op, name in formulas (or sign), number of operands, smooth (derivatives allowed) */
#define SS_OP_LIST(X)                                                                                                  \
  X (CONSTANT, "constant", 0, true)  X (INPUT, "input", 0, true)                                                       \
  X (ADD, "+", 2, true)  X (SUB, "-", 2, true)  X (MUL, "*", 2, true)  X (DIV, "/", 2, true)  X (POW, "^", 2, true)     \
  X (NEG, "neg", 1, true)  X (SIN, "sin", 1, true)  X (COS, "cos", 1, true)  X (TAN, "tan", 1, true)                   \
  X (ASIN, "asin", 1, true)  X (ACOS, "acos", 1, true)  X (ATAN, "atan", 1, true)  X (ATAN2, "atan2", 2, true)         \
  X (SQRT, "sqrt", 1, true)  X (EXP, "exp", 1, true)  X (LOG, "log", 1, true)                                          \
  X (ABS, "abs", 1, true)  X (MIN, "min", 2, true)  X (MAX, "max", 2, true)  X (SIGN, "sign", 1, true)                  \
  X (LT, "<", 2, false)  X (LE, "<=", 2, false)  X (EQ, "==", 2, false)  X (AND, "and", 2, false)  X (OR, "or", 2, false) \
  X (NOT, "not", 1, false)  X (IF, "if", 3, false)  X (FLOOR, "floor", 1, false)  X (MOD, "mod", 2, false)
/* clang-format on */
typedef enum {
#define X(name, text, arity, smooth) SS_OP_##name,
  SS_OP_LIST (X)
#undef X
      SS_OP_COUNT
} SsOp;
/* abs, min, max have derivatives almost everywhere; at a kink the derivative of the branch that `max(a,b) = a when a >=
 * b`, `abs(x) = x when x >= 0`, `min(a,b) = a when a <= b` selects is used. sign(0) = 0, d sign = 0. They are
 * represented with IF or SIGN nodes inside derivative graphs, which tapes evaluate. */

/* What an operation makes of numbers, as many as it has operands. NaN in either operand of min and max is kept, not
 * hidden by the comparison. */
double ss_op_apply (SsOp op, double a, double b, double c);

/* A graph without nodes. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_graph_new (SsGraph **out, SsError *err);
void ss_graph_free (SsGraph *graph); /* NULL is allowed */
int ss_graph_n_nodes (const SsGraph *graph);
/* False once a node could not be made (out of memory, too many nodes): whoever builds much may ask at the end instead
 * of looking at every expression. */
bool ss_graph_is_whole (const SsGraph *graph);

/* Makes a node, or finds the equal one; constants are folded, and what is simpler without loss is made simpler. An
 * operand that is SS_EXPR_NONE gives SS_EXPR_NONE, as does lack of memory. */
SsExpr ss_graph_constant (SsGraph *graph, double value);
SsExpr ss_graph_input (SsGraph *graph, int slot); /* slot >= 0 */
/* An input that stands for a constant: sums and products gather it, and what is made of such inputs and constants
 * alone, as they gather constants. So a formula has the same form, and the same bits when it is evaluated, as with the
 * numbers in their places (but for what 0, 1, -1 or a power of two would simplify, and equal numbers would share). Its
 * slot is one of the same row as those of other inputs. */
SsExpr ss_graph_parameter (SsGraph *graph, int slot);
SsExpr ss_graph_unary (SsGraph *graph, SsOp op, SsExpr a);
SsExpr ss_graph_binary (SsGraph *graph, SsOp op, SsExpr a, SsExpr b);
SsExpr ss_graph_if (SsGraph *graph, SsExpr condition, SsExpr then, SsExpr otherwise);

/* Node inspection. */
SsOp ss_graph_op (const SsGraph *graph, SsExpr e);
SsExpr ss_graph_operand (const SsGraph *graph, SsExpr e, int which); /* SS_EXPR_NONE beyond the arity */
double ss_graph_value (const SsGraph *graph, SsExpr e);              /* of a CONSTANT                 */
int ss_graph_slot (const SsGraph *graph, SsExpr e);                  /* of an INPUT                   */
bool ss_graph_is_parameter (const SsGraph *graph, SsExpr e);         /* made by ss_graph_parameter    */
bool ss_graph_is_smooth (const SsGraph *graph, SsExpr e);            /* no comparison, if, floor, mod below */
/* Slots of the inputs that `e` reads, ascending, into slots[max_slots]; returns their number (may exceed max_slots). */
int ss_graph_inputs (const SsGraph *graph, SsExpr e, int *slots, int max_slots);
/* Copies `e` with input slots replaced: slot s becomes expression map[s] (of the same graph; map has n_map entries,
 * SS_EXPR_NONE keeps the input). */
SsExpr ss_graph_substitute (SsGraph *graph, SsExpr e, const SsExpr *map, int n_map);
/* The same from one graph into another: slot s of `from` becomes expression map[s] of `to` (SS_EXPR_NONE: the input of
 * the same number). A parameter that becomes another input stays a parameter, there and above. */
SsExpr ss_graph_import (SsGraph *to, const SsGraph *from, SsExpr e, const SsExpr *map, int n_map);

/* Symbolic derivatives. `gradient`: reverse accumulation, out[j] = d e / d input slots[j] (the constant 0 where it
 * vanishes identically; SS_EXPR_NONE for all when memory runs out). `derivative`: with respect to one slot. A user's
 * formula should be checked with ss_graph_is_smooth first; derivatives of derivatives hold if(...) nodes and are
 * differentiated within their branches. */
SsExpr ss_graph_derivative (SsGraph *graph, SsExpr e, int slot);
void ss_graph_gradient (SsGraph *graph, SsExpr e, const int *slots, int n_slots, SsExpr *out);

/* Value of `e` by walking the graph node by node, sharing no code with tapes: the independent evaluator behind the
 * metrics. inputs[n_inputs]; memo is a caller array of at least n_nodes doubles with `stamp` int array of the same
 * length (stamps equal to `tick` mean memo is valid), so that many expressions can be evaluated at one point at linear
 * cost. */
double ss_graph_eval (const SsGraph *graph, SsExpr e, const double *inputs, int n_inputs, double *memo, int *stamp,
                      int tick);

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* What a name in a formula is asked for: its value; its value one point later, of next(name); a constant, in indices
 * and the limits of a sum; or only whether it has a meaning, as it may not be the index of a sum then. */
enum { SS_NAME_VALUE = 0, SS_NAME_NEXT = 1, SS_NAME_CONSTANT = -1, SS_NAME_TAKEN = -2 };

/* Called for each name in a formula; shift is one of SS_NAME_*. Sets *out and returns SS_OK, or fills
 * err->message/expected (position is added by the parser) and returns SS_ERR_INVALID. `name` is not terminated. A name
 * with indices comes as "x[3]" or "A[1,2]", the indices evaluated. */
typedef SsStatus (*SsResolveFunc) (void *user_data, const char *name, size_t length, int shift, SsExpr *out,
                                   SsError *err);

/* Grammar: numbers, names ([A-Za-z_][A-Za-z0-9_.]*), + - * / ^ (right associative, binds tighter than unary minus: -a^2
 * = -(a^2)), unary + -, comparisons < <= > >= == !=, and or not, parentheses, pi, inf is not a number, functions of
 * SS_OP_LIST with their arity (min and max take two or more), if(c,a,b), next(name), indices name[i] and name[i,j],
 * sum(i, from, to, term): the term for each whole i from..to, 0 where there is none. Depth is limited to 200, length to
 * 65536 characters, the sums of one graph to a million terms, 64 MiB when written out. On error err->column is the
 * 1-based position in `text` (err->line is untouched: 0), err->message says what is wrong, err->expected what was
 * expected; unknown functions suggest the nearest name. */
SS_NODISCARD SsStatus ss_expr_parse (SsGraph *graph, const char *text, SsResolveFunc resolve, void *user_data,
                                     SsExpr *out, SsError *err);

/* Writes `e` as a formula (inputs by names[slot], or "in<slot>"); always terminated. For tests and summaries. */
void ss_expr_format (const SsGraph *graph, SsExpr e, const char *const *names, int n_names, char *buffer, size_t size);

/* ---- tapes ------------------------------------------------------------------------------------------------------- */

/* A straight-line program for several outputs, evaluated over many instances at once: one instruction, many instances,
 * in blocks of SS_TAPE_LANES so that the loops vectorise and the intermediate values stay in the first cache. */
typedef struct SsTape SsTape;
enum { SS_TAPE_LANES = 16 };

/* Input slots >= n_varying are uniform (same for all instances): what depends on them alone is computed once per call,
 * not per instance. */
SS_NODISCARD SsStatus ss_tape_new (const SsGraph *graph, const SsExpr *outputs, int n_outputs, int n_varying,
                                   SsTape **out, SsError *err);
void ss_tape_free (SsTape *tape);
int ss_tape_n_inputs (const SsTape *tape); /* highest slot + 1 */
int ss_tape_n_outputs (const SsTape *tape);
int ss_tape_n_instructions (const SsTape *tape);
size_t ss_tape_work_size (const SsTape *tape); /* doubles of `work` */

/* in[slot * ld + instance], out[output * ld + instance] for 0 <= instance < n_instances <= ld. Uniform inputs are
 * passed apart: slots >= n_varying read uniform[slot - n_varying]; n_varying as given to ss_tape_new (asserted). No
 * allocation. Same bits for every split into calls. */
void ss_tape_eval (const SsTape *tape, int n_instances, int ld, const double *in, int n_varying, const double *uniform,
                   double *out, double *work);
/* Between which numbers the outputs lie where each varying input lies within low[slot]..high[slot], infinite where
 * there is no limit: interval arithmetic, so the true range may be smaller. Rounding is left out. One instance; work as
 * for ss_tape_eval. */
void ss_tape_range (const SsTape *tape, const double *low, const double *high, const double *uniform, double *out_low,
                    double *out_high, double *work);
