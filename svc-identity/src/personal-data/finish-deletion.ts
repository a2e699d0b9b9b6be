import { erasedEmail } from '@clinic/contracts/erased-person';
import {
  appendEvent,
  endUserLock,
  forgetInHistory,
  forgetKitRecords,
  unavailable,
  withoutPersonInHistory,
  type AccountHolder,
} from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser } from '../access/access-events.ts';
import { firebaseCode, type Firebase } from '../firebase/firebase-app.ts';
import { forgetInvitations } from '../invitations/forget-invitations.ts';
import { forgetSessions } from '../sessions/forget-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { personOf } from '../users/held-addresses.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { countUser } from '../users/user-rollups.ts';
import { deletionsOf, type DeletionRecord } from './deletion-record.ts';
import { noteErased } from './erased-accounts.ts';
import { userDeleted, userInCopy } from './personal-records.ts';

/** Fields of this service's events besides those of the user. Not kept: `address`, the network address, and `name`. */
const keptInHistory = [
  'by',
  'device',
  'expiresAt',
  'invitation',
  'invitedBy',
  'left',
  'profile',
  'provider',
  'reason',
  'secondFactor',
  'session',
  'signInAccount',
  'state',
];

/**
 * Deletes a person from this service, once every other service has erased them: the Firebase account, the user, and their
 * identity in the history. The user comes last, since afterwards nobody knows whose records are left. Safe to repeat.
 *
 * @throws ProblemError unavailable if Firebase can't be reached: retry then
 */
export async function finishDeletion(
  context: IdentityContext,
  firebase: Firebase,
  deletion: DeletionRecord,
): Promise<void> {
  const { _id, by, requestId } = deletion;
  const user = await usersOf(context).findOne({ _id });
  if (!user) {
    // Another replica has finished it.
    await deletionsOf(context).updateOne({ _id, finishedAt: { $exists: false } }, { $set: { finishedAt: new Date() } });
    return;
  }
  const person = await personOf(context, user);
  const callerEmail = by && (await emailOf(context, by.id));
  // What is written about the person from now on finds the mark.
  await endUserLock(context, person.id);
  await forgetIn(context, person);
  const signInAccount = await deleteAccount(firebase, user);
  await context.inTransaction(async (session) => {
    const { deletedCount } = await usersOf(context).deleteOne({ _id }, { session });
    if (deletedCount === 0) return;
    await noteAccount(context, session, _id);
    await countUser(context, session, user, -1);
    await noteErased(context, session, _id, user.uid);
    await deletionsOf(context).updateOne(
      { _id },
      { $set: { signInAccount, finishedAt: new Date() }, $unset: { problem: '' } },
      { session },
    );
    const own = by?.id === person.id;
    await appendEvent(context, session, {
      call: 'finishErasure',
      caller: by && { ...by, email: own || callerEmail === undefined ? erasedEmail(by.id) : callerEmail },
      requestId,
      ...aboutUser({ _id, email: erasedEmail(person.id) }),
      action: 'deleted',
      before: { role: user.role },
      after: { signInAccount },
    });
  });
  // Sign-ins rejected in the meantime.
  await forgetIn(context, person);
}

async function emailOf(context: IdentityContext, id: string): Promise<string | undefined> {
  const user = await usersOf(context).findOne({ _id: new ObjectId(id) }, { projection: { email: 1 } });
  return user?.email;
}

async function forgetIn(context: IdentityContext, person: AccountHolder): Promise<void> {
  await forgetInHistory(context, person, {
    until: Infinity,
    uncounted: true,
    redact: (fields, { subject, record }, isTheirs) =>
      record.id === person.id || (subject !== undefined && isTheirs(subject))
        ? withoutPersonInHistory<UserRecord>(fields, {
            rules: userDeleted,
            inCopy: userInCopy,
            instead: { email: erasedEmail(person.id) },
            alsoKept: keptInHistory,
          })
        : fields,
  });
  await forgetKitRecords(context, person);
  await forgetInvitations(context, person);
  await forgetSessions(context, person);
}

async function deleteAccount({ auth, mayDelete }: Firebase, { uid }: UserRecord): Promise<'deleted' | 'left'> {
  if (uid === undefined) return 'deleted';
  if (!mayDelete) return 'left';
  try {
    await auth.deleteUser(uid);
  } catch (error) {
    if (firebaseCode(error) !== 'auth/user-not-found')
      throw unavailable('We can’t delete the sign-in account right now. We’ll keep trying.', error);
  }
  return 'deleted';
}
