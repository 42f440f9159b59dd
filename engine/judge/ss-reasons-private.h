/* engine/judge/ss-reasons-private.h: what the files of ss-reasons.h share (ss-reasons-list.c: list, words;
 * ss-reasons.c: what the verdict says; ss-reasons-motion.c: laws that only the rows show; ss-reasons-task.c: what the
 * task asks for; ss-reasons-model.c: models in equations). */
#pragma once

#include "judge/ss-motion-private.h"
#include "judge/ss-reasons.h"

/* What is worth a word. */
#define SS_WORTH_LENGTH 1e-3 /* [m]     */
#define SS_WORTH_ANGLE  1e-2 /* [rad]   */
#define SS_WORTH_SPEED  1e-2 /* [m/s]   */
#define SS_WORTH_TURN   1e-1 /* [rad/s] */
#define SS_WORTH_SHARE  1e-2 /* of a control's range, a free horizon, the energy turned over */
#define SS_WORTH_ROW    1e-3 /* of a formula in its own unit */
/* Of these sizes nothing is told below this. */
#define SS_WORTH_LEAST 1e-2

enum { SS_REASON_CANDIDATES = 64 };

typedef struct {
  int n;
  SsReason items[SS_REASON_CANDIDATES];
} SsReasonList;

/* The place of what is to be told of that kind and key, with all but its text, where nothing larger is known of it;
 * else NULL. */
SsReason *ss_reason_take (SsReasonList *list, SsReasonKind kind, int key, double value, const char *unit, double t,
                          double size);
/* Sorts, leaves out what is far below the worst, and copies. */
void ss_reasons_choose (SsReasonList *list, SsReasons *out);
/* "26 mm", "0.18 m/s", "3.1 N" with three digits. Returns buffer. */
enum { SS_REASON_QUANTITY = 32 };
char *ss_reason_quantity (double value, const char *unit, char buffer[SS_REASON_QUANTITY]);
/* Name of the body; "the world" for -1. */
const char *ss_reason_body (const SsScene *scene, int body);
/* Of the contact's bodies the one that is acted on: one that can move, the lighter one where both can. */
int ss_reason_on (const SsScene *scene, int contact);
int ss_reason_other (const SsScene *scene, int contact, int on);
/* Sum of the inverse masses of both bodies; 0: none can move. */
double ss_reason_mobility (const SsScene *scene, int contact);

/* Names of all inputs of a model by slot: "x", "next(x)", parameters, "k", "t"; `next` has the texts of the second
 * kind. Both are the caller's, also on failure. */
SS_NODISCARD SsStatus ss_reason_slot_names (const SsScenario *scenario, const char ***names, char **next, SsError *err);

/* ---- measures of rows: SsMotionVisit ----------------------------------------------------------------------------- */

typedef struct SsReasonLaws SsReasonLaws;
SS_NODISCARD SsStatus ss_reason_laws_new (const SsScene *scene, const SsMotionVerdict *verdict, SsReasonList *list,
                                          SsReasonLaws **out, SsError *err);
void ss_reason_laws_free (SsReasonLaws *laws); /* NULL is allowed */
SS_NODISCARD SsStatus ss_reason_laws_row (SsReasonLaws *laws, const SsMotionContent *content, const SsMotionRow *before,
                                          const SsMotionRow *row, const SsMotionStage *stages, int n_stages,
                                          SsError *err);

typedef struct SsReasonTask SsReasonTask;
SS_NODISCARD SsStatus ss_reason_task_new (const SsScenario *scenario, SsReasonList *list, SsReasonTask **out,
                                          SsError *err);
void ss_reason_task_free (SsReasonTask *task); /* NULL is allowed */
void ss_reason_task_row (SsReasonTask *task, const SsMotionContent *content, const SsMotionRow *row, bool is_first,
                         bool is_last);
/* After the last row. */
void ss_reason_task_end (SsReasonTask *task);
