import { knownLabel } from '@clinic/contracts/known-words';
import { Link, useCall, useSession } from '@clinic/app-kit';
import { roleLabels, type User } from '@clinic/contracts';
import { isTypedAddress, typedAddress } from '@clinic/contracts/typed-address';
import { Alert } from '@clinic/ui';
import { fullName } from '../users/user-names.ts';
import type { StaffRole } from './staff-roles.ts';

/** What is known about the person with an email address. */
export interface Person {
  readonly looking: boolean;
  readonly user: User | undefined;
  readonly own: boolean;
  /** They can't be invited to this role. */
  readonly blocks: boolean;
}

/** Looks up the owner of the address to invite. @param typed - may be incomplete */
export function usePerson(typed: string, role: StaffRole): Person {
  const own = useSession().user?.email;
  const email = typedAddress(typed).toLowerCase();
  const complete = isTypedAddress(typed);
  const { data, isFetching } = useCall('listUsers', { query: { q: email, limit: 5 } }, { enabled: complete });
  const user = complete ? data?.find((one) => one.email === email) : undefined;
  return {
    looking: complete && isFetching && !data,
    user,
    own: complete && email === own,
    blocks: (complete && email === own) || user?.role === role || user?.erasing === true,
  };
}

/** What the invitation will mean for the person, or why they can't be invited. */
export function PersonNote({ person: { user, own }, role }: { readonly person: Person; readonly role: StaffRole }) {
  if (own)
    return (
      <Alert kind="warning" title="This is your own address">
        You can’t change your own role. Ask another admin.
      </Alert>
    );
  if (!user) return null;
  const name = fullName(user);
  if (user.erasing)
    return (
      <Alert kind="warning" title={`${name} is being deleted`}>
        Wait until the deletion is finished.
      </Alert>
    );
  if (user.role === role) {
    return (
      <Alert kind="warning" title={`${name} already has the role ${roleLabels[role]}`}>
        {role === 'admin' ? (
          'You don’t need to do anything.'
        ) : (
          <>
            Their profile is on the page{' '}
            <Link
              className="font-semibold underline underline-offset-4"
              to={role === 'doctor' ? '/dash/doctors' : '/dash/pharmacists'}
            >
              {role === 'doctor' ? 'Doctors' : 'Pharmacists'}
            </Link>
            .
          </>
        )}
      </Alert>
    );
  }
  return (
    <Alert title={`${name} has an account as ${knownLabel(roleLabels, user.role)}`}>
      They’ll log in and accept the invitation with it
      {user.role === 'patient' ? '' : ` and become ${role} instead`}.
      {user.emailVerified === false && ' Their address isn’t confirmed yet: the invitation asks them to do that first.'}
    </Alert>
  );
}
