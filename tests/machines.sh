#!/usr/bin/env bash
# The engine and its tests by each compiler that Debian 12 has, with another C library, and for another processor.
#
#   tests/machines.sh [NAME...]    NAME: gcc-12 gcc-11 clang-14 clang-15 clang-16 clang-19 musl arm64 (default: all of them)
#
# Each is built in build-machines/NAME as it is released, warnings are errors, runs the topics of unit/ and numeric/ (gcc-12, where it was not asked
# for, only makes the bits that the others' are compared with), and tells which methods give
# other bits than where gcc 12 made them: none may, but with musl and on arm64, whose C libraries round otherwise (tests/README.md). Ipopt is C++ and
# Fortran, for which there is no compiler to musl, so rooms above that of Ipopt run no topics there; arm64 runs under qemu, without the longest
# topics. Ends with "N passed, N failed".
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
# shellcheck source=app/packages.sh
. app/packages.sh

compilers=(gcc-12 gcc-11 clang-14 clang-15 clang-16 clang-19)
names=("$@")
((${#names[@]})) || names=("${compilers[@]}" musl arm64)
folder=$PWD/build-machines passed=0 failed=0
mkdir -p "$folder"

# apt_of TYPE ARCHITECTURE ARGUMENT...: apt-get with lists of its own in the current folder, so that this machine keeps those of its own processor
# and nothing is installed.
apt_of() {
  local type=$1 architecture=$2
  shift 2
  mkdir -p lists/partial archives/partial sources
  : >status
  local file
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    if [[ -f $file ]] && grep -q debian "$file"; then
      sed -E "s/^Types:.*/Types: $type/; s/^deb /$type /" "$file" >"sources/${file##*/}"
    fi
  done
  local options=(-qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o Dir::State::lists="$PWD/lists"
    -o Dir::State::status="$PWD/status" -o Dir::Cache::archives="$PWD/archives" -o Dir::Etc::sourcelist=- -o Dir::Etc::sourceparts="$PWD/sources"
    -o APT::Sandbox::User= -o Debug::NoLocking=1 -o Acquire::Retries=3)
  [[ ! -f sources/sources.list ]] || options+=(-o Dir::Etc::sourcelist="$PWD/sources/sources.list")
  apt-get "${options[@]}" update && apt-get "${options[@]}" -y --no-install-recommends --download-only "$@"
}
# sources_of NAME...: Debian's source packages in the current folder.
sources_of() { apt_of deb-src "$(dpkg --print-architecture)" source "$@"; }
# packages_of ARCHITECTURE NAME...: Debian's packages for another processor and all that they need, unpacked in the folder `system`.
packages_of() {
  local architecture=$1 archive link
  shift
  apt_of deb "$architecture" install "$@" || return 1
  mkdir -p system/usr/{bin,sbin,lib}
  ln -sfn usr/bin system/bin && ln -sfn usr/sbin system/sbin && ln -sfn usr/lib system/lib
  for archive in archives/*.deb; do
    dpkg-deb --fsys-tarfile "$archive" | tar -x --keep-directory-symlink -C system || return 1
  done
  # Links to absolute places lead out of the folder; those of alternatives are made when packages are installed.
  find system -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "system$(readlink "$link")")" "$link"
  done
  ln -sf blas/libblas.so{,.3} lapack/liblapack.so{,.3} system/usr/lib/aarch64-linux-gnu/
}

# musl_libraries: in `system`, what the engine links, for musl.
musl_libraries() {
  [[ -d jansson-2.14 && -d SuiteSparse-5.12.0 ]] || {
    sources_of jansson suitesparse && tar xf jansson_2.14.orig.tar.gz &&
      tar xf suitesparse_5.12.0+dfsg.orig.tar.xz --wildcards '*/AMD/*' '*/SuiteSparse_config/*' || return 1
  }
  local include=$PWD/system/include source
  mkdir -p "$include/suitesparse" system/lib/pkgconfig objects
  cp SuiteSparse-5.12.0/{AMD/Include/*.h,SuiteSparse_config/*.h} "$include/suitesparse"
  cp -r /usr/include/coin "$include"
  cp jansson-2.14/src/jansson.h "$include"
  sed -e 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_[a-z_]*@/0/' jansson-2.14/src/jansson_config.h.in >"$include/jansson_config.h"
  : >"$include/jansson_private_config.h"
  # Ipopt is C++ and Fortran, for which no compiler here knows musl: no problem can be made.
  printf 'long %s (void) { return 0; }\n' CreateIpoptProblem FreeIpoptProblem AddIpopt{Str,Num,Int}Option OpenIpoptOutputFile IpoptSolve \
    SetIntermediateCallback GetIpoptCurrentIterate >no-ipopt.c
  rm -f objects/*
  for source in no-ipopt.c jansson-2.14/src/*.c SuiteSparse-5.12.0/AMD/Source/amd_*.c SuiteSparse-5.12.0/SuiteSparse_config/SuiteSparse_config.c; do
    musl-gcc -O2 -fPIC -ffp-contract=off -w -DHAVE_STDINT_H -I"$include" -I"$include/suitesparse" -c "$source" -o "objects/$(basename "$source" .c).o" || return 1
  done
  # All in each: whoever needs one of them names its library, in whatever order.
  for source in jansson amd suitesparseconfig ipopt; do ar rcs "system/lib/lib$source.a" objects/*.o; done
  printf 'Name: jansson\nDescription: all of them\nVersion: 2.14\nLibs: -L%s -ljansson\nCflags: -I%s\n' "$PWD/system/lib" "$include" >system/lib/pkgconfig/jansson.pc
  printf 'Name: ipopt\nDescription: none\nVersion: 3.11.9\nLibs: -L%s -lipopt\nCflags: -I%s/coin\n' "$PWD/system/lib" "$include" >system/lib/pkgconfig/ipopt.pc
}

# build_for NAME: the engine and its tests in $folder/NAME; ends with the status of the build.
build_for() {
  local name=$1 options=(--buildtype=release -Dapp=false)
  case $name in
    musl)
      mkdir -p "$folder/musl-libraries" && (cd "$folder/musl-libraries" && musl_libraries) || return 1
      local root=$folder/musl-libraries/system
      CC=musl-gcc PKG_CONFIG_LIBDIR=$root/lib/pkgconfig LIBRARY_PATH=$root/lib build "$folder/musl" "${options[@]}" -Dcvode=disabled \
        "-Dc_args=-I$root/include" "-Dc_link_args=-L$root/lib"
      ;;
    arm64)
      mkdir -p "$folder/arm64-libraries"
      (
        cd "$folder/arm64-libraries" || exit 1
        [[ -f cross.ini ]] && exit
        packages_of arm64 libc6-dev libgcc-s1 libjansson-dev coinor-libipopt-dev libsuitesparse-dev || exit 1
        cat >cross.ini <<INI
[constants]
root = '$PWD/system'
[binaries]
c = [$(! command -v ccache >/dev/null || echo "'ccache', ")'aarch64-linux-gnu-gcc']
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64-static', '-L', root]
[properties]
sys_root = root
pkg_config_libdir = [root / 'usr/lib/aarch64-linux-gnu/pkgconfig', root / 'usr/lib/pkgconfig', root / 'usr/share/pkgconfig']
[built-in options]
c_args = ['--sysroot=' + root]
c_link_args = ['--sysroot=' + root]
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
INI
      ) || return 1
      CC_LD='' build "$folder/arm64" "${options[@]}" -Dcvode=disabled --cross-file "$folder/arm64-libraries/cross.ini"
      ;;
    *) CC=$name build "$folder/$name" "${options[@]}" ;;
  esac
}

# topics_of NAME: what runs there; the hashes are made by themselves.
topics_of() {
  local without='^test-same-bits$' rooms='.' slow
  slow=$(python3 tests/list-tests.py "$folder/$1" slow | cut -f 2 | paste -sd '|')
  case $1 in
    musl) rooms='tests-(core|linalg|expr|geometry|scene|mpcc|lcp|qp|bound|dynamics|impact|simulate|fesd) ' ;;
    arm64) without="^(test-same-bits|$slow)$" ;;
  esac
  python3 tests/list-tests.py "$folder/$1" numeric unit | grep -E "$rooms" | cut -f 2 | grep -vE "$without"
}

# hashes_on NAME: leaves the hashes of all methods in $folder/NAME.hashes.
hashes_on() {
  local name=$1 wrapper=() status=0
  [[ $name != arm64 ]] || wrapper=(qemu-aarch64-static -L "$folder/arm64-libraries/system")
  # musl's scholtes has no Ipopt, which fails this test there.
  "${wrapper[@]}" "$folder/$name/tests/test-same-bits" >"$folder/$name.log" || [[ $name == musl ]] || status=1
  grep '^hash ' "$folder/$name.log" >"$folder/$name.hashes" || status=1
  return $status
}
# test_on NAME: runs the topics, and leaves the hashes.
test_on() {
  local name=$1 topics status=0
  if [[ $name == musl || $name == arm64 ]]; then export STICKSLIP_TEST_COARSE=1 STICKSLIP_TEST_SLOWDOWN=20; fi
  mapfile -t topics < <(topics_of "$name")
  meson test -C "$folder/$name" --no-rebuild --print-errorlogs --timeout-multiplier 20 "${topics[@]}" || status=1
  hashes_on "$name" || status=1
  return $status
}

# same_as_first NAME: the methods that give other bits there than by the first compiler, a line each; status 0: as they may.
same_as_first() {
  local first=$folder/${compilers[0]}.hashes others
  [[ -s $first && -s $folder/$1.hashes ]] || return 1
  others=$(diff <(sort "$first") <(sort "$folder/$1.hashes") | sed -n 's/^[<>] hash [a-z]* \([^ ]*\) .*/\1/p' | sort -u | paste -sd ' ')
  echo "$1: $(wc -l <"$folder/$1.hashes") methods, other bits: ${others:-none}"
  [[ -z $others || $1 == musl || $1 == arm64 ]] # their C libraries round otherwise
}

packages=("${names[@]/#arm64/gcc-aarch64-linux-gnu}")
packages=("${packages[@]/#musl/musl-tools}" qemu-user-static gcc-12 meson ninja-build pkg-config dpkg-dev libjansson-dev coinor-libipopt-dev libsuitesparse-dev)
install_packages "${packages[@]}" || { echo "0 passed, 1 failed"; exit 1; }

# check WHAT COMMAND...: one test.
check() {
  local what=$1 from=$SECONDS log=$folder/check.log
  shift
  if ("$@") >"$log" 2>&1; then
    passed=$((passed + 1))
    echo "ok $what: $((SECONDS - from)) s"
  else
    failed=$((failed + 1))
    echo "FAILED $what"
    tail -n 60 "$log"
    return 1
  fi
}
if [[ ${names[0]} != "${compilers[0]}" ]]; then # the others' hashes are compared with its
  check "${compilers[0]} builds, warnings are errors" build_for "${compilers[0]}" && check "${compilers[0]}: bits" hashes_on "${compilers[0]}"
fi
for name in "${names[@]}"; do
  check "$name builds, warnings are errors" build_for "$name" || continue
  check "$name: $(topics_of "$name" | wc -l) topics" test_on "$name"
  [[ $name == "${compilers[0]}" ]] || { check "$name: bits" same_as_first "$name" && cat "$folder/check.log"; }
done
echo "$passed passed, $failed failed"
((failed == 0))
