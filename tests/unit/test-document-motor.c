/* tests/unit/test-document-motor.c: laws of motors written as formulas, simulated against closed forms; forces,
 * constraints, costs, free time and parameters of a sketch; without a window. */

#include "tests/ss-test-document.h"
#include "tests/ss-test-simulate.h"

/* Laws are formulas of the state at the beginning of a step: after n steps of length h a first-order law has
 * (1 - h/tau)^n left, which differs from exp (-t/tau) by at most h/(2 e tau) [of the whole], and terms of h^2. */
#define STEP            1e-4
#define MISS(h_per_tau) ((h_per_tau) / (2 * exp (1)) * (1 + 10 * (h_per_tau)))

static const SsScenario *
scenario_of (SsappDocument *document)
{
  return ssapp_document_get_scenario (document);
}

static void
accept (gboolean done, GError *error)
{
  SS_CHECK (done && error == NULL);
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
}

static void
refused (gboolean done, GError **error, const char *reason)
{
  SS_CHECK (!done && *error != NULL);
  SS_CHECK_CONTAINS (*error != NULL ? (*error)->message : "", reason);
  g_clear_error (error);
}

static SsTestRun
simulate (SsappDocument *document, double t_end)
{
  return ss_test_simulate (scenario_of (document)->scene, &ss_integrator_stewart_trinkle, NULL, STEP, t_end, NULL);
}

static double
parameter (SsappDocument *document, const char *name)
{
  int index = ss_scenario_parameter (scenario_of (document), name);
  SS_CHECK (index >= 0);
  return index >= 0 ? scenario_of (document)->parameters[index].value : NAN;
}

/* Two digits of what follows from the inertia. */
#define ROUGHLY 0.05

/* ---- laws -------------------------------------------------------------------------------------------------------- */

/* A wheel on a pin of the world under a speed law: omega = speed (1 - exp (-t d/J)). */
static void
test_wheel_reaches_its_speed (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 at = {1, 2};
  g_autofree char *before = NULL, *motor = NULL, *formula = NULL;
  GError *error = NULL;

  accept (ssapp_document_add_disc (document, at, 0.5, &error), error);
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_PIN, at, at, 0.01, &error), error);
  before = g_strdup (ssapp_document_get_text (document));
  SS_CHECK (ssapp_document_get_motor_law (document, "scene.joints[0]") == SSAPP_MOTOR_NONE);
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_SPEED, &error), error);
  SS_CHECK (ssapp_document_get_motor_law (document, "scene.joints[0]") == SSAPP_MOTOR_SPEED);
  motor = ssapp_document_find_motor (document, "scene.joints[0]");
  SS_CHECK_STR (motor, "scene.actuators[0]");
  formula = ssapp_document_get_field (document, "scene.actuators[0].formula", "");
  SS_CHECK_STR (formula, "d_motor*(speed_motor - disc.omega)");
  const double inertia = scenario_of (document)->scene->bodies[0].inertia, d = parameter (document, "d_motor");
  SS_CHECK_NEAR (d, inertia / 0.1, ROUGHLY * d);
  accept (ssapp_document_set_field (document, "parameters.speed_motor.value", "-3", "", &error), error);
  accept (ssapp_document_set_field (document, "scene.actuators[0].lower", "-100", "", &error), error);
  SsTestRun run = simulate (document, 0.3);
  for (int row = 0; row < run.trajectory->n_rows; row += 100) {
    const double t = ss_trajectory_row (run.trajectory, row)[0];
    SS_CHECK_NEAR (ss_test_value (run.trajectory, row, "disc.omega"), -3 * (1 - exp (-t * d / inertia)),
                   3 * MISS (STEP * d / inertia));
  }
  SS_CHECK (fabs (ss_test_last_value (run.trajectory, "disc.omega")) > 2.8);
  ss_trajectory_free (run.trajectory);
  /* Taken away again, with its gains. */
  for (int i = 0; i < 2; i++)
    ssapp_document_undo (document);
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_NONE, &error), error);
  SS_CHECK (scenario_of (document)->n_parameters == 0 && scenario_of (document)->scene->n_actuators == 0);
  for (int i = 0; i < 2; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

/* Two free discs on one pin: equal and opposite torques, so that the angular momentum stays 0 while the relative speed
 * follows the law with the inertias in series. Their names are made readable. */
static void
test_motor_between_two_bodies (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 at = {0, 0};
  GError *error = NULL;
  int a, b;

  accept (ssapp_document_set_field (document, "scene.gravity[1]", "0", "", &error), error);
  accept (ssapp_document_add_disc (document, at, 0.5, &error), error);
  accept (ssapp_document_add_disc (document, at, 0.3, &error), error); /* disc-2 */
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_PIN, at, at, 0.01, &error), error);
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_SPEED, &error), error);
  const SsScene *scene = scenario_of (document)->scene;
  SS_CHECK_STR (scene->bodies[1].name, "disc_2");
  a = scene->joints[0].body_a;
  b = scene->joints[0].body_b;
  const double inertia_a = scene->bodies[a].inertia, inertia_b = scene->bodies[b].inertia,
               reduced = inertia_a * inertia_b / (inertia_a + inertia_b), d = parameter (document, "d_motor"),
               speed = parameter (document, "speed_motor");
  g_autofree char *omega_a = g_strdup_printf ("%s.omega", scene->bodies[a].name),
                  *omega_b = g_strdup_printf ("%s.omega", scene->bodies[b].name);
  SsTestRun run = simulate (document, 0.2);
  for (int row = 0; row < run.trajectory->n_rows; row += 100) {
    const double t = ss_trajectory_row (run.trajectory, row)[0], wa = ss_test_value (run.trajectory, row, omega_a),
                 wb = ss_test_value (run.trajectory, row, omega_b);
    SS_CHECK_NEAR (inertia_a * wa + inertia_b * wb, 0, 1e-9);
    SS_CHECK_NEAR (wb - wa, speed * (1 - exp (-t * d / reduced)), speed * MISS (STEP * d / reduced));
  }
  SS_CHECK (ss_test_last_value (run.trajectory, omega_b) > 0 && ss_test_last_value (run.trajectory, omega_a) < 0);
  ss_trajectory_free (run.trajectory);
}

/* To an angle, critically damped: theta = angle (1 - (1 + w t) exp (-w t)) where k = J w^2, d = 2 J w. */
static void
test_wheel_reaches_its_angle (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 at = {1, 2};
  const double w = 8;
  GError *error = NULL;

  accept (ssapp_document_add_disc (document, at, 0.5, &error), error);
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_PIN, at, at, 0.01, &error), error);
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_PLACE, &error), error);
  SS_CHECK (ssapp_document_get_motor_law (document, "scene.joints[0]") == SSAPP_MOTOR_PLACE);
  SS_CHECK_NEAR (parameter (document, "angle_motor"), G_PI / 2, 1e-12);
  const double inertia = scenario_of (document)->scene->bodies[0].inertia;
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  accept (ssapp_document_set_field (document, "parameters.k_motor.value",
                                    g_ascii_dtostr (text, sizeof text, inertia * w * w), "", &error),
          error);
  accept (ssapp_document_set_field (document, "parameters.d_motor.value",
                                    g_ascii_dtostr (text, sizeof text, 2 * inertia * w), "", &error),
          error);
  accept (ssapp_document_set_field (document, "scene.actuators[0].upper", "1000", "", &error), error); /* not cut off */
  SsTestRun run = simulate (document, 1);
  for (int row = 0; row < run.trajectory->n_rows; row += 250) {
    const double t = ss_trajectory_row (run.trajectory, row)[0];
    SS_CHECK_NEAR (ss_test_value (run.trajectory, row, "disc.theta"), G_PI / 2 * (1 - (1 + w * t) * exp (-w * t)),
                   G_PI / 2 * STEP * w);
  }
  ss_trajectory_free (run.trajectory);
  /* Another formula is another law; choosing one again writes it. */
  accept (ssapp_document_set_field (document, "scene.actuators[0].formula", "2*sin(t)", "", &error), error);
  SS_CHECK (ssapp_document_get_motor_law (document, "scene.joints[0]") == SSAPP_MOTOR_FORMULA);
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_SPEED, &error), error);
  SS_CHECK (ss_scenario_parameter (scenario_of (document), "k_motor") < 0); /* nothing reads it */
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_CONTROL, &error), error);
  SS_CHECK (scenario_of (document)->n_parameters == 0 && scenario_of (document)->scene->n_actuators == 1);
  refused (ssapp_document_add_motor (document, "scene.joints[0]", &error), &error, "already");
}

/* Along a slope: the travel of the law is that of the joint, the speed approaches with m/d. */
static void
test_slider_is_driven (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  const SsVec2 from = {1, 1}, to = {1 + 3, 1 + 4};
  GError *error = NULL;

  accept (ssapp_document_set_field (document, "scene.gravity[1]", "0", "", &error), error);
  accept (ssapp_document_add_box (document, (SsVec2){0.5, 0.75}, (SsVec2){1.5, 1.25}, &error), error);
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_SLIDER, from, to, 0.01, &error), error);
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_SPEED, &error), error);
  const double mass = scenario_of (document)->scene->bodies[0].mass, d = parameter (document, "d_motor"),
               speed = parameter (document, "speed_motor");
  SsTestRun run = simulate (document, 0.2);
  for (int row = 0; row < run.trajectory->n_rows; row += 100) {
    const double t = ss_trajectory_row (run.trajectory, row)[0],
                 along = 0.6 * ss_test_value (run.trajectory, row, "box.vx") +
                         0.8 * ss_test_value (run.trajectory, row, "box.vy");
    SS_CHECK_NEAR (along, speed * (1 - exp (-t * d / mass)), speed * MISS (STEP * d / mass));
  }
  ss_trajectory_free (run.trajectory);
  /* To a place: half a metre along the slope in the end. */
  accept (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_PLACE, &error), error);
  SS_CHECK (ssapp_document_get_motor_law (document, "scene.joints[0]") == SSAPP_MOTOR_PLACE);
  accept (ssapp_document_set_field (document, "scene.actuators[0].upper", "1000", "", &error), error);
  run = simulate (document, 2);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "box.x"), 1 + 0.3, 1e-3);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "box.y"), 1 + 0.4, 1e-3);
  ss_trajectory_free (run.trajectory);
}

static void
test_no_motor_there (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  GError *error = NULL;

  refused (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_SPEED, &error), &error,
           "pin or a slider");
  accept (ssapp_document_add_box (document, (SsVec2){0, 0}, (SsVec2){1, 0.2}, &error), error);
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_WELD, (SsVec2){0.5, 0.1}, (SsVec2){0.5, 0.1}, 0.01, &error),
          error);
  refused (ssapp_document_set_motor_law (document, "scene.joints[0]", SSAPP_MOTOR_SPEED, &error), &error,
           "pin or a slider");
  refused (ssapp_document_set_motor_law (document, NULL, SSAPP_MOTOR_SPEED, &error), &error, "pin or a slider");
  SS_CHECK (ssapp_document_get_motor_law (document, "scene.joints[0]") == SSAPP_MOTOR_NONE);
}

/* ---- formulas of forces and of the task -------------------------------------------------------------------------- */

/* A drag on a body that flies: vx = v0 exp (-c t/m). */
static void
test_force_formula (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  GError *error = NULL;

  accept (ssapp_document_add_disc (document, (SsVec2){0, 5}, 0.5, &error), error);
  accept (ssapp_document_set_field (document, "scene.bodies[0].velocity[0]", "2", "", &error), error);
  accept (ssapp_document_add_force (document, "disc", &error), error);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.forces[0]");
  accept (ssapp_document_set_field (document, "scene.forces[0].force[0]", "-3*disc.vx", "", &error), error);
  SsTestRun run = simulate (document, 0.5);
  const double rate = 3 / scenario_of (document)->scene->bodies[0].mass;
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "disc.vx"), 2 * exp (-0.5 * rate), 2 * STEP * rate);
  ss_trajectory_free (run.trajectory);
  refused (ssapp_document_set_field (document, "scene.forces[0].force[1]", "disk.x", "", &error), &error,
           "did you mean 'disc.x'");
}

/* A constraint: it holds where it was added, reads its new formula, follows a body's name, and goes with the body. */
static void
test_constraint_formula (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autofree char *before = NULL;
  GError *error = NULL;

  refused (ssapp_document_add_law (document, NULL, &error), &error, "no body that moves");
  accept (ssapp_document_add_disc (document, (SsVec2){0, 5}, 0.5, &error), error);
  before = g_strdup (ssapp_document_get_text (document));
  accept (ssapp_document_add_law (document, "disc", &error), error);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.constraints[0]");
  SsTestRun run = simulate (document, 0.5);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "disc.y"), 5, 1e-9);
  ss_trajectory_free (run.trajectory);
  accept (ssapp_document_set_field (document, "scene.constraints[0].formula", "disc.y - 4", "", &error), error);
  accept (ssapp_document_set_field (document, "scene.constraints[0].restitution", "0.5", "", &error), error);
  refused (ssapp_document_set_field (document, "scene.constraints[0].formula", "disc.vy", "", &error), &error,
           "velocity disc.vy");
  accept (ssapp_document_rename (document, "disc", "ball", &error), error);
  SsappItem *item = ssapp_document_get_item (document, "scene.constraints[0]");
  SS_CHECK_STR (item->detail, "ball.y - 4 ≥ 0");
  ssapp_item_free (item);
  SS_CHECK (scenario_of (document)->scene->joints[0].restitution == 0.5);
  ssapp_document_select (document, "ball");
  accept (ssapp_document_delete_selection (document, &error), error);
  SS_CHECK (scenario_of (document)->scene->n_joints == 0);
  for (int i = 0; i < 5; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

static void
test_task_entries (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autofree char *before = NULL, *names = NULL, *of_force = NULL, *choice = NULL;
  GError *error = NULL;
  const SsPlan *plan;
  SsappItem *item;

  refused (ssapp_document_add_constraint (document, NULL, &error), &error, "no body that moves");
  accept (ssapp_document_add_disc (document, (SsVec2){0, 1}, 0.5, &error), error);
  accept (ssapp_document_add_actuator (document, "disc", SSAPP_ACTUATOR_FORCE_X, &error), error);
  before = g_strdup (ssapp_document_get_text (document));
  accept (ssapp_document_add_constraint (document, "disc", &error), error);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "task.constraints[0]");
  accept (ssapp_document_add_row (document, "task.constraints[0]", "zero", &error), error);
  accept (ssapp_document_set_field (document, "task.constraints[0].zero[0]", "disc.x - t", "", &error), error);
  accept (ssapp_document_set_choice (document, "task.constraints[0].points", "last", &error), error);
  accept (ssapp_document_add_cost (document, "disc", &error), error);
  plan = scenario_of (document)->task.plan;
  SS_CHECK (plan != NULL && plan->n_constraints == 2 && plan->n_costs == 1);
  SS_CHECK (plan->constraints[0].points == SS_PLAN_LAST && plan->costs[0].points == SS_PLAN_ALL);
  choice = ssapp_document_get_choice (document, "task.constraints[0].points");
  SS_CHECK_STR (choice, "last");
  item = ssapp_document_get_item (document, "task.constraints[0]");
  SS_CHECK_STR (item->kind, "constraint");
  SS_CHECK_STR (item->detail, "disc.x - t = 0, 1 more");
  ssapp_item_free (item);
  refused (ssapp_document_set_field (document, "task.cost[0].cost", "if(t < 1, 1, 0)", "", &error), &error, "smooth");
  refused (ssapp_document_set_field (document, "task.constraints[0].zero[0]", "u.disc_x", "", &error), &error, "no");
  /* Rows are fields that can be taken out; with the last one the constraint goes. */
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (document, "task.constraints[0]");
  SS_CHECK (fields->len == 3);
  for (guint i = 0; i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    SS_CHECK (field->is_row ? field->is_formula : field->choices != NULL);
  }
  accept (ssapp_document_remove_row (document, "task.constraints[0].zero[0]", &error), error);
  accept (ssapp_document_remove_row (document, "task.constraints[0].nonnegative[0]", &error), error);
  SS_CHECK (scenario_of (document)->task.plan->n_constraints == 0);
  /* Free time about the horizon of 2 s. */
  accept (ssapp_document_set_time_free (document, TRUE, &error), error);
  plan = scenario_of (document)->task.plan;
  SS_CHECK (plan->is_time_free && plan->time_lower == 1 && plan->time_upper == 4 && !plan->are_steps_free);
  accept (ssapp_document_set_choice (document, "task.free_time.per_step", "true", &error), error);
  SS_CHECK (scenario_of (document)->task.plan->are_steps_free);
  refused (ssapp_document_set_field (document, "task.free_time.upper", "1.5", "", &error), &error, "horizon");
  accept (ssapp_document_set_time_free (document, FALSE, &error), error);
  SS_CHECK (!scenario_of (document)->task.plan->is_time_free);
  accept (ssapp_document_set_choice (document, "task.guess", "simulation", &error), error);
  SS_CHECK (scenario_of (document)->task.plan->guess == SS_PLAN_GUESS_SIMULATION);
  names = ssapp_document_describe_names (document, "task.cost[0]");
  SS_CHECK_CONTAINS (names, "Bodies: disc;");
  SS_CHECK_CONTAINS (names, "u.disc_x");
  SS_CHECK (strstr (names, "floor") == NULL && strstr (names, "sqrt") != NULL);
  of_force = ssapp_document_describe_names (document, "scene.forces[0]");
  SS_CHECK (strstr (of_force, "u.disc_x") == NULL && strstr (of_force, "floor") != NULL);
  for (int i = 0; i < 11; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

/* What is not said of a pair stays free. */
static void
test_bounds_stay_free (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  GError *error = NULL;

  accept (ssapp_document_add_disc (document, (SsVec2){0, 1}, 0.5, &error), error);
  accept (ssapp_document_add_target (document, "disc", &error), error);
  accept (ssapp_document_add_bounds (document, "disc", &error), error);
  accept (ssapp_document_set_field (document, "task.bounds[0].vx[0]", "-2", "", &error), error);
  accept (ssapp_document_set_field (document, "task.bounds[0].theta[1]", "90", "deg", &error), error);
  const SsPlanBound *bound = &scenario_of (document)->task.plan->bounds[0];
  SS_CHECK (bound->lower[3] == -2 && isinf (bound->upper[3]) && isinf (bound->lower[2]));
  SS_CHECK_NEAR (bound->upper[2], G_PI / 2, 1e-12);
}

static void
test_parameters (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  GError *error = NULL;

  accept (ssapp_document_add_disc (document, (SsVec2){0, 1}, 0.5, &error), error);
  accept (ssapp_document_add_parameter (document, "", &error), error);
  refused (ssapp_document_add_parameter (document, " p1 ", &error), &error, "already");
  refused (ssapp_document_add_parameter (document, "1p", &error), &error, "1p");
  accept (ssapp_document_add_force (document, "disc", &error), error);
  accept (ssapp_document_set_field (document, "scene.forces[0].force[0]", "p1*disc.vx", "", &error), error);
  refused (ssapp_document_remove_parameter (document, "p1", &error), &error, "p1"); /* it is read */
  accept (ssapp_document_set_field (document, "scene.forces[0].force[0]", "0", "", &error), error);
  accept (ssapp_document_remove_parameter (document, "p1", &error), error);
  SS_CHECK (scenario_of (document)->n_parameters == 0);
  refused (ssapp_document_remove_parameter (document, "p1", &error), &error, "no such parameter");
}

int
main (void)
{
  SS_RUN (test_wheel_reaches_its_speed);
  SS_RUN (test_motor_between_two_bodies);
  SS_RUN (test_wheel_reaches_its_angle);
  SS_RUN (test_slider_is_driven);
  SS_RUN (test_no_motor_there);
  SS_RUN (test_force_formula);
  SS_RUN (test_constraint_formula);
  SS_RUN (test_task_entries);
  SS_RUN (test_bounds_stay_free);
  SS_RUN (test_parameters);
  return ss_test_finish ();
}
