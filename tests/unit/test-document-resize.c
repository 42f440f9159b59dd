/* tests/unit/test-document-resize.c: bodies pulled at the handles of their frames, ends of rods and springs. */
#include "tests/ss-test-document.h"

#include <math.h>
#include <string.h>

static const char SHAPES[] =
    "{\"format\": 1, \"name\": \"shapes\", \"parameters\": {\"w\": 1}, \"scene\": {\"bodies\": [\n"
    "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": \"w\", \"height\": 0.5}, \"mass\": 2,\n"
    "    \"position\": [1, 1], \"angle\": 0.5},\n"
    "   {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"density\": 10, \"position\": [3, "
    "1]},\n"
    "   {\"name\": \"wedge\", \"shape\": {\"type\": \"polygon\", \"vertices\": [[0, 0], [0, 1], [2, 0]]}, \"density\": "
    "1,\n"
    "    \"position\": [5, 0]},\n"
    "   {\"name\": \"pill\", \"shape\": {\"type\": \"capsule\", \"length\": 1, \"radius\": 0.1}, \"mass\": 1,\n"
    "    \"position\": [9, 0]},\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]},\n"
    "    \"position\": [0, -3]}],\n"
    "  \"joints\": [{\"type\": \"rod\", \"bodies\": [\"box\", \"disc\"], \"points\": [[1, 1], [3, 1]], \"length\": "
    "2}],\n"
    "  \"springs\": [{\"bodies\": [\"world\", \"pill\"], \"anchors\": [[9, 2], [0.5, 0]], \"stiffness\": 5}]},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

#define CLOSE 1e-8 /* sizes and places are written to a nanometre */

static const SsBody *
body (SsappDocument *document, int index)
{
  return &ssapp_document_get_scenario (document)->scene->bodies[index];
}

/* A corner of a body in the world: the vertex nearest to a direction of its frame. */
static SsVec2
corner (const SsBody *b, double dx, double dy)
{
  SsVec2 best = b->shape.vertices[0];

  for (int i = 1; i < b->shape.n_vertices; i++)
    if (b->shape.vertices[i].x * dx + b->shape.vertices[i].y * dy > best.x * dx + best.y * dy)
      best = b->shape.vertices[i];
  return (SsVec2){b->q[0] + cos (b->q[2]) * best.x - sin (b->q[2]) * best.y,
                  b->q[1] + sin (b->q[2]) * best.x + cos (b->q[2]) * best.y};
}

static void
check_point (SsVec2 p, double x, double y)
{
  SS_CHECK_NEAR (p.x, x, CLOSE);
  SS_CHECK_NEAR (p.y, y, CLOSE);
}

static void
test_box (void)
{
  g_autoptr (SsappDocument) document = open_text (SHAPES);
  const SsVec2 kept = corner (body (document, 0), -1, -1), pulled = corner (body (document, 0), 1, 1);
  const SsVec2 along = {0.4 * cos (0.5), 0.4 * sin (0.5)}, wild = {-50, -50};

  /* The corner follows the pointer exactly, the opposite one stays. */
  SS_CHECK (ssapp_document_resize (document, 0, 1, 1, (SsVec2){0.3, 0.2}, FALSE, NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Resize box");
  check_point (corner (body (document, 0), -1, -1), kept.x, kept.y);
  check_point (corner (body (document, 0), 1, 1), pulled.x + 0.3, pulled.y + 0.2);
  SS_CHECK_NEAR (body (document, 0)->mass, 2, CLOSE); /* a mass that is given stays */
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), SHAPES);
  SS_CHECK (ssapp_document_resize (document, 0, 1, 0, along, FALSE, NULL)); /* a side: one size only */
  g_autofree char *height = ssapp_document_get_field (document, "scene.bodies[0].shape.height", ""),
                  *width = ssapp_document_get_field (document, "scene.bodies[0].shape.width", "");
  SS_CHECK_STR (height, "0.5");
  SS_CHECK_NEAR (g_ascii_strtod (width, NULL), 1.4, CLOSE);
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_resize (document, 0, 0, 1, (SsVec2){0, 0.5}, FALSE, NULL));
  SS_CHECK (ssapp_document_field_is_formula (document, "scene.bodies[0].shape.width")); /* not concerned */
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_resize (document, 0, 1, 0, along, TRUE, NULL)); /* proportions */
  g_autofree char *high = ssapp_document_get_field (document, "scene.bodies[0].shape.height", "");
  SS_CHECK_NEAR (g_ascii_strtod (high, NULL), 0.7, CLOSE);
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_resize (document, 0, 1, 1, wild, FALSE, NULL)); /* never turned inside out */
  check_point (corner (body (document, 0), -1, -1), kept.x, kept.y);
}

static void
test_others (void)
{
  g_autoptr (SsappDocument) document = open_text (SHAPES);

  SS_CHECK (ssapp_document_resize (document, 1, 1, 0, (SsVec2){0.2, 0}, FALSE, NULL));
  SS_CHECK_NEAR (body (document, 1)->shape.radius, 0.3, CLOSE);
  SS_CHECK_NEAR (body (document, 1)->q[0] - 0.3, 2.8, CLOSE); /* the left side stays */
  SS_CHECK_NEAR (body (document, 1)->q[1], 1, CLOSE);
  SS_CHECK_NEAR (body (document, 1)->mass, 10 * G_PI * 0.09, 1e-6); /* a density gives the new mass */
  SS_CHECK (ssapp_document_resize (document, 2, -1, 0, (SsVec2){-1, 0}, FALSE, NULL));
  check_point (corner (body (document, 2), 1, -1), 7, 0);
  check_point (corner (body (document, 2), -1, 1), 4, 1);
  SS_CHECK (ssapp_document_resize (document, 3, 1, 0, (SsVec2){0.5, 0}, FALSE, NULL));
  SS_CHECK_NEAR (body (document, 3)->shape.radius, 0.1, CLOSE);
  SS_CHECK_NEAR (body (document, 3)->shape.vertices[1].x - body (document, 3)->shape.vertices[0].x, 1.5, CLOSE);
  SS_CHECK_NEAR (body (document, 3)->q[0], 9.25, CLOSE);
  SS_CHECK (!ssapp_document_is_resizable (document, 4));
  SS_CHECK (!ssapp_document_resize (document, 4, 1, 0, (SsVec2){0.5, 0}, FALSE, NULL));
  while (ssapp_document_get_undo_label (document) != NULL)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), SHAPES);
}

static void
test_ends (void)
{
  g_autoptr (SsappDocument) document = open_text (SHAPES);
  const SsScene *scene;

  SS_CHECK (ssapp_document_has_ends (document, "scene.joints[0]"));
  SS_CHECK (ssapp_document_move_end (document, "scene.joints[0]", 1, (SsVec2){3, 1.1}, NULL));
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK_NEAR (scene->joints[0].length, hypot (2, 0.1), CLOSE); /* drawn anew */
  SS_CHECK (
      ssapp_document_move_end (document, "scene.springs[0]", 1, (SsVec2){8.5, 0}, NULL)); /* the pill's left end */
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK_NEAR (scene->springs[0].anchor_b.x, -0.5, CLOSE);
  SS_CHECK_NEAR (scene->springs[0].rest, hypot (0.5, 2), CLOSE);
  SS_CHECK (!ssapp_document_move_end (document, "scene.joints[7]", 1, (SsVec2){0, 0}, NULL));
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), SHAPES);
}

int
main (void)
{
  SS_RUN (test_box);
  SS_RUN (test_others);
  SS_RUN (test_ends);
  return ss_test_finish ();
}
