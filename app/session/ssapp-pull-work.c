/* app/session/ssapp-pull-work.c: see the header. */
#include "app/session/ssapp-pull-work.h"

#include <math.h>

enum { BAND_POINTS = 49, BAND_SIMULATIONS = 160, QUICK_SIMULATIONS = 40, THOROUGH_SIMULATIONS = 300, STARTS_MOST = 4 };

SsappPullWork *
ssapp_pull_work_ref (SsappPullWork *work)
{
  g_atomic_ref_count_inc (&work->refs);
  return work;
}

void
ssapp_pull_work_unref (SsappPullWork *work)
{
  if (!g_atomic_ref_count_dec (&work->refs))
    return;
  ssapp_fit_ask_clear (&work->ask);
  ss_pull_clear (&work->answer);
  ss_reach_clear (&work->band);
  g_free (work->formulas[0]);
  g_free (work->formulas[1]);
  g_mutex_clear (&work->mutex);
  g_cond_clear (&work->cond);
  g_free (work);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static SsPullJob
pull_job_of (const SsappPullWork *work)
{
  return (SsPullJob){.scenario = work->ask.scenario,
                     .method = work->ask.job.method,
                     .options = work->ask.options,
                     .dt = NAN,
                     .t_end = work->t_end,
                     .n_causes = (int)work->ask.free->len,
                     .causes = (const SsPullCause *)(const void *)work->ask.free->data};
}

static void
tell (SsappPullWork *work)
{
  if (!work->is_posted)
    g_idle_add (work->told, ssapp_pull_work_ref (work));
  work->is_posted = TRUE;
}

static double
misfit_of (const SsPull *pull)
{
  double sum = 0;

  for (int i = 0; i < pull->n_wants; i++)
    sum = hypot (sum, pull->outcomes[i].value - pull->outcomes[i].want);
  return pull->n_wants > 0 && isfinite (sum) ? sum : INFINITY;
}

/* From one start; the nearer of both is kept in *best. */
static void
try_from (const SsappPullWork *work, SsRunControl *control, const SsPullWant *wants, int n_wants, const double *from,
          SsPull *best)
{
  SsPullJob job = pull_job_of (work);
  SsPull pull;

  job.wants = wants;
  job.n_wants = n_wants;
  job.from = from;
  job.is_quick = true;
  job.most = QUICK_SIMULATIONS;
  if (ss_pull (&job, control, &pull, NULL) != SS_OK)
    return;
  if (misfit_of (&pull) < misfit_of (best) || best->n_wants == 0) {
    const double cpu = best->cpu_seconds + pull.cpu_seconds;
    const int n = best->n_simulations + pull.n_simulations;
    ss_pull_clear (best);
    *best = pull;
    best->cpu_seconds = cpu;
    best->n_simulations = n;
  } else
    ss_pull_clear (&pull);
}

/* Places of the band that are nearest, or between which the wish lies, as starts by their changes; how many. */
static int
starts_of_band (const SsReach *band, int axis, double wish, double starts[STARTS_MOST])
{
  int n = 0, nearest = -1;

  for (int i = 0; i < band->n_points; i++) {
    const double y = band->points[i].values[axis];
    if (isfinite (y) && (nearest < 0 || fabs (y - wish) < fabs (band->points[nearest].values[axis] - wish)))
      nearest = i;
  }
  for (int i = 0; i + 1 < band->n_points; i++) {
    const double a = band->points[i].values[axis] - wish, b = band->points[i + 1].values[axis] - wish;
    if (!((a <= 0) != (b <= 0)) || !isfinite (a) || !isfinite (b))
      continue;
    const double x = fabs (a) < fabs (b) ? band->points[i].at : band->points[i + 1].at;
    int at = n < STARTS_MOST ? n++ : STARTS_MOST - 1;
    for (; at > 0 && fabs (x - band->was) < fabs (starts[at - 1] - band->was); at--)
      starts[at] = starts[at - 1];
    starts[at] = x;
  }
  if (n == 0 && nearest >= 0)
    starts[n++] = band->points[nearest].at;
  return n;
}

/* The axis along which the only number moves the body more. */
static int
find_axis (const SsappPullWork *work, SsRunControl *control)
{
  const SsPullWant wants[2] = {{work->formulas[0], work->at[0], 1e9}, {work->formulas[1], work->at[1], 1e9}};
  SsPull pull = {0};
  int axis = 0;
  SsPullJob job = pull_job_of (work);

  job.wants = wants;
  job.n_wants = 2;
  job.is_quick = true;
  if (ss_pull (&job, control, &pull, NULL) == SS_OK && isfinite (pull.slopes[1]))
    axis = fabs (pull.slopes[1]) > fabs (pull.slopes[0]);
  ss_pull_clear (&pull);
  return axis;
}

static void
answer_wish (SsappPullWork *work, const double wish[2], int axis, const SsReach *band, const double *from,
             SsPull *answer)
{
  const SsPullWant wants[2] = {{work->formulas[0], wish[0], work->tolerance},
                               {work->formulas[1], wish[1], work->tolerance}};
  const SsPullWant *first = axis >= 0 ? &wants[axis] : wants;
  const int n_wants = axis >= 0 ? 1 : 2;
  double starts[STARTS_MOST];

  try_from (work, &work->control, first, n_wants, from, answer);
  if (answer->is_reached || band == NULL || axis < 0)
    return;
  const int n = starts_of_band (band, axis, wish[axis], starts);
  for (int i = 0; i < n && !answer->is_reached; i++)
    try_from (work, &work->control, first, n_wants, &starts[i], answer);
}

/* Over the whole ranges, until a newer wish comes: an answer that is reached or has its reason; else it is empty. */
static void
answer_thoroughly (SsappPullWork *work, const double wish[2], int axis, SsPull *answer)
{
  const SsPullWant wants[2] = {{work->formulas[0], wish[0], work->tolerance},
                               {work->formulas[1], wish[1], work->tolerance}};
  SsPullJob job = pull_job_of (work);

  job.wants = axis >= 0 ? &wants[axis] : wants;
  job.n_wants = axis >= 0 ? 1 : 2;
  job.most = THOROUGH_SIMULATIONS;
  if (ss_pull (&job, &work->thorough, answer, NULL) != SS_OK)
    *answer = (SsPull){0};
  else if (answer->outcome == SS_OUTCOME_CANCELLED)
    ss_pull_clear (answer);
}

static void
make_band (const SsappPullWork *work, SsRunControl *control, SsReach *band)
{
  const SsPullWant wants[2] = {{work->formulas[0], NAN, work->tolerance}, {work->formulas[1], NAN, work->tolerance}};
  SsPullJob job = pull_job_of (work);

  job.wants = wants;
  job.n_wants = work->n_axes;
  job.most = BAND_SIMULATIONS;
  if (ss_reach (&job, 0, BAND_POINTS, control, band, NULL) != SS_OK)
    *band = (SsReach){0};
}

/* Takes the answer; under the mutex. */
static void
give_answer (SsappPullWork *work, SsPull *answer, double *from)
{
  for (int k = 0; k < answer->n_causes; k++)
    from[k] = answer->changes[k].value;
  ss_pull_clear (&work->answer);
  work->answer = *answer;
  work->has_answer = TRUE;
  *answer = (SsPull){0};
}

/* The band is the work's from now on; one that was ended early and is empty stays the thread's. Under the mutex. */
static void
give_band (SsappPullWork *work, const SsReach *band)
{
  if (work->has_band || band->n_points == 0)
    return;
  work->band = *band;
  work->has_band = TRUE;
}

static gpointer
pull_thread (gpointer data)
{
  SsappPullWork *work = data;
  double from[SS_PULL_CAUSES_MAX];
  gboolean has_from = FALSE, has_band = FALSE;
  SsReach band = {0}; /* the thread's own view of work->band, whose arrays do not change once it is there */
  const int n_causes = (int)work->ask.free->len;
  int axis = work->n_axes == 1 ? 0 : n_causes > 1 ? -1 : find_axis (work, &work->control);

  g_mutex_lock (&work->mutex);
  work->axis = axis;
  while (!work->is_over) {
    double wish[2] = {work->wish[0], work->wish[1]};
    if (!work->has_wish && n_causes == 1 && !has_band) {
      g_mutex_unlock (&work->mutex);
      make_band (work, &work->control, &band);
      has_band = TRUE;
      g_mutex_lock (&work->mutex);
      give_band (work, &band);
      tell (work);
      continue;
    }
    if (!work->has_wish) {
      g_cond_wait (&work->cond, &work->mutex);
      continue;
    }
    work->has_wish = FALSE;
    const int n_wishes = work->n_wishes;
    g_mutex_unlock (&work->mutex);
    SsPull answer = {0};
    answer_wish (work, wish, axis, has_band ? &band : NULL, has_from ? from : NULL, &answer);
    if (!answer.is_reached && n_causes == 1 && !has_band) { /* it is needed now */
      make_band (work, &work->control, &band);
      has_band = TRUE;
      answer_wish (work, wish, axis, &band, has_from ? from : NULL, &answer);
    }
    const gboolean is_reached = answer.is_reached;
    const double misfit = misfit_of (&answer);
    g_mutex_lock (&work->mutex);
    if (has_band)
      give_band (work, &band);
    if (answer.n_causes > 0) {
      give_answer (work, &answer, from);
      has_from = TRUE;
    }
    if (!is_reached && !work->has_wish && !work->is_over) { /* what stands in the way */
      ss_run_control_init (&work->thorough);
      work->is_thorough = TRUE;
      tell (work);
      g_mutex_unlock (&work->mutex);
      answer_thoroughly (work, wish, axis, &answer);
      g_mutex_lock (&work->mutex);
      work->is_thorough = FALSE;
      if (answer.n_causes > 0 && misfit_of (&answer) <= 1.01 * misfit + work->tolerance) { /* its reason, no farther */
        give_answer (work, &answer, from);
        has_from = TRUE;
      }
      ss_pull_clear (&answer);
    }
    work->n_answered = n_wishes;
    tell (work);
  }
  const gboolean is_given = work->has_band;
  g_mutex_unlock (&work->mutex);
  if (has_band && !is_given)
    ss_reach_clear (&band);
  ssapp_pull_work_unref (work);
  return NULL;
}

void
ssapp_pull_work_start (SsappPullWork *work)
{
  g_return_if_fail (work != NULL);
  g_thread_unref (g_thread_new ("pull", pull_thread, ssapp_pull_work_ref (work)));
}
