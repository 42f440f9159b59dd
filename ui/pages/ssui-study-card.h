/* ui/pages/ssui-study-card.h: a card of the Study page: one figure or two beside each other, what they show, their
 * table, copying and export. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_STUDY_CARD (ssui_study_card_get_type ())
G_DECLARE_FINAL_TYPE (SsuiStudyCard, ssui_study_card, SSUI, STUDY_CARD, GtkWidget)

/* Of these parts; `title` NULL: that of the figure. */
GtkWidget *ssui_study_card_new (SsappStudySession *study, const char *title, const SsappStudyPart *parts,
                                guint n_parts);
/* In a narrow window the figures are as high as they like, since the page scrolls. */
void ssui_study_card_set_narrow (SsuiStudyCard *self, gboolean is_narrow);
/* Copying as CSV, LaTeX, Markdown and export of parts, as a menu button; the table of runs has one too. */
GtkWidget *ssui_study_take_button_new (const SsappStudyPart *parts, guint n_parts);

G_END_DECLS
