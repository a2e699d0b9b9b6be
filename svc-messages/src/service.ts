import {
  defineService,
  about,
  erasureHandler,
  exportedPerson,
  internalSecret,
  listLooks,
  SettingsError,
} from '@clinic/service-kit';
import { followAddress, joinMessages } from './accounts/follow-address.ts';
import { noteBounce } from './bounces/note-bounce.ts';
import { messagesCalls } from './contract/calls.ts';
import { openDelivery } from './delivery/open-delivery.ts';
import { indexes } from './indexes.ts';
import { takeOutboxes } from './intake/take-outboxes.ts';
import { wordsFiller } from './ledger/fill-words.ts';
import { messageHandlers } from './ledger/message-handlers.ts';
import { linkGuards } from './links/link-guards.ts';
import { linkHandlers } from './links/link-handlers.ts';
import { mailboxHandlers } from './mailbox/mailbox-handlers.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';
import { preferencesHandlers } from './preferences/preferences-handlers.ts';
import { EventDelivery } from './webhooks/deliver-events.ts';
import { webhookHandlers } from './webhooks/webhook-handlers.ts';
import { keysOf, sealSecrets, webhookBox } from './webhooks/webhook-secrets.ts';
import { schemaChanges } from './schema-changes.ts';
import { messagesSettings } from './settings.ts';

/** The messages service: collects other services' messages to people, and delivers them. */
export const messagesService = defineService({
  name: 'messages',
  calls: messagesCalls,
  settings: messagesSettings,
  checkSettings: (settings) => {
    const { MESSAGE_CHANNEL, MESSAGE_FOLDER } = settings;
    // First, as in every service: the shared secret.
    internalSecret(settings);
    webhookBox(settings);
    if (MESSAGE_CHANNEL === 'file' && MESSAGE_FOLDER === undefined)
      throw new SettingsError(
        'MESSAGE_FOLDER is not set: it must be a folder if MESSAGE_CHANNEL is file, for example MESSAGE_FOLDER=/var/lib/messages',
      );
  },
  indexes,
  schemaChanges,
  erase: (context) => (deletion, until) => erasePerson(context, deletion, until),
  guards: linkGuards,
  onStart: async (context) => {
    if (keysOf(context.settings).length > 1)
      context.log.info({ webhooks: await sealSecrets(context) }, 'secrets of webhooks encrypted with the new key');
    void wordsFiller(context).run();
    const delivery = await openDelivery(context);
    const events = new EventDelivery(context);
    const ended = Promise.all([delivery?.run(), events.run()]);
    takeOutboxes(context, () => {
      delivery?.wake();
      events.wake();
    });
    return { delivery, events, ended };
  },
  joinRecords: joinMessages,
  onAccount: (context) => followAddress(context),
  onStop: async (_context, { ended }) => {
    await ended;
  },
  retention: ({ settings }) => [
    {
      what: 'messages',
      collection: 'messages',
      keptDays: settings.MESSAGES_KEPT_DAYS,
      over: (before) => [{ endedAt: { $lt: before } }],
    },
  ],
  handlers: (context, { delivery, events }) => ({
    ...messageHandlers(context, () => delivery?.wake()),
    ...preferencesHandlers(context),
    ...mailboxHandlers(context),
    ...linkHandlers(context),
    ...webhookHandlers(context, () => events.wake()),
    noteBounce: noteBounce(context),
    listMessagesLooks: ({ query, caller }) => listLooks(context, query, caller, { email: query.email }),
    exportMessagesData: async ({ query, caller }) => {
      const person = await exportedPerson(context, query.email, caller, query.userId);
      return about(person, exportPerson(context, person));
    },
    eraseMessagesData: erasureHandler(context),
  }),
});
