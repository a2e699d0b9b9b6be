import { decideAccess, isOwner, type AccessRule, type Caller, type RequestParts, type RestrictedAccess, type Role } from '@clinic/contracts';
import { ProblemError } from './problem-error.ts';

/** Whether someone of that role can pass at all, whatever the request says. */
export function canEverPass(rule: RestrictedAccess, role: Role): boolean {
  if (rule.roles.includes(role) || rule.owners) return true;
  return rule.self !== undefined && (rule.self.role === undefined || rule.self.role === role);
}

/** @throws ProblemError forbidden, unless the request alone, or the stored record later, may let the caller in */
export function requireAccess(rule: RestrictedAccess, caller: Caller, request: RequestParts): void {
  if (decideAccess(rule, caller, request) === 'forbidden') throw new ProblemError('forbidden');
}

/**
 * Ends the decision for calls whose rule names owners, once the record is read.
 *
 * @param record - in its wire shape
 * @throws ProblemError forbidden when the caller neither has one of the roles nor owns the record
 */
export function assertOwner(rule: AccessRule, caller: Caller, record: object): void {
  if (rule.kind !== 'restricted') return;
  if (rule.roles.includes(caller.role) || isOwner(rule, caller, record as Readonly<Record<string, unknown>>)) return;
  throw new ProblemError('forbidden');
}
