import { formatDate, notify, useCall, useSession } from '@clinic/app-kit';
import type { ClinicMoment } from '@clinic/contracts';
import type { CalendarAppointment, ClinicCalendar } from '@clinic/svc-clinic/contract/calendar-calls';
import { Alert, Button, StatusBadge } from '@clinic/ui';
import { lazy, Suspense, use, useEffect, useRef, useState } from 'react';
import { mayReadAnswers } from '../appointments/may-change.ts';
import { useDesk } from '../desk/use-desk.ts';
import { DialogsContext } from '../dialogs/use-appointment-dialogs.ts';
import { PrintedAnswers } from '../questions/printed-answers.tsx';
import { ClinicZone } from '../slots/clinic-zone.tsx';
import { SameTimeDialog } from '../slots/same-time-dialog.tsx';
import { AppointmentDialog } from './appointment-dialog.tsx';
import { BlockDialog, UnblockDialog, type SlotTarget, type UnblockTarget } from './block-dialog.tsx';
import { CalendarGrid } from './calendar-grid.tsx';
import { OpenDayDialog, type ClosedDay } from './close-day.tsx';
import { DoctorsShown, useDoctorsShown } from './doctors-shown.tsx';
import { MoveDay, useMovable } from './move-day.tsx';
import { MoveQuestion, type Dropped } from './move-question.tsx';
import { SeveralAtOnce } from './several-at-once.tsx';
import { shownSpan, type DayColumn } from './grid-layout.ts';
import { useMoves } from './use-moves.ts';

const BookDialog = lazy(async () => ({ default: (await import('../desk/book-dialog.tsx')).BookDialog }));

interface CalendarViewProps {
  readonly calendar: ClinicCalendar;
  /** Another period is loading. */
  readonly stale: boolean;
  /** The period in words. */
  readonly period: string;
  readonly now: ClinicMoment;
  readonly byDoctor: boolean;
  /** The first doctors by name are on screen. */
  readonly firstPage: boolean;
  /** Shows the doctors after this one, or the first ones. */
  readonly onFurther: (doctorId: string | undefined) => void;
  /** It is being printed; a day with the answers that the reader may read. */
  readonly onPrinted?: () => void;
}

type Shown =
  | { readonly is: 'appointment'; readonly id: string }
  | { readonly is: 'book' | 'block'; readonly target: SlotTarget }
  | { readonly is: 'unblock'; readonly target: UnblockTarget }
  | { readonly is: 'open day'; readonly day: ClosedDay }
  | { readonly is: 'move day'; readonly key: string };

/** The calendar of a loaded period, with its dialogs. */
export function CalendarView(props: CalendarViewProps) {
  const { calendar, stale, period, now, byDoctor, firstPage, onFurther, onPrinted } = props;
  const session = useSession();
  const [announcement, announce] = useState('');
  const [shown, setShown] = useState<Shown>();
  const [moving, setMoving] = useState<CalendarAppointment>();
  const [dropped, setDropped] = useState<Dropped>();
  /** The appointment that has just been moved or booked. */
  const put = useRef<string>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const openDialog = use(DialogsContext);
  const moves = useMoves(announce);
  const appointments = moves.withMoves(calendar.appointments);
  const columns = columnsOf(calendar, appointments);
  const working = byDoctor ? columns.filter(isBusy) : columns;
  const choice = useDoctorsShown(working, byDoctor);
  const busy = choice.shown;
  const idle = byDoctor ? columns.filter((column) => !isBusy(column)) : [];
  const close = (): void => setShown(undefined);
  const selected = shown?.is === 'appointment' && appointments.find(({ _id }) => _id === shown.id);
  const movable = useMovable(now);
  // Of the account: the profile may have another address.
  const own = useCall(
    'getProfiles',
    { params: { email: session.user?.email ?? '' } },
    { enabled: session.role === 'doctor' },
  );
  const keepsHours = ({ doctor }: DayColumn): boolean =>
    session.role === 'admin' || own.data?.some(({ _id }) => _id === doctor._id) === true;
  const desk = useDesk();
  const unblock = (column: DayColumn, exception?: UnblockTarget['exception']): void => {
    if (exception && keepsHours(column)) setShown({ is: 'unblock', target: { column, exception } });
    else if (!exception ? desk || keepsHours(column) : desk && exception.from === '00:00')
      setShown({ is: 'open day', day: { ...column, until: exception?.until } });
    else notify.info('This time is blocked', 'The doctor or an admin can open it again.');
  };
  const toMove = busy.filter(({ appointments: those }) => those.some(movable));
  const dayToMove = shown?.is === 'move day' && columns.find(({ key }) => key === shown.key);
  const moveDay = ({ key }: Pick<DayColumn, 'key'>): void => setShown({ is: 'move day', key });

  function startMoving(appointment: CalendarAppointment): void {
    close();
    setMoving(appointment);
    announce(
      `Moving ${appointment.patientname}. Choose a free time with the arrow keys and press Enter. Press Escape to keep the old time.`,
    );
  }
  function stopMoving(): void {
    if (!moving) return;
    put.current = moving._id;
    setMoving(undefined);
    announce(`${moving.patientname} stays at the old time.`);
  }

  // The button in its new place, as the old one no longer exists.
  useEffect(() => {
    if (put.current === undefined) return;
    const there = frame.current?.querySelector<HTMLElement>(`[data-item="appointment ${put.current}"]`);
    if (!there) return;
    there.focus();
    put.current = undefined;
    // A booked one comes with the next answer.
  }, [moving, shown, dropped, calendar]);

  // From the closed dialog to the first free time after the old one.
  useEffect(() => {
    if (!moving || stale) return;
    const free = [...(frame.current?.querySelectorAll<HTMLElement>('[data-item^="slot "]') ?? [])];
    const old = `${moving.date} ${moving.time}`;
    const momentOf = ({ dataset }: HTMLElement): string => dataset['item']?.split(' ').slice(2).join(' ') ?? '';
    (free.find((one) => momentOf(one) >= old) ?? free[0])?.focus();
  }, [moving, stale]);

  return (
    <div ref={frame} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <output className="sr-only">{announcement}</output>
      {moving && (
        <Alert
          kind="info"
          title={`Moving ${moving.patientname}`}
          actions={
            <Button size="sm" variant="secondary" onClick={stopMoving}>
              Keep the old time
            </Button>
          }
        >
          Choose a free time. You can go to another {columns.length > 1 && !byDoctor ? 'week' : 'day'} first.
        </Alert>
      )}
      {!calendar.complete && (
        <Alert kind="warning">There are more appointments than fit here. Choose a single doctor or day.</Alert>
      )}
      {appointments.length === 0 && !stale && (
        <p className="text-muted print:hidden">No appointments in this period.</p>
      )}
      <div className="flex flex-wrap items-start gap-2 empty:hidden print:hidden">
        {byDoctor && working.length > 1 && <DoctorsShown columns={working} choice={choice} />}
        <SeveralAtOnce columns={busy} now={now} />
        {toMove.length === 1 && (
          <Button size="sm" variant="secondary" onClick={() => toMove[0] && moveDay(toMove[0])}>
            Move the day …
          </Button>
        )}
      </div>
      <div className={stale ? 'opacity-60' : undefined} aria-busy={stale}>
        {busy.length > 0 && (
          <CalendarGrid
            label={`Calendar, ${period}. Use the arrow keys to go from one time to another.`}
            columns={busy}
            now={now}
            byDoctor={byDoctor}
            moving={moving}
            mayMove={movable}
            onMove={(appointment, place) => {
              setMoving(undefined);
              setDropped({ appointment, place });
            }}
            onRefused={({ patientname }, reason) => {
              notify.error(`${patientname} wasn’t moved`, `${reason}.`);
              announce(`${patientname} stays at the old time. ${reason}.`);
            }}
            onStopMoving={stopMoving}
            onAppointment={({ _id: id }) => setShown({ is: 'appointment', id })}
            onSlot={(column, { time, until }) => setShown({ is: 'book', target: { column, from: time, until } })}
            onBlock={(column, { exception }) => unblock(column, exception)}
            onDayOff={(column) => unblock(column)}
            moveDayOf={(column) => (toMove.length > 1 && toMove.includes(column) ? () => moveDay(column) : undefined)}
          />
        )}
      </div>
      {onPrinted && <PrintedAnswers visits={answeredOfDay(busy, session)} onDone={onPrinted} />}
      <Legend />
      <ClinicZone />
      {idle.length > 0 && (
        <p className="text-sm text-muted">Not here on this day: {idle.map(({ doctor }) => doctor.name).join(', ')}.</p>
      )}
      {(calendar.more || !firstPage) && byDoctor && (
        <div className="flex gap-2 print:hidden">
          {!firstPage && (
            <Button variant="secondary" size="sm" onClick={() => onFurther(undefined)}>
              First doctors
            </Button>
          )}
          {calendar.more && (
            <Button variant="secondary" size="sm" onClick={() => onFurther(calendar.doctors.at(-1)?._id)}>
              More doctors
            </Button>
          )}
        </div>
      )}
      {selected && (
        <DialogsContext
          value={(dialog, appointment) => {
            close();
            openDialog?.(dialog, appointment);
          }}
        >
          <AppointmentDialog
            appointment={selected}
            movable={movable(selected)}
            onMove={() => startMoving(selected)}
            onClose={close}
          />
        </DialogsContext>
      )}
      {dayToMove && <MoveDay column={dayToMove} now={now} onClose={close} />}
      {shown?.is === 'block' && <BlockDialog target={shown.target} today={now.date} onClose={close} />}
      {shown?.is === 'book' && (
        <Suspense>
          <BookDialog
            title={titleOf(shown.target)}
            slot={{ doctor: shown.target.column.doctor, date: shown.target.column.day.date, time: shown.target.from }}
            {...(keepsHours(shown.target.column) && {
              onBlock: () => setShown({ is: 'block', target: shown.target }),
            })}
            onBooked={({ _id: id }) => {
              put.current = id;
              close();
            }}
            onClose={close}
          />
        </Suspense>
      )}
      {shown?.is === 'unblock' && <UnblockDialog target={shown.target} onClose={close} />}
      {shown?.is === 'open day' && <OpenDayDialog closed={shown.day} onClose={close} />}
      <MoveQuestion
        dropped={dropped}
        doctors={calendar.doctors}
        onMove={({ appointment, place }) => {
          setDropped(undefined);
          put.current = appointment._id;
          moves.move(appointment, place);
        }}
        onKeep={({ appointment: { _id: id, patientname } }) => {
          setDropped(undefined);
          put.current = id;
          announce(`${patientname} stays at the old time.`);
        }}
      />
      <SameTimeDialog
        sameTime={moves.question?.sameTime}
        own={false}
        onConfirm={moves.keepBoth}
        onCancel={moves.giveUp}
      />
    </div>
  );
}

/** What the colours and icons mean. */
function Legend() {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      <StatusBadge status="Confirmed" />
      <StatusBadge status="Pending" />
      <span className="inline-flex items-center gap-2">
        <span
          aria-hidden
          className="size-4 rounded-sm border border-line bg-[repeating-linear-gradient(135deg,var(--color-base-300)_0_3px,var(--color-base-200)_3px_6px)]"
        />
        Blocked
      </span>
      <span className="inline-flex items-center gap-2 print:hidden">
        <span aria-hidden className="size-4 rounded-sm border border-line bg-base-300/50" />
        Outside hours
      </span>
    </p>
  );
}

/** Doctors with neither hours nor appointments are listed below instead of having a column; a day off is opened in it. */
const isBusy = ({ doctor, day, appointments }: DayColumn): boolean =>
  appointments.length > 0 || day.slots.length > 0 || day.closed === 'day off' || (doctor.anyTime && !day.closed);

const titleOf = ({ column: { doctor, day }, from, until }: SlotTarget): string =>
  `${formatDate(day.date)}, ${shownSpan(from, until)}, ${doctor.name}`;

function columnsOf({ doctors }: ClinicCalendar, appointments: readonly CalendarAppointment[]): DayColumn[] {
  const byColumn = Map.groupBy(appointments, ({ doctoremail, date }) => `${doctoremail} ${date}`);
  return doctors.flatMap((doctor) =>
    doctor.days.map((day) => ({
      key: `${doctor._id} ${day.date}`,
      doctor,
      day,
      appointments: (byColumn.get(`${doctor.email} ${day.date}`) ?? []).toSorted((one, other) =>
        one.time.localeCompare(other.time),
      ),
    })),
  );
}

/** The visits of a day whose answers the reader may read; a week’s would be too much paper. */
function answeredOfDay(
  columns: readonly DayColumn[],
  session: Parameters<typeof mayReadAnswers>[1],
): readonly CalendarAppointment[] {
  if (new Set(columns.map(({ day }) => day.date)).size > 1) return [];
  return columns
    .flatMap(({ appointments }) => appointments)
    .filter((one) => one.answeredAt !== undefined && mayReadAnswers(one, session));
}
