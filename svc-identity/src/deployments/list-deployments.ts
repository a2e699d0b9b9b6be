import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CallResponse, Deployment } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import { ifPresent } from '@clinic/static-server/atomic-files';
import { totalCounts } from '@clinic/static-server/canary';
import { readDeployment, type Deployment as KeptDeployment } from '@clinic/static-server/change-releases';
import { figureDays, p75, readFigures, type ReleaseFigures } from '@clinic/static-server/release-figures';
import { hasPrevious, isPromoted, releaseBefore, servedRelease } from '@clinic/static-server/releases';
import { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';

/** Maximum folders that are read as front-ends. */
const mostFrontEnds = 100;

/** The releases of every front-end, by name. */
export async function listDeployments(context: IdentityContext): Promise<CallResponse<'listDeployments'>> {
  const names = await frontEndsIn(context.settings.RELEASES_DIR);
  const frontEnds = await Promise.all(names.map((name) => describeDeployment(context, name)));
  return { kept: context.settings.RELEASES_DIR !== undefined, days: figureDays, frontEnds };
}

/** @returns the folder of a front-end's releases. @throws ProblemError not_found if none are kept */
export async function releasesOf({ settings }: IdentityContext, name: string): Promise<string> {
  if (!(await frontEndsIn(settings.RELEASES_DIR)).includes(name))
    throw new ProblemError('not_found', { detail: `No releases of ${name} are kept here.` });
  return path.join(settings.RELEASES_DIR ?? '', name);
}

/** Names of the front-ends whose releases are kept. */
export async function frontEndsIn(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  // The folder is created with the first front-end.
  const entries = (await ifPresent(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && /^[a-z][a-z0-9-]*$/.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .slice(0, mostFrontEnds);
}

/** The state of one front-end's releases. */
export async function describeDeployment(context: IdentityContext, name: string): Promise<Deployment> {
  const folder = path.join(context.settings.RELEASES_DIR ?? '', name);
  const [kept, figures] = await Promise.all([readDeployment(folder), readFigures(folder)]);
  const { state, canary, revision } = kept;
  const served = servedRelease(state)?.version;
  return {
    name,
    revision,
    served,
    deployed: state.deployed,
    held: heldBy(kept),
    before: hasPrevious(state) ? releaseBefore(state).version : undefined,
    releases: state.releases.map(({ version, at }) => {
      const of = figures[version];
      return { version, at, ...(of && { figures: inWords(of) }) };
    }),
    ...(canary && { canary: { ...canary, ...(await countsOf(folder, canary)) } }),
    decision: await lastDecision(context, kept),
  };
}

async function countsOf(folder: string, canary: Parameters<typeof totalCounts>[1]) {
  const { visits, errors } = await totalCounts(folder, canary);
  return { visits, errors };
}

function heldBy({ state }: KeptDeployment): Deployment['held'] {
  const served = servedRelease(state);
  if (served === undefined || served.version !== state.pinned) return undefined;
  if (state.rolledBackFrom === undefined) return 'pinned';
  return isPromoted(state) ? 'promoted' : 'rolled back';
}

function inWords(figures: ReleaseFigures): Deployment['releases'][number]['figures'] {
  const { visits, errors } = figures;
  return { visits, errors, lcp: p75(figures, 'LCP'), inp: p75(figures, 'INP'), cls: p75(figures, 'CLS') };
}

/** The latest decision, by an admin, the command line or the gateways. */
async function lastDecision(
  context: IdentityContext,
  { lastDecision, lastCanary }: KeptDeployment,
): Promise<Deployment['decision']> {
  if (lastCanary && lastCanary.outcome !== 'stopped' && (!lastDecision || lastDecision.at < lastCanary.at))
    return { at: lastCanary.at, kind: lastCanary.outcome, version: lastCanary.version, by: 'gateway' };
  if (!lastDecision) return undefined;
  const { at, kind, version, account } = lastDecision;
  if (account === undefined) return { at, kind, version, by: 'operator' };
  const user = ObjectId.isValid(account)
    ? await usersOf(context).findOne({ _id: new ObjectId(account) }, { projection: { email: 1 } })
    : null;
  return { at, kind, version, by: 'admin', email: user?.email };
}
