/* engine/fesd/ss-fesd-law-modes.c: given modes tested against the law, and the search for such that obey it from them.
 *
 * Search   the modes' own equations are solved; every sign that fails changes its mode, all of them in one (a closed
 *          point that pulls opens, an open one that approaches closes, beyond its cone it slips, against its
 *          friction it sticks); where that gains nothing in a few rounds, the last one alone, until fewer fail
 *          than ever (Judice, Pires: A block principal pivoting algorithm for large-scale strictly monotone linear
 *          complementarity problems, Computers and Operations Research 21, 1994). With friction the problem is not
 *          monotone, so the search may end without an answer although there is one: it stands before and beside
 *          Lemke's method. */
#include "fesd/ss-fesd-law-private.h"

#include "linalg/ss-dense-least.h"
#include "linalg/ss-linalg.h"

#include <math.h>

/* Rounds in which all failing signs change although no fewer fail. */
enum { BLOCKS_MAX = 3 };

/* What a point without impulse must do at least: nothing at the level of accelerations; at a jump leave, with its
 * rebound if it is strict. */
typedef enum { FORCES, STRICT_JUMP, LOOSE_JUMP } Level;

/* A pivot that is a smaller part of the matrix is none: roundings of its entries, some more. */
static const double redundant = 1e-11;

/* Signs count up to these. */
typedef struct {
  double force, rate;
} Small;

/* Unknowns of a mode, of which `row` is the equation: normal force, tangential force of a stick. */
static int
n_forces_of (SsFesdMode mode)
{
  return mode == SS_FESD_OPEN ? 0 : mode == SS_FESD_STICK ? 2 : 1;
}

static double
least_rate (const SsFesdLaw *law, const SsFesdTouch *touch, int normal, Level level)
{
  const SsFesdSystem *s = law->system;
  if (level != LOOSE_JUMP)
    return 0;
  return ss_fesd_restitution (s, touch->item) * fmin (law->rows[normal].rate, 0);
}

/* The matrix of the modes' rows; returns its largest entry on the diagonal, without friction. */
static double
set_matrix (SsFesdLaw *law, const SsFesdTouch *touches, const SsFesdMode *modes, int n, int size)
{
  const int n_b = law->system->n_bilateral, n_rows = n_b + 2 * n;
  double largest = 0;
  for (int i = 0, r = 0; i < n; i++)
    for (int k = 0; k < n_forces_of (modes[i]); k++, r++) {
      const int row = n_b + 2 * i + k;
      law->z[r] = -law->bias[row];
      law->lu_pivot[r] = row;
      largest = fmax (largest, ss_fesd_law_entry (law, n_rows, row, row));
    }
  for (int j = 0, c = 0; j < n; j++) {
    const double mu = ss_fesd_mu_of (law->system, touches[j].item);
    const double part = modes[j] == SS_FESD_SLIP_PLUS ? -mu : modes[j] == SS_FESD_SLIP_MINUS ? mu : 0;
    for (int l = 0; l < n_forces_of (modes[j]); l++, c++) {
      const double *own = law->delassus + (size_t)(n_b + 2 * j + l) * (size_t)n_rows, *tangential = own + n_rows;
      double *column = law->m + (size_t)c * (size_t)size;
      for (int r = 0; r < size; r++)
        column[r] = own[law->lu_pivot[r]] + (l == 0 && part != 0 ? part * tangential[law->lu_pivot[r]] : 0);
    }
  }
  return largest;
}

/* Forces with which the modes' rows do not accelerate, into law->z: the smallest, where rows are redundant. */
static bool
solve_rows (SsFesdLaw *law, const SsFesdTouch *touches, const SsFesdMode *modes, int n)
{
  int size = 0;
  for (int i = 0; i < n; i++)
    size += n_forces_of (modes[i]);
  if (size == 0)
    return true;
  const double least = redundant * set_matrix (law, touches, modes, n, size);
  bool is_regular = ss_dense_lu (size, law->m, size, law->lu_pivot) == SS_OK;
  for (int i = 0; i < size && is_regular; i++)
    is_regular = fabs (law->m[(size_t)i * (size_t)size + (size_t)i]) > least;
  if (is_regular) {
    ss_dense_lu_solve (size, law->m, size, law->lu_pivot, law->z);
    return true;
  }
  set_matrix (law, touches, modes, n, size);
  const int rank = ss_dense_least (size, law->m, size, redundant, law->factor, law->lu_pivot);
  if (rank >= 0)
    ss_dense_least_solve (size, law->m, size, rank, law->factor, law->lu_pivot, law->z);
  return rank >= 0;
}

/* The forces that were solved for, into the touches. */
static Small
read_forces (const SsFesdLaw *law, SsFesdTouch *touches, const SsFesdMode *modes, int n, double tolerance)
{
  const int n_b = law->system->n_bilateral;
  double force_scale = 0, rate_scale = 0;
  for (int i = 0, r = 0; i < n; i++) {
    const double mu = ss_fesd_mu_of (law->system, touches[i].item);
    touches[i].force_n = modes[i] == SS_FESD_OPEN ? 0 : law->z[r];
    touches[i].force_t = modes[i] == SS_FESD_STICK        ? law->z[r + 1]
                         : modes[i] == SS_FESD_SLIP_PLUS  ? -mu * touches[i].force_n
                         : modes[i] == SS_FESD_SLIP_MINUS ? mu * touches[i].force_n
                                                          : 0;
    r += n_forces_of (modes[i]);
    force_scale = fmax (force_scale, fmax (fabs (touches[i].force_n), fabs (touches[i].force_t)));
    rate_scale = fmax (rate_scale, fmax (fabs (law->bias[n_b + 2 * i]), fabs (law->bias[n_b + 2 * i + 1])));
  }
  return (Small){tolerance * force_scale, tolerance * rate_scale};
}

/* Rates and slips of a touch after the forces of all. */
static void
set_rates (const SsFesdLaw *law, SsFesdTouch *touches, int n, int i)
{
  const int n_b = law->system->n_bilateral, n_rows = n_b + 2 * n, normal = n_b + 2 * i;
  double rate = law->bias[normal], slip = law->bias[normal + 1];
  for (int j = 0; j < n; j++) {
    const int column = n_b + 2 * j;
    if (touches[j].force_n == 0 && touches[j].force_t == 0)
      continue;
    rate += ss_fesd_law_entry (law, n_rows, normal, column) * touches[j].force_n +
            ss_fesd_law_entry (law, n_rows, normal, column + 1) * touches[j].force_t;
    slip += ss_fesd_law_entry (law, n_rows, normal + 1, column) * touches[j].force_n +
            ss_fesd_law_entry (law, n_rows, normal + 1, column + 1) * touches[j].force_t;
  }
  touches[i].rate_after = rate;
  touches[i].slip_after = slip;
}

/* What the force of a touch says of its mode: the mode, or the one that follows where its sign fails. */
static SsFesdMode
by_force (const SsFesdLaw *law, const SsFesdTouch *touch, SsFesdMode mode, Small small)
{
  if (mode == SS_FESD_OPEN)
    return mode;
  if (!(touch->force_n >= -small.force))
    return SS_FESD_OPEN;
  const double cone = ss_fesd_mu_of (law->system, touch->item) * touch->force_n + small.force;
  if (mode == SS_FESD_STICK && !(fabs (touch->force_t) <= cone))
    return touch->force_t > 0 ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS;
  return mode;
}

/* The same of its rate and slip. What starts to slip must go on so; what slips already may slow down. */
static SsFesdMode
by_rate (const SsFesdLaw *law, const SsFesdTouch *touch, int i, SsFesdMode mode, Level level, Small small)
{
  const bool has_friction = ss_fesd_mu_of (law->system, touch->item) > 0;
  const int normal = law->system->n_bilateral + 2 * i;
  if (mode == SS_FESD_OPEN && !(touch->rate_after >= least_rate (law, touch, normal, level) - small.rate))
    return !has_friction || touch->sign > 0 ? SS_FESD_SLIP_PLUS : touch->sign < 0 ? SS_FESD_SLIP_MINUS : SS_FESD_STICK;
  if (has_friction && touch->sign == 0 && mode == SS_FESD_SLIP_PLUS && !(touch->slip_after >= -small.rate))
    return SS_FESD_STICK;
  if (has_friction && touch->sign == 0 && mode == SS_FESD_SLIP_MINUS && !(touch->slip_after <= small.rate))
    return SS_FESD_STICK;
  return mode;
}

/* Whether the row's equations hold: redundant rows that contradict each other leave them. */
static bool
is_held (const SsFesdTouch *touch, SsFesdMode mode, Small small)
{
  return isfinite (touch->rate_after) && isfinite (touch->force_n) &&
         (mode == SS_FESD_OPEN || fabs (touch->rate_after) <= small.rate) &&
         (mode != SS_FESD_STICK || fabs (touch->slip_after) <= small.rate);
}

static bool
test_modes (SsFesdLaw *law, SsFesdTouch *touches, const SsFesdMode *modes, int n, Level level, double tolerance)
{
  if (!solve_rows (law, touches, modes, n))
    return false;
  const Small small = read_forces (law, touches, modes, n, tolerance);
  for (int i = 0; i < n; i++) /* what needs no rates first */
    if (by_force (law, &touches[i], modes[i], small) != modes[i])
      return false;
  for (int i = 0; i < n; i++) {
    set_rates (law, touches, n, i);
    if (!is_held (&touches[i], modes[i], small) || by_rate (law, &touches[i], i, modes[i], level, small) != modes[i])
      return false;
  }
  return true;
}

/* Changes the modes towards the law, of all touches or of the last one that fails; returns how many fail. */
static int
change_modes (const SsFesdLaw *law, const SsFesdTouch *touches, SsFesdMode *modes, int n, Level level, Small small,
              bool all)
{
  int n_failing = 0;
  for (int i = n - 1; i >= 0; i--) {
    const SsFesdMode next = by_force (law, &touches[i], modes[i], small) != modes[i]
                                ? by_force (law, &touches[i], modes[i], small)
                                : by_rate (law, &touches[i], i, modes[i], level, small);
    if (next == modes[i])
      continue;
    modes[i] = all || n_failing == 0 ? next : modes[i];
    n_failing++;
  }
  return n_failing;
}

static bool
search_modes (SsFesdLaw *law, SsFesdTouch *touches, SsFesdMode *modes, int n, Level level, double tolerance, int rounds)
{
  int least = n + 1, blocks = BLOCKS_MAX;
  for (int round = 0; round < rounds; round++) {
    bool holds = true;
    if (!solve_rows (law, touches, modes, n))
      return false;
    const Small small = read_forces (law, touches, modes, n, tolerance);
    for (int i = 0; i < n; i++) {
      set_rates (law, touches, n, i);
      holds = holds && is_held (&touches[i], modes[i], small);
    }
    const int n_failing = change_modes (law, touches, modes, n, level, small, blocks > 0);
    if (n_failing == 0)
      return holds;
    blocks = n_failing < least ? BLOCKS_MAX : blocks - 1;
    least = n_failing < least ? n_failing : least;
  }
  return false;
}

bool
ss_fesd_law_test (SsFesdLaw *law, SsFesdTouch *touches, const SsFesdMode *modes, int n, double tolerance)
{
  SS_ASSERT (law != NULL && (touches != NULL || n == 0) && (modes != NULL || n == 0));
  return test_modes (law, touches, modes, n, FORCES, tolerance);
}

bool
ss_fesd_law_search (SsFesdLaw *law, SsFesdTouch *touches, SsFesdMode *modes, int n, double tolerance, int rounds)
{
  SS_ASSERT (law != NULL && (touches != NULL || n == 0) && (modes != NULL || n == 0));
  return search_modes (law, touches, modes, n, FORCES, tolerance, rounds);
}

bool
ss_fesd_law_test_jump (SsFesdLaw *law, SsFesdTouch *touches, const SsFesdMode *modes, int n, bool is_strict,
                       double tolerance)
{
  SS_ASSERT (law != NULL && touches != NULL && modes != NULL);
  return test_modes (law, touches, modes, n, is_strict ? STRICT_JUMP : LOOSE_JUMP, tolerance);
}

bool
ss_fesd_law_search_jump (SsFesdLaw *law, SsFesdTouch *touches, SsFesdMode *modes, int n, bool is_strict,
                         double tolerance, int rounds)
{
  SS_ASSERT (law != NULL && touches != NULL && modes != NULL);
  return search_modes (law, touches, modes, n, is_strict ? STRICT_JUMP : LOOSE_JUMP, tolerance, rounds);
}
