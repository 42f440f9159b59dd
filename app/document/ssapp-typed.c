/* app/document/ssapp-typed.c: see the header. */
#include "app/document/ssapp-typed.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

static const struct {
  int n_fields;
  struct {
    const char *label, *unit;
  } fields[SSAPP_TYPED_FIELDS];
} kinds[SSAPP_N_TYPED] = {
    [SSAPP_TYPED_MOVE] = {3, {{"dx", "m"}, {"dy", "m"}, {"angle", "deg"}}},
    [SSAPP_TYPED_ALONG] = {1, {{"along", "m"}}},
    [SSAPP_TYPED_TURN] = {1, {{"angle", "deg"}}},
    [SSAPP_TYPED_BOX] = {2, {{"width", "m"}, {"height", "m"}}},
    [SSAPP_TYPED_DISC] = {1, {{"radius", "m"}}},
    [SSAPP_TYPED_LINE] = {2, {{"length", "m"}, {"angle", "deg"}}},
    [SSAPP_TYPED_GROUND] = {1, {{"angle", "deg"}}},
};

int
ssapp_typed_n_fields (SsappTypedKind kind)
{
  return kinds[kind].n_fields;
}

const char *
ssapp_typed_label (SsappTypedKind kind, int field)
{
  return kinds[kind].fields[field].label;
}

const char *
ssapp_typed_unit (SsappTypedKind kind, int field)
{
  return kinds[kind].fields[field].unit;
}

gboolean
ssapp_typed_begins (gunichar character)
{
  return character < 128 && character != 0 && strchr ("0123456789.-+(=", (int)character) != NULL;
}

void
ssapp_typed_begin (SsappTyped *self, SsappTypedKind kind)
{
  g_return_if_fail (self != NULL);
  *self = (SsappTyped){.is_active = TRUE, .kind = kind};
}

gboolean
ssapp_typed_put (SsappTyped *self, gunichar character)
{
  g_return_val_if_fail (self != NULL, FALSE);
  char *text = self->text[self->field];
  char bytes[8] = {0};
  const gsize length = strlen (text), n = (gsize)g_unichar_to_utf8 (character, bytes);

  if (!g_unichar_isprint (character) || length + n >= SSAPP_TYPED_LENGTH)
    return FALSE;
  if (character != '=' || length > 0)
    memcpy (text + length, bytes, n + 1);
  return TRUE;
}

void
ssapp_typed_erase (SsappTyped *self)
{
  g_return_if_fail (self != NULL);
  char *text = self->text[self->field];

  if (*text != '\0')
    *g_utf8_find_prev_char (text, text + strlen (text)) = '\0';
}

void
ssapp_typed_next (SsappTyped *self, int direction)
{
  g_return_if_fail (self != NULL);
  const int n = kinds[self->kind].n_fields;

  self->field = (self->field + direction + n) % n;
}

/* Whether any field says something; FALSE with an error where one is neither empty nor a number. `given` and `values`
 * have a place a field [m, rad]. */
static gboolean
ssapp_typed_values (const SsappTyped *self, const SsScenario *scenario, gboolean given[SSAPP_TYPED_FIELDS],
                    double values[SSAPP_TYPED_FIELDS], GError **error)
{
  for (int f = 0; f < SSAPP_TYPED_FIELDS; f++) {
    g_autofree char *text = g_strstrip (g_strdup (self->text[f]));

    given[f] = FALSE;
    values[f] = 0;
    if (f >= kinds[self->kind].n_fields || *text == '\0')
      continue;
    if (!ssapp_evaluate_quantity (scenario, text, kinds[self->kind].fields[f].unit, &values[f], error))
      return FALSE;
    given[f] = TRUE;
  }
  return TRUE;
}

gboolean
ssapp_typed_pose (const SsappTyped *self, const SsScenario *scenario, const double from[3], const double now[3],
                  SsVec2 along, double pose[3], GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  gboolean given[SSAPP_TYPED_FIELDS];
  double values[SSAPP_TYPED_FIELDS];

  memcpy (pose, now, 3 * sizeof *pose);
  if (!ssapp_typed_values (self, scenario, given, values, error))
    return FALSE;
  if (self->kind == SSAPP_TYPED_ALONG && given[0]) {
    const double missing = values[0] - (along.x * (now[0] - from[0]) + along.y * (now[1] - from[1]));
    pose[0] += missing * along.x;
    pose[1] += missing * along.y;
  } else if (self->kind == SSAPP_TYPED_TURN && given[0]) {
    pose[2] = values[0];
  } else if (self->kind == SSAPP_TYPED_MOVE) {
    for (int c = 0; c < 2; c++)
      if (given[c])
        pose[c] = from[c] + values[c];
    if (given[2])
      pose[2] = values[2];
  }
  return TRUE;
}

static double
with_sign (double value, double like)
{
  return like < 0 ? -value : value;
}

gboolean
ssapp_typed_point (const SsappTyped *self, const SsScenario *scenario, SsVec2 from, SsVec2 *to, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const double dx = to->x - from.x, dy = to->y - from.y;
  gboolean given[SSAPP_TYPED_FIELDS];
  double values[SSAPP_TYPED_FIELDS], length = hypot (dx, dy), angle = length > 0 ? atan2 (dy, dx) : 0;

  if (!ssapp_typed_values (self, scenario, given, values, error))
    return FALSE;
  for (int f = 0; f < 2; f++)
    if (given[f] && values[f] <= 0 && strcmp (kinds[self->kind].fields[f].unit, "m") == 0) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("The %s must be greater than 0"),
                   kinds[self->kind].fields[f].label);
      return FALSE;
    }
  switch (self->kind) {
  case SSAPP_TYPED_BOX:
    to->x = from.x + (given[0] ? with_sign (values[0], dx) : dx);
    to->y = from.y + (given[1] ? with_sign (values[1], dy) : dy);
    break;
  case SSAPP_TYPED_GROUND:
    angle = given[0] ? values[0] : angle;
    length = length > 0 ? length : 1;
    *to = (SsVec2){from.x + length * cos (angle), from.y + length * sin (angle)};
    break;
  case SSAPP_TYPED_DISC:
  case SSAPP_TYPED_LINE:
    length = given[0] ? values[0] : length;
    angle = given[1] ? values[1] : angle;
    *to = (SsVec2){from.x + length * cos (angle), from.y + length * sin (angle)};
    break;
  default:
    break;
  }
  return TRUE;
}

char *
ssapp_typed_describe (const SsappTyped *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *text = g_string_new (NULL);

  for (int f = 0; f < kinds[self->kind].n_fields; f++)
    g_string_append_printf (text, "%s%s%s%s", f > 0 ? ", " : "", kinds[self->kind].fields[f].label,
                            self->text[f][0] != '\0' ? " " : "", self->text[f]);
  return g_string_free (text, FALSE);
}
