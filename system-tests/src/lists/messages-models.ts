import { addDays, clinicInstant, clinicMoment, type CallId } from '@clinic/contracts';
import { messageKinds, messageStatuses } from '../../../svc-messages/src/contract/kinds.ts';
import { people } from '../support/three-services.ts';
import { looks } from './common-models.ts';
import { at, beginningsOf, equal, orAddress, recordsOf, some } from './filter-models.ts';
import { byId, type FilterModel, type ListModel, type Raw } from './list-model.ts';
import { webhookOfDeliveries } from './seed-messages.ts';

const clinicTimeZone = 'Asia/Dhaka';
const startOf = (date: string): Date => clinicInstant({ date, time: '00:00' }, clinicTimeZone);
const days = (records: readonly Raw[]): string[] =>
  some(records.map(({ createdAt }) => clinicMoment(createdAt as Date, clinicTimeZone).date));

const newest: Pick<ListModel, 'orders' | 'usualOrder'> = {
  orders: { newest: [[at('createdAt'), -1], byId(-1)] },
  usualOrder: () => 'newest',
};

/** The record of another domain that a message is about. */
const about = (idOf: (record: Raw) => string): FilterModel => ({
  values: (records) => [...some(records.map(idOf).filter((id) => id !== '')), 'f'.repeat(24)],
  matches: (record, value) => idOf(record) === value,
});
const aboutRecord = {
  appointment: about(({ visit }) => (visit as string | undefined) ?? ''),
  order: about(({ data }) => (data as { readonly order?: { readonly id: string } }).order?.id ?? ''),
};

const recipient = ({ to }: Raw): string => (to as { readonly email?: string }).email ?? '';

/** The lists of svc-messages. */
export const messagesModels: Readonly<Partial<Record<CallId, ListModel>>> = {
  listMessagesLooks: looks('messages'),
  listMessages: {
    records: recordsOf('messages', 'messages'),
    filters: {
      ...aboutRecord,
      status: { values: () => messageStatuses, matches: ({ status }, value) => status === value },
      kind: { values: () => messageKinds, matches: ({ kind }, value) => kind === value },
      from: { values: days, matches: ({ createdAt }, value) => (createdAt as Date) >= startOf(value) },
      until: { values: days, matches: ({ createdAt }, value) => (createdAt as Date) < startOf(addDays(value, 1)) },
      q: orAddress('to.email', beginningsOf('to.name', 'to.email')),
    },
    ...newest,
  },
  listOwnMessages: {
    records: async (services) =>
      (await recordsOf('messages', 'messages')(services)).filter((record) => recipient(record) === people.admin.email),
    filters: aboutRecord,
    ...newest,
  },
  listMailbox: {
    records: recordsOf('messages', 'mailbox'),
    filters: { q: equal('to', ['nobody@mail.example']) },
    orders: { newest: [[at('receivedAt'), -1], byId(-1)] },
    usualOrder: () => 'newest',
  },
  listWebhooks: {
    records: recordsOf('messages', 'webhooks'),
    filters: {},
    ...newest,
  },
  listWebhookDeliveries: {
    records: recordsOf('messages', 'webhookDeliveries'),
    filters: {
      id: {
        values: () => [webhookOfDeliveries.toHexString()],
        matches: ({ webhook }, value) => String(webhook) === value,
        required: true,
      },
      status: equal('status', ['pending']),
    },
    ...newest,
  },
};
