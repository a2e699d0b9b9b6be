import { notify, useNavigate, useSession } from '@clinic/app-kit';
import { authCode, reasonFor, type GoogleAccount } from '@clinic/app-kit/host';
import { lazy, Suspense, useState, type ReactNode } from 'react';

const AccountChooser = lazy(async () => ({ default: (await import('./account-chooser.tsx')).AccountChooser }));

interface GoogleSignIn {
  /** @returns whether somebody signed in */
  readonly start: () => Promise<boolean>;
  /** Belongs on the page: with the emulator it asks for the account. */
  readonly chooser: ReactNode;
}

/**
 * Signing in with Google. The page stays usable meanwhile: Firebase reports a closed window up to ten seconds late.
 *
 * @param target - where success leads
 */
export function useGoogleSignIn(target: string): GoogleSignIn {
  const { signInWithGoogle } = useSession();
  const navigate = useNavigate();
  const [answer, setAnswer] = useState<(account: GoogleAccount | undefined) => void>();

  function choose(): Promise<GoogleAccount | undefined> {
    return new Promise((resolve) => {
      setAnswer(() => (account: GoogleAccount | undefined) => {
        setAnswer(undefined);
        resolve(account);
      });
    });
  }

  async function start(): Promise<boolean> {
    try {
      if (!(await signInWithGoogle(choose))) return false;
      await navigate(target, { replace: true });
      return true;
    } catch (error) {
      console.error('Google login failed', error);
      // They know that they closed the window.
      if (authCode(error) !== 'popup-closed-by-user' && authCode(error) !== 'cancelled-popup-request') notify.error(`Login failed: ${reasonFor(error)}`);
      return false;
    }
  }

  const chooser = answer && <Suspense><AccountChooser onChoose={answer} /></Suspense>;
  return { start, chooser };
}
