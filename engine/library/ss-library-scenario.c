/* engine/library/ss-library-scenario.c: scenarios, methods, options and trajectories of library/stickslip.h, which are
 * those of the engine. */
#include "library/ss-library-private.h"

#include "run/ss-run-sensitivity.h"

#include <math.h>
#include <stdio.h>

bool
ss_library_tell (SsStatus status, const SsError *from, char *error, size_t size)
{
  if (status != SS_OK && error != NULL && size > 0)
    ss_error_format (from, error, size);
  return status == SS_OK;
}

bool
ss_library_tell_first (SsStatus status, const SsProblems *from, char *error, size_t size)
{
  SsError none;

  ss_error_set (&none, status, "%s", ss_status_text (status));
  return ss_library_tell (status, from->n_items > 0 ? &from->items[0] : &none, error, size);
}

const char *
stickslip_version (void)
{
  return SS_VERSION;
}

/* ---- scenario ---------------------------------------------------------------------------------------------------- */

/* What was read, where the options in the file are options of its methods. */
static StickslipScenario *
take_scenario (SsStatus status, SsScenario *scenario, SsProblems *problems, char *error, size_t size)
{
  if (status == SS_OK)
    status = ss_method_check_defaults (scenario, problems);
  if (!ss_library_tell_first (status, problems, error, size)) {
    ss_scenario_free (scenario);
    scenario = NULL;
  }
  ss_problems_clear (problems);
  return (StickslipScenario *)(void *)scenario;
}

StickslipScenario *
stickslip_scenario_read (const char *path, char *error, size_t size)
{
  SS_ASSERT (path != NULL);
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  const SsStatus status = ss_scenario_read_file (path, NULL, 0, &problems, &scenario);
  return take_scenario (status, scenario, &problems, error, size);
}

StickslipScenario *
stickslip_scenario_parse (const char *text, size_t length, const char *name, char *error, size_t size)
{
  SS_ASSERT (text != NULL);
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  const SsStatus status = ss_scenario_read (text, length, name != NULL ? name : "", NULL, 0, &problems, &scenario);
  return take_scenario (status, scenario, &problems, error, size);
}

StickslipScenario *
stickslip_scenario_with (const StickslipScenario *scenario, const char *number, double value, char *error, size_t size)
{
  SS_ASSERT (number != NULL);
  SsScenario *other = NULL;
  SsError err;
  const SsStatus status = ss_scenario_read_with (ss_library_scenario (scenario), number, value, &other, &err);

  return ss_library_tell (status, &err, error, size) ? (StickslipScenario *)(void *)other : NULL;
}

void
stickslip_scenario_free (StickslipScenario *scenario)
{
  ss_scenario_free ((SsScenario *)(void *)scenario);
}

double
stickslip_scenario_number (const StickslipScenario *scenario, const char *number, char *error, size_t size)
{
  SS_ASSERT (number != NULL);
  SsNumber found;
  SsError err;
  const SsStatus status = ss_scenario_number (ss_library_scenario (scenario), number, &found, &err);

  return ss_library_tell (status, &err, error, size) ? found.value : NAN;
}

const char *
stickslip_scenario_name (const StickslipScenario *scenario)
{
  return ss_library_scenario (scenario)->name;
}

bool
stickslip_scenario_is_scene (const StickslipScenario *scenario)
{
  return ss_library_scenario (scenario)->scene != NULL;
}

int
stickslip_scenario_n_parameters (const StickslipScenario *scenario)
{
  return ss_library_scenario (scenario)->n_parameters;
}

const char *
stickslip_scenario_parameter (const StickslipScenario *scenario, int index)
{
  SS_ASSERT (index >= 0 && index < stickslip_scenario_n_parameters (scenario));
  return ss_library_scenario (scenario)->parameters[index].name;
}

/* ---- methods and their options ----------------------------------------------------------------------------------- */

int
stickslip_method_count (void)
{
  int n = 0;

  for (int i = 0; i < ss_method_count (); i++)
    n += ss_method_at (i)->is_built;
  return n;
}

const StickslipMethod *
stickslip_method_at (int index)
{
  SS_ASSERT (index >= 0);
  int i = 0;

  while (i < ss_method_count () && (!ss_method_at (i)->is_built || index-- > 0))
    i++;
  SS_ASSERT (i < ss_method_count ());
  return (const StickslipMethod *)(const void *)ss_method_at (i);
}

/* Kinds are numbered as the engine's are. */
static SsMethodKind
kind_of (StickslipKind kind)
{
  SS_ASSERT (kind == STICKSLIP_INTEGRATOR || kind == STICKSLIP_OPTIMISER || kind == STICKSLIP_IMPACT_LAW);
  return kind == STICKSLIP_INTEGRATOR  ? SS_METHOD_INTEGRATOR
         : kind == STICKSLIP_OPTIMISER ? SS_METHOD_OPTIMISER
                                       : SS_METHOD_IMPACT_LAW;
}

const StickslipMethod *
stickslip_method_find (StickslipKind kind, const char *name, char *error, size_t size)
{
  SS_ASSERT (name != NULL);
  SsError err;
  const SsMethod *method = ss_method_find (kind_of (kind), name, &err);

  if (method != NULL && !method->is_built) {
    ss_error_set (&err, SS_ERR_NOT_BUILT, "'%s' is %s", name, method->why_not);
    method = NULL;
  }
  ss_library_tell (method != NULL ? SS_OK : SS_ERR_INVALID, &err, error, size);
  return (const StickslipMethod *)(const void *)method;
}

const StickslipMethod *
stickslip_method_of_scenario (StickslipKind kind, const StickslipScenario *scenario)
{
  return (const StickslipMethod *)(const void *)ss_method_of_scenario (kind_of (kind), ss_library_scenario (scenario));
}

StickslipKind
stickslip_method_kind (const StickslipMethod *method)
{
  const SsMethodKind kind = ss_library_method (method)->kind;

  return kind == SS_METHOD_INTEGRATOR  ? STICKSLIP_INTEGRATOR
         : kind == SS_METHOD_OPTIMISER ? STICKSLIP_OPTIMISER
                                       : STICKSLIP_IMPACT_LAW;
}

const char *
stickslip_method_name (const StickslipMethod *method)
{
  return ss_library_method (method)->name;
}

const char *
stickslip_method_summary (const StickslipMethod *method)
{
  return ss_library_method (method)->summary;
}

int
stickslip_option_count (const StickslipMethod *method)
{
  return ss_library_method (method)->options->n_specs;
}

static const SsOptionSpec *
option_at (const StickslipMethod *method, int index)
{
  SS_ASSERT (index >= 0 && index < stickslip_option_count (method));
  return &ss_library_method (method)->options->specs[index];
}

const char *
stickslip_option_name (const StickslipMethod *method, int index)
{
  return option_at (method, index)->name;
}

const char *
stickslip_option_summary (const StickslipMethod *method, int index)
{
  return option_at (method, index)->summary;
}

const char *
stickslip_option_unit (const StickslipMethod *method, int index)
{
  return option_at (method, index)->unit;
}

const char *
stickslip_option_choice (const StickslipMethod *method, int index, int choice)
{
  static const char *const truths[] = {"off", "on", NULL};
  const SsOptionSpec *spec = option_at (method, index);
  const char *const *words = spec->type == SS_OPTION_CHOICE    ? spec->choices
                             : spec->type == SS_OPTION_BOOLEAN ? truths
                                                               : NULL;

  for (int i = 0; words != NULL && words[i] != NULL; i++)
    if (i == choice)
      return words[i];
  return NULL;
}

double
stickslip_option_minimum (const StickslipMethod *method, int index)
{
  return option_at (method, index)->minimum;
}

double
stickslip_option_maximum (const StickslipMethod *method, int index)
{
  return option_at (method, index)->maximum;
}

double
stickslip_option_default (const StickslipMethod *method, int index)
{
  return option_at (method, index)->fallback;
}

/* ---- trajectory -------------------------------------------------------------------------------------------------- */

StickslipTrajectory *
stickslip_trajectory_new (const char *const *channels, int n_channels, char *error, size_t size)
{
  SS_ASSERT (channels != NULL && n_channels > 0);
  SsTrajectory *trajectory = NULL;
  SsError err;
  const SsStatus status = ss_trajectory_new_named (channels, n_channels, 64, &trajectory, &err);

  return ss_library_tell (status, &err, error, size) ? (StickslipTrajectory *)(void *)trajectory : NULL;
}

StickslipTrajectory *
stickslip_trajectory_copy (const StickslipTrajectory *trajectory, char *error, size_t size)
{
  SsTrajectory *copy = NULL;
  SsError err;
  const SsStatus status = ss_trajectory_copy (ss_library_trajectory (trajectory), &copy, &err);

  return ss_library_tell (status, &err, error, size) ? (StickslipTrajectory *)(void *)copy : NULL;
}

void
stickslip_trajectory_free (StickslipTrajectory *trajectory)
{
  ss_trajectory_free ((SsTrajectory *)(void *)trajectory);
}

bool
stickslip_trajectory_append (StickslipTrajectory *trajectory, const double *row, char *error, size_t size)
{
  SS_ASSERT (trajectory != NULL && row != NULL);
  SsError err;
  const SsStatus status = ss_trajectory_append ((SsTrajectory *)(void *)trajectory, row, &err);

  return ss_library_tell (status, &err, error, size);
}

int
stickslip_trajectory_n_channels (const StickslipTrajectory *trajectory)
{
  return ss_library_trajectory (trajectory)->n_channels;
}

const char *
stickslip_trajectory_channel (const StickslipTrajectory *trajectory, int channel)
{
  SS_ASSERT (channel >= 0 && channel < stickslip_trajectory_n_channels (trajectory));
  return ss_library_trajectory (trajectory)->channels[channel].name;
}

const char *
stickslip_trajectory_unit (const StickslipTrajectory *trajectory, int channel)
{
  SS_ASSERT (channel >= 0 && channel < stickslip_trajectory_n_channels (trajectory));
  return ss_library_trajectory (trajectory)->channels[channel].unit;
}

int
stickslip_trajectory_find (const StickslipTrajectory *trajectory, const char *channel)
{
  SS_ASSERT (channel != NULL);
  return ss_trajectory_channel (ss_library_trajectory (trajectory), channel);
}

int
stickslip_trajectory_n_rows (const StickslipTrajectory *trajectory)
{
  return ss_library_trajectory (trajectory)->n_rows;
}

const double *
stickslip_trajectory_row (const StickslipTrajectory *trajectory, int row)
{
  SS_ASSERT (row >= 0 && row < stickslip_trajectory_n_rows (trajectory));
  return ss_trajectory_row (ss_library_trajectory (trajectory), row);
}

void
stickslip_trajectory_sample (const StickslipTrajectory *trajectory, double t, double *row)
{
  SS_ASSERT (row != NULL && stickslip_trajectory_n_rows (trajectory) > 0);
  ss_trajectory_sample (ss_library_trajectory (trajectory), t, row);
}
