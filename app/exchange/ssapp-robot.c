/* app/exchange/ssapp-robot.c: see the header. MJCF becomes a scene here; URDF becomes MJCF first. */
#include "app/exchange/ssapp-robot.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-import.h"
#include "app/exchange/ssapp-mjcf-private.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#define digits ssapp_mjcf_digits

gboolean
ssapp_robot_is_path (const char *path)
{
  return ssapp_ending_is (path, ".xml") || ssapp_ending_is (path, ".mjcf") || ssapp_ending_is (path, ".urdf");
}

/* ---- bodies of the scene ----------------------------------------------------------------------------------------- */

/* What touches nothing while other geoms of its body do would touch with them. */
static gboolean
is_shown (const SsappMjcf *self, const SsappGeom *geom)
{
  if (geom->kind == SSAPP_GEOM_NONE)
    return FALSE;
  if (geom->leader < 0 || geom->contype != 0 || geom->conaffinity != 0 || geom->is_paired)
    return TRUE;
  for (guint i = 0; i < self->geoms->len; i++) {
    const SsappGeom *other = SSAPP_GEOM (self, i);
    if (other->leader == geom->leader && other->kind != SSAPP_GEOM_NONE &&
        (other->contype != 0 || other->conaffinity != 0 || other->is_paired))
      return FALSE;
  }
  return TRUE;
}

static void
mark_paired (SsappMjcf *self)
{
  static const char *const keys[] = {"geom1", "geom2"};

  for (guint i = 0; i < self->root->children->len; i++) {
    const SsappXml *section = ssapp_xml_child (self->root, i);
    for (guint k = 0; strcmp (section->name, "contact") == 0 && k < section->children->len; k++)
      for (int e = 0; e < 2; e++) {
        const char *name = ssapp_xml_peek (ssapp_xml_child (section, k), keys[e]);
        const guint index = name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->geom_of, name)) : 0;
        if (index > 0)
          SSAPP_GEOM (self, index - 1)->is_paired = TRUE;
      }
  }
}

/* Names are what the file calls bodies; of geoms that stand still their own. */
static void
name_bodies (SsappMjcf *self)
{
  mark_paired (self);
  for (guint b = 0; b < self->bodies->len; b++) {
    SsappLinkBody *body = SSAPP_BODY (self, b);
    if (body->leader == (int)b)
      body->name = ssapp_mjcf_name (self, body->element, "body");
  }
  for (guint i = 0; i < self->geoms->len; i++) {
    SsappGeom *geom = SSAPP_GEOM (self, i);
    if (!is_shown (self, geom)) {
      if (geom->kind != SSAPP_GEOM_NONE)
        ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, geom->element,
                         "its shape is left out: it touches nothing, and others of its body do");
    } else if (geom->leader >= 0) {
      geom->scene_body = SSAPP_BODY (self, geom->leader)->name;
    } else {
      const SsappXml *of = geom->element;
      if (ssapp_xml_peek (of, "name") == NULL && geom->body >= 0)
        of = SSAPP_BODY (self, geom->body)->element;
      geom->scene_body = ssapp_mjcf_name (self, ssapp_xml_peek (of, "name") != NULL ? of : NULL,
                                          geom->kind == SSAPP_GEOM_HALF_PLANE ? "floor" : "block");
    }
  }
}

static void
append_shape (GString *text, const SsappGeom *geom, const SsappLinkBody *frame)
{
  const SsVec2 *p = (const SsVec2 *)(void *)geom->points->data;
  g_autofree SsVec2 *local = g_new (SsVec2, geom->points->len + 1);

  for (guint i = 0; i < geom->points->len; i++)
    local[i] = ssapp_mjcf_in_body (frame, p[i]);
  switch (geom->kind) {
  case SSAPP_GEOM_CIRCLE:
    g_string_append_printf (text, "{\"type\": \"circle\", \"radius\": %s", digits (geom->radius));
    if (local[0].x != 0 || local[0].y != 0)
      g_string_append_printf (text, ", \"position\": [%s, %s]", digits (local[0].x), digits (local[0].y));
    g_string_append_c (text, '}');
    break;
  case SSAPP_GEOM_CAPSULE:
    g_string_append_printf (text, "{\"type\": \"capsule\", \"radius\": %s, \"from\": [%s, %s], \"to\": [%s, %s]}",
                            digits (geom->radius), digits (local[0].x), digits (local[0].y), digits (local[1].x),
                            digits (local[1].y));
    break;
  case SSAPP_GEOM_HALF_PLANE:
    g_string_append_printf (text, "{\"type\": \"half-plane\", \"normal\": [%s, %s]}", digits (p[1].x), digits (p[1].y));
    break;
  default:
    g_string_append (text, "{\"type\": \"polygon\", \"vertices\": [");
    for (guint i = 0; i < geom->points->len; i++)
      g_string_append_printf (text, "%s[%s, %s]", i > 0 ? ", " : "", digits (local[i].x), digits (local[i].y));
    g_string_append (text, "]}");
  }
}

/* The middle of a shape's points. */
static SsVec2
middle_of (const SsappGeom *geom)
{
  const guint n = geom->kind == SSAPP_GEOM_HALF_PLANE ? 1 : geom->points->len;
  SsVec2 sum = {0, 0};

  for (guint i = 0; i < n; i++) {
    const SsVec2 p = g_array_index (geom->points, SsVec2, i);
    sum = (SsVec2){sum.x + p.x / n, sum.y + p.y / n};
  }
  return sum;
}

static void
write_still (const SsappMjcf *self, const SsappGeom *geom, GString *bodies)
{
  SsappLinkBody frame = {.centre = middle_of (geom)};

  if (geom->body >= 0 && geom->kind != SSAPP_GEOM_HALF_PLANE) { /* in the frame of the file's body */
    frame.centre = ssapp_view_of (&self->view, SSAPP_BODY (self, geom->body)->pose.at);
    frame.angle = SSAPP_BODY (self, geom->body)->angle;
  }
  ssapp_mjcf_open (bodies, "{\"name\": \"%s\", \"fixed\": true, \"position\": [%s, %s], ", geom->scene_body,
                   digits (frame.centre.x), digits (frame.centre.y));
  if (frame.angle != 0)
    g_string_append_printf (bodies, "\"angle\": %s, ", digits (frame.angle));
  g_string_append (bodies, "\"shape\": ");
  append_shape (bodies, geom, &frame);
  g_string_append_c (bodies, '}');
}

static void
write_leader (SsappMjcf *self, int leader, GString *bodies)
{
  const SsappLinkBody *body = SSAPP_BODY (self, leader);
  int n = 0;

  ssapp_mjcf_open (bodies, "{\"name\": \"%s\", \"mass\": %s, \"inertia\": %s, \"position\": [%s, %s]", body->name,
                   digits (body->mass), digits (body->inertia), digits (body->centre.x), digits (body->centre.y));
  if (body->angle != 0)
    g_string_append_printf (bodies, ", \"angle\": %s", digits (body->angle));
  if (body->velocity[0] != 0 || body->velocity[1] != 0)
    g_string_append_printf (bodies, ", \"velocity\": [%s, %s]", digits (body->velocity[0]), digits (body->velocity[1]));
  if (body->velocity[2] != 0)
    g_string_append_printf (bodies, ", \"angular_velocity\": %s", digits (body->velocity[2]));
  if (body->is_upright)
    g_string_append (bodies, ", \"lock\": [\"theta\"]");
  g_string_append (bodies, ",\n       \"shapes\": [");
  for (guint i = 0; i < self->geoms->len; i++) {
    const SsappGeom *geom = SSAPP_GEOM (self, i);
    if (geom->leader != leader || geom->scene_body == NULL)
      continue;
    if (n++ > 0)
      g_string_append (bodies, ",\n         ");
    append_shape (bodies, geom, body);
  }
  if (n == 0) {
    g_string_append (bodies, "{\"type\": \"circle\", \"radius\": 0.01}");
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, body->element,
                     "has no shape in the plane: it is drawn as a small disc that touches nothing");
  }
  g_string_append_c (bodies, ']');
  if (body->points->len > 0)
    g_string_append_printf (bodies, ",\n       \"points\": {%s}", body->points->str);
  g_string_append_c (bodies, '}');
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static void
append_list (GString *text, const char *name, const GString *list)
{
  if (list->len > 0)
    g_string_append_printf (text, ",\n    \"%s\": [%s\n    ]", name, list->str);
}

static char *
scene_text (SsappMjcf *self)
{
  enum { BODIES, CONTACTS, JOINTS, SPRINGS, CONSTRAINTS, ACTUATORS, FORCES, N_LISTS };
  static const char *const names[] = {"bodies", "contacts", "joints", "springs", "constraints", "actuators", "forces"};
  const SsVec2 gravity = ssapp_view_of (&self->view, self->gravity);
  const char *model = ssapp_xml_get (self->root, "model");
  GString *lists[N_LISTS], *scene = g_string_new (NULL), *text = g_string_new (NULL);
  json_t *title = json_string (model != NULL && *model != '\0' ? model : "robot");
  g_autofree char *name = g_strdup (model != NULL && *model != '\0' ? model : "robot");

  for (int i = 0; i < N_LISTS; i++)
    lists[i] = g_string_new (NULL);
  name_bodies (self);
  ssapp_mjcf_weigh (self);
  ssapp_mjcf_read_start (self);
  ssapp_mjcf_write_joints (self, lists[JOINTS], lists[SPRINGS], lists[FORCES], lists[CONSTRAINTS]);
  ssapp_mjcf_write_tendons (self, lists[SPRINGS], lists[JOINTS]);
  ssapp_mjcf_write_equalities (self, lists[JOINTS], lists[CONSTRAINTS]);
  ssapp_mjcf_write_actuators (self, lists[ACTUATORS]);
  ssapp_mjcf_write_contacts (self, scene, lists[CONTACTS]);
  for (guint i = 0; i < self->geoms->len; i++)
    if (SSAPP_GEOM (self, i)->leader < 0 && SSAPP_GEOM (self, i)->scene_body != NULL)
      write_still (self, SSAPP_GEOM (self, i), lists[BODIES]);
  for (guint b = 0; b < self->bodies->len; b++)
    if (SSAPP_BODY (self, b)->leader == (int)b)
      write_leader (self, (int)b, lists[BODIES]);

  g_strcanon (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", '-');
  g_autofree char *quoted = json_dumps (title, JSON_ENCODE_ANY);
  g_string_append_printf (text, "{\n  \"format\": 1,\n  \"name\": \"%.64s\",\n  \"title\": %s,\n", name, quoted);
  if (self->parameters->len > 0)
    g_string_append_printf (text, "  \"parameters\": {%s\n  },\n", self->parameters->str);
  g_string_append_printf (text, "  \"scene\": {\n    \"gravity\": [%s, %s],\n%s    \"restitution\": 0",
                          digits (gravity.x), digits (gravity.y), scene->str);
  for (int i = 0; i < N_LISTS; i++)
    append_list (text, names[i], lists[i]);
  if (lists[CONTACTS]->len == 0)
    g_string_append (text, ",\n    \"contacts\": []");
  g_string_append_printf (text, "\n  },\n  \"task\": {\"t_end\": 2, \"dt\": %s}\n}\n", digits (self->timestep));
  for (int i = 0; i < N_LISTS; i++)
    g_string_free (lists[i], TRUE);
  g_string_free (scene, TRUE);
  json_decref (title);
  return g_string_free (text, FALSE);
}

/* ---- told -------------------------------------------------------------------------------------------------------- */

static int
compare_told (gconstpointer a, gconstpointer b)
{
  const SsappTold *p = a, *q = b;

  return (p->line > q->line) - (p->line < q->line);
}

static void
hand_over (SsappMjcf *self, GPtrArray *told)
{
  g_array_sort (self->told, compare_told);
  for (guint i = 0; i < self->told->len; i++) {
    const SsappTold *t = &g_array_index (self->told, SsappTold, i);
    const char *end = t->kind != SSAPP_TOLD_WRONG ? "" : self->options->is_lossy ? " (left out)" : " (error)";
    if (t->count > 1)
      g_ptr_array_add (told, g_strdup_printf ("%s:%d: %s%s (%d places)", self->path, t->line, t->text, end, t->count));
    else
      g_ptr_array_add (told, g_strdup_printf ("%s:%d: %s%s", self->path, t->line, t->text, end));
  }
}

static void
init (SsappMjcf *self, const char *path, SsappXml *root, const SsappRobotOptions *options)
{
  *self = (SsappMjcf){
      .path = path,
      .options = options,
      .root = root,
      .source = root,
      .view = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
      .told = g_array_new (FALSE, FALSE, sizeof (SsappTold)),
      .told_once = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
      .known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
      .classes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
      .in_degrees = TRUE,
      .autolimits = TRUE,
      .sequence = "xyz",
      .inertia_from_geom = 2,
      .inertia_groups = {-INFINITY, INFINITY},
      .timestep = 0.002,
      .gravity = {0, 0, -9.81},
      .bodies = g_array_new (FALSE, FALSE, sizeof (SsappLinkBody)),
      .geoms = g_array_new (FALSE, FALSE, sizeof (SsappGeom)),
      .site_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
      .body_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
      .geom_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
      .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
      .parameters = g_string_new (NULL),
  };
  if (options->is_xy)
    self->view = (SsappView){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

static void
clear (SsappMjcf *self)
{
  for (guint b = 0; b < self->bodies->len; b++) {
    SsappLinkBody *body = SSAPP_BODY (self, b);
    for (guint i = 0; i < body->links->len; i++)
      g_free (SSAPP_LINK (body, i)->joint);
    g_array_unref (body->links);
    g_string_free (body->points, TRUE);
    g_free (body->name);
  }
  for (guint i = 0; i < self->geoms->len; i++) {
    SsappGeom *geom = SSAPP_GEOM (self, i);
    g_array_unref (geom->points);
    if (geom->leader < 0)
      g_free ((char *)geom->scene_body);
  }
  for (guint i = 0; i < self->told->len; i++)
    g_free (g_array_index (self->told, SsappTold, i).text);
  g_array_unref (self->told);
  g_array_unref (self->bodies);
  g_array_unref (self->geoms);
  g_hash_table_unref (self->told_once);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->classes);
  g_hash_table_unref (self->site_of);
  g_hash_table_unref (self->body_of);
  g_hash_table_unref (self->geom_of);
  g_hash_table_unref (self->names);
  g_string_free (self->parameters, TRUE);
}

char *
ssapp_robot_to_scene (const char *path, const char *text, gsize length, const SsappRobotOptions *options,
                      GPtrArray *told, GError **error)
{
  const char *begin = ssapp_import_skip_mark (text);
  g_autoptr (SsappXml) root = ssapp_xml_read (path, begin, length - (gsize)(begin - text), error);
  char *scene = NULL;
  SsappMjcf self;

  if (root == NULL)
    return NULL;
  const gboolean is_urdf = strcmp (root->name, "robot") == 0;
  if (!is_urdf && strcmp (root->name, "mujoco") != 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                 "%s:%d: the root element is '%s' (expected mujoco or robot)", path, root->line, root->name);
    return NULL;
  }
  init (&self, path, root, options);
  root->is_read = TRUE;
  g_autoptr (SsappXml) made = is_urdf ? ssapp_urdf_to_mjcf (&self, root) : NULL;
  if (is_urdf)
    self.root = made;
  ssapp_mjcf_read_settings (&self);
  ssapp_mjcf_read_bodies (&self);
  scene = scene_text (&self);
  ssapp_mjcf_tell_unread (&self);
  if (self.is_wrong && !options->is_lossy) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                 "%s: a scene cannot say what is marked as an error; --lossy leaves it out", path);
    g_clear_pointer (&scene, g_free);
  }
  hand_over (&self, told);
  clear (&self);
  return scene;
}
