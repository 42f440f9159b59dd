/* app/study/ssapp-truth.h: what a motion should be, and by how much another is off: formulas of the time, or a motion.
 *
 * Formulas   of t and the scenario's parameters, one a channel: "box.x" is "a*t^2/2". A JSON file of them is
 *            {"title": text, "channels": {"box.x": "a*t^2/2", ...}}; other members are passed over.
 * Motions    between their rows as they are played: places curved by the speeds of both rows
 *            (ss_trajectory_sample_motion).
 * Errors     at given times the largest |difference| over the channels that are compared; of these times the mean, the
 *            largest and the last. The mean is the one that velocities converge in, too: at the instant of an impact no
 *            two motions agree. [m], [rad] or of the channels: units are not weighed against each other.
 * Threads    any, one at a time. Tests: tests/unit/test-accuracy.c
 */
#pragma once

#include <gio/gio.h>

#include "scene/ss-scenario.h"

G_BEGIN_DECLS

typedef struct SsappTruth SsappTruth;

/* Without formulas; the parameters are those of the scenario as they are now. */
SsappTruth *ssapp_truth_new (const SsScenario *scenario, const char *title);
/* Copies the motion. */
SsappTruth *ssapp_truth_new_motion (const SsTrajectory *motion, const char *title);
/* Formulas from a file of JSON, else a motion from a table (CSV); the title is the file's name unless it has one. NULL
 * with an error that names file and channel. */
SsappTruth *ssapp_truth_read (const SsScenario *scenario, const char *path, GError **error);
void ssapp_truth_free (SsappTruth *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappTruth, ssapp_truth_free)

/* "box.x=a*t^2/2"; a second one of a channel replaces the first. FALSE with an error that says what is wrong and where.
 */
gboolean ssapp_truth_add_formula (SsappTruth *self, const char *pair, GError **error);
const char *ssapp_truth_get_title (const SsappTruth *self);
/* Value of a channel at a time; NaN where it has none. */
double ssapp_truth_get (SsappTruth *self, const char *channel, double t);
/* The last time that it knows; INFINITY of formulas. */
double ssapp_truth_get_end (const SsappTruth *self);

typedef enum {
  SSAPP_ERROR_MEAN,
  SSAPP_ERROR_MAX,
  SSAPP_ERROR_END,
  SSAPP_ERROR_OUTCOME,
  SSAPP_ERROR_COUNT
} SsappErrorKind;
/* "mean", "max", "end", "outcome" (of what runs were asked: not of their rows); FALSE: none of them. */
gboolean ssapp_error_kind_from_name (const char *name, SsappErrorKind *kind);
/* "mean", and "mean error" for people; of OUTCOME see ssapp_accuracy_error_words; static. */
const char *ssapp_error_kind_name (SsappErrorKind kind);
const char *ssapp_error_kind_words (SsappErrorKind kind);

/* Channels of the motion that are compared: those of the comma-separated list, all of which both must have; NULL: of
 * formulas each that there is one of, of motions places and angles of bodies that both have and that move in either.
 * NULL-terminated, g_strfreev; NULL with an error. */
char **ssapp_truth_channels (SsappTruth *self, const SsTrajectory *motion, const char *list, GError **error);

typedef struct {
  double by[SSAPP_ERROR_COUNT];
  double scale; /* how far the truth goes in the channel that goes farthest: what errors are small against */
} SsappMotionError;
/* Errors at n times; times beyond the truth's end do not count. All NaN where none is left. */
void ssapp_truth_compare (SsappTruth *self, const SsTrajectory *motion, char *const *channels, const double *times,
                          guint n, SsappMotionError *out);

G_END_DECLS
