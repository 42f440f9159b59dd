/* app/impact/ssapp-impact-set.h: the set of velocities after an impact as the window explores it: samples that
 * stream in, planes of them, shares of joint modes, what a brush has in it, the chosen outcome with its impulses.
 *
 * Streaming  a thread draws samples (ssapp-impact-worker.h); ssapp_impact_set_take, called once a frame, counts what
 *            has come, for a few milliseconds at most. A change of the configuration shows the old set until the first
 *            samples of the new one are there. While a value is dragged only SSAPP_IMPACT_DRAGGED samples are drawn.
 * Modes      numbered in the order in which samples showed them; a sample that did not finish has none.
 * Threads    main thread only. Tests: tests/unit/test-impact-set.c
 */
#pragma once

#include "app/draw/ssapp-impact-draw.h"
#include "app/draw/ssapp-plane-draw.h"
#include "app/impact/ssapp-impact-source.h"
#include "app/impact/ssapp-impact-study.h"
#include "app/impact/ssapp-impact-worker.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_IMPACT_SET (ssapp_impact_set_get_type ())
G_DECLARE_FINAL_TYPE (SsappImpactSet, ssapp_impact_set, SSAPP, IMPACT_SET, GObject)

enum {
  SSAPP_IMPACT_DRAGGED = 1 << 13, /* samples while a value is dragged */
  SSAPP_IMPACT_PLANES = 2,
  SSAPP_IMPACT_BINS = 48, /* of the energy */
  SSAPP_IMPACT_NO_MODE = 65535
};

/* Signals:
 *   "changed" ()  samples, brush or looks of planes: draw again; at most once a call of ssapp_impact_set_take
 *   "chosen" ()   another outcome, or another step of it
 *   "source" ()   another configuration: contacts, names, ranges of values; not where only a scene's parameter is
 *   "failed" (const char *message) */

/* Without a configuration; its thread waits. */
SsappImpactSet *ssapp_impact_set_new (void);

/* ---- what is asked ---- */
typedef struct {
  double mu;    /* of all contacts; NaN: the configuration's own */
  double angle; /* by which the approach is turned [rad]         */
  SsImpactSetOptions options;
} SsappImpactParameters;
/* Takes a reference; NULL: nothing is shown. Values that the configuration gives (h, N) are taken from it. */
void ssapp_impact_set_set_source (SsappImpactSet *self, SsappImpactSource *source);
SsappImpactSource *ssapp_impact_set_get_source (SsappImpactSet *self); /* borrowed; may be NULL */
/* Borrowed until they are set again. */
const SsappImpactParameters *ssapp_impact_set_get_parameters (SsappImpactSet *self);
/* Starts anew where they differ, but for a larger number of samples, which goes on. Values out of range fail. */
void ssapp_impact_set_set_parameters (SsappImpactSet *self, const SsappImpactParameters *parameters);
/* Another value of the scene's parameter k (ssapp_impact_source_get_parameter): the source becomes one with it. A value
 * with which there is no configuration fails once it is let go, and the set stays what it was. */
void ssapp_impact_set_set_scene_value (SsappImpactSet *self, int k, double value);
/* A value is being dragged: fewer samples, until it is let go. */
void ssapp_impact_set_set_dragged (SsappImpactSet *self, gboolean is_dragged);

/* ---- what has come ---- */
/* Counts what is ready, for `budget` microseconds (0: all of it). TRUE: there was something, or there will be more. */
gboolean ssapp_impact_set_take (SsappImpactSet *self, gint64 budget);
/* Until all samples that are wanted are counted: for tests and for files. */
void ssapp_impact_set_wait (SsappImpactSet *self);
typedef struct {
  int n_contacts;
  gint64 n, n_wanted; /* samples so far, and asked for                      */
  gint64 n_unfinished, n_dropped;
  gint64 n_brushed; /* -1: there is no brush                               */
  double solves;    /* LCPs a sample, mean                                 */
  double ambiguous; /* share of steps with several outcomes; NaN: not known */
  double max_residual;
  double seconds;       /* from the start to the last sample              */
  double energy_before; /* [J] */
  double energy_most;   /* largest share kept */
} SsappImpactTotals;
/* As counted so far. */
void ssapp_impact_set_get_totals (SsappImpactSet *self, SsappImpactTotals *totals);
/* Sample k's speed: column 0 .. m - 1 normal, m .. 2 m - 1 tangential; borrowed arrays of n values. */
const float *ssapp_impact_set_get_column (SsappImpactSet *self, int column);
const float *ssapp_impact_set_get_energies (SsappImpactSet *self);
const guint16 *ssapp_impact_set_get_modes (SsappImpactSet *self);
/* Name of a column with its unit, "Sliding speed at A [m/s]"; g_free. */
char *ssapp_impact_set_dup_column_label (SsappImpactSet *self, int column);
/* The configuration that the samples are of; NULL before any. Borrowed until the next take. */
const SsImpact *ssapp_impact_set_get_impact (SsappImpactSet *self);
const SsImpactSetOptions *ssapp_impact_set_get_options (SsappImpactSet *self);
/* What holds every outcome; NULL: not known yet. Borrowed until the next take. */
const SsImpactBound *ssapp_impact_set_get_bound (SsappImpactSet *self);

typedef struct {
  guint32 code;
  int number; /* in the samples' modes */
  char *name; /* owned by the set */
  gint64 n, n_brushed;
  gint64 first; /* sample that showed it first */
} SsappImpactMode;
/* That samples have shown so far. */
int ssapp_impact_set_get_n_modes (SsappImpactSet *self);
/* By number; borrowed until the next take. */
const SsappImpactMode *ssapp_impact_set_get_mode (SsappImpactSet *self, int number);
/* Numbers from the most frequent to the rarest; g_free. */
int *ssapp_impact_set_sort_modes (SsappImpactSet *self);
/* Bins of the energy from 0 to energy_most; brushed may be NULL. */
void ssapp_impact_set_get_histogram (SsappImpactSet *self, gint64 counts[SSAPP_IMPACT_BINS],
                                     gint64 brushed[SSAPP_IMPACT_BINS]);
/* Mean losses of the first samples, shares of the energy before: by normal impulses of each contact, then by friction
 * (2 m numbers, borrowed); NULL: not known yet. */
const double *ssapp_impact_set_get_losses (SsappImpactSet *self);
/* How the set grew: at 2^8, 2^9, ... samples. */
typedef struct {
  gint64 n;
  double area[SSAPP_IMPACT_PLANES];        /* of the hulls [m^2/s^2] */
  int occupied[SSAPP_IMPACT_PLANES];       /* of 24 x 24 cells */
  double shares[SSAPP_IMPACT_STUDY_MODES]; /* of the first modes, by number */
  double unfinished;                       /* share */
} SsappImpactGrowth;
GArray *ssapp_impact_set_get_growth (SsappImpactSet *self); /* of these; borrowed */

/* ---- studies beside it ---- */
/* Contacts that give way: the curve of the layer COMPLIANT, over one of two sweeps (stiffness ratio at first). It is
 * made, case by case, when its layer is on and nothing is dragged, and again for another configuration. */
void ssapp_impact_set_set_sweep (SsappImpactSet *self, SsCompliantSweep sweep);
SsCompliantSweep ssapp_impact_set_get_sweep (SsappImpactSet *self);
/* Rows of 1 + 2m as ssapp_impact_study_new_compliant has them, borrowed until something changes. `message`: why there
 * are none, borrowed; NULL: nothing failed. Both pointers may be NULL. */
const double *ssapp_impact_set_get_compliant (SsappImpactSet *self, SsappImpactStudyState *state, const char **message);
/* Ends the sweep; what there is of the curve stays. */
void ssapp_impact_set_stop_compliant (SsappImpactSet *self);
/* Whether the set is studied with other steps h, once all its samples are there. */
void ssapp_impact_set_set_wants_steps (SsappImpactSet *self, gboolean wants);
/* Rows of SSAPP_IMPACT_STEPS_COLUMNS, borrowed until something changes. */
const double *ssapp_impact_set_get_steps (SsappImpactSet *self, SsappImpactStudyState *state);

/* ---- planes ---- */
/* Columns along x and y; the samples are counted again, over some frames. */
void ssapp_impact_set_set_plane (SsappImpactSet *self, int plane, int x_column, int y_column);
void ssapp_impact_set_get_plane (SsappImpactSet *self, int plane, int *x_column, int *y_column);
/* Which layers pictures have. */
typedef enum {
  SSAPP_IMPACT_LAYER_HULL = 1,
  SSAPP_IMPACT_LAYER_POINTS = 2,
  SSAPP_IMPACT_LAYER_BETWEEN = 4,
  SSAPP_IMPACT_LAYER_PATH = 8,
  SSAPP_IMPACT_LAYER_SIMULTANEOUS = 16,
  SSAPP_IMPACT_LAYER_SEQUENTIAL = 32,
  SSAPP_IMPACT_LAYER_COMPLIANT = 64,
  SSAPP_IMPACT_LAYER_OTHER = 128,
  SSAPP_IMPACT_LAYER_MIRROR = 256,
  SSAPP_IMPACT_LAYER_BOUND = 512
} SsappImpactLayer;
/* Switches one. */
void ssapp_impact_set_set_layer (SsappImpactSet *self, SsappImpactLayer layer, gboolean is_on);
/* Whether it is on. */
gboolean ssapp_impact_set_has_layer (SsappImpactSet *self, SsappImpactLayer layer);
/* Keeps the samples that there are for the layer OTHER, under that label; NULL: none. They stay when the configuration
 * or the planes are others; contacts correspond by their places. */
void ssapp_impact_set_keep_other (SsappImpactSet *self, const char *label);
/* The label of what is kept; NULL: nothing is. Borrowed until something else is kept. */
const char *ssapp_impact_set_get_other (SsappImpactSet *self);
/* All that a picture of a plane needs; borrowed until the set changes. Release with ssapp_impact_picture_clear. */
typedef struct {
  SsappPlaneSpec spec;
  GPtrArray *texts; /* owned by the picture */
  GArray *marks, *paths, *bounds;
  GPtrArray *points; /* of GArray */
  SsappJointLook *looks;
} SsappImpactPicture;
/* In the style's palette; without samples the axes alone. */
void ssapp_impact_set_fill_picture (SsappImpactSet *self, int plane, const SsappStyle *style,
                                    SsappImpactPicture *picture);
/* Releases what the picture owns. */
void ssapp_impact_picture_clear (SsappImpactPicture *picture);

/* ---- impulse rates drawn by hand ---- */
/* Rates of the contacts' normal impulses, n_pieces x m, each row with sum 1 (at most SS_IMPACT_PIECES_MAX rows; 0:
 * none): planes show the path of the continuous law along them. Each piece lasts an equal part of what the impact takes
 * along equal rates, the last one as long as it takes. */
void ssapp_impact_set_set_rates (SsappImpactSet *self, const double *rates, int n_pieces);
/* Borrowed; NULL: none. */
const double *ssapp_impact_set_get_rates (SsappImpactSet *self, int *n_pieces);
/* Speeds at the corners of that path: count rows of 2m, borrowed until something changes; NULL: there is none. */
const double *ssapp_impact_set_get_rates_path (SsappImpactSet *self, int *count);

/* ---- brush ---- */
/* Samples inside a box of a plane (least and largest x, least and largest y). */
void ssapp_impact_set_brush (SsappImpactSet *self, int plane, const double box[4]);
/* Samples of one mode. */
void ssapp_impact_set_brush_mode (SsappImpactSet *self, int number);
/* Samples that keep such shares of the energy. */
void ssapp_impact_set_brush_energy (SsappImpactSet *self, double low, double high);
/* The brushed shares of the energy; FALSE: there is no such brush. */
gboolean ssapp_impact_set_get_energy_brush (SsappImpactSet *self, double range[2]);
/* Moves that brush by a bin of the histogram, or, with `widens`, its upper end alone; one that begins has one bin. */
void ssapp_impact_set_move_energy_brush (SsappImpactSet *self, int bins, gboolean widens);
void ssapp_impact_set_clear_brush (SsappImpactSet *self);
gboolean ssapp_impact_set_has_brush (SsappImpactSet *self);

/* ---- the chosen outcome ---- */
/* -1: none. */
void ssapp_impact_set_choose (SsappImpactSet *self, gint64 sample);
gint64 ssapp_impact_set_get_chosen (SsappImpactSet *self);
/* The sample nearest to a place of a plane, of the brushed ones where there is a brush. */
void ssapp_impact_set_choose_nearest (SsappImpactSet *self, int plane, const double value[2], const double scale[2]);
/* The first sample of a mode; of the chosen one's mode the next (+1) or the one before (-1). */
void ssapp_impact_set_choose_mode (SsappImpactSet *self, int number);
void ssapp_impact_set_choose_next (SsappImpactSet *self, int direction);
typedef struct {
  gint64 sample;
  int mode; /* SSAPP_IMPACT_NO_MODE: it did not finish */
  int n, m, n_steps;
  const double *velocities;          /* (n_steps + 1) x n */
  const double *speeds;              /* (n_steps + 1) x 2m: normal, then tangential */
  const double *normal, *tangential; /* n_steps x m [N s] */
  const double *energies;            /* n_steps + 1, shares of the first */
  const guint32 *modes;              /* n_steps */
} SsappImpactOutcome;
/* Of the chosen sample, drawn again step by step; FALSE: none is chosen. Borrowed until another is. */
gboolean ssapp_impact_set_get_outcome (SsappImpactSet *self, SsappImpactOutcome *outcome);
void ssapp_impact_set_set_step (SsappImpactSet *self, int step); /* from 0; -1: the end */
int ssapp_impact_set_get_step (SsappImpactSet *self);
/* All velocities that the law allows after the marked step (count x 2m speeds, g_free); NULL: there are too many
 * contacts for it. */
double *ssapp_impact_set_dup_step_outcomes (SsappImpactSet *self, int *count);

G_END_DECLS
