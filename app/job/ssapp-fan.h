/* app/job/ssapp-fan.h: the fan of a simulation (run/ss-run.h: SsRunFan) in a result's JSON, and back, and in words.
 *
 * "branches": [{"branch", "parent" (null: none), "from" [s], "share", "outcome", "message", "final_state",
 *   "events"}, ...],
 * "fan": {"bodies": [{"body", "rest", "tipped", "lowered", "mean": [x, y, theta], "spread": [...]}, ...]}
 * Branch 0 is the answer. Events are there up to SSAPP_FAN_EVENTS_MAX together; branches beyond have none, and
 * "events_left_out" of the fan counts them. The motions are in "motions", as of any run.
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

extern const SsappRecord ssapp_fan_body_record;   /* of SsFanBody */
extern const SsappRecord ssapp_fan_branch_record; /* of SsFanMember */
enum { SSAPP_FAN_EVENTS_MAX = 20000 };

/* Adds both members to a result's object, which has "motions" with their final states. */
void ssapp_fan_add_to_json (json_t *object, const SsScene *scene, const SsRunResult *result);

typedef struct {
  int branch;
  SsFanMember own; /* without its events */
} SsappFanBranch;

typedef struct {
  char *body;
  SsFanBody own; /* without its number */
} SsappFanBody;

typedef struct {
  GArray *branches; /* of SsappFanBranch */
  GArray *bodies;   /* of SsappFanBody */
} SsappFan;

/* Of a result; NULL where it has none. */
SsappFan *ssapp_fan_from_json (const json_t *result);
void ssapp_fan_free (SsappFan *fan); /* NULL is allowed */
/* "4 branches: block at rest 100 %, tipped 0 %, lowered 0 %"; g_free. */
char *ssapp_fan_summary (const SsappFan *fan);
/* What "at rest", "tipped" and "lowered" mean; static text. */
const char *ssapp_fan_legend (void);
/* "block: at rest 100 %, tipped 0 %, lowered 0 %; ends at x 0 ± 0.1 m, y 1 ± 0 m, θ 0 ± 0 rad"; g_free. */
char *ssapp_fan_body_describe (const SsappFanBody *body);
/* "branch 3, share 0.0625, from branch 1 at 0.21 s: failed: why"; g_free. */
char *ssapp_fan_branch_describe (const SsappFanBranch *branch);

G_END_DECLS
