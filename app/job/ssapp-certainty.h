/* app/job/ssapp-certainty.h: how sure the steps of a simulation are (simulate/ss-certainty.h) in a result's JSON, and
 * in words.
 *
 * "steps": {"unique", "several", "undecided", "first_several": {"t" [s], "residual", "apart" [m/s], "contacts":
 *   [name, ...], "velocities": [{"body", "first": [vx, vy, omega], "second": [...]}, ...]}}
 * "steps" is there where the run looked, "first_several" where a step had a second solution: the first such step, which
 * begins at t, velocities at its end in both solutions, of which the run took the first.
 */
#pragma once

#include "app/base/ssapp-record.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

/* A body that ends a step with another velocity in the second solution: vx, vy [m/s], omega [rad/s]. */
typedef struct {
  const char *body;
  double first[3], second[3];
} SsappTwoVelocities;

/* A step with a second solution. */
typedef struct {
  double t, residual, apart; /* its begin [s]; of the second solution, how far apart both are [m/s] */
  GPtrArray *contacts;       /* of char * */
  GArray *velocities;        /* of SsappTwoVelocities */
} SsappSecond;

/* "steps" of a result. Of the records an owner releases what reading made by ssapp_record_clear. */
typedef struct {
  int unique, several, undecided;
  SsappSecond *first_several; /* NULL: none */
} SsappSteps;
extern const SsappRecord ssapp_steps_record; /* of SsappSteps */

/* "steps" of a result; NULL where the run did not look. New reference. */
json_t *ssapp_certainty_to_json (const SsScene *scene, const SsRunResult *result);
/* "98 unique in velocities, 2 several (first from 0.1 s on, at floor-rod), 0 undecided" of a result; NULL where it has
 * none. g_free. */
char *ssapp_certainty_summary (const json_t *result);
/* The same as markup, after "Steps: "; with a second solution and `can_branch`, a link SSAPP_CERTAINTY_LINK behind it.
 * NULL where it has none. g_free. */
#define SSAPP_CERTAINTY_LINK "branch"
char *ssapp_certainty_dup_markup (const json_t *result, gboolean can_branch);
/* Lines about the first second solution, each of a body, with what the words mean; NULL where there is none. g_free. */
char *ssapp_certainty_details (const json_t *result);

G_END_DECLS
