import { knownLabel } from '@clinic/contracts/known-words';
import { definePage, Link, useSession } from '@clinic/app-kit';
import { useOpened } from '@clinic/app-kit/opened';
import { useListState, usePagedCall, type ListState } from '@clinic/app-kit/records';
import { rightLabels, roleLabels, roles, type Role, type User } from '@clinic/contracts';
import { isTypedAddress, typedAddress } from '@clinic/contracts/typed-address';
import { Button, ButtonLink, FilterBar, PageHeader, SearchField, StatusBadge } from '@clinic/ui';
import { ListFilter } from '@clinic/ui/list-filters';
import { StatusSelector, type Column } from '@clinic/ui/tables';
import { useMemo, useState } from 'react';
import { AddressDeletion, NoAccount } from '../deletion/address-deletion.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { useOwnRoleReason } from './use-own-role-reason.ts';
import { fullName } from './user-names.ts';
import { useStaffChanges } from './use-staff-changes.tsx';
import { PeopleTable } from '../people-table.tsx';
import { PersonCell, PhoneLink } from '../person-cell.tsx';
import '../setup.ts';

const roleOptions = [
  { value: '', label: 'All roles' },
  ...roles.map((role) => ({ value: role, label: roleLabels[role] })),
];
const isRole = (value: string): value is Role => roles.some((role) => role === value);
/** The orders of the list; the first is the default. */
const sortOptions = [
  { value: '', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
  { value: 'email', label: 'Email' },
  { value: 'newest', label: 'Newest first' },
];

/** All Users (`/dash/admin`): everyone with an account, and their role. */
export function UsersPage() {
  const ownEmail = useSession().user?.email;
  const list = useListState();
  const role = list.get('role');
  const users = usePagedCall('listUsers', {
    q: list.q || undefined,
    role: isRole(role) ? role : undefined,
    sort: list.sort || undefined,
  });
  const [opened, open] = useOpened(users.rows, ({ _id }) => _id);
  const [erased, setErased] = useState<string>();
  const nobodys = users.total === 0 && role === '' ? wholeEmail(list.q) : undefined;
  const { changeRole, switchOff, dialogs } = useStaffChanges();

  const columns = useColumns({ changeRole, onOpen: open });

  return (
    <>
      <PageHeader
        title="All Users"
        count={users.total}
        description="Who has an account, and what they can do."
        actions={
          <>
            <ButtonLink component={Link} variant="ghost" to="/dash/staff">
              Invitations
            </ButtonLink>
            <ButtonLink component={Link} to="/dash/staff/add" icon="plus">
              Add staff
            </ButtonLink>
          </>
        }
      />
      <Filters list={list} />
      <PeopleTable
        caption="Users"
        page={users}
        rows={users.rows}
        columns={columns}
        list={list}
        advice="Try another name, email or phone number, or choose all roles."
      />
      {nobodys && <NoAccount email={nobodys} onDelete={() => setErased(nobodys)} />}
      {erased && <AddressDeletion email={erased} onClose={() => setErased(undefined)} />}
      {opened && (
        <AccountDialog user={opened} own={opened.email === ownEmail} onSwitchOff={switchOff} onClose={() => open()} />
      )}
      {dialogs}
    </>
  );
}

/** A search that is a whole email address. */
function wholeEmail(q: string): string | undefined {
  return isTypedAddress(q) ? typedAddress(q).toLowerCase() : undefined;
}

interface ColumnOptions {
  readonly changeRole: (user: User, role: Role) => Promise<void>;
  readonly onOpen: (user: User) => void;
}

/** Stable while somebody types, so that no row renders again. */
function useColumns({ changeRole, onOpen }: ColumnOptions): readonly Column<User>[] {
  const ownEmail = useSession().user?.email;
  const ownRoleReason = useOwnRoleReason();
  return useMemo(
    () => [
      {
        key: 'name',
        header: 'Name',
        primary: true,
        cell: (user) => (
          <PersonCell name={fullName(user)} email={user.email}>
            <AccountState user={user} />
          </PersonCell>
        ),
      },
      {
        key: 'phone',
        header: 'Phone',
        foldInto: 'name',
        cell: ({ phone }) => (phone ? <PhoneLink phone={phone} /> : '–'),
      },
      {
        key: 'role',
        header: 'Role',
        cell: (user) => (
          <StatusSelector
            value={user.role}
            options={roles}
            labelFor={(value) => knownLabel(roleLabels, value)}
            label={`Role of ${fullName(user)}`}
            tone="grey"
            disabledReason={user.email === ownEmail ? ownRoleReason : undefined}
            showReason
            onChange={(newRole) => changeRole(user, newRole)}
          />
        ),
      },
      {
        key: 'account',
        header: 'Account',
        actions: true,
        align: 'end',
        // The dialog belongs to the page, not to the row: it stays when the list reloads, even if its person is no longer listed.
        cell: (user) => (
          <Button
            variant="ghost"
            size="sm"
            icon="shield"
            aria-label={`Account of ${fullName(user)}`}
            onClick={() => onOpen(user)}
          >
            Account
          </Button>
        ),
      },
    ],
    [changeRole, onOpen, ownEmail, ownRoleReason],
  );
}

function AccountState({ user }: { readonly user: User }) {
  const { rights = [] } = user;
  if (!user.erasing && !user.disabled && user.emailVerified !== false && !user.secondFactor && rights.length === 0)
    return null;
  return (
    <span className="mt-1 flex flex-wrap gap-1">
      {user.erasing ? (
        <StatusBadge status="Being deleted" tone="red" />
      ) : (
        user.disabled && <StatusBadge status="Switched off" tone="grey" />
      )}
      {rights.map((right) => (
        <StatusBadge key={right} status={knownLabel(rightLabels, right)} tone="grey" />
      ))}
      {user.emailVerified === false && <StatusBadge status="Not confirmed" tone="yellow" />}
      {user.secondFactor && <StatusBadge status="Second step" tone="green" icon="shield" />}
    </span>
  );
}

function Filters({ list }: { readonly list: ListState }) {
  return (
    <FilterBar label="Filter the users">
      <SearchField label="Search users" placeholder="Name, email or phone" value={list.text} onChange={list.setText} />
      <ListFilter
        label="Role"
        hideLabel
        options={roleOptions}
        value={list.get('role')}
        onChange={(role) => list.set('role', role)}
      />
      <ListFilter label="Order" hideLabel options={sortOptions} value={list.sort} onChange={list.setSort} />
    </FilterBar>
  );
}

export default definePage({ Component: UsersPage });
