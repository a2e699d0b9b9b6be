import { historyCarriesAccounts, rewriteRecords, type SchemaChange } from '@clinic/service-kit';
import { ofAddress } from './links/link-validity.ts';
import { messagesOf, recipientWords } from './ledger/message-record.ts';
import type { MessagesContext } from './settings.ts';
import { sealSecrets } from './webhooks/webhook-secrets.ts';

/** Data migrations of the `messages` database, in order. */
export const schemaChanges: readonly SchemaChange[] = [
  {
    number: 1,
    name: 'secrets of webhooks are encrypted',
    up: async (context) => {
      // Always this service's context: its changes run nowhere else.
      await sealSecrets(context as MessagesContext);
    },
  },
  // Whose message it was may have changed since: only the actor is certain.
  historyCarriesAccounts(2, () => Promise.resolve(new Map())),
  {
    number: 3,
    name: 'messages are found by the words of their recipients’ names and addresses',
    up: async (context) => {
      await rewriteRecords(context, messagesOf(context), ['to'], ({ to }) => ({ words: recipientWords(to) }));
    },
  },
  {
    number: 4,
    name: 'addresses have no locks',
    up: async ({ db }) => {
      // Unsubscribing an address without an account made one, which no deletion finds.
      await db.collection<{ _id: string }>('persons').deleteMany({ _id: { $gte: ofAddress, $lt: 'address;' } });
    },
  },
];
