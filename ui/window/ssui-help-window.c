/* ui/window/ssui-help-window.c: see the header. At the left the list of pages or, while something is typed in the
 * search, the sections that have it; at the right a page, a label for each section. */
#include "ui/window/ssui-help-window.h"

#include "app/export/ssapp-help.h"
#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

enum { WIDTH_OF_TEXT = 720 };

typedef struct {
  GPtrArray *pages;          /* of SsappHelpPage */
  GPtrArray *hits;           /* of SsappHelpHit: what the list shows; NULL: pages */
  const SsappHelpPage *page; /* on show, of `pages` */
  GtkListBox *list;
  GtkScrolledWindow *scroller;
  GtkWidget *search, *text, *aim; /* entry; sections of the page; the one to scroll to, or NULL */
  const SsappHelpPage *next;
  guint going; /* source that goes to `next`, or 0 */
} Reader;

static void
reader_free (gpointer data)
{
  Reader *self = data;

  g_clear_handle_id (&self->going, g_source_remove);
  g_clear_pointer (&self->hits, g_ptr_array_unref);
  g_ptr_array_unref (self->pages);
  g_free (self);
}

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
on_print (GtkButton *button, Reader *self)
{
  g_autoptr (GtkPrintOperation) operation = gtk_print_operation_new ();
  Printing *printing = g_new0 (Printing, 1);
  g_autoptr (GError) error = NULL;

  printing->pages = g_ptr_array_ref (self->pages);
  printing->page = self->page;
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

/* ---- a page ------------------------------------------------------------------------------------------------------ */

static void show_page (Reader *self, const SsappHelpPage *page, guint section);
static void fill_list (Reader *self);

static gboolean
go_on (gpointer data)
{
  Reader *self = data;

  self->going = 0;
  show_page (self, self->next, 0);
  fill_list (self);
  return G_SOURCE_REMOVE;
}

/* A link to another page, once the label that it is in is done with it; others the desktop opens. */
static gboolean
on_link (GtkLabel *label, const char *uri, Reader *self)
{
  const SsappHelpPage *page =
      g_str_has_prefix (uri, "manual:") ? ssapp_help_find (self->pages, uri + strlen ("manual:")) : NULL;
  (void)label;
  self->next = page;
  if (page != NULL && self->going == 0)
    self->going = g_idle_add (go_on, self);
  return page != NULL;
}

static GtkWidget *
make_section (Reader *self, const SsappHelpSection *section)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), section->words);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  g_signal_connect (label, "activate-link", G_CALLBACK (on_link), self);
  return label;
}

/* Once the sections have their places. */
static gboolean
scroll_to_aim (GtkWidget *scroller, GdkFrameClock *clock, gpointer data)
{
  Reader *self = data;
  graphene_point_t at;
  (void)scroller;
  (void)clock;
  if (self->aim == NULL || gtk_widget_get_height (self->aim) == 0)
    return self->aim != NULL ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
  if (gtk_widget_compute_point (self->aim, self->text, &GRAPHENE_POINT_INIT (0, 0), &at))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), at.y);
  self->aim = NULL;
  return G_SOURCE_REMOVE;
}

static void
show_page (Reader *self, const SsappHelpPage *page, guint section)
{
  g_autoptr (GPtrArray) sections = ssapp_help_sections (page, self->pages, SSAPP_HELP_MARKUP);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *clamp = adw_clamp_new (),
            *title = gtk_label_new (page->title);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_widget_add_css_class (title, "title-2");
  gtk_widget_add_css_class (box, "help-text");
  gtk_box_append (GTK_BOX (box), title);
  self->aim = NULL;
  for (guint i = 0; i < sections->len; i++) {
    GtkWidget *label = make_section (self, g_ptr_array_index (sections, i));
    gtk_box_append (GTK_BOX (box), label);
    if (i > 0 && i == section)
      self->aim = label;
  }
  self->page = page;
  self->text = box;
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDTH_OF_TEXT);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_scrolled_window_set_child (self->scroller, clamp);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
  if (self->aim != NULL)
    gtk_widget_add_tick_callback (GTK_WIDGET (self->scroller), scroll_to_aim, self, NULL);
}

/* ---- list of pages, or of what was found ------------------------------------------------------------------------- */

static void
add_row (Reader *self, const char *title, const char *below, gboolean is_sub)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  ssui_tip_when_cut (label);
  gtk_box_append (GTK_BOX (row), label);
  if (below != NULL) {
    GtkWidget *small = gtk_label_new (below);
    gtk_label_set_xalign (GTK_LABEL (small), 0);
    gtk_label_set_ellipsize (GTK_LABEL (small), PANGO_ELLIPSIZE_END);
    ssui_tip_when_cut (small);
    gtk_widget_add_css_class (small, "dim-label");
    gtk_widget_add_css_class (small, "caption");
    gtk_box_append (GTK_BOX (row), small);
  }
  gtk_widget_set_margin_start (row, is_sub ? 18 : 6);
  gtk_widget_set_margin_end (row, 6);
  gtk_list_box_append (self->list, row);
  ssui_set_label (gtk_widget_get_parent (row), title);
}

static void
fill_list (Reader *self)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  for (guint i = 0; self->hits != NULL && i < self->hits->len; i++) {
    const SsappHelpHit *hit = g_ptr_array_index (self->hits, i);
    add_row (self, hit->title, hit->section > 0 ? hit->page->title : hit->excerpt, FALSE);
  }
  for (guint i = 0; self->hits == NULL && i < self->pages->len; i++) {
    const SsappHelpPage *page = g_ptr_array_index (self->pages, i);
    add_row (self, page->title, NULL, strchr (page->name, '/') != NULL);
    if (page == self->page)
      gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, (int)i));
  }
}

static void
on_row (GtkListBox *list, GtkListBoxRow *row, Reader *self)
{
  const guint at = (guint)gtk_list_box_row_get_index (row);
  (void)list;
  if (self->hits == NULL)
    show_page (self, g_ptr_array_index (self->pages, at), 0);
  else {
    const SsappHelpHit *hit = g_ptr_array_index (self->hits, at);
    show_page (self, hit->page, hit->section);
  }
}

static void
on_search (GtkSearchEntry *entry, Reader *self)
{
  g_autofree char *words = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry))));

  g_clear_pointer (&self->hits, g_ptr_array_unref);
  if (words[0] != '\0')
    self->hits = ssapp_help_search (self->pages, words);
  fill_list (self);
}

/* Return goes to the first that was found. */
static void
on_search_activate (GtkSearchEntry *entry, Reader *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, 0);
  (void)entry;
  if (self->hits != NULL && row != NULL)
    on_row (self->list, row, self);
}

/* Escape empties the search, and closes the window where it is empty. */
static void
on_search_stop (GtkSearchEntry *entry, Reader *self)
{
  (void)self;
  if (gtk_editable_get_text (GTK_EDITABLE (entry))[0] != '\0')
    gtk_editable_set_text (GTK_EDITABLE (entry), "");
  else
    gtk_window_close (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (entry))));
}

/* ---- window ------------------------------------------------------------------------------------------------------ */

static GtkWidget *
make_side (Reader *self)
{
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *search = gtk_search_entry_new (),
            *scroller = gtk_scrolled_window_new (), *list = gtk_list_box_new (),
            *nothing = gtk_label_new (_ ("Nothing in the manual has these words."));

  self->list = GTK_LIST_BOX (list);
  self->search = search;
  gtk_widget_add_css_class (list, "navigation-sidebar");
  gtk_label_set_wrap (GTK_LABEL (nothing), TRUE);
  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_list_box_set_placeholder (self->list, nothing);
  gtk_list_box_set_activate_on_single_click (self->list, TRUE);
  ssui_set_label (list, _ ("Pages of the manual"));
  gtk_widget_set_size_request (side, 220, -1);
  gtk_widget_set_margin_top (search, 6);
  gtk_widget_set_margin_start (search, 6);
  gtk_widget_set_margin_end (search, 6);
  ssui_set_label (search, _ ("Search in the manual"));
  g_signal_connect (search, "search-changed", G_CALLBACK (on_search), self);
  g_signal_connect (search, "stop-search", G_CALLBACK (on_search_stop), self);
  g_signal_connect (search, "activate", G_CALLBACK (on_search_activate), self);
  g_signal_connect (list, "row-activated", G_CALLBACK (on_row), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (side), search);
  gtk_box_append (GTK_BOX (side), scroller);
  return side;
}

void
ssui_help_window_present (GtkWindow *parent, const char *page)
{
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *header = adw_header_bar_new (), *middle = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *scroller = gtk_scrolled_window_new (), *print = gtk_button_new_from_icon_name ("printer-symbolic");
  Reader *self = g_new0 (Reader, 1);
  const SsappHelpPage *first;

  self->pages = ssapp_help_pages ();
  self->scroller = GTK_SCROLLED_WINDOW (scroller);
  g_object_set_data_full (G_OBJECT (window), "reader", self, reader_free);
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (middle), make_side (self));
  gtk_box_append (GTK_BOX (middle), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (middle), scroller);
  gtk_widget_set_vexpand (middle, TRUE);
  first = ssapp_help_find (self->pages, page);
  show_page (self, first != NULL ? first : g_ptr_array_index (self->pages, 0), 0);
  fill_list (self);
  gtk_widget_set_tooltip_text (print, _ ("Print This Page"));
  ssui_set_label (print, _ ("Print this page"));
  g_signal_connect (print, "clicked", G_CALLBACK (on_print), self);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), print);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), middle);
  adw_window_set_content (ADW_WINDOW (window), box);
  ssui_keys_close (window);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Manual"));
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 620);
  gtk_widget_grab_focus (self->search);
  gtk_window_present (GTK_WINDOW (window));
}
