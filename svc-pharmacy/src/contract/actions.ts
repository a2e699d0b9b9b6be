/** Actions on orders and medicines in the pharmacy's history. */
export const pharmacyActions = [
  'placed',
  'entered at the counter',
  'status changed',
  'expired',
  'ordered',
  'order cancelled',
  'added',
  'edited',
  'restocked',
  'adjusted',
  'archived',
  'brought back',
  'personal data erased',
  'deleted',
  'asked about stock',
  'stopped asking about stock',
  'told that it is back',
] as const;
export type PharmacyAction = (typeof pharmacyActions)[number];
