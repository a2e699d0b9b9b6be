import { dayExpression, instantsOf, reportPeriod, type Handler } from '@clinic/service-kit';
import type { MessagesContext } from '../settings.ts';
import { messagesOf } from './message-record.ts';
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
    const [groups, failed, [oldest]] = await Promise.all([
      messages
        .aggregate<CountedGroup>([
          { $match: { createdAt: instantsOf(period) } },
          {
            $group: {
              _id: { day: dayExpression('$createdAt', period), kind: '$kind', status: '$status' },
              count: { $sum: 1 },
            },
          },
        ])
        .toArray(),
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
