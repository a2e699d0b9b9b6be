import { filters } from '@clinic/contracts/authority';
import { defineRoutes } from '@clinic/contracts/define-routes';

const admin = ['admin'] as const;

/** The calls about invitations of staff. */
export const invitationRoutes = defineRoutes('identity', {
  inviteStaff: {
    method: 'POST',
    path: '/staff/invitations',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    status: 201,
    errors: ['duplicate', 'proof_needed', 'rate_limited'],
    summary: 'Invite someone to a staff role, with their first profile; returns the link, once',
    decides: { 'body.email': 'database', 'body.role': 'content', 'body.profile': 'content' },
    unnoted: 'what the admin has just entered',
  },
  listInvitations: {
    method: 'GET',
    path: '/staff/invitations',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List invitations, newest first',
    decides: filters('state'),
    unnoted: 'the work address and role that an admin chose',
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/staff/invitations/:id',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    status: 204,
    errors: ['not_found', 'transition_refused', 'proof_needed'],
    summary: 'Revoke an open invitation',
    decides: { 'params.id': 'record' },
  },
  readInvitation: {
    method: 'POST',
    path: '/staff/invitation',
    access: { kind: 'everyone' },
    errors: ['not_found', 'invitation_over', 'rate_limited'],
    summary: 'Get an invitation by the token in its link',
    decides: { 'body.token': 'proof' },
    unnoted: 'whoever has the link reads it',
  },
  acceptInvitation: {
    method: 'POST',
    path: '/staff/invitation/accept',
    access: { kind: 'session' },
    errors: ['not_found', 'invitation_over', 'email_unconfirmed', 'forbidden', 'last_admin', 'rate_limited'],
    summary: 'Accept an invitation and its role, with the confirmed address it is for',
    decides: { 'body.token': 'proof' },
  },
});
