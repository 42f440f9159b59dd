/* app/document/ssapp-document-cut.c: the knife: bodies cut along a stroke (engine/scene/ss-cut.h), as they stand in the
 * file.
 *
 * Frames   each piece keeps the frame of the body that was cut: its position, its angle and all points of the frame
 *          (anchors, named points) stay what they are, and what was whole stays as the file wrote it.
 * Names    the largest piece keeps the name, and so formulas, goals, limits and forces; joints, springs, actuators at
 *          an anchor and measures go to the piece that holds their place. Other pieces get the contacts of the body.
 * Mass     a density stays; a mass is shared by area and fills each piece evenly, an inertia follows from that.
 * Motion   the centre of a piece moves as that point of the body did: v + omega x r.
 * Tests: tests/unit/test-document-cut.c */
#include "app/document/ssapp-document-private.h"

#include "scene/ss-cut.h"
#include "scene/ss-measure.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* [m] Of two pieces this near to a place the larger one has it; features this near to one another are one. */
#define SAME 1e-9
/* Numbers of pieces keep this many decimals [m]: less than any gap, more than what rounding leaves. */
#define DECIMALS 1e12

typedef struct {
  SsappDocument *document;
  const SsBody *body; /* as it was read */
  SsCut cut;
  GPtrArray *names; /* of the pieces; owned texts */
  json_t *root;     /* that is changed */
  GString *told;
} Knife;

static const char *
name_of (const Knife *knife, int piece)
{
  return g_ptr_array_index (knife->names, (guint)piece);
}

/* One more sentence, behind a space. */
static void G_GNUC_PRINTF (2, 3) tell (const Knife *knife, const char *format, ...)
{
  va_list arguments;

  if (knife->told->len > 0)
    g_string_append_c (knife->told, ' ');
  va_start (arguments, format);
  g_string_append_vprintf (knife->told, format, arguments);
  va_end (arguments);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static json_t *
number (double value)
{
  return json_real (rint (value * DECIMALS) / DECIMALS + 0.0);
}

/* A point of the body's frame in the file's. */
static json_t *
place (const SsBody *body, SsVec2 p)
{
  return json_pack ("[o, o]", number (p.x - body->origin.x), number (p.y - body->origin.y));
}

static json_t *
shape_of (const Knife *knife, const json_t *body, const SsCutShape *part)
{
  json_t *list = json_object_get (body, "shapes"), *corners;
  const SsShape *cut = &part->shape;

  if (part->is_whole)
    return json_deep_copy (list != NULL ? json_array_get (list, (size_t)part->source)
                                        : json_object_get (body, "shape"));
  if (cut->kind == SS_SHAPE_SEGMENT)
    return json_pack ("{s:s, s:o, s:o}", "type", "segment", "from", place (knife->body, cut->vertices[0]), "to",
                      place (knife->body, cut->vertices[1]));
  corners = json_array ();
  for (int i = 0; i < cut->n_vertices; i++)
    json_array_append_new (corners, place (knife->body, cut->vertices[i]));
  return json_pack ("{s:s, s:o}", "type", "polygon", "vertices", corners);
}

/* Masses and velocities may be of any size: 15 digits. */
static json_t *
figures (double value)
{
  char text[32];

  return json_real (g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.15g", value), NULL));
}

/* A share of a number or formula. */
static json_t *
share_of (const json_t *value, double share)
{
  char digits[32];
  g_autofree char *text = NULL;

  if (json_is_number (value))
    return figures (json_number_value (value) * share);
  g_ascii_formatd (digits, sizeof digits, "%.15g", share);
  text = g_strdup_printf ("(%s)*%s", json_string_value (value), digits);
  return json_string (text);
}

/* As it stands in a formula. */
static char *
operand (const json_t *value)
{
  char digits[64];

  if (json_is_string (value))
    return g_strdup_printf ("(%s)", json_string_value (value));
  ss_format_double (json_number_value (value), digits, sizeof digits);
  return g_strdup_printf ("(%s)", digits);
}

/* A number or formula, and what turning by `omega` with the lever `x cos (angle) + y sin (angle)` adds. */
static json_t *
with_turning (const json_t *value, const json_t *omega, const json_t *angle, double x, double y)
{
  const double turned = json_number_value (angle); /* NULL and formulas: 0 */
  const SsVec2 lever = {rint (x * DECIMALS) / DECIMALS, rint (y * DECIMALS) / DECIMALS};
  g_autofree char *first = operand (value), *turns = operand (omega), *at = operand (angle), *text = NULL;
  char along[64], across[64];

  if (!json_is_string (value) && !json_is_string (omega) && !json_is_string (angle))
    return figures (json_number_value (value) + json_number_value (omega) * (x * cos (turned) + y * sin (turned)));
  if (!json_is_string (angle)) {
    ss_format_double (rint ((x * cos (turned) + y * sin (turned)) * DECIMALS) / DECIMALS, along, sizeof along);
    text = g_strdup_printf ("%s + %s*(%s)", first, turns, along);
  } else {
    ss_format_double (lever.x, along, sizeof along);
    ss_format_double (lever.y, across, sizeof across);
    text = g_strconcat (first, " + ", turns, "*((", along, ")*cos", at, " + (", across, ")*sin", at, ")", NULL);
  }
  return json_string (text);
}

/* The centre of mass is at another point of the body now, `to` in the body's frame [m]. */
static void
move_with (json_t *body, SsVec2 to)
{
  const json_t *omega = json_object_get (body, "angular_velocity"), *velocity = json_object_get (body, "velocity");
  const json_t *angle = json_object_get (body, "angle");
  const json_t *vx = json_array_get (velocity, 0), *vy = json_array_get (velocity, 1);

  if (omega == NULL || (json_is_number (omega) && json_number_value (omega) == 0))
    return;
  json_object_set_new (body, "velocity",
                       json_pack ("[o, o]", with_turning (vx, omega, angle, -to.y, -to.x),
                                  with_turning (vy, omega, angle, to.x, -to.y)));
}

/* The body of the file becomes one of its pieces. */
static void
be_piece (const Knife *knife, json_t *body, int piece)
{
  const SsCutPiece *matter = &knife->cut.pieces[piece];
  json_t *shapes = json_array (), *mass = json_object_get (body, "mass");
  double whole = 0;

  for (int i = 0; i < knife->cut.n_shapes; i++)
    if (knife->cut.shapes[i].piece == piece)
      json_array_append_new (shapes, shape_of (knife, body, &knife->cut.shapes[i]));
  for (int i = 0; i < knife->cut.n_pieces; i++)
    whole += knife->cut.pieces[i].measure;
  json_object_del (body, json_array_size (shapes) == 1 ? "shapes" : "shape");
  if (json_array_size (shapes) == 1)
    json_object_set (body, "shape", json_array_get (shapes, 0));
  else
    json_object_set (body, "shapes", shapes);
  json_decref (shapes);
  if (ss_body_is_immovable (knife->body)) { /* its pieces turn about its centre on, and need no mass */
    static const char *const weighs[] = {"mass", "inertia", "density", "uniform"};
    for (gsize i = 0; knife->body->v[2] != 0 && i < G_N_ELEMENTS (weighs); i++)
      json_object_del (body, weighs[i]);
    return;
  }
  if (mass != NULL) {
    json_object_set_new (body, "mass", share_of (mass, matter->measure / whole));
    json_object_set_new (body, "uniform", json_true ());
    json_object_del (body, "inertia");
  }
  if (mass != NULL || json_object_get (body, "density") != NULL)
    move_with (body, matter->centroid);
}

/* ---- what belongs to the body ------------------------------------------------------------------------------------ */

/* The piece that holds a point of the body's frame, or is nearest to it. */
static int
piece_at (const Knife *knife, SsVec2 p)
{
  const SsShape dot = {.kind = SS_SHAPE_CIRCLE, .radius = SAME};
  const double here[3] = {0, 0, 0}, there[3] = {p.x, p.y, 0};
  double least = INFINITY;
  int found = 0;

  for (int piece = 0; piece < knife->cut.n_pieces; piece++)
    for (int i = 0; i < knife->cut.n_shapes; i++) {
      SsGap gaps[SS_MANIFOLD_MAX];
      if (knife->cut.shapes[i].piece != piece)
        continue;
      ss_geometry_manifold (&knife->cut.shapes[i].shape, here, &dot, there, gaps);
      if (MAX (gaps[0].phi, 0) < least - 2 * SAME) {
        least = MAX (gaps[0].phi, 0);
        found = piece;
      }
    }
  return found;
}

/* Says that something goes to another piece than the largest. */
static void
tell_moved (const Knife *knife, const char *what, int piece)
{
  if (piece == 0)
    return;
  tell (knife, _ ("“%s” goes to “%s”."), what, name_of (knife, piece));
}

/* One end of an entry with `bodies`. */
static void
follow_end (const Knife *knife, json_t *entry, const char *what, size_t end, int body, SsVec2 anchor)
{
  const SsScene *scene = ssapp_document_scene (knife->document);
  const int piece = body >= 0 && &scene->bodies[body] == knife->body ? piece_at (knife, anchor) : 0;

  if (piece > 0)
    json_array_set_new (json_object_get (entry, "bodies"), end, json_string (name_of (knife, piece)));
  tell_moved (knife, what, piece);
}

/* The points of the body that a rope runs over stay with the piece that holds its end: a rope runs over its own two
 * bodies. */
static void
follow_rope (const Knife *knife, json_t *entry, const SsJoint *rope)
{
  const SsScene *scene = ssapp_document_scene (knife->document);
  json_t *over = json_object_get (entry, "over");
  const gboolean is_a = rope->body_a >= 0 && &scene->bodies[rope->body_a] == knife->body;
  const int piece = piece_at (knife, is_a ? rope->anchor_a : rope->anchor_b);

  for (int i = 0; i < rope->n_over; i++) {
    json_t *point = json_array_get (over, (size_t)i);
    if (rope->over[i].body >= 0 &&
        g_strcmp0 (json_string_value (json_object_get (point, "body")), knife->body->name) == 0)
      json_object_set_new (point, "body", json_string (name_of (knife, piece)));
  }
}

static void
follow_joints (const Knife *knife, const char *list)
{
  const SsScene *scene = ssapp_document_scene (knife->document);
  g_autoptr (GPtrArray) items = ssapp_document_list_items (knife->document, list);

  for (guint i = 0; i < items->len; i++) {
    const SsappItem *item = g_ptr_array_index (items, i);
    json_t *entry = ssapp_tree_get (knife->root, item->path);
    for (int j = 0; !item->is_family && g_str_equal (list, "scene.joints") && j < scene->n_joints; j++)
      if (g_str_equal (scene->joints[j].name, item->name)) {
        const SsJoint *joint = &scene->joints[j];
        follow_end (knife, entry, item->name, 0, joint->body_a, joint->anchor_a);
        follow_end (knife, entry, item->name, 1, joint->body_b, joint->anchor_b);
        follow_rope (knife, entry, joint);
      }
    for (int j = 0; !item->is_family && g_str_equal (list, "scene.springs") && j < scene->n_springs; j++)
      if (g_str_equal (scene->springs[j].name, item->name)) {
        follow_end (knife, entry, item->name, 0, scene->springs[j].body_a, scene->springs[j].anchor_a);
        follow_end (knife, entry, item->name, 1, scene->springs[j].body_b, scene->springs[j].anchor_b);
      }
  }
}

static void
follow_actuators (const Knife *knife)
{
  const SsScene *scene = ssapp_document_scene (knife->document);
  g_autoptr (GPtrArray) items = ssapp_document_list_items (knife->document, "scene.actuators");

  for (guint i = 0; i < items->len; i++) {
    const SsappItem *item = g_ptr_array_index (items, i);
    json_t *entry = ssapp_tree_get (knife->root, item->path);
    for (int a = 0; !item->is_family && json_object_get (entry, "anchor") != NULL && a < scene->n_actuators; a++) {
      const SsActuator *actuator = &scene->actuators[a];
      if (!g_str_equal (actuator->name, item->name) || actuator->body < 0 ||
          &scene->bodies[actuator->body] != knife->body)
        continue;
      const int piece = piece_at (knife, actuator->anchor);
      json_object_set_new (entry, "body", json_string (name_of (knife, piece)));
      tell_moved (knife, item->name, piece);
    }
  }
}

static gboolean
is_of_family (const Knife *knife, const char *list, const char *name)
{
  g_autoptr (GPtrArray) items = ssapp_document_list_items (knife->document, list);

  for (guint i = 0; i < items->len; i++) {
    const SsappItem *item = g_ptr_array_index (items, i);
    if (!item->is_family && g_str_equal (item->name, name))
      return FALSE;
  }
  return TRUE;
}

/* Entries that a rule of the file writes cannot go to several pieces. */
static void
tell_families (const Knife *knife)
{
  const SsScene *scene = ssapp_document_scene (knife->document);
  const int body = (int)(knife->body - scene->bodies);
  gboolean stays = FALSE;

  for (int j = 0; j < scene->n_joints; j++)
    stays = stays || ((scene->joints[j].body_a == body || scene->joints[j].body_b == body) &&
                      is_of_family (knife, "scene.joints", scene->joints[j].name));
  for (int j = 0; j < scene->n_springs; j++)
    stays = stays || ((scene->springs[j].body_a == body || scene->springs[j].body_b == body) &&
                      is_of_family (knife, "scene.springs", scene->springs[j].name));
  for (int a = 0; a < scene->n_actuators; a++)
    stays = stays ||
            (scene->actuators[a].body == body && is_of_family (knife, "scene.actuators", scene->actuators[a].name));
  if (stays)
    tell (knife, _ ("What rules of the file hang on “%s” stays with its largest piece."), knife->body->name);
}

/* The corner or edge of a piece that is where that of the body was, or nearest to there: "box-2.corner3"; g_free. */
static char *
find_feature (const Knife *knife, const SsBody *pieces, const SsFeature *was, const char *what)
{
  double least = INFINITY;
  char *found = NULL;

  for (int piece = 0; piece < knife->cut.n_pieces; piece++)
    for (int i = 1;; i++) {
      g_autofree char *text = g_strdup_printf ("%s.%s%d", name_of (knife, piece), what, i);
      SsMeasure measure;
      if (ss_measure_between (&pieces[piece], 1, "", true, text, "0,0", &measure, NULL) != SS_OK)
        break;
      const SsVec2 along = {cos (was->direction), sin (was->direction)}, at = measure.a.at,
                   d = {at.x - was->at.x, at.y - was->at.y};
      /* of an edge: the one on its line, and of these the one that is nearest */
      const double off = was->is_edge ? fabs (along.x * d.y - along.y * d.x) +
                                            fabs (remainder (measure.a.direction - was->direction, 2 * G_PI))
                                      : 0,
                   distance = hypot (d.x, d.y) + (off > SAME ? 1e3 * off : 0);
      if (distance < least - SAME) {
        g_free (found);
        found = g_steal_pointer (&text);
        least = distance;
      }
    }
  return found;
}

/* The pieces as bodies of their shapes alone, in the body's frame; g_free both. */
static SsBody *
list_pieces (const Knife *knife, SsShape **shapes)
{
  SsBody *pieces = g_new0 (SsBody, knife->cut.n_pieces);
  int n = 0;

  *shapes = g_new (SsShape, knife->cut.n_shapes);
  for (int piece = 0; piece < knife->cut.n_pieces; piece++) {
    pieces[piece] = (SsBody){.name = name_of (knife, piece), .shapes = &(*shapes)[n]};
    for (int i = 0; i < knife->cut.n_shapes; i++)
      if (knife->cut.shapes[i].piece == piece) {
        (*shapes)[n++] = knife->cut.shapes[i].shape;
        pieces[piece].n_shapes++;
      }
    pieces[piece].shape = pieces[piece].shapes[0];
  }
  return pieces;
}

/* Features of the body: the body alone stays, its points go by their places, corners and edges have other numbers. */
static void
follow_measures (const Knife *knife)
{
  const SsScene *scene = ssapp_document_scene (knife->document);
  g_autoptr (GPtrArray) items = ssapp_document_list_items (knife->document, "scene.measures");
  g_autofree SsShape *shapes = NULL;
  g_autofree SsBody *pieces = list_pieces (knife, &shapes);
  const gsize n_name = strlen (knife->body->name);

  for (guint i = 0; i < items->len; i++) {
    const SsappItem *item = g_ptr_array_index (items, i);
    json_t *between = json_object_get (ssapp_tree_get (knife->root, item->path), "between");
    for (int m = 0; !item->is_family && m < scene->n_measures; m++)
      for (size_t end = 0; g_str_equal (scene->measures[m].name, item->name) && end < 2; end++) {
        const SsFeature *was = end == 0 ? &scene->measures[m].a : &scene->measures[m].b;
        const char *text = json_string_value (json_array_get (between, end));
        if (was->body < 0 || &scene->bodies[was->body] != knife->body || text == NULL || strlen (text) <= n_name)
          continue;
        const char *part = text + n_name + 1;
        gboolean is_point = FALSE;
        for (int k = 0; k < knife->body->n_points; k++)
          is_point = is_point || g_str_equal (knife->body->points[k].name, part);
        g_autofree char *now = is_point ? g_strdup_printf ("%s.%s", name_of (knife, piece_at (knife, was->at)), part)
                                        : find_feature (knife, pieces, was, was->is_edge ? "edge" : "corner");
        if (now != NULL)
          json_array_set_new (between, end, json_string (now));
      }
  }
}

/* The place of a goal is that of the frame, which needs an angle where the centre of mass is elsewhere: that of the
 * start, where the file left it free. */
static void
mend_goals (const Knife *knife, const json_t *body)
{
  json_t *goals = ssapp_tree_get (knife->root, "task.targets"), *angle = json_object_get (body, "angle");

  const gboolean weighs = json_object_get (body, "mass") != NULL || json_object_get (body, "density") != NULL;

  for (size_t i = 0; weighs && i < json_array_size (goals); i++) {
    json_t *goal = json_array_get (goals, i), *old = json_object_get (goal, "angle");
    if (g_strcmp0 (json_string_value (json_object_get (goal, "body")), knife->body->name) != 0 ||
        !json_is_array (json_object_get (goal, "position")) || (old != NULL && !json_is_null (old)))
      continue;
    if (angle != NULL)
      json_object_set (goal, "angle", angle);
    else
      json_object_set_new (goal, "angle", json_integer (0));
    tell (knife, _ ("The goal of “%s” has the angle of its start now."), knife->body->name);
  }
}

/* ---- the other pieces -------------------------------------------------------------------------------------------- */

/* The body alone with its contacts and materials, as something to be pasted. */
static json_t *
take_alone (const Knife *knife)
{
  static const char *const lists[] = {"joints", "springs", "actuators", "forces"}, *const sections[] = {
                                                                                       "targets", "bounds", "effort"};
  const char *const keys[] = {knife->body->name, NULL};
  json_t *alone = ssapp_piece_take (knife->document, keys);

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    json_object_del (json_object_get (alone, "scene"), lists[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (sections); i++)
    json_object_del (json_object_get (alone, "task"), sections[i]);
  return alone;
}

/* Pieces of a file that lists its contacts touch one another, too. */
static void
let_touch (const Knife *knife)
{
  for (int i = 1;
       i < knife->cut.n_pieces && !ssapp_tree_has_all_contacts (knife->root) && !ss_body_is_immovable (knife->body);
       i++)
    for (int k = 0; k < i; k++)
      ssapp_tree_require_contact (knife->root, name_of (knife, k), name_of (knife, i));
}

static void
add_pieces (const Knife *knife, GPtrArray *candidates)
{
  json_t *alone = take_alone (knife);

  for (int piece = 1; piece < knife->cut.n_pieces; piece++) {
    g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
    json_t *copy = json_deep_copy (alone);
    be_piece (knife, ssapp_tree_get (copy, "scene.bodies[0]"), piece);
    ssapp_piece_insert (knife->document, knife->root, copy, keys, candidates);
    g_ptr_array_add (knife->names, g_strdup (g_ptr_array_index (keys, keys->len - 1)));
    json_decref (copy);
  }
  json_decref (alone);
  let_touch (knife);
}

static void
tell_cut (const Knife *knife)
{
  g_autoptr (GString) others = g_string_new (NULL);

  for (int piece = 1; piece < knife->cut.n_pieces; piece++)
    g_string_append_printf (others, piece == 1 ? "“%s”" : ", “%s”", name_of (knife, piece));
  tell (knife,
        ngettext ("“%s” was cut: the other piece is %s.", "“%s” was cut: the other pieces are %s.",
                  (gulong)knife->cut.n_pieces - 1),
        knife->body->name, others->str);
}

/* The file says what the body weighs, not where: pieces weigh by their areas, together otherwise than it perhaps. */
static void
tell_mass (const Knife *knife, const json_t *body)
{
  const SsBody *was = knife->body;
  const double same = 1e-3; /* of its size, and of its inertia, beside what arcs lose that became edges */
  double x = 0, y = 0, whole = 0, second = 0;

  for (int i = 0; i < knife->cut.n_pieces; i++) {
    const SsCutPiece *piece = &knife->cut.pieces[i];
    whole += piece->measure;
    x += piece->measure * piece->centroid.x;
    y += piece->measure * piece->centroid.y;
    second += piece->second + piece->measure * (pow (piece->centroid.x, 2) + pow (piece->centroid.y, 2));
  }
  const double moved = hypot (x, y) / whole, inertia = was->mass * (second / whole - moved * moved);
  if (ss_body_is_immovable (was) || json_object_get (body, "mass") == NULL ||
      (moved <= same * ss_body_size (was) && fabs (inertia - was->inertia) <= 10 * same * was->inertia))
    return;
  tell (knife,
        _ ("Its mass is spread evenly over its area now: the centre of mass of all pieces lies %.3g m "
           "beside that before, their inertia is %.3g kg m², it was %.3g kg m²."),
        moved > same * ss_body_size (was) ? moved : 0, inertia, was->inertia);
}

/* Whether a text of these is the name, or the name and more: "box.x", "final(box.x)". */
static gboolean
mentions (const json_t *in, const char *name)
{
  const char *key;
  const json_t *value;
  size_t i;

  if (json_is_string (in))
    for (const char *at = json_string_value (in); (at = strstr (at, name)) != NULL; at++) {
      const char before = at > json_string_value (in) ? at[-1] : ' ', after = at[strlen (name)];
      if (!g_ascii_isalnum (before) && before != '_' && !g_ascii_isalnum (after) && after != '_' && after != '-')
        return TRUE;
    }
  json_array_foreach (in, i, value)
  {
    if (mentions (value, name))
      return TRUE;
  }
  json_object_foreach ((json_t *)in, key, value)
  {
    if (mentions (value, name))
      return TRUE;
  }
  return FALSE;
}

/* What the file still says, and means otherwise. */
static void
tell_meaning (const Knife *knife, const json_t *root, const char *path)
{
  const json_t *body = ssapp_tree_get ((json_t *)root, path), *scene = json_object_get (root, "scene");
  const SsVec2 at = knife->cut.pieces[0].centroid;
  const gboolean has_moved =
      hypot (at.x, at.y) > 1e-6 * ss_body_size (knife->body) && !ss_body_is_immovable (knife->body);

  if (ssapp_tree_has_formula (json_object_get (body, "shape")) ||
      ssapp_tree_has_formula (json_object_get (body, "shapes")))
    tell (knife, _ ("Formulas of its size became numbers."));
  if (has_moved && (mentions (json_object_get (root, "outcomes"), knife->body->name) ||
                    mentions (json_object_get (root, "assertions"), knife->body->name) ||
                    mentions (json_object_get (scene, "measures"), knife->body->name) ||
                    mentions (json_object_get (scene, "forces"), knife->body->name) ||
                    mentions (json_object_get (root, "task"), knife->body->name)))
    tell (knife, _ ("Where formulas, measures and limits say “%s” they mean its largest piece."), knife->body->name);
}

/* One body, whose cut is made; TRUE: the document has its pieces. */
static gboolean
apply (Knife *knife, const char *label, GPtrArray *keys, GError **error)
{
  g_autofree char *path =
      ssapp_document_body_path (knife->document, (int)(knife->body - ssapp_document_scene (knife->document)->bodies));
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (g_free);
  gboolean done;

  for (int i = 0; i < knife->cut.n_pieces; i++)
    if (!ss_body_is_immovable (knife->body) && !(knife->cut.pieces[i].measure > 0)) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _ ("A piece of “%s” would be a line beside areas, which weighs nothing"), knife->body->name);
      return FALSE;
    }
  knife->root = json_deep_copy (ssapp_document_root (knife->document));
  g_ptr_array_add (knife->names, g_strdup (knife->body->name));
  add_pieces (knife, candidates);
  be_piece (knife, ssapp_tree_get (knife->root, path), 0);
  tell_cut (knife);
  tell_mass (knife, ssapp_tree_get (ssapp_document_root (knife->document), path));
  tell_meaning (knife, ssapp_document_root (knife->document), path);
  mend_goals (knife, ssapp_tree_get (knife->root, path));
  follow_joints (knife, "scene.joints");
  follow_joints (knife, "scene.springs");
  follow_actuators (knife);
  tell_families (knife);
  follow_measures (knife);
  if (knife->cut.has_arcs) {
    tell (knife, _ ("Its arcs became edges, %d in a whole turn."), SS_CUT_ARC_EDGES);
  }
  done = ssapp_document_commit (knife->document, knife->root, label, error);
  for (guint i = 0; done && i < candidates->len; i++)
    if (ssapp_document_find_contact (knife->document, g_ptr_array_index (candidates, i)) >= 0)
      done = ssapp_document_set_candidate (knife->document, g_ptr_array_index (candidates, i), TRUE, error);
  for (guint i = 0; done && i < knife->names->len; i++)
    g_ptr_array_add (keys, g_strdup (g_ptr_array_index (knife->names, i)));
  return done;
}

/* ---- the stroke -------------------------------------------------------------------------------------------------- */

/* Locked places are those of the centre of mass, and the pieces have others. What is locked whole turns about its frame
 * if that is its centre. */
static gboolean
turns_about_held (const SsBody *body)
{
  const gboolean may_turn = !body->lock[2] || body->v[2] != 0;

  if (body->is_fixed || !may_turn || (!body->lock[0] && !body->lock[1]))
    return FALSE;
  return !ss_body_is_immovable (body) || body->origin.x != 0 || body->origin.y != 0;
}

static gboolean
cut_one (SsappDocument *self, int index, SsVec2 from, SsVec2 to, const char *label, GPtrArray *keys, GString *told,
         SsCutOutcome *outcome, GError **error)
{
  Knife knife = {self, &ssapp_document_scene (self)->bodies[index], .told = told};
  SsError err = {0};
  gboolean done = TRUE;

  if (ss_cut_body (knife.body, from, to, &knife.cut, &err) != SS_OK)
    return ssapp_refuse (error, err.message);
  *outcome = knife.cut.outcome;
  if (*outcome == SS_CUT_DONE && knife.body->item < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("“%s” is one of a family that the file writes by a rule: change the rule in the file"),
                 knife.body->name);
    done = FALSE;
  } else if (*outcome == SS_CUT_DONE && turns_about_held (knife.body)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("“%s” turns about its centre, which is locked: its pieces would turn about centres of their own"),
                 knife.body->name);
    done = FALSE;
  } else if (*outcome == SS_CUT_DONE) {
    knife.names = g_ptr_array_new_with_free_func (g_free);
    done = apply (&knife, label, keys, error);
    g_ptr_array_unref (knife.names);
  }
  ss_cut_free (&knife.cut);
  return done;
}

/* Why nothing was cut, or this one was not; g_free. */
static char *
reason (SsCutOutcome outcome, const char *name)
{
  if (outcome == SS_CUT_ENDS_INSIDE)
    return g_strdup_printf (_ ("The stroke ends inside “%s”: draw it from one side to the other."), name);
  if (outcome == SS_CUT_PARTS_NOTHING)
    return g_strdup_printf (_ ("“%s” hangs together around the stroke: draw it across the whole body."), name);
  return g_strdup (_ ("The stroke crosses no body that has an end."));
}

gboolean
ssapp_document_cut (SsappDocument *self, SsVec2 from, SsVec2 to, const char *body, char **told, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *label = body != NULL ? g_strdup_printf ("Cut %s", body) : g_strdup ("Cut bodies"), *why = NULL;
  gboolean done = TRUE;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  const int only = body != NULL ? ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, body) : -1,
            n = ssapp_document_scene (self)->n_bodies; /* pieces come behind these */
  if (body != NULL && only < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no body “%s”"), body);
    return FALSE;
  }
  ssapp_document_begin_gesture (self, label);
  for (int i = 0; done && i < n; i++) {
    SsCutOutcome outcome = SS_CUT_MISSES;
    if (only >= 0 && i != only)
      continue;
    done = cut_one (self, i, from, to, label, keys, words, &outcome, error);
    if (outcome == SS_CUT_ENDS_INSIDE || outcome == SS_CUT_PARTS_NOTHING) {
      g_free (why);
      why = reason (outcome, ssapp_document_scene (self)->bodies[i].name);
    }
  }
  if (done && keys->len == 0) {
    g_autofree char *none = why != NULL ? NULL : reason (SS_CUT_MISSES, "");
    done = ssapp_refuse (error, why != NULL ? why : none);
  }
  if (!ssapp_document_finish_gesture (self, done))
    return FALSE;
  if (why != NULL)
    g_string_append_printf (words, " %s", why);
  g_ptr_array_add (keys, NULL);
  ssapp_document_set_selection (self, (const char *const *)keys->pdata);
  if (told != NULL)
    *told = g_string_free (g_steal_pointer (&words), FALSE);
  return TRUE;
}

gboolean
ssapp_document_cut_in_two (SsappDocument *self, gboolean is_upright, char **told, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autofree char *body = g_strdup (ssapp_document_get_selected (self));
  g_autoptr (GPtrArray) marks = body != NULL ? ssapp_document_list_marks (self, body) : NULL;
  double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY}, one[4];

  for (guint i = 0; marks != NULL && i < marks->len; i++)
    if (ssapp_mark_bounds (g_ptr_array_index (marks, i), one))
      for (int k = 0; k < 2; k++) {
        box[k] = MIN (box[k], one[k]);
        box[2 + k] = MAX (box[2 + k], one[2 + k]);
      }
  if (!(box[0] <= box[2]))
    return ssapp_refuse (error, _ ("Select a body that has an end"));
  const SsVec2 middle = {(box[0] + box[2]) / 2, (box[1] + box[3]) / 2};
  const double reach = (box[2] - box[0]) + (box[3] - box[1]);
  const SsVec2 half = is_upright ? (SsVec2){0, reach} : (SsVec2){reach, 0};
  return ssapp_document_cut (self, (SsVec2){middle.x - half.x, middle.y - half.y},
                             (SsVec2){middle.x + half.x, middle.y + half.y}, body, told, error);
}

char *
ssapp_document_describe_cut (SsappDocument *self, SsVec2 from, SsVec2 to)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  const SsScene *scene = ssapp_document_scene (self);
  g_autoptr (GString) names = g_string_new (NULL);
  const char *inside = NULL;

  for (int i = 0; scene != NULL && i < scene->n_bodies; i++) {
    SsCut cut;
    if (ss_cut_body (&scene->bodies[i], from, to, &cut, NULL) == SS_OK && cut.outcome == SS_CUT_DONE)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", scene->bodies[i].name);
    else if (cut.outcome == SS_CUT_ENDS_INSIDE)
      inside = scene->bodies[i].name;
    ss_cut_free (&cut);
  }
  if (inside != NULL)
    return g_strdup_printf (_ ("ends inside %s"), inside);
  return names->len > 0 ? g_strdup_printf (_ ("cuts %s"), names->str) : g_strdup (_ ("crosses no body"));
}
