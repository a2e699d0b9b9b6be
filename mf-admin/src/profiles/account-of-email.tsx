import { knownLabel } from '@clinic/contracts/known-words';
import { api, Link, useCall, useQueryClient, useSession } from '@clinic/app-kit';
import { roleLabels, type Role, type User } from '@clinic/contracts';
import { isTypedAddress, typedAddress } from '@clinic/contracts/typed-address';
import { Alert } from '@clinic/ui';
import { useEffect, useRef } from 'react';
import { fullName } from '../users/user-names.ts';

/** What is known about the account of an email address. */
export interface AccountState {
  /** `own` is the admin's own; `other` could get the profile's role, `unconfirmed` only after confirming the address. */
  readonly kind: 'unknown' | 'none' | 'fits' | 'own' | 'unconfirmed' | 'other';
  readonly user?: User;
}

/** Uses the list, because an unknown address isn't an error here. */
const inputOf = (address: string) => ({ query: { q: address, limit: 5 } });
const plain = (email: string): string => typedAddress(email).toLowerCase();

function stateOf(
  users: readonly User[] | undefined,
  address: string,
  role: Role,
  own: string | undefined,
): AccountState {
  if (!users) return { kind: 'unknown' };
  const user = users.find((one) => one.email === address);
  if (!user) return { kind: 'none' };
  if (user.role === role) return { kind: 'fits', user };
  if (user.email === own) return { kind: 'own', user };
  return { kind: user.emailVerified === false ? 'unconfirmed' : 'other', user };
}

/**
 * Looks up the account that a new profile would belong to.
 *
 * @param email - after leaving the field; empty: not yet
 * @param role - of the profile
 */
export function useAccountOf(email: string, role: Role): AccountState {
  const own = useSession().user?.email;
  const address = plain(email);
  const { data } = useCall('listUsers', inputOf(address), { enabled: isTypedAddress(email) });
  return stateOf(data, address, role, own);
}

/** @returns a function that looks it up at once, without waiting for the field to be left; `unknown` if the call fails */
export function useAccountLookup(): (email: string, role: Role) => Promise<AccountState> {
  const own = useSession().user?.email;
  const client = useQueryClient();
  return async (email, role) => {
    const address = plain(email);
    const users = await client
      .fetchQuery({
        queryKey: ['listUsers', inputOf(address)],
        queryFn: ({ signal }) => api.call('listUsers', { ...inputOf(address), signal }),
      })
      .catch((error: unknown) => {
        console.warn('The account of this email address could not be looked up', error);
        return undefined;
      });
    return stateOf(users, address, role, own);
  };
}

interface AccountOfEmailProps {
  readonly account: AccountState;
  readonly role: Role;
  /** Whether the account gets the role together with the profile. */
  readonly checked: boolean;
  /** The form was submitted before this was visible: it waits for a choice, and takes the focus. */
  readonly asking: boolean;
  readonly onChange: (checked: boolean) => void;
}

const nothingYet = 'We haven’t created the profile yet. Select Create profile when this is right.';

/** Shows whose account a new profile belongs to, and offers to give that account the role in the same step. */
export function AccountOfEmail({ account: { kind, user }, role, checked, asking, onChange }: AccountOfEmailProps) {
  const label = roleLabels[role];
  const choice = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (asking) choice.current?.focus();
  }, [asking]);
  if (kind === 'none')
    return (
      <Alert title="No account has this email address yet">
        You can still create the profile. When they’ve registered, give them the role {label} in All Users.
      </Alert>
    );
  if (!user || kind === 'unknown') return null;
  if (kind === 'fits')
    return (
      <Alert kind="success">
        {fullName(user)} has an account with the role {label}.
      </Alert>
    );
  if (kind === 'own')
    return (
      <Alert kind="warning" title="This is your own account">
        You can’t change your own role, so you’ll stay {knownLabel(roleLabels, user.role)}.
      </Alert>
    );
  if (kind === 'unconfirmed') {
    return (
      <Alert kind="warning" title={`${fullName(user)} hasn’t confirmed their email address`}>
        <p>
          You can create the profile, but you can’t change the role yet. When they’ve opened the link in our email, give
          them the role {label} in All Users.
        </p>
        <p className="mt-2">
          Or{' '}
          <Link
            className="font-semibold underline underline-offset-4"
            to={`/dash/staff/add?role=${role}&email=${encodeURIComponent(user.email)}`}
          >
            invite them instead
          </Link>{' '}
          to give them the role and the profile together.
        </p>
        {asking && <p className="mt-2 font-semibold">{nothingYet}</p>}
      </Alert>
    );
  }
  return (
    <Alert kind="warning" title={`${fullName(user)} has an account as ${knownLabel(roleLabels, user.role)}`}>
      <label className="mt-1 flex items-start gap-3">
        <input
          ref={choice}
          type="checkbox"
          className="mt-0.5 size-5 shrink-0 accent-primary"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>
          Change the role to {label} too. What they can see and do changes straight away, including where they’re logged
          in now.
        </span>
      </label>
      {asking && <p className="mt-2 font-semibold">{nothingYet}</p>}
    </Alert>
  );
}
