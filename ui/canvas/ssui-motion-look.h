/* ui/canvas/ssui-motion-look.h: how the motions of a page are looked at: region, followed body, layers. The views of a
 * page share one, exports take it over. It holds; what it means is computed in app/draw/ssapp-region.h and
 * ssapp-overlays.h. */
#pragma once

#include <glib-object.h>

#include "app/draw/ssapp-region.h"
#include "app/session/ssapp-parting.h"

G_BEGIN_DECLS

#define SSUI_TYPE_MOTION_LOOK (ssui_motion_look_get_type ())
G_DECLARE_FINAL_TYPE (SsuiMotionLook, ssui_motion_look, SSUI, MOTION_LOOK, GObject)

/* Signal "changed" (). */

SsuiMotionLook *ssui_motion_look_new (void);
const SsappRegion *ssui_motion_look_get_region (SsuiMotionLook *self); /* borrowed until the next change */
void ssui_motion_look_set_region (SsuiMotionLook *self, const SsappRegion *region);
void ssui_motion_look_fit (SsuiMotionLook *self); /* all that matters again, nobody followed */
/* What is shown now at the clock's time, for commands without a pointer: the view that was drawn last tells it. */
void ssui_motion_look_set_seen (SsuiMotionLook *self, const double bounds[4]);
const double *ssui_motion_look_get_seen (SsuiMotionLook *self);
guint ssui_motion_look_get_layers (SsuiMotionLook *self);              /* 0: nobody chose */
void ssui_motion_look_set_layers (SsuiMotionLook *self, guint layers); /* SsappLayer */
void ssui_motion_look_set_usual (SsuiMotionLook *self, guint layers);  /* what is shown before anybody chooses */
gboolean ssui_motion_look_has_layer (SsuiMotionLook *self, int layer); /* chosen, or usual */
void ssui_motion_look_toggle_layer (SsuiMotionLook *self, int layer);  /* by its number */
/* The body whose contact forces are shown alone; NULL: those of all. One that is chosen brings the layer of forces. */
const char *ssui_motion_look_get_forces_of (SsuiMotionLook *self);
void ssui_motion_look_set_forces_of (SsuiMotionLook *self, const char *body);
/* A place of one run that somebody looks at, ringed about its time: between the bodies of a contact, else a body; NULL:
 * none. Texts are copied; the run by its id. */
void ssui_motion_look_set_mark (SsuiMotionLook *self, const char *run, const char *contact, const char *body, double t);
/* The mark of that run, as a parting is marked; NULL: it has none. Borrowed until the next change. */
const SsappParting *ssui_motion_look_get_mark (SsuiMotionLook *self, const char *run);

G_END_DECLS
