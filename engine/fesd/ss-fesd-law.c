/* engine/fesd/ss-fesd-law.c: see the header. */
#include "fesd/ss-fesd-law-private.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

/* An answer of the complementarity problem may miss it by this part of its largest number. */
static const double answer_tolerance = 1e-8;
enum { PIVOTS_PER_UNKNOWN = 50 };

SsStatus
ss_fesd_law_new (SsFesdSystem *system, SsFesdLaw **out, SsError *err)
{
  SS_ASSERT (system != NULL && out != NULL);

  *out = NULL;
  SsFesdLaw *law = ss_new (SsFesdLaw);
  if (law == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the law of contacts");
  law->system = system;
  const size_t n_b = (size_t)system->n_bilateral, n_joints = (size_t)system->scene->n_joints;
  law->block = ss_new_array (double, n_b *n_b + 1);
  law->pivot = ss_new_array (int, n_b + 1);
  law->f = ss_new_array (double, system->n_free + 1);
  law->joints = ss_new_array (SsRow, (SS_JOINT_ROWS_MAX + SS_JOINT_LIMITS_MAX + 2) * n_joints + 1);
  SsStatus status = ss_lemke_new (16, &law->lemke, err);
  if (status == SS_OK && (law->block == NULL || law->pivot == NULL || law->f == NULL || law->joints == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the law of contacts");
  if (status != SS_OK) {
    ss_fesd_law_free (law);
    return status;
  }
  law->limits = law->joints + SS_JOINT_ROWS_MAX * n_joints;
  *out = law;
  return SS_OK;
}

void
ss_fesd_law_free (SsFesdLaw *law)
{
  if (law == NULL)
    return;
  ss_lemke_free (law->lemke);
  ss_free (law->touches);
  ss_free (law->rows);
  ss_free (law->delassus);
  ss_free (law->bias);
  ss_free (law->force);
  ss_free (law->block);
  ss_free (law->pivot);
  ss_free (law->m);
  ss_free (law->q);
  ss_free (law->z);
  ss_free (law->lu_pivot);
  ss_free (law->factor);
  ss_free (law->f);
  ss_free (law->joints);
  ss_free (law);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static SsStatus
reserve (SsFesdLaw *law, int n_touches, SsError *err)
{
  const int rows = law->system->n_bilateral + 2 * n_touches, lcp = 4 * n_touches;
  bool is_well = true;
  if (rows > law->rows_capacity) {
    const size_t n = (size_t)(rows + rows / 2 + 4);
    SsFesdLawRow *more = ss_realloc (law->rows, n, sizeof *more);
    double *delassus = ss_realloc (law->delassus, n * n, sizeof *delassus);
    double *bias = ss_realloc (law->bias, n, sizeof *bias), *force = ss_realloc (law->force, n, sizeof *force);
    law->rows = more != NULL ? more : law->rows;
    law->delassus = delassus != NULL ? delassus : law->delassus;
    law->bias = bias != NULL ? bias : law->bias;
    law->force = force != NULL ? force : law->force;
    is_well = more != NULL && delassus != NULL && bias != NULL && force != NULL;
    law->rows_capacity = is_well ? (int)n : law->rows_capacity;
  }
  if (is_well && lcp > law->lcp_capacity) {
    const size_t n = (size_t)(lcp + lcp / 2 + 4);
    double *m = ss_realloc (law->m, n * n, sizeof *m), *q = ss_realloc (law->q, n, sizeof *q);
    double *z = ss_realloc (law->z, n, sizeof *z), *factor = ss_realloc (law->factor, 2 * n, sizeof *factor);
    law->m = m != NULL ? m : law->m;
    law->q = q != NULL ? q : law->q;
    int *pivot = ss_realloc (law->lu_pivot, n, sizeof *pivot);
    law->z = z != NULL ? z : law->z;
    law->factor = factor != NULL ? factor : law->factor;
    law->lu_pivot = pivot != NULL ? pivot : law->lu_pivot;
    is_well = m != NULL && q != NULL && z != NULL && factor != NULL && pivot != NULL;
    law->lcp_capacity = is_well ? (int)n : law->lcp_capacity;
  }
  return is_well ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d touching points", n_touches);
}

/* d/dt (J) v of both rows of a point. */
static void
curvatures (const SsFesdPoint *point, const SsFesdPointAt *at, const double *v, double *normal, double *tangential)
{
  double speed[SS_FESD_POINT_N];
  *normal = *tangential = 0;
  for (int k = 0; k < SS_FESD_POINT_N; k++)
    speed[k] = v[3 * point->body[k / 3] + k % 3];
  for (int i = 0; i < SS_FESD_POINT_N; i++)
    for (int j = 0; j < SS_FESD_POINT_N; j++) {
      *normal += at->hn[i][j] * speed[i] * speed[j];
      *tangential += at->ht[i][j] * speed[i] * speed[j];
    }
}

/* A row of two bodies; -1: the world. */
static void
set_row (const SsFesdSystem *s, const int body[2], const double j[SS_FESD_POINT_N], SsFesdLawRow *row)
{
  row->n = 0;
  row->own = 0;
  for (int k = 0; k < SS_FESD_POINT_N; k++) {
    const int column = body[k / 3] < 0 ? -1 : s->index[3 * body[k / 3] + k % 3];
    if (column < 0)
      continue;
    row->column[row->n] = column;
    row->j[row->n++] = j[k];
  }
}

static void
set_joint_row (const SsFesdSystem *s, const SsRow *from, const double *v, SsFesdLawRow *row)
{
  set_row (s, from->body, from->j, row);
  row->rate = ss_row_velocity (from, v);
  row->curvature = from->gdv;
}

/* Only what touches has impulses [000 (11b)]. */
SsStatus
ss_fesd_law_touching (SsFesdLaw *law, double t, const double *q, const double *v, const double *offset,
                      double tolerance, SsFesdTouch **touches, int *n, SsError *err)
{
  SS_ASSERT (law != NULL && q != NULL && v != NULL && touches != NULL && n != NULL);

  const SsFesdSystem *s = law->system;
  law->t = t;
  law->n_touches = 0;
  const int n_rows = ss_fesd_item_rows (s, t, q, v, law->limits);
  for (int i = 0; i < s->n_points + n_rows; i++) {
    const SsFesdDrive *drive = ss_fesd_drive_of (s, i);
    SsFesdTouch touch = {.item = i};
    if (drive != NULL) {
      touch.slip = ss_fesd_drive_rate (drive, &law->limits[i - s->n_points], v);
    } else if (i >= s->n_points) {
      const SsRow *row = &law->limits[i - s->n_points];
      touch.gap = row->phi - offset[i];
      touch.rate = ss_row_velocity (row, v);
    } else {
      if (!s->is_live[i])
        continue;
      touch.gap = ss_fesd_point_gap (&s->points[i], q) - offset[i];
    }
    if (!(touch.gap <= tolerance))
      continue;
    if (i < s->n_points) {
      SsFesdPointAt at;
      ss_fesd_point_at (&s->points[i], q, false, &at);
      touch.rate = ss_fesd_point_rate (&s->points[i], at.jn, v);
      touch.slip = ss_fesd_point_rate (&s->points[i], at.jt, v);
    }
    if (ss_array_reserve ((void **)&law->touches, &law->touches_capacity, law->n_touches + 1, sizeof touch) != 0)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d touching points", law->n_touches + 1);
    law->touches[law->n_touches++] = touch;
  }
  *touches = law->touches;
  *n = law->n_touches;
  return SS_OK;
}

int
ss_fesd_law_without_drives (const SsFesdLaw *law, const SsFesdTouch *touches, int n)
{
  SS_ASSERT (law != NULL && (touches != NULL || n == 0));
  while (n > 0 && ss_fesd_drive_of (law->system, touches[n - 1].item) != NULL)
    n--;
  return n;
}

/* j M^-1 j' of a row; 1 of one that moves nothing. */
static double
mobility_of (const SsFesdSystem *s, const SsFesdLawRow *row)
{
  double sum = 0;
  for (int k = 0; k < row->n; k++)
    sum += row->j[k] * row->j[k] / s->mass[row->column[k]];
  return sum > 0 ? sum : 1;
}

static void
set_rows (SsFesdLaw *law, const double *q, const double *v, const SsFesdTouch *touches, int n)
{
  const SsFesdSystem *s = law->system;
  ss_dynamics_set_time (s->dynamics, law->t);
  if (s->n_bilateral > 0)
    ss_dynamics_joint_rows (s->dynamics, q, v, law->joints);
  ss_fesd_item_rows (s, law->t, q, v, law->limits);
  for (int i = 0; i < s->n_bilateral; i++)
    set_joint_row (s, &law->joints[i], v, &law->rows[i]);
  for (int i = 0; i < n; i++) {
    SsFesdLawRow *normal = &law->rows[s->n_bilateral + 2 * i], *tangential = normal + 1;
    const SsFesdDrive *drive = ss_fesd_drive_of (s, touches[i].item);
    *tangential = (SsFesdLawRow){0};
    if (drive != NULL) { /* w (force - most) = 0, as a row that touches nothing, by what the force does: in any units */
      set_joint_row (s, &law->limits[touches[i].item - s->n_points], v, tangential);
      tangential->rate -= drive->speed;
      const double w = mobility_of (s, tangential);
      *normal = (SsFesdLawRow){.curvature = -w * drive->most, .own = w};
      continue;
    }
    if (touches[i].item >= s->n_points) {
      set_joint_row (s, &law->limits[touches[i].item - s->n_points], v, normal);
      continue;
    }
    const SsFesdPoint *point = &s->points[touches[i].item];
    SsFesdPointAt at;
    ss_fesd_point_at (point, q, true, &at);
    set_row (s, point->body, at.jn, normal);
    set_row (s, point->body, at.jt, tangential);
    normal->rate = ss_fesd_point_rate (point, at.jn, v);
    tangential->rate = ss_fesd_point_rate (point, at.jt, v);
    curvatures (point, &at, v, &normal->curvature, &tangential->curvature);
  }
}

/* J M^-1 J' of all rows [001 (11a)]. */
static void
set_delassus (SsFesdLaw *law, int n_rows)
{
  const SsFesdSystem *s = law->system;
  double *spread = law->f; /* what the row does to each coordinate */
  memset (spread, 0, (size_t)s->n_free * sizeof *spread);
  for (int j = 0; j < n_rows; j++) {
    const SsFesdLawRow *from = &law->rows[j];
    for (int k = 0; k < from->n; k++)
      spread[from->column[k]] = from->j[k] / s->mass[from->column[k]];
    for (int i = j; i < n_rows; i++) {
      const SsFesdLawRow *to = &law->rows[i];
      double sum = 0;
      for (int k = 0; k < to->n; k++)
        sum += to->j[k] * spread[to->column[k]];
      law->delassus[(size_t)j * (size_t)n_rows + (size_t)i] = law->delassus[(size_t)i * (size_t)n_rows + (size_t)j] =
          sum;
    }
    for (int k = 0; k < from->n; k++)
      spread[from->column[k]] = 0;
    if (from->own > 0)
      law->delassus[(size_t)j * (size_t)n_rows + (size_t)j] += from->own;
  }
}

/* The joints' forces as functions of the others: rates of the other rows with the joints held. In place; the joints'
 * columns then hold their forces. A row that moves nothing, as of a pin whose body is locked there, has no force. */
static SsStatus
eliminate_joints (SsFesdLaw *law, int n_rows, SsError *err)
{
  const int n_b = law->system->n_bilateral;
  double *d = law->delassus;
  if (n_b == 0)
    return SS_OK;
  for (int j = 0; j < n_b; j++)
    for (int i = 0; i < n_b; i++)
      law->block[j * n_b + i] = i != j                  ? d[j * n_rows + i]
                                : d[i * n_rows + i] > 0 ? d[i * n_rows + i] * (1 + ss_fesd_joint_redundancy)
                                                        : 1;
  if (ss_dense_lu (n_b, law->block, n_b, law->pivot) != SS_OK)
    return ss_error_set (err, SS_ERR_SINGULAR, "the joints of the scene say the same twice");
  ss_dense_lu_solve (n_b, law->block, n_b, law->pivot, law->bias);
  for (int j = n_b; j < n_rows; j++)
    ss_dense_lu_solve (n_b, law->block, n_b, law->pivot, d + j * n_rows);
  for (int i = n_b; i < n_rows; i++) /* the columns of the joints are still as they were: d[k n_rows + i] */
    for (int k = 0; k < n_b; k++)
      law->bias[i] -= d[k * n_rows + i] * law->bias[k];
  for (int j = n_b; j < n_rows; j++)
    for (int i = n_b; i < n_rows; i++)
      for (int k = 0; k < n_b; k++)
        d[j * n_rows + i] -= d[k * n_rows + i] * d[j * n_rows + k];
  return SS_OK;
}

/* ---- complementarity ----------------------------------------------------------------------------------------------
 * */

/* Unknowns of a touch: lambda_n; where it may stick also the two tangential forces and the slip. */
static int
n_unknowns (const SsFesdLaw *law, const SsFesdTouch *touch, int sign)
{
  return sign == 0 && ss_fesd_mu_of (law->system, touch->item) > 0 ? 4 : 1;
}

/* Part of the unknown `k` of a touch in its normal and tangential force; slip: lambda_t = -+ mu lambda_n [000 (3)]. */
static void
parts_of (double mu, int sign, int k, double *normal, double *tangential)
{
  *normal = k == 0;
  *tangential = k == 0 ? -sign * mu : k == 1 ? 1 : k == 2 ? -1 : 0;
}

/* Of a touch: 0 <= lambda_n _|_ rate >= 0 [000 (11c)]; where it may stick, 0 <= a_1, a_2 _|_ +- t'v + gamma >= 0 and
 * 0 <= gamma _|_ mu lambda_n - a_1 - a_2 >= 0 [000 (8a)-(8b) (11d)-(11f)]. */
static void
fill_lcp (SsFesdLaw *law, const SsFesdTouch *touches, bool with_signs, int n, int n_rows, int size)
{
  const int n_b = law->system->n_bilateral;
  memset (law->m, 0, (size_t)size * (size_t)size * sizeof *law->m);
  int row = 0;
  for (int i = 0; i < n; i++) {
    const int si = with_signs ? touches[i].sign : 0, ni = n_unknowns (law, &touches[i], si), normal = n_b + 2 * i;
    const double mu = ss_fesd_mu_of (law->system, touches[i].item);
    int column = 0;
    for (int j = 0; j < n; j++) {
      const int sj = with_signs ? touches[j].sign : 0, nj = n_unknowns (law, &touches[j], sj);
      for (int k = 0; k < nj; k++, column++) {
        double pn, pt;
        parts_of (ss_fesd_mu_of (law->system, touches[j].item), sj, k, &pn, &pt);
        const int cn = n_b + 2 * j, ct = cn + 1;
        double *m = law->m + (size_t)column * (size_t)size + (size_t)row;
        const double wn =
            ss_fesd_law_entry (law, n_rows, normal, cn) * pn + ss_fesd_law_entry (law, n_rows, normal, ct) * pt;
        const double wt =
            ss_fesd_law_entry (law, n_rows, normal + 1, cn) * pn + ss_fesd_law_entry (law, n_rows, normal + 1, ct) * pt;
        m[0] = wn;
        if (ni == 1)
          continue;
        m[1] = wt;
        m[2] = -wt;
        if (i == j && k == 3)
          m[1] = m[2] = 1;
        if (i == j)
          m[3] = k == 0 ? mu : k == 3 ? 0 : -1;
      }
    }
    law->q[row] = law->bias[normal];
    if (ni == 4) {
      law->q[row + 1] = law->bias[normal + 1];
      law->q[row + 2] = -law->bias[normal + 1];
      law->q[row + 3] = 0;
    }
    row += ni;
  }
}

/* Forces of all rows into law->force, by those of the touches. */
static void
set_forces (SsFesdLaw *law, const SsFesdTouch *touches, int n)
{
  const int n_b = law->system->n_bilateral, n_rows = n_b + 2 * n;
  for (int i = 0; i < n_b; i++)
    law->force[i] = -law->bias[i];
  for (int i = 0; i < n; i++) {
    law->force[n_b + 2 * i] = touches[i].force_n;
    law->force[n_b + 2 * i + 1] = touches[i].force_t;
  }
  for (int j = n_b; j < n_rows; j++)
    for (int i = 0; i < n_b; i++)
      law->force[i] -= law->delassus[j * n_rows + i] * law->force[j];
}

/* Forces of all rows into law->force, rates after them into the touches. */
static SsStatus
solve (SsFesdLaw *law, SsFesdTouch *touches, bool with_signs, int n, bool *is_solved, SsError *err)
{
  const int n_b = law->system->n_bilateral, n_rows = n_b + 2 * n;
  int size = 0;
  SsStatus status = eliminate_joints (law, n_rows, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < n; i++)
    size += n_unknowns (law, &touches[i], with_signs ? touches[i].sign : 0);
  *is_solved = true;
  if (size > 0) {
    SsLcpResult result;
    fill_lcp (law, touches, with_signs, n, n_rows, size);
    status =
        ss_lemke_solve (law->lemke, size, law->m, size, law->q, PIVOTS_PER_UNKNOWN * size + 100, law->z, &result, err);
    if (status != SS_OK)
      return status;
    const double scale = 1 + ss_norm_inf (size, law->q);
    *is_solved = result.outcome == SS_OUTCOME_SOLVED || result.residual <= answer_tolerance * scale;
  }
  int at = 0;
  for (int i = 0; i < n; i++) {
    const int si = with_signs ? touches[i].sign : 0, ni = n_unknowns (law, &touches[i], si);
    touches[i].force_n = touches[i].force_t = 0;
    for (int k = 0; k < ni; k++, at++) {
      double pn, pt;
      parts_of (ss_fesd_mu_of (law->system, touches[i].item), si, k, &pn, &pt);
      touches[i].force_n += pn * law->z[at];
      touches[i].force_t += pt * law->z[at];
    }
  }
  set_forces (law, touches, n);
  for (int i = 0; i < n; i++) {
    const int normal = n_b + 2 * i;
    touches[i].rate_after = law->bias[normal];
    touches[i].slip_after = law->bias[normal + 1];
    for (int j = n_b; j < n_rows; j++) {
      touches[i].rate_after += ss_fesd_law_entry (law, n_rows, normal, j) * law->force[j];
      touches[i].slip_after += ss_fesd_law_entry (law, n_rows, normal + 1, j) * law->force[j];
    }
  }
  return SS_OK;
}

/* x += M^-1 J' force [000 (9a) (11a)]. */
static void
push (const SsFesdLaw *law, int n_rows, double *x)
{
  const SsFesdSystem *s = law->system;
  for (int i = 0; i < n_rows; i++)
    for (int k = 0; k < law->rows[i].n; k++)
      x[law->rows[i].column[k]] += law->rows[i].j[k] * law->force[i] / s->mass[law->rows[i].column[k]];
}

/* Rows of a jump; as bias the velocities that it must at least undo, n' v- + e n' v- [000 (1d) (9b) (11c)]. */
static void
set_jump (SsFesdLaw *law, const double *q, const double *v, const SsFesdTouch *touches, int n)
{
  const SsFesdSystem *s = law->system;
  const int n_b = s->n_bilateral, n_rows = n_b + 2 * n;
  set_rows (law, q, v, touches, n);
  set_delassus (law, n_rows);
  for (int i = 0; i < n_rows; i++)
    law->bias[i] = law->rows[i].rate;
  for (int i = 0; i < n; i++)
    law->bias[n_b + 2 * i] += ss_fesd_restitution (s, touches[i].item) * fmin (law->rows[n_b + 2 * i].rate, 0);
}

/* v += M^-1 J' of the impulses in law->force; speeds after it. */
static void
apply_jump (SsFesdLaw *law, double *v, SsFesdTouch *touches, int n, double *bilateral)
{
  const SsFesdSystem *s = law->system;
  const int n_b = s->n_bilateral;
  for (int i = 0; i < s->n_free; i++)
    law->f[i] = 0;
  push (law, n_b + 2 * n, law->f);
  for (int i = 0; i < s->n_free; i++)
    v[s->coordinate[i]] += law->f[i];
  for (int i = 0; i < n; i++) {
    const SsFesdLawRow *row = &law->rows[n_b + 2 * i];
    touches[i].rate_after = row->rate;
    touches[i].slip_after = (row + 1)->rate;
    for (int k = 0; k < row->n; k++)
      touches[i].rate_after += row->j[k] * law->f[row->column[k]];
    for (int k = 0; k < (row + 1)->n; k++)
      touches[i].slip_after += (row + 1)->j[k] * law->f[(row + 1)->column[k]];
  }
  for (int i = 0; i < n_b; i++)
    bilateral[i] = law->force[i];
}

SsStatus
ss_fesd_law_jump (SsFesdLaw *law, const double *q, double *v, SsFesdTouch *touches, int n, double *bilateral,
                  bool *is_solved, SsError *err)
{
  SS_ASSERT (law != NULL && q != NULL && v != NULL && is_solved != NULL);

  SsStatus status = reserve (law, n, err);
  if (status != SS_OK)
    return status;
  set_jump (law, q, v, touches, n);
  status = solve (law, touches, false, n, is_solved, err);
  if (status == SS_OK && *is_solved)
    apply_jump (law, v, touches, n, bilateral);
  return status;
}

SsStatus
ss_fesd_law_complete (SsFesdLaw *law, const double *q, const double *v_before, const double *v_after,
                      SsFesdTouch *touches, int n, double *bilateral, SsError *err)
{
  SS_ASSERT (law != NULL && q != NULL && v_before != NULL && v_after != NULL && touches != NULL && bilateral != NULL);

  const int n_b = law->system->n_bilateral, n_rows = n_b + 2 * n;
  SsStatus status = reserve (law, n, err);
  if (status != SS_OK)
    return status;
  set_rows (law, q, v_after, touches, n);
  for (int i = 0; i < n; i++) {
    touches[i].rate_after = law->rows[n_b + 2 * i].rate;
    touches[i].slip_after = law->rows[n_b + 2 * i + 1].rate;
  }
  set_rows (law, q, v_before, touches, n);
  set_delassus (law, n_rows);
  memset (law->bias, 0, (size_t)n_rows * sizeof *law->bias);
  status = eliminate_joints (law, n_rows, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < n_b; i++) {
    bilateral[i] = 0;
    for (int j = 0; j < n; j++)
      bilateral[i] -= law->delassus[(n_b + 2 * j) * n_rows + i] * touches[j].force_n +
                      law->delassus[(n_b + 2 * j + 1) * n_rows + i] * touches[j].force_t;
  }
  return SS_OK;
}

void
ss_fesd_law_set_extra (SsFesdLaw *law, const double *force)
{
  SS_ASSERT (law != NULL);

  law->extra = force;
}

/* Rows at (q, v), their accelerations without contacts as bias [001 (11b)]. */
static void
set_accelerations (SsFesdLaw *law, double t, const double *q, const double *v, const SsFesdTouch *touches, int n,
                   double *a)
{
  SsFesdSystem *s = law->system;
  const int n_rows = s->n_bilateral + 2 * n;
  law->t = t;
  set_rows (law, q, v, touches, n);
  set_delassus (law, n_rows);
  ss_fesd_system_set (s, 0, t, q, v, NULL);
  ss_fesd_system_evaluate (s, 1);
  for (int i = 0; i < s->n_free; i++)
    a[i] = ss_fesd_system_force (s, i, 0) / s->mass[i];
  for (int i = 0; i < s->n_free && law->extra != NULL; i++)
    a[i] += law->extra[s->coordinate[i]] / s->mass[i];
  for (int i = 0; i < n_rows; i++) {
    law->bias[i] = law->rows[i].curvature;
    for (int k = 0; k < law->rows[i].n; k++)
      law->bias[i] += law->rows[i].j[k] * a[law->rows[i].column[k]];
  }
}

/* The mode of a touch after the jump that was solved last. */
static SsFesdMode
mode_after (const SsFesdLaw *law, const SsFesdTouch *touch, double tolerance)
{
  const double mu = ss_fesd_mu_of (law->system, touch->item);
  if (!(touch->force_n > 0))
    return SS_FESD_OPEN;
  if (mu > 0 && fabs (touch->force_t) < mu * touch->force_n * (1 - tolerance))
    return SS_FESD_STICK;
  return touch->force_t > 0 ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS;
}

SsStatus
ss_fesd_law_step (SsFesdLaw *law, double t, const double *q, const double *v, double rest, double change,
                  SsFesdTouch *touches, SsFesdMode *modes, int n, double tolerance, bool *is_solved, SsError *err)
{
  SS_ASSERT (law != NULL && q != NULL && v != NULL && touches != NULL && modes != NULL && is_solved != NULL);

  const int n_rows = law->system->n_bilateral + 2 * n;
  SsStatus status = reserve (law, n, err);
  if (status != SS_OK)
    return status;
  set_accelerations (law, t, q, v, touches, n, law->f);
  memcpy (law->force, law->bias, (size_t)n_rows * sizeof *law->force);
  const double h = change / fmax (1, ss_norm_inf (n_rows, law->force));
  set_jump (law, q, v, touches, n);
  for (int i = 0; i < n_rows; i++)
    law->bias[i] = (fabs (law->bias[i]) <= rest ? 0 : law->bias[i]) + h * law->force[i];
  status = solve (law, touches, false, n, is_solved, err);
  for (int i = 0; status == SS_OK && i < n; i++)
    modes[i] = mode_after (law, &touches[i], tolerance);
  return status;
}

SsStatus
ss_fesd_law_prepare (SsFesdLaw *law, double t, const double *q, const double *v, const SsFesdTouch *touches, int n,
                     SsError *err)
{
  SS_ASSERT (law != NULL && q != NULL && v != NULL && (touches != NULL || n == 0));

  SsStatus status = reserve (law, n, err);
  if (status != SS_OK)
    return status;
  set_accelerations (law, t, q, v, touches, n, law->f);
  return eliminate_joints (law, law->system->n_bilateral + 2 * n, err);
}

void
ss_fesd_law_take_forces (SsFesdLaw *law, const SsFesdTouch *touches, int n, double *a, double *bilateral)
{
  SS_ASSERT (law != NULL && (touches != NULL || n == 0) && a != NULL && bilateral != NULL);

  const int n_b = law->system->n_bilateral;
  set_forces (law, touches, n);
  memcpy (a, law->f, (size_t)law->system->n_free * sizeof *a);
  push (law, n_b + 2 * n, a);
  for (int i = 0; i < n_b; i++)
    bilateral[i] = law->force[i];
}

SsStatus
ss_fesd_law_prepare_jump (SsFesdLaw *law, const double *q, const double *v, const SsFesdTouch *touches, int n,
                          SsError *err)
{
  SS_ASSERT (law != NULL && q != NULL && v != NULL && touches != NULL);

  SsStatus status = reserve (law, n, err);
  if (status != SS_OK)
    return status;
  set_jump (law, q, v, touches, n);
  return eliminate_joints (law, law->system->n_bilateral + 2 * n, err);
}

void
ss_fesd_law_take_jump (SsFesdLaw *law, double *v, SsFesdTouch *touches, int n, double *bilateral)
{
  SS_ASSERT (law != NULL && v != NULL && touches != NULL);
  set_forces (law, touches, n);
  apply_jump (law, v, touches, n, bilateral);
}

/* [001 (9) (10) (12)]. */
SsStatus
ss_fesd_law_forces (SsFesdLaw *law, double t, const double *q, const double *v, SsFesdTouch *touches, int n, double *a,
                    double *bilateral, bool *is_solved, SsError *err)
{
  SS_ASSERT (law != NULL && q != NULL && v != NULL && a != NULL && is_solved != NULL);

  const int n_b = law->system->n_bilateral, n_rows = n_b + 2 * n;
  SsStatus status = reserve (law, n, err);
  if (status != SS_OK)
    return status;
  set_accelerations (law, t, q, v, touches, n, a);
  status = solve (law, touches, true, n, is_solved, err);
  if (status != SS_OK)
    return status;
  push (law, n_rows, a);
  for (int i = 0; i < n_b; i++)
    bilateral[i] = law->force[i];
  return SS_OK;
}
