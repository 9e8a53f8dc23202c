#!/bin/sh
# replay_open.sh CLOTHC [FOLDER]: checks that the library agrees with the open references of every stage that it has.
# Exits with 77 (skipped) if the references are missing.
set -eu
clothc=$1
folder=${2:-$(cd "$(dirname "$0")/../../.." && pwd)/shared/reference/open}
if [ ! -d "$folder" ]; then
  echo "skipped: no references at $folder"
  exit 77
fi

"$clothc" replay --backend cpu "$folder"/*.json
