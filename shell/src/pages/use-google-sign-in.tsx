import { notify, useNavigate, useSession } from '@clinic/app-kit';
import { authCode, reasonFor } from '@clinic/app-kit/host';
import { useEffect, useRef, type ReactNode } from 'react';
import { useAccountChooser } from './use-account-chooser.tsx';

interface GoogleSignIn {
  /** @returns whether somebody signed in */
  readonly start: () => Promise<boolean>;
  /** Render it on the page: with the emulator it asks for the account. */
  readonly chooser: ReactNode;
}

/**
 * Signs in with Google. The page stays usable meanwhile: Firebase reports a closed window up to ten seconds late.
 *
 * @param target - where to go on success
 */
export function useGoogleSignIn(target: string): GoogleSignIn {
  const { signInWithGoogle } = useSession();
  const navigate = useNavigate();
  const here = useRef(true);
  // Removes the last failure when another attempt starts.
  const takeBack = useRef<() => void>(undefined);
  const { choose, chooser } = useAccountChooser();

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  function failed(reason: string): false {
    // A visitor who has left the page no longer needs the result.
    if (here.current) takeBack.current = notify.error(`Login failed: ${reason}`);
    return false;
  }

  async function start(): Promise<boolean> {
    takeBack.current?.();
    try {
      if (!(await signInWithGoogle(choose))) return failed('no Google account was chosen.');
      await navigate(target, { replace: true });
      return true;
    } catch (error) {
      console.error('Google login failed', error);
      // Only the newer window counts.
      return authCode(error) === 'cancelled-popup-request' ? false : failed(reasonFor(error));
    }
  }

  return { start, chooser };
}
