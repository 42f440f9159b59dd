/* app/document/ssapp-document-body.c: bodies of an edited scene as its file has them: poses in the file's frames,
 * locks, new ones, deleting and naming; what lies under the pointer. */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Smaller drags are clicks: the body gets a default size [m]. */
#define SMALLEST_SIZE       1e-3
#define DEFAULT_BOX_WIDTH   1.0
#define DEFAULT_BOX_HEIGHT  0.5
#define DEFAULT_DISC_RADIUS 0.25

/* ---- poses ------------------------------------------------------------------------------------------------------- */

void
ssapp_document_get_pose (SsappDocument *self, int index, double pose[3])
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  const SsBody *body = &ssapp_document_scene (self)->bodies[index];

  ssapp_body_to_file (body, body->q, pose);
}

gboolean
ssapp_document_get_target_pose (SsappDocument *self, const char *path, double pose[3])
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);

  const SsPlan *plan = ssapp_document_get_scenario (self)->task.plan;
  g_autofree char *name_path = g_strconcat (path, ".body", NULL);
  const char *name = json_string_value (ssapp_tree_get (ssapp_document_root (self), name_path));
  int index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, name);

  if (index < 0 || !g_str_has_prefix (path, "task.targets["))
    return FALSE;
  for (int i = 0; plan != NULL && i < plan->n_targets; i++)
    if (plan->targets[i].body == index) {
      const SsBody *body = &ssapp_document_scene (self)->bodies[index];
      double q[3];
      for (int c = 0; c < 3; c++)
        q[c] = isnan (plan->targets[i].value[c]) ? body->q[c] : plan->targets[i].value[c];
      ssapp_body_to_file (body, q, pose);
      return TRUE;
    }
  return FALSE;
}

void
ssapp_document_turn_pose (SsappDocument *self, const char *path, const double from[3], double angle, double pose[3])
{
  g_return_if_fail (SSAPP_IS_DOCUMENT (self));

  SsappItem *item = ssapp_document_get_item (self, path);
  int index = item != NULL ? ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, item->name) : -1;
  SsVec2 origin = index >= 0 ? ssapp_document_scene (self)->bodies[index].origin : (SsVec2){0, 0};
  double c0 = cos (from[2]), s0 = sin (from[2]), c1 = cos (angle), s1 = sin (angle);

  ssapp_item_free (item);
  pose[0] = from[0] + (c1 - c0) * origin.x - (s1 - s0) * origin.y;
  pose[1] = from[1] + (s1 - s0) * origin.x + (c1 - c0) * origin.y;
  pose[2] = angle;
}

/* `is_exact`: every digit counts. */
static gboolean
set_pose (SsappDocument *self, const char *path, const double pose[3], gboolean is_exact, GError **error)
{
  static const char *const fields[3] = {"position[0]", "position[1]", "angle"};
  /* m, rad: less than a drag can mean, more than turning there and back loses */
  const double same = is_exact ? 0 : 1e-12;
  SsappItem *item = ssapp_document_get_item (self, path);
  g_autofree char *label = NULL;
  double before[3];
  gboolean is_target = g_str_has_prefix (path, "task."), is_changed = FALSE;
  json_t *root;

  if (item == NULL || (is_target && !ssapp_document_get_target_pose (self, path, before))) {
    ssapp_item_free (item);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is nothing to move at “%s”"), path);
    return FALSE;
  }
  if (!is_target)
    ssapp_document_get_pose (self, ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, item->name), before);
  label = g_strdup_printf ("%s %s%s", pose[2] != before[2] ? "Turn" : "Move", is_target ? "goal of " : "", item->name);
  ssapp_item_free (item);
  root = json_deep_copy (ssapp_document_root (self));
  for (int c = 0; c < 3; c++) {
    g_autofree char *field = g_strconcat (path, ".", fields[c], NULL);
    double value = is_exact ? pose[c] + 0.0 : ssapp_tidy (pose[c]);
    if (fabs (value - before[c]) <= same)
      continue;
    is_changed = TRUE;
    ssapp_tree_set (root, field, json_real (value), NULL);
  }
  if (!is_changed) {
    json_decref (root);
    return TRUE;
  }
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_set_pose (SsappDocument *self, const char *path, const double pose[3], GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  return set_pose (self, path, pose, FALSE, error);
}

gboolean
ssapp_document_set_pose_exactly (SsappDocument *self, const char *path, const double pose[3], GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  return set_pose (self, path, pose, TRUE, error);
}

/* ---- what may move ----------------------------------------------------------------------------------------------- */

/* The body's object in a copy of the tree; NULL with an error for one of a family. */
static json_t *
copy_with_body (SsappDocument *self, int index, json_t **body, GError **error)
{
  g_autofree char *path = ssapp_document_body_path (self, index);
  json_t *root;

  if (path == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         _ ("The file writes this body by a rule: change the rule in the file"));
    return NULL;
  }
  root = json_deep_copy (ssapp_document_root (self));
  *body = ssapp_tree_get (root, path);
  return root;
}

gboolean
ssapp_document_set_fixed (SsappDocument *self, int index, gboolean is_fixed, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *body = NULL, *root = copy_with_body (self, index, &body, error);
  const SsBody *read = root != NULL ? &ssapp_document_scene (self)->bodies[index] : NULL;
  g_autofree char *label = NULL;

  if (root == NULL)
    return FALSE;
  label = g_strdup_printf ("%s %s", is_fixed ? "Fix" : "Free", read->name);
  if (is_fixed) {
    json_object_set_new (body, "fixed", json_true ());
    json_object_del (body, "velocity");
    json_object_del (body, "angular_velocity");
  } else {
    double area = ssapp_shapes_area (read->shapes, read->n_shapes, NULL);
    json_object_del (body, "fixed");
    if (json_object_get (body, "mass") == NULL && json_object_get (body, "density") == NULL)
      json_object_set_new (body, area > 0 ? "density" : "mass", json_real (area > 0 ? SSAPP_NEW_DENSITY : 1));
  }
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_set_lock (SsappDocument *self, int index, int axis, gboolean is_locked, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && axis >= 0 && axis < 3, FALSE);
  static const char *const names[3] = {"x", "y", "theta"};
  json_t *body = NULL, *root = copy_with_body (self, index, &body, error), *lock;
  g_autofree char *label = NULL;

  if (root == NULL)
    return FALSE;
  label = g_strdup_printf ("%s %s of %s", is_locked ? "Lock" : "Free", names[axis],
                           ssapp_document_scene (self)->bodies[index].name);
  lock = json_array ();
  for (int a = 0; a < 3; a++)
    if (a == axis ? is_locked : ssapp_document_scene (self)->bodies[index].lock[a])
      json_array_append_new (lock, json_string (names[a]));
  if (json_array_size (lock) > 0) {
    json_object_set_new (body, "lock", lock);
  } else {
    json_decref (lock);
    json_object_del (body, "lock");
  }
  return ssapp_document_commit (self, root, label, error);
}

/* ---- deleting entries -------------------------------------------------------------------------------------------- */

gboolean
ssapp_document_remove_item (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  SsappItem *item = ssapp_document_get_item (self, path);
  g_autofree char *label = NULL, *copy = g_strdup (path);
  gboolean was_selected = g_strcmp0 (ssapp_document_get_selected_item (self), path) == 0;
  json_t *root;

  if (item == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is nothing at “%s”"), path);
    return FALSE;
  }
  if (g_str_equal (item->kind, "contact")) {
    ssapp_item_free (item);
    return ssapp_document_set_contact_on (self, copy, FALSE, error);
  }
  label = g_str_equal (item->kind, "goal") || g_str_equal (item->kind, "bounds")
              ? g_strdup_printf ("Delete %s of %s", item->kind, item->name)
              : g_strdup_printf ("Delete %s", item->name);
  ssapp_item_free (item);
  root = json_deep_copy (ssapp_document_root (self));
  ssapp_tree_remove_item (root, copy);
  if (!ssapp_document_commit (self, root, label, error))
    return FALSE;
  if (was_selected) /* the next entry has the path now */
    ssapp_document_select_item (self, NULL);
  return TRUE;
}

/* ---- under the pointer ------------------------------------------------------------------------------------------- */

const SsMark *
ssapp_document_get_selected_mark (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  int index = ssapp_document_get_selected_index (self), n_marks;
  const SsMark *marks = ssapp_document_get_marks (self, &n_marks);
  SsappItem *item = ssapp_document_get_selected_item (self) != NULL
                        ? ssapp_document_get_item (self, ssapp_document_get_selected_item (self))
                        : NULL;
  const SsMark *found = index >= 0 && index < n_marks ? &marks[index] : NULL; /* mark i is body i */

  for (int i = 0; item != NULL && found == NULL && i < n_marks; i++)
    if (ssapp_mark_stands_for (&marks[i], item))
      found = &marks[i];
  ssapp_item_free (item);
  return found;
}

/* Path of the entry that a mark stands for; NULL if it is none. */
static char *
item_of_mark (SsappDocument *self, const SsMark *mark)
{
  static const char *const drawn[] = {"scene.joints",      "scene.springs",  "scene.actuators",
                                      "scene.constraints", "scene.measures", "scene.notes"};
  const char *colon = strstr (mark->name, ": ");

  if (mark->role == SS_ROLE_GOAL && colon != NULL)
    return ssapp_document_find_entry (self, "task.targets", colon + 2);
  for (guint l = 0; l < G_N_ELEMENTS (drawn); l++) {
    g_autoptr (GPtrArray) items = ssapp_document_list_items (self, drawn[l]);
    for (guint i = 0; i < items->len; i++) {
      const SsappItem *item = g_ptr_array_index (items, i);
      if (strcmp (item->name, mark->name) == 0)
        return g_strdup (item->path);
    }
  }
  return NULL;
}

char *
ssapp_document_find_mark_item (SsappDocument *self, const SsMark *mark)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  return item_of_mark (self, mark);
}

const char *
ssapp_document_hit (SsappDocument *self, const SsappCamera *camera, double x, double y, double tolerance)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  int index, n_marks;
  const SsMark *marks = ssapp_document_get_marks (self, &n_marks);

  if (marks == NULL)
    return NULL;
  /* Centres and contacts lie above their body: go down until a body is met. */
  for (int n = n_marks; n > 0; n = index) {
    index = ssapp_hit_test (camera, marks, n, x, y, tolerance);
    if (index < 0)
      return NULL;
    if (ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, marks[index].name) >= 0)
      return marks[index].name;
  }
  return NULL;
}

char *
ssapp_document_hit_item (SsappDocument *self, const SsappCamera *camera, double x, double y, double tolerance)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  int index, n_marks;
  const SsMark *marks = ssapp_document_get_marks (self, &n_marks), *chosen = ssapp_document_get_selected_mark (self);
  const char *selected = ssapp_document_get_selected_item (self);

  /* A goal that is selected is in hand also where its body lies on it. */
  if (selected != NULL && chosen != NULL && chosen->role == SS_ROLE_GOAL &&
      ssapp_hit_test (camera, chosen, 1, x, y, tolerance) == 0)
    return g_strdup (selected);
  for (int n = n_marks; n > 0 && marks != NULL; n = index) {
    char *path;
    index = ssapp_hit_test (camera, marks, n, x, y, tolerance);
    if (index < 0)
      return NULL;
    path = item_of_mark (self, &marks[index]);
    if (path != NULL || ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, marks[index].name) >= 0)
      return path;
  }
  return NULL;
}

/* ---- new bodies -------------------------------------------------------------------------------------------------- */

gboolean
ssapp_document_commit_body (SsappDocument *self, json_t *body, const char *stem, GError **error)
{
  json_t *root;
  g_autofree char *name = NULL, *label = NULL;

  if (!ssapp_document_require_scene (self, error)) {
    json_decref (body);
    return FALSE;
  }
  name = ssapp_tree_unique_body_name (ssapp_document_root (self), stem);
  label = g_strdup_printf ("Add %s", name);
  json_object_set_new (body, "name", json_string (name));
  root = json_deep_copy (ssapp_document_root (self));
  ssapp_tree_add_body (root, body);
  if (!ssapp_document_commit (self, root, label, error))
    return FALSE;
  ssapp_document_set_keys (self, NULL, name);
  return TRUE;
}

gboolean
ssapp_document_add_box (SsappDocument *self, SsVec2 a, SsVec2 b, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  double width = ssapp_tidy (fabs (b.x - a.x)), height = ssapp_tidy (fabs (b.y - a.y));
  double x = ssapp_tidy ((a.x + b.x) / 2), y = ssapp_tidy ((a.y + b.y) / 2);

  if (width < SMALLEST_SIZE || height < SMALLEST_SIZE) {
    width = DEFAULT_BOX_WIDTH;
    height = DEFAULT_BOX_HEIGHT;
  }
  return ssapp_document_commit_body (self,
                                     json_pack ("{s:s, s:{s:s, s:f, s:f}, s:f, s:[f, f], s:f, s:s}", "name", "",
                                                "shape", "type", "box", "width", width, "height", height, "density",
                                                SSAPP_NEW_DENSITY, "position", x, y, "angle", 0.0, "color", "blue"),
                                     "box", error);
}

gboolean
ssapp_document_add_disc (SsappDocument *self, SsVec2 centre, double radius, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  double r = ssapp_tidy (radius < SMALLEST_SIZE ? DEFAULT_DISC_RADIUS : radius);

  return ssapp_document_commit_body (self,
                                     json_pack ("{s:s, s:{s:s, s:f}, s:f, s:[f, f], s:f, s:s}", "name", "", "shape",
                                                "type", "circle", "radius", r, "density", SSAPP_NEW_DENSITY, "position",
                                                ssapp_tidy (centre.x), ssapp_tidy (centre.y), "angle", 0.0, "color",
                                                "yellow"),
                                     "disc", error);
}

gboolean
ssapp_document_add_ground (SsappDocument *self, SsVec2 from, SsVec2 to, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  double tx = to.x - from.x, ty = to.y - from.y, length = hypot (tx, ty);

  if (length < SMALLEST_SIZE) {
    tx = 1;
    ty = 0;
    length = 1;
  }
  if (tx < 0) { /* drawn right to left: the matter is still below */
    tx = -tx;
    ty = -ty;
  }
  return ssapp_document_commit_body (self,
                                     json_pack ("{s:s, s:b, s:{s:s, s:[f, f]}, s:[f, f]}", "name", "", "fixed", 1,
                                                "shape", "type", "half-plane", "normal",
                                                ssapp_tidy (-ty / length) + 0.0, ssapp_tidy (tx / length), "position",
                                                ssapp_tidy (from.x), ssapp_tidy (from.y)),
                                     "floor", error);
}

/* ---- bodies by their names --------------------------------------------------------------------------------------- */

/* Place among the scene's bodies; -1 with an error. */
static int
require_body (SsappDocument *self, const char *body, GError **error)
{
  int index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, body);

  if (!ssapp_document_require_scene (self, error))
    return -1;
  if (index < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no body “%s”"), body != NULL ? body : "");
  } else if (ssapp_document_scene (self)->bodies[index].item < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("“%s” is one of a family that the file writes by a rule: change the rule in the file"), body);
    index = -1;
  }
  return index;
}

gboolean
ssapp_document_delete (SsappDocument *self, const char *body, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *root;
  g_autofree char *label = NULL;

  if (require_body (self, body, error) < 0)
    return FALSE;
  label = g_strdup_printf ("Delete %s", body);
  root = json_deep_copy (ssapp_document_root (self));
  ssapp_tree_remove_body (root, ssapp_document_scene (self), body);
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_rename (SsappDocument *self, const char *body, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  json_t *root;
  g_autofree char *label = NULL, *from = g_strdup (body), *to = g_strdup (name);
  g_auto (GStrv) others = NULL;
  int n;
  gboolean was_selected = g_strcmp0 (ssapp_document_get_selected (self), body) == 0;

  if (require_body (self, from, error) < 0)
    return FALSE;
  if (strcmp (from, to) == 0)
    return TRUE;
  g_strstrip (to);
  label = g_strdup_printf ("Rename %s", from);
  root = json_deep_copy (ssapp_document_root (self));
  ssapp_tree_rename_body (root, ssapp_document_scene (self), from, to);
  if (!was_selected)
    return ssapp_document_commit (self, root, label, error);
  others = g_strdupv ((char **)ssapp_document_get_selection (self, &n));
  g_clear_pointer (&others[n - 1], g_free); /* the primary: under its new name */
  return ssapp_document_commit_keys (self, root, label, (const char *const *)others, to, error);
}

gboolean
ssapp_document_has_parts_of (SsappDocument *self, const SsScenario *other)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsScenario *own = ssapp_document_get_scenario (self);
  gboolean is_same = g_strcmp0 (own->name, other->name) == 0 && own->scene != NULL && other->scene != NULL &&
                     own->scene->n_bodies == other->scene->n_bodies &&
                     own->scene->n_actuators == other->scene->n_actuators;

  for (int b = 0; is_same && b < own->scene->n_bodies; b++)
    is_same = g_strcmp0 (own->scene->bodies[b].name, other->scene->bodies[b].name) == 0;
  return is_same;
}
