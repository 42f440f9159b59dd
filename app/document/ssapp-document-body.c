/* app/document/ssapp-document-body.c: bodies and other entries of an edited scene as its file has them: poses in the
 * file's frames, locks, lists; what lies under the pointer; quantities with units. */
#include "app/document/ssapp-document-law.h"
#include "app/base/ssapp-text.h"
#include "app/document/ssapp-document-private.h"

#include "core/ss-core.h"

#include <math.h>
#include <string.h>

/* ---- poses ------------------------------------------------------------------------------------------------------- */

char *
ssapp_document_body_path (SsappDocument *self, int index)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const SsScene *scene = ssapp_document_scene (self);

  if (scene == NULL || index < 0 || index >= scene->n_bodies || scene->bodies[index].item < 0)
    return NULL;
  return g_strdup_printf ("scene.bodies[%d]", scene->bodies[index].item);
}

void
ssapp_body_to_file (const SsBody *body, const double q[3], double pose[3])
{
  double c = cos (q[2]), s = sin (q[2]);

  pose[0] = q[0] + c * body->origin.x - s * body->origin.y;
  pose[1] = q[1] + s * body->origin.x + c * body->origin.y;
  pose[2] = q[2];
}

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
  int index = ssapp_scene_find_body (ssapp_document_scene (self), name);

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
  int index = item != NULL ? ssapp_scene_find_body (ssapp_document_scene (self), item->name) : -1;
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
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is nothing to move at “%s”", path);
    return FALSE;
  }
  if (!is_target)
    ssapp_document_get_pose (self, ssapp_scene_find_body (ssapp_document_scene (self), item->name), before);
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
                         "The file writes this body by a rule: change the rule in the file");
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
      json_object_set_new (body, "mass", json_real (area > 0 ? ssapp_tidy (SSAPP_NEW_DENSITY * area) : 1));
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

/* ---- other entries ----------------------------------------------------------------------------------------------- */

void
ssapp_item_free (SsappItem *item)
{
  if (item == NULL)
    return;
  g_free (item->path);
  g_free (item->name);
  g_free (item->kind);
  g_free (item->detail);
  g_free (item);
}

char *
ssapp_short_number (double value)
{
  return ssapp_text_number ("%.4g", value);
}

/* A number in few digits, or the formula. */
static char *
short_value (const json_t *value)
{
  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  return json_is_number (value) ? ssapp_short_number (json_number_value (value)) : NULL;
}

/* "±20 N", "0 … 20 N", "free". */
static char *
describe_limits (const json_t *item, const char *unit)
{
  const json_t *lower = json_object_get (item, "lower"), *upper = json_object_get (item, "upper");
  g_autofree char *lower_text = short_value (lower), *upper_text = short_value (upper);

  if (json_is_number (lower) && json_is_number (upper) && json_number_value (lower) == -json_number_value (upper))
    return g_strdup_printf ("±%s %s", upper_text, unit);
  if (lower_text == NULL && upper_text == NULL)
    return g_strdup ("unbounded");
  return g_strdup_printf ("%s … %s %s", lower_text != NULL ? lower_text : "−∞", upper_text != NULL ? upper_text : "∞",
                          unit);
}

static char *
describe_pair (const json_t *bodies)
{
  const char *a = json_string_value (json_array_get (bodies, 0)), *b = json_string_value (json_array_get (bodies, 1));

  return g_strdup_printf ("%s – %s", a != NULL ? a : "", b != NULL ? b : "");
}

static char *
describe_place (const json_t *item)
{
  const json_t *position = json_object_get (item, "position");
  g_autofree char *x = short_value (json_array_get (position, 0)), *y = short_value (json_array_get (position, 1));

  if (x != NULL && y != NULL)
    return g_strdup_printf ("%s, %s m", x, y);
  if (x != NULL)
    return g_strdup_printf ("x %s m", x);
  if (y != NULL)
    return g_strdup_printf ("y %s m", y);
  return g_strdup ("");
}

/* What a list's entries are called when they do not say it themselves. */
static const struct {
  const char *list, *kind;
  gboolean is_named_by_body;
} lists[] = {{"scene.bodies", "body", FALSE},
             {"scene.joints", "joint", FALSE},
             {"scene.springs", "spring", FALSE},
             {"scene.actuators", "actuator", FALSE},
             {"scene.forces", "force", FALSE},
             {"task.targets", "goal", TRUE},
             {"task.bounds", "bounds", TRUE},
             {"task.constraints", "constraint", FALSE},
             {"task.cost", "cost", FALSE},
             {"scene.material_pairs", "pair of materials", FALSE},
             {"scene.constraints", "constraint", FALSE}};

/* The formula of a cost or of a scene's constraint, or the first row of a constraint and how many more there are. */
static char *
describe_formula (const json_t *entry)
{
  const json_t *cost = json_object_get (entry, "cost"), *zero = json_object_get (entry, "zero"),
               *nonnegative = json_object_get (entry, "nonnegative"), *law = json_object_get (entry, "formula");
  const size_t n = json_array_size (zero) + json_array_size (nonnegative);
  g_autofree char *first = short_value (cost != NULL                 ? cost
                                        : json_array_size (zero) > 0 ? json_array_get (zero, 0)
                                                                     : json_array_get (nonnegative, 0));

  if (law != NULL) {
    g_autofree char *phi = short_value (law);
    const gboolean is_at_least = g_strcmp0 (json_string_value (json_object_get (entry, "kind")), "at_least") == 0;
    return g_strdup_printf ("%s %s 0", phi != NULL ? phi : "", is_at_least ? "≥" : "=");
  }
  if (first == NULL)
    return g_strdup ("");
  if (cost != NULL)
    return g_steal_pointer (&first);
  return n > 1 ? g_strdup_printf ("%s %s 0, %zu more", first, json_array_size (zero) > 0 ? "=" : "≥", n - 1)
               : g_strdup_printf ("%s %s 0", first, json_array_size (zero) > 0 ? "=" : "≥");
}

/* "µ 0.5", or nothing. */
static char *
describe_friction (const json_t *entry)
{
  g_autofree char *value = short_value (json_object_get (entry, "friction"));

  return value != NULL ? g_strdup_printf ("µ %s", value) : g_strdup ("");
}

static SsappItem *
make_material (SsappDocument *self, const char *name)
{
  SsappItem *item = g_new0 (SsappItem, 1);

  item->path = g_strdup_printf (SSAPP_MATERIALS ".%s", name);
  item->name = g_strdup (name);
  item->kind = g_strdup ("material");
  item->detail = ssapp_document_describe_users (self, name);
  return item;
}

/* The contact at a path; NULL if the pair neither touches nor is turned off by the file. */
static SsappItem *
make_contact (SsappDocument *self, const char *path)
{
  json_t *root = ssapp_document_root (self), *entry = ssapp_tree_get (root, path);
  int index = ssapp_document_find_contact (self, path);
  g_autofree char *a = NULL, *b = NULL, *mu = NULL;
  SsappItem *item;

  if (index < 0 && entry == NULL)
    return NULL;
  ssapp_tree_parse_contact (path, &a, &b, NULL);
  mu = index >= 0 ? ssapp_short_number (ssapp_document_scene (self)->contacts[index].mu) : NULL;
  item = g_new0 (SsappItem, 1);
  item->path = g_strdup (path);
  item->name = g_strdup_printf ("%s – %s", a, b);
  item->kind = g_strdup ("contact");
  item->detail = mu != NULL ? g_strdup_printf ("µ %s", mu) : g_strdup ("off");
  item->is_family = entry == NULL && !ssapp_tree_has_all_contacts (root);
  return item;
}

static SsappItem *
make_item (const json_t *entry, guint list, size_t index)
{
  SsappItem *item = g_new0 (SsappItem, 1);
  const char *type = json_string_value (json_object_get (entry, "type")), *kind = lists[list].kind, *name;

  item->path = g_strdup_printf ("%s[%zu]", lists[list].list, index);
  item->is_family = json_object_get (entry, "for") != NULL;
  if (g_str_equal (kind, "joint") && type != NULL)
    kind = type;
  name = json_string_value (json_object_get (entry, lists[list].is_named_by_body ? "body" : "name"));
  item->name = item->is_family ? g_strdup_printf ("family %zu", index + 1)
               : name != NULL  ? g_strdup (name)
                               : g_strdup_printf ("%s%zu", kind, index + 1); /* as the engine calls it */
  item->kind = g_strdup (g_str_equal (kind, "actuator") && type != NULL      ? type
                         : json_is_true (json_object_get (entry, "torsion")) ? "torsion spring"
                                                                             : kind);
  if (item->is_family)
    item->detail = g_strdup ("by a rule");
  else if (g_str_equal (kind, "actuator"))
    item->detail =
        g_strchomp (describe_limits (entry, g_strcmp0 (type, "torque") == 0  ? "N m"
                                            : g_strcmp0 (type, "joint") == 0 ? "" /* N on a slider, N m on a pin */
                                                                             : "N"));
  else if (g_str_equal (kind, "goal"))
    item->detail = describe_place (entry);
  else if (g_str_equal (kind, "cost") || g_str_equal (kind, "constraint"))
    item->detail = describe_formula (entry);
  else if (json_object_get (entry, "materials") != NULL) {
    g_free (item->name);
    item->name = describe_pair (json_object_get (entry, "materials"));
    item->detail = describe_friction (entry);
  } else if (json_object_get (entry, "bodies") != NULL)
    item->detail = describe_pair (json_object_get (entry, "bodies"));
  else
    item->detail = g_strdup (lists[list].is_named_by_body ? "" : json_string_value (json_object_get (entry, "body")));
  if (item->detail == NULL)
    item->detail = g_strdup ("");
  return item;
}

static guint
find_list (const char *path, size_t length)
{
  guint l = 0;

  while (l < G_N_ELEMENTS (lists) && !(strlen (lists[l].list) == length && strncmp (lists[l].list, path, length) == 0))
    l++;
  return l;
}

GPtrArray *
ssapp_document_list_items (SsappDocument *self, const char *list)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_item_free);
  const json_t *entries = ssapp_tree_get (ssapp_document_root (self), list);
  guint l = find_list (list, strlen (list));
  const char *name;
  json_t *material;

  if (g_str_equal (list, SSAPP_MATERIALS))
    json_object_foreach ((json_t *)entries, name, material) g_ptr_array_add (items, make_material (self, name));
  for (size_t i = 0; l < G_N_ELEMENTS (lists) && json_is_array (entries) && i < json_array_size (entries); i++)
    g_ptr_array_add (items, make_item (json_array_get (entries, i), l, i));
  return items;
}

SsappItem *
ssapp_document_get_item (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const char *bracket = strrchr (path, '[');
  const json_t *entry = ssapp_tree_get (ssapp_document_root (self), path);
  const char *rest;

  if (ssapp_tree_parse_contact (path, NULL, NULL, &rest) && *rest == '\0')
    return make_contact (self, path);
  if (g_str_has_prefix (path, SSAPP_MATERIALS ".") && json_is_object (entry))
    return make_material (self, path + strlen (SSAPP_MATERIALS "."));
  guint l = bracket != NULL ? find_list (path, (size_t)(bracket - path)) : G_N_ELEMENTS (lists);

  if (l == G_N_ELEMENTS (lists) || !json_is_object (entry))
    return NULL;
  return make_item (entry, l, (size_t)g_ascii_strtoull (bracket + 1, NULL, 10));
}

gboolean
ssapp_document_remove_item (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  SsappItem *item = ssapp_document_get_item (self, path);
  g_autofree char *label = NULL, *copy = g_strdup (path);
  gboolean was_selected = g_strcmp0 (ssapp_document_get_selected_item (self), path) == 0;
  json_t *root;

  if (item == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is nothing at “%s”", path);
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

/* A goal's mark is called "Goal: box", a joint's as the joint. */
gboolean
ssapp_mark_stands_for (const SsMark *mark, const SsappItem *item)
{
  const char *colon = strstr (mark->name, ": ");
  gboolean is_goal = strcmp (item->kind, "goal") == 0;

  if ((mark->role == SS_ROLE_GOAL) != is_goal || strcmp (item->kind, "bounds") == 0)
    return FALSE;
  return strcmp (is_goal && colon != NULL ? colon + 2 : mark->name, item->name) == 0 && mark->role != SS_ROLE_CENTRE;
}

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
  static const char *const drawn[] = {"scene.joints", "scene.springs", "scene.actuators", "scene.constraints"};
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
    if (path != NULL || ssapp_scene_find_body (ssapp_document_scene (self), marks[index].name) >= 0)
      return path;
  }
  return NULL;
}

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

double
ssapp_snap (double value, double step)
{
  return step > 0 ? round (value / step) * step : value;
}
