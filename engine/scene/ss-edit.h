/* engine/scene/ss-edit.h: fields of a scenario's text by their paths, to be changed: "scene.bodies[1].mass",
 * "task.targets[0].position[0]", "task.horizon". A value is JSON: a number, a formula in quotes, a list.
 *
 * Threads: any. Tests: tests/unit/test-edit.c
 */
#pragma once

#include "scene/ss-scenario.h"

struct json_t;

typedef struct {
  const char *path;
  const char *value; /* JSON; NULL: the field is taken out */
} SsEdit;

/* Changes the tree of a file (Jansson's), in the order of the edits. Objects on the way that are missing are made,
 * lists are not, and no element is taken out of one. SS_ERR_INVALID names the path; the edits before it are done. */
SS_NODISCARD SsStatus ss_edit_tree (struct json_t *root, const SsEdit *edits, int n_edits, SsError *err);
/* The scenario's text with these edits, and with the parameters that are overridden now in the place of what it said:
 * a file like any other (ss_free). Not read: who reads it is told of what breaks a rule. On failure *text is NULL. */
SS_NODISCARD SsStatus ss_scenario_with_edits (const SsScenario *scenario, const SsEdit *edits, int n_edits, char **text,
                                              SsError *err);
