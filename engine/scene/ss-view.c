/* engine/scene/ss-view.c: a view compiled against the channels of a trajectory; frames, bounds, strips, and a row that shows the start.
 *
 * Formulas of the `view` section become one tape over the slots that formulas use (ss-scenario.h for models, ss-scenario-private.h for scenes).
 * The marks of a scene come first and are made here: shapes, centres of mass, one normal force and up to two contact points a contact.
 */
#include "scene/ss-scenario-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Contact points are shown below this gap [m]: far above what solvers leave at a closed contact (1e-8), and below the width of a line at any zoom at
 * which a body fills the window. */
#define CONTACT_SHOWN_GAP 1e-4
/* t / h is taken as a whole number within this distance: 99 h / h may come out as 98.99999999999999, which would still be "before" point 99. */
#define INDEX_ROUNDING 1e-6
/* Half side [m] of the bounds of something without extent. */
#define POINT_MARGIN 0.5

/* Where a formula mark's values lie among the tape's outputs. */
typedef struct {
  int position, angle, when, radius, width, height, vector, vertices; /* -1: none */
} MarkOutputs;

typedef struct {
  const double *pose; /* view->poses + 3 body */
  int channels[3];    /* x, y, theta; -1: keeps its initial value */
} BodySource;

typedef struct {
  int gap, lambda_n; /* channels, -1 if absent */
} ContactSource;

struct SsView {
  const SsScenario *scenario; /* borrowed */
  int n_marks, n_scene_marks;
  SsMark *marks; /* what does not change from frame to frame; also the scratch of ss_view_bounds (second half) */

  /* scenes */
  double *poses; /* 3 a body */
  BodySource *bodies;
  ContactSource *contacts;

  /* formulas */
  SsTape *tape; /* NULL when there are none */
  MarkOutputs *outputs;
  int *strip_values, *strip_references; /* outputs; reference -1: none */
  int *channel_of_slot;                 /* -1: not read or no channel  */
  int n_channel_slots, slot_index;
  double *inputs, *values, *work;
  SsVec2 *vertices; /* of the formula polygons */
};

/* ---- formulas to a tape ----------------------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsExpr *items;
  int n_items, capacity;
  bool out_of_memory;
} OutputList;

/* Index of the formula among the outputs; -1 for none. */
static int
add_output (OutputList *list, SsExpr e)
{
  if (e == SS_EXPR_NONE)
    return -1;
  if (ss_array_reserve ((void **)&list->items, &list->capacity, list->n_items + 1, sizeof *list->items) != 0) {
    list->out_of_memory = true;
    return -1;
  }
  list->items[list->n_items++] = e;
  return list->n_items - 1;
}

static void
add_mark_outputs (OutputList *list, const SsViewMark *mark, MarkOutputs *outputs)
{
  outputs->position = add_output (list, mark->position[0]);
  add_output (list, mark->position[1]);
  outputs->angle = add_output (list, mark->angle);
  outputs->when = add_output (list, mark->when);
  outputs->radius = add_output (list, mark->radius);
  outputs->width = add_output (list, mark->width);
  outputs->height = add_output (list, mark->height);
  outputs->vector = add_output (list, mark->vector[0]);
  add_output (list, mark->vector[1]);
  outputs->vertices = mark->n_vertices > 0 ? list->n_items : -1;
  for (int i = 0; i < 2 * mark->n_vertices; i++)
    add_output (list, mark->vertices[i]);
}

/* Channel of that name, -1 if absent. */
static int
find_channel (const SsNames *channels, const char *name)
{
  const SsSymbol *symbol = ss_names_find (channels, name, strlen (name));

  return symbol != NULL ? symbol->index : -1;
}

/* Name of the channel that a slot reads, into buffer. */
static void
format_slot_name (const SsScenario *scenario, int slot, char *buffer, size_t size)
{
  if (scenario->model != NULL) {
    snprintf (buffer, size, "%s", scenario->model->variables[slot]);
  } else if (slot < SS_BODY_CHANNELS * scenario->scene->n_bodies) {
    snprintf (buffer, size, "%s.%s", scenario->scene->bodies[slot / SS_BODY_CHANNELS].name,
              ss_body_channels[slot % SS_BODY_CHANNELS]);
  } else {
    slot -= SS_BODY_CHANNELS * scenario->scene->n_bodies;
    snprintf (buffer, size, "%s.%s", scenario->scene->contacts[slot / SS_CONTACT_CHANNELS].name,
              ss_contact_channels[slot % SS_CONTACT_CHANNELS]);
  }
}

/* Binds the slots that the formulas read to channels. */
static SsStatus
bind_slots (SsView *view, const OutputList *list, const SsNames *channels, SsError *err)
{
  const SsScenario *scenario = view->scenario;
  int n_slots = view->slot_index + 2, n_used;
  int *slots = ss_new_array (int, n_slots);
  SsStatus status = SS_OK;

  if (slots == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  for (int i = 0; i < view->n_channel_slots; i++)
    view->channel_of_slot[i] = -1;
  for (int i = 0; i < list->n_items && status == SS_OK; i++) {
    n_used = ss_graph_inputs (scenario->graph, list->items[i], slots, n_slots);
    for (int s = 0; s < n_used && status == SS_OK; s++) {
      char name[2 * SS_NAME_MAX + 2 * SS_NAME_MAX];

      if (slots[s] >= view->n_channel_slots || view->channel_of_slot[slots[s]] >= 0)
        continue;
      format_slot_name (scenario, slots[s], name, sizeof name);
      view->channel_of_slot[slots[s]] = find_channel (channels, name);
      if (view->channel_of_slot[slots[s]] < 0)
        status = ss_error_set (err, SS_ERR_INVALID,
                               "the view needs the channel '%s', which the trajectory does not have", name);
    }
  }
  ss_free (slots);
  return status;
}

static SsStatus
compile_formulas (SsView *view, const SsNames *channels, SsError *err)
{
  const SsScenario *scenario = view->scenario;
  OutputList list = {0};
  int n_vertices = 0;
  SsStatus status = SS_ERR_MEMORY;

  view->outputs = ss_new_array (MarkOutputs, scenario->n_marks + 1);
  view->strip_values = ss_new_array (int, scenario->n_strips + 1);
  view->strip_references = ss_new_array (int, scenario->n_strips + 1);
  view->slot_index = ss_view_slot_index (scenario);
  view->n_channel_slots = scenario->model != NULL ? scenario->model->n_variables : ss_view_slot_parameters (scenario);
  view->channel_of_slot = ss_new_array (int, view->n_channel_slots + 1);
  view->inputs = ss_new_array (double, view->slot_index + 2);
  if (view->outputs == NULL || view->strip_values == NULL || view->strip_references == NULL ||
      view->channel_of_slot == NULL || view->inputs == NULL)
    goto out;
  for (int i = 0; i < scenario->n_marks; i++) {
    add_mark_outputs (&list, &scenario->marks[i], &view->outputs[i]);
    n_vertices += scenario->marks[i].is_box ? 4 : scenario->marks[i].n_vertices;
  }
  for (int i = 0; i < scenario->n_strips; i++) {
    view->strip_values[i] = add_output (&list, scenario->strips[i].value);
    view->strip_references[i] = add_output (&list, scenario->strips[i].reference);
  }
  view->vertices = ss_new_array (SsVec2, n_vertices + 1);
  view->values = ss_new_array (double, list.n_items + 1);
  if (list.out_of_memory || view->vertices == NULL || view->values == NULL)
    goto out;
  for (int i = 0; i < scenario->n_parameters; i++)
    view->inputs[ss_view_slot_parameters (scenario) + i] = scenario->parameters[i].value;
  status = bind_slots (view, &list, channels, err);
  if (status == SS_OK && list.n_items > 0) {
    status = ss_tape_new (scenario->graph, list.items, list.n_items, view->slot_index + 2, &view->tape, err);
    if (status == SS_OK) {
      view->work = ss_new_array (double, ss_tape_work_size (view->tape) + 1);
      if (view->work == NULL)
        status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
    }
  }
  ss_free (list.items);
  return status;

out:
  ss_free (list.items);
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
}

/* What stays the same in every frame of the formula marks. */
static void
prepare_formula_marks (SsView *view)
{
  SsVec2 *vertices = view->vertices;

  for (int i = 0; i < view->scenario->n_marks; i++) {
    const SsViewMark *from = &view->scenario->marks[i];
    SsMark *mark = &view->marks[view->n_scene_marks + i];

    *mark = (SsMark){
        .kind = from->kind, .role = from->role, .name = from->name, .color = from->color, .trace = from->trace};
    mark->n_vertices = from->is_box ? 4 : from->n_vertices;
    mark->vertices = vertices;
    vertices += mark->n_vertices;
  }
}

/* ---- scenes -------------------------------------------------------------------------------------------------------------------------------------- */

static int
count_scene_marks (const SsScene *scene)
{
  int n = scene->n_bodies + (1 + SS_MANIFOLD_MAX) * scene->n_contacts;

  for (int i = 0; i < scene->n_bodies; i++)
    n += !scene->bodies[i].is_fixed;
  return n;
}

static int
find_owned_channel (const SsNames *channels, const char *owner, const char *channel)
{
  char name[4 * SS_NAME_MAX];

  snprintf (name, sizeof name, "%s.%s", owner, channel);
  return find_channel (channels, name);
}

static SsStatus
bind_scene (SsView *view, const SsNames *channels, SsError *err)
{
  const SsScene *scene = view->scenario->scene;

  view->poses = ss_new_array (double, 3 * scene->n_bodies + 1);
  view->bodies = ss_new_array (BodySource, scene->n_bodies + 1);
  view->contacts = ss_new_array (ContactSource, scene->n_contacts + 1);
  if (view->poses == NULL || view->bodies == NULL || view->contacts == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];

    memcpy (view->poses + 3 * i, body->q, sizeof body->q);
    view->bodies[i].pose = view->poses + 3 * i;
    for (int c = 0; c < 3; c++) {
      view->bodies[i].channels[c] = find_owned_channel (channels, body->name, ss_body_channels[c]);
      if (view->bodies[i].channels[c] < 0 && !body->is_fixed)
        return ss_error_set (err, SS_ERR_INVALID, "the trajectory has no channel '%s.%s'", body->name,
                             ss_body_channels[c]);
    }
  }
  for (int i = 0; i < scene->n_contacts; i++) {
    view->contacts[i].gap = find_owned_channel (channels, scene->contacts[i].name, "gap");
    view->contacts[i].lambda_n = find_owned_channel (channels, scene->contacts[i].name, "lambda_n");
  }
  return SS_OK;
}

static void
prepare_body_mark (const SsBody *body, SsMark *mark)
{
  static const SsMarkKind kinds[] = {[SS_SHAPE_CIRCLE] = SS_MARK_CIRCLE,
                                     [SS_SHAPE_POLYGON] = SS_MARK_POLYGON,
                                     [SS_SHAPE_HALF_PLANE] = SS_MARK_HALF_PLANE,
                                     [SS_SHAPE_CAPSULE] = SS_MARK_CAPSULE,
                                     [SS_SHAPE_SEGMENT] = SS_MARK_CAPSULE};

  *mark = (SsMark){.kind = kinds[body->shape.kind],
                   .role = body->is_fixed ? SS_ROLE_FIXED : SS_ROLE_BODY,
                   .name = body->name,
                   .color = body->color,
                   .visible = true,
                   .trace = !body->is_fixed,
                   .radius = body->shape.radius,
                   .n_vertices = body->shape.n_vertices,
                   .vertices = body->shape.vertices};
}

/* Order: bodies, centres of the free ones, normal forces, contact points. */
static void
prepare_scene_marks (SsView *view)
{
  const SsScene *scene = view->scenario->scene;
  SsMark *mark = view->marks;

  for (int i = 0; i < scene->n_bodies; i++)
    prepare_body_mark (&scene->bodies[i], mark++);
  for (int i = 0; i < scene->n_bodies; i++)
    if (!scene->bodies[i].is_fixed)
      *mark++ = (SsMark){
          .kind = SS_MARK_POINT, .role = SS_ROLE_CENTRE, .name = scene->bodies[i].name, .color = "", .visible = true};
  for (int i = 0; i < scene->n_contacts; i++)
    *mark++ = (SsMark){.kind = SS_MARK_ARROW, .role = SS_ROLE_FORCE, .name = scene->contacts[i].name, .color = ""};
  for (int i = 0; i < SS_MANIFOLD_MAX * scene->n_contacts; i++)
    *mark++ = (SsMark){
        .kind = SS_MARK_POINT, .role = SS_ROLE_CONTACT, .name = scene->contacts[i / SS_MANIFOLD_MAX].name, .color = ""};
}

/* Direction of a half-plane's surface in the body frame: matter lies to the right of it, that is below when it points along +x. */
static double
surface_angle (const SsShape *shape)
{
  return atan2 (-shape->normal.x, shape->normal.y);
}

/* One contact: the force on the second body (on the first if the second is fixed) and the points that touch. */
static void
frame_contact (const SsView *view, const double *row, int index, SsMark *arrow, SsMark *points)
{
  const SsScene *scene = view->scenario->scene;
  const SsContact *contact = &scene->contacts[index];
  const ContactSource *source = &view->contacts[index];
  double force = source->lambda_n >= 0 ? row[source->lambda_n] : 0;
  bool on_a = scene->bodies[contact->body_b].is_fixed;
  SsGap gaps[SS_MANIFOLD_MAX];
  SsVec2 sum = {0, 0};
  int n, n_touching = 0;

  arrow->visible = points[0].visible = points[1].visible = false;
  /* Most pairs are far apart: no geometry for those. */
  if (source->gap >= 0 && row[source->gap] > CONTACT_SHOWN_GAP && !(force > 0))
    return;
  n = ss_geometry_manifold (&scene->bodies[contact->body_a].shape, view->bodies[contact->body_a].pose,
                            &scene->bodies[contact->body_b].shape, view->bodies[contact->body_b].pose, gaps);
  for (int i = 0; i < n; i++) {
    SsVec2 p = on_a ? gaps[i].point_a : gaps[i].point_b;

    if (gaps[i].phi >= CONTACT_SHOWN_GAP)
      continue;
    points[i].position = p;
    points[i].visible = true;
    sum.x += p.x;
    sum.y += p.y;
    n_touching++;
  }
  if (n == 0 || !(force > 0) || !isfinite (force))
    return;
  if (n_touching > 0)
    arrow->position = (SsVec2){sum.x / n_touching, sum.y / n_touching};
  else
    arrow->position = on_a ? gaps[0].point_a : gaps[0].point_b;
  arrow->vector = (SsVec2){(on_a ? -force : force) * gaps[0].normal.x, (on_a ? -force : force) * gaps[0].normal.y};
  arrow->visible = true;
}

static void
frame_scene (SsView *view, const double *row, SsMark *marks)
{
  const SsScene *scene = view->scenario->scene;
  SsMark *centre = marks + scene->n_bodies, *arrow, *points;

  for (int i = 0; i < scene->n_bodies; i++) {
    double *pose = view->poses + 3 * i;

    for (int c = 0; c < 3; c++)
      if (view->bodies[i].channels[c] >= 0)
        pose[c] = row[view->bodies[i].channels[c]];
    marks[i].position = (SsVec2){pose[0], pose[1]};
    marks[i].angle = pose[2] + (marks[i].kind == SS_MARK_HALF_PLANE ? surface_angle (&scene->bodies[i].shape) : 0);
    if (!scene->bodies[i].is_fixed) {
      centre->position = marks[i].position;
      centre->angle = pose[2];
      centre++;
    }
  }
  arrow = centre;
  points = arrow + scene->n_contacts;
  for (int i = 0; i < scene->n_contacts; i++)
    frame_contact (view, row, i, arrow + i, points + SS_MANIFOLD_MAX * i);
}

/* ---- frames -------------------------------------------------------------------------------------------------------------------------------------- */

/* The point's index at time t: real between the points, whole at them. */
static double
index_at (const SsScenario *scenario, double t)
{
  double k = t / scenario->task.dt;

  return fabs (k - round (k)) <= INDEX_ROUNDING ? round (k) : k;
}

static void
evaluate_formulas (SsView *view, const double *row)
{
  if (view->tape == NULL)
    return;
  for (int i = 0; i < view->n_channel_slots; i++)
    if (view->channel_of_slot[i] >= 0)
      view->inputs[i] = row[view->channel_of_slot[i]];
  view->inputs[view->slot_index] = index_at (view->scenario, row[0]);
  view->inputs[view->slot_index + 1] = row[0];
  ss_tape_eval (view->tape, 1, 1, view->inputs, view->slot_index + 2, NULL, view->values, view->work);
}

static double
value_or (const SsView *view, int output, double fallback)
{
  return output >= 0 ? view->values[output] : fallback;
}

static void
frame_formula_mark (const SsView *view, int index, SsMark *mark)
{
  const MarkOutputs *o = &view->outputs[index];
  SsVec2 *vertices = (SsVec2 *)mark->vertices; /* of view->vertices, ours */
  double when = value_or (view, o->when, 1);
  bool finite;

  mark->position = (SsVec2){view->values[o->position], view->values[o->position + 1]};
  mark->angle = value_or (view, o->angle, 0);
  mark->radius = value_or (view, o->radius, 0);
  if (o->vector >= 0)
    mark->vector = (SsVec2){view->values[o->vector], view->values[o->vector + 1]};
  if (o->width >= 0) {
    double w = view->values[o->width] / 2, h = view->values[o->height] / 2;

    vertices[0] = (SsVec2){-w, -h};
    vertices[1] = (SsVec2){w, -h};
    vertices[2] = (SsVec2){w, h};
    vertices[3] = (SsVec2){-w, h};
  } else {
    for (int i = 0; i < mark->n_vertices; i++)
      vertices[i] = (SsVec2){view->values[o->vertices + 2 * i], view->values[o->vertices + 2 * i + 1]};
  }
  finite = isfinite (mark->position.x) && isfinite (mark->position.y) && isfinite (mark->angle) &&
           isfinite (mark->radius) && isfinite (mark->vector.x) && isfinite (mark->vector.y);
  for (int i = 0; i < mark->n_vertices; i++)
    finite = finite && isfinite (vertices[i].x) && isfinite (vertices[i].y);
  mark->visible = finite && when != 0 && !isnan (when);
  if (mark->kind == SS_MARK_ARROW && mark->vector.x == 0 && mark->vector.y == 0)
    mark->visible = false;
}

void
ss_view_frame (SsView *view, const double *row, SsMark *marks)
{
  memcpy (marks, view->marks, (size_t)view->n_marks * sizeof *marks);
  if (view->scenario->scene != NULL)
    frame_scene (view, row, marks);
  evaluate_formulas (view, row);
  for (int i = 0; i < view->scenario->n_marks; i++)
    frame_formula_mark (view, i, &marks[view->n_scene_marks + i]);
}

/* ---- life ---------------------------------------------------------------------------------------------------------------------------------------- */

SsStatus
ss_view_new (const SsScenario *scenario, const char *const *channels, int n_channels, SsView **out, SsError *err)
{
  SsNames names = {0}; /* of the channels, to find them fast: a scene of 50 bodies has thousands */
  SsView *view;
  SsStatus status;

  SS_ASSERT (scenario != NULL && out != NULL && n_channels >= 1);
  *out = NULL;
  view = ss_new (SsView);
  if (view == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  view->scenario = scenario;
  view->n_scene_marks = scenario->scene != NULL ? count_scene_marks (scenario->scene) : 0;
  view->n_marks = view->n_scene_marks + scenario->n_marks;
  view->marks = ss_new_array (SsMark, 2 * view->n_marks + 1);
  status = view->marks != NULL ? SS_OK : SS_ERR_MEMORY;
  for (int i = 0; i < n_channels && status == SS_OK; i++)
    if (find_channel (&names, channels[i]) < 0 && !ss_names_add (&names, channels[i], SS_SYMBOL_CHANNEL, i, 0))
      status = SS_ERR_MEMORY;
  if (status != SS_OK) {
    ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
    goto fail;
  }
  status = compile_formulas (view, &names, err);
  if (status != SS_OK)
    goto fail;
  if (scenario->scene != NULL) {
    status = bind_scene (view, &names, err);
    if (status != SS_OK)
      goto fail;
    prepare_scene_marks (view);
  }
  prepare_formula_marks (view);
  ss_names_clear (&names);
  *out = view;
  return SS_OK;

fail:
  ss_names_clear (&names);
  ss_view_free (view);
  return status;
}

void
ss_view_free (SsView *view)
{
  if (view == NULL)
    return;
  ss_tape_free (view->tape);
  ss_free (view->marks);
  ss_free (view->poses);
  ss_free (view->bodies);
  ss_free (view->contacts);
  ss_free (view->outputs);
  ss_free (view->strip_values);
  ss_free (view->strip_references);
  ss_free (view->channel_of_slot);
  ss_free (view->inputs);
  ss_free (view->values);
  ss_free (view->work);
  ss_free (view->vertices);
  ss_free (view);
}

int
ss_view_n_marks (const SsView *view)
{
  return view->n_marks;
}

/* ---- bounds -------------------------------------------------------------------------------------------------------------------------------------- */

static void
include_box (double out[4], double x, double y, double margin)
{
  out[0] = fmin (out[0], x - margin);
  out[1] = fmin (out[1], y - margin);
  out[2] = fmax (out[2], x + margin);
  out[3] = fmax (out[3], y + margin);
}

static void
include_mark (double out[4], const SsMark *mark)
{
  double c = cos (mark->angle), s = sin (mark->angle);

  if (!mark->visible || mark->kind == SS_MARK_HALF_PLANE || mark->kind == SS_MARK_ARROW ||
      !isfinite (mark->position.x) || !isfinite (mark->position.y))
    return;
  switch (mark->kind) {
  case SS_MARK_CIRCLE:
    include_box (out, mark->position.x, mark->position.y, fabs (mark->radius));
    break;
  case SS_MARK_SEGMENT:
  case SS_MARK_SPRING:
    include_box (out, mark->position.x, mark->position.y, 0);
    include_box (out, mark->position.x + mark->vector.x, mark->position.y + mark->vector.y, 0);
    break;
  case SS_MARK_POLYGON:
  case SS_MARK_CAPSULE:
    for (int i = 0; i < mark->n_vertices; i++)
      include_box (out, mark->position.x + c * mark->vertices[i].x - s * mark->vertices[i].y,
                   mark->position.y + s * mark->vertices[i].x + c * mark->vertices[i].y,
                   mark->kind == SS_MARK_CAPSULE ? fabs (mark->radius) : 0);
    break;
  default:
    include_box (out, mark->position.x, mark->position.y, 0);
  }
}

void
ss_view_bounds (SsView *view, const SsTrajectory *trajectory, double out[4])
{
  SsMark *marks = view->marks + view->n_marks;

  if (!isnan (view->scenario->view_bounds[0])) {
    memcpy (out, view->scenario->view_bounds, sizeof view->scenario->view_bounds);
    return;
  }
  out[0] = out[1] = INFINITY;
  out[2] = out[3] = -INFINITY;
  for (int row = 0; trajectory != NULL && row < trajectory->n_rows; row++) {
    ss_view_frame (view, ss_trajectory_row (trajectory, row), marks);
    for (int i = 0; i < view->n_marks; i++)
      include_mark (out, &marks[i]);
  }
  if (!(out[0] <= out[2])) {
    out[0] = out[1] = -POINT_MARGIN;
    out[2] = out[3] = POINT_MARGIN;
  } else if (out[0] == out[2] && out[1] == out[3]) {
    include_box (out, out[0], out[1], POINT_MARGIN);
  }
}

/* ---- strips -------------------------------------------------------------------------------------------------------------------------------------- */

int
ss_view_n_strips (const SsView *view)
{
  return view->scenario->n_strips;
}

const char *
ss_view_strip_label (const SsView *view, int strip)
{
  SS_ASSERT (strip >= 0 && strip < view->scenario->n_strips);
  return view->scenario->strips[strip].label;
}

double
ss_view_strip_value (SsView *view, int strip, const double *row)
{
  SS_ASSERT (strip >= 0 && strip < view->scenario->n_strips);
  evaluate_formulas (view, row);
  return view->values[view->strip_values[strip]];
}

double
ss_view_strip_reference (SsView *view, int strip, const double *row)
{
  SS_ASSERT (strip >= 0 && strip < view->scenario->n_strips);
  if (view->strip_references[strip] < 0)
    return NAN;
  evaluate_formulas (view, row);
  return view->values[view->strip_references[strip]];
}

/* ---- the start ------------------------------------------------------------------------------------------------------------------------------------- */

/* Channel names of a scene in the order of simulations; owned by the caller. */
static char **
list_scene_channels (const SsScene *scene, int *n_channels)
{
  int n = 1 + SS_BODY_CHANNELS * scene->n_bodies + SS_CONTACT_CHANNELS * scene->n_contacts, at = 0;
  char **names = ss_new_array (char *, n), name[4 * SS_NAME_MAX];

  *n_channels = n;
  if (names == NULL)
    return NULL;
  names[at++] = ss_strdup ("t");
  for (int i = 0; i < scene->n_bodies; i++) {
    for (int c = 0; c < SS_BODY_CHANNELS; c++) {
      snprintf (name, sizeof name, "%s.%s", scene->bodies[i].name, ss_body_channels[c]);
      names[at++] = ss_strdup (name);
    }
  }
  for (int i = 0; i < scene->n_contacts; i++) {
    for (int c = 0; c < SS_CONTACT_CHANNELS; c++) {
      snprintf (name, sizeof name, "%s.%s", scene->contacts[i].name, ss_contact_channels[c]);
      names[at++] = ss_strdup (name);
    }
  }
  return names;
}

static void
fill_scene_row (const SsScene *scene, double *row)
{
  double *at = row + 1;
  SsGap gaps[SS_MANIFOLD_MAX];

  for (int i = 0; i < scene->n_bodies; i++, at += SS_BODY_CHANNELS) {
    memcpy (at, scene->bodies[i].q, sizeof scene->bodies[i].q);
    memcpy (at + 3, scene->bodies[i].v, sizeof scene->bodies[i].v);
  }
  for (int i = 0; i < scene->n_contacts; i++, at += SS_CONTACT_CHANNELS) {
    const SsBody *a = &scene->bodies[scene->contacts[i].body_a], *b = &scene->bodies[scene->contacts[i].body_b];

    if (ss_geometry_manifold (&a->shape, a->q, &b->shape, b->q, gaps) > 0)
      at[0] = gaps[0].phi; /* the smallest */
  }
}

static SsStatus
make_scene_start (const SsScene *scene, SsTrajectory **out, SsError *err)
{
  int n_channels;
  char **names = list_scene_channels (scene, &n_channels);
  double *row = ss_new_array (double, n_channels);
  SsTrajectory *trajectory = NULL;
  SsStatus status = SS_OK;

  for (int i = 0; names != NULL && i < n_channels; i++)
    if (names[i] == NULL)
      status = SS_ERR_MEMORY;
  if (names == NULL || row == NULL || status != SS_OK) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the initial state");
    goto out;
  }
  fill_scene_row (scene, row);
  status = ss_trajectory_new ((const char *const *)names, n_channels, 1, &trajectory, err);
  if (status == SS_OK)
    status = ss_trajectory_append (trajectory, row, err);

out:
  for (int i = 0; names != NULL && i < n_channels; i++)
    ss_free (names[i]);
  ss_free (names);
  ss_free (row);
  if (status == SS_OK)
    *out = trajectory;
  else
    ss_trajectory_free (trajectory);
  return status;
}

static SsStatus
make_model_start (const SsScenario *scenario, SsTrajectory **out, SsError *err)
{
  const SsModel *model = scenario->model;
  const char **names = ss_new_array (const char *, model->n_variables + 1);
  double *row = ss_new_array (double, model->n_variables + 1);
  SsTrajectory *trajectory = NULL;
  SsStatus status = SS_ERR_MEMORY;

  if (names == NULL || row == NULL) {
    ss_error_set (err, SS_ERR_MEMORY, "out of memory for the initial state");
    goto out;
  }
  names[0] = "t";
  memcpy (names + 1, model->variables, (size_t)model->n_variables * sizeof *names);
  status = ss_model_initial_values (scenario, row + 1, err);
  if (status == SS_OK)
    status = ss_trajectory_new (names, model->n_variables + 1, 1, &trajectory, err);
  if (status == SS_OK)
    status = ss_trajectory_append (trajectory, row, err);

out:
  ss_free (names);
  ss_free (row);
  if (status == SS_OK)
    *out = trajectory;
  else
    ss_trajectory_free (trajectory);
  return status;
}

SsStatus
ss_scenario_initial_trajectory (const SsScenario *scenario, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);
  *out = NULL;
  return scenario->model != NULL ? make_model_start (scenario, out, err) : make_scene_start (scenario->scene, out, err);
}
