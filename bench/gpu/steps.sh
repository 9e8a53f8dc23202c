# steps.sh - carries out steps: each has a name, a time limit and a command, and leaves its output and one line of a
# table. Several steps run at once. What would begin after the end of the budget is not run.
# Invariant: run sets output (a folder), places (how many steps run at once), deadline (in seconds of the script) and
# chosen (beginnings of names; none = all) before the first step.
# shellcheck shell=bash disable=SC2154
step_count=0
all_names=()

# note STATE SECONDS TEXT: adds the line of the current step to the table.
note() { printf '%s\t%s\t%s\t%s\n' "$name" "$1" "$2" "$3" >"$output/table/$number"; }

# Returns what the table says of a step: the counts of a test program, or the last line.
said() {
  local log=$output/logs/$name
  if grep -q '^\[==========\] Running' "$log.log"; then
    awk '
      /^\[==========\] Running/ { total = $3 }
      /^\[ RUN      \]/ { current = $4; next }
      /^\[       OK \].* ms\)$/ { ++passed; current = "" }
      /^\[  SKIPPED \].* ms\)$/ { ++skipped; current = "" }
      /^\[  FAILED  \].* ms\)$/ { ++failed; current = ""; which = which " " $4 }
      END {
        printf "%d of %d tests passed", passed, total
        if (skipped) printf ", %d skipped", skipped
        if (failed) printf ", %d failed:%s", failed, which
        left = total - passed - skipped - failed
        if (left) printf ", %d did not end", left
        if (current) printf ", the first of them %s", current
      }' "$log.log"
  elif [[ $1 != passed && -s $log.err ]]; then
    tail -n 1 "$log.err"
  elif [[ $(head -c 1 "$log.log") == '{' ]]; then
    short_number "$(field ms_per_frame "$log.log")$(field ready_ms "$log.log")" ms
  else
    tail -n 1 "$log.log"
  fi | tr '\t|' '  ' | cut -c 1-400
}

# carry_out LIMIT COMMAND...: runs a command and notes how it ended. What the script itself does has no limit.
carry_out() {
  local left=$((deadline - SECONDS)) limit=$1 begin=$EPOCHREALTIME seconds status=0 state log=$output/logs/$name
  shift
  if ((left <= 0)); then
    note 'not run' '' 'the time was over'
    return
  fi
  ((limit < left)) || limit=$left
  if declare -F "$1" >/dev/null; then
    "$@" >"$log.log" 2>"$log.err" </dev/null || status=$?
  else
    timeout -k 2 "$limit" "$@" >"$log.log" 2>"$log.err" </dev/null || status=$?
  fi
  seconds=$(awk -v begin="$begin" -v end="$EPOCHREALTIME" 'BEGIN { printf "%.1f", end - begin }')
  case $status in
    0) state=$(grep -q '^\[==========\] Running 0 tests' "$log.log" && echo failed || echo passed) ;;
    77) state=skipped ;;
    124 | 137) state='timed out' ;;
    *) state=failed ;;
  esac
  [[ -s $log.err ]] || rm -f "$log.err"
  note "$state" "$seconds" "$(said "$state")"
  printf '%-32s %-9s %6s s  %s\n' "$name" "$state" "$seconds" "$(said "$state" | cut -c 1-120)"
}

# Returns whether the step called name is wanted, or part of it, and keeps the name.
is_chosen() {
  local beginning
  all_names+=("$name")
  ((${#chosen[@]})) || return 0
  for beginning in "${chosen[@]}"; do
    [[ $name != "$beginning"* && $beginning != "$name"-* ]] || return 0
  done
  return 1
}

# step NAME LIMIT COMMAND...: runs a command beside those before it, when there is a place for it.
step() {
  local name=$1 number
  shift
  is_chosen || return 0
  printf -v number %03d $((++step_count))
  while (($(jobs -rp | wc -l) >= places)); do wait -n || true; done
  # The shell would tell of processes that were killed.
  carry_out "$@" 2>/dev/null &
}

# Ends the commands of all steps that run. The child of a step is timeout, which passes the signal on.
end_steps() {
  local job
  for job in $(jobs -rp); do
    # shellcheck disable=SC2046
    kill $(cat "/proc/$job/task/$job/children") 2>/dev/null
  done
}

# absent NAME REASON: notes a step for which something is missing.
absent() {
  local name=$1 number
  is_chosen || return 0
  printf -v number %03d $((++step_count))
  note absent '' "$2"
  printf '%-32s absent: %s\n' "$name" "$2"
}

# tests_of COMMAND...: prints the names of the tests that a test program would run.
tests_of() {
  local left=$((deadline - SECONDS))
  timeout -k 2 $((left < 20 ? left : 20)) "$@" --gtest_list_tests 2>/dev/null | awk '/^[^ ]/ { suite = $1; next } { print suite $1 }'
}

# shards NAME COUNT LIMIT COMMAND...: runs a test program in that many parts, each with every COUNT-th test. The
# variables of GoogleTest that do so would go to the programs that tests start, too.
shards() {
  local name=$1 most=$2 limit=$3 count k tests flags
  shift 3
  is_chosen || return 0
  if ((SECONDS >= deadline)); then
    step "$name" "$limit" "$@"
    return
  fi
  tests=$(tests_of "$@")
  count=$(wc -l <<<"$tests")
  ((count < most)) || count=$most
  for ((k = 0; k < count; ++k)); do
    flags=$temporary/$name-$k
    awk -v count="$count" -v k="$k" 'NR % count == (k + 1) % count { list = list ":" $0 }
      END { print "--gtest_filter=" substr(list, 2) }' <<<"$tests" >"$flags"
    step "$(printf '%s-%0*dof%d' "$name" ${#count} $((k + 1)) "$count")" "$limit" "$@" --gtest_flagfile="$flags"
  done
}
