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

"$clothc" replay --backend cpu "$folder"/*.json
