import { createHash, randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from '../server/gateway-request.ts';

/**
 * Groups of visitors: few enough that many browsers share one, so that it identifies nobody; enough for a share of 1 %.
 */
const groups = 100;

const cookie = 'release-group';

/** In seconds; longer than any canary runs. */
const maxAge = 30 * 24 * 3600;

/** The group that a browser has been given; `undefined` if it has none. */
export function groupOf({ headers }: Pick<GatewayRequest, 'headers'>): number | undefined {
  const found = /(?:^|;\s*)release-group=(\d{1,2})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Gives a browser a random group; only needed while there is a canary. */
export function giveGroup(req: Pick<GatewayRequest, 'origin'>, res: ServerResponse): number {
  const group = randomInt(groups);
  const secure = req.origin.protocol === 'https' ? '; Secure' : '';
  res.appendHeader('Set-Cookie', `${cookie}=${group}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`);
  return group;
}

/**
 * Whether a group gets a canary: all gateways agree, and each canary begins at another group, so that it isn't always the
 * same people who try new versions.
 *
 * @param canary - what identifies it
 * @param share - 0 to 1
 */
export function isInShare(group: number, canary: string, share: number): boolean {
  const first = createHash('sha256').update(canary).digest().readUInt32BE() % groups;
  return (group - first + groups) % groups < Math.round(share * groups);
}
