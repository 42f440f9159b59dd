/* app/bench/ssapp-paper-page.c: the page of papers' figures and tables: pictures, the paper's numbers beside ours, what
 * each is, misprints, what is not made. Its frame and look are data/html/papers.html and papers.css. */
#include "app/bench/ssapp-paper-book.h"

#include "app/base/ssapp-file.h"
#include "app/bench/ssapp-paper-index.h"
#include "app/bench/ssapp-paper-item.h"
#include "page-papers-css.h"
#include "page-papers-html.h"

#include <string.h>

enum {
  SVG_MOST = 200 * 1024, /* bytes; above that the page has the PNG */
  ROWS_MOST = 40,        /* of a table on the page */
};

static const struct {
  const char *verdict, *class, *sign;
} marks[] = {{"agreed", "agreed", "✓"},
             {"refuted", "refuted", "✗"},
             {"not reproducible", "cannot", "○"},
             {"not run", "later", "…"}};

static void put (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The texts are escaped. */
static void
put (GString *out, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_markup_vprintf_escaped (format, list);
  va_end (list);
  g_string_append (out, text);
}

static const char *
text_of (const json_t *object, const char *key)
{
  const char *text = json_string_value (json_object_get (object, key));

  return text != NULL ? text : "";
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* The picture as a data: address; g_free. NULL: there is none. */
static char *
embed (const char *folder, const char *file)
{
  g_autofree char *path = g_build_filename (folder, file, NULL), *text = NULL;
  g_autofree char *stem = g_strndup (file, strcspn (file, ".")), *png = g_strconcat (stem, ".png", NULL);
  const char *type = "image/svg+xml";
  gsize length;

  if (!ssapp_read_file (path, SVG_MOST, &text, &length, NULL)) {
    g_autofree char *other = g_build_filename (folder, png, NULL);
    type = "image/png";
    if (!ssapp_read_file (other, 0, &text, &length, NULL))
      return NULL;
  }
  g_autofree char *data = g_base64_encode ((const guchar *)text, length);
  return g_strdup_printf ("data:%s;base64,%s", type, data);
}

static void
put_pictures (GString *out, const json_t *document, const char *folder)
{
  const char *name = text_of (document, "paper");
  g_autofree char *own = g_build_filename (folder, name, NULL);
  const json_t *pictures = json_object_get (document, "pictures"), *picture;
  size_t i;

  if (json_array_size (pictures) == 0)
    return;
  g_string_append (out, "<div class=\"pictures\">\n");
  json_array_foreach (pictures, i, picture)
  {
    const char *title = text_of (picture, "title"), *file = text_of (picture, "file"), *key = text_of (picture, "key");
    g_autofree char *address = embed (own, file);
    if (address == NULL)
      continue;
    put (out, "<figure><a href=\"%s/%s\"><img alt=\"%s\" src=\"", name, file, title);
    g_string_append (out, address);
    put (out, "\"></a><figcaption>%s <a href=\"%s/%s.pdf\">PDF</a></figcaption></figure>\n", title, name, key);
  }
  g_string_append (out, "</div>\n");
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void
put_verdict (GString *out, const json_t *row)
{
  const char *verdict = text_of (row, "verdict"), *why = text_of (row, "why"), *reason = text_of (row, "reason"),
             *words = text_of (row, "paper_words"), *truth_words = text_of (row, "truth_words");
  g_autofree char *ours = ssapp_paper_value_text (json_object_get (row, "ours")), *paper = ssapp_paper_paper_text (row),
                  *truth = ssapp_paper_value_text (json_object_get (row, "truth"));
  guint m = 0;

  while (m + 1 < G_N_ELEMENTS (marks) && strcmp (marks[m].verdict, verdict) != 0)
    m++;
  put (out,
       "<tr><td><span class=\"mark %s\">%s %s</span></td><td class=\"what\">%s</td><td class=\"n\">%s</td><td "
       "class=\"n\">%s</td>",
       marks[m].class, marks[m].sign, verdict, text_of (row, "what"),
       json_is_null (json_object_get (row, "paper")) && *words != '\0' ? words : paper, ours);
  put (out, "<td class=\"n\" title=\"%s\">%s</td><td>", truth_words, truth);
  if (strcmp (verdict, "not reproducible") != 0 && strcmp (verdict, "not run") != 0 && *why != '\0') {
    const char *kind = text_of (row, "kind");
    const double tolerance = json_number_value (json_object_get (row, "tolerance"));
    if (strcmp (kind, "near") == 0)
      put (out, "Within %.2g of it: %s. ", tolerance, why);
    else if (strcmp (kind, "within") == 0)
      put (out, "Within %.2g: %s. ", tolerance, why);
    else if (strcmp (kind, "same") != 0)
      put (out, "%s it, but for %.2g of it: %s. ", strcmp (kind, "at most") == 0 ? "At most" : "At least", tolerance,
           why);
  }
  put (out, "%s</td></tr>\n", reason);
}

static void
put_verdicts (GString *out, const json_t *document)
{
  const json_t *rows = json_object_get (document, "verdicts"), *row;
  size_t i;

  if (json_array_size (rows) == 0)
    return;
  g_string_append (out,
                   "<div class=\"scroll\"><table><thead><tr><th>Verdict</th><th>What</th><th class=\"n\">Paper</th>"
                   "<th class=\"n\">Ours</th><th class=\"n\">Independent</th><th>Tolerance, reason</th></tr></thead>"
                   "<tbody>\n");
  json_array_foreach (rows, i, row) put_verdict (out, row);
  g_string_append (out, "</tbody></table></div>\n");
}

static void
put_table (GString *out, const SsappTable *table, const char *name, const char *key)
{
  const guint n_columns = ssapp_table_get_n_columns (table), n_rows = ssapp_table_get_n_rows (table);

  put (out, "<p><b>%s</b> <a href=\"%s/%s.csv\">CSV</a></p>\n<div class=\"scroll\"><table><thead><tr>",
       ssapp_table_get_title (table), name, key);
  for (guint c = 0; c < n_columns; c++) {
    g_autofree char *title = ssapp_table_get_column_title (table, c);
    put (out, "<th%s>%s</th>", "", title);
  }
  g_string_append (out, "</tr></thead><tbody>\n");
  for (guint r = 0; r < MIN (n_rows, ROWS_MOST); r++) {
    g_string_append (out, "<tr>");
    for (guint c = 0; c < n_columns; c++) {
      g_string_append (out, ssapp_table_is_number_column (table, c) ? "<td class=\"n\">" : "<td>");
      put (out, "%s</td>", ssapp_table_get_text (table, r, c));
    }
    g_string_append (out, "</tr>\n");
  }
  g_string_append (out, "</tbody></table></div>\n");
  if (n_rows > ROWS_MOST)
    put (out, "<p class=\"dim\">%u rows more are in the CSV.</p>\n", n_rows - ROWS_MOST);
  for (guint i = 0; i < ssapp_table_get_n_notes (table); i++)
    put (out, "<p class=\"dim\">%s</p>\n", ssapp_table_get_note (table, i));
}

static void
put_tables (GString *out, const json_t *document)
{
  const json_t *tables = json_object_get (document, "tables");
  g_autoptr (GPtrArray) read = ssapp_paper_read (document);

  if (read == NULL || read->len == 0)
    return;
  g_string_append (out, "<details><summary>All numbers</summary>\n");
  for (guint i = 0; i < read->len; i++)
    put_table (out, g_ptr_array_index (read, i), text_of (document, "paper"),
               text_of (json_array_get (tables, i), "name"));
  g_string_append (out, "</details>\n");
}

static void
put_item (GString *out, const json_t *document, const char *folder)
{
  const char *name = text_of (document, "paper"), *problem = text_of (document, "problem");
  const SsappPaper *paper = ssapp_paper_find (name);
  const SsappPaperItem *item = paper != NULL ? ssapp_paper_item (paper) : NULL;

  if (item == NULL)
    return;
  put (out, "<article id=\"%s\">\n<h3>%s: %s</h3>\n<p class=\"dim\">%s</p>\n<p>%s</p>\n", name, paper->label,
       paper->title, paper->place, paper->words);
  if (*problem != '\0')
    put (out, "<p><span class=\"mark refuted\">✗ not made</span> %s</p>\n", problem);
  put_pictures (out, document, folder);
  put_verdicts (out, document);
  if (item->better != NULL)
    put (out, "<p class=\"better\"><b>Better:</b> %s</p>\n", item->better);
  put_tables (out, document);
  g_autofree char *command = ssapp_paper_to_command (paper, SSAPP_PAPER_USUAL);
  put (out, "<p class=\"dim\"><code>%s</code>, %.2g s of CPU time</p>\n</article>\n", command,
       json_number_value (json_object_get (document, "seconds")));
}

/* ---- papers ------------------------------------------------------------------------------------------------------ */

/* Whether the item is one of that paper. */
static gboolean
is_of_topic (const json_t *document, const char *topic)
{
  const SsappPaper *paper = ssapp_paper_find (text_of (document, "paper"));

  return paper != NULL && strcmp (paper->topic, topic) == 0;
}

static int
count (const json_t *documents, const char *topic, const char *verdict)
{
  const json_t *document, *row;
  size_t i, k;
  int n = 0;

  json_array_foreach (documents, i, document)
  {
    if (topic != NULL && !is_of_topic (document, topic))
      continue;
    json_array_foreach (json_object_get (document, "verdicts"), k, row) n +=
        strcmp (text_of (row, "verdict"), verdict) == 0;
  }
  return n;
}

static int
count_items (const json_t *documents, const char *topic)
{
  const json_t *document;
  size_t i;
  int n = 0;

  json_array_foreach (documents, i, document) n += is_of_topic (document, topic);
  return n;
}

char *
ssapp_paper_count_text (guint n)
{
  return n == 1 ? g_strdup ("1 figure or table") : g_strdup_printf ("%u figures and tables", n);
}

static void
put_marks (GString *out, const json_t *documents, const char *topic)
{
  for (guint m = 0; m < G_N_ELEMENTS (marks); m++) {
    const int n = count (documents, topic, marks[m].verdict);
    if (n > 0)
      put (out, "<span class=\"mark %s\">%s %d %s</span> ", marks[m].class, marks[m].sign, n, marks[m].verdict);
  }
}

/* "Fig 5" -> "figure-5", "Tab 2" -> "table-2"; NULL: no figure and no table. g_free. */
static char *
name_of (const char *item)
{
  if (g_str_has_prefix (item, "Fig "))
    return g_strconcat ("figure-", item + strlen ("Fig "), NULL);
  return g_str_has_prefix (item, "Tab ") ? g_strconcat ("table-", item + strlen ("Tab "), NULL) : NULL;
}

/* Numbered figures and tables that are not made, with the reason. */
static void
put_left_out (GString *out, const SsappPaperTopic *topic)
{
  g_autoptr (SsappTable) index = topic->number != NULL ? ssapp_paper_index (topic->number, FALSE, NULL) : NULL;
  gboolean any = FALSE;

  for (guint r = 0; index != NULL && r < ssapp_table_get_n_rows (index); r++) {
    g_autofree char *end = name_of (ssapp_table_get_text (index, r, 1));
    g_autofree char *name = end != NULL ? g_strdup_printf ("%s-%s", topic->topic, end) : NULL;
    const char *notes = ssapp_table_get_text (index, r, 3), *reason = strstr (notes, "no line: ");
    if (name == NULL || ssapp_paper_find (name) != NULL)
      continue;
    if (!any)
      g_string_append (out, "<details><summary>Figures and tables that are not made</summary><ul>\n");
    any = TRUE;
    put (out, "<li><b>%s</b>, %s: %s</li>\n", ssapp_table_get_text (index, r, 1), ssapp_table_get_text (index, r, 2),
         reason != NULL   ? reason + strlen ("no line: ")
         : *notes != '\0' ? notes
                          : "not made yet");
  }
  if (any)
    g_string_append (out, "</ul></details>\n");
}

static void
put_errata (GString *out, const SsappPaperTopic *topic)
{
  g_autoptr (SsappTable) errata = topic->number != NULL ? ssapp_paper_index (topic->number, TRUE, NULL) : NULL;

  if (errata == NULL || ssapp_table_get_n_rows (errata) == 0)
    return;
  put (out,
       "<details><summary>Misprints (%u)</summary><div class=\"scroll\"><table><thead><tr><th>Where</th><th>What it "
       "says</th><th>Misprint</th><th>Tested by</th></tr></thead><tbody>\n",
       ssapp_table_get_n_rows (errata));
  for (guint r = 0; r < ssapp_table_get_n_rows (errata); r++)
    put (out, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", ssapp_table_get_text (errata, r, 1),
         ssapp_table_get_text (errata, r, 2), ssapp_table_get_text (errata, r, 3), ssapp_table_get_text (errata, r, 4));
  g_string_append (out, "</tbody></table></div></details>\n");
}

static void
put_paper (GString *out, const SsappPaperTopic *topic, const json_t *documents, const char *folder)
{
  const json_t *document;
  size_t i;

  if (count_items (documents, topic->topic) == 0)
    return;
  put (out, "<section>\n<h2 id=\"%s\">%s</h2>\n<p class=\"dim\">%s</p>\n<p>", topic->topic, topic->title,
       topic->source);
  put_marks (out, documents, topic->topic);
  g_string_append (out, "</p>\n");
  json_array_foreach (documents, i, document)
  {
    if (is_of_topic (document, topic->topic))
      put_item (out, document, folder);
  }
  put_left_out (out, topic);
  put_errata (out, topic);
  g_string_append (out, "</section>\n");
}

static void
put_head (GString *out, const json_t *documents, gboolean is_quick)
{
  guint n;
  const SsappPaperTopic *topics = ssapp_paper_topics (&n);

  put (out,
       "<header>\n<h1>Figures and tables of papers, made anew</h1>\n<p class=\"dim\">Stickslip %s%s. Every verdict "
       "is computed: <b>agreed</b> within the tolerance that stands in its row, <b>refuted</b> with the run that "
       "refutes it, <b>not reproducible</b> with the reason. Where a paper only draws, ours stands beside a closed "
       "form, "
       "an order or an independent value.</p>\n<p>",
       SS_VERSION, is_quick ? ", quick parts" : "");
  put_marks (out, documents, NULL);
  g_string_append (out, "</p>\n<nav aria-label=\"Papers\">\n");
  for (guint i = 0; i < n; i++) {
    const int items = count_items (documents, topics[i].topic);
    if (items == 0)
      continue;
    g_autofree char *text = ssapp_paper_count_text (items);
    put (out, "<a href=\"#%s\"><b>%s</b>%s<br>", topics[i].topic, topics[i].title, text);
    put_marks (out, documents, topics[i].topic);
    g_string_append (out, "</a>\n");
  }
  g_string_append (out, "</nav>\n</header>\n<main>\n");
}

char *
ssapp_paper_page (const json_t *documents, const char *folder, gboolean is_quick)
{
  g_autoptr (GString) body = g_string_new ("");
  GString *page = g_string_new (page_papers_html);
  guint n;
  const SsappPaperTopic *topics = ssapp_paper_topics (&n);

  put_head (body, documents, is_quick);
  for (guint i = 0; i < n; i++)
    put_paper (body, &topics[i], documents, folder);
  g_string_append (body, "</main>\n");
  g_string_replace (page, "@STYLE@", page_papers_css, 1);
  g_string_replace (page, "@BODY@", body->str, 1);
  return g_string_free (page, FALSE);
}
