import { formatDate, formatTime } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { Doctor } from '@clinic/contracts';
import { Alert, Button } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import { MomentList } from './moment-list.tsx';

type Availability = Partial<Pick<Doctor, 'isAvailable' | 'availableTimes' | 'daysOff'>> & {
  /** The lists at the first edit, so that what the doctor saves meanwhile is kept. */
  readonly seen?: Pick<Doctor, 'availableTimes' | 'daysOff'>;
};

/** When patients can book a doctor. Booked appointments stay. */
export function DoctorAvailability({ doctor }: { readonly doctor: Doctor }) {
  // Unsaved edits; everything else follows the doctor's changes, and isn't sent.
  const [edits, setEdits] = useState<Availability>({});
  const { isAvailable, availableTimes, daysOff } = { ...doctor, ...edits };
  const save = useChange('changeAvailability', {
    invalidates: ['listDoctors', 'listFreeTimes', 'listFreeDays'],
    success: ({ name }) => `The times of ${name} are saved`,
    failure: false,
    onDone: () => setEdits({}),
  });
  const changed = Object.keys(edits).length > 0;

  function edit(field: Availability): void {
    setEdits({ seen: { availableTimes: doctor.availableTimes, daysOff: doctor.daysOff }, ...edits, ...field });
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (changed) save.mutate({ params: { id: doctor._id }, body: edits });
  }

  return (
    <form className="grid gap-5" noValidate aria-label="Availability" onSubmit={submit}>
      <div>
        <h3 className="font-semibold text-base-content">Availability</h3>
        <p className="text-sm text-muted">When patients can book. Existing appointments stay booked.</p>
      </div>
      <label className="flex items-center gap-3 font-medium">
        <input
          type="checkbox"
          className="size-5 accent-primary"
          checked={isAvailable}
          onChange={(event) => edit({ isAvailable: event.target.checked })}
        />
        Takes appointments
      </label>
      <div className="grid gap-6 md:grid-cols-2">
        <MomentList
          label="Times of day"
          addLabel="Another time"
          type="time"
          values={availableTimes}
          format={formatTime}
          none="Any free time of day."
          onChange={(times) => edit({ availableTimes: [...times] })}
        />
        <MomentList
          label="Days off"
          addLabel="Another day off"
          type="date"
          values={daysOff}
          format={formatDate}
          none="None."
          onChange={(days) => edit({ daysOff: [...days] })}
        />
      </div>
      {save.error && (
        <Alert kind="error" title="We couldn’t save the times">
          {save.error.problem.errors?.[0]?.message ?? save.error.message}
        </Alert>
      )}
      <div>
        <Button type="submit" variant="secondary" busy={save.isPending} aria-disabled={!changed}>
          Save times
        </Button>
      </div>
    </form>
  );
}
