/* app/export/ssapp-fit-private.h: what the plots of a fit share (private to the room). */
#pragma once

#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-fit-picture.h"

G_BEGIN_DECLS

/* To the frame's area and half a dot beyond; ends with cairo_restore. */
void ssapp_fit_clip (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame);

G_END_DECLS
