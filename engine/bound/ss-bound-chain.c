/* engine/bound/ss-bound-chain.c: what of a model is a chain of stages, see ss-bound-chain.h. */
#include "bound/ss-bound-chain-private.h"

#include <stdio.h>
#include <string.h>

enum { MAX_BRANCHES = 64, MAX_TRIED = 4096, ROUNDS = 8, MAX_AUXILIARY = 200 };

static void *
take (const SsBoundChain *c, int count, size_t size)
{
  return ss_arena_alloc (c->arena, (size_t)count + 1, size);
}

static SsStatus
out_of_memory (SsError *err)
{
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a chain of stages");
}

/* ---- what the states are ----------------------------------------------------------------------------------------- */

static bool
is_used (const SsBoundStages *s, int variable)
{
  bool is = ss_bound_terms_use (&s->stage.cost, variable);

  for (int i = 0; i < s->stage.n_auxiliary && !is; i++)
    is = ss_bound_terms_use (&s->stage.auxiliary[i].a, variable) ||
         ss_bound_terms_use (&s->stage.auxiliary[i].b, variable);
  for (int i = 0; i < s->end.n_auxiliary && !is; i++)
    is = ss_bound_terms_use (&s->end.auxiliary[i].a, variable) || ss_bound_terms_use (&s->end.auxiliary[i].b, variable);
  for (int m = 0; m < s->n && !is; m++) /* its own row has it once, which leaves -1 + 1 = 0 */
    is = s->carried[m].row >= 0 && ss_bound_terms_use (&s->carried[m].change, variable);
  return is;
}

/* The end's cost of a state alone: square s^2 + slope s. */
static bool
read_end (const SsBoundStages *s, int variable, SsInterval *square, SsInterval *slope)
{
  *square = *slope = ss_interval (0);
  for (int i = 0; i < s->end.cost.n; i++) {
    const SsBoundTerm *t = &s->end.cost.terms[i];
    if (t->i != variable && t->j != variable)
      continue;
    if (t->i == variable && t->j < 0)
      *slope = t->c;
    else if (t->i == variable && t->j == variable)
      *square = t->c;
    else
      return false;
  }
  return square->low > 0 || (square->low == 0 && square->high == 0 && slope->low == slope->high);
}

static bool
refuse (char *why, size_t size, const char *what)
{
  if (why != NULL)
    snprintf (why, size, "%s", what);
  return false;
}

static bool
sort_states (SsBoundChain *c, char *why, size_t size)
{
  const SsBoundStages *s = c->stages;
  int n_kept = 0;

  for (int m = 0; m < c->n; m++) {
    SsInterval square, slope;
    if (s->carried[m].row < 0)
      continue;
    if (!is_used (s, m) && read_end (s, m, &square, &slope)) {
      if (isinf (s->start[m].low) || isinf (s->start[m].high))
        return refuse (why, size, "the start of a state that is summed up is free");
      c->square[c->n_states] = square;
      c->slope[c->n_states] = slope;
      c->states[c->n_states++] = m;
    } else {
      c->x = m;
      n_kept++;
    }
  }
  if (n_kept != 1)
    return refuse (why, size,
                   n_kept == 0 ? "no state enters otherwise than as a sum"
                               : "more than one state enters otherwise than as a sum");
  return true;
}

/* ---- functions of a stage ---------------------------------------------------------------------------------------- */

static void
add_terms (SsBoundChain *c, const SsBoundTerms *f, int function, int room)
{
  for (int e = 0; e < f->n; e++) {
    int t = 0;
    while (t < c->n_terms && (c->term_i[t] != f->terms[e].i || c->term_j[t] != f->terms[e].j))
      t++;
    c->n_terms = t == c->n_terms ? t + 1 : c->n_terms;
    c->term_i[t] = f->terms[e].i;
    c->term_j[t] = f->terms[e].j;
    c->value[function * room + t] = f->terms[e].c;
  }
}

static bool
make_functions (SsBoundChain *c)
{
  const SsBoundStages *s = c->stages;
  int room = s->stage.cost.n + s->carried[c->x].change.n;

  for (int i = 0; i < c->n_states; i++)
    room += s->carried[c->states[i]].change.n;
  c->n_functions = SS_BOUND_MOVE + c->n_states;
  c->term_i = take (c, room, sizeof (int));
  c->term_j = take (c, room, sizeof (int));
  c->value = take (c, room * c->n_functions, sizeof (SsInterval));
  if (c->term_i == NULL || c->term_j == NULL || c->value == NULL)
    return false;
  add_terms (c, &s->stage.cost, SS_BOUND_COST, room);
  add_terms (c, &s->carried[c->x].change, SS_BOUND_TURN, room);
  for (int i = 0; i < c->n_states; i++)
    add_terms (c, &s->carried[c->states[i]].change, SS_BOUND_MOVE + i, room);
  for (int f = 1; f < c->n_functions; f++)
    memmove (c->value + f * c->n_terms, c->value + f * room, (size_t)c->n_terms * sizeof (SsInterval));
  return true;
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

typedef struct {
  SsBoundChain *c;
  SsBoundKernel *kernel;
  bool *side_on;
  int n_tried;
  bool is_out_of_memory, is_over;
  SsError what;
} Brancher;

static void
limit_by (Brancher *b, int constraint, const SsBoundForm *f, SsInterval *box)
{
  const SsBoundChain *c = b->c;
  const int first = c->stages->point * c->n;

  for (int e = 0; e < f->n_linear + 2 * f->n_products; e++) {
    const int product = e < f->n_linear ? 0 : (e - f->n_linear) / 2;
    const SsBoundProduct *xy = e < f->n_linear ? NULL : &c->p->products[f->product[product]];
    const int v = xy == NULL ? f->variable[e] : (e - f->n_linear) % 2 == 0 ? xy->x : xy->y;
    const SsBoundStep step = {constraint, v};
    const bool is_control = v >= first && v < first + c->n && c->stages->carried[v - first].row < 0;
    if (is_control && ss_bound_kernel_step (b->kernel, &step, b->side_on, INFINITY, box, &b->what) != SS_OK)
      b->is_over = true; /* it cannot be */
  }
}

static bool
limit (Brancher *b, SsInterval *box)
{
  const SsBoundChain *c = b->c;
  const SsBoundProblem *p = c->p;
  const int first = c->stages->point * c->n;

  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < p->n_rows; i++)
      if (c->stages->row_holds[i])
        limit_by (b, i, &p->rows[i].form, box);
    for (int i = 0; i < p->n_pairs; i++)
      for (int side = 0; side < 2; side++)
        if (b->side_on[2 * i + side])
          limit_by (b, ss_bound_pair_constraint (p, i, side == 0 ? SS_BOUND_SIDE_A : SS_BOUND_SIDE_B),
                    side == 0 ? &p->pairs[i].a : &p->pairs[i].b, box);
  }
  for (int m = 0; m < c->n; m++)
    if (box[first + m].low > box[first + m].high)
      return false;
  return true;
}

static bool
is_within (const SsInterval *a, const SsInterval *b, int n)
{
  for (int i = 0; i < n; i++)
    if (a[i].low < b[i].low || a[i].high > b[i].high)
      return false;
  return true;
}

/* Keeps the box unless another holds it, and strikes those that it holds. */
static void
keep_branch (Brancher *b, const SsInterval *box)
{
  SsBoundChain *c = b->c;
  int n = 0;

  for (int i = 0; i < c->n_branches; i++)
    if (is_within (box, c->branches[i].box, c->n))
      return;
  for (int i = 0; i < c->n_branches; i++)
    if (!is_within (c->branches[i].box, box, c->n))
      c->branches[n++] = c->branches[i];
  c->n_branches = n;
  if (n == MAX_BRANCHES) {
    b->is_over = true;
    return;
  }
  SsInterval *own = take (c, c->n, sizeof (SsInterval));
  b->is_out_of_memory = b->is_out_of_memory || own == NULL;
  if (own == NULL)
    return;
  memcpy (own, box, (size_t)c->n * sizeof (SsInterval));
  c->branches[c->n_branches++].box = own;
}

static void
branch_from (Brancher *b, int pair, const SsInterval *outer)
{
  const SsBoundProblem *p = b->c->p;
  SsInterval *box = ss_new_array (SsInterval, p->n + 1);

  if (box == NULL || ++b->n_tried > MAX_TRIED) {
    b->is_out_of_memory = b->is_out_of_memory || box == NULL;
    b->is_over = true;
    ss_free (box);
    return;
  }
  memcpy (box, outer, (size_t)p->n * sizeof (SsInterval));
  if (limit (b, box)) {
    while (pair < p->n_pairs &&
           (!b->c->stages->pair_holds[pair] || ss_bound_range (p, &p->pairs[pair].a, box).high <= 0 ||
            ss_bound_range (p, &p->pairs[pair].b, box).high <= 0))
      pair++;
    if (pair == p->n_pairs)
      keep_branch (b, box + b->c->stages->point * b->c->n);
    for (int side = 0; side < 2 && pair < p->n_pairs && !b->is_over; side++) {
      b->side_on[2 * pair + side] = true;
      branch_from (b, pair + 1, box);
      b->side_on[2 * pair + side] = false;
    }
  }
  ss_free (box);
}

/* Whose minimum takes a term: a variable without a limit first, then one with a square of its own. */
static void
give_parts (const SsBoundChain *c, SsBoundBranch *b, int n_terms, const int *term_i, const int *term_j,
            const SsInterval *cost)
{
  for (int t = 0; t < n_terms; t++) {
    SsBoundPart part = {t, term_i[t], term_j[t], -1};
    const int variables[2] = {part.i, part.j};
    int rank = 0;
    bool is_zero = false;
    for (int e = 0; e < 2 && variables[e] >= 0; e++) {
      const int v = variables[e];
      const bool is_control = v < c->n && v != c->x;
      const SsInterval box = is_control ? b->box[v] : (SsInterval){0, 1};
      int own = is_control && (isinf (box.low) || isinf (box.high)) ? 2 : 0;
      is_zero = is_zero || (box.low == 0 && box.high == 0);
      for (int s = 0; s < n_terms && own == 0; s++)
        own = term_i[s] == v && term_j[s] == v && cost[s].low > 0 && box.low < box.high ? 1 : 0;
      if (own > rank) {
        rank = own;
        part.owner = v;
      }
    }
    if (is_zero)
      continue;
    int at = 0;
    while (part.owner >= 0 && at < b->n_owners && b->owners[at] != part.owner)
      at++;
    if (part.owner >= 0 && at == b->n_owners)
      b->owners[b->n_owners++] = part.owner;
    part.owner = part.owner >= 0 ? at : -1;
    b->parts[b->n_parts++] = part;
  }
}

static bool
new_parts (const SsBoundChain *c, SsBoundBranch *b, int n_terms)
{
  b->parts = take (c, n_terms, sizeof (SsBoundPart));
  b->owners = take (c, 2 * n_terms, sizeof (int));
  return b->parts != NULL && b->owners != NULL;
}

/* FALSE: too many, none, or out of memory. */
static bool
make_branches (SsBoundChain *c, bool *is_out_of_memory)
{
  Brancher b = {.c = c};

  b.side_on = take (c, 2 * c->p->n_pairs, sizeof (bool));
  c->branches = take (c, MAX_BRANCHES, sizeof (SsBoundBranch));
  *is_out_of_memory =
      b.side_on == NULL || c->branches == NULL || ss_bound_kernel_new (c->p, &b.kernel, &b.what) != SS_OK;
  if (!*is_out_of_memory)
    branch_from (&b, 0, c->p->range);
  ss_bound_kernel_free (b.kernel);
  for (int i = 0; i < c->n_branches && !b.is_out_of_memory; i++) {
    if (!new_parts (c, &c->branches[i], c->n_terms))
      b.is_out_of_memory = true;
    else
      give_parts (c, &c->branches[i], c->n_terms, c->term_i, c->term_j, c->value);
  }
  *is_out_of_memory = *is_out_of_memory || b.is_out_of_memory;
  return !*is_out_of_memory && !b.is_over && c->n_branches > 0;
}

/* The end's cost without the dualised states. */
static bool
make_end (SsBoundChain *c)
{
  const SsBoundTerms *all = &c->stages->end.cost;
  SsBoundTerms *own = &c->end_terms;
  int *i = take (c, all->n, sizeof (int)), *j = take (c, all->n, sizeof (int));
  SsInterval *cost = take (c, all->n, sizeof (SsInterval));

  own->terms = take (c, all->n, sizeof (SsBoundTerm));
  c->end.box = take (c, c->n, sizeof (SsInterval));
  if (i == NULL || j == NULL || cost == NULL || own->terms == NULL || c->end.box == NULL ||
      !new_parts (c, &c->end, all->n))
    return false;
  for (int e = 0; e < all->n; e++) {
    bool is_dual = false;
    for (int s = 0; s < c->n_states; s++)
      is_dual = is_dual || all->terms[e].i == c->states[s];
    if (is_dual)
      continue;
    i[own->n] = all->terms[e].i;
    j[own->n] = all->terms[e].j;
    cost[own->n] = all->terms[e].c;
    own->terms[own->n++] = all->terms[e];
  }
  for (int m = 0; m < c->n; m++)
    c->end.box[m] = SS_INTERVAL_ALL;
  give_parts (c, &c->end, own->n, i, j, cost);
  return true;
}

SsStatus
ss_bound_chain_new (const SsScenario *scenario, const SsBoundProblem *problem, SsBoundChain **out, char *why,
                    size_t why_size, SsError *err)
{
  SS_ASSERT (out != NULL);

  SsBoundStages *stages = NULL;
  bool is_out_of_memory = false;

  *out = NULL;
  SsStatus status = ss_bound_stages_new (scenario, problem, &stages, why, why_size, err);
  if (status != SS_OK || stages == NULL)
    return status;
  SsBoundChain *c = ss_new (SsBoundChain);
  if (c == NULL || (c->arena = ss_arena_new ()) == NULL) {
    ss_free (c);
    ss_bound_stages_free (stages);
    return out_of_memory (err);
  }
  c->p = problem;
  c->stages = stages;
  c->n = stages->n;
  c->n_points = scenario->model->n_points;
  const int n_end = stages->end.n_auxiliary, n_stage = stages->stage.n_auxiliary;
  c->n_local = c->n + (n_end > n_stage ? n_end : n_stage);
  c->states = take (c, c->n, sizeof (int));
  c->square = take (c, c->n, sizeof (SsInterval));
  c->slope = take (c, c->n, sizeof (SsInterval));
  is_out_of_memory = c->states == NULL || c->square == NULL || c->slope == NULL;
  bool is_chain = !is_out_of_memory && sort_states (c, why, why_size);
  if (is_chain && (!make_functions (c) || !make_end (c))) {
    is_out_of_memory = true;
    is_chain = false;
  }
  if (is_chain && c->n_local - c->n > MAX_AUXILIARY)
    is_chain = refuse (why, why_size, "a stage has too many functions");
  if (is_chain && !make_branches (c, &is_out_of_memory))
    is_chain = refuse (why, why_size, "the pairs of a stage have too many branches");
  if (is_chain)
    *out = c;
  else
    ss_bound_chain_free (c);
  return is_out_of_memory ? out_of_memory (err) : SS_OK;
}

void
ss_bound_chain_free (SsBoundChain *chain)
{
  if (chain == NULL)
    return;
  ss_bound_stages_free (chain->stages);
  ss_arena_free (chain->arena);
  ss_free (chain);
}

/* ---- proofs ------------------------------------------------------------------------------------------------------ */

void
ss_bound_chain_proof_clear (SsBoundChainProof *proof)
{
  SS_ASSERT (proof != NULL);
  ss_free (proof->multipliers);
  ss_free (proof->slopes);
  *proof = (SsBoundChainProof){0};
}

SsStatus
ss_bound_chain_proof_copy (const SsBoundChainProof *from, SsBoundChainProof *to, SsError *err)
{
  SS_ASSERT (from != NULL);

  double *multipliers = ss_new_array (double, from->n_multipliers + 1),
         *slopes = ss_new_array (double, from->n_slopes + 1);

  if (multipliers == NULL || slopes == NULL) {
    ss_free (multipliers);
    ss_free (slopes);
    return out_of_memory (err);
  }
  if (from->n_multipliers > 0)
    memcpy (multipliers, from->multipliers, (size_t)from->n_multipliers * sizeof (double));
  if (from->n_slopes > 0)
    memcpy (slopes, from->slopes, (size_t)from->n_slopes * sizeof (double));
  ss_bound_chain_proof_clear (to);
  *to = *from;
  to->multipliers = multipliers;
  to->slopes = slopes;
  return SS_OK;
}

/* ---- for a search ------------------------------------------------------------------------------------------------ */

int
ss_bound_chain_n_multipliers (const SsBoundChain *chain)
{
  SS_ASSERT (chain != NULL);
  return chain->n_states;
}

int
ss_bound_chain_n_variables (const SsBoundChain *chain)
{
  SS_ASSERT (chain != NULL);
  return chain->n;
}

int
ss_bound_chain_state (const SsBoundChain *chain)
{
  SS_ASSERT (chain != NULL);
  return chain->x;
}

double
ss_bound_chain_start (const SsBoundChain *chain)
{
  SS_ASSERT (chain != NULL);

  const SsInterval start = chain->stages->start[chain->x];

  return isfinite (start.low) ? ss_bound_middle (start) : NAN;
}

double
ss_bound_chain_multiplier (const SsBoundChain *chain, int state, const double *x)
{
  SS_ASSERT (chain != NULL && state >= 0 && state < chain->n_states);

  const int m = chain->states[state];
  const double s = x != NULL ? x[(chain->n_points - 1) * chain->n + m] : ss_bound_middle (chain->stages->start[m]);

  return chain->square[state].low == 0
             ? chain->slope[state].low
             : 2 * ss_bound_middle (chain->square[state]) * s + ss_bound_middle (chain->slope[state]);
}
