/* engine/scene/ss-view.c: a view compiled against the channels of a trajectory; frames, bounds, strips, and a row that
 * shows the start.
 *
 * Formulas of the `view` section become one tape over the slots that formulas use (ss-scenario.h for models,
 * ss-scenario-private.h for scenes). The marks of a scene come first (ss-view-scene.c), then those of the `view`
 * section.
 */
#include "scene/ss-measure.h"
#include "scene/ss-scenario-private.h"
#include "scene/ss-view-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *
ss_mark_kind_name (SsMarkKind kind)
{
  static const char *const NAMES[] = {"polygon", "circle",   "half-plane", "segment", "arrow", "point", "capsule",
                                      "spring",  "distance", "angle",      "note",    "rope",  "gear"};

  SS_ASSERT ((size_t)kind < sizeof NAMES / sizeof *NAMES);
  return NAMES[kind];
}

const char *
ss_mark_role_name (SsMarkRole role)
{
  static const char *const NAMES[] = {"body", "fixed", "goal", "force", "velocity", "contact", "centre", "guide"};

  SS_ASSERT ((size_t)role < sizeof NAMES / sizeof *NAMES);
  return NAMES[role];
}

/* t / h is taken as a whole number within this distance: 99 h / h may come out as 98.99999999999999, which would still
 * be "before" point 99. */
#define INDEX_ROUNDING 1e-6
/* Half side [m] of the bounds of something without extent. */
#define POINT_MARGIN 0.5

/* Where a formula mark's values lie among the tape's outputs. */
typedef struct {
  int position, angle, when, radius, width, height, vector, vertices; /* -1: none */
} MarkOutputs;

struct SsView {
  const SsScenario *scenario; /* borrowed */
  int n_marks, n_scene_marks;
  SsMark *marks; /* what does not change from frame to frame; also the scratch of ss_view_bounds (second half) */

  SsSceneView *scene_view; /* NULL for a model */

  /* formulas */
  SsTape *tape; /* NULL when there are none */
  MarkOutputs *outputs;
  int *strip_values, *strip_references; /* outputs; reference -1: none */
  int *channel_of_slot;                 /* -1: not read or no channel  */
  int n_channel_slots, slot_index;
  double *inputs, *values, *work;
  SsVec2 *vertices; /* of the formula polygons */
};

/* ---- formulas to a tape ------------------------------------------------------------------------------------------ */

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
  } else {
    (void)ss_scene_channel (scenario->scene, slot, buffer, size);
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
      if (view->channel_of_slot[slots[s]] < 0 && scenario->scene != NULL &&
          slots[s] >= SS_BODY_CHANNELS * scenario->scene->n_bodies)
        view->inputs[slots[s]] = NAN; /* an optimiser's plan has no energies: what is made of them is left out */
      else if (view->channel_of_slot[slots[s]] < 0)
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

/* ---- frames ------------------------------------------------------------------------------------------------------ */

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

static void
make_frame (SsView *view, const double *row, bool with_many_contacts, SsMark *marks)
{
  memcpy (marks, view->marks, (size_t)view->n_marks * sizeof *marks);
  if (view->scenario->scene != NULL)
    ss_scene_view_frame (view->scene_view, row, with_many_contacts, marks);
  evaluate_formulas (view, row);
  for (int i = 0; i < view->scenario->n_marks; i++)
    frame_formula_mark (view, i, &marks[view->n_scene_marks + i]);
}

void
ss_view_frame (SsView *view, const double *row, SsMark *marks)
{
  SS_ASSERT (view != NULL && row != NULL);
  make_frame (view, row, true, marks);
}

void
ss_view_frame_bodies (SsView *view, const double *row, SsMark *marks)
{
  SS_ASSERT (view != NULL && row != NULL);
  make_frame (view, row, false, marks);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

SsStatus
ss_view_new (const SsScenario *scenario, const SsChannel *channels, int n_channels, SsView **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);
  SS_ASSERT (n_channels >= 0 && (n_channels == 0 || channels != NULL));

  SsNames names = {0}; /* of the channels, to find them fast: a scene of 50 bodies has thousands */
  SsView *view;
  SsStatus status;

  SS_ASSERT (scenario != NULL && out != NULL && n_channels >= 1);
  *out = NULL;
  view = ss_new (SsView);
  if (view == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
  view->scenario = scenario;
  status = SS_OK;
  for (int i = 0; i < n_channels && status == SS_OK; i++)
    if (find_channel (&names, channels[i].name) < 0 &&
        !ss_names_add (&names, channels[i].name, SS_SYMBOL_CHANNEL, i, 0))
      status = SS_ERR_MEMORY;
  if (status != SS_OK) {
    ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
    goto fail;
  }
  if (scenario->scene != NULL) {
    status = ss_scene_view_new (scenario->scene, scenario->task.plan, &names, channels, n_channels,
                                ss_quantity_is_second_clock (channels[0].quantity), &view->scene_view, err);
    if (status != SS_OK)
      goto fail;
    view->n_scene_marks = ss_scene_view_n_marks (view->scene_view);
  }
  view->n_marks = view->n_scene_marks + scenario->n_marks;
  view->marks = ss_new_array (SsMark, 2 * view->n_marks + 1);
  if (view->marks == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for a view");
    goto fail;
  }
  status = compile_formulas (view, &names, err);
  if (status != SS_OK)
    goto fail;
  if (view->scene_view != NULL)
    ss_scene_view_prepare (view->scene_view, view->marks);
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
  ss_scene_view_free (view->scene_view);
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
  SS_ASSERT (view != NULL);
  return view->n_marks;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

const SsViewContact *
ss_view_contacts (const SsView *view, int *n)
{
  SS_ASSERT (view != NULL && n != NULL);
  *n = 0;
  return view->scene_view != NULL ? ss_scene_view_contacts (view->scene_view, n) : NULL;
}

int
ss_view_contact_forces (const SsView *view, const SsContactRow *contacts, int n_contacts, SsMark *marks, int n_marks)
{
  SS_ASSERT (view != NULL);
  SS_ASSERT (n_contacts == 0 || contacts != NULL);
  SS_ASSERT (n_marks == 0 || marks != NULL);
  return view->scene_view != NULL
             ? ss_scene_view_contact_forces (view->scene_view, contacts, n_contacts, marks, n_marks)
             : 0;
}

/* ---- lines of ropes and gears ------------------------------------------------------------------------------------ */

/* A slack rope along gravity is drawn this far beside itself, as a part of how deep it hangs, so that it is seen. */
static const double beside = 0.35;
/* Of the curve of a span of a rope. */
enum { N_PIECES = 12 };

/* The four points of the curve of a span. It hangs as deep as a parabola whose length is the span and its share of the
 * slack; where both ends are at one place, half of the slack. */
static void
find_curve (const SsMark *mark, int span, SsVec2 curve[4])
{
  const SsVec2 from = mark->vertices[span], to = mark->vertices[span + 1];
  const double slack = hypot (mark->vector.x, mark->vector.y), chord = hypot (to.x - from.x, to.y - from.y);
  double all = 0, share = 1. / (mark->n_vertices - 1);

  for (int i = 0; i + 1 < mark->n_vertices; i++)
    all += hypot (mark->vertices[i + 1].x - mark->vertices[i].x, mark->vertices[i + 1].y - mark->vertices[i].y);
  if (all > 0)
    share = chord / all;
  const double hangs = slack * share, depth = sqrt (0.375 * chord * hangs + hangs * hangs / 4);
  const SsVec2 down = slack > 0 ? (SsVec2){mark->vector.x / slack, mark->vector.y / slack} : (SsVec2){0, 0};
  const double along = chord > 0 ? fabs (down.x * (to.x - from.x) + down.y * (to.y - from.y)) / chord : 0;
  const double x = 4. / 3. * depth * (down.x - beside * along * down.y),
               y = 4. / 3. * depth * (down.y + beside * along * down.x);
  curve[0] = from;
  curve[1] = (SsVec2){from.x + x, from.y + y};
  curve[2] = (SsVec2){to.x + x, to.y + y};
  curve[3] = to;
}

int
ss_mark_n_line_points (const SsMark *mark)
{
  SS_ASSERT (mark != NULL);
  return mark->n_vertices < 2         ? 0
         : mark->kind == SS_MARK_GEAR ? mark->n_vertices + 1
                                      : (mark->n_vertices - 1) * N_PIECES + 1;
}

SsVec2
ss_mark_line_point (const SsMark *mark, int i)
{
  SS_ASSERT (mark != NULL && i >= 0 && i < ss_mark_n_line_points (mark));
  if (mark->kind == SS_MARK_GEAR)
    return mark->vertices[i % mark->n_vertices];
  SsVec2 curve[4], at = {0, 0};
  const int span = i / N_PIECES < mark->n_vertices - 2 ? i / N_PIECES : mark->n_vertices - 2;
  const double t = (double)(i - span * N_PIECES) / N_PIECES, s = 1 - t;
  find_curve (mark, span, curve);
  const double w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
  for (int k = 0; k < 4; k++)
    at = (SsVec2){at.x + w[k] * curve[k].x, at.y + w[k] * curve[k].y};
  return at;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

static void
include_box (double out[4], double x, double y, double margin)
{
  out[0] = fmin (out[0], x - margin);
  out[1] = fmin (out[1], y - margin);
  out[2] = fmax (out[2], x + margin);
  out[3] = fmax (out[3], y + margin);
}

void
ss_mark_include (const SsMark *mark, double out[4])
{
  SS_ASSERT (mark != NULL && out != NULL);

  double c = cos (mark->angle), s = sin (mark->angle);

  if (!mark->visible || mark->kind == SS_MARK_HALF_PLANE || mark->kind == SS_MARK_ARROW ||
      mark->kind == SS_MARK_DISTANCE || mark->kind == SS_MARK_ANGLE || !isfinite (mark->position.x) ||
      !isfinite (mark->position.y))
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
  case SS_MARK_ROPE:
    for (int i = 0; i < ss_mark_n_line_points (mark); i++) {
      const SsVec2 p = ss_mark_line_point (mark, i);
      include_box (out, mark->position.x + c * p.x - s * p.y, mark->position.y + s * p.x + c * p.y, 0);
    }
    break;
  case SS_MARK_POLYGON:
  case SS_MARK_CAPSULE:
  case SS_MARK_GEAR:
    for (int i = 0; i < mark->n_vertices; i++)
      include_box (out, mark->position.x + c * mark->vertices[i].x - s * mark->vertices[i].y,
                   mark->position.y + s * mark->vertices[i].x + c * mark->vertices[i].y,
                   mark->kind == SS_MARK_CAPSULE ? fabs (mark->radius) : 0);
    break;
  default:
    include_box (out, mark->position.x, mark->position.y, 0);
  }
}

bool
ss_view_given_bounds (const SsView *view, double out[4])
{
  SS_ASSERT (view != NULL && out != NULL);
  if (isnan (view->scenario->view_bounds[0]))
    return false;
  memcpy (out, view->scenario->view_bounds, sizeof view->scenario->view_bounds);
  return true;
}

void
ss_view_bounds (SsView *view, const SsTrajectory *trajectory, double out[4])
{
  SS_ASSERT (view != NULL && out != NULL);

  SsMark *marks = view->marks + view->n_marks;

  if (ss_view_given_bounds (view, out))
    return;
  out[0] = out[1] = INFINITY;
  out[2] = out[3] = -INFINITY;
  for (int row = 0; trajectory != NULL && row < trajectory->n_rows; row++) {
    ss_view_frame (view, ss_trajectory_row (trajectory, row), marks);
    for (int i = 0; i < view->n_marks; i++)
      ss_mark_include (&marks[i], out);
  }
  if (!(out[0] <= out[2])) {
    out[0] = out[1] = -POINT_MARGIN;
    out[2] = out[3] = POINT_MARGIN;
  } else if (out[0] == out[2] && out[1] == out[3]) {
    include_box (out, out[0], out[1], POINT_MARGIN);
  }
}

/* ---- strips ------------------------------------------------------------------------------------------------------ */

int
ss_view_n_strips (const SsView *view)
{
  SS_ASSERT (view != NULL);
  return view->scenario->n_strips;
}

const char *
ss_view_strip_label (const SsView *view, int strip)
{
  SS_ASSERT (view != NULL);
  SS_ASSERT (strip >= 0 && strip < ss_view_n_strips (view));
  SS_ASSERT (strip >= 0 && strip < view->scenario->n_strips);
  return view->scenario->strips[strip].label;
}

double
ss_view_strip_value (SsView *view, int strip, const double *row)
{
  SS_ASSERT (view != NULL && row != NULL);
  SS_ASSERT (strip >= 0 && strip < ss_view_n_strips (view));
  SS_ASSERT (strip >= 0 && strip < view->scenario->n_strips);
  evaluate_formulas (view, row);
  return view->values[view->strip_values[strip]];
}

double
ss_view_strip_reference (SsView *view, int strip, const double *row)
{
  SS_ASSERT (view != NULL && row != NULL);
  SS_ASSERT (strip >= 0 && strip < ss_view_n_strips (view));
  SS_ASSERT (strip >= 0 && strip < view->scenario->n_strips);
  if (view->strip_references[strip] < 0)
    return NAN;
  evaluate_formulas (view, row);
  return view->values[view->strip_references[strip]];
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

/* Smallest gap of two bodies as they start; 0 when they have none. */
static double
start_gap (const SsBody *a, const SsBody *b)
{
  SsGap gaps[SS_MANIFOLD_MAX];
  double smallest = INFINITY;

  for (int i = 0; i < a->n_shapes; i++)
    for (int k = 0; k < b->n_shapes; k++)
      if (ss_geometry_manifold (&a->shapes[i], a->q, &b->shapes[k], b->q, gaps) > 0)
        smallest = fmin (smallest, gaps[0].phi);
  return isfinite (smallest) ? smallest : 0;
}

/* Poses, speeds, gaps and measures; forces, controls, drift and the like are 0; energies and momenta, which
 * need the dynamics, are not known here (NaN). */
static void
fill_scene_row (const SsScene *scene, double *row)
{
  enum { N_UNKNOWN = 6 }; /* before the last channel, residual */
  double *at = row + 1, *end = row + 1 + ss_scene_n_channels (scene);

  for (double *unknown = end - 1 - N_UNKNOWN; unknown < end - 1; unknown++)
    *unknown = NAN;

  for (int i = 0; i < scene->n_bodies; i++, at += SS_BODY_CHANNELS) {
    memcpy (at, scene->bodies[i].q, sizeof scene->bodies[i].q);
    memcpy (at + 3, scene->bodies[i].v, sizeof scene->bodies[i].v);
  }
  for (int i = 0; i < scene->n_measures; i++)
    end[i - 1 - N_UNKNOWN - scene->n_measures] = ss_measure_at (&scene->measures[i], row + 1, SS_BODY_CHANNELS).value;
  for (int i = 0; i < ss_scene_n_channel_contacts (scene); i++, at += SS_CONTACT_CHANNELS)
    at[0] = start_gap (&scene->bodies[scene->contacts[i].body_a], &scene->bodies[scene->contacts[i].body_b]);
}

/* Takes the trajectory, which may be NULL after a failure. */
static SsStatus
finish_start (SsStatus status, SsTrajectory *trajectory, const double *row, SsTrajectory **out, SsError *err)
{
  if (status == SS_OK)
    status = ss_trajectory_append (trajectory, row, err);
  if (status == SS_OK)
    *out = trajectory;
  else
    ss_trajectory_free (trajectory);
  return status;
}

static SsStatus
make_scene_start (const SsScene *scene, SsTrajectory **out, SsError *err)
{
  double *row = ss_new_array (double, 1 + ss_scene_n_channels (scene));
  SsTrajectory *trajectory = NULL;
  SsStatus status;

  if (row == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the initial state");
  fill_scene_row (scene, row);
  status = ss_scene_trajectory_new (scene, 1, &trajectory, err);
  status = finish_start (status, trajectory, row, out, err);
  ss_free (row);
  return status;
}

static SsStatus
make_model_start (const SsScenario *scenario, SsTrajectory **out, SsError *err)
{
  const SsModel *model = scenario->model;
  SsChannel *channels = ss_new_array (SsChannel, model->n_variables + 1);
  double *row = ss_new_array (double, model->n_variables + 1);
  SsTrajectory *trajectory = NULL;
  SsStatus status = SS_ERR_MEMORY;

  if (channels == NULL || row == NULL) {
    ss_error_set (err, SS_ERR_MEMORY, "out of memory for the initial state");
    goto out;
  }
  channels[0] = ss_channel_of_time ();
  for (int v = 0; v < model->n_variables; v++)
    channels[v + 1] = ss_model_channel (model, v);
  status = ss_model_initial_values (scenario, row + 1, err);
  if (status == SS_OK)
    status = ss_trajectory_new (channels, model->n_variables + 1, 1, &trajectory, err);
  status = finish_start (status, trajectory, row, out, err);

out:
  ss_free (channels);
  ss_free (row);
  return status;
}

SsStatus
ss_scenario_initial_trajectory (const SsScenario *scenario, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (scenario != NULL && out != NULL);
  *out = NULL;
  return scenario->model != NULL ? make_model_start (scenario, out, err) : make_scene_start (scenario->scene, out, err);
}
