/* app/cli/cli-common.h: what several verbs share: reading the scenario, job specs, output files. */
#pragma once

#include "app/cli/cli-args.h"
#include "app/base/ssapp-table.h"
#include "app/job/ssapp-runner.h"
#include "app/job/ssapp-interests.h"
#include "app/session/ssapp-fit-ask.h"
#include "app/store/ssapp-store.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Two columns of a paper: of a picture whose --width is not given [mm]. */
#define CLI_WIDTH_MM 180.

/* Jobs of this process run in this program, under whatever name it was installed. */
void cli_use_own_worker (void);
/* FALSE after saying why: --keep-iterates does nothing without a project. */
gboolean cli_check_iterates (const CliArgs *args);
/* Text of a scenario file, or NULL after an error message; at most SS_SCENARIO_MAX_BYTES. */
char *cli_read_text (const char *path);
/* Puts the numbers of the scene that --set gives (cli_set_is_number) into the text of a scenario, which is freed. FALSE
 * after a message; the text stays. */
gboolean cli_set_numbers (const CliArgs *args, const char *path, char **text);
/* Of what a verb takes as a file or a run: whether it is a file, or a sketch of a project (PROJECT#NAME). */
gboolean cli_is_file (const char *name);
/* Whether the file named by that option can be written: asked before a long run, not after it. CLI_OK, or CLI_BAD_INPUT
 * after saying why. */
int cli_check_output (const CliArgs *args, const char *option);
/* Prints every problem as "FILE:LINE: PATH: message (expected ...)". */
void cli_print_problems (FILE *to, const SsProblems *problems);
/* Status of a reading that failed: CLI_BROKEN without memory, else CLI_BAD_INPUT. */
int cli_status_of_problems (const SsProblems *problems);
/* Whether a name of --set is a number of the scene (scene/ss-number.h), "box.mass"; else it is a parameter. */
gboolean cli_set_is_number (const char *name);
/* Scenario without what --set says; NULL after its problems were printed. */
SsScenario *cli_read_scenario_as_written (const char *path);
/* Scenario with the parameters of --set, and with its numbers in the text; NULL with `problems` filled, or after they
 * were printed. */
SsScenario *cli_read_scenario_problems (const CliArgs *args, const char *path, SsProblems *problems);
SsScenario *cli_read_scenario (const CliArgs *args, const char *path);

/* Before a run's name: the motion that it was given, not its own. */
#define CLI_GIVEN "given:"
/* The motion of --from: of a stored run, whose id is *run_id then, or of a table; both stay as they are without --from.
 * FALSE after an error that was told. */
gboolean cli_read_motion (const CliArgs *args, SsTrajectory **motion, char **run_id);

/* The part and the copies of it that --from-time [s] and --from-copies ask for. FALSE after an error that was told. */
gboolean cli_repeat_motion (const CliArgs *args, SsTrajectory **motion);

/* Of a run in an open project: its motion, or the iterate of --iterate; NULL without an error where it has no motion.
 */
SsTrajectory *cli_read_motion_of (const CliArgs *args, SsappStore *store, const char *id, GError **error);
/* The point of --at, into x[n_points * n_variables] of a scenario with a model; FALSE after an error that was told. */
gboolean cli_fill_point (const SsScenario *model, const char *at, double *x);

/* The project of --project; NULL without error when none was named, *status is CLI_OK then. */
SsappStore *cli_open_project (const CliArgs *args, gboolean create, int *status);
/* The project of `path`, or of --project where it is NULL, to be read; NULL after an error that was told, *status is
 * CLI_BAD_INPUT then. */
SsappStore *cli_open_to_read (const CliArgs *args, const char *path, int *status);
/* `list --check`: all checksums of a project. */
int cli_list_check (const CliArgs *args, SsappStore *store);
/* Told before a long run, not after it: a project that is read-only is closed and forgotten, CLI_BAD_INPUT then. */
int cli_require_writable (SsappStore **store);

/* Closes and forgets it; NULL is allowed. CLI_BROKEN after saying which file and why, where not all of what was to be
 * stored is in it. */
int cli_close_project (SsappStore **store);

/* What a verb prints of a run in the place of the usual summary, and what it writes of its record. */
typedef struct {
  void (*print) (const CliArgs *args, const json_t *result);
  gboolean (*write) (const CliArgs *args, const SsRunResult *record, GError **error);
} CliReport;
/* Runs a job in this process, stores it in --project, prints and writes what the options ask for. Takes `spec`, which
 * may be NULL after an error that was told; `report` may be NULL. Returns the exit status. */
int cli_run_spec (const CliArgs *args, SsappJobSpec *spec, const CliReport *report);
/* The same; `store` is taken: the project that is open already; NULL: it is opened here. */
int cli_run_spec_in (const CliArgs *args, SsappJobSpec *spec, const CliReport *report, SsappStore *store);
/* A job of that kind with the verb's file, as the options say; NULL after an error that was told. */
/* The same of a text (taken; NULL: none could be read, which was told) that is told of by a name. */
SsappJobSpec *cli_new_spec_of_text (const CliArgs *args, SsMethodKind kind, const char *name, char *text);
/* The job of --continue, of that kind: it goes on from a paused solve, or from a time of a simulation. NULL after an
 * error that was told. */
SsappJobSpec *cli_new_continued_spec (const CliArgs *args, SsMethodKind kind);
SsappJobSpec *cli_new_spec (const CliArgs *args, SsMethodKind kind);
/* What the options say, into a spec that has its scenario's text. */
void cli_fill_spec (SsappJobSpec *spec, const CliArgs *args, SsMethodKind kind);
/* A later value of a parameter replaces an earlier one. */
void cli_spec_set_parameter (SsappJobSpec *spec, const char *name, double value);
/* Says how to allow the method of that name where the project keeps it and it does not run here yet; both nullable. */
void cli_tell_kept_method (const char *name, const char *project);
/* Those of --option. */
void cli_spec_add_options (SsappJobSpec *spec, const CliArgs *args);
/* Of --option, to a fit or a pull, whose method is set. */
gboolean cli_fit_ask_add_options (SsappFitAsk *ask, const CliArgs *args, GError **error);
/* The result of an impact law as text, indented below its message. */
void cli_print_impact (const json_t *result);
/* The members of a race, a line each; nothing where it was none. */
void cli_print_race (const json_t *result);
/* Writes what `plot` names of a stored run of an impact law: samples, shares, configuration, or (NULL too) the planes
 * as a figure. */
gboolean cli_export_impact (SsappStore *store, const SsappRunRow *row, const char *plot, double width_mm,
                            const char *path, GError **error);
/* The scenario of a stored run with its overrides; NULL with an error. */
SsScenario *cli_load_scenario (SsappStore *store, const SsappRunRow *row, GError **error);

/* From now on SIGINT and SIGTERM cancel what runs with that control in this thread: a verb without a job of its own. */
void cli_watch_signals (void);
SsRunControl *cli_control (void);
gboolean cli_was_cancelled (void);

/* The format of a verb's table: of --format, else of the suffix of --to, else text. *status is CLI_BAD_INPUT after
 * saying that there is none of that name. */
SsappTableFormat cli_table_format (const CliArgs *args, int *status);
/* Texts NAME=FORMULA of --outcome, then of --assert; free it. */
GPtrArray *cli_outcome_texts (const CliArgs *args);
/* What they ask for; NULL with *status after an error that was told. */
SsappInterests *cli_interests (const CliArgs *args, int *status);
/* Answers (ssapp_interests_to_json), a line each. */
void cli_print_answers (json_t *answers);
/* CLI_NO_SUCCESS where an assertion of --assert does not hold in a run's result (NULL: it has none), after saying
 * which, and of which run where `of` says so; else CLI_OK. */
int cli_status_of_assertions (const CliArgs *args, const json_t *result, const char *of);
/* Whole ids of the runs that are named and of those of --study, NULL-terminated, g_strfreev; NULL with an error. */
char **cli_run_ids (const CliArgs *args, SsappStore *store, GError **error);
/* Writes it to --to, else to standard output. Returns the exit status. */
int cli_write_table (const CliArgs *args, const SsappTable *table, SsappTableFormat format);

/* JSON of a text; null where it is NULL or none. The caller unrefs it. */
json_t *cli_parse_or_null (const char *text);
/* Prints JSON, indented, and a newline. */
void cli_print_json (const json_t *json);
/* "1.234e-05", "12.5", "-" for NaN: for tables that people read. */
char *cli_number (double value);

/* Exit status for how a job ended. */
int cli_status_of_end (SsappEnd end);
/* Exit status for an outcome's name. */
int cli_status_of_outcome (const char *outcome);

G_END_DECLS
