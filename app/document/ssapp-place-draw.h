/* app/document/ssapp-place-draw.h: what helps to place bodies exactly, over a sketch: what is snapped to, the
 * hint at the pointer, typed numbers, overlaps, and which joints hold on to the world. No GTK. */
#pragma once

#include "app/document/ssapp-overlap.h"
#include "app/document/ssapp-place.h"
#include "app/document/ssapp-typed.h"
#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* The touching edge with its ends, or the point. */
void ssapp_draw_snap (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSnap *snap);
/* A pill above the device point (x, y) with what is snapped to, and below it the entry of typed numbers; either may be
 * NULL. Stays within the camera's width and height. `is_wrong`: what was typed is no number. */
void ssapp_draw_hint (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, double x, double y,
                      const char *text, const SsappTyped *typed, gboolean is_wrong);
/* Outlines of the bodies that overlap, an arrow along the way that parts them, and its length. */
void ssapp_draw_overlaps (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene,
                          const GArray *overlaps);
/* The ground under joints that hold on to the world: a hatched foot, so that they look other than those of two
 * bodies. */
void ssapp_draw_grounded_joints (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene);

G_END_DECLS
