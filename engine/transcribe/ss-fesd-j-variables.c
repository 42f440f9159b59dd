/* engine/transcribe/ss-fesd-j-variables.c: variables of plans on finite elements, and what they are. */
#include "transcribe/ss-fesd-j-private.h"

#include <stdio.h>
#include <string.h>

SsExpr
ss_fesd_number (const SsFesd *t, double value)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
  return ss_expr_number (t->base.graph, value);
}

SsExpr
ss_fesd_variable (const SsFesd *t, int variable, int shift)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
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
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

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
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

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
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

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
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

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

void
ss_fesd_add_controls (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;

  for (int a = 0; a < scene->n_actuators; a++)
    base->u[a] = ss_transcription_add_variable (base, ss_transcription_name (base, "u.%s", scene->actuators[a].name),
                                                SS_ROLE_CONTROL, 0);
  base->h = ss_transcription_add_variable (base, "h", SS_ROLE_LENGTH, 0);
}

void
ss_fesd_add_horizon (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);
  if (t->base.plan->is_time_free)
    t->horizon = ss_transcription_add_variable (&t->base, "horizon", SS_ROLE_LENGTH, 0);
}

static int
count_components (const SsFesd *t)
{
  int n = 0;

  for (int c = 0; c < t->n_contacts; c++)
    n += !t->contacts[c].has_friction ? 1 : t->options.friction == SS_FESD_CONIC ? 3 : 4;
  return n;
}

/* running sums of products that the options ask for */
static int
ss_fesd_n_sums (const SsFesd *t)
{
  switch (t->options.cross) {
  case SS_FESD_CROSS_INTERVAL_BY_COMPONENT:
  case SS_FESD_CROSS_HORIZON_BY_COMPONENT:
    return count_components (t);
  case SS_FESD_CROSS_INTERVAL_ONE:
  case SS_FESD_CROSS_HORIZON_ONE:
    return count_components (t) > 0 ? 1 : 0;
  default:
    return 0;
  }
}

void
ss_fesd_add_sums (SsFesd *t, int n)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity && n >= 0);

  SsTranscription *base = &t->base;

  if (t->options.equilibration == SS_FESD_LIFTED)
    t->eta = ss_transcription_add_variable (base, "eta", SS_ROLE_LIFTED, 0);
  t->n_sums = n;
  for (int i = 0; i < n; i++) {
    const int variable =
        ss_transcription_add_variable (base, ss_transcription_name (base, "products_%d", i + 1), SS_ROLE_LIFTED, 0);
    t->sums = i == 0 ? variable : t->sums;
  }
}

void
ss_fesd_add_variables (SsFesd *t)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

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
  ss_fesd_add_controls (t);
  ss_fesd_add_horizon (t);
  ss_fesd_add_sums (t, ss_fesd_n_sums (t));
}

/* ---- what the variables are -------------------------------------------------------------------------------------- */

static void
describe_states (const SsFesd *t, SsChannel *about)
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

void
ss_fesd_describe_contacts (SsFesd *t, SsChannel *about)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const SsTranscription *base = &t->base;

  for (int c = 0; c < t->n_contacts; c++) {
    const SsFesdContact *contact = &t->contacts[c];
    const char *name = ss_fesd_is_limit (contact) ? "" : base->scene->contacts[contact->contact].name;

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
}

const SsChannel *
ss_fesd_describe (SsFesd *t, const SsFesdParts *parts, const char *const *names)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;
  SsChannel *about = ss_transcription_alloc (base, (size_t)base->n_variables, sizeof *about);

  if (about == NULL)
    return NULL;
  for (int i = 0; i < base->n_variables; i++)
    about[i] = ss_channel_named (names[i]);
  describe_states (t, about);
  parts->describe (t, about);
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
