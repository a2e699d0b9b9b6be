import type { ChooseGoogleAccount, GoogleAccount } from '@clinic/app-kit/host';
import { lazy, Suspense, useState, type ReactNode } from 'react';

const AccountChooser = lazy(async () => ({ default: (await import('../demo/account-chooser.tsx')).AccountChooser }));

interface AccountChoice {
  readonly choose: ChooseGoogleAccount;
  /** Render it on the page: with the emulator it asks for the account. */
  readonly chooser: ReactNode;
}

/** Asks for a Google account, with the emulator. */
export function useAccountChooser(): AccountChoice {
  const [answer, setAnswer] = useState<(account: GoogleAccount | undefined) => void>();

  function choose(): Promise<GoogleAccount | undefined> {
    return new Promise((resolve) => {
      setAnswer(() => (account: GoogleAccount | undefined) => {
        setAnswer(undefined);
        resolve(account);
      });
    });
  }

  return {
    choose,
    chooser: answer && (
      <Suspense>
        <AccountChooser onChoose={answer} />
      </Suspense>
    ),
  };
}
