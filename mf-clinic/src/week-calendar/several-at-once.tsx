import { useSession } from '@clinic/app-kit';
import type { ClinicMoment } from '@clinic/contracts';
import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { Button } from '@clinic/ui';
import { useState } from 'react';
import { canDecide } from '../appointments/may-change.ts';
import { SeveralDialog } from '../several/several-dialog.tsx';

interface SeveralAtOnceProps {
  /** Those of the calendar on screen. */
  readonly appointments: readonly CalendarAppointment[];
  readonly now: ClinicMoment;
}

/** Confirms or cancels chosen appointments of the calendar: a doctor has fallen ill. */
export function SeveralAtOnce({ appointments, now }: SeveralAtOnceProps) {
  const session = useSession();
  const [open, setOpen] = useState(false);
  const coming = appointments.filter((one) => canDecide(one, session, now));
  // The dialog stays for those that were rejected, even a single one.
  if (coming.length < 2 && !open) return null;
  return (
    <div>
      <Button size="sm" variant="secondary" onClick={() => setOpen(true)}>
        Several at once …
      </Button>
      {open && <SeveralDialog appointments={coming} onClose={() => setOpen(false)} />}
    </div>
  );
}
