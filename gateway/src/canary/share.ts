import { createHash, randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from '../proxy/gateway-request.ts';

/**
 * Groups of visitors. So few that many browsers have the same one, and it says nothing about who somebody is; enough for
 * a share of one per cent.
 */
const groups = 100;

const cookie = 'release-group';

/** Long enough for any canary, in seconds. */
const maxAge = 30 * 24 * 3600;

/** The group that a browser has been given; `undefined` if it has none. */
export function groupOf({ headers }: Pick<GatewayRequest, 'headers'>): number | undefined {
  const found = /(?:^|;\s*)release-group=(\d{1,2})(?:;|$)/.exec(headers.cookie ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Gives a browser a group, by chance. It is only done while there is a canary. */
export function giveGroup(req: Pick<GatewayRequest, 'origin'>, res: ServerResponse): number {
  const group = randomInt(groups);
  const secure = req.origin.protocol === 'https' ? '; Secure' : '';
  res.appendHeader('Set-Cookie', `${cookie}=${group}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`);
  return group;
}

/**
 * Whether a group gets a canary. Every gateway finds the same, and each canary gets other groups, so that it isn't always
 * the same people who try what is new.
 *
 * @param canary - what identifies it
 * @param share - 0 to 1
 */
export function isInShare(group: number, canary: string, share: number): boolean {
  // Groups in an order of the canary's own: the first ones get it. Exact also for a share of few groups.
  return rankOf(group, canary) < Math.round(share * groups);
}

const ranks = new Map<string, readonly number[]>();

function rankOf(group: number, canary: string): number {
  let order = ranks.get(canary);
  if (!order) {
    const digests = Array.from({ length: groups }, (_, one) => ({
      one,
      digest: createHash('sha256').update(`${canary} ${one}`).digest('hex'),
    }));
    digests.sort((a, b) => (a.digest < b.digest ? -1 : 1));
    const places: number[] = [];
    for (const [place, { one }] of digests.entries()) places[one] = place;
    order = places;
    // Of canaries that are over, nobody asks again.
    if (ranks.size > 50) ranks.clear();
    ranks.set(canary, order);
  }
  return order[group] ?? groups;
}
