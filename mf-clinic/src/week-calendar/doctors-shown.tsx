import { readStorage, writeStorage } from '@clinic/app-kit/storage';
import { Button, Dialog } from '@clinic/ui';
import { useState } from 'react';
import { Choice } from '../choice.tsx';
import type { DayColumn } from './grid-layout.ts';

/** This browser's choice: the doctors left out, so that a new doctor is never missed. */
const key = 'calendar-left-out';

const stored = (): readonly string[] => (readStorage('localStorage', key) ?? '').split(' ').filter((id) => id !== '');

const idOf = ({ doctor }: DayColumn): string => doctor._id;

/** Doctors with appointments first, then those with hours; of the same kind in the given order. */
function busiestFirst(columns: readonly DayColumn[]): readonly DayColumn[] {
  const rank = ({ appointments, day }: DayColumn): number =>
    appointments.length > 0 ? 0 : day.hours.length > 0 ? 1 : 2;
  return columns.toSorted((one, other) => rank(one) - rank(other));
}

/** The columns that somebody wants to see, and how they choose them; kept in their browser. */
export function useDoctorsShown(columns: readonly DayColumn[], byDoctor: boolean) {
  const [leftOut, setLeftOut] = useState(stored);
  const leaveOut = (ids: readonly string[]): void => {
    setLeftOut(ids);
    writeStorage('localStorage', key, ids.join(' '));
  };
  if (!byDoctor) return { shown: columns, hidden: [], leaveOut, leftOut };
  return {
    shown: busiestFirst(columns.filter((column) => !leftOut.includes(idOf(column)))),
    hidden: columns.filter((column) => leftOut.includes(idOf(column))),
    leaveOut,
    leftOut,
  };
}

interface DoctorsShownProps {
  readonly columns: readonly DayColumn[];
  readonly choice: ReturnType<typeof useDoctorsShown>;
}

/** Chooses the doctors of the day's calendar, and says who is left out. */
export function DoctorsShown({ columns, choice: { hidden, leftOut, leaveOut } }: DoctorsShownProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm print:hidden">
      <Button size="sm" variant="secondary" onClick={() => setOpen(true)}>
        Choose doctors
      </Button>
      {hidden.length > 0 && (
        <>
          <span className="min-w-0 text-muted">Not shown: {hidden.map(({ doctor }) => doctor.name).join(', ')}.</span>
          <Button size="sm" variant="ghost" onClick={() => leaveOut([])}>
            Show all
          </Button>
        </>
      )}
      <Dialog
        open={open}
        title="Doctors in the calendar"
        onClose={() => setOpen(false)}
        actions={<Button onClick={() => setOpen(false)}>Done</Button>}
      >
        <fieldset className="grid gap-1">
          <legend className="mb-2">This browser remembers your choice.</legend>
          {columns.map(({ doctor }) => (
            <Choice
              key={doctor._id}
              type="checkbox"
              label={
                <>
                  {doctor.name} <span className="text-muted">{doctor.specialization}</span>
                </>
              }
              checked={!leftOut.includes(doctor._id)}
              onChange={() =>
                leaveOut(
                  leftOut.includes(doctor._id) ? leftOut.filter((id) => id !== doctor._id) : [...leftOut, doctor._id],
                )
              }
            />
          ))}
        </fieldset>
      </Dialog>
    </div>
  );
}
