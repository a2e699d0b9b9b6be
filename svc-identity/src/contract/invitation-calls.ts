import { filters } from '@clinic/contracts/authority';
import { defineCalls } from '@clinic/contracts/define-calls';
import { email, id, paging } from '@clinic/contracts/schemas/fields';
import { staffProfile } from '@clinic/contracts/schemas/person';
import { session } from '@clinic/contracts/session/schemas';
import { z } from 'zod';
import { invitation, invitationState, staffRole } from './schemas.ts';

const admin = ['admin'] as const;

const invitationToken = z
  .string({ error: 'The link is incomplete' })
  .regex(/^[\w-]{20,100}$/, 'The link is incomplete');

/** The calls about invitations of staff. */
export const invitationCalls = defineCalls('identity', {
  inviteStaff: {
    method: 'POST',
    path: '/staff/invitations',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    status: 201,
    errors: ['duplicate', 'proof_needed', 'rate_limited'],
    summary: 'Invite someone to a staff role, with their first profile; returns the link, once',
    body: z
      .object({ email, role: staffRole, profile: staffProfile.optional() })
      .refine(({ role: invited, profile }) => invited === 'admin' || profile !== undefined, {
        path: ['profile'],
        message: 'Doctors and pharmacists need a profile',
      }),
    response: z.object({
      invitation,
      /** For the link `/register?invitation={token}`; only this response contains it. */ token: z.string(),
    }),
    decides: { 'body.email': 'database', 'body.role': 'content', 'body.profile': 'content' },
    unnoted: 'what the admin has just entered',
  },
  listInvitations: {
    method: 'GET',
    path: '/staff/invitations',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List invitations, newest first',
    query: z.object({
      limit: paging.limit,
      cursor: paging.cursor,
      sort: paging.sort,
      state: invitationState.optional(),
    }),
    response: z.array(invitation),
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
    params: z.object({ id }),
    response: z.undefined(),
    decides: { 'params.id': 'record' },
  },
  readInvitation: {
    method: 'POST',
    path: '/staff/invitation',
    access: { kind: 'everyone' },
    errors: ['not_found', 'invitation_over', 'rate_limited'],
    summary: 'Get an invitation by the token in its link',
    body: z.object({ token: invitationToken }),
    response: z.object({ email: z.string(), role: staffRole, name: z.string(), expiresAt: z.string() }),
    decides: { 'body.token': 'proof' },
    unnoted: 'whoever has the link reads it',
  },
  acceptInvitation: {
    method: 'POST',
    path: '/staff/invitation/accept',
    access: { kind: 'session' },
    errors: ['not_found', 'invitation_over', 'email_unconfirmed', 'forbidden', 'last_admin', 'rate_limited'],
    summary: 'Accept an invitation and its role, with the confirmed address it is for',
    body: z.object({ token: invitationToken }),
    response: session,
    decides: { 'body.token': 'proof' },
  },
});
