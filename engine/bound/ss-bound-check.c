/* engine/bound/ss-bound-check.c: see ss-bound-check.h. */
#include "bound/ss-bound-check.h"

#include "core/ss-random.h"
#include "judge/ss-metrics.h"

#include <stdio.h>
#include <string.h>

static const double SAME_VALUE = 1e-9; /* of a row here and as the judge has it, of the sum of its terms' sizes */
static const double DRAWN = 3;         /* half width of the box of random points */
enum { DRAWS = 3 };

typedef struct {
  const SsBoundProblem *p;
  const SsBoundCertificate *c;
  SsBoundKernel *kernel;
  bool *side_on, *seen; /* 2 n_pairs, n_nodes */
  SsBoundVerdict *out;
  SsError what; /* of the kernel: in each call of check_node it would fill the stack */
  SsError *err;
} Check;

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static SsStatus
fail (Check *k, int node, const char *what)
{
  return ss_error_set (k->err, SS_ERR_INVALID, "the certificate does not hold: node %d %s", node, what);
}

/* What the kernel says of a node. */
static SsStatus
of_node (Check *k, int node, SsStatus status)
{
  return status == SS_ERR_INVALID ? fail (k, node, k->what.message)
         : status != SS_OK        ? ss_error_set (k->err, status, "%s", k->what.message)
                                  : SS_OK;
}

static SsStatus
check_leaf (Check *k, int index, const SsInterval *box)
{
  const SsBoundNode *node = &k->c->nodes[index];
  SsBoundFloor least;
  SsStatus status =
      of_node (k, index, ss_bound_kernel_floor (k->kernel, &node->leaf, k->side_on, box, &least, &k->what));

  if (status != SS_OK)
    return status;
  if (node->leaf.weight == 0 && !(least.value > 0))
    return fail (k, index, "is said to hold no feasible point, and its multipliers do not show it");
  if (node->leaf.weight == 1 && least.value < node->floor)
    return fail (k, index, "proves less than it is said to");
  k->out->n_leaves++;
  if (node->leaf.weight == 0) {
    k->out->n_empty++;
  } else if (least.value < k->out->bound) {
    k->out->bound = least.value;
    k->out->unbounded = least.unbounded;
  }
  return SS_OK;
}

static SsStatus
check_node (Check *k, int index, int parent, const SsInterval *outer, int depth)
{
  const SsBoundProblem *p = k->p;

  if (index <= parent || index >= k->c->n_nodes || k->seen[index])
    return ss_error_set (k->err, SS_ERR_INVALID, "the certificate does not hold: node %d has a child that is none",
                         parent);
  if (depth > SS_BOUND_DEPTH_MAX)
    return fail (k, index, "lies too deep");
  const SsBoundNode *node = &k->c->nodes[index];
  SsInterval *box = ss_new_array (SsInterval, p->n + 1);
  SsStatus status = SS_OK;
  bool is_empty = false;

  if (box == NULL)
    return ss_error_set (k->err, SS_ERR_MEMORY, "out of memory for a box");
  memcpy (box, outer, (size_t)p->n * sizeof (SsInterval));
  k->seen[index] = true;
  k->out->deepest = depth > k->out->deepest ? depth : k->out->deepest;
  for (int i = 0; i < p->n; i++)
    is_empty = is_empty || box[i].low > box[i].high;
  for (int i = 0; i < node->n_steps && status == SS_OK && !is_empty; i++) {
    status =
        of_node (k, index, ss_bound_kernel_step (k->kernel, &node->steps[i], k->side_on, k->c->cutoff, box, &k->what));
    is_empty = status == SS_OK && box[node->steps[i].variable].low > box[node->steps[i].variable].high;
  }
  if (status != SS_OK) {
  } else if (node->kind == SS_BOUND_EMPTY) {
    k->out->n_leaves++;
    k->out->n_empty++;
    status = is_empty ? SS_OK : fail (k, index, "is said to be empty, and its steps do not show it");
  } else if (node->kind == SS_BOUND_LEAF) {
    if (is_empty)
      k->out->n_leaves++, k->out->n_empty++;
    else
      status = check_leaf (k, index, box);
  } else if (node->kind == SS_BOUND_BRANCH_PAIR && node->branch >= 0 && node->branch < p->n_pairs) {
    for (int side = 0; side < 2 && status == SS_OK; side++) {
      bool *on = &k->side_on[2 * node->branch + side];
      const bool was_on = *on;
      *on = true;
      status = check_node (k, side == 0 ? node->first : node->second, index, box, depth + 1);
      *on = was_on;
    }
  } else if (node->kind == SS_BOUND_BRANCH_VARIABLE && node->branch >= 0 && node->branch < p->n &&
             isfinite (node->value)) {
    const SsInterval whole = box[node->branch];
    box[node->branch].high = fmin (whole.high, node->value);
    status = check_node (k, node->first, index, box, depth + 1);
    box[node->branch] = (SsInterval){fmax (whole.low, node->value), whole.high};
    if (status == SS_OK)
      status = check_node (k, node->second, index, box, depth + 1);
  } else {
    status = fail (k, index, "branches on nothing");
  }
  ss_free (box);
  return status;
}

/* ---- the polynomials and the judge ------------------------------------------------------------------------------- */

typedef struct {
  const SsBoundProblem *p;
  const double *x;
  int row, pair;
  bool is_equal;
  char where[200];
} Compare;

static double
size_of (const SsBoundProblem *p, const SsBoundForm *f, const double *x)
{
  double sum = fabs (f->constant.high) + 1;

  for (int i = 0; i < f->n_linear; i++)
    sum += fabs (f->linear[i].high * x[f->variable[i]]);
  for (int i = 0; i < f->n_products; i++)
    sum += fabs (f->quadratic[i].high * x[p->products[f->product[i]].x] * x[p->products[f->product[i]].y]);
  return sum;
}

static void
compare (Compare *c, const SsBoundForm *form, double value, const char *where)
{
  const SsInterval ours = ss_bound_value (c->p, form, c->x);
  const double slack = SAME_VALUE * size_of (c->p, form, c->x);

  /* outside of a formula's domain neither is a number */
  if (!isfinite (value) || !isfinite (slack) || (ours.low - slack <= value && value <= ours.high + slack))
    return;
  c->is_equal = false;
  snprintf (c->where, sizeof c->where, "%s: %.12g, of the judge %.12g", where, ours.low, value);
}

static void
visit_row (void *data, const SsModelBlock *block, const SsModelRow *row, const char *part, int point, double amount,
           double a, double b)
{
  Compare *c = data;

  (void)block, (void)point, (void)amount;
  if (strcmp (part, " (product)") == 0) {
    while (c->pair < c->p->n_pairs && c->p->pairs[c->pair].path[0] == '\0')
      c->pair++;
    if (c->pair < c->p->n_pairs) {
      compare (c, &c->p->pairs[c->pair].a, a, row->path);
      compare (c, &c->p->pairs[c->pair].b, b, row->path);
    }
    c->pair++;
    return;
  }
  while (c->row < c->p->n_rows && c->p->rows[c->row].path[0] == '\0')
    c->row++;
  if (c->row < c->p->n_rows)
    compare (c, &c->p->rows[c->row].form, strcmp (part, " (second)") == 0 ? b : a, row->path);
  c->row++;
}

/* What auxiliary variables were computed to be obeys their rows, pairs and ranges. */
static void
compare_auxiliary (Compare *c)
{
  const SsBoundProblem *p = c->p;

  for (int i = 0; i < p->n_rows; i++) {
    const SsBoundForm *form = &p->rows[i].form;
    if (p->rows[i].path[0] == '\0')
      compare (c, form, p->rows[i].is_equality ? 0 : fmax (0, ss_bound_value (p, form, c->x).low), "auxiliary row");
  }
  for (int i = 0; i < p->n_pairs; i++) {
    const double a = ss_bound_value (p, &p->pairs[i].a, c->x).low, b = ss_bound_value (p, &p->pairs[i].b, c->x).low;
    if (p->pairs[i].path[0] == '\0')
      compare (c, a < b ? &p->pairs[i].a : &p->pairs[i].b, 0, "auxiliary pair");
  }
  for (int i = p->n_model; i < p->n; i++)
    if (isfinite (c->x[i]) && !ss_interval_has (p->range[i], c->x[i]))
      c->is_equal = false;
}

static SsStatus
compare_with_judge (const SsScenario *scenario, const SsBoundProblem *p, SsError *err)
{
  double *x = ss_new_array (double, p->n + 1);
  SsRandom random;
  SsStatus status = SS_OK;

  if (x == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_random_seed (&random, 1);
  for (int draw = 0; draw < DRAWS && status == SS_OK; draw++) {
    Compare c = {.p = p, .x = x, .is_equal = true};
    SsMetrics metrics;
    for (int i = 0; i < p->n_model; i++) /* the last draw: positive, for roots */
      x[i] = (draw < DRAWS - 1 ? -DRAWN : 0.1) + (draw < DRAWS - 1 ? 2 : 1) * DRAWN * ss_random_uniform (&random);
    ss_bound_complete (p, x);
    status = ss_metrics_compute_and_visit (scenario, x, visit_row, &c, &metrics, err);
    if (status != SS_OK)
      break;
    while (c.row < p->n_rows && p->rows[c.row].path[0] == '\0')
      c.row++;
    while (c.pair < p->n_pairs && p->pairs[c.pair].path[0] == '\0')
      c.pair++;
    compare_auxiliary (&c);
    compare (&c, &p->objective, metrics.objective, "objective");
    if (!c.is_equal)
      status = ss_error_set (err, SS_ERR_INTERNAL, "the bound's polynomials are not those of the model: %s", c.where);
    else if (c.row != p->n_rows || c.pair != p->n_pairs)
      status = ss_error_set (err, SS_ERR_INTERNAL, "the bound's rows are not those of the model (%d of %d, %d of %d)",
                             c.row, p->n_rows, c.pair, p->n_pairs);
  }
  ss_free (x);
  return status;
}

static SsStatus
check_chain (const SsScenario *scenario, const SsBoundProblem *p, const SsBoundChainProof *proof, SsBoundVerdict *out,
             SsError *err)
{
  SsBoundChain *chain = NULL;
  char why[200];
  SsStatus status = ss_bound_chain_new (scenario, p, &chain, why, sizeof why, err);

  if (status == SS_OK && chain == NULL)
    status = ss_error_set (err, SS_ERR_INVALID, "the certificate is of a chain of stages, and this is none: %s", why);
  if (status == SS_OK)
    status = ss_bound_chain_value (chain, proof, &out->bound, NULL, err);
  out->n_leaves = proof->n_cells;
  ss_bound_chain_free (chain);
  return status;
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

SsStatus
ss_bound_check (const SsScenario *scenario, const SsBoundProblem *problem, const SsBoundCertificate *certificate,
                SsBoundVerdict *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && problem != NULL && certificate != NULL && out != NULL);
  const SsBoundProblem *p = problem;
  Check k = {.p = p, .c = certificate, .out = out, .err = err};
  SsStatus status;

  *out = (SsBoundVerdict){.bound = INFINITY, .unbounded = -1};
  if (certificate->n_variables != p->n || (certificate->n_nodes < 1 && !certificate->has_chain))
    return ss_error_set (err, SS_ERR_INVALID, "the certificate is of a problem with %d variables, this one has %d",
                         certificate->n_variables, p->n);
  if ((status = compare_with_judge (scenario, p, err)) != SS_OK)
    return status;
  if (certificate->has_chain)
    return check_chain (scenario, p, &certificate->chain, out, err);
  status = ss_bound_kernel_new (p, &k.kernel, err);
  k.side_on = ss_new_array (bool, 2 * p->n_pairs + 1);
  k.seen = ss_new_array (bool, certificate->n_nodes);
  if (status == SS_OK && (k.side_on == NULL || k.seen == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the check");
  if (status == SS_OK)
    status = check_node (&k, 0, -1, p->range, 0);
  out->bound = fmin (out->bound, certificate->cutoff);
  ss_bound_kernel_free (k.kernel);
  ss_free (k.side_on);
  ss_free (k.seen);
  return status;
}

void
ss_bound_certificate_clear (SsBoundCertificate *certificate)
{
  SS_ASSERT (certificate != NULL);
  for (int i = 0; i < certificate->n_nodes; i++) {
    ss_free (certificate->nodes[i].steps);
    ss_free (certificate->nodes[i].leaf.constraint);
    ss_free (certificate->nodes[i].leaf.value);
    ss_free (certificate->nodes[i].leaf.at);
  }
  ss_free (certificate->nodes);
  ss_bound_chain_proof_clear (&certificate->chain);
  *certificate = (SsBoundCertificate){0};
}
