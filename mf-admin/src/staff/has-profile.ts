import { api } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';

/**
 * Whether somebody has a profile: their account's, or one that has no account yet, with their address. The list of
 * pharmacists can't be filtered by account, but it is short.
 */
export async function hasProfile({ _id, email }: User, role: 'doctor' | 'pharmacist'): Promise<boolean> {
  if (role === 'doctor') return (await api.call('getProfiles', { params: { email } })).length > 0;
  let cursor: string | undefined;
  do {
    const page = await api.page('listPharmacists', { query: { limit: 200, cursor } });
    if (page.rows.some(({ accountId, ...one }) => (accountId === undefined ? one.email === email : accountId === _id)))
      return true;
    cursor = page.next;
  } while (cursor !== undefined);
  return false;
}
