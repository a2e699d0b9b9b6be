/** Actions on releases of front-ends. */
export const releaseActions = [
  'release pinned',
  'release unpinned',
  'release rolled back',
  'canary started',
  'canary stopped',
  'canary promoted',
  'canary rolled back',
] as const;
export type ReleaseAction = (typeof releaseActions)[number];

export const isReleaseAction = (action: string): boolean => releaseActions.some((one) => one === action);

/** Actions in identity's history, in the order of an account's life, and those on releases. */
export const accessActions = [
  'signed in',
  'sign-in refused',
  'logged out',
  'logged out everywhere',
  'role changed',
  'rights changed',
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
  ...releaseActions,
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
  'kept outside hours',
  'attendance noted',
  'promised to come',
  'holiday added',
  'holiday removed',
  'joined waitlist',
  'left waitlist',
  'waitlist ended',
  'time offered',
  'offer accepted',
  'offer declined',
  'offer missed',
  'offer withdrawn',
  'calendar subscription started',
  'calendar subscription replaced',
  'calendar subscription stopped',
  'waiting-room address made',
  'waiting-room address stopped',
  'questions saved',
  'questions stopped',
  'questions asked again',
  'questions answered',
  'joined account',
  'suspended',
  'reinstated',
  'deletion started',
  'personal data erased',
  'deleted',
] as const;
export type ClinicAction = (typeof clinicActions)[number];

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
