import { NumberField, TextField } from '@clinic/ui';
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import type { ProfileFields } from '../profiles/profile-form.ts';
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
  /** The years of experience, registered with `experienceRule`. */
  readonly experience: UseFormRegisterReturn;
  readonly errors: FieldErrors<NewProfileFields>;
}

/** The fields of a doctor's or pharmacist's first profile. */
export function ProfileFieldset({ role, register, experience, errors }: ProfileFieldsetProps) {
  const expertise = expertiseOf(role);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label="Name"
        required
        autoComplete="off"
        hint={role === 'doctor' ? 'As patients read it, e.g. Dr. Farhana Siddiqui' : undefined}
        className="sm:col-span-2"
        error={errors.name?.message}
        {...register('name', { required: 'Name is required' })}
      />
      <TextField
        label="Qualification"
        required
        hint="Degrees and boards, e.g. MBBS, FCPS"
        error={errors.qualification?.message}
        {...register('qualification', { required: 'Qualification is required' })}
      />
      <TextField
        label={expertise}
        required
        error={errors.specialization?.message}
        {...register('specialization', { required: `${expertise} is required` })}
      />
      <NumberField label="Experience (years)" required min={0} error={errors.experience?.message} {...experience} />
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
