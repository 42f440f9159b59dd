/* engine/transcribe/ss-transcribe.c: models of scenes that take other numbers, whatever the transcription; see
 * ss-transcribe.h. */
#include "transcribe/ss-transcribe-private.h"

#include "scene/ss-uses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100000 /* as of files */ };
#define STEPS_TOLERANCE 1e-6 /* of a horizon that is a multiple of its step but for rounding, relative */

/* The parameter of a number that is no input. */
enum { NO_PARAMETER = -1 };

struct SsTranscript {
  SsTranscribeOptions options; /* own: of `own_options` */
  void *own_options;
  SsScenario *model;
  SsParameter *parameters; /* of the model */
  double *guess;           /* of the model */

  /* what the source was */
  char sha256[65];
  int n_source_parameters;
  double *source_parameters; /* values */
  bool *is_structural;
  double horizon; /* [s] */
  int steps;

  int n_numbers;       /* of the scene and its plan; then those of the class' state      */
  double *numbers;     /* values as the formulas have them; of inputs those of the start */
  int *parameter_of;   /* index of the model's parameter, or NO_PARAMETER                */
  int n_state_numbers; /* all inputs, the last parameters                                */
};

/* One reading of a scenario with the steps that the options ask for, as the class sees it. */
typedef struct {
  const SsTranscriptionClass *class_;
  SsPlan plan;
  void *state;
  int n_variables;
  int n_numbers, n_state_numbers;
  SsTranscribeNumber *numbers; /* of the scene and its plan, then of the state */
} Reading;

/* ---- options ----------------------------------------------------------------------------------------------------- */

static const SsTranscribeOptions defaults = {0};

static const SsTranscriptionClass *
class_of (const SsTranscribeOptions *options)
{
  return options->class_ != NULL ? options->class_ : &ss_transcription_time_stepping;
}

bool
ss_transcript_has_options (const SsTranscript *transcript, const SsTranscribeOptions *options)
{
  SS_ASSERT (transcript != NULL);

  const SsTranscribeOptions *own = &transcript->options;
  const SsOptionTable *table = class_of (own)->options;
  bool are_equal;

  if (options == NULL)
    options = &defaults;
  are_equal = class_of (own) == class_of (options) && own->coordinates == options->coordinates &&
              own->dt == options->dt && own->t_end == options->t_end && own->is_followed == options->is_followed;
  for (int i = 0; are_equal && i < table->n_specs; i++)
    are_equal = ss_options_get (table, own->own, i) == ss_options_get_or_default (table, options->own, i);
  return are_equal;
}

static SsStatus
copy_options (SsTranscript *transcript, const SsTranscribeOptions *options)
{
  const SsOptionTable *table = class_of (options)->options;

  transcript->options = *options;
  transcript->own_options = ss_alloc (1, table->size + 1);
  if (transcript->own_options == NULL)
    return SS_ERR_MEMORY;
  if (options->own != NULL)
    memcpy (transcript->own_options, options->own, table->size);
  else
    ss_options_init (table, transcript->own_options);
  transcript->options.class_ = class_of (options);
  transcript->options.own = transcript->own_options;
  return SS_OK;
}

/* ---- a reading --------------------------------------------------------------------------------------------------- */

static SsStatus
check_source (const SsScenario *source, SsError *err)
{
  const SsPlan *plan = source->task.plan;

  if (source->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is no scene: it needs no transcription", source->name);
  if (plan == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "the task of '%s' does not say what shall be reached (horizon, steps, targets)", source->name);
  if (!(plan->horizon > 0) || plan->steps < 1)
    return ss_error_set (err, SS_ERR_INVALID, "the plan of '%s' has no steps: horizon %g s, %d steps", source->name,
                         plan->horizon, plan->steps);
  return ss_uses_check (source->scene, 0, "a plan", err);
}

SsStatus
ss_transcribe_set_steps (const SsTranscribeOptions *options, SsPlan *plan, SsError *err)
{
  SS_ASSERT (options != NULL);

  const double h = plan->horizon / plan->steps;
  double steps = plan->steps;

  if (options->dt == 0 && options->t_end == 0)
    return SS_OK;
  if (!(options->dt >= 0 && options->t_end >= 0 && isfinite (options->dt) && isfinite (options->t_end)))
    return ss_error_set (err, SS_ERR_INVALID,
                         "step and horizon of a plan must be positive numbers of seconds, not %g and %g", options->dt,
                         options->t_end);
  if (options->t_end > 0) {
    plan->horizon = options->t_end;
    if (!plan->is_time_free)
      plan->time_lower = plan->time_upper = plan->horizon;
    else if (!(plan->time_lower <= plan->horizon && plan->horizon <= plan->time_upper))
      return ss_error_set (err, SS_ERR_INVALID, "the horizon %g s is not within the plan's bounds of it, %g to %g s",
                           plan->horizon, plan->time_lower, plan->time_upper);
  }
  steps = plan->horizon / (options->dt > 0 ? options->dt : h);
  if (options->dt > 0 && fabs (steps - round (steps)) > STEPS_TOLERANCE * steps)
    return ss_error_set (err, SS_ERR_INVALID, "the horizon %g s is no multiple of the step %g s", plan->horizon,
                         options->dt);
  steps = fmax (round (steps), 1);
  if (steps > STEPS_MAX)
    return ss_error_set (err, SS_ERR_INVALID, "%.0f steps are too many for a plan (at most %d)", steps, STEPS_MAX);
  plan->steps = (int)steps;
  return SS_OK;
}

static void
close_reading (Reading *reading)
{
  if (reading->class_ != NULL)
    reading->class_->close (reading->state);
  ss_free (reading->numbers);
  *reading = (Reading){0};
}

/* To be closed also after an error. */
static SsStatus
open_reading (const SsScenario *source, const SsTranscribeOptions *options, Reading *reading, SsError *err)
{
  SsStatus status = check_source (source, err);

  *reading = (Reading){0};
  if (status != SS_OK)
    return status;
  reading->plan = *source->task.plan;
  status = ss_transcribe_set_steps (options, &reading->plan, err);
  if (status != SS_OK)
    return status;
  reading->class_ = class_of (options);
  status = reading->class_->open (source, &reading->plan, options, &reading->state, &reading->n_variables, err);
  if (status != SS_OK)
    return status;
  reading->n_numbers = ss_transcribe_list_numbers (source->scene, &reading->plan, NULL);
  reading->n_state_numbers = reading->class_->list (reading->state, NULL);
  reading->numbers =
      ss_new_array (SsTranscribeNumber, (size_t)reading->n_numbers + (size_t)reading->n_state_numbers + 1);
  if (reading->numbers == NULL)
    return SS_ERR_MEMORY;
  ss_transcribe_list_numbers (source->scene, &reading->plan, reading->numbers);
  reading->class_->list (reading->state, reading->numbers + reading->n_numbers);
  return SS_OK;
}

/* ---- which numbers are inputs ------------------------------------------------------------------------------------ */

static bool
has_same_bits (double a, double b)
{
  return memcmp (&a, &b, sizeof a) == 0;
}

/* Numbers may take each other's place in an input when they decide alike. */
static bool
decide_alike (const SsTranscribeNumber *number, double a, double b)
{
  if (!isfinite (a) || !isfinite (b))
    return has_same_bits (a, b) || (isnan (a) && isnan (b));
  return !number->is_switch || (a == 0) == (b == 0);
}

/* Readings with moved parameters. More than one: numbers that parameters change by rounding alone (an anchor that moves
 * with its body) are the same in some readings by chance. */
enum { N_MOVED = 3 };

/* A number in all readings. */
typedef struct {
  const SsTranscribeNumber *number;
  int index;
  bool is_followed;
  double values[1 + N_MOVED];
} Mover;

static int
compare_movers (const void *a, const void *b)
{
  const Mover *x = a, *y = b;
  int order = strcmp (x->number->owner, y->number->owner);

  if (order == 0)
    order = strcmp (x->number->what, y->number->what);
  if (order == 0)
    order = memcmp (x->values, y->values, sizeof x->values);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* Numbers of one kind and owner that move alike are one input, as equal constants are one node: the half width of a box
 * at its corners. Starts and targets go their own ways. */
static bool
is_shared (const Mover *a, const Mover *b)
{
  return !a->is_followed && strcmp (a->number->owner, b->number->owner) == 0 &&
         strcmp (a->number->what, b->number->what) == 0 && memcmp (a->values, b->values, sizeof a->values) == 0;
}

/* Parameters in the order of the numbers. movers[n] is put in order. */
static void
number_inputs (SsTranscript *transcript, Mover *movers, int n)
{
  int *parameter_of = transcript->parameter_of;
  const int pending = NO_PARAMETER - 1; /* of the first of those that share one; -2 - index of it: of the others */

  qsort (movers, (size_t)n, sizeof *movers, compare_movers);
  for (int i = 0, first = 0; i < n; i++) {
    if (i > 0 && !is_shared (&movers[i], &movers[i - 1]))
      first = i;
    parameter_of[movers[i].index] = i == first ? pending : pending - 1 - movers[first].index;
  }
  for (int i = 0; i < transcript->n_numbers; i++) {
    if (parameter_of[i] == pending)
      parameter_of[i] = transcript->model->n_parameters++;
    else if (parameter_of[i] < pending)
      parameter_of[i] = parameter_of[pending - 1 - parameter_of[i]];
  }
}

/* The value 1 + sample of all numbers: that of one reading with moved parameters; unchanged where it cannot be read or
 * planned so. */
static SsStatus
read_moved (const SsTranscript *transcript, const SsScenario *source, int sample, Mover *movers, SsError *err)
{
  SsScenario *moved = NULL;
  SsTranscribeNumber *numbers = NULL;
  SsPlan plan;
  SsStatus status = ss_scenario_read_moved (source, sample, &moved, err);

  if (status != SS_OK || moved == NULL || moved->task.plan == NULL)
    goto done;
  plan = *moved->task.plan;
  if (ss_transcribe_set_steps (&transcript->options, &plan, err) != SS_OK ||
      ss_transcribe_list_numbers (moved->scene, &plan, NULL) != transcript->n_numbers)
    goto done;
  numbers = ss_new_array (SsTranscribeNumber, transcript->n_numbers + 1);
  if (numbers == NULL) {
    status = SS_ERR_MEMORY;
    goto done;
  }
  ss_transcribe_list_numbers (moved->scene, &plan, numbers);
  for (int i = 0; i < transcript->n_numbers; i++)
    movers[i].values[1 + sample] = *numbers[i].at;

done:
  ss_free (numbers);
  ss_scenario_free (moved);
  return status;
}

/* Numbers that differ when all parameters are moved, and those that will be followed. */
static SsStatus
find_inputs (SsTranscript *transcript, const SsScenario *source, const Reading *reading, SsError *err)
{
  Mover *movers = ss_new_array (Mover, reading->n_numbers + 1);
  SsStatus status = movers != NULL ? SS_OK : SS_ERR_MEMORY;
  int n = 0;

  for (int i = 0; i < reading->n_numbers && status == SS_OK; i++) {
    movers[i] = (Mover){.number = &reading->numbers[i],
                        .index = i,
                        .is_followed = transcript->options.is_followed && reading->numbers[i].follows};
    for (int s = 0; s <= N_MOVED; s++)
      movers[i].values[s] = *reading->numbers[i].at;
  }
  for (int sample = 0; sample < N_MOVED && status == SS_OK; sample++)
    status = read_moved (transcript, source, sample, movers, err);
  for (int i = 0; i < reading->n_numbers && status == SS_OK; i++) {
    bool moves = movers[i].is_followed;

    for (int s = 1; s <= N_MOVED; s++)
      moves = moves || !has_same_bits (movers[i].values[s], movers[i].values[0]);
    if (moves)
      movers[n++] = movers[i];
  }
  if (status == SS_OK)
    number_inputs (transcript, movers, n);
  ss_free (movers);
  return status;
}

static int
compare_places (const void *a, const void *b)
{
  const uintptr_t place_a = (uintptr_t)((const SsInputNumber *)a)->at,
                  place_b = (uintptr_t)((const SsInputNumber *)b)->at;

  return (place_a > place_b) - (place_a < place_b);
}

/* The model's parameters, and the inputs that stand for them, by place: inputs[n_numbers + n_state_numbers]; returns
 * their number, -1 without memory. */
static int
make_parameters (SsTranscript *transcript, const Reading *reading, int slot, SsArena *arena, SsInputNumber *inputs)
{
  const int n_scene = transcript->model->n_parameters - reading->n_state_numbers;
  int n = 0;

  for (int i = 0; i < reading->n_numbers + reading->n_state_numbers; i++) {
    const SsTranscribeNumber *number = &reading->numbers[i];
    const int index = i < reading->n_numbers ? transcript->parameter_of[i] : n_scene + i - reading->n_numbers;
    SsParameter *parameter = &transcript->parameters[index];
    char name[256];

    if (index == NO_PARAMETER)
      continue;
    inputs[n++] = (SsInputNumber){number->at, slot + index};
    if (parameter->name != NULL) /* shared */
      continue;
    snprintf (name, sizeof name, "%s.%s", number->owner, number->what);
    *parameter = (SsParameter){.name = ss_arena_strdup (arena, name),
                               .description = "",
                               .value = *number->at,
                               .minimum = -INFINITY,
                               .maximum = INFINITY};
    if (parameter->name == NULL)
      return -1;
  }
  qsort (inputs, (size_t)n, sizeof *inputs, compare_places);
  return n;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

void
ss_transcript_free (SsTranscript *transcript)
{
  if (transcript == NULL)
    return;
  ss_scenario_free (transcript->model);
  ss_free (transcript->own_options);
  ss_free (transcript->source_parameters);
  ss_free (transcript->is_structural);
  ss_free (transcript->numbers);
  ss_free (transcript->parameter_of);
  ss_free (transcript);
}

/* What the next source is compared with. */
static SsStatus
remember_source (SsTranscript *transcript, const SsScenario *source, const Reading *reading)
{
  const int n = source->n_parameters;

  transcript->source_parameters = ss_new_array (double, n + 1);
  transcript->is_structural = ss_new_array (bool, n + 1);
  transcript->numbers = ss_new_array (double, reading->n_numbers + 1);
  transcript->parameter_of = ss_new_array (int, reading->n_numbers + 1);
  if (transcript->source_parameters == NULL || transcript->is_structural == NULL || transcript->numbers == NULL ||
      transcript->parameter_of == NULL)
    return SS_ERR_MEMORY;
  memcpy (transcript->sha256, source->sha256, sizeof transcript->sha256);
  transcript->n_source_parameters = n;
  for (int i = 0; i < n; i++) {
    transcript->source_parameters[i] = source->parameters[i].value;
    transcript->is_structural[i] = source->parameters[i].is_structural;
  }
  transcript->horizon = reading->plan.horizon;
  transcript->steps = reading->plan.steps;
  transcript->n_numbers = reading->n_numbers;
  transcript->n_state_numbers = reading->n_state_numbers;
  for (int i = 0; i < reading->n_numbers; i++) {
    transcript->numbers[i] = *reading->numbers[i].at;
    transcript->parameter_of[i] = NO_PARAMETER;
  }
  return SS_OK;
}

static SsStatus
write_model (SsTranscript *transcript, const SsScenario *source, const Reading *reading, SsError *err)
{
  SsScenario *out;
  SsModel *model;
  SsArena *arena;
  SsInputNumber *inputs = NULL;
  int n_inputs;
  SsStatus status = ss_scenario_new (&transcript->model, &arena, err);

  if (status != SS_OK)
    return status;
  out = transcript->model;
  status = find_inputs (transcript, source, reading, err);
  if (status != SS_OK)
    return status;
  out->n_parameters += reading->n_state_numbers;
  out->name = ss_arena_strdup (arena, source->name);
  out->title = ss_arena_strdup (arena, source->title != NULL ? source->title : "");
  memcpy (out->sha256, source->sha256, sizeof source->sha256);
  model = ss_arena_alloc (arena, 1, sizeof *model);
  transcript->parameters = ss_arena_alloc (arena, (size_t)out->n_parameters + 1, sizeof *transcript->parameters);
  inputs = ss_new_array (SsInputNumber, (size_t)reading->n_numbers + (size_t)reading->n_state_numbers + 1);
  if (out->name == NULL || out->title == NULL || model == NULL || transcript->parameters == NULL || inputs == NULL) {
    ss_free (inputs);
    return SS_ERR_MEMORY;
  }
  out->parameters = transcript->parameters;
  out->model = model;
  model->n_variables = reading->n_variables;
  model->slot_next = reading->n_variables;
  model->slot_parameters = 2 * reading->n_variables;
  model->slot_k = model->slot_parameters + out->n_parameters;
  model->slot_t = model->slot_k + 1;
  model->n_slots = model->slot_t + 1;
  n_inputs = make_parameters (transcript, reading, model->slot_parameters, arena, inputs);
  status = SS_ERR_MEMORY;
  if (n_inputs >= 0) {
    const SsInputNumbers all = {n_inputs, inputs};

    status = reading->class_->write (reading->state, &all, arena, out, model, err);
  }
  ss_free (inputs);
  if (status == SS_OK && !ss_graph_is_whole (out->graph))
    status = SS_ERR_MEMORY;
  if (status != SS_OK)
    return status;
  transcript->guess = ss_arena_alloc (arena, (size_t)model->n_points * (size_t)model->n_variables, sizeof (double));
  if (transcript->guess == NULL)
    return SS_ERR_MEMORY;
  out->task.guess = (SsGuess){.kind = SS_GUESS_TABLE, .table = transcript->guess, .n_slots = model->n_slots};
  return reading->class_->guess (reading->state, NULL, transcript->guess, err);
}

static SsStatus
explain_memory (SsStatus status, const SsScenario *source, SsError *err)
{
  return status == SS_ERR_MEMORY ? ss_error_set (err, status, "no memory for the plan of '%s'", source->name) : status;
}

SsStatus
ss_transcript_new (const SsScenario *source, const SsTranscribeOptions *options, SsTranscript **out, SsError *err)
{
  SsTranscript *transcript = ss_new (SsTranscript);
  Reading reading = {0};
  SsStatus status = transcript != NULL ? SS_OK : SS_ERR_MEMORY;

  SS_ASSERT (source != NULL && out != NULL);
  *out = NULL;
  if (status == SS_OK)
    status = copy_options (transcript, options != NULL ? options : &defaults);
  if (status == SS_OK && source->scene != NULL)
    status = ss_scene_check_inertia (source->scene, err);
  if (status == SS_OK)
    status = open_reading (source, &transcript->options, &reading, err);
  if (status == SS_OK)
    status = remember_source (transcript, source, &reading);
  if (status == SS_OK)
    status = write_model (transcript, source, &reading, err);
  close_reading (&reading);
  if (status == SS_OK)
    *out = transcript;
  else
    ss_transcript_free (transcript);
  return explain_memory (status, source, err);
}

const SsScenario *
ss_transcript_model (const SsTranscript *transcript)
{
  SS_ASSERT (transcript != NULL);
  return transcript->model;
}

SsStatus
ss_transcribe (const SsScenario *source, const SsTranscribeOptions *options, SsScenario **out, SsError *err)
{
  SS_ASSERT (source != NULL && out != NULL);

  SsTranscript *transcript;
  SsStatus status = ss_transcript_new (source, options, &transcript, err);

  *out = NULL;
  if (status != SS_OK)
    return status;
  *out = transcript->model;
  transcript->model = NULL;
  ss_transcript_free (transcript);
  return SS_OK;
}

/* ---- other numbers ----------------------------------------------------------------------------------------------- */

static bool
has_same_structure (const SsTranscript *transcript, const SsScenario *source)
{
  if (strcmp (transcript->sha256, source->sha256) != 0 || transcript->n_source_parameters != source->n_parameters)
    return false;
  for (int i = 0; i < source->n_parameters; i++)
    if (transcript->is_structural[i] && !has_same_bits (transcript->source_parameters[i], source->parameters[i].value))
      return false;
  return true;
}

/* All parameters are as they were: so is everything that was read. */
static bool
has_same_parameters (const SsTranscript *transcript, const SsScenario *source)
{
  for (int i = 0; i < source->n_parameters; i++)
    if (!has_same_bits (transcript->source_parameters[i], source->parameters[i].value))
      return false;
  return true;
}

/* What an input would be; numbers that share it must agree. scratch[n_parameters], NaN while nobody has said so. */
static bool
agrees (double *scratch, int parameter, double value)
{
  const bool is_first = isnan (scratch[parameter]);

  if (is_first)
    scratch[parameter] = value;
  return is_first || has_same_bits (scratch[parameter], value);
}

static bool
numbers_fit (const SsTranscript *transcript, const Reading *reading, double *scratch)
{
  if (reading->n_variables != transcript->model->model->n_variables || reading->n_numbers != transcript->n_numbers ||
      reading->n_state_numbers != transcript->n_state_numbers || reading->plan.steps != transcript->steps ||
      !has_same_bits (reading->plan.horizon, transcript->horizon))
    return false;
  for (int p = 0; p < transcript->model->n_parameters; p++)
    scratch[p] = NAN;
  for (int i = 0; i < reading->n_numbers; i++) {
    const double was = transcript->numbers[i], is = *reading->numbers[i].at;
    const int parameter = transcript->parameter_of[i];

    if (parameter == NO_PARAMETER ? !has_same_bits (was, is)
                                  : !decide_alike (&reading->numbers[i], was, is) || !agrees (scratch, parameter, is))
      return false;
  }
  for (int i = 0; i < reading->n_state_numbers; i++) {
    const SsTranscribeNumber *number = &reading->numbers[reading->n_numbers + i];
    const int p = transcript->model->n_parameters - reading->n_state_numbers + i;

    if (number->decides && !has_same_bits (transcript->parameters[p].value, *number->at))
      return false;
  }
  return true;
}

static void
take_numbers (SsTranscript *transcript, const SsScenario *source, const Reading *reading)
{
  const int n_scene = transcript->model->n_parameters - transcript->n_state_numbers;

  for (int i = 0; i < reading->n_numbers; i++)
    if (transcript->parameter_of[i] != NO_PARAMETER)
      transcript->parameters[transcript->parameter_of[i]].value = *reading->numbers[i].at;
  for (int i = 0; i < reading->n_state_numbers; i++)
    transcript->parameters[n_scene + i].value = *reading->numbers[reading->n_numbers + i].at;
  for (int i = 0; i < source->n_parameters; i++)
    transcript->source_parameters[i] = source->parameters[i].value;
}

/* guess: of the new numbers, where not NULL. */
static SsStatus
take_source (SsTranscript *transcript, const SsScenario *source, double *guess, bool *fits, SsError *err)
{
  const SsModel *model = transcript->model->model;
  const size_t n = (size_t)model->n_points * (size_t)model->n_variables;
  Reading reading = {0};
  SsStatus status = open_reading (source, &transcript->options, &reading, err);
  double *scratch = ss_new_array (double, transcript->model->n_parameters + 1);

  if (status == SS_OK && scratch == NULL)
    status = SS_ERR_MEMORY;
  *fits = status == SS_OK && numbers_fit (transcript, &reading, scratch);
  if (*fits && guess != NULL)
    status = reading.class_->guess (reading.state, NULL, guess, err);
  if (*fits && status == SS_OK) {
    if (guess != NULL)
      memcpy (transcript->guess, guess, n * sizeof *guess);
    take_numbers (transcript, source, &reading);
  }
  ss_free (scratch);
  close_reading (&reading);
  return explain_memory (status, source, err);
}

SsStatus
ss_transcript_fill (SsTranscript *transcript, const SsScenario *source, bool *fits, SsError *err)
{
  const SsModel *model = transcript->model->model;

  SS_ASSERT (source != NULL && fits != NULL);
  *fits = has_same_structure (transcript, source);
  if (!*fits || has_same_parameters (transcript, source))
    return SS_OK;
  double *guess = ss_new_array (double, (size_t)model->n_points *(size_t)model->n_variables + 1);
  const SsStatus status =
      guess != NULL ? take_source (transcript, source, guess, fits, err) : explain_memory (SS_ERR_MEMORY, source, err);
  ss_free (guess);
  return status;
}

SsStatus
ss_transcript_follow (SsTranscript *transcript, const SsScenario *source, bool *fits, SsError *err)
{
  SS_ASSERT (source != NULL && fits != NULL && transcript->options.is_followed);
  *fits = has_same_structure (transcript, source);
  return *fits ? take_source (transcript, source, NULL, fits, err) : SS_OK;
}

SsStatus
ss_transcript_guess (const SsTranscript *transcript, const SsScenario *source, const SsTrajectory *start, double *x,
                     SsError *err)
{
  Reading reading = {0};
  SsStatus status;

  SS_ASSERT (source != NULL && x != NULL);
  status = open_reading (source, &transcript->options, &reading, err);
  if (status == SS_OK) {
    const SsModel *model = transcript->model->model;

    memset (x, 0, (size_t)model->n_points * (size_t)model->n_variables * sizeof *x);
    status = reading.class_->guess (reading.state, start, x, err);
  }
  close_reading (&reading);
  return explain_memory (status, source, err);
}

const SsOptionValue *
ss_transcribe_law_option (const SsTranscribeOptions *options)
{
  SS_ASSERT (options != NULL);
  const SsTranscriptionClass *class_ = class_of (options);

  return class_->law.find_option != NULL ? class_->law.find_option (options->own) : NULL;
}

bool
ss_transcribe_left_out (const SsScenario *source, const SsTranscribeOptions *options, char *text, size_t size)
{
  SS_ASSERT (source != NULL && text != NULL && size > 0);
  if (options == NULL)
    options = &defaults;
  return class_of (options)->left_out (source, options, text, size);
}
