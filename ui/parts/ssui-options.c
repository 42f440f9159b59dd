/* ui/parts/ssui-options.c: see the header. Rows are made when the popover opens, so that they show what is set. */
#include "ui/parts/ssui-options.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LONGEST_TIME_LIMIT 86400.0 /* s, a day */
#define NO_LIMIT           "none"

struct _SsuiOptions {
  GtkPopover parent_instance;
  GtkWidget *box;
  SsappSession *session;
  guint rebuilding; /* source; 0: none */
};

G_DEFINE_FINAL_TYPE (SsuiOptions, ssui_options, GTK_TYPE_POPOVER)

/* Which option a control sets. `index` of the session's options of the method. */
typedef struct {
  SsuiOptions *self; /* borrowed: the control lives inside it */
  const SsMethod *method;
  int index;
  const SsOptionSpec *spec;
  GtkWidget *row;
} Binding;

static void rebuild (SsuiOptions *self);

static gboolean
on_rebuild (gpointer user_data)
{
  SsuiOptions *self = user_data;

  self->rebuilding = 0;
  rebuild (self);
  return G_SOURCE_REMOVE;
}

static void
set_option (Binding *binding, const char *value, GtkWidget *control)
{
  const SsOptionSpec *spec = binding->spec;
  g_autoptr (GError) error = NULL;

  if (ssapp_session_set_option (binding->self->session, binding->method, spec->name, value, &error)) {
    gtk_widget_remove_css_class (control, "error");
    adw_action_row_set_subtitle (ADW_ACTION_ROW (binding->row), spec->summary);
    /* A preset changes what other rows show. The control that said so is one of them: later. */
    if (strcmp (spec->name, "preset") == 0 && binding->self->rebuilding == 0)
      binding->self->rebuilding = g_idle_add (on_rebuild, binding->self);
    return;
  }
  gtk_widget_add_css_class (control, "error");
  adw_action_row_set_subtitle (ADW_ACTION_ROW (binding->row), error->message);
}

static void
on_entry_done (GtkWidget *entry, Binding *binding)
{
  g_autofree char *now = ssapp_session_get_option (binding->self->session, binding->method, binding->index);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  if (strcmp (now, text) != 0)
    set_option (binding, text, entry);
}

static void
on_entry_leave (GtkEventControllerFocus *controller, Binding *binding)
{
  on_entry_done (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)), binding);
}

static void
on_switch (GtkSwitch *widget, GParamSpec *pspec, Binding *binding)
{
  (void)pspec;
  set_option (binding, gtk_switch_get_active (widget) ? "true" : "false", GTK_WIDGET (widget));
}

static void
on_choice (GtkDropDown *widget, GParamSpec *pspec, Binding *binding)
{
  const SsOptionSpec *spec = binding->spec;
  (void)pspec;
  set_option (binding, spec->choices[gtk_drop_down_get_selected (widget)], GTK_WIDGET (widget));
}

static GtkWidget *
make_control (Binding *binding)
{
  const SsOptionSpec *spec = binding->spec;
  g_autofree char *value = ssapp_session_get_option (binding->self->session, binding->method, binding->index);
  GtkWidget *control;

  switch (spec->type) {
  case SS_OPTION_BOOLEAN:
    control = gtk_switch_new ();
    gtk_switch_set_active (GTK_SWITCH (control),
                           strcmp (value, "true") == 0 || strcmp (value, "1") == 0 || strcmp (value, "yes") == 0);
    g_signal_connect (control, "notify::active", G_CALLBACK (on_switch), binding);
    break;
  case SS_OPTION_CHOICE:
    control = gtk_drop_down_new_from_strings ((const char *const *)spec->choices);
    for (guint i = 0; spec->choices[i] != NULL; i++)
      if (strcmp (spec->choices[i], value) == 0)
        gtk_drop_down_set_selected (GTK_DROP_DOWN (control), i);
    g_signal_connect (control, "notify::selected", G_CALLBACK (on_choice), binding);
    break;
  case SS_OPTION_REAL:
  case SS_OPTION_INTEGER:
  case SS_OPTION_TEXT:
  default: {
    GtkEventController *focus = gtk_event_controller_focus_new ();
    const int entry_width = 9;
    control = gtk_entry_new ();
    gtk_editable_set_text (GTK_EDITABLE (control), value);
    gtk_editable_set_width_chars (GTK_EDITABLE (control), entry_width);
    gtk_editable_set_max_width_chars (GTK_EDITABLE (control), entry_width);
    gtk_entry_set_alignment (GTK_ENTRY (control), 1);
    gtk_widget_add_css_class (control, "numeric");
    g_signal_connect (control, "activate", G_CALLBACK (on_entry_done), binding);
    g_signal_connect (focus, "leave", G_CALLBACK (on_entry_leave), binding);
    gtk_widget_add_controller (control, focus);
    break;
  }
  }
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  return control;
}

static char *
option_title (const SsOptionSpec *spec)
{
  g_autofree char *name = g_strdelimit (g_strdup (spec->name), "_-", ' ');
  if (*name != '\0')
    *name = g_ascii_toupper (*name);
  if (*spec->symbol != '\0' && *spec->unit != '\0')
    return g_strdup_printf ("%s %s [%s]", name, spec->symbol, spec->unit);
  if (*spec->unit != '\0')
    return g_strdup_printf ("%s [%s]", name, spec->unit);
  return *spec->symbol != '\0' && strcmp (spec->symbol, spec->name) != 0
             ? g_strdup_printf ("%s (%s)", name, spec->symbol)
             : g_strdup (name);
}

static void
add_row (SsuiOptions *self, AdwPreferencesGroup *group, const SsMethod *method, int index)
{
  const SsOptionSpec *spec = ssapp_session_get_option_spec (self->session, method, index);
  GtkWidget *row = adw_action_row_new (), *control;
  g_autofree char *title = option_title (spec), *label = g_strdup_printf ("%s %s", method->label, spec->name);
  Binding *binding = g_new0 (Binding, 1);

  *binding = (Binding){self, method, index, spec, row};
  g_object_set_data_full (G_OBJECT (row), "binding", binding, g_free);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), spec->summary);
  control = make_control (binding);
  ssui_set_label (control, label);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_preferences_group_add (group, row);
}

static void
on_time_limit (SsuiOptions *self, GParamSpec *pspec, GtkSpinButton *spin)
{
  (void)pspec;
  const double seconds = gtk_spin_button_get_value (spin);

  ssapp_session_set_time_limit (self->session, seconds > 0 ? seconds : INFINITY);
}

/* 0 is told as what it means. */
static gboolean
on_limit_text (GtkSpinButton *spin)
{
  if (gtk_spin_button_get_value (spin) > 0)
    return FALSE;
  gtk_editable_set_text (GTK_EDITABLE (spin), NO_LIMIT);
  return TRUE;
}

static int
on_limit_typed (GtkSpinButton *spin, double *value)
{
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (spin)), NO_LIMIT) != 0)
    return FALSE;
  *value = 0;
  return TRUE;
}

static void
on_bound (SsuiOptions *self, GParamSpec *pspec, GtkSpinButton *spin)
{
  (void)pspec;
  ssapp_session_set_bound (self->session, gtk_spin_button_get_value (spin));
}

/* A row with a number of seconds, from `least` on. */
static GtkWidget *
add_seconds (SsuiOptions *self, GtkWidget *group, const char *title, const char *summary, const char *label,
             double least, double value, GCallback changed)
{
  GtkWidget *row = adw_action_row_new (), *spin = gtk_spin_button_new_with_range (least, LONGEST_TIME_LIMIT, 10);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), summary);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  ssui_set_label (spin, label);
  g_signal_connect_object (spin, "notify::value", changed, self, G_CONNECT_SWAPPED);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), spin);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return spin;
}

static void
add_limits (SsuiOptions *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (ssapp_session_get_document (self->session));
  GtkWidget *group = adw_preferences_group_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Limits"));
  const double limit = ssapp_session_get_time_limit (self->session);
  GtkWidget *spin =
      add_seconds (self, group, _ ("Time limit [s]"), _ ("A run that takes longer ends with what it has; 0: none"),
                   _ ("Time limit in seconds"), 0, isfinite (limit) ? limit : 0, G_CALLBACK (on_time_limit));
  g_signal_connect (spin, "output", G_CALLBACK (on_limit_text), NULL);
  g_signal_connect (spin, "input", G_CALLBACK (on_limit_typed), NULL);
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  if (scenario != NULL && scenario->model != NULL)
    add_seconds (self, group, _ ("Lower bound [s]"),
                 _ ("After an answer, looks that long for how far it is from the best possible; 0: not at all"),
                 _ ("Seconds for a lower bound"), 0, ssapp_session_get_bound (self->session), G_CALLBACK (on_bound));
  gtk_box_append (GTK_BOX (self->box), group);
}

static void
rebuild (SsuiOptions *self)
{
  g_autoptr (GPtrArray) methods = NULL;

  ssui_take_focus_from (self->box);
  ssui_empty (self->box);
  if (self->session == NULL)
    return;
  methods = ssapp_session_list_methods (self->session);
  for (guint m = 0; m < methods->len; m++) {
    const SsMethod *method = g_ptr_array_index (methods, m);
    GtkWidget *group;
    if (!ssapp_session_is_chosen (self->session, method))
      continue;
    group = adw_preferences_group_new ();
    adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), method->label);
    adw_preferences_group_set_description (ADW_PREFERENCES_GROUP (group), method->summary);
    for (int i = 0; i < ssapp_session_n_options (self->session, method); i++)
      if (ssapp_session_get_option_spec (self->session, method, i)->common)
        add_row (self, ADW_PREFERENCES_GROUP (group), method, i);
    gtk_box_append (GTK_BOX (self->box), group);
  }
  add_limits (self);
}

void
ssui_options_set_session (SsuiOptions *self, SsappSession *session)
{
  g_return_if_fail (SSUI_IS_OPTIONS (self) && (session == NULL || SSAPP_IS_SESSION (session)));
  g_set_object (&self->session, session);
}

static void
ssui_options_dispose (GObject *object)
{
  SsuiOptions *self = SSUI_OPTIONS (object);

  g_clear_handle_id (&self->rebuilding, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_OPTIONS);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssui_options_parent_class)->dispose (object);
}

static void
ssui_options_class_init (SsuiOptionsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_options_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-options.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiOptions, box);
}

static void
ssui_options_init (SsuiOptions *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "show", G_CALLBACK (rebuild), NULL);
}
