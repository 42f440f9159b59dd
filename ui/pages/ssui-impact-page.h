/* ui/pages/ssui-impact-page.h: the set of velocities after an impact as a picture to explore: parameters at the left,
 * linked planes and the chosen outcome's impulses in the middle, its bodies and the shares of modes at the right. */
#pragma once

#include <adwaita.h>

#include "ui/pages/ssui-page.h"

G_BEGIN_DECLS

#define SSUI_TYPE_IMPACT_PAGE (ssui_impact_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiImpactPage, ssui_impact_page, SSUI, IMPACT_PAGE, GtkWidget)

/* Signal "message" (const char *text): something to tell the user. */

/* Takes a configuration; NULL: there is none, and `why` says so. */
void ssui_impact_page_take_source (SsuiImpactPage *self, SsappImpactSource *source, const char *why);
/* A parameter as scripts name it: mu, angle (degrees), h, max-steps, seed, samples, policy, scene.NAME for one of the
 * scene; FALSE: no such one. */
gboolean ssui_impact_page_set_parameter (SsuiImpactPage *self, const char *name, const char *value);
/* The lower card's picture: sequence, energy, growth, rates; others are ignored. */
void ssui_impact_page_show_lower (SsuiImpactPage *self, const char *name);
extern const SsuiPage ssui_impact_page;

G_END_DECLS
