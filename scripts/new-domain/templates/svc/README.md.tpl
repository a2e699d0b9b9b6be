# svc-{{name}}

The {{title}} service: entries of {{audience}}, in a database of its own.

| call | who |
|---|---|
| `GET /{{name}}/entries` | {{audience}} |
| `POST /{{name}}/entries` (takes `Idempotency-Key`) | {{audience}} |

- The calls are in `src/contract`: `routes.ts` is what browsers know, `schemas.ts` what the service validates. Path, access
  rule and types come from there alone; a handler that is missing is a compile error.
- It publishes its paths itself; the gateway routes them once it knows where the service is:
  `SERVICES=…,{{name}}=http://svc-{{name}}:4000`.

Settings are those of every service (packages/service-kit/README.md), with `MONGODB_DATABASE={{database}}`.

    npm test -w svc-{{name}}      # real sockets, real database

## In containers

`docker-compose.{{name}}.yml` beside `docker-compose.yml` runs service and pages; its first lines say which three settings it wants in
`.env`. The service has a user of the database of its own, who may read and write the database `{{database}}` and nothing else:

- A demo's password is in `deploy/`, and refused outside of demo mode. A real installation's is made once, beside the others:
  `openssl rand -hex 32 > secrets/mongo-{{name}} && chmod 444 secrets/mongo-{{name}}`.
- `docker/database-user.sh {{name}}` makes the user while the database runs, and gives it a new password when that has changed.
- With the embedded database (demos only), which knows no users, `docker-compose.{{name}}.yml` comes last in `COMPOSE_FILE`, and `.env` says
  `MONGODB_URI=mongodb://mongo:27017/?replicaSet=rs0`, `MONGODB_USER=` and `MONGODB_PASSWORD_FILE=`, the last two empty.
