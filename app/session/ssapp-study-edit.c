/* app/session/ssapp-study-edit.c: edits of the study on show, with undo, and what it is in words. */
#include "app/session/ssapp-study-private.h"

#include "app/base/ssapp-json.h"
#include "app/document/ssapp-source.h"
#include "app/study/ssapp-study-ideas.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define UNDO_MAX 200 /* steps */

/* ---- edits ------------------------------------------------------------------------------------------------------- */

static gboolean
store_study (SsappStudySession *self, const SsappStudy *study, GError **error)
{
  g_autofree char *definition = ssapp_study_to_text (study);

  return ssapp_store_set_study (self->store, self->id, study->title, definition, ssapp_study_count (study), error);
}

/* The study becomes another one, which is taken, in the project too; what it was goes on the list of steps. */
static gboolean
put (SsappStudySession *self, SsappStudy *study, const char *label, GPtrArray *steps, GError **error)
{
  g_autoptr (SsappStudy) own = study;
  SsappStudyStep *step;

  if (!store_study (self, own, error))
    return FALSE;
  step = g_new0 (SsappStudyStep, 1);
  step->label = g_strdup (label);
  step->before = self->study;
  g_ptr_array_add (steps, step);
  if (steps->len > UNDO_MAX)
    g_ptr_array_remove_index (steps, 0);
  self->study = g_steal_pointer (&own);
  ssapp_study_session_drop_queue (self);
  self->is_looked_at = TRUE;
  if (self->study->axes->len != step->before->axes->len)
    ssapp_study_look_reset (self);
  ssapp_study_session_restart (self);
  ssapp_study_session_tell (self, "changed");
  ssapp_study_session_tell (self, "progress");
  return TRUE;
}

SsappStudy *
ssapp_study_begin_edit (SsappStudySession *self, GError **error)
{
  if (self->study == NULL)
    return ssapp_study_fail_with (error, _ ("There is no study yet")), NULL;
  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, _ ("Stop the study before you change it")), NULL;
  return ssapp_study_copy (self->study);
}

gboolean
ssapp_study_end_edit (SsappStudySession *self, SsappStudy *study, const char *label, GError **error)
{
  if (!put (self, study, label, self->undo, error))
    return FALSE;
  g_ptr_array_set_size (self->redo, 0);
  ssapp_study_session_tell (self, "changed");
  return TRUE;
}

gboolean
ssapp_study_session_rename (SsappStudySession *self, const char *title, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  g_free (study->title);
  study->title = g_strstrip (g_strdup (title));
  if (*study->title == '\0') {
    ssapp_study_free (study);
    return ssapp_study_fail_with (error, _ ("A study needs a name"));
  }
  return ssapp_study_end_edit (self, study, _ ("Rename"), error);
}

gboolean
ssapp_study_session_set_scenario (SsappStudySession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  if (*id == '\0') {
    SsappDocument *document = ssapp_session_get_document (self->session);
    g_free (study->scenario_name);
    g_free (study->scenario_text);
    study->scenario_name = g_strdup (ssapp_document_get_name (document));
    study->scenario_text = g_strdup (ssapp_document_get_text (document));
  } else {
    SsappSketchRow *row = ssapp_store_get_sketch (self->store, id, error);
    if (row == NULL) {
      ssapp_study_free (study);
      return FALSE;
    }
    g_free (study->scenario_name);
    g_free (study->scenario_text);
    study->scenario_name = g_strdup (row->name);
    study->scenario_text = g_strdup (row->text);
    ssapp_sketch_row_free (row);
  }
  return ssapp_study_end_edit (self, study, _ ("Another Scenario"), error);
}

static int
find_axis (const SsappStudy *study, const char *name)
{
  for (guint a = 0; a < study->axes->len; a++)
    if (g_strcmp0 (((const SsappStudyAxis *)g_ptr_array_index (study->axes, a))->name, name) == 0)
      return (int)a;
  return -1;
}

/* One that is new to a study without samples gets as many as the usual ones. */
static gboolean
set_axis (SsappStudy *study, const char *name, const char *values, GError **error)
{
  enum { USUAL_SAMPLES = 20 };

  if (!ssapp_study_set_axis (study, name, values, error))
    return FALSE;
  gboolean has_range = FALSE;
  for (guint a = 0; a < study->axes->len; a++)
    has_range |= ((const SsappStudyAxis *)g_ptr_array_index (study->axes, a))->form == SSAPP_AXIS_RANGE;
  if (!has_range)
    study->n_drawn = 0;
  else if (study->n_drawn == 0)
    study->n_drawn = USUAL_SAMPLES;
  return TRUE;
}

gboolean
ssapp_study_session_set_axis (SsappStudySession *self, const char *name, const char *values, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  const gboolean is_new = find_axis (study, name) < 0;
  if (!set_axis (study, name, values, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  g_autofree char *label = g_strdup_printf (is_new ? _ ("Add Axis %s") : _ ("Change Axis %s"), name);
  return ssapp_study_end_edit (self, study, label, error);
}

gboolean
ssapp_study_session_take_idea (SsappStudySession *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);
  g_autoptr (GPtrArray) ideas = study != NULL ? ssapp_study_list_ideas (study) : g_ptr_array_new ();
  const SsappAxisIdea *idea = NULL;
  g_autofree char *label = g_strdup_printf (_ ("Add Axis %s"), name);

  for (guint k = 0; k < ideas->len; k++)
    if (strcmp (((const SsappAxisIdea *)g_ptr_array_index (ideas, k))->name, name) == 0)
      idea = g_ptr_array_index (ideas, k);
  if (study == NULL)
    return FALSE;
  if (idea == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The study has no idea of an axis “%s”"), name);
  if (idea == NULL || !ssapp_study_take_idea (study, idea, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  return ssapp_study_end_edit (self, study, label, error);
}

gboolean
ssapp_study_session_remove_axis (SsappStudySession *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);
  g_autofree char *label = g_strdup_printf (_ ("Remove Axis %s"), name);

  if (study == NULL)
    return FALSE;
  if (find_axis (study, name) < 0) {
    ssapp_study_free (study);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The study has no axis “%s”"), name);
    return FALSE;
  }
  ssapp_study_remove_axis (study, name);
  return ssapp_study_end_edit (self, study, label, error);
}

gboolean
ssapp_study_session_move_axis (SsappStudySession *self, const char *name, int by, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  const int from = find_axis (study, name), to = from + by;
  if (from < 0 || to < 0 || to >= (int)study->axes->len) {
    ssapp_study_free (study);
    return ssapp_study_fail_with (error, _ ("The axis cannot go further"));
  }
  gpointer axis = study->axes->pdata[from];
  study->axes->pdata[from] = study->axes->pdata[to];
  study->axes->pdata[to] = axis;
  g_autofree char *label = g_strdup_printf (_ ("Move Axis %s"), name);
  return ssapp_study_end_edit (self, study, label, error);
}

/* The method of "crisp:relax=10" where that is one; NULL: it is none, or two kinds have one of the name. */
static const SsMethod *
named_method (const char *text)
{
  g_autofree char *name = g_strstrip (g_strndup (text, strcspn (text, ":")));
  const SsMethod *integrator = ss_method_lookup ((SsMethodId){SS_METHOD_INTEGRATOR, name}),
                 *optimiser = ss_method_lookup ((SsMethodId){SS_METHOD_OPTIMISER, name});

  return integrator == NULL ? optimiser : optimiser == NULL ? integrator : NULL;
}

/* A new method at the end goes to the place of the one that it replaces. */
static gboolean
set_method (SsappStudy *study, int index, const char *text, GError **error)
{
  if (index >= (int)study->methods->len)
    return ssapp_study_fail_with (error, _ ("The study has no such method"));
  if (index >= 0) { /* first, so that it may keep its name */
    ssapp_study_remove_method (study, (guint)index);
    if (!ssapp_study_add_method (study, text, error))
      return FALSE;
    gpointer added = study->methods->pdata[study->methods->len - 1];
    memmove (study->methods->pdata + index + 1, study->methods->pdata + index,
             sizeof (gpointer) * (study->methods->len - 1 - (guint)index));
    study->methods->pdata[index] = added;
    return TRUE;
  }
  const SsMethod *method = named_method (text);
  if (method != NULL && study->methods->len > 0 &&
      ((const SsappStudyMethod *)g_ptr_array_index (study->methods, 0))->id.kind != method->kind)
    ssapp_study_remove_methods (study);
  return ssapp_study_add_method (study, text, error);
}

gboolean
ssapp_study_session_set_method (SsappStudySession *self, int index, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  if (!set_method (study, index, text, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  return ssapp_study_end_edit (self, study, index < 0 ? _ ("Add Method") : _ ("Change Method"), error);
}

gboolean
ssapp_study_session_remove_method (SsappStudySession *self, int index, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  if (index < 0 || index >= (int)study->methods->len) {
    ssapp_study_free (study);
    return ssapp_study_fail_with (error, _ ("The study has no such method"));
  }
  ssapp_study_remove_method (study, (guint)index);
  return ssapp_study_end_edit (self, study, _ ("Remove Method"), error);
}

static const SsappStudyNumber *
number_named (const char *name)
{
  guint n;
  const SsappStudyNumber *numbers = ssapp_study_numbers (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (numbers[i].name, name) == 0)
      return &numbers[i];
  return NULL;
}

/* FALSE: that is no limit, or no such value. */
static gboolean
set_limit (SsappStudy *study, const char *name, const char *text, GError **error)
{
  double value = NAN;
  const gboolean is_empty = *text == '\0';

  if (strcmp (name, "draw") == 0) {
    if (strcmp (text, "random") != 0 && strcmp (text, "latin") != 0)
      return ssapp_study_fail_with (error,
                                    _ ("Values are drawn at random (“random”) or as a Latin hypercube (“latin”)"));
    study->draw = strcmp (text, "latin") == 0 ? SSAPP_DRAW_LATIN : SSAPP_DRAW_RANDOM;
    return TRUE;
  }
  if (strcmp (name, "keep") == 0)
    return ssapp_keep_from_name (text, &study->keep) ||
           ssapp_study_fail_with (error, _ ("A study keeps “all” of its motions, “thinned” ones or “metrics” alone"));
  if (!is_empty && !ss_parse_double (text, &value)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("“%s” is no number"), text);
    return FALSE;
  }
  const SsappStudyNumber *number = number_named (name);
  if (number != NULL) {
    if (!is_empty && value <= 0)
      return ssapp_study_fail_with (error, _ ("A limit is larger than 0; leave it empty for none"));
    *ssapp_study_number (study, number) = value * number->unit;
    return TRUE;
  }
  if (value < 0 || value != floor (value) || value > 1e9)
    return ssapp_study_fail_with (error, _ ("A whole number, 0 or more, is expected"));
  if (strcmp (name, "workers") == 0)
    study->workers = is_empty ? 0 : (guint)value;
  else if (strcmp (name, "samples") == 0)
    study->n_drawn = is_empty ? 0 : (guint)value;
  else if (strcmp (name, "seed") == 0)
    study->seed = is_empty ? 0 : (guint64)value;
  else
    return ssapp_study_fail_with (error,
                                  _ ("A study has the limits time, cpu, memory and workers, and bound, draw, samples, "
                                     "seed and keep"));
  return TRUE;
}

gboolean
ssapp_study_session_set_limit (SsappStudySession *self, const char *name, const char *value, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);
  g_autofree char *text = g_strstrip (g_strdup (value)), *now = NULL, *wanted = NULL;

  if (study == NULL)
    return FALSE;
  now = ssapp_study_to_text (study);
  if (!set_limit (study, name, text, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  wanted = ssapp_study_to_text (study);
  if (strcmp (now, wanted) == 0) { /* what it was: no step */
    ssapp_study_free (study);
    return TRUE;
  }
  return ssapp_study_end_edit (self, study, _ ("Change Limits"), error);
}

char *
ssapp_study_session_dup_limit (SsappStudySession *self, const char *name)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  const SsappStudy *study = self->study;
  char text[32] = "";

  if (study == NULL)
    return g_strdup ("");
  if (strcmp (name, "draw") == 0)
    return g_strdup (study->draw == SSAPP_DRAW_LATIN ? "latin" : "random");
  if (strcmp (name, "keep") == 0)
    return g_strdup (ssapp_keep_name (study->keep));
  const SsappStudyNumber *number = number_named (name);
  if (number != NULL && isfinite (ssapp_study_get_number (study, number)))
    ss_format_double (ssapp_study_get_number (study, number) / number->unit, text, sizeof text);
  else if (strcmp (name, "workers") == 0)
    ss_format_double (study->workers, text, sizeof text);
  else if (strcmp (name, "samples") == 0)
    ss_format_double (study->n_drawn, text, sizeof text);
  else if (strcmp (name, "seed") == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, study->seed);
  return g_strdup (text);
}

char *
ssapp_study_session_dup_limits_words (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  const SsappStudy *study = self->study;
  GString *text = g_string_new (NULL);
  guint n_numbers;
  const SsappStudyNumber *numbers = ssapp_study_numbers (&n_numbers);
  gboolean has_any = FALSE;

  if (study == NULL)
    return g_string_free (text, FALSE);
  if (study->workers == 0)
    g_string_append (text, _ ("A run a core"));
  else
    g_string_append_printf (text, _ ("%u at once"), study->workers);
  for (guint i = 0; i < n_numbers; i++) {
    const double value = ssapp_study_get_number (study, &numbers[i]) / numbers[i].unit;
    if (isfinite (value)) {
      g_string_append_printf (text, ", %g %s", value, numbers[i].words);
      has_any = TRUE;
    }
  }
  if (has_any)
    g_string_append (text, " each");
  if (study->keep != SSAPP_KEEP_ALL)
    g_string_append_printf (text, ", %s", ssapp_keep_name (study->keep));
  return g_string_free (text, FALSE);
}

static const char *
label_of (GPtrArray *steps)
{
  return steps->len > 0 ? ((const SsappStudyStep *)g_ptr_array_index (steps, steps->len - 1))->label : NULL;
}

const char *
ssapp_study_session_get_undo_label (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return label_of (self->undo);
}

const char *
ssapp_study_session_get_redo_label (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return label_of (self->redo);
}

static gboolean
go_back (SsappStudySession *self, GPtrArray *from, GPtrArray *to, GError **error)
{
  if (from->len == 0)
    return ssapp_study_fail_with (error, _ ("There is nothing to take back"));
  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, _ ("Stop the study before you change it"));
  const SsappStudyStep *step = g_ptr_array_index (from, from->len - 1);
  if (!put (self, ssapp_study_copy (step->before), step->label, to, error))
    return FALSE;
  g_ptr_array_remove_index (from, from->len - 1);
  ssapp_study_session_tell (self, "changed");
  return TRUE;
}

gboolean
ssapp_study_session_undo (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return go_back (self, self->undo, self->redo, error);
}

gboolean
ssapp_study_session_redo (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return go_back (self, self->redo, self->undo, error);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static char *
runs_text (guint n)
{
  if (n == 0)
    return g_strdup (_ ("no method yet"));
  if (n == 1)
    return g_strdup ("1 run");
  return n > SSAPP_STUDY_MAX_RUNS ? g_strdup_printf (_ ("more than %d runs"), SSAPP_STUDY_MAX_RUNS)
                                  : g_strdup_printf (ngettext ("%u run", "%u runs", n), n);
}

char *
ssapp_study_session_try_axis (SsappStudySession *self, const char *name, const char *values, GError **error)
{
  enum { SHOWN = 6 };
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return ssapp_study_fail_with (error, _ ("There is no study yet")), NULL;

  g_autoptr (SsappStudy) study = ssapp_study_copy (self->study);
  if (!set_axis (study, name, values, error))
    return NULL;
  if (study->methods->len > 0 && !ssapp_study_check (study, error))
    return NULL;
  const int a = find_axis (study, name);
  g_autofree char *runs = runs_text (ssapp_study_count (study));
  const SsappStudyAxis *axis = a >= 0 ? g_ptr_array_index (study->axes, a) : NULL;
  if (axis == NULL)
    return g_strdup (runs);
  if (axis->values == NULL)
    return g_strdup_printf (_ ("%u values drawn from %g to %g; %s"), study->n_drawn, axis->from, axis->to, runs);
  const guint n = g_strv_length (axis->values);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, ngettext ("%u value: ", "%u values: ", n), n);
  for (guint k = 0; k < n && k < SHOWN; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", axis->values[k]);
  if (n > SHOWN)
    g_string_append_printf (text, _ (" to %s"), axis->values[n - 1]);
  g_string_append_printf (text, "; %s", runs);
  return g_string_free (text, FALSE);
}

char *
ssapp_study_session_try_method (SsappStudySession *self, int index, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return ssapp_study_fail_with (error, _ ("There is no study yet")), NULL;

  g_autoptr (SsappStudy) study = ssapp_study_copy (self->study);
  if (!set_method (study, index, text, error) || !ssapp_study_check (study, error))
    return NULL;
  const SsappStudyMethod *method =
      g_ptr_array_index (study->methods, index < 0 ? study->methods->len - 1 : (guint)index);
  g_autofree char *runs = runs_text (ssapp_study_count (study));
  const guint n = self->study->methods->len;
  return index < 0 && study->methods->len <= n
             ? g_strdup_printf (ngettext ("%s, in the place of %u method; %s", "%s, in the place of %u methods; %s", n),
                                method->label, n, runs)
             : g_strdup_printf ("%s; %s", method->label, runs);
}

char *
ssapp_study_session_dup_method (SsappStudySession *self, guint index)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL || index >= self->study->methods->len)
    return g_strdup ("");

  const SsappStudyMethod *method = g_ptr_array_index (self->study->methods, index);
  GString *text = g_string_new (method->id.name);
  for (guint k = 0; method->names != NULL && method->names[k] != NULL; k++)
    g_string_append_printf (text, ":%s=%s", method->names[k], method->values[k]);
  return g_string_free (text, FALSE);
}

char *
ssapp_study_session_dup_axis_note (SsappStudySession *self, guint index)
{
  static const char *const forms[] = {N_ ("list"), N_ ("grid"), N_ ("log grid"), N_ ("drawn")};
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL || index >= self->study->axes->len)
    return g_strdup ("");

  const SsappStudyAxis *axis = g_ptr_array_index (self->study->axes, index);
  return g_strdup_printf ("%s, %u", _ (forms[axis->form]),
                          axis->values != NULL ? g_strv_length (axis->values) : self->study->n_drawn);
}

char *
ssapp_study_session_dup_count (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return g_strdup ("");
  if (self->study->methods->len == 0)
    return g_strdup (_ ("No method yet"));
  const guint n = ssapp_study_count (self->study), n_methods = self->study->methods->len;
  g_autofree char *runs = runs_text (n);
  if (n > SSAPP_STUDY_MAX_RUNS)
    return g_strdup (runs);
  return g_strdup_printf ("%u %s × %u %s: %s", n / n_methods, n == n_methods ? "problem" : "problems", n_methods,
                          n_methods == 1 ? "method" : "methods", runs);
}

gboolean
ssapp_study_session_is_scenario_old (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappDocument *document = ssapp_session_get_document (self->session);

  return self->study != NULL && g_strcmp0 (self->study->scenario_name, ssapp_document_get_name (document)) == 0 &&
         g_strcmp0 (self->study->scenario_text, ssapp_document_get_text (document)) != 0;
}

char *
ssapp_study_session_dup_command (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return NULL;

  SsappDocument *document = ssapp_session_get_document (self->session);
  const char *path = ssapp_document_get_path (document);
  g_autofree char *file = NULL, *project = NULL;
  if (path != NULL && g_strcmp0 (ssapp_document_get_text (document), self->study->scenario_text) == 0)
    file = g_path_get_basename (path);
  else
    file = g_strconcat (self->study->scenario_name, SSAPP_SCENARIO_SUFFIX, NULL);
  if (!ssapp_session_is_untitled (self->session))
    project = g_path_get_basename (ssapp_store_get_path (self->store));
  return ssapp_study_to_command (self->study, file, project);
}
