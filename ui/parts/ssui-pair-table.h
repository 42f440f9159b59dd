/* ui/parts/ssui-pair-table.h: one value of every pair of materials as a small table: cells are edited in place, a
 * blank one follows the two materials; the pair of the selected contact is marked. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document-law.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PAIR_TABLE (ssui_pair_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPairTable, ssui_pair_table, SSUI, PAIR_TABLE, GtkWidget)

/* Of the materials that the document has now: make another one when they are others. */
GtkWidget *ssui_pair_table_new (SsappDocument *document);
void ssui_pair_table_show (SsuiPairTable *self, SsMaterialValue which); /* friction at first */
void ssui_pair_table_refresh (SsuiPairTable *self);                     /* from the document, but what is edited */

G_END_DECLS
