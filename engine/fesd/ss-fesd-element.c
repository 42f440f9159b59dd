/* engine/fesd/ss-fesd-element.c: see the header. */
#include "fesd/ss-fesd-element.h"

#include "core/ss-memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STAGES = SS_TABLEAU_STAGES_MAX, NEWTON_MAX = 25, PROJECTIONS_MAX = 8 };

/* Accelerations that the rounding of phi / h^2 may show [m/s2]: decides which elements are short. */
static const double acceleration_rounding = 1e-10;
/* A pivot of the scaled matrix below this is one of redundant rows. */
static const double singular_pivot = 1e-9;
/* What is added to the matrix of redundant rows; the error of a Newton step shrinks by this factor. */
static const double redundancy = 1e-7;
/* Newton's steps end at this part of the velocities, which is some roundings. */
static const double converged = 2e-15;
/* A step below this, or below so many roundings of a gap over the length, that does not shrink any more is rounding. */
static const double stagnant = 1e-10, gap_roundings = 256;

typedef struct {
  int n, m;                        /* coordinates, rows */
  int first_coordinate, first_row; /* in the lists sorted by island */
  size_t matrix;                   /* place of its matrix */
  int pivot, rhs;                  /* places in the work arrays */
  bool is_trivial;                 /* no rows, no force that depends on the state */
  bool is_redundant;
  bool is_done, is_factored;
  double last;
} Island;

struct SsFesdElement {
  SsFesdSystem *system; /* borrowed */
  SsTableau tableau;
  int s;
  double a2[STAGES][STAGES], ba[STAGES]; /* a a; b' a: positions of stages and of the end by accelerations */
  const double *offset;                  /* n_items, borrowed */
  double t0, h;
  bool is_short;
  double *q0, *v0;      /* n_q */
  double *q, *v;        /* (s + 1) n_q: stages, then the end */
  double *acceleration; /* s n_free */
  double *lambda_b;     /* n_rows of the system: of one stage, for the tape */
  double *guess_a, *guess_n, *guess_t, *guess_b;
  bool has_guess;
  /* rows of the modes */
  int n_rows, rows_capacity;
  SsFesdRow *rows;
  int *row_order;    /* sorted by island */
  SsFesdPointAt *at; /* s n_rows */
  double *lambda;    /* n_rows s: row major */
  int *item_row;     /* n_items: its NORMAL or LIMIT row, -1 */
  int *j_first;      /* n_rows of system + 1: entries of a joint row in system->j */
  bool *is_stateful; /* n_free: its force depends on the state */
  /* islands */
  int n_islands;
  Island *islands;        /* n_free */
  int *parent;            /* n_free: union-find */
  int *island_of, *local; /* n_free */
  int *coordinates;       /* n_free, by island */
  double *matrix;
  size_t matrix_capacity;
  double *rhs;
  int *pivot;
  size_t work_capacity;
  long iterations;
};

int
ss_fesd_n_items (const SsFesdSystem *system)
{
  return system->n_points + system->n_rows - system->n_bilateral;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void
make_products (SsFesdElement *e)
{
  const SsTableau *t = &e->tableau;
  memset (e->a2, 0, sizeof e->a2);
  memset (e->ba, 0, sizeof e->ba);
  for (int j = 0; j < e->s; j++)
    for (int k = 0; k < e->s; k++) {
      for (int l = 0; l < e->s; l++)
        e->a2[j][k] += t->a[j][l] * t->a[l][k];
      e->ba[k] += t->b[j] * t->a[j][k];
    }
}

/* Where each joint row's entries lie, and which forces depend on the state. */
static void
look_at_entries (SsFesdElement *e)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0, k = 0; i <= s->n_rows; i++) {
    while (k < s->n_j && s->j[k].row < i)
      k++;
    e->j_first[i] = k;
  }
  for (int i = 0; i < s->n_fq; i++)
    e->is_stateful[s->fq[i].row] = true;
  for (int i = 0; i < s->n_fv; i++)
    e->is_stateful[s->fv[i].row] = true;
}

SsStatus
ss_fesd_element_new (SsFesdSystem *system, const SsTableau *tableau, SsFesdElement **out, SsError *err)
{
  SS_ASSERT (system != NULL && tableau != NULL && out != NULL);
  SS_ASSERT (tableau->n < SS_FESD_INSTANCES);

  *out = NULL;
  SsFesdElement *e = ss_new (SsFesdElement);
  if (e == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a finite element");
  e->system = system;
  e->tableau = *tableau;
  e->s = tableau->n;
  make_products (e);
  const size_t n_q = (size_t)system->n_q, n = (size_t)system->n_free, s = (size_t)e->s;
  const size_t n_items = (size_t)ss_fesd_n_items (system), n_rows = (size_t)system->n_rows;
  e->q0 = ss_new_array (double, 2 * n_q + 2 * (s + 1) * n_q + (s + 1) * n + 2 * n_rows + 2 * n_items + 1);
  e->item_row = ss_new_array (int, n_items + 1);
  e->j_first = ss_new_array (int, n_rows + 2);
  e->is_stateful = ss_new_array (bool, n + 1);
  e->islands = ss_new_array (Island, n + 1);
  e->parent = ss_new_array (int, 4 * n + 1);
  if (e->q0 == NULL || e->item_row == NULL || e->j_first == NULL || e->is_stateful == NULL || e->islands == NULL ||
      e->parent == NULL) {
    ss_fesd_element_free (e);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a finite element of %d coordinates", system->n_free);
  }
  e->v0 = e->q0 + n_q;
  e->q = e->v0 + n_q;
  e->v = e->q + (s + 1) * n_q;
  e->acceleration = e->v + (s + 1) * n_q;
  e->guess_a = e->acceleration + s * n;
  e->lambda_b = e->guess_a + n;
  e->guess_b = e->lambda_b + n_rows;
  e->guess_n = e->guess_b + n_rows;
  e->guess_t = e->guess_n + n_items;
  e->island_of = e->parent + n;
  e->local = e->island_of + n;
  e->coordinates = e->local + n;
  look_at_entries (e);
  *out = e;
  return SS_OK;
}

void
ss_fesd_element_free (SsFesdElement *e)
{
  if (e == NULL)
    return;
  ss_free (e->q0);
  ss_free (e->item_row);
  ss_free (e->j_first);
  ss_free (e->is_stateful);
  ss_free (e->islands);
  ss_free (e->parent);
  ss_free (e->rows);
  ss_free (e->row_order);
  ss_free (e->at);
  ss_free (e->lambda);
  ss_free (e->matrix);
  ss_free (e->rhs);
  ss_free (e->pivot);
  ss_free (e);
}

void
ss_fesd_element_set_tableau (SsFesdElement *e, const SsTableau *tableau)
{
  SS_ASSERT (e != NULL && tableau != NULL && tableau->n == e->s);
  e->tableau = *tableau;
  make_products (e);
}

const SsTableau *
ss_fesd_element_tableau (const SsFesdElement *e)
{
  SS_ASSERT (e != NULL);
  return &e->tableau;
}

/* ---- rows of the modes ------------------------------------------------------------------------------------------- */

static SsStatus
reserve_rows (SsFesdElement *e, int n, SsError *err)
{
  if (n <= e->rows_capacity)
    return SS_OK;
  const int wanted = n + n / 2 + 8;
  SsFesdRow *rows = ss_realloc (e->rows, (size_t)wanted, sizeof *rows);
  e->rows = rows != NULL ? rows : e->rows;
  int *order = ss_realloc (e->row_order, (size_t)wanted, sizeof *order);
  e->row_order = order != NULL ? order : e->row_order;
  SsFesdPointAt *at = ss_realloc (e->at, (size_t)wanted * (size_t)e->s, sizeof *at);
  e->at = at != NULL ? at : e->at;
  double *lambda = ss_realloc (e->lambda, (size_t)wanted * (size_t)e->s, sizeof *lambda);
  e->lambda = lambda != NULL ? lambda : e->lambda;
  if (rows == NULL || order == NULL || at == NULL || lambda == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d closed contacts", n);
  e->rows_capacity = wanted;
  return SS_OK;
}

static void
add_joint_row (SsFesdElement *e, SsFesdRowKind kind, int item)
{
  const SsFesdSystem *s = e->system;
  SsFesdRow *row = &e->rows[e->n_rows++];
  *row = (SsFesdRow){.kind = kind, .item = item};
  for (int k = e->j_first[item]; k < e->j_first[item + 1]; k++) {
    SS_ASSERT (row->n < SS_FESD_POINT_N);
    row->column[row->n] = s->j[k].column;
    row->source[row->n++] = s->j[k].output;
  }
}

static void
add_point_row (SsFesdElement *e, SsFesdRowKind kind, int item, double friction)
{
  const SsFesdSystem *s = e->system;
  const SsFesdPoint *point = &s->points[item];
  SsFesdRow *row = &e->rows[e->n_rows++];
  *row = (SsFesdRow){.kind = kind, .item = item, .friction = friction};
  for (int k = 0; k < SS_FESD_POINT_N; k++) {
    const int column = s->index[3 * point->body[k / 3] + k % 3];
    if (column < 0)
      continue;
    row->column[row->n] = column;
    row->source[row->n++] = k;
  }
}

static int
find_root (int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static void
join (int *parent, int i, int j)
{
  parent[find_root (parent, i)] = find_root (parent, j);
}

static SsStatus
make_islands (SsFesdElement *e, SsError *err)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0; i < s->n_free; i++)
    e->parent[i] = i;
  for (int i = 0; i < s->n_fq; i++)
    join (e->parent, s->fq[i].row, s->fq[i].column);
  for (int i = 0; i < s->n_fv; i++)
    join (e->parent, s->fv[i].row, s->fv[i].column);
  for (int i = 0; i < e->n_rows; i++)
    for (int k = 1; k < e->rows[i].n; k++)
      join (e->parent, e->rows[i].column[0], e->rows[i].column[k]);
  e->n_islands = 0;
  for (int i = 0; i < s->n_free; i++)
    if (find_root (e->parent, i) == i) {
      e->islands[e->n_islands] = (Island){.is_trivial = true};
      e->island_of[i] = e->n_islands++;
    }
  for (int i = 0; i < s->n_free; i++) {
    e->island_of[i] = e->island_of[find_root (e->parent, i)];
    Island *island = &e->islands[e->island_of[i]];
    e->local[i] = island->n++;
    island->is_trivial = island->is_trivial && !e->is_stateful[i];
  }
  for (int i = 0; i < e->n_rows; i++) {
    SsFesdRow *row = &e->rows[i];
    row->island = row->n > 0 ? e->island_of[row->column[0]] : -1;
    if (row->island < 0)
      continue;
    Island *island = &e->islands[row->island];
    row->local = island->m++;
    island->is_trivial = false;
  }
  size_t matrix = 0, work = 0;
  int coordinate = 0, row = 0;
  for (int i = 0; i < e->n_islands; i++) {
    Island *island = &e->islands[i];
    const size_t size = (size_t)e->s * (size_t)(island->n + island->m);
    island->first_coordinate = coordinate;
    island->first_row = row;
    island->matrix = matrix;
    island->pivot = island->rhs = (int)work;
    coordinate += island->n;
    row += island->m;
    if (island->is_trivial)
      continue;
    matrix += size * size;
    work += size;
  }
  for (int i = 0; i < s->n_free; i++)
    e->coordinates[e->islands[e->island_of[i]].first_coordinate + e->local[i]] = i;
  for (int i = 0; i < e->n_rows; i++)
    if (e->rows[i].island >= 0)
      e->row_order[e->islands[e->rows[i].island].first_row + e->rows[i].local] = i;
  if (matrix > e->matrix_capacity) {
    double *numbers = ss_realloc (e->matrix, matrix + matrix / 4, sizeof *numbers);
    if (numbers == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for the equations of %d closed contacts", e->n_rows);
    e->matrix = numbers;
    e->matrix_capacity = matrix + matrix / 4;
  }
  if (work > e->work_capacity) {
    double *rhs = ss_realloc (e->rhs, work + work / 4, sizeof *rhs);
    e->rhs = rhs != NULL ? rhs : e->rhs;
    int *pivot = ss_realloc (e->pivot, work + work / 4, sizeof *pivot);
    e->pivot = pivot != NULL ? pivot : e->pivot;
    if (rhs == NULL || pivot == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for the equations of %d closed contacts", e->n_rows);
    e->work_capacity = work + work / 4;
  }
  return SS_OK;
}

SsStatus
ss_fesd_element_set_modes (SsFesdElement *e, const SsFesdMode *modes, SsError *err)
{
  SS_ASSERT (e != NULL && modes != NULL);

  const SsFesdSystem *s = e->system;
  int n = s->n_bilateral;
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    n += modes[i] == SS_FESD_OPEN ? 0 : modes[i] == SS_FESD_STICK ? 2 : 1;
  SsStatus status = reserve_rows (e, n, err);
  if (status != SS_OK)
    return status;
  e->n_rows = 0;
  for (int i = 0; i < s->n_bilateral; i++)
    add_joint_row (e, SS_FESD_ROW_BILATERAL, i);
  for (int i = 0; i < ss_fesd_n_items (s); i++) {
    e->item_row[i] = -1;
    if (modes[i] == SS_FESD_OPEN)
      continue;
    e->item_row[i] = e->n_rows;
    if (i >= s->n_points) {
      add_joint_row (e, SS_FESD_ROW_LIMIT, s->n_bilateral + i - s->n_points);
      continue;
    }
    const double mu = s->scene->contacts[s->points[i].contact].mu;
    add_point_row (e, SS_FESD_ROW_NORMAL, i,
                   modes[i] == SS_FESD_SLIP_PLUS    ? -mu
                   : modes[i] == SS_FESD_SLIP_MINUS ? mu
                                                    : 0);
    if (modes[i] == SS_FESD_STICK)
      add_point_row (e, SS_FESD_ROW_STICK, i, 0);
  }
  e->has_guess = false;
  return make_islands (e, err);
}

/* ---- the solution ------------------------------------------------------------------------------------------------ */

int
ss_fesd_element_n_stages (const SsFesdElement *e)
{
  return e->s;
}

int
ss_fesd_element_n_rows (const SsFesdElement *e)
{
  return e->n_rows;
}

const SsFesdRow *
ss_fesd_element_rows (const SsFesdElement *e)
{
  return e->rows;
}

double
ss_fesd_element_length (const SsFesdElement *e)
{
  return e->h;
}

bool
ss_fesd_element_is_short (const SsFesdElement *e)
{
  return e->is_short;
}

const double *
ss_fesd_element_q (const SsFesdElement *e, int stage)
{
  SS_ASSERT (stage >= 0 && stage <= e->s);
  return e->q + (size_t)stage * (size_t)e->system->n_q;
}

const double *
ss_fesd_element_v (const SsFesdElement *e, int stage)
{
  SS_ASSERT (stage >= 0 && stage <= e->s);
  return e->v + (size_t)stage * (size_t)e->system->n_q;
}

double
ss_fesd_element_lambda (const SsFesdElement *e, int row, int stage)
{
  SS_ASSERT (row >= 0 && row < e->n_rows && stage >= 0 && stage < e->s);
  return e->lambda[row * e->s + stage];
}

const double *
ss_fesd_element_acceleration (const SsFesdElement *e, int stage)
{
  SS_ASSERT (stage >= 0 && stage < e->s);
  return e->acceleration + (size_t)stage * (size_t)e->system->n_free;
}

long
ss_fesd_element_iterations (const SsFesdElement *e)
{
  return e->iterations;
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

static void
copy_or_zero (double *to, const double *from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = from != NULL ? from[i] : 0;
}

void
ss_fesd_element_start (SsFesdElement *e, double t, const double *q, const double *v, const double *a,
                       const double *lambda_n, const double *lambda_t, const double *lambda_b)
{
  SS_ASSERT (e != NULL && q != NULL && v != NULL);

  const SsFesdSystem *s = e->system;
  e->t0 = t;
  memcpy (e->q0, q, (size_t)s->n_q * sizeof *q);
  memcpy (e->v0, v, (size_t)s->n_q * sizeof *v);
  copy_or_zero (e->guess_a, a, s->n_free);
  copy_or_zero (e->guess_n, lambda_n, ss_fesd_n_items (s));
  copy_or_zero (e->guess_t, lambda_t, ss_fesd_n_items (s));
  copy_or_zero (e->guess_b, lambda_b, s->n_bilateral);
  e->has_guess = false;
}

void
ss_fesd_element_set_offsets (SsFesdElement *e, const double *offset)
{
  SS_ASSERT (e != NULL);
  e->offset = offset;
}

static void
use_guess (SsFesdElement *e)
{
  const SsFesdSystem *s = e->system;
  for (int j = 0; j < e->s; j++)
    memcpy (e->acceleration + (size_t)j * (size_t)s->n_free, e->guess_a, (size_t)s->n_free * sizeof *e->guess_a);
  for (int i = 0; i < e->n_rows; i++) {
    const SsFesdRow *row = &e->rows[i];
    const double value = row->kind == SS_FESD_ROW_BILATERAL ? e->guess_b[row->item]
                         : row->kind == SS_FESD_ROW_LIMIT   ? e->guess_n[s->n_points + row->item - s->n_bilateral]
                         : row->kind == SS_FESD_ROW_NORMAL  ? e->guess_n[row->item]
                                                            : e->guess_t[row->item];
    for (int j = 0; j < e->s; j++)
      e->lambda[i * e->s + j] = value;
  }
  e->has_guess = true;
}

/* Poses and velocities of stage j, or of the end (j = s), from the accelerations. */
static void
set_state (SsFesdElement *e, int j)
{
  const SsFesdSystem *s = e->system;
  const double c = j < e->s ? e->tableau.c[j] : 1, h = e->h;
  const double *velocity = j < e->s ? e->tableau.a[j] : e->tableau.b, *position = j < e->s ? e->a2[j] : e->ba;
  double *q = e->q + (size_t)j * (size_t)s->n_q, *v = e->v + (size_t)j * (size_t)s->n_q;
  for (int i = 0; i < s->n_q; i++) {
    const int k = s->index[i];
    double dq = 0, dv = 0;
    for (int l = 0; k >= 0 && l < e->s; l++) {
      const double a = e->acceleration[l * s->n_free + k];
      dq += position[l] * a;
      dv += velocity[l] * a;
    }
    q[i] = e->q0[i] + h * (c * e->v0[i] + h * dq);
    v[i] = e->v0[i] + h * dv;
  }
}

/* The tape and the contact points at all stages. */
static void
evaluate (SsFesdElement *e)
{
  SsFesdSystem *s = e->system;
  for (int j = 0; j < e->s; j++) {
    const double *q = e->q + (size_t)j * (size_t)s->n_q, *v = e->v + (size_t)j * (size_t)s->n_q;
    set_state (e, j);
    for (int i = 0; i < s->n_rows; i++)
      e->lambda_b[i] = 0;
    for (int i = 0; i < e->n_rows; i++)
      if (e->rows[i].kind == SS_FESD_ROW_BILATERAL || e->rows[i].kind == SS_FESD_ROW_LIMIT)
        e->lambda_b[e->rows[i].item] = e->lambda[i * e->s + j];
      else if (e->rows[i].kind == SS_FESD_ROW_NORMAL) /* STICK comes after it and has the same numbers */
        ss_fesd_point_at (&s->points[e->rows[i].item], q, true, &e->at[i * e->s + j]);
    ss_fesd_system_set (s, j, e->t0 + e->tableau.c[j] * e->h, q, v, e->lambda_b);
  }
  ss_fesd_system_evaluate (s, e->s);
}

/* Of a row at a stage. */
static const SsFesdPointAt *
point_at (const SsFesdElement *e, int row, int stage)
{
  return &e->at[(e->rows[row].kind == SS_FESD_ROW_STICK ? row - 1 : row) * e->s + stage];
}

static double
jacobian (const SsFesdElement *e, int i, int stage, int k)
{
  const SsFesdRow *row = &e->rows[i];
  if (row->kind == SS_FESD_ROW_NORMAL)
    return point_at (e, i, stage)->jn[row->source[k]];
  if (row->kind == SS_FESD_ROW_STICK)
    return point_at (e, i, stage)->jt[row->source[k]];
  return ss_fesd_system_output (e->system, row->source[k], stage);
}

/* Direction in which the row's force acts. */
static double
push_of (const SsFesdElement *e, int i, int stage, int k)
{
  const SsFesdRow *row = &e->rows[i];
  if (row->kind != SS_FESD_ROW_NORMAL)
    return jacobian (e, i, stage, k);
  const SsFesdPointAt *at = point_at (e, i, stage);
  return at->jn[row->source[k]] + row->friction * at->jt[row->source[k]];
}

/* J v of a row at a stage, prescribed motions included. */
static double
rate_of (const SsFesdElement *e, int i, int stage, const double *v)
{
  const SsFesdSystem *s = e->system;
  const SsFesdRow *row = &e->rows[i];
  double rate = 0;
  if (row->kind == SS_FESD_ROW_BILATERAL || row->kind == SS_FESD_ROW_LIMIT) {
    for (int k = 0; k < row->n; k++)
      rate += jacobian (e, i, stage, k) * v[s->coordinate[row->column[k]]];
    for (int k = 0; k < s->n_driven; k++)
      if (s->driven[k].row == row->item)
        rate += ss_fesd_system_output (s, s->driven[k].output, stage) * v[s->driven[k].column];
    return rate;
  }
  const SsFesdPointAt *at = point_at (e, i, stage);
  const SsFesdPoint *point = &s->points[row->item];
  const double *direction = row->kind == SS_FESD_ROW_NORMAL ? at->jn : at->jt;
  for (int k = 0; k < SS_FESD_POINT_N; k++)
    rate += direction[k] * v[3 * point->body[k / 3] + k % 3];
  return rate;
}

static double
gap_of (const SsFesdElement *e, int i, int stage)
{
  const SsFesdSystem *s = e->system;
  const SsFesdRow *row = &e->rows[i];
  if (row->kind == SS_FESD_ROW_NORMAL)
    return point_at (e, i, stage)->phi - e->offset[row->item];
  const double phi = ss_fesd_system_phi (s, row->item, stage);
  return row->kind == SS_FESD_ROW_LIMIT ? phi - e->offset[s->n_points + row->item - s->n_bilateral] : phi;
}

static bool
is_velocity_row (const SsFesdElement *e, const SsFesdRow *row)
{
  return row->kind == SS_FESD_ROW_STICK || e->is_short;
}

static double
residual_of_row (const SsFesdElement *e, int i, int stage)
{
  if (is_velocity_row (e, &e->rows[i]))
    return rate_of (e, i, stage, e->v + (size_t)stage * (size_t)e->system->n_q) / e->h;
  return gap_of (e, i, stage) / (e->h * e->h);
}

/* M V_j - f - J' lambda of all coordinates and stages, over M, into the islands' right-hand sides with minus; rows
 * likewise. */
static void
set_residuals (SsFesdElement *e)
{
  const SsFesdSystem *s = e->system;
  for (int c = 0; c < s->n_free; c++) {
    const Island *island = &e->islands[e->island_of[c]];
    const int width = island->n + island->m;
    for (int j = 0; j < e->s; j++) {
      const double a = ss_fesd_system_force (s, c, j) / s->mass[c];
      if (island->is_trivial)
        e->acceleration[j * s->n_free + c] = a;
      else
        e->rhs[island->rhs + j * width + e->local[c]] = a - e->acceleration[j * s->n_free + c];
    }
  }
  for (int i = 0; i < e->n_rows; i++) {
    const SsFesdRow *row = &e->rows[i];
    if (row->island < 0)
      continue;
    const Island *island = &e->islands[row->island];
    const int width = island->n + island->m;
    const bool is_of_tape = row->kind == SS_FESD_ROW_BILATERAL || row->kind == SS_FESD_ROW_LIMIT;
    for (int j = 0; j < e->s; j++) {
      double *rhs = e->rhs + island->rhs + j * width;
      rhs[island->n + row->local] = -residual_of_row (e, i, j);
      for (int k = 0; !is_of_tape && k < row->n; k++)
        rhs[e->local[row->column[k]]] += push_of (e, i, j, k) * e->lambda[i * e->s + j] / s->mass[row->column[k]];
    }
  }
}

/* ---- matrix ------------------------------------------------------------------------------------------------------ */

/* Adds `value` d / d q and `rate` d / d v of stage j in a column of V to the row `at` of the matrix, for all stages. */
static void
add_state (const SsFesdElement *e, const Island *island, double *matrix, int at, int column, int j, double by_q,
           double by_v)
{
  const int width = island->n + island->m, size = e->s * width;
  for (int k = 0; k < e->s; k++)
    matrix[(size_t)(k * width + column) * (size_t)size + (size_t)at] +=
        by_q * e->h * e->h * e->a2[j][k] + by_v * e->h * e->tableau.a[j][k];
}

static void
add_forces (const SsFesdElement *e, const SsFesdEntry *entries, int n, bool by_velocity)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0; i < n; i++) {
    const Island *island = &e->islands[e->island_of[entries[i].row]];
    const int width = island->n + island->m;
    for (int j = 0; !island->is_done && !island->is_trivial && j < e->s; j++) {
      const double value = -ss_fesd_system_output (s, entries[i].output, j) / s->mass[entries[i].row];
      add_state (e, island, e->matrix + island->matrix, j * width + e->local[entries[i].row],
                 e->local[entries[i].column], j, by_velocity ? 0 : value, by_velocity ? value : 0);
    }
  }
}

/* Of a row: its force in the equations of motion, its equation, and what its direction's change does. */
static void
add_row (const SsFesdElement *e, int i)
{
  const SsFesdSystem *s = e->system;
  const SsFesdRow *row = &e->rows[i];
  const Island *island = &e->islands[row->island];
  const int width = island->n + island->m, size = e->s * width;
  double *matrix = e->matrix + island->matrix;
  const bool is_of_tape = row->kind == SS_FESD_ROW_BILATERAL || row->kind == SS_FESD_ROW_LIMIT;
  const bool by_velocity = is_velocity_row (e, row);
  for (int j = 0; j < e->s; j++) {
    const int force = j * width + island->n + row->local;
    const double lambda = e->lambda[i * e->s + j], scale = by_velocity ? 1 / e->h : 1 / (e->h * e->h);
    const double *v = e->v + (size_t)j * (size_t)s->n_q;
    for (int k = 0; k < row->n; k++) {
      const int c = row->column[k], local = e->local[c];
      matrix[(size_t)force * (size_t)size + (size_t)(j * width + local)] =
          -push_of (e, i, j, k) * row->weight / s->mass[c];
      const double by = scale * jacobian (e, i, j, k);
      add_state (e, island, matrix, force, local, j, by_velocity ? 0 : by, by_velocity ? by : 0);
    }
    if (is_of_tape)
      continue;
    const SsFesdPointAt *at = point_at (e, i, j);
    const SsFesdPoint *point = &s->points[row->item];
    for (int l = 0; l < row->n; l++) {
      const int column = e->local[row->column[l]], of = row->source[l];
      for (int k = 0; k < row->n; k++) {
        const int in = row->source[k];
        const double turn =
            row->kind == SS_FESD_ROW_STICK ? at->ht[in][of] : at->hn[in][of] + row->friction * at->ht[in][of];
        add_state (e, island, matrix, j * width + e->local[row->column[k]], column, j,
                   -turn * lambda / s->mass[row->column[k]], 0);
      }
      double swing = 0; /* of J v with the direction */
      for (int k = 0; by_velocity && k < SS_FESD_POINT_N; k++)
        swing += (row->kind == SS_FESD_ROW_STICK ? at->ht[k][of] : at->hn[k][of]) * v[3 * point->body[k / 3] + k % 3];
      if (by_velocity)
        add_state (e, island, matrix, force, column, j, scale * swing, 0);
    }
  }
}

/* W + redundancy I in the place of W = J M^-1 J' in units of the row's weight: the shortest step of the forces. */
static void
add_redundancy (const SsFesdElement *e, const Island *island)
{
  const int width = island->n + island->m, size = e->s * width;
  double *matrix = e->matrix + island->matrix;
  for (int r = 0; r < island->m; r++) {
    const bool by_velocity = is_velocity_row (e, &e->rows[e->row_order[island->first_row + r]]);
    for (int j = 0; j < e->s; j++)
      for (int k = 0; k < e->s; k++)
        matrix[(size_t)(k * width + island->n + r) * (size_t)size + (size_t)(j * width + island->n + r)] +=
            redundancy * (by_velocity ? e->tableau.a[j][k] : e->a2[j][k]);
  }
}

static void
assemble (SsFesdElement *e)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0; i < e->n_islands; i++) {
    const Island *island = &e->islands[i];
    if (island->is_trivial || island->is_done)
      continue;
    const size_t width = (size_t)(island->n + island->m), size = (size_t)e->s * width;
    double *matrix = e->matrix + island->matrix;
    memset (matrix, 0, size * size * sizeof *matrix);
    for (size_t j = 0; j < (size_t)e->s; j++)
      for (size_t k = 0; k < (size_t)island->n; k++)
        matrix[(j * width + k) * (size + 1)] = 1;
    if (island->is_redundant)
      add_redundancy (e, island);
  }
  add_forces (e, s->fq, s->n_fq, false);
  add_forces (e, s->fv, s->n_fv, true);
  for (int i = 0; i < e->n_rows; i++)
    if (e->rows[i].island >= 0 && !e->islands[e->rows[i].island].is_done)
      add_row (e, i);
}

/* Unit of each row's force: what one of it does to the row, at the first stage. */
static void
set_weights (SsFesdElement *e)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0; i < e->n_rows; i++) {
    SsFesdRow *row = &e->rows[i];
    double w = 0;
    for (int k = 0; k < row->n; k++)
      w += jacobian (e, i, 0, k) * jacobian (e, i, 0, k) / s->mass[row->column[k]];
    row->weight = w > 0 && isfinite (w) ? 1 / w : 1;
  }
}

static bool
is_singular (const double *lu, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (!(fabs (lu[i * (size + 1)]) > singular_pivot))
      return true;
  return false;
}

/* Factors an island's matrix; once more with shared forces where its rows turn out to be redundant. */
static bool
factor (SsFesdElement *e, Island *island)
{
  const int size = e->s * (island->n + island->m);
  double *matrix = e->matrix + island->matrix;
  SsStatus status = ss_dense_lu (size, matrix, size, e->pivot + island->pivot);
  if (status == SS_OK && !is_singular (matrix, (size_t)size))
    return true;
  if (island->is_redundant || island->m == 0)
    return status == SS_OK;
  island->is_redundant = true;
  assemble (e);
  for (int i = 0; i < e->n_islands; i++) /* whose factors were just overwritten */
    e->islands[i].is_factored = false;
  return ss_dense_lu (size, matrix, size, e->pivot + island->pivot) == SS_OK;
}

/* Adds the step that the right-hand side holds; returns its largest change of a velocity. */
static double
take_step (SsFesdElement *e, const Island *island)
{
  const SsFesdSystem *s = e->system;
  const int width = island->n + island->m;
  double largest = 0;
  for (int j = 0; j < e->s; j++) {
    const double *step = e->rhs + island->rhs + j * width;
    for (int k = 0; k < island->n; k++) {
      const int c = e->coordinates[island->first_coordinate + k];
      e->acceleration[j * s->n_free + c] += step[k];
      largest = fmax (largest, e->h * fabs (step[k]));
      if (!isfinite (step[k]))
        return INFINITY;
    }
    for (int k = 0; k < island->m; k++) {
      const int row = e->row_order[island->first_row + k];
      e->lambda[row * e->s + j] += e->rows[row].weight * step[island->n + k];
    }
  }
  return largest;
}

/* Largest velocity of an island, and of what it gains within the element. *rounding: steps that may be no more than
 * that. */
static double
scale_of (const SsFesdElement *e, const Island *island, double *rounding)
{
  const SsFesdSystem *s = e->system;
  double scale = 1e-3; /* m/s: below that, rounding of the other terms decides */
  double place = s->size;
  for (int k = 0; k < island->n; k++) {
    const int c = e->coordinates[island->first_coordinate + k];
    scale = fmax (scale, fabs (e->v0[s->coordinate[c]]));
    place = fmax (place, fabs (e->q0[s->coordinate[c]]));
    for (int j = 0; j < e->s; j++)
      scale = fmax (scale, e->h * fabs (e->acceleration[j * s->n_free + c]));
  }
  *rounding = fmax (stagnant * scale, gap_roundings * DBL_EPSILON * place / e->h);
  return scale;
}

bool
ss_fesd_element_solve (SsFesdElement *e, double h)
{
  SS_ASSERT (e != NULL && h > 0);

  const SsFesdSystem *s = e->system;
  e->h = h;
  e->is_short = DBL_EPSILON * s->size > acceleration_rounding * h * h;
  /* shared forces are to depend on the length alone, not on the lengths that were tried before */
  for (int i = 0; i < e->n_islands; i++)
    e->has_guess = e->has_guess && !e->islands[i].is_redundant;
  if (!e->has_guess)
    use_guess (e);
  for (int i = 0; i < e->n_islands; i++) {
    e->islands[i].is_done = e->islands[i].is_factored = e->islands[i].is_redundant = false;
    e->islands[i].last = INFINITY;
  }
  bool is_done = false;
  for (int iteration = 0; iteration < NEWTON_MAX && !is_done; iteration++) {
    bool is_new = false;
    e->iterations++;
    evaluate (e);
    if (iteration == 0)
      set_weights (e);
    set_residuals (e);
    for (int i = 0; i < e->n_islands; i++)
      is_new = is_new || (!e->islands[i].is_trivial && !e->islands[i].is_done && !e->islands[i].is_factored);
    if (is_new) {
      for (int i = 0; i < e->n_islands; i++)
        e->islands[i].is_factored = false;
      assemble (e);
    }
    is_done = true;
    for (int i = 0; i < e->n_islands; i++) {
      Island *island = &e->islands[i];
      if (island->is_done)
        continue;
      if (island->is_trivial) {
        island->is_done = true;
        continue;
      }
      const int size = e->s * (island->n + island->m);
      if (!island->is_factored && !factor (e, island)) {
        e->has_guess = false;
        return false;
      }
      island->is_factored = true;
      ss_dense_lu_solve (size, e->matrix + island->matrix, size, e->pivot + island->pivot, e->rhs + island->rhs);
      double rounding;
      const double change = take_step (e, island), scale = scale_of (e, island, &rounding);
      if (!isfinite (change)) {
        e->has_guess = false;
        return false;
      }
      const double ratio = change / island->last;
      island->is_done = change <= converged * scale || (change <= rounding && ratio > 0.1);
      /* the old matrix serves while it gains three digits a step */
      island->is_factored = ratio < 1e-3 || change <= 1e-9 * scale;
      island->last = change;
      is_done = is_done && island->is_done;
    }
  }
  for (int j = 0; j <= e->s; j++)
    set_state (e, j);
  e->has_guess = is_done;
  return is_done;
}

/* ---- projection -------------------------------------------------------------------------------------------------- */

/* Solves J M^-1 J' x = r of the island's rows at stage 0 of what was evaluated, x in place of r (by local row). */
static bool
solve_rows (SsFesdElement *e, Island *island, double *r)
{
  const SsFesdSystem *s = e->system;
  const int m = island->m;
  double *matrix = e->matrix + island->matrix;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      const int ri = e->row_order[island->first_row + i], rj = e->row_order[island->first_row + j];
      double sum = 0;
      for (int k = 0; k < e->rows[ri].n; k++)
        for (int l = 0; l < e->rows[rj].n; l++)
          if (e->rows[ri].column[k] == e->rows[rj].column[l])
            sum += jacobian (e, ri, 0, k) * jacobian (e, rj, 0, l) / s->mass[e->rows[ri].column[k]];
      matrix[(size_t)j * (size_t)m + (size_t)i] = sum * e->rows[rj].weight + (i == j ? 1e-13 : 0);
    }
  if (ss_dense_lu (m, matrix, m, e->pivot + island->pivot) != SS_OK)
    return false;
  ss_dense_lu_solve (m, matrix, m, e->pivot + island->pivot, r);
  return true;
}

static void
evaluate_at (SsFesdElement *e, double t, const double *q, const double *v)
{
  SsFesdSystem *s = e->system;
  ss_fesd_system_set (s, 0, t, q, v, NULL);
  ss_fesd_system_evaluate (s, 1);
  for (int i = 0; i < e->n_rows; i++)
    if (e->rows[i].kind == SS_FESD_ROW_NORMAL)
      ss_fesd_point_at (&s->points[e->rows[i].item], q, false, &e->at[i * e->s]);
}

/* x += M^-1 J' r over the rows of the island. */
static void
push_rows (const SsFesdElement *e, const Island *island, const double *r, double *x)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0; i < island->m; i++) {
    const int row = e->row_order[island->first_row + i];
    for (int k = 0; k < e->rows[row].n; k++) {
      const int c = e->rows[row].column[k];
      x[s->coordinate[c]] += jacobian (e, row, 0, k) * e->rows[row].weight * r[i] / s->mass[c];
    }
  }
}

bool
ss_fesd_element_project (SsFesdElement *e, double t, double *q, double *v, bool positions)
{
  SS_ASSERT (e != NULL && q != NULL && v != NULL);

  bool is_done = !positions || e->n_rows == 0;
  for (int round = 0; !is_done && round < PROJECTIONS_MAX; round++) {
    double largest = 0;
    evaluate_at (e, t, q, v);
    set_weights (e);
    for (int i = 0; i < e->n_islands; i++) {
      Island *island = &e->islands[i];
      double *r = e->rhs + island->rhs;
      for (int k = 0; k < island->m; k++) {
        const int row = e->row_order[island->first_row + k];
        r[k] = e->rows[row].kind == SS_FESD_ROW_STICK ? 0 : -gap_of (e, row, 0);
        largest = fmax (largest, fabs (r[k]));
      }
      if (island->m > 0 && !solve_rows (e, island, r))
        return false;
      push_rows (e, island, r, q);
    }
    is_done = largest <= 16 * DBL_EPSILON * e->system->size;
  }
  if (e->n_rows == 0)
    return true;
  evaluate_at (e, t, q, v);
  set_weights (e);
  for (int i = 0; i < e->n_islands; i++) {
    Island *island = &e->islands[i];
    double *r = e->rhs + island->rhs;
    for (int k = 0; k < island->m; k++)
      r[k] = -rate_of (e, e->row_order[island->first_row + k], 0, v);
    if (island->m > 0 && !solve_rows (e, island, r))
      return false;
    push_rows (e, island, r, v);
  }
  return is_done;
}
