import { ObjectId, type Collection } from 'mongodb';
import type { Role, User } from '@clinic/contracts';
import { appendEvent, ProblemError, type SessionCaller } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { userOnTheWire, usersOf } from './user-record.ts';

interface Guard {
  readonly _id: 'roles';
  readonly changes: number;
}

const guardsOf = ({ db }: IdentityContext): Collection<Guard> => db.collection('guards');

/** Makes the document that role changes collide on; transactions can't create collections everywhere. */
export async function prepareRoleGuard(context: IdentityContext): Promise<void> {
  await guardsOf(context).updateOne({ _id: 'roles' }, { $setOnInsert: { changes: 0 } }, { upsert: true });
}

export interface RoleChange {
  readonly userId: string;
  readonly newRole: Role;
  readonly caller: SessionCaller;
  readonly requestId: string;
}

/**
 * Gives a user another role (design section 5). Raises the user's version, so that tokens with the old role end.
 *
 * Two admins who demote each other at the same moment read different users, so their transactions wouldn't collide by
 * themselves: each also writes the one guard document, and the later one sees what the earlier one did.
 *
 * @throws ProblemError own_role, not_found, last_admin, or session_stale when the caller is no admin any more
 */
export async function changeRole(context: IdentityContext, { userId, newRole, caller, requestId }: RoleChange): Promise<User> {
  if (userId.toLowerCase() === caller.id) throw new ProblemError('own_role', { detail: 'Another admin has to change your role.' });
  const _id = new ObjectId(userId);
  const users = usersOf(context);
  return context.inTransaction(async (session) => {
    await guardsOf(context).updateOne({ _id: 'roles' }, { $inc: { changes: 1 } }, { session });
    const user = await users.findOne({ _id }, { session });
    if (!user) throw new ProblemError('not_found', { detail: 'There is no such user.' });
    if (user.role === 'admin' && newRole !== 'admin') {
      const admins = await users.find({ role: 'admin' }, { session, projection: { disabled: 1 } }).toArray();
      const others = admins.filter((admin) => !admin._id.equals(_id) && admin.disabled !== true);
      if (others.length === 0) throw new ProblemError('last_admin', { detail: 'Make somebody else an admin first.' });
    }
    const changer = await users.findOne({ _id: new ObjectId(caller.id) }, { session });
    if (changer?.role !== 'admin' || changer.disabled) throw new ProblemError('session_stale');
    if (user.role === newRole) return userOnTheWire(user);

    await users.updateOne({ _id }, { $set: { role: newRole, versionChangedAt: new Date() }, $inc: { version: 1 } }, { session });
    await appendEvent(context, session, {
      call: 'changeRole', caller, requestId, record: { type: 'user', id: userId.toLowerCase() }, action: 'role changed',
      before: { role: user.role }, after: { role: newRole },
    });
    return userOnTheWire({ ...user, role: newRole });
  });
}
