/* app/session/ssapp-sheet-picture.h: the picture under the sketch of a window (draw/ssapp-underlay.h). The project
 * keeps it with the sketch, as it keeps how that is looked at: no run and no export has it. What is done to it is a
 * step of the document's undo each; how it is traced is none.
 *
 * Threads: main thread only. Tests: tests/unit/test-sheet-picture.c, tests/ui/test_picture.py
 */
#pragma once

#include "app/draw/ssapp-underlay.h"
#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_SHEET_PICTURE (ssapp_sheet_picture_get_type ())
G_DECLARE_FINAL_TYPE (SsappSheetPicture, ssapp_sheet_picture, SSAPP, SHEET_PICTURE, GObject)

/* Signal "changed" (): another picture, or it lies or looks otherwise. */
SsappSheetPicture *ssapp_sheet_picture_new (SsappSession *session);
/* NULL: there is none. Borrowed until the next change. */
const SsappUnderlay *ssapp_sheet_picture_get (SsappSheetPicture *self);
/* A number that is another one after each change. */
guint ssapp_sheet_picture_get_version (SsappSheetPicture *self);
/* Another picture (a copy of the surface), in the middle of a rectangle about a point, which it fills by 3/5. */
gboolean ssapp_sheet_picture_put (SsappSheetPicture *self, cairo_surface_t *picture, SsVec2 middle, double width,
                                  double height, GError **error);
void ssapp_sheet_picture_remove (SsappSheetPicture *self);
/* FALSE with an error where there is none. */
gboolean ssapp_sheet_picture_require (SsappSheetPicture *self, GError **error);
/* These do nothing where there is none, or a number is no sensible one. Lower left corner and width [m]; opacity 0 to
 * 1. */
void ssapp_sheet_picture_place (SsappSheetPicture *self, double x, double y, double width);
void ssapp_sheet_picture_move (SsappSheetPicture *self, double dx, double dy);
void ssapp_sheet_picture_show (SsappSheetPicture *self, gboolean is_shown);
void ssapp_sheet_picture_lay (SsappSheetPicture *self, SsVec2 at, double width, double opacity); /* all at once */
double ssapp_sheet_picture_distance (SsVec2 from, SsVec2 to);                                    /* [m] */
/* Two of its points become that far apart [m]. */
void ssapp_sheet_picture_set_distance (SsappSheetPicture *self, SsVec2 from, SsVec2 to, double distance);

/* ---- tracing ---- */
/* Share of the colours' range that counts as one colour, 0 to 1; how far the outline may be from the pixels [pixels of
 * the picture]. Kept with the picture. */
void ssapp_sheet_picture_set_trace (SsappSheetPicture *self, double likeness, double fineness);
/* Where a trace would begin, NULL: nowhere. A thread looks for the outline there; "changed" tells once it is another
 * one. */
void ssapp_sheet_picture_point (SsappSheetPicture *self, const SsVec2 *at);
/* What a trace there would give: corners, borrowed until the next change; NULL: none. Until it is found, what one at
 * the point before would give. */
const SsVec2 *ssapp_sheet_picture_get_outline (SsappSheetPicture *self, int *n);
/* A polygon of the region about the point, as a body of the sketch; FALSE with an error. */
gboolean ssapp_sheet_picture_trace (SsappSheetPicture *self, SsVec2 at, GError **error);

G_END_DECLS
