# app/packages.sh: which Debian 12 packages Stickslip needs, and a function that installs what is missing. Sourced by the two
# commands of the README; the reason for each package is in the README's table.

# To build and run.
packages_build=(gcc libc6-dev meson ninja-build pkg-config
  libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev libgtk-4-bin libglib2.0-bin libsqlite3-dev nettle-dev libcairo2-dev libpango1.0-dev libwebp-dev libgif-dev
  libcmark-gfm-dev libcmark-gfm-extensions-dev
  libjansson-dev coinor-libipopt-dev libsuitesparse-dev
  adwaita-icon-theme fonts-cantarell fonts-dejavu-core librsvg2-common)

# Besides, to test: the optional libraries (SUNDIALS is a large download, so not for everyone), a second compiler, a display, a driver
# for the window, checkers of data files.
packages_test=(libsundials-dev libchipmunk-dev libamplsolver-dev clang clang-format-14 libclang-rt-14-dev python3 git
  xvfb xauth dbus dbus-x11 at-spi2-core python3-gi gir1.2-atspi-2.0 xdotool imagemagick openbox xcompmgr x11-utils
  desktop-file-utils appstream groff-base libxml2-utils poppler-utils sqlite3 python3-jsonschema python3-numpy python3-pip python3-setuptools python3-wheel procps valgrind locales-all chromium
  gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly)

# install_packages NAME...: installs those that are missing, as root or through sudo; says which ones when it can't.
install_packages() {
  local name missing=()
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  local become=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || {
      echo "These Debian packages are missing, and there is no sudo to install them: ${missing[*]}" >&2
      return 1
    }
    become=(sudo)
  fi
  echo "Installing Debian packages: ${missing[*]}"
  "${become[@]}" apt-get -qq -o Acquire::Retries=3 update &&
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 \
      install --no-install-recommends "${missing[@]}" >/dev/null ||
    { echo "The packages could not be installed: ${missing[*]}" >&2; return 1; }
}

# build DIR [meson options] [-- targets]: configures DIR when it is new or a library came, and compiles; quiet unless something fails. Two
# at a time would compile into each other's folder: the second one waits. The lock goes with the process that holds it.
build() {
  (
    if ! flock -n 9; then
      echo "Waiting for another build of this folder to end" >&2
      flock 9
    fi
    build_alone "$@" 9>&-
  ) 9<"$PWD"
}
build_alone() {
  local directory=$1 options=() log status=0
  shift
  while (($#)) && [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  (($# == 0)) || shift
  # The faster linkers. Where ccache is, meson finds it; it keeps objects made with headers compiled beforehand where it may take a macro's
  # name and a header's time for what they were, and reads which headers an object was made of in what the compiler wrote: otherwise it
  # preprocesses every file once more before it is compiled for the first time.
  local linker
  for linker in gold lld; do
    if [[ -z ${CC_LD:-} ]] && command -v "ld.$linker" >/dev/null; then export CC_LD=$linker; fi
  done
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros} CCACHE_DEPEND=${CCACHE_DEPEND:-1}
  options=(-Dpch=true -Dtogether=engine,app,ui,tests "${options[@]}")
  if cvode_came "$directory" "${options[@]}"; then
    echo "SUNDIALS came after $directory was configured: configuring again, and compiling what uses it" >&2
  fi
  log=$(mktemp)
  configure "$directory" "${options[@]}" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  ninja -C "$directory" "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; status=1; }
  rm -f "$log"
  return $status
}
# The optional library came after DIR was configured without it.
cvode_came() {
  local directory=$1
  shift
  [[ "$*" != *cvode=disabled* && -f /usr/include/cvodes/cvodes.h && ! -f $directory/cvode-does-not-fit ]] &&
    grep -qs SS_HAVE_CVODE=0 "$directory/build.ninja"
}
configure() {
  local directory=$1
  shift
  if [[ ! -f $directory/build.ninja ]]; then
    [[ ! -d $directory/meson-private ]] || rm -rf "$directory" # configuring ended half-way
    meson setup "$directory" "$@"
  elif cvode_came "$directory" "$@"; then
    # What was compiled stays; the compiler is asked anew, which no command of meson 1.0 does: its answers are in coredata.dat. What was
    # asked for when the folder was configured is asked for again.
    local asked=()
    mapfile -t asked < <(sed -n '/^\[options\]/,/^\[properties\]/s/^\([a-z0-9_.:]*\) = \(.*\)$/-D\1=\2/p' "$directory/meson-private/cmd_line.txt" |
      grep -v '^-Dbuildtype=')
    rm -f "$directory/meson-private/coredata.dat"
    meson setup "$directory" "${asked[@]}" -Dcvode=auto "$@" || return 1
    ! grep -q SS_HAVE_CVODE=0 "$directory/build.ninja" || touch "$directory/cvode-does-not-fit" # another version
  fi
}
