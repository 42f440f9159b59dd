/* ui/pages/ssui-start-live.h: the first minute on the start page: an example that runs live above the others, to be
 * grabbed, with Pause, Start Over and Open. Looked at in tests/ui/test_welcome.py
 */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-gallery.h"

G_BEGIN_DECLS

/* The card, without its scene yet. `example` (borrowed, as long as the card) is one that is simulated. */
GtkWidget *ssui_start_live_new (const SsappExample *example);
/* Makes the scene, which begins to move when it is seen; FALSE: it is there already, or cannot be. */
gboolean ssui_start_live_load (GtkWidget *card);

G_END_DECLS
