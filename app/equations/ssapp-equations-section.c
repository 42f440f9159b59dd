/* app/equations/ssapp-equations-section.c: a section of the equations and what is put into it; see
 * ssapp-equations-private.h. */
#include "app/equations/ssapp-equations-private.h"

static void
equation_free (gpointer data)
{
  SsappEquation *equation = data;
  g_free (equation->words);
  g_free (equation->text);
  g_free (equation->latex);
  g_free (equation);
}

SsappEquationSection *
ssapp_equations_begin (SsappEquations *self, const char *title)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappEquationSection *section = g_new0 (SsappEquationSection, 1);

  section->title = g_strdup (title);
  section->items = g_ptr_array_new_with_free_func (equation_free);
  g_ptr_array_add (self->sections, section);
  return section;
}

void
ssapp_equations_say (SsappEquationSection *section, const char *format, ...)
{
  g_return_if_fail (section != NULL);
  SsappEquation *equation = g_new0 (SsappEquation, 1);
  va_list list;

  va_start (list, format);
  equation->words = g_strdup_vprintf (format, list);
  va_end (list);
  g_ptr_array_add (section->items, equation);
}

void
ssapp_equations_put (SsappEquationSection *section, char *text, char *latex)
{
  g_return_if_fail (section != NULL);
  SsappEquation *equation = g_new0 (SsappEquation, 1);

  equation->text = text;
  equation->latex = latex;
  g_ptr_array_add (section->items, equation);
}

void
ssapp_equations_put_copy (SsappEquationSection *section, const char *text, const char *latex)
{
  ssapp_equations_put (section, g_strdup (text), g_strdup (latex));
}

void
ssapp_equations_put_expr (SsappEquationSection *section, const SsGraph *graph, SsExpr e, const GArray *symbols,
                          const char *left_text, const char *left_latex)
{
  g_autofree char *text = ssapp_formula (graph, e, symbols, SSAPP_FORMULA_TEXT),
                  *latex = ssapp_formula (graph, e, symbols, SSAPP_FORMULA_LATEX);

  if (text != NULL && latex != NULL)
    ssapp_equations_put (section, g_strconcat (left_text, text, NULL), g_strconcat (left_latex, latex, NULL));
  else
    ssapp_equations_put (section, g_strconcat (left_text, "(a formula too long to be read here)", NULL),
                         g_strconcat (left_latex, "\\text{(a formula too long to be read here)}", NULL));
}
