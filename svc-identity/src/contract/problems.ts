import { defineProblems } from '@clinic/contracts/problems';

/** Errors of svc-identity's calls, besides those that every service can send. */
const identityProblems = defineProblems({
  own_role: { status: 409, title: 'You can’t change your own role' },
  own_account: { status: 409, title: 'You can’t switch off your own account' },
  last_admin: { status: 409, title: 'There must be at least one admin' },
  invitation_over: { status: 409, title: 'This invitation is no longer valid' },
});

type IdentityProblems = typeof identityProblems;

declare module '@clinic/contracts/domain' {
  interface DomainProblems extends IdentityProblems {}
}
