import { useChange } from '@clinic/app-kit/records';
import type { Appointment } from '@clinic/contracts';
import { phoneMessage, phonePattern } from '@clinic/contracts/limits';
import { Alert, Button, Dialog, NumberField, TextField } from '@clinic/ui';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { touchedByAppointments } from '../appointments/appointment-lists.ts';

interface CorrectionDialogProps {
  readonly appointment: Appointment;
  readonly onClose: () => void;
}

interface Details {
  readonly patientname: string;
  readonly age: string;
  readonly number: string;
  readonly address: string;
}

const filled =
  (message: string) =>
  (value: string): true | string =>
    value.trim() !== '' || message;

/** Corrects the patient's details on an appointment, for staff. */
export function CorrectionDialog({ appointment, onClose }: CorrectionDialogProps) {
  const { _id: id, patientname, age, number, address, patientemail } = appointment;
  const [failure, setFailure] = useState<string>();
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors, dirtyFields },
  } = useForm<Details>({ defaultValues: { patientname, age: String(age), number, address } });
  const correct = useChange('correctAppointment', {
    invalidates: touchedByAppointments,
    success: (corrected) => `The details of ${corrected.patientname} are corrected`,
    failure: false,
    onDone: onClose,
    onError: ({ problem, message }) => {
      const known = (problem.errors ?? []).filter(({ field }) => field in dirtyFields);
      for (const { field, message: text } of known) setError(field as keyof Details, { type: 'server', message: text });
      if (known.length === 0) setFailure(message);
    },
  });

  function send(details: Details): void {
    setFailure(undefined);
    // Only what was changed: somebody else may be correcting the rest.
    const changed = {
      ...(dirtyFields.patientname && { patientname: details.patientname }),
      ...(dirtyFields.age && { age: Number(details.age) }),
      ...(dirtyFields.number && { number: details.number }),
      ...(dirtyFields.address && { address: details.address }),
    };
    if (Object.keys(changed).length === 0) onClose();
    else correct.mutate({ params: { id }, body: changed });
  }

  return (
    <Dialog open wide title={`Correct the details of ${patientname}`} onClose={onClose}>
      <form noValidate aria-label="Details" className="grid gap-5" onSubmit={(event) => void handleSubmit(send)(event)}>
        <p className="text-sm text-muted">
          The appointment stays with the account of {patientemail}. The history keeps the old details.
        </p>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Patient name"
            required
            maxLength={200}
            error={errors.patientname?.message}
            {...register('patientname', { validate: filled('Patient name is required') })}
          />
          <NumberField
            label="Age"
            required
            min={1}
            max={150}
            error={errors.age?.message}
            {...register('age', {
              validate: {
                required: filled('Age is required'),
                positive: (value) => Number(value) >= 1 || 'Age must be positive',
                whole: (value) => Number.isInteger(Number(value)) || 'Age must be a whole number of years',
              },
            })}
          />
          <TextField
            label="Phone number"
            type="tel"
            required
            maxLength={33}
            error={errors.number?.message}
            {...register('number', {
              validate: {
                required: filled('Phone number is required'),
                pattern: (value) => phonePattern.test(value.trim()) || phoneMessage,
              },
            })}
          />
          <TextField
            label="Address"
            required
            maxLength={200}
            error={errors.address?.message}
            {...register('address', { validate: filled('Address is required') })}
          />
        </div>
        {failure && (
          <Alert kind="error" title="We couldn’t correct the details">
            {failure}
          </Alert>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="ghost" onClick={onClose}>
            Go back
          </Button>
          <Button type="submit" icon="check" busy={correct.isPending}>
            Correct details
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
