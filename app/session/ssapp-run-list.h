/* app/session/ssapp-run-list.h: stored runs as a list that is sorted by any column and filtered by what a user types.
 *
 * Made for tens of thousands of runs: distinct texts are kept once, with their order, when a column is first asked for;
 * sorting and filtering then go over arrays of numbers. Rows are told by their index in what the list was made of.
 * Parameters and options of the runs are columns too ("fields").
 * Threads: any, one at a time. Tests: tests/unit/test-run-list.c
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/session/ssapp-run-filter.h"
#include "app/store/ssapp-store-study.h"

G_BEGIN_DECLS

typedef struct SsappRunList SsappRunList;

typedef struct {
  SsappRunColumnKind kind;
  SsMetric metric; /* of METRIC */
  guint field;     /* of FIELD: its index */
} SsappRunColumn;

/* Takes the rows (of SsappRunRow, with its free function), which may be NULL: none. All are shown, as they come. */
SsappRunList *ssapp_run_list_new (GPtrArray *rows);
void ssapp_run_list_free (SsappRunList *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappRunList, ssapp_run_list_free)

/* What it was made of. */
guint ssapp_run_list_get_n_rows (const SsappRunList *self);
const SsappRunRow *ssapp_run_list_get_row (const SsappRunList *self, guint row); /* borrowed */
/* Takes ids out of the set `ids` that no run of the list has. */
void ssapp_run_list_forget (const SsappRunList *self, GHashTable *ids);

/* What was asked of the rows shown (ssapp_metric_of_outcome), of SsMetric; g_array_unref. Tables have them always. */
GArray *ssapp_run_list_outcomes (SsappRunList *self);
/* Parameters and options that any run has, parameters first, each by name. */
guint ssapp_run_list_get_n_fields (SsappRunList *self);
/* A column by the name that filters and the command line know; FALSE with an error where no run has it. */
gboolean ssapp_run_list_find_column (SsappRunList *self, const char *name, SsappRunColumn *column, GError **error);
/* The name by which that finds it; g_free. */
char *ssapp_run_list_dup_name (SsappRunList *self, const SsappRunColumn *column);
char *ssapp_run_list_dup_title (SsappRunList *self, const SsappRunColumn *column); /* "Objective", "mu"; g_free */
/* Texts as they are in the project, outcomes and metrics as people read them; "" where there is none; g_free. */
char *ssapp_run_list_dup_text (SsappRunList *self, guint row, const SsappRunColumn *column);
double ssapp_run_list_get_number (SsappRunList *self, guint row, const SsappRunColumn *column); /* NaN: none */

/* Sorted by a column from now on; rows that are equal keep their order, unknown numbers and empty texts come last
 * either way. NULL: as they came. */
void ssapp_run_list_sort (SsappRunList *self, const SsappRunColumn *column, gboolean is_descending);
/* Shows what the text says (ssapp-run-filter.h). FALSE with an error: nothing changes then. A metric must have been
 * read for its condition to hold. */
gboolean ssapp_run_list_filter (SsappRunList *self, const char *text, GError **error);

/* What passes the filter, in its order. */
guint ssapp_run_list_get_n_shown (const SsappRunList *self);
guint ssapp_run_list_get_shown (const SsappRunList *self, guint position); /* the row at a place */
/* ---- groups: the runs of a study are a line that unfolds --------------------------------------------------------- */

/* A line of the list: a run, or the head of a group, which stands where its first run would. */
typedef struct {
  guint row;   /* SSAPP_RUN_LIST_HEAD: the head */
  guint group; /* from 1; 0: the run is of none */
} SsappRunLine;
#define SSAPP_RUN_LIST_HEAD G_MAXUINT

/* Groups runs by their studies (ssapp_run_list_set_studies) from now on; `open`: ids of studies that are unfolded
 * (a reference is kept); again after each change of it. NULL: a line a run. */
void ssapp_run_list_group (SsappRunList *self, GHashTable *open);
guint ssapp_run_list_get_n_lines (SsappRunList *self);
SsappRunLine ssapp_run_list_get_line (SsappRunList *self, guint position);
const char *ssapp_run_list_get_group_id (SsappRunList *self, guint group);    /* of the study; borrowed */
const char *ssapp_run_list_get_group_title (SsappRunList *self, guint group); /* borrowed */
gboolean ssapp_run_list_is_open (SsappRunList *self, guint group);
/* Its rows that are shown, in their order; of guint, borrowed until the list is filtered, sorted or grouped again. */
GArray *ssapp_run_list_get_group_rows (SsappRunList *self, guint group);
/* What its rows say in a column: what all say, "0.5 to 1.5", "130 solved, 5 not", "" where they differ otherwise;
 * borrowed as the rows. */
const char *ssapp_run_list_get_group_text (SsappRunList *self, guint group, const SsappRunColumn *column);

/* Whether the rows shown are not all alike in a column; one that has none differs from one that has. */
gboolean ssapp_run_list_differs (SsappRunList *self, const SsappRunColumn *column);
/* Whether any row shown has something there, and whether all that have one have a number. */
gboolean ssapp_run_list_is_used (SsappRunList *self, const SsappRunColumn *column);
gboolean ssapp_run_list_is_number (SsappRunList *self, const SsappRunColumn *column);
/* Columns "method,mu,objective=J" (ssapp_table_choose_columns) that tables have from now on, also where no row that is
 * shown has anything there or all are alike; names that no run has are passed over. */
void ssapp_run_list_want (SsappRunList *self, const char *names);
/* Where the rows shown differ: scenario, outcome, start, seed, fields; method too. Of SsappRunColumn. Without
 * `only_differing` all fields that a run shown has, and method, scenario, outcome. */
GArray *ssapp_run_list_columns (SsappRunList *self, gboolean only_differing);

/* Its rows, not to be changed: a run set may be made of them; g_ptr_array_unref. */
GPtrArray *ssapp_run_list_ref_rows (SsappRunList *self);
/* What a run is called in tables instead of its method's name; copied. */
void ssapp_run_list_set_label (SsappRunList *self, guint row, const char *label);
/* Runs that would be called the same are called by what differs: options, then parameters, steps, starts. Labels of
 * all rows, and of those `runs` (of SsappRun) that are rows; of one method they have marks of their own. */
void ssapp_run_list_tell_apart (SsappRunList *self, GPtrArray *runs);
/* The same of runs of the store alone. */
void ssapp_run_tell_apart (SsappStore *store, GPtrArray *runs);
/* Metrics that a table of runs shows where a run has them. */
extern const SsMetric ssapp_run_usual_metrics[];
guint ssapp_run_n_usual_metrics (void);
/* Runs by their ids, in this order, with these metrics at least; those that are not there are left out. NULL with an
 * error. */
SsappRunList *ssapp_run_list_new_of (SsappStore *store, const char *const *ids, const SsMetric *metrics,
                                     guint n_metrics, GError **error);
/* The metrics among those that at least one run shown has or that are wanted, in their order; returns how many. */
guint ssapp_run_list_known_metrics (SsappRunList *self, SsMetric *metrics, guint n);
/* Time steps and horizons that runs were asked for: runs that differ in them are of different problems. Takes `steps`,
 * as of ssapp_store_list_steps; NULL: not known. */
void ssapp_run_list_set_steps (SsappRunList *self, GHashTable *steps);
/* Studies that runs are of, a column, and what varies in them, fields. Before anything else is asked. Takes `studies`,
 * as of ssapp_store_list_run_studies; NULL: not known. */
void ssapp_run_list_set_studies (SsappRunList *self, GHashTable *studies);
/* Borrowed; NULL: not known. */
GHashTable *ssapp_run_list_get_studies (SsappRunList *self);
/* The rows shown: what ssapp_run_list_columns says, then the metrics. `with_ids`: rows are data: each begins with the
 * run's id and ends with started, note and tags. Else the best of the runs of one problem (run sets say which are) that
 * were solved or completed is bold. */
SsappTable *ssapp_run_list_to_table (SsappRunList *self, const char *title, const SsMetric *metrics, guint n_metrics,
                                     gboolean only_differing, gboolean with_ids);

G_END_DECLS
