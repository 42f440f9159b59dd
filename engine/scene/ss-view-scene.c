/* engine/scene/ss-view-scene.c: the marks of a scene: shapes, centres of mass, contacts, joints, springs, actuators,
 * goals.
 *
 * Order of the marks: the first shape of each body (so that mark i is body i), centres of the free bodies,
 * contacts (a force and the points of each), the other shapes, joints, springs, actuators, measures, notes, the
 * shapes of the bodies at their targets. A scene of so many contacts that not all have channels shows points found
 * by a broad phase, and the forces of those contacts that have channels. */
#include "geometry/ss-broadphase.h"
#include "scene/ss-measure.h"
#include "scene/ss-scenario-private.h"
#include "scene/ss-coupling.h"
#include "scene/ss-view-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Contact points are shown below this gap [m]: far above what solvers leave at a closed contact (1e-8), and below the
 * width of a line at any zoom at which a body fills the window. */
#define CONTACT_SHOWN_GAP 1e-4
/* Half length of a slider's guide without limits, in radii of the body that slides. */
#define GUIDE_RADII 2.0

/* Of a target's marks, before the name of its body. */
#define GOAL_PREFIX "Goal: "

enum {
  POINTS_PER_CONTACT_MAX = 8, /* of bodies with several shapes */
  POINTS_PER_BODY = 8, /* where points are found by a broad phase: a wall of bricks that touch at their sides, too,
                               * has 6 a brick */
};

typedef struct {
  int channels[3];   /* x, y, theta; -1: keeps its initial value */
  int velocities[2]; /* vx, vy; -1: absent */
} BodySource;

struct SsSceneView {
  const SsScene *scene; /* borrowed */
  double *poses;        /* 3 a body */
  BodySource *bodies;
  SsViewContact *contacts; /* those with an arrow */
  int *points_of_contact;  /* their marks of points; NULL: points are found by a broad phase */
  int *actuators;          /* channels u.<name>, -1 if absent */
  int n_contacts;          /* with an arrow */
  int n_centres, n_points, n_extra_shapes;
  const SsPlan *plan;                                   /* borrowed; NULL: nothing is to be reached */
  char (*goal_names)[SS_NAME_MAX + sizeof GOAL_PREFIX]; /* of the targets                     */
  int n_goals;                                          /* marks                                    */
  SsVec2 *lines;                                        /* of gears and ropes, a joint and line after the other */
  int n_gears;                                          /* whose second wheels have marks behind the joints'    */
  int n_velocities; /* arrows of free bodies: all of them where the motion is told by a second clock, else none */

  /* many contacts */
  SsBroadphase *broadphase; /* NULL when contacts have marks of their own */
  SsBox *boxes;             /* of all shapes */
  int *body_of_shape, *first_shape;
};

/* ---- life -------------------------------------------------------------------------------------------------------- */

static int
find_owned_channel (const SsNames *channels, const char *owner, const char *channel)
{
  char name[4 * SS_NAME_MAX];
  const SsSymbol *symbol;

  snprintf (name, sizeof name, "%s.%s", owner, channel);
  symbol = ss_names_find (channels, name, strlen (name));
  return symbol != NULL ? symbol->index : -1;
}

static SsStatus
bind_channels (SsSceneView *view, const SsNames *channels, SsError *err)
{
  const SsScene *scene = view->scene;

  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];

    memcpy (view->poses + 3 * i, body->q, sizeof body->q);
    for (int c = 0; c < 3; c++) {
      view->bodies[i].channels[c] = find_owned_channel (channels, body->name, ss_body_channels[c]);
      if (view->bodies[i].channels[c] < 0 && !body->is_fixed)
        return ss_error_set (err, SS_ERR_INVALID, "the trajectory has no channel '%s.%s'", body->name,
                             ss_body_channels[c]);
    }
    for (int c = 0; c < 2; c++)
      view->bodies[i].velocities[c] = find_owned_channel (channels, body->name, ss_body_channels[3 + c]);
  }
  for (int i = 0; i < view->n_contacts; i++) {
    SsViewContact *source = &view->contacts[i];
    const char *name = scene->contacts[source->contact].name;

    source->gap = find_owned_channel (channels, name, "gap");
    source->force_n = find_owned_channel (channels, name, "lambda_n");
    source->force_t = find_owned_channel (channels, name, "lambda_t");
    source->impulse_n = find_owned_channel (channels, name, "impulse_n");
    source->impulse_t = find_owned_channel (channels, name, "impulse_t");
  }
  for (int i = 0; i < scene->n_actuators; i++)
    view->actuators[i] = find_owned_channel (channels, "u", scene->actuators[i].name);
  return SS_OK;
}

/* The contacts with an arrow: all of a scene whose contacts have channels, else those that have them in this motion,
 * which lists contacts in the scene's order. */
static SsStatus
choose_contacts (SsSceneView *view, const SsChannel *channels, int n_channels, SsError *err)
{
  const SsScene *scene = view->scene;
  const int n_all = ss_scene_n_channel_contacts (scene);
  int n_most = n_all;

  for (int c = 0; c < n_channels && n_all == 0; c++)
    n_most += channels[c].owner == SS_OWNER_CONTACT && channels[c].quantity == SS_QUANTITY_NORMAL_FORCE;
  view->contacts = ss_new_array (SsViewContact, n_most + 1);
  if (view->contacts == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  for (int i = 0; i < n_all; i++)
    view->contacts[view->n_contacts++].contact = i;
  for (int c = 0, i = 0; c < n_channels && n_all == 0; c++) {
    if (channels[c].owner != SS_OWNER_CONTACT || channels[c].quantity != SS_QUANTITY_NORMAL_FORCE ||
        channels[c].owner_name == NULL)
      continue;
    while (i < scene->n_contacts && strcmp (scene->contacts[i].name, channels[c].owner_name) != 0)
      i++;
    if (i == scene->n_contacts) /* channels of another scene */
      break;
    view->contacts[view->n_contacts++].contact = i++;
  }
  return SS_OK;
}

/* A broad phase over all shapes. */
static SsStatus
prepare_broadphase (SsSceneView *view, int n_shapes, SsError *err)
{
  const SsScene *scene = view->scene;
  bool *is_fixed = ss_new_array (bool, n_shapes + 1);
  SsStatus status = SS_ERR_MEMORY;
  int n = 0;

  view->boxes = ss_new_array (SsBox, n_shapes + 1);
  view->body_of_shape = ss_new_array (int, n_shapes + 1);
  view->first_shape = ss_new_array (int, scene->n_bodies + 1);
  if (is_fixed != NULL && view->boxes != NULL && view->body_of_shape != NULL && view->first_shape != NULL) {
    for (int i = 0; i < scene->n_bodies; i++) {
      view->first_shape[i] = n;
      for (int s = 0; s < scene->bodies[i].n_shapes; s++, n++) {
        view->body_of_shape[n] = i;
        is_fixed[n] = ss_body_is_immovable (&scene->bodies[i]);
      }
    }
    status = ss_broadphase_new (n_shapes, view->body_of_shape, is_fixed, &view->broadphase, err);
  } else {
    ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  }
  ss_free (is_fixed);
  return status;
}

/* Marks of points of each contact. */
static SsStatus
count_points (SsSceneView *view, SsError *err)
{
  const SsScene *scene = view->scene;

  view->points_of_contact = ss_new_array (int, view->n_contacts + 1);
  if (view->points_of_contact == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  for (int i = 0; i < view->n_contacts; i++) {
    int n = SS_MANIFOLD_MAX * scene->bodies[scene->contacts[i].body_a].n_shapes *
            scene->bodies[scene->contacts[i].body_b].n_shapes;

    view->points_of_contact[i] = n < POINTS_PER_CONTACT_MAX ? n : POINTS_PER_CONTACT_MAX;
    view->n_points += view->points_of_contact[i];
  }
  return SS_OK;
}

/* A target of velocities only has no place. */
static bool
has_pose (const SsPlanTarget *target)
{
  return !isnan (target->value[0]) || !isnan (target->value[1]) || !isnan (target->value[2]);
}

SsStatus
ss_scene_view_new (const SsScene *scene, const SsPlan *plan, const SsNames *names, const SsChannel *channels,
                   int n_channels, bool with_velocities, SsSceneView **out, SsError *err)
{
  SS_ASSERT (n_channels >= 0 && out != NULL);

  SsSceneView *view = ss_new (SsSceneView);
  SsStatus status;

  *out = NULL;
  if (view == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  view->scene = scene;
  view->plan = plan;
  status = choose_contacts (view, channels, n_channels, err);
  if (status != SS_OK)
    goto fail;
  view->poses = ss_new_array (double, 3 * scene->n_bodies + 1);
  view->bodies = ss_new_array (BodySource, scene->n_bodies + 1);
  view->actuators = ss_new_array (int, scene->n_actuators + 1);
  int n_vertices = 0;
  for (int i = 0; i < scene->n_joints; i++) {
    view->n_gears += scene->joints[i].kind == SS_JOINT_GEAR;
    n_vertices += ss_coupling_n_vertices (&scene->joints[i], 0) + ss_coupling_n_vertices (&scene->joints[i], 1);
  }
  view->lines = ss_new_array (SsVec2, n_vertices + 1);
  view->goal_names = ss_alloc ((plan != NULL ? (size_t)plan->n_targets : 0) + 1, sizeof *view->goal_names);
  if (view->goal_names == NULL || view->poses == NULL || view->bodies == NULL || view->actuators == NULL ||
      view->lines == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
    goto fail;
  }
  for (int i = 0; i < scene->n_bodies; i++) {
    view->n_centres += !scene->bodies[i].is_fixed;
    view->n_extra_shapes += scene->bodies[i].n_shapes - 1;
  }
  view->n_velocities = with_velocities ? view->n_centres : 0;
  for (int i = 0; plan != NULL && i < plan->n_targets; i++) {
    snprintf (view->goal_names[i], sizeof view->goal_names[i], GOAL_PREFIX "%s",
              scene->bodies[plan->targets[i].body].name);
    if (has_pose (&plan->targets[i]))
      view->n_goals += scene->bodies[plan->targets[i].body].n_shapes;
  }
  if (scene->n_contacts > ss_scene_n_channel_contacts (scene)) {
    view->n_points = POINTS_PER_BODY * scene->n_bodies;
    status = prepare_broadphase (view, scene->n_bodies + view->n_extra_shapes, err);
  } else {
    status = count_points (view, err);
  }
  if (status != SS_OK)
    goto fail;
  status = bind_channels (view, names, err);
  if (status != SS_OK)
    goto fail;
  *out = view;
  return SS_OK;

fail:
  ss_scene_view_free (view);
  return status;
}

void
ss_scene_view_free (SsSceneView *view)
{
  if (view == NULL)
    return;
  ss_free (view->poses);
  ss_free (view->lines);
  ss_free (view->bodies);
  ss_free (view->contacts);
  ss_free (view->points_of_contact);
  ss_free (view->actuators);
  ss_free (view->goal_names);
  ss_free (view->boxes);
  ss_free (view->body_of_shape);
  ss_free (view->first_shape);
  ss_broadphase_free (view->broadphase);
  ss_free (view);
}

int
ss_scene_view_n_marks (const SsSceneView *view)
{
  SS_ASSERT (view != NULL);

  const SsScene *scene = view->scene;

  return scene->n_bodies + view->n_centres + view->n_contacts + view->n_points + view->n_extra_shapes +
         scene->n_joints + view->n_gears + scene->n_springs + scene->n_actuators + scene->n_measures + scene->n_notes +
         view->n_goals + view->n_velocities;
}

/* ---- what stays the same ----------------------------------------------------------------------------------------- */

/* A shape of a body at a pose of the body's frame. */
static void
place_shape (const double pose[3], const SsShape *shape, SsMark *mark)
{
  SsVec2 shift;

  mark->position = (SsVec2){pose[0], pose[1]};
  mark->angle = pose[2];
  if ((shape->kind == SS_SHAPE_CIRCLE || shape->kind == SS_SHAPE_HALF_PLANE) &&
      (shape->centre.x != 0 || shape->centre.y != 0)) {
    shift = ss_vec2_turned (shape->centre, pose[2]);
    mark->position = (SsVec2){pose[0] + shift.x, pose[1] + shift.y};
  }
  /* Direction of a half-plane's surface in the body frame: matter lies to the right of it, that is below when it points
   * along +x. */
  if (shape->kind == SS_SHAPE_HALF_PLANE)
    mark->angle += atan2 (-shape->normal.x, shape->normal.y);
}

static SsMark
shape_mark (const SsBody *body, const SsShape *shape)
{
  static const SsMarkKind kinds[] = {[SS_SHAPE_CIRCLE] = SS_MARK_CIRCLE,
                                     [SS_SHAPE_POLYGON] = SS_MARK_POLYGON,
                                     [SS_SHAPE_HALF_PLANE] = SS_MARK_HALF_PLANE,
                                     [SS_SHAPE_CAPSULE] = SS_MARK_CAPSULE,
                                     [SS_SHAPE_SEGMENT] = SS_MARK_CAPSULE};

  return (SsMark){.kind = kinds[shape->kind],
                  .role = body->is_fixed ? SS_ROLE_FIXED : SS_ROLE_BODY,
                  .name = body->name,
                  .color = body->color,
                  .visible = true,
                  .radius = shape->radius,
                  .n_vertices = shape->n_vertices,
                  .vertices = shape->vertices};
}

static SsMark
joint_mark (const SsJoint *joint)
{
  SsMark mark = {.kind = SS_MARK_POINT, .role = SS_ROLE_GUIDE, .name = joint->name, .color = "", .visible = true};

  if (joint->kind == SS_JOINT_SLIDER || joint->kind == SS_JOINT_ROD ||
      (joint->kind == SS_JOINT_FORMULA && joint->body_a >= 0))
    mark.kind = SS_MARK_SEGMENT;
  if (joint->kind == SS_JOINT_GEAR || joint->kind == SS_JOINT_ROPE)
    mark.kind = joint->kind == SS_JOINT_GEAR ? SS_MARK_GEAR : SS_MARK_ROPE;
  if (joint->kind == SS_JOINT_ROD)
    mark.role = SS_ROLE_BODY;
  else if (joint->kind == SS_JOINT_WELD)
    mark.role = SS_ROLE_FIXED;
  return mark;
}

/* Of all joints, then of the second wheels of gears; teeth stay as they are from now on. */
static void
prepare_joints (const SsSceneView *view, SsMark *mark)
{
  const SsScene *scene = view->scene;
  SsMark *second = mark + scene->n_joints;
  SsVec2 *line = view->lines;

  for (int i = 0; i < scene->n_joints; i++) {
    const SsJoint *joint = &scene->joints[i];
    mark[i] = joint_mark (joint);
    for (int k = 0; k < 1 + (joint->kind == SS_JOINT_GEAR); k++) {
      SsMark *of = k == 0 ? &mark[i] : second++;
      const int n = ss_coupling_n_vertices (joint, k);
      *of = joint_mark (joint);
      of->n_vertices = n;
      of->vertices = n > 0 ? line : NULL;
      of->radius = joint->kind == SS_JOINT_GEAR && !ss_gear_is_belt (joint) ? fabs (joint->radius[k]) : 0;
      of->visible = joint->kind != SS_JOINT_GEAR || n > 0;
      if (of->radius > 0)
        ss_coupling_teeth (scene, joint, k, line);
      line += n;
    }
  }
}

static SsMark
force_mark (const SsContact *contact)
{
  return (SsMark){.kind = SS_MARK_ARROW, .role = SS_ROLE_FORCE, .name = contact->name, .color = "", .of_contact = true};
}

/* The shapes of a body where it shall be; what is free is as at the start. */
static SsMark *
prepare_goal (const SsSceneView *view, int index, SsMark *mark)
{
  const SsPlanTarget *target = &view->plan->targets[index];
  const SsBody *body = &view->scene->bodies[target->body];
  double pose[3];

  for (int c = 0; c < 3; c++)
    pose[c] = isnan (target->value[c]) ? body->q[c] : target->value[c];
  for (int s = 0; s < body->n_shapes && has_pose (target); s++, mark++) {
    *mark = shape_mark (body, &body->shapes[s]);
    mark->role = SS_ROLE_GOAL;
    mark->name = view->goal_names[index];
    place_shape (pose, &body->shapes[s], mark);
  }
  return mark;
}

void
ss_scene_view_prepare (const SsSceneView *view, SsMark *mark)
{
  SS_ASSERT (view != NULL);

  const SsScene *scene = view->scene;

  for (int i = 0; i < scene->n_bodies; i++, mark++) {
    *mark = shape_mark (&scene->bodies[i], &scene->bodies[i].shapes[0]);
    mark->trace = !scene->bodies[i].is_fixed;
  }
  for (int i = 0; i < scene->n_bodies; i++)
    if (!scene->bodies[i].is_fixed)
      *mark++ = (SsMark){
          .kind = SS_MARK_POINT, .role = SS_ROLE_CENTRE, .name = scene->bodies[i].name, .color = "", .visible = true};
  for (int i = 0; i < view->n_contacts; i++)
    *mark++ = force_mark (&scene->contacts[view->contacts[i].contact]);
  for (int i = 0; view->broadphase == NULL && i < view->n_contacts; i++)
    for (int k = 0; k < view->points_of_contact[i]; k++)
      *mark++ = (SsMark){.kind = SS_MARK_POINT, .role = SS_ROLE_CONTACT, .name = scene->contacts[i].name, .color = ""};
  for (int i = 0; view->broadphase != NULL && i < view->n_points; i++)
    *mark++ = (SsMark){.kind = SS_MARK_POINT, .role = SS_ROLE_CONTACT, .name = "", .color = ""};
  for (int i = 0; i < scene->n_bodies; i++)
    for (int s = 1; s < scene->bodies[i].n_shapes; s++)
      *mark++ = shape_mark (&scene->bodies[i], &scene->bodies[i].shapes[s]);
  prepare_joints (view, mark);
  mark += scene->n_joints + view->n_gears;
  for (int i = 0; i < scene->n_springs; i++)
    *mark++ = (SsMark){.kind = scene->springs[i].is_torsion ? SS_MARK_POINT : SS_MARK_SPRING,
                       .role = SS_ROLE_GUIDE,
                       .name = scene->springs[i].name,
                       .color = "",
                       .visible = true};
  for (int i = 0; i < scene->n_actuators; i++)
    *mark++ = (SsMark){.kind = SS_MARK_ARROW, .role = SS_ROLE_FORCE, .name = scene->actuators[i].name, .color = ""};
  for (int i = 0; i < scene->n_measures; i++)
    *mark++ = (SsMark){.kind = scene->measures[i].is_angle ? SS_MARK_ANGLE : SS_MARK_DISTANCE,
                       .role = SS_ROLE_GUIDE,
                       .name = scene->measures[i].name,
                       .color = "",
                       .visible = true};
  for (int i = 0; i < scene->n_notes; i++)
    *mark++ = (SsMark){.kind = SS_MARK_NOTE,
                       .role = SS_ROLE_GUIDE,
                       .name = scene->notes[i].name,
                       .color = "",
                       .visible = true,
                       .position = scene->notes[i].at,
                       .text = scene->notes[i].text};
  for (int i = 0; view->plan != NULL && i < view->plan->n_targets; i++)
    mark = prepare_goal (view, i, mark);
  for (int i = 0; i < view->n_velocities; i++)
    *mark++ = (SsMark){.kind = SS_MARK_ARROW, .role = SS_ROLE_VELOCITY, .name = "", .color = ""};
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static const double *
pose_of (const SsSceneView *view, int body)
{
  return view->poses + 3 * body;
}

/* A point of a body (of the world, -1) in the world. */
static SsVec2
world_point (const SsSceneView *view, int body, SsVec2 p)
{
  SsVec2 r;

  if (body < 0)
    return p;
  r = ss_vec2_turned (p, pose_of (view, body)[2]);
  return (SsVec2){pose_of (view, body)[0] + r.x, pose_of (view, body)[1] + r.y};
}

/* One contact: the force on the second body (on the first if the second cannot move) and the points that touch, as many
 * as there are marks. */
static void
place_contact (const SsSceneView *view, const SsContact *contact, double force, SsMark *arrow, SsMark *points,
               int n_points)
{
  const SsScene *scene = view->scene;
  const SsBody *a = &scene->bodies[contact->body_a], *b = &scene->bodies[contact->body_b];
  bool on_a = ss_body_is_immovable (b);
  SsGap gaps[SS_MANIFOLD_MAX], lowest = {.phi = INFINITY};
  SsVec2 sum = {0, 0};
  int n_touching = 0, n_shown = 0;

  for (int pair = 0; pair < a->n_shapes * b->n_shapes; pair++) {
    int n = ss_geometry_manifold (&a->shapes[pair / b->n_shapes], pose_of (view, contact->body_a),
                                  &b->shapes[pair % b->n_shapes], pose_of (view, contact->body_b), gaps);

    if (n > 0 && gaps[0].phi < lowest.phi)
      lowest = gaps[0];
    for (int i = 0; i < n; i++) {
      SsVec2 p = on_a ? gaps[i].point_a : gaps[i].point_b;

      if (gaps[i].phi >= CONTACT_SHOWN_GAP || n_touching == POINTS_PER_CONTACT_MAX)
        continue;
      if (n_shown < n_points) {
        points[n_shown].position = p;
        points[n_shown++].visible = true;
      }
      n_touching++;
      sum.x += p.x;
      sum.y += p.y;
    }
  }
  if (!(lowest.phi < INFINITY) || !(force > 0) || !isfinite (force))
    return;
  if (n_touching > 0)
    arrow->position = (SsVec2){sum.x / n_touching, sum.y / n_touching};
  else
    arrow->position = on_a ? lowest.point_a : lowest.point_b;
  arrow->vector = (SsVec2){(on_a ? -force : force) * lowest.normal.x, (on_a ? -force : force) * lowest.normal.y};
  arrow->visible = true;
}

/* One contact by what the row says of it; n_points marks of points. */
static void
frame_contact (const SsSceneView *view, const double *row, int index, SsMark *arrow, SsMark *points, int n_points)
{
  const SsViewContact *source = &view->contacts[index];
  const double force = source->force_n >= 0 ? row[source->force_n] : 0;

  arrow->visible = false;
  for (int i = 0; i < n_points; i++)
    points[i].visible = false;
  /* Most pairs are far apart: no geometry for those. */
  if ((source->gap >= 0 && row[source->gap] > CONTACT_SHOWN_GAP && !(force > 0)) || (n_points == 0 && !(force > 0)))
    return;
  place_contact (view, &view->scene->contacts[source->contact], force, arrow, points, n_points);
}

const SsViewContact *
ss_scene_view_contacts (const SsSceneView *view, int *n)
{
  SS_ASSERT (view != NULL && n != NULL);
  *n = view->n_contacts;
  return view->contacts;
}

int
ss_scene_view_contact_forces (const SsSceneView *view, const SsContactRow *contacts, int n_contacts, SsMark *marks,
                              int n_marks)
{
  SS_ASSERT (n_contacts >= 0 && n_marks >= 0);

  int n = 0;

  for (int i = 0; i < n_contacts && n < n_marks; i++) {
    const int contact = contacts[i].contact;

    if (contact < 0 || contact >= view->scene->n_contacts || !(contacts[i].lambda_n > 0))
      continue;
    marks[n] = force_mark (&view->scene->contacts[contact]);
    place_contact (view, &view->scene->contacts[contact], contacts[i].lambda_n, &marks[n], NULL, 0);
    n += marks[n].visible;
  }
  return n;
}

/* Points where shapes touch, of all pairs: as many as there are marks. */
static void
frame_many_contacts (SsSceneView *view, SsMark *points)
{
  const SsScene *scene = view->scene;
  const SsBroadphasePair *pairs;
  SsGap gaps[SS_MANIFOLD_MAX];
  int n_pairs, n_shown = 0;

  for (int i = 0; i < view->n_points; i++)
    points[i].visible = false;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int s = 0; s < scene->bodies[i].n_shapes; s++)
      view->boxes[view->first_shape[i] + s] =
          ss_shape_box (&scene->bodies[i].shapes[s], pose_of (view, i), CONTACT_SHOWN_GAP);
  if (ss_broadphase_update (view->broadphase, view->boxes, &pairs, &n_pairs, NULL) != SS_OK)
    return; /* out of memory: this frame shows no contact points */
  for (int p = 0; p < n_pairs && n_shown < view->n_points; p++) {
    int a = view->body_of_shape[pairs[p].a], b = view->body_of_shape[pairs[p].b];
    int n = ss_geometry_manifold (&scene->bodies[a].shapes[pairs[p].a - view->first_shape[a]], pose_of (view, a),
                                  &scene->bodies[b].shapes[pairs[p].b - view->first_shape[b]], pose_of (view, b), gaps);

    for (int i = 0; i < n && n_shown < view->n_points; i++) {
      if (gaps[i].phi >= CONTACT_SHOWN_GAP)
        continue;
      points[n_shown].position = gaps[i].point_b;
      points[n_shown++].visible = true;
    }
  }
}

static void
set_ends (SsMark *mark, SsVec2 from, SsVec2 to)
{
  mark->position = from;
  mark->vector = (SsVec2){to.x - from.x, to.y - from.y};
}

/* The guide runs between the limits, or some way to both sides of where the body is. */
static void
frame_slider (const SsSceneView *view, const SsJoint *joint, SsMark *mark)
{
  SsVec2 axis = ss_vec2_turned (joint->axis, joint->body_a >= 0 ? pose_of (view, joint->body_a)[2] : 0);
  SsVec2 from = world_point (view, joint->body_a, joint->anchor_a),
         at = world_point (view, joint->body_b, joint->anchor_b);
  double travel = (at.x - from.x) * axis.x + (at.y - from.y) * axis.y, lower = joint->lower, upper = joint->upper;
  double reach = GUIDE_RADII * ss_shape_radius (&view->scene->bodies[joint->body_b].shapes[0]);

  if (!isfinite (reach))
    reach = 1;
  if (!isfinite (lower))
    lower = fmin (travel, upper) - reach;
  if (!isfinite (upper))
    upper = fmax (travel, lower) + reach;
  set_ends (mark, (SsVec2){from.x + lower * axis.x, from.y + lower * axis.y},
            (SsVec2){from.x + upper * axis.x, from.y + upper * axis.y});
}

static void
frame_wheel (const SsSceneView *view, int body, SsVec2 anchor, SsMark *mark)
{
  mark->position = world_point (view, body, anchor);
  mark->angle = pose_of (view, body)[2];
}

/* The first wheel of a gear; a belt or a rope, whose vertices are the view's: without with_line they stay as they are,
 * those of marks of another frame that are still in use. */
static void
frame_line (const SsSceneView *view, const SsJoint *joint, bool with_line, SsMark *mark)
{
  if (mark->radius > 0) {
    frame_wheel (view, joint->body_a, joint->anchor_a, mark);
    return;
  }
  mark->position = world_point (view, joint->body_a, joint->anchor_a);
  if (with_line)
    ss_coupling_line (joint, view->poses, (SsVec2 *)mark->vertices);
  if (joint->kind == SS_JOINT_ROPE) {
    const SsVec2 g = view->scene->gravity;
    const double size = hypot (g.x, g.y), room = fmax (0, ss_rope_room (joint, view->poses));
    mark->vector = size > 0 ? (SsVec2){room * g.x / size, room * g.y / size} : (SsVec2){0, -room};
  }
}

static void
frame_joint (const SsSceneView *view, const SsJoint *joint, bool with_line, SsMark *mark)
{
  if (joint->kind == SS_JOINT_SLIDER)
    frame_slider (view, joint, mark);
  else if (joint->kind == SS_JOINT_ROD || (joint->kind == SS_JOINT_FORMULA && joint->body_a >= 0))
    set_ends (mark, world_point (view, joint->body_a, joint->anchor_a),
              world_point (view, joint->body_b, joint->anchor_b));
  else if (joint->kind == SS_JOINT_ROPE || joint->kind == SS_JOINT_GEAR)
    frame_line (view, joint, with_line, mark);
  else
    mark->position = world_point (view, joint->body_b, joint->anchor_b);
}

/* Second wheels of gears. */
static void
frame_second_wheels (const SsSceneView *view, SsMark *mark)
{
  for (int i = 0; i < view->scene->n_joints; i++) {
    const SsJoint *joint = &view->scene->joints[i];
    if (joint->kind == SS_JOINT_GEAR)
      frame_wheel (view, joint->body_b, joint->anchor_b, mark++);
  }
}

/* Forces along a line are arrows; torques have none. */
static void
frame_actuator (const SsSceneView *view, const double *row, int index, SsMark *mark)
{
  const SsActuator *actuator = &view->scene->actuators[index];
  const SsJoint *joint = actuator->joint >= 0 ? &view->scene->joints[actuator->joint] : NULL;
  double u = view->actuators[index] >= 0 ? row[view->actuators[index]] : 0;
  SsVec2 direction;

  mark->visible = false;
  if (u == 0 || !isfinite (u))
    return;
  if (actuator->kind == SS_ACTUATOR_FORCE) {
    direction = actuator->is_body_frame ? ss_vec2_turned (actuator->direction, pose_of (view, actuator->body)[2])
                                        : actuator->direction;
    mark->position = world_point (view, actuator->body, actuator->anchor);
  } else if (joint != NULL && joint->kind == SS_JOINT_SLIDER) {
    direction = ss_vec2_turned (joint->axis, joint->body_a >= 0 ? pose_of (view, joint->body_a)[2] : 0);
    mark->position = world_point (view, joint->body_b, joint->anchor_b);
  } else {
    return;
  }
  mark->vector = (SsVec2){u * direction.x, u * direction.y};
  mark->visible = true;
}

static void
frame_measure (const SsSceneView *view, const SsMeasure *measure, SsMark *mark)
{
  const SsMeasured at = ss_measure_at (measure, view->poses, 3);

  mark->value = at.value;
  mark->angle = at.direction;
  if (measure->is_angle)
    mark->position = at.to;
  else
    set_ends (mark, at.from, at.to);
}

/* The velocity of a body's centre, from there. */
static void
frame_velocity (const SsSceneView *view, const double *row, int body, SsMark *mark)
{
  const int *channels = view->bodies[body].velocities;

  mark->position = (SsVec2){pose_of (view, body)[0], pose_of (view, body)[1]};
  if (channels[0] >= 0 && channels[1] >= 0)
    mark->vector = (SsVec2){row[channels[0]], row[channels[1]]};
  mark->visible = hypot (mark->vector.x, mark->vector.y) > 0;
}

void
ss_scene_view_frame (SsSceneView *view, const double *row, bool with_many_contacts, SsMark *marks)
{
  SS_ASSERT (view != NULL);

  const SsScene *scene = view->scene;
  SsMark *mark = marks + scene->n_bodies, *points;

  for (int i = 0; i < scene->n_bodies; i++) {
    for (int c = 0; c < 3; c++)
      if (view->bodies[i].channels[c] >= 0)
        view->poses[3 * i + c] = row[view->bodies[i].channels[c]];
    place_shape (pose_of (view, i), &scene->bodies[i].shapes[0], &marks[i]);
    if (!scene->bodies[i].is_fixed) {
      mark->position = (SsVec2){pose_of (view, i)[0], pose_of (view, i)[1]};
      mark->angle = pose_of (view, i)[2];
      mark++;
    }
  }
  points = mark + view->n_contacts;
  for (int i = 0; i < view->n_contacts && (with_many_contacts || view->broadphase == NULL); i++) {
    const int n_points = view->points_of_contact != NULL ? view->points_of_contact[i] : 0;

    frame_contact (view, row, i, mark + i, points, n_points);
    points += n_points;
  }
  if (view->broadphase != NULL && with_many_contacts)
    frame_many_contacts (view, points);
  mark += view->n_contacts + view->n_points;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int s = 1; s < scene->bodies[i].n_shapes; s++)
      place_shape (pose_of (view, i), &scene->bodies[i].shapes[s], mark++);
  for (int i = 0; i < scene->n_joints; i++)
    frame_joint (view, &scene->joints[i], with_many_contacts, mark++);
  frame_second_wheels (view, mark);
  mark += view->n_gears;
  for (int i = 0; i < scene->n_springs; i++, mark++) {
    const SsSpring *spring = &scene->springs[i];
    SsVec2 to = world_point (view, spring->body_b, spring->anchor_b);

    if (spring->is_torsion)
      mark->position = to;
    else
      set_ends (mark, world_point (view, spring->body_a, spring->anchor_a), to);
  }
  for (int i = 0; i < scene->n_actuators; i++)
    frame_actuator (view, row, i, mark++);
  for (int i = 0; i < scene->n_measures; i++)
    frame_measure (view, &scene->measures[i], mark++);
  mark += scene->n_notes;
  mark += view->n_goals;
  for (int i = 0; view->n_velocities > 0 && i < scene->n_bodies; i++)
    if (!scene->bodies[i].is_fixed)
      frame_velocity (view, row, i, mark++);
}
