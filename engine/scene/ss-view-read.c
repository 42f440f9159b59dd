/* engine/scene/ss-view-read.c: reads the `view` section: marks and strips, their formulas over variables or
 * channels. */
#include "scene/ss-scenario-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What formulas of a view may read. */
enum { VIEW_USES = SS_USES_VARIABLES | SS_USES_INDEX | SS_USES_CHANNELS };

/* ---- channels of a scene ----------------------------------------------------------------------------------------- */

/* A name that means something else already, such as a parameter's, keeps that meaning. */
static void
declare_channels (SsReader *reader)
{
  const SsScene *scene = reader->scenario->scene;

  for (int i = 0; i < ss_scene_n_channels (scene); i++) {
    char name[SS_CHANNEL_NAME_MAX];
    (void)ss_scene_channel (scene, i, name, sizeof name);
    char *copy = ss_reader_alloc (reader, strlen (name) + 1, 1);
    if (copy == NULL)
      return;
    memcpy (copy, name, strlen (name) + 1);
    ss_reader_add_name (reader, NULL, copy, SS_SYMBOL_CHANNEL, i);
  }
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* A formula member; absent gives the constant `fallback`, or a problem when that is NaN. */
static SsExpr
read_value (SsReader *reader, const SsJsonAt *mark_at, const char *key, double fallback)
{
  SsJsonAt at;
  SsExpr e = SS_EXPR_NONE;

  if (isnan (fallback) ? ss_read_member (reader, mark_at, key, "a formula", &at)
                       : ss_at_member (reader, mark_at, key, &at))
    ss_read_formula (reader, &at, VIEW_USES, &e, NULL);
  else if (!isnan (fallback))
    e = ss_graph_constant (reader->scenario->graph, fallback);
  return e;
}

static void
read_point (SsReader *reader, const SsJsonAt *at, SsExpr out[2])
{
  SsJsonAt child;

  if (!json_is_array (at->value) || json_array_size (at->value) != 2) {
    ss_reader_problem (reader, at, "two formulas [x, y]", "this is no pair of formulas");
    return;
  }
  for (bool more = ss_at_first (reader, at, &child); more; more = ss_at_next (reader, &child))
    ss_read_formula (reader, &child, VIEW_USES, &out[child.index], NULL);
}

/* `vector`, or `to`: the end point. */
static void
read_vector (SsReader *reader, const SsJsonAt *mark_at, struct SsViewMark *mark)
{
  SsJsonAt at;

  mark->vector[0] = mark->vector[1] = SS_EXPR_NONE;
  if (ss_at_member (reader, mark_at, "to", &at)) {
    read_point (reader, &at, mark->vector);
    for (int i = 0; i < 2; i++)
      mark->vector[i] = ss_graph_binary (reader->scenario->graph, SS_OP_SUB, mark->vector[i], mark->position[i]);
  } else if (ss_read_member (reader, mark_at, "vector", "two formulas [x, y]", &at)) {
    read_point (reader, &at, mark->vector);
  }
}

static void
read_mark_vertices (SsReader *reader, const SsJsonAt *mark_at, struct SsViewMark *mark)
{
  SsJsonAt at, child;
  SsExpr *vertices;
  size_t n;

  if (!ss_read_member (reader, mark_at, "vertices", "3 to 64 points", &at) || !ss_read_is_array (reader, &at))
    return;
  n = json_array_size (at.value);
  if (n < SS_VERTICES_MIN || n > SS_VERTICES_MAX) {
    ss_reader_problem (reader, &at, "3 to 64 points [x, y]", "the polygon has %zu vertices", n);
    return;
  }
  vertices = ss_reader_alloc (reader, 2 * n, sizeof *vertices);
  if (vertices == NULL)
    return;
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    read_point (reader, &child, vertices + 2 * child.index);
  mark->vertices = vertices;
  mark->n_vertices = (int)n;
}

typedef struct {
  struct SsViewMark *marks;
  int n_marks, capacity;
} MarkList;

/* Type, and the role that goes with it when none is given. */
static bool
read_type (SsReader *reader, const SsJsonAt *mark_at, struct SsViewMark *mark)
{
  static const char *const types[] = {"box", "circle", "polygon", "half-plane", "segment", "arrow", "point", "spring"};
  static const SsMarkKind kinds[] = {SS_MARK_POLYGON, SS_MARK_CIRCLE, SS_MARK_POLYGON, SS_MARK_HALF_PLANE,
                                     SS_MARK_SEGMENT, SS_MARK_ARROW,  SS_MARK_POINT,   SS_MARK_SPRING};
  static const SsMarkRole usual_roles[] = {SS_ROLE_BODY,  SS_ROLE_BODY,  SS_ROLE_BODY,   SS_ROLE_FIXED,
                                           SS_ROLE_GUIDE, SS_ROLE_FORCE, SS_ROLE_CENTRE, SS_ROLE_GUIDE};
  static const char *const roles[] = {"body", "fixed", "goal", "force", "velocity", "contact", "centre", "guide"};
  SsJsonAt at;
  int type, role;

  if (!ss_read_member (reader, mark_at, "type", "box, circle, polygon, half-plane, segment, arrow, point or spring",
                       &at))
    return false;
  type = ss_read_choice (reader, &at, types, 8, "type of mark");
  if (type < 0)
    return false;
  mark->kind = kinds[type];
  mark->is_box = type == 0;
  mark->role = usual_roles[type];
  if (ss_at_member (reader, mark_at, "role", &at)) {
    role = ss_read_choice (reader, &at, roles, 8, "role");
    if (role >= 0)
      mark->role = (SsMarkRole)role; /* `roles` is in the order of SsMarkRole */
  }
  return true;
}

static void
add_mark (SsReader *reader, const SsJsonAt *mark_at, void *user_data)
{
  static const char *const colors[] = {"blue", "yellow", "brown", "green"};
  MarkList *list = user_data;
  struct SsViewMark mark = {.position = {SS_EXPR_NONE, SS_EXPR_NONE}};
  SsJsonAt at;

  if (list->n_marks >= SS_MARKS_MAX) {
    if (list->n_marks++ == SS_MARKS_MAX)
      ss_reader_problem (reader, mark_at, "at most 10000 marks", "the view has too many marks");
    return;
  }
  if (!ss_read_is_object (reader, mark_at) || !read_type (reader, mark_at, &mark))
    return;
  mark.name = ss_read_text (reader, mark_at, "name", "");
  mark.color = "";
  if (ss_at_member (reader, mark_at, "color", &at) && ss_read_choice (reader, &at, colors, 4, "colour") >= 0)
    mark.color = ss_read_text (reader, mark_at, "color", "");
  mark.trace = ss_read_boolean (reader, mark_at, "trace", false);
  if (ss_read_member (reader, mark_at, "position", "two formulas [x, y]", &at))
    read_point (reader, &at, mark.position);
  mark.angle = read_value (reader, mark_at, "angle", 0);
  mark.when = read_value (reader, mark_at, "when", 1);
  mark.radius = mark.width = mark.height = mark.vector[0] = mark.vector[1] = SS_EXPR_NONE;
  if (mark.is_box) {
    mark.width = read_value (reader, mark_at, "width", NAN);
    mark.height = read_value (reader, mark_at, "height", NAN);
  } else if (mark.kind == SS_MARK_CIRCLE) {
    mark.radius = read_value (reader, mark_at, "radius", NAN);
  } else if (mark.kind == SS_MARK_POLYGON) {
    read_mark_vertices (reader, mark_at, &mark);
  } else if (mark.kind == SS_MARK_SEGMENT || mark.kind == SS_MARK_ARROW || mark.kind == SS_MARK_SPRING) {
    read_vector (reader, mark_at, &mark);
  }
  if (ss_reader_reserve (reader, (void **)&list->marks, &list->capacity, list->n_marks + 1, sizeof *list->marks))
    list->marks[list->n_marks++] = mark;
}

/* ---- strips ------------------------------------------------------------------------------------------------------ */

typedef struct {
  struct SsViewStrip *strips;
  int n_strips, capacity;
} StripList;

static void
add_strip (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  StripList *list = user_data;
  struct SsViewStrip strip = {.reference = SS_EXPR_NONE};
  SsJsonAt reference_at;

  if (!ss_read_is_object (reader, at) || list->n_strips >= SS_MARKS_MAX)
    return;
  strip.label = ss_read_text (reader, at, "label", "");
  strip.value = read_value (reader, at, "value", NAN);
  if (ss_at_member (reader, at, "reference", &reference_at))
    ss_read_formula (reader, &reference_at, VIEW_USES, &strip.reference, NULL);
  if (ss_reader_reserve (reader, (void **)&list->strips, &list->capacity, list->n_strips + 1, sizeof *list->strips))
    list->strips[list->n_strips++] = strip;
}

static void
read_bounds (SsReader *reader, const SsJsonAt *view_at, double bounds[4])
{
  SsJsonAt at, child;
  double values[4] = {0, 0, 0, 0};
  bool good = true;

  if (!ss_at_member (reader, view_at, "bounds", &at))
    return;
  if (!json_is_array (at.value) || json_array_size (at.value) != 4) {
    ss_reader_problem (reader, &at, "[xmin, ymin, xmax, ymax]", "bounds are four numbers");
    return;
  }
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child))
    good = ss_read_number (reader, &child, SS_ANY_NUMBER, &values[child.index]) && good;
  if (good && !(values[0] < values[2] && values[1] < values[3])) {
    ss_reader_problem (reader, &at, "xmin < xmax and ymin < ymax", "the bounds are empty");
    return;
  }
  memcpy (bounds, values, sizeof values);
}

void
ss_read_view (SsReader *reader, const SsJsonAt *root)
{
  SS_ASSERT (reader != NULL);

  SsScenario *scenario = reader->scenario;
  MarkList marks = {0};
  StripList strips = {0};
  SsJsonAt at, list_at;

  if (!ss_at_member (reader, root, "view", &at) || !ss_read_is_object (reader, &at))
    return;
  if (scenario->scene != NULL)
    declare_channels (reader);
  read_bounds (reader, &at, scenario->view_bounds);
  if (ss_at_member (reader, &at, "marks", &list_at))
    ss_read_items (reader, &list_at, add_mark, &marks);
  if (ss_at_member (reader, &at, "strips", &list_at))
    ss_read_items (reader, &list_at, add_strip, &strips);
  scenario->marks = ss_reader_keep (reader, marks.marks, marks.n_marks < SS_MARKS_MAX ? marks.n_marks : SS_MARKS_MAX,
                                    sizeof *marks.marks);
  scenario->n_marks = marks.n_marks < SS_MARKS_MAX ? marks.n_marks : SS_MARKS_MAX;
  scenario->strips = ss_reader_keep (reader, strips.strips, strips.n_strips, sizeof *strips.strips);
  scenario->n_strips = strips.n_strips;
}
