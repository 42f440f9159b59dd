/* app/impact/ssapp-impact-view.h: the pictures of a set by name, for the window and for paper, with their words; the
 * set as files and as a stored run; its outcomes as starts of simulations.
 * Threads: main thread only. Tests: tests/unit/test-impact-set.c
 */
#pragma once

#include "app/impact/ssapp-impact-set.h"
#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_IMPACT_VIEW_PLANE,    /* the first plane */
  SSAPP_IMPACT_VIEW_PLANE_2,  /* the second      */
  SSAPP_IMPACT_VIEW_SEQUENCE, /* impulses of the chosen outcome, step by step */
  SSAPP_IMPACT_VIEW_ENERGY,   /* histogram and losses */
  SSAPP_IMPACT_VIEW_GROWTH,   /* hull area, occupancy, share of the first mode against samples */
  SSAPP_IMPACT_VIEW_RATES,    /* impulse rates drawn by hand */
  SSAPP_IMPACT_VIEW_OUTCOME,  /* bodies before and after, or the contacts' velocities */
  SSAPP_IMPACT_N_VIEWS
} SsappImpactView;

/* Draws into a rectangle [px]. */
void ssapp_impact_view_draw (SsappImpactSet *set, SsappImpactView view, cairo_t *cr, const SsappStyle *style, double x,
                             double y, double width, double height);
/* What a glance at it tells, for who cannot see it; g_free. */
char *ssapp_impact_view_describe (SsappImpactSet *set, SsappImpactView view);
/* Share of the energy at that x of a histogram of that size. */
double ssapp_impact_view_energy_at (SsappImpactSet *set, const SsappStyle *style, double width, double height,
                                    double x);
/* Step of the sequence at that x of a picture of that size; -1: none. */
int ssapp_impact_view_step_at (SsappImpactSet *set, const SsappStyle *style, double width, double height, double x);
/* A stroke in the picture of rates of that size: its first place, or one more; what does not fit is left out. */
void ssapp_impact_view_draw_rates (SsappImpactSet *set, const SsappStyle *style, double width, double height, double x,
                                   double y, gboolean is_first);
/* Title of a plane's card: "Left corner A", "A and B: lift-off"; g_free. */
char *ssapp_impact_plane_title (SsappImpactSet *set, int plane);
/* Pairs of columns that a plane can show: each contact's two speeds, then pairs of contacts. Columns of choice k;
 * FALSE: there are not so many. `name` (g_free) may be NULL. */
gboolean ssapp_impact_plane_choice (SsappImpactSet *set, int k, int *x_column, int *y_column, char **name);
/* What is said of the chosen outcome (or the marked step): name, value, name, value; NULL-terminated. */
GStrv ssapp_impact_set_dup_facts (SsappImpactSet *set);

/* kind: "figure" (PDF, SVG, PNG), "csv" (samples), "table" (shares as LaTeX), "configuration" (a file of the reference
 * form). */
gboolean ssapp_impact_set_export (SsappImpactSet *set, const char *kind, double width_mm, const char *path,
                                  GError **error);
/* Stores the set as a run of the law set-valued that has ended, with the result that the command line gives: options,
 * seed, metrics, shares of modes, samples as ssapp_store_finish_record has them. Returns its id (g_free). */
char *ssapp_impact_set_store (SsappImpactSet *set, SsappStore *store, GError **error);
/* The scenario whose bodies begin where the impact was, with the velocities of the sample's outcome; g_free. NULL
 * with an error: the configuration is a file, or a body is made by a family. */
char *ssapp_impact_set_dup_scenario (SsappImpactSet *set, gint64 sample, GError **error);
/* The same in the state before the impact, with the velocities that the page shows; its friction is the scene's. */
char *ssapp_impact_set_dup_scenario_before (SsappImpactSet *set, GError **error);
/* Up to `most` samples that differ: the chosen one first, then the first of each mode, then those that follow. New
 * array of gint64. */
GArray *ssapp_impact_set_pick (SsappImpactSet *set, int most);
/* The set by what it was asked for, what is often changed first: "μ 0.2, h 0.3, lemke, Rocking Block"; g_free. */
char *ssapp_impact_set_dup_name (SsappImpactSet *set);
/* A count with thin spaces between thousands; g_free. */
char *ssapp_impact_count_text (gint64 count);
/* What should be known of the configuration: a cone that is not pointed, dependent rows; a sentence a line, "" if
 * nothing; g_free. */
char *ssapp_impact_set_dup_warnings (SsappImpactSet *set);
/* For scripts, as JSON: what is asked, how much of it is there, what is chosen, brushed and kept; g_free. */
char *ssapp_impact_set_dup_status (SsappImpactSet *set);

G_END_DECLS
