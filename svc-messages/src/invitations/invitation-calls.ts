import { z } from 'zod';
import type { ClaimedMessage } from '../delivery/claim.ts';
import { invitationKey } from '../delivery/outdated.ts';
import { askIfKnown, unlessUnavailable, type AskContext } from '../intake/ask-source.ts';

const invitation = z.object({ email: z.string(), role: z.string(), until: z.string() });
const invitationNow = invitation.extend({ status: z.string() });

/** The current statuses of the invitations in these messages, by key; `undefined`: svc-identity is unavailable. */
export async function invitationStatuses(
  context: AskContext,
  messages: readonly ClaimedMessage[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const invitations = messages
    .filter(({ kind }) => kind === 'staff-invitation')
    .flatMap(({ to, data }) => invitation.safeParse({ ...data, email: to.email }).data ?? []);
  if (invitations.length === 0) return new Map();
  const question = { body: { invitations }, schema: z.array(invitationNow), otherwise: [] };
  const found = await unlessUnavailable(askIfKnown(context, 'identity', '/invitations', question));
  return found && new Map(found.map((one) => [invitationKey(one), one.status]));
}
