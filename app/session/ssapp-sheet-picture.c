/* app/session/ssapp-sheet-picture.c: see the header. */
#include "app/session/ssapp-sheet-picture.h"

#include "app/base/ssapp-text.h"

#include <glib/gi18n.h>
#include <math.h>

/* Of what is shown of the sheet, so much is a new picture's. */
#define SHARE 0.6

struct _SsappSheetPicture {
  GObject parent_instance;
  SsappSession *session;
  SsappUnderlay *underlay; /* nullable */
  guint version;
  gboolean is_pointed_at;          /* `point`: where a trace would begin */
  SsVec2 point, *outline;          /* of such a trace, owned; NULL: none. While another is looked for, the last one */
  gboolean is_found, is_searching; /* `outline` is that of `point`; a thread looks for one */
  int n_corners;
};

G_DEFINE_FINAL_TYPE (SsappSheetPicture, ssapp_sheet_picture, G_TYPE_OBJECT)

static guint changed_signal;

/* What a trace about a point would give. Of a large picture it takes a quarter of a second: in a thread. */
typedef struct {
  GWeakRef picture;        /* SsappSheetPicture */
  SsappUnderlay *underlay; /* of this picture, owned */
  SsVec2 at, *corners;     /* owned; NULL: none */
  int n_corners;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_weak_ref_clear (&search->picture);
  ssapp_underlay_free (search->underlay);
  g_free (search->corners);
  g_free (search);
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Search *search = data;

  (void)source;
  (void)cancellable;
  search->corners = ssapp_underlay_trace (search->underlay, search->at, &search->n_corners, NULL);
  g_task_return_boolean (task, TRUE);
}

static void find_outline (SsappSheetPicture *self);

static gboolean
is_of (const Search *search, const SsappSheetPicture *self)
{
  const SsappUnderlay *then = search->underlay, *now = self->underlay;

  return now->picture == then->picture && now->likeness == then->likeness && now->fineness == then->fineness &&
         now->width == then->width && now->at.x == then->at.x && now->at.y == then->at.y &&
         search->at.x == self->point.x && search->at.y == self->point.y;
}

/* What was found, unless another point, picture or likeness came meanwhile: then that is looked for. */
static void
on_searched (GObject *source, GAsyncResult *result, gpointer data)
{
  Search *search = g_task_get_task_data (G_TASK (result));
  g_autoptr (SsappSheetPicture) self = g_weak_ref_get (&search->picture);

  (void)source;
  (void)data;
  if (self != NULL)
    self->is_searching = FALSE;
  if (self == NULL || self->underlay == NULL || !self->underlay->is_shown || !self->is_pointed_at)
    return;
  if (self->underlay->picture == search->underlay->picture && self->underlay->pixels == NULL)
    self->underlay->pixels = g_steal_pointer (&search->underlay->pixels);
  if (!is_of (search, self)) {
    find_outline (self);
    return;
  }
  const gboolean had_outline = self->outline != NULL;
  g_free (self->outline);
  self->outline = g_steal_pointer (&search->corners);
  self->n_corners = search->n_corners;
  self->is_found = TRUE;
  if (had_outline || self->outline != NULL)
    g_signal_emit (self, changed_signal, 0);
}

/* Begins to look for the outline about the point; none, where no trace would begin. */
static void
find_outline (SsappSheetPicture *self)
{
  self->is_found = FALSE;
  if (!self->is_pointed_at || self->underlay == NULL || !self->underlay->is_shown) {
    g_clear_pointer (&self->outline, g_free);
    self->n_corners = 0;
    return;
  }
  if (self->is_searching) /* on_searched goes on */
    return;
  Search *search = g_new0 (Search, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_searched, NULL); /* a sketch may be closed meanwhile */
  search->underlay = ssapp_underlay_copy (self->underlay);
  search->at = self->point;
  g_weak_ref_init (&search->picture, self);
  self->is_searching = TRUE;
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, search_in_thread);
}

static void
tell (SsappSheetPicture *self)
{
  self->version++;
  find_outline (self);
  g_signal_emit (self, changed_signal, 0);
}

/* Keeps what was changed; under a sheet that is no sketch of a project yet, a picture makes it one. */
static void
keep (SsappSheetPicture *self)
{
  SsappSketches *sketches = ssapp_session_get_sketches (self->session);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = self->underlay != NULL ? ssapp_underlay_to_json (self->underlay) : NULL;

  ssapp_session_set_view (self->session, SSAPP_VIEW_PICTURE, json);
  if (json != NULL && ssapp_sketches_get_current (sketches) == NULL &&
      ssapp_session_ensure_store (self->session, &error))
    (void)ssapp_sketches_keep (sketches, &error);
  if (error != NULL)
    g_signal_emit_by_name (self->session, "write-failed", error->message);
  tell (self);
}

/* ---- steps of undo ----------------------------------------------------------------------------------------------- */

/* The picture as it was before a step, or after one that is undone. */
typedef struct {
  GWeakRef picture;        /* SsappSheetPicture: the document that has the step can live longer */
  SsappUnderlay *underlay; /* nullable */
} Step;

static void
step_free (gpointer data)
{
  Step *step = data;

  g_weak_ref_clear (&step->picture);
  ssapp_underlay_free (step->underlay);
  g_free (step);
}

/* What a step keeps; pixels for traces are made anew when they are needed. */
static SsappUnderlay *
put_away (SsappUnderlay *underlay)
{
  if (underlay != NULL)
    ssapp_underlay_drop_pixels (underlay);
  return underlay;
}

/* How a picture is traced stays, also when it is another one. */
static void
trace_alike (SsappUnderlay *underlay, const SsappUnderlay *before)
{
  if (underlay == NULL || before == NULL)
    return;
  underlay->likeness = before->likeness;
  underlay->fineness = before->fineness;
}

static void
swap_step (gpointer data)
{
  Step *step = data;
  g_autoptr (SsappSheetPicture) self = g_weak_ref_get (&step->picture);

  if (self == NULL)
    return;
  SsappUnderlay *now = self->underlay;
  self->underlay = step->underlay;
  step->underlay = put_away (now);
  trace_alike (self->underlay, now);
  keep (self);
}

/* The picture, or none, takes the place of that which is there; it is taken. */
static void
change (SsappSheetPicture *self, SsappUnderlay *underlay, const char *label)
{
  Step *step = g_new0 (Step, 1);

  g_weak_ref_init (&step->picture, self);
  step->underlay = put_away (self->underlay);
  self->underlay = underlay;
  trace_alike (underlay, step->underlay);
  keep (self);
  ssapp_document_push_step (ssapp_session_get_document (self->session), label, swap_step, step, step_free);
}

static void
on_view_changed (SsappSheetPicture *self)
{
  g_autofree char *json = ssapp_session_get_view (self->session, SSAPP_VIEW_PICTURE);

  g_clear_pointer (&self->underlay, ssapp_underlay_free);
  self->underlay = json != NULL ? ssapp_underlay_from_json (json) : NULL;
  tell (self);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

const SsappUnderlay *
ssapp_sheet_picture_get (SsappSheetPicture *self)
{
  g_return_val_if_fail (SSAPP_IS_SHEET_PICTURE (self), NULL);
  return self->underlay;
}

guint
ssapp_sheet_picture_get_version (SsappSheetPicture *self)
{
  g_return_val_if_fail (SSAPP_IS_SHEET_PICTURE (self), 0);
  return self->version;
}

gboolean
ssapp_sheet_picture_put (SsappSheetPicture *self, cairo_surface_t *picture, SsVec2 middle, double width, double height,
                         GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SHEET_PICTURE (self) && picture != NULL, FALSE);
  SsappUnderlay *underlay = ssapp_underlay_new (picture, error);

  if (underlay == NULL)
    return FALSE;
  underlay->width = SHARE * MIN (width, height / ssapp_underlay_height (underlay)); /* it is 1 m wide */
  underlay->at = (SsVec2){middle.x - underlay->width / 2, middle.y - ssapp_underlay_height (underlay) / 2};
  change (self, underlay, self->underlay != NULL ? _ ("Replace picture") : _ ("Add picture"));
  return TRUE;
}

void
ssapp_sheet_picture_remove (SsappSheetPicture *self)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  if (self->underlay != NULL)
    change (self, NULL, _ ("Remove picture"));
}

gboolean
ssapp_sheet_picture_require (SsappSheetPicture *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SHEET_PICTURE (self), FALSE);
  return self->underlay != NULL || ssapp_fail_input (error, _ ("There is no picture under the sheet"));
}

/* The picture lies otherwise, as a step of undo of that name. */
static void
lay (SsappSheetPicture *self, SsVec2 at, double width, double opacity, const char *label)
{
  if (self->underlay == NULL || !isfinite (at.x) || !isfinite (at.y) || !isfinite (width) || !(width > 0) ||
      isnan (opacity))
    return;
  SsappUnderlay *underlay = ssapp_underlay_copy (self->underlay);
  underlay->at = at;
  underlay->width = width;
  underlay->opacity = CLAMP (opacity, 0, 1);
  change (self, underlay, label);
}

void
ssapp_sheet_picture_lay (SsappSheetPicture *self, SsVec2 at, double width, double opacity)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  lay (self, at, width, opacity, _ ("Change picture"));
}

void
ssapp_sheet_picture_place (SsappSheetPicture *self, double x, double y, double width)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  if (self->underlay != NULL)
    lay (self, (SsVec2){x, y}, width, self->underlay->opacity, _ ("Move picture"));
}

void
ssapp_sheet_picture_move (SsappSheetPicture *self, double dx, double dy)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  if (self->underlay != NULL && (dx != 0 || dy != 0))
    ssapp_sheet_picture_place (self, self->underlay->at.x + dx, self->underlay->at.y + dy, self->underlay->width);
}

void
ssapp_sheet_picture_show (SsappSheetPicture *self, gboolean is_shown)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  if (self->underlay == NULL || self->underlay->is_shown == is_shown)
    return;
  SsappUnderlay *underlay = ssapp_underlay_copy (self->underlay);
  underlay->is_shown = is_shown;
  change (self, underlay, is_shown ? _ ("Show picture") : _ ("Hide picture"));
}

double
ssapp_sheet_picture_distance (SsVec2 from, SsVec2 to)
{
  return hypot (to.x - from.x, to.y - from.y);
}

void
ssapp_sheet_picture_set_distance (SsappSheetPicture *self, SsVec2 from, SsVec2 to, double distance)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  if (self->underlay == NULL)
    return;
  g_autoptr (SsappUnderlay) underlay = ssapp_underlay_copy (self->underlay);
  if (ssapp_underlay_set_distance (underlay, from, to, distance))
    change (self, g_steal_pointer (&underlay), _ ("Scale picture"));
}

/* ---- tracing ----------------------------------------------------------------------------------------------------- */

void
ssapp_sheet_picture_set_trace (SsappSheetPicture *self, double likeness, double fineness)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  if (self->underlay == NULL || (self->underlay->likeness == likeness && self->underlay->fineness == fineness) ||
      !(likeness >= 0 && likeness <= 1) || !(fineness > 0))
    return;
  self->underlay->likeness = likeness;
  self->underlay->fineness = fineness;
  keep (self);
}

void
ssapp_sheet_picture_point (SsappSheetPicture *self, const SsVec2 *at)
{
  g_return_if_fail (SSAPP_IS_SHEET_PICTURE (self));
  const gboolean had_outline = self->outline != NULL;

  if (at == NULL ? !self->is_pointed_at : self->is_pointed_at && self->point.x == at->x && self->point.y == at->y)
    return;
  self->is_pointed_at = at != NULL;
  if (at != NULL)
    self->point = *at;
  find_outline (self);
  if (had_outline && self->outline == NULL)
    g_signal_emit (self, changed_signal, 0);
}

const SsVec2 *
ssapp_sheet_picture_get_outline (SsappSheetPicture *self, int *n)
{
  g_return_val_if_fail (SSAPP_IS_SHEET_PICTURE (self) && n != NULL, NULL);
  *n = self->n_corners;
  return self->outline;
}

gboolean
ssapp_sheet_picture_trace (SsappSheetPicture *self, SsVec2 at, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SHEET_PICTURE (self), FALSE);
  int n = 0;

  if (!ssapp_sheet_picture_require (self, error))
    return FALSE;
  g_autoptr (GError) why = NULL;
  g_autofree SsVec2 *corners = NULL;
  if (self->is_found && self->outline != NULL && self->point.x == at.x && self->point.y == at.y)
    corners = g_memdup2 (self->outline, (gsize)(n = self->n_corners) * sizeof *corners);
  else
    corners = ssapp_underlay_trace (self->underlay, at, &n, &why);
  if (corners == NULL)
    return ssapp_fail_input (error, _ ("Nothing was traced: %s"), why->message);
  return ssapp_document_draw_shape (ssapp_session_get_document (self->session), SSAPP_SHAPE_POLYGON, corners, n, NULL,
                                    error);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_sheet_picture_finalize (GObject *object)
{
  SsappSheetPicture *self = SSAPP_SHEET_PICTURE (object);

  g_free (self->outline);
  ssapp_underlay_free (self->underlay);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ssapp_sheet_picture_parent_class)->finalize (object);
}

static void
ssapp_sheet_picture_class_init (SsappSheetPictureClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_sheet_picture_finalize;
  changed_signal =
      g_signal_new ("changed", SSAPP_TYPE_SHEET_PICTURE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_sheet_picture_init (SsappSheetPicture *self)
{
  (void)self;
}

SsappSheetPicture *
ssapp_sheet_picture_new (SsappSession *session)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (session), NULL);
  SsappSheetPicture *self = g_object_new (SSAPP_TYPE_SHEET_PICTURE, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (ssapp_session_get_sketches (session), "view-changed", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  on_view_changed (self);
  return self;
}
