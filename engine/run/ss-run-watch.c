/* engine/run/ss-run-watch.c: see the header. */
#include "run/ss-run-watch.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "solve/ss-run-judge.h"

struct SsRunWatch {
  SsSimWatch watch;
  const SsScene *scene; /* borrowed */
  SsMotionLaw law;
  bool finds_events;
  SsRunControl *control; /* borrowed; NULL: none */
  SsMotionJudge *judge;  /* owned, as the others */
  SsLawJudge *of_law;
  SsEventFinder *events;    /* NULL: not looked for */
  bool is_foreign;          /* no motion of this scene: nothing is known of it */
  double taken_before;      /* [J] */
  const SsSimWatch *beside; /* borrowed; NULL: nobody */
  double wall, cpu;
};

/* Clocks before the judge. */
typedef struct {
  double wall, cpu, work;
} Clocks;

static Clocks
read_clocks (void)
{
  return (Clocks){ss_clock_wall (), ss_clock_thread_cpu (), ss_work_thread ()};
}

static void
take_off (SsRunWatch *self, const Clocks *before)
{
  const Clocks now = read_clocks ();

  self->wall += now.wall - before->wall;
  self->cpu += now.cpu - before->cpu;
  if (self->control == NULL)
    return;
  self->control->deadline += now.wall - before->wall;
  self->control->work_limit += now.work - before->work;
  ss_run_control_move_cpu_limit (self->control, now.cpu - before->cpu); /* the judge works in this thread alone */
}

/* Errors of a motion that is none of this scene end the judging, not the run. */
static SsStatus
of_run (SsRunWatch *self, SsStatus status, const SsError *why, SsError *err)
{
  if (status == SS_ERR_INVALID) {
    self->is_foreign = true;
    return SS_OK;
  }
  if (status != SS_OK && err != NULL)
    *err = *why;
  return status;
}

static SsStatus
begin (void *owner, const SsMotionBlock *like, SsError *err)
{
  SsRunWatch *self = owner;
  const Clocks before = read_clocks ();
  SsError why = {0};
  SsMotionBlock first = *like;
  first.taken_before = self->taken_before;
  SsStatus status = ss_motion_judge_new (self->scene, &first, &self->judge, &why);

  if (status == SS_OK)
    status = ss_law_judge_new (self->scene, like, &self->law, &self->of_law, &why);
  if (status == SS_OK && self->finds_events)
    status = ss_event_finder_new (self->scene, like, &self->events, &why);
  status = of_run (self, status, &why, err);
  if (status == SS_OK && self->beside != NULL)
    status = self->beside->begin (self->beside->owner, like, err);
  take_off (self, &before);
  return status;
}

static SsStatus
take_rows (void *owner, const SsMotionBlock *rows, const SsPointImpulses *points, SsError *err)
{
  SsRunWatch *self = owner;
  const Clocks before = read_clocks ();
  SsError why = {0};
  SsStatus status = SS_OK;

  if (!self->is_foreign)
    status = ss_motion_judge_rows (self->judge, rows, NULL, &why);
  if (!self->is_foreign && status == SS_OK)
    status = ss_law_judge_rows (self->of_law, rows, NULL, &why);
  if (self->events != NULL)
    ss_event_finder_rows (self->events, rows, points);
  status = of_run (self, status, &why, err);
  if (status == SS_OK && self->beside != NULL)
    status = self->beside->rows (self->beside->owner, rows, points, err);
  take_off (self, &before);
  return status;
}

SsStatus
ss_run_watch_new (const SsScene *scene, const SsMotionLaw *law, bool finds_events, SsRunControl *control,
                  SsRunWatch **out, SsError *err)
{
  SS_ASSERT (scene != NULL && law != NULL && out != NULL);
  SsRunWatch *self = *out = ss_new (SsRunWatch);

  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to watch a simulation");
  self->watch = (SsSimWatch){self, begin, take_rows};
  self->scene = scene;
  self->law = *law;
  self->finds_events = finds_events;
  self->control = control;
  return SS_OK;
}

void
ss_run_watch_set_taken_before (SsRunWatch *self, double taken)
{
  SS_ASSERT (self != NULL && self->judge == NULL);
  self->taken_before = taken;
}

void
ss_run_watch_set_beside (SsRunWatch *self, const SsSimWatch *beside)
{
  SS_ASSERT (self != NULL && self->judge == NULL);
  self->beside = beside;
}

void
ss_run_watch_free (SsRunWatch *self)
{
  if (self == NULL)
    return;
  ss_motion_judge_free (self->judge);
  ss_law_judge_free (self->of_law);
  ss_event_finder_free (self->events);
  ss_free (self);
}

const SsSimWatch *
ss_run_watch_of (SsRunWatch *self)
{
  SS_ASSERT (self != NULL);
  return &self->watch;
}

void
ss_run_watch_times (const SsRunWatch *self, double *wall, double *cpu)
{
  SS_ASSERT (self != NULL && wall != NULL && cpu != NULL);
  *wall = self->wall;
  *cpu = self->cpu;
}

SsStatus
ss_run_watch_end (SsRunWatch *self, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  ss_run_forget_verdict (result);
  if (!self->is_foreign)
    status = ss_motion_judge_end (self->judge, &result->verdict, err);
  if (status == SS_OK && !self->is_foreign)
    ss_law_judge_end (self->of_law, &result->law);
  if (status == SS_OK && self->events != NULL)
    result->events = ss_event_finder_end (self->events);
  ss_run_take_verdict (self->is_foreign, result);
  return status;
}
