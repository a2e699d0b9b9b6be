import { type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { Pharmacist } from '@clinic/contracts';
import { pharmacistStatuses } from '@clinic/contracts/limits';
import { Button, Dialog, EmailText, NumberField, SelectField, TextField } from '@clinic/ui';
import { useForm } from 'react-hook-form';
import { changedFields, experienceRule, type ProfileFields } from '../profiles/profile-form.ts';

type Status = (typeof pharmacistStatuses)[number];

interface PharmacistForm extends ProfileFields {
  readonly phone: string;
  readonly status: Status;
}

interface PharmacistDialogProps {
  readonly pharmacist: Pharmacist;
  readonly onClose: () => void;
}

/** A pharmacist's profile, to read and edit; their availability is their status. */
export function PharmacistDialog({ pharmacist, onClose }: PharmacistDialogProps) {
  const { name, qualification, specialization, experience, phone, status } = pharmacist;
  const defaultValues: PharmacistForm = {
    name,
    qualification,
    specialization,
    experience,
    phone,
    status: status as Status,
  };
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors, dirtyFields, isDirty, isSubmitting },
  } = useForm<PharmacistForm>({ defaultValues });
  const save = useChange('changePharmacist', {
    invalidates: ['listPharmacists'],
    success: (saved) => `The profile of ${saved.name} is saved`,
    onDone: onClose,
  });

  const submit = handleSubmit(async (form) => {
    if (!isDirty) return;
    try {
      await save.mutateAsync({ params: { id: pharmacist._id }, body: changedFields(form, dirtyFields) });
    } catch (error) {
      for (const { field, message } of (error as ApiProblem).problem.errors ?? [])
        if (field in defaultValues) setError(field as keyof PharmacistForm, { message });
    }
  });

  return (
    <Dialog open wide title={name} onClose={onClose}>
      <form
        className="grid gap-5 sm:grid-cols-2"
        noValidate
        aria-label="Profile"
        onSubmit={(event) => void submit(event)}
      >
        <p className="text-sm text-muted wrap-anywhere sm:col-span-2">
          You can’t change <EmailText email={pharmacist.email} />, because the account depends on it.
        </p>
        <TextField
          label="Name"
          required
          autoComplete="off"
          error={errors.name?.message}
          {...register('name', { required: 'Name is required' })}
        />
        <SelectField
          label="Status"
          options={pharmacistStatuses}
          error={errors.status?.message}
          {...register('status')}
        />
        <TextField label="Phone" type="tel" autoComplete="off" error={errors.phone?.message} {...register('phone')} />
        <TextField
          label="Area of Expertise"
          required
          error={errors.specialization?.message}
          {...register('specialization', { required: 'Area of Expertise is required' })}
        />
        <TextField
          label="Qualification"
          required
          error={errors.qualification?.message}
          {...register('qualification', { required: 'Qualification is required' })}
        />
        <NumberField
          label="Experience (years)"
          required
          min={0}
          error={errors.experience?.message}
          {...register('experience', experienceRule)}
        />
        <div className="sm:col-span-2">
          <Button type="submit" busy={isSubmitting} aria-disabled={!isDirty}>
            Save profile
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
