/* tests/numeric/test-forces.c: forces at one state against closed forms, and what of them is unique. */
#include "fesd/ss-forces.h"
#include "ss-test-scenario.h"

static const double g = 9.81;

#define SCENE(bodies_, more_)                                                                                          \
  "{\"format\": 1, \"name\": \"still\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [" bodies_ "]" more_ "}}"
#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}"
#define BOX(name_, x_, y_, more_)                                                                                      \
  "{\"name\": \"" name_ "\", \"mass\": 2, \"position\": [" x_ ", " y_ "], \"shape\": {\"type\": \"box\", "             \
  "\"width\": 1, \"height\": 1}" more_ "}"

typedef struct {
  SsScenario *scenario;
  SsForces *forces;
} Case;

/* At the scene's own start. */
static Case
forces_of (const char *text)
{
  Case c = {.scenario = ss_test_read_text (text)};
  const SsScene *scene = c.scenario->scene;
  double q[96], v[96];
  SsError err = {0};

  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    q[i] = scene->bodies[i / 3].q[i % 3];
    v[i] = scene->bodies[i / 3].is_fixed ? 0 : scene->bodies[i / 3].v[i % 3];
  }
  SS_CHECK (ss_forces_at (scene, 0, q, v, NAN, &c.forces, &err) == SS_OK);
  if (c.forces == NULL)
    printf ("  %s\n", err.message);
  return c;
}

static void
close_case (Case *c)
{
  ss_forces_free (c->forces);
  ss_scenario_free (c->scenario);
}

/* Number k of a kind. */
static SsForceItem
item_of (const Case *c, SsForceKind kind, int k)
{
  for (int i = 0; c->forces != NULL && i < c->forces->n; i++)
    if (c->forces->items[i].kind == kind && k-- == 0)
      return c->forces->items[i];
  SS_CHECK (!"an item of that kind");
  return (SsForceItem){0};
}

/* A box of 2 kg on two corners: how they share its friction is not known, the sum is. */
static void
a_box_rests (void)
{
  Case c = forces_of (SCENE (FLOOR "," BOX ("box", "0", "0.5", ""), ", \"friction\": 0.5, \"contacts\": \"all\""));
  const SsForceItem sum = item_of (&c, SS_FORCE_OF_CONTACT, 0), left = item_of (&c, SS_FORCE_OF_POINT, 0);
  SS_CHECK_NEAR (sum.normal, 2 * g, 1e-9);
  SS_CHECK_NEAR (sum.force.x, 0, 1e-9);
  SS_CHECK (sum.is_unique && sum.state == SS_FORCE_STICKS && c.forces->is_motion_unique && c.forces->are_all_modes);
  SS_CHECK_NEAR (left.normal, g, 1e-9);
  SS_CHECK (!left.is_unique && !c.forces->is_unique && left.state != SS_FORCE_OPENS);
  close_case (&c);
}

/* On a slope of 0.3 rad: m g cos, and what holds it; beyond its friction it slips, with mu times the normal force, and
 * then all is unique. */
static void
a_box_on_a_slope (void)
{
  static const char text[] =
      SCENE ("{\"name\": \"slope\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": "
             "[\"-sin(0.3)\", \"cos(0.3)\"]}}," BOX ("box", "\"-sin(0.3)/2\"", "\"cos(0.3)/2\"", ", \"angle\": 0.3%s"),
             ", \"friction\": %g, \"contacts\": \"all\"");
  char own[2048];
  for (int slips = 0; slips <= 1; slips++) {
    snprintf (own, sizeof own, text, slips ? ", \"velocity\": [\"-cos(0.3)\", \"-sin(0.3)\"]" : "", slips ? 0.2 : 0.5);
    Case c = forces_of (own);
    const SsForceItem sum = item_of (&c, SS_FORCE_OF_CONTACT, 0);
    const double normal = 2 * g * cos (0.3), holding = slips ? 0.2 * normal : 2 * g * sin (0.3);
    SS_CHECK_NEAR (sum.normal, normal, 1e-9);
    SS_CHECK_NEAR (fabs (sum.tangential), holding, 1e-9);
    SS_CHECK_NEAR (sum.force.x * cos (0.3) + sum.force.y * sin (0.3), holding, 1e-9); /* up the slope */
    SS_CHECK (sum.is_unique && sum.state == (slips ? SS_FORCE_SLIPS : SS_FORCE_STICKS) && c.forces->is_unique == slips);
    const double down = slips ? g * sin (0.3) - 0.2 * g * cos (0.3) : 0;
    SS_CHECK_NEAR (c.forces->acceleration[3], -down * cos (0.3), 1e-9);
    close_case (&c);
  }
}

/* A point mass on a massless arm, as a disc of 1 m: m (g cos + w^2 r) along the arm less what its inertia changes. */
static void
a_pendulum (void)
{
  Case c = forces_of (SCENE (
      "{\"name\": \"bob\", \"mass\": 2, \"inertia\": 0.5, \"position\": [\"sin(0.4)\", \"-cos(0.4)\"], "
      "\"angle\": 0.4, \"velocity\": [\"3*cos(0.4)\", \"3*sin(0.4)\"], \"angular_velocity\": 3, \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.1}}",
      ", \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"bob\"], "
      "\"anchor\": [0, 0]}], \"contacts\": []"));
  const SsForceItem pin = item_of (&c, SS_FORCE_OF_JOINT, 0);
  const double along = 2 * (g * cos (0.4) + 9), alpha = -2 * g * sin (0.4) / (2 + 0.5),
               across = 2 * (alpha + g * sin (0.4));
  SS_CHECK_NEAR (pin.force.x, -along * sin (0.4) + across * cos (0.4), 1e-9);
  SS_CHECK_NEAR (pin.force.y, along * cos (0.4) + across * sin (0.4), 1e-9);
  SS_CHECK_NEAR (pin.moment, 0, 1e-9);
  SS_CHECK_NEAR (c.forces->acceleration[2], alpha, 1e-9);
  SS_CHECK (c.forces->is_unique && pin.is_unique);
  close_case (&c);
}

/* A beam that is welded to the world at its end: its weight and m g/2 of moment. */
static void
a_weld_holds_a_moment (void)
{
  Case c =
      forces_of (SCENE (BOX ("box", "0.5", "0", ""),
                        ", \"joints\": [{\"name\": \"wall\", \"type\": \"weld\", \"bodies\": [\"world\", \"box\"], "
                        "\"anchor\": [0, 0]}], \"contacts\": []"));
  const SsForceItem weld = item_of (&c, SS_FORCE_OF_JOINT, 0);
  SS_CHECK_NEAR (weld.force.y, 2 * g, 1e-9);
  SS_CHECK_NEAR (weld.moment, 2 * g * 0.5, 1e-9);
  close_case (&c);
}

/* Two welds hold the same body: neither is known alone, nothing accelerates. */
static void
joints_that_share (void)
{
  Case c =
      forces_of (SCENE (BOX ("box", "0.5", "0", ""),
                        ", \"joints\": [{\"name\": \"l\", \"type\": \"pin\", \"bodies\": [\"world\", \"box\"], "
                        "\"anchor\": [0, 0]}, {\"name\": \"r\", \"type\": \"pin\", \"bodies\": [\"world\", \"box\"], "
                        "\"anchor\": [1, 0]}], \"contacts\": []"));
  const SsForceItem left = item_of (&c, SS_FORCE_OF_JOINT, 0), right = item_of (&c, SS_FORCE_OF_JOINT, 1);
  SS_CHECK (!left.is_unique && !right.is_unique);
  SS_CHECK_NEAR (left.force.y + right.force.y, 2 * g, 1e-6); /* redundant rows share up to their regularisation */
  SS_CHECK_NEAR (c.forces->acceleration[1], 0, 1e-6);
  close_case (&c);
}

/* A spring that pulls by 3 N, a motor, a limit that is pressed. */
static void
springs_motors_limits (void)
{
  Case c = forces_of (SCENE (
      BOX ("cart", "1", "0", ""),
      ", \"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"cart\"], \"axis\": [1, 0], "
      "\"anchors\": [[1, 0], [0, 0]], \"lower\": -1, \"upper\": 0}], \"springs\": [{\"name\": \"s\", \"bodies\": "
      "[\"world\", "
      "\"cart\"], \"anchors\": [[0, 0], [0, 0]], \"stiffness\": 10, \"rest\": 0.7}], \"actuators\": [{\"name\": \"m\", "
      "\"type\": \"joint\", \"joint\": \"rail\", \"formula\": \"8\"}], \"contacts\": []"));
  SS_CHECK_NEAR (item_of (&c, SS_FORCE_OF_SPRING, 0).value, 3, 1e-12);
  SS_CHECK_NEAR (item_of (&c, SS_FORCE_OF_SPRING, 0).force.x, -3, 1e-12);
  SS_CHECK_NEAR (item_of (&c, SS_FORCE_OF_ACTUATOR, 0).force.x, 8, 1e-12);
  SS_CHECK (item_of (&c, SS_FORCE_OF_LIMIT, 0).state == SS_FORCE_IS_APART); /* the lower one */
  const SsForceItem upper = item_of (&c, SS_FORCE_OF_LIMIT, 1);
  SS_CHECK (upper.state == SS_FORCE_HOLDS && upper.point == 1);
  SS_CHECK_NEAR (upper.value, 5, 1e-9);
  SS_CHECK_NEAR (upper.force.x, -5, 1e-9);
  SS_CHECK_NEAR (item_of (&c, SS_FORCE_OF_JOINT, 0).force.y, 2 * g, 1e-9);
  close_case (&c);
}

/* A box that falls onto the floor strikes: no force is told for it. One that flies is apart. */
static void
an_impact_is_due (void)
{
  Case c =
      forces_of (SCENE (FLOOR "," BOX ("box", "0", "0.5", ", \"velocity\": [0, -1]") "," BOX ("high", "5", "3", ""),
                        ", \"contacts\": \"all\""));
  SS_CHECK (c.forces->strikes && c.forces->is_solved);
  SS_CHECK (item_of (&c, SS_FORCE_OF_CONTACT, 0).state == SS_FORCE_STRIKES &&
            item_of (&c, SS_FORCE_OF_CONTACT, 0).normal == 0);
  SS_CHECK (item_of (&c, SS_FORCE_OF_CONTACT, 1).state == SS_FORCE_IS_APART);
  SS_CHECK_NEAR (c.forces->acceleration[4], -g, 1e-12);
  close_case (&c);
}

/* A rod that slides on its end with much friction (P. Painleve 1895; F. Genot, B. Brogliato, Eur. J. Mech. A 18, 1999):
 * with I = m l^2/12 about its middle the Delassus number is (1 + 3 cos^2 + -3 mu sin cos)/m; where it is negative and
 * the rod would lift (turning fast enough) two motions are allowed, where it would sink none. */
static void
painleve (void)
{
  for (int fast = 0; fast <= 1; fast++) {
    char text[1024];
    snprintf (text, sizeof text,
              SCENE (FLOOR ",{\"name\": \"rod\", \"mass\": 1, \"inertia\": \"1/12\", \"position\": [\"0.5*cos(0.9)\", "
                           "\"0.5*sin(0.9)\"], \"angle\": 0.9, \"velocity\": [\"-3-0.5*sin(0.9)*(%g)\", "
                           "\"0.5*cos(0.9)*(%g)\"], \"angular_velocity\": %g, \"shape\": {\"type\": \"segment\", "
                           "\"from\": [-0.5, 0], \"to\": [0.5, 0]}}",
                     ", \"friction\": 3, \"contacts\": \"all\""),
              fast ? 8.0 : 0.0, fast ? 8.0 : 0.0, fast ? 8.0 : 0.0);
    const double s = sin (0.9), k = cos (0.9), number = 1 + 3 * k * k - 3 * 3 * s * k;
    /* the end's normal acceleration without a force: gravity and the turning about the middle */
    const double free_end = -g + (fast ? 64 * 0.5 * s : 0);
    SS_CHECK (number < 0 && (free_end > 0) == fast);
    Case c = forces_of (text);
    SS_CHECK (c.forces->are_all_modes && c.forces->n_answers == (fast ? 2 : 0));
    SS_CHECK (c.forces->is_solved == fast && !c.forces->is_unique == true && c.forces->is_motion_unique == !fast);
    close_case (&c);
  }
}

#define WHEEL(more_, pin_, load_)                                                                                      \
  SCENE ("{\"name\": \"wheel\", \"mass\": 2, \"inertia\": 0.5" more_                                                   \
         ", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}}",                                                      \
         ", \"joints\": [{\"name\": \"axle\", \"type\": \"pin\", \"bodies\": [\"world\", \"wheel\"], "                 \
         "\"anchor\": [0, 0], " pin_ "}], \"forces\": [{\"name\": \"load\", \"body\": \"wheel\", \"torque\": " load_   \
         "}], \"contacts\": []")

/* A wheel of 0.5 kg m2 whose axle rubs by at most 1.5 N m: it holds a load of 1 N m, gives way to one of 2 N m, and
 * brakes what turns. A motor of at most 2 N m holds its speed against 0.5 N m, and not against 3 N m; where both hold,
 * neither is known alone. */
static void
joints_that_rub_and_are_driven (void)
{
#define RUBS   "\"friction\": 1.5"
#define DRIVEN "\"motor_speed\": 2, \"motor_limit\": 2"
#define TURNS  ", \"angular_velocity\": 2"
  static const struct {
    const char *text;
    double friction, drive, acceleration;
    SsForceState state;
    bool is_unique;
  } cases[] = {
      {WHEEL ("", RUBS, "1"), -1, 0, 0, SS_FORCE_STICKS, true},
      {WHEEL ("", RUBS, "-2"), 1.5, 0, -1, SS_FORCE_SLIPS, true},
      {WHEEL (TURNS, RUBS, "1"), -1.5, 0, -1, SS_FORCE_SLIPS, true},
      {WHEEL (TURNS, DRIVEN, "-0.5"), 0, 0.5, 0, SS_FORCE_HOLDS, true},
      {WHEEL (TURNS, DRIVEN, "-3"), 0, 2, -2, SS_FORCE_SLIPS, true},
      {WHEEL ("", DRIVEN, "0"), 0, 2, 4, SS_FORCE_SLIPS, true},
      {WHEEL (TURNS, DRIVEN ", " RUBS, "0"), -1.5, 1.5, 0, SS_FORCE_SLIPS, true},
      {WHEEL ("", "\"motor_limit\": 2, " RUBS, "1"), NAN, NAN, 0, SS_FORCE_STICKS, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Case c = forces_of (cases[i].text);
    double sum = 0;
    bool is_unique = true;
    for (int k = 0; c.forces != NULL && k < c.forces->n; k++) {
      const SsForceItem *item = &c.forces->items[k];
      if (item->kind != SS_FORCE_OF_FRICTION && item->kind != SS_FORCE_OF_DRIVE)
        continue;
      const double wanted = item->kind == SS_FORCE_OF_FRICTION ? cases[i].friction : cases[i].drive;
      sum += item->moment;
      is_unique = is_unique && item->is_unique;
      if (!isnan (wanted))
        SS_CHECK_NEAR (item->value, wanted, 1e-9);
      SS_CHECK_NEAR (item->moment, item->value, 1e-12); /* on the second body, the wheel */
      if (item->kind == SS_FORCE_OF_FRICTION || cases[i].friction == 0)
        SS_CHECK (item->state == cases[i].state);
    }
    SS_CHECK (is_unique == cases[i].is_unique);
    if (isnan (cases[i].friction))
      SS_CHECK_NEAR (sum, -1, 1e-9);
    if (c.forces != NULL)
      SS_CHECK_NEAR (c.forces->acceleration[2], cases[i].acceleration, 1e-8);
    close_case (&c);
  }
}

/* Two arms of length 1 and mass m, as point masses at their ends on joints that rub by at most b: straight out and at
 * rest, with b enough for both, each joint holds the moment of what hangs behind it: 3 m g and m g. */
static void
an_arm_is_held_by_its_joints (void)
{
#define ARM(name_, x_)                                                                                                 \
  "{\"name\": \"" name_ "\", \"mass\": 2, \"inertia\": 1, \"position\": [" x_                                          \
  ", 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}"
  Case c = forces_of (SCENE (ARM ("upper", "1") "," ARM ("lower", "2"),
                             ", \"joints\": [{\"name\": \"shoulder\", \"type\": \"pin\", \"bodies\": [\"world\", "
                             "\"upper\"], \"anchor\": [0, 0], "
                             "\"friction\": 70}, {\"name\": \"elbow\", \"type\": \"pin\", \"bodies\": [\"upper\", "
                             "\"lower\"], \"anchor\": [1, 0], "
                             "\"friction\": 30}], \"contacts\": []"));
  SS_CHECK_NEAR (item_of (&c, SS_FORCE_OF_FRICTION, 0).value, 3 * 2 * g, 1e-8);
  SS_CHECK_NEAR (item_of (&c, SS_FORCE_OF_FRICTION, 1).value, 2 * g, 1e-8);
  SS_CHECK_NEAR (item_of (&c, SS_FORCE_OF_JOINT, 0).force.y, 4 * g, 1e-8);
  SS_CHECK (c.forces != NULL && c.forces->is_unique);
  close_case (&c);
}

/* A disc of 2 kg that rolls against a resistance of 0.01 m: m g 0.01 against its turning; at rest on a level floor, and
 * on a slope whose tangent is below 0.01/r, it is held. */
static void
rolling_resists (void)
{
#define DISC(more_)                                                                                                    \
  "{\"name\": \"disc\", \"mass\": 2, \"inertia\": 0.04, \"position\": [0, 0.2], \"shape\": {\"type\": \"circle\", "    \
  "\"radius\": 0.2}" more_ "}"
  Case rolls = forces_of (SCENE (FLOOR "," DISC (", \"velocity\": [1, 0], \"angular_velocity\": -5"),
                                 ", \"friction\": 0.5, \"rolling\": 0.01, \"contacts\": \"all\"")),
       held =
           forces_of (SCENE (FLOOR "," DISC (""),
                             ", \"friction\": 0.5, \"rolling\": 0.01, \"contacts\": \"all\", \"forces\": [{\"name\": "
                             "\"push\", \"body\": \"disc\", \"force\": [0.5, 0]}]"));
  const SsForceItem resists = item_of (&rolls, SS_FORCE_OF_ROLLING, 0), holds = item_of (&held, SS_FORCE_OF_ROLLING, 0);
  SS_CHECK_NEAR (resists.value, 2 * g * 0.01, 1e-9);
  SS_CHECK (resists.state == SS_FORCE_SLIPS && resists.is_unique);
  /* rolls without slip: (J + m r^2) alpha = m g 0.01 */
  SS_CHECK_NEAR (rolls.forces != NULL ? rolls.forces->acceleration[5] : NAN, 2 * g * 0.01 / (0.04 + 2 * 0.04), 1e-8);
  SS_CHECK_NEAR (holds.value, 0.5 * 0.2, 1e-9); /* the push times its arm */
  SS_CHECK (holds.state == SS_FORCE_STICKS);
  close_case (&rolls);
  close_case (&held);
}

int
main (void)
{
  SS_RUN (a_box_rests);
  SS_RUN (a_box_on_a_slope);
  SS_RUN (a_pendulum);
  SS_RUN (a_weld_holds_a_moment);
  SS_RUN (joints_that_share);
  SS_RUN (springs_motors_limits);
  SS_RUN (an_impact_is_due);
  SS_RUN (painleve);
  SS_RUN (joints_that_rub_and_are_driven);
  SS_RUN (an_arm_is_held_by_its_joints);
  SS_RUN (rolling_resists);
  return ss_test_finish ();
}
