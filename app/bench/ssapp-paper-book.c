/* app/bench/ssapp-paper-book.c: see ssapp-paper-book.h. */
#include "app/bench/ssapp-paper-book.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define ITEM_FILE "item.json"
static const char *const counted[] = {"agreed", "refuted", "not reproducible", "not run"};
/* What is told of them, in that order; last, refuted ones without a reason. */
static const char *const counts[] = {"agreed", "refuted", "not_reproducible", "not_run", "unexplained"};

GPtrArray *
ssapp_paper_book_list (const char *which)
{
  guint n;
  const SsappPaper *papers = ssapp_papers (&n), *one = ssapp_paper_find (which);
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (strcmp (which, "all") == 0 || strcmp (papers[i].topic, which) == 0)
      g_ptr_array_add (list, (gpointer)&papers[i]);
  if (list->len == 0 && one != NULL)
    g_ptr_array_add (list, (gpointer)one);
  if (list->len == 0)
    g_clear_pointer (&list, g_ptr_array_unref);
  return list;
}

static SsappPaperExtent
extent_of (const SsappPaperBookPlan *plan, const SsappPaper *paper)
{
  if (plan->is_quick)
    return paper->quick != NULL ? SSAPP_PAPER_QUICK : SSAPP_PAPER_USUAL;
  return paper->all != NULL && !plan->is_usual ? SSAPP_PAPER_ALL : SSAPP_PAPER_USUAL;
}

/* What the program is: a hash of its file; g_free. NULL: it cannot be read. */
static char *
hash_program (GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!ssapp_read_file ("/proc/self/exe", 0, &text, &length, error))
    return NULL;
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)text, length);
}

/* The document of an item that is there, by any program; NULL: there is none. */
static json_t *
read_item_file (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, ITEM_FILE, NULL), *text = NULL;

  return ssapp_read_file (path, 0, &text, NULL, NULL) ? json_loads (text, 0, NULL) : NULL;
}

/* The document of an item by this program; NULL: there is none. */
static json_t *
read_item (const char *folder, const char *program)
{
  json_t *document = read_item_file (folder);

  if (g_strcmp0 (json_string_value (json_object_get (document, "program")), program) != 0)
    g_clear_pointer (&document, json_decref);
  return document;
}

/* A whole one of that extent by this program; NULL: it is to be made. */
static json_t *
read_kept (const char *folder, const char *program, SsappPaperExtent extent)
{
  json_t *document = read_item (folder, program);

  if (document == NULL || !json_is_true (json_object_get (document, "complete")) ||
      g_strcmp0 (json_string_value (json_object_get (document, "extent")), ssapp_paper_extents[extent]) != 0) {
    json_decref (document);
    return NULL;
  }
  return document;
}

static gboolean
write_tables (const json_t *document, const char *folder, GError **error)
{
  const json_t *tables = json_object_get (document, "tables");
  g_autoptr (GPtrArray) read = ssapp_paper_read (document);
  gboolean ok = TRUE;

  for (guint i = 0; ok && read != NULL && i < read->len; i++) {
    const char *key = json_string_value (json_object_get (json_array_get (tables, i), "name"));
    g_autofree char *name = g_strconcat (key, ".csv", NULL), *path = g_build_filename (folder, name, NULL),
                    *text = ssapp_table_write (g_ptr_array_index (read, i), SSAPP_TABLE_CSV);
    ok = ssapp_write_file (path, text, -1, error);
  }
  return ok;
}

static gboolean
write_document (const json_t *document, const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, ITEM_FILE, NULL), *text = ssapp_json_text (document, TRUE);

  return write_tables (document, folder, error) && ssapp_write_file (path, text, -1, error);
}

/* What cannot be made is a document that says why. */
static json_t *
make_item (const SsappPaperBookPlan *plan, const SsappPaper *paper, const char *folder, const char *program,
           GPtrArray *runs)
{
  const SsappPaperPlan own = {
      .extent = extent_of (plan, paper), .control = plan->control, .say = plan->say, .folder = folder, .runs = runs};
  const double start = ss_clock_process_cpu ();
  g_autofree char *message = NULL, *old = g_build_filename (folder, ITEM_FILE, NULL);

  g_unlink (old);
  json_t *document = ssapp_paper_run (paper, &own, &message);
  if (document == NULL)
    document = json_pack ("{s:s, s:s, s:s, s:b, s:[], s:[], s:[], s:s}", "paper", paper->name, "title", paper->title,
                          "place", paper->place, "complete", FALSE, "tables", "pictures", "verdicts", "problem",
                          message != NULL ? message : "");
  json_object_set_new (document, "program", json_string (program));
  json_object_set_new (document, "seconds", json_real (ss_clock_process_cpu () - start));
  return document;
}

static json_t *
sum_of (const json_t *document, gboolean is_kept)
{
  const json_t *rows = json_object_get (document, "verdicts"), *row, *problem = json_object_get (document, "problem");
  json_t *sum = json_pack ("{s:O, s:b, s:O, s:o}", "name", json_object_get (document, "paper"), "is_kept", is_kept,
                           "seconds", json_object_get (document, "seconds"), "problem",
                           problem != NULL ? json_incref ((json_t *)problem) : json_null ());
  int n[G_N_ELEMENTS (counts)] = {0};
  size_t i;

  json_array_foreach (rows, i, row)
  {
    for (guint c = 0; c < G_N_ELEMENTS (counted); c++)
      n[c] += g_strcmp0 (json_string_value (json_object_get (row, "verdict")), counted[c]) == 0;
    n[G_N_ELEMENTS (counted)] += json_is_false (json_object_get (row, "explained"));
  }
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    json_object_set_new (sum, counts[c], json_integer (n[c]));
  return sum;
}

/* The page of all items that the folder has by this program, in the order of the papers. */
static gboolean
write_page (const SsappPaperBookPlan *plan, const char *program, GError **error)
{
  g_autofree char *path = g_build_filename (plan->folder, "index.html", NULL);
  json_t *documents = json_array ();
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);

  for (guint i = 0; i < n; i++) {
    g_autofree char *folder = g_build_filename (plan->folder, papers[i].name, NULL);
    json_t *document = read_item (folder, program);
    if (document != NULL)
      json_array_append_new (documents, document);
  }
  g_autofree char *text = ssapp_paper_page (documents, plan->folder, plan->is_quick);
  json_decref (documents);
  return ssapp_write_file (path, text, -1, error);
}

static void
add_sums (json_t *told)
{
  const json_t *items = json_object_get (told, "items"), *item;
  size_t i;

  for (guint c = 0; c < G_N_ELEMENTS (counts); c++) {
    json_int_t n = 0;
    json_array_foreach (items, i, item) n += json_integer_value (json_object_get (item, counts[c]));
    json_object_set_new (told, counts[c], json_integer (n));
  }
}

/* One item: kept or made, its files, its line in `told`, the page as far as it is. */
static gboolean
add_item (const SsappPaperBookPlan *plan, const SsappPaper *paper, const char *program, GPtrArray *runs, json_t *told,
          GError **error)
{
  g_autofree char *folder = g_build_filename (plan->folder, paper->name, NULL);
  json_t *document = read_kept (folder, program, extent_of (plan, paper));
  const gboolean is_kept = document != NULL;
  gboolean ok = TRUE;

  ssapp_bench_say (plan->say, "%s: %s", paper->name, is_kept ? "kept" : "begun");
  if (!is_kept && g_mkdir_with_parents (folder, 0777) != 0)
    return ssapp_set_file_error (error, folder, "make", errno);
  if (!is_kept) {
    document = make_item (plan, paper, folder, program, runs);
    ok = write_document (document, folder, error);
  }
  json_array_append_new (json_object_get (told, "items"), sum_of (document, is_kept));
  json_decref (document);
  return ok && write_page (plan, program, error);
}

json_t *
ssapp_paper_book_make (const SsappPaperBookPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL && plan->which != NULL && plan->folder != NULL, NULL);
  g_autoptr (GPtrArray) list = ssapp_paper_book_list (plan->which);
  g_autoptr (GPtrArray) runs = ssapp_paper_runs_new ();
  g_autofree char *program = hash_program (error);
  json_t *told;
  guint i = 0;
  gboolean ok = program != NULL && list != NULL;

  told = json_pack ("{s:s, s:s, s:[]}", "folder", plan->folder, "program", program != NULL ? program : "", "items");
  for (; ok && i < list->len && !ssapp_bench_is_cancelled (plan->control); i++)
    ok = add_item (plan, g_ptr_array_index (list, i), program, runs, told, error);
  json_object_set_new (told, "complete",
                       json_boolean (ok && i == list->len && !ssapp_bench_is_cancelled (plan->control)));
  add_sums (told);
  if (!ok)
    g_clear_pointer (&told, json_decref);
  return told;
}

/* ---- the user's own ---------------------------------------------------------------------------------------------- */

char *
ssapp_paper_cache (void)
{
  return g_build_filename (g_get_user_cache_dir (), "stickslip", "papers", NULL);
}

json_t *
ssapp_paper_cached (const SsappPaper *paper)
{
  g_return_val_if_fail (paper != NULL, NULL);
  g_autofree char *cache = ssapp_paper_cache (), *folder = g_build_filename (cache, paper->name, NULL);

  return read_item_file (folder);
}

char *
ssapp_paper_cached_picture (const SsappPaper *paper, const json_t *document, guint picture)
{
  g_return_val_if_fail (paper != NULL, NULL);
  const json_t *one = json_array_get (json_object_get (document, "pictures"), picture);
  const char *key = json_string_value (json_object_get (one, "key"));

  if (key == NULL)
    return NULL;
  g_autofree char *cache = ssapp_paper_cache (), *name = g_strconcat (key, ".png", NULL);
  return g_build_filename (cache, paper->name, name, NULL);
}
