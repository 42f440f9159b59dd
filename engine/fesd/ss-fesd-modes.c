/* engine/fesd/ss-fesd-modes.c: contact modes at an instant: which points touch, what the law says, what else it
 * allows. */
#include "fesd/ss-fesd-march-private.h"

#include "core/ss-memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Speeds below this part of those about are none [1, with 1 m/s at least]: what bounces slower rests. */
static const double rest_part = 1e-10;
/* A flight that is not higher than this many roundings of the bodies' size is none. */
static const double flight_roundings = 8;
/* Points of contact nearer to each other than this part of the bodies' size are one. */
static const double same_place_part = 1e-6;
/* A closed contact carries at least this part of the largest force. */
static const double load_part = 1e-9;
/* Gaps that differ by this many roundings of the bodies' size are the same. */
static const double same_gap_roundings = 64;
/* What is slower than so many speeds that are none is projected away, not left to the element: it is rounding too. */
static const double hard_rests = 4;
/* What slips, or leaves, slower than this many times the fastest captured bounce comes to rest with it. */
static const double slips_with_bounces = 2;
/* Rounds of the search for modes near those before. */
enum { SEARCH_ROUNDS = 8 };
/* So many alternatives are tried at an instant before the step is halved. */
enum { TRIED_MAX = 12 };
/* Modes that are tested in a step, but for the last word before a failure. */
enum { TESTS_MAX = 20000 };

double
ss_fesd_rest_slip (const SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  double speed = 1;
  for (int i = 0; i < m->system->n_q; i++)
    speed = fmax (speed, fabs (m->now.v[i]));
  return rest_part * speed;
}

/* Speeds below this are none: those of rounding, and those with which a flight under gravity stays within the rounding
 * of the gap. */
double
ss_fesd_rest_speed (const SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  const double gravity = fmax (1, hypot (s->scene->gravity.x, s->scene->gravity.y));
  return fmax (ss_fesd_rest_slip (m), sqrt (2 * gravity * flight_roundings * DBL_EPSILON * s->size));
}

/* At one place, and what is known of it still holds: its features then change by a switch alone. */
static bool
is_same_point (const SsFesdMarch *m, const SsFesdPoint *known, const SsFesdPoint *found)
{
  const double touch = ss_fesd_touch_part * m->system->size;
  if (known->kind == SS_FESD_ROUND && known->radius[0] + known->radius[1] == 0)
    return false; /* two sharp corners have no normal where they meet */
  const SsVec2 a = ss_fesd_point_place (known, m->now.q), b = ss_fesd_point_place (found, m->now.q);
  return hypot (a.x - b.x, a.y - b.y) <= same_place_part * m->system->size &&
         fabs (ss_fesd_point_gap (known, m->now.q)) <= touch && ss_fesd_point_room (known, m->now.q, 0) >= -touch &&
         ss_fesd_point_room (known, m->now.q, 1) >= -touch;
}

/* The points of pairs as they lie now: those that touch are looked up; known ones keep their slot and mode. */
void
ss_fesd_modes_look_up (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  SsFesdSystem *s = m->system;
  const double touch = ss_fesd_touch_part * s->size;
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
          const double overlap = fmin (0, ss_fesd_point_gap (&points[k], m->now.q));
          m->now.overlap[pair->slot + l] = m->now.offset[pair->slot + l] = overlap > -touch ? 0 : overlap;
          ss_fesd_zeno_forget (m, pair->slot + l);
        }
    for (int l = 0; l < 2; l++)
      if (!live[l]) {
        m->now.modes[pair->slot + l] = SS_FESD_OPEN;
        m->now.offset[pair->slot + l] = m->now.overlap[pair->slot + l] = 0;
      }
  }
  ss_fesd_state_install (m);
}

SsStatus
ss_fesd_modes_reserve (SsFesdMarch *m, int n, SsError *err)
{
  SS_ASSERT (m != NULL && n >= 0);

  SsFesdChoice *c = &m->choice;
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

/* A force that has just vanished is none while it gives no more acceleration than that [m/s2]: it falls. */
static const double parted_acceleration = 1e-9;

static bool
has_parted (const SsFesdMarch *m, const SsFesdTouch *touch)
{
  const SsFesdSystem *s = m->system;
  if (m->now.broken[touch->item] != SS_FESD_PARTED || touch->item >= s->n_points)
    return false;
  double lightest = INFINITY;
  for (int side = 0; side < 2; side++) {
    const int column = s->index[3 * s->points[touch->item].body[side]];
    lightest = column >= 0 ? fmin (lightest, s->mass[column]) : lightest;
  }
  return touch->force_n <= parted_acceleration * lightest;
}

/* Of the candidates' normal forces. */
static double
largest_force (const SsFesdMarch *m)
{
  double largest = 0;
  for (int i = 0; i < m->choice.n; i++)
    if (ss_fesd_drive_of (m->system, m->choice.touches[i].item) == NULL)
      largest = fmax (largest, m->choice.touches[i].force_n);
  return largest;
}

/* What the law's answer means for a touch. */
static SsFesdMode
mode_of (const SsFesdMarch *m, const SsFesdTouch *touch, double largest)
{
  const double mu = ss_fesd_mu_of (m->system, touch->item);
  const int broken = m->now.broken[touch->item];
  if (ss_fesd_drive_of (m->system, touch->item) != NULL)
    largest = touch->force_n;
  if (!(touch->force_n > load_part * largest) || touch->force_n <= 0 || has_parted (m, touch))
    return SS_FESD_OPEN;
  if (mu <= 0)
    return SS_FESD_SLIP_PLUS;
  if (touch->sign != 0)
    return touch->sign > 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
  if (fabs (touch->force_t) < mu * touch->force_n * (1 - ss_fesd_law_tolerance))
    return SS_FESD_STICK;
  const double at_rest = ss_fesd_law_tolerance * largest;
  if (fabs (touch->slip_after) > at_rest)
    return touch->slip_after > 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
  /* At the edge of its cone: friction is exhausted, in the direction in which it gave way or acts. Where more points
   * rest than it takes, forces are then those of a basic solution, and unique. */
  const bool is_minus = abs (broken) == 1 ? broken > 0 : touch->force_t > 0;
  return is_minus ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS;
}

/* Where a point closes: at the gap that it has, which may be a little more or less than none; several points that close
 * at once could not all be moved to zero. An open one closes at zero again, or, where it opens below zero, there: at
 * zero it would close at once, and its motion is none that a closed one can follow. */
static void
set_offset (SsFesdMarch *m, SsFesdTouch *touch, bool is_closed)
{
  const double gap = touch->gap + m->now.offset[touch->item];
  double *offset = &m->now.offset[touch->item];
  if (!is_closed)
    *offset = m->now.overlap[touch->item] = gap < -ss_fesd_touch_part * m->system->size ? gap : 0;
  else if (fabs (gap - *offset) > same_gap_roundings * DBL_EPSILON * m->system->size)
    *offset = gap;
  touch->gap = gap - *offset;
}

void
ss_fesd_modes_take (SsFesdMarch *m, const SsFesdMode *modes)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    m->now.modes[i] = SS_FESD_OPEN;
  memset (m->now.lambda_n, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_n);
  memset (m->now.lambda_t, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_t);
  for (int i = 0; i < m->choice.n; i++) {
    SsFesdTouch *touch = &m->choice.touches[i];
    set_offset (m, touch, modes[i] != SS_FESD_OPEN);
    m->now.modes[touch->item] = modes[i];
    m->now.lambda_n[touch->item] = modes[i] == SS_FESD_OPEN ? 0 : touch->force_n;
    m->now.lambda_t[touch->item] = modes[i] == SS_FESD_OPEN ? 0 : touch->force_t;
  }
}

/* Whether the modes in `base` obey the law, or such that are found from them in as many rounds, none of them at the
 * edge of its cone or without force. */
static SsStatus
try_base (SsFesdMarch *m, const double *v, int rounds, bool *holds, SsError *err)
{
  SsFesdChoice *c = &m->choice;
  SsStatus status = ss_fesd_law_prepare (m->law, m->now.t, m->now.q, v, c->touches, c->n, err);
  *holds = status == SS_OK &&
           (rounds > 0 ? ss_fesd_law_search (m->law, c->touches, c->base, c->n, ss_fesd_law_tolerance, rounds)
                       : ss_fesd_law_test (m->law, c->touches, c->base, c->n, ss_fesd_law_tolerance));
  if (!*holds)
    return status;
  const double largest = largest_force (m);
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    const double at_rest = ss_fesd_law_tolerance * largest;
    const bool starts_to_slip = touch->sign == 0 &&
                                (c->base[i] == SS_FESD_SLIP_PLUS || c->base[i] == SS_FESD_SLIP_MINUS) &&
                                ss_fesd_mu_of (m->system, touch->item) > 0 && m->now.told[touch->item] != c->base[i];
    *holds = *holds && mode_of (m, touch, largest) == c->base[i] &&
             (c->base[i] != SS_FESD_OPEN || touch->rate_after > at_rest) &&
             (!starts_to_slip || fabs (touch->slip_after) > at_rest);
  }
  if (*holds)
    ss_fesd_law_take_forces (m->law, c->touches, c->n, m->now.a, m->now.bilateral);
  return SS_OK;
}

/* What touches without slip may have several answers to the law, rest and motion, and many forces in rest. Where all
 * can stay as they are, none of them at the edge of its cone, they do. The modes are then in `base`. */
static SsStatus
try_rest (SsFesdMarch *m, const double *v, bool *rests, SsError *err)
{
  SsFesdChoice *c = &m->choice;
  bool any = false;
  *rests = false;
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    if (m->now.broken[touch->item] != 0 && m->now.broken[touch->item] != SS_FESD_STOPPED)
      return SS_OK;
    const bool sticks = touch->sign == 0 && ss_fesd_mu_of (m->system, touch->item) > 0;
    c->base[i] = sticks ? SS_FESD_STICK : touch->sign < 0 ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS;
    any = any || sticks;
  }
  return any ? try_base (m, v, 0, rests, err) : SS_OK;
}

/* The modes of the element before, but for what the switch that ended it says, and for impacts, which close; and
 * such near them. What slips without a slip does so where more points rest than forces can tell apart. The modes are
 * then in `base`. */
static SsStatus
try_continued (SsFesdMarch *m, const double *v, bool *holds, SsError *err)
{
  SsFesdChoice *c = &m->choice;
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    const int broken = m->now.broken[touch->item];
    const SsFesdMode told = m->now.told[touch->item];
    const bool was_open =
        told == SS_FESD_OPEN && m->impulse[2 * touch->item] == 0 && ss_fesd_drive_of (m->system, touch->item) == NULL;
    if (was_open || broken == SS_FESD_PARTED)
      c->base[i] = SS_FESD_OPEN;
    else if (ss_fesd_mu_of (m->system, touch->item) <= 0)
      c->base[i] = SS_FESD_SLIP_PLUS;
    else if (touch->sign != 0)
      c->base[i] = touch->sign > 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
    else if (abs (broken) == 1)
      c->base[i] = broken > 0 ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS;
    else
      c->base[i] = broken == SS_FESD_STOPPED || told == SS_FESD_OPEN ? SS_FESD_STICK : told;
  }
  return try_base (m, v, SEARCH_ROUNDS, holds, err);
}

/* The touches that may be closed: those that do not leave faster than `slow`; slips below it are none. What is faster
 * than `rest` is left to the element. */
static void
set_candidates (SsFesdMarch *m, SsFesdTouch *touches, int n, double rest, double slow)
{
  SsFesdChoice *c = &m->choice;
  const double least_slip = c->is_fine ? ss_fesd_rest_slip (m) : slow;
  c->n = 0;
  for (int i = 0; i < n; i++) {
    const int item = touches[i].item;
    if (!(touches[i].rate <= slow) && isnan (m->now.ends[item])) {
      set_offset (m, &touches[i], false);
      continue;
    }
    const bool has_friction = ss_fesd_mu_of (m->system, item) > 0,
               slips = has_friction && fabs (touches[i].slip) > least_slip;
    touches[i].sign = !slips ? 0 : touches[i].slip > 0 ? 1 : -1;
    m->now.soft[item] =
        touches[i].rate > hard_rests * rest || (has_friction && !slips && fabs (touches[i].slip) > hard_rests * rest);
    c->touches[c->n++] = touches[i];
  }
  c->next = c->next_of_all = 0;
  c->n_tried = 0;
}

/* Velocities without those that the element will take away: *v is m->work where there are such, else the present
 * ones. */
static SsStatus
without_soft (SsFesdMarch *m, const double **v, SsError *err)
{
  const SsFesdSystem *s = m->system;
  const SsFesdChoice *c = &m->choice;
  bool any = false;
  *v = m->now.v;
  for (int i = 0; i < c->n; i++)
    any = any || m->now.soft[c->touches[i].item];
  if (!any)
    return SS_OK;
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    m->now.modes[i] = SS_FESD_OPEN;
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    const bool sticks = touch->sign == 0 && ss_fesd_mu_of (s, touch->item) > 0;
    m->now.modes[touch->item] = sticks ? SS_FESD_STICK : SS_FESD_SLIP_PLUS;
  }
  const SsStatus status = ss_fesd_element_set_modes (m->element, m->now.modes, err);
  if (status != SS_OK)
    return status;
  memcpy (m->work, m->now.v, (size_t)s->n_q * sizeof *m->work);
  if (ss_fesd_element_project (m->element, m->now.t, m->now.q, m->work, false))
    *v = m->work;
  return SS_OK;
}

/* Modes at the end of a short time step, or such near them, in `base`: where no others were found. */
static SsStatus
try_step (SsFesdMarch *m, const double *v, bool *holds, SsError *err)
{
  SsFesdChoice *c = &m->choice;
  SsStatus status = SS_OK;
  *holds = false;
  for (int k = 0; status == SS_OK && !*holds && k < SS_FESD_SHORT_STEPS; k++) {
    status = ss_fesd_law_step (m->law, m->now.t, m->now.q, v, ss_fesd_rest_speed (m), ss_fesd_short_steps[k],
                               c->touches, c->base, c->n, ss_fesd_law_tolerance, holds, err);
    for (int i = 0; i < c->n; i++) /* what slips goes on so */
      if (c->touches[i].sign != 0 && c->base[i] != SS_FESD_OPEN)
        c->base[i] = c->touches[i].sign > 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
    if (status == SS_OK && *holds)
      status = ss_fesd_law_prepare (m->law, m->now.t, m->now.q, v, c->touches, c->n, err);
    *holds = status == SS_OK && *holds &&
             ss_fesd_law_search (m->law, c->touches, c->base, c->n, ss_fesd_law_tolerance, SEARCH_ROUNDS);
  }
  if (*holds)
    ss_fesd_law_take_forces (m->law, c->touches, c->n, m->now.a, m->now.bilateral);
  return status;
}

/* Modes of the candidates by the law. */
static SsStatus
solve_law (SsFesdMarch *m, SsError *err)
{
  SsFesdChoice *c = &m->choice;
  bool rests = false, is_solved = true;
  const double *v;
  SsStatus status = without_soft (m, &v, err);
  if (status == SS_OK)
    status = try_rest (m, v, &rests, err);
  if (status == SS_OK && !rests && c->n > 0)
    status = try_continued (m, v, &rests, err);
  if (status == SS_OK && !rests)
    status = ss_fesd_law_forces (m->law, m->now.t, m->now.q, v, c->touches, c->n, m->now.a, m->now.bilateral,
                                 &is_solved, err);
  if (status == SS_OK && !is_solved) {
    status = try_step (m, v, &is_solved, err);
    rests = is_solved;
  }
  const double largest = is_solved ? largest_force (m) : 0;
  for (int i = 0; i < c->n && !rests; i++)
    c->base[i] = is_solved ? mode_of (m, &c->touches[i], largest) : SS_FESD_OPEN;
  c->is_hopeless = !is_solved;
  return status;
}

/* Of captured flights, the fastest. */
static double
captured_speed (const SsFesdMarch *m, const SsFesdTouch *touches, int n)
{
  double fastest = 0;
  for (int i = 0; i < n; i++)
    if (!isnan (m->now.ends[touches[i].item]))
      fastest = fmax (fastest, touches[i].rate);
  return fastest;
}

SsStatus
ss_fesd_modes_select (SsFesdMarch *m, SsError *err)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  SsFesdChoice *c = &m->choice;
  SsFesdTouch *touches;
  int n;
  const double rest = ss_fesd_rest_speed (m);
  SsStatus status = ss_fesd_law_touching (m->law, m->now.t, m->now.q, m->now.v, m->now.offset,
                                          ss_fesd_touch_part * s->size, &touches, &n, err);
  if (status == SS_OK)
    status = ss_fesd_modes_reserve (m, n, err);
  if (status != SS_OK)
    return status;
  const double captured = captured_speed (m, touches, n);
  bool is_tried = false;
  if (captured > rest) {
    set_candidates (m, touches, n, rest, slips_with_bounces * captured);
    status = solve_law (m, err);
    is_tried = !c->is_hopeless;
  }
  if (status == SS_OK && !is_tried) {
    set_candidates (m, touches, n, rest, rest);
    status = solve_law (m, err);
  }
  if (status == SS_OK && c->is_hopeless && !c->is_hard) {
    set_candidates (m, touches, n, rest, fmax (rest, ss_fesd_slow));
    status = solve_law (m, err);
  }
  if (status == SS_OK && c->is_hopeless && captured > rest) { /* what was captured jams: it flies on */
    ss_fesd_zeno_release (m);
    set_candidates (m, touches, n, rest, rest);
    status = solve_law (m, err);
  }
  if (status != SS_OK)
    return status;
  c->is_selected = true;
  c->is_asked = c->is_proposed = false;
  m->now.is_projected = false;
  m->now.is_capturing = false;
  for (int i = 0; i < c->n; i++) {
    const int item = c->touches[i].item;
    if (c->base[i] == SS_FESD_OPEN) { /* a contact that the law opens is not captured */
      m->now.ends[item] = NAN;
      m->now.soft[item] = false;
    }
    m->now.is_capturing = m->now.is_capturing || m->now.soft[item] || !isnan (m->now.ends[item]);
  }
  m->now.capture_end = m->now.t;
  for (int i = 0; i < ss_fesd_n_items (s); i++)
    m->now.capture_end = isnan (m->now.ends[i]) ? m->now.capture_end : fmax (m->now.capture_end, m->now.ends[i]);
  ss_fesd_modes_take (m, c->base);
  m->now.is_known = true;
  return SS_OK;
}

/* Variation number k of the base: those of one touch first, then of two, then, where they are few, of three. False:
 * there are no more. */
static bool
vary (SsFesdMarch *m, long k)
{
  SsFesdChoice *c = &m->choice;
  const int most = c->n <= 6 ? 3 : c->n <= 24 ? 2 : 1;
  for (int changes = 1; changes <= most && changes <= c->n; changes++) {
    int which[3] = {0, 1, 2};
    for (;;) {
      SsFesdMode options[3][4];
      int count[3], all = 1;
      for (int i = 0; i < changes; i++) {
        int n = ss_fesd_modes_for (m, &c->touches[which[i]], options[i]), kept = 0;
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
SsStatus
ss_fesd_modes_next (SsFesdMarch *m, bool *found, SsError *err)
{
  SS_ASSERT (m != NULL);

  SsFesdChoice *c = &m->choice;
  *found = false;
  SsStatus status = ss_fesd_law_prepare (m->law, m->now.t, m->now.q, m->now.v, c->touches, c->n, err);
  if (status != SS_OK)
    return status;
  if (c->n_tried >= TRIED_MAX && !c->is_hopeless && m->depth < SS_FESD_PATIENCE)
    return SS_OK;
  while (!*found && (c->is_hopeless || m->tests++ < TESTS_MAX) && vary (m, c->next)) {
    c->next++;
    *found = ss_fesd_law_test (m->law, c->touches, c->trial, c->n, ss_fesd_law_tolerance);
  }
  if (!*found && (c->is_hopeless || (m->depth >= SS_FESD_LAST_DEPTH && m->tests < TESTS_MAX)))
    *found = ss_fesd_enumerate (m, SS_FESD_FORCES, c->touches, c->n, ss_fesd_law_tolerance, &c->next_of_all, c->trial);
  if (*found) {
    m->counts.alternatives++;
    c->n_tried++;
    ss_fesd_modes_take (m, c->trial);
  }
  return SS_OK;
}
