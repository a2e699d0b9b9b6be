#!/bin/bash
# Health check of the database. mongosh costs a second of processor time, so it runs only until it has seen a primary once
# in the container's life. From then on a connection to the database is enough.
set -eu
seen=${TMPDIR:-/tmp}/primary-seen
port=${MONGO_PORT:-27017}
if [ -e "$seen" ]; then exec 3<>"/dev/tcp/127.0.0.1/$port"; exit 0; fi
mongosh --quiet --norc "mongodb://127.0.0.1:$port/?directConnection=true" --file /health.js
touch "$seen"
