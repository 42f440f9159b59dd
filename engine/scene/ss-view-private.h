/* engine/scene/ss-view-private.h: the part of a view that draws a scene's bodies and what holds them; made and used by
 * ss-view.c. */
#pragma once

#include "scene/ss-scenario-private.h"

typedef struct SsSceneView SsSceneView;

/* `channels`: names of the trajectory's channels, index = place in a row. with_velocities: an arrow for every free
 * body. The scene is borrowed. */
SS_NODISCARD SsStatus ss_scene_view_new (const SsScene *scene, const SsPlan *plan, const SsNames *channels,
                                         bool with_velocities, SsSceneView **out, SsError *err);
void ss_scene_view_free (SsSceneView *view); /* NULL is allowed */
int ss_scene_view_n_marks (const SsSceneView *view);
void ss_scene_view_prepare (const SsSceneView *view, SsMark *marks); /* what does not change from frame to frame */
/* No allocation, but for a scene of many contacts whose touching pairs are more than ever before. */
void ss_scene_view_frame (SsSceneView *view, const double *row, SsMark *marks);
