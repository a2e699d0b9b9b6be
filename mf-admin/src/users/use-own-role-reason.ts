import { useCall, useSession } from '@clinic/app-kit';

/** Why people can't change the role of their own account, and what to do instead. */
export function useOwnRoleReason(): string {
  const own = useSession().user?.email;
  const { data } = useCall('listUsers', { query: { role: 'admin', limit: 5 } });
  const other = data?.find(({ email, role, disabled }) => role === 'admin' && email !== own && disabled !== true);
  return data && !other
    ? 'You’re the only admin. Make someone else an admin first, then they can change your role.'
    : 'You can’t change your own role. Ask another admin.';
}
