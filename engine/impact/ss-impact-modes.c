/* engine/impact/ss-impact-modes.c: the tree of contact modes.
 *
 * A level holds the rows of all contacts (normal, tangential: a speed while the contact is open, the impulse or speed
 * that its mode leaves free once it is decided) as a constant and coefficients of the open contacts' impulses. Contacts
 * are decided in their order: those from the level on are open.
 */
#include "impact/ss-impact-modes.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = SS_IMPACT_ENUMERATE_MAX, ROWS = 2 * CONTACTS };

/* Speeds and impulses on the wrong side of 0 by less, relative to the largest of the step, are 0. */
static const double sign_tolerance = 1e-9;
/* Pivots below this, relative to the row's own entry of D, are those of dependent rows. */
static const double singular = 1e-9;
/* Velocities that differ by less are one outcome. */
static const double distinct = 1e-7;

typedef enum { NONE, STICK, SLIDE_UP, SLIDE_DOWN, CAPPED_STICK, CAPPED_UP, CAPPED_DOWN, N_MODES } Mode;

/* Row r is constant[r] + sum over open contacts of coefficient[r][k] impulse[k]; k = 2 contact for normal, + 1 for
 * tangential. Rows in the same order. Columns of decided contacts are neither kept up nor read. */
typedef struct {
  double constant[ROWS];
  double coefficient[ROWS][ROWS];
} Level;

struct SsImpactModes {
  const SsImpact *impact; /* borrowed */
  const double *v, *cap;  /* of the step            */
  double small_speed, small_impulse;
  Mode mode[CONTACTS];
  Level levels[CONTACTS + 1];
  int n_solutions;
  SsImpactSolution solutions[SS_IMPACT_SOLUTIONS_MAX];
  double *numbers; /* owned: the solutions' velocities, and one more */
};

SsStatus
ss_impact_modes_new (const SsImpact *impact, SsImpactModes **out, SsError *err)
{
  SS_ASSERT (impact != NULL && out != NULL);

  SsImpactModes *modes;
  double n_modes = pow (N_MODES, impact->m);

  *out = NULL;
  if (impact->m > SS_IMPACT_ENUMERATE_MAX)
    return ss_error_set (err, SS_ERR_ARG, "%d contacts have %.0f modes; enumeration takes up to %d contacts", impact->m,
                         n_modes, SS_IMPACT_ENUMERATE_MAX);
  modes = ss_new (SsImpactModes);
  if (modes != NULL)
    modes->numbers = ss_new_array (double, impact->n *(SS_IMPACT_SOLUTIONS_MAX + 1));
  if (modes == NULL || modes->numbers == NULL) {
    ss_free (modes);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the modes of %d contacts", impact->m);
  }
  modes->impact = impact;
  for (int k = 0; k < SS_IMPACT_SOLUTIONS_MAX; k++)
    modes->solutions[k].v = modes->numbers + (size_t)k * (size_t)impact->n;
  *out = modes;
  return SS_OK;
}

void
ss_impact_modes_free (SsImpactModes *modes)
{
  if (modes == NULL)
    return;
  ss_free (modes->numbers);
  ss_free (modes);
}

/* ---- one mode ---------------------------------------------------------------------------------------------------- */

/* Exchanges row r with column k, the first that is still read: the speed of the row is 0 from now on, and the row is
 * the impulse. False where the pivot is that of a dependent row. */
static bool
pivot (int size, Level *x, int r, int k, double scale)
{
  const double p = x->coefficient[r][k];

  if (!(fabs (p) > singular * scale))
    return false;
  x->constant[r] /= -p;
  for (int j = k + 1; j < size; j++)
    x->coefficient[r][j] /= -p;
  for (int i = 0; i < size; i++) {
    const double factor = x->coefficient[i][k];
    if (i == r || factor == 0)
      continue;
    x->constant[i] += factor * x->constant[r];
    for (int j = k + 1; j < size; j++)
      x->coefficient[i][j] += factor * x->coefficient[r][j];
  }
  return true;
}

/* Column k times a number into the constants. */
static void
fold (int size, Level *x, int k, double value)
{
  for (int i = 0; i < size; i++)
    x->constant[i] += x->coefficient[i][k] * value;
}

/* Puts a contact into a mode. False where its equations are singular [002 (20) (72d)]. */
static bool
decide (const SsImpactModes *t, Level *x, int contact, Mode mode)
{
  const int m = t->impact->m, size = 2 * m, normal = 2 * contact, tangential = normal + 1;
  const double mu = t->impact->mu[contact], cap = t->cap != NULL ? t->cap[contact] : 0;
  const double dn = t->impact->contact[contact * size + contact];
  const double dt = t->impact->contact[(m + contact) * size + m + contact];
  const double slide = mode == SLIDE_UP || mode == CAPPED_UP ? -mu : mu; /* lt per ln */

  switch (mode) {
  case NONE:
    return true;
  case STICK:
    return mu > 0 && pivot (size, x, normal, normal, dn) && pivot (size, x, tangential, tangential, dt);
  case SLIDE_UP:
  case SLIDE_DOWN:
    for (int i = 0; i < size; i++)
      x->coefficient[i][normal] += slide * x->coefficient[i][tangential];
    return pivot (size, x, normal, normal, dn);
  case CAPPED_STICK:
    fold (size, x, normal, cap);
    return mu > 0 && pivot (size, x, tangential, tangential, dt);
  case CAPPED_UP:
  case CAPPED_DOWN:
    fold (size, x, normal, cap);
    fold (size, x, tangential, slide * cap);
    return true;
  case N_MODES:
    break;
  }
  return false;
}

/* ---- what can hold ----------------------------------------------------------------------------------------------- */

/* Whether sign (row i + factor row j) + least >= -tolerance can still hold: its largest value over the open contacts'
 * cones up to their caps, which is at a corner of each triangle. */
static bool
can_hold (const SsImpactModes *t, const Level *x, int level, int i, double sign, int j, double factor, double least,
          double tolerance)
{
  const double *row = x->coefficient[i], *other = x->coefficient[j];
  double bound = sign * x->constant[i] + factor * x->constant[j] + least;

  if (t->cap == NULL && level < t->impact->m) /* nothing bounds the open impulses */
    return true;
  for (int c = level; c < t->impact->m; c++) {
    const double normal = sign * row[2 * c] + factor * other[2 * c];
    const double tangential = sign * row[2 * c + 1] + factor * other[2 * c + 1];
    const double gain = normal + t->impact->mu[c] * fabs (tangential);
    if (gain > 0)
      bound += t->cap[c] * gain;
  }
  return bound >= -tolerance;
}

/* All conditions of a decided contact; `level`: number of contacts that are decided [002 (15) (72c)]. */
static bool
may_be (const SsImpactModes *t, const Level *x, int level, int contact)
{
  const int n = 2 * contact, s = n + 1;
  const double mu = t->impact->mu[contact], cap = t->cap != NULL ? t->cap[contact] : 0;
  const double speed = t->small_speed, impulse = t->small_impulse;
  const Mode mode = t->mode[contact];

  switch (mode) {
  case NONE:
    return can_hold (t, x, level, n, 1, n, 0, 0, speed);
  case STICK:
    return can_hold (t, x, level, n, 1, n, 0, 0, impulse) &&
           (t->cap == NULL || can_hold (t, x, level, n, -1, n, 0, cap, impulse)) &&
           can_hold (t, x, level, s, 1, n, mu, 0, impulse) && can_hold (t, x, level, s, -1, n, mu, 0, impulse);
  case SLIDE_UP:
  case SLIDE_DOWN:
    return can_hold (t, x, level, n, 1, n, 0, 0, impulse) &&
           (t->cap == NULL || can_hold (t, x, level, n, -1, n, 0, cap, impulse)) &&
           (mu == 0 || can_hold (t, x, level, s, mode == SLIDE_UP ? 1 : -1, s, 0, 0, speed));
  case CAPPED_STICK:
    return can_hold (t, x, level, n, -1, n, 0, 0, speed) && can_hold (t, x, level, s, 1, s, 0, mu * cap, impulse) &&
           can_hold (t, x, level, s, -1, s, 0, mu * cap, impulse);
  case CAPPED_UP:
  case CAPPED_DOWN:
    return can_hold (t, x, level, n, -1, n, 0, 0, speed) &&
           (mu == 0 || can_hold (t, x, level, s, mode == CAPPED_UP ? 1 : -1, s, 0, 0, speed));
  case N_MODES:
    break;
  }
  return false;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

/* Impulses of a contact whose mode is decided, at a leaf. */
static void
read_impulse (const SsImpactModes *t, const Level *leaf, int contact, double *ln, double *lt)
{
  const double mu = t->impact->mu[contact], cap = t->cap != NULL ? t->cap[contact] : 0;
  const double normal = leaf->constant[2 * contact], tangential = leaf->constant[2 * contact + 1];

  switch (t->mode[contact]) {
  case STICK:
    *ln = normal;
    *lt = tangential;
    break;
  case SLIDE_UP:
    *ln = normal;
    *lt = -mu * normal;
    break;
  case SLIDE_DOWN:
    *ln = normal;
    *lt = mu * normal;
    break;
  case CAPPED_STICK:
    *ln = cap;
    *lt = tangential;
    break;
  case CAPPED_UP:
    *ln = cap;
    *lt = -mu * cap;
    break;
  case CAPPED_DOWN:
    *ln = cap;
    *lt = mu * cap;
    break;
  case NONE:
  case N_MODES:
    *ln = *lt = 0;
  }
}

static void
add_leaf (SsImpactModes *t)
{
  const SsImpact *impact = t->impact;
  const int n = impact->n, m = impact->m;
  double *v = t->numbers + (size_t)SS_IMPACT_SOLUTIONS_MAX * (size_t)n;
  double impulse[2 * SS_IMPACT_CONTACTS_MAX];

  for (int c = 0; c < m; c++)
    read_impulse (t, &t->levels[m], c, &impulse[c], &impulse[m + c]);
  memcpy (v, t->v, (size_t)n * sizeof *v);
  ss_impact_push (impact, impulse, v);
  for (int k = 0; k < t->n_solutions; k++) {
    bool is_same = true;
    for (int i = 0; is_same && i < n; i++)
      is_same = fabs (t->solutions[k].v[i] - v[i]) <= distinct;
    if (is_same)
      return;
  }
  if (t->n_solutions == SS_IMPACT_SOLUTIONS_MAX)
    return;
  SsImpactSolution *solution = &t->solutions[t->n_solutions++];
  memcpy (solution->v, v, (size_t)n * sizeof *v);
  memcpy (solution->impulse, impulse, sizeof impulse);
}

static void
walk (SsImpactModes *t, int level)
{
  const int m = t->impact->m, size = 2 * m, last = t->cap != NULL ? CAPPED_DOWN : SLIDE_DOWN;

  if (level == m || level == CONTACTS) { /* m is at most CONTACTS: said for gcc, which unrolls the calls */
    add_leaf (t);
    return;
  }
  for (int mode = NONE; mode <= last; mode++) {
    Level *x = &t->levels[level + 1];
    const Level *above = &t->levels[level];
    bool can = true;
    memcpy (x->constant, above->constant, (size_t)size * sizeof *x->constant);
    memcpy (x->coefficient, above->coefficient, (size_t)size * sizeof *x->coefficient);
    t->mode[level] = (Mode)mode;
    can = decide (t, x, level, (Mode)mode);
    for (int contact = level; can && contact >= 0; contact--)
      can = may_be (t, x, level + 1, contact);
    if (can)
      walk (t, level + 1);
    if (t->impact->mu[level] == 0 && (mode == SLIDE_UP || mode == CAPPED_UP))
      mode++; /* without friction one slide is like the other */
  }
}

int
ss_impact_modes_solve (SsImpactModes *t, const double *v, const double *cap, const SsImpactSolution **solutions)
{
  SS_ASSERT (t != NULL && v != NULL && solutions != NULL);

  const int m = t->impact->m;
  double u[2 * SS_IMPACT_CONTACTS_MAX], largest = 0, largest_cap = 0, stiffest = INFINITY;
  Level *first = &t->levels[0];

  ss_impact_speeds (t->impact, v, u);
  for (int i = 0; i < 2 * m; i++) {
    const int contact = i / 2, row = i % 2 == 0 ? contact : m + contact;
    first->constant[i] = u[row];
    largest = fmax (largest, fabs (u[row]));
    for (int k = 0; k < 2 * m; k++)
      first->coefficient[i][k] = t->impact->contact[(k % 2 == 0 ? k / 2 : m + k / 2) * 2 * m + row];
  }
  for (int c = 0; c < m; c++) {
    largest_cap = cap != NULL ? fmax (largest_cap, cap[c]) : largest_cap;
    stiffest = fmin (stiffest, t->impact->contact[c * 2 * m + c]);
  }
  t->v = v;
  t->cap = cap;
  t->n_solutions = 0;
  t->small_speed = sign_tolerance * largest;
  t->small_impulse = sign_tolerance * (cap != NULL ? fmin (largest_cap, largest / stiffest) : largest / stiffest);
  walk (t, 0);
  *solutions = t->solutions;
  return t->n_solutions;
}
