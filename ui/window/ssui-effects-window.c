/* ui/window/ssui-effects-window.c: see the header. */
#include "ui/window/ssui-effects-window.h"

#include "app/session/ssapp-effects.h"
#include "app/session/ssapp-reproduce.h"
#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

enum { WIDTH = 680, HEIGHT = 560, MARGIN = 12, BAR_WIDTH = 180, BAR_HEIGHT = 22, NAME_CHARS = 14 };

struct _SsuiEffectsWindow {
  AdwWindow parent_instance;
  SsappEffects *effects;
  SsappJob *job;
  GArray *bars; /* of SsappEffect, as shown; NULL: none yet */
  double t;     /* of the event that is asked for to begin with [s]; NaN: none */
  GtkWidget *asked, *told, *spinner, *stop, *list, *breaks;
  GtkSizeGroup *names, *values;
};

G_DEFINE_FINAL_TYPE (SsuiEffectsWindow, ssui_effects_window, ADW_TYPE_WINDOW)

/* ---- bars -------------------------------------------------------------------------------------------------------- */

static void
draw_bar (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SsuiEffectsWindow *self = data;
  const guint i = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (area), "bar"));
  SsappStyle style;

  if (self->bars == NULL || i >= self->bars->len)
    return;
  ssui_style_init (&style, GTK_WIDGET (area));
  ssapp_effects_draw_bar (cr, &style, &g_array_index (self->bars, SsappEffect, i), width, height);
}

static GtkWidget *
make_label (const char *text, double xalign, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), (float)xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_row (SsuiEffectsWindow *self, guint i)
{
  const SsappEffect *effect = &g_array_index (self->bars, SsappEffect, i);
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN),
            *names = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *bar = gtk_drawing_area_new (),
            *value = make_label (effect->text, 1, NULL);
  g_autofree char *words = g_strdup_printf ("%s, %s: %s", effect->name, effect->of, effect->text);

  gtk_box_append (GTK_BOX (names), make_label (effect->name, 0, NULL));
  gtk_box_append (GTK_BOX (names), make_label (effect->of, 0, "caption"));
  gtk_label_set_width_chars (GTK_LABEL (gtk_widget_get_first_child (names)), NAME_CHARS);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (bar), BAR_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (bar), BAR_HEIGHT);
  g_object_set_data (G_OBJECT (bar), "bar", GUINT_TO_POINTER (i));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (bar), draw_bar, self, NULL);
  gtk_widget_set_hexpand (bar, TRUE);
  gtk_widget_set_valign (bar, GTK_ALIGN_CENTER);
  gtk_size_group_add_widget (self->names, names);
  gtk_size_group_add_widget (self->values, value);
  gtk_box_append (GTK_BOX (box), names);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), value);
  gtk_widget_set_margin_start (box, MARGIN);
  gtk_widget_set_margin_end (box, MARGIN);
  gtk_widget_set_margin_top (box, MARGIN / 2);
  gtk_widget_set_margin_bottom (box, MARGIN / 2);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  ssui_set_label (row, words);
  return row;
}

static void
show_bars (SsuiEffectsWindow *self)
{
  const guint target = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->asked));

  if (target == GTK_INVALID_LIST_POSITION)
    return;
  ssui_empty (self->list);
  g_clear_pointer (&self->bars, g_array_unref);
  self->bars = ssapp_effects_bars (self->effects, target);
  for (guint i = 0; i < self->bars->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), make_row (self, i));
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static void
show_result (SsuiEffectsWindow *self)
{
  g_autoptr (GtkStringList) targets = gtk_string_list_new (ssapp_effects_get_targets (self->effects));
  g_autofree char *breaks = g_strjoinv ("\n", (char **)ssapp_effects_get_breaks (self->effects));

  gtk_label_set_text (GTK_LABEL (self->told), ssapp_effects_get_words (self->effects));
  gtk_label_set_text (GTK_LABEL (self->breaks), breaks);
  gtk_widget_set_visible (self->breaks, breaks[0] != '\0');
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->asked), G_LIST_MODEL (targets));
  gtk_widget_set_sensitive (self->asked, TRUE);
  if (!isnan (self->t))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->asked), ssapp_effects_target_at (self->effects, self->t));
  show_bars (self);
}

static void
on_ended (SsuiEffectsWindow *self)
{
  const char *text = ssapp_job_get_result_json (self->job);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;

  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_widget_set_visible (self->stop, FALSE);
  if (ssapp_effects_take (self->effects, result))
    show_result (self);
  else
    gtk_label_set_text (GTK_LABEL (self->told), ssapp_job_get_message (self->job));
  json_decref (result);
}

static void
on_stop (SsuiEffectsWindow *self)
{
  if (self->job != NULL && ssapp_job_get_state (self->job) != SSAPP_JOB_ENDED)
    ssapp_job_cancel (self->job);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_effects_window_dispose (GObject *object)
{
  SsuiEffectsWindow *self = SSUI_EFFECTS_WINDOW (object);

  on_stop (self);
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  g_clear_object (&self->names);
  g_clear_object (&self->values);
  G_OBJECT_CLASS (ssui_effects_window_parent_class)->dispose (object);
}

static void
ssui_effects_window_finalize (GObject *object)
{
  SsuiEffectsWindow *self = SSUI_EFFECTS_WINDOW (object);

  g_clear_pointer (&self->bars, g_array_unref);
  ssapp_effects_free (self->effects);
  G_OBJECT_CLASS (ssui_effects_window_parent_class)->finalize (object);
}

static void
ssui_effects_window_class_init (SsuiEffectsWindowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_effects_window_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_effects_window_finalize;
}

static GtkWidget *
make_progress (SsuiEffectsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN);

  self->spinner = gtk_spinner_new ();
  self->told = gtk_label_new (_ ("The simulation is made once more, with derivatives"));
  self->stop = gtk_button_new_with_label (_ ("Stop"));
  gtk_label_set_wrap (GTK_LABEL (self->told), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->told), 0);
  gtk_widget_set_hexpand (self->told, TRUE);
  gtk_widget_add_css_class (self->stop, "soft-destructive");
  g_signal_connect_object (self->stop, "clicked", G_CALLBACK (on_stop), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), self->spinner);
  gtk_box_append (GTK_BOX (box), self->told);
  gtk_box_append (GTK_BOX (box), self->stop);
  return box;
}

static GtkWidget *
make_list (SsuiEffectsWindow *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  gtk_widget_set_valign (self->list, GTK_ALIGN_START);
  ssui_set_label (self->list, _ ("Numbers by Their Effect"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
ssui_effects_window_init (SsuiEffectsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *main = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN),
            *header = adw_header_bar_new ();

  self->names = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->values = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->asked = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_sensitive (self->asked, FALSE);
  gtk_widget_set_tooltip_text (self->asked, _ ("What is moved: a final value, or the time of an event"));
  ssui_label_drop_down (self->asked, _ ("What is moved"));
  g_signal_connect_object (self->asked, "notify::selected", G_CALLBACK (show_bars), self, G_CONNECT_SWAPPED);
  self->breaks = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->breaks), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->breaks), 0);
  gtk_label_set_selectable (GTK_LABEL (self->breaks), TRUE);
  gtk_widget_set_visible (self->breaks, FALSE);
  gtk_widget_add_css_class (self->breaks, "caption");
  gtk_box_append (GTK_BOX (main), self->asked);
  gtk_box_append (GTK_BOX (main), make_progress (self));
  gtk_box_append (GTK_BOX (main), make_list (self));
  gtk_box_append (GTK_BOX (main), self->breaks);
  gtk_widget_set_margin_start (main, MARGIN);
  gtk_widget_set_margin_end (main, MARGIN);
  gtk_widget_set_margin_top (main, MARGIN);
  gtk_widget_set_margin_bottom (main, MARGIN);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), main);
  adw_window_set_content (ADW_WINDOW (self), box);
  ssui_keys_close (GTK_WIDGET (self));
  gtk_window_set_title (GTK_WINDOW (self), _ ("What Moves This?"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
}

GtkWindow *
ssui_effects_window_new (GtkWindow *parent, SsappStore *store, SsappRun *run, double t, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  SsappEffects *effects = ssapp_effects_new (ssapp_run_get_scenario (run));
  SsappJob *job = NULL;
  SsuiEffectsWindow *self;

  if (*ssapp_effects_get_names (effects) == '\0')
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The scene has no numbers that could move it"));
  else
    job = ssapp_reproduce_new_job (store, ssapp_run_get_id (run), notes, error);
  if (job == NULL) {
    ssapp_effects_free (effects);
    return NULL;
  }
  self = g_object_new (SSUI_TYPE_EFFECTS_WINDOW, NULL);
  self->effects = effects;
  self->job = job;
  self->t = t;
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  ssapp_job_set_sensitivity (job, ssapp_effects_get_names (effects));
  g_signal_connect_object (job, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  (void)ssapp_job_start (job, NULL); /* without a worker it has ended, and says why */
  return GTK_WINDOW (self);
}
