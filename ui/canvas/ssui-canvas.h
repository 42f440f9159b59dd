/* ui/canvas/ssui-canvas.h: the sheet on which a sketch is drawn, selected, moved and turned, with the goals of its
 * bodies, and on which its motion is played.
 *
 * Tools: "select", "box", "disc", "ground", "pin", "slider", "rod", "spring". Coordinates are the document's; drawing
 * is the shared renderer's; edits are the document's. Keys with focus: V B D F tools, G gives the selected body a goal,
 * U forces, C and Shift+C go from contact to contact, arrows nudge by a grid cell (Shift 10, Alt 0.1), Tab and
 * Shift+Tab cycle bodies, Delete, Escape, plus, minus, 0 zoom; Space plays (action win.play). While something is
 * dragged or drawn, numbers typed set it exactly: Tab to the next, Return sets, Escape cancels; Alt suspends snapping.
 * With a drawing tool arrows move a pen, Return puts it down and lifts it.
 * N types them without a drag, Page Down rests the selected body on what is below, H sets it flush with what is near,
 * O separates what overlaps. */
#pragma once

#include <adwaita.h>

#include "app/document/ssapp-document.h"
#include "ui/canvas/ssui-clock.h"
#include "app/session/ssapp-contact-watch.h"
#include "app/session/ssapp-pulling.h"
#include "ui/canvas/ssui-motion-look.h"
#include "app/session/ssapp-run.h"
#include "app/session/ssapp-sheet-picture.h"
#include "ui/parts/ssui-keys.h"

G_BEGIN_DECLS

#define SSUI_TYPE_CANVAS (ssui_canvas_get_type ())
G_DECLARE_FINAL_TYPE (SsuiCanvas, ssui_canvas, SSUI, CANVAS, GtkWidget)

/* Signals: "pointer-moved" (const char *text): where the pointer is, "" outside; "refused" (const char *message): an
 * edit was rejected, or needs a word of what it made; "pull" (int phase, const char *body, double x, double y): while
 * live, the pointer pulls a body (world coordinates [m]); "zoom-changed" (); "tool-finished" (): a shape was drawn, the
 * tool should go back to select; "tool-changed" (). */

void ssui_canvas_set_document (SsuiCanvas *self, SsappDocument *document);
void ssui_canvas_set_clock (SsuiCanvas *self, SsuiClock *clock);
/* Is told what the selected contact does at the time that is shown, which is drawn too. Before the document. */
void ssui_canvas_set_watch (SsuiCanvas *self, SsappContactWatch *watch);
/* The picture that lies under the sheet. Borrowed from the canvas; NULL before it was set. */
void ssui_canvas_set_picture (SsuiCanvas *self, SsappSheetPicture *picture);
SsappSheetPicture *ssui_canvas_get_picture (SsuiCanvas *self);
void ssui_canvas_set_run (SsuiCanvas *self, SsappRun *run); /* whose motion is played; NULL: the sketch as it is */
/* The motion follows the sketch: an edit keeps the clock, the sketch is shown beside the motion, paths are drawn, and
 * the sheet is fitted to the motion only when that is asked for. */
void ssui_canvas_set_following (SsuiCanvas *self, gboolean is_following);
/* The motion before the last edit, dashed; NULL: none. */
void ssui_canvas_set_before (SsuiCanvas *self, SsappRun *before);
/* Layers of the motion, and whom the sheet follows while it plays; NULL: none. */
void ssui_canvas_set_look (SsuiCanvas *self, SsuiMotionLook *look);
gboolean ssui_canvas_set_tool (SsuiCanvas *self, const char *tool); /* FALSE: there is none of that name */
gboolean ssui_canvas_traces (SsuiCanvas *self);                     /* the tool is that which traces the picture */
void ssui_canvas_set_snap (SsuiCanvas *self, gboolean snap);
void ssui_canvas_set_grid (SsuiCanvas *self, gboolean grid);
/* Numbers typed from now on move the selection: dx, dy, angle (Tab), until Return or Escape. */
void ssui_canvas_move_exactly (SsuiCanvas *self);
/* Which two bodies the selected joint joins, as a popover at it. */
void ssui_canvas_choose_pair (SsuiCanvas *self);
void ssui_canvas_fit (SsuiCanvas *self);
/* A letter that chooses a tool or acts on the selection, whoever has the focus; FALSE: it is none. */
gboolean ssui_canvas_letter (SsuiCanvas *self, guint key, GdkModifierType state);
void ssui_canvas_show_selected (SsuiCanvas *self); /* everything, if the selection is not all on the sheet */
void ssui_canvas_zoom (SsuiCanvas *self, double factor);
double ssui_canvas_get_pixels_per_metre (SsuiCanvas *self);
double ssui_canvas_grid_step (SsuiCanvas *self); /* [m], of the grid that is shown */
/* Live: what is drawn comes from the sandbox, and dragging pulls bodies instead of moving them. Marks are borrowed
 * until the next call. */
enum { SSUI_PULL_BEGIN, SSUI_PULL_MOVE, SSUI_PULL_END };
void ssui_canvas_set_live (SsuiCanvas *self, gboolean is_live);
void ssui_canvas_set_live_marks (SsuiCanvas *self, const SsMark *marks, int n_marks);
/* The row that the live marks are of; borrowed like these. `step` [s]. */
void ssui_canvas_set_live_row (SsuiCanvas *self, const SsChannel *channels, int n_channels, const double *row,
                               double step);
/* Bodies of the motion are pulled where a later time is shown; NULL: they are not. */
void ssui_canvas_set_pulling (SsuiCanvas *self, SsappPulling *pulling);
void ssui_canvas_set_spring (SsuiCanvas *self, const SsVec2 *from, const SsVec2 *to); /* NULL: none */
SsVec2 ssui_canvas_get_centre (SsuiCanvas *self);                                     /* of the visible part, snapped */
extern const SsuiKey ssui_canvas_keys[]; /* beside those it answers itself */

G_END_DECLS
