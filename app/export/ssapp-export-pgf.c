/* app/export/ssapp-export-pgf.c: a plot for pgfplots: FILE.tex with axes, curves and legend, FILE.dat with the numbers,
 * two columns a curve. The .tex is read by \input where pgfplots is loaded, and compiles alone too. Its looks are those
 * of the program's own figures: colours and dashes of the methods. */
#include "app/export/ssapp-export-private.h"

#include "app/base/ssapp-latex.h"
#include "app/draw/ssapp-draw-parts.h"
#include "app/export/ssapp-pgf.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* What a picture of so many columns shows; more points would be more than TeX's memory holds, and no more to see. */
enum { COLUMNS = 500, POINTS_MOST = 4 * COLUMNS };
static const double PANEL_RATIO = 0.42; /* height of an axis, in its width */
static const double PAGE_MM = 190.;     /* of all axes together */
static const double LEAST_RANGE = 1e-4; /* of the values: below, pgfplots takes them for the same */

typedef struct {
  const SsappFigure *figure;
  GPtrArray *panels; /* of Panel */
  GArray *curves;    /* of Points */
} Pgf;

/* Curves of one quantity share an axis, and channels that were chosen for one plot. */
typedef struct {
  char *quantity, *x_name;      /* of the first curve */
  char *title;                  /* of a plot of chosen channels; NULL: the quantity */
  int plot;                     /* among those */
  gboolean is_log, has_several; /* quantities */
  double least, most;           /* of y */
} Panel;

typedef struct {
  guint panel;
  int n;
  double *x, *y;
  char *label, *quantity;
  SsMethodId method;
  gboolean is_dots, is_part;
  int look; /* of one of several kinds; 0: that of the method */
} Points;

static void
panel_free (gpointer data)
{
  Panel *panel = data;

  g_free (panel->quantity);
  g_free (panel->x_name);
  g_free (panel->title);
  g_free (panel);
}

static void
points_clear (gpointer data)
{
  Points *points = data;

  g_free (points->x);
  g_free (points->y);
  g_free (points->label);
  g_free (points->quantity);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

static guint
panel_of (Pgf *pgf, const SsappFigureCurve *curve)
{
  Panel *panel;

  for (guint i = 0; i < pgf->panels->len; i++) {
    panel = g_ptr_array_index (pgf->panels, i);
    const gboolean is_same = strcmp (panel->quantity, curve->quantity) == 0;
    if (curve->plot_title != NULL ? panel->plot == curve->plot : is_same) {
      panel->has_several = panel->has_several || !is_same;
      return i;
    }
  }
  panel = g_new0 (Panel, 1);
  *panel = (Panel){.quantity = g_strdup (curve->quantity),
                   .x_name = g_strdup (curve->x_name),
                   .title = g_strdup (curve->plot_title),
                   .plot = curve->plot,
                   .is_log = curve->is_log,
                   .least = NAN,
                   .most = NAN};
  g_ptr_array_add (pgf->panels, panel);
  return pgf->panels->len - 1;
}

static gboolean
ascends (const double *x, int n)
{
  for (int i = 1; i < n; i++)
    if (!(x[i] >= x[i - 1]))
      return FALSE;
  return TRUE;
}

/* As many points as a picture shows. */
static void
thin (Points *points)
{
  SsappCurve whole = {points->n, points->x, points->y}, few;

  if (points->n <= POINTS_MOST || !ascends (points->x, points->n))
    return;
  ssapp_curve_reduce (&whole, points->x[0], points->x[points->n - 1], COLUMNS, &few);
  g_free (points->x);
  g_free (points->y);
  points->n = few.n;
  points->x = few.t;
  points->y = few.y;
}

static void
take (Pgf *pgf, const SsappFigureCurve *curve)
{
  const char *run = ssapp_figure_run_label (curve->run);
  const int n = curve->n;
  Points points = {.panel = panel_of (pgf, curve),
                   .n = n,
                   .x = g_new (double, MAX (n, 1)),
                   .y = g_new (double, MAX (n, 1)),
                   .label = curve->part == NULL       ? g_strdup (run)
                            : pgf->figure->n_runs > 1 ? g_strdup_printf ("%s, %s", run, curve->part)
                                                      : g_strdup (curve->part),
                   .quantity = g_strdup (curve->quantity),
                   .method = curve->run->method,
                   .is_dots = curve->is_dots,
                   .is_part = curve->part != NULL,
                   .look = curve->look};
  Panel *panel = g_ptr_array_index (pgf->panels, points.panel);

  for (int i = 0; i < n; i++) {
    points.x[i] = curve->x[i];
    points.y[i] = curve->y[(gsize)i * curve->stride];
    panel->least = fmin (panel->least, points.y[i]); /* which passes over NaN */
    panel->most = fmax (panel->most, points.y[i]);
  }
  thin (&points);
  g_array_append_val (pgf->curves, points);
}

static void
take_curve (const SsappFigureCurve *curve, gpointer data)
{
  if (curve->n > 0)
    take (data, curve);
}

/* Channels of one plot have a look and a name each. */
static void
tell_apart (Pgf *pgf)
{
  for (guint p = 0; p < pgf->panels->len; p++) {
    int n = 0;
    for (guint c = 0; c < pgf->curves->len; c++) {
      Points *points = &g_array_index (pgf->curves, Points, c);
      if (points->panel != p || !((const Panel *)g_ptr_array_index (pgf->panels, p))->has_several)
        continue;
      g_autofree char *run = g_steal_pointer (&points->label);
      points->label =
          pgf->figure->n_runs > 1 ? g_strdup_printf ("%s, %s", run, points->quantity) : g_strdup (points->quantity);
      points->is_part = TRUE;
      points->look = ++n;
    }
  }
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static void
write_data (const Pgf *pgf, GString *out)
{
  int n = 0;

  for (guint c = 0; c < pgf->curves->len; c++) {
    n = MAX (n, g_array_index (pgf->curves, Points, c).n);
    g_string_append_printf (out, "%sx%u y%u", c > 0 ? " " : "", c + 1, c + 1);
  }
  g_string_append_c (out, '\n');
  for (int i = 0; i < n; i++)
    for (guint c = 0; c < pgf->curves->len; c++) {
      const Points *points = &g_array_index (pgf->curves, Points, c);
      ssapp_pgf_append_number (out, i < points->n ? points->x[i] : (double)NAN);
      g_string_append_c (out, ' ');
      ssapp_pgf_append_number (out, i < points->n ? points->y[i] : (double)NAN);
      g_string_append_c (out, c + 1 < pgf->curves->len ? ' ' : '\n');
    }
}

static const char *
x_title (const SsappFigure *figure, const Panel *panel)
{
  return figure->x_label != NULL                    ? figure->x_label
         : strcmp (panel->x_name, "iteration") == 0 ? "Iteration"
                                                    : figure->axis;
}

static void
declare_look (const Points *points, guint number, GString *tex)
{
  SsappStyle style;
  SsappMethodStyle look;

  ssapp_style_init_paper (&style);
  if (points->look > 0)
    ssapp_style_look (&style, points->look - 1, &look);
  else
    ssapp_style_method (&style, points->method, &look);
  ssapp_pgf_declare_look (tex, number, &look);
}

/* Number of the first curve that looks so; measured motions have no method. */
static guint
look_of (const Pgf *pgf, const Points *points)
{
  const Points *curves = (const Points *)(void *)pgf->curves->data;
  guint c = 0;

  while (curves[c].look != points->look || curves[c].method.kind != points->method.kind ||
         g_strcmp0 (curves[c].method.name, points->method.name) != 0)
    c++;
  return c + 1;
}

static void
write_curve (const Pgf *pgf, GString *tex, const Points *points, guint number, gboolean is_named, const char *data)
{
  g_string_append_printf (tex, "\\addplot[stickslip look %u, %s] table[x=x%u, y=y%u] {%s};\n", look_of (pgf, points),
                          !points->is_dots   ? "mark=none"
                          : points->look > 0 ? "only marks, mark size=1pt"
                                             : "only marks, mark=o, mark size=1pt",
                          number, number, data);
  if (!is_named)
    return;
  g_string_append (tex, "\\addlegendentry{");
  ssapp_pgf_append_text (tex, points->label);
  g_string_append (tex, "}\n");
}

/* Of what stays the same; pgfplots would warn. */
static char *
range_about (double value)
{
  const double room = value != 0 ? 0.1 * fabs (value) : 1;
  char least[G_ASCII_DTOSTR_BUF_SIZE], most[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (least, sizeof least, "%.9g", value - room);
  g_ascii_formatd (most, sizeof most, "%.9g", value + room);
  return g_strdup_printf (", ymin=%s, ymax=%s", least, most);
}

/* The first panel says what the others have too; several kinds are not the same in all. */
static gboolean
is_named (const Pgf *pgf, const Points *points, guint panel)
{
  return points->is_part || (panel == 0 && pgf->figure->n_runs > 1);
}

static void
write_panel (const Pgf *pgf, guint index, double width_mm, const char *data, GString *tex)
{
  const Panel *panel = g_ptr_array_index (pgf->panels, index);
  const gboolean is_last = index + 1 == pgf->panels->len;
  const SsappPlotKind *plot = pgf->figure->plot;
  const gboolean is_log =
      (panel->is_log && panel->most > 0) || (plot->suits_log != NULL && plot->suits_log (panel->least, panel->most));
  g_autofree char *x = ssapp_latex_words (x_title (pgf->figure, panel)),
                  *y = ssapp_latex_words (panel->title != NULL ? panel->title : panel->quantity);
  char height[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (height, sizeof height, "%.1f", MIN (width_mm * PANEL_RATIO, PAGE_MM / pgf->panels->len));
  g_string_append_printf (tex, "\\nextgroupplot[ylabel={%s}, height=%smm%s%s%s]\n", y, height,
                          is_last ? ", xlabel={" : "", is_last ? x : "", is_last ? "}" : "");
  if (is_log)
    g_string_insert (tex, (gssize)tex->len - 2, ", ymode=log");
  else if (!(panel->most - panel->least > LEAST_RANGE * fmax (fabs (panel->most), fabs (panel->least)))) {
    g_autofree char *range = range_about (isfinite (panel->least) ? panel->least : 0);
    g_string_insert (tex, (gssize)tex->len - 2, range);
  }
  for (guint c = 0; c < pgf->curves->len; c++) {
    const Points *points = &g_array_index (pgf->curves, Points, c);
    if (points->panel == index)
      write_curve (pgf, tex, points, c + 1, is_named (pgf, points, index), data);
  }
  g_string_append_c (tex, '\n');
}

/* `data`: name of the file with the numbers, as the .tex names it. */
static void
write_tex (const Pgf *pgf, double width_mm, const char *data, GString *tex)
{
  char width[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (width, sizeof width, "%.1f", width_mm);
  g_string_append_printf (
      tex,
      "%% Made by Stickslip " SS_VERSION ". The numbers are in %s.\n"
      "%% \\input this where pgfplots is loaded (\\usepackage{pgfplots} \\usepgfplotslibrary{groupplots}), or compile "
      "it "
      "alone.\n"
      "\\ifx\\pgfplotsset\\undefined\n"
      "\\documentclass{article}\n"
      "\\usepackage{pgfplots}\n"
      "\\usepgfplotslibrary{groupplots}\n"
      "\\pgfplotsset{compat=1.16}\n"
      "\\pagestyle{empty}\n"
      "\\begin{document}\n"
      "\\def\\stickslipend{\\end{document}}\n"
      "\\else\n"
      "\\let\\stickslipend\\relax\n"
      "\\fi\n",
      data);
  for (guint c = 0; c < pgf->curves->len; c++)
    if (look_of (pgf, &g_array_index (pgf->curves, Points, c)) == c + 1)
      declare_look (&g_array_index (pgf->curves, Points, c), c + 1, tex);
  g_string_append_printf (
      tex,
      "\\noindent\\begin{tikzpicture}\n"
      "\\begin{groupplot}[group style={group size=1 by %u, vertical sep=6mm, x descriptions at=edge bottom}, "
      "width=%smm, scale only axis=false, unbounded coords=discard, filter discard warning=false, label "
      "style={font=\\footnotesize}, "
      "tick label style={font=\\scriptsize}, legend style={font=\\scriptsize}, legend pos=north east, grid=major%s]\n",
      pgf->panels->len, width, pgf->figure->plot->is_plane ? "" : ", enlarge x limits=false");
  for (guint i = 0; i < pgf->panels->len; i++)
    write_panel (pgf, i, width_mm, data, tex);
  g_string_append (tex, "\\end{groupplot}\n\\end{tikzpicture}\n\\stickslipend\n");
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
take_all (Pgf *pgf)
{
  const SsappFigure *figure = pgf->figure;

  if (!figure->plot->is_plane) {
    ssapp_figure_for_each_curve (figure, take_curve, pgf);
    return;
  }
  for (int r = 0; r < figure->n_runs; r++) {
    const SsappFigureData *d = &figure->runs[r];
    if (d->path.n > 0)
      take (pgf, &(SsappFigureCurve){d->run, figure->y_label, figure->x_label, d->path.n, d->path.x, d->path.y, 1});
  }
}

gboolean
ssapp_write_pgf (const SsappSheet *sheet, const char *path, GError **error)
{
  g_autoptr (GPtrArray) panels = g_ptr_array_new_with_free_func (panel_free);
  g_autoptr (GArray) curves = g_array_new (FALSE, TRUE, sizeof (Points));
  g_autoptr (GString) tex = g_string_new (NULL), data = g_string_new (NULL);
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (".tex")), *to = g_strconcat (stem, ".dat", NULL),
                  *base = g_path_get_basename (to);
  Pgf pgf = {sheet->figure, panels, curves};

  g_array_set_clear_func (curves, points_clear);
  if (strpbrk (base, " %#&~\\{}$^\"'") != NULL)
    return ssapp_export_fail (path, G_IO_ERROR_INVALID_ARGUMENT,
                              "LaTeX reads no file of that name: leave out spaces and signs", error);
  take_all (&pgf);
  if (curves->len == 0)
    return ssapp_export_fail (path, G_IO_ERROR_INVALID_ARGUMENT, "there are no curves to write", error);
  tell_apart (&pgf);
  write_tex (&pgf, sheet->options->width_mm, base, tex);
  write_data (&pgf, data);
  if (!ssapp_write_file (to, data->str, (gssize)data->len, error))
    return FALSE;
  if (ssapp_write_file (path, tex->str, (gssize)tex->len, error))
    return TRUE;
  g_unlink (to); /* numbers without their plot */
  return FALSE;
}
