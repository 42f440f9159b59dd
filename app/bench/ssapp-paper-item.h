/* app/bench/ssapp-paper-item.h: what a figure or table of a paper is made of, as data.
 *
 * To add one: a member of the array of its paper (ssapp-paper-PAPER.c), in the order of the paper. `make` computes its
 * tables (NULL: it has motions alone), `tables` says which of them and which rows are its own. `charts` draw columns of
 * those tables, `motions` run a scene of examples/ and draw it as `export --plot` does. `claims` hold numbers of the
 * tables against the paper's: the verdict is computed from them, only reasons are words. Runs of motions are rows of a
 * table "motions" (columns motion, method, outcome, t_end, objective, violation, iterations, seconds), and what `asks`
 * asks of them rows of a table "asked" (motion, what, value, unit), so that claims may speak of them.
 * An item with is_group shows several others together under an old name: it is found by name alone.
 * Arrays end with an entry of zeros. Rows are chosen by "column=value,column=value"; a comma before
 * a space is part of a value.
 */
#pragma once

#include "app/bench/ssapp-paper.h"

G_BEGIN_DECLS

/* A chart of columns. */
typedef struct {
  const char *key, *title; /* of files: "error"; for people: "Error over the step" */
  const char *table;       /* its key */
  const char *rows;        /* those alone; NULL: all */
  const char *x, *y;       /* columns; y: a curve each, with commas */
  const char *group;       /* columns whose values make a curve each, with commas; NULL: none */
  const char *x_label, *y_label;
  gboolean x_log, y_log;
  gboolean has_no_line, is_step, has_no_mark;
  gboolean is_square; /* both axes have one scale */
  double y_most;      /* where the y axis ends, which cuts steeper curves; 0: at the largest value */
} SsappPaperChart;

/* A run of an example and its pictures. */
typedef struct {
  const char *key, *title;
  const char *example;  /* "constraint-solver/ramp": of examples/ */
  const char *set;      /* "mu=0.5,k=1e6": parameters; NULL: as they are */
  const char *method;   /* as --methods takes it: "constraint-solver:joints=start" */
  double dt, t_end;     /* [s]; 0: the scenario's */
  const char *plots;    /* kinds of ssapp-plot-kind.h, a picture each, with commas: "motion,channels" */
  const char *channels; /* of plot channels, as `export --channels`; NULL: what suits */
  const char *x, *y;    /* of plot phase: channels; NULL: what suits */
  gboolean is_long;     /* left out by --quick */
  gboolean is_all;      /* made by --all alone */
  /* what is asked of the motion, "hits=count(impact);apex=max(block.theta)" (scene/ss-interest.h): rows of a table
   * "asked" (motion, what, value, unit); NULL: nothing */
  const char *asks;
  const char *from; /* of optimisers: a motion to start from, CSV; NULL: the scenario's guess */
  double from_time; /* the part of it after that [s] */
  /* In place of `from`: the plan of the item's motion with that key, so many times in a row; NULL: none */
  const char *from_key;
  int from_copies;
  const char *loop; /* a condition of ssapp-bench-loop.h: the plan is made again each step; NULL: once */
  int loop_steps;
} SsappPaperMotion;

typedef enum {
  SSAPP_CLAIM_NEAR,     /* |ours - paper's| <= tolerance |paper's| */
  SSAPP_CLAIM_WITHIN,   /* |ours - paper's| <= tolerance */
  SSAPP_CLAIM_AT_MOST,  /* ours <= paper's (1 + tolerance) */
  SSAPP_CLAIM_AT_LEAST, /* ours >= paper's (1 - tolerance) */
  SSAPP_CLAIM_SAME      /* both are the same text */
} SsappClaimKind;

/* A number, or a word, of ours beside the paper's. */
typedef struct {
  const char *what;         /* "distance for mu = {mu}": {column} is that cell of the row */
  const char *table, *rows; /* a verdict each of these rows; NULL: of all */
  const char *ours;         /* column */
  const char *paper;        /* column; NULL: paper_words, or paper_value where has_paper */
  gboolean has_paper;
  double paper_value;
  const char *paper_words; /* a text of the paper; beside numbers told, not compared */
  /* Where the paper prints none, what is compared in its place; where it does, shown beside */
  const char *truth; /* column; NULL: truth_value where has_truth */
  gboolean has_truth;
  double truth_value;
  const char *truth_words; /* what it is: "closed form" */
  SsappClaimKind kind;
  double tolerance;
  const char *why;     /* reason of the tolerance */
  const char *cannot;  /* why nobody can agree or refute: "times of another machine"; else NULL */
  const char *refuted; /* why the paper's is off, where it is known to be; else NULL */
  const char *run;     /* what refutes it; NULL: the item's command */
} SsappPaperClaim;

/* SSAPP_PRINTS (1.2): the paper's number; SSAPP_TRUTH (1.2): that of an independent source. */
#define SSAPP_PRINTS(value) .has_paper = TRUE, .paper_value = (value)
#define SSAPP_TRUTH(value)  .has_truth = TRUE, .truth_value = (value)

typedef struct SsappPaperItem SsappPaperItem;
struct SsappPaperItem {
  SsappPaper paper;
  /* Its tables, or NULL with a message (g_free); `part` says which of a suite. */
  SsappBenchSheet *(*make) (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message);
  const char *part;
  const char *tables; /* "fig-4;figs-1-3:figure=1,b=10": keys of tables that are kept, and of which rows; with ; */
  const SsappPaperChart *charts;
  const SsappPaperMotion *motions;
  const SsappPaperClaim *claims;
  const char *example; /* "crisp/one-pair": what it computes is that of examples/; NULL: that of its first motion */
  const char *better;  /* what our methods find better, from its numbers; NULL: nothing is said */
  gboolean is_group;
};

/* Items of a paper (toy, lcp: of crisp, its Example 1 and section IV-D), and of works by others on scenes of ours; the
 * last has no name. */
extern const SsappPaperItem ssapp_paper_fesd_items[], ssapp_paper_freezing_items[], ssapp_paper_impacts_items[],
    ssapp_paper_constraint_items[], ssapp_paper_toy_items[], ssapp_paper_crisp_items[], ssapp_paper_lcp_items[],
    ssapp_paper_comparison_items[];

/* Of ssapp_papers or ssapp_paper_find. ssapp-paper.c */
const SsappPaperItem *ssapp_paper_item (const SsappPaper *paper);

/* Whether a row of a table is chosen: "column=value,..."; NULL: every row. ssapp-paper-rows.c */
gboolean ssapp_paper_row_is_chosen (const SsappTable *table, guint row, const char *rows);
/* Rows of a document's tables alone, in the order of the list. A new array. */
json_t *ssapp_paper_choose_tables (const json_t *documents, const char *list);
/* A table of a document by its key; -1: there is none. */
int ssapp_paper_find_table (const json_t *tables, const char *key);

/* [{"what", "paper", "ours", "truth", "truth_words", "tolerance", "kind", "why", "verdict", "reason", "explained"}] of
 * the tables (json: their keys; read: ssapp_paper_read). `verdict`: "agreed", "refuted", "not reproducible", "not run"
 * (its row is none of this extent). ssapp-paper-verdict.c */
json_t *ssapp_paper_judge (const SsappPaperItem *item, const json_t *tables, const GPtrArray *read,
                           SsappPaperExtent extent);

/* A chart as a file. FALSE with an error: no such table, column, row or format. ssapp-paper-chart.c */
gboolean ssapp_paper_chart_export (const SsappPaperChart *chart, const SsappTable *table, const char *path,
                                   GError **error);

/* Where pictures go. ssapp-paper-motion.c */
typedef struct {
  const char *folder; /* KEY.svg, KEY.pdf and KEY.png of each; NULL: none */
  const char *path;   /* the first one as this file; NULL */
  json_t *told;       /* of the document: [{"key", "title", "file"}] */
} SsappPaperPictures;
/* The files of a picture: of the first one, or of the folder. `write` makes one. FALSE with an error. */
typedef gboolean SsappPaperWrite (gconstpointer data, const char *path, GError **error);
gboolean ssapp_paper_picture (SsappPaperPictures *pictures, const char *key, const char *title, SsappPaperWrite *write,
                              gconstpointer data, GError **error);
/* Runs the item's motions: a table "motions" of `sheet`, and their pictures. What fails is a row that says so; FALSE
 * with an error: a picture cannot be written. */
gboolean ssapp_paper_run_motions (const SsappPaperItem *item, const SsappPaperPlan *plan, SsappBenchSheet *sheet,
                                  SsappPaperPictures *pictures, GError **error);

G_END_DECLS
