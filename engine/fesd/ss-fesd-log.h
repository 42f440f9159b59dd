/* engine/fesd/ss-fesd-log.h: the elements and jumps that a step of the march took, and starts whose velocities were
 * fitted to joints, in the order of time, for whoever makes them once more beside the motion
 * (fesd/ss-fesd-sensitivity.h). What a step takes back goes from it, too.
 *
 * Memory grows with the longest step. Private to the room.
 */
#pragma once

#include "fesd/ss-fesd-march.h"

typedef struct {
  bool is_jump;
  bool is_fit;     /* v, whatever it was, is put onto the rows of the modes: a start that fits no joint */
  double t, h;     /* where it begins; its length [s], 0 of a jump */
  bool has_switch; /* the element ends in `what` */
  SsFesdSwitch what;
  bool is_capturing;       /* the element ends flights that accumulate */
  SsFesdImpactCase impact; /* of a jump */
  int n_touches;           /* of a jump */
  /* Borrowed until the log changes. */
  const double *q, *v;   /* at its start, of a jump or fit before it; n_q each */
  const double *v_after; /* of a jump; n_q */
  const double *a;       /* of an element: guesses as ss_fesd_element_start takes them */
  const double *lambda_n, *lambda_t, *bilateral;
  const double *offset;      /* n_items */
  const SsFesdMode *modes;   /* n_items */
  const int *touches;        /* items */
  const SsFesdPoint *points; /* n_points - n_static: the slots of pairs, and whether they hold a point */
  const bool *is_live;
} SsFesdTaken;

typedef struct {
  bool is_on; /* false: nothing is kept */
  int n, capacity;
  struct SsFesdTakenItem *items;
  /* of each item as many: */
  int n_numbers, n_items, n_slots; /* numbers; items of the system, for modes and touches; slots of pairs */
  double *numbers;
  SsFesdMode *modes;
  int *touches;
  SsFesdPoint *points;
  bool *is_live;
} SsFesdLog;

/* Frees what it holds and leaves it zeroed. */
void ss_fesd_log_clear (SsFesdLog *log);
/* Item i. */
SsFesdTaken ss_fesd_log_at (const SsFesdLog *log, const SsFesdSystem *system, int i);
/* Adds one: all pointers of `taken` but points and is_live (those of the system) and what it has not (NULL) are copied.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_fesd_log_add (SsFesdLog *log, const SsFesdSystem *system, const SsFesdTaken *taken,
                                       SsError *err);
