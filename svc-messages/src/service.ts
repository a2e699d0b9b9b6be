import { joinCalls } from '@clinic/contracts/calls';
import { defineService, erasureHandler, noteLooks, once } from '@clinic/service-kit';
import { messagesRoutes } from './contract/routes.ts';
import { messagesSchemas } from './contract/schemas.ts';
import { addEntry, listEntries } from './entries/entries.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';

/** The messages service: its own calls (`src/contract`), its own database. */
export const messagesService = defineService({
  name: 'messages',
  calls: joinCalls(messagesRoutes, messagesSchemas),
  settings: {},
  indexes: { entries: [{ key: { writtenAt: -1, _id: -1 } }, { key: { authorId: 1 } }, { key: { author: 1 } }] },
  handlers: (context) => ({
    listMessagesEntries: ({ query }) => listEntries(context, query),
    addMessagesEntry: (request) => once(context, request, (session) => addEntry(context, session, request)),
    exportMessagesData: async (request) => {
      const {
        query: { email },
        caller,
      } = request;
      return noteLooks(context).exported(request, 'entries', exportPerson(context, email, caller), { email });
    },
    eraseMessagesData: erasureHandler(context, ({ body }, until) => erasePerson(context, body, until)),
  }),
});
