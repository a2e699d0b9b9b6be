import { formatDate, formatTime, Link, notify, useSession } from '@clinic/app-kit';
import { useCloseQuestion } from '@clinic/app-kit/records';
import { hasNoEmail } from '@clinic/contracts/erased-person';
import type { AboutVisit } from '@clinic/svc-clinic/contract/patient';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Alert, Button, ButtonLink, Dialog } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useDesk } from './use-desk.ts';
import { NameQuestion, useNameQuestion } from '../booking/name-question.tsx';
import { SameTimeDialog } from '../slots/same-time-dialog.tsx';
import type { DeskPatient } from './desk-patient.ts';
import { focusNextField, PatientForm } from './patient-form.tsx';
import { useDeskBooking, type DeskSlot } from './use-desk-booking.ts';
import '../setup.ts';

interface BookDialogProps {
  readonly title: string;
  /** The time that is booked; absent while there is none to choose. */
  readonly slot: DeskSlot | undefined;
  /** Choices above the patient. */
  readonly children?: ReactNode;
  /** Blocks the time instead. */
  readonly onBlock?: () => void;
  readonly onBooked: (appointment: Appointment) => void;
  /** Nobody knows whether the time is booked. */
  readonly onLost?: (slot: DeskSlot) => void;
  readonly onClose: () => void;
}

/** Books a time for a patient without leaving the page: whoever is at the desk or on the phone, or a doctor's own patient. */
export function BookDialog({ title, slot, children, onBlock, onBooked, onLost, onClose }: BookDialogProps) {
  const { role } = useSession();
  const desk = useDesk();
  const form = useId();
  const [patient, setPatient] = useState<DeskPatient>();
  const nameQuestion = useNameQuestion();
  const booking = useDeskBooking((booked) => {
    notify.success('appoinment created', inWords(booked));
    onBooked(booked);
  }, onLost);
  const { close, question } = useCloseQuestion(patient !== undefined, onClose);
  // Once the dialog is open: the browser moves the focus to its first button then.
  useEffect(() => focusNextField(form), [form]);
  const trouble = booking.failure ?? nameQuestion.failure;

  function book(whom: DeskPatient, about: AboutVisit): void {
    if (!slot) return;
    const send = (found?: string): void =>
      booking.send({ patient: found === undefined ? whom : { userId: found, ...whom }, slot, about });
    // Only the desk can look up whose an address is; doctors book for somebody who has been with them.
    if (desk && whom.email !== null && !hasNoEmail(whom.email))
      void nameQuestion.check({ patientname: whom.name, patientemail: whom.email }, send);
    else send();
  }

  return (
    <>
      <Dialog
        open
        title={title}
        onClose={close}
        actions={
          <>
            {slot && role !== 'patient' && onBlock && (
              <ButtonLink
                component={Link}
                variant="ghost"
                to={role === 'admin' ? `/dash/schedules?doctor=${slot.doctor._id}` : '/dash/dProfile'}
              >
                Extra hours
              </ButtonLink>
            )}
            {onBlock && (
              <Button variant="secondary" onClick={onBlock}>
                Block this time
              </Button>
            )}
            <Button
              type="submit"
              form={form}
              icon="calendar"
              busy={booking.busy || nameQuestion.busy}
              aria-disabled={!slot || undefined}
            >
              Book
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          {children}
          <PatientForm id={form} patient={patient} onPatient={setPatient} onBook={book} />
          {trouble && (
            <Alert kind="error" title="failed to book">
              {trouble}
            </Alert>
          )}
        </div>
      </Dialog>
      <NameQuestion {...nameQuestion} />
      <SameTimeDialog sameTime={booking.sameTime} own={false} onConfirm={booking.keepBoth} onCancel={booking.giveUp} />
      <ConfirmDialog {...question} />
    </>
  );
}

/** Patient, doctor and time, and how the patient is told. */
function inWords({ patientname, patientemail, number, doctorname, date, time }: Appointment): string {
  const told = hasNoEmail(patientemail)
    ? `There’s no email address: tell the patient now, or call ${number}.`
    : `We’re telling them by email: ${patientemail}.`;
  return `${patientname} with ${doctorname}, ${formatDate(date)} at ${formatTime(time)}. ${told}`;
}
