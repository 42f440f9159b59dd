/* engine/transcribe/ss-fesd-j.c: options and variables of the transcription fesd-j, and the order of the work. */
#include "linalg/ss-linalg.h"
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- options ----------------------------------------------------------------------------------------------------- */

static const char *const schemes[] = {"radau-iia", "gauss-legendre", "lobatto-iiic", NULL};
static const char *const equilibrations[] = {"mean",   "diff", "l2", "l2-scaled", "direct", "direct-homotopy",
                                             "lifted", "none", NULL};
static const char *const frictions[] = {"polyhedral", "conic", NULL};
static const char *const impulse_forms[] = {"products", "split", NULL};
static const char *const round_gaps[] = {"square", "distance", NULL};
static const char *const paths[] = {"ends", "stages", NULL};
static const char *const speeds[] = {"interval", "global", NULL};
static const char *const clocks[] = {"stagewise", "terminal", NULL};
static const char *const grids[] = {"numerical", "physical", NULL};
static const char *const mode_sources[] = {"free", "start", "start-sticking", NULL};
static const char *const cost_forms[] = {"physical", "numerical", NULL};

#define FIELD(name) offsetof (SsFesdOptions, name)

static const SsOptionSpec specs[] = {
    {"scheme", SS_OPTION_CHOICE, FIELD (scheme), 0, 2, SS_TABLEAU_RADAU_IIA, schemes, "", "", true,
     "Runge-Kutta scheme of the finite elements, of order 2 s - 1, 2 s and 2 s - 2 with s stages."},
    {"stages", SS_OPTION_INTEGER, FIELD (stages), 1, SS_TABLEAU_STAGES_MAX, 2, NULL, "n_s", "", true,
     "Stages of an element; raised, motions are more exact and problems larger."},
    {"elements", SS_OPTION_INTEGER, FIELD (elements), 1, SS_FESD_RANGES_MAX - 2, 2, NULL, "N_FE", "", true,
     "Finite elements of one control interval; an interval can have as many switches less one."},
    {"cross", SS_OPTION_INTEGER, FIELD (cross), 1, 12, SS_FESD_CROSS_BY_C, NULL, "", "", false,
     "How products of an element are summed into rows: 1 not at all, 3 over the forces, 7 over both sides, 12 all of "
     "the horizon in one; raised, rows are fewer and stiffer."},
    {"step-equilibration", SS_OPTION_CHOICE, FIELD (equilibration), 0, 7, SS_FESD_MEAN, equilibrations, "", "", false,
     "What makes elements equally long where nothing switches: a penalty on the distance from the mean or between "
     "neighbours, one weighted with the indicator of switches, that indicator in equations, or nothing."},
    {"rho-h", SS_OPTION_REAL, FIELD (rho_h), 0, 1e12, 1, NULL, "rho_h", "1/s2", false,
     "Weight of the penalty of step equilibration; raised, plans are drawn towards equal elements."},
    {"rho-gamma", SS_OPTION_REAL, FIELD (rho_gamma), 0, 1e6, 0, NULL, "", "s2/m2", false,
     "Weight of the sum of gamma^2, which is free without load; raised, plans are drawn towards less sliding where "
     "they are not exactly complementary."},
    {"eps-eta", SS_OPTION_REAL, FIELD (eps_eta), 1e-9, 1, 0.1, NULL, "eps_eta", "", false,
     "Scale of the indicator in step-equilibration=l2-scaled; raised, weak switches weigh less."},
    {"gamma-h", SS_OPTION_REAL, FIELD (gamma_h), 0, 1, 1, NULL, "gamma_h", "", false,
     "How far lengths may be from their mean, as a share of it; 0 fixes them, and switches are not found."},
    {"lookahead", SS_OPTION_REAL, FIELD (lookahead), 0, 1, 1e-3, NULL, "eps", "", false,
     "Share of an element after which no gap may be negative, going straight on: a contact that closes must answer. 0 "
     "asks for nothing."},
    {"initial-impacts", SS_OPTION_BOOLEAN, FIELD (initial_impacts), 0, 1, 1, NULL, "", "", false,
     "Whether velocities may jump at the start of a control interval as well."},
    {"friction", SS_OPTION_CHOICE, FIELD (friction), 0, 1, SS_FESD_POLYHEDRAL, frictions, "", "", false,
     "Encoding of Coulomb's law: polyhedral, which is exact in the plane, or the paper's conic one, with which an open "
     "contact can't slide once its relaxation has ended."},
    {"round-gap", SS_OPTION_CHOICE, FIELD (round_gap), 0, 1, SS_FESD_SQUARE, round_gaps, "", "", false,
     "Gap of two circles: half the square of the distance of their centres, less that at contact, over the latter, as "
     "in the paper, which has no kink where centres coincide; or the distance of their rims."},
    {"impulse", SS_OPTION_CHOICE, FIELD (impulse), 0, 1, SS_FESD_PRODUCTS, impulse_forms, "", "", false,
     "Encoding of the law of impact: two products of either sign, or the residual split in two (appendix A.2)."},
    {"path", SS_OPTION_CHOICE, FIELD (path), 0, 1, SS_FESD_ENDS, paths, "", "", false,
     "Where path constraints hold: at the ends of elements, or at stages too."},
    {"polish", SS_OPTION_BOOLEAN, FIELD (polish), 0, 1, 0, NULL, "", "", true,
     "Whether the answer's sequence of modes is fixed and what is left is solved as a smooth problem, refined until "
     "plan and replay agree; takes seconds more."},
    {"starts", SS_OPTION_INTEGER, FIELD (starts), 1, 8, 1, NULL, "K", "", true,
     "Starts of which the best polished plan is the answer: the method's own; a time-stepping plan by CRISP; the "
     "method "
     "with other sigma0 and kappa. 2 and more polish."},
    {"modes", SS_OPTION_CHOICE, FIELD (modes), 0, 2, SS_FESD_MODES_FREE, mode_sources, "", "", true,
     "Of fesd-j. free: the modes of contacts are found with the plan; start: they are those of the motion that the run "
     "starts from, no problem with complementarities is solved, and the polish begins with them; start-sticking: so "
     "too, but what is closed there, or strikes, sticks."},
    {"polish-iterations", SS_OPTION_INTEGER, FIELD (polish_iterations), 0, 100000, 0, NULL, "", "", false,
     "Most iterations of a smooth problem of the polish; 0: 100, 50 of a changed sequence, and 500 with modes=start; "
     "raised, hopeless sequences take longer."},
    {"polish-rounds", SS_OPTION_INTEGER, FIELD (polish_rounds), 0, 1000, 0, NULL, "", "", false,
     "Most smooth problems of one polish, of changed sequences and finer elements; 0: 24; raised, sensitive plans are "
     "refined further."},
    {"replay-distance", SS_OPTION_REAL, FIELD (replay_distance), 0, 1e6, 0, NULL, "", "m", true,
     "The polish refines until the replay of its controls ends at most this far from the plan; 0: as far as it may."},
    {"cone-margin", SS_OPTION_REAL, FIELD (cone_margin), 0, 0.9, 0, NULL, "", "", true,
     "Part of the friction cone that sticking contacts leave free in the polish; raised, plans slip less easily when "
     "they are replayed, and cost more."},
    {"cost", SS_OPTION_CHOICE, FIELD (cost), 0, 1, SS_FREEZE_PHYSICAL, cost_forms, "", "", true,
     "Of time-freezing. What costs are integrated over: physical time, or numerical time, where time in contact counts "
     "more and frozen time too."},
    {"speed", SS_OPTION_CHOICE, FIELD (speed), 0, 1, SS_FREEZE_INTERVAL, speeds, "", "", false,
     "Of time-freezing. Whether every control interval has a speed of time of its own, or all have one."},
    {"clock", SS_OPTION_CHOICE, FIELD (clock), 0, 1, SS_FREEZE_STAGEWISE, clocks, "", "", false,
     "Of time-freezing. Whether physical time is prescribed at the end of every control interval, or at the last "
     "only."},
    {"grid", SS_OPTION_CHOICE, FIELD (grid), 0, 1, SS_FREEZE_NUMERICAL, grids, "", "", false,
     "Of time-freezing. Whether control intervals are equally long in numerical time, with speeds of time that make up "
     "for it, or have free lengths there and speed 1."},
    {"s-max", SS_OPTION_REAL, FIELD (s_max), 1, 1e6, 25, NULL, "s_max", "", true,
     "Of time-freezing. Largest speed of time; raised, more of an interval may be frozen or in contact."},
    {"rho-s", SS_OPTION_REAL, FIELD (rho_s), 0, 1e12, 0, NULL, "rho_s", "", false,
     "Of time-freezing. Weight of the penalty (s - 1)^2 on the speeds of time, which is no part of the objective; "
     "raised, speeds are drawn towards 1."},
    {"a-n", SS_OPTION_REAL, FIELD (a_n), 0, 1e9, 0, NULL, "a_n", "N", true,
     "Of time-freezing. Force along the normal in the auxiliary dynamics; raised, frozen spans are shorter and time in "
     "contact runs faster. 0: chosen so that time in contact runs about half as fast."},
    {"lift", SS_OPTION_BOOLEAN, FIELD (lift), 0, 1, 1, NULL, "", "", false,
     "Of time-freezing. Whether multipliers theta are variables with equations of their own, or products in every "
     "row."},
    {"frozen-path", SS_OPTION_BOOLEAN, FIELD (frozen_path), 0, 1, 1, NULL, "", "", false,
     "Of time-freezing. Whether path constraints and bounds of velocities hold where time stands still too."},
};

const SsOptionTable ss_fesd_option_table = {(int)(sizeof specs / sizeof specs[0]), specs, sizeof (SsFesdOptions), 0};

/* ---- small things ------------------------------------------------------------------------------------------------ */

SsExpr
ss_fesd_number (const SsFesd *t, double value)
{
  return ss_expr_number (t->base.graph, value);
}

SsExpr
ss_fesd_variable (const SsFesd *t, int variable, int shift)
{
  return ss_transcription_variable (&t->base, variable, shift);
}

static void
add_range (SsFesdRange *ranges, int *n, int first, int last, int stride)
{
  if (last >= first)
    ranges[(*n)++] = (SsFesdRange){first, last, stride};
}

int
ss_fesd_ranges (const SsFesd *t, bool jumps, bool before, SsFesdRange *ranges)
{
  const int n_elements = t->options.elements, end = t->n_points, shift = before ? -1 : 0;
  int n = 0;

  if (t->options.initial_impacts)
    add_range (ranges, &n, jumps ? 0 : end + shift, jumps ? end - 1 + shift : end + shift, 1);
  else if (jumps)
    for (int j = 1; j < n_elements; j++)
      add_range (ranges, &n, j + shift, end - n_elements + j + shift, n_elements);
  else
    add_range (ranges, &n, (before ? n_elements : 0) + shift, end + shift, n_elements);
  return n;
}

int
ss_fesd_add_variable (SsFesd *t, SsVariableRole role, double start, const char *owner, const char *what, int stage)
{
  const char *name = stage < 0 ? ss_transcription_name (&t->base, "%s.%s", owner, what)
                               : ss_transcription_name (&t->base, "%s.stage_%d.%s", owner, stage + 1, what);

  return ss_transcription_add_variable (&t->base, name, role, start);
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static bool
has_q (const SsBody *body, int k)
{
  return !body->is_fixed && (!body->lock[k] || body->v[k] != 0);
}

static bool
has_v (const SsBody *body, int k)
{
  return !body->is_fixed && !body->lock[k];
}

void
ss_fesd_add_left_state (SsFesd *t)
{
  const SsScene *scene = t->base.scene;

  const size_t n = 3 * (size_t)scene->n_bodies;
  double *q = ss_transcription_alloc (&t->base, 4 * n, sizeof *q), *v = q + n, *slots = v + n, *rates = slots + n;

  if (q == NULL)
    return;
  for (size_t i = 0; i < n; i++) {
    q[i] = scene->bodies[i / 3].q[i % 3];
    v[i] = scene->bodies[i / 3].v[i % 3];
  }
  ss_transcription_find_slots (&t->base, q, v, slots, rates);
  for (int b = 0; b < scene->n_bodies; b++) {
    double *start = t->start + 6 * b;

    memcpy (start, slots + 3 * b, 3 * sizeof *start);
    memcpy (start + 3, rates + 3 * b, 3 * sizeof *start);
    for (int k = 0; k < 6; k++) {
      const bool is_rate = k >= 3;
      const int i = 3 * b + k % 3;
      const bool has = ss_transcription_has_slot (&t->base, i) &&
                       (is_rate ? has_v (&scene->bodies[b], k % 3) : has_q (&scene->bodies[b], k));

      *(is_rate ? &t->base.v[i] : &t->base.q[i]) =
          has ? ss_fesd_add_variable (t, SS_ROLE_STATE, start[k], ss_transcription_slot_owner (&t->base, i),
                                      ss_transcription_slot_name (&t->base, i, is_rate), -1)
              : SS_NO_VARIABLE;
    }
  }
}

void
ss_fesd_add_state (SsFesd *t, int stage, int *q, int *v)
{
  const SsScene *scene = t->base.scene;

  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    const char *name = ss_transcription_slot_owner (&t->base, i);
    const char *owner = stage < 0 ? ss_transcription_name (&t->base, "%s.end", name) : name;

    q[i] =
        t->base.q[i] != SS_NO_VARIABLE
            ? ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, owner, ss_transcription_slot_name (&t->base, i, false), stage)
            : SS_NO_VARIABLE;
    v[i] = t->base.v[i] != SS_NO_VARIABLE ? ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, owner,
                                                                  ss_transcription_slot_name (&t->base, i, true), stage)
                                          : SS_NO_VARIABLE;
  }
}

static const char *
gap_name (const SsFesdContact *contact)
{
  return contact->pair.kind == SS_GAP_SQUARE ? "gap_square" : "gap";
}

/* stage -1: the left point. */
static SsFesdSide
add_side (SsFesd *t, const SsFesdContact *contact, int stage)
{
  const bool is_conic = t->options.friction == SS_FESD_CONIC, is_left = stage < 0;
  const char *name = contact->name;
  SsFesdSide side = {SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE,
                     SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE};

  side.y = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, gap_name (contact), stage);
  side.force = ss_fesd_add_variable (t, SS_ROLE_FORCE, 0, name, is_left ? "impulse_n" : "lambda_n", stage);
  if (!contact->has_friction)
    return side;
  if (is_conic)
    side.force_1 = ss_fesd_add_variable (t, SS_ROLE_FORCE, 0, name, is_left ? "impulse_t" : "lambda_t", stage);
  if (t->options.sequence != NULL) /* modes say the rest */
    return side;
  if (!is_conic) {
    side.force_1 = ss_fesd_add_variable (t, SS_ROLE_FORCE, 0, name, is_left ? "impulse_1" : "lambda_1", stage);
    side.force_2 = ss_fesd_add_variable (t, SS_ROLE_FORCE, 0, name, is_left ? "impulse_2" : "lambda_2", stage);
  }
  side.gamma = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, "gamma", stage);
  side.beta = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, "beta", stage);
  side.part_1 = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, is_conic ? "xi_1" : "delta_1", stage);
  side.part_2 = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, is_conic ? "xi_2" : "delta_2", stage);
  return side;
}

static void
add_contact_variables (SsFesd *t, SsFesdContact *contact)
{
  const bool is_conic = t->options.friction == SS_FESD_CONIC;
  const char *name = contact->name, *end = ss_transcription_name (&t->base, "%s.end", name);

  contact->left = add_side (t, contact, -1);
  contact->r = contact->p = contact->q = SS_NO_VARIABLE;
  if (t->options.sequence == NULL && t->options.impulse == SS_FESD_PRODUCTS)
    contact->r = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, "restitution", -1);
  else if (t->options.sequence == NULL) {
    contact->p = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, "restitution_1", -1);
    contact->q = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, name, "restitution_2", -1);
  }
  for (int j = 0; j < t->tableau.n; j++)
    contact->stage[j] = add_side (t, contact, j);
  contact->end = (SsFesdSide){SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE,
                              SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE, SS_NO_VARIABLE};
  if (t->tableau.ends_at_one)
    return;
  contact->end.y = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, end, gap_name (contact), -1);
  if (!contact->has_friction)
    return;
  if (!is_conic)
    contact->end.gamma = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, end, "gamma", -1);
  contact->end.part_1 = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, end, is_conic ? "xi_1" : "delta_1", -1);
  contact->end.part_2 = ss_fesd_add_variable (t, SS_ROLE_LIFTED, 0, end, is_conic ? "xi_2" : "delta_2", -1);
}

static void
add_loop_variables (SsFesd *t, SsFesdLoop *loop)
{
  const char *name = t->base.scene->joints[loop->joint].name;
  char what[32];

  for (int i = 0; i < loop->n_rows; i++) {
    snprintf (what, sizeof what, "impulse_%d", i + 1);
    loop->left[i] = ss_fesd_add_variable (t, SS_ROLE_FORCE, 0, name, what, -1);
    snprintf (what, sizeof what, "lambda_%d", i + 1);
    for (int j = 0; j < t->tableau.n; j++)
      loop->stage[j][i] = ss_fesd_add_variable (t, SS_ROLE_FORCE, 0, name, what, j);
  }
}

static void
add_variables (SsFesd *t)
{
  SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;
  const size_t n = 3 * (size_t)scene->n_bodies;

  if (base->out_of_memory)
    return;
  ss_fesd_add_left_state (t);
  base->clock = ss_transcription_add_variable (base, "time", SS_ROLE_STATE, 0);
  base->n_states = base->n_variables;
  for (int j = 0; j < t->tableau.n; j++)
    ss_fesd_add_state (t, j, t->stage_q + (size_t)j * n, t->stage_v + (size_t)j * n);
  if (t->tableau.ends_at_one) {
    memcpy (t->end_q, t->stage_q + (size_t)(t->tableau.n - 1) * n, n * sizeof *t->end_q);
    memcpy (t->end_v, t->stage_v + (size_t)(t->tableau.n - 1) * n, n * sizeof *t->end_v);
  } else
    ss_fesd_add_state (t, -1, t->end_q, t->end_v);
  for (int c = 0; c < t->n_contacts; c++)
    add_contact_variables (t, &t->contacts[c]);
  for (int i = 0; i < t->n_loops; i++)
    add_loop_variables (t, &t->loops[i]);
  for (int a = 0; a < scene->n_actuators; a++)
    base->u[a] = ss_transcription_add_variable (base, ss_transcription_name (base, "u.%s", scene->actuators[a].name),
                                                SS_ROLE_CONTROL, 0);
  base->h = ss_transcription_add_variable (base, "h", SS_ROLE_LENGTH, 0);
  if (base->plan->is_time_free)
    t->horizon = ss_transcription_add_variable (base, "horizon", SS_ROLE_LENGTH, 0);
  if (t->options.equilibration == SS_FESD_LIFTED)
    t->eta = ss_transcription_add_variable (base, "eta", SS_ROLE_LIFTED, 0);
  t->n_sums = ss_fesd_n_sums (t);
  for (int i = 0; i < t->n_sums; i++) {
    int variable =
        ss_transcription_add_variable (base, ss_transcription_name (base, "products_%d", i + 1), SS_ROLE_LIFTED, 0);
    if (i == 0)
      t->sums = variable;
  }
}

/* ---- the motion as expressions ----------------------------------------------------------------------------------- */

static SsMotionExpr
make_motion (SsFesd *t, const int *of_q, const int *of_v, int shift, SsExpr time, SsCoordinatesExpr *at)
{
  SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;
  const size_t n = 3 * (size_t)scene->n_bodies;
  SsExpr *q = ss_transcription_alloc (base, n, sizeof *q), *v = ss_transcription_alloc (base, n, sizeof *v),
         *u = ss_transcription_alloc (base, (size_t)scene->n_actuators, sizeof *u);

  *at = ss_transcription_coordinates (base, of_q, of_v, shift);
  if (base->out_of_memory)
    return (SsMotionExpr){.graph = base->graph, .scene = scene};
  ss_transcription_poses (base, at, q);
  ss_transcription_velocities (base, at, q, NULL, v);
  for (int a = 0; a < scene->n_actuators; a++)
    u[a] = ss_fesd_variable (t, base->u[a], shift);
  return (SsMotionExpr){
      .graph = base->graph, .scene = scene, .q = q, .v = v, .u = u, .t = time, .inputs = base->inputs};
}

void
ss_fesd_set_motions (SsFesd *t)
{
  SsTranscription *base = &t->base;
  SsGraph *g = base->graph;
  const size_t n = 3 * (size_t)base->scene->n_bodies;
  SsExpr clock = ss_fesd_variable (t, base->clock, 0);

  t->length = base->step = ss_fesd_variable (t, base->h, 0);
  t->mean = t->horizon != SS_NO_VARIABLE ? ss_expr_scale (g, t->mean_share, ss_fesd_variable (t, t->horizon, 0))
                                         : ss_fesd_number (t, t->mean_length);
  for (int shift = 0; shift < 2; shift++)
    base->motion[shift] =
        make_motion (t, base->q, base->v, shift, ss_fesd_variable (t, base->clock, shift), &t->left_at[shift]);
  for (int j = 0; j < t->tableau.n; j++)
    t->stage[j] = make_motion (t, t->stage_q + (size_t)j * n, t->stage_v + (size_t)j * n, 0,
                               ss_expr_add (g, clock, ss_expr_scale (g, t->tableau.c[j], t->length)), &t->stage_at[j]);
  t->end = make_motion (t, t->end_q, t->end_v, 0, ss_expr_add (g, clock, t->length), &t->end_at);
}

const SsCoordinatesExpr *
ss_fesd_coordinates (const SsFesd *t, const SsMotionExpr *motion)
{
  if (motion == &t->end)
    return &t->end_at;
  if (motion >= t->stage && motion < t->stage + t->tableau.n)
    return &t->stage_at[motion - t->stage];
  SS_ASSERT (motion == &t->base.motion[0] || motion == &t->base.motion[1]);
  return &t->left_at[motion - t->base.motion];
}

const SsContact *
ss_fesd_law_of (const SsFesd *t, const SsFesdContact *contact)
{
  static const SsContact none = {.mu = 0, .restitution = 0};

  return ss_fesd_is_limit (contact) ? &none : &t->base.scene->contacts[contact->contact];
}

/* The row of a limit at a motion. */
static SsRowExpr
limit_row (const SsFesdContact *contact, const SsMotionExpr *motion)
{
  SsRowExpr rows[SS_ROW_EXPR_LIMITS_MAX];
  const int n = ss_dynamics_expr_limits (motion, contact->joint, rows);

  for (int i = 0; i < n - 1; i++)
    if (rows[i].index == (int)contact->is_upper)
      return rows[i];
  return rows[n - 1];
}

SsGapExpr
ss_fesd_gap (const SsFesd *t, const SsFesdContact *contact, const SsMotionExpr *motion)
{
  SsGapExpr gap = {.phi = SS_EXPR_NONE};

  if (ss_fesd_is_limit (contact)) {
    gap.phi = limit_row (contact, motion).phi;
    return gap;
  }
  ss_gap_expr (t->base.graph, t->base.inputs, &contact->pair, motion->q + 3 * contact->body_a,
               motion->q + 3 * contact->body_b, NULL, &gap);
  return gap;
}

SsExpr
ss_fesd_row_speed (const SsFesd *t, const SsRowExpr *row, const SsMotionExpr *motion)
{
  SsGraph *g = t->base.graph;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int i = 0; i < 6; i++)
    if (row->body[i / 3] >= 0)
      sum = ss_expr_add (g, sum, ss_expr_mul (g, row->j[i], motion->v[3 * row->body[i / 3] + i % 3]));
  return sum;
}

void
ss_fesd_push_limit (const SsFesdContact *contact, const SsMotionExpr *motion, SsExpr force, SsExpr *f)
{
  const SsRowExpr row = limit_row (contact, motion);

  ss_dynamics_expr_push (motion, &row, force, f);
}

SsExpr
ss_fesd_speed (const SsFesd *t, const SsFesdContact *contact, const SsGapExpr *gap, const SsMotionExpr *motion,
               bool is_normal)
{
  SsGraph *g = t->base.graph;

  if (ss_fesd_is_limit (contact)) {
    const SsRowExpr row = limit_row (contact, motion);

    return ss_fesd_row_speed (t, &row, motion);
  }
  SsVec2Expr tangent = {gap->normal.y, ss_expr_neg (g, gap->normal.x)};
  SsVec2Expr speed = ss_vec2_expr_sub (g, ss_dynamics_expr_velocity_at (motion, contact->body_b, gap->point_b),
                                       ss_dynamics_expr_velocity_at (motion, contact->body_a, gap->point_a));

  return ss_vec2_expr_dot (g, is_normal ? gap->normal : tangent, speed);
}

void
ss_fesd_set_state (const SsFesd *t, const int *of_q, const int *of_v, const double *q, const double *v, double *work,
                   double *x)
{
  const int n = 3 * t->base.scene->n_bodies;

  ss_transcription_find_slots (&t->base, q, v, work, work + n);
  for (int i = 0; i < n; i++) {
    if (of_q[i] != SS_NO_VARIABLE)
      x[of_q[i]] = work[i];
    if (of_v[i] != SS_NO_VARIABLE)
      x[of_v[i]] = work[n + i];
  }
}

void
ss_fesd_get_state (const SsFesd *t, const int *of_q, const int *of_v, const double *x, double *work, double *q,
                   double *v)
{
  const SsScene *scene = t->base.scene;
  const int n = 3 * scene->n_bodies;

  for (int i = 0; i < n; i++) {
    const SsBody *body = &scene->bodies[i / 3];

    work[i] = of_q[i] != SS_NO_VARIABLE ? x[of_q[i]] : body->q[i % 3];
    work[n + i] = of_v[i] != SS_NO_VARIABLE ? x[of_v[i]] : body->is_fixed ? 0 : body->v[i % 3];
  }
  ss_transcription_follow_slots (&t->base, work, work + n, q, v);
}

/* ---- channels and rows of the trajectory ------------------------------------------------------------------------- */

/* A channel at the left point, and at the end of the element. */
typedef struct {
  SsModelChannel left;
  SsExpr end;
} Channel;

static void
add_channel (SsFesd *t, Channel *channels, const char *owner, SsOwner kind, SsQuantity quantity, SsExpr left,
             SsExpr end)
{
  const char *name = ss_transcription_name (&t->base, "%s.%s", owner, ss_quantity_name (quantity));
  Channel *channel = &channels[t->base.model->n_channels++];

  channel->left.about = (SsChannel){.name = name,
                                    .quantity = quantity,
                                    .unit = ss_quantity_unit (quantity),
                                    .owner = kind,
                                    .owner_name = ss_transcription_name (&t->base, "%s", owner)};
  channel->left.value = left;
  channel->end = end;
}

static SsExpr
tangential_force (const SsFesd *t, const SsFesdSide *side)
{
  if (side->force_1 == SS_NO_VARIABLE)
    return ss_fesd_number (t, 0);
  if (side->force_2 == SS_NO_VARIABLE)
    return ss_fesd_variable (t, side->force_1, 0);
  return ss_expr_sub (t->base.graph, ss_fesd_variable (t, side->force_1, 0), ss_fesd_variable (t, side->force_2, 0));
}

/* The distance that a value of the gap's variable means. */
static SsExpr
distance_of (const SsFesd *t, const SsFesdContact *contact, SsExpr y)
{
  SsGraph *g = t->base.graph;
  const SsGapPair *pair = &contact->pair;

  if (pair->kind != SS_GAP_SQUARE)
    return y;
  SsExpr sum = ss_expr_add (g, ss_transcription_number (&t->base, &pair->a->radius),
                            ss_transcription_number (&t->base, &pair->b->radius));
  /* R^2 + 2 R phi is the square of a distance, negative by rounding of an iterate only */
  SsExpr square = ss_expr_add (g, ss_expr_mul (g, sum, sum), ss_expr_mul (g, ss_expr_scale (g, 2, sum), y));
  return ss_expr_sub (g, ss_graph_unary (g, SS_OP_SQRT, ss_graph_binary (g, SS_OP_MAX, square, ss_fesd_number (t, 0))),
                      sum);
}

static SsExpr
end_gap (const SsFesd *t, const SsFesdContact *contact)
{
  return ss_fesd_variable (t, t->tableau.ends_at_one ? contact->stage[t->tableau.n - 1].y : contact->end.y, 0);
}

/* Constant coordinates, and what the contacts do. */
static void
add_channels (SsFesd *t, Channel *channels)
{
  static const SsQuantity coordinates[6] = {SS_QUANTITY_POSITION_X, SS_QUANTITY_POSITION_Y,
                                            SS_QUANTITY_ANGLE,      SS_QUANTITY_VELOCITY_X,
                                            SS_QUANTITY_VELOCITY_Y, SS_QUANTITY_ANGULAR_VELOCITY};
  SsTranscription *base = &t->base;
  SsGraph *g = base->graph;
  const SsScene *scene = base->scene;
  const SsExpr zero = ss_fesd_number (t, 0);

  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i / 3];
    const SsMotionExpr *m = &base->motion[0];

    if (body->is_fixed)
      continue;
    const bool is_own = ss_transcription_is_own_slot (base, i);

    if (base->q[i] == SS_NO_VARIABLE || !is_own)
      add_channel (t, channels, body->name, SS_OWNER_BODY, coordinates[i % 3], m->q[i], is_own ? m->q[i] : t->end.q[i]);
    if (base->v[i] == SS_NO_VARIABLE || !is_own)
      add_channel (t, channels, body->name, SS_OWNER_BODY, coordinates[3 + i % 3], m->v[i],
                   is_own ? m->v[i] : t->end.v[i]);
  }
  for (int c = 0; c < t->n_contacts - t->n_limits;) {
    const SsFesdContact *first = &t->contacts[c];
    const char *name = scene->contacts[first->contact].name;
    SsExpr normal[2] = {zero, zero}, tangential[2] = {zero, zero}, impulse[2] = {zero, zero};
    SsExpr gap[2] = {distance_of (t, first, ss_fesd_variable (t, first->left.y, 0)),
                     distance_of (t, first, end_gap (t, first))};

    for (; c < t->n_contacts && t->contacts[c].contact == first->contact; c++) {
      const SsFesdContact *contact = &t->contacts[c];

      for (int side = 0; side < 2; side++) {
        const SsFesdSide *stage = &contact->stage[side == 0 ? 0 : t->tableau.n - 1];

        normal[side] = ss_expr_add (g, normal[side], ss_fesd_variable (t, stage->force, 0));
        tangential[side] = ss_expr_add (g, tangential[side], tangential_force (t, stage));
        SsExpr y = side == 0 ? ss_fesd_variable (t, contact->left.y, 0) : end_gap (t, contact);
        gap[side] = ss_graph_binary (g, SS_OP_MIN, gap[side], distance_of (t, contact, y));
      }
      impulse[0] = ss_expr_add (g, impulse[0], ss_fesd_variable (t, contact->left.force, 0));
      impulse[1] = ss_expr_add (g, impulse[1], tangential_force (t, &contact->left));
    }
    add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_NORMAL_FORCE, normal[0], normal[1]);
    add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_TANGENTIAL_FORCE, tangential[0], tangential[1]);
    if (!first->is_only || first->pair.kind == SS_GAP_SQUARE)
      add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_GAP, gap[0], gap[1]);
    if (!first->is_only) {
      add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_NORMAL_IMPULSE, impulse[0], zero);
    }
    if (!first->is_only || !first->has_friction || first->left.force_2 != SS_NO_VARIABLE)
      add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_TANGENTIAL_IMPULSE, impulse[1], zero);
  }
}

/* Rows: left point and end of every element, then the last point; what an end shows in the place of each variable. */
static void
add_trajectory_rows (SsFesd *t)
{
  SsTranscription *base = &t->base;
  SsModel *model = base->model;
  const size_t n = (size_t)base->n_variables;
  const size_t n_channels_max = 6 * (size_t)base->scene->n_bodies + 5 * (size_t)t->n_contacts;
  Channel *channels = ss_transcription_alloc (base, n_channels_max, sizeof *channels);
  SsModelChannel *left = ss_transcription_alloc (base, n_channels_max, sizeof *left);
  SsExpr *end = ss_transcription_alloc (base, n + n_channels_max, sizeof *end);
  int *rows = ss_transcription_alloc (base, 2 * (size_t)t->n_points + 1, sizeof *rows);
  bool *is_end = ss_transcription_alloc (base, 2 * (size_t)t->n_points + 1, sizeof *is_end);

  if (base->out_of_memory)
    return;
  for (size_t i = 0; i < n; i++)
    end[i] = ss_fesd_variable (t, (int)i, 0);
  for (int i = 0; i < 3 * base->scene->n_bodies; i++) {
    if (base->q[i] != SS_NO_VARIABLE)
      end[base->q[i]] = t->end_at.q[i];
    if (base->v[i] != SS_NO_VARIABLE)
      end[base->v[i]] = t->end_at.v[i];
  }
  end[base->clock] = t->end.t;
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdSide *side = &t->contacts[c].left;
    const int impulses[] = {side->force, side->force_1, side->force_2};

    end[side->y] = end_gap (t, &t->contacts[c]);
    for (int i = 0; i < 3; i++)
      if (impulses[i] != SS_NO_VARIABLE)
        end[impulses[i]] = ss_fesd_number (t, 0);
  }
  for (int l = 0; l < t->n_loops; l++)
    for (int i = 0; i < t->loops[l].n_rows; i++)
      end[t->loops[l].left[i]] = ss_fesd_number (t, 0);
  add_channels (t, channels);
  for (int c = 0; c < model->n_channels; c++) {
    left[c] = channels[c].left;
    end[n + (size_t)c] = channels[c].end;
  }
  for (int r = 0; r <= 2 * t->n_points; r++) {
    rows[r] = r / 2;
    is_end[r] = r % 2 == 1;
  }
  model->channels = left;
  model->end = end;
  model->rows = rows;
  model->row_is_end = is_end;
  model->n_rows = 2 * t->n_points + 1;
}

void
ss_fesd_name_stage_channels (SsFesd *t, SsChannel *channels, int n_channels, const SsExpr *stages)
{
  SsTranscription *base = &t->base;
  SsModel *model = base->model;

  for (int c = 0; c < n_channels; c++) {
    SsChannel *channel = &channels[c];

    if (channel->owner != SS_OWNER_ACTUATOR)
      channel->unit = ss_quantity_unit (channel->quantity);
    channel->owner_name = ss_transcription_name (base, "%s", channel->owner_name);
    channel->name = channel->owner == SS_OWNER_ACTUATOR ? ss_transcription_name (base, "u.%s", channel->owner_name)
                                                        : ss_transcription_name (base, "%s.%s", channel->owner_name,
                                                                                 ss_quantity_name (channel->quantity));
  }
  model->n_stages = t->tableau.n;
  model->n_stage_channels = n_channels;
  model->stage_channels = channels;
  model->stages = stages;
}

/* Poses, velocities, forces and controls at the stages, as those of a simulation. */
static void
add_stages (SsFesd *t)
{
  static const SsQuantity coordinates[6] = {SS_QUANTITY_POSITION_X, SS_QUANTITY_POSITION_Y,
                                            SS_QUANTITY_ANGLE,      SS_QUANTITY_VELOCITY_X,
                                            SS_QUANTITY_VELOCITY_Y, SS_QUANTITY_ANGULAR_VELOCITY};
  SsTranscription *base = &t->base;
  SsGraph *g = base->graph;
  const SsScene *scene = base->scene;
  const size_t n_max = 6 * (size_t)scene->n_bodies + 2 * (size_t)t->n_contacts + (size_t)scene->n_actuators;
  SsChannel *channels = ss_transcription_alloc (base, n_max, sizeof *channels);
  SsExpr *stages = ss_transcription_alloc (base, (n_max + 2) * (size_t)t->tableau.n, sizeof *stages);
  int n_channels = 0;

  if (base->out_of_memory)
    return;
  for (int j = 0; j < t->tableau.n; j++) {
    const SsMotionExpr *m = &t->stage[j];
    SsExpr *to = stages + (size_t)j * (size_t)(n_channels + 2); /* n_channels: known after the first stage */
    int n = 0;

    to[0] = m->t;
    to[1] = ss_expr_scale (g, t->tableau.b[j], t->length);
    to += 2;
    for (int i = 0; i < 6 * scene->n_bodies; i++) {
      const SsBody *body = &scene->bodies[i / 6];

      if (body->is_fixed)
        continue;
      channels[n] = (SsChannel){.quantity = coordinates[i % 6], .owner = SS_OWNER_BODY, .owner_name = body->name};
      to[n++] = i % 6 < 3 ? m->q[3 * (i / 6) + i % 6] : m->v[3 * (i / 6) + i % 6 - 3];
    }
    for (int c = 0; c < t->n_contacts - t->n_limits;) {
      const int contact = t->contacts[c].contact;
      SsExpr sum[2] = {ss_fesd_number (t, 0), ss_fesd_number (t, 0)};

      for (; c < t->n_contacts && t->contacts[c].contact == contact; c++) {
        sum[0] = ss_expr_add (g, sum[0], ss_fesd_variable (t, t->contacts[c].stage[j].force, 0));
        sum[1] = ss_expr_add (g, sum[1], tangential_force (t, &t->contacts[c].stage[j]));
      }
      for (int i = 0; i < 2; i++) {
        channels[n] = (SsChannel){.quantity = i == 0 ? SS_QUANTITY_NORMAL_FORCE : SS_QUANTITY_TANGENTIAL_FORCE,
                                  .owner = SS_OWNER_CONTACT,
                                  .owner_name = scene->contacts[contact].name};
        to[n++] = sum[i];
      }
    }
    for (int a = 0; a < scene->n_actuators; a++) {
      channels[n] = (SsChannel){.quantity = SS_QUANTITY_CONTROL,
                                .owner = SS_OWNER_ACTUATOR,
                                .owner_name = scene->actuators[a].name,
                                .unit = ss_actuator_unit (scene, a)};
      to[n++] = m->u[a];
    }
    n_channels = n;
  }
  ss_fesd_name_stage_channels (t, channels, n_channels, stages);
}

/* ---- what the variables are -------------------------------------------------------------------------------------- */

void
ss_fesd_describe_states (const SsFesd *t, SsChannel *about)
{
  const SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;

  for (int b = 0; b < scene->n_bodies; b++)
    if (base->tree[b] < 0)
      ss_transcription_describe_body (base, b, about);
    else {
      const SsJoint *joint = &scene->joints[base->tree[b]];
      const bool is_pin = joint->kind == SS_JOINT_PIN;

      ss_transcription_describe (base, about, base->q[3 * b], SS_QUANTITY_JOINT_POSITION, is_pin ? "rad" : "m",
                                 SS_OWNER_JOINT, joint->name);
      ss_transcription_describe (base, about, base->v[3 * b], SS_QUANTITY_UNKNOWN, is_pin ? "rad/s" : "m/s",
                                 SS_OWNER_JOINT, joint->name);
    }
}

static const SsChannel *
describe_variables (SsFesd *t, const char *const *names)
{
  SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;
  SsChannel *about = ss_transcription_alloc (base, (size_t)base->n_variables, sizeof *about);

  if (about == NULL)
    return NULL;
  for (int i = 0; i < base->n_variables; i++)
    about[i] = ss_channel_named (names[i]);
  ss_fesd_describe_states (t, about);
  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    const char *name = ss_fesd_is_limit (contact) ? "" : scene->contacts[contact->contact].name;

    if (!contact->is_only || ss_fesd_is_limit (contact))
      continue;
    if (contact->pair.kind != SS_GAP_SQUARE)
      ss_transcription_describe (base, about, contact->left.y, SS_QUANTITY_GAP, "m", SS_OWNER_CONTACT, name);
    ss_transcription_describe (base, about, contact->left.force, SS_QUANTITY_NORMAL_IMPULSE, "N s", SS_OWNER_CONTACT,
                               name);
    if (contact->has_friction && t->options.friction == SS_FESD_CONIC)
      ss_transcription_describe (base, about, contact->left.force_1, SS_QUANTITY_TANGENTIAL_IMPULSE, "N s",
                                 SS_OWNER_CONTACT, name);
  }
  for (int a = 0; a < scene->n_actuators; a++)
    ss_transcription_describe (base, about, base->u[a], SS_QUANTITY_CONTROL, ss_actuator_unit (scene, a),
                               SS_OWNER_ACTUATOR, scene->actuators[a].name);
  ss_transcription_describe (base, about, base->h, SS_QUANTITY_STEP_LENGTH, "s", SS_OWNER_SCENE, "");
  ss_transcription_describe (base, about, base->clock, SS_QUANTITY_TIME, "s", SS_OWNER_SCENE, "");
  for (int i = 0; i < base->n_variables; i++)
    if (about[i].owner_name == NULL)
      return NULL;
  return about;
}

/* ---- the class --------------------------------------------------------------------------------------------------- */

static SsStatus
write_model (SsFesd *t, SsModel *model, SsError *err)
{
  SsTranscription *base = &t->base;
  const char **names = ss_transcription_alloc (base, (size_t)base->n_variables, sizeof *names);

  if (names == NULL)
    return SS_ERR_MEMORY;
  for (int i = 0; i < base->n_variables; i++)
    names[i] = ss_transcription_name (base, "%s", base->variables[i].name);
  model->variables = names;
  model->about = describe_variables (t, names);
  if (model->about == NULL)
    return SS_ERR_MEMORY;
  model->n_points = t->n_points + 1;
  model->time_step = t->mean_length;
  model->n_states = base->n_states;
  model->has_clock = true;
  model->clock = base->clock;
  ss_fesd_set_motions (t);
  if (base->out_of_memory)
    return SS_ERR_MEMORY;
  add_trajectory_rows (t);
  add_stages (t);
  if (base->out_of_memory)
    return SS_ERR_MEMORY;
  SsStatus status = ss_fesd_add_rows (t, err);
  base->out->task.t_end = base->plan->horizon;
  base->out->task.dt = t->mean_length;
  return status == SS_OK && base->out_of_memory ? SS_ERR_MEMORY : status;
}

static SsStatus
write_plan (void *state, const SsInputNumbers *inputs, SsArena *arena, SsScenario *out, SsModel *model, SsError *err)
{
  SsFesd *t = state;
  SsStatus status;

  t->base.inputs = inputs;
  t->base.arena = arena;
  t->base.out = out;
  t->base.model = model;
  t->base.graph = out->graph;
  status = write_model (t, model, err);
  t->base.arena = t->base.scratch;
  return status;
}

void
ss_fesd_close (void *state)
{
  SsFesd *t = state;

  if (t == NULL)
    return;
  ss_transcription_clear (&t->base);
  ss_free (t->contacts);
  ss_free (t);
}

/* A^-1 by Gauss elimination of unit vectors, and b' A^-1. */
static SsStatus
invert_tableau (SsFesd *t, SsError *err)
{
  const int n = t->tableau.n;
  double a[SS_TABLEAU_STAGES_MAX * SS_TABLEAU_STAGES_MAX], column[SS_TABLEAU_STAGES_MAX];
  int pivot[SS_TABLEAU_STAGES_MAX];

  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      a[j + k * n] = t->tableau.a[j][k];
  SsStatus status = ss_dense_lu (n, a, n, pivot);
  if (status != SS_OK)
    return ss_error_set (err, SS_ERR_INTERNAL, "the coefficients of the scheme cannot be inverted");
  for (int k = 0; k < n; k++) {
    memset (column, 0, sizeof column);
    column[k] = 1;
    ss_dense_lu_solve (n, a, n, pivot, column);
    for (int j = 0; j < n; j++) {
      t->rate[j][k] = column[j];
      t->reach[k] += t->tableau.b[j] * column[j];
    }
  }
  return SS_OK;
}

/* Joints that carry nothing close loops. */
static SsStatus
choose_loops (SsFesd *t, SsError *err)
{
  static const int n_rows[] = {[SS_JOINT_PIN] = 2, [SS_JOINT_SLIDER] = 2, [SS_JOINT_WELD] = 3, [SS_JOINT_ROD] = 1};
  const SsScene *scene = t->base.scene;

  t->loops = ss_transcription_alloc (&t->base, (size_t)scene->n_joints, sizeof *t->loops);
  for (int j = 0; j < scene->n_joints && t->loops != NULL; j++) {
    if (ss_transcription_is_carrier (&t->base, j))
      continue;
    if (!t->tableau.ends_at_one)
      return ss_error_set (
          err, SS_ERR_INVALID,
          "the joint '%s' closes a loop, which the transcription fesd-j keeps with schemes that end at "
          "their last stage only: take scheme=radau-iia",
          scene->joints[j].name);
    t->loops[t->n_loops++] = (SsFesdLoop){.joint = j, .n_rows = n_rows[scene->joints[j].kind]};
  }
  return t->loops != NULL ? SS_OK : SS_ERR_MEMORY;
}

/* Where modes are fixed: one signed tangential force, an element that ends at its last stage, no penalties. */
static SsStatus
fix_modes (SsFesd *t, SsError *err)
{
  const SsFesdSequence *sequence = t->options.sequence;

  if (sequence == NULL)
    return SS_OK;
  if (sequence->n_intervals != t->base.plan->steps || sequence->n_q != 3 * t->base.scene->n_bodies)
    return ss_error_set (err, SS_ERR_INVALID, "the mode sequence has %d intervals, the plan has %d",
                         sequence->n_intervals, t->base.plan->steps);
  t->n_points = ss_fesd_sequence_n_elements (sequence);
  t->options.scheme = SS_TABLEAU_RADAU_IIA;
  t->options.friction = SS_FESD_CONIC;
  t->options.equilibration = SS_FESD_NONE;
  t->options.cross = SS_FESD_CROSS_ALL;
  t->options.path = SS_FESD_STAGES;
  return SS_OK;
}

SsStatus
ss_fesd_begin (SsFesd *t, const SsScenario *source, const SsPlan *plan, const SsTranscribeOptions *options,
               SsError *err)
{
  SsTranscription *base = &t->base;
  const size_t n = 3 * (size_t)source->scene->n_bodies;
  SsStatus status = SS_ERR_MEMORY;

  if ((base->arena = base->scratch = ss_arena_new ()) == NULL)
    return status;
  if (options->own != NULL)
    t->options = *(const SsFesdOptions *)options->own;
  else
    ss_options_init (&ss_fesd_option_table, &t->options);
  base->source = source;
  base->scene = source->scene;
  base->plan = plan;
  t->n_points = plan->steps * t->options.elements;
  status = fix_modes (t, err);
  if (status != SS_OK)
    return status;
  t->mean_length = base->time_step = plan->horizon / t->n_points;
  t->mean_share = 1.0 / t->n_points;
  status = ss_transcription_check_breaks (source->scene, plan, err);
  if (status == SS_OK)
    status = ss_tableau_make ((SsTableauFamily)t->options.scheme, t->options.stages, &t->tableau, err);
  if (status == SS_OK)
    status = invert_tableau (t, err);
  if (status != SS_OK)
    return status;

  base->q = ss_transcription_alloc (base, n, sizeof *base->q);
  base->v = ss_transcription_alloc (base, n, sizeof *base->v);
  base->u = ss_transcription_alloc (base, (size_t)base->scene->n_actuators, sizeof *base->u);
  base->tree = ss_transcription_alloc (base, n, sizeof *base->tree);
  base->travel = ss_transcription_alloc (base, n, sizeof *base->travel);
  t->stage_q = ss_transcription_alloc (base, n * (size_t)t->tableau.n, sizeof *t->stage_q);
  t->stage_v = ss_transcription_alloc (base, n * (size_t)t->tableau.n, sizeof *t->stage_v);
  t->end_q = ss_transcription_alloc (base, n, sizeof *t->end_q);
  t->end_v = ss_transcription_alloc (base, n, sizeof *t->end_v);
  t->start = ss_transcription_alloc (base, 2 * n, sizeof *t->start);
  base->h = base->clock = t->horizon = t->eta = t->sums = SS_NO_VARIABLE;
  if (base->out_of_memory)
    return SS_ERR_MEMORY;
  base->is_joint = true;
  ss_transcription_choose_tree (base);
  for (int b = 0; b < base->scene->n_bodies; b++)
    base->travel[b] = SS_NO_VARIABLE; /* its coordinate is a slot */
  status = choose_loops (t, err);
  return status == SS_OK ? ss_fesd_choose_gaps (t, err) : status;
}

static SsStatus
open_plan (const SsScenario *source, const SsPlan *plan, const SsTranscribeOptions *options, void **state,
           int *n_variables, SsError *err)
{
  SsFesd *t = ss_new (SsFesd);
  SsStatus status = SS_ERR_MEMORY;

  *state = t;
  if (t == NULL)
    return status;
  status = ss_fesd_begin (t, source, plan, options, err);
  if (status == SS_OK && t->options.sequence != NULL && t->options.sequence->n_gaps != t->n_contacts)
    status = ss_error_set (err, SS_ERR_INVALID, "the mode sequence has %d gaps, the plan has %d",
                           t->options.sequence->n_gaps, t->n_contacts);
  if (status != SS_OK)
    return status;
  add_variables (t);
  *n_variables = t->base.n_variables;
  if (t->base.out_of_memory)
    return SS_ERR_MEMORY;
  return ss_transcription_check (&t->base, err);
}

/* Starts, restitutions, and which faces and corners the gaps are of. */
int
ss_fesd_list_numbers (const void *state, SsTranscribeNumber *numbers)
{
  const SsFesd *t = state;
  const SsScene *scene = t->base.scene;
  int n = 0;

  for (int b = 0; b < scene->n_bodies; b++)
    for (int k = 0; k < 6; k++) {
      const int slot = 3 * b + k % 3;

      if ((k < 3 ? t->base.q : t->base.v)[slot] == SS_NO_VARIABLE)
        continue;
      if (numbers != NULL)
        numbers[n] = (SsTranscribeNumber){&t->start[6 * b + k], ss_transcription_slot_owner (&t->base, slot),
                                          ss_transcription_slot_name (&t->base, slot, k >= 3), false, false};
      n++;
    }
  for (int c = 0; c < t->n_contacts - t->n_limits; c++) {
    const SsContact *contact = &scene->contacts[t->contacts[c].contact];

    if (c > 0 && t->contacts[c - 1].contact == t->contacts[c].contact)
      continue;
    if (numbers != NULL)
      numbers[n] = (SsTranscribeNumber){&contact->restitution, contact->name, "restitution", false, false};
    n++;
  }
  for (int i = 0; i < t->n_features; i++) {
    if (numbers != NULL)
      numbers[n] = (SsTranscribeNumber){&t->features[i], "gaps", "feature", false, true};
    n++;
  }
  return n;
}

static SsStatus
guess_plan (void *state, const SsTrajectory *start, double *x, SsError *err)
{
  const SsFesd *t = state;

  return t->options.sequence == NULL ? ss_fesd_guess (t, start, x, err) : ss_fesd_guess_fixed (t, x, err);
}

static bool
left_out (const SsScenario *source, const SsTranscribeOptions *options, char *text, size_t size)
{
  const SsFesdOptions *own = options->own;
  bool is_there = ss_transcription_left_out (source, options, text, size);

  if (own != NULL && own->friction == SS_FESD_CONIC && own->sequence == NULL) {
    const size_t used = strlen (text);

    snprintf (text + used, size - used,
              "%sfriction=conic forbids an open contact to slide, and sliding at the ends of "
              "elements, as its relaxation ends; polyhedral friction does not",
              is_there ? "; " : "");
    is_there = true;
  }
  return is_there;
}

/* The longest time of which both are multiples, but for `rounding`. */
static double
common_time (double a, double b, double rounding)
{
  while (b > rounding) {
    double rest = fmod (a, b);

    if (b - rest <= rounding)
      rest = 0;
    a = b;
    b = rest;
  }
  return a;
}

/* Whether a control of the row differs from that of the row before by more than what solvers leave of equalities;
 * `most`: the largest of each channel. */
static bool
controls_change (const SsTrajectory *plan, int row, const double *most)
{
  const double rounding = 1e-9;
  bool change = false;

  for (int i = 0; i < plan->n_channels; i++)
    change =
        change || (strncmp (plan->channels[i].name, "u.", 2) == 0 &&
                   fabs (ss_trajectory_row (plan, row)[i] - ss_trajectory_row (plan, row - 1)[i]) > rounding * most[i]);
  return change;
}

/* The largest value of each channel; NULL: no memory. */
static double *
find_largest (const SsTrajectory *plan)
{
  double *most = ss_new_array (double, plan->n_channels + 1);

  for (int row = 0; row < plan->n_rows && most != NULL; row++)
    for (int i = 0; i < plan->n_channels; i++)
      most[i] = fmax (most[i], fabs (ss_trajectory_row (plan, row)[i]));
  return most;
}

/* A time of which all changes of the controls are multiples, in as many steps as four to each of the elements in it
 * where there are most: intervals end with steps, be their elements equally many or not. A plan has stages, and two
 * rows an element. */
double
ss_fesd_replay_step (const SsTrajectory *plan)
{
  enum { STEPS_OF_AN_ELEMENT = 4 };
  const double rounding_part = 1e-7;
  bool has_stages = false;
  int most = 0;

  for (int i = 0; i < plan->n_channels; i++)
    has_stages = has_stages || strstr (plan->channels[i].name, ".stage_1.") != NULL;
  if (!has_stages || plan->n_rows < 3 || plan->n_rows % 2 == 0)
    return NAN;
  const double first = ss_trajectory_row (plan, 0)[0], all = ss_trajectory_row (plan, plan->n_rows - 1)[0] - first;
  double window = all;
  double *largest = find_largest (plan);
  if (largest == NULL)
    return NAN;
  for (int row = 1; row < plan->n_rows; row++)
    if (controls_change (plan, row, largest))
      window = common_time (window, ss_trajectory_row (plan, row)[0] - first, rounding_part * all);
  ss_free (largest);
  for (int row = 0, n = 0, last = -1; row + 1 < plan->n_rows; row += 2) {
    const double middle = 0.5 * (ss_trajectory_row (plan, row)[0] + ss_trajectory_row (plan, row + 1)[0]) - first;
    const int number = (int)floor (middle / window);

    n = number == last ? n + 1 : 1;
    last = number;
    most = n > most ? n : most;
  }
  return all / (round (all / window) * STEPS_OF_AN_ELEMENT * most);
}

const SsTranscriptionClass ss_transcription_fesd_j = {
    .name = "fesd-j",
    .label = "Finite Elements with Switch Detection",
    .summary = "Finite elements whose ends are the switches and impacts, with restitution: full order of the scheme.",
    .options = &ss_fesd_option_table,
    .law = {"fesd-j", NULL, NULL},
    .wants_bounds = true,
    .replay_step = ss_fesd_replay_step,
    .open = open_plan,
    .close = ss_fesd_close,
    .list = ss_fesd_list_numbers,
    .write = write_plan,
    .guess = guess_plan,
    .left_out = left_out,
};
