/* engine/scene/ss-view-private.h: the part of a view that draws a scene's bodies and what holds them; made and used by
 * ss-view.c. */
#pragma once

#include "scene/ss-scenario-private.h"
#include "scene/ss-view.h"

typedef struct SsSceneView SsSceneView;

/* `names`: those of channels[n_channels], index = place in a row. with_velocities: an arrow for every free body. The
 * scene is borrowed. */
SS_NODISCARD SsStatus ss_scene_view_new (const SsScene *scene, const SsPlan *plan, const SsNames *names,
                                         const SsChannel *channels, int n_channels, bool with_velocities,
                                         SsSceneView **out, SsError *err);
void ss_scene_view_free (SsSceneView *view); /* NULL is allowed */
int ss_scene_view_n_marks (const SsSceneView *view);
void ss_scene_view_prepare (const SsSceneView *view, SsMark *marks); /* what does not change from frame to frame */
/* with_many_contacts: also of a scene with so many that not all have channels. No allocation, but for such a scene
 * whose touching pairs are more than ever before. */
void ss_scene_view_frame (SsSceneView *view, const double *row, bool with_many_contacts, SsMark *marks);
/* See ss_view_contacts and ss_view_contact_forces. */
const SsViewContact *ss_scene_view_contacts (const SsSceneView *view, int *n);
int ss_scene_view_contact_forces (const SsSceneView *view, const SsContactRow *contacts, int n_contacts, SsMark *marks,
                                  int n_marks);
