/* app/draw/ssapp-playing.h: what a player reads and shows: typed times, speeds, the range that is played over and over.
 * No GTK. Tests: tests/unit/test-overlays.c */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* "0.542", "0.542 s", "542 ms", "30 us" (or µs, μs), "2 min" as seconds; a comma for the decimal point is read too.
 * FALSE: it is no time. */
gboolean ssapp_time_parse (const char *text, double *seconds);
/* "1/4×", "16×"; g_free. */
char *ssapp_speed_text (double speed);
/* A band from x0 to x1 with brackets at its ends. */
void ssapp_range_draw (cairo_t *cr, const SsappStyle *style, double x0, double x1, double y, double height);
/* "1 frame", "1 001 frames"; g_free. */
char *ssapp_frames_text (int n);

G_END_DECLS
