import { accountsOfEmails, catchUpWithAccounts, knownAccounts, type KnownAccount } from '@clinic/service-kit';
import { linkForAddress } from '../contract/kinds.ts';
import type { MessageRecord } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';

/** Who owns which address now. */
export interface Addresses {
  readonly accounts: ReadonlyMap<string, KnownAccount>;
  /** The account that has confirmed an address, by address. */
  readonly owners: ReadonlyMap<string, string>;
}

type Addressed = Pick<MessageRecord, 'kind' | 'to'>;

/** Reads who owns the addresses of these messages now. */
export async function readAddresses(
  context: Pick<MessagesContext, 'db'>,
  messages: readonly Addressed[],
): Promise<Addresses> {
  await catchUpWithAccounts(context);
  const [accounts, owners] = await Promise.all([
    knownAccounts(context, defined(messages.map(({ to }) => to.account))),
    accountsOfEmails(context, defined(messages.map(({ to }) => to.email))),
  ]);
  return { accounts, owners };
}

/**
 * The address a message goes to: its account's current one, wherever the account has moved since the message was caused.
 * An account without a confirmed address gets it at the one it had then, unless it has given that up or another account
 * has confirmed it.
 *
 * @returns `undefined` if there is none
 */
export function addressOf({ kind, to }: Addressed, { accounts, owners }: Addresses): string | undefined {
  const { account, email } = to;
  if (account === undefined || linkForAddress.some((one) => one === kind)) return email;
  const known = accounts.get(account);
  if (known?.email !== undefined) return known.email;
  if (email === undefined || known?.former.includes(email)) return undefined;
  return (owners.get(email) ?? account) === account ? email : undefined;
}

const defined = (values: readonly (string | undefined)[]): string[] => values.filter((value) => value !== undefined);
