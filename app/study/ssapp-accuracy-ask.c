/* app/study/ssapp-accuracy-ask.c: see ssapp-accuracy-ask.h. */
#include "app/study/ssapp-accuracy-ask.h"

#include "app/base/ssapp-method-list.h"
#include "app/study/ssapp-accuracy-runs.h"

#include <string.h>

enum { MAX_STEPS = 100 };

/* NULL with an error. */
static SsappAccuracyMethod *
read_method (const SsappMethodAsked *asked, GError **error)
{
  SsError err;
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, asked->name, &err);
  g_autofree void *options = NULL;

  if (method == NULL || !method->is_built) {
    if (method != NULL)
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is %s", method->name, method->why_not);
    else
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s%s%s", err.message,
                   err.expected[0] != '\0' ? "; did you mean " : "", err.expected);
    return NULL;
  }
  options = g_malloc0 (MAX (method->options->size, 1));
  ss_options_init (method->options, options);
  for (guint i = 0; i < asked->names->len; i++)
    if (ss_options_set (method->options, options, g_ptr_array_index (asked->names, i),
                        g_ptr_array_index (asked->values, i), &err) != SS_OK) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s%s%s", method->name, err.message,
                   err.expected[0] != '\0' ? "; expected " : "", err.expected);
      return NULL;
    }
  if (asked->wrong != NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is not OPTION=VALUE", asked->wrong);
    return NULL;
  }
  return ssapp_accuracy_method_new (method, asked->text, (const char *const *)asked->names->pdata,
                                    (const char *const *)asked->values->pdata);
}

GPtrArray *
ssapp_accuracy_read_methods (const char *list, GError **error)
{
  g_autoptr (GPtrArray) methods = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_accuracy_method_free);
  g_autoptr (GPtrArray) items = ssapp_method_list_read (list);

  for (guint i = 0; i < items->len; i++) {
    SsappAccuracyMethod *method = read_method (ssapp_method_list_at (items, i), error);
    if (method == NULL)
      return NULL;
    g_ptr_array_add (methods, method);
  }
  if (methods->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "At least one method is needed");
    return NULL;
  }
  return g_steal_pointer (&methods);
}

GArray *
ssapp_accuracy_read_steps (const char *list, double t_end, GError **error)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *trimmed = g_strstrip (g_strdup (list));
  g_auto (GStrv) items = g_strsplit (trimmed, ",", -1);

  if (*trimmed == '\0') {
    g_array_set_size (steps, SSAPP_ACCURACY_STEPS);
    ssapp_accuracy_default_steps (t_end, (double *)(void *)steps->data);
    return g_steal_pointer (&steps);
  }
  for (guint i = 0; items[i] != NULL; i++) {
    double value;
    if (!ss_parse_double (g_strstrip (items[i]), &value) || !(value > 0) || steps->len == MAX_STEPS) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "Steps: at most %d positive numbers such as 0.02, 0.01, 0.005 are expected, not “%s”", MAX_STEPS,
                   list);
      return NULL;
    }
    g_array_append_val (steps, value);
  }
  return g_steal_pointer (&steps);
}

/* ---- the reference ----------------------------------------------------------------------------------------------- */

static SsappTruth *
read_formulas (const char *what, const SsScenario *scenario, GError **error)
{
  g_auto (GStrv) pairs = g_strsplit (what, ";", -1);
  SsappTruth *truth = ssapp_truth_new (scenario, "closed form");

  for (guint i = 0; pairs[i] != NULL && truth != NULL; i++)
    if (*g_strstrip (pairs[i]) != '\0' && !ssapp_truth_add_formula (truth, pairs[i], error))
      g_clear_pointer (&truth, ssapp_truth_free);
  return truth;
}

static SsappTruth *
read_run (SsappStore *store, const char *id, GError **error)
{
  SsappRunRow *row = ssapp_store_get_sound_run (store, id, error);
  SsappTruth *truth = NULL;
  GError *why = NULL;

  if (row == NULL)
    return NULL;
  SsTrajectory *motion = ssapp_store_get_trajectory (store, row->id, &why);
  if (motion != NULL) {
    g_autofree char *title = g_strdup_printf ("run %.8s (%s)", row->id, row->label);
    truth = ssapp_truth_new_motion (motion, title);
    ss_trajectory_free (motion);
  } else if (why != NULL) {
    g_propagate_error (error, why);
  } else {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "Run %s has no motion", row->id);
  }
  ssapp_run_row_free (row);
  return truth;
}

gboolean
ssapp_accuracy_read_reference (const char *what, const SsScenario *scenario, SsappStore *store,
                               SsappAccuracyReference *out, GError **error)
{
  g_return_val_if_fail (what != NULL && out != NULL, FALSE);

  g_autofree char *trimmed = g_strstrip (g_strdup (what));
  const char *text = *trimmed != '\0' ? trimmed : SSAPP_ACCURACY_REFERENCE;
  g_autoptr (SsappMethodAsked) asked = ssapp_method_asked_new (text);

  *out = (SsappAccuracyReference){0};
  if (strcmp (text, "own") == 0 || strcmp (text, "finest") == 0)
    return TRUE;
  if (ss_method_find (SS_METHOD_INTEGRATOR, asked->name, NULL) != NULL ||
      (store == NULL && strpbrk (text, "=./") == NULL))
    return (out->method = read_method (asked, error)) != NULL;
  if (g_str_has_suffix (text, ".csv") || g_str_has_suffix (text, ".json"))
    out->truth = ssapp_truth_read (scenario, text, error);
  else if (strchr (text, '=') != NULL)
    out->truth = read_formulas (text, scenario, error);
  else if (store != NULL)
    out->truth = read_run (store, text, error);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "“%s” is no method, formula (box.x=t^2/2), table (.csv) or file of formulas (.json)", text);
  return out->truth != NULL;
}

void
ssapp_accuracy_reference_clear (SsappAccuracyReference *reference)
{
  g_clear_pointer (&reference->method, ssapp_accuracy_method_free);
  g_clear_pointer (&reference->truth, ssapp_truth_free);
}
