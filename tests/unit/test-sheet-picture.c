/* tests/unit/test-sheet-picture.c: the picture under a sketch: what is done to it is one step of undo each, among those
 * of the sketch; how it is traced is none; the outline of a trace before it is made. Truth: rectangles by hand. */
#include "app/session/ssapp-sheet-picture.h"

#include "tests/ss-test.h"

#include <math.h>
#include <stdlib.h>

static const double EXACT = 1e-12;

/* White, 200 pixels wide, with a rectangle of that grey from pixel (20, 10) as far as (80, 90). */
static void
put (SsappSheetPicture *picture, int rows, double grey)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 200, rows);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GError) error = NULL;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_set_source_rgb (cr, grey, grey, grey);
  cairo_rectangle (cr, 20, 10, 60, 80);
  cairo_fill (cr);
  cairo_destroy (cr);
  SS_CHECK (ssapp_sheet_picture_put (picture, surface, (SsVec2){0, 0}, 4, 4, &error));
  cairo_surface_destroy (surface);
}

/* "rows x y width opacity shown", "none". g_free. */
static char *
told (SsappSheetPicture *picture)
{
  const SsappUnderlay *one = ssapp_sheet_picture_get (picture);

  return one == NULL ? g_strdup ("none")
                     : g_strdup_printf ("%d %.6g %.6g %.6g %.6g %d", ssapp_underlay_rows (one), one->at.x, one->at.y,
                                        one->width, one->opacity, one->is_shown);
}

static void
test_undo (void)
{
  static const char *const steps[] = {"Add picture",  "Move picture", "Scale picture",   "Change picture",
                                      "Hide picture", "Show picture", "Replace picture", "Remove picture"};
  g_autoptr (SsappSession) session = ssapp_session_new ();
  g_autoptr (SsappSheetPicture) picture = ssapp_sheet_picture_new (session);
  SsappDocument *document = ssapp_session_get_document (session);
  char *states[G_N_ELEMENTS (steps) + 1];

  states[0] = told (picture);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    if (i == 0)
      put (picture, 100, 0.2);
    else if (i == 1)
      ssapp_sheet_picture_move (picture, 0.5, 0.25);
    else if (i == 2)
      ssapp_sheet_picture_set_distance (picture, (SsVec2){0, 0}, (SsVec2){1, 0}, 2);
    else if (i == 3)
      ssapp_sheet_picture_lay (picture, (SsVec2){-1, 0}, 2, 0.25);
    else if (i == 4 || i == 5)
      ssapp_sheet_picture_show (picture, i == 5);
    else if (i == 6)
      put (picture, 50, 0.4);
    else
      ssapp_sheet_picture_remove (picture);
    states[i + 1] = told (picture);
    SS_CHECK_STR (ssapp_document_get_undo_label (document), steps[i]);
    if (i == 4)
      ssapp_sheet_picture_set_trace (picture, 0.3, 2); /* is no step */
  }
  SS_CHECK_STR (states[4], "100 -1 0 2 0.25 1");
  SS_CHECK_STR (states[8], "none");
  for (int i = (int)G_N_ELEMENTS (steps) - 1; i >= 0; i--) {
    ssapp_document_undo (document);
    g_autofree char *now = told (picture);
    SS_CHECK_STR (now, states[i]);
    if (i > 0)
      SS_CHECK_NEAR (ssapp_sheet_picture_get (picture)->likeness, 0.3, 0);
  }
  SS_CHECK (ssapp_document_get_undo_label (document) == NULL);
  ssapp_document_go (document, 4);
  g_autofree char *fourth = told (picture);
  SS_CHECK_STR (fourth, states[4]);
  /* The sketch's own steps stand between them. */
  SS_CHECK (ssapp_document_add_disc (document, (SsVec2){0, 0}, 0.5, NULL));
  ssapp_sheet_picture_move (picture, 1, 0);
  SS_CHECK (ssapp_document_get_redo_label (document) == NULL);
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_bodies == 1);
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_bodies == 0);
  g_autofree char *still = told (picture);
  SS_CHECK_STR (still, states[4]);
  /* The project has what is there now. */
  g_autofree char *view = ssapp_session_get_view (session, SSAPP_VIEW_PICTURE);
  g_autoptr (SsappUnderlay) kept = ssapp_underlay_from_json (view);
  SS_CHECK_NEAR (kept->at.x, -1, 0);
  SS_CHECK_NEAR (kept->fineness, 2, 0);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    g_free (states[i]);
}

static void
count (int *n)
{
  ++*n;
}

/* Until so many changes were told: the thread that looks for outlines answers by the main loop. */
static void
await (const int *n_told, int n)
{
  while (*n_told < n)
    g_main_context_iteration (NULL, TRUE);
}

/* Greys that differ by 0.3 of the range are one colour or two. */
static void
test_outline (void)
{
  g_autoptr (SsappSession) session = ssapp_session_new ();
  g_autoptr (SsappSheetPicture) picture = ssapp_sheet_picture_new (session);
  g_autoptr (GError) error = NULL;
  const SsVec2 at = {-0.5, 0.5}, beside = {3, 3};
  int n, n_told = 0;

  put (picture, 100, 0.7);
  ssapp_sheet_picture_place (picture, -1, 0, 2); /* a pixel is a centimetre */
  g_signal_connect_swapped (picture, "changed", G_CALLBACK (count), &n_told);
  SS_CHECK (ssapp_sheet_picture_get_outline (picture, &n) == NULL && n == 0);
  ssapp_sheet_picture_point (picture, &at);
  SS_CHECK (ssapp_sheet_picture_get_outline (picture, &n) == NULL && n_told == 0); /* not in this thread */
  await (&n_told, 1);
  const SsVec2 *corners = ssapp_sheet_picture_get_outline (picture, &n);
  SS_CHECK (n == 4);
  for (int i = 0; i < n; i++)
    SS_CHECK_NEAR (fabs (corners[i].x + 0.5), 0.3, EXACT);
  ssapp_sheet_picture_point (picture, &at);
  SS_CHECK (n_told == 1); /* nothing new */
  ssapp_sheet_picture_set_trace (picture, 0.35, 1);
  ssapp_sheet_picture_set_trace (picture, 0.4, 1); /* while the thread looks for that of 0.35, which is dropped */
  corners = ssapp_sheet_picture_get_outline (picture, &n);
  SS_CHECK (n == 4 && n_told == 3);
  SS_CHECK_NEAR (fabs (corners[0].x + 0.5), 0.3, EXACT); /* the last one stays until then */
  await (&n_told, 4);
  corners = ssapp_sheet_picture_get_outline (picture, &n);
  SS_CHECK (n == 4);
  for (int i = 0; i < n; i++)
    SS_CHECK_NEAR (fabs (corners[i].x), 1, EXACT); /* the whole picture */
  ssapp_sheet_picture_point (picture, &beside);
  await (&n_told, 5);
  SS_CHECK (ssapp_sheet_picture_get_outline (picture, &n) == NULL && n == 0);
  ssapp_sheet_picture_point (picture, &at);
  ssapp_sheet_picture_point (picture, NULL); /* while the thread looks */
  ssapp_sheet_picture_point (picture, &at);
  await (&n_told, 6);
  SS_CHECK (ssapp_sheet_picture_get_outline (picture, &n) != NULL && n_told == 6);
  ssapp_sheet_picture_set_trace (picture, 0.35, 1);
  ssapp_sheet_picture_show (picture, FALSE); /* while the thread looks: a picture that is hidden has no outline */
  for (gint64 until = g_get_monotonic_time () + 200 * 1000; g_get_monotonic_time () < until;)
    (void)g_main_context_iteration (NULL, FALSE);
  SS_CHECK (ssapp_sheet_picture_get_outline (picture, &n) == NULL && n == 0);
  ssapp_sheet_picture_show (picture, TRUE);
  SS_CHECK (!ssapp_sheet_picture_trace (picture, beside, &error));
  SS_CHECK (ssapp_sheet_picture_trace (picture, at, NULL));
  SS_CHECK (ssapp_document_get_scenario (ssapp_session_get_document (session))->scene->n_bodies == 1);
}

int
main (void)
{
  g_autofree char *home = g_dir_make_tmp ("sheet-picture-XXXXXX", NULL), *command = g_strdup_printf ("rm -rf %s", home);

  g_setenv ("XDG_DATA_HOME", home, TRUE); /* of the projects that pictures make */
  SS_RUN (test_undo);
  SS_RUN (test_outline);
  (void)!system (command);
  return ss_test_finish ();
}
