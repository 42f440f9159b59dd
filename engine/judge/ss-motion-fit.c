/* engine/judge/ss-motion-fit.c: least squares with weights that are not negative and, in groups, have given sums.
 *
 *     minimise over z   r' M r,   r = P (b - M^-1 A z),   P = 1 - M^-1 G' (G M^-1 G')^-1 G
 * P takes away what the joint rows G can explain; it is M-orthogonal. Columns of a group are scaled by one number, so
 * that their curvature is about 1 and their sum stays a sum. Gradient projection finds out which weights are 0,
 * conjugate gradients on the face of the others go on from there. (J. J. More, G. Toraldo, SIAM J. Optim. 1
 * (1991).) Every r on the way is an upper bound, so that stopping early never hides a wrong step.
 */
#include "judge/ss-motion-private.h"

#include <math.h>
#include <string.h>

/* Added to the scaled matrix of the joint rows, whose diagonal is 1: rows may say the same twice. Applying P twice
 * takes its error away. */
static const double regularisation = 1e-12;
/* A projected gradient below this part of r shows that r is as good as least: curvatures are about 1. */
static const double gradient_fraction = 1e-6;
/* Directions with less curvature, where about 1 is usual, change nothing. */
static const double negligible_curvature = 1e-14;
/* A choice that changes no velocity by more than this part of the floor is none. */
static const double negligible_change = 0.01;
enum { CONJUGATE_STEPS_MAX = 100, HALVINGS_MAX = 4, PROJECTIONS = 2 };

typedef struct {
  int first, n;
  double total; /* NaN: free */
  double scale; /* weight = scale z */
  double sum;   /* of z; NaN: free */
} Group;

struct SsMotionFit {
  int n_bodies;
  const double *mass, *inverse_mass; /* borrowed */
  int n_columns, columns_capacity;
  SsFitColumn *columns;
  int n_groups, groups_capacity;
  Group *groups;
  int work_capacity; /* columns that there is work for */
  double *work;      /* z, gradient, direction, and the face's */
  double *z, *gradient, *direction, *steepest, *from;
  double *way, *rest, *rest_before; /* 3 n_bodies */
  int n_rows;
  const SsRow *rows;  /* borrowed */
  double *row_scale;  /* n_rows each */
  double *row_work;   /* of one application of P */
  double *lambda;     /* n_rows */
  SsPattern pattern;  /* lower triangle of the joint rows' matrix, by columns */
  double *row_values; /* its entries */
  SsLdl *ldl;
  int n_held, held_capacity; /* columns; numbers */
  double *held;              /* n_held x 3 n_bodies */
};

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static bool
moves (const SsMotionFit *fit, int body)
{
  return body >= 0 && (fit->inverse_mass[3 * body] > 0 || fit->inverse_mass[3 * body + 1] > 0 ||
                       fit->inverse_mass[3 * body + 2] > 0);
}

typedef struct {
  int n, column_capacity, row_capacity;
  int *column, *row;
} Entries;

static SsStatus
add_entry (Entries *entries, int column, int row, SsError *err)
{
  if (ss_array_reserve ((void **)&entries->column, &entries->column_capacity, entries->n + 1, sizeof (int)) != 0 ||
      ss_array_reserve ((void **)&entries->row, &entries->row_capacity, entries->n + 1, sizeof (int)) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge joints");
  entries->column[entries->n] = column;
  entries->row[entries->n++] = row;
  return SS_OK;
}

/* Rows couple where they share a body that moves: each row with itself and with the earlier ones of its bodies. */
static SsStatus
find_pattern (SsMotionFit *fit, const SsRow *rows, SsError *err)
{
  Entries entries = {0};
  int *last = ss_new_array (int, (size_t)fit->n_bodies + 1), *before = ss_new_array (int, 2 * (size_t)fit->n_rows + 1);
  int *slot = NULL;
  SsStatus status = SS_OK;

  if (last == NULL || before == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory to judge %d joint rows", fit->n_rows);
  for (int b = 0; b < fit->n_bodies && status == SS_OK; b++)
    last[b] = -1;
  for (int r = 0; r < fit->n_rows && status == SS_OK; r++) {
    status = add_entry (&entries, r, r, err);
    for (int side = 0; side < 2; side++) {
      const int body = rows[r].body[side];

      if (!moves (fit, body))
        continue;
      for (int k = last[body]; k >= 0 && status == SS_OK; k = before[k])
        if (k / 2 != r)
          status = add_entry (&entries, k / 2, r, err);
      if (status == SS_OK) {
        before[2 * r + side] = last[body];
        last[body] = 2 * r + side;
      }
    }
  }
  if (status == SS_OK) {
    slot = ss_new_array (int, (size_t)entries.n + 1);
    status = slot == NULL ? ss_error_set (err, SS_ERR_MEMORY, "no memory to judge %d joint rows", fit->n_rows)
                          : ss_pattern_from_triplets (&fit->pattern, fit->n_rows, fit->n_rows, entries.n,
                                                      entries.column, entries.row, slot, err);
  }
  ss_free (last);
  ss_free (before);
  ss_free (slot);
  ss_free (entries.column);
  ss_free (entries.row);
  return status;
}

/* Pattern and factor of the joint rows' matrix. */
static SsStatus
prepare_rows (SsMotionFit *fit, const SsRow *rows, SsError *err)
{
  SsStatus status = find_pattern (fit, rows, err);

  if (status != SS_OK)
    return status;
  fit->row_values = ss_new_array (double, (size_t)fit->pattern.start[fit->n_rows] + 1);
  if (fit->row_values == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge %d joint rows", fit->n_rows);
  return ss_ldl_new (&fit->pattern, &fit->ldl, err);
}

SsStatus
ss_motion_fit_new (int n_bodies, const double *mass, const double *inverse_mass, const SsRow *rows, int n_rows,
                   SsMotionFit **out, SsError *err)
{
  SS_ASSERT (n_bodies >= 0 && out != NULL);

  const size_t n = 3 * (size_t)n_bodies + 1, m = (size_t)n_rows + 1;
  SsMotionFit *fit = ss_new (SsMotionFit);
  SsStatus status = SS_OK;

  *out = NULL;
  if (fit == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge steps of %d bodies", n_bodies);
  fit->n_bodies = n_bodies;
  fit->mass = mass;
  fit->inverse_mass = inverse_mass;
  fit->n_rows = n_rows;
  fit->way = ss_new_array (double, n);
  fit->rest = ss_new_array (double, n);
  fit->rest_before = ss_new_array (double, n);
  fit->row_scale = ss_new_array (double, m);
  fit->row_work = ss_new_array (double, m);
  fit->lambda = ss_new_array (double, m);
  if (fit->way == NULL || fit->rest == NULL || fit->rest_before == NULL || fit->row_scale == NULL ||
      fit->row_work == NULL || fit->lambda == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory to judge steps of %d bodies", n_bodies);
  if (status == SS_OK && n_rows > 0)
    status = prepare_rows (fit, rows, err);
  if (status != SS_OK)
    goto fail;
  *out = fit;
  return SS_OK;

fail:
  ss_motion_fit_free (fit);
  return status;
}

void
ss_motion_fit_free (SsMotionFit *fit)
{
  if (fit == NULL)
    return;
  ss_free (fit->columns);
  ss_free (fit->groups);
  ss_free (fit->work);
  ss_free (fit->way);
  ss_free (fit->rest);
  ss_free (fit->rest_before);
  ss_free (fit->row_scale);
  ss_free (fit->row_work);
  ss_free (fit->lambda);
  ss_free (fit->row_values);
  ss_free (fit->held);
  ss_pattern_clear (&fit->pattern);
  ss_ldl_free (fit->ldl);
  ss_free (fit);
}

/* ---- joint rows -------------------------------------------------------------------------------------------------- */

static double
coupling (const SsMotionFit *fit, const SsRow *r, const SsRow *s)
{
  double sum = 0;

  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; r->body[i] >= 0 && r->body[i] == s->body[j] && k < 3; k++)
        sum += r->j[3 * i + k] * s->j[3 * j + k] * fit->inverse_mass[3 * r->body[i] + k];
  return sum;
}

SsStatus
ss_motion_fit_set_rows (SsMotionFit *fit, const SsRow *rows, SsError *err)
{
  SS_ASSERT (fit != NULL && fit->n_held <= fit->held_capacity);
  fit->rows = rows;
  if (fit->n_rows == 0)
    return SS_OK;
  for (int r = 0; r < fit->n_rows; r++) {
    const double own = coupling (fit, &rows[r], &rows[r]);

    fit->row_scale[r] = own > 0 ? 1 / sqrt (own) : 0;
  }
  for (int c = 0; c < fit->n_rows; c++)
    for (int e = fit->pattern.start[c]; e < fit->pattern.start[c + 1]; e++) {
      const int r = fit->pattern.index[e];

      fit->row_values[e] = fit->row_scale[c] * fit->row_scale[r] * coupling (fit, &rows[c], &rows[r]);
      if (r == c)
        fit->row_values[e] = 1 + regularisation;
    }
  int n_replaced = 0;
  SsStatus status = ss_ldl_factor (fit->ldl, fit->row_values, NULL, regularisation, &n_replaced);
  return status == SS_OK ? SS_OK : ss_error_set (err, status, "the joint rows' matrix is not finite");
}

/* v += M^-1 j weight. */
static void
push (const SsMotionFit *fit, const int body[2], const double *j, double weight, double *v)
{
  for (int side = 0; side < 2; side++)
    for (int k = 0; body[side] >= 0 && k < 3; k++)
      v[3 * body[side] + k] += fit->inverse_mass[3 * body[side] + k] * j[3 * side + k] * weight;
}

static double
pull (const int body[2], const double *j, const double *v)
{
  double sum = 0;

  for (int side = 0; side < 2; side++)
    for (int k = 0; body[side] >= 0 && k < 3; k++)
      sum += j[3 * side + k] * v[3 * body[side] + k];
  return sum;
}

/* v = P v, or, with a weight, what is nearest to v in M with G v = -weight gdv. `lambda`: what it takes is added there;
 * may be NULL. */
static void
project (SsMotionFit *fit, double *v, double weight, double *lambda)
{
  for (int pass = 0; pass < PROJECTIONS && fit->n_rows > 0; pass++) {
    for (int r = 0; r < fit->n_rows; r++)
      fit->row_work[r] = fit->row_scale[r] * (pull (fit->rows[r].body, fit->rows[r].j, v) + weight * fit->rows[r].gdv);
    ss_ldl_solve (fit->ldl, fit->row_work);
    for (int r = 0; r < fit->n_rows; r++) {
      const double p = fit->row_scale[r] * fit->row_work[r];

      push (fit, fit->rows[r].body, fit->rows[r].j, -p, v);
      if (lambda != NULL)
        lambda[r] += p;
    }
  }
}

void
ss_motion_fit_join (SsMotionFit *fit, double *v, double weight)
{
  SS_ASSERT (fit != NULL && fit->n_held <= fit->held_capacity);
  memset (fit->lambda, 0, (size_t)fit->n_rows * sizeof *fit->lambda);
  project (fit, v, weight, fit->lambda);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

void
ss_motion_fit_clear (SsMotionFit *fit)
{
  SS_ASSERT (fit != NULL);
  fit->n_columns = fit->n_groups = fit->n_held = 0;
}

SsStatus
ss_motion_fit_hold (SsMotionFit *fit, int first, SsError *err)
{
  SS_ASSERT (fit != NULL && fit->n_held <= fit->held_capacity);

  const int n = 3 * fit->n_bodies, n_new = fit->n_columns - first;

  if (fit->n_rows == 0)
    return SS_OK;
  if (ss_array_reserve ((void **)&fit->held, &fit->held_capacity, (fit->n_held + n_new) * n, sizeof *fit->held) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a step");
  for (int c = first; c < fit->n_columns; c++, fit->n_held++) {
    double *held = fit->held + (size_t)fit->n_held * (size_t)n;

    memset (held, 0, (size_t)n * sizeof *held);
    push (fit, fit->columns[c].body, fit->columns[c].j, 1, held);
    project (fit, held, 0, NULL);
    for (int i = 0; i < n; i++)
      held[i] *= fit->inverse_mass[i] > 0 ? fit->mass[i] : 0;
    fit->columns[c].is_held = true;
  }
  /* the room may have moved */
  for (int c = 0, k = 0; c < fit->n_columns; c++)
    if (fit->columns[c].is_held)
      fit->columns[c].dense = fit->held + (size_t)k++ * (size_t)n;
  return SS_OK;
}

SsStatus
ss_motion_fit_begin (SsMotionFit *fit, double total, SsError *err)
{
  SS_ASSERT (fit != NULL);
  if (ss_array_reserve ((void **)&fit->groups, &fit->groups_capacity, fit->n_groups + 1, sizeof *fit->groups) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a step");
  fit->groups[fit->n_groups++] = (Group){.first = fit->n_columns, .total = total};
  return SS_OK;
}

SsStatus
ss_motion_fit_add (SsMotionFit *fit, const SsFitColumn *column, SsError *err)
{
  SS_ASSERT (fit->n_groups > 0);
  if (ss_array_reserve ((void **)&fit->columns, &fit->columns_capacity, fit->n_columns + 1, sizeof *fit->columns) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a step");
  fit->columns[fit->n_columns++] = *column;
  fit->groups[fit->n_groups - 1].n++;
  return SS_OK;
}

int
ss_motion_fit_n_columns (const SsMotionFit *fit)
{
  SS_ASSERT (fit != NULL && fit->n_held <= fit->held_capacity);
  return fit->n_columns;
}

const SsFitColumn *
ss_motion_fit_columns (const SsMotionFit *fit)
{
  SS_ASSERT (fit != NULL && fit->n_held <= fit->held_capacity);
  return fit->columns;
}

const double *
ss_motion_fit_lambda (const SsMotionFit *fit)
{
  SS_ASSERT (fit != NULL && fit->n_held <= fit->held_capacity);
  return fit->lambda;
}

/* v += M^-1 times what weights change by, of one column: those of a group with a sum change among each other, so that
 * its mean does not count, which would only cost digits. */
static void
push_change (const SsMotionFit *fit, const SsFitColumn *column, double weight, double *v)
{
  if (column->dense == NULL)
    push (fit, column->body, column->d, weight, v);
  else
    for (int i = 0; i < 3 * fit->n_bodies; i++)
      v[i] += fit->inverse_mass[i] * column->dense[i] * weight;
}

static double
pull_change (const SsMotionFit *fit, const SsFitColumn *column, const double *v)
{
  return column->dense == NULL ? pull (column->body, column->d, v) : ss_dot (3 * fit->n_bodies, column->dense, v);
}

/* v += M^-1 times a column's impulse. */
static void
push_column (const SsMotionFit *fit, const SsFitColumn *column, double weight, double *v)
{
  if (column->dense == NULL)
    push (fit, column->body, column->j, weight, v);
  else
    push_change (fit, column, weight, v);
}

/* Sets d of a group's columns, which are on the same bodies. */
static void
take_mean_away (SsMotionFit *fit, const Group *group)
{
  for (int k = 0; k < 6; k++) {
    double mean = 0;

    for (int c = group->first; c < group->first + group->n && !isnan (group->total); c++)
      mean += fit->columns[c].j[k] / group->n;
    for (int c = group->first; c < group->first + group->n; c++)
      fit->columns[c].d[k] = fit->columns[c].j[k] - mean;
  }
}

/* Square of the velocities that a column's change gives, in the norm of M; *largest is the largest of them. */
static double
square_of (const SsMotionFit *fit, const SsFitColumn *column, double *largest)
{
  double sum = 0;

  for (int k = 0; k < (column->dense != NULL ? 3 * fit->n_bodies : 6); k++) {
    const int i = column->dense != NULL ? k : column->body[k / 3] >= 0 ? 3 * column->body[k / 3] + k % 3 : -1;
    const double entry = i < 0 ? 0 : column->dense != NULL ? column->dense[k] : column->d[k];

    if (i < 0)
      continue;
    sum += fit->inverse_mass[i] * entry * entry;
    *largest = fmax (*largest, fit->inverse_mass[i] * fabs (entry));
  }
  return sum;
}

/* ---- the set of z ------------------------------------------------------------------------------------------------ */

/* Nearest point with the group's sum and no negative entry: the entries that stay positive are lowered by one number,
 * the others leave one round after the other (marked by -INFINITY). (C. Michelot, J. Optim. Theory Appl. 50 (1986).) */
static void
project_on_sum (double *z, int n, double sum)
{
  bool changed = true;
  int n_free = n;

  while (changed && n_free > 0) {
    double excess = -sum;

    changed = false;
    for (int k = 0; k < n; k++)
      if (z[k] > -INFINITY)
        excess += z[k];
    for (int k = 0; k < n; k++)
      if (z[k] > -INFINITY && z[k] - excess / n_free <= 0 && n_free > 1)
        changed = true;
    const double lower = excess / n_free;
    for (int k = 0; k < n; k++) {
      if (!(z[k] > -INFINITY))
        continue;
      if (changed && z[k] - lower <= 0) {
        z[k] = -INFINITY;
        n_free--;
      } else if (!changed)
        z[k] -= lower;
    }
  }
  for (int k = 0; k < n; k++)
    z[k] = z[k] > 0 ? z[k] : 0;
}

static void
project_on_set (const SsMotionFit *fit, double *z)
{
  for (int g = 0; g < fit->n_groups; g++) {
    const Group *group = &fit->groups[g];

    if (!isnan (group->sum))
      project_on_sum (z + group->first, group->n, group->sum);
    else
      for (int k = group->first; k < group->first + group->n; k++)
        z[k] = fmax (z[k], 0);
  }
}

/* d without what leaves the face of z: entries at 0 stay, sums stay. */
static void
project_on_face (const SsMotionFit *fit, const double *z, double *d)
{
  for (int g = 0; g < fit->n_groups; g++) {
    const Group *group = &fit->groups[g];
    double mean = 0;
    int n_free = 0;

    for (int k = group->first; k < group->first + group->n; k++) {
      n_free += z[k] > 0;
      mean += z[k] > 0 ? d[k] : 0;
    }
    mean = isnan (group->sum) || n_free == 0 ? 0 : mean / n_free;
    for (int k = group->first; k < group->first + group->n; k++)
      d[k] = z[k] > 0 && !(n_free == 1 && !isnan (group->sum)) ? d[k] - mean : 0;
  }
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static SsStatus
reserve_work (SsMotionFit *fit, SsError *err)
{
  enum { VECTORS = 5 };

  if (fit->n_columns > fit->work_capacity || fit->work == NULL) {
    const int n = 2 * fit->n_columns + 16;
    double *work = ss_new_array (double, VECTORS *(size_t)n);

    if (work == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a step with %d impulses", fit->n_columns);
    ss_free (fit->work);
    fit->work = work;
    fit->work_capacity = n;
  }
  fit->z = fit->work;
  fit->gradient = fit->work + fit->work_capacity;
  fit->direction = fit->gradient + fit->work_capacity;
  fit->steepest = fit->direction + fit->work_capacity;
  fit->from = fit->steepest + fit->work_capacity;
  return SS_OK;
}

/* Scales of the groups, and where z starts. */
static void
start (SsMotionFit *fit, double floor)
{
  for (int g = 0; g < fit->n_groups; g++) {
    Group *group = &fit->groups[g];
    const bool is_free = isnan (group->total);
    double square = 0, largest = 0, shares = 0;

    take_mean_away (fit, group);
    for (int k = group->first; k < group->first + group->n; k++) {
      square += square_of (fit, &fit->columns[k], &largest);
      shares += fit->columns[k].share;
    }
    const double size = group->n > 0 ? sqrt (square / group->n) : 0, sign = is_free || group->total >= 0 ? 1 : -1;
    const bool matters = is_free || largest * fabs (group->total) > negligible_change * floor;
    group->scale = size > 0 && matters ? sign / size : 0;
    group->sum = is_free ? NAN : fabs (group->total) * size;
    for (int k = group->first; k < group->first + group->n; k++)
      fit->z[k] = is_free ? 0 : shares > 0 ? group->sum * fit->columns[k].share / shares : group->sum / group->n;
  }
}

/* way = P M^-1 A d. */
static void
multiply (SsMotionFit *fit, const double *d)
{
  memset (fit->way, 0, 3 * (size_t)fit->n_bodies * sizeof *fit->way);
  for (int g = 0; g < fit->n_groups; g++)
    for (int k = fit->groups[g].first; k < fit->groups[g].first + fit->groups[g].n; k++)
      if (d[k] != 0)
        push_change (fit, &fit->columns[k], fit->groups[g].scale * d[k], fit->way);
  project (fit, fit->way, 0, NULL);
}

/* Half of the derivative of r' M r by z. */
static void
find_gradient (SsMotionFit *fit, const double *r)
{
  for (int g = 0; g < fit->n_groups; g++)
    for (int k = fit->groups[g].first; k < fit->groups[g].first + fit->groups[g].n; k++)
      fit->gradient[k] = -fit->groups[g].scale * pull_change (fit, &fit->columns[k], r);
}

static double
square_in_mass (const SsMotionFit *fit, const double *v)
{
  double sum = 0;

  for (int i = 0; i < 3 * fit->n_bodies; i++)
    sum += fit->mass[i] * v[i] * v[i];
  return sum;
}

/* z += t direction, r -= t way. */
static void
move (SsMotionFit *fit, double t, double *r)
{
  for (int k = 0; k < fit->n_columns; k++)
    fit->z[k] += t * fit->direction[k];
  for (int i = 0; i < 3 * fit->n_bodies; i++)
    r[i] -= t * fit->way[i];
}

static bool
is_below (const SsMotionFit *fit, const double *r, double floor)
{
  for (int i = 0; i < 3 * fit->n_bodies; i++)
    if (fit->inverse_mass[i] > 0 && !(fabs (r[i]) <= floor))
      return false;
  return true;
}

/* A step down the projected gradient. False when there is none to go. */
static bool
step_down (SsMotionFit *fit, double *r)
{
  double slope = 0, square = 0;

  find_gradient (fit, r);
  for (int k = 0; k < fit->n_columns; k++)
    fit->direction[k] = fit->z[k] - fit->gradient[k];
  project_on_set (fit, fit->direction);
  for (int k = 0; k < fit->n_columns; k++) {
    fit->direction[k] -= fit->z[k];
    slope += fit->gradient[k] * fit->direction[k];
    square += fit->direction[k] * fit->direction[k];
  }
  if (!(slope < 0) || square <= gradient_fraction * gradient_fraction * square_in_mass (fit, r))
    return false;
  multiply (fit, fit->direction);
  const double curvature = square_in_mass (fit, fit->way);
  const double t = curvature > 0 ? fmin (-slope / curvature, 1) : 1;
  move (fit, t, r);
  for (int k = 0; k < fit->n_columns; k++) /* exactly 0 where the step ends at the bound */
    if (t == 1 && fit->z[k] <= 0)
      fit->z[k] = 0;
  return true;
}

/* Solves for z on its face by conjugate gradients, without regard to bounds: z and r are then those of the face. */
static void
solve_face (SsMotionFit *fit, double floor, double *r)
{
  double before = 0;

  for (int step = 0; step < CONJUGATE_STEPS_MAX; step++) {
    find_gradient (fit, r);
    for (int k = 0; k < fit->n_columns; k++)
      fit->steepest[k] = -fit->gradient[k];
    project_on_face (fit, fit->from, fit->steepest);
    const double size = ss_dot (fit->n_columns, fit->steepest, fit->steepest);
    if (size <= gradient_fraction * gradient_fraction * square_in_mass (fit, r) || is_below (fit, r, floor))
      return;
    for (int k = 0; k < fit->n_columns; k++)
      fit->direction[k] = fit->steepest[k] + (step > 0 ? size / before * fit->direction[k] : 0);
    before = size;
    multiply (fit, fit->direction);
    const double curvature = square_in_mass (fit, fit->way);
    if (!(curvature > negligible_curvature * size))
      return;
    move (fit, size / curvature, r);
  }
}

/* From the answer of the face to the set: the whole way, projected, or half of it, and so on, until r is less than it
 * was; at last as far as the first bound. */
static void
return_to_set (SsMotionFit *fit, double *r)
{
  const size_t size = 3 * (size_t)fit->n_bodies * sizeof *r;
  const double before = square_in_mass (fit, fit->rest_before);
  double furthest = 1;
  bool is_inside = true;

  for (int k = 0; k < fit->n_columns; k++) {
    fit->steepest[k] = fit->z[k] - fit->from[k];
    if (fit->z[k] < 0) {
      is_inside = false;
      furthest = fmin (furthest, fit->from[k] / -fit->steepest[k]);
    }
  }
  if (is_inside)
    return;
  for (int halving = 0; halving <= HALVINGS_MAX; halving++) {
    const double t = halving < HALVINGS_MAX ? ldexp (1, -halving) : furthest;

    for (int k = 0; k < fit->n_columns; k++)
      fit->z[k] = fit->from[k] + t * fit->steepest[k];
    project_on_set (fit, fit->z);
    for (int k = 0; k < fit->n_columns; k++)
      fit->direction[k] = fit->z[k] - fit->from[k];
    multiply (fit, fit->direction);
    memcpy (r, fit->rest_before, size);
    for (int i = 0; i < 3 * fit->n_bodies; i++)
      r[i] -= fit->way[i];
    if (square_in_mass (fit, r) < before)
      return;
  }
}

static void
search_face (SsMotionFit *fit, double floor, double *r)
{
  memcpy (fit->rest_before, r, 3 * (size_t)fit->n_bodies * sizeof *r);
  memcpy (fit->from, fit->z, (size_t)fit->n_columns * sizeof *fit->z);
  solve_face (fit, floor, r);
  return_to_set (fit, r);
}

/* Whether any weight is not given already. */
static bool
has_choice (const SsMotionFit *fit)
{
  for (int g = 0; g < fit->n_groups; g++)
    if (fit->groups[g].n > 1 || isnan (fit->groups[g].total))
      return true;
  return false;
}

/* Weight of a column whose z is known. Where columns do not differ, it does not matter which has it. */
static double
weight_of (const Group *group, double z)
{
  if (group->scale != 0)
    return group->scale * z;
  return isnan (group->total) ? 0 : group->total / group->n;
}

SsStatus
ss_motion_fit_solve (SsMotionFit *fit, double *residual, double floor, int faces_max, SsError *err)
{
  SS_ASSERT (fit != NULL && fit->n_held <= fit->held_capacity);

  const size_t size = 3 * (size_t)fit->n_bodies * sizeof *residual;
  double *r = fit->rest;
  SsStatus status = reserve_work (fit, err);

  if (status != SS_OK)
    return status;
  start (fit, floor);
  memcpy (r, residual, size);
  for (int g = 0; g < fit->n_groups; g++)
    for (int k = fit->groups[g].first; k < fit->groups[g].first + fit->groups[g].n; k++)
      push_column (fit, &fit->columns[k], -weight_of (&fit->groups[g], fit->z[k]), r);
  project (fit, r, 0, NULL);
  for (int face = 0; face < faces_max && has_choice (fit); face++) {
    if (is_below (fit, r, floor) || !step_down (fit, r))
      break;
    search_face (fit, floor, r);
  }
  for (int g = 0; g < fit->n_groups; g++) {
    const Group *group = &fit->groups[g];

    for (int k = group->first; k < group->first + group->n; k++)
      fit->columns[k].weight = weight_of (group, fit->z[k]);
  }
  /* once more from the weights: without the rounding of many small steps */
  for (int k = 0; k < fit->n_columns; k++)
    push_column (fit, &fit->columns[k], -fit->columns[k].weight, residual);
  memset (fit->lambda, 0, (size_t)fit->n_rows * sizeof *fit->lambda);
  project (fit, residual, 0, fit->lambda);
  return SS_OK;
}
