/* app/bench/ssapp-paper.h: tables and figures of the five papers as ready studies: what each is, its numbers made anew
 * beside the paper's column, its pictures, and the verdict on each number. What each is made of: ssapp-paper-item.h.
 *
 * A thin layer on the suites of `bench`, which have the papers' numbers; nothing is invented here: a number that a
 * paper only draws is not in the table. Made in a process of its own (`stickslip-cli paper NAME`), whose
 * document both the command line and the window read.
 * Threads: any, one at a time. Tests: tests/unit/test-paper.c, tests/cli/test-accuracy.sh
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_PAPER_QUICK, /* a part of it, where the whole takes more than half a minute */
  SSAPP_PAPER_USUAL,
  SSAPP_PAPER_ALL /* as much as the paper has, where that takes minutes */
} SsappPaperExtent;
extern const char *const ssapp_paper_extents[]; /* their names: "quick", "usual", "all" */
/* Of that name; what is none of them: USUAL. */
SsappPaperExtent ssapp_paper_extent_of (const char *name);

/* A table or a figure. Static texts. */
typedef struct {
  const char *name;       /* "crisp-table-2" */
  const char *topic;      /* of the gallery: "crisp" */
  const char *label;      /* "Table II" */
  const char *title;      /* "CRISP beside other solvers" */
  const char *place;      /* where it stands: "Li et al. 2025, Table II and section IV-C" */
  const char *words;      /* what it shows, what runs, what differs from the paper */
  const char *quick;      /* what --quick leaves out; NULL: there is no quick part */
  const char *all;        /* what --all adds; NULL: nothing */
  gboolean takes_methods; /* --methods: others than the paper's may run */
} SsappPaper;

/* A paper. Static texts. */
typedef struct {
  const char *topic, *number; /* "crisp", "004"; NULL: works of others, whose equations are not indexed */
  const char *title, *source;
} SsappPaperTopic;
/* The five and comparisons, in the order of the gallery. */
const SsappPaperTopic *ssapp_paper_topics (guint *n);

/* All of them, papers together in the order of the gallery. */
const SsappPaper *ssapp_papers (guint *n);
/* Whether it has a picture. */
gboolean ssapp_paper_has_picture (const SsappPaper *paper);
/* The example that it is about, or that its first picture of a motion runs, as win.open-example takes it; NULL: none.
 * g_free. */
char *ssapp_paper_example (const SsappPaper *paper);
/* NULL: none of that name. */
const SsappPaper *ssapp_paper_find (const char *name);
/* Whether all words of `search` occur in its texts, whatever their case; "": yes. */
gboolean ssapp_paper_matches (const SsappPaper *paper, const char *search);

/* "stickslip-cli paper crisp-table-2 --quick"; g_free. */
char *ssapp_paper_to_command (const SsappPaper *paper, SsappPaperExtent extent);

/* What to make. Borrowed for the call. */
typedef struct {
  SsappPaperExtent extent;
  const char *methods;   /* of crisp-table-2: optimisers, as ssapp_bench_methods_parse reads them; NULL: crisp */
  SsRunControl *control; /* cancel ends it with what there is */
  SsappBenchSay say;     /* nullable: a line per run */
  const char *folder;    /* there: gets all pictures as KEY.svg, KEY.pdf and KEY.png; NULL: none are made */
  const char *picture;   /* the first picture as this file; NULL */
  GPtrArray *runs;       /* of ssapp_paper_runs_new: a plan that several items draw is made once; NULL: once an item */
} SsappPaperPlan;
/* Plans that items share; they stay in memory as long as it. g_ptr_array_unref. ssapp-paper-motion.c */
GPtrArray *ssapp_paper_runs_new (void);

/* Runs it: {"format", "paper", "title", "place", "extent", "complete", "machine", "tables": [{"name", "title",
 * "columns": [{"key", "title", "digits"}], "rows": [[...]], "notes"}], "pictures": [{"key", "title", "file"}],
 * "verdicts": as of ssapp_paper_judge}; a new reference. NULL with a message (g_free) when the plan cannot be read or a
 * picture cannot be written. ssapp-paper-run.c */
json_t *ssapp_paper_run (const SsappPaper *paper, const SsappPaperPlan *plan, char **message);
/* A value of a verdict as people read it: "1.2", a text, "-"; g_free. ssapp-paper-verdict.c */
char *ssapp_paper_value_text (const json_t *value);
/* The paper's value of a verdict, of what is a limit "at most 0.55"; g_free. ssapp-paper-verdict.c */
char *ssapp_paper_paper_text (const json_t *verdict);
/* The verdicts as a table; NULL: it has none. ssapp-paper-verdict.c */
SsappTable *ssapp_paper_verdict_table (const json_t *document);
/* Tables of such a document, of SsappTable with its free function; NULL: it is none. */
GPtrArray *ssapp_paper_read (const json_t *document);

G_END_DECLS
