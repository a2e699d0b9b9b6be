import { addDays, clinicInstant } from '@clinic/contracts/clinic-time';
import type { ParsedQuery } from '@clinic/contracts';
import { findsPerson, type Search } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { MessageRecord } from './message-record.ts';

type Asked = Partial<ParsedQuery<'listMessages'>>;

export const messageSorts = { newest: { createdAt: -1, _id: -1 } } as const;

/** What an admin's query finds. @param zone - of its days, IANA name */
export function ledgerSearch(query: Asked, zone: string): Search<MessageRecord> {
  const { q, status, kind, from, until } = query;
  const startOf = (date: string): Date => clinicInstant({ date, time: '00:00' }, zone);
  const narrowed: Filter<MessageRecord> = {
    ...aboutRecord(query),
    ...(status && { status }),
    ...(kind && { kind }),
    ...((from || until) && {
      createdAt: {
        ...(from && { $gte: startOf(from) }),
        ...(until && { $lt: startOf(addDays(until, 1)) }),
      },
    }),
  };
  return [[...findsPerson<MessageRecord>(q, 'words', 'to.email'), narrowed]];
}

/** Filter of a person's query for their own messages. */
export function ownFilter(account: string, query: Pick<Asked, 'appointment' | 'order'>): Filter<MessageRecord> {
  return { 'to.account': account, ...aboutRecord(query) };
}

/** Messages about an appointment or an order; each has an index. */
function aboutRecord({ appointment, order }: Pick<Asked, 'appointment' | 'order'>): Filter<MessageRecord> {
  return {
    ...(appointment !== undefined && { visit: appointment }),
    ...(order !== undefined && { 'data.order.id': order }),
  };
}
