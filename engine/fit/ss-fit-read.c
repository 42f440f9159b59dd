/* engine/fit/ss-fit-read.c: tables and names of a fit become cells and unknowns. */
#include "fit/ss-fit-model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* The body and coordinate that a column is called after; false: it is no column of the scene. */
static bool
find_column (const SsScene *scene, const char *name, int *body, int *coordinate)
{
  const char *dot = strrchr (name, '.');

  for (int b = 0; dot != NULL && b < scene->n_bodies; b++)
    if (strlen (scene->bodies[b].name) == (size_t)(dot - name) &&
        strncmp (scene->bodies[b].name, name, (size_t)(dot - name)) == 0)
      for (int c = 0; c < SS_BODY_CHANNELS; c++)
        if (strcmp (ss_body_channels[c], dot + 1) == 0) {
          *body = b;
          *coordinate = c;
          return true;
        }
  return false;
}

static int
count_cells (const SsFitJob *job)
{
  int n = 0;

  for (int i = 0; i < job->n_trials; i++)
    n += job->trials[i]->n_rows * job->trials[i]->n_channels;
  return n;
}

/* The group of a channel; a new one where there is none. */
static int
group_of (SsFitModel *model, const char *name)
{
  for (int g = 0; g < model->n_groups; g++)
    if (strcmp (model->group_names[g], name) == 0)
      return g;
  snprintf (model->group_names[model->n_groups], SS_FIT_NAME_MAX, "%s", name);
  return model->n_groups++;
}

/* What messages call a trial. */
static const char *
name_of (const SsFitJob *job, int trial, char *buffer, size_t size)
{
  if (job->names != NULL)
    return job->names[trial];
  snprintf (buffer, size, "trial %d", trial + 1);
  return buffer;
}

static SsStatus
fail_no_column (const SsFitJob *job, int trial, SsError *err)
{
  const SsScene *scene = job->scenario->scene;
  const char *body = "BODY";
  char name[32];

  for (int b = scene->n_bodies - 1; b >= 0; b--)
    if (!ss_body_is_immovable (&scene->bodies[b]))
      body = scene->bodies[b].name;
  return ss_error_set (err, SS_ERR_INVALID,
                       "%.100s has no column of '%s' (expected some of %s.x, %s.y, %s.theta, ...): is it of another "
                       "scene?",
                       name_of (job, trial, name, sizeof name), job->scenario->name, body, body, body);
}

static SsStatus
read_trial (SsFitModel *model, int trial, SsError *err)
{
  const SsTrajectory *table = model->job->trials[trial];
  int n_columns = 0, n_rows = 0;
  char name[32];

  model->first[trial] = model->n_values;
  for (int r = 0; r < table->n_rows; r++) {
    const double *row = ss_trajectory_row (table, r);
    bool has_value = false;
    for (int c = 1; c < table->n_channels; c++) {
      SsFitCell cell = {.trial = trial, .row = r, .t = row[0]};
      if (!find_column (model->job->scenario->scene, table->channels[c].name, &cell.body, &cell.coordinate))
        continue;
      n_columns++;
      if (!isfinite (row[c]))
        continue;
      cell.group = group_of (model, table->channels[c].name);
      model->groups[model->n_values] = cell.group;
      model->measured[model->n_values] = row[c];
      model->cells[model->n_values++] = cell;
      has_value = true;
    }
    n_rows += has_value;
  }
  model->first[trial + 1] = model->n_values;
  if (n_columns == 0)
    return table->n_rows == 0 ? ss_error_set (err, SS_ERR_INVALID, "%.100s has no rows",
                                              name_of (model->job, trial, name, sizeof name))
                              : fail_no_column (model->job, trial, err);
  if (n_rows < SS_FIT_ROWS_MIN)
    return ss_error_set (err, SS_ERR_INVALID, "%.100s has %d rows with a number (expected at least %d)",
                         name_of (model->job, trial, name, sizeof name), n_rows, SS_FIT_ROWS_MIN);
  return SS_OK;
}

static void
measure_ranges (SsFitModel *model)
{
  for (int g = 0; g < model->n_groups; g++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < model->n_values; i++)
      if (model->groups[i] == g) {
        lo = fmin (lo, model->measured[i]);
        hi = fmax (hi, model->measured[i]);
      }
    model->ranges[g] = hi - lo;
  }
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Where nobody says how far an unknown may be looked for. */
static void
set_search (SsFitUnknown *u, bool is_mass)
{
  const double large = fmax (fabs (u->start), 1);

  u->from = isfinite (u->lower) ? u->lower : u->start - large;
  u->to = isfinite (u->upper) ? u->upper : u->start + large;
  if (is_mass && !(isfinite (u->upper) && u->lower > 0)) { /* a ratio, more than a difference */
    u->lower = fmax (u->lower, 1e-6 * u->start);
    u->from = fmax (u->start / 10, u->lower);
    u->to = fmin (u->start * 10, u->upper);
  }
  u->size = fmin (large, u->to - u->from);
  if (is_mass)
    u->size = u->start;
}

static SsStatus
add_unknown (SsFitModel *model, SsFitUnknown u, const SsFitFree *free, bool is_mass, SsError *err)
{
  if (model->n_unknowns >= SS_FIT_UNKNOWNS_MAX)
    return ss_error_set (err, SS_ERR_INVALID, "there are more than %d unknowns", SS_FIT_UNKNOWNS_MAX);
  for (int k = 0; k < model->n_unknowns; k++)
    if (strcmp (model->unknowns[k].name, u.name) == 0 && model->unknowns[k].trial == u.trial)
      return ss_error_set (err, SS_ERR_INVALID, "'%s' is named twice", u.name);
  if (!isnan (free->lower))
    u.lower = fmax (free->lower, u.lower);
  if (!isnan (free->upper))
    u.upper = fmin (free->upper, u.upper);
  if (!(u.lower < u.upper))
    return ss_error_set (err, SS_ERR_INVALID, "'%s' has no room between %.9g and %.9g", u.name, u.lower, u.upper);
  set_search (&u, is_mass);
  u.start = fmin (fmax (u.start, u.lower), u.upper);
  model->unknowns[model->n_unknowns++] = u;
  return SS_OK;
}

static SsStatus
add_of_trials (SsFitModel *model, SsFitUnknown u, const SsFitFree *free, SsError *err)
{
  SsStatus status = SS_OK;

  for (int i = 0; status == SS_OK && i < model->job->n_trials; i++) {
    u.trial = i;
    status = add_unknown (model, u, free, false, err);
  }
  return status;
}

static SsStatus
add_number (SsFitModel *model, const SsFitFree *free, SsError *err)
{
  SsFitUnknown u = {.kind = SS_UNKNOWN_NUMBER, .trial = -1};
  SsNumber number;
  SsStatus status = ss_scenario_number (model->job->scenario, free->name, &number, err);

  if (status != SS_OK)
    return status;
  if (strlen (free->name) >= sizeof u.name)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is too long a name", free->name);
  if (number.parameter >= 0 && (model->job->scenario->parameters[number.parameter].is_structural ||
                                model->job->scenario->parameters[number.parameter].is_integer))
    return ss_error_set (err, SS_ERR_INVALID, "'%s' counts something: a fit is of numbers that may be any", free->name);
  snprintf (u.name, sizeof u.name, "%s", free->name);
  u.start = number.value;
  u.lower = number.lower;
  u.upper = number.upper;
  u.body = number.body;
  u.coordinate = number.coordinate;
  if (number.body < 0)
    return add_unknown (model, u, free, number.is_mass, err);
  u.kind = SS_UNKNOWN_START;
  return add_of_trials (model, u, free, err);
}

/* The starts of all coordinates that are measured, and their rates. */
static SsStatus
add_starts (SsFitModel *model, const SsFitFree *free, SsError *err)
{
  const SsScene *scene = model->job->scenario->scene;
  char name[SS_FIT_NAME_MAX];
  SsStatus status = SS_OK;

  for (int b = 0; b < scene->n_bodies; b++)
    for (int c = 0; c < 3 && !ss_body_is_immovable (&scene->bodies[b]) && status == SS_OK; c++) {
      bool is_measured = false;
      for (int i = 0; i < model->n_values && !is_measured; i++)
        is_measured = model->cells[i].body == b && model->cells[i].coordinate % 3 == c;
      for (int rate = 0; rate < 2 && is_measured && !scene->bodies[b].lock[c] && status == SS_OK; rate++) {
        snprintf (name, sizeof name, "%.60s.%s", scene->bodies[b].name, ss_body_channels[c + 3 * rate]);
        status = add_number (model, &(SsFitFree){name, free->lower, free->upper}, err);
      }
    }
  return status;
}

static SsStatus
read_free (SsFitModel *model, const SsFitFree *free, SsError *err)
{
  if (strcmp (free->name, "start") == 0)
    return add_starts (model, free, err);
  if (strcmp (free->name, "time_offset") == 0)
    return add_of_trials (model,
                          (SsFitUnknown){.name = "time_offset",
                                         .kind = SS_UNKNOWN_OFFSET,
                                         .lower = isnan (free->lower) ? -0.2 : -INFINITY,
                                         .upper = isnan (free->upper) ? 0.2 : INFINITY},
                          free, err);
  if (strcmp (free->name, "scale") == 0)
    return add_unknown (model,
                        (SsFitUnknown){.name = "scale",
                                       .kind = SS_UNKNOWN_SCALE,
                                       .trial = -1,
                                       .start = 1,
                                       .lower = isnan (free->lower) ? 0.1 : 1e-6,
                                       .upper = isnan (free->upper) ? 10 : INFINITY},
                        free, true, err);
  return add_number (model, free, err);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsStatus
check_job (const SsFitJob *job, SsError *err)
{
  if (job->scenario->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is a model in equations: a fit is of a scene", job->scenario->name);
  if (job->method->kind != SS_METHOD_INTEGRATOR)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is no integrator: a fit simulates", job->method->name);
  if (job->n_trials < 1 || job->n_trials > SS_FIT_TRIALS_MAX)
    return ss_error_set (err, SS_ERR_INVALID, "%d measured motions (expected 1 to %d)", job->n_trials,
                         SS_FIT_TRIALS_MAX);
  if (job->n_free < 1)
    return ss_error_set (err, SS_ERR_INVALID, "nothing is free");
  return ss_run_check (job->scenario, job->method, err);
}

static SsStatus
make_room (SsFitModel *model, SsError *err)
{
  const SsFitJob *job = model->job;
  const int n = count_cells (job), n_groups = SS_BODY_CHANNELS * job->scenario->scene->n_bodies;

  model->unknowns = ss_new_array (SsFitUnknown, SS_FIT_UNKNOWNS_MAX);
  model->cells = ss_new_array (SsFitCell, n + 1);
  model->measured = ss_new_array (double, n + 1);
  model->groups = ss_new_array (int, n + 1);
  model->group_names = ss_alloc ((size_t)n_groups + 1, sizeof *model->group_names);
  model->ranges = ss_new_array (double, n_groups + 1);
  model->least = ss_new_array (double, n_groups + 1);
  model->lower = ss_new_array (double, SS_FIT_UNKNOWNS_MAX);
  model->upper = ss_new_array (double, SS_FIT_UNKNOWNS_MAX);
  model->size = ss_new_array (double, SS_FIT_UNKNOWNS_MAX);
  model->first = ss_new_array (int, job->n_trials + 1);
  model->motions = ss_new_array (SsTrajectory *, job->n_trials);
  model->work = ss_new_array (double, n + 1);
  model->numbers = ss_new_array (SsOverride, SS_FIT_UNKNOWNS_MAX);
  model->told = job->told != NULL ? ss_new_array (SsFitValue, n + 1) : NULL;
  if (model->unknowns != NULL && model->cells != NULL && model->measured != NULL && model->groups != NULL &&
      model->group_names != NULL && model->ranges != NULL && model->least != NULL && model->lower != NULL &&
      model->upper != NULL && model->size != NULL && model->first != NULL && model->motions != NULL &&
      model->work != NULL && model->numbers != NULL && (job->told == NULL || model->told != NULL))
    return SS_OK;
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

SsStatus
ss_fit_model_init (SsFitModel *model, const SsFitJob *job, SsRunControl *control, SsError *err)
{
  SS_ASSERT (model != NULL);
  *model = (SsFitModel){.job = job, .control = control};
  SsStatus status = check_job (job, err);

  if (status == SS_OK)
    status = make_room (model, err);
  for (int i = 0; status == SS_OK && i < job->n_trials; i++)
    status = read_trial (model, i, err);
  for (int i = 0; status == SS_OK && i < job->n_free; i++)
    status = read_free (model, &job->free[i], err);
  if (status == SS_OK && model->n_values <= model->n_unknowns)
    status = ss_error_set (err, SS_ERR_INVALID, "%d measured numbers cannot tell %d unknowns", model->n_values,
                           model->n_unknowns);
  if (status != SS_OK) {
    ss_fit_model_clear (model);
    return status;
  }
  measure_ranges (model);
  for (int i = 0; model->told != NULL && i < model->n_values; i++)
    model->told[i] = ss_fit_model_value (model, i);
  for (int k = 0; k < model->n_unknowns; k++) {
    model->lower[k] = model->unknowns[k].lower;
    model->upper[k] = model->unknowns[k].upper;
    model->size[k] = model->unknowns[k].size;
  }
  return SS_OK;
}

void
ss_fit_model_clear (SsFitModel *model)
{
  SS_ASSERT (model != NULL);
  for (int i = 0; model->motions != NULL && i < model->job->n_trials; i++)
    ss_trajectory_free (model->motions[i]);
  ss_free (model->unknowns);
  ss_free (model->cells);
  ss_free (model->measured);
  ss_free (model->groups);
  ss_free (model->group_names);
  ss_free (model->ranges);
  ss_free (model->least);
  ss_free (model->lower);
  ss_free (model->upper);
  ss_free (model->size);
  ss_free (model->first);
  ss_free (model->motions);
  ss_free (model->work);
  ss_free (model->numbers);
  ss_free (model->told);
  *model = (SsFitModel){0};
}
