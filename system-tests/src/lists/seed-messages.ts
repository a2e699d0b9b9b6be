import { ObjectId } from 'mongodb';
import { messageKinds, messageStatuses } from '../../../svc-messages/src/contract/kinds.ts';
import { messagesOf, recipientWords, type MessageRecord } from '../../../svc-messages/src/ledger/message-record.ts';
import { mailboxOf } from '../../../svc-messages/src/mailbox/mail-record.ts';
import { deliveriesOf, webhooksOf } from '../../../svc-messages/src/webhooks/webhook-record.ts';
import { userIdOf } from '../../../svc-identity/src/users/user-record.ts';
import { people, type ThreeServices } from '../support/three-services.ts';
import { moment, name, numbers } from './seed-values.ts';

/** The webhook whose deliveries are listed. */
export const webhookOfDeliveries = new ObjectId();

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

/** Of a record in another domain. */
const idOf = (domain: string, at: number): string => `${domain.repeat(23)}${at}`;

/** Recipient, and what finds them. */
const addressed = (to: MessageRecord['to']) => ({ to, words: recipientWords(to) });

/** Later than any test: nothing is sent meanwhile. */
const never = new Date('2999-01-01T00:00:00Z');

/** Fills the lists of svc-messages. */
export async function seedMessages({ identity, messages: db }: ThreeServices['databases']): Promise<void> {
  const admin = (await userIdOf({ db: identity }, people.admin.email)) ?? '';
  await messagesOf({ db }).insertMany(
    numbers.map((at) => ({
      _id: new ObjectId(),
      key: `list:${at}`,
      kind: pick(messageKinds, at),
      ...addressed(
        at % 2
          ? { account: admin, email: people.admin.email }
          : { email: `person${at % 9}@letters.example`, name: name(at / 2) },
      ),
      ...(at % 3 === 0 && { visit: idOf('a', at % 9) }),
      data: at % 3 === 1 ? { order: { id: idOf('b', at % 7) } } : {},
      status: pick(messageStatuses, Math.floor(at / 3)),
      lane: 0 as const,
      dueAt: moment(at),
      nextAttemptAt: never,
      attempts: 0,
      messageId: `<${at}@clinic.example>`,
      createdAt: moment(at),
    })),
  );
  await mailboxOf({ db }).insertMany(
    numbers.map((at) => ({
      _id: new ObjectId(),
      to: `person${at % 5}@letters.example`,
      from: 'clinic@clinic.example',
      subject: `Mail ${at}`,
      messageId: `<${at}@clinic.example>`,
      receivedAt: moment(at),
      text: 'Text',
      attachments: [],
    })),
  );
  await seedWebhooks(db, numbers, moment);
}

async function seedWebhooks(
  db: ThreeServices['databases']['messages'],
  numbers: readonly number[],
  moment: (at: number) => Date,
): Promise<void> {
  const webhooks = numbers.map((at) => ({
    _id: at === 0 ? webhookOfDeliveries : new ObjectId(),
    url: `http://127.0.0.1:1/${at}`,
    kinds: [],
    enabled: false,
    secrets: [],
    createdAt: moment(at),
  }));
  await webhooksOf({ db }).insertMany(webhooks);
  await deliveriesOf({ db }).insertMany(
    numbers.map((at) => ({
      _id: new ObjectId(),
      webhook: at % 4 === 3 ? (webhooks[at]?._id ?? webhookOfDeliveries) : webhookOfDeliveries,
      event: `clinic ${at}`,
      type: 'order-placed',
      body: '{}',
      status: pick(['delivered', 'failed'] as const, at),
      attempts: 1,
      nextAttemptAt: never,
      createdAt: moment(at),
    })),
  );
}
