/* app/bench/ssapp-bench-fresh.c: instances of suite crisp that nobody has tuned for, drawn from a seed; and the best
 * objectives known, a table that grows. See ssapp-bench.h. */
#include "app/bench/ssapp-bench.h"

#include "core/ss-random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench-crisp-best.h"

/* ---- fresh instances --------------------------------------------------------------------------------------------- */

/* A parameter drawn evenly from an interval. Ranges span the listed instances; those of a problem are drawn in this
 * order. */
typedef struct {
  const char *name;
  double low, high;
} Range;

enum { MAX_RANGES = 6 };

static const Range ranges[SSAPP_BENCH_PROBLEMS][MAX_RANGES] = {
    /* cartpole: beside one of the walls or between them, hanging or half swung */
    {{"x0", -0.7, 0.7}, {"th0", 2.2, 4.05}, {"xd0", -0.5, 0.5}, {"thd0", -1.5, 2.8}},
    /* push box: polar target, turned by anything; ice to rubber */
    {{"radius", 1.5, 3.5}, {"direction", 0, 2 * G_PI}, {"tht", -G_PI, G_PI}, {"mu", 0.1, 0.8}},
    /* transport: payload relative to the cart, common speeds */
    {{"x10", 2.5, 3.5}, {"speed", -4, 2}, {"x1t", -0.5, 0.5}, {"final-speed", -2, 0}},
    /* push T: within one to seven widths of the bar */
    {{"radius", 0.05, 0.35}, {"direction", 0, 2 * G_PI}, {"th0", -G_PI, G_PI}, {"tht", -G_PI, G_PI}},
    {{"py0", 1.2, 1.8}, {"pxt", 1, 3}},
    {{"x10", -6, -4}, {"speed", 1, 3}},
};

static void
set (SsappBenchInstance *self, const char *name, double value)
{
  g_assert (self->n_set < SSAPP_BENCH_MAX_SET);
  self->set[self->n_set++] = (SsOverride){name, value};
}

/* What was drawn as parameters of the scenario file. */
static void
set_drawn (SsappBenchInstance *self, const Range *range, double value)
{
  static const char *const both[][3] = {{"transport", "v10", "v20"}, {"waiter", "v1t", "v2t"}};

  if (strcmp (range->name, "final-speed") == 0) {
    set (self, "v1t", value);
    set (self, "v2t", value);
  } else if (strcmp (range->name, "speed") == 0) {
    for (guint i = 0; i < G_N_ELEMENTS (both); i++)
      for (int k = 1; k < 3 && strcmp (self->problem, both[i][0]) == 0; k++)
        set (self, both[i][k], value);
  } else if (strcmp (range->name, "radius") == 0) { /* polar until the direction is known */
    set (self, "xt", value);
    set (self, "yt", value);
  } else if (strcmp (range->name, "direction") == 0) {
    for (int i = 0; i < self->n_set; i++)
      if (strcmp (self->set[i].name, "xt") == 0 || strcmp (self->set[i].name, "yt") == 0)
        self->set[i].value *= self->set[i].name[0] == 'x' ? cos (value) : sin (value);
  } else {
    set (self, range->name, value);
  }
}

SsappBenchInstance *
ssapp_bench_fresh (int problem, guint64 seed, int number)
{
  static const int n_points[SSAPP_BENCH_PROBLEMS] = {100, 100, 200, 50, 200, 100};
  SsappBenchInstance *self = g_new0 (SsappBenchInstance, 1);
  SsRandom random;

  self->problem = ssapp_bench_problems[problem];
  self->n_points = n_points[problem];
  self->group = g_strdup_printf ("%s, fresh", self->problem);
  self->condition = g_strdup_printf ("s%" G_GUINT64_FORMAT "-%02d", seed, number);
  self->best = NAN;
  set (self, "N", self->n_points);
  /* A stream of its own for each instance: more of them, or of other problems, leave it as it is. */
  ss_random_seed (&random, seed);
  ss_random_seed (&random, ss_random_next (&random) ^ ((guint64)problem << 32 | (guint64)number));
  for (int i = 0; i < MAX_RANGES && ranges[problem][i].name != NULL; i++)
    set_drawn (self, &ranges[problem][i], ss_random_between (&random, ranges[problem][i].low, ranges[problem][i].high));
  return self;
}

/* ---- best known objectives --------------------------------------------------------------------------------------- */

/* A line of the table: problem,n_points,instance,objective,method. */
typedef struct {
  char *key; /* the first three, as in the table; owned */
  double objective;
  char *method; /* owned */
} Best;

static void
best_free (gpointer data)
{
  Best *best = data;

  g_free (best->key);
  g_free (best->method);
  g_free (best);
}

static char *
key_of (const SsappBenchInstance *instance)
{
  return g_strdup_printf ("%s,%d,%s", instance->problem, instance->n_points, instance->condition);
}

/* Of all lines after the head, by key. */
static GHashTable *
read_best (void)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, best_free);
  char **lines = g_strsplit (bench_crisp_best, "\n", -1);

  for (int i = 1; lines[0] != NULL && lines[i] != NULL; i++) {
    char **fields = g_strsplit (lines[i], ",", 5);
    double objective;
    if (g_strv_length (fields) == 5 && ss_parse_double (fields[3], &objective)) {
      Best *best = g_new0 (Best, 1);
      best->key = g_strdup_printf ("%s,%s,%s", fields[0], fields[1], fields[2]);
      best->objective = objective;
      best->method = g_strdup (fields[4]);
      g_hash_table_replace (table, best->key, best);
    }
    g_strfreev (fields);
  }
  g_strfreev (lines);
  return table;
}

void
ssapp_bench_know_best (GPtrArray *instances)
{
  GHashTable *table = read_best ();

  for (guint i = 0; i < instances->len; i++) {
    SsappBenchInstance *instance = g_ptr_array_index (instances, i);
    g_autofree char *key = key_of (instance);
    const Best *best = g_hash_table_lookup (table, key);
    instance->best = best != NULL ? best->objective : NAN;
  }
  g_hash_table_unref (table);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (((const Best *)a)->key, ((const Best *)b)->key);
}

char *
ssapp_bench_best_csv (GPtrArray *runs)
{
  g_return_val_if_fail (runs != NULL, NULL);

  GHashTable *table = read_best ();
  GString *out = g_string_new ("problem,n_points,instance,objective,method\n");

  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    if (!run->is_done || run->outcome != SS_OUTCOME_SOLVED)
      continue;
    const double objective = ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE);
    g_autofree char *key = key_of (run->instance);
    const Best *old = g_hash_table_lookup (table, key);
    if (old != NULL && !(objective < old->objective))
      continue;
    Best *best = g_new0 (Best, 1);
    best->key = g_steal_pointer (&key);
    best->objective = objective;
    best->method = g_strdup (run->method->label);
    g_hash_table_replace (table, best->key, best);
  }
  GList *all = g_list_sort (g_hash_table_get_values (table), compare_keys);
  for (GList *item = all; item != NULL; item = item->next) {
    const Best *best = item->data;
    char number[40];
    ss_format_double (best->objective, number, sizeof number);
    g_string_append_printf (out, "%s,%s,%s\n", best->key, number, best->method);
  }
  g_list_free (all);
  g_hash_table_unref (table);
  return g_string_free (out, FALSE);
}
