#!/bin/sh
# Writes a backup of both databases, the data folder and what they need to be checked into a new folder: sh deploy/backup.sh FOLDER
# Reads CLOB_DATABASE_URL, DATABASE_URL and, for uploads, DATA_DIR. The deployment goes on meanwhile.
# KEY_RING is not in it, on purpose: keep it elsewhere. Without it the members' stored credentials cannot be opened.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
umask 077
folder="${1%/}"
[ ! -e "$folder" ] || { echo "$folder is there already: nothing was changed" >&2; exit 1; }
: "${DATABASE_URL:?must be set}" "${CLOB_DATABASE_URL:?must be set}"
# Under its name only when it is whole: half a backup looks like one.
half="$folder.half"
mkdir "$half"
trap 'rm -rf "$half"' EXIT
trap 'exit 1' HUP INT TERM
# The platform first: it may then know less than the exchange, which its jobs make up for, but never more.
pg_dump --format=custom --no-owner --file="$half/platform.dump" "$DATABASE_URL"
pg_dump --format=custom --no-owner --file="$half/clob.dump" "$CLOB_DATABASE_URL"
if [ -n "${DATA_DIR:-}" ] && [ -d "$DATA_DIR/uploads" ]; then
  # 1: something was uploaded meanwhile, which changes the folder. Whether the archive is whole is looked at.
  tar -C "$DATA_DIR" -cf "$half/uploads.tar" uploads || [ $? -eq 1 ] || exit 2
  tar -tf "$half/uploads.tar" > /dev/null
fi
(cd "$half" && sha256sum ./* > SHA256SUMS)
mv "$half" "$folder"
if [ -n "${DATA_DIR:-}" ]; then echo "wrote $folder"; else echo "wrote $folder, without uploads: DATA_DIR is not set"; fi
