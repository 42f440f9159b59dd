/* ui/pages/ssui-study-page.h: methods run against each other over many instances of a scenario: what the study is and
 * how far it is at the left, maps and runs in the middle, profile and boxes at the right. One marked problem through
 * all. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-study-session.h"
#include "ui/pages/ssui-page.h"

G_BEGIN_DECLS

#define SSUI_TYPE_STUDY_PAGE (ssui_study_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiStudyPage, ssui_study_page, SSUI, STUDY_PAGE, GtkWidget)

extern const SsuiPage ssui_study_page;

G_END_DECLS
