/* app/draw/ssapp-draw-task.c: what drives the bodies of a sketch, and signs of its welds and torsion springs. See
 * ssapp-draw.h. */
#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-scene-point.h"

#include <math.h>

/* px at 100 % */
static const double LENGTH_PX = 24., GAP_PX = 5., INNER_PX = 13., OUTER_PX = 160., LINE_PX = 2.2, HEAD_PX = 7.,
                    TORQUE_RADIUS_PX = 19.;
/* From the arc's beginning to its arrow [rad]. */
static const double TORQUE_SWEEP = 4.4, TORQUE_FROM = 0.6;

/* How far from the middle of the body the arrows of a push begin: beyond its outline, so that names and the centre of
 * mass stay free. */
static double
inner_radius (const SsappStyle *style, const SsappCamera *camera, const SsScene *scene, int body)
{
  double radius = body >= 0 ? ss_shape_radius (&scene->bodies[body].shape) * camera->scale + GAP_PX * style->scale : 0;

  return isfinite (radius) ? CLAMP (radius, INNER_PX * style->scale, OUTER_PX * style->scale) : INNER_PX * style->scale;
}

/* Both ways where both signs are allowed. */
static void
draw_push (cairo_t *cr, const SsappStyle *style, double x, double y, double inner, SsVec2 direction,
           const SsActuator *actuator, double line, SsappColor color)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    double ux = sign * direction.x, uy = -sign * direction.y;
    if (sign < 0 ? actuator->lower >= 0 : actuator->upper <= 0)
      continue;
    double outer = inner + LENGTH_PX * style->scale;
    ssapp_draw_arrow (cr, x + inner * ux, y + inner * uy, x + outer * ux, y + outer * uy, line, HEAD_PX * style->scale,
                      color);
  }
}

static void
draw_turn (cairo_t *cr, const SsappStyle *style, double x, double y, double line, SsappColor color)
{
  double r = TORQUE_RADIUS_PX * style->scale, end = -TORQUE_FROM - TORQUE_SWEEP;
  const double head = 0.75; /* rad of the arc that the arrow's head takes */

  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, line);
  cairo_arc_negative (cr, x, y, r, -TORQUE_FROM, end + head / 2); /* counter-clockwise, as positive torques turn */
  cairo_stroke (cr);
  cairo_restore (cr);
  ssapp_draw_arrow (cr, x + r * cos (end + head), y + r * sin (end + head), x + r * cos (end), y + r * sin (end), line,
                    HEAD_PX * style->scale, color);
}

void
ssapp_draw_actuators (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene,
                      const char *selected)
{
  g_return_if_fail (scene != NULL);

  SsappColor color = ssapp_style_color (style, SSAPP_COLOR_FORCE);

  for (int i = 0; i < scene->n_actuators; i++) {
    const SsActuator *actuator = &scene->actuators[i];
    const SsJoint *joint = actuator->joint >= 0 ? &scene->joints[actuator->joint] : NULL;
    double line = ssapp_style_line (style, g_strcmp0 (actuator->name, selected) == 0 ? 1.6 * LINE_PX : LINE_PX), x, y;
    int body = joint != NULL ? joint->body_b : actuator->body;
    SsVec2 place = ssapp_point_at_start (scene, body, joint != NULL ? joint->anchor_b : actuator->anchor), direction;

    ssapp_camera_to_device (camera, place, &x, &y);
    if (!isfinite (x) || !isfinite (y) || fabs (x) > 1e6 || fabs (y) > 1e6)
      continue;
    if (actuator->kind == SS_ACTUATOR_TORQUE || (joint != NULL && joint->kind == SS_JOINT_PIN)) {
      draw_turn (cr, style, x, y, line, color);
      continue;
    }
    direction = joint != NULL ? ssapp_turned (joint->axis, joint->body_a >= 0 ? scene->bodies[joint->body_a].q[2] : 0)
                : actuator->is_body_frame ? ssapp_turned (actuator->direction, scene->bodies[body].q[2])
                                          : actuator->direction;
    draw_push (cr, style, x, y, inner_radius (style, camera, scene, body), direction, actuator, line, color);
  }
}

/* ---- welds and torsion springs ----------------------------------------------------------------------------------- */

static void
draw_coil (cairo_t *cr, const SsappStyle *style, double x, double y)
{
  const double turns = 1.75, inner = 7, outer = 14; /* px at 100 %: about the point of the mark */
  const int n = 60;

  for (int i = 0; i <= n; i++) {
    const double part = (double)i / n, r = (inner + (outer - inner) * part) * style->scale,
                 angle = 2 * G_PI * turns * part;
    cairo_line_to (cr, x + r * cos (angle), y - r * sin (angle));
  }
  cairo_stroke (cr);
}

static void
draw_seam (cairo_t *cr, const SsappStyle *style, double x, double y)
{
  const double half = 6.5 * style->scale;

  cairo_rectangle (cr, x - half, y - half, 2 * half, 2 * half);
  cairo_move_to (cr, x - half, y - half);
  cairo_line_to (cr, x + half, y + half);
  cairo_move_to (cr, x - half, y + half);
  cairo_line_to (cr, x + half, y - half);
  cairo_stroke (cr);
}

void
ssapp_draw_holds (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene)
{
  g_return_if_fail (scene != NULL);

  const double far = 1e6;
  double x, y;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.5));
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  for (int i = 0; i < scene->n_springs; i++) {
    const SsSpring *spring = &scene->springs[i];
    ssapp_camera_to_device (camera, ssapp_point_at_start (scene, spring->body_b, spring->anchor_b), &x, &y);
    if (spring->is_torsion && fabs (x) < far && fabs (y) < far)
      draw_coil (cr, style, x, y);
  }
  for (int i = 0; i < scene->n_joints; i++) {
    const SsJoint *joint = &scene->joints[i];
    ssapp_camera_to_device (camera, ssapp_point_at_start (scene, joint->body_b, joint->anchor_b), &x, &y);
    if (joint->kind == SS_JOINT_WELD && fabs (x) < far && fabs (y) < far)
      draw_seam (cr, style, x, y);
  }
  cairo_restore (cr);
}
