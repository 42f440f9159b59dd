/* app/session/ssapp-entrants.c: see the header. */
#include "app/session/ssapp-entrants.h"

#include <string.h>

typedef struct {
  SsMethod method;
  const SsMethod *base;
  char *label;
  guint number;
  gboolean is_in;
} Copy;

struct SsappEntrants {
  GPtrArray *copies; /* of Copy */
};

static void
copy_free (gpointer data)
{
  Copy *copy = data;

  g_free (copy->label);
  g_free (copy);
}

SsappEntrants *
ssapp_entrants_new (void)
{
  SsappEntrants *self = g_new0 (SsappEntrants, 1);

  self->copies = g_ptr_array_new_with_free_func (copy_free);
  return self;
}

void
ssapp_entrants_free (SsappEntrants *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->copies);
  g_free (self);
}

static Copy *
copy_of (SsappEntrants *self, const SsMethod *method)
{
  for (guint i = 0; i < self->copies->len; i++) {
    Copy *copy = g_ptr_array_index (self->copies, i);
    if (&copy->method == method)
      return copy;
  }
  return NULL;
}

static Copy *
find (SsappEntrants *self, const SsMethod *base, guint number)
{
  for (guint i = 0; i < self->copies->len; i++) {
    Copy *copy = g_ptr_array_index (self->copies, i);
    if (copy->base == base && copy->number == number)
      return copy;
  }
  return NULL;
}

const SsMethod *
ssapp_entrants_base (SsappEntrants *self, const SsMethod *method)
{
  const Copy *copy = copy_of (self, method);

  return copy != NULL ? copy->base : method;
}

const SsMethod *
ssapp_entrants_add (SsappEntrants *self, const SsMethod *method)
{
  g_return_val_if_fail (self != NULL, NULL);
  const SsMethod *base = ssapp_entrants_base (self, method);
  guint number = 2;
  Copy *copy;

  while ((copy = find (self, base, number)) != NULL && copy->is_in)
    number++;
  if (copy == NULL) {
    copy = g_new0 (Copy, 1);
    *copy = (Copy){*base, base, g_strdup_printf ("%s %u", base->label, number), number, FALSE};
    copy->method.label = copy->label;
    copy->method.is_default = copy->method.is_second = FALSE;
    g_ptr_array_add (self->copies, copy);
  }
  copy->is_in = TRUE;
  return &copy->method;
}

void
ssapp_entrants_remove (SsappEntrants *self, const SsMethod *method)
{
  Copy *copy = copy_of (self, method);

  if (copy != NULL)
    copy->is_in = FALSE;
}

void
ssapp_entrants_clear (SsappEntrants *self)
{
  for (guint i = 0; i < self->copies->len; i++)
    ((Copy *)g_ptr_array_index (self->copies, i))->is_in = FALSE;
}

guint
ssapp_entrants_number (SsappEntrants *self, const SsMethod *method)
{
  const Copy *copy = copy_of (self, method);

  return copy != NULL ? copy->number : 1;
}

const SsMethod *
ssapp_entrants_find (SsappEntrants *self, const SsMethod *method, guint number)
{
  const SsMethod *base = ssapp_entrants_base (self, method);
  const Copy *copy = number > 1 ? find (self, base, number) : NULL;

  return number == 1 ? base : copy != NULL && copy->is_in ? &copy->method : NULL;
}

static gint
compare_copies (gconstpointer a, gconstpointer b)
{
  const Copy *const *one = a, *const *other = b;

  return (gint)(*one)->number - (gint)(*other)->number;
}

void
ssapp_entrants_list (SsappEntrants *self, GPtrArray *methods)
{
  g_return_if_fail (self != NULL);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  for (guint i = 0; i < self->copies->len; i++)
    g_ptr_array_add (sorted, g_ptr_array_index (self->copies, i));
  g_ptr_array_sort (sorted, compare_copies);
  for (guint m = methods->len; m-- > 0;) { /* from behind, so that places stay */
    int at = (int)m + 1;
    for (guint i = 0; i < sorted->len; i++) {
      Copy *copy = g_ptr_array_index (sorted, i);
      if (copy->is_in && copy->base == g_ptr_array_index (methods, m))
        g_ptr_array_insert (methods, at++, &copy->method);
    }
  }
}

SsMethodId
ssapp_entrants_id (SsappEntrants *self, const SsMethod *method)
{
  SsMethodId id = ss_method_id (method);

  id.copy = (int)ssapp_entrants_number (self, method) - 1;
  return id;
}

gboolean
ssapp_entrants_parse (const char *text, char **name, guint *number)
{
  const char *mark = strrchr (text, '#');
  guint64 n = 1;

  if (mark != NULL && !g_ascii_string_to_unsigned (mark + 1, 10, 1, 1000, &n, NULL))
    return FALSE;
  *name = mark != NULL ? g_strndup (text, (gsize)(mark - text)) : g_strdup (text);
  *number = (guint)n;
  return TRUE;
}
