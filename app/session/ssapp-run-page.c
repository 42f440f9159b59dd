/* app/session/ssapp-run-page.c: see the header. */
#include "app/session/ssapp-run-page.h"

#include <math.h>

gboolean
ssapp_run_page_init (SsappRunPage *self, SsappRun *run, SsappStore *store, const char *channels)
{
  g_return_val_if_fail (self != NULL && SSAPP_IS_RUN (run), FALSE);

  const char *id = ssapp_run_get_id (run);

  *self = (SsappRunPage){0};
  ssapp_run_fill_figure (run, &self->run);
  for (int m = 0; m < SS_METRIC_COUNT; m++) {
    const double value = ssapp_run_get_metric (run, (SsMetric)m);
    if (!isnan (value))
      ss_metric_set (&self->metrics, (SsMetric)m, value);
  }
  /* a run that was not stored has no more to tell */
  self->row = id != NULL && store != NULL ? ssapp_store_get_run (store, id, NULL) : NULL;
  self->asked = self->row != NULL ? ssapp_store_get_asked_json (store, id, NULL) : NULL;
  self->provenance = self->row != NULL ? ssapp_store_get_provenance_json (store, id, NULL) : NULL;
  self->page = (SsappPage){.scenario = ssapp_run_get_scenario (run),
                           .run = &self->run,
                           .metrics = &self->metrics,
                           .outcomes = self->row != NULL ? self->row->outcomes : NULL,
                           .n_outcomes = self->row != NULL ? self->row->n_outcomes : 0,
                           .id = id,
                           .started = self->row != NULL ? self->row->started : NULL,
                           .provenance_json = self->provenance,
                           .options_json = self->row != NULL ? self->row->options_json : NULL,
                           .parameters_json = self->row != NULL ? self->row->parameters_json : NULL,
                           .asked_json = self->asked,
                           .channels = channels};
  return self->page.scenario != NULL;
}

void
ssapp_run_page_clear (SsappRunPage *self)
{
  g_return_if_fail (self != NULL);
  ssapp_run_row_free (self->row);
  g_free (self->provenance);
  g_free (self->asked);
  *self = (SsappRunPage){0};
}
