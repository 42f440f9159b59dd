/* app/document/ssapp-document-pairs.c: which two bodies a joint or spring joins where several overlap: what could be
 * joined there, and another choice. Tests: tests/unit/test-place.c */
#include "app/document/ssapp-document-private.h"
#include "app/draw/ssapp-scene-point.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define WORLD (-1)
/* [m] beside a body that still counts as on it: joints are written to a nanometre. */
#define ON 1e-6

/* The two ends of a joint or spring as the scene has it. */
typedef struct {
  int a, b;
  SsVec2 at_a, at_b; /* world [m] */
  SsVec2 axis;       /* world, of a slider */
  gboolean is_slider, has_two_ends;
} Ends;

static gboolean
find_ends (SsappDocument *self, const char *path, Ends *ends)
{
  const SsScene *scene = ssapp_document_scene (self);
  SsappItem *item = scene != NULL && path != NULL ? ssapp_document_get_item (self, path) : NULL;
  gboolean found = FALSE;

  for (int j = 0; item != NULL && !item->is_family && j < scene->n_joints; j++) {
    const SsJoint *joint = &scene->joints[j];
    if (strcmp (joint->name, item->name) != 0)
      continue;
    *ends = (Ends){.a = joint->body_a,
                   .b = joint->body_b,
                   .is_slider = joint->kind == SS_JOINT_SLIDER,
                   .has_two_ends = joint->kind == SS_JOINT_ROD || joint->kind >= SS_JOINT_GEAR,
                   .at_a = ssapp_point_at_start (scene, joint->body_a, joint->anchor_a),
                   .at_b = ssapp_point_at_start (scene, joint->body_b, joint->anchor_b),
                   .axis = ssapp_turned (joint->axis, joint->body_a >= 0 ? scene->bodies[joint->body_a].q[2] : 0)};
    found = TRUE;
  }
  for (int s = 0; item != NULL && !item->is_family && s < scene->n_springs; s++) {
    const SsSpring *spring = &scene->springs[s];
    if (strcmp (spring->name, item->name) != 0)
      continue;
    *ends = (Ends){.a = spring->body_a,
                   .b = spring->body_b,
                   .has_two_ends = !spring->is_torsion,
                   .at_a = ssapp_point_at_start (scene, spring->body_a, spring->anchor_a),
                   .at_b = ssapp_point_at_start (scene, spring->body_b, spring->anchor_b)};
    found = TRUE;
  }
  ssapp_item_free (item);
  return found;
}

static gboolean
covers (const SsScene *scene, int body, SsVec2 point)
{
  const SsShape dot = {.kind = SS_SHAPE_CIRCLE, .radius = ON};
  const double pose[3] = {point.x, point.y, 0};
  SsGap gaps[SS_MANIFOLD_MAX];

  for (int i = 0; i < scene->bodies[body].n_shapes; i++)
    if (ss_geometry_manifold (&scene->bodies[body].shapes[i], scene->bodies[body].q, &dot, pose, gaps) > 0 &&
        gaps[0].phi <= 0)
      return TRUE;
  return FALSE;
}

static const char *
name_of (const SsScene *scene, int body)
{
  return body == WORLD ? "world" : scene->bodies[body].name;
}

static void
add_pair (GPtrArray *pairs, const SsScene *scene, const Ends *ends, int a, int b)
{
  SsappPair *pair = g_new0 (SsappPair, 1);

  pair->a = g_strdup (name_of (scene, a));
  pair->b = g_strdup (name_of (scene, b));
  pair->text = a == WORLD ? g_strdup_printf (_ ("%s and the world"), pair->b)
                          : g_strdup_printf (_ ("%s and %s"), pair->a, pair->b);
  pair->is_chosen = (a == ends->a && b == ends->b) || (a == ends->b && b == ends->a);
  g_ptr_array_add (pairs, pair);
}

/* with its texts */
static void
ssapp_pair_free (SsappPair *pair)
{
  g_free (pair->a);
  g_free (pair->b);
  g_free (pair->text);
  g_free (pair);
}

GPtrArray *
ssapp_document_list_pairs (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  GPtrArray *pairs = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_pair_free);
  const SsScene *scene = ssapp_document_scene (self);
  Ends ends;

  if (!find_ends (self, path, &ends))
    return pairs;
  for (int b = scene->n_bodies - 1; b >= 0; b--) { /* the topmost first */
    if (!covers (scene, b, ends.at_b))
      continue;
    for (int a = ends.has_two_ends ? scene->n_bodies - 1 : b - 1; a >= 0; a--)
      if (a != b && covers (scene, a, ends.at_a))
        add_pair (pairs, scene, &ends, a, b);
    if (!scene->bodies[b].is_fixed)
      add_pair (pairs, scene, &ends, WORLD, b);
  }
  return pairs;
}

gboolean
ssapp_document_choose_pair (SsappDocument *self, const char *path, const char *a, const char *b, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsScene *scene = ssapp_document_scene (self);
  const int first = ss_scene_find (scene, SS_OWNER_BODY, a);
  Ends ends;
  json_t *root, *entry;
  SsappItem *item;
  g_autofree char *label = NULL;

  if (!find_ends (self, path, &ends)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no joint at “%s”"), path);
    return FALSE;
  }
  if (g_strcmp0 (name_of (scene, ends.a), a) == 0 && g_strcmp0 (name_of (scene, ends.b), b) == 0)
    return TRUE;
  root = json_deep_copy (ssapp_document_root (self));
  entry = ssapp_tree_get (root, path);
  json_object_set_new (entry, "bodies", json_pack ("[s, s]", a, b));
  if (json_object_get (entry, "anchors") != NULL) { /* of bodies' frames: of the world from now on */
    json_object_del (entry, "anchors");
    json_object_set_new (entry, "points",
                         json_pack ("[[f, f], [f, f]]", ends.at_a.x, ends.at_a.y, ends.at_b.x, ends.at_b.y));
  }
  if (ends.is_slider) { /* its axis is given in the first body's frame */
    const SsVec2 axis = ssapp_turned (ends.axis, first >= 0 ? -scene->bodies[first].q[2] : 0);
    json_object_set_new (entry, "axis", json_pack ("[f, f]", axis.x, axis.y));
  }
  item = ssapp_document_get_item (self, path);
  label = g_strdup_printf ("Join by %s", item->name);
  ssapp_item_free (item);
  return ssapp_document_commit (self, root, label, error);
}
