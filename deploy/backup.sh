#!/bin/sh
# Writes a backup of both databases, the data folder and what they need to be checked into a new folder: sh deploy/backup.sh FOLDER
# Reads CLOB_DATABASE_URL, DATABASE_URL and, for uploads, DATA_DIR. The deployment goes on meanwhile.
# KEY_RING is not in it, on purpose: keep it elsewhere. Without it the members' stored credentials cannot be opened.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
umask 077
mkdir "$1"
# The platform first: it may then know less than the exchange, which its jobs make up for, but never more.
pg_dump --format=custom --no-owner --file="$1/platform.dump" "$DATABASE_URL"
pg_dump --format=custom --no-owner --file="$1/clob.dump" "$CLOB_DATABASE_URL"
if [ -n "${DATA_DIR:-}" ] && [ -d "$DATA_DIR/uploads" ]; then tar -C "$DATA_DIR" -cf "$1/uploads.tar" uploads; fi
(cd "$1" && sha256sum ./* > SHA256SUMS)
echo "wrote $1"
