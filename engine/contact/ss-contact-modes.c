/* engine/contact/ss-contact-modes.c: see the header. */
#include "contact/ss-contact-modes.h"

#include "core/ss-memory.h"
#include "lcp/ss-lcp.h"

#include <math.h>
#include <string.h>

/* Of problems of size 1: positive definite is more than this; what rests has less slip (its square root is the error
 * of velocities that this leaves); violations above are ones; null vectors and what they do to W; and the part of a
 * violation that may come from multipliers that are rounded. */
static const double definite = 1e-9, no_slip = 1e-9, violated = 1e-9, rank_tolerance = 1e-10, null_effect = 1e-8,
                    millionth = 1e-6;
/* Of the balance between both factors of a product in the bound on friction. */
static const double balances[] = {1, 0.5, 2};
enum { N_BALANCES = sizeof balances / sizeof *balances, PIVOTS_PER_UNKNOWN = 40 };

typedef enum { FREE, PARTS, STAYS, STICKS, SLIPS_PLUS, SLIPS_MINUS, HAS_NO_BOUND } Mode;

/* What a programme says of a combination: impulses exist, none do, or rounding leaves it open. */
typedef enum { THERE, NONE, LOST } Found;

struct SsModes {
  SsLemke *lemke;
  int capacity; /* rows of a problem */
  Mode *mode;   /* n + t */
  int *lists;   /* two for Gauss */
  double *block;
  /* of the block: */
  double *matrix, *rhs, *answer, *rows, *offset, *square, *p, *u;
  const SsModesProblem *of; /* during a call */
  const double *u_known, *apart;
  int n_programmes, most;
  bool is_open;
};

SsStatus
ss_modes_new (SsModes **out, SsError *err)
{
  SS_ASSERT (out != NULL);
  SsModes *s = ss_new (SsModes);
  *out = NULL;
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the modes of a step");
  SsStatus status = ss_lemke_new (16, &s->lemke, err);
  if (status == SS_OK)
    *out = s;
  else
    ss_modes_free (s);
  return status;
}

void
ss_modes_free (SsModes *s)
{
  if (s == NULL)
    return;
  ss_lemke_free (s->lemke);
  ss_free (s->mode);
  ss_free (s->lists);
  ss_free (s->block);
  ss_free (s);
}

/* Unknowns of a programme: z, two a tangent, the violation; rows: two a normal, three a tangent, one to look along. */
static size_t
most_unknowns (size_t m)
{
  return 2 * m + 1;
}

static size_t
most_rows (size_t m)
{
  return 3 * m + 1;
}

static SsStatus
reserve (SsModes *s, int size, SsError *err)
{
  if (size <= s->capacity)
    return SS_OK;
  const size_t m = (size_t)size, x = most_unknowns (m), y = most_rows (m), all = x + y;
  ss_free (s->mode);
  ss_free (s->lists);
  ss_free (s->block);
  s->mode = ss_new_array (Mode, m);
  s->lists = ss_new_array (int, 2 * m);
  s->block = ss_new_array (double, all *all + 2 * all + x * y + y + 2 * m * m + 2 * m);
  s->capacity = s->mode != NULL && s->lists != NULL && s->block != NULL ? size : 0;
  if (s->capacity == 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the modes of a step of %d rows", size);
  s->matrix = s->block;
  s->rhs = s->matrix + all * all;
  s->answer = s->rhs + all;
  s->rows = s->answer + all;
  s->offset = s->rows + x * y;
  s->square = s->offset + y;
  s->p = s->square + 2 * m * m;
  s->u = s->p + m;
  return SS_OK;
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

static bool
is_coupled (const SsModesProblem *of, int tangent)
{
  for (int i = 0; i < of->n; i++)
    if (of->B[tangent + (size_t)i * (size_t)of->t] > 0)
      return true;
  return false;
}

static bool
has_coupling (const SsModesProblem *of)
{
  for (int j = 0; j < of->t; j++)
    if (is_coupled (of, j))
      return true;
  return false;
}

static bool
has_small_friction (SsModes *s, const SsModesProblem *of, double balance)
{
  const int n = of->n, size = n + of->t;
  const size_t m = (size_t)size;
  memcpy (s->square, of->W, m * m * sizeof *s->square);
  for (int j = 0; j < of->t; j++) {
    double sum = 0;
    const double *row = of->W + (size_t)(n + j) * m;
    for (int i = 0; i < n; i++) {
      sum += of->B[j + (size_t)i * (size_t)of->t];
      s->square[(size_t)i * (m + 1)] -= 0.5 * balance * of->B[j + (size_t)i * (size_t)of->t];
    }
    for (int a = 0; a < size && sum > 0; a++)
      for (int b = 0; b < size; b++)
        s->square[(size_t)a + (size_t)b * m] -= 0.5 * sum / balance * row[a] * row[b];
  }
  for (int i = 0; i < size; i++)
    s->square[(size_t)i * (m + 1)] -= definite;
  return ss_dense_cholesky (size, s->square, size) == SS_OK;
}

/* The problem with B = 0: z, and p+, p-, slip of tangents with a bound of their own. */
static SsStatus
is_supported (SsModes *s, const SsModesProblem *of, bool *is, SsError *err)
{
  const int n = of->n, size = n + of->t;
  int f = 0, place = 0;
  for (int j = 0; j < of->t; j++)
    f += of->beta[j] > 0;
  const int all = n + 3 * f;
  SsLcpResult result;
#define COLUMN(i)  ((size_t)(i) * (size_t)all)
#define W_OF(i, j) of->W[(size_t)(i) + (size_t)(j) * (size_t)size]
  memset (s->matrix, 0, (size_t)all * (size_t)all * sizeof *s->matrix);
  for (int i = 0; i < n; i++) {
    s->rhs[i] = of->c[i];
    for (int k = 0; k < n; k++)
      s->matrix[(size_t)i + COLUMN (k)] = W_OF (i, k);
  }
  for (int j = 0; j < of->t; j++) {
    if (!(of->beta[j] > 0))
      continue;
    const int plus = n + place, minus = n + f + place, slip = n + 2 * f + place, row = n + j;
    for (int i = 0; i < n; i++) {
      s->matrix[(size_t)plus + COLUMN (i)] = s->matrix[(size_t)i + COLUMN (plus)] = W_OF (row, i);
      s->matrix[(size_t)minus + COLUMN (i)] = s->matrix[(size_t)i + COLUMN (minus)] = -W_OF (row, i);
    }
    for (int k = 0, other = 0; k < of->t; k++) {
      if (!(of->beta[k] > 0))
        continue;
      s->matrix[(size_t)plus + COLUMN (n + other)] = s->matrix[(size_t)minus + COLUMN (n + f + other)] =
          W_OF (row, n + k);
      s->matrix[(size_t)minus + COLUMN (n + other)] = s->matrix[(size_t)plus + COLUMN (n + f + other)] =
          -W_OF (row, n + k);
      other++;
    }
    s->matrix[(size_t)plus + COLUMN (slip)] = s->matrix[(size_t)minus + COLUMN (slip)] = 1;
    s->matrix[(size_t)slip + COLUMN (plus)] = s->matrix[(size_t)slip + COLUMN (minus)] = -1;
    s->rhs[plus] = of->c[row];
    s->rhs[minus] = -of->c[row];
    s->rhs[slip] = of->beta[j];
    place++;
  }
  *is = false;
  SsStatus status =
      ss_lemke_solve (s->lemke, all, s->matrix, all, s->rhs, PIVOTS_PER_UNKNOWN * (all + 1), s->answer, &result, err);
  if (status == SS_ERR_ARG) /* numbers that overflowed */
    return SS_OK;
  if (status != SS_OK || !(result.residual <= no_slip))
    return status;
  memset (s->p, 0, (size_t)size * sizeof *s->p);
  memcpy (s->p, s->answer, (size_t)n * sizeof *s->p);
  for (int j = 0, k = 0; j < of->t; j++)
    if (of->beta[j] > 0) {
      s->p[n + j] = s->answer[n + k] - s->answer[n + f + k];
      k++;
    }
  *is = true;
  for (int j = 0; j < of->t && *is; j++) {
    double slip = of->c[n + j];
    for (int k = 0; k < size; k++)
      slip += W_OF (n + j, k) * s->p[k];
    *is = !is_coupled (of, j) || fabs (slip) <= no_slip;
  }
  return SS_OK;
#undef COLUMN
#undef W_OF
}

SsStatus
ss_modes_certify (SsModes *s, const SsModesProblem *of, bool *is_unique, SsError *err)
{
  SS_ASSERT (s != NULL && of != NULL && is_unique != NULL);

  *is_unique = !has_coupling (of);
  if (*is_unique)
    return SS_OK;
  SsStatus status = reserve (s, of->n + of->t, err);
  for (int k = 0; status == SS_OK && k < N_BALANCES && !*is_unique; k++)
    *is_unique = has_small_friction (s, of, balances[k]);
  if (status == SS_OK && !*is_unique)
    status = is_supported (s, of, is_unique, err);
  return status;
}

/* ---- one combination of modes ------------------------------------------------------------------------------------ */

/* What p is in unknowns of a programme: p_k = offset + sum of coefficient times unknown. */
static int
n_unknowns (const SsModes *s)
{
  return s->of->n + 2 * s->of->t;
}

/* Adds `factor` times p_k to a row over the unknowns, and to its number. */
static void
add_impulse (const SsModes *s, int k, double factor, double *row, double *number)
{
  const SsModesProblem *of = s->of;
  const int n = of->n, j = k - n;
  if (k < n) {
    if (s->mode[k] != PARTS)
      row[k] += factor;
  } else if (s->mode[k] == SLIPS_PLUS || s->mode[k] == SLIPS_MINUS) {
    const double sign = s->mode[k] == SLIPS_PLUS ? -factor : factor;
    *number += sign * of->beta[j];
    for (int i = 0; i < n; i++)
      if (s->mode[i] != PARTS)
        row[i] += sign * of->B[j + (size_t)i * (size_t)of->t];
  } else if (s->mode[k] != HAS_NO_BOUND) {
    row[n + 2 * j] += factor;
    row[n + 2 * j + 1] -= factor;
  }
}

static bool
has_bound (const SsModes *s, int tangent)
{
  const SsModesProblem *of = s->of;
  bool has = of->beta[tangent] > 0;
  for (int i = 0; i < of->n && !has; i++)
    has = s->mode[i] != PARTS && of->B[tangent + (size_t)i * (size_t)of->t] > 0;
  return has;
}

/* Tangents that are not decided slip as they like where all that would bound them parts. */
static void
settle_tangents (SsModes *s)
{
  for (int j = 0; j < s->of->t; j++) {
    Mode *mode = &s->mode[s->of->n + j];
    if (*mode == FREE || *mode == HAS_NO_BOUND)
      *mode = has_bound (s, j) ? FREE : HAS_NO_BOUND;
  }
}

/* A row: sign u_k + number >= 0. */
static void
add_velocity_row (SsModes *s, int k, double sign, double number, int *n_rows)
{
  const int m = s->of->n + s->of->t, x = n_unknowns (s);
  double *row = s->rows + (size_t)*n_rows * (size_t)x;
  memset (row, 0, (size_t)x * sizeof *row);
  double *to = &s->offset[(*n_rows)++];
  *to = number + sign * s->of->c[k];
  for (int l = 0; l < m; l++)
    add_impulse (s, l, sign * s->of->W[(size_t)k + (size_t)l * (size_t)m], row, to);
}

/* A row: the tangent's bound less what it has. */
static void
add_bound_row (SsModes *s, int k, int *n_rows)
{
  const SsModesProblem *of = s->of;
  const int x = n_unknowns (s), j = k - of->n;
  double *row = s->rows + (size_t)*n_rows * (size_t)x;
  memset (row, 0, (size_t)x * sizeof *row);
  s->offset[(*n_rows)++] = of->beta[j];
  for (int i = 0; i < of->n; i++)
    if (s->mode[i] != PARTS)
      row[i] = of->B[j + (size_t)i * (size_t)of->t];
  row[of->n + 2 * j] = row[of->n + 2 * j + 1] = -1;
}

/* Impulses with these modes, where `along` >= 0 with sign (u - u_known) there at least `least`; they are left in s->p,
 * with s->u, also where it is LOST. */
static SsStatus
find (SsModes *s, int along, double sign, double least, Found *found, SsError *err)
{
  const SsModesProblem *of = s->of;
  const int n = of->n, m = n + of->t, x = n_unknowns (s);
  int y = 0;
  s->n_programmes++;
  settle_tangents (s);
  for (int k = 0; k < m; k++) {
    const Mode mode = s->mode[k];
    const bool is_normal = k < n;
    if (is_normal || mode == STICKS || mode == SLIPS_PLUS)
      add_velocity_row (s, k, 1, 0, &y);
    if (mode == STAYS || mode == STICKS || mode == SLIPS_MINUS)
      add_velocity_row (s, k, -1, 0, &y);
    if (!is_normal && (mode == STICKS || mode == FREE))
      add_bound_row (s, k, &y);
  }
  if (along >= 0)
    add_velocity_row (s, along, sign, -sign * s->u_known[along] - least, &y);
  const int all = x + 1 + y;
  const size_t lda = (size_t)all;
  memset (s->matrix, 0, lda * lda * sizeof *s->matrix);
  memset (s->rhs, 0, lda * sizeof *s->rhs);
  s->rhs[x] = 1;
  for (int r = 0; r < y; r++) {
    const int row = x + 1 + r;
    for (int k = 0; k < x; k++) {
      const double a = s->rows[(size_t)r * (size_t)x + (size_t)k];
      s->matrix[(size_t)row + (size_t)k * lda] = a;
      s->matrix[(size_t)k + (size_t)row * lda] = -a;
    }
    s->matrix[(size_t)row + (size_t)x * lda] = 1;
    s->matrix[(size_t)x + (size_t)row * lda] = -1;
    s->rhs[row] = s->offset[r];
  }
  SsLcpResult result;
  SsStatus status =
      ss_lemke_solve (s->lemke, all, s->matrix, all, s->rhs, PIVOTS_PER_UNKNOWN * (all + 1), s->answer, &result, err);
  if (status != SS_OK && status != SS_ERR_ARG)
    return status;
  const bool is_solved = status == SS_OK && result.residual <= violated;
  if (status == SS_ERR_ARG) /* numbers that overflowed */
    memset (s->answer, 0, lda * sizeof *s->answer);
  *found = is_solved ? THERE : LOST;
  const double violation = s->answer[x];
  if (is_solved && violation > violated) { /* Farkas: sum y offset = -violation, sum y A at most rounding */
    double worst = 0;
    for (int k = 0; k < x; k++) {
      double sum = 0;
      for (int r = 0; r < y; r++)
        sum += s->answer[x + 1 + r] * s->rows[(size_t)r * (size_t)x + (size_t)k];
      worst = fmax (worst, sum);
    }
    *found = worst <= millionth * violation ? NONE : LOST;
  }
  for (int k = 0; k < m && *found != NONE; k++) {
    double row_at = 0;
    memset (s->rows, 0, (size_t)x * sizeof *s->rows);
    add_impulse (s, k, 1, s->rows, &row_at);
    for (int l = 0; l < x; l++)
      row_at += s->rows[l] * s->answer[l];
    s->p[k] = row_at;
  }
  for (int k = 0; k < m && *found != NONE; k++) {
    s->u[k] = of->c[k];
    for (int l = 0; l < m; l++)
      s->u[k] += of->W[(size_t)k + (size_t)l * (size_t)m] * s->p[l];
  }
  return SS_OK;
}

static bool
differs (const SsModes *s)
{
  for (int k = 0; k < s->of->n + s->of->t; k++)
    if (fabs (s->u[k] - s->u_known[k]) > s->apart[k])
      return true;
  return false;
}

/* Whether what the equations of the combination (u = 0 of normals that stay and tangents that stick) leave open leaves
 * all u as they are. Gauss with full pivots on the matrix over their impulses, slipping tangents following normals. */
static bool
has_one_velocity (SsModes *s)
{
  const SsModesProblem *of = s->of;
  const int n = of->n, m = n + of->t;
  const size_t lda = (size_t)m;
  int k = 0, *column = s->lists, *picked = column + m;
  double *effect = s->square, *matrix = s->square + lda * lda; /* m x k of all u, and its k rows */
  for (int i = 0; i < m; i++) {
    if (s->mode[i] != STAYS && s->mode[i] != STICKS)
      continue;
    for (int r = 0; r < m; r++) {
      double e = of->W[(size_t)r + (size_t)i * lda];
      for (int j = 0; j < of->t && i < n; j++)
        if (s->mode[n + j] == SLIPS_PLUS || s->mode[n + j] == SLIPS_MINUS)
          e += (s->mode[n + j] == SLIPS_PLUS ? -1 : 1) * of->B[j + (size_t)i * (size_t)of->t] *
               of->W[(size_t)r + (size_t)(n + j) * lda];
      effect[(size_t)r + (size_t)k * lda] = e;
    }
    picked[k++] = i;
  }
  for (int a = 0; a < k; a++) {
    column[a] = a;
    for (int b = 0; b < k; b++)
      matrix[(size_t)a + (size_t)b * lda] = effect[(size_t)picked[a] + (size_t)b * lda];
  }
  int rank = 0;
  for (; rank < k; rank++) { /* Gauss-Jordan */
    int pr = rank, pc = rank;
    for (int a = rank; a < k; a++)
      for (int b = rank; b < k; b++)
        if (fabs (matrix[(size_t)a + (size_t)b * lda]) > fabs (matrix[(size_t)pr + (size_t)pc * lda])) {
          pr = a;
          pc = b;
        }
    const double pivot = matrix[(size_t)pr + (size_t)pc * lda];
    if (!(fabs (pivot) > rank_tolerance))
      break;
    const int c = column[rank];
    column[rank] = column[pc];
    column[pc] = c;
    for (int a = 0; a < k; a++) {
      const double x = matrix[(size_t)a + (size_t)rank * lda];
      matrix[(size_t)a + (size_t)rank * lda] = matrix[(size_t)a + (size_t)pc * lda];
      matrix[(size_t)a + (size_t)pc * lda] = x;
    }
    for (int b = 0; b < k; b++) {
      const double x = matrix[(size_t)rank + (size_t)b * lda];
      matrix[(size_t)rank + (size_t)b * lda] = matrix[(size_t)pr + (size_t)b * lda] / pivot;
      if (pr != rank)
        matrix[(size_t)pr + (size_t)b * lda] = x;
    }
    for (int a = 0; a < k; a++) {
      const double x = matrix[(size_t)a + (size_t)rank * lda];
      for (int b = 0; b < k && a != rank; b++)
        matrix[(size_t)a + (size_t)b * lda] -= x * matrix[(size_t)rank + (size_t)b * lda];
    }
  }
  for (int free = rank; free < k; free++) /* null vector: 1 there, what balances it at the pivots */
    for (int r = 0; r < m; r++) {
      double sum = effect[(size_t)r + (size_t)column[free] * lda];
      for (int a = 0; a < rank; a++)
        sum -= matrix[(size_t)a + (size_t)free * lda] * effect[(size_t)r + (size_t)column[a] * lda];
      if (!(fabs (sum) <= null_effect))
        return false;
    }
  return true;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

/* A complete combination with impulses in s->p: whether it has a velocity that differs. */
static SsStatus
look_at (SsModes *s, bool *is_found, SsError *err)
{
  *is_found = differs (s);
  if (*is_found || has_one_velocity (s))
    return SS_OK;
  for (int k = 0; k < s->of->n + s->of->t && !*is_found; k++)
    for (int side = 0; side < 2 && !*is_found; side++) {
      Found found = LOST;
      SsStatus status = find (s, k, side == 0 ? 1 : -1, 1.5 * s->apart[k], &found, err);
      if (status != SS_OK)
        return status;
      s->is_open = s->is_open || found == LOST;
      *is_found = found == THERE && differs (s);
    }
  return SS_OK;
}

/* How much the impulses in s->p miss of the law of row k, by the natural map. */
static double
missing (const SsModes *s, int k)
{
  const SsModesProblem *of = s->of;
  const double y = s->p[k] - s->u[k];
  if (k < of->n)
    return fabs (s->p[k] - fmax (y, 0));
  double bound = of->beta[k - of->n];
  for (int i = 0; i < of->n; i++)
    bound += of->B[k - of->n + i * of->t] * s->p[i];
  return fabs (s->p[k] - fmin (fmax (y, -bound), bound));
}

/* The row to decide next: the one that the impulses in s->p miss most, the first where none is; -1: all are
 * decided. */
static int
next_row (const SsModes *s)
{
  const int m = s->of->n + s->of->t;
  int next = -1;
  double most = -1;
  for (int k = 0; k < m; k++) {
    const double misses = s->mode[k] == FREE ? missing (s, k) : -1;
    if (misses > most) {
      most = misses;
      next = k;
    }
  }
  return next;
}

/* A partial combination: what a programme said of it, and left in s->p. */
static SsStatus
go_down (SsModes *s, Found found, bool *is_found, SsError *err)
{
  static const Mode of_normal[] = {STAYS, PARTS}, of_tangent[] = {STICKS, SLIPS_PLUS, SLIPS_MINUS};
  const int k = next_row (s);
  SsStatus status = SS_OK;
  s->is_open = s->is_open || (k < 0 && found == LOST);
  if (k < 0 || found == NONE)
    return found == THERE ? look_at (s, is_found, err) : SS_OK;
  for (int i = 0; i < (k < s->of->n ? 2 : 3) && status == SS_OK && !*is_found; i++) {
    if (s->n_programmes >= s->most) {
      s->is_open = true;
      break;
    }
    s->mode[k] = k < s->of->n ? of_normal[i] : of_tangent[i];
    status = find (s, -1, 0, 0, &found, err);
    if (status == SS_OK)
      status = go_down (s, found, is_found, err);
  }
  s->mode[k] = FREE;
  return status;
}

SsStatus
ss_modes_enumerate (SsModes *s, const SsModesProblem *of, const double *u, const double *apart, int most,
                    SsModesAnswer *answer, double *p, SsError *err)
{
  SS_ASSERT (s != NULL && of != NULL && u != NULL && apart != NULL && answer != NULL && p != NULL);

  bool is_found = false;
  SsStatus status = reserve (s, of->n + of->t, err);
  if (status != SS_OK)
    return status;
  s->of = of;
  s->u_known = u;
  s->apart = apart;
  s->most = most;
  s->n_programmes = 0;
  s->is_open = false;
  for (int k = 0; k < of->n + of->t; k++)
    s->mode[k] = FREE;
  Found found = LOST;
  status = find (s, -1, 0, 0, &found, err);
  if (status == SS_OK)
    status = go_down (s, found, &is_found, err);
  if (is_found)
    memcpy (p, s->p, (size_t)(of->n + of->t) * sizeof *p);
  *answer = is_found ? SS_MODES_SEVERAL : s->is_open ? SS_MODES_OPEN : SS_MODES_UNIQUE;
  s->of = NULL;
  return status;
}
