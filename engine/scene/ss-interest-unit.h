/* engine/scene/ss-interest-unit.h: units of formulas over channels (scene/ss-interest.h). Threads: any; a graph belongs
 * to one. */
#pragma once

#include "expr/ss-expr.h"
#include "scene/ss-interest.h"

enum { SS_DIMENSIONS = 3 }; /* m, kg, s */

/* Powers; a number without a unit takes any. */
typedef struct {
  double power[SS_DIMENSIONS];
  bool is_any;
} SsDimension;

/* "N m/rad": words of base units with whole powers, divided by those behind '/'. False: it has others. */
bool ss_dimension_read (const char *text, SsDimension *out);
/* The name of the unit, or its base units with their powers; "" of a number. */
void ss_dimension_write (const SsDimension *unit, char text[SS_INTEREST_UNIT]);
/* a^by_a * b^by_b; b may be NULL: a^by_a. */
SsDimension ss_dimension_combine (const SsDimension *a, double by_a, const SsDimension *b, double by_b);
/* The unit of e; `units`: of the inputs. SS_ERR_INVALID: units do not fit; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_dimension_find (const SsGraph *graph, SsExpr e, const SsDimension *units, SsDimension *out,
                                         SsError *err);
