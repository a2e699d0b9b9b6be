import type { Route } from '../route.ts';

const admin = ['admin'] as const;

/**
 * The calls about invitations of staff. Not `invitation-routes.ts`: browsers load the calls of files with that ending
 * only with the remote that adds them (`addCalls`).
 */
export const invitationCalls = {
  inviteStaff: {
    service: 'identity',
    method: 'POST',
    path: '/staff/invitations',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    status: 201,
    errors: ['duplicate', 'proof_needed'],
    summary: 'Invite someone to a staff role, with their first profile; returns the link, once',
  },
  listInvitations: {
    service: 'identity',
    method: 'GET',
    path: '/staff/invitations',
    access: { kind: 'restricted', roles: admin },
    status: 200,
    errors: [],
    paged: true,
    summary: 'List invitations, newest first',
  },
  revokeInvitation: {
    service: 'identity',
    method: 'DELETE',
    path: '/staff/invitations/:id',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    status: 204,
    errors: ['not_found', 'transition_refused', 'proof_needed'],
    summary: 'Revoke an open invitation',
  },
  readInvitation: {
    service: 'identity',
    method: 'POST',
    path: '/staff/invitation',
    access: { kind: 'everyone' },
    status: 200,
    errors: ['not_found', 'invitation_over', 'rate_limited'],
    summary: 'Get an invitation by the token in its link',
  },
  acceptInvitation: {
    service: 'identity',
    method: 'POST',
    path: '/staff/invitation/accept',
    access: { kind: 'session' },
    status: 200,
    errors: ['not_found', 'invitation_over', 'email_unconfirmed', 'forbidden', 'last_admin', 'rate_limited'],
    summary: 'Accept an invitation and its role, with the confirmed address it is for',
  },
} as const satisfies Record<string, Route>;
