# list.sh - the steps, in order of importance: whether results are right comes first, then what frames cost, then all
# tests. A kind of steps is a function, which gets the backend to check; it is short where the variable quick is set.
# shellcheck shell=bash disable=SC2154
cases=(mixed200 capsules50_ccd virtual50 convex50 triangles50_450 self50 layers2x2500 every50)
# docs/cuda.md has goals for the first two of these, and for what follows in waited_for: one garment, and the time of
# calls.
measured=(many10000x1000 sheet1000 sheet50 sheet250 garment5k many64x1000 many1000x1000 capsules50 self50
          triangles50_10000)
waited_for=(capes1 cloths1x100 cloths100x100 cloths10000x100)
frames=60
# Without these, drivers keep what they have compiled, and later starts are quick.
no_caches=(env __GL_SHADER_DISK_CACHE=0 CUDA_CACHE_DISABLE=1 MESA_SHADER_CACHE_DISABLE=true)

# Says what machine this is.
machine() {
  uname -srm
  sed -n 's/^PRETTY_NAME="\?\([^"]*\)"\?/\1/p' /etc/os-release
  sed -n '/^model name/{s/.*: //p;q}' /proc/cpuinfo
  echo "glibc $here, libraries that this machine lacks: ${spare//$'\n'/ }"
  ! command -v nvidia-smi >/dev/null || timeout 10 nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv
}

verification() {
  if "$clothc" info --help | grep -- --verify >/dev/null; then
    step verification 60 "$clothc" info --verify ${quick:+--backend cpu}
  else
    absent verification 'this clothc has no info --verify'
  fi
}

# golden BACKEND: compares with the committed hashes. What it prints before the end of its time is kept.
golden() {
  local scene
  for scene in "${golden_scenes[@]}"; do
    step "golden-$1-$scene" 90 stdbuf -oL "$folder/bin/clothc_golden" "$folder/golden.txt" ${quick:+--quick} \
      --backend "$1" --scene "$scene"
  done
}
# The same with snapshots that are handed from CUDA to Vulkan and back.
handovers() {
  local scene
  for scene in "${golden_scenes[@]}"; do
    step "handovers-$scene" 90 stdbuf -oL "$folder/bin/clothc_golden" "$folder/golden.txt" --handovers --scene "$scene"
  done
}

# compare NAME BACKEND CASE [VARIABLE=VALUE]: compares hashes with those of the processor.
compare() {
  step "$1" 60 env "${@:4}" "$clothc" compare "$3" --backends "cpu,$2" --isas auto --threads 2 --frames "$frames"
}
scene() {
  local case
  for case in "${scenes[@]}" "${cases[@]}"; do compare "scene-$1-$(basename "$case" .json)" "$1" "$case"; done
}
# This variable makes NVIDIA's driver refuse native code.
ptx() {
  local case
  for case in "${scenes[@]}" "${cases[@]}"; do
    compare "ptx-$1-$(basename "$case" .json)" "$1" "$case" CUDA_FORCE_PTX_JIT=1
  done
}

references() {
  local schedule
  for schedule in cloth pass; do
    step "references-$1-$schedule" 60 "$clothc" replay --json --skip-unsupported --backend "$1" --schedule "$schedule" \
      "${reference_files[@]}"
  done
}

# same_errors NAME NAME: compares what two steps have replayed, each with the errors of its references. What names the
# backend is left out.
same_errors() {
  awk '
    FNR == 1 { name = "" }
    /^   "name"/ { name = $2; gsub(/[",]/, "", name); names[name] }
    !/"backend"/ { text[FILENAME, name] = text[FILENAME, name] $0 }
    END {
      for (name in names) {
        ++count
        if (text[ARGV[1], name] != text[ARGV[2], name]) different = different " " name
      }
      printf "%d references, with other errors than on the processor: %s\n", count, different ? different : "none"
      exit different != "" || count == 0
    }' "$output/logs/$1.log" "$output/logs/$2.log"
}
errors() {
  local schedule
  for schedule in cloth pass; do
    [[ $1-$schedule == cpu-cloth || ! -e $output/logs/references-$1-$schedule.log ]] ||
      step "errors-$1-$schedule" 10 same_errors references-cpu-cloth "references-$1-$schedule"
  done
}

# Native kernels against the scalar code, on the device whatever the library thinks of it.
dialect() {
  local filter='Kernels.vulkan*:Kernels.*_device_that_divides_wrongly:Division.*:Probes.*everywhere'
  [[ ! $quick ]] || filter='Probes.*everywhere'
  shards "dialect-$1" 3 120 "$folder/bin/clothc_dialect_tests" --gtest_filter="$filter"
}

api() {
  local filter="*$1*" count
  count=$(nproc)
  [[ ! $quick ]] || filter="*Handles*$1*:*Buffers*$1*"
  shards "api-$1" "$count" 240 "$folder/bin/clothc_api_tests" --gtest_filter="$filter"
}

# The tests of single backends: streams, and what programs do with a driver beside clothc.
backend() {
  local filter='*'
  step "internal-$1" 120 "$folder/bin/clothc_internal_tests" --gtest_filter="*${quick:+StreamTest}*$1*"
  case $1 in
    cuda)
      [[ ! $quick ]] || filter='CudaWrapping.*:CudaCapture.*'
      # The two that are left out make mistakes on purpose, which may end the process.
      local mistakes='CudaAdoption.loses*:CudaAdoption.refuses_what*'
      step programs-cuda 120 "$folder/bin/clothc_cuda_tests" --gtest_filter="$filter-$mistakes"
      [[ $quick ]] || step mistakes-cuda 60 "$folder/bin/clothc_cuda_tests" --gtest_filter="$mistakes"
      ;;
    vulkan)
      filter='Adoption.*:Recording.*:VulkanSharing.*:VulkanFences.*:VulkanWrapping.*:VulkanPreparation.*:*Overheads*'
      [[ ! $quick ]] || filter='VulkanSharing.*'
      # The fault layer counts the calls of the library.
      shards programs-vulkan 4 120 env VK_LAYER_PATH="$folder/layers" VK_INSTANCE_LAYERS=VK_LAYER_CLOTHC_faults \
        "$folder/bin/clothc_vulkan_tests" --gtest_filter="$filter"
      ;;
  esac
}

sanitizer() {
  local tool kind case schedule
  tool=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
  [[ $tool ]] || { absent sanitizer-cuda 'there is no compute-sanitizer; the CUDA toolkit has it'; return; }
  for kind in memcheck racecheck initcheck synccheck; do
    for case in flag towels; do
      for schedule in cloth pass; do
        step "sanitizer-cuda-$kind-$case-$schedule" 60 "$tool" --tool "$kind" --error-exitcode 1 \
          "$clothc" sim "$folder/scenes/$case.json" --backend cuda --schedule "$schedule" --frames 2
      done
    done
  done
}

bench() {
  local case options=(--repetitions 9)
  [[ ! $quick ]] || options=(--repetitions 5 --frames 8)
  for case in "${measured[@]}"; do
    step "bench-$1-$case" 30 "$clothc" bench "$case" --backend "$1" --json "${options[@]}"
  done
  for case in "${waited_for[@]}"; do
    step "bench-$1-$case-waited" 30 "$clothc" bench "$case" --wait --backend "$1" --json "${options[@]}"
  done
}

# The second start loads what the first one has saved.
start() {
  local kind case name
  [[ ! $quick || $1 == "${backends[0]}" ]] || return 0
  for case in "${started[@]}"; do
    name=$1-$(basename "$case" .json)
    for kind in cold cached; do
      step "start-$name-$kind" 60 "${no_caches[@]}" "$clothc" bench "$case" --start --backend "$1" --json \
        --frames "$frames" --cache "$temporary/$name.cache"
    done
  done
}

# on BACKEND KIND: lists this kind of steps for a backend.
on() {
  local reason
  reason=$(why_not "$1")
  if [[ $reason ]]; then absent "$2-$1" "$reason"; else "$2" "$1"; fi
}
# everywhere KIND...: lists these kinds of steps for both backends.
everywhere() {
  local kind
  for kind in "$@"; do
    on cuda "$kind"
    on vulkan "$kind"
  done
}

replay() {
  local backend
  if ((${#reference_files[@]} == 0)); then
    absent references 'they were not packed'
    return
  fi
  references cpu
  everywhere references
  wait
  for backend in cpu "${backends[@]}"; do errors "$backend"; done
}

list_steps() {
  local scenes=("$folder"/scenes/*.json) reference_files=("$folder"/references/*.json) started
  local golden_scenes=()
  started=("$folder/scenes/flag.json" "$folder/scenes/skirt.json")
  [[ -e ${reference_files[0]} ]] || reference_files=()
  mapfile -t golden_scenes <<<"$(cut -d ' ' -f 1 "$folder/golden.txt" | uniq)"
  if [[ $quick ]]; then
    golden_scenes=(flag) frames=8 scenes=() cases=(sheet50) measured=() waited_for=(sheet50)
    reference_files=("${reference_files[@]:0:2}") started=(sheet50)
  fi
  places=$(nproc)
  step machine 20 machine
  verification
  everywhere golden
  if ((${#backends[@]} == 2)) && [[ ! $quick ]]; then
    handovers
  fi
  everywhere scene
  on cuda ptx
  replay
  on vulkan dialect
  wait
  # Nothing runs beside what is measured.
  places=1
  everywhere bench start
  wait
  places=$(nproc)
  everywhere api backend
  on cuda sanitizer
  wait
}
