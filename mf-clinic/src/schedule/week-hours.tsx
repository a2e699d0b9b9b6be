import type { FieldError } from '@clinic/contracts';
import { week, type Weekday } from '@clinic/contracts/opening-days';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import { Button, Dialog, Icon } from '@clinic/ui';
import { useId, useState } from 'react';
import { Choice } from '../choice.tsx';
import { spanErrors, usualHours, type PeriodDraft, type SpanDraft } from './draft.ts';
import { Switch } from '@clinic/ui/switch';

interface WeekHoursProps {
  readonly period: PeriodDraft;
  readonly index: number;
  readonly errors: readonly FieldError[];
  readonly places: readonly string[];
  readonly usualPlace: string;
  readonly onChange: (days: PeriodDraft['days']) => void;
}

/** A week: each day switched on or off, with one or more spans of hours. */
export function WeekHours({ period, index, errors, places, usualPlace, onChange }: WeekHoursProps) {
  const { days } = period;
  const [copying, setCopying] = useState<Weekday>();
  // Switching a day off and on again brings its hours back.
  const [former, setFormer] = useState<Partial<Record<Weekday, readonly SpanDraft[]>>>({});
  const set = (day: Weekday, spans: readonly SpanDraft[]): void => onChange({ ...days, [day]: spans });

  function toggle(day: Weekday, on: boolean): void {
    if (!on) setFormer({ ...former, [day]: days[day] });
    const like = former[day] ?? days[week.find((other) => days[other].length > 0) ?? day];
    set(day, on ? (like.length > 0 ? like : [usualHours]) : []);
  }

  return (
    <>
      <ul aria-label="Weekly hours" className="divide-y divide-line rounded-xl border border-line">
        {week.map((day) => (
          <li
            key={day}
            className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 p-3 sm:grid-cols-[9.5rem_minmax(0,1fr)_auto] sm:px-4"
          >
            <div className="flex items-center justify-between">
              <Switch label={day} checked={days[day].length > 0} onChange={(on) => toggle(day, on)} />
              <span className="sm:hidden">
                <DayActions day={day} on={days[day].length > 0} onAdd={() => add(day)} onCopy={() => setCopying(day)} />
              </span>
            </div>
            <div className="grid grid-cols-[minmax(0,1fr)] content-center gap-2">
              {days[day].length === 0 && <p className="text-muted max-sm:hidden">Not working</p>}
              {days[day].map((span, at) => (
                <SpanRow
                  key={at}
                  day={day}
                  which={days[day].length > 1 ? ` (${at + 1} of ${days[day].length})` : ''}
                  span={span}
                  places={places}
                  usualPlace={usualPlace}
                  error={spanErrors(errors, period, index, day, at)}
                  onChange={(changed) =>
                    set(
                      day,
                      days[day].map((one, other) => (other === at ? changed : one)),
                    )
                  }
                  onRemove={() =>
                    set(
                      day,
                      days[day].filter((_, other) => other !== at),
                    )
                  }
                />
              ))}
            </div>
            <span className="max-sm:hidden">
              <DayActions day={day} on={days[day].length > 0} onAdd={() => add(day)} onCopy={() => setCopying(day)} />
            </span>
          </li>
        ))}
      </ul>
      {copying && (
        <CopyDialog
          day={copying}
          onClose={() => setCopying(undefined)}
          onCopy={(targets) => {
            onChange({ ...days, ...Object.fromEntries(targets.map((day) => [day, days[copying]])) });
            setCopying(undefined);
          }}
        />
      )}
    </>
  );

  /** The next span starts an hour after the last one ends, where the day has room for it. */
  function add(day: Weekday): void {
    const last = days[day].at(-1);
    const hour = last ? Number(last.until.slice(0, 2)) + 1 : 9;
    const at = (value: number): string => `${String(value).padStart(2, '0')}:00`;
    set(day, [
      ...days[day],
      last && hour < 23 ? { from: at(hour), until: at(Math.min(hour + 2, 23)), place: last.place } : usualHours,
    ]);
  }
}

interface DayActionsProps {
  readonly day: Weekday;
  readonly on: boolean;
  readonly onAdd: () => void;
  readonly onCopy: () => void;
}

function DayActions({ day, on, onAdd, onCopy }: DayActionsProps) {
  return (
    <span className="flex items-center">
      <button
        type="button"
        className="ui-icon-button"
        title={`Add hours on ${day}`}
        aria-label={`Add hours on ${day}`}
        onClick={onAdd}
      >
        <Icon name="plus" size={18} />
      </button>
      {on && (
        <Button variant="ghost" size="sm" aria-label={`Copy the hours of ${day}`} onClick={onCopy}>
          Copy
        </Button>
      )}
    </span>
  );
}

interface SpanRowProps {
  readonly day: Weekday;
  /** Tells the hours of a day apart: ' (2 of 3)'. */
  readonly which: string;
  readonly span: SpanDraft;
  readonly places: readonly string[];
  readonly usualPlace: string;
  readonly error: string | undefined;
  readonly onChange: (span: SpanDraft) => void;
  readonly onRemove: () => void;
}

function SpanRow({ day, which, span, places, usualPlace, error, onChange, onRemove }: SpanRowProps) {
  const id = useId();
  // Few hours are elsewhere than the doctor's usual place.
  const [placeShown, showPlace] = useState(span.place !== '');
  const described = error ? { 'aria-invalid': true, 'aria-describedby': `${id}-error` } : {};
  return (
    <div>
      <div className="flex flex-wrap items-center gap-1">
        <TimeInput
          label={`${day}, from${which}`}
          value={span.from}
          onChange={(from) => onChange({ ...span, from })}
          {...described}
        />
        <span aria-hidden="true">–</span>
        <TimeInput
          label={`${day}, until${which}`}
          value={span.until}
          onChange={(until) => onChange({ ...span, until })}
          {...described}
        />
        <button
          type="button"
          className={`ui-icon-button max-xl:hidden ${placeShown ? 'text-primary' : ''}`}
          title="Place"
          aria-label={`Place of these hours on ${day}${which}`}
          aria-expanded={placeShown}
          onClick={() => showPlace(!placeShown)}
        >
          <Icon name="pin" size={17} />
        </button>
        <button
          type="button"
          className="ui-icon-button"
          aria-label={`Remove these hours on ${day}${which}`}
          onClick={onRemove}
        >
          <Icon name="trash" size={17} />
        </button>
      </div>
      {!placeShown && (
        <button type="button" className="link min-h-8 text-sm text-muted xl:hidden" onClick={() => showPlace(true)}>
          Another place
          <span className="sr-only"> for these hours on {day + which}</span>
        </button>
      )}
      {placeShown && (
        <input
          type="text"
          className="input ui-control mt-2 w-full max-w-96 text-sm"
          aria-label={`${day}, place${which}`}
          placeholder={usualPlace ? `${usualPlace} (as usual)` : 'Room or branch'}
          maxLength={scheduleLimits.placeLength}
          list={`${id}-places`}
          value={span.place}
          onChange={(event) => onChange({ ...span, place: event.target.value })}
        />
      )}
      {placeShown && (
        <datalist id={`${id}-places`}>
          {places.map((place) => (
            <option key={place}>{place}</option>
          ))}
        </datalist>
      )}
      {error && (
        <p id={`${id}-error`} className="ui-error mt-1" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface TimeInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function TimeInput({ label, value, onChange, ...described }: TimeInputProps) {
  return (
    <input
      type="time"
      className="input ui-control max-w-34 min-w-min flex-1 px-2 tabular-nums [&::-webkit-calendar-picker-indicator]:hidden"
      aria-label={label}
      value={value}
      {...described}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface CopyDialogProps {
  readonly day: Weekday;
  readonly onClose: () => void;
  readonly onCopy: (days: readonly Weekday[]) => void;
}

function CopyDialog({ day, onClose, onCopy }: CopyDialogProps) {
  const others = week.filter((other) => other !== day);
  const [chosen, setChosen] = useState<readonly Weekday[]>([]);
  const all = chosen.length === others.length;
  return (
    <Dialog
      open
      title={`Copy the hours of ${day}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Go back
          </Button>
          <Button aria-disabled={chosen.length === 0} onClick={() => chosen.length > 0 && onCopy(chosen)}>
            Copy
          </Button>
        </>
      }
    >
      <fieldset className="grid gap-1">
        <legend className="mb-2">To which days? Their own hours are replaced.</legend>
        <Choice type="checkbox" label="All days" checked={all} onChange={() => setChosen(all ? [] : others)} />
        {others.map((other) => (
          <Choice
            key={other}
            type="checkbox"
            label={other}
            checked={chosen.includes(other)}
            onChange={() =>
              setChosen(chosen.includes(other) ? chosen.filter((one) => one !== other) : [...chosen, other])
            }
          />
        ))}
      </fieldset>
    </Dialog>
  );
}
