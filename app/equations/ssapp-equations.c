/* app/equations/ssapp-equations.c: see the header. */
#include "app/equations/ssapp-equations-private.h"

#include "app/base/ssapp-latex.h"

#include <string.h>

static void
section_free (gpointer data)
{
  SsappEquationSection *section = data;
  g_free (section->title);
  g_ptr_array_unref (section->items);
  g_free (section);
}

void
ssapp_equations_free (SsappEquations *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_ptr_array_unref (self->sections);
  g_free (self);
}

/* The usual method of a scenario: what is shown where none is chosen. */
static const SsMethod *
default_method (const SsScenario *scenario)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  const bool is_planned = scenario->model != NULL || scenario->task.plan != NULL;

  return ss_method_of_scenario (is_planned ? SS_METHOD_OPTIMISER : SS_METHOD_INTEGRATOR, scenario);
}

SsappEquations *
ssapp_equations_new (const SsScenario *scenario, const SsMethod *method)
{
  return ssapp_equations_new_with (scenario, method, NULL, NULL);
}

SsappEquations *
ssapp_equations_new_with (const SsScenario *scenario, const SsMethod *method, GPtrArray *asked, GError **error)
{
  g_return_val_if_fail (scenario != NULL, NULL);
  const SsMethod *shown = method != NULL ? method : default_method (scenario);
  SsappEquationsOptions *options = shown != NULL ? ssapp_equations_options_new (scenario, shown, asked, error) : NULL;

  if (shown != NULL && options == NULL)
    return NULL;
  SsappEquations *self = g_new0 (SsappEquations, 1);
  self->title = g_strdup (scenario->title != NULL && *scenario->title != '\0' ? scenario->title : scenario->name);
  self->sections = g_ptr_array_new_with_free_func (section_free);
  if (scenario->model != NULL)
    ssapp_equations_write_model (self, scenario);
  else if (scenario->scene != NULL)
    ssapp_equations_write_scene (self, scenario);
  if (shown != NULL)
    ssapp_equations_write_law (self, scenario, shown, options);
  ssapp_equations_options_free (options);
  return self;
}

char *
ssapp_equations_to_text (const SsappEquations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *out = g_string_new (self->title);

  g_string_append_c (out, '\n');
  for (guint s = 0; s < self->sections->len; s++) {
    const SsappEquationSection *section = g_ptr_array_index (self->sections, s);
    g_string_append_printf (out, "\n%s\n", section->title);
    for (glong i = 0; i < g_utf8_strlen (section->title, -1); i++)
      g_string_append_c (out, '-');
    g_string_append_c (out, '\n');
    for (guint i = 0; i < section->items->len; i++) {
      const SsappEquation *item = g_ptr_array_index (section->items, i);
      g_string_append_printf (out, item->words != NULL ? "%s\n" : "    %s\n",
                              item->words != NULL ? item->words : item->text);
    }
  }
  return g_string_free (out, FALSE);
}

char *
ssapp_equations_to_latex (const SsappEquations *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *out = g_string_new ("\\documentclass{article}\n\\usepackage[a4paper,margin=20mm]{geometry}\n"
                               "\\usepackage{amsmath,amssymb}\n\\begin{document}\n");
  g_autofree char *title = ssapp_latex_words (self->title);

  g_string_append_printf (out, "\\section*{%s}\n", title);
  for (guint s = 0; s < self->sections->len; s++) {
    const SsappEquationSection *section = g_ptr_array_index (self->sections, s);
    g_autofree char *head = ssapp_latex_words (section->title);
    g_string_append_printf (out, "\n\\subsection*{%s}\n", head);
    for (guint i = 0; i < section->items->len; i++) {
      const SsappEquation *item = g_ptr_array_index (section->items, i);
      g_autofree char *words = item->words != NULL ? ssapp_latex_words (item->words) : NULL;
      if (words != NULL)
        g_string_append_printf (out, "\n%s\n", words);
      else
        g_string_append_printf (out, "\\[ %s \\]\n", item->latex);
    }
  }
  g_string_append (out, "\\end{document}\n");
  return g_string_free (out, FALSE);
}
