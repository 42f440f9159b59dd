/* engine/scene/ss-number.h: the numbers of a scenario by name, to be read and changed: those that a fit may free.
 *
 * A name is a parameter (`mu`), where a body starts (`box.x`, `.y`, `.theta`, `.vx`, `.vy`, `.omega`: as its channels
 * are called; also `.angle`), what it weighs (`box.mass`, `box.inertia`), gravity (`gravity.x`, `gravity.y`), a value
 * of the scene (`scene.friction`), or a field of anything that has a name in the file (`spring.stiffness`) or is a
 * contact in its list (`floor-box.restitution`, also where the list gives it no name, and no restitution).
 * What the file gives by a formula is no number: its parameters are; but for a body's start, which may move by itself.
 *
 * Threads: any. Tests: tests/unit/test-number.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct {
  double value;         /* as the scenario has it, with its overrides */
  double lower, upper;  /* that it may have at all; -INFINITY, INFINITY: no limit */
  int parameter;        /* index; -1: none */
  int body, coordinate; /* of a start: 0..5 as of ss_body_channels; -1: no start */
  bool is_mass;         /* of a mass or an inertia */
  bool is_by_formula;   /* of a start: its parameters move it, too */
  bool is_default;      /* of a field that the file leaves out */
} SsNumber;

/* SS_ERR_INVALID where there is none of that name, or where it is no number, with what there is. */
SS_NODISCARD SsStatus ss_scenario_number (const SsScenario *scenario, const char *name, SsNumber *number, SsError *err);
/* The text of the scenario with these numbers, and with the parameters that are overridden now, in the place of what it
 * said: a file like any other (owned by the caller: ss_free). Numbers are written with 17 digits, so that they come
 * back as they are. A body's start is that of its centre of mass. Errors as above; nothing else is checked: who reads
 * the text is told of values that break a rule. On failure *text is NULL. */
SS_NODISCARD SsStatus ss_scenario_with_numbers (const SsScenario *scenario, const SsOverride *numbers, int n_numbers,
                                                char **text, SsError *err);
