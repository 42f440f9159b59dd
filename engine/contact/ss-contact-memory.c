/* engine/contact/ss-contact-memory.c: what a contact problem carries from solve to solve, for motions that go on from
 * one step in several ways; see ss-contact-problem.h. */
#include "contact/ss-contact-problem.h"

#include "core/ss-memory.h"

#include <string.h>

typedef struct {
  int n_solves, n_last_reported;
  int *seen, *last_reported;
  double *pn, *pt, *row;
} Memory;

static size_t
n_rows_of (const SsScene *scene)
{
  return SS_JOINT_ROWS_MAX * (size_t)scene->n_joints + (size_t)scene->n_springs +
         (size_t)ss_contact_problem_stiff_rows_max (scene) + 1;
}

void
ss_contact_problem_forget (void *memory)
{
  Memory *own = memory;
  if (own == NULL)
    return;
  ss_free (own->seen);
  ss_free (own->pn);
  ss_free (own);
}

SsStatus
ss_contact_problem_keep (const SsContactProblem *problem, void **memory, SsError *err)
{
  SS_ASSERT (problem != NULL && memory != NULL);

  Memory *own = *memory;
  const size_t n = (size_t)problem->n_memory, n_rows = n_rows_of (problem->scene);
  const size_t n_reported = 2 * (size_t)problem->scene->n_contacts + 1;
  if (own == NULL) {
    own = ss_new (Memory);
    if (own != NULL) {
      own->seen = ss_new_array (int, n + n_reported);
      own->pn = ss_new_array (double, 2 * n + n_rows);
    }
    if (own == NULL || own->seen == NULL || own->pn == NULL) {
      ss_contact_problem_forget (own);
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for the contacts of a branch");
    }
    own->last_reported = own->seen + n;
    own->pt = own->pn + n;
    own->row = own->pt + n;
    *memory = own;
  }
  own->n_solves = problem->n_solves;
  own->n_last_reported = problem->n_last_reported;
  memcpy (own->seen, problem->seen, n * sizeof *own->seen);
  memcpy (own->last_reported, problem->last_reported, n_reported * sizeof *own->last_reported);
  memcpy (own->pn, problem->memory_pn, n * sizeof *own->pn);
  memcpy (own->pt, problem->memory_pt, n * sizeof *own->pt);
  memcpy (own->row, problem->memory_row, n_rows * sizeof *own->row);
  return SS_OK;
}

void
ss_contact_problem_put_back (SsContactProblem *problem, const void *memory)
{
  SS_ASSERT (problem != NULL && memory != NULL);

  const Memory *own = memory;
  const size_t n = (size_t)problem->n_memory;
  problem->n_solves = own->n_solves;
  problem->n_last_reported = own->n_last_reported;
  memcpy (problem->seen, own->seen, n * sizeof *own->seen);
  memcpy (problem->last_reported, own->last_reported,
          (2 * (size_t)problem->scene->n_contacts + 1) * sizeof *own->last_reported);
  memcpy (problem->memory_pn, own->pn, n * sizeof *own->pn);
  memcpy (problem->memory_pt, own->pt, n * sizeof *own->pt);
  memcpy (problem->memory_row, own->row, n_rows_of (problem->scene) * sizeof *own->row);
}
