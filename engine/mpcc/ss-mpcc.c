/* engine/mpcc/ss-mpcc.c: evaluation of a built problem: gather, one pass of a tape over a chunk of instances, scatter.
 *
 * Order of operations is fixed (groups, chunks, outputs, instances, extras), so results have the same bits on every
 * call.
 */
#include "mpcc/ss-mpcc-private.h"

#include <math.h>
#include <string.h>

/* Work arrays of one evaluating thread. */
typedef struct {
  double *in, *out, *work;
} Scratch;

/* ---- one scatter ------------------------------------------------------------------------------------------------- */

static void
load_chunk (const SsGroup *group, const SsScatter *scatter, int first, int count, const double *x, const double *lambda,
            double *in)
{
  int n_instances = group->n_instances;

  for (int u = 0; u < scatter->n_used; u++) {
    int input = scatter->used[u];
    const int *gather = group->gather + (size_t)input * n_instances + first;
    double *row = in + (size_t)input * SS_MPCC_CHUNK;

    for (int i = 0; i < count; i++)
      row[i] = x[gather[i]];
  }
  in += (size_t)group->n_inputs * SS_MPCC_CHUNK;
  for (int c = 0; c < group->n_constants; c++, in += SS_MPCC_CHUNK)
    memcpy (in, group->constants + (size_t)c * n_instances + first, (size_t)count * sizeof *in);
  if (lambda == NULL)
    return;
  for (int m = 0; m < group->n_multipliers; m++, in += SS_MPCC_CHUNK) {
    const int *row = group->multiplier_row + (size_t)m * n_instances + first;

    for (int i = 0; i < count; i++)
      in[i] = row[i] >= 0 ? lambda[row[i]] : 0;
  }
}

static void
store_chunk (const SsGroup *group, const SsScatter *scatter, int first, int count, const double *out, int *next_extra,
             double *result)
{
  for (int o = 0; o < scatter->n_outputs; o++) {
    const int *target = scatter->target + (size_t)o * group->n_instances + first;
    const double *values = out + (size_t)o * SS_MPCC_CHUNK;

    if (scatter->dense[o])
      for (int i = 0; i < count; i++)
        result[target[i]] += values[i];
    else
      for (int i = 0; i < count; i++)
        if (target[i] >= 0)
          result[target[i]] += values[i];
  }
  for (; *next_extra < scatter->n_extra && scatter->extra[*next_extra].instance < first + count; (*next_extra)++) {
    const SsExtraTarget *extra = &scatter->extra[*next_extra];

    result[extra->target] += out[(size_t)extra->output * SS_MPCC_CHUNK + (extra->instance - first)];
  }
}

/* Adds all outputs of all instances into `result`. `x` may be NULL for tapes that read no variables; `lambda` is NULL
 * except for Lagrangian tapes. */
static void
add_scatter (const SsMpcc *mpcc, const SsGroup *group, const SsScatter *scatter, const double *x, const double *lambda,
             Scratch scratch, double *result)
{
  int n_varying = group->n_inputs + group->n_constants + (lambda != NULL ? group->n_multipliers : 0);
  int next_extra = 0;

  if (scatter->tape == NULL)
    return;
  for (int first = 0; first < group->n_instances; first += SS_MPCC_CHUNK) {
    int rest = group->n_instances - first, count = rest < SS_MPCC_CHUNK ? rest : SS_MPCC_CHUNK;

    load_chunk (group, scatter, first, count, x, lambda, scratch.in);
    ss_tape_eval (scatter->tape, count, SS_MPCC_CHUNK, scratch.in, n_varying, mpcc->parameters, scratch.out,
                  scratch.work);
    store_chunk (group, scatter, first, count, scratch.out, &next_extra, result);
  }
}

static Scratch
scratch_of (const SsMpccEval *eval)
{
  return (Scratch){eval->in, eval->out, eval->work};
}

static void
copy_doubles (double *to, const double *from, size_t n)
{
  if (n > 0)
    memcpy (to, from, n * sizeof *to);
}

static void
clear_doubles (double *to, size_t n)
{
  if (n > 0)
    memset (to, 0, n * sizeof *to);
}

static size_t
n_entries (const SsPattern *pattern)
{
  return (size_t)pattern->start[pattern->n_major];
}

void
ss_mpcc_free (SsMpcc *mpcc)
{
  if (mpcc == NULL)
    return;
  for (int g = 0; g < mpcc->n_groups; g++) {
    SsGroup *group = &mpcc->groups[g];

    ss_tape_free (group->value.tape);
    ss_tape_free (group->intercept.tape);
    ss_tape_free (group->slope_constant.tape);
    ss_tape_free (group->slope_varying.tape);
    ss_tape_free (group->bend_constant.tape);
    ss_tape_free (group->bend_varying.tape);
  }
  ss_pattern_clear (&mpcc->jacobian);
  ss_pattern_clear (&mpcc->objective_hessian);
  ss_pattern_clear (&mpcc->lagrangian_hessian);
  ss_arena_free (mpcc->arena);
  ss_free (mpcc);
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

SsStatus
ss_mpcc_eval_new (const SsMpcc *mpcc, SsMpccEval **out, SsError *err)
{
  SS_ASSERT (mpcc != NULL && out != NULL);

  SsMpccEval *eval = ss_new (SsMpccEval);

  *out = NULL;
  if (eval == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  eval->mpcc = mpcc;
  eval->in = ss_new_array (double, mpcc->in_size);
  eval->out = ss_new_array (double, mpcc->out_size);
  eval->work = ss_new_array (double, mpcc->work_size);
  eval->objective_hessian = ss_new_array (double, n_entries (&mpcc->objective_hessian) + 1);
  if (eval->in == NULL || eval->out == NULL || eval->work == NULL || eval->objective_hessian == NULL) {
    ss_mpcc_eval_free (eval);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  *out = eval;
  return SS_OK;
}

void
ss_mpcc_eval_free (SsMpccEval *eval)
{
  if (eval == NULL)
    return;
  ss_free (eval->in);
  ss_free (eval->out);
  ss_free (eval->work);
  ss_free (eval->objective_hessian);
  ss_free (eval);
}

void
ss_mpcc_set_objective_scale (SsMpcc *mpcc, double scale)
{
  SS_ASSERT (mpcc != NULL && scale >= 0);

  mpcc->objective_scale = scale;
}

double
ss_mpcc_objective_scale (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->objective_scale;
}

static void
scale_objective (const SsMpcc *mpcc, double *values, size_t n)
{
  for (size_t i = 0; mpcc->objective_scale != 1 && i < n; i++)
    values[i] *= mpcc->objective_scale;
}

double
ss_mpcc_objective (SsMpccEval *eval, const double *x)
{
  SS_ASSERT (eval != NULL);

  const SsMpcc *mpcc = eval->mpcc;
  double sum = 0;

  for (int g = 0; g < mpcc->n_groups; g++)
    if (mpcc->groups[g].is_cost)
      add_scatter (mpcc, &mpcc->groups[g], &mpcc->groups[g].value, x, NULL, scratch_of (eval), &sum);
  return mpcc->objective_scale * sum;
}

double
ss_mpcc_objective_floor (SsMpccEval *eval, const double *lower, const double *upper)
{
  SS_ASSERT (eval != NULL);

  const SsMpcc *mpcc = eval->mpcc;
  double sum = 0;

  for (int g = 0; g < mpcc->n_groups; g++) {
    const SsGroup *group = &mpcc->groups[g];
    const int n_slots = group->n_inputs + group->n_constants;
    double *low = eval->in, *high = low + n_slots; /* there is room for more instances than two */

    for (int i = 0; group->is_cost && group->value.tape != NULL && i < group->n_instances; i++) {
      for (int u = 0; u < group->n_inputs; u++) {
        const int j = group->gather[(size_t)u * (size_t)group->n_instances + (size_t)i];
        low[u] = lower[j];
        high[u] = upper[j];
      }
      for (int c = 0; c < group->n_constants; c++)
        low[group->n_inputs + c] = high[group->n_inputs + c] =
            group->constants[(size_t)c * (size_t)group->n_instances + (size_t)i];
      ss_tape_range (group->value.tape, low, high, mpcc->parameters, eval->out, eval->out + group->value.n_outputs,
                     eval->work);
      for (int o = 0; o < group->value.n_outputs; o++)
        sum += eval->out[o];
    }
  }
  return isnan (sum) ? -INFINITY : sum;
}

void
ss_mpcc_gradient (SsMpccEval *eval, const double *x, double *gradient)
{
  SS_ASSERT (eval != NULL);

  const SsMpcc *mpcc = eval->mpcc;

  copy_doubles (gradient, mpcc->gradient_constant, (size_t)mpcc->n_variables);
  for (int g = 0; g < mpcc->n_groups; g++)
    if (mpcc->groups[g].is_cost)
      add_scatter (mpcc, &mpcc->groups[g], &mpcc->groups[g].slope_varying, x, NULL, scratch_of (eval), gradient);
  scale_objective (mpcc, gradient, (size_t)mpcc->n_variables);
}

void
ss_mpcc_rows (SsMpccEval *eval, const double *x, double *c)
{
  SS_ASSERT (eval != NULL);

  const SsMpcc *mpcc = eval->mpcc;

  clear_doubles (c, (size_t)ss_mpcc_n_rows (mpcc));
  for (int g = 0; g < mpcc->n_groups; g++)
    if (!mpcc->groups[g].is_cost)
      add_scatter (mpcc, &mpcc->groups[g], &mpcc->groups[g].value, x, NULL, scratch_of (eval), c);
}

void
ss_mpcc_jacobian (SsMpccEval *eval, const double *x, double *values)
{
  SS_ASSERT (eval != NULL);

  const SsMpcc *mpcc = eval->mpcc;

  copy_doubles (values, mpcc->jacobian_constant, n_entries (&mpcc->jacobian));
  for (int g = 0; g < mpcc->n_groups; g++)
    if (!mpcc->groups[g].is_cost)
      add_scatter (mpcc, &mpcc->groups[g], &mpcc->groups[g].slope_varying, x, NULL, scratch_of (eval), values);
}

void
ss_mpcc_objective_hessian (SsMpccEval *eval, const double *x, double *values)
{
  SS_ASSERT (eval != NULL);

  const SsMpcc *mpcc = eval->mpcc;

  copy_doubles (values, mpcc->objective_hessian_constant, n_entries (&mpcc->objective_hessian));
  for (int g = 0; g < mpcc->n_groups; g++)
    if (mpcc->groups[g].is_cost)
      add_scatter (mpcc, &mpcc->groups[g], &mpcc->groups[g].bend_varying, x, NULL, scratch_of (eval), values);
  scale_objective (mpcc, values, n_entries (&mpcc->objective_hessian));
}

void
ss_mpcc_lagrangian_hessian (SsMpccEval *eval, const double *x, double sigma, const double *lambda, double *values)
{
  SS_ASSERT (eval != NULL);

  const SsMpcc *mpcc = eval->mpcc;
  size_t n_objective = n_entries (&mpcc->objective_hessian);

  clear_doubles (values, n_entries (&mpcc->lagrangian_hessian));
  if (sigma != 0) {
    ss_mpcc_objective_hessian (eval, x, eval->objective_hessian);
    for (size_t e = 0; e < n_objective; e++)
      values[mpcc->objective_in_lagrangian[e]] = sigma * eval->objective_hessian[e];
  }
  for (int g = 0; g < mpcc->n_groups; g++)
    if (!mpcc->groups[g].is_cost)
      add_scatter (mpcc, &mpcc->groups[g], &mpcc->groups[g].bend_varying, x, lambda, scratch_of (eval), values);
}

/* Numbers of the bound rows, and what they leave of each variable. */
static void
update_bounds (SsMpcc *mpcc, Scratch scratch)
{
  for (int j = 0; j < mpcc->n_variables; j++) {
    mpcc->lower[j] = -INFINITY;
    mpcc->upper[j] = INFINITY;
  }
  if (mpcc->n_bounds == 0)
    return;
  clear_doubles (mpcc->intercept, (size_t)ss_mpcc_n_rows (mpcc));
  for (int g = 0; g < mpcc->n_groups; g++)
    add_scatter (mpcc, &mpcc->groups[g], &mpcc->groups[g].intercept, NULL, NULL, scratch, mpcc->intercept);
  for (int b = 0; b < mpcc->n_bounds; b++) {
    SsMpccBound *bound = &mpcc->bounds[b];
    int j = bound->variable;

    bound->slope = mpcc->jacobian_constant[mpcc->jacobian.start[bound->row]];
    bound->intercept = mpcc->intercept[bound->row];
    if (bound->slope > 0 && -bound->intercept / bound->slope > mpcc->lower[j])
      mpcc->lower[j] = -bound->intercept / bound->slope;
    if (bound->slope < 0 && -bound->intercept / bound->slope < mpcc->upper[j])
      mpcc->upper[j] = -bound->intercept / bound->slope;
  }
}

/* Entries that do not depend on the variables are evaluated here and nowhere else. */
void
ss_mpcc_set_parameters (SsMpcc *mpcc, const double *parameters)
{
  SS_ASSERT (mpcc != NULL && (mpcc->n_parameters == 0 || parameters != NULL));

  Scratch scratch = {mpcc->in, mpcc->out, mpcc->work};

  copy_doubles (mpcc->parameters, parameters, (size_t)mpcc->n_parameters);
  clear_doubles (mpcc->jacobian_constant, n_entries (&mpcc->jacobian));
  clear_doubles (mpcc->gradient_constant, (size_t)mpcc->n_variables);
  clear_doubles (mpcc->objective_hessian_constant, n_entries (&mpcc->objective_hessian));
  for (int g = 0; g < mpcc->n_groups; g++) {
    const SsGroup *group = &mpcc->groups[g];

    add_scatter (mpcc, group, &group->slope_constant, NULL, NULL, scratch,
                 group->is_cost ? mpcc->gradient_constant : mpcc->jacobian_constant);
    if (group->is_cost)
      add_scatter (mpcc, group, &group->bend_constant, NULL, NULL, scratch, mpcc->objective_hessian_constant);
  }
  update_bounds (mpcc, scratch);
}

/* ---- shape ------------------------------------------------------------------------------------------------------- */

int
ss_mpcc_n_variables (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->n_variables;
}

int
ss_mpcc_n_parameters (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->n_parameters;
}

int
ss_mpcc_n_equalities (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->n_equalities;
}

int
ss_mpcc_n_inequalities (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->n_inequalities;
}

int
ss_mpcc_n_rows (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->n_equalities + mpcc->n_inequalities;
}

int
ss_mpcc_n_pairs (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->n_pairs;
}

const SsMpccPair *
ss_mpcc_pairs (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->pairs;
}

const SsPattern *
ss_mpcc_jacobian_pattern (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return &mpcc->jacobian;
}

const SsPattern *
ss_mpcc_objective_hessian_pattern (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return &mpcc->objective_hessian;
}

const SsPattern *
ss_mpcc_lagrangian_hessian_pattern (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return &mpcc->lagrangian_hessian;
}

bool
ss_mpcc_row_is_affine (const SsMpcc *mpcc, int row)
{
  SS_ASSERT (mpcc != NULL && row >= 0 && row < ss_mpcc_n_rows (mpcc));
  SS_ASSERT (row >= 0 && row < ss_mpcc_n_rows (mpcc));
  return mpcc->row_affine[row];
}

int
ss_mpcc_n_bounds (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->n_bounds;
}

const SsMpccBound *
ss_mpcc_bounds (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->bounds;
}

const double *
ss_mpcc_lower (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->lower;
}

const double *
ss_mpcc_upper (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->upper;
}

const char *
ss_mpcc_row_name (const SsMpcc *mpcc, int row)
{
  SS_ASSERT (mpcc != NULL && row >= 0 && row < ss_mpcc_n_rows (mpcc));
  SS_ASSERT (row >= 0 && row < ss_mpcc_n_rows (mpcc));
  return mpcc->names + mpcc->name_start[row];
}

const double *
ss_mpcc_parameters (const SsMpcc *mpcc)
{
  SS_ASSERT (mpcc != NULL && mpcc->n_variables >= 0);
  return mpcc->parameters;
}
