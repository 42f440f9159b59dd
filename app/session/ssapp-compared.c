/* app/session/ssapp-compared.c: see the header. */
#include "app/session/ssapp-compared.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/session/ssapp-asked-runs.h"
#include "app/store/ssapp-store-shrink.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define UNDO_MAX 200  /* steps */
#define SLICE_US 8000 /* of work in a turn of the main loop; a run is read as a whole */

/* Answers of each run, {name: answer, or null where it has none}, before and after. */
typedef struct {
  char *label;
  GPtrArray *ids, *before, *after;
} Step;

/* A scenario of the runs, and how many are of it. */
typedef struct {
  char *sha256;
  SsScenario *scenario; /* NULL: it cannot be read any more */
  guint n;
} Reading;

struct _SsappCompared {
  GObject parent_instance;
  SsappStore *store;   /* nullable */
  GPtrArray *rows;     /* of SsappRunRow */
  GArray *readings;    /* of Reading; NULL until they are asked for */
  GPtrArray *steps[2]; /* of Step: to take back, to do again */
  /* At work: */
  Step *step;
  SsappInterests *interests; /* are asked; NULL: answers are removed, or the step is known */
  char *dropped;             /* is removed; nullable */
  gboolean is_known, is_back;
  guint next, n_mute, source;
};

G_DEFINE_FINAL_TYPE (SsappCompared, ssapp_compared, G_TYPE_OBJECT)

enum { RUNS_CHANGED, CHANGED, ANSWERED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
step_free (gpointer data)
{
  Step *step = data;

  if (step == NULL)
    return;
  g_free (step->label);
  g_ptr_array_unref (step->ids);
  g_ptr_array_unref (step->before);
  g_ptr_array_unref (step->after);
  g_free (step);
}

static gboolean
refuse (GError **error, const char *words)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, words);
  return FALSE;
}

static const SsappRunRow *
row_at (SsappCompared *self, guint index)
{
  return g_ptr_array_index (self->rows, index);
}

/* ---- scenarios --------------------------------------------------------------------------------------------------- */

static void
reading_clear (gpointer data)
{
  Reading *reading = data;

  g_free (reading->sha256);
  ss_scenario_free (reading->scenario);
}

static GArray *
readings_of (SsappCompared *self)
{
  if (self->readings != NULL)
    return self->readings;
  self->readings = g_array_new (FALSE, TRUE, sizeof (Reading));
  g_array_set_clear_func (self->readings, reading_clear);
  for (guint i = 0; i < self->rows->len; i++) {
    const SsappRunRow *row = row_at (self, i);
    guint place = 0;
    while (place < self->readings->len &&
           strcmp (g_array_index (self->readings, Reading, place).sha256, row->scenario_sha256) != 0)
      place++;
    if (place == self->readings->len) {
      const Reading reading = {g_strdup (row->scenario_sha256), ssapp_interests_read_scenario (self->store, row->id),
                               0};
      g_array_append_val (self->readings, reading);
    }
    g_array_index (self->readings, Reading, place).n++;
  }
  return self->readings;
}

GPtrArray *
ssapp_compared_list_ideas (SsappCompared *self)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), NULL);
  const GArray *readings = readings_of (self);

  return ssapp_outcome_ideas (readings->len > 0 ? g_array_index (readings, Reading, 0).scenario : NULL);
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

static void
outcome_free (gpointer data)
{
  SsappComparedOutcome *outcome = data;

  g_free (outcome->name);
  g_free (outcome->unit);
  g_free (outcome->formula);
  g_free (outcome);
}

static gboolean
has_outcome (const SsappRunRow *row, const char *name)
{
  for (guint i = 0; i < row->n_outcomes; i++)
    if (strcmp (ssapp_metric_spec (row->outcomes[i].metric)->name, name) == 0)
      return TRUE;
  return FALSE;
}

char *
ssapp_compared_dup_formula (SsappCompared *self, const char *name)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), NULL);
  guint i = 0;

  while (i < self->rows->len && !has_outcome (row_at (self, i), name))
    i++;
  json_t *answers = i < self->rows->len ? ssapp_interests_answers_of (self->store, row_at (self, i)->id) : NULL;
  char *formula = g_strdup (ssapp_json_get_string (json_object_get (answers, name), "formula"));
  json_decref (answers);
  return formula;
}

GPtrArray *
ssapp_compared_list_outcomes (SsappCompared *self)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), NULL);
  GPtrArray *list = g_ptr_array_new_with_free_func (outcome_free);
  g_autoptr (GArray) metrics = g_array_new (FALSE, FALSE, sizeof (SsMetric));

  for (guint i = 0; i < self->rows->len; i++)
    ssapp_run_row_list_outcomes (row_at (self, i), metrics);
  for (guint m = 0; m < metrics->len; m++) {
    const SsMetric metric = g_array_index (metrics, SsMetric, m);
    const SsMetricSpec *spec = ssapp_metric_spec (metric);
    SsappComparedOutcome *outcome = g_new0 (SsappComparedOutcome, 1);
    char *formula = ssapp_compared_dup_formula (self, spec->name);
    *outcome = (SsappComparedOutcome){g_strdup (spec->name), g_strdup (spec->unit),
                                      formula != NULL ? formula : g_strdup (""), 0};
    for (guint i = 0; i < self->rows->len; i++)
      outcome->n += !isnan (ssapp_run_row_get_metric (row_at (self, i), metric));
    g_ptr_array_add (list, outcome);
  }
  return list;
}

/* Whether runs have one of that name, which is not the one in whose place it is asked. */
static gboolean
is_taken (SsappCompared *self, const char *own, const char *name)
{
  if (g_strcmp0 (own, name) == 0)
    return FALSE;
  for (guint i = 0; i < self->rows->len; i++)
    if (has_outcome (row_at (self, i), own))
      return TRUE;
  return FALSE;
}

static SsappInterests *
read_asked (SsappCompared *self, const char *name, const char *text, GError **error)
{
  if (self->rows->len == 0)
    return refuse (error, _ ("Choose runs to compare first")), NULL;
  if (self->step != NULL)
    return refuse (error, _ ("The runs are still answering")), NULL;
  if (*text == '=')
    return refuse (error, SSAPP_OUTCOME_WANTED), NULL;
  g_autoptr (SsappInterests) interests = ssapp_interests_new (&text, 1, error);
  if (interests == NULL)
    return NULL;
  if (is_taken (self, ssapp_interests_get_name (interests, 0), name))
    return refuse (error, _ ("There is an outcome of that name")), NULL;
  return g_steal_pointer (&interests);
}

char *
ssapp_compared_try (SsappCompared *self, const char *name, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), NULL);
  g_autoptr (SsappInterests) interests = read_asked (self, name, text, error);
  const GArray *readings = interests != NULL ? readings_of (self) : NULL;
  g_autofree char *unit = NULL;
  g_autoptr (GError) first = NULL;
  guint n = 0;

  for (guint i = 0; readings != NULL && i < readings->len; i++) {
    const Reading *reading = &g_array_index (readings, Reading, i);
    g_autofree char *own = reading->scenario != NULL ? ssapp_interests_dup_unit (interests, 0, reading->scenario,
                                                                                 first == NULL ? &first : NULL)
                                                     : NULL;
    n += own != NULL ? reading->n : 0;
    if (unit == NULL)
      unit = g_steal_pointer (&own);
  }
  if (unit != NULL)
    return ssapp_outcome_words (ssapp_interests_get_name (interests, 0), unit, n, self->rows->len);
  if (interests != NULL && first != NULL)
    g_propagate_error (error, g_steal_pointer (&first));
  else if (interests != NULL)
    refuse (error, _ ("The scenario of the runs cannot be read"));
  return NULL;
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

static void
tell_changed (SsappCompared *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
stop (SsappCompared *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->step, step_free);
  g_clear_pointer (&self->interests, ssapp_interests_free);
  g_clear_pointer (&self->dropped, g_free);
}

static void
note_before (json_t *before, const json_t *answers, const char *name)
{
  json_t *own = json_object_get (answers, name);

  json_object_set_new (before, name, own != NULL ? json_incref (own) : json_null ());
}

/* What the run at `next` says, for the step. */
static gboolean
ask_next (SsappCompared *self, GError **error)
{
  const char *id = g_ptr_array_index (self->step->ids, self->next), *name;
  gboolean is_mute = FALSE;
  json_t *after = self->interests != NULL ? ssapp_interests_answer (self->interests, self->store, id, &is_mute, error)
                                          : json_object (),
         *one;

  if (after == NULL)
    return FALSE;
  json_t *answers = ssapp_interests_answers_of (self->store, id), *before = json_object ();
  if (self->dropped != NULL)
    json_object_set_new (after, self->dropped, json_null ());
  json_object_foreach (after, name, one) note_before (before, answers, name);
  json_decref (answers);
  g_ptr_array_add (self->step->before, before);
  g_ptr_array_add (self->step->after, after);
  self->n_mute += is_mute;
  return TRUE;
}

static gboolean
do_next (SsappCompared *self, GError **error)
{
  if (!self->is_known && !ask_next (self, error))
    return FALSE;
  const GPtrArray *answers = self->is_back ? self->step->before : self->step->after;
  if (!ssapp_store_add_outcomes (self->store, g_ptr_array_index (self->step->ids, self->next),
                                 g_ptr_array_index (answers, self->next), error))
    return FALSE;
  self->next++;
  return TRUE;
}

static char *
account_of (SsappCompared *self)
{
  return self->interests == NULL
             ? g_strdup (self->step->label)
             : g_strdup_printf (_ ("%s: %u of %u runs answer"), ssapp_interests_get_name (self->interests, 0),
                                self->next - self->n_mute, self->next);
}

/* The step is one to take back now, or to do again. */
static void
end (SsappCompared *self, const char *message)
{
  g_autofree char *account = account_of (self);
  GPtrArray *steps = self->steps[self->is_back ? 1 : 0];

  g_ptr_array_set_size (self->step->ids, (int)self->next);
  if (self->next > 0)
    g_ptr_array_add (steps, g_steal_pointer (&self->step));
  if (steps->len > UNDO_MAX)
    g_ptr_array_remove_index (steps, 0);
  if (!self->is_known)
    g_ptr_array_set_size (self->steps[1], 0);
  self->source = 0;
  stop (self);
  tell_changed (self);
  g_signal_emit (self, signals[ANSWERED], 0, account);
  if (message != NULL)
    g_signal_emit (self, signals[FAILED], 0, message);
}

static gboolean
work (gpointer data)
{
  g_autoptr (SsappCompared) self = g_object_ref (data);
  const gint64 until = g_get_monotonic_time () + SLICE_US;
  g_autoptr (GError) error = NULL;

  while (self->next < self->step->ids->len && g_get_monotonic_time () < until)
    if (!do_next (self, &error)) {
      end (self, error != NULL ? error->message : _ ("A run is not in the project any more"));
      return G_SOURCE_REMOVE;
    }
  if (self->next < self->step->ids->len)
    return G_SOURCE_CONTINUE;
  end (self, NULL);
  return G_SOURCE_REMOVE;
}

/* Takes the step. */
static void
begin (SsappCompared *self, Step *step, gboolean is_known, gboolean is_back)
{
  self->step = step;
  self->is_known = is_known;
  self->is_back = is_back;
  self->next = self->n_mute = 0;
  self->source = g_idle_add (work, self);
  tell_changed (self);
}

static Step *
new_step (SsappCompared *self, const char *label)
{
  Step *step = g_new (Step, 1);

  *step = (Step){g_strdup (label), g_ptr_array_new_with_free_func (g_free),
                 g_ptr_array_new_with_free_func ((GDestroyNotify)json_decref),
                 g_ptr_array_new_with_free_func ((GDestroyNotify)json_decref)};
  for (guint i = 0; i < self->rows->len; i++)
    if (strcmp (row_at (self, i)->outcome, "running") != 0)
      g_ptr_array_add (step->ids, g_strdup (row_at (self, i)->id));
  return step;
}

gboolean
ssapp_compared_set (SsappCompared *self, const char *name, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), FALSE);
  g_autofree char *words = ssapp_compared_try (self, name, text, error);
  const gboolean is_new = name == NULL || *name == '\0';

  if (words == NULL)
    return FALSE;
  self->interests = ssapp_interests_new (&text, 1, NULL);
  if (!is_new && strcmp (ssapp_interests_get_name (self->interests, 0), name) != 0)
    self->dropped = g_strdup (name);
  begin (self, new_step (self, is_new ? _ ("Add Outcome") : _ ("Change Outcome")), FALSE, FALSE);
  return TRUE;
}

gboolean
ssapp_compared_remove (SsappCompared *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), FALSE);
  if (self->step != NULL)
    return refuse (error, _ ("The runs are still answering"));
  if (!is_taken (self, name, NULL)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The runs have no outcome “%s”"), name);
    return FALSE;
  }
  self->dropped = g_strdup (name);
  begin (self, new_step (self, _ ("Remove Outcome")), FALSE, FALSE);
  return TRUE;
}

const char *
ssapp_compared_get_undo_label (SsappCompared *self, gboolean redo)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), NULL);
  const GPtrArray *steps = self->steps[redo ? 1 : 0];

  return steps->len > 0 ? ((const Step *)g_ptr_array_index (steps, steps->len - 1))->label : NULL;
}

gboolean
ssapp_compared_undo (SsappCompared *self, gboolean redo, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), FALSE);
  GPtrArray *steps = self->steps[redo ? 1 : 0];

  if (self->step != NULL)
    return refuse (error, _ ("The runs are still answering"));
  if (steps->len == 0)
    return refuse (error, _ ("There is nothing to take back"));
  begin (self, g_ptr_array_steal_index (steps, steps->len - 1), TRUE, !redo);
  return TRUE;
}

gboolean
ssapp_compared_is_busy (SsappCompared *self)
{
  g_return_val_if_fail (SSAPP_IS_COMPARED (self), FALSE);
  return self->step != NULL;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
forget_steps (SsappCompared *self)
{
  stop (self);
  for (int k = 0; k < 2; k++)
    g_ptr_array_set_size (self->steps[k], 0);
}

void
ssapp_compared_set_runs (SsappCompared *self, SsappStore *store, GPtrArray *rows)
{
  g_return_if_fail (SSAPP_IS_COMPARED (self));
  if (g_set_object (&self->store, store)) {
    forget_steps (self);
    tell_changed (self);
  }
  g_ptr_array_unref (self->rows);
  self->rows = rows != NULL ? g_ptr_array_ref (rows) : g_ptr_array_new ();
  g_clear_pointer (&self->readings, g_array_unref);
  g_signal_emit (self, signals[RUNS_CHANGED], 0);
}

static void
ssapp_compared_finalize (GObject *object)
{
  SsappCompared *self = SSAPP_COMPARED (object);

  stop (self);
  for (int k = 0; k < 2; k++)
    g_ptr_array_unref (self->steps[k]);
  g_ptr_array_unref (self->rows);
  g_clear_pointer (&self->readings, g_array_unref);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (ssapp_compared_parent_class)->finalize (object);
}

static void
ssapp_compared_class_init (SsappComparedClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_compared_finalize;
  signals[RUNS_CHANGED] =
      g_signal_new ("runs-changed", SSAPP_TYPE_COMPARED, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] =
      g_signal_new ("changed", SSAPP_TYPE_COMPARED, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ANSWERED] = g_signal_new ("answered", SSAPP_TYPE_COMPARED, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[FAILED] = g_signal_new ("failed", SSAPP_TYPE_COMPARED, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
}

static void
ssapp_compared_init (SsappCompared *self)
{
  self->rows = g_ptr_array_new ();
  for (int k = 0; k < 2; k++)
    self->steps[k] = g_ptr_array_new_with_free_func (step_free);
}

SsappCompared *
ssapp_compared_new (void)
{
  return g_object_new (SSAPP_TYPE_COMPARED, NULL);
}
