/* app/session/ssapp-run-private.h: a run on show, shared by its files. Not for others. */
#pragma once

#include "app/session/ssapp-run.h"

#include <jansson.h>

G_BEGIN_DECLS

struct _SsappRun {
  GObject parent_instance;
  char *replay_of;    /* nullable */
  char *name;         /* of a stored run; nullable */
  SsTrajectory *plan; /* of a replay; nullable */
  SsView *plan_view;  /* nullable */
  char *id, *method, *label, *outcome, *message;
  SsMethodKind kind; /* of the method */
  int copy;          /* of the method's id */
  SsScenario *scenario;
  SsappJob *job;         /* nullable */
  GArray *iterations;    /* of a stored run */
  SsTrajectory *initial; /* one row */
  SsTrajectory *stored;  /* of a stored run, nullable */
  SsView *view;
  int view_channels; /* what the view was compiled for */
  gboolean view_is_told;
  gboolean view_failed;
  json_t *result;      /* nullable */
  json_t *asked;       /* as of a result: method and options of the job or the stored run */
  SsMetricSet metrics; /* of the result */
  GArray *events;      /* of the result */
  gboolean by_second;  /* told by the second clock */
  SsReasons reasons;
  SsappParting parting;
  SsControllerKind controller; /* of a replay that is to start */
  double friction;             /* of its world, as a part of the plan's; 0: the same */
  int n_worlds;                /* other worlds that its plan is replayed in as well */
  SsappFan *fan;               /* of the result; nullable */
  SsTries tries;               /* of the result */
  char *tries_account;         /* nullable */
  SsappRace *race;             /* of the result, else the job's newest; nullable */
  GPtrArray *stored_branches;  /* of SsTrajectory, of a stored run, by the fan's branches but the first; nullable */
  SsTrajectory *slopes;        /* of the stored run, or taken; nullable */
  SsTrajectory *worlds;        /* of the stored run; nullable */
  GArray *branches;            /* of SsappFanMotion; NULL: not looked for yet */
  GPtrArray *told_branches;    /* of SsTrajectory, what they own */
  gboolean branches_are_told;  /* by the second clock */
  struct {
    const SsTrajectory *of; /* whose copy it is: NULL: none was made */
    int n_rows;
    SsTrajectory *motion; /* NULL: it cannot be told so */
    GArray *events;
  } told;
  char *log;
  GString *warnings;
  GArray *iterates;      /* of int */
  SsTrajectory *iterate; /* shown in the place of the answer; nullable */
  int shown_iterate;     /* -1: the answer */
  guint version;
};

/* What was made for showing is made again. */
void ssapp_run_clear_branches (SsappRun *self);
void ssapp_run_clear_told (SsappRun *self);
/* Signal "changed". */
void ssapp_run_emit_changed (SsappRun *self);
/* The motion by the run's own time: of the shown iterate, the job or the store; NULL: none. Borrowed. */
const SsTrajectory *ssapp_run_own_motion (SsappRun *self);

G_END_DECLS
