/* ui/window/ssui-window-picture.c: the window's commands for the picture under the sheet: a file, how it lies and
 * looks, its scale by two points; tracing is a tool of the canvas. Tests: tests/ui/test_picture.py */
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>

static SsappSheetPicture *
picture_of (SsuiWindow *self)
{
  return ssui_canvas_get_picture (ssui_window_get_canvas (self));
}

static gboolean
has_picture (SsuiWindow *self)
{
  /* Asked while the start page stands alone, too: it makes no page. */
  SsuiCanvas *canvas = ssui_window_has_scene (self) ? ssui_window_find_parts (self, &ssui_sketch_page).canvas : NULL;

  return canvas != NULL && ssapp_sheet_picture_get (ssui_canvas_get_picture (canvas)) != NULL;
}

/* ---- a file ------------------------------------------------------------------------------------------------------ */

static cairo_surface_t *
load_picture (const char *path, GError **error)
{
  int columns, rows;

  if (gdk_pixbuf_get_file_info (path, &columns, &rows) != NULL && !ssapp_picture_check_size (columns, rows, error))
    return NULL;
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new_from_file (path, error);
  if (pixbuf == NULL)
    return NULL;
  g_autoptr (GdkPixbuf) upright = gdk_pixbuf_apply_embedded_orientation (pixbuf); /* a camera that was held upright */
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, gdk_pixbuf_get_width (upright), gdk_pixbuf_get_height (upright));
  cairo_t *cr = cairo_create (surface);
  gdk_cairo_set_source_pixbuf (cr, upright, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  return surface;
}

static void
put_picture (SsuiWindow *self, const char *path)
{
  SsuiCanvas *canvas = ssui_window_get_canvas (self);
  const double scale = ssui_canvas_get_pixels_per_metre (canvas);
  g_autoptr (GError) error = NULL;
  cairo_surface_t *surface = load_picture (path, &error);
  const gboolean done =
      surface != NULL && ssapp_sheet_picture_put (picture_of (self), surface, ssui_canvas_get_centre (canvas),
                                                  gtk_widget_get_width (GTK_WIDGET (canvas)) / scale,
                                                  gtk_widget_get_height (GTK_WIDGET (canvas)) / scale, &error);

  if (surface != NULL)
    cairo_surface_destroy (surface);
  if (!done)
    ssui_window_fail (self, _ ("No picture"), error->message);
  ssui_window_queue_state (self);
}

gboolean
ssui_window_take_picture (SsuiWindow *self, const char *path)
{
  g_autofree char *type = g_content_type_guess (path, NULL, 0, NULL),
                  *mime = type != NULL ? g_content_type_get_mime_type (type) : NULL;

  if (mime == NULL || !g_str_has_prefix (mime, "image/") || !ssui_window_has_scene (self))
    return FALSE;
  put_picture (self, path);
  return TRUE;
}

ACTION (on_picture)
{
  (void)action;
  put_picture (data, g_variant_get_string (parameter, NULL));
}

static void
choose_picture (SsuiWindow *self)
{
  static const char *const patterns[] = {"*.png", "*.jpg", "*.jpeg", "*.tif", "*.tiff", NULL};

  ssui_window_choose_file (self, _ ("Picture Under the Sheet"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL,
                           patterns, NULL, put_picture);
}

/* ---- how it lies and looks --------------------------------------------------------------------------------------- */

enum { PICTURE_WIDTH, PICTURE_LEFT, PICTURE_LOW, PICTURE_OPACITY, N_PICTURE_ROWS };

static const struct {
  const char *title, *unit;
} picture_fields[N_PICTURE_ROWS] = {
    {N_ ("Width"), "m"}, {N_ ("Left edge, x"), "m"}, {N_ ("Lower edge, y"), "m"}, {N_ ("Opacity"), "%"}};

typedef struct {
  SsuiWindow *window; /* lives longer: the dialog is its transient and modal */
  GtkWidget *dialog, *rows[N_PICTURE_ROWS];
  char *shown[N_PICTURE_ROWS]; /* texts of the rows that nobody has changed */
  SsVec2 from, to;             /* two points that shall be a distance apart; `rows` has that alone then */
  gboolean is_distance;
} PictureDialog;

static gboolean
read_picture_rows (PictureDialog *self, double values[N_PICTURE_ROWS])
{
  gboolean all = TRUE;

  for (int i = 0; i < N_PICTURE_ROWS && self->rows[i] != NULL; i++) {
    const char *text = gtk_editable_get_text (GTK_EDITABLE (self->rows[i]));
    const gboolean good = ssapp_parse_quantity (text, i == PICTURE_OPACITY ? "" : picture_fields[i].unit, &values[i]) &&
                          (i != PICTURE_WIDTH || values[i] > 0) &&
                          (i != PICTURE_OPACITY || (values[i] >= 0 && values[i] <= 100));
    if (good)
      gtk_widget_remove_css_class (self->rows[i], "error");
    else
      gtk_widget_add_css_class (self->rows[i], "error");
    all = all && good;
  }
  return all;
}

static gboolean
is_changed (const PictureDialog *self, int row)
{
  return !g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->rows[row])), self->shown[row]);
}

static void
on_picture_row (PictureDialog *self)
{
  double values[N_PICTURE_ROWS];

  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self->dialog), "apply",
                                           read_picture_rows (self, values));
}

static void
on_picture_response (AdwMessageDialog *dialog, const char *response, PictureDialog *self)
{
  SsappSheetPicture *picture = picture_of (self->window);
  const SsappUnderlay *now = ssapp_sheet_picture_get (picture);
  double v[N_PICTURE_ROWS];

  (void)dialog;
  if (g_str_equal (response, "another"))
    choose_picture (self->window);
  if (!g_str_equal (response, "apply") || now == NULL || !read_picture_rows (self, v))
    return;
  if (self->is_distance) {
    if (is_changed (self, PICTURE_WIDTH))
      ssapp_sheet_picture_set_distance (picture, self->from, self->to, v[PICTURE_WIDTH]);
    return;
  }
  /* What was not changed stays as it is: its row shows six digits of it. */
  ssapp_sheet_picture_lay (picture,
                           (SsVec2){is_changed (self, PICTURE_LEFT) ? v[PICTURE_LEFT] : now->at.x,
                                    is_changed (self, PICTURE_LOW) ? v[PICTURE_LOW] : now->at.y},
                           is_changed (self, PICTURE_WIDTH) ? v[PICTURE_WIDTH] : now->width,
                           is_changed (self, PICTURE_OPACITY) ? v[PICTURE_OPACITY] / 100 : now->opacity);
}

static void
picture_dialog_free (PictureDialog *self)
{
  for (int i = 0; i < N_PICTURE_ROWS; i++)
    g_free (self->shown[i]);
  g_free (self);
}

static PictureDialog *
picture_dialog_new (SsuiWindow *window, const char *title, const char *text, int n_rows, const double *values)
{
  PictureDialog *self = g_new0 (PictureDialog, 1);
  GtkWidget *list = gtk_list_box_new ();

  self->window = window;
  self->dialog = adw_message_dialog_new (GTK_WINDOW (window), title, text);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  for (int i = 0; i < n_rows; i++) {
    g_autofree char *name =
        g_strdup_printf ("%s [%s]", n_rows > 1 ? _ (picture_fields[i].title) : _ ("Distance"), picture_fields[i].unit);
    self->shown[i] = g_strdup_printf ("%.6g", values[i]);
    self->rows[i] = adw_entry_row_new ();
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->rows[i]), name);
    gtk_editable_set_text (GTK_EDITABLE (self->rows[i]), self->shown[i]);
    g_signal_connect_swapped (self->rows[i], "changed", G_CALLBACK (on_picture_row), self);
    adw_entry_row_set_activates_default (ADW_ENTRY_ROW (self->rows[i]), TRUE);
    gtk_list_box_append (GTK_LIST_BOX (list), self->rows[i]);
  }
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (self->dialog), list);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (self->dialog), "cancel", _ ("_Cancel"), NULL);
  if (n_rows > 1)
    adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (self->dialog), "another", _ ("Another _Picture…"), NULL);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (self->dialog), "apply", _ ("_Apply"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (self->dialog), "apply", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (self->dialog), "apply");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (self->dialog), "cancel");
  g_signal_connect_data (self->dialog, "response", G_CALLBACK (on_picture_response), self, NULL, 0);
  g_object_set_data_full (G_OBJECT (self->dialog), "picture", self, (GDestroyNotify)picture_dialog_free);
  return self;
}

ACTION (on_picture_dialog)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (!has_picture (self)) {
    choose_picture (self);
    return;
  }
  const SsappUnderlay *underlay = ssapp_sheet_picture_get (picture_of (self));
  const double values[N_PICTURE_ROWS] = {underlay->width, underlay->at.x, underlay->at.y, 100 * underlay->opacity};
  PictureDialog *dialog = picture_dialog_new (
      self, _ ("Picture Under the Sheet"),
      _ ("It is kept with the sketch in the project, and is no part of runs and exports."), N_PICTURE_ROWS, values);
  gtk_window_present (GTK_WINDOW (dialog->dialog));
}

ACTION (on_picture_distance)
{
  SsuiWindow *self = data;
  double x0, y0, x1, y1;
  (void)action;
  g_variant_get (parameter, "(dddd)", &x0, &y0, &x1, &y1);
  if (!has_picture (self) || (x0 == x1 && y0 == y1)) {
    ssui_window_toast (self, _ ("Drag from one point of the picture to another"));
    return;
  }
  const double now = ssapp_sheet_picture_distance ((SsVec2){x0, y0}, (SsVec2){x1, y1});
  PictureDialog *dialog =
      picture_dialog_new (self, _ ("Scale of the Picture"),
                          _ ("How far apart are the two points? The picture grows or shrinks to it."), 1, &now);
  dialog->from = (SsVec2){x0, y0};
  dialog->to = (SsVec2){x1, y1};
  dialog->is_distance = TRUE;
  gtk_window_present (GTK_WINDOW (dialog->dialog));
}

ACTION (on_picture_place)
{
  double x, y, width;
  (void)action;
  g_variant_get (parameter, "(ddd)", &x, &y, &width);
  ssapp_sheet_picture_place (picture_of (data), x, y, width);
}

ACTION (on_picture_show)
{
  SsappSheetPicture *picture = picture_of (data);
  const SsappUnderlay *underlay = ssapp_sheet_picture_get (picture);
  UNUSED_ACTION;
  if (underlay != NULL)
    ssapp_sheet_picture_show (picture, !underlay->is_shown);
}

ACTION (on_picture_remove)
{
  UNUSED_ACTION;
  ssapp_sheet_picture_remove (picture_of (data));
  ssui_window_toast_undo_step (data, _ ("Picture removed"));
  ssui_window_queue_state (data);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SsuiCommand picture_commands[] = {
    {.name = "picture", .activate = on_picture, .parameter_type = "s" /* path */, .when = ssui_window_has_scene},
    {.name = "picture-dialog",
     .activate = on_picture_dialog,
     .when = ssui_window_has_scene,
     .label = N_ ("Picture Under the Sheet…"),
     .menus = SSUI_MENU_PICTURE},
    {.name = "tool", .target = "::trace", .label = N_ ("Trace a Region"), .menus = SSUI_MENU_PICTURE},
    {.name = "tool", .target = "::picture-scale", .label = N_ ("Scale by Two Points"), .menus = SSUI_MENU_PICTURE},
    {.name = "tool", .target = "::picture-move", .label = N_ ("Move by Dragging"), .menus = SSUI_MENU_PICTURE},
    {.name = "picture-distance-dialog",
     .activate = on_picture_distance,
     .parameter_type = "(dddd)" /* x, y of two points */},
    {.name = "picture-place",
     .activate = on_picture_place,
     .parameter_type = "(ddd)" /* left, low, width [m] */,
     .when = has_picture},
    {.name = "picture-show",
     .activate = on_picture_show,
     .when = has_picture,
     .label = N_ ("Show or Hide"),
     .menus = SSUI_MENU_PICTURE},
    {.name = "picture-remove",
     .activate = on_picture_remove,
     .when = has_picture,
     .label = N_ ("Remove"),
     .menus = SSUI_MENU_PICTURE},
};

const SsuiSubject ssui_picture_commands = {picture_commands, G_N_ELEMENTS (picture_commands), NULL, NULL};
