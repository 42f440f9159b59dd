/* engine/judge/ss-motion-law-words.c: a whole motion by its law of contact, and the verdict in words and as metrics;
 * see ss-motion-law.h. */
#include "judge/ss-motion-law.h"

#include <math.h>
#include <stdio.h>

SsStatus
ss_motion_judge_law (const SsScene *scene, SsTrajectory *motion, const SsTrajectory *stages, const SsMotionLaw *law,
                     SsRunControl *control, SsLawVerdict *out, SsError *err)
{
  SS_ASSERT (scene != NULL && motion != NULL && law != NULL && out != NULL);
  const SsMotionWorst unknown = {NAN, NAN, -1};
  const SsMotionBlock all = ss_motion_block_of_all (motion, stages);
  SsLawJudge *judge;

  *out = (SsLawVerdict){.law = unknown, .exact = unknown, .linearised = unknown};
  SsStatus status = ss_law_judge_new (scene, &all, law, &judge, err);
  if (status != SS_OK)
    return status;
  status = ss_law_judge_rows (judge, &all, control, err);
  if (status == SS_OK)
    ss_law_judge_end (judge, out);
  ss_law_judge_free (judge);
  return status;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

void
ss_motion_law_describe (const SsScene *scene, const SsLawVerdict *verdict, char *text, size_t size)
{
  SS_ASSERT (scene != NULL && verdict != NULL && text != NULL && size > 0);
  const SsLawMiss *miss = &verdict->miss;
  char what[160];

  text[0] = '\0';
  if (!(verdict->law.value > 0) || verdict->law.index < 0)
    return;
  const SsContact *c = &scene->contacts[verdict->law.index];
  const double bound = c->mu * miss->pn, friction = fabs (miss->pt), beyond = friction - bound;
  const bool has_impulse = miss->pn != 0 || miss->pt != 0;

  if (miss->pn < 0)
    snprintf (what, sizeof what, "it pulls, with %.3g N s%s", -miss->pn,
              c->cohesion > 0 ? " more than its cohesion can" : "");
  else if (has_impulse && beyond > 1e-9 * (1 + bound))
    snprintf (what, sizeof what, "its friction of %.3g N s is beyond its bound of %.3g N s", friction, bound);
  else if (miss->un < -fabs (miss->ut))
    snprintf (what, sizeof what, "it goes on to close, at %.3g m/s", -miss->un);
  else if (miss->un > fabs (miss->ut))
    snprintf (what, sizeof what, "it pushes with %.3g N s while it opens, or has a gap, by %.3g m/s", miss->pn,
              miss->un);
  else if (miss->pt * miss->ut > 0)
    snprintf (what, sizeof what, "its friction of %.3g N s goes along its slip of %.3g m/s", friction, fabs (miss->ut));
  else
    snprintf (what, sizeof what, "it slips at %.3g m/s with %.3g of the %.3g N s of its friction", fabs (miss->ut),
              friction, bound);
  snprintf (text, size, "contact %s (bodies %s and %s) misses its law by %.3g m/s at t = %.9g s: %s", c->name,
            scene->bodies[c->body_a].name, scene->bodies[c->body_b].name, verdict->law.value, verdict->law.t, what);
}

void
ss_motion_law_metrics (const SsLawVerdict *verdict, SsMetricSet *set)
{
  SS_ASSERT (verdict != NULL && set != NULL);
  const struct {
    SsMetric metric;
    double value;
  } known[] = {{SS_METRIC_MAX_LAW_RESIDUAL, verdict->law.value},
               {SS_METRIC_MAX_EXACT_RESIDUAL, verdict->exact.value},
               {SS_METRIC_MAX_LINEARISED_GAP, verdict->linearised.value}};

  for (size_t i = 0; i < sizeof known / sizeof *known && verdict->is_complete; i++)
    if (!isnan (known[i].value))
      ss_metric_set (set, known[i].metric, known[i].value);
}
