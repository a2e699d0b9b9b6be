import { appendEvent, type ServiceRequest } from '@clinic/service-kit';
import type { ClientSession, Collection, Db } from 'mongodb';
import { canOptOut, messageKinds, type MessageKind } from '../contract/kinds.ts';
import type { MessagesContext } from '../settings.ts';

/** A kind of message that an admin has switched off or on; all others are sent. */
export interface KindRecord {
  readonly _id: string;
  readonly enabled: boolean;
}

export const kindsOf = ({ db }: { readonly db: Db }): Collection<KindRecord> => db.collection('kinds');

/** The kinds that are switched off. */
export async function switchedOff(context: Pick<MessagesContext, 'db'>): Promise<ReadonlySet<string>> {
  const off = await kindsOf(context).find({ enabled: false }).toArray();
  return new Set(off.map(({ _id }) => _id));
}

/** A kind in its wire shape. */
export const toKind = (kind: MessageKind, off: ReadonlySet<string>) => ({
  kind,
  enabled: !off.has(kind),
  canOptOut: canOptOut(kind),
});

/** All kinds, in display order. */
export async function listKinds(context: Pick<MessagesContext, 'db'>) {
  const off = await switchedOff(context);
  return messageKinds.map((kind) => toKind(kind, off));
}

/**
 * Switches a kind on or off for everybody, and records who did. Pending messages of a kind that is off are suppressed
 * when they are due.
 */
export async function switchKind(
  context: Pick<MessagesContext, 'db'>,
  { params: { kind }, body: { enabled }, caller, call, requestId }: ServiceRequest<'changeMessageKind'>,
  session: ClientSession,
) {
  const before = await kindsOf(context).findOne({ _id: kind }, { session });
  if ((before?.enabled ?? true) !== enabled) {
    await kindsOf(context).updateOne({ _id: kind }, { $set: { enabled } }, { session, upsert: true });
    await appendEvent(context, session, {
      call,
      caller,
      requestId,
      record: { type: 'message kind', id: kind },
      action: enabled ? 'messages switched on' : 'messages switched off',
      before: { enabled: !enabled },
      after: { enabled },
    });
  }
  return toKind(kind, new Set(enabled ? [] : [kind]));
}
