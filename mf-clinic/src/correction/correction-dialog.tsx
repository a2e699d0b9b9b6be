import { useQueryClient, type ApiProblem } from '@clinic/app-kit';
import { useChange, useCloseQuestion } from '@clinic/app-kit/records';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { Button, Dialog } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { knownEmail } from '../appointments/known-details.ts';
import { patientRules, type PatientDetail, type PatientDetails } from '../booking/booking-fields.ts';
import { PatientFields } from '../booking/patient-fields.tsx';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';
import { Rejection } from '../rejection.tsx';

/** Corrects the patient's details on an appointment, for staff. */
export function CorrectionDialog({ appointment, onClose }: AppointmentDialogProps) {
  const { _id: id, patientname, age, number, address } = appointment;
  const email = knownEmail(appointment);
  const unknown = { age: age === 0, number: number === '', address: address === '', patientname: false };
  const client = useQueryClient();
  const [opened] = useState(appointment);
  const [failure, setFailure] = useState<ApiProblem>();
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors, dirtyFields, isDirty },
  } = useForm<PatientDetails>({
    values: { patientname, age: age === 0 ? '' : String(age), number, address },
    resetOptions: { keepDirtyValues: true },
  });
  const { close, question } = useCloseQuestion(isDirty, onClose);
  const correct = useChange('correctAppointment', {
    invalidates: touchedByAppointments,
    success: (corrected) => `The details of ${corrected.patientname} are corrected`,
    undo: (corrected, { body: { seen: before = {} } }) => {
      // What wasn't known can't be unknown again.
      if (Object.values(before).some((value) => value === 0 || value === '')) return undefined;
      return {
        call: 'correctAppointment',
        input: { params: { id }, body: { ...before, seen: seenIn(corrected, before) } },
        done: `The details of ${patientname} are as they were`,
      };
    },
    failure: false,
    onDone: onClose,
    onError: (problem) => {
      const known = (problem.problem.errors ?? []).filter(({ field }) => field in dirtyFields);
      for (const { field, message: text } of known) setError(field as PatientDetail, { type: 'server', message: text });
      if (known.length === 0) setFailure(problem);
      // It may have been changed meanwhile.
      for (const list of touchedByAppointments) void client.invalidateQueries({ queryKey: [list] });
    },
  });

  function send(details: PatientDetails): void {
    setFailure(undefined);
    const changed = changedIn(details, dirtyFields);
    if (Object.keys(changed).length === 0) onClose();
    else correct.mutate({ params: { id }, body: { ...changed, seen: seenIn(appointment, changed) } });
  }

  /** What somebody else has entered in a field that is typed over. */
  const enteredIn = (name: PatientDetail): string | undefined =>
    dirtyFields[name] && !correct.isPending && appointment[name] !== opened[name]
      ? `Someone else has entered “${appointment[name]}” meanwhile. Yours will replace it.`
      : undefined;

  return (
    <Dialog open wide title={`Correct the details of ${patientname}`} onClose={close}>
      <form noValidate aria-label="Details" className="grid gap-5" onSubmit={(event) => void handleSubmit(send)(event)}>
        <p className="text-sm text-muted">
          {email === undefined ? 'The' : `The appointment stays with the account of ${email}. The`} history keeps the
          old details.
        </p>
        <div className="grid gap-5 sm:grid-cols-2">
          <PatientFields
            field={(name) => ({
              error: errors[name]?.message ?? enteredIn(name),
              // What the desk booked without may stay unknown.
              ...register(name, unknown[name] && !dirtyFields[name] ? {} : patientRules[name]),
            })}
          />
        </div>
        <Rejection error={failure} title="We couldn’t correct the details" />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="ghost" onClick={close}>
            Go back
          </Button>
          <Button type="submit" icon="check" busy={correct.isPending}>
            Correct details
          </Button>
        </div>
      </form>
      <ConfirmDialog {...question}>The details of {patientname} aren’t corrected yet.</ConfirmDialog>
    </Dialog>
  );
}

/** Only what was changed: somebody else may be correcting the rest. */
const changedIn = (details: PatientDetails, dirty: Partial<Record<PatientDetail, boolean>>) => ({
  ...(dirty.patientname && { patientname: details.patientname }),
  ...(dirty.age && { age: Number(details.age) }),
  ...(dirty.number && { number: details.number }),
  ...(dirty.address && { address: details.address }),
});

/** The details of some names, as an appointment has them. */
const seenIn = (appointment: Appointment, names: Partial<Record<PatientDetail, unknown>>): Partial<Appointment> =>
  Object.fromEntries((Object.keys(names) as PatientDetail[]).map((name) => [name, appointment[name]]));
