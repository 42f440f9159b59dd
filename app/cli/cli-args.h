/* app/cli/cli-args.h: verbs and options of the command line as tables: parsing, checking and --help all read them. */
#pragma once

#include <glib.h>

#include "core/ss-core.h"

G_BEGIN_DECLS

/* Exit statuses: part of the contract. */
enum { CLI_OK = 0, CLI_NO_SUCCESS = 1, CLI_BAD_INPUT = 2, CLI_STOPPED = 3, CLI_BROKEN = 4 };

typedef struct CliArgs CliArgs;

typedef struct {
  const char *name, *alias; /* alias may be NULL                                   */
  const char *positional;   /* as shown: "FILE...", "RUN"                          */
  int min_positional, max_positional;
  const char *summary;
  const char *details; /* more for --help, may be NULL                        */
  guint64 options;     /* CLI_HAS_... : groups of options it takes            */
  int (*run) (const CliArgs *args);
} CliVerb;

enum {
  CLI_HAS_MODEL = 1 << 0,       /* --set                                                    */
  CLI_HAS_METHOD = 1 << 1,      /* --method                                                 */
  CLI_HAS_RUN = 1 << 2,         /* --option --dt --t-end --seed --time-limit --project ...  */
  CLI_HAS_OUTPUT = 1 << 3,      /* --trajectory --log                                       */
  CLI_HAS_JSON = 1 << 4,        /* --json                                                   */
  CLI_HAS_QUIET = 1 << 5,       /* --quiet                                                  */
  CLI_HAS_POINT = 1 << 6,       /* --at                                                     */
  CLI_HAS_COMPARE = 1 << 7,     /* --methods --parallel --jobs                              */
  CLI_HAS_PROJECT = 1 << 8,     /* --project, for verbs that read one                       */
  CLI_HAS_EXPORT = 1 << 9,      /* --plot --to --width                                      */
  CLI_HAS_BENCH = 1 << 10,      /* --problems --instances --repeats --steps --noise ...     */
  CLI_HAS_LIST = 1 << 11,       /* --ids                                                    */
  CLI_HAS_PLAN = 1 << 12,       /* --plan                                                   */
  CLI_HAS_START = 1 << 13,      /* --from                                                   */
  CLI_HAS_ITERATES = 1 << 14,   /* --keep-iterates */
  CLI_HAS_TABLES = 1 << 15,     /* --metrics --allow                                        */
  CLI_HAS_TO = 1 << 17,         /* --to                                                     */
  CLI_HAS_IMPACT = 1 << 16,     /* --law --option --at --touching --plane --samples-out ... */
  CLI_HAS_LATEX = 1 << 18,      /* --method --latex of equations                            */
  CLI_HAS_ADD = 1 << 19,        /* --project --name of a sketch that is added               */
  CLI_HAS_REPLAY = 1 << 20,     /* --controller --replan-every --look-ahead --lqr-q --lqr-r --disturb */
  CLI_HAS_REPEAT = 1 << 28,     /* --keep --tolerance                                       */
  CLI_HAS_VIOLATIONS = 1 << 24, /* --project --iterate --top --format --to */
  CLI_HAS_ACCURACY = 1 << 21,   /* --steps --reference --closed-form --error --channels --table ...  */
  CLI_HAS_ARCHIVE = 1 << 22,    /* --to of a project that is made                           */
  CLI_HAS_IMPORT = 1 << 29,     /* --project that is added to                               */
  CLI_HAS_SCENE = 1 << 30,      /* --scene                                                  */
  CLI_HAS_RUN_TABLE = 1 << 23,  /* --filter --sort --metrics --only-differs --format --to         */
  CLI_HAS_FIGURE = 1 << 26,     /* --kind --metric --x --y --hide --width --to of figures */
  CLI_HAS_PAPER = 1 << 25,      /* --list --quick --all --methods --to of paper             */
  CLI_HAS_SWEEP = 1 << 27,      /* --vary --methods --random --latin --study --resume --slurm --merge ... */
};

#define CLI_HAS_EVERY    ((guint64)1 << 32) /* --every */
#define CLI_HAS_FORCES   ((guint64)1 << 33) /* --at --project --format --to of forces */
#define CLI_HAS_STEPS    ((guint64)1 << 34) /* --save-steps --save-every ... */
#define CLI_HAS_CONTACTS ((guint64)1 << 35) /* --solver --tolerance --iterations ... of contacts solve, convert */
#define CLI_HAS_EDIT     ((guint64)1 << 37) /* --field --without --cut --trace ... --find-time --to of edit */
#define CLI_HAS_CONVERT  ((guint64)1 << 38) /* --names --plane --lossy */
#define CLI_HAS_BOUND    ((guint64)1 << 39) /* --limit --gap --answer --certificate --check */
#define CLI_HAS_TAG      ((guint64)1 << 40) /* --tags --add */
#define CLI_HAS_NOTE     ((guint64)1 << 41) /* --text */
#define CLI_HAS_DELETE   ((guint64)1 << 42) /* --study --undo */
#define CLI_HAS_OUTCOME  ((guint64)1 << 43) /* --outcome */
#define CLI_HAS_SHRINK   ((guint64)1 << 44) /* --keep of shrink */
#define CLI_HAS_OF_STUDY ((guint64)1 << 45) /* --study, for runs */
#define CLI_HAS_PULL     ((guint64)1 << 46) /* --want --change --range ... of pull */
#define CLI_HAS_ASSERT   ((guint64)1 << 47) /* --assert */
#define CLI_HAS_MEASURE  ((guint64)1 << 48) /* --between --channel --from --to --spectrum ... of measure */
#define CLI_HAS_GO_ON    ((guint64)1 << 56) /* --continue --at of simulate */
#define CLI_HAS_LESSON   ((guint64)1 << 55) /* --play of lessons */
#define CLI_HAS_FIT      ((guint64)1 << 36) /* --motion --free --also --profile ... of fit */

/* NULL after an error or --help; *status is the exit status then. `verb` is borrowed. */
CliArgs *cli_args_parse (const CliVerb *verb, int argc, char **argv, int *status);
void cli_args_free (CliArgs *args);

/* The verb and its positional arguments, checked to be as many as it takes; index from 0. */
const CliVerb *cli_args_verb (const CliArgs *args);
int cli_args_n_positional (const CliArgs *args);
const char *cli_args_positional (const CliArgs *args, int index); /* NULL: there are not so many */
/* Whether `all` stands for the runs of the project, alone. */
gboolean cli_args_name_all (const CliArgs *args);
/* Whether an option without value was given, such as "json". */
gboolean cli_args_flag (const CliArgs *args, const char *name);
const char *cli_args_text (const CliArgs *args, const char *name);
/* CLI_OK where every option that was given is one of these (ends with NULL); else CLI_BAD_INPUT after naming the first
 * that is not: "'sweep --resume' does not take --vary: <why>". */
int cli_args_only (const CliArgs *args, const char *mode, const char *const *options, const char *why);
/* The same where none of these was given. */
int cli_args_none (const CliArgs *args, const char *mode, const char *const *options,
                   const char *why);                                             /* the last one given, or NULL */
double cli_args_number (const CliArgs *args, const char *name, double fallback); /* checked while parsing       */
double cli_args_size (const CliArgs *args, const char *name, double fallback);   /* in bytes                */
GPtrArray *cli_args_list (const CliArgs *args, const char *name);                /* of char *; borrowed; may be empty */
/* Splits NAME=VALUE; checked while parsing. *name is g_free'd by the caller, *value points into `pair`. */
void cli_args_split (const char *pair, char **name, const char **value);

/* Hidden verbs, which walk the table of all verbs: candidates for the last of the words (cli-complete.c) and the manual
 * page (cli-manual-page.c), on standard output. They return an exit status. */
int cli_complete (const CliVerb *verbs, guint n_verbs, int argc, char **argv);
int cli_manual_page (const CliVerb *verbs, guint n_verbs, const char *date);
/* A hidden verb, too (cli-thumbnail.c): a PNG of a scenario or project, `size` pixels wide and high. */
int cli_thumbnail (const char *path, const char *picture, const char *size);
/* Usage, options and details on standard output. */
void cli_print_verb_help (const CliVerb *verb);
/* "stickslip-cli: ..." on standard error, with what could steer a terminal written out; returns CLI_BAD_INPUT. */
int cli_fail (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Whether a file of that kind (ssapp-file-kind.h) may be called so: CLI_OK, or CLI_BAD_INPUT after saying how it may
 * end. */
int cli_check_ending (const char *kind, const char *path);

/* The verbs, one function each; see main-cli.c for the table. */
int cli_validate (const CliArgs *args);
int cli_contacts (const CliArgs *args);
int cli_evaluate (const CliArgs *args);
int cli_bound (const CliArgs *args);
int cli_fit (const CliArgs *args);
int cli_pull (const CliArgs *args);
int cli_forces (const CliArgs *args);
int cli_measure (const CliArgs *args);
int cli_simulate (const CliArgs *args);
int cli_optimise (const CliArgs *args);
int cli_equations (const CliArgs *args);
int cli_replay (const CliArgs *args);
int cli_worker (const CliArgs *args);
int cli_schema (const CliArgs *args);
int cli_compare (const CliArgs *args);
int cli_violations (const CliArgs *args);
int cli_archive (const CliArgs *args);
int cli_copy (const CliArgs *args);
int cli_end (const CliArgs *args);
int cli_tag (const CliArgs *args);
int cli_note (const CliArgs *args);
int cli_delete (const CliArgs *args);
int cli_shrink (const CliArgs *args);
int cli_import (const CliArgs *args);
int cli_import_motion (const CliArgs *args);
int cli_list (const CliArgs *args);
int cli_table (const CliArgs *args);
int cli_show (const CliArgs *args);
int cli_provenance (const CliArgs *args);
int cli_reproduce (const CliArgs *args);
int cli_command (const CliArgs *args);
int cli_python_path (const CliArgs *args);
int cli_export (const CliArgs *args);
int cli_figure (const CliArgs *args);
int cli_methods (const CliArgs *args);
int cli_oracle (const CliArgs *args);
int cli_guide (const CliArgs *args);
int cli_lessons (const CliArgs *args);
int cli_bench (const CliArgs *args);
int cli_accuracy (const CliArgs *args);
int cli_paper (const CliArgs *args);
int cli_sweep (const CliArgs *args);
int cli_impact (const CliArgs *args);
int cli_compliant (const CliArgs *args); /* impact --compliant */

G_END_DECLS
