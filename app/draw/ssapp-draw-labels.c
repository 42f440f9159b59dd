/* app/draw/ssapp-draw-labels.c: names of bodies, goals and fixed bodies: inside a body that has room for its name, else
 * beside it, in view, clear of one another and, where there is room, of other bodies. Tests: tests/unit/test-draw.c */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>
#include <stdlib.h>

/* px at 100 %: of a centre of mass, from its middle to a name beside it, from a body to a name beside it, that a name
 * inside keeps from the outline, of a goal's flag */
static const double CENTRE_PX = 5.5, BESIDE_PX = 13.5, GAP_PX = 4., INSET_PX = 2., FLAG_PX = 9.;

typedef struct {
  double x0, y0, x1, y1;
} Box;

/* Places of a name about its mark, in order of preference. */
typedef enum { PLACE_INSIDE, PLACE_BESIDE_CENTRE, PLACE_RIGHT, PLACE_ABOVE, PLACE_LEFT, PLACE_BELOW, N_PLACES } Place;

typedef struct {
  cairo_t *cr;
  const SsappStyle *style;
  const SsappCamera *camera;
  const SsMark *marks;
  int n_marks;
  Box view;            /* what can be seen */
  Box *extents;        /* n_marks, of those that fill a place; else empty */
  int *areas, n_areas; /* marks that others must keep clear of */
  GArray *taken;       /* of Box: names so far                 */
  SsVec2 *centres;     /* of mass, sorted by x                 */
  int n_centres;
} Labels;

/* ---- extents ----------------------------------------------------------------------------------------------------- */

static gboolean
is_finite_place (const SsMark *mark)
{
  return isfinite (mark->position.x) && isfinite (mark->position.y) && isfinite (mark->angle) &&
         isfinite (mark->radius);
}

static gboolean
is_area (const SsMark *mark)
{
  return mark->kind == SS_MARK_POLYGON || mark->kind == SS_MARK_CIRCLE || mark->kind == SS_MARK_CAPSULE;
}

/* A vertex of the mark on the device. */
static void
vertex_at (const SsappCamera *camera, const SsMark *mark, int i, double *x, double *y)
{
  const double c = cos (mark->angle), s = sin (mark->angle);
  const SsVec2 v = mark->vertices[i];

  ssapp_camera_to_device (camera, (SsVec2){mark->position.x + c * v.x - s * v.y, mark->position.y + s * v.x + c * v.y},
                          x, y);
}

/* The box of the mark on the device: its position alone where it fills no place. */
static Box
extent_of (const SsappCamera *camera, const SsMark *mark)
{
  const double r = mark->kind == SS_MARK_CIRCLE || mark->kind == SS_MARK_CAPSULE ? mark->radius * camera->scale : 0;
  Box box;
  double x, y;

  ssapp_camera_to_device (camera, mark->position, &x, &y);
  box = (Box){x, y, x, y};
  for (int i = 0; is_area (mark) && mark->kind != SS_MARK_CIRCLE && i < mark->n_vertices; i++) {
    vertex_at (camera, mark, i, &x, &y);
    box = (Box){MIN (box.x0, x), MIN (box.y0, y), MAX (box.x1, x), MAX (box.y1, y)};
  }
  return (Box){box.x0 - r, box.y0 - r, box.x1 + r, box.y1 + r};
}

static double
distance_to_segment (double x, double y, double ax, double ay, double bx, double by)
{
  const double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
  const double s = length2 > 0 ? CLAMP (((x - ax) * dx + (y - ay) * dy) / length2, 0, 1) : 0;

  return hypot (x - ax - s * dx, y - ay - s * dy);
}

/* How far inside the outline a device point lies; negative outside. */
static double
depth_at (const SsappCamera *camera, const SsMark *mark, double x, double y)
{
  double ax, ay, bx, by, depth = INFINITY;

  if (mark->kind == SS_MARK_CIRCLE) {
    ssapp_camera_to_device (camera, mark->position, &ax, &ay);
    return mark->radius * camera->scale - hypot (x - ax, y - ay);
  }
  if (mark->kind == SS_MARK_CAPSULE && mark->n_vertices == 2) {
    vertex_at (camera, mark, 0, &ax, &ay);
    vertex_at (camera, mark, 1, &bx, &by);
    return mark->radius * camera->scale - distance_to_segment (x, y, ax, ay, bx, by);
  }
  if (mark->kind != SS_MARK_POLYGON || mark->n_vertices < 3)
    return -INFINITY;
  for (int i = 0; i < mark->n_vertices; i++) { /* convex, counter-clockwise in the world: clockwise on the device */
    vertex_at (camera, mark, i, &ax, &ay);
    vertex_at (camera, mark, (i + 1) % mark->n_vertices, &bx, &by);
    const double length = hypot (bx - ax, by - ay);
    if (length > 0)
      depth = MIN (depth, ((y - ay) * (bx - ax) - (x - ax) * (by - ay)) / -length);
  }
  return depth;
}

static gboolean
is_inside (const SsappCamera *camera, const SsMark *mark, Box box, double inset)
{
  return depth_at (camera, mark, box.x0, box.y0) >= inset && depth_at (camera, mark, box.x1, box.y0) >= inset &&
         depth_at (camera, mark, box.x0, box.y1) >= inset && depth_at (camera, mark, box.x1, box.y1) >= inset;
}

static gboolean
overlap (Box a, Box b)
{
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static int
compare_places (const void *a, const void *b)
{
  const SsVec2 *p = a, *q = b;
  return (p->x > q->x) - (p->x < q->x);
}

/* Centres of mass from left to right. */
static void
list_centres (Labels *labels)
{
  labels->centres = g_new (SsVec2, MAX (labels->n_marks, 1));
  for (int i = 0; i < labels->n_marks; i++)
    if (labels->marks[i].role == SS_ROLE_CENTRE && labels->marks[i].visible && is_finite_place (&labels->marks[i]))
      labels->centres[labels->n_centres++] = labels->marks[i].position;
  qsort (labels->centres, (gsize)labels->n_centres, sizeof *labels->centres, compare_places);
}

/* Whether one is drawn within a pixel of the body's position. */
static gboolean
has_centre_at (const Labels *labels, SsVec2 at)
{
  const double pixel = 1. / labels->camera->scale;
  int low = 0, high = labels->n_centres;

  while (low < high) { /* the first that is not to the left */
    const int middle = low + (high - low) / 2;
    if (labels->centres[middle].x <= at.x - pixel)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < labels->n_centres && labels->centres[low].x < at.x + pixel; low++)
    if (hypot (labels->centres[low].x - at.x, labels->centres[low].y - at.y) < pixel)
      return TRUE;
  return FALSE;
}

/* Beside the view by more than a name stands from its mark: none of its places is in view. */
static gboolean
is_beside_view (const Labels *labels, Box mark)
{
  const double reach = 2 * (BESIDE_PX + GAP_PX + FLAG_PX + labels->style->font_size) * labels->style->scale;

  return mark.x1 < labels->view.x0 - reach || mark.x0 > labels->view.x1 + reach || mark.y1 < labels->view.y0 - reach ||
         mark.y0 > labels->view.y1 + reach;
}

static Box
box_about (double x, double y, double width, double height)
{
  return (Box){x - width / 2, y - height / 2, x + width / 2, y + height / 2};
}

/* The box of a name of width x height at a place about the mark. */
static Box
place_name (const SsappStyle *style, Place place, double x, double y, Box mark, double width, double height)
{
  const double gap = GAP_PX * style->scale, least = CENTRE_PX * style->scale;

  switch (place) {
  case PLACE_BESIDE_CENTRE:
    return box_about (x + BESIDE_PX * style->scale + width / 2, y, width, height);
  case PLACE_RIGHT:
    return box_about (MAX (mark.x1, x + least) + gap + width / 2, (mark.y0 + mark.y1) / 2, width, height);
  case PLACE_ABOVE:
    return box_about ((mark.x0 + mark.x1) / 2, MIN (mark.y0, y - least) - gap - height / 2, width, height);
  case PLACE_LEFT:
    return box_about (MIN (mark.x0, x - least) - gap - width / 2, (mark.y0 + mark.y1) / 2, width, height);
  case PLACE_BELOW:
    return box_about ((mark.x0 + mark.x1) / 2, MAX (mark.y1, y + least) + gap + height / 2, width, height);
  case PLACE_INSIDE:
  default:
    return box_about (x, y, width, height);
  }
}

/* Of other names, and, when `strict`, of other bodies and the ground. */
static gboolean
is_free (const Labels *labels, const SsMark *own, Box box, gboolean strict)
{
  for (guint i = 0; i < labels->taken->len; i++)
    if (overlap (box, g_array_index (labels->taken, Box, i)))
      return FALSE;
  for (int k = 0; strict && k < labels->n_areas; k++) {
    const int i = labels->areas[k];
    const SsMark *mark = &labels->marks[i];
    if (mark == own)
      continue;
    if (mark->kind == SS_MARK_HALF_PLANE) {
      const double c = cos (mark->angle), s = sin (mark->angle);
      double x, y;
      ssapp_camera_to_device (labels->camera, mark->position, &x, &y);
      for (int corner = 0; corner < 4; corner++)
        if ((corner % 2 ? box.x1 : box.x0) * s + (corner / 2 ? box.y1 : box.y0) * c > x * s + y * c)
          return FALSE;
    } else if (overlap (box, labels->extents[i])) {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
is_in_view (const Labels *labels, Box box)
{
  return box.x0 >= labels->view.x0 && box.x1 <= labels->view.x1 && box.y0 >= labels->view.y0 &&
         box.y1 <= labels->view.y1;
}

/* Whether a name may stand at that place of the mark at all. */
static gboolean
suits (const Labels *labels, const SsMark *mark, gboolean has_centre, Place place, Box box)
{
  const gboolean is_goal = mark->role == SS_ROLE_GOAL;

  if (place == PLACE_BESIDE_CENTRE && (!has_centre || is_goal))
    return FALSE;
  if (place == PLACE_INSIDE && has_centre && !is_goal)
    return FALSE;
  if ((place == PLACE_INSIDE && !is_goal) || place == PLACE_BESIDE_CENTRE)
    return is_inside (labels->camera, mark, box, INSET_PX * labels->style->scale);
  return TRUE;
}

/* At the first free place; a name that finds none is left out, since names on each other cannot be read. */
static void
draw_name (Labels *labels, int index)
{
  const SsMark *mark = &labels->marks[index];
  const SsappStyle *style = labels->style;
  const gboolean is_goal = mark->role == SS_ROLE_GOAL,
                 has_centre = mark->role == SS_ROLE_BODY && has_centre_at (labels, mark->position);
  SsappTextStyle text = {.size = style->font_size * 14. / 12.,
                         .bold = TRUE,
                         .color = ssapp_style_color (style, is_goal ? SSAPP_COLOR_ACCENT_TEXT : SSAPP_COLOR_FOREGROUND),
                         .anchor_x = 0.5,
                         .anchor_y = 0.5,
                         .halo = TRUE};
  double x, y, width, height;

  ssapp_camera_to_device (labels->camera, mark->position, &x, &y);
  ssapp_text_measure (style, text.size, TRUE, mark->name, &width, &height);
  for (int strict = 1; strict >= 0; strict--) /* rather beside another body than on it, rather on it than not at all */
    for (Place place = PLACE_INSIDE; place < N_PLACES; place++) {
      Box box = place_name (style, place, x, y, labels->extents[index], width, height);
      if (is_goal && place == PLACE_INSIDE) { /* below its flag */
        box.y0 += FLAG_PX * style->scale + height / 2;
        box.y1 += FLAG_PX * style->scale + height / 2;
      }
      const gboolean within = place == PLACE_INSIDE || place == PLACE_BESIDE_CENTRE;
      if (!suits (labels, mark, has_centre, place, box) || !is_in_view (labels, box) ||
          !is_free (labels, mark, box, strict && !within))
        continue;
      g_array_append_val (labels->taken, box);
      ssapp_text_draw (labels->cr, style, &text, (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, mark->name);
      return;
    }
}

void
ssapp_draw_labels (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks, int n_marks)
{
  static const SsMarkRole by_importance[] = {SS_ROLE_BODY, SS_ROLE_GOAL, SS_ROLE_FIXED};
  Labels labels = {.cr = cr,
                   .style = style,
                   .camera = camera,
                   .marks = marks,
                   .n_marks = n_marks,
                   .extents = g_new (Box, MAX (n_marks, 1)),
                   .areas = g_new (int, MAX (n_marks, 1)),
                   .taken = g_array_new (FALSE, FALSE, sizeof (Box))};
  g_autoptr (GHashTable) written =
      g_hash_table_new (g_str_hash, g_str_equal); /* a body of several shapes has one name */

  cairo_clip_extents (cr, &labels.view.x0, &labels.view.y0, &labels.view.x1, &labels.view.y1);
  for (int i = 0; i < n_marks; i++) {
    labels.extents[i] = extent_of (camera, &marks[i]);
    if (marks[i].visible && (is_area (&marks[i]) || marks[i].kind == SS_MARK_HALF_PLANE))
      labels.areas[labels.n_areas++] = i;
  }
  list_centres (&labels);
  for (gsize r = 0; r < G_N_ELEMENTS (by_importance); r++)
    for (int i = 0; i < n_marks; i++) {
      const SsMark *mark = &marks[i];
      const gboolean is_named = mark->name != NULL && *mark->name != '\0';
      if (!is_named || !mark->visible || !(is_area (mark) || mark->kind == SS_MARK_POINT) ||
          mark->role != by_importance[r] || !is_finite_place (mark))
        continue;
      if (g_hash_table_add (written, (gpointer)mark->name) && !is_beside_view (&labels, labels.extents[i]))
        draw_name (&labels, i);
    }
  g_free (labels.centres);
  g_free (labels.areas);
  g_free (labels.extents);
  g_array_unref (labels.taken);
}
