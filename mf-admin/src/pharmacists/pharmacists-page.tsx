import { definePage, Link } from '@clinic/app-kit';
import { useListState, usePagedCall } from '@clinic/app-kit/records';
import type { Pharmacist } from '@clinic/contracts';
import { Button, ButtonLink, FilterBar, PageHeader, Pagination, SearchField, StatusBadge } from '@clinic/ui';
import { DataTable, type Column } from '@clinic/ui/tables';
import { useState } from 'react';
import { PharmacistDialog } from './pharmacist-dialog.tsx';
import { PersonCell } from '../person-cell.tsx';
import '../setup.ts';

const columns: readonly Column<Pharmacist>[] = [
  {
    key: 'name',
    header: 'Name',
    primary: true,
    cell: (pharmacist) => <PersonCell name={pharmacist.name} email={pharmacist.email} />,
  },
  {
    key: 'phone',
    header: 'Phone',
    foldInto: 'name',
    cell: ({ phone }) =>
      phone ? (
        <a className="link link-hover whitespace-nowrap" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
          {phone}
        </a>
      ) : (
        '–'
      ),
  },
  {
    key: 'qualification',
    header: 'Qualification',
    cell: (pharmacist) => (
      <>
        {pharmacist.qualification}
        <span className="block text-sm opacity-70">{pharmacist.specialization}</span>
      </>
    ),
  },
  {
    key: 'experience',
    header: 'Experience',
    foldInto: 'qualification',
    foldLabel: 'Experience',
    cell: ({ experienceYears }) => `${experienceYears} ${experienceYears === 1 ? 'year' : 'years'}`,
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <StatusBadge status={status} tone={status === 'active' ? 'green' : 'yellow'} />,
  },
];

/** Pharmacists (`/dash/pharmacists`): every pharmacist's profile, and their number. */
export function PharmacistsPage() {
  const list = useListState();
  const pharmacists = usePagedCall('listPharmacists', { q: list.q || undefined });
  const [opened, setOpened] = useState<Pharmacist>();
  const withActions: readonly Column<Pharmacist>[] = [
    ...columns,
    {
      key: 'actions',
      header: 'Actions',
      actions: true,
      align: 'end',
      cell: (pharmacist) => (
        <Button
          variant="ghost"
          size="sm"
          icon="edit"
          aria-label={`Profile of ${pharmacist.name}`}
          onClick={() => setOpened(pharmacist)}
        >
          Profile
        </Button>
      ),
    },
  ];

  return (
    <>
      <PageHeader
        title="Pharmacists"
        count={pharmacists.total}
        description="The people who run the pharmacy."
        actions={
          <>
            <ButtonLink component={Link} variant="ghost" to="/dash/createProfile?role=pharmacist">
              Profile only
            </ButtonLink>
            <ButtonLink component={Link} to="/dash/staff/add?role=pharmacist" icon="plus">
              Add staff
            </ButtonLink>
          </>
        }
      />
      <FilterBar label="Filter the pharmacists">
        <SearchField
          label="Search pharmacists"
          placeholder="Name or area of expertise"
          value={list.text}
          onChange={list.setText}
        />
      </FilterBar>
      <DataTable
        caption="Pharmacists"
        columns={withActions}
        rows={pharmacists.loading ? undefined : pharmacists.rows}
        rowKey={(pharmacist) => pharmacist._id}
        loading={pharmacists.loading}
        error={pharmacists.error ? 'Error loading pharmacists' : undefined}
        errorText={pharmacists.error?.message}
        onRetry={pharmacists.retry}
        empty={{
          title: 'No pharmacists match',
          text: 'Try another name or area of expertise.',
          action: list.narrowed ? (
            <button type="button" className="btn btn-soft btn-primary" onClick={list.clear}>
              Show all pharmacists
            </button>
          ) : undefined,
        }}
      />
      {opened && <PharmacistDialog pharmacist={opened} onClose={() => setOpened(undefined)} />}
      <Pagination
        label="Pharmacists"
        from={pharmacists.from}
        count={pharmacists.rows.length}
        total={pharmacists.total}
        hasPrevious={pharmacists.hasPrevious}
        hasNext={pharmacists.hasNext}
        onPrevious={pharmacists.previous}
        onNext={pharmacists.next}
        busy={pharmacists.refreshing}
      />
    </>
  );
}

export default definePage({ Component: PharmacistsPage });
