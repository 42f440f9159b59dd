/* app/bench/ssapp-bench-instances.c: the instances of suite crisp: how the reference's initial states, targets and
 * guesses become parameters of the scenario files, and the members of its families that it leaves out (reference notes,
 * section 10). */
#include "app/bench/ssapp-bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_TARGETS = 18 }; /* of push box and push T, evenly on a circle */

static const double NOISE = 0.1; /* amplitude of the noisy guesses of the cartpole */

static void
instance_free (gpointer data)
{
  SsappBenchInstance *self = data;

  g_free (self->group);
  g_free (self->condition);
  g_free (self);
}

static void
set (SsappBenchInstance *self, const char *name, double value)
{
  g_assert (self->n_set < SSAPP_BENCH_MAX_SET);
  self->set[self->n_set++] = (SsOverride){name, value};
}

static void
set_all (SsappBenchInstance *self, const char *const *names, const double *values)
{
  for (int i = 0; names[i] != NULL; i++)
    set (self, names[i], values[i]);
}

/* ---- from the reference to parameters ---------------------------------------------------------------------------- */

/* The number after the last occurrence of `letter`: 12 of "r03_k12". */
static int
index_after (const char *condition, char letter)
{
  const char *place = strrchr (condition, letter);

  return place != NULL ? atoi (place + 1) : 0;
}

static void
set_cartpole (SsappBenchInstance *self, const double *x0, const double *target)
{
  static const char *const initial[] = {"x0", "th0", "xd0", "thd0", NULL};
  static const char *const final[] = {"xt", "tht", "xdt", "thdt", NULL};

  set_all (self, initial, x0);
  set_all (self, final, target);
  if (strstr (self->condition, "_noise") != NULL) {
    set (self, "noise", NOISE);
    set (self, "seed", index_after (self->condition, 'e'));
  }
}

static void
set_push_box (SsappBenchInstance *self, const double *x0, const double *target)
{
  (void)x0;
  (void)target;
  set (self, "j", index_after (self->condition, 'k'));
}

static void
set_transport (SsappBenchInstance *self, const double *x0, const double *target)
{
  static const char *const initial[] = {"x10", "x20", "v10", "v20", NULL};
  static const char *const final[] = {"x1t", "x2t", "v1t", "v2t", NULL};

  set_all (self, initial, x0);
  set_all (self, final, target);
}

/* States are px, py, cos th, sin th; the shipped instance is the file's default. */
static void
set_push_t (SsappBenchInstance *self, const double *x0, const double *target)
{
  if (strcmp (self->condition, "example") == 0)
    return;
  set (self, "px0", x0[0]);
  set (self, "py0", x0[1]);
  set (self, "th0", atan2 (x0[3], x0[2]));
  set (self, "xt", target[0]);
  set (self, "yt", target[1]);
  set (self, "tht", index_after (self->condition, 'k') * 2 * G_PI / N_TARGETS);
}

static void
set_hopper (SsappBenchInstance *self, const double *x0, const double *target)
{
  static const char *const initial[] = {"px0", "py0", NULL};
  static const char *const final[] = {"pxt", "pyt", NULL};

  set_all (self, initial, x0);
  set_all (self, final, target);
}

static void
set_waiter (SsappBenchInstance *self, const double *x0, const double *target)
{
  static const char *const initial[] = {"x10", "x20", NULL};
  static const char *const final[] = {"x1t", "x2t", "v1t", "v2t", NULL};

  set_all (self, initial, x0);
  set_all (self, final, target);
}

typedef void (*Setter) (SsappBenchInstance *self, const double *x0, const double *target);
static const Setter setters[SSAPP_BENCH_PROBLEMS] = {set_cartpole, set_push_box, set_transport,
                                                     set_push_t,   set_hopper,   set_waiter};

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* One table each; cartpole and push box come in two lengths, push T on two circles. */
static char *
group_of (const char *problem, int n_points, const char *condition)
{
  if (strcmp (problem, "cartpole") == 0 || strcmp (problem, "push-box") == 0)
    return g_strdup_printf ("%s, N = %d", problem, n_points);
  if (strcmp (problem, "push-t") == 0)
    return g_strdup (g_str_has_prefix (condition, "r3_") ? "push-t, 3 m" : "push-t, 0.3 m");
  return g_strdup (problem);
}

static SsappBenchInstance *
add_instance (GPtrArray *instances, int problem, int n_points, const char *condition, const double *x0,
              const double *target)
{
  const char *name = ssapp_bench_problems[problem];

  for (guint i = 0; i < instances->len; i++) {
    SsappBenchInstance *old = g_ptr_array_index (instances, i);
    if (old->problem == name && old->n_points == n_points && strcmp (old->condition, condition) == 0)
      return old;
  }
  SsappBenchInstance *self = g_new0 (SsappBenchInstance, 1);
  self->problem = name;
  self->n_points = n_points;
  self->condition = g_strdup (condition);
  self->group = group_of (name, n_points, condition);
  self->best = NAN;
  set (self, "N", n_points);
  setters[problem](self, x0, target);
  g_ptr_array_add (instances, self);
  return self;
}

/* ---- the reference's own instances ------------------------------------------------------------------------------- */

/* How well a configuration of the authors' program stands for it: the shipped settings; for push T the tight ones,
 * because the shipped instance alone was run with the loose tolerance; then those of Table I. */
static int
rank_of_config (const SsappBenchReference *r)
{
  static const char *const order[] = {"tableI", "example_tight", "example"};
  const gboolean is_push_t = strcmp (r->problem, "push-t") == 0;

  if (is_push_t && strcmp (r->config, "example") == 0)
    return 1;
  for (int i = 0; i < (int)G_N_ELEMENTS (order); i++)
    if (strcmp (r->config, order[i]) == 0)
      return 2 * (i + 1);
  return 0;
}

static void
attach (SsappBenchInstance *self, const SsappBenchReference *r)
{
  if (strcmp (r->solver, ss_nlp_ipopt.name) == 0) {
    self->ipopt = r;
  } else if (self->crisp == NULL || rank_of_config (r) > rank_of_config (self->crisp)) {
    self->crisp_alt = self->crisp != NULL ? self->crisp : self->crisp_alt;
    self->crisp = r;
  } else if (self->crisp_alt == NULL) {
    self->crisp_alt = r;
  }
}

static void
add_listed (GPtrArray *instances, GPtrArray *reference)
{
  for (guint i = 0; i < reference->len; i++) {
    const SsappBenchReference *r = g_ptr_array_index (reference, i);
    for (int p = 0; p < SSAPP_BENCH_PROBLEMS; p++)
      if (strcmp (r->problem, ssapp_bench_problems[p]) == 0)
        attach (add_instance (instances, p, r->n_points, r->condition, r->initial_state, r->target), r);
  }
}

/* ---- what the families leave out --------------------------------------------------------------------------------- */

enum { CARTPOLE, PUSH_BOX, TRANSPORT, PUSH_T, HOPPER, WAITER };

static void
add_circles (GPtrArray *instances)
{
  static const double start[8] = {0, 0, 1, 0};
  static const struct {
    const char *name;
    double radius;
  } circles[] = {{"r3", 3}, {"r03", 0.3}};
  char condition[32];

  for (int j = 0; j < N_TARGETS; j++) {
    const double th = j * 2 * G_PI / N_TARGETS;
    g_snprintf (condition, sizeof condition, "k%02d", j);
    add_instance (instances, PUSH_BOX, 100, condition, start, start);
    add_instance (instances, PUSH_BOX, 200, condition, start, start);
    for (guint c = 0; c < G_N_ELEMENTS (circles); c++) {
      const double target[8] = {circles[c].radius * cos (th), circles[c].radius * sin (th), cos (th), sin (th)};
      g_snprintf (condition, sizeof condition, "%s_k%02d", circles[c].name, j);
      add_instance (instances, PUSH_T, 50, condition, start, target);
    }
  }
}

static void
add_transports (GPtrArray *instances)
{
  static const struct {
    const char *name;
    double first, last;
  } speeds[] = {{"v00", 0, 0}, {"v20", 2, 0}, {"vm4m2", -4, -2}};
  static const char letters[] = "LMR"; /* offset of the payload on the cart: -0.5, 0, 0.5 m */
  char condition[32];

  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (guint v = 0; v < G_N_ELEMENTS (speeds); v++) {
        g_snprintf (condition, sizeof condition, "%c%c_%s", letters[a], letters[b], speeds[v].name);
        const double x0[8] = {3 + 0.5 * (a - 1), 3, speeds[v].first, speeds[v].first};
        const double target[8] = {0.5 * (b - 1), 0, speeds[v].last, speeds[v].last};
        add_instance (instances, TRANSPORT, 200, condition, x0, target);
      }
}

static void
add_hoppers (GPtrArray *instances)
{
  static const double heights[] = {1.3, 1.5, 1.8}, distances[] = {1, 1.5, 2, 2.5, 3};
  char condition[32];

  for (guint h = 0; h < G_N_ELEMENTS (heights); h++)
    for (guint x = 0; x < G_N_ELEMENTS (distances); x++) {
      const double x0[8] = {0, heights[h]}, target[8] = {distances[x], 1};
      g_snprintf (condition, sizeof condition, "h%.1f_x%.1f", heights[h], distances[x]);
      add_instance (instances, HOPPER, 200, condition, x0, target);
    }
}

static void
add_waiters (GPtrArray *instances)
{
  char condition[32];

  for (int x = 4; x <= 6; x++)
    for (int v = 1; v <= 3; v++) {
      const double x0[8] = {-x, 0.1}, target[8] = {0.1, 0.1, v, v};
      if (x == 6 && v == 2) /* the shipped instance, listed as "example" */
        continue;
      g_snprintf (condition, sizeof condition, "x-%d_v%d", x, v);
      add_instance (instances, WAITER, 100, condition, x0, target);
    }
}

/* ---- selection --------------------------------------------------------------------------------------------------- */

static gboolean
is_wanted (const char *problem, char *const *problems)
{
  for (int i = 0; problems != NULL && problems[i] != NULL; i++)
    if (strcmp (problems[i], problem) == 0)
      return TRUE;
  return problems == NULL;
}

static int
problem_index (const SsappBenchInstance *self)
{
  for (int p = 0; p < SSAPP_BENCH_PROBLEMS; p++)
    if (ssapp_bench_problems[p] == self->problem)
      return p;
  return 0;
}

/* By problem, group, name. */
static int
compare_instances (gconstpointer a, gconstpointer b)
{
  const SsappBenchInstance *x = *(SsappBenchInstance *const *)a, *y = *(SsappBenchInstance *const *)b;
  const int order = problem_index (x) - problem_index (y), group = strcmp (x->group, y->group);

  return order != 0 ? order : group != 0 ? group : strcmp (x->condition, y->condition);
}

static gboolean
is_fresh (const SsappBenchInstance *self)
{
  return g_str_has_suffix (self->group, ", fresh");
}

/* Keeps the first and the middle one of each group, and what was drawn. */
static void
thin_out (GPtrArray *instances)
{
  for (guint first = 0, last; first < instances->len;) {
    const char *group = ((SsappBenchInstance *)g_ptr_array_index (instances, first))->group;
    for (last = first; last < instances->len; last++)
      if (strcmp (((SsappBenchInstance *)g_ptr_array_index (instances, last))->group, group) != 0)
        break;
    if (is_fresh (g_ptr_array_index (instances, first))) {
      first = last;
      continue;
    }
    const guint middle = first + (last - first) / 2;
    if (last - middle > 1)
      g_ptr_array_remove_range (instances, middle + 1, last - middle - 1);
    if (middle - first > 1)
      g_ptr_array_remove_range (instances, first + 1, middle - first - 1);
    first += middle > first ? 2 : 1;
  }
}

GPtrArray *
ssapp_bench_instances (GPtrArray *reference, char *const *problems, SsappBenchSelection selection, int n_fresh,
                       guint64 seed)
{
  GPtrArray *instances = g_ptr_array_new_with_free_func (instance_free);

  if (selection != SSAPP_BENCH_NONE)
    add_listed (instances, reference);
  if (selection == SSAPP_BENCH_ALL) {
    add_circles (instances);
    add_transports (instances);
    add_hoppers (instances);
    add_waiters (instances);
  }
  for (int p = 0; p < SSAPP_BENCH_PROBLEMS; p++)
    for (int number = 0; number < n_fresh; number++)
      g_ptr_array_add (instances, ssapp_bench_fresh (p, seed, number));
  for (guint i = instances->len; i-- > 0;)
    if (!is_wanted (((SsappBenchInstance *)g_ptr_array_index (instances, i))->problem, problems))
      g_ptr_array_remove_index (instances, i);
  g_ptr_array_sort (instances, compare_instances);
  if (selection == SSAPP_BENCH_QUICK)
    thin_out (instances);
  ssapp_bench_know_best (instances);
  return instances;
}
