import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { SelectField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { useState } from 'react';
import { LoadError } from '../load-error.tsx';
import { BookDialog } from './book-dialog.tsx';
import type { DeskSlot } from './use-desk-booking.ts';
import '../setup.ts';

/** Doctors offered, the soonest first. */
const offered = 5;

interface WalkInDialogProps {
  /** All specialties of the clinic. */
  readonly specialties: readonly string[];
  readonly onBooked: (appointment: Appointment) => void;
  readonly onClose: () => void;
}

/** Books the next free time of any doctor of a specialty, for somebody who stands at the desk. */
export function WalkInDialog({ specialties, onBooked, onClose }: WalkInDialogProps) {
  const [specialty, setSpecialty] = useState('');
  const [chosen, setChosen] = useState('');
  const today = useClinicToday();
  const answer = useCall('listDoctors', {
    query: { ...(specialty && { specialty }), sort: 'soonest', limit: offered },
  });
  const doctors = Array.isArray(answer.data) ? answer.data : [];
  /** Perhaps booked already, so no longer free. */
  const [lost, setLost] = useState<DeskSlot>();
  const free: readonly DeskSlot[] = doctors.flatMap((doctor) =>
    doctor.nextFree ? [{ ...doctor.nextFree, doctor }] : [],
  );
  const times = lost ? [lost, ...free.filter(({ doctor }) => doctor._id !== lost.doctor._id)] : free;
  const slot = times.find(({ doctor }) => doctor._id === chosen) ?? times[0];
  return (
    <BookDialog
      title={slot ? `Walk-in: ${timeInWords(slot)}` : 'Walk-in'}
      slot={slot && { ...slot, walkIn: true }}
      onBooked={onBooked}
      onLost={(unknown) => {
        setLost(unknown);
        setChosen(unknown.doctor._id);
      }}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <SelectField
          label="Specialty"
          options={[{ value: '', label: 'Any specialty' }, ...specialties]}
          value={specialty}
          onChange={(event) => {
            setSpecialty(event.target.value);
            setChosen('');
            setLost(undefined);
          }}
        />
        {answer.isPending ? (
          <Loading className="h-16" />
        ) : (
          slot && (
            <SelectField
              label="Next free time"
              options={times.map((time) => ({
                value: time.doctor._id,
                // On a phone a closed field has room for a name and a time; the title says all of it.
                label: `${time.doctor.name}, ${formatTime(time.time)}${time.date === today ? '' : `, ${formatDate(time.date)}`}`,
              }))}
              value={slot.doctor._id}
              onChange={(event) => setChosen(event.target.value)}
            />
          )
        )}
      </div>
      <LoadError title="Error loading doctors" answer={answer} />
      {answer.data && !slot && <p>No doctor of this specialty has a free time.</p>}
    </BookDialog>
  );
}

function timeInWords({ date, time, doctor }: DeskSlot): string {
  return `${formatDate(date)} at ${formatTime(time)}, ${doctor.name}`;
}
