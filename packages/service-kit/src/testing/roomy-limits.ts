/** The names of all limits of a day, but those that tests of a few requests meet. */
const acts = [
  'address-changes',
  'calendar-addresses',
  'changes',
  'counter-orders',
  'exports',
  'invitations',
  'mails',
  'orders',
  'preferences',
  'profile-changes',
  'security-mails',
  'sign-ins',
  'stock-adjustments',
  'stock-requests',
  'waitlist',
  'webhook-changes',
];

/**
 * DAILY_LIMITS for tests: one account does more in a minute than a household in a day. The limits have tests of their
 * own.
 */
export const roomyDailyLimits = ['staff-changes=100000000', ...acts.map((act) => `${act}=1000000`)].join();
