import { definePage, useSearchParams } from '@clinic/app-kit';
import { specialties } from '@clinic/contracts';
import { Button, Card, EmptyState, ErrorState, FilterBar, SearchField, SelectField } from '@clinic/ui';
import { useState } from 'react';
import { PageIntro } from '../layout/page-intro.tsx';
import { DoctorFacts } from './doctor-facts.tsx';
import { DoctorGrid, DoctorGridLoading } from './doctor-grid.tsx';
import { filterDoctors, sortFrom, type DoctorFilter } from './filter-doctors.ts';
import { useDoctors } from './use-doctors.ts';
import '../setup.ts';

/** Cards shown before 'Show more': rendering thousands at once would freeze a phone. */
const step = 24;

/** Our Doctors (`/ourDoctors`): the directory with search, specialty and order, all in the address. */
export function DoctorDirectoryPage() {
  return (
    <>
      <PageIntro title="Our Doctors">
        Six specialties, one team. Find the doctor who is right for you and book a visit in a minute.
      </PageIntro>
      <div className="mx-auto max-w-page px-4 py-10 sm:px-6">
        <Directory />
      </div>
    </>
  );
}

function Directory() {
  const [search, setSearch] = useSearchParams();
  const filter: DoctorFilter = {
    text: search.get('q') ?? '',
    specialty: search.get('specialty') ?? '',
    sort: sortFrom(search.get('sort')),
  };
  const set = (name: string, value: string) => {
    // From the address itself, which is ahead of rendering: a second change right after the first must not undo it.
    const changed = new URLSearchParams(location.search);
    if (value) changed.set(name, value);
    else changed.delete(name);
    setSearch(changed, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      <FilterBar label="Find a doctor">
        <SearchField
          label="Search doctors"
          placeholder="Search by name or specialty"
          value={filter.text}
          onChange={(text) => set('q', text)}
        />
        <SelectField
          label="Specialty"
          value={filter.specialty}
          onChange={(event) => set('specialty', event.target.value)}
          options={[{ value: '', label: 'All' }, ...specialties]}
        />
        <SelectField
          label="Sort by"
          value={filter.sort === 'rating' ? '' : filter.sort}
          onChange={(event) => set('sort', event.target.value === 'name' ? '' : event.target.value)}
          options={[
            { value: 'name', label: 'Name (A to Z)' },
            { value: 'experience', label: 'Experience (highest first)' },
          ]}
        />
      </FilterBar>
      {/* A new filter starts with the first cards. */}
      <Results
        key={JSON.stringify(filter)}
        filter={filter}
        onClear={() => setSearch({}, { replace: true, preventScrollReset: true })}
      />
    </>
  );
}

function Results({ filter, onClear }: { readonly filter: DoctorFilter; readonly onClear: () => void }) {
  const { doctors, failed, retry } = useDoctors();
  const [shown, setShown] = useState(step);
  if (failed)
    return (
      <Card>
        <ErrorState title="Error loading doctors" onRetry={retry} />
      </Card>
    );
  if (!doctors) return <DoctorGridLoading count={6} />;
  const found = filterDoctors(doctors, filter);
  return (
    <>
      <h2 aria-live="polite" className="mb-5 text-heading font-semibold">
        Showing {found.length} doctor(s)
      </h2>
      {found.length === 0 ? (
        <Card>
          <EmptyState
            icon="stethoscope"
            title="No doctors match your search"
            text="Try another name, or choose all specialties."
            action={
              <Button variant="secondary" onClick={onClear}>
                Show all doctors
              </Button>
            }
          />
        </Card>
      ) : (
        <>
          <DoctorGrid doctors={found.slice(0, shown)} />
          <DoctorFacts doctors={found.slice(0, shown)} />
        </>
      )}
      {found.length > shown && (
        <p className="mt-8 text-center">
          <Button variant="secondary" onClick={() => setShown(shown + step)}>
            Show more doctors
          </Button>
        </p>
      )}
    </>
  );
}

export default definePage({ Component: DoctorDirectoryPage });
