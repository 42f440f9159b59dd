/* app/document/ssapp-vector.c: see the header. */
#include "app/document/ssapp-vector.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* px at 100 % */
static const double RING_PX = 6., REACH_PX = 9., BEYOND_PX = 12., SHORTEST_PX = 34., LINE_PX = 2.4, HEAD_PX = 9.,
                    RIGHT_PX = 52., TOP_PX = 150., GRAVITY_PX = 60., VELOCITY_PX = 110., STEP_PX = 4.;
static const double STANDARD_GRAVITY = 9.81, AT_REST_ANGLE = G_PI / 6;
static const int MOST_ARROWS = 40; /* of more bodies they hide the scene */

SsappVector *
ssapp_vector_copy (const SsappVector *vector)
{
  g_return_val_if_fail (vector != NULL, NULL);
  SsappVector *copy = g_memdup2 (vector, sizeof *vector);

  copy->path = g_strdup (vector->path);
  copy->body = g_strdup (vector->body);
  return copy;
}

void
ssapp_vector_free (SsappVector *vector)
{
  if (vector == NULL)
    return;
  g_free (vector->path);
  g_free (vector->body);
  g_free (vector);
}

/* ---- where they are ---------------------------------------------------------------------------------------------- */

/* The ring lies beyond the tip, so that the middle of a body at rest stays free for the body's own drag. */
static void
place (SsappVector *vector, const SsappStyle *style)
{
  const double length = hypot (vector->value.x, vector->value.y),
               ux = length > 0 ? vector->value.x / length : cos (AT_REST_ANGLE),
               uy = length > 0 ? -vector->value.y / length : -sin (AT_REST_ANGLE), /* of the surface: y goes down */
      ring = MAX (length * vector->px + BEYOND_PX * style->scale, SHORTEST_PX * style->scale);

  vector->tip[0] = vector->foot[0] + length * vector->px * ux;
  vector->tip[1] = vector->foot[1] + length * vector->px * uy;
  vector->ring[0] = vector->ring[1] = NAN;
  if (vector->path == NULL || (vector->is_formula[0] && vector->is_formula[1]))
    return;
  vector->ring[0] = vector->foot[0] + ring * ux;
  vector->ring[1] = vector->foot[1] + ring * uy;
}

static SsappVector *
vector_new (SsappDocument *document, const char *owner, const char *name, const char *unit, SsVec2 value)
{
  SsappVector *vector = g_new0 (SsappVector, 1);

  vector->path = owner != NULL ? g_strdup_printf ("%s.%s", owner, name) : NULL;
  vector->unit = unit;
  vector->value = value;
  for (int i = 0; i < 2 && vector->path != NULL; i++) {
    g_autofree char *field = g_strdup_printf ("%s[%d]", vector->path, i);
    vector->is_formula[i] = ssapp_document_field_is_formula (document, field);
  }
  return vector;
}

static void
keep_scale (SsappVector *vector, const SsappVector *held)
{
  if (held != NULL && g_strcmp0 (held->path, vector->path) == 0)
    vector->px = held->px;
}

/* px per m/s: of the fastest body, or of a fall over the sheet's height, a round number. */
static double
velocity_px (const SsScene *scene, const SsappStyle *style, const SsappCamera *camera)
{
  const double fall = sqrt (2 * STANDARD_GRAVITY * camera->height / camera->scale);
  double fastest = fall > 0 && isfinite (fall) ? ssapp_nice_floor (fall) : 1;

  for (int b = 0; b < scene->n_bodies; b++)
    fastest = fmax (fastest, hypot (scene->bodies[b].v[0], scene->bodies[b].v[1]));
  return VELOCITY_PX * style->scale / fastest;
}

static void
add_velocities (GPtrArray *vectors, SsappDocument *document, const SsappStyle *style, const SsappCamera *camera,
                const SsappVector *held)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  const double px = velocity_px (scene, style, camera);
  const int selected =
      ssapp_document_count_selected (document) == 1 ? ssapp_document_get_selected_index (document) : -1;

  for (int b = 0; b < scene->n_bodies && (int)vectors->len <= MOST_ARROWS; b++) {
    const SsBody *body = &scene->bodies[b];
    if (body->is_fixed || (b != selected && body->v[0] == 0 && body->v[1] == 0))
      continue;
    g_autofree char *owner = ssapp_document_body_path (document, b);
    SsappVector *vector = vector_new (document, owner, "velocity", "m/s", (SsVec2){body->v[0], body->v[1]});
    vector->body = g_strdup (body->name);
    vector->px = px;
    keep_scale (vector, held);
    ssapp_camera_to_device (camera, (SsVec2){body->q[0], body->q[1]}, &vector->foot[0], &vector->foot[1]);
    place (vector, style);
    g_ptr_array_add (vectors, vector);
  }
}

GPtrArray *
ssapp_vectors_new (SsappDocument *document, const SsappStyle *style, const SsappCamera *camera, const SsappVector *held)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (document) && style != NULL && camera != NULL, NULL);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  GPtrArray *vectors = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_vector_free);

  if (scene == NULL || scene->n_bodies == 0 || !(camera->scale > 0))
    return vectors;
  SsappVector *gravity = vector_new (document, "scene", "gravity", "m/s²", scene->gravity);
  gravity->px = GRAVITY_PX * style->scale / fmax (hypot (scene->gravity.x, scene->gravity.y), STANDARD_GRAVITY);
  keep_scale (gravity, held);
  gravity->foot[0] = camera->width - RIGHT_PX * style->scale;
  gravity->foot[1] = TOP_PX * style->scale;
  place (gravity, style);
  g_ptr_array_add (vectors, gravity);
  add_velocities (vectors, document, style, camera, held);
  return vectors;
}

const SsappVector *
ssapp_vectors_at (GPtrArray *vectors, const SsappStyle *style, double x, double y)
{
  g_return_val_if_fail (vectors != NULL && style != NULL, NULL);
  for (guint i = vectors->len; i-- > 0;) {
    const SsappVector *vector = vectors->pdata[i];
    if (hypot (x - vector->ring[0], y - vector->ring[1]) <= REACH_PX * style->scale)
      return vector;
  }
  return NULL;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void
draw_ring (cairo_t *cr, const SsappStyle *style, const SsappVector *vector, SsappColor color)
{
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_arc (cr, vector->ring[0], vector->ring[1], RING_PX * style->scale, 0, 2 * G_PI);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, ssapp_style_line (style, 2));
  cairo_stroke (cr);
}

/* Left of gravity's arrow, which stands at the right edge; right of the others' rings. */
static void
draw_value (cairo_t *cr, const SsappStyle *style, const SsappVector *vector, SsappColor color)
{
  const gboolean is_gravity = vector->body == NULL;
  const double gap = 8 * style->scale, half = .5 * (vector->foot[1] + vector->tip[1]);
  g_autofree char *number = ssapp_format_number (hypot (vector->value.x, vector->value.y), 3),
                  *text = g_strdup_printf ("%s %s", number, vector->unit);
  const SsappTextStyle look = {.size = style->font_size,
                               .color = color,
                               .bold = TRUE,
                               .halo = TRUE,
                               .anchor_x = is_gravity ? 1 : 0,
                               .anchor_y = .5};

  if (is_gravity)
    ssapp_text_draw (cr, style, &look, vector->foot[0] - gap, half, text);
  else if (vector->value.x != 0 || vector->value.y != 0)
    ssapp_text_draw (cr, style, &look,
                     (isnan (vector->ring[0]) ? vector->tip[0] : vector->ring[0] + RING_PX * style->scale) + gap,
                     isnan (vector->ring[1]) ? vector->tip[1] : vector->ring[1], text);
}

void
ssapp_vectors_draw (cairo_t *cr, const SsappStyle *style, GPtrArray *vectors)
{
  g_return_if_fail (style != NULL && vectors != NULL);
  const double far = 1e5; /* px: beyond it nothing is seen */

  for (guint i = 0; i < vectors->len; i++) {
    const SsappVector *vector = vectors->pdata[i];
    const SsappColor color =
        ssapp_style_color (style, vector->body == NULL ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_VELOCITY);
    if (fmax (fabs (vector->foot[0]), fabs (vector->foot[1])) > far)
      continue;
    if (hypot (vector->tip[0] - vector->foot[0], vector->tip[1] - vector->foot[1]) < far)
      ssapp_draw_arrow (cr, vector->foot[0], vector->foot[1], vector->tip[0], vector->tip[1],
                        ssapp_style_line (style, LINE_PX), HEAD_PX * style->scale, color);
    if (!isnan (vector->ring[0]))
      draw_ring (cr, style, vector, color);
    draw_value (cr, style, vector, color);
  }
}

/* ---- dragging ---------------------------------------------------------------------------------------------------- */

/* Round numbers of about STEP_PX apart; of gravity that of the Earth too. */
static double
rounded (const SsappVector *vector, double value, gboolean is_free)
{
  const double step = is_free ? ssapp_nice_floor (1 / vector->px) : ssapp_nice_ceil (STEP_PX / vector->px),
               near = step * round (value / step);

  if (!is_free && vector->body == NULL && fabs (fabs (value) - STANDARD_GRAVITY) <= step / 2)
    return copysign (STANDARD_GRAVITY, value);
  return near;
}

SsVec2
ssapp_vector_dragged (const SsappVector *from, double dx, double dy, gboolean is_free)
{
  g_return_val_if_fail (from != NULL && from->px > 0, ((SsVec2){0, 0}));
  const SsVec2 to = {from->value.x + dx / from->px, from->value.y - dy / from->px};

  return (SsVec2){from->is_formula[0] ? from->value.x : rounded (from, to.x, is_free),
                  from->is_formula[1] ? from->value.y : rounded (from, to.y, is_free)};
}

gboolean
ssapp_vector_set (SsappDocument *document, const SsappVector *vector, SsVec2 value, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (document) && vector != NULL && vector->path != NULL, FALSE);
  const double numbers[2] = {value.x, value.y};

  for (int i = 0; i < 2; i++) {
    g_autofree char *field = g_strdup_printf ("%s[%d]", vector->path, i);
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (text, sizeof text, "%.12g", numbers[i]); /* 0.3, not 0.30000000000000004 */
    if (!vector->is_formula[i] && !ssapp_document_set_field (document, field, text, "", error))
      return FALSE;
  }
  return TRUE;
}

char *
ssapp_vector_describe (const SsappVector *vector, SsVec2 value)
{
  g_return_val_if_fail (vector != NULL, NULL);
  const char *letter = vector->body == NULL ? "g" : "v";
  const double size = hypot (value.x, value.y), degrees = atan2 (value.y, value.x) * 180 / G_PI;
  g_autofree char *x = ssapp_format_number (value.x, 4), *y = ssapp_format_number (value.y, 4),
                  *whole = ssapp_format_number (size, 4), *angle = ssapp_format_number (degrees, 3);

  if (size == 0)
    return g_strdup_printf ("%s 0 %s", letter, vector->unit);
  return g_strdup_printf (_ ("%sx %s, %sy %s: %s %s at %s°"), letter, x, letter, y, whole, vector->unit, angle);
}
