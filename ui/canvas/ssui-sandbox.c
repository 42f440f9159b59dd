/* ui/canvas/ssui-sandbox.c: see the header. */
#include "ui/canvas/ssui-sandbox.h"

#include "ui/parts/ssui-util.h"
#include "simulate/ss-simulate.h"

#include <glib/gi18n.h>
#include <string.h>

#define SLOW_SPEED 0.25 /* of real time */
/* Plots beside the scene follow after this long [us] and so many frames, whichever is later: where frames are slow,
 * plots cost each of them no more than where they are fast. */
#define PLOT_PERIOD 100000
#define PLOT_FRAMES 6

struct _SsuiSandbox {
  GtkBox parent_instance;
  GtkWidget *toggle, *step, *slow, *keep, *improve, *method, *rate;
  GActionMap *map; /* borrowed: the window holds us */
  SsappSession *session;
  SsuiCanvas *canvas; /* borrowed: a sibling */
  SsuiClock *clock;
  SsappSandbox *sandbox; /* NULL unless live */
  SsView *view;
  SsMark *marks;
  int n_marks_max; /* room */
  double *row;
  GArray *contacts;   /* of SsContactRow: forces that the row does not tell */
  guint64 seen, told; /* frames that were drawn, and told of by "moved-on" */
  gint64 due;         /* of the next time that it is told [us] */
  int n_frames;       /* since it was told last */
  guint tick_id;
  gboolean is_updating; /* the clock follows the scene, not the other way round */
  gboolean was_failed;
  double shown_rate;
};

G_DEFINE_FINAL_TYPE (SsuiSandbox, ssui_sandbox, GTK_TYPE_BOX)

enum { MESSAGE, LIVE_CHANGED, MOVED_ON, N_SIGNALS };
static guint signals[N_SIGNALS];

gboolean
ssui_sandbox_is_live (SsuiSandbox *self)
{
  g_return_val_if_fail (SSUI_IS_SANDBOX (self), FALSE);
  return self->sandbox != NULL;
}

SsappSandbox *
ssui_sandbox_get_live (SsuiSandbox *self)
{
  g_return_val_if_fail (SSUI_IS_SANDBOX (self), NULL);
  return self->sandbox;
}

const char *
ssui_sandbox_get_method_label (SsuiSandbox *self)
{
  g_return_val_if_fail (SSUI_IS_SANDBOX (self), NULL);
  return self->sandbox != NULL
             ? ssapp_method_label ((SsMethodId){SS_METHOD_INTEGRATOR, ssapp_sandbox_get_method (self->sandbox)})
             : "";
}

void
ssui_sandbox_describe (SsuiSandbox *self, SsappSessionPlace *place)
{
  g_return_if_fail (SSUI_IS_SANDBOX (self) && place != NULL);

  SsappSandboxState state;

  if (self->sandbox == NULL)
    return;
  ssapp_sandbox_get_state (self->sandbox, &state);
  place->sandbox = ssapp_sandbox_get_method (self->sandbox);
  place->frames = state.n_frames;
  place->frame_rate = state.frame_rate;
}

static void
tell (SsuiSandbox *self, const char *text)
{
  g_signal_emit (self, signals[MESSAGE], 0, text);
}

static GSimpleAction *
find_action (SsuiSandbox *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (self->map, name));
}

static void
update_actions (SsuiSandbox *self)
{
  static const char *const while_live[] = {"sandbox-pause", "sandbox-step", "sandbox-slow", "sandbox-keep",
                                           "sandbox-improve"};
  const SsScene *scene = ssapp_document_get_scenario (ssapp_session_get_document (self->session))->scene;
  gboolean is_live = self->sandbox != NULL;

  if (self->map == NULL)
    return;
  g_simple_action_set_state (find_action (self, "sandbox"), g_variant_new_boolean (is_live));
  g_simple_action_set_enabled (find_action (self, "sandbox"), is_live || (scene != NULL && scene->n_bodies > 0));
  for (guint i = 0; i < G_N_ELEMENTS (while_live); i++)
    g_simple_action_set_enabled (find_action (self, while_live[i]), is_live);
  gtk_widget_set_visible (GTK_WIDGET (self), scene != NULL);
  gtk_widget_set_visible (self->step, is_live);
  gtk_widget_set_visible (self->slow, is_live);
  gtk_widget_set_visible (self->keep, is_live);
  gtk_widget_set_visible (self->improve, is_live && scene != NULL && scene->n_actuators > 0);
  gtk_widget_set_visible (self->method, is_live);
  gtk_widget_set_visible (self->rate, is_live);
  g_simple_action_set_enabled (find_action (self, "sandbox-method"), scene != NULL);
  gtk_button_set_label (GTK_BUTTON (self->toggle), is_live ? _ ("Leave Sandbox") : _ ("Play in Sandbox"));
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* The clock, the player and the messages follow the scene. */
static void
show_state (SsuiSandbox *self)
{
  SsappSandboxState state;

  ssapp_sandbox_get_state (self->sandbox, &state);
  self->is_updating = TRUE;
  ssui_clock_set_duration (self->clock, state.newest);
  ssui_clock_seek (self->clock, state.time);
  ssui_clock_set_playing (self->clock, !state.is_paused);
  self->is_updating = FALSE;
  if (state.frame_rate != self->shown_rate) {
    g_autofree char *text = g_strdup_printf ("%.0f fps", state.frame_rate);
    gtk_label_set_text (GTK_LABEL (self->rate), text);
    self->shown_rate = state.frame_rate;
  }
  if (state.has_failed && !self->was_failed)
    tell (self, state.message);
  self->was_failed = state.has_failed;
}

/* The frame's marks, and arrows of the forces that its row does not tell. */
static void
make_marks (SsuiSandbox *self)
{
  const int n = ss_view_n_marks (self->view), most = n + (int)self->contacts->len;
  int n_forces;

  if (self->n_marks_max < most) {
    self->n_marks_max = most + most / 4;
    self->marks = g_renew (SsMark, self->marks, self->n_marks_max);
  }
  ss_view_frame (self->view, self->row, self->marks);
  n_forces = ss_view_contact_forces (self->view, (const SsContactRow *)(gpointer)self->contacts->data,
                                     (int)self->contacts->len, self->marks + n, most - n);
  ssui_canvas_set_live_marks (self->canvas, self->marks, n + n_forces);
}

static void
tell_moved_on (SsuiSandbox *self)
{
  const gint64 now = g_get_monotonic_time ();

  self->n_frames++;
  if (self->seen == self->told || now < self->due || self->n_frames < PLOT_FRAMES)
    return;
  self->told = self->seen;
  self->due = now + PLOT_PERIOD;
  self->n_frames = 0;
  g_signal_emit (self, signals[MOVED_ON], 0);
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *frame_clock, gpointer data)
{
  SsuiSandbox *self = SSUI_SANDBOX (widget);
  SsVec2 on_body, pointer;
  guint64 number = ssapp_sandbox_take_frame_with (self->sandbox, self->seen, self->row, self->contacts);

  (void)frame_clock;
  (void)data;
  if (number != self->seen) {
    self->seen = number;
    make_marks (self);
    ssui_canvas_set_live_row (self->canvas, ssapp_sandbox_get_channels (self->sandbox),
                              ssapp_sandbox_get_n_channels (self->sandbox), self->row,
                              ssapp_sandbox_get_step (self->sandbox));
  }
  if (ssapp_sandbox_get_spring (self->sandbox, &on_body, &pointer))
    ssui_canvas_set_spring (self->canvas, &on_body, &pointer);
  else
    ssui_canvas_set_spring (self->canvas, NULL, NULL);
  show_state (self);
  tell_moved_on (self);
  return G_SOURCE_CONTINUE;
}

static gboolean
make_view (SsuiSandbox *self)
{
  const SsScenario *scenario = ssapp_sandbox_get_scenario (self->sandbox);
  SsError err;

  if (ss_view_new (scenario, ssapp_sandbox_get_channels (self->sandbox), ssapp_sandbox_get_n_channels (self->sandbox),
                   &self->view, &err) != SS_OK) {
    tell (self, err.message);
    return FALSE;
  }
  self->seen = self->told = 0;
  return TRUE;
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

/* The integrator that the user asked the sandbox for; NULL: none. */
static const SsMethod *
wanted_method (SsuiSandbox *self)
{
  g_autoptr (GVariant) state =
      self->map != NULL ? g_action_get_state (G_ACTION (find_action (self, "sandbox-method"))) : NULL;
  const char *name = state != NULL ? g_variant_get_string (state, NULL) : "";

  return *name != '\0' ? ss_method_find (SS_METHOD_INTEGRATOR, name, NULL) : NULL;
}

/* The method chosen for simulations, with its options, unless contacts bounce and it does not know how: then the
 * sandbox chooses. */
static const SsMethod *
chosen_method (SsuiSandbox *self)
{
  g_autoptr (GPtrArray) methods = ssapp_session_list_methods (self->session);
  const SsScenario *scenario = ssapp_document_get_scenario (ssapp_session_get_document (self->session));
  const SsScene *scene = scenario->scene;
  const SsMethod *method = NULL;
  gboolean bounces = FALSE;

  if (wanted_method (self) != NULL)
    return wanted_method (self);
  for (guint i = 0; i < methods->len && method == NULL; i++) {
    const SsMethod *candidate = g_ptr_array_index (methods, i);
    if (candidate->kind == SS_METHOD_INTEGRATOR && ssapp_session_is_chosen (self->session, candidate))
      method = candidate;
  }
  for (int i = 0; i < scene->n_contacts; i++)
    bounces |= scene->contacts[i].restitution > 0;
  /* What is chosen from the start is no choice of the user's: it must keep up, which one that looks for events may not;
   * other laws are the scene's own where it names them. */
  const gboolean is_first = method != NULL && method == ss_method_of_scenario (SS_METHOD_INTEGRATOR, scenario);
  if (method == NULL || (is_first && (method->is_default || method->integrator->gives_stages)) ||
      (bounces && (ss_integrator_uses (method->integrator, NULL) & SS_USES_RESTITUTION) == 0))
    return NULL;
  return method;
}

static SsappSandbox *
make_sandbox (SsuiSandbox *self, GError **error)
{
  const SsMethod *method = chosen_method (self);
  g_autoptr (GPtrArray) options = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; method != NULL && i < method->options->n_specs; i++)
    if (!ssapp_session_is_option_default (self->session, method, i)) {
      g_ptr_array_add (options, g_strdup (method->options->specs[i].name));
      g_ptr_array_add (options, ssapp_session_get_option (self->session, method, i));
    }
  g_ptr_array_add (options, NULL);
  return ssapp_sandbox_new (ssapp_document_get_text (ssapp_session_get_document (self->session)),
                            method != NULL ? method->name : NULL, (const char *const *)options->pdata, error);
}

/* The bar names the integrator, and says why it is that one. */
static void
show_method (SsuiSandbox *self)
{
  const char *label = ssui_sandbox_get_method_label (self), *reason = ssapp_sandbox_get_reason (self->sandbox);
  g_autofree char *tip = reason != NULL ? g_strdup_printf (_ ("%s. Choose another one here"), reason)
                                        : g_strdup (_ ("Integrator of the sandbox"));

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->method), label);
  gtk_widget_set_tooltip_text (self->method, tip);
  ssui_set_label (self->method, _ ("Integrator of the sandbox"));
  ssui_set_description (self->method, reason != NULL ? reason : label);
  gtk_label_set_text (GTK_LABEL (self->rate), "");
  self->shown_rate = 0;
  if (reason != NULL)
    tell (self, reason);
}

static void
start (SsuiSandbox *self)
{
  g_autoptr (GError) error = NULL;

  if (self->sandbox != NULL)
    return;
  self->sandbox = make_sandbox (self, &error);
  if (self->sandbox == NULL) {
    tell (self, error->message);
    return;
  }
  self->was_failed = FALSE;
  self->row = g_renew (double, self->row, ssapp_sandbox_get_n_channels (self->sandbox));
  if (!make_view (self)) {
    g_clear_object (&self->sandbox);
    return;
  }
  if (self->map != NULL)
    g_simple_action_set_state (find_action (self, "sandbox-slow"), g_variant_new_boolean (FALSE));
  self->is_updating = TRUE;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, 0);
  ssui_clock_set_live (self->clock, TRUE);
  self->is_updating = FALSE;
  ssui_canvas_set_live (self->canvas, TRUE);
  ssapp_sandbox_set_paused (self->sandbox, FALSE);
  self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
  update_actions (self);
  show_method (self);
  g_signal_emit (self, signals[LIVE_CHANGED], 0);
}

void
ssui_sandbox_stop (SsuiSandbox *self)
{
  if (self->sandbox == NULL)
    return;
  gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  ssui_canvas_set_live (self->canvas, FALSE);
  g_clear_pointer (&self->view, ss_view_free);
  ssapp_sandbox_set_replan (self->sandbox, NULL, NULL);
  ssapp_sandbox_stop (self->sandbox);
  g_clear_object (&self->sandbox);
  ssui_clock_set_live (self->clock, FALSE);
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, 0);
  ssui_clock_set_duration (self->clock, 0);
  update_actions (self);
  g_signal_emit (self, signals[LIVE_CHANGED], 0);
}

/* ---- what others do ---------------------------------------------------------------------------------------------- */

static void
on_clock_changed (SsuiSandbox *self)
{
  if (self->sandbox != NULL && !self->is_updating)
    ssapp_sandbox_set_paused (self->sandbox, !ssui_clock_is_playing (self->clock));
}

static void
on_clock_tick (SsuiSandbox *self)
{
  if (self->sandbox != NULL && !self->is_updating)
    ssapp_sandbox_rewind (self->sandbox, ssui_clock_get_time (self->clock));
}

/* Another scenario: the sandbox of the last one ends, and so does the choice of its integrator. */
static void
on_document_loaded (SsuiSandbox *self)
{
  ssui_sandbox_stop (self);
  if (self->map != NULL)
    g_simple_action_set_state (find_action (self, "sandbox-method"), g_variant_new_string (""));
}

static void
on_document_changed (SsuiSandbox *self)
{
  SsappDocument *document = ssapp_session_get_document (self->session);
  g_autoptr (GError) error = NULL;

  update_actions (self);
  if (self->sandbox == NULL)
    return;
  g_clear_pointer (&self->view, ss_view_free); /* it looks at the reading that goes */
  if (!ssapp_sandbox_set_text (self->sandbox, ssapp_document_get_text (document), &error)) {
    ssui_sandbox_stop (self);
    tell (self, _ ("The sandbox ended: the sketch now has other bodies, joints or contacts"));
  } else if (!make_view (self)) {
    ssui_sandbox_stop (self);
  }
}

static void
on_pull (SsuiSandbox *self, int phase, const char *body, double x, double y)
{
  if (self->sandbox == NULL)
    return;
  if (phase == SSUI_PULL_BEGIN)
    ssapp_sandbox_drag_begin (self->sandbox, body, (SsVec2){x, y});
  else if (phase == SSUI_PULL_MOVE)
    ssapp_sandbox_drag_to (self->sandbox, (SsVec2){x, y});
  else
    ssapp_sandbox_drag_end (self->sandbox);
}

void
ssui_sandbox_attach (SsuiSandbox *self, SsappSession *session, SsuiCanvas *canvas, SsuiClock *clock)
{
  g_return_if_fail (SSUI_IS_SANDBOX (self) && (session == NULL || SSAPP_IS_SESSION (session)) &&
                    (canvas == NULL || SSUI_IS_CANVAS (canvas)) && (clock == NULL || SSUI_IS_CLOCK (clock)));
  self->session = g_object_ref (session);
  self->canvas = canvas;
  self->clock = g_object_ref (clock);
  g_signal_connect_object (clock, "changed", G_CALLBACK (on_clock_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (clock, "tick", G_CALLBACK (on_clock_tick), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "pull", G_CALLBACK (on_pull), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_document (session), "loaded", G_CALLBACK (on_document_loaded), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ssapp_session_get_document (session), "changed", G_CALLBACK (on_document_changed), self,
                           G_CONNECT_SWAPPED);
  update_actions (self);
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

static void
change_sandbox (GSimpleAction *action, GVariant *state, gpointer data)
{
  (void)action;
  if (g_variant_get_boolean (state))
    start (data);
  else
    ssui_sandbox_stop (data);
}

static void
change_method (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiSandbox *self = data;
  const char *name = g_variant_get_string (state, NULL);
  gboolean is_live = self->sandbox != NULL;

  if (*name != '\0' && ss_method_find (SS_METHOD_INTEGRATOR, name, NULL) == NULL)
    return;
  g_simple_action_set_state (action, state);
  ssui_sandbox_stop (self);
  if (is_live)
    start (self);
}

static void
change_slow (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiSandbox *self = data;

  g_simple_action_set_state (action, state);
  if (self->sandbox != NULL)
    ssapp_sandbox_set_speed (self->sandbox, g_variant_get_boolean (state) ? SLOW_SPEED : 1);
}

static void
on_pause (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiSandbox *self = data;

  (void)action;
  (void)parameter;
  ssui_clock_set_playing (self->clock, !ssui_clock_is_playing (self->clock));
}

static void
on_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiSandbox *self = data;

  (void)action;
  (void)parameter;
  if (self->sandbox != NULL)
    ssapp_sandbox_step (self->sandbox, 1);
}

/* What happened so far as a run; its id, NULL after an error that was told. g_free. */
static char *
keep_run (SsuiSandbox *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  char *id = NULL;

  if (ssapp_session_ensure_store (self->session, &error))
    id = ssapp_sandbox_keep (self->sandbox, ssapp_session_get_store (self->session), &error);
  if (id == NULL) {
    text = g_strdup_printf (_ ("The run could not be kept: %s"), error->message);
    tell (self, text);
  }
  return id;
}

static void
on_keep (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiSandbox *self = data;

  (void)action;
  (void)parameter;
  if (self->sandbox == NULL)
    return;
  g_autofree char *id = keep_run (self),
                  *text = g_strdup_printf (_ ("Kept as a run up to %.2f s"), ssui_clock_get_time (self->clock));
  if (id != NULL)
    tell (self, text);
}

static void
on_improve (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiSandbox *self = data;

  (void)action;
  (void)parameter;
  if (self->sandbox == NULL)
    return;
  ssapp_sandbox_set_paused (self->sandbox, TRUE);
  ssapp_sandbox_sync (self->sandbox);
  g_autofree char *id = keep_run (self), *pulled = ssapp_sandbox_describe_pulled (self->sandbox);
  if (id != NULL && pulled != NULL)
    tell (self, pulled);
  if (id != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.improve", "s", id);
}

void
ssui_sandbox_add_actions (SsuiSandbox *self, GActionMap *map)
{
  g_return_if_fail (SSUI_IS_SANDBOX (self));

  static const GActionEntry entries[] = {
      {.name = "sandbox", .state = "false", .change_state = change_sandbox},
      {.name = "sandbox-method", .parameter_type = "s", .state = "''", .change_state = change_method},
      {.name = "sandbox-pause", .activate = on_pause},
      {.name = "sandbox-step", .activate = on_step},
      {.name = "sandbox-slow", .state = "false", .change_state = change_slow},
      {.name = "sandbox-keep", .activate = on_keep},
      {.name = "sandbox-improve", .activate = on_improve},
  };

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
  self->map = map;
  if (self->session != NULL)
    update_actions (self);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_sandbox_dispose (GObject *object)
{
  SsuiSandbox *self = SSUI_SANDBOX (object);

  self->map = NULL; /* goes with the window */
  if (self->tick_id != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick_id);
  self->tick_id = 0;
  g_clear_pointer (&self->view, ss_view_free);
  if (self->sandbox != NULL)
    ssapp_sandbox_stop (self->sandbox);
  g_clear_object (&self->sandbox);
  g_clear_object (&self->clock);
  g_clear_object (&self->session);
  g_clear_pointer (&self->marks, g_free);
  self->n_marks_max = 0;
  g_clear_pointer (&self->contacts, g_array_unref);
  g_clear_pointer (&self->row, g_free);
  G_OBJECT_CLASS (ssui_sandbox_parent_class)->dispose (object);
}

static void
ssui_sandbox_class_init (SsuiSandboxClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_sandbox_dispose;
  signals[MESSAGE] = g_signal_new ("message", SSUI_TYPE_SANDBOX, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                   G_TYPE_STRING);
  signals[LIVE_CHANGED] =
      g_signal_new ("live-changed", SSUI_TYPE_SANDBOX, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MOVED_ON] =
      g_signal_new ("moved-on", SSUI_TYPE_SANDBOX, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* A button of the row; the action says when it can be pressed. */
static GtkWidget *
add_button (SsuiSandbox *self, GtkWidget *button, const char *label, const char *action, const char *tip)
{
  gtk_button_set_label (GTK_BUTTON (button), label);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tip);
  gtk_widget_add_css_class (button, "flat");
  gtk_box_append (GTK_BOX (self), button);
  return button;
}

/* Every integrator of this build, and none in particular. */
static void
fill_method_menu (SsuiSandbox *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, _ ("Automatic"), "win.sandbox-method::");
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    g_autofree char *action = g_strdup_printf ("win.sandbox-method::%s", method->name);
    if (method->is_built && method->kind == SS_METHOD_INTEGRATOR)
      g_menu_append (menu, method->label, action);
  }
  ssui_set_menu (self->method, menu);
}

static void
ssui_sandbox_init (SsuiSandbox *self)
{
  self->contacts = g_array_new (FALSE, FALSE, sizeof (SsContactRow));
  gtk_box_set_spacing (GTK_BOX (self), 2);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self), "card");
  gtk_widget_add_css_class (GTK_WIDGET (self), "sandbox-bar");
  self->toggle = add_button (self, gtk_toggle_button_new (), _ ("Play in Sandbox"), "win.sandbox",
                             _ ("Run the scene live: drag and throw bodies, change it, rewind"));
  self->step = add_button (self, gtk_button_new (), _ ("Step"), "win.sandbox-step", _ ("One time step"));
  self->slow =
      add_button (self, gtk_toggle_button_new (), _ ("Slow"), "win.sandbox-slow", _ ("A quarter of the speed"));
  self->method = gtk_menu_button_new ();
  gtk_widget_add_css_class (self->method, "flat");
  fill_method_menu (self);
  gtk_box_append (GTK_BOX (self), self->method);
  self->rate = gtk_label_new ("");
  gtk_label_set_width_chars (GTK_LABEL (self->rate), 6);
  gtk_widget_add_css_class (self->rate, "dim-label");
  gtk_widget_add_css_class (self->rate, "caption");
  gtk_widget_add_css_class (self->rate, "numeric");
  gtk_widget_set_tooltip_text (self->rate, _ ("Frames drawn a second"));
  gtk_box_append (GTK_BOX (self), self->rate);
  self->keep = add_button (self, gtk_button_new (), _ ("Keep as Run"), "win.sandbox-keep",
                           _ ("Store what happened so far as a run of the project"));
  self->improve = add_button (self, gtk_button_new (), _ ("Improve"), "win.sandbox-improve",
                              _ ("Plan from the motion that was played by hand: as cheap as it can be made"));
}
