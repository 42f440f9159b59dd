/* ui/canvas/ssui-player.h: play, step, loop and scrub one clock; events as marks, and how the motions of the page are
 * looked at. Keys with focus: Space plays, [ and ] go from event to event, , and . from row to row, < and > change the
 * speed, I and O begin and end the range that is played over and over, Escape plays the whole again. A range is also
 * dragged over the marks. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-pulling.h"
#include "ui/canvas/ssui-clock.h"
#include "ui/canvas/ssui-motion-look.h"
#include "ui/parts/ssui-keys.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PLAYER (ssui_player_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPlayer, ssui_player, SSUI, PLAYER, GtkWidget)

SsuiClock *ssui_player_get_clock (SsuiPlayer *self); /* it owns one from the start */
/* Where its timeline stands, from t = 0 to the end, along another widget of the window [px of it]; FALSE before it
 * has a place. */
gboolean ssui_player_get_way (SsuiPlayer *self, GtkWidget *relative, double *begin, double *end);
/* Room left of the timeline [px], so that it stands above the plots that share its scale. */
void ssui_player_set_indent (SsuiPlayer *self, int indent);
void ssui_player_set_note (SsuiPlayer *self, const char *note); /* what is played, at the right */
/* Events of these runs (SsappRun) as marks on the timeline, with a tooltip; NULL: none. Read anew at each call. Runs
 * that have one second clock in common get a choice of the clock by which they are told. */
void ssui_player_set_runs (SsuiPlayer *self, GPtrArray *runs);
/* Marks of the first run are then dragged, and pull their events; NULL: they are not. */
void ssui_player_set_pulling (SsuiPlayer *self, SsappPulling *pulling);
/* Where the motion is told by its second clock, the clock stays at the time that is pulled. */
void ssui_player_follow_pull (SsuiPlayer *self);
GPtrArray *ssui_player_get_runs (SsuiPlayer *self);            /* of SsappRun, borrowed; NULL: none */
SsuiMotionLook *ssui_player_get_look (SsuiPlayer *self);       /* of the page's motions; borrowed   */
void ssui_player_step_event (SsuiPlayer *self, int direction); /* to the next instant of an event, or the one before */
/* To the next row, also of a stage, or the one before. Returns whether a run has rows of stages. */
gboolean ssui_player_step_stage (SsuiPlayer *self, int direction);
void ssui_player_step_speed (SsuiPlayer *self, int direction); /* twice as fast, or half */
extern const SsuiKey ssui_player_keys[];                       /* which it answers itself */

G_END_DECLS
