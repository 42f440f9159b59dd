/* app/draw/ssapp-region.c: see the header. */
#include "app/draw/ssapp-region.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

enum { ROWS_LOOKED_AT = 1000 };                     /* of a motion: more would not move a picture's edge by a pixel */
static const double FAR = 8.;                       /* times the size of the rest: flown off                        */
static const double FOLLOW_SIZES = 10.;             /* of the body, in a picture that follows it                    */
static const double SMALLEST = 1e-6, LARGEST = 1e9; /* sides of a rectangle [m]                         */

void
ssapp_region_init (SsappRegion *region)
{
  g_return_if_fail (region != NULL);
  *region = (SsappRegion){.bounds = {-1, -1, 1, 1}};
}

gboolean
ssapp_region_parse (const char *text, double bounds[4], GError **error)
{
  g_return_val_if_fail (text != NULL && bounds != NULL, FALSE);
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  double v[4];

  if (g_strv_length (parts) != 4) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "a region is four numbers x0,y0,x1,y1 in metres, not '%s'", text);
    return FALSE;
  }
  for (int i = 0; i < 4; i++) {
    char *end = NULL;
    v[i] = g_ascii_strtod (g_strstrip (parts[i]), &end);
    if (end == parts[i] || *end != '\0' || !isfinite (v[i])) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "'%s' of the region '%s' is no number", parts[i],
                   text);
      return FALSE;
    }
  }
  if (!(fabs (v[2] - v[0]) >= SMALLEST && fabs (v[3] - v[1]) >= SMALLEST)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "the region '%s' has no extent: its corners must differ in x and in y", text);
    return FALSE;
  }
  bounds[0] = MIN (v[0], v[2]);
  bounds[1] = MIN (v[1], v[3]);
  bounds[2] = MAX (v[0], v[2]);
  bounds[3] = MAX (v[1], v[3]);
  return TRUE;
}

/* ---- what matters ------------------------------------------------------------------------------------------------ */

static void
empty_box (double box[4])
{
  box[0] = box[1] = INFINITY;
  box[2] = box[3] = -INFINITY;
}

static gboolean
is_box (const double box[4])
{
  return isfinite (box[0] + box[1] + box[2] + box[3]) && box[0] <= box[2] && box[1] <= box[3];
}

static void
add_box (double box[4], const double other[4])
{
  box[0] = MIN (box[0], other[0]);
  box[1] = MIN (box[1], other[1]);
  box[2] = MAX (box[2], other[2]);
  box[3] = MAX (box[3], other[3]);
}

static double
side_of (const double box[4])
{
  return is_box (box) ? MAX (box[2] - box[0], box[3] - box[1]) : 0.;
}

static double
side_with (const double base[4], const double box[4])
{
  double both[4] = {base[0], base[1], base[2], base[3]};
  add_box (both, box);
  return side_of (both);
}

/* Widens `out` by the boxes, least first, until one of them would make it far too large; the least is always taken
 * where there is nothing else to look at. */
static void
take_near (const double (*boxes)[4], int n, gboolean has_others, double out[4])
{
  const double base[4] = {out[0], out[1], out[2], out[3]};
  g_autofree gboolean *taken = g_new0 (gboolean, MAX (n, 1));

  for (int k = 0; k < n; k++) {
    int best = -1;
    for (int i = 0; i < n; i++)
      if (!taken[i] && is_box (boxes[i]) && (best < 0 || side_with (base, boxes[i]) < side_with (base, boxes[best])))
        best = i;
    if (best < 0 || ((k > 0 || has_others) && side_of (out) > 0. && side_with (out, boxes[best]) > FAR * side_of (out)))
      return;
    taken[best] = TRUE;
    add_box (out, boxes[best]);
  }
}

gboolean
ssapp_region_unite (const double (*boxes)[4], int n, double out[4])
{
  empty_box (out);
  take_near (boxes, n, FALSE, out);
  return is_box (out);
}

/* A body in all its shapes: those of one name move together. */
static int
owner_of (const SsMark *marks, int mark)
{
  for (int i = 0; i < mark; i++)
    if (marks[mark].name != NULL && *marks[mark].name != '\0' && g_strcmp0 (marks[i].name, marks[mark].name) == 0)
      return i;
  return mark;
}

static gboolean
is_followed_mark (const SsMark *mark)
{
  return mark->role == SS_ROLE_BODY && mark->trace && mark->name != NULL && *mark->name != '\0';
}

/* Of what has a place of its own: contacts, centres and arrows are where bodies are. */
static gboolean
has_place (const SsMark *mark)
{
  return mark->role != SS_ROLE_CONTACT && mark->role != SS_ROLE_CENTRE && mark->kind != SS_MARK_ARROW;
}

void
ssapp_region_include_grounds (const SsMark *marks, int n_marks, double box[4])
{
  g_return_if_fail ((marks != NULL || n_marks == 0) && box != NULL);

  const double far_off = 5; /* sizes of the rest */
  const double x = (box[0] + box[2]) / 2, y = (box[1] + box[3]) / 2,
               size = MAX (MAX (box[2] - box[0], box[3] - box[1]), 1e-9);

  for (int i = 0; i < n_marks; i++) {
    const SsMark *mark = &marks[i];
    double along, px, py;
    if (mark->kind != SS_MARK_HALF_PLANE)
      continue;
    along = (x - mark->position.x) * cos (mark->angle) + (y - mark->position.y) * sin (mark->angle);
    px = mark->position.x + along * cos (mark->angle);
    py = mark->position.y + along * sin (mark->angle);
    if (hypot (px - x, py - y) > far_off * size)
      continue;
    box[0] = MIN (box[0], px);
    box[1] = MIN (box[1], py);
    box[2] = MAX (box[2], px);
    box[3] = MAX (box[3], py);
  }
}

gboolean
ssapp_region_of_motion (SsView *view, const SsTrajectory *motion, double out[4])
{
  const int n = ss_view_n_marks (view), n_rows = motion != NULL ? motion->n_rows : 0,
            n_looks = MIN (n_rows, ROWS_LOOKED_AT);
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (n, 1));
  g_autofree int *owner = g_new0 (int, MAX (n, 1));
  double (*paths)[4] = g_malloc_n (MAX (n, 1), sizeof *paths);
  gboolean has_others = FALSE;
  int n_paths = 0;

  empty_box (out);
  if (ss_view_given_bounds (view, out)) {
    g_free (paths);
    return TRUE;
  }
  for (int i = 0; i < n; i++)
    empty_box (paths[i]);
  for (int k = 0; k < n_looks; k++) {
    const int row = n_looks > 1 ? (int)((gint64)k * (n_rows - 1) / (n_looks - 1)) : 0;
    ss_view_frame_bodies (view, ss_trajectory_row (motion, row), marks);
    for (int i = 0; i < n; i++) {
      if (k == 0)
        owner[i] = owner_of (marks, i);
      if (!has_place (&marks[i]))
        continue;
      ss_mark_include (&marks[i], paths[owner[i]]);
      if (k == 0) /* the start is always seen */
        ss_mark_include (&marks[i], out);
    }
  }
  for (int i = 0; i < n; i++) /* what does not go out of the start's picture belongs to it */
    if (is_box (paths[i]) && side_with (out, paths[i]) > side_of (out)) {
      memcpy (paths[n_paths++], paths[i], sizeof paths[i]);
    } else if (is_box (paths[i])) {
      has_others = has_others || is_followed_mark (&marks[i]);
      add_box (out, paths[i]);
    }
  take_near ((const double (*)[4])paths, n_paths, has_others, out);
  if (is_box (out))
    ssapp_region_include_grounds (marks, n, out);
  g_free (paths);
  return is_box (out);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

GPtrArray *
ssapp_region_list_bodies (SsView *view, const SsTrajectory *motion)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const int n = view != NULL ? ss_view_n_marks (view) : 0;
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (n, 1));

  if (motion == NULL || motion->n_rows == 0 || n == 0)
    return names;
  ss_view_frame_bodies (view, ss_trajectory_row (motion, 0), marks);
  for (int i = 0; i < n; i++)
    if (is_followed_mark (&marks[i]) && !g_ptr_array_find_with_equal_func (names, marks[i].name, g_str_equal, NULL))
      g_ptr_array_add (names, g_strdup (marks[i].name));
  return names;
}

gboolean
ssapp_region_body_at (SsView *view, const SsTrajectory *motion, const char *body, double t, SsVec2 *out)
{
  g_return_val_if_fail (out != NULL, FALSE);

  const int n = view != NULL ? ss_view_n_marks (view) : 0;
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (n, 1));
  g_autofree double *row = NULL;

  if (motion == NULL || motion->n_rows == 0 || n == 0)
    return FALSE;
  row = g_new (double, motion->n_channels);
  ss_trajectory_sample_motion (motion, t, row);
  ss_view_frame_bodies (view, row, marks);
  for (int i = 0; i < n; i++)
    if (is_followed_mark (&marks[i]) && g_strcmp0 (marks[i].name, body) == 0) {
      *out = marks[i].position;
      return isfinite (out->x + out->y);
    }
  return FALSE;
}

static SsVec2
way_of (SsView *view, const SsTrajectory *motion, const char *body, double t)
{
  SsVec2 start, now;

  if (*body == '\0' || motion == NULL || motion->n_rows == 0 ||
      !ssapp_region_body_at (view, motion, body, ss_trajectory_row (motion, 0)[0], &start) ||
      !ssapp_region_body_at (view, motion, body, t, &now))
    return (SsVec2){0, 0};
  return (SsVec2){now.x - start.x, now.y - start.y};
}

void
ssapp_region_at (const SsappRegion *region, SsView *view, const SsTrajectory *motion, double t, double out[4])
{
  g_return_if_fail (region != NULL);
  const SsVec2 way = way_of (view, motion, region->follow, t);

  memcpy (out, region->bounds, sizeof region->bounds);
  ssapp_region_pan (out, way.x, way.y);
}

void
ssapp_region_follow (SsappRegion *region, SsView *view, const SsTrajectory *motion, double t, const char *body,
                     const double seen[4])
{
  g_return_if_fail (seen != NULL);

  SsVec2 at, start;
  double half_width = (seen[2] - seen[0]) / 2, half_height = (seen[3] - seen[1]) / 2;

  if (body == NULL || *body == '\0' || !ssapp_region_body_at (view, motion, body, t, &at) ||
      !ssapp_region_body_at (view, motion, body, ss_trajectory_row (motion, 0)[0], &start)) {
    if (region->is_chosen) /* it stays where it is now */
      ssapp_region_at (region, view, motion, t, region->bounds);
    region->follow[0] = '\0';
    return;
  }
  if (!region->is_chosen) {
    const int n = ss_view_n_marks (view);
    g_autofree SsMark *marks = g_new0 (SsMark, MAX (n, 1));
    double own[4];
    empty_box (own);
    ss_view_frame_bodies (view, ss_trajectory_row (motion, 0), marks);
    for (int i = 0; i < n; i++)
      if (is_followed_mark (&marks[i]) && g_strcmp0 (marks[i].name, body) == 0)
        ss_mark_include (&marks[i], own);
    const double wanted = FOLLOW_SIZES / 2 * side_of (own), least = MIN (half_width, half_height);
    if (wanted > SMALLEST && wanted < least) {
      half_width *= wanted / least;
      half_height *= wanted / least;
    }
  }
  region->is_chosen = TRUE;
  region->bounds[0] = start.x - half_width;
  region->bounds[1] = start.y - half_height;
  region->bounds[2] = start.x + half_width;
  region->bounds[3] = start.y + half_height;
  g_strlcpy (region->follow, body, sizeof region->follow);
}

/* ---- rectangles -------------------------------------------------------------------------------------------------- */

void
ssapp_region_zoom (double bounds[4], double factor, double x, double y)
{
  g_return_if_fail (bounds != NULL && factor > 0);

  const double side = side_of (bounds);

  if (!(factor > 0.) || !isfinite (factor) || !(side > 0.))
    return;
  const double by = CLAMP (side / factor, SMALLEST, LARGEST) / side;
  for (int i = 0; i < 4; i++) {
    const double fixed = i % 2 == 0 ? x : y;
    bounds[i] = fixed + (bounds[i] - fixed) * by;
  }
}

void
ssapp_region_pan (double bounds[4], double dx, double dy)
{
  g_return_if_fail (bounds != NULL);
  for (int i = 0; i < 4; i++)
    bounds[i] += i % 2 == 0 ? dx : dy;
}

void
ssapp_region_camera (const double bounds[4], double width, double height, SsappCamera *camera)
{
  ssapp_camera_fit (camera, bounds, width, height, 0.);
}

void
ssapp_region_of_camera (const SsappCamera *camera, double bounds[4])
{
  g_return_if_fail (camera != NULL);
  const SsVec2 a = ssapp_camera_to_world (camera, 0, camera->height),
               b = ssapp_camera_to_world (camera, camera->width, 0);

  bounds[0] = a.x;
  bounds[1] = a.y;
  bounds[2] = b.x;
  bounds[3] = b.y;
}

/* ---- what is outside --------------------------------------------------------------------------------------------- */

char *
ssapp_region_away_text (const char *body, double dx, double dy)
{
  static const double ALSO = 0.4; /* of the larger part: worth a word */
  const double distance = hypot (dx, dy), kilometre = 1000.;
  const gboolean in_km = distance >= kilometre;
  const char *across = fabs (dx) > ALSO * fabs (dy) ? (dx > 0 ? "right" : "left") : NULL,
             *along = fabs (dy) > ALSO * fabs (dx) ? (dy > 0 ? "up" : "down") : NULL;
  g_autofree char *number = ssapp_format_number (in_km ? distance / kilometre : distance, 2);

  return g_strdup_printf ("%s %s %s%s%s%s%s", body, number, in_km ? "km" : "m", along != NULL ? " " : "",
                          along != NULL ? along : "", across != NULL ? " " : "", across != NULL ? across : "");
}

/* How far a box lies beyond [0, size]; negative: before it; 0: it is seen. */
static double
beyond (double low, double high, double size)
{
  return high < 0 ? high : low > size ? low - size : 0;
}

void
ssapp_region_draw_away (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                        int n_marks, double top)
{
  g_return_if_fail (style != NULL && camera != NULL);

  static const double INSET_PX = 9., HEAD_PX = 7., ROW = 1.5; /* px, font sizes */
  enum { MOST = 6 };
  const double px = style->scale, inset = INSET_PX * px, head = HEAD_PX * px;
  SsappTextStyle text = {.size = style->font_size * 1.04,
                         .bold = TRUE,
                         .color = ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT),
                         .anchor_y = 0.5,
                         .halo = TRUE};
  double taken[MOST][2];
  int n = 0;

  for (int i = 0; i < n_marks && n < MOST; i++) {
    double box[4], x0, y0, x1, y1;
    if (!is_followed_mark (&marks[i]) || !marks[i].visible)
      continue;
    empty_box (box);
    ss_mark_include (&marks[i], box);
    if (!is_box (box))
      continue;
    ssapp_camera_to_device (camera, (SsVec2){box[0], box[3]}, &x0, &y0);
    ssapp_camera_to_device (camera, (SsVec2){box[2], box[1]}, &x1, &y1);
    const double dx = beyond (x0, x1, camera->width), dy = beyond (y0, y1, camera->height);
    if (dx == 0 && dy == 0)
      continue;
    const double angle = atan2 (dy, dx), tip_x = CLAMP ((x0 + x1) / 2, inset, camera->width - inset);
    double tip_y = CLAMP ((y0 + y1) / 2, top + inset + style->font_size, camera->height - inset - 3 * style->font_size);
    for (int k = 0; k < n; k++) /* one below the other */
      if (fabs (taken[k][1] - tip_y) < ROW * style->font_size && fabs (taken[k][0] - tip_x) < 12 * style->font_size) {
        tip_y = taken[k][1] + ROW * style->font_size * (tip_y > camera->height / 2 ? -1 : 1);
        k = -1;
        if (tip_y < 0 || tip_y > camera->height)
          break;
      }
    taken[n][0] = tip_x;
    taken[n++][1] = tip_y;
    g_autofree char *label = ssapp_region_away_text (marks[i].name, dx / camera->scale, -dy / camera->scale);
    const double hx = head * cos (angle), hy = head * sin (angle);
    ssapp_draw_arrow (cr, tip_x - hx, tip_y - hy, tip_x + hx, tip_y + hy, ssapp_style_line (style, 2.), head,
                      text.color);
    const gboolean is_right = tip_x > camera->width / 2;
    text.anchor_x = is_right ? 1. : 0.;
    ssapp_text_draw (cr, style, &text, tip_x + (is_right ? -1 : 1) * 2 * head, tip_y, label);
  }
}
