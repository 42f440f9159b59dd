/* engine/scene/ss-scene-private.h: what the readers of a scene's parts share. Order: shapes and bodies, joints and
 * springs, contacts, actuators and forces; lists grow on the heap and move into the scenario's memory at the end. */
#pragma once

#include "scene/ss-scenario-private.h"

typedef struct SsSceneReader {
  SsReader *reader;
  SsScene *scene; /* being filled */

  SsBody *bodies;
  int n_bodies, body_capacity;
  int *material_of_body; /* -1: the scene's own */
  int material_capacity;
  SsNames body_names;
  /* a family of bodies stopped at a problem: unknown names may follow from that and are not reported */
  bool misses_bodies;
  int n_read; /* items of the list being read, for names that are made */
  /* of contacts, joints, springs, actuators and forces: one namespace; without those that "all" gives its contacts */
  SsNames names;
  int line_of_made_contacts; /* where the scene says "all", once its contacts are made; 0 before and without */

  SsNames material_names; /* of scene->materials */
  SsMaterialPair *pairs;
  int n_pairs, pair_capacity;

  SsJoint *joints;
  bool *joint_collides; /* the two bodies may also touch; same places */
  int n_joints, joint_capacity, collide_capacity;
  SsSpring *springs;
  int n_springs, spring_capacity;
  SsActuator *actuators;
  int n_actuators, actuator_capacity;
  SsNames actuator_names; /* while the task is read */
  bool reads_controls;    /* formulas may read u.<actuator> */
  SsForce *forces;
  int n_forces, force_capacity;
  SsMeasure *measures;
  int n_measures, measure_capacity;
  SsNote *notes;
  int n_notes, note_capacity;
} SsSceneReader;

/* ---- shapes (ss-shape-read.c) ------------------------------------------------------------------------------------ */

/* Total of shapes with unit density; where there is an area, segments weigh nothing. */
typedef struct {
  double measure; /* [m2], or the length [m] when there are only segments */
  bool is_area;
  SsVec2 centroid;
  double second_about_centroid, second_about_origin; /* measure times m2 */
} SsMatter;

bool ss_read_shape (SsReader *reader, const SsJsonAt *at, bool is_fixed, SsShape *shape);
void ss_shape_shift (SsShape *shape, SsVec2 by);
SsMatter ss_shapes_matter (const SsShape *shapes, int n_shapes);

/* ---- helpers (ss-scene-common.c) --------------------------------------------------------------------------------- */

enum { SS_WORLD = -1, SS_NO_BODY = -2 };

/* Text of a member with the counters of families filled in; `fallback` when absent or wrong. */
const char *ss_read_expanded_text (SsReader *reader, const SsJsonAt *object, const char *key, const char *fallback);
/* Body of that name, SS_WORLD for "world" where that is allowed and no body has that name, SS_NO_BODY after
 * reporting. */
int ss_scene_find_body (SsSceneReader *scene, const SsJsonAt *at, bool world);
/* The member `bodies`, two different ones; false after reporting. Only the first may be the world. */
bool ss_scene_read_two_bodies (SsSceneReader *scene, const SsJsonAt *at, const char *what, bool world, int bodies[2]);
/* Index of the name among names, -1 after reporting with the nearest one. */
int ss_scene_find_name (SsReader *reader, const SsJsonAt *at, const SsNames *names, const char *what);
/* Index of the contact that has the name "<a>-<b>" of its two bodies, except `but`; -1: none has. The contacts are in
 * the order of their bodies, as "all" makes them: they are found by their bodies, as their names are in no table. */
int ss_scene_find_contact_of_pair (const SsSceneReader *scene, const SsContact *contacts, int n, const char *name,
                                   int but);
/* Reports a name that was first used on that line. */
void ss_scene_report_taken (SsSceneReader *scene, const SsJsonAt *at, const char *what, const char *name, int line);
/* Takes a name of the scene's namespace; reports one that is taken. */
void ss_scene_claim (SsSceneReader *scene, const SsJsonAt *at, const char *what, const char *name);
/* The member `name`, checked and claimed; without it "<what><number>", the item's place in the list with families
 * written out. */
const char *ss_scene_read_name (SsSceneReader *scene, const SsJsonAt *at, const char *what);
/* A list of the scene, if there is one. */
void ss_scene_read_list (SsSceneReader *scene, const SsJsonAt *scene_at, const char *key, SsItemFunc item);
/* World coordinates at the start of a point of the body's frame, and back. */
SsVec2 ss_scene_to_world (const SsSceneReader *scene, int body, SsVec2 point);
SsVec2 ss_scene_to_body (const SsSceneReader *scene, int body, SsVec2 point);

/* ---- parts ------------------------------------------------------------------------------------------------------- */

void ss_read_joints (SsSceneReader *scene, const SsJsonAt *scene_at);    /* joints and springs                 */
void ss_read_materials (SsSceneReader *scene, const SsJsonAt *scene_at); /* before the bodies                  */
void ss_read_contacts (SsSceneReader *scene, const SsJsonAt *scene_at);  /* after the joints                   */
/* The member `compliance` of the scene or of a contact; `fallback` where there is none (ss-compliance-read.c). */
const SsCompliance *ss_read_compliance (SsSceneReader *scene, const SsJsonAt *at, const SsCompliance *fallback);
/* The named points of a body whose origin is known (ss-body-point.c). */
void ss_read_body_points (SsReader *reader, const SsJsonAt *body_at, SsBody *body);
/* What "<body>.<point>.<x|y|vx|vy>" means; false: it is no such name. *out is SS_EXPR_NONE without memory. */
bool ss_scene_point_formula (const SsSceneReader *scene, const char *name, size_t length, SsExpr *out);
/* The point of the body whose name is near; NULL: none is. */
const char *ss_scene_point_nearest (const SsBody *body, const char *wrong);
/* A formula of states, parameters and t, or a number; SS_EXPR_NONE after reporting. */
SsExpr ss_scene_read_formula (SsSceneReader *scene, const SsJsonAt *at);
/* Value at the start of the scene. */
double ss_scene_start_value (SsSceneReader *scene, SsExpr e);
/* Constraints by formula, behind the joints (ss-constraint-read.c). */
void ss_read_constraints (SsSceneReader *scene, const SsJsonAt *scene_at);
/* One more joint; `collides`: its bodies may touch. False without memory. */
bool ss_scene_add_joint (SsSceneReader *scene, const SsJoint *joint, bool collides);
void ss_read_actuators (SsSceneReader *scene, const SsJsonAt *scene_at); /* actuators and forces, with formulas */
void ss_read_sheet (SsSceneReader *scene, const SsJsonAt *scene_at);     /* measures and notes                 */
