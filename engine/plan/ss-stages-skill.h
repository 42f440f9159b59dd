/* engine/plan/ss-stages-skill.h: what hands can do to a body with a target, as stages. Private to the room `plan`.
 *
 * Seen from above a body goes round what is fixed, leg by leg (ss_skill_leg).
 *   PUSH   a hand goes round to a face, moves along its inner normal, or within the cone of friction towards the goal,
 *          by what is missing that way, and backs off; seen from above it steers
 *   CARRY  two hands press opposite faces, lift the body over what lies on its way (seen from above: straight there),
 *          put it down, and let go, or stay
 *   GLIDE  a hand goes to its own target
 *
 * Where a stage begins, with what pace and force, are its numbers; those of the first try follow from the scene, others
 * are drawn or corrected by what came of it.
 *
 * Threads  any. Tests: tests/numeric/test-contact-stages.c
 */
#pragma once

#include "plan/ss-stages-play.h"

typedef enum { SS_SKILL_PUSH, SS_SKILL_CARRY, SS_SKILL_GLIDE } SsSkill;

typedef struct {
  SsSkill skill;
  int target;   /* of the plan */
  int hands[2]; /* of the player, -1: none */
  int faces[2]; /* of the body, by ss_skill_faces; -1: none */
  double rank;  /* higher: more promising */
} SsSkillMove;

/* Numbers of a stage. */
typedef struct {
  SsVec2 by;      /* added to the way that the body is asked to go [m] */
  double offset;  /* of the touch along the face, from its middle, a part of its half length; grips: upwards */
  double tilt;    /* of the direction of a push [rad] */
  double pace;    /* duration of its parts, as a multiple of the shortest */
  double brisk;   /* that of a push, likewise: below 1 the body goes on by itself */
  double squeeze; /* of the force that a grip needs */
  bool stays;     /* a grip does not let go */
} SsSkillNumbers;

/* A flat or round place where a hand may touch a body, in the world. */
typedef struct {
  SsVec2 middle, normal; /* outwards */
  double half;           /* length [m] */
} SsFace;
enum { SS_FACES = 24 };

/* Faces of a body at poses q; of a round one those towards which `asked` (the way to its target) lets it be pushed are
 * first. Returns their number. */
int ss_skill_faces (const SsScene *scene, int body, const double *q, SsVec2 asked, SsFace faces[SS_FACES]);
/* What the target asks of its body at poses q: the way [m] and the turn [rad], 0 where it is free. */
void ss_skill_asked (const SsPlanTarget *target, const double *q, SsVec2 *way, double *turn);
/* What is missing of a way that was asked of the target's body, and of its turn, after it came from one pose to
 * another; along a free coordinate it may go anywhere, and a free angle had better stay. */
void ss_skill_missed (const SsPlanTarget *target, SsVec2 asked, const double from[3], const double to[3], SsVec2 *way,
                      double *turn);
/* The first leg of the way that goes round fixed bodies, where it is straight and seen from above; else the way itself.
 * *length: of the whole [m]. */
void ss_skill_leg (const SsStagePlayer *player, const SsPlanTarget *target, const double *q, SsVec2 *leg,
                   double *length, double *turn);
/* What may be done for all targets at poses q; the most promising first. Returns the number, `most` at most. */
int ss_skill_moves (const SsStagePlayer *player, const double *q, SsSkillMove *moves, int most);
/* The numbers of a first try. */
SsSkillNumbers ss_skill_nominal (const SsStagePlayer *player, const SsSkillMove *move, double pace);
/* The stage, of at most `steps` steps, if need be without what comes after the touch; false: the hand cannot get
 * there, or not in time. */
bool ss_skill_stage (const SsStagePlayer *player, const SsSkillMove *move, const SsSkillNumbers *numbers,
                     const double *q, int steps, SsStage *stage);
/* Numbers with which what was missed in way and turn after a stage that began at poses q would not have been, as far
 * as a straight push or carry tells. */
SsSkillNumbers ss_skill_correct (const SsStagePlayer *player, const SsSkillMove *move, const SsSkillNumbers *numbers,
                                 const double *q, SsVec2 missed, double turn);
/* Steps that all that is missing at poses q takes at least, about. */
double ss_skill_need (const SsStagePlayer *player, const double *q);
