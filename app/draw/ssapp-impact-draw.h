/* app/draw/ssapp-impact-draw.h: the smaller pictures of an impact: the sequence of its impulses, the histogram of
 * kinetic energy, the impulse rates on their simplex. Pure functions of (cairo_t, data, size), as the other plots.
 * Threads: any. Tests: tests/unit/test-plane.c
 */
#pragma once

#include "app/draw/ssapp-impact-mode.h"

G_BEGIN_DECLS

/* ---- impulses step by step --------------------------------------------------------------------------------------- */

typedef struct {
  int n_steps, n_contacts;
  const double *normal, *tangential; /* n_steps x n_contacts [N s] */
  const double *energy;              /* n_steps + 1: before the first step, after each; share of the first, 0..1 */
  const guint32 *modes;              /* n_steps: joint mode after each; NULL: not told */
  const char *const *contacts;
  int current;        /* marked step, from 0; -1: none */
  const char *letter; /* "(a)" on paper, or NULL */
} SsappImpulseSequence;

/* Bars of normal impulse per contact with the direction of friction above, the energy as a line over them. */
void ssapp_impulse_sequence_draw (cairo_t *cr, const SsappStyle *style, const SsappImpulseSequence *sequence, double x,
                                  double y, double width, double height);
/* Step at that x of a picture drawn at (0, 0) in that size; -1: none. */
int ssapp_impulse_sequence_step_at (const SsappStyle *style, const SsappImpulseSequence *sequence, double width,
                                    double height, double device_x);

/* ---- kinetic energy ---------------------------------------------------------------------------------------------- */

typedef struct {
  int n_bins;
  const gint64 *counts;  /* of samples, from energy 0 to `largest` in equal bins */
  const gint64 *brushed; /* of those chosen by a brush; NULL: there is no brush */
  double largest;        /* share of the energy before, 0..1 */
  double chosen;         /* share kept by the chosen outcome; NaN: none */
  /* mean losses, shares of the energy before: by normal and by tangential impulse of each contact; NULL: not known */
  const double *normal_loss, *friction_loss;
  int n_contacts;
  const char *const *contacts;
  const char *letter;
  double brush[2]; /* least and largest brushed share; equal or NaN: none */
} SsappEnergyPlot;
/* Counts on a log scale; below them, where known, one bar that says where the energy went. */
void ssapp_energy_plot_draw (cairo_t *cr, const SsappStyle *style, const SsappEnergyPlot *plot, double x, double y,
                             double width, double height);
/* Energy share at that place, 0..`largest`. */
double ssapp_energy_plot_value_at (const SsappStyle *style, const SsappEnergyPlot *plot, double width, double height,
                                   double device_x);

/* ---- impulse rates ----------------------------------------------------------------------------------------------- */

/* Rates of two contacts lie on a line, of three in a triangle; each corner is one contact alone. */
typedef struct {
  int n_contacts; /* 2 or 3 */
  const char *const *contacts;
  const double *rates; /* n x n_contacts, each row's sum 1: the way drawn so far */
  int n;
  double current[3]; /* NaN: none */
} SsappRatesPlot;
/* The simplex with its corners named and the way. */
void ssapp_rates_plot_draw (cairo_t *cr, const SsappStyle *style, const SsappRatesPlot *plot, double x, double y,
                            double width, double height);
/* Rates at a place of a picture drawn at (0, 0) in that size, moved onto the simplex; FALSE: not for that many
 * contacts. */
gboolean ssapp_rates_plot_value_at (const SsappStyle *style, const SsappRatesPlot *plot, double width, double height,
                                    double device_x, double device_y, double rates[3]);

G_END_DECLS
