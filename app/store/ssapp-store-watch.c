/* app/store/ssapp-store-watch.c: what other programs write into an open project; see ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

enum {
  LOOK_MS = 400,     /* between two looks, so that a change is told within a second */
  ORPHANS_EVERY = 5, /* looks: whether the owners of running rows are still there */
};

static gboolean
on_look (gpointer user_data)
{
  SsappStore *self = user_data;
  gint64 version = 0;
  gboolean is_changed = FALSE;

  if (self->db == NULL) {
    self->others_watch = 0;
    return G_SOURCE_REMOVE;
  }
  if (ssapp_store_read_integer (self, "PRAGMA data_version", &version, NULL)) {
    is_changed = version != self->others_version;
    self->others_version = version;
  }
  if (++self->n_looks % ORPHANS_EVERY == 0 && !self->is_read_only && ssapp_store_check_place (self, NULL)) {
    guint n = 0;
    if (ssapp_store_adopt_orphans (self, &n, NULL) && n > 0)
      is_changed = TRUE;
  }
  if (is_changed)
    ssapp_store_tell_changed (self);
  return G_SOURCE_CONTINUE;
}

void
ssapp_store_watch_others (SsappStore *self)
{
  g_return_if_fail (SSAPP_IS_STORE (self));
  if (self->db == NULL || self->others_watch != 0)
    return;
  if (!ssapp_store_read_integer (self, "PRAGMA data_version", &self->others_version, NULL))
    self->others_version = 0;
  self->others_watch = g_timeout_add (LOOK_MS, on_look, self);
}
