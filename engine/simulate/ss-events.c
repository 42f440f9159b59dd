/* engine/simulate/ss-events.c: see the header. One pass over the rows with a small state per contact and limit. */
#include "simulate/ss-events.h"

#include "dynamics/ss-dynamics.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An impulse below this part of the step's largest is what a solver leaves of zero: their residuals are 1e-9 and better. */
static const double impulse_rounding = 1e-9;
/* A gap that opens a contact, as a part of the smaller body's radius: a hundred times what solvers leave as penetration in scenes of metres. */
static const double opening_share = 1e-6;
/* Change of the normal velocity in a step, as a part of the approach, that still belongs to an impact. */
static const double impact_change = 1e-6;
/* Slip, as a part of what friction could change in the step, above which it begins and below which it ends. */
static const double slip_begins = 1e-3, slip_ends = 1e-4;
/* Tangential impulse, as a part of its bound, from which a slip begins and below which it has ended. */
static const double cone_begins = 0.999, cone_ends = 0.99;
/* Room at a limit, as a part of the joint's range, at which it is reached and left. */
static const double limit_reached = 1e-6, limit_left = 1e-5;

enum { NAME_LENGTH = 512 };

typedef enum { FRICTION_UNKNOWN, FRICTION_STICKS, FRICTION_SLIPS } Friction;

typedef struct {
  int gap, impulse_n, impulse_t; /* columns; gap < 0: the contact has none */
  double opening;                /* gap that opens it [m]                  */
  bool is_closed;
  double touched; /* time of the last row with an impulse, or of the first row */
  Friction friction;
  double slip;     /* when it slipped last; its sign counts */
  int stick;       /* event of the last row, if it began to stick there; else -1 */
  int impact;      /* event whose impulse still grows, -1: none             */
  double approach; /* [m/s] before it                                       */
  double parting;  /* normal velocity at the last row                       */
} Contact;

typedef struct {
  const SsScene *scene;
  const SsTrajectory *trajectory;
  SsDynamics *dynamics; /* owned */
  Contact *contacts;    /* owned */
  int *body_column;     /* owned; of <body>.x, -1 when the six are not there */
  SsRow *limits;        /* owned */
  bool *is_at_limit;    /* owned */
  double *q, *v;        /* owned, one block at q; of the row that is looked at */
  int n_limits;
  SsEventList *list;
} Finder;

/* ---- names ------------------------------------------------------------------------------------------------------- */

const char *
ss_event_kind_name (SsEventKind kind)
{
  static const char *const names[SS_EVENT_COUNT] = {"impact",        "separation", "slip",      "stick",
                                                    "slip-reversal", "limit",      "limit-left"};
  SS_ASSERT (kind >= 0 && kind < SS_EVENT_COUNT);
  return names[kind];
}

const char *
ss_event_subject_name (const SsScene *scene, const SsEvent *event)
{
  return event->kind == SS_EVENT_LIMIT || event->kind == SS_EVENT_LIMIT_LEFT ? scene->joints[event->subject].name
                                                                             : scene->contacts[event->subject].name;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* Index of the new event, -1 when it was left out. */
static int
add_event (Finder *f, SsEvent event)
{
  if (f->list->n_items == SS_EVENTS_MAX) {
    f->list->n_left_out++;
    return -1;
  }
  f->list->items[f->list->n_items] = event;
  return f->list->n_items++;
}

static int
compare_times (const void *a, const void *b)
{
  const SsEvent *ea = a, *eb = b;
  if (ea->t != eb->t)
    return ea->t < eb->t ? -1 : 1;
  if (ea->subject != eb->subject)
    return ea->subject - eb->subject;
  return (int)ea->kind - (int)eb->kind; /* an impact, then the separation that ends it */
}

void
ss_events_free (SsEventList *events)
{
  if (events == NULL)
    return;
  ss_free (events->items);
  ss_free (events);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Column of owner.channel, looked for from *hint on, since names are in the scene's order; -1 if absent. */
static int
find_column (const SsTrajectory *trajectory, const char *owner, const char *channel, int *hint)
{
  char name[NAME_LENGTH];
  snprintf (name, sizeof name, "%s.%s", owner, channel);
  for (int k = 0; k < trajectory->n_channels; k++) {
    int i = (*hint + k) % trajectory->n_channels;
    if (strcmp (trajectory->channels[i], name) == 0) {
      *hint = i;
      return i;
    }
  }
  return -1;
}

static double
body_radius (const SsBody *body)
{
  double radius = 0;
  for (int i = 0; i < body->n_shapes; i++)
    radius = fmax (radius, ss_shape_radius (&body->shapes[i]));
  return radius;
}

static bool
find_columns (Finder *f)
{
  static const char *const names[] = {"x", "y", "theta", "vx", "vy", "omega"};
  const SsScene *scene = f->scene;
  int hint = 0;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 6; k++) {
      int column = find_column (f->trajectory, scene->bodies[i].name, names[k], &hint);
      if (column < 0)
        return false;
      f->body_column[6 * i + k] = column;
    }
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    Contact *contact = &f->contacts[i];
    double size = fmin (body_radius (&scene->bodies[c->body_a]), body_radius (&scene->bodies[c->body_b]));
    *contact = (Contact){.gap = -1, .impact = -1, .stick = -1, .opening = opening_share * size};
    if (scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX)
      continue;
    contact->gap = find_column (f->trajectory, c->name, "gap", &hint);
    if (contact->gap < 0)
      continue;
    contact->impulse_n = find_column (f->trajectory, c->name, "impulse_n", &hint);
    contact->impulse_t = find_column (f->trajectory, c->name, "impulse_t", &hint);
    if (contact->impulse_n < 0 || contact->impulse_t < 0)
      contact->gap = -1;
  }
  return true;
}

static void
read_state (Finder *f, const double *row)
{
  for (int i = 0; i < f->scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      f->q[3 * i + k] = row[f->body_column[6 * i + k]];
      f->v[3 * i + k] = row[f->body_column[6 * i + 3 + k]];
    }
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Of the nearest pair of shapes: velocities of b against a along the normal and the tangent, and Gt M^-1 Gt'. */
static void
look_at (const Finder *f, const SsContact *c, double *parting, double *slip, double *mobility)
{
  const int body[2] = {c->body_a, c->body_b};
  const SsBody *a = &f->scene->bodies[c->body_a], *b = &f->scene->bodies[c->body_b];
  const double *inverse_mass = ss_dynamics_inverse_mass (f->dynamics);
  SsGap nearest = {.phi = INFINITY, .normal = {0, 1}};
  for (int i = 0; i < a->n_shapes; i++)
    for (int j = 0; j < b->n_shapes; j++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      if (ss_geometry_manifold (&a->shapes[i], f->q + 3 * body[0], &b->shapes[j], f->q + 3 * body[1], gaps) > 0 &&
          gaps[0].phi < nearest.phi)
        nearest = gaps[0];
    }
  SsVec2 n = nearest.normal, t = {n.y, -n.x};
  *parting = *slip = *mobility = 0;
  for (int side = 0; side < 2; side++) {
    const double *q = f->q + 3 * body[side], *v = f->v + 3 * body[side], *w = inverse_mass + 3 * body[side];
    SsVec2 p = side == 0 ? nearest.point_a : nearest.point_b, r = {p.x - q[0], p.y - q[1]};
    SsVec2 u = {v[0] - r.y * v[2], v[1] + r.x * v[2]};
    double sign = side == 0 ? -1 : 1, lever = r.x * t.y - r.y * t.x;
    *parting += sign * (u.x * n.x + u.y * n.y);
    *slip += sign * (u.x * t.x + u.y * t.y);
    *mobility += w[0] * t.x * t.x + w[1] * t.y * t.y + w[2] * lever * lever;
  }
}

static void
update_friction (Finder *f, int index, double t, double pn, double pt, double slip, double mobility)
{
  Contact *c = &f->contacts[index];
  double bound = f->scene->contacts[index].mu * pn, change = bound * mobility;
  if (!(change > 0))
    return;
  bool slips;
  if (c->friction == FRICTION_SLIPS)
    slips = fabs (slip) > slip_ends * change && fabs (pt) >= cone_ends * bound;
  else
    slips = fabs (slip) > slip_begins * change && fabs (pt) >= cone_begins * bound;

  SsEvent event = {.t = t, .subject = index, .impulse = NAN};
  int began_to_stick = -1;
  bool turned = slip * c->slip < 0;
  if (c->friction == FRICTION_STICKS && slips && turned && c->stick >= 0) {
    f->list->items[c->stick].kind =
        SS_EVENT_REVERSAL; /* one step that sticks is how a step meets slip of zero in passing */
  } else if (c->friction == FRICTION_STICKS && slips) {
    event.kind = SS_EVENT_SLIP;
    add_event (f, event);
  } else if (c->friction == FRICTION_SLIPS && !slips) {
    event.kind = SS_EVENT_STICK;
    began_to_stick = add_event (f, event);
  } else if (c->friction == FRICTION_SLIPS && turned) {
    event.kind = SS_EVENT_REVERSAL;
    add_event (f, event);
  }
  c->friction = slips ? FRICTION_SLIPS : FRICTION_STICKS;
  c->stick = began_to_stick;
  if (slips)
    c->slip = slip;
}

/* The impulses of an impact's later steps: while the bodies still approach, and then while they part ever faster. */
static void
grow_impact (Finder *f, Contact *c, double pn, double parting)
{
  bool approached = c->parting < -impact_change * c->approach;
  if (c->impact < 0)
    return;
  if (pn > 0 && (approached || parting > c->parting + impact_change * c->approach))
    f->list->items[c->impact].impulse += pn;
  else
    c->impact = -1;
}

static void
update_contact (Finder *f, int index, const double *row, const double *before, double least)
{
  Contact *c = &f->contacts[index];
  double t = row[0], gap = row[c->gap], pn = row[c->impulse_n], pt = row[c->impulse_t];
  bool acts = pn > least, is_new = acts && !c->is_closed;
  double parting = 0, slip = 0, mobility = 0;
  if (is_new) {
    read_state (f, before);
    look_at (f, &f->scene->contacts[index], &parting, &slip, &mobility);
    c->approach = fabs (parting);
    c->is_closed = true;
    c->friction = FRICTION_UNKNOWN;
    c->stick = -1;
    c->impact = add_event (f, (SsEvent){.t = t, .kind = SS_EVENT_IMPACT, .subject = index, .impulse = pn});
    read_state (f, row);
  }
  if (acts) {
    look_at (f, &f->scene->contacts[index], &parting, &slip, &mobility);
    if (!is_new)
      grow_impact (f, c, pn, parting);
    c->parting = parting;
    c->touched = t;
    update_friction (f, index, t, pn, pt, slip, mobility);
    return;
  }
  c->impact = -1;
  if (c->is_closed && gap > c->opening) {
    c->is_closed = false;
    add_event (f, (SsEvent){.t = c->touched, .kind = SS_EVENT_SEPARATION, .subject = index, .impulse = NAN});
  }
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static double
range_of (const SsJoint *joint)
{
  double range = joint->upper - joint->lower;
  return isfinite (range) && range > 0 ? range : 1;
}

static void
update_limits (Finder *f, double t, bool is_first)
{
  ss_dynamics_limit_rows (f->dynamics, f->q, f->v, f->limits);
  for (int i = 0; i < f->n_limits; i++) {
    const SsRow *row = &f->limits[i];
    double share = row->phi / range_of (&f->scene->joints[row->source]);
    bool was = f->is_at_limit[i], is = share <= (was && !is_first ? limit_left : limit_reached);
    f->is_at_limit[i] = is;
    if (!is_first && is != was)
      add_event (f, (SsEvent){.t = t,
                              .kind = is ? SS_EVENT_LIMIT : SS_EVENT_LIMIT_LEFT,
                              .subject = row->source,
                              .is_upper = row->index == 1,
                              .impulse = NAN});
  }
}

static int
count_limits (const SsScene *scene)
{
  int n = 0;
  for (int i = 0; i < scene->n_joints; i++)
    if (scene->joints[i].kind == SS_JOINT_PIN || scene->joints[i].kind == SS_JOINT_SLIDER)
      n += isfinite (scene->joints[i].lower) + isfinite (scene->joints[i].upper);
  return n;
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

static SsStatus
finder_init (Finder *f, SsError *err)
{
  size_t n = 3 * (size_t)f->scene->n_bodies + 1;
  f->n_limits = count_limits (f->scene);
  f->contacts = ss_new_array (Contact, f->scene->n_contacts + 1);
  f->body_column = ss_new_array (int, 2 * n);
  f->limits = ss_new_array (SsRow, f->n_limits + 1);
  f->is_at_limit = ss_new_array (bool, f->n_limits + 1);
  f->q = ss_new_array (double, 2 * n);
  f->list = ss_new (SsEventList);
  if (f->list != NULL)
    f->list->items = ss_new_array (SsEvent, SS_EVENTS_MAX);
  if (f->contacts == NULL || f->body_column == NULL || f->limits == NULL || f->is_at_limit == NULL || f->q == NULL ||
      f->list == NULL || f->list->items == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the events of %d contacts", f->scene->n_contacts);
  f->v = f->q + n;
  return ss_dynamics_new (f->scene, &f->dynamics, err);
}

static void
finder_clear (Finder *f)
{
  ss_free (f->contacts);
  ss_free (f->body_column);
  ss_free (f->limits);
  ss_free (f->is_at_limit);
  ss_free (f->q);
  ss_dynamics_free (f->dynamics);
  ss_events_free (f->list);
}

static double
largest_impulse (const Finder *f, const double *row)
{
  double largest = 0;
  for (int i = 0; i < f->scene->n_contacts; i++)
    if (f->contacts[i].gap >= 0)
      largest = fmax (largest, row[f->contacts[i].impulse_n]);
  return largest;
}

static void
start (Finder *f, const double *row)
{
  read_state (f, row);
  update_limits (f, row[0], true);
  for (int i = 0; i < f->scene->n_contacts; i++) {
    Contact *c = &f->contacts[i];
    if (c->gap < 0)
      continue;
    c->is_closed = row[c->gap] <= c->opening;
    c->touched = row[0];
  }
}

SsStatus
ss_events_find (const SsScene *scene, const SsTrajectory *trajectory, SsEventList **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);
  *out = NULL;
  Finder f = {.scene = scene, .trajectory = trajectory};
  SsStatus status = finder_init (&f, err);
  if (status != SS_OK)
    goto done;
  if (trajectory != NULL && trajectory->n_rows > 0 && find_columns (&f)) {
    start (&f, ss_trajectory_row (trajectory, 0));
    for (int k = 1; k < trajectory->n_rows; k++) {
      const double *row = ss_trajectory_row (trajectory, k), *before = ss_trajectory_row (trajectory, k - 1);
      double least = impulse_rounding * largest_impulse (&f, row);
      read_state (&f, row);
      update_limits (&f, row[0], false);
      for (int i = 0; i < scene->n_contacts; i++)
        if (f.contacts[i].gap >= 0 && (f.contacts[i].is_closed || row[f.contacts[i].impulse_n] > least))
          update_contact (&f, i, row, before, least);
    }
    qsort (f.list->items, (size_t)f.list->n_items, sizeof *f.list->items, compare_times);
  }
  *out = f.list;
  f.list = NULL;

done:
  finder_clear (&f);
  return status;
}
