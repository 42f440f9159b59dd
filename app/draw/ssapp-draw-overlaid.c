/* app/draw/ssapp-draw-overlaid.c: see the header. */
#include "app/draw/ssapp-draw-overlaid.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define FILLING    0.3 /* part of the colour in a body, whose own filling lets the ground through too */
#define LEGEND_GAP 8.0 /* px, at scale 1 */
#define LEGEND_ROW 19.0
#define MOST_LOOKS 20 /* then they repeat */
#define SAMPLE     26.0

static void
look_of (const SsappStyle *style, const SsappOverlaidRun *run, int look, SsappMethodStyle *out)
{
  if (look >= 0)
    ssapp_style_look (style, look, out);
  else
    ssapp_style_method (style, run->method, out);
}

static gboolean
is_same_method (const SsappOverlaidRun *a, const SsappOverlaidRun *b)
{
  return a->method.kind == b->method.kind && g_strcmp0 (a->method.name, b->method.name) == 0;
}

/* Whether another run than the i-th has that colour: those before it, and those to come by their methods. */
static gboolean
is_taken (const SsappStyle *style, const SsappOverlaidRun *runs, int n, const int *looks, int i, SsappColor color)
{
  for (int k = 0; k < n; k++) {
    SsappMethodStyle other;
    if (k == i)
      continue;
    look_of (style, &runs[k], k < i ? looks[k] : -1, &other);
    if (fabs (other.color.r - color.r) + fabs (other.color.g - color.g) + fabs (other.color.b - color.b) < 1e-6)
      return TRUE;
  }
  return FALSE;
}

void
ssapp_overlaid_looks (const SsappStyle *style, const SsappOverlaidRun *runs, int n, int *looks)
{
  for (int i = 0; i < n; i++) {
    gboolean is_first = TRUE;
    for (int k = 0; k < i; k++)
      is_first = is_first && !is_same_method (&runs[i], &runs[k]);
    looks[i] = -1;
    for (int look = 0; !is_first && looks[i] < 0 && look < MOST_LOOKS; look++) {
      SsappMethodStyle own;
      ssapp_style_look (style, look, &own);
      if (!is_taken (style, runs, n, looks, i, own.color))
        looks[i] = look;
    }
    if (!is_first && looks[i] < 0)
      looks[i] = i;
  }
}

/* Marks of a run at its time; those that a part does not want are hidden. */
static SsMark *
marks_of (const SsappOverlaidRun *run, gboolean wants_bodies, int *n)
{
  g_autofree double *row = g_new (double, run->motion->n_channels);

  *n = ss_view_n_marks (run->view);
  SsMark *marks = g_new0 (SsMark, MAX (*n, 1));
  ss_trajectory_sample_motion (run->motion, run->time, row);
  ss_view_frame (run->view, row, marks);
  for (int i = 0; i < *n; i++) {
    const gboolean is_body = marks[i].role == SS_ROLE_BODY;
    const gboolean is_still = marks[i].role == SS_ROLE_FIXED || marks[i].role == SS_ROLE_GOAL;
    marks[i].visible = marks[i].visible && (wants_bodies ? is_body : is_still);
  }
  return marks;
}

/* What was drawn into a group becomes one colour. */
static void
mask_group (cairo_t *cr, SsappColor color, double part)
{
  cairo_pattern_t *group = cairo_pop_group (cr);

  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a * part);
  cairo_mask (cr, group);
  cairo_pattern_destroy (group);
}

static void
draw_bodies (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappOverlaidRun *run,
             SsappColor color)
{
  const SsappSceneFlags flags = {0};
  int n;
  g_autofree SsMark *marks = marks_of (run, TRUE, &n);

  cairo_push_group (cr);
  ssapp_draw_marks (cr, style, camera, marks, n, &flags);
  mask_group (cr, color, FILLING);
  for (int i = 0; i < n; i++)
    marks[i].role = SS_ROLE_GUIDE; /* outlines */
  cairo_push_group (cr);
  ssapp_draw_marks (cr, style, camera, marks, n, &flags);
  mask_group (cr, color, 1);
}

static void
draw_legend (cairo_t *cr, const SsappStyle *style, const SsappOverlaidRun *runs, const int *looks, int n)
{
  const double scale = style->scale, ink = style->is_dark ? 1 : 0.1;
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = pango_font_description_new ();
  double y = LEGEND_GAP * scale;

  pango_font_description_set_family (font, style->font);
  pango_font_description_set_absolute_size (font, style->font_size * scale * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  for (int i = 0; i < n; i++) {
    SsappMethodStyle look;
    int height;
    if (runs[i].motion == NULL)
      continue;
    look_of (style, &runs[i], looks[i], &look);
    cairo_rectangle (cr, LEGEND_GAP * scale, y + 3 * scale, SAMPLE / 2 * scale, (LEGEND_ROW - 7) * scale);
    cairo_set_source_rgba (cr, look.color.r, look.color.g, look.color.b, 2 * FILLING);
    cairo_fill_preserve (cr);
    cairo_set_source_rgba (cr, look.color.r, look.color.g, look.color.b, look.color.a);
    cairo_set_line_width (cr, 1.5 * scale);
    cairo_stroke (cr);
    pango_layout_set_text (layout, runs[i].label, -1);
    pango_layout_get_pixel_size (layout, NULL, &height);
    cairo_set_source_rgb (cr, ink, ink, ink);
    cairo_move_to (cr, (LEGEND_GAP + SAMPLE / 2 + 7) * scale, y + (LEGEND_ROW * scale - height) / 2);
    pango_cairo_show_layout (cr, layout);
    y += LEGEND_ROW * scale;
  }
  pango_font_description_free (font);
  g_object_unref (layout);
}

void
ssapp_draw_overlaid (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappOverlaidRun *runs,
                     int n, const SsappSceneFlags *flags)
{
  g_return_if_fail ((runs != NULL || n == 0) && n >= 0);

  const SsappSceneFlags plain = {0};
  int looks[SSAPP_OVERLAID_MOST], first = -1;

  n = MIN (n, SSAPP_OVERLAID_MOST);
  ssapp_overlaid_looks (style, runs, n, looks);
  ssapp_draw_backdrop (cr, style, camera, flags);
  for (int i = 0; i < n && first < 0; i++)
    first = runs[i].motion != NULL ? i : -1;
  if (first >= 0) {
    int n_marks;
    g_autofree SsMark *marks = marks_of (&runs[first], FALSE, &n_marks);
    ssapp_draw_marks (cr, style, camera, marks, n_marks, &plain);
  }
  for (int i = n - 1; i >= 0; i--) {
    SsappMethodStyle look;
    if (runs[i].motion == NULL)
      continue;
    look_of (style, &runs[i], looks[i], &look);
    draw_bodies (cr, style, camera, &runs[i], look.color);
  }
  draw_legend (cr, style, runs, looks, n);
}
