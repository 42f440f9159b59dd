/* ui/canvas/ssui-pull-card.c: see the header. */
#include "ui/canvas/ssui-pull-card.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { CARD_WIDTH = 236, TICKS_MOST = 12 };

struct _SsuiPullCard {
  GtkBox parent_instance;
  SsappSession *session; /* borrowed */
  SsuiCanvas *canvas;    /* borrowed, as both below */
  SsuiChannelPlots *plots;
  SsuiPlayer *player;
  SsappPulling *pulling;
  GtkWidget *text, *rate, *list, *hint;
  char *shown;     /* body whose ticks are shown */
  GPtrArray *rows; /* of PullRow */
  gboolean is_filling;
};

typedef struct {
  char *cause;
  GtkWidget *tick, *value; /* borrowed */
} PullRow;

G_DEFINE_FINAL_TYPE (SsuiPullCard, ssui_pull_card, GTK_TYPE_BOX)

static void
pull_row_free (gpointer data)
{
  g_free (((PullRow *)data)->cause);
  g_free (data);
}

/* "Start velocity x" of "ball.vx"; a parameter's name. */
static char *
words_of (const char *cause)
{
  static const struct {
    const char *end, *words;
  } starts[] = {{".vx", N_ ("Start velocity x")}, {".vy", N_ ("Start velocity y")}, {".omega", N_ ("Start turning")},
                {".x", N_ ("Start x")},           {".y", N_ ("Start y")},           {".theta", N_ ("Start angle")}};

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    if (g_str_has_suffix (cause, starts[i].end))
      return g_strdup (_ (starts[i].words));
  return g_strdup (cause);
}

/* ---- what may change --------------------------------------------------------------------------------------------- */

static void
on_toggled (GtkCheckButton *tick, SsuiPullCard *self)
{
  for (guint i = 0; i < self->rows->len && !self->is_filling; i++) {
    const PullRow *row = g_ptr_array_index (self->rows, i);
    if (row->tick != GTK_WIDGET (tick))
      continue;
    for (guint k = 0; k < self->rows->len; k++) { /* what was usual is now said */
      const PullRow *other = g_ptr_array_index (self->rows, k);
      if (gtk_check_button_get_active (GTK_CHECK_BUTTON (other->tick)) !=
              ssapp_pulling_is_ticked (self->pulling, other->cause) ||
          other == row)
        continue;
      if (ssapp_pulling_is_ticked (self->pulling, other->cause))
        ssapp_pulling_tick (self->pulling, other->cause, TRUE);
    }
    ssapp_pulling_tick (self->pulling, row->cause, gtk_check_button_get_active (tick));
  }
}

static void
fill (SsuiPullCard *self, const char *body)
{
  g_autoptr (GPtrArray) causes = ssapp_pulling_list_causes (self->pulling, body);
  GtkWidget *child;

  self->is_filling = TRUE;
  g_free (self->shown);
  self->shown = g_strdup (body);
  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  g_ptr_array_set_size (self->rows, 0);
  for (guint i = 0; body != NULL && i < MIN (causes->len, TICKS_MOST); i++) {
    PullRow *row = g_new0 (PullRow, 1);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    row->cause = g_strdup (g_ptr_array_index (causes, i));
    g_autofree char *words = words_of (row->cause);
    row->tick = gtk_check_button_new_with_label (words);
    row->value = gtk_label_new ("");
    gtk_check_button_set_active (GTK_CHECK_BUTTON (row->tick), ssapp_pulling_is_ticked (self->pulling, row->cause));
    gtk_widget_set_hexpand (row->tick, TRUE);
    gtk_widget_add_css_class (row->value, "numeric");
    gtk_widget_add_css_class (row->value, "dim-label");
    g_signal_connect (row->tick, "toggled", G_CALLBACK (on_toggled), self);
    gtk_box_append (GTK_BOX (box), row->tick);
    gtk_box_append (GTK_BOX (box), row->value);
    gtk_box_append (GTK_BOX (self->list), box);
    g_ptr_array_add (self->rows, row);
  }
  gtk_widget_set_visible (self->hint, body == NULL);
  self->is_filling = FALSE;
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

static void
update (SsuiPullCard *self)
{
  const SsPull *answer = ssapp_pulling_get_answer (self->pulling);
  const gboolean is_on = ssapp_pulling_is_on (self->pulling);
  const double rate = ssapp_pulling_get_rate (self->pulling);
  g_autofree char *text = ssapp_pulling_describe (self->pulling);
  g_autofree char *told = is_on ? g_strdup_printf (_ ("%s · Esc takes it back"), text) : g_strdup (text);
  g_autofree char *often = is_on && isfinite (rate) ? g_strdup_printf (_ ("%.0f a second"), rate) : g_strdup ("");

  gtk_label_set_text (GTK_LABEL (self->text), told);
  gtk_widget_set_visible (self->text, *told != '\0');
  gtk_label_set_text (GTK_LABEL (self->rate), often);
  for (guint i = 0; i < self->rows->len; i++) {
    const PullRow *row = g_ptr_array_index (self->rows, i);
    self->is_filling = TRUE; /* what is usual goes with what is pulled */
    gtk_check_button_set_active (GTK_CHECK_BUTTON (row->tick), ssapp_pulling_is_ticked (self->pulling, row->cause));
    self->is_filling = FALSE;
    g_autofree char *value = g_strdup ("");
    for (int k = 0; answer != NULL && k < answer->n_causes; k++)
      if (strcmp (answer->changes[k].name, row->cause) == 0) {
        g_free (value);
        value = g_strdup_printf ("%.4g (%+.3g)", answer->changes[k].value,
                                 answer->changes[k].value - answer->changes[k].was);
      }
    gtk_label_set_text (GTK_LABEL (row->value), value);
    gtk_widget_set_sensitive (row->tick, !is_on);
  }
}

static void
on_selection (SsuiPullCard *self)
{
  SsappDocument *document = ssapp_session_get_document (self->session);
  const int index = ssapp_document_get_selected_index (document);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  const char *body =
      index >= 0 && scene != NULL && !ss_body_is_immovable (&scene->bodies[index]) ? scene->bodies[index].name : NULL;

  if (!ssapp_pulling_is_on (self->pulling) || g_strcmp0 (body, self->shown) != 0)
    fill (self, body);
  update (self);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
change_pull (GSimpleAction *action, GVariant *state, gpointer data)
{
  SsuiPullCard *self = data;
  const gboolean is_on = g_variant_get_boolean (state);

  g_simple_action_set_state (action, state);
  gtk_widget_set_visible (GTK_WIDGET (self), is_on);
  ssui_canvas_set_pulling (self->canvas, is_on ? self->pulling : NULL);
  ssui_channel_plots_set_pulling (self->plots, is_on ? self->pulling : NULL);
  ssui_player_set_pulling (self->player, is_on ? self->pulling : NULL);
}

void
ssui_pull_card_add_actions (SsuiPullCard *self, GActionMap *map)
{
  g_return_if_fail (SSUI_IS_PULL_CARD (self));
  const GActionEntry entries[] = {{.name = "pull", .state = "false", .change_state = change_pull}};

  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
}

void
ssui_pull_card_attach (SsuiPullCard *self, SsappSession *session, SsuiCanvas *canvas, SsuiChannelPlots *plots,
                       SsuiPlayer *player)
{
  g_return_if_fail (SSUI_IS_PULL_CARD (self) && SSAPP_IS_SESSION (session) && SSUI_IS_CANVAS (canvas));
  SsappDocument *document = ssapp_session_get_document (session);

  self->session = session;
  self->canvas = canvas;
  self->plots = plots;
  self->player = player;
  self->pulling = ssapp_pulling_new (session);
  g_signal_connect_object (self->pulling, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "selection-changed", G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "loaded", G_CALLBACK (on_selection), self, G_CONNECT_SWAPPED);
  on_selection (self);
}

static void
ssui_pull_card_dispose (GObject *object)
{
  SsuiPullCard *self = SSUI_PULL_CARD (object);

  g_clear_object (&self->pulling);
  G_OBJECT_CLASS (ssui_pull_card_parent_class)->dispose (object);
}

static void
ssui_pull_card_finalize (GObject *object)
{
  SsuiPullCard *self = SSUI_PULL_CARD (object);

  g_free (self->shown);
  g_ptr_array_unref (self->rows);
  G_OBJECT_CLASS (ssui_pull_card_parent_class)->finalize (object);
}

static void
ssui_pull_card_class_init (SsuiPullCardClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_pull_card_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_pull_card_finalize;
}

static GtkWidget *
new_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 28);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

static void
ssui_pull_card_init (SsuiPullCard *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *title = new_label (_ ("Pull"), "heading");

  self->rows = g_ptr_array_new_with_free_func (pull_row_free);
  self->text = new_label ("", NULL);
  self->rate = new_label ("", "dim-label");
  self->hint =
      new_label (_ ("Move the clock on and drag a body to where it is to be, or drag a point of a live curve, or the "
                    "mark of an event on the timeline"),
                 "dim-label");
  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 4);
  gtk_widget_set_size_request (GTK_WIDGET (self), CARD_WIDTH, -1);
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_END);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_START);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 14);
  gtk_widget_set_margin_top (GTK_WIDGET (self), 74);
  gtk_widget_add_css_class (GTK_WIDGET (self), "card");
  gtk_widget_add_css_class (GTK_WIDGET (self), "canvas-options");
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->rate);
  gtk_box_append (GTK_BOX (self), head);
  gtk_box_append (GTK_BOX (self), self->text);
  gtk_box_append (GTK_BOX (self), self->hint);
  gtk_box_append (GTK_BOX (self), self->list);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ssui_pull_card_new (void)
{
  return g_object_new (SSUI_TYPE_PULL_CARD, NULL);
}
