/* engine/fesd/ss-fesd-march-private.h: what the files of the march share (state, tell, zeno, modes, instant, follow,
 * march). The method: ss-fesd-march.h. */
#pragma once

#include "fesd/ss-fesd-log.h"
#include "fesd/ss-fesd-march.h"

/* Halvings of a step: at most, before more alternatives are tried at an instant, and before all are. */
enum { SS_FESD_DEPTH_MAX = 40, SS_FESD_PATIENCE = 20, SS_FESD_LAST_DEPTH = 36 };
/* Flights of a point that are known, for so many cycles of one to three of them. */
enum { SS_FESD_CYCLES = 3, SS_FESD_FLIGHTS = 3 * SS_FESD_CYCLES };

/* Points closer than this part of the bodies' size touch: some rounding of a motion over many steps. */
static const double ss_fesd_touch_part = 1e-10;
/* Signs of the law at an instant count up to this part of its largest numbers. */
static const double ss_fesd_law_tolerance = 1e-7;
/* A remainder of a step below this part of it is rounding of times. */
static const double ss_fesd_sliver = 1e-13;
/* What is slower [m/s] may be taken for rest where nothing else works, or where impacts follow each other without end:
 * flights are then some 1e-12 m high. The element that begins so takes the speeds away, by forces that push. */
static const double ss_fesd_slow = 1e-5;
/* Time steps whose end tells modes, ever shorter, by how much they may change speeds [m/s]: the first is well above
 * rounding, the last still is. */
enum { SS_FESD_SHORT_STEPS = 3 };
static const double ss_fesd_short_steps[SS_FESD_SHORT_STEPS] = {1e-7, 1e-9, 1e-11};

/* What is left of a step and no longer [s] may be taken in any modes whose equations hold. */
static const double ss_fesd_shortest = 1e-9;

/* In `broken`: the force that closes has vanished; the slip has. */
enum { SS_FESD_PARTED = 2, SS_FESD_STOPPED = 3 };

/* Which elements are solved again to estimate errors, and what they have shown. */
typedef struct {
  double differences[2];   /* sums that tell the order: of elements to halves, to quarters of them */
  long jumps_sampled;      /* n_jumps when an element was solved again last */
  int since, every, looks; /* elements since one was solved again, until one is; how often one was */
  double length;           /* of that element [s] */
  double roughness;        /* of it: how its accelerations bend */
  bool was_rough;          /* the last element was rougher by far */
  double slack;            /* rounding of all elements, and flights that were captured [m] */
  double wanted;           /* length of elements with a tolerance [s]; 0: the first one */
} SsFesdSampling;

/* All that a step changes, in few blocks so that it can be put back. */
typedef struct {
  double t, tau, residual, second, events; /* the second of simulated time, and the events in it */
  bool is_known;                           /* modes hold at (t, q, v) */
  bool is_projected;                       /* v obeys the closed contacts, but for captured ones */
  bool is_capturing;                       /* the element to come begins with speeds of closed points, and ends them */
  double capture_end;                      /* when the last of the captured flights would have ended */
  int at_instant;                          /* switches since time went on */
  int solved;                              /* 1 + item of the switch at the end of the last element; 0: none */
  double condition;                        /* what is left of its condition */
  long n_jumps;                            /* since the march was made */
  double *q, *v;                           /* n_q */
  double *offset;                          /* n_items: gap that counts as closed */
  double *overlap;                         /* n_items: of open points, at most 0 */
  double *lambda_n, *lambda_t;             /* n_items, present forces */
  double *bilateral;                       /* n_bilateral */
  double *a;                               /* n_free */
  double *dissipated;                      /* n_contacts */
  double *flights;                         /* SS_FESD_FLIGHTS + 1 an item: last impact, flights, newest first */
  double *ends;                            /* n_items: when a captured flight would have ended, NaN: none is captured */
  double *error, *local;                   /* 2 n_q: estimated error so far; what that element added */
  SsFesdSampling sampling;
  SsFesdMode *modes, *told; /* n_items: told: those that events have been told of */
  SsFesdMode *sampled;      /* n_items: of the element that was solved again last */
  int *broken;              /* n_items: +1, -1: the cone was reached, friction acts so; PARTED, STOPPED */
  SsFesdPoint *slots;       /* 2 n_pairs: the points of pairs */
  bool *live;               /* 2 n_pairs */
  bool *soft;               /* n_items: its speed is taken away by the element to come */
} SsFesdState;

/* What estimates errors: an element of its own, and 2 n_q numbers each of states. */
typedef struct {
  SsFesdElement *trial;
  int order; /* of the scheme at the end of an element */
  double t;  /* where the element that is taken began */
  bool is_capturing;
  double *start, *end, *fine, *finer, *from, *kept;
  double bend[SS_TABLEAU_STAGES_MAX]; /* weights of the stages in the leading coefficient of a polynomial */
  double of_element;                  /* largest part of the last element, of any coordinate or velocity */
} SsFesdEstimate;

/* The modes that may be tried at an instant. */
typedef struct {
  int n; /* candidates: touching points at rest along the normal */
  int capacity;
  SsFesdTouch *touches;
  SsFesdMode *base, *trial;
  long next, next_of_all; /* numbers of the next variation, and of the next of all modes */
  int n_tried;            /* alternatives at this instant */
  bool is_selected, is_hopeless;
  bool is_hard;     /* slow points are not taken for such that rest */
  bool is_fine;     /* slow slips are not taken for none: others that slip drive them */
  bool is_asked;    /* the proposer has been, at this instant */
  bool is_proposed; /* the present modes are its answer, and no element in them was taken yet */
} SsFesdChoice;

struct SsFesdMarch {
  SsFesdSystem *system; /* borrowed */
  SsFesdMarchOptions options;
  SsTableau tableau;
  SsFesdElement *element;
  SsFesdEstimate estimate; /* no trial: errors are not estimated */
  SsFesdLaw *law;
  SsFesdWatch *watch;
  SsFesdRecord record;
  SsFesdLog log; /* of the step under way */
  SsFesdCounts counts;
  SsFesdChoice choice;
  SsFesdState now;
  SsFesdState saved[SS_FESD_DEPTH_MAX + 2]; /* made when they are needed */
  struct {
    int n_items, n_numbers, row_to_patch, n_taken;
  } cut[SS_FESD_DEPTH_MAX + 2];
  int row_to_patch;       /* record item whose forces belong to the element to come, -1: none */
  double *impulse;        /* 2 n_items: of the jump just made */
  double *told_impulse;   /* 2 n_items: the part of it that rows within it have told */
  double *work;           /* n_q */
  double *of_stage;       /* 2 n_q, 2 n_items */
  SsRow *joint_rows;      /* n_bilateral: at the pose of which forces are told */
  const double *controls; /* of the step under way; NULL: the actuators' formulas */
  SsRunControl *control;  /* of that step; NULL: nobody ends it */
  const SsFesdJudge *judge;
  double tau_of_jump;            /* where the jump under way began; NaN: there is none */
  bool is_over;                  /* numerical time is, before the step's end */
  double t_step_end, t_part_end; /* of the step, of the part of it under way */
  int impacts;                   /* in this step, those taken back too */
  int depth;                     /* halvings of the step under way */
  long solves;                   /* elements solved in this step, also those that were not taken */
  bool has_stepped;              /* `now` is the end of the last step */
  long tests;                    /* of modes in this step */
  char reason[320];              /* of SsError.message */
};

typedef enum {
  SS_FESD_DONE,
  SS_FESD_COARSE, /* the element is to be shorter, by the tolerance */
  SS_FESD_TOO_MANY,
  SS_FESD_FAILED,
  SS_FESD_NO_MEMORY,
  SS_FESD_EVENT,
  SS_FESD_CLEAR,
  SS_FESD_AT_ONCE,
  SS_FESD_NOT_SOLVED
} SsFesdOutcome;

/* ---- state: what a step changes, and the way back ---------------------------------------------------------------- */
SS_NODISCARD SsStatus ss_fesd_state_init (const SsFesdSystem *s, SsFesdState *state, SsError *err);
void ss_fesd_state_clear (SsFesdState *state);
/* Points of pairs of the present state, for the system. */
void ss_fesd_state_install (SsFesdMarch *m);
/* Keeps the state under a number; the way back. */
SS_NODISCARD SsStatus ss_fesd_state_save (SsFesdMarch *m, int depth, SsError *err);
void ss_fesd_state_restore (SsFesdMarch *m, int depth);

/* ---- estimate: the error of the motion so far -------------------------------------------------------------------- */
SS_NODISCARD SsStatus ss_fesd_estimate_init (SsFesdMarch *m, SsError *err);
void ss_fesd_estimate_clear (SsFesdMarch *m);
/* The motion begins here, without an error. */
void ss_fesd_estimate_begin (SsFesdMarch *m);
/* Before an element is taken: its start. Then, when the state is its end: what it adds; h: its length. */
void ss_fesd_estimate_keep (SsFesdMarch *m);
SS_NODISCARD SsStatus ss_fesd_estimate_take (SsFesdMarch *m, double h, SsError *err);
/* A jump from these velocities to the present ones was taken; touches change. */
SS_NODISCARD SsStatus ss_fesd_estimate_jump (SsFesdMarch *m, const double *v_before, SsFesdTouch *touches, int n,
                                             SsError *err);
/* What the last element adds to a coordinate or a velocity is more than the tolerance; sets the length that is wanted
 * now. */
bool ss_fesd_estimate_is_coarse (SsFesdMarch *m, double h);
/* Largest estimated error of a place now, angles times the bodies' size [m]. */
double ss_fesd_estimate_error (const SsFesdMarch *m);

/* ---- tell: rows, stages and events for the record ---------------------------------------------------------------- */
/* Contact of an item, -1: it is a limit. */
int ss_fesd_contact_of (const SsFesdSystem *s, int item);
/* Smallest gaps of all contacts at q, into contact values. */
void ss_fesd_tell_gaps (const SsFesdMarch *m, const double *q, double *values);
/* Forces and impulses of items (NULL: none), summed over the points of each contact, into contact values. */
void ss_fesd_tell_forces (const SsFesdSystem *s, const double *lambda_n, const double *lambda_t, const double *impulse,
                          double *values);
/* Forces of the joints (SsSimState.joint; NULL: not wanted) in the present state. */
void ss_fesd_tell_joints (SsFesdMarch *m, double *joint);
/* The state as a row, its gaps left to ss_fesd_tell_rows. */
SS_NODISCARD SsStatus ss_fesd_tell_row (SsFesdMarch *m, const double *impulse, SsError *err);
/* Gaps of all rows of a step that is sure: those of steps taken back are never looked for. */
void ss_fesd_tell_rows (SsFesdMarch *m);
SS_NODISCARD SsStatus ss_fesd_tell_event (SsFesdMarch *m, SsEventKind kind, int item, double t, double impulse,
                                          SsError *err);
/* What the modes that now act say that those before did not. */
SS_NODISCARD SsStatus ss_fesd_tell_modes (SsFesdMarch *m, SsError *err);
/* Stages of the element, with their weights; what friction takes. */
SS_NODISCARD SsStatus ss_fesd_tell_stages (SsFesdMarch *m, double t_end, SsError *err);
/* Forces of the row after a jump are those with which the element begins. */
void ss_fesd_tell_patch (SsFesdMarch *m);

/* ---- zeno: flights that accumulate ------------------------------------------------------------------------------- */
void ss_fesd_zeno_forget (SsFesdMarch *m, int item);
/* A flight of the item has ended. */
void ss_fesd_zeno_note (SsFesdMarch *m, int item);
/* After a jump: captures those of the touches whose flights end within the part of the step under way. */
void ss_fesd_zeno_capture (SsFesdMarch *m, const SsFesdTouch *touches, int n, double rest);
/* What was captured, or taken for rest, moves on: its element did not end as it should. */
void ss_fesd_zeno_release (SsFesdMarch *m);
/* The element that captured is taken: tells of the accumulations, in the order of time. */
SS_NODISCARD SsStatus ss_fesd_zeno_take (SsFesdMarch *m, SsError *err);

/* ---- modes: which points touch, and what the law says of them ---------------------------------------------------- */
double ss_fesd_rest_speed (const SsFesdMarch *m);
/* The same of slips, for `is_fine`. */
double ss_fesd_rest_slip (const SsFesdMarch *m);
/* The points of pairs as they lie now: those that touch are looked up; known ones keep their slot and mode. */
void ss_fesd_modes_look_up (SsFesdMarch *m);
/* Modes of the candidates become the present ones. */
void ss_fesd_modes_take (SsFesdMarch *m, const SsFesdMode *modes);
/* The law at this instant: modes, and a first guess of forces and accelerations. */
SS_NODISCARD SsStatus ss_fesd_modes_select (SsFesdMarch *m, SsError *err);
/* Room for the modes of n touches, also in `trial`. */
SS_NODISCARD SsStatus ss_fesd_modes_reserve (SsFesdMarch *m, int n, SsError *err);
/* The next modes that the law allows at this instant: variations of the first ones, then all there are. */
SS_NODISCARD SsStatus ss_fesd_modes_next (SsFesdMarch *m, bool *found, SsError *err);

/* ---- enumerate: all modes at an instant -------------------------------------------------------------------------- */
typedef enum { SS_FESD_FORCES, SS_FESD_STRICT_JUMP, SS_FESD_LOOSE_JUMP } SsFesdEnumerated;
/* Modes that a touch may have; returns their number. */
int ss_fesd_modes_for (const SsFesdMarch *m, const SsFesdTouch *touch, SsFesdMode *modes);
/* Number of all combinations, and whether all of so many are looked at. */
double ss_fesd_enumerate_count (const SsFesdMarch *m, const SsFesdTouch *touches, int n);
bool ss_fesd_enumerate_is_complete (double count);
/* The next combination from number *next on that obeys the law, which was prepared for these touches, up to `tolerance`
 * of the largest numbers. *next moves on. */
bool ss_fesd_enumerate (SsFesdMarch *m, SsFesdEnumerated what, SsFesdTouch *touches, int n, double tolerance,
                        long *next, SsFesdMode *modes);

/* ---- ask: modes that somebody else proposes ---------------------------------------------------------------------- */
/* Asks for modes of the candidates for what is left of the step, once an instant; *found: they are taken. */
SS_NODISCARD SsStatus ss_fesd_ask (SsFesdMarch *m, bool *found, SsError *err);
/* The present modes were proposed: that an element in them was taken, or that none could be. */
void ss_fesd_ask_end (SsFesdMarch *m, bool is_taken);

/* ---- instant: jumps, and what follows them ----------------------------------------------------------------------- */
/* The jump at this instant, if there is one, and the modes after it. */
SsFesdOutcome ss_fesd_settle (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err);
/* What was captured flies on; the modes without it. */
SsFesdOutcome ss_fesd_release (SsFesdMarch *m, SsError *err);
/* Other modes at this instant, those of the law first. */
SsFesdOutcome ss_fesd_change_modes (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err);

/* ---- follow: elements in the present modes ----------------------------------------------------------------------- */
/* The element over that length in the present modes, started before. */
bool ss_fesd_follow_solve (SsFesdMarch *m, double h);
/* The element just solved is cut at the end of numerical time, if it reaches it: *is_cut. False: not solved. */
bool ss_fesd_follow_cut (SsFesdMarch *m, bool *is_cut);
bool ss_fesd_follow_start (SsFesdMarch *m, SsError *err, bool *is_out_of_memory);
/* The next element over at most `length` in the present modes: to the first switch, or clear. `is_solved`: the element
 * is solved over some length up to that, and a switch lies within. */
SsFesdOutcome ss_fesd_follow (SsFesdMarch *m, double length, bool is_solved, SsFesdSwitch *what);
/* An element of at most ss_fesd_shortest in the present modes, whatever signs say: taken where it misses the
 * equations by no more than rounding. What a degenerate instant needs whose modes differ in nothing that such a time
 * could show. */
SsFesdOutcome ss_fesd_follow_blindly (SsFesdMarch *m, double t_end, SsError *err);
/* The element is right: time goes on to its end (t_end where `is_last`). */
SsFesdOutcome ss_fesd_follow_accept (SsFesdMarch *m, bool is_last, double t_end, const SsFesdSwitch *what,
                                     SsError *err);
