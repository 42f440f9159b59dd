/* app/export/ssapp-export-controller.c: a plan with the feedbacks that hold it, LQR (plan/ss-plan-lqr.h) and the one
 * that knows contacts (plan/ss-plan-contact.h), as CSV, JSON and C: times, nominal controls and states, gains, limits;
 * of the second also forces, gains on them and phases; one function a format. */
#include "app/export/ssapp-export-private.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-text.h"
#include "plan/ss-plan-contact.h"
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
  /* Of the feedback that knows contacts; NULL: there is none. */
  SsPlanContact *contact;          /* owned */
  const SsPlanContactTable *table; /* of it */
  char **all_states, **forces;     /* owned; names of channels */
} Controller;

static void
controller_clear (Controller *c)
{
  ss_plan_lqr_free (c->lqr);
  ss_controls_free (c->controls);
  ss_plan_contact_free (c->contact);
  g_strfreev (c->states);
  g_strfreev (c->all_states);
  g_strfreev (c->forces);
  g_free (c->columns);
}

/* Names of the states of a regulator. */
static char **
dup_states (const SsScene *scene, const SsPlanLqr *lqr)
{
  const int n = ss_plan_lqr_n_states (lqr);
  char **names = g_new0 (char *, n + 1);

  for (int i = 0; i < n; i++) {
    const int half = n / 2, coordinate = ss_plan_lqr_coordinate (lqr, i % half);
    names[i] = g_strdup_printf ("%s.%s", scene->bodies[coordinate / 3].name,
                                ss_body_channels[coordinate % 3 + (i < half ? 0 : 3)]);
  }
  return names;
}

/* Files are of LQR alone where the scene has too many bodies. */
static void
open_contact (Controller *c)
{
  SsError ignored;

  if (ss_plan_contact_new (c->scene, c->plan, NULL, NULL, &c->contact, &ignored) != SS_OK)
    return;
  c->table = ss_plan_contact_table (c->contact);
  c->all_states = dup_states (c->scene, ss_plan_contact_lqr (c->contact));
  c->forces = g_new0 (char *, c->table->n_forces + 1);
  for (int j = 0; j < c->table->n_forces; j++)
    c->forces[j] =
        g_strdup_printf ("%s.%s", c->scene->contacts[ss_plan_lqr_force (ss_plan_contact_lqr (c->contact), j)].name,
                         j % 2 == 0 ? "lambda_n" : "lambda_t");
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
  c->states = dup_states (c->scene, c->lqr);
  c->columns = g_new0 (int, c->n + 1);
  for (int i = 0; i < c->n; i++)
    c->columns[i] = ss_plan_lqr_column (c->lqr, i);
  open_contact (c);
  return TRUE;
}

/* Gains of the step that begins with a row of controls; behind the last step its own. */
static const double *
gain_at (const Controller *c, int row)
{
  return ss_plan_lqr_gain (c->lqr, MIN (row, c->n_steps - 1));
}

/* The same of the feedback that knows contacts: on its states, and on forces. */
static const double *
contact_gain_at (const Controller *c, int row)
{
  return ss_plan_lqr_gain (ss_plan_contact_lqr (c->contact), MIN (row, c->n_steps - 1));
}

static const double *
force_gain_at (const Controller *c, int row)
{
  return ss_plan_lqr_force_gain (ss_plan_contact_lqr (c->contact), MIN (row, c->n_steps - 1));
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static void
append_csv_numbers (GString *out, const double *values, int n)
{
  for (int i = 0; i < n; i++) {
    g_string_append_c (out, ',');
    ssapp_csv_append_number (out, values[i]);
  }
}

/* Names of the columns of the feedback that knows contacts. */
static void
append_csv_contact_names (GString *out, const Controller *c)
{
  const SsPlanContactTable *of = c->table;

  for (int i = 0; i < of->n_states; i++)
    g_string_append_printf (out, ",contact.%s", c->all_states[i]);
  for (int j = 0; j < of->n_forces; j++)
    g_string_append_printf (out, ",contact.%s", c->forces[j]);
  for (int a = 0; a < c->m; a++)
    for (int i = 0; i < of->n_states; i++)
      g_string_append_printf (out, ",contact.K.%s.%s", c->scene->actuators[a].name, c->all_states[i]);
  for (int a = 0; a < c->m; a++)
    for (int j = 0; j < of->n_forces; j++)
      g_string_append_printf (out, ",contact.L.%s.%s", c->scene->actuators[a].name, c->forces[j]);
  g_string_append (out, ",contact.phase,contact.from,contact.until,contact.closing");
}

static void
append_csv_contact (GString *out, const Controller *c, int row)
{
  const SsPlanContactTable *of = c->table;
  int phase = of->n_phases - 1;

  append_csv_numbers (out, of->x + (gsize)row * (gsize)of->n_states, of->n_states);
  append_csv_numbers (out, of->lambda + (gsize)row * (gsize)of->n_forces, of->n_forces);
  append_csv_numbers (out, contact_gain_at (c, row), c->m * of->n_states);
  append_csv_numbers (out, force_gain_at (c, row), c->m * of->n_forces);
  while (of->phases[phase].first > row)
    phase--;
  const double ends[] = {phase, phase > 0 ? of->phases[phase].from : 0, phase > 0 ? of->phases[phase].until : 0};
  append_csv_numbers (out, ends, 3);
  g_string_append_printf (out, ",%s", phase > 0 ? c->forces[of->phases[phase].closing] : "");
}

/* A row for the beginning of each step, and of the end: t, controls, states, K.<control>.<state>, limits; then what
 * knows contacts: states, forces, K, L, phase, its window, the force whose contact begins it. */
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
  if (c->contact != NULL)
    append_csv_contact_names (out, c);
  for (int k = 0; k < c->controls->n_rows; k++) {
    const double t = c->controls->t[k], *u = ss_controls_at (c->controls, t);
    g_string_append_c (out, '\n');
    ssapp_csv_append_number (out, t);
    ss_trajectory_sample (c->plan, t, sample);
    append_csv_numbers (out, u, c->m);
    for (int i = 0; i < c->n; i++) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, sample[c->columns[i]]);
    }
    append_csv_numbers (out, gain_at (c, k), c->m * c->n);
    for (int a = 0; a < c->m; a++) {
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, c->scene->actuators[a].lower);
      g_string_append_c (out, ',');
      ssapp_csv_append_number (out, c->scene->actuators[a].upper);
    }
    if (c->contact != NULL)
      append_csv_contact (out, c, MIN (k, c->n_steps));
  }
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *
gain_to_json (const Controller *c, const double *gain, int n)
{
  json_t *rows = json_array ();

  for (int a = 0; a < c->m; a++)
    json_array_append_new (rows, ssapp_json_reals (gain + (gsize)a * (gsize)n, n));
  return rows;
}

static json_t *
names_to_json (char **names)
{
  json_t *list = json_array ();

  for (int i = 0; names[i] != NULL; i++)
    json_array_append_new (list, json_string (names[i]));
  return list;
}

static json_t *
contact_to_json (const Controller *c)
{
  const SsPlanContactTable *of = c->table;
  json_t *x = json_array (), *forces = json_array (), *gains = json_array (), *force_gains = json_array (),
         *phases = json_array ();

  for (int k = 0; k < of->n_rows; k++) {
    json_array_append_new (x, ssapp_json_reals (of->x + (gsize)k * (gsize)of->n_states, of->n_states));
    json_array_append_new (forces, ssapp_json_reals (of->lambda + (gsize)k * (gsize)of->n_forces, of->n_forces));
    json_array_append_new (gains, gain_to_json (c, contact_gain_at (c, k), of->n_states));
    json_array_append_new (force_gains, gain_to_json (c, force_gain_at (c, k), of->n_forces));
  }
  for (int p = 1; p < of->n_phases; p++) {
    json_t *struck = json_array ();

    for (int i = 0; i < of->n_states; i++)
      if (of->is_struck[p * of->n_states + i])
        json_array_append_new (struck, json_integer (i));
    json_array_append_new (phases,
                           json_pack ("{s:i, s:s, s:o, s:o, s:o}", "row", of->phases[p].first, "closing",
                                      c->forces[of->phases[p].closing], "from", ssapp_json_real (of->phases[p].from),
                                      "until", ssapp_json_real (of->phases[p].until), "states", struck));
  }
  json_t *object = json_pack ("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "law",
                              "u = clip (u_plan - K (x - x_plan) - L (lambda - lambda_plan)) of the phase in force",
                              "states", names_to_json (c->all_states), "forces", names_to_json (c->forces), "most",
                              ssapp_json_real (SS_PLAN_CONTACT_MOST), "least", ssapp_json_real (of->least), "x", x,
                              "lambda", forces, "K", gains, "L", force_gains, "phases", phases);
  return object;
}

static char *
to_json (const Controller *c)
{
  json_t *controls = json_array (), *lower = json_array (), *upper = json_array (), *rows_t = json_array (),
         *rows_x = json_array (), *t = json_array (), *u = json_array (), *gains = json_array ();
  g_autofree double *x = g_new0 (double, c->n + 1);

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
    json_array_append_new (gains, gain_to_json (c, gain_at (c, k), c->n));
  }
  json_t *object = json_pack (
      "{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o, s:o}}", "format", 1, "kind", "controller", "law",
      "u = clip (u_plan - K (x - x_plan)), u_plan and K held over a step, x_plan linear between rows", "states",
      names_to_json (c->states), "controls", controls, "lower", lower, "upper", upper, "rows", "t", rows_t, "x", rows_x,
      "steps", "t", t, "u", u, "K", gains);
  if (c->contact != NULL)
    json_object_set_new (object, "contact", contact_to_json (c));
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
  g_string_append (out, ": a plan and what holds it, LQR and, below, LQR that knows contacts; what simulates (predict, "
                        "replan) is in no file.\n *\n * u "
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

/* "static const double NAME[ROWS][COLUMNS] = {...};" of a list of rows. */
static void
append_table (GString *out, const char *name, const char *rows, const char *columns, const double *values, int n_rows,
              int n_columns)
{
  g_string_append_printf (out, "static const double %s[%s][%s] = {\n", name, rows, columns);
  for (int k = 0; k < n_rows; k++)
    append_list (out, values + (gsize)k * (gsize)n_columns, n_columns);
  g_string_append (out, "};\n");
}

/* What knows contacts: its law with names of its own. Without forces there is one force that is 0. */
static void
append_contact (GString *out, const Controller *c)
{
  static const char law[] =
      "/* Controls at time t [s] since the plan's beginning in the state x[ALL_STATES] with the contact forces\n"
      " * forces[N_FORCES] [N], means over the step that ended: u[N_CONTROLS]. *phase is 0 at the beginning and "
      "belongs\n"
      " * to this function. */\n"
      "void stickslip_contact_controller (double t, const double *x, const double *forces, int *phase, double *u);\n"
      "\n"
      "static double\n"
      "planned_at (int phase, int row, double t, int i)\n"
      "{\n"
      "  int from = -1;\n"
      "\n"
      "  if (row < phase_rows[phase][0] && struck[phase][i])\n"
      "    from = phase_rows[phase][0];\n"
      "  else if (row >= phase_rows[phase][1] && phase + 1 < N_PHASES && struck[phase + 1][i])\n"
      "    from = phase_rows[phase][1];\n"
      "  if (from < 0) {\n"
      "    const int next = row + 1 < N_STEPS ? row + 1 : row;\n"
      "    const double length = step_t[0][next] - step_t[0][row];\n"
      "    const double part = length > 0 && t > step_t[0][row] ? (t - step_t[0][row]) / length : 0;\n"
      "    return all_x[row][i] + part * (all_x[next][i] - all_x[row][i]);\n"
      "  }\n"
      "  return all_x[from][i] + (i < ALL_STATES / 2 ? (t - step_t[0][from]) * all_x[from][i + ALL_STATES / 2] : 0);\n"
      "}\n"
      "\n"
      "void\n"
      "stickslip_contact_controller (double t, const double *x, const double *forces, int *phase, double *u)\n"
      "{\n"
      "  const int row = last_at (step_t[0], N_STEPS, t, 1e-6), next = row + 1 < N_STEPS ? row + 1 : row;\n"
      "  const int ended = t > step_t[0][row] + 1e-6 * (step_t[0][next] - step_t[0][row]) ? next : row;\n"
      "\n"
      "  for (int p = *phase + 1; p < N_PHASES && t >= windows[p][0]; p++)\n"
      "    if (t >= windows[p][1] || forces[phase_rows[p][2]] > least_force)\n"
      "      *phase = p;\n"
      "  const int first = phase_rows[*phase][0], last = phase_rows[*phase][1];\n"
      "  const int k = row < first ? first : row > last ? last : row;\n"
      "  const int e = ended < first ? first : ended > last ? last : ended;\n"
      "  for (int a = 0; a < N_CONTROLS; a++) {\n"
      "    double feedback = 0;\n"
      "    for (int i = 0; i < ALL_STATES; i++)\n"
      "      feedback += all_gain[k][a * ALL_STATES + i] * (x[i] - planned_at (*phase, row, t, i));\n"
      "    for (int j = 0; j < N_FORCES; j++) {\n"
      "      const double normal = planned_force[e][j - j % 2], most = most_part * normal;\n"
      "      if (normal > least_force && forces[j - j % 2] > least_force)\n"
      "        feedback += force_gain[k][a * N_FORCES + j] * fmin (fmax (forces[j] - planned_force[e][j], -most), "
      "most);\n"
      "    }\n"
      "    u[a] = fmin (fmax (step_u[k][a] - feedback, limits[0][a]), limits[1][a]);\n"
      "  }\n"
      "}\n";
  const SsPlanContactTable *of = c->table;
  const int f = MAX (of->n_forces, 1);
  g_autofree double *gains = g_new0 (double, of->n_rows * c->m * of->n_states),
                    *force_gains = g_new0 (double, of->n_rows * c->m * f), *forces = g_new0 (double, of->n_rows *f),
                    *windows = g_new0 (double, 2 * of->n_phases);

  for (int k = 0; k < of->n_rows; k++) {
    const gsize size = (gsize)(c->m * of->n_states);
    memcpy (gains + (gsize)k * size, contact_gain_at (c, k), size * sizeof *gains);
    if (of->n_forces > 0) {
      memcpy (force_gains + k * c->m * f, force_gain_at (c, k), (gsize)(c->m * f) * sizeof *force_gains);
      memcpy (forces + k * f, of->lambda + k * f, (gsize)f * sizeof *forces);
    }
  }
  for (int p = 0; p < of->n_phases; p++) {
    windows[2 * p] = of->phases[p].from;
    windows[2 * p + 1] = of->phases[p].until;
  }
  g_string_append (out, "\n/* ---- the feedback that knows contacts ----\n *\n * u = clip (u_plan - K (x - x_plan) - L "
                        "(lambda - lambda_plan)), of the phase in force: a phase begins when its contact closes\n * "
                        "within its window, or at the window's end.\n *\n");
  for (int i = 0; i < of->n_states; i++) {
    g_string_append_printf (out, " * x[%d]  ", i);
    append_comment (out, c->all_states[i]);
    g_string_append (out, i < of->n_states / 2 ? "  [m or rad]\n" : "  [m/s or rad/s]\n");
  }
  for (int j = 0; j < of->n_forces; j++) {
    g_string_append_printf (out, " * forces[%d]  ", j);
    append_comment (out, c->forces[j]);
    g_string_append (out, "  [N]\n");
  }
  g_string_append (out, " */\n");
  g_string_append_printf (out,
                          "enum { ALL_STATES = %d, N_FORCES = %d, N_PHASES = %d };\nstatic const double "
                          "most_part = ",
                          of->n_states, f, of->n_phases);
  append_real (out, SS_PLAN_CONTACT_MOST);
  g_string_append (out, ", least_force = ");
  append_real (out, of->least);
  g_string_append (out, ";\n");
  append_table (out, "all_x", "N_STEPS", "ALL_STATES", of->x, of->n_rows, of->n_states);
  append_table (out, "planned_force", "N_STEPS", "N_FORCES", forces, of->n_rows, f);
  append_table (out, "all_gain", "N_STEPS", "N_CONTROLS * ALL_STATES", gains, of->n_rows, c->m * of->n_states);
  append_table (out, "force_gain", "N_STEPS", "N_CONTROLS * N_FORCES", force_gains, of->n_rows, c->m * f);
  append_table (out, "windows", "N_PHASES", "2", windows, of->n_phases, 2);
  g_string_append (out, "/* First and last row, force that closes. */\nstatic const int phase_rows[N_PHASES][3] = {\n");
  for (int p = 0; p < of->n_phases; p++)
    g_string_append_printf (out, "  {%d, %d, %d},\n", of->phases[p].first, of->phases[p].last,
                            MAX (of->phases[p].closing, 0));
  g_string_append (out, "};\n/* Which states the contact of a phase strikes. */\nstatic const unsigned char "
                        "struck[N_PHASES][ALL_STATES] = {\n");
  for (int p = 0; p < of->n_phases; p++) {
    g_string_append (out, "  {");
    for (int i = 0; i < of->n_states; i++)
      g_string_append_printf (out, "%s%d", i > 0 ? ", " : "", of->is_struck[p * of->n_states + i]);
    g_string_append (out, "},\n");
  }
  g_string_append (out, "};\n\n");
  g_string_append (out, law);
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
  if (c->contact != NULL)
    append_contact (out, c);
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
