/* engine/transcribe/ss-fesd-j-fixed.c: the equations of a plan by fesd-j whose modes are fixed; see ss-fesd-fixed.h. */
#include "transcribe/ss-fesd-fixed.h"
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of contact counts as a combination of rows before it when less than this part of it is left. Its rows are
 * differences of the gap, exact to about the square root of that. */
static const double dependent = 1e-4;
/* For such differences [m or rad]. */
static const double nudge = 1e-6;
/* Cost of a force that no equation determines, of its square [1/N2]: small against any task's cost, and yet the answer
 * is the one that shares equally. */
static const double idle_weight = 1e-6;

/* What happens to a gap where its segment ends. */
typedef enum {
  ENDS_ON,          /* nothing                                              */
  ENDS_TOUCHING,    /* the next left point has no gap                       */
  ENDS_UNLOADED,    /* its force vanishes at the end                        */
  ENDS_AT_CONE_NEG, /* lambda_t reaches - mu lambda_n: slip + follows       */
  ENDS_AT_CONE_POS, /* lambda_t reaches mu lambda_n: slip - follows         */
  ENDS_STOPPED,     /* the slip vanishes at the next left point             */
} Ending;

/* What the rows of an element are decided by, a gap each: equal neighbours share a block. */
typedef struct {
  SsFesdMode mode;
  Ending ending;          /* of the last element of a segment */
  int is_loaded_freely;   /* its normal row depends on others: none; no bool, as padding would be compared */
  int is_sticking_freely; /* likewise its tangential row */
} Law;

/* The same of a left point. */
typedef struct {
  SsFesdMode jump;
  Ending before; /* of the segment before */
  int is_loaded_freely, is_sticking_freely;
  int is_stopped_freely; /* its slip vanishes with that of others, or stays zero by them */
} Junction;

typedef struct {
  SsFesd *t;
  const SsFesdSequence *sequence;
  bool *is_implied;    /* coordinates of targets that closed contacts say already */
  SsFesdPlace *places; /* K */
  SsFesdMode *stops;   /* n_gaps: scratch */
  Law *laws;           /* K * n_gaps */
  Junction *junctions; /* K * n_gaps: of the left points */
  bool *jumps;         /* K */
  int n;               /* gaps */
} Fixed;

/* ---- short names ------------------------------------------------------------------------------------------------- */

static SsExpr
var (const SsFesd *t, int variable, int shift)
{
  return ss_fesd_variable (t, variable, shift);
}

/* Two bounds that leave one value: a solver that keeps bounds has no variable there. */
static void
vanish (SsFesd *t, int variable, int shift, const char *owner, const char *what)
{
  if (variable == SS_NO_VARIABLE)
    return;
  ss_fesd_at_least (t, var (t, variable, shift), owner, what);
  ss_fesd_at_least (t, ss_expr_neg (t->base.graph, var (t, variable, shift)), owner, what);
}

/* share mu lambda_n + sign lambda_t of a side. */
static SsExpr
cone (const SsFesd *t, const SsFesdContact *contact, const SsFesdSide *side, int shift, double share, double sign)
{
  SsGraph *g = t->base.graph;
  const SsContact *c = ss_fesd_law_of (t, contact);
  SsExpr bound = ss_expr_mul (g, ss_transcription_number (&t->base, &c->mu), var (t, side->force, shift));

  return ss_expr_add (g, share == 1 ? bound : ss_expr_scale (g, share, bound),
                      ss_expr_scale (g, sign, var (t, side->force_1, shift)));
}

static double
direction (SsFesdMode mode)
{
  return mode == SS_FESD_SLIP_MINUS ? -1 : 1;
}

/* ---- what depends on what ---------------------------------------------------------------------------------------- */

/* Numbers at which rows are differentiated, [3 n_bodies] each. */
typedef struct {
  double *slots, *rates, *q, *v, *row, *basis;
} Pose;

/* Derivatives of the gap (is_normal) or of the slip by the slots, over the roots of their masses: pose->row. */
static void
contact_row (const SsFesd *t, const SsFesdContact *contact, bool is_normal, Pose *pose)
{
  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++) {
    const double mass = ss_transcription_slot_mass (&t->base, i), at = pose->slots[i];
    double slip = 0, further;

    pose->row[i] = 0;
    if (t->base.v[i] == SS_NO_VARIABLE || !(mass > 0))
      continue;
    if (is_normal) {
      pose->slots[i] = at + nudge;
      ss_transcription_follow_slots (&t->base, pose->slots, pose->rates, pose->q, pose->v);
      further = ss_fesd_gap_value (t, contact, pose->q, pose->v, NULL);
      pose->slots[i] = at - nudge;
      ss_transcription_follow_slots (&t->base, pose->slots, pose->rates, pose->q, pose->v);
      pose->row[i] = (further - ss_fesd_gap_value (t, contact, pose->q, pose->v, NULL)) / (2 * nudge);
      pose->slots[i] = at;
    } else {
      pose->rates[i] = 1;
      ss_transcription_follow_slots (&t->base, pose->slots, pose->rates, pose->q, pose->v);
      ss_fesd_gap_value (t, contact, pose->q, pose->v, &slip);
      pose->rates[i] = 0;
      pose->row[i] = slip;
    }
    pose->row[i] /= sqrt (mass);
  }
}

/* Adds the row to a basis of unit vectors, unless it depends on it. */
static bool
extends (double *basis, int *n_basis, int n, double *row)
{
  double size = ss_norm_2 (n, row), left;

  if (!(size > 0))
    return false;
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < *n_basis; b++) {
      const double part = ss_dot (n, basis + (size_t)b * n, row);

      for (int i = 0; i < n; i++)
        row[i] -= part * basis[(size_t)b * n + i];
    }
  left = ss_norm_2 (n, row);
  if (left <= dependent * size)
    return false;
  for (int i = 0; i < n; i++)
    basis[(size_t)*n_basis * n + i] = row[i] / left;
  (*n_basis)++;
  return true;
}

/* Which rows of gaps in these modes depend on others at the pose q: normals first, so that it is friction that is left
 * out. work[(2 n_gaps + 7) 3 n_bodies]. */
static void
find_dependent (const Fixed *f, const SsFesdMode *modes, const double *pose, double *work, bool *normal,
                bool *tangential)
{
  const SsFesd *t = f->t;
  const int n = 3 * t->base.scene->n_bodies;
  Pose at = {work, work + n, work + 2 * n, work + 3 * n, work + 4 * n, work + 5 * n};
  int n_basis = 0;

  ss_transcription_find_slots (&t->base, pose, pose + n, at.slots, at.rates);
  memset (at.rates, 0, (size_t)n * sizeof *at.rates);
  for (int l = 0; l < f->n; l++) {
    normal[l] = tangential[l] = false;
    if (modes[l] == SS_FESD_OPEN)
      continue;
    contact_row (t, &t->contacts[l], true, &at);
    normal[l] = !extends (at.basis, &n_basis, n, at.row);
  }
  for (int l = 0; l < f->n; l++) {
    if (modes[l] != SS_FESD_STICK)
      continue;
    contact_row (t, &t->contacts[l], false, &at);
    tangential[l] = !extends (at.basis, &n_basis, n, at.row);
  }
}

/* ---- the plan of the rows ---------------------------------------------------------------------------------------- */

static bool
is_closed (SsFesdMode mode)
{
  return mode != SS_FESD_OPEN;
}

/* What ends segment s for gap l; the last segment has none after it. */
static Ending
find_ending (const SsFesdSequence *sequence, int s, int l)
{
  if (s + 1 >= sequence->n_segments)
    return ENDS_ON;
  const SsFesdSegment *a = &sequence->segments[s], *b = &sequence->segments[s + 1];
  const SsFesdMode before = a->mode[l], after = b->mode[l];
  const bool is_within = a->interval == b->interval && !ss_fesd_sequence_jumps (sequence, s + 1);

  if (!is_closed (before))
    return is_closed (after) || is_closed (b->jump[l]) ? ENDS_TOUCHING : ENDS_ON;
  if (is_closed (b->jump[l]) || after == before)
    return ENDS_ON;
  if (!is_closed (after))
    return is_within ? ENDS_UNLOADED : ENDS_ON;
  if (before != SS_FESD_STICK)
    return ENDS_STOPPED;
  if (!is_within)
    return ENDS_ON;
  return after == SS_FESD_SLIP_PLUS ? ENDS_AT_CONE_NEG : ENDS_AT_CONE_POS;
}

static void
plan_segment (Fixed *f, int s, int first, double *sample, double *work, bool *normal, bool *tangential)
{
  const SsFesdSegment *segment = &f->sequence->segments[s];

  ss_fesd_sequence_sample (f->sequence, s, 0, sample);
  find_dependent (f, segment->jump, sample + 1, work, normal, tangential);
  for (int l = 0; l < f->n; l++)
    f->junctions[first * f->n + l] = (Junction){.jump = segment->jump[l],
                                                .before = s > 0 ? find_ending (f->sequence, s - 1, l) : ENDS_ON,
                                                .is_loaded_freely = normal[l],
                                                .is_sticking_freely = tangential[l]};
  f->jumps[first] = ss_fesd_sequence_jumps (f->sequence, s);
  for (int l = 0; l < f->n; l++)
    f->stops[l] = f->junctions[first * f->n + l].before == ENDS_STOPPED ? SS_FESD_STICK : segment->mode[l];
  find_dependent (f, f->stops, sample + 1, work, normal, tangential);
  for (int l = 0; l < f->n; l++)
    f->junctions[first * f->n + l].is_stopped_freely = tangential[l];
  find_dependent (f, segment->mode, sample + 1, work, normal, tangential);
  for (int k = first; k < first + segment->n_elements; k++)
    for (int l = 0; l < f->n; l++)
      f->laws[k * f->n + l] =
          (Law){.mode = segment->mode[l],
                .ending = k == first + segment->n_elements - 1 ? find_ending (f->sequence, s, l) : ENDS_ON,
                .is_loaded_freely = normal[l],
                .is_sticking_freely = tangential[l]};
}

static SsStatus
plan_rows (SsFesd *t, Fixed *f, SsError *err)
{
  const size_t n_points = (size_t)t->n_points, n_q = 3 * (size_t)t->base.scene->n_bodies;
  const SsFesdSequence *sequence = t->options.sequence;
  double *work, *sample;
  bool *free_rows;

  *f = (Fixed){.t = t, .sequence = sequence, .n = t->n_contacts};
  f->places = ss_new_array (SsFesdPlace, n_points + 1);
  f->stops = ss_new_array (SsFesdMode, f->n + 1);
  f->laws = ss_new_array (Law, n_points * (size_t)f->n + 1);
  f->junctions = ss_new_array (Junction, n_points * (size_t)f->n + 1);
  f->jumps = ss_new_array (bool, n_points + 1);
  work = ss_new_array (double, (2 * (size_t)f->n + 7) * n_q + 1);
  sample = ss_new_array (double, ss_fesd_sequence_sample_size (sequence));
  free_rows = ss_new_array (bool, 2 * f->n + 1);
  const bool ok = f->places != NULL && f->stops != NULL && f->laws != NULL && f->junctions != NULL &&
                  f->jumps != NULL && work != NULL && sample != NULL && free_rows != NULL;
  if (ok) {
    ss_fesd_sequence_places (sequence, f->places);
    for (int k = 0; k < t->n_points; k++)
      if (f->places[k].number == 0)
        plan_segment (f, f->places[k].segment, k, sample, work, free_rows, free_rows + f->n);
  }
  ss_free (work);
  ss_free (sample);
  ss_free (free_rows);
  return ok ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

static void
clear_plan (Fixed *f)
{
  ss_free (f->is_implied);
  ss_free (f->places);
  ss_free (f->stops);
  ss_free (f->laws);
  ss_free (f->junctions);
  ss_free (f->jumps);
}

static const SsFesdSegment *
segment_of (const Fixed *f, int k)
{
  return &f->sequence->segments[f->places[k].segment];
}

/* The last point from `first` on at which a table of `size` bytes a point has what it has at `first`. */
static int
end_of_run (const void *table, size_t size, int first, int n)
{
  const char *at = (const char *)table + (size_t)first * size;
  int last = first;

  while (last + 1 < n && (size == 0 || memcmp (at, (const char *)table + (size_t)(last + 1) * size, size) == 0))
    last++;
  return last;
}

/* ---- an element -------------------------------------------------------------------------------------------------- */

static SsStatus
add_elements (Fixed *f, SsError *err)
{
  SsFesd *t = f->t;
  const int last = t->n_points - 1;
  SsExpr *forces = ss_new_array (SsExpr, 3 * (size_t)t->base.scene->n_bodies + 1);
  SsStatus status = forces != NULL ? SS_OK : SS_ERR_MEMORY;

  ss_transcription_open_block (&t->base, "dynamics", 0, last, 1);
  for (int j = 0; j < t->tableau.n && status == SS_OK; j++)
    status = ss_fesd_add_stage_rows (t, j, forces, err);
  ss_transcription_close_block (&t->base);
  ss_free (forces);
  if (status != SS_OK)
    return status;
  ss_transcription_open_block (&t->base, "gaps", 0, last, 1);
  for (int l = 0; l < f->n; l++)
    for (int j = -1; j < t->tableau.n; j++) {
      const SsFesdContact *contact = &t->contacts[l];
      const SsFesdSide *side = j < 0 ? &contact->left : &contact->stage[j];
      const SsMotionExpr *motion = j < 0 ? &t->base.motion[0] : &t->stage[j];

      ss_fesd_equal (t, ss_expr_sub (t->base.graph, var (t, side->y, 0), ss_fesd_gap (t, contact, motion).phi),
                     contact->name, "gap");
    }
  ss_transcription_close_block (&t->base);
  return SS_OK;
}

/* Friction of a closed gap at a stage. */
static void
add_friction (SsFesd *t, const SsFesdContact *contact, const Law *law, int stage)
{
  const SsFesdSide *side = &contact->stage[stage];
  const SsMotionExpr *motion = &t->stage[stage];
  const SsGapExpr gap = ss_fesd_gap (t, contact, motion);
  const SsExpr slip = ss_fesd_speed (t, contact, &gap, motion, false);
  const Ending ending = stage == t->tableau.n - 1 ? law->ending : ENDS_ON;
  const bool breaks_loose = law->ending == ENDS_AT_CONE_NEG || law->ending == ENDS_AT_CONE_POS;
  const double share = breaks_loose ? 1 : 1 - t->options.cone_margin;

  if (law->mode == SS_FESD_STICK) {
    if (!law->is_sticking_freely)
      ss_fesd_equal (t, slip, contact->name, "stick");
    for (int sign = -1; sign <= 1; sign += 2) {
      if (ending == (sign > 0 ? ENDS_AT_CONE_NEG : ENDS_AT_CONE_POS))
        ss_fesd_equal (t, cone (t, contact, side, 0, 1, sign), contact->name, "breaks loose");
      else
        ss_fesd_at_least (t, cone (t, contact, side, 0, share, sign), contact->name, "cone");
    }
    return;
  }
  ss_fesd_equal (t, cone (t, contact, side, 0, 1, direction (law->mode)), contact->name, "slip");
  if (ending != ENDS_STOPPED)
    ss_fesd_at_least (t, ss_expr_scale (t->base.graph, direction (law->mode), slip), contact->name, "slip");
}

static void
add_law (SsFesd *t, const SsFesdContact *contact, const Law *law)
{
  for (int j = 0; j < t->tableau.n; j++) {
    const SsFesdSide *side = &contact->stage[j];
    const Ending ending = j == t->tableau.n - 1 ? law->ending : ENDS_ON;

    if (law->mode == SS_FESD_OPEN) {
      vanish (t, side->force, 0, contact->name, "open");
      vanish (t, side->force_1, 0, contact->name, "open");
      if (ending != ENDS_TOUCHING)
        ss_fesd_at_least (t, var (t, side->y, 0), contact->name, "gap");
      continue;
    }
    if (!law->is_loaded_freely) {
      const SsGapExpr gap = ss_fesd_gap (t, contact, &t->stage[j]);

      ss_fesd_equal (t, ss_fesd_speed (t, contact, &gap, &t->stage[j], true), contact->name, "closed");
    }
    if (ending == ENDS_UNLOADED)
      ss_fesd_equal (t, var (t, side->force, 0), contact->name, "opens");
    else
      ss_fesd_at_least (t, var (t, side->force, 0), contact->name, "force");
    if (contact->has_friction)
      add_friction (t, contact, law, j);
  }
}

static void
add_laws (Fixed *f)
{
  SsFesd *t = f->t;
  const size_t size = (size_t)f->n * sizeof *f->laws;

  for (int first = 0, last; first < t->n_points; first = last + 1) {
    last = end_of_run (f->laws, size, first, t->n_points);
    ss_transcription_open_block (&t->base, "modes", first, last, 1);
    for (int l = 0; l < f->n; l++)
      add_law (t, &t->contacts[l], &f->laws[first * f->n + l]);
    ss_transcription_close_block (&t->base);
    for (int l = 0; l < f->n; l++)
      for (int j = 0; j < t->tableau.n; j++) {
        const Law *law = &f->laws[first * f->n + l];
        const SsFesdSide *side = &t->contacts[l].stage[j];

        for (int k = 0; k < 2; k++)
          if (k == 0 ? law->is_loaded_freely : law->is_sticking_freely) {
            SsExpr force = var (t, k == 0 ? side->force : side->force_1, 0);

            ss_transcription_add_cost (
                &t->base, "idle", first, last, 1, true,
                ss_expr_scale (t->base.graph, idle_weight, ss_expr_mul (t->base.graph, force, force)));
          }
      }
  }
}

/* ---- left points ------------------------------------------------------------------------------------------------- */

/* Newton's law and friction of one gap in a jump at the left point of `motion`, from the velocities `before`. */
static void
add_impulse (SsFesd *t, const SsFesdContact *contact, const Junction *junction, const SsMotionExpr *motion,
             const SsMotionExpr *before, int shift)
{
  SsGraph *g = t->base.graph;
  const SsContact *c = ss_fesd_law_of (t, contact);
  const SsGapExpr gap = ss_fesd_gap (t, contact, motion);
  const SsExpr slip = ss_fesd_speed (t, contact, &gap, motion, false);

  ss_fesd_at_least (t, var (t, contact->left.force, shift), contact->name, "impulse");
  if (!junction->is_loaded_freely)
    ss_fesd_equal (t,
                   ss_expr_add (g, ss_fesd_speed (t, contact, &gap, motion, true),
                                ss_expr_mul (g, ss_transcription_number (&t->base, &c->restitution),
                                             ss_fesd_speed (t, contact, &gap, before, true))),
                   contact->name, "restitution");
  if (!contact->has_friction)
    return;
  if (junction->jump == SS_FESD_STICK) {
    if (!junction->is_sticking_freely)
      ss_fesd_equal (t, slip, contact->name, "sticks");
    for (int sign = -1; sign <= 1; sign += 2)
      ss_fesd_at_least (t, cone (t, contact, &contact->left, shift, 1 - t->options.cone_margin, sign), contact->name,
                        "cone of the impulse");
    return;
  }
  ss_fesd_equal (t, cone (t, contact, &contact->left, shift, 1, direction (junction->jump)), contact->name, "slips");
  ss_fesd_at_least (t, ss_expr_scale (g, direction (junction->jump), slip), contact->name, "slips");
}

/* Velocities at a left point: as before, or after a jump; what a switch there asks for. */
static void
add_junction (Fixed *f, const Junction *junctions, bool jumps, const SsMotionExpr *motion, const SsExpr *before,
              int shift)
{
  SsFesd *t = f->t;
  const int n = 3 * t->base.scene->n_bodies;
  SsExpr *forces = ss_transcription_alloc (&t->base, 2 * (size_t)n, sizeof *forces), *v = forces + n;
  SsMotionExpr earlier = *motion;

  if (forces == NULL)
    return;
  ss_transcription_velocities (&t->base, ss_fesd_coordinates (t, motion), motion->q, before, v);
  earlier.v = v;
  for (int i = 0; i < n; i++)
    forces[i] = ss_fesd_number (t, 0);
  if (jumps) {
    ss_fesd_push_contacts (t, motion, -1, shift, forces);
    ss_fesd_add_balance_rows (t, motion, before, forces, shift);
  } else
    ss_fesd_add_smooth_rows (t, motion, before);
  for (int l = 0; l < f->n; l++) {
    const SsFesdContact *contact = &t->contacts[l];

    if (junctions[l].before == ENDS_TOUCHING)
      ss_fesd_equal (t, var (t, contact->left.y, shift), contact->name, "touches");
    if (junctions[l].before == ENDS_STOPPED && !junctions[l].is_stopped_freely) {
      const SsGapExpr gap = ss_fesd_gap (t, contact, motion);

      ss_fesd_equal (t, ss_fesd_speed (t, contact, &gap, motion, false), contact->name, "stops");
    }
    if (is_closed (junctions[l].jump))
      add_impulse (t, contact, &junctions[l], motion, &earlier, shift);
    else {
      vanish (t, contact->left.force, shift, contact->name, "no impulse");
      vanish (t, contact->left.force_1, shift, contact->name, "no impulse");
    }
  }
}

static void
add_start (Fixed *f)
{
  SsFesd *t = f->t;
  const SsExpr *before;

  ss_transcription_open_block (&t->base, "start", 0, 0, 1);
  before = ss_fesd_add_start_rows (t);
  if (before != NULL)
    add_junction (f, f->junctions, f->jumps[0], &t->base.motion[0], before, 0);
  ss_transcription_close_block (&t->base);
}

/* Left points 1..K: block k has the one after it. The last point has no element and no jump. */
static void
add_junctions (Fixed *f)
{
  SsFesd *t = f->t;
  const SsMotionExpr *next = &t->base.motion[1];
  const size_t size = (size_t)f->n * sizeof *f->junctions;
  const int n = t->n_points;

  ss_fesd_add_junction_rows (t);
  for (int first = 1, last; first < n; first = last + 1) {
    last = end_of_run (f->junctions, size, first, n);
    last = (int)fmin (last, end_of_run (f->jumps, sizeof *f->jumps, first, n));
    ss_transcription_open_block (&t->base, "velocities", first - 1, last - 1, 1);
    add_junction (f, f->junctions + (size_t)first * f->n, f->jumps[first], next, t->end_at.v, 1);
    ss_transcription_close_block (&t->base);
  }
  ss_transcription_open_block (&t->base, "velocities", n - 1, n - 1, 1);
  ss_fesd_add_smooth_rows (t, next, t->end_at.v);
  for (int l = 0; l < f->n; l++) {
    vanish (t, t->contacts[l].left.force, 1, t->contacts[l].name, "no impulse");
    vanish (t, t->contacts[l].left.force_1, 1, t->contacts[l].name, "no impulse");
  }
  ss_transcription_close_block (&t->base);
}

/* ---- lengths and controls ---------------------------------------------------------------------------------------- */

/* h_k+1 = ratio h_k within a segment; of equal shares: 1. */
static double
ratio_after (const Fixed *f, int k)
{
  if (k + 1 >= f->t->n_points || f->places[k].segment != f->places[k + 1].segment)
    return 0;
  const double *shares = segment_of (f, k)->shares;
  const double ratio = shares[f->places[k + 1].number] / shares[f->places[k].number];

  return fabs (ratio - 1) < 1e-12 ? 1 : ratio;
}

static void
add_lengths (Fixed *f)
{
  SsFesd *t = f->t;
  SsGraph *g = t->base.graph;
  const int n = t->n_points, n_intervals = f->sequence->n_intervals;
  const double elements = (double)n / n_intervals; /* of an interval, in the mean */

  for (int first = 0, last; first < n; first = last + 1) {
    const double ratio = ratio_after (f, first);

    for (last = first; ratio > 0 && last + 1 < n && ratio_after (f, last + 1) == ratio;)
      last++;
    if (ratio == 0)
      continue;
    ss_transcription_open_block (&t->base, "elements", first, last, 1);
    ss_fesd_equal (t, ss_expr_sub (g, var (t, t->base.h, 1), ss_expr_scale (g, ratio, t->length)), "h", "ratio");
    ss_transcription_close_block (&t->base);
  }
  for (int k = 0; k < n; k++) {
    const SsFesdSegment *segment = segment_of (f, k);

    if (f->places[k].number > 0)
      continue;
    ss_transcription_open_block (&t->base, "interval", k, k, 1);
    if (k > 0 && segment_of (f, k - 1)->interval != segment->interval)
      ss_fesd_equal (
          t, ss_expr_sub (g, var (t, t->base.clock, 0), ss_expr_scale (g, segment->interval * elements, t->mean)),
          "time", "interval");
    ss_fesd_at_least (
        t, ss_expr_sub (g, t->length, ss_expr_scale (g, SS_FESD_SHORTEST * elements * segment->shares[0], t->mean)),
        "h", "shortest");
    ss_transcription_close_block (&t->base);
  }
  ss_transcription_open_block (&t->base, "interval", n, n, 1);
  ss_fesd_equal (t, ss_expr_sub (g, var (t, t->base.clock, 0), ss_expr_scale (g, n, t->mean)), "time", "end");
  ss_transcription_close_block (&t->base);
}

static void
add_controls (Fixed *f)
{
  SsFesd *t = f->t;
  const SsScene *scene = t->base.scene;
  SsGraph *g = t->base.graph;
  const int n = t->n_points;

  for (int first = 0, last; first < n; first = last + 1) {
    const int interval = segment_of (f, first)->interval;

    for (last = first; last + 1 < n && segment_of (f, last + 1)->interval == interval;)
      last++;
    ss_transcription_open_block (&t->base, "controls", first, first, 1);
    for (int a = 0; a < scene->n_actuators; a++)
      ss_transcription_add_bounds (&t->base, var (t, t->base.u[a], 0), &scene->actuators[a].lower,
                                   &scene->actuators[a].upper, scene->actuators[a].name);
    ss_transcription_close_block (&t->base);
    if (last > first) {
      ss_transcription_open_block (&t->base, "hold", first, last - 1, 1);
      for (int a = 0; a < scene->n_actuators; a++)
        ss_fesd_equal (t, ss_expr_sub (g, var (t, t->base.u[a], 1), var (t, t->base.u[a], 0)), scene->actuators[a].name,
                       "hold");
      ss_transcription_close_block (&t->base);
    }
    for (int a = 0; a < scene->n_actuators && t->base.plan->effort_rate > 0 && last + 1 < n; a++) {
      SsExpr change = ss_expr_sub (g, var (t, t->base.u[a], 1), var (t, t->base.u[a], 0));

      ss_transcription_add_cost (&t->base, "effort_rate", last, last, 1, false,
                                 ss_expr_mul (g, ss_transcription_number (&t->base, &t->base.plan->effort_rate),
                                              ss_expr_mul (g, change, change)));
    }
  }
  if (t->horizon == SS_NO_VARIABLE)
    return;
  ss_transcription_open_block (&t->base, "horizon", 0, n - 1, 1);
  ss_fesd_equal (t, ss_expr_sub (g, var (t, t->horizon, 1), var (t, t->horizon, 0)), "horizon", "common");
  ss_transcription_close_block (&t->base);
  ss_transcription_open_block (&t->base, "horizon bounds", 0, 0, 1);
  ss_transcription_add_bounds (&t->base, var (t, t->horizon, 0), &t->base.plan->time_lower, &t->base.plan->time_upper,
                               "horizon");
  ss_transcription_close_block (&t->base);
}

static void
add_bounds (Fixed *f)
{
  SsFesd *t = f->t;

  /* Without a jump a left point is the end before, which has its bounds: twice they would depend on each other. */
  for (int k = 1; k < t->n_points; k++)
    if (f->jumps[k]) {
      ss_transcription_open_block (&t->base, "bounds", k, k, 1);
      ss_fesd_add_state_bounds (t, &t->base.motion[0]);
      ss_transcription_close_block (&t->base);
    }
  ss_transcription_open_block (&t->base, "stage bounds", 0, t->n_points - 1, 1);
  for (int j = 0; j < t->tableau.n; j++)
    ss_fesd_add_state_bounds (t, &t->stage[j]);
  ss_transcription_close_block (&t->base);
}

/* ---- the task ---------------------------------------------------------------------------------------------------- */

/* Derivatives of a target's coordinate by the slots, or by their rates, over the roots of their masses: pose->row. */
static void
target_row (const SsFesd *t, const SsPlanTarget *target, int coordinate, Pose *pose)
{
  const int at = 3 * target->body + coordinate % 3;

  for (int i = 0; i < 3 * t->base.scene->n_bodies; i++) {
    const double mass = ss_transcription_slot_mass (&t->base, i), slot = pose->slots[i];

    pose->row[i] = 0;
    if (t->base.v[i] == SS_NO_VARIABLE || !(mass > 0))
      continue;
    for (int side = -1; side <= 1; side += 2) {
      if (coordinate < 3)
        pose->slots[i] = slot + side * nudge;
      else
        pose->rates[i] = side * nudge;
      ss_transcription_follow_slots (&t->base, pose->slots, pose->rates, pose->q, pose->v);
      pose->row[i] += side * (coordinate < 3 ? pose->q[at] : pose->v[at]) / (2 * nudge);
      pose->slots[i] = slot;
      pose->rates[i] = 0;
    }
    pose->row[i] /= sqrt (mass);
  }
}

/* Contacts that are closed at the end hold some of what targets ask for: their velocities there, which are rows of the
 * last stage, and by all that they have held before the poses along their normals. A row of the target would say it
 * once more. */
static SsStatus
find_implied (Fixed *f, SsError *err)
{
  const SsFesd *t = f->t;
  const SsPlan *plan = t->base.plan;
  const int n = 3 * t->base.scene->n_bodies, last = (t->n_points - 1) * f->n;
  double *work = ss_new_array (double, (2 * (size_t)f->n + 7 + 12 * (size_t)plan->n_targets) * (size_t)n + 1),
         *sample = ss_new_array (double, ss_fesd_sequence_sample_size (f->sequence));
  Pose at = {work, work + n, work + 2 * n, work + 3 * n, work + 4 * n, work + 5 * n};

  f->is_implied = ss_new_array (bool, SS_PLAN_COORDINATES * plan->n_targets + 1);
  if (work == NULL || sample == NULL || f->is_implied == NULL) {
    ss_free (work);
    ss_free (sample);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  ss_fesd_sequence_sample (f->sequence, f->sequence->n_segments - 1, 1, sample);
  ss_transcription_find_slots (&t->base, sample + 1, sample + 1 + n, at.slots, at.rates);
  memset (at.rates, 0, (size_t)n * sizeof *at.rates);
  for (int of_rates = 0; of_rates < 2; of_rates++) {
    int n_basis = 0;

    for (int is_normal = 1; is_normal >= 1 - of_rates; is_normal--)
      for (int l = 0; l < f->n; l++) {
        const Law *law = &f->laws[last + l];

        if (is_normal ? !is_closed (law->mode) : law->mode != SS_FESD_STICK)
          continue;
        contact_row (t, &t->contacts[l], is_normal, &at);
        extends (at.basis, &n_basis, n, at.row);
      }
    for (int i = 0; i < plan->n_targets && n_basis > 0; i++)
      for (int c = 3 * of_rates; c < 3 * of_rates + 3; c++) {
        if (isnan (plan->targets[i].value[c]) || !isinf (plan->targets[i].weight[c]))
          continue;
        target_row (t, &plan->targets[i], c, &at);
        f->is_implied[i * SS_PLAN_COORDINATES + c] =
            ss_norm_2 (n, at.row) > 0 && !extends (at.basis, &n_basis, n, at.row);
      }
  }
  ss_free (work);
  ss_free (sample);
  return SS_OK;
}

SsStatus
ss_fesd_add_fixed_rows (SsFesd *t, SsError *err)
{
  Fixed f;
  SsStatus status = plan_rows (t, &f, err);

  if (status == SS_OK)
    status = find_implied (&f, err);
  if (status == SS_OK) {
    add_start (&f);
    status = add_elements (&f, err);
  }
  if (status == SS_OK) {
    add_laws (&f);
    add_junctions (&f);
    ss_fesd_add_end_point (t);
    add_lengths (&f);
    add_controls (&f);
    add_bounds (&f);
    ss_transcription_add_targets (&t->base, t->n_points, f.is_implied);
    ss_fesd_add_constraints (t);
    ss_fesd_add_costs (t);
    if (t->options.near > 0)
      status = ss_fesd_add_near (t, f.places, err);
    ss_transcription_keep_lists (&t->base);
  }
  clear_plan (&f);
  return status == SS_OK && t->base.out_of_memory ? SS_ERR_MEMORY : status;
}
