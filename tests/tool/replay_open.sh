#!/bin/sh
# The open references of every stage the library has agree with it: replay_open.sh CLOTHC [FOLDER]
# Exits with 77 (skipped) where the references are not there.
set -eu
clothc=$1
folder=${2:-$(cd "$(dirname "$0")/../../.." && pwd)/shared/reference/open}
if [ ! -d "$folder" ]; then
  echo "skipped: no references at $folder"
  exit 77
fi

set --
for family in integrate_ particle_accelerations_ phase_ tether_ motion_ friction_ convex_ attachment_writes_ cooked_flag_ \
  frequency_change_ wind_ local_ teleport_ separation_ sleep_ sphere_ capsule_ mass_scale_ triangles_ virtual_particles_; do
  for file in "$folder/$family"*.json; do
    set -- "$@" "$file"
  done
done
"$clothc" replay --backend cpu "$@"

# Nothing that asks for more is taken for a pass.
status=0
"$clothc" replay --backend cpu "$folder/selfcollision_pairs_a.json" || status=$?
[ "$status" -eq 1 ]
"$clothc" replay --backend cpu --skip-unsupported "$folder/selfcollision_pairs_a.json"
