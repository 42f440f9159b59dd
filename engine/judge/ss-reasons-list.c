/* engine/judge/ss-reasons-list.c: names and words of reasons, and the list in which they gather. */
#include "judge/ss-reasons-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reasons below this part of the worst are consequences or noise. */
static const double part_told = 0.02;

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *const kind_names[] = {
#define X(id, name) name,
    SS_REASON_LIST (X)
#undef X
};

const char *
ss_reason_name (SsReasonKind kind)
{
  SS_ASSERT (kind >= 0 && kind < SS_REASON_COUNT);
  return kind_names[kind];
}

char *
ss_reason_quantity (double value, const char *unit, char buffer[SS_REASON_QUANTITY])
{
  if (strcmp (unit, "m") == 0 && fabs (value) < 1)
    snprintf (buffer, SS_REASON_QUANTITY, "%.3g mm", 1e3 * value);
  else
    snprintf (buffer, SS_REASON_QUANTITY, "%.3g%s%s", value, unit[0] != '\0' ? " " : "", unit);
  return buffer;
}

const char *
ss_reason_body (const SsScene *scene, int body)
{
  return body >= 0 ? scene->bodies[body].name : "the world";
}

int
ss_reason_on (const SsScene *scene, int contact)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts);

  const int a = scene->contacts[contact].body_a, b = scene->contacts[contact].body_b;
  const bool a_moves = !ss_body_is_immovable (&scene->bodies[a]), b_moves = !ss_body_is_immovable (&scene->bodies[b]);

  if (a_moves != b_moves)
    return a_moves ? a : b;
  return scene->bodies[a].mass < scene->bodies[b].mass ? a : b;
}

int
ss_reason_other (const SsScene *scene, int contact, int on)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts);

  const SsContact *c = &scene->contacts[contact];

  return on == c->body_a ? c->body_b : c->body_a;
}

double
ss_reason_mobility (const SsScene *scene, int contact)
{
  SS_ASSERT (scene != NULL && contact >= 0 && contact < scene->n_contacts);

  const SsBody *a = &scene->bodies[scene->contacts[contact].body_a],
               *b = &scene->bodies[scene->contacts[contact].body_b];

  return (ss_body_is_immovable (a) ? 0 : 1 / a->mass) + (ss_body_is_immovable (b) ? 0 : 1 / b->mass);
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

SsReason *
ss_reason_take (SsReasonList *list, SsReasonKind kind, int key, double value, const char *unit, double t, double size)
{
  int i = 0;

  if (!(size >= SS_WORTH_LEAST)) /* NaN: not known */
    return NULL;
  while (i < list->n && (list->items[i].kind != kind || list->items[i].key != key))
    i++;
  if (i == list->n && list->n == SS_REASON_CANDIDATES)
    for (int k = 0; k < list->n; k++) /* in the place of the least */
      i = i == list->n || list->items[k].size < list->items[i].size ? k : i;
  else if (i == list->n)
    list->items[list->n++].size = 0;
  if (!(size > list->items[i].size))
    return NULL;
  list->items[i] = (SsReason){.kind = kind, .value = value, .t = t, .until = NAN, .size = size, .key = key};
  snprintf (list->items[i].unit, sizeof list->items[i].unit, "%s", unit);
  return &list->items[i];
}

static bool
is_hint (const SsReason *reason)
{
  return reason->kind == SS_REASON_LIMIT_REACHED || reason->kind == SS_REASON_BUDGET;
}

/* Hints after all else, of which the largest first; what is as large keeps its order. */
static bool
goes_before (const SsReason *a, const SsReason *b)
{
  return is_hint (a) != is_hint (b) ? is_hint (b) : a->size > b->size;
}

void
ss_reasons_choose (SsReasonList *list, SsReasons *out)
{
  SS_ASSERT (list != NULL && out != NULL);

  int n_hints = 0;

  for (int i = 1; i < list->n; i++) {
    const SsReason reason = list->items[i];
    int k = i;

    for (; k > 0 && goes_before (&reason, &list->items[k - 1]); k--)
      list->items[k] = list->items[k - 1];
    list->items[k] = reason;
  }
  for (int i = 0; i < list->n; i++)
    n_hints += is_hint (&list->items[i]);
  const int room = SS_REASONS_MAX - (n_hints > 0); /* one hint */
  out->n = 0;
  for (int i = 0; i < list->n - n_hints && out->n < room; i++)
    if (list->items[i].size >= part_told * list->items[0].size)
      out->items[out->n++] = list->items[i];
  if (n_hints > 0)
    out->items[out->n++] = list->items[list->n - n_hints];
}

void
ss_reasons_add (SsReasons *reasons, const SsReason *reason)
{
  SS_ASSERT (reasons != NULL);
  if (reasons->n == SS_REASONS_MAX)
    reasons->n--;
  reasons->items[reasons->n++] = *reason;
}
