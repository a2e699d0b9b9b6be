import { notify } from '@clinic/app-kit';
import { session, type IdentityCheck } from '@clinic/app-kit/host';
import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';

/** Shows a prompt for the person's identity whenever a call or action waits for one, on any page. */
export function IdentityChecks() {
  const [check] = useSyncExternalStore(session.checks.subscribe, session.checks.get);
  const [Dialog, setDialog] = useState<ComponentType<{ readonly check: IdentityCheck }>>();
  useEffect(() => {
    if (!check || Dialog) return;
    import(/* webpackChunkName: "identity-check" */ './identity-dialog.tsx').then(
      ({ IdentityDialog }) => setDialog(() => IdentityDialog),
      (error: unknown) => {
        console.error('The identity check dialog could not be loaded', error);
        notify.error('We couldn’t check it’s you', 'Check your connection and try again.');
        check.cancel();
      },
    );
  }, [check, Dialog]);
  return check && Dialog ? <Dialog key={check.id} check={check} /> : null;
}
