/* ui/parts/ssui-field-row.c: see the header. */
#include "ui/parts/ssui-field-row.h"

#include "app/base/ssapp-text.h"
#include "app/document/ssapp-document-law.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

struct _SsuiFieldRow {
  GtkListBoxRow parent_instance;
  GtkWidget *title, *source, *entry, *unit, *problem;
  SsappDocument *document;
  char *path, *unit_text, *fallback;
  char *shown; /* the document's text when it was last read: what differs was typed */
  gboolean is_committing, has_problem, is_optional, is_text, has_cursor;
  SsuiTextKind text_kind;       /* of a text */
  char *scrub_from;             /* the number before the running scrub; NULL: none runs */
  double scrub_steps, scrub_dx; /* moved so far; of the pointer [px] when they were counted */
  guint scrub_step;             /* the document's when the scrub began */
  GtkEventController *drag;     /* of the title                        */
  GtkWidget *slider;            /* NULL: none */
  SsappRange range;             /* of the slider */
  gboolean is_showing;          /* the slider is set by the document */
  gboolean is_down, is_off;     /* the button is on the slider; Escape was pressed meanwhile */
};

G_DEFINE_FINAL_TYPE (SsuiFieldRow, ssui_field_row, GTK_TYPE_LIST_BOX_ROW)

/* The last part of the path: the material's name. */
static const char *
name_in_path (SsuiFieldRow *self)
{
  const char *dot = strrchr (self->path, '.');
  return dot != NULL ? dot + 1 : self->path;
}

/* What a bare number in the entry means for the document. */
static const char *
bare_unit (SsuiFieldRow *self)
{
  return strcmp (self->unit_text, "deg") == 0 ? "deg" : "";
}

static char *
current_text (SsuiFieldRow *self)
{
  char *text = !self->is_text || self->text_kind == SSUI_TEXT_PLAIN
                   ? ssapp_document_get_field (self->document, self->path, bare_unit (self))
               : self->text_kind == SSUI_TEXT_BODY_NAME ? g_strdup (ssapp_document_get_selected (self->document))
                                                        : g_strdup (name_in_path (self));
  return text != NULL ? text : g_strdup ("");
}

static void
show_problem (SsuiFieldRow *self, const char *message)
{
  self->has_problem = message != NULL;
  gtk_label_set_text (GTK_LABEL (self->problem), message != NULL ? message : "");
  gtk_widget_set_visible (self->problem, message != NULL);
  if (message != NULL)
    gtk_widget_add_css_class (self->entry, "error");
  else
    gtk_widget_remove_css_class (self->entry, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
                               message != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  ssui_set_description (self->entry, message != NULL ? message : "");
}

/* What the field is while the file does not say it. */
static void
show_fallback (SsuiFieldRow *self)
{
  g_autofree char *derived = self->is_text ? NULL : ssapp_document_get_derived (self->document, self->path);
  const char *source = self->is_text ? NULL : ssapp_document_name_source (self->document, self->path);

  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), derived != NULL ? derived : self->fallback);
  gtk_label_set_text (GTK_LABEL (self->source), source != NULL ? source : "");
  gtk_widget_set_visible (self->source, source != NULL);
  if (source != NULL) { /* room for both words */
    gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 6);
    gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 6);
  }
}

static void
read_current (SsuiFieldRow *self)
{
  g_free (self->shown);
  self->shown = current_text (self);
}

/* A number that has no room is rounded until somebody comes to edit it; nothing is cut off. */
static char *
text_that_fits (SsuiFieldRow *self)
{
  const int room = gtk_editable_get_width_chars (GTK_EDITABLE (self->entry));

  return self->is_text || room <= 0 ? g_strdup (self->shown) : ssapp_text_number_within (self->shown, (guint)room);
}

static void
show_text (SsuiFieldRow *self)
{
  g_autofree char *short_text = text_that_fits (self);
  const char *text = self->has_cursor ? self->shown : short_text;

  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (self->entry)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  ssui_set_tip (self->entry, strcmp (short_text, self->shown) != 0 ? self->shown : NULL);
}

/* What a scrub and the arrow keys move: the number, or the one that stands for it; NULL for formulas and texts. */
static char *
number_to_move (SsuiFieldRow *self)
{
  const char *text = *self->shown != '\0' ? self->shown : gtk_entry_get_placeholder_text (GTK_ENTRY (self->entry));
  g_auto (GStrv) parts = !self->is_text && text != NULL ? g_strsplit (text, "−", -1) : NULL;
  g_autofree char *plain = parts != NULL ? g_strjoinv ("-", parts) : NULL,
                  *moved = plain != NULL ? ssapp_text_number_moved (plain, 0, FALSE) : NULL;

  return moved != NULL ? g_steal_pointer (&plain) : NULL;
}

/* The title tells whether it can be dragged. */
static void
show_scrub (SsuiFieldRow *self)
{
  g_autofree char *number = number_to_move (self), *tip = NULL;
  const char *title = gtk_label_get_text (GTK_LABEL (self->title));

  if (number != NULL)
    tip = g_strdup_printf (_ ("%s: drag to change it, with Shift finely, with Ctrl to round numbers"), title);
  ssui_set_tip (self->title, tip != NULL ? tip : title);
  gtk_widget_set_cursor_from_name (self->title, number != NULL ? "ew-resize" : NULL);
  gtk_widget_set_halign (self->title, number != NULL ? GTK_ALIGN_START : GTK_ALIGN_FILL);
  if (number != NULL)
    gtk_widget_add_css_class (self->title, "scrub");
  else
    gtk_widget_remove_css_class (self->title, "scrub");
}

static void
show_slider (SsuiFieldRow *self)
{
  g_autofree char *number = self->slider != NULL ? number_to_move (self) : NULL, *tip = NULL;
  GtkAdjustment *at = self->slider != NULL ? gtk_range_get_adjustment (GTK_RANGE (self->slider)) : NULL;

  if (at == NULL)
    return;
  const gboolean has_range = number != NULL && ssapp_document_get_range (self->document, self->path, &self->range);
  gtk_widget_set_visible (self->slider, has_range); /* none for a formula */
  if (!has_range)
    return;
  tip = g_strdup_printf ("%.4g to %.4g", self->range.low, self->range.high);
  ssui_set_tip (self->slider, tip);
  self->is_showing = TRUE;
  gtk_adjustment_configure (at, g_ascii_strtod (number, NULL), self->range.low, self->range.high, self->range.step,
                            10 * self->range.step, 0);
  self->is_showing = FALSE;
}

static void
show_current (SsuiFieldRow *self)
{
  gboolean is_formula = !self->is_text && ssapp_document_field_is_formula (self->document, self->path);

  read_current (self);
  /* A formula of an angle is in radians, whatever the row shows for numbers. */
  gtk_label_set_text (GTK_LABEL (self->unit),
                      is_formula && strcmp (self->unit_text, "deg") == 0 ? "rad" : self->unit_text);
  show_fallback (self);
  show_text (self);
  show_problem (self, NULL);
  show_scrub (self);
  show_slider (self);
}

/* Somebody types over what the document still says. */
static gboolean
is_being_typed (SsuiFieldRow *self)
{
  g_autofree char *now = current_text (self);

  return self->has_cursor && strcmp (now, self->shown) == 0 &&
         strcmp (gtk_editable_get_text (GTK_EDITABLE (self->entry)), self->shown) != 0;
}

void
ssui_field_row_refresh (SsuiFieldRow *self)
{
  if (self->is_committing)
    return;
  if (is_being_typed (self)) {
    show_fallback (self);
    show_scrub (self);
    show_slider (self);
    return;
  }
  if (self->has_problem) /* what was typed stays */
    read_current (self);
  else
    show_current (self);
}

static gboolean
is_blank (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return *text == '\0';
}

static gboolean
take_over (SsuiFieldRow *self, const char *text, GError **error)
{
  if (self->is_optional && is_blank (text))
    return ssapp_document_clear_field (self->document, self->path, error);
  if (!self->is_text && !ssapp_check_unit (text, self->unit_text, error))
    return FALSE;
  if (!self->is_text)
    return ssapp_document_set_field (self->document, self->path, text, bare_unit (self), error);
  switch (self->text_kind) {
  case SSUI_TEXT_BODY_NAME:
    return ssapp_document_rename (self->document, self->shown, text, error); /* another one may be selected by now */
  case SSUI_TEXT_MATERIAL_NAME:
    return ssapp_document_rename_material (self->document, name_in_path (self), text, error);
  case SSUI_TEXT_PLAIN:
  default:
    return ssapp_document_set_text (self->document, self->path, text, error);
  }
}

/* "line 20: scene.bodies[1].mass: ..." without the place, which is this row. */
static const char *
without_place (SsuiFieldRow *self, const char *message)
{
  g_autofree char *place = g_strconcat (self->path, ": ", NULL), *end = g_strdup_printf (".%s: ", name_in_path (self));
  const char *at = strstr (message, place), *at_end = strstr (message, end);

  return at != NULL ? at + strlen (place) : at_end != NULL ? at_end + strlen (end) : message;
}

/* Whether the document changed behind the row, which is about to go: then its path may mean something else. */
static gboolean
is_stale (SsuiFieldRow *self)
{
  g_autofree char *now = current_text (self);
  gboolean is_name = self->is_text && self->text_kind != SSUI_TEXT_PLAIN;

  return !is_name && strcmp (now, self->shown) != 0;
}

static void
commit (SsuiFieldRow *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  g_autoptr (GError) error = NULL;
  G_GNUC_UNUSED g_autoptr (SsuiFieldRow) hold = g_object_ref (self); /* a rename rebuilds the inspector */
  g_autofree char *fitted = text_that_fits (self);
  gboolean done;

  if (self->is_committing)
    return;
  if (strcmp (self->shown, text) == 0 || strcmp (fitted, text) == 0) {
    show_problem (self, NULL);
    return;
  }
  if (is_stale (self))
    return;
  self->is_committing = TRUE;
  done = take_over (self, text, &error);
  self->is_committing = FALSE;
  if (hold->document == NULL)
    return;
  if (done)
    show_current (self);
  else
    show_problem (self, without_place (self, error->message));
}

/* ---- title or slider are dragged, the number follows, in one step of undo ---------------------------------------- */

/* FALSE if the reader refuses the number; then the one before stays. */
static gboolean
set_number (SsuiFieldRow *self, const char *text)
{
  G_GNUC_UNUSED g_autoptr (SsuiFieldRow) hold = g_object_ref (self); /* the edit may rebuild the inspector */
  gboolean done;

  self->is_committing = TRUE;
  done = strcmp (text, self->shown) == 0 || take_over (self, text, NULL);
  self->is_committing = FALSE;
  if (done && self->document != NULL)
    show_current (self);
  return done;
}

static gboolean
move_from (SsuiFieldRow *self, const char *from, double n_steps, gboolean is_round)
{
  g_autofree char *text = ssapp_text_number_moved (from, n_steps, is_round);

  g_return_val_if_fail (text != NULL, FALSE);
  return set_number (self, text);
}

static void
end_scrub (SsuiFieldRow *self, gboolean keeps)
{
  gboolean is_ours = self->scrub_from != NULL && self->scrub_step == ssapp_document_get_step (self->document);

  g_clear_pointer (&self->scrub_from, g_free); /* first: the end announces a change */
  if (is_ours && keeps)
    ssapp_document_end_gesture (self->document);
  else if (is_ours)
    ssapp_document_cancel_gesture (self->document);
}

/* What was typed is set first. FALSE: there is no number to move. */
static gboolean
start_scrub (SsuiFieldRow *self)
{
  g_autofree char *label = NULL, *name = ssapp_path_name (self->path), *number = NULL;
  G_GNUC_UNUSED g_autoptr (SsuiFieldRow) hold = g_object_ref (self);

  gtk_widget_grab_focus (self->entry); /* what was typed elsewhere is set; Escape comes here, from the slider too */
  if (self->document != NULL && !self->has_problem)
    commit (self);
  number = self->document != NULL && !self->has_problem ? number_to_move (self) : NULL;
  if (number == NULL)
    return FALSE;
  label = g_strdup_printf (_ ("Set %s"), name);
  ssapp_document_begin_gesture (self->document, label);
  self->scrub_step = ssapp_document_get_step (self->document);
  self->scrub_from = g_steal_pointer (&number);
  self->scrub_steps = self->scrub_dx = 0;
  return TRUE;
}

static void
on_scrub (GtkGestureDrag *drag, double dx, double dy, SsuiFieldRow *self)
{
  const double px_per_step = 4, fine = 0.1; /* fine: of a step */
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag));
  const gboolean is_fine = (state & GDK_SHIFT_MASK) != 0;

  (void)dy;
  if (self->scrub_from == NULL && fabs (dx) >= px_per_step)
    gtk_gesture_set_state (GTK_GESTURE (drag),
                           start_scrub (self) ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
  if (self->scrub_from == NULL)
    return;
  if (self->scrub_step != ssapp_document_get_step (self->document)) { /* another edit has come */
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  self->scrub_steps += (dx - self->scrub_dx) / px_per_step * (is_fine ? fine : 1);
  self->scrub_dx = dx;
  move_from (self, self->scrub_from, is_fine ? round (self->scrub_steps / fine) * fine : round (self->scrub_steps),
             (state & GDK_CONTROL_MASK) != 0);
}

/* A click on the title goes to the number. */
static void
on_scrub_end (GtkGestureDrag *drag, double dx, double dy, SsuiFieldRow *self)
{
  (void)drag;
  (void)dx;
  (void)dy;
  if (self->scrub_from == NULL && self->document != NULL)
    gtk_widget_grab_focus (self->entry);
  end_scrub (self, TRUE);
}

/* By key it is a step of undo each. */
static void
on_slide (GtkAdjustment *at, SsuiFieldRow *self)
{
  g_autofree char *text = NULL;

  if (self->is_showing || self->is_off || self->document == NULL)
    return;
  if (self->is_down && self->scrub_from == NULL && !start_scrub (self))
    return;
  if (self->is_down && self->scrub_step != ssapp_document_get_step (self->document))
    return; /* another edit has come */
  text = ssapp_text_number_on (gtk_adjustment_get_value (at), self->range.low, self->range.high, self->range.step);
  set_number (self, text);
}

static gboolean
on_slider_event (GtkEventControllerLegacy *controller, GdkEvent *event, SsuiFieldRow *self)
{
  const GdkEventType type = gdk_event_get_event_type (event);

  (void)controller;
  if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN) {
    self->is_down = TRUE;
    self->is_off = FALSE;
  } else if (type == GDK_BUTTON_RELEASE || type == GDK_TOUCH_END || type == GDK_TOUCH_CANCEL) {
    G_GNUC_UNUSED g_autoptr (SsuiFieldRow) hold = g_object_ref (self);
    self->is_down = self->is_off = FALSE;
    end_scrub (self, TRUE);
    if (self->document != NULL && !self->has_problem)
      show_current (self);
  }
  return FALSE;
}

/* The wheel is for what the slider scrolls with. */
static void
leave_wheel (GtkWidget *slider)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (slider);

  for (guint i = g_list_model_get_n_items (controllers); i > 0; i--) {
    g_autoptr (GtkEventController) one = g_list_model_get_item (controllers, i - 1);
    if (GTK_IS_EVENT_CONTROLLER_SCROLL (one))
      gtk_widget_remove_controller (slider, one);
  }
}

void
ssui_field_row_add_slider (SsuiFieldRow *self)
{
  g_return_if_fail (SSUI_IS_FIELD_ROW (self) && self->slider == NULL);
  g_autofree char *label = g_strdup_printf ("%s, slider", gtk_label_get_text (GTK_LABEL (self->title)));
  GtkEventController *events = gtk_event_controller_legacy_new ();
  GtkWidget *line = gtk_widget_get_parent (self->entry);

  self->slider = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, NULL);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_widget_add_css_class (self->slider, "field-slider");
  ssui_set_label (self->slider, label);
  leave_wheel (self->slider);
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect (events, "event", G_CALLBACK (on_slider_event), self);
  gtk_widget_add_controller (self->slider, events);
  gtk_box_insert_child_after (GTK_BOX (gtk_widget_get_parent (line)), self->slider, line);
  show_slider (self);
  g_signal_connect_object (gtk_range_get_adjustment (GTK_RANGE (self->slider)), "value-changed", G_CALLBACK (on_slide),
                           self, 0);
}

/* An arrow key: a step, or where only whole numbers are taken, one of those. */
static gboolean
step_by_key (SsuiFieldRow *self, int direction, GdkModifierType state)
{
  const double n_steps = direction * (state & GDK_SHIFT_MASK ? 0.1 : state & GDK_CONTROL_MASK ? 10 : 1);
  G_GNUC_UNUSED g_autoptr (SsuiFieldRow) hold = g_object_ref (self);
  g_autofree char *number = NULL;

  commit (self);
  number = self->document != NULL && !self->has_problem ? number_to_move (self) : NULL;
  if (number == NULL)
    return FALSE;
  if (!move_from (self, number, n_steps, (state & GDK_CONTROL_MASK) != 0))
    move_from (self, number, 10 * direction, FALSE);
  return TRUE;
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiFieldRow *self)
{
  G_GNUC_UNUSED g_autoptr (SsuiFieldRow) hold = NULL;

  (void)controller;
  (void)code;
  if (key == GDK_KEY_Up || key == GDK_KEY_Down)
    return self->scrub_from == NULL && step_by_key (self, key == GDK_KEY_Up ? 1 : -1, state);
  if (key != GDK_KEY_Escape)
    return FALSE;
  hold = g_object_ref (self);
  self->is_off = self->is_down;
  end_scrub (self, FALSE);
  gtk_event_controller_reset (self->drag); /* the button is still down */
  if (self->document == NULL)
    return TRUE;
  show_current (self);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
  return TRUE;
}

void
ssui_field_row_set_optional (SsuiFieldRow *self, gboolean is_optional)
{
  self->is_optional = is_optional;
}

void
ssui_field_row_set_formula (SsuiFieldRow *self)
{
  const int least = 12, most = 40, short_title = 5; /* characters */
  GtkWidget *box = gtk_widget_get_parent (self->entry);

  gtk_widget_set_hexpand (self->title, FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_NONE);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_entry_set_alignment (GTK_ENTRY (self->entry), 0);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), least);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), most);
  gtk_widget_set_visible (self->unit, FALSE);
  if (g_utf8_strlen (gtk_label_get_text (GTK_LABEL (self->title)), -1) <= short_title)
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (box), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (box), 2);
  if (*self->unit_text != '\0') {
    g_autofree char *title = g_strdup_printf ("%s [%s]", gtk_label_get_text (GTK_LABEL (self->title)), self->unit_text);
    gtk_label_set_text (GTK_LABEL (self->title), title);
  }
}

void
ssui_field_row_add_button (SsuiFieldRow *self, const char *icon, const char *tip, const char *action,
                           const char *target)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "group-button");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tip);
  ssui_set_label (button, tip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  ssui_field_row_add_end (self, button);
}

void
ssui_field_row_add_end (SsuiFieldRow *self, GtkWidget *widget)
{
  g_return_if_fail (SSUI_IS_FIELD_ROW (self) && GTK_IS_WIDGET (widget));
  gtk_widget_set_visible (self->unit, *self->unit_text != '\0');
  gtk_box_append (GTK_BOX (gtk_widget_get_parent (self->entry)), widget);
}

void
ssui_field_row_focus (SsuiFieldRow *self)
{
  gtk_widget_grab_focus (self->entry);
}

gboolean
ssui_field_row_has_focus (SsuiFieldRow *self)
{
  GtkRoot *root = gtk_widget_get_root (self->entry);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, self->entry);
}

const char *
ssui_field_row_get_path (SsuiFieldRow *self)
{
  return self->path;
}

static void
ssui_field_row_dispose (GObject *object)
{
  SsuiFieldRow *self = SSUI_FIELD_ROW (object);

  end_scrub (self, TRUE); /* the row goes while the pointer is down */
  g_clear_object (&self->document);
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_FIELD_ROW);
  G_OBJECT_CLASS (ssui_field_row_parent_class)->dispose (object);
}

static void
ssui_field_row_finalize (GObject *object)
{
  SsuiFieldRow *self = SSUI_FIELD_ROW (object);

  g_free (self->path);
  g_free (self->unit_text);
  g_free (self->fallback);
  g_free (self->shown);
  g_free (self->scrub_from);
  G_OBJECT_CLASS (ssui_field_row_parent_class)->finalize (object);
}

static void
ssui_field_row_class_init (SsuiFieldRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_field_row_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_field_row_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-field-row.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiFieldRow, title);
  gtk_widget_class_bind_template_child (widget_class, SsuiFieldRow, source);
  gtk_widget_class_bind_template_child (widget_class, SsuiFieldRow, entry);
  gtk_widget_class_bind_template_child (widget_class, SsuiFieldRow, unit);
  gtk_widget_class_bind_template_child (widget_class, SsuiFieldRow, problem);
}

static void
on_activate (SsuiFieldRow *self)
{
  if (self->document != NULL)
    commit (self);
}

static void
on_enter (SsuiFieldRow *self)
{
  self->has_cursor = TRUE;
  if (!self->has_problem)
    show_text (self);
}

static void
on_leave (SsuiFieldRow *self)
{
  G_GNUC_UNUSED g_autoptr (SsuiFieldRow) hold = g_object_ref (self);

  self->has_cursor = FALSE;
  on_activate (self);
  if (hold->document != NULL && !self->has_problem && !self->is_committing)
    show_text (self);
}

static void
ssui_field_row_init (SsuiFieldRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new (), *key = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (on_enter), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (self->entry, focus);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->entry, key);
  self->drag = GTK_EVENT_CONTROLLER (gtk_gesture_drag_new ());
  g_signal_connect (self->drag, "drag-update", G_CALLBACK (on_scrub), self);
  g_signal_connect (self->drag, "drag-end", G_CALLBACK (on_scrub_end), self);
  gtk_widget_add_controller (self->title, self->drag);
}

static SsuiFieldRow *
new_row (SsappDocument *document, const char *title, const char *path, const char *unit, const char *fallback)
{
  SsuiFieldRow *self = g_object_new (SSUI_TYPE_FIELD_ROW, NULL);

  self->document = g_object_ref (document);
  self->path = g_strdup (path);
  self->unit_text = g_strdup (unit);
  self->fallback = g_strdup (fallback);
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_widget_set_tooltip_text (self->title, title);
  ssui_set_label (self->entry, title);
  return self;
}

GtkWidget *
ssui_field_row_new (SsappDocument *document, const char *title, const char *path, const char *unit,
                    const char *fallback)
{
  SsuiFieldRow *self = new_row (document, title, path, unit, fallback);

  show_current (self);
  return GTK_WIDGET (self);
}

GtkWidget *
ssui_field_row_new_text (SsappDocument *document, const char *title, SsuiTextKind kind, const char *path)
{
  const int width = 14; /* characters */
  SsuiFieldRow *self = new_row (document, title, path, "", "");

  self->is_text = TRUE;
  self->text_kind = kind;
  gtk_widget_set_visible (self->unit, FALSE);
  gtk_entry_set_alignment (GTK_ENTRY (self->entry), 0);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), width);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), width);
  show_current (self);
  return GTK_WIDGET (self);
}
