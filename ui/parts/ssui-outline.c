/* ui/parts/ssui-outline.c: see the header. Rows are rebuilt when the set of things changes, else only their texts. */
#include "ui/parts/ssui-outline.h"

#include "ui/parts/ssui-overlap-chip.h"
#include "ui/parts/ssui-outline-choice.h"
#include "ui/parts/ssui-seen-row.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* All pairs of 50 bodies are 1,225 contacts: of more than this many the outline has the first, or the first that the
 * filter finds. */
enum { MAX_CONTACT_ROWS = 30 };

static const char *const holding_lists[] = {"scene.joints", "scene.springs", "scene.constraints"},
                         *const driving_lists[] = {"scene.actuators", "scene.forces"},
                         *const sheet_lists[] = {"scene.measures", "scene.notes"},
                         *const material_lists[] = {"scene.materials", "scene.material_pairs"},
                         *const task_lists[] = {"task.targets", "task.bounds", "task.constraints", "task.cost"};

struct _SsuiOutline {
  GtkWidget parent_instance;
  GtkWidget *filter, *list, *add;
  SsuiOverlapChip *state;
  SsappDocument *document;
  char *signature;
  int contacts[MAX_CONTACT_ROWS]; /* among the scene's, those with a row */
  int n_contacts;
  gboolean is_updating;
};

G_DEFINE_FINAL_TYPE (SsuiOutline, ssui_outline, GTK_TYPE_WIDGET)

static guint path_activated_signal;

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void
add_section (SsuiOutline *self, const char *title, int count)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (title),
            *row = ssui_seen_row_new ();
  g_autofree char *text = g_strdup_printf ("%d", count), *name = g_strdup_printf ("%s, %d", title, count);
  GtkWidget *number = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "section-title");
  gtk_widget_add_css_class (number, "dim-label");
  gtk_widget_add_css_class (number, "caption");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), number);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  ssui_set_label (row, name);
  gtk_widget_add_css_class (row, "section");
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

/* ---- which contacts have a row ----------------------------------------------------------------------------------- */

/* Whether every word of the filter occurs in the name, whatever its case. */
static gboolean
is_wanted (const char *filter, const char *name)
{
  g_autofree char *folded_filter = g_utf8_casefold (filter, -1), *folded = g_utf8_casefold (name, -1);
  g_auto (GStrv) words = g_strsplit (folded_filter, " ", -1);

  for (int i = 0; words[i] != NULL; i++)
    if (strstr (folded, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

static const char *
filter_text (SsuiOutline *self)
{
  return self->filter != NULL ? gtk_editable_get_text (GTK_EDITABLE (self->filter)) : "";
}

static char *
name_of_contact (const SsScene *scene, int contact)
{
  return g_strdup_printf ("%s – %s", scene->bodies[scene->contacts[contact].body_a].name,
                          scene->bodies[scene->contacts[contact].body_b].name);
}

/* All of a small scene, whose rows the list filters; of a large one those that the filter finds, and the selected
 * one. */
static void
choose_contacts (SsuiOutline *self, const SsScene *scene)
{
  const char *filter = scene->n_contacts > MAX_CONTACT_ROWS ? filter_text (self) : "",
             *item = ssapp_document_get_selected_item (self->document);
  int selected =
      item != NULL && scene->n_contacts > MAX_CONTACT_ROWS ? ssapp_document_find_contact (self->document, item) : -1;

  self->n_contacts = 0;
  for (int i = 0; i < scene->n_contacts && self->n_contacts < MAX_CONTACT_ROWS - (selected >= 0); i++) {
    g_autofree char *name = *filter != '\0' ? name_of_contact (scene, i) : NULL;
    if (i != selected && (name == NULL || is_wanted (filter, name)))
      self->contacts[self->n_contacts++] = i;
  }
  if (selected >= 0)
    self->contacts[self->n_contacts++] = selected;
}

/* ---- more rows --------------------------------------------------------------------------------------------------- */

static gboolean
is_selectable (const char *key)
{
  return key != NULL && (g_str_has_prefix (key, "body ") || g_str_has_prefix (key, "item "));
}

/* key: "body NAME", "item PATH", "path PATH" or NULL for a row that only informs. */
static void
add_item (SsuiOutline *self, const char *icon, const char *name, const char *key)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new (name),
            *row = ssui_seen_row_new ();
  GtkWidget *value = gtk_label_new ("");

  gtk_widget_set_margin_start (box, 10);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_END); /* of long formulas */
  gtk_widget_add_css_class (value, "dim-label");
  gtk_widget_add_css_class (value, "caption");
  gtk_widget_add_css_class (value, "numeric");
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), value);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), is_selectable (key));
  g_object_set_data_full (G_OBJECT (row), "key", g_strdup (key), g_free);
  g_object_set_data (G_OBJECT (row), "value", value);
  g_object_set_data_full (G_OBJECT (row), "name", g_strdup (name), g_free);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void set_value (GtkListBoxRow *row, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
set_value (GtkListBoxRow *row, const char *format, ...)
{
  GtkWidget *value = g_object_get_data (G_OBJECT (row), "value");
  g_autofree char *text = NULL, *label = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  gtk_label_set_text (GTK_LABEL (value), text);
  label = g_strdup_printf ("%s, %s", (const char *)g_object_get_data (G_OBJECT (row), "name"), text);
  ssui_set_label (GTK_WIDGET (row), label);
}

static const char *
body_icon (const SsBody *body)
{
  switch (body->shape.kind) {
  case SS_SHAPE_CIRCLE:
    return "ss-disc-symbolic";
  case SS_SHAPE_HALF_PLANE:
    return "ss-ground-symbolic";
  case SS_SHAPE_CAPSULE:
    return "ss-capsule-symbolic";
  case SS_SHAPE_SEGMENT:
    return "ss-segment-symbolic";
  case SS_SHAPE_POLYGON:
  default:
    return body->shape.n_vertices == 4 ? "ss-box-symbolic" : "ss-polygon-symbolic";
  }
}

/* Entries of lists of the file, each a row with the key "item PATH". */
static void
add_entries (SsuiOutline *self, const char *title, const char *const *lists, gsize n_lists)
{
  guint n = 0;

  for (gsize l = 0; l < n_lists; l++) {
    g_autoptr (GPtrArray) items = ssapp_document_list_items (self->document, lists[l]);
    n += items->len;
  }
  if (n == 0)
    return;
  add_section (self, title, (int)n);
  for (gsize l = 0; l < n_lists; l++) {
    g_autoptr (GPtrArray) items = ssapp_document_list_items (self->document, lists[l]);
    for (guint i = 0; i < items->len; i++) {
      const SsappItem *item = g_ptr_array_index (items, i);
      g_autofree char *key = g_strdup_printf ("item %s", item->path),
                      *name = g_str_equal (item->kind, "goal")     ? g_strdup_printf (_ ("Goal: %s"), item->name)
                              : g_str_equal (item->kind, "bounds") ? g_strdup_printf (_ ("Limits: %s"), item->name)
                                                                   : g_strdup (item->name);
      add_item (self, ssui_item_icon (item->kind), name, key);
    }
  }
}

static void
build_contacts (SsuiOutline *self, const SsScene *scene)
{
  g_autoptr (GPtrArray) off = ssapp_document_list_contacts_off (self->document);

  add_section (self, _ ("Contacts"), scene->n_contacts);
  for (int i = 0; i < self->n_contacts; i++) {
    g_autofree char *pair = name_of_contact (scene, self->contacts[i]),
                    *path = ssapp_document_contact_path (self->document, self->contacts[i]),
                    *key = g_strdup_printf ("item %s", path);
    add_item (self, "ss-contact-symbolic", pair, key);
  }
  for (guint i = 0; i < MIN (off->len, MAX_CONTACT_ROWS); i++) {
    SsappItem *item = ssapp_document_get_item (self->document, g_ptr_array_index (off, i));
    g_autofree char *key = g_strdup_printf ("item %s", item->path);
    add_item (self, "ss-contact-symbolic", item->name, key);
    ssapp_item_free (item);
  }
  if (scene->n_contacts > self->n_contacts) {
    g_autofree char *words = g_strdup_printf (_ ("%d more: filter by names"), scene->n_contacts - self->n_contacts);
    add_item (self, "ss-contact-symbolic", words, NULL);
  }
}

static void
build_scene (SsuiOutline *self, const SsScenario *scenario)
{
  const SsScene *scene = scenario->scene;

  add_section (self, _ ("Bodies"), scene->n_bodies);
  for (int i = 0; i < scene->n_bodies; i++) {
    g_autofree char *key = g_strdup_printf ("body %s", scene->bodies[i].name);
    add_item (self, body_icon (&scene->bodies[i]), scene->bodies[i].name, key);
  }
  build_contacts (self, scene);
  add_entries (self, _ ("Materials"), material_lists, G_N_ELEMENTS (material_lists));
  add_entries (self, _ ("Joints and Springs"), holding_lists, G_N_ELEMENTS (holding_lists));
  add_entries (self, _ ("Actuators and Forces"), driving_lists, G_N_ELEMENTS (driving_lists));
  add_entries (self, _ ("Measures and Notes"), sheet_lists, G_N_ELEMENTS (sheet_lists));
  add_entries (self, _ ("Goals, Limits, Costs"), task_lists, G_N_ELEMENTS (task_lists));
  add_section (self, _ ("Task"), 3);
  add_item (self, "ss-clock-symbolic", _ ("Horizon"),
            ssapp_document_has_field (self->document, "task.horizon") ? "path task.horizon" : "path task.t_end");
  add_item (self, "ss-clock-symbolic", _ ("Time step"), "path task.dt");
  add_item (self, "ss-gravity-symbolic", _ ("Gravity"), "path scene.gravity[1]");
}

static void
build_model (SsuiOutline *self, const SsScenario *scenario)
{
  add_section (self, _ ("Equations"), scenario->model->n_blocks + scenario->model->n_costs);
  for (int i = 0; i < scenario->model->n_blocks; i++)
    add_item (self, "ss-equation-symbolic", scenario->model->blocks[i].name, NULL);
  for (int i = 0; i < scenario->model->n_costs; i++)
    add_item (self, "ss-goal-symbolic", scenario->model->costs[i].name, NULL);
}

static void
build (SsuiOutline *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);

  ssui_empty (self->list);
  if (scenario->scene != NULL)
    build_scene (self, scenario);
  else
    build_model (self, scenario);
  if (scenario->n_parameters > 0)
    add_section (self, _ ("Parameters"), scenario->n_parameters);
  for (int i = 0; i < scenario->n_parameters; i++) {
    g_autofree char *key = g_strdup_printf ("path parameters.%s.value", scenario->parameters[i].name);
    add_item (self, "ss-parameter-symbolic", scenario->parameters[i].name, key);
  }
}

static void
refresh_values (SsuiOutline *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  const SsScene *scene = scenario->scene;
  int body = 0, parameter = 0, block = 0, cost = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (self->list); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkListBoxRow *row = GTK_LIST_BOX_ROW (child);
    const char *key = g_object_get_data (G_OBJECT (row), "key");
    if (g_object_get_data (G_OBJECT (row), "value") == NULL)
      continue;
    if (key != NULL && g_str_has_prefix (key, "body ")) {
      const SsBody *b = &scene->bodies[body++];
      if (b->is_fixed)
        set_value (row, "fixed");
      else
        set_value (row, "%.3g kg", b->mass);
    } else if (key != NULL && g_str_has_prefix (key, "item ")) {
      SsappItem *item = ssapp_document_get_item (self->document, key + strlen ("item "));
      set_value (row, "%s", item != NULL ? item->detail : "");
      ssapp_item_free (item);
    } else if (key == NULL && scene != NULL) { /* how many there are more */
      continue;
    } else if (key == NULL && block < scenario->model->n_blocks) {
      int n = scenario->model->blocks[block++].n_rows;
      set_value (row, ngettext ("%d row", "%d rows", (gulong)n), n);
    } else if (key == NULL) {
      cost++;
      set_value (row, "cost");
    } else if (strcmp (key, "path task.t_end") == 0 || strcmp (key, "path task.horizon") == 0) {
      set_value (row, "%.4g s", scenario->task.plan != NULL ? scenario->task.plan->horizon : scenario->task.t_end);
    } else if (strcmp (key, "path task.dt") == 0) {
      set_value (row, "%.4g s", scenario->task.dt);
    } else if (strcmp (key, "path scene.gravity[1]") == 0) {
      set_value (row, "%.3g m/s²", hypot (scene->gravity.x, scene->gravity.y));
    } else {
      g_autofree char *value = ssui_number (scenario->parameters[parameter++].value);
      set_value (row, "%s", value);
    }
  }
}

static void
append_entries (SsuiOutline *self, GString *text, const char *const *lists, gsize n_lists)
{
  for (gsize l = 0; l < n_lists; l++) {
    g_autoptr (GPtrArray) items = ssapp_document_list_items (self->document, lists[l]);
    for (guint i = 0; i < items->len; i++)
      g_string_append_printf (text, "|%s %s", ((const SsappItem *)g_ptr_array_index (items, i))->path,
                              ((const SsappItem *)g_ptr_array_index (items, i))->name);
  }
}

static char *
make_signature (SsuiOutline *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (self->document);
  GString *text = g_string_new (scenario->scene != NULL ? "scene" : "model");

  for (int i = 0; scenario->scene != NULL && i < scenario->scene->n_bodies; i++)
    g_string_append_printf (text, "|%s %d", scenario->scene->bodies[i].name, scenario->scene->bodies[i].shape.kind);
  if (scenario->scene != NULL) {
    g_autoptr (GPtrArray) off = ssapp_document_list_contacts_off (self->document);
    choose_contacts (self, scenario->scene);
    g_string_append_printf (text, "|%d", scenario->scene->n_contacts);
    for (int i = 0; i < self->n_contacts; i++)
      g_string_append_printf (text, "|%d %d", scenario->scene->contacts[self->contacts[i]].body_a,
                              scenario->scene->contacts[self->contacts[i]].body_b);
    for (guint i = 0; i < off->len; i++)
      g_string_append_printf (text, "|%s", (const char *)g_ptr_array_index (off, i));
  }
  append_entries (self, text, material_lists, G_N_ELEMENTS (material_lists));
  g_string_append_printf (text, "|%d", ssapp_document_has_field (self->document, "task.horizon"));
  append_entries (self, text, holding_lists, G_N_ELEMENTS (holding_lists));
  append_entries (self, text, driving_lists, G_N_ELEMENTS (driving_lists));
  append_entries (self, text, sheet_lists, G_N_ELEMENTS (sheet_lists));
  append_entries (self, text, task_lists, G_N_ELEMENTS (task_lists));
  for (int i = 0; scenario->model != NULL && i < scenario->model->n_blocks; i++)
    g_string_append_printf (text, "|%s", scenario->model->blocks[i].name);
  for (int i = 0; i < scenario->n_parameters; i++)
    g_string_append_printf (text, "|%s", scenario->parameters[i].name);
  return g_string_free (text, FALSE);
}

static void
update_selection (SsuiOutline *self)
{
  self->is_updating = TRUE;
  ssui_outline_choice_show (GTK_LIST_BOX (self->list), self->document);
  self->is_updating = FALSE;
}

static void
update (SsuiOutline *self)
{
  g_autofree char *signature = make_signature (self);

  if (g_strcmp0 (signature, self->signature) != 0) {
    g_free (self->signature);
    self->signature = g_steal_pointer (&signature);
    self->is_updating = TRUE;
    build (self);
    self->is_updating = FALSE;
    gtk_widget_set_sensitive (self->add, ssapp_document_is_scene (self->document));
  }
  refresh_values (self);
  update_selection (self);
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

static void
on_row_selected (GtkListBox *list, GtkListBoxRow *row, SsuiOutline *self)
{
  const char *only[] = {ssui_outline_choice_key (row), NULL};

  (void)list;
  if (!self->is_updating && only[0] != NULL)
    ssapp_document_set_selection (self->document, only);
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, SsuiOutline *self)
{
  const char *key = g_object_get_data (G_OBJECT (row), "key");

  (void)list;
  if (key != NULL && g_str_has_prefix (key, "path ")) {
    ssapp_document_select (self->document, NULL);
    g_signal_emit (self, path_activated_signal, 0, key + strlen ("path "));
  }
}

static gboolean
filter_row (GtkListBoxRow *row, gpointer data)
{
  const char *wanted = filter_text (data), *name = g_object_get_data (G_OBJECT (row), "name");

  return *wanted == '\0' || (name != NULL && is_wanted (wanted, name));
}

static void
on_filter (SsuiOutline *self)
{
  if (self->document != NULL)
    update (self);
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
}

void
ssui_outline_set_document (SsuiOutline *self, SsappDocument *document)
{
  g_return_if_fail (SSUI_IS_OUTLINE (self) && (document == NULL || SSAPP_IS_DOCUMENT (document)));
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_set_object (&self->document, document);
  if (document == NULL)
    return;
  ssui_overlap_chip_set_document (self->state, document);
  g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "selection-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
ssui_outline_dispose (GObject *object)
{
  SsuiOutline *self = SSUI_OUTLINE (object);

  ssui_outline_set_document (self, NULL);
  self->is_updating = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_OUTLINE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&self->signature, g_free);
  G_OBJECT_CLASS (ssui_outline_parent_class)->dispose (object);
}

static void
ssui_outline_class_init (SsuiOutlineClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_outline_dispose;
  path_activated_signal = g_signal_new ("path-activated", SSUI_TYPE_OUTLINE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure (SSUI_TYPE_OVERLAP_CHIP);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-outline.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiOutline, filter);
  gtk_widget_class_bind_template_child (widget_class, SsuiOutline, list);
  gtk_widget_class_bind_template_child (widget_class, SsuiOutline, add);
  gtk_widget_class_bind_template_child (widget_class, SsuiOutline, state);
}

static void
ssui_outline_init (SsuiOutline *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), filter_row, self, NULL);
  ssui_seen_rows_watch (GTK_LIST_BOX (self->list));
  g_signal_connect_swapped (self->filter, "search-changed", G_CALLBACK (on_filter), self);
  ssui_outline_choice_attach (GTK_LIST_BOX (self->list), &self->document);
  g_signal_connect (self->list, "row-selected", G_CALLBACK (on_row_selected), self);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
}
