/* engine/judge/ss-reasons.c: see ss-reasons.h. */
#include "judge/ss-reasons-private.h"

#include <math.h>
#include <stdio.h>

/* A body that has passed through another counts as this at least, however thin they are. */
static const double size_of_passage = 100;

/* ---- what the verdict says --------------------------------------------------------------------------------------- */

static bool
has_reason (const SsReasonList *list, SsReasonKind kind, int key)
{
  for (int i = 0; i < list->n; i++)
    if (list->items[i].kind == kind && list->items[i].key == key)
      return true;
  return false;
}

static void
tell_overlap (const SsScene *scene, const SsMotionVerdict *verdict, SsReasonList *list)
{
  const SsMotionWorst *both[] = {&verdict->penetration, &verdict->swept_overlap};
  char depth[SS_REASON_QUANTITY];

  for (int i = 0; i < 2; i++) {
    const SsMotionWorst *worst = both[i];
    SsReason *reason = worst->index >= 0 && !has_reason (list, SS_REASON_PASSAGE, worst->index)
                           ? ss_reason_take (list, SS_REASON_OVERLAP, worst->index, worst->value, "m", worst->t,
                                             worst->value / SS_WORTH_LENGTH)
                           : NULL;

    if (reason != NULL)
      snprintf (reason->text, sizeof reason->text, "%s and %s overlap by %s at t = %.4g s",
                scene->bodies[scene->contacts[worst->index].body_a].name,
                scene->bodies[scene->contacts[worst->index].body_b].name, ss_reason_quantity (worst->value, "m", depth),
                worst->t);
  }
}

/* Bodies that have passed each other, by the rows between which it was. */
static void
tell_passage (const SsScene *scene, const SsMotionVerdict *verdict, const SsTrajectory *motion, SsReasonList *list)
{
  const SsMotionWorst *worst = &verdict->passage;
  double from = NAN, to = NAN;

  if (worst->index < 0 || !(worst->value > 0))
    return;
  for (int i = 1; i < motion->n_rows && isnan (from); i++)
    if (ss_trajectory_row (motion, i)[0] >= worst->t) {
      from = ss_trajectory_row (motion, i - 1)[0];
      to = ss_trajectory_row (motion, i)[0];
    }
  SsReason *reason = isnan (from) ? NULL
                                  : ss_reason_take (list, SS_REASON_PASSAGE, worst->index, worst->value, "m", from,
                                                    fmax (size_of_passage, worst->value / SS_WORTH_LENGTH));
  if (reason == NULL)
    return;
  const int on = ss_reason_on (scene, worst->index);
  reason->until = to;
  snprintf (reason->text, sizeof reason->text, "%s passes through %s between t = %.4g s and t = %.4g s",
            scene->bodies[on].name, scene->bodies[ss_reason_other (scene, worst->index, on)].name, from, to);
}

static void
tell_balance (const SsScene *scene, const SsMotionVerdict *verdict, SsReasonList *list)
{
  const SsMotionWorst *worst = &verdict->balance;
  char speed[SS_REASON_QUANTITY];
  SsReason *reason = worst->index >= 0 ? ss_reason_take (list, SS_REASON_NO_FORCE, worst->index, worst->value, "m/s",
                                                         worst->t, worst->value / SS_WORTH_SPEED)
                                       : NULL;

  if (reason != NULL)
    snprintf (reason->text, sizeof reason->text, "the velocity of %s changes by %s at t = %.4g s without a force",
              scene->bodies[worst->index].name, ss_reason_quantity (worst->value, "m/s", speed), worst->t);
}

/* Whether something else is wrong with the contact or joint, of which its energy follows. */
static bool
has_cause (const SsReasonList *list, bool is_contact, int index)
{
  static const SsReasonKind of_contacts[] = {SS_REASON_OVERLAP,  SS_REASON_PASSAGE, SS_REASON_DISTANT_FORCE,
                                             SS_REASON_FRICTION, SS_REASON_PULL,    SS_REASON_SLIP};
  bool found = !is_contact &&
               (has_reason (list, SS_REASON_JOINT, 2 * index) || has_reason (list, SS_REASON_JOINT, 2 * index + 1) ||
                has_reason (list, SS_REASON_JOINT_LIMIT, index));

  for (size_t k = 0; k < sizeof of_contacts / sizeof *of_contacts && is_contact; k++)
    found = found || has_reason (list, of_contacts[k], index);
  return found;
}

/* Energy that contacts or joints give. */
static void
tell_energy (const SsScene *scene, const SsMotionVerdict *verdict, SsReasonList *list)
{
  static const SsWork works[] = {SS_WORK_CONTACTS, SS_WORK_JOINTS, SS_WORK_LIMITS};
  char energy[SS_REASON_QUANTITY];

  for (int i = 0; i < 3; i++) {
    const SsMotionWorst *most = &verdict->given[works[i]].most;
    const double in_all = fmax (verdict->work[works[i]], i == 0 ? verdict->given[works[i]].sum : 0);
    const bool is_contact = works[i] == SS_WORK_CONTACTS;

    if (most->index < 0 || !(verdict->turned_over > 0) || !(in_all > 0) || has_cause (list, is_contact, most->index))
      continue;
    SsReason *reason = ss_reason_take (list, SS_REASON_ENERGY, i == 0 ? most->index : scene->n_contacts + most->index,
                                       most->value, "J", most->t, most->value / verdict->turned_over / SS_WORTH_SHARE);
    if (reason == NULL)
      continue;
    ss_reason_quantity (most->value, "J", energy);
    if (is_contact)
      snprintf (reason->text, sizeof reason->text, "the contact of %s and %s gives %s at t = %.4g s, out of nothing",
                scene->bodies[scene->contacts[most->index].body_a].name,
                scene->bodies[scene->contacts[most->index].body_b].name, energy, most->t);
    else
      snprintf (reason->text, sizeof reason->text, "%s %s gives %s at t = %.4g s, out of nothing",
                works[i] == SS_WORK_JOINTS ? "joint" : "the limit of joint", scene->joints[most->index].name, energy,
                most->t);
  }
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

typedef struct {
  SsReasonLaws *laws;
  SsReasonTask *task;
  int n_rows, n_seen;
} Visit;

static SsStatus
visit_row (void *data, const SsMotionContent *content, const SsMotionRow *before, const SsMotionRow *row,
           const SsMotionStage *stages, int n_stages, SsError *err)
{
  Visit *visit = data;

  visit->n_seen++;
  if (visit->task != NULL)
    ss_reason_task_row (visit->task, content, row, visit->n_seen == 1, visit->n_seen == visit->n_rows);
  return ss_reason_laws_row (visit->laws, content, before, row, stages, n_stages, err);
}

SsStatus
ss_reasons_of_motion (const SsScenario *scenario, const SsTrajectory *motion, const SsTrajectory *stages,
                      const SsMotionVerdict *verdict, SsReasons *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->scene != NULL && motion != NULL && verdict != NULL && out != NULL);
  SsReasonList *list = ss_new (SsReasonList);
  Visit visit = {.n_rows = motion->n_rows};
  SsStatus status = list != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  out->n = 0;
  if (status == SS_OK)
    status = ss_reason_laws_new (scenario->scene, verdict, list, &visit.laws, err);
  if (status == SS_OK && scenario->task.plan != NULL)
    status = ss_reason_task_new (scenario, list, &visit.task, err);
  if (status == SS_OK)
    status = ss_motion_visit (scenario->scene, motion, stages, visit_row, &visit, err);
  if (status == SS_OK && visit.task != NULL && motion->n_rows > 0)
    ss_reason_task_end (visit.task);
  if (status == SS_OK) {
    tell_passage (scenario->scene, verdict, motion, list);
    tell_overlap (scenario->scene, verdict, list);
    tell_balance (scenario->scene, verdict, list);
    tell_energy (scenario->scene, verdict, list);
    ss_reasons_choose (list, out);
  }
  ss_reason_laws_free (visit.laws);
  ss_reason_task_free (visit.task);
  ss_free (list);
  return status;
}
