/* ui/parts/ssui-share-table.c: see the header. */
#include "ui/parts/ssui-share-table.h"

#include "ui/parts/ssui-columns.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define MARK_PX     16
#define BAR_PX      52
#define REFRESH_MS  120 /* while samples stream in */
#define MARK_RADIUS 5.0

/* ---- an item: a mode with its share ------------------------------------------------------------------------------ */

#define SSUI_TYPE_SHARE_ITEM (ssui_share_item_get_type ())
G_DECLARE_FINAL_TYPE (SsuiShareItem, ssui_share_item, SSUI, SHARE_ITEM, GObject)

struct _SsuiShareItem {
  GObject parent_instance;
  int number, n_contacts;
  guint32 code;
  char *name;
  double share, brushed; /* brushed: share of the brushed samples; NaN: there is no brush */
};

G_DEFINE_FINAL_TYPE (SsuiShareItem, ssui_share_item, G_TYPE_OBJECT)

static guint updated_signal;

static void
ssui_share_item_finalize (GObject *object)
{
  g_free (SSUI_SHARE_ITEM (object)->name);
  G_OBJECT_CLASS (ssui_share_item_parent_class)->finalize (object);
}

static void
ssui_share_item_class_init (SsuiShareItemClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_share_item_finalize;
  updated_signal =
      g_signal_new ("updated", SSUI_TYPE_SHARE_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssui_share_item_init (SsuiShareItem *self)
{
  (void)self;
}

/* ---- a mark: the marker of a mode, or a bar as long as its share ------------------------------------------------- */

#define SSUI_TYPE_SHARE_MARK (ssui_share_mark_get_type ())
G_DECLARE_FINAL_TYPE (SsuiShareMark, ssui_share_mark, SSUI, SHARE_MARK, GtkWidget)

struct _SsuiShareMark {
  GtkWidget parent_instance;
  gboolean is_bar;
  SsuiShareItem *item; /* nullable */
};

G_DEFINE_FINAL_TYPE (SsuiShareMark, ssui_share_mark, GTK_TYPE_WIDGET)

static void
ssui_share_mark_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiShareMark *self = SSUI_SHARE_MARK (widget);
  const int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget);
  SsappJointLook look;
  SsappStyle style;
  cairo_t *cr;

  if (self->item == NULL)
    return;
  ssui_style_init (&style, widget);
  ssapp_joint_mode_look (&style, self->item->code, self->item->n_contacts, self->item->number, &look);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
  if (self->is_bar)
    ssapp_share_bar_draw (cr, &style, &look, self->item->share, self->item->brushed, 0, 0, w, h);
  else
    ssapp_joint_marker_draw (cr, &style, &look, w / 2.0, h / 2.0, MARK_RADIUS);
  cairo_destroy (cr);
}

static void
ssui_share_mark_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? MARK_PX
                        : SSUI_SHARE_MARK (widget)->is_bar      ? BAR_PX
                                                                : MARK_PX;
}

static void
ssui_share_mark_set_item (SsuiShareMark *self, SsuiShareItem *item)
{
  g_set_object (&self->item, item);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ssui_share_mark_dispose (GObject *object)
{
  g_clear_object (&SSUI_SHARE_MARK (object)->item);
  G_OBJECT_CLASS (ssui_share_mark_parent_class)->dispose (object);
}

static void
ssui_share_mark_class_init (SsuiShareMarkClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_share_mark_dispose;
  widget_class->snapshot = ssui_share_mark_snapshot;
  widget_class->measure = ssui_share_mark_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ssui_share_mark_init (SsuiShareMark *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

struct _SsuiShareTable {
  GtkWidget parent_instance;
  GtkColumnView *view;
  GListStore *items;
  GtkSingleSelection *selection;
  SsappImpactSet *set; /* nullable */
  guint refresh;
  gboolean is_loading;
};

G_DEFINE_FINAL_TYPE (SsuiShareTable, ssui_share_table, GTK_TYPE_WIDGET)

enum { COLUMN_MODE, COLUMN_BAR, COLUMN_SHARE, N_COLUMNS };

/* Share of the samples; with a brush, of the brushed ones. */
static char *
share_text (const SsuiShareItem *item)
{
  const double share = item->brushed == item->brushed ? item->brushed : item->share;
  return g_strdup_printf (share > 0 && share < 0.0005 ? "%.2f %%" : "%.1f %%", 100 * share);
}

static GtkWidget *
make_cell (guint column, gpointer data)
{
  GtkWidget *cell, *label;

  (void)data;
  if (column == COLUMN_SHARE)
    return ssui_cell_new (TRUE, FALSE);
  cell = g_object_new (SSUI_TYPE_SHARE_MARK, NULL);
  SSUI_SHARE_MARK (cell)->is_bar = column == COLUMN_BAR;
  if (column == COLUMN_BAR)
    return cell;
  label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_box_append (GTK_BOX (box), cell);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static void
fill_cell (GtkWidget *cell, gpointer item, guint column, gpointer data)
{
  (void)data;
  if (column == COLUMN_MODE) {
    ssui_share_mark_set_item (SSUI_SHARE_MARK (gtk_widget_get_first_child (cell)), item);
    gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (cell)), SSUI_SHARE_ITEM (item)->name);
  } else if (column == COLUMN_BAR) {
    ssui_share_mark_set_item (SSUI_SHARE_MARK (cell), item);
  } else {
    g_autofree char *text = share_text (item);
    gtk_label_set_text (GTK_LABEL (cell), text);
  }
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void
fill_item (SsuiShareItem *item, const SsappImpactMode *mode, const SsappImpactTotals *totals)
{
  item->code = mode->code;
  item->n_contacts = totals->n_contacts;
  item->share = totals->n > 0 ? (double)mode->n / (double)totals->n : 0;
  item->brushed = totals->n_brushed > 0    ? (double)mode->n_brushed / (double)totals->n_brushed
                  : totals->n_brushed == 0 ? 0
                                           : 0.0 / 0.0;
  if (item->number != mode->number || g_strcmp0 (item->name, mode->name) != 0) {
    item->number = mode->number;
    g_free (item->name);
    item->name = g_strdup (mode->name);
  }
  g_signal_emit (item, updated_signal, 0);
}

/* The chosen outcome's row. */
static void
show_selection (SsuiShareTable *self)
{
  const gint64 chosen = ssapp_impact_set_get_chosen (self->set);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint k = 0; k < n && chosen >= 0; k++) {
    g_autoptr (SsuiShareItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), k);
    if (ssapp_impact_set_get_modes (self->set)[chosen] == item->number)
      found = k;
  }
  self->is_loading = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->is_loading = FALSE;
}

static gboolean
on_refresh (gpointer data)
{
  SsuiShareTable *self = data;
  const guint n = (guint)ssapp_impact_set_get_n_modes (self->set);
  g_autofree int *order = ssapp_impact_set_sort_modes (self->set);
  SsappImpactTotals totals;

  self->refresh = 0;
  ssapp_impact_set_get_totals (self->set, &totals);
  self->is_loading = TRUE;
  while (g_list_model_get_n_items (G_LIST_MODEL (self->items)) > n)
    g_list_store_remove (self->items, g_list_model_get_n_items (G_LIST_MODEL (self->items)) - 1);
  while (g_list_model_get_n_items (G_LIST_MODEL (self->items)) < n) {
    g_autoptr (SsuiShareItem) item = g_object_new (SSUI_TYPE_SHARE_ITEM, NULL);
    item->number = -1;
    g_list_store_append (self->items, item);
  }
  for (guint k = 0; k < n; k++) {
    g_autoptr (SsuiShareItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), k);
    fill_item (item, ssapp_impact_set_get_mode (self->set, order[k]), &totals);
  }
  self->is_loading = FALSE;
  show_selection (self);
  return G_SOURCE_REMOVE;
}

static void
queue_refresh (SsuiShareTable *self)
{
  if (self->refresh == 0)
    self->refresh = g_timeout_add (REFRESH_MS, on_refresh, self);
}

static void
on_selected (SsuiShareTable *self)
{
  SsuiShareItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (!self->is_loading && item != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.impact-mode", "i", item->number);
}

/* Return, or a second click: brushes the mode, or takes the brush away. */
static void
on_activate (SsuiShareTable *self, guint position)
{
  g_autoptr (SsuiShareItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), position);

  if (item != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.impact-brush-mode", "i",
                                ssapp_impact_set_has_brush (self->set) ? -1 : item->number);
}

void
ssui_share_table_show (SsuiShareTable *self, SsappImpactSet *set)
{
  g_return_if_fail (SSUI_IS_SHARE_TABLE (self));

  g_set_object (&self->set, set);
  g_signal_connect_object (set, "changed", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (set, "chosen", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
  queue_refresh (self);
}

static void
ssui_share_table_dispose (GObject *object)
{
  SsuiShareTable *self = SSUI_SHARE_TABLE (object);

  if (self->refresh != 0)
    g_source_remove (self->refresh);
  self->refresh = 0;
  if (self->set != NULL)
    g_signal_handlers_disconnect_by_data (self->set, self);
  g_clear_object (&self->set);
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_share_table_parent_class)->dispose (object);
}

static void
ssui_share_table_class_init (SsuiShareTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_share_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_share_table_init (SsuiShareTable *self)
{
  static const char *const titles[N_COLUMNS] = {N_ ("Mode"), "", N_ ("Share")};
  static const SsuiCells cells = {make_cell, fill_cell, "updated"};

  self->items = g_list_store_new (SSUI_TYPE_SHARE_ITEM);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->items));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (GTK_SELECTION_MODEL (self->selection)));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  ssui_set_label (GTK_WIDGET (self->view), _ ("Share of modes"));
  for (guint i = 0; i < N_COLUMNS; i++)
    ssui_columns_add (self->view, ssui_translate (titles[i]), i, i == COLUMN_MODE, &cells, self);
  gtk_widget_set_parent (GTK_WIDGET (self->view), GTK_WIDGET (self));
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
}
