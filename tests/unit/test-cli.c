/* tests/unit/test-cli.c: the command line in this process: what every verb says of every
 * option that the table has, what it refuses and with which words, and that it says so before anything is made. What
 * verbs do is asked by tests/cli/. */
#include "tests/ss-test-cli.h"

#include <cairo.h>

/* ---- the table of options ---------------------------------------------------------------------------------------- */

static gboolean
is_of (const CliOption *option, const CliVerb *verb)
{
  return option->groups == ~0u || (option->groups & verb->options) != 0;
}

/* Its line in the help, with what it takes. */
static gboolean
is_in_help (const char *help, const CliOption *option)
{
  g_autofree char *line = g_strdup_printf ("\n  %s%s%s ", option->name, option->value != NULL ? " " : "",
                                           option->value != NULL ? option->value : "");

  return strstr (help, line) != NULL;
}

static void
check_in_help (const char *help, const CliOption *option)
{
  SS_CHECK (is_in_help (help, option));
  if (!is_in_help (help, option))
    printf ("  %s %s\n", option->name, option->value);
}

static void
help_of_a_verb_has_its_options_and_no_others (void)
{
  guint n;
  const CliOption *options = cli_option_list (&n);

  for (guint v = 0; v < G_N_ELEMENTS (verbs); v++) {
    g_autofree char *command = g_strdup_printf ("%s --help", verbs[v].name),
                    *other = g_strdup_printf ("help %s", verbs[v].name),
                    *begin = g_strdup_printf ("Usage: stickslip-cli %s ", verbs[v].name);
    Said said = say (command), same = say (other);
    SS_CHECK (said.status == CLI_OK && same.status == CLI_OK && *said.err == '\0');
    SS_CHECK_STR (said.out, same.out);
    SS_CHECK (g_str_has_prefix (said.out, begin));
    SS_CHECK_CONTAINS (said.out, verbs[v].summary);
    SS_CHECK_CONTAINS (said.out, "\n  2  wrong input or command line\n");
    for (guint i = 0; i < n; i++) {
      gboolean has = FALSE; /* an option may have a line for each kind of verbs */
      for (guint k = 0; k < n; k++)
        has = has || (strcmp (options[k].name, options[i].name) == 0 && is_of (&options[k], &verbs[v]));
      if (has && is_of (&options[i], &verbs[v]) && strlen (options[i].name) < 20)
        check_in_help (said.out, &options[i]);
      else if (!has)
        SS_CHECK (!is_in_help (said.out, &options[i]));
    }
    clear_said (&said);
    clear_said (&same);
  }
}

/* Names of a table come with what they do where there is room. */
static void
help_tells_what_each_controller_does (void)
{
  Said said = say ("replay --help");

  for (int kind = 0; kind < SS_CONTROLLER_COUNT; kind++) {
    g_autofree char *words = g_strdup_printf ("%s (%s)", ss_controllers[kind].name, ss_controllers[kind].summary);
    SS_CHECK_CONTAINS (said.out, words);
  }
  clear_said (&said);
}

/* What is none of a kind, and one on each side of where it begins. */
static const struct {
  CliOptionKind kind;
  const char *bad[5], *good[4];
} kinds[] = {
    {KIND_NUMBER, {"x", "1x", "", "1,5"}, {"1.5", "-2", "1e-3"}},
    {KIND_SECONDS, {"x", "-0.1", "", "-1"}, {"0", "0.5"}},
    {KIND_SIZE, {"x", "299M", "300", "-1G"}, {"300M", "1G"}},
    {KIND_COUNT, {"-1", "1.5", "x", ""}, {"0", "12"}},
    {KIND_PAIR, {"a", "=1", ""}, {"a=1", "a=b", "a="}},
    {KIND_NUMBER_PAIR, {"a", "=1", "a=b", "a="}, {"a=1", "a=-1e3"}},
};

/* As the program parses them, without a child each: there are thousands. */
static CliArgs *
parse (const CliVerb *verb, const char *option, const char *value, int *status)
{
  char *words[2 + 3] = {NULL};
  int n = 0;

  words[n++] = (char *)option;
  if (value != NULL)
    words[n++] = (char *)value;
  for (int i = 0; i < verb->min_positional; i++)
    words[n++] = "thing";
  return cli_args_parse (verb, n, words, status);
}

static void
check_option (const CliVerb *verb, const CliOption *option)
{
  g_autofree char *with = g_strdup_printf ("%s=1", option->name);
  int status = -1;
  CliArgs *args;

  if (option->kind == KIND_FLAG) {
    SS_CHECK (parse (verb, with, NULL, &status) == NULL && status == CLI_BAD_INPUT);
    args = parse (verb, option->name, NULL, &status);
    SS_CHECK (strcmp (option->name, "--help") == 0 ? args == NULL && status == CLI_OK
                                                   : cli_args_flag (args, option->name));
    if (args != NULL)
      cli_args_free (args);
    return;
  }
  SS_CHECK (cli_args_parse (verb, 1, (char *[]){(char *)option->name, NULL}, &status) == NULL);
  SS_CHECK (status == CLI_BAD_INPUT);
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    if (kinds[k].kind != option->kind)
      continue;
    for (int i = 0; kinds[k].bad[i] != NULL; i++) {
      g_autofree char *joined = g_strdup_printf ("%s=%s", option->name, kinds[k].bad[i]);
      SS_CHECK (parse (verb, option->name, kinds[k].bad[i], &status) == NULL && status == CLI_BAD_INPUT);
      SS_CHECK (parse (verb, joined, NULL, &status) == NULL && status == CLI_BAD_INPUT);
    }
    for (int i = 0; kinds[k].good[i] != NULL; i++) {
      double number = NAN;
      args = parse (verb, option->name, kinds[k].good[i], &status);
      SS_CHECK (args != NULL && status == CLI_OK);
      if (args == NULL)
        continue;
      SS_CHECK_STR (cli_args_text (args, option->name), kinds[k].good[i]);
      SS_CHECK (cli_args_list (args, option->name)->len == 1);
      SS_CHECK (cli_args_n_positional (args) == verb->min_positional);
      if (ss_parse_double (kinds[k].good[i], &number))
        SS_CHECK (cli_args_number (args, option->name, 77) == number);
      SS_CHECK (cli_args_number (args, "--no-such-option", 77) == 77);
      cli_args_free (args);
    }
  }
}

/* What an option refuses, it refuses in every verb that has it, and where it is of others it is told so. */
static void
every_option_takes_what_its_kind_says (void)
{
  const int told = scratch (), to[2] = {told, told};
  guint n, n_refused = 0, n_others = 0;
  const CliOption *options = cli_option_list (&n);
  int from[2];

  redirect (from, to);
  const int before = ss_test_failed_checks;
  for (guint v = 0; v < G_N_ELEMENTS (verbs); v++)
    for (guint i = 0; i < n; i++) {
      int status = -1;
      if (cli_option_find (&verbs[v], options[i].name) == &options[i]) {
        check_option (&verbs[v], &options[i]);
      } else if (cli_option_find (&verbs[v], options[i].name) == NULL) {
        SS_CHECK (parse (&verbs[v], options[i].name, "1", &status) == NULL && status == CLI_BAD_INPUT);
        n_others++;
      }
    }
  restore (from);
  g_autofree char *text = read_back (told);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    n_refused += strstr (lines[i], ": it is of other verbs; see `stickslip-cli ") != NULL;
  SS_CHECK (n_refused == n_others && n_others > 1000);
  SS_CHECK_CONTAINS (text, "takes no value\n");
  SS_CHECK_CONTAINS (text, "needs a value: ");
  SS_CHECK_CONTAINS (text, "'-0.1' is not what was expected (a number of seconds, not negative)");
  SS_CHECK_CONTAINS (text, "'a=b' is not what was expected (NAME=VALUE with a number as value)");
  if (ss_test_failed_checks > before)
    printf ("%s", text);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

/* Commands and what they say. In the folder are fall.stickslip.json (a box that falls), push.stickslip.json (a model in
 * equations), arm.urdf, p.stickslip with a run of the first, t.csv (its motion), a folder `there`. */
static const char *const refused[][2] = {
    /* of all verbs */
    {"validat fall.stickslip.json", "unknown verb 'validat'; did you mean 'validate'?"},
    {"quuxquux", "unknown verb 'quuxquux'; `stickslip-cli --help` lists the verbs"},
    {"validate", "'validate' needs FILE...; see `stickslip-cli validate --help`"},
    {"validate ''", "an argument of 'validate' is empty"},
    {"evaluate a b", "'evaluate' does not know what to do with 'b'"},
    {"simulate fall.stickslip.json --metod x", "'simulate' has no option '--metod'; did you mean '--method'?"},
    {"simulate fall.stickslip.json --quuxquux x",
     "'simulate' has no option '--quuxquux'; see `stickslip-cli simulate --help`"},
    {"simulate fall.stickslip.json --trajectory there", "--trajectory: cannot write there: it is a folder"},
    {"simulate fall.stickslip.json --trajectory none/t.csv",
     "--trajectory: cannot write none/t.csv: No such file or directory"},
    {"simulate none.stickslip.json", "none.stickslip.json"},
    {"simulate fall.stickslip.json --set nothing=1", "nothing"},
    /* runs */
    {"simulate", "simulate needs a scenario's FILE, or --continue RUN"},
    {"simulate --continue last --project p.stickslip --save-steps s", "--save-steps needs the scenario's FILE"},
    {"simulate fall.stickslip.json --at 1", "--at is a time of the run of --continue, which was not given"},
    {"simulate --continue last", "--continue needs --project FILE, which has the run"},
    {"optimise", "optimise needs a scenario's FILE, or --continue RUN"},
    {"optimise --continue last", "--continue needs --project FILE, which has the run"},
    {"optimise --continue last --project p.stickslip --from t.csv",
     "--continue goes on from its run: it takes no --from"},
    {"optimise push.stickslip.json --iterate 3", "--iterate needs a run: give --from RUN and --project FILE too"},
    {"optimise push.stickslip.json --from last",
     "--from last: a run needs --project FILE (or name a file that ends in .csv)"},
    {"optimise push.stickslip.json --from-copies 2",
     "--from-time and --from-copies change the motion of --from, which was not given"},
    {"optimise push.stickslip.json --from t.csv --from-copies 0", "--from-copies takes 1 to "},
    {"optimise push.stickslip.json --keep-iterates 1",
     "--keep-iterates stores iterates in a project: give --project FILE too"},
    {"simulate fall.stickslip.json --assert a=final(box.y)", "neither holds nor fails (expected a condition"},
    {"replay last --project p.stickslip --controller quux",
     "--controller takes none, lqr, contact, replan or predict, not 'quux'"},
    {"replay last", "'replay RUN' needs --project FILE (or --plan FILE.csv and a scenario)"},
    {"compare fall.stickslip.json --methods moreau-jean,crisp",
     "integrators and optimisers cannot be compared in one table"},
    {"compare fall.stickslip.json --methods moreau-jean,quux", "quux"},
    {"compare fall.stickslip.json --methods moreau-jean:quux=1", "'moreau-jean' has no option 'quux'"},
    {"compare fall.stickslip.json --methods moreau-jean --option quux=1", "none of these methods has an option 'quux'"},
    {"compare fall.stickslip.json --methods moreau-jean --keep-iterates 1 --project q.stickslip",
     "--keep-iterates is for optimisers: integrators have no iterates"},
    /* what is looked at */
    {"contacts fall.stickslip.json push.stickslip.json",
     "'contacts' takes one FILE, or begins with solve, convert or schema"},
    {"contacts push.stickslip.json", "a model in equations has no contacts"},
    {"contacts solve", "'contacts solve' needs FILE...; see `stickslip-cli contacts --help`"},
    {"contacts solve there", "there has no problems of steps (expected files that end with "},
    {"contacts solve x --tolerance -1", "--tolerance and --relative are numbers, not negative"},
    {"contacts solve x --relative -1", "--tolerance and --relative are numbers, not negative"},
    {"contacts solve x --plot quux", "--plot: no figure is named 'quux' (expected "},
    {"contacts convert x", "'contacts convert' needs IN and OUT; see `stickslip-cli contacts --help`"},
    {"contacts convert x y --as quux", "--as: no format is named 'quux' (expected json, fc2d or gfc2d)"},
    {"contacts convert x y --storage quux", "--storage: 'quux' is none (expected columns, triplets or dense)"},
    {"equations fall.stickslip.json --method quux",
     "'quux' is no method for this scenario; `stickslip-cli methods` lists them"},
    {"equations push.stickslip.json --method moreau-jean", "'moreau-jean' is no method for this scenario"},
    {"forces nothing", "nothing is no file; a run needs --project FILE"},
    {"forces fall.stickslip.json --at 1",
     "--at 1: a scene that has not run has its start and states of a table FILE.csv alone"},
    {"forces push.stickslip.json", "is a model in equations: it has no contacts and joints"},
    {"forces fall.stickslip.json --project p.stickslip", "fall.stickslip.json is a file: --project is of a run"},
    {"forces last --project p.stickslip --set tilt=0", "--set is of a file; last is none"},
    {"forces last --project p.stickslip --at row:999999", "--at row:999999: the rows are numbered from 0 to "},
    {"forces last --project p.stickslip --at row:-1", "--at row:-1: the rows are numbered from 0 to "},
    {"forces last --project p.stickslip --at 99", "--at 99: the motion is from 0 s to 0.1 s"},
    {"forces last --project p.stickslip --at -0.01", "--at -0.01: the motion is from 0 s to 0.1 s"},
    {"forces last --project p.stickslip --at soon",
     "--at soon is no state: start, a time [s], row:K of the run's motion, or FILE.csv[:K]"},
    {"violations nothing", "nothing is no file; a run needs --project FILE"},
    {"violations push.stickslip.json --project p.stickslip",
     "push.stickslip.json is a file: --project and --iterate are of a run"},
    {"violations last --project p.stickslip --set a=1", "--at and --set are of a file; last is none"},
    {"measure last --project p.stickslip --between box",
     "--between and --and come together: a measure has two features"},
    {"measure last --project p.stickslip --and box", "--between and --and come together: a measure has two features"},
    {"measure last --project p.stickslip --angle", "--angle wants --between and --and"},
    {"measure last --project p.stickslip",
     "nothing is to be measured: --channel NAME, --between A --and B, or measures of the scene"},
    {"measure last --project p.stickslip --channel box.y --format quux", "--format quux: expected one of text"},
    {"measure last --project p.stickslip --channel box.yy", "box.y"},
    {"edit fall.stickslip.json",
     "'edit' needs --field PATH=VALUE, --without PATH, --cut X,Y,X,Y, --trace PICTURE or --find-time"},
    {"schema quux", "'quux' is no document with a schema: "},
    {"guide quuxquux --to g.pdf", "the manual has no pages of all of these names: quuxquux"},
    {"guide quuxquux", "nothing in the manual has 'quuxquux'"},
    {"lessons quux", "there is no lesson 'quux' (`stickslip-cli lessons` lists them)"},
    {"methods quux", "there is no method 'quux'"},
    {"methods crips", "there is no method 'crips'; did you mean 'crisp'?"},
    {"methods --metrics crisp", "--metrics takes no name of a method"},
    {"methods crisp --project p.stickslip", "--allow, --keep and --project take no other name"},
    {"methods --keep mine", "--keep needs --project FILE, and does not go with --allow"},
    {"methods --keep mine --project p.stickslip", "'mine' is no method of your own that runs here"},
    {"methods --allow mine --project p.stickslip", "p.stickslip keeps no method 'mine'"},
    {"bound push.stickslip.json --gap -1", "--gap: expected a percentage of 0 or more"},
    {"bound push.stickslip.json --answer last", "--answer last is no number; a run needs --project FILE"},
    {"bound push.stickslip.json --answer last --project p.stickslip", "is of another file, or of other parameters"},
    {"bound push.stickslip.json --project p.stickslip", "--project is of the run of --answer: name it"},
    {"bound push.stickslip.json --check c.json --gap 1",
     "--check searches nothing: it takes no --certificate, --limit, --gap, --answer"},
    {"impact fall.stickslip.json --at 1", "--at is a time of the motion of --from, which was not given"},
    {"impact fall.stickslip.json --compliant ratio --law newton", "--law is not for --compliant, which has no law"},
    {"impact fall.stickslip.json --compliant ratio --seed 3", "--seed is not for --compliant, which has no law"},
    {"impact fall.stickslip.json --compliant ratio --project p.stickslip",
     "--project is the project of --from here: a sweep of --compliant is not stored"},
    {"impact fall.stickslip.json --compliant ratio --at 1",
     "--at is a time of the motion of --from, which was not given"},
    {"impact fall.stickslip.json --compliant quux", "--compliant quux: expected ratio or angle"},
    {"accuracy fall.stickslip.json --table quux", "there is no table 'quux'; there are runs, orders and energy"},
    {"accuracy fall.stickslip.json --error quux", "there is no error 'quux'; there are mean, max, end and outcome"},
    {"accuracy fall.stickslip.json --error outcome", "the error of an outcome needs one --outcome NAME=FORMULA"},
    {"accuracy fall.stickslip.json --outcome a=final(box.y) --outcome b=final(box.x)",
     "the error of an outcome needs one --outcome NAME=FORMULA"},
    {"accuracy fall.stickslip.json --reference moreau-jean --closed-form box.y=1",
     "--reference and --closed-form both say what motions are compared with"},
    /* fits and pulls */
    {"fit fall.stickslip.json", "'fit' needs --motion FILE.csv, the measured motion"},
    {"fit fall.stickslip.json --motion t.csv", "'fit' needs --free NAME,..., what is unknown"},
    {"pull fall.stickslip.json", "'pull' needs --want FORMULA=VALUE, such as --want 'final(ball.x)=3'"},
    {"pull fall.stickslip.json --want 'final(box.x)=1'", "'pull' needs --change NAME,..., what may change"},
    {"pull fall.stickslip.json --want 'final(box.x)=1' --change tilt --points 3",
     "'pull without --range' does not take --points"},
    {"pull fall.stickslip.json --want 'final(box.x)=1' --change tilt --range mu",
     "--range mu: it is none of the numbers of --change"},
    /* projects */
    {"list", "'list' needs --project FILE"},
    {"table", "'table' needs --project FILE"},
    {"table --project p.stickslip --format quux", "'quux' is no format of tables (expected "},
    {"table --project p.stickslip --to a.csv --format md", "--format md and the name a.csv say different formats"},
    {"table --project p.stickslip --columns quux", "option --columns: "},
    {"tag last --project p.stickslip", "'tag' needs --tags A,B or --add A,B"},
    {"tag last --add x", "'tag' needs --project FILE"},
    {"note last --project p.stickslip", "'note' needs --text TEXT; an empty one takes the note away"},
    {"delete --project p.stickslip", "'delete' needs RUN... or --study STUDY"},
    {"delete last --study s --project p.stickslip", "'delete' needs RUN... or --study STUDY"},
    {"end last", "'end' needs --project FILE"},
    {"add fall.stickslip.json", "'add' needs --project FILE"},
    {"add fall.stickslip.json push.stickslip.json --name n --project p.stickslip", "--name is for one file"},
    {"shrink last --project p.stickslip", "'shrink' needs --keep thinned or --keep metrics with runs"},
    {"shrink last --keep all --project p.stickslip", "'shrink' needs --keep thinned or --keep metrics with runs"},
    {"shrink last --keep metrics", "'shrink' needs --project FILE"},
    {"copy p.stickslip", "'copy' needs --to FILE.stickslip"},
    {"copy p.stickslip --to p.json", "p.json"},
    {"archive last --project p.stickslip", "'archive' needs --to FILE.stickslip"},
    {"archive last --to a.stickslip", "'archive' needs --project FILE"},
    {"import p.stickslip", "'import' needs --project FILE"},
    {"import-motion t.csv --project p.stickslip", "'import-motion' needs --scene FILE"},
    {"import-motion t.csv --scene fall.stickslip.json", "'import-motion' needs --project FILE"},
    {"reproduce last", "'reproduce RUN' needs --project FILE"},
    {"reproduce last --project p.stickslip --tolerance -1", "--tolerance takes a number that is not negative"},
    {"command --project p.stickslip", "'command' needs RUN... or --study STUDY"},
    {"show 'p.stickslip#none'", "none"},
    {"validate 'p.stickslip#none'", "none"},
    /* files for papers */
    {"export last --project p.stickslip", "'export' needs --to FILE"},
    {"export last --project p.stickslip --to a.pdf --plot quux", "there is no plot 'quux' (expected "},
    {"export last --project p.stickslip --to a.pdf --clock quux", "there is no clock 'quux' (expected time or second)"},
    {"export last --project p.stickslip --to a.csv --plot events --clock second",
     "events: --clock second is for pictures of motions; a table has the column of the second clock"},
    {"export last --project p.stickslip --to a.html --width 50", "option --width is not for pages (.html)"},
    {"export last --project p.stickslip --to a.html --log-y", "option --log-y is not for pages (.html)"},
    {"export last last --project p.stickslip --to a.html", "a page (.html) shows one run at a time"},
    {"export last --to a.html", "'export' needs --project FILE"},
    {"figure --project p.stickslip", "'figure' needs a study, runs, or --all-of-project"},
    {"figure last --all-of-project --project p.stickslip", "'figure' needs a study, runs, or --all-of-project"},
    {"figure last --project p.stickslip --width 5", "--width is "},
    {"figure last --project p.stickslip --live", "'figure --live' needs --to FILE.html, without --all and --table"},
    {"figure last --project p.stickslip --live --all --to a.html",
     "'figure --live' needs --to FILE.html, without --all and --table"},
    {"figure last", "'figure' needs --project FILE"},
    {"figure last --project p.stickslip --table quux", "there is no table 'quux' (expected runs or summary)"},
    {"figure last --project p.stickslip --all", "'figure --all' needs --to FOLDER"},
    {"figure last --project p.stickslip --all --to t.csv", "'figure --all' needs --to FOLDER: t.csv is a file"},
    {"figure last --project p.stickslip --metric quux", "there is no metric 'quux'; "},
    {"figure last --project p.stickslip --within 0.9",
     "--within is a factor of the best objective, at least 1 (such as 1.1)"},
    {"paper quux", "no table or figure is named 'quux'; `stickslip-cli paper --list` lists them"},
    {"paper crisp-tabel-2", "no table or figure is named 'crisp-tabel-2'; did you mean "},
    {"paper crisp-table-2 crisp-table-3", "one table or figure at a time"},
    {"paper crisp", "paper crisp writes into a folder: --to FOLDER"},
    {"paper crisp --to f --methods ipopt", "option --methods is for a single table"},
    /* robots and other forms */
    {"convert arm.urdf a.stickslip.json --plane yz", "--plane is xz or xy, but not 'yz'"},
    {"convert arm.urdf a.nl", "a robot becomes a scenario: OUT ends in .json, and --names and --set belong to .nl"},
    {"convert arm.urdf a.stickslip.json --names",
     "a robot becomes a scenario: OUT ends in .json, and --names and --set belong to .nl"},
    {"convert fall.stickslip.json a.xml --names", "--names belongs to .nl"},
    {"convert fall.stickslip.json a.stickslip.json --set tilt=0",
     "--names and --set belong to .nl: a scenario has names and parameters of its own"},
    /* studies */
    {"sweep fall.stickslip.json --methods moreau-jean",
     "'sweep' needs --project FILE, which keeps the study and its runs"},
    {"sweep --list", "--list needs --project FILE"},
    {"sweep fall.stickslip.json --list --project p.stickslip", "'sweep --list' takes no study"},
    {"sweep fall.stickslip.json --merge e.jsonl --project p.stickslip", "'sweep --merge' takes no study"},
    {"sweep --project p.stickslip", "'sweep' needs one of FILE, --study FILE.json and --resume STUDY"},
    {"sweep fall.stickslip.json --resume s --project p.stickslip",
     "'sweep' needs one of FILE, --study FILE.json and --resume STUDY"},
    {"sweep --task 0", "--task needs --study FILE.json and --events FILE.jsonl"},
    {"sweep fall.stickslip.json --study s.json --project p.stickslip",
     "--study has its own scenario: leave out 'fall.stickslip.json'"},
    {"sweep fall.stickslip.json --random 3 --latin 3 --project p.stickslip", "--random and --latin: one of them"},
    {"sweep fall.stickslip.json --random 0 --project p.stickslip", "--random: 1 to "},
    {"sweep fall.stickslip.json --latin 0 --project p.stickslip", "--latin: 1 to "},
    {"sweep fall.stickslip.json --keep some --project p.stickslip", "--keep takes all, thinned or metrics"},
    {"sweep fall.stickslip.json --methods quux --project p.stickslip", "--methods: "},
    {"sweep fall.stickslip.json --format quux --project p.stickslip", "--format: 'quux' is none of text"},
    /* benchmarks */
    {"bench quuxquux", "unknown suite 'quuxquux'; there are crisp, mpc"},
    {"bench crips", "unknown suite 'crips'; did you mean 'crisp'?"},
    {"bench crisp file", "suite crisp takes no file"},
    {"bench fesd-order --format quux", "'quux' is no format of tables (expected "},
    {"bench crisp --noise 1", "suite crisp has no option --noise"},
    {"bench crisp --to there", "--to: cannot write there: it is a folder"},
    {"bench crisp --best none/b.csv", "--best: cannot write none/b.csv: No such file or directory"},
    {"bench crisp --repeats 0", "option --repeats: a whole number between 1 and 1000 is expected"},
    {"bench crisp --repeats 1001", "option --repeats: a whole number between 1 and 1000 is expected"},
    {"bench crisp --cpu-limit 0", "option --cpu-limit: a number above 0 is expected"},
    {"bench crisp --instances some",
     "option --instances: 'some' is not what was expected (listed, all, quick or none)"},
    {"bench crisp --instances none", "option --instances none: there is nothing to run without --fresh or --seed"},
    {"bench crisp --problems pushbox", "suite crisp has no problem 'pushbox'; did you mean 'push-box'?"},
    {"bench crisp --problems quuxquux", "suite crisp has no problem 'quuxquux'; there are "},
    {"bench mpc --noise -1", "option --noise: a number not below 0 is expected"},
    {"bench mpc --set a=1", "suite mpc takes --set only with the file of a scene: bench mpc FILE"},
    {"bench mpc fall.stickslip.json --problems x",
     "suite mpc takes --problems and --project only with the file of a model in equations"},
    {"bench mpc fall.stickslip.json --methods crisp",
     "suite mpc with a file has no options --methods and --cpu-limit: it plans by crisp, within --deadline"},
    {"bench mpc fall.stickslip.json --deadline soon",
     "option --deadline: seconds are expected (0.015), or milliseconds (15ms), not 'soon'"},
    {"bench mpc fall.stickslip.json --deadline -1ms",
     "option --deadline: seconds are expected (0.015), or milliseconds (15ms), not '-1ms'"},
    {"bench mpc fall.stickslip.json --option quux=1", "quux"},
    {"bench mpc push.stickslip.json --look-ahead 3", "suite mpc with a model has no option --look-ahead"},
    {"bench mpc push.stickslip.json --option a=1", "suite mpc with a model has no option --option"},
    {"bench mpc push.stickslip.json --methods quux", "option --methods: "},
    {"bench mpc push.stickslip.json --cpu-limit 0", "option --cpu-limit: a number above 0 is expected"},
    {"bench mpc push.stickslip.json --steps 0", "option --steps: a whole number between 1 and "},
    {"bench simulate --bodies 1,x", "option --bodies: up to "},
    {"bench simulate --bodies 10 --problems wall", "suite simulate has no scene 'wall'"},
    {"bench simulate --bodies 10 --seed 1",
     "--problems and --seed are of piles, --bodies, --all and --order of the scenes of other sizes"},
    {"bench fesd-order --steps 50,x", "option --steps: up to "},
    {"bench fesd-order --homotopy few", "option --homotopy: 'few' is not what was expected (none, some or all)"},
    {"bench fesd-speed --steps 0", "option --steps: a whole number between 1 and "},
    {"bench plans --cpu-limit 0", "option --cpu-limit: a number above 0 is expected"},
    {"bench time-freezing --from t.csv", "--from is for Figs 7 and 8, which go to the folder of --data"},
    {"bench laws --plot quux", "--plot: laws have no 'quux' (expected "},
    {"bench contact-solvers --solver quux", "--solver: "},
    {"bench collection", "suite collection needs a folder: bench collection FOLDER"},
    {"bench collection there", "there has no problem that these methods solve (expected .stickslip.json or .nl)"},
    {"bench plans --count 0", "option --count: a whole number between 1 and 10000 is expected"},
    {"bench closed-forms --problems quux", "quux"},
};

static int
count_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
what_is_wrong_is_refused_before_anything_is_made (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    const int before = count_files ();
    check_said (refused[i][0], CLI_BAD_INPUT, refused[i][1]);
    if (count_files () != before)
      printf ("  %s\n", refused[i][0]);
    SS_CHECK (count_files () == before);
  }
}

/* Where a verb ends well, its file is there. */
static void
what_is_asked_for_is_written (void)
{
  static const char *const made[][2] = {
      {"convert fall.stickslip.json made.xml", "made.xml"},
      {"convert push.stickslip.json made.nl", "made.nl"},
      {"convert arm.urdf made.stickslip.json", "made.stickslip.json"},
      {"convert fall.stickslip.json copy.stickslip.json", "copy.stickslip.json"},
      {"bench fesd-order --steps 4 --quiet --to made.csv", "made.csv"},
      {"bench fesd-order --steps 4 --quiet --figure made.svg", "made.svg"},
      {"bench closed-forms --problems lands --methods event-driven --quiet --table made.md", "made.md"},
      {"table --project p.stickslip --to runs.csv", "runs.csv"},
      {"export last --project p.stickslip --plot events --to events.csv", "events.csv"},
      {"copy p.stickslip --to q.stickslip", "q.stickslip"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (made); i++) {
    GStatBuf info = {0};
    check_said (made[i][0], CLI_OK, "");
    SS_CHECK (g_stat (made[i][1], &info) == 0 && info.st_size > 0);
  }
}

/* What is found to be impossible when the work is done. */
static void
what_cannot_be_written_is_told (void)
{
  check_said ("bench fesd-order --steps 4 --quiet --to full.csv", CLI_BROKEN, "No space left on device");
  check_said ("convert fall.stickslip.json full.stickslip.json", CLI_BROKEN, "No space left on device");
  check_said ("convert arm.urdf full.stickslip.json", CLI_BROKEN, "No space left on device");
}

/* A picture has the pixels from 0,0 to its last one, and no others: its lower right quarter has four corners. */
static void
pixels_are_of_the_picture (void)
{
  static const char *const outside[] = {"40,0", "0,30", "40,30", "-1,0", "0,-1", "39.5,0", "0,29.5", "4e9,0"};
  cairo_surface_t *picture = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 40, 30);
  cairo_t *cr = cairo_create (picture);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_set_source_rgb (cr, 1, 0, 0);
  cairo_rectangle (cr, 20, 15, 20, 15);
  cairo_fill (cr);
  SS_CHECK (cairo_surface_write_to_png (picture, "quarter.png") == CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (picture);
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++) {
    g_autofree char *command =
        g_strdup_printf ("edit fall.stickslip.json --trace quarter.png --pixel %s --to no.stickslip.json", outside[i]);
    g_autofree char *words = g_strdup_printf ("the picture of 40 x 30 pixels has no pixel %s", outside[i]);
    Said said = say (command);
    SS_CHECK (said.status == CLI_BAD_INPUT && !g_file_test ("no.stickslip.json", G_FILE_TEST_EXISTS));
    SS_CHECK_CONTAINS (said.err, i < 7 ? words : "has no pixel 4e+09,0");
    clear_said (&said);
  }
  static const char *const inside[] = {"39,29", "20,15", "39,15", "20,29"};
  for (guint i = 0; i < G_N_ELEMENTS (inside); i++) {
    g_autofree char *command = g_strdup_printf (
        "edit fall.stickslip.json --trace quarter.png --pixel %s --width 4 --to quarter-%u.stickslip.json", inside[i],
        i);
    check_said (command, CLI_OK, ": 4 corners");
  }
}

int
main (void)
{
  begin_cli ();
  link_to ("examples/robots/arm.urdf", "arm.urdf");
  link_to ("/dev/full", "full.csv");
  link_to ("/dev/full", "full.stickslip.json");
  SS_RUN (help_of_a_verb_has_its_options_and_no_others);
  SS_RUN (help_tells_what_each_controller_does);
  SS_RUN (every_option_takes_what_its_kind_says);
  check_said ("simulate fall.stickslip.json --t-end 0.1 --project p.stickslip --trajectory t.csv", CLI_OK, "");
  SS_RUN (what_is_wrong_is_refused_before_anything_is_made);
  SS_RUN (what_is_asked_for_is_written);
  SS_RUN (what_cannot_be_written_is_told);
  SS_RUN (pixels_are_of_the_picture);
  end_cli ();
  return ss_test_finish ();
}
