/* ui/parts/ssui-place-menus.h: buttons of the inspector that place a body on or against another, and that say which two
 * bodies a joint joins. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* "Rest On" and "Flush With", each with the bodies to choose from; for the selected body. */
GtkWidget *ssui_place_menus_new (SsappDocument *document, int body);
/* The two bodies that the joint or spring at the path joins, with what else it could join where it is; NULL: there is
 * nothing to choose. */
GtkWidget *ssui_pair_menu_new (SsappDocument *document, const char *path);

G_END_DECLS
