/* ui/pages/ssui-compare-figures.c: see the header. */
#include "ui/pages/ssui-compare-figures.h"

#include "app/base/ssapp-metric.h"
#include "ui/canvas/ssui-chart-view.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define PROFILE_HEIGHT 250 /* px at least */
#define BOX_HEIGHT     250

/* Of the boxes. */
static const struct {
  const char *name;
  SsMetric metric, other; /* the second where no run has the first: of simulations */
} boxes[] = {{"objective", SS_METRIC_OBJECTIVE, SS_METRIC_ENERGY_FINAL},
             {"error", SS_METRIC_TRACKING_TOTAL, SS_METRIC_STEPS},
             {"violation", SS_METRIC_MAX_VIOLATION, SS_METRIC_MAX_PENETRATION}};
enum { N_BOXES = G_N_ELEMENTS (boxes) };

/* What a profile can cost. */
static const SsMetric costs[] = {SS_METRIC_CPU_SECONDS, SS_METRIC_SOLVE_SECONDS, SS_METRIC_ITERATIONS};

struct _SsuiCompareFigures {
  GtkWidget parent_instance;
  GtkWidget *cost, *unsolved, *outcome_card, *outcome;
  SsuiChartView *profile, *charts[N_BOXES], *outcome_chart;
  const SsappRunSet *set;
  GArray *outcomes; /* of SsMetric: what the runs were asked */
};

G_DEFINE_FINAL_TYPE (SsuiCompareFigures, ssui_compare_figures, GTK_TYPE_WIDGET)

/* ---- figures ----------------------------------------------------------------------------------------------------- */

static gboolean
has_metric (const SsappRunSet *set, SsMetric metric)
{
  for (guint i = 0; i < set->items->len; i++)
    if (!isnan (ssapp_run_set_get (set, i, metric)))
      return TRUE;
  return FALSE;
}

static void
show_profile (SsuiCompareFigures *self)
{
  SsappChartSpec spec;

  if (self->set != NULL) {
    ssapp_chart_spec_init (&spec, SSAPP_CHART_PERFORMANCE, self->set);
    spec.metric = costs[MIN (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->cost)), G_N_ELEMENTS (costs) - 1)];
    ssapp_chart_spec_suit (&spec, self->set);
  }
  ssui_chart_view_set (self->profile, self->set, &spec);
}

static void
show_box (SsuiCompareFigures *self, SsuiChartView *view, SsMetric metric)
{
  SsappChartSpec spec;

  if (self->set != NULL) {
    ssapp_chart_spec_init (&spec, SSAPP_CHART_BOX, self->set);
    spec.metric = metric;
    spec.takes_unsolved = gtk_switch_get_active (GTK_SWITCH (self->unsolved));
    spec.is_relative = FALSE;
    ssapp_chart_spec_suit (&spec, self->set);
  }
  ssui_chart_view_set (view, self->set, &spec);
}

/* Of the outcome that was chosen; its card is there where the runs were asked anything. */
static void
show_outcome (SsuiCompareFigures *self)
{
  const guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->outcome));

  gtk_widget_set_visible (self->outcome_card, self->outcomes->len > 0);
  if (self->set == NULL || chosen >= self->outcomes->len)
    ssui_chart_view_set (self->outcome_chart, NULL, NULL);
  else
    show_box (self, self->outcome_chart, g_array_index (self->outcomes, SsMetric, chosen));
}

static void
show_boxes (SsuiCompareFigures *self)
{
  for (guint k = 0; k < N_BOXES; k++)
    show_box (self, self->charts[k],
              self->set == NULL || has_metric (self->set, boxes[k].metric) ? boxes[k].metric : boxes[k].other);
  show_outcome (self);
}

/* The outcomes of the set to choose from; the one that was chosen stays chosen where it is still there. */
static void
list_outcomes (SsuiCompareFigures *self)
{
  const guint before = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->outcome));
  const gboolean had = before < self->outcomes->len;
  const SsMetric chosen = had ? g_array_index (self->outcomes, SsMetric, before) : SS_METRIC_COUNT;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint place = 0;

  g_array_unref (self->outcomes);
  self->outcomes =
      self->set != NULL ? ssapp_run_set_list_outcomes (self->set) : g_array_new (FALSE, FALSE, sizeof (SsMetric));
  for (guint i = 0; i < self->outcomes->len; i++) {
    const SsMetric metric = g_array_index (self->outcomes, SsMetric, i);
    gtk_string_list_append (names, ssapp_metric_spec (metric)->label);
    place = metric == chosen ? i : place;
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->outcome), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->outcome), place);
}

void
ssui_compare_figures_set (SsuiCompareFigures *self, const SsappRunSet *set)
{
  self->set = set;
  list_outcomes (self);
  show_profile (self);
  show_boxes (self);
}

const SsappChart *
ssui_compare_figures_get_chart (SsuiCompareFigures *self, const char *name)
{
  if (strcmp (name, "profile") == 0)
    return ssui_chart_view_get_chart (self->profile);
  if (strcmp (name, "outcome") == 0)
    return ssui_chart_view_get_chart (self->outcome_chart);
  for (guint k = 0; k < N_BOXES; k++)
    if (strcmp (boxes[k].name, name) == 0)
      return ssui_chart_view_get_chart (self->charts[k]);
  return NULL;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static GtkWidget *
card_new (const char *title, GtkWidget *after, GtkWidget *menu)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *label = gtk_label_new (title);

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "plain-card");
  gtk_widget_add_css_class (head, "card-title");
  gtk_widget_add_css_class (label, "heading");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (head), label);
  gtk_box_append (GTK_BOX (head), after);
  gtk_box_append (GTK_BOX (head), menu);
  gtk_box_append (GTK_BOX (card), head);
  gtk_widget_set_vexpand (card, TRUE);
  return card;
}

/* What may be taken away of figures. */
static GtkWidget *
menu_new (const char *label, const char *const *names, const char *const *titles)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  for (int i = 0; names[i] != NULL; i++) {
    g_autoptr (GMenu) section = g_menu_new ();
    g_autofree char *export = g_strdup_printf (_ ("Export %s…"), _ (titles[i])),
                    *copy = g_strdup_printf (_ ("Copy Numbers of %s"), _ (titles[i]));
    g_autoptr (GMenuItem) first = g_menu_item_new (export, NULL), second = g_menu_item_new (copy, NULL);
    g_menu_item_set_action_and_target (first, "win.compare-export-dialog", "s", names[i]);
    g_menu_item_set_action_and_target (second, "win.compare-copy-figure", "s", names[i]);
    g_menu_append_item (section, first);
    g_menu_append_item (section, second);
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  }
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "ss-export-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, label);
  ssui_set_label (button, label);
  return button;
}

static void
set_margins (GtkWidget *widget, int margin)
{
  gtk_widget_set_margin_start (widget, margin);
  gtk_widget_set_margin_end (widget, margin);
  gtk_widget_set_margin_bottom (widget, margin);
}

static GtkWidget *
make_profile (SsuiCompareFigures *self)
{
  static const char *const names[] = {"profile", NULL}, *const titles[] = {N_ ("Performance Profile"), NULL};
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (costs); i++)
    gtk_string_list_append (list, ss_metric_spec (costs[i])->label);
  self->cost = gtk_drop_down_new (g_object_ref (G_LIST_MODEL (list)), NULL);
  gtk_widget_set_tooltip_text (self->cost, _ ("What is compared with the best method"));
  ssui_label_drop_down (self->cost, _ ("Cost of the profile"));
  g_signal_connect_object (self->cost, "notify::selected", G_CALLBACK (show_profile), self, G_CONNECT_SWAPPED);
  self->profile = SSUI_CHART_VIEW (ssui_chart_view_new_plain ());
  gtk_widget_set_size_request (GTK_WIDGET (self->profile), -1, PROFILE_HEIGHT);
  set_margins (GTK_WIDGET (self->profile), 8);
  GtkWidget *card =
      card_new (_ ("Performance Profile"), self->cost, menu_new (_ ("Take the profile away"), names, titles));
  gtk_box_append (GTK_BOX (card), GTK_WIDGET (self->profile));
  return card;
}

static GtkWidget *
make_outcome (SsuiCompareFigures *self)
{
  static const char *const names[] = {"outcome", NULL}, *const titles[] = {N_ ("Boxes of the Outcome"), NULL};

  self->outcomes = g_array_new (FALSE, FALSE, sizeof (SsMetric));
  self->outcome = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_tooltip_text (self->outcome, _ ("What was asked of the runs"));
  ssui_label_drop_down (self->outcome, _ ("Outcome of the boxes"));
  g_signal_connect_object (self->outcome, "notify::selected", G_CALLBACK (show_outcome), self, G_CONNECT_SWAPPED);
  self->outcome_chart = SSUI_CHART_VIEW (ssui_chart_view_new_plain ());
  gtk_widget_set_size_request (GTK_WIDGET (self->outcome_chart), -1, BOX_HEIGHT);
  set_margins (GTK_WIDGET (self->outcome_chart), 8);
  self->outcome_card =
      card_new (_ ("Outcome"), self->outcome, menu_new (_ ("Take the boxes of the outcome away"), names, titles));
  gtk_box_append (GTK_BOX (self->outcome_card), GTK_WIDGET (self->outcome_chart));
  gtk_widget_set_visible (self->outcome_card, FALSE);
  return self->outcome_card;
}

static GtkWidget *
make_boxes (SsuiCompareFigures *self)
{
  static const char *const names[] = {"objective", "error", "violation", NULL}, *const titles[] = {
                                                                                    N_ ("Boxes of the Objective"),
                                                                                    N_ ("Boxes of the Error"),
                                                                                    N_ ("Boxes of the Violation"),
                                                                                    NULL};
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *switch_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (_ ("Failed runs too")),
            *words =
                gtk_label_new (_ ("Box: quartiles; whiskers: 1.5 times their distance; marks: single runs beyond."));

  self->unsolved = gtk_switch_new ();
  gtk_widget_set_valign (self->unsolved, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->unsolved, _ ("Also runs that were not solved"));
  ssui_set_label (self->unsolved, _ ("Failed runs too"));
  g_signal_connect_object (self->unsolved, "notify::active", G_CALLBACK (show_boxes), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (switch_box), label);
  gtk_box_append (GTK_BOX (switch_box), self->unsolved);
  gtk_box_set_homogeneous (GTK_BOX (row), TRUE);
  for (guint k = 0; k < N_BOXES; k++) {
    self->charts[k] = SSUI_CHART_VIEW (ssui_chart_view_new_plain ());
    gtk_widget_set_size_request (GTK_WIDGET (self->charts[k]), 60, BOX_HEIGHT);
    gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->charts[k]));
  }
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_xalign (GTK_LABEL (words), 0);
  gtk_widget_add_css_class (words, "caption");
  gtk_widget_add_css_class (words, "dim-label");
  set_margins (row, 8);
  set_margins (words, 12);
  GtkWidget *card = card_new (_ ("Distribution"), switch_box, menu_new (_ ("Take the boxes away"), names, titles));
  gtk_box_append (GTK_BOX (card), row);
  gtk_box_append (GTK_BOX (card), words);
  return card;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_compare_figures_dispose (GObject *object)
{
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_pointer (&SSUI_COMPARE_FIGURES (object)->outcomes, g_array_unref);
  G_OBJECT_CLASS (ssui_compare_figures_parent_class)->dispose (object);
}

static void
ssui_compare_figures_class_init (SsuiCompareFiguresClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_compare_figures_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
ssui_compare_figures_init (SsuiCompareFigures *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_box_append (GTK_BOX (box), make_profile (self));
  gtk_box_append (GTK_BOX (box), make_outcome (self));
  gtk_box_append (GTK_BOX (box), make_boxes (self));
  gtk_widget_set_parent (box, GTK_WIDGET (self));
}
