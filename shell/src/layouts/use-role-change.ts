import { notify, useLocation, useNavigate, useSession } from '@clinic/app-kit';
import { landingPageOf, type Role } from '@clinic/contracts';
import { useEffect, useRef } from 'react';

/**
 * When an admin changes the signed-in person's role: notifies them, and redirects from the old role's first page to the new
 * one's.
 */
export function useRoleChange(): void {
  const { user, role } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const known = useRef<{ readonly email: string; readonly role: Role }>(undefined);
  const email = user?.email;
  useEffect(() => {
    if (email === undefined || !role) return;
    const before = known.current;
    known.current = { email, role };
    if (before?.email !== email || before.role === role) return;
    notify.info('Your access has changed', `You’re now ${role === 'admin' ? 'an' : 'a'} ${role}.`);
    if (pathname === landingPageOf(before.role)) void navigate(landingPageOf(role), { replace: true });
  }, [email, role, pathname, navigate]);
}
