/* engine/fesd/ss-fesd-march.c: see the header. */
#include "fesd/ss-fesd-march.h"

#include "core/ss-memory.h"
#include "simulate/ss-sim-limits.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points closer than this part of the bodies' size touch: some rounding of a motion over many steps. */
static const double touch_part = 1e-10;
/* Speeds below this part of those about are none [1, with 1 m/s at least]: what bounces slower rests. */
static const double rest_part = 1e-10;
/* A flight that is not higher than this many roundings of the bodies' size is none. */
static const double flight_roundings = 8;
/* Points of contact nearer to each other than this part of the bodies' size are one. */
static const double same_place_part = 1e-6;
/* A step is halved so often before speeds that count as rest double with each halving, so often at most. */
static const double patient_halvings = 12, doublings_max = 10;
/* Signs of the law at an instant count up to this part of its largest numbers. */
static const double law_tolerance = 1e-7;
/* A closed contact carries at least this part of the largest force. */
static const double load_part = 1e-9;
/* A flight's ratio to the one before has settled when the next one differs by less. */
static const double settled_ratio = 1e-4;
/* A remainder of a step below this part of it is rounding of times. */
static const double sliver = 1e-13;

enum { DEPTH_MAX = 40, SEARCHES_MAX = 40, SECANTS_MAX = 40, AT_INSTANT_MAX = 60, FLIGHTS = 3, SOLVES_MAX = 20000 };

/* All that a step changes, in few blocks so that it can be put back. */
typedef struct {
  double t, residual, second, events; /* the second of simulated time, and the events in it */
  bool is_known;                      /* modes hold at (t, q, v) */
  bool is_projected;                  /* v obeys the closed contacts */
  int at_instant;                     /* switches since time went on */
  long n_jumps;                       /* since the march was made */
  double *q, *v;                      /* n_q */
  double *offset;                     /* n_items: gap that counts as closed */
  double *lambda_n, *lambda_t;        /* n_items, present forces */
  double *bilateral;                  /* n_bilateral */
  double *a;                          /* n_free */
  double *dissipated;                 /* n_contacts */
  double *flights;                    /* FLIGHTS + 1 an item: last impact, flights, newest first */
  double *ends;                       /* n_items: accumulation to be told of, NaN: none */
  SsFesdMode *modes, *told;           /* n_items: told: those that events have been told of */
  int *broken;                        /* n_items: +1, -1: the cone was reached, friction acts so */
  SsFesdPoint *slots;                 /* 2 n_pairs: the points of pairs */
  bool *live;                         /* 2 n_pairs */
} State;

/* The modes that may be tried at an instant. */
typedef struct {
  int n; /* candidates: touching points at rest along the normal */
  int capacity;
  SsFesdTouch *touches;
  SsFesdMode *base, *trial;
  long next; /* number of the next variation */
  bool is_selected, is_hopeless;
} Choice;

struct SsFesdMarch {
  SsFesdSystem *system; /* borrowed */
  SsFesdMarchOptions options;
  SsTableau tableau;
  SsFesdElement *element;
  SsFesdLaw *law;
  SsFesdWatch *watch;
  SsFesdRecord record;
  SsFesdCounts counts;
  Choice choice;
  State now;
  State saved[DEPTH_MAX + 2]; /* made when they are needed */
  struct {
    int n_items, n_numbers, row_to_patch;
  } cut[DEPTH_MAX + 2];
  int row_to_patch; /* record item whose forces belong to the element to come, -1: none */
  double *impulse;  /* 2 n_items: of the jump just made */
  double *work;     /* n_q */
  const SsFesdJudge *judge;
  double t_step_end;
  int depth;        /* halvings of the step under way */
  long solves;      /* elements solved in this step, also those that were not taken */
  bool has_stepped; /* `now` is the end of the last step */
  char reason[256];
};

typedef enum { DONE, TOO_MANY, HARD_FAILURE, NO_MEMORY, EVENT, CLEAR, AT_ONCE, NOT_SOLVED } Outcome;

/* ---- state ------------------------------------------------------------------------------------------------------- */

static size_t
n_numbers_of (const SsFesdSystem *s)
{
  return 2 * (size_t)s->n_q + (size_t)ss_fesd_n_items (s) * (FLIGHTS + 5) + (size_t)s->n_bilateral + (size_t)s->n_free +
         (size_t)s->scene->n_contacts;
}

static SsStatus
state_init (const SsFesdSystem *s, State *state, SsError *err)
{
  const size_t n_items = (size_t)ss_fesd_n_items (s);
  state->q = ss_new_array (double, n_numbers_of (s) + 1);
  state->modes = ss_new_array (SsFesdMode, 2 * n_items + 1);
  state->broken = ss_new_array (int, n_items + 1);
  state->slots = ss_new_array (SsFesdPoint, 2 * (size_t)s->n_pairs + 1);
  state->live = ss_new_array (bool, 2 * (size_t)s->n_pairs + 1);
  if (state->q == NULL || state->modes == NULL || state->broken == NULL || state->slots == NULL || state->live == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d contact points", s->n_points);
  state->v = state->q + s->n_q;
  state->offset = state->v + s->n_q;
  state->lambda_n = state->offset + n_items;
  state->lambda_t = state->lambda_n + n_items;
  state->flights = state->lambda_t + n_items;
  state->ends = state->flights + n_items * (FLIGHTS + 1);
  state->bilateral = state->ends + n_items;
  state->a = state->bilateral + s->n_bilateral;
  state->dissipated = state->a + s->n_free;
  state->told = state->modes + n_items;
  return SS_OK;
}

static void
state_clear (State *state)
{
  ss_free (state->q);
  ss_free (state->modes);
  ss_free (state->broken);
  ss_free (state->slots);
  ss_free (state->live);
  *state = (State){0};
}

/* Copies what `from` holds; the arrays of `to` stay its own. */
static void
state_copy (const SsFesdSystem *s, State *to, const State *from)
{
  const size_t n_items = (size_t)ss_fesd_n_items (s), n_slots = 2 * (size_t)s->n_pairs;
  to->t = from->t;
  to->residual = from->residual;
  to->second = from->second;
  to->events = from->events;
  to->is_known = from->is_known;
  to->is_projected = from->is_projected;
  to->at_instant = from->at_instant;
  to->n_jumps = from->n_jumps;
  memcpy (to->q, from->q, n_numbers_of (s) * sizeof *to->q);
  memcpy (to->modes, from->modes, 2 * n_items * sizeof *to->modes);
  memcpy (to->broken, from->broken, n_items * sizeof *to->broken);
  memcpy (to->slots, from->slots, n_slots * sizeof *to->slots);
  memcpy (to->live, from->live, n_slots * sizeof *to->live);
}

/* What is known of an item. */
static double *
flights_of (SsFesdMarch *m, int item)
{
  return m->now.flights + (size_t)item * (FLIGHTS + 1);
}

static void
forget_flights (SsFesdMarch *m, int item)
{
  for (int k = 0; k <= FLIGHTS; k++)
    flights_of (m, item)[k] = NAN;
}

/* Points of pairs of the present state, for the system. */
static void
install_slots (SsFesdMarch *m)
{
  SsFesdSystem *s = m->system;
  memcpy (s->points + s->n_static, m->now.slots, 2 * (size_t)s->n_pairs * sizeof *s->points);
  memcpy (s->is_live + s->n_static, m->now.live, 2 * (size_t)s->n_pairs * sizeof *s->is_live);
}

/* Keeps the state under a number; the way back. */
static SsStatus
save (SsFesdMarch *m, int depth, SsError *err)
{
  if (m->saved[depth].q == NULL) {
    SsStatus status = state_init (m->system, &m->saved[depth], err);
    if (status != SS_OK) {
      state_clear (&m->saved[depth]);
      return status;
    }
  }
  state_copy (m->system, &m->saved[depth], &m->now);
  m->cut[depth].n_items = m->record.n_items;
  m->cut[depth].n_numbers = m->record.n_numbers;
  m->cut[depth].row_to_patch = m->row_to_patch;
  return SS_OK;
}

static void
restore (SsFesdMarch *m, int depth)
{
  state_copy (m->system, &m->now, &m->saved[depth]);
  ss_fesd_record_cut (&m->record, m->cut[depth].n_items, m->cut[depth].n_numbers);
  m->row_to_patch = m->cut[depth].row_to_patch;
  m->choice.is_selected = false;
  install_slots (m);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

SsStatus
ss_fesd_march_new (SsFesdSystem *system, const SsFesdMarchOptions *options, SsFesdMarch **out, SsError *err)
{
  SS_ASSERT (system != NULL && options != NULL && out != NULL);
  SS_ASSERT (options->n_elements >= 1);

  *out = NULL;
  SsFesdMarch *m = ss_new (SsFesdMarch);
  if (m == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a simulation by finite elements");
  m->system = system;
  m->options = *options;
  m->row_to_patch = -1;
  ss_fesd_record_init (&m->record, system->scene);
  SsStatus status = ss_tableau_make (options->family, options->n_stages, &m->tableau, err);
  if (status == SS_OK)
    status = ss_fesd_element_new (system, &m->tableau, &m->element, err);
  if (status == SS_OK)
    status = ss_fesd_law_new (system, &m->law, err);
  if (status == SS_OK)
    status = ss_fesd_watch_new (system, &m->tableau, &m->watch, err);
  if (status == SS_OK)
    status = state_init (system, &m->now, err);
  if (status == SS_OK) {
    m->impulse = ss_new_array (double, 2 * (size_t)ss_fesd_n_items (system) + (size_t)system->n_q + 1);
    if (m->impulse == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a simulation by finite elements");
  }
  if (status != SS_OK) {
    ss_fesd_march_free (m);
    return status;
  }
  m->work = m->impulse + 2 * ss_fesd_n_items (system);
  ss_fesd_element_set_offsets (m->element, m->now.offset);
  *out = m;
  return SS_OK;
}

void
ss_fesd_march_free (SsFesdMarch *m)
{
  if (m == NULL)
    return;
  ss_fesd_element_free (m->element);
  ss_fesd_law_free (m->law);
  ss_fesd_watch_free (m->watch);
  ss_fesd_record_clear (&m->record);
  state_clear (&m->now);
  for (int i = 0; i < DEPTH_MAX + 2; i++)
    state_clear (&m->saved[i]);
  ss_free (m->choice.touches);
  ss_free (m->choice.base);
  ss_free (m->choice.trial);
  ss_free (m->impulse);
  ss_free (m);
}

const SsFesdCounts *
ss_fesd_march_counts (const SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);
  return &m->counts;
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

static int
contact_of (const SsFesdSystem *s, int item)
{
  return item < s->n_points ? s->points[item].contact : -1;
}

/* Smallest gaps of all contacts at q. */
static void
fill_gaps (const SsFesdMarch *m, const double *q, double *values)
{
  const SsFesdSystem *s = m->system;
  for (int i = 0; i < s->scene->n_contacts; i++)
    values[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_GAP] = INFINITY;
  for (int i = 0; i < s->n_static; i++) {
    double *gap = &values[s->points[i].contact * SS_SIM_N_CONTACT_VALUES + SS_SIM_GAP];
    *gap = fmin (*gap, ss_fesd_point_gap (&s->points[i], q));
  }
  for (int i = 0; i < s->n_pairs; i++) {
    double gaps[2], *gap = &values[s->pairs[i].contact * SS_SIM_N_CONTACT_VALUES + SS_SIM_GAP];
    ss_fesd_system_gaps (s, &s->pairs[i], q, gaps);
    *gap = fmin (*gap, gaps[0]);
  }
}

/* Forces and impulses of items (NULL: none), summed over the points of each contact. */
static void
fill_forces (const SsFesdSystem *s, const double *lambda_n, const double *lambda_t, const double *impulse,
             double *values)
{
  for (int i = 0; i < s->scene->n_contacts; i++)
    for (int k = SS_SIM_LAMBDA_N; k < SS_SIM_N_CONTACT_VALUES; k++)
      values[i * SS_SIM_N_CONTACT_VALUES + k] = 0;
  for (int i = 0; i < s->n_points; i++) {
    double *of = values + s->points[i].contact * SS_SIM_N_CONTACT_VALUES;
    of[SS_SIM_LAMBDA_N] += lambda_n != NULL ? lambda_n[i] : 0;
    of[SS_SIM_LAMBDA_T] += lambda_t != NULL ? lambda_t[i] : 0;
    of[SS_SIM_IMPULSE_N] += impulse != NULL ? impulse[2 * i] : 0;
    of[SS_SIM_IMPULSE_T] += impulse != NULL ? impulse[2 * i + 1] : 0;
  }
}

static SsStatus
tell_row (SsFesdMarch *m, const double *impulse, SsError *err)
{
  const SsFesdSystem *s = m->system;
  double *at;
  SsStatus status = ss_fesd_record_add (&m->record, SS_FESD_RECORD_ROW, 0, &at, err);
  if (status != SS_OK)
    return status;
  *at++ = m->now.t;
  memcpy (at, m->now.q, (size_t)s->n_q * sizeof *at);
  memcpy (at + s->n_q, m->now.v, (size_t)s->n_q * sizeof *at);
  at += 2 * s->n_q;
  fill_gaps (m, m->now.q, at);
  fill_forces (s, m->now.lambda_n, m->now.lambda_t, impulse, at);
  memcpy (at + SS_SIM_N_CONTACT_VALUES * s->scene->n_contacts, m->now.dissipated,
          (size_t)s->scene->n_contacts * sizeof *at);
  return SS_OK;
}

static SsStatus
tell_event (SsFesdMarch *m, SsEventKind kind, int item, double t, double impulse, SsError *err)
{
  const SsFesdSystem *s = m->system;
  SsEvent event = {
      .t = fmin (t, m->t_step_end), .kind = kind, .point = -1, .impulse = impulse, .is_exact = true, .tau = NAN};
  if (item < s->n_points) {
    event.subject = s->points[item].contact;
    event.point = s->points[item].corner;
  } else {
    const int row = s->n_bilateral + item - s->n_points;
    event.subject = s->row_joint[row];
    event.is_upper = s->row_is_upper[row];
    event.kind = kind == SS_EVENT_IMPACT ? SS_EVENT_LIMIT : kind == SS_EVENT_SEPARATION ? SS_EVENT_LIMIT_LEFT : kind;
    event.impulse = NAN;
  }
  return ss_fesd_record_add_event (&m->record, &event, err);
}

/* What the modes that now act say that those before did not. */
static SsStatus
tell_modes (SsFesdMarch *m, SsError *err)
{
  const SsFesdSystem *s = m->system;
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < ss_fesd_n_items (s); i++) {
    const SsFesdMode before = m->now.told[i], after = m->now.modes[i];
    m->now.told[i] = after;
    if (before == after || before == SS_FESD_OPEN)
      continue;
    const bool has_friction = i < s->n_points && s->scene->contacts[s->points[i].contact].mu > 0;
    if (after == SS_FESD_OPEN)
      status = tell_event (m, SS_EVENT_SEPARATION, i, m->now.t, NAN, err);
    else if (has_friction)
      status = tell_event (m,
                           before == SS_FESD_STICK  ? SS_EVENT_SLIP
                           : after == SS_FESD_STICK ? SS_EVENT_STICK
                                                    : SS_EVENT_REVERSAL,
                           i, m->now.t, NAN, err);
  }
  return status;
}

/* Stages of the element, with their weights; what friction takes. */
static SsStatus
tell_stages (SsFesdMarch *m, double t_end, SsError *err)
{
  const SsFesdSystem *s = m->system;
  const SsFesdElement *e = m->element;
  const SsFesdRow *rows = ss_fesd_element_rows (e);
  const double h = ss_fesd_element_length (e);
  for (int j = 0; j < ss_fesd_element_n_stages (e); j++) {
    double *at;
    SsStatus status = ss_fesd_record_add (&m->record, SS_FESD_RECORD_STAGE, h * m->tableau.b[j], &at, err);
    if (status != SS_OK)
      return status;
    const double *q = ss_fesd_element_q (e, j), *v = ss_fesd_element_v (e, j);
    *at++ = fmin (m->now.t + m->tableau.c[j] * h, t_end);
    memcpy (at, q, (size_t)s->n_q * sizeof *at);
    memcpy (at + s->n_q, v, (size_t)s->n_q * sizeof *at);
    at += 2 * s->n_q;
    for (int i = 0; i < s->scene->n_contacts * (SS_SIM_N_CONTACT_VALUES + 1); i++)
      at[i] = 0;
    for (int i = 0; i < ss_fesd_element_n_rows (e); i++) {
      if (rows[i].kind != SS_FESD_ROW_NORMAL && rows[i].kind != SS_FESD_ROW_STICK)
        continue;
      const SsFesdPoint *point = &s->points[rows[i].item];
      const double lambda = ss_fesd_element_lambda (e, i, j);
      double *of = at + point->contact * SS_SIM_N_CONTACT_VALUES;
      if (rows[i].kind == SS_FESD_ROW_STICK) {
        of[SS_SIM_LAMBDA_T] += lambda;
        continue;
      }
      of[SS_SIM_LAMBDA_N] += lambda;
      of[SS_SIM_LAMBDA_T] += rows[i].friction * lambda;
      if (rows[i].friction == 0)
        continue;
      SsFesdPointAt where;
      double slip = 0;
      ss_fesd_point_at (point, q, false, &where);
      for (int k = 0; k < SS_FESD_POINT_N; k++)
        slip += where.jt[k] * v[3 * point->body[k / 3] + k % 3];
      m->now.dissipated[point->contact] -= h * m->tableau.b[j] * rows[i].friction * lambda * slip;
    }
  }
  return SS_OK;
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

/* Speeds below this are none: those of rounding, and those with which a flight under gravity stays within the rounding
 * of the gap. Where halving a step goes on and on, as in a rocking that dies out between several contacts, faster ones
 * too: up to some 1e-4 m/s. */
static double
rest_speed (const SsFesdMarch *m)
{
  const SsFesdSystem *s = m->system;
  const double gravity = fmax (1, hypot (s->scene->gravity.x, s->scene->gravity.y));
  double speed = 1;
  for (int i = 0; i < s->n_q; i++)
    speed = fmax (speed, fabs (m->now.v[i]));
  const double rest = fmax (rest_part * speed, sqrt (2 * gravity * flight_roundings * DBL_EPSILON * s->size));
  return rest * exp2 (fmin (fmax (m->depth - patient_halvings, 0), doublings_max));
}

static double
mu_of (const SsFesdSystem *s, int item)
{
  return item < s->n_points ? s->scene->contacts[s->points[item].contact].mu : 0;
}

/* At one place, and what is known of it still holds: its features then change by a switch alone. */
static bool
is_same_point (const SsFesdMarch *m, const SsFesdPoint *known, const SsFesdPoint *found)
{
  const double touch = touch_part * m->system->size;
  const SsVec2 a = ss_fesd_point_place (known, m->now.q), b = ss_fesd_point_place (found, m->now.q);
  return hypot (a.x - b.x, a.y - b.y) <= same_place_part * m->system->size &&
         fabs (ss_fesd_point_gap (known, m->now.q)) <= touch && ss_fesd_point_room (known, m->now.q, 0) >= -touch &&
         ss_fesd_point_room (known, m->now.q, 1) >= -touch;
}

/* The points of pairs as they lie now: those that touch are looked up; known ones keep their slot and mode. */
static void
look_up_pairs (SsFesdMarch *m)
{
  SsFesdSystem *s = m->system;
  const double touch = touch_part * s->size;
  for (int i = 0; i < s->n_pairs; i++) {
    SsFesdPair *pair = &s->pairs[i];
    const SsContact *c = &s->scene->contacts[pair->contact];
    const double *a = m->now.q + 3 * c->body_a, *b = m->now.q + 3 * c->body_b;
    if (isfinite (pair->radius) && hypot (a[0] - b[0], a[1] - b[1]) > pair->radius + touch) {
      for (int k = 0; k < 2; k++) {
        m->now.live[pair->slot - s->n_static + k] = false;
        m->now.modes[pair->slot + k] = SS_FESD_OPEN;
      }
      continue;
    }
    SsFesdPoint points[2];
    double gaps[2];
    int n = ss_fesd_system_meet (s, pair, m->now.q, points, gaps);
    if (n == 2) { /* a face of which nothing lies on the other */
      const SsVec2 p = ss_fesd_point_place (&points[0], m->now.q), r = ss_fesd_point_place (&points[1], m->now.q);
      n = hypot (p.x - r.x, p.y - r.y) <= same_place_part * s->size ? 1 : 2;
    }
    SsFesdPoint *slots = m->now.slots + (pair->slot - s->n_static);
    bool *live = m->now.live + (pair->slot - s->n_static), used[2] = {false, false}, placed[2] = {false, false};
    const bool was[2] = {live[0], live[1]};
    live[0] = live[1] = false;
    for (int k = 0; k < n; k++)
      for (int l = 0; l < 2 && !placed[k]; l++)
        if (was[l] && !used[l] && is_same_point (m, &slots[l], &points[k])) {
          used[l] = placed[k] = live[l] = true;
        }
    for (int k = 0; k < n; k++)
      for (int l = 0; l < 2 && !placed[k]; l++)
        if (!used[l]) {
          used[l] = placed[k] = true;
          live[l] = true;
          slots[l] = points[k];
          m->now.offset[pair->slot + l] = fmin (0, ss_fesd_point_gap (&points[k], m->now.q));
          if (m->now.offset[pair->slot + l] > -touch)
            m->now.offset[pair->slot + l] = 0;
          forget_flights (m, pair->slot + l);
        }
    for (int l = 0; l < 2; l++)
      if (!live[l]) {
        m->now.modes[pair->slot + l] = SS_FESD_OPEN;
        m->now.offset[pair->slot + l] = 0;
      }
  }
  install_slots (m);
}

static SsStatus
reserve_choice (SsFesdMarch *m, int n, SsError *err)
{
  Choice *c = &m->choice;
  if (n <= c->capacity)
    return SS_OK;
  const size_t wanted = (size_t)(n + n / 2 + 4);
  SsFesdTouch *touches = ss_realloc (c->touches, wanted, sizeof *touches);
  SsFesdMode *base = ss_realloc (c->base, wanted, sizeof *base), *trial = ss_realloc (c->trial, wanted, sizeof *trial);
  c->touches = touches != NULL ? touches : c->touches;
  c->base = base != NULL ? base : c->base;
  c->trial = trial != NULL ? trial : c->trial;
  if (touches == NULL || base == NULL || trial == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d touching points", n);
  c->capacity = (int)wanted;
  return SS_OK;
}

/* What the law's answer means for a touch. */
static SsFesdMode
mode_of (const SsFesdMarch *m, const SsFesdTouch *touch, double largest)
{
  const double mu = mu_of (m->system, touch->item);
  const int broken = m->now.broken[touch->item];
  if (!(touch->force_n > load_part * largest) || touch->force_n <= 0)
    return SS_FESD_OPEN;
  if (mu <= 0)
    return SS_FESD_SLIP_PLUS;
  if (touch->sign != 0)
    return touch->sign > 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
  if (broken != 0) /* friction acts in the direction in which it gave way */
    return broken > 0 ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS;
  if (fabs (touch->force_t) < mu * touch->force_n * (1 - law_tolerance))
    return SS_FESD_STICK;
  const double at_rest = law_tolerance * largest;
  if (fabs (touch->slip_after) <= at_rest)
    return SS_FESD_STICK;
  return touch->slip_after > 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
}

static void
take_modes (SsFesdMarch *m, const SsFesdMode *modes)
{
  const SsFesdSystem *s = m->system;
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    m->now.modes[i] = SS_FESD_OPEN;
  memset (m->now.lambda_n, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_n);
  memset (m->now.lambda_t, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_t);
  for (int i = 0; i < m->choice.n; i++) {
    const SsFesdTouch *touch = &m->choice.touches[i];
    m->now.modes[touch->item] = modes[i];
    m->now.lambda_n[touch->item] = modes[i] == SS_FESD_OPEN ? 0 : touch->force_n;
    m->now.lambda_t[touch->item] = modes[i] == SS_FESD_OPEN ? 0 : touch->force_t;
  }
}

/* The law at this instant: modes, and a first guess of forces and accelerations. */
static SsStatus
select_modes (SsFesdMarch *m, SsError *err)
{
  const SsFesdSystem *s = m->system;
  Choice *c = &m->choice;
  SsFesdTouch *touches;
  int n;
  bool is_solved = true;
  const double rest = rest_speed (m);
  SsStatus status =
      ss_fesd_law_touching (m->law, m->now.q, m->now.v, m->now.offset, touch_part * s->size, &touches, &n, err);
  if (status == SS_OK)
    status = reserve_choice (m, n, err);
  if (status != SS_OK)
    return status;
  c->n = 0;
  for (int i = 0; i < n; i++) {
    if (!(touches[i].rate <= rest))
      continue;
    const bool slips = mu_of (s, touches[i].item) > 0 && fabs (touches[i].slip) > rest;
    touches[i].sign = !slips ? 0 : touches[i].slip > 0 ? 1 : -1;
    c->touches[c->n++] = touches[i];
  }
  c->next = 0;
  c->is_selected = true;
  m->now.is_projected = false;
  c->is_hopeless = false;
  status = ss_fesd_law_forces (m->law, m->now.t, m->now.q, m->now.v, c->touches, c->n, m->now.a, m->now.bilateral,
                               &is_solved, err);
  if (status != SS_OK)
    return status;
  double largest = 0;
  for (int i = 0; is_solved && i < c->n; i++)
    largest = fmax (largest, c->touches[i].force_n);
  for (int i = 0; i < c->n; i++)
    c->base[i] = is_solved ? mode_of (m, &c->touches[i], largest) : SS_FESD_OPEN;
  c->is_hopeless = !is_solved;
  take_modes (m, c->base);
  m->now.is_known = true;
  return SS_OK;
}

/* Modes that a touch may have. */
static int
modes_for (const SsFesdMarch *m, const SsFesdTouch *touch, SsFesdMode *modes)
{
  int n = 0;
  const bool has_friction = mu_of (m->system, touch->item) > 0;
  if (!has_friction || touch->sign > 0) {
    modes[n++] = SS_FESD_SLIP_PLUS;
  } else if (touch->sign < 0) {
    modes[n++] = SS_FESD_SLIP_MINUS;
  } else {
    modes[n++] = SS_FESD_STICK;
    modes[n++] = SS_FESD_SLIP_PLUS;
    modes[n++] = SS_FESD_SLIP_MINUS;
  }
  modes[n++] = SS_FESD_OPEN;
  return n;
}

/* Variation number k of the base: those of one touch first, then of two, then, where they are few, of three. False:
 * there are no more. */
static bool
vary (SsFesdMarch *m, long k)
{
  Choice *c = &m->choice;
  const int most = c->n <= 6 ? 3 : c->n <= 24 ? 2 : 1;
  for (int changes = 1; changes <= most && changes <= c->n; changes++) {
    int which[3] = {0, 1, 2};
    for (;;) {
      SsFesdMode options[3][4];
      int count[3], all = 1;
      for (int i = 0; i < changes; i++) {
        int n = modes_for (m, &c->touches[which[i]], options[i]), kept = 0;
        for (int j = 0; j < n; j++)
          if (options[i][j] != c->base[which[i]])
            options[i][kept++] = options[i][j];
        count[i] = kept;
        all *= kept;
      }
      if (k < all) {
        memcpy (c->trial, c->base, (size_t)c->n * sizeof *c->trial);
        for (int i = 0; i < changes; i++) {
          c->trial[which[i]] = options[i][k % count[i]];
          k /= count[i];
        }
        return true;
      }
      k -= all;
      int i = changes - 1;
      while (i >= 0 && which[i] == c->n - changes + i)
        i--;
      if (i < 0)
        break;
      which[i]++;
      for (int j = i + 1; j < changes; j++)
        which[j] = which[j - 1] + 1;
    }
  }
  return false;
}

/* The next modes that the law allows at this instant. */
static SsStatus
next_modes (SsFesdMarch *m, bool *found, SsError *err)
{
  Choice *c = &m->choice;
  *found = false;
  SsStatus status = ss_fesd_law_prepare (m->law, m->now.t, m->now.q, m->now.v, c->touches, c->n, err);
  if (status != SS_OK)
    return status;
  while (!*found && vary (m, c->next)) {
    c->next++;
    *found = ss_fesd_law_test (m->law, c->touches, c->trial, c->n, law_tolerance);
  }
  if (*found) {
    m->counts.alternatives++;
    take_modes (m, c->trial);
  }
  return SS_OK;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

/* When the flights of the item end in rest by the last three, if their ratios have settled; else infinite. */
static double
end_of_flights (const double *f)
{
  const double ratio = f[1] / f[2], before = f[2] / f[3];
  if (!(ratio < 1) || !(fabs (ratio - before) <= settled_ratio * ratio))
    return INFINITY;
  return f[0] + f[1] * ratio / (1 - ratio);
}

/* A flight of the item has ended. */
static void
note_flight (SsFesdMarch *m, int item)
{
  double *f = flights_of (m, item);
  const double length = m->now.t - f[0];
  for (int k = FLIGHTS; k > 1; k--)
    f[k] = f[k - 1];
  f[1] = length;
  f[0] = m->now.t;
}

/* Whether the flights of an item that touches end within the step: then they end now. */
static bool
note_end (SsFesdMarch *m, int item)
{
  const double end = end_of_flights (flights_of (m, item));
  if (!(end <= m->t_step_end))
    return false;
  m->now.ends[item] = fmax (end, m->now.t);
  forget_flights (m, item);
  return true;
}

static SsStatus
tell_impacts (SsFesdMarch *m, const SsFesdTouch *touches, int n, double rest, SsError *err)
{
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < n; i++) {
    const int item = touches[i].item;
    if (!(touches[i].rate < -rest))
      continue;
    m->now.told[item] = m->now.modes[item] = SS_FESD_OPEN;
    m->now.events++;
    status = tell_event (m, SS_EVENT_IMPACT, item, m->now.t, touches[i].force_n, err);
    note_flight (m, item);
    if (!note_end (m, item))
      continue;
    for (int k = 0; k < n;
         k++) /* those that leave now and whose flights end with it, as the corners of a rocking block */
      (void)note_end (m, touches[k].item);
  }
  return status;
}

static void
say_no_impact (SsFesdMarch *m, const SsFesdTouch *touches, int n)
{
  const int contact = contact_of (m->system, touches[0].item);

  snprintf (m->reason, sizeof m->reason, "the impact at t = %.9g s has no solution (%d points, first of contact %s)",
            m->now.t, n, m->system->scene->contacts[contact < 0 ? 0 : contact].name);
}

static SsStatus
resolve_jump (SsFesdMarch *m, SsFesdTouch *touches, int n, double rest, bool *is_solved, SsError *err)
{
  const SsFesdImpactLaw *impacts = &m->options.impacts;
  if (impacts->owner == NULL)
    return ss_fesd_law_jump (m->law, m->now.q, m->now.v, touches, n, m->now.bilateral, is_solved, err);
  SsError own = {0};
  const SsStatus status = impacts->jump (impacts->owner, m->law, m->now.n_jumps, rest, m->now.q, m->now.v, touches, n,
                                         m->now.bilateral, &own);
  *is_solved = status == SS_OK;
  if (status == SS_ERR_MEMORY)
    return ss_error_set (err, SS_ERR_MEMORY, "%s", own.message);
  if (status != SS_OK)
    snprintf (m->reason, sizeof m->reason, "the impact at t = %.9g s: %.200s", m->now.t, own.message);
  return status;
}

/* All contacts that touch and approach, in one jump. */
static Outcome
jump (SsFesdMarch *m, bool *jumped, SsError *err)
{
  const SsFesdSystem *s = m->system;
  SsFesdTouch *touches;
  int n;
  bool is_solved, approaches = false;
  const double rest = rest_speed (m);
  *jumped = false;
  SsStatus status =
      ss_fesd_law_touching (m->law, m->now.q, m->now.v, m->now.offset, touch_part * s->size, &touches, &n, err);
  if (status != SS_OK)
    return NO_MEMORY;
  for (int i = 0; i < n; i++)
    approaches = approaches || touches[i].rate < -rest;
  if (!approaches)
    return DONE;
  if (m->now.t >= m->t_step_end && tell_row (m, NULL, err) != SS_OK)
    return NO_MEMORY;
  memcpy (m->work, m->now.v, (size_t)s->n_q * sizeof *m->work);
  status = resolve_jump (m, touches, n, rest, &is_solved, err);
  if (status != SS_OK)
    return status == SS_ERR_MEMORY ? NO_MEMORY : HARD_FAILURE;
  if (!is_solved) {
    say_no_impact (m, touches, n);
    return HARD_FAILURE;
  }
  if (m->judge != NULL) {
    const SsFesdJump what = {.t = m->now.t,
                             .q = m->now.q,
                             .v_before = m->work,
                             .v_after = m->now.v,
                             .n = n,
                             .touches = touches,
                             .bilateral = m->now.bilateral};
    const double residual = m->judge->jump (m->judge->owner, &what);
    m->now.residual = fmax (m->now.residual, residual);
    if (residual > SS_SIM_LAW_MISSED) {
      say_no_impact (m, touches, n);
      return HARD_FAILURE;
    }
  }
  memset (m->impulse, 0, 2 * (size_t)ss_fesd_n_items (s) * sizeof *m->impulse);
  for (int i = 0; i < n; i++) {
    const int contact = contact_of (s, touches[i].item);
    m->impulse[2 * touches[i].item] = touches[i].force_n;
    m->impulse[2 * touches[i].item + 1] = touches[i].force_t;
    if (contact >= 0)
      m->now.dissipated[contact] -= 0.5 * (touches[i].force_n * (touches[i].rate + touches[i].rate_after) +
                                           touches[i].force_t * (touches[i].slip + touches[i].slip_after));
  }
  *jumped = true;
  m->now.n_jumps++;
  memset (m->now.bilateral, 0, (size_t)s->n_bilateral * sizeof *m->now.bilateral);
  return tell_impacts (m, touches, n, rest, err) == SS_OK ? DONE : NO_MEMORY;
}

/* Points that come to the end of their face or corner become others. */
static void
pass_edge (SsFesdMarch *m, const SsFesdSwitch *what)
{
  const SsFesdSystem *s = m->system;
  const int slot = what->item - s->n_static;
  const SsFesdPair *pair = &s->pairs[slot / 2];
  m->now.slots[slot] =
      ss_fesd_system_pass (s, pair, &m->now.slots[slot], what->kind == SS_FESD_EDGE_END, m->now.q, m->now.v);
  install_slots (m);
}

/* Takes away the small speeds of flights that accumulate; what rests stays at rest, what does not slip
 * does not then. */
static SsStatus
end_flights (SsFesdMarch *m, SsError *err)
{
  const SsFesdSystem *s = m->system;
  const double rest = rest_speed (m);
  SsFesdTouch *touches;
  int n;
  bool any = false;
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    any = any || !isnan (m->now.ends[i]);
  if (!any)
    return SS_OK;
  SsStatus status =
      ss_fesd_law_touching (m->law, m->now.q, m->now.v, m->now.offset, touch_part * s->size, &touches, &n, err);
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    m->now.modes[i] = SS_FESD_OPEN;
  for (int i = 0; status == SS_OK && i < n; i++)
    if (touches[i].rate <= rest || !isnan (m->now.ends[touches[i].item])) {
      const bool sticks = mu_of (s, touches[i].item) > 0 && fabs (touches[i].slip) <= rest;
      m->now.modes[touches[i].item] = sticks ? SS_FESD_STICK : SS_FESD_SLIP_PLUS;
    }
  if (status == SS_OK)
    status = ss_fesd_element_set_modes (m->element, m->now.modes, err);
  if (status == SS_OK) /* what it cannot hold stays as it is: a flight more */
    (void)ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, false);
  return status;
}

/* Slips and approaches of closed points that are below what counts as a speed are none. */
static SsStatus
still_rests (SsFesdMarch *m, SsError *err)
{
  const Choice *c = &m->choice;
  bool any = m->system->n_bilateral > 0;
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    any = any || c->base[i] != SS_FESD_OPEN;
    m->now.modes[touch->item] = c->base[i] == SS_FESD_OPEN                               ? SS_FESD_OPEN
                                : touch->sign == 0 && mu_of (m->system, touch->item) > 0 ? SS_FESD_STICK
                                                                                         : c->base[i];
  }
  SsStatus status = any ? ss_fesd_element_set_modes (m->element, m->now.modes, err) : SS_OK;
  if (any && status == SS_OK)
    (void)ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, false);
  for (int i = 0; i < c->n; i++)
    m->now.modes[c->touches[i].item] = c->base[i];
  return status;
}

/* The jump at this instant, if there is one, and the modes after it. */
static Outcome
settle (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err)
{
  bool jumped;
  const bool is_edge = what != NULL && (what->kind == SS_FESD_EDGE_BEGIN || what->kind == SS_FESD_EDGE_END);
  look_up_pairs (m);
  if (is_edge && m->now.live[what->item - m->system->n_static])
    pass_edge (m, what);
  Outcome outcome = jump (m, &jumped, err);
  if (outcome != DONE)
    return outcome;
  const bool is_at_end = m->now.t >= m->t_step_end;
  SsStatus status = jumped ? end_flights (m, err) : SS_OK;
  if (status == SS_OK)
    status = select_modes (m, err);
  if (status == SS_OK)
    status = still_rests (m, err);
  if (status != SS_OK)
    return status == SS_ERR_MEMORY ? NO_MEMORY : HARD_FAILURE;
  if (jumped && !is_at_end) {
    if (tell_row (m, m->impulse, err) != SS_OK)
      return NO_MEMORY;
    m->row_to_patch = m->record.n_items - 1;
  }
  if (!jumped || !is_at_end)
    memset (m->impulse, 0, 2 * (size_t)ss_fesd_n_items (m->system) * sizeof *m->impulse);
  return DONE;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static bool
start_element (SsFesdMarch *m, SsError *err, bool *is_out_of_memory)
{
  m->solves++;
  *is_out_of_memory = ss_fesd_element_set_modes (m->element, m->now.modes, err) != SS_OK;
  if (*is_out_of_memory)
    return false;
  if (ss_fesd_element_n_rows (m->element) > 0 && !m->now.is_projected)
    if (!ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, false))
      return false;
  m->now.is_projected = true;
  ss_fesd_element_start (m->element, m->now.t, m->now.q, m->now.v, m->now.a, m->now.lambda_n, m->now.lambda_t,
                         m->now.bilateral);
  return true;
}

/* Solves for the length at which the switch happens, from the element that was solved over `length`. */
static bool
solve_switch (SsFesdMarch *m, double length, const SsFesdSwitch *what)
{
  const double tolerance = 0.01 * ss_fesd_watch_tolerance (m->watch, m->element, what->kind);
  /* the element of the whole length ends where the condition fails, unless it only dips */
  const double at_end = ss_fesd_watch_at_end (m->watch, m->element, what, m->now.modes, m->now.offset);
  double low = 0, high = at_end < 0 ? length : INFINITY, h = what->theta * length, slope = what->slope / length;
  double h_before = NAN, g_before = NAN;
  for (int i = 0; i < SECANTS_MAX; i++) {
    if (!(h > 0) || h > length * (1 + sliver) || !ss_fesd_element_solve (m->element, h))
      return false;
    const double g = ss_fesd_watch_at_end (m->watch, m->element, what, m->now.modes, m->now.offset);
    if (!isfinite (g))
      return false;
    if (g > 0)
      low = fmax (low, h);
    else
      high = fmin (high, h);
    if (!isnan (h_before) && h != h_before && fabs (g - g_before) > 0)
      slope = (g - g_before) / (h - h_before);
    double next = slope != 0 ? h - g / slope : NAN;
    if (!(next > low && next < high)) {
      if (!isfinite (high))
        return fabs (g) <= tolerance;
      next = 0.5 * (low + high);
    }
    const double rounding = 4 * DBL_EPSILON * fmax (h, fabs (m->now.t) * 1e-3);
    if (g == 0 || fabs (next - h) <= rounding || high - low <= rounding)
      return true;
    if (fabs (g) <= tolerance && fabs (next - h) <= 1e-12 * length)
      return true;
    h_before = h;
    g_before = g;
    h = next;
  }
  return false;
}

/* The next element over at most `length` in the present modes: to the first switch, or clear. */
static Outcome
solve_element (SsFesdMarch *m, double length, SsFesdSwitch *what)
{
  SsFesdSwitch solved = {0}, first;
  bool has_solved = false;
  double h = length;
  if (!ss_fesd_element_solve (m->element, h))
    return NOT_SOLVED;
  for (int i = 0; i < SEARCHES_MAX; i++) {
    if (!ss_fesd_watch_find (m->watch, m->element, m->now.q, m->now.v, m->now.modes, m->now.offset,
                             has_solved ? &solved : NULL, &first)) {
      *what = solved;
      return has_solved ? EVENT : CLEAR;
    }
    if (first.before < 0) {
      *what = first;
      return AT_ONCE;
    }
    h = ss_fesd_element_length (m->element);
    if (!solve_switch (m, h, &first))
      return NOT_SOLVED;
    solved = first;
    has_solved = true;
  }
  return NOT_SOLVED;
}

/* Forces and accelerations at the element's end are the first guess of the next. */
static void
take_forces (SsFesdMarch *m)
{
  const SsFesdSystem *s = m->system;
  const SsFesdRow *rows = ss_fesd_element_rows (m->element);
  const int last = ss_fesd_element_n_stages (m->element) - 1;
  memset (m->now.lambda_n, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_n);
  memset (m->now.lambda_t, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_t);
  memcpy (m->now.a, ss_fesd_element_acceleration (m->element, last), (size_t)s->n_free * sizeof *m->now.a);
  for (int i = 0; i < ss_fesd_element_n_rows (m->element); i++) {
    const double force = m->tableau.ends_at_one ? ss_fesd_element_lambda (m->element, i, last)
                                                : ss_fesd_watch_force (m->watch, m->element, i, 1);
    switch (rows[i].kind) {
    case SS_FESD_ROW_BILATERAL:
      m->now.bilateral[rows[i].item] = force;
      break;
    case SS_FESD_ROW_LIMIT:
      m->now.lambda_n[s->n_points + rows[i].item - s->n_bilateral] = force;
      break;
    case SS_FESD_ROW_NORMAL:
      m->now.lambda_n[rows[i].item] = force;
      m->now.lambda_t[rows[i].item] = rows[i].friction * force;
      break;
    case SS_FESD_ROW_STICK:
      m->now.lambda_t[rows[i].item] = force;
      break;
    }
  }
}

/* Forces of the row after a jump are those with which the element begins. */
static void
patch_row (SsFesdMarch *m)
{
  const SsFesdSystem *s = m->system;
  const SsFesdRow *rows = ss_fesd_element_rows (m->element);
  if (m->row_to_patch < 0)
    return;
  double *values = ss_fesd_record_numbers (&m->record, m->row_to_patch) + 1 + 2 * s->n_q;
  for (int i = 0; i < s->scene->n_contacts; i++)
    values[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_LAMBDA_N] = values[i * SS_SIM_N_CONTACT_VALUES + SS_SIM_LAMBDA_T] = 0;
  for (int i = 0; i < ss_fesd_element_n_rows (m->element); i++) {
    if (rows[i].kind != SS_FESD_ROW_NORMAL && rows[i].kind != SS_FESD_ROW_STICK)
      continue;
    const double force = ss_fesd_watch_force (m->watch, m->element, i, 0);
    double *of = values + s->points[rows[i].item].contact * SS_SIM_N_CONTACT_VALUES;
    if (rows[i].kind == SS_FESD_ROW_NORMAL)
      of[SS_SIM_LAMBDA_N] += force;
    of[SS_SIM_LAMBDA_T] += rows[i].kind == SS_FESD_ROW_NORMAL ? rows[i].friction * force : force;
  }
  m->row_to_patch = -1;
}

/* Those until t, in the order of time. */
static SsStatus
tell_accumulations (SsFesdMarch *m, double t, SsError *err)
{
  SsStatus status = SS_OK;
  while (status == SS_OK) {
    int first = -1;
    for (int i = 0; i < ss_fesd_n_items (m->system); i++)
      if (m->now.ends[i] <= t && (first < 0 || m->now.ends[i] < m->now.ends[first]))
        first = i;
    if (first < 0)
      break;
    status = tell_event (m, SS_EVENT_ACCUMULATION, first, fmin (fmax (m->now.ends[first], m->now.t), t), NAN, err);
    m->now.ends[first] = NAN;
  }
  return status;
}

/* The element is right: time goes on to its end (t_end where `is_last`). */
static Outcome
accept (SsFesdMarch *m, bool is_last, double t_end, const SsFesdSwitch *what, SsError *err)
{
  const SsFesdSystem *s = m->system;
  const int end = ss_fesd_element_n_stages (m->element);
  const double h = ss_fesd_element_length (m->element);
  const double t_after = is_last ? t_end : fmin (m->now.t + h, t_end);
  double residual = 0;
  if (m->judge != NULL) {
    const SsFesdSolved solved = {.element = m->element,
                                 .t0 = m->now.t,
                                 .q0 = m->now.q,
                                 .v0 = m->now.v,
                                 .modes = m->now.modes,
                                 .offset = m->now.offset};
    residual = m->judge->element (m->judge->owner, &solved);
  }
  if (residual > SS_SIM_LAW_MISSED) /* the check knows better: a shorter element, or none */
    return NOT_SOLVED;
  m->counts.predicted++;
  m->now.residual = fmax (m->now.residual, residual);
  patch_row (m);
  if (tell_modes (m, err) != SS_OK)
    return NO_MEMORY;
  if (tell_accumulations (m, t_after, err) != SS_OK)
    return NO_MEMORY;
  if (tell_stages (m, t_after, err) != SS_OK)
    return NO_MEMORY;
  m->now.t = t_after;
  memcpy (m->now.q, ss_fesd_element_q (m->element, end), (size_t)s->n_q * sizeof *m->now.q);
  memcpy (m->now.v, ss_fesd_element_v (m->element, end), (size_t)s->n_q * sizeof *m->now.v);
  take_forces (m);
  if (ss_fesd_element_n_rows (m->element) > 0 &&
      !ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v,
                                !m->tableau.ends_at_one || ss_fesd_element_is_short (m->element)))
    return NOT_SOLVED;
  m->now.is_projected = true;
  m->choice.is_selected = false;
  memset (m->now.broken, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.broken);
  if (what != NULL && what->kind == SS_FESD_BREAK_PLUS)
    m->now.broken[what->item] = 1;
  if (what != NULL && what->kind == SS_FESD_BREAK_MINUS)
    m->now.broken[what->item] = -1;
  if (h > sliver * (m->t_step_end - m->now.t + h))
    m->now.at_instant = 0;
  return DONE;
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static const char *
mode_name (SsFesdMode mode)
{
  static const char *const names[] = {"open", "stick", "slip +", "slip -"};
  return names[mode];
}

static void
say_no_modes (SsFesdMarch *m)
{
  const SsFesdSystem *s = m->system;
  const SsFesdTouch *touch = m->choice.n > 0 ? &m->choice.touches[0] : NULL;
  for (int i = 1; i < m->choice.n; i++) /* the fastest slip is the likeliest to jam */
    if (fabs (m->choice.touches[i].slip) > fabs (touch->slip))
      touch = &m->choice.touches[i];
  if (touch == NULL) {
    snprintf (m->reason, sizeof m->reason,
              "the motion cannot go on at t = %.9g s: its equations have no solution there", m->now.t);
    return;
  }
  const char *mode = touch->sign > 0 ? "slip +" : touch->sign < 0 ? "slip -" : mode_name (SS_FESD_STICK);
  const char *name = touch->item < s->n_points
                         ? s->scene->contacts[s->points[touch->item].contact].name
                         : s->scene->joints[s->row_joint[s->n_bilateral + touch->item - s->n_points]].name;
  snprintf (
      m->reason, sizeof m->reason,
      "no consistent mode of contact %s at t = %.9g s: it was in %s, and neither open nor closed contact obeys the "
      "law there",
      name, m->now.t, mode);
}

/* Other modes at this instant, those of the law first. False: there are none. */
static Outcome
change_modes (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err)
{
  bool found;
  if (!m->choice.is_selected) {
    Outcome outcome = settle (m, what, err);
    if (outcome != DONE)
      return outcome;
    if (!m->choice.is_hopeless)
      return DONE;
  }
  SsStatus status = next_modes (m, &found, err);
  if (status != SS_OK)
    return status == SS_ERR_MEMORY ? NO_MEMORY : HARD_FAILURE;
  if (found) {
    m->now.is_projected = false;
    return DONE;
  }
  if (m->choice.is_hopeless && m->choice.n > 0) {
    say_no_modes (m);
    return HARD_FAILURE;
  }
  say_no_modes (m);
  return TOO_MANY;
}

/* Equal elements in the present modes, none of which may end in a switch. CLEAR: taken; EVENT: one did. */
static Outcome
try_equal (SsFesdMarch *m, double t_end, int n, SsError *err)
{
  for (int k = 0; k < n; k++) {
    SsFesdSwitch what;
    bool no_memory;
    if (!start_element (m, err, &no_memory))
      return no_memory ? NO_MEMORY : NOT_SOLVED;
    Outcome outcome = NOT_SOLVED;
    if (ss_fesd_element_solve (m->element, (t_end - m->now.t) / (n - k)))
      outcome = ss_fesd_watch_find (m->watch, m->element, m->now.q, m->now.v, m->now.modes, m->now.offset, NULL, &what)
                    ? EVENT
                    : CLEAR;
    if (outcome != CLEAR)
      return outcome;
    outcome = accept (m, k == n - 1, t_end, NULL, err);
    if (outcome != DONE)
      return outcome;
    if (m->now.t < m->t_step_end && tell_row (m, NULL, err) != SS_OK)
      return NO_MEMORY;
  }
  return CLEAR;
}

/* Elements to t_end, at most as many as there are; TOO_MANY: they do not suffice. */
static Outcome
try_elements (SsFesdMarch *m, double t_end, SsError *err)
{
  const double length = t_end - m->now.t;
  const int place = DEPTH_MAX + 1; /* of the state before equal elements */
  int left = m->options.n_elements;
  if (!m->now.is_known) {
    const Outcome outcome = settle (m, NULL, err);
    if (outcome != DONE)
      return outcome;
    if (m->choice.is_hopeless) {
      const Outcome change = change_modes (m, NULL, err);
      if (change != DONE)
        return change;
    }
  }
  while (m->now.t < t_end) {
    const double rest = t_end - m->now.t;
    SsFesdSwitch what;
    bool no_memory;
    if (left == 0)
      return TOO_MANY;
    const bool is_selected = m->choice.is_selected;
    if (save (m, place, err) != SS_OK)
      return NO_MEMORY;
    Outcome outcome = try_equal (m, t_end, left, err);
    if (outcome == NO_MEMORY || outcome == CLEAR)
      return outcome == CLEAR ? DONE : outcome;
    restore (m, place);
    m->choice.is_selected = is_selected;
    if (!start_element (m, err, &no_memory))
      return no_memory ? NO_MEMORY : TOO_MANY;
    outcome = solve_element (m, rest, &what);
    if (outcome == NOT_SOLVED || outcome == CLEAR)
      return TOO_MANY;
    if (outcome == AT_ONCE) {
      outcome = change_modes (m, &what, err);
      if (outcome != DONE)
        return outcome;
      continue;
    }
    const bool is_last = ss_fesd_element_length (m->element) >= rest - sliver * length;
    outcome = accept (m, is_last, t_end, &what, err);
    if (outcome != DONE)
      return outcome == NOT_SOLVED ? TOO_MANY : outcome;
    left--;
    if (m->now.t < m->t_step_end && tell_row (m, NULL, err) != SS_OK)
      return NO_MEMORY;
    m->now.events++;
    if (++m->now.at_instant > AT_INSTANT_MAX) {
      snprintf (m->reason, sizeof m->reason, "the contact modes switch without end at t = %.9g s", m->now.t);
      return HARD_FAILURE;
    }
    outcome = settle (m, &what, err);
    if (outcome != DONE)
      return outcome;
  }
  return DONE;
}

static Outcome
advance (SsFesdMarch *m, double t_end, int depth, SsError *err)
{
  if (m->solves > SOLVES_MAX) {
    snprintf (m->reason, sizeof m->reason, "the step makes no way after %ld elements, at t = %.9g s", m->solves,
              m->now.t);
    return HARD_FAILURE;
  }
  if (save (m, depth, err) != SS_OK)
    return NO_MEMORY;
  m->reason[0] = 0;
  m->depth = depth;
  Outcome outcome = try_elements (m, t_end, err);
  if (outcome == DONE || outcome == NO_MEMORY || outcome == HARD_FAILURE)
    return outcome;
  const double middle = 0.5 * (m->saved[depth].t + t_end);
  if (depth + 1 >= DEPTH_MAX || !(middle > m->saved[depth].t && middle < t_end)) {
    if (m->reason[0] == 0)
      snprintf (m->reason, sizeof m->reason,
                "more switches of contacts near t = %.9g s than %d halvings of a step separate", m->now.t, depth);
    return HARD_FAILURE;
  }
  restore (m, depth);
  m->counts.bisected++;
  outcome = advance (m, middle, depth + 1, err);
  if (outcome != DONE)
    return outcome;
  if (m->now.events > m->options.max_events) {
    snprintf (m->reason, sizeof m->reason, "more than max-events = %g events within a second, at t = %.9g s",
              m->options.max_events, m->now.t);
    return HARD_FAILURE;
  }
  return advance (m, t_end, depth + 1, err);
}

/* The state is not the one that the last step ended with: contacts are looked up anew. */
static void
begin_anew (SsFesdMarch *m, const SsSimState *state)
{
  SsFesdSystem *s = m->system;
  const double touch = touch_part * s->size;
  memcpy (m->now.q, state->q, (size_t)s->n_q * sizeof *m->now.q);
  memcpy (m->now.v, state->v, (size_t)s->n_q * sizeof *m->now.v);
  m->now.is_known = false;
  m->now.at_instant = 0;
  m->now.events = 0;
  m->now.second = floor (state->t);
  for (int i = 0; i < ss_fesd_n_items (s); i++) {
    m->now.modes[i] = m->now.told[i] = SS_FESD_OPEN;
    m->now.offset[i] = m->now.lambda_n[i] = m->now.lambda_t[i] = 0;
    m->now.ends[i] = NAN;
    m->now.broken[i] = 0;
    forget_flights (m, i);
  }
  for (int i = 0; i < s->n_static; i++) {
    const double gap = ss_fesd_point_gap (&s->points[i], state->q);
    m->now.offset[i] = gap < -touch ? gap : 0;
  }
  for (int i = 0; i < 2 * s->n_pairs; i++)
    m->now.live[i] = false;
  memset (m->now.a, 0, (size_t)s->n_free * sizeof *m->now.a);
  memset (m->now.bilateral, 0, (size_t)s->n_bilateral * sizeof *m->now.bilateral);
  install_slots (m);
}

static bool
is_continued (const SsFesdMarch *m, const SsSimState *state)
{
  const SsFesdSystem *s = m->system;
  return m->has_stepped && fabs (m->now.t - state->t) <= 64 * DBL_EPSILON * fmax (1, fabs (state->t)) &&
         memcmp (m->now.q, state->q, (size_t)s->n_q * sizeof *m->now.q) == 0 &&
         memcmp (m->now.v, state->v, (size_t)s->n_q * sizeof *m->now.v) == 0;
}

SsStatus
ss_fesd_march_step (SsFesdMarch *m, const SsStep *step, const SsFesdJudge *judge, SsSimState *state, double *residual,
                    SsStepWay *way, SsError *err)
{
  SS_ASSERT (m != NULL && step != NULL && state != NULL && residual != NULL);

  SsFesdSystem *s = m->system;
  const SsFesdCounts before = m->counts;
  m->judge = judge;
  ss_fesd_system_set_controls (s, step->controls);
  if (!is_continued (m, state))
    begin_anew (m, state);
  m->now.t = state->t;
  m->now.residual = 0;
  m->t_step_end = state->t + step->dt;
  m->row_to_patch = -1;
  m->choice.is_selected = false;
  if (floor (state->t) > m->now.second) {
    m->now.second = floor (state->t);
    m->now.events = 0;
  }
  for (int i = 0; i < s->scene->n_contacts; i++)
    m->now.dissipated[i] = state->dissipated != NULL ? state->dissipated[i] : 0;
  memset (m->impulse, 0, 2 * (size_t)ss_fesd_n_items (s) * sizeof *m->impulse);
  ss_fesd_record_cut (&m->record, 0, 0);
  m->has_stepped = false;
  m->solves = 0;
  Outcome outcome = advance (m, m->t_step_end, 0, err);
  if (outcome == NO_MEMORY)
    return SS_ERR_MEMORY;
  if (outcome != DONE)
    return ss_error_set (err, SS_ERR_SINGULAR, "%s", m->reason);
  SsStatus status = ss_fesd_record_emit (&m->record, step, err);
  if (status != SS_OK)
    return status;
  memcpy (state->q, m->now.q, (size_t)s->n_q * sizeof *state->q);
  memcpy (state->v, m->now.v, (size_t)s->n_q * sizeof *state->v);
  fill_gaps (m, m->now.q, state->contact);
  fill_forces (s, m->now.lambda_n, m->now.lambda_t, m->impulse, state->contact);
  for (int i = 0; state->dissipated != NULL && i < s->scene->n_contacts; i++)
    state->dissipated[i] = m->now.dissipated[i];
  *residual = m->now.residual;
  m->has_stepped = true;
  *way = m->counts.bisected > before.bisected           ? SS_STEP_BISECTED
         : m->counts.alternatives > before.alternatives ? SS_STEP_ALTERNATIVE
                                                        : SS_STEP_PREDICTED;
  return SS_OK;
}
