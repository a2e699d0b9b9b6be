import { useCall, useSession } from '@clinic/app-kit';

const most = 5;

/** Why people can't change the role of their own account, and what to do instead. */
export function useOwnRoleReason(): string {
  const own = useSession().user?.email;
  const { data } = useCall('listUsers', { query: { role: 'admin', limit: most } });
  const other = data?.find(({ email, role, disabled }) => role === 'admin' && email !== own && disabled !== true);
  // A list that is cut doesn't say that there is nobody else.
  return data && data.length < most && !other
    ? 'You’re the only admin. Make someone else an admin first, then they can change your role.'
    : 'You can’t change your own role. Ask another admin.';
}
