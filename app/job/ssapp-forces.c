/* app/job/ssapp-forces.c: see the header. */
#include "app/job/ssapp-forces.h"

#include "app/base/ssapp-json.h"

#include <gio/gio.h>
#include <math.h>

void
ssapp_forces_start (const SsScene *scene, double *q, double *v)
{
  g_return_if_fail (scene != NULL);
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      q[3 * i + k] = scene->bodies[i].q[k];
      v[3 * i + k] = scene->bodies[i].is_fixed ? 0 : scene->bodies[i].v[k];
    }
}

gboolean
ssapp_forces_state (const SsScene *scene, const SsTrajectory *motion, const double *row, double *q, double *v,
                    GError **error)
{
  g_return_val_if_fail (scene != NULL, FALSE);
  ssapp_forces_start (scene, q, v);
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < SS_BODY_CHANNELS; k++) {
      g_autofree char *name = g_strdup_printf ("%s.%s", scene->bodies[i].name, ss_body_channels[k]);
      const int channel = ss_trajectory_channel (motion, name);
      if (channel < 0 && ss_body_is_immovable (&scene->bodies[i]))
        continue;
      if (channel < 0 || !isfinite (row[channel])) {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the state has no number %s", name);
        return FALSE;
      }
      *(k < 3 ? &q[3 * i + k] : &v[3 * i + k - 3]) = row[channel];
    }
  return TRUE;
}

const char *
ssapp_forces_name (const SsScene *scene, const SsForceItem *item)
{
  g_return_val_if_fail (scene != NULL, NULL);
  switch (item->kind) {
  case SS_FORCE_OF_CONTACT:
  case SS_FORCE_OF_POINT:
  case SS_FORCE_OF_ROLLING:
    return scene->contacts[item->index].name;
  case SS_FORCE_OF_JOINT:
  case SS_FORCE_OF_LIMIT:
  case SS_FORCE_OF_FRICTION:
  case SS_FORCE_OF_DRIVE:
    return scene->joints[item->index].name;
  case SS_FORCE_OF_SPRING:
    return scene->springs[item->index].name;
  case SS_FORCE_OF_ACTUATOR:
    return scene->actuators[item->index].name;
  case SS_FORCE_KIND_COUNT:
    break;
  }
  return "";
}

static const char *
body_name (const SsScene *scene, int body)
{
  return body >= 0 ? scene->bodies[body].name : "world";
}

/* Of a contact its number of the point, of a limit which one; "" else. g_free. */
static char *
point_name (const SsForceItem *item)
{
  if (item->kind == SS_FORCE_OF_LIMIT)
    return g_strdup (item->point == 1 ? "upper" : "lower");
  return item->point >= 0 ? g_strdup_printf ("%d", item->point) : g_strdup ("");
}

static gboolean
is_apart (const SsForceItem *item)
{
  return item->kind == SS_FORCE_OF_CONTACT && item->state == SS_FORCE_IS_APART;
}

SsappTable *
ssapp_forces_to_table (const SsScene *scene, const SsForces *forces, const char *title)
{
  g_return_val_if_fail (scene != NULL && forces != NULL && title != NULL, NULL);

  static const struct {
    const char *key, *title, *unit;
  } numbers[] = {{"x", "x", "m"},
                 {"y", "y", "m"},
                 {"normal", "Normal", "N"},
                 {"tangential", "Tangential", "N"},
                 {"force_x", "Force x", "N"},
                 {"force_y", "Force y", "N"},
                 {"moment", "Moment", "N m"},
                 {"value", "Own", "N or N m"}};
  SsappTable *table = ssapp_table_new (title);
  gboolean shows_shared = FALSE;

  ssapp_table_add_text_column (table, "kind", "Kind");
  ssapp_table_add_text_column (table, "name", "Name");
  ssapp_table_add_text_column (table, "point", "Point");
  ssapp_table_add_text_column (table, "on", "On");
  ssapp_table_add_text_column (table, "by", "By");
  ssapp_table_add_text_column (table, "state", "State");
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    ssapp_table_add_number_column (table, numbers[i].key, numbers[i].title, numbers[i].unit, "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "unique", "Unique");
  for (int i = 0; i < forces->n; i++) {
    const SsForceItem *item = &forces->items[i];
    g_autofree char *point = point_name (item);
    if (is_apart (item))
      continue;
    const double values[] = {item->at.x,    item->at.y,    item->normal, item->tangential,
                             item->force.x, item->force.y, item->moment, item->value};
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, ss_force_kind_name (item->kind));
    ssapp_table_add_text (table, ssapp_forces_name (scene, item));
    ssapp_table_add_text (table, point);
    ssapp_table_add_text (table, body_name (scene, item->body[1]));
    ssapp_table_add_text (table, body_name (scene, item->body[0]));
    ssapp_table_add_text (table, ss_force_state_name (item->state));
    for (gsize k = 0; k < G_N_ELEMENTS (values); k++)
      ssapp_table_add_number (table, values[k]);
    ssapp_table_add_text (table, item->is_unique ? "yes" : "no");
    shows_shared = shows_shared || !item->is_unique;
  }
  g_autoptr (GPtrArray) notes = ssapp_forces_notes (forces, shows_shared);
  for (guint i = 0; i < notes->len; i++)
    ssapp_table_add_note (table, g_ptr_array_index (notes, i));
  return table;
}

json_t *
ssapp_forces_to_json (const SsScene *scene, double t, const SsForces *forces)
{
  g_return_val_if_fail (scene != NULL, NULL);
  json_t *list = json_array (), *acceleration = json_object ();

  for (int i = 0; i < forces->n; i++) {
    const SsForceItem *item = &forces->items[i];
    g_autofree char *point = point_name (item);
    json_t *object = json_pack ("{s:s, s:s, s:s, s:s, s:s}", "kind", ss_force_kind_name (item->kind), "name",
                                ssapp_forces_name (scene, item), "on", body_name (scene, item->body[1]), "by",
                                body_name (scene, item->body[0]), "state", ss_force_state_name (item->state));
    if (*point != '\0')
      json_object_set_new (object, "point", json_string (point));
    if (!isnan (item->at.x))
      json_object_set_new (object, "at",
                           json_pack ("[o, o]", ssapp_json_real (item->at.x), ssapp_json_real (item->at.y)));
    if (!isnan (item->normal)) {
      json_object_set_new (object, "normal", ssapp_json_real (item->normal));
      json_object_set_new (object, "tangential", ssapp_json_real (item->tangential));
    }
    if (!isnan (item->value))
      json_object_set_new (object, "value", ssapp_json_real (item->value));
    json_object_set_new (object, "force",
                         json_pack ("[o, o]", ssapp_json_real (item->force.x), ssapp_json_real (item->force.y)));
    json_object_set_new (object, "moment", ssapp_json_real (item->moment));
    json_object_set_new (object, "unique", json_boolean (item->is_unique));
    json_array_append_new (list, object);
  }
  for (int i = 0; i < scene->n_bodies; i++)
    json_object_set_new (acceleration, scene->bodies[i].name,
                         json_pack ("[o, o, o]", ssapp_json_real (forces->acceleration[3 * i]),
                                    ssapp_json_real (forces->acceleration[3 * i + 1]),
                                    ssapp_json_real (forces->acceleration[3 * i + 2])));
  return json_pack ("{s:i, s:o, s:b, s:b, s:b, s:b, s:i, s:b, s:o, s:o}", "format", 1, "t", ssapp_json_real (t),
                    "solved", forces->is_solved, "strikes", forces->strikes, "unique", forces->is_unique,
                    "motion_unique", forces->is_motion_unique, "answers", forces->n_answers, "all_modes",
                    forces->are_all_modes, "forces", list, "acceleration", acceleration);
}

GPtrArray *
ssapp_forces_notes (const SsForces *forces, gboolean shows_shared)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);

  if (forces->strikes)
    g_ptr_array_add (notes, g_strdup ("A contact that touches approaches: an impact is due, and the forces are those "
                                      "without it"));
  if (!forces->is_solved)
    g_ptr_array_add (notes, g_strdup ("No forces obey the law here: an impact without a collision (Painlevé)"));
  if (forces->n_answers > 1)
    g_ptr_array_add (notes, g_strdup_printf ("The law allows %d motions from here; these are the forces of one of them",
                                             forces->n_answers));
  if (!forces->are_all_modes)
    g_ptr_array_add (notes, g_strdup ("Not all combinations of stick, slip and open contacts were looked at for other "
                                      "motions: there are too many"));
  if (shows_shared)
    g_ptr_array_add (notes, g_strdup ("Forces that are not unique may be shared in other ways without a trace in the "
                                      "motion"));
  return notes;
}

char *
ssapp_forces_words (const SsScene *scene, const SsForceItem *item)
{
  g_return_val_if_fail (item != NULL, NULL);

  const char *doubt = item->is_unique ? "" : ", not unique";
  (void)scene;

  switch (item->kind) {
  case SS_FORCE_OF_CONTACT:
  case SS_FORCE_OF_POINT:
    return g_strdup_printf ("normal %.4g N, friction %.4g N, %s%s", item->normal, item->tangential,
                            ss_force_state_name (item->state), doubt);
  case SS_FORCE_OF_JOINT:
    return fabs (item->moment) > 0
               ? g_strdup_printf ("%.4g N (%.4g, %.4g), %.4g N m%s", hypot (item->force.x, item->force.y),
                                  item->force.x, item->force.y, item->moment, doubt)
               : g_strdup_printf ("%.4g N (%.4g, %.4g)%s", hypot (item->force.x, item->force.y), item->force.x,
                                  item->force.y, doubt);
  case SS_FORCE_OF_LIMIT:
  case SS_FORCE_OF_FRICTION:
  case SS_FORCE_OF_DRIVE:
  case SS_FORCE_OF_ROLLING:
    return g_strdup_printf ("%.4g, %s%s", item->value, ss_force_state_name (item->state), doubt);
  case SS_FORCE_OF_SPRING:
  case SS_FORCE_OF_ACTUATOR:
    return g_strdup_printf ("%.4g", item->value);
  case SS_FORCE_KIND_COUNT:
    break;
  }
  return g_strdup ("");
}
