/* ui/canvas/ssui-motion-look.c: see the header. */
#include "ui/canvas/ssui-motion-look.h"

#include "app/draw/ssapp-overlays.h"

#include <string.h>

struct _SsuiMotionLook {
  GObject parent_instance;
  SsappRegion region;
  double seen[4];
  guint layers, usual;
  char *forces_of;
  char *marked_run;
  SsappParting mark; /* of that run */
};

G_DEFINE_FINAL_TYPE (SsuiMotionLook, ssui_motion_look, G_TYPE_OBJECT)

static guint changed_signal;

static void
ssui_motion_look_finalize (GObject *object)
{
  SsuiMotionLook *self = SSUI_MOTION_LOOK (object);

  g_free (self->marked_run);
  g_free (self->forces_of);
  ssapp_parting_clear (&self->mark);
  G_OBJECT_CLASS (ssui_motion_look_parent_class)->finalize (object);
}

static void
ssui_motion_look_class_init (SsuiMotionLookClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssui_motion_look_finalize;
  changed_signal =
      g_signal_new ("changed", SSUI_TYPE_MOTION_LOOK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssui_motion_look_init (SsuiMotionLook *self)
{
  ssapp_region_init (&self->region);
  memcpy (self->seen, self->region.bounds, sizeof self->seen);
  self->usual = ssapp_layers_default ();
}

SsuiMotionLook *
ssui_motion_look_new (void)
{
  return g_object_new (SSUI_TYPE_MOTION_LOOK, NULL);
}

const SsappRegion *
ssui_motion_look_get_region (SsuiMotionLook *self)
{
  g_return_val_if_fail (SSUI_IS_MOTION_LOOK (self), NULL);
  return &self->region;
}

void
ssui_motion_look_set_region (SsuiMotionLook *self, const SsappRegion *region)
{
  g_return_if_fail (SSUI_IS_MOTION_LOOK (self) && region != NULL);
  self->region = *region;
  g_signal_emit (self, changed_signal, 0);
}

void
ssui_motion_look_fit (SsuiMotionLook *self)
{
  g_return_if_fail (SSUI_IS_MOTION_LOOK (self));
  ssapp_region_init (&self->region);
  g_signal_emit (self, changed_signal, 0);
}

void
ssui_motion_look_set_seen (SsuiMotionLook *self, const double bounds[4])
{
  memcpy (self->seen, bounds, sizeof self->seen);
}

const double *
ssui_motion_look_get_seen (SsuiMotionLook *self)
{
  return self->seen;
}

guint
ssui_motion_look_get_layers (SsuiMotionLook *self)
{
  g_return_val_if_fail (SSUI_IS_MOTION_LOOK (self), 0);
  return self->layers;
}

void
ssui_motion_look_set_layers (SsuiMotionLook *self, guint layers)
{
  g_return_if_fail (SSUI_IS_MOTION_LOOK (self));
  if (self->layers == layers)
    return;
  self->layers = layers;
  g_signal_emit (self, changed_signal, 0);
}

void
ssui_motion_look_set_usual (SsuiMotionLook *self, guint layers)
{
  self->usual = layers;
}

static guint
shown (SsuiMotionLook *self)
{
  return self->layers != 0 ? self->layers : self->usual;
}

gboolean
ssui_motion_look_has_layer (SsuiMotionLook *self, int layer)
{
  return (shown (self) & ssapp_layer_bit (layer)) != 0;
}

void
ssui_motion_look_toggle_layer (SsuiMotionLook *self, int layer)
{
  ssui_motion_look_set_layers (self, (shown (self) ^ ssapp_layer_bit (layer)) | SSAPP_LAYERS_CHOSEN);
}

const char *
ssui_motion_look_get_forces_of (SsuiMotionLook *self)
{
  g_return_val_if_fail (SSUI_IS_MOTION_LOOK (self), NULL);
  return self->forces_of;
}

void
ssui_motion_look_set_forces_of (SsuiMotionLook *self, const char *body)
{
  g_return_if_fail (SSUI_IS_MOTION_LOOK (self));
  g_free (self->forces_of);
  self->forces_of = g_strdup (body);
  if (body != NULL)
    self->layers = shown (self) | SSAPP_LAYER_FORCES | SSAPP_LAYERS_CHOSEN;
  g_signal_emit (self, changed_signal, 0);
}

void
ssui_motion_look_set_mark (SsuiMotionLook *self, const char *run, const char *contact, const char *body, double t)
{
  g_return_if_fail (SSUI_IS_MOTION_LOOK (self));
  g_free (self->marked_run);
  ssapp_parting_clear (&self->mark);
  self->marked_run = g_strdup (run);
  self->mark = (SsappParting){.is_known = run != NULL,
                              .is_parted = run != NULL,
                              .t = t,
                              .contact = contact != NULL && *contact != '\0' ? g_strdup (contact) : NULL,
                              .body = body != NULL && *body != '\0' ? g_strdup (body) : NULL};
  g_signal_emit (self, changed_signal, 0);
}

const SsappParting *
ssui_motion_look_get_mark (SsuiMotionLook *self, const char *run)
{
  return run != NULL && g_strcmp0 (self->marked_run, run) == 0 ? &self->mark : NULL;
}
