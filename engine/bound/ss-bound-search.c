/* engine/bound/ss-bound-search.c: see ss-bound-search.h. */
#include "bound/ss-bound-search.h"

#include "bound/ss-bound-relax.h"

#include <string.h>

static const double PENALTIES[] = {1e2, 1e4,
                                   1e7}; /* of rows, of the objective's slope: larger where rows are violated */
static const double VIOLATED = 1e-6;     /* violation of a relaxation's rows that calls for it          */
static const double OPEN_LOSS = 1e-6;    /* between a relaxation's value and what its multipliers prove     */
/* Of a relaxation's value, for all pairs together. Hard first: pairs that stay apart all the same are those that matter
 * (transport of 100 points: 4 nodes; by the second pull alone 2 % were left after 200). */
static const double PULLS[] = {1e3, 1e-2}, DIVE_PULL = 1e-2;
static const double LEAST_VALUE = 1e-3;
static const double TIGHTER = 0.05;  /* least part of a variable's width that a step is worth              */
static const double NEAR_END = 0.15; /* least part of a width that a branch cuts off                        */
static const double APART = 1e-7;    /* sides of a pair, and a product and its variable, that differ less are equal */
static const double IMPROVING = 0.5; /* of the time may go into answers                                    */
static const double ROUNDINGS[] = {1e-9, 1e-7, 1e-5, 1e-3}; /* multipliers taken for 0, of the objective's slope */
static const double FLOOR_SLACK = 1e-9;                     /* of a leaf's claim, of its size */
static const double IMPROVING_FIRST = 0.2, IMPROVING_LEAST = 0.5; /* and this of the limit, and as many seconds */
enum {
  ROUNDS_ROOT = 30,
  ROUNDS = 6,
  MAX_STEPS_PER_ROW = 400,
  TELLS_EVERY = 64,
  CANDIDATES = 8,
  TRIES = 1,
  DIVE = 200,
  DIVE_EVERY = 256
};

typedef struct {
  SsInterval *box; /* of an open node; NULL else */
  int parent, depth;
  int side; /* of the parent's pair, -1: none */
  double bound;
  bool branches_on_pair;
  int branch; /* -1: nothing is left to branch on */
  double value;
} Extra;

typedef struct {
  const SsBoundProblem *p;
  const SsBoundOptions *o;
  SsRunControl *control;
  SsBoundSearch *out;
  SsBoundCertificate *tree;
  SsBoundKernel *kernel;
  SsBoundRelaxation *relaxation;
  Extra *extra; /* of each node of the tree */
  int node_capacity, extra_capacity;
  int *heap, n_heap, heap_capacity;
  bool *side_on, *dirty, *was_dirty;
  double *gain; /* 2 n_pairs: what branching on that side raised bounds by, on average */
  int *n_tried; /* n_pairs */
  SsBoundStep *steps;
  int n_steps, step_capacity;
  SsBoundMultipliers u;  /* with room for all */
  double improve_anyhow; /* [s] */
  bool has_open_ends;    /* of the node: a variable has no limit on a side */
  double started;
  SsError *err;
} Search;

static SsStatus
out_of_memory (Search *s)
{
  return ss_error_set (s->err, SS_ERR_MEMORY, "out of memory for %d nodes", s->tree->n_nodes);
}

/* ---- the heap of open nodes, lowest bound first ------------------------------------------------------------------ */

static bool
is_before (const Search *s, int a, int b)
{
  return s->extra[a].bound < s->extra[b].bound || (s->extra[a].bound == s->extra[b].bound && a < b);
}

static SsStatus
heap_push (Search *s, int node)
{
  if (ss_array_reserve ((void **)&s->heap, &s->heap_capacity, s->n_heap + 1, sizeof (int)) != 0)
    return out_of_memory (s);
  int i = s->n_heap++;
  for (; i > 0 && is_before (s, node, s->heap[(i - 1) / 2]); i = (i - 1) / 2)
    s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = node;
  return SS_OK;
}

static int
heap_pop (Search *s)
{
  const int top = s->heap[0], last = s->heap[--s->n_heap];
  int i = 0;

  for (int child = 1; child < s->n_heap; child = 2 * i + 1) {
    if (child + 1 < s->n_heap && is_before (s, s->heap[child + 1], s->heap[child]))
      child++;
    if (!is_before (s, s->heap[child], last))
      break;
    s->heap[i] = s->heap[child];
    i = child;
  }
  s->heap[i] = last;
  return top;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool
is_tighter (SsInterval from, SsInterval to)
{
  if (to.low > to.high || (isinf (from.low) && !isinf (to.low)) || (isinf (from.high) && !isinf (to.high)))
    return true;
  const double width = from.high - from.low, less = width - (to.high - to.low);

  return width > 1e-9 && (isinf (width) ? fabs (isinf (from.low) ? from.high - to.high : to.low - from.low) >
                                              TIGHTER * (1 + fabs (isinf (from.low) ? from.high : from.low))
                                        : less > TIGHTER * width);
}

/* *is_empty: nothing is left of the box. */
static SsStatus
take_step (Search *s, int constraint, int variable, SsInterval *box, bool *is_empty)
{
  const SsInterval before = box[variable];
  const SsBoundStep step = {constraint, variable};
  SsStatus status = ss_bound_kernel_step (s->kernel, &step, s->side_on, s->out->answer, box, s->err);

  if (status != SS_OK)
    return status;
  if (!is_tighter (before, box[variable])) {
    box[variable] = before;
    return SS_OK;
  }
  s->dirty[variable] = true;
  *is_empty = box[variable].low > box[variable].high;
  if (ss_array_reserve ((void **)&s->steps, &s->step_capacity, s->n_steps + 1, sizeof (SsBoundStep)) != 0)
    return out_of_memory (s);
  s->steps[s->n_steps++] = step;
  return SS_OK;
}

static SsStatus
use_constraint (Search *s, int constraint, const SsBoundForm *f, SsInterval *box, bool *is_empty)
{
  const SsBoundProblem *p = s->p;
  bool is_touched = false;
  SsStatus status = SS_OK;

  if (f->n_linear + f->n_products > MAX_STEPS_PER_ROW && constraint != SS_BOUND_CUTOFF)
    return SS_OK;
  for (int i = 0; i < f->n_linear && !is_touched; i++)
    is_touched = s->was_dirty[f->variable[i]];
  for (int i = 0; i < f->n_products && !is_touched; i++)
    is_touched = s->was_dirty[p->products[f->product[i]].x] || s->was_dirty[p->products[f->product[i]].y];
  for (int i = 0; i < f->n_linear && status == SS_OK && is_touched && !*is_empty; i++)
    status = take_step (s, constraint, f->variable[i], box, is_empty);
  for (int i = 0; i < f->n_products && status == SS_OK && is_touched && !*is_empty; i++) {
    const SsBoundProduct *xy = &p->products[f->product[i]];
    status = take_step (s, constraint, xy->x, box, is_empty);
    if (status == SS_OK && xy->y != xy->x && !*is_empty)
      status = take_step (s, constraint, xy->y, box, is_empty);
  }
  return status;
}

/* Steps of all constraints, until they say nothing new. dirty: the variables whose boxes are news. */
static SsStatus
propagate (Search *s, int rounds, SsInterval *box, bool *is_empty)
{
  const SsBoundProblem *p = s->p;
  SsStatus status = SS_OK;

  s->n_steps = 0;
  *is_empty = false;
  for (int round = 0; round < rounds && status == SS_OK && !*is_empty; round++) {
    bool is_news = false;
    for (int i = 0; i < p->n; i++) {
      is_news = is_news || s->dirty[i];
      s->was_dirty[i] = s->dirty[i];
      s->dirty[i] = false;
    }
    if (!is_news)
      break;
    if (isfinite (s->out->answer))
      status = use_constraint (s, SS_BOUND_CUTOFF, &p->objective, box, is_empty);
    for (int i = 0; i < p->n_pairs && status == SS_OK && !*is_empty; i++)
      for (int side = 0; side < 2 && status == SS_OK && !*is_empty; side++)
        if (s->side_on[2 * i + side])
          status = use_constraint (s, ss_bound_pair_constraint (p, i, SS_BOUND_SIDE_A + side),
                                   side == 0 ? &p->pairs[i].a : &p->pairs[i].b, box, is_empty);
    for (int i = 0; i < p->n_rows && status == SS_OK && !*is_empty; i++)
      status = use_constraint (s, i, &p->rows[i].form, box, is_empty);
  }
  return status;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static SsStatus
new_node (Search *s, int parent, int side, int *out)
{
  const int n = s->tree->n_nodes;

  if (ss_array_reserve ((void **)&s->tree->nodes, &s->node_capacity, n + 1, sizeof (SsBoundNode)) != 0 ||
      ss_array_reserve ((void **)&s->extra, &s->extra_capacity, n + 1, sizeof (Extra)) != 0)
    return out_of_memory (s);
  s->tree->nodes[n] = (SsBoundNode){.kind = SS_BOUND_LEAF, .leaf.weight = 1};
  s->extra[n] = (Extra){
      .parent = parent,
      .depth = parent < 0 ? 0 : s->extra[parent].depth + 1,
      .side = side,
      .bound = -INFINITY,
      .branch = -1,
  };
  s->tree->n_nodes++;
  *out = n;
  if ((s->extra[n].box = ss_new_array (SsInterval, s->p->n + 1)) == NULL)
    return out_of_memory (s);
  return SS_OK;
}

static void
set_sides (Search *s, int node)
{
  memset (s->side_on, 0, (size_t)(2 * s->p->n_pairs) * sizeof (bool));
  for (; node >= 0; node = s->extra[node].parent)
    if (s->extra[node].side >= 0)
      s->side_on[2 * s->tree->nodes[s->extra[node].parent].branch + s->extra[node].side] = true;
}

static void
free_leaf (SsBoundMultipliers *leaf)
{
  ss_free (leaf->constraint);
  ss_free (leaf->value);
  ss_free (leaf->at);
  *leaf = (SsBoundMultipliers){.weight = 1};
}

/* Tangents touch somewhere only where products couple squares. */
static bool
needs_point (const SsBoundProblem *p)
{
  for (int e = 0; e < p->n_products; e++)
    if (p->products[e].x != p->products[e].y)
      return true;
  return false;
}

static SsStatus
copy_leaf (Search *s, const SsBoundMultipliers *from, SsBoundMultipliers *to)
{
  const bool has_point = from->at != NULL && needs_point (s->p);

  free_leaf (to);
  to->weight = from->weight;
  to->n = from->n;
  to->constraint = ss_new_array (int, from->n + 1);
  to->value = ss_new_array (double, from->n + 1);
  to->at = has_point ? ss_new_array (double, s->p->n + 1) : NULL;
  if (to->constraint == NULL || to->value == NULL || (has_point && to->at == NULL))
    return out_of_memory (s);
  if (from->n > 0) {
    memcpy (to->constraint, from->constraint, (size_t)from->n * sizeof (int));
    memcpy (to->value, from->value, (size_t)from->n * sizeof (double));
  }
  if (has_point)
    memcpy (to->at, from->at, (size_t)s->p->n * sizeof (double));
  return SS_OK;
}

/* Undecided pairs whose sides are both above 0 at x, the worst first: at most CANDIDATES of them. */
static int
find_pairs (const Search *s, const double *x, int *pairs)
{
  const SsBoundProblem *p = s->p;
  double sizes[CANDIDATES];
  int n = 0;

  for (int i = 0; i < p->n_pairs; i++) {
    if (s->side_on[2 * i] || s->side_on[2 * i + 1])
      continue;
    const double a = ss_bound_value (p, &p->pairs[i].a, x).high, b = ss_bound_value (p, &p->pairs[i].b, x).high;
    const double size = a > APART && b > APART ? a * b : 0;
    if (!(size > 0) || (n == CANDIDATES && size <= sizes[n - 1]))
      continue;
    int at = n < CANDIDATES ? n++ : n - 1;
    for (; at > 0 && sizes[at - 1] < size; at--) {
      sizes[at] = sizes[at - 1];
      pairs[at] = pairs[at - 1];
    }
    sizes[at] = size;
    pairs[at] = i;
  }
  return n;
}

static bool
find_variable (const Search *s, const double *x, const double *w, const SsInterval *box, int *branch, double *value)
{
  const SsBoundProblem *p = s->p;
  double worst = APART;
  bool is_found = false;

  for (int e = 0; e < p->n_products; e++) {
    if (!ss_bound_relaxation_lifts (s->relaxation, e))
      continue;
    const SsBoundProduct *xy = &p->products[e];
    const double miss = fabs (w[e] - x[xy->x] * x[xy->y]) / (1 + fabs (x[xy->x] * x[xy->y]));
    if (!(miss > worst) || !isfinite (x[xy->x]) || !isfinite (x[xy->y]))
      continue;
    const double wx = box[xy->x].high - box[xy->x].low, wy = box[xy->y].high - box[xy->y].low;
    const int j = wx / (1 + fabs (x[xy->x])) >= wy / (1 + fabs (x[xy->y])) ? xy->x : xy->y;
    const SsInterval range = box[j];
    const double width = range.high - range.low;
    double t = x[j];
    if (isfinite (width)) {
      if (!(width > 1e-9 * (1 + fabs (t))))
        continue;
      t = fmin (fmax (t, range.low + NEAR_END * width), range.high - NEAR_END * width);
    } else {
      t = fmin (fmax (t, range.low + 1), range.high - 1);
    }
    worst = miss;
    is_found = true;
    *branch = j;
    *value = t;
  }
  return is_found;
}

/* Whether a node of that bound need not be looked at. */
static bool
is_done (const Search *s, double bound)
{
  const double u = s->out->answer;

  return isfinite (u) && bound >= u - fmax (s->o->gap * fabs (u), 0.5 * SS_BOUND_SAME * fmax (1, fabs (u)));
}

static SsStatus
try_multipliers (Search *s, int node, const SsBoundMultipliers *u)
{
  SsBoundNode *n = &s->tree->nodes[node];
  SsBoundFloor found;
  SsStatus status = ss_bound_kernel_floor (s->kernel, u, s->side_on, s->extra[node].box, &found, s->err);

  if (status != SS_OK)
    return status;
  if (u->weight == 0 ? !(found.value > 0) : !(found.value > s->extra[node].bound))
    return SS_OK;
  s->extra[node].bound = u->weight == 0 ? INFINITY : found.value;
  return copy_leaf (s, u, &n->leaf);
}

/* Where variables have no limit and may grow together at no cost, their multipliers must cancel to the last bit. Those
 * that are nearly 0 are taken for 0, more and more of them; then all are taken to a grid of binary fractions, on which
 * sums with whole coefficients are exact. */
static SsStatus
try_rounded (Search *s, int node, SsBoundMultipliers *u)
{
  const double slope = ss_bound_relaxation_slope (s->relaxation);
  SsStatus status = try_multipliers (s, node, u);

  for (size_t i = 0; i < sizeof ROUNDINGS / sizeof ROUNDINGS[0] && status == SS_OK && s->has_open_ends; i++) {
    const double unit = ldexp (1, ilogb (ROUNDINGS[i] * slope));
    for (int pass = 0; pass < 2 && status == SS_OK; pass++) {
      int n = 0;
      for (int k = 0; k < u->n; k++) {
        const double value = pass == 0 ? u->value[k] : unit * rint (u->value[k] / unit);
        if (fabs (value) > ROUNDINGS[i] * slope) {
          u->constraint[n] = u->constraint[k];
          u->value[n++] = value;
        }
      }
      if (n < u->n || pass == 1) {
        u->n = n;
        status = try_multipliers (s, node, u);
      }
    }
  }
  return status;
}

static void
tell (Search *s)
{
  const SsColumn columns[] = {{"objective", s->out->answer},
                              {"lower_bound", fmin (s->out->bound, s->out->answer)},
                              {"nodes", s->out->n_solved},
                              {"open", s->n_heap}};

  ss_run_control_emit_iteration (s->control, s->out->n_solved, columns, sizeof columns / sizeof columns[0]);
}

static void
improve (Search *s, const double *x)
{
  const double before = ss_clock_thread_cpu ();
  double objective = INFINITY;

  if (s->o->improve == NULL || s->out->improve_seconds > IMPROVING * (before - s->started) + s->improve_anyhow)
    return;
  if (s->o->improve (s->o->data, x, &objective) && objective < s->out->answer) {
    s->out->answer = objective;
    tell (s);
  }
  s->out->improve_seconds += ss_clock_thread_cpu () - before;
}

static SsStatus
relax (Search *s, int node, SsBoundAsk what)
{
  return ss_bound_relaxation_solve (s->relaxation, s->side_on, s->extra[node].box, &what, s->control, &s->u, s->err);
}

static SsStatus
ask (Search *s, int node, SsBoundAsk what)
{
  const SsStatus status = relax (s, node, what);

  return status == SS_OK ? try_rounded (s, node, &s->u) : status;
}

static bool
is_settled (const Search *s, int node)
{
  return s->extra[node].bound == INFINITY || is_done (s, s->extra[node].bound);
}

/* Bounds by penalties that grow while rows are violated. */
static SsStatus
bound_node (Search *s, int node, double *penalty)
{
  const Extra *e = &s->extra[node];
  SsStatus status = SS_OK;

  for (size_t i = 0; i < sizeof PENALTIES / sizeof PENALTIES[0] && status == SS_OK; i++) {
    *penalty = PENALTIES[i];
    status = ask (s, node, (SsBoundAsk){.penalty = *penalty});
    const SsBoundPoint point = ss_bound_relaxation_point (s->relaxation);
    const bool is_violated = point.violation > VIOLATED;
    /* what is far away may go on to infinity: without the rows that reach it nothing needs to cancel there */
    if (status == SS_OK && s->has_open_ends && !is_violated && !is_settled (s, node) &&
        point.lowest - e->bound > OPEN_LOSS * (1 + fabs (point.lowest)))
      status = ask (s, node, (SsBoundAsk){.penalty = *penalty, .without_far = true});
    if (status == SS_OK && is_violated && !is_settled (s, node)) {
      s->u.weight = 0;
      status = try_multipliers (s, node, &s->u);
    }
    if (!is_violated || is_settled (s, node))
      break;
  }
  return status;
}

/* Sides of pairs that nothing holds above 0 are pulled there, by a part of the relaxation's value for all together. */
static SsStatus
pull_pairs (Search *s, int node, double penalty, double lowest, double part)
{
  const SsBoundPoint point = ss_bound_relaxation_point (s->relaxation);
  double size = 0;

  for (int i = 0; i < s->p->n_pairs; i++)
    if (!s->side_on[2 * i] && !s->side_on[2 * i + 1])
      size += fabs (ss_bound_value (s->p, &s->p->pairs[i].a, point.x).high) +
              fabs (ss_bound_value (s->p, &s->p->pairs[i].b, point.x).high);
  return ask (s, node,
              (SsBoundAsk){.penalty = penalty, .pull = part * fmax (fabs (lowest), LEAST_VALUE) / fmax (size, 1)});
}

/* By how much each side of a pair raises the relaxation's value: tried, or as it was on average. */
static SsStatus
try_pair (Search *s, int node, int pair, double penalty, double lowest)
{
  SsStatus status = SS_OK;

  for (int side = 0; side < 2 && status == SS_OK; side++) {
    const int at = 2 * pair + side;
    s->side_on[at] = true;
    status = relax (s, node, (SsBoundAsk){.penalty = penalty});
    s->side_on[at] = false;
    const SsBoundPoint point = ss_bound_relaxation_point (s->relaxation);
    const double gain = point.violation > VIOLATED ? fmax (1, fabs (lowest)) : fmax (0, point.lowest - lowest);
    s->gain[at] = (s->gain[at] * s->n_tried[pair] + gain) / (s->n_tried[pair] + 1);
  }
  s->n_tried[pair]++;
  return status;
}

static SsStatus
choose_pair (Search *s, int node, const int *pairs, int n, double penalty, double lowest)
{
  Extra *e = &s->extra[node];
  double best = -1;
  SsStatus status = SS_OK;

  e->branch = pairs[0];
  for (int i = 0; i < n && status == SS_OK && n > 1; i++) {
    if (s->n_tried[pairs[i]] < TRIES && e->bound > -INFINITY)
      status = try_pair (s, node, pairs[i], penalty, lowest);
    const double least = 1e-6 * fmax (1, fabs (lowest));
    const double score = (s->gain[2 * pairs[i]] + least) * (s->gain[2 * pairs[i] + 1] + least);
    if (score > best) {
      best = score;
      e->branch = pairs[i];
    }
  }
  return status;
}

/* Points start answers: the relaxation's, and the end of a dive: the worst pair takes its smaller side, the relaxation
 * is solved again, until no pair is violated. */
static SsStatus
improve_from (Search *s, int node, double penalty, double lowest)
{
  int pairs[CANDIDATES], taken[DIVE], n_taken = 0;
  SsBoundPoint point = ss_bound_relaxation_point (s->relaxation);
  SsStatus status = SS_OK;

  improve (s, point.x);
  if (s->out->n_solved > 2 && s->out->n_solved % DIVE_EVERY != 0)
    return SS_OK;
  while (n_taken < DIVE && status == SS_OK && find_pairs (s, point.x, pairs) > 0) {
    const SsBoundPair *pair = &s->p->pairs[pairs[0]];
    const double a = ss_bound_value (s->p, &pair->a, point.x).high, b = ss_bound_value (s->p, &pair->b, point.x).high;
    const double most_a = ss_bound_range (s->p, &pair->a, s->extra[node].box).high,
                 most_b = ss_bound_range (s->p, &pair->b, s->extra[node].box).high;
    const bool by_part = isfinite (most_a) && isfinite (most_b) && most_a > 0 && most_b > 0;
    taken[n_taken] = 2 * pairs[0] + ((by_part ? a / most_a <= b / most_b : a <= b) ? 0 : 1);
    s->side_on[taken[n_taken++]] = true;
    const double pull = DIVE_PULL * fmax (fabs (lowest), LEAST_VALUE) / s->p->n_pairs;
    status = relax (s, node, (SsBoundAsk){.penalty = penalty, .pull = pull});
    point = ss_bound_relaxation_point (s->relaxation);
    if (point.violation > VIOLATED)
      break;
  }
  for (int i = 0; i < n_taken; i++)
    s->side_on[taken[i]] = false;
  if (status == SS_OK && n_taken > 0)
    improve (s, point.x);
  return status;
}

/* The relaxation of a node whose box was tightened: its bound, and where to branch. */
static SsStatus
solve_node (Search *s, int node)
{
  Extra *e = &s->extra[node];
  double penalty;
  int pairs[CANDIDATES], n;

  s->out->n_solved++;
  s->has_open_ends = false;
  for (int i = 0; i < s->p->n; i++)
    s->has_open_ends = s->has_open_ends || isinf (e->box[i].low) || isinf (e->box[i].high);
  SsStatus status = bound_node (s, node, &penalty);
  SsBoundPoint point = ss_bound_relaxation_point (s->relaxation);
  const double lowest = point.lowest;
  n = find_pairs (s, point.x, pairs);
  for (size_t i = 0; i < sizeof PULLS / sizeof PULLS[0] && status == SS_OK && n > 0 && !is_settled (s, node); i++) {
    int held[CANDIDATES]; /* those that stay apart although they are pulled */
    status = pull_pairs (s, node, penalty, lowest, PULLS[i]);
    point = ss_bound_relaxation_point (s->relaxation);
    const int n_held = status == SS_OK ? find_pairs (s, point.x, held) : 0;
    if (n_held > 0) {
      memcpy (pairs, held, (size_t)n_held * sizeof (int));
      n = n_held;
      break;
    }
  }
  if (status != SS_OK || is_settled (s, node))
    return status;
  e->branches_on_pair = n > 0;
  if (n == 0 && !find_variable (s, point.x, point.w, e->box, &e->branch, &e->value))
    e->branch = -1;
  if (e->branch < 0 || (s->out->n_solved & (s->out->n_solved - 1)) == 0)
    status = improve_from (s, node, penalty, lowest);
  if (status == SS_OK && n > 0 && !is_settled (s, node))
    status = choose_pair (s, node, pairs, n, penalty, lowest);
  return status;
}

/* Tightens, solves and files a node whose box is its parent's half. */
static SsStatus
open_node (Search *s, int node, int rounds)
{
  SsBoundNode *n = &s->tree->nodes[node];
  Extra *e = &s->extra[node];
  bool is_empty;
  SsStatus status;

  set_sides (s, node);
  if ((status = propagate (s, rounds, e->box, &is_empty)) != SS_OK)
    return status;
  n->n_steps = s->n_steps;
  n->steps = ss_new_array (SsBoundStep, s->n_steps + 1);
  if (n->steps == NULL)
    return out_of_memory (s);
  if (s->n_steps > 0)
    memcpy (n->steps, s->steps, (size_t)s->n_steps * sizeof (SsBoundStep));
  if (is_empty) {
    n->kind = SS_BOUND_EMPTY;
    free_leaf (&n->leaf);
    e->bound = INFINITY;
  } else {
    if (e->parent >= 0)
      status = try_multipliers (s, node, &s->tree->nodes[e->parent].leaf);
    if (status == SS_OK && !is_done (s, e->bound))
      status = solve_node (s, node);
  }
  if (status == SS_OK && e->bound < INFINITY)
    return heap_push (s, node);
  ss_free (e->box);
  e->box = NULL;
  return status;
}

static SsStatus
branch_on (Search *s, int node)
{
  int child[2];
  SsStatus status = SS_OK;

  for (int i = 0; i < 2 && status == SS_OK; i++) {
    status = new_node (s, node, s->extra[node].branches_on_pair ? i : -1, &child[i]);
    if (status != SS_OK)
      return status;
    SsBoundNode *n = &s->tree->nodes[node];
    Extra *e = &s->extra[node];
    SsInterval *box = s->extra[child[i]].box;
    n->kind = e->branches_on_pair ? SS_BOUND_BRANCH_PAIR : SS_BOUND_BRANCH_VARIABLE;
    n->branch = e->branch;
    n->value = e->value;
    if (i == 0)
      n->first = child[0];
    else
      n->second = child[1];
    memcpy (box, e->box, (size_t)s->p->n * sizeof (SsInterval));
    memset (s->dirty, 0, (size_t)s->p->n * sizeof (bool));
    if (e->branches_on_pair) {
      const SsBoundForm *f = i == 0 ? &s->p->pairs[e->branch].a : &s->p->pairs[e->branch].b;
      for (int k = 0; k < f->n_linear; k++)
        s->dirty[f->variable[k]] = true;
      for (int k = 0; k < f->n_products; k++)
        s->dirty[s->p->products[f->product[k]].x] = s->dirty[s->p->products[f->product[k]].y] = true;
    } else {
      s->dirty[e->branch] = true;
      if (i == 0)
        box[e->branch].high = fmin (box[e->branch].high, e->value);
      else
        box[e->branch].low = fmax (box[e->branch].low, e->value);
    }
    status = open_node (s, child[i], ROUNDS);
  }
  if (status == SS_OK) {
    free_leaf (&s->tree->nodes[node].leaf);
    ss_free (s->extra[node].box);
    s->extra[node].box = NULL;
  }
  return status;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Opens the root with all that is known of its variables. */
static SsStatus
open_root (Search *s, int root)
{
  memcpy (s->extra[root].box, s->p->range, (size_t)s->p->n * sizeof (SsInterval));
  for (int i = 0; i < s->p->n; i++)
    s->dirty[i] = true;
  return open_node (s, root, ROUNDS_ROOT);
}

static SsStatus
run (Search *s)
{
  double least_closed = INFINITY; /* of leaves that are not branched further */
  SsOutcome why;
  int root;
  SsStatus status = new_node (s, -1, -1, &root);

  if (status != SS_OK)
    return status;
  status = open_root (s, root);
  if (status == SS_OK && s->n_heap > 0 && isfinite (s->out->answer)) {
    /* the first answer tightens the root once more */
    s->n_heap = 0;
    ss_free (s->tree->nodes[root].steps);
    s->tree->nodes[root].steps = NULL;
    s->extra[root].branch = -1;
    status = open_root (s, root);
  }
  while (status == SS_OK) {
    s->out->bound = fmin (least_closed, s->n_heap > 0 ? s->extra[s->heap[0]].bound : INFINITY);
    if (s->out->n_solved % TELLS_EVERY == 1)
      tell (s);
    if (s->n_heap == 0 || is_done (s, s->out->bound)) {
      s->out->is_finished = true;
      break;
    }
    if (s->out->n_solved >= s->o->max_nodes || ss_run_control_should_stop (s->control, &why))
      break;
    const int node = heap_pop (s);
    if (s->extra[node].branch < 0 || s->extra[node].depth >= SS_BOUND_DEPTH_MAX) {
      least_closed = fmin (least_closed, s->extra[node].bound);
      continue;
    }
    status = branch_on (s, node);
  }
  s->out->bound = fmin (s->out->bound, s->out->answer);
  return status;
}

SsStatus
ss_bound_search (const SsBoundProblem *problem, const SsBoundOptions *options, SsRunControl *control,
                 SsBoundSearch *out, SsBoundCertificate *certificate, SsError *err)
{
  SS_ASSERT (problem != NULL && options != NULL && out != NULL && certificate != NULL);
  const int n = problem->n, n_constraints = ss_bound_n_constraints (problem);
  Search s = {.p = problem, .o = options, .control = control, .out = out, .tree = certificate, .err = err};
  SsStatus status;

  *out = (SsBoundSearch){.bound = -INFINITY, .answer = options->answer};
  *certificate = (SsBoundCertificate){.n_variables = n};
  s.started = ss_clock_thread_cpu ();
  s.improve_anyhow = control != NULL && isfinite (control->cpu_limit)
                         ? fmax (IMPROVING_LEAST, IMPROVING_FIRST * control->cpu_limit)
                         : IMPROVING_LEAST;
  s.side_on = ss_new_array (bool, 2 * problem->n_pairs + 1);
  s.gain = ss_new_array (double, 2 * problem->n_pairs + 1);
  s.n_tried = ss_new_array (int, problem->n_pairs + 1);
  s.dirty = ss_new_array (bool, n + 1);
  s.was_dirty = ss_new_array (bool, n + 1);
  s.u.constraint = ss_new_array (int, n_constraints + 1);
  s.u.value = ss_new_array (double, n_constraints + 1);
  s.u.at = ss_new_array (double, n + 1);
  if (s.side_on == NULL || s.gain == NULL || s.n_tried == NULL || s.dirty == NULL || s.was_dirty == NULL ||
      s.u.constraint == NULL || s.u.value == NULL || s.u.at == NULL)
    status = out_of_memory (&s);
  else if ((status = ss_bound_kernel_new (problem, &s.kernel, err)) == SS_OK &&
           (status = ss_bound_relaxation_new (problem, &s.relaxation, err)) == SS_OK)
    status = run (&s);
  out->n_open = s.n_heap;
  out->cpu_seconds = ss_clock_thread_cpu () - s.started;
  certificate->cutoff = out->answer;
  certificate->bound = out->bound;
  tell (&s);
  for (int i = 0; i < certificate->n_nodes && s.extra != NULL; i++) {
    const double bound = s.extra[i].bound;
    /* the check's boxes are a little tighter, as its cutoff is the last one, so its tangents touch elsewhere */
    certificate->nodes[i].floor = isfinite (bound) ? bound - FLOOR_SLACK * (1 + fabs (bound)) : -INFINITY;
    ss_free (s.extra[i].box);
  }
  ss_free (s.extra);
  ss_free (s.heap);
  ss_free (s.steps);
  ss_free (s.side_on);
  ss_free (s.gain);
  ss_free (s.n_tried);
  ss_free (s.dirty);
  ss_free (s.was_dirty);
  free_leaf (&s.u);
  ss_bound_kernel_free (s.kernel);
  ss_bound_relaxation_free (s.relaxation);
  return status;
}
