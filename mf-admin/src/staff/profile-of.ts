import { api } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { profilesOf } from '../leaving/coming-appointments.ts';

/**
 * Somebody's profile: their account's, or one that has no account yet, with their address. The list of pharmacists can't be
 * filtered by account, but it is short.
 */
export async function profileOf(
  user: User,
  role: 'doctor' | 'pharmacist',
): Promise<{ readonly _id: string } | undefined> {
  if (role === 'doctor') return (await api.call('getProfiles', profilesOf(user)))[0];
  let cursor: string | undefined;
  do {
    const page = await api.page('listPharmacists', { query: { limit: 200, cursor } });
    const own = page.rows.find(({ accountId, email }) =>
      accountId === undefined ? email === user.email : accountId === user._id,
    );
    if (own) return own;
    cursor = page.next;
  } while (cursor !== undefined);
  return undefined;
}
