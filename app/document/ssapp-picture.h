/* app/document/ssapp-picture.h: a scenario as it begins, as marks, for the document. Zeroed: nothing is drawn yet. */
#pragma once

#include <glib.h>

#include "scene/ss-view.h"

G_BEGIN_DECLS

typedef struct {
  SsView *view;
  SsTrajectory *initial;
  SsMark *marks;
  int n_marks;
} SsappPicture;

/* Draws the scenario unless it was drawn; one without bodies, or that cannot be drawn, has no marks. */
void ssapp_picture_ensure (SsappPicture *picture, const SsScenario *scenario);
/* x and y from, x and y to [m]: what a view shall show of it, at least a metre, with matter below its grounds. */
void ssapp_picture_bounds (const SsappPicture *picture, double bounds[4]);
/* Back to nothing drawn. */
void ssapp_picture_clear (SsappPicture *picture);

G_END_DECLS
