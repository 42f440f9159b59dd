/* app/store/ssapp-store-beside.c: another connection on the file of a project that is open, for a thread; see
 * ssapp-store.h and ssapp-store-private.h. */
#include "app/store/ssapp-store-private.h"

SsappStore *
ssapp_store_new_beside (SsappStore *self, int flags)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  SsappStore *own = g_object_new (SSAPP_TYPE_STORE, NULL);

  own->path = g_strdup (self->path);
  own->file = g_strdup (self->file);
  own->is_whole = self->is_whole;
  own->has_sums = self->has_sums;
  own->is_read_only = (flags & SQLITE_OPEN_READONLY) != 0;
  sqlite3_open_v2 (self->file, &own->db, flags, NULL);
  sqlite3_extended_result_codes (own->db, 1);
  sqlite3_busy_timeout (own->db, SSAPP_STORE_BUSY_MS);
  ssapp_store_harden (own->db);
  return own;
}

SsappStore *
ssapp_store_open_beside (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (self->db == NULL || self->is_read_only || !ssapp_store_check_place (self, error))
    return NULL;
  SsappStore *own = ssapp_store_new_beside (self, SQLITE_OPEN_READONLY);
  if (sqlite3_errcode (own->db) == SQLITE_OK && ssapp_store_check_place (self, error))
    return own;
  g_object_unref (own);
  return NULL;
}

void
ssapp_store_interrupt (SsappStore *self)
{
  g_return_if_fail (SSAPP_IS_STORE (self));
  sqlite3_interrupt (self->db);
}
