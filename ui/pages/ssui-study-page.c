/* ui/pages/ssui-study-page.c: see the header. */
#include "ui/pages/ssui-study-page.h"

#include "ui/pages/ssui-study-card.h"
#include "ui/parts/ssui-study-panel.h"
#include "ui/parts/ssui-table-view.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define RIGHT_WIDTH  316 /* px */
#define TABLE_HEIGHT 230 /* px, at least */

struct _SsuiStudyPage {
  GtkWidget parent_instance;
  SsappSession *session;
  SsappStudySession *study;
  GtkWidget *stack, *empty, *regions, *right;
  SsuiStudyCard *cards[3];
  GtkWidget *runs, *selected, *count, *differs, *hint;
  SsuiTableView *table;
};

G_DEFINE_FINAL_TYPE (SsuiStudyPage, ssui_study_page, GTK_TYPE_WIDGET)

/* ---- table of runs ----------------------------------------------------------------------------------------------- */

static void
mark_of (guint row, SsMethodId *method, int *look, gpointer data)
{
  SsuiStudyPage *self = data;
  const SsappRunSet *set = ssapp_study_session_get_set (self->study);
  GArray *items = ssapp_study_session_get_table_items (self->study);

  if (set == NULL || row >= items->len)
    return;
  const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, g_array_index (items, guint, row));
  const SsappRunMethod *run_method = g_ptr_array_index (set->methods, item->method);
  *method = run_method->id;
  *look = run_method->look;
}

static void
show_selected (SsuiStudyPage *self)
{
  GArray *items = ssapp_study_session_get_table_items (self->study);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *words = ssapp_study_session_dup_selected_words (self->study),
                  *label = g_strdup_printf ("%s  ×", words);

  for (guint row = 0; row < items->len; row++)
    if (ssapp_study_session_is_item_selected (self->study, g_array_index (items, guint, row)))
      g_array_append_val (rows, row);
  ssui_table_view_mark (self->table, (const guint *)(const void *)rows->data, rows->len);
  gtk_button_set_label (GTK_BUTTON (self->selected), label);
  gtk_widget_set_visible (self->selected, *words != '\0');
}

static void
show_runs (SsuiStudyPage *self)
{
  SsappTable *table;
  g_autofree char *count = NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  table = ssapp_study_session_make_table (self->study, SSAPP_STUDY_RUNS);
  const guint n = table != NULL ? ssapp_table_get_n_rows (table) : 0;
  count = g_strdup_printf (ngettext ("%u run", "%u runs", n), n);
  gtk_label_set_text (GTK_LABEL (self->count), n > 0 ? count : "");
  gtk_stack_set_visible_child_name (GTK_STACK (self->runs), n > 0 ? "table" : "hint");
  ssui_table_view_load (self->table, table);
  show_selected (self);
}

static void
on_marked (SsuiStudyPage *self, guint row)
{
  GArray *items = ssapp_study_session_get_table_items (self->study);

  if (row < items->len && !ssapp_study_session_is_item_selected (self->study, g_array_index (items, guint, row)))
    ssapp_study_session_select_items (self->study, &g_array_index (items, guint, row), 1);
}

static const char *
run_of (guint row, gpointer data)
{
  SsuiStudyPage *self = data;
  GArray *items = ssapp_study_session_get_table_items (self->study);

  return row < items->len ? ssapp_study_session_get_run_id (self->study, g_array_index (items, guint, row)) : NULL;
}

static void
on_deselect (SsuiStudyPage *self)
{
  ssapp_study_session_select_items (self->study, NULL, 0);
}

static void
on_differs (GtkSwitch *widget, GParamSpec *pspec, SsuiStudyPage *self)
{
  (void)pspec;
  ssapp_study_session_set_shows_all (self->study, !gtk_switch_get_active (widget));
}

static void
on_looked (SsuiStudyPage *self)
{
  gtk_switch_set_active (GTK_SWITCH (self->differs), !ssapp_study_session_shows_all (self->study));
  show_runs (self);
}

static GtkWidget *
make_runs_head (SsuiStudyPage *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *title = gtk_label_new (_ ("Runs")),
            *words = gtk_label_new (_ ("Only what differs"));
  const SsappStudyPart part = SSAPP_STUDY_RUNS;

  gtk_widget_add_css_class (title, "heading");
  self->selected = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->selected, "study-selected");
  gtk_widget_set_valign (self->selected, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->selected, _ ("The marked problem; click to let it go"));
  g_signal_connect_object (self->selected, "clicked", G_CALLBACK (on_deselect), self, G_CONNECT_SWAPPED);
  self->count = gtk_label_new ("");
  gtk_widget_add_css_class (self->count, "dim-label");
  gtk_widget_set_hexpand (self->count, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->count), 0);
  self->differs = gtk_switch_new ();
  gtk_switch_set_active (GTK_SWITCH (self->differs), TRUE);
  gtk_widget_set_valign (self->differs, GTK_ALIGN_CENTER);
  ssui_set_label (self->differs, _ ("Only what differs"));
  gtk_widget_set_tooltip_text (self->differs,
                               _ ("Columns in which no two runs differ, and runs to come, are left out"));
  g_signal_connect_object (self->differs, "notify::active", G_CALLBACK (on_differs), self, 0);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->selected);
  gtk_box_append (GTK_BOX (head), self->count);
  gtk_box_append (GTK_BOX (head), words);
  gtk_box_append (GTK_BOX (head), self->differs);
  gtk_box_append (GTK_BOX (head), ssui_study_take_button_new (&part, 1));
  gtk_widget_add_css_class (head, "card-title");
  return head;
}

static GtkWidget *
make_runs (SsuiStudyPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *view = ssui_table_view_new (_ ("Runs of the study"));

  self->table = SSUI_TABLE_VIEW (view);
  ssui_table_view_set_runs (self->table, mark_of, run_of, self);
  g_signal_connect_object (self->table, "marked", G_CALLBACK (on_marked), self, G_CONNECT_SWAPPED);
  self->hint = gtk_label_new (_ ("No run yet. Press Start: finished runs come here, double click opens one."));
  gtk_label_set_wrap (GTK_LABEL (self->hint), TRUE);
  gtk_widget_add_css_class (self->hint, "dim-label");
  self->runs = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->runs), self->hint, "hint");
  gtk_stack_add_named (GTK_STACK (self->runs), view, "table");
  gtk_widget_set_vexpand (self->runs, TRUE);
  gtk_widget_set_size_request (self->runs, -1, TABLE_HEIGHT);
  gtk_box_append (GTK_BOX (box), make_runs_head (self));
  gtk_box_append (GTK_BOX (box), self->runs);
  gtk_widget_add_css_class (box, "card");
  gtk_widget_add_css_class (box, "plain-card");
  gtk_widget_set_overflow (box, GTK_OVERFLOW_HIDDEN);
  return box;
}

/* ---- page -------------------------------------------------------------------------------------------------------- */

static void
on_changed (SsuiStudyPage *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    ssapp_study_session_get_study (self->study) != NULL ? "study" : "empty");
  if (gtk_widget_get_mapped (GTK_WIDGET (self))) /* another project, perhaps */
    ssapp_study_session_look (self->study);
}

static GtkWidget *
make_empty (SsuiStudyPage *self)
{
  GtkWidget *button = gtk_button_new_with_label (_ ("New Study"));

  self->empty = adw_status_page_new ();
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (self->empty), "ss-study-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (self->empty), _ ("No Study Yet"));
  adw_status_page_set_description (
      ADW_STATUS_PAGE (self->empty),
      _ ("A study runs methods against each other over many instances of the sketch: other "
         "parameters, starts or steps. It is kept in the project with all of its runs."));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.study-new");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "pill");
  gtk_widget_add_css_class (button, "suggested-action");
  adw_status_page_set_child (ADW_STATUS_PAGE (self->empty), button);
  return self->empty;
}

static void
set_narrow (GtkWidget *widget, gboolean is_narrow)
{
  SsuiStudyPage *self = SSUI_STUDY_PAGE (widget);

  if (self->regions == NULL)
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->regions),
                                  is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->right, is_narrow ? -1 : RIGHT_WIDTH, -1);
  gtk_widget_set_hexpand (self->right, is_narrow);
  for (guint k = 0; k < G_N_ELEMENTS (self->cards); k++)
    ssui_study_card_set_narrow (self->cards[k], is_narrow);
}

static GtkWidget *
make_study (SsuiStudyPage *self)
{
  static const SsappStudyPart heat[] = {SSAPP_STUDY_HEAT}, profile[] = {SSAPP_STUDY_PROFILE},
                              boxes[] = {SSAPP_STUDY_BOX, SSAPP_STUDY_TIME};
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *scroller = gtk_scrolled_window_new (),
            *middle = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  self->cards[0] = SSUI_STUDY_CARD (ssui_study_card_new (self->study, NULL, heat, 1));
  self->cards[1] = SSUI_STUDY_CARD (ssui_study_card_new (self->study, NULL, profile, 1));
  self->cards[2] = SSUI_STUDY_CARD (ssui_study_card_new (self->study, _ ("Distribution"), boxes, 2));
  gtk_box_append (GTK_BOX (middle), GTK_WIDGET (self->cards[0]));
  gtk_box_append (GTK_BOX (middle), make_runs (self));
  gtk_box_set_homogeneous (GTK_BOX (middle), FALSE);
  gtk_widget_set_hexpand (middle, TRUE);
  gtk_widget_add_css_class (middle, "region");
  self->right = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_box_append (GTK_BOX (self->right), GTK_WIDGET (self->cards[1]));
  gtk_box_append (GTK_BOX (self->right), GTK_WIDGET (self->cards[2]));
  gtk_widget_set_hexpand (self->right, FALSE); /* figures would like to be wide */
  gtk_widget_add_css_class (self->right, "region");
  self->regions = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_append (GTK_BOX (self->regions), middle);
  gtk_box_append (GTK_BOX (self->regions), self->right);
  gtk_widget_add_css_class (self->regions, "study-regions");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->regions);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), ssui_study_panel_new (self->session));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (box), scroller);
  set_narrow (GTK_WIDGET (self), FALSE);
  return box;
}

static void
set_session (GtkWidget *widget, SsappSession *session)
{
  SsuiStudyPage *self = SSUI_STUDY_PAGE (widget);

  self->session = g_object_ref (session);
  self->study = g_object_ref (ssapp_session_get_study (session));
  gtk_stack_add_named (GTK_STACK (self->stack), make_empty (self), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), make_study (self), "study");
  g_signal_connect_object (self->study, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->study, "runs", G_CALLBACK (show_runs), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->study, "looked", G_CALLBACK (on_looked), self, G_CONNECT_SWAPPED);
  on_changed (self);
}

static void
ssui_study_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ssui_study_page_parent_class)->map (widget);
  ssapp_study_session_look (SSUI_STUDY_PAGE (widget)->study);
  show_runs (SSUI_STUDY_PAGE (widget));
}

static void
ssui_study_page_dispose (GObject *object)
{
  SsuiStudyPage *self = SSUI_STUDY_PAGE (object);

  ssui_unparent_children (GTK_WIDGET (object));
  self->regions = NULL;
  g_clear_object (&self->study);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssui_study_page_parent_class)->dispose (object);
}

static void
ssui_study_page_class_init (SsuiStudyPageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_study_page_dispose;
  GTK_WIDGET_CLASS (class)->map = ssui_study_page_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_study_page_init (SsuiStudyPage *self)
{
  self->stack = gtk_stack_new ();
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static const char *
get_undo_label (GtkWidget *widget, gboolean redo)
{
  SsappStudySession *study = SSUI_STUDY_PAGE (widget)->study;

  return redo ? ssapp_study_session_get_redo_label (study) : ssapp_study_session_get_undo_label (study);
}

/* Run is the study's Start. */
static const SsuiPageCommand own_commands[] = {{"run", "study-start-or-pause"},
                                               {"undo", "study-undo"},
                                               {"redo", "study-redo"},
                                               {"export-dialog::figure", "study-export-all-dialog"},
                                               {NULL, NULL}};

const SsuiPage ssui_study_page = {.name = "study",
                                  .title = N_ ("Study"),
                                  .icon = "ss-study-symbolic",
                                  .next = "study_go",
                                  .commands = own_commands,
                                  .get_type = ssui_study_page_get_type,
                                  .set_session = set_session,
                                  .set_narrow = set_narrow,
                                  .get_undo_label = get_undo_label};
