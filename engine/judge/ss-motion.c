/* engine/judge/ss-motion.c: reads the rows of a motion by the records of its channels and gathers the verdict; see
 * ss-motion.h. */
#include "judge/ss-motion-private.h"

#include <math.h>
#include <string.h>

enum { BODY_CHANNELS = 6 };
/* A control to stop is looked at after so many rows. */
enum { ROWS_BETWEEN_LOOKS = 16 };
/* Where no step is asked for, a rest is small enough when it is below this part of the largest so far, or below that
 * and this [m/s]: steps that are explained worse are looked at as closely as ever (up to where the search of their
 * faces ends), and the works err by no more than a thousandth of what gravity does in a step of 0.01 s. */
static const double part_enough = 0.1, rest_enough = 1e-4;

/* Where the values of a row stand among the channels; -1: nowhere. */
typedef struct {
  int *body;    /* BODY_CHANNELS n_bodies */
  int *impulse; /* 2 n_contacts */
  int *force;   /* 2 n_contacts */
  int *control; /* n_actuators */
  int *block;
} Places;

/* The stages of one interval after the other. */
typedef struct {
  bool are_told; /* false: forces are not told at stages */
  Places places;
  int weight, row;      /* channels */
  int next;             /* the first stage of the intervals to come */
  int n, capacity;      /* of the interval under way, and most that there is room for */
  SsMotionStage *items; /* owned */
  double *block;        /* of all items */
} Stages;

struct SsMotionReader {
  const SsScene *scene;
  Places places;
  Stages stages;
  SsMotionContent content;
  SsMotionRow rows[2];
  int n_read;       /* rows so far */
  int next_contact; /* of the block's list, of the rows to come */
  double *block;    /* of both rows */
};

struct SsMotionJudge {
  const SsScene *scene;
  SsMotionReader *reader; /* owned */
  /* of joints: [m]; and how far they are open at the first row, in that, which is the start's and no law's */
  double *size_of_joined, *opening_at_first;
  SsMotionGaps *gaps;
  SsMotionBalance *balance;
  SsMotionLedger ledger;
  SsRunControl *control; /* of the rows that are judged now */
  bool is_stopped;
  SsMotionVerdict verdict;
};

typedef SsMotionReader Reader;
typedef SsMotionJudge Judge;

const char *
ss_work_name (SsWork work)
{
  static const char *const names[SS_WORK_COUNT] = {"gravity",  "springs", "dampers", "formulas", "actuators",
                                                   "contacts", "joints",  "limits",  "drives",   "unexplained"};

  SS_ASSERT (work >= 0 && work < SS_WORK_COUNT);
  return names[work];
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

/* The owner of that name, looked for from *hint on, since most trajectories keep the order of the scene. */
static int
find_owner (const SsScene *scene, SsOwner owner, const char *name, int *hint)
{
  const int n = owner == SS_OWNER_BODY       ? scene->n_bodies
                : owner == SS_OWNER_CONTACT  ? scene->n_contacts
                : owner == SS_OWNER_ACTUATOR ? scene->n_actuators
                                             : 0;

  for (int k = 0; k < n; k++) {
    const int i = (*hint + k) % n;
    const char *candidate = owner == SS_OWNER_BODY      ? scene->bodies[i].name
                            : owner == SS_OWNER_CONTACT ? scene->contacts[i].name
                                                        : scene->actuators[i].name;

    if (strcmp (candidate, name) == 0) {
      *hint = i;
      return i;
    }
  }
  return -1;
}

static SsStatus
find_places (const SsScene *scene, const SsTrajectory *trajectory, Places *places, SsError *err)
{
  const size_t n = BODY_CHANNELS * (size_t)scene->n_bodies + 4 * (size_t)scene->n_contacts + (size_t)scene->n_actuators;
  int hints[SS_OWNER_COUNT] = {0};

  places->block = ss_new_array (int, n + 1);
  if (places->block == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a motion of %d bodies", scene->n_bodies);
  for (size_t i = 0; i < n; i++)
    places->block[i] = -1;
  places->body = places->block;
  places->impulse = places->body + BODY_CHANNELS * (size_t)scene->n_bodies;
  places->force = places->impulse + 2 * (size_t)scene->n_contacts;
  places->control = places->force + 2 * (size_t)scene->n_contacts;
  for (int c = 1; c < trajectory->n_channels; c++) {
    const SsChannel *channel = &trajectory->channels[c];
    const SsQuantity quantity = channel->quantity;

    if (channel->owner == SS_OWNER_SCENE)
      continue;
    const int i = find_owner (scene, channel->owner, channel->owner_name, &hints[channel->owner]);
    if (i < 0)
      continue;
    if (channel->owner == SS_OWNER_BODY && quantity >= SS_QUANTITY_POSITION_X &&
        quantity <= SS_QUANTITY_ANGULAR_VELOCITY)
      places->body[BODY_CHANNELS * i + (int)(quantity - SS_QUANTITY_POSITION_X)] = c;
    else if (channel->owner == SS_OWNER_CONTACT && quantity == SS_QUANTITY_NORMAL_IMPULSE)
      places->impulse[2 * i] = c;
    else if (channel->owner == SS_OWNER_CONTACT && quantity == SS_QUANTITY_TANGENTIAL_IMPULSE)
      places->impulse[2 * i + 1] = c;
    else if (channel->owner == SS_OWNER_CONTACT && quantity == SS_QUANTITY_NORMAL_FORCE)
      places->force[2 * i] = c;
    else if (channel->owner == SS_OWNER_CONTACT && quantity == SS_QUANTITY_TANGENTIAL_FORCE)
      places->force[2 * i + 1] = c;
    else if (channel->owner == SS_OWNER_ACTUATOR && quantity == SS_QUANTITY_CONTROL)
      places->control[i] = c;
  }
  return SS_OK;
}

/* What the rows hold of what is judged; a pose that is missing of a body that moves is an error. */
static SsStatus
take_stock (Reader *reader, bool has_contact_rows, SsError *err)
{
  static const char *const names[] = {"x", "y", "theta"};
  const SsScene *scene = reader->scene;

  reader->content =
      (SsMotionContent){.velocities = true, .impulses = scene->n_contacts == 0 || has_contact_rows, .controls = true};
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      const SsBody *body = &scene->bodies[i];
      const bool is_still = body->is_fixed || (body->lock[k] && body->v[k] == 0);

      if (!is_still && reader->places.body[BODY_CHANNELS * i + k] < 0)
        return ss_error_set (err, SS_ERR_INVALID, "the motion has no channel %s of body %s", names[k], body->name);
      if (!body->is_fixed && !body->lock[k] && reader->places.body[BODY_CHANNELS * i + 3 + k] < 0)
        reader->content.velocities = false;
    }
  for (int i = 0; i < scene->n_contacts; i++)
    if (reader->places.impulse[2 * i] >= 0 || reader->places.force[2 * i] >= 0)
      reader->content.impulses = true;
  for (int i = 0; i < scene->n_actuators; i++)
    if (reader->places.control[i] < 0)
      reader->content.controls = false;
  return SS_OK;
}

/* Stages have the poses and speeds of all bodies that move, as rows have. */
static SsStatus
find_stage_places (Reader *reader, const SsTrajectory *trajectory, SsError *err)
{
  Stages *stages = &reader->stages;
  const SsScene *scene = reader->scene;
  SsStatus status = find_places (scene, trajectory, &stages->places, err);

  if (status != SS_OK)
    return status;
  stages->are_told = true;
  stages->weight = ss_trajectory_channel (trajectory, "weight");
  stages->row = ss_trajectory_channel (trajectory, "row");
  bool is_whole = stages->weight > 0 && stages->row > 0;
  for (int i = 0; i < BODY_CHANNELS * scene->n_bodies; i++)
    is_whole = is_whole && (stages->places.body[i] >= 0 || reader->places.body[i] < 0);
  for (int i = 0; i < 2 * scene->n_contacts; i++)
    is_whole = is_whole && (stages->places.force[i] >= 0 || reader->places.impulse[i] < 0);
  for (int i = 0; i < scene->n_actuators && reader->content.controls; i++)
    is_whole = is_whole && stages->places.control[i] >= 0;
  return is_whole ? SS_OK
                  : ss_error_set (err, SS_ERR_INVALID,
                                  "the stages lack a channel of weight, row, a body, a contact or "
                                  "a control that the motion has");
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static SsStatus
allocate_rows (Reader *reader, SsError *err)
{
  const SsScene *scene = reader->scene;
  const size_t n = 3 * (size_t)scene->n_bodies, m = 2 * (size_t)scene->n_contacts, u = (size_t)scene->n_actuators;
  double *next = reader->block = ss_new_array (double, 2 * (2 * n + m + u) + 1);

  if (next == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a motion of %d bodies", scene->n_bodies);
  for (int i = 0; i < 2; i++) {
    reader->rows[i].q = next;
    reader->rows[i].v = next + n;
    reader->rows[i].impulse = next + 2 * n;
    reader->rows[i].u = next + 2 * n + m;
    next += 2 * n + m + u;
  }
  return SS_OK;
}

/* Poses, speeds and controls. */
static SsStatus
read_state (const Reader *reader, const Places *places, const double *values, SsMotionRow *row, SsError *err)
{
  const SsScene *scene = reader->scene;

  row->t = values[0];
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < BODY_CHANNELS; k++) {
      const int c = places->body[BODY_CHANNELS * i + k];
      const SsBody *body = &scene->bodies[i];
      const double still = k < 3 ? body->q[k] : body->is_fixed ? 0 : body->v[k - 3];
      const double value = c >= 0 ? values[c] : still;

      *(k < 3 ? &row->q[3 * i + k] : &row->v[3 * i + k - 3]) = value;
      if (!isfinite (value))
        return ss_error_set (err, SS_ERR_INVALID, "%s of body %s is not finite at t = %.9g s",
                             ss_quantity_name ((SsQuantity)(SS_QUANTITY_POSITION_X + k)), body->name, row->t);
    }
  for (int i = 0; i < scene->n_actuators && reader->content.controls; i++)
    row->u[i] = values[places->control[i]];
  return SS_OK;
}

static SsStatus
check_impulses (const SsScene *scene, const SsMotionRow *row, SsError *err)
{
  for (int i = 0; i < 2 * scene->n_contacts; i++)
    if (!isfinite (row->impulse[i]))
      return ss_error_set (err, SS_ERR_INVALID, "an impulse of contact %s is not finite at t = %.9g s",
                           scene->contacts[i / 2].name, row->t);
  return SS_OK;
}

/* Impulses of the contacts that do something, of scenes without channels for all. */
static void
read_contact_rows (Reader *reader, const SsContactRows *contacts, int index, SsMotionRow *row)
{
  memset (row->impulse, 0, 2 * (size_t)reader->scene->n_contacts * sizeof *row->impulse);
  for (; reader->next_contact < contacts->n && contacts->items[reader->next_contact].row <= index;
       reader->next_contact++) {
    const SsContactRow *item = &contacts->items[reader->next_contact];

    if (item->row == index && reader->n_read > 0) {
      row->impulse[2 * item->contact] = item->impulse_n;
      row->impulse[2 * item->contact + 1] = item->impulse_t;
    }
  }
}

static SsStatus
read_row (Reader *reader, const SsMotionBlock *block, int index, const SsMotionRow *before, SsMotionRow *row,
          SsError *err)
{
  const SsScene *scene = reader->scene;
  const double *values = ss_trajectory_row (block->motion, index);
  const double h = before != NULL ? values[0] - before->t : 0;

  if (!isfinite (values[0]) || h < 0)
    return ss_error_set (err, SS_ERR_INVALID, "the time of row %d, %g s, is before the row before, or no time",
                         reader->n_read, values[0]);
  SsStatus status = read_state (reader, &reader->places, values, row, err);
  if (status != SS_OK)
    return status;
  if (block->contacts != NULL)
    read_contact_rows (reader, block->contacts, index, row);
  for (int i = 0; i < 2 * scene->n_contacts && block->contacts == NULL; i++) {
    const int impulse = reader->places.impulse[i];
    const int force = !reader->stages.are_told ? reader->places.force[i] : -1; /* else the stages tell them */

    row->impulse[i] = before == NULL ? 0 : impulse >= 0 ? values[impulse] : force >= 0 ? h * values[force] : 0;
  }
  return check_impulses (scene, row, err);
}

static SsStatus
reserve_stages (Reader *reader, int n, SsError *err)
{
  const SsScene *scene = reader->scene;
  Stages *stages = &reader->stages;
  const size_t nq = 3 * (size_t)scene->n_bodies, m = 2 * (size_t)scene->n_contacts, u = (size_t)scene->n_actuators;

  if (n <= stages->capacity)
    return SS_OK;
  ss_free (stages->items);
  ss_free (stages->block);
  stages->items = ss_new_array (SsMotionStage, (size_t)n);
  double *next = stages->block = ss_new_array (double, (size_t)n *(2 * nq + m + u) + 1);
  stages->capacity = 0;
  if (stages->items == NULL || next == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge %d stages", n);
  stages->capacity = n;
  for (int i = 0; i < n; i++, next += 2 * nq + m + u)
    stages->items[i].at = (SsMotionRow){.q = next, .v = next + nq, .impulse = next + 2 * nq, .u = next + 2 * nq + m};
  return SS_OK;
}

/* Those before the row of that index. */
static SsStatus
read_stages (Reader *reader, const SsMotionBlock *block, int index, SsError *err)
{
  Stages *stages = &reader->stages;
  const SsTrajectory *trajectory = block->stages;

  stages->n = 0;
  if (!stages->are_told)
    return SS_OK;
  const int first = stages->next;
  while (stages->next < trajectory->n_rows && ss_trajectory_row (trajectory, stages->next)[stages->row] <= index)
    stages->next++;
  SsStatus status = reserve_stages (reader, stages->next - first, err);
  for (int k = first; k < stages->next && status == SS_OK; k++) {
    const double *values = ss_trajectory_row (trajectory, k);
    SsMotionStage *stage = &stages->items[stages->n++];

    stage->weight = values[stages->weight];
    status = read_state (reader, &stages->places, values, &stage->at, err);
    for (int i = 0; i < 2 * reader->scene->n_contacts; i++)
      stage->at.impulse[i] = stages->places.force[i] >= 0 ? stage->weight * values[stages->places.force[i]] : 0;
    if (status == SS_OK)
      status = check_impulses (reader->scene, &stage->at, err);
    if (status == SS_OK && !(isfinite (stage->at.t) && isfinite (stage->weight)))
      status = ss_error_set (err, SS_ERR_INVALID, "the time or the weight of stage %d is no number", k);
  }
  return status;
}

void
ss_motion_reader_free (SsMotionReader *reader)
{
  if (reader == NULL)
    return;
  ss_free (reader->places.block);
  ss_free (reader->stages.places.block);
  ss_free (reader->stages.items);
  ss_free (reader->stages.block);
  ss_free (reader->block);
  ss_free (reader);
}

SsStatus
ss_motion_reader_new (const SsScene *scene, const SsMotionBlock *like, SsMotionReader **out, SsError *err)
{
  SS_ASSERT (like != NULL && out != NULL);

  Reader *reader = ss_new (Reader);

  *out = NULL;
  if (reader == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a motion of %d bodies", scene->n_bodies);
  reader->scene = scene;
  SsStatus status = find_places (scene, like->motion, &reader->places, err);
  if (status == SS_OK)
    status = take_stock (reader, like->contacts != NULL, err);
  if (status == SS_OK && like->stages != NULL)
    status = find_stage_places (reader, like->stages, err);
  if (status == SS_OK)
    status = allocate_rows (reader, err);
  if (status == SS_OK)
    *out = reader;
  else
    ss_motion_reader_free (reader);
  return status;
}

SsStatus
ss_motion_reader_read (SsMotionReader *reader, const SsMotionBlock *block, SsMotionVisit *visit, void *data,
                       SsError *err)
{
  SS_ASSERT (reader != NULL && block != NULL);

  SsStatus status = SS_OK;

  reader->stages.next = block->first_stage;
  reader->next_contact = block->first_contact;
  for (int i = block->first; i < block->end && status == SS_OK; i++) {
    SsMotionRow *row = &reader->rows[reader->n_read % 2];
    SsMotionRow *before = reader->n_read > 0 ? &reader->rows[(reader->n_read + 1) % 2] : NULL;

    status = read_row (reader, block, i, before, row, err);
    if (status == SS_OK)
      status = read_stages (reader, block, i, err);
    if (status == SS_OK)
      status = visit (data, &reader->content, before, row, reader->stages.items, reader->stages.n, err);
    reader->n_read++;
  }
  return status;
}

SsMotionBlock
ss_motion_block_of_all (SsTrajectory *motion, const SsTrajectory *stages)
{
  SS_ASSERT (motion != NULL && motion->n_rows >= 0);
  return (SsMotionBlock){.motion = motion, .stages = stages, .end = motion->n_rows, .is_last = true};
}

SsStatus
ss_motion_visit (const SsScene *scene, const SsTrajectory *trajectory, const SsTrajectory *stages, SsMotionVisit *visit,
                 void *data, SsError *err)
{
  const SsMotionBlock all = ss_motion_block_of_all ((SsTrajectory *)trajectory, stages); /* which is only read */
  SsMotionReader *reader;
  SsStatus status = ss_motion_reader_new (scene, &all, &reader, err);

  if (status == SS_OK)
    status = ss_motion_reader_read (reader, &all, visit, data, err);
  ss_motion_reader_free (reader);
  return status;
}

/* ---- the verdict ------------------------------------------------------------------------------------------------- */

static void
take_worse (SsMotionWorst *worst, const SsMotionWorst *now)
{
  if (isnan (now->value))
    worst->value = NAN; /* of one row: of none */
  else if (now->value > worst->value)
    *worst = *now;
}

static void
take_given (SsMotionGiven *total, const SsMotionGiven *now)
{
  total->sum += now->sum;
  take_worse (&total->most, &now->most);
}

/* What the smaller of the joined bodies measures [m]: what holds it, or what holds it and the joint's anchor; INFINITY
 * where none has a size. */
static double
size_of_joined (const SsScene *scene, const SsJoint *joint)
{
  const int body[] = {joint->body_a, joint->body_b};
  const SsVec2 anchor[] = {joint->anchor_a, joint->anchor_b};
  double least = INFINITY;

  for (int side = 0; side < 2; side++) {
    if (body[side] < 0)
      continue;
    const double radius = ss_body_radius (&scene->bodies[body[side]]);
    const double size = fmax (2 * radius, radius + hypot (anchor[side].x, anchor[side].y));

    least = size > 0 ? fmin (least, size) : least;
  }
  return least;
}

static void
note_drift (Judge *judge, const SsMotionRow *row, bool is_first, SsMotionWorst *drift, SsMotionWorst *opening)
{
  ss_dynamics_set_time (ss_motion_balance_dynamics (judge->balance), row->t);
  for (int i = 0; i < judge->scene->n_joints; i++) {
    double length, angle;

    ss_dynamics_joint_opening (ss_motion_balance_dynamics (judge->balance), i, row->q, &length, &angle);
    const double value = fmax (length, angle);
    /* what is >= 0 is no joint that opens: time stepping at velocity level runs past it by design */
    double share = ss_joint_n_rows (&judge->scene->joints[i]) > 0 ? fmax (length / judge->size_of_joined[i], angle) : 0;
    if (is_first)
      judge->opening_at_first[i] = share;
    share -= judge->opening_at_first[i];
    if (value > drift->value)
      *drift = (SsMotionWorst){value, row->t, i};
    if (share > opening->value)
      *opening = (SsMotionWorst){share, row->t, i};
  }
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* The body whose kinetic energy changes most in the step. */
static int
liveliest_body (const Judge *judge, const SsMotionRow *before, const SsMotionRow *row)
{
  const double *mass = ss_dynamics_mass (ss_motion_balance_dynamics (judge->balance));
  double largest = -1;
  int liveliest = 0;

  for (int i = 0; i < judge->scene->n_bodies; i++) {
    double change = 0;

    for (int k = 3 * i; k < 3 * i + 3; k++)
      change += mass[k] * (row->v[k] * row->v[k] - before->v[k] * before->v[k]) / 2;
    if (fabs (change) > largest) {
      largest = fabs (change);
      liveliest = i;
    }
  }
  return liveliest;
}

/* Works and energies of the step that ends at the row; of the first row, energies. */
static SsStatus
add_works (Judge *judge, const SsMotionContent *content, const SsMotionRow *before, const SsMotionRow *row,
           const SsMotionStep *step, SsError *err)
{
  SsMotionVerdict *verdict = &judge->verdict;
  double surplus = NAN;

  if (!(content->velocities && content->impulses))
    return SS_OK;
  if (before == NULL) {
    SsStatus status = ss_motion_balance_start_loss (judge->balance, row, &judge->ledger.start_loss, err);

    if (status != SS_OK)
      return status;
  }
  for (int i = 0; i < SS_WORK_COUNT && before != NULL; i++) {
    verdict->work[i] += step->work[i];
    if (i != SS_WORK_UNEXPLAINED)
      verdict->turned_over += fabs (step->work[i]);
  }
  SsStatus status = ss_motion_ledger_add (&judge->ledger, before, row, step->kinetic, step->potential, verdict->work,
                                          ss_motion_balance_contact_slack (judge->balance), &surplus, err);
  const double change = surplus - verdict->surplus;
  verdict->surplus = surplus;
  if (change > verdict->rise.value)
    verdict->rise = (SsMotionWorst){change, row->t, liveliest_body (judge, before, row)};
  if (-change > verdict->fall.value)
    verdict->fall = (SsMotionWorst){-change, row->t, liveliest_body (judge, before, row)};
  return status;
}

/* What the whole motion, as far as it was judged, says of the energy. */
static SsStatus
close_ledger (Judge *judge, SsError *err)
{
  const SsMotionContent *content = &judge->reader->content;
  SsMotionVerdict *verdict = &judge->verdict;

  if (!(content->velocities && content->impulses))
    return SS_OK;
  verdict->in_play = ss_motion_ledger_in_play (&judge->ledger);
  SsStatus status = ss_motion_ledger_share (&judge->ledger, 1, &verdict->gained, err);
  return status == SS_OK ? ss_motion_ledger_share (&judge->ledger, -1, &verdict->lost, err) : status;
}

/* ---- the verdict of a row ---------------------------------------------------------------------------------------- */

static SsStatus
judge_row (Judge *judge, const SsMotionContent *content, const SsMotionRow *before, const SsMotionRow *row,
           const SsMotionStage *stages, int n_stages, SsMotionStep *step, SsError *err)
{
  SsMotionVerdict *verdict = &judge->verdict;
  const SsDynamics *dynamics = ss_motion_balance_dynamics (judge->balance);
  SsMotionWorst drift = {0, NAN, -1}, opening = drift, balance, cone, complementarity;
  SsMotionGiven given[SS_WORK_COUNT];
  SsMotionOverlap overlap;

  *step = (SsMotionStep){.t = row->t, .kinetic = NAN, .potential = ss_dynamics_potential_energy (dynamics, row->q)};
  if (content->velocities)
    step->kinetic = ss_dynamics_kinetic_energy (dynamics, row->v);
  verdict->energy_final = step->kinetic + step->potential;
  if (before == NULL)
    verdict->energy_initial = verdict->energy_final;
  SsStatus status = ss_motion_gaps_step (judge->gaps, before, row, &overlap, err);
  if (status != SS_OK)
    return status;
  note_drift (judge, row, before == NULL, &drift, &opening);
  take_worse (&verdict->penetration, &overlap.penetration);
  take_worse (&verdict->swept_overlap, &overlap.swept);
  take_worse (&verdict->overlap_share, &overlap.share);
  if (verdict->passage.index < 0)
    verdict->passage = overlap.passage;
  take_worse (&verdict->joint_drift, &drift);
  take_worse (&verdict->joint_opening, &opening);
  step->penetration = overlap.penetration.value;
  step->swept_overlap = overlap.swept.value;
  step->joint_drift = drift.value;
  if (before == NULL)
    return add_works (judge, content, before, row, step, err);
  if (judge->reader->stages.are_told && content->velocities && content->impulses)
    status = ss_motion_balance_stages (judge->balance, before, row, stages, n_stages, &balance, &cone, &complementarity,
                                       step->work, given, err);
  else
    status =
        ss_motion_balance_step (judge->balance, before, row, &balance, &cone, &complementarity, step->work, given, err);
  if (status != SS_OK)
    return status;
  take_worse (&verdict->balance, &balance);
  if (judge->verdict.steps == NULL)
    ss_motion_balance_set_enough (
        judge->balance, fmax (part_enough * verdict->balance.value, fmin (verdict->balance.value, rest_enough)));
  take_worse (&verdict->cone, &cone);
  take_worse (&verdict->complementarity, &complementarity);
  step->balance = balance.value;
  step->cone = cone.value;
  step->complementarity = complementarity.value;
  for (int i = 0; i < SS_WORK_COUNT; i++)
    take_given (&verdict->given[i], &given[i]);
  return add_works (judge, content, before, row, step, err);
}

static SsStatus
visit_row (void *data, const SsMotionContent *content, const SsMotionRow *before, const SsMotionRow *row,
           const SsMotionStage *stages, int n_stages, SsError *err)
{
  Judge *judge = data;
  SsMotionVerdict *verdict = &judge->verdict;
  SsMotionStep step;
  SsOutcome why;

  if (verdict->n_rows % ROWS_BETWEEN_LOOKS == 0 && !judge->is_stopped)
    judge->is_stopped = ss_run_control_should_stop (judge->control, &why);
  if (judge->is_stopped)
    return SS_OK;
  SsStatus status = judge_row (judge, content, before, row, stages, n_stages, &step, err);
  if (status != SS_OK)
    return status;
  if (verdict->steps != NULL)
    verdict->steps[verdict->n_rows] = step;
  verdict->n_rows++;
  return SS_OK;
}

/* Before the first row: nothing found, or nothing to be known. */
static void
start_verdict (const Judge *judge, SsMotionVerdict *verdict)
{
  const SsMotionWorst none = {0, NAN, -1}, unknown = {NAN, NAN, -1};
  const bool impulses = judge->reader->content.impulses, velocities = judge->reader->content.velocities;

  *verdict = (SsMotionVerdict){.penetration = none,
                               .swept_overlap = none,
                               .overlap_share = none,
                               .passage = none,
                               .rise = impulses && velocities ? none : unknown,
                               .fall = impulses && velocities ? none : unknown,
                               .joint_drift = none,
                               .joint_opening = none,
                               .cone = impulses ? none : unknown,
                               .complementarity = impulses && velocities ? none : unknown,
                               .balance = impulses && velocities ? none : unknown,
                               .energy_initial = NAN,
                               .energy_final = NAN,
                               .turned_over = judge->ledger.least,
                               .in_play = NAN,
                               .gained = {NAN, NAN, NAN, NAN},
                               .lost = {NAN, NAN, NAN, NAN}};
  for (int i = 0; i < SS_WORK_COUNT; i++)
    verdict->given[i] = (SsMotionGiven){0, none};
  for (int i = 0; i < SS_WORK_COUNT && !(impulses && velocities); i++) {
    verdict->surplus = verdict->turned_over = verdict->work[i] = NAN;
    verdict->given[i] = (SsMotionGiven){NAN, unknown};
  }
}

SsStatus
ss_motion_judge (const SsScene *scene, const SsTrajectory *trajectory, bool wants_steps, SsRunControl *control,
                 SsMotionVerdict *out, SsError *err)
{
  return ss_motion_judge_stages (scene, trajectory, NULL, wants_steps, control, out, err);
}

void
ss_motion_judge_free (SsMotionJudge *judge)
{
  if (judge == NULL)
    return;
  ss_motion_ledger_clear (&judge->ledger);
  ss_motion_gaps_free (judge->gaps);
  ss_motion_balance_free (judge->balance);
  ss_motion_reader_free (judge->reader);
  ss_motion_verdict_clear (&judge->verdict);
  ss_free (judge->size_of_joined);
  ss_free (judge);
}

SsStatus
ss_motion_judge_new (const SsScene *scene, const SsMotionBlock *like, SsMotionJudge **out, SsError *err)
{
  SS_ASSERT (scene != NULL && like != NULL && like->motion != NULL && out != NULL && like->motion->n_channels > 0);
  Judge *judge = ss_new (Judge);
  *out = NULL;
  if (judge == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a motion of %d bodies", scene->n_bodies);
  judge->scene = scene;
  judge->size_of_joined = ss_new_array (double, 2 * (size_t)scene->n_joints + 1);
  SsStatus status = judge->size_of_joined != NULL
                        ? ss_motion_reader_new (scene, like, &judge->reader, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory to judge %d joints", scene->n_joints);
  if (status == SS_OK)
    status = ss_motion_gaps_new (scene, &judge->gaps, err);
  if (status == SS_OK)
    status = ss_motion_balance_new (scene, judge->reader->content, &judge->balance, err);
  if (status != SS_OK) {
    ss_motion_judge_free (judge);
    return status;
  }
  judge->opening_at_first = judge->size_of_joined + scene->n_joints;
  for (int i = 0; i < scene->n_joints; i++)
    judge->size_of_joined[i] = size_of_joined (scene, &scene->joints[i]);
  ss_motion_ledger_init (&judge->ledger, scene, ss_motion_balance_dynamics (judge->balance), like->stages != NULL);
  judge->ledger.taken_before = fmax (like->taken_before, 0);
  start_verdict (judge, &judge->verdict);
  *out = judge;
  return SS_OK;
}

SsStatus
ss_motion_judge_rows (SsMotionJudge *judge, const SsMotionBlock *rows, SsRunControl *control, SsError *err)
{
  SS_ASSERT (judge != NULL);
  judge->control = control;
  return judge->is_stopped ? SS_OK : ss_motion_reader_read (judge->reader, rows, visit_row, judge, err);
}

SsStatus
ss_motion_judge_end (SsMotionJudge *judge, SsMotionVerdict *out, SsError *err)
{
  SS_ASSERT (out != NULL);

  const SsStatus status = close_ledger (judge, err);

  *out = (SsMotionVerdict){0};
  if (status != SS_OK)
    return status;
  *out = judge->verdict;
  out->is_complete = !judge->is_stopped;
  judge->verdict = (SsMotionVerdict){0}; /* it has the steps */
  return SS_OK;
}

SsStatus
ss_motion_judge_stages (const SsScene *scene, const SsTrajectory *trajectory, const SsTrajectory *stages,
                        bool wants_steps, SsRunControl *control, SsMotionVerdict *out, SsError *err)
{
  SS_ASSERT (scene != NULL && trajectory != NULL && out != NULL && trajectory->n_channels > 0);
  const SsMotionBlock all = ss_motion_block_of_all ((SsTrajectory *)trajectory, stages); /* which is only read */
  Judge *judge;
  *out = (SsMotionVerdict){0};
  SsStatus status = ss_motion_judge_new (scene, &all, &judge, err);

  if (status != SS_OK)
    return status;
  if (wants_steps) {
    judge->verdict.steps = ss_new_array (SsMotionStep, (size_t)trajectory->n_rows + 1);
    if (judge->verdict.steps == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory to judge %d rows", trajectory->n_rows);
  }
  if (status == SS_OK)
    status = ss_motion_judge_rows (judge, &all, control, err);
  if (status == SS_OK)
    status = ss_motion_judge_end (judge, out, err);
  ss_motion_judge_free (judge);
  return status;
}

void
ss_motion_verdict_clear (SsMotionVerdict *verdict)
{
  SS_ASSERT (verdict != NULL);
  ss_free (verdict->steps);
  *verdict = (SsMotionVerdict){0};
}

void
ss_motion_metrics (const SsMotionVerdict *verdict, SsMetricSet *set)
{
  SS_ASSERT (verdict != NULL);
  const struct {
    SsMetric metric;
    double value;
  } known[] = {{SS_METRIC_ENERGY_INITIAL, verdict->energy_initial},
               {SS_METRIC_ENERGY_FINAL, verdict->energy_final},
               {SS_METRIC_MAX_PENETRATION, verdict->penetration.value},
               {SS_METRIC_MAX_SWEPT_OVERLAP, verdict->swept_overlap.value},
               {SS_METRIC_MAX_CONE_VIOLATION, verdict->cone.value},
               {SS_METRIC_MAX_COMPLEMENTARITY, verdict->complementarity.value},
               {SS_METRIC_MAX_JOINT_DRIFT, verdict->joint_drift.value},
               {SS_METRIC_MAX_BALANCE_RESIDUAL, verdict->balance.value}};

  for (size_t i = 0; i < sizeof known / sizeof *known && verdict->is_complete; i++)
    if (!isnan (known[i].value))
      ss_metric_set (set, known[i].metric, known[i].value);
}
