#!/bin/sh
# Writes deploy/.env with the secrets of a new deployment: sh deploy/make-env.sh site.example.org exchange.example.org
# Keep a copy where the databases' backups are not: without KEY_RING the stored credentials of members are lost.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 SITE_HOST EXCHANGE_HOST" >&2; exit 2; }
case "$1$2" in
*[!a-z0-9.-]*) echo "a host is a-z, 0-9, dots and hyphens, such as site.example.org: no https:// before it, no path" >&2 && exit 2 ;;
esac
[ "$1" != "$2" ] || { echo "the site and the exchange need a host each" >&2; exit 2; }
file="$(dirname "$0")/.env"
[ ! -e "$file" ] || { echo "$file is there already: its secrets are in use" >&2; exit 1; }
umask 077
random() { openssl rand -hex "$1"; }
random 1 > /dev/null # what fails within the text below ends nothing: the secrets would be empty
cat > "$file.new" <<END
SITE_HOST=$1
EXCHANGE_HOST=$2
ORIGIN=https://$1
PUBLIC_CLOB_URL=https://$2
POSTGRES_PASSWORD=$(random 24)
CLOB_DATABASE_PASSWORD=$(random 24)
DATABASE_PASSWORD=$(random 24)
KEY_RING=1:$(random 32)
API_KEY_SECRET=$(random 32)
PROOF_KEY_RING=$(random 32)
SCHEDULER_SECRET=$(random 32)
PLATFORM_WALLET_KEY=0x$(random 32)
SETTLER_WALLET_KEY=0x$(random 32)
# Wallets, comma-separated. The address of PLATFORM_WALLET_KEY belongs into the two lists of the exchange, and with SETTLEMENT=chain that of
# SETTLER_WALLET_KEY into VENUE_ADDRESSES:
# docker compose -f deploy/compose.yaml run --rm --no-deps -w /augury/packages/settings worker \\
#   node -p "require('viem/accounts').privateKeyToAddress(process.env.PLATFORM_WALLET_KEY)"
ADMIN_WALLETS=
VENUE_ADDRESSES=
OPERATOR_ADDRESSES=
CHAIN_ID=137
END
mv "$file.new" "$file"
echo "wrote $file"
