/* engine/impact/ss-impact-bound.c: polytopes of speeds u = J v that grow from mode to mode. */
#include "impact/ss-impact-bound.h"

#include "impact/ss-impact-modes.h"
#include "impact/ss-impact-summary.h"
#include "lcp/ss-least-distance.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = SS_IMPACT_CONTACTS_MAX, ROWS = 2 * CONTACTS + 1 };
/* Of linear programmes; of polytopes of a mode before they are one; of corners and rays of one. LOOK: programmes
 * between two looks at the control. */
enum { PROGRAMMES_MAX = 200000, MODE_PARTS_MAX = 12, GENERATORS_MAX = 500, LOOK = 256 };

/* Distances below this part of the approach are rounding. */
static const double rounding = 1e-10;
/* A polytope that reaches further than another of its mode by less, as a part of the approach, adds nothing. */
static const double negligible = 1e-9;

/* What a contact does. PRESS: of one without friction. */
typedef enum { NONE, STICK, UP, DOWN, PRESS } Mode;

/* Corners (last number 1) and rays (0) of `rows` numbers each, speeds in units of the approach. */
typedef struct {
  int n, capacity;
  double *g;
} Polytope;

typedef struct {
  Mode mode[CONTACTS];
  Polytope polytope;
  bool is_dropped; /* another one holds it */
} Piece;

typedef struct {
  const SsImpact *impact;
  int m, rows; /* 2m + 1 */
  double scale;
  SsRunControl *control;
  int n_pieces, capacity;
  Piece *pieces;
  int n_programmes;
  bool is_ended; /* the budget */
  SsStatus status;
  SsError *err;
} Reach;

/* ---- polytopes --------------------------------------------------------------------------------------------------- */

static void
clear (Polytope *p)
{
  ss_free (p->g);
  *p = (Polytope){0};
}

static bool
is_going_on (const Reach *r)
{
  return r->status == SS_OK && !r->is_ended;
}

static double *
add (Reach *r, Polytope *p)
{
  if (r->status != SS_OK ||
      ss_array_reserve ((void **)&p->g, &p->capacity, p->n + 1, (size_t)r->rows * sizeof *p->g) != 0) {
    if (r->status == SS_OK)
      r->status = ss_error_set (r->err, SS_ERR_MEMORY, "no memory for the bound of an impact");
    return NULL;
  }
  r->is_ended = r->is_ended || p->n >= GENERATORS_MAX;
  return p->g + (size_t)p->n++ * (size_t)r->rows;
}

static void
copy (Reach *r, const Polytope *from, Polytope *to)
{
  to->n = 0;
  for (int k = 0; k < from->n; k++) {
    double *g = add (r, to);
    if (g == NULL)
      return;
    memcpy (g, from->g + (size_t)k * (size_t)r->rows, (size_t)r->rows * sizeof *g);
  }
}

static double
distance (Reach *r, int n_columns, const double *columns, const double *target)
{
  double *u = ss_new_array (double, n_columns + 1), result = 0;
  SsOutcome why;

  if (u == NULL)
    r->status = ss_error_set (r->err, SS_ERR_MEMORY, "no memory for the bound of an impact");
  else if (r->status == SS_OK)
    r->status = ss_distance_to_cone (r->rows, n_columns, columns, target, u, &result, r->err);
  ss_free (u);
  r->n_programmes++;
  r->is_ended = r->is_ended || r->n_programmes > PROGRAMMES_MAX ||
                (r->n_programmes % LOOK == 0 && ss_run_control_should_stop (r->control, &why));
  return result;
}

static void
swap (int n, double *a, double *b)
{
  for (int i = 0; i < n; i++) {
    const double x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
}

/* Drops what the others add up to. */
static void
prune (Reach *r, Polytope *p)
{
  const int rows = r->rows;

  for (int k = p->n - 1; k >= 0 && p->n > 1 && is_going_on (r); k--) {
    double *last = p->g + (size_t)(p->n - 1) * (size_t)rows, *g = p->g + (size_t)k * (size_t)rows;
    swap (rows, g, last);
    if (distance (r, p->n - 1, p->g, last) <= rounding)
      p->n--;
    else
      swap (rows, g, last);
  }
}

static double
value (const Reach *r, const double *row, const double *g)
{
  const double x = ss_dot (r->rows, row, g);

  return fabs (x) <= rounding ? 0 : x;
}

/* To row . g >= 0, or = 0. */
static void
cut (Reach *r, Polytope *p, const double *row, bool is_equal)
{
  const int before = p->n;
  int kept = 0;

  for (int a = 0; a < before; a++)
    for (int b = 0; b < before && is_going_on (r); b++) {
      const double plus = value (r, row, p->g + a * r->rows), minus = -value (r, row, p->g + b * r->rows);
      if (!(plus > 0 && minus > 0))
        continue;
      double *g = add (r, p);
      if (g == NULL)
        return;
      const double *ga = p->g + a * r->rows, *gb = p->g + b * r->rows;
      const bool has_corner = ga[r->rows - 1] > 0 || gb[r->rows - 1] > 0;
      for (int i = 0; i < r->rows; i++)
        g[i] = minus * ga[i] + plus * gb[i];
      const double size = has_corner ? g[r->rows - 1] : ss_norm_2 (r->rows, g);
      if (!(size > 0)) /* opposite rays */
        p->n--;
      for (int i = 0; size > 0 && i < r->rows; i++)
        g[i] /= size;
    }
  for (int k = 0; k < p->n; k++) {
    const double *g = p->g + (size_t)k * (size_t)r->rows, x = k < before ? value (r, row, g) : 0;
    if (x == 0 || (x > 0 && !is_equal))
      memmove (p->g + (size_t)kept++ * (size_t)r->rows, g, (size_t)r->rows * sizeof *g);
  }
  p->n = kept;
  prune (r, p);
}

static bool
has_corner (const Reach *r, const Polytope *p)
{
  for (int k = 0; k < p->n; k++)
    if (p->g[(size_t)k * (size_t)r->rows + (size_t)r->rows - 1] > 0)
      return true;
  return false;
}

/* Whether p lies in q. */
static bool
is_in (Reach *r, const Polytope *p, const Polytope *q)
{
  for (int k = 0; k < p->n && is_going_on (r); k++)
    if (distance (r, q->n, q->g, p->g + (size_t)k * (size_t)r->rows) > negligible)
      return false;
  return true;
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

/* To the speeds of a joint mode; false: there are none [002 (40)]. */
static bool
cut_to_mode (Reach *r, const Mode *mode, Polytope *p)
{
  const int m = r->m;

  for (int c = 0; c < m; c++)
    if (mode[c] == STICK) {
      double row[ROWS] = {0};
      row[m + c] = 1;
      cut (r, p, row, true);
    }
  for (int c = 0; c < m && has_corner (r, p); c++) {
    double row[ROWS] = {0};
    row[c] = mode[c] == NONE ? 1 : -1;
    cut (r, p, row, false);
    if (mode[c] == UP || mode[c] == DOWN) {
      memset (row, 0, sizeof row);
      row[m + c] = mode[c] == UP ? 1 : -1;
      cut (r, p, row, false);
    }
  }
  return has_corner (r, p);
}

/* What an impulse ln = 1 with lt = friction does, as a ray [002 (21)]. */
static void
add_ray (Reach *r, Polytope *p, int contact, double friction)
{
  const int m = r->m;
  double *g = add (r, p);

  if (g == NULL)
    return;
  for (int i = 0; i < 2 * m; i++)
    g[i] = r->impact->contact[contact * 2 * m + i] + friction * r->impact->contact[(m + contact) * 2 * m + i];
  g[2 * m] = 0;
  const double size = ss_norm_2 (2 * m, g);
  if (!(size > 0))
    p->n--;
  for (int i = 0; size > 0 && i < 2 * m; i++)
    g[i] /= size;
}

static void
add_impulses (Reach *r, const Mode *mode, Polytope *p)
{
  for (int c = 0; c < r->m; c++) {
    const double mu = r->impact->mu[c];
    if (mode[c] == STICK || mode[c] == UP)
      add_ray (r, p, c, -mu);
    if (mode[c] == STICK || mode[c] == DOWN)
      add_ray (r, p, c, mu);
    if (mode[c] == PRESS)
      add_ray (r, p, c, 0);
  }
  prune (r, p);
}

/* The next joint mode in which a contact receives an impulse; false after the last. */
static bool
next_mode (const Reach *r, Mode *mode)
{
  for (int c = 0; c < r->m; c++) {
    const bool has_friction = r->impact->mu[c] > 0;
    if (mode[c] == NONE)
      mode[c] = has_friction ? STICK : PRESS;
    else if (mode[c] == STICK || mode[c] == UP)
      mode[c] = (Mode)(mode[c] + 1);
    else
      mode[c] = NONE;
    if (mode[c] != NONE)
      return true;
  }
  return false;
}

/* ---- growth ------------------------------------------------------------------------------------------------------ */

/* Takes the polytope where no other holds it. */
static void
keep (Reach *r, const Mode *mode, Polytope *p)
{
  const size_t size = (size_t)r->m * sizeof *mode;
  int same = 0;

  for (int k = 0; k < r->n_pieces && is_going_on (r); k++) {
    Piece *other = &r->pieces[k];
    if (other->is_dropped || memcmp (other->mode, mode, size) != 0)
      continue;
    if (is_in (r, p, &other->polytope)) {
      clear (p);
      return;
    }
    same++;
  }
  for (int k = 0; k < r->n_pieces && is_going_on (r); k++) {
    Piece *other = &r->pieces[k];
    if (other->is_dropped || memcmp (other->mode, mode, size) != 0)
      continue;
    if (same >= MODE_PARTS_MAX) { /* they become one */
      for (int j = 0; j < other->polytope.n; j++) {
        double *g = add (r, p);
        if (g != NULL)
          memcpy (g, other->polytope.g + (size_t)j * (size_t)r->rows, (size_t)r->rows * sizeof *g);
      }
      other->is_dropped = true;
    } else {
      other->is_dropped = is_in (r, &other->polytope, p);
    }
    if (other->is_dropped)
      clear (&other->polytope);
  }
  if (same >= MODE_PARTS_MAX)
    prune (r, p);
  if (r->status != SS_OK ||
      ss_array_reserve ((void **)&r->pieces, &r->capacity, r->n_pieces + 1, sizeof *r->pieces) != 0) {
    if (r->status == SS_OK)
      r->status = ss_error_set (r->err, SS_ERR_MEMORY, "no memory for the bound of an impact");
    clear (p);
    return;
  }
  Piece *piece = &r->pieces[r->n_pieces++];
  *piece = (Piece){.polytope = *p};
  memcpy (piece->mode, mode, size);
  *p = (Polytope){0};
}

/* Pieces of all modes from every piece, those that are made meanwhile too [002 (86)]. */
static void
grow (Reach *r)
{
  Polytope p = {0};

  for (int k = 0; k < r->n_pieces && is_going_on (r); k++) {
    Mode mode[CONTACTS] = {NONE};
    while (next_mode (r, mode) && is_going_on (r)) {
      if (r->pieces[k].is_dropped || (k > 0 && memcmp (mode, r->pieces[k].mode, (size_t)r->m * sizeof *mode) == 0))
        continue; /* a second step in one mode is one longer step */
      copy (r, &r->pieces[k].polytope, &p);
      add_impulses (r, mode, &p);
      if (cut_to_mode (r, mode, &p) && is_going_on (r))
        keep (r, mode, &p);
    }
  }
  clear (&p);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Where nothing approaches [002 (87)]. */
static void
cut_to_end (Reach *r, Polytope *p)
{
  for (int c = 0; c < r->m && has_corner (r, p); c++) {
    double row[ROWS] = {0};
    row[c] = 1;
    cut (r, p, row, false);
  }
}

/* Ends of all polytopes, each once. */
static void
collect_ends (Reach *r, Polytope *ends, int *n_ends)
{
  for (int k = 0; k < r->n_pieces && is_going_on (r); k++) {
    Polytope p = {0};
    bool is_new;
    if (r->pieces[k].is_dropped)
      continue;
    copy (r, &r->pieces[k].polytope, &p);
    cut_to_end (r, &p);
    is_new = has_corner (r, &p);
    for (int e = 0; e < *n_ends && is_new && is_going_on (r); e++)
      is_new = !is_in (r, &p, &ends[e]);
    for (int e = 0; e < *n_ends && is_new && is_going_on (r); e++)
      if (is_in (r, &ends[e], &p)) {
        clear (&ends[e]);
        ends[e--] = ends[--*n_ends];
      }
    if (is_new)
      ends[(*n_ends)++] = p;
    else
      clear (&p);
  }
}

/* The joint mode of a part, by the largest speeds of its corners. */
static void
name_part (const Reach *r, SsImpactPart *part)
{
  const int m = r->m;

  for (int c = 0; c < m; c++) {
    double vn = 0, vt = 0;
    for (int k = 0; k < part->n_corners; k++) {
      const double *u = part->corners + (size_t)k * 2 * (size_t)m;
      vn = fmax (vn, u[c]);
      vt = fabs (u[m + c]) > fabs (vt) ? u[m + c] : vt;
    }
    part->mode[c] = ss_impact_mode (vn, vt, SS_IMPACT_MODE_TOLERANCE);
  }
}

static void
write_part (Reach *r, const Polytope *end, SsImpactBound *bound)
{
  const int m = r->m;
  SsImpactPart *part = &bound->parts[bound->n_parts];

  part->corners = ss_new_array (double, end->n * 2 * m);
  if (part->corners == NULL) {
    r->status = ss_error_set (r->err, SS_ERR_MEMORY, "no memory for the bound of an impact");
    return;
  }
  bound->n_parts++;
  for (int k = 0; k < end->n; k++) {
    const double *g = end->g + (size_t)k * (size_t)r->rows;
    double *u = part->corners + (size_t)part->n_corners * 2 * (size_t)m;
    if (!(g[2 * m] > 0)) /* a ray that is but rounding: what ends has no more energy than before */
      continue;
    part->n_corners++;
    for (int i = 0; i < 2 * m; i++) {
      u[i] = fabs (g[i]) <= rounding ? 0 : r->scale * g[i];
      bound->outer.low[i] = fmin (bound->outer.low[i], u[i]);
      bound->outer.high[i] = fmax (bound->outer.high[i], u[i]);
    }
  }
  name_part (r, part);
}

static void
bound_by_energy (const SsImpact *impact, SsImpactBound *bound)
{
  const int m = impact->m;
  const double twice = 2 * ss_impact_kinetic_energy (impact, impact->v);

  for (int k = 0; k < bound->n_parts; k++)
    ss_free (bound->parts[k].corners);
  bound->n_parts = 0;
  for (int i = 0; i < 2 * m; i++) {
    bound->outer.high[i] = sqrt (twice * impact->contact[i * 2 * m + i]);
    bound->outer.low[i] = i < m ? 0 : -bound->outer.high[i];
  }
}

/* False: nothing approaches, and nothing happens. */
static bool
start (Reach *r)
{
  Polytope p = {0};
  double u[2 * CONTACTS], *g = add (r, &p);
  bool approaches = false;

  ss_impact_speeds (r->impact, r->impact->v, u);
  for (int i = 0; i < 2 * r->m; i++)
    r->scale = fmax (r->scale, fabs (u[i]));
  for (int i = 0; i < r->m; i++)
    approaches = approaches || u[i] < -SS_IMPACT_STOP;
  r->scale = r->scale > 0 ? r->scale : 1;
  for (int i = 0; g != NULL && i < 2 * r->m; i++)
    g[i] = (!approaches && i < r->m ? fmax (u[i], 0) : u[i]) / r->scale;
  if (g != NULL)
    g[2 * r->m] = 1;
  keep (r, (const Mode[CONTACTS]){NONE}, &p);
  return approaches;
}

static void
answer (Reach *r, SsImpactBound *bound)
{
  Polytope *ends = ss_new_array (Polytope, r->n_pieces + 1);
  int n_ends = 0;

  if (ends == NULL && r->status == SS_OK)
    r->status = ss_error_set (r->err, SS_ERR_MEMORY, "no memory for the bound of an impact");
  if (r->status == SS_OK)
    collect_ends (r, ends, &n_ends);
  bound->parts = r->status == SS_OK ? ss_new_array (SsImpactPart, n_ends + 1) : NULL;
  if (r->status == SS_OK && bound->parts == NULL)
    r->status = ss_error_set (r->err, SS_ERR_MEMORY, "no memory for the bound of an impact");
  for (int i = 0; i < 2 * r->m; i++) {
    bound->outer.low[i] = INFINITY;
    bound->outer.high[i] = -INFINITY;
  }
  bound->is_whole = is_going_on (r);
  for (int e = 0; e < n_ends && is_going_on (r); e++)
    write_part (r, &ends[e], bound);
  if (r->status == SS_OK && !bound->is_whole)
    bound_by_energy (r->impact, bound);
  bound->n_programmes = r->n_programmes;
  for (int e = 0; e < n_ends; e++)
    clear (&ends[e]);
  ss_free (ends);
}

SsStatus
ss_impact_bound_new (const SsImpact *impact, SsRunControl *control, SsImpactBound **out, SsError *err)
{
  SS_ASSERT (impact != NULL && out != NULL);

  Reach r = {
      .impact = impact, .m = impact->m, .rows = 2 * impact->m + 1, .control = control, .status = SS_OK, .err = err};
  SsImpactBound *bound = ss_new (SsImpactBound);

  *out = NULL;
  if (bound == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the bound of an impact");
  bound->m = impact->m;
  if (start (&r))
    grow (&r);
  if (r.status == SS_OK)
    answer (&r, bound);
  for (int k = 0; k < r.n_pieces; k++)
    clear (&r.pieces[k].polytope);
  ss_free (r.pieces);
  if (r.status != SS_OK) {
    ss_impact_bound_free (bound);
    return r.status;
  }
  *out = bound;
  return SS_OK;
}

SsStatus
ss_impact_bound_of_energy (const SsImpact *impact, SsImpactBound **out, SsError *err)
{
  SS_ASSERT (impact != NULL && out != NULL);

  *out = ss_new (SsImpactBound);
  if (*out == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the bound of an impact");
  (*out)->m = impact->m;
  bound_by_energy (impact, *out);
  return SS_OK;
}

void
ss_impact_bound_free (SsImpactBound *bound)
{
  if (bound == NULL)
    return;
  for (int k = 0; k < bound->n_parts; k++)
    ss_free (bound->parts[k].corners);
  ss_free (bound->parts);
  ss_free (bound);
}

int
ss_impact_part_polygon (const SsImpactBound *bound, int part, int x, int y, SsVec2 *polygon)
{
  SS_ASSERT (bound != NULL && part >= 0 && part < bound->n_parts && polygon != NULL);
  SS_ASSERT (x >= 0 && x < 2 * bound->m && y >= 0 && y < 2 * bound->m);

  const SsImpactPart *from = &bound->parts[part];
  SsVec2 *points = ss_new_array (SsVec2, from->n_corners + 1);

  if (points == NULL)
    return 0;
  for (int k = 0; k < from->n_corners; k++) {
    const double *u = from->corners + (size_t)k * 2 * (size_t)bound->m;
    points[k] = (SsVec2){u[x], u[y]};
  }
  const int n = ss_impact_hull (points, from->n_corners, polygon);
  ss_free (points);
  return n;
}

/* ---- inside ------------------------------------------------------------------------------------------------------ */

SsStatus
ss_impact_corner_draws (const SsImpact *impact, const SsImpactSetOptions *options, SsRunControl *control,
                        SsImpactSet **out, SsError *err)
{
  SS_ASSERT (impact != NULL && options != NULL && out != NULL);

  enum { LISTED_MAX = 2, STEPS = 20 };
  SsImpactSetOptions corners = *options;

  corners.draw = SS_IMPACT_DRAW_CORNERS;
  corners.policy = impact->m <= LISTED_MAX ? SS_IMPACT_POLICY_ENUMERATE : options->policy;
  corners.max_steps = options->max_steps > STEPS ? options->max_steps : STEPS;
  corners.n_samples = options->n_samples < SS_IMPACT_INNER_DRAWS ? options->n_samples : SS_IMPACT_INNER_DRAWS;
  corners.first = 0;
  return ss_impact_set_new (impact, &corners, control, out, err);
}

void
ss_impact_extent_widen (const SsImpact *impact, const SsImpactSet *set, SsImpactExtent *extent)
{
  SS_ASSERT (impact != NULL && set != NULL && extent != NULL);

  double u[2 * CONTACTS];

  for (int k = 0; k < set->n_samples; k++) {
    if (set->state[k] != SS_IMPACT_FINISHED)
      continue;
    ss_impact_speeds (impact, set->v + (size_t)k * (size_t)set->n, u);
    for (int i = 0; i < 2 * impact->m; i++) {
      extent->low[i] = fmin (extent->low[i], u[i]); /* of NaN and a number: the number */
      extent->high[i] = fmax (extent->high[i], u[i]);
    }
  }
}
