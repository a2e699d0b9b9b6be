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
  in the copy of a person's data. A new field doesn't compile without.
- It publishes its own paths; the gateway routes them once it has the service's address.

Its settings are those of every service (README of `@clinic/service-kit`). It can't do without these:

| variable | what |
|---|---|
| `PORT` | where it listens; the image has 4000 |
| `MONGODB_URI`, `MONGODB_DATABASE={{database}}` | a replica set; the service needs a user that can read and write this database and nothing else |
| `IDENTITY_URL` | the clinic's svc-identity |
| `INTERNAL_SECRET_FILE` | file with the clinic's secret for internal calls |

    npm test -w svc-{{name}}      # real sockets, real database
