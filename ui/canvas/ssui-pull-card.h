/* ui/canvas/ssui-pull-card.h: what is told and chosen while the motion of the sketch is pulled: what may change, as
 * ticks with their values, what was reached, how many answers a second.
 *
 * Action: win.pull (b), which shows it: bodies of the motion are then pulled where the sheet shows a later
 * time, points of the live curves, and marks of the timeline. */
#pragma once

#include "app/session/ssapp-pulling.h"
#include "ui/canvas/ssui-canvas.h"
#include "ui/canvas/ssui-channel-plots.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PULL_CARD (ssui_pull_card_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPullCard, ssui_pull_card, SSUI, PULL_CARD, GtkBox)

GtkWidget *ssui_pull_card_new (void);
/* The three that pull outlive it. */
void ssui_pull_card_attach (SsuiPullCard *self, SsappSession *session, SsuiCanvas *canvas, SsuiChannelPlots *plots,
                            SsuiPlayer *player);
void ssui_pull_card_add_actions (SsuiPullCard *self, GActionMap *map);

G_END_DECLS
