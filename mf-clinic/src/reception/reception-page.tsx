import { definePage, formatDate, Link, useCall } from '@clinic/app-kit';
import { useLiveLists } from '@clinic/app-kit/records';
import { searchWords } from '@clinic/contracts/search-key';
import type { VisitOfDay } from '@clinic/svc-clinic/contract/attendance-calls';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { ButtonLink, Card, EmptyState, FilterBar, PageHeader, SearchField, SelectField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { useState } from 'react';
import { calendarLink } from '../appointments/links.tsx';
import { dayLists } from '../attendance/calls.ts';
import { useVisitClock } from '../attendance/use-now.ts';
import { ScreenButton } from '../waiting-room/screen-button.tsx';
import { WalkInButton } from '../desk/walk-in-button.tsx';
import { LoadError } from '../load-error.tsx';
import { CodeField } from './code-field.tsx';
import { countsOfDay, orderOfDesk, type DeskOfDoctor } from './order-of-desk.ts';
import { useRowKeys } from './use-row-keys.ts';
import { VisitRow } from './visit-row.tsx';
import '../setup.ts';

/** Reception (`/dash/reception`): today's visits by doctor, late ones first, with one press for what comes next. */
export function ReceptionPage() {
  const clock = useVisitClock();
  const date = clock.today;
  const answer = useCall('getDay', { query: { date } });
  const doctors = useCall('listDoctors', { query: { sort: 'name' } });
  useLiveLists('watchAppointments', dayLists);
  return (
    <>
      <PageHeader
        title="Reception"
        description={
          <>
            <time dateTime={date}>{formatDate(date)}</time>
            {answer.data && answer.data.visits.length > 0 && ` · ${inWords(countsOfDay(answer.data.visits, clock))}`}
          </>
        }
        actions={
          <>
            <ScreenButton />
            {calendarLink}
            <WalkInButton doctors={(doctors.data ?? []) as readonly Doctor[]} />
          </>
        }
      />
      {answer.data ? (
        <Desk visits={answer.data.visits} complete={answer.data.complete} />
      ) : answer.isError ? (
        <Card>
          <LoadError title="Error loading today’s visits" answer={answer} />
        </Card>
      ) : (
        <Loading className="h-96" />
      )}
    </>
  );
}

function inWords({ late, waiting, inside, expected }: ReturnType<typeof countsOfDay>): string {
  const parts = [
    [late, 'late'],
    [waiting, 'waiting'],
    [inside, 'with a doctor'],
    [expected, 'expected'],
  ] as const;
  const counted = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return counted.length === 0 ? 'everybody has been seen' : counted.join(', ');
}

function Desk({ visits, complete }: { readonly visits: readonly VisitOfDay[]; readonly complete: boolean }) {
  const clock = useVisitClock();
  const [typed, setTyped] = useState('');
  const [doctor, setDoctor] = useState('');
  const { list, onKeyDown } = useRowKeys();
  const all = orderOfDesk(visits, clock);
  const shown = orderOfDesk(
    visits.filter((visit) => (doctor === '' || visit.doctoremail === doctor) && isNamed(visit, typed)),
    clock,
  );
  if (visits.length === 0)
    return (
      <Card>
        <EmptyState
          title="No visits today"
          text="Appointments booked for today appear here."
          icon="calendar"
          action={
            <ButtonLink component={Link} to="/dash/calendar" variant="soft">
              Open the calendar
            </ButtonLink>
          }
        />
      </Card>
    );
  return (
    <>
      <CodeField />
      <FilterBar label="Filter today’s visits">
        <SearchField label="Find a patient" placeholder="Name" value={typed} onChange={setTyped} />
        <SelectField
          label="Doctor"
          hideLabel
          options={[
            { value: '', label: 'All doctors' },
            ...all.map(({ email, name }) => ({ value: email, label: name })),
          ]}
          value={doctor}
          onChange={(event) => setDoctor(event.target.value)}
        />
      </FilterBar>
      {!complete && (
        <p className="mb-3 text-sm">There are more visits today than are shown. The calendar has each doctor’s day.</p>
      )}
      {/* The rows' own buttons take the keys. */}
      <div ref={list} className="grid items-start gap-4 2xl:grid-cols-2" onKeyDown={onKeyDown} role="presentation">
        {shown.map((desk) => (
          <DoctorsDay key={desk.email} desk={desk} />
        ))}
      </div>
      {shown.length === 0 && (
        <Card>
          <EmptyState title="No patient matches" text="Try another name, or all doctors." icon="search" />
        </Card>
      )}
    </>
  );
}

/** Whether each typed word begins a word of the patient’s name. */
function isNamed({ patientname }: VisitOfDay, typed: string): boolean {
  const words = searchWords(patientname);
  return searchWords(typed).every((one) => words.some((word) => word.startsWith(one)));
}

function DoctorsDay({ desk: { email, name, open, done } }: { readonly desk: DeskOfDoctor }) {
  const id = `desk-${email}`;
  return (
    <Card as="section" aria-labelledby={id} className="p-0!">
      <h2 id={id} className="px-4 pt-4 pb-2 text-heading font-bold wrap-anywhere sm:px-5">
        {name}
      </h2>
      {open.length > 0 ? (
        <ul className="divide-y divide-line">
          {open.map((visit) => (
            <VisitRow key={visit._id} visit={visit} />
          ))}
        </ul>
      ) : (
        <p className="px-4 pb-3 text-muted sm:px-5">Everybody has been seen.</p>
      )}
      {done.length > 0 && (
        <details className="border-t border-line">
          <summary className="cursor-pointer px-4 py-3 text-sm font-medium text-muted sm:px-5">
            Seen or missed ({done.length})
          </summary>
          <ul className="divide-y divide-line">
            {done.map((visit) => (
              <VisitRow key={visit._id} visit={visit} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

export default definePage({ Component: ReceptionPage });
