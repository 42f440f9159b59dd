/* engine/nlp/ss-crisp-race-told.c: what others see of the race for models; see ss-crisp-race.h. */
#include "nlp/ss-crisp-race-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In the message; as others see them. */
static const struct {
  const char *words, *name, *label, *summary;
} specs[N_MEMBERS] = {
    [NEAR] = {"a few iterations of CRISP", "near", "A Few Iterations",
              "CRISP's defaults for ten iterations: enough from a start that is nearly an answer"},
    [INTERIOR] = {"the interior point", "interior", "Interior Point",
                  "An interior point on relaxed products with the exact Hessian, then the second-order finish"},
    [COARSE] = {"coarser grids", "coarse", "Coarser Grids",
                "Half as many time points and fewer first; CRISP and its finish from the answer there"},
    [MENDED] = {"CRISP from the interior point's end", "mended", "From the Interior Point",
                "CRISP from where the interior point ended without an answer, then the finish"},
    [DEFAULT] = {"CRISP's defaults", "default", "CRISP's Defaults", "CRISP by its defaults, then the finish"},
    [RELAXED] = {"CRISP with products first relaxed", "relaxed", "Relaxed Products",
                 "CRISP with products first relaxed, then the finish"},
    [AROUND] = {"starts round the best answer", "around", "Starts Round the Best",
                "The interior point and its finish from the best answer with noise, again and again"},
    [FARTHER] = {"starts round the guess", "farther", "Starts Round the Guess",
                 "The interior point and its finish from the guess with noise, again and again"},
    [SCHOLTES] = {"the homotopy", "scholtes", "Homotopy", "Relaxed products by Ipopt, then the finish"},
};

enum { MAX_COLUMNS = 16 };
static const double TELL = 0.2; /* how often the listener is told where the member is that works [s] */

const char *
ss_model_race_words (Member m)
{
  return specs[m].words;
}

void
ss_model_race_tell (Course *course)
{
  SS_ASSERT (course != NULL);

  SsProgress told = {.kind = SS_PROGRESS_MEMBERS, .members = course->race->members, .n_members = N_MEMBERS};

  course->told_at = ss_clock_wall ();
  if (course->progress != NULL)
    course->progress (course->user_data, &told);
}

/* An iteration gets its member's number and one that is the race's; an iterate is passed on as long as no member has
 * solved. */
static void
hear_member (void *user_data, const SsProgress *progress)
{
  Course *course = user_data;
  SsMember *member = &course->race->members[course->member];
  SsColumn columns[MAX_COLUMNS + 1];
  SsProgress told = *progress;

  if (progress->kind == SS_PROGRESS_ITERATION) {
    told.n_columns = progress->n_columns < MAX_COLUMNS ? progress->n_columns : MAX_COLUMNS;
    memcpy (columns, progress->columns, (size_t)told.n_columns * sizeof *columns);
    columns[told.n_columns++] = (SsColumn){"member", course->member + 1};
    told.columns = columns;
    told.iteration = course->iterations++;
    member->objective = ss_progress_column (progress, "objective");
    member->violation = ss_progress_column (progress, "violation");
  } else if (progress->kind == SS_PROGRESS_ITERATE) {
    if (course->best >= 0 && is_solved (&course->answer))
      return;
    told.iteration = course->iterations > 0 ? course->iterations - 1 : 0;
  }
  course->progress (course->user_data, &told);
  if (progress->kind == SS_PROGRESS_ITERATION && ss_clock_wall () - course->told_at >= TELL)
    ss_model_race_tell (course);
}

void
ss_model_race_enter (Course *course)
{
  for (int m = 0; m < N_MEMBERS; m++) {
    SsMember *member = &course->race->members[m];
    *member = (SsMember){.summary = specs[m].summary,
                         .state = SS_MEMBER_WAITING,
                         .began = NAN,
                         .ended = NAN,
                         .found = NAN,
                         .tenth = NAN,
                         .held = NAN,
                         .objective = NAN,
                         .violation = NAN,
                         .solution = -1};
    snprintf (member->name, sizeof member->name, "%s", specs[m].name);
    snprintf (member->label, sizeof member->label, "%s", specs[m].label);
  }
}

void
ss_model_race_begin (Course *course, Member m)
{
  SS_ASSERT (course != NULL);

  SsMember *member = &course->race->members[m];

  member->state = SS_MEMBER_RUNNING;
  if (!(member->began >= 0))
    member->began = ss_clock_wall () - course->start;
}

/* The listener hears of this member, which runs on its thread. */
void
ss_model_race_listen (Course *course, Member m)
{
  SS_ASSERT (course != NULL);

  SsRunControl *control = course->control;

  course->member = (int)m;
  ss_model_race_tell (course);
  control->stops_at = 1u << m;
  if (course->progress != NULL) {
    control->progress = hear_member;
    control->user_data = course;
  }
}

/* The listener hears of the race itself again. */
void
ss_model_race_unlisten (Course *course)
{
  SS_ASSERT (course != NULL);
  course->control->stops_at = 0;
  course->control->progress = course->progress;
  course->control->user_data = course->user_data;
}

void
ss_model_race_end (Course *course, Member m)
{
  SS_ASSERT (course != NULL);

  SsMember *member = &course->race->members[m];
  const SsNlpResult *r = &course->each[m];

  member->ended = ss_clock_wall () - course->start;
  member->objective = course->end[m].objective;
  member->violation = course->end[m].violation;
  member->state = is_solved (r)                      ? SS_MEMBER_SOLVED
                  : ss_outcome_is_early (r->outcome) ? SS_MEMBER_STOPPED
                                                     : SS_MEMBER_GAVE_UP;
  member->reason[0] = '\0';
  if (is_solved (r) && !(member->found >= 0))
    member->found = member->ended;
  if (!is_solved (r))
    snprintf (member->reason, sizeof member->reason, "%.*s", (int)strcspn (r->message, ";"), r->message);
  for (int i = 0; i < N_MEMBERS; i++)
    course->race->members[i].is_best = i == course->best && is_solved (&course->answer);
}

/* What is known of the members at the end. */
void
ss_model_race_close (Course *course)
{
  for (int m = 0; m < N_MEMBERS; m++) {
    SsMember *member = &course->race->members[m];
    member->is_best = m == course->best;
    member->solution = m == course->best ? 0 : -1;
    if (course->has_run[m])
      continue;
    member->state = SS_MEMBER_STOPPED;
    if (m == COARSE && !ss_model_race_has_grids (course->race))
      snprintf (member->reason, sizeof member->reason, "is for models of %d time points and more", GRID_LEAST);
    else
      snprintf (member->reason, sizeof member->reason, "was not needed after those before it");
  }
}
