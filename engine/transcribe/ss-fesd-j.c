/* engine/transcribe/ss-fesd-j.c: options of the transcription fesd-j, and the order of the work. */
#include "linalg/ss-linalg.h"
#include "transcribe/ss-fesd-j-private.h"
#include "fesd/ss-fesd-j.h"

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
static const char *const firsts[] = {"steps", "method", NULL};
static const char *const cost_forms[] = {"physical", "numerical", NULL};

#define FIELD(name) offsetof (SsFesdOptions, name)

static const SsOptionSpec specs[] = {
    {"scheme", SS_OPTION_CHOICE, FIELD (scheme), 0, 2, SS_TABLEAU_RADAU_IIA, schemes, "", "", true,
     "Runge-Kutta scheme of the finite elements; with s stages Radau IIA has order 2 s - 1, Gauss-Legendre 2 s, "
     "Lobatto IIIC 2 s - 2."},
    {"stages", SS_OPTION_INTEGER, FIELD (stages), 1, SS_TABLEAU_STAGES_MAX, 2, NULL, "n_s", "", true,
     "Stages of a finite element; more stages make motions more exact and problems larger."},
    {"elements", SS_OPTION_INTEGER, FIELD (elements), 1, SS_FESD_RANGES_MAX - 2, 2, NULL, "N_FE", "", true,
     "Finite elements of one control interval; N elements have room for N - 1 switches, and more make problems "
     "larger."},
    {"cross", SS_OPTION_INTEGER, FIELD (cross), 1, 12, SS_FESD_CROSS_BY_C, NULL, "", "", false,
     "How the complementarity products of an element are summed into rows. 1: each product is a row; 3: a row sums "
     "over forces; 7: a row sums over both sides; 12: one row sums over the whole horizon. Larger numbers give "
     "fewer, stiffer rows."},
    {"step-equilibration", SS_OPTION_CHOICE, FIELD (equilibration), 0, 7, SS_FESD_MEAN, equilibrations, "", "", false,
     "What makes elements equally long where nothing switches. mean, diff: a penalty on an element's distance from "
     "the mean length, or from the length of its neighbour; l2, l2-scaled: such a penalty, weighted with the "
     "indicator of switches; direct, direct-homotopy, lifted: equations with that indicator; none: nothing."},
    {"rho-h", SS_OPTION_REAL, FIELD (rho_h), 0, 1e12, 1, NULL, "rho_h", "1/s2", false,
     "Weight of the penalty of step-equilibration; larger values draw plans towards equal elements."},
    {"rho-gamma", SS_OPTION_REAL, FIELD (rho_gamma), 0, 1e6, 0, NULL, "", "s2/m2", false,
     "Weight of a penalty on gamma^2, where gamma is the slip variable of friction, which no equation fixes at a "
     "contact without load. Larger values draw plans towards less sliding while products are relaxed."},
    {"eps-eta", SS_OPTION_REAL, FIELD (eps_eta), 1e-9, 1, 0.1, NULL, "eps_eta", "", false,
     "With step-equilibration=l2-scaled: scale of the indicator of switches; larger values give weak switches less "
     "weight."},
    {"gamma-h", SS_OPTION_REAL, FIELD (gamma_h), 0, 1, 1, NULL, "gamma_h", "", false,
     "Largest difference between the length of an element and the mean length, as a part of the mean. Larger values "
     "let elements follow switches further; 0: all lengths are equal and no switch is found."},
    {"lookahead", SS_OPTION_REAL, FIELD (lookahead), 0, 1, 1e-3, NULL, "eps", "", false,
     "Part of an element's length by which the motion is looked ahead from the start of the element, along its "
     "velocity there; gaps must not be negative at that point, so that a contact that closes gets an impulse. Larger "
     "values see contacts sooner; 0: no such condition."},
    {"initial-impacts", SS_OPTION_BOOLEAN, FIELD (initial_impacts), 0, 1, 1, NULL, "", "", false,
     "Whether velocities may jump at the start of a control interval, as they may at the start of its other elements."},
    {"friction", SS_OPTION_CHOICE, FIELD (friction), 0, 1, SS_FESD_POLYHEDRAL, frictions, "", "", false,
     "How Coulomb's law of friction is written. polyhedral: exactly, in the plane; conic: as in the paper, where an "
     "open contact cannot slide once its products are no longer relaxed."},
    {"round-gap", SS_OPTION_CHOICE, FIELD (round_gap), 0, 1, SS_FESD_SQUARE, round_gaps, "", "", false,
     "How the gap of two circles is written, whose centres have the distance d and whose radii have the sum r. "
     "square: (d^2 - r^2) / (2 r), as in the paper, without a kink at d = 0; distance: d - r."},
    {"impulse", SS_OPTION_CHOICE, FIELD (impulse), 0, 1, SS_FESD_PRODUCTS, impulse_forms, "", "", false,
     "How the impact law is written. products: as two products of either sign; split: with a residual that is the "
     "difference of two variables (appendix A.2)."},
    {"path", SS_OPTION_CHOICE, FIELD (path), 0, 1, SS_FESD_ENDS, paths, "", "", false,
     "Where path constraints hold. ends: at the ends of elements; stages: also at the stages of elements."},
    {"first", SS_OPTION_CHOICE, FIELD (first), 0, 1, SS_FESD_FIRST_STEPS, firsts, "", "", true,
     "What is tried first. steps: plans in time steps (a race as of auto), and simulated motions where contacts have "
     "restitution; their modes and impulses lead to a plan, for at most 10 s of CPU time and a third of the limit, "
     "then the method has its turn (see then); method: the method alone. Where the task has no target that must be "
     "reached, or the run starts from a motion, it is the method alone, too."},
    {"then", SS_OPTION_REAL, FIELD (then), 0, 1e9, 10, NULL, "", "s", true,
     "With first=steps: counted CPU time that the method may take once there is a plan, to find a cheaper one. Larger "
     "values look longer; 0: it is not asked."},
    {"polish", SS_OPTION_BOOLEAN, FIELD (polish), 0, 1, 0, NULL, "", "", true,
     "Whether a solved plan is polished: its sequence of contact modes is fixed, the smooth problem that remains is "
     "solved, and elements are refined until plan and replay agree. Takes seconds more."},
    {"starts", SS_OPTION_INTEGER, FIELD (starts), 1, 8, 1, NULL, "K", "", true,
     "Number of starts; the cheapest polished plan of all starts is the answer. 1: the start of the method itself; "
     "2: also a time-stepping plan by CRISP; from 3 on: also the method with another sigma0 and kappa. From 2 on "
     "plans are polished; more starts take longer."},
    {"modes", SS_OPTION_CHOICE, FIELD (modes), 0, 2, SS_FESD_MODES_FREE, mode_sources, "", "", true,
     "Where the modes of contacts come from. free: they are found with the plan; start: from the motion that the run "
     "starts from, which is polished without a solve by the method; start-sticking: as start, but contacts that are "
     "closed or strike in that motion stick."},
    {"polish-iterations", SS_OPTION_INTEGER, FIELD (polish_iterations), 0, 100000, 0, NULL, "", "", false,
     "Largest number of iterations of one smooth problem of the polish; larger values spend longer on sequences "
     "without a solution. 0: 100; for a changed sequence 50; with modes=start 500."},
    {"polish-rounds", SS_OPTION_INTEGER, FIELD (polish_rounds), 0, 1000, 0, NULL, "", "", false,
     "Largest number of smooth problems in one polish, those of changed sequences and of finer elements together. "
     "Larger values refine sensitive plans further; 0: 24."},
    {"replay-distance", SS_OPTION_REAL, FIELD (replay_distance), 0, 1e6, 0, NULL, "", "m", true,
     "Largest distance between the end of the polished plan and the end of the replay of its controls; the polish "
     "refines elements until the distance is below this. Smaller values take longer; 0: no limit."},
    {"pieces", SS_OPTION_INTEGER, FIELD (pieces), 1, 1000, 1, NULL, "", "", true,
     "Number of pieces of a polished plan. At the end of each piece the rest of the plan is solved again from the "
     "state that the replay of the controls has reached, so that errors do not pass on to the next piece. More "
     "pieces follow motions that fall faster, and take longer."},
    {"cone-margin", SS_OPTION_REAL, FIELD (cone_margin), 0, 0.9, 0, NULL, "", "", true,
     "Part of the friction cone that sticking contacts leave free in the polish; larger values make plans that slip "
     "less easily in a replay and cost more."},
    {"cost", SS_OPTION_CHOICE, FIELD (cost), 0, 1, SS_FREEZE_PHYSICAL, cost_forms, "", "", true,
     "Of time-freezing. Time over which costs are integrated. physical: physical time; numerical: numerical time, in "
     "which contact counts more and frozen spans count too."},
    {"speed", SS_OPTION_CHOICE, FIELD (speed), 0, 1, SS_FREEZE_INTERVAL, speeds, "", "", false,
     "Of time-freezing. How many speeds of time a plan has. interval: one for every control interval; global: one "
     "for all intervals, which needs clock=terminal or grid=physical."},
    {"clock", SS_OPTION_CHOICE, FIELD (clock), 0, 1, SS_FREEZE_STAGEWISE, clocks, "", "", false,
     "Of time-freezing. Where physical time is prescribed. stagewise: at the end of every control interval; "
     "terminal: at the end of the last control interval."},
    {"grid", SS_OPTION_CHOICE, FIELD (grid), 0, 1, SS_FREEZE_NUMERICAL, grids, "", "", false,
     "Of time-freezing. Which lengths control intervals have in numerical time. numerical: all lengths are equal and "
     "speeds of time are free; physical: lengths are free and the speed of time is 1."},
    {"s-max", SS_OPTION_REAL, FIELD (s_max), 1, 1e6, 25, NULL, "s_max", "", true,
     "Of time-freezing. Largest speed of time. With larger values a longer part of an interval may be frozen or in "
     "contact."},
    {"rho-s", SS_OPTION_REAL, FIELD (rho_s), 0, 1e12, 0, NULL, "rho_s", "", false,
     "Of time-freezing. Weight of the penalty (s - 1)^2 on the speeds of time s, which the objective does not "
     "report; larger values draw speeds towards 1."},
    {"a-n", SS_OPTION_REAL, FIELD (a_n), 0, 1e9, 0, NULL, "a_n", "N", true,
     "Of time-freezing. Normal force of the auxiliary dynamics. Larger values make frozen spans shorter and let "
     "physical time in contact run faster; 0: chosen so that physical time in contact runs about half as fast as in "
     "flight."},
    {"lift", SS_OPTION_BOOLEAN, FIELD (lift), 0, 1, 1, NULL, "", "", false,
     "Of time-freezing. Whether the multipliers theta are variables with equations of their own; else each row has "
     "them as products."},
    {"frozen-path", SS_OPTION_BOOLEAN, FIELD (frozen_path), 0, 1, 1, NULL, "", "", false,
     "Of time-freezing. Whether path constraints and bounds of velocities hold in frozen spans, too."},
};

const SsOptionTable ss_fesd_option_table = {(int)(sizeof specs / sizeof specs[0]), specs, sizeof (SsFesdOptions), 0};

/* ---- the class --------------------------------------------------------------------------------------------------- */

static SsStatus
write_plan (void *state, const SsInputNumbers *inputs, SsArena *arena, SsScenario *out, SsModel *model, SsError *err)
{
  return ss_fesd_write (state, &ss_fesd_parts, inputs, arena, out, model, err);
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
  const SsScene *scene = t->base.scene;

  t->loops = ss_transcription_alloc (&t->base, (size_t)scene->n_joints, sizeof *t->loops);
  for (int j = 0; j < scene->n_joints && t->loops != NULL; j++) {
    if (scene->joints[j].restitution > 0)
      return ss_error_set (err, SS_ERR_INVALID,
                           "the constraint '%s' has restitution, which the transcription fesd-j knows of contacts only",
                           scene->joints[j].name);
    if (ss_transcription_is_carrier (&t->base, j) || ss_joint_n_rows (&scene->joints[j]) == 0)
      continue;
    if (!t->tableau.ends_at_one)
      return ss_error_set (
          err, SS_ERR_INVALID,
          "the joint '%s' closes a loop, which the transcription fesd-j keeps with schemes that end at "
          "their last stage only: take scheme=radau-iia",
          scene->joints[j].name);
    t->loops[t->n_loops++] = (SsFesdLoop){.joint = j, .n_rows = ss_joint_n_rows (&scene->joints[j])};
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
  SS_ASSERT (t != NULL && source != NULL && plan != NULL && options != NULL);

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
  ss_fesd_add_variables (t);
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

/* As the head of ss-fesd-j.h has them; numbers are paper 000's. */
static const SsTranscriptionRow rows_told[] = {
    {"dynamics", "stages x_j of an element of length h, a variable (12)",
     "x_j = x₀ + h Σ a_jk f(x_k, u),   x_end = x₀ + h Σ b_k f(x_k, u),   M v̇ = f + n λₙ + t (a₁ − a₂) + Gᵀ λ_b",
     "x_j = x_0 + h \\sum_k a_{jk} f(x_k, u),\\quad x_{\\mathrm{end}} = x_0 + h \\sum_k b_k f(x_k, u),\\quad M \\dot v "
     "= f + n \\lambda_n + t (a_1 - a_2) + G^{T} \\lambda_b"},
    {"contact", "at every stage", "y = φ(q),   δ₁ = tᵀv + γ,   δ₂ = −tᵀv + γ,   β = μ λₙ − a₁ − a₂",
     "y = \\varphi(q),\\quad \\delta_1 = t^{T} v + \\gamma,\\quad \\delta_2 = -t^{T} v + \\gamma,\\quad \\beta = \\mu "
     "\\lambda_n - a_1 - a_2"},
    {"signs", NULL, "0 ≤ y, λₙ, a, δ, β,   0 ≤ γ ≤ 1000 m/s",
     "0 \\le y, \\lambda_n, a, \\delta, \\beta,\\quad 0 \\le \\gamma \\le 1000"},
    {"cross",
     "cross complementarity: C at the left point and the stages, D at the stages of the same element; cross= says "
     "which sums are rows",
     "Cᵢ Dⱼ = 0 for all i, j,   (C, D) = (y, λₙ), (δ, a), (γ, β)",
     "C_i D_j = 0\\ \\text{for all } i, j,\\quad (C, D) = (y, \\lambda_n),\\ (\\delta, a),\\ (\\gamma, \\beta)"},
    {"junction", "from one element to the next, positions", "q₀ = q_end", "q_0 = q_{\\mathrm{end}}"},
    {"jump", "between elements, velocities",
     "M (v₀ − v_end) = n Λ + t (A₁ − A₂),   0 ≤ Λ ⟂ φ(q₀) ≥ 0,   Λ (nᵀ(v₀ + e v_end)) = 0",
     "M (v_0 - v_{\\mathrm{end}}) = n \\Lambda + t (A_1 - A_2),\\quad 0 \\le \\Lambda \\perp \\varphi(q_0) \\ge "
     "0,\\quad \\Lambda\\, n^{T} (v_0 + e\\, v_{\\mathrm{end}}) = 0"},
    {"lookahead", "an element does not end where its next would sink (18)", "φ(q₀ + h v₀ lookahead) ≥ 0",
     "\\varphi(q_0 + \\mathrm{lookahead}\\, h v_0) \\ge 0"},
    {"length", "elements of a control interval, whose mean length is h₀", "(1 − γ_h) h₀ ≤ h ≤ (1 + γ_h) h₀",
     "(1 - \\gamma_h) h_0 \\le h \\le (1 + \\gamma_h) h_0"},
    {"interval", "lengths add up to that of the interval", "Σ h = T/N", "\\sum h = T / N"},
    {"step equilibration",
     "where no mode changes between two elements their lengths are equal: rows with step-equilibration=direct, "
     "direct-homotopy and lifted, else a penalty",
     "ν_k (h_k − h_{k−1}) = 0,   ν_k > 0 where no mode changes",
     "\\nu_k (h_k - h_{k-1}) = 0,\\quad \\nu_k > 0\\ \\text{where no mode changes}"},
    {"hold",
     "the program (33): x by the discrete-time system (31), u constant by interval, costs of (32) by the stages",
     "minimise Σ h Σ b_j L(x_j, u) + E(x_end)", "\\min\\ \\sum h \\sum_j b_j L(x_j, u) + E(x_{\\mathrm{end}})"},
};

const SsTranscriptionClass ss_transcription_fesd_j = {
    .name = "fesd-j",
    .label = "Finite Elements with Switch Detection",
    .summary = "Finite elements whose ends are the switches and impacts, with restitution: full order of the scheme.",
    .options = &ss_fesd_option_table,
    .rows = rows_told,
    .n_rows = sizeof rows_told / sizeof *rows_told,
    .law = {&ss_integrator_fesd_j, NULL},
    .uses = SS_USES_RESTITUTION,
    .wants_bounds = true,
    .replay_step = ss_fesd_replay_step,
    .open = open_plan,
    .close = ss_fesd_close,
    .list = ss_fesd_list_numbers,
    .write = write_plan,
    .guess = guess_plan,
    .left_out = left_out,
};
