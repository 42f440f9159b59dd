/* engine/linalg/ss-ldl-lanes.c: LDL' of a matrix in eight lanes: see SsLdlLanes in ss-linalg.h.
 *
 * With columns of three to ten entries, as trajectory problems have them, the arithmetic of a factorisation is nothing
 * beside its loops. Here a horizon is cut into eight pieces by the unknowns between them. The pieces look alike, so one
 * order of elimination serves all, and each number of the factor is a vector of eight. The unknowns between the pieces
 * appear in each lane as `faces`, eliminated last; what the lanes leave on their faces is added into the coarse matrix,
 * which is factored column by column. Eliminating towards two faces instead of one costs about twice the operations, on
 * an eighth of the columns.
 *
 * Pattern: the union over the lanes of what connects the slots; lanes without an unknown have the pivot 1 there and
 * nothing beside it. Order: minimum degree among the slots (ties to the smaller slot). Places: a number of the factor
 * lies at 8 place + lane; places 0..n_inner-1 are D, then L by columns, then the lower triangle of the faces by rows;
 * behind all these the numbers of the coarse matrix. */
#include "linalg/ss-lanes.h"
#include "linalg/ss-ldl-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { N_SEPARATORS = SS_LANES - 1, EVERYWHERE = N_SEPARATORS, N_SIDES = 3 };
enum { MAX_LOCAL = 8192 };      /* slots and faces: the order's bit matrix stays below 8 MB */
enum { MAX_TARGETS = 1 << 24 }; /* 64 MB                                                  */

static const double NEVER_REPLACED = 1e300; /* sign of the pivot 1 of a seat that nobody has */

static const double LANES_UNIT = 2; /* counted work of an operation of all lanes */

struct SsLdlInLanes {
  int n_inner, n_faces, n_coarse;
  int *unknown;        /* n_inner * 8, by pivot: unknown of each lane, or -1                 */
  int *first;          /* n_inner: unknown of lane 0 if the others follow it, else -1        */
  int *start;          /* n_inner + 1: places of the columns of L                            */
  int *row;            /* by place from start[0]: pivot, or n_inner + face                   */
  int *target;         /* places to subtract from, in order of use                           */
  int n_places;        /* of the lanes                                                       */
  double *block;       /* of the next three and of the factor's numbers                      */
  double *sign;        /* n_inner * 8                                                        */
  double *inverse;     /* n_inner * 8                                                  */
  double *x;           /* (n_inner + n_faces) * 8                                      */
  int *face;           /* n_faces * 8: unknown of the coarse system, or -1             */
  int *coarse_unknown; /* n_coarse: index of the unknown                               */
  double *coarse_x;
  signed char *coarse_sign;
  int n_schur;
  int *schur_from, *schur_to; /* numbers of the lanes' faces, added to numbers of the coarse matrix */
  SsLdl *coarse;
};

/* ---- analysis ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsPattern *lower;
  const SsLdlLanes *in;
  int n_slots, n_coarse_slots, n_local, n_words;
  int *unknown;   /* n_slots * 8                                        */
  int *face_id;   /* side * n_coarse_slots + slot: face, or -1          */
  int *face;      /* faces * 8: coarse unknown                          */
  int *coarse;    /* n: number in the coarse system, or -1              */
  uint64_t *bits; /* n_local rows of n_words: who is connected with whom */
  int *degree, *position;
  int n_major, capacity;
  int *major, *minor; /* entries of the coarse matrix */
} Analysis;

static void
analysis_clear (Analysis *a)
{
  ss_free (a->unknown);
  ss_free (a->face_id);
  ss_free (a->face);
  ss_free (a->coarse);
  ss_free (a->bits);
  ss_free (a->degree);
  ss_free (a->position);
  ss_free (a->major);
  ss_free (a->minor);
}

static SsStatus
out_of_memory (SsError *err, int n)
{
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a matrix of %d rows in lanes", n);
}

static inline bool
has_bit (const Analysis *a, int i, int j)
{
  return (a->bits[(size_t)i * (size_t)a->n_words + (size_t)(j / 64)] >> (j % 64) & 1) != 0;
}

static inline void
connect (Analysis *a, int i, int j)
{
  a->bits[(size_t)i * (size_t)a->n_words + (size_t)(j / 64)] |= (uint64_t)1 << (j % 64);
  a->bits[(size_t)j * (size_t)a->n_words + (size_t)(i / 64)] |= (uint64_t)1 << (i % 64);
}

/* Who sits in which slot of which lane, and the numbers of coarse unknowns. */
static SsStatus
seat_unknowns (Analysis *a, SsLdlInLanes *l, SsError *err)
{
  const SsLdlLanes *in = a->in;
  int n = a->lower->n_major;
  for (int i = 0; i < n; i++) {
    int *largest = in->lane[i] >= 0 ? &a->n_slots : &a->n_coarse_slots;
    if (in->lane[i] >= SS_LANES || in->slot[i] < 0 || in->slot[i] >= n)
      return ss_error_set (err, SS_ERR_ARG, "unknown %d has lane %d and slot %d", i, in->lane[i], in->slot[i]);
    if (in->lane[i] < 0 && (in->separator[i] < 0 || in->separator[i] > EVERYWHERE))
      return ss_error_set (err, SS_ERR_ARG, "unknown %d has separator %d", i, in->separator[i]);
    *largest = in->slot[i] >= *largest ? in->slot[i] + 1 : *largest;
    l->n_coarse += in->lane[i] < 0;
  }
  a->unknown = ss_new_array (int, (size_t)a->n_slots *SS_LANES + 1);
  a->face_id = ss_new_array (int, (size_t)N_SIDES *(size_t)a->n_coarse_slots + 1);
  a->face = ss_new_array (int, (size_t)N_SIDES *(size_t)a->n_coarse_slots *SS_LANES + 1);
  a->coarse = ss_new_array (int, (size_t)n + 1);
  l->coarse_unknown = ss_new_array (int, (size_t)l->n_coarse + 1);
  if (a->unknown == NULL || a->face_id == NULL || a->face == NULL || a->coarse == NULL || l->coarse_unknown == NULL)
    return out_of_memory (err, n);
  for (int k = 0; k < a->n_slots * SS_LANES; k++)
    a->unknown[k] = -1;
  for (int k = 0; k < N_SIDES * a->n_coarse_slots; k++)
    a->face_id[k] = -1;
  for (int k = 0; k < N_SIDES * a->n_coarse_slots * SS_LANES; k++)
    a->face[k] = -1;
  for (int i = 0, c = 0; i < n; i++) {
    a->coarse[i] = -1;
    if (in->lane[i] < 0) {
      l->coarse_unknown[c] = i;
      a->coarse[i] = c++;
      continue;
    }
    int *seat = &a->unknown[in->slot[i] * SS_LANES + in->lane[i]];
    if (*seat >= 0)
      return ss_error_set (err, SS_ERR_ARG, "unknowns %d and %d share a slot", *seat, i);
    *seat = i;
  }
  return SS_OK;
}

/* Face of coarse unknown i in a lane; made when it is new; -1 if the lane does not touch its separator. */
static int
face_of (Analysis *a, SsLdlInLanes *l, int i, int lane)
{
  int s = a->in->separator[i], side = s == EVERYWHERE ? 2 : lane == s ? 0 : lane == s + 1 ? 1 : -1;
  if (side < 0)
    return -1;
  int *id = &a->face_id[side * a->n_coarse_slots + a->in->slot[i]];
  if (*id < 0)
    *id = l->n_faces++;
  int *seat = &a->face[*id * SS_LANES + lane];
  if (*seat >= 0 && *seat != a->coarse[i])
    return -1; /* two unknowns of one separator with the same slot */
  *seat = a->coarse[i];
  return *id;
}

static SsStatus
add_coarse (Analysis *a, int i, int j, SsError *err)
{
  int capacity = a->capacity;
  if (ss_array_reserve ((void **)&a->major, &capacity, a->n_major + 1, sizeof (int)) != 0 ||
      ss_array_reserve ((void **)&a->minor, &a->capacity, a->n_major + 1, sizeof (int)) != 0)
    return out_of_memory (err, a->lower->n_major);
  a->major[a->n_major] = i < j ? i : j;
  a->minor[a->n_major++] = i < j ? j : i;
  return SS_OK;
}

/* Calls for each entry: which of its ends are inner. Connects the local graph; collects the coarse matrix's own
 * entries. */
static SsStatus
connect_slots (Analysis *a, SsLdlInLanes *l, SsError *err)
{
  const SsLdlLanes *in = a->in;
  int n = a->lower->n_major;
  /* Faces first, so that the size of the graph is known. */
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < n; j++)
      for (int p = a->lower->start[j]; p < a->lower->start[j + 1]; p++) {
        int i = a->lower->index[p], inner = in->lane[i] >= 0 ? i : j, other = inner == i ? j : i;
        if (in->lane[inner] < 0) {
          SsStatus status = pass == 0 ? add_coarse (a, a->coarse[i], a->coarse[j], err) : SS_OK;
          if (status != SS_OK)
            return status;
          continue;
        }
        int end = in->slot[other];
        if (in->lane[other] < 0) {
          int face = face_of (a, l, other, in->lane[inner]);
          if (face < 0)
            return ss_error_set (err, SS_ERR_ARG, "unknown %d in lane %d is coupled with %d of another separator",
                                 inner, in->lane[inner], other);
          end = a->n_slots + face;
        } else if (in->lane[other] != in->lane[inner])
          return ss_error_set (err, SS_ERR_ARG, "unknowns %d and %d of different lanes are coupled", inner, other);
        if (pass == 1 && end != in->slot[inner])
          connect (a, in->slot[inner], end);
      }
    if (pass == 1)
      break;
    a->n_local = a->n_slots + l->n_faces;
    if (a->n_local > MAX_LOCAL)
      return ss_error_set (err, SS_ERR_ARG, "%d unknowns in a lane", a->n_local);
    a->n_words = (a->n_local + 63) / 64;
    a->bits = ss_new_array (uint64_t, (size_t)a->n_local * (size_t)a->n_words + 1);
    a->degree = ss_new_array (int, (size_t)a->n_local + 1);
    a->position = ss_new_array (int, (size_t)a->n_local + 1);
    if (a->bits == NULL || a->degree == NULL || a->position == NULL)
      return out_of_memory (err, n);
  }
  return SS_OK;
}

static int
count_bits (uint64_t word)
{
  int n = 0;
  for (; word != 0; word &= word - 1)
    n++;
  return n;
}

static void
measure_degree (Analysis *a, int i)
{
  const uint64_t *own = a->bits + (size_t)i * (size_t)a->n_words;
  int degree = 0;
  for (int w = 0; w < a->n_words; w++)
    degree += count_bits (own[w]);
  a->degree[i] = degree;
}

/* Removes slot k from the graph and connects its neighbours with each other. */
static void
eliminate_slot (Analysis *a, int k, const int *neighbour, int n_neighbours)
{
  const uint64_t *gone = a->bits + (size_t)k * (size_t)a->n_words;
  for (int e = 0; e < n_neighbours; e++) {
    int i = neighbour[e];
    uint64_t *own = a->bits + (size_t)i * (size_t)a->n_words;
    for (int w = 0; w < a->n_words; w++)
      own[w] |= gone[w];
    own[i / 64] &= ~((uint64_t)1 << (i % 64));
    own[k / 64] &= ~((uint64_t)1 << (k % 64));
    measure_degree (a, i);
  }
}

/* Order of elimination by minimum degree; columns of L with rows still as slots. */
static SsStatus
order_slots (Analysis *a, SsLdlInLanes *l, int *order, SsError *err)
{
  int capacity = 0, next = l->n_inner;
  for (int i = 0; i < a->n_local; i++) {
    a->position[i] = -1;
    measure_degree (a, i);
  }
  for (int step = 0; step < l->n_inner; step++) {
    int best = -1;
    for (int i = 0; i < l->n_inner; i++)
      if (a->position[i] < 0 && (best < 0 || a->degree[i] < a->degree[best]))
        best = i;
    order[step] = best;
    a->position[best] = step;
    l->start[step] = next;
    if (ss_array_reserve ((void **)&l->row, &capacity, next + a->degree[best] + 1, sizeof (int)) != 0)
      return out_of_memory (err, a->lower->n_major);
    for (int i = 0; i < a->n_local; i++)
      if (has_bit (a, best, i))
        l->row[next++] = i;
    eliminate_slot (a, best, l->row + l->start[step], next - l->start[step]);
  }
  l->start[l->n_inner] = next;
  for (int f = 0; f < l->n_faces; f++)
    a->position[l->n_inner + f] = l->n_inner + f;
  return SS_OK;
}

/* Rows from slots to pivots, ascending. */
static void
sort_rows (const Analysis *a, SsLdlInLanes *l)
{
  for (int j = 0; j < l->n_inner; j++)
    for (int p = l->start[j]; p < l->start[j + 1]; p++) {
      int row = a->position[l->row[p]], q = p;
      for (; q > l->start[j] && l->row[q - 1] > row; q--)
        l->row[q] = l->row[q - 1];
      l->row[q] = row;
    }
}

static int
place_of (const SsLdlInLanes *l, int row, int column)
{
  if (column >= l->n_inner) {
    int i = row - l->n_inner, j = column - l->n_inner;
    return l->start[l->n_inner] + i * (i + 1) / 2 + j;
  }
  if (row == column)
    return row;
  int p = l->start[column];
  while (l->row[p] != row)
    p++;
  return p;
}

static SsStatus
find_targets (const Analysis *a, SsLdlInLanes *l, bool *touched, SsError *err)
{
  int64_t n_targets = 0;
  for (int j = 0; j < l->n_inner; j++) {
    int64_t length = l->start[j + 1] - l->start[j];
    n_targets += length * (length + 1) / 2;
  }
  if (n_targets > MAX_TARGETS)
    return ss_error_set (err, SS_ERR_ARG, "%lld operations in a lane", (long long)n_targets);
  int *t = l->target = ss_new_array (int, (size_t)n_targets + 1);
  if (t == NULL)
    return out_of_memory (err, a->lower->n_major);
  for (int j = 0; j < l->n_inner; j++)
    for (int p = l->start[j]; p < l->start[j + 1]; p++)
      for (int q = p; q < l->start[j + 1]; q++) {
        *t++ = place_of (l, l->row[q], l->row[p]);
        if (l->row[p] >= l->n_inner)
          touched[t[-1] - l->start[l->n_inner]] = true;
      }
  return SS_OK;
}

/* The coarse matrix: its own entries, a diagonal, and what the lanes leave on their faces. */
static SsStatus
build_coarse (Analysis *a, SsLdlInLanes *l, const bool *touched, int *own_slot, SsPattern *pattern, SsError *err)
{
  int n_own = a->n_major;
  SsStatus status = SS_OK;
  l->schur_from = ss_new_array (int, (size_t)l->n_faces *(size_t)(l->n_faces + 1) / 2 * SS_LANES + 1);
  l->schur_to = ss_new_array (int, (size_t)l->n_faces *(size_t)(l->n_faces + 1) / 2 * SS_LANES + 1);
  if (l->schur_from == NULL || l->schur_to == NULL)
    return out_of_memory (err, a->lower->n_major);
  for (int i = 0; i < l->n_faces; i++)
    for (int j = 0; j <= i; j++)
      for (int lane = 0; lane < SS_LANES; lane++) {
        int ci = l->face[i * SS_LANES + lane], cj = l->face[j * SS_LANES + lane];
        if (!touched[i * (i + 1) / 2 + j] || ci < 0 || cj < 0)
          continue;
        l->schur_from[l->n_schur++] = (l->start[l->n_inner] + i * (i + 1) / 2 + j) * SS_LANES + lane;
        status = add_coarse (a, ci, cj, err);
        if (status != SS_OK)
          return status;
      }
  int *slot = ss_new_array (int, (size_t)a->n_major + 1);
  if (slot == NULL)
    return out_of_memory (err, a->lower->n_major);
  status = ss_pattern_from_triplets (pattern, l->n_coarse, l->n_coarse, a->n_major, a->major, a->minor, slot, err);
  if (status == SS_OK)
    status = ss_ldl_new (pattern, &l->coarse, err);
  if (status == SS_OK) {
    memcpy (own_slot, slot, (size_t)n_own * sizeof (int));
    for (int k = 0; k < l->n_schur; k++)
      l->schur_to[k] = l->n_places * SS_LANES + ss_ldl_place (l->coarse, slot[n_own + k]);
  }
  ss_free (slot);
  return status;
}

/* Where each given entry goes. */
static void
find_input_places (const Analysis *a, SsLdl *ldl, const int *own_slot)
{
  const SsLdlInLanes *l = ldl->lanes;
  const SsLdlLanes *in = a->in;
  int n_own = 0;
  for (int j = 0; j < ldl->n; j++)
    for (int p = a->lower->start[j]; p < a->lower->start[j + 1]; p++) {
      int i = a->lower->index[p], inner = in->lane[i] >= 0 ? i : j, other = inner == i ? j : i, lane = in->lane[inner];
      if (lane < 0) {
        ldl->place[p] = l->n_places * SS_LANES + ss_ldl_place (l->coarse, own_slot[n_own++]);
        continue;
      }
      int row = a->position[in->slot[inner]], column;
      if (in->lane[other] >= 0)
        column = a->position[in->slot[other]];
      else {
        int s = in->separator[other], side = s == EVERYWHERE ? 2 : lane == s ? 0 : 1;
        column = l->n_inner + a->face_id[side * a->n_coarse_slots + in->slot[other]];
      }
      ldl->place[p] = place_of (l, row > column ? row : column, row > column ? column : row) * SS_LANES + lane;
    }
}

/* Everything by pivot instead of by slot; work space. */
static SsStatus
store_lanes (const Analysis *a, SsLdl *ldl, const int *order, const signed char *expected_sign, SsError *err)
{
  SsLdlInLanes *l = ldl->lanes;
  size_t n = (size_t)l->n_inner * SS_LANES + 1;
  l->unknown = ss_new_array (int, n);
  l->first = ss_new_array (int, (size_t)l->n_inner + 1);
  /* Sign, inverse, x and the factor's numbers, each a multiple of eight long, so that all are aligned. */
  size_t n_inner = (size_t)l->n_inner * SS_LANES, n_x = n_inner + (size_t)l->n_faces * SS_LANES;
  ldl->n_factor = l->n_places * SS_LANES + l->coarse->n_factor;
  l->block = ss_new_array (double, 2 * n_inner + n_x + (size_t)ldl->n_factor + SS_LANES);
  l->coarse_x = ss_new_array (double, (size_t)l->n_coarse + 1);
  l->coarse_sign = ss_new_array (signed char, (size_t)l->n_coarse + 1);
  if (l->unknown == NULL || l->first == NULL || l->block == NULL || l->coarse_x == NULL || l->coarse_sign == NULL)
    return out_of_memory (err, ldl->n);
  l->sign = ss_lanes_align (l->block);
  l->inverse = l->sign + n_inner;
  l->x = l->inverse + n_inner;
  ldl->factor = l->x + n_x;
  ldl->borrowed = true;
  ss_free (l->coarse->factor); /* its numbers lie behind those of the lanes */
  l->coarse->factor = ldl->factor + l->n_places * SS_LANES;
  l->coarse->borrowed = true;
  for (int k = 0; k < l->n_inner; k++) {
    const int *seat = a->unknown + order[k] * SS_LANES;
    l->first[k] = seat[0];
    for (int lane = 0; lane < SS_LANES; lane++) {
      int i = seat[lane];
      l->unknown[k * SS_LANES + lane] = i;
      l->sign[k * SS_LANES + lane] = i < 0 ? NEVER_REPLACED : expected_sign != NULL ? expected_sign[i] : 1;
      if (i < 0 || i != seat[0] + lane)
        l->first[k] = -1;
    }
  }
  for (int c = 0; c < l->n_coarse; c++)
    l->coarse_sign[c] = expected_sign != NULL ? expected_sign[l->coarse_unknown[c]] : 1;
  return SS_OK;
}

static SsStatus
analyse (SsLdl *ldl, Analysis *a, const signed char *expected_sign, SsError *err)
{
  SsLdlInLanes *l = ldl->lanes;
  SsPattern coarse = {0};
  int *order = NULL, *own_slot = NULL;
  bool *touched = NULL;
  SsStatus status = seat_unknowns (a, l, err);
  if (status == SS_OK)
    status = connect_slots (a, l, err);
  if (status != SS_OK)
    return status;
  l->n_inner = a->n_slots;
  l->face = a->face;
  a->face = NULL;
  l->start = ss_new_array (int, (size_t)l->n_inner + 1);
  order = ss_new_array (int, (size_t)l->n_inner + 1);
  own_slot = ss_new_array (int, (size_t)a->n_major + 1);
  touched = ss_new_array (bool, (size_t)l->n_faces *(size_t)(l->n_faces + 1) / 2 + 1);
  if (l->start == NULL || order == NULL || own_slot == NULL || touched == NULL)
    status = out_of_memory (err, ldl->n);
  if (status == SS_OK)
    status = order_slots (a, l, order, err);
  if (status == SS_OK) {
    sort_rows (a, l);
    l->n_places = l->start[l->n_inner] + l->n_faces * (l->n_faces + 1) / 2;
    status = find_targets (a, l, touched, err);
  }
  if (status == SS_OK)
    status = build_coarse (a, l, touched, own_slot, &coarse, err);
  if (status == SS_OK) {
    find_input_places (a, ldl, own_slot);
    status = store_lanes (a, ldl, order, expected_sign, err);
  }
  ss_pattern_clear (&coarse);
  ss_free (order);
  ss_free (own_slot);
  ss_free (touched);
  return status;
}

SsStatus
ss_ldl_new_in_lanes (const SsPattern *lower, const SsLdlLanes *lanes, const signed char *expected_sign, SsLdl **out,
                     SsError *err)
{
  SS_ASSERT (lower != NULL && lanes != NULL && out != NULL);

  Analysis a = {.lower = lower, .in = lanes};
  SsStatus status = SS_ERR_MEMORY;
  SsLdl *ldl = ss_new (SsLdl);

  *out = NULL;
  if (ldl == NULL)
    return out_of_memory (err, lower->n_major);
  ldl->n = lower->n_major;
  ldl->n_input = lower->start[ldl->n];
  ldl->lanes = ss_new (SsLdlInLanes);
  ldl->place = ss_new_array (int, (size_t)ldl->n_input + 1);
  if (ldl->lanes == NULL || ldl->place == NULL) {
    out_of_memory (err, ldl->n);
    goto fail;
  }
  status = analyse (ldl, &a, expected_sign, err);
  if (status != SS_OK)
    goto fail;
  analysis_clear (&a);
  *out = ldl;
  return SS_OK;
fail:
  analysis_clear (&a);
  ss_ldl_lanes_free (ldl->lanes);
  ss_ldl_columns_free (ldl);
  return status;
}

void
ss_ldl_lanes_free (SsLdlInLanes *l)
{
  if (l == NULL)
    return;
  void *const blocks[] = {l->unknown, l->first,          l->start,    l->row,         l->target,     l->block,
                          l->face,    l->coarse_unknown, l->coarse_x, l->coarse_sign, l->schur_from, l->schur_to};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    ss_free (blocks[i]);
  ss_ldl_columns_free (l->coarse);
  ss_free (l);
}

int
ss_ldl_lanes_n_entries (const SsLdlInLanes *l)
{
  SS_ASSERT (l != NULL);
  return (l->start[l->n_inner] - l->n_inner) * SS_LANES + ss_ldl_columns_n_factor_entries (l->coarse);
}

/* Of all lanes at once, without the coarse system. */
static int64_t
inner_operations (const SsLdlInLanes *l)
{
  int64_t n = 0;
  for (int j = 0; j < l->n_inner; j++) {
    int64_t length = l->start[j + 1] - l->start[j];
    n += length * (length + 1) / 2;
  }
  return n;
}

int64_t
ss_ldl_lanes_n_operations (const SsLdlInLanes *l)
{
  SS_ASSERT (l != NULL);
  return ss_ldl_columns_n_operations (l->coarse) + inner_operations (l);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

void
ss_ldl_lanes_clear (SsLdl *ldl)
{
  SS_ASSERT (ldl != NULL);

  const SsLdlInLanes *l = ldl->lanes;
  memset (ldl->factor, 0, (size_t)ldl->n_factor * sizeof (double));
  for (int k = 0; k < l->n_inner * SS_LANES; k++)
    if (l->unknown[k] < 0)
      ldl->factor[k] = 1;
}

/* Eliminates the slots of all lanes. Replaced pivots are counted in lanes; *sum is finite when all numbers are. */
SS_CLONES static void
factor_lanes (const SsLdlInLanes *l, double *numbers, double minimum, int *n_replaced, double *sum)
{
  SsLanes *factor = (SsLanes *)numbers, *inverse = (SsLanes *)l->inverse, total = {0};
  const SsLanes *sign = (const SsLanes *)l->sign;
  const int *target = l->target;
  SsLanesMask replaced = {0};
  for (int j = 0; j < l->n_inner; j++) {
    SsLanes d = factor[j], *column = factor + l->start[j];
    const int length = l->start[j + 1] - l->start[j];
    SsLanesMask bad = sign[j] * d < minimum;
    SsLanes other = sign[j] * minimum;
    d = (SsLanes)(((SsLanesMask)d & ~bad) | ((SsLanesMask)other & bad));
    replaced -= bad;
    factor[j] = d;
    SsLanes by = 1 / d;
    inverse[j] = by;
    total += 0 * by;
    for (int a = 0; a < length; a++) {
      SsLanes x = column[a] * by;
      for (int b = a; b < length; b++)
        factor[target[b - a]] -= x * column[b];
      target += length - a;
      column[a] = x;
    }
  }
  *n_replaced = 0;
  *sum = 0;
  for (int lane = 0; lane < SS_LANES; lane++) {
    *n_replaced += (int)replaced[lane];
    *sum += total[lane];
  }
}

SsStatus
ss_ldl_lanes_factor (SsLdl *ldl, double minimum, int *n_replaced)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);

  const SsLdlInLanes *l = ldl->lanes;
  double *factor = ldl->factor, sum;
  int in_lanes, in_coarse = 0;
  factor_lanes (l, factor, minimum, &in_lanes, &sum);
  ss_work_add (LANES_UNIT * (double)inner_operations (l));
  if (!isfinite (sum))
    return SS_ERR_SINGULAR;
  for (int k = 0; k < l->n_schur; k++)
    factor[l->schur_to[k]] += factor[l->schur_from[k]];
  SsStatus status = ss_ldl_columns_factor_numbers (l->coarse, l->coarse_sign, minimum, &in_coarse);
  if (status == SS_OK && n_replaced != NULL)
    *n_replaced = in_lanes + in_coarse;
  return status;
}

SS_CLONES static void
solve_forward (const SsLdlInLanes *l, const double *numbers, const double *b)
{
  const SsLanes *factor = (const SsLanes *)numbers;
  SsLanes *x = (SsLanes *)l->x;
  for (int k = 0; k < l->n_inner; k++) {
    if (l->first[k] >= 0)
      x[k] = *(const SsLanes *)(b + l->first[k]);
    else
      for (int lane = 0; lane < SS_LANES; lane++) {
        int i = l->unknown[k * SS_LANES + lane];
        l->x[k * SS_LANES + lane] = i >= 0 ? b[i] : 0;
      }
  }
  for (int f = 0; f < l->n_faces; f++)
    x[l->n_inner + f] = (SsLanes){0};
  for (int j = 0; j < l->n_inner; j++) {
    SsLanes xj = x[j];
    for (int p = l->start[j]; p < l->start[j + 1]; p++)
      x[l->row[p]] -= factor[p] * xj;
  }
}

SS_CLONES static void
solve_backward (const SsLdlInLanes *l, const double *numbers, double *b)
{
  const SsLanes *factor = (const SsLanes *)numbers, *inverse = (const SsLanes *)l->inverse;
  SsLanes *x = (SsLanes *)l->x;
  for (int j = l->n_inner - 1; j >= 0; j--) {
    SsLanes sum = x[j] * inverse[j];
    for (int p = l->start[j]; p < l->start[j + 1]; p++)
      sum -= factor[p] * x[l->row[p]];
    x[j] = sum;
    if (l->first[j] >= 0)
      *(SsLanes *)(b + l->first[j]) = sum;
    else
      for (int lane = 0; lane < SS_LANES; lane++) {
        int i = l->unknown[j * SS_LANES + lane];
        if (i >= 0)
          b[i] = l->x[j * SS_LANES + lane];
      }
  }
}

void
ss_ldl_lanes_solve (SsLdl *ldl, double *b)
{
  SS_ASSERT (ldl != NULL && ldl->n >= 0);

  const SsLdlInLanes *l = ldl->lanes;
  ss_work_add (2 * LANES_UNIT * l->start[l->n_inner]);
  solve_forward (l, ldl->factor, b);
  for (int c = 0; c < l->n_coarse; c++)
    l->coarse_x[c] = b[l->coarse_unknown[c]];
  double *face = l->x + l->n_inner * SS_LANES;
  for (int k = 0; k < l->n_faces * SS_LANES; k++)
    if (l->face[k] >= 0)
      l->coarse_x[l->face[k]] += face[k];
  ss_ldl_columns_solve (l->coarse, l->coarse_x);
  for (int k = 0; k < l->n_faces * SS_LANES; k++)
    face[k] = l->face[k] >= 0 ? l->coarse_x[l->face[k]] : 0;
  for (int c = 0; c < l->n_coarse; c++)
    b[l->coarse_unknown[c]] = l->coarse_x[c];
  solve_backward (l, ldl->factor, b);
}
