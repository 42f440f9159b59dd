/* ui/parts/ssui-exports.c: see the header. */
#include "ui/parts/ssui-exports.h"

#include "app/export/ssapp-page.h"

#include <glib/gi18n.h>
#include <string.h>

/* What is not one plot by its own name; each stands before the plot that is named, without one before all. */
static const struct {
  const char *kind, *heading, *stem, *file, *plot, *before;
  gboolean is_painted, on_cards;
} others[] = {
    {"figure", N_ ("Figure"), "figure", "still", "full", NULL, TRUE, FALSE},
    {"picture", N_ ("Picture of the Motion"), "motion", "still", "motion", NULL, TRUE, FALSE},
    {"film", N_ ("Film of the Motion"), "motion", "film", "motion", NULL, TRUE, FALSE},
    {"page", N_ ("Web Page"), "run", "page", "motion", NULL, FALSE, FALSE},
    {SSUI_EXPORT_LIVE, N_ ("Web Page That Computes"), "run-live", "page", "motion", NULL, FALSE, FALSE},
    {"plot", N_ ("Convergence Plot"), "convergence", "convergence", "convergence", NULL, TRUE, FALSE},
    {"plots", N_ ("Channel Plots"), "channel-plots", "channels", "channels", "cone", TRUE, TRUE},
};

static void
add_others (GArray *all, const char *before)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_strcmp0 (others[i].before, before) == 0)
      g_array_append_val (all, ((SsuiExport){.kind = others[i].kind,
                                             .heading = others[i].heading,
                                             .stem = others[i].stem,
                                             .file = others[i].file,
                                             .plot = ssapp_plot_find (others[i].plot),
                                             .is_painted = others[i].is_painted,
                                             .on_cards = others[i].on_cards}));
}

/* All of them, in the order of menus; static. */
static const SsuiExport *
ssui_exports (guint *n)
{
  static GArray *all; /* made once, for as long as the program lives */

  if (all == NULL) {
    guint n_plots;
    const SsappPlotKind *plots = ssapp_plot_kinds (&n_plots);
    all = g_array_new (FALSE, FALSE, sizeof (SsuiExport));
    add_others (all, NULL);
    for (guint i = 0; i < n_plots; i++) {
      const char *name = plots[i].file.name;
      add_others (all, name);
      if (plots[i].heading != NULL && ssapp_plot_is_of_runs (&plots[i]))
        g_array_append_val (all, ((SsuiExport){.kind = name,
                                               .heading = plots[i].heading,
                                               .menu = plots[i].menu,
                                               .stem = name,
                                               .file = name,
                                               .plot = &plots[i],
                                               .is_painted = plots[i].of == SSAPP_PLOT_FIGURE,
                                               .on_cards = plots[i].on_cards}));
    }
  }
  *n = all->len;
  return (const SsuiExport *)(const void *)all->data;
}

const SsuiExport *
ssui_export_find (const char *kind)
{
  const gsize length = strcspn (kind, ":");
  guint n;
  const SsuiExport *all = ssui_exports (&n);

  for (guint i = 0; i < n; i++)
    if (strlen (all[i].kind) == length && strncmp (all[i].kind, kind, length) == 0)
      return &all[i];
  return NULL;
}

const char *
ssui_export_live_tail (void)
{
  return ssapp_page_live_lack () != NULL ? _ ("… (not built: run app/live/build.sh)") : "…";
}

char *
ssui_exports_list (void)
{
  guint n;
  const SsuiExport *all = ssui_exports (&n);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", all[i].kind);
  return g_string_free (list, FALSE);
}

void
ssui_exports_fill (GMenu *figures, GMenu *tables, const char *action, gboolean is_card)
{
  guint n;
  const SsuiExport *all = ssui_exports (&n);

  for (guint i = 0; i < n; i++) {
    if (all[i].on_cards && !is_card)
      continue;
    const char *tail = strcmp (all[i].kind, SSUI_EXPORT_LIVE) == 0 ? ssui_export_live_tail () : "…";
    g_autofree char *label = g_strconcat (_ (all[i].menu != NULL ? all[i].menu : all[i].heading), tail, NULL);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, action, "s", all[i].kind);
    g_menu_append_item (all[i].plot->of == SSAPP_PLOT_TABLE ? tables : figures, item);
  }
}
