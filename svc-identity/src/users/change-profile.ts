import { ObjectId } from 'mongodb';
import type { User } from '@clinic/contracts';
import { appendEvent, countToday, internationalPhone, type DailyAct } from '@clinic/service-kit';
import { aboutUser, type By } from '../access/access-events.ts';
import { rejectDisabled } from '../sessions/sign-in-checks.ts';
import { staffRules, type IdentityContext } from '../settings.ts';
import { rejectLaterBirth } from './date-of-birth.ts';
import { actingRole, noSuchUser, searchFields, userOnTheWire, usersOf, type UserRecord } from './user-record.ts';

/** Fields people may change on their own profile. An empty address is removed. */
export type ProfileChange = { readonly [Field in (typeof fields)[number]]?: string | undefined };

const fields = ['firstName', 'lastName', 'phone', 'dateOfBirth', 'address'] as const;

const changes: DailyAct = {
  act: 'profile-changes',
  most: 20,
  done: 'changed your details',
  instead: 'call the clinic',
};

/**
 * Changes a user's own profile. The history gets the changed fields only, and no entry if there are none.
 *
 * @throws ProblemError not_found, account_disabled, rate_limited; validation_failed if the date of birth is after today at
 *   the clinic
 */
export async function changeOwnProfile(context: IdentityContext, requested: ProfileChange, by: By): Promise<User> {
  rejectLaterBirth(context, requested.dateOfBirth);
  const users = usersOf(context);
  const user = await context.inTransaction(async (session) => {
    const found = await users.findOne({ _id: new ObjectId(by.caller.id) }, { session });
    if (!found) throw noSuchUser();
    rejectDisabled(found);
    const changed = fields.filter(
      (field) => requested[field] !== undefined && requested[field] !== (found[field] ?? ''),
    );
    if (changed.length === 0) return found;
    await countToday(context, session, by.caller.id, changes);
    const values = (of: ProfileChange): Record<string, string> =>
      Object.fromEntries(changed.map((field) => [field, of[field] ?? '']));
    const { phone = found.phone } = requested;
    const phoneE164 = internationalPhone(phone, context.settings.CLINIC_COUNTRY);
    const { address, ...next }: UserRecord = { ...found, ...values(requested), phoneE164 };
    const { firstName, lastName, dateOfBirth } = next;
    const isComplete = found.profileNeeded === true && firstName !== '' && phone !== '';
    const updated = await users.findOneAndUpdate(
      { _id: found._id },
      {
        $set: {
          firstName,
          lastName,
          phone,
          phoneE164,
          dateOfBirth,
          ...searchFields(next, found.email),
          ...(address && { address }),
          // A late registration must not overwrite these values.
          ...(isComplete && { registered: true }),
        },
        $unset: { ...(!address && { address: 1 as const }), ...(isComplete && { profileNeeded: 1 as const }) },
      },
      { session, returnDocument: 'after' },
    );
    await appendEvent(context, session, {
      call: 'changeOwnProfile',
      ...by,
      ...aboutUser(found),
      action: 'profile changed',
      before: values(found),
      after: values(requested),
    });
    return updated ?? found;
  });
  return { ...userOnTheWire(user), role: actingRole(user, staffRules(context.settings)) };
}
