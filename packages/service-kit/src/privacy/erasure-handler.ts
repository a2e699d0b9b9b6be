import { hasRole, isStaff } from '@clinic/contracts';
import type { SessionCaller } from '../auth/session-claims.ts';
import type { ServiceContext } from '../context.ts';
import { unavailable } from '../http/error-mapping.ts';
import { ProblemError } from '../http/problem-error.ts';
import { readDeletions } from './deletions.ts';
import type { ErasureProgress } from './erase-person.ts';
import { erasuresOf } from './erased-counts.ts';

interface ErasureRequest {
  readonly call: { readonly service: string };
  readonly body: { readonly userId: string };
  readonly caller: SessionCaller;
}

/**
 * Handler of the calls by which front-ends of earlier releases had each service erase a person. They erase nothing any
 * more: svc-identity drives that, from when a deletion is started there. They only say how far this service has got, so
 * that those front-ends go on to start it, or wait until it is done.
 */
export function erasureHandler(context: Pick<ServiceContext, 'db' | 'settings' | 'stopping'>) {
  return async ({ call, body, caller }: ErasureRequest): Promise<ErasureProgress> => {
    const userId = body.userId.toLowerCase();
    const own = userId === caller.id;
    if (!own && !hasRole(caller, ['admin'])) throw new ProblemError('forbidden');
    if (own && isStaff(caller))
      throw new ProblemError('staff_account', {
        detail: 'Ask an admin to remove your role and rights. Then you can delete your account.',
      });
    let open;
    try {
      open = await readDeletions(context, call.service);
    } catch (error) {
      // Also a svc-identity of an earlier release, which would delete the account without this service.
      throw unavailable('People can’t be deleted right now. Try again in a moment.', error);
    }
    const erasure = await erasuresOf(context.db).findOne({ _id: userId });
    const { records = 0, cancelled = 0, events = 0 } = erasure ?? {};
    return { done: !open.some(({ person }) => person.id === userId), records, cancelled, events };
  };
}
