import type { Deployment, ParsedBody } from '@clinic/contracts';
import { appendEvent, ProblemError } from '@clinic/service-kit';
import {
  ChangedMeanwhile,
  changeReleases,
  type Deployment as KeptDeployment,
  type ReleaseChange,
} from '@clinic/static-server/change-releases';
import type { ReleaseDecision } from '@clinic/static-server/release-decisions';
import { ReleaseError, servedRelease } from '@clinic/static-server/releases';
import { changedRecord, type By } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { requireAdmin } from '../users/admin-guard.ts';
import { actionOf, noteDecision } from './decision-notes.ts';
import { describeDeployment, releasesOf } from './list-deployments.ts';

export interface DeploymentChange extends By {
  /** The front-end. */
  readonly name: string;
  readonly change: ParsedBody<'changeDeployment'>;
}

/**
 * Changes which release of a front-end visitors get. The files decide between concurrent admins; the history gets an
 * event only for a change that was made. If the database fails after the files have changed, the call fails and
 * `noticeDecisions` adds the event later.
 *
 * @throws ProblemError not_found; changed_meanwhile if the revision isn't the current one; transition_refused if it can't be
 *   done; session_stale if the caller is no longer an admin
 */
export async function changeDeployment(
  context: IdentityContext,
  { name, change, ...by }: DeploymentChange,
): Promise<Deployment> {
  const folder = await releasesOf(context, name);
  try {
    await changeReleases(folder, toChange(change), {
      account: by.caller.id,
      revision: change.revision,
      carryOut: async (decision, before, apply) => {
        // A transaction may run twice; the files are changed once.
        let applied: Promise<void> | undefined;
        await context.inTransaction(async (session) => {
          await requireAdmin(context, session, by.caller);
          await appendEvent(context, session, {
            call: 'changeDeployment',
            ...by,
            record: { type: changedRecord, id: name },
            action: actionOf[decision.kind],
            before: { name, version: servedRelease(before.state)?.version },
            after: { name, ...afterwards(decision, before), ...(change.kind === 'canary' && { share: change.share }) },
          });
          await noteDecision(context, session, { name, ...decision });
          await (applied ??= apply());
        });
      },
    });
  } catch (error) {
    throw problemOf(error);
  }
  return describeDeployment(context, name);
}

function toChange(body: ParsedBody<'changeDeployment'>): ReleaseChange {
  if (body.kind === 'pin') return { kind: body.kind, version: body.version };
  if (body.kind !== 'canary') return { kind: body.kind };
  const { kind, version, share, errorRate, minVisits, quietMinutes } = body;
  return { kind, version, rules: { share, errorRate, minVisits, quietMinutes } };
}

/** A canary leaves the served release as it is. */
function afterwards({ kind, version }: ReleaseDecision, { state }: KeptDeployment): Readonly<Record<string, unknown>> {
  return kind === 'canary' || kind === 'stop'
    ? { version: servedRelease(state)?.version, canary: version }
    : { version };
}

function problemOf(error: unknown): unknown {
  if (error instanceof ChangedMeanwhile)
    return new ProblemError('changed_meanwhile', {
      detail: 'Somebody else has changed these releases, or a gateway has. Look at them again first.',
    });
  if (error instanceof ReleaseError) return new ProblemError('transition_refused', { detail: `${error.message}.` });
  return error;
}
