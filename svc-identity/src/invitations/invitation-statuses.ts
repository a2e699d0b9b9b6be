import { z } from 'zod';
import type { IdentityContext } from '../settings.ts';
import { invitationsOf, stateOf } from './invitation-record.ts';

/** Maximum invitations per request. */
const mostInvitations = 200;

/** What svc-messages asks just before it sends invitations: `until` is the ISO instant at which one ends. */
export const whichInvitations = z.object({
  invitations: z.array(z.object({ email: z.string(), role: z.string(), until: z.string() })).max(mostInvitations),
});

const keyOf = (...parts: readonly string[]): string => parts.join(' ');

/** What has become of invitations; those that aren't kept are no longer open either. */
export async function statusesOf(
  context: Pick<IdentityContext, 'db'>,
  { invitations }: z.output<typeof whichInvitations>,
) {
  const addresses = invitations.map(({ email }) => email);
  const kept = await invitationsOf(context)
    .find({ email: { $in: addresses } })
    .toArray();
  const states = new Map(
    kept.map((one) => [keyOf(one.email, one.role, one.expiresAt.toISOString()), stateOf(one)] as const),
  );
  return invitations.map((one) => ({ ...one, status: states.get(keyOf(one.email, one.role, one.until)) ?? 'revoked' }));
}
