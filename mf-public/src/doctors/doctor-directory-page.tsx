import { definePage, useSearchParams } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { CallQuery } from '@clinic/contracts';
import { specialties } from '@clinic/svc-clinic/contract/limits';
import { Button, Card, EmptyState, ErrorState, FilterBar, SearchField, SelectField } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import { PageIntro } from '../layout/page-intro.tsx';
import { filterFrom, queryOf, usualSort } from './directory-filter.ts';
import { DoctorFacts } from './doctor-facts.tsx';
import { DoctorGrid, DoctorGridLoading } from './doctor-grid.tsx';
import { useDoctorPage } from './use-doctor-page.ts';
import '../setup.ts';

/** Milliseconds without typing before the search is sent. */
const typing = 250;

const directory = '/ourDoctors';

/** For forms that work without scripts, too. */
const instead = (act: () => void) => (event: SyntheticEvent) => {
  event.preventDefault();
  act();
};

const any = { value: '', label: 'Any time' };

/** Our Doctors (`/ourDoctors`): the directory with search, specialty, time and order, all in the address. */
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
  const today = useClinicToday();
  const filter = filterFrom(search);
  const set = (name: string, value: string) => {
    // From the address itself, which is ahead of rendering: a second change right after the first must not undo it.
    const changed = new URLSearchParams(location.search);
    if (value) changed.set(name, value);
    else changed.delete(name);
    // Another filter starts with the first page.
    changed.delete('cursor');
    setSearch(changed, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      {/* Without scripts it is sent by its button. */}
      <form action={directory} onSubmit={instead(() => undefined)}>
        <FilterBar label="Find a doctor">
          <SearchField
            label="Search doctors"
            placeholder="Search by name or specialty"
            value={filter.text}
            onChange={(text) => set('q', text)}
            delay={typing}
          />
          <SelectField
            label="Specialty"
            name="specialty"
            value={filter.specialty}
            onChange={(event) => set('specialty', event.target.value)}
            options={[{ value: '', label: 'All' }, ...specialties]}
          />
          <SelectField
            label="Day"
            name="when"
            value={filter.when ?? ''}
            onChange={(event) => set('when', event.target.value)}
            options={[
              { value: '', label: 'Any day' },
              { value: 'today', label: 'Today' },
              { value: 'tomorrow', label: 'Tomorrow' },
              { value: 'week', label: 'Next 7 days' },
            ]}
          />
          <SelectField
            label="Time of day"
            name="part"
            value={filter.part ?? ''}
            onChange={(event) => set('part', event.target.value)}
            options={[any, { value: 'morning', label: 'Morning' }, { value: 'afternoon', label: 'Afternoon' }]}
          />
          <SelectField
            label="Sort by"
            name="sort"
            value={filter.sort === 'rating' ? '' : filter.sort}
            onChange={(event) => set('sort', event.target.value === usualSort(filter) ? '' : event.target.value)}
            options={[
              { value: 'name', label: 'Name (A to Z)' },
              { value: 'soonest', label: 'Soonest appointment' },
              { value: 'experience', label: 'Experience (highest first)' },
            ]}
          />
          <Button type="submit" className="hidden self-end noscript:inline-flex">
            Search
          </Button>
        </FilterBar>
      </form>
      <Results
        query={queryOf(filter, today)}
        today={today}
        cursor={search.get('cursor') ?? ''}
        onClear={() => setSearch({}, { replace: true, preventScrollReset: true })}
      />
    </>
  );
}

interface ResultsProps {
  readonly query: CallQuery<'listDoctors'>;
  readonly today: string;
  /** Empty: the first page. */
  readonly cursor: string;
}

function Results({ query, today, cursor, onClear }: ResultsProps & { readonly onClear: () => void }) {
  const { page, outdated, failed, retry } = useDoctorPage(query, cursor, today);
  if (failed) return <Failed onRetry={retry} />;
  if (!page) return <DoctorGridLoading count={6} />;
  const { rows, total = rows.length, next } = page;
  return (
    <div aria-busy={outdated}>
      <h2 aria-live="polite" className="mb-5 text-heading font-semibold">
        <span key={total}>{`Showing ${total} doctor(s)`}</span>
      </h2>
      {rows.length === 0 ? (
        <Card>
          <EmptyState
            icon="stethoscope"
            title="No doctors match your search"
            text={
              query.from || query.part
                ? 'Try another day or time, another name, or choose all specialties.'
                : 'Try another name, or choose all specialties.'
            }
            action={
              <form action={directory} onSubmit={instead(onClear)}>
                <Button type="submit" variant="secondary">
                  Show all doctors
                </Button>
              </form>
            }
          />
        </Card>
      ) : (
        <>
          <DoctorGrid doctors={rows} />
          <DoctorFacts doctors={rows} />
        </>
      )}
      {/* Another filter starts with the first page. */}
      {next && <More key={JSON.stringify(query)} query={query} today={today} cursor={next} />}
    </div>
  );
}

/** Without scripts the button opens the next page. */
function More(props: ResultsProps) {
  const [open, setOpen] = useState(false);
  const [search] = useSearchParams();
  if (open) return <NextPage {...props} />;
  const others = [...search].filter(([name]) => name !== 'cursor');
  return (
    <form action={directory} className="mt-8 text-center" onSubmit={instead(() => setOpen(true))}>
      {[...others, ['cursor', props.cursor] as const].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" variant="secondary">
        Show more doctors
      </Button>
    </form>
  );
}

function NextPage({ query, today, cursor }: ResultsProps) {
  const { page, failed, retry } = useDoctorPage(query, cursor, today);
  return (
    <div className="mt-5">
      {failed && <Failed onRetry={retry} />}
      {!failed && !page && <DoctorGridLoading count={3} />}
      {page && <DoctorGrid doctors={page.rows} />}
      {page?.next && <More query={query} today={today} cursor={page.next} />}
    </div>
  );
}

function Failed({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Card>
      <ErrorState title="Error loading doctors" onRetry={onRetry} />
    </Card>
  );
}

export default definePage({ Component: DoctorDirectoryPage });
