/* engine/bound/ss-interval.h: intervals rounded outward, so that the true value of a formula lies within.
 *
 * A sum or product that is exact stays so: multipliers that cancel must cancel. Any other, and every quotient, is
 * wrong by half a unit in its last place at most; its end is moved by at least a whole one. An infinite end says
 * that there is no limit there, and 0 times such an end is 0: it is no value. What is too large for a double is at
 * least the largest one.
 * Threads: plain values. Tests: tests/numeric/test-bound.c
 */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef struct {
  double low, high;
} SsInterval;

static const SsInterval SS_INTERVAL_ALL = {-INFINITY, INFINITY};

static inline double
ss_round_down (double x)
{
  return isnan (x) ? -INFINITY : isinf (x) ? fmin (x, DBL_MAX) : x - (fabs (x) * 0x1p-52 + 0x1p-1074);
}

static inline double
ss_round_up (double x)
{
  return -ss_round_down (-x);
}

static inline SsInterval
ss_interval (double x)
{
  return (SsInterval){x, x};
}

/* The sum rounded down; exact where it is one. Its error is a double (Knuth's TwoSum). */
static inline double
ss_add_down (double a, double b)
{
  const double s = a + b, part = s - a, error = (a - (s - part)) + (b - part);

  return !isfinite (s) || error < 0 ? ss_round_down (s) : s;
}

static inline SsInterval
ss_interval_add (SsInterval x, SsInterval y)
{
  return (SsInterval){ss_add_down (x.low, y.low), -ss_add_down (-x.high, -y.high)};
}

static inline SsInterval
ss_interval_negate (SsInterval x)
{
  return (SsInterval){-x.high, -x.low};
}

static inline SsInterval
ss_interval_subtract (SsInterval x, SsInterval y)
{
  return ss_interval_add (x, ss_interval_negate (y));
}

static inline double
ss_times (double x, double y)
{
  return x == 0 || y == 0 ? 0 : x * y;
}

/* The product rounded down; exact where it is one and not tiny. */
static inline double
ss_times_down (double a, double b)
{
  const double p = ss_times (a, b);

  if (p == 0 && (a == 0 || b == 0))
    return 0;
  if (!(fabs (p) > 0x1p-900) || !(fabs (p) < 0x1p1000))
    return ss_round_down (p);
  const double error = fma (a, b, -p);
  return error < 0 ? ss_round_down (p) : p;
}

static inline SsInterval
ss_interval_multiply (SsInterval x, SsInterval y)
{
  const double low = fmin (fmin (ss_times_down (x.low, y.low), ss_times_down (x.low, y.high)),
                           fmin (ss_times_down (x.high, y.low), ss_times_down (x.high, y.high)));
  const double high = fmin (fmin (ss_times_down (-x.low, y.low), ss_times_down (-x.low, y.high)),
                            fmin (ss_times_down (-x.high, y.low), ss_times_down (-x.high, y.high)));

  return (SsInterval){low, -high};
}

static inline SsInterval
ss_interval_square (SsInterval x)
{
  const double a = fabs (x.low), b = fabs (x.high), most = fmax (a, b);
  const double least = x.low <= 0 && x.high >= 0 ? 0 : fmin (a, b);

  return (SsInterval){fmax (0, ss_times_down (least, least)), -ss_times_down (-most, most)};
}

/* All numbers where the divisor may be 0. */
static inline SsInterval
ss_interval_divide (SsInterval x, SsInterval y)
{
  if (y.low <= 0 && y.high >= 0)
    return SS_INTERVAL_ALL;
  return ss_interval_multiply (x, (SsInterval){ss_round_down (1 / y.high), ss_round_up (1 / y.low)});
}

static inline SsInterval
ss_interval_meet (SsInterval x, SsInterval y)
{
  return (SsInterval){fmax (x.low, y.low), fmin (x.high, y.high)};
}

static inline bool
ss_interval_has (SsInterval x, double value)
{
  return x.low <= value && value <= x.high;
}
