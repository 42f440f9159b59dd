/* app/impact/ssapp-impact-private.h: the set's fields, shared by its files, each of which uses those before it: set
 * (the object), outcome (the chosen one) and side (studies beside it), planes (planes, brush, pictures), stream (what
 * is asked, samples that come). Private to the room. */
#pragma once

#include "app/impact/ssapp-impact-set.h"

G_BEGIN_DECLS

enum { SSAPP_IMPACT_FINE_BINS = 1 << 16, SSAPP_IMPACT_MOST_MODES = 4096 };

typedef enum { SSAPP_BRUSH_NONE, SSAPP_BRUSH_BOX, SSAPP_BRUSH_MODE, SSAPP_BRUSH_ENERGY } SsappBrushKind;

typedef struct {
  int columns[2]; /* along x and y */
  SsappPlane *all, *brushed;
  gint64 n_all, n_brushed; /* samples counted so far */
  SsappPlane *between;
  gint64 n_between;
  SsappPlane *other; /* of the kept set; NULL: none is kept */
  gint64 n_other;    /* of its samples counted so far */
  SsappPlane *mirror;
  gboolean has_reached; /* its hulls have what the draws at corners reach */
} SsappImpactPlane;

/* A set that stays for comparison; of another configuration or another policy. */
typedef struct {
  char *label; /* NULL: none */
  int m;
  gint64 n;
  float **columns; /* 2m of n */
} SsappImpactKept;

/* A study beside the set: rows that have come, and of what. */
typedef struct {
  SsappImpactStudy *study; /* NULL: none was begun */
  SsappImpactStudyState state;
  GArray *rows;       /* of double */
  guint64 generation; /* of the set's configuration (steps) */
  double mu, angle;   /* of the configuration (compliant) */
  const SsappImpactSource *source;
  gboolean is_old; /* begun with something that is no longer so */
} SsappImpactSide;

struct _SsappImpactSet {
  GObject parent_instance;
  SsappImpactWorker *worker;
  SsappImpactSource *source;
  int asked_parameter; /* of the source, to become asked_value; -1: none */
  double asked_value;
  SsappImpactParameters parameters;
  gboolean is_dragged, is_late; /* late: the newest parameters wait for the set before them */
  guint64 generation;           /* wanted */
  gint64 started;               /* [us] */
  /* what the samples on show are of */
  guint64 shown;
  SsImpact *pending, *impact; /* of `generation`, of `shown` */
  SsImpactSetOptions options;
  int m;
  gint64 n, capacity;
  float **columns; /* 2m */
  float *energies;
  guint16 *modes;
  guint8 *mask;
  gint64 n_masked; /* samples whose mask is known */
  GArray *kinds;   /* of SsappImpactMode */
  GHashTable *by_code;
  GArray *between; /* of float, rows of 2m */
  double *losses;  /* 2m */
  double *loss_shares;
  int n_traced;
  gboolean has_bound;   /* was made */
  GArray *reached;      /* of float, rows of 2m; with it */
  SsImpactBound *bound; /* of `impact`; NULL: there is none */
  SsappImpactTotals totals;
  double solves, steps_ambiguous;
  gint64 *fine, *fine_brushed; /* SSAPP_IMPACT_FINE_BINS */
  GArray *growth;
  /* planes */
  SsappImpactPlane planes[SSAPP_IMPACT_PLANES];
  guint layers;
  SsappImpactKept kept;
  SsappBrushKind brush;
  int brush_plane, brush_columns[2], brush_mode;
  double brush_box[4];
  gint64 n_brushed;
  /* marks of other laws: rows of 2m speeds */
  GArray *simultaneous, *sequential; /* of double */
  GPtrArray *way_labels;             /* of sequential's rows: orders */
  gboolean has_laws;
  GArray *rates, *rates_path; /* of double: rows of m, rows of 2m */
  int rates_contacts;         /* m that the rates are of */
  gboolean has_rates_path;
  /* studies beside it */
  SsappImpactSide compliant, steps;
  SsCompliantSweep sweep;
  gboolean wants_steps;
  /* the chosen one */
  gint64 chosen;
  int step;
  gboolean has_outcome;
  int n_steps;
  GArray *velocities, *speeds, *normal, *tangential, *shares, *step_modes;
};

/* The samples of the set, those of the kept set, a study and its rows, the chosen outcome: forgotten. */
void ssapp_impact_set_free_samples (SsappImpactSet *self);
void ssapp_impact_set_forget_kept (SsappImpactSet *self);
void ssapp_impact_side_forget (SsappImpactSide *side);
void ssapp_impact_outcome_forget (SsappImpactSet *self);
/* Forgets what was counted, but not what is asked. */
void ssapp_impact_planes_reset (SsappImpactSet *self);
/* Goes on counting; TRUE: there is more to do. */
gboolean ssapp_impact_planes_advance (SsappImpactSet *self, gint64 deadline);
/* Begins, follows and ends the studies beside the set; *is_changed where there is more of one. TRUE: one goes on. */
gboolean ssapp_impact_side_advance (SsappImpactSet *self, gboolean *is_changed);
/* The planes have other columns. */
void ssapp_impact_side_forget_steps (SsappImpactSet *self);
/* Waits for what has been begun. */
void ssapp_impact_side_wait (SsappImpactSet *self);
/* Grows with all that is counted in planes. */
gint64 ssapp_impact_planes_progress (const SsappImpactSet *self);
/* The planes have other columns, or another number of contacts: the kept set is counted again in them. */
void ssapp_impact_planes_recount_kept (SsappImpactSet *self);
/* Tells that something is to be drawn again. */
void ssapp_impact_set_tell (SsappImpactSet *self);
void ssapp_impact_set_tell_chosen (SsappImpactSet *self);
void ssapp_impact_set_tell_source (SsappImpactSet *self);
void ssapp_impact_set_tell_failed (SsappImpactSet *self, const char *message);

G_END_DECLS
