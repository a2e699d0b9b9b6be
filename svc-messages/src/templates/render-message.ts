import type { FormerVisit, OutboxData } from '@clinic/contracts/outbox/entries';
import type { OutboxKind } from '@clinic/contracts/outbox/kinds';
import type { MessageLanguage } from '../contract/languages.ts';
import * as account from './account-messages.ts';
import * as appointment from './appointment-messages.ts';
import { htmlOf } from './html-layout.ts';
import type { MessageSetting, MessageWords, Setting } from './message-words.ts';
import * as pharmacy from './pharmacy-messages.ts';
import { textOf } from './text-layout.ts';
import { visitInvitation } from './visit-invitation.ts';
import { wordsIn } from './words/words-in.ts';

/**
 * The data of each kind of message; what is sent before a visit has those of its booking, and a cancellation what its
 * patient was last told.
 */
export type MessageData = { readonly [Kind in OutboxKind]: OutboxData<Kind> } & {
  readonly 'appointment-cancelled': { readonly was?: FormerVisit };
  readonly 'appointment-reminder': OutboxData<'appointment-booked'>;
  readonly 'appointment-questions': OutboxData<'appointment-booked'>;
};

/** A message of any kind with its data. */
export type MessageOfKind = {
  [Kind in keyof MessageData]: { readonly kind: Kind; readonly data: MessageData[Kind] };
}[keyof MessageData];

export type MessageInput = MessageOfKind & MessageSetting;

/** A mail that can be sent. */
export interface RenderedMessage {
  readonly language: MessageLanguage;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * An invitation for the reader's calendar, and its method, which the mail's part must state (RFC 6047, section 2.4).
   */
  readonly ics?: { readonly method: 'REQUEST' | 'CANCEL'; readonly content: string };
}

/**
 * Renders a message: subject, plain text, HTML, and for appointments a calendar entry. Reveals no more about somebody's
 * health than `detail` allows.
 */
export function renderMessage(input: MessageInput): RenderedMessage {
  const { language } = input;
  const setting = { ...input, words: wordsIn[language] };
  const words = wordsOf(input.kind, input.data, setting);
  const invitation = invitationOf(setting);
  return {
    language,
    // A header is one line, whatever a name contains.
    subject: words.subject.replaceAll(/\p{Cc}+/gu, ' '),
    text: textOf(words, setting),
    html: htmlOf(words, setting),
    ...(invitation && { ics: invitation }),
  };
}

function invitationOf(input: MessageOfKind & Setting): RenderedMessage['ics'] {
  if (input.kind === 'appointment-cancelled')
    return { method: 'CANCEL', content: visitInvitation(input.data.visit, 'CANCEL', input) };
  // A reminder changes nothing in the calendar.
  if (input.kind === 'appointment-reminder' || input.kind === 'appointment-questions') return undefined;
  if (!('visit' in input.data)) return undefined;
  return { method: 'REQUEST', content: visitInvitation(input.data.visit, 'REQUEST', input) };
}

const templates: {
  readonly [Kind in keyof MessageData]: (data: MessageData[Kind], setting: Setting) => MessageWords;
} = {
  'appointment-booked': appointment.appointmentBooked,
  'appointment-confirmed': appointment.appointmentConfirmed,
  'appointment-moved': appointment.appointmentMoved,
  'appointment-cancelled': appointment.appointmentCancelled,
  'appointment-reminder': appointment.appointmentReminder,
  'appointment-questions': appointment.appointmentQuestions,
  'waitlist-offer': appointment.waitlistOffer,
  'waitlist-ended': appointment.waitlistEnded,
  'order-placed': pharmacy.orderPlaced,
  'order-shipped': pharmacy.orderShipped,
  'order-cancelled': pharmacy.orderCancelled,
  'back-in-stock': pharmacy.backInStock,
  'staff-invitation': account.staffInvitation,
  'confirm-address': account.confirmAddress,
  'password-reset': account.passwordReset,
  'address-changed': account.addressChanged,
  'new-device': account.newDevice,
  'role-changed': account.roleChanged,
};

function wordsOf<Kind extends keyof MessageData>(kind: Kind, data: MessageData[Kind], setting: Setting): MessageWords {
  return templates[kind](data, setting);
}
