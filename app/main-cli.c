/* app/main-cli.c: stickslip-cli: everything the desktop can do, for scripts, benchmarks, clusters; and the desktop's
 * workers. */
#include "app/cli/cli-args.h"
#include "app/cli/cli-sketch.h"
#include "app/job/ssapp-own.h"
#include "run/ss-run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
static const CliVerb verbs[] = {
  {"validate", NULL, "FILE...", 1, G_MAXINT, "Reads scenarios and prints each problem as FILE:LINE: PATH: message (expected ...).", NULL,
   CLI_HAS_MODEL | CLI_HAS_JSON | CLI_HAS_QUIET, cli_validate},
  {"contacts", NULL, "FILE|solve FILE...|convert IN OUT|schema", 1, G_MAXINT,
   "Lists the contacts of a scene: gap at the start, friction, restitution, stiffness, damping, and where each value "
   "comes from; solves and converts contact problems of single steps.",
   "A value comes from the contact itself, else from its pair of materials, else from its materials, else from the scene.\n"
   "solve FILE...: problems that `simulate --save-steps` wrote (.json), or Siconos' fc2d and gfc2d forms (.fc2d, .gfc2d, .dat), or folders of\n"
   "such files, by each solver to one residual, that of the judge: the natural map of Coulomb's law as a speed. A row a run, or of many\n"
   "problems a row a solver; --json has the history of each run. --figure draws what --plot says. Exit status 1: no solver solved one of them.\n"
   "convert IN OUT: writes a problem in another form; a file that exists is not replaced. schema: prints the JSON schema of a problem.",
   CLI_HAS_MODEL | CLI_HAS_CONTACTS | CLI_HAS_JSON | CLI_HAS_QUIET, cli_contacts},
  {"evaluate", NULL, "FILE", 1, 1,
   "Prints objective, violations by kind and numbers of rows of the scenario's problem at a point.",
   "A CSV file has one row per time point and one column per variable, named in its first line; a column t is ignored.",
   CLI_HAS_MODEL | CLI_HAS_POINT | CLI_HAS_JSON, cli_evaluate},
  {"equations", NULL, "FILE", 1, 1,
   "Prints coordinates, mass matrix, gap functions and joints of a scene, or the rows of a model; and what a method "
   "solves.",
   NULL, CLI_HAS_MODEL | CLI_HAS_LATEX, cli_equations},
  {"simulate", NULL, "[FILE]", 0, 1, "Simulates a scene by an integrator, from its initial state to its horizon.",
   "Ctrl-C ends the run and keeps what there is so far. --continue goes on from there, or from a time of any run, with other numbers, options\n"
   "or FILE; bodies and joints stay those of the run. FILE may be left out with --continue only.",
   CLI_HAS_GO_ON | CLI_HAS_MODEL | CLI_HAS_METHOD | CLI_HAS_RUN | CLI_HAS_EVERY | CLI_HAS_STEPS | CLI_HAS_OUTPUT |
   CLI_HAS_OUTCOME | CLI_HAS_ASSERT | CLI_HAS_JSON | CLI_HAS_QUIET, cli_simulate},
  {"optimise", "optimize", "[FILE]", 0, 1,
   "Solves the scenario's task by an optimiser: plans a motion, or solves a model in equations.",
   "Ctrl-C ends the run and writes what there is so far. --from takes any motion with channels of the scenario's names, also that of a\n"
   "simulation; the motion is interpolated where its times differ, and channels that it lacks begin as in the scenario's own guess.\n"
   "--dt and --t-end change the plan of a scene; a model in equations has parameters for its times. FILE may be left out with --continue only.",
   CLI_HAS_START | CLI_HAS_ITERATES | CLI_HAS_MODEL | CLI_HAS_METHOD | CLI_HAS_RUN | CLI_HAS_OUTPUT |
   CLI_HAS_OUTCOME | CLI_HAS_ASSERT | CLI_HAS_JSON | CLI_HAS_QUIET, cli_optimise},
  {"violations", NULL, "RUN|FILE", 1, 1,
   "Lists the constraints that an answer violates most, by body, contact, time and equation.",
   "RUN is an id, a beginning of one (4 characters or more) or `last`, of an optimiser: its answer is listed, of an interrupted run the last\n"
   "iterate, with --iterate a kept one. FILE is a scenario, at the point of --at. The judge computes all amounts; the first is max_violation.",
   CLI_HAS_VIOLATIONS | CLI_HAS_MODEL | CLI_HAS_POINT | CLI_HAS_JSON, cli_violations},
  {"bound", NULL, "FILE", 1, 1, "Tells how far the best answer of a model is from the best possible: a lower bound of the objective, proved.",
   "FILE is a scenario with a model, or with a plan, whose equations are taken. Formulas must be polynomials, quotients, roots, abs, min, max; of\n"
   "others only the range counts, which rarely gives a bound. The bound is what the certificate proves in arithmetic rounded outward, not what the\n"
   "search believes; --check proves it again, from the file alone. Exit status 1: no bound, and the output says why; 3: Ctrl-C. With --check 1: the\n"
   "certificate does not hold.",
   CLI_HAS_MODEL | CLI_HAS_BOUND | CLI_HAS_JSON | CLI_HAS_QUIET, cli_bound},
  {"forces", NULL, "RUN|FILE", 1, 1,
   "Tells the forces of every contact, joint, limit, spring and motor at a state, without a run.",
   "FILE is a scenario, at its start or at a state of a table (--at FILE.csv); RUN is a stored run, at a time or row of its motion. The forces are\n"
   "those of the laws alone: rigid contacts with Coulomb friction, no step and no scheme. Those that the laws do not tell apart are marked as not\n"
   "unique; exit status 1: the law has no forces there.",
   CLI_HAS_FORCES | CLI_HAS_MODEL | CLI_HAS_JSON, cli_forces},
  {"measure", NULL, "RUN", 1, 1,
   "Measures a stored run: distances and angles between features, and what lies of a channel between two times.",
   "RUN is an id, a beginning of one (4 characters or more) or `last`. A row a channel: its values at both times, their difference, slope, mean,\n"
   "deviation, root mean square, least, most, and the slope of the line that fits best. --between A --and B measures what the scene does not\n"
   "keep; what it keeps (\"measures\" of a scene) is the channel measure.NAME.",
   CLI_HAS_MEASURE, cli_measure},
  {"oracle", NULL, "FILE", 1, 1,
   "Answers questions about a scenario's problem or scene: JSON lines on standard input, replies on standard output.",
   "A question is {\"want\": [NAME, ...], \"x\": [...]} of a model, with \"q\", \"v\", \"t\" of a scene: values, rows, sparse Jacobian and Hessians;\n"
   "gaps, normals, mass matrix, forces. {\"want\": [\"questions\"]} lists the names. `convert` makes a model of a scene's plan.",
   CLI_HAS_MODEL, cli_oracle},
  {"worker", NULL, "", 0, 0, "Takes jobs as JSON lines on standard input, writes events as JSON lines on standard output.",
   "One line: {\"type\":\"job\",\"id\":\"1\",\"verb\":\"optimise\",\"scenario\":{...},\"method\":\"crisp\",\"options\":{},\"set\":{}}\n"
   "Verbs: optimise, simulate, replay, impact. Other lines: {\"type\":\"cancel|pause|resume|quit\"}. End of input means quit.", 0, cli_worker},
  {"schema", NULL, "DOCUMENT", 1, 1, "Prints the JSON Schema (draft 2020-12) of a document: scenario, result, event, job, method or method-line.",
   "scenario: a scenario file. result: what --json of simulate, optimise, replay and impact prints. event, job: a line that a worker writes\n"
   "and reads; --log writes events. method: the file of a method of your own; method-line: a line that its program\n"
   "writes. What each field is, with its unit, is its description.", 0, cli_schema},
  {"compare", NULL, "FILE", 1, 1, "Runs several methods on one scenario and prints a table.",
   "Each run has a process of its own; they run one after another unless --parallel. A method may be named several times, each with options\n"
   "of its own: --methods crisp,crisp:preset=paper,ipopt. Without --methods those that the file names run, a single one beside the usual one.\n"
   "With --project the runs are stored as one comparison.",
   CLI_HAS_MODEL | CLI_HAS_PLAN | CLI_HAS_COMPARE | CLI_HAS_ITERATES | CLI_HAS_RUN | CLI_HAS_OUTCOME |
   CLI_HAS_ASSERT | CLI_HAS_JSON | CLI_HAS_QUIET, cli_compare},
  {"accuracy", NULL, "FILE", 1, 1, "Runs integrators with several steps against a reference: errors, cost, orders.",
   "Each run has a process of its own, one after another. The reference is a run with a short step, formulas, a table or a stored run.\n"
   "--outcome NAME=FORMULA is asked of every run: its error is that to the reference run's answer.\n"
   "Slopes are least squares over the steps on which the error falls; the table says which. `stickslip-cli methods` says which law each solves.\n"
   "A JSON file of formulas: {\"title\": \"ramp\", \"channels\": {\"box.x\": \"a*t^2/2\"}}.",
   CLI_HAS_MODEL | CLI_HAS_ACCURACY | CLI_HAS_OUTCOME | CLI_HAS_JSON | CLI_HAS_QUIET, cli_accuracy},
  {"sweep", NULL, "[FILE]", 0, 1,
   "Runs a study: one scenario with everything that varies, by several methods; each run has a process of its own.",
   "Runs are kept in --project as they end. The same command once more, or --resume, goes on where it was stopped or killed: no run\n"
   "that ended is made again, one that was interrupted is. Methods change fastest, then the last --vary. A solver that crashes ends its run alone.\n"
   "Exit status 0: all runs were solved; 1: some ended otherwise; 3: stopped by Ctrl-C; 4: not all could be stored.\n"
   "--merge judges again what it takes: a file whose claims its motion does not bear out is named and left out, with exit status 1.",
   CLI_HAS_SWEEP | CLI_HAS_OUTCOME | CLI_HAS_ASSERT | CLI_HAS_JSON | CLI_HAS_QUIET, cli_sweep},
  {"replay", NULL, "RUN", 1, 1,
   "Simulates a scene with the controls of a stored plan, and reports how far the motion is from the plan.",
   "RUN is an id, a beginning of one (4 characters or more) or `last`, the last plan, of a scene. Row k's controls are held from t_k\n"
   "to t_{k+1}; the replay starts in the plan's first row and takes the plan's own steps unless --dt says otherwise. It is stored in the same project.\n"
   "With --controller the motion is held on its plan; --set mu=0.4 and --disturb make a world that the plan did not expect.",
   CLI_HAS_MODEL | CLI_HAS_METHOD | CLI_HAS_RUN | CLI_HAS_OUTPUT | CLI_HAS_OUTCOME |
   CLI_HAS_ASSERT | CLI_HAS_PLAN | CLI_HAS_REPLAY | CLI_HAS_JSON | CLI_HAS_QUIET, cli_replay},
  {"list", NULL, "[PROJECT]", 0, 1, "Lists the runs of a project, newest first.", NULL, CLI_HAS_PROJECT | CLI_HAS_LIST | CLI_HAS_JSON, cli_list},
  {"table", NULL, "[RUN...]", 0, G_MAXINT,
   "Prints stored runs as a table: filtered, sorted, with the settings in which they differ and their metrics.",
    "RUN is an id, a beginning of one (4 characters or more) or `last`; `all`, or no RUN: all runs. Formats md and tex name no runs and\n"
    "have the best value in bold among the runs of one problem (one scenario with the same parameters, seed, start and horizon) that\n"
    "succeeded; other formats begin with the run's id and end with its start, note and tags.",
   CLI_HAS_RUN_TABLE | CLI_HAS_OUTCOME, cli_table},
  {"add", NULL, "FILE...", 1, G_MAXINT, "Adds scenarios to a project, as sketches.",
   "Prints the name of each sketch. Any verb that reads a FILE takes a sketch as PROJECT.stickslip#NAME.",
   CLI_HAS_ADD | CLI_HAS_QUIET, cli_add},
  {"edit", NULL, "FILE", 1, 1, "Changes fields of a scenario and prints or writes the file that comes of it.",
   "PATH names a place in the file, VALUE is a number, a formula or another value in JSON. Fields are taken out first, then set in the order\n"
   "given; the result must be a scenario. `optimise` prints such commands for what would make a failed plan solvable.",
   CLI_HAS_EDIT | CLI_HAS_QUIET, cli_edit},
  {"convert", NULL, "IN OUT", 2, 2, "Writes a problem in another form: AMPL's .nl from a scenario and back, a robot as a scene, a scene as a robot.",
   "IN is a scenario with a model, one with a plan, whose equations are written, or a .nl file, which every verb takes where it takes a\n"
   "scenario with a model; or a robot of MJCF or URDF, .xml or .urdf. OUT ends in .nl, .json or .xml (a scene as MJCF) and is replaced where\n"
   "it exists. What a scene cannot say of a robot, or MJCF of a scene, is told, a line each; what would make another motion is an error.",
   CLI_HAS_MODEL | CLI_HAS_CONVERT | CLI_HAS_QUIET, cli_convert},
  {"show", NULL, "RUN", 1, 1, "Prints a stored run: result, inputs and provenance; or the text of a sketch.",
   "RUN is an id, a beginning of one (4 characters or more) or `last`; or a sketch, PROJECT.stickslip#NAME.", CLI_HAS_PROJECT | CLI_HAS_JSON, cli_show},
  {"provenance", NULL, "RUN", 1, 1,
   "Prints all that a stored run may depend on: scenario, options and their defaults, seed, program, libraries, "
   "machine, times.",
   "What differs from its default is marked with *.", CLI_HAS_PROJECT | CLI_HAS_JSON, cli_provenance},
  {"reproduce", NULL, "RUN...", 0, G_MAXINT, "Makes a stored run once more and says whether it came out the same.",
   "The run is repeated from what is stored: the scenario as it was, options, parameters, seed, and the plan or start that the run was given.\n"
   "Equal: every number of its motions and samples bit by bit, outcome and metrics (but times). Within tolerance: see --tolerance.\n"
   "Differs: the first frame and channel that differ, both values, and which metrics. Exit status 0: equal or within tolerance; 1: the runs\n"
   "differ; 2: no such run, or one that cannot be repeated (cancelled, ended by its time limit, steered by hand); 3: Ctrl-C.",
   CLI_HAS_PROJECT | CLI_HAS_REPEAT | CLI_HAS_OF_STUDY | CLI_HAS_JSON, cli_reproduce},
  {"command", NULL, "RUN...", 0, G_MAXINT, "Prints the command line that repeats a stored run, or a study, for a shell.",
   NULL, CLI_HAS_PROJECT | CLI_HAS_OF_STUDY, cli_command},
  {"python-path", NULL, "", 0, 0, "Prints the folder of the Python package (scenes, runs, studies, projects) and of its examples.", NULL, 0, cli_python_path},
  {"export", NULL, "RUN...", 1, G_MAXINT, "Writes pictures and tables of stored runs.",
   "RUN is an id, a beginning of one (4 characters or more) or `last`.", CLI_HAS_PROJECT | CLI_HAS_EXPORT, cli_export},
  {"archive", NULL, "RUN...", 0, G_MAXINT, "Writes stored runs as a project of their own, to send or to keep.",
   "RUN is an id, a beginning of one (4 characters or more), `last` or `all`. Runs take along their sketches, the plans that they replay, and\n"
   "comparisons all of whose runs are written. A file that exists is not replaced.", CLI_HAS_PROJECT | CLI_HAS_ARCHIVE |
   CLI_HAS_OF_STUDY | CLI_HAS_QUIET, cli_archive},
  {"import", NULL, "PROJECT...", 1, G_MAXINT, "Adds all runs of other projects, such as archives, with their sketches and comparisons.",
   "Runs keep their ids: a run that the project already has stays as it is, so that importing twice changes nothing.",
   CLI_HAS_IMPORT | CLI_HAS_QUIET, cli_import},
  {"copy", NULL, "PROJECT", 1, 1,
   "Saves what can be read of a project that is damaged, of a newer version, or changed by another program.",
   "A new project with all rows that can be read, of the tables and columns that this version knows; triggers, views and tables of others\n"
   "are left out. What does not match its checksum stays marked. PROJECT is not changed. Exit status 1 where something is damaged or lost.",
   CLI_HAS_ARCHIVE | CLI_HAS_QUIET, cli_copy},
  {"end", NULL, "RUN...", 1, G_MAXINT,
   "Marks runs as ended that are recorded as running though their program is gone, on this machine or another.",
   "They become `interrupted` and keep what there is of them. RUN is an id, a beginning of one (4 characters or more), or `old`: all those of\n"
   "other machines of which nothing was stored for a week, which also end by themselves when the project is opened for writing.",
   CLI_HAS_PROJECT | CLI_HAS_QUIET, cli_end},
  {"tag", NULL, "RUN...", 0, G_MAXINT, "Gives stored runs tags: words by which lists and tables are filtered (tag:WORD).",
   "RUN is an id, a beginning of one (4 characters or more) or `last`. Nothing is written where one is not there.",
   CLI_HAS_PROJECT | CLI_HAS_TAG | CLI_HAS_OF_STUDY | CLI_HAS_QUIET, cli_tag},
  {"note", NULL, "RUN...", 0, G_MAXINT, "Writes a note to stored runs, in the place of the one that they have.",
   "RUN is an id, a beginning of one (4 characters or more) or `last`. Nothing is written where one is not there.",
   CLI_HAS_PROJECT | CLI_HAS_NOTE | CLI_HAS_OF_STUDY | CLI_HAS_QUIET, cli_note},
  {"delete", NULL, "RUN...", 0, G_MAXINT, "Takes stored runs, or a study, out of the lists of a project.",
   "What is deleted stays in the file and comes back with --undo, which needs its whole id. The runs of a study stay.",
   CLI_HAS_PROJECT | CLI_HAS_DELETE | CLI_HAS_QUIET, cli_delete},
  {"shrink", NULL, "RUN...", 0, G_MAXINT, "Leaves less of the motions of stored runs, or of a study's runs, and makes the project's file smaller.",
   "Without runs the motions of deleted ones go for good, and the file loses its free room.\n"
   "Metrics, outcomes, events and what a run was given stay. A thinned motion is to look at: nothing is replayed or asked from it. The file is\n"
   "written anew, smaller. What went is made again by `reproduce --keep`.",
   CLI_HAS_PROJECT | CLI_HAS_SHRINK | CLI_HAS_OF_STUDY | CLI_HAS_QUIET, cli_shrink},
  {"import-motion", NULL, "FILE", 1, 1, "Stores a motion from elsewhere as a run of a scene or model, judged as any other run.",
   "FILE is a table as `export --plot trajectory` writes it, .csv: names of channels, then a line for each time; or .json:\n"
   "{\"t\": [...], \"box.x\": [...]} or {\"channels\": [...], \"rows\": [[...], ...]}. Times must not descend; equal times are a jump. Every body\n"
   "that moves needs x, y and theta; metrics of velocities and forces need their channels in the table. A model needs each variable at each\n"
   "time point, and gets objective, violations and the outcome that they tell, as does a scene with a task of a motion that tells them.\n"
   "Prints the run's id.",
   CLI_HAS_MODEL | CLI_HAS_IMPORT | CLI_HAS_SCENE | CLI_HAS_QUIET, cli_import_motion},
  {"fit", NULL, "FILE", 1, 1, "Fits numbers of a scene to measured motions: friction, restitution, masses, starts, with 95 % intervals.",
   "Minimises a robust loss over whole simulations, from several starts. Without --method: the file's integrator, else event-driven.\n"
   "An unknown that these data do not tell has no interval, but the bound that they tell: a block that never slips bounds friction from below.\n"
   "Exit status 1: the model does not fit the data (residuals far larger than their noise, or with a pattern); no interval is given then.",
   CLI_HAS_MODEL | CLI_HAS_METHOD | CLI_HAS_FIT | CLI_HAS_JSON | CLI_HAS_QUIET, cli_fit},
  {"pull", NULL, "FILE", 1, 1, "Pulls an outcome: finds the start, parameter or field of a scene that makes its motion end as wanted.",
   "Takes the least change, by derivatives of the motion through its events, and by scans where the sequence of contacts has to change.\n"
   "Without --method: the file's integrator, else event-driven. The verdict is that of the scene with the found numbers, simulated anew.\n"
   "Exit status 1: it is not reached; the nearest is told then, and what stands in the way.",
   CLI_HAS_MODEL | CLI_HAS_METHOD | CLI_HAS_PULL | CLI_HAS_OUTCOME | CLI_HAS_JSON | CLI_HAS_QUIET, cli_pull},
  {"figure", NULL, "STUDY|RUN...", 0, G_MAXINT,
   "Writes figures and tables of many runs: heat maps, box plots, profiles, success, curves, work and precision.",
   "Runs belong to one problem when only method and options differ. The judge says which runs are solved; others never count in a profile.\n"
   "The best of a problem is that of the methods shown. STUDY is a title, an id or `last`, and includes runs that are still to be made; RUN is\n"
   "an id, a beginning of one (4 characters or more), or `last` in a project without studies. Without --to the numbers are printed.",
   CLI_HAS_PROJECT | CLI_HAS_FIGURE | CLI_HAS_OUTCOME | CLI_HAS_QUIET, cli_figure},
  {"methods", NULL, "[NAME]", 0, 1,
   "Lists every integrator, optimiser and impact law with its options, ranges and defaults.",
   "A name that two kinds share prints both. Methods of your own (manual, own-method) are in the list.\n"
   "With --project it lists those that the project keeps; --keep NAME keeps one there, --allow NAME allows one from there.\n"
   "--metrics prints what a result says of a run instead: name, unit, what is better, meaning.",
   CLI_HAS_TABLES | CLI_HAS_JSON, cli_methods},
  {"guide", NULL, "[PAGE... | WORDS]", 0, G_MAXINT,
   "Prints pages of the manual, or finds words in it.",
   "PAGE is the name of a page: README lists them, fesd-j is that of the method, sketch that of the window's page. Other words are\n"
   "looked for: the sections that have them or their beginnings, best first. Without a page those of the window are printed.\n"
   "--to FOLDER/ writes all of the manual as pages for a browser that need no network, its index as index.html.",
   CLI_HAS_TO, cli_guide},
  {"lessons", NULL, "[NAME]", 0, 1, "Lists the lessons of the window's start page, or prints one.",
   "A lesson is a scene with steps that notice what was done. --play does what the steps ask, of all lessons without NAME,\n"
   "and says which are noticed; exit status 2 where one is not, or where a number of its text is not that of the run.",
   CLI_HAS_LESSON, cli_lessons},
  {"impact", NULL, "FILE", 1, 1, "Computes the velocities after an impact by an impact law.",
   "FILE is a scene, whose configuration is that of its start or of --from at --at, or a file of numbers (M, Jn, Jt, mu, v_pre).\n"
   "set-valued samples all outcomes of simultaneous impacts; the other laws give one, or with --option all=on every one they have.\n"
   "--project stores the run: its result, up to 2^18 samples and the corners of their hulls, and of a scene each outcome as a branch.\n"
   "Ctrl-C ends with the samples that there are, up to 2^16. A sweep of --compliant is not stored.",
   CLI_HAS_MODEL | CLI_HAS_IMPACT | CLI_HAS_JSON | CLI_HAS_QUIET, cli_impact},
  {"paper", NULL, "[NAME [PAPER]]", 0, 2,
   "Computes a table or figure of the papers anew, with the paper's column beside ours; without a name lists "
   "them.",
   "Each number is agreed, refuted (with the run that refutes it) or not reproducible (with the reason). Numbers that a paper only\n"
   "draws are not in its table. Ctrl-C ends with what there is.\n"
   "all --to FOLDER, PAPER --to FOLDER: everything, with a page index.html; what is there of the same program is kept. --quick: the quick\n"
   "parts, else as much as there is: half an hour of the processor.\n"
   "equations [PAPER]: each numbered item of the papers, with our lines, tests and deviations; errata [PAPER]: their misprints.\n"
   "PAPER is 000 or fesd-j, 001 or time-freezing, 002 or impacts, 003 or constraint-solver, 004 or crisp; works of others: comparisons.",
   CLI_HAS_PAPER | CLI_HAS_JSON | CLI_HAS_QUIET, cli_paper},
  {"bench", NULL, "SUITE [FILE|FOLDER]", 1, 2,
   "Runs a suite of benchmarks and prints a table, with the paper's column beside ours.",
   "crisp: the instances of Table II of the CRISP paper, by each method, with what the authors' program reached.\n"
   "mpc: push T in a closed loop with noise, by CRISP with preset=warm unless --methods says otherwise; distribution of solve times.\n"
   "mpc FILE: the task of a drawn scene in a closed loop, with another friction, kicks and goals that move; deadlines, misses, where it ends.\n"
   "constraint-solver: Tables 1, 2 and Figs. 1-4, 6, 9, 10 of the constraint solver's paper, planar.\n"
   "impacts: samples of Table 3 of the set-valued impacts' paper, the comparison laws, Fig. 12; --data: its Figs 9 to 14 as files.\n"
   "fesd-order: Fig. 6 of the FESD-J paper, errors of two balls on a spring by Radau IIA and Gauss-Legendre; slopes; --to: as CSV.\n"
   "fesd-speed: what single steps of fesd-j cost beside those of moreau-jean, steps of half a frame, 1 to 20 bodies.\n"
   "time-freezing: the guiding particle of the time-freezing paper beside its closed form; error against step and CPU time of fesd-j,\n"
   "time-freezing, moreau-jean and stewart-trinkle on six scenes, observed orders; --data: its Figs 1 to 8 and the plots as files.\n"
   "simulate: stacks, pyramids, inclines, piles, chains with each integrator; --order: observed orders.\n"
   "plans: random tasks of drawn scenes, each with a motion that is known: which a method solves, by kind; --data: the tasks as files.\n"
   "closed-forms: motions whose formulas are known, by each integrator: errors over steps that halve, orders; --table: as a file.\n"
   "contact-solvers: 200 contact problems of single steps by each solver, a row a solver; --figure: their performance profile; --data: the problems.\n"
   "edits: CPU time from an edit of each scene of the gallery to its new motion, as the Sketch page has it.\n"
   "collection FOLDER: the scenarios and .nl files of a folder by each method: solved, proved, at the best found, CPU time; with --project\n"
   "`figure --kind data` draws their data profile.\n"
   "A method may carry options: --methods crisp,crisp:preset=paper,ipopt. Ctrl-C ends with what there is.",
   CLI_HAS_BENCH | CLI_HAS_JSON | CLI_HAS_QUIET, cli_bench},
};

/* clang-format on */

static void
print_help (void)
{
  printf ("Usage: stickslip-cli VERB [arguments]\n\nVerbs:\n");
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++) {
    char left[40];
    g_snprintf (left, sizeof left, "%s %s", verbs[i].name, verbs[i].positional);
    printf ("  %-20s %s\n", left, verbs[i].summary);
  }
  printf ("\n`stickslip-cli VERB --help` explains a verb; `stickslip-cli --version` prints the version.\n");
}

static const CliVerb *
find_verb (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (verbs[i].name, name) == 0 || g_strcmp0 (verbs[i].alias, name) == 0)
      return &verbs[i];
  return NULL;
}

static int
fail_unknown_verb (const char *name)
{
  const char *names[2 * G_N_ELEMENTS (verbs)];
  int n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++) {
    names[n++] = verbs[i].name;
    if (verbs[i].alias != NULL)
      names[n++] = verbs[i].alias;
  }
  const char *nearest = ss_nearest_name (name, names, n);
  if (nearest != NULL)
    return cli_fail ("unknown verb '%s'; did you mean '%s'?", name, nearest);
  return cli_fail ("unknown verb '%s'; `stickslip-cli --help` lists the verbs", name);
}

/* A caller may have closed a standard stream; then the next file that is opened would take its number and be read or
 * written as one. */
static void
open_standard_streams (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 && open ("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) != fd)
      _exit (CLI_BROKEN);
}

/* No setlocale here: numbers are read and written with '.' whatever the locale. */
/* Whether standard output is a pipe that nobody reads any more, as that of `show | head`: nobody has to be told. */
static bool
is_reader_gone (void)
{
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

  return poll (&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

int
main (int argc, char **argv)
{
  int status;

  open_standard_streams ();
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN); /* a file size limit is an error of the write, told like a full disk */
  if (argc < 2) {
    print_help ();
    return CLI_BAD_INPUT;
  }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0) {
    const CliVerb *verb = argc > 2 ? find_verb (argv[2]) : NULL;
    if (verb != NULL)
      cli_print_verb_help (verb);
    else
      print_help ();
    return CLI_OK;
  }
  if (strcmp (argv[1], "--version") == 0) {
    printf ("stickslip-cli %s\n", SS_VERSION);
    return CLI_OK;
  }
  if (strcmp (argv[1], "manual-page") == 0 && argc == 3)
    return cli_manual_page (verbs, G_N_ELEMENTS (verbs), argv[2]);
  if (strcmp (argv[1], "thumbnail") == 0 && argc == 5)
    return cli_thumbnail (argv[2], argv[3], argv[4]);
  ssapp_own_read_all ();
  if (strcmp (argv[1], "complete") == 0)
    return cli_complete (verbs, G_N_ELEMENTS (verbs), argc - 2, argv + 2);
  const CliVerb *verb = find_verb (argv[1]);
  if (verb == NULL)
    return fail_unknown_verb (argv[1]);
  CliArgs *args = cli_args_parse (verb, argc - 2, argv + 2, &status);
  if (args == NULL)
    return status;
  status = verb->run (args);
  cli_args_free (args);
  /* Not the last flush alone: an earlier one may have failed. */
  if ((fflush (stdout) != 0 || ferror (stdout)) && status == CLI_OK) {
    if (!is_reader_gone ())
      cli_fail ("cannot write to standard output");
    status = CLI_BROKEN;
  }
  return status;
}
