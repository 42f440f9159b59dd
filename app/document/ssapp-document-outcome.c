/* app/document/ssapp-document-outcome.c: see the header. */
#include "app/document/ssapp-document-outcome.h"

#include "app/document/ssapp-document-private.h"
#include "app/job/ssapp-interests.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
is_taken (const SsScenario *scenario, const char *name)
{
  for (int i = 0; i < scenario->n_interests; i++)
    if (strcmp (scenario->interests[i].name, name) == 0)
      return TRUE;
  return ss_scenario_parameter (scenario, name) >= 0;
}

char *
ssapp_document_try_outcome (SsappDocument *self, const char *name, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && name != NULL && text != NULL, NULL);
  if (*text == '=')
    return ssapp_refuse (error, _ ("A name, and a formula over channels and events of the motion")), NULL;
  const SsScenario *scenario = ssapp_document_get_scenario (self);
  g_autoptr (SsappInterests) interests = ssapp_interests_new (&text, 1, error);
  g_autofree char *unit = interests != NULL ? ssapp_interests_dup_unit (interests, 0, scenario, error) : NULL;

  if (unit == NULL)
    return NULL;
  const char *own = ssapp_interests_get_name (interests, 0);
  if (strcmp (own, name) != 0 && is_taken (scenario, own))
    return ssapp_refuse (error, _ ("The name is taken")), NULL;
  if (ssapp_interests_is_assertion (interests, 0))
    return g_strdup_printf (_ ("%s, which holds or fails"), own);
  return *unit != '\0' ? g_strdup_printf ("%s [%s]", own, unit) : g_strdup_printf (_ ("%s, a number"), own);
}

/* The section with `value` (taken; NULL: none) under a name, in the place of `from` where that is there. */
static void
replace (json_t *root, const char *from, const char *name, json_t *value)
{
  json_t *was = json_object_get (root, "outcomes"), *now = json_object (), *one;
  gboolean is_placed = value == NULL;
  const char *key;

  json_object_foreach (was, key, one)
  {
    const gboolean is_it = strcmp (key, from) == 0;
    if (is_it && value != NULL)
      json_object_set (now, name, value);
    else if (!is_it)
      json_object_set (now, key, one);
    is_placed = is_placed || is_it;
  }
  if (!is_placed)
    json_object_set (now, name, value);
  json_decref (value);
  if (json_object_size (now) > 0)
    json_object_set (root, "outcomes", now);
  else
    json_object_del (root, "outcomes");
  json_decref (now);
}

gboolean
ssapp_document_set_outcome (SsappDocument *self, const char *name, const char *text, GError **error)
{
  g_autofree char *words = ssapp_document_try_outcome (self, name, text, error);

  if (words == NULL)
    return FALSE;
  const char *equals = strchr (text, '=');
  g_autofree char *own = g_strndup (text, (gsize)(equals - text)),
                  *label = g_strdup_printf ("%s the outcome %s", *name == '\0' ? "Add" : "Change", g_strstrip (own));
  json_t *root = json_deep_copy (ssapp_document_root (self)),
         *was = json_object_get (json_object_get (root, "outcomes"), name), *value = json_string (equals + 1);

  if (json_is_object (was)) {
    json_t *described = json_copy (was);
    json_object_set_new (described, "formula", value);
    value = described;
  }
  replace (root, name, own, value);
  return ssapp_document_commit_change (self, root, label, error);
}

gboolean
ssapp_document_remove_outcome (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && name != NULL, FALSE);
  if (json_object_get (json_object_get (ssapp_document_root (self), "outcomes"), name) == NULL)
    return ssapp_refuse (error, _ ("There is no such outcome"));
  g_autofree char *label = g_strdup_printf ("Remove the outcome %s", name);
  json_t *root = json_deep_copy (ssapp_document_root (self));

  replace (root, name, name, NULL);
  return ssapp_document_commit (self, root, label, error);
}
