/* tests/numeric/ss-test-rows.h: the rows of a transcribed plan at numbers that mean nothing, each to be explained by an
 * equation that is written out by hand. A sign, a factor or an index that is wrong shows in the row itself. */
#pragma once

#include "judge/ss-metrics.h"
#include "transcribe/ss-transcriptions.h"
#include "ss-test-scenario.h"

#include <stdarg.h>

/* Rounding of sums and products of some tens of numbers of about 1, relative to the largest term, below 1e3. */
static const double ss_test_rows_rounding = 1e-11;

enum { SS_TEST_ROWS_MAX = 4096 };

/* A row, or a product of a and b, of a point as the judge of models sees it. */
typedef struct {
  const char *path;
  int k, occurrence; /* of rows of this path at this point */
  double a, b;
  bool is_explained;
} SsTestRow;

typedef struct {
  SsScenario *scene, *plan;
  double *x;
  SsTestRow *row;
  int n;
  SsMetrics metrics;
} SsTestRows;

static inline void
ss_test_rows_keep (void *data, const SsModelBlock *block, const SsModelRow *row, const char *part, int k, double amount,
                   double a, double b)
{
  SsTestRows *rows = data;
  int occurrence = 0;

  (void)block, (void)amount;
  if (row->kind == SS_ROWS_COMPLEMENTARY && strcmp (part, " (product)") != 0)
    return;
  for (int i = 0; i < rows->n; i++)
    occurrence += rows->row[i].k == k && strcmp (rows->row[i].path, row->path) == 0;
  SS_CHECK (rows->n < SS_TEST_ROWS_MAX);
  if (rows->n < SS_TEST_ROWS_MAX)
    rows->row[rows->n++] = (SsTestRow){row->path, k, occurrence, a, b, false};
}

/* The plan of a scene with these options, at numbers between .5 and 1.5. False: it cannot be made (checked). */
static inline bool
ss_test_rows_open (SsTestRows *rows, const char *scene_text, const char *const settings[][2], size_t n_settings)
{
  const SsOptionTable *table = ss_transcription_option_table ();
  void *values = calloc (1, table->size);
  SsError err = {0};

  *rows = (SsTestRows){.scene = ss_test_read_text (scene_text)};
  ss_options_init (table, values);
  for (size_t i = 0; i < n_settings; i++)
    SS_CHECK (ss_options_set (table, values, settings[i][0], settings[i][1], &err) == SS_OK);
  const SsTranscribeOptions choice = ss_transcription_choose (values);
  const bool is_well = rows->scene != NULL && ss_transcribe (rows->scene, &choice, &rows->plan, &err) == SS_OK;
  if (is_well) {
    const size_t n = (size_t)rows->plan->model->n_points * (size_t)rows->plan->model->n_variables;

    rows->x = calloc (n, sizeof *rows->x);
    rows->row = calloc (SS_TEST_ROWS_MAX, sizeof *rows->row);
    for (size_t i = 0; i < n; i++)
      rows->x[i] = 1 + 0.5 * sin (1.7 * (double)i);
    SS_CHECK (ss_metrics_compute_and_visit (rows->plan, rows->x, ss_test_rows_keep, rows, &rows->metrics, &err) ==
              SS_OK);
  } else
    printf ("%s\n", err.message);
  SS_CHECK (is_well);
  free (values);
  return is_well;
}

static inline void
ss_test_rows_close (SsTestRows *rows)
{
  free (rows->x);
  free (rows->row);
  ss_scenario_free (rows->plan);
  ss_scenario_free (rows->scene);
}

static inline double
ss_test_rows_variable (const SsTestRows *rows, int k, const char *name)
{
  const SsModel *model = rows->plan->model;

  for (int i = 0; i < model->n_variables; i++)
    if (strcmp (model->variables[i], name) == 0)
      return rows->x[k * model->n_variables + i];
  printf ("no variable '%s'\n", name);
  SS_CHECK (false);
  return NAN;
}

/* A row counts as explained from then on. NULL: there is none (checked). */
static inline const SsTestRow *
ss_test_rows_find (const SsTestRows *rows, int k, int occurrence, const char *path)
{
  for (int i = 0; i < rows->n; i++)
    if (rows->row[i].k == k && rows->row[i].occurrence == occurrence && strcmp (rows->row[i].path, path) == 0) {
      rows->row[i].is_explained = true;
      return &rows->row[i];
    }
  printf ("no row '%s' number %d at point %d\n", path, occurrence, k);
  SS_CHECK (false);
  return NULL;
}

/* The row `path` of that occurrence at point k is `due`. */
static inline void __attribute__ ((format (printf, 5, 6)))
ss_test_rows_expect (const SsTestRows *rows, int k, int occurrence, double due, const char *format, ...)
{
  const double tolerance = ss_test_rows_rounding * (1 + fabs (due));
  char path[96];
  va_list list;

  va_start (list, format);
  vsnprintf (path, sizeof path, format, list);
  va_end (list);
  const SsTestRow *row = ss_test_rows_find (rows, k, occurrence, path);
  if (row != NULL && !(fabs (row->a - due) <= tolerance))
    printf ("'%s' number %d at point %d:\n", path, occurrence, k);
  if (row != NULL)
    SS_CHECK_NEAR (row->a, due, tolerance);
}

/* So is the pair. */
static inline void __attribute__ ((format (printf, 6, 7)))
ss_test_rows_expect_pair (const SsTestRows *rows, int k, int occurrence, double a, double b, const char *format, ...)
{
  const double tolerance = ss_test_rows_rounding;
  char path[96];
  va_list list;

  va_start (list, format);
  vsnprintf (path, sizeof path, format, list);
  va_end (list);
  const SsTestRow *row = ss_test_rows_find (rows, k, occurrence, path);
  if (row != NULL && !(fabs (row->a - a) <= tolerance && fabs (row->b - b) <= tolerance))
    printf ("'%s' number %d at point %d:\n", path, occurrence, k);
  if (row != NULL) {
    SS_CHECK_NEAR (row->a, a, tolerance);
    SS_CHECK_NEAR (row->b, b, tolerance);
  }
}

/* Every row is explained, but for those that begin with one of these (ended by NULL): they give the last point, which
 * has no element, its numbers. */
static inline void
ss_test_rows_all_explained (const SsTestRows *rows, const char *const *but)
{
  for (int i = 0; i < rows->n; i++) {
    bool is_left = !rows->row[i].is_explained;

    for (int b = 0; but[b] != NULL; b++)
      is_left = is_left && strncmp (rows->row[i].path, but[b], strlen (but[b])) != 0;
    if (is_left)
      printf ("no equation for '%s' number %d at point %d\n", rows->row[i].path, rows->row[i].occurrence,
              rows->row[i].k);
    SS_CHECK (!is_left);
  }
}

/* With rows r_j that are the equations x_j = x_0 + h sum_k a_jk f_k solved for f_j, A r are these equations themselves.
 * `weights` are those of a stage, `way` its x_j - x_0. */
static inline void
ss_test_rows_expect_stage (double h, const double *weights, int n, const double *row, const double *slope, double way)
{
  double due = way, ours = 0;

  for (int k = 0; k < n; k++) {
    due -= h * weights[k] * slope[k];
    ours += weights[k] * row[k];
  }
  SS_CHECK_NEAR (ours, due, ss_test_rows_rounding * (1 + fabs (due)));
}
