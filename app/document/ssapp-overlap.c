/* app/document/ssapp-overlap.c: see the header. Pairs are parted one after another, the deepest first: each time along
 * the normal of the deepest point, which is the least translation of two convex shapes. */
#include "app/document/ssapp-overlap.h"

#include "app/document/ssapp-quantity.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Rounds a pair may come up before the bodies count as wedged. */
#define ROUNDS_PER_PAIR 20
#define EXACT           1e-12

typedef const double (*Poses)[3];

static double
gap_at (const SsScene *scene, Poses poses, int a, int b, SsGap *gap)
{
  double smallest = INFINITY;

  for (int i = 0; i < scene->bodies[a].n_shapes; i++)
    for (int j = 0; j < scene->bodies[b].n_shapes; j++) {
      SsGap gaps[SS_MANIFOLD_MAX];

      if (ss_geometry_manifold (&scene->bodies[a].shapes[i], poses[a], &scene->bodies[b].shapes[j], poses[b], gaps) >
              0 &&
          gaps[0].phi < smallest) {
        smallest = gaps[0].phi;
        *gap = gaps[0];
      }
    }
  return smallest;
}

/* Radius about the origin that holds the body; INFINITY for half-planes. Caller frees. */
static double *
make_radii (const SsScene *scene)
{
  double *radii = g_new0 (double, MAX (scene->n_bodies, 1));

  for (int b = 0; b < scene->n_bodies; b++)
    radii[b] = ss_body_radius (&scene->bodies[b]);
  return radii;
}

/* A coordinate that is infinite on one side is near everything. */
static gboolean
are_near (const double *radii, Poses poses, int a, int b)
{
  return hypot (poses[a][0] - poses[b][0], poses[a][1] - poses[b][1]) <= radii[a] + radii[b];
}

static int
by_depth (gconstpointer a, gconstpointer b)
{
  const double d = ((const SsappOverlap *)b)->depth - ((const SsappOverlap *)a)->depth;

  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

static GArray *
find_at (const SsScene *scene, Poses poses, const double *radii, double least)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (SsappOverlap));

  for (int c = 0; c < scene->n_contacts; c++) {
    const int a = scene->contacts[c].body_a, b = scene->contacts[c].body_b;
    SsGap gap = {0};

    if (are_near (radii, poses, a, b) && gap_at (scene, poses, a, b, &gap) < -least) {
      const SsappOverlap overlap = {a, b, c, -gap.phi, gap.point_a, gap.normal};
      g_array_append_val (found, overlap);
    }
  }
  g_array_sort (found, by_depth);
  return found;
}

static double (*copy_poses (const SsScene *scene))[3]
{
  double (*poses)[3] = g_malloc0 (sizeof (double[3]) * (gsize)MAX (scene->n_bodies, 1));

  for (int b = 0; b < scene->n_bodies; b++)
    memcpy (poses[b], scene->bodies[b].q, sizeof poses[b]);
  return poses;
}

GArray *
ssapp_overlaps_find (const SsScene *scene, int most)
{
  g_autofree double (*poses)[3] = copy_poses (scene);
  g_autofree double *radii = make_radii (scene);
  GArray *found = find_at (scene, (Poses)poses, radii, SSAPP_OVERLAP_LEAST);

  if ((int)found->len > most)
    g_array_set_size (found, (guint)most);
  return found;
}

char *
ssapp_overlap_text (const SsScene *scene, const SsappOverlap *overlap)
{
  g_return_val_if_fail (scene != NULL, NULL);
  g_autofree char *depth = ssapp_length_text (overlap->depth);

  return g_strdup_printf (_ ("%s and %s overlap by %s"), scene->bodies[overlap->a].name, scene->bodies[overlap->b].name,
                          depth);
}

static gboolean
is_held (const SsScene *scene, int body)
{
  gboolean held = FALSE;

  for (int j = 0; j < scene->n_joints; j++)
    held = held || scene->joints[j].body_a == body || scene->joints[j].body_b == body;
  return held;
}

/* Less is freer to go: the chosen one, one without joints, the lighter one. */
static double
weight_of (const SsScene *scene, int mover, int body)
{
  const SsBody *about = &scene->bodies[body];

  if (about->is_fixed || about->item < 0)
    return INFINITY;
  if (body == mover)
    return -1;
  if (is_held (scene, body))
    return G_MAXDOUBLE;
  return ss_body_is_immovable (about) ? G_MAXDOUBLE / 2 : about->mass;
}

gboolean
ssapp_overlaps_separate (const SsScene *scene, int mover, double (*poses)[3])
{
  g_return_val_if_fail (scene != NULL, FALSE);
  g_autofree double *radii = make_radii (scene);
  g_autofree gboolean *has_moved = g_new0 (gboolean, MAX (scene->n_bodies, 1));
  const int most = ROUNDS_PER_PAIR * (scene->n_bodies + 1);

  for (int round = 0; round < most; round++) {
    g_autoptr (GArray) found = find_at (scene, (Poses)poses, radii, EXACT);
    const SsappOverlap *deepest = NULL;
    int goes;
    double sign;

    /* what was moved shall touch exactly; others keep the roundings that they were drawn with */
    for (guint i = 0; i < found->len && deepest == NULL; i++) {
      const SsappOverlap *overlap = &g_array_index (found, SsappOverlap, i);
      if (overlap->depth > SSAPP_OVERLAP_LEAST || has_moved[overlap->a] || has_moved[overlap->b])
        deepest = overlap;
    }
    if (deepest == NULL)
      return TRUE;
    goes = weight_of (scene, mover, deepest->a) < weight_of (scene, mover, deepest->b) ? deepest->a : deepest->b;
    if (isinf (weight_of (scene, mover, goes)))
      return FALSE;
    has_moved[goes] = TRUE;
    sign = goes == deepest->a ? -1 : 1;
    poses[goes][0] += sign * deepest->depth * deepest->normal.x;
    poses[goes][1] += sign * deepest->depth * deepest->normal.y;
  }
  return FALSE;
}
