/* engine/plan/ss-ways-on.c: see the header. */
#include "plan/ss-ways-on.h"

#include "core/ss-core.h"
#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "plan/ss-race.h"
#include "plan/ss-way-edits.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members that try a change, each with its counted work [s]. All kinds are tried by those of level 0 before any by the
 * others: sampled motions find most plans of drawn scenes that are found at all, in hundredths of a second; then the
 * failed motion, which may be all but right, and products priced. */
static const struct {
  SsRaceMember member;
  int level;
  double limit;
} tries[] = {{SS_RACE_STEADY, 0, 0.25}, {SS_RACE_GIVEN, 1, 0.15}, {SS_RACE_PRICED, 1, 0.5}};
enum { N_TRIES = sizeof tries / sizeof *tries, N_LEVELS = 2, WAYS_MOST = 40, TOLD_MOST = 2 };

/* Where a kind is: amounts up to `low` were not solved, those from `high` on were; of lists, `low` was tried last. */
typedef struct {
  const SsWaySpec *spec;
  int low, high;
  bool has_begun;
  int solved; /* its way, -1: none */
} Kind;

typedef struct {
  const SsSolveJob *job;
  SsRunControl *control;
  SsWayMaker maker;
  const SsTrajectory *failed; /* NULL: no motion was found */
  double end;                 /* of this thread's count [units] */
  int level;
  SsWayOn ways[WAYS_MOST];
  int n;
} Search;

/* ---- one try ----------------------------------------------------------------------------------------------------- */

/* A member on the changed scene, for so much work at most. */
static SsStatus
run_member (const Search *s, const SsScenario *changed, SsRaceMember member, double limit, SsWayOn *way, SsError *err)
{
  SsSolveJob job = {.scenario = changed,
                    .nlp = &ss_nlp_auto,
                    .start = member == SS_RACE_GIVEN ? s->failed : NULL,
                    .is_part = true,
                    .keeps_feasible = true};
  SsRaceBeside beside = {0};
  SsAutoOptions options;
  SsRunResult result;
  SsSilence silence;
  const double work = ss_work_thread (), cpu = ss_clock_thread_cpu ();

  ss_options_init (ss_nlp_auto.options, &options);
  ss_run_result_init (&beside.steady);
  ss_silence_init (&silence, s->control);
  ss_run_control_inherit (&silence.inner, s->control);
  silence.inner.work_limit = fmin (work + limit * SS_WORK_SECOND, s->end);
  SsStatus status = ss_race_member_run (&job, member, &options, &(SsLazyWay){0}, &beside, &silence.inner, &result, err);
  way->cpu += ss_clock_thread_cpu () - cpu;
  way->work += (ss_work_thread () - work) / SS_WORK_SECOND;
  if (status == SS_OK && result.outcome == SS_OUTCOME_SOLVED) {
    way->outcome = SS_OUTCOME_SOLVED;
    way->objective = ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE);
  }
  ss_run_result_clear (&result);
  ss_run_result_clear (&beside.steady);
  ss_tries_clear (&beside.tries);
  return status;
}

/* The changed scene, by the members of the search's level (is_new: and those before) until one solves it. A change that
 * the reader, or a member, refuses is none: *is_there false. */
static SsStatus
try_change (const Search *s, bool is_new, SsWayOn *way, bool *is_there, SsError *err)
{
  SsScenario *changed = NULL;
  SsProblems problems;
  SsOutcome why;
  char *text = NULL;
  SsStatus status = ss_scenario_with_edits (s->job->scenario, way->edits, way->n_edits, &text, err);

  *is_there = false;
  if (status != SS_OK)
    return status;
  ss_problems_init (&problems);
  status = ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &changed);
  ss_problems_clear (&problems);
  ss_free (text);
  if (status == SS_ERR_MEMORY)
    return ss_error_set (err, status, "out of memory");
  if (status != SS_OK || changed->task.plan == NULL) {
    ss_scenario_free (changed);
    return SS_OK;
  }
  *is_there = true;
  for (int i = 0; i < N_TRIES && status == SS_OK && way->outcome != SS_OUTCOME_SOLVED && ss_work_thread () < s->end &&
                  !ss_run_control_should_stop (s->control, &why);
       i++)
    if ((tries[i].level == s->level || (is_new && tries[i].level < s->level)) &&
        (tries[i].member != SS_RACE_GIVEN || s->failed != NULL))
      status = run_member (s, changed, tries[i].member, tries[i].limit, way, err);
  ss_scenario_free (changed);
  if (status == SS_ERR_INVALID) {
    *is_there = false;
    if (err != NULL)
      *err = (SsError){0};
    status = SS_OK;
  }
  return status;
}

/* ---- which next -------------------------------------------------------------------------------------------------- */

/* The amount to try next; -1: none. */
static int
next_of (const Kind *kind)
{
  const SsWaySpec *spec = kind->spec;

  if (!kind->has_begun)
    return spec->first;
  if (spec->is_list)
    return kind->solved < 0 && kind->low + 1 < spec->n_amounts ? kind->low + 1 : -1;
  return kind->high - kind->low > 1 ? (kind->low + kind->high) / 2 : -1;
}

/* The way that says the same; -1: none. */
static int
find_way (const Search *s, const SsWayOn *way)
{
  for (int i = 0; i < s->n; i++)
    if (strcmp (s->ways[i].kind, way->kind) == 0 && strcmp (s->ways[i].words, way->words) == 0)
      return i;
  return -1;
}

/* Keeps a way that was tried, once; one that was solved takes the place of a larger change of its kind. */
static void
keep (Search *s, Kind *kind, SsWayOn *way)
{
  const bool is_solved = way->outcome == SS_OUTCOME_SOLVED;
  int place = find_way (s, way);

  if (place >= 0) {
    way->cpu += s->ways[place].cpu;
    way->work += s->ways[place].work;
  } else if (is_solved)
    place = kind->solved;
  if (place >= 0)
    ss_way_on_clear (&s->ways[place]);
  else
    place = s->n++;
  s->ways[place] = *way;
  if (is_solved)
    kind->solved = place;
}

static SsStatus
try_amount (Search *s, Kind *kind, int amount, SsError *err)
{
  SsWayOn way;
  SsOutcome why;
  bool is_there;
  char text[SS_WAY_TEXT + 80];
  SsStatus status = ss_way_make (&s->maker, kind->spec, kind->spec->amounts[amount], &way, &is_there, err);

  if (status == SS_OK && is_there)
    status = try_change (s, kind->solved >= 0, &way, &is_there, err);
  const bool is_solved = is_there && way.outcome == SS_OUTCOME_SOLVED,
             is_tried = is_solved ||
                        (is_there && ss_work_thread () < s->end && !ss_run_control_should_stop (s->control, &why));
  if (is_solved && !kind->spec->is_list)
    kind->high = amount;
  else
    kind->low = amount;
  kind->has_begun = true;
  if (status == SS_OK && is_tried && s->n < WAYS_MOST) { /* what the end cut short says nothing */
    ss_run_control_log (s->control, SS_LOG_INFO, "way on: %s, %.2g s", ss_way_on_describe (&way, text, sizeof text),
                        way.work);
    keep (s, kind, &way);
  } else
    ss_way_on_clear (&way);
  return status;
}

/* Rounds over the kinds, until nothing is left to be tried at this level. *is_over: the search is. */
static SsStatus
try_level (Search *s, Kind *kinds, int n_kinds, bool *is_over, SsError *err)
{
  SsOutcome why;
  bool is_left = true;

  while (is_left) {
    is_left = false;
    for (int i = 0; i < n_kinds; i++) {
      const int amount = next_of (&kinds[i]);

      if (amount < 0)
        continue;
      *is_over = ss_work_thread () >= s->end || ss_run_control_should_stop (s->control, &why);
      if (*is_over)
        return SS_OK;
      const SsStatus status = try_amount (s, &kinds[i], amount, err);
      if (status != SS_OK)
        return status;
      is_left = true;
      *is_over = kinds[i].spec->is_unchanged && kinds[i].solved >= 0; /* nothing needs a change */
      if (*is_over)
        return SS_OK;
    }
  }
  return SS_OK;
}

static SsStatus
try_all (Search *s, SsError *err)
{
  int n_kinds;
  const SsWaySpec *specs = ss_way_specs (&n_kinds);
  Kind kinds[SS_WAY_AMOUNTS];
  SsStatus status = SS_OK;
  bool is_over = false;

  SS_ASSERT (n_kinds <= SS_WAY_AMOUNTS);
  for (int i = 0; i < n_kinds; i++)
    kinds[i].solved = -1;
  for (s->level = 0; s->level < N_LEVELS && status == SS_OK && !is_over; s->level++) {
    for (int i = 0; i < n_kinds; i++)
      if (kinds[i].solved < 0)
        kinds[i] = (Kind){.spec = &specs[i], .low = -1, .high = specs[i].n_amounts, .solved = -1};
    status = try_level (s, kinds, n_kinds, &is_over, err);
  }
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

bool
ss_ways_on_wanted (const SsSolveJob *job, const SsRunResult *result)
{
  return job->ways_on > 0 && !job->is_part && job->scenario->model == NULL && job->scenario->scene != NULL &&
         job->scenario->task.plan != NULL && !ss_outcome_is_success (result->outcome) &&
         !ss_outcome_is_asked (result->outcome) && result->outcome != SS_OUTCOME_UNBOUNDED;
}

/* Those that were solved first; each part in the order of the tries. */
static void
put_in_order (const Search *s, SsRunResult *result)
{
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < s->n; i++)
      if ((s->ways[i].outcome == SS_OUTCOME_SOLVED) == (pass == 0))
        result->ways[result->n_ways++] = s->ways[i];
}

/* At the head of the message: what people look for after a failure. */
static void
tell (SsRunResult *result)
{
  char message[sizeof result->message], text[SS_WAY_TEXT + 80], head[2 * sizeof text] = "";
  int n_solved = 0;

  for (int i = 0; i < result->n_ways; i++) {
    n_solved += result->ways[i].outcome == SS_OUTCOME_SOLVED;
    if (result->ways[i].outcome == SS_OUTCOME_SOLVED && n_solved <= TOLD_MOST)
      ss_run_append_text (head, sizeof head, ss_way_on_describe (&result->ways[i], text, sizeof text));
  }
  if (n_solved > TOLD_MOST) {
    snprintf (text, sizeof text, "and %d more ways on", n_solved - TOLD_MOST);
    ss_run_append_text (head, sizeof head, text);
  } else if (n_solved == 0 && result->n_ways > 0)
    snprintf (head, sizeof head, "none of %d changes of the scene that were tried made it solvable", result->n_ways);
  memcpy (message, result->message, sizeof message);
  result->message[0] = '\0';
  ss_run_append_text (result->message, sizeof result->message, head);
  ss_run_append_text (result->message, sizeof result->message, message);
}

SsStatus
ss_ways_on_find (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL);

  Search *s = ss_new (Search);

  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  s->job = job;
  s->control = control;
  s->failed = ss_run_motion (result);
  s->end = ss_work_thread () + job->ways_on * SS_WORK_SECOND;
  SsStatus status = ss_way_maker_open (&s->maker, job, err);
  if (status == SS_OK)
    status = try_all (s, err);
  if (status == SS_OK && s->n > 0) {
    result->ways = ss_new_array (SsWayOn, s->n);
    if (result->ways == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  if (status == SS_OK && s->n > 0) {
    put_in_order (s, result);
    tell (result);
  } else
    for (int i = 0; i < s->n; i++)
      ss_way_on_clear (&s->ways[i]);
  ss_way_maker_close (&s->maker);
  ss_free (s);
  return status;
}
