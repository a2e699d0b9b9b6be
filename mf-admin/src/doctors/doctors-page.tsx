import { definePage, Link, useLocation, useSearchParams } from '@clinic/app-kit';
import { useListState, usePagedCall } from '@clinic/app-kit/records';
import type { Doctor } from '@clinic/contracts';
import { specialties } from '@clinic/contracts/limits';
import {
  Button,
  ButtonLink,
  FilterBar,
  PageHeader,
  Pagination,
  SearchField,
  SelectField,
  StatusBadge,
} from '@clinic/ui';
import { DataTable, type Column } from '@clinic/ui/tables';
import { DoctorDialog } from './doctor-dialog.tsx';
import { PersonCell } from '../person-cell.tsx';
import '../setup.ts';

const columns: readonly Column<Doctor>[] = [
  {
    key: 'name',
    header: 'Name',
    primary: true,
    cell: (doctor) => <PersonCell name={doctor.name} email={doctor.email} image={doctor.image} />,
  },
  {
    key: 'qualification',
    header: 'Qualification',
    foldInto: 'specialization',
    cell: (doctor) => doctor.qualification,
  },
  // Dashboard lists show the education as the specialization, if there is one.
  {
    key: 'specialization',
    header: 'Specialization',
    cell: (doctor) => (
      <>
        {doctor.specialization}
        {doctor.education && <span className="block text-sm opacity-70">{doctor.education}</span>}
      </>
    ),
  },
  {
    key: 'experience',
    header: 'Experience',
    foldInto: 'specialization',
    foldLabel: 'Experience',
    cell: (doctor) => years(doctor.experience),
  },
  {
    key: 'availability',
    header: 'Availability',
    cell: (doctor) => (
      <StatusBadge
        status={doctor.isAvailable ? 'Available' : 'Not available'}
        tone={doctor.isAvailable ? 'green' : 'grey'}
      />
    ),
  },
];

function years(count: number): string {
  return `${count} ${count === 1 ? 'year' : 'years'}`;
}

/** Doctors (`/dash/doctors`): every doctor's profile, and their number. */
export function DoctorsPage() {
  const list = useListState();
  const specialty = list.get('specialty');
  const doctors = usePagedCall('listDoctors', { q: list.q || undefined, specialty: specialty || undefined });
  const rows = doctors.rows as readonly Doctor[];
  // In the address, so that a link can open one doctor; the list keeps its page.
  const [search, setSearch] = useSearchParams();
  const state: unknown = useLocation().state;
  const opened = search.get('profile');
  const open = (id: string | undefined): void =>
    setSearch(
      (current) => {
        const changed = new URLSearchParams(current);
        if (id === undefined) changed.delete('profile');
        else changed.set('profile', id);
        return changed;
      },
      { replace: true, preventScrollReset: true, state },
    );
  const withActions: readonly Column<Doctor>[] = [
    ...columns,
    {
      key: 'actions',
      header: 'Actions',
      actions: true,
      align: 'end',
      cell: (doctor) => (
        <Button
          variant="ghost"
          size="sm"
          icon="edit"
          aria-label={`Profile of ${doctor.name}`}
          onClick={() => open(doctor._id)}
        >
          Profile
        </Button>
      ),
    },
  ];

  return (
    <>
      <PageHeader
        title="Doctors"
        count={doctors.total}
        description="The profiles that patients find in the directory."
        actions={
          <>
            <ButtonLink component={Link} variant="ghost" to="/dash/createProfile?role=doctor">
              Profile only
            </ButtonLink>
            <ButtonLink component={Link} to="/dash/staff/add?role=doctor" icon="plus">
              Add staff
            </ButtonLink>
          </>
        }
      />
      <FilterBar label="Filter the doctors">
        <SearchField label="Search doctors" placeholder="Name or specialty" value={list.text} onChange={list.setText} />
        <SelectField
          label="Specialty"
          hideLabel
          options={[{ value: '', label: 'All specialties' }, ...specialties]}
          value={specialty}
          onChange={(event) => list.set('specialty', event.target.value)}
        />
      </FilterBar>
      <DataTable
        caption="Doctors"
        columns={withActions}
        rows={doctors.loading ? undefined : rows}
        rowKey={(doctor) => doctor._id}
        loading={doctors.loading}
        error={doctors.error ? 'Error loading doctors' : undefined}
        errorText={doctors.error?.message}
        onRetry={doctors.retry}
        empty={{
          title: 'No doctors match',
          text: 'Try another name or specialty.',
          action: list.narrowed ? (
            <button type="button" className="btn btn-soft btn-primary" onClick={list.clear}>
              Show all doctors
            </button>
          ) : undefined,
        }}
      />
      {opened && <DoctorDialog id={opened} onClose={() => open(undefined)} />}
      <Pagination
        label="Doctors"
        from={doctors.from}
        count={rows.length}
        total={doctors.total}
        hasPrevious={doctors.hasPrevious}
        hasNext={doctors.hasNext}
        onPrevious={doctors.previous}
        onNext={doctors.next}
        busy={doctors.refreshing}
      />
    </>
  );
}

export default definePage({ Component: DoctorsPage });
