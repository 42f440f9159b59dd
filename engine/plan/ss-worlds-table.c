/* engine/plan/ss-worlds-table.c: see the header. */
#include "plan/ss-worlds-table.h"

#include "core/ss-core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A world by one of its numbers. */
typedef struct {
  double number;
  int world;
} Place;

static int
find_column (const SsTrajectory *table, const char *kind, const char *what)
{
  char name[SS_CHANNEL_NAME_MAX];

  snprintf (name, sizeof name, "%s.%s", kind, what);
  return ss_trajectory_channel (table, name);
}

int
ss_worlds_table_kinds (const SsTrajectory *table, SsWorldsKind *kinds)
{
  int n = 0;

  for (int by = 0; by < SS_CONTROLLER_COUNT; by++) {
    const char *name = by == SS_CONTROLLER_NONE ? "open" : ss_controllers[by].name;
    SsWorldsKind kind = {.by = (SsControllerKind)by,
                         .held = find_column (table, name, "held"),
                         .miss = find_column (table, name, "miss"),
                         .angle = find_column (table, name, "angle"),
                         .n = table->n_rows};

    for (int w = 0; kind.held >= 0 && w < table->n_rows; w++)
      kind.n_held += ss_trajectory_row (table, w)[kind.held] > 0;
    if (kind.held >= 0)
      kinds[n++] = kind;
  }
  return n;
}

int
ss_worlds_table_n_numbers (const SsTrajectory *table)
{
  SS_ASSERT (table != NULL && table->n_rows >= 0);

  SsWorldsKind kinds[SS_CONTROLLER_COUNT];
  int first = table->n_channels;

  for (int k = ss_worlds_table_kinds (table, kinds) - 1; k >= 0; k--)
    first = kinds[k].held < first ? kinds[k].held : first;
  return first - 1;
}

static int
compare_places (const void *a, const void *b)
{
  const Place *one = a, *other = b;

  if (one->number != other->number)
    return one->number < other->number ? -1 : 1;
  return one->world - other->world;
}

SsStatus
ss_worlds_table_explains (const SsTrajectory *table, int number, double *part, SsError *err)
{
  const int n = table->n_rows, n_groups = n < SS_WORLDS_GROUPS ? n : SS_WORLDS_GROUPS;
  SsWorldsKind kinds[SS_CONTROLLER_COUNT];
  const int n_kinds = ss_worlds_table_kinds (table, kinds);
  Place *places = ss_new_array (Place, n + 1);
  double between = 0, whole = 0;

  SS_ASSERT (number >= 1 && number < table->n_channels && part != NULL);
  *part = 0;
  if (places == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int w = 0; w < n; w++)
    places[w] = (Place){ss_trajectory_row (table, w)[number], w};
  qsort (places, (size_t)n, sizeof *places, compare_places);
  for (int k = 0; k < n_kinds; k++) {
    const double share = (double)kinds[k].n_held / n;

    whole += n * share * (1 - share);
    for (int g = 0; g < n_groups; g++) {
      const int begin = g * n / n_groups, end = (g + 1) * n / n_groups;
      double held = 0;

      for (int i = begin; i < end; i++)
        held += ss_trajectory_row (table, places[i].world)[kinds[k].held] > 0;
      const double off = held / (end - begin) - share;
      between += (end - begin) * off * off;
    }
  }
  ss_free (places);
  *part = whole > 0 ? between / whole : 0;
  return SS_OK;
}

SsStatus
ss_worlds_table_axes (const SsTrajectory *table, int axes[2], SsError *err)
{
  double best[2] = {-1, -1};

  axes[0] = axes[1] = -1;
  for (int number = 1; number <= ss_worlds_table_n_numbers (table); number++) {
    double part;
    const SsStatus status = ss_worlds_table_explains (table, number, &part, err);

    if (status != SS_OK)
      return status;
    const int place = part > best[0] ? 0 : part > best[1] ? 1 : 2;
    if (place == 0) {
      best[1] = best[0];
      axes[1] = axes[0];
    }
    if (place < 2) {
      best[place] = part;
      axes[place] = number;
    }
  }
  return SS_OK;
}
