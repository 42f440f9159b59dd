/* app/bench/ssapp-paper-index.h: the numbered items of the five papers (equations, algorithms, tables, figures): what
 * each says, the lines that implement it, the tests that check it, where we deviate, and what is misprinted. Read from
 * data/manual/equations.md, which tests/check-equations.py makes from the tags in the sources.
 * Threads: any. Tests: tests/cli/test-accuracy.sh
 */
#pragma once

#include "app/base/ssapp-table.h"

G_BEGIN_DECLS

/* Columns paper, item, words, notes, tests, lines; a row an item. `paper`: "000" to "004", or a beginning of its name
 * ("fesd-j"); NULL: all of them. `errata`: items alone whose notes tell of a misprint. NULL with an error: no paper is
 * named so. */
SsappTable *ssapp_paper_index (const char *paper, gboolean errata, GError **error);

G_END_DECLS
