/* app/job/ssapp-reasons.c: see the header. */
#include "app/job/ssapp-reasons.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-record.h"

#include <math.h>
#include <string.h>

#define LINK_PREFIX "t:"

static const char *
kind_word (int kind)
{
  return ss_reason_name ((SsReasonKind)kind);
}

static const SsappRecordField reason_fields[] = {
    SSAPP_FIELD_OF (SsReason, kind, "kind", WORD, kind_word, SS_REASON_COUNT, SS_REASON_ROW,
                    "what is not as it should be"),
    SSAPP_FIELD (SsReason, text, "text", TEXT, "", "the reason in words"),
    SSAPP_FIELD (SsReason, value, "value", REAL, "`unit`", "how much, >= 0"),
    SSAPP_FIELD (SsReason, unit, "unit", TEXT, "", "unit of `value`; empty for shares, counts and rows"),
    SSAPP_FIELD (SsReason, t, "t", REAL, "s", "when it is worst; null: of no time"),
    SSAPP_FIELD (SsReason, until, "until", REAL, "s", "when it ends; null: it has no length")};
const SsappRecord ssapp_reason_record = SSAPP_RECORD (SsReason, reason_fields);

json_t *
ssapp_reasons_to_json (const SsReasons *reasons)
{
  g_return_val_if_fail (reasons != NULL, NULL);
  return ssapp_records_to_json (&ssapp_reason_record, reasons->items, reasons->n);
}

void
ssapp_reasons_from_json (const json_t *result, SsReasons *reasons)
{
  g_return_if_fail (reasons != NULL);

  const json_t *list = json_object_get (result, "reasons"), *item;
  size_t i;

  *reasons = (SsReasons){0};
  json_array_foreach ((json_t *)list, i, item)
  {
    if (ssapp_json_get_string (item, "text") != NULL && reasons->n < SS_REASONS_MAX)
      ssapp_record_from_json (&ssapp_reason_record, item, &reasons->items[reasons->n++]);
  }
}

/* The text, each "t = 1.2 s" in it a link to that instant. */
static void
append_markup (GString *markup, const char *text)
{
  static const char before[] = "t = ", after[] = " s";
  const char *at;

  while ((at = strstr (text, before)) != NULL) {
    char *end;
    const double t = g_ascii_strtod (at + strlen (before), &end);
    const gboolean is_time = end > at + strlen (before) && g_str_has_prefix (end, after) && isfinite (t);
    const char *next = is_time ? end + strlen (after) : at + strlen (before);
    g_autofree char *left = g_markup_escape_text (text, at - text), *words = g_markup_escape_text (at, next - at);
    char number[G_ASCII_DTOSTR_BUF_SIZE];

    g_string_append (markup, left);
    if (is_time)
      g_string_append_printf (markup, "<a href=\"" LINK_PREFIX "%s\">%s</a>", g_ascii_dtostr (number, sizeof number, t),
                              words);
    else
      g_string_append (markup, words);
    text = next;
  }
  g_autofree char *rest = g_markup_escape_text (text, -1);
  g_string_append (markup, rest);
}

char *
ssapp_reasons_dup_markup (const SsReasons *reasons)
{
  g_return_val_if_fail (reasons != NULL, NULL);
  GString *markup = g_string_new (NULL);

  for (int i = 0; i < reasons->n; i++) {
    g_autofree char *valid = g_utf8_make_valid (reasons->items[i].text, -1);

    if (i > 0)
      g_string_append_c (markup, '\n');
    append_markup (markup, valid);
  }
  return g_string_free (markup, FALSE);
}

double
ssapp_reason_link_time (const char *link)
{
  return g_str_has_prefix (link, LINK_PREFIX) ? g_ascii_strtod (link + strlen (LINK_PREFIX), NULL) : NAN;
}
