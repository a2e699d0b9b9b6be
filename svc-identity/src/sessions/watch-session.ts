import { isReleaseAction } from '@clinic/contracts/event-actions';
import { changeStream, type RecordedChange, type SessionCaller } from '@clinic/service-kit';
import { changedRecord } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';

/**
 * Actions that change the person's own data but not their rights. A change of rights ends the stream with `session`
 * instead, and the renewed session has the new ones.
 */
const changesOfData: ReadonlySet<string> = new Set(['profile changed', 'profile registered']);

/** Handler of the stream that notifies people when their account changes, and admins when any account or a release does. */
export function sessionWatch(context: IdentityContext) {
  return changeStream(context, {
    all: ({ role }) =>
      role === 'admin' ? ['getSession', 'getUser', 'listUsers', 'listDeployments'] : ['getSession', 'getUser'],
    touchedBy({ type, id, action }: RecordedChange, caller: SessionCaller) {
      if (type !== changedRecord) return [];
      if (isReleaseAction(action)) return caller.role === 'admin' ? ['listDeployments'] : [];
      return [
        ...(id === caller.id && changesOfData.has(action) ? (['getSession', 'getUser'] as const) : []),
        ...(caller.role === 'admin' ? (['listUsers'] as const) : []),
      ];
    },
  });
}
