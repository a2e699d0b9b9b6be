import { outboxKinds } from '@clinic/contracts/outbox/kinds';

/** Every kind of message: those that other services cause, and reminders, which come from appointments. */
export const messageKinds = [...outboxKinds, 'appointment-reminder'] as const;

export type MessageKind = (typeof messageKinds)[number];

/** Where a message stands. */
export const messageStatuses = ['pending', 'sent', 'suppressed', 'failed'] as const;

export type MessageStatus = (typeof messageStatuses)[number];

/** Why a message wasn't sent, on purpose. */
export const suppressionReasons = [
  'switched-off',
  'opted-out',
  'no-address',
  'bounced',
  'out-of-date',
  'expired',
] as const;

export type SuppressionReason = (typeof suppressionReasons)[number];

/** Why nothing is sent to an address any more: mail to it came back, or somebody who got it reported it as spam. */
export const bounceReasons = ['bounced', 'complained'] as const;

export type BounceReason = (typeof bounceReasons)[number];

/** Kinds that reach people whatever they prefer: without them they couldn't use their account, or would miss a danger to it. */
const alwaysSent: readonly MessageKind[] = [
  'staff-invitation',
  'confirm-address',
  'password-reset',
  'new-device',
  'role-changed',
];

/** Whether people may do without messages of this kind. */
export const canOptOut = (kind: MessageKind): boolean => !alwaysSent.includes(kind);
