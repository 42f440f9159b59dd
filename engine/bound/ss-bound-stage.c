/* engine/bound/ss-bound-stage.c: see ss-bound-stage.h. */
#include "bound/ss-bound-stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_POINT = -1 };

typedef struct {
  int n, *index, *start; /* of items by point: start has n_points + 1 */
} Buckets;

typedef struct {
  const SsScenario *scenario;
  const SsBoundProblem *p;
  SsBoundStages *out;
  SsArena *arena; /* of what is read now */
  int n, n_points;
  int *point_of; /* of all variables */
  Buckets rows, pairs, linear, products;
  char *why;
  size_t why_size;
  bool is_out_of_memory;
} Reader;

typedef struct {
  int index, next; /* next: the variable that the row carries on, -1: none */
  bool is_equality;
  SsBoundTerms terms; /* without it */
  double factor;      /* of it */
} RowRead;

typedef struct {
  int index;
  SsBoundTerms a, b;
} PairRead;

typedef struct {
  SsBoundStagePoint at;
  int n_rows, n_pairs;
  bool is_all; /* no row or pair was left out */
  RowRead *rows;
  PairRead *pairs;
} PointRead;

static bool
refuse (Reader *r, const char *what, int k)
{
  if (r->why != NULL && r->why[0] == '\0')
    snprintf (r->why, r->why_size, "%s at k = %d", what, k);
  return false;
}

static void *
take (Reader *r, SsArena *arena, int count, size_t size)
{
  void *block = ss_arena_alloc (arena, (size_t)count + 1, size);

  r->is_out_of_memory = r->is_out_of_memory || block == NULL;
  return block;
}

bool
ss_bound_terms_use (const SsBoundTerms *terms, int variable)
{
  SS_ASSERT (terms != NULL);
  for (int i = 0; i < terms->n; i++)
    if (terms->terms[i].i == variable || terms->terms[i].j == variable)
      return true;
  return false;
}

static bool
is_same_terms (const SsBoundTerms *a, const SsBoundTerms *b)
{
  bool is_same = a->n == b->n;

  for (int i = 0; i < a->n && is_same; i++) {
    const SsBoundTerm *x = &a->terms[i], *y = &b->terms[i];
    is_same = x->i == y->i && x->j == y->j && x->c.low == y->c.low && x->c.high == y->c.high;
  }
  return is_same;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static int
form_point (const Reader *r, const SsBoundForm *f, int point)
{
  for (int i = 0; i < f->n_linear; i++) {
    const int at = r->point_of[f->variable[i]];
    point = point == NO_POINT || at < point ? at : point;
  }
  for (int i = 0; i < f->n_products; i++) {
    const SsBoundProduct *xy = &r->p->products[f->product[i]];
    const int x = r->point_of[xy->x], y = r->point_of[xy->y], at = x < y ? x : y;
    point = point == NO_POINT || at < point ? at : point;
  }
  return point;
}

/* The point of each auxiliary variable: the first that it reads. They are made point by point. */
static bool
place_variables (Reader *r)
{
  const SsBoundProblem *p = r->p;
  int *first = r->out->first_auxiliary, at = 0;

  for (int i = 0; i < p->n_model; i++)
    r->point_of[i] = i / r->n;
  first[0] = p->n_model;
  for (int i = 0; i < p->n_auxiliary; i++) {
    const SsBoundAuxiliary *w = &p->auxiliary[i];
    const int point = form_point (r, &w->b, form_point (r, &w->a, NO_POINT));
    if (point < at)
      return refuse (r, "a function's argument belongs to no point", at);
    r->point_of[p->n_model + i] = point;
    while (at < point)
      first[++at] = p->n_model + i;
  }
  while (at < r->n_points)
    first[++at] = p->n;
  return true;
}

static void
fill_buckets (Reader *r, Buckets *b, int n, int (*point) (const Reader *r, int item))
{
  b->n = n;
  b->index = take (r, r->out->arena, n, sizeof (int));
  b->start = take (r, r->out->arena, r->n_points + 1, sizeof (int));
  int *next = take (r, r->out->arena, r->n_points + 1, sizeof (int));
  if (r->is_out_of_memory)
    return;
  for (int i = 0; i < n; i++)
    b->start[point (r, i) + 1]++;
  for (int k = 0; k < r->n_points; k++)
    b->start[k + 1] += b->start[k];
  memcpy (next, b->start, ((size_t)r->n_points + 1) * sizeof (int));
  for (int i = 0; i < n; i++)
    b->index[next[point (r, i)]++] = i;
}

static int
point_of_row (const Reader *r, int i)
{
  return r->p->rows[i].point;
}

static int
point_of_pair (const Reader *r, int i)
{
  return r->p->pairs[i].point;
}

static int
point_of_linear (const Reader *r, int i)
{
  return r->point_of[r->p->objective.variable[i]];
}

static int
point_of_product (const Reader *r, int i)
{
  const SsBoundProduct *xy = &r->p->products[r->p->objective.product[i]];
  const int x = r->point_of[xy->x], y = r->point_of[xy->y];

  return x < y ? x : y;
}

/* ---- a point ----------------------------------------------------------------------------------------------------- */

/* Local number; -1: it is of another point. */
static int
local (const Reader *r, int k, int variable)
{
  return r->point_of[variable] != k ? -1
         : variable < r->p->n_model ? variable % r->n
                                    : r->n + variable - r->out->first_auxiliary[k];
}

/* The terms of a form; of `next` (may be NULL) the one variable of the next point, which stands alone with 1 or -1.
 * FALSE: it is no form of that point. */
static bool
read_terms (Reader *r, int k, const SsBoundForm *f, int *next, double *factor, SsBoundTerms *out)
{
  int n = 0;

  out->terms = take (r, r->arena, f->n_linear + f->n_products + 1, sizeof (SsBoundTerm));
  if (r->is_out_of_memory)
    return false;
  if (next != NULL)
    *next = -1;
  if (f->constant.low != 0 || f->constant.high != 0)
    out->terms[n++] = (SsBoundTerm){-1, -1, f->constant};
  for (int i = 0; i < f->n_linear; i++) {
    const int v = f->variable[i], at = local (r, k, v);
    if (at >= 0) {
      out->terms[n++] = (SsBoundTerm){at, -1, f->linear[i]};
    } else if (next != NULL && *next < 0 && v < r->p->n_model && r->point_of[v] == k + 1 &&
               f->linear[i].low == f->linear[i].high && fabs (f->linear[i].low) == 1) {
      *next = v % r->n;
      *factor = f->linear[i].low;
    } else {
      return false;
    }
  }
  for (int i = 0; i < f->n_products; i++) {
    const SsBoundProduct *xy = &r->p->products[f->product[i]];
    const int x = local (r, k, xy->x), y = local (r, k, xy->y);
    if (x < 0 || y < 0)
      return false;
    out->terms[n++] = (SsBoundTerm){x < y ? x : y, x < y ? y : x, f->quadratic[i]};
  }
  out->n = n;
  return true;
}

/* Objective and auxiliary variables of a point; FALSE: they read others. */
static bool
read_point (Reader *r, int k, SsBoundStagePoint *out)
{
  const SsBoundProblem *p = r->p;
  const SsBoundForm *f = &p->objective;
  const int first = r->out->first_auxiliary[k], n = r->out->first_auxiliary[k + 1] - first;
  const int n_linear = r->linear.start[k + 1] - r->linear.start[k],
            n_products = r->products.start[k + 1] - r->products.start[k];
  SsBoundStageAuxiliary *auxiliary = take (r, r->arena, n, sizeof *auxiliary);

  *out = (SsBoundStagePoint){.n_auxiliary = n, .auxiliary = auxiliary};
  out->cost.terms = take (r, r->arena, n_linear + n_products, sizeof (SsBoundTerm));
  if (r->is_out_of_memory)
    return false;
  for (int i = 0; i < n; i++) {
    const SsBoundAuxiliary *w = &p->auxiliary[first - p->n_model + i];
    auxiliary[i].op = w->op;
    if (!read_terms (r, k, &w->a, NULL, NULL, &auxiliary[i].a) ||
        !read_terms (r, k, &w->b, NULL, NULL, &auxiliary[i].b))
      return refuse (r, "a function couples points", k);
  }
  for (int e = r->linear.start[k]; e < r->linear.start[k + 1]; e++) {
    const int i = r->linear.index[e];
    out->cost.terms[out->cost.n++] = (SsBoundTerm){local (r, k, f->variable[i]), -1, f->linear[i]};
  }
  for (int e = r->products.start[k]; e < r->products.start[k + 1]; e++) {
    const int i = r->products.index[e];
    const int x = local (r, k, p->products[f->product[i]].x), y = local (r, k, p->products[f->product[i]].y);
    if (x < 0 || y < 0)
      return refuse (r, "the cost couples points", k);
    out->cost.terms[out->cost.n++] = (SsBoundTerm){x < y ? x : y, x < y ? y : x, f->quadratic[i]};
  }
  return true;
}

/* Those of its rows and pairs that read no other point, but for one next variable. */
static bool
read_rows (Reader *r, int k, PointRead *out)
{
  const Buckets *rows = &r->rows, *pairs = &r->pairs;

  out->rows = take (r, r->arena, rows->start[k + 1] - rows->start[k], sizeof (RowRead));
  out->pairs = take (r, r->arena, pairs->start[k + 1] - pairs->start[k], sizeof (PairRead));
  if (r->is_out_of_memory)
    return false;
  for (int e = rows->start[k]; e < rows->start[k + 1]; e++) {
    RowRead *row = &out->rows[out->n_rows];
    row->index = rows->index[e];
    row->is_equality = r->p->rows[row->index].is_equality;
    out->n_rows += read_terms (r, k, &r->p->rows[row->index].form, &row->next, &row->factor, &row->terms);
  }
  for (int e = pairs->start[k]; e < pairs->start[k + 1]; e++) {
    PairRead *pair = &out->pairs[out->n_pairs];
    pair->index = pairs->index[e];
    out->n_pairs += read_terms (r, k, &r->p->pairs[pair->index].a, NULL, NULL, &pair->a) &&
                    read_terms (r, k, &r->p->pairs[pair->index].b, NULL, NULL, &pair->b);
  }
  out->is_all =
      out->n_rows == rows->start[k + 1] - rows->start[k] && out->n_pairs == pairs->start[k + 1] - pairs->start[k];
  return !r->is_out_of_memory;
}

/* ---- all stages -------------------------------------------------------------------------------------------------- */

static bool
is_same_row (const RowRead *a, const RowRead *b)
{
  return a->next == b->next && a->is_equality == b->is_equality && (a->next < 0 || a->factor == b->factor) &&
         is_same_terms (&a->terms, &b->terms);
}

/* Rows and pairs of `point` that this stage lacks hold no more: they come in the same order. */
static void
strike_rows (Reader *r, const PointRead *ours, const PointRead *theirs)
{
  int at = 0;

  for (int i = 0; i < ours->n_rows; i++) {
    int found = at;
    while (found < theirs->n_rows && !is_same_row (&ours->rows[i], &theirs->rows[found]))
      found++;
    if (found == theirs->n_rows)
      r->out->row_holds[ours->rows[i].index] = false;
    else
      at = found + 1;
  }
  at = 0;
  for (int i = 0; i < ours->n_pairs; i++) {
    int found = at;
    while (found < theirs->n_pairs && !(is_same_terms (&ours->pairs[i].a, &theirs->pairs[found].a) &&
                                        is_same_terms (&ours->pairs[i].b, &theirs->pairs[found].b)))
      found++;
    if (found == theirs->n_pairs)
      r->out->pair_holds[ours->pairs[i].index] = false;
    else
      at = found + 1;
  }
}

static bool
is_same_point (const SsBoundStagePoint *a, const SsBoundStagePoint *b)
{
  bool is_same = a->n_auxiliary == b->n_auxiliary && is_same_terms (&a->cost, &b->cost);

  for (int i = 0; i < a->n_auxiliary && is_same; i++)
    is_same = a->auxiliary[i].op == b->auxiliary[i].op && is_same_terms (&a->auxiliary[i].a, &b->auxiliary[i].a) &&
              is_same_terms (&a->auxiliary[i].b, &b->auxiliary[i].b);
  return is_same;
}

/* x_{k+1} - x_k of a row factor x_{k+1} + terms = 0. */
static bool
set_change (Reader *r, const RowRead *row, SsBoundTerms *out)
{
  bool has_own = false;

  out->terms = take (r, r->out->arena, row->terms.n + 1, sizeof (SsBoundTerm));
  if (r->is_out_of_memory)
    return false;
  for (int i = 0; i < row->terms.n; i++) {
    SsBoundTerm t = row->terms.terms[i];
    t.c = row->factor > 0 ? ss_interval_negate (t.c) : t.c;
    if (t.i == row->next && t.j < 0) {
      t.c = ss_interval_add (t.c, ss_interval (-1));
      has_own = true;
    }
    if (t.c.low != 0 || t.c.high != 0)
      out->terms[out->n++] = t;
  }
  if (!has_own)
    out->terms[out->n++] = (SsBoundTerm){row->next, -1, ss_interval (-1)};
  return true;
}

static bool
set_carried (Reader *r, const PointRead *ours)
{
  for (int i = 0; i < r->n; i++)
    r->out->carried[i].row = -1;
  for (int i = 0; i < ours->n_rows; i++) {
    const RowRead *row = &ours->rows[i];
    if (row->next >= 0 && row->is_equality && r->out->row_holds[row->index] && r->out->carried[row->next].row < 0) {
      r->out->carried[row->next].row = row->index;
      if (!set_change (r, row, &r->out->carried[row->next].change))
        return false;
    }
  }
  return true;
}

/* Rows x - x_0 = 0 of the first point. */
static void
set_start (Reader *r, const PointRead *first)
{
  for (int i = 0; i < r->n; i++)
    r->out->start[i] = SS_INTERVAL_ALL;
  for (int i = 0; i < first->n_rows; i++) {
    const SsBoundTerms *t = &first->rows[i].terms;
    const SsBoundTerm *last = t->n > 0 ? &t->terms[t->n - 1] : NULL;
    if (first->rows[i].next >= 0 || !first->rows[i].is_equality || last == NULL || last->i < 0 || last->i >= r->n ||
        last->j >= 0 || t->n > 2 || (t->n == 2 && t->terms[0].i >= 0))
      continue;
    const SsInterval constant = t->n == 2 ? t->terms[0].c : ss_interval (0);
    r->out->start[last->i] = last->c.low == last->c.high && fabs (last->c.low) == 1
                                 ? ss_interval_multiply (ss_interval (-last->c.low), constant)
                                 : ss_interval_divide (ss_interval_negate (constant), last->c);
  }
}

static bool
read_all (Reader *r)
{
  SsBoundStages *out = r->out;
  PointRead ours = {0}, first = {0};
  bool ok = place_variables (r);

  if (!ok)
    return false;
  fill_buckets (r, &r->rows, r->p->n_rows, point_of_row);
  fill_buckets (r, &r->pairs, r->p->n_pairs, point_of_pair);
  fill_buckets (r, &r->linear, r->p->objective.n_linear, point_of_linear);
  fill_buckets (r, &r->products, r->p->objective.n_products, point_of_product);
  if (r->is_out_of_memory)
    return false;
  r->arena = out->arena;
  out->point = 1;
  ok = read_point (r, out->point, &ours.at) && read_rows (r, out->point, &ours) &&
       (ours.is_all || refuse (r, "a row couples points otherwise than by one next state", out->point));
  for (int i = 0; i < ours.n_rows && ok; i++)
    out->row_holds[ours.rows[i].index] = true;
  for (int i = 0; i < ours.n_pairs && ok; i++)
    out->pair_holds[ours.pairs[i].index] = true;
  for (int k = 0; k < r->n_points - 1 && ok; k++) {
    PointRead theirs = {0};
    r->arena = ss_arena_new ();
    r->is_out_of_memory = r->arena == NULL;
    ok = r->arena != NULL && read_point (r, k, &theirs.at) && read_rows (r, k, &theirs);
    if (ok && !is_same_point (&ours.at, &theirs.at))
      ok = refuse (r, "cost or functions are other ones", k);
    if (ok)
      strike_rows (r, &ours, &theirs);
    ss_arena_free (r->arena);
  }
  r->arena = out->arena;
  if (!ok || !read_rows (r, 0, &first) || !read_point (r, r->n_points - 1, &out->end))
    return false;
  set_start (r, &first);
  out->stage = ours.at;
  return set_carried (r, &ours);
}

SsStatus
ss_bound_stages_new (const SsScenario *scenario, const SsBoundProblem *problem, SsBoundStages **out, char *why,
                     size_t why_size, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);

  const SsModel *model = scenario->model;
  Reader r = {.scenario = scenario,
              .p = problem,
              .n = model->n_variables,
              .n_points = model->n_points,
              .why = why,
              .why_size = why_size};
  SsBoundStages *s = ss_new (SsBoundStages);
  SsArena *arena = ss_arena_new ();

  *out = NULL;
  if (why != NULL && why_size > 0)
    why[0] = '\0';
  r.out = s;
  r.is_out_of_memory = s == NULL || arena == NULL;
  bool is_chain = !r.is_out_of_memory && (r.n_points >= 3 || refuse (&r, "fewer than three points", 0));
  if (is_chain) {
    s->arena = arena;
    s->n = r.n;
    s->carried = take (&r, arena, r.n, sizeof *s->carried);
    s->first_auxiliary = take (&r, arena, r.n_points + 1, sizeof (int));
    s->start = take (&r, arena, r.n, sizeof (SsInterval));
    s->row_holds = take (&r, arena, problem->n_rows, sizeof (bool));
    s->pair_holds = take (&r, arena, problem->n_pairs, sizeof (bool));
    r.point_of = take (&r, arena, problem->n, sizeof (int));
    is_chain = !r.is_out_of_memory && read_all (&r);
  }
  if (is_chain) {
    *out = s;
    return SS_OK;
  }
  ss_arena_free (arena);
  ss_free (s);
  return r.is_out_of_memory ? ss_error_set (err, SS_ERR_MEMORY, "out of memory for a chain of stages") : SS_OK;
}

void
ss_bound_stages_free (SsBoundStages *stages)
{
  if (stages == NULL)
    return;
  ss_arena_free (stages->arena);
  ss_free (stages);
}
