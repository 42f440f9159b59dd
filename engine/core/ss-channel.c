/* engine/core/ss-channel.c: see ss-channel.h. */
#include "core/ss-channel.h"

#include "core/ss-status.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *label, *unit;
} quantities[SS_QUANTITY_COUNT] = {
#define X(name, last, label, unit) {last, label, unit},
    SS_QUANTITY_LIST (X)
#undef X
};

static const char *const owners[SS_OWNER_COUNT] = {"scene",    "body",   "contact", "joint",
                                                   "actuator", "spring", "measure"};

const char *
ss_quantity_name (SsQuantity quantity)
{
  SS_ASSERT (quantity >= 0 && quantity < SS_QUANTITY_COUNT);
  return quantities[quantity].name;
}

const char *
ss_quantity_label (SsQuantity quantity)
{
  SS_ASSERT (quantity >= 0 && quantity < SS_QUANTITY_COUNT);
  return quantities[quantity].label;
}

const char *
ss_quantity_unit (SsQuantity quantity)
{
  SS_ASSERT (quantity >= 0 && quantity < SS_QUANTITY_COUNT);
  return quantities[quantity].unit;
}

SsQuantity
ss_quantity_find (const char *name)
{
  for (int i = 0; i < SS_QUANTITY_COUNT; i++)
    if (strcmp (quantities[i].name, name) == 0)
      return (SsQuantity)i;
  return SS_QUANTITY_UNKNOWN;
}

const char *
ss_owner_name (SsOwner owner)
{
  SS_ASSERT (owner >= 0 && owner < SS_OWNER_COUNT);
  return owners[owner];
}

SsOwner
ss_owner_find (const char *name)
{
  for (int i = 0; i < SS_OWNER_COUNT; i++)
    if (strcmp (owners[i], name) == 0)
      return (SsOwner)i;
  return SS_OWNER_SCENE;
}

bool
ss_quantity_is_second_clock (SsQuantity quantity)
{
  return quantity == SS_QUANTITY_NUMERICAL_TIME || quantity == SS_QUANTITY_IMPULSE_TIME;
}

SsChannel
ss_channel_of_clock (SsQuantity clock)
{
  SS_ASSERT (clock == SS_QUANTITY_TIME || ss_quantity_is_second_clock (clock));
  return (SsChannel){
      .name = ss_quantity_name (clock), .quantity = clock, .unit = ss_quantity_unit (clock), .owner_name = ""};
}

SsChannel
ss_channel_of_time (void)
{
  return ss_channel_of_clock (SS_QUANTITY_TIME);
}

SsChannel
ss_channel_named (const char *name)
{
  return (SsChannel){.name = name, .unit = "", .owner_name = ""};
}

void
ss_channel_label (const SsChannel *channel, char *buffer, size_t size)
{
  SS_ASSERT (channel != NULL);
  if (channel->unit[0] != '\0')
    snprintf (buffer, size, "%s [%s]", channel->name, channel->unit);
  else
    snprintf (buffer, size, "%s", channel->name);
}
