import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { canaryRules, type CanaryRules } from '../contract/deployment-calls.ts';
import { CommandError } from '../operator-command.ts';
import { decide, type Decision } from './decide.ts';
import {
  deploymentsOf,
  gatewaysOf,
  servedBy,
  type DeploymentContext,
  type GatewayRecord,
} from './deployment-record.ts';
import { describeReleases } from './describe-releases.ts';
import { allDeployments } from './take-report.ts';

export const usage = `releases.ts list [FRONT-END]              the kept releases, which one visitors get, and what their pages report
releases.ts pin FRONT-END VERSION         serves that release, whatever is deployed
releases.ts rollback FRONT-END            serves the previous release, until another one is deployed
releases.ts unpin FRONT-END               serves the release deployed last
releases.ts canary FRONT-END VERSION --share 5% [--errors 5%] [--visits 50] [--quiet 30m]
                                          gives part of the visitors that release; their errors decide
releases.ts stop FRONT-END                ends a canary`;

/** Reads a percentage as a part of 1. */
const part = (text: string): number => Number(/^(\d{1,3}(?:\.\d{1,2})?)%$/.exec(text)?.[1] ?? Number.NaN) / 100;

/** The options of `canary`: the rule that each sets, its default, and how it is read. */
const options = {
  share: { rule: 'share', type: 'string', default: '', read: part },
  errors: { rule: 'errorRate', type: 'string', default: '5%', read: part },
  visits: { rule: 'minVisits', type: 'string', default: '50', read: Number },
  quiet: {
    rule: 'quietMinutes',
    type: 'string',
    default: '30m',
    read: (text: string) => Number(text.replace(/m$/, '')),
  },
} as const;

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
  const { positionals, values } = parsed(command, given);
  const [name, version, ...more] = positionals;
  if (command === 'list' && version === undefined) return { lines: await list(context, name), done: true };
  const decision = decisionOf(command, version, values);
  if (name === undefined || !decision || more.length > 0) throw new CommandError(usage);
  if (version !== undefined) await untilReported(context, name, version, patience);
  const record = await decide(context, name, decision);
  const { line, done } = await followed(context, name, patience);
  return { lines: [...(await describeReleases(context, record)), line], done };
}

/** @returns `undefined` if they don't fit the command */
function decisionOf(
  command: string,
  version: string | undefined,
  values: Readonly<Record<string, unknown>>,
): Decision | undefined {
  if (version === undefined)
    return command === 'rollback' || command === 'unpin' || command === 'stop' ? { kind: command } : undefined;
  if (command === 'pin') return { kind: command, version };
  return command === 'canary' ? { kind: command, version, ...rulesOf(values) } : undefined;
}

/** Milliseconds until gateways have reported a build that was added just now. */
const reportedWithinMs = 10_000;

/** Waits for such a build. */
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
    await delay(everyMs);
  }
}

function parsed(command: string, given: readonly string[]) {
  try {
    return parseArgs({ args: [...given], options: command === 'canary' ? options : {}, allowPositionals: true });
  } catch (error) {
    // The parser's own errors name the option in their first sentence.
    const [named] = (error as Error).message.split('. ', 1);
    throw new CommandError(`${named}\n${usage}`);
  }
}

/** @throws CommandError that says what an option must be */
function rulesOf(values: Readonly<Record<string, unknown>>): CanaryRules {
  const all = Object.entries(options).map(([name, option]) => ({ name, ...option }));
  const given = all.map(({ name, rule, read }) => [rule, read(String(values[name]))]);
  const { success, data, error } = canaryRules.safeParse(Object.fromEntries(given));
  if (success) return data;
  const [issue] = error.issues;
  throw new CommandError(`--${all.find(({ rule }) => rule === issue?.path[0])?.name}: ${issue?.message}`);
}

/** Milliseconds after which a gateway that doesn't report has stopped. */
const silentMs = 8000;

/** Waits until every running gateway does what was decided. */
async function followed(
  context: DeploymentContext,
  name: string,
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
    await delay(everyMs);
  }
}

function troubleOf(name: string, running: readonly GatewayRecord[], behind: readonly GatewayRecord[]): string {
  if (running.length === 0) return 'It is decided, but no gateway has asked for it: is one running?';
  const reasons = new Set(behind.map(({ frontEnds: { [name]: now } }) => now?.trouble ?? 'it hasn’t said why'));
  return `It is decided, but ${behind.length} of ${running.length} gateways don’t do it: ${[...reasons].join('; ')}.`;
}

async function list(context: DeploymentContext, name: string | undefined): Promise<string[]> {
  const all = (await allDeployments(context)).filter(({ _id }) => name === undefined || _id === name);
  if (all.length === 0)
    throw new CommandError(
      name === undefined
        ? 'No gateway has reported any release yet.'
        : `No releases of ${name} are kept here. Is it in the gateway’s REMOTES, and does its server keep releases (RELEASES_DIR)?`,
    );
  return (await Promise.all(all.map((record) => describeReleases(context, record)))).flat();
}
