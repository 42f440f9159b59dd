/* engine/dynamics/ss-slopes.c: see ss-slopes.h. */
#include "dynamics/ss-slopes.h"

#include <string.h>

struct SsSlopes {
  const SsScene *scene;
  int n_formulas, n_used, n_slopes, capacity;
  int *output; /* n_formulas: output of the tape that has its value; -1: none */
  SsSlope *slopes;
  SsExpr *outputs; /* the slopes, while they are made */
  int outputs_capacity;
  SsTape *tape; /* values, then slopes */
  double *inputs, *values, *work;
};

static SsExpr
formula_of (const SsScene *scene, int i)
{
  if (i >= 3 * scene->n_forces)
    return scene->actuators[i - 3 * scene->n_forces].formula;
  const SsForce *force = &scene->forces[i / 3];
  return i % 3 == 0 ? force->fx : i % 3 == 1 ? force->fy : force->torque;
}

/* The slopes of one formula, already in the slopes' own graph. Slots of bodies come first, ascending. */
static bool
add_slopes (SsSlopes *s, SsGraph *graph, int formula, SsExpr e, int *slots, SsExpr *gradient)
{
  const int n_states = 6 * s->scene->n_bodies, n_read = ss_graph_inputs (graph, e, slots, n_states);
  int n = 0;
  while (n < n_read && n < n_states && slots[n] < n_states)
    n++;
  if (n == 0)
    return true;
  ss_graph_gradient (graph, e, slots, n, gradient);
  for (int k = 0; k < n; k++) {
    if (gradient[k] == SS_EXPR_NONE)
      return false;
    if (ss_graph_op (graph, gradient[k]) == SS_OP_CONSTANT && ss_graph_value (graph, gradient[k]) == 0)
      continue;
    if (ss_array_reserve ((void **)&s->slopes, &s->capacity, s->n_slopes + 1, sizeof *s->slopes) != 0 ||
        ss_array_reserve ((void **)&s->outputs, &s->outputs_capacity, s->n_slopes + 1, sizeof *s->outputs) != 0)
      return false;
    s->outputs[s->n_slopes] = gradient[k];
    s->slopes[s->n_slopes++] = (SsSlope){.formula = formula, .slot = slots[k]};
  }
  return true;
}

/* Values of the formulas with slopes, then the slopes. */
static SsStatus
make_tape (SsSlopes *s, const SsGraph *graph, const SsExpr *formulas, SsError *err)
{
  SsExpr *all = ss_new_array (SsExpr, s->n_formulas + s->n_slopes + 1);
  SsStatus status = SS_ERR_MEMORY;
  if (all == NULL)
    return status;
  for (int k = 0; k < s->n_slopes; k++) {
    const int i = s->slopes[k].formula;
    if (s->output[i] < 0) {
      all[s->n_used] = formulas[i];
      s->output[i] = s->n_used++;
    }
  }
  memcpy (all + s->n_used, s->outputs, (size_t)s->n_slopes * sizeof *all);
  status = ss_tape_new (graph, all, s->n_used + s->n_slopes, 0, &s->tape, err);
  ss_free (all);
  if (status != SS_OK)
    return status;
  s->values = ss_new_array (double, s->n_used + s->n_slopes + 1);
  s->work = ss_new_array (double, ss_tape_work_size (s->tape) + 1);
  return s->values != NULL && s->work != NULL ? SS_OK : SS_ERR_MEMORY;
}

static SsStatus
differentiate (SsSlopes *s, SsError *err)
{
  const SsScene *scene = s->scene;
  const size_t n_states = 6 * (size_t)scene->n_bodies + 1;
  SsGraph *graph = NULL;
  SsExpr *formulas = ss_new_array (SsExpr, s->n_formulas + 1), *gradient = ss_new_array (SsExpr, n_states);
  int *slots = ss_new_array (int, n_states);
  SsStatus status = formulas != NULL && gradient != NULL && slots != NULL ? ss_graph_new (&graph, err) : SS_ERR_MEMORY;
  for (int i = 0; i < s->n_formulas && status == SS_OK; i++) {
    const SsExpr e = formula_of (scene, i);
    if (e == SS_EXPR_NONE)
      continue;
    formulas[i] = ss_graph_import (graph, scene->graph, e, NULL, 0);
    if (formulas[i] == SS_EXPR_NONE || !add_slopes (s, graph, i, formulas[i], slots, gradient))
      status = SS_ERR_MEMORY;
  }
  if (status == SS_OK && s->n_slopes > 0)
    status = make_tape (s, graph, formulas, err);
  ss_graph_free (graph);
  ss_free (formulas);
  ss_free (gradient);
  ss_free (slots);
  return status;
}

SsStatus
ss_slopes_new (const SsScene *scene, SsSlopes **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  *out = NULL;
  const int n = 3 * scene->n_forces + scene->n_actuators;
  if (n == 0 || scene->graph == NULL)
    return SS_OK;
  SsSlopes *s = ss_new (SsSlopes);
  SsStatus status = SS_ERR_MEMORY;
  if (s == NULL)
    return ss_error_set (err, status, "no memory for the slopes of %d formulas", n);
  s->scene = scene;
  s->n_formulas = n;
  s->output = ss_new_array (int, n + 1);
  s->inputs = ss_new_array (double, scene->n_slots + 1);
  if (s->output != NULL && s->inputs != NULL) {
    for (int i = 0; i < n; i++)
      s->output[i] = -1;
    status = differentiate (s, err);
  }
  if (status == SS_OK)
    ss_scene_put_parameters (scene, s->inputs);
  if (status == SS_OK && s->n_slopes > 0) {
    *out = s;
    return SS_OK;
  }
  ss_slopes_free (s);
  return status == SS_OK ? SS_OK : ss_error_set (err, status, "no memory for the slopes of %d formulas", n);
}

void
ss_slopes_free (SsSlopes *s)
{
  if (s == NULL)
    return;
  ss_free (s->output);
  ss_free (s->slopes);
  ss_free (s->outputs);
  ss_tape_free (s->tape);
  ss_free (s->inputs);
  ss_free (s->values);
  ss_free (s->work);
  ss_free (s);
}

int
ss_slopes_count (const SsSlopes *s)
{
  SS_ASSERT (s != NULL);
  return s->n_slopes;
}

const SsSlope *
ss_slopes_get (const SsSlopes *s)
{
  SS_ASSERT (s != NULL);
  return s->slopes;
}

void
ss_slopes_find (SsSlopes *s, double t, const double *q, const double *v)
{
  SS_ASSERT (s != NULL && q != NULL && v != NULL);

  for (int i = 0; i < s->scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      s->inputs[6 * i + k] = q[3 * i + k];
      s->inputs[6 * i + 3 + k] = v[3 * i + k];
    }
  s->inputs[s->scene->slot_t] = t;
  ss_tape_eval (s->tape, 1, 1, NULL, 0, s->inputs, s->values, s->work);
  for (int k = 0; k < s->n_slopes; k++)
    s->slopes[k].value = s->values[s->n_used + k];
}

double
ss_slopes_value (const SsSlopes *s, int formula)
{
  return s->output[formula] >= 0 ? s->values[s->output[formula]] : 0;
}
