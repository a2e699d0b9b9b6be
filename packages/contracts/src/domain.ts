/**
 * The calls of all domains whose contract a program imports, by call name. Empty here: each domain declares its calls in
 * `svc-<domain>/src/contract`, which gives client, hooks and handlers their types.
 *
 * ```ts
 * declare module '@clinic/contracts/domain' {
 *   interface DomainCalls extends BillingCalls {}
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- open for declarations of domains
export interface DomainCalls {}

/** The errors of those domains, by code; each declares its own with `defineProblems`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- open for declarations of domains
export interface DomainProblems {}

/** What problems of those domains say besides a code and words. */
// oxlint-disable-next-line typescript/no-empty-object-type -- open for declarations of domains
export interface ProblemDetails {}
