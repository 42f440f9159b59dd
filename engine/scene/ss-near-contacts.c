/* engine/scene/ss-near-contacts.c: see ss-near-contacts.h. */
#include "scene/ss-near-contacts.h"

#include "core/ss-memory.h"
#include "geometry/ss-broadphase.h"

/* So few contacts are compared one by one: sorting boxes costs more. */
enum { FEW_CONTACTS = 64 };

typedef struct {
  int high; /* the body with the larger index */
  int contact;
} Partner;

struct SsNearContacts {
  const SsScene *scene;
  SsBroadphase *broadphase; /* NULL: all contacts are compared */
  int *start;               /* n_bodies + 1: partners of each body that is the one with the smaller index */
  Partner *partners;        /* by low, then high body */
  int *found, capacity;
};

static int
low_of (const SsContact *c)
{
  return c->body_a < c->body_b ? c->body_a : c->body_b;
}

static int
high_of (const SsContact *c)
{
  return c->body_a < c->body_b ? c->body_b : c->body_a;
}

/* Whether contacts come by their low, then their high body, as those of all pairs do. What was listed otherwise is
 * written by hand, and not long. */
static bool
is_by_bodies (const SsScene *scene)
{
  for (int i = 1; i < scene->n_contacts; i++) {
    const SsContact *before = &scene->contacts[i - 1], *c = &scene->contacts[i];
    if (low_of (c) < low_of (before) || (low_of (c) == low_of (before) && high_of (c) < high_of (before)))
      return false;
  }
  return true;
}

static SsStatus
list_partners (SsNearContacts *near, SsError *err)
{
  const SsScene *scene = near->scene;
  near->start = ss_new_array (int, (size_t)scene->n_bodies + 1);
  near->partners = ss_new_array (Partner, scene->n_contacts);
  if (near->start == NULL || near->partners == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d contacts", scene->n_contacts);
  for (int i = 0; i < scene->n_contacts; i++) {
    near->partners[i] = (Partner){high_of (&scene->contacts[i]), i};
    near->start[low_of (&scene->contacts[i]) + 1]++;
  }
  for (int i = 0; i < scene->n_bodies; i++)
    near->start[i + 1] += near->start[i];
  return ss_broadphase_new (scene->n_bodies, NULL, NULL, &near->broadphase, err);
}

SsStatus
ss_near_contacts_new (const SsScene *scene, SsNearContacts **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  *out = NULL;
  SsNearContacts *near = ss_new (SsNearContacts);
  if (near == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d contacts", scene->n_contacts);
  near->scene = scene;
  SsStatus status = SS_OK;
  if (scene->n_contacts > FEW_CONTACTS && is_by_bodies (scene))
    status = list_partners (near, err);
  if (status == SS_OK &&
      ss_array_reserve ((void **)&near->found, &near->capacity,
                        near->broadphase == NULL ? scene->n_contacts : FEW_CONTACTS, sizeof *near->found) != 0)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a scene of %d contacts", scene->n_contacts);
  if (status != SS_OK) {
    ss_near_contacts_free (near);
    return status;
  }
  *out = near;
  return SS_OK;
}

void
ss_near_contacts_free (SsNearContacts *near)
{
  if (near == NULL)
    return;
  ss_broadphase_free (near->broadphase);
  ss_free (near->start);
  ss_free (near->partners);
  ss_free (near->found);
  ss_free (near);
}

static bool
overlap (const SsBox *a, const SsBox *b)
{
  return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y && b->lower.y <= a->upper.y;
}

static int
compare_all (SsNearContacts *near, const SsBox *boxes)
{
  int n = 0;
  for (int i = 0; i < near->scene->n_contacts; i++) {
    const SsContact *c = &near->scene->contacts[i];
    if (overlap (&boxes[c->body_a], &boxes[c->body_b]))
      near->found[n++] = i;
  }
  return n;
}

/* The first partner of a body that is not before `high`. */
static int
find_partner (const SsNearContacts *near, int low, int high)
{
  int first = near->start[low], last = near->start[low + 1];
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (near->partners[middle].high < high)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

SsStatus
ss_near_contacts_find (SsNearContacts *near, const SsBox *boxes, const int **contacts, int *n_contacts, SsError *err)
{
  SS_ASSERT (near != NULL && boxes != NULL && contacts != NULL && n_contacts != NULL);

  const SsBroadphasePair *pairs;
  int n_pairs = 0, n = 0;
  if (near->broadphase == NULL) {
    *n_contacts = compare_all (near, boxes);
    *contacts = near->found;
    return SS_OK;
  }
  SsStatus status = ss_broadphase_update (near->broadphase, boxes, &pairs, &n_pairs, err);
  if (status != SS_OK)
    return status;
  for (int k = 0; k < n_pairs; k++) {
    const int end = near->start[pairs[k].a + 1];
    for (int i = find_partner (near, pairs[k].a, pairs[k].b); i < end && near->partners[i].high == pairs[k].b; i++) {
      if (ss_array_reserve ((void **)&near->found, &near->capacity, n + 1, sizeof *near->found) != 0)
        return ss_error_set (err, SS_ERR_MEMORY, "no memory for more than %d contacts", n);
      near->found[n++] = near->partners[i].contact;
    }
  }
  *contacts = near->found;
  *n_contacts = n;
  return SS_OK;
}
