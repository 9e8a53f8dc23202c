# report.sh - makes the report and the archive of what the steps have left.
# shellcheck shell=bash disable=SC2154

# field NAME FILE: the first value of that name in a JSON document as the tool prints it, or nothing if it is null.
field() { sed -n 's/^ *"'"$1"'": "\?\([^",]*\)"\?,\?$/\1/p' "$2" | head -n 1 | sed 's/^null$//'; }

# short_number NUMBER [UNIT]: the number with four digits after the point, or nothing if there is none.
short_number() { [[ ! $1 ]] || printf '%.4f%s' "$1" "${2:+ $2}"; }

# Prints a table of the measurements, if there are any.
figures() {
  local log files=("$output"/logs/bench-*.log)
  grep -q ms_per_frame "${files[@]}" 2>/dev/null || return 0
  printf '\nFrames are waited for where the time of their calls is given; the queue is full for others.\n\n'
  echo '| case | backend | particles | iterations | ms per frame | us in calls | ns per constraint | hash |'
  echo '|---|---|---|---|---|---|---|---|'
  for log in "${files[@]}"; do
    grep -q ms_per_frame "$log" || continue
    printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "$(field case "$log")" "$(field backend "$log")" \
      "$(field particles "$log")" "$(field iterations "$log")" "$(short_number "$(field ms_per_frame "$log")")" \
      "$(short_number "$(field us_in_call "$log")")" "$(short_number "$(field ns_per_constraint "$log")")" \
      "$(field hash "$log")"
  done
}

# The same of first uses.
starts() {
  local log kind files=("$output"/logs/start-*.log)
  grep -q ready_ms "${files[@]}" 2>/dev/null || return 0
  printf '\nFirst uses in ms, without the caches of drivers; the program loads its own cache where it says so.\n\n'
  echo '| scene | backend | | first frame after | worst later | median |'
  echo '|---|---|---|---|---|---|'
  for log in "${files[@]}"; do
    grep -q ready_ms "$log" || continue
    kind=${log##*-}
    printf '| %s | %s | %s | %.1f | %.2f | %.3f |\n' "$(field scene "$log")" "$(field backend "$log")" "${kind%.log}" \
      "$(field ready_ms "$log")" "$(field worst_ms "$log")" "$(field median_ms "$log")"
  done
}

# count STATE: how many steps ended so.
count() { awk -F '\t' -v state="$1" '$2 == state { ++count } END { print count + 0 }' "$output"/table/*; }

# excerpt FILE: what failed in a test program, or the end of another output.
excerpt() {
  if grep -q ': Failure$' "$1"; then grep -A 5 ': Failure$' "$1" | head -n 24; else tail -n 12 "$1"; fi | cut -c 1-200
}

# What went wrong.
failures() {
  local name state seconds _ log
  cat "$output"/table/* | while IFS=$'\t' read -r name state seconds _; do
    [[ $state == failed || $state == 'timed out' ]] || continue
    printf '\n## %s\n\n%s after %s s.\n\n```\n' "$name" "$state" "$seconds"
    for log in "$output/logs/$name".{log,err}; do [[ ! -s $log ]] || excerpt "$log"; done
    echo '```'
  done
}

page() {
  local backend device=${1:-no GPU}
  printf '# %s\n\nChecked and measured by `./dev gpu` on %s, commit %s, in %d of %d s.\n\n' "$device" \
    "$(date -u '+%Y-%m-%d %H:%M UTC')" "$commit" "$SECONDS" "$deadline"
  for backend in cuda vulkan; do
    printf -- '- %s: %s\n' "$backend" "$(why_not "$backend" | grep . || name_of "$backend")"
  done
  [[ ! -e $output/logs/machine.log ]] || sed 's/^/- /' "$output/logs/machine.log"
  printf -- '- steps: %d passed, %d failed, %d timed out, %d skipped, %d absent, %d not run\n' "$(count passed)" \
    "$(count failed)" "$(count 'timed out')" "$(count skipped)" "$(count absent)" "$(count 'not run')"
  printf '\n| step | | s | |\n|---|---|---|---|\n'
  awk -F '\t' '{ bold = $2 == "failed" || $2 == "timed out" ? "**" : ""
                 printf "| %s | %s%s%s | %s | %s |\n", $1, bold, $2, bold, $3, $4 }' "$output"/table/*
  figures
  starts
  failures
}

# Writes gpu-NAME.md and gpu-NAME.tar.gz to the output folder, and ends the script: with 0 if there is a GPU and no step
# failed.
write_report() {
  local device name
  if ((step_count == 0)); then
    echo "no step's name begins with ${chosen[*]}; the steps are ${all_names[*]}" >&2
    exit 2
  fi
  device=$(name_of "${backends[0]:-none}")
  name=gpu-$(tr '[:upper:]' '[:lower:]' <<<"${device:-none}" | sed -e 's/[^a-z0-9]\+/-/g' -e 's/-$//')
  page "$device" >"$output/$name.md"
  tar -C "$output" -czf "$output/$name.tar.gz" "$name.md" logs
  printf '\n%s\n%s\n' "$output/$name.md" "$output/$name.tar.gz"
  grep '^- steps' "$output/$name.md"
  (($(count failed) + $(count 'timed out') == 0 && ${#backends[@]} > 0))
  exit
}
