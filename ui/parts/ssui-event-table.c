/* ui/parts/ssui-event-table.c: see the header. */
#include "ui/parts/ssui-event-table.h"

#include "app/session/ssapp-event-rows.h"
#include "ui/parts/ssui-columns.h"
#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-context-menu.h"
#include "ui/parts/ssui-run-menu.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define MARK 14 /* px */

/* ---- a row ------------------------------------------------------------------------------------------------------- */

#define SSUI_TYPE_EVENT_ROW (ssui_event_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiEventRow, ssui_event_row, SSUI, EVENT_ROW, GObject)

struct _SsuiEventRow {
  GObject parent_instance;
  char *time, *contact, *impulse;
  double t;
  SsEventKind kind;
  int direction;
  SsMethodId method; /* name interned */
};

G_DEFINE_FINAL_TYPE (SsuiEventRow, ssui_event_row, G_TYPE_OBJECT)

static void
ssui_event_row_finalize (GObject *object)
{
  SsuiEventRow *self = SSUI_EVENT_ROW (object);

  g_free (self->time);
  g_free (self->contact);
  g_free (self->impulse);
  G_OBJECT_CLASS (ssui_event_row_parent_class)->finalize (object);
}

static void
ssui_event_row_class_init (SsuiEventRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_event_row_finalize;
}

static void
ssui_event_row_init (SsuiEventRow *self)
{
  (void)self;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

struct _SsuiEventTable {
  GtkWidget parent_instance;
  GtkWidget *count, *kind, *copy, *stack, *empty;
  GtkColumnView *view;
  GListStore *rows;
  GtkSingleSelection *selection;
  GPtrArray *runs;
  GPtrArray *events; /* of GArray: those of the runs, kept while they are shown */
  GArray *shown;     /* of SsappEventRow, as in the table */
  guint version;     /* of the runs, when it was filled   */
  double time;
  gboolean has_ran;    /* one of the runs began */
  gboolean is_running; /* one of them goes on, or is paused */
};

G_DEFINE_FINAL_TYPE (SsuiEventTable, ssui_event_table, GTK_TYPE_WIDGET)

static guint activated_signal;

enum { COLUMN_TIME, COLUMN_KIND, COLUMN_CONTACT, COLUMN_IMPULSE, N_COLUMNS };

static void
draw_mark (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SsuiEventRow *row = g_object_get_data (G_OBJECT (area), "row");
  SsappStyle style;

  (void)data;
  if (row == NULL)
    return;
  ssui_style_init (&style, GTK_WIDGET (area));
  ssapp_event_mark_draw (cr, &style, row->kind, row->direction, width / 2.0, height / 2.0, MARK / 2.0 - 2.5);
}

static gboolean
is_number (int column)
{
  return column == COLUMN_TIME || column == COLUMN_IMPULSE;
}

static GtkWidget *
make_cell (guint column, gpointer data)
{
  GtkWidget *cell = ssui_cell_new (is_number ((int)column), column == COLUMN_KIND), *mark;

  (void)data;
  if (column == COLUMN_CONTACT)
    gtk_label_set_ellipsize (GTK_LABEL (cell), PANGO_ELLIPSIZE_MIDDLE);
  if (column != COLUMN_KIND)
    return cell;
  mark = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (mark), MARK);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (mark), MARK);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (mark), draw_mark, NULL, NULL);
  gtk_widget_set_valign (mark, GTK_ALIGN_CENTER);
  gtk_box_set_spacing (GTK_BOX (cell), 6);
  gtk_box_insert_child_after (GTK_BOX (cell), mark, gtk_widget_get_first_child (cell));
  return cell;
}

static void
fill_cell (GtkWidget *cell, gpointer item, guint column, gpointer data)
{
  SsuiEventTable *self = data;
  SsuiEventRow *row = item;
  const char *text = column == COLUMN_TIME      ? row->time
                     : column == COLUMN_CONTACT ? row->contact
                     : column == COLUMN_IMPULSE ? row->impulse
                                                : ssapp_event_kind_title (row->kind);

  g_object_set_data_full (G_OBJECT (cell), "row", g_object_ref (row), g_object_unref);
  if (column == COLUMN_KIND) {
    GtkWidget *method = gtk_widget_get_first_child (cell), *mark = gtk_widget_get_next_sibling (method);
    gtk_widget_set_visible (method, self->runs != NULL && self->runs->len > 1);
    ssui_method_mark_set_method (SSUI_METHOD_MARK (method), row->method);
    g_object_set_data_full (G_OBJECT (mark), "row", g_object_ref (row), g_object_unref);
    gtk_widget_queue_draw (mark);
    cell = gtk_widget_get_last_child (cell);
  }
  gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
add_columns (SsuiEventTable *self)
{
  static const char *const titles[N_COLUMNS] = {N_ ("Time [s]"), N_ ("Kind"), N_ ("Contact"), N_ ("Impulse [N s]")};
  static const SsuiCells cells = {make_cell, fill_cell};

  for (guint i = 0; i < N_COLUMNS; i++)
    ssui_columns_add (self->view, _ (titles[i]), i, !is_number ((int)i), &cells, self);
  ssui_align_headers (self->view, is_number);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* -1: all of them. */
static int
chosen_kind (SsuiEventTable *self)
{
  const guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kind));

  return chosen == GTK_INVALID_LIST_POSITION ? -1 : (int)chosen - 1;
}

static void
mark_row (SsuiEventTable *self)
{
  const int at = ssapp_event_rows_at (self->shown, self->time);
  const guint wanted = at >= 0 ? (guint)at : GTK_INVALID_LIST_POSITION;
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));

  if (gtk_single_selection_get_selected (self->selection) == wanted)
    return;
  gtk_single_selection_set_selected (self->selection, wanted);
  if (at >= 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", wanted);
}

static void
fill (SsuiEventTable *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  const int kind = chosen_kind (self);

  g_clear_pointer (&self->shown, g_array_unref);
  g_ptr_array_set_size (self->events, 0);
  for (guint i = 0; self->runs != NULL && i < self->runs->len; i++)
    g_ptr_array_add (self->events, g_array_ref (ssapp_run_get_events (g_ptr_array_index (self->runs, i))));
  self->shown = ssapp_event_rows_new (self->runs, kind);
  for (guint i = 0; i < self->shown->len; i++) {
    const SsappEventRow *from = &g_array_index (self->shown, SsappEventRow, i);
    SsuiEventRow *row = g_object_new (SSUI_TYPE_EVENT_ROW, NULL);
    row->time = ssapp_event_row_time (from);
    row->contact = ssapp_event_row_contact (from);
    row->impulse = ssapp_event_row_impulse (from);
    row->t = from->event->t;
    row->kind = from->event->kind;
    row->direction = from->event->direction;
    row->method = ssapp_run_get_method (from->run);
    row->method.name = g_intern_string (row->method.name);
    g_ptr_array_add (items, row);
  }
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), items->pdata, items->len);
  g_autofree char *count = g_strdup_printf ("%u", self->shown->len);
  gtk_label_set_text (GTK_LABEL (self->count), count);
  gtk_widget_set_sensitive (self->copy, self->shown->len > 0);
  gtk_label_set_text (GTK_LABEL (self->empty), !self->has_ran     ? _ ("Events come with the run")
                                               : self->is_running ? _ ("Events are told when the run ends")
                                               : kind >= 0        ? _ ("No events of this kind")
                                                           : _ ("No events: nothing touches, parts, slips or sticks"));
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), self->shown->len > 0 ? "table" : "empty");
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  mark_row (self);
}

void
ssui_event_table_set_runs (SsuiEventTable *self, GPtrArray *runs)
{
  g_return_if_fail (SSUI_IS_EVENT_TABLE (self));

  guint version = 1;
  gboolean has_ran = FALSE, is_running = FALSE;

  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    GArray *events = ssapp_run_get_events (run);
    version = 31 * version + GPOINTER_TO_UINT (events) + (events != NULL ? events->len : 0) +
              ssapp_run_is_by_second_clock (run);
    has_ran = has_ran || ssapp_run_get_outcome (run) != NULL;
    is_running = is_running || ssapp_run_is_running (run);
  }
  version = 4 * version + 2 * is_running + has_ran;
  if (self->runs != NULL && runs == self->runs && version == self->version)
    return;
  self->version = version;
  self->has_ran = has_ran;
  self->is_running = is_running;
  GPtrArray *old = self->runs;
  self->runs = runs != NULL ? g_ptr_array_ref (runs) : NULL;
  g_clear_pointer (&old, g_ptr_array_unref);
  fill (self);
}

void
ssui_event_table_set_time (SsuiEventTable *self, double time)
{
  g_return_if_fail (SSUI_IS_EVENT_TABLE (self));
  self->time = time;
  mark_row (self);
}

void
ssui_event_table_copy (SsuiEventTable *self)
{
  g_return_if_fail (SSUI_IS_EVENT_TABLE (self));

  g_autofree char *text = ssapp_event_rows_to_tsv (self->shown, self->runs != NULL && self->runs->len > 1);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
on_activate (SsuiEventTable *self, guint position)
{
  g_autoptr (SsuiEventRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);

  if (row != NULL)
    g_signal_emit (self, activated_signal, 0, row->t);
}

/* The menu of the row at a place. */
static GMenuModel *
menu_at (GtkWidget *widget, double x, double y, gboolean by_key, gpointer data)
{
  SsuiEventTable *self = SSUI_EVENT_TABLE (widget);
  SsuiEventRow *row;
  graphene_point_t at;
  guint position;

  (void)by_key;
  (void)data;
  if (!gtk_widget_compute_point (widget, GTK_WIDGET (self->view), &GRAPHENE_POINT_INIT ((float)x, (float)y), &at))
    return NULL;
  row = ssui_columns_pick (self->view, at.x, at.y);
  if (row == NULL || !g_list_store_find (self->rows, row, &position))
    return NULL;
  const SsappEventRow *from = &g_array_index (self->shown, SsappEventRow, position);
  return ssui_run_menu_of_event (from->run, from->event->t);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_event_table_dispose (GObject *object)
{
  SsuiEventTable *self = SSUI_EVENT_TABLE (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_EVENT_TABLE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->rows);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->shown, g_array_unref);
  g_clear_pointer (&self->events, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_event_table_parent_class)->dispose (object);
}

static void
ssui_event_table_class_init (SsuiEventTableClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_event_table_dispose;
  activated_signal = g_signal_new ("event-activated", SSUI_TYPE_EVENT_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-event-table.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiEventTable, count);
  gtk_widget_class_bind_template_child (widget_class, SsuiEventTable, kind);
  gtk_widget_class_bind_template_child (widget_class, SsuiEventTable, copy);
  gtk_widget_class_bind_template_child (widget_class, SsuiEventTable, stack);
  gtk_widget_class_bind_template_child (widget_class, SsuiEventTable, empty);
  gtk_widget_class_bind_template_child (widget_class, SsuiEventTable, view);
}

static void
ssui_event_table_init (SsuiEventTable *self)
{
  GtkStringList *kinds;

  gtk_widget_init_template (GTK_WIDGET (self));
  ssui_label_drop_down (self->kind, _ ("Kind of events"));
  kinds = gtk_string_list_new (NULL);
  gtk_string_list_append (kinds, _ ("All Kinds"));
  for (int k = 0; k < SS_EVENT_COUNT; k++)
    gtk_string_list_append (kinds, ssapp_event_kind_title ((SsEventKind)k));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->kind), G_LIST_MODEL (kinds));
  g_object_unref (kinds);
  self->rows = g_list_store_new (SSUI_TYPE_EVENT_ROW);
  self->shown = ssapp_event_rows_new (NULL, -1);
  self->events = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  ssui_context_menu_attach (GTK_WIDGET (self), menu_at, NULL);
  add_columns (self);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  g_object_unref (self->selection); /* the view keeps it */
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_object (self->kind, "notify::selected", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (ssui_event_table_copy), self);
}

GtkWidget *
ssui_event_table_new (void)
{
  return g_object_new (SSUI_TYPE_EVENT_TABLE, NULL);
}
