/* engine/impact/ss-impact-net.c: linear pieces of a step, and the number that follows. */
#include "impact/ss-impact-net.h"

#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = SS_IMPACT_NET_CONTACTS_MAX, ROWS = 2 * CONTACTS, N_MODES = 7 };

/* Pivots below this part of the largest entry are those of singular equations. */
static const double singular = 1e-10;

typedef enum { NONE, STICK, SLIDE_UP, SLIDE_DOWN, CAPPED_STICK, CAPPED_UP, CAPPED_DOWN } Mode;

typedef struct {
  const SsImpact *impact;
  int n, m;
  double *piece; /* n x (n + m), by columns: of v, then of the caps */
} Step;

/* The equations of the impulses l = (ln, lt) of a joint mode: equations l + speeds v = caps c. */
static void
fill_equations (const Step *step, const Mode *mode, double equations[ROWS * ROWS], double *speeds, double *caps)
{
  const SsImpact *impact = step->impact;
  const int n = step->n, m = step->m, size = 2 * m;

  memset (equations, 0, sizeof (double) * (size_t)(size * size));
  memset (speeds, 0, sizeof (double) * (size_t)(size * n));
  memset (caps, 0, sizeof (double) * (size_t)(size * m));
  for (int c = 0; c < m; c++) {
    const bool is_capped = mode[c] >= CAPPED_STICK, sticks = mode[c] == STICK || mode[c] == CAPPED_STICK;
    const bool slides = mode[c] != NONE && !sticks;
    const double mu = impact->mu[c], slope = mode[c] == SLIDE_UP || mode[c] == CAPPED_UP ? mu : -mu;
    if (mode[c] == NONE || is_capped)
      equations[c * size + c] = 1;
    else
      for (int l = 0; l < size; l++)
        equations[l * size + c] = impact->contact[l * size + c];
    for (int i = 0; mode[c] != NONE && !is_capped && i < n; i++)
      speeds[i * size + c] = impact->jn[c * n + i];
    if (is_capped)
      caps[c * size + c] = 1;
    if (!sticks)
      equations[(m + c) * size + m + c] = 1;
    if (slides)
      equations[c * size + m + c] = slope;
    for (int l = 0; sticks && l < size; l++)
      equations[l * size + m + c] = impact->contact[l * size + m + c];
    for (int i = 0; sticks && i < n; i++)
      speeds[i * size + m + c] = impact->jt[c * n + i];
  }
}

/* False: the equations are singular [002 (80)]. */
static bool
fill_piece (Step *step, const Mode *mode)
{
  const SsImpact *impact = step->impact;
  const int n = step->n, m = step->m, size = 2 * m;
  double equations[ROWS * ROWS], speeds[ROWS * SS_IMPACT_COORDINATES_MAX], caps[ROWS * CONTACTS], largest = 0;
  int pivots[ROWS];

  fill_equations (step, mode, equations, speeds, caps);
  for (int k = 0; k < size * size; k++)
    largest = fmax (largest, fabs (equations[k]));
  if (ss_dense_lu (size, equations, size, pivots) != SS_OK)
    return false;
  for (int k = 0; k < size; k++)
    if (!(fabs (equations[k * size + k]) > singular * largest))
      return false;
  for (int column = 0; column < n + m; column++) {
    double impulse[ROWS], *out = step->piece + column * n;
    for (int k = 0; k < size; k++)
      impulse[k] = column < n ? -speeds[column * size + k] : caps[(column - n) * size + k];
    ss_dense_lu_solve (size, equations, size, pivots, impulse);
    for (int i = 0; i < n; i++)
      out[i] = column == i ? 1 : 0;
    for (int k = 0; k < size; k++)
      ss_axpy (n, impulse[k], impact->push + k * n, out);
  }
  return true;
}

/* The largest singular value of the piece, by powers of P P'. */
static double
norm_of (const Step *step)
{
  enum { POWERS = 200 };
  const int n = step->n;
  double x[SS_IMPACT_COORDINATES_MAX], y[SS_IMPACT_COORDINATES_MAX], value = 0;

  for (int i = 0; i < n; i++)
    x[i] = 1 + 0.01 * i; /* no vector but the first by symmetry */
  for (int power = 0; power < POWERS; power++) {
    const double size = ss_norm_2 (n, x);
    if (!(size > 0))
      return value;
    memset (y, 0, (size_t)n * sizeof *y);
    for (int column = 0; column < n + step->m; column++)
      ss_axpy (n, ss_dot (n, step->piece + column * n, x) / size, step->piece + column * n, y);
    const double next = sqrt (ss_norm_2 (n, y));
    memcpy (x, y, (size_t)n * sizeof *x);
    if (fabs (next - value) <= 1e-12 * next)
      return next;
    value = next;
  }
  return value;
}

static bool
next_mode (int m, Mode *mode)
{
  for (int c = 0; c < m; c++) {
    mode[c] = (Mode)((mode[c] + 1) % N_MODES);
    if (mode[c] != NONE)
      return true;
  }
  return false;
}

static SsStatus
find_lipschitz (const SsImpact *impact, double *lipschitz, SsError *err)
{
  Step step = {.impact = impact, .n = impact->n, .m = impact->m};
  Mode mode[CONTACTS] = {NONE};

  step.piece = ss_new_array (double, step.n *(step.n + step.m));
  if (step.piece == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", step.n);
  *lipschitz = 1; /* without impulses */
  while (next_mode (step.m, mode))
    if (fill_piece (&step, mode))
      *lipschitz = fmax (*lipschitz, norm_of (&step));
  ss_free (step.piece);
  return SS_OK;
}

/* [002 (166) (171)]. */
SsStatus
ss_impact_net (const SsImpact *impact, double h, int n_steps, double epsilon, SsImpactNet *net, SsError *err)
{
  SS_ASSERT (impact != NULL && h > 0 && n_steps > 0 && epsilon > 0 && net != NULL);

  SsImpact *reduced = NULL;
  SsStatus status;

  *net = (SsImpactNet){.epsilon = epsilon, .lipschitz = NAN, .log10_samples = NAN};
  if (impact->m > CONTACTS)
    return SS_OK;
  status = ss_impact_reduce (impact, &reduced, err);
  if (status == SS_ERR_INVALID) /* a belt moves */
    return SS_OK;
  if (status == SS_OK)
    status = find_lipschitz (reduced, &net->lipschitz, err);
  ss_impact_free (reduced);
  if (status != SS_OK)
    return status;
  /* log10 of the cells along an edge: beyond what a double counts they are whole numbers anyway */
  const double dimension = (double)n_steps * impact->m;
  const double edge = log10 (3 * h * sqrt (dimension) / epsilon) + n_steps * log10 (net->lipschitz);
  const double cells = dimension * (edge < 15 ? log10 (ceil (pow (10, edge))) : edge); /* -log10 Omega */
  const double chance = cells > 300 ? 0 : pow (10, -cells);
  const double numerator = cells * log (10) - log (1 - SS_IMPACT_NET_PROBABILITY);
  /* ln (1 - Omega) is -Omega where Omega is small */
  net->log10_samples = chance > 1e-12 && chance < 1 ? log10 (numerator / -log1p (-chance)) : log10 (numerator) + cells;
  if (chance >= 1) /* one cell: one sample is in it */
    net->log10_samples = 0;
  return SS_OK;
}
