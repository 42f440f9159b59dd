/* engine/impact/ss-law-sequential.c: one contact after the other, in a given order, until none approaches. */
#include "impact/ss-impact-law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* With more, the orders are too many for a table: 6! is 720. */
enum { ORDERS_MAX_CONTACTS = 5 };
/* Velocities that differ by less are one outcome. */
static const double distinct = 1e-7;
/* Rises of the energy below this fraction are round-off; halvings of a coefficient that gives more. */
static const double energy_rise = 1e-12;
enum { HALVINGS = 50 };

typedef struct {
  const SsImpact *impact; /* borrowed */
  SsSequentialOptions options;
  SsImpact *alone[SS_IMPACT_CONTACTS_MAX]; /* the configuration with one contact */
  SsImpactStep *steps[SS_IMPACT_CONTACTS_MAX];
  int order[SS_IMPACT_CONTACTS_MAX];
  double *v, *compressed, *tried; /* n each; the rooms of one array */
} Law;

static void
law_free (void *data)
{
  Law *law = data;

  if (law == NULL)
    return;
  for (int i = 0; i < SS_IMPACT_CONTACTS_MAX; i++) {
    ss_impact_step_free (law->steps[i]);
    ss_impact_free (law->alone[i]);
  }
  ss_free (law->v);
  ss_free (law);
}

/* "A,C,B": every contact once; "" is the configuration's own order. */
static SsStatus
read_order (const SsImpact *impact, const char *text, int *order, SsError *err)
{
  bool is_taken[SS_IMPACT_CONTACTS_MAX] = {false};
  int n = 0;

  for (int i = 0; text[0] == '\0' && i < impact->m; i++)
    order[i] = i;
  if (text[0] == '\0')
    return SS_OK;
  for (const char *at = text; at != NULL; n++) {
    const char *comma = strchr (at, ',');
    const size_t length = comma != NULL ? (size_t)(comma - at) : strlen (at);
    int which = 0;
    while (which < impact->m &&
           (strlen (impact->contacts[which]) != length || strncmp (impact->contacts[which], at, length) != 0))
      which++;
    if (which == impact->m)
      return ss_error_set (err, SS_ERR_ARG, "the order names '%.*s', which is no contact of the configuration",
                           (int)length, at);
    if (is_taken[which])
      return ss_error_set (err, SS_ERR_ARG, "the order names '%s' twice", impact->contacts[which]);
    is_taken[which] = true;
    order[n] = which;
    at = comma != NULL ? comma + 1 : NULL;
  }
  for (int i = 0; n < impact->m && i < impact->m; i++)
    if (!is_taken[i])
      return ss_error_set (err, SS_ERR_ARG, "the order leaves out '%s'", impact->contacts[i]);
  return SS_OK;
}

static SsStatus
new_alone (const SsImpact *impact, int contact, SsImpact **out, SsError *err)
{
  return ss_impact_new (&(SsImpactNumbers){.n = impact->n,
                                           .m = 1,
                                           .mass = impact->mass,
                                           .inverse_mass = impact->inverse_mass,
                                           .jn = impact->jn + contact * impact->n,
                                           .jt = impact->jt + contact * impact->n,
                                           .mu = impact->mu + contact,
                                           .v = impact->v,
                                           .h = NAN},
                        out, err);
}

static SsStatus
law_new (const SsImpact *impact, const void *options, void **out, SsError *err)
{
  Law *law = ss_new (Law);
  SsStatus status;

  *out = NULL;
  if (law == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contacts", impact->m);
  law->impact = impact;
  law->options = *(const SsSequentialOptions *)options;
  law->v = ss_new_array (double, 3 * impact->n);
  law->compressed = law->v != NULL ? law->v + impact->n : NULL;
  law->tried = law->v != NULL ? law->v + 2 * impact->n : NULL;
  status = law->v != NULL ? read_order (impact, law->options.order, law->order, err)
                          : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", impact->n);
  if (status == SS_OK && law->options.all && impact->m > ORDERS_MAX_CONTACTS)
    status = ss_error_set (err, SS_ERR_ARG, "%d contacts have %.0f orders; all of them are tried for up to %d contacts",
                           impact->m, tgamma (impact->m + 1), ORDERS_MAX_CONTACTS);
  for (int i = 0; status == SS_OK && i < impact->m; i++) {
    status = new_alone (impact, i, &law->alone[i], err);
    if (status == SS_OK)
      status = ss_impact_step_new (law->alone[i], SS_IMPACT_ROWS_SCALED, &law->steps[i], err);
  }
  if (status != SS_OK) {
    law_free (law);
    return status;
  }
  *out = law;
  return SS_OK;
}

/* ---- one order --------------------------------------------------------------------------------------------------- */

typedef struct {
  double impulse[2 * SS_IMPACT_CONTACTS_MAX];
  int solves;
  bool is_finished, is_lost;
  bool is_lowered; /* a coefficient of restitution */
} Ended;

/* e ln more on the contact whose compression is `ended`, and friction with it: law->compressed becomes law->tried. */
static bool
push_back (Law *law, int contact, double e, const SsImpactStepResult *compression, double impulse[2])
{
  const double given[2] = {e * compression->impulse[0], 0};
  SsImpactStepResult solved;

  memcpy (law->tried, law->compressed, (size_t)law->impact->n * sizeof *law->tried);
  ss_impact_push (law->alone[contact], given, law->tried);
  ss_impact_step_solve (law->steps[contact], &(SsImpactStepJob){.given = given}, law->tried, &solved);
  impulse[0] = given[0] + solved.impulse[0];
  impulse[1] = solved.impulse[1];
  return solved.is_solved && solved.part <= SS_IMPACT_DROPPED;
}

/* Restitution of a contact after its compression, law->v, with the largest part of its coefficient that gives no more
 * energy than `before`. False: a problem has no answer. */
static bool
restitute (Law *law, int contact, double before, const SsImpactStepResult *compression, Ended *ended)
{
  const SsImpact *impact = law->impact;
  const double e = impact->restitution[contact], most = before * (1 + energy_rise);
  double impulse[2], low = 0, high = 1;
  bool is_solved;

  memcpy (law->compressed, law->v, (size_t)impact->n * sizeof *law->v);
  is_solved = push_back (law, contact, e, compression, impulse);
  if (is_solved && ss_impact_kinetic_energy (impact, law->tried) > most) {
    ended->is_lowered = true;
    for (int k = 0; k < HALVINGS && is_solved; k++) {
      const double part = (low + high) / 2;
      is_solved = push_back (law, contact, part * e, compression, impulse);
      *(ss_impact_kinetic_energy (impact, law->tried) > most ? &high : &low) = part;
    }
    is_solved = is_solved && push_back (law, contact, low * e, compression, impulse);
  }
  memcpy (law->v, law->tried, (size_t)impact->n * sizeof *law->v);
  ended->impulse[contact] += impulse[0];
  ended->impulse[impact->m + contact] += impulse[1];
  return is_solved;
}

/* law->v becomes the velocity after the impact. */
static Ended
run_order (Law *law, const int *order)
{
  const SsImpact *impact = law->impact;
  const int m = impact->m;
  Ended ended = {0};

  memcpy (law->v, impact->v, (size_t)impact->n * sizeof *law->v);
  for (int at = 0, resting = 0; !ended.is_finished && ended.solves < law->options.max_solves; at = (at + 1) % m) {
    const int contact = order[at];
    double u[2];
    SsImpactStepResult solved;
    ss_impact_speeds (law->alone[contact], law->v, u);
    resting = u[0] < -law->options.tolerance ? 0 : resting + 1;
    ended.is_finished = resting == m;
    if (resting > 0)
      continue;
    const double before = ss_impact_kinetic_energy (impact, law->v);
    ss_impact_step_solve (law->steps[contact], &(SsImpactStepJob){0}, law->v, &solved);
    ended.solves++;
    ended.is_lost = ended.is_lost || !solved.is_solved || !(solved.part <= SS_IMPACT_DROPPED);
    ended.impulse[contact] += solved.impulse[0];
    ended.impulse[m + contact] += solved.impulse[1];
    if (!ended.is_lost && law->options.restitution == SS_IMPACT_POISSON && impact->restitution[contact] > 0)
      ended.is_lost = !restitute (law, contact, before, &solved, &ended);
    if (ended.is_lost)
      break;
  }
  if (!ended.is_finished && !ended.is_lost) { /* the last solve allowed may have been enough */
    double u[2 * SS_IMPACT_CONTACTS_MAX];
    ss_impact_speeds (impact, law->v, u);
    ended.is_finished = true;
    for (int i = 0; i < m; i++)
      ended.is_finished = ended.is_finished && u[i] >= -law->options.tolerance;
  }
  return ended;
}

static void
write_order (const SsImpact *impact, const int *order, char *text, size_t size)
{
  size_t used = 0;

  text[0] = '\0';
  for (int i = 0; i < impact->m && used < size; i++)
    used += (size_t)snprintf (text + used, size - used, "%s%s", i > 0 ? "," : "", impact->contacts[order[i]]);
}

static SsImpactOutcome *
find_same (const SsImpact *impact, SsImpactResult *result, const double *v)
{
  for (int k = 0; k < result->n_outcomes; k++) {
    bool is_same = true;
    for (int i = 0; is_same && i < impact->n; i++)
      is_same = fabs (result->outcomes[k].v[i] - v[i]) <= distinct;
    if (is_same)
      return &result->outcomes[k];
  }
  return NULL;
}

static SsStatus
add_order (Law *law, const int *order, double share, SsImpactResult *result, SsError *err)
{
  const SsImpact *impact = law->impact;
  const Ended ended = run_order (law, order);
  SsImpactOutcome *outcome = find_same (impact, result, law->v);
  char text[SS_IMPACT_ORDER_MAX];

  write_order (impact, order, text, sizeof text);
  if (ended.is_lost)
    return ss_error_set (err, SS_ERR_SINGULAR, "in the order %s the problem of one contact has no answer", text);
  if (outcome != NULL) {
    outcome->share += share;
    return SS_OK;
  }
  outcome = ss_impact_result_add (result, impact, law->v);
  if (outcome == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for an outcome");
  memcpy (outcome->impulse, ended.impulse, sizeof ended.impulse);
  memcpy (outcome->order, text, sizeof text);
  outcome->solves = ended.solves;
  outcome->share = share;
  outcome->is_finished = ended.is_finished;
  if (ended.is_lowered)
    ss_impact_result_note (result, "in the order %s restitution is lowered where it would give energy", text);
  if (!ended.is_finished)
    ss_impact_result_note (result, "in the order %s a contact still approaches after %d solves", text, ended.solves);
  return SS_OK;
}

/* Next of the orders in lexicographic sequence; false after the last. */
static bool
next_order (int *order, int m)
{
  int i = m - 2, j = m - 1;

  while (i >= 0 && order[i] > order[i + 1])
    i--;
  if (i < 0)
    return false;
  while (order[j] < order[i])
    j--;
  for (int swapped = order[i]; swapped >= 0; swapped = -1) {
    order[i] = order[j];
    order[j] = swapped;
  }
  for (int a = i + 1, b = m - 1; a < b; a++, b--) {
    const int swapped = order[a];
    order[a] = order[b];
    order[b] = swapped;
  }
  return true;
}

static SsStatus
resolve (void *data, SsRunControl *control, SsImpactResult *result, SsError *err)
{
  Law *law = data;
  const int m = law->impact->m;
  int order[SS_IMPACT_CONTACTS_MAX];
  SsStatus status;

  (void)control;
  *result = (SsImpactResult){0};
  if (!law->options.all) {
    status = add_order (law, law->order, 1, result, err);
  } else {
    for (int i = 0; i < m; i++)
      order[i] = i;
    do
      status = add_order (law, order, 1 / tgamma (m + 1), result, err);
    while (status == SS_OK && next_order (order, m));
  }
  if (status != SS_OK)
    ss_impact_result_clear (result);
  return status;
}

/* ---- class ------------------------------------------------------------------------------------------------------- */

static const SsOptionSpec specs[] = {
    {.name = "order",
     .type = SS_OPTION_TEXT,
     .offset = offsetof (SsSequentialOptions, order),
     .symbol = "",
     .unit = "",
     .common = true,
     .summary =
         "Names of the contacts, separated by commas, in the order in which they are resolved; without this option "
         "the order of the scene."},
    {.name = "all",
     .type = SS_OPTION_BOOLEAN,
     .offset = offsetof (SsSequentialOptions, all),
     .minimum = 0,
     .maximum = 1,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Whether every order of the contacts is tried (up to 5 contacts)."},
    {.name = "restitution",
     .type = SS_OPTION_CHOICE,
     .offset = offsetof (SsSequentialOptions, restitution),
     .minimum = 0,
     .maximum = SS_IMPACT_RESTITUTIONS - 1,
     .choices = ss_impact_restitution_names,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "What the contacts' coefficients of restitution do. none: impacts are inelastic; poisson: after its "
                "compression a contact receives e times its normal impulse again, or less where that would give "
                "energy."},
    {.name = "tolerance",
     .type = SS_OPTION_REAL,
     .offset = offsetof (SsSequentialOptions, tolerance),
     .minimum = 0,
     .maximum = 1,
     .fallback = 2.2e-6,
     .symbol = "",
     .unit = "m/s",
     .common = false,
     .summary =
         "Largest speed of approach at which a contact is passed over. Larger values take fewer solves and leave "
         "contacts that approach."},
    {.name = "max-solves",
     .type = SS_OPTION_INTEGER,
     .offset = offsetof (SsSequentialOptions, max_solves),
     .minimum = 1,
     .maximum = 1000000,
     .fallback = 1000,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Largest number of solves in a sequence; a sequence that needs more is cut off, and the message says "
                "so."},
};
static const SsOptionTable options_table = {sizeof specs / sizeof *specs, specs, sizeof (SsSequentialOptions), 0};

static bool
asks_restitution (const void *options)
{
  return ((const SsSequentialOptions *)options)->restitution == SS_IMPACT_POISSON;
}

const SsImpactLawClass ss_impact_law_sequential = {
    .name = "sequential",
    .label = "Sequential",
    .summary = "One contact after another",
    .solves = "One contact after another, each with Coulomb friction as if it were alone, inelastic or with Poisson's "
              "restitution, until none approaches.",
    .options = &options_table,
    .asks_restitution = asks_restitution,
    .new_ = law_new,
    .resolve = resolve,
    .free = law_free,
};
