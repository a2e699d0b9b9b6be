import { joinCalls } from '@clinic/contracts/calls';
import { defineService, once } from '@clinic/service-kit';
import { {{camel}}Routes } from './contract/routes.ts';
import { {{camel}}Schemas } from './contract/schemas.ts';
import { addEntry, listEntries } from './entries/entries.ts';

/** The {{name}} service: its own calls (`src/contract`), its own database. */
export const {{camel}}Service = defineService({
  name: '{{name}}',
  calls: joinCalls({{camel}}Routes, {{camel}}Schemas),
  settings: {},
  indexes: { entries: [{ key: { writtenAt: -1, _id: -1 } }] },
  handlers: (context) => ({
    list{{Name}}Entries: ({ query }) => listEntries(context, query),
    add{{Name}}Entry: (request) => once(context, request, (session) => addEntry(context, session, request)),
  }),
});
