/* engine/dynamics/ss-formula-row.c: see ss-formula-row.h. */
#include "dynamics/ss-formula-row.h"

#include <string.h>

enum { OUTPUT_PHI, OUTPUT_SLOPES, OUTPUT_RATE = OUTPUT_SLOPES + 6, OUTPUT_BEND, N_OUTPUTS };

struct SsFormulaRows {
  const SsScene *scene;
  SsTape **tapes; /* n_joints, NULL of a joint that is no formula */
  double *inputs; /* n_slots */
  double *work;
};

/* Where the coordinates of side 0 or 1 are among the slots, -1 without a body. */
static int
slot_of_side (const SsJoint *joint, int side)
{
  const int body = side == 0 ? joint->body_a : joint->body_b;
  return body >= 0 ? SS_BODY_CHANNELS * body : -1;
}

/* sum_k d e / d q_k v_k over the coordinates of the row. */
static SsExpr
along_velocity (SsGraph *graph, const SsExpr *slopes, const int *slots)
{
  SsExpr sum = ss_graph_constant (graph, 0);
  for (int k = 0; k < 6; k++)
    if (slots[k] >= 0) {
      const SsExpr rate = ss_graph_input (graph, slots[k] + 3);
      sum = ss_graph_binary (graph, SS_OP_ADD, sum, ss_graph_binary (graph, SS_OP_MUL, slopes[k], rate));
    }
  return sum;
}

static void
find_slopes (SsGraph *graph, SsExpr e, const int *slots, SsExpr *slopes)
{
  for (int k = 0; k < 6; k++)
    slopes[k] = slots[k] >= 0 ? ss_graph_derivative (graph, e, slots[k]) : ss_graph_constant (graph, 0);
}

static SsStatus
make_tape (const SsScene *scene, const SsJoint *joint, SsTape **out, SsError *err)
{
  SsGraph *graph = NULL;
  SsExpr outputs[N_OUTPUTS], bends[6];
  int slots[6];
  SsStatus status = ss_graph_new (&graph, err);
  if (status != SS_OK)
    return status;
  for (int k = 0; k < 6; k++)
    slots[k] = slot_of_side (joint, k / 3) >= 0 ? slot_of_side (joint, k / 3) + k % 3 : -1;
  outputs[OUTPUT_PHI] = ss_graph_import (graph, scene->graph, joint->formula, NULL, 0);
  find_slopes (graph, outputs[OUTPUT_PHI], slots, outputs + OUTPUT_SLOPES);
  SsExpr rate = along_velocity (graph, outputs + OUTPUT_SLOPES, slots);
  outputs[OUTPUT_RATE] = ss_graph_constant (graph, 0);
  if (joint->reads_time) {
    outputs[OUTPUT_RATE] = ss_graph_derivative (graph, outputs[OUTPUT_PHI], scene->slot_t);
    rate = ss_graph_binary (graph, SS_OP_ADD, rate, outputs[OUTPUT_RATE]);
  }
  find_slopes (graph, rate, slots, bends);
  outputs[OUTPUT_BEND] = along_velocity (graph, bends, slots);
  if (joint->reads_time)
    outputs[OUTPUT_BEND] =
        ss_graph_binary (graph, SS_OP_ADD, outputs[OUTPUT_BEND], ss_graph_derivative (graph, rate, scene->slot_t));
  status = ss_graph_is_whole (graph)
               ? ss_tape_new (graph, outputs, N_OUTPUTS, 0, out, err)
               : ss_error_set (err, SS_ERR_MEMORY, "no memory for the slopes of constraint %s", joint->name);
  ss_graph_free (graph);
  return status;
}

/* Fixed bodies stay where they start. */
static void
set_constants (SsFormulaRows *rows)
{
  const SsScene *scene = rows->scene;
  for (int b = 0; b < scene->n_bodies; b++)
    memcpy (rows->inputs + SS_BODY_CHANNELS * b, scene->bodies[b].q, sizeof scene->bodies[b].q);
  ss_scene_put_parameters (scene, rows->inputs);
}

SsStatus
ss_formula_rows_new (const SsScene *scene, SsFormulaRows **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  size_t work_size = 0;
  int n = 0;
  *out = NULL;
  for (int i = 0; i < scene->n_joints; i++)
    n += scene->joints[i].kind == SS_JOINT_FORMULA;
  if (n == 0)
    return SS_OK;
  SsFormulaRows *rows = ss_new (SsFormulaRows);
  if (rows == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d constraints", n);
  rows->scene = scene;
  rows->tapes = ss_new_array (SsTape *, scene->n_joints);
  rows->inputs = ss_new_array (double, scene->n_slots + 1);
  SsStatus status = rows->tapes != NULL && rows->inputs != NULL ? SS_OK : SS_ERR_MEMORY;
  for (int i = 0; i < scene->n_joints && status == SS_OK; i++) {
    if (scene->joints[i].kind != SS_JOINT_FORMULA)
      continue;
    status = make_tape (scene, &scene->joints[i], &rows->tapes[i], err);
    if (status == SS_OK && ss_tape_work_size (rows->tapes[i]) > work_size)
      work_size = ss_tape_work_size (rows->tapes[i]);
  }
  if (status == SS_OK)
    rows->work = ss_new_array (double, work_size + 1);
  if (status != SS_OK || rows->work == NULL) {
    ss_formula_rows_free (rows);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d constraints", n);
  }
  set_constants (rows);
  *out = rows;
  return SS_OK;
}

void
ss_formula_rows_free (SsFormulaRows *rows)
{
  if (rows == NULL)
    return;
  for (int i = 0; rows->tapes != NULL && i < rows->scene->n_joints; i++)
    ss_tape_free (rows->tapes[i]);
  ss_free (rows->tapes);
  ss_free (rows->inputs);
  ss_free (rows->work);
  ss_free (rows);
}

SsFormulaRow
ss_formula_rows_find (const SsFormulaRows *rows, int joint, double t, const double *q, const double *v)
{
  SS_ASSERT (rows != NULL && rows->tapes[joint] != NULL && q != NULL);

  const SsJoint *about = &rows->scene->joints[joint];
  double values[N_OUTPUTS];
  SsFormulaRow row;
  for (int side = 0; side < 2; side++) {
    const int body = side == 0 ? about->body_a : about->body_b;
    if (body < 0)
      continue;
    for (int k = 0; k < 3; k++) {
      rows->inputs[SS_BODY_CHANNELS * body + k] = q[3 * body + k];
      rows->inputs[SS_BODY_CHANNELS * body + 3 + k] = v != NULL ? v[3 * body + k] : 0;
    }
  }
  rows->inputs[rows->scene->slot_t] = t;
  ss_tape_eval (rows->tapes[joint], 1, 1, NULL, 0, rows->inputs, values, rows->work);
  row.phi = values[OUTPUT_PHI];
  memcpy (row.j, values + OUTPUT_SLOPES, sizeof row.j);
  row.rate_t = values[OUTPUT_RATE];
  row.gdv = values[OUTPUT_BEND];
  return row;
}
