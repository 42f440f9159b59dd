/* engine/plan/ss-polish.h: the polish of a plan by fesd-j: its mode sequence fixed, what is left solved as a smooth
 * problem, refined until the plan is worth what its controls give in a simulation.
 *
 * Source   paper 000 ends with the homotopy; this is the remedy of the problem text, sec. 8.4 and 13.
 * Loop     solve the smooth problem (transcribe/ss-fesd-fixed.h) by Ipopt without complementarities; where a segment
 *          has become as short as it may be, change the sequence and solve again; replay the controls
 *          (plan/ss-try-controls.h); where what the plan reports and what the replay costs differ, divide the elements
 *          whose motion is least smooth and solve again.
 * Changes  a switch that reaches an interval's end moves on into the neighbour; when it keeps coming back, it stays at
 *          that end. Between two switches a segment that vanishes is taken out, and both are one. A changed sequence
 *          without a solution is given up: the one before is refined, with its segments as short as they may be.
 * Progress a row of convergence a smooth problem (objective, violation, problem: from 1), numbered by the iterations;
 *          with `tells` another one every ten iterations of it, with the column `inner`.
 * Near     where only an exact plan is asked for, not a cheaper one: a penalty on the distance from the start's samples
 *          keeps the problem away from ends of segments and edges of cones, where its rows depend on each other.
 * Smooth   measure of an element: the largest part of a velocity that is of the degree of the scheme (its divided
 *          difference over left point and stages). Elements are divided so that it falls by a factor each round.
 * Threads  one at a time; one Ipopt in a process. Tests: tests/numeric/test-polish.c
 */
#pragma once

#include "judge/ss-metrics.h"
#include "plan/ss-try-controls.h"
#include "transcribe/ss-fesd-fixed.h"

typedef struct {
  int stages, elements; /* of the scheme; of an interval at first; 0: 3 and 3 */
  int max_solves;       /* 0: 24 */
  int max_iterations;   /* of one of them; 0: 100 */
  bool gives_up;        /* where Ipopt would begin to restore feasibility: most sequences that do are no plan's */
  bool is_rough;        /* the start's samples are no motion: the first problem begins far from all bounds */
  bool is_coarse;       /* no refinement and no replay: the elements of the start, to compare sequences */
  bool keeps_sequence;  /* one smooth problem, of the start's segments and elements, whose samples nearly solve it */
  int pieces;           /* above 1: replays are those of pieces, each from the plan's own state (ss-polish-pieces.h) */
  bool tells;           /* rows of progress within smooth problems, too                     */
  double near;          /* SsFesdOptions.near of the first problems, until one of them is solved */
  double agreement;     /* of reported and replayed objective, relative; 0: 1e-4 */
  double distance;      /* of plan and replay at the end [m], see end_distance; 0: any */
} SsPolishOptions;

typedef struct {
  bool is_solved;           /* the smooth problem; else what follows is of the last one that was, or not known */
  bool agrees;              /* reported and replayed objective, the end, and the replay keeps the path */
  SsFesdSequence *sequence; /* owned: modes, controls and motion of the answer; NULL: no problem was solved */
  SsScenario *model;        /* owned: its smooth problem */
  double *x;                /* owned: its answer */
  SsMetrics metrics;        /* of x */
  SsTriedControls replay;   /* of the controls */
  double end_distance;      /* of the centre of mass that the replay ends farthest from the plan's [m]; NaN: none */
  int n_pieces;             /* of plan/ss-polish-pieces.h; 1: in pieces it was not solved; 0: whole */
  int n_solves, n_changes, n_refinements, n_iterations;
  double cpu_seconds, linear_seconds;
  char message[512];
  char start[64]; /* name of what it started from, for who asked for the polish; "" at first */
} SsPolished;

/* `start`: borrowed; `transcription`: options of fesd-j, of which steps and lookahead count. Failures of the smooth
 * problem are no errors: is_solved, message. `out` is initialised here; release with ss_polished_clear, also after an
 * error. */
SS_NODISCARD SsStatus ss_polish (const SsScenario *scenario, const SsTranscribeOptions *transcription,
                                 const SsFesdSequence *start, const SsPolishOptions *options, SsRunControl *control,
                                 SsPolished *out, SsError *err);
void ss_polished_clear (SsPolished *polished);
