/* app/session/ssapp-contact-watch.c: see the header. */
#include "app/session/ssapp-contact-watch.h"

#include "app/job/ssapp-forces.h"

#include <math.h>
#include <string.h>

struct _SsappContactWatch {
  GObject parent_instance;
  SsappDocument *document;
  SsappContactReading reading;
  SsappContactChannels channels;
  gboolean has_reading;
  double time;
  SsQuantity clock; /* that reads it */
  char *name;
  double *row, *last; /* sampled, and the row that was shown live before */
  int row_size, last_size;
  GPtrArray *forces; /* of SsappForceLine; NULL: none */
};

G_DEFINE_FINAL_TYPE (SsappContactWatch, ssapp_contact_watch, G_TYPE_OBJECT)

static guint changed_signal;

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static void
free_line (gpointer data)
{
  SsappForceLine *line = data;

  g_free (line->title);
  g_free (line->words);
  g_free (line);
}

static void
add_line (GPtrArray *list, const char *title, char *words)
{
  SsappForceLine *line = g_new (SsappForceLine, 1);

  *line = (SsappForceLine){g_strdup (title), words};
  g_ptr_array_add (list, line);
}

/* Whether an item of the scene is of what is selected: a body, or an entry of one of the lists. */
static gboolean
is_of_selected (const SsScene *scene, const SsForceItem *item, const char *body, const char *path, const char *name)
{
  const gboolean is_joint = item->kind == SS_FORCE_OF_JOINT || item->kind == SS_FORCE_OF_LIMIT ||
                            item->kind == SS_FORCE_OF_FRICTION || item->kind == SS_FORCE_OF_DRIVE;

  if (item->kind == SS_FORCE_OF_POINT || item->state == SS_FORCE_IS_APART)
    return FALSE;
  for (int side = 0; body != NULL && side < 2; side++)
    if (item->body[side] >= 0 && strcmp (scene->bodies[item->body[side]].name, body) == 0)
      return TRUE;
  if (body != NULL || name == NULL || item->kind == SS_FORCE_OF_CONTACT)
    return FALSE;
  if (item->kind == SS_FORCE_OF_ACTUATOR && g_str_has_prefix (path, "scene.joints") &&
      scene->actuators[item->index].joint >= 0)
    return strcmp (scene->joints[scene->actuators[item->index].joint].name, name) == 0;
  return g_str_has_prefix (path, is_joint                           ? "scene.joints"
                                 : item->kind == SS_FORCE_OF_SPRING ? "scene.springs"
                                                                    : "scene.actuators") &&
         strcmp (ssapp_forces_name (scene, item), name) == 0;
}

/* At that state, of a scene with the names of the document's. */
static void
find_forces (SsappContactWatch *self, const SsScene *scene, double t, const double *q, const double *v)
{
  const char *body = ssapp_document_get_selected (self->document),
             *path = ssapp_document_get_selected_item (self->document);
  SsappItem *item = path != NULL ? ssapp_document_get_item (self->document, path) : NULL;
  SsForces *forces = NULL;

  if ((body != NULL || item != NULL) && ss_forces_at (scene, t, q, v, NAN, &forces, NULL) == SS_OK) {
    gboolean shows_shared = FALSE;
    GPtrArray *list = g_ptr_array_new_with_free_func (free_line);
    for (int i = 0; i < forces->n; i++)
      if (is_of_selected (scene, &forces->items[i], body, path != NULL ? path : "", item != NULL ? item->name : NULL)) {
        add_line (list, ssapp_forces_name (scene, &forces->items[i]), ssapp_forces_words (scene, &forces->items[i]));
        shows_shared = shows_shared || !forces->items[i].is_unique;
      }
    g_autoptr (GPtrArray) notes = ssapp_forces_notes (forces, shows_shared);
    for (guint i = 0; list->len > 0 && i < notes->len; i++)
      add_line (list, "", g_strdup (g_ptr_array_index (notes, i)));
    if (list->len > 0)
      self->forces = g_steal_pointer (&list);
    g_clear_pointer (&list, g_ptr_array_unref);
  }
  ss_forces_free (forces);
  ssapp_item_free (item);
}

/* Whether one thing is selected that forces may be of. */
static gboolean
is_selected (SsappContactWatch *self)
{
  const char *path = ssapp_document_get_selected_item (self->document);

  return ssapp_document_count_selected (self->document) == 1 &&
         (path == NULL || g_str_has_prefix (path, "scene.joints") || g_str_has_prefix (path, "scene.springs") ||
          g_str_has_prefix (path, "scene.actuators"));
}

/* At a row of a motion with these channels; NULL: at the scene's own start. TRUE where there are or were some. */
static gboolean
update_forces (SsappContactWatch *self, const SsScene *scene, const SsChannel *channels, int n_channels,
               const double *row)
{
  const gboolean had_forces = self->forces != NULL;

  g_clear_pointer (&self->forces, g_ptr_array_unref);
  if (scene != NULL && scene->n_bodies <= SSAPP_FORCES_SHOWN_BODIES && is_selected (self)) {
    const SsTrajectory like = {.n_channels = n_channels, .channels = (SsChannel *)channels}; /* which is only read */
    g_autofree double *q = g_new0 (double, 6 * scene->n_bodies + 1);
    double *v = q + 3 * scene->n_bodies;
    if (row == NULL)
      ssapp_forces_start (scene, q, v);
    if (row == NULL || ssapp_forces_state (scene, &like, row, q, v, NULL))
      find_forces (self, scene, row != NULL ? row[MAX (ss_trajectory_quantity (&like, SS_QUANTITY_TIME), 0)] : 0, q, v);
  }
  return had_forces || self->forces != NULL;
}

const GPtrArray *
ssapp_contact_watch_get_forces (SsappContactWatch *self)
{
  g_return_val_if_fail (SSAPP_IS_CONTACT_WATCH (self), NULL);
  return self->forces;
}

/* ---- the contact ------------------------------------------------------------------------------------------------- */

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
take_over (SsappContactWatch *self, const SsScene *scene, int contact, gboolean has_reading, SsQuantity clock,
           double time, gboolean has_forces)
{
  const gboolean had_reading = self->has_reading;

  self->has_reading = has_reading;
  self->time = time;
  self->clock = clock;
  g_free (self->name);
  self->name = has_reading ? g_strdup (scene->contacts[contact].name) : NULL;
  if (has_reading || had_reading || has_forces)
    g_signal_emit (self, changed_signal, 0);
}

void
ssapp_contact_watch_show_sketch (SsappContactWatch *self)
{
  g_return_if_fail (SSAPP_IS_CONTACT_WATCH (self));
  const SsScene *scene = ssapp_document_get_scenario (self->document)->scene;
  const int contact = find_selected (self, scene);

  take_over (self, scene, contact, contact >= 0 && ssapp_contact_read_sketch (scene, contact, &self->reading),
             SS_QUANTITY_TIME, NAN, update_forces (self, scene, NULL, 0, NULL));
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
  gboolean has_forces = self->forces != NULL;

  if (is_selected (self) || has_forces) {
    double *row = room_for (&self->row, &self->row_size, trajectory->n_channels);
    if (is_before)
      ss_trajectory_sample_before (trajectory, t, row);
    else
      ss_trajectory_sample (trajectory, t, row);
    has_forces = update_forces (self, scene, trajectory->channels, trajectory->n_channels, row);
  }
  take_over (self, scene, contact,
             contact >= 0 && ssapp_contact_read_motion (scene, contact, &self->channels, trajectory, t, is_before,
                                                        room_for (&self->row, &self->row_size, trajectory->n_channels),
                                                        &self->reading),
             trajectory->channels[0].quantity, t, has_forces);
}

void
ssapp_contact_watch_show_row (SsappContactWatch *self, const SsScene *scene, const SsChannel *channels, int n_channels,
                              const double *row, double step)
{
  g_return_if_fail (SSAPP_IS_CONTACT_WATCH (self) && row != NULL);
  const int contact = find_selected (self, scene);
  gboolean has_last = self->last_size == n_channels && self->last[0] < row[0];
  const gboolean has_forces = update_forces (self, scene, channels, n_channels, row);

  if (contact < 0) {
    take_over (self, scene, contact, FALSE, channels[0].quantity, row[0], has_forces);
    return;
  }
  ssapp_contact_channels_find (&self->channels, scene, contact, channels, n_channels);
  take_over (self, scene, contact,
             ssapp_contact_read_row (scene, contact, &self->channels, row, has_last ? self->last : NULL, row, step,
                                     &self->reading),
             channels[0].quantity, row[0], has_forces);
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

char *
ssapp_contact_watch_describe_time (SsappContactWatch *self)
{
  g_return_val_if_fail (SSAPP_IS_CONTACT_WATCH (self), NULL);
  if (isnan (self->time))
    return NULL;
  return g_strdup_printf ("%s = %.3f s",
                          self->clock == SS_QUANTITY_NUMERICAL_TIME ? "τ"
                          : self->clock == SS_QUANTITY_IMPULSE_TIME ? ss_quantity_name (self->clock)
                                                                    : "t",
                          self->time);
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
  g_clear_pointer (&self->forces, g_ptr_array_unref);
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
