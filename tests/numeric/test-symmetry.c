/* tests/numeric/test-symmetry.c: the same scene seen by another: turned and moved, in a mirror, in other units, its
 * lists in another order. Every integrator then gives the same motion, seen so: all channels, metrics and events.
 *
 * The scene is changed as it was read, number by number by what ss-scenario.h says that it is; each channel and metric
 * by its unit and quantity. Nothing of the program helps there. */
#include "core/ss-memory.h"
#include "fesd/ss-event-driven.h"
#include "run/ss-run.h"
#include "simulate/ss-simulate.h"
#include "tests/ss-test-scenario.h"
#include "tests/ss-test-simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How the other one sees it: mirrored about the y axis, in units so many times smaller, turned, then moved. */
typedef struct {
  const char *name;
  bool is_mirrored, is_reversed; /* lists of bodies, contacts, joints, springs */
  double length, mass, time;     /* factors of their numbers */
  double turn;
  SsVec2 shift;
} View;

static const View views[] = {
    {"turned", false, false, 1, 1, 1, 2.3, {1.25, -0.75}},
    {"mirrored", true, false, 1, 1, 1, 0, {0, 0}},
    {"reversed", false, true, 1, 1, 1, 0, {0, 0}},
    {"other units", false, false, 2, 0.25, 4, 0, {0, 0}},
};
enum { N_VIEWS = sizeof views / sizeof *views, BODIES_MAX = 16, LIST_MAX = 64, VERTICES_MAX = 16, EVENTS_MAX = 100 };

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static double
angle_of (const View *view, double angle)
{
  return view->is_mirrored ? -angle : angle;
}

/* A direction or a place in a body's frame. */
static SsVec2
own_of (const View *view, SsVec2 v, double factor)
{
  return (SsVec2){factor * (view->is_mirrored ? -v.x : v.x), factor * v.y};
}

/* The same of the world's frame. */
static SsVec2
world_of (const View *view, SsVec2 v, double factor)
{
  const SsVec2 own = own_of (view, v, factor);
  const double c = cos (view->turn), s = sin (view->turn);
  return (SsVec2){c * own.x - s * own.y, s * own.x + c * own.y};
}

static SsVec2
place_of (const View *view, SsVec2 v)
{
  const SsVec2 at = world_of (view, v, view->length);
  return (SsVec2){at.x + view->shift.x, at.y + view->shift.y};
}

/* Factor of a unit's numbers: "N s", "rad/s"; those of no unit stay. */
static double
factor_of (const View *view, const char *unit)
{
  static const struct {
    const char *unit;
    int length, mass, time;
  } known[] = {{"", 0, 0, 0},       {"1", 0, 0, 0},    {"rad", 0, 0, 0},      {"s", 0, 0, 1},      {"1/s", 0, 0, -1},
               {"rad/s", 0, 0, -1}, {"m", 1, 0, 0},    {"m or rad", 1, 0, 0}, {"m/s", 1, 0, -1},   {"kg", 0, 1, 0},
               {"N", 1, 1, -2},     {"N s", 1, 1, -1}, {"N m", 2, 1, -2},     {"N m s", 2, 1, -1}, {"N s m", 2, 1, -1},
               {"J", 2, 1, -2},     {"N/m", 0, 1, -2}, {"N s/m", 0, 1, -1},   {"m/s^2", 1, 0, -2}, {"1/s2", 0, 0, -2}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp (known[i].unit, unit) == 0)
      return pow (view->length, known[i].length) * pow (view->mass, known[i].mass) * pow (view->time, known[i].time);
  printf ("  unknown unit %s\n", unit);
  SS_CHECK (false);
  return NAN;
}

/* ---- the scene, seen so ------------------------------------------------------------------------------------------ */

typedef struct {
  SsScenario scenario;
  SsScene scene;
  SsBody bodies[BODIES_MAX];
  SsShape shapes[LIST_MAX];
  SsVec2 vertices[LIST_MAX][VERTICES_MAX];
  SsContact contacts[LIST_MAX];
  SsJoint joints[LIST_MAX];
  SsSpring springs[LIST_MAX];
  int n_shapes;
} Seen;

static int
place_in (const View *view, int i, int n)
{
  return view->is_reversed ? n - 1 - i : i;
}

static int
body_in (const View *view, const SsScene *scene, int body)
{
  return body < 0 ? body : place_in (view, body, scene->n_bodies);
}

static void
see_shape (const View *view, Seen *seen, const SsShape *from)
{
  SsShape *to = &seen->shapes[seen->n_shapes];
  SsVec2 *vertices = seen->vertices[seen->n_shapes++];
  const int n = from->n_vertices;
  SS_CHECK (seen->n_shapes < LIST_MAX && n <= VERTICES_MAX);
  *to = *from;
  to->radius *= view->length;
  to->centre = own_of (view, from->centre, view->length);
  to->normal = own_of (view, from->normal, 1);
  for (int i = 0; i < n; i++) /* of a polygon counter-clockwise */
    vertices[i] = own_of (view, from->vertices[view->is_mirrored ? n - 1 - i : i], view->length);
  to->vertices = vertices;
}

static void
see_body (const View *view, Seen *seen, const SsBody *from, SsBody *to)
{
  const SsVec2 at = place_of (view, (SsVec2){from->q[0], from->q[1]});
  const SsVec2 v = world_of (view, (SsVec2){from->v[0], from->v[1]}, view->length / view->time);
  const SsShape *first = &seen->shapes[seen->n_shapes];
  *to = *from;
  for (int i = 0; i < from->n_shapes; i++)
    see_shape (view, seen, &from->shapes[i]);
  to->shape = *first;
  to->shapes = first;
  to->mass *= view->mass;
  to->inertia *= view->mass * view->length * view->length;
  memcpy (to->q, (double[3]){at.x, at.y, angle_of (view, from->q[2]) + view->turn}, sizeof to->q);
  memcpy (to->v, (double[3]){v.x, v.y, angle_of (view, from->v[2]) / view->time}, sizeof to->v);
  to->origin = own_of (view, from->origin, view->length);
  SS_CHECK (from->n_points == 0 && (view->turn == 0 || from->lock[0] == from->lock[1]));
}

static SsVec2
anchor_of (const View *view, int body, SsVec2 at)
{
  return body < 0 ? place_of (view, at) : own_of (view, at, view->length);
}

static void
see_joint (const View *view, const SsScene *scene, const SsJoint *from, SsJoint *to)
{
  const bool is_pin = from->kind == SS_JOINT_PIN, is_gear = from->kind == SS_JOINT_GEAR;
  const double force = factor_of (view, is_pin ? "N m" : "N"), speed = factor_of (view, is_pin ? "rad/s" : "m/s");
  const double turn = from->body_a < 0 ? view->turn : 0; /* by which angles to the world grow */
  *to = *from;
  to->body_a = body_in (view, scene, from->body_a);
  to->body_b = body_in (view, scene, from->body_b);
  to->anchor_a = anchor_of (view, from->body_a, from->anchor_a);
  to->anchor_b = anchor_of (view, from->body_b, from->anchor_b);
  to->axis = from->body_a < 0 ? world_of (view, from->axis, 1) : own_of (view, from->axis, 1);
  to->length *= view->length;
  to->radius[0] *= view->length;
  to->radius[1] *= view->length;
  to->angle = is_gear ? view->length * (angle_of (view, from->angle) + view->turn * (from->radius[0] + from->radius[1]))
                      : angle_of (view, from->angle) + turn;
  if (is_pin) {
    to->lower = (view->is_mirrored ? -from->upper : from->lower) + turn;
    to->upper = (view->is_mirrored ? -from->lower : from->upper) + turn;
    to->motor_speed = angle_of (view, from->motor_speed);
  } else {
    to->lower *= view->length;
    to->upper *= view->length;
  }
  to->motor_speed *= speed;
  to->friction *= force;
  to->motor_limit *= force;
  to->stiffness *= factor_of (view, "N/m");
  to->damping *= factor_of (view, "N s/m");
  SS_CHECK (from->n_over == 0 && from->kind != SS_JOINT_FORMULA);
}

static void
see_spring (const View *view, const SsScene *scene, const SsSpring *from, SsSpring *to)
{
  const double size = from->is_torsion ? view->length * view->length : 1;
  *to = *from;
  to->body_a = body_in (view, scene, from->body_a);
  to->body_b = body_in (view, scene, from->body_b);
  to->anchor_a = anchor_of (view, from->body_a, from->anchor_a);
  to->anchor_b = anchor_of (view, from->body_b, from->anchor_b);
  to->stiffness *= size * factor_of (view, "N/m");
  to->damping *= size * factor_of (view, "N s/m");
  to->rest =
      from->is_torsion ? angle_of (view, from->rest) + (from->body_a < 0 ? view->turn : 0) : from->rest * view->length;
}

static void
see_contact (const View *view, const SsScene *scene, const SsContact *from, SsContact *to)
{
  *to = *from;
  to->body_a = body_in (view, scene, from->body_a);
  to->body_b = body_in (view, scene, from->body_b);
  to->stiffness *= factor_of (view, "N/m");
  to->damping *= factor_of (view, "N s/m");
  to->rolling *= view->length;
  to->cohesion *= factor_of (view, "N");
}

static Seen *
see (const View *view, const SsScenario *scenario)
{
  const SsScene *from = scenario->scene;
  Seen *seen = ss_new (Seen);
  SS_CHECK (seen != NULL && from->n_bodies <= BODIES_MAX && from->n_contacts <= LIST_MAX);
  SS_CHECK (from->n_actuators + from->n_forces + from->n_measures + from->n_breaks == 0 && from->graph == NULL);
  seen->scenario = *scenario;
  seen->scene = *from;
  seen->scenario.scene = &seen->scene;
  seen->scenario.task.t_end *= view->time;
  seen->scenario.task.dt *= view->time;
  seen->scene.gravity = world_of (view, from->gravity, factor_of (view, "m/s^2"));
  seen->scene.bodies = seen->bodies;
  seen->scene.contacts = seen->contacts;
  seen->scene.joints = seen->joints;
  seen->scene.springs = seen->springs;
  seen->scene.material_of_body = NULL;
  for (int i = 0; i < from->n_bodies; i++)
    see_body (view, seen, &from->bodies[i], &seen->bodies[place_in (view, i, from->n_bodies)]);
  for (int i = 0; i < from->n_contacts; i++)
    see_contact (view, from, &from->contacts[i], &seen->contacts[place_in (view, i, from->n_contacts)]);
  for (int i = 0; i < from->n_joints; i++)
    see_joint (view, from, &from->joints[i], &seen->joints[place_in (view, i, from->n_joints)]);
  for (int i = 0; i < from->n_springs; i++)
    see_spring (view, from, &from->springs[i], &seen->springs[place_in (view, i, from->n_springs)]);
  return seen;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* An option that has another value than its default; spec -1: none has. */
typedef struct {
  int spec;
  double value;
} Choice;

/* Options with a unit are numbers of the other one's units, too. */
static SsStatus
run (const View *view, const SsMethod *method, const SsScenario *scenario, Choice choice, SsRunResult *result,
     SsError *err)
{
  const SsOptionTable *table = method->options;
  void *options = ss_alloc (1, table->size);
  ss_method_init_options (method, scenario, options);
  if (choice.spec >= 0)
    ss_options_give (table, options, &(SsOptionValue){table->specs[choice.spec].offset, choice.value}, 1);
  for (int i = 0; i < table->n_specs + table->n_inner; i++)
    if (table->specs[i].type == SS_OPTION_REAL && table->specs[i].unit[0] != '\0') {
      const double number = ss_options_get (table, options, i) * factor_of (view, table->specs[i].unit);
      const SsOptionValue value = {table->specs[i].offset,
                                   fmin (fmax (number, table->specs[i].minimum), table->specs[i].maximum)};
      ss_options_give (table, options, &value, 1);
    }
  const SsJob job = ss_job (method, scenario, options);
  const SsStatus status = ss_run (&job, NULL, result, err);
  ss_free (options);
  return status;
}

static const SsJoint *
joint_of (const SsScene *scene, const char *name)
{
  for (int i = 0; i < scene->n_joints; i++)
    if (strcmp (scene->joints[i].name, name) == 0)
      return &scene->joints[i];
  return NULL;
}

static const SsSpring *
spring_of (const SsScene *scene, const char *name)
{
  for (int i = 0; i < scene->n_springs; i++)
    if (strcmp (scene->springs[i].name, name) == 0)
      return &scene->springs[i];
  return NULL;
}

/* What the other one sees in that channel of a row. */
static double
value_of (const View *view, const SsScene *scene, const SsTrajectory *motion, const double *row, int c)
{
  const SsChannel *channel = &motion->channels[c];
  const double factor = factor_of (view, channel->unit), value = row[c] * factor;
  const SsJoint *joint = channel->owner == SS_OWNER_JOINT ? joint_of (scene, channel->owner_name) : NULL;
  const SsSpring *spring = channel->owner == SS_OWNER_SPRING ? spring_of (scene, channel->owner_name) : NULL;
  const bool turns = (joint != NULL && joint->kind == SS_JOINT_PIN) || (spring != NULL && spring->is_torsion);
  switch (channel->quantity) {
  case SS_QUANTITY_POSITION_X:
    return place_of (view, (SsVec2){row[c], row[c + 1]}).x;
  case SS_QUANTITY_POSITION_Y:
    return place_of (view, (SsVec2){row[c - 1], row[c]}).y;
  case SS_QUANTITY_ANGLE:
    return angle_of (view, value) + view->turn;
  case SS_QUANTITY_VELOCITY_X:
  case SS_QUANTITY_MOMENTUM_X:
  case SS_QUANTITY_REACTION_X:
    return world_of (view, (SsVec2){row[c], row[c + 1]}, factor).x;
  case SS_QUANTITY_VELOCITY_Y:
  case SS_QUANTITY_MOMENTUM_Y:
  case SS_QUANTITY_REACTION_Y:
    return world_of (view, (SsVec2){row[c - 1], row[c]}, factor).y;
  case SS_QUANTITY_ANGULAR_MOMENTUM: { /* about the world's origin */
    const SsVec2 p = world_of (view, (SsVec2){row[c - 2], row[c - 1]}, factor_of (view, "N s"));
    return angle_of (view, value) + view->shift.x * p.y - view->shift.y * p.x;
  }
  case SS_QUANTITY_ANGULAR_VELOCITY:
  case SS_QUANTITY_TANGENTIAL_FORCE:
  case SS_QUANTITY_TANGENTIAL_IMPULSE:
  case SS_QUANTITY_REACTION_MOMENT:
  case SS_QUANTITY_SLIP:
    return angle_of (view, value);
  case SS_QUANTITY_LIMIT_FORCE:
  case SS_QUANTITY_MOTOR_FORCE:
  case SS_QUANTITY_JOINT_FRICTION:
  case SS_QUANTITY_TENSION:
  case SS_QUANTITY_JOINT_FORCE:
    return turns ? angle_of (view, value) : value;
  default: /* of time-freezing the part of a side: to the left it is to the right */
    return view->is_mirrored && strncmp (channel->name, "alpha.", 6) == 0 &&
                   strcmp (channel->name + strlen (channel->name) - 2, ".t") == 0
               ? 1 - value
               : value;
  }
}

/* Rounding grows by what steps divide by and by impacts, and where a law is solved for, by what its solver leaves. Who
 * chooses steps by an error of all coordinates chooses others in a turned scene: those keep to their tolerance. */
static double
nearness_of (const SsMethod *method)
{
  return method->has_own_steps ? 0.02 : 1e-6;
}

/* The next two rows of one time, from those on; who makes a step smaller for rounding has rows of its own. */
static bool
find_pair (const View *view, const SsTrajectory *own, const SsTrajectory *other, int *i, int *j)
{
  for (; *i < own->n_rows && *j < other->n_rows;) {
    const double late = ss_trajectory_row (other, *j)[0] / view->time - ss_trajectory_row (own, *i)[0];
    if (fabs (late) <= 1e-8)
      return true;
    *(late > 0 ? i : j) += 1;
  }
  return false;
}

static void
compare_motions (const View *view, double near, const SsScene *scene, const SsTrajectory *own,
                 const SsTrajectory *other)
{
  SS_CHECK (own->n_channels == other->n_channels);
  for (int c = 0; c < own->n_channels; c++) {
    const SsChannel *channel = &own->channels[c];
    const int at = ss_trajectory_channel (other, channel->name);
    /* a force is an impulse over a step of a hundredth of a second */
    double worst = 0, size = factor_of (view, channel->unit) * (strchr (channel->unit, 'N') != NULL ? 100 : 1),
           start = 0;
    int n = 0;
    SS_CHECK (at >= 0);
    /* impulse time adds N s to s; drift is the larger of x and y */
    if (at < 0 || channel->quantity == SS_QUANTITY_IMPULSE_TIME ||
        (channel->quantity == SS_QUANTITY_DRIFT && view->turn != 0))
      continue;
    if (channel->quantity == SS_QUANTITY_POTENTIAL_ENERGY) /* of weights: up to a constant */
      start = other->values[at] - value_of (view, scene, own, own->values, c);
    for (int i = 0, j = 0; find_pair (view, own, other, &i, &j); i++, j++, n++) {
      const double expected = start + value_of (view, scene, own, ss_trajectory_row (own, i), c);
      const double found = ss_trajectory_row (other, j)[at];
      worst = fmax (worst, expected == found || (isnan (expected) && isnan (found)) ? 0
                           : isnan (expected - found)                               ? INFINITY
                                                                                    : fabs (expected - found) / size);
    }
    if (!(worst <= near))
      printf ("  %s differs by %.3g\n", channel->name, worst);
    SS_CHECK (worst <= near && n >= 0.8 * own->n_rows && n >= 0.8 * other->n_rows);
  }
}

/* Not what it took to compute them. */
static bool
is_of_the_motion (SsMetric metric)
{
  const char *name = ss_metric_spec (metric)->name;
  const size_t n = strlen (name);
  return strcmp (name, "work") != 0 && strcmp (name, "machine_load") != 0 && strstr (name, "iterations") == NULL &&
         (n < 8 || strcmp (name + n - 8, "_seconds") != 0);
}

static void
compare_metrics (const View *view, double near, const SsMetricSet *own, const SsMetricSet *other)
{
  for (SsMetric m = 0; m < SS_METRIC_COUNT; m++) {
    if (!is_of_the_motion (m) || (m == SS_METRIC_MAX_JOINT_DRIFT && view->turn != 0))
      continue;
    SS_CHECK (own->is_set[m] == other->is_set[m]);
    if (!own->is_set[m] || !other->is_set[m])
      continue;
    const double factor = factor_of (view, ss_metric_spec (m)->unit);
    double expected = own->value[m] * factor, found = other->value[m];
    if (m == SS_METRIC_ENERGY_INITIAL || m == SS_METRIC_ENERGY_FINAL) { /* up to a constant */
      expected -= own->value[SS_METRIC_ENERGY_INITIAL] * factor;
      found -= other->value[SS_METRIC_ENERGY_INITIAL];
    }
    if ((isnan (expected) && isnan (found)) || fabs (expected - found) <= near * fmax (factor, fabs (expected)))
      continue;
    printf ("  metric %s: %.9g, expected %.9g\n", ss_metric_spec (m)->name, found, expected);
    SS_CHECK (false);
  }
}

static bool
is_event (const View *view, double near, const SsScene *scene, const SsEvent *a, const SsEvent *b)
{
  const bool is_joint = a->kind == SS_EVENT_LIMIT || a->kind == SS_EVENT_LIMIT_LEFT;
  const double force = factor_of (view, "N s"), impulse = isnan (a->impulse) ? 0 : a->impulse * force;
  return a->kind == b->kind && a->is_exact == b->is_exact && a->is_following == b->is_following &&
         b->subject == place_in (view, a->subject, is_joint ? scene->n_joints : scene->n_contacts) &&
         fabs (b->t - a->t * view->time) <= near * view->time && isnan (a->impulse) == isnan (b->impulse) &&
         fabs ((isnan (b->impulse) ? 0 : b->impulse) - impulse) <= near * force;
}

/* A rope that begins taut is at its limit by rounding, and one that is told by rows by a length that is no unit's. Who
 * chooses its steps has impacts in others. */
static bool
is_sure (const View *view, const SsMethod *method, const SsEvent *event)
{
  const bool is_limit = event->kind == SS_EVENT_LIMIT || event->kind == SS_EVENT_LIMIT_LEFT;
  return !method->has_own_steps && (view->length == 1 || !is_limit || event->is_exact);
}

/* Those of one time stand in the order of the scene's lists. */
static void
compare_events (const View *view, const SsMethod *method, const SsScene *scene, const SsEventList *own,
                const SsEventList *other)
{
  const double near = nearness_of (method);
  bool is_taken[EVENTS_MAX] = {false};
  SS_CHECK ((own == NULL) == (other == NULL));
  if (own == NULL || other == NULL)
    return;
  SS_CHECK (own->n_items <= EVENTS_MAX && other->n_items <= EVENTS_MAX && own->n_left_out == other->n_left_out);
  for (int i = 0; i < own->n_items; i++) {
    int at = 0;
    while (at < other->n_items && (is_taken[at] || !is_event (view, near, scene, &own->items[i], &other->items[at])))
      at++;
    if (at < other->n_items)
      is_taken[at] = true;
    else if (is_sure (view, method, &own->items[i])) {
      printf ("  no event of kind %d at t = %.9g s\n", own->items[i].kind, own->items[i].t * view->time);
      SS_CHECK (false);
    }
  }
  for (int at = 0; at < other->n_items; at++)
    SS_CHECK (is_taken[at] || !is_sure (view, method, &other->items[at]));
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* A box, a disc and a rod with round ends fall on a half-plane that is inclined and on a fixed block. */
static const char falling[] =
    "{\"format\": 1, \"name\": \"falling\", \"scene\": {\"gravity\": [0.5, -9.81], \"friction\": 0.3, \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0.1, 1]}},"
    "{\"name\": \"block\", \"fixed\": true, \"position\": [1.1, 0], \"angle\": 0.2, \"shape\": {\"type\": \"box\", "
    "\"width\": 0.5, \"height\": 0.4}},"
    "{\"name\": \"box\", \"mass\": 1.3, \"position\": [0, 0.35], \"angle\": 0.1, \"velocity\": [0.7, -1], \"shape\": "
    "{\"type\": \"box\", \"width\": 0.5, \"height\": 0.3}},"
    "{\"name\": \"disc\", \"mass\": 0.6, \"position\": [0.55, 0.2], \"velocity\": [0.3, -0.4], \"shape\": "
    "{\"type\": \"circle\", \"radius\": 0.15}},"
    "{\"name\": \"rod\", \"mass\": 0.4, \"position\": [1.2, 0.45], \"angle\": 0.6, \"velocity\": [0.2, -1], "
    "\"shape\": {\"type\": \"capsule\", \"from\": [-0.2, 0], \"to\": [0.2, 0], \"radius\": 0.05}}"
    "], \"contacts\": \"all\"}, \"task\": {\"t_end\": 0.2, \"dt\": 0.01}}";

/* Wheels that a gear couples, one of them wound up; bodies that are welded and hang on a spring, one on a rod. */
static const char turning[] =
    "{\"format\": 1, \"name\": \"turning\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
    "{\"name\": \"a\", \"mass\": 2, \"position\": [0, 0], \"velocity\": [0, 0], \"shape\": {\"type\": \"circle\", "
    "\"radius\": 0.2}}, {\"name\": \"b\", \"mass\": 1, \"position\": [0.3, 0], \"shape\": {\"type\": \"circle\", "
    "\"radius\": 0.1}}, {\"name\": \"c\", \"mass\": 0.7, \"position\": [1, 0.4], \"velocity\": [0.3, 0], \"shape\": "
    "{\"type\": \"box\", \"width\": 0.2, \"height\": 0.1}}, {\"name\": \"d\", \"mass\": 0.4, \"position\": [1.2, 0.5], "
    "\"velocity\": [0.3, 0], \"angle\": 0.3, \"shape\": {\"type\": \"box\", \"width\": 0.1, \"height\": 0.3}}, "
    "{\"name\": \"e\", \"mass\": 0.6, "
    "\"position\": [-1, 0], \"velocity\": [0.4, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}"
    "], \"joints\": [{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"], \"anchor\": [0, 0]},"
    "{\"name\": \"q\", \"type\": \"pin\", \"bodies\": [\"world\", \"b\"], \"anchor\": [0.3, 0]},"
    "{\"name\": \"g\", \"type\": \"gear\", \"bodies\": [\"a\", \"b\"], \"radii\": [0.2, 0.1]},"
    "{\"name\": \"w\", \"type\": \"weld\", \"bodies\": [\"c\", \"d\"], \"anchor\": [1.1, 0.5]},"
    "{\"name\": \"r\", \"type\": \"rod\", \"bodies\": [\"world\", \"e\"], \"anchors\": [[-1, 0.5], [0, 0]]}"
    "], \"springs\": [{\"name\": \"k\", \"bodies\": [\"world\", \"d\"], \"anchors\": [[1.3, 1.2], [0, 0.15]], "
    "\"stiffness\": 20, \"damping\": 0.5, \"rest\": 0.3}, {\"name\": \"s\", \"torsion\": true, \"bodies\": "
    "[\"world\", \"a\"], \"stiffness\": 1.5, \"damping\": 0.1, \"rest\": 0.7}]}, \"task\": {\"t_end\": 0.2, \"dt\": "
    "0.01}}";

static const struct {
  const char *text, *file; /* of examples/ */
  double t_end, dt;        /* [s] */
} scenes[] = {
    {falling, NULL, 0.2, 0.01},
    {turning, NULL, 0.2, 0.01},
    {NULL, "classics/driven-arm", 0.2, 0.01},
    {NULL, "classics/four-bar", 0.2, 0.01},
    {NULL, "classics/slider-crank", 0.2, 0.01},
    {NULL, "classics/newtons-cradle", 0.2, 0.01},
    {NULL, "fesd-j/cradle", 0.2, 0.01},
    {NULL, "classics/tether", 0.2, 0.01},
    {NULL, "classics/rolling-discs", 0.2, 0.01},
    {NULL, "classics/sticky-ceiling", 0.2, 0.01},
    {NULL, "constraint-solver/pinned-bar", 0.2, 0.01},
};

/* Whether a choice's law has constants of its own in SI units: the paper's literal law weighs forces by 1/dt. */
static bool
is_in_si (const SsMethod *method, Choice choice)
{
  static const char *const in_si[] = {"law", "hertz", "rebound"};
  for (size_t i = 0; choice.spec >= 0 && i < sizeof in_si / sizeof *in_si; i++)
    if (strcmp (method->name, "constraint-solver") == 0 &&
        strcmp (method->options->specs[choice.spec].name, in_si[i]) == 0)
      return true;
  return false;
}

/* By that method with that choice, all views; what is refused is refused to all. */
static void
look (const SsScenario *scenario, const SsMethod *method, Choice choice)
{
  static const View own_view = {"", false, false, 1, 1, 1, 0, {0, 0}};
  SsRunResult own, other;
  SsError err = {0};
  const SsStatus status = run (&own_view, method, scenario, choice, &own, &err);
  for (int i = 0; i < N_VIEWS; i++) {
    const int failed = ss_test_failed_checks;
    if (views[i].length != 1 && is_in_si (method, choice))
      continue;
    Seen *seen = see (&views[i], scenario);
    SS_CHECK (run (&views[i], method, &seen->scenario, choice, &other, &err) == status);
    if (status == SS_OK) {
      SS_CHECK (own.outcome == other.outcome && own.n_motions == other.n_motions);
      if (own.n_motions > 0 && other.n_motions > 0)
        compare_motions (&views[i], nearness_of (method), scenario->scene, own.motions[0].trajectory,
                         other.motions[0].trajectory);
      compare_metrics (&views[i], nearness_of (method), &own.metrics, &other.metrics);
      compare_events (&views[i], method, scenario->scene, own.events, other.events);
    }
    if (ss_test_failed_checks > failed)
      printf ("  %s, %s, by %s %s = %g: %s, not %s\n", scenario->name, views[i].name, method->name,
              choice.spec >= 0 ? method->options->specs[choice.spec].name : "", choice.value, other.message,
              own.message);
    ss_run_result_clear (&other);
    ss_free (seen);
  }
  ss_run_result_clear (&own);
}

static void
everybody_sees_the_same_motion (void)
{
  const size_t n_scenes = sizeof scenes / sizeof *scenes, n = ss_test_is_coarse () ? n_scenes / 3 : n_scenes;
  for (size_t k = 0; k < n; k++) {
    char file[128];
    snprintf (file, sizeof file, "examples/%s.stickslip.json", scenes[k].file != NULL ? scenes[k].file : "");
    SsScenario *scenario =
        scenes[k].file != NULL ? ss_test_read_file (file, NULL, 0) : ss_test_read_text (scenes[k].text);
    scenario->task.t_end = scenes[k].t_end;
    scenario->task.dt = scenes[k].dt;
    for (int m = 0; m < ss_method_count (); m++) {
      const SsMethod *method = ss_method_at (m);
      if (method->kind == SS_METHOD_INTEGRATOR && method->is_built)
        look (scenario, method, (Choice){-1, 0});
    }
    ss_scenario_free (scenario);
  }
}

/* Choices whose order leaves larger errors than those compared, or that play every branch. */
static bool
is_exempt (const SsMethod *method, const SsOptionSpec *spec)
{
  static const char *const exempt[][2] = {
      {"event-driven", "scheme"}, {"fesd-j", "scheme"}, {"event-driven", "alternatives"}, {"fesd-j", "alternatives"}};
  for (size_t i = 0; i < sizeof exempt / sizeof *exempt; i++)
    if (strcmp (method->name, exempt[i][0]) == 0 && strcmp (spec->name, exempt[i][1]) == 0)
      return true;
  return false;
}

/* Each value of each option that is a choice. */
static void
by_every_choice (void)
{
  for (size_t k = 0; k < 2; k++) {
    SsScenario *scenario = ss_test_read_text (scenes[k].text);
    for (int m = 0; m < ss_method_count (); m++) {
      const SsMethod *method = ss_method_at (m);
      for (int i = 0; method->kind == SS_METHOD_INTEGRATOR && method->is_built && i < method->options->n_specs; i++) {
        const SsOptionSpec *spec = &method->options->specs[i];
        int n = spec->type == SS_OPTION_BOOLEAN ? 2 : 0;
        while (spec->type == SS_OPTION_CHOICE && spec->choices[n] != NULL)
          n++;
        for (int value = 0; value < n; value++)
          if (value != spec->fallback && !is_exempt (method, spec))
            look (scenario, method, (Choice){i, value});
      }
    }
    ss_scenario_free (scenario);
  }
}

/* A pin of a body that is locked at its centre says what the lock says, also where a formula rounds; `%s` is the pin or
 * nothing. */
static const char turns[] =
    "{\"format\": 1, \"name\": \"turns\", \"scene\": {\"gravity\": [0, 0], \"contacts\": [], \"bodies\": [{\"name\": "
    "\"arm\", \"mass\": 1, \"inertia\": 1, \"angle\": 1.5, \"position\": [0.3, 0.1], \"lock\": [\"x\", \"y\"], "
    "\"shape\": {\"type\": \"circle\", "
    "\"radius\": 0.1}}], \"joints\": [%s], \"forces\": [{\"name\": \"weight\", \"body\": \"arm\", \"torque\": "
    "\"-9.8*sin(arm.theta)\"}]}, \"task\": {\"t_end\": 0.2, \"dt\": 0.01}}";

static void
a_pin_that_says_what_a_lock_says_changes_nothing (void)
{
  static const View own_view = {"", false, false, 1, 1, 1, 0, {0, 0}};
  static const char *const pins[] = {
      "", "{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"arm\"], \"anchor\": [\"0.1 + 0.2\", 0.1]}"};
  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    double theta[2] = {NAN, NAN};
    for (int i = 0; i < 2 && method->kind == SS_METHOD_INTEGRATOR && method->is_built; i++) {
      char text[1024];
      SsRunResult result;
      SsError err = {0};
      snprintf (text, sizeof text, turns, pins[i]);
      SsScenario *scenario = ss_test_read_text (text);
      SS_CHECK (run (&own_view, method, scenario, (Choice){-1, 0}, &result, &err) == SS_OK);
      SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
      const SsTrajectory *motion = result.motions[0].trajectory;
      theta[i] = ss_trajectory_row (motion, motion->n_rows - 1)[ss_trajectory_channel (motion, "arm.theta")];
      ss_run_result_clear (&result);
      ss_scenario_free (scenario);
    }
    if (method->kind == SS_METHOD_INTEGRATOR && method->is_built && !(fabs (theta[1] - theta[0]) <= 0.011)) {
      printf ("  %s: %.9g rad with the pin, %.9g without\n", method->name, theta[1], theta[0]);
      SS_CHECK (false); /* what is free goes by schemes of first order, some of which err by 9.8 h t/2 = 0.0098 rad */
    }
  }
}

/* Two things that stand and a ball between that bounces off both, listed in every order: by each method the ball's
 * motion is the same. By the event-driven one it is the closed form, too. */
static void
no_matter_who_is_listed_first (void)
{
  static const char *const bodies[] = {
      "{\"name\": \"ball\", \"mass\": 1, \"position\": [0, 0.3], \"velocity\": [1.5, 0], \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.1}}",
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}",
      "{\"name\": \"wall\", \"fixed\": true, \"position\": [0.6, 0], \"shape\": {\"type\": \"half-plane\", \"normal\": "
      "[-1, 0]}}"};
  static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const char *const channels[] = {"ball.x", "ball.y", "ball.vx", "ball.vy"};
  const double e = 0.5, fall = sqrt (2 * 0.2 / 9.81), up = e * 9.81 * fall, t_end = 0.4, left = t_end - fall,
               meets = 0.5 / 1.5;
  const double wanted[] = {0.5 - 1.5 * e * (t_end - meets), 0.1 + up * left - 9.81 * left * left / 2, -1.5 * e,
                           up - 9.81 * left};
  int n_tried = 0;

  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    double first[4] = {0};
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
      char text[1200];
      snprintf (text, sizeof text,
                "{\"format\": 1, \"name\": \"corner\", \"scene\": {\"gravity\": [0, -9.81], \"restitution\": 0.5, "
                "\"bodies\": [%s, %s, %s], \"contacts\": \"all\"}, \"task\": {\"t_end\": 0.4, \"dt\": 0.005}}",
                bodies[orders[k][0]], bodies[orders[k][1]], bodies[orders[k][2]]);
      SsScenario *scenario = ss_test_read_text (text);
      SsTestRun run = ss_test_simulate (scenario->scene, method->integrator, NULL, 0.005, t_end, NULL);
      for (int c = 0; c < 4; c++) {
        const double last = ss_test_last_value (run.trajectory, channels[c]);
        if (k == 0)
          first[c] = last;
        SS_CHECK_NEAR (last, first[c], 1e-8); /* answers of steps' problems */
        if (method->integrator == &ss_integrator_event_driven)
          SS_CHECK_NEAR (last, wanted[c], 1e-8);
      }
      ss_trajectory_free (run.trajectory);
      ss_scenario_free (scenario);
    }
    n_tried++;
  }
  SS_CHECK (n_tried >= 8);
}

int
main (void)
{
  SS_RUN (a_pin_that_says_what_a_lock_says_changes_nothing);
  SS_RUN (everybody_sees_the_same_motion);
  SS_RUN (no_matter_who_is_listed_first);
  SS_RUN_SLOW (by_every_choice);
  return ss_test_finish ();
}
