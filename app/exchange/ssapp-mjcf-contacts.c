/* app/exchange/ssapp-mjcf-contacts.c: which bodies touch, and with what friction. MuJoCo says so of geoms, by masks,
 * bodies that carry each other, excludes and pairs, and takes the larger friction of two geoms; a scene says so of
 * bodies. */
#include "app/exchange/ssapp-mjcf-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int a, b; /* places among the scene's bodies, a < b */
  gboolean touches, is_mixed;
  double friction, rolling;
  const SsappXml *element;
} Pair;

typedef struct {
  SsappMjcf *self;
  GPtrArray *names; /* of the scene's bodies, in their order; borrowed */
  GArray *leaders;  /* int, of each; -1 of what stands still */
  GHashTable *places;
  GHashTable *pairs; /* of Pair by "a b" in a gint64 */
  GHashTable *excluded, *listed;
} Contacts;

/* More than bodies or geoms of a file. A number below 2^32: GLib's hash of longer ones makes their halves meet. */
#define MOST_PLACES 65521

/* Of two numbers from -1, in either order. */
static gint64
number_of (gint64 a, gint64 b)
{
  return (MIN (a, b) + 1) * MOST_PLACES + MAX (a, b) + 1;
}

static gint64 *
key_of (gint64 a, gint64 b)
{
  const gint64 key = number_of (a, b);

  return g_memdup2 (&key, sizeof key);
}

static gboolean
has_key (GHashTable *table, gint64 a, gint64 b)
{
  const gint64 key = number_of (a, b);

  return g_hash_table_contains (table, &key);
}

/* What one pair of geoms says of its bodies. */
static void
add_pair (Contacts *c, const SsappGeom *g, const SsappGeom *h, gboolean touches, double friction, double rolling)
{
  const int p = GPOINTER_TO_INT (g_hash_table_lookup (c->places, g->scene_body));
  const int q = GPOINTER_TO_INT (g_hash_table_lookup (c->places, h->scene_body));
  const gint64 key = number_of (p, q);
  Pair *pair = g_hash_table_lookup (c->pairs, &key);

  if (pair == NULL) {
    pair = g_new0 (Pair, 1);
    *pair = (Pair){MIN (p, q), MAX (p, q), touches, FALSE, friction, rolling, h->element};
    g_hash_table_insert (c->pairs, key_of (p, q), pair);
    return;
  }
  if (touches != pair->touches || (touches && (friction != pair->friction || rolling != pair->rolling)))
    pair->is_mixed = TRUE;
  if (touches && pair->touches) {
    pair->friction = fmax (pair->friction, friction);
    pair->rolling = fmax (pair->rolling, rolling);
  } else if (touches) {
    pair->touches = TRUE;
    pair->friction = friction;
    pair->rolling = rolling;
  }
}

static gboolean
is_carried (const SsappMjcf *self, int a, int b)
{
  return a >= 0 && b >= 0 && (ssapp_mjcf_carrier (self, a) == b || ssapp_mjcf_carrier (self, b) == a);
}

static void
look_at_geoms (Contacts *c, const SsappGeom *g, const SsappGeom *h)
{
  const SsappMjcf *self = c->self;
  const SsappGeom *first = g->priority >= h->priority ? g : h;
  const gboolean is_equal = g->priority == h->priority;
  const int condim = is_equal ? MAX (g->condim, h->condim) : first->condim;
  double friction = first->friction[0], rolling = first->friction[2];
  gboolean touches = (g->contype & h->conaffinity) != 0 || (h->contype & g->conaffinity) != 0;

  if (is_equal) {
    friction = fmax (g->friction[0], h->friction[0]);
    rolling = fmax (g->friction[2], h->friction[2]);
  }
  touches = touches && (self->has_no_parent_filter || !is_carried (self, g->leader, h->leader));
  touches = touches && !has_key (c->excluded, g->body, h->body);
  add_pair (c, g, h, touches, condim >= 3 ? friction : 0, condim >= 6 ? rolling : 0);
}

/* ---- the section contact ----------------------------------------------------------------------------------------- */

static int
find_body (Contacts *c, SsappXml *element, const char *key)
{
  const char *name = ssapp_mjcf_get (c->self, element, key);
  const guint index = name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (c->self->body_of, name)) : 0;

  if (index == 0 && g_strcmp0 (name, "world") != 0)
    ssapp_mjcf_tell (c->self, SSAPP_TOLD_WRONG, element, "there is no body '%.60s'", name != NULL ? name : "");
  return (int)index - 1;
}

static SsappGeom *
find_geom (Contacts *c, SsappXml *element, const char *key)
{
  const char *name = ssapp_mjcf_get (c->self, element, key);
  const guint index = name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (c->self->geom_of, name)) : 0;

  if (index > 0)
    return SSAPP_GEOM (c->self, index - 1);
  ssapp_mjcf_tell (c->self, SSAPP_TOLD_WRONG, element, "there is no geom '%.60s'", name != NULL ? name : "");
  return NULL;
}

static void
read_listed (Contacts *c, SsappXml *element)
{
  SsappMjcf *self = c->self;
  const SsappGeom *g = find_geom (c, element, "geom1"), *h = find_geom (c, element, "geom2");
  double friction[5];

  if (g == NULL || h == NULL)
    return;
  if (g->scene_body == NULL || h->scene_body == NULL || g->leader == h->leader) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: its geoms cannot touch here");
    return;
  }
  friction[0] = fmax (g->friction[0], h->friction[0]);
  friction[3] = fmax (g->friction[2], h->friction[2]);
  const int n = ssapp_mjcf_numbers (self, element, "friction", 1, 5, friction);
  if (n == 2 && friction[1] != friction[0])
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "friction is the first number in all directions");
  const int condim = ssapp_mjcf_whole (self, element, "condim", 3);
  add_pair (c, g, h, TRUE, condim >= 3 ? friction[0] : 0, condim >= 6 ? friction[3] : 0);
  g_hash_table_add (c->listed, key_of (g - SSAPP_GEOM (self, 0), h - SSAPP_GEOM (self, 0)));
}

static void
read_section (Contacts *c, gboolean of_pairs)
{
  for (guint i = 0; i < c->self->root->children->len; i++) {
    SsappXml *section = ssapp_xml_child (c->self->root, i);
    if (strcmp (section->name, "contact") != 0)
      continue;
    section->is_read = TRUE;
    for (guint k = 0; k < section->children->len; k++) {
      SsappXml *element = ssapp_xml_child (section, k);
      if (!of_pairs && strcmp (element->name, "exclude") == 0) {
        element->is_read = TRUE;
        const int a = find_body (c, element, "body1"), b = find_body (c, element, "body2");
        g_hash_table_add (c->excluded, key_of (a, b));
      } else if (of_pairs && strcmp (element->name, "pair") == 0) {
        element->is_read = TRUE;
        read_listed (c, element);
      }
    }
  }
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *p = *(Pair *const *)a, *q = *(Pair *const *)b;

  return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* The friction of most contacts. */
static double
usual_friction (const GPtrArray *pairs)
{
  double usual = 0;
  int most = 0;

  for (guint i = 0; i < pairs->len; i++) {
    const Pair *p = g_ptr_array_index (pairs, i);
    int n = 0;
    for (guint k = 0; k < MIN (pairs->len, 1000); k++) {
      const Pair *q = g_ptr_array_index (pairs, k);
      n += q->touches && q->friction == p->friction;
    }
    if (p->touches && n > most) {
      most = n;
      usual = p->friction;
    }
    if (i >= 1000)
      break;
  }
  return usual;
}

static void
write_pair (const Contacts *c, const Pair *pair, double usual, GString *contacts)
{
  ssapp_mjcf_open (contacts, "{\"bodies\": [\"%s\", \"%s\"]",
                   (const char *)g_ptr_array_index (c->names, (guint)pair->a),
                   (const char *)g_ptr_array_index (c->names, (guint)pair->b));
  if (!pair->touches)
    g_string_append (contacts, ", \"enabled\": false");
  else if (pair->friction != usual)
    g_string_append_printf (contacts, ", \"friction\": %s", ssapp_mjcf_digits (pair->friction));
  if (pair->touches && pair->rolling > 0)
    g_string_append_printf (contacts, ", \"rolling\": %s", ssapp_mjcf_digits (pair->rolling));
  g_string_append_c (contacts, '}');
}

/* Whether a scene's "all" leaves the pair out: a pin, slider or weld holds them together. */
static gboolean
is_held (const Contacts *c, const Pair *pair)
{
  const int a = g_array_index (c->leaders, int, pair->a), b = g_array_index (c->leaders, int, pair->b);
  const int child = is_carried (c->self, a, b) ? (ssapp_mjcf_carrier (c->self, a) == b ? a : b) : -1;

  return child >= 0 && SSAPP_LINK (SSAPP_BODY (c->self, child), 0)->joint != NULL;
}

static void
write_pairs (Contacts *c, GString *scene, GString *contacts)
{
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;
  guint n_touching = 0, n_changes = 0;
  const SsappXml *equality = ssapp_xml_find (c->self->root, "equality");
  gboolean needs_list = equality != NULL && equality->children->len > 0 && !c->self->has_no_equality;

  g_hash_table_iter_init (&iter, c->pairs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (pairs, value);
  g_ptr_array_sort (pairs, compare_pairs);
  const double usual = usual_friction (pairs);
  for (guint i = 0; i < pairs->len; i++) {
    const Pair *pair = g_ptr_array_index (pairs, i);
    const gboolean held = is_held (c, pair);
    n_touching += pair->touches;
    n_changes += pair->touches ? pair->friction != usual || pair->rolling > 0 : !held;
    needs_list = needs_list || (pair->touches && held);
    if (pair->touches && pair->is_mixed)
      ssapp_mjcf_tell (c->self, SSAPP_TOLD_CHANGED, pair->element,
                       "not all geoms of %s and %s touch alike: the bodies touch with friction %s",
                       (const char *)g_ptr_array_index (c->names, (guint)pair->a),
                       (const char *)g_ptr_array_index (c->names, (guint)pair->b), ssapp_mjcf_digits (pair->friction));
  }
  g_string_append_printf (scene, "    \"friction\": %s,\n", ssapp_mjcf_digits (usual));
  const gboolean lists_changes = !needs_list && n_changes <= n_touching;
  if (lists_changes && n_touching > 0)
    g_string_append (contacts, "\n      \"all\"");
  for (guint i = 0; i < pairs->len; i++) {
    const Pair *pair = g_ptr_array_index (pairs, i);
    if (lists_changes
            ? n_touching > 0 && (pair->touches ? pair->friction != usual || pair->rolling > 0 : !is_held (c, pair))
            : pair->touches)
      write_pair (c, pair, usual, contacts);
  }
}

/* Places of the scene's bodies, as ssapp-robot.c writes them: what stands still, then leaders. */
static void
place_bodies (Contacts *c)
{
  const int still = -1;

  for (guint i = 0; i < c->self->geoms->len; i++) {
    const SsappGeom *geom = SSAPP_GEOM (c->self, i);
    if (geom->leader >= 0 || geom->scene_body == NULL)
      continue;
    g_hash_table_insert (c->places, (gpointer)geom->scene_body, GINT_TO_POINTER ((int)c->names->len));
    g_ptr_array_add (c->names, (gpointer)geom->scene_body);
    g_array_append_val (c->leaders, still);
  }
  for (guint b = 0; b < c->self->bodies->len; b++) {
    const SsappLinkBody *body = SSAPP_BODY (c->self, b);
    const int leader = (int)b;
    if (body->leader != leader)
      continue;
    g_hash_table_insert (c->places, body->name, GINT_TO_POINTER ((int)c->names->len));
    g_ptr_array_add (c->names, body->name);
    g_array_append_val (c->leaders, leader);
  }
}

void
ssapp_mjcf_write_contacts (SsappMjcf *self, GString *scene, GString *contacts)
{
  Contacts c = {
      .self = self,
      .names = g_ptr_array_new (),
      .leaders = g_array_new (FALSE, FALSE, sizeof (int)),
      .places = g_hash_table_new (g_str_hash, g_str_equal),
      .pairs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free),
      .excluded = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
      .listed = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
  };
  gboolean is_too_large = FALSE;

  place_bodies (&c);
  read_section (&c, FALSE);
  if (!self->has_no_contact)
    read_section (&c, TRUE);
  for (guint i = 0; i < self->geoms->len && !is_too_large && !self->has_no_contact; i++)
    for (guint k = i + 1; k < self->geoms->len; k++) {
      const SsappGeom *g = SSAPP_GEOM (self, i), *h = SSAPP_GEOM (self, k);
      if (g->scene_body == NULL || h->scene_body == NULL || g->leader == h->leader || has_key (c.listed, i, k))
        continue;
      look_at_geoms (&c, g, h);
      is_too_large = is_too_large || g_hash_table_size (c.pairs) > 2000000;
    }
  write_pairs (&c, scene, contacts);
  g_ptr_array_unref (c.names);
  g_array_unref (c.leaders);
  g_hash_table_unref (c.places);
  g_hash_table_unref (c.pairs);
  g_hash_table_unref (c.excluded);
  g_hash_table_unref (c.listed);
}
