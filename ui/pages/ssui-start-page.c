/* ui/pages/ssui-start-page.c: see the header. */
#include "ui/pages/ssui-start-page.h"

#include "app/session/ssapp-session.h"
#include "app/session/ssapp-tutorial.h"
#include "ui/canvas/ssui-motion-view.h"
#include "ui/pages/ssui-start-live.h"
#include "ui/pages/ssui-start-papers.h"
#include "ui/parts/ssui-recent.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define RECENT_SHOWN   6
#define CARD_WIDTH     220 /* px: four beside each other in a window of 1280 px */
#define PICTURE_HEIGHT 94  /* px */
#define TITLE_LINES    2
#define MOST_PER_LINE  8
/* Made with the page; the others a topic at a time, while idle. A window of 1280 px shows no more of them at first. */
#define FIRST_CARDS  8
#define EMPTY_VIEW   "empty-view" /* of a card without its picture */
#define LIVE_EXAMPLE "domino-row" /* moves by itself, and is still worth a grab when it has come to rest */

struct _SsuiStartPage {
  GtkWidget parent_instance;
  GtkWidget *new_sketch, *tutorials, *lessons, *recent, *no_recent, *topics, *search, *all, *plan, *simulate, *scroller,
      *nothing, *papers, *live;
  GPtrArray *gallery;   /* of SsappExample */
  GPtrArray *cards;     /* in the order of the gallery, those that are made; borrowed */
  gboolean is_filtered; /* not all cards are shown */
  guint picture_source; /* 0 once those that are near have their pictures */
};

G_DEFINE_FINAL_TYPE (SsuiStartPage, ssui_start_page, GTK_TYPE_WIDGET)

/* ---- recent projects --------------------------------------------------------------------------------------------- */

static char *
age_text (gint64 unix_seconds)
{
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (unix_seconds), now = g_date_time_new_now_local ();
  GTimeSpan age = g_date_time_difference (now, then);

  if (g_date_time_get_day_of_year (then) == g_date_time_get_day_of_year (now) && age < G_TIME_SPAN_DAY)
    return g_date_time_format (then, "%H:%M");
  return g_date_time_format (then, age < 6 * G_TIME_SPAN_DAY ? "%A" : "%e %b");
}

static GtkWidget *
make_recent_row (const SsuiRecent *recent)
{
  GtkWidget *row = adw_action_row_new (), *age;
  g_autofree char *name = g_path_get_basename (recent->path), *folder = g_path_get_dirname (recent->path),
                  *text = age_text (recent->changed);
  g_autofree char *own = ssapp_projects_folder ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), recent->name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), strcmp (folder, own) != 0              ? folder
                                                     : g_str_has_prefix (name, "untitled-") ? _ ("Untitled Project")
                                                                                            : name);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_add_prefix (
      ADW_ACTION_ROW (row),
      gtk_image_new_from_icon_name (recent->is_project ? "folder-symbolic" : "document-edit-symbolic"));
  age = gtk_label_new (text);
  gtk_widget_add_css_class (age, "dim-label");
  gtk_widget_add_css_class (age, "caption");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), age);
  gtk_widget_set_tooltip_text (row, recent->path);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", recent->path);
  return row;
}

static void
ssui_start_page_refresh (SsuiStartPage *self)
{
  g_autoptr (GPtrArray) list = ssui_recent_list (RECENT_SHOWN);

  ssui_empty (self->recent);
  for (guint i = 0; i < list->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->recent), make_recent_row (g_ptr_array_index (list, i)));
  gtk_widget_set_visible (self->recent, list->len > 0);
  gtk_widget_set_visible (self->no_recent, list->len == 0);
}

/* ---- tutorials --------------------------------------------------------------------------------------------------- */

static void
add_tutorials (SsuiStartPage *self, gboolean is_lesson)
{
  int n;
  const SsappTutorial *tutorials = ssapp_tutorials (&n);

  for (int i = 0; i < n; i++) {
    if ((tutorials[i].idea != NULL) != is_lesson)
      continue;
    GtkWidget *row = adw_action_row_new ();
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ (tutorials[i].title));
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _ (tutorials[i].summary));
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.tutorial");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", tutorials[i].name);
    if (tutorials[i].idea != NULL)
      gtk_widget_set_tooltip_text (row, tutorials[i].idea);
    gtk_list_box_append (GTK_LIST_BOX (is_lesson ? self->lessons : self->tutorials), row);
  }
}

/* ---- examples ---------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, class);
  return label;
}

/* A picture, still empty, above a few words. */
static GtkWidget *
make_card (const SsappExample *example)
{
  GtkWidget *card = gtk_button_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *view = ssui_motion_view_new (), *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *title = make_label (example->title, "heading"), *summary = make_label (example->summary, "caption");
  g_autofree char *label = g_strdup_printf (_ ("Example %s"), example->title);

  ssui_motion_view_set_plain (SSUI_MOTION_VIEW (view), TRUE);
  gtk_widget_set_size_request (view, CARD_WIDTH, PICTURE_HEIGHT);
  gtk_widget_set_can_target (view, FALSE);
  gtk_widget_set_vexpand (view, FALSE);
  gtk_widget_add_css_class (summary, "dim-label");
  gtk_widget_add_css_class (words, "example-text");
  /* The card's width, not their own: all cards are equally wide. */
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_lines (GTK_LABEL (title), TITLE_LINES);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 1);
  gtk_label_set_max_width_chars (GTK_LABEL (summary), 1);
  gtk_box_append (GTK_BOX (words), title);
  gtk_box_append (GTK_BOX (words), summary);
  gtk_box_append (GTK_BOX (box), view);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), words);
  gtk_button_set_child (GTK_BUTTON (card), box);
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "example-card");
  gtk_widget_set_overflow (card, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_tooltip_text (card, *example->description != '\0' ? example->description : NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (card), "win.open-example");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (card), "s", example->name);
  ssui_set_label (card, label);
  ssui_set_description (card, example->summary);
  g_object_set_data (G_OBJECT (card), EMPTY_VIEW, view);
  return card;
}

/* A heading, and below it a flow box for the cards. */
static GtkWidget *
add_topic (SsuiStartPage *self, const SsappExample *first)
{
  GtkWidget *section = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8),
            *flow = gtk_flow_box_new (), *source = make_label (first->source, "dim-label");
  GtkWidget *title = make_label (first->topic_title, "topic-title");

  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_NONE);
  gtk_widget_add_css_class (source, "caption");
  gtk_widget_set_valign (source, GTK_ALIGN_BASELINE);
  gtk_widget_set_valign (title, GTK_ALIGN_BASELINE);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), source);
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (flow), 8);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (flow), 8);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (flow), MOST_PER_LINE);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (flow), TRUE);
  gtk_widget_set_halign (flow, GTK_ALIGN_START);
  ssui_set_label (flow, first->topic_title);
  gtk_box_append (GTK_BOX (section), head);
  gtk_box_append (GTK_BOX (section), flow);
  gtk_box_append (GTK_BOX (self->topics), section);
  return flow;
}

static gboolean
is_same_topic (const SsuiStartPage *self, guint a, guint b)
{
  const SsappExample *first = g_ptr_array_index (self->gallery, a), *second = g_ptr_array_index (self->gallery, b);

  return strcmp (first->topic, second->topic) == 0;
}

/* Lessons, which are in sight, behind the first cards; then the cards of the next topic, behind them papers: FALSE once
 * all are made. */
static gboolean
add_next (SsuiStartPage *self)
{
  const guint from = self->cards->len;
  GtkWidget *flow;

  if (from == self->gallery->len && self->papers != NULL)
    return FALSE;
  if (from >= MIN (FIRST_CARDS, self->gallery->len) &&
      gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->lessons), 0) == NULL) {
    add_tutorials (self, TRUE);
    return TRUE;
  }
  if (from == self->gallery->len) {
    self->papers = ssui_start_papers_new ();
    gtk_box_append (GTK_BOX (self->topics), self->papers);
    return TRUE;
  }
  flow = add_topic (self, g_ptr_array_index (self->gallery, from));
  for (guint i = from; i < self->gallery->len && is_same_topic (self, from, i); i++) {
    GtkWidget *card = make_card (g_ptr_array_index (self->gallery, i)), *cell = gtk_flow_box_child_new ();
    gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (cell), card);
    gtk_widget_set_focusable (cell, FALSE); /* the cards take the focus, not the cells around them */
    gtk_flow_box_append (GTK_FLOW_BOX (flow), cell);
    g_ptr_array_add (self->cards, card);
  }
  return TRUE;
}

static void
add_examples (SsuiStartPage *self)
{
  g_autofree char *placeholder = g_strdup_printf (_ ("Search %u examples"), self->gallery->len);

  self->live = ssui_start_live_new (ssapp_gallery_find (self->gallery, LIVE_EXAMPLE));
  gtk_box_append (GTK_BOX (self->topics), self->live);
  while (self->cards->len < FIRST_CARDS && add_next (self))
    ;
  g_object_set (self->search, "placeholder-text", placeholder, "tooltip-text", placeholder, NULL);
}

/* The motion as a whole, seen from its end. */
static void
draw_picture (GtkWidget *card, const SsappExample *example)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (SsuiClock) clock = ssui_clock_new ();
  SsuiMotionView *view = g_object_steal_data (G_OBJECT (card), EMPTY_VIEW);
  SsappRun *run = ssapp_example_make_run (example, NULL);

  if (run == NULL)
    return;
  g_ptr_array_add (runs, run);
  ssui_clock_set_duration (clock, ssapp_run_get_duration (run));
  ssui_clock_seek (clock, ssapp_run_get_duration (run));
  ssui_motion_view_set_clock (view, clock);
  ssui_motion_view_set_runs (view, runs);
}

/* It is in sight, or less than a page away: pictures that nobody may ever see took a third of the start's time. Where
 * cards were found the few that there are have no places yet. */
static gboolean
is_near (SsuiStartPage *self, GtkWidget *widget)
{
  const double page = gtk_widget_get_height (self->scroller);
  graphene_rect_t box;

  if (!gtk_widget_get_mapped (widget))
    return FALSE;
  return self->is_filtered || (gtk_widget_compute_bounds (widget, self->scroller, &box) && box.origin.y < 2 * page &&
                               box.origin.y + box.size.height > -page);
}

static gboolean
on_next_picture (gpointer data)
{
  SsuiStartPage *self = data;

  for (guint i = 0; i < self->cards->len; i++) {
    GtkWidget *card = g_ptr_array_index (self->cards, i);
    if (g_object_get_data (G_OBJECT (card), EMPTY_VIEW) == NULL || !is_near (self, card))
      continue;
    draw_picture (card, g_ptr_array_index (self->gallery, i));
    return G_SOURCE_CONTINUE;
  }
  if (ssui_start_live_load (self->live) || (gtk_widget_get_mapped (GTK_WIDGET (self)) && add_next (self)))
    return G_SOURCE_CONTINUE;
  if (self->papers != NULL && is_near (self, self->papers) && ssui_start_papers_load_next (self->papers))
    return G_SOURCE_CONTINUE;
  self->picture_source = 0;
  return G_SOURCE_REMOVE;
}

/* The window comes first, then one picture after the other. */
static void
queue_pictures (SsuiStartPage *self)
{
  if (self->picture_source == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->picture_source = g_idle_add_full (G_PRIORITY_LOW, on_next_picture, self, NULL);
}

/* Shows the cards that fit search and filter, and the topics that have any. */
static void
filter_examples (SsuiStartPage *self)
{
  const char *search = gtk_editable_get_text (GTK_EDITABLE (self->search));
  gboolean only_plans = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->plan)),
           only_simulations = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->simulate)), has_any = FALSE;

  while (add_next (self))
    ;
  for (GtkWidget *section = gtk_widget_get_first_child (self->topics); section != NULL;
       section = gtk_widget_get_next_sibling (section))
    gtk_widget_set_visible (section, FALSE);
  gtk_widget_set_visible (self->live, *search == '\0' && !only_plans && !only_simulations);
  has_any = !only_plans && !only_simulations && ssui_start_papers_filter (self->papers, search);
  for (guint i = 0; i < self->cards->len; i++) {
    const SsappExample *example = g_ptr_array_index (self->gallery, i);
    GtkWidget *cell = gtk_widget_get_parent (g_ptr_array_index (self->cards, i)), *flow = gtk_widget_get_parent (cell);
    gboolean is_shown = !(only_plans && !example->is_plan) && !(only_simulations && example->is_plan) &&
                        ssapp_example_matches (example, search);
    gtk_widget_set_visible (cell, is_shown);
    if (is_shown)
      gtk_widget_set_visible (gtk_widget_get_parent (flow), TRUE);
    has_any |= is_shown;
  }
  gtk_widget_set_visible (self->scroller, has_any);
  gtk_widget_set_visible (self->nothing, !has_any);
  self->is_filtered = *search != '\0' || only_plans || only_simulations;
  queue_pictures (self);
}

/* Return in the search opens the first example found. */
static void
on_search_activated (SsuiStartPage *self)
{
  filter_examples (self);
  for (guint i = 0; i < self->cards->len; i++) {
    GtkWidget *card = g_ptr_array_index (self->cards, i);
    const SsappExample *example = g_ptr_array_index (self->gallery, i);
    if (gtk_widget_get_visible (gtk_widget_get_parent (card))) {
      gtk_widget_activate_action (GTK_WIDGET (self), "win.open-example", "s", example->name);
      return;
    }
  }
}

GPtrArray *
ssui_start_page_get_gallery (SsuiStartPage *self)
{
  g_return_val_if_fail (SSUI_IS_START_PAGE (self), NULL);
  return self->gallery;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_start_page_map (GtkWidget *widget)
{
  SsuiStartPage *self = SSUI_START_PAGE (widget);

  ssui_start_page_refresh (self);
  GTK_WIDGET_CLASS (ssui_start_page_parent_class)->map (widget);
  if (self->papers != NULL)
    ssui_start_papers_renew (self->papers);
  queue_pictures (self);
}

static void
ssui_start_page_dispose (GObject *object)
{
  SsuiStartPage *self = SSUI_START_PAGE (object);

  if (self->picture_source != 0)
    g_source_remove (self->picture_source);
  self->picture_source = 0;
  gtk_widget_dispose_template (GTK_WIDGET (object), SSUI_TYPE_START_PAGE);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&self->cards, g_ptr_array_unref);
  g_clear_pointer (&self->gallery, g_ptr_array_unref);
  G_OBJECT_CLASS (ssui_start_page_parent_class)->dispose (object);
}

static void
ssui_start_page_class_init (SsuiStartPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_start_page_dispose;
  widget_class->map = ssui_start_page_map;
  gtk_widget_class_set_template_from_resource (widget_class, SSUI_RESOURCE_PATH "/ui/ssui-start-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, new_sketch);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, tutorials);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, lessons);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, recent);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, no_recent);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, topics);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, search);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, all);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, plan);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, simulate);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, SsuiStartPage, nothing);
}

static void
ssui_start_page_init (SsuiStartPage *self)
{
  GtkAdjustment *place;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->gallery = ssapp_gallery_new (SSUI_RESOURCE_PATH);
  self->cards = g_ptr_array_new ();
  add_tutorials (self, FALSE);
  add_examples (self);
  place = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  g_signal_connect_object (place, "changed", G_CALLBACK (queue_pictures), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (place, "value-changed", G_CALLBACK (queue_pictures), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (filter_examples), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "activate", G_CALLBACK (on_search_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->all, "toggled", G_CALLBACK (filter_examples), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plan, "toggled", G_CALLBACK (filter_examples), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->simulate, "toggled", G_CALLBACK (filter_examples), self, G_CONNECT_SWAPPED);
}

static SsuiPageParts
get_parts (GtkWidget *widget)
{
  return (SsuiPageParts){.search = SSUI_START_PAGE (widget)->search};
}

const SsuiPage ssui_start_page = {
    .name = "start", .is_start = TRUE, .get_type = ssui_start_page_get_type, .get_parts = get_parts};
