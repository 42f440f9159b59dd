/* ui/window/ssui-window-motion.c: commands for the motions of a page and their events: what is looked at, layers,
 * events, speed and range. */
#include "ui/window/ssui-window-private.h"

#include "app/draw/ssapp-overlays.h"
#include "app/draw/ssapp-region.h"
#include "ui/canvas/ssui-motion-view.h"
#include "ui/parts/ssui-util.h"

#include <string.h>

gboolean
ssui_window_zoom_motion (SsuiWindow *self, double factor)
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
    g_autofree char *text = g_strdup_printf ("The runs on show have no moving body “%s”", body);
    ssui_window_fail (data, "", text);
  }
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
    ssui_window_fail (self, "The iterate cannot be shown", error != NULL ? error->message : "It was not kept");
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
    ssui_window_fail (self, "Not solved again", error->message);
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
    ssui_window_fail (self, "Not simulated", error->message);
}

static const SsuiCommand commands[] = {
    {.name = "motion-region", .activate = on_region_of_motion, .parameter_type = "s" /* "x0,y0,x1,y1" */},
    {.name = "follow-body", .activate = on_follow, .parameter_type = "s" /* name, "" nobody */},
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
};

const SsuiSubject ssui_motion_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
