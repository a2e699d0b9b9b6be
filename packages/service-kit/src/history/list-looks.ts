import { hasRole, type Caller, type Look } from '@clinic/contracts';
import type { Filter } from 'mongodb';
import type { ListAnswer } from '../http/answers.ts';
import { accountsOfEmails } from '../auth/contacts.ts';
import { addressesOfAccount } from '../auth/join-records.ts';
import type { ServiceContext } from '../context.ts';
import { readPage, type PageQuery } from '../http/paging.ts';
import type { LookedAt } from './looked-at.ts';
import { partOf } from './actors.ts';
import { lookFilter, looksOf, type LookRecord } from './look-record.ts';

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
  const filter = await looksAt(context, caller, person);
  const named = hasRole(caller, ['admin']);
  return readPage(looksOf(context), {
    filter,
    query,
    sorts: lookSorts,
    defaultSort: 'newest',
    map: (look) => onTheWire(look, named),
  });
}

/**
 * Callers get what belongs to their own account, and to the addresses they have or had if they have confirmed theirs;
 * requests about somebody else get that of the account that has the address now, or what is filed under the address.
 */
async function looksAt(
  context: Pick<ServiceContext, 'db'>,
  caller: Caller,
  { email, id }: LookedAt,
): Promise<Filter<LookRecord>> {
  const own = caller.email === email;
  if (own && !caller.confirmed) return lookFilter(caller.id, []);
  const account = own ? caller.id : (id ?? (await accountsOfEmails(context, [email])).get(email));
  if (account === undefined) return lookFilter(undefined, [{ email }]);
  return lookFilter(account, await addressesOfAccount(context, { id: account, email }));
}

function onTheWire({ _id, at, by, what, how }: LookRecord, named: boolean): Look {
  return { _id, at: at.toISOString(), by: { ...partOf(by), ...(named && { email: by.email }) }, what, how };
}
