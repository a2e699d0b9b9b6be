import { ObjectId } from 'mongodb';
import { demoUsers } from '@clinic/demo-data';
import { internationalPhone, seedDemoOnce, type HistoryEvent } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { searchFields, usersOf, type UserRecord } from '../users/user-record.ts';

const hour = 3_600_000;

/** Writes the users of the demo clinic, once per database. {@link keepDemoAccounts} links their Firebase accounts. */
export async function seedDemoUsers(context: IdentityContext): Promise<void> {
  await seedDemoOnce(context, async (session) => {
    const now = Date.now();
    const records = demoUsers.map(
      ({ id, firstName, lastName, email, phone, dateOfBirth, role, emailVerified }, index): UserRecord => {
        const phoneE164 = internationalPhone(phone, context.settings.CLINIC_COUNTRY);
        const profile = { firstName, lastName, phone, phoneE164, dateOfBirth };
        const address = email.toLowerCase();
        const createdAt = new Date(now - hoursHere(role, index) * hour);
        return {
          _id: new ObjectId(id),
          email: address,
          ...profile,
          role,
          ...(role !== 'patient' && { staff: true as const }),
          emailVerified,
          registered: true,
          version: 1,
          createdAt,
          ...searchFields(profile, address),
        };
      },
    );
    await usersOf(context).insertMany(records, { session });
    for (const { _id } of records) await noteAccount(context, session, _id);
    await context.db.collection<HistoryEvent>('events').insertMany(records.map(historyOfDemo), { session });
  });
}

/** Hours since the account was created: staff came first; patients came in recent weeks. */
function hoursHere(role: UserRecord['role'], index: number): number {
  return role === 'patient' ? 2 + ((index * 41) % 26) * 23 : 24 * (70 + index);
}

/** A demo user's first history entry, without an actor. */
function historyOfDemo(user: UserRecord): HistoryEvent {
  const { email, role } = user;
  return {
    at: user.createdAt,
    call: 'seed',
    requestId: 'seed',
    ...aboutUser(user),
    people: [email],
    action: 'user created',
    before: null,
    after: { email, role },
  };
}
