import { useChange, useCloseQuestion } from '@clinic/app-kit/records';
import type { Pharmacist } from '@clinic/svc-clinic/contract/schemas';
import { pharmacistStatuses } from '@clinic/contracts/limits';
import { Button, Dialog, SelectField, TextField } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useForm } from 'react-hook-form';
import {
  changedFields,
  eachFieldError,
  experienceRule,
  formerValues,
  type ProfileFields,
} from '../profiles/profile-form.ts';
import { ExperienceInput, ExpertiseInput, NameInput, QualificationInput } from '../profiles/profile-inputs.tsx';

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
  const values: PharmacistForm = {
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
  } = useForm<PharmacistForm>({ values, resetOptions: { keepDirtyValues: true } });
  const save = useChange('changePharmacist', {
    invalidates: ['listPharmacists'],
    success: (saved) => `The profile of ${saved.name} is saved`,
    undo: (_, { params, body = {} }) => ({
      call: 'changePharmacist',
      input: { params, body: formerValues(values, body) },
      done: `The profile of ${name} is as it was`,
    }),
    onDone: onClose,
  });

  const { close, question } = useCloseQuestion(isDirty, onClose);

  const submit = handleSubmit(async (form) => {
    if (!isDirty) return;
    try {
      await save.mutateAsync({ params: { id: pharmacist._id }, body: changedFields(form, dirtyFields) });
    } catch (error) {
      eachFieldError(error, values, (field, message) => setError(field, { message }));
    }
  });

  return (
    <Dialog open wide title={name} onClose={close}>
      <form
        className="grid gap-5 sm:grid-cols-2"
        noValidate
        aria-label="Profile"
        onSubmit={(event) => void submit(event)}
      >
        <p className="text-sm text-muted wrap-anywhere sm:col-span-2">
          You can’t change <EmailText email={pharmacist.email} />, because the account depends on it.
        </p>
        <NameInput register={register} errors={errors} />
        <SelectField
          label="Status"
          options={pharmacistStatuses}
          error={errors.status?.message}
          {...register('status')}
        />
        <TextField label="Phone" type="tel" autoComplete="off" error={errors.phone?.message} {...register('phone')} />
        <ExpertiseInput register={register} errors={errors} label="Area of Expertise" />
        <QualificationInput register={register} errors={errors} />
        <ExperienceInput register={() => register('experience', experienceRule)} errors={errors} />
        <div className="sm:col-span-2">
          <Button type="submit" busy={isSubmitting} aria-disabled={!isDirty}>
            Save profile
          </Button>
        </div>
      </form>
      <ConfirmDialog {...question}>Your changes to the profile of {name} aren’t saved yet.</ConfirmDialog>
    </Dialog>
  );
}
