import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { appendEvent, ProblemError, refused } from '@clinic/service-kit';
import type { ReleaseAction } from '../contract/actions.ts';
import { canaryRules, type CanaryRules } from '../contract/deployment-calls.ts';
import { changedRecord, type By } from '../access/access-events.ts';
import { requireAdmin } from '../users/admin-guard.ts';
import {
  deploymentsOf,
  releaseBefore,
  revisionOf,
  servedBy,
  type DeploymentContext,
  type DeploymentRecord,
} from './deployment-record.ts';

/** A decision about a front-end's releases. A version may be in full, without its digest, or a prefix. */
export type Decision =
  | { readonly kind: 'pin'; readonly version: string }
  | { readonly kind: 'unpin' | 'rollback' | 'stop' }
  | ({ readonly kind: 'canary'; readonly version: string } & CanaryRules)
  /** By what visitors' pages have reported about the canary with this number. */
  | { readonly kind: 'promoted' | 'rolled back'; readonly canary: number };

/** The history's actions. */
const actionOf = {
  pin: 'release pinned',
  unpin: 'release unpinned',
  rollback: 'release rolled back',
  canary: 'canary started',
  stop: 'canary stopped',
  promoted: 'canary promoted',
  'rolled back': 'canary rolled back',
} as const satisfies Record<Decision['kind'], ReleaseAction>;

/** The admin who decides, and the revision that they saw. */
export interface DecidingAdmin extends By {
  readonly revision: string;
}

/** What a decision changes in the record. */
interface Change {
  /** The release that it is about. */
  readonly version: string;
  readonly set: Partial<DeploymentRecord>;
  readonly unset?: readonly ('held' | 'canary')[];
}

/**
 * Decides which release of a front-end visitors get, with its entry in the history. Of several decisions based on the same
 * revision, only one is made; it again, by the same admin, changes nothing. Gateways ask for it within two seconds.
 *
 * @param name - the front-end
 * @param admin - if omitted, an operator decides, or what pages have reported about a canary
 * @throws ProblemError not_found if no releases of it are kept; changed_meanwhile; transition_refused, with the reason;
 *   session_stale if the admin no longer is one
 */
export async function decide(
  context: DeploymentContext,
  name: string,
  decision: Decision,
  admin?: DecidingAdmin,
): Promise<DeploymentRecord> {
  const caller = admin?.caller;
  const by = caller ? 'admin' : 'canary' in decision ? 'gateway' : 'operator';
  const requestId = admin?.requestId ?? `${by}-${randomUUID()}`;
  return context.inTransaction(async (session) => {
    if (caller) await requireAdmin(context, session, caller);
    const before = await deploymentsOf(context).findOne({ _id: name }, { session });
    if (!before) throw new ProblemError('not_found', { detail: `No releases of ${name} are kept here.` });
    const basedOn = revisionOf(before);
    if (admin && basedOn !== admin.revision) {
      // The response to the first request may have been lost.
      if (isMade(before, decision, admin)) return before;
      throw changedMeanwhile();
    }
    const at = new Date().toISOString();
    const { version, set, unset = [] } = changeBy(before, decision, at);
    const after = await deploymentsOf(context).findOneAndUpdate(
      { _id: name, revision: before.revision },
      {
        $set: {
          ...set,
          decision: { at, kind: decision.kind, version, by, basedOn, ...(caller && { account: caller.id }) },
        },
        ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((field) => [field, true])) }),
        $inc: { revision: 1 },
      },
      { session, returnDocument: 'after' },
    );
    if (!after) throw changedMeanwhile();
    await appendEvent(context, session, {
      call: caller ? 'changeDeployment' : 'release files',
      at: new Date(at),
      caller,
      requestId,
      record: { type: changedRecord, id: name },
      action: actionOf[decision.kind],
      before: { name, version: servedBy(before) },
      after: {
        name,
        version: servedBy(after),
        ...(servedBy(after) !== version && { canary: version }),
        ...(decision.kind === 'canary' && { share: decision.share }),
        ...(!caller && { decidedBy: by === 'operator' ? 'command line' : by }),
      },
    });
    return after;
  });
}

/** Whether the last decision is this one of an admin, about the same revision. */
function isMade(
  { decision: last, releases, canary }: DeploymentRecord,
  decision: Decision,
  { caller, revision }: DecidingAdmin,
): boolean {
  if (!last || last.basedOn !== revision || last.account !== caller.id || last.kind !== decision.kind) return false;
  if (!('version' in decision)) return true;
  if (findRelease({ releases }, decision.version) !== last.version) return false;
  return decision.kind === 'pin' || isDeepStrictEqual({ ...canary, ...canaryRules.parse(decision) }, canary);
}

const changedMeanwhile = (): ProblemError =>
  new ProblemError('changed_meanwhile', {
    detail: 'Somebody else has changed these releases, or a canary has just ended. Look at them again first.',
  });

function changeBy(record: DeploymentRecord, decision: Decision, at: string): Change {
  const { deployed, held, canary } = record;
  const from = deployed.version;
  switch (decision.kind) {
    case 'pin': {
      const version = findRelease(record, decision.version);
      return { version, set: { held: { kind: 'pinned', version, from } } };
    }
    case 'unpin':
      return { version: from, set: {}, unset: ['held'] };
    case 'rollback': {
      const version = releaseBefore(record);
      if (version === undefined) throw refused(`There is no release before ${servedBy(record)}.`);
      // Before a pin, somebody wanted the deployed one not to count.
      const kind = held?.kind === 'pinned' && servedBy(record) === held.version ? 'pinned' : 'rolled back';
      return { version, set: { held: { kind, version, from } } };
    }
    case 'canary': {
      const version = findRelease(record, decision.version);
      if (record._id === 'shell')
        throw refused('Only a remote can have a canary: the shell is the same for everybody.');
      if (version === servedBy(record)) throw refused(`Everybody has ${version} already.`);
      if (canary) throw refused(`The canary ${canary.version} is running; stop it first.`);
      const id = record.canaries + 1;
      return { version, set: { canaries: id, canary: { ...canaryRules.parse(decision), id, version, since: at } } };
    }
    case 'stop': {
      if (!canary) throw refused('No canary is running.');
      return { version: canary.version, set: {}, unset: ['canary'] };
    }
    case 'promoted':
    case 'rolled back':
    default: {
      if (canary?.id !== decision.canary) throw changedMeanwhile();
      const { version } = canary;
      if (decision.kind === 'rolled back') return { version, set: {}, unset: ['canary'] };
      // If it has been deployed meanwhile, nothing needs to be held.
      return version === from
        ? { version, set: {}, unset: ['canary', 'held'] }
        : { version, set: { held: { kind: 'promoted', version, from } }, unset: ['canary'] };
    }
  }
}

/**
 * Finds a kept release by its version: in full, without its digest, or a prefix.
 *
 * @throws ProblemError transition_refused if none matches, or several builds do
 */
function findRelease({ releases }: Pick<DeploymentRecord, 'releases'>, requested: string): string {
  const versions = releases.map(({ version }) => version);
  if (versions.includes(requested)) return requested;
  const named = versions.filter((version) => version.split('+')[0] === requested);
  const matching = named.length > 0 ? named : versions.filter((version) => version.startsWith(requested));
  const [found, ...others] = matching;
  if (found === undefined)
    throw refused(`There is no release ${requested} here; there are ${versions.join(', ') || 'none'}.`);
  if (others.length > 0)
    throw refused(`There are ${matching.length} builds of ${requested}: say which of ${matching.join(', ')}.`);
  return found;
}
