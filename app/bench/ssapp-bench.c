/* app/bench/ssapp-bench.c: reference data, instances, methods and statistics of the benchmark suites; see
 * ssapp-bench.h. */
#include "app/bench/ssapp-bench.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-method-list.h"
#include "app/base/ssapp-provenance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench-cartpole.h"
#include "bench-crisp-paper.h"
#include "bench-crisp-reference.h"
#include "bench-hopper.h"
#include "bench-push-box.h"
#include "bench-push-t.h"
#include "bench-transport.h"
#include "bench-waiter.h"

const char *const ssapp_bench_problems[SSAPP_BENCH_PROBLEMS + 1] = {"cartpole", "push-box", "transport", "push-t",
                                                                    "hopper",   "waiter",   NULL};

const char *
ssapp_bench_scenario_text (const char *problem)
{
  static const char *const texts[SSAPP_BENCH_PROBLEMS] = {bench_cartpole, bench_push_box, bench_transport,
                                                          bench_push_t,   bench_hopper,   bench_waiter};

  for (int i = 0; i < SSAPP_BENCH_PROBLEMS; i++)
    if (strcmp (ssapp_bench_problems[i], problem) == 0)
      return texts[i];
  return NULL;
}

/* ---- statistics -------------------------------------------------------------------------------------------------- */

static int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double *
sorted_copy (const double *values, int n)
{
  double *copy = g_new (double, (gsize)n + 1);

  memcpy (copy, values, sizeof (double) * (gsize)n);
  qsort (copy, (size_t)n, sizeof (double), compare_doubles);
  return copy;
}

double
ssapp_median (const double *values, int n)
{
  if (n == 0)
    return NAN;
  double *sorted = sorted_copy (values, n);
  const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  g_free (sorted);
  return median;
}

double
ssapp_percentile (const double *values, int n, double percent)
{
  if (n == 0)
    return NAN;
  double *sorted = sorted_copy (values, n);
  const int rank = CLAMP ((int)ceil (percent / 100 * n), 1, n);
  const double value = sorted[rank - 1];
  g_free (sorted);
  return value;
}

double
ssapp_mean (const double *values, int n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += values[i];
  return n > 0 ? sum / n : NAN;
}

double
ssapp_geometric_mean (const double *values, int n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += log (values[i]);
  return n > 0 ? exp (sum / n) : NAN;
}

json_t *
ssapp_bench_machine (void)
{
  SsappProvenance p;

  ssapp_provenance_init (&p);
  json_t *machine = json_pack ("{s:s?, s:i, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?}", "cpu", p.cpu, "cores", p.cpu_count,
                               "os", p.os, "compiler", p.compiler, "build_flags", p.build_flags, "version", p.version,
                               "git_commit", p.git_commit, "libraries", p.libraries_json);
  ssapp_provenance_clear (&p);
  return machine;
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static void
method_free (gpointer data)
{
  SsappBenchMethod *method = data;

  g_free (method->label);
  g_ptr_array_unref (method->names);
  g_ptr_array_unref (method->values);
  g_free (method);
}

static char *
describe_error (const SsError *error)
{
  return g_strdup_printf ("%s%s%s%s", error->message, error->expected[0] != '\0' ? " (expected " : "", error->expected,
                          error->expected[0] != '\0' ? ")" : "");
}

/* The table that has the option: the method's own, or that of the transcriptions of plans. */
static const SsOptionTable *
table_of (const SsMethod *method, const char *name)
{
  const SsOptionTable *common = ss_transcription_option_table ();

  return method->kind == SS_METHOD_OPTIMISER && ss_options_find (common, name) >= 0 ? common : method->options;
}

/* Checks the value against the table that has it and keeps the pair. */
static gboolean
add_option (SsappBenchMethod *self, const char *name, const char *value, char **message)
{
  const SsOptionTable *table = table_of (self->method, name);
  void *scratch = g_malloc0 (MAX (table->size, 1));
  SsError error;
  gboolean ok = TRUE;

  ss_options_init (table, scratch);
  if (ss_options_set (table, scratch, name, value, &error) != SS_OK) {
    char *text = describe_error (&error);
    *message = g_strdup_printf ("%s: %s", self->method->name, text);
    g_free (text);
    ok = FALSE;
  } else {
    g_ptr_array_add (self->names, g_strdup (name));
    g_ptr_array_add (self->values, g_strdup (value));
  }
  g_free (scratch);
  return ok;
}

static SsappBenchMethod *
read_method (SsMethodKind kind, const SsappMethodAsked *asked, char **message)
{
  SsappBenchMethod *self = NULL;
  SsError error;
  const SsMethod *method = ss_method_find (kind, asked->name, &error);

  if (method == NULL) {
    *message = describe_error (&error);
  } else if (!method->is_built) {
    *message = g_strdup_printf ("'%s' is %s", method->name, method->why_not);
  } else {
    self = g_new0 (SsappBenchMethod, 1);
    self->method = method;
    self->label = g_strdup (asked->text);
    self->names = g_ptr_array_new_with_free_func (g_free);
    self->values = g_ptr_array_new_with_free_func (g_free);
  }
  for (guint i = 0; self != NULL && i < asked->names->len; i++)
    if (!add_option (self, g_ptr_array_index (asked->names, i), g_ptr_array_index (asked->values, i), message))
      g_clear_pointer (&self, method_free);
  if (self != NULL && asked->wrong != NULL) {
    *message = g_strdup_printf ("'%s' in '%s' is not OPTION=VALUE", asked->wrong, asked->text);
    g_clear_pointer (&self, method_free);
  }
  return self;
}

GPtrArray *
ssapp_bench_methods_parse (SsMethodKind kind, const char *list, char **message)
{
  g_return_val_if_fail (list != NULL, NULL);

  GPtrArray *methods = g_ptr_array_new_with_free_func (method_free);
  g_autoptr (GPtrArray) items = ssapp_method_list_read (list);

  for (guint i = 0; methods != NULL && i < items->len; i++) {
    SsappBenchMethod *method = read_method (kind, ssapp_method_list_at (items, i), message);
    if (method != NULL)
      g_ptr_array_add (methods, method);
    else
      g_clear_pointer (&methods, g_ptr_array_unref);
  }
  if (methods != NULL && methods->len == 0) {
    *message = g_strdup ("no method named");
    g_clear_pointer (&methods, g_ptr_array_unref);
  }
  return methods;
}

static gboolean
has_option (const SsMethod *method, const char *name)
{
  return ss_options_knows (table_of (method, name), name);
}

gboolean
ssapp_bench_methods_set (GPtrArray *methods, const char *name, const char *value, char **message)
{
  g_return_val_if_fail (methods != NULL && name != NULL && message != NULL, FALSE);

  gboolean taken = FALSE;

  for (guint i = 0; i < methods->len; i++) {
    SsappBenchMethod *self = g_ptr_array_index (methods, i);
    const gsize length = strlen (self->method->name);
    const char *own = name;
    if (strncmp (name, self->method->name, length) == 0 && name[length] == '.')
      own = name + length + 1;
    else if (!has_option (self->method, name))
      continue;
    if (!add_option (self, own, value, message))
      return FALSE;
    taken = TRUE;
  }
  if (!taken)
    *message = g_strdup_printf ("none of these methods has an option '%s'", name);
  return taken;
}

/* The method's own settings, of those in the table. */
static SsStatus
set_own (const SsappBenchMethod *self, const SsOptionTable *table, void *options, SsError *error)
{
  SsStatus status = SS_OK;

  for (guint i = 0; i < self->names->len && status == SS_OK; i++) {
    const char *name = g_ptr_array_index (self->names, i);
    if (table_of (self->method, name) == table)
      status = ss_options_set (table, options, name, g_ptr_array_index (self->values, i), error);
  }
  return status;
}

/* Those of the scenario that are of this table. */
static SsStatus
set_defaults (const SsappBenchMethod *self, const SsScenario *scenario, const SsOptionTable *table, void *options,
              SsError *error)
{
  SsStatus status = SS_OK;

  for (int i = 0; i < scenario->n_method_defaults && status == SS_OK; i++) {
    const SsMethodDefault *d = &scenario->method_defaults[i];
    if (ss_method_takes_default (self->method, scenario, d) && table_of (self->method, d->name) == table)
      status = ss_options_set (table, options, d->name, d->value, error);
  }
  return status;
}

void *
ssapp_bench_method_options (const SsappBenchMethod *self, const SsScenario *scenario, SsError *error)
{
  g_return_val_if_fail (self != NULL, NULL);
  const SsOptionTable *table = self->method->options;
  void *options = g_malloc0 (MAX (table->size, 1));

  ss_method_init_options (self->method, scenario, options);
  SsStatus status = set_defaults (self, scenario, table, options, error);
  if (status == SS_OK)
    status = set_own (self, table, options, error);
  if (status != SS_OK)
    g_clear_pointer (&options, g_free);
  return options;
}

static void *
transcription_options (const SsappBenchMethod *self, const SsScenario *scenario, SsError *error)
{
  const SsOptionTable *table = ss_transcription_option_table ();
  void *options = g_malloc0 (MAX (table->size, 1));

  ss_options_init (table, options);
  if (set_defaults (self, scenario, table, options, error) != SS_OK || set_own (self, table, options, error) != SS_OK)
    g_clear_pointer (&options, g_free);
  return options;
}

gboolean
ssapp_bench_job_init (SsappBenchJob *self, const SsappBenchMethod *method, const SsScenario *scenario, SsError *error)
{
  g_return_val_if_fail (self != NULL && method != NULL, FALSE);
  const gboolean is_plan = method->method->kind == SS_METHOD_OPTIMISER && scenario->model == NULL;

  *self = (SsappBenchJob){.options = ssapp_bench_method_options (method, scenario, error)};
  self->job = ss_job (method->method, scenario, self->options);
  if (self->options == NULL || !is_plan)
    return self->options != NULL;
  self->transcription = transcription_options (method, scenario, error);
  if (self->transcription == NULL)
    return FALSE;
  self->job.solve.transcription = ss_transcription_choose (self->transcription);
  ss_method_suit (method->method, self->job.solve.transcription.class_, self->options);
  return TRUE;
}

void
ssapp_bench_job_clear (SsappBenchJob *self)
{
  g_clear_pointer (&self->options, g_free);
  g_clear_pointer (&self->transcription, g_free);
}

/* ---- reference --------------------------------------------------------------------------------------------------- */

/* Field of a line of CSV without quotes, by its column's name. */
typedef struct {
  char **names, **fields;
} Line;

static const char *
field (const Line *line, const char *name)
{
  for (int i = 0; line->names[i] != NULL && line->fields[i] != NULL; i++)
    if (strcmp (line->names[i], name) == 0)
      return line->fields[i];
  return "";
}

static double
number (const Line *line, const char *name)
{
  double value;

  return ss_parse_double (field (line, name), &value) ? value : NAN;
}

/* Up to n numbers between blanks; the rest is NaN. */
static void
read_numbers (const char *text, double *values, int n)
{
  char **words = g_strsplit (text, " ", n);

  for (int i = 0; i < n; i++)
    values[i] = NAN;
  for (int i = 0; i < n && words[i] != NULL; i++)
    if (!ss_parse_double (words[i], &values[i]))
      values[i] = NAN;
  g_strfreev (words);
}

/* Calls `take` for every line after the head. */
static void
read_lines (const char *text, void (*take) (const Line *line, GPtrArray *array), GPtrArray *array)
{
  char **lines = g_strsplit (text, "\n", -1);
  Line line = {g_strsplit (lines[0], ",", -1), NULL};

  for (int i = 1; lines[i] != NULL; i++) {
    if (lines[i][0] == '\0')
      continue;
    line.fields = g_strsplit (lines[i], ",", -1);
    take (&line, array);
    g_strfreev (line.fields);
  }
  g_strfreev (line.names);
  g_strfreev (lines);
}

static void
reference_free (gpointer data)
{
  SsappBenchReference *r = data;

  g_free (r->solver);
  g_free (r->problem);
  g_free (r->condition);
  g_free (r->config);
  g_free (r->status);
  g_free (r);
}

static void
take_reference (const Line *line, GPtrArray *array)
{
  SsappBenchReference *r = g_new0 (SsappBenchReference, 1);

  r->solver = g_strdup (field (line, "solver"));
  r->problem = g_strdup (field (line, "problem"));
  r->condition = g_strdup (field (line, "condition"));
  r->config = g_strdup (field (line, "config"));
  r->status = g_strdup (field (line, "status"));
  r->n_points = (int)number (line, "n_points");
  read_numbers (field (line, "initial_state"), r->initial_state, G_N_ELEMENTS (r->initial_state));
  read_numbers (field (line, "target"), r->target, G_N_ELEMENTS (r->target));
  r->success = number (line, "success") == 1;
  r->objective = number (line, "objective");
  r->tracking_error = number (line, "tracking_error");
  r->violation = number (line, "violation");
  r->iterations = number (line, "iterations");
  r->qp_solves = number (line, "qp_solves");
  r->cpu_seconds = number (line, "cpu_s");
  g_ptr_array_add (array, r);
}

GPtrArray *
ssapp_bench_reference (void)
{
  GPtrArray *array = g_ptr_array_new_with_free_func (reference_free);

  read_lines (bench_crisp_reference, take_reference, array);
  return array;
}

static void
paper_free (gpointer data)
{
  SsappBenchPaper *p = data;

  g_free (p->solver);
  g_free (p->problem);
  g_free (p);
}

static void
take_paper (const Line *line, GPtrArray *array)
{
  SsappBenchPaper *p = g_new0 (SsappBenchPaper, 1);

  p->solver = g_strdup (field (line, "solver"));
  p->problem = g_strdup (field (line, "problem"));
  p->success_percent = number (line, "success_percent");
  p->tracking_error = number (line, "tracking_error");
  p->violation = number (line, "violation");
  p->iterations = number (line, "iterations");
  p->time_seconds = number (line, "time_s");
  p->objective = number (line, "objective");
  g_ptr_array_add (array, p);
}

GPtrArray *
ssapp_bench_paper (void)
{
  GPtrArray *array = g_ptr_array_new_with_free_func (paper_free);

  read_lines (bench_crisp_paper, take_paper, array);
  return array;
}

const SsappBenchPaper *
ssapp_bench_paper_find (GPtrArray *paper, const char *solver, const char *problem)
{
  for (guint i = 0; i < paper->len; i++) {
    const SsappBenchPaper *p = g_ptr_array_index (paper, i);
    if (strcmp (p->solver, solver) == 0 && strcmp (p->problem, problem) == 0)
      return p;
  }
  return NULL;
}
