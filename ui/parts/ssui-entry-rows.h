/* ui/parts/ssui-entry-rows.h: rows of the inspector that are no numbers: a choice among few, what drives a joint;
 * buttons that tell the names of formulas and add a parameter. They follow the document by themselves. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* A row of a list box: one of the field's choices. */
GtkWidget *ssui_choice_row_new (SsappDocument *document, const SsappField *field);
/* A row of a list box: by what the joint at the path is driven. */
GtkWidget *ssui_motor_row_new (SsappDocument *document, const char *path);
/* A flat button whose popover says what formulas at the path may use. */
GtkWidget *ssui_names_button_new (SsappDocument *document, const char *path);
/* A flat button whose popover asks for the name of a new parameter. */
GtkWidget *ssui_add_parameter_button_new (void);
/* A flat button whose menu adds shapes to the selected body. */
GtkWidget *ssui_add_shape_button_new (void);

G_END_DECLS
