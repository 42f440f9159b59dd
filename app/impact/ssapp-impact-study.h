/* app/impact/ssapp-impact-study.h: what is studied beside a set and takes up to seconds, case by case on a thread of
 * its own: what contacts that give way make of the same impact, over a sweep (engine/impact/ss-compliant.h), and how
 * the set changes with the step h.
 * Threads: every function on the thread that made the study. Tests: tests/unit/test-impact-study.c
 */
#pragma once

#include "app/impact/ssapp-impact-source.h"

#include "impact/ss-compliant.h"
#include "impact/ss-impact-set.h"

G_BEGIN_DECLS

typedef struct SsappImpactStudy SsappImpactStudy;

/* The sweep with the usual options from the source's state, with another friction or approach as
 * ssapp_impact_source_make has it. Rows of 1 + 2m: what is swept (log10 of k_A/k_B, or the angle [rad]), then the
 * speeds after the impact, normal ones of the configuration's m contacts, then tangential ones; NaN where a case did
 * not end. It ends with a message where the source is a file or has not two contacts. */
SsappImpactStudy *ssapp_impact_study_new_compliant (SsappImpactSource *source, double mu, double angle,
                                                    SsCompliantSweep sweep);

enum { SSAPP_IMPACT_STUDY_MODES = 8, SSAPP_IMPACT_STUDY_PLANES = 2 };
/* Columns of a row of the study of h. */
enum {
  SSAPP_IMPACT_STEPS_H, /* [N s], from the largest on */
  SSAPP_IMPACT_STEPS_UNFINISHED,
  SSAPP_IMPACT_STEPS_AREA, /* of each plane's hull [m^2/s^2] */
  SSAPP_IMPACT_STEPS_OCCUPIED = SSAPP_IMPACT_STEPS_AREA + SSAPP_IMPACT_STUDY_PLANES,  /* cells of each plane */
  SSAPP_IMPACT_STEPS_SHARE = SSAPP_IMPACT_STEPS_OCCUPIED + SSAPP_IMPACT_STUDY_PLANES, /* of each mode */
  SSAPP_IMPACT_STEPS_COLUMNS = SSAPP_IMPACT_STEPS_SHARE + SSAPP_IMPACT_STUDY_MODES
};
/* Sets of some thousand samples with h from four times to an eighth of the options', which may have as many more
 * steps as h is smaller. The configuration is taken. columns: of the two planes' axes; codes: joint modes whose shares
 * are wanted. */
SsappImpactStudy *ssapp_impact_study_new_steps (SsImpact *impact, const SsImpactSetOptions *options,
                                                int columns[SSAPP_IMPACT_STUDY_PLANES][2], const guint32 *codes,
                                                int n_codes);

typedef struct {
  gboolean is_running;
  int n_done, n_cases; /* n_cases 0: not known yet */
} SsappImpactStudyState;
/* Appends the rows that are new to `rows` (of double), which holds those that came before. */
void ssapp_impact_study_take (SsappImpactStudy *self, GArray *rows, SsappImpactStudyState *state);
/* Why it ended without a result; NULL: it did not. Borrowed; of a study that has ended. */
const char *ssapp_impact_study_get_message (SsappImpactStudy *self);
/* Asks it to end; what there is stays. */
void ssapp_impact_study_cancel (SsappImpactStudy *self);
/* Waits for the end of all cases. */
void ssapp_impact_study_wait (SsappImpactStudy *self);
/* Cancels and waits for the thread. NULL is allowed. */
void ssapp_impact_study_free (SsappImpactStudy *self);

G_END_DECLS
