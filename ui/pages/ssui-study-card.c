/* ui/pages/ssui-study-card.c: see the header. */
#include "ui/pages/ssui-study-card.h"

#include "ui/canvas/ssui-chart-view.h"
#include "ui/parts/ssui-exports.h"
#include "ui/parts/ssui-table-view.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define MAX_PARTS     2
#define NARROW_HEIGHT 280 /* px, of a figure */

struct _SsuiStudyCard {
  GtkWidget parent_instance;
  SsappStudySession *study;
  char *fixed_title; /* nullable */
  guint n_parts;
  SsappStudyPart parts[MAX_PARTS];
  GtkWidget *title, *choices[MAX_PARTS], *axes, *unsolved, *table_toggle, *stack, *charts[MAX_PARTS],
      *tables[MAX_PARTS];
  gboolean is_loading;
};

G_DEFINE_FINAL_TYPE (SsuiStudyCard, ssui_study_card, GTK_TYPE_WIDGET)

/* ---- taking away ------------------------------------------------------------------------------------------------- */

static void
append (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

GtkWidget *
ssui_study_take_button_new (const SsappStudyPart *parts, guint n_parts)
{
  static const char *const sections[] = {N_ ("First Figure"), N_ ("Second Figure")};
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  const char *name = ssapp_study_part_name (parts[0]);

  for (guint k = 0; k < n_parts && k < MAX_PARTS; k++) {
    g_autoptr (GMenu) section = g_menu_new ();
    name = ssapp_study_part_name (parts[k]);
    append (section, parts[k] == SSAPP_STUDY_RUNS ? _ ("Export Table…") : _ ("Export…"), "win.study-export-dialog",
            g_variant_new_string (name));
    if (parts[k] != SSAPP_STUDY_RUNS) {
      g_autofree char *page = g_strconcat (_ ("Web Page That Computes"), ssui_export_live_tail (), NULL);
      append (section, page, "win.study-page-dialog", g_variant_new_string (name));
    }
    append (section, _ ("Copy as CSV"), "win.study-copy-table", g_variant_new ("(ss)", name, "csv"));
    append (section, _ ("Copy as LaTeX"), "win.study-copy-table", g_variant_new ("(ss)", name, "tex"));
    append (section, _ ("Copy as Markdown"), "win.study-copy-table", g_variant_new ("(ss)", name, "md"));
    g_menu_append_section (menu, n_parts > 1 ? _ (sections[k]) : NULL, G_MENU_MODEL (section));
  }
  name = ssapp_study_part_name (parts[0]);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "ss-export-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Export, or copy the numbers"));
  g_autofree char *label = g_strdup_printf (_ ("Export %s"), name);
  ssui_set_label (button, label);
  return button;
}

/* ---- choices ----------------------------------------------------------------------------------------------------- */

static gboolean
has_strings (GtkDropDown *drop_down, const char *const *texts)
{
  GListModel *model = gtk_drop_down_get_model (drop_down);
  const guint n = model != NULL ? g_list_model_get_n_items (model) : 0;

  if (n != g_strv_length ((char **)texts))
    return FALSE;
  for (guint k = 0; k < n; k++)
    if (g_strcmp0 (gtk_string_list_get_string (GTK_STRING_LIST (model), k), texts[k]) != 0)
      return FALSE;
  return TRUE;
}

static void
fill (GtkWidget *drop_down, const char *const *texts, guint selected)
{
  if (!has_strings (GTK_DROP_DOWN (drop_down), texts)) {
    g_autoptr (GtkStringList) list = gtk_string_list_new (texts);
    gtk_drop_down_set_model (GTK_DROP_DOWN (drop_down), G_LIST_MODEL (list));
  }
  if (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down)) != selected)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), selected);
}

static void
show_choices (SsuiStudyCard *self, guint k)
{
  const char *const *keys = ssapp_study_session_list_choices (self->study, self->parts[k]);
  const char *now = ssapp_study_session_get_choice (self->study, self->parts[k]);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) titles = NULL;
  guint selected = 0;

  for (guint i = 0; keys[i] != NULL; i++) {
    g_strv_builder_add (builder, ssapp_study_session_get_choice_title (self->study, self->parts[k], keys[i]));
    if (g_strcmp0 (keys[i], now) == 0)
      selected = i;
  }
  titles = g_strv_builder_end (builder);
  fill (self->choices[k], (const char *const *)titles, selected);
}

static void
on_choice (GtkDropDown *drop_down, GParamSpec *pspec, SsuiStudyCard *self)
{
  const guint k = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (drop_down), "part")),
              selected = gtk_drop_down_get_selected (drop_down);
  const char *const *keys = ssapp_study_session_list_choices (self->study, self->parts[k]);

  (void)pspec;
  if (!self->is_loading && selected < g_strv_length ((char **)keys))
    ssapp_study_session_set_choice (self->study, self->parts[k], keys[selected]);
}

static void
show_axes (SsuiStudyCard *self)
{
  guint selected;
  g_auto (GStrv) pairs = ssapp_study_session_list_heat_axes (self->study, &selected);

  gtk_widget_set_visible (self->axes, g_strv_length (pairs) > 1);
  fill (self->axes, (const char *const *)pairs, selected);
}

static void
on_axes (GtkDropDown *drop_down, GParamSpec *pspec, SsuiStudyCard *self)
{
  (void)pspec;
  if (!self->is_loading)
    ssapp_study_session_choose_heat_axes (self->study, gtk_drop_down_get_selected (drop_down));
}

static void
on_unsolved (GtkToggleButton *button, SsuiStudyCard *self)
{
  if (!self->is_loading)
    ssapp_study_session_set_takes_unsolved (self->study, gtk_toggle_button_get_active (button));
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

static gboolean
shows_tables (SsuiStudyCard *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->table_toggle));
}

static void
show_all (SsuiStudyCard *self)
{
  const SsappChart *chart = ssapp_study_session_get_chart (self->study, self->parts[0]);

  self->is_loading = TRUE;
  gtk_label_set_text (GTK_LABEL (self->title), self->fixed_title != NULL ? self->fixed_title
                                               : chart != NULL           ? ssapp_chart_get_title (chart)
                                                                         : "");
  for (guint k = 0; k < self->n_parts; k++) {
    show_choices (self, k);
    if (shows_tables (self))
      ssui_table_view_load (SSUI_TABLE_VIEW (self->tables[k]),
                            ssapp_study_session_make_table (self->study, self->parts[k]));
  }
  if (self->axes != NULL)
    show_axes (self);
  if (self->unsolved != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->unsolved), ssapp_study_session_takes_unsolved (self->study));
  self->is_loading = FALSE;
}

/* What nobody sees is not made. */
static void
on_changed (SsuiStudyCard *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    show_all (self);
}

static void
on_table_toggled (SsuiStudyCard *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), shows_tables (self) ? "table" : "figure");
  show_all (self);
}

void
ssui_study_card_set_narrow (SsuiStudyCard *self, gboolean is_narrow)
{
  g_return_if_fail (SSUI_IS_STUDY_CARD (self));
  gtk_widget_set_size_request (self->stack, -1, is_narrow ? NARROW_HEIGHT : -1);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

enum { LEAST_CHOICE_CHARS = 8 };

static GtkWidget *
make_drop_down (SsuiStudyCard *self, const char *label, GCallback callback)
{
  GtkWidget *drop_down = gtk_drop_down_new (NULL, NULL);

  gtk_widget_add_css_class (drop_down, "flat-drop");
  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  ssui_cut_drop_down (drop_down, LEAST_CHOICE_CHARS); /* names of outcomes are as long as users like */
  ssui_label_drop_down (drop_down, label);
  gtk_widget_set_tooltip_text (drop_down, label);
  g_signal_connect_object (drop_down, "notify::selected", callback, self, 0);
  return drop_down;
}

static GtkWidget *
make_toggle (SsuiStudyCard *self, const char *icon, const char *label, GCallback callback, GConnectFlags flags)
{
  GtkWidget *button = gtk_toggle_button_new ();

  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, label);
  ssui_set_label (button, label);
  g_signal_connect_object (button, "toggled", callback, self, flags);
  return button;
}

static GtkWidget *
make_head (SsuiStudyCard *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  const char *name = ssapp_study_part_name (self->parts[0]);
  g_autofree char *label = g_strdup_printf (_ ("Table of %s"), name);

  self->title = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "heading");
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->title, TRUE);
  gtk_widget_set_visible (self->title, self->fixed_title != NULL); /* else the choice says it */
  gtk_box_append (GTK_BOX (head), self->title);
  if (self->n_parts == 1) {
    self->choices[0] = make_drop_down (self, _ ("What the figure shows"), G_CALLBACK (on_choice));
    gtk_box_append (GTK_BOX (head), self->choices[0]);
    if (self->fixed_title == NULL) {
      gtk_widget_add_css_class (self->choices[0], "heading");
      gtk_widget_set_hexpand (self->choices[0], TRUE);
      gtk_widget_set_halign (self->choices[0], GTK_ALIGN_START);
    }
  }
  if (self->parts[0] == SSAPP_STUDY_HEAT) {
    self->axes = make_drop_down (self, _ ("Axes of the maps"), G_CALLBACK (on_axes));
    gtk_box_append (GTK_BOX (head), self->axes);
  }
  if (self->parts[0] == SSAPP_STUDY_BOX) {
    self->unsolved = make_toggle (self, "dialog-warning-symbolic", _ ("Take runs that were not solved too"),
                                  G_CALLBACK (on_unsolved), 0);
    gtk_box_append (GTK_BOX (head), self->unsolved);
  }
  self->table_toggle =
      make_toggle (self, "view-list-symbolic", label, G_CALLBACK (on_table_toggled), G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (head), self->table_toggle);
  gtk_box_append (GTK_BOX (head), ssui_study_take_button_new (self->parts, self->n_parts));
  gtk_widget_add_css_class (head, "card-title");
  return head;
}

/* A figure; where there are two, each below its choice. */
static GtkWidget *
make_chart (SsuiStudyCard *self, guint k)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->charts[k] = ssui_chart_view_new (self->study, self->parts[k]);
  if (self->n_parts > 1) {
    self->choices[k] = make_drop_down (
        self, k == 0 ? _ ("What the first figure shows") : _ ("What the second figure shows"), G_CALLBACK (on_choice));
    g_object_set_data (G_OBJECT (self->choices[k]), "part", GUINT_TO_POINTER (k));
    gtk_widget_set_halign (self->choices[k], GTK_ALIGN_START);
    gtk_box_append (GTK_BOX (box), self->choices[k]);
  }
  gtk_box_append (GTK_BOX (box), self->charts[k]);
  gtk_widget_set_hexpand (box, TRUE);
  return box;
}

static GtkWidget *
make_stack (SsuiStudyCard *self)
{
  GtkWidget *figures = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *tables = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_box_set_homogeneous (GTK_BOX (figures), TRUE);
  gtk_widget_add_css_class (figures, "study-figures");
  for (guint k = 0; k < self->n_parts; k++) {
    g_autofree char *name = g_strdup_printf (_ ("Numbers of %s"), ssapp_study_part_name (self->parts[k]));
    gtk_box_append (GTK_BOX (figures), make_chart (self, k));
    self->tables[k] = ssui_table_view_new (name);
    gtk_box_append (GTK_BOX (tables), self->tables[k]);
  }
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), figures, "figure");
  gtk_stack_add_named (GTK_STACK (self->stack), tables, "table");
  gtk_widget_set_vexpand (self->stack, TRUE);
  return self->stack;
}

GtkWidget *
ssui_study_card_new (SsappStudySession *study, const char *title, const SsappStudyPart *parts, guint n_parts)
{
  SsuiStudyCard *self = g_object_new (SSUI_TYPE_STUDY_CARD, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->study = g_object_ref (study);
  self->fixed_title = g_strdup (title);
  self->n_parts = MIN (n_parts, MAX_PARTS);
  for (guint k = 0; k < self->n_parts; k++)
    self->parts[k] = parts[k];
  gtk_box_append (GTK_BOX (box), make_head (self));
  gtk_box_append (GTK_BOX (box), make_stack (self));
  gtk_widget_add_css_class (box, "card");
  gtk_widget_add_css_class (box, "plain-card");
  gtk_widget_set_overflow (box, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  g_signal_connect_object (study, "runs", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (study, "looked", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
ssui_study_card_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ssui_study_card_parent_class)->map (widget);
  show_all (SSUI_STUDY_CARD (widget));
}

static void
ssui_study_card_dispose (GObject *object)
{
  SsuiStudyCard *self = SSUI_STUDY_CARD (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->study);
  g_clear_pointer (&self->fixed_title, g_free);
  G_OBJECT_CLASS (ssui_study_card_parent_class)->dispose (object);
}

static void
ssui_study_card_class_init (SsuiStudyCardClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_study_card_dispose;
  GTK_WIDGET_CLASS (class)->map = ssui_study_card_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_study_card_init (SsuiStudyCard *self)
{
  (void)self;
}
