/* tests/unit/test-vector.c: arrows of gravity and start velocities: which there are, what a drag of their rings makes
 * of them, that formulas stay, and what the document says afterwards. */
#include "app/document/ssapp-vector.h"

#include "tests/ss-test.h"

static const char TEXT[] =
    "{\"format\": 1, \"name\": \"vectors\", \"parameters\": {\"v0\": 2},\n"
    " \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [\n"
    "  {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "  {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [0, 1],\n"
    "   \"velocity\": [\"v0\", 0]},\n"
    "  {\"name\": \"rest\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"position\": [1, 1]},\n"
    "  {\"for\": \"i\", \"from\": 1, \"to\": 2, \"rows\": [{\"name\": \"ball{i}\", \"shape\": {\"type\": \"circle\",\n"
    "   \"radius\": 0.1}, \"mass\": 1, \"position\": [\"1 + {i}\", 1], \"velocity\": [1, 0]}]}],\n"
    "  \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

static const SsappCamera CAMERA = {.scale = 100, .ox = 100, .oy = 400, .width = 800, .height = 500};

static SsappDocument *
make (void)
{
  SsappDocument *document = ssapp_document_new ();
  GError *error = NULL;

  SS_CHECK (ssapp_document_load_text (document, TEXT, -1, "vectors", &error));
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
  return document;
}

static const SsappVector *
find (GPtrArray *vectors, const char *body)
{
  for (guint i = 0; i < vectors->len; i++)
    if (g_strcmp0 (((const SsappVector *)vectors->pdata[i])->body, body) == 0)
      return vectors->pdata[i];
  return NULL;
}

static void
test_which (void)
{
  g_autoptr (SsappDocument) document = make ();
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  g_autoptr (GPtrArray) vectors = ssapp_vectors_new (document, &style, &CAMERA, NULL);
  const SsappVector *gravity = find (vectors, NULL), *disc = find (vectors, "disc"), *ball = find (vectors, "ball1");
  SS_CHECK (vectors->len == 4 && gravity != NULL && disc != NULL && ball != NULL);
  SS_CHECK (find (vectors, "rest") == NULL && find (vectors, "floor") == NULL);
  SS_CHECK (ssapp_vectors_at (vectors, &style, gravity->ring[0], gravity->ring[1]) == gravity);
  SS_CHECK (ssapp_vectors_at (vectors, &style, 1, 1) == NULL);
  SS_CHECK (disc->is_formula[0] && !disc->is_formula[1] && isfinite (disc->ring[0]));
  SS_CHECK (ball->path == NULL && isnan (ball->ring[0])); /* a family's: there is no number to change */
  /* A body at rest has an arrow while it is selected, beside its middle, where the body itself is dragged. */
  ssapp_document_select (document, "rest");
  g_autoptr (GPtrArray) again = ssapp_vectors_new (document, &style, &CAMERA, NULL);
  const SsappVector *rest = find (again, "rest");
  SS_CHECK (rest != NULL && hypot (rest->ring[0] - 200, rest->ring[1] - 300) > 20);
}

static void
test_drag (void)
{
  g_autoptr (SsappDocument) document = make ();
  GError *error = NULL;
  SsappStyle style;

  ssapp_style_init (&style, FALSE);
  g_autoptr (GPtrArray) vectors = ssapp_vectors_new (document, &style, &CAMERA, NULL);
  const SsappVector *gravity = find (vectors, NULL), *disc = find (vectors, "disc");
  /* as far as the arrow is long: twice, or none; and back to the Earth's from nearby, though 9.81 is no round number */
  SS_CHECK (fabs (ssapp_vector_dragged (gravity, 0, 9.81 * gravity->px, TRUE).y + 2 * 9.81) <= 1 / gravity->px);
  SS_CHECK (fabs (ssapp_vector_dragged (gravity, 0, -9.81 * gravity->px, FALSE).y) < 1e-12);
  SS_CHECK (ssapp_vector_dragged (gravity, 1, 1, FALSE).y == -9.81 &&
            ssapp_vector_dragged (gravity, 1, 1, FALSE).x == 0);
  /* up on the sheet is up; the number that is a formula stays */
  const SsVec2 up = ssapp_vector_dragged (disc, 30, -3 * disc->px, FALSE);
  SS_CHECK (up.x == 2 && fabs (up.y - 3) < 1e-12);
  SS_CHECK (ssapp_vector_set (document, disc, up, &error) && error == NULL);
  g_autofree char *x = ssapp_document_get_field (document, "scene.bodies[1].velocity[0]", ""),
                  *y = ssapp_document_get_field (document, "scene.bodies[1].velocity[1]", "");
  SS_CHECK (g_strcmp0 (x, "v0") == 0 && g_strcmp0 (y, "3") == 0);
  /* while it is dragged the scale stays, however fast the body is then */
  SsappVector *held = ssapp_vector_copy (disc);
  SS_CHECK (ssapp_vector_set (document, held, (SsVec2){2, 300}, &error) && error == NULL);
  g_autoptr (GPtrArray) during = ssapp_vectors_new (document, &style, &CAMERA, held),
                        after = ssapp_vectors_new (document, &style, &CAMERA, NULL);
  SS_CHECK (find (during, "disc")->px == held->px && find (after, "disc")->px < held->px);
  ssapp_vector_free (held);
  g_autofree char *words = ssapp_vector_describe (gravity, (SsVec2){0, -9.81});
  SS_CHECK (strstr (words, "9.81 m/s²") != NULL && strstr (words, "−90°") != NULL);
}

int
main (void)
{
  SS_RUN (test_which);
  SS_RUN (test_drag);
  return ss_test_finish ();
}
