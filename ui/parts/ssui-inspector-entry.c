/* ui/parts/ssui-inspector-entry.c: the inspector's rows of an entry that is no body: contact, material, joint, goal. */
#include "ui/parts/ssui-inspector-private.h"

#include "ui/parts/ssui-contact-law.h"
#include "ui/parts/ssui-entry-rows.h"
#include "ui/parts/ssui-place-menus.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

static const char *
title_of_item (const SsappItem *item)
{
  return g_str_equal (item->kind, "goal")         ? _ ("Where It Shall Be")
         : g_str_equal (item->kind, "bounds")     ? _ ("Where It May Be")
         : g_str_equal (item->kind, "constraint") ? _ ("What Shall Hold")
         : g_str_equal (item->kind, "cost")       ? _ ("What Shall Be Small")
                                                  : _ ("Numbers");
}

void
ssui_inspector_refresh_contact (SsuiInspector *self)
{
  const char *path = ssapp_document_get_selected_item (self->document);

  if (self->law != NULL)
    ssui_contact_law_refresh (SSUI_CONTACT_LAW (self->law));
  if (self->on == NULL || path == NULL)
    return;
  self->is_updating = TRUE;
  gtk_switch_set_active (GTK_SWITCH (self->on), ssapp_document_find_contact (self->document, path) >= 0);
  if (self->candidate != NULL) {
    gtk_switch_set_active (GTK_SWITCH (self->candidate), ssapp_document_is_candidate (self->document, path));
    gtk_widget_set_sensitive (self->candidate, ssapp_document_find_contact (self->document, path) >= 0);
  }
  self->is_updating = FALSE;
}

static void
on_switched (GtkSwitch *toggle, GParamSpec *pspec, SsuiInspector *self)
{
  const char *path = self->document != NULL ? ssapp_document_get_selected_item (self->document) : NULL;

  (void)pspec;
  if (self->is_updating || path == NULL)
    return;
  gtk_widget_activate_action (GTK_WIDGET (self),
                              GTK_WIDGET (toggle) == self->on ? "win.set-contact" : "win.set-candidate", "(sb)", path,
                              gtk_switch_get_active (toggle));
  if (self->document != NULL)
    ssui_inspector_refresh_contact (self); /* the edit may have been refused */
}

static GtkWidget *
add_switch (SsuiInspector *self, const char *title, const char *name, const char *tip)
{
  GtkWidget *toggle = gtk_switch_new ();

  gtk_widget_set_tooltip_text (toggle, tip);
  ssui_set_label (toggle, name);
  g_signal_connect (toggle, "notify::active", G_CALLBACK (on_switched), self);
  ssui_inspector_add_control_row (self, title, toggle);
  return toggle;
}

/* Where values come from, and the pairs of materials. */
static void
add_law (SsuiInspector *self)
{
  self->law = ssui_contact_law_new (self->document);
  gtk_box_append (GTK_BOX (self->groups), self->law);
}

static void
build_contact (SsuiInspector *self, const SsappItem *item)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  int index = ssapp_document_find_contact (self->document, item->path);

  if (item->is_family) {
    ssui_inspector_add_note (
        self, _ ("The file writes this contact by a rule, together with others: change the rule in the file."));
    add_law (self);
    return;
  }
  ssui_inspector_begin_group (self, _ ("Contact"));
  self->on = add_switch (self, _ ("On"), _ ("Contact is on"), _ ("Off: the two bodies pass through one another"));
  if (scenario->task.plan != NULL)
    self->candidate = add_switch (self, _ ("Known to the plan"), _ ("Plan knows the contact"),
                                  _ ("Off: an optimiser does not think of this contact, simulations do"));
  ssui_inspector_refresh_contact (self);
  ssui_inspector_add_fields (self, item->path);
  if (index >= 0)
    add_law (self);
  ssui_inspector_add_note (self, _ ("Stiffness and damping are for compliant laws."));
}

static void
build_material (SsuiInspector *self, const SsappItem *item)
{
  const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;
  g_autoptr (GString) words = g_string_new (NULL);

  ssui_inspector_begin_group (self, _ ("Material"));
  ssui_inspector_add_text_row (self, _ ("Name"), SSUI_TEXT_MATERIAL_NAME, item->path);
  ssui_inspector_add_fields (self, item->path);
  for (int i = 0; i < scene->n_bodies; i++) {
    g_autofree char *name = ssapp_document_get_material (self->document, i);
    if (g_strcmp0 (name, item->name) == 0)
      g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", scene->bodies[i].name);
  }
  g_autofree char *bodies = words->len > 0
                                ? g_strdup_printf (_ ("Of %s."), words->str)
                                : g_strdup (_ ("No body is made of it yet: select one and choose it there.")),
                  *note = g_strconcat (
                      bodies, " ",
                      _ ("Where two materials meet, friction is the geometric mean, restitution the larger one, "
                         "stiffness and damping are in series, unless the pair has a value of its own."),
                      NULL);
  add_law (self);
  ssui_inspector_add_note (self, note);
}

/* What drives a pin or slider: which law, its gains, its bounds, its formula. */
static void
build_motor (SsuiInspector *self, const char *path)
{
  g_autofree char *motor = ssapp_document_find_motor (self->document, path);
  g_autoptr (GPtrArray) gains = ssapp_document_list_motor_fields (self->document, path);

  ssui_inspector_begin_group (self, _ ("Motor"));
  gtk_list_box_append (GTK_LIST_BOX (self->list), ssui_motor_row_new (self->document, path));
  for (guint i = 0; i < gains->len; i++) {
    const SsappField *field = g_ptr_array_index (gains, i);
    ssui_inspector_add_row (self, field->title, field->path, field->unit, field->fallback);
  }
  if (motor == NULL)
    return;
  gtk_box_append (GTK_BOX (self->head), ssui_names_button_new (self->document, motor));
  ssui_inspector_add_fields (self, motor);
}

/* Formulas below the entry, with the names that they may use; rows can be added to constraints. */
static void
add_formula_help (SsuiInspector *self, const SsappItem *item)
{
  static const char *const rows[2][2] = {{N_ ("Add = 0"), "zero"}, {N_ ("Add ≥ 0"), "nonnegative"}};
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (self->document, item->path);
  gboolean has_formula = FALSE;
  GtkWidget *box;

  for (guint i = 0; i < fields->len; i++)
    has_formula = has_formula || ((const SsappField *)g_ptr_array_index (fields, i))->is_formula;
  if (has_formula)
    gtk_box_append (GTK_BOX (self->head), ssui_names_button_new (self->document, item->path));
  if (!g_str_has_prefix (item->path, "task.constraints["))
    return;
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (int i = 0; i < 2; i++) {
    GtkWidget *button = gtk_button_new_with_label (_ (rows[i][0]));
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.add-row");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ss)", item->path, rows[i][1]);
    gtk_widget_set_tooltip_text (button, i == 0 ? _ ("One more formula that shall be 0")
                                                : _ ("One more formula that shall not be negative"));
    gtk_box_append (GTK_BOX (box), button);
  }
  gtk_box_append (GTK_BOX (self->groups), box);
}

void
ssui_inspector_build_item (SsuiInspector *self, const char *path)
{
  SsappItem *item = ssapp_document_get_item (self->document, path);

  if (item == NULL)
    return;
  if (g_str_equal (item->kind, "contact")) {
    build_contact (self, item);
  } else if (g_str_equal (item->kind, "material")) {
    build_material (self, item);
  } else if (item->is_family) {
    ssui_inspector_add_note (
        self, _ ("The file writes these entries by a rule: change it in the file. Here they can be deleted."));
  } else {
    GtkWidget *pairs = ssui_pair_menu_new (self->document, path);
    ssui_inspector_begin_group (self, title_of_item (item));
    ssui_inspector_add_fields (self, path);
    if (g_str_equal (item->kind, "pair of materials"))
      add_law (self);
    if (pairs != NULL)
      ssui_inspector_add_control_row (self, _ ("Joins"), pairs);
    add_formula_help (self, item);
    if (g_str_equal (item->kind, "pin") || g_str_equal (item->kind, "slider"))
      build_motor (self, path);
    if (*item->detail && pairs == NULL && !g_str_equal (item->kind, "constraint") && g_str_has_prefix (path, "scene."))
      ssui_inspector_add_note (self, item->detail);
    if (g_str_equal (item->kind, "goal"))
      ssui_inspector_add_note (
          self,
          _ ("Clear a field and that coordinate is free. Without a weight the goal is reached exactly; a weight makes "
             "it a cost. Drag the goal on the canvas to move it, its handle to turn it."));
  }
  ssapp_item_free (item);
}
