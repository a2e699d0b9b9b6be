import { useSession } from '@clinic/app-kit';
import type { ClinicMoment } from '@clinic/contracts';
import { Button } from '@clinic/ui';
import { useState } from 'react';
import { canDecide } from '../appointments/may-change.ts';
import { SeveralDialog } from '../several/several-dialog.tsx';
import { nameOfDay, useClosing } from './close-day.tsx';
import type { DayColumn } from './grid-layout.ts';

interface SeveralAtOnceProps {
  /** The calendar on screen. */
  readonly columns: readonly DayColumn[];
  readonly now: ClinicMoment;
}

/** Confirms or cancels chosen appointments of the calendar: a doctor has fallen ill. */
export function SeveralAtOnce({ columns, now }: SeveralAtOnceProps) {
  const session = useSession();
  const [open, setOpen] = useState(false);
  const close = useClosing();
  const coming = columns.flatMap(({ appointments }) => appointments).filter((one) => canDecide(one, session, now));
  /** The days that have nobody left to come once these are cancelled. */
  const emptiedBy = (ids: ReadonlySet<string>): readonly DayColumn[] =>
    columns.filter(({ day, appointments }) => {
      const left = appointments.filter((one) => coming.includes(one));
      return left.length > 0 && day.closed === undefined && left.every(({ _id }) => ids.has(_id));
    });
  // The dialog stays for those that were rejected, even a single one.
  if (coming.length < 2 && !open) return null;
  return (
    <div>
      <Button size="sm" variant="secondary" onClick={() => setOpen(true)}>
        Several at once …
      </Button>
      {open && (
        <SeveralDialog
          appointments={coming}
          closing={(ids) => {
            const days = emptiedBy(ids);
            return days.length > 0 ? { days: days.map(nameOfDay), close: (wanted) => close(days, wanted) } : undefined;
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
