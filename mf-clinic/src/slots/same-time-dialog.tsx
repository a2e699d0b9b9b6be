import { formatDate, formatTime } from '@clinic/app-kit';
import type { SameTime } from '@clinic/svc-clinic/contract/problems';
import { ConfirmDialog } from '@clinic/ui/tables';

interface SameTimeDialogProps {
  /** The service's response; without one there is nothing to ask. */
  readonly sameTime: SameTime | undefined;
  /** The reader is the patient. */
  readonly own: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks whether a patient wants to see two doctors at the same time, e.g. for two members of a family. */
export function SameTimeDialog({ sameTime, own, onConfirm, onCancel }: SameTimeDialogProps) {
  return (
    <ConfirmDialog
      open={sameTime?.canConfirm === true}
      title="Two appointments at the same time?"
      confirmLabel="Keep both"
      cancelLabel="Choose another time"
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>{own ? 'You already have' : 'This patient already has'} another appointment at this time:</p>
      <ul className="my-3 grid gap-1 font-semibold">
        {sameTime?.others.map((other) => (
          <li key={`${other.date} ${other.time} ${other.doctorname ?? ''}`}>
            {other.doctorname && `${other.doctorname}, `}
            {formatDate(other.date)} at {formatTime(other.time)}
          </li>
        ))}
      </ul>
      <p>You can keep both if {own ? 'one of them is for someone else' : 'the patient wants both'}.</p>
    </ConfirmDialog>
  );
}
