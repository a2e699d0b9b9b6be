import type { Deployment } from '../contract/deployment-schemas.ts';
import type { Decision } from './decide.ts';
import { heldNote, type DeploymentContext, type DeploymentRecord } from './deployment-record.ts';
import { describeDeployment } from './list-deployments.ts';

const outcomes = {
  pin: 'pinned',
  unpin: 'unpinned',
  rollback: 'rolled back to',
  canary: 'started as a canary',
  stop: 'stopped as a canary',
  promoted: 'promoted to everybody',
  'rolled back': 'rolled back as a canary',
} as const satisfies Record<Decision['kind'], string>;

const deciders = {
  admin: 'by an admin',
  operator: 'at the command line',
  gateway: 'by its visitors’ pages',
} as const;

const heldWords = { pinned: 'pinned', promoted: 'promoted', 'rolled back': 'rolled back to' } as const;

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');
const percent = (part: number): string => `${Number((part * 100).toFixed(2))}%`;
const counted = ({ visits, errors }: { readonly visits: number; readonly errors: number }): string =>
  `${visits} visits, ${errors} with an error`;

/** A front-end's releases for operators, in lines: what an admin sees on the page Deployments. */
export async function describeReleases(
  context: Pick<DeploymentContext, 'db'>,
  record: DeploymentRecord,
): Promise<string[]> {
  const { name, served, deployed, held, releases, canary, decision } = await describeDeployment(context, record);
  const note = heldNote(record);
  const { lastCanary } = record;
  const lines = releases.map(({ version, at, figures }) => {
    const notes = [
      version === served && 'served',
      version === served && held && heldWords[held],
      version === canary?.version && 'canary',
      version === deployed && 'deployed last',
    ].filter(Boolean);
    return [version.padEnd(24), minute(at), figures && figuresText(figures), notes.join(', ')]
      .filter(Boolean)
      .join('  ');
  });
  if (note !== undefined) lines.push(`${note.charAt(0).toUpperCase()}${note.slice(1)}.`);
  if (decision)
    lines.push(
      `Last decided ${deciders[decision.by]} on ${minute(decision.at)}: ${decision.version ?? 'the next deployment'} ${outcomes[decision.kind]}.`,
    );
  if (canary)
    lines.push(
      `${percent(canary.share)} of visitors get ${canary.version}: ${counted(canary)} so far. After ${canary.minVisits} visits it is rolled back at ${percent(canary.errorRate)} with an error, and promoted after ${canary.quietMinutes} minutes without one.`,
    );
  else if (lastCanary)
    lines.push(
      `The last canary, ${lastCanary.version}, was ${lastCanary.outcome} on ${minute(lastCanary.at)}: ${counted(lastCanary)}.`,
    );
  return [`${name}:`, ...lines];
}

/** What visitors' pages have reported about a release. */
function figuresText(figures: NonNullable<Deployment['releases'][number]['figures']>): string {
  const { lcp, inp, cls } = figures;
  return [
    counted(figures),
    lcp !== undefined && `LCP ${(lcp / 1000).toFixed(1)} s`,
    inp !== undefined && `INP ${Math.round(inp)} ms`,
    cls !== undefined && `CLS ${cls.toFixed(2)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
