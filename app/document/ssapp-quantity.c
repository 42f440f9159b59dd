/* app/document/ssapp-quantity.c: numbers with units that a person types: "12", "30deg", "1/2 m", "5cm + 3mm". Units are
 * those of formulas (expr/ss-unit.h). */
#include "app/document/ssapp-quantity.h"

#include "core/ss-core.h"
#include "expr/ss-expr.h"
#include "expr/ss-unit.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

gboolean
ssapp_parse_quantity (const char *text, const char *unit, double *value)
{
  g_return_val_if_fail (text != NULL && value != NULL, FALSE);

  g_autofree char *number = g_strstrip (g_strdup (text)), *rest = NULL;
  const SsUnit *found;
  char *end = NULL;

  g_ascii_strtod (number, &end);
  if (end == number)
    return FALSE;
  rest = g_strstrip (g_strdup (end));
  *end = '\0';
  if (!ss_parse_double (number, value))
    return FALSE;
  found = ss_unit_find (*rest != '\0' ? rest : unit != NULL ? unit : "");
  if (found == NULL)
    return FALSE;
  *value *= found->factor;
  return isfinite (*value);
}

gboolean
ssapp_check_unit (const char *text, const char *unit, GError **error)
{
  g_return_val_if_fail (text != NULL && unit != NULL, FALSE);

  g_autofree char *number = g_strstrip (g_strdup (text));
  const SsUnit *meant = ss_unit_find (unit), *given;
  const char *rest;
  char *end = NULL;

  g_ascii_strtod (number, &end);
  rest = end;
  while (g_ascii_isspace (*rest))
    rest++;
  given = end != number && *rest != '\0' ? ss_unit_find (rest) : NULL;
  if (given == NULL || meant == NULL || ss_unit_is_alike (given, meant))
    return TRUE;
  if (*unit == '\0')
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” has the unit %s, but a plain number is meant here"), number, rest);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 _ ("“%s” has the unit %s, but one such as %s is meant here"), number, rest, unit);
  return FALSE;
}

/* Names of the scenario's parameters. */
static SsStatus
resolve (void *data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  const SsScenario *scenario = ((gpointer *)data)[0];

  for (int i = 0; shift == 0 && scenario != NULL && i < scenario->n_parameters; i++)
    if (strlen (scenario->parameters[i].name) == length && strncmp (scenario->parameters[i].name, name, length) == 0) {
      *out = ss_graph_constant (((gpointer *)data)[1], scenario->parameters[i].value);
      return SS_OK;
    }
  return ss_error_set (err, SS_ERR_INVALID, _ ("there is no parameter '%.*s'"), (int)length, name);
}

gboolean
ssapp_evaluate_quantity (const SsScenario *scenario, const char *text, const char *unit, double *value, GError **error)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  SsGraph *graph = NULL;
  gpointer data[2];
  SsExpr e = SS_EXPR_NONE;
  SsError err;
  gboolean done;

  if (ssapp_parse_quantity (trimmed, unit, value))
    return TRUE;
  if (*trimmed == '\0') {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("A number or a formula is needed"));
    return FALSE;
  }
  ss_error_set (&err, SS_OK, "%s", "");
  if (ss_graph_new (&graph, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, err.message);
    return FALSE;
  }
  data[0] = (gpointer)scenario;
  data[1] = graph;
  done = ss_expr_parse (graph, trimmed, resolve, data, &e, &err) == SS_OK;
  if (!done) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s”: %s%s%s", trimmed, err.message,
                 err.expected[0] != '\0' ? "; expected " : "", err.expected);
  } else if (ss_graph_op (graph, e) != SS_OP_CONSTANT || !isfinite (ss_graph_value (graph, e))) {
    done = FALSE;
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("“%s” is not a finite number"), trimmed);
  } else {
    *value = ss_graph_value (graph, e);
  }
  ss_graph_free (graph);
  return done;
}

void
ssapp_parameter_range (const SsParameter *parameter, double *low, double *high)
{
  g_return_if_fail (parameter != NULL && low != NULL && high != NULL);
  const double size = parameter->value != 0. ? 2. * fabs (parameter->value) : 1.;

  *low = isfinite (parameter->minimum) ? parameter->minimum : parameter->value > 0. ? 0. : -size;
  *high = isfinite (parameter->maximum) ? parameter->maximum : parameter->value < 0. ? 0. : size;
  *high = MAX (*high, *low);
}

char *
ssapp_length_text (double length)
{
  static const struct {
    double least, factor;
    const char *name;
  } units[] = {{0.1, 1, "m"}, {1e-4, 1e3, "mm"}, {1e-7, 1e6, "µm"}, {0, 1e9, "nm"}};
  guint u = 0;

  if (length == 0)
    return g_strdup ("0 m");
  while (fabs (length) < units[u].least)
    u++;
  return g_strdup_printf ("%.3g %s", length * units[u].factor, units[u].name);
}
