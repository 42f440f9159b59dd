/* engine/nlp/ss-kkt.c: see ss-kkt.h. */
#include "nlp/ss-kkt.h"

#include <string.h>

/* Entries of the Hessian, of the rows that are taken, of the diagonal; their number. */
static int
list_entries (const SsMpcc *mpcc, const int *own, int size, int *major, int *minor)
{
  const SsPattern *h = ss_mpcc_lagrangian_hessian_pattern (mpcc), *j = ss_mpcc_jacobian_pattern (mpcc);
  int k = 0;

  for (int col = 0; col < h->n_major; col++)
    for (int e = h->start[col]; e < h->start[col + 1]; e++, k++)
      major[k] = col, minor[k] = h->index[e];
  for (int row = 0; row < j->n_major; row++)
    for (int e = j->start[row]; e < j->start[row + 1] && (own == NULL || own[row] >= 0); e++, k++)
      major[k] = j->index[e], minor[k] = h->n_major + (own == NULL ? row : own[row]);
  for (int i = 0; i < size; i++, k++)
    major[k] = minor[k] = i;
  return k;
}

SsStatus
ss_kkt_make (const SsMpcc *mpcc, const int *own, int n_own, SsKkt *kkt, SsError *err)
{
  SS_ASSERT (mpcc != NULL && kkt != NULL);
  const SsPattern *h = ss_mpcc_lagrangian_hessian_pattern (mpcc), *j = ss_mpcc_jacobian_pattern (mpcc);
  const int n_h = h->start[h->n_major], n_j = j->start[j->n_major],
            size = h->n_major + (own == NULL ? j->n_major : n_own);
  int *major = ss_new_array (int, 3 * (n_h + n_j + size) + 1);
  SsStatus status = SS_ERR_MEMORY;

  *kkt = (SsKkt){.size = size,
                 .h_slot = ss_new_array (int, n_h + 1),
                 .j_slot = ss_new_array (int, n_j + 1),
                 .diagonal = ss_new_array (int, size + 1)};
  if (major == NULL || kkt->h_slot == NULL || kkt->j_slot == NULL || kkt->diagonal == NULL) {
    ss_error_set (err, status, "out of memory");
  } else {
    int *minor = major + n_h + n_j + size, *slot = minor + n_h + n_j + size;
    const int n = list_entries (mpcc, own, size, major, minor);

    status = ss_pattern_from_triplets (&kkt->pattern, size, size, n, major, minor, slot, err);
    memcpy (kkt->h_slot, slot, (size_t)n_h * sizeof (int));
    memcpy (kkt->diagonal, slot + n - size, (size_t)size * sizeof (int));
    slot += n_h;
    for (int row = 0; row < j->n_major; row++)
      for (int e = j->start[row]; e < j->start[row + 1]; e++)
        kkt->j_slot[e] = own == NULL || own[row] >= 0 ? *slot++ : -1;
  }
  ss_free (major);
  return status;
}

void
ss_kkt_clear (SsKkt *kkt)
{
  SS_ASSERT (kkt != NULL);
  ss_pattern_clear (&kkt->pattern);
  ss_free (kkt->h_slot);
  ss_free (kkt->j_slot);
  ss_free (kkt->diagonal);
  *kkt = (SsKkt){.size = 0};
}
