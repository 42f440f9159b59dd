/* engine/bound/ss-bound-least.c: least values of a stage's functions over boxes, see ss-bound-chain-private.h. */
#include "bound/ss-bound-chain-private.h"

static const double PI = 3.14159265358979323846;
static const double NEAR_EXTREME = 1e-9; /* of a multiple of pi: counts as one */
static const double LIBM = 0x1p-50;      /* what sine and cosine are wrong by at most */

static SsInterval
cosine (SsInterval x)
{
  if (!(x.high - x.low < 6) || !(fabs (x.low) < 1e6) || !(fabs (x.high) < 1e6))
    return (SsInterval){-1, 1};
  const double a = cos (x.low), b = cos (x.high), first = ceil (x.low / PI - NEAR_EXTREME);
  SsInterval range = {fmin (a, b) - LIBM, fmax (a, b) + LIBM};
  for (double k = first; k <= x.high / PI + NEAR_EXTREME; k++) {
    if (fmod (fabs (k), 2) == 0)
      range.high = 1;
    else
      range.low = -1;
  }
  return ss_interval_meet (range, (SsInterval){-1, 1});
}

static SsInterval
sine (SsInterval x)
{
  if (!(x.high - x.low < 6) || !(fabs (x.low) < 1e6) || !(fabs (x.high) < 1e6))
    return (SsInterval){-1, 1};
  const double a = sin (x.low), b = sin (x.high), first = ceil (x.low / PI - 0.5 - NEAR_EXTREME);
  SsInterval range = {fmin (a, b) - LIBM, fmax (a, b) + LIBM};
  for (double k = first; k <= x.high / PI - 0.5 + NEAR_EXTREME; k++) {
    if (fmod (fabs (k), 2) == 0)
      range.high = 1;
    else
      range.low = -1;
  }
  return ss_interval_meet (range, (SsInterval){-1, 1});
}

static SsInterval
range_of_terms (const SsBoundTerms *f, const SsInterval *box)
{
  SsInterval sum = ss_interval (0);

  for (int e = 0; e < f->n; e++) {
    const SsBoundTerm *t = &f->terms[e];
    SsInterval value = t->c;
    if (t->i >= 0 && t->i == t->j)
      value = ss_interval_multiply (value, ss_interval_square (box[t->i]));
    else if (t->i >= 0)
      value = ss_interval_multiply (value, t->j < 0 ? box[t->i] : ss_interval_multiply (box[t->i], box[t->j]));
    sum = ss_interval_add (sum, value);
  }
  return sum;
}

/* A few functions; of others what is always known. */
void
ss_bound_range_auxiliary (const SsBoundStagePoint *at, int n, const SsInterval *known, SsInterval *box)
{
  SS_ASSERT (at != NULL && n >= 0);
  for (int i = 0; i < at->n_auxiliary; i++) {
    const SsBoundStageAuxiliary *w = &at->auxiliary[i];
    const SsInterval a = range_of_terms (&w->a, box);
    SsInterval range = known[i];
    if (w->op == SS_OP_COS)
      range = cosine (a);
    else if (w->op == SS_OP_SIN)
      range = sine (a);
    else if (w->op == SS_OP_ADD)
      range = ss_interval_meet (range, a);
    else if (w->op == SS_OP_DIV)
      range = ss_interval_divide (a, range_of_terms (&w->b, box));
    else if (w->op == SS_OP_SQRT)
      range = (SsInterval){fmax (0, ss_round_down (sqrt (fmax (0, a.low)))), ss_round_up (sqrt (fmax (0, a.high)))};
    box[n + i] = range;
  }
}

/* Of square z^2 + slope z over [low, high] of one sign of z, square > 0. */
static double
least_of_parabola (double square, double slope, double low, double high)
{
  const SsInterval twice = {2 * square, 2 * square};

  if (low > high)
    return INFINITY;
  if (isfinite (low) && ss_interval_add (ss_interval_multiply (twice, ss_interval (low)), ss_interval (slope)).low >= 0)
    return ss_add_down (ss_times_down (square, ss_times_down (low, low)), ss_times_down (slope, low));
  if (isfinite (high) &&
      ss_interval_add (ss_interval_multiply (twice, ss_interval (high)), ss_interval (slope)).high <= 0)
    return ss_add_down (ss_times_down (square, ss_times_down (high, high)), ss_times_down (slope, high));
  return -ss_round_up (ss_round_up (slope * slope) / (4 * square));
}

static double
least_of_one (double square, SsInterval slope, SsInterval z)
{
  if (!isfinite (slope.low) || !isfinite (slope.high) || !(square > 0x1p-500)) {
    const SsInterval linear = ss_interval_multiply (slope, z);
    return ss_add_down (linear.low,
                        square < 0 ? ss_interval_multiply (ss_interval (square), ss_interval_square (z)).low : 0);
  }
  return fmin (least_of_parabola (square, slope.low, fmax (0, z.low), z.high),
               least_of_parabola (square, slope.high, z.low, fmin (0, z.high)));
}

void
ss_bound_sum_up (const SsBoundBranch *b, const SsInterval *value, const SsInterval *box, SsBoundSum *out)
{
  SS_ASSERT (b != NULL && out != NULL);
  out->constant = ss_interval (0);
  for (int e = 0; e < b->n_owners; e++)
    out->slope[e] = out->square[e] = ss_interval (0);
  for (int e = 0; e < b->n_parts; e++) {
    const SsBoundPart *part = &b->parts[e];
    const SsInterval c = value[part->term];
    if (part->owner < 0) {
      SsInterval all = part->i < 0 ? ss_interval (1) : part->j < 0 ? box[part->i] : SS_INTERVAL_ALL;
      if (part->j >= 0)
        all =
            part->i == part->j ? ss_interval_square (box[part->i]) : ss_interval_multiply (box[part->i], box[part->j]);
      out->constant = ss_interval_add (out->constant, ss_interval_multiply (c, all));
    } else {
      const int own = b->owners[part->owner], other = part->i == own ? part->j : part->i;
      SsInterval *sum = part->i == part->j ? &out->square[part->owner] : &out->slope[part->owner];
      *sum = ss_interval_add (*sum, other < 0 || part->i == part->j ? c : ss_interval_multiply (c, box[other]));
    }
  }
}

/* Least value of one + by * other over the box. */
double
ss_bound_least (const SsBoundBranch *b, const SsBoundSum *one, const SsBoundSum *other, double by,
                const SsInterval *box)
{
  SS_ASSERT (b != NULL && one != NULL && other != NULL);

  double sum = ss_add_down (one->constant.low, ss_bound_times (other->constant, by).low);

  for (int e = 0; e < b->n_owners; e++)
    sum = ss_add_down (sum, least_of_one (ss_add_down (one->square[e].low, ss_bound_times (other->square[e], by).low),
                                          ss_interval_add (one->slope[e], ss_bound_times (other->slope[e], by)),
                                          box[b->owners[e]]));
  return isnan (sum) ? -INFINITY : sum;
}
