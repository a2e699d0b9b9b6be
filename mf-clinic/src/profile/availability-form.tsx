import { draftOf, formatDate, formatTime, useDraft } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Doctor } from '@clinic/contracts';
import { Alert, Button, Card, Icon } from '@clinic/ui';
import { useCallback, useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { DayCalendar } from '../slots/day-calendar.tsx';
import { AddTime } from './add-time.tsx';

type Availability = Partial<Pick<Doctor, 'isAvailable' | 'availableTimes' | 'daysOff'>> & {
  /** The lists at the first edit, so that what somebody else saves meanwhile is kept. */
  readonly seen?: Pick<Doctor, 'availableTimes' | 'daysOff'>;
};

/** The doctor's own times, days off, and whether patients can book at all. Booked appointments stay. */
export function AvailabilityForm({ doctor }: { readonly doctor: Doctor }) {
  const today = useClinicToday();
  // Unsaved edits; everything else follows changes made elsewhere, and isn't sent.
  const draft = `availability ${doctor._id}`;
  const [edits, setEdits] = useState<Availability>(() => draftOf<Availability>(draft) ?? {});
  useEditsDraft(draft, edits);
  const [month, setMonth] = useState(today);
  const { isAvailable, availableTimes: times, daysOff } = { ...doctor, ...edits };
  const save = useChange('changeAvailability', {
    invalidates: ['getProfiles', 'listDoctors', 'listFreeTimes', 'listFreeDays', 'listAppointmentsOutsideTimes'],
    success: 'Your times are saved',
    failure: false,
    onDone: () => setEdits({}),
  });
  const changed = Object.keys(edits).length > 0;
  useAskBeforeUnload(changed);

  function edit(field: Availability): void {
    setEdits({ seen: { availableTimes: doctor.availableTimes, daysOff: doctor.daysOff }, ...edits, ...field });
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (changed) save.mutate({ params: { id: doctor._id }, body: edits });
  }

  return (
    <Card as="section" aria-labelledby="my-times">
      <form className="grid gap-6" noValidate onSubmit={submit} aria-label="My times">
        <div>
          <h2 id="my-times" className="text-heading font-bold">
            My times
          </h2>
          <p className="text-sm text-muted">When patients can book you. Existing appointments stay booked.</p>
        </div>
        <label className="flex items-center gap-3 font-medium">
          <input
            type="checkbox"
            className="size-5 accent-primary"
            checked={isAvailable}
            onChange={(event) => edit({ isAvailable: event.target.checked })}
          />
          I take appointments
        </label>
        <div className="grid gap-8 md:grid-cols-2">
          <fieldset className="grid min-w-0 content-start gap-3">
            <legend className="ui-label mb-2">Times of day</legend>
            {times.length === 0 && <p className="text-sm">Any free time of day.</p>}
            <Chips label="Times of day">
              {times.map((time) => (
                <Chip
                  key={time}
                  text={formatTime(time)}
                  onRemove={() => edit({ availableTimes: times.filter((one) => one !== time) })}
                />
              ))}
            </Chips>
            <AddTime onAdd={(time) => edit({ availableTimes: ordered([...times, time]) })} />
          </fieldset>
          <fieldset className="grid min-w-0 content-start gap-3">
            <legend className="ui-label mb-2">Days off</legend>
            <DayCalendar
              several
              label="Days off"
              today={today}
              month={month < today ? today : month}
              onMonth={setMonth}
              selected={daysOff}
              onDay={(day) =>
                edit({
                  daysOff: daysOff.includes(day) ? daysOff.filter((one) => one !== day) : ordered([...daysOff, day]),
                })
              }
            />
            <Chips label="Days off">
              {daysOff.map((day) => (
                <Chip
                  key={day}
                  text={formatDate(day)}
                  onRemove={() => edit({ daysOff: daysOff.filter((one) => one !== day) })}
                />
              ))}
            </Chips>
          </fieldset>
        </div>
        {save.error && (
          <Alert kind="error" title="We couldn’t save your times">
            {save.error.problem.errors?.[0]?.message ?? save.error.message}
          </Alert>
        )}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" icon="check" busy={save.isPending} aria-disabled={!changed}>
            Save my times
          </Button>
          {changed && (
            <>
              <p className="ui-hint">Not saved yet. We keep your changes here while you visit other pages.</p>
              <Button variant="ghost" size="sm" onClick={() => setEdits({})}>
                Discard them
              </Button>
            </>
          )}
        </div>
      </form>
    </Card>
  );
}

/** Before the tab is closed or reloaded, the browser asks whether to leave. */
function useAskBeforeUnload(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved]);
}

function Chips({ label, children }: { readonly label: string; readonly children: readonly ReactNode[] }) {
  return (
    children.length > 0 && (
      <ul aria-label={label} className="flex flex-wrap gap-2">
        {children}
      </ul>
    )
  );
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <li className="inline-flex items-center rounded-lg bg-base-200 ps-3 text-sm font-medium tabular-nums">
      {text}
      <button
        type="button"
        className="grid size-8 cursor-pointer place-items-center rounded-lg text-muted hover:text-base-content"
        aria-label={`Remove ${text}`}
        onClick={onRemove}
      >
        <Icon name="x" size={14} />
      </button>
    </li>
  );
}

/** Keeps unsaved edits across the reload for a new version. */
function useEditsDraft(key: string, edits: Availability): void {
  const latest = useRef(edits);
  useEffect(() => {
    latest.current = edits;
  }, [edits]);
  useDraft(
    key,
    useCallback(() => (Object.keys(latest.current).length > 0 ? latest.current : undefined), []),
    'forget',
  );
}

/** Unique, ascending. */
function ordered(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted((a, b) => a.localeCompare(b));
}
