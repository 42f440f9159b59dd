/* app/session/ssapp-sketch-picture.h: a small picture of a scenario as it begins, for cards. No GTK.
 * Threads: main thread only. Tests: tests/unit/test-sketches.c */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* A surface of width x height pixels, transparent where nothing is; cairo_surface_destroy. NULL: the text cannot be
 * read, or there is nothing to be seen, as in an empty sketch and in equations without a view. */
cairo_surface_t *ssapp_sketch_picture (const char *text, const SsappStyle *style, int width, int height);
/* "12:04", "Monday", " 3 Nov": when that was, told of now, of a time as the project has it. g_free. */
char *ssapp_sketch_age (const char *changed, GDateTime *now);

G_END_DECLS
