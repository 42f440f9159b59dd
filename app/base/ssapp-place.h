/* app/base/ssapp-place.h: where files lie that belong to the program: beside it where it is installed, in the source
 * tree where it was built. Threads: any. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder of the Python package `stickslip`; NULL: it is not installed. g_free. */
char *ssapp_place_of_python (void);
/* The folder with the engine for pages that compute (app/live/build.sh makes it); NULL: it was not built. g_free. */
char *ssapp_place_of_live (void);

G_END_DECLS
