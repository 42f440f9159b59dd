/* ui/parts/ssui-run-row.c: see the header. */
#include "ui/parts/ssui-run-row.h"

#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

#define PADDING     8   /* px at both sides of a cell */
#define MARK        34  /* before a method's name, with its gap */
#define GAP         6   /* between mark and name */
#define ROW_HEIGHT  28  /* at least [px] */
#define LEAST_TEXT  64  /* px: of a text that may be narrower */
#define LEAST_NAME  112 /* px: of a method's name, as long as that of most of ours */
#define MOST_TITLE  140 /* px: of a column's title; a longer one is cut, its tooltip has it */
#define LEAST_OWN   32  /* px: what a user may make of any */
#define BORDER_GRIP 5   /* px at both sides of a border in the header */

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static void
cell_clear (gpointer data)
{
  g_free (((SsuiRunCell *)data)->title);
}

GArray *
ssui_run_cells_new (void)
{
  GArray *cells = g_array_new (FALSE, TRUE, sizeof (SsuiRunCell));

  g_array_set_clear_func (cells, cell_clear);
  return cells;
}

static SsuiRunCell *
cell_at (GArray *cells, guint i)
{
  return &g_array_index (cells, SsuiRunCell, i);
}

static int
least_of (const SsuiRunCell *cell)
{
  if (cell->own > 0 || !cell->expands)
    return cell->own > 0 ? cell->own : cell->usual;
  return MIN (cell->usual, 2 * PADDING + (cell->kind == SSUI_RUN_CELL_METHOD ? LEAST_NAME + MARK : LEAST_TEXT));
}

int
ssui_run_cells_least_width (GArray *cells)
{
  int width = 0;

  for (guint i = 0; i < cells->len; i++)
    width += least_of (cell_at (cells, i));
  return width;
}

/* What a cell may have beyond its least width: nothing where it does not expand, or the user gave it one. */
static int
wanted_of (const SsuiRunCell *cell)
{
  return cell->expands && cell->own == 0 ? cell->usual - least_of (cell) : 0;
}

/* Methods, which tell runs apart, first get what they need, then other texts; those that expand share the rest. */
static void
ssui_run_cells_place (GArray *cells, int width)
{
  int spare = MAX (width - ssui_run_cells_least_width (cells), 0), wanted[2] = {0, 0}, n_expanding = 0, x = 0;
  double part[2]; /* of what methods, and what others want */

  for (guint i = 0; i < cells->len; i++) {
    const SsuiRunCell *cell = cell_at (cells, i);
    wanted[cell->kind != SSUI_RUN_CELL_METHOD] += wanted_of (cell);
    n_expanding += cell->expands && cell->own == 0;
  }
  for (int k = 0; k < 2; k++) {
    part[k] = wanted[k] > 0 ? MIN ((double)spare / wanted[k], 1) : 0;
    spare = MAX (spare - wanted[k], 0);
  }
  const int rest = n_expanding > 0 ? spare / n_expanding : 0;
  for (guint i = 0; i < cells->len; i++) {
    SsuiRunCell *cell = cell_at (cells, i);
    cell->x = x;
    cell->width = least_of (cell) + (int)(part[cell->kind != SSUI_RUN_CELL_METHOD] * wanted_of (cell)) +
                  (cell->expands && cell->own == 0 ? rest : 0);
    x += cell->width;
  }
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

struct _SsuiRunRow {
  GtkWidget parent_instance;
  GArray *cells;
  GPtrArray *texts;   /* of char *, a cell each, NULL: none */
  GPtrArray *layouts; /* of PangoLayout, NULL until it is drawn */
  GtkWidget *check, *mark, *chip;
  char *outcome, *message;
  gboolean is_filling, is_head;
};

G_DEFINE_FINAL_TYPE (SsuiRunRow, ssui_run_row, GTK_TYPE_WIDGET)

enum { TOGGLED, N_ROW_SIGNALS };
static guint row_signals[N_ROW_SIGNALS];

static void
layout_free (gpointer layout)
{
  if (layout != NULL)
    g_object_unref (layout);
}

static void
forget_layouts (SsuiRunRow *self)
{
  g_ptr_array_set_size (self->layouts, 0);
  g_ptr_array_set_size (self->layouts, (int)self->texts->len);
}

static PangoLayout *
layout_of (SsuiRunRow *self, guint i, int width)
{
  PangoLayout *layout = g_ptr_array_index (self->layouts, i);

  if (layout == NULL) {
    g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
    layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), g_ptr_array_index (self->texts, i));
    pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
    pango_layout_set_attributes (layout, attributes);
    pango_layout_set_single_paragraph_mode (layout, TRUE);
    pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    g_ptr_array_index (self->layouts, i) = layout;
  }
  pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
  return layout;
}

static void
ssui_run_row_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiRunRow *self = SSUI_RUN_ROW (widget);
  const int height = gtk_widget_get_height (widget),
            mark_width = self->is_head ? 0 : gtk_widget_get_width (self->mark) + GAP;
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  for (guint i = 0; i < self->cells->len && i < self->texts->len; i++) {
    const SsuiRunCell *cell = cell_at (self->cells, i);
    const int before = cell->kind == SSUI_RUN_CELL_METHOD ? mark_width : 0, width = cell->width - 2 * PADDING - before;
    PangoRectangle size;
    if (g_ptr_array_index (self->texts, i) == NULL || width <= 0)
      continue;
    PangoLayout *layout = layout_of (self, i, width);
    pango_layout_get_pixel_extents (layout, NULL, &size);
    const int x =
        cell->kind == SSUI_RUN_CELL_NUMBER ? cell->x + cell->width - PADDING - size.width : cell->x + PADDING + before;
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)(x - size.x), (float)((height - size.height) / 2)));
    gtk_snapshot_append_layout (snapshot, layout, &color);
    gtk_snapshot_restore (snapshot);
  }
  GTK_WIDGET_CLASS (ssui_run_row_parent_class)->snapshot (widget, snapshot);
}

static void
place_child (GtkWidget *child, int x, int most, int height)
{
  int width, own_height;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &own_height, NULL, NULL);
  width = MIN (width, MAX (most, 1));
  own_height = MIN (own_height, height);
  gtk_widget_size_allocate (child, &(GtkAllocation){x, (height - own_height) / 2, width, own_height}, -1);
}

static void
ssui_run_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiRunRow *self = SSUI_RUN_ROW (widget);
  GtkWidget *const children[] = {[SSUI_RUN_CELL_CHECK] = self->check,
                                 [SSUI_RUN_CELL_METHOD] = self->mark,
                                 [SSUI_RUN_CELL_TEXT] = NULL,
                                 [SSUI_RUN_CELL_NUMBER] = NULL,
                                 [SSUI_RUN_CELL_OUTCOME] = self->chip};

  (void)baseline;
  ssui_run_cells_place (self->cells, width);
  for (guint i = 0; i < self->cells->len; i++) {
    const SsuiRunCell *cell = cell_at (self->cells, i);
    if (children[cell->kind] != NULL)
      place_child (children[cell->kind], cell->x + PADDING, cell->width - PADDING, height);
  }
}

static void
ssui_run_row_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  SsuiRunRow *self = SSUI_RUN_ROW (widget);

  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = ssui_run_cells_least_width (self->cells);
  else {
    int check, chip;
    gtk_widget_measure (self->check, GTK_ORIENTATION_VERTICAL, -1, NULL, &check, NULL, NULL);
    gtk_widget_measure (self->chip, GTK_ORIENTATION_VERTICAL, -1, NULL, &chip, NULL, NULL);
    *minimum = *natural = MAX (MAX (check, chip) + 4, ROW_HEIGHT);
  }
}

/* A text that is cut, or why a run ended as it did. */
static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip, gpointer data)
{
  SsuiRunRow *self = SSUI_RUN_ROW (widget);

  (void)y;
  (void)data;
  for (guint i = 0; !by_keyboard && i < self->cells->len && i < self->texts->len; i++) {
    const SsuiRunCell *cell = cell_at (self->cells, i);
    PangoLayout *layout = g_ptr_array_index (self->layouts, i);
    const char *text = cell->kind == SSUI_RUN_CELL_OUTCOME                     ? self->message
                       : layout != NULL && pango_layout_is_ellipsized (layout) ? g_ptr_array_index (self->texts, i)
                                                                               : NULL;
    if (x < cell->x || x >= cell->x + cell->width)
      continue;
    gtk_tooltip_set_text (tooltip, text);
    return text != NULL && *text != '\0';
  }
  return FALSE;
}

static void
on_check (SsuiRunRow *self)
{
  if (!self->is_filling)
    g_signal_emit (self, row_signals[TOGGLED], 0);
}

static void
begin (SsuiRunRow *self, gboolean is_head)
{
  self->is_filling = TRUE;
  self->is_head = is_head;
  g_ptr_array_set_size (self->texts, 0);
  g_ptr_array_set_size (self->texts, (int)self->cells->len);
  forget_layouts (self);
  gtk_widget_set_child_visible (self->mark, !is_head);
  gtk_widget_set_child_visible (self->chip, !is_head);
}

void
ssui_run_row_begin_group (SsuiRunRow *self, gboolean is_open)
{
  begin (self, TRUE);
  g_clear_pointer (&self->message, g_free);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED, is_open, -1);
}

void
ssui_run_row_begin (SsuiRunRow *self, SsMethodId method, const char *outcome, const char *message)
{
  begin (self, FALSE);
  gtk_accessible_reset_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED);
  ssui_method_mark_set_method (SSUI_METHOD_MARK (self->mark), method);
  if (self->outcome == NULL || g_strcmp0 (self->outcome, outcome) != 0) {
    g_free (self->outcome);
    self->outcome = g_strdup (outcome);
    ssui_chip_set (self->chip, outcome, NULL);
  }
  g_free (self->message);
  self->message = g_strdup (message);
}

void
ssui_run_row_set_text (SsuiRunRow *self, guint cell, const char *text)
{
  g_return_if_fail (cell < self->texts->len);
  g_free (g_ptr_array_index (self->texts, cell));
  g_ptr_array_index (self->texts, cell) = text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

void
ssui_run_row_end (SsuiRunRow *self, const char *name, const char *check_name, gboolean is_checked)
{
  ssui_set_label (GTK_WIDGET (self), name);
  ssui_set_label (self->check, check_name);
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check)) != is_checked)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), is_checked);
  self->is_filling = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ssui_run_row_is_checked (SsuiRunRow *self)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check));
}

/* The font or the theme is another. */
static void
ssui_run_row_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ssui_run_row_parent_class)->css_changed (widget, change);
  forget_layouts (SSUI_RUN_ROW (widget));
}

static void
ssui_run_row_dispose (GObject *object)
{
  SsuiRunRow *self = SSUI_RUN_ROW (object);

  self->check = self->mark = self->chip = NULL;
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_run_row_parent_class)->dispose (object);
}

static void
ssui_run_row_finalize (GObject *object)
{
  SsuiRunRow *self = SSUI_RUN_ROW (object);

  g_array_unref (self->cells);
  g_ptr_array_unref (self->texts);
  g_ptr_array_unref (self->layouts);
  g_free (self->outcome);
  g_free (self->message);
  G_OBJECT_CLASS (ssui_run_row_parent_class)->finalize (object);
}

static void
ssui_run_row_class_init (SsuiRunRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_run_row_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_run_row_finalize;
  widget_class->snapshot = ssui_run_row_snapshot;
  widget_class->measure = ssui_run_row_measure;
  widget_class->size_allocate = ssui_run_row_size_allocate;
  widget_class->css_changed = ssui_run_row_css_changed;
  row_signals[TOGGLED] =
      g_signal_new ("toggled", SSUI_TYPE_RUN_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "row");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ROW);
}

static void
ssui_run_row_init (SsuiRunRow *self)
{
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->layouts = g_ptr_array_new_with_free_func (layout_free);
  self->check = gtk_check_button_new ();
  self->mark = ssui_method_mark_new ((SsMethodId){0});
  self->chip = ssui_chip_new ();
  gtk_widget_set_can_focus (self->check, FALSE); /* Space ticks the row under the cursor */
  g_signal_connect_object (self->check, "toggled", G_CALLBACK (on_check), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->check, GTK_WIDGET (self));
  gtk_widget_set_parent (self->mark, GTK_WIDGET (self));
  gtk_widget_set_parent (self->chip, GTK_WIDGET (self));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}

GtkWidget *
ssui_run_row_new (GArray *cells)
{
  SsuiRunRow *self = g_object_new (SSUI_TYPE_RUN_ROW, NULL);

  self->cells = g_array_ref (cells);
  return GTK_WIDGET (self);
}

/* ---- header ------------------------------------------------------------------------------------------------------ */

struct _SsuiRunHeader {
  GtkWidget parent_instance;
  GArray *cells;
  GPtrArray *buttons; /* of GtkWidget, a cell each */
  int grip;           /* cell whose border is dragged; -1: none */
  int grip_width;     /* of it, when the drag began */
};

G_DEFINE_FINAL_TYPE (SsuiRunHeader, ssui_run_header, GTK_TYPE_WIDGET)

enum { PRESSED, RESIZED, N_HEADER_SIGNALS };
static guint header_signals[N_HEADER_SIGNALS];

static void
on_button (GtkWidget *button, SsuiRunHeader *self)
{
  guint cell;

  if (g_ptr_array_find (self->buttons, button, &cell))
    g_signal_emit (self, header_signals[PRESSED], 0, cell);
}

static GtkWidget *
make_button (SsuiRunHeader *self, const SsuiRunCell *cell)
{
  GtkWidget *button = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2),
            *label = gtk_label_new (cell->title), *arrow = gtk_image_new ();
  g_autofree char *tooltip = g_strdup_printf (_ ("Sort by %s"), cell->title);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), cell->kind == SSUI_RUN_CELL_NUMBER ? 1 : 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_visible (arrow, FALSE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), arrow);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  ssui_set_label (button, tooltip);
  g_signal_connect (button, "clicked", G_CALLBACK (on_button), self);
  gtk_widget_set_visible (button, cell->kind != SSUI_RUN_CELL_CHECK);
  gtk_widget_set_parent (button, GTK_WIDGET (self));
  return button;
}

void
ssui_run_header_update (SsuiRunHeader *self)
{
  g_ptr_array_set_size (self->buttons, 0);
  ssui_unparent_children (GTK_WIDGET (self));
  for (guint i = 0; i < self->cells->len; i++) {
    SsuiRunCell *cell = cell_at (self->cells, i);
    GtkWidget *button = make_button (self, cell),
              *label = gtk_widget_get_first_child (gtk_button_get_child (GTK_BUTTON (button)));
    int width;
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
    gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
    const int arrow = 4; /* the rest of it goes into the padding */
    cell->usual = MAX (cell->usual, MIN (width, MOST_TITLE) + arrow + 2 * PADDING);
    g_ptr_array_add (self->buttons, button);
  }
}

void
ssui_run_header_set_sort (SsuiRunHeader *self, int cell, gboolean is_descending)
{
  for (guint i = 0; i < self->buttons->len; i++) {
    GtkWidget *button = g_ptr_array_index (self->buttons, i),
              *arrow = gtk_widget_get_last_child (gtk_button_get_child (GTK_BUTTON (button)));
    const gboolean is_sorted = (int)i == cell;
    gtk_widget_set_visible (arrow, is_sorted);
    if (is_sorted)
      gtk_image_set_from_icon_name (GTK_IMAGE (arrow), is_descending ? "pan-down-symbolic" : "pan-up-symbolic");
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    !is_sorted      ? ""
                                    : is_descending ? _ ("Sorted, largest first")
                                                    : _ ("Sorted, smallest first"),
                                    -1);
  }
}

static void
ssui_run_header_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiRunHeader *self = SSUI_RUN_HEADER (widget);

  (void)baseline;
  ssui_run_cells_place (self->cells, width);
  for (guint i = 0; i < self->buttons->len && i < self->cells->len; i++) {
    const SsuiRunCell *cell = cell_at (self->cells, i);
    GtkWidget *button = g_ptr_array_index (self->buttons, i);
    int least;
    if (!gtk_widget_get_visible (button))
      continue;
    gtk_widget_measure (button, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
    gtk_widget_size_allocate (button, &(GtkAllocation){cell->x, 0, MAX (cell->width, least), height}, -1);
  }
}

static void
ssui_run_header_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                         int *minimum_baseline, int *natural_baseline)
{
  SsuiRunHeader *self = SSUI_RUN_HEADER (widget);

  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? ssui_run_cells_least_width (self->cells) : ROW_HEIGHT;
  for (guint i = 0; orientation == GTK_ORIENTATION_VERTICAL && i < self->buttons->len; i++) {
    int height;
    gtk_widget_measure (g_ptr_array_index (self->buttons, i), GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
    *minimum = MAX (*minimum, height);
  }
  *natural = *minimum;
}

/* The cell whose right border is at x; -1: none. */
static int
border_at (SsuiRunHeader *self, double x)
{
  for (guint i = 0; i < self->cells->len; i++) {
    const SsuiRunCell *cell = cell_at (self->cells, i);
    if (cell->kind != SSUI_RUN_CELL_CHECK && fabs (x - (cell->x + cell->width)) <= BORDER_GRIP)
      return (int)i;
  }
  return -1;
}

static void
on_motion (SsuiRunHeader *self, double x)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), border_at (self, x) >= 0 ? "col-resize" : NULL);
}

static void
on_drag_begin (SsuiRunHeader *self, double x, double y, GtkGesture *drag)
{
  (void)y;
  self->grip = border_at (self, x);
  if (self->grip < 0) {
    gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  self->grip_width = cell_at (self->cells, (guint)self->grip)->width;
  gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_update (SsuiRunHeader *self, double dx)
{
  if (self->grip < 0 || (guint)self->grip >= self->cells->len)
    return;
  cell_at (self->cells, (guint)self->grip)->own = MAX (self->grip_width + (int)dx, LEAST_OWN);
  g_signal_emit (self, header_signals[RESIZED], 0);
}

static void
ssui_run_header_dispose (GObject *object)
{
  SsuiRunHeader *self = SSUI_RUN_HEADER (object);

  g_ptr_array_set_size (self->buttons, 0);
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_run_header_parent_class)->dispose (object);
}

static void
ssui_run_header_finalize (GObject *object)
{
  SsuiRunHeader *self = SSUI_RUN_HEADER (object);

  g_array_unref (self->cells);
  g_ptr_array_unref (self->buttons);
  G_OBJECT_CLASS (ssui_run_header_parent_class)->finalize (object);
}

static void
ssui_run_header_class_init (SsuiRunHeaderClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_run_header_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_run_header_finalize;
  widget_class->measure = ssui_run_header_measure;
  widget_class->size_allocate = ssui_run_header_size_allocate;
  header_signals[PRESSED] = g_signal_new ("pressed", SSUI_TYPE_RUN_HEADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_UINT);
  header_signals[RESIZED] =
      g_signal_new ("resized", SSUI_TYPE_RUN_HEADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "header");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ssui_run_header_init (SsuiRunHeader *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->buttons = g_ptr_array_new ();
  self->grip = -1;
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
ssui_run_header_new (GArray *cells)
{
  SsuiRunHeader *self = g_object_new (SSUI_TYPE_RUN_HEADER, NULL);

  self->cells = g_array_ref (cells);
  return GTK_WIDGET (self);
}
