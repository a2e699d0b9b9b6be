import { addCalls } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { recordsCalls } from '@clinic/svc-clinic/contract/records-calls';
import { ConfirmDialog } from '@clinic/ui/tables';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import type { AppointmentDialogProps } from './use-appointment-dialogs.ts';

addCalls({ erasePatient: recordsCalls.erasePatient });

/** Asks before a patient without an account is deleted, for admins. */
export function DeletePatientDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { _id: id, patientname } = appointment;
  const erase = useChange('erasePatient', {
    invalidates: [...touchedByAppointments, 'findPatients'],
    success: ({ done }) =>
      done ? `${patientname} is deleted` : `${patientname} is being deleted. The clinic goes on by itself.`,
  });
  return (
    <ConfirmDialog
      open
      destructive
      title={`Delete ${patientname}?`}
      confirmLabel={`Delete ${patientname}`}
      busy={erase.isPending}
      onConfirm={() => erase.mutate({ params: { id } }, { onSettled: onClose })}
      onCancel={onClose}
    >
      <ul className="grid list-disc gap-1 ps-5">
        <li>We cancel all their upcoming appointments, so others can book those times.</li>
        <li>
          We remove their name, phone, address and age from all their appointments, including the history. The
          appointments stay, without a name.
        </li>
        <li>
          <strong>This can’t be undone.</strong>
        </li>
      </ul>
    </ConfirmDialog>
  );
}
