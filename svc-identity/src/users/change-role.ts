import { ObjectId } from 'mongodb';
import { isStaff, type Right, type Role, type User } from '@clinic/contracts';
import { rights as known } from '@clinic/contracts/roles';
import { appendEvent, appendOutbox, ProblemError, refused } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, type By } from '../access/access-events.ts';
import { revokeInvitationsOf, revokeInvitationsTo } from '../invitations/revoke-invitations.ts';
import type { IdentityContext } from '../settings.ts';
import { assertStays, enterAdminGuard, requireAdmin, requireAnotherAdmin } from './admin-guard.ts';
import { withNewRole } from './new-version.ts';
import { roleEvent } from './role-event.ts';
import { userOnTheWire, usersOf } from './user-record.ts';

export interface RoleChange extends By {
  readonly userId: string;
  readonly newRole: Role;
  /** The rights beside it, for Undo of a change that ended them; none if absent. */
  readonly rights?: readonly Right[] | undefined;
  /** What the admin saw the user as. */
  readonly seen?: Standing | undefined;
}

interface Standing {
  readonly role: Role;
  readonly rights?: readonly string[] | undefined;
}

/**
 * Gives a user another role, which ends the rights beside the old one and tokens with it, and revokes open invitations to other
 * roles. A staff role, or a right, needs a confirmed email address.
 *
 * @throws ProblemError own_role, not_found, last_admin, email_unconfirmed, changed_meanwhile if role or rights aren't as seen,
 *   transition_refused for people who are being deleted and rights of admins, or session_stale if the caller is no longer an admin
 */
export async function changeRole(
  context: IdentityContext,
  { userId, newRole, rights, seen, ...by }: RoleChange,
): Promise<User> {
  if (userId.toLowerCase() === by.caller.id)
    throw new ProblemError('own_role', { detail: 'Ask another admin to change your role.' });
  const _id = new ObjectId(userId);
  const users = usersOf(context);
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const user = await users.findOne({ _id }, { session });
    if (!user) throw new ProblemError('not_found', { detail: 'We can’t find this user.' });
    if (newRole !== 'admin') await requireAnotherAdmin(context, session, user);
    await requireAdmin(context, session, by.caller);
    assertStays(user);
    const after = { role: newRole, ...(rights && { rights: known.filter((one) => rights.includes(one)) }) };
    if (user.role === newRole && (!rights || isSame(after, user))) return userOnTheWire(user);
    if (seen && !isSame(seen, user)) {
      throw new ProblemError('changed_meanwhile', {
        detail: `Someone else has changed the role or rights of ${user.email}. We haven’t changed anything. Reload the page.`,
      });
    }
    const given = after.rights ?? [];
    if (newRole === 'admin' && given.length > 0) throw refused('Admins may do all this already.');
    // Anyone can register with somebody else's address; only the owner of the mailbox can confirm it.
    const staff = isStaff(after);
    if (staff && !user.emailVerified) {
      throw new ProblemError('email_unconfirmed', {
        detail: `${user.email} isn’t confirmed. Ask them to open the link in the confirmation email, then give them the role.`,
      });
    }

    const now = new Date();
    await users.updateOne(
      { _id },
      withNewRole(
        newRole,
        { roleDecidedAt: now, ...(staff && { staff }), ...(given.length > 0 && { rights: given }) },
        now,
      ),
      { session },
    );
    await noteAccount(context, session, _id);
    if (user.role === 'admin') await revokeInvitationsOf(context, session, _id, by);
    await revokeInvitationsTo(context, session, user.email, by, newRole === 'patient' ? undefined : newRole);
    await appendEvent(context, session, {
      call: 'changeRole',
      ...by,
      ...aboutUser(user),
      ...roleEvent(user, newRole, given),
    });
    await appendOutbox(context, session, {
      kind: 'role-changed',
      to: { account: userId.toLowerCase(), email: user.email },
      data: { role: newRole, ...(given.length > 0 && { rights: given }) },
    });
    const { rights: _ended, ...others } = user;
    return userOnTheWire({ ...others, role: newRole, ...(given.length > 0 && { rights: given }) });
  });
}

const inWords = ({ role, rights = [] }: Standing): string => [role, ...rights.toSorted()].join();

const isSame = (one: Standing, other: Standing): boolean => inWords(one) === inWords(other);
