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
static const SsappRecord try_record = SSAPP_RECORD (SsTry, try_fields);

typedef struct {
  const char *account;
  json_t *counts;
  double best;
  int near, n;
  const SsTry *items;
} ToldTries;

static const SsappRecordField tries_fields[] = {
    SSAPP_FIELD (ToldTries, account, "account", STRING, "", "the tries in words"),
    SSAPP_FIELD_AS (ToldTries, counts, "counts", "{{count}}", false, "", "by kind and by what came of it"),
    SSAPP_FIELD (ToldTries, best, "best", REAL, "", "lowest cost of an honest one"),
    SSAPP_FIELD (ToldTries, near, "near", INTEGER, "", "honest ones near to it"),
    SSAPP_FIELD_ITEMS_OF (ToldTries, items, n, "list", &try_record, false, "tries that are kept")};
const SsappRecord ssapp_tries_record = SSAPP_RECORD (ToldTries, tries_fields);

json_t *
ssapp_tries_to_json (const SsTries *tries)
{
  g_return_val_if_fail (tries != NULL, NULL);
  ToldTries told = {.n = tries->n, .items = tries->items};
  char account[400];

  if (ss_tries_count (tries, SS_TRY_ENDS) == 0)
    return NULL;
  told.counts = json_object ();
  for (int k = 0; k < SS_TRY_KINDS; k++) {
    json_t *ends = json_object ();
    for (int e = 0; e < SS_TRY_ENDS; e++)
      json_object_set_new (ends, ss_try_end_name ((SsTryEnd)e), json_integer (tries->counts[k][e]));
    json_object_set_new (told.counts, ss_try_kind_name ((SsTryKind)k), ends);
  }
  told.best = ss_tries_best (tries, &told.near);
  ss_tries_describe (tries, account, sizeof account);
  told.account = account;
  return ssapp_record_give_to_json (&ssapp_tries_record, &told);
}

void
ssapp_tries_from_json (const json_t *result, SsTries *tries)
{
  g_return_if_fail (tries != NULL);

  const json_t *object = json_object_get (result, "tries"), *list = json_object_get (object, "list"),
               *counts = json_object_get (object, "counts"), *item;
  size_t i;

  *tries = (SsTries){0};
  json_array_foreach ((json_t *)list, i, item)
  {
    SsTry own;
    ssapp_record_from_json (&try_record, item, &own);
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
