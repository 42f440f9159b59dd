/* app/job/ssapp-reasons.c: see the header. */
#include "app/job/ssapp-reasons.h"

#include "app/base/ssapp-json.h"

#include <math.h>
#include <string.h>

#define LINK_PREFIX "t:"

json_t *
ssapp_reasons_to_json (const SsReasons *reasons)
{
  json_t *list = json_array ();

  for (int i = 0; i < reasons->n; i++) {
    const SsReason *reason = &reasons->items[i];
    g_autofree char *text = g_utf8_make_valid (reason->text, -1);

    json_array_append_new (list,
                           json_pack ("{s:s, s:s, s:o, s:s, s:o, s:o}", "kind", ss_reason_name (reason->kind), "text",
                                      text, "value", ssapp_json_real (reason->value), "unit", reason->unit, "t",
                                      ssapp_json_real (reason->t), "until", ssapp_json_real (reason->until)));
  }
  return list;
}

void
ssapp_reasons_from_json (const json_t *result, SsReasons *reasons)
{
  const json_t *list = json_object_get (result, "reasons"), *item;
  size_t i;

  *reasons = (SsReasons){0};
  json_array_foreach ((json_t *)list, i, item)
  {
    const char *kind = ssapp_json_get_string (item, "kind"), *text = ssapp_json_get_string (item, "text"),
               *unit = ssapp_json_get_string (item, "unit");
    SsReason *reason = &reasons->items[reasons->n];

    if (text == NULL)
      continue;
    if (reasons->n == SS_REASONS_MAX)
      break;
    reasons->n++;
    reason->kind = kind != NULL ? ss_reason_find (kind) : SS_REASON_COUNT;
    if (reason->kind == SS_REASON_COUNT)
      reason->kind = SS_REASON_ROW;
    reason->value = ssapp_json_get_real (item, "value");
    reason->t = ssapp_json_get_real (item, "t");
    reason->until = ssapp_json_get_real (item, "until");
    g_strlcpy (reason->text, text, sizeof reason->text);
    g_strlcpy (reason->unit, unit != NULL ? unit : "", sizeof reason->unit);
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
