#!/bin/bash
# Health check of the database. mongosh takes a second of processor time: it makes the replica set and sees its primary
# once in the life of the container; from then on it is enough that the database takes connections.
set -eu
seen=${TMPDIR:-/tmp}/primary-seen
port=${MONGO_PORT:-27017}
if [ -e "$seen" ]; then exec 3<>"/dev/tcp/127.0.0.1/$port"; exit 0; fi
mongosh --quiet --norc "mongodb://127.0.0.1:$port/?directConnection=true" --file /health.js
touch "$seen"
