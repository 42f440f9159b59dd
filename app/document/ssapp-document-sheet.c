/* app/document/ssapp-document-sheet.c: measures between what lies under two points of the canvas, and notes. Tests:
 * tests/unit/test-measure.c */
#include "app/document/ssapp-document-private.h"

#include "scene/ss-measure.h"

#include <glib/gi18n.h>
#include <math.h>

/* ---- features under a point -------------------------------------------------------------------------------------- */

typedef struct {
  const SsScene *scene;
  const char *place; /* "x,y" of the point */
  double reach, nearest;
  char *text; /* owned; NULL: none so far */
} Search;

/* Takes the feature where it is nearer to the point than what was found; FALSE: there is no such feature. */
static gboolean
try_feature (Search *self, const char *text)
{
  g_autofree double *poses = g_new (double, 3 * self->scene->n_bodies);
  SsMeasure measure;

  if (ss_measure_between (self->scene->bodies, self->scene->n_bodies, "", false, text, self->place, &measure, NULL) !=
      SS_OK)
    return FALSE;
  for (int i = 0; i < 3 * self->scene->n_bodies; i++)
    poses[i] = self->scene->bodies[i / 3].q[i % 3];
  const double distance = fabs (ss_measure_at (&measure, poses, 3).value);
  if (distance <= self->reach && distance < self->nearest) {
    g_free (self->text);
    self->text = g_strdup (text);
    self->nearest = distance;
  }
  return TRUE;
}

/* NAME.corner1, NAME.corner2 and so on. */
static void
try_numbered (Search *self, const SsBody *body, const char *what)
{
  gboolean is_there = TRUE;

  for (int i = 1; is_there; i++) {
    g_autofree char *text = g_strdup_printf ("%s.%s%d", body->name, what, i);
    is_there = try_feature (self, text);
  }
}

char *
ssapp_document_feature_at (SsappDocument *self, SsVec2 at, double reach)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  char x[64], y[64];

  ss_format_double (ssapp_tidy (at.x), x, sizeof x);
  ss_format_double (ssapp_tidy (at.y), y, sizeof y);
  g_autofree char *place = g_strdup_printf ("%s,%s", x, y);
  const SsScene *scene = ssapp_document_scene (self);
  Search search = {.scene = scene, .place = place, .reach = reach, .nearest = INFINITY};

  for (int b = 0; b < scene->n_bodies; b++) {
    const SsBody *body = &scene->bodies[b];
    for (int i = 0; i < body->n_points; i++) {
      g_autofree char *text = g_strdup_printf ("%s.%s", body->name, body->points[i].name);
      try_feature (&search, text);
    }
    try_numbered (&search, body, "corner");
    if (body->shape.kind != SS_SHAPE_HALF_PLANE)
      try_feature (&search, body->name);
  }
  for (int b = scene->n_bodies - 1; search.text == NULL && b >= 0; b--)
    if (ssapp_body_covers (&scene->bodies[b], at, reach)) {
      try_numbered (&search, &scene->bodies[b], "edge");
      if (search.text == NULL)
        search.text = g_strdup (scene->bodies[b].name);
    }
  return search.text != NULL ? search.text : g_steal_pointer (&place);
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static char *
free_name (const SsScene *scene, const char *stem)
{
  for (int number = 1;; number++) {
    char *name = g_strdup_printf ("%s%d", stem, number);
    gboolean is_taken = FALSE;
    for (int i = 0; i < scene->n_measures; i++)
      is_taken = is_taken || g_str_equal (scene->measures[i].name, name);
    for (int i = 0; i < scene->n_notes; i++)
      is_taken = is_taken || g_str_equal (scene->notes[i].name, name);
    if (!is_taken)
      return name;
    g_free (name);
  }
}

static gboolean
add_measure (SsappDocument *self, gboolean is_angle, const char *a, const char *b, GError **error)
{
  g_autofree char *name = free_name (ssapp_document_scene (self), is_angle ? "angle" : "distance");

  return ssapp_document_append_entry (
      self, "measures",
      json_pack ("{s:s, s:s, s:[s, s]}", "name", name, "kind", is_angle ? "angle" : "distance", "between", a, b),
      is_angle ? "Measure an angle" : "Measure a distance", error);
}

gboolean
ssapp_document_add_measure (SsappDocument *self, SsVec2 from, SsVec2 to, double reach, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  const SsScene *scene = ssapp_document_scene (self);
  g_autofree char *a = ssapp_document_feature_at (self, from, reach), *b = ssapp_document_feature_at (self, to, reach);
  SsMeasure measure;
  SsError err = {0};

  if (ss_measure_between (scene->bodies, scene->n_bodies, "", true, a, b, &measure, &err) != SS_OK)
    return ssapp_refuse (error, err.message);
  return add_measure (self, measure.a.is_edge && measure.b.is_edge, a, b, error);
}

gboolean
ssapp_document_measure_selection (SsappDocument *self, gboolean is_angle, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const char *features[] = {"0,0", "0,0"};
  int n = 0;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  for (const char *const *key = ssapp_document_get_selection (self, NULL); *key != NULL; key++)
    if (ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, *key) >= 0 && n++ < 2)
      features[n - 1] = *key;
  if (n != 1 && n != 2)
    return ssapp_refuse (error,
                         _ ("Select two bodies to measure between, or one to measure it from the world's origin"));
  g_autofree char *a = g_strdup (features[n == 1]), *b = g_strdup (features[n == 2]); /* the selection changes */
  return add_measure (self, is_angle, a, b, error);
}

gboolean
ssapp_document_add_note (SsappDocument *self, SsVec2 at, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && text != NULL, FALSE);
  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  g_autofree char *name = free_name (ssapp_document_scene (self), "note");
  return ssapp_document_append_entry (
      self, "notes",
      json_pack ("{s:s, s:[f, f], s:s}", "name", name, "at", ssapp_tidy (at.x), ssapp_tidy (at.y), "text", text),
      "Write a note", error);
}
