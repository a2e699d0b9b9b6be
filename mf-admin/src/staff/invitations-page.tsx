import { definePage, clinicMoment, formatShortDate, Link, useConfig } from '@clinic/app-kit';
import { useChange, useListState, usePagedCall } from '@clinic/app-kit/records';
import type { Invitation } from '@clinic/contracts';
import {
  Button,
  ButtonLink,
  EmailLink,
  EmailText,
  FilterBar,
  PageHeader,
  Pagination,
  SelectField,
  StatusBadge,
  type Tone,
} from '@clinic/ui';
import { ConfirmDialog, DataTable, type Column } from '@clinic/ui/tables';
import { useState } from 'react';
import { roleNames } from './staff-roles.ts';
import '../setup.ts';

const states = ['open', 'accepted', 'revoked', 'expired'] as const satisfies readonly Invitation['state'][];
const stateOptions = [
  { value: '', label: 'All invitations' },
  { value: 'open', label: 'Open' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'expired', label: 'Expired' },
];
const tones: Readonly<Record<Invitation['state'], Tone>> = {
  open: 'blue',
  accepted: 'green',
  revoked: 'grey',
  expired: 'grey',
};
const isState = (value: string): value is Invitation['state'] => states.some((state) => state === value);

/** Invitations (`/dash/staff`): who was invited to work here, and the state of each invitation. */
export function InvitationsPage() {
  const { clinicTimeZone } = useConfig();
  const list = useListState();
  const state = list.get('state');
  const invitations = usePagedCall('listInvitations', { state: isState(state) ? state : undefined });
  const [asked, setAsked] = useState<Invitation>();
  const revoke = useChange('revokeInvitation', {
    invalidates: ['listInvitations'],
    success: 'The invitation is revoked and its link no longer works',
  });
  const day = (at: string): string => formatShortDate(clinicMoment(new Date(at), clinicTimeZone).date);

  const columns: readonly Column<Invitation>[] = [
    {
      key: 'person',
      header: 'Person',
      primary: true,
      cell: ({ name, email }) => (
        <>
          {name && <span className="block max-w-60 wrap-break-word">{name}</span>}
          <EmailLink email={email} className={name ? 'text-sm font-normal text-muted' : undefined} />
        </>
      ),
    },
    { key: 'role', header: 'Role', cell: ({ role }) => <span className="capitalize">{roleNames[role]}</span> },
    {
      key: 'state',
      header: 'State',
      cell: (one) => (
        <StatusBadge
          status={stateOptions.find(({ value }) => value === one.state)?.label ?? one.state}
          tone={tones[one.state]}
          icon={one.state === 'open' ? 'mail' : undefined}
        />
      ),
    },
    {
      key: 'invited',
      header: 'Invited',
      foldInto: 'person',
      foldLabel: 'Invited',
      cell: ({ invitedAt, invitedBy }) => (
        <>
          {day(invitedAt)}
          <span className="block text-sm text-muted">
            by <EmailText email={invitedBy} />
          </span>
        </>
      ),
    },
    { key: 'expires', header: 'Open until', cell: (one) => (one.state === 'open' ? day(one.expiresAt) : '–') },
    {
      key: 'actions',
      header: 'Actions',
      actions: true,
      align: 'end',
      cell: (one) =>
        one.state === 'open' && (
          <Button
            variant="ghost"
            size="sm"
            icon="x"
            busy={revoke.isPending && revoke.variables.params.id === one._id}
            aria-label={`Revoke the invitation of ${one.email}`}
            onClick={() => setAsked(one)}
          >
            Revoke
          </Button>
        ),
    },
  ];

  return (
    <>
      <PageHeader
        title="Invitations"
        count={invitations.total}
        description="Who’s been invited to work here, and whether they’ve accepted."
        actions={
          <ButtonLink component={Link} to="/dash/staff/add" icon="plus">
            Add staff
          </ButtonLink>
        }
      />
      <FilterBar label="Filter the invitations">
        <SelectField
          label="State"
          hideLabel
          options={stateOptions}
          value={state}
          onChange={(event) => list.set('state', event.target.value)}
        />
      </FilterBar>
      <DataTable
        caption="Invitations"
        columns={columns}
        rows={invitations.loading ? undefined : invitations.rows}
        rowKey={(one) => one._id}
        loading={invitations.loading}
        error={invitations.error ? 'Error loading invitations' : undefined}
        errorText={invitations.error?.message}
        onRetry={invitations.retry}
        empty={{
          title: 'No invitations',
          text: 'Doctors, pharmacists and admins come by invitation.',
          icon: 'mail',
          action: (
            <ButtonLink component={Link} to="/dash/staff/add" icon="plus">
              Add staff
            </ButtonLink>
          ),
        }}
      />
      <Pagination
        label="Invitations"
        from={invitations.from}
        count={invitations.rows.length}
        total={invitations.total}
        hasPrevious={invitations.hasPrevious}
        hasNext={invitations.hasNext}
        onPrevious={invitations.previous}
        onNext={invitations.next}
        busy={invitations.refreshing}
      />
      <ConfirmDialog
        open={asked !== undefined}
        title={`Revoke the invitation of ${asked?.name || asked?.email}?`}
        confirmLabel="Revoke it"
        cancelLabel="Keep it"
        onCancel={() => setAsked(undefined)}
        onConfirm={() => {
          if (asked) revoke.mutate({ params: { id: asked._id } });
          setAsked(undefined);
        }}
      >
        The link for <EmailText email={asked?.email ?? ''} /> will stop working. You can invite them again.
      </ConfirmDialog>
    </>
  );
}

export default definePage({ Component: InvitationsPage });
