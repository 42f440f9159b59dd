/* ui/window/ssui-paper-window.c: see the header. */
#include "ui/window/ssui-paper-window.h"

#include "app/bench/ssapp-paper-book.h"
#include "app/bench/ssapp-paper-job.h"
#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-table-book.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

enum { WIDTH = 960, HEIGHT = 700, MARGIN = 12, LEAST = 480, PICTURE_HEIGHT = 190 };

struct _SsuiPaperWindow {
  AdwWindow parent_instance;
  const SsappPaper *paper; /* NULL: none yet */
  SsappPaperJob *job;      /* NULL: nothing runs */
  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  GtkWidget *run, *stop, *take, *extent, *words, *place, *told, *spinner, *told_row, *stack, *empty, *book, *scene,
      *pictures, *pictures_scroller, *pages, *body, *large, *large_picture;
  gint64 begun; /* monotonic [us] */
};

G_DEFINE_FINAL_TYPE (SsuiPaperWindow, ssui_paper_window, ADW_TYPE_WINDOW)

/* What the choice of extent offers, in its order. */
static guint
list_extents (const SsappPaper *paper, SsappPaperExtent extents[3])
{
  guint n = 0;

  extents[n++] = SSAPP_PAPER_USUAL;
  if (paper->quick != NULL)
    extents[n++] = SSAPP_PAPER_QUICK;
  if (paper->all != NULL)
    extents[n++] = SSAPP_PAPER_ALL;
  return n;
}

static void
update (SsuiPaperWindow *self)
{
  const gboolean runs = self->job != NULL;

  gtk_widget_set_visible (self->run, !runs);
  gtk_widget_set_visible (self->stop, runs);
  gtk_widget_set_sensitive (self->extent, !runs);
  gtk_widget_set_sensitive (self->take, ssui_paper_window_get_table (self) != NULL);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), runs);
  gtk_widget_set_visible (self->spinner, runs);
  gtk_widget_set_visible (self->told_row, runs || *gtk_label_get_text (GTK_LABEL (self->told)) != '\0');
}

static void
let_go (SsuiPaperWindow *self)
{
  if (self->job == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  ssapp_paper_job_kill (self->job);
  g_clear_object (&self->job);
}

static void
on_told (SsuiPaperWindow *self, const char *line)
{
  gtk_label_set_text (GTK_LABEL (self->told), line);
  update (self);
}

static void
show_body (SsuiPaperWindow *self)
{
  gtk_stack_set_visible_child (GTK_STACK (self->pages), self->body);
}

/* One picture fills the window until it is pressed. */
static void
show_large (SsuiPaperWindow *self, GtkWidget *button)
{
  GtkPicture *picture = GTK_PICTURE (gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (button))));

  gtk_picture_set_paintable (GTK_PICTURE (self->large_picture), gtk_picture_get_paintable (picture));
  gtk_picture_set_alternative_text (GTK_PICTURE (self->large_picture), gtk_picture_get_alternative_text (picture));
  gtk_stack_set_visible_child (GTK_STACK (self->pages), self->large);
  gtk_widget_grab_focus (self->large);
}

/* As high as all, and as wide as that asks for; its title below. */
static GtkWidget *
make_picture (SsuiPaperWindow *self, const char *path, const char *title)
{
  GtkWidget *picture = gtk_picture_new_for_filename (path), *button = gtk_button_new (),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *caption = gtk_label_new (title);
  GdkPaintable *shown = gtk_picture_get_paintable (GTK_PICTURE (picture));
  const double aspect = shown != NULL ? gdk_paintable_get_intrinsic_aspect_ratio (shown) : 0;

  gtk_picture_set_alternative_text (GTK_PICTURE (picture), title);
  gtk_widget_set_size_request (picture, (int)(PICTURE_HEIGHT * (aspect > 0 ? aspect : 1)), PICTURE_HEIGHT);
  gtk_widget_add_css_class (picture, "paper-picture");
  gtk_label_set_ellipsize (GTK_LABEL (caption), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (caption, "caption");
  gtk_box_append (GTK_BOX (box), picture);
  gtk_box_append (GTK_BOX (box), caption);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "paper-thumb");
  gtk_widget_set_tooltip_text (button, title);
  ssui_set_label (button, title);
  g_signal_connect_object (button, "clicked", G_CALLBACK (show_large), self, G_CONNECT_SWAPPED);
  return button;
}

/* The pictures that are in the user's folder. */
static void
show_pictures (SsuiPaperWindow *self, const json_t *document)
{
  const json_t *list = json_object_get (document, "pictures");

  show_body (self);
  ssui_empty (self->pictures);
  for (guint i = 0; i < json_array_size (list); i++) {
    const char *title = json_string_value (json_object_get (json_array_get (list, i), "title"));
    g_autofree char *path = ssapp_paper_cached_picture (self->paper, document, i);
    gtk_box_append (GTK_BOX (self->pictures), make_picture (self, path, title));
  }
  gtk_widget_set_visible (self->pictures_scroller, json_array_size (list) > 0);
}

/* The tables of a document, its verdicts behind them. */
static void
show_tables (SsuiPaperWindow *self, GPtrArray *tables, const json_t *document)
{
  SsappTable *verdicts = ssapp_paper_verdict_table (document);
  g_autoptr (GPtrArray) taken = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_table_free);

  while (tables->len > 0)
    g_ptr_array_add (taken, g_ptr_array_steal_index (tables, 0));
  if (verdicts != NULL)
    g_ptr_array_add (taken, verdicts);
  ssui_table_book_load (SSUI_TABLE_BOOK (self->book), taken);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->book);
}

/* What was made before, if anything. */
static void
show_earlier (SsuiPaperWindow *self)
{
  json_t *document = ssapp_paper_cached (self->paper);
  g_autoptr (GPtrArray) tables = document != NULL ? ssapp_paper_read (document) : NULL;

  show_pictures (self, document);
  if (tables != NULL && tables->len > 0 && json_is_true (json_object_get (document, "complete"))) {
    show_tables (self, tables, document);
    gtk_label_set_text (GTK_LABEL (self->told), _ ("As it was made before; Run makes it anew"));
  }
  json_decref (document);
}

static void
on_ended (SsuiPaperWindow *self)
{
  g_autoptr (GPtrArray) tables = ssapp_paper_job_get_tables (self->job);
  const char *error = ssapp_paper_job_get_error (self->job);
  g_autofree char *seconds = ssui_seconds ((double)(g_get_monotonic_time () - self->begun) / G_USEC_PER_SEC);
  g_autofree char *text = NULL;

  if (tables != NULL)
    text = ssapp_paper_job_is_partial (self->job) ? g_strdup (_ ("Stopped: this is what there was by then"))
                                                  : g_strdup_printf (_ ("Made in %s"), seconds);
  else
    text = g_strdup_printf (_ ("No table: %s"), error != NULL ? error : "");
  json_t *document = ssapp_paper_cached (self->paper);
  show_pictures (self, document);
  if (tables != NULL && tables->len > 0)
    show_tables (self, tables, document);
  json_decref (document);
  g_clear_object (&self->job);
  gtk_label_set_text (GTK_LABEL (self->told), text);
  update (self);
}

void
ssui_paper_window_run (SsuiPaperWindow *self, SsappPaperExtent extent)
{
  if (self->job != NULL || self->paper == NULL)
    return;
  self->begun = g_get_monotonic_time ();
  gtk_label_set_text (GTK_LABEL (self->told), _ ("Running in a process of its own"));
  self->job = ssapp_paper_job_new (self->paper, extent);
  g_signal_connect_object (self->job, "told", G_CALLBACK (on_told), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->job, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
  update (self);
}

void
ssui_paper_window_stop (SsuiPaperWindow *self)
{
  if (self->job != NULL)
    ssapp_paper_job_stop (self->job);
}

const SsappTable *
ssui_paper_window_get_table (SsuiPaperWindow *self)
{
  return ssui_table_book_get_shown (SSUI_TABLE_BOOK (self->book));
}

void
ssui_paper_window_toast (SsuiPaperWindow *self, const char *text)
{
  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (text));
}

void
ssui_paper_window_open (SsuiPaperWindow *self, const SsappPaper *paper)
{
  static const char *const names[] = {
      [SSAPP_PAPER_QUICK] = N_ ("Quick: "), [SSAPP_PAPER_USUAL] = "", [SSAPP_PAPER_ALL] = N_ ("Whole: ")};
  g_autoptr (GtkStringList) choices = gtk_string_list_new (NULL);
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  SsappPaperExtent extents[3];

  if (paper == self->paper)
    return;
  let_go (self);
  self->paper = paper;
  const guint n = list_extents (paper, extents);
  for (guint i = 0; i < n; i++) {
    const char *what = extents[i] == SSAPP_PAPER_QUICK ? paper->quick
                       : extents[i] == SSAPP_PAPER_ALL ? paper->all
                                                       : _ ("As usual");
    g_autofree char *text = g_strconcat (ssui_translate (names[extents[i]]), what, NULL);
    gtk_string_list_append (choices, text);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->extent), G_LIST_MODEL (choices));
  gtk_widget_set_visible (self->extent, n > 1);
  adw_window_title_set_title (self->title, paper->label);
  adw_window_title_set_subtitle (self->title, paper->title);
  gtk_label_set_text (GTK_LABEL (self->words), paper->words);
  gtk_label_set_text (GTK_LABEL (self->place), paper->place);
  gtk_label_set_text (GTK_LABEL (self->told), "");
  ssui_table_book_load (SSUI_TABLE_BOOK (self->book), none);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->empty);
  g_autofree char *example = ssapp_paper_example (paper);
  gtk_widget_set_visible (self->scene, example != NULL);
  if (example != NULL)
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->scene), "s", example);
  show_earlier (self);
  update (self);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static SsappPaperExtent
chosen_extent (SsuiPaperWindow *self)
{
  SsappPaperExtent extents[3];
  const guint n = self->paper != NULL ? list_extents (self->paper, extents) : 0;
  const guint place = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->extent));

  return place < n ? extents[place] : SSAPP_PAPER_USUAL;
}

char *
ssui_paper_window_dup_command (SsuiPaperWindow *self)
{
  return self->paper != NULL ? ssapp_paper_to_command (self->paper, chosen_extent (self)) : g_strdup ("");
}

static void
on_run (SsuiPaperWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.paper-run", "s", ssapp_paper_extents[chosen_extent (self)]);
}

static void
ssui_paper_window_dispose (GObject *object)
{
  let_go (SSUI_PAPER_WINDOW (object));
  G_OBJECT_CLASS (ssui_paper_window_parent_class)->dispose (object);
}

static void
ssui_paper_window_class_init (SsuiPaperWindowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_paper_window_dispose;
}

static GtkWidget *
make_text (const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_take (void)
{
  g_autoptr (GMenu) save = g_menu_new ();

  g_menu_append (save, _ ("_Save Table"), "win.paper-save-dialog");
  g_menu_append (save, _ ("Copy as C_ommand"), "win.paper-copy::command");
  return ssui_table_take_new ("win.paper-copy", G_MENU_MODEL (save), _ ("Copy or Save the Table"),
                              _ ("Copy or save the table"));
}

static void
make_header (SsuiPaperWindow *self, GtkWidget *header)
{
  self->title = ADW_WINDOW_TITLE (adw_window_title_new ("", ""));
  self->run = gtk_button_new_with_mnemonic (_ ("_Run"));
  self->stop = gtk_button_new_with_mnemonic (_ ("_Stop"));
  self->take = make_take ();
  gtk_widget_add_css_class (self->run, "suggested-action");
  gtk_widget_add_css_class (self->stop, "destructive-action");
  gtk_widget_set_tooltip_text (self->run, _ ("Make It Anew, in a Process of Its Own"));
  gtk_widget_set_tooltip_text (self->stop, _ ("End with What There Is"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->stop), "win.paper-stop");
  self->scene = gtk_button_new_with_mnemonic (_ ("Open S_cene"));
  gtk_widget_set_tooltip_text (self->scene, _ ("Open What the Picture Runs as an Example"));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->scene), "s", "");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->scene), "win.open-example");
  g_signal_connect_object (self->run, "clicked", G_CALLBACK (on_run), self, G_CONNECT_SWAPPED);
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), GTK_WIDGET (self->title));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->run);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), self->stop);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->take);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), self->scene);
}

static GtkWidget *
make_body (SsuiPaperWindow *self)
{
  GtkWidget *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->words = make_text (NULL);
  self->place = make_text ("dim-label");
  self->extent = gtk_drop_down_new (NULL, NULL);
  self->told_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  self->spinner = gtk_spinner_new ();
  self->told = make_text ("caption");
  self->stack = gtk_stack_new ();
  self->empty = adw_status_page_new ();
  self->pictures = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  self->pictures_scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->pictures_scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->pictures_scroller), self->pictures);
  gtk_widget_set_visible (self->pictures_scroller, FALSE);
  ssui_set_label (self->pictures_scroller, _ ("Pictures"));
  self->book = ssui_table_book_new (_ ("The paper's column beside ours"));
  gtk_widget_set_halign (self->extent, GTK_ALIGN_START);
  ssui_label_drop_down (self->extent, _ ("How much of it"));
  gtk_label_set_wrap (GTK_LABEL (self->told), FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (self->told), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (self->told_row), self->spinner);
  gtk_box_append (GTK_BOX (self->told_row), self->told);
  adw_status_page_set_title (ADW_STATUS_PAGE (self->empty), _ ("Not Made Yet"));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->empty), _ ("Press Run to make it on this machine."));
  gtk_widget_add_css_class (self->empty, "compact");
  gtk_stack_add_child (GTK_STACK (self->stack), self->empty);
  gtk_stack_add_child (GTK_STACK (self->stack), self->book);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_margin_start (body, MARGIN);
  gtk_widget_set_margin_end (body, MARGIN);
  gtk_widget_set_margin_top (body, MARGIN);
  gtk_widget_set_margin_bottom (body, MARGIN);
  gtk_box_append (GTK_BOX (body), self->words);
  gtk_box_append (GTK_BOX (body), self->place);
  gtk_box_append (GTK_BOX (body), self->extent);
  gtk_box_append (GTK_BOX (body), self->told_row);
  gtk_box_append (GTK_BOX (body), self->pictures_scroller);
  gtk_box_append (GTK_BOX (body), self->stack);
  return body;
}

static void
ssui_paper_window_init (SsuiPaperWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new ();

  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  make_header (self, header);
  self->pages = gtk_stack_new ();
  self->body = make_body (self);
  self->large_picture = gtk_picture_new ();
  self->large = gtk_button_new ();
  gtk_widget_add_css_class (self->large_picture, "paper-picture");
  gtk_button_set_child (GTK_BUTTON (self->large), self->large_picture);
  gtk_widget_add_css_class (self->large, "flat");
  gtk_widget_set_tooltip_text (self->large, _ ("Back to the Table"));
  ssui_set_label (self->large, _ ("Back to the Table"));
  g_signal_connect_object (self->large, "clicked", G_CALLBACK (show_body), self, G_CONNECT_SWAPPED);
  gtk_stack_add_child (GTK_STACK (self->pages), self->body);
  gtk_stack_add_child (GTK_STACK (self->pages), self->large);
  adw_toast_overlay_set_child (self->toasts, self->pages);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  ssui_keys_close (GTK_WIDGET (self));
  gtk_window_set_title (GTK_WINDOW (self), _ ("Table of a Paper"));
}

SsuiPaperWindow *
ssui_paper_window_new (SsuiWindow *window)
{
  SsuiPaperWindow *self = g_object_new (SSUI_TYPE_PAPER_WINDOW, NULL);

  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (window));
  gtk_window_set_transient_for (GTK_WINDOW (self), GTK_WINDOW (window));
  /* Within the window on small screens. */
  gtk_window_set_default_size (GTK_WINDOW (self), MIN (WIDTH, MAX (gtk_widget_get_width (GTK_WIDGET (window)), LEAST)),
                               MIN (HEIGHT, MAX (gtk_widget_get_height (GTK_WIDGET (window)), LEAST)));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  update (self);
  return self;
}
