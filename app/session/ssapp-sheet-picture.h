/* app/session/ssapp-sheet-picture.h: the picture under the sketch of a window (draw/ssapp-underlay.h). The project
 * keeps it with the sketch, as it keeps how that is looked at: no undo step changes it, no run and no export has it.
 *
 * Threads: main thread only. Tests: tests/ui/test_picture.py
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
/* The picture that was removed last is there again; FALSE: none was removed since another sketch or picture came. */
gboolean ssapp_sheet_picture_bring_back (SsappSheetPicture *self);
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
/* A polygon of the region about the point, as a body of the sketch; FALSE with an error. */
gboolean ssapp_sheet_picture_trace (SsappSheetPicture *self, SsVec2 at, GError **error);

G_END_DECLS
