#!/usr/bin/env bash
# The archive of a release, and Debian packages: built, looked at by lintian, installed in a bare Debian 12, used there and removed: nothing of theirs is left.
# Minutes, some GB of a temporary folder, root, and a mirror; without the means it says so and passes.
#   test-packages.sh PROGRAM SOURCE_ROOT [FOLDER]    FOLDER: has the packages already
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

skip() { echo "not tried: $1"; finish; exit; }
for name in debootstrap dpkg-buildpackage dh lintian; do command -v $name >/dev/null || skip "there is no $name"; done
[ "$EUID" = 0 ] || skip "a bare Debian is made by root alone"

packages=${3:-$work/packages}
if [ -z "${3:-}" ]; then
  git -C "$root" rev-parse -q --verify HEAD >/dev/null || skip "no repository"
  check "packages are built" bash -c '"$0/data/packaging/build.sh" "$1" >out 2>&1' "$root" "$packages"
fi
check "lintian finds nothing" lintian --allow-root --fail-on error,warning "$packages"/*.deb "$packages"/*.dsc
for name in stickslip libstickslip0 libstickslip-dev python3-stickslip stickslip-doc; do
  check "$name" [ -n "$(find "$packages" -name "${name}_*.deb")" ]
done

# --- the archive of a release builds from itself
build=$(dirname "$(dirname "$cli")")
if [ -f "$build/build.ninja" ]; then
  rm -rf "$build/meson-dist"
  check "meson dist" bash -c 'meson dist -C "$0" --no-tests --allow-dirty --formats gztar >told 2>&1 || { tail -n 3 told; exit 1; }' "$build"
  mkdir archive && tar -C archive --strip-components=1 -xf "$build"/meson-dist/*.tar.gz
  check "it builds" bash -c 'meson setup made archive -Dui=false -Dtests=false -Dwerror=false -Doptimization=0 -Dtogether=engine,app >told 2>&1 && ninja -C made >>told 2>&1 || { tail -n 5 told; exit 1; }'
  check "and what it builds runs" made/app/stickslip-cli simulate archive/examples/sketches/falling-box.stickslip.json --quiet
fi

# --- a bare Debian 12
bare=$work/debian
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
[ -n "$mirror" ] || mirror=$(awk '$1 == "deb" { print $2; exit }' /etc/apt/sources.list)
[ -n "$mirror" ] || skip "no mirror is known"
leave() {
  for mount in proc dev/shm; do mountpoint -q "$bare/$mount" && umount -l "$bare/$mount"; done
  rm -rf --one-file-system "$work"
}
trap leave EXIT
debootstrap --variant=minbase bookworm "$bare" "$mirror" >told 2>&1 || { tail -n 3 told; skip "debootstrap has made no system"; }
rm -f "$bare/etc/apt/sources.list"
cp -r /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d "$bare/etc/apt/" 2>/dev/null
rm -f "$bare"/etc/apt/apt.conf.d/{20packagekit,50appstream,docker-*}
cp /etc/resolv.conf /etc/hosts "$bare/etc/"
mount -t proc proc "$bare/proc"
mkdir -p "$bare/dev/shm" && mount -t tmpfs shm "$bare/dev/shm"
mkdir "$bare/packages" && cp "$packages"/*.deb "$bare/packages"
inside() { chroot "$bare" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive TMPDIR=/tmp bash -c "$1" >out 2>err </dev/null; }
files() { (cd "$bare" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./var/cache -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./tmp -o -path ./root \) -prune -o -print) | sort; }

check "what they need is there" inside 'apt-get -qq update && apt-get -qq -y install --no-install-recommends man-db bash-completion python3-minimal gcc libc6-dev pkg-config xvfb xauth x11-utils'
files >before
inside 'dpkg-query -W -f "\${Package}\n"' && sort out >packages-before
check "they install" inside 'apt-get -qq -y install --no-install-recommends /packages/*.deb'
check "the program runs" inside 'stickslip-cli simulate /usr/share/doc/stickslip/examples/sketches/falling-box.stickslip.json --project /tmp/a.stickslip --quiet'
check "the window opens" inside 'cd /tmp && (timeout 60 xvfb-run -a bash -c "stickslip & for i in {1..100}; do sleep .3; xwininfo -root -tree | grep -q Stickslip && exit 0; done; exit 1")'
# minbase leaves manual pages out of what it installs itself, not of these
check "the manual page" inside 'man stickslip-cli | grep -q simulate'
check "completion" inside '. /usr/share/bash-completion/bash_completion; . /usr/share/bash-completion/completions/stickslip-cli; compopt () { :; }
  COMP_LINE="stickslip-cli optimise x --method cri" COMP_POINT=37; _stickslip_cli; [ "${COMPREPLY[*]}" = crisp ]'
check "the program of 30 lines" inside 'cd /tmp && gcc -Wall -Werror /usr/share/doc/stickslip/examples/library/two-methods.c $(pkg-config --cflags --libs stickslip) -o two &&
  ./two /usr/share/doc/stickslip/examples/sketches/falling-box.stickslip.json | grep -q event-driven'
check "Python" inside 'cd /tmp && python3 -c "
import stickslip; from stickslip import engine
path = \"/usr/share/doc/stickslip/examples/sketches/falling-box.stickslip.json\"
run, own = stickslip.simulate(path, method=\"moreau-jean\"), engine.Scenario(path).run(\"moreau-jean\")
assert run.motion()[\"box.y\"][-1] == own.motion[\"box.y\"][-1]"'
check "a thumbnail" inside 'stickslip-cli thumbnail /tmp/a.stickslip /tmp/a.png 128 && [ -s /tmp/a.png ]'
inside 'dpkg-query -W -f "\${Package}\n"' && sort out | comm -13 packages-before - | paste -sd ' ' >came
check "they are removed" inside "apt-get -qq -y purge $(cat came)"
files >after
check "nothing of theirs is left" [ -z "$(diff before after | grep -i stickslip)" ]
check "nor of what they are registered in" bash -c '! grep -rli stickslip "$0"/usr/share/applications "$0"/usr/share/mime "$0"/usr/share/glib-2.0 "$0"/var/lib/dpkg/info 2>/dev/null | grep .' "$bare"

finish
