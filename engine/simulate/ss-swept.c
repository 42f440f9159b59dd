/* engine/simulate/ss-swept.c: see ss-swept.h. */
#include "simulate/ss-swept-private.h"

#include "contact/ss-contact-problem.h"
#include "geometry/ss-sweep.h"

#include <math.h>
#include <string.h>

/* Parts of the thinner width: see the header. Times are found to a quarter of DEPTH. */
static const double fast = 1.0 / 4, fast_afar = 1.0 / 8, too_deep = 1.0 / 4, depth = 1.0 / 64, afar = 1.0 / 16;
/* A part is at least this much of its step; most parts of a step. */
static const double least_part = 1e-7;
enum { PARTS_MAX = 5000 };
/* A part that cannot be solved is halved until it is this much of its step. */
static const double shortest_solved = 1.0 / 512;
/* What is pushed from afar in a part that ends where it would come near is so for the part's length: then it is halved.
 */
static const double still_shorter = 0.9;

/* What is known of a body's shapes. */
typedef struct {
  double width;   /* of the thinnest that has one [m]; INFINITY: none has */
  bool has_line;  /* a segment is among them */
  double radius;  /* of a circle about the origin that holds them; may be INFINITY */
  double turning; /* how far turning moves them at most; may be INFINITY */
  double alone;   /* thinnest width of all its contacts */
  bool is_fast;   /* in the step that is looked at */
} Body;

struct SsSwept {
  const SsScene *scene; /* borrowed */
  bool looks;           /* for what is fast */
  Body *bodies;
  size_t n_saved;       /* numbers of the state's block that a step may change */
  double *first, *from; /* n_saved each: at the start of the step, of the part */
  SsSweptCount count;
};

/* When to end the part: as parts of it. */
typedef struct {
  double end;   /* 1: it is well as it is */
  double cross; /* length of the part that should follow; 0: the rest of the step */
  int contact;
} Cut;

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static Body
measure (const SsBody *body)
{
  Body b = {
      .width = INFINITY, .alone = INFINITY, .radius = ss_body_radius (body), .turning = ss_body_turning_radius (body)};
  for (int i = 0; i < ss_body_n_shapes (body); i++) {
    const SsShape *shape = ss_body_shape (body, i);
    const double width = ss_shape_width (shape);
    if (width > 0)
      b.width = fmin (b.width, width);
    b.has_line = b.has_line || !(width > 0);
  }
  return b;
}

/* Of all pairs of their shapes. */
static double
thinnest_of (const Body *a, const Body *b)
{
  double least = fmin (a->width, b->width);
  if (a->has_line)
    least = fmin (least, ss_shape_thinner_width (0, b->width));
  if (b->has_line)
    least = fmin (least, ss_shape_thinner_width (a->width, 0));
  if (a->has_line && b->has_line)
    least = fmin (least, ss_shape_thinner_width (0, 0));
  return least;
}

SsStatus
ss_swept_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options, SsSwept **out,
              SsError *err)
{
  SS_ASSERT (scene != NULL && integrator != NULL && out != NULL);

  *out = NULL;
  if (integrator->gives_stages || integrator->gives_events || integrator->second_clock != NULL)
    return SS_OK;
  SsSwept *swept = ss_new (SsSwept);
  const size_t n_contact = SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts;
  const size_t n = 6 * (size_t)scene->n_bodies + n_contact + (size_t)scene->n_contacts;
  if (swept != NULL) {
    swept->bodies = ss_new_array (Body, scene->n_bodies + 1);
    swept->first = ss_new_array (double, 2 * n + 1);
  }
  if (swept == NULL || swept->bodies == NULL || swept->first == NULL) {
    ss_swept_free (swept);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d bodies", scene->n_bodies);
  }
  swept->scene = scene;
  swept->looks = scene->n_contacts > 0 && ss_options_value (integrator->options, options, SS_SWEPT_NAME, 0) > 0;
  swept->n_saved = n;
  swept->from = swept->first + n;
  swept->count = (SsSweptCount){.t = NAN, .t_halved = NAN, .contact = -1};
  for (int i = 0; i < scene->n_bodies; i++)
    swept->bodies[i] = measure (&scene->bodies[i]);
  for (int i = 0; i < scene->n_contacts; i++) {
    Body *a = &swept->bodies[scene->contacts[i].body_a], *b = &swept->bodies[scene->contacts[i].body_b];
    const double width = thinnest_of (a, b);
    a->alone = fmin (a->alone, width);
    b->alone = fmin (b->alone, width);
  }
  *out = swept;
  return SS_OK;
}

void
ss_swept_free (SsSwept *swept)
{
  if (swept == NULL)
    return;
  ss_free (swept->bodies);
  ss_free (swept->first);
  ss_free (swept);
}

SsSweptCount
ss_swept_count (const SsSwept *swept)
{
  return swept != NULL ? swept->count : (SsSweptCount){.t = NAN, .t_halved = NAN, .contact = -1};
}

/* ---- what is fast ------------------------------------------------------------------------------------------------ */

static double
turning_speed (const Body *body, const double *v)
{
  return v[2] != 0 ? fabs (v[2]) * body->turning : 0;
}

/* The part that has ended at `state`, from what was saved. */
typedef struct {
  const double *q0, *v0, *q1, *v1;
  double dt;
} Way;

static double
speed_of (const Body *body, const Way *way, int i)
{
  const double *v0 = way->v0 + 3 * i, *v1 = way->v1 + 3 * i;
  return fmax (hypot (v0[0], v0[1]) + turning_speed (body, v0), hypot (v1[0], v1[1]) + turning_speed (body, v1));
}

/* How fast points of b and a may go relative to each other. */
static double
speed_between (const SsSwept *swept, const Way *way, int a, int b)
{
  double most = 0;
  for (int end = 0; end < 2; end++) {
    const double *va = (end == 0 ? way->v0 : way->v1) + 3 * a, *vb = (end == 0 ? way->v0 : way->v1) + 3 * b;
    most = fmax (most, hypot (vb[0] - va[0], vb[1] - va[1]) + turning_speed (&swept->bodies[a], va) +
                           turning_speed (&swept->bodies[b], vb));
  }
  return most;
}

/* Marks the bodies without which no pair can be fast; false: there are none. */
static bool
find_fast (SsSwept *swept, const Way *way)
{
  bool any = false;
  for (int i = 0; i < swept->scene->n_bodies; i++) {
    Body *body = &swept->bodies[i];
    body->is_fast = !(2 * way->dt * speed_of (body, way, i) <= fast_afar * body->alone);
    any = any || body->is_fast;
  }
  return any;
}

/* Whether circles about the bodies stay apart on the way. */
static bool
stay_apart (const SsSwept *swept, const Way *way, int a, int b)
{
  const double *a0 = way->q0 + 3 * a, *a1 = way->q1 + 3 * a, *b0 = way->q0 + 3 * b, *b1 = way->q1 + 3 * b;
  const double x = b0[0] - a0[0], y = b0[1] - a0[1], dx = b1[0] - a1[0] - x, dy = b1[1] - a1[1] - y;
  const double square = dx * dx + dy * dy;
  const double s = square > 0 ? fmin (fmax (-(x * dx + y * dy) / square, 0), 1) : 0;
  const double reach = swept->bodies[a].radius + swept->bodies[b].radius, nx = x + s * dx, ny = y + s * dy;
  return nx * nx + ny * ny > reach * reach;
}

/* ---- where to cut ------------------------------------------------------------------------------------------------ */

/* Keeps the earlier cut: the part ends where the pair comes near, and the next one when it would be deep; a pair that
 * is near from the start on gets the part in which it would be. */
static void
cut_on_way (const SsSweep *sweep, double gap0, double width, int contact, Cut *cut)
{
  const double level = depth * width, tolerance = level / 4;
  double near = gap0 > level / 2 + tolerance ? ss_sweep_first (sweep, 0, level / 2, tolerance) : 0;
  if (!isfinite (near))
    return;
  const double deep = fmin (ss_sweep_first (sweep, near, fmin (gap0, 0) - level, tolerance), 1);
  const bool has_approach = near > least_part;
  const double end = has_approach ? near : deep;
  if (end < cut->end)
    *cut = (Cut){.end = end, .cross = has_approach ? deep - near : 0, .contact = contact};
}

static SsSweep
sweep_of (const SsSwept *swept, int contact, int i, int j, const double *q0, const double *q1)
{
  const SsContact *c = &swept->scene->contacts[contact];
  return (SsSweep){.shape = {ss_body_shape (&swept->scene->bodies[c->body_a], i),
                             ss_body_shape (&swept->scene->bodies[c->body_b], j)},
                   .from = {q0 + 3 * c->body_a, q0 + 3 * c->body_b},
                   .to = {q1 + 3 * c->body_a, q1 + 3 * c->body_b}};
}

/* Of a contact that pushes and is not near at the start: whether it comes near on the way of the velocities at the
 * start, which it is there to end. If not, or if it is not near at the part's end, the part is cut where it comes near,
 * in half where it does not. */
static void
look_afar (const SsSwept *swept, const Way *way, int contact, bool ends_near, Cut *cut)
{
  const SsContact *c = &swept->scene->contacts[contact];
  const int body[2] = {c->body_a, c->body_b};
  bool meets = false;
  double to[2][3];
  Cut own = {.end = 1, .contact = contact};
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < 3; k++)
      to[side][k] = way->q0[3 * body[side] + k] + way->dt * way->v0[3 * body[side] + k];
  for (int i = 0; i < ss_body_n_shapes (&swept->scene->bodies[body[0]]); i++)
    for (int j = 0; j < ss_body_n_shapes (&swept->scene->bodies[body[1]]); j++) {
      SsSweep sweep = sweep_of (swept, contact, i, j, way->q0, way->q0);
      sweep.to[0] = to[0];
      sweep.to[1] = to[1];
      const double width = ss_shape_thinner_width (ss_shape_width (sweep.shape[0]), ss_shape_width (sweep.shape[1]));
      if (!isfinite (width))
        continue;
      meets = meets || isfinite (ss_sweep_first (&sweep, 0, afar * width, afar * width / 4));
      cut_on_way (&sweep, ss_sweep_gap (&sweep, 0), width, contact, &own);
    }
  if (ends_near && meets)
    return;
  if (!(own.end < still_shorter))
    own = (Cut){.end = 0.5, .contact = contact};
  if (own.end < cut->end)
    *cut = own;
}

static void
look_at_contact (const SsSwept *swept, const Way *way, int contact, bool pushes, Cut *cut)
{
  const SsContact *c = &swept->scene->contacts[contact];
  const int a = c->body_a, b = c->body_b;
  bool starts_near = false, ends_near = false;
  const bool is_far = stay_apart (swept, way, a, b);
  for (int i = 0; !is_far && i < ss_body_n_shapes (&swept->scene->bodies[a]); i++)
    for (int j = 0; j < ss_body_n_shapes (&swept->scene->bodies[b]); j++) {
      const SsSweep sweep = sweep_of (swept, contact, i, j, way->q0, way->q1);
      const double width = ss_shape_thinner_width (ss_shape_width (sweep.shape[0]), ss_shape_width (sweep.shape[1]));
      const double gap0 = ss_sweep_gap (&sweep, 0), gap1 = ss_sweep_gap (&sweep, 1), least = fmin (gap0, gap1);
      if (!isfinite (width) || !isfinite (least))
        continue;
      starts_near = starts_near || gap0 <= afar * width;
      ends_near = ends_near || gap1 <= afar * width;
      if (gap1 < fmin (gap0, 0) - too_deep * width ||
          isfinite (ss_sweep_first (&sweep, 0, fmin (least, 0) - depth * width, depth * width / 4)))
        cut_on_way (&sweep, gap0, width, contact, cut);
    }
  if (pushes && !starts_near)
    look_afar (swept, way, contact, ends_near, cut);
}

/* Where the part that was taken from `from` to the record's state should have ended. */
static Cut
find_cut (SsSwept *swept, const SsSimRecord *r, double dt)
{
  const SsScene *scene = swept->scene;
  const size_t n = 3 * (size_t)scene->n_bodies;
  const Way way = {swept->from, swept->from + n, r->state.q, r->state.v, dt};
  Cut cut = {.end = 1, .contact = -1};
  for (size_t i = 0; i < 2 * n; i++)
    if (!isfinite (r->state.q[i])) /* v follows q */
      return cut;
  if (!swept->looks || !find_fast (swept, &way))
    return cut;
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    const Body *a = &swept->bodies[c->body_a], *b = &swept->bodies[c->body_b];
    if (!a->is_fast && !b->is_fast)
      continue;
    const double impulse = r->state.contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_IMPULSE_N];
    const bool pushes = impulse > 0 || (c->cohesion > 0 && impulse < 0);
    if (!pushes && stay_apart (swept, &way, c->body_a, c->body_b)) /* most pairs of a heap */
      continue;
    if (dt * speed_between (swept, &way, c->body_a, c->body_b) > (pushes ? fast_afar : fast) * thinnest_of (a, b))
      look_at_contact (swept, &way, i, pushes, &cut);
  }
  return cut;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static SsStatus
take (SsSimRecord *r, const SsIntegratorClass *integrator, void *stepper, double to, SsStepInfo *info, SsError *err)
{
  const SsStep step = {.dt = to - r->state.t, .controls = r->controls, .sink = &r->sink, .control = r->control};
  *info = (SsStepInfo){0};
  ss_sim_record_begin_step (r, to);
  if (r->watch_contacts != NULL)
    r->watch_contacts->begin (r->watch_contacts->owner, r->state.t, step.dt);
  return integrator->step (stepper, &step, &r->state, info, err);
}

static void
save (const SsSwept *swept, const SsSimRecord *r, double *numbers)
{
  memcpy (numbers, r->state.q, swept->n_saved * sizeof *numbers);
}

static void
put_back (const SsSwept *swept, const double *numbers, double t, SsSimRecord *r)
{
  memcpy (r->state.q, numbers, swept->n_saved * sizeof *numbers);
  r->state.t = t;
}

/* Whether the contact's bodies overlap by what the part that crosses them would lead to: a short part would throw them
 * apart. By laws of gaps, which see what comes, also where one of them overlaps so with another body; laws of
 * velocities do not mind an overlap. */
static bool
is_deep (const SsSwept *swept, const SsIntegratorClass *integrator, int contact, const double *q)
{
  const SsContact *crossed = &swept->scene->contacts[contact];
  const SsLawPlace place = integrator->contact_law.place;
  const bool is_of_gaps = place == SS_LAW_START_GAP || place == SS_LAW_START_SPRING;
  for (int i = 0; i < swept->scene->n_contacts; i++) {
    const SsContact *c = &swept->scene->contacts[i];
    const bool shares = c->body_a == crossed->body_a || c->body_a == crossed->body_b || c->body_b == crossed->body_a ||
                        c->body_b == crossed->body_b;
    if ((i == contact || (is_of_gaps && shares)) &&
        ss_scene_contact_gap (swept->scene, i, q) <
            -depth * thinnest_of (&swept->bodies[c->body_a], &swept->bodies[c->body_b]))
      return true;
  }
  return false;
}

SsStatus
ss_swept_step (SsSwept *swept, SsSimRecord *r, const SsIntegratorClass *integrator, void *stepper, double next,
               SsStepInfo *info, SsError *err)
{
  SS_ASSERT (r != NULL && integrator != NULL && info != NULL);

  if (swept == NULL)
    return take (r, integrator, stepper, next, info, err);
  const double t0 = r->state.t, length = next - t0;
  double from = t0, to = next, cross = 0, residual = 0, solved = length; /* how long a part may be */
  int n_parts = 0, n_points = 0, crossed = -1;
  bool is_halved = false;
  SsCertainty certainty = SS_CERTAINTY_NONE;
  SsSweptCount count = swept->count;
  SsStatus status = SS_OK;
  SsOutcome why;
  const double *start = swept->first; /* of the part */
  save (swept, r, swept->first);
  memcpy (swept->from, swept->first, 6 * (size_t)swept->scene->n_bodies * sizeof *swept->from); /* what is looked at */
  ss_sim_record_begin_step (r, next);
  const int first_row = r->n_rows, first_point = r->n_points, first_contact_row = r->n_contact_rows;
  for (;;) {
    status = take (r, integrator, stepper, to, info, err);
    if (status == SS_ERR_SINGULAR && n_parts < PARTS_MAX && to - from > shortest_solved * length &&
        !ss_run_control_should_stop (r->control, &why)) {
      ss_sim_record_undo_step (r);
      put_back (swept, start, from, r);
      if (!is_halved && count.n_halved++ == 0)
        count.t_halved = t0;
      is_halved = true;
      solved = (to - from) / 2;
      to = from + solved;
      cross = 0;
      continue;
    }
    if (status != SS_OK)
      break;
    n_points = info->n_points > n_points ? info->n_points : n_points;
    const Cut cut = find_cut (swept, r, to - from);
    if (cut.end < 1) {
      const double end = from + cut.end * (to - from);
      if (count.contact < 0) {
        count.contact = cut.contact;
        count.t = t0;
      }
      if (n_parts < PARTS_MAX && end - from > least_part * length && end < to) {
        ss_sim_record_undo_step (r);
        put_back (swept, start, from, r);
        cross = cut.cross * (to - from);
        crossed = cut.contact;
        to = end;
        continue;
      }
      count.n_left++;
    }
    n_parts++;
    residual = fmax (residual, info->residual);
    certainty = info->certainty > certainty ? info->certainty : certainty;
    if (!(to < next))
      break;
    r->state.t = from = to;
    status = ss_sim_record_end_step (r, info->residual, err);
    if (status != SS_OK)
      break;
    save (swept, r, swept->from);
    start = swept->from;
    if (cross > 0 && is_deep (swept, integrator, crossed, r->state.q))
      cross = 0;
    to = cross > 0 && from + cross < next - least_part * length ? from + cross : next;
    cross = 0;
    if (is_halved && from + (solved *= 2) < next - least_part * length)
      to = fmin (to, from + solved);
  }
  r->n_rows = first_row; /* all parts are the step */
  r->n_points = first_point;
  r->n_contact_rows = first_contact_row;
  if (status != SS_OK) {
    put_back (swept, swept->first, t0, r);
    return status;
  }
  info->residual = residual;
  info->n_points = n_points;
  info->certainty = certainty;
  if (n_parts > 1) {
    count.n_steps++;
    count.n_parts += n_parts;
  }
  swept->count = count;
  return SS_OK;
}
