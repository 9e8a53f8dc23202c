#!/bin/sh
# replay_motion.sh CLOTHC: checks that `clothc replay` moves coordinate frames, tests sleep and sets separation
# constraints as FORMAT.md says. Two particles at rest without gravity stay where they are if and only if the inputs
# have no effect on them.
set -eu
clothc=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/rest.json

# Two particles 1 m apart. The bytes of 1.0f are 00 00 80 3f, those of 2.0f are 00 00 00 40.
zero='\000\000\000\000' one='\000\000\200\077' two='\000\000\000\100'
# Offset 0: particles and expected particles.
printf "$zero$zero$zero$one$one$zero$zero$one" >"$folder/rest.bin"
# Offset 32: a separation constraint, and an empty one.
printf "$one$zero$zero$two$zero$zero$zero$zero" >>"$folder/rest.bin"

# replay STATUS TEXT INPUTS [POSE] [PARAMETERS] [OUTPUT] [DT OF FRAME 0]: checks the exit status and the text that the
# output must contain.
replay() {
  cat >"$file" <<JSON
{"format":"clothref-1","name":"rest","bin":"rest.bin","frames":2,"dt":[${7:-0.0166666675},0.0166666675],"output_frames":[2],
"inter_collision":null,"judge":{"tolerance":[1e-5],"aggregate":null},"cloths":[{"num_particles":2,
"particles":{"offset":0,"dtype":"f4","shape":[2,4]},"particles_previous":null,
"fabric":{"phase_indices":{"offset":0,"dtype":"u4","shape":[0]},"sets":{"offset":0,"dtype":"u4","shape":[0]},
"rest_values":{"offset":0,"dtype":"f4","shape":[0]},"indices":{"offset":0,"dtype":"u4","shape":[0,2]},
"stiffness_values":null,"tether_anchors":null,"tether_lengths":null,"triangles":null,"phase_types":[]},
"phase_configs":[],"params":{"gravity":[0,0,0],"solver_frequency":240,"stiffness_frequency":10${5:-}},
"initial_pose":${4:-null},"capsules":[],"convex_masks":[],"virtual_particles":null,"frame_inputs":[$3],
"outputs":{"scalar":{"2":{"current":{"offset":0,"dtype":"f4","shape":[2,4]}${6:-}}}}}]}
JSON
  status=0
  output=$("$clothc" replay --backend cpu "$file" 2>&1) || status=$?
  case $output in
    *"$2"*) ;;
    *) status="$status without '$2'" ;;
  esac
  if [ "$status" != "$1" ]; then
    echo "inputs $3: expected status $1 and '$2', got status $status:"
    echo "$output"
    exit 1
  fi
}
op() { echo "\"ops\":[{\"op\":\"$1\",\"args\":[${2:-}]}]"; }
there='"translation":[1,0,0]' turned='"rotation":[0,0,0.6,0.8]'
pose='{"translation":[1,0,0],"rotation":[0,0,0.6,0.8]}'

replay 0 '1 passed' ''
# The particles feel an acceleration of the frame, unless its inertia is cleared, ignored or scaled to 0.
replay 1 FAIL "{\"frame\":0,$there}"
replay 1 FAIL "{\"frame\":0,$turned}"
for name in clear_inertia_after clear_inertia ignore_velocity_discontinuity_after ignore_velocity_discontinuity; do
  replay 0 '1 passed' "{\"frame\":0,$there,$turned,$(op $name)}"
done
replay 0 '1 passed' "{\"frame\":0,$there}" null ',"linear_inertia":[0,0,0]'
replay 1 FAIL "{\"frame\":0,$there}" null ',"linear_inertia":[0.5,0,0]'
replay 0 '1 passed' "{\"frame\":0,$turned}" null ',"angular_inertia":[0,0,0],"centrifugal_inertia":[0,0,0]'
replay 1 FAIL "{\"frame\":0,$turned}" null ',"angular_inertia":[0,0,0]'
# The frame's initial pose is not a motion, and components that a target omits stay unchanged.
replay 0 '1 passed' "{\"frame\":0,$there}" "$pose"
replay 0 '1 passed' "{\"frame\":1,$turned}" "$pose"
replay 1 FAIL '{"frame":0,"translation":[0,0,0]}' "$pose"
replay 1 FAIL '{"frame":1,"rotation":[0,0,0,1]}' "$pose"
# Teleports move the pose and the target, either by a distance or to a position.
replay 0 '1 passed' "{\"frame\":0,$(op teleport 1,0,0)}"
replay 0 '1 passed' "{\"frame\":0,$(op teleport 1,0,0),$there}"
replay 1 FAIL "{\"frame\":0,$(op teleport 2,0,0),$there}"
replay 0 '1 passed' "{\"frame\":0,$(op teleport 0,3,0)},{\"frame\":1,\"translation\":[1,3,0]}" "$pose"
replay 0 '1 passed' "{\"frame\":1,$(op teleport_to_location 1,0,0,0,0,0.6,0.8),$there,$turned}"
replay 1 FAIL "{\"frame\":1,$(op teleport_to_location 1,0,0,0,0,0.6,0.8),\"translation\":[0,0,0]}"
replay 2 'want 3 numbers' "{\"frame\":0,$(op teleport 1,0)}"
replay 2 'want 7 numbers' "{\"frame\":0,$(op teleport_to_location 1,0,0)}"
replay 2 'want 3' '{"frame":0,"translation":[1,0]}'
replay 2 rotation '{"frame":0,"rotation":[0,0,0,2]}'
# An update without time leaves the frame where it is, and the motion to its target stays pending.
replay 1 FAIL "{\"frame\":0,$there}" null '' '' 0
replay 0 '1 passed' "{\"frame\":0,$there},{\"frame\":1,\"translation\":[0,0,0]}" null '' '' 0
replay 0 '1 passed' "{\"frame\":0,$there},{\"frame\":1,$(op teleport 1,0,0),$there}" null '' '' 0

# Linear drag removes part of a constant velocity, which without drag has no effect.
replay 1 FAIL "{\"frame\":0,$there},{\"frame\":1,\"translation\":[2,0,0]}" null \
  ',"linear_inertia":[0,0,0],"linear_drag":[0.5,0,0]'
replay 0 '1 passed' "{\"frame\":0,$there},{\"frame\":1,\"translation\":[2,0,0]}" null ',"linear_inertia":[0,0,0]'

# Separation constraints push particles out until the constraints are cleared.
separation='"separation_target":{"offset":32,"dtype":"f4","shape":[2,4]}'
replay 1 FAIL "{\"frame\":0,$separation}"
replay 0 '1 passed' "{\"frame\":0,$separation,\"clear_separation\":true}"
replay 2 'separation_target beside' "{\"frame\":0,\"separation_start\":{\"offset\":32,\"dtype\":\"f4\",\"shape\":[2,4]}}"

# There are 8 iterations of 4 ms and a test every 10 ms, so there are three tests, which resting particles pass.
sleep=',"sleep_threshold":0.1,"sleep_test_interval":10,"sleep_after_count"'
seen() { echo ",\"sleep_pass_count\":$1,\"asleep\":$2"; }
replay 0 '1 passed' '' null "$sleep:3" "$(seen 3 true)"
replay 0 '1 passed' '' null "$sleep:4" "$(seen 3 false)"
replay 1 'sleep: 3 asleep, want 3' '' null "$sleep:3" "$(seen 3 false)"
replay 1 'sleep: 3, want 2!' '' null "$sleep:4" "$(seen 2 false)"
replay 2 'sleep_pass_count' '' null "$sleep:4"
# A setter that changes a value wakes the cloth; one that does not change it does not.
replay 1 'sleep: 2, want 3!' '{"frame":1,"set":{"friction":0.5}}' null "$sleep:4" "$(seen 3 false)"
replay 0 '1 passed' '{"frame":1,"set":{"stiffness_frequency":10}}' null "$sleep:4" "$(seen 3 false)"
