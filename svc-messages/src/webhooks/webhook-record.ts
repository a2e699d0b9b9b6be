import type { VisitInMessage } from '@clinic/contracts/outbox/entries';
import type { Collection, Db, ObjectId } from 'mongodb';
import type { Webhook, WebhookDelivery } from '../contract/webhook-calls.ts';

/** A webhook's secret. The previous one stays valid for a day, so that the receiver has time to switch. */
interface WebhookSecret {
  /** `whsec_` and 32 bytes in base64, encrypted; see webhook-secrets.ts. */
  readonly value: string;
  /** When it stops signing; absent: it is the current one. */
  readonly until?: Date;
}

/** An integrator's address that receives events. */
export interface WebhookRecord {
  readonly _id: ObjectId;
  readonly url: string;
  /** Kinds of events; empty: all. */
  readonly kinds: readonly string[];
  readonly enabled: boolean;
  readonly secrets: readonly WebhookSecret[];
  readonly createdAt: Date;
}

/** What an event says of a visit. */
export type StatedVisit = Pick<VisitInMessage, 'id' | 'status' | 'date' | 'time' | 'sequence'>;

/** A delivery of an event to a webhook: ids and times, nobody's name. */
export interface DeliveryRecord {
  readonly _id: ObjectId;
  readonly webhook: ObjectId;
  /** Source and entry: the `webhook-id`, unique per webhook. */
  readonly event: string;
  readonly type: string;
  readonly body: string;
  /** The visit as the event says, if staff could take that back until it was due; see `isTakenBack`. */
  readonly visit?: StatedVisit;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  /** While it is pending, when the next attempt may start; while a replica sends it, when another may take over. */
  readonly nextAttemptAt: Date;
  readonly lease?: string;
  readonly createdAt: Date;
  readonly endedAt?: Date;
  /** HTTP status of the last response. */
  readonly lastStatus?: number;
  readonly lastError?: string;
}

export const webhooksOf = ({ db }: { readonly db: Db }): Collection<WebhookRecord> => db.collection('webhooks');
export const deliveriesOf = ({ db }: { readonly db: Db }): Collection<DeliveryRecord> =>
  db.collection('webhookDeliveries');

/** A webhook in its wire shape, without its secrets. */
export function toWebhook({ _id, url, kinds, enabled, createdAt }: WebhookRecord): Webhook {
  return {
    _id: _id.toHexString(),
    url,
    kinds: [...kinds] as Webhook['kinds'],
    enabled,
    createdAt: createdAt.toISOString(),
  };
}

/** A delivery in its wire shape. */
export function toDelivery(record: DeliveryRecord): WebhookDelivery {
  const { _id, event, type, body, status, attempts, nextAttemptAt, createdAt, endedAt, lastStatus, lastError } = record;
  return {
    _id: _id.toHexString(),
    event,
    type,
    body,
    status,
    attempts,
    createdAt: createdAt.toISOString(),
    ...(status === 'pending' && { nextAttemptAt: nextAttemptAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    ...(lastStatus !== undefined && { lastStatus }),
    ...(lastError !== undefined && { lastError }),
  };
}

/** Days for which deliveries can be read and replayed. */
const keptDays = 30;

export const webhookIndexes = {
  webhooks: [{ key: { createdAt: -1, _id: -1 } }, { key: { url: 1 }, unique: true }],
  webhookDeliveries: [
    { name: 'event_once', key: { webhook: 1, event: 1 }, unique: true },
    { name: 'queue', key: { webhook: 1, status: 1, nextAttemptAt: 1 } },
    { key: { lease: 1 }, partialFilterExpression: { lease: { $exists: true } } },
    { key: { webhook: 1, createdAt: -1, _id: -1 } },
    { key: { webhook: 1, status: 1, createdAt: -1, _id: -1 } },
    { name: 'age', key: { createdAt: 1 }, expireAfterSeconds: keptDays * 86_400 },
  ],
} as const;
