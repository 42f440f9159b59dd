/* engine/fit/ss-fit-start.c: where a fit begins: starts of bodies from the first measured rows, and numbers of the
 * scene spread over where they are looked for (J. H. Halton, Numer. Math. 2 (1960)). */
#include "fit/ss-fit-model.h"

#include <math.h>
#include <string.h>

enum { FIRST_ROWS = 10 };

/* Least squares of a parabola through (t, y), at t = 0: value and slope. false where the points do not tell. */
static bool
fit_parabola (const double *t, const double *y, int n, double *value, double *slope)
{
  double a[3][4] = {{0}};

  for (int i = 0; i < n; i++)
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++)
        a[r][c] += pow (t[i], r + c);
      a[r][3] += pow (t[i], r) * y[i];
    }
  for (int p = 0; p < 3; p++) {
    if (!(fabs (a[p][p]) > 1e-14))
      return false;
    for (int r = 0; r < 3; r++)
      for (int c = 3; r != p && c >= p; c--)
        a[r][c] -= a[r][p] / a[p][p] * a[p][c];
  }
  *value = a[0][3] / a[0][0];
  *slope = a[1][3] / a[1][1];
  return isfinite (*value) && isfinite (*slope);
}

/* A start of a trial by its first rows; `fallback` where they do not tell. */
static double
start_of (const SsFitModel *model, const SsFitUnknown *u, double fallback)
{
  double t[FIRST_ROWS], y[FIRST_ROWS], value, slope;
  const int coordinate = u->coordinate % 3;
  int n = 0;

  for (int i = model->first[u->trial]; i < model->first[u->trial + 1] && n < FIRST_ROWS; i++)
    if (model->cells[i].body == u->body && model->cells[i].coordinate == coordinate) {
      t[n] = model->cells[i].t;
      y[n++] = model->measured[i];
    }
  /* The first row may lie far from 0, where a parabola means nothing. */
  if (n < 4 || t[0] > 2 * (t[n - 1] - t[0]) || !fit_parabola (t, y, n, &value, &slope))
    return fallback;
  value = u->coordinate < 3 ? value : slope;
  return fmin (fmax (value, u->lower), u->upper);
}

/* The i-th number of Halton's sequence in that base. */
static double
halton (int i, int base)
{
  double f = 1, sum = 0;

  for (; i > 0; i /= base) {
    f /= base;
    sum += f * (i % base);
  }
  return sum;
}

int
ss_fit_starts (const SsFitModel *model, int most, double *starts)
{
  SS_ASSERT (model != NULL);
  static const int bases[] = {2, 3, 5, 7, 11, 13, 17, 19};
  const int n = model->n_unknowns, n_bases = (int)(sizeof bases / sizeof *bases);
  int n_spread = 0, n_starts = 0;

  for (int k = 0; k < n; k++)
    n_spread += model->unknowns[k].trial < 0;
  for (; n_starts < most && (n_starts < 2 || n_spread > 0); n_starts++) {
    double *start = &starts[(size_t)n_starts * (size_t)n];
    for (int k = 0, spread = 0; k < n; k++) {
      const SsFitUnknown *u = &model->unknowns[k];
      start[k] = u->start;
      if (u->kind == SS_UNKNOWN_START && n_starts != 1) /* the second is all as the scenario has it */
        start[k] = start_of (model, u, u->start);
      if (u->trial < 0 && n_starts > 1 && spread < n_bases)
        start[k] = u->from + (u->to - u->from) * halton (n_starts - 1, bases[spread++]);
    }
  }
  return n_starts;
}
