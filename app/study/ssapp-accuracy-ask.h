/* app/study/ssapp-accuracy-ask.h: what people ask of simulators against a reference, as text: methods, steps, what they
 * are compared with. Read alike by the command line and the window.
 * Threads: any, one at a time; a run of a project: that of the store. Tests: tests/unit/test-accuracy.c
 */
#pragma once

#include "app/store/ssapp-store.h"
#include "app/study/ssapp-accuracy.h"

G_BEGIN_DECLS

/* Where nobody names a reference. */
#define SSAPP_ACCURACY_REFERENCE "fesd-j"

/* "moreau-jean,fesd-j:stages=2:scheme=radau-iia": of SsappAccuracyMethod with its free function; NULL with an error. */
GPtrArray *ssapp_accuracy_read_methods (const char *list, GError **error);
/* "0.02, 0.01": positive numbers, of double; "": those that suit a motion of that length. NULL with an error. */
GArray *ssapp_accuracy_read_steps (const char *list, double t_end, GError **error);

/* What motions are compared with: a method, a truth, or (both NULL) each method's own finest run. */
typedef struct {
  SsappAccuracyMethod *method; /* owned; NULL */
  SsappTruth *truth;           /* owned; NULL */
} SsappAccuracyReference;
/* "own" or "finest"; formulas "box.x=t^2/2; box.y=0"; a file that ends in .json or .csv; a method with options; a run
 * of the project (`store` may be NULL). "": SSAPP_ACCURACY_REFERENCE. FALSE with an error; `out` is empty then. */
gboolean ssapp_accuracy_read_reference (const char *what, const SsScenario *scenario, SsappStore *store,
                                        SsappAccuracyReference *out, GError **error);
void ssapp_accuracy_reference_clear (SsappAccuracyReference *reference);

G_END_DECLS
