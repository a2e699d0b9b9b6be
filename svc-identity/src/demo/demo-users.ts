import { ObjectId } from 'mongodb';
import { demoUsers } from '@clinic/demo-data';
import { appendEvent, seedDemoOnce } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { searchFields, usersOf, type UserRecord } from '../users/user-record.ts';

/** Writes the users of the demo clinic, once in a database's life. Their Firebase accounts are linked by {@link keepDemoAccounts}. */
export async function seedDemoUsers(context: IdentityContext): Promise<void> {
  await seedDemoOnce(context, async (session) => {
    const records = demoUsers.map(({ firstName, lastName, email, phone, dateOfBirth, role, emailVerified }): UserRecord => {
      const profile = { firstName, lastName, phone, dateOfBirth };
      const address = email.toLowerCase();
      return { _id: new ObjectId(), email: address, ...profile, role, emailVerified, registered: true, version: 1, createdAt: new Date(), ...searchFields(profile, address) };
    });
    await usersOf(context).insertMany(records, { session });
    for (const { _id, email, role } of records) {
      await appendEvent(context, session, {
        call: 'seed', caller: undefined, requestId: 'seed', record: { type: 'user', id: _id.toHexString() }, subject: email, action: 'user created', before: null, after: { email, role },
      });
    }
  });
}
