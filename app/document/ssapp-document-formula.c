/* app/document/ssapp-document-formula.c: what is written as formulas: forces and constraints of a scene,
 * constraints and costs of a plan; free time; the names that formulas may use.
 * Tests: tests/unit/test-document-motor.c */
#include "app/document/ssapp-document-private.h"

#include "expr/ss-expr.h"

#include <glib/gi18n.h>
#include <string.h>

/* Formulas read '-' as minus. */
static gboolean
is_readable (const char *name)
{
  return strchr (name, '-') == NULL;
}

/* The body of that name, else the first one that moves and that formulas can read; NULL with an error. */
static const SsBody *
require_body (SsappDocument *self, const char *name, GError **error)
{
  const SsScene *scene = ssapp_document_scene (self);
  int index = ss_scene_find (scene, SS_OWNER_BODY, name);

  if (!ssapp_document_require_scene (self, error))
    return NULL;
  for (int b = 0; index < 0 && b < scene->n_bodies; b++)
    if (!ss_body_is_immovable (&scene->bodies[b]) && is_readable (scene->bodies[b].name))
      index = b;
  if (index >= 0 && !ss_body_is_immovable (&scene->bodies[index]))
    return &scene->bodies[index];
  ssapp_refuse (error, index >= 0 ? _ ("This body does not move") : _ ("There is no body that moves"));
  return NULL;
}

/* A formula of a body whose name formulas cannot read is left to people. */
static char *
of_body (const SsBody *body, const char *format, const char *otherwise)
{
  g_autoptr (GString) out = g_string_new (format);

  if (!is_readable (body->name))
    return g_strdup (otherwise);
  g_string_replace (out, "BODY", body->name, 0);
  return g_strdup (out->str);
}

/* Adds the entry (taken) at the end of a list and selects it. */
static gboolean
append_entry (SsappDocument *self, json_t *root, const char *section, const char *name, json_t *entry,
              const char *label, GError **error)
{
  json_t *list = ssapp_tree_require_list (root, section, name);
  g_autofree char *path = g_strdup_printf ("%s.%s[%zu]", section, name, json_array_size (list));

  json_array_append_new (list, entry);
  return ssapp_document_commit_selecting (self, root, label, path, error);
}

gboolean
ssapp_document_add_force (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsBody *body = require_body (self, name, error);
  g_autofree char *label = NULL, *called = NULL;

  if (body == NULL)
    return FALSE;
  called = g_strdup ("push");
  for (int n = 2; ssapp_scene_is_taken (ssapp_document_scene (self), called); n++) {
    g_free (called);
    called = g_strdup_printf ("push%d", n);
  }
  label = g_strdup_printf ("Push %s by a formula", body->name);
  return append_entry (self, json_deep_copy (ssapp_document_root (self)), "scene", "forces",
                       json_pack ("{s:s, s:s, s:[i, i]}", "name", called, "body", body->name, "force", 0, 0), label,
                       error);
}

gboolean
ssapp_document_add_law (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsBody *body = require_body (self, name, error);
  char height[32];
  g_autofree char *formula = NULL, *called = g_strdup ("law");

  if (body == NULL)
    return FALSE;
  if (!is_readable (body->name))
    return ssapp_refuse (error, _ ("Formulas read '-' as minus: rename the body first"));
  for (int n = 2; ssapp_scene_is_taken (ssapp_document_scene (self), called); n++) {
    g_free (called);
    called = g_strdup_printf ("law%d", n);
  }
  g_ascii_formatd (height, sizeof height, "%.9g", body->q[1]);
  formula = g_strdup_printf ("%s.y - (%s)", body->name, height);
  return append_entry (self, json_deep_copy (ssapp_document_root (self)), "scene", "constraints",
                       json_pack ("{s:s, s:s, s:s}", "name", called, "formula", formula, "kind", "at_least"),
                       "Add a constraint", error);
}

gboolean
ssapp_document_add_constraint (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsBody *body = require_body (self, name, error);
  g_autofree char *formula = body != NULL ? of_body (body, "BODY.y + 10", "1") : NULL;

  return body != NULL && append_entry (self, json_deep_copy (ssapp_document_root (self)), "task", "constraints",
                                       json_pack ("{s:[s]}", "nonnegative", formula), "Add a constraint", error);
}

gboolean
ssapp_document_add_cost (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsBody *body = require_body (self, name, error);
  g_autofree char *formula = body != NULL ? of_body (body, "BODY.vx^2 + BODY.vy^2", "1") : NULL;

  return body != NULL && append_entry (self, json_deep_copy (ssapp_document_root (self)), "task", "cost",
                                       json_pack ("{s:s}", "cost", formula), "Add a cost", error);
}

gboolean
ssapp_document_add_row (SsappDocument *self, const char *path, const char *kind, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && path != NULL && kind != NULL, FALSE);
  const SsBody *body = require_body (self, NULL, error);
  gboolean is_zero = strcmp (kind, "zero") == 0;
  g_autofree char *formula = NULL;
  json_t *root, *entry, *list;

  if (body == NULL)
    return FALSE;
  if (!g_str_has_prefix (path, "task.constraints[") || !(is_zero || strcmp (kind, "nonnegative") == 0))
    return ssapp_refuse (error, _ ("Rows are added to constraints"));
  formula = is_zero ? of_body (body, "0*BODY.vy", "0") : of_body (body, "BODY.y + 10", "1");
  root = json_deep_copy (ssapp_document_root (self));
  entry = ssapp_tree_get (root, path);
  if (!json_is_object (entry)) {
    json_decref (root);
    return ssapp_refuse (error, _ ("There is no such constraint"));
  }
  list = json_object_get (entry, kind);
  if (list == NULL) {
    list = json_array ();
    json_object_set_new (entry, kind, list);
  }
  json_array_append_new (list, json_string (formula));
  return ssapp_document_commit (self, root, is_zero ? "Add an equation" : "Add an inequality", error);
}

gboolean
ssapp_document_remove_row (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && path != NULL, FALSE);
  const char *bracket = strrchr (path, '['), *dot = strrchr (path, '.');
  g_autofree char *list_path = g_strndup (path, bracket != NULL ? (gsize)(bracket - path) : 0),
                  *entry_path = g_strndup (path, dot != NULL ? (gsize)(dot - path) : 0);
  json_t *root, *entry, *list;

  if (!g_str_has_prefix (path, "task.constraints[") || ssapp_tree_get (ssapp_document_root (self), path) == NULL)
    return ssapp_refuse (error, _ ("There is no such row"));
  root = json_deep_copy (ssapp_document_root (self));
  entry = ssapp_tree_get (root, entry_path);
  list = ssapp_tree_get (root, list_path);
  json_array_remove (list, (size_t)g_ascii_strtoull (bracket + 1, NULL, 10));
  if (json_array_size (list) == 0)
    json_object_del (entry, strrchr (list_path, '.') + 1);
  if (json_array_size (json_object_get (entry, "zero")) + json_array_size (json_object_get (entry, "nonnegative")) > 0)
    return ssapp_document_commit (self, root, "Delete a row", error);
  json_decref (root);
  return ssapp_document_remove_item (self, entry_path, error);
}

gboolean
ssapp_document_set_time_free (SsappDocument *self, gboolean is_free, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsPlan *plan = ssapp_document_get_scenario (self)->task.plan;
  const double horizon = plan != NULL ? plan->horizon : ssapp_document_get_scenario (self)->task.t_end;
  json_t *root, *task;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  if (is_free == ssapp_document_has_field (self, "task.free_time"))
    return TRUE;
  root = json_deep_copy (ssapp_document_root (self));
  task = json_object_get (root, "task");
  if (task == NULL) {
    task = json_object ();
    json_object_set_new (root, "task", task);
  }
  if (is_free)
    json_object_set_new (
        task, "free_time",
        json_pack ("{s:f, s:f}", "lower", ssapp_tidy (horizon / 2), "upper", ssapp_tidy (2 * horizon)));
  else
    json_object_del (task, "free_time");
  return ssapp_document_commit (self, root, is_free ? "Free the horizon" : "Fix the horizon", error);
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

gboolean
ssapp_document_add_parameter (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && name != NULL, FALSE);
  const SsScenario *scenario = ssapp_document_get_scenario (self);
  g_autofree char *called = g_strstrip (g_strdup (name)), *label = NULL;
  json_t *root, *parameters;

  for (int n = 1; *called == '\0'; n++) {
    g_free (called);
    called = g_strdup_printf ("p%d", n);
    if (ss_scenario_parameter (scenario, called) >= 0)
      *called = '\0';
  }
  if (ss_scenario_parameter (scenario, called) >= 0)
    return ssapp_refuse (error, _ ("There is a parameter of that name already"));
  root = json_deep_copy (ssapp_document_root (self));
  parameters = json_object_get (root, "parameters");
  if (parameters == NULL) {
    parameters = json_object ();
    json_object_set_new (root, "parameters", parameters);
  }
  json_object_set_new (parameters, called, json_integer (1));
  label = g_strdup_printf ("Add the parameter %s", called);
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_remove_parameter (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && name != NULL, FALSE);
  g_autofree char *label = g_strdup_printf ("Delete the parameter %s", name);
  json_t *root = json_deep_copy (ssapp_document_root (self)), *parameters = json_object_get (root, "parameters");

  if (json_object_del (parameters, name) != 0) {
    json_decref (root);
    return ssapp_refuse (error, _ ("There is no such parameter"));
  }
  if (json_object_size (parameters) == 0)
    json_object_del (root, "parameters");
  return ssapp_document_commit (self, root, label, error);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum { BODIES_NAMED = 12, PARAMETERS_NAMED = 24 }; /* in full; of more there is the number */

static void
append_functions (GString *out, gboolean is_smooth)
{
  static const struct {
    const char *text;
    int arity;
    gboolean is_smooth;
  } ops[] = {
#define X(name, text, arity, smooth) {text, arity, smooth},
      SS_OP_LIST (X)
#undef X
  };
  const char *separator = _ ("Functions: ");

  for (guint i = 0; i < G_N_ELEMENTS (ops); i++) {
    if (ops[i].arity == 0 || !g_ascii_isalpha (ops[i].text[0]) || strcmp (ops[i].text, "neg") == 0 ||
        (is_smooth && !ops[i].is_smooth))
      continue;
    g_string_append_printf (out, "%s%s", separator, ops[i].text);
    separator = ", ";
  }
  g_string_append (out, is_smooth ? _ ("; no comparisons: an optimiser needs derivatives") : "; <, <=, ==");
}

static void
append_states (GString *out, const SsScene *scene)
{
  const char *separator = _ ("Bodies: ");
  int n_readable = 0;

  for (int b = 0; b < scene->n_bodies; b++) {
    const SsBody *body = &scene->bodies[b];
    if (!is_readable (body->name) || n_readable++ >= BODIES_NAMED)
      continue;
    g_string_append_printf (out, "%s%s", separator, body->name);
    for (int p = 0; p < body->n_points; p++)
      g_string_append_printf (out, ", %s.%s", body->name, body->points[p].name);
    separator = ", ";
  }
  if (n_readable > BODIES_NAMED)
    g_string_append_printf (out, _ (" and %d more"), n_readable - BODIES_NAMED);
  if (n_readable > 0)
    g_string_append (out, _ ("; behind each .x .y [m], .theta [rad], .vx .vy [m/s], .omega [rad/s]\n"));
  separator = _ ("Not readable for their -: ");
  for (int b = 0; b < scene->n_bodies; b++)
    if (!is_readable (scene->bodies[b].name)) {
      g_string_append_printf (out, "%s%s", separator, scene->bodies[b].name);
      separator = ", ";
    }
  if (*separator == ',')
    g_string_append (out, _ ("; rename them first\n"));
}

char *
ssapp_document_describe_names (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  const SsScenario *scenario = ssapp_document_get_scenario (self);
  const gboolean is_task = path != NULL && g_str_has_prefix (path, "task.");
  GString *out = g_string_new (NULL);
  const char *separator = _ ("Parameters: ");

  if (scenario->scene == NULL)
    return g_string_free (out, FALSE);
  append_states (out, scenario->scene);
  for (int i = 0; i < scenario->n_parameters && i < PARAMETERS_NAMED; i++) {
    g_string_append_printf (out, "%s%s", separator, scenario->parameters[i].name);
    separator = ", ";
  }
  if (scenario->n_parameters > 0)
    g_string_append_c (out, '\n');
  separator = _ ("Controls: ");
  for (int i = 0; is_task && i < scenario->scene->n_actuators; i++) {
    g_string_append_printf (out, "%su.%s", separator, scenario->scene->actuators[i].name);
    separator = ", ";
  }
  if (is_task && scenario->scene->n_actuators > 0)
    g_string_append (out, _ ("; not at the end\n"));
  g_string_append (out, _ ("Time: t [s]; constants: pi, numbers, 30deg\n"));
  append_functions (out, is_task);
  return g_string_free (out, FALSE);
}
