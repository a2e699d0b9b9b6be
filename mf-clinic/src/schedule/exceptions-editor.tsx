import { addDays, formatDate, formatTime } from '@clinic/app-kit';
import type { Holiday, ScheduleException } from '@clinic/svc-clinic/contract/schedule-schemas';
import { Alert, Button, DateField, Dialog, Icon, SelectField, TextField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { lazy, Suspense, useState } from 'react';
import type { DayNote } from '../slots/day-calendar.tsx';
import { fromField, spanFault, spansOfDays, toField, type ScheduleDraft } from './draft.ts';

const DayCalendar = lazy(async () => ({ default: (await import('../slots/day-calendar.tsx')).DayCalendar }));

type Exceptions = Pick<ScheduleDraft, 'daysOff' | 'exceptions'>;

interface ExceptionsEditorProps extends Exceptions {
  readonly today: string;
  readonly holidays: readonly Holiday[];
  /** Exceptions to hours need hours. */
  readonly hasHours: boolean;
  readonly onChange: (changed: Exceptions) => void;
}

/** Days that differ from the week: days off, parts of days off and extra hours, on a month to choose from and as a list. */
export function ExceptionsEditor({ today, holidays, hasHours, daysOff, exceptions, onChange }: ExceptionsEditorProps) {
  const [month, setMonth] = useState(today);
  const [adding, setAdding] = useState(false);
  const notes = new Map<string, DayNote>([
    ...exceptions.map(
      ({ date, kind }) => [date, { is: 'different', text: kind === 'extra' ? 'extra hours' : 'partly off' }] as const,
    ),
    ...holidays.flatMap(daysOf),
  ]);
  const nothing = daysOff.length === 0 && exceptions.length === 0;

  return (
    <div className="grid gap-x-10 gap-y-6 md:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <div>
        <Suspense fallback={<Loading className="h-80 max-w-96" />}>
          <DayCalendar
            several
            label="Days off"
            today={today}
            month={month < today ? today : month}
            onMonth={setMonth}
            selected={daysOff}
            notes={notes}
            onDay={(day) =>
              onChange({
                exceptions,
                daysOff: daysOff.includes(day) ? daysOff.filter((one) => one !== day) : [...daysOff, day].toSorted(),
              })
            }
          />
        </Suspense>
        <p className="ui-hint mt-2">
          Press a day to take it off. Days with other hours are circled, holidays crossed out.
        </p>
      </div>
      <div className="grid content-start gap-4">
        {nothing && (
          <p className="text-muted">Every week is the same. Add a holiday of yours, a course or an extra evening.</p>
        )}
        <ul aria-label="Days that differ" className="grid gap-2">
          {spansOfDays(daysOff, (day) => addDays(day, 1)).map(({ from, until }) => (
            <Entry
              key={from}
              what="Off"
              text={from === until ? formatDate(from) : `${formatDate(from)} to ${formatDate(until)}`}
              onRemove={() => onChange({ exceptions, daysOff: daysOff.filter((day) => day < from || day > until) })}
            />
          ))}
          {exceptions.map((exception) => (
            <Entry
              key={`${exception.kind} ${exception.date} ${exception.from}`}
              what={exception.kind === 'extra' ? 'Extra hours' : 'Partly off'}
              text={describe(exception)}
              onRemove={() => onChange({ daysOff, exceptions: exceptions.filter((one) => one !== exception) })}
            />
          ))}
        </ul>
        <div>
          <Button variant="secondary" size="sm" icon="plus" onClick={() => setAdding(true)}>
            Add time off or extra hours
          </Button>
        </div>
      </div>
      {adding && (
        <AddDialog
          today={today}
          hasHours={hasHours}
          onClose={() => setAdding(false)}
          onAdd={(added) => {
            onChange({
              daysOff: [...new Set([...daysOff, ...added.daysOff])].toSorted(),
              exceptions: [...exceptions, ...added.exceptions].toSorted((one, other) =>
                `${one.date} ${one.from}`.localeCompare(`${other.date} ${other.from}`),
              ),
            });
            setAdding(false);
          }}
        />
      )}
    </div>
  );
}

function daysOf({ name, from, until }: Holiday): (readonly [string, DayNote])[] {
  return daysBetween(from, until).map((day) => [day, { is: 'closed', text: name }] as const);
}

function daysBetween(from: string, until: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= until; day = addDays(day, 1)) days.push(day);
  return days;
}

function describe({ date, from, until, place }: ScheduleException): string {
  return `${formatDate(date)}, ${formatTime(from)} to ${formatTime(toField(until))}${until <= from ? ' the next day' : ''}${place && `, ${place}`}`;
}

function Entry({
  what,
  text,
  onRemove,
}: {
  readonly what: string;
  readonly text: string;
  readonly onRemove: () => void;
}) {
  return (
    <li className="flex items-center justify-between gap-3 rounded-xl bg-base-200 py-1 ps-4 pe-1">
      <span className="min-w-0">
        <strong className="font-semibold">{what}</strong> <span className="block tabular-nums sm:inline">{text}</span>
      </span>
      <button type="button" className="ui-icon-button" aria-label={`Remove ${what}, ${text}`} onClick={onRemove}>
        <Icon name="x" size={16} />
      </button>
    </li>
  );
}

const kinds = [
  { value: 'days', label: 'Whole days off' },
  { value: 'off', label: 'Part of a day off' },
  { value: 'extra', label: 'Extra hours' },
];

/** The longest leave in one entry. */
const mostDays = 366;

interface AddDialogProps {
  readonly today: string;
  readonly hasHours: boolean;
  readonly onClose: () => void;
  readonly onAdd: (added: Exceptions) => void;
}

function AddDialog({ today, hasHours, onClose, onAdd }: AddDialogProps) {
  const [kind, setKind] = useState('days');
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const [from, setFrom] = useState(hasHours ? '13:00' : '');
  const [until, setUntil] = useState('17:00');
  const [place, setPlace] = useState('');
  const [fault, setFault] = useState<string>();
  const whole = kind === 'days';

  function add(): void {
    const end = whole && last ? last : first;
    const wrong = faultOf(end);
    setFault(wrong);
    if (wrong) return;
    if (whole) return onAdd({ daysOff: daysBetween(first, end), exceptions: [] });
    const exception = {
      date: first,
      kind: kind === 'extra' ? ('extra' as const) : ('off' as const),
      from,
      until: fromField(until),
      place,
    };
    onAdd({ daysOff: [], exceptions: [exception] });
  }

  function faultOf(end: string): string | undefined {
    if (first === '') return 'Choose a day';
    if (first < today) return 'This day is in the past';
    if (end < first) return 'The last day can’t be before the first';
    if (daysBetween(first, end).length > mostDays) return `You can add at most ${mostDays} days at once`;
    return whole ? undefined : spanFault(from, until);
  }

  return (
    <Dialog
      open
      title="Time off or extra hours"
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Go back
          </Button>
          <Button onClick={add}>Add</Button>
        </>
      }
    >
      <div className="grid gap-4">
        <SelectField
          label="What"
          options={hasHours ? kinds : kinds.slice(0, 1)}
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <DateField
            label={whole ? 'First day' : 'Day'}
            min={today}
            value={first}
            onChange={(event) => setFirst(event.target.value)}
          />
          {whole && (
            <DateField
              label="Last day"
              min={first || today}
              hint="Leave it empty for one day."
              value={last}
              onChange={(event) => setLast(event.target.value)}
            />
          )}
        </div>
        {!whole && (
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="From" type="time" value={from} onChange={(event) => setFrom(event.target.value)} />
            <TextField label="Until" type="time" value={until} onChange={(event) => setUntil(event.target.value)} />
          </div>
        )}
        {kind === 'extra' && (
          <TextField
            label="Place (optional)"
            maxLength={80}
            value={place}
            onChange={(event) => setPlace(event.target.value)}
          />
        )}
        {fault && <Alert kind="error">{fault}</Alert>}
      </div>
    </Dialog>
  );
}
