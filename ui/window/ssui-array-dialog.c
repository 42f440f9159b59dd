/* ui/window/ssui-array-dialog.c: see the header. */
#include "ui/window/ssui-array-dialog.h"

#include "app/document/ssapp-document.h"

#include <glib/gi18n.h>

enum { NUMBER, RIGHT, UP, TURN, ABOUT_X, ABOUT_Y, N_ROWS };

static const struct {
  const char *title, *unit;
} fields[N_ROWS] = {{N_ ("Number in all"), ""}, {N_ ("To the right by"), "m"},    {N_ ("Up by"), "m"},
                    {N_ ("Turned by"), "deg"},  {N_ ("About the point, x"), "m"}, {N_ ("About the point, y"), "m"}};

typedef struct {
  SsuiWindow *window; /* lives longer: the dialog is its transient and modal */
  GtkWidget *dialog, *rows[N_ROWS];
} ArrayDialog;

/* TRUE where every row holds a number. */
static gboolean
read_rows (ArrayDialog *self, double values[N_ROWS])
{
  gboolean all = TRUE;

  for (int i = 0; i < N_ROWS; i++) {
    gboolean good =
        ssapp_parse_quantity (gtk_editable_get_text (GTK_EDITABLE (self->rows[i])), fields[i].unit, &values[i]);
    if (good)
      gtk_widget_remove_css_class (self->rows[i], "error");
    else
      gtk_widget_add_css_class (self->rows[i], "error");
    all = all && good;
  }
  return all;
}

static void
on_changed (ArrayDialog *self)
{
  double values[N_ROWS];

  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self->dialog), "array", read_rows (self, values));
}

static void
on_response (AdwMessageDialog *dialog, const char *response, ArrayDialog *self)
{
  double v[N_ROWS];

  (void)dialog;
  if (g_str_equal (response, "array") && read_rows (self, v))
    gtk_widget_activate_action (GTK_WIDGET (self->window), "win.array", "(iddddd)", (int)CLAMP (v[NUMBER], 0, 1e6),
                                v[RIGHT], v[UP], v[TURN] * 180 / G_PI, v[ABOUT_X], v[ABOUT_Y]);
}

void
ssui_array_dialog_present (SsuiWindow *window, const double bounds[4])
{
  ArrayDialog *self = g_new0 (ArrayDialog, 1);
  AdwMessageDialog *dialog;
  GtkWidget *list = gtk_list_box_new ();
  const double values[N_ROWS] = {3, bounds[2] - bounds[0],       0,
                                 0, (bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2};

  self->window = window;
  self->dialog = adw_message_dialog_new (
      GTK_WINDOW (window), _ ("Array of the Selection"),
      _ ("Each one is moved and turned from the one before. Numbers may have a unit, such as 5 cm or 30 deg."));
  dialog = ADW_MESSAGE_DIALOG (self->dialog);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  for (int i = 0; i < N_ROWS; i++) {
    g_autofree char *title = *fields[i].unit != '\0' ? g_strdup_printf ("%s [%s]", _ (fields[i].title), fields[i].unit)
                                                     : g_strdup (_ (fields[i].title)),
                    *text = g_strdup_printf ("%.6g", values[i]);
    self->rows[i] = adw_entry_row_new ();
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->rows[i]), title);
    gtk_editable_set_text (GTK_EDITABLE (self->rows[i]), text);
    g_signal_connect_swapped (self->rows[i], "changed", G_CALLBACK (on_changed), self);
    adw_entry_row_set_activates_default (ADW_ENTRY_ROW (self->rows[i]), TRUE);
    gtk_list_box_append (GTK_LIST_BOX (list), self->rows[i]);
  }
  adw_message_dialog_set_extra_child (dialog, list);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "array", _ ("Make _Array"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "array", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "array");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), self, NULL, 0);
  g_object_set_data_full (G_OBJECT (dialog), "array", self, g_free);
  gtk_window_present (GTK_WINDOW (dialog));
}
