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
