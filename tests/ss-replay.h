/* tests/ss-replay.h: drives a simulation step by step with the controls of a plan's trajectory.
 *
 * Row k's controls act in the step from row k to row k + 1 and its length is the difference of the rows' times. They enter through a copy of the scene whose actuators have constant formulas, one graph
 * node each; the integrator is made anew each step, so that it depends on the state alone. */
#pragma once

#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One step of stewart-trinkle, gap=end, from q, v with controls u; q and v are replaced. */
static bool
ss_replay_step (const SsScene *scene, const double *u, double t, double h, double *q, double *v, SsStepInfo *info)
{
  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  SsScene copy = *scene;
  SsActuator *actuators = calloc ((size_t)scene->n_actuators + 1, sizeof *actuators);
  double *contact = calloc ((size_t)scene->n_contacts * SS_SIM_N_CONTACT_VALUES + 1, sizeof *contact);
  void *options = calloc (1, integrator->options->size), *stepper = NULL;
  SsSimState state = {.t = t, .q = q, .v = v, .contact = contact};
  SsGraph *graph = NULL;
  SsError err;
  bool is_good = actuators != NULL && contact != NULL && options != NULL && ss_graph_new (&graph, &err) == SS_OK;
  /* formulas of forces stay what they are: their graph is imported */
  SsForce *forces = calloc ((size_t)scene->n_forces + 1, sizeof *forces);
  is_good = is_good && forces != NULL;
  for (int i = 0; i < scene->n_forces && is_good; i++) {
    forces[i] = scene->forces[i];
    forces[i].fx = ss_graph_import (graph, scene->graph, forces[i].fx, NULL, 0);
    forces[i].fy = ss_graph_import (graph, scene->graph, forces[i].fy, NULL, 0);
    forces[i].torque = ss_graph_import (graph, scene->graph, forces[i].torque, NULL, 0);
  }
  for (int a = 0; a < scene->n_actuators && is_good; a++) {
    actuators[a] = scene->actuators[a];
    actuators[a].formula = ss_graph_constant (graph, u[a]);
    actuators[a].lower = -INFINITY; /* a plan keeps its bounds to the solver's tolerance */
    actuators[a].upper = INFINITY;
  }
  if (is_good) {
    copy.actuators = actuators;
    copy.forces = forces;
    copy.graph = graph;
    ss_options_init (integrator->options, options);
    is_good = ss_options_set (integrator->options, options, "gap", "end", &err) == SS_OK &&
              integrator->new_ (&copy, options, &stepper, &err) == SS_OK &&
              integrator->step (stepper, h, &state, info, &err) == SS_OK;
  }
  if (stepper != NULL)
    integrator->free_ (stepper);
  ss_graph_free (graph);
  free (actuators);
  free (forces);
  free (contact);
  free (options);
  return is_good;
}

static double
ss_replay_value (const SsTrajectory *trajectory, int row, const char *owner, const char *channel)
{
  char name[256];
  snprintf (name, sizeof name, "%s.%s", owner, channel);
  int c = ss_trajectory_channel (trajectory, name);
  return c >= 0 ? ss_trajectory_row (trajectory, row)[c] : NAN;
}

/* Largest distance of a body's centre between the plan and its replay [m] (angles count as metres); INFINITY when a step fails. */
static double
ss_replay_distance (const SsScenario *scenario, const SsTrajectory *plan, char *where, size_t size)
{
  int first = -1;
  static const char *const names[] = {"x", "y", "theta", "vx", "vy", "omega"};
  const SsScene *scene = scenario->scene;
  double *q = calloc (3 * (size_t)scene->n_bodies + 1, sizeof *q),
         *v = calloc (3 * (size_t)scene->n_bodies + 1, sizeof *v);
  double *u = calloc ((size_t)scene->n_actuators + 1, sizeof *u), worst = 0;
  snprintf (where, size, "start");
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    q[i] = scene->bodies[i / 3].q[i % 3];
    v[i] = scene->bodies[i / 3].is_fixed ? 0 : scene->bodies[i / 3].v[i % 3];
  }
  for (int k = 0; k + 1 < plan->n_rows && isfinite (worst); k++) {
    double t = ss_trajectory_row (plan, k)[0], h = ss_trajectory_row (plan, k + 1)[0] - t;
    SsStepInfo info;
    for (int a = 0; a < scene->n_actuators; a++)
      u[a] = ss_replay_value (plan, k, "u", scene->actuators[a].name);
    if (!ss_replay_step (scene, u, t, h, q, v, &info)) {
      snprintf (where, size, "the step from row %d fails", k);
      worst = INFINITY;
    }
    for (int i = 0; i < 3 * scene->n_bodies && isfinite (worst); i++) {
      if (scene->bodies[i / 3].is_fixed)
        continue;
      double off = fabs (q[i] - ss_replay_value (plan, k + 1, scene->bodies[i / 3].name, names[i % 3]));
      if (!(off <= worst)) {
        if (!(off < 1e-5) && first < 0)
          first = k + 1;
        worst = off;
        snprintf (where, size, "%s.%s at row %d; 1e-5 first at row %d", scene->bodies[i / 3].name, names[i % 3], k + 1,
                  first);
      }
    }
  }
  free (q);
  free (v);
  free (u);
  return worst;
}
