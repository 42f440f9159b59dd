/* tests/unit/run-rows.h: stored runs as rows, made without a project, for tests of run sets and charts. */
#pragma once

#include "app/store/ssapp-store.h"

static inline GPtrArray *
rows_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
}

/* An optimiser's run; texts live as long as its row. */
static inline SsappRunRow *
add_row (GPtrArray *rows, const char *scenario, const char *method, const char *label, const char *options,
         const char *parameters, const char *outcome, double objective, double cpu_seconds)
{
  const char *const texts[] = {scenario, method, label, options, parameters, outcome};
  SsappRunRow *row = g_new0 (SsappRunRow, 1);
  char **const places[] = {&row->scenario_name, &row->method,          &row->label,
                           &row->options_json,  &row->parameters_json, &row->outcome};
  gsize size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    size += strlen (texts[i]) + 1;
  row->texts = g_malloc (size);
  char *at = row->texts;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    *places[i] = strcpy (at, texts[i]);
    at += strlen (texts[i]) + 1;
  }
  row->id = row->note = row->message = row->started = row->ended = (char *)"";
  row->replay_of = row->solution_of = row->start = (char *)"";
  row->scenario_sha256 = (char *)"0123456789abcdef";
  row->kind = SS_METHOD_OPTIMISER;
  row->kind_name = (char *)"optimiser";
  ssapp_run_row_set_metric (row, SS_METRIC_OBJECTIVE, objective);
  ssapp_run_row_set_metric (row, SS_METRIC_CPU_SECONDS, cpu_seconds);
  g_ptr_array_add (rows, row);
  return row;
}
