/* ui/pages/ssui-run-card.h: one run as a card: method, state, progress, stop or export; strips and motion on the page's
 * clock. */
#pragma once

#include <adwaita.h>

#include "ui/canvas/ssui-motion-view.h"
#include "ui/canvas/ssui-plot-view.h"

G_BEGIN_DECLS

#define SSUI_TYPE_RUN_CARD (ssui_run_card_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunCard, ssui_run_card, SSUI, RUN_CARD, GtkWidget)

GtkWidget *ssui_run_card_new (SsappRun *run, SsuiClock *clock, SsuiMotionLook *look);
void ssui_run_card_refresh (SsuiRunCard *self);                                 /* after "changed", once a frame */
void ssui_run_card_set_frame (SsuiRunCard *self, const SsuiMotionFrame *frame); /* shared by the cards of a page */
void ssui_run_card_set_compact (SsuiRunCard *self, gboolean is_compact); /* buttons without words, narrower strips */
/* Whether steps and seconds stand beside the outcome; else they are in the name's tooltip. */
void ssui_run_card_set_has_progress (SsuiRunCard *self, gboolean has_progress);
/* Whether its own strips are shown beside the motion. */
void ssui_run_card_set_has_strips (SsuiRunCard *self, gboolean has_strips);
SsuiPlotView *ssui_run_card_get_strips (SsuiRunCard *self);

G_END_DECLS
