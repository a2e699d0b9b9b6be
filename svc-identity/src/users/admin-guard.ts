import { ObjectId, type ClientSession, type Collection } from 'mongodb';
import { ProblemError, refused, type SessionCaller } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from './user-record.ts';

interface Guard {
  readonly _id: 'roles';
  readonly changes: number;
}

const guardsOf = ({ db }: Pick<IdentityContext, 'db'>): Collection<Guard> => db.collection('guards');

/** Creates the lock document for changes of rights, as not every database can create collections in a transaction. */
export async function prepareAdminGuard(context: IdentityContext): Promise<void> {
  await guardsOf(context).updateOne({ _id: 'roles' }, { $setOnInsert: { changes: 0 } }, { upsert: true });
}

/**
 * Serialises changes of rights. Two admins who demote or lock out each other at the same moment read different users,
 * so their transactions wouldn't conflict. So each also writes one lock document, and the later one sees the earlier
 * one's change.
 */
export async function enterAdminGuard(context: Pick<IdentityContext, 'db'>, session: ClientSession): Promise<void> {
  await guardsOf(context).updateOne({ _id: 'roles' }, { $inc: { changes: 1 } }, { session });
}

/** @throws ProblemError session_stale if the caller is no longer an admin */
export async function requireAdmin(
  context: Pick<IdentityContext, 'db'>,
  session: ClientSession,
  caller: SessionCaller,
): Promise<void> {
  const user = await usersOf(context).findOne({ _id: new ObjectId(caller.id) }, { session });
  if (user?.role !== 'admin' || user.disabled) throw new ProblemError('session_stale');
}

/** @throws ProblemError last_admin if no other admin would remain */
export async function requireAnotherAdmin(
  context: IdentityContext,
  session: ClientSession,
  { _id, role }: UserRecord,
): Promise<void> {
  if (role !== 'admin') return;
  const admins = await usersOf(context)
    .find({ role: 'admin' }, { session, projection: { disabled: 1 } })
    .toArray();
  const others = admins.filter((admin) => !admin._id.equals(_id) && admin.disabled !== true);
  if (others.length === 0) throw new ProblemError('last_admin', { detail: 'Make someone else an admin first.' });
}

/** @throws ProblemError transition_refused for people who are being deleted */
export function assertStays({ erasingSince }: Pick<UserRecord, 'erasingSince'>): void {
  if (erasingSince) throw refused('This person is being deleted, and that can’t be undone.');
}
