import type { CallResponse } from '@clinic/contracts';
import type { Deployment } from '../contract/deployment-calls.ts';
import { ObjectId } from 'mongodb';
import { usersOf } from '../users/user-record.ts';
import {
  figureDays,
  releaseBefore,
  revisionOf,
  servedBy,
  type Canary,
  type DeploymentRecord,
  type FiguresRecord,
  type Stored,
} from './deployment-record.ts';
import { addUp, evidenceOf, fails, readFigures, seenBy } from './figures.ts';
import { allDeployments } from './take-report.ts';

/** The releases of every front-end, by name. */
export async function listDeployments(context: Stored): Promise<CallResponse<'listDeployments'>> {
  const records = await allDeployments(context);
  const frontEnds = await Promise.all(records.map((record) => describeDeployment(context, record)));
  return { days: figureDays, frontEnds };
}

/** The state of one front-end's releases. */
export async function describeDeployment(context: Stored, record: DeploymentRecord): Promise<Deployment> {
  const { _id: name, deployed, releases, held, canary } = record;
  const served = servedBy(record);
  const figures = await readFigures(context, name);
  const byVersion = Map.groupBy(figures, ({ version }) => version);
  return {
    name,
    revision: revisionOf(record),
    served,
    deployed: deployed.version,
    held: held?.version === served ? held.kind : undefined,
    before: releaseBefore(record),
    releases: releases.map(({ version, at }) => {
      const reported = byVersion.get(version);
      return { version, at, figures: reported && addUp(reported) };
    }),
    ...(canary && { canary: { ...canary, ...canaryFigures(figures, canary) } }),
    decision: await lastDecision(context, record),
  };
}

function canaryFigures(figures: readonly FiguresRecord[], canary: Canary) {
  const { all, others } = evidenceOf(figures, canary.id);
  const oneNetwork = seenBy(all) >= canary.minVisits && fails(canary, all) && !fails(canary, others);
  return { visits: all.visits, errors: all.errors, oneNetwork };
}

/** The last decision, with the admin's email if they still have an account. */
async function lastDecision(context: Stored, { decision }: DeploymentRecord): Promise<Deployment['decision']> {
  if (!decision) return undefined;
  const { account, basedOn: _revision, ...made } = decision;
  if (account === undefined || !ObjectId.isValid(account)) return made;
  const user = await usersOf(context).findOne({ _id: new ObjectId(account) }, { projection: { email: 1 } });
  return { ...made, email: user?.email };
}
