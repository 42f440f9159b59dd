/* app/cli/cli-options.c: the one table of the options of the command line: parser, help and errors walk it. */
#include "app/cli/cli-args-private.h"

#include "app/export/ssapp-format.h"
#include "app/export/ssapp-plot-kind.h"
#include "app/job/ssapp-own.h"
#include "app/job/ssapp-replay-ask.h"

static char *
fit_plots (void)
{
  return ssapp_plots_of (SSAPP_PLOT_FIT);
}

/* ".webp and .gif are films of the motion, .zip and FOLDER/ their pictures" */
static char *
films_help (void)
{
  g_autofree char *films = ssapp_formats_list (SSAPP_FORMAT_FILM, " and ");
  g_autofree char *frames = ssapp_formats_list (SSAPP_FORMAT_FRAMES, " and ");

  return g_strdup_printf ("%s are films of the motion, %s their pictures", films, frames);
}

/* ".pdf, .svg or ..." of the figures of many runs. */
static char *
charts_help (void)
{
  return ssapp_endings_list ("chart");
}

static const CliOption options[] = {
    {"--method", KIND_TEXT, "M", CLI_HAS_METHOD,
     "method that runs, one of `stickslip-cli methods`; default: the first of its kind among the file's `methods`"},
    {"--methods", KIND_TEXT, "A,B,...", CLI_HAS_COMPARE | CLI_HAS_BENCH,
     "methods to compare; default of `compare`: those of the file's `methods`"},
    {"--methods", KIND_TEXT, "A,B,...", CLI_HAS_ACCURACY,
     "integrators, each with its options: fesd-j:stages=2,moreau-jean; default all"},
    {"--steps", KIND_TEXT, "S,S,...", CLI_HAS_ACCURACY,
     "steps [s]; default a fiftieth of the motion, halved five times"},
    {"--reference", KIND_TEXT, "WHAT", CLI_HAS_ACCURACY,
     "what motions are compared with: a method, whose finest run is then the truth for all methods (default fesd-j); "
     "own or finest (each method's finest run is its own truth); a table (.csv); formulas (.json); or a run of "
     "--project"},
    {"--reference-step", KIND_NUMBER, "S", CLI_HAS_ACCURACY,
     "step of the reference [s]; default: an eighth of the shortest step"},
    {"--closed-form", KIND_PAIR, "CHANNEL=F", CLI_HAS_ACCURACY,
     "a channel as formula of t and the scenario's parameters, such as box.x=a*t^2/2 (repeatable)"},
    {"--error", KIND_TEXT, "WHICH", CLI_HAS_ACCURACY,
     "error of slopes and figure: mean over the time (default), max, end, or outcome (default with --outcome)"},
    {"--channels", KIND_TEXT, "A,B,...", CLI_HAS_ACCURACY,
     "channels that are compared; default: those of the formulas, else the positions and angles of all bodies that "
     "move"},
    {"--repeats", KIND_COUNT, "N", CLI_HAS_ACCURACY,
     "number of runs of each method with each step; the fastest of "
     "them counts"},
    {"--option", KIND_PAIR, "NAME=VALUE", CLI_HAS_ACCURACY,
     "sets an option of every method that has it (repeatable); METHOD.NAME=VALUE sets it for that method alone"},
    {"--t-end", KIND_NUMBER, "S", CLI_HAS_ACCURACY, "end of the motion [s]; default the scenario's"},
    {"--time-limit", KIND_SECONDS, "S", CLI_HAS_ACCURACY, "ends each run after that many seconds of wall time"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_ACCURACY,
     "project that stores the runs, as a comparison, and that has the run of --reference; made if it does not exist"},
    {"--table", KIND_TEXT, "WHICH", CLI_HAS_ACCURACY,
     "table that --to writes: runs (default), orders, or energy (the judge's account of the energy, which is then "
     "printed, too)"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_ACCURACY, "writes the table: %s", "table"},
    {"--figure", KIND_TEXT, "FILE", CLI_HAS_ACCURACY, "writes error over step and over CPU time: %s", "picture"},
    {"--list", KIND_FLAG, NULL, CLI_HAS_PAPER, "lists the tables and figures, as the verb does without a name"},
    {"--quick", KIND_FLAG, NULL, CLI_HAS_PAPER,
     "makes a part of the table or figure, where the whole takes more "
     "than half a minute"},
    {"--all", KIND_FLAG, NULL, CLI_HAS_PAPER, "makes as much as the paper has, where that takes minutes"},
    {"--methods", KIND_TEXT, "A,B,...", CLI_HAS_PAPER,
     "optimisers that solve the instances of crisp-table-2; "
     "default crisp"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_PAPER,
     "writes the first picture, or all tables, or the first one alone into a .csv, .tsv or "
     ".jsonl; of `all` or a paper: the FOLDER that gets everything: %s",
     "paper"},
    {"--width", KIND_NUMBER, "MM", CLI_HAS_ACCURACY, "width of the figure (default 180; one column is 88)"},
    {"--set", KIND_NUMBER_PAIR, "NAME=VALUE", CLI_HAS_MODEL,
     "a parameter of the scenario, or a number of its scene: box.x, floor-box.friction, scene.restitution "
     "(repeatable)"},
    {"--option", KIND_PAIR, "NAME=VALUE", CLI_HAS_METHOD, "sets an option of the method (repeatable)"},
    {"--option", KIND_PAIR, "NAME=VALUE", CLI_HAS_COMPARE,
     "sets an option of every method that has it (repeatable); METHOD.NAME=VALUE sets it for that method alone"},
    {"--option", KIND_PAIR, "NAME=VALUE", CLI_HAS_BENCH, "sets an option of the methods (repeatable)"},
    {"--at", KIND_TEXT, "POINT", CLI_HAS_POINT,
     "point at which the problem is evaluated: zeros, guess (default), test (x_j = 0.3 sin(0.37 (j+1))) or a CSV file"},
    {"--law", KIND_TEXT, "L", CLI_HAS_IMPACT, "impact law: newton, anitescu-potra, sequential or set-valued (default)"},
    {"--compliant", KIND_TEXT, "SWEEP", CLI_HAS_IMPACT,
     "takes two contacts that give way in the place of an impact law, and sweeps the ratio of their stiffnesses "
     "(ratio) or the angle of a body (angle)"},
    {"--contacts", KIND_TEXT, "A,B", CLI_HAS_IMPACT, "the two contacts of --compliant; default those that touch"},
    {"--body", KIND_TEXT, "NAME", CLI_HAS_IMPACT,
     "body that --compliant angle turns; default: the body that has both contacts"},
    {"--option", KIND_PAIR, "NAME=VALUE", CLI_HAS_IMPACT,
     "sets an option of the impact law or of --compliant "
     "(repeatable)"},
    {"--at", KIND_NUMBER, "T", CLI_HAS_IMPACT, "time of the motion of --from [s]; default its end"},
    {"--from", KIND_TEXT, "RUN|FILE.csv", CLI_HAS_IMPACT,
     "takes positions and velocities from the motion of a run in --project, or from a table; also with --compliant"},
    {"--touching", KIND_NUMBER, "M", CLI_HAS_IMPACT | CLI_HAS_FORCES,
     "largest gap at which a contact counts as touching [m]; default "
     "1e-6"},
    {"--plane", KIND_TEXT, "X,Y", CLI_HAS_IMPACT,
     "adds the hull of the samples and the polygons of both bounds in that plane, such as vn_A,vn_B (set-valued; "
     "repeatable)"},
    {"--samples-out", KIND_TEXT, "FILE.csv", CLI_HAS_IMPACT,
     "writes the velocities of all samples, outcomes or cases (vn_A, vt_A, ..., kinetic_energy)", "samples"},
    {"--keep", KIND_FLAG, NULL, CLI_HAS_REPEAT, "stores the repeated run in the project, beside the first one"},
    {"--tolerance", KIND_NUMBER, "R", CLI_HAS_REPEAT,
     "largest difference that counts as none, divided by the larger of 1 and the channel's largest value; default "
     "1e-9; with 0 only equal bits are the same"},
    {"--tolerance", KIND_NUMBER, "V", CLI_HAS_IMPACT,
     "speed below which a contact counts as resting [m/s]; default "
     "1e-6"},
    {"--dt", KIND_NUMBER, "S", CLI_HAS_RUN | CLI_HAS_FIT | CLI_HAS_PULL,
     "step of a simulation, or of a scene's plan [s]"},
    {"--t-end", KIND_NUMBER, "S", CLI_HAS_RUN, "horizon of a simulation, or of a scene's plan [s]"},
    {"--every", KIND_COUNT, "N", CLI_HAS_EVERY,
     "keeps the rows of every N-th step, and the first and the last row; events, metrics, verdict and outcomes that "
     "are asked with it are those of all steps; default 1"},
    {"--sensitivity", KIND_TEXT, "A,B,...", CLI_HAS_EVERY | CLI_HAS_REPLAY,
     "derivatives of the final state, of the energies and of the events' times by these numbers of the scene: "
     "parameters (mu), starts (box.x, box.vx), masses (box.mass), fields of what has a name (floor-box.friction); of a "
     "replay also controls (push, push[3] in the plan's third step); fesd-j, event-driven and time-freezing"},
    {"--slopes", KIND_TEXT, "FILE.csv", CLI_HAS_EVERY | CLI_HAS_REPLAY,
     "writes the derivatives that --sensitivity asks for at the end of every step: columns t and d.<number>.<body>.x, "
     ".y, .theta, .vx, .vy, .omega, of energies, momentum and gaps"},
    {"--solver", KIND_TEXT, "A,B,...", CLI_HAS_CONTACTS | CLI_HAS_BENCH,
     "solvers of contact problems: step, newton, interior-point, path, gauss-seidel, admm or all (default) (contacts "
     "solve; bench contact-solvers)"},
    {"--tolerance", KIND_NUMBER, "V", CLI_HAS_CONTACTS | CLI_HAS_BENCH,
     "residual at which a problem is solved [m/s] (contacts solve; bench contact-solvers; default 1e-8)"},
    {"--relative", KIND_NUMBER, "R", CLI_HAS_CONTACTS | CLI_HAS_BENCH,
     "the same as a part of the problem's largest speed without impulses, where that is more (default 0)"},
    {"--iterations", KIND_COUNT, "N", CLI_HAS_CONTACTS | CLI_HAS_BENCH,
     "ends each solver after N iterations (contacts solve; bench contact-solvers; default: its own limits)"},
    {"--cpu-limit", KIND_SECONDS, "S", CLI_HAS_CONTACTS | CLI_HAS_BENCH,
     "ends each solver or run after that many seconds of CPU time (contacts solve: default 10; bench contact-solvers: "
     "1; bench of plans: 60; of scenes: 5, of piles: 60)"},
    {"--plot", KIND_TEXT, "P", CLI_HAS_CONTACTS | CLI_HAS_BENCH,
     "what --figure draws: profile (Dolan and More, default), residual-time, residual-iterations, or levels, a profile "
     "a residual (contacts solve; bench contact-solvers); of bench laws a column: sinks (default), lifts, ..."},
    {"--figure", KIND_TEXT, "FILE", CLI_HAS_CONTACTS, "writes the figure of --plot, or its curves as a table: %s",
     "curves"},
    {"--width", KIND_NUMBER, "MM", CLI_HAS_CONTACTS, "width of a picture (default 88, one column; a page is 180)"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_CONTACTS, "writes a row a run: %s (contacts solve)", "table"},
    {"--as", KIND_TEXT, "F", CLI_HAS_CONTACTS,
     "form of OUT: json, fc2d or gfc2d; default: as its ending says (contacts convert)"},
    {"--storage", KIND_TEXT, "S", CLI_HAS_CONTACTS,
     "how fc2d and gfc2d hold matrices: columns (default), triplets or dense (contacts convert)"},
    {"--save-steps", KIND_TEXT, "FOLDER", CLI_HAS_STEPS,
     "writes the contact problem of each step into a file of that folder, for `contacts solve` (methods whose steps "
     "have "
     "the exact law: stewart-trinkle, moreau-jean, anitescu-potra); no file is replaced"},
    {"--save-every", KIND_COUNT, "N", CLI_HAS_STEPS, "writes those of every N-th step only; default 1"},
    {"--save-points", KIND_COUNT, "N", CLI_HAS_STEPS, "writes only problems of at least N contact points; default 1"},
    {"--save-residual", KIND_NUMBER, "V", CLI_HAS_STEPS,
     "writes only problems that their step solved to no better residual than V [m/s]; default 0"},
    {"--save-most", KIND_COUNT, "N", CLI_HAS_STEPS, "writes N files at most; default 1000, and never more than 1 GB"},
    {"--at", KIND_TEXT, "STATE", CLI_HAS_FORCES,
     "state: start (default), a time [s] or row:K of the motion of RUN, or FILE.csv[:K] with a column for each "
     "coordinate "
     "(row K, from 0; default the last)"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_FORCES, "project of the run"},
    {"--format", KIND_TEXT, "F", CLI_HAS_FORCES, "format of the table: text (default), csv, tsv, md, tex or jsonl"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_FORCES, "writes the table, as its ending or --format says", "table"},
    {"--channel", KIND_TEXT, "NAME", CLI_HAS_MEASURE,
     "channel of the motion, such as box.vx or measure.reach (repeatable)"},
    {"--between", KIND_TEXT, "FEATURE", CLI_HAS_MEASURE,
     "first feature of a distance [m]: BODY, BODY.POINT, BODY.cornerN, BODY.edgeN, or x,y in the world"},
    {"--and", KIND_TEXT, "FEATURE", CLI_HAS_MEASURE, "second feature, of another body"},
    {"--angle", KIND_FLAG, NULL, CLI_HAS_MEASURE, "the angle [rad] from the first to the second, not the distance"},
    {"--from", KIND_NUMBER, "T", CLI_HAS_MEASURE, "begins at this time [s]; default the motion's first"},
    {"--to", KIND_NUMBER, "T", CLI_HAS_MEASURE, "ends at this time [s]; default the motion's last"},
    {"--spectrum", KIND_TEXT, "FILE", CLI_HAS_MEASURE,
     "writes the amplitude of each over the frequency [Hz]: Hann window, even samples of straight lines between rows",
     "table"},
    {"--values", KIND_TEXT, "FILE", CLI_HAS_MEASURE, "writes each at the rows between both times", "table"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_MEASURE, "project of the run"},
    {"--format", KIND_TEXT, "F", CLI_HAS_MEASURE, "format of the table: text (default), csv, tsv, md, tex or jsonl"},
    {"--motion", KIND_TEXT, "FILE", CLI_HAS_FIT,
     "measured motion of a trial, .csv or .json: t, and columns such as box.x; empty: not measured there (repeatable)"},
    {"--map", KIND_TEXT, "COLUMN=BODY.x:UNIT,...", CLI_HAS_FIT,
     "which columns are channels of the scene where they are not called so, in m, cm, mm, rad or deg; COLUMN=: it is "
     "not read; guess: all others by their names, which is told"},
    {"--free", KIND_TEXT, "A,B=LOW:HIGH", CLI_HAS_FIT,
     "what is unknown, with its bounds: parameters (mu), numbers of the file (box.mass, gravity.y, "
     "floor-box.friction), "
     "where a body starts in each trial (box.x, box.vx; start: all that was measured), time_offset, scale"},
    {"--also", KIND_TEXT, "NAME=VALUE,...", CLI_HAS_FIT,
     "fits another model to the same data, too: with this option of the method (law=anitescu-potra) or this number "
     "(drag=0), and tells the difference of BIC (repeatable)"},
    {"--profile", KIND_TEXT, "A,B,...", CLI_HAS_FIT,
     "unknowns along which the loss is told, besides those that the data do not tell"},
    {"--loss", KIND_TEXT, "L", CLI_HAS_FIT, "loss of a residual: tukey (default), huber or squares"},
    {"--starts", KIND_COUNT, "N", CLI_HAS_FIT, "starts that are looked at, over the bounds; default 10"},
    {"--values", KIND_TEXT, "FILE.csv", CLI_HAS_FIT,
     "writes a row a measured value: trial, channel, t, measured, fitted, residual", "rows"},
    {"--fitted", KIND_TEXT, "FILE.json", CLI_HAS_FIT, "writes the scenario with the fitted numbers, those of trial 1"},
    {"--figure", KIND_TEXT, "FILE", CLI_HAS_FIT, "writes the picture of --plot, or its numbers"},
    {"--plot", KIND_TEXT, "P", CLI_HAS_FIT, "what --figure draws: %s (default fitted)", .words = fit_plots},
    {"--trial", KIND_COUNT, "N", CLI_HAS_FIT, "the trial that --figure shows (default: all)"},
    {"--pair", KIND_TEXT, "A,B", CLI_HAS_FIT,
     "the estimates of --plot ellipse (default: the first that have intervals)"},
    {"--width", KIND_NUMBER, "MM", CLI_HAS_FIT, "width of a picture (default 180; one column is 88)"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_FIT,
     "project that stores each measured motion and the fitted one beside it; made if it does not exist"},
    {"--verbose", KIND_FLAG, NULL, CLI_HAS_FIT, "tells each step"},
    {"--want", KIND_TEXT, "FORMULA=VALUE", CLI_HAS_PULL,
     "what the motion is to end with, such as 'final(ball.x)=3' or 'first(impact ball floor).t=0.8' (repeatable; "
     "formulas: manual, studies); with --range a formula alone may do"},
    {"--change", KIND_TEXT, "A,B=LOW:HIGH", CLI_HAS_PULL,
     "numbers that may change, with their ranges: starts (ball.vx), parameters (mu), fields of the file (box.mass, "
     "floor-box.friction, gravity.y)"},
    {"--tolerance", KIND_NUMBER, "V", CLI_HAS_PULL,
     "what counts as reached, in the unit of the outcome (default 1e-6 of it, of time steppers 1e-3)"},
    {"--others", KIND_FLAG, NULL, CLI_HAS_PULL, "looks for other causes of the same outcome as well"},
    {"--range", KIND_TEXT, "NAME", CLI_HAS_PULL,
     "tells also what this number reaches over its range, and where the sequence of contacts changes"},
    {"--points", KIND_COUNT, "N", CLI_HAS_PULL, "values of the number of --range (default 49)"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_PULL, "writes the values of --range: %s", "table"},
    {"--figure", KIND_TEXT, "FILE", CLI_HAS_PULL, "writes the picture of --range, or its numbers"},
    {"--width", KIND_NUMBER, "MM", CLI_HAS_PULL, "width of a picture (default 180; one column is 88)"},
    {"--pulled", KIND_TEXT, "FILE.json", CLI_HAS_PULL, "writes the scenario with the found numbers"},
    {"--t-end", KIND_NUMBER, "S", CLI_HAS_PULL,
     "end of the motion, at which final(...) is told [s]; default the scenario's"},
    {"--from", KIND_TEXT, "RUN|FILE.csv", CLI_HAS_START,
     "starts from the motion of a run in --project (id, beginning of one, `last`), or from a table"},
    {"--iterate", KIND_COUNT, "K", CLI_HAS_START,
     "starts from the iterate that the run of --from kept at that iteration, not from its answer (--keep-iterates "
     "makes a run keep iterates)"},
    {"--iterate", KIND_COUNT, "K", CLI_HAS_VIOLATIONS,
     "looks at the iterate that the run kept at that iteration, "
     "not at its answer"},
    {"--top", KIND_COUNT, "N", CLI_HAS_VIOLATIONS, "prints the N most violated rows (default 20)"},
    {"--format", KIND_TEXT, "F", CLI_HAS_VIOLATIONS, "format of the table: text (default), csv, tsv, md, tex or jsonl"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_VIOLATIONS, "writes the table, as its ending or --format says"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_VIOLATIONS, "project of the run"},
    {"--continue", KIND_TEXT, "RUN", CLI_HAS_START,
     "goes on from where that run in --project was paused, with what its method knew there; scenario, method, options "
     "and parameters are those of the run unless they are given"},
    {"--continue", KIND_TEXT, "RUN", CLI_HAS_GO_ON,
     "goes on from where that run in --project stands, or from --at; scenario, method, options and parameters are "
     "those of the run unless they are given"},
    {"--at", KIND_NUMBER, "T", CLI_HAS_GO_ON, "time of the run of --continue to go on from [s]; default its end"},
    {"--pause-at", KIND_COUNT, "K", CLI_HAS_START,
     "ends at iteration K as paused, with what the method needs to go on from there (--continue)"},
    {"--from-time", KIND_NUMBER, "T", CLI_HAS_START,
     "starts from the part of the motion of --from after that time "
     "[s]"},
    {"--from-copies", KIND_COUNT, "N", CLI_HAS_START,
     "starts from N copies of the motion of --from, each beginning at the place and time where the one before ends"},
    {"--seed", KIND_COUNT, "N", CLI_HAS_RUN,
     "seed of the method's random numbers; also sets the parameter `seed` "
     "where the scenario has one"},
    {"--seed", KIND_COUNT, "N", CLI_HAS_IMPACT, "seed of the samples, as --option seed=N"},
    {"--time-limit", KIND_SECONDS, "S", CLI_HAS_RUN | CLI_HAS_IMPACT | CLI_HAS_FIT | CLI_HAS_PULL,
     "ends the run after that many seconds of wall time, with the outcome time_limit"},
    {"--cpu-limit", KIND_SECONDS, "S", CLI_HAS_RUN | CLI_HAS_IMPACT | CLI_HAS_FIT | CLI_HAS_PULL,
     "ends the run after that many seconds of CPU time, which all its threads and processes share, with the outcome "
     "cpu_limit; for `auto` --option budget=S is the same"},
    {"--ways-on", KIND_SECONDS, "S", CLI_HAS_START,
     "after a plan that fails, tries for that many seconds of counted work what would make it solvable: more time, "
     "less "
     "final velocity, another start, stronger actuators, no obstacle, more friction, a nearer target (default 6; 0: "
     "nothing is tried)"},
    {"--bound", KIND_SECONDS, "S", CLI_HAS_START,
     "of a model in equations: after the answer, looks that many seconds of CPU time for a lower bound, which is "
     "proved, "
     "and tells how far the answer is from the best possible (default 0: not)"},
    {"--field", KIND_PAIR, "PATH=VALUE", CLI_HAS_EDIT,
     "sets a field: task.horizon=3, scene.bodies[1].mass=2, 'task.targets[0].position=[1, 0.5]' (repeatable)"},
    {"--without", KIND_TEXT, "PATH", CLI_HAS_EDIT,
     "takes an optional field out: task.targets[0].velocity (repeatable)"},
    {"--cut", KIND_TEXT, "[BODY:]X,Y,X,Y", CLI_HAS_EDIT,
     "cuts the bodies, or that one, that the stroke between the two points [m] crosses whole; what became of them is "
     "told (repeatable)"},
    {"--trace", KIND_TEXT, "PICTURE.png", CLI_HAS_EDIT,
     "makes a body, a polygon, of the region of one colour about a pixel of a picture"},
    {"--pixel", KIND_TEXT, "X,Y", CLI_HAS_EDIT,
     "pixel of --trace, from the upper left corner (default that in the middle)"},
    {"--width", KIND_NUMBER, "M", CLI_HAS_EDIT, "how wide the picture of --trace is [m] (default 1)"},
    {"--corner", KIND_TEXT, "X,Y", CLI_HAS_EDIT, "where its lower left corner lies [m] (default 0,0)"},
    {"--likeness", KIND_NUMBER, "PERCENT", CLI_HAS_EDIT,
     "how much colours of the region differ at most from that of the pixel (default 15)"},
    {"--fineness", KIND_NUMBER, "PIXELS", CLI_HAS_EDIT,
     "how far the polygon lies from the region's outline at most (default 1; of a picture of more than "
     "2048 pixels along a side as many as make one of 2048)"},
    {"--find-time", KIND_FLAG, NULL, CLI_HAS_EDIT,
     "sets the plan's horizon and steps to those of a simulated motion that comes near the goal"},
    {"--limit", KIND_SECONDS, "S", CLI_HAS_BOUND, "ends the search after that many seconds of CPU time (default 60)"},
    {"--gap", KIND_NUMBER, "PERCENT", CLI_HAS_BOUND,
     "ends the search when answer and bound differ by less than this part of the answer (default 0.1)"},
    {"--answer", KIND_TEXT, "RUN|VALUE", CLI_HAS_BOUND,
     "a known answer: a run of --project that solved this problem, or an objective"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_BOUND, "project of the run of --answer"},
    {"--certificate", KIND_TEXT, "FILE", CLI_HAS_BOUND, "writes the result with its proof, as %s", "certificate"},
    {"--check", KIND_TEXT, "FILE", CLI_HAS_BOUND, "checks a proof that --certificate wrote, no search"},
    {"--names", KIND_FLAG, NULL, CLI_HAS_CONVERT,
     "writes the names of variables and rows beside a .nl, into .col and .row"},
    {"--plane", KIND_TEXT, "xz|xy", CLI_HAS_CONVERT,
     "the plane of a robot's file: X to the right, Z (default) or Y up"},
    {"--lossy", KIND_FLAG, NULL, CLI_HAS_CONVERT,
     "leaves out what the other format cannot say although the motion changes, instead of refusing it"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_EDIT, "writes the file instead of printing it"},
    {"--memory-limit", KIND_SIZE, "SIZE", CLI_HAS_RUN | CLI_HAS_IMPACT,
     "ends the run when its process takes more than this address space, in bytes or with K, M, G (2G is 2e9 bytes); "
     "default: 3/4 of the machine's memory divided by the number of runs at once, at least 1G"},
    {"--keep-iterates", KIND_COUNT, "N", CLI_HAS_ITERATES, "stores every N-th iterate of an optimiser in --project"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_RUN, "project that stores the run; made if it does not exist"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_IMPACT,
     "project that stores the run, and that has the run of --from; made if it does not exist"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_PROJECT, "project to read"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_BENCH,
     "project that stores the runs, made if it does not exist (crisp, collection); project that has the run of --from "
     "(time-freezing)"},
    {"--from", KIND_TEXT, "RUN|FILE.csv", CLI_HAS_BENCH,
     "motion of the robot for Figs 7 and 8 (time-freezing, with --data)"},
    {"--problems", KIND_TEXT, "A,B,...", CLI_HAS_BENCH,
     "problems that are run: cartpole, push-box, transport, push-t, hopper, waiter (crisp); kinds of tasks (plans); "
     "piles and pyramids by name, such as pile-100 (simulate); examples, plan, work (time-freezing); none, noise, "
     "kick, friction, goal "
     "(mpc with a model); scenes by name "
     "(closed-forms, edits); beginnings of names (contact-solvers); default all"},
    {"--count", KIND_COUNT, "N", CLI_HAS_BENCH, "tasks of each kind (plans; default 2)"},
    {"--instances", KIND_TEXT, "WHICH", CLI_HAS_BENCH,
     "instances that are run: listed (those of the reference, default), all (also the rest of their families), quick "
     "or none (crisp)"},
    {"--fresh", KIND_COUNT, "N", CLI_HAS_BENCH,
     "draws N more instances of each problem from --seed (crisp; default 20 with --seed, else none); without --seed "
     "a seed is drawn and printed"},
    {"--best", KIND_TEXT, "FILE.csv", CLI_HAS_BENCH,
     "writes the table of best known objectives with what this run has found below it (crisp)", "rows"},
    {"--repeats", KIND_COUNT, "N", CLI_HAS_BENCH,
     "solves per method and instance, for the median time (crisp, default 3; collection, default 1); edits of a scene, "
     "for the median (edits, default 3)"},
    {"--steps", KIND_TEXT, "N", CLI_HAS_BENCH,
     "number of solves (mpc; default 1000, with the FILE of a scene 240, of a model the task once); number of steps of "
     "a run (simulate, fesd-speed; default "
     "200, in piles those of the scene); numbers of steps N,N,... with a run for each (fesd-order, default: those of "
     "the paper; time-freezing, "
     "default: 10 to 320 for methods with stages and 20 to 20480 for others)"},
    {"--bodies", KIND_TEXT, "N,N,...", CLI_HAS_BENCH,
     "numbers of bodies, with a scene for each (simulate, default 10,100; fesd-speed, default 1,2,5,10,20)"},
    {"--order", KIND_FLAG, NULL, CLI_HAS_BENCH, "prints observed orders of convergence instead of times (simulate)"},
    {"--all", KIND_FLAG, NULL, CLI_HAS_BENCH,
     "runs what takes minutes, too (simulate: 1000 bodies; constraint-solver: 1e8 steps; impacts: the paper's 2^20 "
     "samples)"},
    {"--homotopy", KIND_TEXT, "WHICH", CLI_HAS_BENCH,
     "repeats runs of the integrator by homotopies: none, some (four runs: a minute or two) or all (hours) "
     "(fesd-order; default none)"},
    {"--figure", KIND_TEXT, "FILE", CLI_HAS_BENCH,
     "writes Fig. 6 of paper 000, errors over the step, slopes, homotopies, cost (fesd-order), or what --plot says "
     "(contact-solvers): %s",
     "picture"},
    {"--data", KIND_TEXT, "FOLDER", CLI_HAS_BENCH,
     "writes the data of Figs 9 to 14 as CSV: samples, intermediate velocities, paths, compliant sweeps (impacts); "
     "Figs 1 to 6, with --from 7 and 8, and work against precision as PDF and CSV (time-freezing); tasks and their "
     "witnesses as scenarios (plans); the problems, without a run (contact-solvers)"},
    {"--noise", KIND_NUMBER, "M", CLI_HAS_BENCH,
     "standard deviation of the noise on the position in a step [m]; the noise on the angle is this divided by the "
     "radius (mpc; default 0.001)"},
    {"--look-ahead", KIND_COUNT, "N", CLI_HAS_BENCH, "number of steps of a plan (mpc FILE; default: the task's steps)"},
    {"--every", KIND_COUNT, "N", CLI_HAS_BENCH,
     "number of steps after which the plan is made again (mpc FILE; "
     "default 1)"},
    {"--deadline", KIND_TEXT, "T", CLI_HAS_BENCH,
     "longest wall time for making a plan again, in seconds or as 15ms; after that time the best plan so far acts, "
     "and a miss is counted (mpc FILE; default none)"},
    {"--friction", KIND_NUMBER, "PART", CLI_HAS_BENCH,
     "friction coefficients of the world, divided by those of the plan (mpc FILE; default 1.2)"},
    {"--set", KIND_NUMBER_PAIR, "NAME=VALUE", CLI_HAS_BENCH, "parameter of the scenario (mpc FILE; repeatable)"},
    {"--seed", KIND_COUNT, "N", CLI_HAS_BENCH,
     "seed of noise and starts (mpc; default 1), of the piles (simulate; default 1), of the tasks (plans; default 1) "
     "or "
     "of fresh instances (crisp)"},
    {"--to", KIND_TEXT, "FILE.csv", CLI_HAS_BENCH,
     "writes a row per instance and method (crisp, collection), per run (fesd-order, time-freezing, contact-solvers), "
     "per re-plan "
     "(mpc FILE)",
     "rows"},
    {"--format", KIND_TEXT, "F", CLI_HAS_BENCH,
     "format of the tables: text (default), csv, tsv, md, tex or jsonl (not of crisp, mpc, closed-forms and "
     "contact-solvers)"},
    {"--table", KIND_TEXT, "FILE", CLI_HAS_BENCH, "writes the table of orders: %s (closed-forms)", "table"},
    {"--verbose", KIND_FLAG, NULL, CLI_HAS_BENCH, "lists every run beside the reference's (crisp)"},
    {"--parallel", KIND_FLAG, NULL, CLI_HAS_COMPARE,
     "runs all methods at once, each in a process; times are then no fair comparison"},
    {"--jobs", KIND_COUNT, "N", CLI_HAS_COMPARE,
     "with --parallel: largest number of methods that run at once "
     "(default: the number of cores)"},
    {"--trajectory", KIND_TEXT, "FILE.csv", CLI_HAS_OUTPUT,
     "writes the motion, one row for each time; the first "
     "column is the time t [s]",
     "trajectory"},
    {"--log", KIND_TEXT, "FILE", CLI_HAS_OUTPUT,
     "writes iterations and messages, as JSON lines or, into a .csv, as a table (%s)", "run-log"},
    {"--plan", KIND_TEXT, "FILE.csv", CLI_HAS_PLAN,
     "replays the controls of a table with the columns t and u.<actuator>; with the verb replay RUN is then the file "
     "of a scenario"},
    {"--controller", KIND_TEXT, "C", CLI_HAS_REPLAY,
     "controller that holds the motion on its plan: %s; default none; with a controller --set changes the world, not "
     "the scenario of the plan",
     .words = ssapp_controllers_help},
    {"--lqr-q", KIND_NUMBER, "X", CLI_HAS_REPLAY,
     "weight of a deviation as large as the range of the plan's states (lqr, predict; default 1); larger values follow "
     "the "
     "plan more closely"},
    {"--lqr-r", KIND_NUMBER, "X", CLI_HAS_REPLAY,
     "weight of a control as large as the plan's largest (lqr, predict; default 0.001); larger values correct more "
     "gently"},
    {"--replan-every", KIND_COUNT, "N", CLI_HAS_REPLAY,
     "number of steps after which a plan that would be missed is made again (replan; contacts that close or open are "
     "looked at at once) or moved (predict; default 1)"},
    {"--look-ahead", KIND_COUNT, "N", CLI_HAS_REPLAY,
     "number of steps after which a plan that is made again joins the first one (replan; default: a fourth of the "
     "task's steps, at least 8)"},
    {"--friction", KIND_NUMBER, "PART", CLI_HAS_REPLAY,
     "friction coefficients of the world, divided by those of the plan (default 1)"},
    {"--worlds", KIND_COUNT, "N", CLI_HAS_REPLAY,
     "other worlds in which the plan is replayed too, by another integrator at a tenth of its step: friction and "
     "masses "
     "20 % off or as task.worlds says, start 5 mm off; with a controller also held by it (up to 10000)"},
    {"--worlds-seed", KIND_COUNT, "N", CLI_HAS_REPLAY, "seed of the draw of --worlds (0 to 10000)"},
    {"--disturb", KIND_NUMBER_PAIR, "BODY.C=BY", CLI_HAS_REPLAY,
     "changes a coordinate of a body at the start by BY; the coordinate C is x, y, theta, vx, vy or omega [m, rad, "
     "m/s, rad/s] (repeatable)"},
    {"--plot", KIND_TEXT, "P", CLI_HAS_EXPORT, "%s", .words = ssapp_plots_help},
    {"--x", KIND_TEXT, "CHANNEL", CLI_HAS_EXPORT,
     "channel along the x axis of --plot phase, such as ball.y or t; default: for runs of time-freezing the gap of a "
     "contact, for others the coordinate with the largest range. Of --plot worlds-map a number of the worlds, such as "
     "box.mass, or miss or angle; default: the two numbers that explain most of the misses"},
    {"--y", KIND_TEXT, "CHANNEL", CLI_HAS_EXPORT,
     "channel along the y axis of --plot phase; default: the velocity "
     "of --x"},
    {"--channels", KIND_TEXT, "A,B;C", CLI_HAS_EXPORT,
     "channels of --plot channels: ',' joins channels in one plot, ';' begins another plot, such as "
     "'box.vx,box.vy;floor-box.lambda_n'. For --plot phase the two channels X,Y; for a page (.html) the plots that "
     "it opens with"},
    {"--live", KIND_FLAG, NULL, CLI_HAS_EXPORT,
     "the page (.html) of a simulation computes, too: its reader runs it again, has it judged and changes friction, "
     "masses, starts and step; needs what app/live/build.sh makes, and adds some 700 kB"},
    {"--difference", KIND_TEXT, "RUN2", CLI_HAS_EXPORT,
     "draws RUN2 minus RUN over the times that both have (--plot channels with --channels)"},
    {"--log-y", KIND_FLAG, NULL, CLI_HAS_EXPORT,
     "makes the value axes logarithmic (--plot channels with --channels); values that are not positive are triangles "
     "at the lower edge"},
    {"--band", KIND_TEXT, "NUMBER", CLI_HAS_EXPORT,
     "draws how far 1 % of a number of the scene moves every channel (--plot channels), of runs by simulate "
     "--sensitivity NUMBER; to either side, as a band; tables have both edges; forces have none"},
    {"--contact", KIND_TEXT, "C", CLI_HAS_EXPORT,
     "contact of --plot cone, such as floor-box; default: the contact with the largest normal force"},
    {"--times", KIND_TEXT, "T,T,...|events|even:N", CLI_HAS_EXPORT,
     "instants that --plot motion shows side by side [s]: a list; events: those at which something happens; even:N: N "
     "evenly spread ones"},
    {"--region", KIND_TEXT, "X0,Y0,X1,Y1", CLI_HAS_EXPORT,
     "part of the world that is drawn, by two corners [m]; default: all that moves, without bodies that fly off"},
    {"--follow", KIND_TEXT, "BODY", CLI_HAS_EXPORT, "body that stays in the middle of the drawn region"},
    {"--forces-of", KIND_TEXT, "BODY", CLI_HAS_EXPORT,
     "body whose contacts' forces, impulses, normals and cones are drawn alone, as they act on it"},
    {"--layers", KIND_TEXT, "A,B,...", CLI_HAS_EXPORT,
     "layers of a motion that are drawn beside its bodies: onion (past poses), traces, contacts, normals, forces, "
     "impulses, cones, velocities, centres, energies; none: bodies alone"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_EXPORT,
     "file to write; its ending says the format, and each plot's formats are listed below. %s; .html is the run as a "
     "page that plays without a network",
     .words = films_help},
    {"--clock", KIND_TEXT, "C", CLI_HAS_EXPORT,
     "clock by which the motion is shown: time (default), or second, a clock that only some runs have"},
    {"--width", KIND_NUMBER, "MM", CLI_HAS_EXPORT, "width of a picture (default 180; one column is 88)"},
    {"--all-of-project", KIND_FLAG, NULL, CLI_HAS_FIGURE, "takes all runs of the project instead of RUN..."},
    {"--scenario", KIND_TEXT, "NAME", CLI_HAS_FIGURE, "only runs of that scenario (with --all-of-project)"},
    {"--where", KIND_NUMBER_PAIR, "NAME=VALUE", CLI_HAS_FIGURE,
     "only runs with that value of a parameter (with --all-of-project; repeatable)"},
    {"--kind", KIND_TEXT, "K", CLI_HAS_FIGURE,
     "kind of figure: heat, box, performance (default), data, success, curves, work (one metric against another), "
     "decides (which part of the metric's variance method and axes explain), or distribution (histogram and quantiles "
     "over the runs)"},
    {"--metric", KIND_TEXT, "M", CLI_HAS_FIGURE,
     "metric that is drawn, a name of `methods --metrics`; profiles take this metric as the cost. Default: "
     "objective; for profiles cpu_seconds"},
    {"--against", KIND_TEXT, "M", CLI_HAS_FIGURE, "metric along the x axis of --kind work; default cpu_seconds"},
    {"--x", KIND_TEXT, "AXIS", CLI_HAS_FIGURE,
     "axis of the study that heat maps and curves have along x, such as mu; for --kind work the axis whose points a "
     "line joins"},
    {"--y", KIND_TEXT, "AXIS", CLI_HAS_FIGURE, "axis of the study that heat maps have along y"},
    {"--relative", KIND_FLAG, NULL, CLI_HAS_FIGURE, "draws the metric divided by the best value of its problem"},
    {"--absolute", KIND_FLAG, NULL, CLI_HAS_FIGURE,
     "draws the metric itself, in figures that otherwise divide it by "
     "the best value"},
    {"--within", KIND_NUMBER, "F", CLI_HAS_FIGURE,
     "in profiles a run counts as solved only when its objective is at most F times the best, such as 1.1"},
    {"--unsolved", KIND_FLAG, NULL, CLI_HAS_FIGURE,
     "takes runs that were not solved, too (box plots, curves, work, summary)"},
    {"--live", KIND_FLAG, NULL, CLI_HAS_FIGURE,
     "writes a page (.html) that computes: a click on a cell or a point makes its run again in the reader's browser, "
     "holds it against the stored one and judges it; of a study of simulations (app/live/build.sh builds what it "
     "needs)"},
    {"--log-y", KIND_FLAG, NULL, CLI_HAS_FIGURE,
     "makes the axis of the metric logarithmic; without this option the values decide"},
    {"--hide", KIND_TEXT, "METHOD", CLI_HAS_FIGURE,
     "leaves out a method, by name or by label such as 'CRISP, relax 10' (repeatable)"},
    {"--table", KIND_TEXT, "T", CLI_HAS_FIGURE,
     "writes a table instead of a figure: runs, or summary (runs solved and medians, by method)"},
    {"--all", KIND_FLAG, NULL, CLI_HAS_FIGURE,
     "writes every figure that the runs allow, its numbers and the tables into the folder of --to"},
    {"--width", KIND_NUMBER, "MM", CLI_HAS_FIGURE, "width of a picture (default 88, one column; a page is 180)"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_FIGURE,
     "file to write: %s; .tikz is for pgfplots, tables have the numbers; with --all a folder", .words = charts_help},
    {"--fps", KIND_NUMBER, "N", CLI_HAS_EXPORT, "pictures in a second of the film (1 to 60, default 25)"},
    {"--speed", KIND_NUMBER, "X", CLI_HAS_EXPORT,
     "seconds of motion in a second of the film (default 1; very short motions play slower)"},
    {"--play", KIND_FLAG, NULL, CLI_HAS_LESSON, "does what the steps ask, and says which are noticed"},
    {"--to", KIND_TEXT, "FILE.pdf", CLI_HAS_TO,
     "writes the pages into that file, ready to print; into FOLDER/ the manual for a browser", "guide"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_ARCHIVE, "project to make; its name ends in %s", "project"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_IMPORT, "project to add to; made if it does not exist"},
    {"--scene", KIND_TEXT, "FILE", CLI_HAS_SCENE,
     "scenario that the motion belongs to; a sketch is named "
     "PROJECT.stickslip#NAME"},
    {"--method", KIND_TEXT, "NAME", CLI_HAS_SCENE,
     "name of the method that made the motion, as lists and figures show it (default: imported)"},
    {"--option", KIND_PAIR, "NAME=VALUE", CLI_HAS_SCENE, "option that the method had (repeatable)"},
    {"--seconds", KIND_SECONDS, "S", CLI_HAS_SCENE, "wall time that the method took [s]"},
    {"--iterations", KIND_COUNT, "N", CLI_HAS_SCENE, "iterations that the method took"},
    {"--ids", KIND_FLAG, NULL, CLI_HAS_LIST,
     "prints the runs' ids alone, one in a line, the oldest first: for "
     "scripts"},
    {"--method", KIND_TEXT, "M", CLI_HAS_LATEX,
     "method whose equations are shown; default: the usual method of the "
     "scenario"},
    {"--option", KIND_PAIR, "NAME=VALUE", CLI_HAS_LATEX,
     "shows the equations that the method has with this option (repeatable)"},
    {"--latex", KIND_FLAG, NULL, CLI_HAS_LATEX, "prints a whole LaTeX document instead of text"},
    {"--check", KIND_FLAG, NULL, CLI_HAS_LIST, "checks all checksums instead, and lists what is not as it was stored"},
    {"--sketches", KIND_FLAG, NULL, CLI_HAS_LIST,
     "lists the sketches instead: name, number of runs, last change, "
     "title"},
    {"--versions", KIND_TEXT, "SKETCH", CLI_HAS_LIST,
     "lists the versions of a sketch instead, the newest first: number, time, what was changed. "
     "PROJECT.stickslip#NAME@N "
     "is version N wherever a FILE is read"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_ADD, "project to add to; made if it does not exist"},
    {"--name", KIND_TEXT, "NAME", CLI_HAS_ADD,
     "name of the sketch in the project; default: the scenario's name. A name that is taken gets a number"},
    {"--comparisons", KIND_FLAG, NULL, CLI_HAS_LIST, "lists the comparisons instead, newest first: title, start, runs"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_RUN_TABLE, "project of the runs"},
    {"--filter", KIND_TEXT, "TEXT", CLI_HAS_RUN_TABLE,
     "only runs for which every condition holds: words, NAME:PART, NAME=TEXT, NAME<NUMBER (also <= > >= !=); NAME is "
     "a column, metric, parameter or option; A,B means A or B, a leading - means not: \"scenario:push-box "
     "method:crisp,ipopt objective<7 -tag:old\""},
    {"--sort", KIND_TEXT, "NAME", CLI_HAS_RUN_TABLE,
     "sorts by that column, metric, parameter or option, runs without a value last (default: newest first)"},
    {"--descending", KIND_FLAG, NULL, CLI_HAS_RUN_TABLE, "sorts with the largest value first"},
    {"--outcome", KIND_PAIR, "NAME=FORMULA", CLI_HAS_OUTCOME,
     "asks a formula of every run's motion, such as third='final(box3.x)': a metric of that name, with its unit, "
     "beside "
     "the outcomes of the scenario (repeatable; formulas: manual, studies)"},
    {"--assert", KIND_PAIR, "NAME=FORMULA", CLI_HAS_ASSERT,
     "asks a condition, such as up='always(tip.y > 0.3, from=1)', as --outcome does; exit status 1 where it does not "
     "hold (repeatable; formulas: manual, studies)"},
    {"--metrics", KIND_TEXT, "A,B,...", CLI_HAS_RUN_TABLE, "columns of metrics, instead of the usual ones"},
    {"--columns", KIND_TEXT, "A,B=HEAD,...", CLI_HAS_RUN_TABLE,
     "columns of the table in their order, by the names that csv has, with a heading of its own where one follows: "
     "method,mu,objective=J"},
    {"--long", KIND_FLAG, NULL, CLI_HAS_RUN_TABLE, "makes a longtable in LaTeX, which goes on over pages"},
    {"--only-differs", KIND_FLAG, NULL, CLI_HAS_RUN_TABLE,
     "leaves out columns of scenario, outcome, seed, parameters and options in which all runs agree"},
    {"--format", KIND_TEXT, "F", CLI_HAS_RUN_TABLE, "format of the table: text (default), csv, tsv, md, tex or jsonl"},
    {"--to", KIND_TEXT, "FILE", CLI_HAS_RUN_TABLE, "writes the table, as its ending or --format says"},
    {"--allow", KIND_TEXT, "FILE", CLI_HAS_TABLES,
     "allow a method of your own, FILE" SSAPP_OWN_ENDING
     ", as it is now; a change of it or of its program's files asks again. With --project the NAME of one "
     "that is kept there"},
    {"--keep", KIND_TEXT, "NAME", CLI_HAS_TABLES,
     "keep a method of your own in the project of --project, with its files, for another machine"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_TABLES, "lists the methods that the project keeps"},
    {"--metrics", KIND_FLAG, NULL, CLI_HAS_TABLES,
     "prints the metrics of results instead: name, unit, which values are better, meaning"},
    {"--vary", KIND_PAIR, "NAME=VALUES", CLI_HAS_SWEEP,
     "varies one thing (repeatable). NAME: a parameter, a number of the scene (box.x, .y, .angle, .vx, .vy, .omega, "
     ".mass, floor-box.restitution, scene.friction, gravity.y), dt, t_end, seed, guess (scenario, zeros, run ids) or "
     "an "
     "option (max-iterations, crisp.relax). VALUES: a list A,B,C, a "
     "grid FROM:TO:COUNT or FROM:TO:COUNTlog, or a range FROM..TO from which values are drawn"},
    {"--set", KIND_NUMBER_PAIR, "NAME=VALUE", CLI_HAS_SWEEP,
     "gives anything that --vary names, but for lists, this value in all runs (repeatable)"},
    {"--methods", KIND_TEXT, "A,B,...", CLI_HAS_SWEEP,
     "methods with options, such as crisp,crisp:relax=10,ipopt (repeatable); default the first that the file's "
     "`methods` name"},
    {"--random", KIND_COUNT, "N", CLI_HAS_SWEEP, "draws N samples from the ranges"},
    {"--latin", KIND_COUNT, "N", CLI_HAS_SWEEP, "draws N samples as a Latin hypercube"},
    {"--seed", KIND_COUNT, "N", CLI_HAS_SWEEP, "seed of the samples of --random or --latin (default 1)"},
    {"--cpu-limit", KIND_SECONDS, "S", CLI_HAS_SWEEP,
     "ends each run after that many seconds of CPU time, which all its threads and processes share. This is the "
     "limit for studies: other load on the machine does not change which runs it ends"},
    {"--time-limit", KIND_SECONDS, "S", CLI_HAS_SWEEP, "ends each run after that many seconds of wall time"},
    {"--memory-limit", KIND_SIZE, "SIZE", CLI_HAS_SWEEP,
     "ends a run when its process takes more than this address space, in bytes or with K, M, G; default: 3/4 of the "
     "machine's memory divided by the number of runs at once"},
    {"--bound", KIND_SECONDS, "S", CLI_HAS_SWEEP,
     "of a model in equations: after each answer, looks that many seconds of CPU time for a lower bound, which is "
     "proved; the metrics lower_bound and gap say how far the answer is from the best possible"},
    {"--jobs", KIND_COUNT, "N", CLI_HAS_SWEEP, "at most N runs at once (default: the number of cores)"},
    {"--title", KIND_TEXT, "TEXT", CLI_HAS_SWEEP, "title of the study; default: the scenario's name"},
    {"--project", KIND_TEXT, "FILE", CLI_HAS_SWEEP,
     "project that keeps the study and its runs; made if it does not exist"},
    {"--tags", KIND_TEXT, "A,B,...", CLI_HAS_TAG,
     "tags in the place of those that the runs have; an empty text takes them away"},
    {"--add", KIND_TEXT, "A,B,...", CLI_HAS_TAG, "tags beside those that the runs have"},
    {"--text", KIND_TEXT, "TEXT", CLI_HAS_NOTE, "the note; an empty text takes it away"},
    {"--study", KIND_TEXT, "STUDY", CLI_HAS_DELETE,
     "deletes the study of that title or id, or `last`, in the place of runs"},
    {"--study", KIND_TEXT, "STUDY", CLI_HAS_OF_STUDY,
     "the runs of that study too, named by id, beginning of the id, title or `last`"},
    {"--keep", KIND_TEXT, "WHAT", CLI_HAS_SHRINK,
     "what is left of motions: thinned, some 200 rows to look at, or metrics, none: metrics, outcomes and events stay"},
    {"--keep", KIND_TEXT, "WHAT", CLI_HAS_SWEEP,
     "what the project keeps of the runs' motions: all (default), thinned, some 200 rows to look at, or metrics, none"},
    {"--undo", KIND_FLAG, NULL, CLI_HAS_DELETE, "brings what was deleted back"},
    {"--study", KIND_TEXT, "FILE.json", CLI_HAS_SWEEP,
     "takes the whole study from a file (examples/README.md), or from a project: PROJECT.stickslip#study:ID"},
    {"--resume", KIND_TEXT, "STUDY", CLI_HAS_SWEEP,
     "goes on with a study of the project, named by id, beginning of the id, title or `last`"},
    {"--again", KIND_TEXT, "OUTCOMES", CLI_HAS_SWEEP,
     "repeats runs with these outcomes, such as time_limit,failed; the earlier runs are removed from the project"},
    {"--list", KIND_FLAG, NULL, CLI_HAS_SWEEP, "lists the studies of the project"},
    {"--slurm", KIND_TEXT, "FOLDER", CLI_HAS_SWEEP,
     "writes the study and a job array of its missing runs into a folder that the cluster sees, and submits the array"},
    {"--slurm-options", KIND_TEXT, "TEXT", CLI_HAS_SWEEP, "options of sbatch, such as '--partition=short --time=10'"},
    {"--submit", KIND_TEXT, "COMMAND", CLI_HAS_SWEEP, "command that submits instead of sbatch; true submits nothing"},
    {"--merge", KIND_TEXT, "FOLDER", CLI_HAS_SWEEP,
     "takes the runs that tasks wrote into the folder of --slurm into --project; may be repeated, and may begin "
     "before all tasks have ended"},
    {"--task", KIND_COUNT, "I", CLI_HAS_SWEEP, "runs one task of --study and writes its run to --events"},
    {"--events", KIND_TEXT, "FILE.jsonl", CLI_HAS_SWEEP,
     "file that the run of --task is written into; a task whose file exists has ended", "run-events"},
    {"--dry-run", KIND_FLAG, NULL, CLI_HAS_SWEEP, "lists the runs of the study and starts none"},
    {"--format", KIND_TEXT, "F", CLI_HAS_SWEEP, "format of the table: text (default), csv, tsv, md, tex or jsonl"},
    {"--json", KIND_FLAG, NULL, CLI_HAS_JSON, "prints JSON on standard output, and nothing else there"},
    {"--quiet", KIND_FLAG, NULL, CLI_HAS_QUIET, "prints no progress"},
    {"--help", KIND_FLAG, NULL, ~0u, "prints this text"},
};

const CliOption *
cli_option_list (guint *n)
{
  *n = G_N_ELEMENTS (options);
  return options;
}
