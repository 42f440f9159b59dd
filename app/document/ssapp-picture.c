/* app/document/ssapp-picture.c: see the header. */
#include "app/document/ssapp-picture.h"

#include "app/draw/ssapp-region.h"

#include <math.h>
#include <string.h>

void
ssapp_picture_clear (SsappPicture *picture)
{
  g_clear_pointer (&picture->view, ss_view_free);
  g_clear_pointer (&picture->initial, ss_trajectory_free);
  g_clear_pointer (&picture->marks, g_free);
  picture->n_marks = 0;
}

void
ssapp_picture_ensure (SsappPicture *picture, const SsScenario *scenario)
{
  g_return_if_fail (picture != NULL);
  SsError err;

  if (picture->view != NULL || picture->initial != NULL || (scenario->scene != NULL && scenario->scene->n_bodies == 0))
    return;
  if (ss_scenario_initial_trajectory (scenario, &picture->initial, &err) != SS_OK ||
      ss_view_new (scenario, picture->initial->channels, picture->initial->n_channels, &picture->view, &err) != SS_OK)
    return;
  picture->n_marks = ss_view_n_marks (picture->view);
  picture->marks = g_new0 (SsMark, MAX (picture->n_marks, 1));
  ss_view_frame (picture->view, ss_trajectory_row (picture->initial, 0), picture->marks);
}

/* What a view shall show of it: with matter below grounds, and not too small. */
void
ssapp_picture_bounds (const SsappPicture *picture, double bounds[4])
{
  static const double fallback[4] = {-2, -0.5, 2, 2};
  const double least_extent = 1; /* m: a lone small disc is not blown up to fill the window */
  gboolean has_extent = FALSE;

  if (picture->view != NULL)
    ss_view_bounds (picture->view, picture->initial, bounds);
  for (int i = 0; i < picture->n_marks; i++)
    has_extent = has_extent || (picture->marks[i].kind != SS_MARK_HALF_PLANE && picture->marks[i].visible);
  if (picture->view == NULL || !has_extent || !isfinite (bounds[0] + bounds[1] + bounds[2] + bounds[3]) ||
      bounds[2] < bounds[0] || bounds[3] < bounds[1])
    memcpy (bounds, fallback, sizeof fallback);
  ssapp_region_include_grounds (picture->marks, picture->n_marks, bounds);
  for (int axis = 0; axis < 2; axis++) {
    double missing = least_extent - (bounds[axis + 2] - bounds[axis]);
    if (missing > 0) {
      bounds[axis] -= missing / 2;
      bounds[axis + 2] += missing / 2;
    }
  }
}
