/* engine/plan/ss-stages.c: see the header. */
#include "plan/ss-stages.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "plan/ss-stages-skill.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps that are simulated in all, and, where nobody judges, after a motion that is near, as a multiple of those until
 * then; states at most;
 * moves that are tried from a state, and how often each: as suggested, corrected, drawn. */
static const long STEPS_TOTAL = 90000;
static const double STEPS_ON = 1;
enum { NODES = 600, MOVES = 14, CORRECTIONS = 2, DRAWN_PUSH = 10, DRAWN_CARRY = 16 };
/* Steps after a stage until which what it moved is looked at. */
enum { COAST = 8 };
/* Cost of the whole horizon, as a part of that of the start; of that by which what is missing takes longer
 * than what is left of it; of a hand that is away from its target, beside a body. */
static const double TIME_COST = 0.02, LATE_COST = 0.3, HAND_COST = 0.25;
/* Of a speed that is off, beside a place [s]. */
static const double SPEED_COST = 0.05;
/* Durations: the part of the time that is left which what is missing may take, over the shortest that it can; as a
 * multiple of the shortest at most; and drawn, as a multiple of what is suggested. */
static const double PACE_PART = 0.5, PACE_MOST = 2, PACE_SPREAD = 1.5, BRISK_LEAST = 0.4;
/* States are one that differ by less: part of the body's size, angle [rad], steps. */
static const double SAME_PLACE = 0.1, SAME_ANGLE = 0.05;
enum { SAME_STEPS = 12 };
/* A state is followed to the end of the horizon where it costs less than this, of the best whole motion. */
static const double WHOLE_PART = 1.2;
/* A motion is near where this part of the start's cost is left; it is asked about again at this part of its cost. */
static const double NEAR_PART = 0.1, ASK_AGAIN = 0.5;

typedef struct {
  int parent, step;   /* -1: the start */
  double cost;        /* of a state a little later, and of its time [m] */
  double *row;        /* its state; owned */
  SsTrajectory *rows; /* of the steps that led here, owned; NULL: the start */
  SsHold holds[SS_HANDS];
  bool is_expanded;
  SsSkillMove move; /* that led here */
} Node;

typedef struct {
  const SsScenario *scenario;
  const SsPlan *plan;
  SsRunControl *control;
  const SsSampleJudge *judge;
  SsStagePlayer player;
  SsRandom random;
  Node nodes[NODES];
  int n_nodes;
  double start_cost;
  double *q, *v, *end, *later; /* owned */
  /* the best whole motion: the state that it ends its stages in, and what it misses */
  int best;
  double best_cost, best_miss, asked;
  long steps_near; /* simulated when the first motion was near, 0: none was */
  int n_samples;
} Search;

/* ---- costs ------------------------------------------------------------------------------------------------------- */

static bool
is_hand (const SsStagePlayer *p, int body)
{
  for (int i = 0; i < p->n_hands; i++)
    if (p->hands[i].body == body)
      return true;
  return false;
}

/* What a state is away from the targets [m]; *miss: the largest distance of a body. */
static double
cost_of (Search *s, const double *row, double *miss)
{
  double sum = 0;

  *miss = 0;
  ss_stage_state (&s->player, row, s->q, s->v);
  for (int t = 0; t < s->plan->n_targets; t++) {
    const SsPlanTarget *target = &s->plan->targets[t];
    SsVec2 leg;
    double turn, away;

    ss_skill_leg (&s->player, target, s->q, &leg, &away, &turn);
    const double size = ss_body_radius (&s->player.scene->bodies[target->body]);
    double own = away + fabs (turn) * size;

    for (int c = 0; c < 3; c++) {
      const double off = isnan (target->value[3 + c]) ? 0 : s->v[3 * target->body + c] - target->value[3 + c];
      own += SPEED_COST * fabs (off) * (c < 2 ? 1 : size);
    }
    sum += is_hand (&s->player, target->body) ? HAND_COST * own : own;
    *miss = fmax (*miss, away);
  }
  return isfinite (sum) ? sum : INFINITY;
}

/* Holds the hands where they are. */
static SsStage
stage_of_rest (int steps)
{
  SsStage stage = {.n = 1};

  stage.phases[0].steps = steps;
  return stage;
}

/* The cost a little after the state. */
static SsStatus
look_later (Search *s, const double *row, int step, const SsHold *holds, double *cost, double *miss, bool *obeys,
            SsError *err)
{
  const int left = s->plan->steps - step;
  const SsStage rest = stage_of_rest (left < COAST ? left : COAST);
  SsHold own[SS_HANDS];

  memcpy (own, holds, sizeof own);
  SsStatus status = ss_stage_play (&s->player, &rest, row, own, NULL, s->later, obeys, err);
  if (status == SS_OK && *obeys)
    *cost = cost_of (s, s->later, miss);
  return status;
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* Whether both have the bodies with targets at about the same place at about the same time. */
static bool
are_same (Search *s, const double *a, int step_a, const double *b, int step_b)
{
  if (step_a / SAME_STEPS != step_b / SAME_STEPS)
    return false;
  for (int t = 0; t < s->plan->n_targets; t++) {
    const int body = s->plan->targets[t].body, at = 1 + SS_BODY_CHANNELS * body;

    if (hypot (a[at] - b[at], a[at + 1] - b[at + 1]) > SAME_PLACE * ss_body_radius (&s->player.scene->bodies[body]) ||
        fabs (a[at + 2] - b[at + 2]) > SAME_ANGLE)
      return false;
  }
  return true;
}

static void
clear_node (Node *node)
{
  ss_free (node->row);
  ss_trajectory_free (node->rows);
  node->row = NULL;
  node->rows = NULL;
}

/* Where a new state goes; NULL: one that is as good is there, or there is no room. */
static Node *
place_for (Search *s, double cost, const double *row, int step)
{
  for (int i = 1; i < s->n_nodes; i++) {
    Node *other = &s->nodes[i];

    if (!are_same (s, other->row, other->step, row, step))
      continue;
    if (other->cost <= cost || other->is_expanded)
      return other->cost <= cost || s->n_nodes == NODES ? NULL : &s->nodes[s->n_nodes++];
    if (i != s->best)
      clear_node (other);
    return i != s->best ? other : s->n_nodes == NODES ? NULL : &s->nodes[s->n_nodes++];
  }
  return s->n_nodes == NODES ? NULL : &s->nodes[s->n_nodes++];
}

/* Takes the rows where the state is kept. */
static SsStatus
keep_state (Search *s, int parent, int step, double cost, const SsHold *holds, const SsSkillMove *move,
            SsTrajectory **rows, int *kept, SsError *err)
{
  Node *node = place_for (s, cost, s->end, step);

  *kept = -1;
  if (node == NULL)
    return SS_OK;
  *node = (Node){.parent = parent, .step = step, .cost = cost, .rows = *rows, .move = *move};
  *rows = NULL;
  memcpy (node->holds, holds, sizeof node->holds);
  node->row = ss_new_array (double, s->player.n_channels + 1);
  if (node->row == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  memcpy (node->row, s->end, (size_t)s->player.n_channels * sizeof *node->row);
  *kept = (int)(node - s->nodes);
  return SS_OK;
}

/* ---- whole motions ----------------------------------------------------------------------------------------------- */

static SsStatus
append_rows (SsTrajectory *motion, const SsTrajectory *rows, SsError *err)
{
  SsStatus status = SS_OK;

  for (int k = 0; k < rows->n_rows && status == SS_OK; k++)
    status = ss_trajectory_append (motion, ss_trajectory_row (rows, k), err);
  return status;
}

/* The motion through the state's stages, then at rest until the end of the horizon. */
static SsStatus
make_motion (Search *s, int node, SsTrajectory **motion, bool *obeys, SsError *err)
{
  int chain[NODES], n = 0;
  const SsStage rest = stage_of_rest (s->plan->steps - s->nodes[node].step);
  SsHold holds[SS_HANDS];
  SsStatus status = ss_stage_motion_new (&s->player, s->plan->steps + 1, motion, err);

  for (int i = node; i > 0; i = s->nodes[i].parent)
    chain[n++] = i;
  while (n > 0 && status == SS_OK)
    status = append_rows (*motion, s->nodes[chain[--n]].rows, err);
  memcpy (holds, s->nodes[node].holds, sizeof holds);
  if (status == SS_OK)
    status = ss_stage_play (&s->player, &rest, s->nodes[node].row, holds, *motion, s->later, obeys, err);
  return status == SS_OK && *obeys ? ss_trajectory_append (*motion, s->later, err) : status;
}

/* Whether the state's whole motion is the best so far. */
static SsStatus
try_motion (Search *s, int node, SsError *err)
{
  const SsStage rest = stage_of_rest (s->plan->steps - s->nodes[node].step);
  SsHold holds[SS_HANDS];
  double cost, miss;
  bool obeys;

  memcpy (holds, s->nodes[node].holds, sizeof holds);
  SsStatus status = ss_stage_play (&s->player, &rest, s->nodes[node].row, holds, NULL, s->later, &obeys, err);
  if (status != SS_OK || !obeys)
    return status;
  cost = cost_of (s, s->later, &miss);
  if (cost < s->best_cost) {
    s->best = node;
    s->best_cost = cost;
    s->best_miss = miss;
    if (s->steps_near == 0 && cost < NEAR_PART * s->start_cost)
      s->steps_near = s->player.n_steps;
  }
  return SS_OK;
}

static void
log_stages (const Search *s)
{
  static const char *const names[] = {"push", "carry", "glide"};
  char text[320] = "";
  int chain[NODES], n = 0;

  for (int i = s->best; i > 0; i = s->nodes[i].parent)
    chain[n++] = i;
  while (n > 0) {
    const Node *node = &s->nodes[chain[--n]];
    const size_t used = strlen (text);

    snprintf (text + used, sizeof text - used, "%s%s %s until step %d", used > 0 ? ", " : "", names[node->move.skill],
              s->player.scene->bodies[s->plan->targets[node->move.target].body].name, node->step);
  }
  ss_run_control_log (s->control, SS_LOG_INFO, "%d stages played in %ld steps; best: %s; %.3g m from the goal",
                      s->n_samples, s->player.n_steps, text, s->best_miss);
}

/* Whether the best motion is good enough, where it costs less than `below`. */
static SsStatus
ask (Search *s, double below, SsSampledMotion *out, bool *is_enough, SsError *err)
{
  bool obeys = false;

  *is_enough = false;
  if (s->best <= 0 || !(s->best_cost < below))
    return SS_OK;
  s->asked = s->best_cost;
  ss_sampled_motion_clear (out);
  log_stages (s);
  SsStatus status = make_motion (s, s->best, &out->trajectory, &obeys, err);
  out->cost = pow (s->best_cost / s->start_cost, 2);
  out->miss = s->best_miss;
  out->n_samples = s->n_samples;
  if (status == SS_OK && s->judge != NULL && obeys)
    status = s->judge->is_enough (s->judge->user_data, out->trajectory, is_enough, err);
  return status;
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

/* What a try of a move came to. */
typedef struct {
  bool is_made, is_played; /* the hand gets there; and all steps could be solved */
  double cost;
  SsVec2 missed;
  double turn;
} Try;

static SsStatus
try_stage (Search *s, int from, const SsSkillMove *move, const SsSkillNumbers *numbers, Try *out, SsError *err)
{
  SsHold holds[SS_HANDS];
  SsTrajectory *rows = NULL;
  SsStage stage;
  bool obeys;
  int kept;
  double cost, miss, length, turn;
  SsVec2 asked;

  *out = (Try){.cost = INFINITY};
  ss_stage_state (&s->player, s->nodes[from].row, s->q, s->v);
  ss_skill_leg (&s->player, &s->plan->targets[move->target], s->q, &asked, &length, &turn);
  if (!ss_skill_stage (&s->player, move, numbers, s->q, s->plan->steps - s->nodes[from].step, &stage))
    return SS_OK;
  out->is_made = true;
  s->n_samples++;
  const int step = s->nodes[from].step + ss_stage_steps (&stage);
  memcpy (holds, s->nodes[from].holds, sizeof holds);
  SsStatus status = ss_stage_motion_new (&s->player, ss_stage_steps (&stage), &rows, err);
  if (status == SS_OK)
    status = ss_stage_play (&s->player, &stage, s->nodes[from].row, holds, rows, s->end, &obeys, err);
  if (status == SS_OK && obeys)
    status = look_later (s, s->end, step, holds, &cost, &miss, &obeys, err);
  if (status == SS_OK && obeys) {
    out->is_played = true;
    const double late = step + ss_skill_need (&s->player, s->q) - s->plan->steps; /* q: of cost_of */
    out->cost = cost + s->start_cost * (TIME_COST * step + LATE_COST * fmax (late, 0)) / s->plan->steps;
    const SsPlanTarget *target = &s->plan->targets[move->target];
    ss_skill_missed (target, asked, s->nodes[from].row + 1 + SS_BODY_CHANNELS * target->body, s->q + 3 * target->body,
                     &out->missed, &out->turn);
    status = keep_state (s, from, step, out->cost, holds, move, &rows, &kept, err);
    if (status == SS_OK && kept >= 0 && cost < WHOLE_PART * s->best_cost)
      status = try_motion (s, kept, err);
  }
  ss_trajectory_free (rows);
  return status;
}

static SsSkillNumbers
draw_numbers (Search *s, const SsSkillMove *move, const SsSkillNumbers *from, double pace)
{
  SsSkillNumbers n = *from;

  n.pace = ss_random_between (&s->random, 1, PACE_SPREAD * pace);
  n.brisk = ss_random_between (&s->random, BRISK_LEAST, PACE_SPREAD);
  if (move->skill == SS_SKILL_CARRY) {
    n.offset = ss_random_between (&s->random, -0.2, 0.8);
    n.squeeze = ss_random_between (&s->random, 0.6, 1.8);
    n.stays = ss_random_between (&s->random, 0, 1) < 0.3;
    return n;
  }
  n.offset = fmin (fmax (n.offset + 0.3 * ss_random_normal (&s->random), -0.9), 0.9);
  n.tilt += 0.1 * ss_random_normal (&s->random);
  return n;
}

/* Tries a move some times. */
static SsStatus
try_move (Search *s, int from, const SsSkillMove *move, double pace, SsError *err)
{
  const int drawn = move->skill == SS_SKILL_CARRY ? DRAWN_CARRY : DRAWN_PUSH;
  SsSkillNumbers numbers = ss_skill_nominal (&s->player, move, pace), best = numbers;
  double least = INFINITY;
  SsStatus status = SS_OK;
  SsOutcome why;
  Try now = {0};

  for (int i = 0; i <= CORRECTIONS + drawn && status == SS_OK && !ss_run_control_should_stop (s->control, &why); i++) {
    if (now.is_played && (i <= CORRECTIONS || i % 2 == 0)) {
      ss_stage_state (&s->player, s->nodes[from].row, s->q, s->v);
      numbers = ss_skill_correct (&s->player, move, &numbers, s->q, now.missed, now.turn);
    } else if (i > 0)
      numbers = draw_numbers (s, move, &best, pace);
    status = try_stage (s, from, move, &numbers, &now, err);
    if (now.cost < least) {
      least = now.cost;
      best = numbers;
    }
    if (i == 0 && move->skill == SS_SKILL_PUSH && !now.is_made)
      break; /* nobody gets there */
  }
  return status;
}

static SsStatus
expand (Search *s, int node, SsError *err)
{
  SsSkillMove moves[MOVES];
  SsStatus status = SS_OK;
  SsOutcome why;

  s->nodes[node].is_expanded = true;
  ss_stage_state (&s->player, s->nodes[node].row, s->q, s->v);
  const int n = ss_skill_moves (&s->player, s->q, moves, MOVES);
  const double left = s->plan->steps - s->nodes[node].step,
               pace = fmin (fmax (PACE_PART * left / fmax (ss_skill_need (&s->player, s->q), 1), 1), PACE_MOST);
  for (int i = 0; i < n && status == SS_OK && !ss_run_control_should_stop (s->control, &why); i++)
    status = try_move (s, node, &moves[i], pace, err);
  return status;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* The nearest state that is not expanded yet; -1: none. */
static int
find_next (const Search *s)
{
  int next = -1;

  for (int i = 0; i < s->n_nodes; i++)
    if (!s->nodes[i].is_expanded && s->nodes[i].step < s->plan->steps &&
        (next < 0 || s->nodes[i].cost < s->nodes[next].cost))
      next = i;
  return next;
}

static bool
goes_on (const Search *s)
{
  const long steps = s->player.n_steps;

  return steps < STEPS_TOTAL &&
         (s->judge != NULL || s->steps_near == 0 || steps < (1 + STEPS_ON) * s->steps_near + s->plan->steps);
}

static SsStatus
search (Search *s, SsSampledMotion *out, SsError *err)
{
  SsStatus status = SS_OK;
  bool is_enough = false;
  SsOutcome why;

  for (int node; status == SS_OK && !is_enough && goes_on (s) && !ss_run_control_should_stop (s->control, &why) &&
                 (node = find_next (s)) >= 0;) {
    status = expand (s, node, err);
    if (status == SS_OK)
      status = ask (s, fmin (NEAR_PART * s->start_cost, ASK_AGAIN * s->asked), out, &is_enough, err);
  }
  if (status == SS_OK && !is_enough && !ss_run_control_should_stop (s->control, &why))
    status = ask (s, s->asked, out, &is_enough, err);
  return status;
}

static SsStatus
open_search (Search *s, SsError *err)
{
  const int n = 3 * s->player.scene->n_bodies + 1, n_channels = s->player.n_channels + 1;
  double miss;

  s->q = ss_new_array (double, n);
  s->v = ss_new_array (double, n);
  s->end = ss_new_array (double, n_channels);
  s->later = ss_new_array (double, n_channels);
  Node *root = &s->nodes[s->n_nodes++];
  *root = (Node){.parent = -1, .row = ss_new_array (double, n_channels)};
  if (s->q == NULL || s->v == NULL || s->end == NULL || s->later == NULL || root->row == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_simulation_fill (s->player.simulation, root->row);
  for (int i = 0; i < s->player.n_hands; i++) {
    const double *q = s->player.scene->bodies[s->player.hands[i].body].q;
    root->holds[i].at = (SsVec2){q[0], q[1]};
  }
  root->cost = s->start_cost = s->best_cost = cost_of (s, root->row, &miss);
  return SS_OK;
}

bool
ss_stages_fit (const SsScenario *scenario)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0);

  const SsPlan *plan = scenario->task.plan;
  SsStagesHand hands[SS_HANDS];
  const int n = ss_hands_find (scenario->scene, hands);
  bool has_other = false;

  for (int t = 0; t < plan->n_targets; t++) {
    const SsPlanTarget *target = &plan->targets[t];
    bool is_other = !isnan (target->value[0]) || !isnan (target->value[1]) || !isnan (target->value[2]);

    for (int i = 0; i < n; i++)
      is_other = is_other && hands[i].body != target->body;
    has_other = has_other || is_other;
  }
  return n > 0 && has_other;
}

SsStatus
ss_stages_motion (const SsScenario *scenario, uint64_t seed, const SsSampleJudge *judge, SsRunControl *control,
                  SsSampledMotion *out, SsError *err)
{
  SS_ASSERT (out != NULL);

  Search *s = ss_new (Search);

  *out = (SsSampledMotion){.cost = NAN, .miss = NAN};
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  *s = (Search){.scenario = scenario,
                .plan = scenario->task.plan,
                .control = control,
                .judge = judge,
                .best = -1,
                .asked = INFINITY};
  ss_random_seed (&s->random, seed);
  SsStatus status = ss_stage_player_open (scenario, &s->player, err);
  if (status == SS_OK && s->player.n_hands > 0) {
    status = open_search (s, err);
    if (status == SS_OK)
      status = search (s, out, err);
  }
  out->n_samples = s->n_samples;
  if (status != SS_OK)
    ss_sampled_motion_clear (out);
  for (int i = 0; i < s->n_nodes; i++)
    clear_node (&s->nodes[i]);
  ss_free (s->q);
  ss_free (s->v);
  ss_free (s->end);
  ss_free (s->later);
  ss_stage_player_clear (&s->player);
  ss_free (s);
  return status;
}
