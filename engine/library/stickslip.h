/* stickslip.h: the engine of Stickslip as a library: planar rigid bodies with contact, simulated and planned.
 *
 * A scenario is read from a file, a job is a method on a scenario, a job that has run gives a result: its outcome, its
 * metrics, its motions, their derivatives. The same scenario, method and options give the same bits as the programs.
 *
 *   pkg-config --cflags --libs stickslip        #include <stickslip/stickslip.h>
 *
 * Units are SI, angles radians. Numbers in text have '.' as decimal sign in every locale.
 * Ownership: what a function with `_new`, `_read`, `_parse`, `_with`, `_copy`, `_run`, `_judge` in its name returns is
 * the caller's, who frees it by the `_free` of its type, which takes NULL; all else is borrowed from its argument, or
 * static where there is none.
 * Errors: functions that may fail return NULL or false, and write "FILE:LINE: PATH: message (expected ...)" into
 * `error`, of `size` bytes (NULL, 0: nobody reads it), cut to fit. What a function says of its arguments must hold: it
 * is asserted.
 * Threads: any; an object is used by one thread at a time, but for stickslip_job_cancel. Nothing is printed, and no
 * signal handled.
 * Compatibility: names and meanings stay within a version of the library's name (libstickslip.so.0).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StickslipScenario StickslipScenario;     /* a scene or a model in equations, read and checked */
typedef struct StickslipMethod StickslipMethod;         /* an integrator, optimiser or impact law; static */
typedef struct StickslipJob StickslipJob;               /* a method on a scenario, with its settings */
typedef struct StickslipResult StickslipResult;         /* what came of it */
typedef struct StickslipTrajectory StickslipTrajectory; /* a table of channels over time; channel 0 is t */

const char *stickslip_version (void); /* of the library that runs: "0.3.0" */

/* ---- scenario ---------------------------------------------------------------------------------------------------- */

/* A file, of the format that examples/README.md describes. */
StickslipScenario *stickslip_scenario_read (const char *path, char *error, size_t size);
/* The text of one, `length` bytes; `name` stands for the file in messages. */
StickslipScenario *stickslip_scenario_parse (const char *text, size_t length, const char *name, char *error,
                                             size_t size);
/* The same scenario with one of its numbers changed: a parameter (mu), a start (box.x, box.vy), a mass (box.mass),
 * gravity (gravity.y), a field of what has a name (floor-box.friction). */
StickslipScenario *stickslip_scenario_with (const StickslipScenario *scenario, const char *number, double value,
                                            char *error, size_t size);
void stickslip_scenario_free (StickslipScenario *scenario);
/* The value of such a number; NaN with an error: there is none of that name. */
double stickslip_scenario_number (const StickslipScenario *scenario, const char *number, char *error, size_t size);
const char *stickslip_scenario_name (const StickslipScenario *scenario);
/* False: a model in equations, which only optimisers take. */
bool stickslip_scenario_is_scene (const StickslipScenario *scenario);
/* Its parameters, in the file's order. */
int stickslip_scenario_n_parameters (const StickslipScenario *scenario);
const char *stickslip_scenario_parameter (const StickslipScenario *scenario, int index);

/* ---- methods and their options ----------------------------------------------------------------------------------- */

typedef enum { STICKSLIP_INTEGRATOR, STICKSLIP_OPTIMISER, STICKSLIP_IMPACT_LAW } StickslipKind;

/* All that this build has; index 0 .. count - 1. */
int stickslip_method_count (void);
const StickslipMethod *stickslip_method_at (int index);
const StickslipMethod *stickslip_method_find (StickslipKind kind, const char *name, char *error, size_t size);
/* The one that the file names, else the usual one for it. NULL: there is none of that kind. */
const StickslipMethod *stickslip_method_of_scenario (StickslipKind kind, const StickslipScenario *scenario);
StickslipKind stickslip_method_kind (const StickslipMethod *method);
const char *stickslip_method_name (const StickslipMethod *method);    /* "moreau-jean" */
const char *stickslip_method_summary (const StickslipMethod *method); /* a sentence or two */

/* Its options; index 0 .. count - 1. */
int stickslip_option_count (const StickslipMethod *method);
const char *stickslip_option_name (const StickslipMethod *method, int index);
const char *stickslip_option_summary (const StickslipMethod *method, int index);
const char *stickslip_option_unit (const StickslipMethod *method, int index); /* "" for none */
/* The words that it takes, `choice` from 0 on; NULL: no more, or it takes no words. */
const char *stickslip_option_choice (const StickslipMethod *method, int index, int choice);
/* Range, of numbers, and default: a number, 0 or 1, or that of the choice. */
double stickslip_option_minimum (const StickslipMethod *method, int index);
double stickslip_option_maximum (const StickslipMethod *method, int index);
double stickslip_option_default (const StickslipMethod *method, int index);

/* ---- job --------------------------------------------------------------------------------------------------------- */

/* The method on the scenario, which is borrowed until the job is freed, with the options that its file says. */
StickslipJob *stickslip_job_new (const StickslipScenario *scenario, const StickslipMethod *method, char *error,
                                 size_t size);
void stickslip_job_free (StickslipJob *job);
/* An option of the method, or, of an optimiser on a scene, of the transcription of its plan; `value` as on the command
 * line. */
bool stickslip_job_set_option (StickslipJob *job, const char *name, const char *value, char *error, size_t size);
/* Step and end of a simulation, or of a scene's plan, above 0 [s]; a model has parameters for them. */
bool stickslip_job_set_step (StickslipJob *job, double dt, char *error, size_t size);
bool stickslip_job_set_end (StickslipJob *job, double t_end, char *error, size_t size);
/* Seconds of wall time and of CPU time after which the run ends; INFINITY: no limit, as at first. */
void stickslip_job_set_limits (StickslipJob *job, double wall, double cpu);
/* Of an optimiser: a motion to start from, by the names of its channels. Of an integrator: a plan, whose start and
 * controls u.<actuator> are replayed at its own steps. Copied; NULL: none. */
bool stickslip_job_set_motion (StickslipJob *job, const StickslipTrajectory *motion, char *error, size_t size);
/* Of the integrators fesd-j, event-driven and time-freezing: derivatives of the motion by a number, named as in
 * stickslip_scenario_with. */
bool stickslip_job_add_sensitivity (StickslipJob *job, const char *number, char *error, size_t size);
/* Runs it, in this thread; a job may run again. A run that ends otherwise than hoped has a result, which says so. */
StickslipResult *stickslip_job_run (StickslipJob *job, char *error, size_t size);
/* From any thread while it runs, or before: the run ends soon, with what there is. It is not taken back. */
void stickslip_job_cancel (StickslipJob *job);

/* ---- result ------------------------------------------------------------------------------------------------------ */

void stickslip_result_free (StickslipResult *result);
/* "completed" of a simulation and "solved" of a plan are the successes; "infeasible", "time_limit", "failed", ... */
const char *stickslip_result_outcome (const StickslipResult *result);
bool stickslip_result_is_success (const StickslipResult *result);
const char *stickslip_result_message (const StickslipResult *result);
/* The motions; number 0 is the answer, where there is one. */
int stickslip_result_n_motions (const StickslipResult *result);
const StickslipTrajectory *stickslip_result_motion (const StickslipResult *result, int index);
/* "answer", "sample", "branch", "solution"; and which part of all that can happen it is, NaN: not known. */
const char *stickslip_result_role (const StickslipResult *result, int index);
double stickslip_result_share (const StickslipResult *result, int index);

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

/* What can be said of a run in a number; index 0 .. count - 1. */
int stickslip_metric_count (void);
const char *stickslip_metric_name (int index); /* "max_violation" */
const char *stickslip_metric_unit (int index); /* "" for none */
const char *stickslip_metric_summary (int index);
/* False: it is not said of such a run. NaN: not known. Measured by the judge, which believes no method. */
bool stickslip_result_metric (const StickslipResult *result, const char *name, double *value);

/* ---- judge ------------------------------------------------------------------------------------------------------- */

/* A motion from elsewhere, judged as that of a run: penetration, energy, violations. Of a scene it has x, y, theta of
 * every body that moves; of a model each variable at each time point. */
StickslipResult *stickslip_judge (const StickslipScenario *scenario, const StickslipTrajectory *motion, char *error,
                                  size_t size);

/* ---- sensitivities ----------------------------------------------------------------------------------------------- */

/* The derivative of a channel of the last row (box.x, box.vy, energy.kinetic, floor-box.gap) by a number that was
 * added to the job. NaN: there is none, or the motion has none there. */
double stickslip_result_derivative (const StickslipResult *result, const char *number, const char *channel);
/* At the end of every step, channels t and d.<number>.<channel>; NULL: none were asked for. */
const StickslipTrajectory *stickslip_result_derivatives (const StickslipResult *result);

/* ---- trajectory -------------------------------------------------------------------------------------------------- */

/* An empty one with these channels, the first of which is "t". */
StickslipTrajectory *stickslip_trajectory_new (const char *const *channels, int n_channels, char *error, size_t size);
StickslipTrajectory *stickslip_trajectory_copy (const StickslipTrajectory *trajectory, char *error, size_t size);
void stickslip_trajectory_free (StickslipTrajectory *trajectory);
/* A row of n_channels numbers; times do not descend, equal ones are a jump. */
bool stickslip_trajectory_append (StickslipTrajectory *trajectory, const double *row, char *error, size_t size);
int stickslip_trajectory_n_channels (const StickslipTrajectory *trajectory);
const char *stickslip_trajectory_channel (const StickslipTrajectory *trajectory, int channel); /* "box.vx" */
const char *stickslip_trajectory_unit (const StickslipTrajectory *trajectory, int channel);    /* "m/s" */
int stickslip_trajectory_find (const StickslipTrajectory *trajectory, const char *channel);    /* -1: none */
int stickslip_trajectory_n_rows (const StickslipTrajectory *trajectory);
/* n_channels numbers; all rows lie behind each other, row 0 first. */
const double *stickslip_trajectory_row (const StickslipTrajectory *trajectory, int row);
/* The values at a time, interpolated, into n_channels numbers; the trajectory has a row. */
void stickslip_trajectory_sample (const StickslipTrajectory *trajectory, double t, double *row);

#ifdef __cplusplus
}
#endif
