/* ui/canvas/ssui-plot-choice.c: see the header. */
#include "ui/canvas/ssui-plot-choice.h"

#include "app/draw/ssapp-cone.h"
#include "app/export/ssapp-worlds-axes.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define CHANNEL_CHARS 9 /* of a channel's name at least, before it is cut */

/* What is shown, and how the view is filled with it. */
typedef struct {
  const char *name, *title, *label;
  const SsappPlotKind *plot; /* of the table of plots; NULL: one of those that only the screen has */
} Kind;

/* The screen's own, in this order before those of the table of plots that have a place on it. */
enum { KIND_CONVERGENCE, KIND_CHANNELS, KIND_MOTION, N_OWN };
static const Kind own_kinds[N_OWN] = {{"convergence", N_ ("Convergence"), N_ ("Convergence plot"), NULL},
                                      {"channels", N_ ("Channels"), N_ ("Channels over time"), NULL},
                                      {"motion", N_ ("Motion over Time"), N_ ("Motion plot"), NULL}};

struct _SsuiPlotChoice {
  GtkWidget parent_instance;
  GtkWidget *title, *kind, *channels, *x, *y, *contact_box, *contact;
  SsuiPlotView *plot; /* borrowed */
  SsuiClock *clock;
  GPtrArray *runs;
  GArray *entries; /* of Kind */
  gboolean has_channels;
  char *contact_name;          /* chosen; NULL: the one that presses hardest */
  char *x_channel, *y_channel; /* names chosen, by the user or as the first of the runs */
  guint n_channels;            /* of the runs the names are of */
  gboolean are_listed;         /* x and y list these channels */
  char *numbers[2];            /* chosen for the map of other worlds; NULL: its own choice */
  const SsTrajectory *worlds;  /* whose numbers x and y list, to be compared only; NULL: they list no numbers */
  gboolean is_building;
};

G_DEFINE_FINAL_TYPE (SsuiPlotChoice, ssui_plot_choice, GTK_TYPE_WIDGET)

static guint changed_signal;

static Kind
chosen (SsuiPlotChoice *self)
{
  const guint entry = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind)), n = self->entries->len;

  return n == 0 ? own_kinds[KIND_CONVERGENCE] : g_array_index (self->entries, Kind, MIN (entry, n - 1));
}

static gboolean
is_own (const Kind *kind, int own)
{
  return strcmp (kind->name, own_kinds[own].name) == 0;
}

static gboolean
takes (const Kind *kind, guint options)
{
  return kind->plot != NULL && (kind->plot->takes & options) != 0;
}

/* Its entry; -1: it has none. */
static int
entry_of (SsuiPlotChoice *self, const char *name)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (strcmp (g_array_index (self->entries, Kind, i).name, name) == 0)
      return (int)i;
  return -1;
}

/* From the screen's own `first` on. */
static void
list_entries (SsuiPlotChoice *self, int first)
{
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);

  g_array_set_size (self->entries, 0);
  for (int k = first; k < N_OWN; k++)
    if (k != KIND_CHANNELS || self->has_channels)
      g_array_append_val (self->entries, own_kinds[k]);
  for (guint i = 0; i < n; i++)
    if (plots[i].screen != NULL)
      g_array_append_val (self->entries, ((Kind){plots[i].file.name, plots[i].heading, plots[i].screen, &plots[i]}));
}

/* Rows whose channels can be chosen: those of the first run that has any. */
static const SsTrajectory *
rows_of (SsuiPlotChoice *self)
{
  for (guint i = 0; i < self->runs->len; i++)
    if (ssapp_run_has_motion (g_ptr_array_index (self->runs, i)))
      return ssapp_run_get_trajectory (g_ptr_array_index (self->runs, i));
  return NULL;
}

static void
set_channel (char **name, const SsTrajectory *rows, int channel)
{
  g_free (*name);
  *name = g_strdup (rows->channels[channel].name);
}

/* Worlds whose numbers can be chosen: those of the first run that has any. */
static const SsTrajectory *
worlds_of (SsuiPlotChoice *self)
{
  const SsTrajectory *worlds = NULL;

  for (guint i = 0; i < self->runs->len && worlds == NULL; i++)
    worlds = ssapp_run_get_worlds (g_ptr_array_index (self->runs, i));
  return worlds;
}

/* Both lists with what the map of other worlds takes; what was chosen stays where it is still there. */
static void
fill_numbers (SsuiPlotChoice *self)
{
  const SsTrajectory *worlds = worlds_of (self);
  const Kind kind = chosen (self);
  GtkWidget *const lists[2] = {self->x, self->y};
  const char *first[2];

  if (!takes (&kind, SSAPP_TAKES_NUMBERS) || worlds == NULL || worlds == self->worlds)
    return;
  g_autoptr (GPtrArray) names = ssapp_worlds_axes (worlds);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  for (guint i = 0; i < names->len; i++)
    gtk_string_list_append (list, g_ptr_array_index (names, i));
  ssapp_worlds_first_axes (worlds, first);
  self->is_building = TRUE;
  for (int a = 0; a < 2; a++) {
    guint at = 0;

    if (self->numbers[a] == NULL || !g_ptr_array_find_with_equal_func (names, self->numbers[a], g_str_equal, &at)) {
      g_clear_pointer (&self->numbers[a], g_free);
      g_ptr_array_find_with_equal_func (names, first[a], g_str_equal, &at);
    }
    gtk_drop_down_set_model (GTK_DROP_DOWN (lists[a]), G_LIST_MODEL (list));
    gtk_drop_down_set_selected (GTK_DROP_DOWN (lists[a]), at);
  }
  self->is_building = FALSE;
  self->worlds = worlds;
  self->are_listed = FALSE;
}

/* Both lists, where they are seen: a list makes widgets for hundreds of its rows. */
static void
fill_lists (SsuiPlotChoice *self)
{
  const SsTrajectory *rows = rows_of (self);
  const Kind kind = chosen (self);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (self->are_listed || rows == NULL || self->x_channel == NULL || self->y_channel == NULL ||
      !takes (&kind, SSAPP_TAKES_AXES))
    return;
  for (int c = 0; c < rows->n_channels; c++) {
    g_autofree char *label = ssapp_phase_label (rows, c);
    gtk_string_list_append (names, label);
  }
  self->is_building = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->x), G_LIST_MODEL (names));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->y), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->x), (guint)ss_trajectory_channel (rows, self->x_channel));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->y), (guint)ss_trajectory_channel (rows, self->y_channel));
  self->is_building = FALSE;
  self->are_listed = TRUE;
  self->worlds = NULL;
}

/* Both lists again where the runs have other channels; what was chosen stays where it is still there. */
static void
list_channels (SsuiPlotChoice *self)
{
  const SsTrajectory *rows = rows_of (self);
  int x, y, old_x = -1, old_y = -1;

  if (rows == NULL)
    return;
  if (self->x_channel != NULL && self->y_channel != NULL) {
    old_x = ss_trajectory_channel (rows, self->x_channel);
    old_y = ss_trajectory_channel (rows, self->y_channel);
  }
  ssapp_phase_first_channels (rows, &x, &y);
  if (old_x >= 0 && old_y >= 0) {
    x = old_x;
    y = old_y;
  }
  set_channel (&self->x_channel, rows, x);
  set_channel (&self->y_channel, rows, y);
  self->n_channels = (guint)rows->n_channels;
  self->are_listed = FALSE;
  fill_lists (self);
}

/* Contacts with forces; the chosen one stays where it is still there. */
static void
list_contacts (SsuiPlotChoice *self)
{
  const SsTrajectory *rows = rows_of (self);
  g_autoptr (GPtrArray) names = ssapp_cone_contacts (rows);
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint at = 0;

  if (self->contact_name != NULL && !g_ptr_array_find_with_equal_func (names, self->contact_name, g_str_equal, NULL))
    g_clear_pointer (&self->contact_name, g_free);
  if (self->contact_name == NULL)
    self->contact_name = g_strdup (ssapp_cone_first (rows));
  for (guint i = 0; i < names->len; i++) {
    gtk_string_list_append (list, g_ptr_array_index (names, i));
    if (g_strcmp0 (g_ptr_array_index (names, i), self->contact_name) == 0)
      at = i;
  }
  self->is_building = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->contact), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->contact), names->len > 0 ? at : GTK_INVALID_LIST_POSITION);
  self->is_building = FALSE;
}

static void
name_plot (SsuiPlotChoice *self)
{
  const Kind kind = chosen (self);

  gtk_label_set_text (GTK_LABEL (self->title), _ (kind.title));
  ssui_set_label (GTK_WIDGET (self->plot), kind.label);
  fill_lists (self);
  fill_numbers (self);
  gtk_widget_set_visible (self->channels, takes (&kind, SSAPP_TAKES_AXES) ||
                                              (takes (&kind, SSAPP_TAKES_NUMBERS) && worlds_of (self) != NULL));
  gtk_widget_set_visible (self->contact_box, takes (&kind, SSAPP_TAKES_CONTACT));
  ssui_plot_view_set_clock (self->plot, !is_own (&kind, KIND_CONVERGENCE) ? self->clock : NULL);
}

static void
on_kind (SsuiPlotChoice *self)
{
  if (self->is_building)
    return;
  name_plot (self);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_number (SsuiPlotChoice *self)
{
  GtkWidget *const lists[2] = {self->x, self->y};

  for (int a = 0; a < 2; a++) {
    GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (lists[a]));
    g_free (self->numbers[a]);
    self->numbers[a] = item != NULL ? g_strdup (gtk_string_object_get_string (item)) : NULL;
  }
  g_signal_emit (self, changed_signal, 0);
}

static void
on_channel (SsuiPlotChoice *self)
{
  const Kind kind = chosen (self);
  const SsTrajectory *rows = rows_of (self);
  const guint x = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->x));
  const guint y = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->y));

  if (!self->is_building && takes (&kind, SSAPP_TAKES_NUMBERS)) {
    on_number (self);
    return;
  }
  if (self->is_building || rows == NULL || x >= (guint)rows->n_channels || y >= (guint)rows->n_channels)
    return;
  set_channel (&self->x_channel, rows, (int)x);
  set_channel (&self->y_channel, rows, (int)y);
  g_signal_emit (self, changed_signal, 0);
}

static void
on_contact (SsuiPlotChoice *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->contact));

  if (self->is_building || item == NULL)
    return;
  g_free (self->contact_name);
  self->contact_name = g_strdup (gtk_string_object_get_string (item));
  g_signal_emit (self, changed_signal, 0);
}

gboolean
ssui_plot_choice_choose_contact (SsuiPlotChoice *self, const char *contact)
{
  g_return_val_if_fail (SSUI_IS_PLOT_CHOICE (self), FALSE);

  g_autoptr (GPtrArray) names = ssapp_cone_contacts (rows_of (self));

  if (contact != NULL && !g_ptr_array_find_with_equal_func (names, contact, g_str_equal, NULL))
    return FALSE;
  g_free (self->contact_name);
  self->contact_name = g_strdup (contact);
  list_contacts (self);
  g_signal_emit (self, changed_signal, 0);
  return self->contact_name != NULL;
}

const char *
ssui_plot_choice_get_contact (SsuiPlotChoice *self)
{
  g_return_val_if_fail (SSUI_IS_PLOT_CHOICE (self), NULL);
  return self->contact_name;
}

void
ssui_plot_choice_set_has_channels (SsuiPlotChoice *self, gboolean has_channels)
{
  g_return_if_fail (SSUI_IS_PLOT_CHOICE (self));
  self->has_channels = has_channels;
}

void
ssui_plot_choice_set_plot (SsuiPlotChoice *self, SsuiPlotView *plot, SsuiClock *clock)
{
  g_return_if_fail (SSUI_IS_PLOT_CHOICE (self) && (plot == NULL || SSUI_IS_PLOT_VIEW (plot)) &&
                    (clock == NULL || SSUI_IS_CLOCK (clock)));
  self->plot = plot;
  g_set_object (&self->clock, clock);
}

void
ssui_plot_choice_set_runs (SsuiPlotChoice *self, GPtrArray *runs)
{
  g_return_if_fail (SSUI_IS_PLOT_CHOICE (self) && runs != NULL);

  const gboolean has_iterations =
      runs->len > 0 && ssapp_run_get_kind (g_ptr_array_index (runs, 0)) != SS_METHOD_INTEGRATOR;
  const Kind kind = chosen (self);
  const gboolean is_new = self->entries->len == 0;
  const int first = has_iterations ? KIND_CONVERGENCE : self->has_channels ? KIND_CHANNELS : KIND_MOTION;

  g_ptr_array_ref (runs);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  self->runs = runs;
  if (is_new || !is_own (&g_array_index (self->entries, Kind, 0), first)) {
    g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
    list_entries (self, first);
    for (guint i = 0; i < self->entries->len; i++)
      gtk_string_list_append (titles, _ (g_array_index (self->entries, Kind, i).title));
    self->is_building = TRUE;
    gtk_drop_down_set_model (GTK_DROP_DOWN (self->kind), G_LIST_MODEL (titles));
    /* plots that both kinds of runs have stay chosen */
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind),
                                !is_new && kind.plot != NULL ? (guint)entry_of (self, kind.name) : 0);
    self->is_building = FALSE;
  }
  gtk_widget_set_visible (self->kind, runs->len > 0);
  gtk_widget_set_visible (self->title, runs->len == 0);
  self->n_channels = 0;
  self->worlds = NULL;
  list_channels (self);
  list_contacts (self);
  name_plot (self);
}

void
ssui_plot_choice_show (SsuiPlotChoice *self, int max_plots, gboolean over_wall_time)
{
  g_return_if_fail (SSUI_IS_PLOT_CHOICE (self));

  const SsTrajectory *rows = rows_of (self);
  const Kind kind = chosen (self);
  const gboolean came = rows != NULL && (guint)rows->n_channels != self->n_channels; /* a motion came meanwhile */

  if (takes (&kind, SSAPP_TAKES_AXES) && came)
    list_channels (self);
  if (takes (&kind, SSAPP_TAKES_CONTACT) && rows != NULL && self->contact_name == NULL)
    list_contacts (self);
  if (takes (&kind, SSAPP_TAKES_NUMBERS) && worlds_of (self) != self->worlds) /* they came meanwhile */
    name_plot (self);
  if (is_own (&kind, KIND_CONVERGENCE))
    ssui_plot_view_show_convergence (self->plot, self->runs, over_wall_time);
  else if (is_own (&kind, KIND_MOTION))
    ssui_plot_view_show_channels (self->plot, self->runs, max_plots);
  else if (kind.plot != NULL) { /* channels are somewhere else */
    SsappFigureOptions options = {.contact = self->contact_name};

    ssui_plot_choice_get_axes (self, kind.plot, &options.x_channel, &options.y_channel);
    ssui_plot_view_show_plot (self->plot, kind.plot, self->runs, &options);
  }
}

gboolean
ssui_plot_choice_is_convergence (SsuiPlotChoice *self)
{
  const Kind kind = chosen (self);

  return is_own (&kind, KIND_CONVERGENCE);
}

gboolean
ssui_plot_choice_is_channels (SsuiPlotChoice *self)
{
  const Kind kind = chosen (self);

  return is_own (&kind, KIND_CHANNELS);
}

gboolean
ssui_plot_choice_is_motion (SsuiPlotChoice *self)
{
  const Kind kind = chosen (self);

  return is_own (&kind, KIND_CHANNELS) || is_own (&kind, KIND_MOTION);
}

gboolean
ssui_plot_choice_choose (SsuiPlotChoice *self, const char *name)
{
  g_return_val_if_fail (SSUI_IS_PLOT_CHOICE (self), FALSE);

  const int entry = entry_of (self, name);

  if (entry >= 0)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kind), (guint)entry);
  return entry >= 0;
}

gboolean
ssui_plot_choice_has_channel (SsuiPlotChoice *self, const char *name)
{
  g_return_val_if_fail (SSUI_IS_PLOT_CHOICE (self), FALSE);
  const SsTrajectory *rows = rows_of (self);

  return rows != NULL && ssapp_phase_find_channel (rows, name) >= 0;
}

gboolean
ssui_plot_choice_choose_channels (SsuiPlotChoice *self, const char *x, const char *y)
{
  g_return_val_if_fail (SSUI_IS_PLOT_CHOICE (self), FALSE);

  const SsTrajectory *rows = rows_of (self);
  const int x_channel = rows != NULL ? ssapp_phase_find_channel (rows, x) : -1;
  const int y_channel = rows != NULL ? ssapp_phase_find_channel (rows, y) : -1;

  if (x_channel < 0 || y_channel < 0)
    return FALSE;
  set_channel (&self->x_channel, rows, x_channel);
  set_channel (&self->y_channel, rows, y_channel);
  list_channels (self);
  g_signal_emit (self, changed_signal, 0);
  return TRUE;
}

void
ssui_plot_choice_get_axes (SsuiPlotChoice *self, const SsappPlotKind *plot, const char **x, const char **y)
{
  g_return_if_fail (SSUI_IS_PLOT_CHOICE (self) && plot != NULL && x != NULL && y != NULL);

  const gboolean of_worlds = (plot->takes & SSAPP_TAKES_NUMBERS) != 0;

  *x = of_worlds ? self->numbers[0] : self->x_channel;
  *y = of_worlds ? self->numbers[1] : self->y_channel;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
prepare_list (SsuiPlotChoice *self, GtkWidget *list, const char *label)
{
  ssui_cut_drop_down (list, CHANNEL_CHARS);
  ssui_label_drop_down (list, label);
  g_signal_connect_object (list, "notify::selected", G_CALLBACK (on_channel), self, G_CONNECT_SWAPPED);
}

static void
ssui_plot_choice_dispose (GObject *object)
{
  SsuiPlotChoice *self = SSUI_PLOT_CHOICE (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_PLOT_CHOICE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->clock);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->x_channel, g_free);
  g_clear_pointer (&self->y_channel, g_free);
  for (int a = 0; a < 2; a++)
    g_clear_pointer (&self->numbers[a], g_free);
  g_clear_pointer (&self->contact_name, g_free);
  G_OBJECT_CLASS (ssui_plot_choice_parent_class)->dispose (object);
}

static void
ssui_plot_choice_finalize (GObject *object)
{
  g_array_unref (SSUI_PLOT_CHOICE (object)->entries);
  G_OBJECT_CLASS (ssui_plot_choice_parent_class)->finalize (object);
}

static void
ssui_plot_choice_class_init (SsuiPlotChoiceClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_plot_choice_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_plot_choice_finalize;
  changed_signal =
      g_signal_new ("changed", SSUI_TYPE_PLOT_CHOICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-plot-choice.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiPlotChoice, title);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlotChoice, kind);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlotChoice, channels);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlotChoice, x);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlotChoice, y);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlotChoice, contact_box);
  gtk_widget_class_bind_template_child (widget_class, SsuiPlotChoice, contact);
}

static void
ssui_plot_choice_init (SsuiPlotChoice *self)
{
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->entries = g_array_new (FALSE, FALSE, sizeof (Kind));
  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_label_drop_down (self->kind, _ ("What to plot"));
  ssui_label_drop_down (self->contact, _ ("Contact"));
  g_signal_connect_object (self->contact, "notify::selected", G_CALLBACK (on_contact), self, G_CONNECT_SWAPPED);
  prepare_list (self, self->x, _ ("Channel across"));
  prepare_list (self, self->y, _ ("Channel up"));
  g_signal_connect_object (self->kind, "notify::selected", G_CALLBACK (on_kind), self, G_CONNECT_SWAPPED);
}
