import { createHash } from 'node:crypto';
import { endedCanaries, readCanary, type Canary, type CanaryEnd, type CanaryRules } from './canary-log.ts';
import { endCanary, startCanary, totalCounts } from './canary.ts';
import {
  claimDecision,
  lastDecision,
  lastDecisionId,
  withdrawDecision,
  type ReleaseDecision,
} from './release-decisions.ts';
import {
  findRelease,
  pinRelease,
  readReleases,
  releaseBefore,
  ReleaseError,
  rollBack,
  servedRelease,
  unpinRelease,
  type ReleaseState,
} from './releases.ts';

/** A change by an operator. A version may be in full, without its digest, or a prefix; the latest match wins. */
export type ReleaseChange =
  | { readonly kind: 'pin'; readonly version: string }
  | { readonly kind: 'unpin' | 'rollback' | 'stop' }
  | { readonly kind: 'canary'; readonly version: string; readonly rules: CanaryRules };

/** The state of a front-end's releases. */
export interface Deployment {
  readonly state: ReleaseState;
  readonly canary: Canary | undefined;
  readonly lastCanary: (Canary & CanaryEnd) | undefined;
  readonly lastDecision: ReleaseDecision | undefined;
  /** Changes with every decision of an operator or a gateway, and with every deployment. */
  readonly revision: string;
}

/** Another operator or a gateway has decided in the meantime. */
export class ChangedMeanwhile extends ReleaseError {
  constructor() {
    super('Somebody else has just changed these releases; look again first');
  }
}

/** Reads the state of a front-end's releases. @param releases - folder of releases */
export async function readDeployment(releases: string): Promise<Deployment> {
  const [state, canary, [lastCanary], decision] = await Promise.all([
    readReleases(releases),
    readCanary(releases),
    endedCanaries(releases),
    lastDecision(releases),
  ]);
  const { deployed, pinned, rolledBackFrom } = state;
  const decided = JSON.stringify([deployed, pinned, rolledBackFrom, canary?.id, lastCanary?.id, decision?.id]);
  const revision = createHash('sha256').update(decided).digest('base64url').slice(0, 22);
  return { state, canary, lastCanary, lastDecision: decision, revision };
}

export interface ChangeOptions {
  /** Account of the admin; none on the command line. */
  readonly account?: string;
  /** The revision that the operator saw; if omitted, any. */
  readonly revision?: string;
  /**
   * Makes the change, with whatever belongs to it; called once. If it rejects before `apply` has finished, the decision is
   * withdrawn; later the decision stays, because the releases have changed.
   */
  readonly carryOut?: (decision: ReleaseDecision, before: Deployment, apply: () => Promise<void>) => Promise<void>;
}

/** Attempts of a command that loses to others. */
const attempts = 5;

/**
 * Makes a change and records who made it. Of several changes based on the same revision, only one is made.
 *
 * @param releases - folder of releases
 * @throws ChangedMeanwhile if the revision has changed, or another decision is made at the same moment
 * @throws ReleaseError if it can't be done
 */
export async function changeReleases(
  releases: string,
  change: ReleaseChange,
  { account, revision, carryOut = (_decision, _before, apply) => apply() }: ChangeOptions = {},
): Promise<ReleaseDecision> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    // Read before the state: any decision made after this takes the next number, and ours is rejected.
    const last = await lastDecisionId(releases);
    const before = await readDeployment(releases);
    if (revision !== undefined && before.revision !== revision) throw new ChangedMeanwhile();
    const decision: ReleaseDecision = {
      id: last + 1,
      kind: change.kind,
      ...versionAfter(before, change),
      ...(account !== undefined && { account }),
      at: new Date().toISOString(),
    };
    if (await claimDecision(releases, decision)) {
      await carriedOut(releases, decision, (onApplied) =>
        carryOut(decision, before, () => apply(releases, change, before).then(onApplied)),
      );
      return decision;
    }
    if (revision !== undefined) throw new ChangedMeanwhile();
  }
  throw new ChangedMeanwhile();
}

async function carriedOut(
  releases: string,
  decision: ReleaseDecision,
  carryOut: (onApplied: () => void) => Promise<void>,
): Promise<void> {
  let isApplied = false;
  try {
    await carryOut(() => {
      isApplied = true;
    });
  } catch (error) {
    if (!isApplied) await withdrawDecision(releases, decision);
    throw error;
  }
}

/** The release that a change concerns. @throws ReleaseError if the change can't be made */
function versionAfter({ state, canary }: Deployment, change: ReleaseChange): { readonly version?: string } {
  switch (change.kind) {
    case 'pin':
      return { version: findRelease(state, change.version).version };
    case 'rollback':
      return { version: releaseBefore(state).version };
    case 'canary':
      return { version: findRelease(state, change.version).version };
    case 'stop':
      if (!canary) throw new ReleaseError('No canary is running');
      return { version: canary.version };
    case 'unpin':
    default: {
      const version = servedRelease({ ...state, pinned: undefined })?.version;
      return version === undefined ? {} : { version };
    }
  }
}

async function apply(releases: string, change: ReleaseChange, { canary }: Deployment): Promise<void> {
  switch (change.kind) {
    case 'pin':
      return void (await pinRelease(releases, change.version));
    case 'unpin':
      return void (await unpinRelease(releases));
    case 'rollback':
      return void (await rollBack(releases));
    case 'canary':
      return void (await startCanary(releases, change.version, change.rules));
    case 'stop':
    default: {
      if (!canary) throw new ChangedMeanwhile();
      const counts = await totalCounts(releases, canary);
      // A gateway may just have decided.
      if (!(await endCanary(releases, canary, { ...counts, outcome: 'stopped' }))) throw new ChangedMeanwhile();
    }
  }
}
