/* engine/nlp/ss-nlp.c: see the header. */
#include "nlp/ss-nlp.h"

void
ss_nlp_init_options (const SsNlpClass *nlp, bool is_plan, void *options)
{
  SS_ASSERT (nlp != NULL && options != NULL);

  ss_options_init (nlp->options, options);
  if (is_plan && nlp->plan_preset != NULL) {
    SsStatus status = ss_options_set (nlp->options, options, "preset", nlp->plan_preset, NULL);
    SS_ASSERT (status == SS_OK);
    (void)status;
  }
}
