import type { Handler } from '@clinic/service-kit';
import type { IdentityParts } from '../open-parts.ts';
import type { IdentityContext } from '../settings.ts';
import { browserOf } from '../sessions/calling-browser.ts';
import { acceptInvitation as accept, readInvitation as read } from './accept-invitation.ts';
import { inviteStaff as invite, listInvitations as list, revokeInvitation as revoke } from './invite-staff.ts';

/** Handlers of the calls about invitations of staff. */
export function invitationHandlers(context: IdentityContext, parts: IdentityParts) {
  const { key, watch } = parts;

  const inviteStaff: Handler<'inviteStaff'> = ({ body, caller, requestId }) =>
    invite(context, { ...body, profile: body.profile, caller, requestId });

  const listInvitations: Handler<'listInvitations'> = ({ query }) => list(context, query);

  const revokeInvitation: Handler<'revokeInvitation'> = async ({ params, caller, requestId }) => {
    await revoke(context, params.id, { caller, requestId });
  };

  const readInvitation: Handler<'readInvitation'> = ({ body }) => read(context, body.token);

  const acceptInvitation: Handler<'acceptInvitation'> = (request) => {
    const { body, caller, requestId } = request;
    return watch.readAfter(accept(context, key, { token: body.token, caller, requestId }, browserOf(context, request)));
  };

  return { inviteStaff, listInvitations, revokeInvitation, readInvitation, acceptInvitation };
}
