/* engine/plan/ss-way-edits.h: the kinds of ways on, as edits of the scene's file; see ss-ways-on.h. */
#pragma once

#include "plan/ss-ways-on.h"

/* A scene that is to be changed. */
typedef struct {
  const SsSolveJob *job;
  const SsScenario *scenario;
  struct json_t *root; /* the file, as it was solved */
  double horizon;      /* of the job [s] */
  int steps;
} SsWayMaker;

/* SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_way_maker_open (SsWayMaker *maker, const SsSolveJob *job, SsError *err);
void ss_way_maker_close (SsWayMaker *maker);

enum { SS_WAY_AMOUNTS = 8 };

typedef struct {
  SsWayKind kind;
  int n_amounts;     /* from little to much */
  int first;         /* that is tried first */
  bool is_list;      /* amounts are other things, of which each is tried: no bisection */
  bool is_unchanged; /* the scene as it is: no edits, and where it is solved nothing else is tried */
  double amounts[SS_WAY_AMOUNTS];
  /* Fills in words and edits. *is_there false: the scene has no such change. */
  SsStatus (*make) (const SsWayMaker *maker, double amount, SsWayOn *way, bool *is_there, SsError *err);
} SsWaySpec;

/* Static. */
const SsWaySpec *ss_way_specs (int *n);
/* The change of that amount, with the edits that the job's own step and horizon need; way is zeroed before. */
SS_NODISCARD SsStatus ss_way_make (const SsWayMaker *maker, const SsWaySpec *spec, double amount, SsWayOn *way,
                                   bool *is_there, SsError *err);
