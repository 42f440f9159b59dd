/* engine/simulate/ss-events.c: see the header. One pass over the rows with a small state per point and limit. */
#include "simulate/ss-events.h"

#include "contact/ss-contact-corner.h"
#include "dynamics/ss-dynamics.h"
#include "simulate/ss-simulate.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An impulse below this part of the step's largest is what a solver leaves of zero: their residuals are 1e-9 and
 * better. */
static const double impulse_rounding = 1e-9;
/* A gap that opens a contact, as a part of the smaller body's radius: a hundred times what solvers leave as penetration
 * in scenes of metres. */
static const double opening_share = 1e-6;
/* Change of the normal velocity in a step, as a part of the approach, that still belongs to an impact. */
static const double impact_change = 1e-6;
static const double rest_share = 1e-3; /* way in a step, as a part of `opening`, that what rests may approach */
/* Slip, as a part of what friction could change in the step, above which it begins and below which it ends. */
static const double slip_begins = 1e-3, slip_ends = 1e-4;
/* Where the bodies are slower, it is a part of their speed; solvers err by less than this part of that change. */
static const double change_rounding = 1e-3;
/* Tangential impulse, as a part of its bound, from which a slip begins and below which it has ended. */
static const double cone_begins = 0.999, cone_ends = 0.99;
/* Room at a limit, as a part of the joint's range, at which it is reached and left. */
static const double limit_reached = 1e-6, limit_left = 1e-5;

enum { NAME_LENGTH = 512 };

typedef enum { FRICTION_UNKNOWN, FRICTION_STICKS, FRICTION_SLIPS } Friction;

/* One point of a contact, or a contact as a whole. */
typedef struct {
  int contact, point; /* point -1: the whole */
  bool is_closed;
  double pn, pt;  /* impulses of the row that is looked at                    */
  double touched; /* time of the last row with an impulse, or of the first row */
  Friction friction;
  double slip;     /* when it slipped last; its sign counts */
  int stick;       /* event of the last row, if it began to stick there; else -1 */
  int impact;      /* event whose impulse still grows, -1: none             */
  double approach; /* [m/s] before it                                       */
  double parting;  /* normal velocity at the last row                       */
} Point;

typedef struct {
  int gap, impulse_n, impulse_t; /* columns; gap < 0: the contact has none  */
  double opening;                /* gap that opens it [m]                   */
  int first, n;                  /* its points                              */
  int n_closed, n_were_closed;   /* of them: now, before the row that is looked at */
  double approach;               /* [m/s] before its last impact            */
} Contact;

/* What a point does at a row. */
typedef struct {
  double gap;           /* [m]                                               */
  double parting, slip; /* velocities of b against a, along the normal and the tangent [m/s] */
  double mobility;      /* Gt M^-1 Gt' [1/kg]                                */
  double speed;         /* of the faster body there [m/s]                    */
} Look;

typedef struct {
  const SsScene *scene;
  bool has_points;                /* false: contacts as a whole */
  bool is_listed;                 /* impulses of contacts are in a list, not in channels */
  bool is_without;                /* the rows lack channels of bodies: nothing is found */
  int n_rows;                     /* so far */
  double *before;                 /* owned; the row before the one that is looked at */
  int next_impulse, next_contact; /* of the block's lists */
  int *pressed;                   /* owned; points with an impulse in the row that was looked at last */
  int n_pressed;
  double *listed;        /* owned; n_contacts, normal and tangential, of the row that is looked at; NULL: not listed */
  int *watched, *acting; /* owned; of a list: contacts that are closed or in it, and those in it; in order */
  int *merged;           /* owned; room for the next of watched */
  int n_watched, n_acting;
  SsDynamics *dynamics; /* owned */
  Contact *contacts;    /* owned */
  Point *points;        /* owned */
  int *body_column;     /* owned; of <body>.x, -1 when the six are not there */
  SsRow *limits;        /* owned */
  bool *is_at_limit;    /* owned */
  double *q, *v;        /* owned, one block at q; of the row that is looked at */
  int n_limits;
  SsEventList *list;
} Finder;

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Name and unit by kind. */
static const char *const conditions[SS_EVENT_COUNT][2] = {
    {"gap", "m"},
    {"normal force", "N"},
    {"friction bound less friction force", "N"},
    {"sliding velocity", "m/s"},
    {"sliding velocity", "m/s"},
    {"distance to the limit", "m or rad"},
    {"force of the limit", "N or N m"},
    {"sum of the shrinking flights", "s"},
    {"normal force", "N"},
};

const char *
ss_event_condition (SsEventKind kind)
{
  SS_ASSERT ((int)kind >= 0 && kind < SS_EVENT_COUNT);
  return conditions[kind][0];
}

const char *
ss_event_condition_unit (SsEventKind kind)
{
  SS_ASSERT ((int)kind >= 0 && kind < SS_EVENT_COUNT);
  return conditions[kind][1];
}

const char *
ss_event_subject_name (const SsScene *scene, const SsEvent *event)
{
  SS_ASSERT (scene != NULL && event != NULL);

  return event->kind == SS_EVENT_LIMIT || event->kind == SS_EVENT_LIMIT_LEFT ? scene->joints[event->subject].name
                                                                             : scene->contacts[event->subject].name;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* Index of the new event, -1 when it was left out. */
static int
add_event (Finder *f, SsEvent event)
{
  event.tau = NAN;
  return ss_events_add (f->list, &event);
}

static int
compare_times (const void *a, const void *b)
{
  const SsEvent *ea = a, *eb = b;
  if (ea->t != eb->t)
    return ea->t < eb->t ? -1 : 1;
  if (ea->subject != eb->subject)
    return ea->subject - eb->subject;
  if (ea->point != eb->point)
    return ea->point - eb->point;
  return (int)ea->kind - (int)eb->kind; /* an impact, then the separation that ends it */
}

SsStatus
ss_events_new (SsEventList **out, SsError *err)
{
  SS_ASSERT (out != NULL);
  *out = ss_new (SsEventList);
  if (*out != NULL)
    (*out)->items = ss_new_array (SsEvent, SS_EVENTS_MAX);
  if (*out != NULL && (*out)->items != NULL)
    return SS_OK;
  ss_events_free (*out);
  *out = NULL;
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for a list of events");
}

int
ss_events_add (SsEventList *events, const SsEvent *event)
{
  SS_ASSERT (events != NULL && event != NULL);
  if (events->n_items == SS_EVENTS_MAX) {
    events->n_left_out++;
    return -1;
  }
  events->items[events->n_items] = *event;
  return events->n_items++;
}

void
ss_events_free (SsEventList *events)
{
  if (events == NULL)
    return;
  ss_free (events->items);
  ss_free (events);
}

SsInterestEvent *
ss_events_to_interest (const SsEventList *events, const SsScene *scene)
{
  SS_ASSERT (scene != NULL || events == NULL || events->n_items == 0);
  const int n = events != NULL ? events->n_items : 0;
  SsInterestEvent *out = ss_new_array (SsInterestEvent, n + 1);

  for (int i = 0; out != NULL && i < n; i++)
    out[i] =
        (SsInterestEvent){ss_event_kind_name (events->items[i].kind), ss_event_subject_name (scene, &events->items[i]),
                          events->items[i].t, events->items[i].impulse};
  return out;
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
    if (strcmp (trajectory->channels[i].name, name) == 0) {
      *hint = i;
      return i;
    }
  }
  return -1;
}

static bool
find_columns (Finder *f, const SsTrajectory *motion)
{
  const SsScene *scene = f->scene;
  int hint = 0;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 6; k++) {
      int column = find_column (motion, scene->bodies[i].name, ss_body_channels[k], &hint);
      if (column < 0)
        return false;
      f->body_column[6 * i + k] = column;
    }
  for (int i = 0; i < scene->n_contacts; i++) {
    const SsContact *c = &scene->contacts[i];
    Contact *contact = &f->contacts[i];
    double size = fmin (ss_body_radius (&scene->bodies[c->body_a]), ss_body_radius (&scene->bodies[c->body_b]));
    contact->gap = f->is_listed ? 0 : -1;
    contact->opening = opening_share * size;
    if (f->is_listed || scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX)
      continue;
    contact->gap = find_column (motion, c->name, "gap", &hint);
    if (contact->gap < 0)
      continue;
    contact->impulse_n = find_column (motion, c->name, "impulse_n", &hint);
    contact->impulse_t = find_column (motion, c->name, "impulse_t", &hint);
    if (contact->impulse_n < 0 || contact->impulse_t < 0)
      contact->gap = -1;
  }
  return true;
}

/* Normal impulse of a contact in the row that is looked at. */
static double
impulse_of (const Finder *f, int contact, const double *row)
{
  return f->is_listed ? f->listed[2 * contact] : row[f->contacts[contact].impulse_n];
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

/* The nearest pair of shapes, the middle of whose witnesses is the point. */
static SsCorner
look_at_nearest (const Finder *f, const SsContact *c)
{
  const SsBody *a = &f->scene->bodies[c->body_a], *b = &f->scene->bodies[c->body_b];
  SsGap nearest = {.phi = INFINITY, .normal = {0, 1}};
  for (int i = 0; i < a->n_shapes; i++)
    for (int j = 0; j < b->n_shapes; j++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      if (ss_geometry_manifold (&a->shapes[i], f->q + 3 * c->body_a, &b->shapes[j], f->q + 3 * c->body_b, gaps) > 0 &&
          gaps[0].phi < nearest.phi)
        nearest = gaps[0];
    }
  const SsVec2 middle = {0.5 * (nearest.point_a.x + nearest.point_b.x), 0.5 * (nearest.point_a.y + nearest.point_b.y)};
  return (SsCorner){nearest.phi, middle, nearest.normal};
}

/* At the state that was read last. */
static Look
look_at (const Finder *f, const Point *point)
{
  const SsContact *c = &f->scene->contacts[point->contact];
  const int body[2] = {c->body_a, c->body_b};
  const double *inverse_mass = ss_dynamics_inverse_mass (f->dynamics);
  const SsCorner at =
      point->point < 0 ? look_at_nearest (f, c) : ss_contact_corner_at (f->scene, point->contact, point->point, f->q);
  const SsVec2 n = at.normal, t = {n.y, -n.x};
  Look look = {.gap = at.phi};
  for (int side = 0; side < 2; side++) {
    const double *q = f->q + 3 * body[side], *v = f->v + 3 * body[side], *w = inverse_mass + 3 * body[side];
    SsVec2 r = {at.point.x - q[0], at.point.y - q[1]};
    SsVec2 u = {v[0] - r.y * v[2], v[1] + r.x * v[2]};
    double sign = side == 0 ? -1 : 1, lever = r.x * t.y - r.y * t.x;
    look.parting += sign * (u.x * n.x + u.y * n.y);
    look.slip += sign * (u.x * t.x + u.y * t.y);
    look.speed = fmax (look.speed, hypot (u.x, u.y));
    look.mobility += w[0] * t.x * t.x + w[1] * t.y * t.y + w[2] * lever * lever;
  }
  return look;
}

static SsEvent
event_of (const Point *p, SsEventKind kind, double t)
{
  return (SsEvent){.t = t, .kind = kind, .subject = p->contact, .point = p->point, .impulse = NAN, .condition = NAN};
}

static void
update_friction (Finder *f, Point *p, double t, const Look *look)
{
  double bound = f->scene->contacts[p->contact].mu * p->pn, could = bound * look->mobility, slip = look->slip;
  if (!(could > 0))
    return;
  const double change = fmin (could, fmax (look->speed, change_rounding * could));
  const bool did = p->friction == FRICTION_SLIPS;
  const bool slips =
      fabs (slip) > (did ? slip_ends : slip_begins) * change && fabs (p->pt) >= (did ? cone_ends : cone_begins) * bound;

  int began_to_stick = -1;
  bool turned = slip * p->slip < 0;
  if (p->friction == FRICTION_STICKS && slips && turned && p->stick >= 0)
    f->list->items[p->stick].kind =
        SS_EVENT_REVERSAL; /* one step that sticks is how a step meets slip of zero in passing */
  else if (p->friction == FRICTION_STICKS && slips)
    add_event (f, event_of (p, SS_EVENT_SLIP, t));
  else if (p->friction == FRICTION_SLIPS && !slips)
    began_to_stick = add_event (f, event_of (p, SS_EVENT_STICK, t));
  else if (p->friction == FRICTION_SLIPS && turned)
    add_event (f, event_of (p, SS_EVENT_REVERSAL, t));
  p->friction = slips ? FRICTION_SLIPS : FRICTION_STICKS;
  p->stick = began_to_stick;
  if (slips)
    p->slip = slip;
}

/* The impulses of an impact's later steps: while the bodies still approach, and then while they part ever faster. */
static void
grow_impact (Finder *f, Point *p, double parting)
{
  bool approached = p->parting < -impact_change * p->approach;
  if (p->impact < 0)
    return;
  if (p->pn > 0 && (approached || parting > p->parting + impact_change * p->approach))
    f->list->items[p->impact].impulse += p->pn;
  else
    p->impact = -1;
}

/* Whether a point that closes hits; `look` is that of the row before, dt [s] earlier. */
static bool
is_impact (const Contact *c, const Look *look, double dt)
{
  const double rounding = impact_change * (fabs (look->slip) + c->approach) + rest_share * c->opening / dt;
  return c->n_were_closed == 0 || look->gap > c->opening || look->parting < -rounding;
}

static void
close_point (Finder *f, Point *p, const double *row, const double *before)
{
  read_state (f, before);
  const Look look = look_at (f, p);
  Contact *c = &f->contacts[p->contact];
  const bool hits = is_impact (c, &look, row[0] - before[0]);
  read_state (f, row);
  p->is_closed = true;
  c->n_closed++;
  p->friction = FRICTION_UNKNOWN;
  p->stick = p->impact = -1;
  if (!hits)
    return;
  SsEvent event = event_of (p, SS_EVENT_IMPACT, row[0]);
  event.impulse = p->pn;
  p->approach = c->approach = fabs (look.parting);
  p->impact = add_event (f, event);
}

static void
update_point (Finder *f, Point *p, const double *row, const double *before, double least)
{
  Contact *c = &f->contacts[p->contact];
  if (p->pn > least) {
    const bool is_new = !p->is_closed;
    if (is_new)
      close_point (f, p, row, before);
    const Look look = look_at (f, p);
    if (!is_new)
      grow_impact (f, p, look.parting);
    p->parting = look.parting;
    p->touched = row[0];
    update_friction (f, p, row[0], &look);
    return;
  }
  p->impact = -1;
  if (p->is_closed && (p->point < 0 && !f->is_listed ? row[c->gap] : look_at (f, p).gap) > c->opening) {
    p->is_closed = false;
    c->n_closed--;
    add_event (f, event_of (p, SS_EVENT_SEPARATION, p->touched));
  }
}

static void
update_contact (Finder *f, Contact *c, const double *row, const double *before, double least)
{
  c->n_were_closed = c->n_closed;
  if (c->gap < 0 || (c->n_closed == 0 && impulse_of (f, (int)(c - f->contacts), row) <= least))
    return;
  for (int k = c->first; k < c->first + c->n; k++)
    update_point (f, &f->points[k], row, before, least);
}

/* To the points, of row k of the block; points without an impulse have none. */
static void
take_impulses (Finder *f, const SsPointImpulses *points, int k, const double *row)
{
  const int n = f->is_listed ? f->n_watched : f->scene->n_contacts;
  for (int j = 0; j < n && !f->has_points; j++) {
    const int i = f->is_listed ? f->watched[j] : j;
    if (f->contacts[i].gap >= 0) {
      f->points[i].pn = impulse_of (f, i, row);
      f->points[i].pt = f->is_listed ? f->listed[2 * i + 1] : row[f->contacts[i].impulse_t];
    }
  }
  if (!f->has_points)
    return;
  for (int i = 0; i < f->n_pressed; i++)
    f->points[f->pressed[i]].pn = f->points[f->pressed[i]].pt = 0;
  f->n_pressed = 0;
  for (; f->next_impulse < points->n && points->items[f->next_impulse].row <= k; f->next_impulse++) {
    const SsPointImpulse *item = &points->items[f->next_impulse];
    const int at = f->contacts[item->contact].first + item->point;
    if (item->row < k)
      continue;
    f->points[at].pn = item->pn;
    f->points[at].pt = item->pt;
    f->pressed[f->n_pressed++] = at;
  }
}

/* Of the list, of row k of the block. What was watched stays so for this row: it has to see that it has no impulse. */
static void
take_listed (Finder *f, const SsContactRows *list, int k)
{
  int n = 0;
  f->n_acting = 0;
  for (int i = 0; i < f->n_watched; i++)
    f->listed[2 * f->watched[i]] = f->listed[2 * f->watched[i] + 1] = 0;
  for (; f->next_contact < list->n && list->items[f->next_contact].row <= k; f->next_contact++) {
    const SsContactRow *item = &list->items[f->next_contact];
    if (item->row < k)
      continue;
    SS_ASSERT (f->n_acting == 0 || f->acting[f->n_acting - 1] < item->contact);
    f->acting[f->n_acting++] = item->contact;
    f->listed[2 * item->contact] = item->impulse_n;
    f->listed[2 * item->contact + 1] = item->impulse_t;
  }
  for (int i = 0, j = 0; i < f->n_watched || j < f->n_acting;) {
    const int a = i < f->n_watched ? f->watched[i] : INT_MAX, b = j < f->n_acting ? f->acting[j] : INT_MAX;
    f->merged[n++] = a < b ? a : b;
    i += a <= b;
    j += b <= a;
  }
  int *const room = f->watched;
  f->watched = f->merged;
  f->merged = room;
  f->n_watched = n;
}

/* After the row: who is neither closed nor has an impulse needs no look until it has one. */
static void
forget_idle (Finder *f)
{
  int n = 0;
  for (int i = 0; i < f->n_watched; i++) {
    const int contact = f->watched[i];
    if (f->contacts[contact].n_closed > 0 || f->listed[2 * contact] != 0 || f->listed[2 * contact + 1] != 0)
      f->watched[n++] = contact;
  }
  f->n_watched = n;
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* Of one side alone: a rope's length, else the largest of the bound's way from 0 and the bodies' sizes; of angles 1. */
static double
range_of (const SsScene *scene, const SsJoint *joint)
{
  const double range = joint->upper - joint->lower, side = isfinite (joint->upper) ? joint->upper : joint->lower;
  double size = joint->kind == SS_JOINT_ROPE ? joint->length : fabs (side);
  if ((isfinite (range) && range > 0) || joint->kind == SS_JOINT_PIN)
    return isfinite (range) && range > 0 ? range : 1;
  for (int i = 0; i < 2 && joint->kind != SS_JOINT_ROPE; i++) { /* a half-plane has no size */
    const int body = i == 0 ? joint->body_a : joint->body_b;
    if (body >= 0 && isfinite (ss_body_radius (&scene->bodies[body])))
      size = fmax (size, ss_body_radius (&scene->bodies[body]));
  }
  return size > 0 ? size : 1;
}

static void
update_limits (Finder *f, double t, bool is_first)
{
  ss_dynamics_set_time (f->dynamics, t);
  ss_dynamics_limit_rows (f->dynamics, f->q, f->v, f->limits);
  for (int i = 0; i < f->n_limits; i++) {
    const SsRow *row = &f->limits[i];
    const double share = row->phi / range_of (f->scene, &f->scene->joints[row->source]);
    const bool was = f->is_at_limit[i], is = share <= (was && !is_first ? limit_left : limit_reached);
    f->is_at_limit[i] = is;
    if (!is_first && is != was)
      add_event (f, (SsEvent){.t = t,
                              .kind = is ? SS_EVENT_LIMIT : SS_EVENT_LIMIT_LEFT,
                              .subject = row->source,
                              .point = -1,
                              .is_upper = row->index == 1,
                              .impulse = NAN,
                              .condition = NAN});
  }
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

/* Places of the contacts' points; returns their number. */
static int
number_points (Finder *f)
{
  int n = 0;
  for (int i = 0; i < f->scene->n_contacts; i++) {
    f->contacts[i].first = n;
    f->contacts[i].n = f->has_points ? ss_contact_n_corners (f->scene, i) : 1;
    n += f->contacts[i].n;
  }
  return n;
}

static SsStatus
points_init (Finder *f, SsError *err)
{
  const int n = number_points (f);
  f->points = ss_new_array (Point, n + 1);
  f->pressed = ss_new_array (int, n + 1);
  if (f->points == NULL || f->pressed == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the events of %d contact points", n);
  for (int i = 0; i < f->scene->n_contacts; i++)
    for (int k = 0; k < f->contacts[i].n; k++)
      f->points[f->contacts[i].first + k] =
          (Point){.contact = i, .point = f->has_points ? k : -1, .impact = -1, .stick = -1};
  return SS_OK;
}

static SsStatus
finder_init (Finder *f, const SsMotionBlock *like, SsError *err)
{
  size_t n = 3 * (size_t)f->scene->n_bodies + 1;
  f->n_limits = ss_dynamics_n_limits (f->scene);
  f->is_listed = like->contacts != NULL;
  f->contacts = ss_new_array (Contact, f->scene->n_contacts + 1);
  f->body_column = ss_new_array (int, 2 * n);
  f->limits = ss_new_array (SsRow, f->n_limits + 1);
  f->is_at_limit = ss_new_array (bool, f->n_limits + 1);
  f->q = ss_new_array (double, 2 * n);
  f->before = ss_new_array (double, like->motion->n_channels);
  f->listed = ss_new_array (double, f->is_listed ? 2 * (size_t)f->scene->n_contacts + 1 : 1);
  f->watched = ss_new_array (int, f->is_listed ? f->scene->n_contacts + 1 : 1);
  f->acting = ss_new_array (int, f->is_listed ? f->scene->n_contacts + 1 : 1);
  f->merged = ss_new_array (int, f->is_listed ? f->scene->n_contacts + 1 : 1);
  if (f->contacts == NULL || f->body_column == NULL || f->limits == NULL || f->is_at_limit == NULL || f->q == NULL ||
      f->before == NULL || f->listed == NULL || f->watched == NULL || f->acting == NULL || f->merged == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the events of %d contacts", f->scene->n_contacts);
  f->v = f->q + n;
  f->is_without = !find_columns (f, like->motion);
  SsStatus status = points_init (f, err);
  if (status == SS_OK)
    status = ss_events_new (&f->list, err);
  return status == SS_OK ? ss_dynamics_new (f->scene, &f->dynamics, err) : status;
}

static void
finder_free (Finder *f)
{
  if (f == NULL)
    return;
  ss_free (f->contacts);
  ss_free (f->points);
  ss_free (f->pressed);
  ss_free (f->body_column);
  ss_free (f->limits);
  ss_free (f->is_at_limit);
  ss_free (f->q);
  ss_free (f->before);
  ss_free (f->listed);
  ss_free (f->watched);
  ss_free (f->acting);
  ss_free (f->merged);
  ss_dynamics_free (f->dynamics);
  ss_events_free (f->list);
  ss_free (f);
}

static SsStatus
finder_new (const SsScene *scene, const SsMotionBlock *like, bool has_points, Finder **out, SsError *err)
{
  Finder *f = ss_new (Finder);

  *out = NULL;
  if (f == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the events of %d contacts", scene->n_contacts);
  f->scene = scene;
  f->has_points = has_points;
  SsStatus status = finder_init (f, like, err);
  if (status == SS_OK)
    *out = f;
  else
    finder_free (f);
  return status;
}

static double
largest_impulse (const Finder *f, const double *row)
{
  const int n = f->is_listed ? f->n_acting : f->scene->n_contacts;
  double largest = 0;
  for (int j = 0; j < n; j++) {
    const int i = f->is_listed ? f->acting[j] : j;
    if (f->contacts[i].gap >= 0)
      largest = fmax (largest, impulse_of (f, i, row));
  }
  return largest;
}

/* Whether circles about both bodies' origins are apart by more than the gap that opens the contact. */
static bool
is_far (const Finder *f, int index)
{
  const SsContact *c = &f->scene->contacts[index];
  const double *a = f->q + 3 * c->body_a, *b = f->q + 3 * c->body_b;
  const double reach = ss_body_radius (&f->scene->bodies[c->body_a]) + ss_body_radius (&f->scene->bodies[c->body_b]);
  return hypot (a[0] - b[0], a[1] - b[1]) > reach + f->contacts[index].opening;
}

/* Points that touch at the first row: of a contact's manifold, or the whole. */
static void
start_contact (Finder *f, int index, const double *row)
{
  const SsContact *c = &f->scene->contacts[index];
  const SsBody *a = &f->scene->bodies[c->body_a], *b = &f->scene->bodies[c->body_b];
  const Contact *contact = &f->contacts[index];
  if (contact->gap < 0 || (f->is_listed && is_far (f, index)))
    return;
  if ((f->is_listed ? look_at_nearest (f, c).phi : row[contact->gap]) > contact->opening)
    return;
  if (!f->has_points)
    f->points[contact->first].is_closed = true;
  for (int i = 0; f->has_points && i < a->n_shapes; i++)
    for (int j = 0; j < b->n_shapes; j++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      int n = ss_geometry_manifold (&a->shapes[i], f->q + 3 * c->body_a, &b->shapes[j], f->q + 3 * c->body_b, gaps);
      for (int k = 0; k < n; k++)
        if (gaps[k].phi <= contact->opening)
          f->points[contact->first + ss_contact_corner (f->scene, index, (const int[]){i, j}, &gaps[k], f->q)]
              .is_closed = true;
    }
}

static void
start (Finder *f, const double *row)
{
  int n = 0;
  read_state (f, row);
  update_limits (f, row[0], true);
  for (int i = 0; i < f->scene->n_contacts; i++) {
    Contact *contact = &f->contacts[i];
    start_contact (f, i, row);
    for (int k = contact->first; k < contact->first + contact->n; k++) {
      f->points[k].touched = row[0];
      contact->n_closed += f->points[k].is_closed;
    }
    if (f->is_listed && (contact->n_closed > 0 || f->listed[2 * i] != 0 || f->listed[2 * i + 1] != 0))
      f->merged[n++] = i;
  }
  if (!f->is_listed)
    return;
  memcpy (f->watched, f->merged, (size_t)n * sizeof *f->watched);
  f->n_watched = n;
}

static void
find_in_rows (Finder *f, const SsMotionBlock *rows, const SsPointImpulses *points)
{
  const size_t size = (size_t)rows->motion->n_channels * sizeof (double);

  f->next_impulse = 0;
  f->next_contact = rows->first_contact;
  for (int k = rows->first; k < rows->end && !f->is_without; k++, f->n_rows++) {
    const double *row = ss_trajectory_row (rows->motion, k);
    if (f->is_listed)
      take_listed (f, rows->contacts, k);
    if (f->n_rows == 0) {
      start (f, row);
    } else {
      double least = impulse_rounding * largest_impulse (f, row);
      read_state (f, row);
      update_limits (f, row[0], false);
      take_impulses (f, points, k, row);
      const int n = f->is_listed ? f->n_watched : f->scene->n_contacts;
      for (int i = 0; i < n; i++)
        update_contact (f, &f->contacts[f->is_listed ? f->watched[i] : i], row, f->before, least);
      forget_idle (f);
    }
    memcpy (f->before, row, size);
  }
}

/* ---- the door ---------------------------------------------------------------------------------------------------- */

/* Whether impulses are of points is known when the first one has come: until then both are looked for. */
struct SsEventFinder {
  Finder *of_points, *of_wholes; /* owned; NULL: no longer */
};

void
ss_event_finder_free (SsEventFinder *finder)
{
  if (finder == NULL)
    return;
  finder_free (finder->of_points);
  finder_free (finder->of_wholes);
  ss_free (finder);
}

SsStatus
ss_event_finder_new (const SsScene *scene, const SsMotionBlock *like, SsEventFinder **out, SsError *err)
{
  SS_ASSERT (scene != NULL && like != NULL && like->motion != NULL && out != NULL);
  SsEventFinder *finder = ss_new (SsEventFinder);

  *out = NULL;
  if (finder == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the events of %d contacts", scene->n_contacts);
  SsStatus status = finder_new (scene, like, false, &finder->of_wholes, err);
  if (status == SS_OK && like->contacts == NULL && scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX)
    status = finder_new (scene, like, true, &finder->of_points, err);
  if (status == SS_OK)
    *out = finder;
  else
    ss_event_finder_free (finder);
  return status;
}

void
ss_event_finder_rows (SsEventFinder *finder, const SsMotionBlock *rows, const SsPointImpulses *points)
{
  SS_ASSERT (finder != NULL);
  static const SsPointImpulses none = {0};

  if (points != NULL && points->n > 0 && finder->of_points != NULL && finder->of_wholes != NULL) {
    finder_free (finder->of_wholes);
    finder->of_wholes = NULL;
  }
  if (finder->of_wholes != NULL)
    find_in_rows (finder->of_wholes, rows, &none);
  if (finder->of_points != NULL)
    find_in_rows (finder->of_points, rows, points != NULL ? points : &none);
}

SsEventList *
ss_event_finder_end (SsEventFinder *finder)
{
  Finder *f = finder->of_wholes != NULL ? finder->of_wholes : finder->of_points;
  SsEventList *list = f->list;

  f->list = NULL;
  qsort (list->items, (size_t)list->n_items, sizeof *list->items, compare_times);
  return list;
}

SsStatus
ss_events_find (const SsScene *scene, const SsTrajectory *trajectory, const SsPointImpulses *points, SsEventList **out,
                SsError *err)
{
  SS_ASSERT (scene != NULL && trajectory != NULL && out != NULL);
  const SsMotionBlock all = ss_motion_block_of_all ((SsTrajectory *)trajectory, NULL); /* which is only read */
  SsEventFinder *finder;

  *out = NULL;
  SsStatus status = ss_event_finder_new (scene, &all, &finder, err);
  if (status != SS_OK)
    return status;
  ss_event_finder_rows (finder, &all, points);
  *out = ss_event_finder_end (finder);
  ss_event_finder_free (finder);
  return SS_OK;
}
