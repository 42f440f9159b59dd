/* app/draw/ssapp-text-fit.h: names that are wider than their place. Threads: any. Tests: tests/unit/test-channels.c */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* Characters that all n texts begin with, up to the last space among them; 0 of fewer than two. */
int ssapp_texts_shared (const char *const *texts, int n);

/* The text if it is no wider than `width` [px] at that size [px]; else without its first `shared` characters, which
 * others have too, else with its middle left out: "…" stands for what is not there. g_free. */
char *ssapp_text_fit (const SsappStyle *style, double size, gboolean bold, const char *text, int shared, double width);

G_END_DECLS
