#!/bin/bash
# app/live/build.sh [FOLDER]: makes what pages that compute need, live.wasm and the program stickslip-live, in FOLDER
# (default: build/live, where stickslip-cli looks), and live.sha256, the hash of the sources they were made of.
# app/live/build.sh --hash: prints that hash of the sources as they are now, and builds nothing.
# Installs compilers for WebAssembly and for musl, and takes the sources of jansson and of AMD from Debian's source packages.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)

# The rooms of the engine that simulate and judge; the linker leaves out what no door of live.c leads to.
own=("$root"/app/live/*.c "$root"/engine/{core,linalg,expr,geometry,scene,dynamics,judge,lcp,qp,contact,impact,simulate,fesd,solve,run}/*.c)
hash=$(cd "$root" && { printf '%s\n' app/live/build.sh "${own[@]#"$root/"}"; find engine app/live -name '*.h'; } | LC_ALL=C sort | xargs cat | sha256sum | cut -d' ' -f1)
if [[ ${1:-} == --hash ]]; then
  echo "$hash"
  exit
fi
folder=$(realpath -m "${1:-$root/build/live}")
. "$root/app/packages.sh"
install_packages clang lld wasi-libc libclang-rt-14-dev-wasm32 musl-tools dpkg-dev

# Sources of libraries that have no package for WebAssembly, from where this machine's packages come from.
mkdir -p "$folder/lists/partial" "$folder/sources"
cd "$folder"
if ! [[ -d jansson-2.14/src && -d SuiteSparse-5.12.0/AMD ]]; then
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [[ ! -f $file ]] || sed -E 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$file" >"sources/${file##*/}"
  done
  options=(-qq -o Dir::Etc::sourcelist=- -o Dir::Etc::sourceparts="$folder/sources" -o Dir::State::lists="$folder/lists" -o APT::Sandbox::User=)
  [[ ! -f sources/sources.list ]] || options+=(-o Dir::Etc::sourcelist="$folder/sources/sources.list")
  apt-get "${options[@]}" update
  apt-get "${options[@]}" --download-only source jansson suitesparse
  tar xf jansson_2.14.orig.tar.gz
  tar xf suitesparse_5.12.0+dfsg.orig.tar.xz --wildcards '*/AMD/*' '*/SuiteSparse_config/*'
fi

# What configure scripts would find.
mkdir -p include/suitesparse
cp SuiteSparse-5.12.0/AMD/Include/amd.h SuiteSparse-5.12.0/SuiteSparse_config/SuiteSparse_config.h include/suitesparse
sed -e 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_[a-z_]*@/0/' jansson-2.14/src/jansson_config.h.in >include/jansson_config.h
: >include/jansson_private_config.h

sources=("${own[@]}" "$folder"/jansson-2.14/src/*.c "$folder"/SuiteSparse-5.12.0/AMD/Source/amd_*.c
  "$folder"/SuiteSparse-5.12.0/SuiteSparse_config/SuiteSparse_config.c)
flags=(-std=c17 -O2 -ffp-contract=off -ffunction-sections -fdata-sections -w -D_POSIX_C_SOURCE=200809L -DSS_HAVE_CVODE=0 -DHAVE_STDINT_H
  -I"$root" -I"$root/engine" -Iinclude -Ijansson-2.14/src -ISuiteSparse-5.12.0/AMD/Include -ISuiteSparse-5.12.0/SuiteSparse_config)

# compile FOLDER COMPILER...: objects of all sources into FOLDER, and their names into the list `objects`. What is newer than its source and
# than all headers stays.
compile() {
  local to=$1 source name stale=()
  shift
  mkdir -p "$to"
  objects=()
  for source in "${sources[@]}"; do
    [[ $source != */ss-cvode.c ]] || continue # of a library that pages do not have
    name=${source#"$root"/}
    name=$to/$(tr / _ <<<"${name#"$folder"/}").o
    objects+=("$name")
    [[ $name -nt $source && $name -nt $newest ]] || stale+=("$source" "$name")
  done
  ((${#stale[@]} == 0)) || printf '%s\0' "${stale[@]}" | xargs -0 -P "$(nproc)" -n 2 env COMMAND="$* ${flags[*]}" sh -c 'exec $COMMAND -c "$0" -o "$1"'
}
newest=$(find "$root"/engine "$root"/app/live -name '*.h' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-)
compile wasm clang-14 --target=wasm32-wasi "-I$root/app/live/wasm" -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_GETPID
clang-14 --target=wasm32-wasi -mexec-model=reactor -O2 "${objects[@]}" -o live.wasm -Wl,--gc-sections,--strip-all,-z,stack-size=4194304 \
  -lwasi-emulated-process-clocks -lwasi-emulated-signal -lwasi-emulated-mman -lwasi-emulated-getpid -lm
compile native musl-gcc -DLIVE_MAIN
musl-gcc -static -O2 "${objects[@]}" -o stickslip-live -Wl,--gc-sections -lm
echo "$hash" >live.sha256
ls -l live.wasm stickslip-live
