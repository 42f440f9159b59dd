/* ui/parts/ssui-field-row.h: one number, name or text of the scenario: title, entry, unit. Return or leaving the entry
 * sets it, Escape takes it back; what the reader refuses stays in the entry, marked, with the reason below.
 * A number that is no formula is also moved by dragging its title, in one step of undo, and by Up and Down. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

#define SSUI_TYPE_FIELD_ROW (ssui_field_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiFieldRow, ssui_field_row, SSUI, FIELD_ROW, GtkListBoxRow)

/* A number or formula. path: place in the file. unit: "m", "kg", "deg", ... or "". fallback: shown dim when absent and
 * the document derives nothing for the path. */
GtkWidget *ssui_field_row_new (SsappDocument *document, const char *title, const char *path, const char *unit,
                               const char *fallback);
typedef enum {
  SSUI_TEXT_PLAIN,         /* "title", "name" of the scenario                  */
  SSUI_TEXT_BODY_NAME,     /* of the selected body, whatever the path          */
  SSUI_TEXT_MATERIAL_NAME, /* path of the material: "scene.materials.rubber"   */
} SsuiTextKind;
/* A text; names are changed everywhere they stand. */
GtkWidget *ssui_field_row_new_text (SsappDocument *document, const char *title, SsuiTextKind kind, const char *path);
/* An empty entry takes the field out of the file. */
void ssui_field_row_set_optional (SsuiFieldRow *self, gboolean is_optional);
/* Room for a formula: the entry takes the width, the title what is left. */
void ssui_field_row_set_formula (SsuiFieldRow *self);
/* A flat button behind the entry; `target`: the action's, a string. */
void ssui_field_row_add_button (SsuiFieldRow *self, const char *icon, const char *tip, const char *action,
                                const char *target);
/* Below it a slider over the range of the parameter (ssapp_document_get_range); a drag is one step of undo. */
void ssui_field_row_add_slider (SsuiFieldRow *self);
/* A widget behind the entry. */
void ssui_field_row_add_end (SsuiFieldRow *self, GtkWidget *widget);
void ssui_field_row_refresh (SsuiFieldRow *self); /* from the document, unless it is being edited */
void ssui_field_row_focus (SsuiFieldRow *self);
gboolean ssui_field_row_has_focus (SsuiFieldRow *self);
const char *ssui_field_row_get_path (SsuiFieldRow *self);

G_END_DECLS
