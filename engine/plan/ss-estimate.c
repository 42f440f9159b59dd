/* engine/plan/ss-estimate.c: see the header. */
#include "plan/ss-estimate.h"

#include "core/ss-memory.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>
#include <string.h>

static const double PRIOR_MASS = 0.15, PRIOR_FRICTION = 0.15, PRIOR_OWN = 0.05;
static const double NOISE = 0.05, NOISE_LEAST = 1e-4; /* of a velocity's change; [m/s] */
static const double GATE = 3;                         /* deviations */
static const double MOST = 0.5;                       /* of a number */
static const double DIFFERENCE = 0.02;                /* of a number, for derivatives */
static const double NEWS = 0.005;                     /* of a number, below which nothing is made anew */

struct SsEstimate {
  const SsScene *believed;
  SsScene scene, moved; /* with the estimate, and with one number moved beside it */
  SsBody *bodies, *moved_bodies;
  SsContact *contacts, *moved_contacts;
  int n;                           /* numbers */
  int *of_body, *of_contact;       /* the number of each; -1: none */
  double *p, *at, *cov;            /* n, n: of the scene, n x n */
  void *base, *other, **steppers;  /* n: each with its number moved; NULL: not made yet */
  SsStewartTrinkleOptions options; /* of `other` */
  /* The step under way; q and v of its start, of its end by the model, with a number moved */
  void *law; /* options of moreau-jean */
  bool has_step;
  double t, *u, *q, *v, *q_end, *v_end, *v_other, *v_moved, *contact, *slopes, *gain;
  bool *bears; /* n_contacts: in the model's last step */
};

static void
give (const SsEstimate *e, const double *p, int moved, SsBody *bodies, SsContact *contacts)
{
  for (int i = 0; i < e->believed->n_bodies; i++) {
    const int k = e->of_body[i];
    const double by = k < 0 ? 1 : exp (p[k] + (k == moved ? DIFFERENCE : 0));

    bodies[i].mass = e->believed->bodies[i].mass * by;
    bodies[i].inertia = e->believed->bodies[i].inertia * by;
  }
  for (int i = 0; i < e->believed->n_contacts; i++) {
    const int k = e->of_contact[i];

    contacts[i].mu = e->believed->contacts[i].mu * (k < 0 ? 1 : exp (p[k] + (k == moved ? DIFFERENCE : 0)));
  }
}

static void
drop_steppers (SsEstimate *e)
{
  if (e->base != NULL)
    ss_integrator_moreau_jean.free_ (e->base);
  if (e->other != NULL)
    ss_integrator_stewart_trinkle.free_ (e->other);
  e->base = e->other = NULL;
  for (int k = 0; k < e->n && e->steppers != NULL; k++) {
    if (e->steppers[k] != NULL)
      ss_integrator_moreau_jean.free_ (e->steppers[k]);
    e->steppers[k] = NULL;
  }
}

static void
number_all (SsEstimate *e)
{
  const SsScene *scene = e->believed;
  const bool is_common = scene->n_contacts > SS_ESTIMATE_CONTACTS;
  int common = -1;

  for (int i = 0; i < scene->n_bodies; i++)
    e->of_body[i] = ss_body_is_immovable (&scene->bodies[i]) ? -1 : e->n++;
  for (int i = 0; i < scene->n_contacts; i++) {
    e->of_contact[i] = -1;
    if (!(scene->contacts[i].mu > 0))
      continue;
    if (common < 0 || !is_common)
      common = e->n++;
    e->of_contact[i] = common;
  }
}

static void
set_prior (SsEstimate *e)
{
  const double common = PRIOR_FRICTION * PRIOR_FRICTION;
  const int n = e->n;
  int first = n; /* of the frictions */

  for (int i = 0; i < e->believed->n_contacts; i++)
    first = e->of_contact[i] >= 0 && e->of_contact[i] < first ? e->of_contact[i] : first;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      e->cov[i * n + j] = i >= first && j >= first ? common + (i == j ? PRIOR_OWN * PRIOR_OWN : 0)
                          : i == j                 ? PRIOR_MASS * PRIOR_MASS
                                                   : 0;
}

SsStatus
ss_estimate_new (const SsScene *believed, SsEstimate **out, SsError *err)
{
  SS_ASSERT (believed != NULL && out != NULL);
  const size_t nb = (size_t)believed->n_bodies, nc = (size_t)believed->n_contacts;
  SsEstimate *e = ss_new (SsEstimate);
  bool changed;

  *out = NULL;
  if (e == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for an estimate");
  e->believed = believed;
  e->of_body = ss_new_array (int, nb + nc + 1);
  e->bodies = ss_new_array (SsBody, 2 * nb + 1);
  e->contacts = ss_new_array (SsContact, 2 * nc + 1);
  SsStatus status = e->of_body != NULL && e->bodies != NULL && e->contacts != NULL ? SS_OK : SS_ERR_MEMORY;
  if (status == SS_OK) {
    e->of_contact = e->of_body + nb;
    e->moved_bodies = e->bodies + nb;
    e->moved_contacts = e->contacts + nc;
    for (int i = 0; i < 2; i++) {
      memcpy (e->bodies + (size_t)i * nb, believed->bodies, nb * sizeof *e->bodies);
      if (nc > 0)
        memcpy (e->contacts + (size_t)i * nc, believed->contacts, nc * sizeof *e->contacts);
    }
    number_all (e);
    const size_t n = (size_t)e->n;
    e->p = ss_new_array (double, n *n + (3 + 3 * nb) * n + 18 * nb + SS_SIM_N_CONTACT_VALUES * nc +
                                     (size_t)believed->n_actuators + 1);
    e->law = ss_alloc (1, ss_integrator_moreau_jean.options->size);
    e->steppers = ss_new_array (void *, n + 1);
    e->bears = ss_new_array (bool, nc + 1);
    status = e->p != NULL && e->steppers != NULL && e->bears != NULL && e->law != NULL ? SS_OK : SS_ERR_MEMORY;
  }
  if (status != SS_OK) {
    ss_estimate_free (e);
    return ss_error_set (err, status, "no memory for an estimate");
  }
  const size_t n = (size_t)e->n, n3 = 3 * nb;
  e->at = e->p + n;
  e->gain = e->at + n;
  e->cov = e->gain + n;
  e->slopes = e->cov + n * n;
  e->q = e->slopes + n3 * n;
  e->v = e->q + n3;
  e->q_end = e->v + n3;
  e->v_end = e->q_end + n3;
  e->v_other = e->v_end + n3;
  e->v_moved = e->v_other + n3;
  e->contact = e->v_moved + n3;
  e->u = e->contact + SS_SIM_N_CONTACT_VALUES * nc;
  e->scene = e->moved = *believed;
  e->scene.bodies = e->bodies;
  e->scene.contacts = e->contacts;
  e->moved.bodies = e->moved_bodies;
  e->moved.contacts = e->moved_contacts;
  ss_options_init (ss_integrator_moreau_jean.options, e->law);
  ss_options_init (ss_integrator_stewart_trinkle.options, &e->options);
  e->options.gap = SS_STEWART_TRINKLE_END;
  set_prior (e);
  status = ss_estimate_renew (e, &changed, err);
  if (status == SS_OK)
    *out = e;
  else
    ss_estimate_free (e);
  return status;
}

void
ss_estimate_free (SsEstimate *e)
{
  if (e == NULL)
    return;
  drop_steppers (e);
  ss_free (e->of_body);
  ss_free (e->bodies);
  ss_free (e->contacts);
  ss_free (e->p);
  ss_free (e->steppers);
  ss_free (e->law);
  ss_free (e->bears);
  ss_free (e);
}

SsStatus
ss_estimate_renew (SsEstimate *e, bool *changed, SsError *err)
{
  SS_ASSERT (e != NULL);
  *changed = e->base == NULL;
  for (int k = 0; k < e->n; k++)
    *changed = *changed || fabs (e->p[k] - e->at[k]) > NEWS;
  if (!*changed)
    return SS_OK;
  drop_steppers (e);
  memcpy (e->at, e->p, (size_t)e->n * sizeof *e->p);
  give (e, e->at, -1, e->bodies, e->contacts);
  SsStatus status = ss_integrator_moreau_jean.new_ (&e->scene, e->law, &e->base, err);
  return status == SS_OK ? ss_integrator_stewart_trinkle.new_ (&e->scene, &e->options, &e->other, err) : status;
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

/* By a stepper over the step that was kept; velocities into v_end. */
static bool
step (SsEstimate *e, const SsIntegratorClass *law, void *stepper, double dt, double *v_end)
{
  const size_t size = 3 * (size_t)e->believed->n_bodies * sizeof (double);
  SsSimState state = {.t = e->t, .q = e->q_end, .v = v_end, .contact = e->contact};
  SsStepInfo info = {0};
  SsError ignored;

  memcpy (e->q_end, e->q, size);
  memcpy (v_end, e->v, size);
  memset (e->contact, 0, SS_SIM_N_CONTACT_VALUES * (size_t)e->believed->n_contacts * sizeof (double));
  return law->step (stepper, &(SsStep){.dt = dt, .controls = e->u}, &state, &info, &ignored) == SS_OK;
}

/* Whether a number has a part in the step: a mass always, friction where a contact of it bears. */
static bool
has_part (const SsEstimate *e, int k)
{
  for (int i = 0; i < e->believed->n_bodies; i++)
    if (e->of_body[i] == k)
      return true;
  for (int i = 0; i < e->believed->n_contacts; i++)
    if (e->of_contact[i] == k && e->contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_IMPULSE_N] > 0)
      return true;
  return false;
}

static bool
find_slopes (SsEstimate *e, double dt)
{
  const int n3 = 3 * e->believed->n_bodies;
  bool is_found = true;

  memset (e->slopes, 0, (size_t)(n3 * e->n) * sizeof (double));
  for (int k = 0; k < e->n && is_found; k++)
    e->gain[k] = has_part (e, k); /* e->contact goes with the next step */
  for (int k = 0; k < e->n && is_found; k++) {
    SsError ignored;

    if (e->gain[k] == 0)
      continue;
    if (e->steppers[k] == NULL) {
      give (e, e->at, k, e->moved_bodies, e->moved_contacts);
      is_found = ss_integrator_moreau_jean.new_ (&e->moved, e->law, &e->steppers[k], &ignored) == SS_OK;
    }
    give (e, e->at, k, e->moved_bodies, e->moved_contacts);
    is_found = is_found && step (e, &ss_integrator_moreau_jean, e->steppers[k], dt, e->v_moved);
    for (int i = 0; i < n3 && is_found; i++)
      e->slopes[i * e->n + k] = (e->v_moved[i] - e->v_end[i]) / DIFFERENCE;
  }
  return is_found;
}

/* One velocity that was seen. `size` makes an angle a way. */
static void
update (SsEstimate *e, int i, double seen, double size)
{
  const int n = e->n;
  const double *slope = e->slopes + i * n;
  const double change = fmax (fabs (seen - e->v[i]), fabs (e->v_end[i] - e->v[i]));
  const double noise = NOISE * change + fabs (e->v_other[i] - e->v_end[i]) + NOISE_LEAST / size;
  double off = seen - e->v_end[i], spread = noise * noise;

  for (int k = 0; k < n; k++) {
    e->gain[k] = 0;
    for (int l = 0; l < n; l++)
      e->gain[k] += e->cov[k * n + l] * slope[l];
    off -= slope[k] * (e->p[k] - e->at[k]);
    spread += slope[k] * e->gain[k];
  }
  if (!(off * off <= GATE * GATE * spread) || spread <= 1.0001 * noise * noise)
    return;
  for (int k = 0; k < n; k++)
    e->p[k] = fmin (fmax (e->p[k] + e->gain[k] * off / spread, -MOST), MOST);
  for (int k = 0; k < n; k++)
    for (int l = 0; l < n; l++)
      e->cov[k * n + l] -= e->gain[k] * e->gain[l] / spread;
}

/* Whether the contacts that bear in the model's step are those of the step before it. */
static bool
bear_on (SsEstimate *e)
{
  bool is_same = true;

  for (int i = 0; i < e->believed->n_contacts; i++) {
    const bool bears = e->contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_IMPULSE_N] > 0;

    is_same = is_same && bears == e->bears[i];
    e->bears[i] = bears;
  }
  return is_same;
}

void
ss_estimate_see (SsEstimate *e, double t, const double *q, const double *v, const double *controls)
{
  SS_ASSERT (e != NULL && q != NULL && v != NULL && controls != NULL);
  const size_t size = 3 * (size_t)e->believed->n_bodies * sizeof *q;
  const double dt = t - e->t;

  if (e->has_step && e->base != NULL && e->other != NULL && dt > 0 &&
      step (e, &ss_integrator_stewart_trinkle, e->other, dt, e->v_other) &&
      step (e, &ss_integrator_moreau_jean, e->base, dt, e->v_end) && bear_on (e) && find_slopes (e, dt))
    for (int i = 0; i < 3 * e->believed->n_bodies; i++) {
      const SsBody *body = &e->believed->bodies[i / 3];

      if (!body->is_fixed && !body->lock[i % 3])
        update (e, i, v[i], i % 3 == 2 ? ss_body_size (body) / 2 : 1);
    }
  memcpy (e->q, q, size);
  memcpy (e->v, v, size);
  memcpy (e->u, controls, (size_t)e->believed->n_actuators * sizeof *controls);
  e->t = t;
  e->has_step = true;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const SsScene *
ss_estimate_scene (const SsEstimate *e)
{
  SS_ASSERT (e != NULL);
  return &e->scene;
}

static double
number_of (const SsEstimate *e, int k, double *deviation)
{
  if (deviation != NULL)
    *deviation = k < 0 ? 0 : sqrt (fmax (e->cov[k * e->n + k], 0));
  return k < 0 ? 1 : exp (e->p[k]);
}

double
ss_estimate_friction (const SsEstimate *e, int contact, double *deviation)
{
  SS_ASSERT (contact >= 0 && contact < e->believed->n_contacts);
  return number_of (e, e->of_contact[contact], deviation);
}

double
ss_estimate_mass (const SsEstimate *e, int body, double *deviation)
{
  SS_ASSERT (body >= 0 && body < e->believed->n_bodies);
  return number_of (e, e->of_body[body], deviation);
}
