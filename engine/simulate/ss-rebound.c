/* engine/simulate/ss-rebound.c: see ss-rebound.h. */
#include "simulate/ss-rebound.h"

#include "core/ss-memory.h"
#include "dynamics/ss-dynamics.h"

#include <math.h>

/* What is told: at least this part of the speed at which these bodies met, and of the largest at which any did. */
static const double told = 0.1;
static const double pi = 3.14159265358979323846;
/* A spring gives back what it took at most, of a limit this much more, since an explicit step may add to it: what
 * comes apart faster was thrown by something else. */
static const double most[SS_REBOUND_N_KINDS] = {1, 1.25};
/* In touch for so many half periods of the contact's spring at most, and so many steps where its depth is not seen. */
static const double half_periods = 2;
enum { STEPS_UNSEEN = 2 };
/* What turns a coordinate at its limit changes its rate this many times as much, in each step, as the step before did:
 * what a spring of the scene turns there has not bounced. */
static const double sudden = 4;

typedef struct {
  double gap, rate; /* at the end of the last step, and in it; NAN: not known */
  double met;       /* rate before the bodies met; 0: they are apart         */
  double t, depth;  /* since they met                                        */
  int n_steps;      /* in touch                                              */
  double change;    /* of a limit's rate in the last step                    */
  double before;    /* that of the last step before they met                 */
} Touch;

struct SsRebound {
  const SsScene *scene;
  double t;
  double met[SS_REBOUND_N_KINDS]; /* largest speed of all that met; of limits the largest rate */
  SsRebounded largest[SS_REBOUND_N_KINDS];
  Touch *touches;       /* n_contacts, then n_limits */
  SsDynamics *dynamics; /* NULL: no limits */
  SsRow *rows;          /* n_limits */
  int n_limits;
};

SsStatus
ss_rebound_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, SsRebound **out,
                SsError *err)
{
  SS_ASSERT (scene != NULL && integrator != NULL && out != NULL);

  *out = NULL;
  const int n_limits = ss_dynamics_n_limits (scene);
  const size_t n = (size_t)scene->n_contacts + (size_t)n_limits;
  if (!ss_law_is_of_springs (integrator->contact_law.place) || n == 0 ||
      (ss_integrator_uses (integrator, options) & SS_USES_RESTITUTION) != 0)
    return SS_OK;
  SsRebound *r = ss_new (SsRebound);
  if (r == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the gaps of %d contacts", scene->n_contacts);
  *r = (SsRebound){.scene = scene, .n_limits = n_limits};
  r->touches = ss_new_array (Touch, n);
  r->rows = ss_new_array (SsRow, (size_t)n_limits + 1);
  SsStatus status = SS_OK;
  if (r->touches == NULL || r->rows == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the gaps of %d contacts", scene->n_contacts);
  if (status == SS_OK && n_limits > 0)
    status = ss_dynamics_new (scene, &r->dynamics, err);
  if (status != SS_OK) {
    ss_rebound_free (r);
    return status;
  }
  for (size_t i = 0; i < n; i++)
    r->touches[i] = (Touch){.gap = NAN, .rate = NAN};
  for (int i = 0; i < SS_REBOUND_N_KINDS; i++)
    r->largest[i].subject = -1;
  *out = r;
  return SS_OK;
}

void
ss_rebound_free (SsRebound *rebound)
{
  if (rebound != NULL) {
    ss_free (rebound->touches);
    ss_free (rebound->rows);
    ss_dynamics_free (rebound->dynamics);
  }
  ss_free (rebound);
}

/* Without a law of its own that the scene chose. */
static bool
is_looked_at (const SsContact *c)
{
  return c->restitution == 0 && c->stiffness == 0 && c->damping == 0 && c->compliance == NULL;
}

static bool
is_limit_looked_at (const SsJoint *joint)
{
  return joint->restitution == 0 && joint->stiffness == 0 && joint->damping == 0;
}

static void
meet (SsRebound *r, SsReboundKind kind, Touch *touch)
{
  touch->met = -touch->rate;
  r->met[kind] = fmax (r->met[kind], touch->met);
  touch->t = r->t;
  touch->n_steps = 0;
  touch->depth = 0;
  touch->before = touch->change;
}

static void
part (SsRebound *r, SsReboundKind kind, int subject, Touch *touch, double rate)
{
  const double dt = r->t - touch->t, half_period = touch->depth > 0 ? pi * touch->depth / touch->met : 0;
  const bool is_short = touch->n_steps <= STEPS_UNSEEN || dt <= half_periods * half_period;
  const bool is_sudden =
      kind == SS_REBOUND_CONTACT || rate + touch->met > sudden * fabs (touch->before) * (touch->n_steps + 1);
  const bool is_rebound = is_sudden && rate > told * touch->met && rate <= most[kind] * touch->met;
  if (is_short && is_rebound && rate > r->largest[kind].parted)
    r->largest[kind] = (SsRebounded){.subject = subject, .t = touch->t, .met = touch->met, .parted = rate};
  touch->met = 0;
}

/* In touch, with the rate of the last step. */
static void
stay (Touch *touch, double gap, double rate)
{
  if (touch->met > 0 && -rate > touch->met) /* pressed by something else before it came to rest */
    touch->met = -rate;
  touch->n_steps++;
  touch->depth = fmax (touch->depth, -gap);
}

static void
look_at_limits (SsRebound *r, const SsSimState *state)
{
  const double dt = state->t - r->t;
  ss_dynamics_set_time (r->dynamics, state->t);
  const int n = ss_dynamics_limit_rows (r->dynamics, state->q, state->v, r->rows);
  SS_ASSERT (n == r->n_limits);
  for (int i = 0; i < n; i++) {
    const SsRow *row = &r->rows[i];
    Touch *touch = &r->touches[r->scene->n_contacts + i];
    const double gap = row->phi, rate = ss_row_velocity (row, state->v), change = rate - touch->rate;
    r->met[SS_REBOUND_LIMIT] = fmax (r->met[SS_REBOUND_LIMIT], fabs (rate)); /* hits that end there count, too */
    const bool touches = gap <= 0, turns = !touches && touch->met == 0 && touch->rate < 0 && rate > 0 &&
                                           touch->gap + touch->rate * dt < 0 && change > sudden * fabs (touch->change);
    if ((touches || turns) && touch->met == 0 && touch->rate < 0 && is_limit_looked_at (&r->scene->joints[row->source]))
      meet (r, SS_REBOUND_LIMIT, touch);
    if (!touches && touch->met > 0)
      part (r, SS_REBOUND_LIMIT, row->source, touch, rate);
    if (touches)
      stay (touch, gap, rate);
    touch->change = turns || touches ? 0 : change;
    touch->rate = touches ? NAN : rate;
    touch->gap = gap;
  }
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
    if (touches && touch->met == 0 && touch->rate < 0 && is_looked_at (&r->scene->contacts[i]))
      meet (r, SS_REBOUND_CONTACT, touch);
    if (!touches && touch->met > 0 && isfinite (rate))
      part (r, SS_REBOUND_CONTACT, i, touch, rate);
    if (!touches)
      touch->met = 0;
    else
      stay (touch, gap, rate);
    touch->rate = touches ? NAN : rate;
    touch->gap = gap;
  }
  if (r->n_limits > 0)
    look_at_limits (r, state);
  r->t = state->t;
}

SsRebounded
ss_rebound_largest (const SsRebound *rebound, SsReboundKind kind)
{
  const bool is_there = rebound != NULL && rebound->largest[kind].parted > told * rebound->met[kind];
  return is_there ? rebound->largest[kind] : (SsRebounded){.subject = -1};
}
