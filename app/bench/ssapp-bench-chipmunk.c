/* app/bench/ssapp-bench-chipmunk.c: the bodies of a scene in Chipmunk 7 (S. Lembcke; MIT licence), a game engine: its
 * sequential impulses stop after a fixed number of iterations, whatever is left. */
#include "app/bench/ssapp-bench-piles.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Its default of .1, in units of pixels, would be a quarter of a body: two bodies overlap by up to this. [m] */
static const double SLOP = 0.005;
/* Half of the side of the block that is a half-plane. [m] */
static const double VAST = 1000;

typedef struct {
  cpSpace *space;
  GPtrArray *bodies, *shapes; /* of cpBody, one a body of the scene; of cpShape */
} World;

static cpVect
vector (SsVec2 v)
{
  return cpv (v.x, v.y);
}

static cpShape *
shape_new (cpBody *body, const SsShape *shape)
{
  cpVect corners[SS_POLYGON_MAX];

  if (shape->kind == SS_SHAPE_CIRCLE)
    return cpCircleShapeNew (body, shape->radius, vector (shape->centre));
  if (shape->kind == SS_SHAPE_HALF_PLANE) {
    const cpVect n = vector (shape->normal), t = cpv (n.y, -n.x), on = vector (shape->centre);
    for (int i = 0; i < 4; i++)
      corners[i] = cpvadd (on, cpvadd (cpvmult (t, i < 2 ? -VAST : VAST), cpvmult (n, i % 3 == 0 ? 0 : -VAST)));
    return cpPolyShapeNewRaw (body, 4, corners, 0);
  }
  g_assert (shape->kind == SS_SHAPE_POLYGON);
  for (int i = 0; i < shape->n_vertices; i++)
    corners[i] = vector (shape->vertices[i]);
  return cpPolyShapeNewRaw (body, shape->n_vertices, corners, 0);
}

/* Debian's library greets on standard output when the first space is made: that is for tables and JSON. */
static cpSpace *
space_new (void)
{
  fflush (stdout);
  const int kept = dup (STDOUT_FILENO);
  if (kept < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    g_warning ("what Chipmunk says goes to standard output");
  cpSpace *space = cpSpaceNew ();
  fflush (stdout);
  if (kept >= 0) {
    dup2 (kept, STDOUT_FILENO);
    close (kept);
  }
  return space;
}

static gpointer
world_new (const SsScene *scene)
{
  World *world = g_new0 (World, 1);

  world->space = space_new ();
  world->bodies = g_ptr_array_new ();
  world->shapes = g_ptr_array_new ();
  cpSpaceSetGravity (world->space, vector (scene->gravity));
  cpSpaceSetCollisionSlop (world->space, SLOP);
  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *from = &scene->bodies[i];
    cpBody *body = from->is_fixed ? cpBodyNewStatic () : cpBodyNew (from->mass, from->inertia);
    cpBodySetPosition (body, cpv (from->q[0], from->q[1]));
    cpBodySetAngle (body, from->q[2]);
    if (!from->is_fixed) {
      cpBodySetVelocity (body, cpv (from->v[0], from->v[1]));
      cpBodySetAngularVelocity (body, from->v[2]);
    }
    cpSpaceAddBody (world->space, body);
    g_ptr_array_add (world->bodies, body);
    for (int k = 0; k < ss_body_n_shapes (from); k++) {
      cpShape *shape = shape_new (body, ss_body_shape (from, k));
      /* it multiplies the two bodies' coefficients */
      cpShapeSetFriction (shape, scene->n_contacts > 0 ? sqrt (scene->contacts[0].mu) : 0);
      cpShapeSetElasticity (shape, 0);
      cpSpaceAddShape (world->space, shape);
      g_ptr_array_add (world->shapes, shape);
    }
  }
  return world;
}

static void
world_step (gpointer data, double dt)
{
  cpSpaceStep (((World *)data)->space, dt);
}

static void
world_read (gpointer data, double *q)
{
  const World *world = data;

  for (guint i = 0; i < world->bodies->len; i++) {
    const cpBody *body = g_ptr_array_index (world->bodies, i);
    const cpVect at = cpBodyGetPosition (body);
    q[3 * i] = at.x;
    q[3 * i + 1] = at.y;
    q[3 * i + 2] = cpBodyGetAngle (body);
  }
}

static void
world_free (gpointer data)
{
  World *world = data;

  for (guint i = 0; i < world->shapes->len; i++) {
    cpSpaceRemoveShape (world->space, g_ptr_array_index (world->shapes, i));
    cpShapeFree (g_ptr_array_index (world->shapes, i));
  }
  for (guint i = 0; i < world->bodies->len; i++) {
    cpSpaceRemoveBody (world->space, g_ptr_array_index (world->bodies, i));
    cpBodyFree (g_ptr_array_index (world->bodies, i));
  }
  cpSpaceFree (world->space);
  g_ptr_array_unref (world->shapes);
  g_ptr_array_unref (world->bodies);
  g_free (world);
}

const SsappBenchBeside ssapp_bench_chipmunk = {
    .label = "Chipmunk",
    .note =
        "Chipmunk 7 takes the same bodies, masses, friction and steps, its default of 10 iterations, a slop of 5 mm, "
        "no sleeping; its law holds as far as these iterations get.",
    .new_ = world_new,
    .step = world_step,
    .read = world_read,
    .free_ = world_free,
};
