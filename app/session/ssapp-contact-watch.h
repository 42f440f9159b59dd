/* app/session/ssapp-contact-watch.h: the selected contact of a document as it lies at the time that is shown, and the
 * forces on the selected body, joint, spring or motor there by the laws alone: in the sketch, in a run, live. Whoever
 * shows a time tells it; canvas and inspector read it. It keeps numbers, no motion.
 * Main thread only. Tests: tests/unit/test-contact.c
 */
#pragma once

#include "app/document/ssapp-document.h"
#include "app/draw/ssapp-contact.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_CONTACT_WATCH (ssapp_contact_watch_get_type ())
G_DECLARE_FINAL_TYPE (SsappContactWatch, ssapp_contact_watch, SSAPP, CONTACT_WATCH, GObject)

/* Signal "changed" (): another reading, or none. */

/* Of the document that is edited, which it holds; it shows nothing until it is told what. */
SsappContactWatch *ssapp_contact_watch_new (SsappDocument *document);

/* What is shown now; everything borrowed for the call only. `scene`: that of the motion; the contact is found in it by
 * the names of its bodies. */
void ssapp_contact_watch_show_sketch (SsappContactWatch *self);
void ssapp_contact_watch_show_motion (SsappContactWatch *self, const SsScene *scene, const SsTrajectory *trajectory,
                                      double t, gboolean is_before);
void ssapp_contact_watch_show_row (SsappContactWatch *self, const SsScene *scene, const SsChannel *channels,
                                   int n_channels, const double *row, double step);

/* NULL: no contact is selected, or it is off. Borrowed until the next change. */
const SsappContactReading *ssapp_contact_watch_get (SsappContactWatch *self);
double ssapp_contact_watch_get_time (SsappContactWatch *self); /* [s], by the clock that is shown; NaN: the sketch */
/* "t = 0.450 s"; "τ = 0.512 s" of a motion that is told by its second clock; NULL: the sketch; g_free. */
char *ssapp_contact_watch_describe_time (SsappContactWatch *self);
const char *ssapp_contact_watch_get_name (SsappContactWatch *self); /* of the contact, as marks have it; NULL */

/* Forces are not looked for in scenes of more bodies: the equations are made anew for each time. */
enum { SSAPP_FORCES_SHOWN_BODIES = 40 };
typedef struct {
  char *title, *words; /* "floor-box", "normal 19.6 N, friction 0 N, sticks" */
} SsappForceLine;
/* Of SsappForceLine: what acts on the selected body, or what the selected joint, spring or motor does; then what is to
 * be known of it, without a title. Borrowed until the next change. NULL: nothing of these is selected, or nothing is
 * known there. */
const GPtrArray *ssapp_contact_watch_get_forces (SsappContactWatch *self);

G_END_DECLS
