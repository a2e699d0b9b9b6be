import { heldNote, type DeploymentContext, type DeploymentRecord } from './deployment-record.ts';
import { describeDeployment } from './list-deployments.ts';

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');
const percent = (part: number): string => `${Number((part * 100).toFixed(2))}%`;
const counted = ({ visits, errors }: { readonly visits: number; readonly errors: number }): string =>
  `${visits} ${visits === 1 ? 'visit' : 'visits'}, ${errors} with an error`;

/** A front-end's releases for operators, in lines: what an admin sees on the page Deployments. */
export async function describeReleases(
  context: Pick<DeploymentContext, 'db'>,
  record: DeploymentRecord,
): Promise<string[]> {
  const { name, served, deployed, held, releases, canary, decision } = await describeDeployment(context, record);
  const note = heldNote(record);
  const lines = releases.map(({ version, at, figures }) => {
    const notes = [
      version === served && 'served',
      version === served && held,
      version === canary?.version && 'canary',
      version === deployed && 'deployed last',
    ].filter(Boolean);
    return [version.padEnd(24), minute(at), figures && counted(figures), notes.join(', ')].filter(Boolean).join('  ');
  });
  if (note !== undefined) lines.push(`${note.charAt(0).toUpperCase()}${note.slice(1)}.`);
  if (decision)
    lines.push(`Last decision: ${decision.kind} ${decision.version}, by ${decision.by} on ${minute(decision.at)}.`);
  if (canary)
    lines.push(
      `${percent(canary.share)} of visitors get ${canary.version}: ${counted(canary)} so far. After ${canary.minVisits} visits it is rolled back at ${percent(canary.errorRate)} with an error, and promoted after ${canary.quietMinutes === 1 ? 'a minute' : `${canary.quietMinutes} minutes`} without one.${canary.oneNetwork ? ' Without one network’s errors it would be below that: stop it if that network is yours.' : ''}`,
    );
  return [`${name}:`, ...lines];
}
