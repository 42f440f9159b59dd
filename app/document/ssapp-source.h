/* app/document/ssapp-source.h: what is wrong with the text of a scenario, line by line, for whoever types it. No GTK.
 * Threads: any. Tests: tests/unit/test-sketches.c */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One problem, or a warning. */
typedef struct {
  int line;   /* from 1; 0: of the whole text */
  char *text; /* "scene.bodies[0].mass: not positive (expected a number above 0)" */
  gboolean is_warning;
} SsappSourceProblem;

/* Of SsappSourceProblem, in the order of lines; free function set. Empty: the reader takes the text. Warnings are those
 * of a text that it takes. */
GPtrArray *ssapp_source_check (const char *text);
/* "Line 3: ..." and how many more there are; "" where there is none; g_free. */
char *ssapp_source_summary (GPtrArray *problems);

G_END_DECLS
