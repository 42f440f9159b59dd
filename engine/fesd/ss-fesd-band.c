/* engine/fesd/ss-fesd-band.c: matrices of large islands as bands: along a chain of bodies only neighbours meet.
 *
 * Unknowns of an island (coordinates and rows, with all their stages) are ordered breadth-first from one end of the
 * graph of what meets in an entry (E. Cuthill, J. McKee, Reducing the bandwidth of sparse symmetric matrices, Proc.
 * 24th ACM National Conference, 1969); the band is factored with row pivoting, as LAPACK's dgbtf2 does it, in a fixed
 * order of operations. A chain of n links so costs n times a constant, in the place of n^3. */
#include "fesd/ss-fesd-element-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From so many unknowns on, and in bands that are so many times narrower, a band is cheaper by far. */
enum { BAND_FROM = 600, BAND_NARROWER = 8 };

/* Meetings of an island's unknowns, by its local numbers. */
typedef struct {
  int width, n_pairs;
  int *pairs; /* two a pair */
  int *start; /* width + 1: of the neighbours of each */
  int *neighbour;
} Graph;

static void
add_pair (Graph *g, int a, int b)
{
  if (a == b)
    return;
  g->pairs[2 * g->n_pairs] = a;
  g->pairs[2 * g->n_pairs + 1] = b;
  g->n_pairs++;
}

static void
add_entries (const SsFesdElement *e, const SsFesdIsland *island, const SsFesdEntry *entries, int n, Graph *g)
{
  const int of = (int)(island - e->islands);
  for (int i = 0; i < n; i++)
    if (e->island_of[entries[i].row] == of)
      add_pair (g, e->local[entries[i].row], e->local[entries[i].column]);
}

/* All entries that the matrix may have beside its diagonal. */
static void
list_pairs (const SsFesdElement *e, const SsFesdIsland *island, Graph *g)
{
  const SsFesdSystem *s = e->system;
  g->n_pairs = 0;
  add_entries (e, island, s->fq, s->n_fq, g);
  add_entries (e, island, s->fv, s->n_fv, g);
  for (int i = 0; i < island->m; i++) {
    const SsFesdRow *row = &e->rows[e->row_order[island->first_row + i]];
    const bool is_of_tape = ss_fesd_is_of_tape (row->kind);
    for (int k = 0; k < row->n; k++) {
      add_pair (g, island->n + i, e->local[row->column[k]]);
      for (int l = 0; l < k; l++)
        add_pair (g, e->local[row->column[k]], e->local[row->column[l]]);
    }
    for (int k = is_of_tape ? e->swing_first[row->item] : 0; is_of_tape && k < e->swing_first[row->item + 1]; k++)
      add_pair (g, island->n + i, e->local[s->swing[k].column]);
  }
}

static size_t
count_pairs (const SsFesdElement *e, const SsFesdIsland *island)
{
  const SsFesdSystem *s = e->system;
  return (size_t)s->n_fq + (size_t)s->n_fv + (size_t)s->n_swing + (size_t)island->m * SS_FESD_POINT_N * SS_FESD_POINT_N;
}

/* Neighbours of each unknown. */
static void
sort_pairs (Graph *g)
{
  memset (g->start, 0, ((size_t)g->width + 2) * sizeof *g->start);
  for (int i = 0; i < 2 * g->n_pairs; i++)
    g->start[g->pairs[i] + 2]++;
  for (int i = 0; i < g->width; i++)
    g->start[i + 2] += g->start[i + 1];
  for (int i = 0; i < g->n_pairs; i++) {
    const int a = g->pairs[2 * i], b = g->pairs[2 * i + 1];
    g->neighbour[g->start[a + 1]++] = b;
    g->neighbour[g->start[b + 1]++] = a;
  }
}

/* Breadth-first from `first` over all that it reaches, into list; place is -1 of what was not reached before. Returns
 * their number. */
static int
walk (const Graph *g, int first, int *place, int *list)
{
  int n = 1;
  list[0] = first;
  place[first] = 0;
  for (int i = 0; i < n; i++)
    for (int k = g->start[list[i]]; k < g->start[list[i] + 1]; k++)
      if (place[g->neighbour[k]] < 0) {
        place[g->neighbour[k]] = n;
        list[n++] = g->neighbour[k];
      }
  return n;
}

/* place[width] of each unknown along the island, whose parts all meet; list[width]: work. */
static void
order (const Graph *g, int *place, int *list)
{
  enum { ROUNDS = 3 };
  int first = 0;
  for (int round = 0; round < ROUNDS; round++) { /* what is reached last is near an end */
    for (int i = 0; i < g->width; i++)
      place[i] = -1;
    int n = walk (g, first, place, list);
    first = list[n - 1];
    for (int i = 0; i < g->width; i++) /* an unknown that nothing meets */
      if (place[i] < 0)
        place[i] = n++;
  }
}

bool
ss_fesd_band_make (SsFesdElement *e, SsFesdIsland *island)
{
  SS_ASSERT (e != NULL && island != NULL);

  const int width = island->n + island->m, size = e->s * width;
  island->band = 0;
  if (size < BAND_FROM)
    return true;
  const size_t n_pairs = count_pairs (e, island), wanted = 4 * n_pairs + 3 * (size_t)width + 4;
  if (wanted > e->band_capacity) {
    int *more = ss_realloc (e->band_work, wanted, sizeof *more);
    if (more == NULL)
      return false;
    e->band_work = more;
    e->band_capacity = wanted;
  }
  Graph g = {.width = width, .pairs = e->band_work, .neighbour = e->band_work + 2 * n_pairs};
  g.start = g.neighbour + 2 * n_pairs;
  int *list = g.start + width + 2;
  list_pairs (e, island, &g);
  sort_pairs (&g);
  int *place = e->place + island->first_coordinate + island->first_row, furthest = 0;
  order (&g, place, list);
  for (int i = 0; i < g.n_pairs; i++)
    furthest = abs (place[g.pairs[2 * i]] - place[g.pairs[2 * i + 1]]) > furthest
                   ? abs (place[g.pairs[2 * i]] - place[g.pairs[2 * i + 1]])
                   : furthest;
  const int band = furthest * e->s + e->s - 1;
  island->band = BAND_NARROWER * band < size ? band : 0;
  return true;
}

size_t
ss_fesd_band_numbers (const SsFesdElement *e, const SsFesdIsland *island)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);
  return (size_t)(3 * island->band + 1) * (size_t)e->s * (size_t)(island->n + island->m);
}

bool
ss_fesd_band_factor (SsFesdElement *e, const SsFesdIsland *island)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);

  const int size = e->s * (island->n + island->m), b = island->band, ld = 3 * b + 1;
  int *pivot = e->pivot + island->pivot;
  double *matrix = e->matrix + island->matrix;
  ss_work_add ((double)size * b * b * 2);
  for (int c = 0; c < size; c++) {
    double *column = matrix + (size_t)c * (size_t)ld + 2 * b - c; /* by row */
    const int last = c + b < size ? c + b : size - 1, right = c + 2 * b < size ? c + 2 * b : size - 1;
    int p = c;
    for (int i = c + 1; i <= last; i++)
      if (fabs (column[i]) > fabs (column[p]))
        p = i;
    pivot[c] = p;
    if (!(fabs (column[p]) > 0)) /* 0 or NaN */
      return false;
    for (int j = c; j <= right && p != c; j++) {
      double *other = matrix + (size_t)j * (size_t)ld + 2 * b - j;
      const double swap = other[c];
      other[c] = other[p];
      other[p] = swap;
    }
    for (int i = c + 1; i <= last; i++)
      column[i] /= column[c];
    for (int j = c + 1; j <= right; j++) {
      double *other = matrix + (size_t)j * (size_t)ld + 2 * b - j;
      if (other[c] != 0)
        ss_axpy (last - c, -other[c], column + c + 1, other + c + 1);
    }
  }
  return true;
}

bool
ss_fesd_band_is_singular (const SsFesdElement *e, const SsFesdIsland *island, double pivot)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);

  const int size = e->s * (island->n + island->m), b = island->band, ld = 3 * b + 1;
  for (int c = 0; c < size; c++)
    if (!(fabs (e->matrix[island->matrix + (size_t)c * (size_t)ld + 2 * (size_t)b]) > pivot))
      return true;
  return false;
}

void
ss_fesd_band_solve (SsFesdElement *e, const SsFesdIsland *island)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);

  const int width = island->n + island->m, size = e->s * width, b = island->band, ld = 3 * b + 1;
  const int *place = e->place + island->first_coordinate + island->first_row, *pivot = e->pivot + island->pivot;
  const double *matrix = e->matrix + island->matrix;
  double *rhs = e->rhs + island->rhs, *x = e->matrix + island->matrix + ss_fesd_band_numbers (e, island);
  for (int j = 0; j < e->s; j++)
    for (int i = 0; i < width; i++)
      x[place[i] * e->s + j] = rhs[j * width + i];
  for (int c = 0; c < size; c++) {
    const double *column = matrix + (size_t)c * (size_t)ld + 2 * b - c;
    const int last = c + b < size ? c + b : size - 1;
    const double swap = x[c];
    x[c] = x[pivot[c]];
    x[pivot[c]] = swap;
    ss_axpy (last - c, -x[c], column + c + 1, x + c + 1);
  }
  for (int c = size - 1; c >= 0; c--) {
    const double *column = matrix + (size_t)c * (size_t)ld + 2 * b - c;
    const int first = c - 2 * b > 0 ? c - 2 * b : 0;
    x[c] /= column[c];
    ss_axpy (c - first, -x[c], column + first, x + first);
  }
  for (int j = 0; j < e->s; j++)
    for (int i = 0; i < width; i++)
      rhs[j * width + i] = x[place[i] * e->s + j];
}
