#!/bin/sh
# Starts the database as a replica set. MongoDB insists on a key file that nobody else may read, so copy it with that mode.
set -eu
secrets=${SECRETS_FOLDER:-/run/secrets}
if [ "${DEMO_MODE:-}" != true ] && grep -Eiqs 'demo-?only' "$secrets"/*; then
  echo "mongo: these are the demo secrets, which everyone can read: outside demo mode they must be your own (docker/make-secrets.sh makes them, SECRETS_DIR names their folder)" >&2
  exit 1
fi
install -m 400 "$secrets/mongo-keyfile" "${TMPDIR:-/tmp}/keyfile"
exec docker-entrypoint.sh mongod --replSet rs0 --keyFile "${TMPDIR:-/tmp}/keyfile" --bind_ip_all \
  --setParameter transactionLifetimeLimitSeconds=15 --wiredTigerCacheSizeGB "${MONGO_CACHE_GB:-0.5}"
