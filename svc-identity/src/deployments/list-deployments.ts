import type { CallResponse } from '@clinic/contracts';
import type { Deployment } from '../contract/deployment-calls.ts';
import { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';
import { totalsOf } from './decide.ts';
import {
  figureDays,
  figuresOf,
  releaseBefore,
  revisionOf,
  servedBy,
  type DeploymentRecord,
  type Totals,
} from './deployment-record.ts';
import { allDeployments } from './take-report.ts';

type Context = Pick<IdentityContext, 'db'>;

/** The releases of every front-end, by name. */
export async function listDeployments(context: Context): Promise<CallResponse<'listDeployments'>> {
  const records = await allDeployments(context);
  const frontEnds = await Promise.all(records.map((record) => describeDeployment(context, record)));
  return { kept: frontEnds.length > 0, days: figureDays, frontEnds };
}

/** The state of one front-end's releases. */
export async function describeDeployment(context: Context, record: DeploymentRecord): Promise<Deployment> {
  const { _id: name, deployed, releases, held, canary } = record;
  const served = servedBy(record);
  const [figures, totals] = await Promise.all([
    readFigures(context, name),
    canary && totalsOf(context, name, canary.id),
  ]);
  return {
    name,
    revision: revisionOf(record),
    served,
    deployed: deployed.version,
    held: held?.version === served ? held.kind : undefined,
    before: releaseBefore(record),
    releases: releases.map(({ version, at }) => ({ version, at, figures: figures.get(version) })),
    ...(canary && totals && { canary: { ...canary, visits: totals.visits, errors: totals.errors } }),
    decision: await lastDecision(context, record),
  };
}

/** What visitors' pages have reported in the last days, by version. */
async function readFigures(context: Context, name: string): Promise<ReadonlyMap<string, Totals>> {
  const total = new Map<string, Totals>();
  const firstDay = new Date(Date.now() - (figureDays - 1) * 86_400_000).toISOString().slice(0, 10);
  for await (const { version, visits, errors } of figuresOf(context).find({ name, at: { $gte: new Date(firstDay) } })) {
    const sum = total.get(version) ?? { visits: 0, errors: 0 };
    total.set(version, { visits: sum.visits + visits, errors: sum.errors + errors });
  }
  return total;
}

/** The last decision, with the admin's email if they still have an account. */
async function lastDecision(context: Context, { decision }: DeploymentRecord): Promise<Deployment['decision']> {
  if (!decision) return undefined;
  const { account, basedOn: _revision, ...made } = decision;
  if (account === undefined || !ObjectId.isValid(account)) return made;
  const user = await usersOf(context).findOne({ _id: new ObjectId(account) }, { projection: { email: 1 } });
  return { ...made, email: user?.email };
}
