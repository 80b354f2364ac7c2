#!/bin/sh
# Writes the whole database to a file, while the service runs: sh containers/backup.sh FILE
set -eu
file="${1:?name the file to write}"
docker compose exec -T postgres pg_dump --username=postgres --format=custom remembrancer > "$file.partial"
mv "$file.partial" "$file"
