import { useNavigate, useSearchParams } from '@clinic/app-kit';
import type { Doctor, FreeSlot } from '@clinic/contracts';
import { Button } from '@clinic/ui';
import { lazy, Suspense, useState } from 'react';
import type { BookingFields } from '../booking/booking-fields.ts';

const WaitDialog = lazy(async () => ({ default: (await import('./wait-dialog.tsx')).WaitDialog }));

interface WaitButtonProps {
  readonly doctor: Doctor;
  /** What has been typed into the booking form. */
  readonly fields: () => BookingFields;
  /** Puts a free time of this doctor into the booking form. */
  readonly onChoose: (slot: FreeSlot) => void;
}

/** On the booking page, when nothing suits. A link from a fully booked doctor's card opens the dialog at once (`?wait`). */
export function WaitButton({ doctor, fields, onChoose }: WaitButtonProps) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [open, setOpen] = useState(search.has('wait'));
  // With no listed times there is nothing to wait for.
  if (doctor.availableTimes.length === 0) return null;
  function choose(slot: FreeSlot): void {
    setOpen(false);
    if (slot.doctorid === doctor._id) onChoose(slot);
    else void navigate(`/appoinment/${slot.doctorid}?date=${slot.date}&time=${slot.time}`);
  }
  const { patientemail, reason, patientname, age, number, address } = fields();
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-6">
      <p>Nothing suits you?</p>
      <Button
        variant="soft"
        size="sm"
        icon="clock"
        className="h-auto min-h-10 whitespace-normal"
        onClick={() => setOpen(true)}
      >
        Tell me if an earlier time becomes free
      </Button>
      {open && (
        <Suspense>
          <WaitDialog
            target={{ doctor }}
            email={patientemail}
            reason={reason}
            details={{ patientname, age, number, address }}
            onClose={() => setOpen(false)}
            onChoose={choose}
          />
        </Suspense>
      )}
    </div>
  );
}
