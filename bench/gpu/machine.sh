# machine.sh - what the machine has: its processor and glibc, the libraries of programs, and devices.
# shellcheck shell=bash disable=SC2154

# Ends the script if the programs cannot run here. The file about says for what they were built.
require_machine() {
  here=$(getconf GNU_LIBC_VERSION 2>/dev/null)
  here=${here#glibc }
  if [[ $(uname -m) != "$architecture" ]]; then
    echo "these programs are for $architecture, and this machine is $(uname -m)" >&2
    exit 2
  fi
  if [[ $(printf '%s\n' "$glibc" "$here" | sort -V | head -n 1) != "$glibc" ]]; then
    echo "these programs need glibc $glibc or later, and here is ${here:-none}" >&2
    exit 2
  fi
}

# Prints the names of libraries that programs lack here, or that are here in a version that is too old for them.
lacking() {
  local program library
  for program in "$folder"/bin/*; do
    LD_TRACE_LOADED_OBJECTS=1 "$program" 2>&1 |
      sed -n -e 's/^\t\(.*\) => not found/\1/p' -e "s/^.*\/\([^/]*\): version .* not found.*/\1/p"
  done
  # What drivers load has no program that is linked to it.
  for library in "$folder"/spare/*; do
    LD_PRELOAD=${library##*/} LD_TRACE_LOADED_OBJECTS=1 "$clothc" 2>&1 |
      sed -n "s/^.*object '\([^']*\)' from LD_PRELOAD cannot.*/\1/p"
  done
}

# Of the libraries that came along, uses only those that are lacking: drivers of the machine may need newer ones. Sets
# spare to their names.
use_libraries() {
  local library
  export LD_LIBRARY_PATH=$folder/lib:$temporary${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  for library in $(lacking | sort -u); do
    [[ ! -e $folder/spare/$library ]] || ln -s "$folder/spare/$library" "$temporary/"
  done
  spare=$(ls "$temporary")
}

# Prints a line for each device: backend, whether it is available, name, reason, and whether it is a software device.
list_devices() {
  "$clothc" info --json |
    sed -n 's/^ *"\(backend\|available\|name\|reason\|software_device\)": "\?\(.*[^",]\|\)"\?,\?$/\1\t\2/p' |
    awk -F '\t' '
      $1 == "backend" { if (line) print line; line = $2; next }
      { line = line "\t" $2 }
      END { print line }'
}

# Sets devices to these lines. If there is a GPU with a Vulkan driver, software devices are hidden.
find_devices() {
  devices=$(list_devices)
  if grep -q $'^vulkan\ttrue\t.*\tfalse$' <<<"$devices"; then
    export VK_LOADER_DRIVERS_DISABLE='*lvp*,*swiftshader*'
    devices=$(list_devices)
  fi
}

# why_not BACKEND: says why a backend has no device, or nothing if it has one.
why_not() {
  awk -F '\t' -v backend="$1" '
    $1 == backend && $2 == "true" { is_here = 1 }
    $1 == backend { reason = $4 }
    END { if (!is_here) print reason ? reason : "this build has no such backend" }' <<<"$devices"
}

# name_of BACKEND: the name of its first device.
name_of() { awk -F '\t' -v backend="$1" '$1 == backend { print $3; exit }' <<<"$devices"; }
