/* app/cli/cli-lessons.c: the verb `lessons`: lists the lessons, prints one, and plays it: does what its steps ask and
 * says which are noticed. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-json.h"
#include "app/session/ssapp-gallery.h"
#include "app/session/ssapp-lesson.h"

#include <glib/gstdio.h>
#include <string.h>

#define RESOURCES "/org/stickslip/Stickslip"

static void
print_lesson (const SsappTutorial *lesson)
{
  printf ("%s\n\n%s\nScene: %s\n", lesson->title, lesson->idea, lesson->example);
  for (int k = 0; k < lesson->n_steps; k++)
    printf ("\n%d. %s\n   %s\n", k + 1, lesson->steps[k].title, lesson->steps[k].text);
}

static gboolean
open_scene (const SsappTutorial *lesson, SsappSession *session, GError **error)
{
  g_autoptr (GPtrArray) gallery = ssapp_gallery_new (RESOURCES);
  const SsappExample *example = ssapp_gallery_find (gallery, lesson->example);
  g_autofree char *text = example != NULL ? ssapp_example_load_text (example, error) : NULL;

  if (example == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no example “%s”", lesson->example);
  return text != NULL && ssapp_document_set_source (ssapp_session_get_document (session), text, error);
}

/* Step by step: none is noticed before it is done, each is after. FALSE with an error. */
static gboolean
play_steps (const SsappTutorial *lesson, SsappSession *session, GError **error)
{
  SsappGuide guide;

  ssapp_guide_start (&guide, lesson);
  for (int k = 0; k < lesson->n_steps; k++) {
    const SsappTutorialStep *step = &lesson->steps[k];
    const char *page = ssapp_json_get_string (step->done, "page");
    SsappSessionPlace place = {.page = k == 0 ? "sketch" : "run"};
    SsappTutorialView view;

    ssapp_tutorial_look (session, &place, &view);
    ssapp_guide_notice (&guide, &view);
    if (guide.step != k) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "step %d, “%s”, is noticed before it is done", k + 1,
                   step->title);
      return FALSE;
    }
    if (!ssapp_lesson_play (step->play, session, error))
      return FALSE;
    place.page = page != NULL ? page : place.page;
    ssapp_tutorial_look (session, &place, &view);
    ssapp_guide_notice (&guide, &view);
    if (guide.step != k + 1) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "step %d, “%s”, was done and is not noticed", k + 1,
                   step->title);
      return FALSE;
    }
    g_autofree char *wrong = ssapp_lesson_check (step, session);
    if (wrong != NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "step %d, “%s”: %s", k + 1, step->title, wrong);
      return FALSE;
    }
    printf ("%s, step %d: noticed (%s)\n", lesson->name, k + 1, step->title);
  }
  return TRUE;
}

/* In a project of its own, which is removed. */
static int
play_lesson (const SsappTutorial *lesson)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("lesson-XXXXXX", &error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "lesson.stickslip", NULL) : NULL;
  SsappStore *store = path != NULL ? ssapp_store_open (path, TRUE, &error) : NULL;
  SsappSession *session = ssapp_session_new ();

  g_clear_object (&store); /* it is there now, for the session */
  const gboolean done = error == NULL && ssapp_session_open_store (session, path, &error) &&
                        open_scene (lesson, session, &error) && play_steps (lesson, session, &error);

  ssapp_session_close_store (session);
  g_object_unref (session);
  if (path != NULL) {
    g_autofree char *wal = g_strconcat (path, "-wal", NULL), *shm = g_strconcat (path, "-shm", NULL);
    g_unlink (path);
    g_unlink (wal);
    g_unlink (shm);
    g_rmdir (folder);
  }
  if (done)
    return CLI_OK;
  return cli_fail ("%s: %s", lesson->name, error != NULL ? error->message : "not played");
}

int
cli_lessons (const CliArgs *args)
{
  const char *name = cli_args_n_positional (args) > 0 ? cli_args_positional (args, 0) : NULL;
  const gboolean plays = cli_args_flag (args, "--play");
  int n, status = CLI_OK, n_found = 0;
  const SsappTutorial *all = ssapp_tutorials (&n);

  for (int i = 0; i < n && status == CLI_OK; i++) {
    if (all[i].idea == NULL || (name != NULL && strcmp (all[i].name, name) != 0))
      continue;
    n_found++;
    if (plays)
      status = play_lesson (&all[i]);
    else if (name != NULL)
      print_lesson (&all[i]);
    else
      printf ("%-24s %s: %s\n", all[i].name, all[i].title, all[i].summary);
  }
  return n_found > 0 ? status : cli_fail ("there is no lesson '%s' (`stickslip-cli lessons` lists them)", name);
}
