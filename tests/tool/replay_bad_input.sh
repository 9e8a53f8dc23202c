#!/bin/sh
# replay_bad_input.sh CLOTHC: checks that `clothc replay` passes correct references, fails wrong ones, and names what it
# cannot read.
set -eu
clothc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/rest.json

# Two particles 1 m apart at rest with one constraint. The bytes of 1.0f are 00 00 80 3f.
zero='\000\000\000\000' one='\000\000\200\077'
# Offset 0: particles, previous particles and expected particles.
printf "$zero$zero$zero$one$one$zero$zero$one" >"$folder/rest.bin"
# Offset 32: indices; 40: rest value; 44: phase set.
printf "$zero\001\000\000\000$one$zero" >>"$folder/rest.bin"
# Offset 48: set end.
printf '\001\000\000\000' >>"$folder/rest.bin"
write_valid() {
  cat >"$file" <<'JSON'
{"format":"clothref-1","name":"rest","bin":"rest.bin","frames":2,"dt":[0.0166666675,0],"output_frames":[1,2],
"inter_collision":null,"judge":{"tolerance":[2e-5,null],"aggregate":null},"cloths":[{"num_particles":2,
"particles":{"offset":0,"dtype":"f4","shape":[2,4]},"particles_previous":null,
"fabric":{"phase_indices":{"offset":44,"dtype":"u4","shape":[1]},"sets":{"offset":48,"dtype":"u4","shape":[1]},
"rest_values":{"offset":40,"dtype":"f4","shape":[1]},"indices":{"offset":32,"dtype":"u4","shape":[1,2]},
"stiffness_values":null,"tether_anchors":null,"tether_lengths":null,"triangles":null,"phase_types":[1]},
"phase_configs":[{"phase_index":0,"stiffness":1,"stiffness_multiplier":1,"compression_limit":1,"stretch_limit":1}],
"params":{"gravity":[0,0,0],"damping":[0,0,0],"solver_frequency":240,"stiffness_frequency":10,"drag_coefficient":0},
"initial_pose":null,"capsules":[],"convex_masks":[],"virtual_particles":null,"frame_inputs":[],
"outputs":{"scalar":{"1":{"current":{"offset":0,"dtype":"f4","shape":[2,4]}},
"2":{"current":{"offset":0,"dtype":"f4","shape":[2,4]}}}}}]}
JSON
}

# expect STATUS TEXT [OPTION]: checks the exit status and the text that the output or the message must contain.
expect() {
  status=0
  output=$("$clothc" replay --backend cpu "$file" ${3:-} 2>&1) || status=$?
  case $output in
    *"$2"*) ;;
    *) status="$status without '$2'" ;;
  esac
  if [ "$status" != "$1" ]; then
    echo "expected status $1 and '$2', got status $status:"
    echo "$output"
    exit 1
  fi
}

# mutate PATTERN REPLACEMENT: writes the valid file with its first match on any line replaced.
mutate() {
  write_valid
  cp "$file" "$file.valid"
  sed "s|$1|$2|" "$file.valid" >"$file"
  if cmp -s "$file" "$file.valid"; then
    echo "nothing to replace for $1"
    exit 1
  fi
}

write_valid
expect 0 '1 passed'
expect 0 '"pass": true' --json

mutate '"gravity":\[0,0,0\]' '"gravity":[0,-9.81,0]' && expect 1 'FAIL'
mutate '"drag_coefficient":0' '"self_collision_distance":[0.5,1]' && expect 2 'self_collision_distance has 2 components'
mutate '"inter_collision":null' '"inter_collision":{"distance":1}' && expect 2 'stiffness'
mutate '"inter_collision":null' '"inter_collision":{"distance":1,"stiffness":1,"iterations":1,"filter":"some"}' && expect 1 'needs inter-collision filter "some"'
expect 0 'skipped' --skip-unsupported
mutate '"frame_inputs":\[\]' '"frame_inputs":[{"frame":0,"levitation":1}]' && expect 1 'levitation'
mutate '"frame_inputs":\[\]' '"frame_inputs":[{"frame":0,"ops":[{"op":"levitate"}]}]' && expect 1 'needs operation "levitate"'

mutate '"dt":\[0.0166666675,0\]' '"dt":[0.0166666675]' && expect 2 'dt is'
mutate 'clothref-1' 'clothref-9' && expect 2 'clothref-1'
mutate '"bin":"rest.bin"' '"bin":"absent.bin"' && expect 2 'absent.bin'
mutate '"bin":"rest.bin"' '"bin":"../rest.bin"' && expect 2 'same folder'
mutate '"num_particles":2' '"num_particles":3' && expect 2 'rows'
mutate '"num_particles":2' '"num_particles":-1' && expect 2 'num_particles'
mutate '"offset":40' '"offset":60' && expect 2 'beyond the .bin'
mutate '"offset":40' '"offset":1e30' && expect 2 'beyond the .bin'
mutate '"offset":40' '"offset":-4' && expect 2 'offset'
mutate '"offset":32,"dtype":"u4","shape":\[1,2\]' '"offset":40,"dtype":"u4","shape":[1,2]' && expect 2 'want below 2'
mutate '"shape":\[1,2\]' '"shape":[1000000000,1000000000]' && expect 2 'elements'
mutate '"dtype":"f4","shape":\[1\]' '"dtype":"f8","shape":[1]' && expect 2 'dtype'
mutate '"phase_index":0' '"phase_index":7' && expect 2 'phase_index'
mutate '"stiffness":1,' '"stiffness":7,' && expect 2 'stiffness'
mutate '"output_frames":\[1,2\]' '"output_frames":[2,1]' && expect 2 'ascending'
mutate '"tolerance":\[2e-5,null\]' '"tolerance":[2e-5]' && expect 2 'tolerance'
mutate '"frame_inputs":\[\]' '"frame_inputs":[{"frame":9}]' && expect 2 'frame'
mutate '"capsules":\[\]' '"capsules":[0]' && expect 2 'pairs'
mutate '"capsules":\[\]' '"capsules":[0,1,2,2]' && expect 2 'two different spheres'
mutate '"capsules":\[\]' '"capsules":[0,-1]' && expect 2 "capsules[1]"
mutate '"cloths":\[' '"cloths":null,"ignored":[' && expect 2 'cloths'
mutate '"format"' 'format' && expect 2 'not valid JSON'
rm "$file" && expect 2 'cannot be read'
