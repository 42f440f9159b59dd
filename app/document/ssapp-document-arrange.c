/* app/document/ssapp-document-arrange.c: selected objects aligned and spread evenly, by their bounds at the start.
 * Tests: tests/unit/test-document-selection.c */
#include "app/base/ssapp-text.h"
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

typedef struct {
  char *key;
  double box[4]; /* xmin, ymin, xmax, ymax [m] */
} Thing;

static void
thing_clear (gpointer data)
{
  g_free (((Thing *)data)->key);
}

static gboolean
find_box (SsappDocument *self, const char *key, double box[4])
{
  g_autoptr (GPtrArray) marks = ssapp_document_list_marks (self, key);
  double one[4];

  box[0] = box[1] = INFINITY;
  box[2] = box[3] = -INFINITY;
  for (guint i = 0; i < marks->len; i++) {
    if (!ssapp_mark_bounds (g_ptr_array_index (marks, i), one))
      continue;
    for (int k = 0; k < 2; k++) {
      box[k] = MIN (box[k], one[k]);
      box[k + 2] = MAX (box[k + 2], one[k + 2]);
    }
  }
  return box[2] >= box[0] && box[3] >= box[1];
}

/* Selected bodies that can be moved and have an end, in the order of their selection. */
static GArray *
list_things (SsappDocument *self)
{
  GArray *things = g_array_new (FALSE, TRUE, sizeof (Thing));

  g_array_set_clear_func (things, thing_clear);
  for (const char *const *key = ssapp_document_get_selection (self, NULL); *key != NULL; key++) {
    Thing thing = {0};
    if (ssapp_key_is_item (*key) || !ssapp_document_is_movable (self, *key) || !find_box (self, *key, thing.box))
      continue;
    thing.key = g_strdup (*key);
    g_array_append_val (things, thing);
  }
  return things;
}

/* One step for all. */
static gboolean
shift_things (SsappDocument *self, GArray *things, int axis, const double *shifts, const char *label, GError **error)
{
  gboolean ok = TRUE;

  ssapp_document_begin_gesture (self, label);
  for (guint i = 0; i < things->len && ok; i++) {
    const char *const keys[] = {g_array_index (things, Thing, i).key, NULL};
    const SsappIsometry iso = ssapp_isometry_move (axis == 0 ? shifts[i] : 0, axis == 1 ? shifts[i] : 0);
    if (fabs (shifts[i]) > 1e-12)
      ok = ssapp_document_transform (self, keys, &iso, label, error);
  }
  ssapp_document_finish_gesture (self, ok);
  return ok;
}

gboolean
ssapp_document_align_selection (SsappDocument *self, const char *how, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && how != NULL, FALSE);
  /* Name, axis, which part of the bounds: 0 the lower end, 1 the middle, 2 the upper end; what the step is called. */
  static const struct {
    const char *how;
    int axis, part;
    const char *label;
  } ways[] = {{"left", 0, 0, "Align left edges"},   {"centre", 0, 1, "Align centres"},
              {"right", 0, 2, "Align right edges"}, {"top", 1, 2, "Align upper edges"},
              {"middle", 1, 1, "Align middles"},    {"bottom", 1, 0, "Align lower edges"}};
  g_autoptr (GArray) things = list_things (self);
  guint way = 0;

  while (way < G_N_ELEMENTS (ways) && strcmp (ways[way].how, how) != 0)
    way++;
  if (way == G_N_ELEMENTS (ways))
    return ssapp_fail_input (error, _ ("“%s” is none of left, centre, right, top, middle, bottom"), how);
  if (things->len < 2)
    return ssapp_fail_input (error, _ ("Select two bodies or more that can be moved"));
  const int axis = ways[way].axis, part = ways[way].part;
  g_autofree double *shifts = g_new0 (double, things->len);
  double all[2] = {INFINITY, -INFINITY};
  for (guint i = 0; i < things->len; i++) {
    const double *box = g_array_index (things, Thing, i).box;
    all[0] = MIN (all[0], box[axis]);
    all[1] = MAX (all[1], box[axis + 2]);
  }
  for (guint i = 0; i < things->len; i++) {
    const double *box = g_array_index (things, Thing, i).box;
    shifts[i] = (all[0] - box[axis]) * (2 - part) / 2 + (all[1] - box[axis + 2]) * part / 2;
  }
  return shift_things (self, things, axis, shifts, ways[way].label, error);
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const int axis = GPOINTER_TO_INT (data);
  const double *p = ((const Thing *)a)->box, *q = ((const Thing *)b)->box;
  const double at = p[axis] + p[axis + 2], other = q[axis] + q[axis + 2];

  return (at > other) - (at < other);
}

gboolean
ssapp_document_distribute_selection (SsappDocument *self, gboolean is_horizontal, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autoptr (GArray) things = list_things (self);
  const int axis = is_horizontal ? 0 : 1;
  double room = 0;

  if (things->len < 3)
    return ssapp_fail_input (error, _ ("Select three bodies or more that can be moved"));
  g_array_sort_with_data (things, compare_places, GINT_TO_POINTER (axis));
  g_autofree double *shifts = g_new0 (double, things->len);
  const double from = g_array_index (things, Thing, 0).box[axis],
               to = g_array_index (things, Thing, things->len - 1).box[axis + 2];
  for (guint i = 0; i < things->len; i++) {
    const double *box = g_array_index (things, Thing, i).box;
    room += box[axis + 2] - box[axis];
  }
  const double gap = (to - from - room) / (things->len - 1);
  double at = from;
  for (guint i = 0; i < things->len; i++) {
    const double *box = g_array_index (things, Thing, i).box;
    shifts[i] = at - box[axis];
    at += box[axis + 2] - box[axis] + gap;
  }
  return shift_things (self, things, axis, shifts, is_horizontal ? "Spread evenly across" : "Spread evenly upright",
                       error);
}
