import { historyCarriesAccounts, type SchemaChange } from '@clinic/service-kit';
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
];
