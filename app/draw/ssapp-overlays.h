/* app/draw/ssapp-overlays.h: layers of a motion that can be switched on and off: onion skin, traces, contact points,
 * normals, forces, impulses, friction cones, velocities, centres of mass, energies. Kinds of arrows have a scale of
 * their own, which is printed. The screen, figures and films draw the same. No GTK. Tests: tests/unit/test-overlays.c
 */
#pragma once

#include "app/draw/ssapp-draw.h"
#include "app/draw/ssapp-run-events.h"

G_BEGIN_DECLS

enum { SSAPP_N_LAYERS_OF_MOTION = 10 };
/* Layer number i, of 0 to 9, as a bit of SsappSceneFlags.layers; its name on the command line, its title, what it shows
 * in a sentence. Static texts. */
guint ssapp_layer_bit (int i);
const char *ssapp_layer_name (int i);
const char *ssapp_layer_title (int i);
const char *ssapp_layer_help (int i);
/* "traces,forces" ("none": none of them) as bits with SSAPP_LAYERS_CHOSEN; FALSE with an error that names what there
 * is. */
gboolean ssapp_layers_parse (const char *text, guint *layers, GError **error);
/* The other way; "none"; g_free. */
char *ssapp_layers_to_text (guint layers);
/* What a motion shows where nobody chose: onion skin, traces, contact points, forces and centres of mass. */
guint ssapp_layers_default (void);

/* ---- what there is to draw at an instant ------------------------------------------------------------------------- */

typedef struct {
  const char *contact; /* borrowed from the scene                     */
  SsVec2 at, normal;   /* normal: on the body that is drawn being pushed */
  double mu;
} SsappOverlayPoint; /* a point that touches */

typedef enum { SSAPP_ARROW_FORCE, SSAPP_ARROW_VELOCITY, SSAPP_ARROW_IMPULSE, SSAPP_N_ARROWS } SsappArrowKind;
typedef struct {
  SsappArrowKind kind;
  SsVec2 at, vector; /* [N], [m/s], [N s]; forces and impulses end there, velocities begin there */
  double strength;   /* 0..1, of an impulse that is past */
} SsappOverlayArrow;

typedef struct {
  GArray *points, *arrows;               /* of the two above          */
  double kinetic, potential, dissipated; /* [J]; NaN: not known       */
} SsappOverlay;

/* From the frame of a view and the row that it was made of; `scene` is the view's. Contacts have their whole force,
 * with friction, where the motion tells it. Impulses are those of events (of SsappRunEvent, may be NULL) that are past
 * for at most `hold`. `forces_of`, a body: forces, impulses, normals and cones of its contacts alone, as they act on
 * it; NULL: of all. `scene` is NULL for a model: then what its marks say. Free with ssapp_overlay_clear. */
void ssapp_overlay_collect (SsappOverlay *overlay, const SsView *view, const SsScene *scene, const SsTrajectory *motion,
                            const double *row, const SsMark *marks, int n_marks, GArray *events, double hold,
                            guint layers, const char *forces_of);
void ssapp_overlay_clear (SsappOverlay *overlay);
/* Hides the marks of layers that are off, and those that an overlay draws itself. */
void ssapp_overlay_hide_marks (SsMark *marks, int n_marks, guint layers);

/* The largest of a motion: speeds of bodies [m/s], impulses of its events [N s]; 0: none. */
double ssapp_largest_speed (const SsTrajectory *motion);
double ssapp_largest_impulse (GArray *events);
/* How long an impulse stays [s]. */
double ssapp_impulse_hold (const SsTrajectory *motion);

/* px per unit of each kind, at 100 %. */
void ssapp_overlay_draw (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappOverlay *overlay,
                         const double px_per_unit[SSAPP_N_ARROWS], guint layers);
/* Bars of the energies at the upper left; on a sheet with rulers, whose tools lie there, at the right. `most` is a full
 * bar [J]. */
void ssapp_overlay_draw_energies (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera,
                                  const SsappSceneFlags *flags, const SsappOverlay *overlay, double most);
/* What they take of the picture's upper edge [px]; 0 where the layer is off. */
double ssapp_overlay_energies_height (const SsappStyle *style, guint layers);
/* The largest of kinetic, potential and dissipated energy by their size [J]; 0: not known. */
double ssapp_largest_energy (const SsTrajectory *motion);

/* A sample of a layer within the square at (x, y), as legend. */
void ssapp_layer_draw_sample (cairo_t *cr, const SsappStyle *style, int layer, double x, double y, double size);

G_END_DECLS
