/* ui/parts/ssui-share-table.h: joint modes of a set with their shares, most frequent first. Choosing a row chooses an
 * outcome of its mode: the way to every outcome by keyboard and screen reader. */
#pragma once

#include <gtk/gtk.h>

#include "app/impact/ssapp-impact-set.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SHARE_TABLE (ssui_share_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiShareTable, ssui_share_table, SSUI, SHARE_TABLE, GtkWidget)

/* Takes a reference to the set. */
void ssui_share_table_show (SsuiShareTable *self, SsappImpactSet *set);

G_END_DECLS
