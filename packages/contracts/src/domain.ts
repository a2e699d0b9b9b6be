/**
 * Calls of domains that keep their contract in a folder of their own (`npm run new:domain`), by the name the code calls
 * them by. Empty here: a domain adds its own, so that client, hooks and handlers know them by the same types as ours.
 *
 * ```ts
 * declare module '@clinic/contracts/domain' {
 *   interface DomainCalls extends BillingCalls {}
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- open for declarations of domains
export interface DomainCalls {}
