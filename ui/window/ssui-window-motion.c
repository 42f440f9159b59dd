/* ui/window/ssui-window-motion.c: commands for the motions of a page and their events: what is looked at, layers,
 * clock, events, speed and range. */
#include "ui/window/ssui-window-private.h"

#include "app/draw/ssapp-overlays.h"
#include "app/draw/ssapp-region.h"
#include "ui/canvas/ssui-motion-view.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

/* 0: shows all; FALSE: the page has a sheet instead. */
static gboolean
zoom_motion (SsuiWindow *self, double factor)
{
  SsuiPlayer *player = ssui_window_get_player (self);

  if (player == NULL || ssui_window_get_shown (self).canvas != NULL)
    return FALSE;
  if (factor > 0)
    ssui_motion_look_zoom (ssui_player_get_look (player), ssui_player_get_runs (player), ssui_player_get_clock (player),
                           factor);
  else
    ssui_motion_look_fit (ssui_player_get_look (player));
  return TRUE;
}

ACTION (on_region_of_motion)
{
  SsuiPlayer *player = ssui_window_get_player (data);
  g_autoptr (GError) error = NULL;
  SsappRegion region;

  (void)action;
  if (player == NULL)
    return;
  ssapp_region_init (&region);
  region.is_chosen = TRUE;
  if (!ssapp_region_parse (g_variant_get_string (parameter, NULL), region.bounds, &error)) {
    ssui_window_fail (data, "", error->message);
    return;
  }
  ssui_motion_look_set_region (ssui_player_get_look (player), &region);
}

ACTION (on_follow)
{
  SsuiPlayer *player = ssui_window_get_player (data);
  const char *body = g_variant_get_string (parameter, NULL);

  (void)action;
  if (player != NULL && !ssui_motion_look_follow (ssui_player_get_look (player), ssui_player_get_runs (player),
                                                  ssui_player_get_clock (player), body)) {
    g_autofree char *text = g_strdup_printf (_ ("The runs on show have no moving body “%s”"), body);
    ssui_window_fail (data, "", text);
  }
}

ACTION (on_forces_of)
{
  SsuiPlayer *player = ssui_window_get_player (data);
  const char *body = g_variant_get_string (parameter, NULL);

  (void)action;
  if (player != NULL)
    ssui_motion_look_set_forces_of (ssui_player_get_look (player), *body != '\0' ? body : NULL);
}

ACTION (on_layers)
{
  SsuiPlayer *player = ssui_window_get_player (data);
  g_autoptr (GError) error = NULL;
  guint layers;

  (void)action;
  if (player == NULL)
    return;
  if (!ssapp_layers_parse (g_variant_get_string (parameter, NULL), &layers, &error))
    ssui_window_fail (data, "", error->message);
  else
    ssui_motion_look_set_layers (ssui_player_get_look (player), layers);
}

ACTION (on_layer)
{
  SsuiPlayer *player = ssui_window_get_player (data);
  const char *name = g_variant_get_string (parameter, NULL);

  (void)action;
  for (int i = 0; i < SSAPP_N_LAYERS_OF_MOTION && player != NULL; i++)
    if (strcmp (ssapp_layer_name (i), name) == 0)
      ssui_motion_look_toggle_layer (ssui_player_get_look (player), i);
}

ACTION (on_step_event)
{
  SsuiPlayer *player = ssui_window_get_player (data);

  (void)action;
  if (player != NULL)
    ssui_player_step_event (player, g_variant_get_int32 (parameter));
}

ACTION (on_speed)
{
  SsuiClock *clock = ssui_window_get_clock (data);

  (void)action;
  if (clock != NULL)
    ssui_clock_set_speed (clock, g_variant_get_double (parameter));
}

ACTION (on_step_speed)
{
  SsuiPlayer *player = ssui_window_get_player (data);

  (void)action;
  if (player != NULL)
    ssui_player_step_speed (player, g_variant_get_int32 (parameter));
}

ACTION (on_play_range)
{
  SsuiClock *clock = ssui_window_get_clock (data);
  double begin, end;

  (void)action;
  g_variant_get (parameter, "(dd)", &begin, &end);
  if (clock != NULL)
    ssui_clock_set_range (clock, begin, end);
}

ACTION (on_copy_events)
{
  UNUSED_ACTION;
  ssui_run_page_copy_events (RUN_PAGE (data));
}

/* Of the runs that the page shows. */
ACTION (on_iterate)
{
  SsuiWindow *self = data;
  SsuiPlayer *player = ssui_window_get_player (self);
  GPtrArray *runs = player != NULL ? ssui_player_get_runs (player) : NULL;
  g_autoptr (GError) error = NULL;

  (void)action;
  if (runs == NULL)
    return;
  if (!ssapp_session_show_iterates (self->session, runs, g_variant_get_int32 (parameter), &error))
    ssui_window_fail (self, _ ("The iterate cannot be shown"), error != NULL ? error->message : _ ("It was not kept"));
  ssui_player_set_runs (player, runs);
}

ACTION (on_start_from_iterate)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  const char *id;
  int iteration;

  (void)action;
  g_variant_get (parameter, "(&si)", &id, &iteration);
  if (ssapp_session_start_from_iterate (self->session, id, iteration, &error))
    ssui_window_show_page (self, "run");
  else
    ssui_window_fail (self, _ ("Not solved again"), error->message);
}

/* The simulation of a run once more, with both solutions of steps that have two. */
ACTION (on_branch_steps)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;

  (void)action;
  if (ssapp_session_start_branches (self->session, g_variant_get_string (parameter, NULL), &error))
    ssui_window_show_page (self, "run");
  else
    ssui_window_fail (self, _ ("Not simulated"), error->message);
}

#define ZOOM_STEP 1.25

ACTION (on_zoom_in)
{
  UNUSED_ACTION;
  if (!zoom_motion (data, ZOOM_STEP))
    ssui_canvas_zoom (ssui_window_get_canvas (data), ZOOM_STEP);
}

ACTION (on_zoom_out)
{
  UNUSED_ACTION;
  if (!zoom_motion (data, 1 / ZOOM_STEP))
    ssui_canvas_zoom (ssui_window_get_canvas (data), 1 / ZOOM_STEP);
}

ACTION (on_zoom_fit)
{
  UNUSED_ACTION;
  if (!zoom_motion (data, 0))
    ssui_canvas_fit (ssui_window_get_canvas (data));
}

ACTION (on_play)
{
  SsuiClock *clock = ssui_window_get_clock (data);
  UNUSED_ACTION;
  if (clock != NULL)
    ssui_clock_set_playing (clock, !ssui_clock_is_playing (clock));
}

ACTION (on_seek)
{
  SsuiClock *clock = ssui_window_get_clock (data);
  (void)action;
  if (clock == NULL)
    return;
  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, g_variant_get_double (parameter));
}

ACTION (on_step)
{
  const double frame = 1.0 / 60; /* s */
  SsuiClock *clock = ssui_window_get_clock (data);
  (void)action;
  if (clock == NULL)
    return;
  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, ssui_clock_get_time (clock) + frame * g_variant_get_int32 (parameter));
}

ACTION (on_step_row)
{
  SsuiClock *clock = ssui_window_get_clock (data);
  (void)action;
  if (clock != NULL)
    ssui_clock_step_row (clock, g_variant_get_int32 (parameter));
}

/* Rows of steps where there are none of stages, and why. */
ACTION (on_step_stage)
{
  SsuiWindow *self = data;
  SsuiPlayer *player = ssui_window_get_player (self);
  GPtrArray *runs = player != NULL ? ssui_player_get_runs (player) : NULL;
  (void)action;
  if (player != NULL && !ssui_player_step_stage (player, g_variant_get_int32 (parameter)) && runs != NULL &&
      runs->len > 0)
    ssui_window_toast (self, ssapp_run_get_why_no_stages (g_ptr_array_index (runs, 0)));
}

ACTION (on_replay_first)
{
  SsuiWindow *self = data;
  GPtrArray *runs = ssapp_session_get_runs (self->session);
  SsuiClock *clock = ssui_window_get_clock (self);
  gboolean has_replay = FALSE;
  (void)action;
  (void)parameter;
  for (guint i = 0; runs != NULL && clock != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    const SsappParting *parting = ssapp_run_get_parting (run);
    has_replay = has_replay || parting->is_known;
    if (!parting->is_parted)
      continue;
    ssui_clock_set_playing (clock, FALSE);
    ssui_clock_seek (clock, ssapp_run_from_time (run, parting->t));
    return;
  }
  ssui_window_toast (self,
                     has_replay ? _ ("The replay does not part from its plan") : _ ("There is no replay on show"));
}

static gboolean
can_play (SsuiWindow *self)
{
  SsuiClock *clock = ssui_window_get_clock (self);

  return clock != NULL && ssui_clock_get_duration (clock) > 0;
}

static const SsuiCommand commands[] = {
    {.name = "motion-region", .activate = on_region_of_motion, .parameter_type = "s" /* "x0,y0,x1,y1" */},
    {.name = "follow-body", .activate = on_follow, .parameter_type = "s" /* name, "" nobody */},
    {.name = "forces-of", .activate = on_forces_of, .parameter_type = "s" /* name, "" all */},
    {.name = "layers", .activate = on_layers, .parameter_type = "s" /* "traces,forces" */},
    {.name = "layer", .activate = on_layer, .parameter_type = "s" /* name: turned on or off */},
    {.name = "step-event", .activate = on_step_event, .parameter_type = "i"},
    {.name = "speed", .activate = on_speed, .parameter_type = "d" /* 1/16 to 16 */},
    {.name = "step-speed", .activate = on_step_speed, .parameter_type = "i"},
    {.name = "play-range", .activate = on_play_range, .parameter_type = "(dd)" /* begin, end; equal: all */},
    {.name = "iterate",
     .activate = on_iterate,
     .parameter_type = "i" /* iterates of the runs on show; -1: the answers */},
    {.name = "branch-steps", .activate = on_branch_steps, .parameter_type = "s" /* id */},
    {.name = "start-from-iterate", .activate = on_start_from_iterate, .parameter_type = "(si)" /* run, iteration */},
    {.name = "copy-events", .activate = on_copy_events},
    {.name = "play", .activate = on_play, .when = can_play},
    {.name = "seek", .activate = on_seek, .parameter_type = "d", .when = can_play},
    {.name = "step", .activate = on_step, .parameter_type = "i", .when = can_play},
    {.name = "step-row", .activate = on_step_row, .parameter_type = "i"},
    {.name = "step-stage", .activate = on_step_stage, .parameter_type = "i", .when = can_play},
    {.name = "replay-first", .activate = on_replay_first},
    {.name = "zoom-in",
     .activate = on_zoom_in,
     .keys = "<Control>plus <Control>equal",
     .group = SSUI_KEYS_PLAY,
     .title = N_ ("Zoom in")},
    {.name = "zoom-out",
     .activate = on_zoom_out,
     .keys = "<Control>minus",
     .group = SSUI_KEYS_PLAY,
     .title = N_ ("Zoom out")},
    {.name = "zoom-fit",
     .activate = on_zoom_fit,
     .keys = "<Control>0",
     .group = SSUI_KEYS_PLAY,
     .title = N_ ("Show everything"),
     .label = N_ ("Show Everything"),
     .menus = SSUI_MENU_SHEET},
};

const SsuiSubject ssui_motion_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
