/**
 * Calls of domains whose contract is in a folder of their own (`npm run new:domain`), by call name. Empty here: each
 * domain declares its calls, which gives client, hooks and handlers their types.
 *
 * ```ts
 * declare module '@clinic/contracts/domain' {
 *   interface DomainCalls extends BillingCalls {}
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- open for declarations of domains
export interface DomainCalls {}
