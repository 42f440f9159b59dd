/* app/exchange/ssapp-mjcf-actuators.c: actuators of MJCF that act along a joint. A motor's control becomes the force
 * itself; of one with a servo's law the control becomes a parameter, and the law the actuator's formula. */
#include "app/exchange/ssapp-mjcf-private.h"

#include <math.h>
#include <string.h>

#define digits ssapp_mjcf_digits

/* The force is gain ctrl + bias[0] + bias[1] length + bias[2] rate, length = gear q; it acts times gear. */
typedef struct {
  double gear, gain, bias[3];
  double control[2], force[2]; /* their ranges */
} Law;

/* FALSE: no law of that kind, which is told. */
static gboolean
read_law (SsappMjcf *self, SsappXml *element, Law *law)
{
  double gear[6] = {1}, gains[10] = {1}, bias[10] = {0};

  *law = (Law){.gain = 1};
  ssapp_mjcf_numbers (self, element, "gear", 1, 6, gear);
  law->gear = gear[0];
  if (!ssapp_mjcf_range (self, element, "ctrlrange", "ctrllimited", law->control) ||
      !ssapp_mjcf_range (self, element, "forcerange", "forcelimited", law->force))
    return FALSE;
  if (strcmp (element->name, "position") == 0) {
    law->gain = ssapp_mjcf_number (self, element, "kp", 1);
    law->bias[1] = -law->gain;
    law->bias[2] = -ssapp_mjcf_number (self, element, "kv", 0);
    if (ssapp_mjcf_number (self, element, "timeconst", 0) > 0 ||
        ssapp_mjcf_number (self, element, "dampratio", 0) > 0) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: it has a timeconst or a dampratio");
      return FALSE;
    }
  } else if (strcmp (element->name, "velocity") == 0) {
    law->gain = ssapp_mjcf_number (self, element, "kv", 1);
    law->bias[2] = -law->gain;
  } else if (strcmp (element->name, "general") == 0) {
    const char *gain = ssapp_mjcf_get (self, element, "gaintype"), *type = ssapp_mjcf_get (self, element, "biastype");
    const char *dynamics = ssapp_mjcf_get (self, element, "dyntype");
    ssapp_mjcf_numbers (self, element, "gainprm", 1, 10, gains);
    ssapp_mjcf_numbers (self, element, "biasprm", 1, 10, bias);
    law->gain = gains[0];
    if (g_strcmp0 (type, "affine") == 0)
      memcpy (law->bias, bias, sizeof law->bias);
    else if (type != NULL && strcmp (type, "none") != 0)
      dynamics = type;
    if ((gain != NULL && strcmp (gain, "fixed") != 0) || (dynamics != NULL && strcmp (dynamics, "none") != 0)) {
      ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element,
                       "is left out: only fixed gains, affine biases and no dynamics are read");
      return FALSE;
    }
  }
  return TRUE;
}

/* The force of the law, without a motor's control; g_free. NULL: none. */
static char *
formula_of (SsappMjcf *self, const SsappLink *link, const Law *law, const char *control)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (control != NULL)
    g_string_append_printf (text, "%s*%s", digits (law->gain), control);
  if (law->bias[0] != 0)
    g_string_append_printf (text, "%s(%s)", text->len > 0 ? " + " : "", digits (law->bias[0]));
  for (int i = 1; i < 3; i++)
    if (law->bias[i] != 0) {
      g_autofree char *q = ssapp_mjcf_coordinate (self, link, i == 2);
      g_string_append_printf (text, "%s(%s)*%s", text->len > 0 ? " + " : "", digits (law->bias[i] * law->gear), q);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* A joint of the scene, a body of the world's hinge or a force on it, with the number that a coordinate's force is
 * multiplied with; FALSE: none of these. */
static gboolean
write_where (SsappMjcf *self, const SsappLink *link, GString *where, double *times)
{
  const SsappLinkBody *body = SSAPP_BODY (self, link->body);

  *times = link->kind == SSAPP_LINK_HINGE ? link->sign : 1;
  if (link->joint != NULL) {
    g_string_printf (where, "\"type\": \"joint\", \"joint\": \"%s\"", link->joint);
  } else if (ssapp_mjcf_carrier (self, link->body) >= 0 || link->kind == SSAPP_LINK_FREE) {
    return FALSE;
  } else if (link->kind == SSAPP_LINK_HINGE) {
    g_string_printf (where, "\"type\": \"torque\", \"body\": \"%s\"", body->name);
  } else {
    const double angle = link->turns_with ? -body->angle : 0, length = hypot (link->dual.x, link->dual.y);
    const SsVec2 d = {link->dual.x / length, link->dual.y / length};
    const SsVec2 at = ssapp_mjcf_in_body (body, link->anchor);
    *times = length;
    g_string_printf (where, "\"type\": \"force\", \"body\": \"%s\", \"direction\": [%s, %s], \"anchor\": [%s, %s]%s",
                     body->name, digits (cos (angle) * d.x - sin (angle) * d.y),
                     digits (sin (angle) * d.x + cos (angle) * d.y), digits (at.x), digits (at.y),
                     link->turns_with ? ", \"frame\": \"body\"" : "");
  }
  return TRUE;
}

static void
append_range (GString *text, const char *low, const char *high, double a, double b)
{
  if (isfinite (fmin (a, b)))
    g_string_append_printf (text, ", \"%s\": %s", low, digits (fmin (a, b)));
  if (isfinite (fmax (a, b)))
    g_string_append_printf (text, ", \"%s\": %s", high, digits (fmax (a, b)));
}

static void
write_actuator (SsappMjcf *self, SsappXml *element, GString *actuators)
{
  const char *joint = ssapp_mjcf_get (self, element, "joint");
  g_autoptr (GString) where = g_string_new (NULL);
  double times;
  Law law;

  if (joint == NULL) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: it does not act on a joint");
    return;
  }
  const SsappLink *link = ssapp_mjcf_find_link (self, element, joint);
  if (link == NULL || !read_law (self, element, &law))
    return;
  if (!write_where (self, link, where, &times)) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: its joint is none of the scene's");
    return;
  }
  times *= law.gear;
  const gboolean is_motor = law.bias[0] == 0 && law.bias[1] == 0 && law.bias[2] == 0;
  g_autofree char *name = ssapp_mjcf_name (self, element, "motor");
  if (is_motor) {
    /* The force itself, within both ranges. */
    const double g = law.gain;
    const double low = fmax (fmin (g * law.control[0], g * law.control[1]), law.force[0]);
    const double high = fmin (fmax (g * law.control[0], g * law.control[1]), law.force[1]);
    ssapp_mjcf_open (actuators, "{\"name\": \"%s\", %s", name, where->str);
    if (g != 0 && times != 0)
      append_range (actuators, "lower", "upper", times * low, times * high);
    g_string_append_c (actuators, '}');
    if (times * g != 1)
      ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "its control is the force here, ctrl times %s",
                       digits (times * g));
    return;
  }
  g_autofree char *wanted = g_strdup_printf ("ctrl_%s", name);
  g_autofree char *control = ssapp_mjcf_name (self, NULL, wanted);
  g_autofree char *force = formula_of (self, link, &law, control);
  const double start = fmin (fmax (0, law.control[0]), law.control[1]);
  g_string_append_printf (self->parameters, "%s\n    \"%s\": {\"value\": %s", self->parameters->len > 0 ? "," : "",
                          control, digits (start));
  append_range (self->parameters, "minimum", "maximum", law.control[0], law.control[1]);
  g_string_append_printf (self->parameters, ", \"description\": \"control of %s\"}", name);
  ssapp_mjcf_open (actuators, "{\"name\": \"%s\", %s", name, where->str);
  append_range (actuators, "lower", "upper", times * law.force[0], times * law.force[1]);
  g_string_append_printf (actuators, ",\n       \"formula\": \"%s*(%s)\"}", digits (times), force);
  ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "its control is the parameter %s, its law a formula", control);
}

void
ssapp_mjcf_write_actuators (SsappMjcf *self, GString *actuators)
{
  static const char *const tags[] = {"motor", "position", "velocity", "general", NULL};

  for (guint i = 0; i < self->root->children->len; i++) {
    SsappXml *section = ssapp_xml_child (self->root, i);
    if (strcmp (section->name, "actuator") != 0)
      continue;
    section->is_read = TRUE;
    for (guint k = 0; k < section->children->len && !self->has_no_actuation; k++) {
      SsappXml *element = ssapp_xml_child (section, k);
      element->is_read = TRUE;
      if (g_strv_contains (tags, element->name))
        write_actuator (self, element, actuators);
      else
        ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: only motors and servos are read");
    }
  }
}
