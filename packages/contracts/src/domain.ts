/**
 * Calls of domains that keep their contract in a folder of their own (`npm run new:domain`), by call name. Empty here: each
 * domain declares its own, so that client, hooks and handlers type them like ours.
 *
 * ```ts
 * declare module '@clinic/contracts/domain' {
 *   interface DomainCalls extends BillingCalls {}
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- open for declarations of domains
export interface DomainCalls {}
