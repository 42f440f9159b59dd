/* engine/fesd/ss-fesd-element.c: modes of an element, their rows and islands. See the header. */
#include "fesd/ss-fesd-element-private.h"

#include "core/ss-forest.h"
#include "core/ss-memory.h"

#include <string.h>

int
ss_fesd_n_items (const SsFesdSystem *system)
{
  SS_ASSERT (system != NULL && system->n_free <= system->n_q);
  return system->n_points + system->n_rows - system->n_bilateral;
}

double
ss_fesd_mu_of (const SsFesdSystem *s, int item)
{
  return item < s->n_points ? s->scene->contacts[s->points[item].contact].mu : ss_fesd_drive_of (s, item) != NULL;
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

/* Of the tableau's matrix; Radau IIA, Gauss-Legendre and Lobatto IIIC have it. */
static void
make_inverse (SsFesdElement *e)
{
  double lu[SS_FESD_STAGES * SS_FESD_STAGES], column[SS_FESD_STAGES];
  int pivot[SS_FESD_STAGES];
  for (int j = 0; j < e->s; j++)
    for (int k = 0; k < e->s; k++)
      lu[k * e->s + j] = e->tableau.a[j][k];
  const SsStatus status = ss_dense_lu (e->s, lu, e->s, pivot);
  SS_ASSERT (status == SS_OK);
  for (int k = 0; k < e->s; k++) {
    for (int j = 0; j < e->s; j++)
      column[j] = j == k;
    ss_dense_lu_solve (e->s, lu, e->s, pivot, column);
    for (int j = 0; j < e->s; j++)
      e->a_inverse[j][k] = column[j];
  }
}

/* Where each joint row's entries lie, and which forces depend on the state. */
static void
look_at_entries (SsFesdElement *e)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0, k = 0, l = 0; i <= s->n_rows; i++) {
    while (k < s->n_j && s->j[k].row < i)
      k++;
    while (l < s->n_swing && s->swing[l].row < i)
      l++;
    e->j_first[i] = k;
    e->swing_first[i] = l;
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
  make_inverse (e);
  const size_t n_q = (size_t)system->n_q, n = (size_t)system->n_free, s = (size_t)e->s;
  const size_t n_items = (size_t)ss_fesd_n_items (system), n_rows = (size_t)system->n_rows;
  e->q0 = ss_new_array (double, 2 * n_q + 2 * (s + 1) * n_q + (s + 1) * n + 3 * n_rows + 2 * n_items + 1);
  e->item_row = ss_new_array (int, n_items + 1);
  e->j_first = ss_new_array (int, 2 * n_rows + 4);
  e->is_stateful = ss_new_array (bool, n + 1);
  e->islands = ss_new_array (SsFesdIsland, n + 1);
  e->parent = ss_new_array (int, 4 * n + 1);
  if (e->q0 == NULL || e->item_row == NULL || e->j_first == NULL || e->is_stateful == NULL || e->islands == NULL ||
      e->parent == NULL) {
    ss_fesd_element_free (e);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a finite element of %d coordinates", system->n_free);
  }
  e->swing_first = e->j_first + n_rows + 2;
  e->v0 = e->q0 + n_q;
  e->q = e->v0 + n_q;
  e->v = e->q + (s + 1) * n_q;
  e->acceleration = e->v + (s + 1) * n_q;
  e->guess_a = e->acceleration + s * n;
  e->lambda_b = e->guess_a + n;
  e->guess_b = e->lambda_b + n_rows;
  e->guess_n = e->guess_b + n_rows;
  e->guess_t = e->guess_n + n_items;
  e->given = e->guess_t + n_items;
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
  ss_free (e->place);
  ss_free (e->band_work);
  ss_free (e->rhs);
  ss_free (e->pivot);
  ss_free (e->factor);
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

static void
join (int *parent, int i, int j)
{
  parent[ss_root_of (parent, i)] = ss_root_of (parent, j);
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
    if (ss_root_of (e->parent, i) == i) {
      e->islands[e->n_islands] = (SsFesdIsland){.is_trivial = true};
      e->island_of[i] = e->n_islands++;
    }
  for (int i = 0; i < s->n_free; i++) {
    e->island_of[i] = e->island_of[ss_root_of (e->parent, i)];
    SsFesdIsland *island = &e->islands[e->island_of[i]];
    e->local[i] = island->n++;
    island->is_trivial = island->is_trivial && !e->is_stateful[i];
  }
  for (int i = 0; i < e->n_rows; i++) {
    SsFesdRow *row = &e->rows[i];
    row->island = row->n > 0 ? e->island_of[row->column[0]] : -1;
    if (row->island < 0)
      continue;
    SsFesdIsland *island = &e->islands[row->island];
    row->local = island->m++;
    island->is_trivial = false;
  }
  int coordinate = 0, row = 0;
  for (int i = 0; i < e->n_islands; i++) {
    SsFesdIsland *island = &e->islands[i];
    island->first_coordinate = coordinate;
    island->first_row = row;
    coordinate += island->n;
    row += island->m;
  }
  for (int i = 0; i < s->n_free; i++)
    e->coordinates[e->islands[e->island_of[i]].first_coordinate + e->local[i]] = i;
  for (int i = 0; i < e->n_rows; i++)
    if (e->rows[i].island >= 0)
      e->row_order[e->islands[e->rows[i].island].first_row + e->rows[i].local] = i;
  if (ss_array_reserve ((void **)&e->place, &e->place_capacity, coordinate + row + 1, sizeof *e->place) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the equations of %d closed contacts", e->n_rows);
  size_t matrix = 0, work = 0;
  for (int i = 0; i < e->n_islands; i++) {
    SsFesdIsland *island = &e->islands[i];
    const size_t size = (size_t)e->s * (size_t)(island->n + island->m), m = (size_t)island->m;
    island->matrix = matrix;
    island->pivot = island->rhs = (int)work;
    if (island->is_trivial)
      continue;
    if (!ss_fesd_band_make (e, island))
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for the equations of %d closed contacts", e->n_rows);
    const size_t of_rows = m * m + (size_t)island->n + m * SS_FESD_POINT_N; /* of projections, simplified steps */
    const size_t band = ss_fesd_band_numbers (e, island) + size;
    matrix += island->band == 0 ? size * size : band > of_rows ? band : of_rows;
    work += size;
  }
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
    double *factor = ss_realloc (e->factor, 2 * (work + work / 4), sizeof *factor);
    e->factor = factor != NULL ? factor : e->factor;
    if (rhs == NULL || pivot == NULL || factor == NULL)
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
    const SsFesdDrive *drive = ss_fesd_drive_of (s, i);
    e->item_row[i] = -1;
    if (drive != NULL)
      e->given[s->n_bilateral + i - s->n_points] = ss_fesd_drive_force (drive, modes[i]);
    if (modes[i] == SS_FESD_OPEN || (drive != NULL && modes[i] != SS_FESD_STICK))
      continue;
    e->item_row[i] = e->n_rows;
    if (i >= s->n_points) {
      add_joint_row (e, drive != NULL ? SS_FESD_ROW_DRIVE : SS_FESD_ROW_LIMIT, s->n_bilateral + i - s->n_points);
      continue;
    }
    const double mu = s->scene->contacts[s->points[i].contact].mu;
    /* against the slip [000 (3)] */
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
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);
  return e->s;
}

int
ss_fesd_element_n_rows (const SsFesdElement *e)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);
  return e->n_rows;
}

const SsFesdRow *
ss_fesd_element_rows (const SsFesdElement *e)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);
  return e->rows;
}

double
ss_fesd_element_time (const SsFesdElement *e, int stage)
{
  SS_ASSERT (e != NULL && stage >= -1 && stage <= e->s);
  return stage < 0 ? e->t0 : stage == e->s ? e->t0 + e->h : ss_fesd_within (e->t0, e->h, e->tableau.c[stage]);
}

double
ss_fesd_element_length (const SsFesdElement *e)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);
  return e->h;
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

/* ---- start ------------------------------------------------------------------------------------------------------- */

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
