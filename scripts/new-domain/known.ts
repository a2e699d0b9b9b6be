// Existing names that a new domain's name must not collide with.
export { pages, shellPages } from '@clinic/contracts/pages';
export { roles, type Role } from '@clinic/contracts/roles';
export { segmentsOf } from '@clinic/contracts/routes';

/** The gateway's own addresses, and words that would be mistaken for one of our programs. */
export const gatewayWords: readonly string[] = [
  'mf',
  'shell',
  'gateway',
  'registry',
  'health',
  'metrics',
  'internal',
  'assets',
  'favicon',
  'robots',
  'sitemap',
  'client-errors',
  'dash',
  'mongo',
  'auth',
  'events',
];
