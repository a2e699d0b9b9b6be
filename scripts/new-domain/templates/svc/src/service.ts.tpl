import { about, defineService, erasureHandler, exportedPerson, listLooks, once } from '@clinic/service-kit';
import { {{camel}}Calls } from './contract/calls.ts';
import { addEntry, listEntries } from './entries/entries.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';

/** The {{name}} service: its own calls (`src/contract`), its own database. */
export const {{camel}}Service = defineService({
  name: '{{name}}',
  calls: {{camel}}Calls,
  settings: {},
  indexes: { entries: [{ key: { writtenAt: -1, _id: -1 } }, { key: { authorId: 1 } }, { key: { author: 1 } }] },
  erase: (context) => (deletion, until) => erasePerson(context, deletion, until),
  handlers: (context) => ({
    list{{Name}}Entries: ({ query }) => listEntries(context, query),
    add{{Name}}Entry: (request) => once(context, request, (session) => addEntry(context, session, request)),
    export{{Name}}Data: async ({ query, caller }) => {
      const person = await exportedPerson(context, query.email, caller, query.userId);
      return about(person, exportPerson(context, person));
    },
    list{{Name}}Looks: ({ query, caller }) => listLooks(context, query, caller, { email: query.email }),
    erase{{Name}}Data: erasureHandler(context),
  }),
});
