/* engine/geometry/ss-broadphase.c: sort and sweep over boxes.
 * C. Ericson, Real-Time Collision Detection (2005), sec. 7.5; M. C. Lin's coherent sorting as in D. Baraff's thesis
 * (1992). */
#include "geometry/ss-broadphase.h"
#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

/* Insertion sort gives up after this many moves an item and a merge sort takes over: a scene whose order is new costs n
 * log n. */
enum { MOVES_PER_ITEM = 8 };

/* An item on the sweep, copied together so that the inner loop reads memory in order. */
typedef struct {
  double lower, upper; /* along the sweep */
  double across_lower, across_upper;
  int item;
} Entry;

struct SsBroadphase {
  int n;
  int *groups;
  bool *is_fixed;
  int *order; /* items as sorted in the last update */
  Entry *entries, *scratch;
  SsBroadphasePair *pairs, *sorted;
  int n_pairs, pair_capacity, sorted_capacity;
  int *count; /* n + 1 */
};

SsStatus
ss_broadphase_new (int n_items, const int *groups, const bool *is_fixed, SsBroadphase **out, SsError *err)
{
  SS_ASSERT (out != NULL);
  SS_ASSERT (n_items >= 0);
  SS_ASSERT (n_items >= 0 && out != NULL);
  *out = NULL;
  SsBroadphase *broadphase = ss_new (SsBroadphase);
  if (broadphase == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a broad phase");
  broadphase->n = n_items;
  broadphase->groups = ss_new_array (int, n_items + 1);
  broadphase->is_fixed = ss_new_array (bool, n_items + 1);
  broadphase->order = ss_new_array (int, n_items + 1);
  broadphase->entries = ss_new_array (Entry, n_items + 1);
  broadphase->scratch = ss_new_array (Entry, n_items + 1);
  broadphase->count = ss_new_array (int, n_items + 1);
  if (broadphase->groups == NULL || broadphase->is_fixed == NULL || broadphase->order == NULL ||
      broadphase->entries == NULL || broadphase->scratch == NULL || broadphase->count == NULL) {
    ss_broadphase_free (broadphase);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a broad phase");
  }
  for (int i = 0; i < n_items; i++) {
    broadphase->groups[i] = groups != NULL ? groups[i] : i;
    broadphase->is_fixed[i] = is_fixed != NULL && is_fixed[i];
    broadphase->order[i] = i;
  }
  *out = broadphase;
  return SS_OK;
}

void
ss_broadphase_free (SsBroadphase *broadphase)
{
  if (broadphase == NULL)
    return;
  ss_free (broadphase->groups);
  ss_free (broadphase->is_fixed);
  ss_free (broadphase->order);
  ss_free (broadphase->entries);
  ss_free (broadphase->scratch);
  ss_free (broadphase->pairs);
  ss_free (broadphase->sorted);
  ss_free (broadphase->count);
  ss_free (broadphase);
}

/* ---- sorting ----------------------------------------------------------------------------------------------------- */

/* By lower end; equal ones by item, so that the order depends on the boxes alone. */
static bool
comes_before (const Entry *a, const Entry *b)
{
  return a->lower < b->lower || (a->lower == b->lower && a->item < b->item);
}

/* False when the order was too wrong for it. */
static bool
insertion_sort (Entry *entries, int n)
{
  long moves = 0, allowed = (long)MOVES_PER_ITEM * n;
  for (int i = 1; i < n; i++) {
    Entry entry = entries[i];
    int k = i;
    for (; k > 0 && comes_before (&entry, &entries[k - 1]); k--)
      entries[k] = entries[k - 1];
    entries[k] = entry;
    moves += i - k;
    if (moves > allowed)
      return false;
  }
  return true;
}

static void
merge_sort (Entry *entries, Entry *scratch, int n)
{
  for (int width = 1; width < n; width *= 2) {
    for (int from = 0; from < n; from += 2 * width) {
      int middle = from + width < n ? from + width : n, to = from + 2 * width < n ? from + 2 * width : n;
      int i = from, j = middle;
      for (int k = from; k < to; k++)
        scratch[k] = j >= to || (i < middle && comes_before (&entries[i], &entries[j])) ? entries[i++] : entries[j++];
    }
    memcpy (entries, scratch, (size_t)n * sizeof *entries);
  }
}

/* Sum of squares of the centres' distances from their mean along one axis; finite boxes only. */
static double
spread (const SsBox *boxes, int n, bool along_y)
{
  double sum = 0, squares = 0;
  int count = 0;
  for (int i = 0; i < n; i++) {
    double centre = along_y ? boxes[i].lower.y + boxes[i].upper.y : boxes[i].lower.x + boxes[i].upper.x;
    if (!isfinite (centre))
      continue;
    count++;
    sum += centre;
    squares += centre * centre;
  }
  return count > 0 ? squares - sum * sum / count : 0;
}

/* Entries in the order of the last update; NaN boxes become empty ones at the end. */
static void
fill_entries (SsBroadphase *broadphase, const SsBox *boxes, bool along_y)
{
  for (int i = 0; i < broadphase->n; i++) {
    int item = broadphase->order[i];
    const SsBox *b = &boxes[item];
    bool is_good = b->lower.x <= b->upper.x && b->lower.y <= b->upper.y;
    Entry *e = &broadphase->entries[i];
    if (!is_good)
      *e = (Entry){INFINITY, -INFINITY, INFINITY, -INFINITY, item};
    else if (along_y)
      *e = (Entry){b->lower.y, b->upper.y, b->lower.x, b->upper.x, item};
    else
      *e = (Entry){b->lower.x, b->upper.x, b->lower.y, b->upper.y, item};
  }
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static bool
sweep (SsBroadphase *broadphase)
{
  const Entry *entries = broadphase->entries;
  broadphase->n_pairs = 0;
  for (int i = 0; i < broadphase->n; i++) {
    const Entry *first = &entries[i];
    /* what begins at INFINITY is empty */
    for (int j = i + 1; j < broadphase->n && entries[j].lower <= first->upper && entries[j].lower < INFINITY; j++) {
      const Entry *second = &entries[j];
      if (second->across_lower > first->across_upper || first->across_lower > second->across_upper)
        continue;
      if (broadphase->groups[first->item] == broadphase->groups[second->item] ||
          (broadphase->is_fixed[first->item] && broadphase->is_fixed[second->item]))
        continue;
      if (ss_array_reserve ((void **)&broadphase->pairs, &broadphase->pair_capacity, broadphase->n_pairs + 1,
                            sizeof *broadphase->pairs) != 0)
        return false;
      bool in_order = first->item < second->item;
      broadphase->pairs[broadphase->n_pairs++] =
          (SsBroadphasePair){in_order ? first->item : second->item, in_order ? second->item : first->item};
    }
  }
  return true;
}

/* Stable counting sort by one member. */
static void
count_sort (const SsBroadphasePair *from, SsBroadphasePair *to, int n_pairs, int *count, int n, bool by_first)
{
  memset (count, 0, ((size_t)n + 1) * sizeof *count);
  for (int i = 0; i < n_pairs; i++)
    count[(by_first ? from[i].a : from[i].b) + 1]++;
  for (int i = 0; i < n; i++)
    count[i + 1] += count[i];
  for (int i = 0; i < n_pairs; i++)
    to[count[by_first ? from[i].a : from[i].b]++] = from[i];
}

SsStatus
ss_broadphase_update (SsBroadphase *broadphase, const SsBox *boxes, const SsBroadphasePair **pairs, int *n_pairs,
                      SsError *err)
{
  SS_ASSERT (broadphase != NULL && pairs != NULL && n_pairs != NULL);

  int n = broadphase->n;
  SS_ASSERT (boxes != NULL && pairs != NULL && n_pairs != NULL);
  fill_entries (broadphase, boxes, spread (boxes, n, true) > spread (boxes, n, false));
  if (!insertion_sort (broadphase->entries, n))
    merge_sort (broadphase->entries, broadphase->scratch, n);
  for (int i = 0; i < n; i++)
    broadphase->order[i] = broadphase->entries[i].item;
  if (!sweep (broadphase) || ss_array_reserve ((void **)&broadphase->sorted, &broadphase->sorted_capacity,
                                               broadphase->n_pairs + 1, sizeof *broadphase->sorted) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for %d pairs of a broad phase", broadphase->n_pairs);
  count_sort (broadphase->pairs, broadphase->sorted, broadphase->n_pairs, broadphase->count, n, false);
  count_sort (broadphase->sorted, broadphase->pairs, broadphase->n_pairs, broadphase->count, n, true);
  *pairs = broadphase->pairs;
  *n_pairs = broadphase->n_pairs;
  return SS_OK;
}
