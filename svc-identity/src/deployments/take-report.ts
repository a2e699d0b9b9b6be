import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import {
  type GatewayOrders,
  type GatewayReport,
  type KeptReleases,
} from '@clinic/service-kit/deployments/gateway-report';
import type { IdentityContext } from '../settings.ts';
import { decide } from './decide.ts';
import {
  deploymentsOf,
  gatewaysOf,
  heldNote,
  servedBy,
  type Canary,
  type DeploymentContext,
  type DeploymentRecord,
  type Release,
} from './deployment-record.ts';
import { evidenceOf, fails, noteFigures, readFigures, seenBy } from './figures.ts';

interface DeciderContext extends DeploymentContext {
  readonly log: Pick<IdentityContext['log'], 'info' | 'error'>;
}

/**
 * Notes what a gateway has seen, and ends the canaries that its figures decide.
 *
 * @param now - milliseconds since 1970
 * @returns what gateways do about each front-end
 */
export async function takeReport(
  context: DeciderContext,
  { gateway, frontEnds }: GatewayReport,
  now = Date.now(),
): Promise<GatewayOrders> {
  const entries = Object.entries(frontEnds);
  const doing = entries.map(([name, { kept: _kept, figures: _figures, ...does }]) => [name, does]);
  await gatewaysOf(context).updateOne(
    { _id: gateway },
    { $set: { at: new Date(now), frontEnds: Object.fromEntries(doing) } },
    { upsert: true },
  );
  const before = new Map((await allDeployments(context)).map((record) => [record._id, record]));
  for (const [name, { kept, figures }] of entries) {
    if (!kept) continue;
    await noteReleases(context, before.get(name), name, kept, now);
    for (const each of figures) await noteFigures(context, name, gateway, each, now);
  }
  const records = await allDeployments(context);
  for (const { _id: name, canary } of records) if (canary) await judgeCanary(context, name, canary, now);
  return ordersOf(await allDeployments(context));
}

/** Most front-ends that are read. */
const mostFrontEnds = 100;

/** All front-ends whose releases are kept, by name. */
export function allDeployments(context: Pick<DeploymentContext, 'db'>): Promise<DeploymentRecord[]> {
  return deploymentsOf(context).find({}).sort({ _id: 1 }).limit(mostFrontEnds).toArray();
}

/** Follows what a front-end's server keeps; a deployment ends a roll-back. A gateway that saw an earlier deployment last is ignored. */
async function noteReleases(
  context: DeploymentContext,
  record: DeploymentRecord | undefined,
  name: string,
  { deployed: last, releases: listed, pinned }: KeptReleases,
  now: number,
): Promise<void> {
  const deployed = inOurTime(last, record, now);
  const releases = listed
    .map((release) => inOurTime(release, record, now))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (!record) {
    const held =
      pinned === undefined ? {} : { held: { kind: 'pinned', version: pinned, from: deployed.version } as const };
    try {
      await deploymentsOf(context).insertOne({ _id: name, deployed, releases, ...held, canaries: 0, revision: 1 });
    } catch (error) {
      // Another gateway reported it first.
      if (!isDuplicateKey(error)) throw error;
    }
    return;
  }
  if (deployed.at < record.deployed.at && Date.parse(record.deployed.at) <= now) return;
  if (JSON.stringify([record.deployed, record.releases]) === JSON.stringify([deployed, releases])) return;
  const { held } = record;
  const isOver = held !== undefined && held.kind !== 'pinned' && held.from !== deployed.version;
  // If something was decided meanwhile, the next report is noted instead.
  await deploymentsOf(context).updateOne(
    { _id: name, revision: record.revision },
    { $set: { deployed, releases }, ...(isOver && { $unset: { held: true } }), $inc: { revision: 1 } },
  );
}

/** A front-end's server may have a clock that is ahead: what it deploys in the future was deployed when we were first told. */
function inOurTime({ version, at }: Release, record: DeploymentRecord | undefined, now: number): Release {
  const known = [record?.deployed, ...(record?.releases ?? [])].find(
    (one) => one?.version === version && (one.claimedAt ?? one.at) === at && Date.parse(one.at) <= now,
  );
  if (known) return known;
  return Date.parse(at) <= now ? { version, at } : { version, at: new Date(now).toISOString(), claimedAt: at };
}

async function judgeCanary(context: DeciderContext, name: string, canary: Canary, now: number): Promise<void> {
  const evidence = evidenceOf(await readFigures(context, name), canary.id);
  const kind = judge(canary, evidence, now);
  if (kind === undefined) return;
  try {
    await decide(context, name, { kind, canary: canary.id });
    context.log[kind === 'promoted' ? 'info' : 'error'](
      { remote: name, version: canary.version, visits: evidence.all.visits, errors: evidence.all.errors },
      `canary ${kind}`,
    );
  } catch (error) {
    // An admin or another replica was faster.
    if (!(error instanceof ProblemError && error.code === 'changed_meanwhile')) throw error;
  }
}

/**
 * Decides about a canary. It fails only with and without the network that makes the most of its errors, so that what one
 * network made up doesn't roll it back; but while it fails with that network, an admin must say whose it is.
 *
 * @param now - milliseconds since 1970
 * @returns `undefined` while it stays undecided
 */
export function judge(
  canary: Canary,
  { all, others }: ReturnType<typeof evidenceOf>,
  now: number,
): 'promoted' | 'rolled back' | undefined {
  const { since, minVisits, quietMinutes } = canary;
  if (seenBy(all) < minVisits) return undefined;
  if (fails(canary, all)) return fails(canary, others) ? 'rolled back' : undefined;
  const passes = [all, others].some(
    (evidence) =>
      seenBy(evidence) >= minVisits &&
      !fails(canary, evidence) &&
      now - Math.max(Date.parse(since), evidence.lastErrorAt) >= quietMinutes * 60_000,
  );
  return passes ? 'promoted' : undefined;
}

function ordersOf(records: readonly DeploymentRecord[]): GatewayOrders {
  const orders = records.map((record) => {
    const { _id: name, canary } = record;
    const note = heldNote(record);
    return [
      name,
      {
        ...(note !== undefined && { served: { version: servedBy(record), note } }),
        ...(canary && { canary: { id: canary.id, version: canary.version, share: canary.share } }),
      },
    ] as const;
  });
  return { frontEnds: Object.fromEntries(orders) };
}
