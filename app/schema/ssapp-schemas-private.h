/* app/schema/ssapp-schemas-private.h: what documents share. Threads: any. */
#pragma once

#include "app/schema/ssapp-schemas.h"

/* A result and its parts, the result first: the whole document, and what lines of workers are made of. */
enum { SSAPP_RESULT_PARTS = 40 };
extern const SsappSchemaPart ssapp_result_parts[];
/* What an event has beside its record. */
extern const SsappSchemaField ssapp_run_event_fields[2];
/* Adds the members of a result. */
void ssapp_schema_add_result (json_t *properties, json_t *needed);
