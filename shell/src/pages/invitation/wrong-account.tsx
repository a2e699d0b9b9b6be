import { notify, useSession } from '@clinic/app-kit';
import { reasonFor } from '@clinic/app-kit/host';
import { Button } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { capitalised } from '../capitalised.ts';

/** The logged-in person isn't the invited one. */
export function WrongAccount({ own, invited }: { readonly own: string; readonly invited: string }) {
  const { logout } = useSession();
  const [busy, setBusy] = useState(false);

  async function leave(): Promise<void> {
    setBusy(true);
    try {
      await logout();
    } catch (error) {
      console.error('Logout failed', error);
      notify.error('Logout failed', capitalised(reasonFor(error)));
      setBusy(false);
    }
  }

  return (
    <AuthCard title="This invitation is for someone else" text={`It’s for ${invited}. You’re logged in as ${own}.`}>
      <p>
        Is {invited} your address too? Log out, then register or log in with it. A role belongs to one account and its
        address.
      </p>
      <Button block busy={busy} icon="logout" onClick={() => void leave()}>
        Log out and continue as {invited}
      </Button>
    </AuthCard>
  );
}
