/* app/impact/ssapp-impact-study.c: see the header. */
#include "app/impact/ssapp-impact-study.h"

#include "app/draw/ssapp-impact-mode.h"
#include "app/draw/ssapp-plane.h"

#include <math.h>
#include <string.h>

struct SsappImpactStudy {
  GThread *thread;
  GMutex mutex;
  SsRunControl control;
  GArray *rows; /* of double, n_done x n_columns */
  int n_columns, n_done, n_cases;
  gboolean has_ended;
  char *message;
  /* What a kind of study does: `begin` once, then `run` for each case, on the thread; FALSE: with err filled. */
  gboolean (*begin) (gpointer data, int *n_cases, SsError *err);
  gboolean (*run) (gpointer data, int number, SsRunControl *control, double *row, SsError *err);
  void (*clear) (gpointer data);
  gpointer data;
};

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static void
publish (SsappImpactStudy *self, const double *row)
{
  g_mutex_lock (&self->mutex);
  g_array_append_vals (self->rows, row, (guint)self->n_columns);
  self->n_done++;
  g_mutex_unlock (&self->mutex);
}

static gpointer
run_thread (gpointer data)
{
  SsappImpactStudy *self = data;
  g_autofree double *row = g_new0 (double, (gsize)self->n_columns);
  SsError err = {0};
  SsOutcome why;
  int n_cases = 0;
  gboolean done = self->begin (self->data, &n_cases, &err);

  g_mutex_lock (&self->mutex);
  self->n_cases = n_cases;
  g_mutex_unlock (&self->mutex);
  for (int k = 0; k < n_cases && done && !ss_run_control_should_stop (&self->control, &why); k++) {
    done = self->run (self->data, k, &self->control, row, &err);
    if (done && !ss_run_control_should_stop (&self->control, &why)) /* one that was cut short is not told */
      publish (self, row);
  }
  g_mutex_lock (&self->mutex);
  if (!done)
    self->message = g_strdup (err.message);
  self->has_ended = TRUE;
  g_mutex_unlock (&self->mutex);
  return NULL;
}

static void
start (SsappImpactStudy *self)
{
  g_mutex_init (&self->mutex);
  ss_run_control_init (&self->control);
  self->rows = g_array_new (FALSE, FALSE, sizeof (double));
  self->thread = g_thread_new ("impact-study", run_thread, self);
}

void
ssapp_impact_study_take (SsappImpactStudy *self, GArray *rows, SsappImpactStudyState *state)
{
  g_mutex_lock (&self->mutex);
  if (self->rows->len > rows->len)
    g_array_append_vals (rows, &g_array_index (self->rows, double, rows->len), self->rows->len - rows->len);
  *state = (SsappImpactStudyState){!self->has_ended, self->n_done, self->n_cases};
  g_mutex_unlock (&self->mutex);
}

const char *
ssapp_impact_study_get_message (SsappImpactStudy *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_mutex_lock (&self->mutex);
  const char *message = self->has_ended ? self->message : NULL; /* set once, before it has ended */
  g_mutex_unlock (&self->mutex);
  return message;
}

void
ssapp_impact_study_cancel (SsappImpactStudy *self)
{
  g_return_if_fail (self != NULL);
  ss_run_control_cancel (&self->control);
}

void
ssapp_impact_study_wait (SsappImpactStudy *self)
{
  g_return_if_fail (self != NULL);
  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
}

void
ssapp_impact_study_free (SsappImpactStudy *self)
{
  if (self == NULL)
    return;
  ssapp_impact_study_cancel (self);
  ssapp_impact_study_wait (self);
  self->clear (self->data);
  g_array_unref (self->rows);
  g_mutex_clear (&self->mutex);
  g_free (self->message);
  g_free (self);
}

/* ---- contacts that give way -------------------------------------------------------------------------------------- */

typedef struct {
  SsappImpactSource *source;
  double mu, angle;
  SsCompliantSweep sweep;
  SsCompliantOptions options;
  SsScenario *scenario; /* read once more: the source's is drawn meanwhile */
  SsScene scene;        /* its scene with another friction */
  SsContact *contacts;  /* of that scene; NULL before it is made */
  SsCompliant *study;
  int place[2]; /* of A and B in the configuration */
} Compliant;

static void
compliant_clear (gpointer data)
{
  Compliant *self = data;

  ss_compliant_free (self->study);
  ss_scenario_free (self->scenario);
  ssapp_impact_source_unref (self->source);
  g_free (self->contacts);
  g_free (self);
}

/* Positions and velocities as the page has them: the approach turned. */
static gboolean
compliant_state (const Compliant *self, double *q, double *v, SsError *err)
{
  g_autoptr (GError) error = NULL;
  SsImpact *impact = ssapp_impact_source_make (self->source, NAN, self->angle, &error);

  if (impact == NULL || !ssapp_impact_source_read_state (self->source, q, v)) {
    ss_impact_free (impact);
    return ss_error_set (err, SS_ERR_INVALID, "%s", error != NULL ? error->message : "there is no state") == SS_OK;
  }
  for (int k = 0; k < impact->n && impact->coordinates != NULL; k++)
    v[impact->coordinates[k]] = impact->v[k];
  ss_impact_free (impact);
  return TRUE;
}

/* Where the study's contacts are in the configuration: by name. */
static gboolean
compliant_find (Compliant *self, SsError *err)
{
  const SsImpact *impact = ssapp_impact_source_get_impact (self->source);

  for (int k = 0; k < 2; k++) {
    const char *name = ss_compliant_contact (self->study, k);
    self->place[k] = -1;
    for (int c = 0; c < impact->m; c++)
      if (strcmp (impact->contacts[c], name) == 0)
        self->place[k] = c;
    if (self->place[k] < 0)
      return ss_error_set (err, SS_ERR_INVALID, "the contact '%.80s' is none of the configuration", name) == SS_OK;
  }
  return TRUE;
}

static gboolean
compliant_begin (gpointer data, int *n_cases, SsError *err)
{
  Compliant *self = data;
  const char *text = ssapp_impact_source_get_scenario_text (self->source);
  SsProblems problems;

  if (text == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "Contacts that give way need a drawn scene; this is a file of numbers") ==
           SS_OK;
  ss_problems_init (&problems);
  const SsStatus status = ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &self->scenario);
  ss_problems_clear (&problems);
  if (status != SS_OK) /* it has been read before */
    return ss_error_set (err, status, "There is no memory to read the scene again") == SS_OK;
  const gsize n = 3 * (gsize)self->scenario->scene->n_bodies;
  g_autofree double *q = g_new0 (double, n + 1), *v = g_new0 (double, n + 1);
  self->scene = *self->scenario->scene;
  self->contacts = g_memdup2 (self->scene.contacts, sizeof *self->contacts * (gsize)self->scene.n_contacts);
  for (int c = 0; c < self->scene.n_contacts && !isnan (self->mu); c++)
    self->contacts[c].mu = self->mu;
  self->scene.contacts = self->contacts;
  if (!compliant_state (self, q, v, err) ||
      ss_compliant_new (&self->scene, q, v, NULL, NULL, &self->options, &self->study, err) != SS_OK)
    return FALSE;
  *n_cases = ss_compliant_n_cases (self->study);
  return compliant_find (self, err);
}

static gboolean
compliant_run (gpointer data, int number, SsRunControl *control, double *row, SsError *err)
{
  const Compliant *self = data;
  const int m = ssapp_impact_source_get_impact (self->source)->m, n = ss_compliant_n_cases (self->study);
  const double most = self->sweep == SS_COMPLIANT_RATIO ? self->options.decades : self->options.angle;
  const double x = n > 1 ? most * (2 * number - (n - 1)) / (n - 1) : 0.;
  const SsCompliantCase what = self->sweep == SS_COMPLIANT_RATIO ? ss_compliant_ratio_case (self->study, x)
                                                                 : ss_compliant_angle_case (self->study, x);
  SsCompliantResult result;

  if (ss_compliant_run (self->study, &what, control, &result, NULL, err) != SS_OK)
    return FALSE;
  row[0] = x;
  for (int c = 0; c < 2 * m; c++)
    row[1 + c] = NAN;
  for (int k = 0; k < 2 && result.outcome == SS_OUTCOME_COMPLETED; k++) {
    row[1 + self->place[k]] = result.vn[k];
    row[1 + m + self->place[k]] = result.vt[k];
  }
  return TRUE;
}

SsappImpactStudy *
ssapp_impact_study_new_compliant (SsappImpactSource *source, double mu, double angle, SsCompliantSweep sweep)
{
  SsappImpactStudy *self = g_new0 (SsappImpactStudy, 1);
  Compliant *data = g_new0 (Compliant, 1);

  *data = (Compliant){.source = ssapp_impact_source_ref (source), .mu = mu, .angle = angle, .sweep = sweep};
  ss_options_init (&ss_compliant_option_table, &data->options);
  self->n_columns = 1 + 2 * ssapp_impact_source_get_impact (source)->m;
  self->begin = compliant_begin;
  self->run = compliant_run;
  self->clear = compliant_clear;
  self->data = data;
  start (self);
  return self;
}

/* ---- the step h -------------------------------------------------------------------------------------------------- */

enum { STEP_SAMPLES = 4096, OCCUPIED_SIDE = 24 };
/* Of the options' h. */
static const double step_factors[] = {4., 2., 1., 0.5, 0.25, 0.125};

typedef struct {
  SsImpact *impact;
  SsImpactSetOptions options;
  int columns[SSAPP_IMPACT_STUDY_PLANES][2];
  guint32 codes[SSAPP_IMPACT_STUDY_MODES];
  int n_codes;
} Steps;

static void
steps_clear (gpointer data)
{
  ss_impact_free (((Steps *)data)->impact);
  g_free (data);
}

static gboolean
steps_begin (gpointer data, int *n_cases, SsError *err)
{
  (void)data;
  (void)err;
  *n_cases = (int)G_N_ELEMENTS (step_factors);
  return TRUE;
}

/* Hull and cells of one plane. */
static void
measure_plane (const float *x, const float *y, int n, double *area, double *occupied)
{
  g_autofree guint16 *modes = g_new0 (guint16, (gsize)n + 1);
  SsappPlane *plane = ssapp_plane_new ();

  ssapp_plane_add (plane, x, y, modes, NULL, n);
  *area = ssapp_plane_hull_area (plane);
  *occupied = ssapp_plane_occupied (plane, OCCUPIED_SIDE);
  ssapp_plane_free (plane);
}

static void
measure_set (const Steps *self, const SsImpactSet *set, double *row)
{
  const int m = self->impact->m, n = set->n_samples;
  g_autofree float *speeds = g_new (float, 2 * (gsize)m * (gsize)n + 1);
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  memset (&row[SSAPP_IMPACT_STEPS_SHARE], 0, sizeof (double) * SSAPP_IMPACT_STUDY_MODES);
  for (int k = 0; k < n; k++) {
    const gboolean is_finished = set->state[k] == SS_IMPACT_FINISHED;
    ss_impact_speeds (self->impact, set->v + (gsize)k * (gsize)set->n, u);
    for (int c = 0; c < 2 * m; c++)
      speeds[c * n + k] = is_finished ? (float)u[c] : NAN;
    const guint32 code = ssapp_joint_mode_of (u, u + m, m, 1);
    for (int c = 0; c < self->n_codes && is_finished; c++)
      row[SSAPP_IMPACT_STEPS_SHARE + c] += code == self->codes[c] ? 1. / n : 0.;
  }
  row[SSAPP_IMPACT_STEPS_UNFINISHED] = (double)(set->n_unfinished + set->n_dropped) / MAX (n, 1);
  for (int p = 0; p < SSAPP_IMPACT_STUDY_PLANES; p++)
    measure_plane (speeds + self->columns[p][0] * n, speeds + self->columns[p][1] * n, n,
                   &row[SSAPP_IMPACT_STEPS_AREA + p], &row[SSAPP_IMPACT_STEPS_OCCUPIED + p]);
}

static gboolean
steps_run (gpointer data, int number, SsRunControl *control, double *row, SsError *err)
{
  const Steps *self = data;
  SsImpactSetOptions options = self->options;
  SsImpactSet *set = NULL;

  options.h *= step_factors[number];
  options.max_steps =
      (int)MIN (ceil (self->options.max_steps / MIN (step_factors[number], 1.)), (double)SS_IMPACT_STEPS_MAX);
  options.first = 0;
  options.n_samples = MIN (STEP_SAMPLES, self->options.n_samples);
  options.n_threads = 1;
  if (ss_impact_set_new (self->impact, &options, control, &set, err) != SS_OK)
    return FALSE;
  row[SSAPP_IMPACT_STEPS_H] = options.h;
  measure_set (self, set, row);
  ss_impact_set_free (set);
  return TRUE;
}

SsappImpactStudy *
ssapp_impact_study_new_steps (SsImpact *impact, const SsImpactSetOptions *options,
                              int columns[SSAPP_IMPACT_STUDY_PLANES][2], const guint32 *codes, int n_codes)
{
  SsappImpactStudy *self = g_new0 (SsappImpactStudy, 1);
  Steps *data = g_new0 (Steps, 1);

  *data = (Steps){.impact = impact, .options = *options, .n_codes = MIN (n_codes, SSAPP_IMPACT_STUDY_MODES)};
  memcpy (data->columns, columns, sizeof data->columns);
  for (int k = 0; k < data->n_codes; k++)
    data->codes[k] = codes[k];
  self->n_columns = SSAPP_IMPACT_STEPS_COLUMNS;
  self->begin = steps_begin;
  self->run = steps_run;
  self->clear = steps_clear;
  self->data = data;
  start (self);
  return self;
}
