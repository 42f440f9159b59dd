/* app/draw/ssapp-contact.h: one contact of a scene in numbers, as it lies in the sketch or at an instant of a motion:
 * points, normal, gap, forces, slip, state, and how far it is from the other state. No GTK, no Cairo.
 *
 * Signs   The normal points from the first body to the second; the tangent is the normal turned by -90 degrees ((1, 0)
 *         on a floor). Forces and slip are those of the second body on the first's surface, as the channels have them
 *         (simulate/ss-simulate.h).
 * Forces  of impulse-based integrators are impulse per step, as their channels give them.
 * Tests   tests/unit/test-contact.c: a block and a disc on an incline against closed forms.
 */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_CONTACT_PLACED,   /* in the sketch: no forces are known     */
  SSAPP_CONTACT_OPEN,     /* apart                                  */
  SSAPP_CONTACT_TOUCHING, /* closed, without a force                */
  SSAPP_CONTACT_STICKING,
  SSAPP_CONTACT_SLIPPING,
} SsappContactState;

enum { SSAPP_CONTACT_POINTS_MAX = 4 };
typedef struct {
  SsVec2 a, b; /* on the first and second body [m] */
  double gap;  /* [m]                              */
  /* Its part of the forces [N], which the motion does not have: from the balance of moments, where two points touch and
   * nothing but gravity and this contact acts on the body that is shown; friction in the same parts. NaN: not known. */
  double normal_force, tangential_force;
} SsappContactPoint;

typedef struct {
  SsappContactState state;
  int n_points; /* those that touch, at most four; else the nearest one */
  SsappContactPoint points[SSAPP_CONTACT_POINTS_MAX];
  gboolean is_closed; /* the points touch                                          */
  gboolean is_on_a;   /* the second body cannot move: forces are shown on the first */
  SsVec2 normal, tangent;
  SsVec2 at; /* where the sum of the forces is shown: the middle of the points */
  double mu;
  double gap;  /* the smallest [m]                                        */
  SsVec2 down; /* unit, where gravity pulls; (0, 0): nowhere             */
  /* of a motion; NaN where it has no such channels */
  double gap_rate, slip;                     /* [m/s] */
  double normal_force, tangential_force;     /* [N]   */
  double normal_impulse, tangential_impulse; /* [N s] of the jump that ends at this instant; 0: none */
  double share;                              /* of the friction cone, 0..1; NaN without a force or without friction */
  /* STICKING: the friction below which it would slip. SLIPPING: that from which it would not slide faster, and hold
   * once it stands; all other forces as they are. NaN: not known. */
  double mu_other;
} SsappContactReading;

/* Which channels a contact reads; fill with ssapp_contact_channels_find. */
typedef struct {
  int pose[2][3], velocity[2][3];
  int lambda_n, lambda_t, impulse_n, impulse_t;
} SsappContactChannels;
/* Looks where it found them before first: a call for every frame costs little. -1: absent. */
void ssapp_contact_channels_find (SsappContactChannels *self, const SsScene *scene, int contact,
                                  const SsChannel *channels, int n_channels);

/* FALSE where the shapes have no points (two half-planes). */
gboolean ssapp_contact_read_sketch (const SsScene *scene, int contact, SsappContactReading *out);
/* At a row of a motion. `from`, `to`: the rows around it, for how fast the slip grows; NULL: not known. `step`: the
 * time of a step [s], for what counts as slip; 0: not known. */
gboolean ssapp_contact_read_row (const SsScene *scene, int contact, const SsappContactChannels *channels,
                                 const double *row, const double *from, const double *to, double step,
                                 SsappContactReading *out);
/* At a time of a trajectory; is_before: at a jump the state before it. `row`: room for its channels. */
gboolean ssapp_contact_read_motion (const SsScene *scene, int contact, SsappContactChannels *channels,
                                    const SsTrajectory *trajectory, double t, gboolean is_before, double *row,
                                    SsappContactReading *out);
/* The contact of two bodies by their names in either order, -1: there is none. */
int ssapp_contact_find (const SsScene *scene, const char *a, const char *b);
/* The contact one of whose points, or the line between them where the bodies are a little apart or overlap, is within
 * `tolerance` px of a point of the picture; less on small bodies, so that they can be pressed too. -1: none. Poses are
 * those of the row (NULL: of the sketch). */
int ssapp_contact_hit (const SsScene *scene, const SsChannel *channels, int n_channels, const double *row,
                       const SsappCamera *camera, double x, double y, double tolerance);

/* ---- words; g_free ---- */
char *ssapp_contact_describe_state (const SsappContactReading *reading);    /* "Slides down, 0.166 m/s"     */
char *ssapp_contact_describe_gap (const SsappContactReading *reading);      /* "0 mm at both points"        */
char *ssapp_contact_describe_normal (const SsappContactReading *reading);   /* "18.4 N"                     */
char *ssapp_contact_describe_friction (const SsappContactReading *reading); /* "5.53 N, all of the cone"    */
/* "Would stick from µ 0.364"; "": nothing to say. */
char *ssapp_contact_describe_margin (const SsappContactReading *reading);

/* ---- pictures (ssapp-contact-draw.c) ---- */
/* Rings at its points, normal, friction cone (dashed while it does not touch), the gap beside it; of a motion the force
 * on the body that moves and the slip. `force_px` [px/N]: as the other forces of the picture, 0: none is drawn. */
void ssapp_contact_draw (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera,
                         const SsappContactReading *reading, double force_px);
/* The printed scale of that, beside the scale bar; nothing for 0, or without a bar. */
void ssapp_contact_draw_scale (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera,
                               const SsappSceneFlags *flags, double force_px);
/* Pixels per newton with which ssapp_draw_marks draws forces, if this contact's were among them. */
double ssapp_contact_force_px (const SsMark *marks, int n_marks, const SsappContactReading *reading);
/* Where the friction force lies in its range from -µ to µ times the normal force. */
void ssapp_contact_draw_gauge (cairo_t *cr, const SsappStyle *style, double width, double height,
                               const SsappContactReading *reading);
/* Where the cone's two edges point, unit, and its axis: towards the body that moves. */
void ssapp_contact_cone (const SsappContactReading *reading, SsVec2 *axis, SsVec2 edges[2]);

G_END_DECLS
