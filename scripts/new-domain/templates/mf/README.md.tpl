# mf-{{name}}

The {{title}} screens, a remote of the shell.

| address | screen | who |
|---|---|---|
| `/dash/{{name}}` | entries, and a form for a new one (`src/entries`) | {{audience}} |

- What the shell has to know (pages, who may open them, menu entries) is in `remote.config.ts`; it reaches the shell through
  the registry, so that neither shell nor gateway is changed for it.
- Calls are those of svc-{{name}} (`@clinic/svc-{{name}}/contract`), with their types.

`npm run build -w mf-{{name}}` builds it alone; a running shell takes the new version at the next reload. A new one is
found once the gateway knows where it is: `REMOTES=…,mf-{{name}}=http://mf-{{name}}:8080`.
