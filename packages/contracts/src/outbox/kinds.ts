/** The messages that services ask svc-messages to send, by kind. */
export const outboxKinds = [
  'appointment-booked',
  'appointment-confirmed',
  'appointment-cancelled',
  'appointment-moved',
  'waitlist-offer',
  'waitlist-ended',
  'order-placed',
  'order-shipped',
  'order-cancelled',
  'back-in-stock',
  'staff-invitation',
  'confirm-address',
  'password-reset',
  'address-changed',
  'new-device',
  'role-changed',
] as const;

export type OutboxKind = (typeof outboxKinds)[number];
