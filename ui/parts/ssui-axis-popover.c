/* ui/parts/ssui-axis-popover.c: see the header. */
#include "ui/parts/ssui-axis-popover.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define POPOVER_WIDTH 360 /* px */
#define LIST_HEIGHT   300 /* px */

struct _SsuiAxisPopover {
  GtkPopover parent_instance;
  SsappStudySession *study;
  char *axis;         /* that is changed; nullable */
  GPtrArray *varying; /* of SsappVarying; nullable */
  const SsappVarying *chosen;
  GtkWidget *pages[2], *search, *list, *title, *note, *forms, *entry, *words, *done, *back, *remove, *up, *down;
  gboolean is_loading;
};

G_DEFINE_FINAL_TYPE (SsuiAxisPopover, ssui_axis_popover, GTK_TYPE_POPOVER)

static const char *const form_titles[] = {N_ ("List"), N_ ("Grid"), N_ ("Log Grid"), N_ ("Drawn")};
static const char *const form_tips[] = {N_ ("Values with commas: 0.1, 0.2, 0.5"), N_ ("Ends and how many: 0:16:9"),
                                        N_ ("The same, evenly by factors: 0.001:1:7log"),
                                        N_ ("Drawn from a range: 0.1..0.9; how many, Limits and Draws says")};

/* One of two; a stack would hide both from those who do not see them. */
static void
show_page (SsuiAxisPopover *self, int page)
{
  gtk_widget_set_visible (self->pages[page], TRUE);
  gtk_widget_set_visible (self->pages[1 - page], FALSE);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static const char *
name_of (SsuiAxisPopover *self)
{
  return self->axis != NULL ? self->axis : self->chosen != NULL ? self->chosen->name : NULL;
}

static void
check (SsuiAxisPopover *self)
{
  const char *name = name_of (self), *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GError) error = NULL;
  g_autofree char *words = name != NULL ? ssapp_study_session_try_axis (self->study, name, text, &error) : NULL;

  gtk_label_set_text (GTK_LABEL (self->words), words != NULL ? words : error != NULL ? error->message : "");
  gtk_widget_set_sensitive (self->done, words != NULL);
  if (words != NULL) {
    gtk_widget_remove_css_class (self->entry, "error");
    gtk_widget_remove_css_class (self->words, "error");
  } else {
    gtk_widget_add_css_class (self->entry, "error");
    gtk_widget_add_css_class (self->words, "error");
  }
}

static void
on_done (SsuiAxisPopover *self)
{
  g_autofree char *name = g_strdup (name_of (self)),
                  *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));

  check (self);
  if (name == NULL || !gtk_widget_get_sensitive (self->done))
    return;
  g_object_ref (self);
  gtk_popover_popdown (GTK_POPOVER (self));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.study-set-axis", "(ss)", name, text);
  g_object_unref (self);
}

static void
on_form (GtkToggleButton *button, SsuiAxisPopover *self)
{
  const SsappAxisForm form = (SsappAxisForm)GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "form"));
  g_autofree char *text = NULL;

  if (self->is_loading || !gtk_toggle_button_get_active (button) || self->chosen == NULL)
    return;
  text = ssapp_varying_suggest (self->chosen, form);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_grab_focus (self->entry);
}

static void
show_form (SsuiAxisPopover *self, SsappAxisForm form)
{
  GtkWidget *button = gtk_widget_get_first_child (self->forms);

  for (int k = 0; k < (int)form; k++)
    button = gtk_widget_get_next_sibling (button);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
}

/* ---- what varies ------------------------------------------------------------------------------------------------- */

static void
show_values (SsuiAxisPopover *self, const char *name, const char *text, SsappAxisForm form)
{
  const char *title = self->chosen != NULL ? self->chosen->title : "",
             *is = self->chosen != NULL ? self->chosen->now : "";
  g_autofree char *now = *is == '\0'      ? g_strdup (title)
                         : *title == '\0' ? g_strdup_printf (_ ("Now %s"), is)
                                          : g_strdup_printf (_ ("%s. Now %s"), title, is);

  self->is_loading = TRUE;
  gtk_label_set_text (GTK_LABEL (self->title), name);
  gtk_label_set_text (GTK_LABEL (self->note), now);
  gtk_widget_set_visible (self->note, *now != '\0');
  gtk_widget_set_sensitive (self->forms, self->chosen != NULL && self->chosen->is_number);
  show_form (self, form);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  self->is_loading = FALSE;
  show_page (self, 1);
  gtk_widget_grab_focus (self->entry);
  check (self);
}

static void
on_row (SsuiAxisPopover *self, GtkListBoxRow *row)
{
  self->chosen = g_object_get_data (G_OBJECT (row), "varying");
  const SsappAxisForm form = self->chosen->is_number ? SSAPP_AXIS_GRID : SSAPP_AXIS_LIST;
  g_autofree char *text = ssapp_varying_suggest (self->chosen, form);
  show_values (self, self->chosen->name, text, form);
}

static gboolean
is_wanted (GtkListBoxRow *row, gpointer data)
{
  SsuiAxisPopover *self = data;
  const SsappVarying *varying = g_object_get_data (G_OBJECT (row), "varying");
  g_autofree char *wanted = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1),
                  *name = g_utf8_casefold (varying->name, -1), *title = g_utf8_casefold (varying->title, -1);

  return strstr (name, wanted) != NULL || strstr (title, wanted) != NULL;
}

/* Return in the search takes the first row that is left. */
static void
on_search_done (SsuiAxisPopover *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL; row = gtk_widget_get_next_sibling (row))
    if (GTK_IS_LIST_BOX_ROW (row) && gtk_widget_get_child_visible (row)) {
      on_row (self, GTK_LIST_BOX_ROW (row));
      return;
    }
}

static GtkWidget *
make_row (const SsappVarying *varying)
{
  GtkWidget *row = gtk_list_box_row_new (), *grid = gtk_grid_new (), *name = gtk_label_new (varying->name),
            *now = gtk_label_new (varying->now), *title = gtk_label_new (varying->title);
  g_autofree char *label = g_strdup_printf (_ ("Vary %s, %s"), varying->name, varying->title);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (now), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (now, "dim-label");
  gtk_widget_add_css_class (now, "numeric");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 1);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (title, "caption");
  gtk_widget_add_css_class (title, "dim-label");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), name, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), now, 1, 0, 1, 1);
  if (*varying->title != '\0')
    gtk_grid_attach (GTK_GRID (grid), title, 0, 1, 2, 1);
  gtk_widget_add_css_class (grid, "study-choice");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);
  gtk_widget_set_tooltip_text (row, *varying->title != '\0' ? varying->title : NULL);
  ssui_set_label (row, label);
  g_object_set_data (G_OBJECT (row), "varying", (gpointer)varying);
  return row;
}

static const SsappStudyAxis *
find_axis (const SsappStudy *study, const char *name)
{
  for (guint a = 0; study != NULL && a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, a);
    if (g_strcmp0 (axis->name, name) == 0)
      return axis;
  }
  return NULL;
}

static void
on_show (SsuiAxisPopover *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);

  ssui_take_focus_from (self->list);
  ssui_empty (self->list);
  self->chosen = NULL;
  g_clear_pointer (&self->varying, g_ptr_array_unref);
  if (study == NULL)
    return;
  self->varying = ssapp_study_list_varying (study);
  for (guint k = 0; k < self->varying->len; k++) {
    const SsappVarying *varying = g_ptr_array_index (self->varying, k);
    if (g_strcmp0 (varying->name, self->axis) == 0)
      self->chosen = varying;
    if (self->axis == NULL && find_axis (study, varying->name) == NULL)
      gtk_list_box_append (GTK_LIST_BOX (self->list), make_row (varying));
  }
  const SsappStudyAxis *axis = find_axis (study, self->axis);
  if (axis != NULL) {
    show_values (self, axis->name, axis->text, axis->form);
    return;
  }
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  show_page (self, 0);
  gtk_widget_grab_focus (self->search);
}

static void
on_back (SsuiAxisPopover *self)
{
  show_page (self, 0);
  gtk_widget_grab_focus (self->search);
}

static void
act (SsuiAxisPopover *self, const char *action, int by)
{
  g_autofree char *name = g_strdup (self->axis);

  g_object_ref (self);
  gtk_popover_popdown (GTK_POPOVER (self));
  if (by == 0)
    gtk_widget_activate_action (GTK_WIDGET (self), action, "s", name);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), action, "(si)", name, by);
  g_object_unref (self);
}

static void
on_remove (SsuiAxisPopover *self)
{
  act (self, "win.study-remove-axis", 0);
}

static void
on_up (SsuiAxisPopover *self)
{
  act (self, "win.study-move-axis", -1);
}

static void
on_down (SsuiAxisPopover *self)
{
  act (self, "win.study-move-axis", 1);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_list_page (SsuiAxisPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *scroller = gtk_scrolled_window_new ();

  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", "What varies", NULL);
  ssui_set_label (self->search, _ ("Search what can vary"));
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), is_wanted, self, NULL);
  gtk_widget_add_css_class (self->list, "study-choices");
  ssui_set_label (self->list, _ ("What can vary"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scroller, -1, LIST_HEIGHT);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), scroller);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (gtk_list_box_invalidate_filter), self->list,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (on_search_done), self, G_CONNECT_SWAPPED);
  /* the entry takes Escape for itself */
  g_signal_connect_object (self->search, "stop-search", G_CALLBACK (gtk_popover_popdown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (on_row), self, G_CONNECT_SWAPPED);
  return box;
}

static GtkWidget *
make_head (SsuiAxisPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->back = ssui_icon_button_new ("go-previous-symbolic", _ ("Back to what can vary"), G_CALLBACK (on_back), self);
  self->title = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "heading");
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_widget_set_hexpand (self->title, TRUE);
  self->up = ssui_icon_button_new ("go-up-symbolic", _ ("Move the axis up"), G_CALLBACK (on_up), self);
  self->down = ssui_icon_button_new ("go-down-symbolic", _ ("Move the axis down"), G_CALLBACK (on_down), self);
  self->remove = ssui_icon_button_new ("user-trash-symbolic", _ ("Remove the axis"), G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (box), self->back);
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), self->up);
  gtk_box_append (GTK_BOX (box), self->down);
  gtk_box_append (GTK_BOX (box), self->remove);
  return box;
}

static GtkWidget *
make_forms (SsuiAxisPopover *self)
{
  GtkWidget *first = NULL;

  self->forms = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->forms, "linked");
  gtk_box_set_homogeneous (GTK_BOX (self->forms), TRUE);
  for (guint k = 0; k < G_N_ELEMENTS (form_titles); k++) {
    GtkWidget *button = gtk_toggle_button_new_with_label (_ (form_titles[k]));
    gtk_widget_set_tooltip_text (button, _ (form_tips[k]));
    g_object_set_data (G_OBJECT (button), "form", GINT_TO_POINTER ((int)k));
    if (first != NULL)
      gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (first));
    else
      first = button;
    g_signal_connect_object (button, "toggled", G_CALLBACK (on_form), self, 0);
    gtk_box_append (GTK_BOX (self->forms), button);
  }
  return self->forms;
}

static GtkWidget *
make_note (const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 1);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, class);
  return label;
}

static GtkWidget *
make_values_page (SsuiAxisPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_box_append (GTK_BOX (box), make_head (self));
  self->note = make_note ("dim-label");
  gtk_box_append (GTK_BOX (box), self->note);
  gtk_box_append (GTK_BOX (box), make_forms (self));
  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), "0.1, 0.2, 0.5");
  ssui_set_label (self->entry, _ ("Values of the axis"));
  gtk_widget_add_css_class (self->entry, "numeric");
  gtk_box_append (GTK_BOX (box), self->entry);
  self->words = make_note ("study-words");
  gtk_box_append (GTK_BOX (box), self->words);
  self->done = gtk_button_new_with_label (self->axis != NULL ? _ ("Change Axis") : _ ("Add Axis"));
  gtk_widget_add_css_class (self->done, "suggested-action");
  gtk_box_append (GTK_BOX (box), self->done);
  g_signal_connect_object (self->entry, "changed", G_CALLBACK (check), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (on_done), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->done, "clicked", G_CALLBACK (on_done), self, G_CONNECT_SWAPPED);
  return box;
}

GtkWidget *
ssui_axis_popover_new (SsappStudySession *study, const char *name)
{
  SsuiAxisPopover *self = g_object_new (SSUI_TYPE_AXIS_POPOVER, NULL);

  self->study = g_object_ref (study);
  self->axis = g_strdup (name);
  self->pages[0] = make_list_page (self);
  gtk_box_append (GTK_BOX (gtk_popover_get_child (GTK_POPOVER (self))), self->pages[0]);
  self->pages[1] = make_values_page (self);
  gtk_box_append (GTK_BOX (gtk_popover_get_child (GTK_POPOVER (self))), self->pages[1]);
  gtk_widget_set_visible (self->back, name == NULL);
  gtk_widget_set_visible (self->remove, name != NULL);
  gtk_widget_set_visible (self->up, name != NULL);
  gtk_widget_set_visible (self->down, name != NULL);
  return GTK_WIDGET (self);
}

static void
ssui_axis_popover_dispose (GObject *object)
{
  SsuiAxisPopover *self = SSUI_AXIS_POPOVER (object);

  g_clear_object (&self->study);
  g_clear_pointer (&self->axis, g_free);
  g_clear_pointer (&self->varying, g_ptr_array_unref);
  self->chosen = NULL;
  G_OBJECT_CLASS (ssui_axis_popover_parent_class)->dispose (object);
}

static void
ssui_axis_popover_class_init (SsuiAxisPopoverClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_axis_popover_dispose;
}

static void
ssui_axis_popover_init (SsuiAxisPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_set_size_request (box, POPOVER_WIDTH, -1);
  gtk_popover_set_child (GTK_POPOVER (self), box);
  g_signal_connect (self, "show", G_CALLBACK (on_show), NULL);
}
