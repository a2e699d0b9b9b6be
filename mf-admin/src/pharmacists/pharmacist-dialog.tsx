import { useChange, useCloseQuestion } from '@clinic/app-kit/records';
import { pharmacistStatuses } from '@clinic/svc-clinic/contract/limits';
import type { Pharmacist } from '@clinic/svc-clinic/contract/schemas';
import { Dialog, SelectField, TextField } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useForm } from 'react-hook-form';
import { ProfileEditor } from '../profiles/profile-editor.tsx';
import { experienceRule, formerValues, type ProfileFields } from '../profiles/profile-form.ts';
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
  const form = useForm<PharmacistForm>({ values, resetOptions: { keepDirtyValues: true } });
  const {
    register,
    formState: { errors, isDirty },
  } = form;
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

  return (
    <Dialog open wide title={name} onClose={close}>
      <ProfileEditor
        form={form}
        values={values}
        email={pharmacist.email}
        because="because the account depends on it"
        save={(body) => save.mutateAsync({ params: { id: pharmacist._id }, body })}
      >
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
      </ProfileEditor>
      <ConfirmDialog {...question}>Your changes to the profile of {name} aren’t saved yet.</ConfirmDialog>
    </Dialog>
  );
}
