/* engine/scene/ss-sheet-read.c: reads what stands on a scene's sheet beside what moves: its measures, {"name": "reach",
 * "kind": "distance", "between": ["arm.tip", "floor"]} (scene/ss-measure.h), and its notes, {"at": [0, 1], "text":
 * "starts here"}. */
#include "scene/ss-measure.h"
#include "scene/ss-scene-private.h"

#include <string.h>

/* Text `index` of `between`, with the counters of families filled in; NULL after reporting. */
static const char *
feature_text (SsReader *reader, const SsJsonAt *at)
{
  if (!json_is_string (at->value)) {
    ss_reader_problem (reader, at, "a feature, such as \"box\", \"box.corner1\", \"floor.edge1\" or \"0,1\"",
                       "this is no feature");
    return NULL;
  }
  const char *text = ss_reader_expand (reader, at);
  return text != NULL ? ss_reader_strdup (reader, text) : NULL;
}

static void
read_measure (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  static const char *const kinds[] = {"distance", "angle"};
  SsSceneReader *scene = user_data;
  SsJsonAt member, child;
  const char *texts[2] = {NULL, NULL};
  SsMeasure measure;
  SsError err = {0};
  int kind = 0;

  if (!ss_read_is_object (reader, at))
    return;
  const char *name = ss_scene_read_name (scene, at, "measure");
  if (ss_at_member (reader, at, "kind", &member))
    kind = ss_read_choice (reader, &member, kinds, 2, "measure");
  if (!ss_read_member (reader, at, "between", "two features", &member) || kind < 0)
    return;
  if (!json_is_array (member.value) || json_array_size (member.value) != 2) {
    ss_reader_problem (reader, &member, "two features, such as [\"box\", \"floor\"]",
                       "a measure is between two features");
    return;
  }
  for (bool more = ss_at_first (reader, &member, &child); more; more = ss_at_next (reader, &child))
    texts[child.index] = feature_text (reader, &child);
  if (texts[0] == NULL || texts[1] == NULL || scene->misses_bodies)
    return;
  if (ss_measure_between (scene->bodies, scene->n_bodies, name, kind == 1, texts[0], texts[1], &measure, &err) != SS_OK)
    ss_reader_problem (reader, &member, err.expected, "%s", err.message);
  else if (ss_reader_reserve (reader, (void **)&scene->measures, &scene->measure_capacity, scene->n_measures + 1,
                              sizeof *scene->measures))
    scene->measures[scene->n_measures++] = measure;
}

static void
read_note (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  SsSceneReader *scene = user_data;
  SsJsonAt member;
  SsNote note;

  if (!ss_read_is_object (reader, at))
    return;
  note.name = ss_scene_read_name (scene, at, "note");
  if (!ss_read_member (reader, at, "at", "a place [x, y] in m", &member) || !ss_read_pair (reader, &member, &note.at) ||
      !ss_read_member (reader, at, "text", "a text in quotes", &member))
    return;
  note.text = ss_read_expanded_text (reader, at, "text", "");
  if (ss_reader_reserve (reader, (void **)&scene->notes, &scene->note_capacity, scene->n_notes + 1,
                         sizeof *scene->notes))
    scene->notes[scene->n_notes++] = note;
}

void
ss_read_sheet (SsSceneReader *scene, const SsJsonAt *scene_at)
{
  SsJsonAt at;

  ss_scene_read_list (scene, scene_at, "notes", read_note);
  ss_scene_read_list (scene, scene_at, "measures", read_measure);
  if (scene->n_measures > 0 && ss_names_find (&scene->body_names, "measure", strlen ("measure")) != NULL &&
      ss_at_member (scene->reader, scene_at, "measures", &at))
    ss_reader_problem (scene->reader, &at, "no body that is called so",
                       "'measure' is the body's name and that of the measures' channels");
}
