/* app/study/ssapp-run-set.c: a run set as such: what it holds, its problems, its labels. Where it comes from:
 * ssapp-run-set-rows.c, ssapp-run-set-study.c. */
#include "app/study/ssapp-run-set-private.h"

#include <math.h>
#include <string.h>

#include "app/base/ssapp-metric.h"
#include "app/draw/ssapp-plot.h"
#include "app/study/ssapp-statistics.h"

/* ---- parts ------------------------------------------------------------------------------------------------------- */

void
ssapp_run_axis_free (SsappRunAxis *axis)
{
  if (axis == NULL)
    return;
  for (guint i = 0; i < axis->n_values; i++)
    g_free (axis->texts[i]);
  g_free (axis->texts);
  g_free (axis->values);
  g_free (axis->name);
  g_free (axis->title);
  g_free (axis);
}

static void
method_free (gpointer data)
{
  SsappRunMethod *method = data;

  g_free (method->label);
  g_free (method->ignores);
  g_free (method);
}

static void
item_clear (gpointer data)
{
  g_free (((SsappRunItem *)data)->places);
}

SsappRunSet *
ssapp_run_set_new_empty (void)
{
  SsappRunSet *self = g_new0 (SsappRunSet, 1);

  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  self->axes = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_axis_free);
  self->methods = g_ptr_array_new_with_free_func (method_free);
  self->items = g_array_new (FALSE, TRUE, sizeof (SsappRunItem));
  g_array_set_clear_func (self->items, item_clear);
  return self;
}

void
ssapp_run_set_free (SsappRunSet *self)
{
  if (self == NULL)
    return;
  for (guint p = 0; p < self->n_problems; p++)
    g_free (self->problems[p]);
  g_free (self->problems);
  g_free (self->first_of);
  g_free (self->items_of);
  g_array_unref (self->items);
  g_ptr_array_unref (self->methods);
  g_ptr_array_unref (self->axes);
  g_ptr_array_unref (self->rows);
  g_free (self->lack);
  g_free (self);
}

SsappRunAxis *
ssapp_run_set_add_axis (SsappRunSet *self, const char *name, const char *title, gboolean is_number, guint n_values)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappRunAxis *axis = g_new0 (SsappRunAxis, 1);

  axis->name = g_strdup (name);
  axis->title = g_strdup (title);
  axis->is_number = is_number;
  axis->n_values = n_values;
  axis->values = g_new (double, MAX (n_values, 1));
  axis->texts = g_new0 (char *, n_values + 1);
  g_ptr_array_add (self->axes, axis);
  return axis;
}

void
ssapp_run_set_add_method (SsappRunSet *self, SsMethodId id, const char *label)
{
  g_return_if_fail (self != NULL);
  SsappRunMethod *method = g_new0 (SsappRunMethod, 1);

  method->id = id;
  method->label = g_strdup (label);
  method->ignores = g_strdup ("");
  method->look = -1;
  g_ptr_array_add (self->methods, method);
}

SsappRunItem *
ssapp_run_set_add_item (SsappRunSet *self, const SsappRunRow *row)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappRunItem item = {.row = row,
                       .state = row != NULL ? ssapp_run_state_of_row (row) : SSAPP_RUN_QUEUED,
                       .places = g_new0 (guint, MAX (self->axes->len, 1))};

  g_array_append_val (self->items, item);
  return &g_array_index (self->items, SsappRunItem, self->items->len - 1);
}

SsappRunState
ssapp_run_state_of_row (const SsappRunRow *row)
{
  SsOutcome outcome;

  if (strcmp (row->outcome, "running") == 0)
    return SSAPP_RUN_RUNNING;
  if (!ss_outcome_from_name (row->outcome, &outcome))
    return SSAPP_RUN_UNSOLVED;
  return ss_outcome_is_success (outcome)      ? SSAPP_RUN_SOLVED
         : outcome == SS_OUTCOME_MACHINE_SLOW ? SSAPP_RUN_SLOW
                                              : SSAPP_RUN_UNSOLVED;
}

const char *
ssapp_run_axis_symbol (const char *name)
{
  static const struct {
    const char *name, *symbol;
  } letters[] = {{"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"},  {"delta", "δ"}, {"epsilon", "ε"},
                 {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},    {"rho", "ρ"},
                 {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},    {"psi", "ψ"},   {"omega", "ω"}};

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (strcmp (letters[i].name, name) == 0)
      return letters[i].symbol;
  return name;
}

void
ssapp_run_axis_write_texts (SsappRunAxis *axis)
{
  g_return_if_fail (axis != NULL);
  for (int digits = 3; digits <= 17; digits++) {
    gboolean differ = TRUE;
    for (guint i = 0; i < axis->n_values; i++)
      if (!isnan (axis->values[i])) {
        g_free (axis->texts[i]);
        axis->texts[i] = ssapp_format_number (axis->values[i], digits);
        differ = differ && (i == 0 || strcmp (axis->texts[i], axis->texts[i - 1]) != 0);
      }
    if (differ)
      break;
  }
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* What tells the item's problem from others, for people; "" where nothing does. */
static char *
words_of_places (const SsappRunSet *self, const guint *places)
{
  GString *words = g_string_new ("");

  for (guint a = 0; a < self->axes->len; a++) {
    const SsappRunAxis *axis = g_ptr_array_index (self->axes, a);
    if (words->len > 0)
      g_string_append (words, ", ");
    g_string_append_printf (words, "%s %s", ssapp_run_axis_symbol (axis->name), axis->texts[places[a]]);
  }
  return g_string_free (words, FALSE);
}

static guint
places_hash (gconstpointer key)
{
  return g_bytes_hash (key);
}

static void
find_problems (SsappRunSet *self)
{
  g_autoptr (GHashTable) known =
      g_hash_table_new_full (places_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; i < self->items->len; i++) {
    SsappRunItem *item = &g_array_index (self->items, SsappRunItem, i);
    GBytes *key = g_bytes_new (item->places, self->axes->len * sizeof (guint));
    gpointer found;
    if (g_hash_table_lookup_extended (known, key, NULL, &found)) {
      item->problem = GPOINTER_TO_UINT (found);
      g_bytes_unref (key);
      continue;
    }
    item->problem = words->len;
    g_ptr_array_add (words, words_of_places (self, item->places));
    g_hash_table_insert (known, key, GUINT_TO_POINTER (item->problem));
  }
  self->n_problems = words->len;
  self->problems = g_new0 (char *, words->len + 1);
  for (guint p = 0; p < words->len; p++)
    self->problems[p] = g_ptr_array_index (words, p);
}

static void
sort_items (SsappRunSet *self)
{
  g_autofree guint *at = g_new0 (guint, self->n_problems + 1);

  self->first_of = g_new0 (guint, self->n_problems + 1);
  self->items_of = g_new0 (guint, MAX (self->items->len, 1));
  for (guint i = 0; i < self->items->len; i++)
    self->first_of[g_array_index (self->items, SsappRunItem, i).problem + 1]++;
  for (guint p = 0; p < self->n_problems; p++)
    at[p + 1] = self->first_of[p + 1] += self->first_of[p];
  for (guint i = 0; i < self->items->len; i++)
    self->items_of[at[g_array_index (self->items, SsappRunItem, i).problem]++] = i;
}

/* How many colours there are: see ssapp_style_look. */
enum { N_COLORS = 4 };

/* The number of the look that the registry gives a method; -1: it does not know it, or gives it none with a plain mark,
 * as to methods of the user's own. */
static int
own_look (const SsappRunMethod *method)
{
  const SsMethod *known = ss_method_lookup (method->id);

  return known != NULL && known->look < SSAPP_PLAIN_LOOKS ? known->look : -1;
}

/* A look that is free, of a colour that is worn least: with a plain mark as long as there are some. */
static int
free_look (const gboolean *taken, int n)
{
  int worn[N_COLORS] = {0}, best = -1, least = G_MAXINT;

  for (int i = 0; i < n; i++)
    worn[i % N_COLORS] += taken[i];
  for (int i = 0; i < n && (best < 0 || i % SSAPP_PLAIN_LOOKS != 0); i++)
    if (!taken[i] && worn[i % N_COLORS] < least) {
      least = worn[i % N_COLORS];
      best = i;
    }
  return best;
}

/* The first of a method keeps its look; others with other options, and methods without a plain one, get one that no
 * method of the set has. */
static void
choose_looks (SsappRunSet *self)
{
  int n = SSAPP_PLAIN_LOOKS + (int)self->methods->len; /* more looks than methods: one is always free */

  for (int i = 0; i < ss_method_count (); i++)
    n = MAX (n, ss_method_at (i)->look + 1);
  g_autofree gboolean *taken = g_new0 (gboolean, n);

  for (guint m = 0; m < self->methods->len; m++) {
    const int own = own_look (g_ptr_array_index (self->methods, m));
    if (own >= 0)
      taken[own] = TRUE;
  }
  for (guint m = 0; m < self->methods->len; m++) {
    SsappRunMethod *method = g_ptr_array_index (self->methods, m);
    guint before = 0;
    for (guint k = 0; k < m; k++)
      before += ss_method_id_is_equal (((SsappRunMethod *)g_ptr_array_index (self->methods, k))->id, method->id);
    if (before > 0 || own_look (method) < 0) {
      method->look = free_look (taken, n);
      taken[method->look] = TRUE;
    }
  }
}

/* Labels that meet get a number. */
static void
tell_methods_apart (SsappRunSet *self)
{
  for (guint m = 0; m < self->methods->len; m++) {
    SsappRunMethod *method = g_ptr_array_index (self->methods, m);
    guint before = 0;
    for (guint k = 0; k < m; k++)
      before += strcmp (((SsappRunMethod *)g_ptr_array_index (self->methods, k))->label, method->label) == 0;
    if (before == 0)
      continue;
    char *label = g_strdup_printf ("%s (%u)", method->label, before + 1);
    g_free (method->label);
    method->label = label;
  }
}

void
ssapp_run_set_finish (SsappRunSet *self)
{
  find_problems (self);
  sort_items (self);
  tell_methods_apart (self);
  choose_looks (self);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

double
ssapp_run_set_get (const SsappRunSet *self, guint item, SsMetric metric)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  const SsappRunItem *it = &g_array_index (self->items, SsappRunItem, item);

  return it->row != NULL ? ssapp_run_row_get_metric (it->row, metric) : (double)NAN;
}

double
ssapp_run_set_best (const SsappRunSet *self, guint problem, SsMetric metric, const gboolean *hidden)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  double best = NAN;

  for (guint k = self->first_of[problem]; k < self->first_of[problem + 1]; k++) {
    const SsappRunItem *item = &g_array_index (self->items, SsappRunItem, self->items_of[k]);
    const double value = ssapp_run_set_get (self, self->items_of[k], metric);
    if (item->state == SSAPP_RUN_SOLVED && (hidden == NULL || !hidden[item->method]) && isfinite (value) &&
        ssapp_metric_is_better (metric, value, best))
      best = value;
  }
  return best;
}

GArray *
ssapp_run_set_list_outcomes (const SsappRunSet *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GArray *metrics = g_array_new (FALSE, FALSE, sizeof (SsMetric));

  for (guint i = 0; i < self->items->len; i++) {
    const SsappRunRow *row = g_array_index (self->items, SsappRunItem, i).row;
    if (row != NULL)
      ssapp_run_row_list_outcomes (row, metrics);
  }
  return metrics;
}

SsMetric
ssapp_run_set_find_metric (const SsappRunSet *self, const char *name)
{
  g_autoptr (GArray) outcomes = ssapp_run_set_list_outcomes (self);
  const SsMetric metric = ss_metric_find (name);

  for (guint i = 0; metric == SS_METRIC_COUNT && i < outcomes->len; i++)
    if (strcmp (ssapp_metric_spec (g_array_index (outcomes, SsMetric, i))->name, name) == 0)
      return g_array_index (outcomes, SsMetric, i);
  return metric;
}

int
ssapp_run_set_find_axis (const SsappRunSet *self, const char *name)
{
  g_return_val_if_fail (self != NULL, 0);
  for (guint a = 0; a < self->axes->len; a++)
    if (strcmp (((const SsappRunAxis *)g_ptr_array_index (self->axes, a))->name, name) == 0)
      return (int)a;
  return -1;
}

/* A run that waited for a processor for more of its time than that was on a busy machine. */
static const double BUSY_SHARE = 0.1;

/* What the machine did to the runs; NULL: nothing that is to be told. */
static char *
machine_note (const SsappRunSet *self, const gboolean *hidden, gboolean tells_times, guint line)
{
  guint n_slow = 0, n_busy = 0, n_known = 0;
  double most = 0;

  for (guint i = 0; i < self->items->len; i++) {
    const SsappRunItem *item = &g_array_index (self->items, SsappRunItem, i);
    if (hidden != NULL && hidden[item->method])
      continue;
    const double waited = ssapp_run_set_get (self, i, SS_METRIC_WAITED_SECONDS),
                 cpu = ssapp_run_set_get (self, i, SS_METRIC_CPU_SECONDS),
                 load = ssapp_run_set_get (self, i, SS_METRIC_MACHINE_LOAD);
    n_slow += item->state == SSAPP_RUN_SLOW;
    n_known += isfinite (waited);
    n_busy += waited > BUSY_SHARE * (waited + cpu); /* FALSE for NaN */
    most = isfinite (load) ? MAX (most, load) : most;
  }
  if (n_slow > 0 && line-- == 0)
    return g_strdup_printf ("The machine was too slow for the time limit of %u run%s, which count%s for no method.",
                            n_slow, n_slow == 1 ? "" : "s", n_slow == 1 ? "s" : "");
  if (tells_times && n_busy > 0 && line == 0)
    return g_strdup_printf (
        "The machine was busy (load up to %.1f): %u of %u runs waited for a processor for more than "
        "%.0f %% of their time, which CPU time does not count.",
        most, n_busy, n_known, 100 * BUSY_SHARE);
  return NULL;
}

char *
ssapp_run_set_note (const SsappRunSet *self, const gboolean *hidden, gboolean tells_times, guint line)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (self->lack != NULL && line-- == 0)
    return g_strdup (self->lack);
  for (guint m = 0; m < self->methods->len; m++) {
    const SsappRunMethod *method = g_ptr_array_index (self->methods, m);

    if ((hidden == NULL || !hidden[m]) && *method->ignores != '\0' && line-- == 0)
      return g_strdup_printf ("%s %s.", method->label, method->ignores);
  }
  return machine_note (self, hidden, tells_times, line);
}

/* Nothing but integrators. */
static gboolean
is_of_simulations (const SsappRunSet *self)
{
  for (guint m = 0; m < self->methods->len; m++)
    if (((const SsappRunMethod *)g_ptr_array_index (self->methods, m))->id.kind != SS_METHOD_INTEGRATOR)
      return FALSE;
  return self->methods->len > 0;
}

const char *
ssapp_run_set_done (const SsappRunSet *self)
{
  g_return_val_if_fail (self != NULL, "solved");
  return is_of_simulations (self) ? "completed" : "solved";
}

const char *
ssapp_run_set_done_title (const SsappRunSet *self)
{
  g_return_val_if_fail (self != NULL, "Solved");
  return is_of_simulations (self) ? "Completed" : "Solved";
}

char *
ssapp_run_set_get_words (const SsappRunSet *self, guint item)
{
  g_return_val_if_fail (self != NULL, NULL);
  const SsappRunItem *it = &g_array_index (self->items, SsappRunItem, item);
  const char *method = ((const SsappRunMethod *)g_ptr_array_index (self->methods, it->method))->label;
  const char *problem = self->problems[it->problem];

  return *problem != '\0' ? g_strconcat (method, ", ", problem, NULL) : g_strdup (method);
}

/* How many items have each name; of guint in pointers, names borrowed. */
static GHashTable *
count_names (char *const *names, guint n)
{
  GHashTable *counts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    g_hash_table_insert (counts, names[i],
                         GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, names[i])) + 1));
  return counts;
}

/* What its user, or who kept it, says of a run, as a part of a name: its first line, not long. NULL: nothing. */
static char *
note_of (const SsappRunItem *item)
{
  enum { NOTE_MOST = 40 }; /* characters */
  const char *note = item->row != NULL && item->row->note != NULL ? item->row->note : "";
  g_autofree char *line = g_strndup (note, strcspn (note, "\r\n"));

  return *line != '\0' ? g_utf8_substring (line, 0, MIN (NOTE_MOST, g_utf8_strlen (line, -1))) : NULL;
}

/* Of names that several items share, those whose items have a note get it. */
static void
add_notes (const SsappRunSet *self, char **names)
{
  g_auto (GStrv) before = g_strdupv (names);
  g_autoptr (GHashTable) same = count_names (before, self->items->len);

  for (guint i = 0; i < self->items->len; i++) {
    g_autofree char *note = note_of (&g_array_index (self->items, SsappRunItem, i));
    if (note == NULL || GPOINTER_TO_UINT (g_hash_table_lookup (same, before[i])) < 2)
      continue;
    g_free (names[i]);
    names[i] = g_strdup_printf ("%s, %s", before[i], note);
  }
}

void
ssapp_run_set_tell_apart (const SsappRunSet *self, char **names)
{
  g_return_if_fail (self != NULL && names != NULL);
  const guint n = self->items->len;
  g_auto (GStrv) words = g_new0 (char *, n + 1);
  g_autoptr (GHashTable) shared = count_names (names, n);

  for (guint i = 0; i < n; i++)
    words[i] = GPOINTER_TO_UINT (g_hash_table_lookup (shared, names[i])) > 1 ? ssapp_run_set_get_words (self, i)
                                                                             : g_strdup (names[i]);
  add_notes (self, words);
  g_autoptr (GHashTable) same = count_names (words, n), before = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++) {
    const guint number = GPOINTER_TO_UINT (g_hash_table_lookup (before, words[i])) + 1;
    g_hash_table_insert (before, words[i], GUINT_TO_POINTER (number));
    g_free (names[i]);
    names[i] = GPOINTER_TO_UINT (g_hash_table_lookup (same, words[i])) > 1
                   ? g_strdup_printf ("%s (%u)", words[i], number)
                   : g_strdup (words[i]);
  }
}

/* ---- several runs ------------------------------------------------------------------------------------------------ */

gboolean
ssapp_run_set_is_truth (const SsappRunSet *self, SsMetric metric)
{
  g_return_val_if_fail (self != NULL, FALSE);
  gboolean is_told = FALSE;

  if (!ssapp_metric_is_outcome (metric) || *ssapp_metric_spec (metric)->unit != '\0')
    return FALSE;
  for (guint i = 0; i < self->items->len; i++) {
    const double value = ssapp_run_set_get (self, i, metric);
    if (!isnan (value) && value != 0 && value != 1)
      return FALSE;
    is_told = is_told || !isnan (value);
  }
  return is_told;
}

double
ssapp_run_set_middle (const SsappRunSet *self, SsMetric metric, const double *values, guint n)
{
  g_return_val_if_fail (values != NULL || n == 0, NAN);
  double sum = 0;
  guint n_told = 0;

  if (!ssapp_run_set_is_truth (self, metric))
    return ssapp_median_of (values, n);
  for (guint i = 0; i < n; i++)
    if (!isnan (values[i])) {
      sum += values[i];
      n_told++;
    }
  return n_told > 0 ? sum / n_told : (double)NAN;
}
