/* app/session/ssapp-parting.c: see the header. */
#include "app/session/ssapp-parting.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-draw-parts.h"
#include "app/job/ssapp-reasons.h"

#include <math.h>
#include <string.h>

static const double RING_PX = 15, RING_LINE_PX = 2.5, FLAG_PX = 7;

void
ssapp_parting_read (SsappParting *parting, const json_t *result)
{
  g_return_if_fail (parting != NULL);
  const json_t *first = json_object_get (result, "replay_first");
  const char *text = ssapp_json_get_string (first, "text");

  ssapp_parting_clear (parting);
  parting->is_known = text != NULL;
  parting->text = g_strdup (text != NULL ? text : "");
  parting->t = ssapp_json_get_real (first, "t");
  parting->is_parted = isfinite (parting->t);
  parting->contact = g_strdup (ssapp_json_get_string (first, "contact"));
  parting->body = g_strdup (ssapp_json_get_string (first, "body"));
}

void
ssapp_parting_clear (SsappParting *parting)
{
  g_return_if_fail (parting != NULL);
  g_free (parting->contact);
  g_free (parting->body);
  g_free (parting->text);
  *parting = (SsappParting){.t = NAN};
}

char *
ssapp_parting_dup_markup (const SsappParting *parting)
{
  g_return_val_if_fail (parting != NULL, NULL);
  SsReasons reasons = {.n = 1};

  g_strlcpy (reasons.items[0].text, parting->text != NULL ? parting->text : "", sizeof reasons.items[0].text);
  return ssapp_reasons_dup_markup (&reasons);
}

void
ssapp_parting_draw_mark (cairo_t *cr, const SsappStyle *style, const SsappParting *parting, double duration, double x,
                         double width, double height)
{
  g_return_if_fail (style != NULL);
  if (!parting->is_parted || !(duration > 0) || parting->t > duration)
    return;
  const double at = x + width * parting->t / duration, flag = FLAG_PX * style->scale;

  cairo_save (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FORCE));
  cairo_set_line_width (cr, ssapp_style_line (style, 1.5));
  cairo_move_to (cr, at, 0);
  cairo_line_to (cr, at, height);
  cairo_stroke (cr);
  cairo_move_to (cr, at, 0);
  cairo_line_to (cr, at + flag, flag / 2);
  cairo_line_to (cr, at, flag);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_restore (cr);
}

static gboolean
pose_of (const SsScene *scene, int body, const SsTrajectory *motion, const double *row, double pose[3])
{
  for (int c = 0; c < 3; c++) {
    g_autofree char *name = g_strdup_printf ("%s.%s", scene->bodies[body].name, ss_body_channels[c]);
    const int channel = ss_trajectory_channel (motion, name);

    pose[c] = channel >= 0 ? row[channel] : scene->bodies[body].q[c];
  }
  return isfinite (pose[0] + pose[1] + pose[2]);
}

/* The middle between the two bodies where they are nearest. */
static gboolean
contact_place (const SsScene *scene, const SsContact *contact, const SsTrajectory *motion, const double *row,
               SsVec2 *place)
{
  const SsBody *a = &scene->bodies[contact->body_a], *b = &scene->bodies[contact->body_b];
  double pose_a[3], pose_b[3], nearest = INFINITY;

  if (!pose_of (scene, contact->body_a, motion, row, pose_a) || !pose_of (scene, contact->body_b, motion, row, pose_b))
    return FALSE;
  for (int i = 0; i < a->n_shapes; i++)
    for (int k = 0; k < b->n_shapes; k++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      const int n = ss_geometry_manifold (&a->shapes[i], pose_a, &b->shapes[k], pose_b, gaps);

      if (n < 1 || !(gaps[0].phi < nearest))
        continue;
      nearest = gaps[0].phi;
      *place = (SsVec2){(gaps[0].point_a.x + gaps[0].point_b.x) / 2, (gaps[0].point_a.y + gaps[0].point_b.y) / 2};
      if (n > 1 && fabs (gaps[1].phi - gaps[0].phi) < 1e-6) /* a face: its middle */
        *place = (SsVec2){(gaps[0].point_b.x + gaps[1].point_b.x) / 2, (gaps[0].point_b.y + gaps[1].point_b.y) / 2};
    }
  return isfinite (nearest);
}

gboolean
ssapp_parting_place (const SsappParting *parting, const SsScene *scene, const SsTrajectory *motion, SsVec2 *place)
{
  double pose[3];

  if (!parting->is_parted || scene == NULL || motion == NULL || motion->n_rows < 1)
    return FALSE;
  g_autofree double *row = g_new (double, motion->n_channels);
  ss_trajectory_sample (motion, parting->t, row);
  const int contact = ss_scene_find (scene, SS_OWNER_CONTACT, parting->contact),
            body = ss_scene_find (scene, SS_OWNER_BODY, parting->body);
  if (contact >= 0)
    return contact_place (scene, &scene->contacts[contact], motion, row, place);
  if (body < 0 || !pose_of (scene, body, motion, row, pose))
    return FALSE;
  *place = (SsVec2){pose[0], pose[1]};
  return TRUE;
}

void
ssapp_parting_draw_ring (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappParting *parting,
                         const SsScene *scene, const SsTrajectory *motion, double t, double near)
{
  g_return_if_fail (style != NULL && camera != NULL && parting != NULL);

  SsVec2 place;

  if (!(fabs (t - parting->t) <= near) || !ssapp_parting_place (parting, scene, motion, &place))
    return;
  cairo_save (cr);
  cairo_new_sub_path (cr);
  cairo_arc (cr, camera->ox + camera->scale * place.x, camera->oy - camera->scale * place.y, RING_PX * style->scale, 0,
             2 * G_PI);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  cairo_set_line_width (cr, ssapp_style_line (style, RING_LINE_PX + 2));
  cairo_stroke_preserve (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FORCE));
  cairo_set_line_width (cr, ssapp_style_line (style, RING_LINE_PX));
  cairo_stroke (cr);
  cairo_restore (cr);
}
