/* app/session/ssapp-event-rows.h: the events of runs as rows of a table: by time, in words, as text to copy. No GTK.
 * Tests: tests/unit/test-overlays.c */
#pragma once

#include "app/draw/ssapp-run-events.h"
#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

typedef struct {
  SsappRun *run;              /* borrowed */
  const SsappRunEvent *event; /* borrowed from the run until it changes */
} SsappEventRow;

/* Of SsappEventRow, by time, of all runs; `kind` -1: of every kind. */
GArray *ssapp_event_rows_new (GPtrArray *runs, int kind);
/* "0.3750", with nine decimals where it is exact; "floor-box", of several points "floor-box, point 1", of a limit its
 * side; "5.391", "–" where there is none; g_free. */
char *ssapp_event_row_time (const SsappEventRow *row);
char *ssapp_event_row_contact (const SsappEventRow *row);
char *ssapp_event_row_impulse (const SsappEventRow *row);
/* The last row up to a time of the clock by which runs are told; -1: none. */
int ssapp_event_rows_at (GArray *rows, double t);
/* Columns apart by tabs, a line a row; the method where `with_method`; g_free. */
char *ssapp_event_rows_to_tsv (GArray *rows, gboolean with_method);
/* Whether the runs have nothing but events to log: all of them are simulations. */
gboolean ssapp_event_rows_fit (GPtrArray *runs);

G_END_DECLS
