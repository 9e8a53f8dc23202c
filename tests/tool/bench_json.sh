#!/bin/sh
# bench_json.sh CLOTHC: checks that a benchmark prints its measurements and a hash that `clothc compare` reproduces.
set -eu
clothc=$1
output=$("$clothc" bench sheet50 --repetitions 5 --frames 8 --json)
for key in machine yardsticks edge_ns triad_gb_per_s add_ns case backend threads particles constraints iterations \
  ms_per_frame ns_per_particle_iteration ns_per_constraint particle_iteration_in_e constraint_in_e max_stretch hash; do
  case $output in
    *"\"$key\":"*) ;;
    *) echo "no $key in $output"; exit 1 ;;
  esac
done
value() { echo "$output" | sed -n "s/^ *\"$1\": \"\{0,1\}\([0-9a-z.]*\)\"\{0,1\},\{0,1\}\$/\1/p"; }
[ "$(value particles)" = 2500 ]
[ "$(value iterations)" = 4 ]
hash=$(value hash)
frames=$(value hash_frame)
"$clothc" compare sheet50 --frames "$frames" --isas scalar --schedules pass --threads 2 | grep "$hash"

for case in wind50 tether50; do
  output=$("$clothc" bench $case --repetitions 5 --frames 8 --json)
  [ "$(value case)" = $case ]
  [ "$(value particles)" = 2500 ]
  [ "$(value hash)" != "$hash" ]
  "$clothc" compare $case --frames "$(value hash_frame)" --isas scalar --schedules pass --threads 2 |
    grep "$(value hash)"
done

status=0
message=$("$clothc" bench sheets 2>&1) || status=$?
case $status/$message in
  2/*sheet50*) ;;
  *) echo "want exit code 2 and the names of the cases, got $status: $message"; exit 1 ;;
esac
