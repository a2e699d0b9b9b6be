#!/bin/sh
# Creates the database user of an added domain, or resets its password to the one in its secret. The database keeps running.
#
#   docker/database-user.sh lab-results
set -eu
cd "$(dirname "$0")/.."
case ${1-} in
  '' | *[!a-z0-9-]*) echo 'usage: docker/database-user.sh NAME, as in svc-NAME' >&2; exit 2 ;;
esac
config=$(docker compose config)
# The user that the service signs in with; nothing if there is no such service.
user=$(printf '%s\n' "$config" | awk -v name="svc-$1:" '/^[a-z]/ { inside = /^services:/ } inside && /^  [^ ]/ { mine = $1 == name } inside && mine && sub(/^      MONGODB_USER: */, "user ")')
if [ -z "$user" ]; then
  echo "There is no service svc-$1 with a database: is docker-compose.$1.yml in COMPOSE_FILE?" >&2
  exit 1
fi
if printf '%s\n' "$config" | grep -q MONGO_EMBEDDED_PRIVATE_NETWORK; then
  if [ "$user" = 'user ""' ]; then
    echo "The embedded database has no users: svc-$1 needs none, and nothing was changed."
    exit 0
  fi
  echo "The embedded database has no users. For svc-$1 add to .env, the last two empty:

MONGODB_URI=mongodb://mongo:27017/?replicaSet=rs0
MONGODB_USER=
MONGODB_PASSWORD_FILE=" >&2
  exit 1
fi
if [ -z "$(docker compose ps --quiet --status running mongo)" ]; then
  echo 'The container mongo is not running: start it first (docker compose up -d --wait mongo), or, if MONGODB_URI names your own database, create the user there.' >&2
  exit 1
fi
secret=$(printf '%s\n' "$config" | awk -v name="mongo-$1:" '/^secrets:/ { inside = 1; next } /^[a-z]/ { inside = 0 } inside && /^  [^ ]/ { mine = $1 == name } inside && mine && sub(/^ *file: /, "")')
if [ ! -f "$secret" ]; then
  echo "There is no secret mongo-$1: was the password made (svc-$1/README.md)?" >&2
  exit 1
fi
docker compose exec -T mongo mongosh --quiet --norc 'mongodb://127.0.0.1:27017/?directConnection=true' \
  --eval "const user = '$1'; $(cat docker/mongo/create-user.js)" <"$secret"
