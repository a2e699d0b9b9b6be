import { describeCanary, describeEnded } from '@clinic/static-server/canary-report';
import { totalCounts } from '@clinic/static-server/canary';
import { readDeployment } from '@clinic/static-server/change-releases';
import { servedRelease } from '@clinic/static-server/releases';
import type { TestEnvironment } from '../support/test-environment.ts';
import type { Part } from './experiments.ts';

/** Lines of the log that are shown. */
const shownLines = 12;

const warnings: readonly unknown[] = ['warn', 'error', 'fatal'];
/** These are `info`, as requests are, which aren't shown. */
const notable = /^(?:canary|remote registered|replica (?:not )?ready)/;

/** What a visitor gets of a part now; `undefined` for a service, which has no releases. */
export async function releaseNow({ frontEnds }: TestEnvironment, part: Part): Promise<string | undefined> {
  const front = Object.entries(frontEnds).find(([name]) => name === part)?.[1];
  if (!front) return undefined;
  const { state, canary, lastCanary } = await readDeployment(front.releases);
  const served = `Everybody gets ${servedRelease(state)?.version ?? 'nothing yet'}.`;
  if (canary)
    return `${describeCanary(canary, await totalCounts(front.releases, canary))} The others get ${servedRelease(state)?.version ?? 'nothing'}.`;
  return lastCanary ? `${served} ${describeEnded(lastCanary)}` : served;
}

/** The latest notable lines of the gateway's log, newest first, in words. */
export function logNow({ log, services }: TestEnvironment): readonly string[] {
  const names = new Map([...services].map(([name, { address }]) => [new URL(address).host, `svc-${name}`]));
  return log
    .filter(({ level, msg }) => warnings.includes(level) || notable.test(String(msg)))
    .slice(-shownLines)
    .toReversed()
    .map(({ time, msg, remote, version, replica, page, reason, visits, errors }) => {
      const figures = visits === undefined ? undefined : `${Number(visits)} visits, ${Number(errors)} with an error`;
      const about = [
        [remote, version].filter(Boolean).join(' '),
        names.get(String(replica)),
        page,
        reason,
        figures,
      ].filter(Boolean);
      return `${new Date(String(time)).toTimeString().slice(0, 8)}  ${String(msg)}${about.length > 0 ? `: ${about.join(', ')}` : ''}`;
    });
}
