/* app/session/ssapp-contact-watch.c: see the header. */
#include "app/session/ssapp-contact-watch.h"

#include <math.h>
#include <string.h>

struct _SsappContactWatch {
  GObject parent_instance;
  SsappDocument *document;
  SsappContactReading reading;
  SsappContactChannels channels;
  gboolean has_reading;
  double time;
  char *name;
  double *row, *last; /* sampled, and the row that was shown live before */
  int row_size, last_size;
};

G_DEFINE_FINAL_TYPE (SsappContactWatch, ssapp_contact_watch, G_TYPE_OBJECT)

static guint changed_signal;

/* The selected contact in a scene with the bodies of the document's; -1: none. */
static int
find_selected (SsappContactWatch *self, const SsScene *scene)
{
  const SsScene *own = ssapp_document_get_scenario (self->document)->scene;
  const char *path = ssapp_document_get_selected_item (self->document);
  const int index = own != NULL && path != NULL ? ssapp_document_find_contact (self->document, path) : -1;

  if (index < 0 || scene == NULL)
    return -1;
  if (scene == own)
    return index;
  return ssapp_contact_find (scene, own->bodies[own->contacts[index].body_a].name,
                             own->bodies[own->contacts[index].body_b].name);
}

static void
take_over (SsappContactWatch *self, const SsScene *scene, int contact, gboolean has_reading, double time)
{
  const gboolean had_reading = self->has_reading;

  self->has_reading = has_reading;
  self->time = time;
  g_free (self->name);
  self->name = has_reading ? g_strdup (scene->contacts[contact].name) : NULL;
  if (has_reading || had_reading)
    g_signal_emit (self, changed_signal, 0);
}

void
ssapp_contact_watch_show_sketch (SsappContactWatch *self)
{
  g_return_if_fail (SSAPP_IS_CONTACT_WATCH (self));
  const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;
  const int contact = find_selected (self, scene);

  take_over (self, scene, contact, contact >= 0 && ssapp_contact_read_sketch (scene, contact, &self->reading), NAN);
}

static double *
room_for (double **row, int *size, int n)
{
  if (*size < n) {
    *row = g_renew (double, *row, n);
    *size = n;
  }
  return *row;
}

void
ssapp_contact_watch_show_motion (SsappContactWatch *self, const SsScene *scene, const SsTrajectory *trajectory,
                                 double t, gboolean is_before)
{
  g_return_if_fail (SSAPP_IS_CONTACT_WATCH (self) && trajectory != NULL);
  const int contact = find_selected (self, scene);

  take_over (self, scene, contact,
             contact >= 0 && ssapp_contact_read_motion (scene, contact, &self->channels, trajectory, t, is_before,
                                                        room_for (&self->row, &self->row_size, trajectory->n_channels),
                                                        &self->reading),
             t);
}

void
ssapp_contact_watch_show_row (SsappContactWatch *self, const SsScene *scene, const SsChannel *channels, int n_channels,
                              const double *row, double step)
{
  g_return_if_fail (SSAPP_IS_CONTACT_WATCH (self) && row != NULL);
  const int contact = find_selected (self, scene);
  gboolean has_last = self->last_size == n_channels && self->last[0] < row[0];

  if (contact < 0) {
    take_over (self, scene, contact, FALSE, row[0]);
    return;
  }
  ssapp_contact_channels_find (&self->channels, scene, contact, channels, n_channels);
  take_over (self, scene, contact,
             ssapp_contact_read_row (scene, contact, &self->channels, row, has_last ? self->last : NULL, row, step,
                                     &self->reading),
             row[0]);
  if (self->last_size != n_channels) {
    self->last = g_renew (double, self->last, n_channels);
    self->last_size = n_channels;
  }
  memcpy (self->last, row, (gsize)n_channels * sizeof *row);
}

const SsappContactReading *
ssapp_contact_watch_get (SsappContactWatch *self)
{
  g_return_val_if_fail (SSAPP_IS_CONTACT_WATCH (self), NULL);
  return self->has_reading ? &self->reading : NULL;
}

double
ssapp_contact_watch_get_time (SsappContactWatch *self)
{
  g_return_val_if_fail (SSAPP_IS_CONTACT_WATCH (self), NAN);
  return self->time;
}

const char *
ssapp_contact_watch_get_name (SsappContactWatch *self)
{
  g_return_val_if_fail (SSAPP_IS_CONTACT_WATCH (self), NULL);
  return self->name;
}

static void
ssapp_contact_watch_finalize (GObject *object)
{
  SsappContactWatch *self = SSAPP_CONTACT_WATCH (object);

  g_clear_object (&self->document);
  g_free (self->name);
  g_free (self->row);
  g_free (self->last);
  G_OBJECT_CLASS (ssapp_contact_watch_parent_class)->finalize (object);
}

static void
ssapp_contact_watch_class_init (SsappContactWatchClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_contact_watch_finalize;
  changed_signal =
      g_signal_new ("changed", SSAPP_TYPE_CONTACT_WATCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_contact_watch_init (SsappContactWatch *self)
{
  self->time = NAN;
}

SsappContactWatch *
ssapp_contact_watch_new (SsappDocument *document)
{
  SsappContactWatch *self = g_object_new (SSAPP_TYPE_CONTACT_WATCH, NULL);

  self->document = g_object_ref (document);
  return self;
}
