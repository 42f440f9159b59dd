/* app/draw/ssapp-impact-mode.h: joint contact modes after an impact: their codes, names and looks. A colour never
 * stands alone: the marker's shape says which contact lifts, its filling what the others do.
 * Threads: any. Tests: tests/unit/test-plane.c
 */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* Of one contact after the impact; two bits of a joint mode's code. */
typedef enum {
  SSAPP_CONTACT_STICKS,
  SSAPP_CONTACT_SLIDES_PLUS,
  SSAPP_CONTACT_SLIDES_MINUS,
  SSAPP_CONTACT_LIFTS
} SsappContactAfter;

enum { SSAPP_JOINT_MODE_MAX_CONTACTS = 16 };
/* Code of the joint mode: contact 0 in the lowest two bits. vn, vt: speeds of n_contacts (at most 16) contacts, the
 * next one `stride` values further. */
guint32 ssapp_joint_mode_of (const double *vn, const double *vt, int n_contacts, int stride);
/* Of one contact, from the code. */
SsappContactAfter ssapp_joint_mode_contact (guint32 mode, int contact);
/* "A lifts, B slides →", "both stick", "A, B stick, C lifts"; the arrow points along the contact's tangent. g_free. */
char *ssapp_joint_mode_name (guint32 mode, const char *const *contacts, int n_contacts);

typedef enum {
  SSAPP_JOINT_CIRCLE,
  SSAPP_JOINT_SQUARE,
  SSAPP_JOINT_DIAMOND,
  SSAPP_JOINT_RIGHT, /* triangle that points right */
  SSAPP_JOINT_LEFT,
  SSAPP_JOINT_STAR
} SsappJointShape;
typedef enum { SSAPP_JOINT_FULL, SSAPP_JOINT_HOLLOW, SSAPP_JOINT_RIGHT_HALF, SSAPP_JOINT_LEFT_HALF } SsappJointFilling;

typedef struct {
  SsappColor color;
  SsappJointShape shape;
  SsappJointFilling filling;
} SsappJointLook;
/* Looks of one or two contacts are those of the mode; of more contacts those of `rank`, the mode's place in a list (24
 * looks, then they repeat). */
void ssapp_joint_mode_look (const SsappStyle *style, guint32 mode, int n_contacts, int rank, SsappJointLook *out);
/* Colour of a contact in bars: as the modes in which it lifts. */
SsappColor ssapp_contact_color (const SsappStyle *style, int contact);
/* A marker of that look about (x, y), `radius` user units wide to each side. Keeps no path. */
void ssapp_joint_marker_draw (cairo_t *cr, const SsappStyle *style, const SsappJointLook *look, double x, double y,
                              double radius);

/* A bar as long as a share, in the look's colour; brushed, a share too, is darker over it (NaN: none). */
void ssapp_share_bar_draw (cairo_t *cr, const SsappStyle *style, const SsappJointLook *look, double share,
                           double brushed, double x, double y, double width, double height);

G_END_DECLS
