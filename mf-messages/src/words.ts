import { clinicMoment, formatDate, formatShortDate, formatTime } from '@clinic/app-kit';
import {
  messageKinds,
  type MessageKind,
  type MessageStatus,
  type SuppressionReason,
} from '@clinic/svc-messages/contract/kinds';
import { languageNames, messageLanguages } from '@clinic/svc-messages/contract/languages';
import type { Tone } from '@clinic/ui';
import type { OwnMessage } from './calls.ts';

/** The kinds as people read them. */
export const kindLabels: Readonly<Record<MessageKind, string>> = {
  'appointment-booked': 'Appointment booked',
  'appointment-confirmed': 'Appointment confirmed',
  'appointment-moved': 'Appointment moved',
  'appointment-cancelled': 'Appointment cancelled',
  'appointment-reminder': 'Appointment reminder',
  'appointment-questions': 'Questions before an appointment',
  'waitlist-offer': 'Free time from the waitlist',
  'waitlist-ended': 'End of a place on the waitlist',
  'order-placed': 'Order placed',
  'order-shipped': 'Order shipped',
  'order-cancelled': 'Order cancelled',
  'back-in-stock': 'Medicine back in stock',
  'staff-invitation': 'Invitation to work here',
  'confirm-address': 'Confirm your address',
  'password-reset': 'New password',
  'address-changed': 'Email address changed',
  'new-device': 'Login on a new device',
  'role-changed': 'Your role has changed',
};

export function isKind(text: string): text is MessageKind {
  return Object.hasOwn(kindLabels, text);
}

/** @param kind - may be one that only a later release knows */
export function labelOf(kind: string): string {
  if (isKind(kind)) return kindLabels[kind];
  const words = kind.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const groupOf = (kind: MessageKind): string =>
  /^appointment|^waitlist/.test(kind)
    ? 'Appointments'
    : /^order|^back/.test(kind)
      ? 'Orders and medicines'
      : 'Account and security';

/** The kinds by what they are about. */
export const kindGroups: readonly { readonly title: string; readonly kinds: readonly MessageKind[] }[] = [
  ...Map.groupBy(
    (Object.keys(kindLabels) as MessageKind[]).filter((kind) => messageKinds.includes(kind)),
    groupOf,
  ),
].map(([title, kinds]) => ({ title, kinds }));

/** The languages of messages, each by its own name. */
export const languageOptions = messageLanguages.map((value) => ({ value, label: languageNames[value] }));

/** @param language - may be one that only a later release knows */
export const nameOfLanguage = (language: string): string =>
  languageOptions.find(({ value }) => value === language)?.label ?? language;

export const statusLabels: Readonly<Record<MessageStatus, string>> = {
  pending: 'Pending',
  sent: 'Sent',
  suppressed: 'Not sent',
  failed: 'Failed',
};

export const statusTones: Readonly<Record<MessageStatus, Tone>> = {
  pending: 'yellow',
  sent: 'green',
  suppressed: 'grey',
  failed: 'red',
};

export function isStatus(text: string): text is MessageStatus {
  return Object.hasOwn(statusLabels, text);
}

/** Why a message wasn't sent on purpose, in words for its reader. */
export const reasonsForReader: Readonly<Record<SuppressionReason, string>> = {
  'switched-off': 'The clinic doesn’t send these messages',
  'opted-out': 'You’ve switched these messages off',
  'no-address': 'We had no email address for you',
  bounced: 'Your email address doesn’t accept our mail',
  'out-of-date': 'The appointment was cancelled or moved before then',
  expired: 'It would have come too late',
  unconfirmed: 'Your email address isn’t confirmed',
  'too-many': 'You’d had as many emails as we send in a day',
};

/** The same for admins. */
export const reasonsForAdmin: Readonly<Record<SuppressionReason, string>> = {
  ...reasonsForReader,
  'switched-off': 'This kind is switched off',
  'opted-out': 'The person has switched this kind off',
  'no-address': 'There is no email address',
  bounced: 'The address rejects mail',
  unconfirmed: 'The address isn’t confirmed',
  'too-many': 'The address has had as many emails as we send in a day',
};

/** An instant by the clinic's clock. @param at - ISO instant. @param timeZone - IANA name */
export function instantInWords(at: string, timeZone: string): string {
  const { date, time } = clinicMoment(new Date(at), timeZone);
  return `${formatShortDate(date)}, ${formatTime(time).replace(/\s/, '\u00a0')}`;
}

/**
 * What a message is about: 'Dr Rahman, Mon, Nov 23, 2026 at 9:30 AM', 'Order #4F09A1'; empty if there is nothing to
 * name.
 */
export function aboutInWords({ doctor, date, time, order }: OwnMessage['about']): string {
  const when =
    date === undefined ? undefined : formatDate(date) + (time === undefined ? '' : ` at ${formatTime(time)}`);
  return [doctor, when, order && `Order ${order}`].filter(Boolean).join(', ');
}
