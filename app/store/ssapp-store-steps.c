/* app/store/ssapp-store-steps.c: see ssapp-store-steps.h. */
#include "app/store/ssapp-store-steps.h"

#include "app/base/ssapp-json.h"
#include "app/store/ssapp-store-walk.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Id of a run whose result is not as it was stored. */
static void
on_state (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  char **damaged = data;

  (void)number;
  (void)part;
  if (id != NULL && state == SSAPP_SUM_OTHER && *damaged == NULL)
    *damaged = g_strdup (id);
}

/* What a result was asked for; NULL: neither. Most of thousands say nothing of it, and need not be read whole. */
static SsappAskedSteps *
read_asked (const char *result)
{
  if (result == NULL || (strstr (result, "\"dt\"") == NULL && strstr (result, "\"t_end\"") == NULL))
    return NULL;
  json_t *object = json_loads (result, 0, NULL);
  const json_t *asked = json_object_get (object, "asked");
  const SsappAskedSteps steps = {ssapp_json_get_real (asked, "dt"), ssapp_json_get_real (asked, "t_end")};

  json_decref (object);
  return isnan (steps.dt) && isnan (steps.t_end) ? NULL : g_memdup2 (&steps, sizeof steps);
}

GHashTable *
ssapp_store_list_steps (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  static const char *const checked[] = {"result"};
  g_autofree char *damaged = NULL;
  if (self->has_sums && !ssapp_store_walk_unsound (self, checked, G_N_ELEMENTS (checked), on_state, &damaged, error))
    return NULL;
  if (damaged != NULL) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
                 "%s: run %s is damaged: its result: " SSAPP_NOT_AS_STORED, self->path, damaged);
    return NULL;
  }
  sqlite3_stmt *s = ssapp_store_prepare (
      self, "SELECT r.id, unpack (o.result) FROM run r JOIN run_result o ON o.run = r.number WHERE r.deleted IS NULL",
      error);
  GHashTable *steps;
  int code;

  if (s == NULL)
    return NULL;
  steps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while ((code = sqlite3_step (s)) == SQLITE_ROW) {
    SsappAskedSteps *asked = read_asked ((const char *)sqlite3_column_text (s, 1));
    if (asked != NULL)
      g_hash_table_insert (steps, g_strdup ((const char *)sqlite3_column_text (s, 0)), asked);
  }
  if (code != SQLITE_DONE) {
    ssapp_store_set_error (self, error, "read steps");
    g_clear_pointer (&steps, g_hash_table_unref);
  }
  ssapp_store_end_statement (self, s);
  return steps;
}
