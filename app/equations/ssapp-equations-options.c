/* app/equations/ssapp-equations-options.c: the options that a method has when its equations are written: defaults, then
 * the scenario's, then those asked for, presets resolved; see ssapp-equations-private.h. */
#include "app/equations/ssapp-equations-private.h"

#include "nlp/ss-nlp.h"

#include <string.h>

struct SsappEquationsOptions {
  const SsMethod *method; /* borrowed */
  GPtrArray *asked;       /* of char *, "NAME=VALUE"; owned */
  void *own, *common;     /* of the method's table, and of that of transcriptions; owned */
};

/* To where the option belongs: the method's own, or those of transcriptions. */
static gboolean
set (SsappEquationsOptions *self, const SsScenario *scenario, const char *name, const char *value, GError **error)
{
  const SsOptionTable *table = ss_method_option_table (self->method, scenario, name);
  SsError why;
  char line[1024];

  if (ss_options_set (table, table == self->method->options ? self->own : self->common, name, value, &why) == SS_OK)
    return TRUE;
  ss_error_format (&why, line, sizeof line);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, line);
  return FALSE;
}

static void
resolve (SsappEquationsOptions *self)
{
  if (self->method->nlp == NULL || self->method->nlp->resolve == NULL)
    return;
  void *used = g_malloc0 (self->method->options->size);
  self->method->nlp->resolve (self->own, used);
  g_free (self->own);
  self->own = used;
}

SsappEquationsOptions *
ssapp_equations_options_new (const SsScenario *scenario, const SsMethod *method, GPtrArray *asked, GError **error)
{
  g_return_val_if_fail (scenario != NULL && method != NULL, NULL);
  const SsOptionTable *common = ss_transcription_option_table ();
  SsappEquationsOptions *self = g_new0 (SsappEquationsOptions, 1);
  gboolean ok = TRUE;

  self->method = method;
  self->asked = g_ptr_array_new_with_free_func (g_free);
  self->own = g_malloc0 (method->options != NULL ? MAX (method->options->size, 1) : 1);
  self->common = g_malloc0 (MAX (common->size, 1));
  ss_options_init (common, self->common);
  if (method->options == NULL || method->options->n_specs == 0)
    return self;
  ss_method_init_options (method, scenario, self->own);
  for (int i = 0; i < scenario->n_method_defaults; i++)
    if (ss_method_takes_default (method, scenario, &scenario->method_defaults[i]))
      (void)set (self, scenario, scenario->method_defaults[i].name, scenario->method_defaults[i].value, NULL);
  for (guint i = 0; asked != NULL && i < asked->len && ok; i++) {
    const char *pair = g_ptr_array_index (asked, i), *equals = strchr (pair, '=');
    g_autofree char *name = equals != NULL ? g_strndup (pair, (gsize)(equals - pair)) : g_strdup (pair);
    ok = set (self, scenario, name, equals != NULL ? equals + 1 : "", error);
    g_ptr_array_add (self->asked, g_strdup (pair));
  }
  resolve (self);
  if (!ok)
    g_clear_pointer (&self, ssapp_equations_options_free);
  return self;
}

void
ssapp_equations_options_free (SsappEquationsOptions *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->asked);
  g_free (self->own);
  g_free (self->common);
  g_free (self);
}

/* "name=value" or "name!=value" of the method's own options. */
static gboolean
holds (const SsappEquationsOptions *self, const char *term)
{
  const char *equals = strchr (term, '=');
  const gboolean is_not = equals > term && equals[-1] == '!';
  g_autofree char *name = g_strndup (term, (gsize)(equals - term) - (is_not ? 1 : 0));
  const int spec = self->method->options != NULL ? ss_options_find (self->method->options, name) : -1;
  char value[SS_OPTION_TEXT_MAX];

  g_return_val_if_fail (spec >= 0, FALSE);
  const char *const *choices = self->method->options->specs[spec].choices;
  g_return_val_if_fail (choices == NULL || g_strv_contains (choices, equals + 1), FALSE);
  ss_options_format (self->method->options, self->own, spec, value, sizeof value);
  return (strcmp (value, equals + 1) == 0) != is_not;
}

gboolean
ssapp_equations_options_hold (const SsappEquationsOptions *self, const char *condition)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_auto (GStrv) terms = g_strsplit (condition != NULL ? condition : "", ",", -1);

  for (guint i = 0; terms[i] != NULL; i++)
    if (*terms[i] != '\0' && !holds (self, terms[i]))
      return FALSE;
  return TRUE;
}

SsTranscribeOptions
ssapp_equations_options_transcription (const SsappEquationsOptions *self)
{
  return ss_transcription_choose (self->common);
}

GPtrArray *
ssapp_equations_options_asked (const SsappEquationsOptions *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->asked;
}
