/* engine/judge/ss-motion.h: what a motion of a scene is worth, recomputed from the scene and the trajectory alone.
 *
 * Whatever made the motion (an integrator, the sandbox, a replay, a plan, a table from elsewhere), it is read by the
 * records of its channels (SsChannel: quantity and owner) and judged by geometry and dynamics only. Gaps, drift and
 * energies that a trajectory tells itself are not read. Two kinds of channels are taken at their word, since they are
 * what is judged: impulses of contacts and controls of actuators.
 *
 * Let a step lead from row 0 to row 1 in h = t1 - t0, with M, f, G (joints), phi, Jn, Jt (contacts) of the scene, and
 * let pn, pt be the impulses of a contact in row 1, sums over its points.
 *
 * Penetration      max (0, -phi (q)) of every contact at every row [m].
 * Swept overlap    the same between two rows, with poses interpolated in x, y and theta, beyond the overlap of the two
 *                  rows [m]. For a direction n let s_n be the room that two convex shapes leave each other along n; the
 *                  gap is the largest s_n. Along an interpolated motion each s_n is the least of functions that differ
 *                  from straight lines by at most c = (Ra dtheta_a^2 + Rb dtheta_b^2)/8 (Ra, Rb: what is not round
 *                  about the body's origin), so that on a part of the step no gap is below min (s_n at its ends) - c
 *                  for the normal n of either end. Parts are halved until that bound rules out a deeper overlap. So a
 *                  wall of any thickness is noticed at any speed. Overlaps below 2 c of the whole step need not be
 *                  told: interpolation itself errs by c where a body turns about a point that is not its own.
 *                  (Directions also turn with the bodies, so that faces that stay together are seen to; half-planes
 *                  that turn are not swept.) Where c is above 2 mm or a quarter of the thinner width, what turns could
 *                  pass through unseen: the step is then looked at again for overlaps of that size that are there both
 *                  with straight ways of the origins and with turns of each body about one point, as about a pivot; of
 *                  shapes that touch at an end, up to 2 c, only where they face each other with other sides then.
 * Overlap's share  of penetration and swept overlap, in the width of the thinner of both shapes: 1/2 is a shape whose
 *                  middle has reached the other's edge. Half-planes have no width; a segment, which another shape can
 *                  enter by half its width only, counts as if that were half as wide; two segments count as 1 mm thick.
 * Cone             max (|pt| - mu pn, -pn, 0) [N s]: Coulomb's cone; a contact never pulls.
 * Complementarity  |p| times the least gap that the contact has in the step [N s m]. Laws of time stepping let impulses
 *                  act on different gaps: at the start (Anitescu and Potra 1997), half a step of free motion on (Moreau
 *                  1988; Jean 1999), linearised at the start, phi (q0) + h Jn v1 (Stewart and Trinkle 1996), at the end
 *                  (the same with gap=end; springs of implicit rules). The least of these and of the gap after a whole
 *                  step of free motion counts, 0 if one is closed, so that a correct law of any kind has about 0.
 * Joint drift      largest |phi| of a joint's rows [m or rad].
 * Balance          r = v1 - v0 - M^-1 (h f + Jn' pn + Jt' pt + G' lambda) [m/s]: the change of velocity that nothing
 *                  explains; of a body sqrt (r' M r/m). Not recorded, and therefore chosen as they explain most, the
 *                  least r' M r over all of:
 *                    - how a contact's impulse is shared by its points (its moment is not recorded): each point's in
 *                      its friction cone (widened to that of the sum, if that is outside), at the ends of the part of
 *                      the touching faces that can close in the step, or anywhere between;
 *                    - where points and rows are taken: contacts at the start, half a step of free motion on, at the
 *                      end, or all three shared; joints at the start, after free motion, at the end, half way;
 *                    - impulses of joints (any), of limits that close in the step (pushing only);
 *                    - springs, dampers, formulas, actuators, each kind at the start, at the end, at the end of free
 *                      motion (as Moreau's theta rule has it), or any mean of these. Controls are those of row 0, held;
 *                      where they are what the actuator's formula says, the formula's.
 *                  Rows of integrators whose forces vary within a step leave a rest of the order of their method: see
 *                  tests/numeric/test-judge.c for what each leaves.
 * Stages           of a motion whose forces are told at nodes of a quadrature between its rows, with weights w_s [s]: r
 *                  is v1 - v0 less the sum of w_s M^-1 times all forces at the stages, each with its pose, velocity and
 *                  control, and less what the impulses of row 1 do at its pose: those of a jump, which two rows with
 *                  equal t are. Nothing is chosen but the shares of points that are equally near, the forces of closed
 *                  limits, and impulses of joints at row 1; forces of joints follow from their acceleration. Gravity
 *                  acts for t1 - t0, so that weights that miss it are seen. Cone and complementarity are those of w_s
 *                  times the force at a stage, with the gap there, and of the impulses at row 1. Works are sums over
 *                  the stages with the stages' velocities, of impulses with the mean velocity of a jump; what they
 *                  leave of the kinetic energy's change is of the order of the method and `unexplained`. In a scene
 *                  without joints a collocation method leaves rounding in r; one that steps joints by coordinates of
 *                  their own leaves the order of its method.
 * Work             the impulses of the balance times the mean of both velocities, by what gives them; the sum over all
 *                  kinds is exactly the change of the kinetic energy. (Impulses of contacts and joints count with the
 *                  relative velocity, what that leaves to steadily moving coordinates as `drives`.)
 * Given            the sum over the steps of what single contacts, joints and limits did of work above 0 in one step,
 *                  as none has energy to give. Below what their impulses do at 1e-6 m/s or rad/s it counts as none. Of
 *                  a contact not more than its impulse did on the way that the touching points of both bodies went
 *                  against each other: laws take velocities and directions at other ends of a step, so that a corner
 *                  on which a body turns seems to give and take energy without a way, by as much as the step is long.
 *
 * Joint opening    the same in what the smaller of the joined bodies measures: the diameter about its origin that holds
 *                  it, or the way from the anchor to what is farthest from it; of angles, in radians; beyond what
 *                  the first row has [-].
 *
 * Surplus          S, the energy that nothing gave (> 0) or took (< 0) since the first row [J]: the change of kinetic
 *                  and potential energy, less the work of formulas, actuators and drives (bodies with locked
 *                  coordinates that move), and less that of dampers, contacts and limits, which together only take:
 *                  where their sum is positive it counts as given by nothing. What joints take at once of first
 *                  velocities that they do not allow is an impact: as much of a loss is none.
 *                  Joints and springs are ideal: what they give or take by the rule's own error is part of the surplus,
 *                  as is the work of the residual. Rules differ in the velocity that moves the bodies; under gravity,
 *                  a constant force, that adds up to no more than h/2 times a change of velocity, which comes and
 *                  goes: ways between h v0 and h v1 are taken as explained.
 * In play          A, the largest kinetic and potential energy of a row, above the lowest potential energy of any: the
 *                  energy of a swing, of a bounce, of a spring that is let go. At least what lifts every body by a
 *                  thousandth of its radius or gives it 1e-4 m/s, below which nothing is worth a word [J].
 * Gained, lost     the part of A that came from nothing, or went there, and stayed: with H(t) what was taken for good
 *                  until t,
 *
 *                      gained = max over s <= t of (min S from t on - max S until s) / (A + H(t) - H(s)),
 *
 *                  and lost is the same of -S. H is the sum of the most that each has taken so far of dampers, contacts
 *                  and limits together, formulas, actuators, and drives; and a hundredth of all that the last three
 *                  give and take, since rows know works of what varies within a step only so well (a crank at 100 rows
 *                  a turn: 1e-4 of it). Why so:
 *                    - not of the works turned over: those of joints and gravity, which come and go, grow without end,
 *                      and in them a pendulum that doubles its energy has gained a few per cent;
 *                    - of a motion that takes nothing H is 0, and it is S at the last row over A: what comes and goes
 *                      with the steps of a rule is nothing gained;
 *                    - a motor that works against friction for hours turns over many times A. An error that is a small
 *                      part of its work in any time makes the motion wrong by that part, however long it runs; one that
 *                      comes at once is measured against what was worked meanwhile, not before or after.
 * Passage          the first overlap, at a row or between two, of which the share is above 1/2 [m]: the shapes have
 *                  passed each other, or may be pushed out on the wrong side.
 *
 * What cannot be judged is NaN: cone, complementarity and balance where no impulses are recorded (scenes with more than
 * SS_CONTACTS_WITH_CHANNELS_MAX contacts, tables without them), balance and energies without velocities. Where some
 * contacts of a scene have impulses, those without have none: a plan knows only its candidates.
 * Impulses are read from channels of impulses or, where there are none, of forces times h.
 *
 * Threads  one call at a time per trajectory; nothing is shared.
 * Cost     per step the pairs whose boxes come near each other, and for the balance those with impulses. Where no
 *          records of steps are asked for, a step is explained no better than to a residual below the largest so far
 *          and 1e-4 m/s, or a tenth of the largest: about what the steps of the simulation cost (0.2 to 2 times).
 * Tests    tests/numeric/test-judge.c, test-stages.c
 */
#pragma once

#include "core/ss-contact-rows.h"
#include "core/ss-core.h"
#include "judge/ss-metric.h"
#include "scene/ss-scenario.h"

/* A measure: its largest value, when that was, and where. */
typedef struct {
  double value; /* >= 0; NaN: could not be judged */
  double t;     /* [s]: of the row, of the end of the step, or (swept overlap) within it; NaN while value is 0 or NaN */
  int index;    /* contact, joint or body of the scene; -1 while value is 0 or NaN */
} SsMotionWorst;

/* Energy that came from nothing, or went there, in a stretch of the motion, and stayed. */
typedef struct {
  double value;    /* >= 0 [J]; NaN: could not be judged                  */
  double of;       /* the energy that it is measured against, > 0 [J]     */
  double from, to; /* [s]; NaN while value is 0 or NaN                    */
} SsMotionShare;

/* Energy that contacts, joints or limits gave. */
typedef struct {
  double sum;         /* [J]                                                     */
  SsMotionWorst most; /* of one in one step [J]: contact or joint (also of limits) */
} SsMotionGiven;

typedef enum {
  SS_WORK_GRAVITY,
  SS_WORK_SPRINGS,
  SS_WORK_DAMPERS,
  SS_WORK_FORMULAS,
  SS_WORK_ACTUATORS,
  SS_WORK_CONTACTS,
  SS_WORK_JOINTS,
  SS_WORK_LIMITS,
  SS_WORK_DRIVES,      /* what moves steadily moving coordinates against contacts and joints */
  SS_WORK_UNEXPLAINED, /* of the residual of the balance */
  SS_WORK_COUNT
} SsWork;

/* "gravity", "springs"; static text. */
const char *ss_work_name (SsWork work);

/* One row and the step that ends there; the first row has no step (zeros). NaN as above. */
typedef struct {
  double t;
  double kinetic, potential; /* [J], gravity and springs */
  double penetration, swept_overlap, cone, complementarity, joint_drift, balance;
  double work[SS_WORK_COUNT]; /* [J] */
} SsMotionStep;

typedef struct {
  SsMotionWorst penetration;           /* contact; [m]        */
  SsMotionWorst swept_overlap;         /* contact; [m]        */
  SsMotionWorst overlap_share;         /* contact; [-]        */
  SsMotionWorst cone;                  /* contact; [N s]      */
  SsMotionWorst complementarity;       /* contact; [N s m]    */
  SsMotionWorst joint_drift;           /* joint; [m or rad]   */
  SsMotionWorst joint_opening;         /* joint; [-]          */
  SsMotionWorst balance;               /* body; [m/s]         */
  SsMotionWorst passage;               /* contact; [m]; 0: none */
  double energy_initial, energy_final; /* kinetic and potential [J]; NaN without velocities or rows */
  double surplus;                      /* at the last row [J]; NaN without a balance */
  SsMotionShare gained, lost;          /* NaN without a balance */
  double in_play;                      /* [J]; NaN without a balance */
  SsMotionWorst rise, fall;            /* body that it moves most; largest change of the surplus in a step [J] */
  double work[SS_WORK_COUNT];          /* sums over the steps [J]; NaN without a balance */
  SsMotionGiven given[SS_WORK_COUNT];  /* of contacts, joints and limits; else 0. NaN without a balance */
  /* Sum of the magnitudes of all works but the unexplained, at least what is worth a word (see In play) [J]. */
  double turned_over;
  int n_rows;          /* that were judged */
  bool is_complete;    /* all rows were */
  SsMotionStep *steps; /* n_rows, owned, if asked for; else NULL */
} SsMotionVerdict;

/* Judges all rows. `control` (NULL allowed): when it asks to stop, what there is so far is the verdict, and is_complete
 * is false. `wants_steps`: a record per row. *out is for ss_motion_verdict_clear. SS_ERR_INVALID: a moving body has no
 * channels of its pose, a coordinate is not finite, or times descend; SS_ERR_MEMORY. *out is empty then. */
SS_NODISCARD SsStatus ss_motion_judge (const SsScene *scene, const SsTrajectory *trajectory, bool wants_steps,
                                       SsRunControl *control, SsMotionVerdict *out, SsError *err);
/* The same of a motion whose forces are told at stages (borrowed; channels as of SsSimResult.stages, `row` not
 * descending); NULL: ss_motion_judge. SS_ERR_INVALID also: the stages lack a channel, or a number is none. */
SS_NODISCARD SsStatus ss_motion_judge_stages (const SsScene *scene, const SsTrajectory *trajectory,
                                              const SsTrajectory *stages, bool wants_steps, SsRunControl *control,
                                              SsMotionVerdict *out, SsError *err);
void ss_motion_verdict_clear (SsMotionVerdict *verdict);

/* Rows of a motion that are judged together, where it is judged while it is made: a block's rows may be gone when the
 * next one comes. What is found does not depend on where blocks end. */
typedef struct {
  SsTrajectory *motion;       /* borrowed */
  const SsTrajectory *stages; /* borrowed; NULL: none */
  /* Borrowed; of scenes without channels per contact: the contacts with impulses in these rows; NULL: channels tell */
  SsContactRows *contacts;
  int first, end;                 /* rows of `motion` */
  int first_stage, first_contact; /* in the lists, of the first row */
  bool is_last;                   /* nothing comes after these rows */
  /* Of the first block: what contacts, dampers and limits had taken before the first row, of which contacts that were
   * pressed then give back what they hold [J]; 0: nothing. */
  double taken_before;
} SsMotionBlock;
/* All rows, in one block. */
SsMotionBlock ss_motion_block_of_all (SsTrajectory *motion, const SsTrajectory *stages);

/* The judge of ss_motion_judge_stages, given one block after another. `like` has the channels. Errors as there. */
typedef struct SsMotionJudge SsMotionJudge;
SS_NODISCARD SsStatus ss_motion_judge_new (const SsScene *scene, const SsMotionBlock *like, SsMotionJudge **out,
                                           SsError *err);
/* `control` as of ss_motion_judge: once it has asked to stop, no more is judged. */
SS_NODISCARD SsStatus ss_motion_judge_rows (SsMotionJudge *judge, const SsMotionBlock *rows, SsRunControl *control,
                                            SsError *err);
/* The verdict on all rows that were given; nothing else is asked of the judge then. */
SS_NODISCARD SsStatus ss_motion_judge_end (SsMotionJudge *judge, SsMotionVerdict *out, SsError *err);
void ss_motion_judge_free (SsMotionJudge *judge); /* NULL is allowed */

/* Sets the metrics that are the judge's: energies, penetration, swept overlap, cone violation, complementarity, joint
 * drift, balance. What was not judged, and what was judged of a part of the motion only, stays unset. */
void ss_motion_metrics (const SsMotionVerdict *verdict, SsMetricSet *set);
