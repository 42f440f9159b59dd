/* ui/window/ssui-fit-window.c: see the header. */
#include "ui/window/ssui-fit-window.h"

#include "ui/parts/ssui-util.h"
#include "ui/window/ssui-fit-rows.h"
#include "ui/window/ssui-fit-setup.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum {
  WIDTH = 1280,
  HEIGHT = 800,
  LEAST = 480,
  MARGIN = 12,
  SIDE = 300,    /* px: the column of estimates */
  BESIDE = 760,  /* px of results from which it stands beside the plots */
  PATHS = 290,   /* heights of plots [px] */
  CHANNEL = 150, /* of each channel */
  ELLIPSE = 230,
  DESCENT = 170
};

struct _SsuiFitWindow {
  AdwWindow parent_instance;
  SsappFitSession *fit;
  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  AdwFlap *flap;
  GtkWidget *run, *stop, *use, *keep, *take, *side_button;
  GtkWidget *chip, *spinner, *told, *trials, *stack, *both, *estimates, *starts, *starts_expander, *open, *open_card,
      *together_card, *pair[2], *correlation, *kind[2], *measured, *residuals, *ellipse, *descent, *estimates_card;
  gboolean shows_channels, is_updating, is_wrong;
  guint narrow_idle;
  int width;
};

G_DEFINE_FINAL_TYPE (SsuiFitWindow, ssui_fit_window, ADW_TYPE_WINDOW)

SsappFitPicture
ssui_fit_window_get_picture (SsuiFitWindow *self, gboolean *is_there)
{
  const guint trial = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->trials));
  SsappFitPicture picture = {.trial = -1, .pair = {-1, -1}};

  *is_there = ssapp_fit_session_get_picture (self->fit, &picture);
  if (trial != GTK_INVALID_LIST_POSITION && (int)trial <= picture.n_trials)
    picture.trial = (int)trial - 1;
  for (int i = 0; i < 2 && picture.result != NULL; i++) {
    const guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->pair[i]));
    picture.pair[i] =
        chosen != GTK_INVALID_LIST_POSITION && (int)chosen < picture.result->n_estimates ? (int)chosen : -1;
  }
  return picture;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static const SsappPlotKind *
plot_of (SsuiFitWindow *self, GtkWidget *area)
{
  const char *name = area == self->measured    ? (self->shows_channels ? "fitted" : "paths")
                     : area == self->residuals ? "residuals"
                     : area == self->ellipse   ? "ellipse"
                                               : "descent";

  return ssapp_fit_plot_find (name, NULL);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SsuiFitWindow *self = data;
  gboolean is_there;
  const SsappFitPicture picture = ssui_fit_window_get_picture (self, &is_there);
  SsappStyle style;

  if (!is_there)
    return;
  ssui_style_init (&style, GTK_WIDGET (area));
  ssapp_fit_picture_draw (cr, &style, &picture, plot_of (self, GTK_WIDGET (area)), width, height);
}

static void
redraw (SsuiFitWindow *self)
{
  gboolean is_there;
  const SsappFitPicture picture = ssui_fit_window_get_picture (self, &is_there);
  const int channels = MAX (picture.n_channels, 1) * CHANNEL;

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->measured), self->shows_channels ? channels : PATHS);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->residuals), channels);
  gtk_widget_queue_draw (self->measured);
  gtk_widget_queue_draw (self->residuals);
  gtk_widget_queue_draw (self->ellipse);
  gtk_widget_queue_draw (self->descent);
}

/* ---- estimates --------------------------------------------------------------------------------------------------- */

static void
clear_list (GtkWidget *list)
{
  ssui_take_focus_from (list);
  ssui_empty (list);
}

static void
show_estimates (SsuiFitWindow *self, const SsFitResult *result)
{
  int n_starts = 0, n_open = 0;

  clear_list (self->estimates);
  clear_list (self->starts);
  clear_list (self->open);
  for (int k = 0; result != NULL && k < result->n_estimates; k++) {
    const SsFitEstimate *e = &result->estimates[k];
    g_autofree char *name = ssapp_fit_name (result, k);
    gtk_list_box_append (GTK_LIST_BOX (e->trial < 0 ? self->estimates : self->starts),
                         ssui_fit_estimate_row_new (self->fit, k));
    n_starts += e->trial >= 0;
    /* of a model that does not fit the sentence says all */
    if (!e->is_identifiable && e->why[0] != '\0' && result->verdict != SS_FIT_POOR) {
      gtk_list_box_append (GTK_LIST_BOX (self->open), ssui_fit_open_row_new (name, e->why));
      n_open++;
    }
  }
  g_autofree char *words =
      g_strdup_printf (ngettext ("Of each trial, %d number", "Of each trial, %d numbers", (gulong)n_starts), n_starts);
  gtk_expander_set_label (GTK_EXPANDER (self->starts_expander), words);
  gtk_expander_set_expanded (GTK_EXPANDER (self->starts_expander), result != NULL && n_starts == result->n_estimates);
  gtk_widget_set_visible (self->starts_expander, n_starts > 0);
  gtk_widget_set_visible (self->estimates, result != NULL && n_starts < result->n_estimates);
  gtk_widget_set_visible (self->open_card, n_open > 0);
  gtk_widget_set_visible (self->estimates_card, result != NULL);
}

static void
show_correlation (SsuiFitWindow *self)
{
  gboolean is_there;
  int pair[2];
  const SsappFitPicture picture = ssui_fit_window_get_picture (self, &is_there);
  const double correlation = is_there ? ssapp_fit_picture_pair (&picture, pair) : (double)NAN;
  g_autofree char *words = isfinite (correlation) ? g_strdup_printf (_ ("correlation %s%.2f"),
                                                                     correlation < 0 ? "−" : "", fabs (correlation))
                                                  : g_strdup (_ ("choose two with intervals"));

  gtk_label_set_text (GTK_LABEL (self->correlation), words);
  gtk_widget_set_visible (self->ellipse, isfinite (correlation));
  gtk_widget_queue_draw (self->ellipse);
}

static void
on_pair (SsuiFitWindow *self)
{
  if (!self->is_updating)
    show_correlation (self);
}

static void
show_pair (SsuiFitWindow *self, const SsFitResult *result)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int pair[2], n_told = 0;

  for (int k = 0; result != NULL && k < result->n_estimates; k++) {
    g_autofree char *name = ssapp_fit_name (result, k);
    gtk_string_list_append (names, name);
    n_told += result->estimates[k].is_identifiable;
  }
  gtk_widget_set_visible (self->together_card, n_told > 1);
  self->is_updating = TRUE;
  for (int i = 0; i < 2; i++)
    gtk_drop_down_set_model (GTK_DROP_DOWN (self->pair[i]), G_LIST_MODEL (names));
  if (n_told > 1) {
    const SsappFitPicture usual = {.result = result, .pair = {-1, -1}};
    (void)ssapp_fit_picture_pair (&usual, pair);
    for (int i = 0; i < 2; i++)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->pair[i]), (guint)pair[i]);
  }
  self->is_updating = FALSE;
  show_correlation (self);
}

/* ---- what is on show --------------------------------------------------------------------------------------------- */

static void
show_trials (SsuiFitWindow *self, int n)
{
  GListModel *before = gtk_drop_down_get_model (GTK_DROP_DOWN (self->trials));
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (before != NULL && (int)g_list_model_get_n_items (before) == n + 1)
    return;
  gtk_string_list_append (names, _ ("All Trials"));
  for (int i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf (_ ("Trial %d"), i + 1);
    gtk_string_list_append (names, name);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->trials), G_LIST_MODEL (names));
  gtk_widget_set_visible (self->trials, n > 1);
}

static void
show_verdict (SsuiFitWindow *self)
{
  static const char *const outcomes[] = {"solved", "stalled", "failed"}, *const words[] = {N_ ("Good"), N_ ("Doubtful"),
                                                                                           N_ ("Poor")};
  const SsFitResult *result = ssapp_fit_session_get_result (self->fit);
  const gboolean is_early = result != NULL && ss_outcome_is_early (result->outcome);

  gtk_widget_set_visible (self->chip, result != NULL);
  if (result != NULL)
    ssui_chip_set (self->chip, is_early ? ss_outcome_name (result->outcome) : outcomes[result->verdict],
                   is_early ? NULL : _ (words[result->verdict]));
}

static void
update (SsuiFitWindow *self)
{
  const gboolean runs = ssapp_fit_session_is_running (self->fit);
  const SsFitResult *result = ssapp_fit_session_get_result (self->fit);
  const guint n_files = ssapp_fit_session_get_files (self->fit)->len;
  g_autofree char *free = ssapp_fit_session_dup_free (self->fit), *words = ssapp_fit_session_describe (self->fit);
  gboolean is_there;
  const SsappFitPicture picture = ssui_fit_window_get_picture (self, &is_there);

  gtk_widget_set_visible (self->run, !runs);
  gtk_widget_set_visible (self->stop, runs);
  gtk_widget_set_sensitive (self->run, n_files > 0 && *free != '\0');
  gtk_widget_set_tooltip_text (self->run, n_files == 0    ? _ ("Add a Measured Motion First")
                                          : *free == '\0' ? _ ("Tick What Is Unknown First")
                                                          : _ ("Find What Is Unknown (Ctrl+Return)"));
  gtk_widget_set_sensitive (self->use, result != NULL);
  gtk_widget_set_sensitive (self->keep, result != NULL);
  gtk_widget_set_sensitive (self->take, is_there);
  gtk_widget_set_visible (self->spinner, runs);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), runs);
  if (!self->is_wrong)
    gtk_label_set_text (GTK_LABEL (self->told), words);
  show_verdict (self);
  if (is_there)
    show_trials (self, picture.n_trials);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), is_there || runs ? "results" : "empty");
}

static void
on_changed (SsuiFitWindow *self)
{
  self->is_wrong = FALSE;
  adw_window_title_set_subtitle (self->title, ssapp_fit_session_get_title (self->fit));
  if (ssapp_fit_session_is_running (self->fit)) {
    show_estimates (self, NULL);
    show_pair (self, NULL);
  }
  update (self);
  redraw (self);
}

static void
on_step (SsuiFitWindow *self)
{
  update (self);
  redraw (self);
}

static void
on_ended (SsuiFitWindow *self)
{
  const SsFitResult *result = ssapp_fit_session_get_result (self->fit);

  show_estimates (self, result);
  show_pair (self, result);
  update (self);
  redraw (self);
}

void
ssui_fit_window_tell (SsuiFitWindow *self, const char *text)
{
  self->is_wrong = TRUE;
  gtk_label_set_text (GTK_LABEL (self->told), text);
}

void
ssui_fit_window_toast (SsuiFitWindow *self, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (escaped));
}

void
ssui_fit_window_toast_undo (SsuiFitWindow *self, const char *text)
{
  AdwToast *toast = adw_toast_new (text);

  adw_toast_set_button_label (toast, _ ("Undo"));
  adw_toast_set_action_name (toast, "win.undo");
  adw_toast_overlay_add_toast (self->toasts, toast);
}

SsappFitSession *
ssui_fit_window_get_fit (SsuiFitWindow *self)
{
  return self->fit;
}

void
ssui_fit_window_show_trial (SsuiFitWindow *self, int trial)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->trials), (guint)MAX (trial, 0));
}

void
ssui_fit_window_toggle_side (SsuiFitWindow *self)
{
  adw_flap_set_reveal_flap (self->flap, !adw_flap_get_reveal_flap (self->flap));
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* A card with a heading, words beside it and widgets at its end. */
static GtkWidget *
make_card (const char *title, GtkWidget *words, GtkWidget *end, GtkWidget *child)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN),
            *label = ssui_fit_label_new (title, 0, "heading");

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "plain-card");
  gtk_widget_add_css_class (head, "card-title");
  gtk_widget_set_overflow (card, GTK_OVERFLOW_HIDDEN);
  gtk_box_append (GTK_BOX (head), label);
  if (words != NULL) {
    gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
    gtk_label_set_xalign (GTK_LABEL (words), 0);
    gtk_widget_add_css_class (words, "dim-label");
    gtk_widget_set_hexpand (words, TRUE);
    gtk_box_append (GTK_BOX (head), words);
  } else {
    gtk_widget_set_hexpand (label, TRUE);
  }
  if (end != NULL)
    gtk_box_append (GTK_BOX (head), end);
  gtk_box_append (GTK_BOX (card), head);
  gtk_box_append (GTK_BOX (card), child);
  return card;
}

static GtkWidget *
make_area (SsuiFitWindow *self, const char *name, int height, gboolean is_plot)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), height);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), SIDE - 2 * MARGIN);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, self, NULL);
  gtk_widget_set_hexpand (area, TRUE);
  if (is_plot)
    ssui_fit_set_margins (area, MARGIN, MARGIN / 2);
  ssui_set_label (area, name);
  return area;
}

static void
on_kind (SsuiFitWindow *self)
{
  self->shows_channels = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->kind[1]));
  ssui_fit_set_margins (self->measured, self->shows_channels ? MARGIN : 0, self->shows_channels ? MARGIN / 2 : 0);
  redraw (self);
}

static GtkWidget *
make_kinds (SsuiFitWindow *self)
{
  static const char *const names[2] = {N_ ("Paths"), N_ ("Channels")};
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  for (int i = 0; i < 2; i++) {
    self->kind[i] = gtk_toggle_button_new_with_label (_ (names[i]));
    gtk_box_append (GTK_BOX (box), self->kind[i]);
  }
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->kind[1]), GTK_TOGGLE_BUTTON (self->kind[0]));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->kind[0]), TRUE);
  g_signal_connect_object (self->kind[1], "toggled", G_CALLBACK (on_kind), self, G_CONNECT_SWAPPED);
  return box;
}

static GtkWidget *
make_list (const char *name)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "plain-list");
  ssui_set_label (list, name);
  return list;
}

static GtkWidget *
make_estimates_card (SsuiFitWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->estimates = make_list (_ ("Estimates"));
  self->starts = make_list (_ ("Estimates of each trial"));
  self->starts_expander = gtk_expander_new (NULL);
  ssui_fit_set_margins (self->starts_expander, MARGIN, MARGIN / 2);
  gtk_expander_set_child (GTK_EXPANDER (self->starts_expander), self->starts);
  gtk_box_append (GTK_BOX (box), self->estimates);
  gtk_box_append (GTK_BOX (box), self->starts_expander);
  self->estimates_card = make_card (_ ("Estimates"), gtk_label_new ("95 % intervals"), NULL, box);
  return self->estimates_card;
}

static GtkWidget *
make_together_card (SsuiFitWindow *self)
{
  static const char *const names[2] = {N_ ("First estimate of the ellipse"), N_ ("Second estimate of the ellipse")};
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  for (int i = 0; i < 2; i++) {
    self->pair[i] = gtk_drop_down_new (NULL, NULL);
    gtk_widget_set_hexpand (self->pair[i], TRUE);
    ssui_label_drop_down (self->pair[i], _ (names[i]));
    g_signal_connect_object (self->pair[i], "notify::selected", G_CALLBACK (on_pair), self, G_CONNECT_SWAPPED);
    gtk_box_append (GTK_BOX (pair), self->pair[i]);
  }
  gtk_box_set_homogeneous (GTK_BOX (pair), TRUE);
  ssui_fit_set_margins (pair, MARGIN, 0);
  self->ellipse = make_area (self, _ ("Ellipses of two estimates, 68 % and 95 %"), ELLIPSE, TRUE);
  self->correlation = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (box), pair);
  gtk_box_append (GTK_BOX (box), self->ellipse);
  self->together_card = make_card (_ ("Together"), self->correlation, NULL, box);
  return self->together_card;
}

static GtkWidget *
make_plots (SsuiFitWindow *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN);

  self->measured = make_area (self, _ ("Measured and fitted motion"), PATHS, FALSE);
  self->residuals = make_area (self, _ ("Residuals over time"), CHANNEL, TRUE);
  gtk_box_append (GTK_BOX (column),
                  make_card (_ ("Measured and Fitted"), gtk_label_new (_ ("dots measured, lines fitted")),
                             make_kinds (self), self->measured));
  gtk_box_append (GTK_BOX (column),
                  make_card (_ ("Residuals"), gtk_label_new (_ ("what the fit leaves, at the measured instants")), NULL,
                             self->residuals));
  gtk_widget_set_hexpand (column, TRUE);
  return column;
}

static GtkWidget *
make_numbers (SsuiFitWindow *self)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN);

  self->open = make_list (_ ("Cannot be told from these data"));
  self->open_card = make_card (_ ("Cannot Be Told from These Data"), NULL, NULL, self->open);
  self->descent = make_area (self, _ ("Deviation of the residuals by step"), DESCENT, TRUE);
  gtk_box_append (GTK_BOX (column), make_estimates_card (self));
  gtk_box_append (GTK_BOX (column), make_together_card (self));
  gtk_box_append (GTK_BOX (column), self->open_card);
  gtk_box_append (GTK_BOX (column), make_card (_ ("Convergence"), NULL, NULL, self->descent));
  gtk_widget_set_size_request (column, SIDE, -1);
  gtk_widget_set_hexpand (column, FALSE);
  return column;
}

static GtkWidget *
make_bar_above (SsuiFitWindow *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN);

  self->chip = ssui_chip_new ();
  self->spinner = gtk_spinner_new ();
  self->told = ssui_fit_label_new (NULL, 0, NULL);
  self->trials = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_valign (self->chip, GTK_ALIGN_CENTER);
  gtk_label_set_wrap (GTK_LABEL (self->told), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->told), TRUE);
  gtk_widget_set_hexpand (self->told, TRUE);
  gtk_widget_set_valign (self->trials, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->trials, _ ("The Trial That Is Shown"));
  ssui_label_drop_down (self->trials, _ ("The trial that is shown"));
  gtk_widget_set_visible (self->trials, FALSE);
  g_signal_connect_object (self->trials, "notify::selected", G_CALLBACK (redraw), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (bar), self->chip);
  gtk_box_append (GTK_BOX (bar), self->spinner);
  gtk_box_append (GTK_BOX (bar), self->told);
  gtk_box_append (GTK_BOX (bar), self->trials);
  ssui_fit_set_margins (bar, MARGIN, MARGIN / 2);
  return bar;
}

static GtkWidget *
make_button (const char *label, const char *action, const char *tooltip, const char *class)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);
  g_autofree char *name = g_strjoinv ("", parts);

  ssui_set_label (button, name);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  if (class != NULL)
    gtk_widget_add_css_class (button, class);
  return button;
}

static GtkWidget *
make_main (SsuiFitWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new (),
            *empty = adw_status_page_new ();

  self->both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN);
  self->stack = gtk_stack_new ();
  gtk_box_append (GTK_BOX (self->both), make_plots (self));
  gtk_box_append (GTK_BOX (self->both), make_numbers (self));
  ssui_fit_set_margins (self->both, MARGIN, 0);
  gtk_widget_set_margin_bottom (self->both, MARGIN);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->both);
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (empty), "edit-find-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (empty), _ ("What Was the Friction?"));
  adw_status_page_set_description (
      ADW_STATUS_PAGE (empty), _ ("Add tables of a measured motion of this sketch, tick what is unknown, and press "
                                  "Fit. Friction, restitution, masses and starts are found with 95 % intervals, or it "
                                  "is said that these data do not tell them."));
  GtkWidget *add = make_button (_ ("_Add Measured Motion…"), "win.fit-add-dialog", NULL, "pill");
  gtk_widget_set_halign (add, GTK_ALIGN_CENTER);
  adw_status_page_set_child (ADW_STATUS_PAGE (empty), add);
  gtk_widget_add_css_class (empty, "compact");
  gtk_stack_add_named (GTK_STACK (self->stack), empty, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), scroller, "results");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (box), make_bar_above (self));
  gtk_box_append (GTK_BOX (box), self->stack);
  gtk_widget_set_hexpand (box, TRUE);
  return box;
}

static GtkWidget *
make_take (void)
{
  g_autoptr (GMenu) menu = g_menu_new (), plots = g_menu_new (), others = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();
  guint n;
  const SsappPlotKind *all = ssapp_plot_kinds (&n);

  for (guint i = 0; i < n; i++) {
    g_autofree char *label = g_strdup_printf ("%s…", _ (all[i].heading));
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    if (all[i].of != SSAPP_PLOT_FIT)
      continue;
    g_menu_item_set_action_and_target (item, "win.fit-save-dialog", "s", all[i].file.name);
    g_menu_append_item (plots, item);
  }
  g_menu_append (others, _ ("Copy as Command"), "win.fit-copy-command");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (plots));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (others));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-save-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, _ ("Export Plots"));
  ssui_set_label (button, _ ("Export Plots"));
  return button;
}

static void
make_header (SsuiFitWindow *self, AdwHeaderBar *header)
{
  self->title = ADW_WINDOW_TITLE (adw_window_title_new (_ ("Fit to Measured Motions"), ""));
  self->side_button = gtk_toggle_button_new ();
  gtk_button_set_icon_name (GTK_BUTTON (self->side_button), "sidebar-show-symbolic");
  gtk_widget_set_tooltip_text (self->side_button, _ ("What Is Asked For (F9)"));
  ssui_set_label (self->side_button, _ ("What is asked for"));
  self->run = make_button (_ ("_Fit"), "win.fit-run", NULL, "suggested-action");
  self->stop = make_button (_ ("_Stop"), "win.fit-stop", _ ("End with the Best So Far"), "destructive-action");
  self->use = make_button (_ ("_Use These Values"), "win.fit-use", _ ("Put the Values into the Sketch"), NULL);
  self->keep =
      make_button (_ ("_Keep as Run"), "win.fit-keep", _ ("Store Measured and Fitted Motions in the Project"), NULL);
  self->take = make_take ();
  adw_header_bar_set_title_widget (header, GTK_WIDGET (self->title));
  adw_header_bar_pack_start (header, self->side_button);
  adw_header_bar_pack_start (header, self->run);
  adw_header_bar_pack_start (header, self->stop);
  adw_header_bar_pack_end (header, self->take);
  adw_header_bar_pack_end (header, self->use);
  adw_header_bar_pack_end (header, self->keep);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, SsuiFitWindow *self)
{
  g_autoslist (GFile) files = gdk_file_list_get_files (g_value_get_boxed (value));

  (void)target;
  (void)x;
  (void)y;
  for (GSList *at = files; at != NULL; at = at->next) {
    const char *path = g_file_peek_path (at->data);
    if (path != NULL)
      gtk_widget_activate_action (GTK_WIDGET (self), "win.fit-add", "s", path);
  }
  return files != NULL;
}

const SsuiKey ssui_fit_keys[] = {{.keys = "Escape", .action = "window.close"},
                                 {SSUI_KEYS_FIT, N_ ("Fit"), "<Control>Return", "win.fit-run"},
                                 {SSUI_KEYS_FIT, N_ ("Add a measured motion"), "<Control>o", "win.fit-add-dialog"},
                                 {SSUI_KEYS_FIT, N_ ("What is asked for, at the side"), "F9", "win.fit-side"},
                                 {0}};

/* ---- object ------------------------------------------------------------------------------------------------------ */

static gboolean
on_narrow_idle (gpointer data)
{
  SsuiFitWindow *self = data;
  const gboolean has_side = !adw_flap_get_folded (self->flap) && adw_flap_get_reveal_flap (self->flap);
  const int room = self->width - (has_side ? gtk_widget_get_width (adw_flap_get_flap (self->flap)) : 0);

  self->narrow_idle = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->both),
                                  room < BESIDE ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  return G_SOURCE_REMOVE;
}

static void
queue_narrow (SsuiFitWindow *self)
{
  if (self->narrow_idle == 0)
    self->narrow_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_narrow_idle, self, NULL);
}

/* Nothing may change its size during an allocation. */
static void
ssui_fit_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiFitWindow *self = SSUI_FIT_WINDOW (widget);

  GTK_WIDGET_CLASS (ssui_fit_window_parent_class)->size_allocate (widget, width, height, baseline);
  if (width == self->width)
    return;
  self->width = width;
  queue_narrow (self);
}

static void
ssui_fit_window_dispose (GObject *object)
{
  SsuiFitWindow *self = SSUI_FIT_WINDOW (object);

  g_clear_handle_id (&self->narrow_idle, g_source_remove);
  if (self->fit != NULL) {
    ssapp_fit_session_cancel (self->fit);
    g_signal_handlers_disconnect_by_data (self->fit, self);
  }
  G_OBJECT_CLASS (ssui_fit_window_parent_class)->dispose (object);
}

static void
ssui_fit_window_finalize (GObject *object)
{
  g_clear_object (&SSUI_FIT_WINDOW (object)->fit);
  G_OBJECT_CLASS (ssui_fit_window_parent_class)->finalize (object);
}

static void
ssui_fit_window_class_init (SsuiFitWindowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_fit_window_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_fit_window_finalize;
  GTK_WIDGET_CLASS (class)->size_allocate = ssui_fit_window_size_allocate;
}

static void
ssui_fit_window_init (SsuiFitWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new ();
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  self->flap = ADW_FLAP (adw_flap_new ());
  make_header (self, ADW_HEADER_BAR (header));
  adw_flap_set_separator (self->flap, gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  adw_flap_set_content (self->flap, make_main (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self->flap), TRUE);
  g_object_bind_property (self->flap, "reveal-flap", self->side_button, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->flap, "notify::reveal-flap", G_CALLBACK (queue_narrow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->flap, "notify::folded", G_CALLBACK (queue_narrow), self, G_CONNECT_SWAPPED);
  adw_toast_overlay_set_child (self->toasts, GTK_WIDGET (self->flap));
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  g_signal_connect_object (drop, "drop", G_CALLBACK (on_drop), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  gtk_event_controller_set_propagation_phase (ssui_keys_attach (GTK_WIDGET (self), ssui_fit_keys, FALSE),
                                              GTK_PHASE_CAPTURE);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Fit to Measured Motions"));
}

SsuiFitWindow *
ssui_fit_window_new (GtkWindow *window, SsappSession *session)
{
  SsuiFitWindow *self = g_object_new (SSUI_TYPE_FIT_WINDOW, NULL);

  self->fit = ssapp_fit_session_new (session);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", G_ACTION_GROUP (window));
  adw_flap_set_flap (self->flap, ssui_fit_setup_new (self->fit));
  adw_window_title_set_subtitle (self->title, ssapp_fit_session_get_title (self->fit));
  g_signal_connect_object (self->fit, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->fit, "step", G_CALLBACK (on_step), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->fit, "ended", G_CALLBACK (on_ended), self, G_CONNECT_SWAPPED);
  gtk_window_set_transient_for (GTK_WINDOW (self), window);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  /* Within the window on small screens. */
  gtk_window_set_default_size (GTK_WINDOW (self), MIN (WIDTH, MAX (gtk_widget_get_width (GTK_WIDGET (window)), LEAST)),
                               MIN (HEIGHT, MAX (gtk_widget_get_height (GTK_WIDGET (window)), LEAST)));
  show_estimates (self, NULL);
  show_pair (self, NULL);
  update (self);
  return self;
}
