/** Events that integrators may receive: about appointments, orders and medicines, not about people's accounts. */
export const webhookKinds = [
  'appointment-booked',
  'appointment-confirmed',
  'appointment-cancelled',
  'appointment-moved',
  'waitlist-offer',
  'order-placed',
  'order-shipped',
  'order-cancelled',
  'back-in-stock',
] as const;
