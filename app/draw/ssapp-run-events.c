/* app/draw/ssapp-run-events.c: see the header. */
#include "app/draw/ssapp-run-events.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot-parts.h"
#include "core/ss-stage-rows.h"

#include <math.h>
#include <string.h>

/* ---- result ------------------------------------------------------------------------------------------------------ */

static const char *
kind_word (int kind)
{
  return ss_event_kind_name ((SsEventKind)kind);
}

static const SsappRecordField event_fields[] = {
    SSAPP_FIELD (SsappRunEvent, t, "t", REAL, "s", "when"),
    SSAPP_FIELD_OF (SsappRunEvent, kind, "kind", WORD, kind_word, SS_EVENT_COUNT, SS_EVENT_COUNT, "what happened"),
    SSAPP_FIELD (SsappRunEvent, contact, "contact", LABEL, "", "contact; null: of a joint"),
    SSAPP_FIELD_FREE (SsappRunEvent, point, "point", INDEX, "", "point of the contact; null: not known"),
    SSAPP_FIELD (SsappRunEvent, impulse, "impulse", REAL, "N s", "of an impact; else null"),
    SSAPP_FIELD_FREE (SsappRunEvent, joint, "joint", LABEL, "", "joint whose limit it is"),
    SSAPP_FIELD_FREE (SsappRunEvent, limit, "limit", LABEL, "", "which limit: upper or lower"),
    SSAPP_FIELD_FREE (SsappRunEvent, is_exact, "exact", FLAG, "", "the time was solved for"),
    SSAPP_FIELD_FREE (SsappRunEvent, tau, "tau", REAL, "s", "time of the second clock")};
const SsappRecord ssapp_run_event_record = SSAPP_RECORD (SsappRunEvent, event_fields);

/* Of a contact `point` is there also where it is not known. */
static const SsappRecord before_point = {event_fields, 3, sizeof (SsappRunEvent)},
                         after_point = {event_fields + 4, G_N_ELEMENTS (event_fields) - 4, sizeof (SsappRunEvent)};

typedef struct {
  const char *name;
  double value;
  const char *unit;
} Condition;

static const SsappRecordField condition_fields[] = {
    SSAPP_FIELD (Condition, name, "name", STRING, "", "what is 0 then"),
    SSAPP_FIELD (Condition, value, "value", REAL, "`unit`", "what is left of it"),
    SSAPP_FIELD (Condition, unit, "unit", STRING, "", "its unit")};
const SsappRecord ssapp_event_condition_record = SSAPP_RECORD (Condition, condition_fields);

static json_t *
condition_to_json (const SsEvent *e)
{
  const Condition told = {ss_event_condition (e->kind), e->condition, ss_event_condition_unit (e->kind)};

  return e->is_following ? json_null () : ssapp_record_to_json (&ssapp_event_condition_record, &told);
}

json_t *
ssapp_run_events_to_json (const SsScene *scene, const SsEventList *events)
{
  json_t *list = json_array ();

  for (int i = 0; events != NULL && i < events->n_items; i++) {
    const SsEvent *e = &events->items[i];
    const gboolean is_limit = e->kind == SS_EVENT_LIMIT || e->kind == SS_EVENT_LIMIT_LEFT;
    const char *name = ss_event_subject_name (scene, e);
    const SsappRunEvent told = {.t = e->t,
                                .tau = e->tau,
                                .kind = e->kind,
                                .contact = is_limit ? NULL : name,
                                .joint = is_limit ? name : NULL,
                                .limit = !is_limit     ? NULL
                                         : e->is_upper ? "upper"
                                                       : "lower",
                                .impulse = e->impulse,
                                .is_exact = e->is_exact};
    json_t *item = ssapp_record_to_json (&before_point, &told);
    if (!is_limit)
      json_object_set_new (item, "point", e->point >= 0 ? json_integer (e->point) : json_null ());
    ssapp_record_add_to_json (&after_point, &told, item);
    if (e->is_exact && (e->is_following || isfinite (e->condition)))
      json_object_set_new (item, "condition", condition_to_json (e));
    json_array_append_new (list, item);
  }
  return list;
}

static void
clear_event (SsappRunEvent *event)
{
  ssapp_record_clear (&ssapp_run_event_record, event);
}

GArray *
ssapp_run_events_from_json (const json_t *result)
{
  GArray *events = g_array_new (FALSE, TRUE, sizeof (SsappRunEvent));
  const json_t *list = json_object_get (result, "events");

  g_array_set_clear_func (events, (GDestroyNotify)clear_event);
  for (size_t i = 0; i < json_array_size (list); i++) {
    const json_t *item = json_array_get (list, i), *condition = json_object_get (item, "condition");
    SsappRunEvent event = {.condition = ssapp_json_get_real (condition, "value"),
                           .is_following = json_is_null (condition)};

    ssapp_record_from_json (&ssapp_run_event_record, item, &event);
    if (event.kind == SS_EVENT_COUNT || !isfinite (event.t))
      clear_event (&event);
    else
      g_array_append_val (events, event);
  }
  return events;
}

static int
subject_of (const SsScene *scene, const SsappRunEvent *event)
{
  const int contact = ss_scene_find (scene, SS_OWNER_CONTACT, event->contact);

  return contact >= 0 ? contact : ss_scene_find (scene, SS_OWNER_JOINT, event->joint);
}

SsStatus
ssapp_run_events_to_list (const json_t *list, const SsScene *scene, SsEventList **out, SsError *err)
{
  json_t *result = json_pack ("{s:O}", "events", list);
  g_autoptr (GArray) events = ssapp_run_events_from_json (result);
  const SsStatus status = ss_events_new (out, err);

  json_decref (result);
  for (guint i = 0; status == SS_OK && i < events->len; i++) {
    const SsappRunEvent *e = &g_array_index (events, SsappRunEvent, i);
    const SsEvent event = {.t = e->t,
                           .kind = e->kind,
                           .subject = subject_of (scene, e),
                           .point = e->point,
                           .is_upper = g_strcmp0 (e->limit, "upper") == 0,
                           .impulse = e->impulse,
                           .is_exact = e->is_exact,
                           .tau = e->tau,
                           .condition = e->condition,
                           .is_following = e->is_exact && e->is_following};
    if (event.subject >= 0)
      ss_events_add (*out, &event);
  }
  return status;
}

const char *
ssapp_run_event_subject (const SsappRunEvent *event)
{
  g_return_val_if_fail (event != NULL, NULL);
  return event->contact != NULL ? event->contact : event->joint != NULL ? event->joint : "";
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

char *
ssapp_run_event_describe (const SsappRunEvent *event)
{
  g_return_val_if_fail (event != NULL, NULL);
  static const char *const texts[SS_EVENT_COUNT] = {
      "impact at",           "separation of",         "slip begins at",
      "slip ends at",        "slip reverses at",      "limit of",
      "leaves the limit of", "impacts accumulate at", "impact without collision at"};
  const char *subject = ssapp_run_event_subject (event);
  /* Decimals as the time deserves: late by a step, or solved for. */
  const int decimals = event->is_exact ? 9 : 4;

  if (event->limit != NULL)
    return g_strdup_printf ("%.*f s: %s %s (%s)", decimals, event->t, texts[event->kind], subject, event->limit);
  g_autofree char *point = event->point >= 0 ? g_strdup_printf (", point %d", event->point) : g_strdup ("");
  if (isfinite (event->impulse))
    return g_strdup_printf ("%.*f s: %s %s%s, %.3g N s", decimals, event->t, texts[event->kind], subject, point,
                            event->impulse);
  return g_strdup_printf ("%.*f s: %s %s%s", decimals, event->t, texts[event->kind], subject, point);
}

const SsappRunEvent *
ssapp_run_events_find_near (GArray *events, double t, double reach, int *number)
{
  g_return_val_if_fail (number != NULL, NULL);
  const SsappRunEvent *nearest = NULL;

  for (guint i = 0; events != NULL && i < events->len; i++) {
    const SsappRunEvent *event = &g_array_index (events, SsappRunEvent, i);
    if (fabs (event->t - t) <= reach && (nearest == NULL || fabs (event->t - t) < fabs (nearest->t - t)))
      nearest = event;
  }
  *number = 0;
  for (guint i = 0; nearest != NULL && i < events->len; i++) {
    const SsappRunEvent *event = &g_array_index (events, SsappRunEvent, i);
    *number += event->kind == nearest->kind &&
               strcmp (ssapp_run_event_subject (event), ssapp_run_event_subject (nearest)) == 0;
    if (event == nearest)
      break;
  }
  return nearest;
}

char *
ssapp_run_events_summary (GArray *events)
{
  static const char *const words[SS_EVENT_COUNT][2] = {{"impact", "impacts"},
                                                       {"separation", "separations"},
                                                       {"slip", "slips"},
                                                       {"stick", "sticks"},
                                                       {"slip reversal", "slip reversals"},
                                                       {"limit reached", "limits reached"},
                                                       {"limit left", "limits left"},
                                                       {"accumulation", "accumulations"},
                                                       {"impact without collision", "impacts without collision"}};
  GString *text = g_string_new (NULL);
  guint counts[SS_EVENT_COUNT] = {0};

  for (guint i = 0; events != NULL && i < events->len; i++)
    counts[g_array_index (events, SsappRunEvent, i).kind]++;
  for (int k = 0; k < SS_EVENT_COUNT; k++)
    if (counts[k] > 0)
      g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", counts[k], words[k][counts[k] > 1]);
  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (text, FALSE);
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Slip of the second body along the contact's tangent is against the friction on it. A tangent is the normal turned by
 * -90 degrees: +x on a floor. */
void
ssapp_run_events_find_directions (GArray *events, const SsTrajectory *trajectory)
{
  g_autoptr (GHashTable) forces = NULL;

  if (events == NULL || events->len == 0 || trajectory == NULL || trajectory->n_rows == 0)
    return;
  forces = g_hash_table_new (g_str_hash, g_str_equal);
  for (int c = 0; c < trajectory->n_channels; c++)
    if (trajectory->channels[c].quantity == SS_QUANTITY_TANGENTIAL_FORCE)
      g_hash_table_insert (forces, (gpointer)trajectory->channels[c].owner_name, GINT_TO_POINTER (c + 1));
  for (guint i = 0; i < events->len; i++) {
    SsappRunEvent *e = &g_array_index (events, SsappRunEvent, i);
    const int channel = e->contact != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (forces, e->contact)) - 1 : -1;
    if (channel < 0 || (e->kind != SS_EVENT_SLIP && e->kind != SS_EVENT_REVERSAL))
      continue;
    const double t = e->t + 1e-9 * (1 + fabs (e->t)); /* of times written as text */
    const double force = ss_trajectory_row (trajectory, ss_trajectory_row_up_to (trajectory, 0, t))[channel];
    e->direction = force < 0 ? 1 : force > 0 ? -1 : 0;
  }
}

const char *
ssapp_event_kind_title (SsEventKind kind)
{
  static const char *const titles[SS_EVENT_COUNT] = {
      "Impact", "Separates", "Slips", "Sticks", "Slips back", "Limit", "Leaves limit", "Accumulates", "No collision"};
  return titles[kind];
}

static SsappColor
kind_color (const SsappStyle *style, SsEventKind kind)
{
  switch (kind) {
  case SS_EVENT_IMPACT:
  case SS_EVENT_ACCUMULATION:
  case SS_EVENT_WITHOUT_COLLISION:
    return ssapp_style_color (style, SSAPP_COLOR_FORCE);
  case SS_EVENT_SLIP:
  case SS_EVENT_REVERSAL:
    return ssapp_style_color (style, SSAPP_COLOR_VELOCITY);
  case SS_EVENT_STICK:
    return ssapp_style_color (style, SSAPP_COLOR_CONTACT);
  default:
    return ssapp_style_color (style, SSAPP_COLOR_DIM);
  }
}

/* A triangle whose tip points along x. */
static void
draw_tip (cairo_t *cr, double x, double y, double radius, int direction)
{
  cairo_move_to (cr, x + direction * radius, y);
  cairo_line_to (cr, x - direction * radius, y - radius);
  cairo_line_to (cr, x - direction * radius, y + radius);
  cairo_close_path (cr);
  cairo_fill (cr);
}

void
ssapp_event_mark_draw (cairo_t *cr, const SsappStyle *style, SsEventKind kind, int direction, double x, double y,
                       double radius)
{
  g_return_if_fail (style != NULL);

  const SsappColor color = kind_color (style, kind), view = ssapp_style_color (style, SSAPP_COLOR_VIEW);
  const double line = 1.5 * style->scale;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, line);
  ssapp_set_color (cr, color);
  switch (kind) {
  case SS_EVENT_IMPACT:
    ssapp_draw_marker (cr, SSAPP_MARKER_DIAMOND, x, y, radius, line, color, TRUE, view);
    break;
  case SS_EVENT_WITHOUT_COLLISION:
    ssapp_draw_marker (cr, SSAPP_MARKER_DIAMOND, x, y, radius, line, color, FALSE, view);
    break;
  case SS_EVENT_SEPARATION:
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, x, y, 0.8 * radius, line, color, FALSE, view);
    break;
  case SS_EVENT_STICK:
    cairo_rectangle (cr, x - 0.8 * radius, y - 0.8 * radius, 1.6 * radius, 1.6 * radius);
    cairo_fill (cr);
    break;
  case SS_EVENT_SLIP:
    draw_tip (cr, x, y, 0.9 * radius, direction < 0 ? -1 : 1);
    break;
  case SS_EVENT_REVERSAL:
    draw_tip (cr, x - 0.55 * radius, y, 0.55 * radius, -1);
    draw_tip (cr, x + 0.55 * radius, y, 0.55 * radius, 1);
    break;
  case SS_EVENT_ACCUMULATION:
    for (int side = -1; side <= 1; side += 2) {
      cairo_move_to (cr, x - 0.8 * radius, y - side * 0.8 * radius);
      cairo_line_to (cr, x + 0.8 * radius, y + side * 0.8 * radius);
    }
    cairo_stroke (cr);
    break;
  case SS_EVENT_LIMIT:
  case SS_EVENT_LIMIT_LEFT:
  default:
    cairo_set_line_width (cr, kind == SS_EVENT_LIMIT ? 2 * line : 0.7 * line);
    cairo_move_to (cr, x, y - radius);
    cairo_line_to (cr, x, y + radius);
    cairo_stroke (cr);
    break;
  }
  cairo_restore (cr);
}

double
ssapp_event_legend_draw (cairo_t *cr, const SsappStyle *style, const SsappEventTrack *tracks, int n_tracks, double x,
                         double y, double width, double height)
{
  g_return_val_if_fail (style != NULL && (tracks != NULL || n_tracks == 0) && n_tracks >= 0, 0);

  static const double GAP = 0.5, APART = 1.2; /* font sizes */
  const double radius = 4.5 * style->scale, font = style->font_size;
  const SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_y = 0.5};
  gboolean is_there[SS_EVENT_COUNT] = {FALSE};
  double at = 0;

  for (int k = 0; k < n_tracks; k++)
    for (guint i = 0; tracks[k].events != NULL && i < tracks[k].events->len; i++)
      is_there[g_array_index (tracks[k].events, SsappRunEvent, i).kind] = TRUE;
  for (int kind = 0; kind < SS_EVENT_COUNT; kind++) {
    double words;
    if (!is_there[kind])
      continue;
    g_autofree char *label = g_ascii_strdown (ssapp_event_kind_title ((SsEventKind)kind), -1);
    ssapp_text_measure (style, font, FALSE, label, &words, NULL);
    const double own = 2 * radius + GAP * font + words;
    if (cr != NULL && at + own <= width) {
      ssapp_event_mark_draw (cr, style, (SsEventKind)kind, 1, x + at + radius, y + height / 2, radius);
      ssapp_text_draw (cr, style, &text, x + at + 2 * radius + GAP * font, y + height / 2, label);
    }
    at += own + APART * font;
  }
  return MAX (at - APART * font, 0);
}

/* ---- timeline ---------------------------------------------------------------------------------------------------- */

/* Room between two rows for ticks that can be told apart [px], their height as a share of the track, their strength. */
static const double tick_room = 4, tick_height = 0.22, tick_alpha = 0.55;

/* A tick for every row, on average tick_room apart or none. */
static void
draw_ticks (cairo_t *cr, const SsappStyle *style, const SsTrajectory *trajectory, double duration, double x,
            double width, double base, double height)
{
  if (trajectory == NULL || trajectory->n_rows < 3 || width / trajectory->n_rows < tick_room * style->scale)
    return;
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_DIM), tick_alpha));
  cairo_set_line_width (cr, style->scale);
  for (int row = 0; row < trajectory->n_rows; row++) {
    const double t = ss_trajectory_row (trajectory, row)[0];

    if (!(t >= 0 && t <= duration))
      continue;
    cairo_move_to (cr, x + width * t / duration, base);
    cairo_rel_line_to (cr, 0, -height);
  }
  cairo_stroke (cr);
}

void
ssapp_event_tracks_draw (cairo_t *cr, const SsappStyle *style, const SsappEventTrack *tracks, int n_tracks,
                         double duration, double x, double y, double width, double height)
{
  g_return_if_fail (style != NULL && (tracks != NULL || n_tracks == 0) && n_tracks >= 0);

  static const double LARGEST_PX = 4.5, SMALLEST_PX = 2.;
  const double step = height / MAX (n_tracks, 1);
  const double radius = CLAMP (0.45 * step, SMALLEST_PX * style->scale, LARGEST_PX * style->scale);

  if (!(duration > 0))
    return;
  cairo_save (cr);
  for (int k = 0; k < n_tracks; k++) {
    const double base = y + step * (k + 1);
    SsappMethodStyle method;

    if (n_tracks > 1) {
      ssapp_style_method (style, tracks[k].method, &method);
      ssapp_draw_look_mark (cr, &method, x - 2.2 * radius, base - step / 2, 0.8 * radius, 1.5 * style->scale,
                            ssapp_style_color (style, SSAPP_COLOR_VIEW));
    }
    draw_ticks (cr, style, tracks[k].trajectory, duration, x, width, base, tick_height * step);
    for (guint i = 0; tracks[k].events != NULL && i < tracks[k].events->len; i++) {
      const SsappRunEvent *e = &g_array_index (tracks[k].events, SsappRunEvent, i);
      if (e->t <= duration)
        ssapp_event_mark_draw (cr, style, e->kind, e->direction, x + width * e->t / duration, base - step / 2, radius);
    }
  }
  cairo_restore (cr);
}

/* "; solved for: gap = 0, left 2.2e-16 m", of an exact time; g_free. */
static char *
solved_for (const SsappRunEvent *event)
{
  const char *name = ss_event_condition (event->kind);

  if (!event->is_exact)
    return g_strdup ("");
  if (event->kind == SS_EVENT_ACCUMULATION)
    return g_strdup_printf ("; the limit of: %s", name);
  if (event->is_following)
    return g_strdup ("; caused by another event at this instant");
  if (!isfinite (event->condition))
    return g_strdup_printf ("; solved for: %s = 0", name);
  g_autofree char *left = ssapp_format_number (event->condition, 2);
  return g_strdup_printf ("; solved for: %s = 0, left %s %s", name, left, ss_event_condition_unit (event->kind));
}

char *
ssapp_event_tracks_describe (const SsappEventTrack *tracks, int n_tracks, double t, double reach, int most)
{
  g_return_val_if_fail ((tracks != NULL || n_tracks == 0) && n_tracks >= 0 && most >= 0, NULL);

  GString *text = g_string_new (NULL);
  int n = 0;

  for (int k = 0; k < n_tracks; k++)
    for (guint i = 0; tracks[k].events != NULL && i < tracks[k].events->len; i++) {
      const SsappRunEvent *e = &g_array_index (tracks[k].events, SsappRunEvent, i);
      if (fabs (e->t - t) > reach || n++ >= most)
        continue;
      g_autofree char *line = ssapp_run_event_describe (e), *solved = solved_for (e);
      g_string_append_printf (text, "%s%s%s%s%s", text->len > 0 ? "\n" : "", n_tracks > 1 ? tracks[k].label : "",
                              n_tracks > 1 ? ", " : "", line, solved);
    }
  if (n > most)
    g_string_append_printf (text, "\n… and %d more", n - most);
  return g_string_free (text, n == 0);
}

/* Before the jump at t comes first, then after it. */
static int
compare_instants (SsappInstant a, SsappInstant b)
{
  if (a.t != b.t)
    return a.t < b.t ? -1 : 1;
  return (int)b.is_before - (int)a.is_before;
}

gboolean
ssapp_event_tracks_step (const SsappEventTrack *tracks, int n_tracks, int direction, gboolean with_stages,
                         SsappInstant *instant)
{
  g_return_val_if_fail ((tracks != NULL || n_tracks == 0) && n_tracks >= 0 && direction != 0 && instant != NULL, FALSE);

  SsappInstant best = {direction > 0 ? INFINITY : -INFINITY, FALSE};

  for (int k = 0; k < n_tracks; k++) {
    const SsTrajectory *trajectory = tracks[k].trajectory;
    const int stage = !with_stages && trajectory != NULL ? ss_stage_rows_channel (trajectory) : -1; /* to leave out */

    for (int row = 0; trajectory != NULL && row < trajectory->n_rows; row++) {
      const int end = ss_trajectory_last_at (trajectory, row);
      int last = end;
      while (last >= row && ss_stage_rows_is_one (trajectory, stage, last))
        last--;
      const double t = ss_trajectory_row (trajectory, row)[0];

      for (int side = row < last ? 0 : 1; side < 2 && last >= row; side++) {
        const SsappInstant other = {t, side == 0};

        if (direction * compare_instants (other, *instant) > 0 && direction * compare_instants (other, best) < 0)
          best = other;
      }
      row = end;
    }
  }
  if (!isfinite (best.t))
    return FALSE;
  *instant = best;
  return TRUE;
}

gboolean
ssapp_event_tracks_have_stages (const SsappEventTrack *tracks, int n_tracks)
{
  g_return_val_if_fail ((tracks != NULL || n_tracks == 0) && n_tracks >= 0, FALSE);
  for (int k = 0; k < n_tracks; k++)
    if (tracks[k].trajectory != NULL && ss_stage_rows_has (tracks[k].trajectory))
      return TRUE;
  return FALSE;
}

/* "step 12, element 1 of 2, stage 2 of 3"; NULL: no track has rows of stages, or none at this instant; g_free. */
static char *
stage_at (const SsappEventTrack *tracks, int n_tracks, const SsappInstant *instant)
{
  for (int k = 0; k < n_tracks; k++) {
    const SsTrajectory *motion = tracks[k].trajectory;
    SsStagePlace place;
    if (motion == NULL || motion->n_rows == 0 || !ss_stage_rows_has (motion))
      continue;
    const int last = ss_trajectory_row_up_to (motion, 0, instant->t);
    const int row = instant->is_before ? ss_trajectory_first_at (motion, last) : last;
    if (ss_trajectory_row (motion, row)[0] != instant->t || !ss_stage_rows_place (motion, row, &place))
      return NULL;
    g_autofree char *element = place.element > 0 && place.n_elements > 1
                                   ? g_strdup_printf (", element %d of %d", place.element, place.n_elements)
                                   : g_strdup ("");
    if (place.stage > 0)
      return g_strdup_printf ("step %d%s, stage %d of %d", place.step, element, place.stage, place.n_stages);
    return g_strdup_printf ("step %d%s%s", place.step, element, place.element > 0 ? ", end" : "");
  }
  return NULL;
}

gboolean
ssapp_event_tracks_next (const SsappEventTrack *tracks, int n_tracks, int direction, double *t)
{
  g_return_val_if_fail ((tracks != NULL || n_tracks == 0) && n_tracks >= 0 && direction != 0 && t != NULL, FALSE);

  const double rounding = 1e-9 * (1 + fabs (*t)); /* of times written as text [s] */
  double best = direction * INFINITY;

  for (int k = 0; k < n_tracks; k++)
    for (guint i = 0; tracks[k].events != NULL && i < tracks[k].events->len; i++) {
      const double at = g_array_index (tracks[k].events, SsappRunEvent, i).t;
      if (direction * (at - *t) > rounding && direction * (at - best) < 0)
        best = at;
    }
  if (!isfinite (best))
    return FALSE;
  *t = best;
  return TRUE;
}

/* Of a jump; NULL: there is none; g_free. */
static char *
side_at (const SsappEventTrack *tracks, int n_tracks, const SsappInstant *instant)
{
  const double rounding = 1e-9 * (1 + fabs (instant->t)); /* of times written as text [s] */
  gboolean is_jump = FALSE;
  guint n_impacts = 0;

  for (int k = 0; k < n_tracks; k++) {
    const SsTrajectory *trajectory = tracks[k].trajectory;

    if (trajectory != NULL && trajectory->n_rows > 1) {
      const int row = ss_trajectory_row_up_to (trajectory, 0, instant->t);
      is_jump = is_jump || (row > 0 && ss_trajectory_row (trajectory, row)[0] == instant->t &&
                            ss_trajectory_row (trajectory, row - 1)[0] == instant->t);
    }
    for (guint i = 0; tracks[k].events != NULL && i < tracks[k].events->len; i++) {
      const SsappRunEvent *e = &g_array_index (tracks[k].events, SsappRunEvent, i);
      n_impacts +=
          (e->kind == SS_EVENT_IMPACT || e->kind == SS_EVENT_WITHOUT_COLLISION) && fabs (e->t - instant->t) <= rounding;
    }
  }
  if (!is_jump)
    return NULL;
  if (n_impacts > 1)
    return g_strdup_printf ("%s %u impacts", instant->is_before ? "before" : "after", n_impacts);
  return g_strdup_printf ("%s the %s", instant->is_before ? "before" : "after", n_impacts == 1 ? "impact" : "jump");
}

char *
ssapp_event_tracks_place (const SsappEventTrack *tracks, int n_tracks, const SsappInstant *instant)
{
  g_return_val_if_fail ((tracks != NULL || n_tracks == 0) && n_tracks >= 0 && instant != NULL, NULL);

  char *stage = stage_at (tracks, n_tracks, instant), *side = side_at (tracks, n_tracks, instant);
  if (stage == NULL || side == NULL)
    return stage != NULL ? stage : side;
  char *both = g_strdup_printf ("%s, %s", stage, side);
  g_free (stage);
  g_free (side);
  return both;
}
