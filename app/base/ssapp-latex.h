/* app/base/ssapp-latex.h: words in LaTeX, of tables and of equations. Threads: any. Tests: tests/unit/test-equations.c,
 * tests/unit/test-table.c
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Words for running text: what LaTeX takes for its own is quoted, signs become formulas, letters that its plain fonts
 * lack become "?". Compiles with plain LaTeX of 2018 and later. g_free. */
char *ssapp_latex_words (const char *words);

G_END_DECLS
