/* ui/window/ssui-fit-setup.c: see the header. */
#include "ui/window/ssui-fit-setup.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MARGIN = 12, WIDTH = 330, LIMIT_MOST = 3600 };

struct _SsuiFitSetup {
  AdwBin parent_instance;
  SsappFitSession *fit;
  GtkWidget *files, *columns, *unknowns, *how, *others;
  GPtrArray *file_rows, *column_rows, *unknown_rows;  /* of GtkWidget, borrowed */
  GPtrArray *targets;                                 /* of char *, what a column may be: "", "box.x:m", ... */
  char *shown_files, *shown_columns, *shown_unknowns; /* what the rows were made for */
  gboolean is_updating;
};

G_DEFINE_FINAL_TYPE (SsuiFitSetup, ssui_fit_setup, ADW_TYPE_BIN)

static void
clear_rows (GtkWidget *group, GPtrArray *rows)
{
  ssui_take_focus_from (group);
  for (guint i = 0; i < rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (group), g_ptr_array_index (rows, i));
  g_ptr_array_set_size (rows, 0);
}

static void
add_row (GtkWidget *group, GPtrArray *rows, GtkWidget *row)
{
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  g_ptr_array_add (rows, row);
}

/* Whether the rows are to be made anew: their text has changed, which is kept. */
static gboolean
is_new (char **shown, char *text)
{
  const gboolean changed = g_strcmp0 (*shown, text) != 0;

  g_free (*shown);
  *shown = text;
  return changed;
}

static void
set_title (GtkWidget *row, const char *title)
{
  g_autofree char *escaped = g_markup_escape_text (title, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), escaped);
}

static void
set_subtitle (GtkWidget *row, const char *subtitle)
{
  g_autofree char *escaped = g_markup_escape_text (subtitle, -1);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped);
}

/* ---- trials ------------------------------------------------------------------------------------------------------ */

static void
show_files (SsuiFitSetup *self)
{
  GPtrArray *files = ssapp_fit_session_get_files (self->fit);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < files->len; i++)
    g_string_append_printf (text, "%s\n", (const char *)g_ptr_array_index (files, i));
  if (!is_new (&self->shown_files, g_strdup (text->str)))
    return;
  clear_rows (self->files, self->file_rows);
  for (guint i = 0; i < files->len; i++) {
    g_autofree char *base = g_path_get_basename (g_ptr_array_index (files, i)), *name = g_filename_display_name (base),
                    *words = ssapp_fit_session_describe_file (self->fit, i),
                    *label = g_strdup_printf (_ ("Remove %s"), name);
    GtkWidget *row = adw_action_row_new (), *remove = gtk_button_new_from_icon_name ("list-remove-symbolic");
    set_title (row, name);
    set_subtitle (row, words);
    gtk_widget_set_tooltip_text (row, g_ptr_array_index (files, i));
    gtk_widget_add_css_class (remove, "flat");
    gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text (remove, _ ("Remove This Trial"));
    ssui_set_label (remove, label);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (remove), "win.fit-remove");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (remove), "s", (const char *)g_ptr_array_index (files, i));
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), remove);
    add_row (self->files, self->file_rows, row);
  }
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static guint
target_of (SsuiFitSetup *self, const SsappFitColumn *column)
{
  g_autofree char *text =
      column->channel != NULL ? g_strdup_printf ("%s:%s", column->channel, column->unit) : g_strdup ("");
  guint found;

  return g_ptr_array_find_with_equal_func (self->targets, text, g_str_equal, &found) ? found : 0;
}

static void
on_column (SsuiFitSetup *self, GParamSpec *spec, AdwComboRow *row)
{
  const char *column = g_object_get_data (G_OBJECT (row), "column");
  const guint target = adw_combo_row_get_selected (row);

  (void)spec;
  if (self->is_updating || target >= self->targets->len)
    return;
  g_autofree char *text = g_strdup_printf ("%s=%s", column, (const char *)g_ptr_array_index (self->targets, target));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.fit-map", "s", text);
}

/* What a column may be, with words for it; NULL-terminated words, g_strfreev. */
static char **
list_targets (SsuiFitSetup *self, GPtrArray *channels)
{
  GPtrArray *words = g_ptr_array_new ();

  g_ptr_array_set_size (self->targets, 0);
  g_ptr_array_add (self->targets, g_strdup (""));
  g_ptr_array_add (words, g_strdup (_ ("not read")));
  for (guint i = 0; i < channels->len; i++) {
    const char *channel = g_ptr_array_index (channels, i);
    const char *const *units = ssapp_fit_units (channel);
    const char *const rate = g_str_has_suffix (channel, "omega") || strstr (channel, ".v") != NULL ? "/s" : "";
    for (int u = 0; units[u] != NULL; u++) {
      g_ptr_array_add (self->targets, g_strdup_printf ("%s:%s", channel, units[u]));
      g_ptr_array_add (words, g_strdup_printf ("%s [%s%s]", channel, units[u], rate));
    }
  }
  g_ptr_array_add (words, NULL);
  return (char **)g_ptr_array_free (words, FALSE);
}

static void
show_columns (SsuiFitSetup *self)
{
  GArray *columns = ssapp_fit_session_get_columns (self->fit);
  g_autoptr (GPtrArray) channels = ssapp_fit_session_dup_channels (self->fit);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < columns->len; i++)
    g_string_append_printf (text, "%s\n", g_array_index (columns, SsappFitColumn, i).column);
  for (guint i = 0; i < channels->len; i++)
    g_string_append_printf (text, "%s,", (const char *)g_ptr_array_index (channels, i));
  if (is_new (&self->shown_columns, g_strdup (text->str))) {
    g_auto (GStrv) words = list_targets (self, channels);
    clear_rows (self->columns, self->column_rows);
    for (guint i = 0; i < columns->len; i++) {
      const char *name = g_array_index (columns, SsappFitColumn, i).column;
      GtkWidget *row = ssui_combo_row_new (name, gtk_string_list_new ((const char *const *)words));
      g_object_set_data_full (G_OBJECT (row), "column", g_strdup (name), g_free);
      g_signal_connect_object (row, "notify::selected", G_CALLBACK (on_column), self, G_CONNECT_SWAPPED);
      add_row (self->columns, self->column_rows, row);
    }
  }
  for (guint i = 0; i < columns->len; i++) {
    const SsappFitColumn *column = &g_array_index (columns, SsappFitColumn, i);
    GtkWidget *row = g_ptr_array_index (self->column_rows, i);
    adw_combo_row_set_selected (ADW_COMBO_ROW (row), target_of (self, column));
    set_subtitle (row, column->is_guessed ? _ ("guessed from its name") : "");
  }
  gtk_widget_set_visible (self->columns, columns->len > 0);
}

/* ---- unknowns ---------------------------------------------------------------------------------------------------- */

static void
on_tick (SsuiFitSetup *self, GParamSpec *spec, GtkCheckButton *check)
{
  (void)spec;
  if (!self->is_updating)
    ssapp_fit_session_tick (self->fit, g_object_get_data (G_OBJECT (check), "name"),
                            gtk_check_button_get_active (check));
}

static void
on_others (SsuiFitSetup *self)
{
  if (!self->is_updating)
    ssapp_fit_session_set_others (self->fit, gtk_editable_get_text (GTK_EDITABLE (self->others)));
}

static GtkWidget *
make_unknown (SsuiFitSetup *self, const SsappFitUnknown *unknown)
{
  GtkWidget *row = adw_action_row_new (), *check = gtk_check_button_new (), *value = gtk_label_new (unknown->value);

  set_title (row, unknown->title);
  gtk_widget_set_tooltip_text (row, unknown->name);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  g_object_set_data_full (G_OBJECT (check), "name", g_strdup (unknown->name), g_free);
  g_object_set_data (G_OBJECT (row), "check", check);
  g_signal_connect_object (check, "notify::active", G_CALLBACK (on_tick), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_add_css_class (value, "dim-label");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), value);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  return row;
}

static void
show_unknowns (SsuiFitSetup *self)
{
  GArray *unknowns = ssapp_fit_session_get_unknowns (self->fit);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < unknowns->len; i++)
    g_string_append_printf (text, "%s=%s\n", g_array_index (unknowns, SsappFitUnknown, i).name,
                            g_array_index (unknowns, SsappFitUnknown, i).value);
  if (is_new (&self->shown_unknowns, g_strdup (text->str))) {
    clear_rows (self->unknowns, self->unknown_rows);
    for (guint i = 0; i < unknowns->len; i++)
      add_row (self->unknowns, self->unknown_rows, make_unknown (self, &g_array_index (unknowns, SsappFitUnknown, i)));
    self->others = adw_entry_row_new ();
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->others), _ ("Others"));
    gtk_widget_set_tooltip_text (
        self->others, _ ("Any number of the sketch with its bounds, as NAME=LOW:HIGH: disc.restitution=0.5:0.9"));
    g_signal_connect_object (self->others, "changed", G_CALLBACK (on_others), self, G_CONNECT_SWAPPED);
    add_row (self->unknowns, self->unknown_rows, self->others);
  }
  for (guint i = 0; i < unknowns->len; i++) {
    GtkWidget *check = g_object_get_data (g_ptr_array_index (self->unknown_rows, i), "check");
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_array_index (unknowns, SsappFitUnknown, i).is_free);
  }
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (self->others)), ssapp_fit_session_get_others (self->fit)) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->others), ssapp_fit_session_get_others (self->fit));
}

/* ---- how --------------------------------------------------------------------------------------------------------- */

static void
on_method (SsuiFitSetup *self, GParamSpec *spec, AdwComboRow *row)
{
  GStrv names = g_object_get_data (G_OBJECT (row), "names");
  const guint chosen = adw_combo_row_get_selected (row);

  (void)spec;
  ssapp_fit_session_set_method (self->fit, chosen > 0 && chosen < g_strv_length (names) ? names[chosen] : NULL);
}

static void
on_loss (SsuiFitSetup *self, GParamSpec *spec, AdwComboRow *row)
{
  (void)spec;
  ssapp_fit_session_set_loss (self->fit, (SsFitLoss)adw_combo_row_get_selected (row));
}

static void
on_limit (SsuiFitSetup *self, GtkAdjustment *adjustment)
{
  ssapp_fit_session_set_cpu_limit (self->fit, gtk_adjustment_get_value (adjustment));
}

static GtkWidget *
make_method (SsuiFitSetup *self)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new (), names = g_ptr_array_new ();

  g_ptr_array_add (labels, (gpointer)_ ("as usual"));
  g_ptr_array_add (names, g_strdup (""));
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    g_ptr_array_add (labels, (gpointer)method->label);
    g_ptr_array_add (names, g_strdup (method->name));
  }
  g_ptr_array_add (labels, NULL);
  g_ptr_array_add (names, NULL);
  GtkWidget *row = ssui_combo_row_new (_ ("Simulated by"), gtk_string_list_new ((const char *const *)labels->pdata));
  gtk_widget_set_tooltip_text (row, _ ("As usual: the sketch's own simulator, else exact events, which fit best"));
  g_object_set_data_full (G_OBJECT (row), "names", g_ptr_array_free (g_steal_pointer (&names), FALSE),
                          (GDestroyNotify)g_strfreev);
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (on_method), self, G_CONNECT_SWAPPED);
  return row;
}

static GtkWidget *
make_how (SsuiFitSetup *self)
{
  static const char *const losses[] = {N_ ("Robust (Tukey)"), N_ ("Robust (Huber)"), N_ ("Squares"), NULL};
  GtkWidget *group = adw_preferences_group_new (), *loss = ssui_combo_row_new (_ ("Loss"), ssui_strings_new (losses)),
            *row = adw_action_row_new ();
  GtkAdjustment *limit = gtk_adjustment_new (SSAPP_FIT_CPU_LIMIT, 1, LIMIT_MOST, 1, 10, 0);
  GtkWidget *spin = gtk_spin_button_new (limit, 1, 0);

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("How"));
  gtk_widget_set_tooltip_text (loss, _ ("What a residual counts: robust ones let few values be wrong"));
  g_signal_connect_object (loss, "notify::selected", G_CALLBACK (on_loss), self, G_CONNECT_SWAPPED);
  set_title (row, _ ("CPU limit [s]"));
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  ssui_set_label (spin, _ ("CPU limit in seconds"));
  g_signal_connect_object (limit, "value-changed", G_CALLBACK (on_limit), self, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), make_method (self));
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), loss);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
update (SsuiFitSetup *self)
{
  self->is_updating = TRUE;
  show_files (self);
  show_columns (self);
  show_unknowns (self);
  self->is_updating = FALSE;
}

static void
ssui_fit_setup_finalize (GObject *object)
{
  SsuiFitSetup *self = SSUI_FIT_SETUP (object);

  g_object_unref (self->fit);
  g_ptr_array_unref (self->file_rows);
  g_ptr_array_unref (self->column_rows);
  g_ptr_array_unref (self->unknown_rows);
  g_ptr_array_unref (self->targets);
  g_free (self->shown_files);
  g_free (self->shown_columns);
  g_free (self->shown_unknowns);
  G_OBJECT_CLASS (ssui_fit_setup_parent_class)->finalize (object);
}

static void
ssui_fit_setup_class_init (SsuiFitSetupClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_fit_setup_finalize;
}

static void
ssui_fit_setup_init (SsuiFitSetup *self)
{
  self->file_rows = g_ptr_array_new ();
  self->column_rows = g_ptr_array_new ();
  self->unknown_rows = g_ptr_array_new ();
  self->targets = g_ptr_array_new_with_free_func (g_free);
}

static GtkWidget *
make_group (GtkWidget *box, const char *title, const char *description)
{
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), description);
  gtk_box_append (GTK_BOX (box), group);
  return group;
}

GtkWidget *
ssui_fit_setup_new (SsappFitSession *fit)
{
  SsuiFitSetup *self = g_object_new (SSUI_TYPE_FIT_SETUP, NULL);
  GtkWidget *scroller = gtk_scrolled_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * MARGIN),
            *add = gtk_button_new_from_icon_name ("list-add-symbolic");

  self->fit = g_object_ref (fit);
  self->files = make_group (box, _ ("Trials"), _ ("Tables of measured motions, CSV or JSON, a file each"));
  self->columns = make_group (box, _ ("Columns"), _ ("Which coordinate each column is"));
  self->unknowns = make_group (box, _ ("Unknown"), NULL);
  gtk_box_append (GTK_BOX (box), make_how (self));
  gtk_widget_add_css_class (add, "flat");
  gtk_widget_set_valign (add, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (add, _ ("Add a Measured Motion (Ctrl+O)"));
  ssui_set_label (add, _ ("Add Trial"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (add), "win.fit-add-dialog");
  adw_preferences_group_set_header_suffix (ADW_PREFERENCES_GROUP (self->files), add);
  gtk_widget_set_margin_start (box, MARGIN);
  gtk_widget_set_margin_end (box, MARGIN);
  gtk_widget_set_margin_top (box, MARGIN);
  gtk_widget_set_margin_bottom (box, MARGIN);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_widget_set_size_request (scroller, WIDTH, -1);
  gtk_widget_set_hexpand (GTK_WIDGET (self), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "sidebar-pane");
  adw_bin_set_child (ADW_BIN (self), scroller);
  g_signal_connect_object (fit, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
