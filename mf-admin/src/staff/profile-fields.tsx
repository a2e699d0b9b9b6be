import { TextField } from '@clinic/ui';
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import type { ProfileFields } from '../profiles/profile-form.ts';
import { ExperienceInput, ExpertiseInput, NameInput, QualificationInput } from '../profiles/profile-inputs.tsx';
import { expertiseOf, type StaffRole } from './staff-roles.ts';

/** Profile fields in the form for new staff. */
export interface NewProfileFields extends ProfileFields {
  readonly location: string;
}

/** What the fields need from the `register` of a form that contains them, maybe among others. */
type RegisterText = (
  name: Exclude<keyof NewProfileFields, 'experience'>,
  rules?: { readonly required: string },
) => UseFormRegisterReturn;

interface ProfileFieldsetProps {
  readonly role: StaffRole;
  readonly register: RegisterText;
  /** Registers the years of experience, see {@link ExperienceInput}. */
  readonly experience: () => UseFormRegisterReturn;
  readonly errors: FieldErrors<NewProfileFields>;
}

/** The fields of a doctor's or pharmacist's first profile. */
export function ProfileFieldset({ role, register, experience, errors }: ProfileFieldsetProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <NameInput
        register={register}
        errors={errors}
        hint={role === 'doctor' ? 'As patients read it, e.g. Dr. Farhana Siddiqui' : undefined}
        className="sm:col-span-2"
      />
      <QualificationInput register={register} errors={errors} hint="Degrees and boards, e.g. MBBS, FCPS" />
      <ExpertiseInput register={register} errors={errors} label={expertiseOf(role)} />
      <ExperienceInput register={experience} errors={errors} />
      {role === 'doctor' && (
        <TextField
          label="Location"
          hint="Where patients find them, e.g. Level 3, room 12"
          error={errors.location?.message}
          {...register('location')}
        />
      )}
    </div>
  );
}
