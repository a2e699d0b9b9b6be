import { formatDate, formatTime } from '@clinic/app-kit';
import { Alert, Button, Icon, Spinner, TextField } from '@clinic/ui';
import { useEffect, useId, useRef, type Ref } from 'react';
import { ClinicZone } from './clinic-zone.tsx';
import type { FreeTimesState } from './use-slot.ts';

export interface TimeChoiceProps {
  /** The chosen day, 'yyyy-mm-dd'; empty if none. */
  readonly date: string;
  readonly free: FreeTimesState;
  /** 'HH:mm'; empty if none. */
  readonly value: string;
  readonly onChange: (time: string) => void;
  readonly onBlur?: () => void;
  readonly error: string | undefined;
  /** The server rejected the chosen time: move the focus to the choice. */
  readonly taken: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

// Chosen is filled and ticked, pointed at is only tinted: two times never look chosen at once.
const choice =
  "btn btn-outline btn-primary px-2 font-semibold whitespace-nowrap tabular-nums not-checked:hover:bg-tint! not-checked:hover:text-primary! checked:after:content-['✓_'_attr(aria-label)]";

/** The time of an appointment: one of the day's free times, or any time if the doctor lists none. */
export function TimeChoice({ date, free, value, onChange, onBlur, error, taken, ref }: TimeChoiceProps) {
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    if (taken) group.current?.querySelector('input')?.focus();
  }, [taken]);

  if (free.anyTime) {
    return (
      <TextField
        type="time"
        label="Time"
        required
        error={error}
        hint="This doctor sees patients at any time of day by agreement."
        ref={ref}
        value={value}
        onBlur={onBlur}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <fieldset ref={group} className="min-w-0" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="ui-label mb-2" data-required>
        Time
      </legend>
      {free.times.length > 0 && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2">
          {free.times.map((time, index) => (
            <input
              key={time}
              type="radio"
              className={choice}
              aria-label={formatTime(time)}
              name={`${id}-time`}
              value={time}
              checked={value === time}
              ref={index === 0 ? ref : undefined}
              onChange={() => onChange(time)}
              onBlur={onBlur}
            />
          ))}
        </div>
      )}
      <AboutTimes date={date} free={free} value={value} />
      <ClinicZone />
      {free.error && (
        <Alert
          kind="error"
          title="Error loading free times"
          actions={
            <Button variant="secondary" size="sm" onClick={free.retry}>
              Retry
            </Button>
          }
        >
          {free.error}
        </Alert>
      )}
      {error && (
        <p id={`${id}-error`} className="ui-error mt-2" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function AboutTimes({ date, free, value }: Pick<TimeChoiceProps, 'date' | 'free' | 'value'>) {
  const place = value === '' ? undefined : free.placeAt(value);
  return (
    <div aria-live="polite">
      {place && (
        <p className="ui-hint mt-2 flex items-center gap-2">
          <Icon name="pin" size={16} />
          At this time, the doctor is at: <strong className="text-base-content">{place}</strong>
        </p>
      )}
      {!date && <p className="ui-hint">Choose a date to see the free times.</p>}
      {free.loading && (
        <p className="ui-hint flex items-center gap-2">
          <Spinner label="" /> Looking for free times...
        </p>
      )}
      {free.full && <p className="ui-hint">There are no free times on {formatDate(date)}. Choose another date.</p>}
      {free.times.length > 0 && (
        <p className="sr-only">
          {free.times.length} free times on {formatDate(date)}
        </p>
      )}
    </div>
  );
}
