/* app/document/ssapp-document-transform.c: selected objects of a sketch moved, turned and mirrored together.
 *
 * An isometry p -> L p + t acts on bodies (a body's frame turns with it; under a mirror its shapes, points and anchors
 * are mirrored in the frame, which keeps the axes of the world's mirror), on joints and springs that are chosen or
 * whose two bodies are, and on goals. So gaps between what moves and residuals of joints stay what they are. Numbers
 * that do not change keep their formula; those that do become numbers, or, where only the sign changes, "-(formula)".
 * Tests: tests/unit/test-document-selection.c */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* m, rad: less than a drag can mean */
#define SAME 1e-12

/* ---- isometries -------------------------------------------------------------------------------------------------- */

SsappIsometry
ssapp_isometry_move (double dx, double dy)
{
  return (SsappIsometry){.l = {{1, 0}, {0, 1}}, .t = {dx, dy}, .flip = {1, 1}};
}

/* The linear part's image of a centre is taken out, so that the centre stays. */
static void
fix_centre (SsappIsometry *iso, SsVec2 centre)
{
  iso->t.x = centre.x - iso->l[0][0] * centre.x - iso->l[0][1] * centre.y;
  iso->t.y = centre.y - iso->l[1][0] * centre.x - iso->l[1][1] * centre.y;
}

SsappIsometry
ssapp_isometry_turn (SsVec2 centre, double angle)
{
  double c = cos (angle), s = sin (angle);
  SsappIsometry iso = {.l = {{c, -s}, {s, c}}, .turn = angle, .flip = {1, 1}};

  fix_centre (&iso, centre);
  return iso;
}

static SsappIsometry
ssapp_isometry_mirror (SsVec2 centre, gboolean is_horizontal)
{
  int x = is_horizontal ? -1 : 1;
  SsappIsometry iso = {.l = {{x, 0}, {0, -x}}, .flip = {x, -x}, .is_mirror = TRUE};

  fix_centre (&iso, centre);
  return iso;
}

static SsVec2
apply_linear (const SsappIsometry *iso, SsVec2 v)
{
  return (SsVec2){iso->l[0][0] * v.x + iso->l[0][1] * v.y, iso->l[1][0] * v.x + iso->l[1][1] * v.y};
}

static SsVec2
ssapp_isometry_apply (const SsappIsometry *iso, SsVec2 p)
{
  SsVec2 q = apply_linear (iso, p);

  return (SsVec2){q.x + iso->t.x, q.y + iso->t.y};
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Sheds the noise of arithmetic, but keeps digits that mean something. */
static json_t *
new_number (double value)
{
  double tidy = ssapp_tidy (value);

  return json_real ((fabs (tidy - value) <= SAME * MAX (1, fabs (value)) ? tidy : value) + 0.0);
}

/* "-(text)", or the text where it is negated already: its parenthesis closes at the end. Caller frees. */
static char *
negated_text (const char *text)
{
  gsize n = strlen (text);
  int depth = 0;

  if (g_str_has_prefix (text, "-(") && text[n - 1] == ')') {
    gsize i = 1;
    for (; i < n; i++) {
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      if (depth == 0)
        break;
    }
    if (i == n - 1)
      return g_strndup (text + 2, n - 3);
  }
  return g_strdup_printf ("-(%s)", text);
}

/* A new value; NULL where there is nothing to negate (absent, or null, which means free). */
static json_t *
negated (const json_t *value)
{
  g_autofree char *text = json_is_string (value) ? negated_text (json_string_value (value)) : NULL;

  if (text != NULL)
    return json_string (text);
  if (json_is_integer (value))
    return json_integer (-json_integer_value (value));
  return json_is_real (value) ? json_real (0.0 - json_real_value (value)) : NULL;
}

static void
negate_member (json_t *object, const char *key)
{
  json_t *value = negated (json_object_get (object, key));

  if (value != NULL)
    json_object_set_new (object, key, value);
}

/* lower, upper -> -upper, -lower */
static void
negate_range (json_t *object, const char *lower, const char *upper)
{
  json_t *low = negated (json_object_get (object, upper)), *high = negated (json_object_get (object, lower));

  if (low == NULL)
    json_object_del (object, lower);
  else
    json_object_set_new (object, lower, low); /* in its old place */
  if (high == NULL)
    json_object_del (object, upper);
  else
    json_object_set_new (object, upper, high);
}

/* Signs of the two components of a point or direction. */
static void
flip_pair (json_t *pair, const int flip[2])
{
  for (size_t c = 0; c < 2; c++) {
    json_t *value = flip[c] < 0 ? negated (json_array_get (pair, c)) : NULL;
    if (value != NULL)
      json_array_set_new (pair, c, value);
  }
}

static void
flip_member (json_t *object, const char *key, const int flip[2])
{
  flip_pair (json_object_get (object, key), flip);
}

/* Sets the components that change from `before`; what is null (free) stays so. */
static void
store_pair (json_t *pair, SsVec2 before, SsVec2 after)
{
  const double from[2] = {before.x, before.y}, to[2] = {after.x, after.y};

  for (size_t c = 0; c < 2; c++)
    if (fabs (to[c] - from[c]) > SAME && !json_is_null (json_array_get (pair, c)))
      json_array_set_new (pair, c, new_number (to[c]));
}

static void
store_pair_member (json_t *object, const char *key, SsVec2 before, SsVec2 after)
{
  if (json_object_get (object, key) == NULL) {
    if (hypot (after.x - before.x, after.y - before.y) <= SAME)
      return;
    json_object_set_new (object, key, json_pack ("[i, i]", 0, 0));
  }
  store_pair (json_object_get (object, key), before, after);
}

/* An angle that turns with the isometry. */
static void
store_angle (json_t *object, const char *key, double before, const SsappIsometry *iso)
{
  if (iso->is_mirror)
    negate_member (object, key);
  else if (fabs (iso->turn) > SAME)
    json_object_set_new (object, key, new_number (before + iso->turn));
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void
mirror_shape (json_t *shape, const int flip[2])
{
  static const char *const points[] = {"from", "to", "normal", "position"};
  json_t *vertices = json_object_get (shape, "vertices");

  for (gsize i = 0; i < G_N_ELEMENTS (points); i++)
    flip_member (shape, points[i], flip);
  for (size_t i = 0; i < json_array_size (vertices); i++)
    flip_pair (json_array_get (vertices, i), flip);
  negate_member (shape, "angle");
}

static void
mirror_frame (json_t *body, const int flip[2])
{
  json_t *shapes = json_object_get (body, "shapes"), *points = json_object_get (body, "points"), *point;
  const char *name;

  mirror_shape (json_object_get (body, "shape"), flip);
  for (size_t i = 0; i < json_array_size (shapes); i++)
    mirror_shape (json_array_get (shapes, i), flip);
  json_object_foreach (points, name, point) flip_pair (point, flip);
}

static void
transform_body (json_t *body, const double pose[3], const SsBody *read, const SsappIsometry *iso)
{
  SsVec2 place = {pose[0], pose[1]}, speed = {read->v[0], read->v[1]};

  store_pair_member (body, "position", place, ssapp_isometry_apply (iso, place));
  store_angle (body, "angle", pose[2], iso);
  if (iso->is_mirror) {
    mirror_frame (body, iso->flip);
    flip_member (body, "velocity", iso->flip);
    negate_member (body, "angular_velocity");
  } else if (json_object_get (body, "velocity") != NULL) {
    store_pair_member (body, "velocity", speed, apply_linear (iso, speed));
  }
}

/* ---- joints and springs ------------------------------------------------------------------------------------------ */

/* A link as the engine reads it. */
typedef struct {
  int body[2]; /* -1: the world */
  SsVec2 anchor[2], axis;
} Link;

typedef struct {
  const SsScene *scene;
  const SsappIsometry *iso;
  const gboolean *moves; /* of each body */
} Change;

static gboolean
body_moves (const Change *change, int body)
{
  return body >= 0 && change->moves[body];
}

static SsVec2
turned (SsVec2 v, double angle)
{
  double c = cos (angle), s = sin (angle);

  return (SsVec2){c * v.x - s * v.y, s * v.x + c * v.y};
}

/* At the start, in the world. */
static SsVec2
place_of (const SsScene *scene, int body, SsVec2 anchor)
{
  const SsBody *b = body >= 0 ? &scene->bodies[body] : NULL;
  SsVec2 v = b != NULL ? turned (anchor, b->q[2]) : anchor;

  return b != NULL ? (SsVec2){b->q[0] + v.x, b->q[1] + v.y} : v;
}

/* One of `anchors`, which the file gives in the frame of its body. */
static void
transform_anchor (json_t *pair, const Link *link, int end, const Change *change)
{
  const SsBody *body = link->body[end] >= 0 ? &change->scene->bodies[link->body[end]] : NULL;
  SsVec2 before, after;

  if (body_moves (change, link->body[end])) {
    flip_pair (pair, change->iso->flip);
    return;
  }
  before = place_of (change->scene, link->body[end], link->anchor[end]);
  after = ssapp_isometry_apply (change->iso, before);
  if (body == NULL) {
    store_pair (pair, before, after);
    return;
  }
  SsVec2 shift = turned ((SsVec2){after.x - before.x, after.y - before.y}, -body->q[2]),
         local = {link->anchor[end].x - body->origin.x, link->anchor[end].y - body->origin.y};
  store_pair (pair, local, (SsVec2){local.x + shift.x, local.y + shift.y});
}

static void
transform_places (json_t *entry, const Link *link, const Change *change)
{
  json_t *anchor = json_object_get (entry, "anchor"), *points = json_object_get (entry, "points"),
         *anchors = json_object_get (entry, "anchors");

  for (int end = 0; end < 2; end++) {
    SsVec2 place = place_of (change->scene, link->body[end], link->anchor[end]);
    if (anchor != NULL && end == 0)
      store_pair (anchor, place, ssapp_isometry_apply (change->iso, place));
    if (points != NULL)
      store_pair (json_array_get (points, (size_t)end), place, ssapp_isometry_apply (change->iso, place));
    if (anchors != NULL)
      transform_anchor (json_array_get (anchors, (size_t)end), link, end, change);
  }
}

/* The axis of a slider, in the frame of its first body. */
static void
transform_axis (json_t *entry, const Link *link, const Change *change)
{
  double angle = link->body[0] >= 0 ? change->scene->bodies[link->body[0]].q[2] : 0;

  if (body_moves (change, link->body[0]) || change->iso->is_mirror) {
    if (body_moves (change, link->body[0]) || fabs (sin (2 * angle)) <= SAME)
      flip_member (entry, "axis", change->iso->flip);
    return;
  }
  store_pair_member (entry, "axis", link->axis,
                     turned (apply_linear (change->iso, turned (link->axis, angle)), -angle));
}

static void
shift_member (json_t *object, const char *key, double before, double shift)
{
  if (json_object_get (object, key) != NULL && fabs (shift) > SAME)
    json_object_set_new (object, key, new_number (before + shift));
}

/* Angles between the two bodies: limits of a pin, its motor's speed, rest of a torsion spring. */
static void
transform_angles (json_t *entry, const Link *link, double lower, double upper, double rest, const Change *change)
{
  gboolean both = body_moves (change, link->body[0]) && body_moves (change, link->body[1]),
           from_world = link->body[0] < 0 && body_moves (change, link->body[1]);

  if (change->iso->is_mirror && (both || from_world)) {
    negate_range (entry, "lower", "upper");
    negate_member (entry, "rest");
    negate_member (entry, "motor_speed");
  } else if (from_world) {
    shift_member (entry, "lower", lower, change->iso->turn);
    shift_member (entry, "upper", upper, change->iso->turn);
    shift_member (entry, "rest", rest, change->iso->turn);
  }
}

/* Points of a rope: those of the world with its ends, those of a body in its frame. */
static void
transform_over (json_t *entry, const SsJoint *rope, const Change *change)
{
  json_t *over = json_object_get (entry, "over");

  for (int i = 0; i < rope->n_over; i++) {
    json_t *item = json_array_get (over, (size_t)i);
    const SsVec2 place = place_of (change->scene, rope->over[i].body, rope->over[i].anchor);
    if (json_is_array (item))
      store_pair (item, place, ssapp_isometry_apply (change->iso, place));
    else if (body_moves (change, rope->over[i].body))
      flip_member (item, "anchor", change->iso->flip);
  }
}

static void
transform_joint (json_t *entry, const SsJoint *joint, const Change *change)
{
  const Link link = {{joint->body_a, joint->body_b}, {joint->anchor_a, joint->anchor_b}, joint->axis};

  transform_places (entry, &link, change);
  if (joint->kind == SS_JOINT_ROPE)
    transform_over (entry, joint, change);
  if (joint->kind == SS_JOINT_SLIDER)
    transform_axis (entry, &link, change);
  if (joint->kind == SS_JOINT_PIN)
    transform_angles (entry, &link, joint->lower, joint->upper, 0, change);
}

static void
transform_spring (json_t *entry, const SsSpring *spring, const Change *change)
{
  const Link link = {{spring->body_a, spring->body_b}, {spring->anchor_a, spring->anchor_b}, {0, 0}};

  transform_places (entry, &link, change);
  if (spring->is_torsion)
    transform_angles (entry, &link, 0, 0, spring->rest, change);
}

/* ---- tasks and drives -------------------------------------------------------------------------------------------- */

static void
transform_target (json_t *entry, const double pose[3], const SsPlanTarget *read, const SsappIsometry *iso)
{
  SsVec2 place = {pose[0], pose[1]},
         speed = {isnan (read->value[3]) ? 0 : read->value[3], isnan (read->value[4]) ? 0 : read->value[4]};

  if (json_object_get (entry, "position") != NULL)
    store_pair (json_object_get (entry, "position"), place, ssapp_isometry_apply (iso, place));
  if (json_is_number (json_object_get (entry, "angle")) || json_is_string (json_object_get (entry, "angle")))
    store_angle (entry, "angle", pose[2], iso);
  if (iso->is_mirror) {
    flip_member (entry, "velocity", iso->flip);
    negate_member (entry, "angular_velocity");
  } else if (json_object_get (entry, "velocity") != NULL) {
    store_pair (json_object_get (entry, "velocity"), speed, apply_linear (iso, speed));
  }
}

/* [lower, upper] of a coordinate that becomes sign * coordinate + shift. */
static void
transform_range (json_t *entry, const char *key, const double read[2], double sign, double shift)
{
  json_t *range = json_object_get (entry, key);
  double values[2];

  if (!json_is_array (range) || (sign > 0 && fabs (shift) <= SAME))
    return;
  for (int i = 0; i < 2; i++)
    values[i] = sign * read[sign > 0 ? i : 1 - i] + shift;
  for (size_t i = 0; i < 2; i++)
    json_array_set_new (range, i, isfinite (values[i]) ? new_number (values[i]) : json_null ());
}

/* Turned bounds are no bounds of coordinates any more: they stay. */
static void
transform_bounds (json_t *entry, const SsPlanBound *read, const SsappIsometry *iso)
{
  static const char *const names[] = {"x", "y", "theta", "vx", "vy", "omega"};

  if (fabs (iso->turn) > SAME)
    return;
  for (int c = 0; c < 6; c++) {
    const double range[2] = {read->lower[c], read->upper[c]};
    double sign = c % 3 == 2 ? (iso->is_mirror ? -1 : 1) : iso->flip[c % 3];
    transform_range (entry, names[c], range, sign, c == 0 ? iso->t.x : c == 1 ? iso->t.y : 0);
  }
}

/* What a mirror makes of a control of a body or joint that is mirrored. */
static void
mirror_actuator (json_t *entry, const SsActuator *read, const Change *change)
{
  const SsJoint *joint = read->kind == SS_ACTUATOR_JOINT ? &change->scene->joints[read->joint] : NULL;

  if (read->kind == SS_ACTUATOR_FORCE) {
    flip_member (entry, "direction", change->iso->flip);
    flip_member (entry, "anchor", change->iso->flip);
  } else if (joint == NULL || joint->kind == SS_JOINT_PIN) {
    negate_range (entry, "lower", "upper");
    negate_member (entry, "formula");
  }
}

static void
mirror_force (json_t *entry, const int flip[2])
{
  flip_member (entry, "force", flip);
  negate_member (entry, "torque");
}

static gboolean
is_mirrored (const SsActuator *actuator, const Change *change)
{
  const SsJoint *joint;

  if (actuator->kind != SS_ACTUATOR_JOINT)
    return body_moves (change, actuator->body);
  joint = &change->scene->joints[actuator->joint];
  return body_moves (change, joint->body_b) && (joint->body_a < 0 || body_moves (change, joint->body_a));
}

/* ---- all of a selection ------------------------------------------------------------------------------------------ */

static gboolean
has_key (const char *const *keys, const char *key)
{
  return g_strv_contains (keys, key);
}

/* A link follows when it is chosen, or when both of its bodies move. */
static gboolean
link_moves (const Change *change, const char *const *keys, const char *path, int a, int b)
{
  return (body_moves (change, a) && body_moves (change, b)) || has_key (keys, path);
}

static void
transform_links (SsappDocument *self, json_t *root, const char *const *keys, const Change *change)
{
  const SsScene *scene = change->scene;
  g_autoptr (GPtrArray) joints = ssapp_document_list_items (self, "scene.joints"),
                        springs = ssapp_document_list_items (self, "scene.springs");

  for (guint i = 0; i < joints->len; i++) {
    const SsappItem *item = g_ptr_array_index (joints, i);
    for (int j = 0; !item->is_family && j < scene->n_joints; j++)
      if (strcmp (scene->joints[j].name, item->name) == 0 &&
          link_moves (change, keys, item->path, scene->joints[j].body_a, scene->joints[j].body_b))
        transform_joint (ssapp_tree_get (root, item->path), &scene->joints[j], change);
  }
  for (guint i = 0; i < springs->len; i++) {
    const SsappItem *item = g_ptr_array_index (springs, i);
    for (int j = 0; !item->is_family && j < scene->n_springs; j++)
      if (strcmp (scene->springs[j].name, item->name) == 0 &&
          link_moves (change, keys, item->path, scene->springs[j].body_a, scene->springs[j].body_b))
        transform_spring (ssapp_tree_get (root, item->path), &scene->springs[j], change);
  }
}

/* Goals and bounds that are among the keys. */
static void
transform_task (SsappDocument *self, json_t *root, const char *const *keys, const Change *change)
{
  const SsPlan *plan = ssapp_document_get_scenario (self)->task.plan;

  for (; plan != NULL && *keys != NULL; keys++) {
    gboolean is_target = g_str_has_prefix (*keys, "task.targets["), is_bound = g_str_has_prefix (*keys, "task.bounds[");
    SsappItem *item = is_target || is_bound ? ssapp_document_get_item (self, *keys) : NULL;
    int body = item != NULL ? ss_scene_find (change->scene, SS_OWNER_BODY, item->name) : -1;
    double pose[3];
    for (int i = 0; is_target && body >= 0 && i < plan->n_targets; i++)
      if (plan->targets[i].body == body && ssapp_document_get_target_pose (self, *keys, pose))
        transform_target (ssapp_tree_get (root, *keys), pose, &plan->targets[i], change->iso);
    for (int i = 0; is_bound && body >= 0 && i < plan->n_bounds; i++)
      if (plan->bounds[i].body == body)
        transform_bounds (ssapp_tree_get (root, *keys), &plan->bounds[i], change->iso);
    ssapp_item_free (item);
  }
}

/* Notes that are among the keys. */
static void
transform_notes (json_t *root, const char *const *keys, const Change *change)
{
  for (; *keys != NULL; keys++) {
    json_t *at = g_str_has_prefix (*keys, "scene.notes[") ? json_object_get (ssapp_tree_get (root, *keys), "at") : NULL;
    const SsVec2 place = {json_number_value (json_array_get (at, 0)), json_number_value (json_array_get (at, 1))};
    if (at != NULL)
      store_pair (at, place, ssapp_isometry_apply (change->iso, place));
  }
}

static void
mirror_drives (SsappDocument *self, json_t *root, const Change *change)
{
  const SsScene *scene = change->scene;
  g_autoptr (GPtrArray) actuators = ssapp_document_list_items (self, "scene.actuators"),
                        forces = ssapp_document_list_items (self, "scene.forces");

  for (guint i = 0; i < actuators->len; i++) {
    const SsappItem *item = g_ptr_array_index (actuators, i);
    for (int j = 0; !item->is_family && j < scene->n_actuators; j++)
      if (strcmp (scene->actuators[j].name, item->name) == 0 && is_mirrored (&scene->actuators[j], change))
        mirror_actuator (ssapp_tree_get (root, item->path), &scene->actuators[j], change);
  }
  for (guint i = 0; i < forces->len; i++) {
    const SsappItem *item = g_ptr_array_index (forces, i);
    for (int j = 0; !item->is_family && j < scene->n_forces; j++)
      if (strcmp (scene->forces[j].name, item->name) == 0 && body_moves (change, scene->forces[j].body))
        mirror_force (ssapp_tree_get (root, item->path), change->iso->flip);
  }
}

gboolean
ssapp_document_transform (SsappDocument *self, const char *const *keys, const SsappIsometry *iso, const char *label,
                          GError **error)
{
  const SsScene *scene = ssapp_document_scene (self);
  g_autofree gboolean *moves = NULL;
  json_t *root;
  int n = 0;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  moves = g_new0 (gboolean, (gsize)scene->n_bodies + 1);
  root = json_deep_copy (ssapp_document_root (self));
  for (const char *const *key = keys; *key != NULL; key++) {
    int index = ss_scene_find (scene, SS_OWNER_BODY, *key);
    g_autofree char *path = ssapp_document_body_path (self, index);
    double pose[3];
    n += ssapp_document_is_movable (self, *key) || g_str_has_prefix (*key, "task.bounds[");
    if (path == NULL)
      continue;
    moves[index] = TRUE;
    ssapp_document_get_pose (self, index, pose);
    transform_body (ssapp_tree_get (root, path), pose, &scene->bodies[index], iso);
  }
  if (n == 0) {
    json_decref (root);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("Nothing of the selection can be moved"));
    return FALSE;
  }
  const Change change = {scene, iso, moves};
  transform_links (self, root, keys, &change);
  transform_task (self, root, keys, &change);
  transform_notes (root, keys, &change);
  if (iso->is_mirror)
    mirror_drives (self, root, &change);
  return ssapp_document_commit_change (self, root, label, error);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* "Move box", "Turn 4 objects"; caller frees. */
static char *
make_label (SsappDocument *self, const char *verb)
{
  g_autofree char *what = ssapp_document_describe_selection (self);

  return g_strdup_printf ("%s %s", verb, what);
}

static gboolean
transform_selection (SsappDocument *self, const SsappIsometry *iso, const char *verb, GError **error)
{
  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self, NULL));
  g_autofree char *label = make_label (self, verb);

  return ssapp_document_transform (self, (const char *const *)keys, iso, label, error);
}

gboolean
ssapp_document_get_selection_bounds (SsappDocument *self, double box[4])
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);

  g_auto (GStrv) keys = g_strdupv ((char **)ssapp_document_get_selection (self, NULL));
  gboolean found = FALSE;

  box[0] = box[1] = INFINITY;
  box[2] = box[3] = -INFINITY;
  for (char **key = keys; *key != NULL; key++) {
    g_autoptr (GPtrArray) marks = ssapp_document_list_marks (self, *key);
    for (guint i = 0; i < marks->len; i++) {
      double extent[4];
      if (!ssapp_document_is_movable (self, *key) || !ssapp_mark_bounds (g_ptr_array_index (marks, i), extent))
        continue;
      found = TRUE;
      for (int c = 0; c < 2; c++) {
        box[c] = MIN (box[c], extent[c]);
        box[c + 2] = MAX (box[c + 2], extent[c + 2]);
      }
    }
  }
  return found;
}

/* The middle of what is selected; of half-planes alone the first one's position. */
SsVec2
ssapp_document_get_selection_centre (SsappDocument *self)
{
  const SsMark *mark = ssapp_document_get_selected_mark (self);
  double box[4];

  if (ssapp_document_get_selection_bounds (self, box))
    return (SsVec2){(box[0] + box[2]) / 2, (box[1] + box[3]) / 2};
  return mark != NULL ? mark->position : (SsVec2){0, 0};
}

gboolean
ssapp_document_move_selection (SsappDocument *self, double dx, double dy, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsappIsometry iso = ssapp_isometry_move (dx, dy);

  return transform_selection (self, &iso, "Move", error);
}

gboolean
ssapp_document_turn_selection (SsappDocument *self, double angle, const SsVec2 *centre, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsappIsometry iso =
      ssapp_isometry_turn (centre != NULL ? *centre : ssapp_document_get_selection_centre (self), angle);

  return transform_selection (self, &iso, "Turn", error);
}

gboolean
ssapp_document_mirror_selection (SsappDocument *self, gboolean is_horizontal, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsappIsometry iso = ssapp_isometry_mirror (ssapp_document_get_selection_centre (self), is_horizontal);

  return transform_selection (self, &iso, "Mirror", error);
}
