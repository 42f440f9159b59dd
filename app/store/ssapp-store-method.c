/* app/store/ssapp-store-method.c: see the header. */
#include "app/store/ssapp-store-method.h"

#include "app/job/ssapp-own-kept.h"
#include "app/store/ssapp-store-private.h"

#include <string.h>

gboolean
ssapp_store_keep_method (SsappStore *self, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && text != NULL, FALSE);
  static const char what[] = "keep a method";
  g_autofree char *sha256 = NULL;

  if (!g_str_has_prefix (text, SSAPP_OWN_KEPT_START) || !ssapp_store_begin (self, what, error))
    return FALSE;
  const gboolean ok = ssapp_store_insert_text (self, text, &sha256, error);
  return ssapp_store_end_transaction (self, ok, what, ok ? error : NULL);
}

GPtrArray *
ssapp_store_list_methods (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *s = ssapp_store_check_open (self, error)
                        ? ssapp_store_prepare (self,
                                               "SELECT sha256, text FROM scenario_text WHERE substr (text, 1, ?1) = ?2 "
                                               "ORDER BY sha256",
                                               error)
                        : NULL;
  int code;

  if (s == NULL)
    return NULL;
  sqlite3_bind_int (s, 1, (int)strlen (SSAPP_OWN_KEPT_START));
  ssapp_store_bind_text (s, 2, SSAPP_OWN_KEPT_START);
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text (s, 1);
    g_autofree char *sha256 =
        text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, sqlite3_column_bytes (s, 1)) : NULL;
    if (g_strcmp0 (sha256, (const char *)sqlite3_column_text (s, 0)) == 0)
      g_ptr_array_add (texts, g_strdup (text));
  }
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, "list the methods");
  sqlite3_finalize (s);
  return code == SQLITE_DONE ? g_steal_pointer (&texts) : NULL;
}
