/* app/steps/ssapp-step-saver.c: see the header. */
#include "app/steps/ssapp-step-saver.h"

#include "app/steps/ssapp-step-file.h"
#include "contact/ss-step-take.h"

#include "app/base/ssapp-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 1000 };
static const double MOST_BYTES = 1e9;

struct SsappStepSaver {
  char *folder, *scene, *method, *stem;
  SsappStepFilter filter;
  SsContactWatch watch;
  int step, solve;
  double t, dt; /* of the step or its part */
  int n_written, n_left_out;
  double bytes;
  GError *error;
};

void
ssapp_step_filter_init (SsappStepFilter *filter)
{
  g_return_if_fail (filter != NULL);
  *filter = (SsappStepFilter){.every = 1, .points = 1, .most = MOST_FILES, .most_bytes = MOST_BYTES};
}

static void
begin (void *owner, double t, double h)
{
  SsappStepSaver *self = owner;

  self->step++;
  self->solve = 0;
  self->t = t;
  self->dt = h;
}

/* A new file, all of it or none. Thousands are written while a simulation waits: none waits for the disk. */
static gboolean
write_new (const char *path, const char *text, GError **error)
{
  const int fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  gsize left = strlen (text);

  if (fd < 0 && errno == EEXIST) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, "%s exists and is not replaced", path);
    return FALSE;
  }
  if (fd < 0)
    return ssapp_set_file_error (error, path, "make", errno);
  while (left > 0) {
    const gssize n = write (fd, text, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      ssapp_set_file_error (error, path, "write", n < 0 ? errno : ENOSPC);
      break;
    }
    text += n;
    left -= (gsize)n;
  }
  if (close (fd) != 0 && left == 0) {
    ssapp_set_file_error (error, path, "write", errno);
    left = 1;
  }
  if (left > 0)
    g_unlink (path);
  return left == 0;
}

static void
save (SsappStepSaver *self, const SsStepProblem *problem)
{
  g_autofree char *name = g_strdup_printf ("%s-%06d-%d.json", self->stem, problem->step, problem->solve),
                  *path = g_build_filename (self->folder, name, NULL),
                  *text = ssapp_step_write_json (problem, SSAPP_STEP_COLUMNS, &self->error);

  if (text == NULL)
    return;
  if (self->n_written >= self->filter.most || self->bytes + (double)strlen (text) > self->filter.most_bytes) {
    self->n_left_out++;
  } else if (write_new (path, text, &self->error)) {
    self->n_written++;
    self->bytes += (double)strlen (text);
  }
}

static void
solved (void *owner, const SsContactProblem *problem, const double *v_free, const double *v, double residual)
{
  SsappStepSaver *self = owner;
  SsStepProblem *taken;
  SsError why;

  self->solve++;
  if (self->error != NULL || (self->step - 1) % MAX (self->filter.every, 1) != 0 ||
      problem->n_points < self->filter.points || residual < self->filter.residual)
    return;
  if (ss_step_problem_take (problem, v_free, v, residual, &taken, &why) != SS_OK) {
    ssapp_step_set_error (&self->error, self->folder, &why);
    return;
  }
  if (taken->n_contacts >= self->filter.points) {
    g_strlcpy (taken->scene, self->scene, sizeof taken->scene);
    g_strlcpy (taken->method, self->method, sizeof taken->method);
    taken->t = self->t;
    taken->dt = self->dt;
    taken->step = self->step;
    taken->solve = self->solve;
    save (self, taken);
  }
  ss_step_problem_free (taken);
}

/* Letters, digits and what is as harmless in a file's name. */
static char *
as_stem (const char *scene, const char *method)
{
  char *stem = g_strdup_printf ("%s-%s", *scene != '\0' ? scene : "scene", method);

  return g_strcanon (stem, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", '_');
}

/* Told before the run, not after it. */
static gboolean
check_folder (const SsappStepSaver *self, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  g_autofree char *begins = g_strconcat (self->stem, "-", NULL);
  const char *name;

  if (g_mkdir (self->folder, 0777) != 0 && errno != EEXIST)
    return ssapp_set_file_error (error, self->folder, "make", errno);
  dir = g_dir_open (self->folder, 0, error);
  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL) {
    const char *rest = name + strlen (begins);
    if (g_str_has_prefix (name, begins) && g_ascii_isdigit (*rest) && g_str_has_suffix (name, ".json")) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                   "%s has problems of this scene by %s already, which are not replaced: %s (expected a folder "
                   "without)",
                   self->folder, self->method, name);
      return FALSE;
    }
  }
  if (g_access (self->folder, W_OK) != 0)
    return ssapp_set_file_error (error, self->folder, "write into", errno);
  return TRUE;
}

SsappStepSaver *
ssapp_step_saver_new (const char *folder, const char *scene, const char *method, const SsappStepFilter *filter,
                      GError **error)
{
  g_return_val_if_fail (folder != NULL && filter != NULL, NULL);

  SsappStepSaver *self = g_new0 (SsappStepSaver, 1);

  self->folder = g_strdup (folder);
  self->scene = g_strdup (scene);
  self->method = g_strdup (method);
  self->stem = as_stem (scene, method);
  self->filter = *filter;
  self->watch = (SsContactWatch){self, begin, solved};
  if (check_folder (self, error))
    return self;
  ssapp_step_saver_free (self);
  return NULL;
}

void
ssapp_step_saver_free (SsappStepSaver *self)
{
  if (self == NULL)
    return;
  g_free (self->folder);
  g_free (self->scene);
  g_free (self->method);
  g_free (self->stem);
  g_clear_error (&self->error);
  g_free (self);
}

const SsContactWatch *
ssapp_step_saver_watch (const SsappStepSaver *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->watch;
}

gboolean
ssapp_step_saver_end (SsappStepSaver *self, int *n_written, int *n_left_out, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  *n_written = self->n_written;
  *n_left_out = self->n_left_out;
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}
