/* engine/judge/ss-motion-energy.c: the ledger of a motion's energy: what came from nothing or went there, and of how
 * much; see ss-motion.h. */
#include "judge/ss-motion-private.h"

#include <math.h>

/* Energy that is worth a word lifts bodies by more than this part of their radius, or makes them faster than this
 * [m/s]. */
static const double lift_least = 1e-3, speed_least = 1e-4;
/* Rows know the work of formulas, actuators and drives, forces and ways that vary within the step, up to less than this
 * part of all that comes and goes. */
static const double known_to = 0.01;
/* The largest ratio is found in a few rounds: each is larger than the one before. */
enum { ROUNDS_MAX = 40 };

/* What takes energy for good where it takes any: the scene's friction, dampers and impacts together, and each of those
 * that may give it as well. */
enum { TAKEN, FORMULAS, ACTUATORS, DRIVES, N_TAKERS };

void
ss_motion_ledger_init (SsMotionLedger *ledger, const SsScene *scene, const SsDynamics *dynamics, bool follows_ways)
{
  SS_ASSERT (scene != NULL);

  const double g = hypot (scene->gravity.x, scene->gravity.y);

  *ledger = (SsMotionLedger){
      .scene = scene, .dynamics = dynamics, .follows_ways = follows_ways, .lowest = INFINITY, .highest = -INFINITY};
  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];
    const double radius = ss_body_radius (body);

    if (!body->is_fixed && isfinite (body->mass) && isfinite (radius))
      ledger->least += body->mass * (g * lift_least * radius + speed_least * speed_least / 2);
  }
}

void
ss_motion_ledger_clear (SsMotionLedger *ledger)
{
  SS_ASSERT (ledger != NULL);
  ss_free (ledger->rows);
  *ledger = (SsMotionLedger){0};
}

/* By how much gravity works more in the step, with the mean velocity, than on the way. As far as the way is between
 * those with the velocities of both rows, rules may differ; beyond, as far as the contacts' slack goes, what happened
 * within the step was theirs: a body fell onto a stiff contact and was stopped between two rows. Where nothing takes
 * energy in the step (`is_kept`), a rule of one step, way = h ((1 - theta) v- + theta v+), leaves (1 - 2 theta) times
 * what theta = 0 leaves. A motion that leaves more has no such rule, and the mean of two rows says little of the way
 * between them, as where something turns half around. */
static void
add_unseen (SsMotionLedger *ledger, const SsMotionRow *before, const SsMotionRow *row, double contact_slack,
            bool is_kept)
{
  const SsVec2 g = ledger->scene->gravity;
  const double *mass = ss_dynamics_mass (ledger->dynamics), h = row->t - before->t;
  double unseen = 0, beyond = 0, by_rule = 0;

  for (int i = 0; i < 3 * ledger->scene->n_bodies; i++) {
    const double f = mass[i] * (i % 3 == 0 ? g.x : i % 3 == 1 ? g.y : 0);
    const double a = h * before->v[i], b = h * row->v[i], way = row->q[i] - before->q[i];
    const double between = fmin (fmax (way, fmin (a, b)), fmax (a, b));

    if (f != 0) {
      unseen += f * ((a + b) / 2 - between);
      beyond += f * (between - way);
      by_rule += f * (b - a) / 2;
    }
  }
  if (is_kept) {
    ledger->by_rule += by_rule;
    ledger->kept_unseen += unseen;
    ledger->is_without_rule |= fabs (ledger->kept_unseen) > fabs (ledger->by_rule) + ledger->least;
  } else {
    ledger->taken_unseen += unseen;
  }
  ledger->contacts_unseen += fmin (fmax (beyond, fmin (contact_slack, 0)), fmax (contact_slack, 0));
}

static double
taken_by (const double work[SS_WORK_COUNT], int taker)
{
  static const SsWork works[] = {
      [FORMULAS] = SS_WORK_FORMULAS, [ACTUATORS] = SS_WORK_ACTUATORS, [DRIVES] = SS_WORK_DRIVES};

  return taker == TAKEN ? -(work[SS_WORK_DAMPERS] + work[SS_WORK_CONTACTS] + work[SS_WORK_LIMITS])
                        : -work[works[taker]];
}

SsStatus
ss_motion_ledger_add (SsMotionLedger *ledger, const SsMotionRow *before, const SsMotionRow *row, double kinetic,
                      double potential, const double work[SS_WORK_COUNT], double contact_slack, double *surplus,
                      SsError *err)
{
  SS_ASSERT (row != NULL);

  double taken[N_TAKERS], rest;
  SsMotionLedgerRow *now;

  if (ss_array_reserve ((void **)&ledger->rows, &ledger->capacity, ledger->n_rows + 1, sizeof *ledger->rows) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge the energy of %d rows", ledger->n_rows + 1);
  now = &ledger->rows[ledger->n_rows++];
  *now = (SsMotionLedgerRow){.t = row->t};
  ledger->lowest = fmin (ledger->lowest, potential);
  ledger->highest = fmax (ledger->highest, kinetic + potential);
  if (before == NULL) {
    ledger->first = kinetic + potential;
    *surplus = 0;
    return SS_OK;
  }
  bool is_kept = true;
  for (int i = 0; i < N_TAKERS; i++) {
    taken[i] = taken_by (work, i);
    is_kept = is_kept && taken[i] == ledger->worked[i];
    ledger->worked[i] = taken[i];
  }
  if (!ledger->follows_ways)
    add_unseen (ledger, before, row, contact_slack, is_kept);
  taken[TAKEN] -= ledger->contacts_unseen;
  rest = kinetic + potential - ledger->first + fmax (taken[TAKEN] + ledger->taken_before, 0) - ledger->taken_before -
         ledger->taken_unseen;
  rest -= ledger->kept_unseen;
  for (int i = FORMULAS; i < N_TAKERS; i++)
    rest += taken[i];
  ledger->start_used = fmax (ledger->start_used, fmin (-rest, ledger->start_loss));
  now->surplus = *surplus = rest + ledger->start_used;
  now->kept_unseen = ledger->kept_unseen;
  for (int i = 0; i < N_TAKERS; i++) {
    ledger->most_taken[i] = fmax (ledger->most_taken[i], taken[i]);
    ledger->gross += i != TAKEN ? fabs (taken[i] - ledger->taken[i]) : 0;
    ledger->taken[i] = taken[i];
    now->gone += ledger->most_taken[i];
  }
  now->gone += known_to * ledger->gross;
  return SS_OK;
}

double
ss_motion_ledger_in_play (const SsMotionLedger *ledger)
{
  return ledger->n_rows > 0 ? fmax (ledger->highest - ledger->lowest, ledger->least) : ledger->least;
}

/* The surplus of a row, as it is known once all of the motion is: with what a rule leaves, or without. */
static double
surplus_of (const SsMotionLedger *ledger, int row)
{
  return ledger->rows[row].surplus + (ledger->is_without_rule ? ledger->rows[row].kept_unseen : 0);
}

/* Of the stretches of the motion the one whose (value - ratio of) is largest. `least_later`: of sign times the surplus,
 * from each row on. */
static SsMotionShare
best_stretch (const SsMotionLedger *ledger, int sign, double ratio, const double *least_later)
{
  const SsMotionLedgerRow *rows = ledger->rows;
  const double in_play = ss_motion_ledger_in_play (ledger);
  double most_before = -INFINITY, best_start = -INFINITY, best = 0, before_start = 0;
  SsMotionShare share = {0, in_play, NAN, NAN};
  int start = 0;

  for (int i = 0; i < ledger->n_rows; i++) {
    most_before = fmax (most_before, sign * surplus_of (ledger, i));
    if (ratio * rows[i].gone - most_before > best_start) {
      best_start = ratio * rows[i].gone - most_before;
      before_start = most_before;
      start = i;
    }
    const double of = in_play + rows[i].gone - rows[start].gone, value = least_later[i] - before_start;
    if (value - ratio * of > best) {
      best = value - ratio * of;
      share = (SsMotionShare){value, of, rows[start].t, rows[i].t};
    }
  }
  return share;
}

SsStatus
ss_motion_ledger_share (const SsMotionLedger *ledger, int sign, SsMotionShare *out, SsError *err)
{
  SS_ASSERT (ledger != NULL && out != NULL);

  const int n = ledger->n_rows;
  double *least_later = ss_new_array (double, (size_t)n + 1), ratio = 0;

  *out = (SsMotionShare){0, ss_motion_ledger_in_play (ledger), NAN, NAN};
  if (least_later == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge the energy of %d rows", n);
  least_later[n] = INFINITY;
  for (int i = n - 1; i >= 0; i--)
    least_later[i] = fmin (least_later[i + 1], sign * surplus_of (ledger, i));
  for (int round = 0; round < ROUNDS_MAX; round++) {
    const SsMotionShare share = best_stretch (ledger, sign, ratio, least_later);

    if (!(share.value > ratio * share.of))
      break;
    *out = share;
    ratio = share.value / share.of;
  }
  ss_free (least_later);
  return SS_OK;
}
