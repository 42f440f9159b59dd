/* app/export/ssapp-help.h: the manual, data/manual in CommonMark, which the programs carry inside: its pages, their
 * words for a terminal, for Pango and for a browser, a search, and print. Marks are read by cmark-gfm, tables of
 * GitHub's kind included. Threads: any, each with its own Cairo context. Tests: tests/unit/test-help.c */
#pragma once

#include "run/ss-method.h"

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *name;  /* "window/sketch", "integrators/fesd-j": the file's, below data/manual and without .md */
  char *title; /* "The Sketch Page": its first heading */
  char *body;  /* CommonMark */
} SsappHelpPage;

/* A part of a page: from a heading to the next one. */
typedef struct {
  char *title; /* of the heading; the page's for what stands before the first one */
  char *words; /* in the form that was asked for, with the heading */
} SsappHelpSection;

typedef enum {
  SSAPP_HELP_TEXT,   /* for a terminal                                                                 */
  SSAPP_HELP_MARKUP, /* for Pango; a link to another page of the manual is <a href="manual:NAME"> */
} SsappHelpForm;

/* Of SsappHelpPage, in the order in which the index (README) names them, itself first; g_ptr_array_unref. */
GPtrArray *ssapp_help_pages (void);
/* The page of that name, borrowed from the list; NULL: there is none. */
const SsappHelpPage *ssapp_help_find (GPtrArray *pages, const char *name);
/* Pages of that name, or where there is none those whose file has it: "anitescu-potra" is of two. Borrowed pages. */
GPtrArray *ssapp_help_named (GPtrArray *pages, const char *name);
/* Pages that explain the window, with names that begin with "window/". Borrowed pages. */
GPtrArray *ssapp_help_of_window (GPtrArray *pages);
/* The name of the page of a method: each of ours has one, the user's own have one together; g_free. */
char *ssapp_help_method_page (const SsMethod *method);

/* Of SsappHelpSection, of which there is one at least; g_ptr_array_unref. `pages` says what a link may lead to. */
GPtrArray *ssapp_help_sections (const SsappHelpPage *page, GPtrArray *pages, SsappHelpForm form);
char *ssapp_help_to_text (const SsappHelpPage *page); /* title and sections; g_free */

typedef struct {
  const SsappHelpPage *page; /* borrowed */
  guint section;
  char *title, *excerpt; /* of the section: its heading, a line of its words */
  double score;
} SsappHelpHit;
/* Sections of the manual that have these words or their beginnings, best first, 20 at most: words of a heading count
 * more than others, rare ones more than frequent ones (Okapi BM25). Of SsappHelpHit; g_ptr_array_unref. */
GPtrArray *ssapp_help_search (GPtrArray *pages, const char *words);

/* A page of the manual laid out on sheets of one size. */
typedef struct SsappHelpPrint SsappHelpPrint;
/* Sizes in the context's units, of which there are `dpi` to the inch. */
SsappHelpPrint *ssapp_help_print_new (cairo_t *cr, const SsappHelpPage *page, double width, double height, double dpi);
int ssapp_help_print_n_sheets (const SsappHelpPrint *print);
void ssapp_help_print_draw (const SsappHelpPrint *print, cairo_t *cr, int sheet); /* from (0, 0) on */
void ssapp_help_print_free (SsappHelpPrint *print);                               /* NULL is allowed */

/* A4 sheets; each page begins on a new one. */
gboolean ssapp_help_export_pdf (const SsappHelpPage *const *pages, int n_pages, const char *path, GError **error);
/* Every page as NAME.html below the folder, which is made where it is not there; the index is index.html. Pictures of
 * pages are shown that the folder has. */
gboolean ssapp_help_export_html (GPtrArray *pages, const char *folder, GError **error);

G_END_DECLS
