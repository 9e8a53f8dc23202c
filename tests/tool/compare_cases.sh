#!/bin/sh
# compare_cases.sh CLOTHC: checks that a scene has the same hash with all threads, schedules and instruction sets.
set -eu
clothc=$1
output=$("$clothc" compare sheet50 tether50 --frames 20 --threads 1,2,7,16 --json)
case $output in
  *'"equal": true'*) ;;
  *) echo "$output"; exit 1 ;;
esac
case $output in
  *'cpu/scalar/cloth/1'*'cpu/scalar/pass/16'*) ;;
  *) echo "configurations are missing: $output"; exit 1 ;;
esac
# Wind, and a cloth in a moving frame.
output=$("$clothc" compare wind50 scenes/banner.json --frames 20 --threads 1,2 --json)
case $output in
  *'"equal": true'*'"equal": true'*'"equal": true'*) ;;
  *) echo "$output"; exit 1 ;;
esac
# Colliders of every kind.
output=$("$clothc" compare capsules50_ccd virtual50 convex50 triangles50_450 --frames 20 --threads 1,2 --json)
case $output in
  *'"equal": true'*'"equal": true'*'"equal": true'*'"equal": true'*'"equal": true'*) ;;
  *) echo "$output"; exit 1 ;;
esac
status=0
message=$("$clothc" compare sheet50 --frames 1 --isas abacus 2>&1) || status=$?
case $status/$message in
  2/*abacus*) ;;
  *) echo "want exit code 2 and a message, got $status: $message"; exit 1 ;;
esac
