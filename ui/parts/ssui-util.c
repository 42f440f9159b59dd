/* ui/parts/ssui-util.c: see the header. */
#include "ui/parts/ssui-util.h"

#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-outcome.h"

#include "app/draw/ssapp-plot.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

void
ssui_style_init (SsappStyle *style, GtkWidget *widget)
{
  g_return_if_fail (style != NULL);

  AdwStyleManager *manager = adw_style_manager_get_default ();
  const PangoFontDescription *font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  const char *family = font != NULL ? pango_font_description_get_family (font) : NULL;

  ssapp_style_init (style, adw_style_manager_get_dark (manager));
  style->is_high_contrast = adw_style_manager_get_high_contrast (manager);
  if (family != NULL)
    style->font = g_intern_string (family); /* the style only borrows it */
}

void
ssui_set_label (GtkWidget *widget, const char *label)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

GtkWidget *
ssui_icon_button_new (const char *icon, const char *name, GCallback callback, gpointer object)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, name);
  ssui_set_label (button, name);
  g_signal_connect_object (button, "clicked", callback, object, G_CONNECT_SWAPPED);
  return button;
}

void
ssui_label_drop_down (GtkWidget *drop_down, const char *label)
{
  ssui_set_label (drop_down, label);
  ssui_set_label (gtk_widget_get_first_child (drop_down), label);
}

static gboolean
tell_whole (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tip)
{
  GtkWidget *label = GTK_IS_LABEL (widget) ? widget : gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT);

  (void)by_key;
  if (!GTK_IS_LABEL (label) || !pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))))
    return FALSE;
  gtk_tooltip_set_text (tip, gtk_label_get_text (GTK_LABEL (label)));
  return TRUE;
}

void
ssui_tip_when_cut (GtkWidget *widget)
{
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (tell_whole), NULL);
}

void
ssui_follow_text (GtkWidget *entry, const char *text)
{
  const char *shown = g_object_get_data (G_OBJECT (entry), "shown");
  const gboolean is_typing = (gtk_widget_get_state_flags (entry) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;

  if (is_typing && g_strcmp0 (text, shown) == 0)
    return;
  g_object_set_data_full (G_OBJECT (entry), "shown", g_strdup (text), g_free);
  if (strcmp (gtk_editable_get_text (GTK_EDITABLE (entry)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

static gboolean covers (GMenuModel *one, GMenuModel *other);

static gboolean
covers_item (GMenuModel *one, GMenuModel *other, int i)
{
  g_autoptr (GMenuAttributeIter) attributes = g_menu_model_iterate_item_attributes (one, i);
  g_autoptr (GMenuLinkIter) links = g_menu_model_iterate_item_links (one, i);

  while (g_menu_attribute_iter_next (attributes)) {
    g_autoptr (GVariant) value = g_menu_attribute_iter_get_value (attributes);
    g_autoptr (GVariant) same =
        g_menu_model_get_item_attribute_value (other, i, g_menu_attribute_iter_get_name (attributes), NULL);
    if (same == NULL || !g_variant_equal (value, same))
      return FALSE;
  }
  while (g_menu_link_iter_next (links)) {
    g_autoptr (GMenuModel) value = g_menu_link_iter_get_value (links);
    g_autoptr (GMenuModel) same = g_menu_model_get_item_link (other, i, g_menu_link_iter_get_name (links));
    if (same == NULL || !covers (value, same))
      return FALSE;
  }
  return TRUE;
}

/* Whether `other` has as many items, and they have all attributes, sections and submenus of those of `one`. */
static gboolean
covers (GMenuModel *one, GMenuModel *other)
{
  const int n = g_menu_model_get_n_items (one);

  for (int i = 0; i < n && n == g_menu_model_get_n_items (other); i++)
    if (!covers_item (one, other, i))
      return FALSE;
  return n == g_menu_model_get_n_items (other);
}

void
ssui_set_menu (GtkWidget *button, GMenu *menu)
{
  GMenuModel *next = G_MENU_MODEL (menu), *shown = gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button));

  if (shown == NULL || !covers (shown, next) || !covers (next, shown))
    gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), next);
}

GtkWidget *
ssui_combo_row_new (const char *title, GtkStringList *list)
{
  GtkWidget *row = adw_combo_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  g_object_unref (list);
  ssui_tip_when_cut (row);
  return row;
}

static void
setup_cut (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer least_chars)
{
  GtkWidget *label = gtk_label_new (NULL);

  (void)factory;
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), GPOINTER_TO_INT (least_chars));
  gtk_list_item_set_child (item, label);
}

static void
bind_cut (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);

  (void)factory;
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, text);
}

void
ssui_cut_drop_down (GtkWidget *drop_down, int least_chars)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkExpression) text = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cut), GINT_TO_POINTER (least_chars));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cut), NULL);
  gtk_drop_down_set_expression (GTK_DROP_DOWN (drop_down), text);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop_down), factory);
}

void
ssui_set_description (GtkWidget *widget, const char *description)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

void
ssui_set_tip (GtkWidget *widget, const char *tip)
{
  if (g_strcmp0 (gtk_widget_get_tooltip_text (widget), tip) != 0)
    gtk_widget_set_tooltip_text (widget, tip);
}

void
ssui_show_mistake (GtkWidget *entry, const char *message)
{
  static const char own[] = "tip"; /* what the entry says while nothing is wrong */
  const char *tip = gtk_widget_get_tooltip_text (entry);

  if (g_object_get_data (G_OBJECT (entry), own) == NULL)
    g_object_set_data_full (G_OBJECT (entry), own, g_strdup (tip != NULL ? tip : ""), g_free);
  tip = message != NULL ? message : g_object_get_data (G_OBJECT (entry), own);
  if (message != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, *tip != '\0' ? tip : NULL);
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               message != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

void
ssui_unparent_children (GtkWidget *widget)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (widget)) != NULL)
    gtk_widget_unparent (child);
}

void
ssui_empty (GtkWidget *container)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (container)) != NULL)
    if (GTK_IS_BOX (container))
      gtk_box_remove (GTK_BOX (container), child);
    else
      gtk_list_box_remove (GTK_LIST_BOX (container), child);
}

gboolean
ssui_take_focus_from (GtkWidget *container)
{
  GtkRoot *root = gtk_widget_get_root (container);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, container))
    return FALSE;
  gtk_root_set_focus (root, NULL);
  return TRUE;
}

void
ssui_settings_keep (GSettings *settings, const char *key, GVariant *value)
{
  g_autoptr (GVariant) wanted = g_variant_ref_sink (value);
  g_autoptr (GVariant) now = settings != NULL ? g_settings_get_value (settings, key) : NULL;

  if (now != NULL && !g_variant_equal (now, wanted))
    g_settings_set_value (settings, key, wanted);
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

static const struct {
  const char *outcome, *class, *icon;
} outcomes[] = {
    {"solved", "good", "object-select-symbolic"},
    {"completed", "good", "object-select-symbolic"},
    {"running", "busy", "ss-running-symbolic"},
    {"waiting", "busy", "ss-running-symbolic"},
    {"cancelling", "busy", "ss-running-symbolic"},
    {"max_iterations", "attention", "dialog-warning-symbolic"},
    {"time_limit", "attention", "dialog-warning-symbolic"},
    {"cpu_limit", "attention", "dialog-warning-symbolic"},
    {"machine_slow", "machine", "dialog-warning-symbolic"},
    {"stalled", "attention", "dialog-warning-symbolic"},
    {"not_replayable", "attention", "dialog-warning-symbolic"},
    {"cancelled", "attention", "process-stop-symbolic"},
    {"paused", "attention", "media-playback-pause-symbolic"},
    {"interrupted", "attention", "dialog-warning-symbolic"},
    {"infeasible", "bad", "dialog-error-symbolic"},
    {"unbounded", "bad", "dialog-error-symbolic"},
    {"diverged", "bad", "dialog-error-symbolic"},
    {"failed", "bad", "dialog-error-symbolic"},
};

static int
find_outcome (const char *outcome)
{
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    if (g_strcmp0 (outcome, outcomes[i].outcome) == 0)
      return (int)i;
  return -1;
}

const char *
ssui_outcome_label (const char *outcome)
{
  return ssapp_outcome_label (outcome);
}

const char *
ssui_outcome_class (const char *outcome)
{
  int i = find_outcome (outcome);
  return i >= 0 ? outcomes[i].class : "";
}

static const char *
ssui_outcome_icon (const char *outcome)
{
  int i = find_outcome (outcome);
  return i >= 0 ? outcomes[i].icon : "media-playback-start-symbolic";
}

GtkWidget *
ssui_chip_new (void)
{
  GtkWidget *chip = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);

  gtk_widget_add_css_class (chip, "chip");
  gtk_widget_set_valign (chip, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (chip, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (chip), gtk_image_new ());
  gtk_box_append (GTK_BOX (chip), gtk_label_new (NULL));
  return chip;
}

void
ssui_chip_set (GtkWidget *chip, const char *outcome, const char *text)
{
  GtkWidget *image = gtk_widget_get_first_child (chip), *label = gtk_widget_get_last_child (chip);
  const char *class = ssui_outcome_class (outcome);
  const char *const classes[] = {"chip", *class != '\0' ? class : NULL, NULL};

  gtk_widget_set_css_classes (chip, (const char **)classes);
  gtk_image_set_from_icon_name (GTK_IMAGE (image), ssui_outcome_icon (outcome));
  gtk_label_set_text (GTK_LABEL (label), text != NULL ? text : ssui_outcome_label (outcome));
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

const char *
ssui_translate (const char *text)
{
  return text != NULL && *text != '\0' ? _ (text) : text;
}

GtkStringList *
ssui_strings_new (const char *const *words)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (int i = 0; words[i] != NULL; i++)
    gtk_string_list_append (list, _ (words[i]));
  return list;
}

char *
ssui_number (double value)
{
  const int digits = 4, digits_beside_power = 2;
  const double smallest_plain = 1e-3, largest_plain = 1e5;
  double size = fabs (value);

  if (!isfinite (value))
    return g_strdup ("–");
  return ssapp_format_number (value, size > 0 && (size < smallest_plain || size >= largest_plain) ? digits_beside_power
                                                                                                  : digits);
}

char *
ssui_distance (double metres)
{
  static const struct {
    double from, factor; /* [m]; units a metre */
    const char *unit;
  } units[] = {{0.1, 1, "m"}, {1e-4, 1e3, "mm"}, {0, 1e6, "µm"}};
  gsize k = 0;

  if (!isfinite (metres))
    return g_strdup ("–");
  while (fabs (metres) < units[k].from)
    k++;
  g_autofree char *number = ssapp_format_number (metres * units[k].factor, 2);
  return g_strdup_printf ("%s %s", number, units[k].unit);
}

/* The table's formats are of printf, "%.6g" or "%.1e" or "%.0f"; here a power of ten is set as one. */
char *
ssui_metric (SsMetric metric, double value)
{
  const SsMetricSpec *spec = ssapp_metric_spec (metric);
  const char conversion = spec->format[strlen (spec->format) - 1];
  const int precision = (int)g_ascii_strtoll (spec->format + strlen ("%."), NULL, 10);

  if (!isfinite (value))
    return g_strdup ("–");
  if (spec->type == SS_METRIC_TYPE_FLAG || conversion == 'f')
    return ssapp_metric_text (metric, value);
  return ssapp_format_number (value, conversion == 'e' ? precision + 1 : precision);
}

char *
ssui_seconds (double value)
{
  if (!isfinite (value))
    return g_strdup ("–");
  return g_strdup_printf (value < 0.1 ? "%.3f s" : value < 10 ? "%.2f s" : value < 100 ? "%.1f s" : "%.0f s", value);
}

static GtkWidget *
find_label (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_label (child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

void
ssui_let_shrink (GtkWidget *widget, int most_chars)
{
  GtkWidget *label = find_label (widget);

  g_return_if_fail (label != NULL);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), most_chars);
}

void
ssui_align_header (GtkWidget *title)
{
  GtkWidget *label = find_label (title);

  if (label == NULL)
    return;
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
}

/* GTK 4.8 has no property for it: the labels are looked up in the header. */
void
ssui_align_headers (GtkColumnView *view, gboolean (*is_number) (int column))
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  int column = 0;

  for (GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL; title != NULL;
       title = gtk_widget_get_next_sibling (title), column++)
    if (is_number (column))
      ssui_align_header (title);
}

char *
ssui_first_line (const char *text)
{
  const char *end = text != NULL ? strchr (text, '\n') : NULL;
  return end != NULL ? g_strndup (text, (gsize)(end - text)) : g_strdup (text != NULL ? text : "");
}

const char *
ssui_item_icon (const char *kind)
{
  static const struct {
    const char *kind, *icon;
  } icons[] = {{"goal", "ss-goal-symbolic"},
               {"bounds", "ss-bounds-symbolic"},
               {"force", "ss-force-symbolic"},
               {"torque", "ss-torque-symbolic"},
               {"joint", "ss-motor-symbolic"},
               {"spring", "ss-spring-symbolic"},
               {"measure", "ss-measure-symbolic"},
               {"note", "ss-note-symbolic"},
               {"torsion spring", "ss-torsion-symbolic"},
               {"weld", "ss-weld-symbolic"},
               {"slider", "ss-slider-symbolic"},
               {"rod", "ss-rod-symbolic"},
               {"gear", "ss-gear-symbolic"},
               {"rope", "ss-rope-symbolic"},
               {"constraint", "ss-equation-symbolic"},
               {"cost", "ss-equation-symbolic"},
               {"contact", "ss-contact-symbolic"},
               {"material", "ss-material-symbolic"},
               {"pair of materials", "ss-material-symbolic"}};

  for (guint i = 0; i < G_N_ELEMENTS (icons); i++)
    if (g_str_equal (kind, icons[i].kind))
      return icons[i].icon;
  return "ss-joint-symbolic"; /* pin, slider, weld, rod */
}

GskRenderNode *
ssui_picture_new (cairo_surface_t *surface, int width, int height)
{
  const double scale = (double)cairo_image_surface_get_width (surface) / width;
  GskRenderNode *node = gsk_cairo_node_new (&GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_scale (cr, 1 / scale, 1 / scale);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  return node;
}

GdkTexture *
ssui_texture_new (cairo_surface_t *surface)
{
  const int width = cairo_image_surface_get_width (surface), height = cairo_image_surface_get_height (surface);
  const int stride = cairo_image_surface_get_stride (surface);

  cairo_surface_flush (surface);
  g_autoptr (GBytes) bytes = g_bytes_new (cairo_image_surface_get_data (surface), (gsize)stride * (gsize)height);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize)stride);
}
