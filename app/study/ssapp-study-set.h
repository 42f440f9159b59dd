/* app/study/ssapp-study-set.h: the runs of a study as a run set, those that are still to be made among them.
 *
 * Axes and methods are those of the study, in its order, also an axis of one value; so a heat map has all its cells
 * before the first run ends. What can vary in a scenario, for whoever adds an axis, is told here too.
 * Threads: any, one at a time. Tests: tests/unit/test-study-session.c
 */
#pragma once

#include "app/study/ssapp-run-set.h"
#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

/* The tasks of a study without their scenarios: what it takes seconds to ask for again in a large one. */
typedef struct SsappStudyTasks SsappStudyTasks;

/* None of its tasks is known yet; the study is copied. */
SsappStudyTasks *ssapp_study_tasks_new (const SsappStudy *study);
void ssapp_study_tasks_free (SsappStudyTasks *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappStudyTasks, ssapp_study_tasks_free)
/* Makes more of the tasks known, for about that time [us], 0: all; TRUE: all are, or the study cannot be run. */
gboolean ssapp_study_tasks_go_on (SsappStudyTasks *self, gint64 budget);
/* Why the study cannot be run; NULL: it can. Borrowed. */
const char *ssapp_study_tasks_get_problem (const SsappStudyTasks *self);
guint ssapp_study_tasks_get_n (const SsappStudyTasks *self); /* tasks that are known */
/* Borrowed; NULL beyond them. */
const char *ssapp_study_tasks_get_key (const SsappStudyTasks *self, guint task);

/* The set of all known tasks: item i is task i. `rows`: of the run that answers each task, NULL where there is none;
 * borrowed, they outlive the set. */
SsappRunSet *ssapp_study_tasks_make_set (const SsappStudyTasks *self, const SsappRunRow *const *rows);

/* Something that an axis can vary. */
typedef struct {
  SsappAxisKind kind;
  char *name;                     /* as ssapp_study_set_axis takes it: "mu", "box.x", "dt", "crisp.relax" */
  char *title;                    /* for people: "Position x of box [m]"; the description of a parameter */
  char *now;                      /* its value in the scenario, as text; "" where that is none */
  char *values;                   /* values to begin with, as they are typed */
  double value, minimum, maximum; /* of a number: what it is, what it may be; NaN, infinite: not known */
  gboolean is_number, is_integer;
} SsappVarying;
/* Values of that form to begin with, about its present one and within what it may be: "0.25:1:5"; g_free. */
char *ssapp_varying_suggest (const SsappVarying *varying, SsappAxisForm form);
/* Of SsappVarying, parameters first; empty when the scenario cannot be read. Free function set. */
GPtrArray *ssapp_study_list_varying (const SsappStudy *study);

/* Methods (const SsMethod) that can run the study's scenario; those of the kind that it has come first. */
GPtrArray *ssapp_study_list_methods (const SsappStudy *study);

G_END_DECLS
