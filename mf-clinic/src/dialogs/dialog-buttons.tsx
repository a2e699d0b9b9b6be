import { useSession } from '@clinic/app-kit';
import { useClinicNow } from '@clinic/app-kit/clinic-today';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { hasNoEmail, isErasedEmail, isNobodysEmail } from '@clinic/contracts/erased-person';
import type { IconName } from '@clinic/ui';
import { ActionButton } from '../action-button.tsx';
import {
  hasPassed,
  isOver,
  isStaff,
  mayCancel,
  mayMove,
  mayReadAnswers,
  useActors,
} from '../appointments/may-change.ts';
import { nameOfAppointment } from '../appointments/name-of-appointment.ts';
import { useAppointmentDialogs, type AppointmentDialog } from './use-appointment-dialogs.ts';

interface ButtonProps {
  readonly appointment: Appointment;
}

interface DialogButtonProps extends ButtonProps {
  readonly dialog: AppointmentDialog;
  readonly icon: IconName;
  readonly text: string;
  /** The action for assistive technology, if its text is too short. */
  readonly label?: string;
  /** The row's first action. */
  readonly first?: boolean | undefined;
}

function DialogButton({ appointment, dialog, text, label = text, ...look }: DialogButtonProps) {
  const open = useAppointmentDialogs();
  return (
    <ActionButton
      {...look}
      text={text}
      label={`${label}: ${nameOfAppointment(appointment)}`}
      onClick={() => open(dialog, appointment)}
    />
  );
}

/** Opens the choice of another slot, for people who may move the appointment. */
export function RescheduleButton({ appointment, first }: ButtonProps & Pick<DialogButtonProps, 'first'>) {
  const actors = useActors(appointment);
  if (!mayMove(appointment, actors, useClinicNow())) return null;
  return <DialogButton appointment={appointment} dialog="reschedule" icon="edit" text="Reschedule" first={first} />;
}

/** Cancels an appointment after a confirmation; hidden from people who aren't allowed to. */
export function CancelButton({ appointment }: ButtonProps) {
  const actors = useActors(appointment);
  if (hasPassed(appointment, useClinicNow()) || !mayCancel(appointment, actors)) return null;
  return <DialogButton appointment={appointment} dialog="cancel" icon="x-circle" text="Cancel" />;
}

/** Puts the patient on the waitlist for an earlier time of an upcoming appointment. */
export function EarlierButton({ appointment }: ButtonProps) {
  const now = useClinicNow();
  // The waitlist is for accounts: offers go out by email.
  if (appointment.status === 'Cancelled' || isOver(appointment, now) || isNobodysEmail(appointment.patientemail))
    return null;
  return <DialogButton appointment={appointment} dialog="earlier" icon="clock" text="Wait for an earlier time" />;
}

/** Opens the correction of the patient's details, for the appointment's doctor and admins. */
export function CorrectButton({ appointment }: ButtonProps) {
  if (!isStaff(useActors(appointment))) return null;
  return <DialogButton appointment={appointment} dialog="correct" icon="user" text="Correct details" />;
}

/** Opens what the patient answered before the visit, for its doctor and admins; reception only sees that there is something. */
export function AnswersButton({ appointment }: ButtonProps) {
  const session = useSession();
  if (appointment.answeredAt === undefined || !mayReadAnswers(appointment, session)) return null;
  return <DialogButton appointment={appointment} dialog="answers" icon="clipboard" text="Answers" />;
}

/** Opens an appointment's history. */
export function HistoryButton({ appointment }: ButtonProps) {
  return <DialogButton appointment={appointment} dialog="history" icon="clock" text="History" />;
}

/** Opens the booking of further appointments, for the appointment's doctor and admins. */
export function FollowUpButton({ appointment }: ButtonProps) {
  if (!isStaff(useActors(appointment)) || isErasedEmail(appointment.patientemail)) return null;
  return (
    <DialogButton appointment={appointment} dialog="followUps" icon="plus" text="Follow-ups" label="Book follow-ups" />
  );
}

/** Deletes a patient who has neither an account nor an email address, for admins; others are deleted with their account. */
export function DeletePatientButton({ appointment }: ButtonProps) {
  if (useSession().role !== 'admin' || !hasNoEmail(appointment.patientemail)) return null;
  return <DialogButton appointment={appointment} dialog="deletePatient" icon="trash" text="Delete patient" />;
}

/** Opens what can be done with an appointment of a series and those that follow. */
export function FollowingButton({ appointment }: ButtonProps) {
  const actors = useActors(appointment);
  const now = useClinicNow();
  const { series } = appointment;
  if (!series || series.number === series.of || hasPassed(appointment, now) || !mayCancel(appointment, actors))
    return null;
  return (
    <DialogButton
      appointment={appointment}
      dialog="following"
      icon="calendar"
      text="This and following"
      label="This and the following ones"
    />
  );
}
