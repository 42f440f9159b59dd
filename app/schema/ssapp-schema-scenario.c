/* app/schema/ssapp-schema-scenario.c: the fields of scenario files, as the readers of engine/scene/ take them.
 *
 * Tests: tests/cli/test-schema.py looks whether the readers ask for each of these fields and for no other. */
#include "app/schema/ssapp-schemas.h"

#define NEEDED TRUE
#define FREE   FALSE

static const SsappSchemaField everywhere = {"description", "text", "", "for people", FREE};

static const SsappSchemaField root_fields[] = {
    {"format", "1", "", "format of the file", NEEDED},
    {"name", "text", "", "identifier: letters, digits, - and _", NEEDED},
    {"title", "text", "", "for people; absent: the name", FREE},
    {"reference", "text", "", "where the problem comes from", FREE},
    {"parameters", "{formula|parameter}", "", "numbers by name, which --set replaces", FREE},
    {"data", "{[number|[number]]}", "", "tables of plain numbers: lists, or rows of one length", FREE},
    {"scene", "scene", "", "bodies and contacts; or `model`", FREE},
    {"model", "model", "", "equations; or `scene`", FREE},
    {"task", "task", "", "horizon, what shall be reached, initial guess", FREE},
    {"methods", "{{number|text|flag|by-formula}}", "", "options of methods; the first of a kind is the scenario's own",
     FREE},
    {"outcomes", "{text|asked-outcome}", "", "formulas that are asked of every motion, by name", FREE},
    {"view", "view", "", "how it is drawn", FREE}};

static const SsappSchemaField asked_outcome_fields[] = {
    {"formula", "text", "", "over channels and events of the motion", NEEDED}};

static const SsappSchemaField parameter_fields[] = {
    {"value", "formula", "", "the value unless it is set", NEEDED},
    {"minimum", "formula", "", "least value", FREE},
    {"maximum", "formula", "", "largest value", FREE},
    {"integer", "flag", "", "whether it must be a whole number; absent: false", FREE}};

static const SsappSchemaField by_formula_fields[] = {{"formula", "text", "", "a formula of parameters", NEEDED}};

/* ---- scene ------------------------------------------------------------------------------------------------------- */

static const SsappSchemaField scene_fields[] = {
    {"gravity", "[formula 2]", "m/s²", "absent: [0, -9.81]", FREE},
    {"friction", "formula", "", "of contacts that do not say; absent: 0", FREE},
    {"restitution", "formula", "", "of contacts that do not say, 0 to 1; absent: 0", FREE},
    {"stiffness", "formula", "N/m", "of contacts that do not say, for compliant laws; 0: the integrator's", FREE},
    {"damping", "formula", "N s/m", "of contacts that do not say, for compliant laws; 0: the integrator's", FREE},
    {"rolling", "formula", "m", "lever of rolling resistance of contacts that do not say", FREE},
    {"cohesion", "formula", "N", "most that a contact pulls with, of contacts that do not say", FREE},
    {"compliance", "compliance", "", "of contacts that do not say", FREE},
    {"materials", "{material}", "", "materials by name", FREE},
    {"material_pairs", "<material-pair>", "", "what holds where two materials meet", FREE},
    {"bodies", "<body>", "", "bodies in the order of their channels", NEEDED},
    {"contacts", "'all'|<'all'|contact>", "", "pairs that may touch; all: every pair with one that can move", FREE},
    {"joints", "<joint>", "", "what holds bodies together", FREE},
    {"springs", "<spring>", "", "springs with dampers", FREE},
    {"constraints", "<constraint>", "", "formulas of positions that are 0, or never below 0", FREE},
    {"actuators", "<actuator>", "", "controls", FREE},
    {"forces", "<force>", "", "forces and torques by formulas", FREE},
    {"measures", "<measure>", "", "distances and angles, which motions have as channels `measure.NAME`", FREE},
    {"notes", "<note>", "", "texts on the sheet", FREE}};

static const SsappSchemaField material_fields[] = {
    {"friction", "formula", "", "Coulomb's coefficient", FREE},
    {"restitution", "formula", "", "0 to 1", FREE},
    {"stiffness", "formula", "N/m", "for compliant laws; 0: the integrator's", FREE},
    {"damping", "formula", "N s/m", "for compliant laws; 0: the integrator's", FREE}};

static const SsappSchemaField material_pair_fields[] = {
    {"materials", "[text 2]", "", "names of the two materials", NEEDED},
    {"friction", "formula", "", "Coulomb's coefficient", FREE},
    {"restitution", "formula", "", "0 to 1", FREE},
    {"stiffness", "formula", "N/m", "for compliant laws; 0: the integrator's", FREE},
    {"damping", "formula", "N s/m", "for compliant laws; 0: the integrator's", FREE}};

static const SsappSchemaField compliance_fields[] = {
    {"stiffness", "formula", "N/m", "formula of depth [m], rate [m/s] and parameters", FREE},
    {"damping", "formula", "N s/m", "formula of depth [m], rate [m/s] and parameters", FREE},
    {"slip_damping", "formula", "N s/m", "formula of depth [m], rate [m/s] and parameters", FREE},
    {"slip_stiffness", "formula", "N/m", "spring along the tangent, up to the bound of friction", FREE}};

static const SsappSchemaField body_fields[] = {
    {"name", "text", "", "letters, digits, - and _", NEEDED},
    {"fixed", "flag", "", "whether it never moves; absent: false", FREE},
    {"shape", "shape", "", "its shape; or `shapes`", FREE},
    {"shapes", "<shape>", "", "its shapes, up to 64", FREE},
    {"mass", "formula", "kg", "the frame's origin is the centre of mass; or `density`", FREE},
    {"inertia", "formula", "kg m²", "about the centre of mass; absent: that of the shapes, filled evenly", FREE},
    {"density", "formula", "kg/m²", "mass, inertia and centre of mass follow from the shapes", FREE},
    {"uniform", "flag", "",
     "whether `mass` fills the shapes evenly, so that inertia and centre of mass follow from them; absent: false",
     FREE},
    {"position", "[formula 2]", "m", "of its frame at the start; absent: [0, 0]", FREE},
    {"angle", "formula", "rad", "of its frame at the start; absent: 0", FREE},
    {"velocity", "[formula 2]", "m/s", "of the centre of mass at the start; absent: [0, 0]", FREE},
    {"angular_velocity", "formula", "rad/s", "at the start; absent: 0", FREE},
    {"lock", "['x'|'y'|'theta']", "", "coordinates that keep their initial velocity", FREE},
    {"points", "{[formula 2]}", "m", "points of its frame by name, for formulas", FREE},
    {"material", "text", "", "name of its material", FREE},
    {"color", "'blue'|'yellow'|'brown'|'green'", "", "how it is drawn", FREE}};

static const SsappSchemaField shape_fields[] = {
    {"type", "'circle'|'polygon'|'box'|'half-plane'|'capsule'|'segment'", "", "kind of shape", NEEDED},
    {"position", "[formula 2]", "m", "in the body's frame; absent: [0, 0]", FREE},
    {"angle", "formula", "rad", "in the body's frame; absent: 0", FREE},
    {"radius", "formula", "m", "of a circle or capsule, which need it", FREE},
    {"vertices", "[[formula 2]]", "m", "of a polygon, which needs it: 3 to 64, convex", FREE},
    {"width", "formula", "m", "of a box, which needs it", FREE},
    {"height", "formula", "m", "of a box, which needs it", FREE},
    {"normal", "[formula 2]", "", "of a half-plane, which needs it: away from its matter", FREE},
    {"from", "[formula 2]", "m", "first end of a capsule or segment; or `length`", FREE},
    {"to", "[formula 2]", "m", "second end of a capsule or segment; or `length`", FREE},
    {"length", "formula", "m", "of a capsule or segment along x about the origin", FREE}};

static const SsappSchemaField contact_fields[] = {
    {"name", "text", "", "absent: FIRST-SECOND", FREE},
    {"bodies", "[text 2]", "", "names; the normal points from the first to the second", NEEDED},
    {"enabled", "flag", "", "false takes the pair out of `all`", FREE},
    {"friction", "formula", "", "Coulomb's coefficient; absent: of the materials, else of the scene", FREE},
    {"restitution", "formula", "", "0 to 1; absent: of the materials, else of the scene", FREE},
    {"stiffness", "formula", "N/m", "for compliant laws; 0: the integrator's", FREE},
    {"damping", "formula", "N s/m", "for compliant laws; 0: the integrator's", FREE},
    {"rolling", "formula", "m", "lever of rolling resistance; absent: the scene's", FREE},
    {"cohesion", "formula", "N", "most that it pulls with; absent: the scene's", FREE},
    {"compliance", "compliance", "", "absent: the scene's; {}: none", FREE}};

static const SsappSchemaField joint_fields[] = {
    {"name", "text", "", "absent: type and place in the list", FREE},
    {"type", "'pin'|'slider'|'weld'|'rod'|'gear'|'rope'", "", "kind of joint", NEEDED},
    {"bodies", "[text 2]", "", "names; the first may be world", NEEDED},
    {"anchor", "[formula 2]", "m", "point of the world at the start", FREE},
    {"points", "[[formula 2] 2]", "m", "a point of the world for each body at the start", FREE},
    {"anchors", "[[formula 2] 2]", "m", "a point of each body's frame", FREE},
    {"axis", "[formula 2]", "", "of a slider, which needs it: in the first body's frame", FREE},
    {"length", "formula", "m", "of a rod or rope; absent: what it is at the start", FREE},
    {"over", "[over]", "", "of a rope: points that it runs over without friction, from the first body on", FREE},
    {"restitution", "formula", "", "of a rope: by which its rate turns where it is taut, 0 to 1; absent: 0", FREE},
    {"radii", "[formula 2]", "m", "of a gear, which needs them: of its wheels", FREE},
    {"style", "'external'|'internal'|'belt'|'crossed'", "",
     "of a gear: teeth outside, teeth in a ring, a belt, a crossed belt; absent: external", FREE},
    {"lower", "formula", "rad or m", "least angle of a pin, travel of a slider; absent: none", FREE},
    {"upper", "formula", "rad or m", "largest angle of a pin, travel of a slider; absent: none", FREE},
    {"friction", "formula", "N m or N", "most that acts against the rate of a pin or slider", FREE},
    {"motor_speed", "formula", "rad/s or m/s", "rate that the motor of a pin or slider keeps", FREE},
    {"motor_limit", "formula", "N m or N", "most that the motor gives", FREE},
    {"stiffness", "formula", "N/m", "for compliant laws", FREE},
    {"damping", "formula", "N s/m", "for compliant laws", FREE},
    {"collide", "flag", "", "whether the two bodies may touch; absent: true for a rod alone", FREE}};

static const SsappSchemaField over_fields[] = {
    {"body", "text", "", "one of the rope's bodies, one that is fixed, or world", NEEDED},
    {"anchor", "[formula 2]", "m", "a point of the body's frame; absent: its origin", FREE}};

static const SsappSchemaField spring_fields[] = {
    {"name", "text", "", "absent: spring and place in the list", FREE},
    {"bodies", "[text 2]", "", "names; the first may be world", NEEDED},
    {"anchor", "[formula 2]", "m", "point of the world at the start", FREE},
    {"points", "[[formula 2] 2]", "m", "a point of the world for each body at the start", FREE},
    {"anchors", "[[formula 2] 2]", "m", "a point of each body's frame", FREE},
    {"torsion", "flag", "", "whether it turns the bodies against each other; absent: false", FREE},
    {"stiffness", "formula", "N/m or N m/rad", "absent: 0", FREE},
    {"damping", "formula", "N s/m or N m s/rad", "absent: 0", FREE},
    {"rest", "formula", "m or rad", "length or angle without force; absent: that at the start", FREE}};

static const SsappSchemaField constraint_fields[] = {
    {"name", "text", "", "absent: constraint and place in the list", FREE},
    {"kind", "'equal'|'at_least'", "", "0 at all times, or never below 0; absent: equal", FREE},
    {"formula", "formula", "m or rad", "of positions, parameters and t", NEEDED},
    {"stiffness", "formula", "N/m or N m/rad", "for compliant laws", FREE},
    {"damping", "formula", "N s/m or N m s/rad", "for compliant laws", FREE},
    {"restitution", "formula", "", "of at_least: by which its rate turns at 0, 0 to 1; absent: 0", FREE}};

static const SsappSchemaField actuator_fields[] = {
    {"name", "text", "", "absent: actuator and place in the list", FREE},
    {"type", "'force'|'torque'|'joint'", "", "what it drives", NEEDED},
    {"body", "text", "", "name of the body, of a force or torque", FREE},
    {"joint", "text", "", "name of the pin or slider that it drives", FREE},
    {"direction", "[formula 2]", "", "of a force", FREE},
    {"frame", "'world'|'body'", "", "what the direction is in; absent: world", FREE},
    {"anchor", "[formula 2]", "m", "point of the body's frame that a force acts at; absent: centre of mass", FREE},
    {"lower", "formula", "N or N m", "least control; absent: none", FREE},
    {"upper", "formula", "N or N m", "largest control; absent: none", FREE},
    {"formula", "formula", "N or N m", "control in a simulation; absent: 0", FREE}};

static const SsappSchemaField force_fields[] = {
    {"name", "text", "", "absent: force and place in the list", FREE},
    {"body", "text", "", "name of the body", NEEDED},
    {"force", "[formula 2]", "N", "at the centre of mass, in the world", FREE},
    {"torque", "formula", "N m", "on the body", FREE}};

static const SsappSchemaField measure_fields[] = {
    {"name", "text", "", "absent: measure and place in the list", FREE},
    {"kind", "'distance'|'angle'", "", "absent: distance", FREE},
    {"between", "[text 2]", "", "features: BODY, BODY.POINT, BODY.cornerN, BODY.edgeN, or \"x,y\" of the world [m]",
     NEEDED}};

static const SsappSchemaField note_fields[] = {
    {"name", "text", "", "absent: note and place in the list", FREE},
    {"at", "[formula 2]", "m", "in the world, where the text begins", NEEDED},
    {"text", "text", "", "what it says; lines are parted by \\n", NEEDED}};

/* ---- task -------------------------------------------------------------------------------------------------------- */

static const SsappSchemaField task_fields[] = {
    {"t_end", "formula", "s", "end of a simulation; absent: `horizon`, else 1", FREE},
    {"dt", "formula", "s", "step of a simulation; absent: 0.01", FREE},
    {"horizon", "formula", "s", "end of a plan; absent: `t_end`", FREE},
    {"steps", "formula", "", "steps of a plan; absent: horizon / dt, rounded", FREE},
    {"breaks", "<formula>", "s", "times at which forces bend or jump", FREE},
    {"targets", "<target>", "", "where bodies shall be at the end", FREE},
    {"bounds", "<bound>", "", "limits of motions, at every time point but the first", FREE},
    {"effort", "formula|{formula}", "", "weight of the integral of u²: one, or by actuator; absent: 0.001", FREE},
    {"effort_rate", "formula", "", "weight of the sum of squared changes of controls; absent: 0", FREE},
    {"constraints", "<task-constraint>", "", "rows of a plan", FREE},
    {"cost", "<task-cost>", "", "costs of a plan", FREE},
    {"free_time", "free-time", "", "that the horizon is free, and what it costs", FREE},
    {"contacts", "'all'|<text>", "", "contacts that the plan knows; absent: all", FREE},
    {"worlds", "worlds", "", "numbers that the plan shall bear, each with its range", FREE},
    {"tracking", "tracking", "", "of a model: residuals at the last time point", FREE},
    {"inputs", "<text>", "", "of a model: controls that a machine sets, others follow from its rows; absent: all",
     FREE},
    {"wrap", "flag", "", "of a model: angles of `tracking` modulo 2 pi; absent: false", FREE},
    {"guess", "text|guess", "", "scene: still, zeros, simulation; model: zeros, or formulas", FREE}};

static const SsappSchemaField target_fields[] = {
    {"body", "text", "", "name of the body", NEEDED},
    {"position", "null|[formula|null 2]", "m", "of its frame; null: free", FREE},
    {"angle", "formula|null", "rad", "of its frame; null: free", FREE},
    {"velocity", "null|[formula|null 2]", "m/s", "of the centre of mass; null: free", FREE},
    {"angular_velocity", "formula|null", "rad/s", "null: free", FREE},
    {"weight", "formula|null|target-weight", "", "makes it a cost, weight (value - target)²; absent: it is reached",
     FREE}};

static const SsappSchemaField target_weight_fields[] = {
    {"position", "formula", "1/m²", "weight of the position", FREE},
    {"angle", "formula", "1/rad²", "weight of the angle", FREE},
    {"velocity", "formula", "s²/m²", "weight of the velocity", FREE},
    {"angular_velocity", "formula", "s²/rad²", "weight of the angular velocity", FREE}};

static const SsappSchemaField bound_fields[] = {
    {"body", "text", "", "name of the body", NEEDED},
    {"x", "[formula|null 2]", "m", "lower and upper; null: none", FREE},
    {"y", "[formula|null 2]", "m", "lower and upper; null: none", FREE},
    {"theta", "[formula|null 2]", "rad", "lower and upper; null: none", FREE},
    {"vx", "[formula|null 2]", "m/s", "lower and upper; null: none", FREE},
    {"vy", "[formula|null 2]", "m/s", "lower and upper; null: none", FREE},
    {"omega", "[formula|null 2]", "rad/s", "lower and upper; null: none", FREE}};

static const SsappSchemaField task_constraint_fields[] = {
    {"name", "text", "", "for messages", FREE},
    {"points", "'all'|'interior'|'last'", "", "time points: 0 to N, 1 to N-1, N; absent: all", FREE},
    {"zero", "<formula>", "", "rows that are 0", FREE},
    {"nonnegative", "<formula>", "", "rows that are 0 or more", FREE}};

static const SsappSchemaField task_cost_fields[] = {
    {"points", "'all'|'last'", "", "all: integrated over the horizon; last: at its end; absent: all", FREE},
    {"cost", "formula", "", "the cost", NEEDED}};

static const SsappSchemaField free_time_fields[] = {
    {"lower", "formula", "s", "least horizon", NEEDED},
    {"upper", "formula", "s", "largest horizon", NEEDED},
    {"weight", "formula", "1/s", "cost of a second; absent: 1", FREE},
    {"per_step", "flag", "", "whether each step has a length of its own; absent: false", FREE}};

static const SsappSchemaField worlds_fields[] = {
    {"samples", "count", "", "worlds that are drawn to find those where a plan fails; absent: 40", FREE},
    {"seed", "count", "", "of the draw; absent: 1", FREE},
    {"feedback", "'none'|'lqr'", "", "what holds the motion in the worlds; absent: none", FREE}};

static const SsappSchemaField tracking_fields[] = {
    {"position", "<formula>", "m", "residuals of positions", FREE},
    {"velocity", "<formula>", "m/s", "residuals of velocities", FREE},
    {"angle", "<formula>", "rad", "residuals of angles", FREE},
    {"angular_velocity", "<formula>", "rad/s", "residuals of angular velocities", FREE}};

static const SsappSchemaField guess_fields[] = {
    {"values", "{formula}", "", "variables by name, at every time point", FREE},
    {"auxiliary", "<text>", "", "names of values that are carried along", FREE},
    {"first", "{formula}", "", "values at k = 0", FREE},
    {"next", "{formula}", "", "values at k + 1 of those at k", FREE},
    {"each", "{formula}", "", "what follows at every time point", FREE},
    {"noise", "noise", "", "what is added to every entry", FREE}};

static const SsappSchemaField noise_fields[] = {{"amplitude", "formula", "", "largest size", NEEDED},
                                                {"seed", "formula", "", "of the generator", FREE}};

/* ---- model ------------------------------------------------------------------------------------------------------- */

static const SsappSchemaField model_fields[] = {
    {"points", "formula", "", "time points", NEEDED},
    {"time_step", "formula", "s", "between them; needed unless there is one", FREE},
    {"states", "<text>", "", "names of the states, each also with its size: x[n]", NEEDED},
    {"controls", "<text>", "", "names of the controls", FREE},
    {"definitions", "{formula}", "", "named parts of formulas", FREE},
    {"constraints", "[block]", "", "blocks of rows", FREE},
    {"cost", "[model-cost]", "", "costs", FREE}};

static const SsappSchemaField block_fields[] = {
    {"name", "text", "", "for messages", FREE},
    {"points", "formula|[formula]", "", "all, an index, [first, last] or [first, last, stride]", FREE},
    {"zero", "<formula>", "", "rows that are 0", FREE},
    {"nonnegative", "<formula>", "", "rows that are 0 or more", FREE},
    {"complementary", "<[formula 2]|pair>", "", "pairs, 0 <= a, b >= 0, one of them 0", FREE},
    {"bounds", "{[formula|null 2]}", "", "lower and upper by variable; null: none", FREE},
    {"mixed", "<[formula|null 4]>", "", "low <= x <= high, f >= 0 at the low bound, <= 0 at the high one", FREE}};

static const SsappSchemaField pair_fields[] = {
    {"a", "formula", "", "first of the pair", NEEDED},
    {"b", "formula", "", "second of the pair", NEEDED},
    {"signs", "'both'|'a'|'b'|'none'", "", "which of them is a row of its own; absent: both", FREE}};

static const SsappSchemaField model_cost_fields[] = {
    {"name", "text", "", "for messages", FREE},
    {"points", "formula|[formula]", "", "all, an index, [first, last] or [first, last, stride]", FREE},
    {"cost", "formula", "", "the cost", NEEDED}};

/* ---- view -------------------------------------------------------------------------------------------------------- */

static const SsappSchemaField view_fields[] = {
    {"bounds", "[formula 4]", "m", "left, lower, right, upper edge of what is shown", FREE},
    {"marks", "<mark>", "", "what is drawn", FREE},
    {"strips", "<strip>", "", "curves below the picture", FREE}};

static const SsappSchemaField mark_fields[] = {
    {"type", "'box'|'circle'|'polygon'|'half-plane'|'segment'|'arrow'|'point'|'spring'", "", "kind of mark", NEEDED},
    {"role", "'body'|'fixed'|'goal'|'force'|'velocity'|'contact'|'centre'|'guide'", "", "what it stands for", FREE},
    {"name", "text", "", "for people", FREE},
    {"color", "'blue'|'yellow'|'brown'|'green'", "", "how it is drawn", FREE},
    {"trace", "flag", "", "whether it leaves its path; absent: false", FREE},
    {"position", "[formula 2]", "m", "where it is", NEEDED},
    {"angle", "formula", "rad", "absent: 0", FREE},
    {"when", "formula", "", "drawn where it is not 0; absent: 1", FREE},
    {"width", "formula", "m", "of a box, which needs it", FREE},
    {"height", "formula", "m", "of a box, which needs it", FREE},
    {"radius", "formula", "m", "of a circle, which needs it", FREE},
    {"vertices", "[[formula 2]]", "m", "of a polygon, which needs it: 3 to 64", FREE},
    {"vector", "[formula 2]", "m", "of a segment, spring or arrow; or `to`", FREE},
    {"to", "[formula 2]", "m", "end point of a segment, spring or arrow", FREE}};

static const SsappSchemaField strip_fields[] = {{"label", "text", "", "for people, with the unit", FREE},
                                                {"value", "formula", "", "what is drawn", NEEDED},
                                                {"reference", "formula", "", "what it is compared with", FREE}};

static const SsappSchemaPart parts[] = {
    SSAPP_PART ("scenario", root_fields, "a scenario; numbers are in SI units and radians"),
    SSAPP_PART ("parameter", parameter_fields, "a number that --set replaces"),
    SSAPP_PART ("by-formula", by_formula_fields, "value of an option"),
    SSAPP_PART ("asked-outcome", asked_outcome_fields, "a formula that is asked of every motion"),
    SSAPP_PART ("scene", scene_fields, "bodies, what holds them, and what acts on them"),
    SSAPP_PART ("material", material_fields, "a material"),
    SSAPP_PART ("material-pair", material_pair_fields, "what holds where two materials meet"),
    SSAPP_PART ("compliance", compliance_fields, "a contact's force by its depth and rate"),
    SSAPP_PART ("body", body_fields, "a body"),
    SSAPP_PART ("shape", shape_fields, "a shape of a body"),
    SSAPP_PART ("contact", contact_fields, "a pair of bodies that may touch"),
    SSAPP_PART ("joint", joint_fields, "a joint"),
    SSAPP_PART ("over-body", over_fields, "a point of a body that a rope runs over"),
    {.name = "over",
     .means = "a point that a rope runs over: of the world, or of a body",
     .choice = "[formula 2]|over-body"},
    SSAPP_PART ("spring", spring_fields, "a spring with a damper"),
    SSAPP_PART ("constraint", constraint_fields, "a formula of positions that is kept"),
    SSAPP_PART ("actuator", actuator_fields, "a control"),
    SSAPP_PART ("force", force_fields, "a force and torque on a body"),
    SSAPP_PART ("measure", measure_fields, "a distance [m] or an angle [rad] between two features"),
    SSAPP_PART ("note", note_fields, "a text on the sheet"),
    SSAPP_PART ("task", task_fields, "what is simulated or reached"),
    SSAPP_PART ("target", target_fields, "where a body shall be at the end"),
    SSAPP_PART ("target-weight", target_weight_fields, "weights of a target"),
    SSAPP_PART ("bound", bound_fields, "limits of a body's motion"),
    SSAPP_PART ("task-constraint", task_constraint_fields, "rows of a plan"),
    SSAPP_PART ("task-cost", task_cost_fields, "a cost of a plan"),
    SSAPP_PART ("free-time", free_time_fields, "a free horizon"),
    {.name = "worlds",
     .means = "numbers by name with their ranges, and how many worlds are drawn",
     .fields = worlds_fields,
     .n_fields = G_N_ELEMENTS (worlds_fields),
     .others = "[formula 2]"},
    SSAPP_PART ("tracking", tracking_fields, "residuals at the last time point"),
    SSAPP_PART ("guess", guess_fields, "where an optimiser of a model starts"),
    SSAPP_PART ("noise", noise_fields, "what is added to a guess"),
    SSAPP_PART ("model", model_fields, "equations over time points"),
    SSAPP_PART ("block", block_fields, "rows of a model"),
    SSAPP_PART ("pair", pair_fields, "a complementary pair"),
    SSAPP_PART ("model-cost", model_cost_fields, "a cost of a model"),
    SSAPP_PART ("view", view_fields, "how it is drawn"),
    SSAPP_PART ("mark", mark_fields, "a mark of the view"),
    SSAPP_PART ("strip", strip_fields, "a curve below the picture")};

const SsappSchema ssapp_schema_of_scenarios = {.name = "scenario",
                                               .title = "A scenario of Stickslip",
                                               .parts = parts,
                                               .n_parts = G_N_ELEMENTS (parts),
                                               .everywhere = &everywhere};
