/* app/schema/ssapp-schemas.h: the documents of which `stickslip-cli schema` prints a JSON Schema.
 *
 * Threads: any. Tests: tests/cli/test-schema.py */
#pragma once

#include "app/base/ssapp-schema.h"

G_BEGIN_DECLS

extern const SsappSchema ssapp_schema_of_scenarios;    /* a scenario file */
extern const SsappSchema ssapp_schema_of_results;      /* what --json of simulate, optimise, replay and impact prints */
extern const SsappSchema ssapp_schema_of_events;       /* a line that a worker writes, or a line of --log */
extern const SsappSchema ssapp_schema_of_jobs;         /* a line that a worker, or such a program, reads */
extern const SsappSchema ssapp_schema_of_methods;      /* NAME.stickslip-method.json */
extern const SsappSchema ssapp_schema_of_method_lines; /* a line that the program of such a method writes */

/* All of them, ends with NULL. */
extern const SsappSchema *const ssapp_schemas[];

G_END_DECLS
