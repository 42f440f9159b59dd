/* engine/fesd/ss-freeze-jump.c: what happens while time stands still: the auxiliary dynamics of paper 001, section 3.2
 * and 4.3; see ss-freeze.h. */
#include "fesd/ss-freeze-private.h"

#include "core/ss-memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Signs count up to this part of the largest numbers. */
static const double sign_tolerance = 1e-10, pi = 3.14159265358979323846;
enum { TRIALS_MAX = 60, SPANS_PER_POINT = 12, ELASTIC_MAX = 20000, SECANTS_MAX = 60 };
/* Elements of an elastic excursion at least: with three stages its speeds are then off by some 1e-9 of themselves,
 * however long the step is. */
enum { ELASTIC_LEAST = 64 };

/* Of a point in a span: acts (c2 < 0: beta = 1), holds (c2 = 0: 0 <= beta <= 1 keeps it), rests without being pushed,
 * follows another point with the same rows. Slip +, -, or stick. */
typedef enum { ACTS, HOLDS, RESTS, FOLLOWS } Part;

typedef struct {
  SsFesdTouch *touch;
  Part part;
  int sign;      /* of the slip; 0: sticks */
  bool has_sign; /* the slip has one: it is not for the span to choose */
  double mu, c2, c3;
  double normal, tangential;   /* rates of the impulses [N] */
  double c2_rate, c3_rate;     /* [m/s2] */
  double impulse_n, impulse_t; /* since the jump began [N s] */
} Point;

typedef struct {
  SsFreeze *f;
  const double *q;
  double *v, rest;
  int n;
  Point *point;
  int *place;           /* of the unknowns: 2 i normal, 2 i + 1 tangential */
  double *matrix, *rhs; /* unknowns */
  int *pivot;
  SsError *err;
} Span;

/* ---- rates ------------------------------------------------------------------------------------------------------- */

static double
coupling (const Span *s, int i, int j)
{
  return s->f->metric.delassus[(size_t)i * 2 * (size_t)s->f->metric.n + (size_t)j];
}

static double
rate (const Span *s, int i)
{
  double sum = 0;
  for (int k = 0; k < s->n; k++)
    sum += coupling (s, i, 2 * k) * s->point[k].normal + coupling (s, i, 2 * k + 1) * s->point[k].tangential;
  return sum;
}

/* Impulse rates of the parts as they are: those that act are known, a_n [001 (16)] and mu a_n against the slip
 * [001 (24)], those that hold or stick follow from c2' = 0, c3' = 0. */
static bool
solve_rates (Span *s)
{
  const double a = s->f->a_n;
  int n = 0;
  for (int i = 0; i < s->n; i++) {
    Point *p = &s->point[i];
    p->normal = p->part == ACTS ? a : 0;
    p->tangential = 0;
    if (p->part == HOLDS)
      s->place[n++] = 2 * i;
    if ((p->part == ACTS || p->part == HOLDS) && p->mu > 0 && p->sign == 0)
      s->place[n++] = 2 * i + 1;
    else if (p->part == ACTS)
      p->tangential = -p->sign * p->mu * a;
  }
  for (int r = 0; r < n; r++) {
    s->rhs[r] = -rate (s, s->place[r]);
    for (int c = 0; c < n; c++) {
      const int of = s->place[c];
      const Point *p = &s->point[of / 2];
      double value = coupling (s, s->place[r], of);
      if (of % 2 == 0 && p->sign != 0) /* with it goes its friction */
        value -= p->sign * p->mu * coupling (s, s->place[r], of + 1);
      s->matrix[c * n + r] = value;
    }
    s->matrix[r * n + r] *= 1 + 16 * DBL_EPSILON;
  }
  if (n > 0 && ss_dense_lu (n, s->matrix, n, s->pivot) != SS_OK)
    return false;
  if (n > 0)
    ss_dense_lu_solve (n, s->matrix, n, s->pivot, s->rhs);
  for (int r = 0; r < n; r++) {
    Point *p = &s->point[s->place[r] / 2];
    if (s->place[r] % 2 == 1)
      p->tangential = s->rhs[r];
    else
      p->normal = s->rhs[r];
  }
  for (int i = 0; i < s->n; i++)
    if (s->point[i].part == HOLDS && s->point[i].sign != 0)
      s->point[i].tangential = -s->point[i].sign * s->point[i].mu * s->point[i].normal;
  for (int i = 0; i < s->n; i++) {
    s->point[i].c2_rate = rate (s, 2 * i);
    s->point[i].c3_rate = rate (s, 2 * i + 1);
  }
  return true;
}

/* One part that contradicts its rates is changed; false: none does. */
static bool
mend (Span *s)
{
  const double a = s->f->a_n, force = sign_tolerance * a;
  for (int i = 0; i < s->n; i++) {
    Point *p = &s->point[i];
    const double speed = sign_tolerance * a * coupling (s, 2 * i, 2 * i);
    if (p->part == HOLDS && p->normal < -force) {
      p->part = RESTS;
      return true;
    }
    if (p->part == HOLDS && p->normal > a + force) { /* it cannot hold: c2 goes below 0 */
      p->part = ACTS;
      return true;
    }
    if (p->part == RESTS && fabs (p->c2) <= s->rest && p->c2_rate < -speed) {
      p->part = HOLDS;
      return true;
    }
    if (p->part == RESTS || p->part == FOLLOWS || p->mu <= 0 || p->has_sign)
      continue;
    if (p->sign == 0 && fabs (p->tangential) > p->mu * p->normal + force) {
      p->sign = p->tangential > 0 ? -1 : 1;
      return true;
    }
    if (p->sign != 0 && p->sign * p->c3_rate < -speed) { /* it would turn back */
      p->sign = 0;
      return true;
    }
  }
  return false;
}

/* What acts, by the signs of c2 and c3 [001 (14) (25a)-(25c)]. */
static bool
choose_parts (Span *s)
{
  for (int i = 0; i < s->n; i++) {
    Point *p = &s->point[i];
    if (p->part == FOLLOWS)
      continue;
    p->part = p->c2 < -s->rest ? ACTS : RESTS;
    p->has_sign = p->mu > 0 && fabs (p->c3) > s->rest;
    p->sign = !p->has_sign ? 0 : p->c3 > 0 ? 1 : -1;
  }
  for (int trial = 0; trial < TRIALS_MAX * s->n; trial++) {
    if (!solve_rates (s))
      return false;
    if (!mend (s))
      return true;
  }
  return false;
}

/* ---- spans ------------------------------------------------------------------------------------------------------- */

/* Numerical time until some c2 or c3 becomes 0 [001 Prop 3]; *which: 2 i or 2 i + 1. */
static double
length_of (const Span *s, int *which)
{
  double length = INFINITY;
  *which = -1;
  for (int i = 0; i < s->n; i++) {
    const Point *p = &s->point[i];
    const double ends[2] = {
        (p->part == ACTS && p->c2_rate > 0) || (p->part == RESTS && p->c2 > s->rest && p->c2_rate < 0)
            ? -p->c2 / p->c2_rate
            : INFINITY,
        p->part != FOLLOWS && p->has_sign && p->sign * p->c3_rate < 0 ? -p->c3 / p->c3_rate : INFINITY};
    for (int k = 0; k < 2; k++)
      if (ends[k] < length) {
        length = fmax (ends[k], 0);
        *which = 2 * i + k;
      }
  }
  return length;
}

static void
push (Span *s, int row, double impulse)
{
  const SsFesdSystem *system = s->f->system;
  const double *push = s->f->metric.push + (size_t)row * (size_t)system->n_free;
  for (int k = 0; k < system->n_free && impulse != 0; k++)
    s->v[system->coordinate[k]] += impulse * push[k];
}

/* Signs of c2 and c3 over the span against the multipliers that acted, by velocities and rows afresh. */
static void
check (Span *s, double c2, double c3, int i)
{
  const Point *p = &s->point[i];
  double missed = 0;
  if (p->part == ACTS)
    missed = fmax (c2, 0);
  else if (p->part == HOLDS)
    missed = fabs (c2);
  if (p->mu > 0 && (p->part == ACTS || p->part == HOLDS))
    missed = fmax (missed, p->sign == 0 ? fabs (c3) : fmax (-p->sign * c3, 0));
  s->f->jump_residual = fmax (s->f->jump_residual, missed);
}

/* Over that numerical time, with its impulses [001 (19)]. */
static void
go (Span *s, double length, int which)
{
  SsFreeze *f = s->f;
  for (int i = 0; i < s->n; i++) {
    Point *p = &s->point[i];
    check (s, p->c2, p->c3, i);
    push (s, 2 * i, length * p->normal);
    push (s, 2 * i + 1, length * p->tangential);
    p->impulse_n += length * p->normal;
    p->impulse_t += length * p->tangential;
  }
  for (int i = 0; i < s->n; i++) {
    Point *p = &s->point[i];
    p->c2 = ss_freeze_rate (f, 2 * i, s->v);
    p->c3 = ss_freeze_rate (f, 2 * i + 1, s->v);
    check (s, p->c2, p->c3, i);
    if (which == 2 * i)
      p->c2 = 0;
    if (which == 2 * i + 1)
      p->c3 = 0;
  }
  if (f->march != NULL)
    f->march->now.tau += length;
}

/* A row within the jump, with the impulses since the one before: both ends of each span. */
static SsStatus
tell (Span *s)
{
  SsFesdMarch *m = s->f->march;
  const int n_items = ss_fesd_n_items (s->f->system);
  if (m == NULL)
    return SS_OK;
  memset (m->impulse, 0, 2 * (size_t)n_items * sizeof *m->impulse);
  for (int i = 0; i < s->n; i++) {
    const Point *p = &s->point[i];
    double *told = m->told_impulse + 2 * p->touch->item, *now = m->impulse + 2 * p->touch->item;
    now[0] = p->impulse_n - told[0];
    now[1] = p->impulse_t - told[1];
    told[0] = p->impulse_n;
    told[1] = p->impulse_t;
  }
  s->f->is_frozen = true;
  SsStatus status = ss_fesd_tell_row (m, m->impulse, s->err);
  s->f->is_frozen = false;
  return status;
}

/* The multipliers of the span, for its rows. */
static void
show (Span *s)
{
  for (int i = 0; i < s->n; i++) {
    const Point *p = &s->point[i];
    s->f->beta[p->touch->item] = p->normal / s->f->a_n;
    s->f->sigma[p->touch->item] = p->normal > 0 && p->mu > 0 ? -p->tangential / (p->mu * p->normal) : 0;
  }
}

static bool
is_over (const Span *s)
{
  for (int i = 0; i < s->n; i++)
    if (s->point[i].part != FOLLOWS && s->point[i].c2 < -s->rest)
      return false;
  return true;
}

/* Whether numerical time is over within that length, which then ends with it. */
static bool
cut (Span *s, double *length)
{
  SsFesdMarch *m = s->f->march;
  if (m == NULL)
    return false;
  const double room = m->options.freeze.tau_end - m->now.tau;
  if (!(*length >= room))
    return false;
  m->is_over = true;
  *length = fmax (room, 0);
  return true;
}

/* Whether numerical time ended within the jump. */
static bool
time_is_over (const Span *s)
{
  return s->f->march != NULL && s->f->march->is_over;
}

static SsStatus
jump_inelastic (Span *s)
{
  for (int spans = 0; spans < SPANS_PER_POINT * s->n; spans++) {
    int which;
    if (is_over (s) || time_is_over (s))
      return SS_OK;
    if (!choose_parts (s))
      return ss_error_set (s->err, SS_ERR_SINGULAR, "the auxiliary dynamics of %d contact points have no multipliers",
                           s->n);
    double length = length_of (s, &which);
    if (cut (s, &length))
      which = -1;
    if (!isfinite (length))
      return ss_error_set (s->err, SS_ERR_SINGULAR,
                           "the auxiliary dynamics never end the approach of %d contact points: friction pushes the "
                           "bodies together",
                           s->n);
    show (s);
    if (tell (s) != SS_OK)
      return SS_ERR_MEMORY;
    go (s, length, which);
    if (tell (s) != SS_OK)
      return SS_ERR_MEMORY;
  }
  return ss_error_set (s->err, SS_ERR_SINGULAR, "the auxiliary dynamics of %d contact points switch without end", s->n);
}

/* ---- elastic ----------------------------------------------------------------------------------------------------- */

/* One element of x' = K x, x = (c1, c2), over h. */
static bool
elastic_element (const SsFreeze *f, double damping, double h, const double x[2], double out[2])
{
  const SsTableau *t = &f->tableau;
  double matrix[4 * SS_TABLEAU_STAGES_MAX * SS_TABLEAU_STAGES_MAX], slope[2 * SS_TABLEAU_STAGES_MAX];
  int pivot[2 * SS_TABLEAU_STAGES_MAX];
  const double k[2][2] = {{0, 1}, {-f->options.stiffness, -damping}};
  const int n = 2 * t->n;
  for (int j = 0; j < t->n; j++)
    for (int r = 0; r < 2; r++) {
      slope[2 * j + r] = k[r][0] * x[0] + k[r][1] * x[1];
      for (int l = 0; l < t->n; l++)
        for (int c = 0; c < 2; c++)
          matrix[(2 * l + c) * n + 2 * j + r] = (j == l && r == c) - h * t->a[j][l] * k[r][c];
    }
  if (ss_dense_lu (n, matrix, n, pivot) != SS_OK)
    return false;
  ss_dense_lu_solve (n, matrix, n, pivot, slope);
  for (int r = 0; r < 2; r++) {
    out[r] = x[r];
    for (int j = 0; j < t->n; j++)
      out[r] += h * t->b[j] * slope[2 * j + r];
  }
  return true;
}

/* At most the length of the step's elements. The excursion takes half an oscillation, 2 pi / sqrt (4 k - c^2). */
static double
elastic_length (const SsFreeze *f, double damping)
{
  return fmin (f->element_length, 2 * pi / sqrt (4 * f->options.stiffness - damping * damping) / ELASTIC_LEAST);
}

/* The length of the last element of the excursion, in (0, h]: c1 = 0. */
static bool
elastic_end (const SsFreeze *f, double damping, double *h, const double x[2], double out[2])
{
  double low = 0, high = *h, next = *h * 0.5;
  for (int i = 0; i < SECANTS_MAX; i++) {
    if (!elastic_element (f, damping, next, x, out))
      return false;
    if (out[0] < 0)
      low = next;
    else
      high = next;
    const double newton = next - out[0] / out[1];
    if (fabs (newton - next) <= 4 * DBL_EPSILON * *h || high - low <= 4 * DBL_EPSILON * *h)
      break;
    next = newton > low && newton < high ? newton : 0.5 * (low + high);
  }
  *h = next;
  return true;
}

/* Under the surface and back: one point after the other, which do not see each other. */
static SsStatus
jump_elastic (Span *s)
{
  SsFreeze *f = s->f;
  SsFesdMarch *m = f->march;
  const SsFesdSystem *system = f->system;
  for (int i = 0; i < s->n; i++) {
    Point *p = &s->point[i];
    if (p->part == FOLLOWS || !(p->c2 < -s->rest) || time_is_over (s))
      continue;
    f->beta[p->touch->item] = 1;
    if (tell (s) != SS_OK)
      return SS_ERR_MEMORY;
    const double e = system->scene->contacts[system->points[p->touch->item].contact].restitution, l = log (e);
    const double damping = 2 * fabs (l) * sqrt (f->options.stiffness / (pi * pi + l * l));
    const double weight = coupling (s, 2 * i, 2 * i), before = p->c2;
    double x[2] = {0, p->c2};
    bool is_back = false;
    for (int k = 0; k < ELASTIC_MAX && !is_back && !time_is_over (s); k++) {
      double h = elastic_length (f, damping), out[2];
      if (!elastic_element (f, damping, h, x, out))
        break;
      is_back = out[0] >= 0;
      double until = h;
      if (is_back && !elastic_end (f, damping, &until, x, out))
        return ss_error_set (s->err, SS_ERR_SINGULAR, "the elastic system has no solution");
      h = until;
      if (cut (s, &until)) {
        is_back = is_back && until >= h;
        h = until;
        if (!is_back && !elastic_element (f, damping, h, x, out))
          break;
      }
      push (s, 2 * i, (out[1] - x[1]) / weight);
      p->impulse_n = (out[1] - before) / weight;
      /* the excursion goes along W n */
      const double *along = f->metric.push + (size_t)(2 * i) * (size_t)system->n_free;
      for (int c = 0; m != NULL && c < system->n_free; c++)
        m->now.q[system->coordinate[c]] += (is_back ? -x[0] : out[0] - x[0]) * along[c] / weight;
      memcpy (x, out, sizeof x);
      if (m != NULL)
        m->now.tau += h;
      if (tell (s) != SS_OK)
        return SS_ERR_MEMORY;
    }
    if (time_is_over (s))
      return SS_OK;
    if (!is_back)
      return ss_error_set (s->err, SS_ERR_SINGULAR,
                           "the elastic system does not come back within %d elements: try a larger k or dt",
                           ELASTIC_MAX);
    p->c2 = ss_freeze_rate (f, 2 * i, s->v);
    f->beta[p->touch->item] = 0;
  }
  return SS_OK;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsStatus
reserve (SsFreeze *f, int n, Span *s, SsError *err)
{
  const size_t room = sizeof (Point) * (size_t)n + sizeof (double) * (size_t)(4 * n * n + 2 * n + 4) +
                      sizeof (int) * (size_t)(4 * n + 4);
  if ((int)room > f->span_capacity) {
    char *block = ss_realloc (f->span, 2 * room, 1);
    if (block == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for a jump of %d points", n);
    f->span = block;
    f->span_capacity = (int)(2 * room);
  }
  s->point = f->span;
  s->matrix = (double *)(s->point + n);
  s->rhs = s->matrix + 4 * n * n;
  s->pivot = (int *)(s->rhs + 2 * n + 1);
  s->place = s->pivot + 2 * n + 1;
  return SS_OK;
}

/* What the march would have said before the jump. */
static SsStatus
begin_beside (SsFreeze *f, const SsFesdImpactCase *what, const double *q, const double *v, const SsFesdTouch *touches,
              int n, SsError *err)
{
  int skew[2];
  f->a_n = f->of->a_n;
  f->element_length = f->of->element_length;
  memcpy (f->far_q, v, (size_t)f->system->n_q * sizeof *v);
  return ss_freeze_find_leaders (f, q, v, touches, n, what->rest, skew, err);
}

SsStatus
ss_freeze_jump (void *owner, SsFesdLaw *law, const SsFesdImpactCase *what, const double *q, double *v,
                SsFesdTouch *touches, int n, double *bilateral, SsError *err)
{
  SS_ASSERT (what != NULL && n >= 0);

  SsFreeze *f = owner;
  const SsFesdSystem *system = f->system;
  Span s = {.f = f, .q = q, .v = v, .rest = what->rest, .n = n, .err = err};
  SsStatus status = reserve (f, n, &s, err);
  if (status == SS_OK && f->of != NULL)
    status = begin_beside (f, what, q, v, touches, n, err);
  if (status == SS_OK)
    status = ss_freeze_take_touches (f, q, touches, n, INFINITY, err);
  if (status == SS_OK)
    status = ss_freeze_metric_set (f, q, v, f->places, n, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < n; i++) {
    const int item = touches[i].item;
    s.point[i] = (Point){.touch = &touches[i],
                         .mu = ss_fesd_mu_of (system, item),
                         .part = f->leader[item] != item && touches[i].rate <= what->rest ? FOLLOWS : RESTS,
                         .c2 = touches[i].rate,
                         .c3 = touches[i].slip};
  }
  memset (f->beta, 0, (size_t)ss_fesd_n_items (system) * sizeof *f->beta);
  memset (f->sigma, 0, (size_t)ss_fesd_n_items (system) * sizeof *f->sigma);
  double *before = f->march != NULL ? f->march->work : f->far_q; /* velocities before the jump */
  status = f->is_elastic ? jump_elastic (&s) : jump_inelastic (&s);
  if (status != SS_OK)
    return status;
  f->is_frozen = time_is_over (&s); /* it ends here */
  for (int i = 0; i < n; i++) {
    touches[i].force_n = s.point[i].impulse_n;
    touches[i].force_t = s.point[i].impulse_t;
  }
  return ss_fesd_law_complete (law, q, before, v, touches, n, bilateral, err);
}

double
ss_freeze_check_jumps (const SsFreeze *f)
{
  SS_ASSERT (f != NULL);
  return f->jump_residual;
}
