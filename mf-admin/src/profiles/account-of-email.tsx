import { useCall, useSession } from '@clinic/app-kit';
import { roleLabels, type Role, type User } from '@clinic/contracts';
import { Alert } from '@clinic/ui';
import { fullName } from '../users/user-names.ts';

/** What is known of the account that belongs to an e-mail. */
export interface AccountState {
  /** `own` is the admin's own; `other` could be given the profile's role. */
  readonly kind: 'unknown' | 'none' | 'fits' | 'own' | 'other';
  readonly user?: User;
}

/**
 * Looks up the account that a new profile would belong to.
 *
 * @param email - as typed and left; empty: not yet
 * @param role - of the profile
 */
export function useAccountOf(email: string, role: Role): AccountState {
  const own = useSession().user?.email;
  const wanted = email.trim().toLowerCase();
  // The list, because an e-mail nobody has is no error here.
  const { data } = useCall('listUsers', { query: { q: wanted, limit: 5 } }, { enabled: /^\S+@\S+\.\S+$/.test(wanted) });
  if (!data) return { kind: 'unknown' };
  const user = data.find((one) => one.email === wanted);
  if (!user) return { kind: 'none' };
  if (user.role === role) return { kind: 'fits', user };
  return { kind: user.email === own ? 'own' : 'other', user };
}

interface AccountOfEmailProps {
  readonly account: AccountState;
  readonly role: Role;
  /** Whether the account gets the role together with the profile. */
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** Says whose account a new profile belongs to, and offers to give that account the role in the same step. */
export function AccountOfEmail({ account: { kind, user }, role, checked, onChange }: AccountOfEmailProps) {
  const label = roleLabels[role];
  if (kind === 'none') return <Alert title="No account has this e-mail yet">The profile can be created all the same. Once they have registered, give them the role {label} at All Users.</Alert>;
  if (!user || kind === 'unknown') return null;
  if (kind === 'fits') return <Alert kind="success">{fullName(user)} has an account with the role {label}.</Alert>;
  if (kind === 'own') return <Alert kind="warning" title="This is your own account">Nobody changes their own role, so you stay {roleLabels[user.role]}.</Alert>;
  return (
    <Alert kind="warning" title={`${fullName(user)} has an account as ${roleLabels[user.role]}`}>
      <label className="mt-1 flex items-start gap-3">
        <input type="checkbox" className="mt-0.5 size-5 shrink-0 accent-primary" checked={checked} onChange={(event) => onChange(event.target.checked)} />
        <span>Change the role to {label} too. They get other pages and rights at once, also where they are signed in now.</span>
      </label>
    </Alert>
  );
}
