/* app/exchange/ssapp-mjcf-start.c: what of MJCF is neither in bodies nor in contacts: springs of tendons, and
 * velocities of the key "start". */
#include "app/exchange/ssapp-mjcf-private.h"

#include <math.h>
#include <string.h>

#define digits ssapp_mjcf_digits

/* ---- tendons ----------------------------------------------------------------------------------------------------- */

static const SsappSite *
site_of (SsappMjcf *self, SsappXml *element)
{
  const char *name = ssapp_xml_get (element, "site");
  SsappSite *site = name != NULL ? g_hash_table_lookup (self->site_of, name) : NULL;

  element->is_read = TRUE;
  if (site == NULL)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "there is no site '%.60s'", name != NULL ? name : "");
  else
    ssapp_xml_mark (site->element);
  return site;
}

static void
write_spring (SsappMjcf *self, SsappXml *element, double stiffness, double damping, GString *springs)
{
  const SsappSite *a = site_of (self, ssapp_xml_child (element, 0)), *b = site_of (self, ssapp_xml_child (element, 1));
  double rest[2] = {-1, -1};

  if (a == NULL || b == NULL)
    return;
  if (b->leader < 0) { /* "world" is the first */
    const SsappSite *other = a;
    a = b;
    b = other;
  }
  if (a->leader == b->leader) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: its bodies are one");
    return;
  }
  if (ssapp_mjcf_numbers (self, element, "springlength", 1, 2, rest) == 2 && rest[0] != rest[1])
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "springlength has two ends");
  g_autofree char *name = ssapp_mjcf_name (self, element, "spring");
  ssapp_mjcf_open (springs,
                   "{\"name\": \"%s\", \"bodies\": [\"%s\", \"%s\"], \"points\": [[%s, %s], [%s, %s]], "
                   "\"stiffness\": %s, \"damping\": %s",
                   name, ssapp_mjcf_body_name (self, a->leader), ssapp_mjcf_body_name (self, b->leader),
                   digits (a->at.x), digits (a->at.y), digits (b->at.x), digits (b->at.y), digits (stiffness),
                   digits (damping));
  if (rest[0] >= 0)
    g_string_append_printf (springs, ", \"rest\": %s", digits (rest[0]));
  g_string_append_c (springs, '}');
}

/* A length that is bounded above, over sites of what stands still: a rope. */
static void
write_rope (SsappMjcf *self, SsappXml *element, GString *joints)
{
  const guint n = element->children->len;
  double range[2] = {0, 0};
  g_autofree const SsappSite **sites = g_new0 (const SsappSite *, n);
  g_autoptr (GString) over = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    if ((sites[i] = site_of (self, ssapp_xml_child (element, i))) == NULL)
      return;
  const gboolean is_turned = sites[n - 1]->leader < 0; /* "world" is the first */
  const SsappSite *a = sites[is_turned ? n - 1 : 0], *b = sites[is_turned ? 0 : n - 1];
  for (guint i = 1; i + 1 < n; i++) {
    const SsappSite *site = sites[is_turned ? n - 1 - i : i];
    if (site->leader >= 0) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "runs over a site of a body that moves");
      return;
    }
    g_string_append_printf (over, "%s[%s, %s]", i > 1 ? ", " : "", digits (site->at.x), digits (site->at.y));
  }
  if (a->leader == b->leader) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: its bodies are one");
    return;
  }
  ssapp_mjcf_numbers (self, element, "range", 2, 2, range);
  if (range[0] > 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "has a least length");
  g_autofree char *name = ssapp_mjcf_name (self, element, "rope");
  ssapp_mjcf_open (
      joints,
      "{\"name\": \"%s\", \"type\": \"rope\", \"bodies\": [\"%s\", \"%s\"], \"points\": [[%s, %s], [%s, %s]], "
      "\"over\": [%s], \"length\": %s}",
      name, ssapp_mjcf_body_name (self, a->leader), ssapp_mjcf_body_name (self, b->leader), digits (a->at.x),
      digits (a->at.y), digits (b->at.x), digits (b->at.y), over->str, digits (range[1]));
}

static gboolean
is_over_sites (const SsappXml *element)
{
  gboolean is = strcmp (element->name, "spatial") == 0 && element->children->len >= 2;

  for (guint i = 0; is && i < element->children->len; i++)
    is = strcmp (ssapp_xml_child (element, i)->name, "site") == 0;
  return is;
}

static void
write_tendon (SsappMjcf *self, SsappXml *element, GString *springs, GString *joints)
{
  const double stiffness = self->has_no_spring ? 0 : ssapp_mjcf_number (self, element, "stiffness", 0);
  const double damping = self->has_no_damper ? 0 : ssapp_mjcf_number (self, element, "damping", 0);
  const gboolean is_limited = ssapp_mjcf_flag (self, element, "limited", ssapp_xml_peek (element, "range") != NULL);
  element->is_read = TRUE;
  if (!(stiffness > 0 || damping > 0) && !is_limited)
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: it does not pull");
  else if (is_limited && stiffness <= 0 && damping <= 0 && is_over_sites (element))
    write_rope (self, element, joints);
  else if (is_limited || !is_over_sites (element) || element->children->len != 2)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "is no spring between two sites");
  else
    write_spring (self, element, stiffness, damping, springs);
}

void
ssapp_mjcf_write_tendons (SsappMjcf *self, GString *springs, GString *joints)
{
  for (guint i = 0; i < self->root->children->len; i++) {
    SsappXml *section = ssapp_xml_child (self->root, i);
    if (strcmp (section->name, "tendon") != 0)
      continue;
    section->is_read = TRUE;
    for (guint k = 0; k < section->children->len; k++)
      write_tendon (self, ssapp_xml_child (section, k), springs, joints);
  }
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

/* Numbers of a joint in qvel. */
static int
n_rates (const SsappLink *link)
{
  return link->kind == SSAPP_LINK_FREE ? 6 : 1;
}

/* A leader moves with what carries it, and along its joints. */
static void
set_velocity (SsappMjcf *self, int leader, const double *rates)
{
  SsappLinkBody *body = SSAPP_BODY (self, leader);
  const int carrier = ssapp_mjcf_carrier (self, leader);
  double *v = body->velocity;

  if (carrier >= 0) {
    const SsappLinkBody *c = SSAPP_BODY (self, carrier);
    v[2] = c->velocity[2];
    v[0] = c->velocity[0] - v[2] * (body->centre.y - c->centre.y);
    v[1] = c->velocity[1] + v[2] * (body->centre.x - c->centre.x);
  }
  for (guint i = 0; i < body->links->len; i++) {
    const SsappLink *link = SSAPP_LINK (body, i);
    double turn = 0;
    if (link->kind == SSAPP_LINK_SLIDE) {
      v[0] += rates[0] * link->direction.x;
      v[1] += rates[0] * link->direction.y;
    } else if (link->kind == SSAPP_LINK_HINGE) {
      turn = link->sign * rates[0];
    } else {
      const SsVec2 along = ssapp_view_of (&self->view, (SsappVec3){rates[0], rates[1], rates[2]});
      const SsappVec3 about = ssapp_pose_turned (&body->pose, (SsappVec3){rates[3], rates[4], rates[5]});
      v[0] += along.x;
      v[1] += along.y;
      turn = ssapp_vec3_dot (about, self->view.normal);
    }
    v[0] -= turn * (body->centre.y - link->anchor.y);
    v[1] += turn * (body->centre.x - link->anchor.x);
    v[2] += turn;
    rates += n_rates (link);
  }
}

/* As many numbers as joints of the file have, in their order. */
static void
read_rates (SsappMjcf *self, SsappXml *key)
{
  g_auto (GStrv) words = g_strsplit_set (ssapp_xml_get (key, "qvel"), " \t\r\n", -1);
  g_autoptr (GArray) rates = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;

  for (int i = 0; words[i] != NULL; i++) {
    const double rate = g_ascii_strtod (words[i], NULL);
    if (*words[i] != '\0')
      g_array_append_val (rates, rate);
    if (!isfinite (rate))
      n = G_MAXUINT / 2;
  }
  for (guint b = 0; b < self->bodies->len; b++)
    for (guint i = 0; i < SSAPP_BODY (self, b)->links->len; i++)
      n += (guint)n_rates (SSAPP_LINK (SSAPP_BODY (self, b), i));
  if (n != rates->len) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, key, "qvel has %u numbers that are none for the joints in the plane",
                     rates->len);
    return;
  }
  n = 0;
  for (guint b = 0; b < self->bodies->len; b++) {
    if (SSAPP_BODY (self, b)->leader != (int)b)
      continue;
    set_velocity (self, (int)b, &g_array_index (rates, double, n));
    for (guint i = 0; i < SSAPP_BODY (self, b)->links->len; i++)
      n += (guint)n_rates (SSAPP_LINK (SSAPP_BODY (self, b), i));
  }
}

void
ssapp_mjcf_read_start (SsappMjcf *self)
{
  for (guint i = 0; i < self->root->children->len; i++) {
    SsappXml *section = ssapp_xml_child (self->root, i);
    for (guint k = 0; strcmp (section->name, "keyframe") == 0 && k < section->children->len; k++) {
      SsappXml *key = ssapp_xml_child (section, k);
      if (g_strcmp0 (ssapp_xml_peek (key, "name"), "start") != 0 || ssapp_xml_peek (key, "qvel") == NULL)
        continue;
      section->is_read = key->is_read = TRUE;
      read_rates (self, key);
    }
  }
}
