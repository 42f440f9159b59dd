/* app/job/ssapp-tries.c: see the header. */
#include "app/job/ssapp-tries.h"

#include "app/base/ssapp-json.h"

json_t *
ssapp_tries_to_json (const SsTries *tries)
{
  json_t *counts, *list;
  char account[400];
  int near;

  if (ss_tries_count (tries, SS_TRY_ENDS) == 0)
    return NULL;
  counts = json_object ();
  list = json_array ();
  for (int k = 0; k < SS_TRY_KINDS; k++) {
    json_t *ends = json_object ();
    for (int e = 0; e < SS_TRY_ENDS; e++)
      json_object_set_new (ends, ss_try_end_name ((SsTryEnd)e), json_integer (tries->counts[k][e]));
    json_object_set_new (counts, ss_try_kind_name ((SsTryKind)k), ends);
  }
  for (int i = 0; i < tries->n; i++) {
    const SsTry *item = &tries->items[i];
    g_autofree char *by = g_utf8_make_valid (item->by, -1);
    json_array_append_new (list, json_pack ("{s:s, s:s, s:s, s:o}", "kind", ss_try_kind_name (item->kind), "end",
                                            ss_try_end_name (item->end), "by", by, "objective",
                                            ssapp_json_real (item->cost)));
  }
  const double best = ss_tries_best (tries, &near);
  ss_tries_describe (tries, account, sizeof account);
  return json_pack ("{s:s, s:o, s:o, s:i, s:o}", "account", account, "counts", counts, "best", ssapp_json_real (best),
                    "near", near, "list", list);
}

static SsTryKind
kind_from_name (const char *name)
{
  int kind = 0;

  while (kind < SS_TRY_KINDS - 1 && g_strcmp0 (name, ss_try_kind_name ((SsTryKind)kind)) != 0)
    kind++;
  return (SsTryKind)kind;
}

void
ssapp_tries_from_json (const json_t *result, SsTries *tries)
{
  const json_t *object = json_object_get (result, "tries"), *list = json_object_get (object, "list"),
               *counts = json_object_get (object, "counts"), *item;
  size_t i;

  *tries = (SsTries){0};
  json_array_foreach ((json_t *)list, i, item)
  {
    const char *end = ssapp_json_get_string (item, "end"), *by = ssapp_json_get_string (item, "by");
    const SsStatus status =
        ss_tries_add (tries, kind_from_name (ssapp_json_get_string (item, "kind")),
                      g_strcmp0 (end, ss_try_end_name (SS_TRY_HONEST)) == 0 ? SS_TRY_HONEST : SS_TRY_NOT_POSSIBLE,
                      ssapp_json_get_real (item, "objective"), by != NULL ? by : "", NULL);
    if (status != SS_OK)
      break;
  }
  for (int k = 0; k < SS_TRY_KINDS; k++) /* of all, not of those that are listed */
    for (int e = 0; e < SS_TRY_ENDS; e++) {
      const json_t *count =
          json_object_get (json_object_get (counts, ss_try_kind_name ((SsTryKind)k)), ss_try_end_name ((SsTryEnd)e));
      tries->counts[k][e] = (int)CLAMP (json_integer_value (count), 0, G_MAXINT / (SS_TRY_KINDS * SS_TRY_ENDS));
    }
}

char *
ssapp_tries_dup_account (const json_t *result)
{
  return g_strdup (ssapp_json_get_string (json_object_get (result, "tries"), "account"));
}
