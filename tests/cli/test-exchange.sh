#!/usr/bin/env bash
# `convert` of robots: what is told of a file with its lines, contacts and their friction, files that are none. Motions
# against equations by hand: check-exchange.py.
#   test-exchange.sh PROGRAM SOURCE_ROOT
# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

check "motions of what is read" /usr/bin/python3 "$root/tests/cli/check-exchange.py" "$cli" "$root" "$work"

# scene NAME: converts NAME.xml, whose text is read from the standard input
scene() {
  local name=$1
  shift
  cat >"$name.xml"
  status 0 convert "$name.xml" "$name.stickslip.json" "$@"
}
# refused NAME: the same, where it is an error
refused() {
  cat >"$1.xml"
  rm -f "$1.stickslip.json"
  status 2 convert "$1.xml" "$1.stickslip.json" && [ ! -e "$1.stickslip.json" ]
}
# world ELEMENTS...: a model
world() { printf '<mujoco>\n<worldbody>\n'; printf '%s\n' "$@"; printf '</worldbody>\n</mujoco>\n'; }

# --- a planar hopper
check "a hopper" scene hopper <"$root/examples/robots/hopper.xml"
check "gravity" has hopper.stickslip.json '"gravity": [0, -10]'
check "the step" has hopper.stickslip.json '"dt": 0.004'
check "the floor" has hopper.stickslip.json '"name": "ground", "fixed": true, "position": [0, 0], "shape": {"type": "half-plane", "normal": [0, 1]}'
check "limits turn about the other axis" has hopper.stickslip.json '"lower": -0.5235987755982988, "upper": 1.5707963267948966, "friction": 0.1'
check "a torque with a gear" has hopper.stickslip.json '"joint": "hip", "lower": -50, "upper": 50'
check "is told" has err "hopper.xml:30: motor 'hip motor': its control is the force here, ctrl times -50"
check "a name with a blank" has err "hopper.xml:19: body 'upper leg': is called upper_leg"
check "armature" has err "hopper.xml:23: joint 'knee': armature is left out"
check "looks, once" has err "hopper.xml:5: geom: rgba is left out: looks"
check "softness" has err "hopper.xml:7: geom: solref is left out"
check "a light" has err "hopper.xml:12: light: is left out: looks"
check "sensors" has err "hopper.xml:32: sensor: is left out"
check "the larger friction of two geoms" status 0 contacts hopper.stickslip.json
check "of the floor and the foot" grep -q '^ground-lower .*friction 1\.2 ' out
check "of the floor and the trunk" grep -q '^ground-trunk .*friction 0\.8 ' out
check "not of what carries each other" hasnt out upper_leg-lower
check "but of others" has out trunk-lower
check "it hops" status 0 simulate hopper.stickslip.json --t-end 0.5

# --- masks, excludes, pairs, priorities, condim
check "contacts" scene contacts <<'XML'
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" friction="0.2" priority="1"/>
    <body name="a" pos="0 0 1"><freejoint/><geom name="ga" size="0.1" friction="0.9"/></body>
    <body name="b" pos="1 0 1"><freejoint/><geom name="gb" size="0.1" friction="0.5" contype="2" conaffinity="2"/></body>
    <body name="c" pos="2 0 1"><freejoint/><geom name="gc" size="0.1" condim="1"/></body>
    <body name="d" pos="3 0 1"><freejoint/><geom name="gd" size="0.1" condim="6" friction="0.4 0.1 0.02"/></body>
    <body name="e" pos="4 0 1"><freejoint/><geom size="0.1" contype="0" conaffinity="0"/><geom name="ge" size="0.05" mass="0"/></body>
  </worldbody>
  <contact>
    <exclude body1="a" body2="c"/>
    <pair geom1="gb" geom2="floor" friction="0.7 0.7 0 0 0"/>
  </contact>
</mujoco>
XML
check "a shape that touches nothing beside one that does" has err "contacts.xml:8: geom: its shape is left out: it touches nothing"
check "are" status 0 contacts contacts.stickslip.json
check "one of higher priority decides" grep -q '^floor-a .*friction 0\.2 ' out
check "a pair decides" grep -q '^floor-b .*friction 0\.7 ' out
check "masks" hasnt out 'a-b '
check "an exclude" hasnt out 'a-c '
check "the larger condim" grep -q '^a-d .*friction 0\.9 ' out
check "condim 6 rolls" has contacts.stickslip.json '{"bodies": ["a", "d"], "friction": 0.9, "rolling": 0.02}'

# --- equality, armature, a start beyond the range
check "equality" scene equality <<'XML'
<mujoco>
  <worldbody>
    <body name="a"><joint name="ja" axis="0 -1 0" range="10 20"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/></body>
    <body name="b" pos="2 0 0"><joint name="jb" axis="0 -1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/></body>
    <body name="c" pos="0 0 2"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <equality>
    <joint joint1="ja" joint2="jb" polycoef="0 2"/>
    <connect body1="c" body2="b" anchor="0 0 -0.5"/>
    <weld body1="a" body2="c" active="false"/>
  </equality>
</mujoco>
XML
check "a gear" has equality.stickslip.json '"formula": "(a.theta) - (0) - (0) - (2)*((b.theta) - (0))^1"'
check "a pin" has equality.stickslip.json '"type": "pin", "bodies": ["c", "b"], "anchor": [0, 1.5]'
check "what is not active" has err "equality.xml:10: weld: is left out: it is not active"
check "a start beyond the range" has err "equality.xml:3: joint 'ja': starts beyond its range"

# --- what leaves the plane is an error, with its line, or left out
check "a ball joint" refused ball < <(world '<body name="b">' '<joint name="s" type="ball"/><geom size="1"/></body>')
check "is told" has err "ball.xml:4: joint 's': a ball joint moves out of the plane (error)"
check "an axis askew" refused askew < <(world '<body><joint axis="0 1 1"/><geom size="1"/></body>')
check "is told, too" has err "askew.xml:3: joint: turns out of the plane (error)"
check "and left out" scene askew --lossy < <(world '<body name="b"><joint axis="0 1 1"/><geom size="1"/></body>')
check "which says so" has err "askew.xml:3: joint: turns out of the plane (left out)"
check "the body stands" has askew.stickslip.json '"name": "b", "fixed": true'
check "an include" refused include < <(world '<include file="x.xml"/>' '<body><joint axis="0 1 0"/><geom size="1"/></body>')
check "is not read" has err "include.xml:3: include: is not read (error)"
check "two hinges" refused hinges < <(world '<body><joint axis="0 1 0"/><joint axis="0 1 0" pos="1 0 0"/><geom size="1"/></body>')
check "need a body between" has err "massless bodies between"
check "a fluid" refused fluid < <(printf '<mujoco>\n<option density="1.2"/></mujoco>')
check "weight taken away" refused gravcomp < <(world '<body gravcomp="1"><joint axis="0 1 0"/><geom size="1"/></body>')
check "is told" has err "gravcomp.xml:3: body: gravcomp is not read"
check "of two defaults of actuators" scene defaults < <(printf '%s\n' '<mujoco><default><motor gear="2"/><position gear="3"/></default><worldbody><body><joint name="j" axis="0 -1 0"/><geom size="1"/></body></worldbody>' '<actuator><motor joint="j"/></actuator></mujoco>')
check "the last counts" has err "ctrl times 3"
check "no mass" refused light < <(world '<body name="b"><joint axis="0 1 0"/></body>')
check "is an error" has err "light.xml:3: body 'b': moves and has no mass"
check "a mesh of a file" refused mesh < <(world '<body><joint axis="0 1 0"/><geom type="mesh" mesh="m"/></body>')
check "has an unknown mass" has err "what a mesh weighs is not known"
check "a number that is none" refused number < <(world '<body pos="0 one 0"><joint axis="0 1 0"/><geom size="1"/></body>')
check "has its line" has err "number.xml:3: body: pos is '0 one 0' (expected 3 numbers)"
check "a class that is not there" refused class < <(world '<geom class="soft" size="1"/>')
check "is named" has err "class.xml:3: geom: there is no class 'soft'"
check "a joint that is not there" refused nojoint < <(printf '<mujoco>\n<actuator>\n<motor joint="hip"/>\n</actuator></mujoco>')
check "is named, too" has err "nojoint.xml:3: motor: there is no joint 'hip'"

# --- URDF
check "an arm" status 0 convert "$root/examples/robots/arm.urdf" arm.stickslip.json
check "a link that a fixed joint holds is part of what carries it" has arm.stickslip.json '{"name": "fore", "mass": 1.2, '
check "efforts are motors" has arm.stickslip.json '"joint": "shoulder", "lower": -60, "upper": 60'
check "limits" has arm.stickslip.json '"lower": -2, "upper": 2, "friction": 0.1'
check "the base stands" has err "arm.urdf:3: link 'base': stands still: no joint leads to it"
check "velocities are told" has err "arm.urdf:14: limit: velocity is left out: joints are as fast as their forces make them (2 places)"
check "it moves" status 0 simulate arm.stickslip.json --t-end 0.2
# robot ELEMENTS...: one
robot() { printf '<robot>\n'; printf '%s\n' "$@"; printf '</robot>\n'; }
two='<link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
check "a wheel across" refused wheel < <(robot "$two" '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/></joint>')
check "turns out of the plane" has err "wheel.xml:3: joint 'j': turns out of the plane (error)"
check "a circle" refused circle < <(robot "$two" '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>' '<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint>')
check "is told" has err "links carry each other in a circle"
check "two parents" refused parents < <(robot "$two<link name='c'/>" '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>' '<joint name="k" type="fixed"><parent link="c"/><child link="b"/></joint>')
check "are told" has err "parents.xml:4: joint 'k': its child 'b' is that of another joint"
check "a link that is not there" refused nolink < <(robot "$two" '<joint name="j" type="fixed"><parent link="a"/><child link="z"/></joint>')
check "is named" has err "its child 'z' is no link"
check "no mass" refused nomass < <(robot '<link name="a"/><link name="b"/>' '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>')
check "is told" has err "nomass.xml:2: link 'b': moves and has no mass"
check "free in the plane" scene free < <(robot "$two" '<joint name="j" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>')
check "needs no joint" hasnt free.stickslip.json joints
check "one follows another" scene mimic < <(robot "$two" '<link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>' \
  '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>' \
  '<joint name="k" type="prismatic"><parent link="a"/><child link="c"/><axis xyz="1 0 0"/><limit lower="-1" upper="1"/><mimic joint="j" multiplier="0.5"/></joint>')
check "by a constraint" has mimic.stickslip.json '- (0.5)*((-b.theta) - (0))^1'

# --- tendons and velocities
check "a spring" scene spring <<'XML'
<mujoco>
  <worldbody>
    <site name="hook" pos="0 0 2"/>
    <site name="light" pos="0 0 2"/>
    <body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="top" pos="0 0 0.1" size="0.01"/></body>
    <body name="b" pos="1 0 1"><joint name="h" axis="0 1 0" pos="-0.5 0 0"/><geom size="0.1"/></body>
  </worldbody>
  <tendon>
    <spatial stiffness="30" damping="2" springlength="0.5"><site site="top"/><site site="hook"/></spatial>
    <spatial name="slack"><site site="top"/><site site="hook"/></spatial>
  </tendon>
  <keyframe>
    <key name="start" qvel="1 2 3 0 4 0 5"/>
    <key name="other" qpos="1 2 3"/>
  </keyframe>
</mujoco>
XML
check "between two sites" has spring.stickslip.json '"bodies": ["world", "a"], "points": [[0, 2], [0, 1.1]], "stiffness": 30, "damping": 2, "rest": 0.5}'
check "velocities in the plane" has spring.stickslip.json '"position": [0, 1], "velocity": [1, 3], "angular_velocity": -4'
check "of a hinge about +Y" has spring.stickslip.json '"position": [1, 1], "velocity": [0, -2.5], "angular_velocity": -5'
check "a tendon without a spring" has err "spring.xml:10: spatial 'slack': is left out: it does not pull"
check "another key" has err "spring.xml:14: key 'other': is left out"
check "a site that nobody needs" has err "spring.xml:4: site 'light': is left out"
check "a tendon with a limit" scene limit < <(world '<site name="top" pos="0 0 2"/><body name="a"><joint axis="0 1 0"/><geom size="1"/><site name="s"/></body>' | sed 's|</mujoco>|<tendon><spatial range="0 3"><site site="s"/><site site="top"/></spatial></tendon></mujoco>|')
check "is a rope" has limit.stickslip.json '"type": "rope", "bodies": ["world", "a"], "points": [[0, 2], [0, 0]], "over": [], "length": 3}'
check "a spring with a limit" refused limit < <(world '<body name="a"><joint axis="0 1 0"/><geom size="1"/><site name="s"/></body>' | sed 's|</mujoco>|<tendon><spatial range="0 1" stiffness="2"><site site="s"/><site site="s"/></spatial></tendon></mujoco>|')
check "is an error" has err "limit.xml:5: spatial: is no spring between two sites (error)"
check "too few velocities" refused qvel < <(printf '<mujoco>\n<keyframe><key name="start" qvel="1 2"/></keyframe>\n</mujoco>')
check "are an error" has err "qvel.xml:2: key 'start': qvel has 2 numbers"

# --- scenes as MJCF
check "a scene" status 0 convert "$fall" fall.xml
check "is told in full" [ ! -s err ]
check "with its velocity" has fall.xml '<key name="start" qvel="0.5 0 0"/>'
check "with parameters" status 0 convert "$fall" fall.xml --set tilt=0
check "in their values" hasnt fall.xml quat
check "what MJCF cannot say" status 2 convert "$root/examples/classics/newtons-cradle.stickslip.json" cradle.xml
check "is named" has err "newtons-cradle.stickslip.json: joint 'rod1': closes a loop or ties bodies as no equality of MJCF (error)"
check "is not written" [ ! -e cradle.xml ]
check "or is left out" status 0 convert "$root/examples/classics/newtons-cradle.stickslip.json" cradle.xml --lossy
check "which is told" has err "joint 'rod1': closes a loop or ties bodies as no equality of MJCF (left out)"
check "a model is no scene" status 2 convert "$box" box.xml
check "and told so" has err "this is no scene"
check "names belong to .nl" status 2 convert "$fall" fall.xml --names

# --- files that are none
check "another root" refused root < <(echo '<sdf/>')
check "is told as such" has err "root.xml:1: the root element is 'sdf'"
check "no XML" refused none < <(printf '<mujoco>\n<worldbody>\n<geom\n</mujoco>')
check "with its line" grep -q '^stickslip-cli: none.xml:[34]: this is no XML' err
check "empty" refused empty </dev/null
check "a second root" refused second < <(printf '<mujoco/>\n<mujoco/>')
check "is not read" grep -q 'second.xml:2' err
check "an attribute twice" refused twice < <(printf '<mujoco>\n<option timestep="1" timestep="2"/></mujoco>')
check "is an error, too" has err "twice.xml:2: "
check "elements in one another for ever" refused deep < <(printf '<mujoco><worldbody>'; printf '<body>%.0s' {1..5000})
check "are too deep" has err "deeper in one another than 100"
check "an entity that grows" refused entity < <(printf '<!DOCTYPE mujoco [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<mujoco model="&b;"/>')
check "is not known" has err "entity.xml:2"
check "bytes that are no text" refused bytes < <(printf '<mujoco model="\xff\xfe"/>')
check "another ending" status 2 convert hopper.xml hopper.nl
check "a plane" status 2 convert hopper.xml plane.stickslip.json --plane yz
check "there is no" has err "--plane is xz or xy"

finish
