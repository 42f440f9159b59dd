/* app/bench/ssapp-paper-book.h: figures and tables of the papers as a folder: of each a folder NAME with its pictures
 * (SVG, PDF, PNG), its tables (CSV) and item.json, which is written last; and index.html, which needs no network.
 *
 * What is there of the same program and extent is kept, so that an interrupted making goes on where it ended.
 * Threads: any, one at a time. Tests: tests/cli/test-paper-book.sh
 */
#pragma once

#include "app/bench/ssapp-paper.h"

G_BEGIN_DECLS

typedef struct {
  const char *which;     /* "all", a paper ("crisp"), or a name of ssapp_paper_find */
  const char *folder;    /* made where it is not there */
  gboolean is_quick;     /* the quick parts; else as much as there is */
  gboolean is_usual;     /* neither: what `paper NAME` makes */
  SsRunControl *control; /* cancel ends it after what is finished */
  SsappBenchSay say;     /* nullable */
} SsappPaperBookPlan;

/* Items of that name: of `which`; NULL: there is none. Of SsappPaper, borrowed; g_ptr_array_unref. */
GPtrArray *ssapp_paper_book_list (const char *which);
/* Makes them: {"folder", "program", "items": [{"name", "is_kept", "seconds", "agreed", "refuted", "unexplained",
 * "not_reproducible", "not_run", "problem"}], sums of these counts, "complete"}; a new reference, also when it was
 * cancelled. An item that fails has a problem, the others go on; NULL with an error: a file cannot be written. */
json_t *ssapp_paper_book_make (const SsappPaperBookPlan *plan, GError **error);

/* The folder of this user's figures and tables, which windows show; g_free. */
char *ssapp_paper_cache (void);
/* The document of an item that is in it, whatever program made it; NULL: none. */
json_t *ssapp_paper_cached (const SsappPaper *paper);
/* Its picture of that number as a PNG; NULL: none. g_free. */
char *ssapp_paper_cached_picture (const SsappPaper *paper, const json_t *document, guint picture);

/* "1 figure or table", "5 figures and tables"; g_free. ssapp-paper-page.c */
char *ssapp_paper_count_text (guint n);
/* The page of the items' documents (array, each with "name" of its item and "seconds"); files are of `folder`; g_free.
 * ssapp-paper-page.c */
char *ssapp_paper_page (const json_t *documents, const char *folder, gboolean is_quick);

G_END_DECLS
