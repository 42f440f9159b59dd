/* app/job/ssapp-result-samples.c: see the header. */
#include "app/job/ssapp-result-samples.h"

#include "app/base/ssapp-json.h"

typedef struct {
  GPtrArray *columns;
  json_t *shape, *data;
} ToldSamples;

static const SsappRecordField samples_fields[] = {
    SSAPP_FIELD (ToldSamples, columns, "columns", TEXTS, "", "names of the columns"),
    SSAPP_FIELD_AS (ToldSamples, shape, "shape", "[count 2]", false, "", "rows and columns"),
    SSAPP_FIELD_AS (ToldSamples, data, "data", "base64", true, "",
                    "little-endian float64 by rows; absent: sent and stored apart")};
const SsappRecord ssapp_samples_record = SSAPP_RECORD (ToldSamples, samples_fields);

static json_t *
table_to_json (const SsSamples *samples, json_t *data)
{
  GPtrArray columns = {(gpointer *)samples->columns, (guint)samples->n_columns}; /* only read */
  ToldSamples told = {&columns, json_pack ("[i, i]", samples->n_rows, samples->n_columns), data};

  return ssapp_record_give_to_json (&ssapp_samples_record, &told);
}

json_t *
ssapp_samples_shape_to_json (const SsSamples *samples)
{
  g_return_val_if_fail (samples != NULL && samples->n_columns >= 0, NULL);
  return table_to_json (samples, NULL);
}

/* As the rows of a trajectory event. */
json_t *
ssapp_samples_to_json (const SsSamples *samples)
{
  g_return_val_if_fail (samples != NULL && samples->n_rows >= 0, NULL);
  g_autofree char *data = ssapp_base64_doubles (samples->values, (gsize)samples->n_rows * (gsize)samples->n_columns);

  return table_to_json (samples, json_string_nocheck (data)); /* base64 is ASCII */
}

SsSamples *
ssapp_samples_from_json (const json_t *object)
{
  ToldSamples told;

  ssapp_record_from_json (&ssapp_samples_record, object, &told);
  const json_int_t n_rows = json_integer_value (json_array_get (told.shape, 0)),
                   n_columns = json_integer_value (json_array_get (told.shape, 1));
  const char *const *names = (const char *const *)told.columns->pdata;
  SsSamples *samples = NULL;
  const gboolean ok = n_rows >= 0 && n_rows < G_MAXINT && n_columns == (json_int_t)told.columns->len &&
                      ss_samples_new (names, (int)n_columns, (int)n_rows, &samples, NULL) == SS_OK;

  if (!ok ||
      !ssapp_base64_read_doubles (json_string_value (told.data), samples->values, (gsize)n_rows * (gsize)n_columns)) {
    ss_samples_free (samples);
    samples = NULL;
  }
  ssapp_record_clear (&ssapp_samples_record, &told);
  return samples;
}
