/* ui/parts/ssui-race-panel.c: see the header. */
#include "ui/parts/ssui-race-panel.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define SPAN_WIDTH  56 /* px */
#define SPAN_HEIGHT 8  /* px */
#define TELL        5  /* how often the time of a race that goes on is told [1/s] */

/* ---- when a member ran: a part of the race's time ---------------------------------------------------------------- */

#define SSUI_TYPE_RACE_SPAN (ssui_race_span_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRaceSpan, ssui_race_span, SSUI, RACE_SPAN, GtkWidget)

struct _SsuiRaceSpan {
  GtkWidget parent_instance;
  double from, to; /* of the whole; NaN: not yet */
};

G_DEFINE_FINAL_TYPE (SsuiRaceSpan, ssui_race_span, GTK_TYPE_WIDGET)

static void
ssui_race_span_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const SsuiRaceSpan *self = SSUI_RACE_SPAN (widget);
  const float w = (float)gtk_widget_get_width (widget), h = (float)gtk_widget_get_height (widget);
  GdkRGBA colour, pale;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  pale = colour;
  pale.alpha *= 0.18F;
  gtk_snapshot_append_color (snapshot, &pale, &GRAPHENE_RECT_INIT (0, h / 2 - 2, w, 4));
  if (isfinite (self->from) && isfinite (self->to))
    gtk_snapshot_append_color (snapshot, &colour,
                               &GRAPHENE_RECT_INIT ((float)self->from * w, h / 2 - SPAN_HEIGHT / 2.0F,
                                                    MAX ((float)(self->to - self->from) * w, 3), SPAN_HEIGHT));
}

static void
ssui_race_span_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  (void)widget;
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? SPAN_WIDTH : SPAN_HEIGHT;
}

static void
ssui_race_span_class_init (SsuiRaceSpanClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = ssui_race_span_snapshot;
  GTK_WIDGET_CLASS (class)->measure = ssui_race_span_measure;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ssui_race_span_init (SsuiRaceSpan *self)
{
  self->from = self->to = NAN;
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self), "race-span");
}

/* ---- the panel --------------------------------------------------------------------------------------------------- */

enum {
  COLUMN_NUMBER,
  COLUMN_NAME,
  COLUMN_WHEN,
  COLUMN_TIME,
  COLUMN_STATE,
  COLUMN_OBJECTIVE,
  COLUMN_REPLAY,
  COLUMN_HELD,
  N_COLUMNS
};

typedef struct {
  char *said; /* all that the line says, owned; NULL: nothing yet */
  GtkWidget *row, *name, *span, *time, *chip, *objective, *replay, *held, *marks, *stop, *reason;
} Line;

struct _SsuiRacePanel {
  GtkWidget parent_instance;
  GtkWidget *elapsed, *account, *tries, *list;
  GtkSizeGroup *columns[N_COLUMNS + 1]; /* the last one: of the stop button */
  GArray *lines;                        /* of Line */
  char *shown;                          /* names of the members that have lines */
  char *run;                            /* id of the run on show; nullable */
};

G_DEFINE_FINAL_TYPE (SsuiRacePanel, ssui_race_panel, GTK_TYPE_WIDGET)

static const char *const titles[N_COLUMNS] = {"",          N_ ("Member"),     N_ ("When"), N_ ("Time"), N_ ("Outcome"),
                                              N_ ("Cost"), N_ ("At a Tenth"), N_ ("Held")};
static const char *const tips[N_COLUMNS] = {
    [COLUMN_REPLAY] = N_ ("How far from the goal the replay of the answer at a tenth of its step ends"),
    [COLUMN_HELD] = N_ ("How far from the goal that replay ends when LQR holds it on the answer")};

/* A label of a column; numbers to the right. */
static GtkWidget *
add_label (SsuiRacePanel *self, GtkWidget *box, int column, const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  const gboolean is_number = column == COLUMN_TIME || column >= COLUMN_OBJECTIVE;

  gtk_label_set_xalign (GTK_LABEL (label), is_number ? 1 : 0);
  if (is_number)
    gtk_widget_add_css_class (label, "numeric");
  if (column == COLUMN_NAME) {
    gtk_widget_set_hexpand (label, TRUE);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    gtk_label_set_width_chars (GTK_LABEL (label), 8);
  }
  gtk_size_group_add_widget (self->columns[column], label);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static GtkWidget *
make_header (SsuiRacePanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *end = gtk_label_new ("");

  gtk_widget_add_css_class (box, "race-header");
  for (int c = 0; c < N_COLUMNS; c++) {
    GtkWidget *label = add_label (self, box, c, ssui_translate (titles[c]));
    gtk_widget_add_css_class (label, "dim-label");
    gtk_widget_set_tooltip_text (label, ssui_translate (tips[c]));
  }
  gtk_size_group_add_widget (self->columns[N_COLUMNS], end);
  gtk_box_append (GTK_BOX (box), end);
  return box;
}

static void
on_stop (GtkButton *button, SsuiRacePanel *self)
{
  const char *member = g_object_get_data (G_OBJECT (button), "member");

  if (self->run != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.stop-member", "(ss)", self->run, member);
}

static GtkWidget *
make_stop (SsuiRacePanel *self, const SsappMember *member)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("media-playback-stop-symbolic");
  g_autofree char *label = g_strdup_printf (_ ("Stop %s"), member->own.label);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "race-stop");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _ ("Stop this member; the others go on"));
  ssui_set_label (button, label);
  g_object_set_data_full (G_OBJECT (button), "member", g_strdup (member->own.name), g_free);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_stop), self, 0);
  return button;
}

static void
add_line (SsuiRacePanel *self, guint number, const SsappMember *member)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *both = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *stop_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_autofree char *text = g_strdup_printf ("%u", number);
  Line line = {.row = gtk_list_box_row_new ()};

  gtk_widget_add_css_class (add_label (self, box, COLUMN_NUMBER, text), "race-number");
  line.name = add_label (self, box, COLUMN_NAME, member->own.label);
  line.span = g_object_new (SSUI_TYPE_RACE_SPAN, NULL);
  gtk_size_group_add_widget (self->columns[COLUMN_WHEN], line.span);
  gtk_box_append (GTK_BOX (box), line.span);
  line.time = add_label (self, box, COLUMN_TIME, "");
  line.chip = ssui_chip_new ();
  GtkWidget *chip_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append (GTK_BOX (chip_box), line.chip);
  gtk_size_group_add_widget (self->columns[COLUMN_STATE], chip_box);
  gtk_box_append (GTK_BOX (box), chip_box);
  line.objective = add_label (self, box, COLUMN_OBJECTIVE, "");
  line.replay = add_label (self, box, COLUMN_REPLAY, "");
  line.held = add_label (self, box, COLUMN_HELD, "");
  line.stop = make_stop (self, member);
  gtk_box_append (GTK_BOX (stop_box), line.stop);
  gtk_size_group_add_widget (self->columns[N_COLUMNS], stop_box);
  gtk_box_append (GTK_BOX (box), stop_box);
  line.marks = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (line.marks), 0);
  gtk_widget_add_css_class (line.marks, "race-marks");
  line.reason = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (line.reason), 0);
  gtk_label_set_wrap (GTK_LABEL (line.reason), TRUE);
  gtk_widget_add_css_class (line.reason, "race-reason");
  gtk_widget_add_css_class (line.reason, "dim-label");
  gtk_box_append (GTK_BOX (both), box);
  gtk_box_append (GTK_BOX (both), line.marks);
  gtk_box_append (GTK_BOX (both), line.reason);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (line.row), both);
  gtk_list_box_append (GTK_LIST_BOX (self->list), line.row);
  g_array_append_val (self->lines, line);
}

static const char *
outcome_of (const SsappMember *member)
{
  static const char *const names[SS_MEMBER_STATES] = {
      [SS_MEMBER_WAITING] = "waiting",           [SS_MEMBER_RUNNING] = "running",    [SS_MEMBER_SOLVED] = "solved",
      [SS_MEMBER_NOT_HONEST] = "not_replayable", [SS_MEMBER_GAVE_UP] = "infeasible", [SS_MEMBER_STOPPED] = "cancelled"};

  return names[member->own.state];
}

/* Nothing is set that is so already: labels are laid out anew when they are. */
static void
set_text (GtkWidget *label, const char *text)
{
  if (strcmp (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
}

static void
set_class (GtkWidget *widget, const char *class, gboolean has_it)
{
  if (has_it)
    gtk_widget_add_css_class (widget, class);
  else
    gtk_widget_remove_css_class (widget, class);
}

static void
clear_line (gpointer data)
{
  g_free (((Line *)data)->said);
}

static void
update_line (SsuiRacePanel *self, Line *line, const SsappMember *member, double length)
{
  SsuiRaceSpan *span = SSUI_RACE_SPAN (line->span);
  const double until = isfinite (member->own.ended) ? member->own.ended : length;
  g_autofree char *time = isfinite (member->own.began) ? ssui_seconds (until - member->own.began) : g_strdup ("–");
  g_autofree char *objective = ssui_number (member->own.objective), *replay = ssui_distance (member->own.tenth),
                  *held = ssui_distance (member->own.held), *marks = ssapp_member_dup_marks (member),
                  *label = ssapp_member_describe (member),
                  *tip = member->run != NULL ? g_strdup_printf (_ ("%s. Click to see this answer"), member->own.summary)
                                             : g_strdup (member->own.summary);
  g_autofree char *said = g_strdup_printf ("%s\n%s\n%d\n%s\n%g\n%s", label, time, member->own.is_best,
                                           member->run != NULL ? member->run : "", length, marks != NULL ? marks : "");

  /* labels, names and styles cost layout and messages to who reads the screen */
  if (g_strcmp0 (said, line->said) == 0)
    return;
  g_free (line->said);
  line->said = g_steal_pointer (&said);
  const gboolean is_bold = member->own.is_best && member->own.state == SS_MEMBER_SOLVED;

  span->from = member->own.began / length;
  span->to = until / length;
  set_class (line->span, "pale", member->own.state != SS_MEMBER_SOLVED && member->own.state != SS_MEMBER_RUNNING);
  gtk_widget_queue_draw (line->span);
  set_text (line->time, time);
  set_text (line->objective, objective);
  set_text (line->replay, replay);
  set_text (line->held, held);
  set_text (line->marks, marks != NULL ? marks : "");
  gtk_widget_set_visible (line->marks, marks != NULL);
  set_text (line->reason, member->own.reason);
  gtk_widget_set_visible (line->reason, member->own.reason[0] != '\0');
  ssui_chip_set (line->chip, outcome_of (member), ssapp_member_state_words (member));
  gtk_widget_set_visible (line->stop, member->own.state == SS_MEMBER_RUNNING || member->own.state == SS_MEMBER_WAITING);
  set_class (line->name, "heading", is_bold);
  set_class (line->objective, "heading", is_bold);
  set_class (line->row, "race-shown", member->run != NULL && g_strcmp0 (member->run, self->run) == 0);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (line->row), member->run != NULL);
  g_object_set_data_full (G_OBJECT (line->row), "run", g_strdup (member->run), g_free);
  gtk_widget_set_tooltip_text (line->row, tip);
  ssui_set_label (line->row, label);
}

/* Other members: other lines. */
static void
make_lines (SsuiRacePanel *self, const SsappRace *race, const guint *order)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < race->members->len; i++)
    g_string_append_printf (names, "%s\n", g_array_index (race->members, SsappMember, order[i]).own.name);
  if (g_strcmp0 (names->str, self->shown) == 0)
    return;
  g_free (self->shown);
  self->shown = g_strdup (names->str);
  ssui_empty (self->list);
  g_array_set_size (self->lines, 0);
  for (guint i = 0; i < race->members->len; i++)
    add_line (self, order[i] + 1, &g_array_index (race->members, SsappMember, order[i]));
}

/* The race's time so far: what of it has been told, and of a run that goes on its own. */
static double
length_of (const SsappRace *race, SsappRun *run)
{
  double length = ssapp_run_is_running (run) ? floor (ssapp_run_get_elapsed (run) * TELL) / TELL : 0;

  for (guint i = 0; i < race->members->len; i++)
    length = fmax (length, g_array_index (race->members, SsappMember, i).own.ended);
  return length > 0 ? length : 1;
}

void
ssui_race_panel_show (SsuiRacePanel *self, SsappRun *run)
{
  g_return_if_fail (SSUI_IS_RACE_PANEL (self));

  const SsappRace *race = run != NULL ? ssapp_run_get_race (run) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), race != NULL);
  if (race == NULL)
    return;
  g_free (self->run);
  self->run = g_strdup (ssapp_run_get_id (run));
  g_autofree guint *order = ssapp_race_rank (race);
  make_lines (self, race, order);
  const double length = length_of (race, run);
  guint n_working = 0;
  for (guint i = 0; i < race->members->len; i++) {
    const SsappMember *member = &g_array_index (race->members, SsappMember, order[i]);
    update_line (self, &g_array_index (self->lines, Line, i), member, length);
    n_working += member->own.state == SS_MEMBER_RUNNING ? 1 : 0;
  }
  g_autofree char *seconds = ssui_seconds (length), *working = NULL,
                  *account = g_strdup_printf ("%c%s.", g_ascii_toupper (race->account[0]),
                                              race->account[0] != '\0' ? race->account + 1 : "");
  working = n_working > 0 ? g_strdup_printf (_ ("%s, %u at work"), seconds, n_working)
                          : g_strdup_printf (_ ("%s; answers are kept as runs"), seconds);
  set_text (self->elapsed, working);
  set_text (self->account, account);
  const char *tries = ssapp_run_get_tries_account (run);
  g_autofree char *sentence = tries != NULL ? g_strdup_printf ("%s.", tries) : NULL;
  set_text (self->tries, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->tries, sentence != NULL);
}

static void
on_row_activated (SsuiRacePanel *self, GtkListBoxRow *row)
{
  const char *run = g_object_get_data (G_OBJECT (row), "run");

  if (run != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.open-run", "s", run);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_race_panel_dispose (GObject *object)
{
  SsuiRacePanel *self = SSUI_RACE_PANEL (object);

  ssui_unparent_children (GTK_WIDGET (object));
  for (int c = 0; c <= N_COLUMNS; c++)
    g_clear_object (&self->columns[c]);
  g_clear_pointer (&self->lines, g_array_unref);
  g_clear_pointer (&self->shown, g_free);
  g_clear_pointer (&self->run, g_free);
  G_OBJECT_CLASS (ssui_race_panel_parent_class)->dispose (object);
}

static void
ssui_race_panel_class_init (SsuiRacePanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_race_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static GtkWidget *
make_title (SsuiRacePanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *title = gtk_label_new (_ ("Members"));

  gtk_widget_add_css_class (box, "card-title");
  gtk_widget_add_css_class (title, "heading");
  self->elapsed = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->elapsed), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->elapsed), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->elapsed, TRUE);
  gtk_widget_add_css_class (self->elapsed, "dim-label");
  gtk_widget_add_css_class (self->elapsed, "caption");
  gtk_widget_add_css_class (self->elapsed, "numeric");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), self->elapsed);
  return box;
}

static void
ssui_race_panel_init (SsuiRacePanel *self)
{
  GtkWidget *widget = GTK_WIDGET (self), *scroller = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (widget)), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (widget, "card");
  gtk_widget_add_css_class (widget, "plain-card");
  gtk_widget_set_visible (widget, FALSE);
  self->lines = g_array_new (FALSE, TRUE, sizeof (Line));
  g_array_set_clear_func (self->lines, clear_line);
  for (int c = 0; c <= N_COLUMNS; c++)
    self->columns[c] = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  gtk_widget_set_parent (make_title (self), widget);
  self->account = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->account), 0);
  gtk_label_set_wrap (GTK_LABEL (self->account), TRUE);
  gtk_widget_add_css_class (self->account, "race-account");
  gtk_widget_set_parent (self->account, widget);
  self->tries = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->tries), 0);
  gtk_label_set_wrap (GTK_LABEL (self->tries), TRUE);
  gtk_widget_set_visible (self->tries, FALSE);
  gtk_widget_add_css_class (self->tries, "race-account");
  gtk_widget_add_css_class (self->tries, "dim-label");
  gtk_widget_set_parent (self->tries, widget);
  gtk_widget_set_parent (make_header (self), widget);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "race-list");
  ssui_set_label (self->list, _ ("Members of the race"));
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (on_row_activated), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_parent (scroller, widget);
}
