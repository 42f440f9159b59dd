/* engine/transcribe/ss-transcriptions.c: the list of transcriptions, and the one table of options that it makes: which
 * transcription, what all of them have, then what each has of its own. */
#include "transcribe/ss-transcriptions.h"

#include "transcribe/ss-fesd-j.h"
#include "transcribe/ss-freeze-plan.h"

#include "core/ss-memory.h"
#include "nlp/ss-nlp.h"

#include <stddef.h>
#include <string.h>
#include <threads.h>

/* A further transcription is one line here. */
static const SsTranscriptionClass *const transcriptions[] = {
    &ss_transcription_time_stepping,
    &ss_transcription_fesd_j,
    &ss_transcription_time_freezing,
};
enum { N_TRANSCRIPTIONS = sizeof transcriptions / sizeof *transcriptions, MAX_SPECS = 64 };

/* The options that all have; the structs of the transcriptions' own follow it. */
typedef struct {
  int transcription; /* index in the list */
  int coordinates;   /* SsCoordinates     */
  int contacts;      /* SsPlanContacts    */
} CommonOptions;

static const char *const contact_choices[] = {"all", "lazy", NULL};
static const char *const coordinate_choices[] = {"absolute", "joint", NULL};

typedef struct {
  const char *names[N_TRANSCRIPTIONS + 1];
  size_t offset[N_TRANSCRIPTIONS]; /* of the own options */
  SsOptionSpec specs[MAX_SPECS];
  SsOptionTable table;
} Registry;

/* Filled once, constant afterwards. */
static Registry registry;
static once_flag registry_once = ONCE_FLAG_INIT;

static void
add_spec (SsOptionSpec spec, size_t offset)
{
  SS_ASSERT (registry.table.n_specs < MAX_SPECS);
  for (int i = 0; i < registry.table.n_specs; i++)
    SS_ASSERT (strcmp (registry.specs[i].name, spec.name) != 0);
  spec.offset += offset;
  registry.specs[registry.table.n_specs++] = spec;
}

/* Options of a table that an earlier transcription has, too, stand in the same place. */
static void
add_own_options (int index)
{
  const SsOptionTable *own = transcriptions[index]->options;
  const size_t aligned = (registry.table.size + _Alignof(max_align_t) - 1) / _Alignof(max_align_t);

  for (int i = 0; i < index; i++)
    if (transcriptions[i]->options == own) {
      registry.offset[index] = registry.offset[i];
      return;
    }
  registry.offset[index] = aligned * _Alignof(max_align_t);
  for (int i = 0; i < own->n_specs; i++)
    add_spec (own->specs[i], registry.offset[index]);
  registry.table.size = registry.offset[index] + own->size;
}

static void
fill_registry (void)
{
  for (int i = 0; i < N_TRANSCRIPTIONS; i++)
    registry.names[i] = transcriptions[i]->name;
  registry.table.specs = registry.specs;
  registry.table.size = sizeof (CommonOptions);
  add_spec ((SsOptionSpec){.name = "transcription",
                           .type = SS_OPTION_CHOICE,
                           .offset = offsetof (CommonOptions, transcription),
                           .maximum = N_TRANSCRIPTIONS - 1,
                           .choices = registry.names,
                           .symbol = "",
                           .unit = "",
                           .common = true,
                           .summary = "How the motion of a scene becomes equations that an optimiser can solve."},
            0);
  add_spec ((SsOptionSpec){.name = "coordinates",
                           .type = SS_OPTION_CHOICE,
                           .offset = offsetof (CommonOptions, coordinates),
                           .maximum = 1,
                           .fallback = SS_COORDINATES_ABSOLUTE,
                           .choices = coordinate_choices,
                           .symbol = "q",
                           .unit = "",
                           .common = true,
                           .summary =
                               "Of plans of scenes. Coordinates of bodies. absolute: three for every body, joints "
                               "are constraints; joint: bodies that joints carry are functions of the joints' "
                               "coordinates, with fewer variables and longer formulas."},
            0);
  add_spec ((SsOptionSpec){.name = "contacts",
                           .type = SS_OPTION_CHOICE,
                           .offset = offsetof (CommonOptions, contacts),
                           .maximum = 1,
                           .fallback = SS_PLAN_CONTACTS_ALL,
                           .choices = contact_choices,
                           .symbol = "",
                           .unit = "",
                           .common = true,
                           .summary =
                               "Of plans of scenes. Contacts in the problem. all: all that the plan may know; lazy: "
                               "first those that geometry suggests, then those that the motion shows to be missing, "
                               "which makes smaller problems with fewer places for forces at a distance."},
            0);
  for (int i = 0; i < N_TRANSCRIPTIONS; i++)
    add_own_options (i);
}

int
ss_transcription_count (void)
{
  return N_TRANSCRIPTIONS;
}

const SsTranscriptionClass *
ss_transcription_at (int index)
{
  SS_ASSERT (index >= 0 && index < N_TRANSCRIPTIONS);
  return transcriptions[index];
}

/* By name; NULL: there is none of that name. */
static const SsTranscriptionClass *
ss_transcription_find (const char *name)
{
  for (int i = 0; name != NULL && i < N_TRANSCRIPTIONS; i++)
    if (strcmp (transcriptions[i]->name, name) == 0)
      return transcriptions[i];
  return NULL;
}

const SsTranscriptionClass *
ss_transcription_of (const SsScenario *scenario, const char *method)
{
  SS_ASSERT (scenario != NULL && method != NULL);

  const SsTranscriptionClass *found = NULL;

  for (int i = 0; i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *given = &scenario->method_defaults[i];
    if (strcmp (given->method, method) == 0 && strcmp (given->name, "transcription") == 0)
      found = ss_transcription_find (given->value);
  }
  return found != NULL ? found : transcriptions[0];
}

const SsOptionTable *
ss_transcription_option_table (void)
{
  call_once (&registry_once, fill_registry);
  return &registry.table;
}

SsTranscribeOptions
ss_transcription_choose (const void *options)
{
  const CommonOptions *common = options;

  (void)ss_transcription_option_table ();
  return (SsTranscribeOptions){.class_ = ss_transcription_at (common->transcription),
                               .own = (const char *)options + registry.offset[common->transcription],
                               .coordinates = (SsCoordinates)common->coordinates,
                               .contacts = (SsPlanContacts)common->contacts};
}

void
ss_transcription_resolve (const void *given, void *used)
{
  const SsOptionTable *table = ss_transcription_option_table ();

  memcpy (used, given, table->size);
  for (int i = 0; i < N_TRANSCRIPTIONS; i++)
    if (transcriptions[i]->options == ss_transcription_fesd_j.options) {
      SsFesdOptions *own = (SsFesdOptions *)((char *)used + registry.offset[i]);

      own->polish = own->polish || own->starts > 1;
    }
}

const SsFesdOptions *
ss_transcription_fesd_options (const SsTranscribeOptions *options)
{
  SS_ASSERT (options != NULL);
  return options->class_ != NULL && options->class_->options == ss_transcription_fesd_j.options ? options->own : NULL;
}

void
ss_transcription_suit (const SsTranscriptionClass *class_, const SsNlpClass *nlp, void *options)
{
  SS_ASSERT (nlp != NULL && options != NULL);

  const int bounds = class_ != NULL && class_->wants_bounds ? ss_options_find (nlp->options, "bounds") : -1;
  if (bounds >= 0 && !ss_options_is_given (nlp->options, options, bounds)) {
    SsStatus status = ss_options_set (nlp->options, options, "bounds", "exact", NULL);
    SS_ASSERT (status == SS_OK);
    (void)status;
  }
}
