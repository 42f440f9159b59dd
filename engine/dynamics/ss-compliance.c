/* engine/dynamics/ss-compliance.c: see ss-compliance.h. */
#include "dynamics/ss-compliance.h"

#include <math.h>

/* Of K, then of B: value, slope in the depth, slope in the rate; then the damping of slip. */
enum { OUTPUT_K, OUTPUT_B = 3, OUTPUT_SLIP = 6, N_OUTPUTS };

struct SsCompliances {
  const SsScene *scene;
  SsTape **tapes; /* n_contacts; contacts with the same formulas have the same one, owned by the first */
  double *inputs; /* SS_COMPLIANCE_INPUTS, then parameters */
  double *work;
};

static SsStatus
make_tape (const SsScene *scene, const SsCompliance *compliance, SsTape **out, SsError *err)
{
  const SsExpr formulas[] = {compliance->stiffness, compliance->damping};
  SsExpr outputs[N_OUTPUTS];
  SsGraph *graph = NULL;
  SsStatus status = ss_graph_new (&graph, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < N_OUTPUTS; i++)
    outputs[i] = ss_graph_constant (graph, 0);
  for (int i = 0; i < 2; i++) {
    if (formulas[i] == SS_EXPR_NONE)
      continue;
    outputs[3 * i] = ss_graph_import (graph, scene->graph, formulas[i], NULL, 0);
    outputs[3 * i + 1] = ss_graph_derivative (graph, outputs[3 * i], SS_COMPLIANCE_DEPTH);
    outputs[3 * i + 2] = ss_graph_derivative (graph, outputs[3 * i], SS_COMPLIANCE_RATE);
  }
  if (compliance->slip_damping != SS_EXPR_NONE)
    outputs[OUTPUT_SLIP] = ss_graph_import (graph, scene->graph, compliance->slip_damping, NULL, 0);
  status = ss_graph_is_whole (graph) ? ss_tape_new (graph, outputs, N_OUTPUTS, 0, out, err)
                                     : ss_error_set (err, SS_ERR_MEMORY, "no memory for the formulas of contacts");
  ss_graph_free (graph);
  return status;
}

/* The first contact with these formulas. */
static int
first_like (const SsScene *scene, int contact)
{
  int first = 0;
  while (scene->contacts[first].compliance != scene->contacts[contact].compliance)
    first++;
  return first;
}

static SsStatus
make_tapes (SsCompliances *c, SsError *err)
{
  const SsScene *scene = c->scene;
  size_t work_size = 0;
  for (int i = 0; i < scene->n_contacts; i++) {
    if (scene->contacts[i].compliance == NULL)
      continue;
    const int first = first_like (scene, i);
    SsStatus status = first == i ? make_tape (scene, scene->contacts[i].compliance, &c->tapes[i], err) : SS_OK;
    if (status != SS_OK)
      return status;
    c->tapes[i] = c->tapes[first];
    if (ss_tape_work_size (c->tapes[i]) > work_size)
      work_size = ss_tape_work_size (c->tapes[i]);
  }
  c->work = ss_new_array (double, work_size + 1);
  return c->work != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for the formulas of contacts");
}

SsStatus
ss_compliances_new (const SsScene *scene, SsCompliances **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  bool any = false;
  *out = NULL;
  for (int i = 0; i < scene->n_contacts; i++)
    any = any || scene->contacts[i].compliance != NULL;
  if (!any)
    return SS_OK;
  SsCompliances *c = ss_new (SsCompliances);
  if (c == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the formulas of contacts");
  c->scene = scene;
  c->tapes = ss_new_array (SsTape *, scene->n_contacts);
  c->inputs = ss_new_array (double, scene->slot_t + SS_COMPLIANCE_INPUTS);
  SsStatus status = c->tapes != NULL && c->inputs != NULL
                        ? make_tapes (c, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for the formulas of contacts");
  if (status != SS_OK) {
    ss_compliances_free (c);
    return status;
  }
  ss_scene_put_parameters (scene, c->inputs);
  *out = c;
  return SS_OK;
}

void
ss_compliances_free (SsCompliances *compliances)
{
  if (compliances == NULL)
    return;
  for (int i = 0; compliances->tapes != NULL && i < compliances->scene->n_contacts; i++)
    if (compliances->tapes[i] != NULL && first_like (compliances->scene, i) == i)
      ss_tape_free (compliances->tapes[i]);
  ss_free (compliances->tapes);
  ss_free (compliances->inputs);
  ss_free (compliances->work);
  ss_free (compliances);
}

bool
ss_compliances_has (const SsCompliances *compliances, int contact)
{
  SS_ASSERT (compliances != NULL && contact >= 0 && contact < compliances->scene->n_contacts);

  return compliances->tapes[contact] != NULL;
}

SsStatus
ss_compliances_find (const SsCompliances *compliances, int contact, double phi, double rate, double stiffness,
                     double damping, SsComplianceForce *out, SsError *err)
{
  SS_ASSERT (compliances != NULL && compliances->tapes[contact] != NULL && out != NULL);

  const SsCompliance *formulas = compliances->scene->contacts[contact].compliance;
  const double d = fmax (-phi, 0);
  double v[N_OUTPUTS];
  compliances->inputs[SS_COMPLIANCE_DEPTH] = d;
  compliances->inputs[SS_COMPLIANCE_RATE] = rate;
  ss_tape_eval (compliances->tapes[contact], 1, 1, NULL, 0, compliances->inputs, v, compliances->work);
  if (formulas->stiffness == SS_EXPR_NONE)
    v[OUTPUT_K] = stiffness;
  if (formulas->damping == SS_EXPR_NONE)
    v[OUTPUT_B] = damping;
  *out = (SsComplianceForce){.stiffness = v[OUTPUT_K],
                             .damping = v[OUTPUT_B],
                             .force = v[OUTPUT_K] * d - v[OUTPUT_B] * rate,
                             .of_depth = v[OUTPUT_K],
                             .of_rate = v[OUTPUT_B],
                             .slip_damping = formulas->slip_damping != SS_EXPR_NONE ? v[OUTPUT_SLIP] : NAN};
  if (d > 0) {
    out->of_depth += v[OUTPUT_K + 1] * d - v[OUTPUT_B + 1] * rate;
    out->of_rate += v[OUTPUT_B + 2] * rate - v[OUTPUT_K + 2] * d;
  }
  if (isfinite (out->force) && isfinite (out->of_depth) && isfinite (out->of_rate) && !isinf (out->slip_damping) &&
      isnan (out->slip_damping) == (formulas->slip_damping == SS_EXPR_NONE))
    return SS_OK;
  return ss_error_set (err, SS_ERR_INVALID, "the compliance of contact %s is no number at depth %g m, rate %g m/s",
                       compliances->scene->contacts[contact].name, d, rate);
}
