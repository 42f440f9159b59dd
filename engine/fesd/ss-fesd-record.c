/* engine/fesd/ss-fesd-record.c: see the header. */
#include "fesd/ss-fesd-record.h"

#include "core/ss-memory.h"

#include <math.h>

static int
width_of (const SsFesdRecord *r)
{
  return 2 + 2 * r->n_q + (SS_SIM_N_CONTACT_VALUES + 1) * r->n_contacts + SS_JOINT_N_FORCES * r->n_joints + r->n_more;
}

void
ss_fesd_record_init (SsFesdRecord *record, const SsScene *scene, int n_more)
{
  SS_ASSERT (record != NULL && scene != NULL);
  *record = (SsFesdRecord){
      .n_q = 3 * scene->n_bodies, .n_contacts = scene->n_contacts, .n_joints = scene->n_joints, .n_more = n_more};
}

void
ss_fesd_record_clear (SsFesdRecord *record)
{
  SS_ASSERT (record != NULL);
  ss_free (record->items);
  ss_free (record->numbers);
  *record = (SsFesdRecord){0};
}

static SsStatus
add_item (SsFesdRecord *r, const SsFesdRecordItem *item, SsError *err)
{
  if (ss_array_reserve ((void **)&r->items, &r->capacity, r->n_items + 1, sizeof *r->items) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for what happens within a step");
  r->items[r->n_items++] = *item;
  return SS_OK;
}

SsStatus
ss_fesd_record_add (SsFesdRecord *r, SsFesdRecordKind kind, double weight, double **numbers, SsError *err)
{
  SS_ASSERT (r != NULL && numbers != NULL && kind != SS_FESD_RECORD_EVENT);

  const int width = width_of (r);
  const SsFesdRecordItem item = {.kind = kind, .weight = weight, .at = (size_t)r->n_numbers};
  *numbers = NULL;
  if (ss_array_reserve ((void **)&r->numbers, &r->numbers_capacity, r->n_numbers + width, sizeof *r->numbers) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for what happens within a step");
  SsStatus status = add_item (r, &item, err);
  if (status != SS_OK)
    return status;
  *numbers = r->numbers + r->n_numbers;
  r->n_numbers += width;
  return SS_OK;
}

SsStatus
ss_fesd_record_add_event (SsFesdRecord *r, const SsEvent *event, SsError *err)
{
  SS_ASSERT (r != NULL && event != NULL);
  const SsFesdRecordItem item = {.kind = SS_FESD_RECORD_EVENT, .event = *event};
  return add_item (r, &item, err);
}

void
ss_fesd_record_cut (SsFesdRecord *r, int n_items, int n_numbers)
{
  SS_ASSERT (r != NULL && n_items <= r->n_items && n_numbers <= r->n_numbers);
  r->n_items = n_items;
  r->n_numbers = n_numbers;
}

double *
ss_fesd_record_numbers (SsFesdRecord *r, int item)
{
  SS_ASSERT (r != NULL && item >= 0 && item < r->n_items);
  return r->numbers + r->items[item].at;
}

SsStatus
ss_fesd_record_emit (SsFesdRecord *r, const SsStep *step, SsError *err)
{
  SS_ASSERT (r != NULL && step != NULL);

  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < r->n_items; i++) {
    const SsFesdRecordItem *item = &r->items[i];
    if (item->kind == SS_FESD_RECORD_EVENT) {
      status = ss_step_emit_event (step, &item->event, err);
      continue;
    }
    double *at = r->numbers + item->at;
    SsSimState state = {.t = at[0], .tau = at[1]};
    state.q = at + 2;
    state.v = state.q + r->n_q;
    state.contact = state.v + r->n_q;
    state.dissipated = state.contact + SS_SIM_N_CONTACT_VALUES * r->n_contacts;
    state.joint = state.dissipated + r->n_contacts;
    state.more = state.joint + SS_JOINT_N_FORCES * r->n_joints;
    status = item->kind == SS_FESD_RECORD_ROW ? ss_step_emit_row (step, &state, err)
                                              : ss_step_emit_stage (step, &state, item->weight, err);
  }
  ss_fesd_record_cut (r, 0, 0);
  return status;
}
