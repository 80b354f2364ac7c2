#!/bin/sh
# Puts the database of a backup in place of the present one, which is kept under another name until you drop it, and
# brings its schema up to date: sh containers/restore.sh FILE
set -eu
file="${1:?name the file to read}"
before="remembrancer_before_$(date -u +%Y%m%d%H%M%S)"
in_postgres() { docker compose exec -T postgres "$@"; }
sql() { in_postgres psql --username=postgres --dbname=postgres --quiet --set=ON_ERROR_STOP=1 --command="$1"; }
sql "DROP DATABASE IF EXISTS remembrancer_restored WITH (FORCE)"
sql "CREATE DATABASE remembrancer_restored OWNER remembrancer_owner TEMPLATE template0"
in_postgres pg_restore --username=postgres --dbname=remembrancer_restored --exit-on-error < "$file"
docker compose stop api worker
sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'remembrancer'"
sql "ALTER DATABASE remembrancer RENAME TO $before"
sql "ALTER DATABASE remembrancer_restored RENAME TO remembrancer"
docker compose run --rm migrate
# What caches hold is of the other database.
docker compose run --rm task restored
docker compose up --detach --wait api worker
echo "The database of before is $before"
