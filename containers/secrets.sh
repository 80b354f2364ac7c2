#!/bin/sh
# Makes what compose.yaml has as secrets: passwords, and URLs that contain them. Passwords that are there are kept.
set -eu
cd "$(dirname "$0")/.."
mkdir -p -m 700 .secrets
for name in postgres owner app valkey; do
    file=".secrets/${name}_password"
    [ -s "$file" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' > "$file"
done
url() { printf '%s' "$2" > ".secrets/$1"; }
url owner_database_url "postgresql://remembrancer_owner:$(cat .secrets/owner_password)@postgres:5432/remembrancer"
url database_url "postgresql://remembrancer_app:$(cat .secrets/app_password)@postgres:5432/remembrancer"
url redis_url "redis://:$(cat .secrets/valkey_password)@valkey:6379/0"
# Containers read them as users of their own; others on this machine do not get into the folder.
chmod 644 .secrets/*
