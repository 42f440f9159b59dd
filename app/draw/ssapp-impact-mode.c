/* app/draw/ssapp-impact-mode.c: see the header. */
#include "app/draw/ssapp-impact-mode.h"

#include "app/draw/ssapp-draw-parts.h"
#include "impact/ss-impact-law.h"

#include <math.h>

guint32
ssapp_joint_mode_of (const double *vn, const double *vt, int n_contacts, int stride)
{
  g_return_val_if_fail (
      (vn != NULL || n_contacts == 0) && (vt != NULL || n_contacts == 0) && n_contacts >= 0 && n_contacts <= 16, 0);

  static const SsappContactAfter own[SS_IMPACT_MODES] = {[SS_IMPACT_LIFT] = SSAPP_CONTACT_LIFTS,
                                                         [SS_IMPACT_STICK] = SSAPP_CONTACT_STICKS,
                                                         [SS_IMPACT_SLIDE_UP] = SSAPP_CONTACT_SLIDES_PLUS,
                                                         [SS_IMPACT_SLIDE_DOWN] = SSAPP_CONTACT_SLIDES_MINUS};
  guint32 code = 0;

  for (int i = 0; i < n_contacts; i++) {
    const gsize at = (gsize)i * (gsize)stride;
    const guint32 mode = own[ss_impact_mode (vn[at], vt[at], SS_IMPACT_MODE_TOLERANCE)];
    code |= mode << (2 * i);
  }
  return code;
}

SsappContactAfter
ssapp_joint_mode_contact (guint32 mode, int contact)
{
  return (SsappContactAfter)((mode >> (2 * contact)) & 3U);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char *
verb_of (SsappContactAfter mode, gboolean is_plural)
{
  static const char *const one[] = {"sticks", "slides →", "slides ←", "lifts"}, *const several[] = {"stick", "slide →",
                                                                                                    "slide ←", "lift"};
  return is_plural ? several[mode] : one[mode];
}

/* Contacts of one mode stand together, in the order of the first of each. */
static void
append_group (GString *text, guint32 mode, SsappContactAfter contact_mode, const char *const *contacts, int n_contacts)
{
  int n = 0;

  for (int i = 0; i < n_contacts; i++)
    if (ssapp_joint_mode_contact (mode, i) == contact_mode) {
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", contacts[i]);
      n++;
    }
  g_string_append_printf (text, " %s", verb_of (contact_mode, n > 1));
}

char *
ssapp_joint_mode_name (guint32 mode, const char *const *contacts, int n_contacts)
{
  const SsappContactAfter first = ssapp_joint_mode_contact (mode, 0);
  GString *text = g_string_new (NULL);
  gboolean is_one = TRUE;
  guint seen = 0;

  for (int i = 1; i < n_contacts; i++)
    is_one &= ssapp_joint_mode_contact (mode, i) == first;
  if (n_contacts > 1 && is_one)
    g_string_append_printf (text, "%s %s", n_contacts == 2 ? "both" : "all", verb_of (first, TRUE));
  else
    for (int i = 0; i < n_contacts; i++) {
      const SsappContactAfter own = ssapp_joint_mode_contact (mode, i);
      if ((seen & (1U << own)) == 0)
        append_group (text, mode, own, contacts, n_contacts);
      seen |= 1U << own;
    }
  return g_string_free (text, FALSE);
}

/* ---- looks ------------------------------------------------------------------------------------------------------- */

/* Which contacts lift decides hue and shape, what the others do tint and filling. */
typedef enum { FAMILY_A, FAMILY_B, FAMILY_NONE, FAMILY_BOTH, N_FAMILIES } Family;
enum { N_TINTS = 3, N_SHAPES = 6, N_FILLINGS = 4 };
static const struct {
  guint32 on_light, on_dark;
} tints[N_FAMILIES][N_TINTS] = {
    [FAMILY_A] = {{0x56B4E9, 0x9AD4F5}, {0x0072B2, 0x62B5EE}, {0x1B4F91, 0x5A8FE0}}, /* B sticks, slides +, - */
    [FAMILY_B] = {{0xE69F00, 0xF8C85C}, {0x8F3B00, 0xE0793A}, {0xBF4F00, 0xFF9D5C}},
    [FAMILY_NONE] = {{0x3D3846, 0xE5E1EE}, {0x00795A, 0x4FD1A5}, {0xA8447F, 0xEF8FC4}},
    [FAMILY_BOTH] = {{0x6B3FA0, 0xC3A1F0}, {0x6B3FA0, 0xC3A1F0}, {0x6B3FA0, 0xC3A1F0}},
};

static SsappColor
tint (const SsappStyle *style, Family family, int number)
{
  const gboolean is_dark = style->is_dark && !style->is_paper;
  const guint32 hex = is_dark ? tints[family][number].on_dark : tints[family][number].on_light;
  return (SsappColor){((hex >> 16) & 0xFF) / 255., ((hex >> 8) & 0xFF) / 255., (hex & 0xFF) / 255., 1.};
}

static SsappJointFilling
filling_of (SsappContactAfter mode)
{
  return mode == SSAPP_CONTACT_SLIDES_PLUS    ? SSAPP_JOINT_RIGHT_HALF
         : mode == SSAPP_CONTACT_SLIDES_MINUS ? SSAPP_JOINT_LEFT_HALF
                                              : SSAPP_JOINT_HOLLOW;
}

/* No contact lifts: both alike are a diamond or a triangle that points where they slide, else it is partly filled. */
static void
look_of_resting (const SsappStyle *style, SsappContactAfter a, SsappContactAfter b, SsappJointLook *out)
{
  if (a == b) {
    out->shape = a == SSAPP_CONTACT_STICKS        ? SSAPP_JOINT_DIAMOND
                 : a == SSAPP_CONTACT_SLIDES_PLUS ? SSAPP_JOINT_RIGHT
                                                  : SSAPP_JOINT_LEFT;
    out->filling = SSAPP_JOINT_FULL;
    out->color = tint (style, FAMILY_NONE, a);
    return;
  }
  const gboolean a_sticks = a == SSAPP_CONTACT_STICKS, b_sticks = b == SSAPP_CONTACT_STICKS;
  out->shape = a_sticks ? SSAPP_JOINT_DIAMOND : b_sticks ? SSAPP_JOINT_RIGHT : SSAPP_JOINT_STAR;
  out->filling = filling_of (a_sticks ? b : a);
  if (!a_sticks && b_sticks) /* a triangle's direction has said it */
    out->shape = a == SSAPP_CONTACT_SLIDES_PLUS ? SSAPP_JOINT_RIGHT : SSAPP_JOINT_LEFT;
  if (!a_sticks && b_sticks)
    out->filling = SSAPP_JOINT_HOLLOW;
  out->color = tint (style, FAMILY_NONE, (a_sticks ? b : a) == SSAPP_CONTACT_SLIDES_PLUS ? 1 : 2);
}

static void
look_of_two (const SsappStyle *style, guint32 mode, SsappJointLook *out)
{
  const SsappContactAfter a = ssapp_joint_mode_contact (mode, 0), b = ssapp_joint_mode_contact (mode, 1);
  const gboolean a_lifts = a == SSAPP_CONTACT_LIFTS, b_lifts = b == SSAPP_CONTACT_LIFTS;

  if (a_lifts && b_lifts)
    *out = (SsappJointLook){tint (style, FAMILY_BOTH, 0), SSAPP_JOINT_STAR, SSAPP_JOINT_FULL};
  else if (a_lifts)
    *out = (SsappJointLook){tint (style, FAMILY_A, b), SSAPP_JOINT_CIRCLE, filling_of (b)};
  else if (b_lifts)
    *out = (SsappJointLook){tint (style, FAMILY_B, a), SSAPP_JOINT_SQUARE, filling_of (a)};
  else
    look_of_resting (style, a, b, out);
}

static void
look_of_one (const SsappStyle *style, SsappContactAfter mode, SsappJointLook *out)
{
  out->filling = SSAPP_JOINT_FULL;
  out->shape = mode == SSAPP_CONTACT_LIFTS         ? SSAPP_JOINT_CIRCLE
               : mode == SSAPP_CONTACT_STICKS      ? SSAPP_JOINT_DIAMOND
               : mode == SSAPP_CONTACT_SLIDES_PLUS ? SSAPP_JOINT_RIGHT
                                                   : SSAPP_JOINT_LEFT;
  out->color = mode == SSAPP_CONTACT_LIFTS ? tint (style, FAMILY_A, 1) : tint (style, FAMILY_NONE, (int)mode);
}

void
ssapp_joint_mode_look (const SsappStyle *style, guint32 mode, int n_contacts, int rank, SsappJointLook *out)
{
  g_return_if_fail (style != NULL && n_contacts >= 0 && rank >= 0 && out != NULL);

  static const struct {
    Family family;
    int number;
  } order[] = {{FAMILY_A, 1},    {FAMILY_B, 2}, {FAMILY_NONE, 1}, {FAMILY_NONE, 2}, {FAMILY_B, 0},
               {FAMILY_BOTH, 0}, {FAMILY_A, 0}, {FAMILY_NONE, 0}, {FAMILY_B, 1},    {FAMILY_A, 2}};

  if (n_contacts == 1) {
    look_of_one (style, ssapp_joint_mode_contact (mode, 0), out);
  } else if (n_contacts == 2) {
    look_of_two (style, mode, out);
  } else {
    const int place = rank % (int)G_N_ELEMENTS (order);
    out->color = tint (style, order[place].family, order[place].number);
    out->shape = (SsappJointShape)(rank % N_SHAPES);
    out->filling = (SsappJointFilling)((rank / N_SHAPES) % N_FILLINGS);
  }
}

SsappColor
ssapp_contact_color (const SsappStyle *style, int contact)
{
  SsappMethodStyle look;

  ssapp_style_look (style, contact, &look);
  return look.color;
}

/* ---- markers ----------------------------------------------------------------------------------------------------- */

static void
shape_path (cairo_t *cr, SsappJointShape shape, double x, double y, double radius)
{
  /* Radii so that all shapes look equally large. */
  static const double SQUARE = 0.88, DIAMOND = 1.25, TRIANGLE = 1.25, STAR = 1.3, STAR_INNER = 0.5;

  cairo_new_path (cr);
  switch (shape) {
  case SSAPP_JOINT_SQUARE:
    cairo_rectangle (cr, x - SQUARE * radius, y - SQUARE * radius, 2 * SQUARE * radius, 2 * SQUARE * radius);
    break;
  case SSAPP_JOINT_DIAMOND:
    for (int k = 0; k < 4; k++)
      cairo_line_to (cr, x + DIAMOND * radius * sin (k * G_PI_2), y - DIAMOND * radius * cos (k * G_PI_2));
    break;
  case SSAPP_JOINT_RIGHT:
  case SSAPP_JOINT_LEFT:
    for (int k = 0; k < 3; k++) {
      const double along = TRIANGLE * radius * cos (k * 2 * G_PI / 3);
      cairo_line_to (cr, shape == SSAPP_JOINT_RIGHT ? x + along : x - along,
                     y + TRIANGLE * radius * sin (k * 2 * G_PI / 3));
    }
    break;
  case SSAPP_JOINT_STAR:
    for (int k = 0; k < 8; k++) {
      const double r = radius * (k % 2 == 0 ? STAR : STAR_INNER * STAR);
      cairo_line_to (cr, x + r * sin (k * G_PI / 4), y - r * cos (k * G_PI / 4));
    }
    break;
  case SSAPP_JOINT_CIRCLE:
  default:
    cairo_arc (cr, x, y, radius, 0, 2 * G_PI);
  }
  cairo_close_path (cr);
}

void
ssapp_joint_marker_draw (cairo_t *cr, const SsappStyle *style, const SsappJointLook *look, double x, double y,
                         double radius)
{
  g_return_if_fail (style != NULL && look != NULL);

  static const double LINE = 0.36; /* of the radius */
  const double reach = 2 * radius;

  cairo_save (cr);
  shape_path (cr, look->shape, x, y, radius);
  ssapp_set_color (cr, look->filling == SSAPP_JOINT_FULL ? look->color : ssapp_style_color (style, SSAPP_COLOR_CARD));
  cairo_fill_preserve (cr);
  if (look->filling == SSAPP_JOINT_RIGHT_HALF || look->filling == SSAPP_JOINT_LEFT_HALF) {
    cairo_save (cr);
    cairo_clip_preserve (cr);
    cairo_new_path (cr);
    cairo_rectangle (cr, look->filling == SSAPP_JOINT_RIGHT_HALF ? x : x - reach, y - reach, reach, 2 * reach);
    ssapp_set_color (cr, look->color);
    cairo_fill (cr);
    cairo_restore (cr);
    shape_path (cr, look->shape, x, y, radius);
  }
  ssapp_set_color (cr, look->color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, MAX (LINE * radius, 0.6 * style->scale));
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
pill (cairo_t *cr, double x, double y, double width, double height)
{
  const double r = height / 2, w = MAX (width, height);

  cairo_new_path (cr);
  cairo_arc (cr, x + r, y + r, r, G_PI_2, 3 * G_PI_2);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI_2, G_PI_2);
  cairo_close_path (cr);
}

void
ssapp_share_bar_draw (cairo_t *cr, const SsappStyle *style, const SsappJointLook *look, double share, double brushed,
                      double x, double y, double width, double height)
{
  g_return_if_fail (style != NULL && look != NULL);

  static const double THICKNESS = 7.;
  const double h = MIN (THICKNESS * style->scale, height), top = y + (height - h) / 2;
  const gboolean has_brush = !isnan (brushed);
  const double shown = has_brush ? brushed : share;

  cairo_save (cr);
  pill (cr, x, top, width, h);
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), 0.1));
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  if (has_brush) {
    cairo_rectangle (cr, x, top, width * share, h);
    ssapp_set_color (cr, ssapp_color_with_alpha (look->color, 0.3));
    cairo_fill (cr);
  }
  if (shown > 0.) {
    pill (cr, x + MIN (width * shown - h, 0.), top, MAX (width * shown, h), h);
    ssapp_set_color (cr, look->color);
    cairo_fill (cr);
  }
  cairo_restore (cr);
}
