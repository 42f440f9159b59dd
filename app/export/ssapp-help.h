/* app/export/ssapp-help.h: the help: a page of words for each page of the window, as text, as markup, and printed. The
 * words are in data/help.txt. Threads: any, each with its own Cairo context. Tests: tests/unit/test-tutorial.c */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *name;  /* "sketch": of the window's page */
  char *title; /* "The Sketch Page"              */
  char *body;  /* lines as in data/help.txt      */
} SsappHelpPage;

/* Of SsappHelpPage, in the order of the pages; g_ptr_array_unref. */
GPtrArray *ssapp_help_pages (void);
/* The page of that name, borrowed from the list; NULL: there is none. */
const SsappHelpPage *ssapp_help_find (GPtrArray *pages, const char *name);
char *ssapp_help_to_text (const SsappHelpPage *page);   /* for a terminal; g_free */
char *ssapp_help_to_markup (const SsappHelpPage *page); /* for Pango, without the title; g_free */

/* A page of help laid out on sheets of one size. */
typedef struct SsappHelpPrint SsappHelpPrint;
/* Sizes in the context's units, of which there are `dpi` to the inch. */
SsappHelpPrint *ssapp_help_print_new (cairo_t *cr, const SsappHelpPage *page, double width, double height, double dpi);
int ssapp_help_print_n_sheets (const SsappHelpPrint *print);
void ssapp_help_print_draw (const SsappHelpPrint *print, cairo_t *cr, int sheet); /* from (0, 0) on */
void ssapp_help_print_free (SsappHelpPrint *print);                               /* NULL is allowed */

/* A4 sheets; each page of help begins on a new one. */
gboolean ssapp_help_export_pdf (const SsappHelpPage *const *pages, int n_pages, const char *path, GError **error);

G_END_DECLS
