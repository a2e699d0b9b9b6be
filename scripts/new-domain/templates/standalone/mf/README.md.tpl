# mf-{{name}}

The {{title}} screens, a remote of the clinic's shell.

| address | screen | who |
|---|---|---|
| `/dash/{{name}}` | entries, and a form for a new one (`src/entries`) | {{audience}} |

- `remote.config.ts` has what the shell needs to know (pages, who may open them, menu entries). The shell gets it through
  the registry, so neither shell nor gateway has to change.
- What it adds to other domains' pages are its `slots` there: an appointment, an order, a medicine, My Account, the overview's
  figures (`SlotProps` of app-kit has them all). The file of each default-exports a `defineSlotModule` and imports `setup.ts`.
- It uses the calls of svc-{{name}} (`@clinic/svc-{{name}}/contract`), with their types.
