import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { canaryLimits } from '@clinic/contracts/identity/deployment-schemas';
import { figureDays, p75, type ReleaseFigures } from '@clinic/service-kit/deployments/release-figures';
import { decide, totalsOf, type Decision } from './decide.ts';
import {
  deploymentsOf,
  gatewaysOf,
  heldNote,
  servedBy,
  type Canary,
  type CanaryRules,
  type DeploymentContext,
  type DeploymentRecord,
  type Totals,
} from './deployment-record.ts';
import { readFigures } from './list-deployments.ts';
import { allDeployments } from './take-report.ts';

/** A command that can't be carried out; the message is for the operator. */
export class CommandError extends Error {}

export const usage = `releases.ts list [FRONT-END]              the kept releases, which one visitors get, and what their pages report
releases.ts pin FRONT-END VERSION         serves that release, whatever is deployed
releases.ts rollback FRONT-END            serves the previous release, until another one is deployed
releases.ts unpin FRONT-END               serves the release deployed last
releases.ts canary FRONT-END VERSION --share 5% [--errors 5%] [--visits 50] [--quiet 30m]
                                          gives part of the visitors that release; their errors decide
releases.ts stop FRONT-END                ends a canary`;

const options = { share: '', errors: '5%', visits: '50', quiet: '30m' } as const;

export interface CommandResult {
  readonly lines: readonly string[];
  /** Whether every gateway has done it. */
  readonly done: boolean;
}

/** How long gateways may take, and how often they are looked at, in milliseconds. */
export interface Patience {
  readonly withinMs: number;
  readonly everyMs: number;
}

/**
 * Carries out an operator's command, and waits until the gateways have followed.
 *
 * @throws CommandError if it makes no sense; ProblemError if it can't be done
 */
export async function runCommand(
  context: DeploymentContext,
  [command = '', ...given]: readonly string[],
  patience: Patience = { withinMs: 20_000, everyMs: 250 },
): Promise<CommandResult> {
  const { name, decision } = argumentsOf(command, given);
  if (!decision) return { lines: await list(context, name), done: true };
  if ('version' in decision) await untilReported(context, name ?? '', decision.version, patience);
  const record = await decide(context, {
    name: name ?? '',
    decision,
    by: 'operator',
    requestId: `command-${randomUUID()}`,
  });
  const { line, done } = await followed(context, record, patience);
  return { lines: [effectOf(record, decision.kind), line], done };
}

/** Milliseconds until gateways have reported a build that was added just now. */
const reportedWithinMs = 10_000;

async function untilReported(
  context: DeploymentContext,
  name: string,
  version: string,
  { withinMs, everyMs }: Patience,
): Promise<void> {
  const until = Date.now() + Math.min(withinMs, reportedWithinMs);
  for (;;) {
    const record = await deploymentsOf(context).findOne({ _id: name });
    if (record?.releases.some((release) => release.version.startsWith(version)) || Date.now() >= until) return;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** @throws CommandError if they don't fit the command */
function argumentsOf(
  command: string,
  given: readonly string[],
): { readonly name?: string | undefined; readonly decision?: Decision } {
  const [name, version, ...more] = positionalsOf(command, given);
  const ends = version === undefined;
  if (command === 'list' && ends) return { name };
  if (name === undefined || more.length > 0) throw new CommandError(usage);
  if ((command === 'rollback' || command === 'unpin' || command === 'stop') && ends)
    return { name, decision: { kind: command } };
  if (command === 'pin' && !ends) return { name, decision: { kind: command, version } };
  if (command === 'canary' && !ends) return { name, decision: { kind: command, version, rules: rulesOf(given) } };
  throw new CommandError(usage);
}

function positionalsOf(command: string, args: readonly string[]): readonly string[] {
  return parsed(args, command === 'canary').positionals;
}

function parsed(args: readonly string[], isCanary: boolean) {
  const types = Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: isCanary ? types : {}, allowPositionals: true });
  } catch (error) {
    // The parser's own errors name the option in their first sentence.
    const [named] = (error as Error).message.split('. ', 1);
    throw new CommandError(`${named}\n${usage}`);
  }
}

/**
 * Reads the options of `canary`.
 *
 * @throws CommandError that says what an option must be
 */
export function rulesOf(args: readonly string[]): CanaryRules {
  const { share, errors, visits, quiet } = { ...options, ...(parsed(args, true).values as Partial<typeof options>) };
  const rules = {
    share: partOf(share),
    errorRate: partOf(errors),
    minVisits: /^\d{1,6}$/.test(visits) ? Number(visits) : Number.NaN,
    quietMinutes: Number(/^(\d{1,4}(?:\.\d{1,3})?)m?$/.exec(quiet)?.[1] ?? Number.NaN),
  };
  if (!(rules.share >= canaryLimits.share.min && rules.share <= canaryLimits.share.max))
    throw new CommandError('--share must be from 1% to 50%, for example --share 5%');
  if (!(rules.errorRate > 0 && rules.errorRate <= 1))
    throw new CommandError('--errors must be more than 0% and not more than 100%, for example --errors 5%');
  if (!(rules.minVisits >= 1))
    throw new CommandError('--visits must be a whole number from 1, for example --visits 50');
  if (!(rules.quietMinutes > 0)) throw new CommandError('--quiet must be minutes, for example --quiet 30m');
  return rules;
}

function partOf(text: string): number {
  return Number(/^(\d{1,3}(?:\.\d{1,2})?)%$/.exec(text)?.[1] ?? Number.NaN) / 100;
}

/** Milliseconds after which a gateway that doesn't report has stopped. */
const silentMs = 8000;

/** Waits until every running gateway does what was decided. */
async function followed(
  context: DeploymentContext,
  { _id: name }: DeploymentRecord,
  { withinMs, everyMs }: Patience,
): Promise<{ readonly line: string; readonly done: boolean }> {
  const until = Date.now() + withinMs;
  for (;;) {
    const record = await deploymentsOf(context).findOne({ _id: name });
    const reporting = await gatewaysOf(context)
      .find({ at: { $gte: new Date(Date.now() - silentMs) } })
      .toArray();
    // One whose settings don't name the front-end gives it to nobody.
    const running = reporting.filter(({ frontEnds }) => Object.hasOwn(frontEnds, name));
    const behind = running.filter(
      ({ frontEnds: { [name]: now } }) =>
        !record || now?.serves !== servedBy(record) || now.canary !== record.canary?.id,
    );
    if (running.length > 0 && behind.length === 0)
      return { line: `${running.length} of ${running.length} gateways do so now.`, done: true };
    if (Date.now() >= until) return { line: troubleOf(name, running, behind), done: false };
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

type Gateways = Awaited<ReturnType<ReturnType<ReturnType<typeof gatewaysOf>['find']>['toArray']>>;

function troubleOf(name: string, running: Gateways, behind: Gateways): string {
  if (running.length === 0) return 'It is decided, but no gateway has asked for it: is one running?';
  const reasons = new Set(behind.map(({ frontEnds: { [name]: now } }) => now?.trouble ?? 'it hasn’t said why'));
  return `It is decided, but ${behind.length} of ${running.length} gateways don’t do it: ${[...reasons].join('; ')}.`;
}

/** The effect of a decision in one line. */
function effectOf(record: DeploymentRecord, kind: Decision['kind']): string {
  const served = servedBy(record);
  switch (kind) {
    case 'pin':
      return `${served} is served, whatever is deployed, until you run 'unpin'.`;
    case 'rollback':
      return `${served} is served, ${record.held?.kind === 'pinned' ? 'whatever is deployed, ' : 'until another release is deployed, or '}until you run 'unpin'.`;
    case 'canary':
      return record.canary ? describeCanary(record.canary) : 'The canary has ended already.';
    case 'stop':
      return `Nobody gets ${record.lastCanary?.version ?? 'it'} any more; open pages keep what they have loaded.`;
    case 'unpin':
    case 'promoted':
    case 'rolled back':
    default:
      return `${served}, the release deployed last, is served.`;
  }
}

const percent = (part: number): string => `${Number((part * 100).toFixed(2))}%`;
const counted = ({ visits, errors }: Totals): string => `${visits} visits, ${errors} with an error`;

/** A running canary in one line. @param totals - none right after its start */
export function describeCanary(
  { version, share, errorRate, minVisits, quietMinutes }: Canary,
  totals?: Totals,
): string {
  const so = totals ? `: ${counted(totals)} so far` : '';
  return `${percent(share)} of visitors get ${version}${so}. After ${minVisits} visits it is rolled back at ${percent(errorRate)} with an error, and promoted after ${quietMinutes} minutes without one.`;
}

const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

const outcomes = {
  pin: 'pinned',
  unpin: 'unpinned',
  rollback: 'rolled back to',
  canary: 'started as a canary',
  stop: 'stopped as a canary',
  promoted: 'promoted to everybody',
  'rolled back': 'rolled back as a canary',
} as const satisfies Record<Decision['kind'], string>;

const heldWords = { pinned: 'pinned', promoted: 'promoted', 'rolled back': 'rolled back to' } as const;

const deciders = {
  admin: 'by an admin',
  operator: 'at the command line',
  gateway: 'by its visitors’ pages',
} as const;

async function list(context: DeploymentContext, name: string | undefined): Promise<string[]> {
  const all = (await allDeployments(context)).filter(({ _id }) => name === undefined || _id === name);
  if (all.length === 0)
    throw new CommandError(
      name === undefined
        ? 'No gateway has reported any release yet.'
        : `No releases of ${name} are kept here. Is it in the gateway’s REMOTES, and does its server keep releases (RELEASES_DIR)?`,
    );
  const lines = await Promise.all(all.map(async (record) => [`${record._id}:`, ...(await describe(context, record))]));
  return lines.flat();
}

/** A front-end's releases, in lines. */
export async function describe(context: Pick<DeploymentContext, 'db'>, record: DeploymentRecord): Promise<string[]> {
  const { _id: name, releases, deployed, held, canary, lastCanary, decision } = record;
  const figures = await readFigures(context, name);
  const note = heldNote(record);
  const reported = releases.flatMap(({ version }) => {
    const of = figures.get(version);
    return of ? [`${version.padEnd(24)} ${describeFigures(of)}`] : [];
  });
  return [
    ...releases.map(({ version, at }) => {
      const notes = [
        version === servedBy(record) && 'served',
        note !== undefined && version === held?.version && heldWords[held.kind],
        version === canary?.version && 'canary',
        version === deployed.version && 'deployed last',
      ];
      return `${version.padEnd(24)} ${minute(at)}  ${notes.filter(Boolean).join(', ')}`.trimEnd();
    }),
    ...(note === undefined ? [] : [`${note.charAt(0).toUpperCase()}${note.slice(1)}.`]),
    ...(decision
      ? [
          `Last decided ${deciders[decision.by]} on ${minute(decision.at)}: ${decision.version ?? 'the next deployment'} ${outcomes[decision.kind]}.`,
        ]
      : []),
    ...(reported.length === 0 ? [] : [`Reported by visitors' pages in the last ${figureDays} days:`, ...reported]),
    ...(canary
      ? [describeCanary(canary, await totalsOf(context, name, canary.id))]
      : lastCanary
        ? [
            `The last canary, ${lastCanary.version}, was ${lastCanary.outcome} on ${minute(lastCanary.at)}: ${counted(lastCanary)}.`,
          ]
        : []),
  ];
}

/** What visitors' pages have reported about a release, in a few words. */
function describeFigures(of: ReleaseFigures): string {
  const [lcp, inp, cls] = (['LCP', 'INP', 'CLS'] as const).map((name) => p75(of, name));
  return [
    counted(of),
    lcp !== undefined && `LCP ${(lcp / 1000).toFixed(1)} s`,
    inp !== undefined && `INP ${Math.round(inp)} ms`,
    cls !== undefined && `CLS ${cls.toFixed(2)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
