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
