import { useCall, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { Doctor } from '@clinic/contracts';
import { Button, Dialog, EmailText, ErrorState, NumberField, Spinner, TextField } from '@clinic/ui';
import { useForm } from 'react-hook-form';
import { changedFields, experienceRule, type ProfileFields } from '../profiles/profile-form.ts';
import { DoctorAvailability } from './doctor-availability.tsx';

interface DoctorForm extends ProfileFields {
  readonly education: string;
  readonly location: string;
}

interface DoctorDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** A doctor's profile, to read and edit. */
export function DoctorDialog({ id, onClose }: DoctorDialogProps) {
  const answer = useCall('listDoctors', { query: { _id: id } });
  const doctor = answer.data as Doctor | undefined;
  return (
    <Dialog open wide title={doctor ? doctor.name : 'Profile'} onClose={onClose}>
      {answer.isPending && <Spinner />}
      {answer.error && !doctor && (
        <ErrorState title="Error loading profile" text={answer.error.message} onRetry={() => void answer.refetch()} />
      )}
      {doctor && (
        <div className="grid gap-8">
          <DoctorForm doctor={doctor} />
          <hr className="border-line" />
          <DoctorAvailability doctor={doctor} />
        </div>
      )}
    </Dialog>
  );
}

function DoctorForm({ doctor }: { readonly doctor: Doctor }) {
  const { name, qualification, specialization, experience, education, location } = doctor;
  const values: DoctorForm = { name, qualification, specialization, experience, education, location };
  const {
    register,
    handleSubmit,
    setError,
    formState: { errors, dirtyFields, isDirty, isSubmitting },
  } = useForm<DoctorForm>({ values, resetOptions: { keepDirtyValues: true } });
  const save = useChange('changeDoctor', {
    invalidates: ['listDoctors'],
    success: (saved) => `The profile of ${saved.name} is saved`,
  });

  const submit = handleSubmit(async (form) => {
    if (!isDirty) return;
    try {
      await save.mutateAsync({ params: { id: doctor._id }, body: changedFields(form, dirtyFields) });
    } catch (error) {
      for (const { field, message } of (error as ApiProblem).problem.errors ?? [])
        if (field in values) setError(field as keyof DoctorForm, { message });
    }
  });

  return (
    <form
      className="grid gap-5 sm:grid-cols-2"
      noValidate
      aria-label="Profile"
      onSubmit={(event) => void submit(event)}
    >
      <p className="text-sm text-muted wrap-anywhere sm:col-span-2">
        You can’t change <EmailText email={doctor.email} />, because the account and the appointments depend on it.
      </p>
      <TextField
        label="Name"
        required
        autoComplete="off"
        error={errors.name?.message}
        {...register('name', { required: 'Name is required' })}
      />
      <TextField
        label="Specialization"
        required
        error={errors.specialization?.message}
        {...register('specialization', { required: 'Specialization is required' })}
      />
      <TextField
        label="Qualification"
        required
        error={errors.qualification?.message}
        {...register('qualification', { required: 'Qualification is required' })}
      />
      <TextField label="Education" error={errors.education?.message} {...register('education')} />
      <NumberField
        label="Experience (years)"
        required
        min={0}
        error={errors.experience?.message}
        {...register('experience', experienceRule)}
      />
      <TextField label="Location" error={errors.location?.message} {...register('location')} />
      <div className="sm:col-span-2">
        <Button type="submit" busy={isSubmitting} aria-disabled={!isDirty}>
          Save profile
        </Button>
      </div>
    </form>
  );
}
