/* engine/expr/ss-tape-range.c: interval arithmetic on a tape: between which numbers its outputs lie. */
#include "expr/ss-tape-private.h"

#include <math.h>

typedef struct {
  double low, high;
} Range;

static const Range ALL = {-INFINITY, INFINITY};
static const double PI = 3.14159265358979323846;

/* Ends that are no numbers (infinite minus infinite) say nothing. */
static Range
make (double low, double high)
{
  return (Range){isnan (low) ? -INFINITY : low, isnan (high) ? INFINITY : high};
}

/* 0 times infinite is 0: the infinite end is no value. */
static double
times (double x, double y)
{
  return x == 0 || y == 0 ? 0 : x * y;
}

static Range
multiply (Range x, Range y)
{
  const double p = times (x.low, y.low), q = times (x.low, y.high), r = times (x.high, y.low),
               s = times (x.high, y.high);

  return make (fmin (fmin (p, q), fmin (r, s)), fmax (fmax (p, q), fmax (r, s)));
}

static Range
size_of (Range x)
{
  if (x.low >= 0)
    return x;
  return x.high <= 0 ? (Range){-x.high, -x.low} : (Range){0, fmax (-x.low, x.high)};
}

static Range
divide (Range x, Range y)
{
  if (y.low > 0 || y.high < 0)
    return multiply (x, (Range){1 / y.high, 1 / y.low});
  if (y.low == 0 && x.low >= 0)
    return make (x.low / y.high, INFINITY);
  return ALL;
}

/* Only constant exponents say more than the sign. */
static Range
power (Range x, Range y)
{
  const double k = y.low;

  if (k != y.high || !isfinite (k))
    return x.low >= 0 ? (Range){0, INFINITY} : ALL;
  const bool is_whole = k == floor (k), is_even = is_whole && fmod (k, 2) == 0;
  if (is_even)
    x = size_of (x);
  if (k >= 0 && (x.low >= 0 || is_whole))
    return make (pow (x.low, k), pow (x.high, k));
  if (x.low > 0)
    return make (pow (x.high, k), pow (x.low, k));
  return is_even || x.low >= 0 || !is_whole ? (Range){0, INFINITY} : ALL;
}

static Range
choose (Range condition, Range then, Range otherwise)
{
  if (condition.low > 0 || condition.high < 0)
    return then;
  if (condition.low == 0 && condition.high == 0)
    return otherwise;
  return (Range){fmin (then.low, otherwise.low), fmax (then.high, otherwise.high)};
}

static Range
modulo (Range y)
{
  return make (fmin (0, y.low), fmax (0, y.high));
}

/* x - y of one register is 0, x * x a square. */
static Range
apply (int op, Range x, Range y, Range z, bool is_same)
{
  switch (op) {
  case SS_OP_ADD:
    return make (x.low + y.low, x.high + y.high);
  case SS_OP_SUB:
    return make (x.low - y.high, x.high - y.low);
  case SS_OP_MUL:
    return is_same ? power (x, (Range){2, 2}) : multiply (x, y);
  case SS_OP_DIV:
    return divide (x, y);
  case SS_OP_POW:
    return power (x, y);
  case SS_OP_NEG:
    return (Range){-x.high, -x.low};
  case SS_OP_ABS:
    return size_of (x);
  case SS_OP_MIN:
    return (Range){fmin (x.low, y.low), fmin (x.high, y.high)};
  case SS_OP_MAX:
    return (Range){fmax (x.low, y.low), fmax (x.high, y.high)};
  case SS_OP_SIN:
  case SS_OP_COS:
  case SS_OP_SIGN:
    return (Range){-1, 1};
  case SS_OP_ASIN:
    return (Range){-PI / 2, PI / 2};
  case SS_OP_ACOS:
    return (Range){0, PI};
  case SS_OP_ATAN:
    return (Range){atan (x.low), atan (x.high)};
  case SS_OP_ATAN2:
    return (Range){-PI, PI};
  case SS_OP_SQRT:
    return make (sqrt (fmax (x.low, 0)), sqrt (fmax (x.high, 0)));
  case SS_OP_EXP:
    return make (exp (x.low), exp (x.high));
  case SS_OP_LOG:
    return make (log (fmax (x.low, 0)), log (fmax (x.high, 0)));
  case SS_OP_FLOOR:
    return make (floor (x.low), floor (x.high));
  case SS_OP_MOD:
    return modulo (y);
  case SS_OP_IF:
    return choose (x, y, z);
  case SS_OP_LT:
  case SS_OP_LE:
  case SS_OP_EQ:
  case SS_OP_AND:
  case SS_OP_OR:
  case SS_OP_NOT:
    return (Range){0, 1};
  default:
    return ALL;
  }
}

void
ss_tape_range (const SsTape *tape, const double *low, const double *high, const double *uniform, double *out_low,
               double *out_high, double *work)
{
  SS_ASSERT (tape != NULL);
  const Program *const programs[] = {&tape->prologue, &tape->body};

  for (int p = 0; p < 2; p++)
    for (const Instruction *i = programs[p]->code, *end = i + programs[p]->n; i < end; i++) {
      double *d = work + i->dst;
      const double *a = work + i->a, *b = work + i->b, *c = work + i->c;

      if (i->op == TAPE_STORE || i->op == TAPE_STORE_UNIFORM) {
        out_low[i->dst] = a[0];
        out_high[i->dst] = a[1];
      } else if (i->op == SS_OP_CONSTANT || i->op == TAPE_UNIFORM) {
        d[0] = d[1] = i->op == SS_OP_CONSTANT ? tape->constants[i->a] : uniform[i->a];
      } else if (i->op == SS_OP_INPUT) {
        d[0] = low[i->a];
        d[1] = high[i->a];
      } else {
        const Range r = apply (i->op, (Range){a[0], a[1]}, (Range){b[0], b[1]}, (Range){c[0], c[1]}, i->a == i->b);
        d[0] = r.low;
        d[1] = r.high;
      }
    }
}
