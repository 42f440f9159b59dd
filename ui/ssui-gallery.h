/* ui/ssui-gallery.h: the examples inside the program: scenario, a motion to show on its card, words. */
#pragma once

#include "app/ssapp-run.h"

G_BEGIN_DECLS

typedef struct {
  const char *name; /* as in win.open-example                       */
  const char *title, *text, *topic, *source;
  const char *scenario; /* resource path of the scenario file           */
  const char *motion;   /* resource path of a trajectory as CSV         */
  const char *method;   /* that made the motion                         */
} SsuiExample;

int ssui_gallery_count (void);
const SsuiExample *ssui_gallery_at (int index);
const SsuiExample *ssui_gallery_find (const char *name);
char *ssui_gallery_load_text (const SsuiExample *example, GError **error);
/* The example as a finished run that can be drawn. */
SsappRun *ssui_gallery_make_run (const SsuiExample *example, GError **error);

G_END_DECLS
