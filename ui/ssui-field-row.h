/* ui/ssui-field-row.h: one number of the scenario: name, entry, unit. Return or leaving the entry sets it, Escape takes it back; what
 * the reader refuses stays in the entry, marked, with the reason below. */
#pragma once

#include <adwaita.h>

#include "app/ssapp-document.h"

G_BEGIN_DECLS

#define SSUI_TYPE_FIELD_ROW (ssui_field_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiFieldRow, ssui_field_row, SSUI, FIELD_ROW, GtkListBoxRow)

/* path: place in the file, "name" for the selected body's name. unit: "m", "kg", "deg", ... or "". fallback: shown dim when absent. */
GtkWidget *ssui_field_row_new (SsappDocument *document, const char *title, const char *path, const char *unit,
                               const char *fallback);
/* An empty entry takes the field out of the file. */
void ssui_field_row_set_optional (SsuiFieldRow *self, gboolean is_optional);
void ssui_field_row_refresh (SsuiFieldRow *self); /* from the document, unless it is being edited */
void ssui_field_row_focus (SsuiFieldRow *self);
const char *ssui_field_row_get_path (SsuiFieldRow *self);

G_END_DECLS
