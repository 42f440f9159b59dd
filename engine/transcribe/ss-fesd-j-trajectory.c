/* engine/transcribe/ss-fesd-j-trajectory.c: channels, rows and stages of the motion that a plan is. */
#include "transcribe/ss-fesd-j-private.h"

/* ---- channels and rows of the trajectory ------------------------------------------------------------------------- */

void
ss_fesd_add_channel (SsFesd *t, SsFesdChannel *channels, const char *owner, SsOwner kind, SsQuantity quantity,
                     SsExpr left, SsExpr end)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity && channels != NULL);

  const char *name = ss_transcription_name (&t->base, "%s.%s", owner, ss_quantity_name (quantity));
  SsFesdChannel *channel = &channels[t->base.model->n_channels++];

  channel->left.about = (SsChannel){.name = name,
                                    .quantity = quantity,
                                    .unit = ss_quantity_unit (quantity),
                                    .owner = kind,
                                    .owner_name = ss_transcription_name (&t->base, "%s", owner)};
  channel->left.value = left;
  channel->end = end;
}

int
ss_fesd_last_gap (const SsFesd *t, int first)
{
  int last = first;

  while (last + 1 < t->n_contacts - t->n_limits && t->contacts[last + 1].contact == t->contacts[first].contact)
    last++;
  return last;
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

static const SsQuantity coordinates[6] = {SS_QUANTITY_POSITION_X, SS_QUANTITY_POSITION_Y, SS_QUANTITY_ANGLE,
                                          SS_QUANTITY_VELOCITY_X, SS_QUANTITY_VELOCITY_Y, SS_QUANTITY_ANGULAR_VELOCITY};

/* Coordinates of bodies that are no variables. */
static void
add_body_channels (SsFesd *t, SsFesdChannel *channels)
{
  const SsTranscription *base = &t->base;
  const SsMotionExpr *m = &base->motion[0];

  for (int i = 0; i < 6 * base->scene->n_bodies; i++) {
    const SsBody *body = &base->scene->bodies[i / 6];
    const int k = 3 * (i / 6) + i % 3;
    const bool is_q = i % 6 < 3, is_own = ss_transcription_is_own_slot (base, k);

    if (body->is_fixed || (is_own && (is_q ? base->q[k] : base->v[k]) != SS_NO_VARIABLE))
      continue;
    const SsExpr left = is_q ? m->q[k] : m->v[k], end = is_q ? t->end.q[k] : t->end.v[k];
    ss_fesd_add_channel (t, channels, body->name, SS_OWNER_BODY, coordinates[i % 6], left, is_own ? left : end);
  }
}

/* Force of gaps first..last of one contact at a stage. */
static SsExpr
stage_force (SsFesd *t, int stage, int first, int last, bool is_normal)
{
  SsExpr sum = ss_fesd_number (t, 0);

  for (int c = first; c <= last; c++) {
    const SsFesdSide *side = &t->contacts[c].stage[stage];

    sum =
        ss_expr_add (t->base.graph, sum, is_normal ? ss_fesd_variable (t, side->force, 0) : tangential_force (t, side));
  }
  return sum;
}

static SsExpr
stage_weight (SsFesd *t, int stage)
{
  return ss_expr_scale (t->base.graph, t->tableau.b[stage], t->length);
}

/* What the contacts do. */
static void
add_contact_channels (SsFesd *t, SsFesdChannel *channels)
{
  SsGraph *g = t->base.graph;
  const SsExpr zero = ss_fesd_number (t, 0);

  for (int first = 0, last; first < t->n_contacts - t->n_limits; first = last + 1) {
    const SsFesdContact *of = &t->contacts[first];
    const char *name = t->base.scene->contacts[of->contact].name;
    const int at[2] = {0, t->tableau.n - 1};
    SsExpr normal[2], tangential[2], impulse[2] = {zero, zero};
    SsExpr gap[2] = {distance_of (t, of, ss_fesd_variable (t, of->left.y, 0)), distance_of (t, of, end_gap (t, of))};

    last = ss_fesd_last_gap (t, first);
    for (int side = 0; side < 2; side++) {
      normal[side] = stage_force (t, at[side], first, last, true);
      tangential[side] = stage_force (t, at[side], first, last, false);
    }
    for (int c = first; c <= last; c++) {
      const SsFesdContact *contact = &t->contacts[c];

      for (int side = 0; side < 2; side++) {
        const SsExpr y = side == 0 ? ss_fesd_variable (t, contact->left.y, 0) : end_gap (t, contact);
        gap[side] = ss_graph_binary (g, SS_OP_MIN, gap[side], distance_of (t, contact, y));
      }
      impulse[0] = ss_expr_add (g, impulse[0], ss_fesd_variable (t, contact->left.force, 0));
      impulse[1] = ss_expr_add (g, impulse[1], tangential_force (t, &contact->left));
    }
    ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_NORMAL_FORCE, normal[0], normal[1]);
    ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_TANGENTIAL_FORCE, tangential[0],
                         tangential[1]);
    if (!of->is_only || of->pair.kind == SS_GAP_SQUARE)
      ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_GAP, gap[0], gap[1]);
    if (!of->is_only)
      ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_NORMAL_IMPULSE, impulse[0], zero);
    if (!of->is_only || !of->has_friction || of->left.force_2 != SS_NO_VARIABLE)
      ss_fesd_add_channel (t, channels, name, SS_OWNER_CONTACT, SS_QUANTITY_TANGENTIAL_IMPULSE, impulse[1], zero);
  }
}

/* The variables of the contacts, the loops and the clock at the element's end. */
static void
set_end_values (SsFesd *t, SsExpr *end)
{
  end[t->base.clock] = t->end.t;
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
}

/* Rows: left point and end of every element, then the last point; what an end shows in the place of each variable. */
static void
add_trajectory_rows (SsFesd *t, const SsFesdParts *parts)
{
  SsTranscription *base = &t->base;
  SsModel *model = base->model;
  const size_t n = (size_t)base->n_variables;
  const size_t n_channels_max = 6 * (size_t)base->scene->n_bodies + 10 * (size_t)t->n_contacts + 2;
  SsFesdChannel *channels = ss_transcription_alloc (base, n_channels_max, sizeof *channels);
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
  parts->set_end_values (t, end);
  add_body_channels (t, channels);
  parts->add_channels (t, channels);
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

/* Channels of stages, whose names are made here, become the model's; stages[stage * (n_channels + 2) + formula]. */
static void
name_stage_channels (SsFesd *t, SsChannel *channels, int n_channels, const SsExpr *stages)
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

/* Poses, velocities, forces and controls at the stages, as those of a simulation; weights of physical time. */
static void
add_stages (SsFesd *t, const SsFesdParts *parts)
{
  SsTranscription *base = &t->base;
  const SsScene *scene = base->scene;
  const size_t n_max = 6 * (size_t)scene->n_bodies + 2 * (size_t)t->n_contacts + (size_t)scene->n_actuators;
  SsChannel *channels = ss_transcription_alloc (base, n_max, sizeof *channels);
  SsExpr *stages = ss_transcription_alloc (base, (n_max + 2) * (size_t)t->tableau.n, sizeof *stages), *to = stages;
  int n = 0;

  if (base->out_of_memory)
    return;
  for (int j = 0; j < t->tableau.n; j++) {
    const SsMotionExpr *m = &t->stage[j];

    n = 0;
    *to++ = m->t;
    *to++ = parts->stage_weight (t, j);
    for (int i = 0; i < 6 * scene->n_bodies; i++) {
      const SsBody *body = &scene->bodies[i / 6];

      if (body->is_fixed)
        continue;
      channels[n++] = (SsChannel){.quantity = coordinates[i % 6], .owner = SS_OWNER_BODY, .owner_name = body->name};
      *to++ = i % 6 < 3 ? m->q[3 * (i / 6) + i % 6] : m->v[3 * (i / 6) + i % 6 - 3];
    }
    for (int first = 0, last; first < t->n_contacts - t->n_limits; first = last + 1) {
      last = ss_fesd_last_gap (t, first);
      for (int i = 0; i < 2; i++) {
        channels[n++] = (SsChannel){.quantity = i == 0 ? SS_QUANTITY_NORMAL_FORCE : SS_QUANTITY_TANGENTIAL_FORCE,
                                    .owner = SS_OWNER_CONTACT,
                                    .owner_name = scene->contacts[t->contacts[first].contact].name};
        *to++ = parts->stage_force (t, j, first, last, i == 0);
      }
    }
    for (int a = 0; a < scene->n_actuators; a++) {
      channels[n++] = (SsChannel){.quantity = SS_QUANTITY_CONTROL,
                                  .owner = SS_OWNER_ACTUATOR,
                                  .owner_name = scene->actuators[a].name,
                                  .unit = ss_actuator_unit (scene, a)};
      *to++ = m->u[a];
    }
  }
  name_stage_channels (t, channels, n, stages);
}

/* ---- the order of the work --------------------------------------------------------------------------------------- */

static SsStatus
write_model (SsFesd *t, const SsFesdParts *parts, SsError *err)
{
  SsTranscription *base = &t->base;
  SsModel *model = base->model;
  const char **names = ss_transcription_alloc (base, (size_t)base->n_variables, sizeof *names);

  if (names == NULL)
    return SS_ERR_MEMORY;
  for (int i = 0; i < base->n_variables; i++)
    names[i] = ss_transcription_name (base, "%s", base->variables[i].name);
  model->variables = names;
  model->about = ss_fesd_describe (t, parts, names);
  if (model->about == NULL)
    return SS_ERR_MEMORY;
  model->n_points = t->n_points + 1;
  model->time_step = t->mean_length;
  model->n_states = base->n_states;
  model->has_clock = true;
  model->clock = base->clock;
  parts->set_motions (t);
  if (base->out_of_memory)
    return SS_ERR_MEMORY;
  add_trajectory_rows (t, parts);
  add_stages (t, parts);
  if (base->out_of_memory)
    return SS_ERR_MEMORY;
  SsStatus status = parts->add_rows (t, err);
  base->out->task.t_end = base->plan->horizon;
  base->out->task.dt = t->mean_length;
  return status == SS_OK && base->out_of_memory ? SS_ERR_MEMORY : status;
}

SsStatus
ss_fesd_write (SsFesd *t, const SsFesdParts *parts, const SsInputNumbers *inputs, SsArena *arena, SsScenario *out,
               SsModel *model, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity && out != NULL);

  SsTranscription *base = &t->base;

  base->inputs = inputs;
  base->arena = arena;
  base->out = out;
  base->model = model;
  base->graph = out->graph;
  SsStatus status = write_model (t, parts, err);
  base->arena = base->scratch;
  return status;
}

static SsStatus
add_rows (SsFesd *t, SsError *err)
{
  return t->options.sequence != NULL ? ss_fesd_add_fixed_rows (t, err) : ss_fesd_add_rows (t, err);
}

const SsFesdParts ss_fesd_parts = {
    .describe = ss_fesd_describe_contacts,
    .set_motions = ss_fesd_set_motions,
    .set_end_values = set_end_values,
    .add_channels = add_contact_channels,
    .stage_weight = stage_weight,
    .stage_force = stage_force,
    .add_rows = add_rows,
};
