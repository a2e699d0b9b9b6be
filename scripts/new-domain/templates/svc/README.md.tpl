# svc-{{name}}

The {{title}} service: entries of {{audience}}, in its own database.

| call | who |
|---|---|
| `GET /{{name}}/entries` | {{audience}} |
| `POST /{{name}}/entries` (takes `Idempotency-Key`) | {{audience}} |
| `GET /{{name}}/export?email=` | the person, admins |
| `POST /{{name}}/erasure` (how far a deletion has got; erases nothing) | the person, admins |

- The calls are in `src/contract/calls.ts`, one entry each: who may make it, what goes in, what comes out. It is the only source
  of path, access rule and types; a missing handler is a compile error.
- Every field of a record is declared in `src/personal-data/personal-records.ts`: what a deletion does with it (kept, emptied, removed) and its name
  in the copy of a person's data. A new field doesn't compile without. A deletion that is started in svc-identity
  waits until this service has erased the person (`erase` in `src/service.ts`); it takes part from its first start, without further configuration.
- It publishes its own paths; the gateway routes them once it has the service's address:
  `SERVICES=…,{{name}}=http://svc-{{name}}:4000`.

It has the settings of every service (packages/service-kit/README.md), with `MONGODB_DATABASE={{database}}`.

    npm test -w svc-{{name}}      # real sockets, real database

## In containers

`docker-compose.{{name}}.yml` runs service and pages together with `docker-compose.yml`; its first lines list the three settings it needs in
`.env`. The service has its own database user, which can read and write the database `{{database}}` and nothing else:

- The demo's password is in `deploy/`, and rejected outside demo mode. Create a real installation's once, with the others:
  `openssl rand -hex 32 > secrets/mongo-{{name}} && chmod 444 secrets/mongo-{{name}}`.
- `docker/database-user.sh {{name}}` creates the user while the database is running, and updates its password if that has changed. With the embedded
  database (demos only), which has no users, it says what `.env` needs instead.
