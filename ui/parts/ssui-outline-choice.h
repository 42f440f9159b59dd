/* ui/parts/ssui-outline-choice.h: several rows of the outline chosen at once: Ctrl+click and Ctrl+Space one more or
 * one less, Shift+click all up to there, Ctrl+A all that has a place. The rows mirror the selection. Looked at in
 * tests/ui/test_edit.py. */
#pragma once

#include <gtk/gtk.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* Rows have the data "key": "body NAME", "item PATH", or another. `document` is where the pointer to the document is,
 * which may change; both must live as long as the list. */
void ssui_outline_choice_attach (GtkListBox *list, SsappDocument **document);
/* Selects the rows of what is selected, and no others. */
void ssui_outline_choice_show (GtkListBox *list, SsappDocument *document);
/* What a row stands for, as in ssapp_document_get_selection; NULL: nothing that can be selected. Borrowed. */
const char *ssui_outline_choice_key (GtkListBoxRow *row);

G_END_DECLS
