/* app/draw/ssapp-cone.h: the friction cone portrait of a contact: its tangential against its normal force over a
 * motion, and the cone's lines. Inside the cone it sticks, on a line it slides, at the tip it is open. Pure
 * functions of data. Tests: tests/unit/test-channels.c */
#pragma once

#include "app/draw/ssapp-phase.h"
#include "scene/ss-scenario.h"

G_BEGIN_DECLS

typedef struct {
  SsappPath path;      /* x: normal, y: tangential; points of no contact are at the tip */
  gboolean is_impulse; /* impulses [N s]: the motion has no forces of this contact */
  double mu;           /* of the contact; NaN: the scene has none of that name */
} SsappCone;

/* Names of contacts that have a portrait, in the order of the motion (NULL: none); of char *, owned. */
GPtrArray *ssapp_cone_contacts (const SsTrajectory *motion);
/* The contact that presses hardest, which is what to show first; NULL: there is none. Borrowed from the motion. */
const char *ssapp_cone_first (const SsTrajectory *motion);
/* FALSE and nothing where the motion has no forces of that contact. `contact` may be a contact's own name or that of
 * one of its points. */
gboolean ssapp_cone_init (SsappCone *cone, const SsScene *scene, const SsTrajectory *motion, const char *contact);
void ssapp_cone_clear (SsappCone *cone);
/* The two lines y = mu x and y = -mu x from the tip to x_end. */
void ssapp_cone_lines (double mu, double x_end, SsappPlotLine lines[2]);
double ssapp_cone_x_end (const SsappCone *cone); /* largest normal force; 0: none */
/* "Normal force of floor-box [N]", "Tangential impulse [N s]" without a contact; g_free. */
char *ssapp_cone_label (const SsappCone *cone, const char *contact, gboolean is_normal);

G_END_DECLS
