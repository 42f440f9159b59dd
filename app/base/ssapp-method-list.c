/* app/base/ssapp-method-list.c: see the header. */
#include "app/base/ssapp-method-list.h"

#include <string.h>

SsappMethodAsked *
ssapp_method_asked_new (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  SsappMethodAsked *self = g_new0 (SsappMethodAsked, 1);

  self->text = g_strstrip (g_strdup (text));
  self->name = g_strdup (parts[0] != NULL ? g_strstrip (parts[0]) : "");
  self->names = g_ptr_array_new_null_terminated (1, g_free, TRUE);
  self->values = g_ptr_array_new_null_terminated (1, g_free, TRUE);
  for (guint i = 1; parts[0] != NULL && parts[i] != NULL && self->wrong == NULL; i++) {
    const char *part = g_strstrip (parts[i]), *sign = strchr (part, '=');
    if (sign == NULL || sign == part) {
      self->wrong = g_strdup (part);
    } else {
      g_ptr_array_add (self->names, g_strchomp (g_strndup (part, (gsize)(sign - part))));
      g_ptr_array_add (self->values, g_strchug (g_strdup (sign + 1)));
    }
  }
  return self;
}

void
ssapp_method_asked_free (SsappMethodAsked *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->name);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->values);
  g_free (self->wrong);
  g_free (self);
}

GPtrArray *
ssapp_method_list_read (const char *list)
{
  GPtrArray *methods = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_method_asked_free);
  g_auto (GStrv) items = g_strsplit (list, ",", -1);

  for (guint i = 0; items[i] != NULL; i++)
    g_ptr_array_add (methods, ssapp_method_asked_new (items[i]));
  return methods;
}

const SsappMethodAsked *
ssapp_method_list_at (const GPtrArray *list, guint index)
{
  return g_ptr_array_index (list, index);
}

char *
ssapp_method_list_all (SsMethodKind kind)
{
  GString *list = g_string_new (NULL);

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind == kind && method->is_built)
      g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", method->name);
  }
  return g_string_free (list, FALSE);
}
