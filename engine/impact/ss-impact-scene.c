/* engine/impact/ss-impact-scene.c: the configuration of a scene.
 *
 * M of the free coordinates is diagonal and may have zeros (the turning of a massless rod with a point mass); N' M N
 * must be positive. Coordinates that are locked stay in v, because a moving belt has a speed at its contacts, with 0 in
 * both masses.
 */
#include "impact/ss-impact.h"

#include "contact/ss-contact-problem.h"
#include "impact/ss-impact-joints-private.h"
#include "scene/ss-uses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const SsScene *scene;
  SsScene light; /* the scene for the contact problem, with inertia 1 in the place of 0: its rows know no mass */
  SsBody *bodies;
  SsContactProblem *problem;
  int *group;  /* per body: its root in the union of what touches and what is joined */
  bool *is_in; /* per body */
  int n, n_free, n_rows;
  int *coordinates; /* n */
  int *place;       /* 3 n_bodies: index among the coordinates, -1                  */
  int *free;        /* n: index among the free ones, -1: locked                     */
  double *rows;     /* n_rows x n_free: the joints'                                 */
  double *mass, *inverse_mass;
  double *basis, *inertia; /* n_free x n_free each: see ss-impact-joints-private.h    */
  double *jn, *jt, *mu, *restitution, *v;
  char (*names)[160];
} Maker;

static int
root (int *group, int body)
{
  while (group[body] != body)
    body = group[body] = group[group[body]];
  return body;
}

static bool
is_free (const SsBody *body, int k)
{
  return !body->is_fixed && !body->lock[k];
}

static void
join (Maker *x, int a, int b)
{
  /* what does not move connects nothing */
  if (a >= 0 && b >= 0 && !ss_body_is_immovable (&x->scene->bodies[a]) && !ss_body_is_immovable (&x->scene->bodies[b]))
    x->group[root (x->group, a)] = root (x->group, b);
}

/* Bodies that touch, or are joined to one that does. */
static void
choose_bodies (Maker *x)
{
  const SsScene *scene = x->scene;

  for (int b = 0; b < scene->n_bodies; b++)
    x->group[b] = b;
  for (int i = 0; i < x->problem->n_points; i++)
    join (x, x->problem->points[i].body[0], x->problem->points[i].body[1]);
  for (int j = 0; j < scene->n_joints; j++)
    join (x, scene->joints[j].body_a, scene->joints[j].body_b);
  for (int i = 0; i < x->problem->n_points; i++)
    for (int side = 0; side < 2; side++)
      if (x->problem->points[i].body[side] >= 0)
        x->is_in[root (x->group, x->problem->points[i].body[side])] = true;
  for (int b = 0; b < scene->n_bodies; b++)
    x->is_in[b] = x->is_in[root (x->group, b)];
  for (int c = 0; c < 3 * scene->n_bodies; c++) {
    x->place[c] = x->is_in[c / 3] ? x->n : -1;
    if (x->is_in[c / 3])
      x->n++;
  }
}

static double
own_mass (const SsBody *body, int k)
{
  return !is_free (body, k) ? 0 : k < 2 ? body->mass : body->inertia;
}

static void
fill_masses (Maker *x)
{
  for (int c = 0; c < 3 * x->scene->n_bodies; c++) {
    const int i = x->place[c];
    if (i < 0)
      continue;
    x->coordinates[i] = c;
    x->free[i] = is_free (&x->scene->bodies[c / 3], c % 3) ? x->n_free++ : -1;
    x->mass[i * x->n + i] = own_mass (&x->scene->bodies[c / 3], c % 3);
  }
}

/* Entries of a row on two bodies into a row over the coordinates. */
static void
scatter (const Maker *x, const int body[2], const double j[6], double *row)
{
  for (int side = 0; side < 2; side++)
    for (int k = 0; body[side] >= 0 && k < 3; k++)
      row[x->place[3 * body[side] + k]] += j[3 * side + k];
}

static void
fill_joint_rows (Maker *x)
{
  for (int r = 0; r < x->problem->n_rows; r++) {
    const SsRow *row = &x->problem->rows[r].row;
    bool is_used = false;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < 3; k++) {
        const int i = row->body[side] >= 0 ? x->place[3 * row->body[side] + k] : -1;
        if (i < 0 || x->free[i] < 0)
          continue;
        x->rows[x->n_rows * x->n_free + x->free[i]] += row->j[3 * side + k];
        is_used = true;
      }
    x->n_rows += is_used;
  }
}

/* The body of the free coordinate that weighs least, for the message. */
static const char *
lightest (const Maker *x)
{
  int which = 0;

  for (int i = 0; i < x->n; i++)
    if (x->free[i] >= 0 && (x->free[which] < 0 || x->mass[i * x->n + i] < x->mass[which * x->n + which]))
      which = i;
  return x->scene->bodies[x->coordinates[which] / 3].name;
}

/* N (N' M N)^-1 N'. */
static SsStatus
fill_inverse (Maker *x, SsError *err)
{
  const int f = x->n_free, n = x->n;
  double *parts = ss_new_array (double, f + 1), *mass = ss_new_array (double, f + 1);
  double *response = ss_new_array (double, f *f + 1), left;
  int *index = ss_new_array (int, f + 1), rank = 0;
  SsStatus status = SS_OK;

  if (parts == NULL || mass == NULL || response == NULL || index == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", n);
    goto out;
  }
  for (int i = 0; i < n; i++)
    if (x->free[i] >= 0) {
      index[x->free[i]] = i;
      mass[x->free[i]] = x->mass[i * n + i];
    }
  for (int r = 0; r < x->n_rows; r++)
    rank += ss_joint_basis_add (f, rank, x->basis, x->rows + r * f, parts, &left);
  ss_joint_basis_complete (f, rank, x->basis, parts);
  if (ss_joint_response (f, rank, x->basis, mass, x->inertia, parts, response) != SS_OK) {
    status = ss_error_set (err, SS_ERR_INVALID,
                           "'%s' has no inertia, and nothing that it is joined to gives it one: impulses would turn it "
                           "without limit",
                           lightest (x));
    goto out;
  }
  for (int i = 0; i < f; i++)
    for (int j = 0; j < f; j++)
      x->inverse_mass[index[i] * n + index[j]] = response[i * f + j];

out:
  ss_free (parts);
  ss_free (mass);
  ss_free (response);
  ss_free (index);
  return status;
}

/* Points of one contact are numbered from left to right along the tangent. */
static int
number_among (const SsContactProblem *problem, int point, int *count)
{
  const SsContactPoint *own = &problem->points[point];
  int number = 1;

  *count = 0;
  for (int i = 0; i < problem->n_points; i++) {
    const SsContactPoint *other = &problem->points[i];
    if (other->contact != own->contact || own->contact < 0)
      continue;
    const double along =
        own->normal.y * (other->point.x - own->point.x) - own->normal.x * (other->point.y - own->point.y);
    ++*count;
    number += i != point && (along < 0 || (along == 0 && i < point));
  }
  return number;
}

static void
fill_contacts (Maker *x)
{
  for (int i = 0; i < x->problem->n_points; i++) {
    const SsContactPoint *point = &x->problem->points[i];
    int count, number = number_among (x->problem, i, &count);
    scatter (x, point->body, point->jn, x->jn + i * x->n);
    scatter (x, point->body, point->jt, x->jt + i * x->n);
    x->mu[i] = point->mu;
    x->restitution[i] = ss_contact_point_restitution (x->problem, point);
    if (point->contact < 0) {
      const bool is_upper = (point->memory - x->problem->memory_start[x->scene->n_contacts]) % SS_JOINT_LIMITS_MAX != 0;
      snprintf (x->names[i], sizeof x->names[i], "%s.%s", x->scene->joints[point->limit].name,
                is_upper ? "upper" : "lower");
      continue;
    }
    if (count > 1)
      snprintf (x->names[i], sizeof x->names[i], "%s.%d", x->scene->contacts[point->contact].name, number);
    else
      snprintf (x->names[i], sizeof x->names[i], "%s", x->scene->contacts[point->contact].name);
  }
}

static void
release (Maker *x)
{
  ss_contact_problem_free (x->problem);
  void *blocks[] = {x->bodies, x->group, x->is_in,        x->coordinates, x->place,   x->free,
                    x->rows,   x->mass,  x->inverse_mass, x->basis,       x->inertia, x->jn,
                    x->jt,     x->mu,    x->restitution,  x->v,           x->names};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    ss_free (blocks[i]);
}

static bool
allocate_bodies (Maker *x)
{
  const int n = x->scene->n_bodies + 1;

  x->group = ss_new_array (int, n);
  x->is_in = ss_new_array (bool, n);
  x->place = ss_new_array (int, 3 * n);
  x->bodies = ss_new_array (SsBody, n);
  x->light = *x->scene;
  x->light.bodies = x->bodies;
  for (int b = 0; x->bodies != NULL && b < x->scene->n_bodies; b++) {
    x->bodies[b] = x->scene->bodies[b];
    x->bodies[b].inertia = x->bodies[b].inertia > 0 ? x->bodies[b].inertia : 1;
  }
  return x->bodies != NULL && x->group != NULL && x->is_in != NULL && x->place != NULL;
}

static bool
allocate_coordinates (Maker *x)
{
  const int n = x->n, m = x->problem->n_points;

  x->coordinates = ss_new_array (int, n);
  x->free = ss_new_array (int, n);
  x->rows = ss_new_array (double, n *(x->problem->n_rows + 1));
  x->mass = ss_new_array (double, n *n);
  x->inverse_mass = ss_new_array (double, n *n);
  x->basis = ss_new_array (double, n *n);
  x->inertia = ss_new_array (double, n *n);
  x->jn = ss_new_array (double, m *n);
  x->jt = ss_new_array (double, m *n);
  x->mu = ss_new_array (double, m);
  x->restitution = ss_new_array (double, m);
  x->v = ss_new_array (double, n);
  x->names = ss_alloc ((size_t)m, sizeof *x->names);
  return x->coordinates != NULL && x->free != NULL && x->rows != NULL && x->mass != NULL && x->inverse_mass != NULL &&
         x->basis != NULL && x->inertia != NULL && x->jn != NULL && x->jt != NULL && x->mu != NULL &&
         x->restitution != NULL && x->v != NULL && x->names != NULL;
}

static SsStatus
check_sizes (const Maker *x, double touching, SsError *err)
{
  if (x->problem->n_points == 0)
    return ss_error_set (err, SS_ERR_INVALID, "nothing touches: no contact has a gap of at most %g m", touching);
  if (x->problem->n_points > SS_IMPACT_CONTACTS_MAX)
    return ss_error_set (err, SS_ERR_INVALID, "%d contact points touch; impact laws take up to %d",
                         x->problem->n_points, SS_IMPACT_CONTACTS_MAX);
  if (x->n > SS_IMPACT_COORDINATES_MAX)
    return ss_error_set (err, SS_ERR_INVALID, "the bodies that touch have %d coordinates; impact laws take up to %d",
                         x->n, SS_IMPACT_COORDINATES_MAX);
  return SS_OK;
}

static SsStatus
add_points (Maker *x, const double *q, const double *v, const SsImpactPoint *points, int n, SsError *err)
{
  ss_contact_problem_collect_joints (x->problem, q, v);
  for (int i = 0; i < n; i++) {
    const SsImpactPoint *from = &points[i];
    SsContactPoint *to = ss_contact_problem_add_point (x->problem);
    if (to == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contact points", n);
    to->contact = from->contact;
    to->limit = from->contact < 0 ? from->joint : -1;
    to->memory = x->problem->memory_start[x->scene->n_contacts] + SS_JOINT_LIMITS_MAX * from->joint + from->is_upper;
    to->mu = from->contact < 0 ? 0 : x->scene->contacts[from->contact].mu;
    to->point = from->point;
    to->normal = from->normal;
    memcpy (to->body, from->body, sizeof to->body);
    memcpy (to->jn, from->jn, sizeof to->jn);
    memcpy (to->jt, from->jt, sizeof to->jt);
  }
  return SS_OK;
}

/* With the given points, or (NULL) with those of the scene that touch. */
static SsStatus
make (const SsScene *scene, const double *q, const double *v, double touching, const SsImpactPoint *points,
      int n_points, SsImpact **out, SsError *err)
{
  Maker x = {.scene = scene};
  double *own = ss_new_array (double, 6 * scene->n_bodies + 1);
  const char *names[SS_IMPACT_CONTACTS_MAX];
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (own == NULL || !allocate_bodies (&x)) {
    ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
    goto out;
  }
  for (int b = 0; b < scene->n_bodies; b++)
    for (int k = 0; k < 3; k++) {
      own[3 * b + k] = scene->bodies[b].q[k];
      own[3 * (scene->n_bodies + b) + k] = scene->bodies[b].v[k];
    }
  q = q != NULL ? q : own;
  v = v != NULL ? v : own + 3 * scene->n_bodies;
  status = ss_contact_problem_new (&x.light, &x.problem, err);
  if (status == SS_OK)
    status = points != NULL ? add_points (&x, q, v, points, n_points, err)
                            : ss_contact_problem_collect (x.problem, q, v, touching, touching, err);
  if (status != SS_OK)
    goto out;
  choose_bodies (&x);
  status = check_sizes (&x, touching, err);
  if (status != SS_OK)
    goto out;
  if (!allocate_coordinates (&x)) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", x.n);
    goto out;
  }
  fill_masses (&x);
  fill_joint_rows (&x);
  fill_contacts (&x);
  status = fill_inverse (&x, err);
  if (status != SS_OK)
    goto out;
  for (int i = 0; i < x.n; i++)
    x.v[i] = v[x.coordinates[i]];
  for (int i = 0; i < x.problem->n_points; i++)
    names[i] = x.names[i];
  status = ss_impact_new (&(SsImpactNumbers){.n = x.n,
                                             .m = x.problem->n_points,
                                             .mass = x.mass,
                                             .inverse_mass = x.inverse_mass,
                                             .jn = x.jn,
                                             .jt = x.jt,
                                             .mu = x.mu,
                                             .restitution = x.restitution,
                                             .v = x.v,
                                             .contacts = names,
                                             .coordinates = x.coordinates,
                                             .h = NAN},
                          out, err);

out:
  release (&x);
  ss_free (own);
  return status;
}

SsStatus
ss_impact_new_from_scene (const SsScene *scene, const double *q, const double *v, double touching, SsImpact **out,
                          SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL && touching >= 0);
  SsStatus status = ss_uses_check (scene, SS_USES_JOINT_DRIVES, "an impact law", err);
  return status != SS_OK ? status : make (scene, q, v, touching, NULL, 0, out, err);
}

SsStatus
ss_impact_new_from_points (const SsScene *scene, const double *q, const double *v, const SsImpactPoint *points, int n,
                           SsImpact **out, SsError *err)
{
  SS_ASSERT (scene != NULL && q != NULL && v != NULL && points != NULL && n > 0 && out != NULL);
  return make (scene, q, v, 0, points, n, out, err);
}
