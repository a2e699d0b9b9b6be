import { NumberField, TextField } from '@clinic/ui';
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import type { ProfileFields } from './profile-form.ts';

interface InputProps {
  /** The `register` of a form that has these fields, maybe among others. */
  readonly register: (
    name: Exclude<keyof ProfileFields, 'experience'>,
    rules: { readonly required: string },
  ) => UseFormRegisterReturn;
  readonly errors: FieldErrors<ProfileFields>;
}

/** @param hint - how to write it, if that isn't obvious */
export function NameInput({
  register,
  errors,
  hint,
  className,
}: InputProps & { readonly hint?: string | undefined; readonly className?: string }) {
  return (
    <TextField
      label="Name"
      required
      autoComplete="off"
      hint={hint}
      className={className}
      error={errors.name?.message}
      {...register('name', { required: 'Name is required' })}
    />
  );
}

export function QualificationInput({ register, errors, hint }: InputProps & { readonly hint?: string }) {
  return (
    <TextField
      label="Qualification"
      required
      hint={hint}
      error={errors.qualification?.message}
      {...register('qualification', { required: 'Qualification is required' })}
    />
  );
}

/** @param label - 'Specialization' of a doctor, 'Area of Expertise' of a pharmacist */
export function ExpertiseInput({ register, errors, label }: InputProps & { readonly label: string }) {
  return (
    <TextField
      label={label}
      required
      error={errors.specialization?.message}
      {...register('specialization', { required: `${label} is required` })}
    />
  );
}

/**
 * @param register - registers the field with `experienceRule`. Called when it is rendered, because the first wrong field to
 *   be registered gets the focus.
 */
export function ExperienceInput({
  register,
  errors,
}: Pick<InputProps, 'errors'> & { readonly register: () => UseFormRegisterReturn }) {
  return <NumberField label="Experience (years)" required min={0} error={errors.experience?.message} {...register()} />;
}
