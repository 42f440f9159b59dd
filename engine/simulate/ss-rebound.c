/* engine/simulate/ss-rebound.c: see ss-rebound.h. */
#include "simulate/ss-rebound.h"

#include "core/ss-memory.h"

#include <math.h>

/* What is told: at least this part of the speed at which these bodies met, and of the largest at which any did. */
static const double told = 0.1;
static const double pi = 3.14159265358979323846;
/* In touch for so many half periods of the contact's spring at most, and so many steps where its depth is not seen. */
static const double half_periods = 2;
enum { STEPS_UNSEEN = 2 };

typedef struct {
  double gap, rate; /* at the end of the last step, and in it; NAN: not known */
  double met;       /* rate before the bodies met; 0: they are apart         */
  double t, depth;  /* since they met                                        */
  int n_steps;      /* in touch                                              */
} Touch;

struct SsRebound {
  const SsScene *scene;
  double t;
  double met; /* largest speed of all that met */
  SsRebounded largest;
  Touch *touches; /* n_contacts */
};

SsStatus
ss_rebound_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, SsRebound **out,
                SsError *err)
{
  SS_ASSERT (scene != NULL && integrator != NULL && out != NULL);

  *out = NULL;
  if (!ss_law_is_of_springs (integrator->contact_law.place) || scene->n_contacts == 0 ||
      (ss_integrator_uses (integrator, options) & SS_USES_RESTITUTION) != 0)
    return SS_OK;
  SsRebound *r = ss_new (SsRebound);
  Touch *touches = ss_new_array (Touch, (size_t)scene->n_contacts);
  if (r == NULL || touches == NULL) {
    ss_free (r);
    ss_free (touches);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the gaps of %d contacts", scene->n_contacts);
  }
  for (int i = 0; i < scene->n_contacts; i++)
    touches[i] = (Touch){.gap = NAN, .rate = NAN};
  *r = (SsRebound){.scene = scene, .largest = {.contact = -1}, .touches = touches};
  *out = r;
  return SS_OK;
}

void
ss_rebound_free (SsRebound *rebound)
{
  if (rebound != NULL)
    ss_free (rebound->touches);
  ss_free (rebound);
}

/* Without a law of its own that the scene chose. */
static bool
is_looked_at (const SsContact *c)
{
  return c->restitution == 0 && c->stiffness == 0 && c->damping == 0 && c->compliance == NULL;
}

static void
part (SsRebound *r, int contact, const Touch *touch, double rate)
{
  const double dt = r->t - touch->t, half_period = touch->depth > 0 ? pi * touch->depth / touch->met : 0;
  const bool is_short = touch->n_steps <= STEPS_UNSEEN || dt <= half_periods * half_period;
  /* A spring gives back what it took at most: faster ones were thrown by something else. */
  const bool is_rebound = rate > told * touch->met && rate <= touch->met;
  if (is_short && is_rebound && rate > r->largest.parted)
    r->largest = (SsRebounded){.contact = contact, .t = touch->t, .met = touch->met, .parted = rate};
}

void
ss_rebound_step (SsRebound *r, const SsSimState *state)
{
  if (r == NULL)
    return;
  const double dt = state->t - r->t;
  for (int i = 0; i < r->scene->n_contacts; i++) {
    Touch *touch = &r->touches[i];
    const double *values = state->contact + SS_SIM_N_CONTACT_VALUES * i, gap = values[SS_SIM_GAP];
    const double rate = dt > 0 ? (gap - touch->gap) / dt : NAN;
    const bool touches = gap <= 0 || values[SS_SIM_IMPULSE_N] > 0;
    if (touches && touch->met == 0 && touch->rate < 0 && is_looked_at (&r->scene->contacts[i])) {
      touch->met = -touch->rate;
      r->met = fmax (r->met, touch->met);
      touch->t = r->t;
      touch->n_steps = 0;
      touch->depth = 0;
    }
    if (!touches && touch->met > 0) {
      if (isfinite (rate))
        part (r, i, touch, rate);
      touch->met = 0;
    }
    if (touches) {
      if (touch->met > 0 && -rate > touch->met) /* pressed by something else before it came to rest */
        touch->met = -rate;
      touch->n_steps++;
      touch->depth = fmax (touch->depth, -gap);
    }
    touch->rate = touches ? NAN : rate;
    touch->gap = gap;
  }
  r->t = state->t;
}

SsRebounded
ss_rebound_largest (const SsRebound *rebound)
{
  const bool is_there = rebound != NULL && rebound->largest.parted > told * rebound->met;
  return is_there ? rebound->largest : (SsRebounded){.contact = -1};
}
