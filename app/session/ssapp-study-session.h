/* app/session/ssapp-study-session.h: the studies of a window's project: the one on show, its edits with undo,
 * its queue, its runs as a set, its figures and tables. No widgets: the Study page shows it, the window's actions
 * change it.
 *
 * Every edit is in the project at once; a window without a project gets an untitled one with its first study. While a
 * study runs its definition stays as it is. The set of runs is made again at most twice a second.
 * Threads: main thread only. Tests: tests/unit/test-study-session.c
 */
#pragma once

#include "app/session/ssapp-outcome-ideas.h"
#include "app/session/ssapp-session.h"
#include "app/store/ssapp-store-study.h"
#include "app/study/ssapp-chart.h"
#include "app/study/ssapp-study-queue.h"
#include "app/study/ssapp-study-set.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_STUDY_SESSION (ssapp_study_session_get_type ())
G_DECLARE_FINAL_TYPE (SsappStudySession, ssapp_study_session, SSAPP, STUDY_SESSION, GObject)

/* Signals:
 *   "changed" ()    the list of studies, the one on show, its definition, what can be undone
 *   "progress" ()   counts and what runs, at most twice a second
 *   "runs" ()       the set of runs was made again: what was borrowed of it is gone
 *   "looked" ()     another selection, another choice of a figure, another hidden method
 *   "failed" (const char *message)  something behind the scenes */

/* Of that window's session, which outlives it. */
SsappStudySession *ssapp_study_session_new (SsappSession *session);

/* Somebody looks at the study: until then, and until it is edited, a project that is opened costs no reading of its
 * runs, and there is no set. */
void ssapp_study_session_look (SsappStudySession *self);
/* Before the project is closed: ends what runs, shows nothing. */
void ssapp_study_session_leave_store (SsappStudySession *self);

/* ---- studies of the project ---- */
/* Of SsappStudyRow, newest first; empty without a project. */
GPtrArray *ssapp_study_session_list (SsappStudySession *self);
const char *ssapp_study_session_get_id (SsappStudySession *self);          /* NULL: none is on show */
const SsappStudy *ssapp_study_session_get_study (SsappStudySession *self); /* the same; borrowed until the next edit */
/* A study of the document as it is, with the methods that are chosen for it; becomes the one on show. */
gboolean ssapp_study_session_add (SsappStudySession *self, GError **error);
gboolean ssapp_study_session_open (SsappStudySession *self, const char *id, GError **error);
/* The study on show once more, under a name of its own; it shares the runs that are made by then. */
gboolean ssapp_study_session_duplicate (SsappStudySession *self, GError **error);
gboolean ssapp_study_session_delete (SsappStudySession *self, GError **error); /* of the project; its runs stay */
gboolean ssapp_study_session_undelete (SsappStudySession *self, const char *id, GError **error);

/* ---- edits of the one on show: stored at once, one undo step each ---- */
gboolean ssapp_study_session_rename (SsappStudySession *self, const char *title, GError **error);
/* `id`: of a sketch of the project, "" for the document of the window. */
gboolean ssapp_study_session_set_scenario (SsappStudySession *self, const char *id, GError **error);
gboolean ssapp_study_session_set_axis (SsappStudySession *self, const char *name, const char *values, GError **error);
/* An idea of ssapp_study_list_ideas, by the name of its axis, with its method (ssapp_study_take_idea). */
gboolean ssapp_study_session_take_idea (SsappStudySession *self, const char *name, GError **error);
gboolean ssapp_study_session_remove_axis (SsappStudySession *self, const char *name, GError **error);
gboolean ssapp_study_session_move_axis (SsappStudySession *self, const char *name, int by, GError **error);
/* As ssapp_study_add_method takes it; index < 0: a new one, in the place of all where they are of another kind. */
gboolean ssapp_study_session_set_method (SsappStudySession *self, int index, const char *text, GError **error);
gboolean ssapp_study_session_remove_method (SsappStudySession *self, int index, GError **error);
/* What every run is asked: text "NAME=FORMULA" in the place of the outcome `name`, "": a new one. Figures show it then,
 * and runs that are there answer it from their motions. */
gboolean ssapp_study_session_set_outcome (SsappStudySession *self, const char *name, const char *text, GError **error);
gboolean ssapp_study_session_remove_outcome (SsappStudySession *self, const char *name, GError **error);
/* What it would be, in words: "third [m], of each of 135 runs"; NULL with an error that says what is wrong. `name`: the
 * outcome in whose place; NULL: a new one. g_free. */
char *ssapp_study_session_try_outcome (SsappStudySession *self, const char *name, const char *text, GError **error);
/* The unit of an outcome of the study by its place: "m", "" for a number; g_free. */
char *ssapp_study_session_dup_outcome_unit (SsappStudySession *self, guint index);
/* Figures show the outcome of that name. */
void ssapp_study_session_show_outcome (SsappStudySession *self, const char *name);
/* Of SsappOutcomeIdea, for the study's scene; g_ptr_array_unref. */
GPtrArray *ssapp_study_session_list_ideas (SsappStudySession *self);
/* Name: of ssapp_study_numbers, "time" and "cpu" (of a run [s]), "memory" [GB], "bound" (CPU time for a lower bound
 * [s]); "workers" (0: as many as cores), "draw" (random, latin), "samples", "seed", "keep" (ssapp_keep_name); "" as a
 * value: none, or the usual one. */
gboolean ssapp_study_session_set_limit (SsappStudySession *self, const char *name, const char *value, GError **error);
char *ssapp_study_session_dup_limit (SsappStudySession *self, const char *name); /* as it is typed */
/* "2 workers, 12 s, 4 GB each"; g_free. */
char *ssapp_study_session_dup_limits_words (SsappStudySession *self);
/* NULL: there is nothing to take back. */
const char *ssapp_study_session_get_undo_label (SsappStudySession *self);
const char *ssapp_study_session_get_redo_label (SsappStudySession *self);
gboolean ssapp_study_session_undo (SsappStudySession *self, GError **error);
gboolean ssapp_study_session_redo (SsappStudySession *self, GError **error);

/* What an axis with these values would be, in words: "5 values: 0.1, 0.2, ...; 135 runs". NULL and an error that says
 * what is wrong. g_free. */
char *ssapp_study_session_try_axis (SsappStudySession *self, const char *name, const char *values, GError **error);
/* The same of a method: "CRISP, relax 10; 90 runs". `index` < 0: a new one. */
char *ssapp_study_session_try_method (SsappStudySession *self, int index, const char *text, GError **error);
/* A method of the study as it is typed: "crisp:relax=10"; g_free. */
char *ssapp_study_session_dup_method (SsappStudySession *self, guint index);
/* "list, 5", "grid, 9"; g_free. */
char *ssapp_study_session_dup_axis_note (SsappStudySession *self, guint index);
/* "5 × 9 values, 3 methods: 135 runs", else what is missing; g_free. */
char *ssapp_study_session_dup_count (SsappStudySession *self);
/* Why it cannot be started; NULL: it can. g_free. */
char *ssapp_study_session_dup_problem (SsappStudySession *self);
/* TRUE: the window's document is the study's scenario by name, but with another text. */
gboolean ssapp_study_session_is_scenario_old (SsappStudySession *self);

/* ---- running ---- */
gboolean ssapp_study_session_start (SsappStudySession *self, GError **error); /* or goes on */
/* Runs with these outcomes once more, with the limits of now: names with commas, "": all that did not end well. */
gboolean ssapp_study_session_again (SsappStudySession *self, const char *outcomes, GError **error);
void ssapp_study_session_pause (SsappStudySession *self);
void ssapp_study_session_stop (SsappStudySession *self);
gboolean ssapp_study_session_is_running (SsappStudySession *self); /* paused too */
gboolean ssapp_study_session_is_paused (SsappStudySession *self);
void ssapp_study_session_get_progress (SsappStudySession *self, SsappStudyProgress *progress);
/* How many runs of each method have ended; of guint; g_array_unref. */
GArray *ssapp_study_session_count_methods (SsappStudySession *self);
/* "127 of 135 runs" and "about 20 s left"; g_free. */
char *ssapp_study_session_dup_progress (SsappStudySession *self);
char *ssapp_study_session_dup_time_left (SsappStudySession *self);
/* Of SsappStudyRunning; g_array_unref. */
GArray *ssapp_study_session_list_running (SsappStudySession *self);

/* ---- what it shows ---- */
typedef enum {
  SSAPP_STUDY_HEAT,    /* maps of a metric over two axes */
  SSAPP_STUDY_PROFILE, /* performance, data, success     */
  SSAPP_STUDY_BOX,     /* two of them side by side       */
  SSAPP_STUDY_TIME,
  SSAPP_STUDY_RUNS, /* a table only */
  SSAPP_STUDY_PARTS
} SsappStudyPart;
/* "heat", "profile", "box", "time", "runs". */
const char *ssapp_study_part_name (SsappStudyPart part);
gboolean ssapp_study_part_from_name (const char *name, SsappStudyPart *part);

/* Borrowed until the signal "runs"; NULL without a study, or before its tasks are known. */
const SsappRunSet *ssapp_study_session_get_set (SsappStudySession *self);
/* Borrowed until "runs" or "looked"; NULL without a set. */
const SsappChart *ssapp_study_session_get_chart (SsappStudySession *self, SsappStudyPart part);
/* What a figure can show: keys and titles, as many; borrowed until "runs". */
const char *const *ssapp_study_session_list_choices (SsappStudySession *self, SsappStudyPart part);
const char *ssapp_study_session_get_choice_title (SsappStudySession *self, SsappStudyPart part, const char *key);
const char *ssapp_study_session_get_choice (SsappStudySession *self, SsappStudyPart part);
gboolean ssapp_study_session_set_choice (SsappStudySession *self, SsappStudyPart part, const char *key);
/* Axes of the heat maps by their places in the study; -1: the first that are free. */
void ssapp_study_session_set_heat_axes (SsappStudySession *self, int x_axis, int y_axis);
/* The pairs that there are, for people: "j by mu", and which of them is on show; g_strfreev. */
char **ssapp_study_session_list_heat_axes (SsappStudySession *self, guint *selected);
void ssapp_study_session_choose_heat_axes (SsappStudySession *self, guint pair); /* of that list */
/* Boxes with runs that were not solved. */
gboolean ssapp_study_session_takes_unsolved (SsappStudySession *self);
void ssapp_study_session_set_takes_unsolved (SsappStudySession *self, gboolean takes_unsolved);
/* A method of the set, by its place: not in figures but for the heat maps. */
gboolean ssapp_study_session_is_hidden (SsappStudySession *self, guint method);
void ssapp_study_session_set_hidden (SsappStudySession *self, guint method, gboolean is_hidden);

/* The marked problem: a place on each axis, -1 any; NULL: none is. */
const int *ssapp_study_session_get_selected (SsappStudySession *self);
/* By what was clicked: the problem of items of the set; none of them: no problem. The one marked again is let go. */
void ssapp_study_session_select_items (SsappStudySession *self, const guint *items, guint n);
/* Moves the mark by so many cells of the heat maps; without one, marks the first cell. */
void ssapp_study_session_step_selected (SsappStudySession *self, int dx, int dy);
gboolean ssapp_study_session_is_item_selected (SsappStudySession *self, guint item);
/* "mu 0.5, j 12"; "" without a marked problem; g_free. */
char *ssapp_study_session_dup_selected_words (SsappStudySession *self);
/* Id of the run of an item; NULL: it has none yet. Borrowed until "runs". */
const char *ssapp_study_session_get_run_id (SsappStudySession *self, guint item);

/* The table of a part; of the runs without `all` only what differs. Never NULL with a set; ssapp_table_free. */
SsappTable *ssapp_study_session_make_table (SsappStudySession *self, SsappStudyPart part);
gboolean ssapp_study_session_shows_all (SsappStudySession *self);
void ssapp_study_session_set_shows_all (SsappStudySession *self, gboolean shows_all);
/* Items of the rows of the newest table of runs; of guint, borrowed. */
GArray *ssapp_study_session_get_table_items (SsappStudySession *self);

/* ---- taking away ---- */
/* By the suffix: pdf, svg, png, html, a page that computes (not of the runs), else a table. width_mm 0: the usual. */
gboolean ssapp_study_session_export (SsappStudySession *self, SsappStudyPart part, double width_mm, const char *path,
                                     GError **error);
/* All figures that suit the runs, and their tables, into the folder, which is made (ssapp_run_set_export_all). How many
 * files were written; -1 with an error. */
int ssapp_study_session_export_all (SsappStudySession *self, double width_mm, const char *folder, GError **error);
/* The whole study as one command; g_free; NULL without a study. */
char *ssapp_study_session_dup_command (SsappStudySession *self);

/* For scripts: {id, title, axes, methods, tasks, queued, running, solved, unsolved, is_running, is_paused, undo,
 * selected, choices, hidden, problem}; "null" without a study. g_free. */
char *ssapp_study_session_dup_status (SsappStudySession *self);

G_END_DECLS
