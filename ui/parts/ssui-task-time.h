/* ui/parts/ssui-task-time.h: what sets the time of a plan in the inspector, beside its entries.
 *
 * Tests: tests/ui/test_ways_on.py, tests/ui/test_shapes.py
 */
#pragma once

#include <gtk/gtk.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* Whether the optimiser chooses the horizon (win.free-time), as the document says now. */
GtkWidget *ssui_free_time_switch_new (SsappDocument *document);
/* Find the Time (win.find-time): pressed while the search goes on, and then it says Stop. */
GtkWidget *ssui_find_time_button_new (void);

G_END_DECLS
