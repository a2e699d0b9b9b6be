import { addDays, clinicInstant } from '@clinic/contracts';
import { brand } from '@clinic/contracts/brand';
import type { VisitInMessage } from '@clinic/contracts/outbox/entries';
import { canOptOut, messageKinds, type MessageKind } from '../contract/kinds.ts';
import { messagePages } from '../contract/pages.ts';
import { addressTag, signLink, type LinkClaims, type LinkMade } from '../links/link-tokens.ts';
import { preferencesKey } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { renderMessage, type MessageInput, type MessageOfKind } from '../templates/render-message.ts';
import type { OutgoingMessage } from './channel.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Sending } from './verdict.ts';

/** Base of links if PUBLIC_URL isn't set, as in a demo on this machine. */
const localUrl = 'http://localhost:8080';

/** The clinic's name and time zone in messages. */
export function clinicIdentity({
  CLINIC_TZ,
  PUBLIC_URL = localUrl,
}: MessagesContext['settings']): MessageInput['clinic'] {
  const { brandName: name, address, phone, email } = brand;
  return { name, address, phone, email, zone: CLINIC_TZ, url: PUBLIC_URL };
}

/** Whether this release has a template for a kind. */
export const isMessageKind = (kind: string): kind is MessageKind => messageKinds.some((one) => one === kind);

/**
 * Renders a message with its links.
 *
 * @param verdict - its current data, and its reader's language and time zone
 * @throws Error if this release doesn't know the kind
 */
export async function writeMessage(
  context: Pick<MessagesContext, 'settings'>,
  message: ClaimedMessage,
  verdict: Sending,
): Promise<OutgoingMessage> {
  const { kind, to, messageId } = message;
  const { name } = to;
  const { email } = verdict;
  if (!isMessageKind(kind)) throw new Error(`a message of kind ${kind} can't be written`);
  const clinic = clinicIdentity(context.settings);
  const sent = { to: addressTag(context, email), made: Date.now() };
  const unsubscribe = await unsubscribeToken(context, kind, to, sent);
  const about = { kind, data: verdict.data } as unknown as MessageOfKind;
  const written = renderMessage({
    ...about,
    language: verdict.language,
    to: { email, ...(name !== undefined && { name }), timeZone: verdict.timeZone },
    clinic,
    detail: context.settings.MESSAGE_DETAIL,
    links: {
      preferences: `${clinic.url}${messagePages.notifications}`,
      ...(unsubscribe !== undefined && {
        unsubscribe: `${clinic.url}${messagePages.unsubscribe(unsubscribe, verdict.language)}`,
      }),
      ...(await visitLinks(context, message, verdict, sent)),
    },
  });
  return {
    ...written,
    messageId,
    to: { email, name },
    // For the List-Unsubscribe header.
    ...(unsubscribe !== undefined && { unsubscribe: `${clinic.url}/messages/unsubscribe/${unsubscribe}` }),
  };
}

async function unsubscribeToken(
  context: Pick<MessagesContext, 'settings'>,
  kind: MessageKind,
  to: ClaimedMessage['to'],
  sent: LinkMade,
): Promise<string | undefined> {
  const whose = preferencesKey(to);
  if (!canOptOut(kind) || whose === undefined) return undefined;
  return signLink(context, 'unsubscribe', { kind, whose, ...sent });
}

/**
 * Links to change a visit, for a patient with an account; they end when the visit begins. The one that says that the patient
 * is here ends with its day.
 */
async function visitLinks(
  context: Pick<MessagesContext, 'settings'>,
  { _id, visit: id, kind, to: { account } }: ClaimedMessage,
  { data, language }: Sending,
  sent: LinkMade,
): Promise<{ readonly cancel?: string; readonly move?: string; readonly arrive?: string; readonly come?: string }> {
  if (id === undefined || account === undefined || kind === 'appointment-cancelled') return {};
  const { doctor, date, time, toConfirm } = data['visit'] as VisitInMessage;
  const { CLINIC_TZ: zone } = context.settings;
  const until = clinicInstant({ date, time }, zone);
  // Also after a visit in the night; svc-clinic says whether it is too late.
  const nextDayEnds = clinicInstant({ date: addDays(date, 2), time: '00:00' }, zone);
  const link = async (act: LinkClaims<'visit'>['act'], ends = until): Promise<string> => {
    const claims = {
      act,
      visit: id,
      account,
      seen: { doctor, date, time },
      jti: `${_id.toHexString()}-${act}`,
      ...sent,
    };
    const token = await signLink(context, 'visit', claims, ends);
    return clinicIdentity(context.settings).url + messagePages.action(token, language);
  };
  return {
    cancel: await link('cancel'),
    move: await link('move'),
    ...(kind === 'appointment-reminder' && { arrive: await link('arrive', nextDayEnds) }),
    ...(kind === 'appointment-reminder' && toConfirm && { come: await link('come') }),
  };
}
