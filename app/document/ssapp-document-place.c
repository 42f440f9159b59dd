/* app/document/ssapp-document-place.c: exact placement of an edited sketch's bodies: snapping of what is dragged, "Rest
 * on", "Flush with", overlaps. The geometry is in ssapp-place.c and ssapp-overlap.c. */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define OVERLAPS_MAX 100
#define CACHE        "ssapp-overlaps" /* data of the object: found for the text that it has now */

/* The other way of ssapp_body_to_file. */
static void
from_file (const SsBody *body, const double pose[3], double q[3])
{
  const double c = cos (pose[2]), s = sin (pose[2]);

  q[0] = pose[0] - (c * body->origin.x - s * body->origin.y);
  q[1] = pose[1] - (s * body->origin.x + c * body->origin.y);
  q[2] = pose[2];
}

/* The body that an entry is about: itself, or a goal's; -1. */
static int
body_at (SsappDocument *self, const char *path)
{
  SsappItem *item = ssapp_document_get_item (self, path);
  int index = item != NULL ? ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, item->name) : -1;

  ssapp_item_free (item);
  return index;
}

gboolean
ssapp_document_snap_pose (SsappDocument *self, const char *path, const double from[3], const double want[3],
                          const SsappSnapRules *rules, SsappSnap *snap)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const int index = body_at (self, path);
  const SsBody *body = index >= 0 ? &ssapp_document_scene (self)->bodies[index] : NULL;
  double from_q[3], want_q[3], pose[3];

  if (body == NULL)
    return FALSE;
  from_file (body, from, from_q);
  from_file (body, want, want_q);
  ssapp_place_snap_body (ssapp_document_scene (self), index, from_q, want_q, rules, snap);
  ssapp_body_to_file (body, snap->q, pose);
  for (int c = 0; c < 3; c++) /* what does not move keeps its digits, and so its formula */
    snap->q[c] = snap->q[c] == from_q[c] && snap->q[2] == from_q[2] ? from[c] : pose[c];
  return TRUE;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* A body that can be placed; -1 with an error. */
static int
require_body (SsappDocument *self, const char *body, GError **error)
{
  int index;
  g_autofree char *path = NULL;

  if (!ssapp_document_require_scene (self, error))
    return -1;
  index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, body);
  path = ssapp_document_body_path (self, index);
  if (index < 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no body “%s”"), body != NULL ? body : "");
  else if (path == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("“%s” is one of a family that the file writes by a rule: change the rule in the file"), body);
  return path != NULL ? index : -1;
}

/* "": -1; FALSE with an error where there is no such body or it is the moved one. */
static gboolean
find_other (SsappDocument *self, int index, const char *name, int *other, GError **error)
{
  *other = -1;
  if (name == NULL || *name == '\0')
    return TRUE;
  *other = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, name);
  if (*other >= 0 && *other != index)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               *other < 0 ? _ ("There is no body “%s”") : _ ("“%s” cannot be placed against itself"), name);
  return FALSE;
}

/* `q` as the body's pose; coordinates that are as they were keep their formulas. */
static gboolean
put (SsappDocument *self, int index, const double q[3], const char *label, GError **error)
{
  g_autofree char *path = ssapp_document_body_path (self, index);
  const SsBody *body = &ssapp_document_scene (self)->bodies[index];
  double pose[3], before[3];

  ssapp_document_get_pose (self, index, before);
  ssapp_body_to_file (body, q, pose);
  for (int c = 0; c < 3; c++)
    if (q[c] == body->q[c] && q[2] == body->q[2])
      pose[c] = before[c];
  ssapp_document_begin_gesture (self, label);
  return ssapp_document_finish_gesture (self, ssapp_document_set_pose_exactly (self, path, pose, error));
}

gboolean
ssapp_document_rest_on (SsappDocument *self, const char *body, const char *on, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const int index = require_body (self, body, error);
  const SsScene *scene = ssapp_document_scene (self);
  int other, found;
  double q[3];
  g_autofree char *label = NULL;

  if (index < 0 || !find_other (self, index, on, &other, error))
    return FALSE;
  memcpy (q, scene->bodies[index].q, sizeof q);
  if (!ssapp_place_rest (scene, index, other, q, &found)) {
    if (other >= 0)
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("“%s” is not below “%s”"), on, body);
    else
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("There is nothing below “%s”"), body);
    return FALSE;
  }
  label = g_strdup_printf ("Rest %s on %s", body, scene->bodies[found].name);
  return put (self, index, q, label, error);
}

gboolean
ssapp_document_flush_with (SsappDocument *self, const char *body, const char *with, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const int index = require_body (self, body, error);
  const SsScene *scene = ssapp_document_scene (self);
  int other, found;
  double q[3];
  g_autofree char *label = NULL;

  if (index < 0 || !find_other (self, index, with, &other, error))
    return FALSE;
  memcpy (q, scene->bodies[index].q, sizeof q);
  if (!ssapp_place_flush (scene, index, other, q, &found)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("There is nothing that “%s” can lie against"), body);
    return FALSE;
  }
  label = g_strdup_printf ("Set %s flush with %s", body, scene->bodies[found].name);
  return put (self, index, q, label, error);
}

gboolean
ssapp_document_settle (SsappDocument *self, const char *body, const char *other, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const int index = require_body (self, body, error);
  const SsScene *scene = ssapp_document_scene (self);
  g_autofree char *path = NULL;
  double q[3], pose[3];
  int with;

  if (index < 0 || !find_other (self, index, other, &with, error))
    return FALSE;
  memcpy (q, scene->bodies[index].q, sizeof q);
  if (with < 0 || !(fabs (ssapp_place_gap (scene, index, q, with, NULL)) <= SSAPP_OVERLAP_LEAST) ||
      !ssapp_place_settle (scene, index, &with, 1, q))
    return TRUE; /* they were not drawn touching */
  ssapp_body_to_file (&scene->bodies[index], q, pose);
  path = ssapp_document_body_path (self, index);
  return ssapp_document_set_pose_exactly (self, path, pose, error);
}

/* ---- overlaps ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsScenario *scenario; /* that they are of; never followed */
  char *text;
  GArray *overlaps;
} Cache;

static void
cache_free (gpointer data)
{
  Cache *cache = data;

  g_free (cache->text);
  g_array_unref (cache->overlaps);
  g_free (cache);
}

const GArray *
ssapp_document_get_overlaps (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  Cache *cache = g_object_get_data (G_OBJECT (self), CACHE);
  const SsScenario *scenario = ssapp_document_get_scenario (self);

  if (cache != NULL && cache->scenario == scenario && strcmp (cache->text, ssapp_document_get_text (self)) == 0)
    return cache->overlaps;
  cache = g_new0 (Cache, 1);
  cache->scenario = scenario;
  cache->text = g_strdup (ssapp_document_get_text (self));
  cache->overlaps = scenario->scene != NULL ? ssapp_overlaps_find (scenario->scene, OVERLAPS_MAX)
                                            : g_array_new (FALSE, FALSE, sizeof (SsappOverlap));
  g_object_set_data_full (G_OBJECT (self), CACHE, cache, cache_free);
  return cache->overlaps;
}

gboolean
ssapp_document_separate (SsappDocument *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const GArray *overlaps = ssapp_document_get_overlaps (self);
  const int selected = ssapp_document_get_selected_index (self);
  g_autofree double (*poses)[3] = NULL;
  int n_bodies;
  gboolean done;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  if (overlaps->len == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("No bodies overlap"));
    return FALSE;
  }
  n_bodies = ssapp_document_scene (self)->n_bodies;
  poses = g_malloc0 (sizeof (double[3]) * (gsize)n_bodies);
  for (int b = 0; b < n_bodies; b++)
    memcpy (poses[b], ssapp_document_scene (self)->bodies[b].q, sizeof poses[b]);
  if (!ssapp_overlaps_separate (ssapp_document_scene (self), selected, poses)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                         _ ("The bodies are wedged between others: move one of them by hand"));
    return FALSE;
  }
  ssapp_document_begin_gesture (self, "Separate bodies");
  done = TRUE;
  for (int b = 0; b < n_bodies && done; b++) {
    const SsBody *body = &ssapp_document_scene (self)->bodies[b];
    g_autofree char *path = ssapp_document_body_path (self, b);
    double pose[3], before[3];

    if (poses[b][0] == body->q[0] && poses[b][1] == body->q[1])
      continue;
    ssapp_document_get_pose (self, b, before);
    ssapp_body_to_file (body, poses[b], pose);
    for (int c = 0; c < 3; c++)
      if (poses[b][c] == body->q[c])
        pose[c] = before[c];
    done = ssapp_document_set_pose_exactly (self, path, pose, error);
  }
  return ssapp_document_finish_gesture (self, done);
}

char *
ssapp_document_describe_overlaps (SsappDocument *self)
{
  const guint n = ssapp_document_get_overlaps (self)->len;

  if (n == 0)
    return g_strdup (_ ("No overlaps"));
  return g_strdup_printf (n >= OVERLAPS_MAX ? _ ("%u overlaps or more") : ngettext ("%u overlap", "%u overlaps", n), n);
}

char *
ssapp_document_describe_overlap (SsappDocument *self, const SsappOverlap *overlap)
{
  return ssapp_overlap_text (ssapp_document_scene (self), overlap);
}
