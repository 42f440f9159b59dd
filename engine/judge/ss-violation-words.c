/* engine/judge/ss-violation-words.c: what a row of a plan is about, in words of the scene.
 *
 * Transcriptions name a row "block.owner what" (ss_transcription_add_row): owner is a body, a contact (".1" behind it:
 * its second point), a joint, a variable of one of these ("box.x"), or none of the scene's ("h", "all"). What has no
 * words here keeps its own.
 */
#include "judge/ss-reasons-private.h"
#include "judge/ss-violations-private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *block, *what; /* NULL: any; what: its beginning, up to a space or the end */
  const char *text;         /* of the row, or of a pair's product */
  const char *first, *second;
} Words;

static const Words words[] = {
    {"dynamics", "x", "x changes by the step times vx", NULL, NULL},
    {"dynamics", "y", "y changes by the step times vy", NULL, NULL},
    {"dynamics", "theta", "the angle changes by the step times omega", NULL, NULL},
    {"dynamics", "vx", "vx changes by the forces along x", NULL, NULL},
    {"dynamics", "vy", "vy changes by the forces along y", NULL, NULL},
    {"dynamics", "omega", "omega changes by the torques", NULL, NULL},
    {"dynamics", "balance", "the joint's velocity changes by the forces", NULL, NULL},
    {"contact", "gap", "no normal force at a distance", "no overlap: gap >= 0", "no pull: normal force >= 0"},
    {"contact", "friction forward", "sliding forward only with full friction", "sliding speed >= 0",
     "friction within its cone (forward)"},
    {"contact", "friction back", "sliding back only with full friction", "sliding speed back >= 0",
     "friction within its cone (back)"},
    {"contact", "direction", "the normal is a direction", NULL, NULL},
    {"contact", "weights", "the nearest point is on the body", NULL, NULL},
    {"contact", "weight", "the nearest point is on a corner or edge that bears", "the nearest point is no nearer",
     "weights of corners >= 0"},
    {"joint", "closed", "the joint is closed", NULL, NULL},
    {"limit", "limit", "a limit pushes only where it is reached", "the joint is within its range",
     "a limit does not pull"},
    {"cross", "gap", "no normal force at a distance, within an element", NULL, NULL},
    {"cross", "slip", "friction against the way it slides, within an element", NULL, NULL},
    {"cross", "cone", "sliding only with full friction, within an element", NULL, NULL},
    {"impulse", "gap", "no impulse at a distance", NULL, NULL},
    {"impulse", "restitution", "an impulse only where it bounces as the law says", NULL, NULL},
    {"start", NULL, "starts where the scene has it", NULL, NULL},
    {"target", NULL, "ends at its target", NULL, NULL},
    {"bounds", "lower", "not below its lower bound", NULL, NULL},
    {"bounds", "upper", "not above its upper bound", NULL, NULL},
    {"controls", "lower", "control not below its lower limit", NULL, NULL},
    {"controls", "upper", "control not above its upper limit", NULL, NULL},
};

static bool
begins_word (const char *text, const char *word)
{
  const size_t n = strlen (word);

  return strncmp (text, word, n) == 0 && (text[n] == '\0' || text[n] == ' ');
}

static const Words *
find_words (const char *block, const char *what)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (words[i].block, block) == 0 && (words[i].what == NULL || begins_word (what, words[i].what)))
      return &words[i];
  return NULL;
}

/* Whether the text is about that name; longer names are about themselves. */
static bool
is_about (const char *text, const char *name, size_t *length)
{
  const size_t n = strlen (name);

  if (n <= *length || strncmp (text, name, n) != 0 || (text[n] != '\0' && text[n] != ' ' && text[n] != '.'))
    return false;
  *length = n;
  return true;
}

/* What the text begins with: the index of it, by the longest name. */
typedef struct {
  int body, contact, joint;
  size_t length;
} Owner;

static Owner
find_owner (const SsScene *scene, const char *text)
{
  Owner owner = {-1, -1, -1, 0};
  const bool is_control = strncmp (text, "u.", 2) == 0;

  for (int i = 0; i < scene->n_bodies; i++)
    if (is_about (text, scene->bodies[i].name, &owner.length))
      owner = (Owner){i, -1, -1, owner.length};
  for (int i = 0; i < scene->n_joints; i++)
    if (is_about (text, scene->joints[i].name, &owner.length))
      owner = (Owner){-1, -1, i, owner.length};
  for (int i = 0; i < scene->n_contacts; i++)
    if (is_about (text, scene->contacts[i].name, &owner.length))
      owner = (Owner){-1, i, -1, owner.length};
  for (int i = 0; i < scene->n_actuators && is_control; i++) {
    size_t length = owner.length > 2 ? owner.length - 2 : 0;

    if (is_about (text + 2, scene->actuators[i].name, &length))
      owner = (Owner){scene->actuators[i].body, -1, scene->actuators[i].joint, length + 2};
  }
  return owner;
}

/* What follows the owner: without the dot of a variable and the number of a point, which *point is then. */
static const char *
skip_point (const char *text, int *point)
{
  const char *end = text;

  if (*text == '.' && isdigit ((unsigned char)text[1])) {
    *point = atoi (text + 1);
    for (end = text + 1; isdigit ((unsigned char)*end);)
      end++;
  }
  if (*end != '\0' && (*end == ' ' || *end == '.'))
    return end + 1;
  return end;
}

static void
name_owner (const SsScene *scene, const Owner *owner, SsViolation *out)
{
  int body = owner->body;

  if (owner->contact >= 0) {
    snprintf (out->contact, sizeof out->contact, "%s", scene->contacts[owner->contact].name);
    body = ss_reason_on (scene, owner->contact);
  }
  if (owner->joint >= 0) {
    snprintf (out->joint, sizeof out->joint, "%s", scene->joints[owner->joint].name);
    body = scene->joints[owner->joint].body_b;
  }
  if (body >= 0)
    snprintf (out->body, sizeof out->body, "%s", scene->bodies[body].name);
}

void
ss_violation_name (const SsScene *scene, const SsModelBlock *block, const SsModelRow *row, const char *part,
                   SsViolation *out)
{
  SS_ASSERT (row != NULL);

  const char *name = block->name != NULL ? block->name : "", *path = row->path != NULL ? row->path : "";
  const size_t skipped = strlen (name);
  const bool is_first = strcmp (part, " (first)") == 0, is_second = strcmp (part, " (second)") == 0;

  if (strncmp (path, name, skipped) != 0 || path[skipped] != '.')
    return;
  const char *text = path + skipped + 1;
  const Owner owner = find_owner (scene, text);
  const char *what = skip_point (text + owner.length, &out->point);
  const Words *known = find_words (name, what);
  const char *said = known == NULL ? NULL : is_first ? known->first : is_second ? known->second : known->text;

  name_owner (scene, &owner, out);
  if (said != NULL)
    snprintf (out->equation, sizeof out->equation, "%s", said);
  else if (row->kind == SS_ROWS_COMPLEMENTARY && !is_first && !is_second)
    snprintf (out->equation, sizeof out->equation, "%.60s: %.60s, one of the two is 0", name, what);
  else
    snprintf (out->equation, sizeof out->equation, "%.60s: %.60s %s 0", name, what,
              row->kind == SS_ROWS_EQUALITY ? "=" : ">=");
}
