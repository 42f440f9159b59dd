/* engine/transcribe/ss-transcribe-numbers.c: every number of a scene and its plan that a model may take. */
#include "transcribe/ss-transcribe-private.h"

typedef struct {
  SsTranscribeNumber *numbers; /* NULL: count only */
  int n;
} List;

static void
add (List *list, const char *owner, const char *what, const double *at, bool is_switch)
{
  if (list->numbers != NULL)
    list->numbers[list->n] = (SsTranscribeNumber){.at = at, .owner = owner, .what = what, .is_switch = is_switch};
  list->n++;
}

/* One that a loop changes. */
static void
add_followed (List *list, const char *owner, const char *what, const double *at, bool is_switch, bool follows)
{
  add (list, owner, what, at, is_switch);
  if (list->numbers != NULL)
    list->numbers[list->n - 1].follows = follows;
}

static void
add_vector (List *list, const char *owner, const char *what, const SsVec2 *at)
{
  add (list, owner, what, &at->x, false);
  add (list, owner, what, &at->y, false);
}

static void
add_body (List *list, const SsBody *body)
{
  static const char *const coordinates[6] = {"x", "y", "theta", "vx", "vy", "omega"};

  add (list, body->name, "mass", &body->mass, false);
  add (list, body->name, "inertia", &body->inertia, false);
  for (int k = 0; k < 3; k++)
    add_followed (list, body->name, coordinates[k], &body->q[k], false,
                  !body->is_fixed && (!body->lock[k] || body->v[k] != 0));
  /* a locked coordinate that rests is no variable */
  for (int k = 0; k < 3; k++)
    add_followed (list, body->name, coordinates[3 + k], &body->v[k], body->lock[k], !body->is_fixed && !body->lock[k]);
  for (int s = 0; s < body->n_shapes; s++) {
    const SsShape *shape = &body->shapes[s];

    add (list, body->name, "radius", &shape->radius, false);
    add_vector (list, body->name, "centre", &shape->centre);
    add_vector (list, body->name, "normal", &shape->normal);
    for (int i = 0; i < shape->n_vertices; i++)
      add_vector (list, body->name, "vertex", &shape->vertices[i]);
  }
}

static void
add_scene (List *list, const SsScene *scene)
{
  add_vector (list, "scene", "gravity", &scene->gravity);
  for (int i = 0; i < scene->slot_t - scene->slot_parameters; i++)
    add (list, "scene", "parameter", &scene->parameter_values[i], false);
  for (int b = 0; b < scene->n_bodies; b++)
    add_body (list, &scene->bodies[b]);
  for (int j = 0; j < scene->n_joints; j++) {
    const SsJoint *joint = &scene->joints[j];

    add_vector (list, joint->name, "anchor", &joint->anchor_a);
    add_vector (list, joint->name, "anchor", &joint->anchor_b);
    add_vector (list, joint->name, "axis", &joint->axis);
    add (list, joint->name, "length", &joint->length, false);
    add (list, joint->name, "angle", &joint->angle, false);
    add (list, joint->name, "radius", &joint->radius[0], false);
    add (list, joint->name, "radius", &joint->radius[1], false);
    for (int i = 0; i < joint->n_over; i++)
      add_vector (list, joint->name, "over", &joint->over[i].anchor);
    add (list, joint->name, "lower", &joint->lower, false);
    add (list, joint->name, "upper", &joint->upper, false);
  }
  for (int i = 0; i < scene->n_springs; i++) {
    const SsSpring *spring = &scene->springs[i];

    add_vector (list, spring->name, "anchor", &spring->anchor_a);
    add_vector (list, spring->name, "anchor", &spring->anchor_b);
    add (list, spring->name, "stiffness", &spring->stiffness, false);
    add (list, spring->name, "damping", &spring->damping, true);
    add (list, spring->name, "rest", &spring->rest, true);
  }
  for (int i = 0; i < scene->n_actuators; i++) {
    const SsActuator *actuator = &scene->actuators[i];

    add_vector (list, actuator->name, "direction", &actuator->direction);
    add_vector (list, actuator->name, "anchor", &actuator->anchor);
    add (list, actuator->name, "lower", &actuator->lower, false);
    add (list, actuator->name, "upper", &actuator->upper, false);
  }
}

static void
add_plan (List *list, const SsScene *scene, const SsPlan *plan)
{
  for (int i = 0; i < plan->n_candidates; i++) {
    const SsContact *contact = &scene->contacts[plan->candidates[i]];

    add (list, contact->name, "friction", &contact->mu, true);
  }
  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      add_followed (list, scene->bodies[plan->targets[i].body].name, "target", &plan->targets[i].value[c], false, true);
      add (list, scene->bodies[plan->targets[i].body].name, "weight", &plan->targets[i].weight[c], true);
    }
  for (int i = 0; i < plan->n_bounds; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      add (list, scene->bodies[plan->bounds[i].body].name, "lower", &plan->bounds[i].lower[c], false);
      add (list, scene->bodies[plan->bounds[i].body].name, "upper", &plan->bounds[i].upper[c], false);
    }
  for (int a = 0; plan->effort != NULL && a < scene->n_actuators; a++)
    add (list, scene->actuators[a].name, "effort", &plan->effort[a], true);
  add (list, "task", "effort_rate", &plan->effort_rate, true);
  add (list, "task", "time_weight", &plan->time_weight, true);
  add (list, "task", "time_lower", &plan->time_lower, false);
  add (list, "task", "time_upper", &plan->time_upper, false);
}

int
ss_transcribe_list_numbers (const SsScene *scene, const SsPlan *plan, SsTranscribeNumber *numbers)
{
  List list = {numbers, 0};

  add_scene (&list, scene);
  add_plan (&list, scene, plan);
  return list.n;
}
