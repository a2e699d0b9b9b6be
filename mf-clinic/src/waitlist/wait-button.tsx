import { useNavigate, useSearchParams } from '@clinic/app-kit';
import type { FreeSlot } from '@clinic/svc-clinic/contract/problems';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Button } from '@clinic/ui';
import { lazy, Suspense, useState } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import { aboutVisit, emptyBooking, type BookingFields } from '../booking/booking-fields.ts';

const WaitDialog = lazy(async () => ({ default: (await import('./wait-dialog.tsx')).WaitDialog }));

interface WaitButtonProps {
  readonly doctor: Doctor;
  /** Of the booking form: what has been typed there, and what is known about the patient as soon as it has loaded. */
  readonly control: Control<BookingFields>;
  /** Staff look for somebody else. */
  readonly forOthers: boolean;
  /** The account that staff chose by its address. */
  readonly userIdAt: (email: string) => string | undefined;
  /** Puts a free time of this doctor into the booking form. */
  readonly onChoose: (slot: FreeSlot) => void;
}

/** On the booking page, when nothing suits. A link from a fully booked doctor's card opens the dialog at once (`?wait`). */
export function WaitButton({ doctor, control, forOthers, userIdAt, onChoose }: WaitButtonProps) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [open, setOpen] = useState(search.has('wait'));
  const fields = { ...emptyBooking, ...useWatch({ control }) };
  const { patientemail, patientname, age, number, address } = fields;
  // With no listed times there is nothing to wait for.
  if (doctor.availableTimes.length === 0) return null;
  function choose(slot: FreeSlot): void {
    setOpen(false);
    if (slot.doctorid === doctor._id) onChoose(slot);
    else void navigate(`/appoinment/${slot.doctorid}?date=${slot.date}&time=${slot.time}`);
  }
  // An account is needed: staff choose the patient first.
  const nobody = forOthers && patientemail.trim() === '';
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-6">
      <p>{forOthers ? 'Nothing suits the patient?' : 'Nothing suits you?'}</p>
      <Button
        variant="soft"
        size="sm"
        icon="clock"
        className="h-auto min-h-10 whitespace-normal"
        aria-disabled={nobody}
        onClick={() => !nobody && setOpen(true)}
      >
        {forOthers ? 'Put them on the waitlist' : 'Tell me if an earlier time becomes free'}
      </Button>
      {nobody && <p className="ui-hint">Find the patient first.</p>}
      {open && !nobody && (
        <Suspense>
          <WaitDialog
            target={{ doctor }}
            email={patientemail}
            userId={userIdAt(patientemail)}
            visit={aboutVisit(fields)}
            details={{ patientname, age, number, address }}
            onClose={() => setOpen(false)}
            onChoose={choose}
          />
        </Suspense>
      )}
    </div>
  );
}
