import { definePage, Link, useLocation, useSearchParams } from '@clinic/app-kit';
import { useListState, usePagedCall } from '@clinic/app-kit/records';
import { specialties } from '@clinic/svc-clinic/contract/limits';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { availabilityOf } from '@clinic/svc-clinic/contract/availability';
import { ButtonLink, FilterBar, PageHeader, SearchField, StatusBadge } from '@clinic/ui';
import { ListFilter } from '@clinic/ui/list-filters';
import type { Column } from '@clinic/ui/tables';
import { DoctorDialog } from './doctor-dialog.tsx';
import { PeopleTable, profileColumn, years } from '../people-table.tsx';
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
    cell: (doctor) => <StatusBadge status={availabilityOf(doctor)} />,
  },
];

/** Doctors (`/dash/doctors`): every doctor's profile, and their number. */
export function DoctorsPage() {
  const list = useListState();
  const specialty = list.get('specialty');
  const doctors = usePagedCall('listDoctors', { q: list.q || undefined, specialty: specialty || undefined });
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
  const withActions = [...columns, profileColumn<Doctor>(({ _id }) => open(_id))];

  return (
    <>
      <PageHeader
        title="Doctors"
        count={doctors.total}
        description="The profiles that patients find in the directory."
        actions={
          <>
            <ButtonLink component={Link} variant="ghost" to="/dash/schedules">
              Hours and holidays
            </ButtonLink>
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
        <ListFilter
          label="Specialty"
          hideLabel
          options={[{ value: '', label: 'All specialties' }, ...specialties]}
          value={specialty}
          onChange={(value) => list.set('specialty', value)}
        />
      </FilterBar>
      <PeopleTable
        caption="Doctors"
        page={doctors}
        rows={doctors.rows as readonly Doctor[]}
        columns={withActions}
        list={list}
        advice="Try another name or specialty."
      />
      {opened && <DoctorDialog id={opened} onClose={() => open(undefined)} />}
    </>
  );
}

export default definePage({ Component: DoctorsPage });
