import type { TestEnvironment } from '../support/test-environment.ts';

/** Lines of the log that are shown. */
const shownLines = 12;

const warnings: readonly unknown[] = ['warn', 'error', 'fatal'];
/** These are `info`, as requests are, which aren't shown. */
const notable = /^(?:canary|releases follow|remote registered|replica (?:not )?ready)/;

/** What visitors get of each front-end now, by its name, as the command `list` says it. */
export async function releasesNow({ operate }: TestEnvironment): Promise<ReadonlyMap<string, string>> {
  const [, ...all] = (await operate('list')).split(/^(\S+):\n/m);
  const names = all.filter((_, at) => at % 2 === 0);
  return new Map(names.map((name, at) => [name, describe((all[2 * at + 1] ?? '').split('\n'))]));
}

function describe(lines: readonly string[]): string {
  const served = lines.find((line) => line.includes('served'))?.split(' ', 1)[0];
  const canary = lines.find((line) => /^(?:\d+% of visitors get|Last decision: (?:promoted|rolled back))/.test(line));
  return [`Everybody ${canary?.includes('of visitors get') ? 'else ' : ''}gets ${served ?? 'nothing yet'}.`, canary]
    .filter(Boolean)
    .join(' ');
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
