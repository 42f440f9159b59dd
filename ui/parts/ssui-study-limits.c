/* ui/parts/ssui-study-limits.c: see the header. */
#include "ui/parts/ssui-study-limits.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define WORDS_WIDTH 22 /* characters; more is cut, the tooltip has all */

/* With values there are no others; else numbers. */
static const struct {
  const char *name, *title, *hint;
  const char *const values[4], *const labels[4];
} limits[] = {
    {"cpu", N_ ("CPU time for a run [s]"), N_ ("None"), {NULL}, {NULL}},
    {"memory", N_ ("Memory for a run [GB]"), N_ ("None"), {NULL}, {NULL}},
    {"bound", N_ ("Lower bound, of models [s]"), N_ ("None"), {NULL}, {NULL}},
    {"workers", N_ ("Runs at once"), N_ ("0: a run a core"), {NULL}, {NULL}},
    {"draw", N_ ("Drawn values"), "", {"random", "latin", NULL}, {N_ ("At random"), N_ ("Latin hypercube"), NULL}},
    {"samples", N_ ("Number drawn"), "20", {NULL}, {NULL}},
    {"seed", N_ ("Seed"), "0", {NULL}, {NULL}},
    {"keep",
     N_ ("Motions kept"),
     "",
     {"all", "thinned", "metrics", NULL},
     {N_ ("All rows"), N_ ("Some 200 rows each"), N_ ("None, metrics alone"), NULL}}};

struct _SsuiStudyLimits {
  GtkWidget parent_instance;
  SsappStudySession *study;
  GtkWidget *button, *words, *entries[G_N_ELEMENTS (limits)];
};

G_DEFINE_FINAL_TYPE (SsuiStudyLimits, ssui_study_limits, GTK_TYPE_WIDGET)

static void show (SsuiStudyLimits *self);

static void
on_limit (GtkWidget *entry, SsuiStudyLimits *self)
{
  const char *name = g_object_get_data (G_OBJECT (entry), "limit"),
             *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  g_autofree char *now = ssapp_study_session_dup_limit (self->study, name);

  if (strcmp (now, text) != 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.study-limit", "(ss)", name, text);
}

static void
on_limit_leave (GtkEventControllerFocus *controller, SsuiStudyLimits *self)
{
  GtkWidget *entry = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));

  on_limit (entry, self);
  g_object_set_data (G_OBJECT (entry), "shown", NULL); /* what was refused, or says the same otherwise, goes */
  show (self);
}

static void
on_choice (GtkDropDown *drop_down, GParamSpec *pspec, SsuiStudyLimits *self)
{
  const guint k = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (drop_down), "limit"));
  const char *wanted = limits[k].values[MIN (gtk_drop_down_get_selected (drop_down), 2)];
  g_autofree char *now = ssapp_study_session_dup_limit (self->study, limits[k].name);

  (void)pspec;
  if (strcmp (now, wanted) != 0 && ssapp_study_session_get_study (self->study) != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.study-limit", "(ss)", limits[k].name, wanted);
}

static GtkWidget *
make_limit (SsuiStudyLimits *self, guint k)
{
  GtkWidget *entry;

  if (limits[k].values[0] != NULL) {
    entry = gtk_drop_down_new (G_LIST_MODEL (ssui_strings_new (limits[k].labels)), NULL);
    ssui_label_drop_down (entry, _ (limits[k].title));
    g_object_set_data (G_OBJECT (entry), "limit", GUINT_TO_POINTER (k));
    g_signal_connect_object (entry, "notify::selected", G_CALLBACK (on_choice), self, 0);
    return entry;
  }
  GtkEventController *focus = gtk_event_controller_focus_new ();
  entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ (limits[k].hint));
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 12);
  ssui_set_label (entry, _ (limits[k].title));
  g_object_set_data (G_OBJECT (entry), "limit", (gpointer)limits[k].name);
  g_signal_connect_object (entry, "activate", G_CALLBACK (on_limit), self, 0);
  g_signal_connect_object (focus, "leave", G_CALLBACK (on_limit_leave), self, 0);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

static GtkWidget *
make_popover (SsuiStudyLimits *self)
{
  GtkWidget *popover = gtk_popover_new (), *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  for (guint k = 0; k < G_N_ELEMENTS (limits); k++) {
    self->entries[k] = make_limit (self, k);
    GtkWidget *label = gtk_label_new (_ (limits[k].title));
    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_grid_attach (GTK_GRID (grid), label, 0, (int)k, 1, 1);
    gtk_grid_attach (GTK_GRID (grid), self->entries[k], 1, (int)k, 1, 1);
  }
  gtk_popover_set_child (GTK_POPOVER (popover), grid);
  return popover;
}

static void
show (SsuiStudyLimits *self)
{
  g_autofree char *words = ssapp_study_session_dup_limits_words (self->study);

  for (guint k = 0; k < G_N_ELEMENTS (limits); k++) {
    g_autofree char *text = ssapp_study_session_dup_limit (self->study, limits[k].name);
    for (guint v = 0; limits[k].values[0] != NULL && limits[k].values[v] != NULL; v++)
      if (strcmp (text, limits[k].values[v]) == 0)
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->entries[k]), v);
    if (limits[k].values[0] == NULL)
      ssui_follow_text (self->entries[k], text);
  }
  g_autofree char *tip =
      g_strdup_printf (_ ("%s: limits of a run, how many run at once, what is kept, how values are drawn"), words);
  gtk_label_set_text (GTK_LABEL (self->words), words);
  gtk_widget_set_tooltip_text (self->button, tip);
}

GtkWidget *
ssui_study_limits_new (SsappStudySession *study)
{
  SsuiStudyLimits *self = g_object_new (SSUI_TYPE_STUDY_LIMITS, NULL);

  self->study = g_object_ref (study);
  self->words = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->words), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (self->words), WORDS_WIDTH);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (self->button), self->words);
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (self->button), TRUE);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), make_popover (self));
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_add_css_class (self->button, "study-add");
  ssui_set_label (self->button, _ ("Limits and draws"));
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  g_signal_connect_object (study, "changed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  show (self);
  return GTK_WIDGET (self);
}

static void
ssui_study_limits_dispose (GObject *object)
{
  SsuiStudyLimits *self = SSUI_STUDY_LIMITS (object);

  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->study);
  G_OBJECT_CLASS (ssui_study_limits_parent_class)->dispose (object);
}

static void
ssui_study_limits_class_init (SsuiStudyLimitsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_study_limits_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_study_limits_init (SsuiStudyLimits *self)
{
  (void)self;
}
