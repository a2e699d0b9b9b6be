import { notify, useNavigate, useSession } from '@clinic/app-kit';
import { leaveQuestion, reasonFor } from '@clinic/app-kit/host';
import { useState } from 'react';

/** Logging out from the menus; the texts are fixed (docs/product.md, Texts). */
export function useLogout(): { readonly logout: () => Promise<void>; readonly busy: boolean } {
  const session = useSession();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  async function logout(): Promise<void> {
    if (busy || (await leaveQuestion()?.()) === false) return;
    setBusy(true);
    try {
      await session.logout();
      notify.success('Logged out successfully');
      // Replaces the page, since going back to it would only lead to the login.
      await navigate('/login', { replace: true });
    } catch (error) {
      console.error('Logout failed', error);
      notify.error('Logout failed', reasonFor(error));
    } finally {
      setBusy(false);
    }
  }
  return { logout, busy };
}
