import { startOfWeek } from '@clinic/contracts/opening-days';
import { addDays, definePage, Link, useCall, useSearchParams, useSession } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import { useLiveLists } from '@clinic/app-kit/records';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Button, ButtonLink, Card, DateField, PageHeader, SelectField, useMedia } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { useDesk } from '../desk/use-desk.ts';
import { BookedPanel } from '../appointments/booked-panel.tsx';
import { useStartOfBookings } from '../booking/staff-booking.ts';
import { AppointmentDialogs } from '../dialogs/appointment-dialogs.tsx';
import { NoProfile } from '../profile/no-profile.tsx';
import { WalkInButton } from '../desk/walk-in-button.tsx';
import { useCallback, useState } from 'react';
import { CalendarView } from './calendar-view.tsx';
import { namedDays, isDay, spanInWords, wholeDay } from './week-days.ts';
import { calendarLists } from './calls.ts';
import { LoadError } from '../load-error.tsx';
import '../setup.ts';

/** Calendar (`/dash/calendar`): a doctor's week or day; for the desk any doctor's, or everybody's day. */
export function CalendarPage() {
  const desk = useDesk();
  useStartOfBookings();
  return desk ? <ForDesk /> : <ForDoctors />;
}

function ForDoctors() {
  const email = useSession().user?.email ?? '';
  const profiles = useCall('getProfiles', { params: { email } }, { enabled: email !== '' });
  const doctor = profiles.data?.[0];
  if (doctor) return <Calendar doctor={doctor} doctors={[doctor]} />;
  return (
    <>
      <PageHeader title="Calendar" />
      {profiles.isPending ? <Loading className="h-96" /> : <NoProfile profiles={profiles} email={email} />}
    </>
  );
}

function ForDesk() {
  const [search] = useSearchParams();
  const answer = useCall('listDoctors', { query: { sort: 'name' } });
  const doctors = (answer.data ?? []) as readonly Doctor[];
  const doctor = doctors.find(({ _id }) => _id === search.get('doctor'));
  if (answer.data) return <Calendar doctor={doctor} doctors={doctors} everybody />;
  return (
    <>
      <PageHeader title="Calendar" />
      {answer.isError ? (
        <Card>
          <LoadError title="Error loading doctors" answer={answer} />
        </Card>
      ) : (
        <Loading className="h-96" />
      )}
    </>
  );
}

interface CalendarProps {
  /** Absent: all doctors of a day. */
  readonly doctor: Doctor | undefined;
  readonly doctors: readonly Doctor[];
  /** All doctors can be chosen. */
  readonly everybody?: boolean;
}

function Calendar({ doctor, doctors, everybody = false }: CalendarProps) {
  const [search, setSearch] = useSearchParams();
  const now = useClinicNow();
  // A week needs room for seven columns.
  const wide = useMedia('(min-width: 48rem)');
  const asked = search.get('date');
  const date = isDay(asked) ? asked : now.date;
  const week = doctor !== undefined && wide && search.get('view') !== 'day';
  const from = week ? startOfWeek(date) : date;
  const until = week ? addDays(from, 6) : date;
  const after = search.get('after') ?? undefined;
  const answer = useCall(
    'getClinicCalendar',
    { query: { ...(doctor && { doctor: doctor._id }), from, until, ...(!doctor && after && { after }) } },
    { keepPrevious: true },
  );
  useLiveLists('watchAppointments', calendarLists);
  const [printing, setPrinting] = useState(false);
  const printed = useCallback(() => setPrinting(false), []);

  const set = (fields: Readonly<Record<string, string | undefined>>): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(fields)) {
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const goTo = (day: string): void => set({ date: day === now.date ? undefined : day });
  const step = week ? 7 : 1;
  const period = week ? spanInWords(from, until) : wholeDay(date);

  return (
    <div data-print data-calendar-page>
      <PageHeader
        title="Calendar"
        description={doctor ? doctor.name : 'All doctors’ appointments of one day.'}
        actions={
          <>
            <Button
              variant="secondary"
              icon="clipboard"
              busy={printing}
              onClick={() => (answer.data ? setPrinting(true) : print())}
            >
              Print
            </Button>
            {everybody && <WalkInButton doctors={doctors} />}
            {everybody && (
              <ButtonLink
                component={Link}
                variant="secondary"
                to={doctor ? `/appoinment/${doctor._id}` : '/ourDoctors'}
                icon="plus"
              >
                Book an appointment
              </ButtonLink>
            )}
          </>
        }
      />
      <AppointmentDialogs>
        <BookedPanel />
      </AppointmentDialogs>
      <div className="mb-4 grid gap-3 print:mb-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="me-auto text-heading font-bold" aria-live="polite">
            {period}
          </h2>
          <DateField
            label="Go to date"
            hideLabel
            className="w-40 print:hidden"
            value={date}
            onChange={(event) => isDay(event.target.value) && goTo(event.target.value)}
          />
          <div className="flex items-center gap-1 print:hidden">
            <Button
              variant="secondary"
              size="sm"
              aria-disabled={from <= now.date && now.date <= until}
              onClick={() => goTo(now.date)}
            >
              Today
            </Button>
            <Button
              variant="ghost"
              size="sm"
              icon="chevron-left"
              aria-label={week ? 'Previous week' : 'Previous day'}
              onClick={() => goTo(addDays(date, -step))}
            />
            <Button
              variant="ghost"
              size="sm"
              icon="chevron-right"
              aria-label={week ? 'Next week' : 'Next day'}
              onClick={() => goTo(addDays(date, step))}
            />
          </div>
          {doctor && wide && (
            <fieldset className="flex gap-1 print:hidden">
              <legend className="sr-only">Show</legend>
              {(['week', 'day'] as const).map((view) => (
                <Button
                  key={view}
                  size="sm"
                  variant={(view === 'week') === week ? 'primary' : 'secondary'}
                  aria-pressed={(view === 'week') === week}
                  onClick={() => set({ view: view === 'day' ? 'day' : undefined })}
                >
                  {view === 'week' ? 'Week' : 'Day'}
                </Button>
              ))}
            </fieldset>
          )}
        </div>
        {everybody && (
          <SelectField
            label="Doctor"
            hideLabel
            className="min-w-0 sm:max-w-sm print:hidden"
            options={[
              { value: '', label: 'All doctors' },
              ...doctors.map(({ _id, name, specialization }) => ({ value: _id, label: `${name}, ${specialization}` })),
            ]}
            value={doctor?._id ?? ''}
            onChange={(event) => set({ doctor: event.target.value, after: undefined })}
          />
        )}
        {!wide && <WeekStrip date={date} today={now.date} onDay={goTo} />}
      </div>
      {answer.isError && !answer.data ? (
        <Card>
          <LoadError title="Error loading calendar" answer={answer} />
        </Card>
      ) : answer.data ? (
        <AppointmentDialogs>
          <CalendarView
            key={doctor?._id ?? 'all'}
            calendar={answer.data}
            stale={answer.isPlaceholderData}
            period={period}
            now={now}
            byDoctor={!doctor}
            {...(printing && { onPrinted: printed })}
            onFurther={(id) => set({ after: id })}
            firstPage={after === undefined}
          />
        </AppointmentDialogs>
      ) : (
        <Loading className="h-[36rem]" />
      )}
    </div>
  );
}

interface WeekStripProps {
  readonly date: string;
  readonly today: string;
  readonly onDay: (date: string) => void;
}

/** Buttons for the days of the week around a day. */
function WeekStrip({ date, today, onDay }: WeekStripProps) {
  return (
    <ul aria-label="Days of this week" className="grid grid-cols-7 gap-1 print:hidden">
      {namedDays(startOfWeek(date)).map(({ day, weekday, number, whole }) => (
        <li key={day}>
          <button
            type="button"
            className={`grid w-full cursor-pointer justify-items-center rounded-field py-1 ${day === date ? 'bg-primary text-primary-content' : 'hover:bg-base-300/60'}`}
            aria-current={day === date ? 'date' : undefined}
            onClick={() => onDay(day)}
          >
            <span className="text-xs">{weekday}</span>
            <span className={`font-semibold tabular-nums ${day === today ? 'underline underline-offset-4' : ''}`}>
              {number}
            </span>
            <span className="sr-only">
              , {whole}
              {day === today && ', today'}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export default definePage({ Component: CalendarPage });
