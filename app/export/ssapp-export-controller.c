/* app/export/ssapp-export-controller.c: a plan with the feedback that holds it (plan/ss-plan-lqr.h) as CSV, JSON and C:
 * times, nominal controls and states, gains, limits; one function a format. */
#include "app/export/ssapp-export-private.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "plan/ss-plan-lqr.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

/* All that is written; borrowed from the scene, the plan and the regulator, but for what it owns. */
typedef struct {
  const SsScene *scene;
  const SsTrajectory *plan;
  const char *title;
  SsPlanLqr *lqr;       /* owned */
  SsControls *controls; /* owned */
  int n, m, n_steps;    /* states, controls, steps with gains */
  char **states;        /* owned; names of channels */
  int *columns;         /* owned; of the plan */
} Controller;

static void
controller_clear (Controller *c)
{
  ss_plan_lqr_free (c->lqr);
  ss_controls_free (c->controls);
  g_strfreev (c->states);
  g_free (c->columns);
}

static gboolean
controller_open (Controller *c, const SsappTableRun *run, GError **error)
{
  SsError problem = {0};

  *c = (Controller){.scene = run->scenario != NULL ? run->scenario->scene : NULL,
                    .plan = run->trajectory,
                    .title = run->label != NULL ? run->label : ""};
  if (c->scene == NULL || c->plan == NULL)
    return ssapp_fail_input (error, "%s has no plan of a scene, which a controller could hold", c->title);
  if (ss_controls_new (c->scene, c->plan, &c->controls, &problem) != SS_OK ||
      ss_plan_lqr_new (c->scene, c->plan, NULL, NULL, &c->lqr, &problem) != SS_OK)
    return ssapp_fail_input (error, "There is no controller of %s: %s", c->title, problem.message);
  c->n = ss_plan_lqr_n_states (c->lqr);
  c->m = c->scene->n_actuators;
  c->n_steps = ss_plan_lqr_n_steps (c->lqr);
  c->states = g_new0 (char *, c->n + 1);
  c->columns = g_new0 (int, c->n + 1);
  for (int i = 0; i < c->n; i++) {
    const int half = c->n / 2, coordinate = ss_plan_lqr_coordinate (c->lqr, i % half);
    c->states[i] = g_strdup_printf ("%s.%s", c->scene->bodies[coordinate / 3].name,
                                    ss_body_channels[coordinate % 3 + (i < half ? 0 : 3)]);
    c->columns[i] = ss_trajectory_channel (c->plan, c->states[i]);
  }
  return TRUE;
}

/* Gains of the step that begins with a row of controls; behind the last step its own. */
static const double *
gain_at (const Controller *c, int row)
{
  return ss_plan_lqr_gain (c->lqr, MIN (row, c->n_steps - 1));
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

/* A row for the beginning of each step, and of the end: t, controls, states, K.<control>.<state>, limits. */
static char *
to_csv (const Controller *c)
{
  GString *out = g_string_new ("t");
  g_autofree double *sample = g_new0 (double, c->plan->n_channels);

  for (int a = 0; a < c->m; a++)
    g_string_append_printf (out, ",u.%s", c->scene->actuators[a].name);
  for (int i = 0; i < c->n; i++)
    g_string_append_printf (out, ",%s", c->states[i]);
  for (int a = 0; a < c->m; a++)
    for (int i = 0; i < c->n; i++)
      g_string_append_printf (out, ",K.%s.%s", c->scene->actuators[a].name, c->states[i]);
  for (int a = 0; a < c->m; a++)
    g_string_append_printf (out, ",lower.%s,upper.%s", c->scene->actuators[a].name, c->scene->actuators[a].name);
  for (int k = 0; k < c->controls->n_rows; k++) {
    const double t = c->controls->t[k], *u = ss_controls_at (c->controls, t);
    g_string_append_c (out, '\n');
    ssapp_csv_append_number (out, t);
    ss_trajectory_sample (c->plan, t, sample);
    for (int a = 0; a < c->m; a++) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, u[a]);
    }
    for (int i = 0; i < c->n; i++) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, sample[c->columns[i]]);
    }
    for (int i = 0; i < c->m * c->n; i++) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, gain_at (c, k)[i]);
    }
    for (int a = 0; a < c->m; a++) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, c->scene->actuators[a].lower);
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, c->scene->actuators[a].upper);
    }
  }
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *
gain_to_json (const Controller *c, const double *gain)
{
  json_t *rows = json_array ();

  for (int a = 0; a < c->m; a++)
    json_array_append_new (rows, ssapp_json_reals (gain + (gsize)a * (gsize)c->n, c->n));
  return rows;
}

static char *
to_json (const Controller *c)
{
  json_t *states = json_array (), *controls = json_array (), *lower = json_array (), *upper = json_array (),
         *rows_t = json_array (), *rows_x = json_array (), *t = json_array (), *u = json_array (),
         *gains = json_array ();
  g_autofree double *x = g_new0 (double, c->n + 1);

  for (int i = 0; i < c->n; i++)
    json_array_append_new (states, json_string (c->states[i]));
  for (int a = 0; a < c->m; a++) {
    json_array_append_new (controls, json_string (c->scene->actuators[a].name));
    json_array_append_new (lower, ssapp_json_real (c->scene->actuators[a].lower));
    json_array_append_new (upper, ssapp_json_real (c->scene->actuators[a].upper));
  }
  for (int r = 0; r < c->plan->n_rows; r++) {
    for (int i = 0; i < c->n; i++)
      x[i] = ss_trajectory_row (c->plan, r)[c->columns[i]];
    json_array_append_new (rows_t, ssapp_json_real (ss_trajectory_row (c->plan, r)[0]));
    json_array_append_new (rows_x, ssapp_json_reals (x, c->n));
  }
  for (int k = 0; k < c->controls->n_rows; k++) {
    json_array_append_new (t, ssapp_json_real (c->controls->t[k]));
    json_array_append_new (u, ssapp_json_reals (c->controls->u + (gsize)k * (gsize)c->m, c->m));
    json_array_append_new (gains, gain_to_json (c, gain_at (c, k)));
  }
  json_t *object = json_pack (
      "{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o, s:o}}", "format", 1, "kind", "controller", "law",
      "u = clip (u_plan - K (x - x_plan)), u_plan and K held over a step, x_plan linear between rows", "states", states,
      "controls", controls, "lower", lower, "upper", upper, "rows", "t", rows_t, "x", rows_x, "steps", "t", t, "u", u,
      "K", gains);
  char *text = ssapp_json_text (object, FALSE);
  json_decref (object);
  return text;
}

/* ---- C ----------------------------------------------------------------------------------------------------------- */

static void
append_real (GString *out, double value)
{
  char digits[40];

  if (isinf (value)) {
    g_string_append (out, value > 0 ? "HUGE_VAL" : "-HUGE_VAL");
    return;
  }
  ss_format_double (value, digits, sizeof digits);
  g_string_append (out, digits);
}

/* "  {1, 2, 3},\n" */
static void
append_list (GString *out, const double *values, int n)
{
  g_string_append (out, "  {");
  for (int i = 0; i < n; i++) {
    if (i > 0)
      g_string_append (out, i % 8 == 0 ? ",\n   " : ", ");
    append_real (out, values[i]);
  }
  g_string_append (out, "},\n");
}

/* Text for a comment of C: nothing in it ends one. */
static void
append_comment (GString *out, const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    if (!(p[0] == '*' && p[1] == '/') && *p != '\n')
      g_string_append_c (out, *p);
}

static void
append_names (GString *out, const Controller *c)
{
  g_string_append (out, "/* ");
  append_comment (out, c->title);
  g_string_append (out, ": a plan and the LQR that holds it; what simulates (predict, replan) is in no file.\n *\n * u "
                        "= clip (u_plan - K (x - x_plan)). u_plan and K "
                        "are held over a step; x_plan is linear between rows, and its end stays.\n *\n");
  for (int i = 0; i < c->n; i++) {
    g_string_append_printf (out, " * x[%d]  ", i);
    append_comment (out, c->states[i]);
    g_string_append (out, i < c->n / 2 ? "  [m or rad]\n" : "  [m/s or rad/s]\n");
  }
  for (int a = 0; a < c->m; a++) {
    g_string_append_printf (out, " * u[%d]  ", a);
    append_comment (out, c->scene->actuators[a].name);
    g_string_append (out, "  [N or N m]\n");
  }
  g_string_append (out, " */\n");
}

static void
append_tables (GString *out, const Controller *c)
{
  g_autofree double *x = g_new0 (double, c->n + 1), *ends = g_new0 (double, 2 * c->m + 1);

  g_string_append_printf (
      out, "#include <math.h>\n\nenum { N_STATES = %d, N_CONTROLS = %d, N_ROWS = %d, N_STEPS = %d };\n\n", c->n, c->m,
      c->plan->n_rows, c->controls->n_rows);
  g_string_append (out, "static const double row_t[1][N_ROWS] = {\n");
  g_autofree double *t = g_new0 (double, c->plan->n_rows + 1);
  for (int r = 0; r < c->plan->n_rows; r++)
    t[r] = ss_trajectory_row (c->plan, r)[0];
  append_list (out, t, c->plan->n_rows);
  g_string_append (out, "};\nstatic const double row_x[N_ROWS][N_STATES] = {\n");
  for (int r = 0; r < c->plan->n_rows; r++) {
    for (int i = 0; i < c->n; i++)
      x[i] = ss_trajectory_row (c->plan, r)[c->columns[i]];
    append_list (out, x, c->n);
  }
  g_string_append (out, "};\nstatic const double step_t[1][N_STEPS] = {\n");
  append_list (out, c->controls->t, c->controls->n_rows);
  g_string_append (out, "};\nstatic const double step_u[N_STEPS][N_CONTROLS] = {\n");
  for (int k = 0; k < c->controls->n_rows; k++)
    append_list (out, c->controls->u + (gsize)k * (gsize)c->m, c->m);
  g_string_append (out, "};\nstatic const double gain[N_STEPS][N_CONTROLS * N_STATES] = {\n");
  for (int k = 0; k < c->controls->n_rows; k++)
    append_list (out, gain_at (c, k), c->m * c->n);
  g_string_append (out, "};\nstatic const double limits[2][N_CONTROLS] = {\n");
  for (int a = 0; a < c->m; a++) {
    ends[a] = c->scene->actuators[a].lower;
    ends[c->m + a] = c->scene->actuators[a].upper;
  }
  append_list (out, ends, c->m);
  append_list (out, ends + c->m, c->m);
  g_string_append (out, "};\n");
}

static char *
to_c (const Controller *c)
{
  static const char law[] =
      "\n/* Controls at time t [s] since the plan's beginning in the state x[N_STATES]: u[N_CONTROLS]. */\n"
      "void stickslip_controller (double t, const double *x, double *u);\n"
      "\n"
      "/* The last of n times that is not after t, where a millionth of a step is rounding; 0: there is none. */\n"
      "static int\n"
      "last_at (const double *times, int n, double t, double rounding)\n"
      "{\n"
      "  int low = 0, high = n - 1;\n"
      "\n"
      "  while (low < high) {\n"
      "    const int middle = (low + high + 1) / 2;\n"
      "    if (times[middle] - rounding * (times[middle] - times[middle - 1]) <= t)\n"
      "      low = middle;\n"
      "    else\n"
      "      high = middle - 1;\n"
      "  }\n"
      "  return low;\n"
      "}\n"
      "\n"
      "void\n"
      "stickslip_controller (double t, const double *x, double *u)\n"
      "{\n"
      "  const int step = last_at (step_t[0], N_STEPS, t, 1e-6), row = last_at (row_t[0], N_ROWS, t, 0);\n"
      "  const int next = row + 1 < N_ROWS ? row + 1 : row;\n"
      "  const double length = row_t[0][next] - row_t[0][row];\n"
      "  const double part = t > row_t[0][row] && length > 0 ? (t - row_t[0][row]) / length : 0;\n"
      "\n"
      "  for (int a = 0; a < N_CONTROLS; a++) {\n"
      "    double feedback = 0;\n"
      "    for (int i = 0; i < N_STATES; i++) {\n"
      "      const double planned = row_x[row][i] + part * (row_x[next][i] - row_x[row][i]);\n"
      "      feedback += gain[step][a * N_STATES + i] * (x[i] - planned);\n"
      "    }\n"
      "    u[a] = fmin (fmax (step_u[step][a] - feedback, limits[0][a]), limits[1][a]);\n"
      "  }\n"
      "}\n";
  GString *out = g_string_new (NULL);

  append_names (out, c);
  append_tables (out, c);
  g_string_append (out, law);
  return g_string_free (out, FALSE);
}

/* ---- the formats ------------------------------------------------------------------------------------------------- */

static const struct {
  const char *ending;
  char *(*write) (const Controller *c);
} formats[] = {{".csv", to_csv}, {".json", to_json}, {".c", to_c}};

gboolean
ssapp_write_controller (const SsappTableRun *run, const char *path, GError **error)
{
  Controller c;
  gboolean ok = controller_open (&c, run, error);

  for (guint i = 0; i < G_N_ELEMENTS (formats) && ok; i++)
    if (ssapp_ending_is (path, formats[i].ending)) {
      g_autofree char *text = formats[i].write (&c);
      ok = ssapp_write_file (path, text, -1, error);
      break;
    }
  controller_clear (&c);
  return ok;
}
