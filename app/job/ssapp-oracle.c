/* app/job/ssapp-oracle.c: see the header. */
#include "app/job/ssapp-oracle.h"

#include "app/base/ssapp-json.h"
#include "contact/ss-contact-problem.h"

#include <math.h>
#include <string.h>

struct SsappOracle {
  /* of a problem */
  const SsMpcc *mpcc; /* NULL: of a scene */
  const double *x0;
  SsMpccEval *eval;
  double *x, *multipliers, *values; /* n_variables, n_rows, room for any answer */
  double sigma;
  /* of a scene */
  const SsScene *scene;
  double dt, t_end;
  const SsControls *controls; /* whose times are steps where dt is NaN; NULL: none */
  double from, to;            /* of the step under way [s] */
  const double *u;            /* what acts in it; NULL: formulas */
  SsDynamics *dynamics;
  SsContactProblem *problem;
  double *q, *v, t;
  double band; /* [m]: gaps up to it have points */
};

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static json_t *
integers (const int *values, int n)
{
  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (list, json_integer (values[i]));
  return list;
}

/* Where a sparse matrix has entries: {"rows": [...], "columns": [...]}, one pair an entry, in the order of its values.
 * */
static json_t *
pattern_to_json (const SsPattern *pattern, gboolean by_columns)
{
  json_t *major = json_array ();

  for (int i = 0; i < pattern->n_major; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      json_array_append_new (major, json_integer (i));
  json_t *minor = integers (pattern->index, pattern->start[pattern->n_major]);
  return json_pack ("{s:o, s:o}", "rows", by_columns ? minor : major, "columns", by_columns ? major : minor);
}

static int
n_entries (const SsPattern *pattern)
{
  return pattern->start[pattern->n_major];
}

/* ---- a problem --------------------------------------------------------------------------------------------------- */

static json_t *
tell_problem (SsappOracle *self)
{
  const SsMpcc *mpcc = self->mpcc;
  const int n = ss_mpcc_n_variables (mpcc);
  json_t *object = json_object (), *names = json_array (), *pairs = json_array (), *bounds = json_array ();

  json_object_set_new (object, "n_variables", json_integer (n));
  json_object_set_new (object, "n_equalities", json_integer (ss_mpcc_n_equalities (mpcc)));
  json_object_set_new (object, "n_inequalities", json_integer (ss_mpcc_n_inequalities (mpcc)));
  if (self->x0 != NULL)
    json_object_set_new (object, "x0", ssapp_json_reals (self->x0, n));
  json_object_set_new (object, "lower", ssapp_json_reals (ss_mpcc_lower (mpcc), n));
  json_object_set_new (object, "upper", ssapp_json_reals (ss_mpcc_upper (mpcc), n));
  for (int i = 0; i < ss_mpcc_n_rows (mpcc); i++)
    json_array_append_new (names, json_string (ss_mpcc_row_name (mpcc, i)));
  for (int i = 0; i < ss_mpcc_n_bounds (mpcc); i++)
    json_array_append_new (bounds, json_integer (ss_mpcc_bounds (mpcc)[i].row));
  for (int i = 0; i < ss_mpcc_n_pairs (mpcc); i++) {
    const SsMpccPair *pair = &ss_mpcc_pairs (mpcc)[i];
    json_array_append_new (pairs, json_pack ("[i, i, i]", pair->product_row, pair->row_a, pair->row_b));
  }
  json_object_set_new (object, "row_names", names);
  json_object_set_new (object, "bound_rows", bounds);
  json_object_set_new (object, "pairs", pairs);
  json_object_set_new (object, "jacobian", pattern_to_json (ss_mpcc_jacobian_pattern (mpcc), FALSE));
  json_object_set_new (object, "objective_hessian", pattern_to_json (ss_mpcc_objective_hessian_pattern (mpcc), TRUE));
  json_object_set_new (object, "hessian", pattern_to_json (ss_mpcc_lagrangian_hessian_pattern (mpcc), TRUE));
  return object;
}

static json_t *
tell_objective (SsappOracle *self)
{
  return ssapp_json_real (ss_mpcc_objective (self->eval, self->x));
}

static json_t *
tell_gradient (SsappOracle *self)
{
  ss_mpcc_gradient (self->eval, self->x, self->values);
  return ssapp_json_reals (self->values, ss_mpcc_n_variables (self->mpcc));
}

static json_t *
tell_rows (SsappOracle *self)
{
  ss_mpcc_rows (self->eval, self->x, self->values);
  return ssapp_json_reals (self->values, ss_mpcc_n_rows (self->mpcc));
}

static json_t *
tell_jacobian (SsappOracle *self)
{
  ss_mpcc_jacobian (self->eval, self->x, self->values);
  return ssapp_json_reals (self->values, n_entries (ss_mpcc_jacobian_pattern (self->mpcc)));
}

static json_t *
tell_objective_hessian (SsappOracle *self)
{
  ss_mpcc_objective_hessian (self->eval, self->x, self->values);
  return ssapp_json_reals (self->values, n_entries (ss_mpcc_objective_hessian_pattern (self->mpcc)));
}

static json_t *
tell_hessian (SsappOracle *self)
{
  ss_mpcc_lagrangian_hessian (self->eval, self->x, self->sigma, self->multipliers, self->values);
  return ssapp_json_reals (self->values, n_entries (ss_mpcc_lagrangian_hessian_pattern (self->mpcc)));
}

/* ---- a scene ----------------------------------------------------------------------------------------------------- */

/* A step a row of the plan, cut at the scene's breaks. */
static void
add_times_of_controls (const SsappOracle *self, json_t *times)
{
  const SsControls *c = self->controls;

  for (double t = 0; t < self->t_end;) {
    double end = fmin (ss_scene_next_break (self->scene, t), self->t_end);
    int k = 0;
    while (k < c->n_rows && c->t[k] <= t)
      k++;
    if (k < c->n_rows && c->t[k] < end)
      end = c->t[k];
    json_array_append_new (times, json_real (t = end));
  }
}

/* Where steps end: at each dt, at breaks of the scene, from which the next step has dt again, and at the end. */
static void
add_times (const SsappOracle *self, json_t *times)
{
  static const double sliver = 1e-9; /* of a step: less is rounding */
  double from = 0, t = 0;

  for (int n = 1; t < self->t_end && self->dt > 0; n++) {
    const double end = fmin (ss_scene_next_break (self->scene, t + sliver * self->dt), self->t_end);
    t = from + n * self->dt;
    if (t > end - sliver * self->dt) {
      t = from = end;
      n = 0;
    }
    json_array_append_new (times, json_real (t));
  }
}

static json_t *
tell_scene (SsappOracle *self)
{
  const SsScene *scene = self->scene;
  const int n = 3 * scene->n_bodies;
  json_t *object = json_object (), *bodies = json_array (), *contacts = json_array (), *times = json_array ();
  json_t *actuators = json_array ();
  g_autofree double *q = g_new (double, n + 1), *v = g_new (double, n + 1);

  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];
    memcpy (q + 3 * i, body->q, sizeof body->q);
    memcpy (v + 3 * i, body->v, sizeof body->v);
    json_array_append_new (bodies, json_pack ("{s:s, s:o, s:o, s:b}", "name", body->name, "mass",
                                              ssapp_json_real (body->mass), "inertia", ssapp_json_real (body->inertia),
                                              "moves", (int)!ss_body_is_immovable (body)));
  }
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    json_array_append_new (
        contacts, json_pack ("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "name", c->name, "a", scene->bodies[c->body_a].name,
                             "b", scene->bodies[c->body_b].name, "mu", ssapp_json_real (c->mu), "restitution",
                             ssapp_json_real (c->restitution), "stiffness", ssapp_json_real (c->stiffness), "damping",
                             ssapp_json_real (c->damping)));
  }
  for (int i = 0; i < scene->n_actuators; i++)
    json_array_append_new (actuators, json_string (scene->actuators[i].name));
  if (isnan (self->dt) && self->controls != NULL)
    add_times_of_controls (self, times);
  else
    add_times (self, times);
  json_object_set_new (object, "bodies", bodies);
  json_object_set_new (object, "contacts", contacts);
  json_object_set_new (object, "actuators", actuators);
  json_object_set_new (object, "q", ssapp_json_reals (q, n));
  json_object_set_new (object, "v", ssapp_json_reals (v, n));
  json_object_set_new (object, "gravity", json_pack ("[f, f]", scene->gravity.x, scene->gravity.y));
  json_object_set_new (object, "dt", ssapp_json_real (self->dt));
  json_object_set_new (object, "t_end", ssapp_json_real (self->t_end));
  json_object_set_new (object, "times", times);
  return object;
}

static json_t *
tell_mass (SsappOracle *self)
{
  return ssapp_json_reals (ss_dynamics_mass (self->dynamics), 3 * self->scene->n_bodies);
}

/* Of gravity, springs, formulas and actuators; contacts and joints are the method's. */
static json_t *
tell_forces (SsappOracle *self)
{
  const int n = 3 * self->scene->n_bodies;
  g_autofree double *f = g_new (double, n + 1);

  ss_dynamics_forces (self->dynamics, SS_FORCE_ALL, self->t, self->q, self->v, self->u, f);
  return ssapp_json_reals (f, n);
}

/* What acts in the step, within the actuators' bounds. */
static json_t *
tell_controls (SsappOracle *self)
{
  json_t *list = self->u != NULL ? json_array () : json_null ();

  for (int i = 0; self->u != NULL && i < self->scene->n_actuators; i++) {
    const SsActuator *a = &self->scene->actuators[i];
    json_array_append_new (list, ssapp_json_real (fmin (fmax (self->u[i], a->lower), a->upper)));
  }
  return list;
}

static json_t *
tell_gaps (SsappOracle *self)
{
  json_t *list = json_array ();

  for (int i = 0; i < self->scene->n_contacts; i++)
    json_array_append_new (list, ssapp_json_real (ss_scene_contact_gap (self->scene, i, self->q)));
  return list;
}

/* A row of a Jacobian as the places and values of its entries. */
static json_t *
row_to_json (const int body[2], const double row[6])
{
  json_t *columns = json_array (), *values = json_array ();

  for (int side = 0; side < 2; side++)
    for (int c = 0; body[side] >= 0 && c < 3; c++) {
      json_array_append_new (columns, json_integer (3 * body[side] + c));
      json_array_append_new (values, ssapp_json_real (row[3 * side + c]));
    }
  return json_pack ("{s:o, s:o}", "columns", columns, "values", values);
}

/* Points of contacts with a gap of at most `band`. */
static json_t *
tell_points (SsappOracle *self)
{
  json_t *list = json_array ();
  SsError error;

  if (ss_contact_problem_collect (self->problem, self->q, self->v, self->band, -INFINITY, &error) != SS_OK)
    return list;
  for (int i = 0; i < self->problem->n_points; i++) {
    const SsContactPoint *p = &self->problem->points[i];
    if (p->contact < 0)
      continue;
    json_array_append_new (list, json_pack ("{s:i, s:f, s:f, s:[f, f], s:[f, f], s:o, s:o}", "contact", p->contact,
                                            "gap", p->phi, "mu", p->mu, "at", p->point.x, p->point.y, "normal",
                                            p->normal.x, p->normal.y, "jn", row_to_json (p->body, p->jn), "jt",
                                            row_to_json (p->body, p->jt)));
  }
  return list;
}

static json_t *
tell_joints (SsappOracle *self)
{
  g_autofree SsRow *rows = g_new (SsRow, SS_JOINT_ROWS_MAX * self->scene->n_joints + 1);
  json_t *list = json_array ();

  ss_dynamics_set_time (self->dynamics, self->t);
  const int n = ss_dynamics_joint_rows (self->dynamics, self->q, self->v, rows);
  for (int i = 0; i < n; i++)
    json_array_append_new (
        list, json_pack ("{s:s, s:o, s:o, s:o, s:o}", "joint", self->scene->joints[rows[i].source].name, "phi",
                         ssapp_json_real (rows[i].phi), "rate_t", ssapp_json_real (rows[i].rate_t), "gdv",
                         ssapp_json_real (rows[i].gdv), "j", row_to_json (rows[i].body, rows[i].j)));
  return list;
}

/* ---- what may be asked ------------------------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  json_t *(*tell) (SsappOracle *self);
  gboolean needs_point; /* x, or q and v */
  const char *summary;
} Answer;

static const Answer answers_of_problem[] = {
    {"problem", tell_problem, FALSE,
     "sizes; x0; lower and upper of variables (null: none); rows that are such bounds; pairs [product, a, b] of "
     "inequalities (-1: none); where the matrices have entries; names of rows"},
    {"objective", tell_objective, TRUE, "J (x)"},
    {"gradient", tell_gradient, TRUE, "of J, n_variables"},
    {"rows", tell_rows, TRUE, "equalities (= 0), then inequalities (>= 0)"},
    {"jacobian", tell_jacobian, TRUE, "of the rows: values of its entries"},
    {"objective_hessian", tell_objective_hessian, TRUE, "of J: values of its lower triangle"},
    {"hessian", tell_hessian, TRUE, "sigma Hess J + sum of multipliers times Hess of rows: its lower triangle"},
};

static const Answer answers_of_scene[] = {
    {"scene", tell_scene, FALSE,
     "bodies, contacts, actuators, q and v at the start (x, y, theta of each body in turn), gravity, dt (null: "
     "steps differ), t_end, times at which steps end"},
    {"mass", tell_mass, FALSE, "diagonal of the mass matrix; 0 where nothing moves"},
    {"forces", tell_forces, TRUE, "generalised forces of gravity, springs, formulas, actuators [N], [N m]"},
    {"gaps", tell_gaps, TRUE, "smallest gap of each contact [m]"},
    {"points", tell_points, TRUE,
     "contact points with a gap of at most `band` [m] (0 unless given): contact, gap, mu, place, normal from a to b, "
     "rows "
     "of the normal and the tangential Jacobian"},
    {"joints", tell_joints, TRUE, "rows of the joints: phi, Jacobian j, rate_t, gdv"},
    {"controls", tell_controls, FALSE,
     "of a plan that is replayed: of each actuator what acts in the step whose start was told last [N], [N m]; null: "
     "the scene's formulas act"},
};

static const Answer *
answers_of (const SsappOracle *self, int *n)
{
  *n = self->mpcc != NULL ? (int)G_N_ELEMENTS (answers_of_problem) : (int)G_N_ELEMENTS (answers_of_scene);
  return self->mpcc != NULL ? answers_of_problem : answers_of_scene;
}

static json_t *
tell_questions (const SsappOracle *self)
{
  json_t *object = json_object ();
  int n;
  const Answer *answers = answers_of (self, &n);

  for (int i = 0; i < n; i++)
    json_object_set_new (object, answers[i].name, json_string (answers[i].summary));
  return object;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* n numbers; null is no number. FALSE with a sentence. */
static gboolean
take_numbers (const json_t *question, const char *name, double *values, int n, char **message)
{
  const json_t *list = json_object_get (question, name);

  for (int i = 0; i < n; i++) {
    const json_t *value = json_array_get (list, (size_t)i);
    values[i] = json_is_number (value) ? json_number_value (value) : NAN;
  }
  if (json_is_array (list) && json_array_size (list) == (size_t)n)
    return TRUE;
  *message = g_strdup_printf ("this needs \"%s\", a list of %d numbers", name, n);
  return FALSE;
}

static double
number_or (const json_t *question, const char *name, double fallback)
{
  const double value = ssapp_json_get_real (question, name);

  return isfinite (value) ? value : fallback;
}

static gboolean
take_point (SsappOracle *self, const json_t *question, char **message)
{
  if (self->mpcc != NULL)
    return take_numbers (question, "x", self->x, ss_mpcc_n_variables (self->mpcc), message);
  self->t = number_or (question, "t", 0);
  self->band = number_or (question, "band", 0);
  return take_numbers (question, "q", self->q, 3 * self->scene->n_bodies, message) &&
         (json_object_get (question, "v") == NULL ||
          take_numbers (question, "v", self->v, 3 * self->scene->n_bodies, message));
}

/* Controls may follow the state: those of later steps nobody knows yet. */
static gboolean
is_in_step (const SsappOracle *self, char **message)
{
  const double rounding = 1e-6 * (self->to - self->from);

  if (self->u == NULL || (self->t >= self->from - rounding && self->t <= self->to + rounding))
    return TRUE;
  *message =
      g_strdup_printf ("a plan is replayed: forces are known from t = %.9g s to %.9g s, the step whose start was "
                       "told last, not at t = %.9g s",
                       self->from, self->to, self->t);
  return FALSE;
}

static gboolean
answer (SsappOracle *self, const json_t *question, const char *name, json_t *reply, char **message)
{
  int n;
  const Answer *answers = answers_of (self, &n);

  if (strcmp (name, "questions") == 0) {
    json_object_set_new (reply, name, tell_questions (self));
    return TRUE;
  }
  for (int i = 0; i < n; i++) {
    if (strcmp (answers[i].name, name) != 0)
      continue;
    if ((answers[i].needs_point && !take_point (self, question, message)) ||
        (answers[i].tell == tell_forces && !is_in_step (self, message)))
      return FALSE;
    self->sigma = number_or (question, "sigma", 1);
    if (answers[i].tell == tell_hessian &&
        !take_numbers (question, "multipliers", self->multipliers, ss_mpcc_n_rows (self->mpcc), message))
      return FALSE;
    json_object_set_new (reply, name, answers[i].tell (self));
    return TRUE;
  }
  *message = g_strdup_printf ("nobody knows \"%.40s\"; {\"want\": [\"questions\"]} lists what may be asked", name);
  return FALSE;
}

json_t *
ssapp_oracle_reply (SsappOracle *self, const json_t *question)
{
  const json_t *want = json_object_get (question, "want"), *name;
  json_t *reply = json_pack ("{s:s}", "type", "reply");
  g_autofree char *message = NULL;
  size_t i;

  if (json_object_get (question, "id") != NULL)
    json_object_set (reply, "id", json_object_get (question, "id"));
  if (!json_is_array (want))
    message = g_strdup ("a question needs \"want\", a list of names; {\"want\": [\"questions\"]} lists them");
  json_array_foreach (want, i, name)
  {
    if (message == NULL && !json_is_string (name))
      message = g_strdup ("\"want\" must be a list of names");
    if (message != NULL || !answer (self, question, json_string_value (name), reply, &message))
      break;
  }
  if (message != NULL)
    json_object_set_new (reply, "error", json_string (message));
  return reply;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

SsappOracle *
ssapp_oracle_new_problem (const SsMpcc *mpcc, const double *x0, SsError *err)
{
  const int sizes[] = {ss_mpcc_n_variables (mpcc), ss_mpcc_n_rows (mpcc), n_entries (ss_mpcc_jacobian_pattern (mpcc)),
                       n_entries (ss_mpcc_objective_hessian_pattern (mpcc)),
                       n_entries (ss_mpcc_lagrangian_hessian_pattern (mpcc))};
  SsappOracle *self = g_new0 (SsappOracle, 1);
  int most = 1;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    most = MAX (most, sizes[i]);
  self->mpcc = mpcc;
  self->x0 = x0;
  self->x = g_new0 (double, sizes[0] + 1);
  self->multipliers = g_new0 (double, sizes[1] + 1);
  self->values = g_new0 (double, most);
  if (ss_mpcc_eval_new (mpcc, &self->eval, err) != SS_OK)
    g_clear_pointer (&self, ssapp_oracle_free);
  return self;
}

SsappOracle *
ssapp_oracle_new_scene (const SsScene *scene, double dt, double t_end, const SsControls *controls, SsError *err)
{
  g_return_val_if_fail (scene != NULL, NULL);
  SsappOracle *self = g_new0 (SsappOracle, 1);

  self->scene = scene;
  self->dt = dt;
  self->t_end = t_end;
  self->controls = controls;
  self->q = g_new0 (double, 3 * scene->n_bodies + 1);
  self->v = g_new0 (double, 3 * scene->n_bodies + 1);
  SsStatus status = ss_dynamics_new (scene, &self->dynamics, err);
  if (status == SS_OK)
    status = ss_contact_problem_new (scene, &self->problem, err);
  if (status != SS_OK)
    g_clear_pointer (&self, ssapp_oracle_free);
  return self;
}

void
ssapp_oracle_hold (SsappOracle *self, double from, double to, const double *u)
{
  g_return_if_fail (self != NULL && self->scene != NULL);
  self->from = from;
  self->to = to;
  self->u = u;
}

void
ssapp_oracle_free (SsappOracle *self)
{
  if (self == NULL)
    return;
  ss_mpcc_eval_free (self->eval);
  ss_contact_problem_free (self->problem);
  ss_dynamics_free (self->dynamics);
  g_free (self->x);
  g_free (self->multipliers);
  g_free (self->values);
  g_free (self->q);
  g_free (self->v);
  g_free (self);
}
