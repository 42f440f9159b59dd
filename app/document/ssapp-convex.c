/* app/document/ssapp-convex.c: ears are cut off a polygon; then neighbours are joined as long as they stay convex. See
 * the header. */
#include "app/document/ssapp-convex.h"

#include <glib/gi18n.h>
#include <math.h>

/* Corners that stick out less than this share of the size squared (twice an area) lie on a line: nobody sees them, and
 * pieces that thin are bad matter. */
#define FLAT_SHARE 1e-9

typedef struct {
  GArray *points; /* of SsVec2, counter-clockwise */
  double flat;    /* twice an area [m2]           */
} Polygon;

static SsVec2
corner (const Polygon *p, int i)
{
  return g_array_index (p->points, SsVec2, i);
}

static int
index_at (const GArray *list, guint i)
{
  return g_array_index (list, int, i % list->len);
}

/* Twice the area of the triangle, positive when it turns left. */
static double
turn (SsVec2 a, SsVec2 b, SsVec2 c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static gpointer
refuse (GError **error, const char *text)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
  return NULL;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static gboolean
is_between (SsVec2 a, SsVec2 b, SsVec2 p)
{
  return p.x >= MIN (a.x, b.x) && p.x <= MAX (a.x, b.x) && p.y >= MIN (a.y, b.y) && p.y <= MAX (a.y, b.y);
}

static int
side (const Polygon *p, SsVec2 a, SsVec2 b, SsVec2 c)
{
  double t = turn (a, b, c);
  return t > p->flat ? 1 : t < -p->flat ? -1 : 0;
}

static gboolean
edges_meet (const Polygon *p, SsVec2 a, SsVec2 b, SsVec2 c, SsVec2 d)
{
  int abc = side (p, a, b, c), abd = side (p, a, b, d), cda = side (p, c, d, a), cdb = side (p, c, d, b);

  if (abc * abd < 0 && cda * cdb < 0)
    return TRUE;
  return (abc == 0 && is_between (a, b, c)) || (abd == 0 && is_between (a, b, d)) ||
         (cda == 0 && is_between (c, d, a)) || (cdb == 0 && is_between (c, d, b));
}

static gboolean
crosses_itself (const Polygon *p)
{
  int n = (int)p->points->len;

  for (int i = 0; i < n; i++)
    for (int j = i + 2; j < n; j++)
      if (!(i == 0 && j == n - 1) &&
          edges_meet (p, corner (p, i), corner (p, i + 1), corner (p, j), corner (p, (j + 1) % n)))
        return TRUE;
  return FALSE;
}

/* Corners that coincide with the next one, or lie on the line of their neighbours, go. */
static void
drop_flat_corners (Polygon *p)
{
  for (gboolean found = TRUE; found && p->points->len >= 3;) {
    found = FALSE;
    for (guint i = 0; i < p->points->len && !found; i++) {
      guint n = p->points->len;
      if (fabs (turn (corner (p, (int)i), corner (p, (int)((i + 1) % n)), corner (p, (int)((i + 2) % n)))) > p->flat)
        continue;
      g_array_remove_index (p->points, (i + 1) % n);
      found = TRUE;
    }
  }
}

static double
twice_area (const Polygon *p)
{
  double sum = 0;

  for (guint i = 1; i + 1 < p->points->len; i++)
    sum += turn (corner (p, 0), corner (p, (int)i), corner (p, (int)i + 1));
  return sum;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static gboolean
is_inside (SsVec2 a, SsVec2 b, SsVec2 c, SsVec2 p)
{
  return turn (a, b, p) >= 0 && turn (b, c, p) >= 0 && turn (c, a, p) >= 0;
}

/* The corner at place i of what is left can be cut off. */
static gboolean
is_ear (const Polygon *p, const GArray *left, guint i)
{
  int before = index_at (left, i + left->len - 1), at = index_at (left, i), after = index_at (left, i + 1);
  SsVec2 a = corner (p, before), b = corner (p, at), c = corner (p, after);

  if (turn (a, b, c) <= p->flat)
    return FALSE;
  for (guint k = 0; k < left->len; k++) {
    int other = index_at (left, k);
    if (other != before && other != at && other != after && is_inside (a, b, c, corner (p, other)))
      return FALSE;
  }
  return TRUE;
}

static void
append_triangle (GPtrArray *pieces, int a, int b, int c)
{
  GArray *piece = g_array_new (FALSE, FALSE, sizeof (int));
  int indices[3] = {a, b, c};

  g_array_append_vals (piece, indices, 3);
  g_ptr_array_add (pieces, piece);
}

/* Triangles of corners' numbers. */
static GPtrArray *
cut_ears (const Polygon *p)
{
  GPtrArray *pieces = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (int));

  for (int i = 0; i < (int)p->points->len; i++)
    g_array_append_val (left, i);
  while (left->len > 3) {
    guint ear = 0;
    while (ear < left->len && !is_ear (p, left, ear))
      ear++;
    if (ear == left->len) { /* only flat corners are left: the flattest goes without a piece */
      double least = INFINITY;
      for (guint i = 0; i < left->len; i++) {
        double t = fabs (turn (corner (p, index_at (left, i + left->len - 1)), corner (p, index_at (left, i)),
                               corner (p, index_at (left, i + 1))));
        if (t < least) {
          least = t;
          ear = i;
        }
      }
    } else {
      append_triangle (pieces, index_at (left, ear + left->len - 1), index_at (left, ear), index_at (left, ear + 1));
    }
    g_array_remove_index (left, ear);
  }
  if (turn (corner (p, index_at (left, 0)), corner (p, index_at (left, 1)), corner (p, index_at (left, 2))) > p->flat)
    append_triangle (pieces, index_at (left, 0), index_at (left, 1), index_at (left, 2));
  return pieces;
}

/* Both pieces as one if they share an edge and it is convex; NULL else. */
static GArray *
join (const Polygon *p, const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++)
    for (guint j = 0; j < b->len; j++) {
      GArray *both;
      gboolean is_convex = TRUE;
      if (index_at (a, i) != index_at (b, j + 1) || index_at (a, i + 1) != index_at (b, j))
        continue;
      both = g_array_new (FALSE, FALSE, sizeof (int));
      for (guint k = 1; k <= a->len; k++) { /* from the end of the edge round to its beginning */
        int at = index_at (a, i + k);
        g_array_append_val (both, at);
      }
      for (guint k = 2; k < b->len; k++) {
        int at = index_at (b, j + k);
        g_array_append_val (both, at);
      }
      for (guint k = 0; k < both->len; k++)
        is_convex = is_convex && turn (corner (p, index_at (both, k)), corner (p, index_at (both, k + 1)),
                                       corner (p, index_at (both, k + 2))) > p->flat;
      if (is_convex && both->len <= SS_POLYGON_MAX)
        return both;
      g_array_unref (both);
      return NULL;
    }
  return NULL;
}

static void
join_neighbours (const Polygon *p, GPtrArray *pieces)
{
  for (gboolean found = TRUE; found;) {
    found = FALSE;
    for (guint i = 0; i < pieces->len && !found; i++)
      for (guint j = i + 1; j < pieces->len && !found; j++) {
        GArray *both = join (p, g_ptr_array_index (pieces, i), g_ptr_array_index (pieces, j));
        if (both == NULL)
          continue;
        g_ptr_array_remove_index (pieces, j);
        g_array_unref (g_ptr_array_index (pieces, i));
        g_ptr_array_index (pieces, i) = both;
        found = TRUE;
      }
  }
}

GPtrArray *
ssapp_convex_split (const SsVec2 *points, int n_points, GError **error)
{
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (SsVec2));
  Polygon p = {.points = kept};
  g_autoptr (GPtrArray) pieces = NULL;
  GPtrArray *made;
  double size = 0;

  if (n_points < 3)
    return refuse (error, _ ("A polygon needs three corners"));
  g_array_append_vals (kept, points, (guint)n_points);
  for (int i = 1; i < n_points; i++)
    size = MAX (size, hypot (points[i].x - points[0].x, points[i].y - points[0].y));
  p.flat = FLAT_SHARE * size * size;
  drop_flat_corners (&p);
  if (kept->len < 3)
    return refuse (error, _ ("The corners lie on a line: the polygon has no area"));
  if (crosses_itself (&p))
    return refuse (error, _ ("Edges of the polygon cross"));
  if (twice_area (&p) < 0)
    for (guint i = 0; i < kept->len / 2; i++) {
      SsVec2 swap = g_array_index (kept, SsVec2, i);
      g_array_index (kept, SsVec2, i) = g_array_index (kept, SsVec2, kept->len - 1 - i);
      g_array_index (kept, SsVec2, kept->len - 1 - i) = swap;
    }
  pieces = cut_ears (&p);
  join_neighbours (&p, pieces);
  made = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  for (guint i = 0; i < pieces->len; i++) {
    const GArray *piece = g_ptr_array_index (pieces, i);
    GArray *corners = g_array_new (FALSE, FALSE, sizeof (SsVec2));
    for (guint k = 0; k < piece->len; k++) {
      SsVec2 c = corner (&p, index_at (piece, k));
      g_array_append_val (corners, c);
    }
    g_ptr_array_add (made, corners);
  }
  return made;
}
