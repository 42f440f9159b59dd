/* engine/expr/ss-unit.h: the units that may stand behind a number: "5cm", "30 deg", "2 m/s", "1 kg m2".
 *
 * A unit stands directly behind a number, with or without blanks. There it is always the unit, also where a parameter
 * has the same name: "2g" is two grams, "2*g" twice the parameter. One of several words has single blanks ("N m") and
 * none about its slash ("m/s"); the longest that fits counts. Tests: tests/unit/test-expr.c */
#pragma once

#include "core/ss-core.h"

typedef struct {
  const char *name;
  double factor;                   /* of the number, to SI and radians              */
  signed char metre, kilo, second; /* dimension: powers of m, kg, s; angles have none */
} SsUnit;

/* The unit that begins a text without leading blanks, and its length in bytes; NULL if none does: a name that only
 * begins like one ("cm2", "deg.x", "mu") is none. */
const SsUnit *ss_unit_scan (const char *text, int *length);
/* The unit of this name, as a whole; NULL if there is none. "" has factor 1 and no dimension. */
const SsUnit *ss_unit_find (const char *name);
bool ss_unit_is_alike (const SsUnit *a, const SsUnit *b); /* one dimension: m and cm */
/* The units that are offered in messages: "m, cm, ...". */
extern const char ss_unit_examples[];
