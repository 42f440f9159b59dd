/* app/study/ssapp-study.h: a study: one scenario, what varies, which methods; made into the list of its runs.
 *
 * Kept in the project as JSON (examples/README.md, "Studies") and said in one command (`stickslip-cli sweep`); both are
 * read and written here. The list of runs depends on the definition alone: task i is the same on every machine, so that
 * a study can be ended, resumed, split among machines and merged. Methods change fastest, then the last axis;
 * axes that are ranges change together, in the place of the first of them.
 * Threads: any. Tests: tests/unit/test-study.c
 */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "app/job/ssapp-keep.h"
#include "run/ss-method.h"

G_BEGIN_DECLS

/* How many runs a study may have. */
#define SSAPP_STUDY_MAX_RUNS 100000

typedef enum {
  SSAPP_AXIS_PARAMETER, /* of the scenario, by name */
  SSAPP_AXIS_NUMBER,    /* number of the scene, "box.x", "floor-box.restitution": scene/ss-number.h */
  SSAPP_AXIS_STEP,      /* "dt" [s] */
  SSAPP_AXIS_HORIZON,   /* "t_end" [s], of simulations */
  SSAPP_AXIS_SEED,      /* "seed" */
  SSAPP_AXIS_GUESS,     /* "guess": "scenario", "zeros", or a run to start from, by id */
  SSAPP_AXIS_OPTION,    /* option of all methods that have it, "max-iterations", or of one: "crisp.relax" */
} SsappAxisKind;

typedef enum {
  SSAPP_AXIS_LIST,  /* "0.1, 0.2, 0.5" */
  SSAPP_AXIS_GRID,  /* "0:16:9": ends and how many */
  SSAPP_AXIS_LOG,   /* "0.001:1:7log" */
  SSAPP_AXIS_RANGE, /* "0.1..0.9": drawn, as the study says: random or Latin hypercube; all ranges together */
} SsappAxisForm;

typedef struct {
  SsappAxisKind kind;
  SsappAxisForm form;
  char *name;          /* what varies */
  char *text;          /* its values as they were typed */
  char **values;       /* NULL-terminated, of LIST, GRID and LOG; NULL for RANGE */
  double from, to;     /* of RANGE */
  gboolean is_integer; /* of RANGE: whole numbers are drawn */
} SsappStudyAxis;

typedef struct {
  SsMethodId id;
  char *label;            /* "CRISP, relax 10"; unique in the study */
  char **names, **values; /* options, NULL-terminated both */
} SsappStudyMethod;

typedef enum { SSAPP_DRAW_RANDOM, SSAPP_DRAW_LATIN } SsappStudyDraw;

typedef struct {
  char *title;
  char *scenario_name, *scenario_text; /* the text is kept, whatever becomes of the sketch */
  GPtrArray *axes;                     /* of SsappStudyAxis */
  GPtrArray *methods;                  /* of SsappStudyMethod */
  GPtrArray *outcomes;                 /* of char *, "NAME=FORMULA" (job/ssapp-interests.h): asked of every run */
  SsappStudyDraw draw;                 /* of axes that are ranges */
  guint n_drawn;                       /* samples; 0 without such axes */
  guint64 seed;
  double time_limit;   /* of one run, wall time [s]; NaN: none */
  double cpu_limit;    /* of one run, CPU time of all its threads and processes [s]; NaN: none */
  double memory_limit; /* of one run [bytes]; NaN: none */
  double bound;        /* of models: CPU time for a lower bound after each answer [s]; NaN: none */
  guint workers;       /* 0: as many as cores */
  SsappKeep keep;      /* of its runs' motions */
} SsappStudy;

/* A number of the study that may be absent (NaN) and is above 0: where it stands, and its names. */
typedef struct {
  const char *name;   /* in the window */
  const char *member; /* in JSON: of "limits", or of the study */
  const char *option; /* of `sweep` */
  const char *words;  /* what follows the number */
  double unit;        /* of window and words: 1e9 for GB */
  size_t offset;      /* in SsappStudy */
  gboolean is_limit;  /* else it changes what the runs are */
} SsappStudyNumber;
const SsappStudyNumber *ssapp_study_numbers (guint *n); /* static */
static inline double *
ssapp_study_number (SsappStudy *self, const SsappStudyNumber *number)
{
  return (double *)(void *)((char *)self + number->offset);
}
static inline double
ssapp_study_get_number (const SsappStudy *self, const SsappStudyNumber *number)
{
  return *(const double *)(const void *)((const char *)self + number->offset);
}

/* Without axes and methods. */
SsappStudy *ssapp_study_new (const char *title, const char *scenario_name, const char *scenario_text);
void ssapp_study_free (SsappStudy *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappStudy, ssapp_study_free)
SsappStudy *ssapp_study_copy (const SsappStudy *self);

/* "scenario" and "zeros" of a guess; static. */
#define SSAPP_STUDY_GUESS_SCENARIO "scenario"
#define SSAPP_STUDY_GUESS_ZEROS    "zeros"

/* What "--vary NAME=VALUES" says; a new axis with that name replaces one. FALSE and an error that says what was
 * expected; the study is as before. */
gboolean ssapp_study_set_axis (SsappStudy *self, const char *name, const char *values, GError **error);
void ssapp_study_remove_axis (SsappStudy *self, const char *name);
/* What "--methods" says of one: "crisp:relax=10". */
gboolean ssapp_study_add_method (SsappStudy *self, const char *text, GError **error);
void ssapp_study_remove_method (SsappStudy *self, guint index);
void ssapp_study_remove_methods (SsappStudy *self); /* all, and the axes of their options */

/* What "--outcome" says, in the place of one of that name, which is not checked; and without one. */
void ssapp_study_set_outcome (SsappStudy *self, const char *text);
/* The formula of one; NULL: there is none. Borrowed. */
const char *ssapp_study_get_outcome (const SsappStudy *self, const char *name);
gboolean ssapp_study_remove_outcome (SsappStudy *self, const char *name); /* FALSE: there is none */
/* Its scenario; NULL with an error that has the first problem. ss_scenario_free. */
SsScenario *ssapp_study_read_scenario (const SsappStudy *self, GError **error);
/* Whether it can be run: scenario can be read, methods are here, names resolve, values fit, not too many runs. */
gboolean ssapp_study_check (const SsappStudy *self, GError **error);
/* How many tasks; 0 when there is no method, G_MAXUINT where it is not a number that fits. Two tasks of the same key
 * (an option that a method does not have) are one run. */
guint ssapp_study_count (const SsappStudy *self);
/* How many values an axis has; of a range, as many as are drawn. */
guint ssapp_study_count_values (const SsappStudy *self, const SsappStudyAxis *axis);

/* One run to be made. Texts owned. */
typedef struct {
  guint index;                          /* of the task, from 0 */
  guint method;                         /* of the study's methods */
  char **values;                        /* of each axis, NULL-terminated */
  char **option_names, **option_values; /* the method's and those of axes that it has; NULL-terminated both */
  char *scenario;                       /* text to run, with the initial state of the task in it */
  char *key;                            /* SHA-256 of what makes the run: stays when axes or methods are added */
} SsappStudyTask;
/* NULL and an error when the scenario cannot be read. */
SsappStudyTask *ssapp_study_get_task (const SsappStudy *self, guint index, GError **error);
void ssapp_study_task_free (SsappStudyTask *task); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappStudyTask, ssapp_study_task_free)
/* "Ipopt, mu 0.8, j 2"; g_free. */
char *ssapp_study_describe_task (const SsappStudy *self, const SsappStudyTask *task);

/* For whoever goes through many tasks: the study as it is now, with what all tasks share. NULL and an error when the
 * study cannot be read; its methods need not be here. */
typedef struct SsappStudyPlan SsappStudyPlan;
SsappStudyPlan *ssapp_study_plan_new (const SsappStudy *study, GError **error);
void ssapp_study_plan_free (SsappStudyPlan *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappStudyPlan, ssapp_study_plan_free)
const SsappStudy *ssapp_study_plan_get_study (const SsappStudyPlan *self); /* borrowed */
guint ssapp_study_plan_get_count (const SsappStudyPlan *self);
/* `with_scenario`: else the task's is NULL, which is faster. */
SsappStudyTask *ssapp_study_plan_get_task (const SsappStudyPlan *self, guint index, gboolean with_scenario);

json_t *ssapp_study_to_json (const SsappStudy *self); /* new reference */
/* NULL and an error that names the member which is wrong. */
SsappStudy *ssapp_study_from_json (const json_t *json, GError **error);
/* A file of that JSON, where the scenario may also be {"file": "..."}, a path from the file's own folder. */
SsappStudy *ssapp_study_read_file (const char *path, GError **error);
/* Whether two studies ask for the same runs, whatever their titles, limits and workers. */
gboolean ssapp_study_is_same (const SsappStudy *a, const SsappStudy *b);
/* The whole study as one command for a shell; `project` may be NULL. g_free. */
char *ssapp_study_to_command (const SsappStudy *self, const char *scenario_file, const char *project);

G_END_DECLS
