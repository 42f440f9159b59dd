/* app/job/ssapp-tries.c: see the header. */
#include "app/job/ssapp-tries.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-record.h"

static const char *
kind_word (int kind)
{
  return ss_try_kind_name ((SsTryKind)kind);
}

static const char *
end_word (int end)
{
  return ss_try_end_name ((SsTryEnd)end);
}

static const SsappRecordField try_fields[] = {
    SSAPP_FIELD_OF (SsTry, kind, "kind", WORD, kind_word, SS_TRY_KINDS, SS_TRY_KINDS - 1, "what was tried"),
    SSAPP_FIELD_OF (SsTry, end, "end", WORD, end_word, SS_TRY_ENDS, SS_TRY_NOT_POSSIBLE, "what came of it"),
    SSAPP_FIELD (SsTry, by, "by", TEXT, "", "who made it"),
    SSAPP_FIELD (SsTry, cost, "objective", REAL, "", "its cost")};
const SsappRecord ssapp_try_record = SSAPP_RECORD (SsTry, try_fields);

json_t *
ssapp_tries_to_json (const SsTries *tries)
{
  g_return_val_if_fail (tries != NULL, NULL);
  json_t *counts;
  char account[400];
  int near;

  if (ss_tries_count (tries, SS_TRY_ENDS) == 0)
    return NULL;
  counts = json_object ();
  for (int k = 0; k < SS_TRY_KINDS; k++) {
    json_t *ends = json_object ();
    for (int e = 0; e < SS_TRY_ENDS; e++)
      json_object_set_new (ends, ss_try_end_name ((SsTryEnd)e), json_integer (tries->counts[k][e]));
    json_object_set_new (counts, ss_try_kind_name ((SsTryKind)k), ends);
  }
  const double best = ss_tries_best (tries, &near);
  ss_tries_describe (tries, account, sizeof account);
  return json_pack ("{s:s, s:o, s:o, s:i, s:o}", "account", account, "counts", counts, "best", ssapp_json_real (best),
                    "near", near, "list", ssapp_records_to_json (&ssapp_try_record, tries->items, tries->n));
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
    SsTry own;
    ssapp_record_from_json (&ssapp_try_record, item, &own);
    const SsStatus status = ss_tries_add (
        tries, own.kind, own.end == SS_TRY_HONEST ? SS_TRY_HONEST : SS_TRY_NOT_POSSIBLE, own.cost, own.by, NULL);
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
