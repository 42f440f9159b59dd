/* app/job/ssapp-replay-ask.h: what a replay is asked for beside its plan: a controller that holds it there, a start
 * that is moved, and the parameters that the plan was made with; and where a replay parts from its plan, in results
 * and for people. Tests: tests/unit/test-track-lqr.c, tests/cli/test-replay-feedback.sh
 */
#pragma once

#include "app/base/ssapp-record.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

typedef struct {
  SsFeedbackOptions feedback;
  GPtrArray *disturbed; /* of char *: "box.x"                       */
  GArray *disturbances; /* of double, same length                   */
  double friction;      /* of all contacts of the world, as a part of what they have; 1: as it is */
  int worlds;           /* other worlds that the plan is replayed in as well; 0: none */
  int worlds_seed;
  gboolean has_plan_set;
  GPtrArray *plan_names; /* of char *: parameters that the plan was made with */
  GArray *plan_values;   /* of double, same length                  */
} SsappReplayAsk;

void ssapp_replay_ask_init (SsappReplayAsk *ask); /* no controller, nothing moved */
/* What it owns. */
void ssapp_replay_ask_clear (SsappReplayAsk *ask);
/* Moves a coordinate of the start, such as "box.x", by so much; names are looked up later. */
void ssapp_replay_ask_disturb (SsappReplayAsk *ask, const char *what, double by);
/* A parameter that the plan was made with; the others had the file's values. */
void ssapp_replay_ask_plan_set (SsappReplayAsk *ask, const char *name, double value);

/* "none, lqr, replan or predict"; g_free. */
char *ssapp_controllers_dup_names (void);
/* The same, each with what it does; g_free. */
char *ssapp_controllers_help (void);

/* "controller": {"name", "q", "r", "every", "look_ahead"}, "disturb": {"box.x": 0.01}, "friction": 1.2, "worlds": {"n",
 * "seed"}, "plan": {"set": {...}} of a job; NULL, or what is wrong (g_free). */
char *ssapp_replay_ask_from_json (SsappReplayAsk *ask, const json_t *job);
extern const SsappRecord ssapp_controller_record; /* of "controller" */
extern const SsappRecord ssapp_worlds_record;     /* of SsappReplayAsk: its worlds */
/* The same into a job or a result, with what the controller did (NULL: nothing yet); what is not asked for is left out.
 * `plan` may be NULL. */
void ssapp_replay_ask_to_json (const SsappReplayAsk *ask, const SsFeedbackAccount *account, json_t *object,
                               json_t *plan);
/* The disturbances by bodies of the scene, as many as there are, into `out`; FALSE with what is wrong. */
gboolean ssapp_replay_ask_resolve (const SsappReplayAsk *ask, const SsScene *scene, SsDisturbance *out, SsError *error);

/* Where a replay parts from its plan, in a result; where nothing does, only the text is told, and t is null. */
typedef struct {
  double t;                            /* [s] */
  const char *contact, *plan, *replay; /* and its states; NULL: no contact differs */
  double distance, angle;              /* [m, rad] */
  const char *body, *text;             /* body NULL: none */
} SsappReplayFirst;
extern const SsappRecord ssapp_replay_first_record; /* of SsappReplayFirst */
/* "replay_first" of a result. */
json_t *ssapp_replay_first_to_json (const SsScene *scene, const SsRunResult *result);

G_END_DECLS
