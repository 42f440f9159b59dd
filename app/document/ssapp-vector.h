/* app/document/ssapp-vector.h: gravity and start velocities as arrows over a sketch that are dragged by a ring beyond
 * their tip. Device px; main thread. Tests: tests/unit/test-vector.c, tests/ui/test_edit.py */
#pragma once

#include "app/document/ssapp-document.h"
#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

typedef struct {
  char *path; /* of the list of two numbers: "scene.gravity", "scene.bodies[1].velocity"; owned; NULL: none in the
                 file, of a body that a family writes */
  char *body; /* name, owned; NULL: gravity */
  const char *unit;
  double foot[2], tip[2]; /* of the arrow */
  double ring[2];         /* its middle; NaN: it is not dragged */
  double px;              /* per unit */
  SsVec2 value;
  gboolean is_formula[2]; /* in the file: that number stays as it is */
} SsappVector;

/* Of its own; ssapp_vector_free. */
SsappVector *ssapp_vector_copy (const SsappVector *vector);
void ssapp_vector_free (SsappVector *vector); /* may be NULL */
/* Gravity, and start velocities of the bodies that have one, or are selected alone. Empty for models. Elements are
 * freed with the array. `held`, or NULL: the arrow that is dragged keeps its scale. */
GPtrArray *ssapp_vectors_new (SsappDocument *document, const SsappStyle *style, const SsappCamera *camera,
                              const SsappVector *held);
/* Topmost one whose ring is at (x, y); NULL. Borrowed from the array. */
const SsappVector *ssapp_vectors_at (GPtrArray *vectors, const SsappStyle *style, double x, double y);
/* With their values beside them. */
void ssapp_vectors_draw (cairo_t *cr, const SsappStyle *style, GPtrArray *vectors);
/* What dragging the ring of `from` by (dx, dy) px makes of its value. is_free: not to the round numbers of this
 * scale. */
SsVec2 ssapp_vector_dragged (const SsappVector *from, double dx, double dy, gboolean is_free);
/* Into the document, as a step, or a part of the gesture that runs; what is a formula stays. */
gboolean ssapp_vector_set (SsappDocument *document, const SsappVector *vector, SsVec2 value, GError **error);
/* "vx 1.5, vy −2: 2.5 m/s at −53.1°". Caller frees. */
char *ssapp_vector_describe (const SsappVector *vector, SsVec2 value);

G_END_DECLS
