import { isAllowed } from '@clinic/contracts';
import { changeStream, type RecordedChange, type SessionCaller } from '@clinic/service-kit';
import { changedRecord } from '../access/access-events.ts';
import { isReleaseAction } from '../contract/actions.ts';
import { identityCalls } from '../contract/calls.ts';
import type { IdentityContext } from '../settings.ts';

/**
 * Actions that change the person's own data but not their rights. A change of rights ends the stream with `session`
 * instead, and the renewed session has the new ones.
 */
const changesOfData: ReadonlySet<string> = new Set(['profile changed', 'profile registered']);

/** Lists that only some may read. */
type RestrictedList = 'listUsers' | 'listInvitations' | 'listDeployments';

/** Those of some lists that the caller may read. */
const listsOf = (caller: SessionCaller, ...lists: readonly RestrictedList[]) =>
  lists.filter((list) => isAllowed(caller, identityCalls[list].access));

/** Handler of the stream that notifies people when their account changes, and whoever may read them when any account or a release does. */
export function sessionWatch(context: IdentityContext) {
  return changeStream(context, {
    all: (caller) => [
      'getSession',
      'getUser',
      'listSessions',
      ...listsOf(caller, 'listUsers', 'listInvitations', 'listDeployments'),
    ],
    touchedBy({ type, id, action }: RecordedChange, caller: SessionCaller) {
      if (isReleaseAction(action)) return listsOf(caller, 'listDeployments');
      const own = id === caller.id;
      return [
        // What isn't a change of data may begin or end sessions.
        ...(own
          ? changesOfData.has(action)
            ? (['getSession', 'getUser'] as const)
            : (['listSessions'] as const)
          : []),
        // Invitations follow changes of roles, addresses and accounts, too.
        ...(type === changedRecord ? listsOf(caller, 'listUsers', 'listInvitations') : []),
      ];
    },
  });
}
