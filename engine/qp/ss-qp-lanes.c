/* engine/qp/ss-qp-lanes.c: finds the time points of a trajectory problem in its pattern and cuts its horizon into eight
 * lanes of like structure.
 *
 * Period: a problem stacked by time points repeats: most rows occur again with all columns moved by the same number d
 * of variables. The smallest d for which that is true is the number of variables per time point; variable j belongs to
 * point j / d. Nothing else is assumed, and a wrong guess costs time, not correctness: lanes are used when their factor
 * is cheaper, and a pattern that does not fit keeps the ordinary one.
 *
 * Cut: the points are dealt out to eight lanes in order, with one point between each two. Of the points between, the
 * variables that share a row with an earlier point become coarse (the states, as a rule); the rest of that point joins
 * the lane to its right. A variable or row of a lane is known by its slot: the number of its point in the lane, and its
 * part in the point (a variable: j mod d; a row: its columns relative to its first point's).
 */
#include "qp/ss-qp-private.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = 32, MIN_PERIOD = 2, MIN_POINTS_PER_LANE = 2 };
static const double REPEATING = 0.7; /* part of the rows that occur again one period later */

typedef struct {
  uint64_t hash; /* of the columns relative to the first       */
  int first;     /* least column                               */
  int row;
} Shape;

typedef struct {
  const SsPattern *j; /* rows by columns */
  int n_eq;
  int d, n_points;
  int *owner;      /* n_points: lane, or -1 between lanes           */
  int *offset;     /* n_points: number of the point within its lane; of a point between: its separator */
  bool *is_coarse; /* n variables */
} Cut;

static uint64_t
mix (uint64_t hash, uint64_t value)
{
  return (hash ^ (value + 1)) * 1099511628211u;
}

/* Kind and columns of a row, relative to column `from`. */
static uint64_t
hash_row (const SsPattern *j, int row, int n_eq, int from)
{
  uint64_t hash = mix (14695981039346656037u, row < n_eq);
  for (int k = j->start[row]; k < j->start[row + 1]; k++)
    hash = mix (hash, (uint64_t)(j->index[k] - from));
  return hash ^ hash >> 29;
}

static int
compare_shapes (const void *a, const void *b)
{
  const Shape *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return x->first != y->first ? (x->first < y->first ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

/* Part of the rows (of shapes sorted) that occur again with their columns moved by d. */
static double
repetition (const Shape *shape, int n, int d)
{
  int n_found = 0;
  for (int i = 0, ahead = 0; i < n; i++) {
    ahead = ahead > i ? ahead : i;
    while (ahead + 1 < n && shape[ahead].hash == shape[i].hash && shape[ahead].first < shape[i].first + d)
      ahead++;
    n_found += shape[ahead].hash == shape[i].hash && shape[ahead].first == shape[i].first + d;
  }
  return n > 0 ? (double)n_found / n : 0;
}

/* Variables per time point; 0 if the rows do not repeat. */
static int
find_period (const SsPattern *j, int n_eq, Shape *shape)
{
  int n = 0, candidate[MAX_CANDIDATES], n_candidates = 0, best = 0;
  for (int row = 0; row < j->n_major; row++)
    if (j->start[row + 1] - j->start[row] > 1)
      shape[n++] = (Shape){hash_row (j, row, n_eq, j->index[j->start[row]]), j->index[j->start[row]], row};
  qsort (shape, (size_t)n, sizeof *shape, compare_shapes);
  for (int i = 1; i < n; i++) {
    int d = shape[i].first - shape[i - 1].first, c = 0;
    if (shape[i].hash != shape[i - 1].hash || d < MIN_PERIOD)
      continue;
    while (c < n_candidates && candidate[c] != d)
      c++;
    if (c == n_candidates && c < MAX_CANDIDATES)
      candidate[n_candidates++] = d;
  }
  for (int c = 0; c < n_candidates; c++)
    if ((best == 0 || candidate[c] < best) && repetition (shape, n, candidate[c]) > REPEATING)
      best = candidate[c];
  return best;
}

static bool
deal_points (Cut *cut)
{
  int inner = cut->n_points - (SS_LANES - 1), point = 0;
  if (inner < MIN_POINTS_PER_LANE * SS_LANES)
    return false;
  for (int lane = 0; lane < SS_LANES; lane++) {
    int length = inner / SS_LANES + (lane < inner % SS_LANES);
    for (int t = 0; t < length; t++, point++) {
      cut->owner[point] = lane;
      cut->offset[point] = t + 1; /* 0: what joins from the point between */
    }
    if (lane < SS_LANES - 1) {
      cut->owner[point] = -1;
      cut->offset[point++] = lane;
    }
  }
  return true;
}

static inline int
point_of (const Cut *cut, int variable)
{
  int point = variable / cut->d;
  return point < cut->n_points ? point : cut->n_points - 1;
}

/* Marks variables of points between that share a row with an earlier point. */
static void
mark_coarse (Cut *cut, const SsPattern *matrix)
{
  for (int c = 0; c < matrix->n_major; c++)
    for (int k = matrix->start[c]; k < matrix->start[c + 1]; k++) {
      int a = matrix->index[k], b = c, pa = point_of (cut, a), pb = point_of (cut, b);
      if (pa > pb && cut->owner[pa] < 0)
        cut->is_coarse[a] = true;
      if (pb > pa && cut->owner[pb] < 0)
        cut->is_coarse[b] = true;
    }
  for (int row = 0; row < cut->j->n_major; row++) {
    int first = cut->n_points;
    for (int k = cut->j->start[row]; k < cut->j->start[row + 1]; k++) {
      int point = point_of (cut, cut->j->index[k]);
      first = point < first ? point : first;
    }
    for (int k = cut->j->start[row]; k < cut->j->start[row + 1]; k++)
      if (point_of (cut, cut->j->index[k]) > first && cut->owner[point_of (cut, cut->j->index[k])] < 0)
        cut->is_coarse[cut->j->index[k]] = true;
  }
}

static inline int
lane_of (const Cut *cut, int point)
{
  return cut->owner[point] >= 0 ? cut->owner[point] : cut->offset[point] + 1;
}

static inline int
offset_of (const Cut *cut, int point)
{
  return cut->owner[point] >= 0 ? cut->offset[point] : 0;
}

static void
seat_variables (const Cut *cut, int n, SsQpLanes *lanes)
{
  for (int v = 0; v < n; v++) {
    int point = point_of (cut, v), part = v - point * cut->d;
    if (cut->is_coarse[v])
      lanes->variable[v] = (SsQpSeat){-1, part, cut->offset[point]};
    else
      lanes->variable[v] = (SsQpSeat){lane_of (cut, point), offset_of (cut, point) * cut->d + part, 0};
  }
}

/* A row sits in the lane of its first inner variable; its slot is made from the offset of its first point and its
 * shape. Rows of one lane with equal offset and shape are told apart by their order. */
static void
seat_rows (const Cut *cut, SsQpLanes *lanes, Shape *shape)
{
  const SsPattern *j = cut->j;
  for (int row = 0; row < j->n_major; row++) {
    int lane = -1, first = cut->n_points;
    for (int k = j->start[row]; k < j->start[row + 1]; k++) {
      const SsQpSeat *seat = &lanes->variable[j->index[k]];
      int point = point_of (cut, j->index[k]);
      lane = lane < 0 ? seat->lane : lane;
      first = point < first ? point : first;
    }
    first = first < cut->n_points ? first : 0;
    lanes->row[row] = (SsQpSeat){lane, 0, lane < 0 ? cut->offset[first] : 0};
    int offset = lane < 0 || lane_of (cut, first) != lane ? -1 : offset_of (cut, first);
    uint64_t hash = mix (hash_row (j, row, cut->n_eq, first * cut->d), (uint64_t)(offset + 1));
    shape[row] = (Shape){hash, lane < 0 ? SS_LANES + lanes->row[row].separator : lane, row};
  }
  qsort (shape, (size_t)j->n_major, sizeof *shape, compare_shapes);
  /* Equal shapes follow each other, by lane: the k-th of each lane get one slot. */
  int slot = 0;
  for (int first = 0, end; first < j->n_major; first = end) {
    int most = 0, nth = 0;
    for (end = first; end < j->n_major && shape[end].hash == shape[first].hash; end++) {
      nth = end > first && shape[end].first == shape[end - 1].first ? nth + 1 : 0;
      lanes->row[shape[end].row].slot = slot + nth;
      most = nth + 1 > most ? nth + 1 : most;
    }
    slot += most;
  }
}

bool
ss_qp_find_lanes (const SsQpShape *in, SsQpLanes *lanes, bool *ok)
{
  SS_ASSERT (in != NULL && lanes != NULL);

  const SsPattern *j = in->jacobian;
  Cut cut = {.j = j, .n_eq = in->n_eq};
  Shape *shape = ss_new_array (Shape, j->n_major + 1);
  bool found = false;
  memset (lanes, 0, sizeof *lanes);
  *ok = shape != NULL;
  cut.d = shape != NULL ? find_period (j, in->n_eq, shape) : 0;
  if (cut.d == 0)
    goto done;
  cut.n_points = (in->n + cut.d - 1) / cut.d;
  cut.owner = ss_new_array (int, cut.n_points + 1);
  cut.offset = ss_new_array (int, cut.n_points + 1);
  cut.is_coarse = ss_new_array (bool, in->n + 1);
  lanes->variable = ss_new_array (SsQpSeat, in->n + 1);
  lanes->row = ss_new_array (SsQpSeat, j->n_major + 1);
  *ok =
      cut.owner != NULL && cut.offset != NULL && cut.is_coarse != NULL && lanes->variable != NULL && lanes->row != NULL;
  if (!*ok || !deal_points (&cut))
    goto done;
  mark_coarse (&cut, in->hessian);
  seat_variables (&cut, in->n, lanes);
  seat_rows (&cut, lanes, shape);
  found = true;
done:
  ss_free (shape);
  ss_free (cut.owner);
  ss_free (cut.offset);
  ss_free (cut.is_coarse);
  if (!found)
    ss_qp_lanes_clear (lanes);
  return found;
}

void
ss_qp_lanes_clear (SsQpLanes *lanes)
{
  SS_ASSERT (lanes != NULL);
  ss_free (lanes->variable);
  ss_free (lanes->row);
  memset (lanes, 0, sizeof *lanes);
}
