import { dayExpression, instantsOf, partsOf, reportPeriod, type Handler, type ReportPeriod } from '@clinic/service-kit';
import type { Collection } from 'mongodb';
import type { MessagesContext } from '../settings.ts';
import { messagesOf, type MessageRecord } from './message-record.ts';
import type { MessageStatus } from '../contract/kinds.ts';

interface CountedGroup {
  readonly _id: { readonly day: string; readonly kind: string; readonly status: MessageStatus };
  readonly count: number;
}

/** Handler of the figures: messages by day of arrival, kind and status. */
export function messageFigures(context: MessagesContext): Handler<'getMessageFigures'> {
  const messages = messagesOf(context);
  return async ({ query }) => {
    const period = reportPeriod(query, context.settings.CLINIC_TZ);
    const groups: CountedGroup[] = [];
    for (const part of partsOf(period, daysAtOnce)) groups.push(...(await groupsOf(messages, part)));
    const [failed, [oldest]] = await Promise.all([
      messages.countDocuments({ status: 'failed' }),
      messages
        .find({ status: 'pending', dueAt: { $lte: new Date() } }, { projection: { dueAt: 1 } })
        .sort({ dueAt: 1 })
        .limit(1)
        .toArray(),
    ]);
    return { ...period, days: byDayAndKind(groups), failed, ...(oldest && { oldestDue: oldest.dueAt.toISOString() }) };
  };
}

/** Days read by one command. */
const daysAtOnce = 4;

function groupsOf(messages: Collection<MessageRecord>, period: ReportPeriod): Promise<CountedGroup[]> {
  const group = { day: dayExpression('$createdAt', period), kind: '$kind', status: '$status' };
  return messages
    .aggregate<CountedGroup>([
      { $match: { createdAt: instantsOf(period) } },
      { $group: { _id: group, count: { $sum: 1 } } },
    ])
    .toArray();
}

function byDayAndKind(groups: readonly CountedGroup[]) {
  const none = { sent: 0, failed: 0, suppressed: 0, pending: 0 };
  const rows = new Map<string, { day: string; kind: string } & Record<MessageStatus, number>>();
  for (const {
    _id: { day, kind, status },
    count,
  } of groups) {
    const key = `${day} ${kind}`;
    const row = rows.get(key) ?? { day, kind, ...none };
    rows.set(key, { ...row, [status]: row[status] + count });
  }
  return [...rows.entries()].toSorted(([one], [other]) => one.localeCompare(other)).map(([, row]) => row);
}
