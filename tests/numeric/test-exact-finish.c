/* tests/numeric/test-exact-finish.c: plans in time steps made exact. Truth: motions of a sliding block and of a falling
 * puck under forces that are constant in each interval, in closed form. */
#include "plan/ss-exact-finish.h"

#include "nlp/ss-auto.h"
#include "nlp/ss-crisp.h"
#include "plan/ss-plan.h"
#include "transcribe/ss-transcriptions.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <string.h>

enum { STEPS = 8 };
static const double mu = 0.3, gravity = 9.81, way = 0.5, horizon = 1;

/* A block that slides on the floor shall stand still .5 m further on. */
static const char *const block_text =
    "{\"format\": 1, \"name\": \"block\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
    " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "  {\"name\": \"block\", \"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.2}, \"mass\": 1, \"lock\": "
    "[\"theta\"], \"position\": [0, 0.1]}],"
    " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"floor\", \"block\"], \"friction\": 0.3}],"
    " \"actuators\": [{\"name\": \"f\", \"type\": \"force\", \"body\": \"block\", \"direction\": [1, 0], \"lower\": "
    "-20, "
    "\"upper\": 20}]},"
    " \"task\": {\"horizon\": 1, \"steps\": 8, \"effort\": 1, \"targets\": [{\"body\": \"block\", \"position\": [0.5, "
    "0.1], \"velocity\": [0, 0]}]}}";

/* The plan in time steps, by CRISP. */
static void
plan_steps (const SsScenario *scenario, SsRunResult *result)
{
  SsCrispOptions options;
  const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_crisp, .options = &options};
  SsError err = {0};

  ss_nlp_init_options (&ss_nlp_crisp, true, &options);
  SS_CHECK (ss_plan (&job, NULL, result, &err) == SS_OK);
  SS_CHECK (result->outcome == SS_OUTCOME_SOLVED);
}

static SsStatus
finish_steps (const SsSolveJob *job, const SsTrajectory *steps, SsRunControl *control, SsExactFinish *finish,
              SsError *err)
{
  return ss_exact_finish (job, &steps, 1, INFINITY, control, finish, err);
}

/* Where the block is at the end under these forces, which never turn its slip: it stops once, and stays where the force
 * is within the cone. */
static void
slide (const double *force, double *x, double *v)
{
  const double h = horizon / STEPS, most = mu * gravity;

  *x = *v = 0;
  for (int i = 0; i < STEPS; i++) {
    const double a = *v > 0 || force[i] > most ? force[i] - most : 0, stop = a < 0 ? fmin (-*v / a, h) : h;

    *x += *v * stop + a * stop * stop / 2;
    *v = stop < h || a == 0 ? 0 : *v + a * stop;
  }
}

static void
test_block (void)
{
  SsScenario *scenario = ss_test_read_text (block_text);
  const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_auto};
  SsExactFinish finish;
  SsRunResult steps;
  SsError err = {0};
  double force[STEPS], x, v;

  plan_steps (scenario, &steps);
  SS_CHECK (finish_steps (&job, ss_run_motion (&steps), NULL, &finish, &err) == SS_OK);
  SS_CHECK (finish.is_found && finish.reason[0] == '\0');
  SS_CHECK (finish.end_distance <= SS_EXACT_NEAR);
  SS_CHECK (finish.result.outcome == SS_OUTCOME_SOLVED);
  const SsTrajectory *exact = ss_run_motion (&finish.result);
  SS_CHECK (exact != NULL);
  if (exact != NULL) {
    const int channel = ss_trajectory_channel (exact, "u.f");
    double row[200];

    SS_CHECK (channel > 0 && exact->n_channels <= 200);
    for (int i = 0; i < STEPS; i++) {
      ss_trajectory_sample (exact, (i + 0.5) * horizon / STEPS, row);
      force[i] = row[channel];
    }
    slide (force, &x, &v);
    /* rows of the smooth problem hold to 1e-11, the motion is quadratic in each element */
    SS_CHECK_NEAR (x, way, 1e-9);
    SS_CHECK_NEAR (v, 0, 1e-9);
  }
  ss_exact_finish_clear (&finish);
  ss_run_result_clear (&steps);
  ss_scenario_free (scenario);
}

/* A contact closes within the step in which it would at its speed, and sticks where its force is within the cone. */
static void
test_sequence (void)
{
  SsScenario *scenario = ss_test_read_text (block_text);
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};
  static const char *const names[] = {"t", "block.x", "block.y", "block.vx", "block.vy", "c.lambda_n", "u.f"};
  SsTrajectory *motion = NULL;
  SsFesdSequence *sequence = NULL;
  SsError err = {0};
  const double h = horizon / STEPS, speed = 0.25;

  SS_CHECK (ss_trajectory_new_named (names, 7, STEPS + 1, &motion, &err) == SS_OK);
  /* it falls with .25 m/s and hits in the middle of the second step */
  for (int k = 0; k <= STEPS; k++) {
    const bool lies = k >= 2;
    const double row[] = {k * h, 0, 0.1 + (lies ? 0 : speed * (1.5 - k) * h), 0, lies ? 0 : -speed, lies ? 10 : 0, 0};

    SS_CHECK (ss_trajectory_append (motion, row, &err) == SS_OK);
  }
  SS_CHECK (ss_fesd_sequence_from_steps (scenario, &options, motion, &sequence, &err) == SS_OK);
  SS_CHECK (sequence != NULL && sequence->n_segments == STEPS + 1);
  if (sequence != NULL && sequence->n_segments == STEPS + 1) {
    const SsFesdSegment *segments = sequence->segments;

    SS_CHECK (segments[0].mode[0] == SS_FESD_OPEN && segments[1].mode[0] == SS_FESD_OPEN);
    SS_CHECK (segments[2].mode[0] == SS_FESD_STICK && segments[2].jump[0] != SS_FESD_OPEN);
    SS_CHECK (segments[1].interval == 1 && segments[2].interval == 1 && segments[3].jump[0] == SS_FESD_OPEN);
    SS_CHECK_NEAR (segments[1].length, h / 2, 1e-6); /* the rate is a difference over 2 us */
  }
  ss_fesd_sequence_free (sequence);
  ss_trajectory_free (motion);
  ss_scenario_free (scenario);
}

/* Two blocks hit the floor at once: one slides on, one sticks. Each has its own forces, gaps and impulse, whichever
 * contact is listed first; a plan whose end is free has its steps from the rows. */
static void
test_two_contacts (void)
{
  static const char *const names[] = {"t",    "p.x",  "p.y",        "p.vx",       "p.vy",       "q.x",        "q.y",
                                      "q.vx", "q.vy", "c.lambda_n", "c.lambda_t", "d.lambda_n", "d.lambda_t", "u.f"};
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};

  for (int variant = 0; variant < 4; variant++) {
    const bool is_turned = variant % 2 == 1, is_free = variant >= 2;
    const double h = (is_free ? 1.25 : 1) * horizon / STEPS, drop = 0.25, slip = 0.5;
    const int of_p = is_turned ? 1 : 0; /* the number of its contact */
    double normal[2][STEPS + 1] = {{0}}, tangential[2][STEPS + 1] = {{0}};
    char text[1600];
    SsTrajectory *motion = NULL;
    SsFesdSequence *sequence = NULL;
    SsError err = {0};

    snprintf (
        text, sizeof text,
        "{\"format\": 1, \"name\": \"two\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.3, \"bodies\":"
        " [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
        " {\"name\": \"p\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"lock\": [\"theta\"],"
        " \"position\": [0, 0.2]}, {\"name\": \"q\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1,"
        " \"lock\": [\"theta\"], \"position\": [3, 0.2]}], \"contacts\": [{\"name\": \"%s\", \"bodies\": [\"floor\","
        " \"%s\"]}, {\"name\": \"%s\", \"bodies\": [\"floor\", \"%s\"]}], \"actuators\": [{\"name\": \"f\", \"type\":"
        " \"force\", \"body\": \"p\", \"direction\": [1, 0], \"lower\": -20, \"upper\": 20}]}, \"task\": {\"horizon\":"
        " 1, \"steps\": 8%s, \"effort\": 1, \"targets\": [{\"body\": \"p\", \"position\": [0.5, 0.1]}]}}",
        is_turned ? "d" : "c", is_turned ? "q" : "p", is_turned ? "c" : "d", is_turned ? "p" : "q",
        is_free ? ", \"free_time\": {\"lower\": 0.5, \"upper\": 2}" : "");
    SsScenario *scenario = ss_test_read_text (text);
    SS_CHECK (ss_trajectory_new_named (names, 14, STEPS + 1, &motion, &err) == SS_OK);
    for (int k = 0; k <= STEPS; k++) { /* they hit in the middle of the second step */
      const bool lies = k >= 2;
      const double y = 0.1 + (lies ? 0 : drop * (1.5 - k) * h), vy = lies ? 0 : -drop;

      normal[of_p][k] = lies ? (k == 2 ? 20 : 5 + k) : 0;
      normal[1 - of_p][k] = lies ? (k == 2 ? 50 : 9 + 2 * k) : 0;
      tangential[of_p][k] = -mu * normal[of_p][k];
      tangential[1 - of_p][k] = 0.1 * normal[1 - of_p][k];
      const double row[] = {k * h,
                            k * h * slip,
                            y,
                            slip,
                            vy,
                            3,
                            y,
                            0,
                            vy,
                            normal[of_p][k],
                            tangential[of_p][k],
                            normal[1 - of_p][k],
                            tangential[1 - of_p][k],
                            0};
      SS_CHECK (ss_trajectory_append (motion, row, &err) == SS_OK);
    }
    SS_CHECK (scenario != NULL && ss_fesd_sequence_from_steps (scenario, &options, motion, &sequence, &err) == SS_OK);
    SS_CHECK (sequence != NULL && sequence->n_segments == STEPS + 1 && sequence->n_gaps == 2);
    for (int s = 0; sequence != NULL && sequence->n_segments == STEPS + 1 && s <= STEPS; s++) {
      const SsFesdSegment *segment = &sequence->segments[s];
      const int k = s < 2 ? s : s - 1; /* its step */

      SS_CHECK (segment->interval == k && segment->n_samples == 2);
      SS_CHECK_NEAR (segment->length, s == 1 || s == 2 ? h / 2 : h, 1e-6);
      for (int l = 0; l < 2; l++) {
        const SsFesdMode mode = s < 2 ? SS_FESD_OPEN : l == of_p ? SS_FESD_SLIP_PLUS : SS_FESD_STICK;

        SS_CHECK (segment->mode[l] == mode && segment->jump[l] == (s == 2 ? mode : SS_FESD_OPEN));
        if (s == 2) {
          const double part = 1 - normal[l][3] / normal[l][2];
          SS_CHECK_NEAR (segment->impulse[2 * l], part * normal[l][2] * h, 1e-12);
          SS_CHECK_NEAR (segment->impulse[2 * l + 1], part * tangential[l][2] * h, 1e-12);
        }
        for (int end = 0; end < 2 && segment->n_samples == 2; end++) {
          const double *sample = segment->samples + end * ss_fesd_sequence_sample_size (sequence);
          const int row = s == 2 && end == 0 ? 3 : k + 1;

          SS_CHECK_NEAR (sample[1 + 2 * 9 + l], s < 2 ? 0 : normal[l][row], 1e-12);
          SS_CHECK_NEAR (sample[1 + 2 * 9 + 2 + l], s < 2 ? 0 : tangential[l][row], 1e-12);
          SS_CHECK_NEAR (sample[1 + 2 * 9 + 4 + l], sample[1 + (l == of_p ? 4 : 7)] - 0.1, 1e-12);
        }
      }
    }
    if (sequence != NULL)
      SS_CHECK_NEAR (sequence->horizon, STEPS * h, 1e-12);
    ss_fesd_sequence_free (sequence);
    ss_trajectory_free (motion);
    ss_scenario_free (scenario);
  }
}

/* A history that is drawn: how the block is in each step, and the rows that say so; the mirror's sign is that of all
 * that goes along the floor. */
typedef struct {
  SsFesdMode mode[STEPS];
  double gap[STEPS + 1], sink[STEPS + 1], slip[STEPS + 1], normal[STEPS + 1], tangential[STEPS + 1], force[STEPS];
} History;

static void
draw_history (SsRandom *random, History *of)
{
  const double h = horizon / STEPS;

  *of = (History){.gap = {0.05}, .sink = {0.2}};
  for (int k = 0; k < STEPS; k++) {
    const double draw = ss_random_between (random, 0, 4);
    const SsFesdMode mode = draw < 1   ? SS_FESD_OPEN
                            : draw < 2 ? SS_FESD_STICK
                            : draw < 3 ? SS_FESD_SLIP_PLUS
                                       : SS_FESD_SLIP_MINUS;
    const bool is_open = mode == SS_FESD_OPEN;

    of->mode[k] = mode;
    of->force[k] = ss_random_between (random, -5, 5);
    of->gap[k + 1] = is_open ? ss_random_between (random, 0.01, 0.1) : 0;
    of->normal[k + 1] = is_open ? 0 : ss_random_between (random, 2, 20);
    of->slip[k + 1] =
        mode == SS_FESD_STICK ? 0 : ss_random_between (random, 0.1, 1) * (mode == SS_FESD_SLIP_MINUS ? -1 : 1);
    of->tangential[k + 1] = mu * of->normal[k + 1] *
                            (mode == SS_FESD_STICK       ? ss_random_between (random, -0.9, 0.9)
                             : mode == SS_FESD_SLIP_PLUS ? -1
                                                         : 1);
    of->sink[k + 1] = is_open ? of->gap[k + 1] / (h * ss_random_between (random, 0.02, 1.2)) : 0;
  }
  if (of->mode[0] != SS_FESD_OPEN) /* it rests there before */
    of->gap[0] = of->sink[0] = 0;
}

/* The part of step k after which the block is as it is in that step. */
static double
share_of (const History *of, int k)
{
  const SsFesdMode was = k > 0 ? of->mode[k - 1] : of->mode[0], is = of->mode[k];
  const double before = k > 1 ? of->slip[k - 1] : NAN, start = of->slip[k], end = of->slip[k + 1];
  const double share = was == is || is == SS_FESD_OPEN || was == SS_FESD_STICK ? 0
                       : was == SS_FESD_OPEN ? of->gap[k] / (of->sink[k] * horizon / STEPS)
                       : is == SS_FESD_STICK ? fabs (start) / fabs (before - start)
                                             : fabs (start) / (fabs (start) + fabs (end));

  return share == 0 ? 0 : isnan (share) ? 0.5 : fmin (fmax (share, 0.1), 0.9);
}

/* Segments are those of the history: modes, parts of steps, jumps where a gap closes, forces of its rows, and what the
 * impact gave beyond the step after it; the mirror's are the same, with slips turned round. */
static void
test_histories (void)
{
  enum { TRIES = 40 };
  SsScenario *scenario = ss_test_read_text (block_text);
  const SsTranscribeOptions options = {.class_ = &ss_transcription_fesd_j};
  static const char *const names[] = {"t",        "block.x",    "block.y",    "block.vx",
                                      "block.vy", "c.lambda_n", "c.lambda_t", "u.f"};
  const double h = horizon / STEPS;
  SsRandom random;
  SsError err = {0};

  ss_random_seed (&random, 35);
  for (int i = 0; i < 2 * TRIES; i++) {
    const double sign = i % 2 == 0 ? 1 : -1;
    SsTrajectory *motion = NULL;
    SsFesdSequence *sequence = NULL;
    static History of;
    double x = 0;
    int at = 0;

    if (sign > 0)
      draw_history (&random, &of);
    SS_CHECK (ss_trajectory_new_named (names, 8, STEPS + 1, &motion, &err) == SS_OK);
    for (int k = 0; k <= STEPS; k++) {
      const double row[] = {k * h,       sign * x,     0.1 + of.gap[k],         sign * of.slip[k],
                            -of.sink[k], of.normal[k], sign * of.tangential[k], k < STEPS ? sign * of.force[k] : 0};
      SS_CHECK (ss_trajectory_append (motion, row, &err) == SS_OK);
      x += h * of.slip[k];
    }
    SS_CHECK (ss_fesd_sequence_from_steps (scenario, &options, motion, &sequence, &err) == SS_OK);
    for (int k = 0; sequence != NULL && k < STEPS; k++) {
      const double share = share_of (&of, k);
      for (int half = share > 0 ? 0 : 1; half < 2 && at < sequence->n_segments; half++, at++) {
        const SsFesdSegment *segment = &sequence->segments[at];
        const SsFesdMode mode = of.mode[half == 1 || k == 0 ? k : k - 1];
        const bool closes = half == 1 && k > 0 && of.mode[k - 1] == SS_FESD_OPEN && mode != SS_FESD_OPEN;
        const SsFesdMode seen = sign > 0 || mode == SS_FESD_OPEN || mode == SS_FESD_STICK ? mode
                                : mode == SS_FESD_SLIP_PLUS                               ? SS_FESD_SLIP_MINUS
                                                                                          : SS_FESD_SLIP_PLUS;

        SS_CHECK (segment->interval == k && segment->mode[0] == seen && segment->n_samples == 2);
        SS_CHECK_NEAR (segment->length, h * (half == 0 ? share : 1 - share),
                       1e-7); /* the rate is a difference over 2 us */
        SS_CHECK (segment->jump[0] == (closes ? seen : SS_FESD_OPEN));
        if (closes) {
          const double part = fmax (1 - (k + 1 < STEPS ? of.normal[k + 2] : 0) / of.normal[k + 1], 0.1);
          SS_CHECK_NEAR (segment->impulse[0], part * of.normal[k + 1] * h, 1e-12);
          SS_CHECK_NEAR (segment->impulse[1], part * sign * of.tangential[k + 1] * h, 1e-12);
        }
        for (int end = 0; end < 2 && segment->n_samples == 2; end++) {
          const double *sample = segment->samples + end * ss_fesd_sequence_sample_size (sequence);
          const double part = end == 0 ? (half == 0 ? 0 : share) : (half == 0 ? share : 1);
          const int forces = end == 0 && half == 1 && share > 0 && k + 1 < STEPS ? k + 2 : k + 1;
          const bool acts = mode != SS_FESD_OPEN;
          SS_CHECK_NEAR (sample[1 + 2 * 6], acts ? of.normal[forces] : 0, 1e-12);
          SS_CHECK_NEAR (sample[2 + 2 * 6], acts ? sign * of.tangential[forces] : 0, 1e-12);
          SS_CHECK_NEAR (sample[3 + 2 * 6], sample[5] - 0.1, 1e-12);
          SS_CHECK_NEAR (sample[0], end, 0);
          SS_CHECK_NEAR (sample[5], (1 - part) * (0.1 + of.gap[k]) + part * (0.1 + of.gap[k + 1]), 1e-7);
        }
      }
    }
    SS_CHECK (sequence != NULL && at == sequence->n_segments);
    for (int k = 0; sequence != NULL && k < STEPS; k++)
      SS_CHECK (sequence->controls[k] == sign * of.force[k]);
    ss_fesd_sequence_free (sequence);
    ss_trajectory_free (motion);
  }
  ss_scenario_free (scenario);
}

/* A puck without friction falls onto the floor and stops over its goal: one impact, whose time no step has. */
static const char *const puck_text =
    "{\"format\": 1, \"name\": \"puck\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81],"
    " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "  {\"name\": \"puck\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"lock\": [\"theta\"], "
    "\"position\": [0, 0.7]}],"
    " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"floor\", \"puck\"], \"friction\": 0}],"
    " \"actuators\": [{\"name\": \"fx\", \"type\": \"force\", \"body\": \"puck\", \"direction\": [1, 0], \"lower\": "
    "-9, \"upper\": 9}, {\"name\": \"fy\", \"type\": \"force\", \"body\": \"puck\", \"direction\": [0, 1], \"lower\": "
    "-4, "
    "\"upper\": 4}]},"
    " \"task\": {\"horizon\": 1, \"steps\": 8, \"effort\": 1, \"targets\": [{\"body\": \"puck\", \"position\": [0.5, "
    "0.1], \"velocity\": [0, 0]}]}}";

/* Under forces that are constant in each interval: along x a double integral; along y likewise until the floor is met,
 * where it stays, as no force lifts its weight. *hit: when that is. */
static void
fall (double (*force)[2], double *x, double *vx, double *y, double *hit)
{
  const double h = horizon / STEPS, floor = 0.1;
  double vy = 0;

  *x = *vx = 0;
  *y = 0.7;
  *hit = INFINITY;
  for (int i = 0; i < STEPS; i++) {
    const double a = force[i][1] - gravity;

    *x += *vx * h + force[i][0] * h * h / 2;
    *vx += force[i][0] * h;
    if (isinf (*hit) && *y + vy * h + a * h * h / 2 <= floor) {
      *hit = i * h + (-vy - sqrt (vy * vy - 2 * a * (*y - floor))) / a;
      *y = floor;
    } else if (isinf (*hit))
      *y += vy * h + a * h * h / 2;
    vy += a * h;
  }
}

static void
test_impact (void)
{
  SsScenario *scenario = ss_test_read_text (puck_text);
  const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_auto};
  SsExactFinish finish;
  SsRunResult steps;
  SsError err = {0};
  double force[STEPS][2], x, vx, y, hit;

  plan_steps (scenario, &steps);
  SS_CHECK (finish_steps (&job, ss_run_motion (&steps), NULL, &finish, &err) == SS_OK);
  SS_CHECK (finish.is_found);
  const SsTrajectory *exact = ss_run_motion (&finish.result);
  if (exact != NULL) {
    const int columns[] = {ss_trajectory_channel (exact, "u.fx"), ss_trajectory_channel (exact, "u.fy"),
                           ss_trajectory_channel (exact, "puck.y"), ss_trajectory_channel (exact, "puck.vy")};
    double row[200];

    SS_CHECK (exact->n_channels <= 200);
    for (int i = 0; i < STEPS; i++) {
      ss_trajectory_sample (exact, (i + 0.5) * horizon / STEPS, row);
      force[i][0] = row[columns[0]];
      force[i][1] = row[columns[1]];
    }
    fall (force, &x, &vx, &y, &hit);
    /* parabolas are exact to rounding in each element; the targets are met to half a nanometre, or per second */
    SS_CHECK_NEAR (x, way, 1e-9);
    SS_CHECK_NEAR (vx, 0, 1e-9);
    SS_CHECK_NEAR (y, 0.1, 1e-9);
    /* the row before the jump is there, at that time */
    int first = 0;
    while (first < exact->n_rows && ss_trajectory_row (exact, first)[columns[2]] > 0.1 + 1e-9)
      first++;
    SS_CHECK (first < exact->n_rows && hit < horizon);
    if (first < exact->n_rows) {
      SS_CHECK_NEAR (ss_trajectory_row (exact, first)[0], hit, 1e-9);
      SS_CHECK (ss_trajectory_row (exact, first)[columns[3]] < -1);
    }
  }
  ss_exact_finish_clear (&finish);
  ss_run_result_clear (&steps);
  ss_scenario_free (scenario);
}

/* A corner that the straight way would cut, which no plan by fesd-j goes round: its walls are those of the start. */
static void
test_corner (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/plans/around-corner.stickslip.json", NULL, 0);
  const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_auto};
  SsExactFinish finish;
  SsRunResult steps;
  SsError err = {0};

  plan_steps (scenario, &steps);
  SS_CHECK (finish_steps (&job, ss_run_motion (&steps), NULL, &finish, &err) == SS_OK);
  SS_CHECK (finish.is_found && finish.result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (finish.end_distance <= SS_EXACT_NEAR);
  /* the judge measures the motion's overlap by geometry alone; contacts of the integrator hold to its rounding */
  SS_CHECK (finish.result.verdict.is_complete && finish.result.verdict.penetration.value <= 1e-8);
  ss_exact_finish_clear (&finish);
  ss_run_result_clear (&steps);
  ss_scenario_free (scenario);
}

/* No time is a reason, no error; and there is nothing to finish without a motion. */
static void
test_reasons (void)
{
  SsScenario *scenario = ss_test_read_text (block_text);
  const SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_auto};
  SsExactFinish finish;
  SsRunControl control;
  SsRunResult steps;
  SsError err = {0};

  plan_steps (scenario, &steps);
  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SS_CHECK (finish_steps (&job, ss_run_motion (&steps), &control, &finish, &err) == SS_OK);
  SS_CHECK (!finish.is_found && finish.result.n_motions == 0);
  SS_CHECK_STR (finish.reason, "the run was told to end"); /* not that its own CPU time ended */
  ss_exact_finish_clear (&finish);
  SS_CHECK (finish_steps (&job, NULL, NULL, &finish, &err) == SS_OK);
  SS_CHECK (!finish.is_found && finish.reason[0] != '\0');
  ss_exact_finish_clear (&finish);
  ss_run_result_clear (&steps);
  ss_scenario_free (scenario);
}

/* A race keeps the exact plan as a solution beside its answer, by default too; with finish=off there is none. */
static void
test_race (void)
{
  enum { BY_DEFAULT = SS_AUTO_FINISH_EXACT + 1, WAYS };

  for (int finish = SS_AUTO_FINISH_OFF; finish < WAYS; finish++) {
    SsScenario *scenario = ss_test_read_text (block_text);
    SsAutoOptions options;
    const SsOptionValue values[] = {{offsetof (SsAutoOptions, member), SS_RACE_PRICED},
                                    {offsetof (SsAutoOptions, threads), 1},
                                    {offsetof (SsAutoOptions, finish), finish}};
    SsSolveJob job = {.scenario = scenario, .nlp = &ss_nlp_auto, .options = &options};
    SsRunControl control;
    SsRunResult result;
    SsError err = {0};

    ss_options_init (ss_nlp_auto.options, &options);
    ss_options_give (ss_nlp_auto.options, &options, values, finish == BY_DEFAULT ? 2 : 3);
    ss_run_control_init (&control);
    SS_CHECK (ss_plan (&job, &control, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK (result.metrics.is_set[SS_METRIC_EXACT_FOUND] == (finish != SS_AUTO_FINISH_OFF));
    if (finish != SS_AUTO_FINISH_OFF && result.exact_solution > 0) {
      SS_CHECK (result.exact_solution <= result.n_solutions);
      SS_CHECK (strcmp (result.solutions[result.exact_solution - 1].start, "Exact Finish") == 0);
      SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_EXACT_END_DISTANCE) <= SS_EXACT_NEAR);
    } else
      SS_CHECK (finish == SS_AUTO_FINISH_OFF);
    ss_run_result_clear (&result);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (test_block);
  SS_RUN (test_impact);
  SS_RUN (test_corner);
  SS_RUN (test_sequence);
  SS_RUN (test_two_contacts);
  SS_RUN (test_histories);
  SS_RUN (test_reasons);
  SS_RUN (test_race);
  return ss_test_finish ();
}
