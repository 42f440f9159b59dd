/* app/draw/ssapp-overlays.c: see the header. */
#include "app/draw/ssapp-overlays.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"
#include "geometry/ss-geometry.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* px at 100 %, as the pictures of the look have them */
static const double CONTACT_RADIUS_PX = 4., NORMAL_PX = 34., CONE_PX = 40., HEAD_PX = 8.;
static const double CONE_FILL = 0.16;
/* Points nearer than this touch, as in the view of a scene [m]. */
static const double TOUCHING = 1e-4;
/* An impulse is seen for this share of the motion. */
static const double HOLD_SHARE = 0.02;
enum { ROWS_LOOKED_AT = 1000 };

static const struct {
  guint bit;
  const char *name, *title, *help;
} layers_of[SSAPP_N_LAYERS_OF_MOTION] = {
    {SSAPP_LAYER_ONION, "onion", "Onion Skin", "Bodies at eight instants, in the colours of time"},
    {SSAPP_LAYER_TRACES, "traces", "Traces", "Paths of the bodies, in the colours of time"},
    {SSAPP_LAYER_CONTACTS, "contacts", "Contact Points", "Where bodies touch"},
    {SSAPP_LAYER_NORMALS, "normals", "Normals", "Directions in which contacts push"},
    {SSAPP_LAYER_FORCES, "forces", "Forces", "Contact forces with friction, and what drives"},
    {SSAPP_LAYER_IMPULSES, "impulses", "Impulses", "Normal impulses of impacts, for a while after each"},
    {SSAPP_LAYER_CONES, "cones", "Friction Cones", "Forces that friction allows, at contact points"},
    {SSAPP_LAYER_VELOCITIES, "velocities", "Velocities", "Velocities of the bodies' centres"},
    {SSAPP_LAYER_CENTRES, "centres", "Centres of Mass", "Centres of mass of the bodies"},
    {SSAPP_LAYER_ENERGIES, "energies", "Energy Bars", "Kinetic, potential and dissipated energy"},
};

guint
ssapp_layer_bit (int i)
{
  return layers_of[i].bit;
}

const char *
ssapp_layer_name (int i)
{
  return layers_of[i].name;
}

const char *
ssapp_layer_title (int i)
{
  return layers_of[i].title;
}

const char *
ssapp_layer_help (int i)
{
  return layers_of[i].help;
}

guint
ssapp_layers_default (void)
{
  return SSAPP_LAYERS_CHOSEN | SSAPP_LAYER_ONION | SSAPP_LAYER_TRACES | SSAPP_LAYER_CONTACTS | SSAPP_LAYER_FORCES |
         SSAPP_LAYER_CENTRES;
}

gboolean
ssapp_layers_parse (const char *text, guint *layers, GError **error)
{
  g_return_val_if_fail (text != NULL && layers != NULL, FALSE);
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  guint found = SSAPP_LAYERS_CHOSEN;

  for (int p = 0; parts[p] != NULL; p++) {
    const char *name = g_strstrip (parts[p]);
    int i = 0;
    if (strcmp (name, "none") == 0 && g_strv_length (parts) == 1)
      break;
    while (i < SSAPP_N_LAYERS_OF_MOTION && strcmp (layers_of[i].name, name) != 0)
      i++;
    if (i == SSAPP_N_LAYERS_OF_MOTION) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "there is no layer '%s' (expected onion, traces, contacts, normals, forces, impulses, cones, "
                   "velocities, centres, energies, or none)",
                   name);
      return FALSE;
    }
    found |= layers_of[i].bit;
  }
  *layers = found;
  return TRUE;
}

char *
ssapp_layers_to_text (guint layers)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < SSAPP_N_LAYERS_OF_MOTION; i++)
    if ((layers & layers_of[i].bit) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", layers_of[i].name);
  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (text, FALSE);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Poses of all bodies in a row; those that do not move have none there. */
typedef double Pose[3];
static Pose *
find_poses (const SsScene *scene, const SsTrajectory *motion, const double *row)
{
  Pose *poses = g_new (Pose, MAX (scene->n_bodies, 1));
  int last = 0;

  for (int i = 0; i < scene->n_bodies; i++)
    memcpy (poses[i], scene->bodies[i].q, sizeof poses[i]);
  for (int c = 0; c < motion->n_channels && scene->n_bodies > 0; c++) {
    const SsChannel *channel = &motion->channels[c];
    const int coordinate = channel->quantity == SS_QUANTITY_POSITION_X   ? 0
                           : channel->quantity == SS_QUANTITY_POSITION_Y ? 1
                           : channel->quantity == SS_QUANTITY_ANGLE      ? 2
                                                                         : -1;
    int tried = 0;
    if (channel->owner != SS_OWNER_BODY || coordinate < 0 || channel->owner_name == NULL)
      continue;
    while (tried < scene->n_bodies && strcmp (scene->bodies[last].name, channel->owner_name) != 0) {
      last = (last + 1) % scene->n_bodies;
      tried++;
    }
    if (tried < scene->n_bodies)
      poses[last][coordinate] = row[c];
  }
  return poses;
}

static double
value_of (const double *row, int channel)
{
  return channel >= 0 && isfinite (row[channel]) ? row[channel] : 0.;
}

static void
add_arrow (SsappOverlay *overlay, SsappArrowKind kind, SsVec2 at, SsVec2 vector, double strength)
{
  const SsappOverlayArrow arrow = {kind, at, vector, strength};

  if (isfinite (at.x + at.y + vector.x + vector.y) && hypot (vector.x, vector.y) >= SSAPP_SMALLEST_ARROW)
    g_array_append_val (overlay->arrows, arrow);
}

/* Along the normal, and along the normal turned by -90 degrees, as the channels have them. */
static SsVec2
along (SsVec2 normal, double n, double t)
{
  return (SsVec2){n * normal.x + t * normal.y, n * normal.y - t * normal.x};
}

typedef struct {
  double t, impulse; /* of several points at once: their sum */
} Impact;

/* The newest impact of each contact that is past for at most `hold`, by the contact's name; NULL: none is. */
static GHashTable *
newest_impacts (GArray *events, double t, double hold)
{
  GHashTable *found = NULL;

  for (guint i = 0; events != NULL && i < events->len; i++) {
    const SsappRunEvent *e = &g_array_index (events, SsappRunEvent, i);
    if (e->t > t + 1e-9 * (1 + fabs (t)))
      break;
    if ((e->kind != SS_EVENT_IMPACT && e->kind != SS_EVENT_WITHOUT_COLLISION) || !(t - e->t <= hold) ||
        !isfinite (e->impulse) || e->contact == NULL)
      continue;
    if (found == NULL)
      found = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
    Impact *impact = g_hash_table_lookup (found, e->contact);
    if (impact == NULL) {
      impact = g_new0 (Impact, 1);
      impact->t = -INFINITY;
      g_hash_table_insert (found, (gpointer)e->contact, impact);
    }
    impact->impulse = e->t == impact->t ? impact->impulse + e->impulse : e->impulse;
    impact->t = e->t;
  }
  return found;
}

/* What is collected, and from what. */
typedef struct {
  SsappOverlay *overlay;
  const SsScene *scene;
  const double *row;
  const Pose *poses;
  GHashTable *impacts; /* of Impact by contact; NULL: none */
  double hold;
  guint layers;
  const char *forces_of;
} Collection;

static void
collect_contact (const Collection *c, const SsViewContact *channels)
{
  SsappOverlay *overlay = c->overlay;
  const SsScene *scene = c->scene;
  const double *row = c->row;
  const Pose *poses = c->poses;
  const SsContact *contact = &scene->contacts[channels->contact];
  const SsBody *a = &scene->bodies[contact->body_a], *b = &scene->bodies[contact->body_b];
  const double force_n = value_of (row, channels->force_n), force_t = value_of (row, channels->force_t);
  const gboolean of_a = g_strcmp0 (c->forces_of, a->name) == 0, of_b = g_strcmp0 (c->forces_of, b->name) == 0,
                 on_a = c->forces_of != NULL ? of_a : ss_body_is_immovable (b);
  const Impact *impact = c->impacts != NULL ? g_hash_table_lookup (c->impacts, contact->name) : NULL;
  SsGap gaps[SS_MANIFOLD_MAX], lowest = {.phi = INFINITY};
  SsVec2 sum = {0, 0};
  int n_touching = 0;

  if (c->forces_of != NULL && !of_a && !of_b)
    return;
  /* Most pairs are far apart, or do nothing where only those that do something are listed: no geometry for those. */
  if (channels->gap >= 0 && !(force_n > 0) && impact == NULL &&
      (row[channels->gap] > TOUCHING ||
       (scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX && isnan (row[channels->gap]))))
    return;
  for (int pair = 0; pair < a->n_shapes * b->n_shapes; pair++) {
    const int n = ss_geometry_manifold (&a->shapes[pair / b->n_shapes], poses[contact->body_a],
                                        &b->shapes[pair % b->n_shapes], poses[contact->body_b], gaps);
    for (int i = 0; i < n; i++) {
      const SsVec2 at = on_a ? gaps[i].point_a : gaps[i].point_b;
      const double sign = on_a ? -1 : 1;
      if (gaps[i].phi < lowest.phi)
        lowest = gaps[i];
      if (!(gaps[i].phi < TOUCHING))
        continue;
      const SsappOverlayPoint point = {
          contact->name, at, {sign * gaps[i].normal.x, sign * gaps[i].normal.y}, contact->mu};
      g_array_append_val (overlay->points, point);
      sum.x += at.x;
      sum.y += at.y;
      n_touching++;
    }
  }
  if (!(lowest.phi < INFINITY))
    return;
  const SsVec2 at = n_touching > 0 ? (SsVec2){sum.x / n_touching, sum.y / n_touching}
                    : on_a         ? lowest.point_a
                                   : lowest.point_b;
  const double sign = on_a ? -1 : 1;
  if ((c->layers & SSAPP_LAYER_FORCES) != 0 && force_n > 0)
    add_arrow (overlay, SSAPP_ARROW_FORCE, at, along (lowest.normal, sign * force_n, sign * force_t), 1);
  if (impact != NULL) {
    const double age = c->hold > 0 ? MAX (row[0] - impact->t, 0) / c->hold : 0;
    add_arrow (overlay, SSAPP_ARROW_IMPULSE, at, along (lowest.normal, sign * impact->impulse, 0), 1 - age);
  }
}

static void
collect_velocities (SsappOverlay *overlay, const SsScene *scene, const SsTrajectory *motion, const double *row,
                    const Pose *poses)
{
  int last = 0;

  for (int c = 0; c + 1 < motion->n_channels; c++) {
    const SsChannel *x = &motion->channels[c], *y = &motion->channels[c + 1];
    int tried = 0;
    if (x->owner != SS_OWNER_BODY || x->quantity != SS_QUANTITY_VELOCITY_X || y->quantity != SS_QUANTITY_VELOCITY_Y)
      continue;
    while (tried < scene->n_bodies && strcmp (scene->bodies[last].name, x->owner_name) != 0) {
      last = (last + 1) % scene->n_bodies;
      tried++;
    }
    if (tried < scene->n_bodies)
      add_arrow (overlay, SSAPP_ARROW_VELOCITY, (SsVec2){poses[last][0], poses[last][1]}, (SsVec2){row[c], row[c + 1]},
                 1);
  }
}

static double
energy_of (const SsTrajectory *motion, const double *row, SsQuantity quantity)
{
  const int channel = ss_trajectory_quantity (motion, quantity);

  return channel >= 0 ? row[channel] : NAN;
}

void
ssapp_overlay_collect (SsappOverlay *overlay, const SsView *view, const SsScene *scene, const SsTrajectory *motion,
                       const double *row, const SsMark *marks, int n_marks, GArray *events, double hold, guint layers,
                       const char *forces_of)
{
  g_return_if_fail (overlay != NULL);
  const guint of_contacts = SSAPP_LAYER_NORMALS | SSAPP_LAYER_FORCES | SSAPP_LAYER_IMPULSES | SSAPP_LAYER_CONES;

  *overlay = (SsappOverlay){g_array_new (FALSE, FALSE, sizeof (SsappOverlayPoint)),
                            g_array_new (FALSE, FALSE, sizeof (SsappOverlayArrow)), NAN, NAN, NAN};
  if ((layers & SSAPP_LAYER_ENERGIES) != 0) {
    overlay->kinetic = energy_of (motion, row, SS_QUANTITY_KINETIC_ENERGY);
    overlay->potential = energy_of (motion, row, SS_QUANTITY_POTENTIAL_ENERGY);
    overlay->dissipated = energy_of (motion, row, SS_QUANTITY_DISSIPATED_ENERGY);
  }
  for (int i = 0; i < n_marks; i++) { /* of models, and what drives a scene */
    const gboolean is_velocity = marks[i].role == SS_ROLE_VELOCITY;
    if (marks[i].kind != SS_MARK_ARROW || !marks[i].visible || (is_velocity && scene != NULL) ||
        (layers & (is_velocity ? SSAPP_LAYER_VELOCITIES : SSAPP_LAYER_FORCES)) == 0 || marks[i].of_contact)
      continue;
    add_arrow (overlay, is_velocity ? SSAPP_ARROW_VELOCITY : SSAPP_ARROW_FORCE, marks[i].position, marks[i].vector, 1);
  }
  if (scene == NULL)
    return;
  Pose *poses = find_poses (scene, motion, row);
  if ((layers & SSAPP_LAYER_VELOCITIES) != 0)
    collect_velocities (overlay, scene, motion, row, (const Pose *)poses);
  if ((layers & of_contacts) != 0) {
    Collection collection = {.overlay = overlay,
                             .scene = scene,
                             .row = row,
                             .poses = (const Pose *)poses,
                             .hold = hold,
                             .layers = layers,
                             .forces_of = forces_of};
    int n;
    const SsViewContact *contacts = ss_view_contacts (view, &n);
    if ((layers & SSAPP_LAYER_IMPULSES) != 0)
      collection.impacts = newest_impacts (events, row[0], hold);
    for (int i = 0; i < n; i++)
      if (contacts[i].contact < scene->n_contacts)
        collect_contact (&collection, &contacts[i]);
    g_clear_pointer (&collection.impacts, g_hash_table_unref);
  }
  g_free (poses);
}

void
ssapp_overlay_clear (SsappOverlay *overlay)
{
  g_clear_pointer (&overlay->points, g_array_unref);
  g_clear_pointer (&overlay->arrows, g_array_unref);
}

void
ssapp_overlay_hide_marks (SsMark *marks, int n_marks, guint layers)
{
  for (int i = 0; i < n_marks; i++)
    if (marks[i].kind == SS_MARK_ARROW ||
        (marks[i].kind == SS_MARK_POINT && marks[i].role == SS_ROLE_CONTACT && (layers & SSAPP_LAYER_CONTACTS) == 0) ||
        (marks[i].role == SS_ROLE_CENTRE && (layers & SSAPP_LAYER_CENTRES) == 0))
      marks[i].visible = FALSE;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* The k-th of at most ROWS_LOOKED_AT rows spread over a motion. */
static const double *
look (const SsTrajectory *motion, int k, int n)
{
  return ss_trajectory_row (motion, n > 1 ? (int)((gint64)k * (motion->n_rows - 1) / (n - 1)) : 0);
}

double
ssapp_largest_speed (const SsTrajectory *motion)
{
  const int n = motion != NULL ? MIN (motion->n_rows, ROWS_LOOKED_AT) : 0;
  double largest = 0;

  for (int k = 0; k < n; k++) {
    const double *row = look (motion, k, n);
    for (int c = 0; c + 1 < motion->n_channels; c++)
      if (motion->channels[c].owner == SS_OWNER_BODY && motion->channels[c].quantity == SS_QUANTITY_VELOCITY_X &&
          motion->channels[c + 1].quantity == SS_QUANTITY_VELOCITY_Y && isfinite (row[c] + row[c + 1]))
        largest = MAX (largest, hypot (row[c], row[c + 1]));
  }
  return largest;
}

double
ssapp_largest_impulse (GArray *events)
{
  double largest = 0;

  for (guint i = 0; events != NULL && i < events->len; i++)
    if (isfinite (g_array_index (events, SsappRunEvent, i).impulse))
      largest = MAX (largest, g_array_index (events, SsappRunEvent, i).impulse);
  return largest;
}

double
ssapp_impulse_hold (const SsTrajectory *motion)
{
  return motion != NULL && motion->n_rows > 0
             ? HOLD_SHARE * (ss_trajectory_row (motion, motion->n_rows - 1)[0] - ss_trajectory_row (motion, 0)[0])
             : 0;
}

double
ssapp_largest_energy (const SsTrajectory *motion)
{
  static const SsQuantity quantities[] = {SS_QUANTITY_KINETIC_ENERGY, SS_QUANTITY_POTENTIAL_ENERGY,
                                          SS_QUANTITY_DISSIPATED_ENERGY};
  const int n = motion != NULL ? MIN (motion->n_rows, ROWS_LOOKED_AT) : 0;
  double largest = 0;

  for (int k = 0; k < n; k++)
    for (guint q = 0; q < G_N_ELEMENTS (quantities); q++) {
      const double energy = energy_of (motion, look (motion, k, n), quantities[q]);
      if (isfinite (energy))
        largest = MAX (largest, fabs (energy));
    }
  return largest;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static SsappColor
arrow_color (const SsappStyle *style, SsappArrowKind kind)
{
  return ssapp_style_color (style, kind == SSAPP_ARROW_VELOCITY ? SSAPP_COLOR_VELOCITY : SSAPP_COLOR_FORCE);
}

static void
draw_cone (cairo_t *cr, const SsappStyle *style, double x, double y, SsVec2 normal, double mu)
{
  const double radius = CONE_PX * style->scale, half = atan (mu), axis = atan2 (-normal.y, normal.x);
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_CONTACT);

  if (!(mu > 0) || !isfinite (mu))
    return;
  cairo_new_path (cr);
  cairo_move_to (cr, x, y);
  cairo_arc (cr, x, y, radius, axis - half, axis + half);
  cairo_close_path (cr);
  if (!style->is_high_contrast) {
    ssapp_set_color (cr, ssapp_color_with_alpha (color, CONE_FILL));
    cairo_fill_preserve (cr);
  }
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.));
  cairo_stroke (cr);
}

/* Impulses have a second head, and their number. */
static void
draw_arrow (cairo_t *cr, const SsappStyle *style, const SsappOverlayArrow *arrow, double x, double y, double px,
            SsappCrowdArrows *crowd)
{
  static const double LIMIT = 1e5; /* px: far outside, and well within what Cairo holds */
  const double dx = CLAMP (arrow->vector.x * px * style->scale, -LIMIT, LIMIT),
               dy = CLAMP (-arrow->vector.y * px * style->scale, -LIMIT, LIMIT), length = hypot (dx, dy);
  const double head = HEAD_PX * style->scale, line = ssapp_style_line (style, 2.5);
  const SsappColor color = ssapp_color_with_alpha (arrow_color (style, arrow->kind), 0.35 + 0.65 * arrow->strength);

  if (!(length > 0))
    return;
  if (arrow->kind == SSAPP_ARROW_VELOCITY) {
    ssapp_crowd_arrow (crowd, cr, x, y, x + dx, y + dy, line, head, color);
    return;
  }
  const double gap = MIN ((CONTACT_RADIUS_PX + 1) * style->scale, 0.3 * length), ux = dx / length, uy = dy / length;
  ssapp_crowd_arrow (crowd, cr, x - dx - gap * ux, y - dy - gap * uy, x - gap * ux, y - gap * uy, line, head, color);
  if (arrow->kind == SSAPP_ARROW_IMPULSE && length > 2.5 * head) {
    const double back = gap + 0.9 * head;
    ssapp_crowd_arrow (crowd, cr, x - (back + head) * ux, y - (back + head) * uy, x - back * ux, y - back * uy, line,
                       head, color);
  }
  if (arrow->kind == SSAPP_ARROW_IMPULSE) {
    const SsappTextStyle text = {
        .size = style->font_size, .bold = TRUE, .color = color, .anchor_x = 0.5, .anchor_y = 0.5, .halo = TRUE};
    g_autofree char *number = ssapp_format_number (hypot (arrow->vector.x, arrow->vector.y), 3);
    g_autofree char *label = g_strconcat (number, " N s", NULL);
    ssapp_text_draw (cr, style, &text, x - dx - 2 * head * ux, y - dy - 2 * head * uy, label);
  }
}

/* Beside the picture by more than the largest of what is drawn about its place. */
static gboolean
is_far (const SsappStyle *style, const SsappCamera *camera, double x, double y)
{
  const double reach = (NORMAL_PX + CONE_PX) * style->scale;

  return !(x > -reach && y > -reach && x < camera->width + reach && y < camera->height + reach);
}

/* The same as below on a surface of pixels. Rings of contact points are among the marks of the frame already; they are
 * set down again where something was drawn over them. */
static void
draw_crowd (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappOverlay *overlay,
            const double px_per_unit[SSAPP_N_ARROWS], guint layers)
{
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_CONTACT);
  const double reach = NORMAL_PX * style->scale, line = ssapp_style_line (style, 1.6), head = 5 * style->scale;
  const gboolean is_covered = (layers & (SSAPP_LAYER_CONES | SSAPP_LAYER_NORMALS)) != 0;
  SsappCrowdArrows crowd;
  double x, y;

  ssapp_crowd_arrows_init (&crowd);
  for (guint i = 0; i < overlay->points->len && is_covered; i++) {
    const SsappOverlayPoint *point = &g_array_index (overlay->points, SsappOverlayPoint, i);
    ssapp_camera_to_device (camera, point->at, &x, &y);
    if (is_far (style, camera, x, y))
      continue;
    if ((layers & SSAPP_LAYER_CONES) != 0)
      draw_cone (cr, style, x, y, point->normal, point->mu);
    if ((layers & SSAPP_LAYER_NORMALS) != 0)
      ssapp_crowd_arrows_add (&crowd, x, y, x + reach * point->normal.x, y - reach * point->normal.y, line, head,
                              color);
    if ((layers & SSAPP_LAYER_CONTACTS) != 0)
      ssapp_crowd_arrows_add_ring (&crowd, x, y);
  }
  ssapp_crowd_arrows_draw (&crowd, cr, style, camera);
  ssapp_crowd_arrows_init (&crowd);
  for (guint i = 0; i < overlay->arrows->len; i++) {
    const SsappOverlayArrow *arrow = &g_array_index (overlay->arrows, SsappOverlayArrow, i);
    ssapp_camera_to_device (camera, arrow->at, &x, &y);
    if (fabs (x) + fabs (y) < 1e5)
      draw_arrow (cr, style, arrow, x, y, px_per_unit[arrow->kind], &crowd);
  }
  ssapp_crowd_arrows_draw (&crowd, cr, style, camera);
}

void
ssapp_overlay_draw (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappOverlay *overlay,
                    const double px_per_unit[SSAPP_N_ARROWS], guint layers)
{
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_CONTACT);
  double x, y;

  if (overlay->points->len + overlay->arrows->len >= SSAPP_CROWD_LEAST && ssapp_crowd_has_pixels (cr, style)) {
    draw_crowd (cr, style, camera, overlay, px_per_unit, layers);
    return;
  }
  for (guint i = 0; i < overlay->points->len && (layers & SSAPP_LAYER_CONES) != 0; i++) {
    const SsappOverlayPoint *point = &g_array_index (overlay->points, SsappOverlayPoint, i);
    ssapp_camera_to_device (camera, point->at, &x, &y);
    draw_cone (cr, style, x, y, point->normal, point->mu);
  }
  for (guint i = 0; i < overlay->points->len; i++) {
    const SsappOverlayPoint *point = &g_array_index (overlay->points, SsappOverlayPoint, i);
    const double reach = NORMAL_PX * style->scale;
    ssapp_camera_to_device (camera, point->at, &x, &y);
    if ((layers & SSAPP_LAYER_NORMALS) != 0)
      ssapp_draw_arrow (cr, x, y, x + reach * point->normal.x, y - reach * point->normal.y,
                        ssapp_style_line (style, 1.6), 5 * style->scale, color);
    if ((layers & SSAPP_LAYER_CONTACTS) != 0)
      ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, x, y, CONTACT_RADIUS_PX * style->scale, ssapp_style_line (style, 2.),
                         color, FALSE, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  }
  for (guint i = 0; i < overlay->arrows->len; i++) {
    const SsappOverlayArrow *arrow = &g_array_index (overlay->arrows, SsappOverlayArrow, i);
    ssapp_camera_to_device (camera, arrow->at, &x, &y);
    if (fabs (x) + fabs (y) < 1e5)
      draw_arrow (cr, style, arrow, x, y, px_per_unit[arrow->kind], NULL);
  }
}

void
ssapp_overlay_draw_energies (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera,
                             const SsappSceneFlags *flags, const SsappOverlay *overlay, double most)
{
  static const char *const names[] = {"Kinetic", "Potential", "Dissipated"};
  static const double WIDTH = 8., LEAST = 2., LABEL = 11., INSET = 1.2, ROW = 1.5, GAP = 0.5,
                      BELOW_TOOLS = 6.5; /* font sizes */
  const double energies[] = {overlay->kinetic, overlay->potential, overlay->dissipated};
  const SsappColor colors[] = {ssapp_style_color (style, SSAPP_COLOR_VELOCITY),
                               ssapp_style_color (style, SSAPP_COLOR_CONTACT),
                               ssapp_style_color (style, SSAPP_COLOR_FORCE)};
  const double font = style->font_size, width = CLAMP (camera->width - LABEL * font, LEAST * font, WIDTH * font);
  const double left = flags->rulers ? camera->width - INSET * font - width : INSET * font;
  double y = (flags->rulers ? BELOW_TOOLS : INSET) * font + 0.5 * font;
  SsappTextStyle text = {.size = font * 0.95,
                         .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                         .anchor_x = flags->rulers ? 1. : 0.,
                         .anchor_y = 0.5,
                         .halo = TRUE};

  if (!(most > 0))
    return;
  for (int i = 0; i < 3; i++) {
    if (!isfinite (energies[i]))
      continue;
    const double bar = width * MIN (fabs (energies[i]) / most, 1.), height = 0.6 * font;
    g_autofree char *number = ssapp_format_number (energies[i], 3);
    g_autofree char *label = g_strdup_printf ("%s %s J", names[i], number);
    cairo_new_path (cr);
    cairo_rectangle (cr, left, y - height / 2, width, height);
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_DIM), 0.2));
    cairo_fill (cr);
    cairo_rectangle (cr, left, y - height / 2, bar, height);
    ssapp_set_color (cr, ssapp_color_with_alpha (colors[i], energies[i] < 0 ? 0.45 : 1.));
    cairo_fill (cr);
    ssapp_text_draw (cr, style, &text, flags->rulers ? left - GAP * font : left + width + GAP * font, y, label);
    y += ROW * font;
  }
}

double
ssapp_overlay_energies_height (const SsappStyle *style, guint layers)
{
  g_return_val_if_fail (style != NULL, (double)NAN);
  return (layers & SSAPP_LAYER_ENERGIES) != 0 ? 5.2 * style->font_size : 0;
}

void
ssapp_layer_draw_sample (cairo_t *cr, const SsappStyle *style, int layer, double x, double y, double size)
{
  g_return_if_fail (style != NULL && layer >= 0 && layer < SSAPP_N_LAYERS_OF_MOTION);

  const double middle = y + size / 2, cx = x + size / 2, line = 2 * style->scale;
  const SsappColor contact = ssapp_style_color (style, SSAPP_COLOR_CONTACT),
                   view = ssapp_style_color (style, SSAPP_COLOR_VIEW);

  cairo_save (cr);
  cairo_set_line_width (cr, line);
  switch (layers_of[layer].bit) {
  case SSAPP_LAYER_ONION:
    for (int i = 0; i < 3; i++) {
      ssapp_set_color (cr, ssapp_style_time_color (style, 0.15 + 0.35 * i));
      cairo_rectangle (cr, x + 1 + i * size / 4, middle - size / 4, size / 2 - 2, size / 2);
      cairo_stroke (cr);
    }
    break;
  case SSAPP_LAYER_TRACES:
    for (int i = 0; i < 8; i++) {
      ssapp_set_color (cr, ssapp_style_time_color (style, i / 8.));
      for (int k = i; k <= i + 1; k++)
        cairo_line_to (cr, x + size * k / 8, middle + 0.25 * size * cos (G_PI * k / 4));
      cairo_stroke (cr);
    }
    break;
  case SSAPP_LAYER_CONTACTS:
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, cx, middle, size / 4, line, contact, FALSE, view);
    break;
  case SSAPP_LAYER_NORMALS:
    ssapp_draw_arrow (cr, cx, y + size - 1, cx, y + 1, line, size / 3, contact);
    break;
  case SSAPP_LAYER_CONES:
    cairo_move_to (cr, cx, y + size - 1);
    cairo_arc (cr, cx, y + size - 1, size - 2, -G_PI_2 - 0.5, -G_PI_2 + 0.5);
    cairo_close_path (cr);
    ssapp_set_color (cr, ssapp_color_with_alpha (contact, CONE_FILL));
    cairo_fill_preserve (cr);
    ssapp_set_color (cr, contact);
    cairo_set_line_width (cr, style->scale);
    cairo_stroke (cr);
    break;
  case SSAPP_LAYER_FORCES:
    ssapp_draw_arrow (cr, x, middle, x + size, middle, line, size / 2.5, ssapp_style_color (style, SSAPP_COLOR_FORCE));
    break;
  case SSAPP_LAYER_IMPULSES:
    ssapp_draw_arrow (cr, x, middle, x + size, middle, line, size / 2.5, ssapp_style_color (style, SSAPP_COLOR_FORCE));
    ssapp_draw_arrow (cr, x, middle, x + 0.65 * size, middle, line, size / 2.5,
                      ssapp_style_color (style, SSAPP_COLOR_FORCE));
    break;
  case SSAPP_LAYER_VELOCITIES:
    ssapp_draw_arrow (cr, x, middle, x + size, middle, line, size / 2.5,
                      ssapp_style_color (style, SSAPP_COLOR_VELOCITY));
    break;
  case SSAPP_LAYER_CENTRES:
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
    cairo_set_line_width (cr, style->scale);
    cairo_arc (cr, cx, middle, size / 3, 0, 2 * G_PI);
    cairo_stroke (cr);
    for (int k = 0; k < 2; k++) {
      cairo_move_to (cr, cx, middle);
      cairo_arc (cr, cx, middle, size / 3, k * G_PI, k * G_PI + G_PI_2);
      cairo_fill (cr);
    }
    break;
  case SSAPP_LAYER_ENERGIES:
    for (int i = 0; i < 3; i++) {
      ssapp_set_color (cr, ssapp_style_color (style, i == 0   ? SSAPP_COLOR_VELOCITY
                                                     : i == 1 ? SSAPP_COLOR_CONTACT
                                                              : SSAPP_COLOR_FORCE));
      cairo_rectangle (cr, x, y + 1 + i * size / 3, size * (1 - 0.25 * i), size / 5);
      cairo_fill (cr);
    }
    break;
  default:
    break;
  }
  cairo_restore (cr);
}
