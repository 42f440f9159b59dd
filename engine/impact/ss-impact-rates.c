/* engine/impact/ss-impact-rates.c: the polygon v(s) [002 Fig 3]. */
#include "impact/ss-impact-rates.h"

#include "impact/ss-impact-set.h"

#include <math.h>
#include <string.h>

/* Of the impulse that the largest speed needs: the trial step, whose modes are those of the corner that it starts from.
 * Round-off of the speeds over it is the error of a direction, so that it is made shorter, down to the second, only
 * where the next corner is nearer. */
static const double trial = 1e-5, shortest = 1e-9;
/* Of the largest speed: 0. */
static const double zero = 1e-11;

typedef struct {
  const SsImpact *impact;
  const SsImpactRates *rates;
  SsImpactStep *step;
  SsImpactPath *path;
  int capacity;
  double h0, h_least, small;                 /* trial step [N s], speed that is 0 [m/s] */
  double u[2 * SS_IMPACT_CONTACTS_MAX];      /* at the last point */
  double per_s[2 * SS_IMPACT_CONTACTS_MAX];  /* impulses per s */
  double change[2 * SS_IMPACT_CONTACTS_MAX]; /* of u per s */
} Walk;

void
ss_impact_path_free (SsImpactPath *path)
{
  if (path == NULL)
    return;
  ss_free (path->s);
  ss_free (path->v);
  ss_free (path->impulse);
  ss_free (path);
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static SsStatus
grow (Walk *w, SsError *err)
{
  SsImpactPath *path = w->path;
  const size_t room = 2 * (size_t)w->capacity + 16;

  if (path->n_points < w->capacity)
    return SS_OK;
  double *s = ss_realloc (path->s, room, sizeof *s);
  path->s = s != NULL ? s : path->s;
  double *v = ss_realloc (path->v, room * (size_t)path->n, sizeof *v);
  path->v = v != NULL ? v : path->v;
  double *impulse = ss_realloc (path->impulse, room * 2 * (size_t)path->m, sizeof *impulse);
  path->impulse = impulse != NULL ? impulse : path->impulse;
  if (s == NULL || v == NULL || impulse == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %zu corners", room);
  w->capacity = (int)room;
  return SS_OK;
}

/* The next point: `length` of s farther, with these impulses. */
static SsStatus
add_point (Walk *w, double length, const double *impulse, SsError *err)
{
  SsImpactPath *path = w->path;
  SsStatus status = grow (w, err);
  const size_t n = (size_t)path->n, m2 = 2 * (size_t)path->m, at = (size_t)path->n_points;

  if (status != SS_OK)
    return status;
  path->s[at] = path->s[at - 1] + length;
  memcpy (path->v + at * n, path->v + (at - 1) * n, n * sizeof *path->v);
  ss_impact_push (w->impact, impulse, path->v + at * n);
  for (size_t k = 0; k < m2; k++)
    path->impulse[at * m2 + k] = path->impulse[(at - 1) * m2 + k] + impulse[k];
  ss_impact_speeds (w->impact, path->v + at * n, w->u);
  path->n_points++;
  return SS_OK;
}

/* ---- one side ---------------------------------------------------------------------------------------------------- */

/* Impulses of a trial step from the last point [002 (36) (39)]. */
static SsStatus
find_direction (Walk *w, const double *rates, double h, SsImpactStepResult *tried, SsError *err)
{
  const int n = w->path->n, m = w->path->m;
  double cap[SS_IMPACT_CONTACTS_MAX], v[SS_IMPACT_COORDINATES_MAX];

  for (int i = 0; i < m; i++)
    cap[i] = h * rates[i];
  memcpy (v, w->path->v + (size_t)(w->path->n_points - 1) * (size_t)n, (size_t)n * sizeof *v);
  ss_impact_step_solve (w->step, &(SsImpactStepJob){.cap = cap}, v, tried);
  if (!tried->is_solved)
    return ss_error_set (err, SS_ERR_SINGULAR, "no direction is found at s = %g N s",
                         w->path->s[w->path->n_points - 1]);
  for (int k = 0; k < 2 * m; k++)
    w->per_s[k] = tried->impulse[k] / h;
  for (int k = 0; k < 2 * m; k++) {
    w->change[k] = 0;
    for (int l = 0; l < 2 * m; l++)
      w->change[k] += w->impact->contact[l * 2 * m + k] * w->per_s[l];
  }
  return SS_OK;
}

/* How far s goes until a speed that matters reaches 0. */
static double
distance_to_corner (const Walk *w)
{
  const int m = w->path->m;
  double least = INFINITY;

  for (int k = 0; k < 2 * m; k++) {
    const bool matters = k < m || w->per_s[k - m] > 0;
    if (matters && fabs (w->u[k]) > w->small && w->u[k] * w->change[k] < 0)
      least = fmin (least, -w->u[k] / w->change[k]);
  }
  return least;
}

/* [002 (28)]. */
static bool
is_at_end (const Walk *w)
{
  for (int i = 0; i < w->path->m; i++)
    if (w->u[i] < -fmax (w->small, SS_IMPACT_STOP))
      return false;
  return true;
}

static SsStatus
walk (Walk *w, int max_corners, SsError *err)
{
  SsImpactPath *path = w->path;
  const SsImpactRates *rates = w->rates;
  SsStatus status = SS_OK;
  int piece = 0;

  for (int corner = 0; status == SS_OK && corner < max_corners && !is_at_end (w); corner++) {
    const double s = path->s[path->n_points - 1];
    SsImpactStepResult tried;
    double side[2 * SS_IMPACT_CONTACTS_MAX];
    while (piece + 1 < rates->n_pieces && s >= rates->until[piece] - w->h_least)
      piece++;
    double h = w->h0, length = 0;
    for (bool is_near = true; status == SS_OK && is_near;) {
      status = find_direction (w, rates->rates + piece * path->m, h, &tried, err);
      length = distance_to_corner (w);
      is_near = length <= h && h > w->h_least;
      h = is_near ? fmax (length / 4, w->h_least) : h;
    }
    if (status != SS_OK)
      break;
    if (piece + 1 < rates->n_pieces)
      length = fmin (length, rates->until[piece] - s);
    if (isinf (length)) { /* rates that leave out a contact that approaches */
      break;
    }
    for (int k = 0; k < 2 * path->m; k++)
      side[k] = w->per_s[k] * length;
    /* nearer than the shortest trial step: the modes change within it, and the step itself is the side */
    if (length <= h && h <= w->h_least)
      memcpy (side, tried.impulse, sizeof side);
    status = add_point (w, length <= h && h <= w->h_least ? h : length, side, err);
  }
  path->is_finished = is_at_end (w);
  return status;
}

/* ---- door -------------------------------------------------------------------------------------------------------- */

static SsStatus
check (const SsImpact *impact, const SsImpactRates *rates, SsError *err)
{
  for (int p = 0; p < rates->n_pieces; p++) {
    double sum = 0;
    for (int i = 0; i < impact->m; i++) {
      const double rate = rates->rates[p * impact->m + i];
      if (!(rate >= 0))
        return ss_error_set (err, SS_ERR_ARG, "rates are not negative");
      sum += rate;
    }
    if (!(fabs (sum - 1) <= 1e-9))
      return ss_error_set (err, SS_ERR_ARG, "the sum of the rates is %g, not 1", sum);
    if (p > 0 && !(rates->until[p - 1] < rates->until[p] || p + 1 == rates->n_pieces))
      return ss_error_set (err, SS_ERR_ARG, "piece %d ends no later than the one before it", p + 1);
  }
  return SS_OK;
}

SsStatus
ss_impact_path_new (const SsImpact *impact, const SsImpactRates *rates, int max_corners, SsImpactPath **out,
                    SsError *err)
{
  SS_ASSERT (impact != NULL && rates != NULL && out != NULL && rates->n_pieces > 0 && max_corners > 0);

  Walk w = {.impact = impact, .rates = rates};
  double fastest = 0, largest = 0;
  SsStatus status = check (impact, rates, err);

  *out = NULL;
  if (status != SS_OK)
    return status;
  w.path = ss_new (SsImpactPath);
  if (w.path == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a path");
  w.path->n = impact->n;
  w.path->m = impact->m;
  status = ss_impact_step_new (impact, SS_IMPACT_ROWS_SCALED, &w.step, err);
  if (status == SS_OK)
    status = grow (&w, err);
  if (status == SS_OK) {
    w.path->s[0] = 0;
    memcpy (w.path->v, impact->v, (size_t)impact->n * sizeof *w.path->v);
    memset (w.path->impulse, 0, 2 * (size_t)impact->m * sizeof *w.path->impulse);
    w.path->n_points = 1;
    ss_impact_speeds (impact, impact->v, w.u);
    for (int k = 0; k < 2 * impact->m; k++) {
      fastest = fmax (fastest, fabs (w.u[k]));
      largest = fmax (largest, impact->contact[k * 2 * impact->m + k]);
    }
    w.small = zero * fastest;
    w.h0 = largest > 0 ? trial * fastest / largest : 1;
    w.h_least = w.h0 * (shortest / trial);
    status = walk (&w, max_corners, err);
  }
  ss_impact_step_free (w.step);
  if (status == SS_OK)
    *out = w.path;
  else
    ss_impact_path_free (w.path);
  return status;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* A number up to `end`, which is cut off. */
static bool
take_number (const char *from, const char *end, double *value)
{
  char text[64];
  const size_t length = (size_t)(end - from);

  if (length == 0 || length >= sizeof text)
    return false;
  memcpy (text, from, length);
  text[length] = '\0';
  return ss_parse_double (text, value);
}

/* [002 (37)]. */
SsStatus
ss_impact_rates_parse (const char *text, int m, double *until, double *values, SsImpactRates *rates, SsError *err)
{
  SS_ASSERT (text != NULL && until != NULL && values != NULL && rates != NULL && m > 0);

  *rates = (SsImpactRates){.until = until, .rates = values};
  for (const char *piece = text; piece != NULL && rates->n_pieces < SS_IMPACT_PIECES_MAX; rates->n_pieces++) {
    const char *end = piece + strcspn (piece, ";"), *colon = memchr (piece, ':', (size_t)(end - piece));
    const char *at = colon != NULL ? colon + 1 : piece;
    double *row = values + rates->n_pieces * m, sum = 0;
    until[rates->n_pieces] = INFINITY;
    if (colon != NULL && !take_number (piece, colon, &until[rates->n_pieces]))
      return ss_error_set (err, SS_ERR_ARG, "the number before ':' is the s up to which the rates hold");
    for (int i = 0; i < m; i++) {
      const char *stop = at < end ? at + strcspn (at, ",;") : end;
      if (!take_number (at, stop, &row[i]) || row[i] < 0 || (i + 1 < m) != (stop < end))
        return ss_error_set (err, SS_ERR_ARG,
                             "rates are %d numbers that are not negative, one for each contact, "
                             "separated by commas",
                             m);
      sum += row[i];
      at = stop + 1;
    }
    for (int i = 0; i < m; i++)
      row[i] /= sum;
    piece = *end == ';' ? end + 1 : NULL;
  }
  return SS_OK;
}
