/* ui/parts/ssui-ways-box.c: see the header. */
#include "ui/parts/ssui-ways-box.h"

#include "app/job/ssapp-ways.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define HEIGHT_MOST 132 /* [px]: four rows; more scroll */

struct _SsuiWaysBox {
  GtkBox parent_instance;
  GtkWidget *scroller, *rows, *none, *play;
  char *shown; /* id of the run whose ways they are */
};

G_DEFINE_FINAL_TYPE (SsuiWaysBox, ssui_ways_box, GTK_TYPE_BOX)

static void
add_row (SsuiWaysBox *self, const SsWayOn *way, int index, const char *run)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label,
            *apply = gtk_button_new_with_label (_ ("Apply"));
  const SsWayKind *kind = ss_way_kind_find (way->kind);
  char text[SS_WAY_TEXT + 80];
  g_autofree char *tip = NULL, *name = g_strdup_printf (_ ("Apply %s"), kind->label);

  ss_way_on_describe (way, text, sizeof text);
  label = gtk_label_new (text);
  tip = g_strdup_printf (_ ("%s: %s. Tried in %.2g s"), kind->label, text, way->cpu);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_lines (GTK_LABEL (label), 2);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_set_tooltip_text (label, tip);
  gtk_widget_set_valign (apply, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (apply, _ ("Change the sketch so; Undo takes it back"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (apply), "win.apply-way");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (apply), "(si)", run, index);
  ssui_set_label (apply, name);
  gtk_box_append (GTK_BOX (row), label);
  gtk_widget_set_visible (apply, way->n_edits > 0);
  gtk_box_append (GTK_BOX (row), apply);
  gtk_box_append (GTK_BOX (self->rows), row);
}

void
ssui_ways_box_show (SsuiWaysBox *self, SsappRun *run)
{
  g_return_if_fail (SSUI_IS_WAYS_BOX (self) && (run == NULL || SSAPP_IS_RUN (run)));

  const json_t *result = ssapp_run_is_running (run) ? NULL : ssapp_run_get_result (run);
  const char *id = ssapp_run_get_id (run);
  g_autoptr (GPtrArray) ways = ssapp_ways_from_json (result);
  int n_solved = 0;

  gtk_widget_set_visible (GTK_WIDGET (self), ways->len > 0);
  if (ways->len == 0 || g_strcmp0 (self->shown, id) == 0)
    return;
  g_free (self->shown);
  self->shown = g_strdup (id);
  ssui_take_focus_from (self->rows);
  ssui_empty (self->rows);
  for (guint i = 0; i < ways->len; i++) {
    const SsWayOn *way = g_ptr_array_index (ways, i);
    if (way->outcome == SS_OUTCOME_SOLVED)
      add_row (self, way, (int)i, id);
    n_solved += way->outcome == SS_OUTCOME_SOLVED;
  }
  g_autofree char *none =
      g_strdup_printf (_ ("None of %u changes of the sketch that were tried made it solvable"), ways->len);
  gtk_label_set_text (GTK_LABEL (self->none), none);
  gtk_widget_set_visible (self->none, n_solved == 0);
  gtk_widget_set_visible (self->scroller, n_solved > 0);
  gtk_widget_set_visible (self->play, ssapp_run_has_motion (run));
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->play), "s", id); /* first: the action is one of a run */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->play), "win.play-by-hand");
}

static void
ssui_ways_box_finalize (GObject *object)
{
  g_free (SSUI_WAYS_BOX (object)->shown);
  G_OBJECT_CLASS (ssui_ways_box_parent_class)->finalize (object);
}

static void
ssui_ways_box_class_init (SsuiWaysBoxClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_ways_box_finalize;
}

static void
ssui_ways_box_init (SsuiWaysBox *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 4);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_margin_start (GTK_WIDGET (self), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 12);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self), 6);
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), HEIGHT_MOST);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->rows);
  ssui_set_label (self->scroller, _ ("Ways on"));
  self->none = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->none), 0);
  gtk_label_set_wrap (GTK_LABEL (self->none), TRUE);
  gtk_widget_add_css_class (self->none, "caption");
  self->play = gtk_button_new_with_label (_ ("Play It by Hand"));
  gtk_widget_set_halign (self->play, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self->play,
                               _ ("Open the sandbox with the best motion that was found: drag it to the goal, "
                                  "then Improve makes a plan of it"));
  gtk_box_append (GTK_BOX (self), self->scroller);
  gtk_box_append (GTK_BOX (self), self->none);
  gtk_box_append (GTK_BOX (self), self->play);
}
