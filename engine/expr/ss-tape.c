/* engine/expr/ss-tape.c: expression graphs compiled to straight-line programs over lanes.
 *
 * A register is a row of SS_TAPE_LANES doubles in the caller's work array; an instruction reads up to three registers
 * and writes one that is none of them, so that its loop vectorises without alias checks. Registers are reused as soon
 * as their value has been read for the last time, which keeps the working set within the first cache.
 *
 * Two programs: the prologue holds constants, uniform inputs and everything that depends on them alone; it runs once a
 * call and leaves what the body needs in registers that the body never overwrites. The body runs once a block of
 * instances. A short last block is filled up with copies of its last instance, and every lane is computed alone, so an
 * instance's bits do not depend on its company.
 *
 * Uses libm directly and shares no arithmetic with ss_graph_eval, which the metrics trust. */
#include "core/ss-work.h"
#include "expr/ss-expr-private.h"
#include "expr/ss-tape-private.h"

#include <math.h>
#include <string.h>

static const double INSTRUCTION_UNIT = 1; /* counted work of an instruction for one instance */

/* ---- compiling --------------------------------------------------------------------------------------------------- */

/* One compilation; arrays by position in the graph's walk unless said otherwise. */
typedef struct {
  const SsGraph *graph;
  SsTape *tape;
  int n_order;
  bool *varying;
  int *n_uses;       /* instructions that still have to read the value             */
  bool *pinned;      /* uniform value read by the body: its register stays         */
  int *reg;          /* register of the value                                      */
  int *first_output; /* -1 if none                                                 */
  int *next_output;  /* by output: the next one that is the same node              */
  int *free_stack;   /* registers that may be reused                               */
  int n_free;
} Compiler;

static const SsNode *
node_at (const Compiler *c, int k)
{
  return &c->graph->nodes[c->graph->walk->nodes[k].order];
}

static int
position_of (const Compiler *c, SsExpr e)
{
  return c->graph->walk->nodes[e].position;
}

/* Finds what varies, who reads what, and which outputs each node feeds. */
static void
analyse (Compiler *c, const SsExpr *outputs)
{
  SsTape *tape = c->tape;

  for (int k = 0; k < c->n_order; k++) {
    const SsNode *node = node_at (c, k);

    c->first_output[k] = -1;
    if (node->op == SS_OP_INPUT) {
      c->varying[k] = node->operand[0] < tape->n_varying;
      tape->n_inputs = node->operand[0] + 1 > tape->n_inputs ? node->operand[0] + 1 : tape->n_inputs;
    }
    if (node->op == SS_OP_CONSTANT)
      tape->n_constants++;
    for (int i = 0; i < ss_op_arity ((SsOp)node->op); i++) {
      c->varying[k] = c->varying[k] || c->varying[position_of (c, node->operand[i])];
      c->n_uses[position_of (c, node->operand[i])]++;
    }
    for (int i = 0; c->varying[k] && i < ss_op_arity ((SsOp)node->op); i++)
      c->pinned[position_of (c, node->operand[i])] = !c->varying[position_of (c, node->operand[i])];
  }
  for (int j = tape->n_outputs - 1; j >= 0; j--) { /* backwards, so that the lists ascend */
    c->next_output[j] = c->first_output[position_of (c, outputs[j])];
    c->first_output[position_of (c, outputs[j])] = j;
  }
}

static int
take_register (Compiler *c)
{
  return c->n_free > 0 ? c->free_stack[--c->n_free] : c->tape->n_registers++;
}

static void
release_register (Compiler *c, int k)
{
  if (!c->pinned[k])
    c->free_stack[c->n_free++] = c->reg[k];
}

static int
offset_of (const Compiler *c, SsExpr e)
{
  return c->reg[position_of (c, e)] * SS_TAPE_LANES;
}

/* Operands of the instruction for a node that computes, loads or fills. */
static void
set_operands (Compiler *c, const SsNode *node, bool varying, Instruction *instruction)
{
  SsTape *tape = c->tape;

  instruction->op = node->op;
  if (node->op == SS_OP_CONSTANT) {
    tape->constants[tape->n_constants] = node->value;
    instruction->a = tape->n_constants++;
  } else if (node->op == SS_OP_INPUT) {
    instruction->op = varying ? SS_OP_INPUT : TAPE_UNIFORM;
    instruction->a = varying ? node->operand[0] : node->operand[0] - tape->n_varying;
  } else {
    int arity = ss_op_arity ((SsOp)node->op);

    instruction->a = offset_of (c, node->operand[0]);
    instruction->b =
        arity > 1 ? offset_of (c, node->operand[1]) : instruction->a; /* kernels read all three: never dst */
    instruction->c = arity > 2 ? offset_of (c, node->operand[2]) : instruction->a;
  }
}

/* Emits the instruction of the k-th node and the stores of its outputs, then gives back the registers that nobody reads
 * any more. */
static void
emit (Compiler *c, int k)
{
  const SsNode *node = node_at (c, k);
  Program *program = c->varying[k] ? &c->tape->body : &c->tape->prologue;
  Instruction instruction = {0};

  set_operands (c, node, c->varying[k], &instruction);
  c->reg[k] = take_register (c); /* before the operands are released: never one of them */
  instruction.dst = c->reg[k] * SS_TAPE_LANES;
  program->code[program->n++] = instruction;
  for (int j = c->first_output[k]; j >= 0; j = c->next_output[j])
    program->code[program->n++] = (Instruction){
        .op = c->varying[k] ? TAPE_STORE : TAPE_STORE_UNIFORM,
        .dst = j,
        .a = instruction.dst,
    };
  for (int i = 0; i < ss_op_arity ((SsOp)node->op); i++)
    if (--c->n_uses[position_of (c, node->operand[i])] == 0)
      release_register (c, position_of (c, node->operand[i]));
  if (c->n_uses[k] == 0)
    release_register (c, k);
}

static void
compile (Compiler *c)
{
  c->tape->n_constants = 0; /* counted again as they are placed */
  for (int k = 0; k < c->n_order; k++)
    if (!c->varying[k])
      emit (c, k);
  for (int k = 0; k < c->n_order; k++)
    if (c->varying[k])
      emit (c, k);
}

static bool
allocate (Compiler *c)
{
  int n = c->n_order > 0 ? c->n_order : 1, n_out = c->tape->n_outputs > 0 ? c->tape->n_outputs : 1;

  c->varying = ss_new_array (bool, n);
  c->n_uses = ss_new_array (int, n);
  c->pinned = ss_new_array (bool, n);
  c->reg = ss_new_array (int, n);
  c->first_output = ss_new_array (int, n);
  c->next_output = ss_new_array (int, n_out);
  c->free_stack = ss_new_array (int, n);
  c->tape->prologue.code = ss_new_array (Instruction, n + n_out);
  c->tape->body.code = ss_new_array (Instruction, n + n_out);
  c->tape->constants = ss_new_array (double, n);
  return c->varying != NULL && c->n_uses != NULL && c->pinned != NULL && c->reg != NULL && c->first_output != NULL &&
         c->next_output != NULL && c->free_stack != NULL && c->tape->prologue.code != NULL &&
         c->tape->body.code != NULL && c->tape->constants != NULL;
}

/* Gives back the unused ends of the arrays. A failure leaves them as they are. */
static void
trim (SsTape *tape)
{
  void *smaller;

  smaller = ss_realloc (tape->prologue.code, (size_t)tape->prologue.n + 1, sizeof (Instruction));
  tape->prologue.code = smaller != NULL ? smaller : tape->prologue.code;
  smaller = ss_realloc (tape->body.code, (size_t)tape->body.n + 1, sizeof (Instruction));
  tape->body.code = smaller != NULL ? smaller : tape->body.code;
  smaller = ss_realloc (tape->constants, (size_t)tape->n_constants + 1, sizeof (double));
  tape->constants = smaller != NULL ? smaller : tape->constants;
}

SsStatus
ss_tape_new (const SsGraph *graph, const SsExpr *outputs, int n_outputs, int n_varying, SsTape **out, SsError *err)
{
  SS_ASSERT (graph != NULL && out != NULL);
  SS_ASSERT (n_outputs >= 0 && (n_outputs == 0 || outputs != NULL));
  SS_ASSERT (n_varying >= 0);

  Compiler c = {.graph = graph, .tape = ss_new (SsTape)};
  bool complete = c.tape != NULL;

  *out = NULL;
  for (int j = 0; j < n_outputs; j++)
    complete = complete && outputs[j] != SS_EXPR_NONE;
  if (complete) {
    c.tape->n_outputs = n_outputs;
    c.tape->n_varying = n_varying;
    c.n_order = ss_graph_walk (graph, outputs, n_outputs);
    complete = allocate (&c);
  }
  if (complete) {
    analyse (&c, outputs);
    compile (&c);
    trim (c.tape);
    *out = c.tape;
  } else {
    ss_tape_free (c.tape);
  }
  ss_free (c.varying);
  ss_free (c.n_uses);
  ss_free (c.pinned);
  ss_free (c.reg);
  ss_free (c.first_output);
  ss_free (c.next_output);
  ss_free (c.free_stack);
  return complete ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory for an expression tape");
}

void
ss_tape_free (SsTape *tape)
{
  if (tape == NULL)
    return;
  ss_free (tape->constants);
  ss_free (tape->body.code);
  ss_free (tape->prologue.code);
  ss_free (tape);
}

int
ss_tape_n_inputs (const SsTape *tape)
{
  SS_ASSERT (tape != NULL);
  return tape->n_inputs;
}

int
ss_tape_n_outputs (const SsTape *tape)
{
  SS_ASSERT (tape != NULL);
  return tape->n_outputs;
}

int
ss_tape_n_instructions (const SsTape *tape)
{
  SS_ASSERT (tape != NULL);
  return tape->prologue.n + tape->body.n;
}

size_t
ss_tape_work_size (const SsTape *tape)
{
  SS_ASSERT (tape != NULL);
  return (size_t)tape->n_registers * SS_TAPE_LANES;
}

/* ---- evaluating -------------------------------------------------------------------------------------------------- */

/* Arithmetic: all lanes, a loop of known length without aliases, which compilers vectorise. x, y, z are the operands of
 * a lane. */
#define LANE_KERNEL(name, expression)                                                                                  \
  static inline void lanes_##name (double *restrict d, const double *restrict a, const double *restrict b,             \
                                   const double *restrict c)                                                           \
  {                                                                                                                    \
    for (int lane = 0; lane < SS_TAPE_LANES; lane++) {                                                                 \
      double x = a[lane], y = b[lane], z = c[lane];                                                                    \
      (void)x, (void)y, (void)z;                                                                                       \
      d[lane] = (expression);                                                                                          \
    }                                                                                                                  \
  }

/* Library functions: only the lanes in use; the rest repeat the last one. */
#define CALL_KERNEL(name, expression)                                                                                  \
  static void lanes_##name (double *restrict d, const double *restrict a, const double *restrict b, int n_lanes)       \
  {                                                                                                                    \
    for (int lane = 0; lane < n_lanes; lane++) {                                                                       \
      double x = a[lane], y = b[lane];                                                                                 \
      (void)x, (void)y;                                                                                                \
      d[lane] = (expression);                                                                                          \
    }                                                                                                                  \
    for (int lane = n_lanes; lane < SS_TAPE_LANES; lane++)                                                             \
      d[lane] = d[n_lanes - 1];                                                                                        \
  }

/* Remainder with the sign of the divisor. */
static inline double
floor_mod (double x, double y)
{
  double r = fmod (x, y);

  return r != 0.0 && (r < 0.0) != (y < 0.0) ? r + y : r;
}

LANE_KERNEL (add, x + y)
LANE_KERNEL (sub, x - y)
LANE_KERNEL (mul, x *y)
LANE_KERNEL (div, x / y)
LANE_KERNEL (neg, -x)
LANE_KERNEL (abs, fabs (x))
LANE_KERNEL (min, ((x <= y) | (x != x)) ? x : y) /* NaN in either operand is kept */
LANE_KERNEL (max, ((x >= y) | (x != x)) ? x : y)
LANE_KERNEL (sign, x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : x + 0.0))
LANE_KERNEL (lt, x < y ? 1.0 : 0.0)
LANE_KERNEL (le, x <= y ? 1.0 : 0.0)
LANE_KERNEL (eq, x == y ? 1.0 : 0.0)
LANE_KERNEL (and, ((x != 0.0) & (y != 0.0)) ? 1.0 : 0.0)
LANE_KERNEL (or, ((x != 0.0) | (y != 0.0)) ? 1.0 : 0.0)
LANE_KERNEL (not, x == 0.0 ? 1.0 : 0.0)
LANE_KERNEL (if, x != 0.0 ? y : z)
CALL_KERNEL (pow, pow (x, y))
CALL_KERNEL (sin, sin (x))
CALL_KERNEL (cos, cos (x))
CALL_KERNEL (tan, tan (x))
CALL_KERNEL (asin, asin (x))
CALL_KERNEL (acos, acos (x))
CALL_KERNEL (atan, atan (x))
CALL_KERNEL (atan2, atan2 (x, y))
CALL_KERNEL (sqrt, sqrt (x))
CALL_KERNEL (exp, exp (x))
CALL_KERNEL (log, log (x))
CALL_KERNEL (floor, floor (x))
CALL_KERNEL (mod, floor_mod (x, y))

/* What a program runs on: a block of n_lanes instances from `first`, or (prologue) one lane for all n_instances. */
typedef struct {
  const SsTape *tape;
  const double *in, *uniform;
  double *out, *work;
  int ld, n_instances, first, n_lanes;
} Frame;

static void
fill_lanes (double *d, double value)
{
  for (int lane = 0; lane < SS_TAPE_LANES; lane++)
    d[lane] = value;
}

static void
load_lanes (const Frame *f, int slot, double *d)
{
  const double *from = f->in + (size_t)slot * (size_t)f->ld + f->first;

  memcpy (d, from, (size_t)f->n_lanes * sizeof *d);
  for (int lane = f->n_lanes; lane < SS_TAPE_LANES; lane++)
    d[lane] = from[f->n_lanes - 1];
}

static void
store_lanes (const Frame *f, int output, const double *a)
{
  memcpy (f->out + (size_t)output * (size_t)f->ld + f->first, a, (size_t)f->n_lanes * sizeof *a);
}

static void
store_uniform (const Frame *f, int output, double value)
{
  double *to = f->out + (size_t)output * (size_t)f->ld;

  for (int i = 0; i < f->n_instances; i++)
    to[i] = value;
}

static void
run (const Program *program, const Frame *f)
{
  double *w = f->work;

  for (const Instruction *i = program->code, *end = i + program->n; i < end; i++) {
    switch (i->op) {
#define LANES(OP, name)                                                                                                \
  case SS_OP_##OP:                                                                                                     \
    lanes_##name (w + i->dst, w + i->a, w + i->b, w + i->c);                                                           \
    break;
#define CALL(OP, name)                                                                                                 \
  case SS_OP_##OP:                                                                                                     \
    lanes_##name (w + i->dst, w + i->a, w + i->b, f->n_lanes);                                                         \
    break;
      LANES (ADD, add)
      LANES (SUB, sub)
      LANES (MUL, mul)
      LANES (DIV, div)
      LANES (NEG, neg)
      LANES (ABS, abs)
      LANES (MIN, min)
      LANES (MAX, max)
      LANES (SIGN, sign)
      LANES (LT, lt)
      LANES (LE, le)
      LANES (EQ, eq)
      LANES (AND, and)
      LANES (OR, or)
      LANES (NOT, not )
      LANES (IF, if)
      CALL (POW, pow)
      CALL (SIN, sin)
      CALL (COS, cos)
      CALL (TAN, tan)
      CALL (ASIN, asin)
      CALL (ACOS, acos)
      CALL (ATAN, atan)
      CALL (ATAN2, atan2)
      CALL (SQRT, sqrt)
      CALL (EXP, exp)
      CALL (LOG, log)
      CALL (FLOOR, floor)
      CALL (MOD, mod)
#undef LANES
#undef CALL
    case SS_OP_CONSTANT:
      fill_lanes (w + i->dst, f->tape->constants[i->a]);
      break;
    case TAPE_UNIFORM:
      fill_lanes (w + i->dst, f->uniform[i->a]);
      break;
    case SS_OP_INPUT:
      load_lanes (f, i->a, w + i->dst);
      break;
    case TAPE_STORE:
      store_lanes (f, i->dst, w + i->a);
      break;
    case TAPE_STORE_UNIFORM:
      store_uniform (f, i->dst, w[i->a]);
      break;
    default:
      SS_ASSERT (false);
    }
  }
}

void
ss_tape_eval (const SsTape *tape, int n_instances, int ld, const double *in, int n_varying, const double *uniform,
              double *out, double *work)
{
  Frame frame = {.tape = tape,
                 .in = in,
                 .uniform = uniform,
                 .out = out,
                 .work = work,
                 .ld = ld,
                 .n_instances = n_instances,
                 .n_lanes = 1};

  SS_ASSERT (n_varying == tape->n_varying && n_instances <= ld);
  (void)n_varying;
  if (n_instances <= 0)
    return;
  ss_work_add (INSTRUCTION_UNIT * (tape->prologue.n + (double)tape->body.n * n_instances));
  run (&tape->prologue, &frame);
  for (frame.first = 0; frame.first < n_instances; frame.first += SS_TAPE_LANES) {
    int rest = n_instances - frame.first;

    frame.n_lanes = rest < SS_TAPE_LANES ? rest : SS_TAPE_LANES;
    run (&tape->body, &frame);
  }
}
