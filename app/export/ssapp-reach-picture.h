/* app/export/ssapp-reach-picture.h: what a number of a scene reaches (fit/ss-pull.h), as a picture: the outcome over
 * the number, each sequence of contacts in its colour, where it changes, what is wanted and what was found.
 * Threads: any, one at a time. Tests: tests/cli/test-pull.sh */
#pragma once

#include "app/export/ssapp-plot-kind.h"
#include "fit/ss-pull.h"

G_BEGIN_DECLS

/* All borrowed. */
typedef struct {
  const SsScenario *scenario;
  const SsReach *reach;
  const SsPull *pull; /* NULL: nothing is wanted */
  int outcome;        /* which is drawn */
} SsappReachPicture;

/* The colour of a sequence. */
SsappColor ssapp_reach_color (const SsappStyle *style, int sequence);
/* Into (0, 0, width, height) in the style's units, without a background. */
void ssapp_reach_picture_draw (cairo_t *cr, const SsappStyle *style, const SsappReachPicture *picture, double width,
                               double height);
/* As a file of one of the formats of the plot "reach". */
gboolean ssapp_reach_picture_export (const SsappReachPicture *picture, double width_mm, const char *path,
                                     GError **error);

G_END_DECLS
