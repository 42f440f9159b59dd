/* engine/bound/ss-bound-form.c: see ss-bound-form.h. A polynomial is a list of terms, ascending by key: 0 the constant,
 * then variables, then products. */
#include "bound/ss-bound-form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 2000, MAX_EXPANDED = 4096, MAX_POWER = 16, LIBM_ULPS = 4 };
enum { MAX_TERMS = 1 << 22 }; /* of one sum written out: a few seconds, 100 MB */

typedef struct {
  int64_t key;
  SsInterval value;
} Term;

typedef struct {
  int n;
  Term *terms;
} Poly;

typedef struct {
  void *items;
  int n, capacity;
} List;

typedef struct {
  const SsScenario *scenario;
  const SsModel *model;
  SsArena *arena;
  int k, depth;
  const Poly **memo;
  int *stamp, *sign_seen;
  int n; /* variables so far */
  List rows, pairs, auxiliary, ranges, sum;
  const char *path; /* of the row under way */
  int n_loose;
  char loose[160];
  SsError *err;
  SsStatus status;
} Maker;

typedef struct {
  const Poly *poly;
  bool is_equality;
  const char *path;
  int point;
} RowDraft;

typedef struct {
  const Poly *a, *b;
  const char *path;
  int point;
} PairDraft;

typedef struct {
  SsOp op;
  const Poly *a, *b;
} AuxiliaryDraft;

static const Poly *expand (Maker *m, SsExpr e);

static const Poly *
out_of_memory (Maker *m)
{
  if (m->status == SS_OK)
    m->status = ss_error_set (m->err, SS_ERR_MEMORY, "out of memory for the bound's polynomials");
  return NULL;
}

static const Poly *
refuse (Maker *m, const char *what)
{
  if (m->status == SS_OK)
    m->status = ss_error_set (m->err, SS_ERR_INVALID, "no bound: %s at k = %d %s", m->path, m->k, what);
  return NULL;
}

static bool
push (Maker *m, List *list, const void *item, size_t size)
{
  if (ss_array_reserve (&list->items, &list->capacity, list->n + 1, size) != 0) {
    out_of_memory (m);
    return false;
  }
  memcpy ((char *)list->items + (size_t)list->n++ * size, item, size);
  return true;
}

/* ---- polynomials ------------------------------------------------------------------------------------------------- */

static int64_t
product_key (int64_t a, int64_t b) /* of two variables' keys */
{
  return a <= b ? a << 32 | b : b << 32 | a;
}

static int
degree (const Poly *p)
{
  const int64_t last = p->n > 0 ? p->terms[p->n - 1].key : 0;

  return last == 0 ? 0 : last >> 32 == 0 ? 1 : 2;
}

static Poly *
new_poly (Maker *m, int n)
{
  Poly *p = ss_arena_alloc (m->arena, 1, sizeof (Poly));

  if (p == NULL || (p->terms = ss_arena_alloc (m->arena, (size_t)n + 1, sizeof (Term))) == NULL) {
    out_of_memory (m);
    return NULL;
  }
  p->n = n;
  return p;
}

static const Poly *
one_term (Maker *m, int64_t key, SsInterval value)
{
  Poly *p = new_poly (m, 1);

  if (p != NULL)
    p->terms[0] = (Term){key, value};
  return p;
}

static const Poly *
constant (Maker *m, SsInterval value)
{
  if (!isfinite (value.low) || !isfinite (value.high))
    return refuse (m, "has a constant that is not finite");
  return one_term (m, 0, value);
}

static SsInterval
constant_of (const Poly *p)
{
  return p->n > 0 && p->terms[0].key == 0 ? p->terms[0].value : ss_interval (0);
}

static bool
is_constant (const Poly *p)
{
  return degree (p) == 0;
}

static int
compare_terms (const void *a, const void *b)
{
  const int64_t x = ((const Term *)a)->key, y = ((const Term *)b)->key;

  return (x > y) - (x < y);
}

/* The sum of terms in any order, which are sorted. */
static const Poly *
gather (Maker *m, Term *terms, int n)
{
  Poly *p = new_poly (m, n);
  int last = -1;

  if (p == NULL)
    return NULL;
  qsort (terms, (size_t)n, sizeof (Term), compare_terms);
  for (int i = 0; i < n; i++)
    if (last >= 0 && p->terms[last].key == terms[i].key)
      p->terms[last].value = ss_interval_add (p->terms[last].value, terms[i].value);
    else
      p->terms[++last] = terms[i];
  p->n = 0;
  for (int i = 0; i <= last; i++)
    if (p->terms[i].value.low != 0 || p->terms[i].value.high != 0)
      p->terms[p->n++] = p->terms[i];
  return p;
}

static const Poly *
scaled (Maker *m, const Poly *p, SsInterval factor)
{
  Poly *q = p == NULL ? NULL : new_poly (m, p->n);

  for (int i = 0; q != NULL && i < p->n; i++)
    q->terms[i] = (Term){p->terms[i].key, ss_interval_multiply (p->terms[i].value, factor)};
  return q;
}

static const Poly *
sum_of (Maker *m, const Poly *p, const Poly *q, double sign)
{
  if (p == NULL || q == NULL)
    return NULL;
  Poly *both = new_poly (m, p->n + q->n);
  if (both == NULL)
    return NULL;
  for (int i = 0; i < p->n; i++)
    both->terms[i] = p->terms[i];
  for (int i = 0; i < q->n; i++)
    both->terms[p->n + i] = (Term){q->terms[i].key, ss_interval_multiply (q->terms[i].value, ss_interval (sign))};
  return gather (m, both->terms, both->n);
}

/* ---- auxiliary variables ----------------------------------------------------------------------------------------- */

static const Poly *
new_variable (Maker *m, SsOp op, const Poly *a, const Poly *b, SsInterval range)
{
  const AuxiliaryDraft draft = {op, a, b};

  if (!push (m, &m->auxiliary, &draft, sizeof draft) || !push (m, &m->ranges, &range, sizeof range))
    return NULL;
  return one_term (m, ++m->n, ss_interval (1));
}

static void
add_row (Maker *m, const Poly *poly, bool is_equality, const char *path)
{
  const RowDraft draft = {poly, is_equality, path, m->k};

  if (poly != NULL)
    push (m, &m->rows, &draft, sizeof draft);
}

static void
add_pair (Maker *m, const Poly *a, const Poly *b, const char *path)
{
  const PairDraft draft = {a, b, path, m->k};

  if (a != NULL && b != NULL)
    push (m, &m->pairs, &draft, sizeof draft);
}

/* A polynomial as a variable, unless it is affine. */
static const Poly *
lift (Maker *m, const Poly *p)
{
  if (p == NULL || degree (p) < 2)
    return p;
  const Poly *w = new_variable (m, SS_OP_ADD, p, NULL, SS_INTERVAL_ALL);
  add_row (m, sum_of (m, w, p, -1), true, "");
  return w;
}

static const Poly *
lift_to_variable (Maker *m, const Poly *p)
{
  if (p == NULL || (p->n == 1 && degree (p) == 1))
    return p;
  const Poly *w = new_variable (m, SS_OP_ADD, p, NULL, SS_INTERVAL_ALL);
  add_row (m, sum_of (m, w, p, -1), true, "");
  return w;
}

static const Poly *
product_of (Maker *m, const Poly *p, const Poly *q)
{
  if (p == NULL || q == NULL)
    return NULL;
  if (is_constant (p))
    return scaled (m, q, constant_of (p));
  if (is_constant (q))
    return scaled (m, p, constant_of (q));
  p = lift (m, p);
  q = lift (m, q);
  if (p != NULL && q != NULL && (double)p->n * q->n > MAX_EXPANDED) {
    const bool is_same = p == q;
    p = lift_to_variable (m, p);
    q = is_same ? p : lift_to_variable (m, q);
  }
  Poly *all = p == NULL || q == NULL ? NULL : new_poly (m, p->n * q->n);
  if (all == NULL)
    return NULL;
  for (int i = 0, e = 0; i < p->n; i++)
    for (int j = 0; j < q->n; j++, e++) {
      const int64_t a = p->terms[i].key, b = q->terms[j].key;
      all->terms[e].key = a == 0 || b == 0 ? a + b : product_key (a, b);
      all->terms[e].value = p == q && i == j ? ss_interval_square (p->terms[i].value)
                                             : ss_interval_multiply (p->terms[i].value, q->terms[j].value);
    }
  return gather (m, all->terms, all->n);
}

static const Poly *
quotient (Maker *m, const Poly *p, const Poly *q)
{
  if (p == NULL || q == NULL)
    return NULL;
  if (is_constant (q)) {
    const SsInterval by = constant_of (q);
    if (by.low <= 0 && by.high >= 0)
      return refuse (m, "divides by 0");
    if (by.low == by.high && p->n == 1 && fabs (p->terms[0].value.low) == 1 && p->terms[0].key == 0)
      return constant (m, ss_interval_divide (p->terms[0].value, by));
    Poly *r = new_poly (m, p->n);
    for (int i = 0; r != NULL && i < p->n; i++)
      r->terms[i] = (Term){p->terms[i].key, ss_interval_divide (p->terms[i].value, by)};
    return r;
  }
  const Poly *w = new_variable (m, SS_OP_DIV, p, q, SS_INTERVAL_ALL);
  add_row (m, sum_of (m, product_of (m, w, q), p, -1), true, "");
  return w;
}

static const Poly *
root (Maker *m, const Poly *p)
{
  const Poly *w = new_variable (m, SS_OP_SQRT, p, NULL, (SsInterval){0, INFINITY});

  add_row (m, sum_of (m, product_of (m, w, w), p, -1), true, "");
  return w;
}

/* The larger of two, and of sign -1 the smaller one: w - a >= 0, w - b >= 0, one of them 0. */
static const Poly *
extreme (Maker *m, SsOp op, const Poly *a, const Poly *b, double sign)
{
  const Poly *w = new_variable (m, op, a, b, SS_INTERVAL_ALL);
  const Poly *over_a = scaled (m, sum_of (m, w, a, -1), ss_interval (sign)),
             *over_b = scaled (m, sum_of (m, w, b, -1), ss_interval (sign));

  add_row (m, over_a, false, "");
  add_row (m, over_b, false, "");
  add_pair (m, over_a, over_b, "");
  return w;
}

/* Of a function of which only this is kept. Powers of what is negative are no numbers. */
static SsInterval
range_of (SsOp op)
{
  switch (op) {
  case SS_OP_SIN:
  case SS_OP_COS:
  case SS_OP_SIGN:
    return (SsInterval){-1, 1};
  case SS_OP_ASIN:
  case SS_OP_ATAN:
    return (SsInterval){-1.5707963268, 1.5707963268};
  case SS_OP_ACOS:
    return (SsInterval){0, 3.1415926536};
  case SS_OP_ATAN2:
    return (SsInterval){-3.1415926536, 3.1415926536};
  case SS_OP_EXP:
  case SS_OP_POW:
    return (SsInterval){0, INFINITY};
  default:
    return SS_INTERVAL_ALL;
  }
}

static const Poly *
function_of (Maker *m, SsOp op, const Poly *a, const Poly *b)
{
  static const char *const names[] = {
#define X(name, text, arity, smooth) text,
      SS_OP_LIST (X)
#undef X
  };

  if (a == NULL || b == NULL)
    return NULL;
  if (is_constant (a) && is_constant (b)) {
    const SsInterval x = constant_of (a), y = constant_of (b);
    const double value = ss_op_apply (op, 0.5 * x.low + 0.5 * x.high, 0.5 * y.low + 0.5 * y.high, 0);
    /* a constant that is not exact is known to a few units in the last place; so is what the library makes of it */
    const bool is_exact = x.low == x.high && y.low == y.high;
    if (op == SS_OP_ABS || op == SS_OP_MIN || op == SS_OP_MAX)
      return constant (m, is_exact          ? ss_interval (value)
                          : op == SS_OP_ABS ? (x.low >= 0    ? x
                                               : x.high <= 0 ? ss_interval_negate (x)
                                                             : (SsInterval){0, fmax (-x.low, x.high)})
                          : op == SS_OP_MIN ? (SsInterval){fmin (x.low, y.low), fmin (x.high, y.high)}
                                            : (SsInterval){fmax (x.low, y.low), fmax (x.high, y.high)});
    if (!is_exact)
      return refuse (m, "applies a function to a constant that is not exact");
    if (op >= SS_OP_LT || op == SS_OP_SIGN)
      return constant (m, ss_interval (value));
    const double slack = LIBM_ULPS * (fabs (value) * 0x1p-52 + 0x1p-1074);
    return constant (m, (SsInterval){value - slack, value + slack});
  }
  if (op == SS_OP_SQRT)
    return root (m, a);
  if (op == SS_OP_ABS)
    return extreme (m, SS_OP_MAX, a, scaled (m, a, ss_interval (-1)), 1);
  if (op == SS_OP_MAX || op == SS_OP_MIN)
    return extreme (m, op, a, b, op == SS_OP_MAX ? 1 : -1);
  if (op >= SS_OP_LT || op == SS_OP_TAN)
    return refuse (m, "has a function that is not continuous");
  if (m->n_loose++ == 0)
    snprintf (m->loose, sizeof m->loose, "%s at k = %d has `%s`", m->path, m->k, names[op]);
  return new_variable (m, op, a, b, range_of (op));
}

/* Whole powers by products, their halves by roots. */
static const Poly *
power (Maker *m, const Poly *a, const Poly *b)
{
  if (a == NULL || b == NULL)
    return NULL;
  const SsInterval by = constant_of (b);
  const double k = by.low, size = fabs (k);
  const Poly *p = NULL;

  if (is_constant (b) && by.low == by.high && k == 0)
    return constant (m, ss_interval (1));
  if (!is_constant (b) || by.low != by.high || (size > MAX_POWER && k == floor (k)))
    return refuse (m, "has a power whose exponent is no constant, or a large one");
  if (size > MAX_POWER || size * 2 != floor (size * 2) || is_constant (a))
    return function_of (m, SS_OP_POW, a, b);
  for (int i = 0; i < (int)size; i++)
    p = i == 0 ? a : i == 1 ? product_of (m, a, a) : product_of (m, p, a);
  if (size != floor (size))
    p = size > 1 ? product_of (m, p, function_of (m, SS_OP_SQRT, a, constant (m, ss_interval (0))))
                 : function_of (m, SS_OP_SQRT, a, constant (m, ss_interval (0)));
  return k > 0 ? p : quotient (m, constant (m, ss_interval (1)), p);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static const Poly *
input (Maker *m, int slot)
{
  const SsModel *model = m->model;
  const int n = model->n_variables;

  if (slot < n)
    return one_term (m, (int64_t)m->k * n + slot + 1, ss_interval (1));
  if (slot < model->slot_next + n)
    return m->k + 1 < model->n_points
               ? one_term (m, (int64_t)(m->k + 1) * n + slot - model->slot_next + 1, ss_interval (1))
               : refuse (m, "reads beyond the last point");
  if (slot == model->slot_k)
    return constant (m, ss_interval (m->k));
  if (slot == model->slot_t)
    return constant (m, ss_interval (m->k * model->time_step));
  return constant (m, ss_interval (m->scenario->parameters[slot - model->slot_parameters].value));
}

/* A sum of any length, whose signs and addends are gathered first. */
static const Poly *
long_sum (Maker *m, SsExpr e)
{
  const SsGraph *graph = m->scenario->graph;
  typedef struct {
    SsExpr e;
    double sign;
  } Addend;
  List todo = {0}, terms = {0};
  Addend at = {e, 1};
  const Poly *result = NULL;
  bool is_first = true;

  push (m, &todo, &at, sizeof at);
  for (int n = 0; todo.n > 0 && m->status == SS_OK; n++) {
    if (n > MAX_TERMS || terms.n > MAX_TERMS) { /* sums of sums that are used twice double each time */
      refuse (m, "has a sum of too many terms");
      break;
    }
    at = ((Addend *)todo.items)[--todo.n];
    const SsOp op = ss_graph_op (graph, at.e);
    const bool is_known = !is_first && m->stamp[at.e] == m->k + 1;
    if (!is_known && (op == SS_OP_ADD || op == SS_OP_SUB || op == SS_OP_NEG)) {
      const Addend left = {ss_graph_operand (graph, at.e, 0), op == SS_OP_NEG ? -at.sign : at.sign},
                   right = {ss_graph_operand (graph, at.e, 1), op == SS_OP_SUB ? -at.sign : at.sign};
      if (op != SS_OP_NEG)
        push (m, &todo, &right, sizeof right);
      push (m, &todo, &left, sizeof left);
    } else {
      const Poly *p = expand (m, at.e);
      for (int i = 0; p != NULL && i < p->n; i++) {
        const Term term = {p->terms[i].key, at.sign > 0 ? p->terms[i].value : ss_interval_negate (p->terms[i].value)};
        push (m, &terms, &term, sizeof term);
      }
    }
    is_first = false;
  }
  if (m->status == SS_OK)
    result = gather (m, terms.items, terms.n);
  ss_free (todo.items);
  ss_free (terms.items);
  return result;
}

static const Poly *
choose (Maker *m, SsExpr e)
{
  const SsGraph *graph = m->scenario->graph;
  const Poly *condition = expand (m, ss_graph_operand (graph, e, 0));

  if (condition == NULL)
    return NULL;
  const SsInterval value = constant_of (condition);
  if (!is_constant (condition) || (ss_interval_has (value, 0) && value.low != value.high))
    return refuse (m, "has an `if` that depends on variables");
  return expand (m, ss_graph_operand (graph, e, ss_interval_has (value, 0) ? 2 : 1));
}

static const Poly *
operation (Maker *m, SsExpr e, SsOp op)
{
  const SsGraph *graph = m->scenario->graph;

  switch (op) {
  case SS_OP_CONSTANT:
    return constant (m, ss_interval (ss_graph_value (graph, e)));
  case SS_OP_INPUT:
    return input (m, ss_graph_slot (graph, e));
  case SS_OP_ADD:
  case SS_OP_SUB:
  case SS_OP_NEG:
    return long_sum (m, e);
  case SS_OP_IF:
    return choose (m, e);
  default:
    break;
  }
  const SsExpr second = ss_graph_operand (graph, e, 1);
  const Poly *a = expand (m, ss_graph_operand (graph, e, 0));
  const Poly *b = a == NULL ? NULL : second == SS_EXPR_NONE ? constant (m, ss_interval (0)) : expand (m, second);
  switch (op) {
  case SS_OP_MUL:
    return product_of (m, a, b);
  case SS_OP_DIV:
    return quotient (m, a, b);
  case SS_OP_POW:
    return power (m, a, b);
  default:
    return function_of (m, op, a, b);
  }
}

static const Poly *
expand (Maker *m, SsExpr e)
{
  if (m->status != SS_OK)
    return NULL;
  if (m->stamp[e] == m->k + 1)
    return m->memo[e];
  if (++m->depth > MAX_DEPTH)
    return refuse (m, "is nested too deeply");
  const Poly *p = operation (m, e, ss_graph_op (m->scenario->graph, e));
  m->depth--;
  if (m->status != SS_OK)
    return NULL;
  m->memo[e] = p;
  m->stamp[e] = m->k + 1;
  return p;
}

/* ---- the problem ------------------------------------------------------------------------------------------------- */

static void
add_model_row (Maker *m, const SsModelRow *row)
{
  m->path = row->path != NULL ? row->path : "a row";
  if (row->kind == SS_ROWS_COMPLEMENTARY)
    return;
  if (row->kind == SS_ROWS_NONNEGATIVE)
    m->sign_seen[row->a] = m->k + 1;
  add_row (m, expand (m, row->a), row->kind == SS_ROWS_EQUALITY, m->path);
}

static void
add_model_pair (Maker *m, const SsModelRow *row)
{
  const SsExpr sides[] = {row->a, row->b};
  const bool imposed[] = {row->impose_a, row->impose_b};
  const Poly *poly[2];

  m->path = row->path != NULL ? row->path : "a pair";
  if (row->kind != SS_ROWS_COMPLEMENTARY)
    return;
  for (int i = 0; i < 2; i++) {
    poly[i] = expand (m, sides[i]);
    if (imposed[i] && m->sign_seen[sides[i]] != m->k + 1) {
      m->sign_seen[sides[i]] = m->k + 1;
      add_row (m, poly[i], false, m->path);
    }
  }
  add_pair (m, poly[0], poly[1], m->path);
}

static void
read_point (Maker *m)
{
  const SsModel *model = m->model;

  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < model->n_blocks; b++) {
      const SsModelBlock *block = &model->blocks[b];
      for (int r = 0; r < block->n_rows && ss_model_is_point (block->first, block->last, block->stride, m->k); r++)
        (pass == 0 ? add_model_row : add_model_pair) (m, &block->rows[r]);
    }
  for (int c = 0; c < model->n_costs; c++) {
    const SsModelCost *cost = &model->costs[c];
    if (cost->is_penalty || !ss_model_is_point (cost->first, cost->last, cost->stride, m->k))
      continue;
    m->path = cost->name != NULL ? cost->name : "the cost";
    const Poly *p = expand (m, cost->cost);
    for (int i = 0; p != NULL && i < p->n; i++)
      push (m, &m->sum, &p->terms[i], sizeof (Term));
  }
}

static int
compare_keys (const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

  return (x > y) - (x < y);
}

static void
collect (Maker *m, List *keys, const Poly *p)
{
  for (int i = 0; p != NULL && i < p->n; i++)
    if (p->terms[i].key >> 32 != 0)
      push (m, keys, &p->terms[i].key, sizeof (int64_t));
}

static SsBoundForm
form_of (Maker *m, const Poly *p, const int64_t *keys, int n_keys)
{
  SsBoundForm form = {0};

  if (p == NULL)
    return form;
  int *variable = ss_arena_alloc (m->arena, (size_t)p->n + 1, sizeof (int)),
      *product = ss_arena_alloc (m->arena, (size_t)p->n + 1, sizeof (int));
  SsInterval *linear = ss_arena_alloc (m->arena, (size_t)p->n + 1, sizeof (SsInterval)),
             *quadratic = ss_arena_alloc (m->arena, (size_t)p->n + 1, sizeof (SsInterval));
  if (variable == NULL || product == NULL || linear == NULL || quadratic == NULL) {
    out_of_memory (m);
    return form;
  }
  for (int i = 0; i < p->n; i++) {
    const Term *t = &p->terms[i];
    if (t->key == 0) {
      form.constant = t->value;
    } else if (t->key >> 32 == 0) {
      variable[form.n_linear] = (int)t->key - 1;
      linear[form.n_linear++] = t->value;
    } else {
      const int64_t *found = bsearch (&t->key, keys, (size_t)n_keys, sizeof *keys, compare_keys);
      product[form.n_products] = (int)(found - keys);
      quadratic[form.n_products++] = t->value;
    }
  }
  form.variable = variable;
  form.linear = linear;
  form.product = product;
  form.quadratic = quadratic;
  return form;
}

/* Unique, ascending keys of all products. */
static void
collect_all (Maker *m, const Poly *objective, List *keys)
{
  int n = 0;

  collect (m, keys, objective);
  for (int i = 0; i < m->rows.n; i++)
    collect (m, keys, ((RowDraft *)m->rows.items)[i].poly);
  for (int i = 0; i < m->pairs.n; i++) {
    collect (m, keys, ((PairDraft *)m->pairs.items)[i].a);
    collect (m, keys, ((PairDraft *)m->pairs.items)[i].b);
  }
  for (int i = 0; i < m->auxiliary.n; i++) {
    collect (m, keys, ((AuxiliaryDraft *)m->auxiliary.items)[i].a);
    collect (m, keys, ((AuxiliaryDraft *)m->auxiliary.items)[i].b);
  }
  int64_t *k = keys->items;
  if (keys->n > 0)
    qsort (k, (size_t)keys->n, sizeof *k, compare_keys);
  for (int i = 0; i < keys->n; i++)
    if (n == 0 || k[n - 1] != k[i])
      k[n++] = k[i];
  keys->n = n;
}

static void
write_problem (Maker *m, const Poly *objective, const List *keys, SsBoundProblem *p)
{
  const int64_t *k = keys->items;
  SsBoundRow *rows = ss_arena_alloc (m->arena, (size_t)m->rows.n + 1, sizeof *rows);
  SsBoundPair *pairs = ss_arena_alloc (m->arena, (size_t)m->pairs.n + 1, sizeof *pairs);
  SsBoundProduct *products = ss_arena_alloc (m->arena, (size_t)keys->n + 1, sizeof *products);
  SsBoundAuxiliary *auxiliary = ss_arena_alloc (m->arena, (size_t)m->auxiliary.n + 1, sizeof *auxiliary);
  SsInterval *range = ss_arena_alloc (m->arena, (size_t)m->n + 1, sizeof *range);

  if (rows == NULL || pairs == NULL || products == NULL || auxiliary == NULL || range == NULL) {
    out_of_memory (m);
    return;
  }
  p->n = m->n;
  p->n_model = m->n - m->auxiliary.n;
  p->objective = form_of (m, objective, k, keys->n);
  for (int i = 0; i < m->rows.n; i++) {
    const RowDraft *d = (RowDraft *)m->rows.items + i;
    rows[i] = (SsBoundRow){form_of (m, d->poly, k, keys->n), d->is_equality, d->path, d->point};
  }
  for (int i = 0; i < m->pairs.n; i++) {
    const PairDraft *d = (PairDraft *)m->pairs.items + i;
    pairs[i] = (SsBoundPair){form_of (m, d->a, k, keys->n), form_of (m, d->b, k, keys->n), d->path, d->point};
  }
  for (int i = 0; i < keys->n; i++)
    products[i] = (SsBoundProduct){(int)(k[i] >> 32) - 1, (int)(k[i] & 0xffffffff) - 1};
  for (int i = 0; i < m->n; i++)
    range[i] = i < p->n_model ? SS_INTERVAL_ALL : ((SsInterval *)m->ranges.items)[i - p->n_model];
  for (int i = 0; i < m->auxiliary.n; i++) {
    const AuxiliaryDraft *d = (AuxiliaryDraft *)m->auxiliary.items + i;
    auxiliary[i] = (SsBoundAuxiliary){d->op, form_of (m, d->a, k, keys->n), form_of (m, d->b, k, keys->n)};
  }
  p->n_rows = m->rows.n;
  p->n_pairs = m->pairs.n;
  p->n_products = keys->n;
  p->n_auxiliary = m->auxiliary.n;
  p->rows = rows;
  p->pairs = pairs;
  p->products = products;
  p->auxiliary = auxiliary;
  p->range = range;
  p->n_loose = m->n_loose;
  snprintf (p->loose, sizeof p->loose, "%s", m->loose);
}

SsStatus
ss_bound_problem_new (const SsScenario *scenario, SsBoundProblem **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);
  *out = NULL;
  if (scenario->model == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "the scenario has a scene and no model in equations");
  const int n_nodes = ss_graph_n_nodes (scenario->graph);
  SsBoundProblem *p = ss_new (SsBoundProblem);
  Maker m = {.scenario = scenario, .model = scenario->model, .err = err, .path = "the model"};
  List keys = {0};

  m.arena = ss_arena_new ();
  m.memo = ss_new_array (const Poly *, n_nodes + 1);
  m.stamp = ss_new_array (int, n_nodes + 1);
  m.sign_seen = ss_new_array (int, n_nodes + 1);
  m.n = m.model->n_points * m.model->n_variables;
  if (p == NULL || m.arena == NULL || m.memo == NULL || m.stamp == NULL || m.sign_seen == NULL)
    out_of_memory (&m);
  for (m.k = 0; m.k < m.model->n_points && m.status == SS_OK; m.k++)
    read_point (&m);
  const Poly *objective = m.status == SS_OK ? gather (&m, m.sum.items, m.sum.n) : NULL;
  if (m.status == SS_OK)
    collect_all (&m, objective, &keys);
  if (m.status == SS_OK)
    write_problem (&m, objective, &keys, p);
  ss_free (keys.items);
  ss_free (m.memo);
  ss_free (m.stamp);
  ss_free (m.sign_seen);
  ss_free (m.rows.items);
  ss_free (m.pairs.items);
  ss_free (m.auxiliary.items);
  ss_free (m.ranges.items);
  ss_free (m.sum.items);
  if (m.status == SS_OK) {
    p->arena = m.arena;
    *out = p;
    return SS_OK;
  }
  ss_arena_free (m.arena);
  ss_free (p);
  return m.status;
}

void
ss_bound_problem_free (SsBoundProblem *problem)
{
  if (problem == NULL)
    return;
  ss_arena_free (problem->arena);
  ss_free (problem);
}
