import { definePage, Link } from '@clinic/app-kit';
import { useOpened } from '@clinic/app-kit/opened';
import { useListState, usePagedCall } from '@clinic/app-kit/records';
import type { Pharmacist } from '@clinic/svc-clinic/contract/schemas';
import { ButtonLink, FilterBar, PageHeader, SearchField, StatusBadge } from '@clinic/ui';
import type { Column } from '@clinic/ui/tables';
import { PharmacistDialog } from './pharmacist-dialog.tsx';
import { PeopleTable, profileColumn, years } from '../people-table.tsx';
import { PersonCell, PhoneLink } from '../person-cell.tsx';
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
    cell: ({ phone }) => (phone ? <PhoneLink phone={phone} /> : '–'),
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
    cell: ({ experienceYears }) => years(experienceYears),
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
  const [opened, open] = useOpened(pharmacists.rows, ({ _id }) => _id);
  const withActions = [...columns, profileColumn<Pharmacist>(open)];

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
      <PeopleTable
        caption="Pharmacists"
        page={pharmacists}
        rows={pharmacists.rows}
        columns={withActions}
        list={list}
        advice="Try another name or area of expertise."
      />
      {opened && <PharmacistDialog pharmacist={opened} onClose={() => open()} />}
    </>
  );
}

export default definePage({ Component: PharmacistsPage });
