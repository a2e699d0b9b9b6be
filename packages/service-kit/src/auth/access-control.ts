import {
  decideAccess,
  freshProofSeconds,
  isAllowed,
  isOwner,
  namesSelf,
  rights,
  roles,
  type AccessRule,
  type Allowed,
  type Caller,
  type Ownership,
  type RequestParts,
  type RestrictedAccess,
  type SessionAccess,
} from '@clinic/contracts';
import { ProblemError } from '../http/problem-error.ts';
import type { SessionCaller } from './session-claims.ts';

/** Everybody who works at the clinic. */
export const staff: Allowed = { roles: roles.filter((role) => role !== 'patient'), rights };

/** Whether this caller could pass at all, whatever the request contains. */
export function canEverPass(rule: RestrictedAccess, caller: Caller): boolean {
  if (rule.roles.includes(caller.role) || isAllowed(caller, rule) || rule.owners) return true;
  return rule.self !== undefined && (rule.self.role === undefined || rule.self.role === caller.role);
}

/** @throws ProblemError forbidden, unless the request itself, or the stored record later, may grant access */
export function requireAccess(rule: RestrictedAccess, caller: Caller, request: RequestParts): void {
  if (decideAccess(rule, caller, request) === 'forbidden') throw new ProblemError('forbidden');
}

/**
 * Requires recent proof of identity for actions that can do harm: an unattended browser isn't enough.
 *
 * @throws ProblemError proof_needed
 */
export function requireFreshProof(
  rule: SessionAccess | RestrictedAccess,
  caller: SessionCaller,
  request: RequestParts,
): void {
  if (rule.freshProof === undefined) return;
  if (rule.freshProof === 'forOthers' && namesSelf(rule, caller, request)) return;
  if (Date.now() / 1_000 - caller.provenAt <= freshProofSeconds) return;
  throw new ProblemError('proof_needed', {
    detail: 'Confirm it’s you with your password, Google or a code, then try again.',
  });
}

/**
 * Completes the access check for calls whose rule names owners, once the record has been read.
 *
 * @param ownership - the accounts the record belongs to
 * @throws ProblemError forbidden if the caller neither has one of the roles or rights nor owns the record
 */
export function assertOwner(rule: AccessRule, caller: Caller, ownership: Ownership): void {
  if (rule.kind !== 'restricted') return;
  if (isAllowed(caller, rule) || isOwner(rule, caller, ownership)) return;
  throw new ProblemError('forbidden');
}
