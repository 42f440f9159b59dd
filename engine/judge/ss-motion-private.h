/* engine/judge/ss-motion-private.h: what the files of ss_motion_judge share (ss-motion.c: rows and verdict;
 * ss-motion-gaps.c: overlap at rows and between; ss-motion-balance.c: what explains a step; ss-motion-stages.c: what
 * explains an interval with stages; ss-motion-fit.c: the least squares in both; ss-motion-energy.c: the ledger). */
#pragma once

#include "dynamics/ss-compliance.h"
#include "dynamics/ss-dynamics.h"
#include "judge/ss-motion-law.h"
#include "linalg/ss-linalg.h"

/* ---- a row of the motion ----------------------------------------------------------------------------------------- */

typedef struct {
  double t;
  double *q, *v;   /* 3 n_bodies each */
  double *u;       /* n_actuators */
  double *impulse; /* 2 n_contacts: normal, tangential, of the step that ends here */
} SsMotionRow;

/* A node of the quadrature of an interval between two rows. */
typedef struct {
  double weight;  /* [s] */
  SsMotionRow at; /* impulse: weight times force */
} SsMotionStage;

/* What the rows hold. */
typedef struct {
  bool velocities, impulses, controls;
} SsMotionContent;

/* What is done with each row in turn: with the row before it (NULL: it is the first) and the stages between them.
 * Stages tell the forces where there are any: impulses of the row are then those of a jump. All borrowed for the
 * call. */
typedef SsStatus SsMotionVisit (void *data, const SsMotionContent *content, const SsMotionRow *before,
                                const SsMotionRow *row, const SsMotionStage *stages, int n_stages, SsError *err);
/* Reads a motion block after block, as ss_motion_judge_rows does. `like`: of the first block, its lists may be empty
 * yet. Errors as of ss_motion_judge_stages, or the first that `visit` returns. */
typedef struct SsMotionReader SsMotionReader;
SS_NODISCARD SsStatus ss_motion_reader_new (const SsScene *scene, const SsMotionBlock *like, SsMotionReader **out,
                                            SsError *err);
SS_NODISCARD SsStatus ss_motion_reader_read (SsMotionReader *reader, const SsMotionBlock *block, SsMotionVisit *visit,
                                             void *data, SsError *err);
void ss_motion_reader_free (SsMotionReader *reader); /* NULL is allowed */
/* Reads all of a motion in the same way. */
SS_NODISCARD SsStatus ss_motion_visit (const SsScene *scene, const SsTrajectory *trajectory, const SsTrajectory *stages,
                                       SsMotionVisit *visit, void *data, SsError *err);

/* ---- law: ss-motion-law-map.c ------------------------------------------------------------------------------------ */

/* Velocity of b against a at p along e, when they are at q. */
double ss_law_rate_along (const SsContact *c, SsVec2 p, SsVec2 e, const double *q, const double *v);
/* The speed at which the relaxed law parts what rolls against a resistance [m/s]. */
double ss_law_rolling_lift (const SsContact *c, const double *v);
/* The most that a contact may pull with in a step of h from the poses q: h times its cohesion if it touches there, else
 * 0 [N s]. `closed`: a gap that the law takes for closed, INFINITY: what is nearer than SS_COHESION_REACH touches. */
double ss_law_cohesion (const SsScene *scene, int contact, const double *q, double closed, double h);
/* Second derivative of a gap that the turning of arms and of its normal leaves, at most [m/s2]: round bodies turn the
 * normal by rolling over each other. */
double ss_law_turning (const SsContact *c, const SsShape *shapes[2], SsVec2 p, double slip, const double *q,
                       const double *v);
/* Fastest that a point of a body goes with v, radius being that of the bodies' circles [m/s]. */
double ss_law_fastest (const SsScene *scene, const double *radius, const double *v);
/* Whether the bodies' circles are farther apart than `way` at q, by more than rounding, along x or y; false tells
 * nothing. */
bool ss_law_is_apart (const SsContact *c, const double *radius, const double *q, double way);
/* Spring and damper of a contact in a step of h, and its damping of slip, by the law. */
typedef struct {
  double stiffness, damping, slip_damping; /* [N/m], [N s/m], [N s/m] */
  bool is_plastic;
  bool is_elastic; /* a spring along the tangent, whose stretch rows do not tell: of friction only its cone is known */
} SsLawSpring;
SsLawSpring ss_law_spring (const SsMotionLaw *law, const SsScene *scene, int contact, double h);
/* What formulas of the contact give for that gap and rate, in the place of the numbers; nothing where it has none. */
SS_NODISCARD SsStatus ss_law_comply (const SsCompliances *compliances, int contact, double phi, double rate,
                                     SsLawSpring *spring, SsError *err);

/* ---- overlap: ss-motion-gaps.c ----------------------------------------------------------------------------------- */

typedef struct SsMotionGaps SsMotionGaps;
SS_NODISCARD SsStatus ss_motion_gaps_new (const SsScene *scene, SsMotionGaps **out, SsError *err);
void ss_motion_gaps_free (SsMotionGaps *gaps); /* NULL is allowed */
/* What overlaps in a step, with contact and time. */
typedef struct {
  SsMotionWorst penetration, swept, share, passage;
} SsMotionOverlap;
/* Largest penetration at `after`, largest overlap between the two rows beyond it, the largest share of either, and the
 * earliest passage. `before` NULL: the first row. */
SS_NODISCARD SsStatus ss_motion_gaps_step (SsMotionGaps *gaps, const SsMotionRow *before, const SsMotionRow *after,
                                           SsMotionOverlap *overlap, SsError *err);
/* Impulses act at the point of the body that meets a half-plane, at the middle of the witnesses otherwise. */
SsVec2 ss_motion_place_of_impulse (const SsShape *a, const SsShape *b, const SsGap *gap);

/* ---- least squares: ss-motion-fit.c ------------------------------------------------------------------------------ */

/* A generalised impulse per unit of weight: on two bodies (-1: none), or on all coordinates where `dense` is given
 * (borrowed until the fit is solved and read). */
typedef struct {
  int body[2];
  double j[6];
  const double *dense; /* where they differ little, better as a difference from one of them that is taken away before */
  double share;        /* of the total where the search starts; all 0 in a group: all alike */
  double weight;       /* the answer */
  double d[6];         /* of the fit: j without the mean of the group */
  bool is_held;        /* of the fit: dense is its own (ss_motion_fit_hold) */
} SsFitColumn;

typedef struct SsMotionFit SsMotionFit;
/* `rows` tell which bodies joint rows touch; the masses are borrowed. */
SS_NODISCARD SsStatus ss_motion_fit_new (int n_bodies, const double *mass, const double *inverse_mass,
                                         const SsRow *rows, int n_rows, SsMotionFit **out, SsError *err);
void ss_motion_fit_free (SsMotionFit *fit); /* NULL is allowed */
/* Joint rows at another configuration, the same in number and bodies (borrowed until they are set again). */
SS_NODISCARD SsStatus ss_motion_fit_set_rows (SsMotionFit *fit, const SsRow *rows, SsError *err);
/* Starts over without columns. */
void ss_motion_fit_clear (SsMotionFit *fit);
/* The columns that follow share `total`: their weights have its sign and sum. NaN: any weights >= 0. */
SS_NODISCARD SsStatus ss_motion_fit_begin (SsMotionFit *fit, double total, SsError *err);
SS_NODISCARD SsStatus ss_motion_fit_add (SsMotionFit *fit, const SsFitColumn *column, SsError *err);
/* Columns from `first` on act with what the joint rows that are set now take of them, whatever rows are set later. */
SS_NODISCARD SsStatus ss_motion_fit_hold (SsMotionFit *fit, int first, SsError *err);
/* v, a change of velocity over `weight` [s] that forces give (3 n_bodies), plus what the joint rows that are set give
 * then: G v = -weight gdv afterwards. The impulses of the rows are ss_motion_fit_lambda. */
void ss_motion_fit_join (SsMotionFit *fit, double *v, double weight);
/* residual (3 n_bodies) minus M^-1 times what columns and joint rows give, with the weights that make it least in the
 * norm of M. Stops early where no coordinate is left with more than `floor`, and after `faces_max` guesses of which
 * weights are 0: what is left then is more than the least. */
SS_NODISCARD SsStatus ss_motion_fit_solve (SsMotionFit *fit, double *residual, double floor, int faces_max,
                                           SsError *err);
int ss_motion_fit_n_columns (const SsMotionFit *fit);
const SsFitColumn *ss_motion_fit_columns (const SsMotionFit *fit); /* in the order of adding; read after solving */
const double *ss_motion_fit_lambda (const SsMotionFit *fit);       /* impulses of the joint rows, after solving */

/* ---- balance: ss-motion-balance.c -------------------------------------------------------------------------------- */

typedef struct SsMotionBalance SsMotionBalance;
SS_NODISCARD SsStatus ss_motion_balance_new (const SsScene *scene, SsMotionContent content, SsMotionBalance **out,
                                             SsError *err);
void ss_motion_balance_free (SsMotionBalance *balance); /* NULL is allowed */
/* A rest of a step up to this need not be made smaller: it is told as it is [m/s]; 0 at first. */
void ss_motion_balance_set_enough (SsMotionBalance *balance, double enough);
SsDynamics *ss_motion_balance_dynamics (const SsMotionBalance *balance);
/* Of the step between the rows: the residual of the balance (body), the cone (contact), complementarity (contact), the
 * work by kind and what was given. What the content does not allow is NaN. */
SS_NODISCARD SsStatus ss_motion_balance_step (SsMotionBalance *balance, const SsMotionRow *before,
                                              const SsMotionRow *after, SsMotionWorst *residual, SsMotionWorst *cone,
                                              SsMotionWorst *complementarity, double work[SS_WORK_COUNT],
                                              SsMotionGiven given[SS_WORK_COUNT], SsError *err);
/* The same of the interval between two rows whose forces are told at these stages; the impulses of `after` act at its
 * poses, of a jump or at the interval's end: ss-motion-stages.c */
SS_NODISCARD SsStatus ss_motion_balance_stages (SsMotionBalance *balance, const SsMotionRow *before,
                                                const SsMotionRow *after, const SsMotionStage *stages, int n_stages,
                                                SsMotionWorst *residual, SsMotionWorst *cone,
                                                SsMotionWorst *complementarity, double work[SS_WORK_COUNT],
                                                SsMotionGiven given[SS_WORK_COUNT], SsError *err);
/* What the impulses of contacts in the last step would do on the ways of the bodies more than with the mean of both
 * velocities [J]: they work somewhere between both. 0 of an interval with stages. */
double ss_motion_balance_contact_slack (const SsMotionBalance *balance);
/* What joints take at once of velocities that they do not allow, as an impact without rebound does [J]. */
SS_NODISCARD SsStatus ss_motion_balance_start_loss (SsMotionBalance *balance, const SsMotionRow *row, double *loss,
                                                    SsError *err);

/* ---- energy: ss-motion-energy.c ---------------------------------------------------------------------------------- */

typedef struct {
  double t;
  double surplus;     /* so far [J]                                                  */
  double kept_unseen; /* of the ledger, so far [J] */
  double gone;        /* H of ss-motion.h so far [J] */
} SsMotionLedgerRow;

typedef struct {
  const SsScene *scene;       /* borrowed */
  const SsDynamics *dynamics; /* borrowed */
  bool follows_ways;          /* works follow the ways of the bodies: nothing of gravity is unseen */
  double least;               /* below which no energy is worth a word [J] */
  double first;               /* kinetic and potential energy of the first row [J] */
  double lowest, highest;     /* potential energy; kinetic and potential energy [J] */
  /* work of gravity, less what the heights say of it, where rules may differ [J] */
  double taken_unseen;     /* in steps in which something takes energy */
  double kept_unseen;      /* in the others */
  double by_rule;          /* in these, by a rule of one step that goes with the velocity before */
  bool is_without_rule;    /* kept_unseen is not what such a rule leaves: it tells nothing */
  double contacts_unseen;  /* work of contacts that the heights tell and the velocities at rows do not [J] */
  double taken_before;     /* SsMotionBlock.taken_before [J] */
  double start_loss;       /* ss_motion_balance_start_loss of the first row [J] */
  double start_used;       /* of it, what was lost */
  double worked[4];        /* so far by what takes energy, at rows [J] */
  double taken[4];         /* the same, with contacts_unseen [J] */
  double most_taken[4];    /* the most of it so far [J] */
  double gross;            /* of formulas, actuators and drives, to and fro [J] */
  SsMotionLedgerRow *rows; /* owned */
  int n_rows, capacity;
} SsMotionLedger;

void ss_motion_ledger_init (SsMotionLedger *ledger, const SsScene *scene, const SsDynamics *dynamics,
                            bool follows_ways);
void ss_motion_ledger_clear (SsMotionLedger *ledger);
/* The next row, with the works since the first, and ss_motion_balance_contact_slack; `before` NULL: it is the first.
 * *surplus: until this row [J]. */
SS_NODISCARD SsStatus ss_motion_ledger_add (SsMotionLedger *ledger, const SsMotionRow *before, const SsMotionRow *row,
                                            double kinetic, double potential, const double work[SS_WORK_COUNT],
                                            double contact_slack, double *surplus, SsError *err);
/* The largest energy in play [J]; see ss-motion.h. */
double ss_motion_ledger_in_play (const SsMotionLedger *ledger);
/* The largest share that came from nothing (sign 1) or went there (-1). */
SS_NODISCARD SsStatus ss_motion_ledger_share (const SsMotionLedger *ledger, int sign, SsMotionShare *out, SsError *err);
