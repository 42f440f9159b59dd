/* app/document/ssapp-document-private.h: edits of a scenario as a JSON tree, shared by the files of the document. */
#pragma once

#include <jansson.h>

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* The tree of the document's text; borrowed until the next edit. */
json_t *ssapp_document_root (SsappDocument *self);
/* The scene as read; NULL where the scenario is given by equations. Borrowed until the next edit. */
const SsScene *ssapp_document_scene (SsappDocument *self);
/* Takes over `root` (also on failure) if the reader accepts it, as one step of undo or part of the running gesture. */
gboolean ssapp_document_commit (SsappDocument *self, json_t *root, const char *label, GError **error);
/* The same; a tree that is as it was makes no step. */
gboolean ssapp_document_commit_change (SsappDocument *self, json_t *root, const char *label, GError **error);
/* As ssapp_document_commit; the entry at the path `item` is the selected one then. */
gboolean ssapp_document_commit_selecting (SsappDocument *self, json_t *root, const char *label, const char *item,
                                          GError **error);
/* The same for several: what is there of `others` is selected with the primary, all keys of the new tree. */
gboolean ssapp_document_commit_keys (SsappDocument *self, json_t *root, const char *label, const char *const *others,
                                     const char *primary, GError **error);
/* What is not there is left out. `others` NULL: none. */
void ssapp_document_set_keys (SsappDocument *self, const char *const *others, const char *primary);
/* FALSE, with this error. */
gboolean ssapp_refuse (GError **error, const char *text);
gboolean ssapp_document_require_scene (SsappDocument *self, GError **error);
/* Adds a body (taken) under a name of its own made from the stem, and selects it. */
gboolean ssapp_document_commit_body (SsappDocument *self, json_t *body, const char *stem, GError **error);
/* Sizes and places typed or drawn are rounded to a nanometre, so that 0.1 + 0.2 is written as 0.3. */
double ssapp_tidy (double value);
/* A new body of 1 m x 0.5 m weighs 2 kg, as in the examples [kg/m2]. */
#define SSAPP_NEW_DENSITY 4.0
/* What a body weighs (app/document/ssapp-document-mass.c). After a field was set in `root`: of mass and density of a
 * body the other one goes. */
void ssapp_document_settle_mass (SsappDocument *self, json_t *root, const char *path);
/* Takes a mass or density out, by letting the mass follow the size, or not. *is_mass: FALSE, the path is of something
 * else and nothing was done. */
gboolean ssapp_document_clear_mass (SsappDocument *self, const char *path, gboolean *is_mass, GError **error);
/* Mass, density or inertia that the rest of the body gives; NULL: of another field, or the file gives it. g_free. */
char *ssapp_document_derive_mass (SsappDocument *self, const char *path);
/* Area of shapes [m2], overlaps twice, and its centroid in the body's frame (may be NULL). */
double ssapp_shapes_area (const SsShape *shapes, int n_shapes, SsVec2 *centroid);
/* Two significant digits: nobody drew more. */
double ssapp_round_roughly (double value);
/* From a pose of the centre of mass to that of the file's frame. */
void ssapp_body_to_file (const SsBody *body, const double q[3], double pose[3]);
/* A few digits, as in lists: "0.5", "1e+05". Caller frees. */
char *ssapp_short_number (double value);
/* A material of the scene by its name, -1 if there is none; and that of a body, -1 where it has none. */
int ssapp_scene_find_material (const SsScene *scene, const char *name);
int ssapp_scene_material_of (const SsScene *scene, int body);
/* Whether an actuator, joint, spring, force or contact has the name. */
gboolean ssapp_scene_is_taken (const SsScene *scene, const char *name);

/* Steps of a plan, when goals come to a file that says nothing of them. */
void ssapp_document_choose_steps (SsappDocument *self, json_t *root);

/* A joint or spring between two bodies of the scene, the world (-1) first; `from` and `to` are places of the world: the
 * ends, or the place and a point in the direction of the axis. Selects it. */
gboolean ssapp_document_join (SsappDocument *self, SsappJointKind kind, int a, int b, SsVec2 from, SsVec2 to,
                              GError **error);

/* ---- pieces of scenarios (app/document/ssapp-piece.c) ---- */
/* What the bodies need: joints, springs, drives, goals, limits, contacts, materials, parameters; as a tree in the form
 * of a scenario. NULL where no body of the keys can be copied. */
json_t *ssapp_piece_take (SsappDocument *self, const char *const *keys);
/* A piece, or a whole scenario, from text; NULL with an error for people. */
json_t *ssapp_piece_parse (const char *text, GError **error);
/* Puts a copy of the piece into a tree under names of its own; adds the keys of what came to `keys` (owned texts;
 * bodies last), and pairs of bodies that a plan shall know to `candidates` (paths). */
void ssapp_piece_insert (SsappDocument *self, json_t *root, const json_t *piece, GPtrArray *keys,
                         GPtrArray *candidates);

/* ---- moving several things at once (app/document/ssapp-document-transform.c) ---- */
/* p -> L p + t: a move, a turn or a mirror along an axis. */
typedef struct {
  double l[2][2];
  SsVec2 t;           /* [m]                                                                */
  double turn;        /* of the frames of bodies [rad]                                      */
  int flip[2];        /* of a mirror: signs of a body's frame, which are those of the world */
  gboolean is_mirror; /* angles change their sign                                           */
} SsappIsometry;
SsappIsometry ssapp_isometry_move (double dx, double dy);
SsappIsometry ssapp_isometry_turn (SsVec2 centre, double angle);
/* The objects of the keys, goals and bounds among them, in one step. */
gboolean ssapp_document_transform (SsappDocument *self, const char *const *keys, const SsappIsometry *iso,
                                   const char *label, GError **error);

/* ---- entries of the scene (app/document/ssapp-document-joint.c) ---- */
/* Whether a shape of the body at its start is at most `reach` [m] from the point. */
gboolean ssapp_body_covers (const SsBody *body, SsVec2 point, double reach);
/* Whether it is drawn from one body to the other (ssapp-document-joint.c). */
gboolean ssapp_joint_has_two_ends (SsappJointKind kind);
/* Adds the entry (taken) at the end of a list of the scene and selects it. */
gboolean ssapp_document_append_entry (SsappDocument *self, const char *list_name, json_t *entry, const char *label,
                                      GError **error);

/* ---- fields of all selected objects (app/document/ssapp-document-field.c): NULL where they differ ---- */
#define SSAPP_COMMON "selection." /* before a list: that field of all its selected entries */
enum { SSAPP_SELECTED_KINDS = 11 };
typedef struct {
  const char *list, *one, *many; /* "scene.bodies", "body", "bodies" */
} SsappSelectedKind;
extern const SsappSelectedKind ssapp_selected_kinds[SSAPP_SELECTED_KINDS];
/* Paths in the file of the selected entries of a list; free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_selected (SsappDocument *self, const char *list);
gboolean ssapp_path_is_common (const char *path);
char *ssapp_document_derive_common (SsappDocument *self, const char *path); /* "several values", or NULL */

/* The mark is how the entry is drawn. */
gboolean ssapp_mark_stands_for (const SsMark *mark, const SsappItem *item);

/* The tree as text in the manner of the example files: what fits stays on one line, shortest decimals, order kept.
 * Caller frees. */
char *ssapp_tree_write (const json_t *root);
/* Value at a path such as "scene.bodies[1].position[0]"; NULL if absent. Borrowed. */
json_t *ssapp_tree_get (json_t *root, const char *path);
/* Sets it (takes `value`); objects and arrays on the way are made, arrays filled with zeros. */
gboolean ssapp_tree_set (json_t *root, const char *path, json_t *value, GError **error);
/* Whether a text within it, but that of a `type`, is a formula: a shape, its corners. NULL: none. */
gboolean ssapp_tree_has_formula (const json_t *value);
/* The list at "task.targets" and the like in a tree, made where it is missing. Borrowed. */
json_t *ssapp_tree_require_list (json_t *root, const char *section, const char *name);
/* Whether the value at a path is a list of numbers and formulas, edited as one text
 * (app/document/ssapp-document-list.c). */
gboolean ssapp_tree_is_list (const char *path);
/* What a trimmed text means at a path: a number, a formula, a list of them ("1, t_push + 0.5", "none"). `unit` as for
 * ssapp_document_set_field. NULL with an error. */
json_t *ssapp_tree_value_of (const char *path, const char *text, const char *unit, GError **error);
/* The list as such a text; NULL where a rule of the file writes an entry. Caller frees. */
char *ssapp_tree_list_text (const json_t *list);
/* As shown in an entry: number in `unit` ("deg" or ""), or the formula; NULL if absent. Caller frees. */
char *ssapp_tree_get_text (json_t *root, const char *path, const char *unit);

int ssapp_tree_find_body (json_t *root, const char *name); /* index in scene.bodies, -1 if absent */
char *ssapp_tree_unique_body_name (json_t *root, const char *stem);
/* Takes `body`. A scene that lists its contacts gets one with every other body (but not fixed with fixed). */
void ssapp_tree_add_body (json_t *root, json_t *body);
/* With everything of the file that belongs to it; `scene` is the reading of the tree. */
void ssapp_tree_remove_body (json_t *root, const SsScene *scene, const char *name);
void ssapp_tree_rename_body (json_t *root, const SsScene *scene, const char *name, const char *to);
/* The entry at a path such as "scene.joints[0]" or "scene.materials.rubber", and what refers to it. */
void ssapp_tree_remove_item (json_t *root, const char *path);
/* In formulas of the file; `to` NULL: outcomes that read the measure go. */
void ssapp_tree_rename_measure (json_t *root, const char *from, const char *to);

/* Contacts are called by their two bodies, "scene.contacts{floor,box}", whether the file lists the pair or not; paths
 * may go on behind that. FALSE if the path is none of a contact. Outputs may be NULL; `a` and `b` are the caller's. */
gboolean ssapp_tree_parse_contact (const char *path, char **a, char **b, const char **rest);
/* Whether the file gives all pairs, with or without changes of single ones. */
gboolean ssapp_tree_has_all_contacts (json_t *root);
/* The entry of the pair, made where there is none: beside "all" it changes the pair. Borrowed. */
json_t *ssapp_tree_require_contact (json_t *root, const char *a, const char *b);
/* Takes the entry of the pair out if it changes nothing any more; `scene` is the reading of the tree. */
void ssapp_tree_tidy_contact (json_t *root, const SsScene *scene, const char *a, const char *b);
#define SSAPP_MATERIALS "scene.materials"
/* With all that refers to it; `to` NULL: takes it out. */
void ssapp_tree_rename_material (json_t *root, const char *name, const char *to);

/* Of what an actuator of a joint pushes with, by the joint's kind: "N m" or "N"; "" for a joint that is not there. */
const char *ssapp_document_motor_unit (SsappDocument *self, const json_t *entry);

G_END_DECLS
