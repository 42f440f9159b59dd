/* app/export/ssapp-pgf.h: what pictures for pgfplots are made of: texts, numbers, and looks of methods as styles, the
 * same as in our own pictures. Plots of runs (ssapp-export-pgf.c) and charts of many (study/ssapp-chart-pgf.c) write
 * their axes around it.
 *
 * Threads: any. Tests: tests/unit/test-pgf.c, tests/cli/test-figure.sh
 */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* Text for TeX. */
void ssapp_pgf_append_text (GString *tex, const char *text);
/* Nine digits; nan where it is not finite, which pgfplots passes over. */
void ssapp_pgf_append_number (GString *tex, double value);
/* Declares the style `stickslip look <number>`: colour, dash and mark. */
void ssapp_pgf_declare_look (GString *tex, guint number, const SsappMethodStyle *look);

G_END_DECLS
