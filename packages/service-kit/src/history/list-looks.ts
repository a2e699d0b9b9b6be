import { hasRole, type Caller, type Look } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import type { ListAnswer } from '../http/answers.ts';
import { accountsOfEmails } from '../auth/contacts.ts';
import type { ServiceContext } from '../context.ts';
import { readPage, type PageQuery } from '../http/paging.ts';
import type { LookedAt } from './looked-at.ts';
import { looksOf, type LookRecord } from './look-record.ts';

export const lookSorts = { newest: { at: -1, _id: -1 } } as const;

/**
 * Which staff viewed a person's records, latest first. The person sees roles; admins also see names.
 *
 * @param person - the person the request names; `id`: their account, if the service knows it without {@link
 *   accountsOfEmails}
 */
export async function listLooks(
  context: Pick<ServiceContext, 'db'>,
  query: PageQuery,
  caller: Caller,
  person: LookedAt,
): Promise<ListAnswer<Look>> {
  const filter = lookFilter(await personKeys(context, caller, person));
  const named = hasRole(caller, ['admin']);
  return readPage(looksOf(context), {
    filter,
    query,
    sorts: lookSorts,
    defaultSort: 'newest',
    map: (look) => onTheWire(look, named),
  });
}

/** @param whose - keys of the person: account, email address */
export function lookFilter(whose: readonly string[]): Filter<LookRecord> {
  return { whose: { $in: [...whose] } };
}

/**
 * Callers get what belongs to their own account, and to their address if they have confirmed it; requests about
 * somebody else get what is filed under the address.
 */
async function personKeys(
  context: Pick<ServiceContext, 'db'>,
  caller: Caller,
  { email, id }: LookedAt,
): Promise<string[]> {
  if (caller.email === email) return [caller.id, ...(caller.confirmed ? [email] : [])];
  const account = id ?? (await accountsOfEmails(context, [email])).get(email);
  return account === undefined ? [email] : [account, email];
}

function onTheWire({ _id, at, by, what, how }: LookRecord, named: boolean): Look {
  return { _id, at: at.toISOString(), by: { role: by.role, ...(named && { email: by.email }) }, what, how };
}
