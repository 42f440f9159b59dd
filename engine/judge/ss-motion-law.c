/* engine/judge/ss-motion-law.c: the contacts of a step by their law; see ss-motion-law.h. */
#include "judge/ss-motion-law.h"

#include "judge/ss-motion-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Gaps that are as closed as Newton's method makes those of a stage [m]. */
static const double as_near = 1e-8;
/* A gap that differs from the largest closed one by less may be taken for either [m]. */
static const double same_gap = 1e-12;
/* A point without an impulse may go on to close at a jump where its gap is larger: its own instant comes later [m]. */
static const double open_yet = 1e-12;
/* Approach that is none [m/s]: laws of impacts in parts end at the motion's own speed of rest, some 1e-7 m/s. */
static const double at_rest = 1e-6;
/* Friction mu pn tanh (slip/v_s) is within 1e-4 of its bound from this many v_s on. */
static const double saturated = 5;
/* Normal impulses of two steps differ by less than this factor where contact goes on. */
static const double steady = 2;
/* Parts of a friction bound that are rounding. */
static const double as_much = 1e-9;
/* A control to stop is looked at after so many rows. */
enum { ROWS_BETWEEN_LOOKS = 16 };

/* A place where a contact's impulse may act. */
typedef struct {
  double phi;
  double un, ut;   /* of b against a; then as the law takes them [m/s] */
  double un_first; /* un at the step's start [m/s] */
  double un_open;  /* un if it has no impulse, where that is another; else NaN [m/s] */
  double turning;  /* of its directions and arms, at most [m/s2] */
  double w;        /* of 1 N s [m/s]: the larger of both directions */
  double w_normal; /* the same along the normal */
  double delta;    /* of springs: impulse of 1 m/s [kg] */
  bool is_closed;  /* the law allows an impulse there, and no approach */
  bool is_open;    /* unless it is still open */
} Point;

struct SsLawJudge {
  const SsScene *scene;       /* borrowed */
  const SsMotionBlock *block; /* borrowed; of the rows under way */
  SsMotionLaw law;
  SsMotionReader *reader;     /* owned */
  SsRunControl *control;      /* borrowed; NULL: none */
  SsDynamics *dynamics;       /* owned */
  SsCompliances *compliances; /* owned; NULL: no contact has formulas */
  double slip_damping;        /* of the contact in the step under way [N s/m] */
  bool is_elastic;            /* as of SsLawSpring */
  const double *w;            /* inverse masses */
  double *radius;             /* n_bodies */
  double *q;                  /* 3 n_bodies: where the law has its points */
  double *zero;               /* 3 n_bodies */
  double *block_of_three;     /* owned */
  int *channel;               /* n_contacts: of the residual; -1: none; owned */
  Point *points;              /* of one contact; owned */
  int n_points, capacity;
  int row;          /* of the block, under way */
  int n_rows;       /* so far */
  int next_contact; /* of the block's list, of the row under way */
  bool is_stopped;
  SsLawVerdict verdict;
};
typedef SsLawJudge Judge;

/* A contact in a step: its impulse, and the velocities it is judged with. */
typedef struct {
  int contact;
  double h, t;
  double pn, pt;
  const SsMotionRow *before, *after;
} Step;

/* ---- points ------------------------------------------------------------------------------------------------------ */

/* What an impulse along e at p changes of the velocity there, along e. */
static double
mobility (const Judge *judge, const SsContact *c, SsVec2 p, SsVec2 e, const double *q)
{
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    const int i = 3 * (side == 0 ? c->body_a : c->body_b);
    const double moment = (p.x - q[i]) * e.y - (p.y - q[i + 1]) * e.x;

    sum += judge->w[i] * e.x * e.x + judge->w[i + 1] * e.y * e.y + judge->w[i + 2] * moment * moment;
  }
  return sum;
}

/* Points of a contact at q with velocities v, and v_first before, that are nearer than `near`, and in any case those of
 * the nearest shapes. */
static SsStatus
find_points (Judge *judge, int contact, const double *q, const double *v_first, const double *v, double near,
             SsError *err)
{
  const SsContact *c = &judge->scene->contacts[contact];
  const SsBody *a = &judge->scene->bodies[c->body_a], *b = &judge->scene->bodies[c->body_b];
  double nearest = INFINITY;

  judge->n_points = 0;
  for (int i = 0; i < ss_body_n_shapes (a); i++)
    for (int k = 0; k < ss_body_n_shapes (b); k++) {
      const SsShape *shape_a = ss_body_shape (a, i), *shape_b = ss_body_shape (b, k);
      SsGap gaps[SS_MANIFOLD_MAX];
      const int n = ss_geometry_manifold (shape_a, q + 3 * c->body_a, shape_b, q + 3 * c->body_b, gaps);

      if (n == 0 || (gaps[0].phi > near && !(gaps[0].phi < nearest)))
        continue;
      if (nearest > near) /* what there is so far is farther */
        judge->n_points = 0;
      nearest = fmin (nearest, gaps[0].phi);
      if (ss_array_reserve ((void **)&judge->points, &judge->capacity, judge->n_points + n, sizeof *judge->points) != 0)
        return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a contact");
      for (int g = 0; g < n; g++) {
        const SsVec2 p = ss_motion_place_of_impulse (shape_a, shape_b, &gaps[g]), e = gaps[g].normal,
                     along = {e.y, -e.x};
        const double slip = ss_law_rate_along (c, p, along, q, v), w_normal = mobility (judge, c, p, e, q);

        judge->points[judge->n_points++] =
            (Point){.phi = gaps[g].phi,
                    .un = ss_law_rate_along (c, p, e, q, v),
                    .ut = slip,
                    .un_first = ss_law_rate_along (c, p, e, q, v_first),
                    .un_open = NAN,
                    .turning = ss_law_turning (c, (const SsShape *[]){shape_a, shape_b}, p,
                                               ss_law_rate_along (c, p, along, q, v_first), q, v_first),
                    .w = fmax (w_normal, mobility (judge, c, p, along, q)),
                    .w_normal = w_normal,
                    .is_closed = true};
      }
    }
  return SS_OK;
}

/* Fastest that points of both bodies can go towards each other with v [m/s]. */
static double
speed_between (const Judge *judge, const SsContact *c, const double *v)
{
  const double *va = v + 3 * c->body_a, *vb = v + 3 * c->body_b;
  double speed = hypot (vb[0] - va[0], vb[1] - va[1]);

  if (va[2] != 0)
    speed += fabs (va[2]) * judge->radius[c->body_a];
  if (vb[2] != 0)
    speed += fabs (vb[2]) * judge->radius[c->body_b];
  return speed;
}

/* Whether the bodies are farther from each other than `way`, by the circles that hold them. */
static bool
is_far (const Judge *judge, const SsContact *c, const double *q, double way)
{
  const double *a = q + 3 * c->body_a, *b = q + 3 * c->body_b;
  const double x = b[0] - a[0], y = b[1] - a[1], reach = judge->radius[c->body_a] + judge->radius[c->body_b] + way;
  return reach < 0 || x * x + y * y > reach * reach;
}

/* ---- a contact at its points ------------------------------------------------------------------------------------- */

/* The residual of a contact, and where it comes from. */
typedef struct {
  double residual;
  SsLawMiss miss;
} Found;

static void
take (Found *found, bool is_less, double residual, double un, double ut, const Step *step)
{
  if (is_less ? residual < found->residual : residual > found->residual)
    *found = (Found){residual, {un, ut, step->pn, step->pt}};
}

/* un of a point without an impulse. */
static double
open_velocity (const Point *point)
{
  return isnan (point->un_open) ? point->un : point->un_open;
}

/* The least over the ways to share the impulse; then the worst approach of a closed point. */
static Found
judge_rigid (const Judge *judge, const Step *step, bool is_relaxed)
{
  const SsContact *c = &judge->scene->contacts[step->contact];
  const double mu = c->mu, pn = step->pn, pt = step->pt,
               lift = is_relaxed ? ss_law_rolling_lift (c, step->after->v) : 0;
  const Point *points = judge->points;
  Found found = {0};

  if ((pn != 0 || pt != 0) && judge->n_points > 0)
    found.residual = INFINITY;
  for (int i = 0; i < judge->n_points && (pn != 0 || pt != 0); i++) {
    const Point *a = &points[i];
    const double un = a->is_closed ? a->un - lift : INFINITY;

    take (&found, true, ss_contact_law_residual (mu, un, a->ut, a->w * pn, a->w * pt, is_relaxed), a->un, a->ut, step);
    for (int k = 0; k < i; k++) {
      const Point *b = &points[k];

      if (a->is_closed && b->is_closed && a->ut * b->ut < 0) {
        const double w = fmin (a->w, b->w), u = (fabs (a->un) > fabs (b->un) ? a->un : b->un) - lift;

        take (&found, true, ss_contact_law_residual (mu, u, 0, w * pn, w * pt, is_relaxed), u, 0, step);
      }
    }
  }
  for (int i = 0; i < judge->n_points; i++)
    if (points[i].is_closed && !points[i].is_open && points[i].w > 0)
      take (&found, false,
            ss_contact_law_residual (mu, open_velocity (&points[i]) - lift, points[i].ut, 0, 0, is_relaxed),
            open_velocity (&points[i]), points[i].ut, step);
  return found;
}

/* Less by what counts as none. */
static double
shrink (double u, double none)
{
  return u - fmin (fmax (u, -none), none);
}

/* Springs that press at several points: each pushes by its own depth and rubs up to its own bound. What turning shifts
 * all of them by is what explains the normal impulse best. */
static double
residual_of_pressed (const Judge *judge, const Step *step, double b_t, double mu, const Point *mean, double turned)
{
  const double shift = fmin (fmax (mean->un + step->pn / mean->delta, -turned), turned);
  double pn = 0, pt = 0;

  for (int i = 0; i < judge->n_points; i++) {
    const Point *p = &judge->points[i];
    const double push = fmax (-p->delta * (p->un - shift), 0);

    pn += push;
    pt -= fmin (fmax (step->h * b_t * p->ut, -mu * push), mu * push);
  }
  return mean->w * hypot (step->pn - pn, step->pt - pt);
}

/* Springs: at one point, or at all that they press. un has the gap; the impulse's own part is added here. */
static Found
judge_springs (const Judge *judge, const Step *step)
{
  const SsMotionLaw *law = &judge->law;
  const double b_t = judge->slip_damping, mu = b_t > 0 ? judge->scene->contacts[step->contact].mu : 0;
  const double pn = step->pn, pt = step->pt, give = b_t > 0 && !judge->is_elastic ? 1 / (step->h * b_t) : 0;
  Found found = {.residual = INFINITY};
  Point sum = {0};
  int n = 0;

  for (int i = 0; i <= judge->n_points; i++) {
    Point p = sum;
    double parts = n;

    if (i < judge->n_points) {
      p = judge->points[i];
      parts = 1;
      if (p.un < 0) {
        n++;
        sum.un += p.delta * p.un;
        sum.delta += p.delta;
        sum.ut += p.ut;
        sum.w = fmax (sum.w, p.w);
        sum.w_normal = sum.w_normal > 0 ? fmin (sum.w_normal, p.w_normal) : p.w_normal;
        sum.turning = fmax (sum.turning, p.turning);
      }
    } else if (n < 2) {
      break;
    } else {
      p.un /= p.delta;
      p.ut /= n;
    }
    const double turning_t = law->is_compensated ? step->h * p.turning : 0;
    const double turned = p.w_normal > 0 ? turning_t * (1 + parts / (p.w_normal * p.delta)) : turning_t;
    const double un = law->is_shaped ? 0 : shrink (p.un + pn / p.delta, turned);
    const double ut = shrink (p.ut + give * pt / parts, turning_t);
    if (p.w > 0)
      take (&found, true, ss_contact_law_residual (mu, un, ut, p.w * pn, p.w * pt, false), un, ut, step);
    if (p.w > 0 && i == judge->n_points && !law->is_shaped)
      take (&found, true, residual_of_pressed (judge, step, b_t, mu, &p, turned), un, ut, step);
  }
  if (isinf (found.residual))
    found.residual = 0;
  return found;
}

/* Friction between what the slips at both ends give; a rigid law may have its directions anywhere in the step, between
 * which slips differ by `turned`. */
static Found
judge_within (const Judge *judge, const Step *step, const double slip[2], double w, double turned)
{
  const SsMotionLaw *law = &judge->law;
  const double b_t = judge->slip_damping, mu = judge->scene->contacts[step->contact].mu;
  const double pn = step->pn, pt = step->pt;
  const double creep = judge->is_elastic        ? INFINITY
                       : law->slip_velocity > 0 ? saturated * law->slip_velocity
                       : isinf (b_t)            ? turned
                       : b_t > 0                ? mu * fabs (pn) / (step->h * b_t)
                                                : 0;
  const double middle = fmin (fmax (0, slip[0]), slip[1]), ends[] = {middle, slip[0], slip[1]};
  Found found = {.residual = INFINITY};
  for (int i = 0; i < 3; i++) {
    const double u = shrink (ends[i], creep);
    take (&found, true,
          ss_contact_law_residual (b_t > 0 || law->slip_velocity > 0 ? mu : 0, 0, u, w * pn, w * pt, false), 0, u,
          step);
  }
  return found;
}

/* ---- what each law takes ----------------------------------------------------------------------------------------- */

/* Of Poisson's hypothesis rows know the sum of both phases: parting is allowed, and friction up to what compression,
 * whose slip is not told, may have given it. */
static void
allow_decompression (const SsContact *c, const Step *step, Point *p)
{
  const double e = c->restitution;

  p->un = fmin (p->un, 0);
  if (copysign (1, p->ut) * step->pt <= c->mu * step->pn * ((1 - e) / (1 + e) + as_much))
    p->ut = 0;
}

/* A point with velocity `rate` along the normal, whose law has the gap; un is as that law takes it. */
static void
bounce (const Judge *judge, const SsContact *c, const Step *step, double rate, Point *p)
{
  if (!(c->restitution > 0) || !(step->pn > 0) || !(p->un_first < -SS_LAW_AT_REST))
    return;
  p->un_open = p->un;
  switch (judge->law.bounce) {
  case SS_LAW_INELASTIC:
    break;
  case SS_LAW_BOUNCE_NEWTON:
    p->un = fmin (p->un, rate + c->restitution * p->un_first);
    break;
  case SS_LAW_BOUNCE_POISSON:
    p->un = fmin (p->un, rate);
    allow_decompression (c, step, p);
    break;
  }
}

/* The points of a rigid law in a step of time stepping, with un and ut as it takes them. *is_out: it cannot act. */
static SsStatus
take_rigid_points (Judge *judge, const Step *step, bool *is_out, SsError *err)
{
  const SsMotionLaw *law = &judge->law;
  const SsContact *c = &judge->scene->contacts[step->contact];
  const SsMotionRow *before = step->before, *after = step->after;
  const bool has_impulse = step->pn != 0 || step->pt != 0;
  const bool has_gap = law->place == SS_LAW_START_GAP || law->place == SS_LAW_END_GAP;
  const double *q = law->place == SS_LAW_START_GAP || law->place == SS_LAW_START_VELOCITY ? before->q
                    : law->place == SS_LAW_END_GAP                                        ? after->q
                                                                                          : judge->q;
  const double near = has_gap ? step->h * speed_between (judge, c, after->v) *
                                        ((law->place == SS_LAW_START_GAP) + (law->is_relaxed ? c->mu : 0)) +
                                    (law->is_relaxed ? step->h * ss_law_rolling_lift (c, after->v) : 0)
                              : law->closed + same_gap;

  *is_out = !has_impulse && is_far (judge, c, q, near);
  if (*is_out)
    return SS_OK;
  SsStatus status = find_points (judge, step->contact, q, before->v, after->v, near, err);
  for (int i = 0; i < judge->n_points; i++) {
    Point *p = &judge->points[i];

    if (has_gap) {
      const double rate = law->place == SS_LAW_START_GAP ? p->un : 0;

      p->un = p->phi / step->h + rate;
      bounce (judge, c, step, rate, p);
      continue;
    }
    p->is_closed = p->phi <= law->closed + (has_impulse ? same_gap : -same_gap);
    if (law->place == SS_LAW_HALF_VELOCITY)
      p->un += c->restitution * p->un_first;
  }
  for (int i = 0; i < judge->n_points && law->place == SS_LAW_START_VELOCITY && c->restitution > 0 && step->pn > 0; i++)
    allow_decompression (c, step, &judge->points[i]);
  return status;
}

/* How far the gap at the end is from the linearised one of the points that there are, over the step. */
static SsStatus
note_linearised (Judge *judge, const Step *step, SsError *err)
{
  double linear = INFINITY, is = INFINITY;

  for (int i = 0; i < judge->n_points; i++)
    linear = fmin (linear, open_velocity (&judge->points[i]));
  SsStatus status = find_points (judge, step->contact, step->after->q, judge->zero, judge->zero, 0, err);
  for (int i = 0; i < judge->n_points; i++)
    is = fmin (is, judge->points[i].phi / step->h);
  if (fabs (is - linear) > judge->verdict.linearised.value)
    judge->verdict.linearised = (SsMotionWorst){fabs (is - linear), step->t, step->contact};
  return status;
}

static SsStatus
judge_step_of_rigid (Judge *judge, const Step *step, Found *found, SsError *err)
{
  bool is_out;
  SsStatus status = take_rigid_points (judge, step, &is_out, err);

  if (status != SS_OK || is_out)
    return status;
  *found = judge_rigid (judge, step, judge->law.is_relaxed);
  if (judge->law.is_relaxed) {
    const Found exact = judge_rigid (judge, step, false);

    if (exact.residual > judge->verdict.exact.value)
      judge->verdict.exact = (SsMotionWorst){exact.residual, step->t, step->contact};
  }
  return judge->law.place == SS_LAW_START_GAP && step->pn > 0 ? note_linearised (judge, step, err) : SS_OK;
}

static SsStatus
judge_step_of_springs (Judge *judge, const Step *step, Found *found, SsError *err)
{
  const SsMotionLaw *law = &judge->law;
  const SsContact *c = &judge->scene->contacts[step->contact];
  const SsLawSpring own = ss_law_spring (law, judge->scene, step->contact, step->h);
  const double h = step->h;
  const bool is_end = law->place == SS_LAW_END_SPRING;

  if (step->pn == 0 && step->pt == 0 &&
      (law->is_shaped ||
       is_far (judge, c, is_end ? step->after->q : step->before->q, h * speed_between (judge, c, step->after->v))))
    return SS_OK;
  SsStatus status = find_points (judge, step->contact, is_end ? step->after->q : step->before->q, step->before->v,
                                 step->after->v, 0, err);
  judge->slip_damping = own.slip_damping;
  judge->is_elastic = own.is_elastic;
  for (int i = 0; i < judge->n_points && status == SS_OK; i++) {
    Point *p = &judge->points[i];
    const double start = is_end ? p->phi - h * p->un : p->phi;
    SsLawSpring spring = own;

    status = ss_law_comply (judge->compliances, step->contact, start + h * p->un, p->un, &spring, err);
    judge->slip_damping = fmin (judge->slip_damping, spring.slip_damping);
    const double k = spring.stiffness, b = spring.damping;
    /* before there is contact, the damper waits, or acts on the depth at the end */
    p->delta = h * h * k + (start > 0 && !own.is_plastic && c->compliance == NULL && h * k < b ? 0 : h * b);
    p->w = p->delta > 0 ? p->w : 0;
    p->ut = own.is_elastic ? 0 : p->ut;
    p->un += p->delta > 0 ? h * (k + (start > 0 && own.is_plastic ? b / h : 0)) * start / p->delta : 0;
  }
  if (status == SS_OK)
    *found = judge_springs (judge, step);
  return status;
}

/* 1/m of the lighter body, along the way that no lock holds [1/kg]. */
static double
lightness (const Judge *judge, const Step *step)
{
  const SsContact *c = &judge->scene->contacts[step->contact];
  const double *a = judge->w + 3 * c->body_a, *b = judge->w + 3 * c->body_b;
  return fmax (fmax (a[0], a[1]), fmax (b[0], b[1]));
}

static SsStatus
judge_step_within (Judge *judge, const Step *step, Found *found, SsError *err)
{
  const double pn_before = step->before->impulse[2 * step->contact];
  double slip[2] = {INFINITY, -INFINITY}, w = 0, turning = 0;

  if (step->pn == 0 && step->pt == 0)
    return SS_OK;
  if (!(step->pn < steady * pn_before && pn_before < steady * step->pn)) { /* an impact, in which slips may turn */
    const double wanting = fmax (fabs (step->pt) - judge->scene->contacts[step->contact].mu * step->pn, -step->pn);

    *found = (Found){fmax (wanting, 0) * lightness (judge, step), {0, 0, step->pn, step->pt}};
    return SS_OK;
  }
  const SsLawSpring own = ss_law_spring (&judge->law, judge->scene, step->contact, step->h);
  judge->slip_damping = own.slip_damping;
  judge->is_elastic = own.is_elastic;
  for (int end = 0; end < 2; end++) {
    const SsMotionRow *row = end == 0 ? step->before : step->after;
    SsStatus status = find_points (judge, step->contact, row->q, row->v, row->v, 0, err);
    if (status != SS_OK)
      return status;
    for (int i = 0; i < judge->n_points; i++) {
      SsLawSpring spring = own;
      status =
          ss_law_comply (judge->compliances, step->contact, judge->points[i].phi, judge->points[i].un, &spring, err);
      if (status != SS_OK)
        return status;
      judge->slip_damping = fmin (judge->slip_damping, spring.slip_damping);
      slip[0] = fmin (slip[0], judge->points[i].ut);
      slip[1] = fmax (slip[1], judge->points[i].ut);
      w = fmax (w, judge->points[i].w);
      turning = fmax (turning, judge->points[i].turning);
    }
  }
  *found = judge_within (judge, step, slip, w, step->h * turning);
  return SS_OK;
}

/* A stage: step->after is its state, step->before the same. */
static SsStatus
judge_stage (Judge *judge, const Step *step, Found *found, SsError *err)
{
  if (step->pn == 0 && step->pt == 0)
    return SS_OK;
  SsStatus status = find_points (judge, step->contact, step->after->q, judge->zero, step->after->v, as_near, err);
  for (int i = 0; i < judge->n_points; i++) {
    Point *p = &judge->points[i];

    p->un = step->h > 0 && p->phi > as_near ? p->phi / step->h : 0;
  }
  if (status == SS_OK)
    *found = judge_rigid (judge, step, false);
  return status;
}

/* A jump, or impulses at the end of an interval, whose velocities before are not told: their cone. */
static SsStatus
judge_jump (Judge *judge, const Step *step, Found *found, SsError *err)
{
  const SsContact *c = &judge->scene->contacts[step->contact];
  const bool has_impulse = step->pn != 0 || step->pt != 0;
  const bool is_jump = step->h == 0, is_newton = is_jump && judge->law.jump == SS_LAW_JUMP_NEWTON;
  /* an impact in parts may be cut by the end of numerical time */
  const bool is_over = !judge->block->is_last || judge->row + 1 < judge->block->end;

  if (!has_impulse && (!is_jump || is_far (judge, c, step->after->q, as_near)))
    return SS_OK;
  SsStatus status = find_points (judge, step->contact, step->after->q, step->before->v, step->after->v, as_near, err);
  for (int i = 0; i < judge->n_points; i++) {
    Point *p = &judge->points[i];

    p->is_closed = p->phi <= as_near;
    p->is_open = p->phi > open_yet;
    if (is_newton)
      p->un += c->restitution * p->un_first;
    else if (has_impulse || !is_jump) {
      p->un = is_jump && is_over && p->un < -at_rest ? p->un : 0;
      p->ut = 0;
    }
    if (!has_impulse)
      p->un = shrink (p->un, at_rest);
  }
  if (status == SS_OK)
    *found = judge_rigid (judge, step, false);
  return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static double
limit_of (double h)
{
  return h > 0 ? fmin (fmax (SS_LAW_MISSED_RATE * h, SS_LAW_MISSED_LEAST), SS_LAW_MISSED) : SS_LAW_MISSED;
}

/* Of a channel of the row under way. */
static double *
value_of (const Judge *judge, int channel)
{
  SsTrajectory *motion = judge->block->motion;
  return &motion->values[(size_t)judge->row * (size_t)motion->n_channels + (size_t)channel];
}

/* The same of a contact's row in the list. */
static void
note_in_list (Judge *judge, int contact, double residual)
{
  SsContactRows *list = judge->block->contacts;
  while (judge->next_contact < list->n && list->items[judge->next_contact].row < judge->row)
    judge->next_contact++;
  for (int i = judge->next_contact; i < list->n && list->items[i].row == judge->row; i++)
    if (list->items[i].contact == contact)
      list->items[i].law_residual = fmax (list->items[i].law_residual, residual);
}

static void
note (Judge *judge, const Step *step, const Found *found, double *worst_of_row)
{
  SsLawVerdict *verdict = &judge->verdict;
  const int c = judge->channel[step->contact];

  *worst_of_row = fmax (*worst_of_row, found->residual);
  if (c >= 0) {
    double *value = value_of (judge, c);

    *value = fmax (*value, found->residual);
  }
  if (judge->block->contacts != NULL && found->residual > 0)
    note_in_list (judge, step->contact, found->residual);
  if (found->residual > verdict->law.value) {
    verdict->law = (SsMotionWorst){found->residual, step->t, step->contact};
    verdict->miss = found->miss;
  }
}

static SsStatus
judge_contact (Judge *judge, const Step *step, double *worst, SsError *err)
{
  Found found = {0};
  SsStatus status = SS_OK;

  switch (judge->law.place) {
  case SS_LAW_START_GAP:
  case SS_LAW_END_GAP:
  case SS_LAW_START_VELOCITY:
  case SS_LAW_HALF_VELOCITY:
    status = judge_step_of_rigid (judge, step, &found, err);
    break;
  case SS_LAW_START_SPRING:
  case SS_LAW_END_SPRING:
    status = judge_step_of_springs (judge, step, &found, err);
    break;
  case SS_LAW_WITHIN:
    status = judge_step_within (judge, step, &found, err);
    break;
  case SS_LAW_STAGES:
    status = judge_jump (judge, step, &found, err);
    break;
  case SS_LAW_NOT_TOLD:
    break;
  }
  if (status == SS_OK)
    note (judge, step, &found, worst);
  return status;
}

static SsStatus
judge_stages (Judge *judge, const SsMotionRow *before, const SsMotionRow *row, const SsMotionStage *stages,
              int n_stages, double *worst, SsError *err)
{
  SsStatus status = SS_OK;

  for (int k = 0; k < n_stages; k++)
    for (int i = 0; i < judge->scene->n_contacts && status == SS_OK; i++) {
      const SsMotionRow *at = &stages[k].at;
      const double sign = stages[k].weight < 0 ? -1 : 1;
      const Step step = {i, row->t - before->t, at->t, sign * at->impulse[2 * i], sign * at->impulse[2 * i + 1], at,
                         at};
      Found found = {0};

      status = judge_stage (judge, &step, &found, err);
      if (status == SS_OK)
        note (judge, &step, &found, worst);
    }
  return status;
}

/* Whether the contact does nothing in the step, wherever its law looks. `fastest`: of any point after it. */
static bool
is_idle (const Judge *judge, int contact, const SsMotionRow *before, const SsMotionRow *row, double fastest)
{
  const SsContact *c = &judge->scene->contacts[contact];
  const double way = 2 * (row->t - before->t) * fastest * (1 + c->mu) + judge->law.closed + as_near;

  return row->impulse[2 * contact] == 0 && row->impulse[2 * contact + 1] == 0 && c->cohesion == 0 && c->rolling == 0 &&
         ss_law_is_apart (c, judge->radius, before->q, way) && ss_law_is_apart (c, judge->radius, row->q, way);
}

static SsStatus
visit_row (void *data, const SsMotionContent *content, const SsMotionRow *before, const SsMotionRow *row,
           const SsMotionStage *stages, int n_stages, SsError *err)
{
  Judge *judge = data;
  SsOutcome why;
  double worst = 0;
  SsStatus status = SS_OK;

  if (judge->n_rows % ROWS_BETWEEN_LOOKS == 0 && !judge->is_stopped)
    judge->is_stopped = ss_run_control_should_stop (judge->control, &why);
  for (int i = 0; i < judge->scene->n_contacts; i++)
    if (judge->channel[i] >= 0)
      *value_of (judge, judge->channel[i]) = 0;
  if (!content->velocities || !content->impulses || judge->is_stopped) {
    judge->verdict.law.value = judge->is_stopped ? judge->verdict.law.value : NAN;
  } else if (before != NULL) {
    const double h = row->t - before->t;

    for (int i = 0; i < 3 * judge->scene->n_bodies; i++)
      judge->q[i] = before->q[i] + h / 2 * before->v[i];
    if (judge->law.place == SS_LAW_STAGES)
      status = judge_stages (judge, before, row, stages, n_stages, &worst, err);
    const int n = h > 0 || judge->law.place == SS_LAW_STAGES ? judge->scene->n_contacts : 0;
    const double fastest = n > 0 ? ss_law_fastest (judge->scene, judge->radius, row->v) : 0;
    for (int i = 0; i < n && status == SS_OK; i++) {
      if (is_idle (judge, i, before, row, fastest))
        continue;
      const double pn = row->impulse[2 * i] + ss_motion_law_pull (&judge->law, judge->scene, i, before->q, h);
      status = judge_contact (judge, &(Step){i, h, row->t, pn, row->impulse[2 * i + 1], before, row}, &worst, err);
    }
    judge->verdict.n_steps++;
    judge->verdict.n_missed += worst > limit_of (h);
  }
  judge->row++;
  judge->n_rows++;
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsStatus
judge_init (Judge *judge, const SsTrajectory *motion, SsError *err)
{
  const SsScene *scene = judge->scene;
  const size_t n = (size_t)scene->n_bodies;

  judge->block_of_three = ss_new_array (double, 7 * n + 1);
  judge->channel = ss_new_array (int, (size_t)scene->n_contacts + 1);
  if (judge->block_of_three == NULL || judge->channel == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge the law of %d contacts", scene->n_contacts);
  judge->q = judge->block_of_three;
  judge->zero = judge->q + 3 * n;
  judge->radius = judge->zero + 3 * n;
  for (int i = 0; i < scene->n_bodies; i++)
    judge->radius[i] = ss_body_radius (&scene->bodies[i]);
  for (int i = 0; i < scene->n_contacts; i++)
    judge->channel[i] = -1;
  for (int c = 1, i = 0; c < motion->n_channels && scene->n_contacts > 0; c++) {
    const SsChannel *channel = &motion->channels[c];

    if (channel->quantity != SS_QUANTITY_LAW_RESIDUAL)
      continue;
    for (int k = 0; k < scene->n_contacts; k++, i = (i + 1) % scene->n_contacts) /* mostly in the scene's order */
      if (strcmp (scene->contacts[i].name, channel->owner_name) == 0) {
        judge->channel[i] = c;
        break;
      }
  }
  SsStatus status = ss_compliances_new (scene, &judge->compliances, err);
  return status == SS_OK ? ss_dynamics_new (scene, &judge->dynamics, err) : status;
}

void
ss_law_judge_free (SsLawJudge *judge)
{
  if (judge == NULL)
    return;
  ss_motion_reader_free (judge->reader);
  ss_dynamics_free (judge->dynamics);
  ss_compliances_free (judge->compliances);
  ss_free (judge->block_of_three);
  ss_free (judge->channel);
  ss_free (judge->points);
  ss_free (judge);
}

SsStatus
ss_law_judge_new (const SsScene *scene, const SsMotionBlock *like, const SsMotionLaw *law, SsLawJudge **out,
                  SsError *err)
{
  SS_ASSERT (scene != NULL && like != NULL && law != NULL && out != NULL);
  const SsMotionWorst none = {0, NAN, -1}, unknown = {NAN, NAN, -1};
  Judge *judge = ss_new (Judge);

  *out = NULL;
  if (judge == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge the law of %d contacts", scene->n_contacts);
  judge->scene = scene;
  judge->law = *law;
  judge->verdict = (SsLawVerdict){.law = unknown, .exact = unknown, .linearised = unknown};
  SsStatus status = SS_OK;
  if (law->place != SS_LAW_NOT_TOLD) {
    judge->verdict = (SsLawVerdict){.law = none,
                                    .exact = law->is_relaxed ? none : unknown,
                                    .linearised = law->place == SS_LAW_START_GAP ? none : unknown};
    status = judge_init (judge, like->motion, err);
    if (status == SS_OK)
      status = ss_motion_reader_new (scene, like, &judge->reader, err);
    if (status == SS_OK)
      judge->w = ss_dynamics_inverse_mass (judge->dynamics);
  }
  if (status == SS_OK)
    *out = judge;
  else
    ss_law_judge_free (judge);
  return status;
}

SsStatus
ss_law_judge_rows (SsLawJudge *judge, const SsMotionBlock *rows, SsRunControl *control, SsError *err)
{
  if (judge->law.place == SS_LAW_NOT_TOLD)
    return SS_OK;
  judge->block = rows;
  judge->control = control;
  judge->row = rows->first;
  judge->next_contact = rows->first_contact;
  return ss_motion_reader_read (judge->reader, rows, visit_row, judge, err);
}

void
ss_law_judge_end (const SsLawJudge *judge, SsLawVerdict *out)
{
  *out = judge->verdict;
  out->is_complete = judge->law.place != SS_LAW_NOT_TOLD && !judge->is_stopped;
}
