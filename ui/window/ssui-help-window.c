/* ui/window/ssui-help-window.c: see the header. */
#include "ui/window/ssui-help-window.h"

#include "app/export/ssapp-help.h"
#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

/* ---- print ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsappHelpPage *page; /* borrowed from the window's list, which the print keeps */
  GPtrArray *pages;
  SsappHelpPrint *print;
} Printing;

static void
printing_free (Printing *printing)
{
  ssapp_help_print_free (printing->print);
  g_ptr_array_unref (printing->pages);
  g_free (printing);
}

static void
on_begin_print (GtkPrintOperation *operation, GtkPrintContext *context, Printing *printing)
{
  printing->print = ssapp_help_print_new (gtk_print_context_get_cairo_context (context), printing->page,
                                          gtk_print_context_get_width (context), gtk_print_context_get_height (context),
                                          gtk_print_context_get_dpi_x (context));
  gtk_print_operation_set_n_pages (operation, ssapp_help_print_n_sheets (printing->print));
}

static void
on_draw_page (GtkPrintOperation *operation, GtkPrintContext *context, int sheet, Printing *printing)
{
  (void)operation;
  ssapp_help_print_draw (printing->print, gtk_print_context_get_cairo_context (context), sheet);
}

static void
on_print (GtkButton *button, GtkStack *stack)
{
  g_autoptr (GtkPrintOperation) operation = gtk_print_operation_new ();
  GPtrArray *pages = g_object_get_data (G_OBJECT (stack), "pages");
  Printing *printing = g_new0 (Printing, 1);
  g_autoptr (GError) error = NULL;

  printing->pages = g_ptr_array_ref (pages);
  printing->page = ssapp_help_find (pages, gtk_stack_get_visible_child_name (stack));
  g_object_set_data_full (G_OBJECT (operation), "printing", printing, (GDestroyNotify)printing_free);
  gtk_print_operation_set_job_name (operation, printing->page->title);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_signal_connect (operation, "begin-print", G_CALLBACK (on_begin_print), printing);
  g_signal_connect (operation, "draw-page", G_CALLBACK (on_draw_page), printing);
  if (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG,
                               GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (button))),
                               &error) == GTK_PRINT_OPERATION_RESULT_ERROR) {
    GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (button))),
                                                _ ("Not printed"), error->message);
    adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("Close"));
    gtk_window_present (GTK_WINDOW (dialog));
  }
}

/* ---- window ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
make_page (const SsappHelpPage *page)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *label = gtk_label_new (NULL);
  g_autofree char *markup = ssapp_help_to_markup (page);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "help-text");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

void
ssui_help_window_present (GtkWindow *parent, const char *page)
{
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *header = adw_header_bar_new (), *middle = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *sidebar = gtk_stack_sidebar_new (), *stack = gtk_stack_new (),
            *print = gtk_button_new_from_icon_name ("printer-symbolic");
  GPtrArray *pages = ssapp_help_pages ();

  for (guint i = 0; i < pages->len; i++) {
    const SsappHelpPage *help = g_ptr_array_index (pages, i);
    gtk_stack_add_titled (GTK_STACK (stack), make_page (help), help->name, help->title);
  }
  if (ssapp_help_find (pages, page) != NULL)
    gtk_stack_set_visible_child_name (GTK_STACK (stack), page);
  g_object_set_data_full (G_OBJECT (stack), "pages", pages, (GDestroyNotify)g_ptr_array_unref);
  gtk_stack_sidebar_set_stack (GTK_STACK_SIDEBAR (sidebar), GTK_STACK (stack));
  gtk_widget_set_hexpand (stack, TRUE);
  gtk_box_append (GTK_BOX (middle), sidebar);
  gtk_box_append (GTK_BOX (middle), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (middle), stack);
  gtk_widget_set_tooltip_text (print, _ ("Print This Page"));
  ssui_set_label (print, _ ("Print this page"));
  g_signal_connect_object (print, "clicked", G_CALLBACK (on_print), stack, 0);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), print);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), middle);
  adw_window_set_content (ADW_WINDOW (window), box);
  ssui_keys_close (window);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Help"));
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 760, 560);
  gtk_window_present (GTK_WINDOW (window));
}
