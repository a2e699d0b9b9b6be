import { definePage, clinicMoment, formatShortDate, Link, useConfig } from '@clinic/app-kit';
import { useOpened } from '@clinic/app-kit/opened';
import { useChange, useListState, usePagedCall } from '@clinic/app-kit/records';
import type { Invitation } from '@clinic/svc-identity/contract/schemas';
import { Button, ButtonLink, EmailLink, FilterBar, PageHeader, StatusBadge, type Tone } from '@clinic/ui';
import { ListFilter } from '@clinic/ui/list-filters';
import { EmailText } from '@clinic/ui/email-text';
import { actionsColumn } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import { ConfirmDialog, type Column } from '@clinic/ui/tables';
import '../setup.ts';

/** A later service may have more of them. */
const states: Readonly<Record<string, { readonly label: string; readonly tone: Tone }>> = {
  open: { label: 'Open', tone: 'blue' },
  accepted: { label: 'Accepted', tone: 'green' },
  revoked: { label: 'Revoked', tone: 'grey' },
  expired: { label: 'Expired', tone: 'grey' },
} satisfies Record<Invitation['state'], { readonly label: string; readonly tone: Tone }>;
const stateOptions = [
  { value: '', label: 'All invitations' },
  ...Object.entries(states).map(([value, { label }]) => ({ value, label })),
];
/** The state by now: the list may be from before an invitation expired. */
const stateOf = ({ state, expiresAt }: Invitation): Invitation['state'] =>
  state === 'open' && Date.parse(expiresAt) <= Date.now() ? 'expired' : state;
const isState = (value: string): value is Invitation['state'] => Object.hasOwn(states, value);

const addStaff = (
  <ButtonLink component={Link} to="/dash/staff/add" icon="plus">
    Add staff
  </ButtonLink>
);

/** Invitations (`/dash/staff`): who was invited to work here, and the state of each invitation. */
export function InvitationsPage() {
  const { clinicTimeZone } = useConfig();
  const list = useListState();
  const state = list.get('state');
  const invitations = usePagedCall('listInvitations', { state: isState(state) ? state : undefined });
  const [confirming, confirm] = useOpened(invitations.rows, ({ _id }) => _id);
  const revoke = useChange('revokeInvitation', {
    invalidates: ['listInvitations'],
    success: 'The invitation is revoked and its link no longer works',
  });
  const columns = columnsOf({
    timeZone: clinicTimeZone,
    isBusy: ({ _id }) => revoke.isPending && revoke.variables.params.id === _id,
    onRevoke: confirm,
  });

  return (
    <>
      <PageHeader
        title="Invitations"
        count={invitations.total}
        description="Who’s been invited to work here, and whether they’ve accepted."
        actions={addStaff}
      />
      <FilterBar label="Filter the invitations">
        <ListFilter
          label="State"
          hideLabel
          options={stateOptions}
          value={state}
          onChange={(value) => list.set('state', value)}
        />
      </FilterBar>
      <PagedTable
        caption="Invitations"
        page={invitations}
        rows={invitations.rows}
        failure="Error loading invitations"
        columns={columns}
        rowKey={(one) => one._id}
        empty={{
          title: 'No invitations',
          text: 'Doctors, pharmacists and admins come by invitation.',
          icon: 'mail',
          action: addStaff,
        }}
      />
      <ConfirmDialog
        open={confirming !== undefined}
        title={`Revoke the invitation of ${confirming?.name || confirming?.email}?`}
        confirmLabel="Revoke it"
        cancelLabel="Keep it"
        onCancel={() => confirm()}
        onConfirm={() => {
          if (confirming) revoke.mutate({ params: { id: confirming._id } });
          confirm();
        }}
      >
        The link for <EmailText email={confirming?.email ?? ''} /> will stop working. You can invite them again.
      </ConfirmDialog>
    </>
  );
}

interface ColumnOptions {
  readonly timeZone: string;
  readonly isBusy: (invitation: Invitation) => boolean;
  readonly onRevoke: (invitation: Invitation) => void;
}

function columnsOf({ timeZone, isBusy, onRevoke }: ColumnOptions): readonly Column<Invitation>[] {
  const day = (at: string): string => formatShortDate(clinicMoment(new Date(at), timeZone).date);
  return [
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
    { key: 'role', header: 'Role', cell: ({ role }) => <span className="capitalize">{role}</span> },
    {
      key: 'state',
      header: 'State',
      cell: (one) => {
        const state = stateOf(one);
        return (
          <StatusBadge
            status={states[state]?.label ?? state}
            tone={states[state]?.tone}
            icon={state === 'open' ? 'mail' : undefined}
          />
        );
      },
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
    { key: 'expires', header: 'Open until', cell: (one) => (stateOf(one) === 'open' ? day(one.expiresAt) : '–') },
    actionsColumn(
      (one) =>
        stateOf(one) === 'open' && (
          <Button
            variant="ghost"
            size="sm"
            icon="x"
            busy={isBusy(one)}
            aria-label={`Revoke the invitation of ${one.email}`}
            onClick={() => onRevoke(one)}
          >
            Revoke
          </Button>
        ),
    ),
  ];
}

export default definePage({ Component: InvitationsPage });
