/* app/bench/ssapp-paper.c: see ssapp-paper.h. */
#include "app/bench/ssapp-paper.h"

#include "app/bench/ssapp-paper-item.h"

#include <math.h>
#include <string.h>

/* The papers, in the order of the gallery. */
static const SsappPaperItem *const lists[] = {
    ssapp_paper_toy_items,      ssapp_paper_crisp_items,   ssapp_paper_lcp_items,        ssapp_paper_fesd_items,
    ssapp_paper_freezing_items, ssapp_paper_impacts_items, ssapp_paper_constraint_items, ssapp_paper_comparison_items};

const SsappPaperTopic *
ssapp_paper_topics (guint *n)
{
  static const SsappPaperTopic topics[] = {
      {"crisp", "004", "CRISP", "Li et al. 2025: contact-implicit planning by sequential convex programmes"},
      {"fesd-j", "000", "FESD-J", "Nurkanović et al. 2023: exact discretisation of motions with impacts and friction"},
      {"time-freezing", "001", "Time-freezing", "Nurkanović et al.: impacts as motions of a system without jumps"},
      {"impacts", "002", "Set-valued impacts", "Halm and Posa: all outcomes of simultaneous frictional impacts"},
      {"constraint-solver", "003", "Constraint solver", "Drumwright: an unconditionally stable first-order solver"},
      {"comparisons", NULL, "Comparisons",
       "What the field argues about, on scenes of ours: contact laws and their solvers"},
  };

  *n = G_N_ELEMENTS (topics);
  return topics;
}

const SsappPaper *
ssapp_papers (guint *n)
{
  g_return_val_if_fail (n != NULL, NULL);

  static GArray *papers = NULL; /* never freed: of the whole program */
  static gsize is_made = 0;

  if (g_once_init_enter (&is_made)) {
    papers = g_array_new (FALSE, FALSE, sizeof (SsappPaper));
    for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
      for (const SsappPaperItem *item = lists[l]; item->paper.name != NULL; item++)
        if (!item->is_group)
          g_array_append_val (papers, item->paper);
    g_once_init_leave (&is_made, 1);
  }
  *n = papers->len;
  return (const SsappPaper *)(const void *)papers->data;
}

const SsappPaper *
ssapp_paper_find (const char *name)
{
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);

  for (guint i = 0; i < n; i++)
    if (strcmp (papers[i].name, name) == 0)
      return &papers[i];
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (const SsappPaperItem *item = lists[l]; item->paper.name != NULL; item++)
      if (item->is_group && strcmp (item->paper.name, name) == 0)
        return &item->paper;
  return NULL;
}

const SsappPaperItem *
ssapp_paper_item (const SsappPaper *paper)
{
  g_return_val_if_fail (paper != NULL, NULL);
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (const SsappPaperItem *item = lists[l]; item->paper.name != NULL; item++)
      if (strcmp (item->paper.name, paper->name) == 0)
        return item;
  return NULL;
}

gboolean
ssapp_paper_has_picture (const SsappPaper *paper)
{
  g_return_val_if_fail (paper != NULL, FALSE);
  const SsappPaperItem *item = ssapp_paper_item (paper);

  return item->charts != NULL || item->motions != NULL;
}

char *
ssapp_paper_example (const SsappPaper *paper)
{
  g_return_val_if_fail (paper != NULL, NULL);
  const SsappPaperItem *item = ssapp_paper_item (paper);

  if (item->example == NULL && item->motions != NULL && item->motions->key != NULL)
    return g_strdup (item->motions->example);
  return g_strdup (item->example);
}

gboolean
ssapp_paper_matches (const SsappPaper *paper, const char *search)
{
  g_return_val_if_fail (paper != NULL, FALSE);
  g_autofree char *all = g_strjoin (" ", paper->label, paper->title, paper->place, paper->name, NULL);
  g_autofree char *folded = g_utf8_casefold (all, -1), *words = g_utf8_casefold (search, -1);
  g_auto (GStrv) parts = g_strsplit_set (words, " \t", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (strstr (folded, parts[i]) == NULL)
      return FALSE;
  return TRUE;
}

char *
ssapp_paper_to_command (const SsappPaper *paper, SsappPaperExtent extent)
{
  g_return_val_if_fail (paper != NULL, NULL);
  static const char *const options[] = {
      [SSAPP_PAPER_QUICK] = " --quick", [SSAPP_PAPER_USUAL] = "", [SSAPP_PAPER_ALL] = " --all"};

  return g_strdup_printf ("stickslip-cli paper %s%s", paper->name, options[extent]);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void
add_columns (SsappTable *table, const json_t *columns)
{
  const json_t *column;
  size_t i;

  json_array_foreach (columns, i, column)
  {
    const char *key = json_string_value (json_object_get (column, "key"));
    const char *title = json_string_value (json_object_get (column, "title"));
    const int digits = (int)json_integer_value (json_object_get (column, "digits"));
    g_autofree char *format = g_strdup_printf ("%%.%dg", CLAMP (digits, 1, 17));
    if (digits == 0)
      ssapp_table_add_text_column (table, key != NULL ? key : "", title != NULL ? title : "");
    else
      ssapp_table_add_number_column (table, key != NULL ? key : "", title != NULL ? title : "", "", format,
                                     SSAPP_BEST_NONE);
  }
}

static void
add_row (SsappTable *table, const json_t *row)
{
  const json_t *cell;
  size_t i;

  ssapp_table_begin_row (table);
  json_array_foreach (row, i, cell)
  {
    if (i >= ssapp_table_get_n_columns (table))
      break;
    if (json_is_string (cell))
      ssapp_table_add_text (table, json_string_value (cell));
    else if (ssapp_table_is_number_column (table, (guint)i))
      ssapp_table_add_number (table, json_is_number (cell) ? json_number_value (cell) : (double)NAN);
    else
      ssapp_table_add_text (table, "");
  }
}

GPtrArray *
ssapp_paper_read (const json_t *document)
{
  const json_t *list = json_object_get (document, "tables"), *item, *part;
  GPtrArray *tables;
  size_t i, k;

  if (!json_is_array (list))
    return NULL;
  tables = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_table_free);
  json_array_foreach (list, i, item)
  {
    const char *title = json_string_value (json_object_get (item, "title"));
    SsappTable *table = ssapp_table_new (title != NULL ? title : "");
    add_columns (table, json_object_get (item, "columns"));
    json_array_foreach (json_object_get (item, "rows"), k, part) add_row (table, part);
    json_array_foreach (json_object_get (item, "notes"), k, part)
    {
      if (json_is_string (part))
        ssapp_table_add_note (table, json_string_value (part));
    }
    g_ptr_array_add (tables, table);
  }
  return tables;
}
