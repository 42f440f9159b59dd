/* app/document/ssapp-document-selection.c: several selected objects of an edited scenario: which there are, which lie
 * in a box, what they are called together. The set itself is kept in ssapp-document.c. Tests:
 * tests/unit/test-document-selection.c */
#include "app/document/ssapp-document-private.h"

#include "app/base/ssapp-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* More than this many are counted, not named. */
enum { NAMED_MAX = 3 };

/* Lists of the file whose entries have a place of their own on the canvas. */
static const char *const placed_lists[] = {"scene.joints", "scene.springs", "task.targets", "scene.notes"};

int
ssapp_document_count_selected (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), 0);

  int n;

  ssapp_document_get_selection (self, &n);
  return n;
}

gboolean
ssapp_document_is_selected (SsappDocument *self, const char *key)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && key != NULL, FALSE);
  return g_strv_contains (ssapp_document_get_selection (self, NULL), key);
}

void
ssapp_document_set_selection (SsappDocument *self, const char *const *keys)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  g_auto (GStrv) copy = g_strdupv ((char **)keys); /* they may be the selection's own */
  guint n = copy != NULL ? g_strv_length (copy) : 0;
  g_autofree char *primary = n > 0 ? g_steal_pointer (&copy[n - 1]) : NULL;

  ssapp_document_set_keys (self, (const char *const *)copy, primary);
}

void
ssapp_document_toggle_selected (SsappDocument *self, const char *key)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self) && key != NULL);

  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  gboolean was_there = FALSE;

  for (const char *const *k = ssapp_document_get_selection (self, NULL); *k != NULL; k++)
    if (strcmp (*k, key) == 0)
      was_there = TRUE;
    else
      g_ptr_array_add (keys, (char *)*k);
  if (!was_there)
    g_ptr_array_add (keys, (char *)key);
  g_ptr_array_add (keys, NULL);
  ssapp_document_set_selection (self, (const char *const *)keys->pdata);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* Keys of all that has a place; free with g_ptr_array_unref. */
static GPtrArray *
list_placed (SsappDocument *self)
{
  const SsScene *scene = ssapp_document_scene (self);
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);

  for (gsize l = 0; scene != NULL && l < G_N_ELEMENTS (placed_lists); l++) {
    g_autoptr (GPtrArray) items = ssapp_document_list_items (self, placed_lists[l]);
    for (guint i = 0; i < items->len; i++)
      if (!((const SsappItem *)g_ptr_array_index (items, i))->is_family)
        g_ptr_array_add (keys, g_strdup (((const SsappItem *)g_ptr_array_index (items, i))->path));
  }
  for (int i = 0; scene != NULL && i < scene->n_bodies; i++) /* last: the primary of all is a body */
    g_ptr_array_add (keys, g_strdup (scene->bodies[i].name));
  return keys;
}

GPtrArray *
ssapp_document_list_marks (SsappDocument *self, const char *key)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && key != NULL, NULL);

  GPtrArray *found = g_ptr_array_new ();
  SsappItem *item = ssapp_key_is_item (key) ? ssapp_document_get_item (self, key) : NULL;
  int n_marks;
  const SsMark *marks = ssapp_document_get_marks (self, &n_marks);

  for (int i = 0; i < n_marks; i++)
    if (item != NULL
            ? ssapp_mark_stands_for (&marks[i], item)
            : (marks[i].role == SS_ROLE_BODY || marks[i].role == SS_ROLE_FIXED) && strcmp (marks[i].name, key) == 0)
      g_ptr_array_add (found, (gpointer)&marks[i]);
  ssapp_item_free (item);
  return found;
}

static void
include (double box[4], double x, double y, double reach)
{
  box[0] = MIN (box[0], x - reach);
  box[1] = MIN (box[1], y - reach);
  box[2] = MAX (box[2], x + reach);
  box[3] = MAX (box[3], y + reach);
}

gboolean
ssapp_mark_bounds (const SsMark *mark, double box[4])
{
  g_return_val_if_fail (box != NULL, FALSE);

  double c = cos (mark->angle), s = sin (mark->angle), reach = mark->kind == SS_MARK_POLYGON ? 0 : mark->radius;

  if (mark->kind == SS_MARK_HALF_PLANE || !mark->visible)
    return FALSE;
  box[0] = box[1] = INFINITY;
  box[2] = box[3] = -INFINITY;
  for (int i = 0; i < mark->n_vertices; i++) {
    SsVec2 v = mark->vertices[i];
    include (box, mark->position.x + c * v.x - s * v.y, mark->position.y + s * v.x + c * v.y, reach);
  }
  if (mark->n_vertices == 0)
    include (box, mark->position.x, mark->position.y, reach);
  if (mark->kind == SS_MARK_SEGMENT || mark->kind == SS_MARK_SPRING)
    include (box, mark->position.x + mark->vector.x, mark->position.y + mark->vector.y, 0);
  return TRUE;
}

/* All marks of the key lie in the box. */
static gboolean
lies_within (SsappDocument *self, const char *key, const double box[4])
{
  g_autoptr (GPtrArray) marks = ssapp_document_list_marks (self, key);

  for (guint i = 0; i < marks->len; i++) {
    double extent[4];
    if (!ssapp_mark_bounds (g_ptr_array_index (marks, i), extent) || extent[0] < box[0] || extent[1] < box[1] ||
        extent[2] > box[2] || extent[3] > box[3])
      return FALSE;
  }
  return marks->len > 0;
}

/* ---- choosing many ----------------------------------------------------------------------------------------------- */

void
ssapp_document_select_all (SsappDocument *self)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  g_autoptr (GPtrArray) keys = list_placed (self);

  g_ptr_array_add (keys, NULL);
  ssapp_document_set_selection (self, (const char *const *)keys->pdata);
}

void
ssapp_document_select_within (SsappDocument *self, const double box[4], gboolean adds)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  g_autoptr (GPtrArray) placed = list_placed (self), keys = g_ptr_array_new_with_free_func (g_free);

  for (const char *const *k = ssapp_document_get_selection (self, NULL); adds && *k != NULL; k++)
    g_ptr_array_add (keys, g_strdup (*k));
  for (guint i = 0; i < placed->len; i++)
    if (lies_within (self, g_ptr_array_index (placed, i), box))
      g_ptr_array_add (keys, g_strdup (g_ptr_array_index (placed, i)));
  g_ptr_array_add (keys, NULL);
  ssapp_document_set_selection (self, (const char *const *)keys->pdata);
}

/* ---- in words ---------------------------------------------------------------------------------------------------- */

/* As people call it: a body's or entry's name, "goal of box". */
static char *
name_of (SsappDocument *self, const char *key)
{
  SsappItem *item = ssapp_key_is_item (key) ? ssapp_document_get_item (self, key) : NULL;
  char *name = item == NULL                      ? g_strdup (key)
               : g_str_has_prefix (key, "task.") ? g_strdup_printf (_ ("%s of %s"), item->kind, item->name)
                                                 : g_strdup (item->name);

  ssapp_item_free (item);
  return name;
}

char *
ssapp_document_describe_selection (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  int n;
  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self, &n));
  GString *text = g_string_new (NULL);

  if (n > NAMED_MAX)
    g_string_append_printf (text, _ ("%d objects"), n);
  for (int i = 0; n <= NAMED_MAX && i < n; i++) {
    g_autofree char *name = name_of (self, keys[i]);
    g_string_append_printf (text, "%s%s", i == 0 ? "" : i == n - 1 ? _ (" and ") : ", ", name);
  }
  return g_string_free (text, FALSE);
}

gboolean
ssapp_document_is_movable (SsappDocument *self, const char *key)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && key != NULL, FALSE);

  if (!ssapp_key_is_item (key)) {
    g_autofree char *path =
        ssapp_document_body_path (self, ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, key));
    return path != NULL;
  }
  for (gsize l = 0; l < G_N_ELEMENTS (placed_lists); l++)
    if (g_str_has_prefix (key, placed_lists[l])) {
      SsappItem *item = ssapp_document_get_item (self, key);
      gboolean is_movable = item != NULL && !item->is_family;
      ssapp_item_free (item);
      return is_movable;
    }
  return FALSE;
}

char *
ssapp_document_describe (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const SsScene *scene = ssapp_document_scene (self);
  const char *selected = ssapp_document_get_selected (self), *path = ssapp_document_get_selected_item (self);
  g_autofree char *bodies = NULL;

  if (scene == NULL)
    return g_strdup_printf (_ ("%s, given by equations with %d parameters"), ssapp_document_get_title (self),
                            ssapp_document_get_scenario (self)->n_parameters);
  if (scene->n_bodies == 0)
    return g_strdup (_ ("empty sketch"));
  bodies = g_strdup_printf (ngettext ("%d body", "%d bodies", (gulong)scene->n_bodies), scene->n_bodies);
  if (ssapp_document_count_selected (self) > (selected != NULL || path != NULL)) {
    g_autofree char *names = ssapp_document_describe_selection (self);
    return g_strdup_printf (_ ("%s, %s selected"), bodies, names);
  }
  if (selected != NULL) {
    double pose[3];
    ssapp_document_get_pose (self, MAX (ssapp_document_get_selected_index (self), 0), pose);
    return g_strdup_printf (_ ("%s, %s selected at x %.3f m, y %.3f m"), bodies, selected,
                            ssapp_text_zero (pose[0], 1e-3), ssapp_text_zero (pose[1], 1e-3));
  }
  if (path != NULL) {
    SsappItem *item = ssapp_document_get_item (self, path);
    gboolean has_place = !g_str_has_prefix (path, "scene.contacts{") && !g_str_has_prefix (path, "scene.mat");
    char *text = *item->detail == '\0' ? g_strdup_printf (_ ("%s, %s %s selected"), bodies, item->kind, item->name)
                 : has_place
                     ? g_strdup_printf (_ ("%s, %s %s selected at %s"), bodies, item->kind, item->name, item->detail)
                     : g_strdup_printf (_ ("%s, %s %s selected, %s"), bodies, item->kind, item->name, item->detail);
    ssapp_item_free (item);
    return text;
  }
  return g_strdup_printf (_ ("%s, nothing selected"), bodies);
}

void
ssapp_document_select_next (SsappDocument *self, int direction)
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  const SsScene *scene = ssapp_document_scene (self);
  int index = ssapp_document_get_selected_index (self);

  if (scene == NULL || scene->n_bodies == 0)
    return;
  if (index < 0)
    index = direction > 0 ? 0 : scene->n_bodies - 1;
  else
    index = (index + direction + scene->n_bodies) % scene->n_bodies;
  ssapp_document_select (self, scene->bodies[index].name);
}
