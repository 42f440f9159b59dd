/* app/bench/ssapp-paper-run.c: one figure or table of a paper made: its tables, pictures and verdicts; see
 * ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include <string.h>

const char *const ssapp_paper_extents[] = {
    [SSAPP_PAPER_QUICK] = "quick", [SSAPP_PAPER_USUAL] = "usual", [SSAPP_PAPER_ALL] = "all"};

SsappPaperExtent
ssapp_paper_extent_of (const char *name)
{
  for (int i = 0; i <= SSAPP_PAPER_ALL; i++)
    if (g_strcmp0 (name, ssapp_paper_extents[i]) == 0)
      return (SsappPaperExtent)i;
  return SSAPP_PAPER_USUAL;
}

/* Whether a claim is of the runs of pictures. */
static gboolean
asks_for_motions (const SsappPaperItem *item)
{
  for (const SsappPaperClaim *claim = item->claims; claim != NULL && claim->what != NULL; claim++)
    if ((g_strcmp0 (claim->table, "motions") == 0 || g_strcmp0 (claim->table, "asked") == 0))
      return TRUE;
  return FALSE;
}

typedef struct {
  const SsappPaperChart *chart;
  const SsappTable *table;
} Chart;

static gboolean
write_chart (gconstpointer data, const char *path, GError **error)
{
  const Chart *drawn = data;

  return ssapp_paper_chart_export (drawn->chart, drawn->table, path, error);
}

/* Charts of which there is a table; a table that a short run has not is none. */
static gboolean
draw_charts (const SsappPaperItem *item, const json_t *tables, const GPtrArray *read, SsappPaperPictures *pictures,
             GError **error)
{
  gboolean ok = TRUE;

  for (const SsappPaperChart *chart = item->charts; ok && chart != NULL && chart->key != NULL; chart++) {
    const int at = ssapp_paper_find_table (tables, chart->table);
    if (at >= 0)
      ok = ssapp_paper_picture (pictures, chart->key, chart->title, write_chart,
                                &(Chart){chart, g_ptr_array_index (read, (guint)at)}, error);
  }
  return ok;
}

/* Tables of the suite, as they are kept; a new array, NULL with a message. */
static json_t *
make_tables (const SsappPaperItem *item, const SsappPaperPlan *plan, char **message)
{
  if (item->make == NULL)
    return json_array ();
  SsappBenchSheet *sheet = item->make (plan, item, message);
  if (sheet == NULL)
    return NULL;
  json_t *documents = ssapp_bench_sheet_to_documents (sheet);
  json_t *chosen = ssapp_paper_choose_tables (documents, item->tables);
  json_decref (documents);
  ssapp_bench_sheet_free (sheet);
  return chosen;
}

/* Runs of pictures and charts, which need what is read of the tables. FALSE with an error. */
static gboolean
add_pictures (const SsappPaperItem *item, const SsappPaperPlan *plan, json_t *tables, json_t *told, GError **error)
{
  const gboolean wants = plan->folder != NULL || plan->picture != NULL;
  SsappPaperPictures pictures = {plan->folder, plan->picture, told};
  json_t *document = json_pack ("{s:O}", "tables", tables);
  g_autoptr (GPtrArray) read = ssapp_paper_read (document);
  gboolean ok = draw_charts (item, tables, read, &pictures, error);

  json_decref (document);
  if (ok && item->motions != NULL && (wants || asks_for_motions (item))) {
    SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
    ok = ssapp_paper_run_motions (item, plan, sheet, &pictures, error);
    json_t *more = ssapp_bench_sheet_to_documents (sheet);
    json_array_extend (tables, more);
    json_decref (more);
    ssapp_bench_sheet_free (sheet);
  }
  if (ok && pictures.path != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s has no picture", item->paper.name);
  return ok && pictures.path == NULL;
}

json_t *
ssapp_paper_run (const SsappPaper *paper, const SsappPaperPlan *plan, char **message)
{
  const SsappPaperItem *item = ssapp_paper_item (paper);
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (item != NULL, NULL);
  json_t *tables = make_tables (item, plan, message), *told = json_array ();
  if (tables == NULL || !add_pictures (item, plan, tables, told, &error)) {
    if (error != NULL)
      *message = g_strdup (error->message);
    json_decref (tables);
    json_decref (told);
    return NULL;
  }
  json_t *document = json_pack (
      "{s:i, s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "format", 1, "paper", paper->name, "title", paper->title,
      "place", paper->place, "extent", ssapp_paper_extents[plan->extent], "complete",
      !ssapp_bench_is_cancelled (plan->control), "machine", ssapp_bench_machine (), "tables", tables, "pictures", told);
  g_autoptr (GPtrArray) read = ssapp_paper_read (document);
  json_object_set_new (document, "verdicts", ssapp_paper_judge (item, tables, read, plan->extent));
  return document;
}
