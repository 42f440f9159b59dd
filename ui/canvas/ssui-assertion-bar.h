/* ui/canvas/ssui-assertion-bar.h: what the sketch asks of its motion, over the sheet: a chip for each outcome, green
 * where it holds, red with the time where it fails, plain with its value where it is a number. A click opens its
 * formula.
 *
 * Action: win.new-outcome, which opens the formula of a new one. */
#pragma once

#include "app/session/ssapp-session.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SSUI_TYPE_ASSERTION_BAR (ssui_assertion_bar_get_type ())
G_DECLARE_FINAL_TYPE (SsuiAssertionBar, ssui_assertion_bar, SSUI, ASSERTION_BAR, GtkBox)

GtkWidget *ssui_assertion_bar_new (void);
void ssui_assertion_bar_attach (SsuiAssertionBar *self, SsappDocument *document);
void ssui_assertion_bar_add_actions (SsuiAssertionBar *self, GActionMap *map);
/* The motion that answers, once it is whole; NULL: there is none, nothing is told of it. */
void ssui_assertion_bar_show (SsuiAssertionBar *self, SsappRun *run);

G_END_DECLS
