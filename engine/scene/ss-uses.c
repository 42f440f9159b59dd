/* engine/scene/ss-uses.c: see ss-uses.h. */
#include "scene/ss-uses.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* One fact in one table: a bit, what it is called, whose it is, and where its number stands. */
static const struct {
  SsSceneUse use;
  const char *name, *unit;
  bool is_of_joints;
  size_t offset;
} things[] = {
    {SS_USES_RESTITUTION, "restitution", "", false, offsetof (SsContact, restitution)},
    {SS_USES_CONTACT_STIFFNESS, "stiffness", " N/m", false, offsetof (SsContact, stiffness)},
    {SS_USES_CONTACT_DAMPING, "damping", " N s/m", false, offsetof (SsContact, damping)},
    {SS_USES_COMPLIANCE, "compliance", "", false, offsetof (SsContact, compliance)},
    {SS_USES_SLIP_STIFFNESS, "slip stiffness", " N/m", false, offsetof (SsContact, compliance)},
    {SS_USES_RESTITUTION, "restitution", "", true, offsetof (SsJoint, restitution)},
    {SS_USES_JOINT_STIFFNESS, "stiffness", "", true, offsetof (SsJoint, stiffness)},
    {SS_USES_JOINT_DAMPING, "damping", "", true, offsetof (SsJoint, damping)},
};
enum { N_THINGS = sizeof things / sizeof *things };

/* The value of contact or joint i; of formulas 1. */
static double
value_of (const SsScene *scene, int thing, int i)
{
  const char *owner = things[thing].is_of_joints ? (const char *)&scene->joints[i] : (const char *)&scene->contacts[i];
  double value;

  if (things[thing].use == SS_USES_COMPLIANCE)
    return scene->contacts[i].compliance != NULL;
  if (things[thing].use == SS_USES_SLIP_STIFFNESS)
    return scene->contacts[i].compliance != NULL ? scene->contacts[i].compliance->slip_stiffness : 0;
  memcpy (&value, owner + things[thing].offset, sizeof value);
  return value;
}

/* Of how many contacts or joints a thing is given; *first: of the first. */
static int
count_given (const SsScene *scene, int thing, int *first)
{
  const int n = things[thing].is_of_joints ? scene->n_joints : scene->n_contacts;
  int n_given = 0;

  *first = -1;
  for (int i = 0; i < n; i++)
    if (value_of (scene, thing, i) > 0 && n_given++ == 0)
      *first = i;
  return n_given;
}

/* The i-th thing that is ignored, or -1. */
static int
find_ignored (const SsScene *scene, unsigned uses, int i)
{
  int first;

  for (int thing = 0; thing < N_THINGS; thing++)
    if ((uses & things[thing].use) == 0 && count_given (scene, thing, &first) > 0 && i-- == 0)
      return thing;
  return -1;
}

SsStatus
ss_uses_check (const SsScene *scene, unsigned uses, const char *law, SsError *err)
{
  SS_ASSERT (scene != NULL && law != NULL);

  for (int i = 0; i < scene->n_joints && (uses & SS_USES_JOINT_DRIVES) == 0; i++)
    if (ss_joint_has_drive (&scene->joints[i]))
      return ss_error_set (
          err, SS_ERR_INVALID,
          "%s knows no friction or motor of a joint, which joint %s has; simulations by " SS_DRIVES_KNOWN_BY " do", law,
          scene->joints[i].name);
  for (int i = 0; i < scene->n_contacts && (uses & SS_USES_ROLLING) == 0; i++)
    if (scene->contacts[i].rolling > 0)
      return ss_error_set (err, SS_ERR_INVALID,
                           "%s knows no rolling resistance, which contact %s has; simulations by " SS_ROLLING_KNOWN_BY
                           " do",
                           law, scene->contacts[i].name);
  for (int i = 0; i < scene->n_contacts && (uses & SS_USES_COHESION) == 0; i++)
    if (scene->contacts[i].cohesion > 0)
      return ss_error_set (err, SS_ERR_INVALID,
                           "%s knows no cohesion, which contact %s has; simulations by " SS_COHESION_KNOWN_BY " do",
                           law, scene->contacts[i].name);
  for (int i = 0; i < scene->n_joints && (uses & SS_USES_TIME) == 0; i++)
    if (scene->joints[i].reads_time)
      return ss_error_set (
          err, SS_ERR_INVALID,
          "%s knows no constraint that reads t, which constraint %s does; simulations by " SS_TIME_KNOWN_BY " do", law,
          scene->joints[i].name);
  return SS_OK;
}

int
ss_uses_count_ignored (const SsScene *scene, unsigned uses)
{
  int n = 0;

  while (find_ignored (scene, uses, n) >= 0)
    n++;
  return n;
}

void
ss_uses_describe_ignored (const SsScene *scene, unsigned uses, int i, char *text, size_t size)
{
  const int thing = find_ignored (scene, uses, i);
  int first;

  SS_ASSERT (thing >= 0);
  const int n = count_given (scene, thing, &first);
  const bool is_of_joints = things[thing].is_of_joints;
  const char *name = is_of_joints ? scene->joints[first].name : scene->contacts[first].name;
  char more[48] = "", what[48] = "formula";

  if (n > 1)
    snprintf (more, sizeof more, ", and %s of %d other %s%s,", n > 2 ? "those" : "that", n - 1,
              is_of_joints ? "joint" : "contact", n > 2 ? "s" : "");
  if (things[thing].use != SS_USES_COMPLIANCE)
    snprintf (what, sizeof what, "%g%s", value_of (scene, thing, first), things[thing].unit);
  snprintf (text, size, "does not use %s%s: the %s of %s %s%s is ignored", is_of_joints ? "the joints' " : "",
            things[thing].name, what, is_of_joints ? "joint" : "contact", name, more);
}

void
ss_uses_summarise_ignored (const SsScene *scene, unsigned uses, char *text, size_t size)
{
  SS_ASSERT (text != NULL);

  const int n = ss_uses_count_ignored (scene, uses);
  size_t used = 0;

  text[0] = '\0';
  for (int i = 0; i < n && used < size; i++) {
    const int thing = find_ignored (scene, uses, i), next = i + 1 < n ? find_ignored (scene, uses, i + 1) : -1;
    const bool is_last = next < 0 || things[next].is_of_joints != things[thing].is_of_joints;

    used += (size_t)snprintf (text + used, size - used, "%s%s%s%s",
                              i == 0     ? "ignores "
                              : next < 0 ? " and "
                                         : ", ",
                              "", things[thing].name,
                              is_last ? things[thing].is_of_joints ? " of joints" : " of contacts" : "");
  }
}
