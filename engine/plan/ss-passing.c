/* engine/plan/ss-passing.c: see the header. */
#include "plan/ss-passing.h"

#include "core/ss-memory.h"
#include "geometry/ss-sweep.h"
#include "plan/ss-lazy-contacts.h"
#include "solve/ss-run-result.h"

#include <math.h>
#include <string.h>

/* Instants that are looked at, at most. */
static const double INSTANTS = 8;

typedef struct {
  int contact, body[2];
  double limit;     /* overlap that is refused [m] */
  double radius[2]; /* by which turning moves the bodies [m] */
} Pair;

struct SsPassing {
  const SsScene *scene;
  int n;
  Pair *pairs;
  double *q; /* 3 n_bodies */
};

void
ss_passing_free (SsPassing *passing)
{
  if (passing == NULL)
    return;
  ss_free (passing->pairs);
  ss_free (passing->q);
  ss_free (passing);
}

static double
thinnest (const SsBody *body)
{
  double width = INFINITY;

  for (int i = 0; i < body->n_shapes; i++)
    width = fmin (width, ss_shape_width (&body->shapes[i]));
  return width;
}

/* A half-plane is left on the side on which it was entered. */
SsStatus
ss_passing_new (const SsScene *scene, SsPassing **out, SsError *err)
{
  SsPassing *passing = ss_new (SsPassing);

  if (passing == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  *passing = (SsPassing){.scene = scene,
                         .pairs = ss_new_array (Pair, scene->n_contacts + 1),
                         .q = ss_new_array (double, 3 * (size_t)scene->n_bodies + 1)};
  if (passing->pairs == NULL || passing->q == NULL) {
    ss_passing_free (passing);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < scene->n_contacts; c++) {
    const SsContact *contact = &scene->contacts[c];
    const SsBody *a = &scene->bodies[contact->body_a], *b = &scene->bodies[contact->body_b];
    const Pair pair = {
        c,
        {contact->body_a, contact->body_b},
        fmin (SS_RUN_OVERLAP_MAX, SS_RUN_OVERLAP_SHARE_MAX * ss_shape_thinner_width (thinnest (a), thinnest (b))),
        {ss_body_turning_radius (a), ss_body_turning_radius (b)}};

    if (isfinite (pair.radius[0]) && isfinite (pair.radius[1]))
      passing->pairs[passing->n++] = pair;
  }
  *out = passing;
  return SS_OK;
}

bool
ss_passing_step (const SsPassing *passing, const double *from, const double *to)
{
  for (int i = 0; i < passing->n; i++) {
    const Pair *p = &passing->pairs[i];
    const int a = 3 * p->body[0], b = 3 * p->body[1];
    const double way = hypot (to[a] - from[a] - to[b] + from[b], to[a + 1] - from[a + 1] - to[b + 1] + from[b + 1]) +
                       p->radius[0] * fabs (to[a + 2] - from[a + 2]) + p->radius[1] * fabs (to[b + 2] - from[b + 2]);

    if (!(way > 2 * p->limit))
      continue;
    const int n = (int)fmin (ceil (way / p->limit), INSTANTS);
    for (int k = 1; k < n; k++) {
      for (int c = 0; c < 3; c++) {
        passing->q[a + c] = from[a + c] + (to[a + c] - from[a + c]) * k / n;
        passing->q[b + c] = from[b + c] + (to[b + c] - from[b + c]) * k / n;
      }
      if (ss_lazy_gap (passing->scene, p->contact, passing->q) < -p->limit)
        return true;
    }
  }
  return false;
}
