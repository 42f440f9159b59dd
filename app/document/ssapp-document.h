/* app/document/ssapp-document.h: the scenario that is being edited: commands with undo, selection, snapping, hit
 * testing, saving. No GTK.
 *
 * The JSON text is the master and the typed scenario is its reading: every edit changes a copy of the JSON tree, writes
 * it, has the engine read it, and is taken over only if the reader accepts it; otherwise nothing changes and the error
 * carries the reader's message. Unknown fields survive. Undo keeps whole texts with a label, so that undoing everything
 * gives back the file byte for byte. Edits inside a gesture (a drag) become one step.
 * Threads: main thread only. Tests: tests/unit/test-document.c
 */
#pragma once

#include <gio/gio.h>

#include "app/document/ssapp-overlap.h"
#include "app/document/ssapp-place.h"
#include "app/document/ssapp-quantity.h"
#include "app/draw/ssapp-draw.h"
#include "scene/ss-edit.h"

G_BEGIN_DECLS

#define SSAPP_SCENARIO_SUFFIX ".stickslip.json"

#define SSAPP_TYPE_DOCUMENT (ssapp_document_get_type ())
G_DECLARE_FINAL_TYPE (SsappDocument, ssapp_document, SSAPP, DOCUMENT, GObject)

/* Signals: "loaded" () when another scenario has come, before its "changed"; "changed" () after every accepted edit,
 * undo, redo, load, save; "selection-changed" (). */

SsappDocument *ssapp_document_new (void); /* an empty sketch: gravity, no bodies, all contacts */

/* ---- files ---- */
gboolean ssapp_document_load_text (SsappDocument *self, const char *text, gssize length, const char *file_name,
                                   GError **error);
gboolean ssapp_document_load_file (SsappDocument *self, const char *path, GError **error);
gboolean ssapp_document_save (SsappDocument *self, const char *path,
                              GError **error); /* atomically; NULL = the file it came from */
/* What it is now counts as saved: it was kept elsewhere than in a file. */
void ssapp_document_mark_saved (SsappDocument *self);
/* The whole text, as it was typed, as one step "Edit source"; FALSE with an error when the reader rejects it. Also of
 * models. Its problems one by one: document/ssapp-source.h. */
gboolean ssapp_document_set_source (SsappDocument *self, const char *text, GError **error);
/* With that label; NULL: as a part of the gesture that is on. */
gboolean ssapp_document_set_source_as (SsappDocument *self, const char *text, const char *label, GError **error);
const char *
ssapp_document_get_path (SsappDocument *self); /* NULL if it has none yet                                    */
const char *
ssapp_document_get_text (SsappDocument *self); /* borrowed until the next edit                               */
const char *
ssapp_document_get_name (SsappDocument *self); /* identifier of the scenario                                 */
const char *
ssapp_document_get_title (SsappDocument *self);         /* title, else the name                                       */
gboolean ssapp_document_is_dirty (SsappDocument *self); /* differs from what was loaded or saved                      */
gboolean ssapp_document_is_scene (SsappDocument *self); /* bodies can be edited; a model can only be set by parameter */
const SsScenario *
ssapp_document_get_scenario (SsappDocument *self); /* borrowed until the next edit; never NULL          */
/* The text read once more, for a thread of its own. NULL: without memory. ss_scenario_free. */
SsScenario *ssapp_document_dup_scenario (SsappDocument *self, GError **error);

/* ---- undo ---- */
const char *ssapp_document_get_undo_label (SsappDocument *self); /* "Move box"; NULL if there is nothing to undo */
const char *ssapp_document_get_redo_label (SsappDocument *self);
/* Labels of the steps to be undone, or redone, the next one first; borrowed texts, free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_steps (SsappDocument *self, gboolean is_redo);
/* One more step, of what belongs to the sketch and is not in its text: undo and redo call `swap`, which exchanges what
 * `state` (taken, freed by `destroy`) holds with what is now. */
typedef void (*SsappStepSwap) (gpointer state);
void ssapp_document_push_step (SsappDocument *self, const char *label, SsappStepSwap swap, gpointer state,
                               GDestroyNotify destroy);
void ssapp_document_undo (SsappDocument *self);
/* Goes so many steps at once: back if below 0, as far as there are steps. */
void ssapp_document_go (SsappDocument *self, int n_steps);
void ssapp_document_redo (SsappDocument *self);
void ssapp_document_begin_gesture (SsappDocument *self, const char *label); /* edits until end are one step     */
void ssapp_document_end_gesture (SsappDocument *self);
void ssapp_document_cancel_gesture (SsappDocument *self); /* everything as before begin                         */
/* A number: edits that are one step of undo have the same one, others and another scenario another. */
guint ssapp_document_get_step (SsappDocument *self);
/* Ends a gesture whose edits were all made, cancels it else; returns `done`. */
gboolean ssapp_document_finish_gesture (SsappDocument *self, gboolean done);

/* ---- selection: one body by name, or one other entry by its path in the file: "task.targets[0]", "scene.joints[2]",
 * "scene.materials.rubber", or, of a contact, "scene.contacts{floor,box}" ---- */
const char *ssapp_document_get_selected (SsappDocument *self);           /* a body; NULL if none                */
int ssapp_document_get_selected_index (SsappDocument *self);             /* among the scene's bodies; -1        */
const char *ssapp_document_get_selected_item (SsappDocument *self);      /* another entry; NULL if none         */
void ssapp_document_select_item (SsappDocument *self, const char *path); /* or a body; NULL, unknown: nothing   */
void ssapp_document_select (SsappDocument *self, const char *name);      /* NULL or unknown name: nothing       */
void ssapp_document_select_next (SsappDocument *self, int direction);    /* cycles through the bodies           */

/* ---- several objects (app/document/ssapp-document-selection.c) ----
 * The selection is a set of keys: a key is the name of a body or the path of another entry, as above. One of them, the
 * last chosen, is the primary: what get_selected or get_selected_item return, and what the commands for one object
 * act on. select, select_item and select_next make it the only one. */
gboolean ssapp_key_is_item (const char *key); /* a path, not the name of a body */
/* All keys, the primary last, NULL behind it; `n` may be NULL. Borrowed until the selection changes or is asked for. */
const char *const *ssapp_document_get_selection (SsappDocument *self, int *n);
int ssapp_document_count_selected (SsappDocument *self);
gboolean ssapp_document_is_selected (SsappDocument *self, const char *key);
/* The last of the keys is the primary; NULL ends them, unknown ones are left out. */
void ssapp_document_set_selection (SsappDocument *self, const char *const *keys);
/* Adds the key as the primary, or takes it out. */
void ssapp_document_toggle_selected (SsappDocument *self, const char *key);
/* What has a place of its own: bodies, joints, springs, goals. */
void ssapp_document_select_all (SsappDocument *self);
/* The same, as far as it lies wholly within xmin, ymin, xmax, ymax [m]; what has no end never does. `adds`: to what is
 * selected. */
void ssapp_document_select_within (SsappDocument *self, const double box[4], gboolean adds);
/* "box, disc and pin1", "12 objects"; the caller frees. */
char *ssapp_document_describe_selection (SsappDocument *self);
/* The drawn marks of a key, in drawing order: of a body's other shapes too. Free with g_ptr_array_unref; the marks are
 * borrowed until the next edit. */
GPtrArray *ssapp_document_list_marks (SsappDocument *self, const char *key);
/* Whether something of the key can be moved by hand: a body that no family writes, a goal, a joint, a spring. */
gboolean ssapp_document_is_movable (SsappDocument *self, const char *key);
/* Of marks that have an end: xmin, ymin, xmax, ymax [m]. FALSE if it has none. */
gboolean ssapp_mark_bounds (const SsMark *mark, double box[4]);

/* ---- commands for the whole selection: one undo step each ("Move box, disc and pin1") ----
 * Bodies, goals, joints and springs move; joints and springs between two selected bodies come along. What nothing moves
 * (contacts, materials) stays. FALSE with an error where nothing can be moved or the reader refuses. */
gboolean ssapp_document_move_selection (SsappDocument *self, double dx, double dy, GError **error); /* [m] */
/* Counter-clockwise [rad] about `centre`; NULL: the middle of the selection's bounds. */
gboolean ssapp_document_turn_selection (SsappDocument *self, double angle, const SsVec2 *centre, GError **error);
/* Left and right change places, or up and down, about the middle: shapes, angles, velocities, joints, and what drives
 * the bodies. Formulas of controls change their sign, the states in them stay as they are written. */
gboolean ssapp_document_mirror_selection (SsappDocument *self, gboolean is_horizontal, GError **error);
/* Bodies alone, by their bounds: "left", "right", "top" and "bottom" edges on that of the outermost, "centre" and
 * "middle" on that of all. FALSE with fewer than two. */
gboolean ssapp_document_align_selection (SsappDocument *self, const char *how, GError **error);
/* Bodies alone: the same gap between neighbours, the outermost two stay. FALSE with fewer than three. */
gboolean ssapp_document_distribute_selection (SsappDocument *self, gboolean is_horizontal, GError **error);
/* Bodies with all that belongs to them; contacts are turned off. */
gboolean ssapp_document_delete_selection (SsappDocument *self, GError **error);
/* The selected bodies as text: a piece of a scenario with all that belongs to them alone (joints among them and to the
 * world, goals, limits, drives, materials, parameters that their formulas need). Caller frees; NULL with an error. */
char *ssapp_document_copy_selection (SsappDocument *self, GError **error);
/* Such a text, or that of a whole scenario: new names where they are taken, moved by (dx, dy) [m] as often as something
 * is there already. What came is selected. */
gboolean ssapp_document_paste (SsappDocument *self, const char *text, double dx, double dy, GError **error);
/* The same beside itself. */
gboolean ssapp_document_duplicate_selection (SsappDocument *self, double dx, double dy, GError **error);
/* n in all, each moved by (dx, dy) [m] and turned by `angle` [rad] from the one before about `centre`; NULL: the middle
 * of the selection. */
gboolean ssapp_document_array_selection (SsappDocument *self, int n, double dx, double dy, double angle,
                                         const SsVec2 *centre, GError **error);
/* The middle of its bounds; of half-planes alone the first one's position. */
SsVec2 ssapp_document_get_selection_centre (SsappDocument *self);
/* xmin, ymin, xmax, ymax [m] of what can be moved and has an end; FALSE if there is nothing. */
gboolean ssapp_document_get_selection_bounds (SsappDocument *self, double box[4]);

/* ---- edits: FALSE with an error when the reader rejects the result ---- */
gboolean ssapp_document_add_box (SsappDocument *self, SsVec2 corner_a, SsVec2 corner_b, GError **error);
gboolean ssapp_document_add_disc (SsappDocument *self, SsVec2 centre, double radius, GError **error);
gboolean ssapp_document_add_ground (SsappDocument *self, SsVec2 from, SsVec2 to,
                                    GError **error); /* matter below from -> to */
/* With the joints, springs, actuators, forces, targets and bounds that belong to it. */
gboolean ssapp_document_delete (SsappDocument *self, const char *body, GError **error);
/* Everywhere in the file where names of bodies or their states stand. */
gboolean ssapp_document_rename (SsappDocument *self, const char *body, const char *name, GError **error);
/* A field by its path in the file, such as "scene.bodies[1].mass" or "parameters.mu.value". `text` is a number, a
 * number with a unit ("30deg", "5cm") or a formula; `unit` is what a bare number means ("" = SI, "deg"). At
 * "task.breaks" it is a list of them: "1, t_push + 0.5", or "none"; at "task.worlds" names with ranges: "mu 0.2, 0.4;
 * box.mass 1, 1.5; feedback lqr". Missing objects and arrays on the way are made. */
gboolean ssapp_document_set_field (SsappDocument *self, const char *path, const char *text, const char *unit,
                                   GError **error);
/* Title ("title"), name ("name") of the scenario: any text is taken as it is. */
gboolean ssapp_document_set_text (SsappDocument *self, const char *path, const char *text, GError **error);
/* Whether paths in the file of that scenario mean the same here: the same name, bodies and number of actuators. */
gboolean ssapp_document_has_parts_of (SsappDocument *self, const SsScenario *other);
/* Fields of the file, all at once (scene/ss-edit.h), as one step. */
gboolean ssapp_document_apply_edits (SsappDocument *self, const SsEdit *edits, int n_edits, const char *label,
                                     GError **error);
/* Takes an optional field out; a coordinate of a list becomes null, which means free. */
gboolean ssapp_document_clear_field (SsappDocument *self, const char *path, GError **error);
char *ssapp_path_name (const char *path); /* what a step of undo calls it: "mass", or a parameter's name; g_free */
char *ssapp_document_get_field (SsappDocument *self, const char *path,
                                const char *unit); /* as shown in an entry; NULL if absent */
/* What an optional field is while the file does not say it, where that follows from the rest (the inertia of a body,
 * the friction of a contact), as text; NULL for other fields. Caller frees. */
char *ssapp_document_get_derived (SsappDocument *self, const char *path);
gboolean ssapp_document_has_field (SsappDocument *self, const char *path);
gboolean ssapp_document_field_is_formula (SsappDocument *self, const char *path);
typedef struct {
  double low, high, step; /* step: a round number near a two-hundredth, or 1 of whole numbers */
} SsappRange;
/* What a slider of the parameter at "parameters.NAME.value" goes over. Ends that the file leaves open are suggested
 * (ssapp_parameter_range), or stay what `range` has where the value is within: they hold still while it is dragged.
 * FALSE: the value is a formula, or no parameter. */
gboolean ssapp_document_get_range (SsappDocument *self, const char *path, SsappRange *range);

/* ---- bodies as the file has them (app/document/ssapp-document-body.c) ---- */
/* "scene.bodies[2]"; NULL for a body that a family of the file writes: it cannot be edited by itself. Caller frees. */
char *ssapp_document_body_path (SsappDocument *self, int index);
/* x, y [m] and angle [rad] as the file says them: of the body's frame, which need not be at the centre of mass. */
void ssapp_document_get_pose (SsappDocument *self, int index, double pose[3]);
/* Places a body ("scene.bodies[2]") or a target ("task.targets[0]"); what does not change keeps its formula. */
gboolean ssapp_document_set_pose (SsappDocument *self, const char *path, const double pose[3], GError **error);
/* The same, with every digit of the pose: a gap of zero stays one. */
gboolean ssapp_document_set_pose_exactly (SsappDocument *self, const char *path, const double pose[3], GError **error);
/* `pose` becomes `from` turned to `angle` about the centre of mass of the body or target at the path. */
void ssapp_document_turn_pose (SsappDocument *self, const char *path, const double from[3], double angle,
                               double pose[3]);
gboolean ssapp_document_set_fixed (SsappDocument *self, int index, gboolean is_fixed, GError **error);
gboolean ssapp_document_set_lock (SsappDocument *self, int index, int axis, gboolean is_locked, GError **error);

/* ---- shapes (app/document/ssapp-document-shape.c) ---- */
typedef enum {
  SSAPP_SHAPE_BOX,     /* points: two corners                                      */
  SSAPP_SHAPE_DISC,    /* the centre, a point of the rim                           */
  SSAPP_SHAPE_CAPSULE, /* the ends of its middle line                              */
  SSAPP_SHAPE_POLYGON, /* corners in either direction; concave ones become several */
  SSAPP_SHAPE_SEGMENT, /* the ends; a new body of it is fixed                      */
} SsappShapeKind;
/* A new body of that shape, which is selected then; or one more shape of the body of that name, whose mass, if it fills
 * the shapes evenly, becomes the density that it is. Points of the world [m]; where two lie together the shape has a
 * default size. */
gboolean ssapp_document_draw_shape (SsappDocument *self, SsappShapeKind kind, const SsVec2 *points, int n_points,
                                    const char *body, GError **error);
/* The same in its default size about a point. */
gboolean ssapp_document_place_shape (SsappDocument *self, SsappShapeKind kind, SsVec2 at, const char *body,
                                     GError **error);
/* What a new capsule of that length gets [m]: as thick as the last one of the sketch. */
double ssapp_document_capsule_radius (SsappDocument *self, double length);
/* "scene.bodies[1].shape" or "….shapes[2]"; NULL for a body of a family. "Capsule", "Shape 2: Capsule". Callers free.
 */
char *ssapp_document_shape_path (SsappDocument *self, int index, int shape);
char *ssapp_document_name_shape (SsappDocument *self, int index, int shape);
/* Not the last one of the body. */
gboolean ssapp_document_remove_shape (SsappDocument *self, const char *path, GError **error);
/* A corner halfway to the next one behind that at "….vertices[2]"; takes that one out (three stay). The whole list is a
 * field of its own: "0, 0; 1, 0; 0, 1" at "….vertices". */
gboolean ssapp_document_add_corner (SsappDocument *self, const char *path, GError **error);
gboolean ssapp_document_remove_corner (SsappDocument *self, const char *path, GError **error);
/* Whether the mass of a body follows its size, by a density, or stays as it is given; what it is now stays. Refused
 * where a density would move the centre of mass. */
gboolean ssapp_document_set_mass_follows (SsappDocument *self, int index, gboolean follows, GError **error);
/* Mass, inertia and centre of mass of a body in words; NULL for a fixed one. Caller frees. */
char *ssapp_document_describe_mass (SsappDocument *self, int index);
/* ---- the knife (app/document/ssapp-document-cut.c, geometry: scene/ss-cut.h) ----
 * Cuts each body (`body` NULL), or that one, along the stroke [m] where it crosses it whole, as one step; the pieces
 * are selected. The largest keeps the name and what formulas say of it, the others get names of their own ("box-2").
 * *told (may be NULL): what became of it in sentences; g_free. FALSE where nothing is cut: the error says why. */
gboolean ssapp_document_cut (SsappDocument *self, SsVec2 from, SsVec2 to, const char *body, char **told,
                             GError **error);
/* The selected body alone, upright or level through the middle of its bounds. */
gboolean ssapp_document_cut_in_two (SsappDocument *self, gboolean is_upright, char **told, GError **error);
/* What such a stroke would do: "cuts box, ball", "ends inside box", "crosses no body"; g_free. */
char *ssapp_document_describe_cut (SsappDocument *self, SsVec2 from, SsVec2 to);

/* ---- exact placement (app/document/ssapp-document-place.c, rules: app/document/ssapp-place.h) ---- */
/* Where the body or target at a path, dragged from pose `from` to `want`, goes; the snap's q becomes a pose as the file
 * says it. FALSE if there is nothing at the path. */
gboolean ssapp_document_snap_pose (SsappDocument *self, const char *path, const double from[3], const double want[3],
                                   const SsappSnapRules *rules, SsappSnap *snap);
/* Places the body of that name on what is below, or on `on` ("": what is below): gap zero. */
gboolean ssapp_document_rest_on (SsappDocument *self, const char *body, const char *on, GError **error);
/* Turns and moves it so that one of its edges lies on one of `with` ("": the nearest body), or it is tangent to it. */
gboolean ssapp_document_flush_with (SsappDocument *self, const char *body, const char *with, GError **error);
/* Closes the last nanometre between a body that was drawn touching another and that one. */
gboolean ssapp_document_settle (SsappDocument *self, const char *body, const char *other, GError **error);
/* Bodies that overlap at t = 0 and may collide, deepest first, at most 100; empty for a model. Borrowed until the next
 * edit. */
const GArray *ssapp_document_get_overlaps (SsappDocument *self);
/* Moves bodies apart, the selected one first, as one step. */
gboolean ssapp_document_separate (SsappDocument *self, GError **error);
/* "2 overlaps", "No overlaps"; of one overlap: "box and floor overlap by 3.2 mm". Caller frees. */
char *ssapp_document_describe_overlaps (SsappDocument *self);
char *ssapp_document_describe_overlap (SsappDocument *self, const SsappOverlap *overlap);

/* ---- which two bodies a joint joins (app/document/ssapp-document-pairs.c) ---- */
typedef struct {
  char *a, *b; /* as the file says them: "world" for the world */
  char *text;  /* "box and arm", "box and the world"           */
  gboolean is_chosen;
} SsappPair;
/* What the joint or spring at a path could join where it is: the topmost bodies first; free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_pairs (SsappDocument *self, const char *path);
gboolean ssapp_document_choose_pair (SsappDocument *self, const char *path, const char *a, const char *b,
                                     GError **error);

/* ---- other entries of the file ---- */
typedef struct {
  char *path;         /* "scene.joints[0]"                                                      */
  char *name;         /* given, or as the engine calls it; of a target and of bounds: the body   */
  char *kind;         /* "pin", "spring", "force", "torque", "goal", ...                         */
  char *detail;       /* "floor – arm", "±20 N", "x 1.20 m"                                      */
  gboolean is_family; /* written many times by the file; can be deleted, but not edited    */
} SsappItem;
/* Entries of a list such as "scene.joints", or the materials of "scene.materials"; free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_items (SsappDocument *self, const char *list);
/* The entry at a path; NULL if there is none. */
SsappItem *ssapp_document_get_item (SsappDocument *self, const char *path);
void ssapp_item_free (SsappItem *item);
gboolean ssapp_document_remove_item (SsappDocument *self, const char *path, GError **error);

/* Numbers of an entry or of a shape ("scene.bodies[1].shape"), for a list of rows
 * (app/document/ssapp-document-fields.c). */
typedef struct {
  char *title, *path;
  const char *unit, *fallback; /* "deg"; shown where the file says nothing and nothing is derived: "free" */
  gboolean is_optional;        /* may be cleared                                   */
  gboolean is_formula;         /* needs room                                       */
  gboolean is_row;             /* of a list: may be taken out, ssapp_document_remove_row */
  /* Values and what people read for them, in turns, ended by NULL: the field is one of these; "" is that the file says
   * nothing. NULL: it is a number or formula */
  const char *const *choices;
} SsappField;
void ssapp_field_free (SsappField *field);                                     /* with its title and path */
GPtrArray *ssapp_document_list_fields (SsappDocument *self, const char *path); /* free with g_ptr_array_unref */

/* ---- what selected objects have in common (app/document/ssapp-document-common.c) ---- */
typedef struct {
  char *title;         /* "3 bodies"                                                                      */
  gboolean are_bodies; /* which have holds and a material, too                                            */
  guint n_by_rule;     /* of these, bodies that a rule of the file writes: they are not edited one by one  */
  GPtrArray *fields;   /* of SsappField; a path such as "selection.scene.bodies.mass" sets them all at once */
} SsappCommonGroup;
/* By kinds of objects; free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_common (SsappDocument *self);
/* Whether all selected bodies are fixed; locked in x, y, theta. */
void ssapp_document_get_common_holds (SsappDocument *self, gboolean holds[4]);
/* Of all selected bodies; NULL: none, or `is_mixed`. Caller frees. */
char *ssapp_document_get_common_material (SsappDocument *self, gboolean *is_mixed);
/* hold: 0 fixed, 1 to 3 the locks. */
gboolean ssapp_document_set_selected_hold (SsappDocument *self, int hold, gboolean is_on, GError **error);
gboolean ssapp_document_set_selected_material (SsappDocument *self, const char *name, GError **error);
/* Value of a field with choices ("" takes it out; "true" and "false" are written as such), and setting it. Caller
 * frees. */
char *ssapp_document_get_choice (SsappDocument *self, const char *path);
gboolean ssapp_document_set_choice (SsappDocument *self, const char *path, const char *value, GError **error);

/* ---- formulas: forces, constraints and costs of a plan, free time (app/document/ssapp-document-formula.c) ---- */
/* A force of formulas on the body, 0 at first; selects it. */
gboolean ssapp_document_add_force (SsappDocument *self, const char *body, GError **error);
/* A constraint of the scene on the body (NULL: on the first that moves): it stays at its height or above; selects
 * it. */
gboolean ssapp_document_add_law (SsappDocument *self, const char *body, GError **error);
/* A row that shall not be negative, of the body (NULL: of the first that moves); selects it. */
gboolean ssapp_document_add_constraint (SsappDocument *self, const char *body, GError **error);
/* One more row of the constraint at a path: "zero" or "nonnegative". */
gboolean ssapp_document_add_row (SsappDocument *self, const char *path, const char *kind, GError **error);
/* Takes the row at "task.constraints[0].zero[1]" out; with the last one the constraint goes. */
gboolean ssapp_document_remove_row (SsappDocument *self, const char *path, GError **error);
/* A running cost of the body's speed; selects it. */
gboolean ssapp_document_add_cost (SsappDocument *self, const char *body, GError **error);
/* The horizon is free between half and twice of what it is; or as long as it is. */
gboolean ssapp_document_set_time_free (SsappDocument *self, gboolean is_free, GError **error);
/* A parameter of value 1 of that name, or, where it is empty, of one of its own ("p1"). */
gboolean ssapp_document_add_parameter (SsappDocument *self, const char *name, GError **error);
/* Not one that formulas read. */
gboolean ssapp_document_remove_parameter (SsappDocument *self, const char *name, GError **error);
/* What formulas at the path may use, a line each: "States: box.x, ...". Caller frees. */
char *ssapp_document_describe_names (SsappDocument *self, const char *path);

/* ---- contacts and materials (app/document/ssapp-document-contact.c) ---- */
/* Fields of a contact are set below its path ("scene.contacts{floor,box}.friction") whether the file lists the pair or
 * gives it by "all"; the entry that this needs is written, and goes when nothing of it is left. `contact`: among those
 * of the scene. Caller frees. */
char *ssapp_document_contact_path (SsappDocument *self, int contact);
/* Among the scene's contacts; -1 if it is turned off. */
int ssapp_document_find_contact (SsappDocument *self, const char *path);
/* Paths of the pairs that the file turns off; free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_contacts_off (SsappDocument *self);
/* Off: the two bodies pass through one another, in simulations and plans. */
gboolean ssapp_document_set_contact_on (SsappDocument *self, const char *path, gboolean is_on, GError **error);
/* Whether plans know the contact. */
gboolean ssapp_document_is_candidate (SsappDocument *self, const char *path);
gboolean ssapp_document_set_candidate (SsappDocument *self, const char *path, gboolean is_candidate, GError **error);
/* Names in the order of the file; free with g_strfreev. */
char **ssapp_document_list_materials (SsappDocument *self);
/* Name of a body's material; NULL if it has none. Caller frees. */
char *ssapp_document_get_material (SsappDocument *self, int body);
/* `name` NULL: none. */
gboolean ssapp_document_set_material (SsappDocument *self, int body, const char *name, GError **error);
/* A material with the scene's values under a name of its own, given to a body (-1: to none); selects it. */
gboolean ssapp_document_add_material (SsappDocument *self, int body, GError **error);
gboolean ssapp_document_rename_material (SsappDocument *self, const char *name, const char *to, GError **error);

/* ---- joints and springs (app/document/ssapp-document-joint.c) ---- */
typedef enum {
  SSAPP_JOINT_PIN,
  SSAPP_JOINT_SLIDER,
  SSAPP_JOINT_ROD,
  SSAPP_JOINT_SPRING,
  SSAPP_JOINT_WELD,
  SSAPP_JOINT_TORSION, /* a spring that turns the bodies against one another */
  SSAPP_JOINT_GEAR,    /* or a belt, where the bodies are apart */
  SSAPP_JOINT_ROPE
} SsappJointKind;
/* Joins the two topmost bodies under `from` (PIN, WELD, TORSION, SLIDER with its axis towards `to`), or those under
 * `from` and `to` (ROD, SPRING, ROPE, GEAR); the world where there is none. `reach` [m]: how far beside a body still
 * counts. Selects the new entry. */
gboolean ssapp_document_add_joint (SsappDocument *self, SsappJointKind kind, SsVec2 from, SsVec2 to, double reach,
                                   GError **error);
/* Joins two selected bodies, or one with the world (app/document/ssapp-document-join.c): at `at` [m], or, where that
 * is NULL, at a sensible place: where two bodies are nearest to one another, at the middle of one; rods, ropes and
 * springs between the middles, or to a point of the world above; gears between two bodies. Selects the joint. */
gboolean ssapp_document_join_selection (SsappDocument *self, SsappJointKind kind, const SsVec2 *at, GError **error);
/* "pin", "slider", "rod", "spring", "weld", "torsion", "gear", "rope"; FALSE if it is none of them. */
gboolean ssapp_joint_kind_from_name (const char *name, SsappJointKind *kind);

/* ---- measures and notes (app/document/ssapp-document-sheet.c) ---- */
/* The feature of the sketch (scene/ss-measure.h) that is nearest to a point: a named point, corner or centre at most
 * `reach` [m] away, else an edge, else the body there, else the point of the world. g_free. */
char *ssapp_document_feature_at (SsappDocument *self, SsVec2 at, double reach);
/* Between the features at two points: two edges have an angle, all else a distance. Selects it. */
gboolean ssapp_document_add_measure (SsappDocument *self, SsVec2 from, SsVec2 to, double reach, GError **error);
/* Of the two selected bodies, or the world and one. Selects it. */
gboolean ssapp_document_measure_selection (SsappDocument *self, gboolean is_angle, GError **error);
/* Selects it. */
gboolean ssapp_document_add_note (SsappDocument *self, SsVec2 at, const char *text, GError **error);

/* ---- handles (app/document/ssapp-document-resize.c) ---- */
/* A body of one shape that has an end and is not turned in its frame. */
gboolean ssapp_document_is_resizable (SsappDocument *self, int index);
/* Its frame pulled by `pull` [m, world] at the handle on the sides -1, 0 or 1 along x and y of its frame; what is
 * opposite stays. A mass that is given stays, too; what a density gives follows. */
gboolean ssapp_document_resize (SsappDocument *self, int index, int side_x, int side_y, SsVec2 pull,
                                gboolean keeps_proportions, GError **error);
/* Rods and springs: their first (0) or second (1) end comes to a place of the world; what is drawn is the rod's length
 * and, where the file says nothing, the spring's rest. */
gboolean ssapp_document_has_ends (SsappDocument *self, const char *path);
gboolean ssapp_document_move_end (SsappDocument *self, const char *path, int end, SsVec2 to, GError **error);

/* ---- motors: what drives a pin or slider, at paths such as "scene.joints[0]" (app/document/ssapp-document-motor.c)
 * ---- */
typedef enum {
  SSAPP_MOTOR_NONE,
  SSAPP_MOTOR_CONTROL, /* a torque or force for an optimiser; 0 in simulations       */
  SSAPP_MOTOR_SPEED,   /* d (speed - rate): keeps a speed                            */
  SSAPP_MOTOR_PLACE,   /* k (angle or place - there) - d rate: goes there and stays  */
  SSAPP_MOTOR_FORMULA  /* another formula of the file                                */
} SsappMotorLaw;
/* A control on the pin or slider. */
gboolean ssapp_document_add_motor (SsappDocument *self, const char *path, GError **error);
/* "scene.actuators[1]"; NULL: it has none. Caller frees. */
char *ssapp_document_find_motor (SsappDocument *self, const char *path);
SsappMotorLaw ssapp_document_get_motor_law (SsappDocument *self, const char *path);
/* Writes the law as the formula of the actuator, made where there is none, with gains of its own among the parameters
 * ("d_motor", "speed_motor"); a body in it whose name formulas cannot read ("box-2") gets one that they can ("box_2").
 * NONE takes actuator and gains away. FORMULA is none to set. */
gboolean ssapp_document_set_motor_law (SsappDocument *self, const char *path, SsappMotorLaw law, GError **error);
/* The parameters of its law, as rows; free with g_ptr_array_unref. */
GPtrArray *ssapp_document_list_motor_fields (SsappDocument *self, const char *path);

/* ---- task: what an optimiser shall reach (app/document/ssapp-document-task.c) ---- */
/* Path of the body's entry in a list ("task.targets", "task.bounds"); NULL if it has none of its own. Caller frees. */
char *ssapp_document_find_entry (SsappDocument *self, const char *list, const char *body);
/* A goal where the body is, to be moved from there; at rest, exactly; selects it. */
gboolean ssapp_document_add_target (SsappDocument *self, const char *body, GError **error);
/* Goals where a motion of the sketch ends, to be reached in the time that it took once it moved: of the bodies that it
 * moved, but of those that actuators drive only where nothing else moved. At rest where it ends so. FALSE with an error
 * where nothing moved. */
gboolean ssapp_document_add_end_targets (SsappDocument *self, const SsTrajectory *motion, GError **error);
/* Where the target at a path places its body; what is free is as at the start. FALSE if there is no such target. */
gboolean ssapp_document_get_target_pose (SsappDocument *self, const char *path, double pose[3]);
typedef enum { SSAPP_ACTUATOR_FORCE_X, SSAPP_ACTUATOR_FORCE_Y, SSAPP_ACTUATOR_TORQUE } SsappActuatorKind;
gboolean ssapp_document_add_actuator (SsappDocument *self, const char *body, SsappActuatorKind kind, GError **error);
/* Bounds of the body's place over the whole horizon, all free at first. */
gboolean ssapp_document_add_bounds (SsappDocument *self, const char *body, GError **error);
/* The problem in a few lines for people, with what is missing. Caller frees. */
char *ssapp_document_describe_task (SsappDocument *self);

/* ---- picture ---- */
const SsMark *ssapp_document_get_marks (SsappDocument *self,
                                        int *n_marks); /* at t = 0; borrowed until the next edit          */
void ssapp_document_get_bounds (SsappDocument *self,
                                double bounds[4]); /* something sensible also when empty              */
const char *ssapp_document_hit (SsappDocument *self, const SsappCamera *camera, double x, double y, double tolerance);
/* The selected body's or target's mark, for handles; NULL if none. */
const SsMark *ssapp_document_get_selected_mark (SsappDocument *self);
/* Path of the target or other entry under the point; NULL if none. Bodies lie above: ask ssapp_document_hit first.
 * Caller frees. */
/* Path of the entry that a mark stands for, a goal's too; NULL if none. Caller frees. */
char *ssapp_document_find_mark_item (SsappDocument *self, const SsMark *mark);
char *ssapp_document_hit_item (SsappDocument *self, const SsappCamera *camera, double x, double y, double tolerance);
/* A sentence for people who do not see the canvas: "2 bodies, box selected". Caller frees. */
char *ssapp_document_describe (SsappDocument *self);

/* ---- helpers without a document ---- */
double ssapp_snap (double value, double step);

G_END_DECLS
