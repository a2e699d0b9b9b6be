import type { ParsedBody } from '@clinic/contracts';
import type { Deployment } from '../contract/deployment-calls.ts';
import type { By } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { requireAdmin } from '../users/admin-guard.ts';
import { decide, type Decision } from './decide.ts';
import { describeDeployment } from './list-deployments.ts';

export interface DeploymentChange extends By {
  /** The front-end. */
  readonly name: string;
  readonly change: ParsedBody<'changeDeployment'>;
}

/**
 * Changes which release of a front-end visitors get, for an admin.
 *
 * @throws ProblemError not_found; changed_meanwhile if the revision isn't the current one; transition_refused if it can't be
 *   done; session_stale if the caller is no longer an admin
 */
export async function changeDeployment(
  context: IdentityContext,
  { name, change, caller, requestId }: DeploymentChange,
): Promise<Deployment> {
  const record = await decide(context, {
    name,
    decision: toDecision(change),
    by: 'admin',
    caller,
    requestId,
    revision: change.revision,
    guard: (session) => requireAdmin(context, session, caller),
  });
  return describeDeployment(context, record);
}

function toDecision(body: ParsedBody<'changeDeployment'>): Decision {
  if (body.kind === 'pin') return { kind: body.kind, version: body.version };
  if (body.kind !== 'canary') return { kind: body.kind };
  const { kind, version, share, errorRate, minVisits, quietMinutes } = body;
  return { kind, version, rules: { share, errorRate, minVisits, quietMinutes } };
}
