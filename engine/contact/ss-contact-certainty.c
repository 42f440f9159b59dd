/* engine/contact/ss-contact-certainty.c: see the header. */
#include "contact/ss-contact-certainty-private.h"

#include "contact/ss-contact-modes.h"
#include "core/ss-forest.h"
#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

/* Islands with more rows have no dense matrix; with more normals and tangents their modes are not gone through. */
enum { DENSE_ROWS = 96, MODES_ROWS = 20 };
/* Linear programmes an island at most. */
enum { PROGRAMMES = 400 };
/* Projections that look for a velocity that is inside at all points, and rounds of leaving points out. */
enum { PROJECTIONS = 300, ROUNDS = 3 };
/* Of the island's fastest row: how far inside, and by how much a point must be out of reach. */
static const double inside = 1e-9;
/* Of a row's mobility alone: what joints leave of it, below which they hold it; tangents of one line. */
static const double held = 1e-9, one_line = 1e-12;

struct SsCertaintyWork {
  int n_bodies;
  int *parent, *island_of_root; /* n_bodies */
  double *w, *other, *kept_v;   /* 3 n_bodies each */
  int points_capacity, rows_capacity;
  bool *is_out;                                    /* points that no solution reaches */
  int *order, *row_order, *of_point, *of_row;      /* by islands; island of each */
  double *pn, *pt, *second_pn, *second_pt, *spare; /* points */
  double *p, *second_p;                            /* rows */
  SsModes *modes;
  SsModesProblem dense;
  double *block; /* of the dense problem */
  int *tangent;  /* of it: a point's, -1 */
  int n_islands, islands_capacity;
  SsIsland *islands;
};

typedef struct SsCertaintyWork Work;

/* A row of the dense problem. */
typedef struct {
  const int *body;
  const double *j;
  double c, compliance;
} Line;

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static void
free_work (Work *w)
{
  if (w == NULL)
    return;
  ss_free (w->parent);
  ss_free (w->island_of_root);
  ss_free (w->w);
  ss_free (w->is_out);
  ss_free (w->order);
  ss_free (w->row_order);
  ss_free (w->pn);
  ss_free (w->p);
  ss_free (w->block);
  ss_free (w->tangent);
  ss_free (w->islands);
  ss_modes_free (w->modes);
  ss_free (w);
}

SsStatus
ss_contact_certainty_new (const SsScene *scene, SsContactCertainty **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);
  SsContactCertainty *s = ss_new (SsContactCertainty);
  Work *w = ss_new (Work);
  const size_t n = (size_t)scene->n_bodies + 1, rows = DENSE_ROWS;
  SsStatus status = SS_OK;
  *out = NULL;
  if (s != NULL && w != NULL) {
    s->work = w;
    w->n_bodies = scene->n_bodies;
    w->parent = ss_new_array (int, n);
    w->island_of_root = ss_new_array (int, n);
    w->w = ss_new_array (double, 9 * n);
    w->block = ss_new_array (double, 3 * rows * rows + 8 * rows);
    w->tangent = ss_new_array (int, rows);
    status = ss_modes_new (&w->modes, err);
  } else {
    ss_free (w);
    w = NULL;
  }
  if (status != SS_OK || w == NULL || w->parent == NULL || w->island_of_root == NULL || w->w == NULL ||
      w->block == NULL || w->tangent == NULL) {
    ss_contact_certainty_free (s);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to look for second solutions of steps");
  }
  w->other = w->w + 3 * n;
  w->kept_v = w->other + 3 * n;
  *out = s;
  return SS_OK;
}

void
ss_contact_certainty_free (SsContactCertainty *s)
{
  if (s == NULL)
    return;
  free_work (s->work);
  ss_free (s->looks);
  ss_free (s);
}

void
ss_contact_certainty_begin (SsContactCertainty *s, const long *take_second, int n)
{
  SS_ASSERT (s != NULL && n >= 0 && (n == 0 || take_second != NULL));

  s->take_second = take_second;
  s->n_take_second = n;
  s->n_looks = 0;
  s->n_solves = 0;
  s->second = (SsSecondSolution){0};
}

static SsStatus
reserve (Work *w, const SsContactProblem *problem, SsError *err)
{
  if (problem->n_points > w->points_capacity || w->order == NULL) {
    const size_t n = (size_t)problem->n_points + (size_t)problem->n_points / 2 + 16;
    ss_free (w->is_out);
    ss_free (w->order);
    ss_free (w->pn);
    w->is_out = ss_new_array (bool, n);
    w->order = ss_new_array (int, 2 * n);
    w->pn = ss_new_array (double, 5 * n);
    w->points_capacity = 0;
    if (w->is_out == NULL || w->order == NULL || w->pn == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory to look at %d contact points", problem->n_points);
    w->points_capacity = (int)n;
    w->of_point = w->order + n;
    w->pt = w->pn + n;
    w->second_pn = w->pt + n;
    w->second_pt = w->second_pn + n;
    w->spare = w->second_pt + n;
  }
  if (problem->n_rows > w->rows_capacity || w->row_order == NULL) {
    const size_t n = (size_t)problem->n_rows + (size_t)problem->n_rows / 2 + 16;
    ss_free (w->row_order);
    ss_free (w->p);
    w->row_order = ss_new_array (int, 2 * n);
    w->p = ss_new_array (double, 2 * n);
    w->rows_capacity = 0;
    if (w->row_order == NULL || w->p == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory to look at %d rows of joints", problem->n_rows);
    w->rows_capacity = (int)n;
    w->of_row = w->row_order + n;
    w->second_p = w->p + n;
  }
  return SS_OK;
}

/* ---- islands ----------------------------------------------------------------------------------------------------- */

static int
island_of (Work *w, const SsContactProblem *problem, const int body[2])
{
  for (int side = 0; side < 2; side++)
    if (body[side] >= 0 && problem->moves[body[side]]) {
      int *island = &w->island_of_root[ss_root_of (w->parent, body[side])];
      if (*island < 0)
        *island = w->n_islands++;
      return *island;
    }
  return -1;
}

static int
sort (int n, const int *island, int which, int *order, int from)
{
  int k = from;
  for (int i = 0; i < n; i++)
    if (island[i] == which)
      order[k++] = i;
  return k;
}

/* Fastest row of the island without impulses. */
static double
scale_of (const SsContactProblem *problem, const SsIsland *island, const double *v_free)
{
  double scale = 0;
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    if (ss_island_has_normal (p))
      scale = fmax (scale, fmax (fabs (ss_contact_point_normal_velocity (p, v_free)), -p->bias));
    if (p->mu > 0)
      scale = fmax (scale, fabs (ss_contact_point_slip (p, v_free) + p->bias_t));
  }
  return scale;
}

static SsStatus
find_islands (Work *w, const SsContactProblem *problem, const double *v_free, SsError *err)
{
  w->n_islands = 0;
  for (int i = 0; i < w->n_bodies; i++) {
    w->parent[i] = i;
    w->island_of_root[i] = -1;
  }
  for (int i = 0; i < problem->n_points; i++)
    if (!w->is_out[i])
      ss_contact_unite (problem, w->parent, problem->points[i].body);
  for (int i = 0; i < problem->n_rows; i++)
    ss_contact_unite (problem, w->parent, problem->rows[i].row.body);
  for (int i = 0; i < problem->n_points; i++)
    w->of_point[i] = w->is_out[i] ? -1 : island_of (w, problem, problem->points[i].body);
  for (int i = 0; i < problem->n_rows; i++)
    w->of_row[i] = island_of (w, problem, problem->rows[i].row.body);
  if (ss_array_reserve ((void **)&w->islands, &w->islands_capacity, w->n_islands + 1, sizeof *w->islands) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d islands", w->n_islands);
  for (int k = 0, point = 0, row = 0; k < w->n_islands; k++) {
    SsIsland *island = &w->islands[k];
    *island = (SsIsland){.points = w->order + point, .rows = w->row_order + row};
    const int points_end = sort (problem->n_points, w->of_point, k, w->order, point);
    const int rows_end = sort (problem->n_rows, w->of_row, k, w->row_order, row);
    island->n_points = points_end - point;
    island->n_rows = rows_end - row;
    island->scale = scale_of (problem, island, v_free);
    point = points_end;
    row = rows_end;
  }
  return SS_OK;
}

/* ---- out of reach ------------------------------------------------------------------------------------------------ */

static double
normal_at (const SsContactPoint *p, const double *v)
{
  return ss_contact_point_normal_velocity (p, v) + p->bias;
}

static double
room_at (const SsContactPoint *p, const double *v)
{
  return normal_at (p, v) - p->mu * fabs (ss_contact_point_slip (p, v) + p->bias_t);
}

/* w from v_free by projections; false: it is not inside. */
static bool
go_inside (const SsContactProblem *problem, const SsIsland *island, double *w)
{
  bool is_inside = false;
  for (int k = 0; k < PROJECTIONS && !is_inside; k++) {
    is_inside = true;
    for (int i = 0; i < island->n_points; i++) {
      const SsContactPoint *p = &problem->points[island->points[i]];
      const double lacks = inside * island->scale - room_at (p, w);
      if (!(lacks > 0))
        continue;
      SsContactPoint edge = *p;
      const double side = ss_contact_point_slip (p, w) + p->bias_t > 0 ? -p->mu : p->mu;
      for (int l = 0; l < 6; l++)
        edge.jn[l] += side * p->jt[l];
      const double square = ss_contact_coupling (problem, p->body, edge.jn, p->body, edge.jn);
      if (!(square > 0))
        return false;
      edge.pn = (lacks + inside * island->scale) / square;
      edge.pt = 0;
      ss_contact_problem_push (problem, &edge, w);
      is_inside = false;
    }
  }
  return is_inside;
}

/* Points that the ball about (v_free + w)/2 keeps away from all solutions. Returns how many are new. */
static int
leave_out (Work *work, const SsContactProblem *problem, const SsIsland *island, const double *v_free)
{
  int n = 0;
  double square = 0;
  if (island->n_rows > 0 || !(island->scale > 0))
    return 0;
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    if (p->drive != SS_DRIVE_NONE || p->pn_least > 0)
      return 0;
  }
  memcpy (work->w, v_free, 3 * (size_t)work->n_bodies * sizeof *v_free);
  if (!go_inside (problem, island, work->w))
    return 0;
  for (int i = 0; i < 3 * work->n_bodies; i++) { /* bodies of other islands have not moved */
    const double d = work->w[i] - v_free[i];
    square += problem->inverse_mass[i] > 0 ? d * d / problem->inverse_mass[i] : 0;
    work->w[i] -= d / 2;
  }
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    const double reach = sqrt (square * ss_contact_coupling (problem, p->body, p->jn, p->body, p->jn)) / 2;
    if (normal_at (p, work->w) - reach > inside * island->scale) {
      work->is_out[island->points[i]] = true;
      n++;
    }
  }
  return n;
}

/* ---- the dense problem ------------------------------------------------------------------------------------------- */

static bool
is_one_line (const SsContactPoint *a, const SsContactPoint *b)
{
  if (a->drive != SS_DRIVE_NONE || b->drive != SS_DRIVE_NONE || a->body[0] != b->body[0] || a->body[1] != b->body[1] ||
      a->compliance_t > 0 || b->compliance_t > 0)
    return false;
  double off = fabs (a->bias_t - b->bias_t), size = 0;
  for (int k = 0; k < 6; k++) {
    off = fmax (off, fabs (a->jt[k] - b->jt[k]));
    size = fmax (size, fabs (a->jt[k]));
  }
  return off <= one_line * size;
}

/* Normals, then tangents, then joint rows of an island; which tangent each point has goes into work->tangent. False:
 * there are too many. */
static bool
list_lines (Work *work, const SsContactProblem *problem, const SsIsland *island, const double *v_free, Line *lines,
            int *n_lines)
{
  SsModesProblem *dense = &work->dense;
  int n = 0;
  dense->n = dense->t = 0;
  if (island->n_points > DENSE_ROWS || island->n_points + island->n_rows > DENSE_ROWS)
    return false;
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    if (ss_island_has_normal (p))
      lines[n++] = (Line){p->body, p->jn, normal_at (p, v_free), p->compliance};
  }
  dense->n = n;
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    work->tangent[i] = -1;
    for (int k = 0; k < i && p->mu > 0 && work->tangent[i] < 0; k++)
      if (work->tangent[k] >= 0 && is_one_line (&problem->points[island->points[k]], p))
        work->tangent[i] = work->tangent[k];
    if (!(p->mu > 0) || work->tangent[i] >= 0)
      continue;
    if (n + island->n_rows >= DENSE_ROWS)
      return false;
    work->tangent[i] = dense->t++;
    lines[n++] = (Line){p->body, p->jt, ss_contact_point_slip (p, v_free) + p->bias_t, p->compliance_t};
  }
  for (int i = 0; i < island->n_rows; i++) {
    const SsJointConstraint *c = &problem->rows[island->rows[i]];
    lines[n++] = (Line){c->row.body, c->row.j, ss_row_velocity (&c->row, v_free) + c->bias, c->compliance};
  }
  *n_lines = n;
  return true;
}

/* Bounds of the tangents, and what least impulses do to c. */
static void
fill_bounds (Work *work, const SsContactProblem *problem, const SsIsland *island, const double *full, int n_lines)
{
  SsModesProblem *dense = &work->dense;
  memset (dense->B, 0, (size_t)dense->n * (size_t)dense->t * sizeof *dense->B);
  memset (dense->beta, 0, (size_t)dense->t * sizeof *dense->beta);
  for (int i = 0, normal = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    const int tangent = work->tangent[i];
    const bool has_normal = ss_island_has_normal (p);
    if (tangent >= 0 && p->drive != SS_DRIVE_ROLLING) {
      dense->beta[tangent] += p->mu * p->pn_least;
      if (has_normal)
        dense->B[tangent + normal * dense->t] += p->mu;
    }
    if (p->drive == SS_DRIVE_ROLLING) {
      int owner = 0;
      for (int k = 0; island->points[k] != p->owner; k++)
        owner += ss_island_has_normal (&problem->points[island->points[k]]);
      dense->beta[tangent] += p->mu * problem->points[p->owner].pn_least;
      dense->B[tangent + owner * dense->t] += p->mu;
    }
    for (int k = 0; k < n_lines && has_normal && p->pn_least > 0; k++)
      dense->c[k] += full[(size_t)k + (size_t)normal * (size_t)n_lines] * p->pn_least;
    normal += has_normal;
  }
}

/* Joint rows out of the dense problem: Schur's complement by Cholesky. False: they are not independent. `full` is
 * n_lines x n_lines, its last part the joints'. */
static bool
eliminate_joints (const SsModesProblem *dense, int n_lines, double *full, double *c)
{
  const int m = dense->n + dense->t;
  const size_t lda = (size_t)n_lines;
  for (int k = n_lines - 1; k >= m; k--) { /* one row after the other, from the last */
    const double pivot = full[(size_t)k * (lda + 1)];
    double alone = 0;
    for (int i = 0; i < n_lines; i++)
      alone = fmax (alone, fabs (full[(size_t)i * (lda + 1)]));
    if (!(pivot > held * alone))
      return false;
    for (int i = 0; i < k; i++) {
      const double x = full[(size_t)i + (size_t)k * lda] / pivot;
      c[i] -= x * c[k];
      for (int j = 0; j < k && x != 0; j++)
        full[(size_t)i + (size_t)j * lda] -= x * full[(size_t)k + (size_t)j * lda];
    }
  }
  return true;
}

/* What is kept of it to come back from scaled impulses. */
typedef struct {
  double *mobility, size; /* of the lines; a scaled impulse is p sqrt (mobility) / size */
  double *u, *apart, *answer;
} Scaling;

/* The island's problem with a diagonal of ones and c of about 1. False: it is too large, or joints hold some of it. */
static bool
make_dense (Work *work, const SsContactProblem *problem, const SsIsland *island, const double *v_free, const double *v,
            double apart, Scaling *scaling)
{
  Line lines[DENSE_ROWS + 1];
  int n_lines;
  SsModesProblem *dense = &work->dense;
  const size_t rows = DENSE_ROWS;
  double *full = work->block;
  dense->W = full + rows * rows;
  dense->B = dense->W + rows * rows;
  dense->c = dense->B + rows * rows;
  dense->beta = dense->c + rows;
  scaling->mobility = dense->beta + rows;
  scaling->u = scaling->mobility + rows;
  scaling->apart = scaling->u + rows;
  scaling->answer = scaling->apart + rows;
  if (!list_lines (work, problem, island, v_free, lines, &n_lines))
    return false;
  const int n = dense->n, m = n + dense->t;
  const size_t lda = (size_t)n_lines;
  for (int i = 0; i < n_lines; i++) {
    dense->c[i] = lines[i].c;
    for (int j = 0; j < n_lines; j++)
      full[(size_t)i + (size_t)j * lda] =
          ss_contact_coupling (problem, lines[i].body, lines[i].j, lines[j].body, lines[j].j) +
          (i == j ? lines[i].compliance : 0);
    scaling->mobility[i] = full[(size_t)i * (lda + 1)];
  }
  fill_bounds (work, problem, island, full, n_lines);
  if (!eliminate_joints (dense, n_lines, full, dense->c))
    return false;
  double size = 0;
  for (int i = 0; i < m; i++) {
    const double left = full[(size_t)i * (lda + 1)];
    if (!(left > held * scaling->mobility[i]))
      return false;
    scaling->mobility[i] = left;
    size = fmax (size, fmax (i < n ? -dense->c[i] : fabs (dense->c[i]), apart) / sqrt (left));
  }
  scaling->size = size;
  for (int i = 0; i < m; i++) {
    const double of_row = 1 / sqrt (scaling->mobility[i]);
    for (int j = 0; j < m; j++)
      dense->W[(size_t)i + (size_t)j * (size_t)m] =
          full[(size_t)i + (size_t)j * lda] * of_row / sqrt (scaling->mobility[j]);
    dense->c[i] *= of_row / size;
    scaling->apart[i] = apart * of_row / size;
  }
  for (int j = 0; j < dense->t; j++) {
    const double of_row = sqrt (scaling->mobility[n + j]);
    dense->beta[j] *= of_row / size;
    for (int i = 0; i < n; i++)
      dense->B[j + i * dense->t] *= of_row / sqrt (scaling->mobility[i]);
  }
  for (int i = 0, normal = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    if (ss_island_has_normal (p)) {
      scaling->u[normal] = (normal_at (p, v) + p->compliance * p->pn) / sqrt (scaling->mobility[normal]) / size;
      normal++;
    }
    if (work->tangent[i] >= 0) {
      const int row = n + work->tangent[i];
      scaling->u[row] =
          (ss_contact_point_slip (p, v) + p->bias_t + p->compliance_t * p->pt) / sqrt (scaling->mobility[row]) / size;
    }
  }
  return true;
}

/* Impulses of points and rows from the scaled ones; tangents of one line share by their bounds. */
static bool
take_answer (Work *work, SsContactProblem *problem, const SsIsland *island, const Scaling *scaling,
             const double *v_free, double *v)
{
  const SsModesProblem *dense = &work->dense;
  double *bound = work->spare;
  memset (bound, 0, (size_t)dense->t * sizeof *bound);
  for (int i = 0, normal = 0; i < island->n_points; i++) {
    SsContactPoint *p = &problem->points[island->points[i]];
    if (ss_island_has_normal (p)) {
      p->pn = p->pn_least + scaling->answer[normal] / sqrt (scaling->mobility[normal]) * scaling->size;
      normal++;
    }
  }
  for (int i = 0; i < island->n_points; i++)
    if (work->tangent[i] >= 0)
      bound[work->tangent[i]] += ss_island_bound (problem, &problem->points[island->points[i]]);
  for (int i = 0; i < island->n_points; i++) {
    SsContactPoint *p = &problem->points[island->points[i]];
    const int tangent = work->tangent[i], row = dense->n + tangent;
    p->pt = 0;
    if (tangent >= 0 && bound[tangent] > 0)
      p->pt = scaling->answer[row] / sqrt (scaling->mobility[row]) * scaling->size * ss_island_bound (problem, p) /
              bound[tangent];
  }
  for (int i = 0; i < island->n_rows; i++)
    problem->rows[island->rows[i]].p = 0;
  ss_island_velocities (problem, island, v_free, v);
  if (island->n_rows == 0)
    return true;
  /* the joints' answer: W_bb p = - (Gb v + bias), with the Cholesky factor of W_bb */
  const int r = island->n_rows;
  double *full = work->block, *rhs = scaling->answer;
  for (int i = 0; i < r; i++) {
    const SsJointConstraint *a = &problem->rows[island->rows[i]];
    rhs[i] = -(ss_row_velocity (&a->row, v) + a->bias);
    for (int j = 0; j < r; j++) {
      const SsJointConstraint *b = &problem->rows[island->rows[j]];
      full[i + j * r] =
          ss_contact_coupling (problem, a->row.body, a->row.j, b->row.body, b->row.j) + (i == j ? a->compliance : 0);
    }
  }
  if (ss_dense_cholesky (r, full, r) != SS_OK)
    return false;
  ss_dense_cholesky_solve (r, full, r, rhs);
  for (int i = 0; i < r; i++)
    problem->rows[island->rows[i]].p = rhs[i];
  ss_island_velocities (problem, island, v_free, v);
  return true;
}

/* ---- one island -------------------------------------------------------------------------------------------------- */

static void
keep_impulses (const SsContactProblem *problem, const SsIsland *island, double *pn, double *pt, double *p)
{
  for (int i = 0; i < island->n_points; i++) {
    pn[island->points[i]] = problem->points[island->points[i]].pn;
    pt[island->points[i]] = problem->points[island->points[i]].pt;
  }
  for (int i = 0; i < island->n_rows; i++)
    p[island->rows[i]] = problem->rows[island->rows[i]].p;
}

static void
put_impulses (SsContactProblem *problem, const SsIsland *island, const double *pn, const double *pt, const double *p)
{
  for (int i = 0; i < island->n_points; i++) {
    problem->points[island->points[i]].pn = pn[island->points[i]];
    problem->points[island->points[i]].pt = pt[island->points[i]];
  }
  for (int i = 0; i < island->n_rows; i++)
    problem->rows[island->rows[i]].p = p[island->rows[i]];
}

/* Whether the impulses that the problem has now, with velocities work->other, are a second solution; they are kept. */
static bool
is_second (Work *work, const SsContactProblem *problem, const SsIsland *island, const double *v, double apart)
{
  const bool is = ss_island_residual (problem, island, work->other) <= SS_CERTAINTY_RESIDUAL &&
                  ss_island_apart (problem, island, work->other, v) > apart;
  if (is)
    keep_impulses (problem, island, work->second_pn, work->second_pt, work->second_p);
  return is;
}

static bool
has_friction (const SsContactProblem *problem, const SsIsland *island)
{
  for (int i = 0; i < island->n_points; i++) {
    const SsContactPoint *p = &problem->points[island->points[i]];
    if (p->mu > 0 && (ss_island_has_normal (p) || p->drive == SS_DRIVE_ROLLING))
      return true;
  }
  return false;
}

/* Where it is several, the second solution is in work->second_pn, _pt, _p and work->other. */
static SsStatus
decide (Work *work, SsContactProblem *problem, const SsIsland *island, const double *v_free, const double *v,
        SsCertainty *certainty, SsError *err)
{
  const double apart = fmax (SS_CERTAINTY_APART, SS_CERTAINTY_PART * island->scale);
  Scaling scaling;
  bool is = !has_friction (problem, island), goes_on = true;
  SsModesAnswer answer = SS_MODES_OPEN;
  SsStatus status = SS_OK;
  *certainty = is ? SS_CERTAINTY_UNIQUE : SS_CERTAINTY_UNDECIDED;
  if (is || ss_island_residual (problem, island, v) > SS_CERTAINTY_RESIDUAL)
    return SS_OK;
  keep_impulses (problem, island, work->pn, work->pt, work->p);
  memcpy (work->other, v, 3 * (size_t)work->n_bodies * sizeof *v);
  const bool is_dense = make_dense (work, problem, island, v_free, v, apart, &scaling);
  if (is_dense) {
    status = ss_modes_certify (work->modes, &work->dense, &is, err);
    if (status == SS_OK && !is && work->dense.n + work->dense.t <= MODES_ROWS)
      status = ss_modes_enumerate (work->modes, &work->dense, scaling.u, scaling.apart, PROGRAMMES, &answer,
                                   scaling.answer, err);
    is = is || (status == SS_OK && answer == SS_MODES_UNIQUE);
    if (status == SS_OK && answer == SS_MODES_SEVERAL &&
        take_answer (work, problem, island, &scaling, v_free, work->other) &&
        is_second (work, problem, island, v, apart))
      *certainty = SS_CERTAINTY_SEVERAL;
  } else {
    status = ss_island_is_supported (problem, island, v_free, work->other, work->spare, &is, err);
  }
  if (is)
    *certainty = SS_CERTAINTY_UNIQUE;
  for (int attempt = 0; status == SS_OK && goes_on && *certainty == SS_CERTAINTY_UNDECIDED; attempt++) {
    put_impulses (problem, island, work->pn, work->pt, work->p);
    status = ss_island_search (problem, island, attempt, v_free, work->other, &goes_on, err);
    if (status == SS_OK && goes_on && is_second (work, problem, island, v, apart))
      *certainty = SS_CERTAINTY_SEVERAL;
  }
  put_impulses (problem, island, work->pn, work->pt, work->p);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
describe (const Work *work, const SsContactProblem *problem, const SsIsland *island, double t, const double *v,
          SsSecondSolution *out)
{
  *out = (SsSecondSolution){.is_there = true, .t = t, .apart = ss_island_apart (problem, island, work->other, v)};
  for (int i = 0; i < island->n_points; i++) {
    const int k = island->points[i], contact = problem->points[k].contact;
    bool is_new = contact >= 0 && (problem->points[k].pn > 0 || work->second_pn[k] > 0);
    for (int l = 0; l < out->n_contacts; l++)
      is_new = is_new && out->contacts[l] != contact;
    if (is_new && out->n_contacts < SS_SECOND_MAX)
      out->contacts[out->n_contacts++] = contact;
  }
  for (int i = 0; i < work->n_bodies && out->n_bodies < SS_SECOND_MAX; i++) {
    if (memcmp (v + 3 * i, work->other + 3 * i, 3 * sizeof *v) == 0)
      continue;
    out->bodies[out->n_bodies] = i;
    memcpy (out->first[out->n_bodies], v + 3 * i, 3 * sizeof *v);
    memcpy (out->second[out->n_bodies++], work->other + 3 * i, 3 * sizeof *v);
  }
}

static bool
is_to_be_taken (const SsContactCertainty *s)
{
  for (int i = 0; i < s->n_take_second; i++)
    if (s->take_second[i] == s->n_solves)
      return true;
  return false;
}

SsStatus
ss_contact_certainty_look (SsContactCertainty *s, SsContactProblem *problem, const double *v_free, double t, double *v,
                           SsError *err)
{
  SS_ASSERT (s != NULL && problem != NULL && v_free != NULL && v != NULL);

  Work *work = s->work;
  SsCertainty worst = SS_CERTAINTY_UNIQUE;
  bool is_any = true;
  SsStatus status = reserve (work, problem, err);
  if (status == SS_OK &&
      ss_array_reserve ((void **)&s->looks, &s->looks_capacity, s->n_looks + 1, sizeof *s->looks) != 0)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory to look at a step");
  if (status != SS_OK)
    return status;
  memset (work->is_out, 0, (size_t)problem->n_points * sizeof *work->is_out);
  for (int round = 0; round <= ROUNDS && is_any && status == SS_OK; round++) {
    status = find_islands (work, problem, v_free, err);
    is_any = false;
    for (int k = 0; k < work->n_islands && round < ROUNDS && status == SS_OK; k++)
      is_any = leave_out (work, problem, &work->islands[k], v_free) > 0 || is_any;
  }
  for (int k = 0; k < work->n_islands && status == SS_OK && worst != SS_CERTAINTY_SEVERAL; k++) {
    const SsIsland *island = &work->islands[k];
    SsCertainty certainty;
    status = decide (work, problem, island, v_free, v, &certainty, err);
    if (status != SS_OK)
      return status;
    worst = certainty > worst ? certainty : worst;
    if (certainty != SS_CERTAINTY_SEVERAL)
      continue;
    if (!s->second.is_there)
      describe (work, problem, island, t, v, &s->second);
    put_impulses (problem, island, work->second_pn, work->second_pt, work->second_p);
    s->second.residual = fmax (s->second.residual, ss_island_residual (problem, island, work->other));
    if (is_to_be_taken (s))
      memcpy (v, work->other, 3 * (size_t)work->n_bodies * sizeof *v);
    else
      put_impulses (problem, island, work->pn, work->pt, work->p);
  }
  if (status == SS_OK)
    s->looks[s->n_looks++] = (SsCertaintyLook){s->n_solves++, worst};
  return status;
}
