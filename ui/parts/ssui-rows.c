/* ui/parts/ssui-rows.c: see the header. */
#include "ui/parts/ssui-rows.h"

#include "ui/parts/ssui-util.h"

#include <math.h>

#define SPARE 2 /* rows above and below what is seen */

struct _SsuiRows {
  GtkWidget parent_instance;
  GtkAdjustment *across, *down;
  guint across_policy, down_policy; /* of GtkScrollable; rows do not care */
  GtkWidget *header;
  SsuiRowsMake make;
  SsuiRowsBind bind;
  gpointer data;
  GPtrArray *pool;   /* of GtkWidget: row p is pool[p % len] */
  GArray *positions; /* of guint: the position that each widget of the pool shows; SSUI_ROWS_NONE: none */
  guint n, cursor;
  int row_height, header_height, least_width;
  guint idle; /* source that fills the rows for which the last allocation made room; 0: none waits */
};

enum { PROP_HADJUSTMENT = 1, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };
enum { CURSOR_CHANGED, ACTIVATED, TOGGLED, UNFOLDED, TAKE_ALL, MENU, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (SsuiRows, ssui_rows, GTK_TYPE_WIDGET, G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* ---- which rows are on show -------------------------------------------------------------------------------------- */

static double
value_of (GtkAdjustment *adjustment)
{
  return adjustment != NULL ? gtk_adjustment_get_value (adjustment) : 0;
}

static void
add_to_pool (SsuiRows *self)
{
  GtkWidget *row = self->make (self->data);
  const guint none = SSUI_ROWS_NONE;

  gtk_widget_insert_before (row, GTK_WIDGET (self), self->header);
  g_ptr_array_add (self->pool, row);
  g_array_append_val (self->positions, none);
}

static void
find_row_height (SsuiRows *self)
{
  if (self->row_height > 0 || self->make == NULL)
    return;
  if (self->pool->len == 0)
    add_to_pool (self);
  gtk_widget_measure (g_ptr_array_index (self->pool, 0), GTK_ORIENTATION_VERTICAL, -1, NULL, &self->row_height, NULL,
                      NULL);
  self->row_height = MAX (self->row_height, 1);
}

static void
range_on_show (SsuiRows *self, int height, guint *first, guint *end)
{
  const double top = value_of (self->down);
  const int rows_height = MAX (height - self->header_height, 0);

  find_row_height (self);
  *first = (guint)MAX (floor (top / self->row_height), 0);
  *end = (guint)MIN (ceil ((top + rows_height) / self->row_height), self->n);
  *first = MIN (*first, self->n);
}

static void
mark_cursor (SsuiRows *self, guint slot)
{
  GtkWidget *row = g_ptr_array_index (self->pool, slot);
  const gboolean is_cursor =
      self->cursor != SSUI_ROWS_NONE && g_array_index (self->positions, guint, slot) == self->cursor;

  if (is_cursor)
    gtk_widget_set_state_flags (row, GTK_STATE_FLAG_SELECTED, FALSE);
  else
    gtk_widget_unset_state_flags (row, GTK_STATE_FLAG_SELECTED);
  if (is_cursor)
    gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_ACTIVE_DESCENDANT, row, -1);
}

/* Fills the rows that came into view; `all`: those that were there too. */
static void
fill (SsuiRows *self, gboolean all)
{
  guint first, end;

  if (self->make == NULL)
    return;
  range_on_show (self, gtk_widget_get_height (GTK_WIDGET (self)), &first, &end);
  first = first > SPARE ? first - SPARE : 0;
  end = MIN (end + SPARE, self->n);
  if (end - first > self->pool->len) { /* rows change their places in the pool */
    while (self->pool->len < end - first)
      add_to_pool (self);
    all = TRUE;
  }
  for (guint slot = 0; slot < self->pool->len; slot++) {
    guint *position = &g_array_index (self->positions, guint, slot);
    if (all || (*position != SSUI_ROWS_NONE && (*position < first || *position >= end)))
      *position = SSUI_ROWS_NONE;
  }
  for (guint p = first; p < end; p++) {
    const guint slot = p % self->pool->len;
    guint *position = &g_array_index (self->positions, guint, slot);
    if (*position == p)
      continue;
    *position = p;
    self->bind (g_ptr_array_index (self->pool, slot), p, self->data);
    mark_cursor (self, slot);
  }
  for (guint slot = 0; slot < self->pool->len; slot++)
    gtk_widget_set_child_visible (g_ptr_array_index (self->pool, slot),
                                  g_array_index (self->positions, guint, slot) != SSUI_ROWS_NONE);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static gboolean
on_idle (gpointer data)
{
  SsuiRows *self = data;

  self->idle = 0;
  fill (self, FALSE);
  return G_SOURCE_REMOVE;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static void
set_adjustments (SsuiRows *self, int width, int height)
{
  const int seen = MAX (height - self->header_height, 1), all = (int)self->n * self->row_height,
            wide = MAX (width, self->least_width);

  if (self->across != NULL)
    gtk_adjustment_configure (self->across, CLAMP (value_of (self->across), 0, MAX (wide - width, 0)), 0, wide,
                              width * 0.1, width * 0.9, width);
  if (self->down != NULL)
    gtk_adjustment_configure (self->down, CLAMP (value_of (self->down), 0, MAX (all - seen, 0)), 0, MAX (all, seen),
                              self->row_height, MAX (seen - self->row_height, 1), seen);
}

static void
ssui_rows_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiRows *self = SSUI_ROWS (widget);
  guint first, end;

  (void)baseline;
  if (self->header != NULL)
    gtk_widget_measure (self->header, GTK_ORIENTATION_VERTICAL, -1, NULL, &self->header_height, NULL, NULL);
  find_row_height (self);
  set_adjustments (self, width, height);
  const int wide = MAX (width, self->least_width), x = -(int)value_of (self->across);
  const double top = value_of (self->down);
  for (guint slot = 0; slot < self->pool->len; slot++) {
    const guint position = g_array_index (self->positions, guint, slot);
    GtkAllocation place = {x, 0, wide, self->row_height};
    if (position == SSUI_ROWS_NONE)
      continue;
    place.y = self->header_height + (int)((double)position * self->row_height - top);
    gtk_widget_size_allocate (g_ptr_array_index (self->pool, slot), &place, -1);
  }
  if (self->header != NULL)
    gtk_widget_size_allocate (self->header, &(GtkAllocation){x, 0, wide, self->header_height}, -1);
  /* Rows that there is room for now are filled afterwards: filling changes sizes, which an allocation must not. */
  range_on_show (self, height, &first, &end);
  gboolean is_filled = TRUE;
  for (guint p = first; p < end && is_filled; p++)
    is_filled = self->pool->len > 0 && g_array_index (self->positions, guint, p % self->pool->len) == p;
  if (!is_filled && self->idle == 0)
    self->idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_idle, self, NULL);
}

static void
ssui_rows_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                   int *minimum_baseline, int *natural_baseline)
{
  SsuiRows *self = SSUI_ROWS (widget);
  const int few = 4, usual = 12; /* rows */

  (void)for_size;
  (void)minimum_baseline;
  (void)natural_baseline;
  find_row_height (self);
  if (self->header != NULL)
    gtk_widget_measure (self->header, GTK_ORIENTATION_VERTICAL, -1, NULL, &self->header_height, NULL, NULL);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 100 : self->header_height + few * self->row_height;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                 ? MAX (self->least_width, 100)
                 : self->header_height + (int)CLAMP (self->n, (guint)few, (guint)usual) * self->row_height;
}

/* Rows that are partly above the first one would stand in the header. */
static void
ssui_rows_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiRows *self = SSUI_ROWS (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (0, self->header_height, width, MAX (height - self->header_height, 0)));
  for (guint slot = 0; slot < self->pool->len; slot++)
    if (g_array_index (self->positions, guint, slot) != SSUI_ROWS_NONE)
      gtk_widget_snapshot_child (widget, g_ptr_array_index (self->pool, slot), snapshot);
  gtk_snapshot_pop (snapshot);
  if (self->header != NULL)
    gtk_widget_snapshot_child (widget, self->header, snapshot);
}

static void
on_scrolled (SsuiRows *self)
{
  fill (self, FALSE);
}

static void
set_adjustment (SsuiRows *self, GtkAdjustment **place, GtkAdjustment *adjustment)
{
  if (*place != NULL)
    g_signal_handlers_disconnect_by_data (*place, self);
  g_set_object (place, adjustment);
  if (adjustment != NULL)
    g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* ---- cursor ------------------------------------------------------------------------------------------------------ */

guint
ssui_rows_get_cursor (SsuiRows *self)
{
  return self->cursor;
}

static void
scroll_to (SsuiRows *self, guint position)
{
  if (self->down == NULL)
    return;
  const double top = (double)position * self->row_height, seen = gtk_adjustment_get_page_size (self->down),
               value = value_of (self->down);
  if (top < value)
    gtk_adjustment_set_value (self->down, top);
  else if (top + self->row_height > value + seen)
    gtk_adjustment_set_value (self->down, top + self->row_height - seen);
}

void
ssui_rows_set_cursor (SsuiRows *self, guint position, gboolean is_seen)
{
  self->cursor = position < self->n ? position : SSUI_ROWS_NONE;
  for (guint slot = 0; slot < self->pool->len; slot++)
    mark_cursor (self, slot);
  if (is_seen && self->cursor != SSUI_ROWS_NONE)
    scroll_to (self, self->cursor);
}

static void
move_cursor (SsuiRows *self, guint position)
{
  if (self->n == 0)
    return;
  ssui_rows_set_cursor (self, MIN (position, self->n - 1), TRUE);
  g_signal_emit (self, signals[CURSOR_CHANGED], 0);
}

static guint
row_at (SsuiRows *self, double y)
{
  const double at = (y - self->header_height + value_of (self->down)) / self->row_height;

  return y < self->header_height || at < 0 || at >= self->n ? SSUI_ROWS_NONE : (guint)at;
}

/* A press on a check button is its own. */
static gboolean
is_on_check (SsuiRows *self, double x, double y)
{
  GtkWidget *hit = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);

  return hit != NULL && (GTK_IS_CHECK_BUTTON (hit) || gtk_widget_get_ancestor (hit, GTK_TYPE_CHECK_BUTTON) != NULL);
}

static void
on_pressed (SsuiRows *self, int n_press, double x, double y, GtkGesture *click)
{
  const guint position = row_at (self, y), button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (click));

  if (position == SSUI_ROWS_NONE || is_on_check (self, x, y))
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  move_cursor (self, position);
  if (button == GDK_BUTTON_SECONDARY)
    g_signal_emit (self, signals[MENU], 0, x, y);
  else if (n_press == 2)
    g_signal_emit (self, signals[ACTIVATED], 0, position);
}

/* Where a menu of the row under the cursor belongs. */
static void
ask_for_menu (SsuiRows *self)
{
  const double x = 40;

  if (self->cursor == SSUI_ROWS_NONE)
    return;
  scroll_to (self, self->cursor);
  g_signal_emit (self, signals[MENU], 0, x,
                 self->header_height + ((double)self->cursor + 1) * self->row_height - value_of (self->down));
}

static gboolean
on_key (SsuiRows *self, guint key, guint code, GdkModifierType state)
{
  const gboolean has_cursor = self->cursor != SSUI_ROWS_NONE;
  const guint cursor = has_cursor ? self->cursor : 0;
  const guint page = self->down != NULL && self->row_height > 0
                         ? (guint)MAX (gtk_adjustment_get_page_size (self->down) / self->row_height - 1, 1)
                         : 1;
  gboolean is_taken = FALSE;

  (void)code;
  if ((state & GDK_CONTROL_MASK) != 0 && (key == GDK_KEY_a || key == GDK_KEY_A)) {
    g_signal_emit (self, signals[TAKE_ALL], 0);
    return TRUE;
  }
  if (key == GDK_KEY_Menu || (key == GDK_KEY_F10 && (state & GDK_SHIFT_MASK) != 0)) {
    ask_for_menu (self);
    return TRUE;
  }
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  switch (key) {
  case GDK_KEY_Up:
  case GDK_KEY_KP_Up:
    move_cursor (self, cursor > 0 ? cursor - 1 : 0);
    return TRUE;
  case GDK_KEY_Down:
  case GDK_KEY_KP_Down:
    move_cursor (self, has_cursor ? cursor + 1 : 0);
    return TRUE;
  case GDK_KEY_Page_Up:
  case GDK_KEY_KP_Page_Up:
    move_cursor (self, cursor > page ? cursor - page : 0);
    return TRUE;
  case GDK_KEY_Page_Down:
  case GDK_KEY_KP_Page_Down:
    move_cursor (self, cursor + page);
    return TRUE;
  case GDK_KEY_Home:
  case GDK_KEY_KP_Home:
    move_cursor (self, 0);
    return TRUE;
  case GDK_KEY_End:
  case GDK_KEY_KP_End:
    move_cursor (self, self->n > 0 ? self->n - 1 : 0);
    return TRUE;
  case GDK_KEY_Right:
  case GDK_KEY_KP_Right:
  case GDK_KEY_Left:
  case GDK_KEY_KP_Left:
    if (has_cursor)
      g_signal_emit (self, signals[UNFOLDED], 0, cursor, key == GDK_KEY_Right || key == GDK_KEY_KP_Right, &is_taken);
    return is_taken;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_ISO_Enter:
  case GDK_KEY_space:
    if (has_cursor)
      g_signal_emit (self, signals[key == GDK_KEY_space ? TOGGLED : ACTIVATED], 0, cursor);
    return has_cursor;
  default:
    return FALSE;
  }
}

/* ---- contents ---------------------------------------------------------------------------------------------------- */

void
ssui_rows_set_factory (SsuiRows *self, SsuiRowsMake make, SsuiRowsBind bind, gpointer data)
{
  self->make = make;
  self->bind = bind;
  self->data = data;
}

void
ssui_rows_set_header (SsuiRows *self, GtkWidget *header)
{
  g_clear_pointer (&self->header, gtk_widget_unparent);
  self->header = header;
  if (header != NULL)
    gtk_widget_set_parent (header, GTK_WIDGET (self));
}

void
ssui_rows_set_least_width (SsuiRows *self, int width)
{
  if (self->least_width == width)
    return;
  self->least_width = width;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ssui_rows_set_n (SsuiRows *self, guint n)
{
  const gboolean resizes = n != self->n;

  self->n = n;
  if (self->cursor != SSUI_ROWS_NONE && self->cursor >= n)
    self->cursor = SSUI_ROWS_NONE;
  find_row_height (self);
  set_adjustments (self, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self)));
  fill (self, TRUE);
  if (resizes)
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ssui_rows_refresh (SsuiRows *self)
{
  fill (self, TRUE);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_rows_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  SsuiRows *self = SSUI_ROWS (object);

  (void)pspec;
  if (id == PROP_HADJUSTMENT)
    g_value_set_object (value, self->across);
  else if (id == PROP_VADJUSTMENT)
    g_value_set_object (value, self->down);
  else
    g_value_set_enum (value, (int)(id == PROP_HSCROLL_POLICY ? self->across_policy : self->down_policy));
}

static void
ssui_rows_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  SsuiRows *self = SSUI_ROWS (object);

  (void)pspec;
  if (id == PROP_HADJUSTMENT)
    set_adjustment (self, &self->across, g_value_get_object (value));
  else if (id == PROP_VADJUSTMENT)
    set_adjustment (self, &self->down, g_value_get_object (value));
  else if (id == PROP_HSCROLL_POLICY)
    self->across_policy = (guint)g_value_get_enum (value);
  else
    self->down_policy = (guint)g_value_get_enum (value);
}

static void
ssui_rows_dispose (GObject *object)
{
  SsuiRows *self = SSUI_ROWS (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  set_adjustment (self, &self->across, NULL);
  set_adjustment (self, &self->down, NULL);
  g_ptr_array_set_size (self->pool, 0);
  self->header = NULL;
  self->make = NULL;
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_rows_parent_class)->dispose (object);
}

static void
ssui_rows_finalize (GObject *object)
{
  SsuiRows *self = SSUI_ROWS (object);

  g_ptr_array_unref (self->pool);
  g_array_unref (self->positions);
  G_OBJECT_CLASS (ssui_rows_parent_class)->finalize (object);
}

static void
ssui_rows_class_init (SsuiRowsClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = ssui_rows_dispose;
  object_class->finalize = ssui_rows_finalize;
  object_class->get_property = ssui_rows_get_property;
  object_class->set_property = ssui_rows_set_property;
  widget_class->measure = ssui_rows_measure;
  widget_class->size_allocate = ssui_rows_size_allocate;
  widget_class->snapshot = ssui_rows_snapshot;
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  signals[CURSOR_CHANGED] =
      g_signal_new ("cursor-changed", SSUI_TYPE_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] =
      g_signal_new ("activated", SSUI_TYPE_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[TOGGLED] =
      g_signal_new ("toggled", SSUI_TYPE_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[UNFOLDED] = g_signal_new ("unfolded", SSUI_TYPE_ROWS, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
                                    NULL, NULL, G_TYPE_BOOLEAN, 2, G_TYPE_UINT, G_TYPE_BOOLEAN);
  signals[TAKE_ALL] = g_signal_new ("take-all", SSUI_TYPE_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MENU] = g_signal_new ("menu", SSUI_TYPE_ROWS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_set_css_name (widget_class, "rows");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GRID);
}

static void
ssui_rows_init (SsuiRows *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->pool = g_ptr_array_new ();
  self->positions = g_array_new (FALSE, FALSE, sizeof (guint));
  self->cursor = SSUI_ROWS_NONE;
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), 0);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}
