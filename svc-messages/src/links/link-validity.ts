import { accountsOfEmails, freeSince, knownAccounts, ProblemError } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { messagesOf } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';
import { addressTag, type LinkMade } from './link-tokens.ts';

type Context = Pick<MessagesContext, 'db' | 'settings'>;

/** Whose link it is, and what the link says of how it was sent. */
export interface SentLink extends LinkMade {
  /** The account it was sent to, or `address:` and an address without one. */
  readonly whose: string;
  /** Id of its message, for a link of an earlier release that says nothing of how it was sent. */
  readonly message?: string;
}

/**
 * Rejects a link that has ended: with the address it was sent to (its account has another one, or an account has
 * confirmed it), with its account (switched off, deleted), or with a log-out everywhere after it was made.
 *
 * @throws ProblemError `not_found`
 */
export async function assertNotEnded(context: Context, link: SentLink): Promise<void> {
  // It doesn't say whether the link is unknown or over.
  if (!(await isOpen(context, link)))
    throw new ProblemError('not_found', { detail: 'This link isn’t valid any more.' });
}

async function isOpen(context: Context, link: SentLink): Promise<boolean> {
  const { whose } = link;
  if (whose.startsWith(ofAddress)) {
    const email = whose.slice(ofAddress.length);
    if ((await accountsOfEmails(context, [email])).has(email)) return false;
    // Whoever gave the address up has ended its links.
    const freed = await freeSince(context, email);
    return freed === undefined || (link.made !== undefined && link.made >= freed.getTime());
  }
  const known = (await knownAccounts(context, [whose])).get(whose);
  // svc-identity is of a release without the account feed.
  if (!known) return true;
  const { active, email, former, sessionsEndedAt } = known;
  const { to, made } = await howSent(context, link);
  if (!active || (sessionsEndedAt && made !== undefined && made < sessionsEndedAt.getTime())) return false;
  const tagOf = (address: string): string => addressTag(context, address);
  // A link of an earlier release may have gone to any address that the account had.
  if (to === undefined) return former.length === 0;
  return email === undefined ? !former.map(tagOf).includes(to) : tagOf(email) === to;
}

/** Begins the key of preferences, and of links, of an address without an account. */
export const ofAddress = 'address:';

async function howSent(context: Context, { to, made, message }: SentLink): Promise<LinkMade> {
  if (to !== undefined || message === undefined || !ObjectId.isValid(message)) return { to, made };
  const row = await messagesOf(context).findOne({ _id: new ObjectId(message) }, { projection: { to: 1, sentAt: 1 } });
  return {
    to: row?.to.email === undefined ? undefined : addressTag(context, row.to.email),
    made: row?.sentAt?.getTime(),
  };
}
