/* app/export/ssapp-page-marks.c: the marks of a motion over the frames of a page. What stays is told once; what moves
 * is a column, and two that are the same (a body and its centre) are one. */
#include "app/export/ssapp-page-private.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-run-plots.h"

#include <math.h>
#include <string.h>

enum {
  FRAMES_LEAST = 600,             /* a page has so many, so that it plays smoothly        */
  VALUES_MOST = 40 * 1000 * 1000, /* of columns, all frames together: 320 MB of memory */
};
/* Positions are told to this part of the picture's longer side, or finer by a power of ten: a hundredth of a pixel. */
static const double PLACE_PART = 5e-6;
static const double ANGLE_STEP = 1e-5, TIME_STEP = 1e-9;

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Every stride-th row, both sides of jumps and the last one. */
static SsTrajectory *
thinned (const SsTrajectory *motion, int stride)
{
  const int last = motion->n_rows - 1;
  SsTrajectory *out;

  if (ss_trajectory_new (motion->channels, motion->n_channels, motion->n_rows / stride + 2, &out, NULL) != SS_OK)
    return NULL;
  for (int k = 0; k <= last; k++) {
    const double t = ss_trajectory_row (motion, k)[0];
    const gboolean jumps =
        (k > 0 && ss_trajectory_row (motion, k - 1)[0] == t) || (k < last && ss_trajectory_row (motion, k + 1)[0] == t);
    if ((k % stride == 0 || jumps || k == last) &&
        ss_trajectory_append (out, ss_trajectory_row (motion, k), NULL) != SS_OK) {
      ss_trajectory_free (out);
      return NULL;
    }
  }
  return out;
}

gboolean
ssapp_page_frames_init (SsappPageFrames *frames, const SsTrajectory *motion, int stride)
{
  *frames = (SsappPageFrames){.rows = motion, .stride = stride};
  if (stride > 1)
    frames->own = thinned (motion, stride);
  else if (motion->n_rows < FRAMES_LEAST)
    frames->own = ssapp_refine_motion (motion, FRAMES_LEAST);
  frames->is_refined = stride == 1 && frames->own != NULL;
  if (frames->own != NULL)
    frames->rows = frames->own;
  return frames->own != NULL || stride == 1;
}

void
ssapp_page_frames_clear (SsappPageFrames *frames)
{
  ss_trajectory_free (frames->own);
  *frames = (SsappPageFrames){0};
}

SsappPageSteps
ssapp_page_steps (const double bounds[4])
{
  const double side = fmax (bounds[2] - bounds[0], bounds[3] - bounds[1]);
  const double place = isfinite (side) && side > 0 ? pow (10, floor (log10 (side * PLACE_PART))) : 1e-6;

  return (SsappPageSteps){place, ANGLE_STEP, TIME_STEP};
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

void
ssapp_page_columns_init (SsappPageColumns *columns)
{
  columns->about = json_array ();
  columns->bytes = g_byte_array_new ();
  columns->known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
}

void
ssapp_page_columns_clear (SsappPageColumns *columns)
{
  json_decref (columns->about);
  g_byte_array_unref (columns->bytes);
  g_hash_table_unref (columns->known);
}

json_t *
ssapp_packed_to_json (const SsappPacked *about)
{
  g_return_val_if_fail (about != NULL, NULL);
  return json_pack ("{s:f, s:f, s:I, s:i, s:i, s:b}", "least", about->least, "step", about->step, "first",
                    (json_int_t)about->first, "order", about->order, "bytes", about->n_bytes, "gaps",
                    (int)about->has_gaps);
}

json_t *
ssapp_page_columns_add (SsappPageColumns *columns, const double *values, gsize n, double step)
{
  g_return_val_if_fail (columns != NULL, NULL);
  g_autoptr (GByteArray) own = g_byte_array_new ();
  const SsappPacked about = ssapp_pack_column (values, n, step, own);

  if (about.step == 0)
    return json_real (about.least);
  /* the head too: differences alone do not say where it begins */
  g_byte_array_append (own, (const guint8 *)&about.least, sizeof about.least);
  g_byte_array_append (own, (const guint8 *)&about.step, sizeof about.step);
  GBytes *key = g_byte_array_free_to_bytes (g_steal_pointer (&own));
  gpointer place;
  if (g_hash_table_lookup_extended (columns->known, key, NULL, &place)) {
    g_bytes_unref (key);
    return json_pack ("[i]", GPOINTER_TO_INT (place));
  }
  const int index = (int)json_array_size (columns->about);
  json_t *told = ssapp_packed_to_json (&about);
  json_object_set_new (told, "at", json_integer ((json_int_t)columns->bytes->len));
  json_array_append_new (columns->about, told);
  g_byte_array_append (columns->bytes, g_bytes_get_data (key, NULL), (guint)(n * (gsize)about.n_bytes));
  g_hash_table_insert (columns->known, key, GINT_TO_POINTER (index));
  return json_pack ("[i]", index);
}

/* ---- marks over the frames --------------------------------------------------------------------------------------- */

/* A number of a mark that may change: kept as one until it does. */
typedef struct {
  double first;
  double *values; /* NULL: it is `first` in all frames so far */
} Field;

enum { FIELD_VISIBLE, FIELD_X, FIELD_Y, FIELD_ANGLE, FIELD_RADIUS, FIELD_VX, FIELD_VY, FIELD_VALUE, N_FIELDS };

typedef struct {
  Field *fields; /* N_FIELDS, then x and y of the vertices */
  int n_fields, n_vertices;
  gboolean is_ever_seen;
} Moving;

static double
field_of (const SsMark *mark, int f)
{
  switch (f) {
  case FIELD_X:
    return mark->position.x;
  case FIELD_Y:
    return mark->position.y;
  case FIELD_ANGLE:
    return mark->angle;
  case FIELD_RADIUS:
    return mark->radius;
  case FIELD_VX:
    return mark->vector.x;
  case FIELD_VY:
    return mark->vector.y;
  case FIELD_VALUE: /* other values a page finds by its marks' places */
    return mark->kind == SS_MARK_ANGLE ? mark->value : 0;
  default: {
    const SsVec2 *vertex = &mark->vertices[(f - N_FIELDS) / 2];
    return (f - N_FIELDS) % 2 == 0 ? vertex->x : vertex->y;
  }
  }
}

/* FALSE: no more room. */
static gboolean
take (Field *field, double value, int k, int n, gsize *room)
{
  if (field->values == NULL && value == field->first)
    return TRUE;
  if (field->values == NULL) {
    if (*room < (gsize)n)
      return FALSE;
    *room -= (gsize)n;
    field->values = g_new (double, n);
    for (int i = 0; i < k; i++)
      field->values[i] = field->first;
  }
  field->values[k] = value;
  return TRUE;
}

static gboolean
is_shown (const SsMark *mark, int n_vertices)
{
  gboolean ok = mark->visible && mark->n_vertices == n_vertices;

  for (int f = FIELD_X; ok && f < N_FIELDS + 2 * n_vertices; f++)
    ok = isfinite (field_of (mark, f));
  return ok;
}

static double
last_of (const Field *field, int k)
{
  return field->values != NULL ? field->values[k - 1] : field->first;
}

/* What is hidden stays where it was: nothing to tell. */
static gboolean
take_mark (Moving *moving, const SsMark *mark, int k, int n, gsize *room)
{
  const gboolean shown = is_shown (mark, moving->n_vertices);

  for (int f = FIELD_X; shown && !moving->is_ever_seen && f < moving->n_fields; f++)
    moving->fields[f].first = field_of (mark, f); /* nothing was told so far */
  moving->is_ever_seen = moving->is_ever_seen || shown;
  if (k == 0)
    moving->fields[FIELD_VISIBLE].first = shown;
  if (!take (&moving->fields[FIELD_VISIBLE], shown, k, n, room))
    return FALSE;
  for (int f = FIELD_X; f < moving->n_fields; f++)
    if (!take (&moving->fields[f], shown ? field_of (mark, f) : last_of (&moving->fields[f], MAX (k, 1)), k, n, room))
      return FALSE;
  return TRUE;
}

static double
step_of (int f, SsMarkKind kind, const SsappPageSteps *steps, const Field *field, int n)
{
  double most = 0;

  if (f == FIELD_VISIBLE)
    return 1;
  if (f == FIELD_ANGLE || f == FIELD_VALUE)
    return steps->angle;
  if ((f != FIELD_VX && f != FIELD_VY) || kind != SS_MARK_ARROW)
    return steps->place;
  for (int k = 0; k < n; k++) /* a force or a velocity: a thousandth of the longest arrow */
    most = fmax (most, fabs (field->values[k]));
  return fmax (most, SSAPP_SMALLEST_ARROW) / 1000;
}

static json_t *
field_to_json (const Field *field, int f, SsMarkKind kind, int n, const SsappPageSteps *steps,
               SsappPageColumns *columns)
{
  if (field->values == NULL)
    return json_real (field->first);
  return ssapp_page_columns_add (columns, field->values, (gsize)n, step_of (f, kind, steps, field, n));
}

static json_t *
mark_to_json (const SsMark *mark, const Moving *moving, int n, const SsappPageSteps *steps, SsappPageColumns *columns)
{
  static const char *const names[N_FIELDS] = {"visible", "x", "y", "angle", "radius", "vx", "vy", "value"};
  json_t *out =
      json_pack ("{s:s, s:s, s:s, s:s, s:b, s:i}", "kind", ss_mark_kind_name (mark->kind), "role",
                 ss_mark_role_name (mark->role), "name", mark->name != NULL ? mark->name : "", "color",
                 mark->color != NULL ? mark->color : "", "trace", (int)mark->trace, "layer", ssapp_mark_layer (mark));
  json_t *vertices = json_array ();

  if (out == NULL) { /* a name that is no UTF-8: readers refuse it */
    json_decref (vertices);
    return NULL;
  }
  if (mark->kind == SS_MARK_NOTE)
    json_object_set_new (out, "text", json_string (mark->text));
  for (int f = 0; f < N_FIELDS; f++)
    json_object_set_new (out, names[f], field_to_json (&moving->fields[f], f, mark->kind, n, steps, columns));
  for (int f = N_FIELDS; f < moving->n_fields; f++)
    json_array_append_new (vertices, field_to_json (&moving->fields[f], f, mark->kind, n, steps, columns));
  json_object_set_new (out, "vertices", vertices);
  return out;
}

static Moving *
moving_new (const SsMark *marks, int n_marks)
{
  Moving *moving = g_new0 (Moving, MAX (n_marks, 1));

  for (int i = 0; i < n_marks; i++) {
    moving[i].n_vertices = marks[i].n_vertices;
    moving[i].n_fields = N_FIELDS + 2 * marks[i].n_vertices;
    moving[i].fields = g_new0 (Field, moving[i].n_fields);
  }
  return moving;
}

static void
moving_free (Moving *moving, int n_marks)
{
  for (int i = 0; i < n_marks; i++) {
    for (int f = 0; f < moving[i].n_fields; f++)
      g_free (moving[i].fields[f].values);
    g_free (moving[i].fields);
  }
  g_free (moving);
}

json_t *
ssapp_page_marks (SsView *view, const SsappPageFrames *frames, const SsappPageSteps *steps, SsappPageColumns *columns,
                  GCancellable *cancellable, GError **error)
{
  const int n = frames->rows->n_rows, n_marks = ss_view_n_marks (view);
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (n_marks, 1));
  gsize room = VALUES_MOST;
  gboolean ok = TRUE;

  ss_view_frame (view, ss_trajectory_row (frames->rows, 0), marks);
  Moving *moving = moving_new (marks, n_marks);
  for (int k = 0; ok && k < n; k++) {
    ok = k % 256 != 0 || !g_cancellable_set_error_if_cancelled (cancellable, error);
    ss_view_frame (view, ss_trajectory_row (frames->rows, k), marks);
    for (int i = 0; ok && i < n_marks; i++)
      ok = take_mark (&moving[i], &marks[i], k, n, &room);
  }
  json_t *list = ok ? json_array () : NULL;
  for (int i = 0; ok && i < n_marks; i++)
    if (moving[i].is_ever_seen)
      json_array_append_new (list, mark_to_json (&marks[i], &moving[i], n, steps, columns));
  moving_free (moving, n_marks);
  return list;
}

/* ---- palettes ---------------------------------------------------------------------------------------------------- */

static json_t *
color_to_json (SsappColor color)
{
  g_autofree char *text =
      g_strdup_printf ("#%02x%02x%02x%02x", (guint)lround (255 * color.r), (guint)lround (255 * color.g),
                       (guint)lround (255 * color.b), (guint)lround (255 * color.a));
  return json_string (text);
}

static json_t *
palette (const json_t *marks, gboolean dark)
{
  static const struct {
    const char *name;
    SsappColorName color;
  } named[] = {
      {"view", SSAPP_COLOR_VIEW},      {"foreground", SSAPP_COLOR_FOREGROUND}, {"dim", SSAPP_COLOR_DIM},
      {"grid", SSAPP_COLOR_PLOT_GRID}, {"accent", SSAPP_COLOR_ACCENT},         {"link", SSAPP_COLOR_ACCENT_TEXT},
      {"goal", SSAPP_COLOR_GOAL},      {"fixed", SSAPP_COLOR_FIXED},           {"contact", SSAPP_COLOR_CONTACT},
      {"force", SSAPP_COLOR_FORCE},    {"velocity", SSAPP_COLOR_VELOCITY}};
  enum { N_LOOKS = 8 };
  json_t *out = json_object (), *bodies = json_object (), *looks = json_array (), *mark;
  SsappStyle style;
  size_t i;

  ssapp_style_init (&style, dark);
  for (gsize k = 0; k < G_N_ELEMENTS (named); k++)
    json_object_set_new (out, named[k].name, color_to_json (ssapp_style_color (&style, named[k].color)));
  json_array_foreach ((json_t *)marks, i, mark)
  {
    const char *name = json_string_value (json_object_get (mark, "color"));
    SsappColor outline, fill;
    if (json_object_get (bodies, name) != NULL)
      continue;
    ssapp_style_body_colors (&style, name, &outline, &fill);
    json_object_set_new (bodies, name, json_pack ("[o, o]", color_to_json (outline), color_to_json (fill)));
  }
  for (int look = 0; look < N_LOOKS; look++) {
    SsappMethodStyle about;
    ssapp_style_look (&style, look, &about);
    json_t *dash = json_array ();
    for (int k = 0; k < about.n_dash; k++)
      json_array_append_new (dash, json_real (about.dash[k]));
    json_array_append_new (looks, json_pack ("{s:o, s:o}", "color", color_to_json (about.color), "dash", dash));
  }
  json_object_set_new (out, "bodies", bodies);
  json_object_set_new (out, "looks", looks);
  return out;
}

json_t *
ssapp_page_palettes (const json_t *marks)
{
  return json_pack ("{s:o, s:o}", "light", palette (marks, FALSE), "dark", palette (marks, TRUE));
}
