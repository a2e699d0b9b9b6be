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
  const today = useClinicToday();
  const answer = useCall('listDoctors', {
    query: { ...(specialty && { specialty }), sort: 'soonest', limit: offered },
  });
  const doctors = Array.isArray(answer.data) ? answer.data : [];
  const free: readonly DeskSlot[] = doctors.flatMap((doctor) =>
    doctor.nextFree ? [{ ...doctor.nextFree, doctor }] : [],
  );
  /** What is chosen, or was first on screen: said aloud by now, and perhaps booked already. It stays whatever is free next. */
  const [held, setHeld] = useState<DeskSlot>();
  // An earlier visit's answer is about to be replaced.
  if (!held && free[0] && answer.isSuccess && !answer.isFetching) setHeld(free[0]);
  const slot = held ? { ...held, doctor: doctors.find(({ _id }) => _id === held.doctor._id) ?? held.doctor } : free[0];
  const times = slot && !free.some((one) => keyOf(one) === keyOf(slot)) ? [slot, ...free] : free;
  return (
    <BookDialog
      title={slot ? `Walk-in: ${timeInWords(slot)}` : 'Walk-in'}
      slot={slot && { ...slot, walkIn: true }}
      onBooked={onBooked}
      onLost={setHeld}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <SelectField
          label="Specialty"
          options={[{ value: '', label: 'Any specialty' }, ...specialties]}
          value={specialty}
          onChange={(event) => {
            setSpecialty(event.target.value);
            setHeld(undefined);
          }}
        />
        {answer.isPending ? (
          <Loading className="h-16" />
        ) : (
          slot && (
            <SelectField
              label="Next free time"
              options={times.map((time) => ({
                value: keyOf(time),
                // On a phone a closed field has room for a name and a time; the title says all of it.
                label: `${time.doctor.name}, ${formatTime(time.time)}${time.date === today ? '' : `, ${formatDate(time.date)}`}`,
              }))}
              value={keyOf(slot)}
              onChange={({ target }) => setHeld(times.find((time) => keyOf(time) === target.value))}
            />
          )
        )}
      </div>
      <LoadError title="Error loading doctors" answer={answer} />
      {answer.data && !slot && <p>No doctor of this specialty has a free time.</p>}
    </BookDialog>
  );
}

const keyOf = ({ doctor, date, time }: DeskSlot): string => `${doctor._id} ${date} ${time}`;

function timeInWords({ date, time, doctor }: DeskSlot): string {
  return `${formatDate(date)} at ${formatTime(time)}, ${doctor.name}`;
}
