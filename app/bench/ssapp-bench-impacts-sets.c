/* app/bench/ssapp-bench-impacts-sets.c: sets of velocities of paper 002 [002 Fig 9 Fig 10 Fig 11 Fig 13 Fig 14], what
 * it says of them, and the numbers of its models [002 Tab 4 Tab 5 Tab 6 Tab 7 Tab 8]; see ssapp-bench-impacts.h. */
#include "app/bench/ssapp-bench-impacts-private.h"

#include <math.h>
#include <string.h>

/* Samples whose velocities are told. */
enum { TOLD = 1 << 10 };
/* Speeds below this part of the largest before the impact count as 0. */
static const double ZERO = 1e-6;
/* Below it is rounding, which charts would be scaled by. */
static const double ROUNDING = 1e-12;

/* ---- sets -------------------------------------------------------------------------------------------------------- */

/* What is counted among the samples. Contacts are letters; "": none is asked for. */
static const struct {
  const char *model, *what, *lifts, *stays, *slides;
} shares[] = {
    {"rocking-block", "A lifts while B stays", "A", "B", ""},
    {"rocking-block", "B lifts while A stays", "B", "A", ""},
    {"rocking-block", "comes to rest", "", "AB", ""},
    {"rocking-block", "both lift", "AB", "", ""},
    {"compass-gait", "B lifts while A stays", "B", "A", ""},
    {"compass-gait", "B slides and neither lifts", "", "AB", "B"},
    {"compass-gait", "A lifts while B stays", "A", "B", ""},
    {"compass-gait", "A slides while B stays", "", "AB", "A"},
    {"box-wall", "comes to rest or slides", "", "AB", ""},
    {"box-wall", "A slides while B lifts", "B", "A", "A"},
    {"box-wall", "B slides and neither lifts", "", "AB", "B"},
    {"ramone", "A lifts", "A", "", ""},
    {"ramone", "A slides", "", "A", "A"},
    {"disk-stack", "A and B lift", "AB", "", ""},
    {"disk-stack", "C and D lift", "CD", "", ""},
    {"disk-stack", "C lifts while D stays", "C", "D", ""},
    {"disk-stack", "D lifts while C stays", "D", "C", ""},
    {"disk-stack", "A or B lifts while the other stays", "A", "B", ""},
    {"disk-stack-published-code", "A and B lift", "AB", "", ""},
    {"disk-stack-published-code", "C and D lift", "CD", "", ""},
};

static const SsappBenchImpactModel *
find_model (const char *name)
{
  for (guint k = 0; k < SSAPP_BENCH_IMPACT_MODELS; k++)
    if (strcmp (ssapp_bench_impact_models[k].name, name) == 0)
      return &ssapp_bench_impact_models[k];
  return NULL;
}

static double
largest_speed (const SsImpact *impact, const double *u)
{
  double most = 0;

  for (int c = 0; c < 2 * impact->m; c++)
    most = fmax (most, fabs (u[c]));
  return most;
}

/* Speeds u of a sample: whether these contacts do what is asked. */
static gboolean
is_so (guint k, const SsImpact *impact, const double *u, double zero)
{
  const int m = impact->m;

  for (int c = 0; c < m; c++) {
    const char name = impact->contacts[c][0];
    if ((strchr (shares[k].lifts, name) != NULL && !(u[c] > zero)) ||
        (strchr (shares[k].stays, name) != NULL && u[c] > zero) ||
        (strchr (shares[k].slides, name) != NULL && !(fabs (u[m + c]) > zero)))
      return FALSE;
  }
  return TRUE;
}

typedef struct {
  const SsImpact *impact;
  const SsImpactSet *set;
  SsappBenchSheet *sheet;
  double speed; /* largest before the impact */
} Figure;

static double
without_rounding (const Figure *self, double speed)
{
  return fabs (speed) < ROUNDING * self->speed ? 0 : speed;
}

static void
add_velocity (const Figure *self, const char *law, const double *u, double energy)
{
  const SsImpact *impact = self->impact;
  SsappBenchCell cells[2 + 2 * SS_IMPACT_CONTACTS_MAX] = {{law, 0}};

  for (int c = 0; c < impact->m; c++) {
    cells[1 + 2 * c].n = without_rounding (self, u[c]);
    cells[2 + 2 * c].n = without_rounding (self, u[impact->m + c]);
  }
  cells[1 + 2 * impact->m].n = energy;
  ssapp_bench_sheet_row (self->sheet, cells, 2 + 2 * (guint)impact->m);
}

/* Columns law, vn_A, vt_A, ..., energy. */
static void
begin_velocities (SsappBenchSheet *sheet, const SsImpact *impact)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (columns, g_strdup ("law|law|0"));
  for (int c = 0; c < impact->m; c++)
    for (int side = 0; side < 2; side++)
      g_ptr_array_add (columns, g_strdup_printf ("v%c_%s|v%c of %s [m/s]|6", "nt"[side], impact -> contacts[c],
                                                 "nt"[side], impact -> contacts[c]));
  g_ptr_array_add (columns, g_strdup ("energy|kinetic energy [J]|6"));
  g_ptr_array_add (columns, NULL);
  ssapp_bench_sheet_table (sheet, "velocities", "Velocities after the impact", (const char *const *)columns->pdata);
}

/* Of the finished samples, the nearest to a velocity, as a part of the largest speed before. */
static double
nearest (const Figure *self, const double *wanted)
{
  const int n = 2 * self->impact->m;
  double least = INFINITY;

  for (int k = 0; k < self->set->n_samples; k++) {
    double u[2 * SS_IMPACT_CONTACTS_MAX], apart = 0;
    if (self->set->state[k] != SS_IMPACT_FINISHED)
      continue;
    ss_impact_speeds (self->impact, self->set->v + (gsize)k * (gsize)self->set->n, u);
    for (int c = 0; c < n; c++)
      apart = fmax (apart, fabs (u[c] - wanted[c]));
    least = fmin (least, apart);
  }
  return least / self->speed;
}

static char *
modes_of (const Figure *self, const double *u)
{
  GString *modes = g_string_new ("");

  for (int c = 0; c < self->impact->m; c++)
    g_string_append_printf (modes, "%s%s %s", c > 0 ? ", " : "", self->impact->contacts[c],
                            ss_impact_mode_name (ss_impact_mode (u[c], u[self->impact->m + c], ZERO * self->speed)));
  return g_string_free (modes, FALSE);
}

/* What both comparison laws say, and how near a sample comes to it. */
static void
add_outcomes (const Figure *self, gboolean tells_velocity)
{
  const SsAnitescuPotraOptions simultaneous = {.all = true};
  const SsSequentialOptions sequential = ssapp_bench_impact_sequential (TRUE);
  const struct {
    const SsImpactLawClass *law;
    const void *options;
    const char *name;
  } laws[] = {{&ss_impact_law_anitescu_potra, &simultaneous, "simultaneous"},
              {&ss_impact_law_sequential, &sequential, "one contact after the other"}};

  for (guint l = 0; l < G_N_ELEMENTS (laws); l++) {
    SsImpactResult result = ssapp_bench_impact_resolve (laws[l].law, self->impact, laws[l].options);
    for (int i = 0; i < result.n_outcomes; i++) {
      const SsImpactOutcome *outcome = &result.outcomes[i];
      g_autofree char *modes = modes_of (self, outcome->u);
      if (tells_velocity)
        add_velocity (self, laws[l].name, outcome->u, outcome->energy);
      else
        SSAPP_BENCH_ROW (self->sheet, {laws[l].name}, {.n = i + 1}, {.n = result.n_outcomes}, {modes},
                         {.n = outcome->energy}, {.n = nearest (self, outcome->u)});
    }
    ss_impact_result_clear (&result);
  }
}

static void
add_shares (const Figure *self, const char *model)
{
  static const char *const columns[] = {"what|what|0", "share|share of samples|4", NULL};
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  ssapp_bench_sheet_table (self->sheet, "shares", "What the contacts do", columns);
  for (guint k = 0; k < G_N_ELEMENTS (shares); k++) {
    double n = 0;
    if (strcmp (shares[k].model, model) != 0)
      continue;
    for (int i = 0; i < self->set->n_samples; i++) {
      ss_impact_speeds (self->impact, self->set->v + (gsize)i * (gsize)self->set->n, u);
      n += self->set->state[i] == SS_IMPACT_FINISHED && is_so (k, self->impact, u, ZERO * self->speed);
    }
    SSAPP_BENCH_ROW (self->sheet, {shares[k].what}, {.n = n / self->set->n_samples});
  }
  ssapp_bench_sheet_note (self->sheet, "Speeds below a millionth of the largest before the impact count as 0.");
}

static void
add_ranges (const Figure *self)
{
  static const char *const columns[] = {"speed|speed|0", "least|least [m/s]|6", "most|most [m/s]|6",
                                        "largest|largest, of the speed before|3", NULL};
  const int m = self->impact->m;

  ssapp_bench_sheet_table (self->sheet, "ranges", "Ranges of the samples", columns);
  for (int c = 0; c < 2 * m; c++) {
    const int row = c / 2 + (c % 2) * m;
    double least = INFINITY, most = -INFINITY, u[2 * SS_IMPACT_CONTACTS_MAX];
    g_autofree char *name = g_strdup_printf ("v%c_%s", "nt"[c % 2], self -> impact -> contacts[c / 2]);
    for (int k = 0; k < self->set->n_samples; k++) {
      if (self->set->state[k] != SS_IMPACT_FINISHED)
        continue;
      ss_impact_speeds (self->impact, self->set->v + (gsize)k * (gsize)self->set->n, u);
      least = fmin (least, u[row]);
      most = fmax (most, u[row]);
    }
    SSAPP_BENCH_ROW (self->sheet, {name}, {.n = least}, {.n = most},
                     {.n = fmax (fabs (least), fabs (most)) / self->speed});
  }
}

static void
add_samples (const Figure *self)
{
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  begin_velocities (self->sheet, self->impact);
  for (int k = 0; k < MIN (self->set->n_samples, TOLD); k++) {
    if (self->set->state[k] != SS_IMPACT_FINISHED)
      continue;
    ss_impact_speeds (self->impact, self->set->v + (gsize)k * (gsize)self->set->n, u);
    add_velocity (self, "set-valued", u, self->set->energy[k]);
  }
  add_outcomes (self, TRUE);
}

gboolean
ssapp_bench_impacts_set_of (const SsappBenchImpactsPlan *plan, SsappBenchSheet *sheet, const char *name)
{
  static const char *const columns[] = {"law|law|0",
                                        "outcome|outcome|2",
                                        "outcomes|of|2",
                                        "modes|modes|0",
                                        "energy|kinetic energy [J]|6",
                                        "nearest|nearest sample|3",
                                        NULL};
  const SsappBenchImpactModel *model = find_model (name);

  if (model == NULL)
    return FALSE;
  SsImpact *impact = ssapp_bench_impact_read (model);
  /* Of many contacts all answers of a step take too long. */
  const SsImpactPolicy policy = impact->m > 2 ? SS_IMPACT_POLICY_LEMKE : SS_IMPACT_POLICY_ENUMERATE;
  const SsImpactSetOptions options = ssapp_bench_impact_options (plan, model, impact->m, policy);
  Figure self = {.impact = impact, .sheet = sheet};
  SsImpactSet *set = NULL;
  double before[2 * SS_IMPACT_CONTACTS_MAX];
  SsError error;

  if (ss_impact_set_new (impact, &options, plan->control, &set, &error) != SS_OK)
    g_error ("%s: %s", model->name, error.message);
  ss_impact_speeds (impact, impact->v, before);
  self.set = set;
  self.speed = largest_speed (impact, before);
  ssapp_bench_sheet_table (sheet, "outcomes", "What other laws say, and the nearest of the samples", columns);
  add_outcomes (&self, FALSE);
  ssapp_bench_sheet_note (sheet,
                          "%d samples, %d of them finished; nearest: largest difference of a speed over the largest "
                          "speed before the impact.",
                          set->n_samples, set->n_finished);
  add_shares (&self, name);
  add_ranges (&self);
  add_samples (&self);
  ssapp_bench_say (plan->say, "%s: %d samples", name, set->n_samples);
  ss_impact_set_free (set);
  ss_impact_free (impact);
  return TRUE;
}

/* ---- the models' numbers ----------------------------------------------------------------------------------------- */

/* Where ours comes from: a parameter of the scene, an option of its sampling, its samples in the paper, a velocity
 * before the impact of the numbers' file. */
typedef enum { FROM_PARAMETER, FROM_OPTION, FROM_SAMPLES, FROM_VELOCITY } Source;

static const struct {
  const char *model, *what, *unit;
  double printed, digit; /* one in its last digit; 0: exact */
  Source source;
  const char *name;
  int coordinate;
} printed[] = {
    {"rocking-block", "width", "m", 1, 0, FROM_PARAMETER, "width", 0},
    {"rocking-block", "height", "m", 2, 0, FROM_PARAMETER, "height", 0},
    {"rocking-block", "mass", "kg", 1, 0, FROM_PARAMETER, "mass", 0},
    {"rocking-block", "downward speed", "m/s", .4429, 1e-4, FROM_PARAMETER, "drop_speed", 0},
    {"rocking-block", "friction", "", 1, 0, FROM_PARAMETER, "mu", 0},
    {"rocking-block", "step h", "N s", .3, 0, FROM_OPTION, "step", 0},
    {"rocking-block", "steps N", "", 10, 0, FROM_OPTION, "max-steps", 0},
    {"rocking-block", "samples M", "", 1 << 14, 0, FROM_SAMPLES, NULL, 0},
    {"compass-gait", "leg length", "m", 1, 0, FROM_PARAMETER, "leg_length", 0},
    {"compass-gait", "mass to foot", "m", .5, 0, FROM_PARAMETER, "mass_from_hip", 0},
    {"compass-gait", "leg mass", "kg", 1, 0, FROM_PARAMETER, "leg_mass", 0},
    {"compass-gait", "pitch of the legs", "deg", 78, 0, FROM_PARAMETER, "leg_angle_deg", 0},
    {"compass-gait", "angular velocity, leading leg", "rad/s", .25, 0, FROM_VELOCITY, NULL, 2},
    {"compass-gait", "angular velocity, trailing leg", "rad/s", .25, 0, FROM_VELOCITY, NULL, 3},
    {"compass-gait", "friction", "", 5, 0, FROM_PARAMETER, "mu", 0},
    {"compass-gait", "step h", "N s", .25, 0, FROM_OPTION, "step", 0},
    {"compass-gait", "steps N", "", 5, 0, FROM_OPTION, "max-steps", 0},
    {"compass-gait", "samples M", "", 1 << 20, 0, FROM_SAMPLES, NULL, 0},
    {"box-wall", "side", "m", 1, 0, FROM_PARAMETER, "side", 0},
    {"box-wall", "mass", "kg", 1, 0, FROM_PARAMETER, "mass", 0},
    {"box-wall", "angle to the floor", "deg", 10, 0, FROM_PARAMETER, "angle_deg", 0},
    {"box-wall", "speed", "m/s", 1, 0, FROM_PARAMETER, "speed", 0},
    {"box-wall", "friction", "", 1, 0, FROM_PARAMETER, "mu", 0},
    {"box-wall", "step h", "N s", 2, 0, FROM_OPTION, "step", 0},
    {"box-wall", "steps N", "", 5, 0, FROM_OPTION, "max-steps", 0},
    {"box-wall", "samples M", "", 1 << 18, 0, FROM_SAMPLES, NULL, 0},
    {"ramone", "trunk pitch", "deg", 16, 0, FROM_PARAMETER, "trunk_pitch_deg", 0},
    {"ramone", "leading hip", "deg", -70, 0, FROM_PARAMETER, "leading_hip_deg", 0},
    {"ramone", "trailing hip", "deg", 70, 0, FROM_PARAMETER, "trailing_hip_deg", 0},
    {"ramone", "leading knee", "deg", -2, 0, FROM_PARAMETER, "leading_knee_deg", 0},
    {"ramone", "trailing knee", "deg", -92.48, 1e-2, FROM_PARAMETER, "trailing_knee_deg", 0},
    {"ramone", "trunk velocity x", "m/s", -.4114, 1e-4, FROM_VELOCITY, NULL, 0},
    {"ramone", "trunk velocity y", "m/s", -.2105, 1e-4, FROM_VELOCITY, NULL, 1},
    {"ramone", "trunk angular velocity", "rad/s", 1, 0, FROM_VELOCITY, NULL, 2},
    {"ramone", "leading hip rate", "rad/s", 0, 0, FROM_VELOCITY, NULL, 3},
    {"ramone", "leading knee rate", "rad/s", 0, 0, FROM_VELOCITY, NULL, 4},
    {"ramone", "trailing hip rate", "rad/s", 0, 0, FROM_VELOCITY, NULL, 5},
    {"ramone", "trailing knee rate", "rad/s", 0, 0, FROM_VELOCITY, NULL, 6},
    {"ramone", "friction", "", 1e5, 0, FROM_PARAMETER, "mu", 0},
    {"ramone", "step h", "N s", 1, 0, FROM_OPTION, "step", 0},
    {"ramone", "steps N", "", 10, 0, FROM_OPTION, "max-steps", 0},
    {"ramone", "samples M", "", 1 << 20, 0, FROM_SAMPLES, NULL, 0},
    {"disk-stack", "radius", "m", 1, 0, FROM_PARAMETER, "radius", 0},
    {"disk-stack", "mass", "kg", 1, 0, FROM_PARAMETER, "mass", 0},
    {"disk-stack", "vertical velocity", "m/s", -1, 0, FROM_VELOCITY, NULL, 1},
    {"disk-stack", "friction", "", 1.7320508075688772, 0, FROM_PARAMETER, "mu", 0},
    {"disk-stack", "step h", "N s", 1, 0, FROM_OPTION, "step", 0},
    {"disk-stack", "steps N", "", 10, 0, FROM_OPTION, "max-steps", 0},
    {"disk-stack", "samples M", "", 1 << 20, 0, FROM_SAMPLES, NULL, 0},
};

static double
option_of (const SsScenario *scenario, const char *name)
{
  for (int i = 0; i < scenario->n_method_defaults; i++)
    if (strcmp (scenario->method_defaults[i].method, "set-valued") == 0 &&
        strcmp (scenario->method_defaults[i].name, name) == 0)
      return g_ascii_strtod (scenario->method_defaults[i].value, NULL);
  return NAN;
}

static double
ours_of (guint k, const SsScenario *scenario, const SsImpact *numbers, const SsappBenchImpactModel *model)
{
  const int at = printed[k].source == FROM_PARAMETER ? ss_scenario_parameter (scenario, printed[k].name) : -1;

  switch (printed[k].source) {
  case FROM_PARAMETER:
    return at >= 0 ? scenario->parameters[at].value : NAN;
  case FROM_OPTION:
    return option_of (scenario, printed[k].name);
  case FROM_SAMPLES:
    return model->paper_samples;
  case FROM_VELOCITY:
    return numbers->v[printed[k].coordinate];
  }
  return NAN;
}

/* What the scene is at the impact, beside the numbers of the authors' program: the same in any coordinates. */
static void
add_configuration (SsappBenchSheet *sheet, const SsScenario *scenario, const SsImpact *numbers)
{
  static const char *const columns[] = {"what|what|0", "difference|largest difference|2", "of|of at most|4", NULL};
  const int n = 2 * numbers->m;
  double ours[2 * SS_IMPACT_CONTACTS_MAX], theirs[2 * SS_IMPACT_CONTACTS_MAX], speed = 0, most = 0, apart = 0, size = 0;
  SsImpact *impact = NULL;
  SsError error;

  if (ss_impact_new_from_scene (scenario->scene, NULL, NULL, 1e-6, &impact, &error) != SS_OK)
    g_error ("a built-in scene: %s", error.message);
  ss_impact_speeds (impact, impact->v, ours);
  ss_impact_speeds (numbers, numbers->v, theirs);
  for (int i = 0; i < n && impact->m == numbers->m; i++) {
    most = fmax (most, fabs (theirs[i]));
    speed = fmax (speed, fabs (fabs (ours[i]) - fabs (theirs[i])));
    for (int j = 0; j < n; j++) {
      size = fmax (size, fabs (numbers->contact[i * n + j]));
      apart = fmax (apart, fabs (fabs (impact->contact[i * n + j]) - fabs (numbers->contact[i * n + j])));
    }
  }
  ssapp_bench_sheet_table (sheet, "configuration", "The scene beside the configuration of the authors' program",
                           columns);
  SSAPP_BENCH_ROW (sheet, {"speeds of the contacts before the impact [m/s]"},
                   {.n = impact->m == numbers->m ? speed : (double)NAN}, {.n = most});
  SSAPP_BENCH_ROW (sheet, {"inverse mass at the contacts, J M^-1 J' [1/kg]"},
                   {.n = impact->m == numbers->m ? apart : (double)NAN}, {.n = size});
  ssapp_bench_sheet_note (sheet, "Sizes are compared: tangents may point either way.");
  ss_impact_free (impact);
}

gboolean
ssapp_bench_impacts_parameters (SsappBenchSheet *sheet, const char *name)
{
  static const char *const columns[] = {"parameter|parameter|0", "unit|unit|0",          "ours|ours|8",
                                        "printed|paper|8",       "apart|digits apart|2", NULL};
  const SsappBenchImpactModel *model = find_model (name);
  const char *text = ssapp_bench_impact_text (name);

  if (model == NULL || text == NULL)
    return FALSE;
  SsScenario *scenario = ssapp_bench_impact_scene (text, NULL, 0);
  SsImpact *numbers = ssapp_bench_impact_read (model);
  ssapp_bench_sheet_table (sheet, "parameters", "The model's numbers", columns);
  for (guint k = 0; k < G_N_ELEMENTS (printed); k++) {
    if (strcmp (printed[k].model, name) != 0)
      continue;
    const double ours = ours_of (k, scenario, numbers, model);
    SSAPP_BENCH_ROW (sheet, {printed[k].what}, {printed[k].unit}, {.n = ours}, {.n = printed[k].printed},
                     {.n = fabs (ours - printed[k].printed) / (printed[k].digit > 0 ? printed[k].digit : 1)});
  }
  ssapp_bench_sheet_note (sheet, "digits apart: the difference in units of the last digit that is printed.");
  add_configuration (sheet, scenario, numbers);
  ss_impact_free (numbers);
  ss_scenario_free (scenario);
  return TRUE;
}
