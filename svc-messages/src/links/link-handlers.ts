import {
  type Handler,
  knownAccounts,
  ProblemError,
  refused,
  type ServiceRequest,
  takeUserLockFor,
  rejected,
} from '@clinic/service-kit';
import type { Collection, Db } from 'mongodb';
import { messagesOf } from '../ledger/message-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { changeVisit, freeTimesOf, visitsNow, type LinkedChange, type VisitNow } from '../visits/visit-calls.ts';
import { readLink, type LinkClaims } from './link-tokens.ts';
import { assertNotEnded, ofAddress } from './link-validity.ts';

/** A used link; each works only once. */
export interface UsedLinkRecord {
  readonly _id: string;
  readonly usedAt: Date;
}

export const usedLinksOf = ({ db }: { readonly db: Db }): Collection<UsedLinkRecord> => db.collection('usedLinks');

/**
 * Handlers of the links in messages. Anybody who has a link may use it; it contains its person and purpose, and ends with
 * the address it was sent to, the account, and a log-out everywhere.
 */
export function linkHandlers(context: MessagesContext) {
  const visitLink = async (token: string): Promise<LinkClaims<'visit'>> => {
    const claims = await readLink(context, 'visit', token);
    const { account, jti } = claims;
    await assertNotEnded(context, { ...claims, whose: account, message: jti.slice(0, jti.indexOf('-')) });
    return claims;
  };

  const unsubscribeLink = async (token: string): Promise<LinkClaims<'unsubscribe'>> => {
    const claims = await readLink(context, 'unsubscribe', token);
    await assertNotEnded(context, claims);
    return claims;
  };

  const readMessageAction: Handler<'readMessageAction'> = async ({ params: { token }, res }) => {
    keepSecret(res);
    const claims = await visitLink(token);
    const { doctor, date, time, changeUntil } = await assertOpen(context, claims);
    return {
      action: claims.act,
      visit: { doctor, date, time },
      until: changeUntil,
      ...(claims.act === 'move' && { freeTimes: await freeTimesOf(context, claims.visit) }),
    };
  };

  const takeMessageAction: Handler<'takeMessageAction'> = async ({ params: { token }, body }) => {
    const claims = await visitLink(token);
    const change = changeOf(claims, body);
    const { doctor } = await assertOpen(context, claims);
    const { visit, account, seen, jti } = claims;
    const moment = await changeVisit(context, visit, { account, seen, change });
    // The visit no longer matches the link, but might again later.
    await usedLinksOf(context).updateOne({ _id: jti }, { $set: { usedAt: new Date() } }, { upsert: true });
    return { action: claims.act, visit: { doctor, ...moment } };
  };

  const readUnsubscription: Handler<'readUnsubscription'> = async ({ params: { token }, res }) => {
    keepSecret(res);
    const { kind, whose } = await unsubscribeLink(token);
    const preferences = await preferencesOf(context).findOne({ _id: whose });
    return { kind, subscribed: !preferences?.off.includes(kind) };
  };

  const unsubscribe: Handler<'unsubscribe'> = async ({ params: { token } }) => {
    const { kind, whose } = await unsubscribeLink(token);
    await context.inTransaction(async (session) => {
      // Store nothing about a person who has been erased. An address has no lock, which would keep it for ever.
      if (!whose.startsWith(ofAddress) && !(await takeUserLockFor(context, session, whose))) return;
      const known = (await knownAccounts(context, [whose])).get(whose);
      // The link doesn't contain the address, which would otherwise show up in logs.
      const person =
        known ?? (await messagesOf(context).findOne({ 'to.account': whose }, { session, sort: { createdAt: -1 } }))?.to;
      const email = person?.email;
      await preferencesOf(context).updateOne(
        { _id: whose },
        { $addToSet: { off: kind }, $set: { changedAt: new Date(), ...(email !== undefined && { email }) } },
        { session, upsert: true },
      );
    });
    return { kind, subscribed: false };
  };

  return { readMessageAction, takeMessageAction, readUnsubscription, unsubscribe };
}

/** The address of a link's call is a secret, and its answer is about a person. */
function keepSecret(res: ServiceRequest['res']): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('X-Robots-Tag', 'noindex');
}

function changeOf(
  { act }: LinkClaims<'visit'>,
  { date, time }: { readonly date?: string | undefined; readonly time?: string | undefined },
): LinkedChange {
  if (act !== 'move') return { act };
  if (date === undefined || time === undefined) throw rejected('date', 'Choose a date and a time');
  return { act, date, time };
}

/**
 * The visit of a link, if it still matches the link.
 *
 * @throws ProblemError `not_found`; `transition_refused` if the link was used or the visit has changed; `too_late`; `unavailable`
 */
async function assertOpen(
  context: MessagesContext,
  { visit: id, act, seen, jti, account }: LinkClaims<'visit'>,
): Promise<VisitNow> {
  if (await usedLinksOf(context).findOne({ _id: jti })) throw refused('You have used this link already.');
  const visit = (await visitsNow(context, [id])).get(id);
  if (!visit || visit.patient !== account)
    throw new ProblemError('not_found', { detail: 'We can’t find this appointment.' });
  if (visit.status === 'Cancelled') throw refused('This appointment is cancelled.');
  if (visit.date !== seen.date || visit.time !== seen.time)
    throw refused('This appointment has been moved since we sent this message. Log in to see it.');
  if (seen.doctor !== undefined && visit.doctor !== seen.doctor)
    throw refused(`This appointment is with ${visit.doctor} now. Log in to see it.`);
  if ((act === 'cancel' || act === 'move') && new Date(visit.changeUntil) < new Date())
    throw new ProblemError('too_late', {
      detail: 'It’s too late to change this appointment here. Call the clinic instead.',
    });
  return visit;
}
