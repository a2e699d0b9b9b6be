import { addDays, api, formatTime, useCall, useSession } from '@clinic/app-kit';
import type { CallBody, ClinicMoment } from '@clinic/contracts';
import type { CalendarAppointment, PlannedMove } from '@clinic/svc-clinic/contract/calendar-calls';
import { calendarLimits } from '@clinic/svc-clinic/contract/limits';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Alert, Button, Dialog, DateField, SelectField, Spinner, TextField } from '@clinic/ui';
import { useState } from 'react';
import { actorsFor, mayMove } from '../appointments/may-change.ts';
import { Choice } from '../choice.tsx';
import { useDesk } from '../desk/use-desk.ts';
import { LoadError } from '../load-error.tsx';
import { seenOf, takeMovesBack } from '../reschedule/move-back.ts';
import { toldOfMove } from '../several/told-of-move.ts';
import { count, useOneByOne } from '../several/use-one-by-one.ts';
import { useClosing } from './close-day.tsx';
import { useSettled } from '../use-settled.ts';
import type { DayColumn } from './grid-layout.ts';
import { wholeDay } from './week-days.ts';
import './calls.ts';

/** Where a day can go: to colleagues at the same times, to another day, or to later on the same day. */
const anyColleague = 'any colleague';
const anotherDay = 'another day';
const later = 'later';

interface MoveDayProps {
  readonly column: DayColumn;
  readonly now: ClinicMoment;
  readonly onClose: () => void;
}

type Target = Pick<NonNullable<PlannedMove['to']>, 'doctoremail' | 'date' | 'time'>;

/** Which appointments the signed-in person may move. */
export function useMovable(now: ClinicMoment): (appointment: CalendarAppointment) => boolean {
  const session = useSession();
  return (one) => mayMove(one, actorsFor(one, session), now);
}

/** Moves a doctor's day: the doctor has fallen ill, or comes later. Says what fits, and what each patient is told, before it does. */
export function MoveDay({ column, now, onClose }: MoveDayProps) {
  const { doctor, day } = column;
  const appointments = column.appointments.filter(useMovable(now));
  const { run, busy, failures, reset } = useOneByOne();
  const close = useClosing();
  const choice = useChoice(column);
  const wanted = JSON.stringify(choice.body);
  const settled = useSettled(wanted) === wanted;
  const asks = appointments.length > 0 && choice.body !== undefined && settled;
  const answer = useCall(
    'planDay',
    { body: { appointments: appointments.map(({ _id }) => _id), ...choice.body } },
    { enabled: asks, staleTime: 0, keepPrevious: true },
  );
  const planned = new Map((asks && !answer.isPlaceholderData ? answer.data : undefined)?.map((one) => [one._id, one]));
  const going = appointments.filter((one) => moves(one, planned.get(one._id)?.to));

  async function move(): Promise<void> {
    if (busy || going.length === 0) return;
    const moved = await run<CalendarAppointment, Appointment>(
      going,
      (one) => send(one, planned.get(one._id)?.to ?? one),
      {
        ...(choice.closes && { first: (wanted) => close([{ ...column, until: choice.until }], wanted) }),
        done: 'moved',
        undo: takeMovesBack,
      },
    );
    if (moved.length === appointments.length) onClose();
  }

  return (
    <Dialog
      open
      wide
      title={`Move the day of ${doctor.name}, ${wholeDay(day.date)}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
          <Button busy={busy} aria-disabled={going.length === 0} onClick={() => void move()}>
            Move {count(going.length)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <WhereTo choice={choice} doctor={doctor} today={now.date} onChange={reset} />
        <p className="ui-hint">
          Each patient gets one message. You can undo the moves; the messages wait for a minute.
        </p>
        <LoadError title="Error loading colleagues" answer={choice.answer} />
        <LoadError title="Error loading free times" answer={answer} />
        {choice.body && appointments.length > 0 && planned.size === 0 && !answer.isError && <Spinner />}
        {appointments.length === 0 && <p>No appointment of this day can be moved any more.</p>}
        {planned.size > 0 && (
          <ul aria-label="What happens" className="divide-y divide-line">
            {appointments.map((one) => (
              <Planned key={one._id} appointment={one} plan={planned.get(one._id)} failure={failures.get(one._id)} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

interface Wanted {
  /** One of the constants above, or a colleague's address. */
  readonly where: string;
  readonly date: string;
  readonly from: string;
  /** Where an appointment's own time isn't free, another of that day. */
  readonly otherTimes: boolean;
  /** Nobody can book what the day is emptied of. */
  readonly closes: boolean;
}

type Choice = ReturnType<typeof useChoice>;

/** Where the day goes, and the question for it; none while something isn't chosen. */
function useChoice({ doctor, day }: DayColumn) {
  const colleagues = useColleagues(doctor);
  const [changed, setChanged] = useState<Partial<Wanted>>({});
  const first = colleagues.list.length > 0 ? anyColleague : anotherDay;
  const wanted: Wanted = {
    where: first,
    date: addDays(day.date, 1),
    from: '',
    otherTimes: false,
    closes: true,
    ...changed,
  };
  const { where, date, from, otherTimes, closes } = wanted;
  const emails = colleagues.list.slice(0, calendarLimits.doctors).map(({ email }) => email);
  const ready = !colleagues.loading && (where !== anotherDay || date !== '') && (where !== later || from !== '');
  // To other times of the day itself nothing could be moved any more.
  const within = where === anotherDay ? date === day.date : where === later && from === '00:00';
  const closable = day.closed === undefined && !within;
  const body: Omit<CallBody<'planDay'>, 'appointments'> = {
    ...(where === anotherDay
      ? { date }
      : where === later
        ? { from }
        : { colleagues: where === anyColleague ? emails : [where] }),
    ...((otherTimes || where === later) && { otherTimes: true }),
    ...(closable && !closes && { staysOpen: true }),
  };
  return {
    wanted,
    closable,
    closes: closable && closes,
    until: where === later ? from : undefined,
    colleagues: colleagues.list,
    answer: colleagues.answer,
    body: ready ? body : undefined,
    change: (part: Partial<Wanted>) => setChanged({ ...changed, ...part }),
  };
}

interface WhereToProps {
  readonly choice: Choice;
  readonly doctor: DayColumn['doctor'];
  readonly today: string;
  readonly onChange: () => void;
}

function WhereTo({ choice: { wanted, closable, colleagues, change }, doctor, today, onChange }: WhereToProps) {
  const set = (part: Partial<Wanted>): void => {
    onChange();
    change(part);
  };
  const { doctors: most } = calendarLimits;
  const whom = colleagues.length > most ? `Any of the first ${most} colleagues` : 'Any colleague';
  const any = { value: anyColleague, label: `${whom} (${doctor.specialization})` };
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Where to"
          options={[
            ...(colleagues.length > 0 ? [any] : []),
            ...(colleagues.length > 1 ? colleagues.map(({ email, name }) => ({ value: email, label: name })) : []),
            { value: anotherDay, label: `Another day with ${doctor.name}` },
            { value: later, label: `Later on this day with ${doctor.name}` },
          ]}
          value={wanted.where}
          onChange={({ target }) => set({ where: target.value })}
        />
        {wanted.where === anotherDay && (
          <DateField
            label="Day"
            min={today}
            value={wanted.date}
            onChange={({ target }) => set({ date: target.value })}
          />
        )}
        {wanted.where === later && (
          <TextField
            label="Not before"
            type="time"
            value={wanted.from}
            onChange={({ target }) => set({ from: target.value })}
          />
        )}
      </div>
      {wanted.where !== later && (
        <Choice
          type="checkbox"
          label="Another time of that day where the same time isn’t free"
          checked={wanted.otherTimes}
          onChange={() => set({ otherTimes: !wanted.otherTimes })}
        />
      )}
      {closable && (
        <Choice
          type="checkbox"
          label={
            wanted.where === later
              ? 'First close the hours before that to new bookings'
              : 'First close the day to new bookings'
          }
          checked={wanted.closes}
          onChange={() => change({ closes: !wanted.closes })}
        />
      )}
    </>
  );
}

interface PlannedProps {
  readonly appointment: CalendarAppointment;
  readonly plan: PlannedMove | undefined;
  readonly failure: string | undefined;
}

function Planned({ appointment, plan, failure }: PlannedProps) {
  return (
    <li className="grid gap-1 py-3">
      <p className="wrap-anywhere">
        <span className="tabular-nums">{formatTime(appointment.time)}</span>{' '}
        <strong className="font-semibold">{appointment.patientname}</strong>
        {!plan?.to && ', stays'}
      </p>
      <p className="text-sm wrap-anywhere">
        {plan?.to
          ? moves(appointment, plan.to)
            ? toldOfMove(appointment, plan.to)
            : 'It stays where it is: that is late enough.'
          : (plan?.conflict ?? '').replace(/\.?$/, '.')}
      </p>
      {failure !== undefined && <Alert kind="error">{failure}</Alert>}
    </li>
  );
}

const moves = ({ doctoremail, date, time }: CalendarAppointment, to: Target | undefined): boolean =>
  to !== undefined && (to.doctoremail !== doctoremail || to.date !== date || to.time !== time);

/** The existing moves, of the appointment as it is on screen. */
function send({ _id: id, ...one }: CalendarAppointment, to: Target) {
  const slot = { date: to.date, time: to.time, seen: seenOf(one) };
  return to.doctoremail === one.doctoremail
    ? api.call('rescheduleAppointment', { params: { id }, body: slot })
    : api.call('moveToColleague', {
        params: { id },
        body: { ...slot, doctoremail: to.doctoremail, patientChoice: 'not asked' },
      });
}

/** The doctors of the same specialty, to whom only the desk hands appointments over. */
function useColleagues({ email, specialization }: DayColumn['doctor']) {
  const desk = useDesk();
  const answer = useCall('listDoctors', { query: { specialty: specialization, sort: 'name' } }, { enabled: desk });
  const doctors = Array.isArray(answer.data) ? answer.data : [];
  return {
    list: desk ? doctors.filter((one) => one.email !== email && one.isAvailable) : [],
    loading: desk && answer.isPending,
    answer,
  };
}
