#!/bin/sh
# Brings a backup into two empty databases: sh deploy/restore.sh FOLDER
# Reads CLOB_DATABASE_URL, DATABASE_URL and, for uploads, DATA_DIR. Stop every program first. Orders of the time after the backup are gone:
# the exchange notices, refuses to write, and starts after `npm run accept-restored`, which says how much is missing.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
: "${DATABASE_URL:?must be set}" "${CLOB_DATABASE_URL:?must be set}"
(cd "$1" && sha256sum --check --quiet SHA256SUMS)
[ ! -f "$1/uploads.tar" ] || : "${DATA_DIR:?must be set: the backup has uploads}"
for url in "$CLOB_DATABASE_URL" "$DATABASE_URL"; do
  tables=$(psql --no-psqlrc --tuples-only --no-align -c "select count(*) from pg_tables where schemaname = 'public'" "$url")
  [ "$tables" = 0 ] || { echo "a database is not empty: nothing was changed" >&2; exit 1; }
done
# What may fail and leaves both databases as they are comes first.
if [ -f "$1/uploads.tar" ]; then mkdir -p "$DATA_DIR" && tar -C "$DATA_DIR" -xf "$1/uploads.tar"; fi
pg_restore --exit-on-error --single-transaction --no-owner --dbname="$CLOB_DATABASE_URL" "$1/clob.dump"
pg_restore --exit-on-error --single-transaction --no-owner --dbname="$DATABASE_URL" "$1/platform.dump" || {
  echo "the exchange's database is filled, the platform's is not: make both anew, empty, and restore again" >&2
  exit 1
}
echo "restored; next: accept-restored, then start the exchange, then the rest (docs/operations/backup.md says how)"
