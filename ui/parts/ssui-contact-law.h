/* ui/parts/ssui-contact-law.h: where a value of the selected contact comes from, with a button that sets it here or
 * lets it follow again, and the pairs of materials. For a material the pairs alone. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document-law.h"

G_BEGIN_DECLS

#define SSUI_TYPE_CONTACT_LAW (ssui_contact_law_get_type ())
G_DECLARE_FINAL_TYPE (SsuiContactLaw, ssui_contact_law, SSUI, CONTACT_LAW, GtkWidget)

/* Of what is selected in the document now; make another one when that or the materials are others. */
GtkWidget *ssui_contact_law_new (SsappDocument *document);
void ssui_contact_law_refresh (SsuiContactLaw *self);

G_END_DECLS
