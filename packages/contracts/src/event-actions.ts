/** Actions in identity's history, in the order of an account's life. */
export const accessActions = [
  'signed in',
  'sign-in refused',
  'logged out',
  'logged out everywhere',
  'role changed',
  'account switched off',
  'account switched on',
  'user created',
  'profile registered',
  'deletion started',
  'deleted',
  'e-mail confirmed',
  'e-mail changed',
  'profile changed',
  'session ended',
  'second factor set up',
  'second factor removed',
  'second factor reset',
  'recovery code used',
  'refresh id reused',
  'invited',
  'invitation revoked',
  'invitation accepted',
  'recovery codes renewed',
] as const;
export type AccessAction = (typeof accessActions)[number];

/** Actions on appointments and profiles in the clinic's history. */
export const clinicActions = [
  'booked',
  'status changed',
  'rescheduled',
  'moved to a colleague',
  'details corrected',
  'created',
  'profile changed',
  'availability changed',
  'joined account',
  'suspended',
  'reinstated',
  'personal data erased',
  'deleted',
] as const;
export type ClinicAction = (typeof clinicActions)[number];

/** Actions on orders and medicines in the pharmacy's history. */
export const pharmacyActions = [
  'placed',
  'status changed',
  'expired',
  'ordered',
  'order cancelled',
  'added',
  'edited',
  'restocked',
  'personal data erased',
  'deleted',
] as const;
export type PharmacyAction = (typeof pharmacyActions)[number];
