/* app/document/ssapp-document-mass.c: what a body weighs: a density, so that its mass follows its size, or a mass that
 * stays as it is given. A body has one of the two: who sets one takes the other out, who takes one out gets the other
 * with the value that it had. Tests: tests/unit/test-document-shape.c */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Area of a body's shapes and how far from the frame's origin its centroid must be to lie elsewhere [m]. */
#define CENTRED 1e-12

static json_t *
rounded (double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  return json_real (g_ascii_strtod (g_ascii_formatd (digits, sizeof digits, "%.6g", value), NULL));
}

/* The body whose field `key` (".mass") the path is; NULL: none. `entry` gets its own path, g_free. */
static const SsBody *
find_body (SsappDocument *self, const char *path, const char *key, char **entry)
{
  const SsScene *scene = ssapp_document_get_scenario (self)->scene;

  if (scene == NULL || !g_str_has_prefix (path, "scene.bodies[") || !g_str_has_suffix (path, key))
    return NULL;
  for (int i = 0; i < scene->n_bodies; i++) {
    g_autofree char *own = ssapp_document_body_path (self, i),
                    *field = own != NULL ? g_strconcat (own, key, NULL) : NULL;
    if (g_strcmp0 (field, path) == 0) {
      *entry = g_steal_pointer (&own);
      return &scene->bodies[i];
    }
  }
  return NULL;
}

/* A mass says where the centre of mass is: at the frame's origin, unless it is uniform. */
static void
be_fixed (json_t *item, const SsBody *body)
{
  json_object_del (item, "density");
  if (fabs (body->origin.x) > CENTRED || fabs (body->origin.y) > CENTRED)
    json_object_set_new (item, "uniform", json_true ());
}

static void
follow_size (json_t *item)
{
  json_object_del (item, "mass");
  json_object_del (item, "inertia");
  json_object_del (item, "uniform");
}

void
ssapp_document_settle_mass (SsappDocument *self, json_t *root, const char *path)
{
  g_autofree char *entry = NULL;
  const SsBody *mass = find_body (self, path, ".mass", &entry),
               *inertia = mass == NULL ? find_body (self, path, ".inertia", &entry) : NULL,
               *body = mass != NULL ? mass : inertia;
  json_t *item = body != NULL ? ssapp_tree_get (root, entry) : NULL;

  if (item != NULL && json_object_get (item, "density") != NULL) {
    if (inertia != NULL)
      json_object_set_new (item, "mass", rounded (body->mass));
    be_fixed (item, body);
  }
  if (body == NULL && find_body (self, path, ".density", &entry) != NULL)
    follow_size (ssapp_tree_get (root, entry));
}

gboolean
ssapp_document_set_mass_follows (SsappDocument *self, int index, gboolean follows, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autofree char *path = ssapp_document_body_path (self, index), *label = NULL;

  if (path == NULL)
    return ssapp_refuse (error, _ ("The file writes this body by a rule: change the rule in the file"));
  const SsBody *body = &ssapp_document_scene (self)->bodies[index];
  SsVec2 centroid;
  const double area = ssapp_shapes_area (body->shapes, body->n_shapes, &centroid);
  json_t *root = json_deep_copy (ssapp_document_root (self)), *item = ssapp_tree_get (root, path);
  if (follows == (json_object_get (item, "density") != NULL)) {
    json_decref (root);
    return TRUE;
  }
  label = g_strdup_printf (follows ? "Let the mass of %s follow its size" : "Fix the mass of %s", body->name);
  if (!follows) {
    json_object_set_new (item, "mass", rounded (body->mass));
    be_fixed (item, body);
  } else if (!(area > 0)) {
    json_decref (root);
    return ssapp_refuse (error, _ ("A density needs a shape with an area"));
  } else if (!json_is_true (json_object_get (item, "uniform")) && hypot (centroid.x, centroid.y) > 1e-9) {
    json_decref (root);
    return ssapp_refuse (error,
                         _ ("The centre of mass lies elsewhere than the middle of the shapes, which a density would "
                            "make it"));
  } else {
    follow_size (item);
    json_object_set_new (item, "density", rounded (body->mass / area));
  }
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_clear_mass (SsappDocument *self, const char *path, gboolean *is_mass, GError **error)
{
  g_autofree char *entry = NULL;
  const gboolean is_density = find_body (self, path, ".density", &entry) != NULL;

  *is_mass = is_density || find_body (self, path, ".mass", &entry) != NULL;
  for (int i = 0; *is_mass && i < ssapp_document_scene (self)->n_bodies; i++) {
    g_autofree char *own = ssapp_document_body_path (self, i);
    if (g_strcmp0 (own, entry) == 0)
      return ssapp_document_set_mass_follows (self, i, !is_density, error);
  }
  return TRUE;
}

char *
ssapp_document_derive_mass (SsappDocument *self, const char *path)
{
  g_autofree char *entry = NULL;
  const SsBody *body = find_body (self, path, ".mass", &entry);

  if (body != NULL)
    return (ssapp_tree_get (ssapp_document_root (self), path) != NULL) ? NULL : ssapp_short_number (body->mass);
  body = find_body (self, path, ".inertia", &entry);
  if (body != NULL)
    return ssapp_short_number (body->inertia);
  body = find_body (self, path, ".density", &entry);
  const double area = body != NULL ? ssapp_shapes_area (body->shapes, body->n_shapes, NULL) : 0;
  return area > 0 && !(ssapp_tree_get (ssapp_document_root (self), path) != NULL)
             ? ssapp_short_number (body->mass / area)
             : NULL;
}
