import {
  countToday,
  ProblemError,
  takeUserLock,
  type DailyAct,
  type SessionCaller,
  rejected,
} from '@clinic/service-kit';
import type { ParsedBody } from '@clinic/contracts';
import type { ClientSession } from 'mongodb';
import { canOptOut, messageKinds } from '../contract/kinds.ts';
import type { MessagePreferences } from '../contract/schemas.ts';
import type { MessagesContext } from '../settings.ts';
import { preferencesEtag, preferencesOf, toPreferences, type PreferencesRecord } from './preferences-record.ts';

export interface PreferencesChange {
  readonly caller: Pick<SessionCaller, 'id' | 'email'>;
  readonly requested: ParsedBody<'changeMessagePreferences'>;
  /** The `If-Match` header, if there is one. */
  readonly ifMatch: string | undefined;
}

const changes: DailyAct = { act: 'preferences', most: 50, done: 'changed your preferences' };

const alwaysCome = 'These messages always come: they concern your account';
const unknownZone = 'Choose a time zone of the list';

/**
 * Changes the fields of the caller's preferences that the request names.
 *
 * @param session - the transaction
 * @throws ProblemError `validation_failed` for an unknown time zone, or a kind that can't be switched off;
 *   `changed_meanwhile` if `ifMatch` doesn't match the current preferences; `rate_limited`
 */
export async function changePreferences(
  context: Pick<MessagesContext, 'db' | 'settings'>,
  { caller, requested, ifMatch }: PreferencesChange,
  session: ClientSession,
): Promise<MessagePreferences> {
  const { kinds = {}, ...others } = requested;
  assertKnownZone(others.timeZone);
  for (const [kind, enabled] of Object.entries(kinds))
    if (!enabled && !messageKinds.some((one) => one === kind && canOptOut(one)))
      throw rejected(`kinds.${kind}`, alwaysCome, { detail: alwaysCome });
  await takeUserLock(context, session, caller.id);
  await countToday(context, session, caller.id, changes);
  const preferences = preferencesOf(context);
  const before = await preferences.findOne({ _id: caller.id }, { session });
  assertMatches(ifMatch, toPreferences(before, context.settings));
  const off = messageKinds.filter((kind) => !(kinds[kind] ?? !before?.off.includes(kind)));
  const stated = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const { id, email } = caller;
  const changed: PreferencesRecord = { ...before, ...stated, _id: id, email, off, changedAt: new Date() };
  const { _id, ...fields } = changed;
  await preferences.updateOne({ _id }, { $set: fields }, { session, upsert: true });
  return toPreferences(changed, context.settings);
}

function assertMatches(ifMatch: string | undefined, current: MessagePreferences): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(preferencesEtag(current))) return;
  throw new ProblemError('changed_meanwhile', {
    detail: 'You have changed this elsewhere since you opened it. We haven’t saved your changes. Check them first.',
  });
}

function assertKnownZone(zone: string | undefined): void {
  if (zone === undefined) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw rejected('timeZone', unknownZone, { detail: unknownZone });
  }
}
