// What the product has already, as far as a new domain's name may not collide with it.
export { pages, shellPages } from '@clinic/contracts/pages';
export { roles, type Role } from '@clinic/contracts/roles';
export { segmentsOf } from '@clinic/contracts/routes';

/** Addresses of the gateway's own, and words that would be mistaken for a program of ours. */
export const gatewayWords: readonly string[] = [
  'mf', 'shell', 'gateway', 'registry', 'health', 'metrics', 'internal', 'assets', 'favicon', 'robots', 'sitemap', 'client-errors', 'dash', 'mongo', 'auth', 'events',
];
