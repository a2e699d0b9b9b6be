import { outboxKinds } from '@clinic/contracts/outbox/kinds';

/** Every kind of message: those that other services cause, and those that come from appointments when it is time. */
export const messageKinds = [...outboxKinds, 'appointment-reminder', 'appointment-questions'] as const;

export type MessageKind = (typeof messageKinds)[number];

/** Status of a message. */
export const messageStatuses = ['pending', 'sent', 'suppressed', 'failed'] as const;

export type MessageStatus = (typeof messageStatuses)[number];

/** Why a message was deliberately not sent. */
export const suppressionReasons = [
  'switched-off',
  'opted-out',
  'no-address',
  'bounced',
  'out-of-date',
  'expired',
  'unconfirmed',
  'too-many',
] as const;

export type SuppressionReason = (typeof suppressionReasons)[number];

/** Why nothing is sent to an address any more: mail to it bounced, or its recipient reported it as spam. */
export const bounceReasons = ['bounced', 'complained'] as const;

export type BounceReason = (typeof bounceReasons)[number];

/** Kinds with a link that is only for whoever reads the address they name. */
export const linkForAddress = [
  'staff-invitation',
  'confirm-address',
  'password-reset',
  'address-changed',
] as const satisfies readonly MessageKind[];

/** Kinds that people can't switch off: they need them to use their account, or to learn of a danger to it. */
const alwaysSent: readonly MessageKind[] = [...linkForAddress, 'new-device', 'role-changed'];

/** Whether people can switch off messages of this kind. */
export const canOptOut = (kind: MessageKind): boolean => !alwaysSent.includes(kind);
