/* engine/impact/ss-compliant.c: set-up of a compliant study, its cases and sweeps. */
#include "impact/ss-compliant-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Turned bodies are moved to the contact until its gap is below this [m], or that many times. */
static const double touches = 1e-16;
enum { MOVES_MAX = 20 };

/* ---- options ----------------------------------------------------------------------------------------------------- */

#define REAL(field, text, low, high, value, letter, of, is_common, words)                                              \
  {                                                                                                                    \
    .name = text, .type = SS_OPTION_REAL, .offset = offsetof (SsCompliantOptions, field), .minimum = low,              \
    .maximum = high, .fallback = value, .symbol = letter, .unit = of, .common = is_common, .summary = words            \
  }

static const SsOptionSpec specs[] = {
    REAL (stiffness, "stiffness", 1e-6, 1e15, 1e6, "k", "N/m", true,
          "Spring of both contacts, of the softer one in the sweep of ratios; a stiffer one ends sooner."),
    REAL (damping_ratio, "damping-ratio", 0, 1e6, 5, "zeta", "", true,
          "Dampers are 2 zeta sqrt(k m); a small one lets the contacts bounce."),
    REAL (slip_speed, "slip-speed", 1e-14, 1, 1e-10, "epsilon", "m/s", false,
          "Below this speed friction is proportional to it; what sticks creeps at such a speed."),
    REAL (mass, "mass", 0, 1e15, 0, "m", "kg", false,
          "Mass in the damper and in the least impulse of the end; 0 is the mass of all that moves."),
    REAL (stop_speed, "stop-speed", 0, 1, 1e-9, "", "m/s", false,
          "The impact ends when no touching contact approaches faster; a large value ends it too soon."),
    REAL (stop_impulse, "stop-impulse", 0, 1, 0.01, "", "", false,
          "It does not end before both normal impulses exceed this part of m v0; 0 lets one contact do."),
    REAL (time_limit, "time-limit", 1e-12, 1e3, 0.1, "", "s", false,
          "A run that has not ended by then is given up; a longer one waits for soft contacts."),
    REAL (touching, "touching", 0, 1, 1e-6, "", "m", false,
          "Points with a gap of at most this touch, where the contacts are not named."),
    REAL (decades, "decades", 0, 12, 5, "", "", true, "The sweep of ratios goes from 10^-decades to 10^decades."),
    REAL (angle, "angle", 0, 1, 1.7453292519943295e-4, "theta0", "rad", true,
          "The sweep of angles goes from minus this to this; the default is 0.01 degrees."),
    {.name = "cases",
     .type = SS_OPTION_INTEGER,
     .offset = offsetof (SsCompliantOptions, cases),
     .minimum = 1,
     .maximum = 1e6,
     .fallback = 51,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Cases of a sweep; more take longer."},
    REAL (rtol, "rtol", 1e-12, 1e-2, 1e-8, "", "", false,
          "Error of a step allowed, relative to speeds and ways; larger is faster and less accurate."),
    REAL (atol, "atol", 1e-14, 1e-2, 1e-12, "", "m/s", false,
          "Error of a step allowed besides, on ways times 0.01 s; larger is faster and less accurate."),
};
const SsOptionTable ss_compliant_option_table = {sizeof specs / sizeof *specs, specs, sizeof (SsCompliantOptions), 0};

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static bool
answers (const SsBody *body, int k)
{
  return !body->is_fixed && !body->lock[k];
}

/* All arrays of doubles, in one block. */
static bool
allocate (SsCompliant *s)
{
  size_t n = (size_t)s->n, bodies = 3 * (size_t)s->scene->n_bodies, square = n * n;
  const struct {
    double **array;
    size_t size;
  } parts[] = {{&s->mass, n},
               {&s->q_given, bodies},
               {&s->v_given, bodies},
               {&s->q_start, bodies},
               {&s->v_start, bodies},
               {&s->q, bodies},
               {&s->u, bodies},
               {&s->f, bodies},
               {&s->jn[0], n},
               {&s->jn[1], n},
               {&s->jt[0], n},
               {&s->jt[1], n},
               {&s->response, square},
               {&s->basis, square},
               {&s->inertia, square},
               {&s->bent, n},
               {&s->force, n},
               {&s->along, n},
               {&s->parts, n},
               {&s->row, n},
               {&s->state.d, n},
               {&s->state.v, n},
               {&s->trial.d, n},
               {&s->trial.v, n},
               {&s->a, n},
               {&s->jd, square},
               {&s->jv, square},
               {&s->stage, 3 * n},
               {&s->last_stage, 3 * n},
               {&s->stage_a, 3 * n},
               {&s->stage_jd, 3 * square},
               {&s->stage_jv, 3 * square},
               {&s->matrix, 9 * square},
               {&s->change, 3 * n}};
  size_t total = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    total += parts[i].size;
  s->block = ss_new_array (double, total);
  s->pivot = ss_new_array (int, 3 * n);
  if (s->block == NULL || s->pivot == NULL)
    return false;
  double *next = s->block;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    *parts[i].array = next;
    next += parts[i].size;
  }
  return true;
}

static SsStatus
find_coordinates (SsCompliant *s, SsError *err)
{
  size_t n_bodies = (size_t)s->scene->n_bodies;
  s->index = ss_new_array (int, 3 * n_bodies);
  s->coordinate = ss_new_array (int, 3 * n_bodies);
  s->turns = ss_new_array (bool, n_bodies);
  if (s->index == NULL || s->coordinate == NULL || s->turns == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", s->scene->n_bodies);
  for (int i = 0; i < 3 * s->scene->n_bodies; i++) {
    bool is_free = answers (&s->scene->bodies[i / 3], i % 3);
    s->index[i] = is_free ? s->n : -1;
    if (is_free)
      s->coordinate[s->n++] = i;
  }
  if (s->n == 0)
    return ss_error_set (err, SS_ERR_INVALID, "no body can move");
  if (!allocate (s))
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", s->scene->n_bodies);
  for (int k = 0; k < s->n; k++) {
    const SsBody *body = &s->scene->bodies[s->coordinate[k] / 3];
    s->mass[k] = s->coordinate[k] % 3 == 2 ? body->inertia : body->mass;
  }
  return SS_OK;
}

/* ---- the two contacts -------------------------------------------------------------------------------------------- */

typedef struct {
  const SsContactPoint *point;
  int number; /* among those of its contact from left to right, from 1; 0: the only one */
} Touching;

enum { TOUCHING_MAX = 64 };

/* Points that touch in the order of contacts, from left to right; at most TOUCHING_MAX. */
static int
find_touching (const SsCompliant *s, Touching *found)
{
  int n = 0;
  for (int i = 0; i < s->problem->n_points && n < TOUCHING_MAX; i++) {
    const SsContactPoint *p = &s->problem->points[i];
    if (p->contact < 0 || p->phi > s->options.touching)
      continue;
    int at = n++;
    for (; at > 0 && found[at - 1].point->memory > p->memory; at--)
      found[at] = found[at - 1];
    found[at] = (Touching){p, 0};
  }
  for (int i = 0; i < n; i++) {
    int contact = found[i].point->contact, before = 0, all = 0;
    for (int j = 0; j < n; j++) {
      all += found[j].point->contact == contact;
      before += j < i && found[j].point->contact == contact;
    }
    found[i].number = all > 1 ? before + 1 : 0;
  }
  return n;
}

static void
name_point (const SsCompliant *s, const Touching *touching, char *name, size_t size)
{
  const char *contact = s->scene->contacts[touching->point->contact].name;
  if (touching->number > 0)
    snprintf (name, size, "%s.%d", contact, touching->number);
  else
    snprintf (name, size, "%s", contact);
}

static SsStatus
refuse (const SsCompliant *s, const Touching *found, int n, const char *missing, SsError *err)
{
  char names[128] = "", name[SS_CHANNEL_NAME_MAX];
  for (int i = 0; i < n; i++) {
    size_t used = strlen (names);
    name_point (s, &found[i], name, sizeof name);
    snprintf (names + used, sizeof names - used, "%s%.40s", i > 0 ? ", " : "", name);
  }
  if (missing != NULL)
    ss_error_set (err, SS_ERR_INVALID, "no contact %.80s touches", missing);
  else
    ss_error_set (err, SS_ERR_INVALID, "%d contacts touch, and two are needed", n);
  if (err != NULL && n > 0)
    snprintf (err->expected, sizeof err->expected, "two of %s", names);
  return SS_ERR_INVALID;
}

static SsStatus
find_contacts (SsCompliant *s, const char *const names[2], SsError *err)
{
  Touching found[TOUCHING_MAX];
  char name[SS_CHANNEL_NAME_MAX];
  int n = find_touching (s, found), chosen[2] = {0, 1};
  if (names == NULL && n != 2)
    return refuse (s, found, n, NULL, err);
  for (int c = 0; c < 2 && names != NULL; c++) {
    chosen[c] = -1;
    for (int i = 0; i < n; i++) {
      name_point (s, &found[i], name, sizeof name);
      if (strcmp (name, names[c]) == 0)
        chosen[c] = i;
    }
    if (chosen[c] < 0)
      return refuse (s, found, n, names[c], err);
  }
  if (chosen[0] == chosen[1])
    return ss_error_set (err, SS_ERR_INVALID, "contact %.80s is named twice", names[0]);
  for (int c = 0; c < 2; c++) {
    const SsContactPoint *p = found[chosen[c]].point;
    s->contact[c] = p->contact;
    s->memory[c] = p->memory;
    s->mu[c] = p->mu;
    name_point (s, &found[chosen[c]], s->name[c], sizeof s->name[c]);
    s->speed = fmax (s->speed, -ss_contact_point_normal_velocity (p, s->v_given));
  }
  if (!(s->speed > 0))
    return ss_error_set (err, SS_ERR_INVALID, "neither %.60s nor %.60s approaches", s->name[0], s->name[1]);
  return SS_OK;
}

/* ---- the body that is turned ------------------------------------------------------------------------------------- */

static bool
is_of (const SsCompliant *s, int contact, int body)
{
  const SsContact *c = &s->scene->contacts[s->contact[contact]];
  return c->body_a == body || c->body_b == body;
}

static SsStatus
find_turned (SsCompliant *s, const char *name, SsError *err)
{
  const SsScene *scene = s->scene;
  int best = 0;
  s->turned = -1;
  for (int i = 0; i < scene->n_bodies; i++) {
    int merit = name != NULL                               ? strcmp (scene->bodies[i].name, name) == 0
                : ss_body_is_immovable (&scene->bodies[i]) ? 0
                                                           : 2 * is_of (s, 0, i) + is_of (s, 1, i);
    if (merit > best) {
      best = merit;
      s->turned = i;
    }
  }
  if (s->turned < 0)
    return ss_error_set (err, SS_ERR_INVALID, "no body is called %.80s", name != NULL ? name : "");
  s->turns[s->turned] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (int i = 0; i < scene->n_joints; i++) {
      int a = scene->joints[i].body_a, b = scene->joints[i].body_b;
      bool has_a = a >= 0 && s->turns[a], has_b = s->turns[b];
      if (has_a == has_b)
        continue;
      if (a < 0) {
        s->is_tied = true;
        continue;
      }
      s->turns[a] = s->turns[b] = grows = true;
    }
  }
  for (int i = 0; i < scene->n_bodies; i++)
    if (s->turns[i])
      s->is_tied = s->is_tied || !answers (&scene->bodies[i], 0) || !answers (&scene->bodies[i], 1) ||
                   !answers (&scene->bodies[i], 2);
  return SS_OK;
}

SsStatus
ss_compliant_new (const SsScene *scene, const double *q, const double *v, const char *const contacts[2],
                  const char *body, const SsCompliantOptions *options, SsCompliant **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  *out = NULL;
  SsCompliant *s = ss_new (SsCompliant);
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d bodies", scene->n_bodies);
  s->scene = scene;
  if (options != NULL)
    s->options = *options;
  else
    ss_options_init (&ss_compliant_option_table, &s->options);
  SsStatus status = find_coordinates (s, err);
  if (status == SS_OK)
    status = ss_contact_problem_new (scene, &s->problem, err);
  if (status != SS_OK)
    goto fail;
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    s->q_given[i] = q != NULL ? q[i] : scene->bodies[i / 3].q[i % 3];
    s->v_given[i] = v != NULL ? v[i] : scene->bodies[i / 3].v[i % 3];
  }
  s->total_mass = s->options.mass;
  for (int i = 0; i < scene->n_bodies && !(s->options.mass > 0); i++)
    if (answers (&scene->bodies[i], 0) || answers (&scene->bodies[i], 1))
      s->total_mass += scene->bodies[i].mass;
  if (!(s->total_mass > 0)) {
    status = ss_error_set (err, SS_ERR_INVALID, "no body with a mass can move; the option mass is needed");
    goto fail;
  }
  status = ss_contact_problem_collect (s->problem, s->q_given, s->v_given, s->options.touching, -INFINITY, err);
  if (status == SS_OK)
    status = ss_compliant_respond (s, err);
  if (status == SS_OK)
    status = find_contacts (s, contacts, err);
  if (status == SS_OK)
    status = find_turned (s, body, err);
  if (status != SS_OK)
    goto fail;
  *out = s;
  return SS_OK;

fail:
  ss_compliant_free (s);
  return status;
}

void
ss_compliant_free (SsCompliant *study)
{
  if (study == NULL)
    return;
  ss_contact_problem_free (study->problem);
  ss_free (study->index);
  ss_free (study->coordinate);
  ss_free (study->turns);
  ss_free (study->pivot);
  ss_free (study->block);
  ss_free (study);
}

const char *
ss_compliant_contact (const SsCompliant *study, int contact)
{
  SS_ASSERT (study != NULL && (contact == 0 || contact == 1));

  return study->name[contact];
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

SsCompliantCase
ss_compliant_ratio_case (const SsCompliant *study, double log10_ratio)
{
  SS_ASSERT (study != NULL);

  double k = study->options.stiffness;
  return (SsCompliantCase){{k * pow (10, fmax (log10_ratio, 0)), k * pow (10, fmax (-log10_ratio, 0))}, 0};
}

SsCompliantCase
ss_compliant_angle_case (const SsCompliant *study, double angle)
{
  SS_ASSERT (study != NULL);

  return (SsCompliantCase){{study->options.stiffness, study->options.stiffness}, angle};
}

static void
turn (SsCompliant *s, double angle)
{
  double co = cos (angle), si = sin (angle);
  const double *centre = s->q_given + 3 * s->turned;
  for (int i = 0; i < s->scene->n_bodies; i++) {
    if (!s->turns[i])
      continue;
    double x = s->q_given[3 * i] - centre[0], y = s->q_given[3 * i + 1] - centre[1];
    s->q_start[3 * i] = centre[0] + co * x - si * y;
    s->q_start[3 * i + 1] = centre[1] + si * x + co * y;
    s->q_start[3 * i + 2] = s->q_given[3 * i + 2] + angle;
  }
}

/* Moves what is turned along the normal of its lowest contact until that has no gap. */
static SsStatus
move_to_contact (SsCompliant *s, SsError *err)
{
  SsCompliantPoint points[2];
  for (int move = 0; move < MOVES_MAX; move++) {
    SsStatus status = ss_compliant_collect (s, 0, s->state.d, s->state.v, points, err);
    if (status != SS_OK)
      return status;
    int low = -1;
    for (int c = 0; c < 2; c++) {
      const SsContact *contact = &s->scene->contacts[s->contact[c]];
      if (s->turns[contact->body_a] != s->turns[contact->body_b] && isfinite (points[c].phi) &&
          (low < 0 || points[c].phi < points[low].phi))
        low = c;
    }
    if (low < 0)
      return ss_error_set (err, SS_ERR_INVALID, "no contact of body %.80s is near after the turn",
                           s->scene->bodies[s->turned].name);
    double way = s->turns[s->scene->contacts[s->contact[low]].body_b] ? -points[low].phi : points[low].phi;
    for (int i = 0; i < s->scene->n_bodies && fabs (way) > touches; i++)
      if (s->turns[i]) {
        s->q_start[3 * i] += way * points[low].normal.x;
        s->q_start[3 * i + 1] += way * points[low].normal.y;
      }
    if (fabs (way) <= touches)
      break;
  }
  return SS_OK;
}

/* Takes out of the velocity what joints do not allow: M vdot = M v with joints rigid. */
static SsStatus
keep_joints (SsCompliant *s, SsError *err)
{
  SsCompliantPoint points[2];
  SsStatus status = ss_compliant_collect (s, 0, s->state.d, s->state.v, points, err);
  if (status == SS_OK)
    status = ss_compliant_respond (s, err);
  if (status != SS_OK)
    return status;
  for (int k = 0; k < s->n; k++)
    s->force[k] = s->mass[k] * s->v_start[s->coordinate[k]];
  for (int k = 0; k < s->n; k++) {
    double sum = 0;
    for (int c = 0; c < s->n; c++)
      sum += s->response[c * s->n + k] * s->force[c];
    s->v_start[s->coordinate[k]] = sum;
  }
  return SS_OK;
}

static double
potential (SsCompliant *s, const double *q)
{
  return ss_dynamics_potential_energy (s->problem->dynamics, q);
}

static double
kinetic (const SsCompliant *s, const double *v, bool only_turned)
{
  double sum = 0;
  for (int k = 0; k < s->n; k++) {
    int i = s->coordinate[k];
    if (!only_turned || s->turns[i / 3])
      sum += 0.5 * s->mass[k] * v[i] * v[i];
  }
  return sum;
}

/* Scales the velocity of what is turned so that the energy is that of the given state. */
static SsStatus
keep_energy (SsCompliant *s, SsError *err)
{
  double here = kinetic (s, s->v_start, true);
  double wanted = kinetic (s, s->v_given, true) + potential (s, s->q_given) - potential (s, s->q_start);
  if (!(wanted >= 0 && here > 0))
    return ss_error_set (err, SS_ERR_INVALID, "turning body %.80s takes more energy than the body has",
                         s->scene->bodies[s->turned].name);
  double scale = sqrt (wanted / here);
  for (int i = 0; i < 3 * s->scene->n_bodies; i++)
    if (s->turns[i / 3])
      s->v_start[i] *= scale;
  return SS_OK;
}

static SsStatus
set_up_case (SsCompliant *s, const SsCompliantCase *what, SsError *err)
{
  size_t size = 3 * (size_t)s->scene->n_bodies * sizeof (double);
  for (int c = 0; c < 2; c++) {
    if (!(what->stiffness[c] > 0 && isfinite (what->stiffness[c])))
      return ss_error_set (err, SS_ERR_INVALID, "the stiffness of %.80s is not positive", s->name[c]);
    s->stiffness[c] = what->stiffness[c];
    s->damping[c] = 2 * s->options.damping_ratio * sqrt (what->stiffness[c] * s->total_mass);
  }
  memcpy (s->q_start, s->q_given, size);
  memcpy (s->v_start, s->v_given, size);
  if (!(fabs (what->angle) > 0))
    return isnan (what->angle) ? ss_error_set (err, SS_ERR_INVALID, "the angle is not a number") : SS_OK;
  if (s->is_tied)
    return ss_error_set (err, SS_ERR_INVALID,
                         "body %.80s cannot be turned: the body is held, or joined to a body "
                         "that is held",
                         s->scene->bodies[s->turned].name);
  memset (s->state.d, 0, (size_t)s->n * sizeof (double));
  memset (s->state.v, 0, (size_t)s->n * sizeof (double));
  turn (s, what->angle);
  SsStatus status = move_to_contact (s, err);
  if (status == SS_OK && s->scene->n_joints > 0)
    status = keep_joints (s, err);
  return status == SS_OK ? keep_energy (s, err) : status;
}

SsStatus
ss_compliant_run (SsCompliant *study, const SsCompliantCase *what, SsRunControl *control, SsCompliantResult *result,
                  double *velocity, SsError *err)
{
  SS_ASSERT (study != NULL && what != NULL && result != NULL);

  *result = (SsCompliantResult){.outcome = SS_OUTCOME_COMPLETED, .share_before_second = NAN};
  SsStatus status = set_up_case (study, what, err);
  if (status != SS_OK)
    return status;
  result->energy_before = kinetic (study, study->v_start, false) + potential (study, study->q_start);
  status = ss_compliant_integrate (study, control, result, err);
  if (status != SS_OK)
    return status;
  result->energy_after = kinetic (study, study->u, false) + potential (study, study->q);
  if (velocity != NULL)
    memcpy (velocity, study->u, 3 * (size_t)study->scene->n_bodies * sizeof *velocity);
  return SS_OK;
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

void
ss_compliant_column (const SsCompliant *study, SsCompliantSweep sweep, int column, char *name, size_t size)
{
  static const char *const of_contacts[] = {"stiffness", "vn", "vt", "impulse_n", "impulse_t"};
  static const char *const others[] = {"energy_before", "energy_after", "share_before_second", "duration", "completed"};
  enum { OF_CONTACTS = 2 * sizeof of_contacts / sizeof *of_contacts };
  SS_ASSERT (study != NULL && name != NULL && column >= 0 && column < SS_COMPLIANT_COLUMNS);

  if (column == 0)
    snprintf (name, size, "%s", sweep == SS_COMPLIANT_RATIO ? "log10_ratio" : "angle");
  else if (column <= OF_CONTACTS)
    snprintf (name, size, "%s_%s", of_contacts[(column - 1) / 2], study->name[(column - 1) % 2]);
  else
    snprintf (name, size, "%s", others[column - 1 - OF_CONTACTS]);
}

int
ss_compliant_n_cases (const SsCompliant *study)
{
  SS_ASSERT (study != NULL);

  return study->options.cases;
}

static void
write_row (const SsCompliantCase *what, double parameter, const SsCompliantResult *r, double *row)
{
  const double values[SS_COMPLIANT_COLUMNS] = {parameter,
                                               what->stiffness[0],
                                               what->stiffness[1],
                                               r->vn[0],
                                               r->vn[1],
                                               r->vt[0],
                                               r->vt[1],
                                               r->impulse_n[0],
                                               r->impulse_n[1],
                                               r->impulse_t[0],
                                               r->impulse_t[1],
                                               r->energy_before,
                                               r->energy_after,
                                               r->share_before_second,
                                               r->t,
                                               r->outcome == SS_OUTCOME_COMPLETED};
  memcpy (row, values, sizeof values);
}

SsStatus
ss_compliant_sweep (SsCompliant *study, SsCompliantSweep sweep, SsRunControl *control, double *rows, int *n_done,
                    SsOutcome *outcome, SsError *err)
{
  SS_ASSERT (study != NULL && rows != NULL && n_done != NULL && outcome != NULL);

  int n = study->options.cases;
  double end = sweep == SS_COMPLIANT_RATIO ? study->options.decades : study->options.angle;
  *outcome = SS_OUTCOME_COMPLETED;
  for (*n_done = 0; *n_done < n; ++*n_done) {
    SsCompliantResult result;
    double parameter = n > 1 ? end * (2 * *n_done - (n - 1)) / (n - 1) : 0;
    SsCompliantCase what = sweep == SS_COMPLIANT_RATIO ? ss_compliant_ratio_case (study, parameter)
                                                       : ss_compliant_angle_case (study, parameter);
    SsStatus status = ss_compliant_run (study, &what, control, &result, NULL, err);
    if (status != SS_OK)
      return status;
    if (ss_outcome_is_early (result.outcome)) {
      *outcome = result.outcome;
      return SS_OK;
    }
    if (result.outcome != SS_OUTCOME_COMPLETED)
      *outcome = SS_OUTCOME_STALLED;
    write_row (&what, parameter, &result, rows + (size_t)*n_done * SS_COMPLIANT_COLUMNS);
  }
  return SS_OK;
}
